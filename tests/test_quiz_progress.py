"""Progress and results: what counts, what survives a file, what a hostile file does, a class put together.

Not here: how answers are checked (test_quiz_checking).
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.errors import BPEError
from quiz.bank import BY_ID, QUESTIONS
from quiz.checking import Answer, check
from quiz.errors import ProgressFileError, ResultsFileError
from quiz.gathering import class_csv, gather
from quiz.misconceptions import Misconception
from quiz.progress import Entry, Progress, Try, ordered_options
from quiz.questions import Question
from quiz.results import COLUMNS, Results, Row, read_results, results_of, to_csv, to_json

BEST = BY_ID["best-k"]
PS = BY_ID["count-ps"]
XYZZY = BY_ID["xyzzy"]
MAKER = BY_ID["maker-split"]


def press(progress: Progress, question: Question, answer: Answer, seconds: int = 0) -> Progress:
    return progress.after(question, answer, check(question, answer), seconds)


# ------------------------------------------------------------------ what counts


def test_pressing_check_twice_counts_once() -> None:
    """streamlit/streamlit#4595."""
    once = press(Progress(), BEST, "10")
    assert press(once, BEST, "10") == once
    right = press(once, BEST, "7")
    assert press(press(right, BEST, "7"), BEST, "7") == right
    assert len(right.entry(BEST).tries) == 2
    assert right.score([BEST]).right == 1 and right.score([BEST, BEST]).total == 2


def test_first_try_and_final_are_kept_apart() -> None:
    progress = press(press(Progress(), BEST, "10"), BEST, "7")
    progress = press(progress, PS, ["weighted"])
    score = progress.score([BEST, PS, XYZZY])
    assert (score.total, score.tried, score.first_right, score.right) == (3, 2, 1, 2)
    assert score.sentence == "2 of 3 right, 1 of them on the first try."


def test_a_right_answer_cannot_be_lost_again() -> None:
    progress = press(press(Progress(), BEST, "7"), BEST, "10")
    assert progress.entry(BEST).first_right and progress.entry(BEST).tries == (Try("7", True),)


def test_what_is_not_understood_or_empty_costs_nothing() -> None:
    progress = press(press(Progress(), BEST, "seven"), BEST, "")
    assert progress.entry(BEST).tries == ()
    assert press(progress, BEST, "7").score([BEST]).first_right == 1


def test_a_hint_costs_nothing_and_showing_the_answer_ends_the_question() -> None:
    hinted = Progress().hinted(BEST).hinted(BEST).hinted(BEST)
    assert hinted.entry(BEST).hints == len(BEST.hints) == 2
    assert press(hinted, BEST, "7").score([BEST]).first_right == 1
    shown = press(Progress().revealing(BEST), BEST, "7")
    assert shown.entry(BEST).done and not shown.entry(BEST).right and not shown.entry(BEST).tries


def test_skipping_and_coming_back() -> None:
    progress = Progress().skipping(BEST, 4)
    assert progress.score([BEST]).skipped == 1
    back = press(progress, BEST, "7", 6)
    assert back.score([BEST]).skipped == 0 and back.entry(BEST).seconds == 10
    assert back.skipping(BEST) == back


def test_the_same_wrong_choice_in_another_order_is_the_same_try() -> None:
    progress = press(press(Progress(), XYZZY, ["unseen", "one"]), XYZZY, ["one", "unseen"])
    assert len(progress.entry(XYZZY).tries) == 1
    assert progress.entry(XYZZY).tries[0].answer == ("one", "unseen")


def test_a_draft_is_kept_until_it_is_checked() -> None:
    progress = Progress().drafted(BEST, "1")
    assert progress.entry(BEST).draft == "1" and not progress.entry(BEST).tries
    assert press(progress, BEST, "7").entry(BEST).draft == "7"
    assert progress.drafted(BEST, None).entry(BEST).draft is None


