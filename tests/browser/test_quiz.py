"""The quiz in a browser: every kind of question by mouse and by keyboard, reload, lost line, two learners.

Which answers are right, and what is said about them, is tested without a browser (tests/test_page_quiz.py,
tests/test_quiz_*.py).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from quiz.bank import BY_ID, QUESTIONS
from tests.browser.conftest import Visit
from tests.browser.support import PHONE, ROOT, Server, Visitor, axe_serious, scrolls_sideways, settle, started

NUMBER = {question.id: number for number, question in enumerate(QUESTIONS, 1)}


def check(page: Page) -> None:
    page.get_by_role("button", name="Check", exact=True).click()


def verdict(page: Page) -> Locator:
    return page.locator(".st-key-practice_verdict [role=status]")


def score(page: Page) -> Locator:
    return page.locator(".st-key-practice_score")


def go(page: Page, question_id: str) -> None:
    """Click the question in the map and wait for it."""
    number = NUMBER[question_id]
    page.get_by_role("button", name=f"Question {number},").click()
    expect(heading(page)).to_contain_text(f"Question {number} of 42")


def heading(page: Page) -> Locator:
    return page.get_by_role("heading", level=2)


def field(page: Page) -> Locator:
    return page.get_by_label("Your answer")


def option(page: Page, question_id: str, key: str) -> Locator:
    question = BY_ID[question_id]
    chosen = question.option(key)
    assert chosen is not None
    role = "checkbox" if question.several else "radio"
    return page.get_by_role(role, name=question.option_text(chosen))


def rights(question_id: str) -> list[str]:
    return sorted(BY_ID[question_id].right_keys)


def test_every_kind_of_question_by_mouse(visit: Visit) -> None:
    page = visit("/quiz")
    # one of several options: the wrong one first, and why
    group = page.get_by_role("radiogroup", name=BY_ID["whole-words"].prompt_text)
    expect(group.get_by_role("radio")).to_have_count(4)
    page.get_by_text("It is added as a new entry.").click()
    check(page)
    expect(verdict(page)).to_contain_text("✗ Not yet. The vocabulary is fixed once training is over.")
    expect(group).to_contain_text("✗ not this")
    option(page, "whole-words", rights("whole-words")[0]).click()
    check(page)
    expect(verdict(page)).to_contain_text("✓ Right on try 2.")
    expect(group).to_contain_text("Thought that BPE knows words, stems or grammar.")
    expect(score(page)).to_have_text("1 of 42 right, 0 of them on the first try.")
    page.get_by_role("button", name="Next question").click()
    expect(heading(page)).to_contain_text("Question 2 of 42")

    go(page, "limits")
    for key in rights("limits"):
        option(page, "limits", key).check()
    check(page)
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")

    go(page, "overlap-length")
    field(page).fill("nine")
    check(page)
    expect(verdict(page)).to_contain_text("Not understood, so it does not count.")
    field(page).fill(" ９ ")
    check(page)
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")

    go(page, "review-fourth-token")
    page.get_by_role("button", name="Insert ␣, a space").click()
    page.keyboard.type("b")
    expect(field(page)).to_have_value("␣b")
    check(page)
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")

    go(page, "review-fifth")
    field(page).fill(" b + ake")
    check(page)
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")

    go(page, "maker-split")
    check(page)
    expect(verdict(page)).to_contain_text("No cut is set yet.")
    page.get_by_role("button", name="cut between m and a").click()
    page.get_by_role("button", name="cut between e and r").click()
    check(page)
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")
    expect(score(page)).to_have_text("6 of 42 right, 5 of them on the first try.")
    expect(page.get_by_role("button", name="Question 28, right on the first try")).to_be_visible()


def tab_to(page: Page, name: str) -> None:
    """Press Tab until what has the focus is called so."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if focused(page).startswith(name):
            return
    raise AssertionError(f"Tab never came to {name!r}; it stands at {focused(page)!r}")


