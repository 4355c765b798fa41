"""A teacher's own sheet: what it may hold, and that every problem is named with its line.

Not here: how its questions are checked (test_quiz_checking).
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quiz.sheet
from bpe_core.alphabet import Unit
from bpe_core.training import TieRule
from quiz.checking import check
from quiz.errors import SheetError
from quiz.misconceptions import Misconception
from quiz.questions import Group, Kind
from quiz.sheet import read_sheet
from quiz.sheet_lines import line_of
from quiz.what import What, needs

SHEET = '''\
title = "Week 3"

[corpus]
words = { hop = 5, hops = 2, shop = 3, shops = 1 }
pre = "none"
lock = true

[[question]]
id = "ps"
kind = "number"
prompt = "How often does p stand before s? {no} braces"
asks = "pair-count"
pair = ["p", "s"]
hints = ["Add up."]
explanation = "It is {answer}, not {more}."
group = "by-hand"

[[question.mistake]]
answer = 2
why = "That counts words once."

[[question]]
kind = "split"
prompt = "How does shops split?"
asks = "split"
new = "shops"
k = 4
show_merges = 4

[[question]]
kind = "pair"
prompt = "Merge 3?"
asks = "merge-pair"
k = 3

[[question]]
kind = "token"
prompt = "The token of merge 3?"
asks = "merge-token"
k = 3

[[question]]
kind = "choice"
prompt = "Which are true?"
[[question.option]]
text = "V grows."
right = true
[[question.option]]
text = "L shrinks."
right = true
[[question.option]]
text = "Words vanish."
why = "Words stay."

[[question]]
kind = "number"
prompt = "The ratio?"
answer = 3.18
tolerance = 0.01

[[question]]
kind = "token"
prompt = "Say ake."
answer = "ake"
spaces_matter = false

[[question]]
kind = "number"
prompt = "Bytes?"
asks = "bytes"
new = "é"

[[question]]
kind = "number"
prompt = "L with bytes?"
asks = "corpus-length"
k = 1
[question.corpus]
text = """
AAABD
[[question]]
AAABAC"""
unit = "byte"
ties = "lowest-ids"
pre = "none"
'''


def test_a_whole_sheet_opens_and_its_questions_work() -> None:
    sheet = read_sheet(SHEET)
    assert sheet.title == "Week 3" and sheet.locked and sheet.inputs is not None
    ps, split, pair, token, choice, ratio, ake, two, length = sheet.questions
    assert (ps.id, ps.kind, ps.group, ps.answer_text) == ("ps", Kind.NUMBER, Group.BY_HAND, "3")
    assert ps.prompt_text.endswith("{no} braces")
    assert ps.explanation_text == "It is 3, not {more}."
    assert check(ps, "3").right and check(ps, "2").message == "That counts words once."
    assert check(split, "shop|s").right and split.merges == ("h + o", "ho + p", "s + hop", "hop + s")
    assert check(pair, "s + hop").right and check(token, "shop").right
    assert choice.several and check(choice, ["o1", "o2"]).right
    assert check(choice, ["o1"]).misconception is Misconception.OPTION_MISSED
    assert check(ratio, "3,18").right and check(ake, " ake").right and check(two, "2").right
    assert length.inputs is not None
    assert (length.inputs.unit, length.inputs.ties) == (Unit.BYTE, TieRule.LOWEST_IDS)
    # \n after the opening quotes belongs to TOML, so 5 + 1 + 12 + 1 + 6 bytes; A + A is replaced 2 times.
    assert check(length, "23").right


def test_a_sheet_has_a_key_that_changes_with_its_text() -> None:
    assert read_sheet(SHEET).key == read_sheet(SHEET).key
    assert read_sheet(SHEET).key != read_sheet(SHEET + "\n# more").key
    assert read_sheet(SHEET.replace("\n", "\r\n")).key == read_sheet(SHEET).key


def test_the_sheet_in_the_documentation_opens() -> None:
    documentation = (quiz.sheet.__doc__ or "").split("\n")
    example = "\n".join(line.removeprefix("    ") for line in documentation if line.startswith("    "))
    sheet = read_sheet(example)
    assert [question.answer_text for question in sheet.questions] == ["3", "It adds a token."]
    assert check(sheet.questions[0], "2").message == "That counts each word once."


Q = '[[question]]\nkind = "number"\nprompt = "?"\n'


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", None, "at least one"),
        ("title = \n" + Q + "answer = 1", 1, "not TOML"),
        ('title = "x"\nquestion = 3\n', 2, "at least one"),
        (Q + "answer = [1\n", 4, "not TOML"),
        ("colour = 1\n" + Q + "answer = 1\n", 1, "'colour' is not known here; allowed are corpus, "
        "question, title"),
        (Q + "answer = 1\nanser = 2\n", 5, "'anser' is not known here"),
        ('[[question]]\nkind = "numbr"\nprompt = "?"\nanswer = 1\n', 2, "allowed are number, token, choice"),
        ('[[question]]\nprompt = "?"\nanswer = 1\n', 1, "has no kind"),
        ('[[question]]\nkind = "number"\nanswer = 1\n', 1, "prompt is a text"),
        ('[[question]]\nkind = "number"\nprompt = 7\nanswer = 1\n', 3, "prompt is a text"),
        (Q, 1, "give either asks"),
        (Q + 'answer = 1\nasks = "bytes"\nnew = "a"\n', 5, "one of the two"),
        (Q + 'answer = "7"\n', 4, "is a number"),
        (Q + "answer = true\n", 4, "is a number"),
        (Q + "answer = nan\n", 4, "is a number"),
        (Q + 'asks = "pair-cont"\n', 4, "allowed are corpus-length"),
        (Q + 'asks = "pair-count"\npair = ["a", "b"]\n', 4, "needs a corpus"),
        (Q + 'asks = "bytes"\n', 4, "needs a new"),
        ('[corpus]\ntext = "abab"\n' + Q + 'asks = "pair-count"\n', 6, "needs a pair"),
        ('[corpus]\ntext = "abab"\n' + Q + 'asks = "pair-count"\npair = ["a"]\n', 7, "two tokens"),
        ('[corpus]\ntext = "abab"\n' + Q + 'asks = "pair-count"\npair = ["a", "z"]\n', 6, "no token 'z'"),
        ('[corpus]\ntext = "abab"\n' + Q + 'asks = "corpus-length"\nk = 9\n', 6, "stops after 2"),
        ('[corpus]\ntext = "abab"\n' + Q + 'asks = "corpus-length"\nk = -1\n', 7, "k is a whole number"),
        ('[corpus]\ntext = "abab"\n' + Q + 'asks = "merge-pair"\nk = 1\n', 6, "not answered by a number"),
        ('[corpus]\npreset = "reviw"\n' + Q + "answer = 1\n", 2, "allowed are review, abracadabra"),
        ('[corpus]\nunit = "byte"\n' + Q + "answer = 1\n", 1, "one of text, preset, words"),
        ('[corpus]\ntext = "a"\npreset = "hop"\n' + Q + "answer = 1\n", 3, "one of text, preset, words"),
        ('[corpus]\ntext = "a"\nunit = "bits"\n' + Q + "answer = 1\n", 3, "allowed are char, byte"),
        ('[corpus]\ntext = "a"\nmin = 0\n' + Q + "answer = 1\n", 3, "from 1"),
        ('[corpus]\ntext = "a"\nlock = "yes"\n' + Q + "answer = 1\n", 3, "true or false"),
        ("[corpus]\nwords = { a = 0 }\n" + Q + "answer = 1\n", 2, "word = count"),
        ('corpus = "x"\n' + Q + "answer = 1\n", 1, "table of its own"),
        (Q + "answer = 1\ntolerance = -1\n", 5, "from 0 up"),
        (Q + "answer = 1\nhints = [1]\n", 5, "texts in a list"),
        (Q + 'answer = 1\nid = "a b"\n', 5, "made of letters"),
        (Q + "answer = 1\n[[question.mistake]]\nanswer = 1\nwhy = 'x'\n", 6, "is the right answer"),
        (Q + "answer = 1\n[[question.mistake]]\nanswer = 2\n", 5, "why is a text"),
        (Q + 'answer = 1\n[[question.option]]\ntext = "a"\n', 5, "only a choice has options"),
        ('[[question]]\nkind = "choice"\nprompt = "?"\nanswer = 1\n', 4, "a choice has no answer"),
        (
            '[[question]]\nkind = "choice"\nprompt = "?"\n[[question.option]]\ntext = "a"\n'
            '[[question.option]]\ntext = "b"\n', 4, "right = true",
        ),
        (
            '[[question]]\nkind = "choice"\nprompt = "?"\n[[question.option]]\ntext = "a"\nright = true\n'
            '[[question.option]]\ntext = "a"\n', 8, "each has to differ",
        ),
        ('[[question]]\nkind = "split"\nprompt = "?"\nanswer = ["a", "b"]\n', 4, "asked of the core"),
        ('[[question]]\nkind = "pair"\nprompt = "?"\nanswer = "ab"\n', 4, "two tokens"),
        (Q + "answer = 1\nid = 'x'\n" + Q + "answer = 2\nid = 'x'\n", 10, "stands here twice"),
        ('[corpus]\ntext = "ab"\n' + Q + "answer = 1\nshow_merges = 5\n", 7, "stops after 1"),
        ("x = " + "[" * 5000, None, ""),
    ],
)  # fmt: skip
def test_every_problem_names_its_line_and_what_is_allowed(text: str, line: int | None, says: str) -> None:
    with pytest.raises(SheetError) as caught:
        read_sheet(text)
    problems = caught.value.problems
    assert any(says in problem.message for problem in problems), problems
    if line is not None:
        found = next(problem for problem in problems if says in problem.message)
        assert found.line == line and found.sentence.startswith(f"Line {line}: ")
    assert all(problem.message.endswith((".", ")", "_ -")) for problem in problems)


def test_all_problems_are_named_at_once_in_order_of_lines() -> None:
    text = Q + "answer = 'x'\n" + Q.replace("number", "nmber") + "answer = 1\n" + Q + "answer = 1\nk = 'a'\n"
    with pytest.raises(SheetError) as caught:
        read_sheet(text)
    lines = [problem.line for problem in caught.value.problems]
    assert lines == sorted(lines, key=lambda line: line or 0) and len(lines) >= 3
    assert "more problem" in str(caught.value)


def test_limits() -> None:
    with pytest.raises(SheetError, match="200,000"):
        read_sheet("#" * 200_001)
    with pytest.raises(SheetError, match="the most is 200"):
        read_sheet((Q + "answer = 1\n") * 201)


@given(st.text(alphabet="[]{}=\"'\n#.,ak1 question", max_size=60))
def test_any_text_opens_or_is_refused_with_a_sentence(text: str) -> None:
    for whole in (text, Q + text, SHEET + text):
        try:
            assert read_sheet(whole).questions
        except SheetError as error:
            assert error.problems and all(problem.sentence for problem in error.problems)


def test_lines_skip_strings_over_several_lines() -> None:
    text = 'a = """\n[[question]]\nkind = 1\n"""\n[[question]]\nkind = 2\n'
    assert line_of(text, ("question", 0), "kind") == 6
    assert line_of(text, (), "a") == 1
    assert line_of(text, ("question", 3), "kind") is None


def test_everything_that_can_be_asked_says_what_it_needs() -> None:
    assert all(set(needs(what)) <= {"corpus", "pair", "token", "new", "number"} for what in What)


def test_a_mistake_can_name_its_misconception_for_the_results_of_a_class() -> None:
    sheet = read_sheet(
        "[[question]]\nkind='number'\nprompt='2 + 2?'\nanswer=4\n"
        "[[question.mistake]]\nanswer=5\nwhy='One too many.'\nmisconception='later-state'\n"
        "[[question]]\nkind='choice'\nprompt='Which?'\n"
        "[[question.option]]\ntext='a'\nright=true\n"
        "[[question.option]]\ntext='b'\nmisconception='by-meaning'\n"
    )
    number, choice = sheet.questions
    assert check(number, "5").misconception is Misconception.LATER_STATE
    assert check(choice, ["o2"]).misconception is Misconception.BY_MEANING


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("misconception='no-such'", "'no-such' is not one of the misconceptions"),
        ("misconception='by-meaning'\nright=true", "a right option stands for no misconception"),
    ],
)
def test_a_misconception_that_cannot_be_is_named_with_its_line(line: str, said: str) -> None:
    start = "[[question]]\nkind='choice'\nprompt='Which?'\n[[question.option]]\ntext='a'\nright=true\n"
    text = f"{start}[[question.option]]\ntext='b'\n{line}\n"
    with pytest.raises(SheetError) as refused:
        read_sheet(text)
    assert [problem.line for problem in refused.value.problems] == [9]
    assert said in str(refused.value.problems[0].sentence)