def test_the_feedback_can_be_made_again_from_what_is_kept() -> None:
    """streamlit/streamlit#8291: after a page switch or reload the answer and its feedback belong together."""
    answers: list[tuple[Question, Answer]] = [(BEST, "10"), (XYZZY, ["one"]), (MAKER, [2]), (PS, ["once"])]
    for question, answer in answers:
        progress = Progress.from_json(press(Progress(), question, answer).to_json())
        kept = progress.entry(question).tries[-1].answer
        assert check(question, kept) == check(question, answer)


def test_the_next_open_question_comes_round_and_skipped_ones_last() -> None:
    progress = press(Progress().skipping(PS), BEST, "7")
    assert progress.next_open([BEST, PS, XYZZY]) is XYZZY
    assert progress.next_open([BEST, PS, XYZZY], after=XYZZY.id) is PS
    done = press(press(progress, XYZZY, ["unseen", "bytes"]), PS, ["weighted"])
    assert done.next_open([BEST, PS, XYZZY]) is None


def test_options_are_shuffled_and_stable_for_a_learner() -> None:
    orders = {tuple(o.key for o in ordered_options(PS, seed)) for seed in range(200)}
    assert len(orders) == 24
    assert ordered_options(PS, 5) == ordered_options(PS, 5)
    assert sorted(o.key for o in ordered_options(PS, 5)) == sorted(o.key for o in PS.options)


def test_two_learners_do_not_mix() -> None:
    one = press(Progress(name="one"), BEST, "7")
    other = press(Progress(name="other"), BEST, "10")
    assert one.entry(BEST).right and not other.entry(BEST).right and not Progress().entries


# ------------------------------------------------------------------ saving


@st.composite
def journeys(draw: st.DrawFn) -> Progress:
    progress = Progress(seed=draw(st.integers(0, 2**60)), level=draw(st.integers(1, 3)), name=draw(names))
    for question in draw(st.lists(st.sampled_from(QUESTIONS), max_size=6)):
        typed: st.SearchStrategy[Answer] = st.text(max_size=12) | st.just(question.answer_text)
        keys = st.lists(st.sampled_from([o.key for o in question.options] or ["x"]), max_size=3, unique=True)
        cuts = st.lists(st.integers(1, 4), max_size=3)
        answer = draw(typed | keys | cuts)
        progress = press(progress, question, answer, draw(st.integers(0, 99)))
        if draw(st.booleans()):
            progress = draw(st.sampled_from([progress.hinted, progress.skipping, progress.revealing]))(
                question
            )
    return progress


names = st.text(max_size=20).map(lambda name: name.encode("utf-8", "replace").decode())


@given(journeys())
def test_progress_survives_a_file(progress: Progress) -> None:
    assert Progress.from_json(progress.to_json()) == progress


def good() -> dict[str, object]:
    loaded: dict[str, object] = json.loads(press(Progress(), BEST, "10").to_json())
    return loaded


def spoiled(**changes: object) -> str:
    return json.dumps(good() | changes)


def entry(**changes: object) -> dict[str, object]:
    base = {"tries": [], "hints": 0, "skipped": False, "revealed": False, "seconds": 0, "draft": None}
    return {"entries": {"best-k": base | changes}}


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{}", "not json", "[" * 100_000, '{"format": "bpe-progress"}', "x" * 2_000_001,
        spoiled(format="else"), spoiled(version=2), spoiled(seed=-1), spoiled(seed=True), spoiled(seed=2**80),
        spoiled(level=4), spoiled(level="1"), spoiled(name="n" * 101), spoiled(name=None), spoiled(sheet=3),
        spoiled(entries=[]), spoiled(entries={"../x": {}}), spoiled(entries={"a": 1}),
        spoiled(**entry(tries=[["7", "yes", None]])), spoiled(**entry(tries=[["7", True, "no-such"]])),
        spoiled(**entry(tries=[["7", True, None], ["8", False, None]])), spoiled(**entry(tries=[7])),
        spoiled(**entry(tries=[[{"a": 1}, True, None]])), spoiled(**entry(tries=[["x" * 3000, True, None]])),
        spoiled(**entry(tries=[["7", False, None]] * 201)), spoiled(**entry(hints=-1)),
        spoiled(**entry(seconds=1e9)), spoiled(**entry(skipped=1)), spoiled(**entry(draft=5)),
        spoiled(**entry(draft=[1, "a"])), spoiled(**entry(tries=[["7", True, [1]]])),
    ],
)  # fmt: skip
def test_a_hostile_progress_file_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ProgressFileError) as caught:
        Progress.from_json(text)
    assert isinstance(caught.value, BPEError) and str(caught.value).endswith(".")


