"""The browser tests' own watchdogs: each must bark at a small app that does the wrong thing.

Not here: the product. One page of Streamlit misbehaves as its address asks it to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from scripts import dev
from tests.browser.support import PHONE, Server, Visitor, axe_serious, scrolls_sideways, settle, started

SMALL_APP = """
import time
import streamlit as st

st.set_page_config(page_title="Small app")
st.title("Small app")
script = lambda body: st.html(f"<p>.</p><script>{body}</script>", unsafe_allow_javascript=True)
match st.query_params.get("do"):
    case "console": script("console.error('oh dear')")
    case "throw": script("setTimeout(() => { throw new Error('thrown') })")
    case "request": st.html('<img src="https://example.com/pixel.png" alt="">')
    case "traceback": raise ValueError("not caught")
    case "wide": st.html('<div style="width: 1000px">wide</div>')
    case "pale": st.html('<p style="color: #eee; background: #fff">pale words</p>')
    case "slow":
        time.sleep(0.5)
        st.write("At last")
st.button("Go", key="go") and st.write("Gone")
"""


@pytest.fixture(scope="module")
def small_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The misbehaving app."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.py").write_text(SMALL_APP, encoding="utf-8")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(
        "[browser]\ngatherUsageStats = false\n", encoding="utf-8"
    )
    with started(folder / "small.py", folder) as server:
        yield server


@pytest.fixture
def person(browser: Browser, small_app: Server) -> Iterator[Callable[..., Visitor]]:
    """``person(size=…, …)`` comes to look at it."""
    with ExitStack() as goodbyes:

        def come(**who: Any) -> Visitor:
            visitor = Visitor(browser, small_app, **who)
            goodbyes.callback(visitor.context.close)
            return visitor

        yield come


@pytest.fixture
def visitor(person: Callable[..., Visitor]) -> Visitor:
    """Someone at a desk looking at it."""
    return person()


def test_a_page_that_behaves_is_clean(visitor: Visitor) -> None:
    page = visitor.open("/")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_text("Gone")).to_be_visible()
    assert visitor.problems == []
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        ("console", "console error: oh dear"),
        ("throw", "uncaught: thrown"),
        ("request", "request to another machine: https://example.com/pixel.png"),
        ("traceback", "ValueError: not caught"),
    ],
)
def test_each_watchdog_barks(visitor: Visitor, fault: str, complaint: str) -> None:
    visitor.open(f"/?do={fault}")
    assert complaint in "\n".join(visitor.problems)
    visitor.allow("")
    assert visitor.problems == []


def test_a_fault_of_one_visitor_is_not_blamed_on_the_next(person: Callable[..., Visitor]) -> None:
    person().open("/?do=traceback")
    later = person()
    later.open("/")
    assert later.problems == []


def test_axe_findings_are_reported(visitor: Visitor) -> None:
    findings = axe_serious(visitor.open("/?do=pale"))
    assert len(findings) == 1
    assert "color-contrast (serious)" in findings[0]
    assert "pale words" in findings[0]


def test_a_page_wider_than_the_phone_is_noticed(person: Callable[..., Visitor]) -> None:
    reader = person(size=PHONE)
    assert scrolls_sideways(reader.open("/?do=wide"))
    assert not scrolls_sideways(reader.open("/"))


def test_opening_waits_for_the_script_to_end(visitor: Visitor) -> None:
    assert visitor.open("/?do=slow").get_by_text("At last").is_visible()


def test_settling_gives_up_on_a_page_without_the_app(visitor: Visitor) -> None:
    page = visitor.open("/")
    page.set_content("<p>nothing here</p>")
    with pytest.raises(AssertionError, match="did not come to rest"):
        settle(page, patience_ms=300)


def test_the_theme_width_and_motion_asked_for_reach_the_page(person: Callable[..., Visitor]) -> None:
    page = person(size=PHONE, scheme="dark", motion="reduce").open("/")
    seen = page.evaluate(
        "() => [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches,"
        " matchMedia('(prefers-reduced-motion: reduce)').matches]"
    )
    assert seen == [390, 844, True, True]


def test_what_failed_leaves_pictures_and_the_console(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("/?do=console")
    visitor.keep(tmp_path / "kept")
    assert (tmp_path / "kept" / "tab1.png").read_bytes().startswith(b"\x89PNG")
    assert "oh dear" in (tmp_path / "kept" / "console.txt").read_text(encoding="utf-8")


def test_an_app_that_does_not_start_shows_why(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="does not exist"), started(tmp_path / "missing.py", tmp_path):
        pass


def test_a_browser_pointed_at_in_vain_is_not_replaced_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BPE_CHROMIUM", "no-such-browser")
    assert dev.find_chromium() is None
