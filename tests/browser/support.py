"""The running app and a real Chromium for the browser tests, and what every such test is held to.

``started`` runs a Streamlit script as a learner's ``streamlit run`` would. ``Visitor`` opens pages in one
browser profile and keeps a list of ``problems``: console errors, uncaught exceptions, requests to any other
machine, tracebacks in the server's log. ``settle`` waits until a page has come to rest, ``axe_serious`` asks
axe-core for its serious and critical findings.

Not here: the fixtures (conftest.py), and anything that knows what the app's pages look like.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

ROOT = Path(__file__).resolve().parents[2]

WIDE = (1280, 800)
PHONE = (390, 844)

#: Generous, because only a failing test ever waits this long.
PATIENCE_MS = 20_000

CHROMIUM_FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name but this machine's resolves, so a stray request cannot leave even by mistake.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


@dataclass(frozen=True, slots=True)
class Server:
    """A running app: its address and the file that its output goes to."""

    url: str
    log: Path


@contextmanager
def started(script: Path, folder: Path, port: int = 0) -> Iterator[Server]:
    """Run ``streamlit run script`` on ``port`` (0: a free one) from the empty ``folder``; ends it afterwards.

    The folder is also the home directory, so that no setting of the person running the tests takes part.
    Raises RuntimeError with the server's output if it does not answer within a minute.
    """
    if not port:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
    log = folder / "server.log"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STREAMLIT_")}
    environment |= {"HOME": str(folder), "USERPROFILE": str(folder), "PYTHONUNBUFFERED": "1"}
    flags = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(script), *flags],
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _await_health(process, url, log)
        yield Server(url, log)
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()


def _await_health(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    give_up = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < give_up:
        try:
            with direct.open(f"{url}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.05)  # between two questions; the condition is the server's answer
    raise RuntimeError(f"The app did not start:\n{log.read_text(errors='replace')}")


#: Opened at a page's own address, Streamlit first asks below that address whether the app lives there; the
#: browser logs the "not found", and Streamlit goes on to ask at the root.
_PROBE = re.compile(r"/[a-z]+/_stcore/(health|host-config)")


class Visitor:
    """One person with one browser profile: opens pages, and notes whatever goes wrong in them.

    reader = Visitor(browser, server, size=PHONE, scheme="dark")
    page = reader.open("/split?preset=review")
    """

    def __init__(
        self,
        browser: Browser,
        server: Server,
        *,
        size: tuple[int, int] = WIDE,
        scheme: Literal["light", "dark"] = "light",
        motion: Literal["reduce", "no-preference"] = "reduce",
        touch: bool = False,
    ) -> None:
        self.server = server
        self.console: list[str] = []
        self._problems: list[str] = []
        self._allowed: list[re.Pattern[str]] = []
        self._log_start = server.log.stat().st_size
        self.context: BrowserContext = browser.new_context(
            base_url=server.url,
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            reduced_motion=motion,
            has_touch=touch,
            permissions=["clipboard-read", "clipboard-write"],
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.on("request", self._on_request)
        self.context.on("console", self._on_console)
        self.context.on("weberror", lambda error: self._problems.append(f"uncaught: {error.error}"))

    def open(self, path: str = "/", *, settled: bool = True) -> Page:
        """Open ``path`` (with its query, if any) in a new tab of this profile and wait until it rests."""
        page = self.context.new_page()
        page.on("websocket", lambda socket: self._note_address(socket.url))
        page.goto(path)
        if settled:
            settle(page)
        return page

    def allow(self, pattern: str) -> None:
        """Let problems matching the regular expression pass: for tests that break something on purpose."""
        self._allowed.append(re.compile(pattern))

    @property
    def problems(self) -> list[str]:
        """What went wrong so far and was not allowed."""
        with self.server.log.open("rb") as log:
            log.seek(self._log_start)
            output = log.read().decode(errors="replace")
        found = list(self._problems)
        if "Traceback (most recent call last)" in output:
            found.append("server log: " + output[output.index("Traceback") :][:2000])
        return [problem for problem in found if not any(p.search(problem) for p in self._allowed)]

    def keep(self, folder: Path) -> None:
        """Save a screenshot of every open tab and the console, for whoever looks into a failure."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, page in enumerate(self.context.pages, start=1):
            page.screenshot(path=folder / f"tab{number}.png", full_page=True)
        (folder / "console.txt").write_text("\n".join(self.console + self._problems), encoding="utf-8")

    def _on_request(self, request: Request) -> None:
        self._note_address(request.url)

    def _note_address(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in {
            "127.0.0.1",
            "localhost",
        }:
            self._problems.append(f"request to another machine: {url}")

    def _on_console(self, message: ConsoleMessage) -> None:
        self.console.append(f"{message.type}: {message.text}")
        url = message.location.get("url", "")
        if message.type == "error" and not _PROBE.fullmatch(urlsplit(url).path):
            self._problems.append(f"console error: {message.text} ({url})")


_RESTS = """
async ([quietFor, patience]) => {
  const ready = () => document.querySelector(
    '[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]')
    && !document.querySelector('[data-testid=stSkeleton]');
  let last = performance.now();
  const watch = new MutationObserver(() => { last = performance.now(); });
  watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  try {
    const giveUp = performance.now() + patience;
    while (performance.now() < giveUp) {
      if (!ready()) last = performance.now();
      if (performance.now() - last >= quietFor) return true;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    return false;
  } finally { watch.disconnect(); }
}
"""


def settle(page: Page, quiet_ms: int = 200, patience_ms: int = PATIENCE_MS) -> None:
    """Wait until Streamlit is connected, runs no script, and the page has not changed for ``quiet_ms``.

    For screenshots, axe and the first look at a page. After a click, assert on what the click must bring
    (``expect(...).to_have_text(...)``) instead: that waits by itself and for the right thing.
    """
    if not page.evaluate(_RESTS, [quiet_ms, patience_ms]):
        raise AssertionError(f"{page.url} did not come to rest within {patience_ms} ms")


def axe_serious(page: Page) -> list[str]:
    """The serious and critical accessibility findings of axe-core on the page as it stands, one line each."""
    settle(page)
    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: {node['html'][:200]}"
        for violation in found
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
    ]


def scrolls_sideways(page: Page) -> bool:
    """Whether the page as a whole is wider than the window: on a phone, a fault."""
    return bool(
        page.evaluate(
            """() => [document.scrollingElement, document.querySelector('[data-testid=stMain]')]
                .some(box => box && box.scrollWidth > box.clientWidth + 1)"""
        )
    )
