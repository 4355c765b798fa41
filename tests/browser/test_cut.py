"""Cut the word in a real browser: cuts by mouse, by keyboard and by typing, page switch, reload, phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, axe_serious, scrolls_sideways, settle


def said(page: Page, text: str) -> None:
    """Wait until one of our sentences says this."""
    expect(page.locator(".say").filter(has_text=text)).not_to_have_count(0)


def gaps(page: Page) -> Locator:
    return page.locator(".st-key-cut_word button.gap")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_word_is_cut_by_mouse_and_the_same_cut_in_the_next_word_is_seen(visit: Visit) -> None:
    page = visit("/cut?seed=7&level=2")
    for word in (1, 2):
        gaps(page).nth(1).click()
        expect(gaps(page).nth(1)).to_have_attribute("aria-pressed", "true")
        press(page, "Check")
        expect(page.locator(".bpe-figures dd").nth(1)).to_have_text(re.compile(f"of {word}$"))
        press(page, "Another word")
        expect(page.locator(".bpe-figures dd").nth(0)).to_have_text(str(word + 1))
    expect(page).to_have_url(re.compile(r"/cut\?seed=7&level=2$"))


def test_a_word_is_cut_by_keyboard_and_the_verdict_is_announced(visit: Visit) -> None:
    page = visit("/cut?corpus=hop&word=shops")
    said(page, "Cut shops with the 4 merges below.")
    gaps(page).nth(0).focus()
    page.keyboard.press("Enter")  # s | hops
    check = page.get_by_role("button", name="Check", exact=True)
    check.focus()
    page.keyboard.press("Enter")
    verdict = page.get_by_role("status").filter(has_text="✗ Not yet. Merge 3 joins s + hop to shop")
    expect(verdict).to_have_attribute("aria-live", "polite")
    expect(check).to_be_focused()
    expect(page.locator(".st-key-cut_step_3 .tile")).to_have_text(["shop", "s"])
    gaps(page).nth(0).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(gaps(page).nth(3)).to_have_attribute("aria-pressed", "true")
    said(page, "The cuts have changed since the check.")
    check.focus()
    page.keyboard.press("Enter")
    said(page, "✓ Right. shop · s")
    expect(page.locator(".bpe-figures dd")).to_have_text(["your own", "0 of 1", "0"])


def test_typed_and_checked_in_one_breath_and_kept_over_page_switch_and_reload(visit: Visit) -> None:
    page = visit("/cut?corpus=review")
    page.get_by_role("textbox", name="Or type the word").fill("␣|m|ake|r")
    press(page, "Check")
    said(page, "✓ Right. ␣ · m · ake · r")
    press(page, "Another word")
    said(page, "Cut ␣baked")
    gaps(page).nth(4).click()
    settle(page)
    page.get_by_role("link", name="Sizes").click()
    expect(page).to_have_url(re.compile("/sizes"))
    page.get_by_role("link", name="Cut the word").click()
    said(page, "Cut ␣baked")
    expect(gaps(page).nth(4)).to_have_attribute("aria-pressed", "true")
    settle(page)
    page.reload()
    said(page, "Cut ␣baked")
    expect(gaps(page).nth(4)).to_have_attribute("aria-pressed", "true")
    press(page, "Check")
    said(page, "✓ Right. ␣bake · d")
    expect(page.locator(".bpe-figures dd")).to_have_text(["2", "2 of 2", "2"])
    press(page, "Copy link to these words")
    expect(page.get_by_text("Link copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/cut?corpus=review")
    other = visit("/cut?corpus=review")
    expect(other.locator(".bpe-figures dd")).to_have_text(["1", "0 of 0", "0"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_is_readable_on_a_phone(visit: Visit, scheme: str) -> None:
    page = visit("/cut?corpus=scripts", size=PHONE, scheme=scheme, touch=True)
    said(page, "with the 20 merges below")
    assert axe_serious(page) == []
    gaps(page).nth(0).tap()
    press(page, "Check")
    expect(page.locator(".say").filter(has_text=re.compile("✓ Right|✗ Not yet"))).not_to_have_count(0)
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)