def focused(page: Page) -> str:
    """The name of what has the focus, inside components too."""
    return str(
        page.evaluate(
            """() => { let at = document.activeElement;
            while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
            const label = at.labels?.[0];
            return at.getAttribute('aria-label') || label?.textContent || at.textContent || ''; }"""
        )
    )


def test_every_kind_of_question_by_keyboard(visit: Visit) -> None:
    page = visit("/quiz")

    def goes_to(question_id: str) -> None:
        tab_to(page, f"Question {NUMBER[question_id]},")
        page.keyboard.press("Enter")
        expect(heading(page)).to_contain_text(f"Question {NUMBER[question_id]} of 42")
        expect(page.locator(".prompt")).to_be_focused()  # reading starts at the question

    # radio buttons: arrows choose, Enter checks
    order = page.locator(".option input").evaluate_all("radios => radios.map(radio => radio.value)")
    first = page.locator(".option label").first.inner_text()
    tab_to(page, first)
    page.keyboard.press("Space")
    for _ in range(order.index(rights("whole-words")[0])):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")
    tab_to(page, "Next question")
    page.keyboard.press("Enter")
    expect(heading(page)).to_contain_text("Question 2 of 42")
    expect(page.locator(".prompt")).to_be_focused()

    goes_to("limits")
    boxes = page.locator(".option input").evaluate_all("boxes => boxes.map(box => box.value)")
    for key in boxes:
        page.keyboard.press("Tab")
        if key in rights("limits"):
            page.keyboard.press("Space")
    tab_to(page, "Check")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")
    assert focused(page) == "Check"  # the focus stays where it was

    for question_id, typed in (
        ("overlap-length", "9.0"),
        ("review-fourth-token", "␣b"),
        ("review-fifth", "␣b+ake"),
    ):
        goes_to(question_id)
        tab_to(page, "Your answer")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect(verdict(page)).to_contain_text("✓ Right on the first try.")

    goes_to("maker-split")
    tab_to(page, "cut between m and a")
    page.keyboard.press("Space")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert focused(page) == "cut between e and r"
    page.keyboard.press("Enter")
    tab_to(page, "Check")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")
    expect(score(page)).to_have_text("6 of 42 right, 6 of them on the first try.")


def test_a_page_switch_and_a_reload_in_mid_quiz(visit: Visit) -> None:
    page = visit("/quiz")
    option(page, "whole-words", rights("whole-words")[0]).click()
    check(page)
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")
    order = page.locator(".option .text").all_inner_texts()
    go(page, "overlap-length")
    field(page).fill("7")
    check(page)
    expect(verdict(page)).to_contain_text("✗ Not yet. You answered 7.")
    go(page, "maker-split")
    page.get_by_role("button", name="cut between a and k").click()
    go(page, "review-fifth")
    field(page).fill("half an ans")

    page.get_by_role("link", name="Bytes").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Can you work it out yourself?")
    page.get_by_role("link", name="Quiz").click()
    expect(field(page)).to_have_value("half an ans")
    expect(score(page)).to_have_text("1 of 42 right, 1 of them on the first try.")

    field(page).press("End")
    page.keyboard.type("w")
    page.reload()  # at once: the last key is not lost
    expect(field(page)).to_have_value("half an answ")
    expect(heading(page)).to_contain_text("Question 17 of 42")
    expect(score(page)).to_have_text("1 of 42 right, 1 of them on the first try.")
    go(page, "overlap-length")
    expect(verdict(page)).to_contain_text("✗ Not yet. You answered 7.")
    go(page, "maker-split")
    expect(page.get_by_role("button", name="cut between a and k")).to_have_attribute("aria-pressed", "true")
    go(page, "whole-words")
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")
    assert page.locator(".option .text").all_inner_texts() == order


