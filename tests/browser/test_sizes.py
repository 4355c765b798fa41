"""The Sizes page in a real browser: moving k, picking a pair, the small text, another tied pair."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, axe_serious, scrolls_sideways, settle


def said(page: Page, text: str) -> None:
    """Wait until one of our sentences says this."""
    expect(page.locator(".say").filter(has_text=text)).not_to_have_count(0)


def test_k_moves_by_keyboard_and_every_sum_follows(visit: Visit) -> None:
    page = visit("/sizes")
    said(page, "L₀ = Σ c·|s| = 1·3 + 2·5 + 1·6 + 2·6 + 1·6 + 1·1 + 1·4 + 1·8 = 50 tokens")
    slider = page.get_by_role("slider", name="Merges made")
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")
    said(page, "|V₃| = |V₀| + k = 16 + 3 = 19 tokens")
    said(page, "L₃ = L₂ − replacements of ␣ + c = 42 − 3 = 39 tokens")
    expect(page).to_have_url(re.compile(r"[?&]k=3"))


def test_a_pair_is_found_by_typing_and_counted_word_by_word(visit: Visit) -> None:
    page = visit("/sizes?preset=hop")
    menu = page.get_by_role("combobox", name="Pair, most frequent first")
    menu.click()
    menu.fill("p + s")
    menu.press("Enter")
    said(page, "count(p, s) = Σ c·n = 2·1 + 1·1 = 3")


def test_the_small_text_is_reconciled_while_it_is_typed(visit: Visit) -> None:
    page = visit("/sizes")
    said(page, "L₁ = 3 − 1 = 2, not 3 − 2 = 1.")
    box = page.get_by_label("A small text to try it on, taken as one word")
    box.click()
    box.press("End")
    box.press_sequentially("aa")  # without Enter
    said(page, "L₁ = 5 − 2 = 3, not 5 − 4 = 1.")
    box.fill("<b>$a$")
    said(page, "count and replacements are the same")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_other_tied_pair_is_chosen_and_laid_beside(visit: Visit, scheme: str) -> None:
    page = visit("/sizes?preset=aaabdaaabac&k=1", size=PHONE, scheme=scheme, touch=True)
    said(page, "They part at merge 2: AA + A as trained, A + B in the other run")
    menu = page.get_by_role("combobox", name="A merge with a tie")
    menu.scroll_into_view_if_needed()
    settle(page)  # an open menu closes when the page scrolls
    menu.click()
    page.get_by_role("option", name="merge 4:").click()
    said(page, "They part at merge 4")
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)
