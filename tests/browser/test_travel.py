"""The lab travels along the questions: every page is reached by a link from where its question arises.

What the pages show there is theirs to test.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit


def follow(page: Page, question: str, heading: str) -> None:
    """Click a link in the page itself and see that it opens the page meant, with the lab's k."""
    page.get_by_test_id("stMain").get_by_role("link", name=question).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.get_by_text(re.compile(r"^Merges made: k = 5 of 2[23]$")).last).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]k=5(&|$)"))


def test_a_walk_along_the_questions_keeps_the_lab(visit: Visit) -> None:
    page = visit("/?unit=byte&k=5")
    sizes = "How are pairs, the vocabulary and the corpus counted?"
    follow(page, "What if another tied pair had won?", sizes)
    follow(page, "Do shorter texts pay for a larger vocabulary?", "When do merges stop paying?")
    follow(page, "What did GPT-4o’s merges pay for?", "How does a real tokenizer split the same text?")
    follow(page, "Why can a token hold half a character?", "What is a text made of, down to its bytes?")
    follow(page, "How does this text split, merge by merge?", "How does new text split, and why just there?")
    follow(page, "Back to Train", "Which pair merges next, and why?")
    for question, heading in (
        ("Why does it split just there?", "How does new text split, and why just there?"),
        ("How does GPT-4o split it?", "How does a real tokenizer split the same text?"),
    ):
        follow(page, question, heading)
        follow(page, "Back to Train", "Which pair merges next, and why?")
    page.get_by_role("link", name="Which way of cutting reads it best?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Which way of cutting reads your text best?")
    expect(page.get_by_text("Your lab: the preset “review”, from UTF-8 bytes;")).to_be_visible()
