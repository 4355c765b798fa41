"""Predicting the next merge and cutting a word: the right verdict, and what a wrong choice missed.

Held to pairs counted and merges replayed the slow way (reference). Not here: questions about merges
(test_quiz_checking).
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule, Trainer
from quiz.cutting import Slip, base_units, cuts_of, judge_cuts, pieces_of
from quiz.errors import ProgressFileError
from quiz.inputs import HOP, LOW, REVIEW
from quiz.misconceptions import Misconception
from quiz.predict import RUN_LENGTH, Prediction, Run, RunState, judge, judge_typed, name_of
from quiz.reading import Unread
from tests.reference import replay


def id_of(trainer: Trainer, text: str, k: int) -> int:
    trainer.train_to(k + 1)
    for id in range(len(trainer.alphabet) + len(trainer.steps)):
        if trainer.token(id).text == text and not trainer.token(id).ends_word:
            return id
    raise AssertionError(text)


def pick(trainer: Trainer, left: str, right: str, k: int) -> tuple[int, int]:
    return (id_of(trainer, left, k), id_of(trainer, right, k))


# ------------------------------------------------------------------ predict


def test_the_right_pair_alone_and_tied() -> None:
    trainer = REVIEW.trainer()
    alone = judge(trainer, 1, pick(trainer, "ak", "e", 1))
    assert alone.right and alone.message == "ak + e counts 4, and no other pair reaches that."
    tied = judge(trainer, 2, pick(trainer, " ", "c", 2))
    assert tied.right
    assert tied.message == (
        "␣ + c counts 3, as do 3 other pairs. The tie rule takes the pair seen first, which is this one."
    )


def test_a_tied_pair_that_loses_by_the_rule() -> None:
    trainer = REVIEW.trainer()
    judged = judge(trainer, 2, pick(trainer, " ", "b", 2))
    assert not judged.right and judged.misconception is Misconception.OTHER_TIE_RULE
    assert judged.message == (
        "␣ + b counts 3 too, but among tied pairs the rule takes the pair seen first: ␣ + c."
    )


def test_counting_each_word_once() -> None:
    trainer = Trainer(
        Corpus.from_word_counts([("ab", 9), ("cd", 2), ("xcd", 2), ("ycd", 1)], PreTokenizer.NONE)
    )
    judged = judge(trainer, 0, pick(trainer, "c", "d", 0))
    assert judged.misconception is Misconception.WORDS_ONCE
    assert judged.message == (
        "Each word counts as often as it occurs: c + d counts 5, a + b counts 9. "
        "Counting every word once gives 3 and 1."
    )


def test_missing_an_overlap() -> None:
    # a + a stands side by side three times in aaaa, but only two of those can be replaced. Once, so that
    # weights play no part: xyz three letters apart count x + y twice.
    trainer = Trainer(Corpus.from_word_counts([("aaaa", 1), ("xyzxy", 1)], PreTokenizer.NONE))
    judged = judge(trainer, 0, pick(trainer, "x", "y", 0))
    assert judged.misconception is Misconception.OVERLAP_MISSED
    assert judged.message == (
        "a + a counts 3, overlaps included, and x + y counts 2. Without the overlaps it would be 2."
    )


def test_a_token_that_needs_another_merge_first() -> None:
    trainer = REVIEW.trainer()
    trainer.train_to(5)
    judged = judge(trainer, 0, pick(trainer, "ak", "e", 4))
    assert judged.misconception is Misconception.TOKEN_NOT_MADE_YET
    assert judged.message == "There is no token ak yet: it needs the merge a + k first."


def test_a_pair_merged_before_one_swapped_and_one_apart() -> None:
    trainer = REVIEW.trainer()
    before = judge(trainer, 1, pick(trainer, "a", "k", 1))
    assert before.misconception is Misconception.EARLIER_STATE and "was merge 1" in before.message
    swapped = judge(trainer, 0, pick(trainer, "k", "a", 0))
    assert swapped.misconception is Misconception.ORDER_SWAPPED
    apart = judge(trainer, 0, pick(trainer, "l", "k", 0))
    assert apart.misconception is Misconception.NOT_SIDE_BY_SIDE


def test_a_pair_across_two_words() -> None:
    trainer = Trainer(Corpus.from_text("ab cd", PreTokenizer.WHITESPACE))
    judged = judge(trainer, 0, pick(trainer, "b", "c", 0))
    assert judged.misconception is Misconception.ACROSS_WORDS


def test_simply_less_frequent_says_both_counts() -> None:
    trainer = HOP.trainer()
    judged = judge(trainer, 0, pick(trainer, "s", "h", 0))
    assert judged.misconception is Misconception.LESS_FREQUENT
    assert judged.message == "s + h counts 4, h + o counts 11."


def test_running_dry() -> None:
    trainer = LOW.trainer()
    early = judge(trainer, 0, None)
    assert early.misconception is Misconception.STOPPED_EARLY and "l + o counts 3" in early.message
    assert judge(trainer, 3, None).right
    late = judge(trainer, 3, pick(trainer, "e", "r", 3))
    assert not late.right and late.answer is None
    assert judge(trainer, 3, pick(trainer, "s", "t", 3)).misconception is Misconception.MINIMUM_FORGOTTEN
    whole = Trainer(Corpus.from_text("ab", PreTokenizer.NONE))
    assert judge(whole, 1, None).right
    assert judge(whole, 1, pick(whole, "a", "b", 1)).misconception is Misconception.NOT_SIDE_BY_SIDE


def test_a_pair_that_occurs_once_still_counts_without_a_minimum() -> None:
    trainer = Trainer(Corpus.from_text("ab", PreTokenizer.NONE))
    assert judge(trainer, 0, None).message == (
        "There is still a pair to merge: a + b counts 1. A pair that occurs once still counts here."
    )


@pytest.mark.parametrize("typed", ["␣ + c", " + c", "␣+c", "␣ c", "(␣, c)"])
def test_typed_predictions(typed: str) -> None:
    judged = judge_typed(REVIEW.trainer(), 2, typed)
    assert isinstance(judged, Prediction) and judged.right


def test_typed_predictions_that_are_empty_unread_or_too_early() -> None:
    trainer = REVIEW.trainer()
    assert judge_typed(trainer, 0, "  ") is None
    assert isinstance(judge_typed(trainer, 0, "ak"), Unread)
    assert isinstance(judge_typed(trainer, 0, "q + z"), Unread)
    early = judge_typed(trainer, 0, "ak + e")
    assert isinstance(early, Prediction) and early.misconception is Misconception.TOKEN_NOT_MADE_YET
    assert early.message == "There is no token ak yet: it needs the merge a + k first."
    dry = judge_typed(LOW.trainer(), 3, "Run dry.")
    assert isinstance(dry, Prediction) and dry.right


words = st.lists(
    st.tuples(st.text(alphabet="aab", min_size=1, max_size=5), st.integers(1, 4)), min_size=1, max_size=4
)


@given(words, st.sampled_from(list(TieRule)), st.integers(0, 4), st.data())
def test_every_possible_pick_is_judged_by_its_count(
    counts: list[tuple[str, int]], ties: TieRule, k: int, data: st.DataObject
) -> None:
    trainer = Trainer(Corpus.from_word_counts(counts, PreTokenizer.NONE), ties=ties)
    k = min(k, trainer.train_to(k))
    ids = st.integers(0, len(trainer.alphabet) + k - 1)
    chosen = data.draw(st.tuples(ids, ids) | st.none())
    judged = judge(trainer, k, chosen)
    found: Counter[tuple[int, int]] = Counter()
    for word, count in zip(trainer.words_at(k), trainer.corpus.counts, strict=True):
        for pair in pairwise(word):
            found[pair] += count
    top = max(found.values(), default=0)
    if judged.right:
        assert judged.misconception is None
        assert found[chosen] == top if chosen else not found
    else:
        assert judged.misconception is not None
        if chosen and found[chosen] == top and top:
            assert judged.misconception is Misconception.OTHER_TIE_RULE
        if chosen is not None and found[chosen]:
            assert f"{name_of(trainer, chosen)} counts {found[chosen]}" in judged.message
    assert judged.answer == trainer.next_pair(k)


# ------------------------------------------------------------------ runs


def prediction(k: int, right: bool, slip: Misconception | None = None, dry: bool = False) -> Prediction:
    return Prediction(k, right, "", "a + b", None if dry else (0, 1), slip)


def test_streaks_and_the_summary_of_a_run_of_ten() -> None:
    run = Run()
    for k, right in enumerate([True, True, False, True, True, True, False, True, True, True]):
        run = run.after(prediction(k, right, None if right else Misconception.WORDS_ONCE))
    assert (run.state, run.right, run.streak, run.best_streak) == (RunState.FINISHED, 8, 3, 3)
    assert run.summary == (
        "8 of 10 right; the longest streak is 3. Most often: counted each word once, whatever its count (2)."
    )
    assert run.after(prediction(10, True)) == run and len(run.rounds) == RUN_LENGTH


def test_a_second_pick_at_the_same_k_is_not_counted() -> None:
    run = Run().after(prediction(0, False)).after(prediction(0, True))
    assert [each.right for each in run.rounds] == [False]


def test_a_run_ends_when_the_corpus_runs_dry() -> None:
    assert Run().after(prediction(3, True, dry=True)).state is RunState.FINISHED


def test_a_run_survives_being_saved() -> None:
    run = Run().after(prediction(0, False, Misconception.LESS_FREQUENT)).after(prediction(1, True))
    assert Run.from_json(run.to_json()) == run


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{}", '{"format": "bpe-run"}', "[" * 10_000,
        '{"format": "bpe-run", "rounds": [[0, "a", 1, null]], "dry": false}',
        '{"format": "bpe-run", "rounds": [[-1, "a", true, null]], "dry": false}',
        '{"format": "bpe-run", "rounds": [[0, "a", true, "nonsense"]], "dry": false}',
        '{"format": "bpe-run", "rounds": [], "dry": "no"}',
    ],
)  # fmt: skip
def test_a_hostile_run_is_refused(text: str) -> None:
    with pytest.raises(ProgressFileError):
        Run.from_json(text)


# ------------------------------------------------------------------ cut the word


def hop_tokenizer(k: int = 4) -> Trainer:
    trainer = HOP.trainer()
    trainer.train_to(k)
    return trainer


def test_a_missed_merge_is_named_and_replayed_from_there() -> None:
    judged = judge_cuts(hop_tokenizer().tokenizer(), "shops", {1, 4})
    assert (judged.slip, judged.number, judged.misconception) == (
        Slip.MISSED, 3, Misconception.MERGE_MISSED,
    )  # fmt: skip
    assert judged.message == "Merge 3 joins s + hop to shop, and you left a cut between them."
    assert str(judged.before) == "s · hop · s"
    assert [(step.number, str(step.after)) for step in judged.replay] == [(3, "shop · s")]


def test_no_merges_at_all() -> None:
    judged = judge_cuts(hop_tokenizer().tokenizer(), "shops", {1, 2, 3, 4})
    assert judged.misconception is Misconception.NO_MERGES
    assert judged.number == 1 and [step.number for step in judged.replay] == [1, 2, 3]


def test_joining_what_a_later_merge_joins() -> None:
    judged = judge_cuts(hop_tokenizer().tokenizer(), "shops", {1})
    assert (judged.slip, judged.number) == (Slip.MISSED, 3)
    whole = judge_cuts(hop_tokenizer().tokenizer(), "shops", set())
    assert (whole.slip, whole.number, whole.misconception) == (Slip.INVENTED, 4, Misconception.MERGE_ORDER)
    assert whole.message.startswith("There is a cut missing between shop and s. Merge 4 joins hop and s")


def test_joining_what_no_merge_joins() -> None:
    judged = judge_cuts(hop_tokenizer().tokenizer(), "hoph", set())
    assert (judged.slip, judged.number) == (Slip.INVENTED, None)
    assert judged.misconception is Misconception.MERGE_INVENTED
    assert "No merge joins any pair of tokens that met here." in judged.message


def test_the_first_mistake_by_merge_number_is_named() -> None:
    # Two mistakes: s and hop were left apart (merge 3), and p was joined to m, which no merge does.
    judged = judge_cuts(hop_tokenizer().tokenizer(), "shopm", {1})
    assert (judged.slip, judged.number) == (Slip.MISSED, 3)


def test_closing_the_wall_between_two_words() -> None:
    trainer = Trainer(Corpus.from_text("to be to be", PreTokenizer.WHITESPACE))
    trainer.train_to(2)
    judged = judge_cuts(trainer.tokenizer(), "to be", set())
    assert (judged.slip, judged.misconception) == (Slip.WALL, Misconception.ACROSS_WORDS)
    assert judge_cuts(trainer.tokenizer(), "to be", {2}).right


def test_the_longest_match_is_recognised() -> None:
    # merges: b+c, a+b. "abc" is a·bc; the longest match from the left is ab·c.
    trainer = Trainer(Corpus.from_word_counts([("bc", 5), ("ab", 3)], PreTokenizer.NONE))
    trainer.train_to(2)
    judged = judge_cuts(trainer.tokenizer(), "abc", {2})
    assert judged.misconception is Misconception.LONGEST_MATCH
    assert str(judged.split) == "a · bc" and judged.number == 1
    assert judged.message.endswith("it does not look for the longest token.")


def test_the_marker_is_a_unit_of_its_own() -> None:
    trainer = LOW.trainer()
    trainer.train_to(3)
    tokenizer = trainer.tokenizer()
    assert [unit.notation for unit in base_units(tokenizer, "lowly")] == ["l", "o", "w", "l", "y", "</w>"]
    assert judge_cuts(tokenizer, "lowly", {3, 4, 5}).right
    assert not judge_cuts(tokenizer, "lowly", {3, 4}).right


def test_cuts_outside_the_word_are_ignored() -> None:
    assert judge_cuts(hop_tokenizer().tokenizer(), "shops", {0, 4, 5, 99, -1}).right


@given(words, st.text(alphabet="abc", min_size=1, max_size=7), st.integers(0, 6), st.data())
def test_any_cuts_are_judged_by_the_replay(
    counts: list[tuple[str, int]], new: str, k: int, data: st.DataObject
) -> None:
    trainer = Trainer(Corpus.from_word_counts(counts, PreTokenizer.NONE))
    trainer.train_to(k)
    tokenizer = trainer.tokenizer()
    units = base_units(tokenizer, new)
    slow = replay(trainer.alphabet.ids_of(new), tokenizer.merges)
    right = cuts_of(map(tokenizer.token, slow), units)
    chosen = data.draw(st.sets(st.integers(1, max(1, len(new) - 1))))
    judged = judge_cuts(tokenizer, new, chosen)
    assert judged.right_cuts == right
    assert judged.right == ({c for c in chosen if c < len(units)} == set(right))
    assert judged.split == pieces_of(units, right)
    assert judge_cuts(tokenizer, new, right).right
    if not judged.right:
        assert judged.misconception is not None and judged.slip is not None and judged.before is not None
        states = [judged.before, *(step.after for step in judged.replay)]
        assert states[-1] == judged.split
        if judged.number is not None:
            assert f"erge {judged.number} " in judged.message
