"""The server is started again while a page is open: the page goes on, and what was typed is there."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from tests.browser.support import ROOT, Visitor, settle, started

#: What a browser says of a server that is away.
AWAY = "ERR_CONNECTION_REFUSED|when disconnected|not responding|Client Error|net::ERR|WebSocket"


def test_a_page_outlives_its_server(browser: Browser, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    with started(ROOT / "app.py", folders[0]) as server:
        reader = Visitor(browser, server)
        reader.allow(AWAY)
        page = reader.open("/?k=3")
        port = urlsplit(server.url).port or 0
        corpus = page.get_by_label("Training text")
        corpus.fill("own text own words")
        corpus.press("Control+Enter")
        expect(page.get_by_text("Merges made: k = 0 of")).to_be_visible()
        page.get_by_role("button", name="Next merge").click()
        expect(page).to_have_url(f"{server.url}/?text=own+text+own+words&k=1")
        # A long text is kept by the tab alone.
        long = reader.open("/")
        long.get_by_role("button", name="Open file").click()
        text = " ".join(f"w{i:x}" for i in range(3000))
        long.locator("input[type=file]").set_input_files(
            {"name": "long.txt", "mimeType": "text/plain", "buffer": text.encode()}
        )
        expect(long.locator(".st-key-corpus")).to_contain_text("Showing the first 2,000 of")
        settle(long)
    new_text = page.get_by_label("New text, split by the merges made so far")
    new_text.fill("typed while away")
    with started(ROOT / "app.py", folders[1], port) as again:
        split = page.locator(".st-key-new_said")
        expect(split).to_contain_text("for 16 characters", timeout=60_000)
        expect(new_text).to_have_value("typed while away")
        expect(corpus).to_have_value("own text own words")
        expect(page.get_by_text("Merges made: k = 1 of")).to_be_visible()
        page.get_by_role("button", name="Next merge").click()  # the first click counts
        expect(page.get_by_text("Merges made: k = 2 of")).to_be_visible()
        expect(long.get_by_label("Training text")).to_have_value(text, timeout=60_000)
        expect(long.locator(".st-key-corpus")).to_contain_text("Showing the first 2,000 of")
        assert "Traceback" not in again.log.read_text(errors="replace")
    reader.context.close()
    assert reader.problems == []