def test_the_unspoiled_file_opens() -> None:
    assert Progress.from_json(spoiled()).entry(BEST).tries[0].misconception is Misconception.LARGER_IS_BETTER


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: (
    st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["tries", "hints", "draft", "x"]), inner)
)))  # fmt: skip
def test_no_entry_upsets_the_reader(data: object) -> None:
    with contextlib.suppress(ProgressFileError):
        Progress.from_json(json.dumps(good() | {"entries": {"best-k": data}}))


# ------------------------------------------------------------------ results files


def results(name: str = "Ada", saved: str = "2025-03-01T10:00", seed: int = 3) -> Results:
    progress = press(press(Progress(name=name, seed=seed), BEST, "10", 30), BEST, "7", 12)
    progress = press(progress, PS, ["once"], 5).skipping(XYZZY)
    return results_of(progress, [BEST, PS, XYZZY], saved)


def test_a_results_file_says_what_was_done() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(results()).removeprefix("\ufeff"))))
    assert list(rows[0]) == list(COLUMNS)
    assert rows[0]["student"] == "Ada" and rows[0]["seed"] == "3" and rows[0]["question"] == "best-k"
    assert json.loads(rows[0]["answers_tried"]) == ["10", "7"]
    assert (rows[0]["first_try_right"], rows[0]["right"], rows[0]["seconds"]) == ("no", "yes", "42")
    assert rows[0]["misconceptions"] == "larger-is-better"
    assert (rows[1]["tries"], rows[1]["right"], rows[2]["skipped"]) == ("1", "no", "yes")


@pytest.mark.parametrize("write", [to_csv, to_json])
@pytest.mark.parametrize(
    "name", ["Ada", "=1+1", "'=x", "'", "@me", "-5", "+4", "a,b", 'q"q', "אדה", "", "＝1"]
)
def test_results_come_back_from_either_file(write, name: str) -> None:  # type: ignore[no-untyped-def]
    written = write(results(name))
    assert read_results(written.encode(), "r") == results(name)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\t=1", "=HYPERLINK(1)", "'=1"])
def test_no_cell_is_a_formula(name: str) -> None:
    """hhurz/tableExport.jquery.plugin#230, gregnb/mui-datatables#529."""
    progress = Progress(name=name)
    question = replace(BEST, id="=x")
    progress = progress.after(question, name, replace(check(BEST, "10")))
    for line in csv.reader(io.StringIO(to_csv(results_of(progress, [question])).removeprefix("\ufeff"))):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in line)