def test_two_learners_at_once_are_not_mixed_up(visit: Visit) -> None:
    one, other = visit("/quiz"), visit("/quiz")
    for page, typed in ((one, "9"), (other, "7")):
        go(page, "overlap-length")
        field(page).fill(typed)
    check(one)
    check(other)
    expect(verdict(one)).to_contain_text("✓ Right on the first try.")
    expect(verdict(other)).to_contain_text("✗ Not yet. You answered 7.")
    for page in (other, one):
        page.reload()
    expect(verdict(one)).to_contain_text("✓ Right on the first try.")
    expect(verdict(other)).to_contain_text("✗ Not yet. You answered 7.")
    expect(score(one)).to_have_text("1 of 42 right, 1 of them on the first try.")
    expect(score(other)).to_have_text("0 of 42 right, 0 of them on the first try.")


def test_two_tabs_of_one_learner_are_put_together(visit: Visit) -> None:
    here = visit("/quiz")
    go(here, "overlap-length")
    field(here).fill("9")
    check(here)
    expect(score(here)).to_have_text("1 of 42 right, 1 of them on the first try.")
    there = visit.last.open("/quiz")
    expect(score(there)).to_have_text("1 of 42 right, 1 of them on the first try.")
    go(there, "stops-early")
    field(there).fill("3")
    check(there)
    expect(score(here)).to_have_text("2 of 42 right, 2 of them on the first try.")
    expect(heading(here)).to_contain_text("Question 14 of 42")


def test_nothing_typed_is_lost_with_the_connection(browser: Browser, server: Server) -> None:
    learner = Visitor(browser, server)
    learner.allow("WebSocket|Failed to load resource|net::")
    lines: list[WebSocketRoute] = []

    def through(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    page = learner.context.new_page()
    page.route_web_socket("**/_stcore/stream", through)
    page.goto("/quiz")
    settle(page)
    go(page, "review-fifth")
    field(page).press_sequentially("␣b +")
    lines[-1].close()
    field(page).press_sequentially(" ake")
    expect(page.locator('[data-test-connection-state="CONNECTED"]')).to_be_visible()
    expect(field(page)).to_have_value("␣b + ake")
    check(page)
    expect(verdict(page)).to_contain_text("✓ Right on the first try.")
    assert len(lines) >= 2
    learner.context.close()


def test_damaged_and_missing_storage(visit: Visit) -> None:
    page = visit("/quiz")
    go(page, "best-k")
    settle(page)  # the page has written what it keeps
    page.evaluate('localStorage.setItem(\'bpe-practice/quiz\', \'{"format": "bpe-practice", "version": 1}\')')
    page.reload()
    expect(
        page.get_by_text("What this browser has kept is not progress of this page. You begin afresh.")
    ).to_be_visible()
    expect(heading(page)).to_contain_text("Question 1 of 42")
    visit.last.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('switched off'); } })"
    )
    blind = visit.last.open("/quiz")
    expect(blind.get_by_text("This browser keeps nothing of your progress")).to_be_visible()


def test_the_lab_at_the_question_and_back(visit: Visit) -> None:
    page = visit("/quiz?preset=cats&k=3")
    go(page, "review-fifth")
    field(page).fill("a +")
    page.get_by_role("button", name="Open in the lab").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Which pair merges next, and why?")
    expect(page).to_have_url(f"{visit.last.server.url}/?k=4")
    page.get_by_role("button", name="Next merge").click()
    expect(page).to_have_url(f"{visit.last.server.url}/?k=5")
    page.get_by_role("button", name="Back to question 17").click()
    expect(field(page)).to_have_value("a +")
    expect(page).to_have_url(f"{visit.last.server.url}/quiz?preset=cats&k=3")  # the learner's own lab again


def test_a_class_gets_the_same_sheet_from_the_link(visit: Visit) -> None:
    teacher = visit("/quiz")
    teacher.get_by_role("radio", name="Made for you").or_(
        teacher.get_by_role("button", name="Made for you")
    ).first.click()
    expect(heading(teacher)).to_contain_text("Question 1 · ")
    teacher.get_by_text("2 medium").click()
    teacher.locator(".st-key-quiz_settings summary").click()
    teacher.get_by_role("button", name="Copy link to this sheet").click()
    expect(teacher.get_by_text("Link copied.")).to_be_visible()
    link = teacher.evaluate("navigator.clipboard.readText()")
    assert "level=2" in link and "seed=" in link
    asked = teacher.locator(".prompt").inner_text()
    given = teacher.locator(".option .text").all_inner_texts()
    pupil = visit(link)
    expect(pupil.locator(".prompt")).to_have_text(asked)
    assert pupil.locator(".option .text").all_inner_texts() == given
    before = pupil.url
    pupil.get_by_role("button", name="New sheet").click()
    expect(pupil).not_to_have_url(before)
    settle(pupil)
    new = pupil.locator(".prompt").inner_text()
    pupil.reload()
    expect(pupil.locator(".prompt")).to_have_text(new)


