"""The Bytes page in a real browser: what belongs together lights up, by mouse, touch and keyboard.

What the rows hold is in tests/test_page_bytes.py.
"""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, axe_serious, scrolls_sideways, settle


def picture(page: Page) -> Locator:
    return page.locator(".st-key-bytes_rows")


def lit(page: Page, kind: str) -> list[str]:
    """The cells of one row that are lit."""
    return picture(page).locator(f".cell.{kind}.lit").all_inner_texts()


def test_a_byte_lights_its_character_and_token_and_back(visit: Visit) -> None:
    page = visit("/bytes?k=5&unit=byte")
    says = picture(page).locator(".says")
    expect(says).to_contain_text("Byte C3 is number 1 of the 2 bytes of é")  # read without touching anything
    picture(page).get_by_role("button", name="byte A9", exact=True).click()
    assert (lit(page, "cluster"), lit(page, "byte"), lit(page, "token")) == (["é"], ["A9"], ["é"])
    expect(says).to_contain_text("Byte A9 is number 2 of the 2 bytes of é")
    expect(says).to_contain_text("made by merge 4: ⟨C3⟩ + ⟨A9⟩")
    picture(page).get_by_role("button", name="token 4").click()
    assert (lit(page, "cluster"), lit(page, "byte"), lit(page, "token")) == (["é"], ["C3", "A9"], ["é"])
    page.get_by_role("heading", level=1).hover()
    expect(picture(page).get_by_role("button", name="token 4")).to_have_attribute("aria-pressed", "true")
    picture(page).get_by_role("button", name="byte 61", exact=True).hover()
    expect(says).to_contain_text("Byte 61 is the whole of a")
    assert lit(page, "byte") == ["61"]


def test_the_rows_are_walked_by_keyboard(visit: Visit) -> None:
    page = visit("/bytes?k=3&unit=byte&new=%C3%A9a")
    first = picture(page).get_by_role("button", name="byte C3", exact=True)
    expect(first).to_have_attribute("tabindex", "0")
    first.focus()
    page.keyboard.press("ArrowDown")
    expect(picture(page).get_by_role("button", name="token 1, ")).to_be_focused()
    expect(picture(page).locator(".says")).to_contain_text("is not whole characters: 1 of the 2 bytes of é")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(picture(page).get_by_role("button", name="byte A9", exact=True)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(picture(page).get_by_role("button", name="character é")).to_be_focused()
    assert lit(page, "byte") == ["C3", "A9"]
    page.keyboard.press("Enter")
    expect(picture(page).get_by_role("button", name="character é")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("End")
    expect(picture(page).get_by_role("button", name="character a")).to_be_focused()
    assert picture(page).locator("button[tabindex='0']").count() == 1


def test_the_slider_joins_the_halves(visit: Visit) -> None:
    page = visit("/bytes?k=3&unit=byte&new=%C3%A9")
    expect(picture(page).locator("button.token")).to_have_text(["C3", "A9"])
    page.get_by_role("slider").press("ArrowRight")
    expect(picture(page).locator("button.token")).to_have_text(["é"])
    expect(page).to_have_url(re.compile("k=4"))


def test_a_family_on_a_phone_wraps_between_its_people(visit: Visit) -> None:
    page = visit("/bytes?k=5", size=PHONE, touch=True)
    page.get_by_role("button", name="emoji family").tap()
    expect(picture(page).locator("button.cluster")).to_have_count(1)
    expect(picture(page).locator("button.point")).to_have_text(["1F468", "200D", "1F469", "200D", "1F467"])
    assert not scrolls_sideways(page)
    picture(page).get_by_role("button", name="byte A7", exact=True).tap()
    expect(picture(page).locator(".says")).to_contain_text("U+1F467, girl")
    assert len(lit(page, "cluster")) == 3  # the one character, carried on over three lines


def test_the_table_the_alphabet_and_the_page_are_readable_in_the_dark(visit: Visit) -> None:
    page = visit("/bytes?k=5&new=na%C3%AFve+%3Cb%3E%24x%24", scheme="dark")
    page.get_by_text("The same as a table").click()
    table = page.get_by_role(
        "table", name="Each character of the text with its code points, bytes and tokens"
    )
    expect(table.get_by_role("row").nth(3)).to_contain_text("U+00EF")
    expect(table).to_contain_text("<")
    page.get_by_text("All 256 bytes in that alphabet").click()
    expect(page.get_by_role("table").filter(has_text="Ġ").last).to_be_visible()
    settle(page)
    assert axe_serious(page) == []


def test_typing_here_is_the_new_text_everywhere(visit: Visit) -> None:
    page = visit("/bytes")
    box = page.get_by_role("textbox", name="Text")
    expect(box).to_have_value("café")
    box.press("End")
    box.press_sequentially("s")
    expect(picture(page).locator("button.cluster")).to_have_count(5)
    page.get_by_role("link", name="How does this text split, merge by merge?").click()
    expect(page.get_by_role("textbox", name="New text")).to_have_value("cafés")
