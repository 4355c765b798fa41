"""The Quiz page without a browser: whole quizzes right and wrong, what is free, links, the lab and back.

Answers are put into the learner's copy, as the answer field would report them. Typing, keyboard, reload and
two learners at once need a browser: tests/browser/test_quiz.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.alphabet import Unit
from bpe_core.pretokenize import PreTokenizer
from quiz.bank import BY_ID, QUESTIONS
from quiz.checking import check
from quiz.cutting import base_units, cuts_of
from quiz.errors import ProgressFileError
from quiz.figures import trained
from quiz.progress import Progress
from quiz.questions import Kind, Question
from quiz.values import Split
from ui import practice_words
from ui.links import Lab
from ui.made_links import SEED_LIMIT, from_params
from ui.paper import Held, Paper, begun, from_text, taken, to_text

ROOT = Path(__file__).resolve().parent.parent


def opened(lab: Lab | None = None, **query: str) -> AppTest:
    """The page, as the link with this query opens it."""
    app = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=120)
    if lab is not None:
        app.session_state["lab"] = lab
        app.session_state["lab_notices"] = []
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("../pages/quiz.py").run()
    assert not app.exception
    return app


def slot_of(app: AppTest) -> str:
    """The name under which the paper on the page is kept."""
    return str(next(data["slot"] for data in components(app) if "slot" in data))


def copy_of(app: AppTest) -> Held:
    return app.session_state[f"practice:{slot_of(app)}"]


def answered(app: AppTest, question: Question, answer: Any) -> AppTest:
    """Put the answer into the field and press Check."""
    copy = copy_of(app)
    assert copy.place == question.id
    if question.kind is Kind.SPLIT and not copy.typing:  # the tiles report cuts from 0, answers count from 1
        app.session_state["practice_cut_cuts"] = (form(app)["name"], tuple(cut - 1 for cut in answer))
        return press(app, "practice_check")
    progress = copy.progress.drafted(question, answer)
    app.session_state[f"practice:{slot_of(app)}"] = replace(copy, progress=progress)
    return press(app, "practice_check")


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def components(app: AppTest) -> list[dict[str, Any]]:
    """What our components on the page are told to show."""
    return [json.loads(block.proto.json) for block in app.get("bidi_component")]


def said(app: AppTest) -> str:
    """All our sentences on the page, one a line."""
    return "\n".join("".join(text for text, _ in d["parts"]) for d in components(app) if "parts" in d)


def notes(app: AppTest) -> str:
    return "\n".join(block.value for block in app.html if 'class="bpe-note' in block.value)


def form(app: AppTest) -> dict[str, Any]:
    """The question with its answer field."""
    return next(data for data in components(app) if "prompt" in data)


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def right_answer(question: Question) -> Any:
    """An answer that is right, as a person would give it."""
    if question.kind is Kind.CHOICE:
        return sorted(question.right_keys) if question.several else [min(question.right_keys)]
    value = question.answer_values[0]
    if isinstance(value, Split):
        figure = question.answers[0]
        assert figure.inputs is not None
        units = base_units(trained(figure.inputs, figure.k).tokenizer(figure.k), figure.new)
        return list(cuts_of((piece.token for piece in value.pieces), units))
    return str(value)


def wrong_answer(question: Question) -> Any:
    """An answer that can be read and is wrong."""
    if question.kind is Kind.CHOICE:
        wrong = [option.key for option in question.options if option.key not in question.right_keys]
        return wrong[:1]
    if question.kind is Kind.NUMBER:
        return "123456"
    if question.kind is Kind.TOKEN:
        return "zz"
    if question.kind is Kind.PAIR:
        return "t + h" if question.id == "review-fifth" else "A + B"
    return [2] if right_answer(question) == [1] else [1]


# --- whole quizzes ----------------------------------------------------------------------------


def test_the_whole_fixed_quiz_right_at_once() -> None:
    app = opened()
    for number, question in enumerate(QUESTIONS, 1):
        assert app.header[0].value == f"Question {number} of {len(QUESTIONS)} · {question.group.label}"
        answered(app, question, right_answer(question))
        assert "✓ Right on the first try." in said(app), question.id
        assert form(app)["locked"]
        if number < len(QUESTIONS):
            press(app, "practice_next")
    everything = f"{len(QUESTIONS)} of {len(QUESTIONS)} right, {len(QUESTIONS)} of them on the first try."
    assert everything in said(app)
    assert everything in notes(app)
    assert "Next question" not in labels(app)


def test_the_whole_fixed_quiz_wrong_first_and_then_right() -> None:
    app = opened()
    for question in QUESTIONS:
        answered(app, question, wrong_answer(question))
        assert "✗ Not yet." in said(app), question.id
        assert check(question, wrong_answer(question)).message in said(app)
        assert "Next question" not in labels(app)
        answered(app, question, right_answer(question))
        assert "✓ Right on try 2." in said(app), question.id
        if question is not QUESTIONS[-1]:
            press(app, "practice_next")
    assert f"{len(QUESTIONS)} of {len(QUESTIONS)} right, 0 of them on the first try." in said(app)


@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_a_whole_made_sheet_and_ten_more(level: str) -> None:
    app = opened(seed="7", level=level)
    asked: list[Question] = list(app.session_state["quiz_made"][1])
    assert len(asked) == 10
    for question in asked:
        answered(app, question, right_answer(question))
        assert "✓ Right on the first try." in said(app), question.id
        if question is not asked[-1]:
            press(app, "practice_next")
    assert "10 of 10 right, 10 of them on the first try." in said(app)
    press(app, "practice_more")
    more: list[Question] = list(app.session_state["quiz_made"][1])
    assert more[:10] == asked and len(more) == 20
    assert copy_of(app).place == more[10].id
    assert "10 of 20 right, 10 of them on the first try." in said(app)


# --- one question -----------------------------------------------------------------------------


def test_what_is_empty_or_not_understood_costs_nothing() -> None:
    app = opened()
    press(app, "practice_check")
    assert "Nothing is chosen yet." in said(app)
    go(app, "overlap-length")
    answered(app, BY_ID["overlap-length"], "  ")
    assert "Nothing is filled in yet." in said(app)
    answered(app, BY_ID["overlap-length"], "nine")
    assert "Not understood, so it does not count. Write one number in digits" in said(app)
    assert copy_of(app).progress.entry("overlap-length").tries == ()
    answered(app, BY_ID["overlap-length"], " ９,0 ")
    assert "✓ Right on the first try." in said(app)


def go(app: AppTest, question_id: str) -> None:
    """Go to a question with the buttons."""
    while copy_of(app).place != question_id:
        press(app, "practice_following")


def test_checking_twice_counts_once() -> None:
    app = opened()
    go(app, "overlap-length")
    question = BY_ID["overlap-length"]
    answered(app, question, "7")
    press(app, "practice_check")
    assert len(copy_of(app).progress.entry(question).tries) == 1
    assert "The mistake behind it: subtracted the count where the replacements differ from it." in said(app)
    answered(app, question, "9")
    press(app, "practice_check")
    entry = copy_of(app).progress.entry(question)
    assert [each.right for each in entry.tries] == [False, True]


def test_uncut_tiles_are_no_answer_until_checked_again() -> None:
    app = opened()
    go(app, "maker-split")
    press(app, "practice_check")
    assert "No cut is set yet." in said(app)
    assert copy_of(app).progress.entry("maker-split").tries == ()
    press(app, "practice_check")
    assert "✗ Not yet. You answered maker." in said(app)
    answered(app, BY_ID["maker-split"], [1, 4])
    assert "✓ Right on try 2." in said(app)
    assert copy_of(app).progress.entry("maker-split").tries[-1].answer == (1, 4)


def test_a_split_can_be_typed() -> None:
    app = opened()
    go(app, "lowly-split")
    assert form(app)["kind"] == "none"
    press(app, "practice_typing")
    assert form(app)["kind"] == "text"
    assert [text for text, _ in form(app)["inserts"]] == ["|", "</w>"]
    answered(app, BY_ID["lowly-split"], "low|l|y|</w>")
    assert "✓ Right on the first try." in said(app)


def test_several_options_need_the_exact_set() -> None:
    app = opened()
    question = BY_ID["limits"]
    go(app, "limits")
    assert form(app)["kind"] == "several"
    rights = sorted(question.right_keys)
    answered(app, question, rights[:2])
    assert "✗ Not yet. 1 right one is missing." in said(app)
    marks = {option["key"]: option["mark"] for option in form(app)["options"]}
    assert [marks[key] for key in rights] == ["right", "right", ""]
    press(app, "practice_reveal")
    looks = {option["key"]: option["says"] for option in form(app)["options"]}
    assert looks[rights[2]] == "✓ right, left out"
    assert all(option["why"] for option in form(app)["options"] if option["key"] not in rights)


def test_every_option_is_explained_once_the_question_is_done() -> None:
    for question in QUESTIONS:
        if question.kind is not Kind.CHOICE:
            continue
        right = sorted(question.right_keys) if question.several else [min(question.right_keys)]
        progress = Progress().after(question, right, check(question, right))
        looks = practice_words.option_looks(question, progress.entry(question))
        for option in question.options:
            assert looks[option.key].says
            if option.key not in question.right_keys:
                assert looks[option.key].why, (question.id, option.key)


def test_hints_skipping_and_showing_the_answer() -> None:
    app = opened()
    press(app, "practice_hint")
    assert f"Hint 1: {QUESTIONS[0].hint_texts[0]}" in said(app)
    assert "Hint 2 of 2" in labels(app)
    assert "Show the answer" not in labels(app)  # only after a try of one's own
    press(app, "practice_skip")
    assert copy_of(app).place == QUESTIONS[1].id
    assert "1 skipped." in said(app)
    answered(app, QUESTIONS[1], wrong_answer(QUESTIONS[1]))
    press(app, "practice_reveal")
    assert f"The answer: {QUESTIONS[1].answer_text}" in said(app)
    answered(app, QUESTIONS[1], right_answer(QUESTIONS[1]))
    assert f"0 of {len(QUESTIONS)} right" in said(app)
    press(app, "practice_previous")
    answered(app, QUESTIONS[0], right_answer(QUESTIONS[0]))
    assert f"1 of {len(QUESTIONS)} right, 1 of them on the first try." in said(app)
    states = [
        item["state"] for data in components(app) if "groups" in data for item in data["groups"][0]["items"]
    ]
    assert states[:3] == ["first", "shown", "open"]


def test_the_order_of_the_options_is_the_learners_own_and_stays() -> None:
    app = opened()
    first = [option["key"] for option in form(app)["options"]]
    press(app, "practice_following")
    press(app, "practice_previous")
    assert [option["key"] for option in form(app)["options"]] == first
    others = {tuple(o["key"] for o in form(opened())["options"]) for _ in range(6)}
    assert len(others) > 1
    linked = [[o["key"] for o in form(opened(seed="3"))["options"]] for _ in range(2)]
    assert linked[0] == linked[1]  # one sheet for a class


# --- links, modes, own words --------------------------------------------------------------------


def test_a_link_opens_its_sheet() -> None:
    app = opened(seed="7", level="2", kind="split")
    assert [question.id for question in app.session_state["quiz_made"][1]][:2] == [
        "split-2-7-0",
        "split-2-7-1",
    ]
    assert next(e.label for e in app.expander) == "Sheet 7: split a word, made-up corpora"
    assert slot_of(app) == "made:split-7-2"


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ({"seed": "<b>7"}, "which is not a whole number written with the digits 0-9"),
        ({"seed": "７"}, "which is not a whole number written with the digits 0-9"),
        ({"seed": "9" * 15}, f"the largest is {SEED_LIMIT:,}, which is used"),
        ({"seed": "7", "level": "4"}, "levels are 1, 2 and 3, and 1 is used"),
        ({"seed": "7", "kind": "$x$"}, "which is not one of count-pair, next-pair"),
        ({"seed": "7", "words": "theirs"}, "only &#x27;own&#x27; is known"),
    ],
)
def test_what_a_link_asks_in_vain_is_named(query: dict[str, str], complaint: str) -> None:
    app = opened(**query)
    assert complaint in notes(app)
    assert "<b>" not in notes(app).replace("<bdi>", "")
    app.segmented_control(key="quiz_level").set_value(3).run()
    assert notes(app) == ""


def test_seeds_are_clamped_and_never_negative() -> None:
    assert from_params({"seed": "9" * 15})[0].seed == SEED_LIMIT  # type: ignore[union-attr]
    sheet, notices = from_params({"seed": "-3"})
    assert sheet is not None and sheet.seed > 0 and len(notices) == 1


def test_an_address_that_follows_late_undoes_no_click() -> None:
    app = opened()
    app.segmented_control(key="quiz_mode_box").set_value("Made for you").run()
    first = slot_of(app)
    for name, value in app.session_state["quiz_sheet"].params().items():
        if value is not None:
            app.query_params[name] = value  # what the browser writes into the address
    press(app, "quiz_new")
    second = slot_of(app)
    assert second != first
    app.run()  # the address still holds the first sheet
    assert slot_of(app) == second
    app.segmented_control(key="quiz_mode_box").set_value("Fixed questions").run()
    assert slot_of(app) == "quiz"
    app.run()
    assert slot_of(app) == "quiz"
    for name in list(app.query_params):
        del app.query_params[name]
    app.run()
    app.query_params["seed"], app.query_params["level"] = "7", "2"  # a link on another page of ours
    app.run()
    assert slot_of(app) == "made-7-2"


def test_the_sheet_number_is_read_as_people_type_it() -> None:
    app = opened(seed="7")
    app.text_input(key="quiz_seed").set_value(" １２ ").run()
    assert slot_of(app) == "made-12-1"
    app.text_input(key="quiz_seed").set_value("twelve").run()
    assert "A sheet has a number from 0 to 999,999; sheet 12 stays." in notes(app)
    assert app.text_input(key="quiz_seed").value == "12"


def test_modes_keep_their_own_progress() -> None:
    app = opened()
    answered(app, QUESTIONS[0], right_answer(QUESTIONS[0]))
    app.segmented_control(key="quiz_mode_box").set_value("Made for you").run()
    assert "0 of 10 right" in said(app)
    app.segmented_control(key="quiz_mode_box").set_value("Fixed questions").run()
    assert "1 of 42 right" in said(app)
    assert "✓ Right on the first try." in said(app)


def test_own_words_make_the_questions() -> None:
    text = "banana bandana cabana banana, bandana and banana"
    app = opened(Lab(None, text, None), seed="5", level="1", kind="count-pair", words="own")
    assert "Questions are made of words of your training text: banana, bandana, cabana, and." in notes(app)
    assert {word for question in app.session_state["quiz_made"][1] for word, _ in question.words} <= {
        "banana", "bandana", "cabana", "and",
    }  # fmt: skip
    assert slot_of(app).startswith("made:count-pair:own-")
    query = next(d["query"] for d in components(app) if d.get("label") == "Copy link to this sheet")
    assert query.startswith("text=banana+bandana") and query.endswith(
        "seed=5&level=1&kind=count-pair&words=own"
    )


@pytest.mark.parametrize("text", ["", "a", "word", "  \n ", "$ $ $"])
def test_a_corpus_without_words_gives_made_up_ones(text: str) -> None:
    app = opened(Lab(None, text, None), seed="5", words="own")
    assert "fewer than three words that suit" in notes(app)
    assert slot_of(app) == "made-5-1"


# --- the lab and back ---------------------------------------------------------------------------


def test_the_lab_opens_at_the_state_of_the_question_and_gives_the_own_one_back() -> None:
    own = Lab(None, "my own words are my own", None, k=2)
    app = opened(own)
    go(app, "review-fifth")
    app.button(key="practice_lab").click().run()
    assert not app.exception
    lab: Lab = app.session_state["lab"]
    assert (lab.preset, lab.k, lab.pre_tokenizer, lab.unit) == ("review", 4, PreTokenizer.ARTICLE, Unit.CHAR)
    assert app.title[0].value == "Which pair merges next, and why?"
    assert "◂ Back to question 17" in labels(app)
    app.button(key="excursion_back").click().run()
    assert not app.exception
    assert copy_of(app).place == "review-fifth"
    assert app.session_state["lab"] == own
    app.switch_page("../pages/train.py").run()
    assert "◂ Back to question 17" not in labels(app)


def test_what_the_learner_chose_on_the_way_stays() -> None:
    app = opened()
    go(app, "best-k-doubled")
    app.button(key="practice_lab").click().run()
    assert app.session_state["lab"].text == " ".join(["abracadabra"] * 6)
    chosen = Lab(None, "something else", None)
    app.session_state["lab"] = chosen
    app.switch_page("../pages/quiz.py").run()
    assert app.session_state["lab"] == chosen


def test_the_place_survives_a_page_switch() -> None:
    app = opened()
    go(app, "count-ps")
    answered(app, BY_ID["count-ps"], wrong_answer(BY_ID["count-ps"]))
    before = said(app)
    app.switch_page("../pages/split.py").run()
    app.switch_page("../pages/quiz.py").run()
    assert app.header[0].value.startswith("Question 9 of 42")
    assert said(app) == before


# --- the learner's copy ---------------------------------------------------------------------------

PAPER = Paper("quiz", Progress("quiz", 5), lambda _: QUESTIONS, "quiz.py", "quiz")


def worked(copy: Held, question: Question, *answers: Any) -> Held:
    progress = copy.progress
    for answer in answers:
        progress = progress.after(question, answer, check(question, answer))
    return replace(copy, progress=progress, place=question.id)


def test_a_copy_comes_back_as_it_was() -> None:
    copy = worked(begun(PAPER.start), BY_ID["overlap-length"], "7", "9")
    back = from_text(to_text(copy), PAPER)
    assert (back.progress, back.place, back.started) == (copy.progress, "overlap-length", copy.started)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"format": "bpe-practice", "version": 2}',
        '{"format": "bpe-practice", "version": 1, "progress": {}}',
        json.dumps({"format": "bpe-practice", "version": 1, "progress": Progress("other").to_json()}),
        "[" * 100_000,
    ],
)
def test_a_damaged_copy_is_refused(text: str) -> None:
    with pytest.raises(ProgressFileError):
        from_text(text, PAPER)


def test_two_tabs_are_put_together_question_by_question() -> None:
    start = begun(PAPER.start)
    here = worked(start, BY_ID["overlap-length"], "7")
    there = worked(worked(start, BY_ID["overlap-length"], "7", "9"), BY_ID["best-k"], "10")
    both = taken(here, there)
    assert both.place == "overlap-length"
    assert both.progress.entry("overlap-length").right
    assert len(both.progress.entry("best-k").tries) == 1
    assert taken(there, here).progress.entries == there.progress.entries


def test_a_copy_begun_anew_in_another_tab_replaces_this_one() -> None:
    mine = worked(begun(PAPER.start), BY_ID["overlap-length"], "9")
    fresh = begun(PAPER.start)
    assert taken(mine, fresh).progress.entries == {}


def test_what_was_announced_stays_until_the_learner_does_something() -> None:
    app = opened()
    app.session_state["practice_notice"] = "A <b>file</b> is damaged."
    app.run()
    app.run()  # a run that nobody asked for
    assert "A &lt;b&gt;file&lt;/b&gt; is damaged." in notes(app)
    press(app, "practice_check")
    assert notes(app) == ""


def test_beginning_again_forgets_answers_but_not_the_name() -> None:
    app = opened()
    app.text_input(key="practice_name").set_value("Zoë <b>").run()
    answered(app, QUESTIONS[0], right_answer(QUESTIONS[0]))
    before = copy_of(app)
    press(app, "practice_forget")
    copy = copy_of(app)
    assert copy.progress.entries == {} and copy.progress.name == "Zoë <b>"
    assert copy.started != before.started and copy.progress.seed == before.progress.seed


# --- options that look like markdown ----------------------------------------------------------------

HOSTILE = ["$a$", "1. a", "# b", "`x`", "*y*", " ", "<b>x</b>", ":smile:", "<|endoftext|>"]


def hostile_page() -> None:
    """A page with one question whose options look like markup."""
    from quiz.progress import Progress
    from quiz.questions import Group, Kind, Option, Question
    from tests.test_page_quiz import HOSTILE
    from ui.paper import Paper
    from ui.practice import practise

    options = tuple(Option(f"o{i}", text, "Why $not$?", right=i == 0) for i, text in enumerate(HOSTILE))
    asked = (Question("hostile", Kind.CHOICE, Group.IDEAS, "Which *token* is `$a$`?", options=options),)
    practise(Paper("hostile", Progress("hostile"), lambda _: asked, "quiz.py", "hostile"))


def test_options_reach_the_browser_as_they_are() -> None:
    app = AppTest.from_function(hostile_page, default_timeout=60).run()
    assert not app.exception
    shown: Sequence[str] = [option["text"] for option in form(app)["options"]]
    assert sorted(shown) == sorted(HOSTILE)
    assert form(app)["prompt"] == "Which *token* is `$a$`?"
    everywhere = (
        [m.value for m in app.markdown] + [h.value for h in app.html] + [c.value for c in app.caption]
    )
    assert not any("endoftext" in text or "$a$" in text for text in everywhere)
