"""Figures: the worked lesson by hand, slow formulas, and nothing that divides by zero."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from math import copysign, isclose, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.alphabet import Unit
from bpe_core.codes import entropy, huffman, huffman_bits
from bpe_core.corpus import Corpus
from bpe_core.errors import SettingError
from bpe_core.measures import (
    CostModel,
    ascii_bits,
    best_k,
    description_lengths,
    fixed_width,
    fixed_width_bits,
    length_distribution,
    measure,
    merge_figures,
    pmi,
    ratio,
    token_entropies,
)
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Choice, TieRule, Trainer

LESSON = "abracadabra abracadabra abracadabra"
LETTERS = {" ": 2, "a": 15, "b": 6, "c": 3, "d": 3, "r": 6}
LENGTHS = [35, 29, 23, 17, 14, 11, 8, 5, 3, 2, 1]
DOUBLED = [71, 59, 47, 35, 29, 23, 17, 11, 6, 4, 3, 2, 1]


def lesson(text: str = LESSON, merges: int | None = None) -> Trainer:
    trainer = Trainer(Corpus.from_text(text, PreTokenizer.NONE), ties=TieRule.COLUMN_MAJOR)
    trainer.train_to(merges)
    return trainer


def sizes(lengths: list[int], start: int = 6) -> list[tuple[int, int]]:
    return [(length, start + k) for k, length in enumerate(lengths)]


# --- the lesson, worked out by hand ------------------------------------------------------------------


def test_codes_for_single_characters() -> None:
    assert Counter(LESSON) == LETTERS
    assert ascii_bits(35) == 280
    assert (fixed_width(6), fixed_width_bits(35, 6)) == (3, 105)
    bits = entropy(LETTERS.values())
    assert bits == pytest.approx(2.23978, abs=5e-6)
    assert 35 * bits == pytest.approx(78.392, abs=5e-4)
    code = huffman(LETTERS)
    assert [word.length for word in code] == [1, 3, 3, 3, 4, 4]
    assert huffman_bits(code) == 80


def test_the_huffman_code_is_canonical() -> None:
    # By hand: space+c 5, d+5 8, b+r 12, 8+12 20, then a. Codes count upwards within and across lengths.
    assert [(word.symbol, word.code) for word in huffman(LETTERS)] == [
        ("a", "0"),
        ("b", "100"),
        ("d", "101"),
        ("r", "110"),
        (" ", "1110"),
        ("c", "1111"),
    ]


def test_the_two_part_cost_under_both_models() -> None:
    final = description_lengths(sizes(LENGTHS), CostModel.FINAL_WIDTH)
    in_force = description_lengths(sizes(LENGTHS), CostModel.WIDTH_IN_FORCE)
    assert final == [105, 93, 81, 92, 88, 84, 80, 76, 76, 80, 84]
    assert in_force == [105, 93, 81, 88, 84, 80, 76, 72, 72, 76, 80]
    assert best_k(final) == best_k(in_force) == 7


def test_the_two_part_cost_of_the_doubled_text() -> None:
    costs = description_lengths(sizes(DOUBLED), CostModel.FINAL_WIDTH)
    assert costs == [213, 183, 153, 164, 148, 132, 116, 100, 88, 88, 92, 120, 125]
    assert best_k(costs) == 8


def test_pmi_of_the_first_two_merges() -> None:
    first = pmi(6, left_count=6, right_count=15, length=35, pairs=34)
    second = pmi(6, left_count=9, right_count=6, length=29, pairs=28)
    assert first == pytest.approx(1.26421, abs=5e-6)
    assert second == pytest.approx(1.73868, abs=5e-6)
    assert 6 * first == pytest.approx(7.585, abs=5e-4)
    assert 6 * second == pytest.approx(10.432, abs=5e-4)


def test_the_whole_lesson_by_name() -> None:
    figures = measure(lesson(), k=5, fragments=["abracadabra", "abra", "cad", "bra", "ac", "d"])
    assert figures["characters"] == 35
    assert figures["corpus_length_by_k"] == LENGTHS
    assert figures["vocabulary_size_by_k"] == list(range(6, 17))
    assert (figures["corpus_length"], figures["vocabulary_size"]) == (11, 11)
    assert figures["ascii_bits"] == 280
    assert (figures["fixed_width"], figures["fixed_width_bits"]) == (3, 105)
    assert figures["order0_entropy_bits_per_character"] == pytest.approx(2.23978, abs=5e-6)
    assert figures["order0_bound_bits"] == pytest.approx(78.392, abs=5e-4)
    assert figures["huffman_bits"] == 80
    assert figures["huffman_code_lengths"] == [1, 3, 3, 3, 4, 4]
    assert figures["two_part_final_width"] == [105, 93, 81, 92, 88, 84, 80, 76, 76, 80, 84]
    assert figures["two_part_width_in_force"] == [105, 93, 81, 88, 84, 80, 76, 72, 72, 76, 80]
    assert (figures["best_k_final_width"], figures["best_bits_final_width"]) == (7, 76)
    assert (figures["best_k_width_in_force"], figures["best_bits_width_in_force"]) == (7, 72)
    assert figures["characters_per_token_distribution"] == {1: 2, 2: 0, 3: 3, 4: 6}
    assert figures["characters_per_token"] == pytest.approx(3.1818, abs=5e-5)
    assert figures["compression_ratio"] == pytest.approx(3.1818, abs=5e-5)
    assert figures["inverse_compression_ratio"] == pytest.approx(0.3143, abs=5e-5)
    assert figures["tokens_per_fragment"] == {
        "abracadabra": 3,
        "abra": 1,
        "cad": 1,
        "bra": 2,
        "ac": 2,
        "d": 1,
    }
    assert figures["token_entropy_bits_per_token"] == pytest.approx(1.43537, abs=5e-6)
    assert figures["token_entropy_bits"] == pytest.approx(15.789, abs=5e-4)
    assert figures["bits_per_character"] == pytest.approx(0.45112, abs=5e-6)
    assert figures["token_entropy_by_k"][5] == pytest.approx(1.43537, abs=5e-6)
    assert figures["bits_per_character_by_k"][5] == pytest.approx(0.45112, abs=5e-6)
    # Before any merge a token is a character; at the end one token is the text and says nothing.
    assert figures["bits_per_character_by_k"][0] == pytest.approx(2.23978, abs=5e-6)
    assert figures["bits_per_character_by_k"][10] == 0
    assert figures["pmi"][:2] == pytest.approx([1.26421, 1.73868], abs=5e-6)
    assert figures["count_times_pmi"][:2] == pytest.approx([7.585, 10.432], abs=5e-4)
    # (6 - 2)·3 three times, (3 - 2)·4 four times, then (2 - 2)·4 and (1 - 2)·4 twice.
    assert figures["fixed_width_saving"] == [12, 12, 12, 4, 4, 4, 4, 0, -4, -4]


def test_the_doubled_lesson_by_name() -> None:
    figures = measure(lesson(f"{LESSON} {LESSON}"))
    assert figures["corpus_length_by_k"] == DOUBLED
    assert figures["best_k_final_width"] == 8
    assert figures["two_part_final_width"][8:10] == [88, 88]


def test_the_least_frequent_pair_makes_a_worse_curve() -> None:
    worse = Trainer(
        Corpus.from_text(LESSON, PreTokenizer.NONE), ties=TieRule.COLUMN_MAJOR, choice=Choice.LEAST_FREQUENT
    )
    worse.train_to(None)
    figures = measure(worse)
    # The rarest pairs occur twice: removing two tokens just pays for a table row of two, at best.
    assert figures["best_k_final_width"] == 0
    assert figures["two_part_final_width"][:4] == [105, 105, 105, 140]


# --- other corpora -----------------------------------------------------------------------------------


def test_words_are_weighted_by_their_counts() -> None:
    corpus = Corpus.from_word_counts([("hop", 5), ("hops", 2), ("shop", 3), ("shops", 1)])
    trainer = Trainer(corpus)
    trainer.train_to(2)  # h+o, ho+p
    figures = measure(trainer)
    assert (figures["words"], figures["distinct_words"], figures["characters"]) == (11, 4, 40)
    assert figures["corpus_length_by_k"] == [40, 29, 18]
    # hop 1 token ×5, hop·s and s·hop 2 tokens ×5, s·hop·s 3 tokens ×1
    assert figures["tokens_per_word_distribution"] == {1: 5, 2: 5, 3: 1}
    assert figures["tokens_per_word"] == pytest.approx(18 / 11)
    assert figures["characters_per_token_distribution"] == {1: 7, 2: 0, 3: 11}
    # (h,o): 11 of 40 - 11 adjacent places; h 11 and o 11 of 40.
    assert figures["pmi"][0] == pytest.approx(log2((11 / 29) / (11 / 40 * 11 / 40)))


def test_bytes_and_characters_are_not_mixed_up() -> None:
    trainer = Trainer(Corpus.from_text("éé", PreTokenizer.NONE), Unit.BYTE)
    figures = measure(trainer)
    assert (figures["characters"], figures["utf8_bytes"], figures["corpus_length"]) == (2, 4, 4)
    assert (figures["characters_per_token"], figures["compression_ratio"]) == (0.5, 1.0)
    assert figures["characters_per_token_distribution"] is None
    assert figures["bytes_per_token_distribution"] == {1: 4}
    assert (figures["ascii_bits"], figures["utf8_bits"]) == (None, 32)


def test_the_marker_is_a_token_of_no_characters() -> None:
    trainer = Trainer(Corpus.from_text("low low", PreTokenizer.WORD_END))
    figures = measure(trainer)
    assert (figures["characters"], figures["corpus_length"]) == (6, 8)
    assert figures["characters_per_token_distribution"] == {0: 2, 1: 6}


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_corpus_has_no_ratios(text: str) -> None:
    trainer = Trainer(Corpus.from_text(text))
    trainer.train_to(None)
    figures = measure(trainer)
    for name in (
        "order0_entropy_bits_per_character",
        "order0_bound_bits",
        "best_k_final_width",
        "best_k_width_in_force",
        "characters_per_token",
        "compression_ratio",
        "inverse_compression_ratio",
        "tokens_per_word",
        "token_entropy_bits_per_token",
        "token_entropy_bits",
        "bits_per_character",
    ):
        assert figures[name] is None, name
    assert figures["token_entropy_by_k"] == figures["bits_per_character_by_k"] == [None]
    assert figures["huffman_bits"] == figures["fixed_width_bits"] == figures["ascii_bits"] == 0


def test_one_letter_over_and_over_takes_no_bits_at_first() -> None:
    trainer = Trainer(Corpus.from_text("a" * 8, PreTokenizer.NONE))
    trainer.train_to(None)  # L 8 4 2 1, V 1 2 3 4
    figures = measure(trainer)
    # 8·0, 4·1+2·1, 2·2+4·2, 1·2+6·2
    assert figures["two_part_final_width"] == [0, 6, 12, 14]
    assert figures["best_k_final_width"] == 0
    assert figures["token_entropy_by_k"] == [0.0, 0.0, 0.0, 0.0]
    # (a,a): 7 of 7 adjacent places, a is all of 8: log2(1) = 0, and 7 · 0.
    assert figures["pmi"][0] == 0.0
    assert figures["huffman_code"] == [{"character": "a", "count": 8, "code": ""}]


def test_rounding_never_takes_an_entropy_below_zero() -> None:
    trainer = Trainer(Corpus.from_text("a" * 10, PreTokenizer.NONE))
    trainer.train_to(None)
    entropies = token_entropies(trainer.steps, trainer.token_counts(0))
    assert min(entropies) >= 0
    assert entropies[0] == 0.0


def test_a_state_that_is_not_learned_is_refused() -> None:
    for k in (-1, 3):
        with pytest.raises(SettingError, match="2 are learned"):
            measure(lesson(merges=2), k=k)


# --- formulas against slow ones ----------------------------------------------------------------------

counts = st.dictionaries(st.integers(0, 30), st.integers(0, 60), max_size=9)


def test_ratios_and_distributions() -> None:
    assert ratio(1, 4) == 0.25
    assert ratio(1, 0) is None
    assert length_distribution([]) == {}
    assert length_distribution({0: 2, 2: 1}) == {0: 2, 1: 0, 2: 1}
    assert len(length_distribution([100_000])) == 101


@given(st.integers(1, 5000))
def test_the_width_is_the_smallest_that_can_number_all(v: int) -> None:
    assert 2 ** fixed_width(v) >= v
    assert v == 1 or 2 ** (fixed_width(v) - 1) < v


@given(counts)
def test_a_huffman_code_is_prefix_free_full_and_near_the_entropy(table: dict[int, int]) -> None:
    code = huffman(table)
    present = {symbol: count for symbol, count in table.items() if count}
    assert {word.symbol: word.count for word in code} == present
    for one, other in product(code, code):
        assert one is other or not other.code.startswith(one.code)
    if code:
        assert sum(2.0**-word.length for word in code) == 1.0
        bound = entropy(table.values())
        total = sum(present.values())
        assert bound * total - 1e-9 <= huffman_bits(code) < (bound + 1) * total
    lengths = [word.length for word in code]
    assert lengths == sorted(lengths)


def test_no_code_of_whole_bits_beats_huffman() -> None:
    # All sets of code lengths that fit in one prefix code (Kraft), for four symbols.
    for weights in product([1, 2, 3, 5, 8], repeat=4):
        fitting = [ls for ls in product(range(1, 5), repeat=4) if sum(2.0**-n for n in ls) <= 1]
        best = min(sum(w * n for w, n in zip(weights, ls, strict=True)) for ls in fitting)
        assert huffman_bits(huffman(dict(enumerate(weights)))) == best


@given(counts)
def test_entropy_is_the_textbook_sum(table: dict[int, int]) -> None:
    total = sum(table.values())
    bits = entropy(table.values())
    if total == 0:
        assert bits is None
    else:
        slow = -sum(c / total * log2(c / total) for c in table.values() if c)
        assert isclose(bits, slow, abs_tol=1e-9)


@pytest.mark.parametrize("missing", range(5))
def test_pmi_of_what_does_not_occur_is_not_defined(missing: int) -> None:
    values = [2, 3, 4, 10, 9]
    values[missing] = 0
    assert pmi(*values) is None


corpora = st.lists(st.tuples(st.text("abé ", min_size=1, max_size=9), st.integers(1, 4)), max_size=6)


@given(corpora, st.sampled_from(Unit), st.sampled_from([PreTokenizer.NONE, PreTokenizer.WORD_END]))
def test_figures_in_one_pass_equal_counting_again_at_every_k(
    table: list[tuple[str, int]], unit: Unit, words: PreTokenizer
) -> None:
    trainer = Trainer(Corpus.from_word_counts(table, words), unit, min_count=1)
    trainer.train_to(None)
    units = trainer.token_counts(0)
    word_counts = trainer.corpus.counts
    entropies = token_entropies(trainer.steps, units)
    figures = merge_figures(trainer.steps, units, trainer.initial_vocabulary_size, sum(word_counts))
    assert len(entropies) == len(figures) + 1 == len(trainer.steps) + 1
    for k, bits in enumerate(entropies):
        spelled = trainer.words_at(k)
        tokens: Counter[int] = Counter()
        places = 0
        for ids, count in zip(spelled, word_counts, strict=True):
            for id in ids:
                tokens[id] += count
            places += (len(ids) - 1) * count
        slow = entropy(tokens.values())
        assert (bits is None and slow is None) or isclose(bits, slow, abs_tol=1e-9)
        if k < len(figures):
            step = trainer.steps[k]
            n = tokens.total()
            p_left, p_right = (tokens[id] / n for id in step.pair)
            assert isclose(figures[k].pmi, log2(step.count / places / (p_left * p_right)), abs_tol=1e-9)
            assert isclose(figures[k].count_times_pmi, step.count * figures[k].pmi)


def numbers(value: object) -> list[float]:
    if isinstance(value, dict):
        return [n for item in value.values() for n in numbers(item)]
    if isinstance(value, list):
        return [n for item in value for n in numbers(item)]
    return [float(value)] if isinstance(value, int | float) else []


@given(corpora, st.sampled_from(Unit), st.integers(0, 4))
def test_every_figure_is_plain_json_without_minus_zero(
    table: list[tuple[str, int]], unit: Unit, merges: int
) -> None:
    trainer = Trainer(Corpus.from_word_counts(table), unit)
    trainer.train_to(merges)
    figures = measure(trainer)
    json.dumps(figures, allow_nan=False)
    assert all(n != 0 or copysign(1, n) == 1 for n in numbers(figures))
