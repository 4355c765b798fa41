"""The Compare page in a real browser: every way follows the typing; examples open and lead to Train."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, axe_serious, scrolls_sideways


def said(page: Page, text: str) -> None:
    """Wait until one of our sentences says this."""
    expect(page.locator(".say").filter(has_text=text)).not_to_have_count(0)


def test_every_way_follows_the_typing(visit: Visit) -> None:
    page = visit("/compare?k=5")
    said(page, "article words (your lab): 12 tokens, vocabulary 21 (5 merges). 2 unknown: m, d.")
    box = page.get_by_label("Text to cut")
    box.fill("the café")
    said(page, "article words (your lab): 7 tokens, vocabulary 21 (5 merges).")
    said(page, "words: 2 tokens, vocabulary 8")
    said(page, "bytes: 9 tokens, vocabulary 256")
    box.fill("")
    expect(page.get_by_text("Type a text to see it cut in every way.")).to_be_visible()


def test_markup_stays_text_in_every_strip(visit: Visit) -> None:
    page = visit("/compare?k=5")
    page.get_by_label("Text to cut").fill("<img src=x onerror=alert(1)> $a$")
    said(page, "bytes: 32 tokens")
    assert page.locator("img[src=x]").count() == 0


def test_an_example_opens_by_keyboard_and_goes_on_to_train(visit: Visit) -> None:
    page = visit("/compare")
    page.get_by_role("button", name="low lower lowest, with and without an end marker").press("Enter")
    said(page, "With the end marker: l + o 3, lo + w 3, low + e 2; then it stops.")
    said(page, "Decoded: lowlowerlowest: the spaces are lost.")
    page.get_by_role("button", name="machinelearning, a word never met").press("Enter")
    said(page, "1 unknown: machinelearning")
    page.get_by_role("button", name="Open it on the Train page").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Which pair merges next")
    expect(page.get_by_label("Training text")).to_have_value(
        "a machine learns by learning and learning machines learn from machine to machine"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_with_an_example_open_it_is_readable_for_all(visit: Visit, scheme: str) -> None:
    page = visit("/compare", size=PHONE, scheme=scheme, touch=True)
    page.get_by_role("button", name="low lower lowest, with and without an end marker").click()
    said(page, "the spaces are lost")
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)