def test_the_results_file_is_handed_in_and_progress_opens_again(visit: Visit, tmp_path: Path) -> None:
    page = visit("/quiz")
    go(page, "overlap-length")
    for typed, answer in (("7", "✗ Not yet."), ("9", "✓ Right on try 2.")):
        field(page).fill(typed)
        check(page)
        expect(verdict(page)).to_contain_text(answer)
    page.get_by_text("Hand in, save, start again").click()
    page.get_by_role("textbox", name="Your name, if you like").fill("=Zoë")
    page.keyboard.press("Enter")
    page.wait_for_function("localStorage['bpe-practice/quiz'].includes('=Zo')")
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Results (CSV)").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8-sig"))))
    assert len(rows) == 42 and rows[0]["student"] == "'=Zoë"
    row = rows[NUMBER["overlap-length"] - 1]
    assert (row["answers_tried"], row["first_try_right"], row["right"]) == ('["7", "9"]', "no", "yes")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save progress").click()
    saved = tmp_path / "progress.json"
    download.value.save_as(saved)
    page.get_by_role("button", name="Start again").click()
    page.get_by_role("button", name="Forget my answers").click()
    expect(score(page)).to_have_text("0 of 42 right, 0 of them on the first try.")
    page.locator("input[type=file]").set_input_files(saved)
    expect(score(page)).to_have_text("1 of 42 right, 0 of them on the first try.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_answered_it_stays_readable_for_all(visit: Visit, scheme: str) -> None:
    page = visit("/quiz", scheme=scheme)
    option(page, "whole-words", "added").click()
    check(page)
    expect(verdict(page)).to_contain_text("✗ Not yet.")
    page.get_by_role("button", name="Hint 1 of 2").click()
    page.get_by_role("button", name="Show the answer").click()
    expect(verdict(page)).to_contain_text("The answer:")
    page.get_by_text("Hand in, save, start again").click()
    assert axe_serious(page) == []
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    go(page, "maker-split")
    page.get_by_role("button", name="cut between a and k").click()
    check(page)
    expect(verdict(page)).to_contain_text("✗ Not yet.")
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)


# --- options that look like markup ------------------------------------------------------------------


@pytest.fixture(scope="module")
def small_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One question whose options look like markdown and HTML."""
    folder = tmp_path_factory.mktemp("hostile")
    script = folder / "hostile.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from tests.test_page_quiz import hostile_page\nhostile_page()\n",
        encoding="utf-8",
    )
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(
        "[browser]\ngatherUsageStats = false\n", encoding="utf-8"
    )
    with started(script, folder) as server:
        yield server


def test_options_that_look_like_markup_are_shown_as_they_are(browser: Browser, small_app: Server) -> None:
    from tests.test_page_quiz import HOSTILE

    learner = Visitor(browser, small_app)
    page = learner.open("/")
    expect(page.locator(".prompt")).to_have_text("Which *token* is `$a$`?")
    assert sorted(
        page.locator(".option .text").evaluate_all("nodes => nodes.map(n => n.textContent)")
    ) == sorted(HOSTILE)
    page.get_by_role("radio", name="<b>x</b>").click()
    check(page)
    expect(verdict(page)).to_contain_text("✗ Not yet. Why $not$?")
    page.get_by_role("radio", name="$a$").click()
    check(page)
    expect(verdict(page)).to_contain_text("✓ Right on try 2.")
    assert learner.problems == []
    learner.context.close()
