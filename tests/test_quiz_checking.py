"""Checking answers: the fixed questions right and wrong, and the faults reported about other quizzes.

The reported faults are named by where they were reported. Not here: reading typed text in all its forms
(test_quiz_reading), the score (test_quiz_progress).
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.training import TieRule
from quiz.bank import BY_ID, QUESTIONS
from quiz.checking import Verdict, check
from quiz.figures import Figure, What, value
from quiz.inputs import AAABDAAABAC, Inputs
from quiz.misconceptions import Misconception
from quiz.questions import Group, Kind, Question
from quiz.values import written


def token_question(text: str, **settings: bool) -> Question:
    return Question("t", Kind.TOKEN, Group.BY_HAND, "?", (Figure(What.TOKEN, left=text),), **settings)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_the_right_answer_of_every_fixed_question_is_right(question: Question) -> None:
    if question.kind is Kind.CHOICE:
        feedback = check(question, sorted(question.right_keys))
    else:
        feedback = check(question, question.answer_text)
    assert feedback.verdict is Verdict.RIGHT
    assert question.explanation_text in feedback.message
    assert feedback.misconception is None


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_every_known_mistake_is_wrong_and_says_why(question: Question) -> None:
    for option in question.options:
        if question.is_right(option):
            continue
        answer = [option.key] if question.kind is Kind.CHOICE else written(value(_figure(option.figure)))
        feedback = check(question, answer)
        assert feedback.verdict is Verdict.WRONG, option.key
        if not question.several:
            assert question.option_why(option) in feedback.message
            assert feedback.misconception is option.misconception
        else:
            assert dict(feedback.notes)[option.key] == question.option_why(option)
            assert option.key in feedback.extra


def _figure(figure: Figure | None) -> Figure:
    assert figure is not None, "a typed question can only know mistakes that have a figure"
    return figure


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_a_wrong_answer_of_each_kind_is_wrong(question: Question) -> None:
    wrong = {Kind.NUMBER: "123456", Kind.TOKEN: "qqq", Kind.PAIR: "b + c"}.get(question.kind)
    if question.kind is Kind.SPLIT:
        wrong = "|".join(question.new_text.replace(" ", "␣"))
        wrong += "|</w>" if question.inputs and question.inputs.pre_tokenizer.has_marker else ""
    if wrong is not None:
        feedback = check(question, wrong)
        assert feedback.verdict in (Verdict.WRONG, Verdict.UNREAD)
        assert feedback.message
        assert not feedback.right


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_empty_is_not_wrong(question: Question) -> None:
    assert check(question, "").verdict is Verdict.EMPTY
    assert check(question, "  \n").verdict is Verdict.EMPTY
    if question.kind is Kind.CHOICE:
        assert check(question, []).verdict is Verdict.EMPTY
        assert check(question, ["no such option"]).verdict is Verdict.UNREAD


@given(st.sampled_from(QUESTIONS), st.text(max_size=40))
def test_no_typed_answer_raises(question: Question, text: str) -> None:
    assert check(question, text).message


# ------------------------------------------------------------------ reported faults


@pytest.mark.parametrize("typed", [" hug ", "hug\n", "\thug", "hug"])
def test_a_stray_space_is_not_wrong(typed: str) -> None:
    """ls1intum/Artemis#2082, Simon-Initiative/oli-torus PR#4662."""
    assert check(token_question("hug"), typed).right


def test_a_space_that_belongs_to_the_token_is_not_trimmed_away() -> None:
    """oaknational/Oak-Web-Application PR#2936, with the token's own space."""
    question = token_question(" low")
    assert check(question, "low").verdict is Verdict.WRONG
    assert check(question, "low").misconception is Misconception.SPACE_LEFT_OUT
    assert check(question, "␣low").right
    assert check(question, " low").right
    assert check(token_question("low"), "␣low").verdict is Verdict.WRONG
    assert check(token_question(" low", spaces_matter=False), "low").right
    assert check(token_question(" "), "␣").right and check(token_question(" "), " ").right


def test_composed_and_decomposed_letters_are_one_answer_unless_code_points_are_asked() -> None:
    """Empirical-org-Archive/Quill-Grammar#299."""
    assert check(token_question("caf\u00e9"), "cafe\u0301").right
    assert check(token_question("cafe\u0301"), "caf\u00e9").right
    assert not check(token_question("caf\u00e9", code_points=True), "cafe\u0301").right
    assert check(BY_ID["two-spellings"], "6").right
    assert not check(BY_ID["two-spellings"], "5").right


@pytest.mark.parametrize(
    ("ties", "second"),
    [(TieRule.FIRST_SEEN, "AA + A"), (TieRule.LOWEST_IDS, "A + B"), (TieRule.COLUMN_MAJOR, "AA + A")],
)
def test_the_key_follows_the_settings(ties: TieRule, second: str) -> None:
    """karpathy/minbpe#93: the key is computed with the settings of the question, never written by hand."""
    inputs = Inputs("AAABDAAABAC", pre_tokenizer=AAABDAAABAC.pre_tokenizer, ties=ties)
    question = Question("w", Kind.PAIR, Group.BY_HAND, "?", (Figure(What.MERGE_PAIR, inputs, 2),))
    other = {"AA + A": "A + B", "A + B": "AA + A"}[second]
    assert check(question, second).right
    wrong = check(question, other)
    assert not wrong.right and wrong.misconception is Misconception.OTHER_TIE_RULE


