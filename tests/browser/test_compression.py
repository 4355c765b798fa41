"""The Compression page in a browser: buttons, bars, trees and the experiment, by mouse and by keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, WIDE, axe_serious, scrolls_sideways, settle

LESSON = "/compression?preset=abracadabra&k=5"


def sentence(page: Page, name: str) -> Locator:
    """One of the page's sentences."""
    return page.locator(f".st-key-bits_{name}")


def tree(page: Page) -> Locator:
    """The nodes of the merge tree, a token before what is on its left and right."""
    return page.get_by_role("tree").get_by_role("treeitem")


def test_open_the_lesson_double_it_and_undo(visit: Visit) -> None:
    page = visit("/compression")
    page.get_by_role("button", name="Open the three-word text").click()
    expect(sentence(page, "best")).to_contain_text("k* = 7 with 76 bits (final width)")
    expect(page).to_have_url(re.compile("preset=abracadabra&k=5"))
    page.get_by_role("button", name="Double the text").click()
    expect(sentence(page, "best")).to_contain_text("k* = 8 with 88 bits")
    page.get_by_role("button", name="Undo doubling").click()
    expect(sentence(page, "best")).to_contain_text("k* = 7 with 76 bits (final width)")
    expect(page.get_by_role("button", name="Undo doubling")).to_have_count(0)


def test_a_click_on_a_bar_goes_to_its_k(visit: Visit) -> None:
    page = visit(LESSON)
    expect(sentence(page, "at_k")).to_contain_text("At k = 5: the text 11 · 4 = 44 bits")
    bars = page.locator(".st-key-bits_parts .mark-rect path")
    expect(bars).to_have_count(22)
    bars.nth(14).click()  # two a bar; the text's part of k = 7
    expect(sentence(page, "at_k")).to_contain_text("At k = 7: the text 5 · 4 = 20 bits")
    expect(page.get_by_role("slider", name="Merges made")).to_have_value("7")
    page.get_by_role("slider", name="Merges made").press("ArrowLeft")
    expect(sentence(page, "at_k")).to_contain_text("At k = 6")
    page.get_by_role("radio", name="width in force").or_(
        page.get_by_role("button", name="width in force")
    ).first.click()
    expect(sentence(page, "at_k")).to_contain_text("6 rows of 2 tokens = 44 bits, together 76 bits.")


def test_walk_the_merge_tree_by_mouse_and_by_keys(visit: Visit) -> None:
    page = visit("/compression?preset=abracadabra&k=7")
    shelf = page.get_by_role("group", name="Pick a token to see the merges that made it")
    shelf.get_by_role("button", name="token cadabra", exact=True).click()
    expect(tree(page).first).to_have_attribute("aria-label", "cadabra, merge 6: cad and abra")
    expect(tree(page)).to_have_count(13)
    tree(page).filter(has_text="abra").nth(1).click()
    expect(tree(page).first).to_have_attribute("aria-label", "abra, merge 3: ab and ra")
    expect(tree(page)).to_have_count(7)
    tree(page).first.focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(tree(page).filter(has_text="ra").last).to_be_focused()
    page.keyboard.press("Enter")
    expect(tree(page).first).to_have_attribute("aria-label", "ra, merge 1: r and a")
    boxes = [node.bounding_box() for node in tree(page).all()]
    assert all(box is not None for box in boxes)
    top, left, right = ((box["x"], box["y"]) for box in boxes if box)
    assert left[0] < top[0] < right[0]
    assert top[1] < left[1] == right[1]


def test_random_pairs_follow_the_seed_and_fragments_follow_typing(visit: Visit) -> None:
    page = visit(LESSON)
    said = sentence(page, "other")
    expect(said).to_contain_text("Merging the least frequent pair each time: cheapest 105 bits at k = 0")
    page.get_by_text("a random pair", exact=True).click()
    expect(said).to_contain_text("Merging a random pair each time")
    before = said.inner_text()
    seed = page.get_by_role("spinbutton", name="Seed of the random choice")
    seed.fill("7")
    seed.press("Enter")
    expect(said).not_to_have_text(before)
    fragments = page.get_by_label("Fragments to count tokens of, with spaces between them")
    fragments.fill("bracad xyzzy")
    table = page.get_by_role("table", name="Tokens per fragment")
    expect(table.get_by_role("row")).to_have_count(3)
    expect(table.get_by_role("row").nth(1)).to_contain_text("b | ra | cad")
    expect(table.get_by_role("row").nth(2)).to_contain_text("(5 units never seen in the corpus)")


def test_what_a_file_takes_away(visit: Visit) -> None:
    page = visit(LESSON)
    page.get_by_text("Table: L, V and bits for k = 0 to 10").click()
    with page.expect_download() as started:
        page.get_by_role("button", name="Bits for every k (CSV)").click()
    lines = started.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[8].startswith("7,5,13,4,20,56,76,52,72,")
    assert len(lines) == 12


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_lesson_is_readable_with_everything_unfolded(
    visit: Visit, size: tuple[int, int], scheme: str
) -> None:
    page = visit("/compression?preset=abracadabra&k=10", size=size, scheme=scheme, touch=size == PHONE)
    for fold in page.get_by_test_id("stExpander").locator("summary").all():
        fold.click()
    settle(page)
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)
    expect(tree(page)).to_have_count(63)
