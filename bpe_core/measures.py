"""Figures about a corpus and a run of merges: sizes, distributions, description length, PMI, and all in one.

Notation: L is the corpus length in tokens, V the vocabulary size, N a number of symbols, p = count / N.
Logarithms are to base 2, so results are in bits. A figure that is not defined, such as the
characters per token of an empty corpus, is None; nothing here divides by zero or gives -0.0.

Nothing but the fragments is tokenised again. What is wanted for every k at once comes from the sizes
(L, V) and the merge steps, in time O(k).

Not here: entropy and Huffman codes of given counts (``codes``), training (``training``), and how figures are
written or drawn (the pages).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log2

from .alphabet import Unit
from .codes import entropy, huffman, huffman_bits
from .corpus import Corpus
from .errors import SettingError, shown
from .text import utf8
from .training import MergeStep, Trainer

#: (L, V) after 0, 1, 2, … merges.
Sizes = Sequence[tuple[int, int]]

#: Lengths up to here stand in a distribution even when nothing has them, so that gaps are seen.
FILLED_TO = 100


class CostModel(Enum):
    """At which width the merge table is charged, two symbols for each merge.

    FINAL_WIDTH: all at the width of the vocabulary at k, as if the table were written at the end.
    WIDTH_IN_FORCE: each at the width of the vocabulary right after that merge.
    """

    FINAL_WIDTH = "final-width"
    WIDTH_IN_FORCE = "width-in-force"


def ratio(part: float, whole: float) -> float | None:
    """``part / whole``, or None when ``whole`` is 0.

    >>> ratio(35, 11), ratio(0, 0)
    (3.1818181818181817, None)
    """
    return part / whole if whole else None


# ------------------------------------------------------------------- distributions


def length_distribution(lengths: Mapping[int, int] | Iterable[int]) -> dict[int, int]:
    """Length to how many have it, ascending; give lengths one by one or with their numbers.

    Lengths that nothing has are listed with 0 from 1 on while they are at most FILLED_TO.

    >>> length_distribution([1, 3, 3])
    {1: 1, 2: 0, 3: 2}
    """
    found = Counter(lengths)
    gaps = range(1, min(max(found, default=0), FILLED_TO) + 1)
    return {length: found[length] for length in sorted({*gaps, *found})}


# --------------------------------------------------------------------- fixed width


def fixed_width(vocabulary_size: int) -> int:
    """w = ceil(log2 V): bits to number V symbols. One symbol, or none, needs no bits.

    >>> [fixed_width(v) for v in (0, 1, 2, 6, 8, 9)]
    [0, 0, 1, 3, 3, 4]
    """
    return max(vocabulary_size - 1, 0).bit_length()


def fixed_width_bits(length: int, vocabulary_size: int) -> int:
    """L · w: the corpus written with numbers of one width."""
    return length * fixed_width(vocabulary_size)


def ascii_bits(text_length: int) -> int:
    """8 bits for each character, as a file of ASCII text takes. Meaningful for ASCII text only."""
    return 8 * text_length


def description_lengths(sizes: Sizes, model: CostModel) -> list[int]:
    """The two-part cost in bits after 0, 1, 2, … merges: the corpus, then two symbols for each merge.

    FINAL_WIDTH: L·w + 2k·w with w the width at k. WIDTH_IN_FORCE: L·w + Σ 2·w_i over merges 1 … k.

    >>> description_lengths([(35, 6), (29, 7), (23, 8), (17, 9)], CostModel.FINAL_WIDTH)
    [105, 93, 81, 92]
    >>> description_lengths([(35, 6), (29, 7), (23, 8), (17, 9)], CostModel.WIDTH_IN_FORCE)
    [105, 93, 81, 88]
    """
    costs: list[int] = []
    charged = 0
    for k, (length, vocabulary_size) in enumerate(sizes):
        width = fixed_width(vocabulary_size)
        charged += 2 * width if k else 0
        table = 2 * k * width if model is CostModel.FINAL_WIDTH else charged
        costs.append(length * width + table)
    return costs


def best_k(costs: Sequence[int]) -> int | None:
    """The k of the lowest cost, the smallest such k; None where there are no costs.

    >>> best_k([105, 93, 93])
    1
    """
    return min(range(len(costs)), key=costs.__getitem__, default=None)


# ---------------------------------------------------------------- merges one by one


def pmi(count: int, left_count: int, right_count: int, length: int, pairs: int) -> float | None:
    """Pointwise mutual information of a pair, log2( p_ab / (p_a · p_b) ), in bits.

    p_ab = count / ``pairs`` with ``pairs`` the number of adjacent places: N - 1 in one unsplit text of N
    tokens, and in general N minus the number of words. p_a and p_b are shares of the ``length`` N.
    None when the pair, a side or the corpus does not occur.

    >>> round(pmi(6, 6, 15, 35, 34), 5)
    1.26421
    """
    if min(count, left_count, right_count, length, pairs) <= 0:
        return None
    return log2(count * length * length / (pairs * left_count * right_count))


@dataclass(frozen=True, slots=True)
class MergeFigures:
    """What one merge was worth, in bits, measured on the corpus just before it.

    ``fixed_width_saving`` is (replacements - 2) · w at the width before the merge: the tokens that went, less
    the two symbols of the new table row. It is below 0 when the row costs more than it saves.
    """

    index: int
    pmi: float | None
    count_times_pmi: float | None
    fixed_width_saving: int


def merge_figures(
    steps: Sequence[MergeStep], unit_counts: Mapping[int, int], initial_vocabulary_size: int, words: int
) -> list[MergeFigures]:
    """The figures of every merge in one pass over the steps.

    ``unit_counts`` are the counts by id before any merge, ``words`` the number of words, repeats counted.
    """
    counts = Counter(unit_counts)
    length = counts.total()
    figures: list[MergeFigures] = []
    for step in steps:
        left, right = step.pair
        bits = pmi(step.count, counts[left], counts[right], length, length - words)
        saving = (step.replacements - 2) * fixed_width(initial_vocabulary_size + step.index - 1)
        figures.append(MergeFigures(step.index, bits, None if bits is None else step.count * bits, saving))
        _apply(counts, step)
        length = step.corpus_length
    return figures


def token_entropies(steps: Sequence[MergeStep], unit_counts: Mapping[int, int]) -> list[float | None]:
    """Order-0 entropy in bits per token after 0, 1, 2, … merges, in one pass.

    Uses H = log2 N - (Σ c·log2 c) / N, of which a merge changes three terms. The terms are kept as whole
    multiples of 2^-60, so that adding and taking away leaves no trace of a term that is gone.
    """
    counts = Counter(unit_counts)
    length = counts.total()
    weighted = sum(_weighted(count) for count in counts.values())
    entropies = [_entropy_of(length, weighted)]
    for step in steps:
        changed = {*step.pair, step.token}
        weighted -= sum(_weighted(counts[id]) for id in changed)
        _apply(counts, step)
        weighted += sum(_weighted(counts[id]) for id in changed)
        entropies.append(_entropy_of(step.corpus_length, weighted))
    return entropies


def _apply(counts: Counter[int], step: MergeStep) -> None:
    # Twice on the same id when a token meets itself: both sides of each replacement go.
    counts[step.pair[0]] -= step.replacements
    counts[step.pair[1]] -= step.replacements
    counts[step.token] += step.replacements


_SCALE = 1 << 60


def _weighted(count: int) -> int:
    """c·log2 c in multiples of 2^-60."""
    return round(count * log2(count) * _SCALE) if count else 0


def _entropy_of(length: int, weighted: int) -> float | None:
    # max: a difference that is 0 in exact arithmetic may come out a hair below it.
    return max(0.0, log2(length) - weighted / (length * _SCALE)) if length else None


# ------------------------------------------------------------------- all in one


def measure(
    trainer: Trainer, k: int | None = None, fragments: Sequence[str] | None = None
) -> dict[str, object]:
    """Every figure by name, as plain data for JSON; ``best_k…`` and other ratios are None where undefined.

    Figures "by k" cover all merges learned; the others describe the state after ``k`` merges (all of them by
    default). Characters are those of the words, without the marker and without what was dropped.
    ``fragments`` are texts to count tokens of; by default some pieces of the corpus between white space.
    Raises SettingError for a ``k`` that is not learned.
    """
    at_k = state_figures(trainer, len(trainer.steps) if k is None else k, fragments)
    return {"unit": trainer.unit.value} | character_figures(trainer.corpus) | run_figures(trainer) | at_k


def character_figures(corpus: Corpus) -> dict[str, object]:
    """The part of ``measure`` that needs no training: the corpus written with one code for each character."""
    characters = _characters(corpus)
    total = characters.total()
    utf8_bytes = sum(count * len(utf8(c)) for c, count in characters.items())
    code = huffman({c: characters[c] for c in sorted(characters)})
    per_character = entropy(characters.values())
    return {
        "words": corpus.word_count,
        "distinct_words": len(corpus.words),
        "characters": total,
        "distinct_characters": len(characters),
        "utf8_bytes": utf8_bytes,
        "ascii_bits": ascii_bits(total) if utf8_bytes == total else None,
        "utf8_bits": 8 * utf8_bytes,
        "fixed_width": fixed_width(len(characters)),
        "fixed_width_bits": fixed_width_bits(total, len(characters)),
        "order0_entropy_bits_per_character": per_character,
        "order0_bound_bits": None if per_character is None else per_character * total,
        "huffman_bits": huffman_bits(code),
        "huffman_code_lengths": [word.length for word in code],
        "huffman_code": [{"character": w.symbol, "count": w.count, "code": w.code} for w in code],
    }


def run_figures(trainer: Trainer) -> dict[str, object]:
    """The part of ``measure`` about all merges learned so far.

    In lists "by k" entry i belongs to the state after i merges; in the others entry i to merge i + 1.
    """
    corpus, steps = trainer.corpus, trainer.steps
    total = _characters(corpus).total()
    sizes = [(trainer.corpus_length(i), trainer.vocabulary_size(i)) for i in range(len(steps) + 1)]
    final, in_force = (description_lengths(sizes, model) for model in CostModel)
    best_final, best_in_force = (best_k(costs) if total else None for costs in (final, in_force))
    units = trainer.token_counts(0)
    per_token = token_entropies(steps, units)
    merges = merge_figures(steps, units, trainer.initial_vocabulary_size, corpus.word_count)
    return {
        "corpus_length_by_k": [size[0] for size in sizes],
        "vocabulary_size_by_k": [size[1] for size in sizes],
        "two_part_final_width": final,
        "two_part_width_in_force": in_force,
        "best_k_final_width": best_final,
        "best_k_width_in_force": best_in_force,
        "best_bits_final_width": None if best_final is None else final[best_final],
        "best_bits_width_in_force": None if best_in_force is None else in_force[best_in_force],
        "token_entropy_by_k": per_token,
        "bits_per_character_by_k": [
            None if bits is None else ratio(bits * length, total)
            for bits, (length, _) in zip(per_token, sizes, strict=True)
        ],
        "pmi": [row.pmi for row in merges],
        "count_times_pmi": [row.count_times_pmi for row in merges],
        "fixed_width_saving": [row.fixed_width_saving for row in merges],
    }


def state_figures(trainer: Trainer, k: int, fragments: Sequence[str] | None = None) -> dict[str, object]:
    """The part of ``measure`` about the state after ``k`` merges."""
    corpus, learned = trainer.corpus, len(trainer.steps)
    if not 0 <= k <= learned:
        raise SettingError(f"There is no state after {shown(k)} merges; {learned} are learned.")
    total = sum(
        len(word) * occurrences for word, occurrences in zip(corpus.words, corpus.counts, strict=True)
    )
    length = trainer.corpus_length(k)
    token_counts = trainer.token_counts(k)
    per_token = entropy(token_counts.values())
    by_bytes, by_characters, by_word = Counter[int](), Counter[int](), Counter[int]()
    for id, count in token_counts.items():
        by_bytes[len(trainer.token(id).data)] += count
        by_characters[len(trainer.token(id).text or "")] += count
    for tokens, occurrences in zip(trainer.word_lengths(k), corpus.counts, strict=True):
        by_word[tokens] += occurrences
    tokenizer = trainer.tokenizer(k)
    pieces = _fragments(corpus.words) if fragments is None else fragments
    whole_characters = trainer.unit is Unit.CHAR
    return {
        "k": k,
        "corpus_length": length,
        "vocabulary_size": trainer.vocabulary_size(k),
        "characters_per_token": ratio(total, length),
        "compression_ratio": ratio(trainer.initial_length, length),
        "inverse_compression_ratio": ratio(length, trainer.initial_length),
        "characters_per_token_distribution": length_distribution(by_characters) if whole_characters else None,
        "bytes_per_token_distribution": length_distribution(by_bytes),
        "tokens_per_word": ratio(length, corpus.word_count),
        "tokens_per_word_distribution": length_distribution(by_word),
        "tokens_per_fragment": {piece: len(tokenizer.encode(piece)) for piece in pieces},
        "token_entropy_bits_per_token": per_token,
        "token_entropy_bits": None if per_token is None else per_token * length,
        "bits_per_character": None if per_token is None else ratio(per_token * length, total),
    }


def _characters(corpus: Corpus) -> Counter[str]:
    """How often each character stands in the words, repeats counted."""
    characters: Counter[str] = Counter()
    for word, occurrences in zip(corpus.words, corpus.counts, strict=True):
        for c, in_word in Counter(word).items():
            characters[c] += in_word * occurrences
    return characters


def _fragments(words: Iterable[str]) -> list[str]:
    """The first 20 different pieces between white space, those of an unreadable length left out."""
    pieces = dict.fromkeys(piece for word in words for piece in word.split() if len(piece) <= 60)
    return list(pieces)[:20]
