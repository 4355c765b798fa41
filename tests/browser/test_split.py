"""The Split page in a real browser: typing, boundaries, stations, ids, by mouse and by keyboard.

What the page says for which text is in tests/test_page_split.py.
"""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, axe_serious, scrolls_sideways, settle


def sentence(page: Page, key: str) -> Locator:
    """The sentence with this key."""
    return page.locator(f".st-key-{key} .say")


def split(page: Page) -> list[str]:
    return page.locator(".st-key-split_tiles .tile").all_inner_texts()


def in_focus(page: Page) -> str:
    """The name of what has focus, through shadow roots."""
    return str(
        page.evaluate(
            """() => { let at = document.activeElement;
            while (at && at.shadowRoot) at = at.shadowRoot.activeElement;
            return at ? at.getAttribute('aria-label') || at.textContent : ''; }"""
        )
    )


def test_typing_splits_at_once_and_the_text_survives_a_reload(visit: Visit) -> None:
    page = visit("/split?k=5")
    box = page.get_by_role("textbox", name="New text")
    box.press("ControlOrMeta+a")
    box.press_sequentially("a baker's café\n<b>bakes</b> $x$")
    expect(sentence(page, "split_says")).to_contain_text("from 16 words and 31 characters")
    assert split(page)[:4] == ["a", "␣bake", "r", "'"]
    assert "<" in split(page) and "$" in split(page)
    expect(box).to_have_value("a baker's café\n<b>bakes</b> $x$")
    expect(page).to_have_url(re.compile(r"new=a\+baker"))
    page.reload()
    settle(page)
    expect(page.get_by_role("textbox", name="New text")).to_have_value("a baker's café\n<b>bakes</b> $x$")
    assert split(page)[:4] == ["a", "␣bake", "r", "'"]


def test_a_boundary_is_picked_by_mouse_and_by_keyboard(visit: Visit) -> None:
    page = visit("/split?k=5")
    why = sentence(page, "split_why")
    expect(why).to_contain_text("Merge 6 joins t + h, but only merges 1 to 5 are in use.")
    page.get_by_role("button", name="boundary 3, between e and space").click()
    expect(why).to_contain_text("Between e and ␣: the edge of a word.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(why).to_contain_text("Between ␣ and m: never seen.")
    assert in_focus(page).startswith("boundary 4")
    expect(page.get_by_role("button", name="boundary 4,")).to_have_attribute("aria-pressed", "true")


def test_stations_and_the_slider_move_the_same_k(visit: Visit) -> None:
    page = visit("/split?k=5")
    page.get_by_role("button", name="Merge 13: show the text after it").click()
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("13")
    assert in_focus(page).startswith("Merge 13")
    assert split(page) == ["the", "␣", "m", "ake", "r", "␣bake", "d", "␣cake", "s"]
    slider.press("ArrowRight")
    expect(page.locator(".station[aria-current=step] .go")).to_have_text("Merge 14")
    page.get_by_role("button", name="Earlier change").click()
    expect(page.locator(".station[aria-current=step] .go")).to_have_text("Merge 13")
    page.get_by_role("link", name="Train", exact=True).click()
    expect(page.get_by_text("Merge 13:").first).to_be_visible()


def test_a_page_switch_right_after_a_link_keeps_the_lab_in_the_address(visit: Visit) -> None:
    page = visit("/split?k=5")
    page.get_by_role("link", name="Bytes", exact=True).click()
    expect(page).to_have_url(re.compile(r"/bytes\?k=5$"))
    page.reload()
    expect(page.get_by_role("slider")).to_have_value("5")


def test_ids_are_copied_and_decoded_and_a_wrong_one_is_named(visit: Visit) -> None:
    page = visit("/split?preset=cats&k=10&new=the+cat")
    page.get_by_role("button", name="Copy ids").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "260 99 256"
    box = page.get_by_role("textbox", name="Ids to decode")
    box.press_sequentially("260 99 256 999")
    expect(
        page.get_by_text("Item 4, '999', is not an id of this vocabulary; its ids are 0 to 265.")
    ).to_be_visible()
    expect(sentence(page, "split_decoded")).to_have_text("The other ids decode to the␣cat")
    expect(box).to_have_value("260 99 256 999")


def test_half_characters_on_a_phone_in_the_dark_read_well(visit: Visit) -> None:
    page = visit("/split?k=3&unit=byte&new=caf%C3%A9+%D7%A9%D7%9C", size=PHONE, scheme="dark", touch=True)
    expect(page.get_by_role("heading", name="Characters cut by a token’s edge")).to_be_visible()
    page.locator(".st-key-split_cut").get_by_role("button", name="byte A9").first.tap()
    expect(page.locator(".st-key-split_cut .says")).to_contain_text("number 2 of the 2 bytes of é")
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)
    page.get_by_role("link", name="What are this text’s characters as bytes?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What is a text made of, down to its bytes?")
    expect(page.get_by_role("textbox", name="Text")).to_have_value("café של")