def test_the_vocabulary_size_says_which_base_it_counts() -> None:
    """rasbt/LLMs-from-scratch#619: 7 with the units in use, 259 with all 256 bytes."""
    question = BY_ID["size-with-all-bytes"]
    assert check(question, "259").right
    wrong = check(question, "7")
    assert wrong.misconception is Misconception.UNUSED_BYTES and "in use" in wrong.message
    in_use = Figure(What.VOCABULARY_SIZE, AAABDAAABAC, 3)
    assert value(in_use) == 7


@pytest.mark.parametrize(
    ("chosen", "verdict", "missed", "extra"),
    [
        (["unseen", "bytes"], Verdict.RIGHT, (), ()),
        (["bytes", "unseen"], Verdict.RIGHT, (), ()),
        (["unseen"], Verdict.WRONG, ("bytes",), ()),
        (["unseen", "bytes", "one"], Verdict.WRONG, (), ("one",)),
        (["one"], Verdict.WRONG, ("unseen", "bytes"), ("one",)),
        (["unseen", "bytes", "one", "learn"], Verdict.WRONG, (), ("one", "learn")),
    ],
)
def test_only_the_exact_set_is_right_and_what_is_missing_is_shown(
    chosen: list[str], verdict: Verdict, missed: tuple[str, ...], extra: tuple[str, ...]
) -> None:
    """NationalSecurityAgency/skills-service#3247, Lightning-AI/dl-fundamentals#98."""
    feedback = check(BY_ID["xyzzy"], chosen)
    assert (feedback.verdict, feedback.missed, feedback.extra) == (verdict, missed, extra)
    if missed and not extra:
        assert feedback.misconception is Misconception.OPTION_MISSED
        assert feedback.message == "1 right one is missing."


# ------------------------------------------------------------------ single kinds


@pytest.mark.parametrize("typed", ["3.18", "3,18", "3.1818", "35/11", "３．１８", "3.19"])
def test_a_number_within_the_tolerance_is_right(typed: str) -> None:
    assert check(BY_ID["ratio-after-five"], typed).right


@pytest.mark.parametrize("typed", ["3.2", "3.16", "0.314", "318"])
def test_a_number_outside_the_tolerance_is_wrong(typed: str) -> None:
    assert check(BY_ID["ratio-after-five"], typed).verdict is Verdict.WRONG


def test_what_is_not_a_number_costs_nothing_and_gets_a_hint() -> None:
    feedback = check(BY_ID["best-k"], "about seven")
    assert feedback.verdict is Verdict.UNREAD and not feedback.counts
    assert "digits" in feedback.message


@pytest.mark.parametrize("typed", ["␣b + ake", "␣b+ake", " b + ake", "(␣b, ake)", "␣b ake", "·b + ake"])
def test_a_pair_in_several_spellings(typed: str) -> None:
    assert check(BY_ID["review-fifth"], typed).right


def test_a_pair_picked_from_tiles() -> None:
    assert check(BY_ID["review-fifth"], (" b", "ake")).right
    assert check(BY_ID["review-fifth"], ("b", "ake")).verdict is not Verdict.RIGHT


def test_a_wrong_pair_is_told_what_it_missed() -> None:
    feedback = check(BY_ID["review-fifth"], "␣bake + r")
    assert feedback.verdict is Verdict.WRONG
    assert feedback.misconception is Misconception.TOKEN_NOT_MADE_YET
    assert check(BY_ID["review-fifth"], "f + é").misconception is Misconception.LESS_FREQUENT


@pytest.mark.parametrize("answer", ["m|ake|r", "m ake r", "m · ake · r", [1, 4], [4, 1]])
def test_a_split_typed_or_cut(answer: str | list[int]) -> None:
    assert check(BY_ID["maker-split"], answer).right


def test_a_wrong_split_names_the_merge_and_replays() -> None:
    feedback = check(BY_ID["maker-split"], "m|ak|e|r")
    assert feedback.message == "Merge 2 joins ak + e to ake, and you left a cut between them."
    assert feedback.cuts is not None
    assert [str(step.after) for step in feedback.cuts.replay] == ["m · ake · r"]


def test_several_right_answers_are_all_accepted() -> None:
    inputs = Inputs("ab cd")
    answers = (
        Figure(What.PAIR, inputs, left="a", right="b"),
        Figure(What.PAIR, inputs, left="c", right="d"),
    )
    question = Question("s", Kind.PAIR, Group.BY_HAND, "?", answers)
    assert check(question, "a + b").right and check(question, "c + d").right
    assert not check(question, "b + a").right
