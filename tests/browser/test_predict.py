"""Predict the merge in a real browser: picks by mouse, by keyboard and by finger, reloads, two learners."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, axe_serious, scrolls_sideways, settle


def said(page: Page, text: str) -> None:
    """Wait until one of our sentences says this."""
    expect(page.locator(".say").filter(has_text=text)).not_to_have_count(0)


def tiles(page: Page) -> Locator:
    return page.locator(".st-key-predict_tiles button.tile")


def press(page: Page, name: str) -> None:
    if name in ("Merge it and go on", "See how the run went"):
        page.wait_for_timeout(500)  # a quicker click would count as the second of a double click
    page.get_by_role("button", name=name, exact=True).click()


def test_tiles_and_boundaries_pick_and_nothing_is_ringed_before_the_check(visit: Visit) -> None:
    page = visit("/predict?preset=hop")
    rings = page.locator(".st-key-predict_tiles .ring-l")
    expect(rings).to_have_count(0)
    tiles(page).nth(4).click()  # o, then p beside it: hop | hops
    said(page, "First of two: o.")
    tiles(page).nth(5).click()
    said(page, "Your pick: o + p.")
    page.get_by_role("button", name="between token 1 and token 2").click()
    said(page, "Your pick: h + o.")
    expect(rings).to_have_count(0)
    press(page, "Check")
    said(page, "✓ Right. h + o counts 11, as does another pair.")
    expect(rings).to_have_count(4)
    press(page, "Merge it and go on")
    said(page, "Which pair becomes merge 2")
    expect(rings).to_have_count(0)
    expect(tiles(page).nth(0)).to_have_attribute("aria-label", re.compile("token ho.*new"))


def test_a_round_by_keyboard_alone_is_announced(visit: Visit) -> None:
    page = visit("/predict?preset=hop")
    tiles(page).nth(0).focus()
    page.keyboard.press("Enter")
    said(page, "First of two: h.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    said(page, "Your pick: h + o.")
    check = page.get_by_role("button", name="Check", exact=True)
    check.focus()
    page.keyboard.press("Enter")
    verdict = page.get_by_role("status").filter(has_text="✓ Right.")
    expect(verdict).to_have_attribute("aria-live", "polite")
    expect(page.get_by_role("button", name="Merge it and go on")).to_be_focused()
    page.wait_for_timeout(500)  # a quicker second press would count as part of the first
    page.keyboard.press("Enter")
    said(page, "Which pair becomes merge 2")
    # What is typed and checked in one breath is what is checked.
    box = page.get_by_role("textbox", name="Or type it")
    box.fill("hop + s")
    press(page, "Check")
    said(page, "There is no token hop yet: it needs the merge ho + p first.")


def test_the_game_survives_page_switch_and_reload_and_is_nobody_elses(visit: Visit) -> None:
    page = visit("/predict?preset=hop")
    press(page, "It has run dry")
    press(page, "Check")
    said(page, "There is still a pair to merge: h + o counts 11.")
    page.get_by_role("link", name="Sizes").click()
    expect(page).to_have_url(re.compile("/sizes"))
    page.get_by_role("link", name="Predict the merge").click()
    said(page, "There is still a pair to merge: h + o counts 11.")
    press(page, "Merge it and go on")
    said(page, "Which pair becomes merge 2")
    press(page, "It has run dry")
    said(page, "Your pick: training has run dry.")
    settle(page)
    page.reload()
    said(page, "Your pick: training has run dry.")
    expect(page.locator(".bpe-figures dd")).to_have_text(["2 of 10", "1", "0 of 1", "0 (best 0)"])
    expect(page).to_have_url(re.compile(r"preset=hop(?!.*k=)"))  # the lab's k is where it was
    other = visit("/predict?preset=hop")
    expect(other.locator(".bpe-figures dd")).to_have_text(["1 of 10", "0", "0 of 0", "0 (best 0)"])


def test_the_lab_opens_at_this_state_and_the_way_back_restores_it(visit: Visit) -> None:
    page = visit("/predict?preset=review&k=3")
    press(page, "It has run dry")
    press(page, "Check")
    press(page, "Merge it and go on")
    press(page, "It has run dry")
    press(page, "Check")
    press(page, "Open this state in the lab")
    expect(page).to_have_url(re.compile(r"/\?k=4"))
    press(page, "◂ Back to Predict the merge")
    expect(page).to_have_url(re.compile(r"/predict\?k=3"))
    said(page, "There is still a pair to merge")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_is_readable_on_a_phone(visit: Visit, scheme: str) -> None:
    page = visit("/predict?preset=low", size=PHONE, scheme=scheme, touch=True)
    tiles(page).nth(0).tap()
    said(page, "First of two: l.")
    tiles(page).nth(1).tap()
    said(page, "Your pick: l + o.")
    assert axe_serious(page) == []
    press(page, "Check")
    said(page, "✓ Right.")
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)
    for _ in range(3):
        press(page, "Merge it and go on")
        press(page, "It has run dry")
        said(page, "Your pick: training has run dry.")
        press(page, "Check")
        expect(page.get_by_role("button", name="It has run dry")).to_have_count(0)
    said(page, "No pair that is left reaches the minimum count.")
    press(page, "See how the run went")
    said(page, "The corpus has run dry.")
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)