@given(names, st.lists(st.text(max_size=20).map(lambda t: t.encode("utf-8", "replace").decode()), max_size=3))
def test_any_name_and_answers_come_back(name: str, answers: list[str]) -> None:
    name = name.replace("\r\n", "\n")
    row = Row("q", "bits", tuple(answers), len(answers), False, False, False, False, 0, 9, ())
    whole = Results(name, "quiz", 1, 1, "", (row,))
    assert read_results(to_json(whole).encode(), "r") == whole
    assert read_results(to_csv(whole).encode(), "r") == whole


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "'r' is empty."),
        (b"\xff\xfe\x00", "UTF-16"),
        (b"caf\xe9", "not UTF-8"),
        (b"x" * 1_000_001, "largest"),
        (b"a,b\n1,2\n", "first line is not the heading"),
        (b"{", "is not valid JSON"),
        (b"{}", "is not a results file"),
        (b'{"a":' * 50_000, "is not valid JSON"),
        (b'{"format": "bpe-results", "version": 1, "questions": 5}', "has no list"),
        (b'{"format": "bpe-results", "version": 1, "questions": [5]}', "damaged at question 1"),
        ((",".join(COLUMNS) + "\n").encode(), "no questions"),
        ((",".join(COLUMNS) + "\na,b\n").encode(), "damaged at row 2"),
        (to_csv(results()).replace("bpe-results 1", "bpe-results 9", 1).encode(), "row 2"),
        (to_csv(results()).replace(",quiz,3,", ",quiz,x,", 1).encode(), "row 3"),
        (to_csv(results()).replace("larger-is-better", "made-up").encode(), "row 2"),
        (to_csv(results()).replace(",2,no,yes", ",9,no,yes").encode(), "row 2"),
        (to_csv(results()).replace(",2,no,yes", ",2,yes,no").encode(), "row 2"),
    ],
)
def test_a_bad_results_file_is_named_with_what_is_wrong(data: bytes, complaint: str) -> None:
    with pytest.raises(ResultsFileError, match=complaint):
        read_results(data, "r")


# ------------------------------------------------------------------ a class


def files(*many: Results) -> list[tuple[str, bytes]]:
    return [(f"{n}.csv", to_csv(one).encode()) for n, one in enumerate(many)]


def test_a_class_is_put_together_per_student_and_per_question() -> None:
    all_right = results_of(press(Progress(name="Bo"), BEST, "7"), [BEST, PS, XYZZY], "2025-03-02")
    together = gather(files(results("Ada"), all_right))
    assert together.problems == ()
    assert [(s.student, s.tried, s.first_right, s.right) for s in together.students] == [
        ("Ada", 2, 0, 1), ("Bo", 1, 1, 1),
    ]  # fmt: skip
    best = together.questions[0]
    assert (best.question, best.students, best.tried, best.first_right, best.right) == ("best-k", 2, 2, 1, 2)
    assert best.misconceptions == ((Misconception.LARGER_IS_BETTER, 1),)
    assert dict(together.misconceptions) == {Misconception.LARGER_IS_BETTER: 1, Misconception.WORDS_ONCE: 1}
    assert "Thought that more merges are always better (1)" in class_csv(together)


def test_duplicates_and_bad_files_are_named_and_left_out() -> None:
    given_files = [*files(results("Ada"), results("Ada")), ("bad.csv", b"junk"), ("empty.json", b"")]
    together = gather(given_files)
    assert len(together.students) == 1
    assert together.problems == (
        "'1.csv' holds the same results as '0.csv' and counts once.",
        "'bad.csv' is not a results file: its first line is not the heading of one.",
        "'empty.json' is empty.",
    )


def test_of_two_files_of_one_student_the_later_counts_whatever_the_order() -> None:
    early = results("Ada", "2025-03-01T10:00")
    late = results_of(press(Progress(name="ada "), BEST, "7"), [BEST], "2025-03-02T09:00")
    for order in ([early, late], [late, early]):
        together = gather(files(*order))
        assert [s.right for s in together.students] == [1] and len(together.questions) == 1
        assert len(together.problems) == 1 and "handed in the same sheet twice" in together.problems[0]


def test_students_without_a_name_are_told_apart_by_file() -> None:
    together = gather(files(results("", "a"), results("", "b")))
    assert [s.student for s in together.students] == ["0.csv", "1.csv"]


def test_no_files_at_all() -> None:
    together = gather([])
    assert (together.students, together.questions, together.misconceptions) == ((), (), ())


def test_an_entry_without_tries_is_neither_right_nor_done() -> None:
    assert not Entry().first_right and not Entry().right and not Entry().done
