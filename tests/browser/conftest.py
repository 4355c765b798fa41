"""Fixtures of the browser tests: one app and one Chromium for all, a fresh browser profile for each test.

    def test_next_merge(page): ...                 the first page, 1280 x 800, light
    def test_thumb(phone): ...                     the first page, 390 x 844, touch
    def test_anything(visit):                      any page, any size, theme and motion; more than one person
        page = visit("/split", size=PHONE, scheme="dark", motion="no-preference")
        other_tab = visit.last.open("/")           the same person's second tab

A test fails if its pages logged a console error, raised an exception, asked another machine for anything, or
left a traceback in the server's log. What failed leaves screenshots and the console in artifacts/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from scripts.dev import NO_BROWSER, find_chromium
from tests.browser.support import CHROMIUM_FLAGS, PATIENCE_MS, PHONE, ROOT, Server, Visitor, started

_REPORTS = pytest.StashKey[dict[str, pytest.TestReport]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Keep each phase's result where the fixtures can see it when they are torn down."""
    report = yield
    item.stash.setdefault(_REPORTS, {})[report.when] = report
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app, started once for all browser tests from an empty folder."""
    with started(ROOT / "app.py", tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all browser tests; without one they fail, with the line that says what to install."""
    program = find_chromium()
    if program is None:
        pytest.fail(NO_BROWSER, pytrace=False)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


class Visit:
    """Opens pages as people with fresh browser profiles; ``last`` is the person who came last."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._server = server
        self.visitors: list[Visitor] = []

    @property
    def last(self) -> Visitor:
        """The person of the most recent call."""
        return self.visitors[-1]

    def __call__(self, path: str = "/", *, settled: bool = True, **who: Any) -> Page:
        """Open ``path`` as a new person; ``who`` is what ``Visitor`` takes: size, scheme, motion, touch."""
        self.visitors.append(Visitor(self._browser, self._server, **who))
        return self.last.open(path, settled=settled)


@pytest.fixture
def visit(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """``visit(path, size=…, scheme=…, …)`` opens a page as a new person; all are checked at the end."""
    visits = Visit(browser, server)
    yield visits
    report = request.node.stash.get(_REPORTS, {}).get("call")
    problems = [problem for visitor in visits.visitors for problem in visitor.problems]
    if problems or report is None or report.failed:
        name = re.sub(r"[^\w.-]+", "-", request.node.name)[:100]
        for number, visitor in enumerate(visits.visitors, start=1):
            visitor.keep(ROOT / "artifacts" / name / f"visitor{number}")
    for visitor in visits.visitors:
        visitor.context.close()
    assert not problems, "the page was not clean:\n" + "\n".join(problems)


@pytest.fixture
def page(visit: Visit) -> Page:
    """The first page at 1280 x 800 in the light theme."""
    return visit("/")


@pytest.fixture
def phone(visit: Visit) -> Page:
    """The first page at 390 x 844 with touch."""
    return visit("/", size=PHONE, touch=True)
