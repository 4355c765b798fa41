"""Where tied pairs are first seen, and two runs side by side, against figures worked out by hand and a slow
reference that spells everything out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.errors import SettingError
from bpe_core.pretokenize import PreTokenizer
from bpe_core.ties import Place, compare_runs, first_places
from bpe_core.training import TieRule, Trainer

REVIEW = "the café baker bakes cakes, the café bakes soufflé"


def trained(text: str, pre: PreTokenizer = PreTokenizer.NONE, **settings: object) -> Trainer:
    trainer = Trainer(Corpus.from_text(text, pre), **settings)  # type: ignore[arg-type]
    trainer.train_to()
    return trainer


def pair_of(trainer: Trainer, left: str, right: str) -> tuple[int, int]:
    ids = {trainer.token(id).notation: id for id in range(len(trainer.alphabet) + len(trainer.steps))}
    return ids[left], ids[right]


def fork(trainer: Trainer, merge: int, left: str, right: str) -> Trainer:
    other = trainer.fork(merge, pair_of(trainer, left, right))
    other.train_to()
    return other


# --- first places ------------------------------------------------------------------------------


def test_where_the_tied_pairs_of_the_review_are_first_seen() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE)
    tied = trainer.tied_pairs(2)  # before merge 3: four pairs at 3
    # words: the, ␣café, ␣baker, ␣bakes, …; b is the second unit of ␣baker, ake begins at the third
    assert [trainer.token(a).notation + "+" + trainer.token(b).notation for a, b in tied] == [
        " +c",
        " +b",
        "b+ake",
        "ake+s",
    ]
    assert first_places(trainer, tied, 2) == [
        Place(tied[0], 1, 0),
        Place(tied[1], 2, 0),
        Place(tied[2], 2, 1),
        Place(tied[3], 3, 2),
    ]


def test_a_place_counts_units_and_not_tokens() -> None:
    trainer = trained("abcd", ties=TieRule.FIRST_SEEN)  # a+b, then ab+c: c+d begins at unit 2
    assert first_places(trainer, [pair_of(trainer, "c", "d")], 1)[0].unit == 2


def test_a_pair_that_does_not_occur_has_no_place() -> None:
    trainer = trained("ab")
    with pytest.raises(SettingError, match="does not occur"):
        first_places(trainer, [(1, 0)], 0)
    assert first_places(trainer, [], 0) == []


# --- two runs ----------------------------------------------------------------------------------


def test_the_encyclopedias_other_path_ends_in_the_same_cut() -> None:
    trainer = trained("AAABDAAABAC", unit=Unit.BYTE)
    assert [step.count for step in trainer.steps[:3]] == [4, 2, 2]
    other = fork(trainer, 2, "41", "42")  # A + B instead of AA + A
    runs = compare_runs(trainer, other)
    assert runs.parted == 2
    # L 11 9 7 5 in both; after 2 merges AAA B D … against AA AB D …, after 3 AAAB D AAAB A C in both
    assert [(s.k, s.first_length, s.second_length, s.same_cut) for s in runs.states[:3]] == [
        (1, 9, 9, True),
        (2, 7, 7, False),
        (3, 5, 5, True),
    ]
    assert (runs.same_length, runs.same_cut, runs.same_vocabulary) == (2, 3, None)
    assert [token.notation for token in runs.only_first] == ["414141"]
    assert [token.notation for token in runs.only_second] == ["4142"]
    assert runs.complete


def test_two_merges_in_the_other_order_make_the_same_vocabulary() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE)
    other = fork(trainer, 3, " ", "b")
    runs = compare_runs(trainer, other)
    assert runs.parted == 3
    assert (runs.states[0].k, runs.states[1].k) == (2, 3)
    assert (runs.states[1].only_first, runs.states[1].only_second) == (1, 1)  # ␣c against ␣b
    assert (runs.same_length, runs.same_vocabulary, runs.same_cut) == (3, 4, 4)


def test_a_run_that_ends_earlier_stays_as_it_was() -> None:
    # abab: a+b (2) then ab+ab. With b+a first: ba leaves a ba b, then a+ba, aba+b.
    trainer = trained("abab")
    assert len(trainer.steps) == 2
    runs = compare_runs(trainer, fork(trainer, 1, "b", "a"))
    last = runs.states[-1]
    assert (last.k, last.first, last.first_length, last.second_length) == (3, None, 1, 1)
    assert (last.only_first, last.only_second) == (1, 2)  # ab against ba, aba; abab is in both
    assert [token.notation for token in runs.only_second] == ["ba", "aba"]
    assert runs.complete and runs.same_cut == 3


def test_runs_that_agree_have_not_parted() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE)
    runs = compare_runs(trainer, trained(REVIEW, PreTokenizer.ARTICLE))
    assert (runs.parted, runs.only_first, runs.only_second) == (None, (), ())
    assert [state.k for state in runs.states] == [22]


def test_an_empty_corpus_has_one_state() -> None:
    runs = compare_runs(trained(""), trained(""))
    assert [(s.k, s.first_length, s.second_length) for s in runs.states] == [(0, 0, 0)]
    assert runs.parted is None and runs.complete


def test_the_limit_and_stopping_leave_the_rest_out() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE)
    other = fork(trainer, 3, " ", "b")
    runs = compare_runs(trainer, other, limit=4)
    assert [state.k for state in runs.states] == [2, 3, 4, 5, 6] and not runs.complete
    told: list[tuple[int, int]] = []

    def once(done: int, total: int) -> bool:
        told.append((done, total))
        return done < 2

    stopped = compare_runs(trainer, other, progress=once)
    assert told == [(1, 20), (2, 20)]
    assert [state.k for state in stopped.states] == [2, 3, 4] and not stopped.complete


def test_only_runs_over_one_corpus_and_unit_are_compared() -> None:
    with pytest.raises(SettingError, match="different corpora"):
        compare_runs(trained("ab"), trained("ba"))
    with pytest.raises(SettingError, match="different units"):
        compare_runs(trained("ab"), trained("ab", unit=Unit.BYTE))


@given(
    text=st.text(alphabet="aab é", min_size=2, max_size=14),
    pre=st.sampled_from([PreTokenizer.NONE, PreTokenizer.ARTICLE, PreTokenizer.WORD_END]),
    unit=st.sampled_from(list(Unit)),
    data=st.data(),
)
def test_the_comparison_is_what_spelling_everything_out_gives(
    text: str, pre: PreTokenizer, unit: Unit, data: st.DataObject
) -> None:
    trainer = trained(text, pre, unit=unit, min_count=1)
    if not trainer.steps:
        return
    merge = data.draw(st.integers(1, len(trainer.steps)))
    pair = data.draw(st.sampled_from(trainer.tied_pairs(merge - 1)))
    other = trainer.fork(merge, pair)
    other.train_to()
    runs = compare_runs(trainer, other)

    def spelled(run: Trainer, k: int) -> tuple[set[str], list[list[str]]]:
        k = min(k, len(run.steps))
        made = {run.token(step.token).notation for step in run.steps[:k]}
        return made, [[run.token(id).notation for id in word] for word in run.words_at(k)]

    ends = max(len(trainer.steps), len(other.steps))
    assert [state.k for state in runs.states] == list(range(runs.states[0].k, ends + 1))
    for state in runs.states:
        (ours, our_words), (theirs, their_words) = spelled(trainer, state.k), spelled(other, state.k)
        assert (state.only_first, state.only_second) == (len(ours - theirs), len(theirs - ours))
        assert state.same_cut == (our_words == their_words)
    assert {token.notation for token in runs.only_first} == ours - theirs
    if runs.parted is not None:
        assert trainer.steps[runs.parted - 1 :] != other.steps[runs.parted - 1 :]
