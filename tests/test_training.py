"""Training, held to the slow reference step by step, and what must be true of any training.

Not here: the worked tables (test_golden.py), and the same output under any hash seed (test_hashseed.py).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.errors import SettingError, Stopped, UnknownTokenError
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Choice, StopReason, TieRule, Trainer
from tests.reference import Pair, Reference

# --- small corpora where everything that can go wrong is likely: runs, ties, marks, several scripts -----

ALPHABETS = [
    "a",
    "ab",
    "abc",
    "abcdefgh",
    "aé",
    " a",
    "</w>",
    "Δδσς",
    "שָׁלוֹם",
    "नमस्ते",
    "我爱北京",
    "👍🏽👨‍👩",
    "\0\n\t\u200b\ufeff",
]


@st.composite
def words(draw: st.DrawFn) -> list[tuple[str, int]]:
    """Distinct words with counts, built from runs so that tokens often meet themselves."""
    letter = st.sampled_from(draw(st.sampled_from(ALPHABETS)))
    length = st.integers(1, 4) if draw(st.booleans()) else st.just(1)
    run = st.builds(lambda c, n: c * n, letter, length)
    word = st.lists(run, min_size=1, max_size=8).map("".join)
    table = draw(st.dictionaries(word, st.integers(1, 3), max_size=6))
    return list(table.items())


SETTINGS = st.fixed_dictionaries(
    {
        "unit": st.sampled_from(Unit),
        "ties": st.sampled_from(TieRule),
        "marker": st.booleans(),
        "min_count": st.sampled_from([1, 1, 2, 3]),
    }
)


def trainer_of(table: list[tuple[str, int]], **how: Any) -> Trainer:
    """A trainer on a table of word counts, settings as in SETTINGS."""
    pre_tokenizer = PreTokenizer.WORD_END if how.pop("marker") else PreTokenizer.NONE
    return Trainer(Corpus.from_word_counts(table, pre_tokenizer), **how)


def reference_of(table: list[tuple[str, int]], **how: Any) -> Reference:
    """The reference on the same table and settings."""
    choice = how.get("choice", Choice.MOST_FREQUENT)
    return Reference(
        table,
        bytes_=how["unit"] is Unit.BYTE,
        marker=how["marker"],
        ties=how["ties"].value,
        min_count=how["min_count"],
        choice=choice.value,
        taken=how.get("taken", ()),
    )


def assert_same_steps(trainer: Trainer, reference: Reference) -> None:
    """Every field of every step, and which pairs were tied."""
    assert (trainer.initial_length, trainer.initial_vocabulary_size) == (
        reference.length(0),
        reference.units_in_use,
    )
    assert [
        (s.pair, s.token, s.count, s.tied, s.replacements, s.corpus_length, s.vocabulary_size)
        for s in trainer.steps
    ] == [
        (s.pair, s.token, s.count, len(s.tied), s.replacements, s.corpus_length, s.vocabulary_size)
        for s in reference.steps
    ]
    assert [step.index for step in trainer.steps] == list(range(1, len(reference.steps) + 1))
    assert [trainer.token(id).data for id in range(len(reference.spelling))] == reference.spelling
    for k, step in enumerate(reference.steps):
        assert tuple(trainer.tied_pairs(k)) == step.tied


def assert_same_state(trainer: Trainer, reference: Reference, k: int) -> None:
    """Words, pairs, shares and token counts after k merges."""
    state = [tuple(word) for word in reference.states[k]]
    assert trainer.words_at(k) == state
    assert trainer.words_at(k, limit=2) == state[:2]
    assert trainer.words_at(k, longest=2) == [word[:2] for word in state]
    assert trainer.word_lengths(k) == list(map(len, state))
    assert trainer.word_lengths(k, limit=1) == list(map(len, state[:1]))
    assert trainer.distinct_length(k) == sum(map(len, state))
    ranked = reference.ranked(k)
    top = ranked[0][1] if ranked else 0
    shared = sum(1 for _, count in ranked if count == top) > 1
    expected = [(pair, count, shared and count == top) for pair, count in ranked]
    assert [(r.pair, r.count, r.tied) for r in trainer.ranked_pairs(k)] == expected
    for limit in (0, 1, 3):
        assert [(r.pair, r.count, r.tied) for r in trainer.ranked_pairs(k, limit)] == expected[:limit]
    assert trainer.pair_total(k) == len(ranked)
    for pair, count in ranked[:3] + ranked[-1:]:
        shares = trainer.shares(pair, k)
        assert sum(share.count * share.occurrences for share in shares) == count == trainer.count(pair, k)
        assert [(s.word_index, s.count, s.occurrences) for s in shares] == [
            (i, reference.counts[i], n)
            for i, word in enumerate(state)
            if (n := sum(1 for j in range(len(word) - 1) if word[j : j + 2] == pair))
        ]
        assert all(share.word == trainer.corpus.words[share.word_index] for share in shares)
    tokens: dict[int, int] = {}
    for word, count in zip(state, reference.counts, strict=True):
        for id in word:
            tokens[id] = tokens.get(id, 0) + count
    assert list(trainer.token_counts(k).items()) == sorted(tokens.items())
    assert trainer.corpus_length(k) == reference.length(k)
    assert trainer.vocabulary_size(k) == reference.units_in_use + k


# --- the reference decides -----------------------------------------------------------------------------


@settings(max_examples=1000)
@given(words(), SETTINGS)
def test_steps_equal_the_reference(table: list[tuple[str, int]], how: dict[str, Any]) -> None:
    trainer, reference = trainer_of(table, **how), reference_of(table, **how)
    reference.train()
    assert trainer.train_to() == len(reference.steps)
    assert_same_steps(trainer, reference)
    assert trainer.step() is None


@settings(max_examples=400)
@given(st.text("ab \n,é", max_size=60), st.sampled_from(PreTokenizer), st.sampled_from(TieRule))
def test_steps_from_running_text_equal_the_reference(text: str, how: PreTokenizer, ties: TieRule) -> None:
    table: dict[str, int] = {}
    for word in how.split(text):
        table[word] = table.get(word, 0) + 1
    trainer = Trainer(Corpus.from_text(text, how), ties=ties, min_count=1)
    reference = Reference(table.items(), marker=how.has_marker, ties=ties.value)
    trainer.train_to()
    reference.train()
    assert_same_steps(trainer, reference)


@settings(max_examples=300)
@given(words(), SETTINGS, st.lists(st.one_of(st.none(), st.integers(0, 15)), max_size=15))
def test_any_state_in_any_order_of_asking(
    table: list[tuple[str, int]], how: dict[str, Any], asked: list[int | None]
) -> None:
    trainer, reference = trainer_of(table, **how), reference_of(table, **how)
    reference.train()
    for k in asked:
        if k is None:
            trainer.step()
        else:
            assert_same_state(trainer, reference, min(k, len(trainer.steps)))
    trainer.train_to()
    for k in reversed(range(len(reference.steps) + 1)):
        assert_same_state(trainer, reference, k)
    assert_same_steps(trainer, reference)


@settings(max_examples=300)
@given(words(), SETTINGS, st.data())
def test_a_fork_equals_the_reference_with_that_pair_taken(
    table: list[tuple[str, int]], how: dict[str, Any], data: st.DataObject
) -> None:
    trainer, plain = trainer_of(table, **how), reference_of(table, **how)
    plain.train()
    trainer.train_to()
    merge = data.draw(st.integers(1, len(plain.steps) + 1), "merge")
    choices = list(plain.pair_counts(merge - 1))
    assume(choices)
    pair = data.draw(st.sampled_from(choices), "pair")
    forked = trainer.fork(merge, pair)
    taken = [step.pair for step in plain.steps[: merge - 1]] + [pair]
    assert [step.pair for step in forked.steps] == taken
    reference = reference_of(table, **how, taken=taken)
    reference.train()
    forked.train_to()
    assert_same_steps(forked, reference)
    assert_same_state(forked, reference, merge)
    assert len(trainer.steps) == len(plain.steps)  # the trainer that was forked stays as it was
    assert_same_steps(trainer, plain)


@settings(max_examples=300)
@given(words(), SETTINGS)
def test_least_frequent_equals_the_reference(table: list[tuple[str, int]], how: dict[str, Any]) -> None:
    how["choice"] = Choice.LEAST_FREQUENT
    trainer, reference = trainer_of(table, **how), reference_of(table, **how)
    reference.train()
    trainer.train_to()
    assert_same_steps(trainer, reference)


@settings(max_examples=300)
@given(words(), SETTINGS, st.integers(0, 3))
def test_random_takes_real_pairs_and_repeats_with_its_seed(
    table: list[tuple[str, int]], how: dict[str, Any], seed: int
) -> None:
    how["choice"] = Choice.RANDOM
    trainer, again = trainer_of(table, **how, seed=seed), trainer_of(table, **how, seed=seed)
    trainer.train_to()
    while again.step():  # asking in between must not use up any chance
        assert again.stop is None or again.next_pair(len(again.steps)) is None
    assert trainer.steps == again.steps
    reference = reference_of(table, **how)
    for step in trainer.steps:
        assert reference.pair_counts(step.index - 1)[step.pair] >= how["min_count"]
        reference.merge(step.pair)
    assert_same_steps(trainer, reference)
    assert max(reference.pair_counts(len(reference.steps)).values(), default=0) < how["min_count"]


def test_random_seeds_differ() -> None:
    corpus = Corpus.from_text("abcdefghijklmnopqrstuvwxyz", PreTokenizer.NONE)
    firsts = {Trainer(corpus, choice=Choice.RANDOM, seed=seed).next_pair(0) for seed in range(20)}
    assert len(firsts) > 5


# --- what is true of any training ----------------------------------------------------------------------


@settings(max_examples=400)
@given(words(), SETTINGS)
def test_no_pair_twice_no_string_twice_and_always_shorter(
    table: list[tuple[str, int]], how: dict[str, Any]
) -> None:
    trainer = trainer_of(table, **how)
    trainer.train_to()
    pairs = [step.pair for step in trainer.steps]
    assert len(set(pairs)) == len(pairs)
    made = [(trainer.token(step.token).data, trainer.token(step.token).ends_word) for step in trainer.steps]
    assert len(set(made)) == len(made)
    lengths = [trainer.corpus_length(k) for k in range(len(pairs) + 1)]
    assert all(after < before for before, after in pairwise(lengths))
    for step in trainer.steps:
        assert trainer.parents(step.token) == step.pair
        assert trainer.merge_of(step.token) == step.index
        before = trainer.corpus_length(step.index - 1)
        if step.pair[0] != step.pair[1]:
            assert step.corpus_length == before - step.count
        else:
            assert before - step.count <= step.corpus_length <= before - (step.count + 1) // 2
    counts = [step.count for step in trainer.steps]
    assert counts == sorted(counts, reverse=True)
    assert min(counts, default=how["min_count"]) >= how["min_count"]


@settings(max_examples=200)
@given(words(), SETTINGS, st.data())
def test_encoding_the_training_words_gives_the_state(
    table: list[tuple[str, int]], how: dict[str, Any], data: st.DataObject
) -> None:
    trainer = trainer_of(table, **how)
    k = data.draw(st.integers(0, trainer.train_to()), "k")
    tokenizer = trainer.tokenizer(k)
    assert [tokenizer.encode_word(word) for word in trainer.corpus.words] == trainer.words_at(k)


@settings(max_examples=200)
@given(words(), SETTINGS, st.integers(2, 5))
def test_a_corpus_repeated_learns_the_same_with_every_count_multiplied(
    table: list[tuple[str, int]], how: dict[str, Any], times: int
) -> None:
    how["min_count"] = 1
    once, often = trainer_of(table, **how), trainer_of(table * times, **how)
    once.train_to()
    often.train_to()
    assert [(s.pair, s.tied) for s in once.steps] == [(s.pair, s.tied) for s in often.steps]
    assert [s.count * times for s in once.steps] == [s.count for s in often.steps]
    assert [s.corpus_length * times for s in once.steps] == [s.corpus_length for s in often.steps]


# --- stopping, progress and errors ---------------------------------------------------------------------


def no_merges(text: str, pre_tokenizer: PreTokenizer, **how: Any) -> tuple[int, int, StopReason | None]:
    """L0, V0 and the reason where nothing can be learned."""
    trainer = Trainer(Corpus.from_text(text, pre_tokenizer), **how)
    assert trainer.step() is None
    assert trainer.train_to() == 0
    assert trainer.ranked_pairs(0) == [] or how
    assert trainer.tied_pairs(0) == []
    return trainer.initial_length, trainer.initial_vocabulary_size, trainer.stop


@pytest.mark.parametrize("pre_tokenizer", PreTokenizer)
@pytest.mark.parametrize("unit", Unit)
def test_an_empty_corpus_is_a_result(pre_tokenizer: PreTokenizer, unit: Unit) -> None:
    assert no_merges("", pre_tokenizer, unit=unit) == (0, 0, StopReason.EMPTY_CORPUS)


def test_a_corpus_that_is_dropped_whole_is_empty() -> None:
    assert no_merges("   ", PreTokenizer.ARTICLE) == (0, 0, StopReason.EMPTY_CORPUS)


def test_one_letter_has_no_pair() -> None:
    assert no_merges("x", PreTokenizer.NONE) == (1, 1, StopReason.NO_PAIRS)
    assert no_merges("a b a", PreTokenizer.WHITESPACE) == (3, 2, StopReason.NO_PAIRS)


def test_two_letters_make_one_merge() -> None:
    trainer = Trainer(Corpus.from_text("xy", PreTokenizer.NONE))
    assert trainer.stop is None
    assert trainer.train_to() == 1
    assert [(s.count, s.corpus_length, s.vocabulary_size) for s in trainer.steps] == [(1, 1, 3)]
    assert trainer.stop is StopReason.NO_PAIRS


def test_below_the_minimum_count() -> None:
    assert no_merges("abcd", PreTokenizer.NONE, min_count=2) == (4, 4, StopReason.BELOW_MIN_COUNT)
    trainer = Trainer(Corpus.from_text("low lower lowest", PreTokenizer.WORD_END))
    assert trainer.min_count == 2
    trainer.train_to(200)
    assert trainer.stop is StopReason.BELOW_MIN_COUNT


def test_every_stop_reason_has_a_sentence() -> None:
    assert all(reason.sentence.endswith(".") for reason in StopReason)
    assert len({reason.sentence for reason in StopReason}) == len(StopReason)


def test_train_to_stops_at_k_and_goes_on_from_there() -> None:
    trainer = Trainer(Corpus.from_text("the café baker bakes cakes, the café bakes soufflé"))
    assert trainer.train_to(5) == 5
    first = trainer.steps[:]
    assert trainer.train_to(3) == 5
    assert trainer.train_to(None) == 22
    assert trainer.steps[:5] == first
    assert trainer.train_to(100) == 22


def test_counting_pairs_reports_units_to_the_end() -> None:
    told: list[tuple[int, int]] = []

    def note(done: int, total: int) -> bool:
        told.append((done, total))
        return True

    corpus = Corpus.from_text("ab" * 150_000, PreTokenizer.NONE)
    trainer = Trainer(corpus, progress=note)
    assert len(told) > 1
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert told[-1][0] == told[-1][1]
    assert [pair.count for pair in trainer.ranked_pairs(0)] == [150_000, 149_999]


def test_counting_pairs_can_be_stopped() -> None:
    corpus = Corpus.from_text("ab" * 150_000, PreTokenizer.NONE)
    with pytest.raises(Stopped, match=r"Stopped after 131,072 of 300,001 units were counted"):
        Trainer(corpus, progress=lambda done, total: False)


def test_progress_can_stop_the_training_and_what_was_learned_stays() -> None:
    text = "".join(chr(97 + (i * i + i // 7) % 26) for i in range(20_000))
    corpus = Corpus.from_text(text, PreTokenizer.NONE)
    seen: list[tuple[int, int]] = []

    def three_times(done: int, total: int) -> bool:
        seen.append((done, total))
        return len(seen) < 3

    trainer = Trainer(corpus)
    learned = trainer.train_to(1000, three_times)
    assert len(seen) == 3
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert {total for _, total in seen} == {1000}
    assert learned == len(trainer.steps) == seen[-1][0] < 1000
    assert trainer.stop is None
    whole = Trainer(corpus)
    whole.train_to(learned + 20)
    trainer.train_to(learned + 20)
    assert trainer.steps == whole.steps


@pytest.mark.parametrize("min_count", [0, -1])
def test_a_minimum_count_below_one_is_refused(min_count: int) -> None:
    with pytest.raises(SettingError, match=f"minimum count is {min_count};"):
        Trainer(Corpus.from_text("ab"), min_count=min_count)


def test_states_that_do_not_exist_are_refused() -> None:
    trainer = Trainer(Corpus.from_text("abab"))
    trainer.train_to()
    asking = (
        trainer.words_at, trainer.ranked_pairs, trainer.corpus_length, trainer.distinct_length,
        trainer.vocabulary_size, trainer.token_counts, trainer.tokenizer,
    )  # fmt: skip
    for k in (-1, len(trainer.steps) + 1):
        for ask in asking:
            with pytest.raises(SettingError, match="no state"):
                ask(k)


def test_forks_that_do_not_exist_are_refused() -> None:
    trainer = Trainer(Corpus.from_text("abab"))
    trainer.train_to(1)
    for merge in (0, 3):
        with pytest.raises(SettingError):
            trainer.fork(merge, (0, 1))
    absent: Pair = (0, 0)
    with pytest.raises(SettingError, match="Merge 1 "):
        trainer.fork(1, absent)


@pytest.mark.parametrize("id", [-1, 3, 10**30])
def test_ids_that_do_not_exist_are_refused_by_name(id: int) -> None:
    trainer = Trainer(Corpus.from_text("ab"))
    trainer.train_to()
    for ask in (trainer.token, trainer.merge_of, trainer.parents):
        with pytest.raises(UnknownTokenError, match=str(id)) as caught:
            ask(id)
        assert caught.value.unknown == (id,)


def test_a_token_made_by_thousands_of_merges_in_a_chain_is_spelled() -> None:
    text = "".join(chr(0x4E00 + i) for i in range(10_000))
    trainer = Trainer(Corpus.from_text(text, PreTokenizer.NONE))
    assert trainer.train_to() == 9999  # each merge adds one character to the token before
    for step in trainer.steps[::10]:
        assert trainer.token(step.token).text == text[: step.index + 1]


@settings(max_examples=200)
@given(words(), SETTINGS)
def test_a_token_is_spelled_by_its_parents(table: list[tuple[str, int]], how: dict[str, Any]) -> None:
    trainer = trainer_of(table, **how)
    trainer.train_to()
    for step in trainer.steps:
        left, right = map(trainer.token, step.pair)
        assert trainer.token(step.token) == left.joined(right, step.token)


def test_taken_pairs_come_first_whatever_their_count() -> None:
    corpus = Corpus.from_text("aaab", PreTokenizer.NONE)
    trainer = Trainer(corpus, min_count=2, taken=[(0, 1)])
    assert [(s.pair, s.count) for s in trainer.steps] == [((0, 1), 1)]
    trainer.train_to()
    assert [(s.pair, s.count) for s in trainer.steps] == [((0, 1), 1)]  # a·a·ab: (a,a) counts 1, below 2
    assert trainer.stop is StopReason.BELOW_MIN_COUNT


# --- large inputs that a careless implementation chokes on ---------------------------------------------


def test_a_hundred_thousand_equal_letters() -> None:
    trainer = Trainer(Corpus.from_text("a" * 100_000, PreTokenizer.NONE))
    trainer.train_to()
    lengths = [trainer.corpus_length(k) for k in range(len(trainer.steps) + 1)]
    assert lengths == [
        100_000, 50_000, 25_000, 12_500, 6250, 3125, 1563, 782, 392, 197, 100,
        52, 28, 16, 10, 7, 6, 5, 4, 3, 2, 1,
    ]  # fmt: skip


def test_a_sentence_repeated_is_counted_once_and_the_result_is_the_same() -> None:
    sentence = "the cat sat on the mat, "
    repeated = Corpus.from_text(sentence * 40_000)
    assert len(repeated.words) <= 8
    assert repeated.word_count == 7 * 40_000
    table = [(word, count) for word, count in zip(repeated.words, repeated.counts, strict=True)]
    trainer, reference = Trainer(repeated), Reference(table)
    reference.train()
    trainer.train_to()
    assert_same_steps(trainer, reference)
