"""The Real tokenizer page in a browser: picking tokens, opening trees, typing, languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, WIDE, axe_serious, scrolls_sideways, settle


def strip(page: Page, label: str) -> Locator:
    """The strip of tiles with this name."""
    return page.get_by_role("group", name=label)


def real(page: Page) -> Locator:
    return strip(page, "The text as GPT-4o's tokens; pick one to see the merges behind it")


def tree(page: Page) -> Locator:
    """The nodes of the merge tree, from the top."""
    return page.locator(".st-key-real_tree .tile")


def texts(tiles: Locator) -> list[str]:
    """What stands on the tiles."""
    return tiles.locator("bdi").all_inner_texts()


def test_pick_a_token_then_a_part_of_its_tree(visit: Visit) -> None:
    page = visit("/real?k=5")
    assert texts(real(page).locator(".tile")) == (
        ["the", "␣café", "␣baker", "␣b", "akes", "␣cakes", ",", "␣the", "␣café", "␣b", "akes", "␣souff", "lé"]
    )
    real(page).get_by_role("button", name="token space, baker", exact=True).click()
    said = page.locator(".st-key-real_made")
    expect(said).to_contain_text("␣baker has id 121,034, which is also its rank. It joins ␣b and aker")
    expect(tree(page)).to_have_count(11)
    expect(tree(page).first).to_contain_text("rank 121,034")
    tree(page).filter(has_text="aker").last.click()
    expect(said).to_contain_text("aker has id 6,114")
    expect(tree(page)).to_have_count(7)
    # the keyboard too: from the picked tile one to the right
    real(page).get_by_role("button", name="token space, baker", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("␣b has id 287")


def test_examples_typing_and_the_link(visit: Visit) -> None:
    page = visit("/real")
    page.get_by_role("radio", name="unbakeable").or_(
        page.get_by_role("button", name="unbakeable")
    ).first.click()
    expect(real(page).locator(".tile")).to_have_text(["un", "b", "ake", "able"])
    box = page.get_by_label("New text", exact=True).and_(page.locator("textarea"))
    expect(box).to_have_value("unbakeable")
    box.fill("<|endoftext|>")
    expect(real(page).locator(".tile")).to_have_text(["<", "|", "end", "of", "text", "|", ">"])
    box.fill("啡 <b>")
    expect(page.locator(".st-key-real_says")).to_contain_text("2 tokens hold only part of a character")
    expect(page).to_have_url(visit.last.server.url + "/real?new=%E5%95%A1+%3Cb%3E")
    page.reload()
    settle(page)
    page.get_by_text("New text", exact=True).first.click()
    expect(real(page).locator(".tile").first).to_have_text("E5 95")


def test_languages_by_measure_and_by_choice(visit: Visit) -> None:
    page = visit("/real")
    expect(strip(page, "The Hebrew sentence as GPT-4o's tokens").locator(".tile")).to_have_count(10)
    expect(page.locator('p[lang="he"]')).to_have_text("האופה בבית הקפה אופה לחם טוב")
    page.get_by_text("tokens per word", exact=True).first.click()
    chart = page.locator(".st-key-real_chart")
    expect(chart.get_by_text("not defined by spaces", exact=True)).to_have_count(3)
    page.get_by_role("combobox", name="Look at one language").click()
    page.get_by_role("option", name="Thai").click()
    said = page.locator(".st-key-real_language_says")
    expect(said).to_contain_text("19 tokens; spaces do not tell its words apart")
    chart.locator("g.mark-rect path").first.click()
    expect(said).to_contain_text("9 tokens; 1.13 tokens per word (8 words)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_open_and_in_use_it_stays_readable_for_all(visit: Visit, scheme: str) -> None:
    page = visit(
        "/real?k=5&new=%D7%A9%D7%9C%D7%95%D7%9D%20%F0%9F%A5%90%20%E5%95%A1", scheme=scheme, size=WIDE
    )
    page.get_by_text("New text", exact=True).first.click()
    expect(page.locator(".st-key-real_says")).to_contain_text("part of a character")
    for name in (
        "Ids and bytes of these tokens, as a table",
        "The same tree in words",
        "The figures of all languages, as a table",
    ):
        page.get_by_text(name).click()
    settle(page)
    assert axe_serious(page) == []
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    settle(page)
    assert not scrolls_sideways(page)
