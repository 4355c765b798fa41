"""What the Sizes page says: each definition as an equation with this corpus's own numbers in it.

Built from the core's records as parts for `say`; nothing here draws. Long sums name their first terms and
count the rest. Not here: the tables under the equations (`tables`, and ``*_table`` below for the page's own).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import pandas as pd

from bpe_core.alphabet import Unit
from bpe_core.ties import State, TwoRuns, first_places
from bpe_core.training import MergeStep, Pair, PairShare, TieRule, Trainer

from .figures import many
from .say import Part, strong, tok
from .tables import CELL_TOKENS, ROWS, joined, word_cell, written
from .train_words import TIE_WINNER, pair_parts

#: Terms of a sum that are written out.
TERMS = 12
#: Tied pairs that are listed.
TIED_SHOWN = 50
#: Tokens of a difference that are named.
NAMED = 30

_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_T = TypeVar("_T")


def low(number: int) -> str:
    """A number as an index: L₁₂.

    >>> low(12)
    '₁₂'
    """
    return str(number).translate(_LOW)


def written_sum(
    terms: Sequence[_T], write: Callable[[_T], str], value: Callable[[_T], int], rest: str
) -> str:
    """``a + b + … + 40 in 7 more words``: the first terms written out, the rest added up.

    >>> written_sum([1, 2, 3], str, int, "words"), written_sum(range(15), str, int, "words")[-25:]
    ('1 + 2 + 3', '+ 11 + 39 in 3 more words')
    """
    shown = " + ".join(map(write, terms[:TERMS]))
    if len(terms) > TERMS:
        shown += f" + {sum(map(value, terms[TERMS:])):,} in {len(terms) - TERMS:,} more {rest}"
    return shown


# --- lengths -----------------------------------------------------------------------------------


def length_parts(trainer: Trainer, k: int) -> list[Part]:
    """``L = Σ c·|s| = 1·3 + 2·5 + … = 50``."""
    lengths = trainer.word_lengths(k, TERMS)
    terms = list(zip(trainer.corpus.counts, lengths, strict=False))
    total = trainer.corpus_length(k)
    shown = " + ".join(f"{count:,}·{length:,}" for count, length in terms)
    more = len(trainer.corpus.words) - len(terms)
    if more > 0:
        rest = total - sum(count * length for count, length in terms)
        shown += f" + {rest:,} in {more:,} more word{'' if more == 1 else 's'}"
    return [f"L{low(k)} = Σ c·|s| = {shown} = ", strong(many(total, "token"))]


def vocabulary_parts(trainer: Trainer, k: int) -> list[Part]:
    """``|V₅| = |V₀| + 5 = 16 + 5 = 21``, and in byte mode the same by definition."""
    base, size = trainer.initial_vocabulary_size, trainer.vocabulary_size(k)
    now = f"|V{low(k)}| = |V₀| + k = {base:,} + {k:,} = "
    if trainer.unit is Unit.CHAR:
        return [now, strong(many(size, "token"))]
    whole = len(trainer.alphabet)
    marker = ", and the end-of-word marker" if whole > 256 else ""
    return [
        now,
        strong(many(size, "token")),
        f", counting the {base:,} units in use. By definition all 256 bytes are in the vocabulary{marker}: ",
        f"{whole:,} + {k:,} = {whole + k:,}.",
    ]


def falling_parts(trainer: Trainer, k: int) -> list[Part]:
    """``L₅ = L₄ − replacements = 36 − 3 = 33``, and the same from the start."""
    if k == 0:
        return [
            f"L₀ = {trainer.initial_length:,}: no merge has been made, so nothing has been replaced yet. "
            "Move k to see L fall."
        ]
    step = trainer.steps[k - 1]
    before = trainer.corpus_length(k - 1)
    parts: list[Part] = [
        f"L{low(k)} = L{low(k - 1)} − replacements of ",
        *pair_parts(trainer, step.pair),
        f" = {before:,} − {step.replacements:,} = ",
        strong(many(step.corpus_length, "token")),
    ]
    if k > 1:
        taken = [s.replacements for s in trainer.steps[:k]]
        shown = written_sum(taken, "{:,}".format, int, "merges")
        parts += [
            ("\n", "br"),
            f"L{low(k)} = L₀ − all replacements = {trainer.initial_length:,} − ({shown}) = ",
        ]
        parts.append(strong(many(step.corpus_length, "token")))
    return parts


# --- pairs and ties ----------------------------------------------------------------------------


def counted_parts(trainer: Trainer, pair: Pair, shares: Sequence[PairShare]) -> list[Part]:
    """``count(a, k) = Σ c·n = 1·1 + 2·1 + 1·1 = 4``; the words are in the table below it."""
    shown = written_sum(
        shares, lambda s: f"{s.count:,}·{s.occurrences:,}", lambda s: s.count * s.occurrences, "words"
    )
    total = sum(share.count * share.occurrences for share in shares)
    left, right = tok(trainer.token(pair[0])), tok(trainer.token(pair[1]))
    return ["count(", left, ", ", right, f") = Σ c·n = {shown} = ", strong(f"{total:,}")]


def shares_table(trainer: Trainer, shares: Sequence[PairShare], k: int) -> pd.DataFrame:
    """The words that hold a pair: the word, c, n and c·n."""
    rows = shares[:ROWS]
    last = max((share.word_index for share in rows), default=-1)
    split = trainer.words_at(k, last + 1, longest=CELL_TOKENS + 1)
    return pd.DataFrame(
        {
            "word": [word_cell(trainer, split[share.word_index]) for share in rows],
            "count": [share.count for share in rows],
            "pairs": [share.occurrences for share in rows],
            "product": [share.count * share.occurrences for share in rows],
        }
    )


def winner_parts(trainer: Trainer, k: int, tied: int) -> list[Part]:
    """``next pair = argmax count(a, b) = ␣ + c``, with the tie and how it is broken."""
    pair = trainer.next_pair(k)
    if pair is None:
        return []
    parts: list[Part] = ["next pair = argmax count(a, b) = ", *pair_parts(trainer, pair)]
    parts.append(f" with count {trainer.count(pair, k):,}. ")
    if tied == 1:
        parts.append("No other pair is as frequent, so there is no tie to break.")
    else:
        parts += [
            strong(f"{tied:,} pairs are tied"),
            f" at this count; the tie rule takes {TIE_WINNER[trainer.ties]}.",
        ]
    return parts


def tied_table(trainer: Trainer, tied: Sequence[Pair], k: int) -> pd.DataFrame:
    """The tied pairs in the order the rule takes them, with all that any of the rules looks at."""
    places = first_places(trainer, tied, k)
    words = trainer.corpus.words
    return pd.DataFrame(
        {
            "left": [written(trainer, pair[0]) for pair in tied],
            "right": [written(trainer, pair[1]) for pair in tied],
            "taken": ["next"] + [""] * (len(tied) - 1),
            "word": [f"{place.word_index + 1:,}" for place in places],
            "spelled": [_word(words[place.word_index]) for place in places],
            "unit": [place.unit + 1 for place in places],
            "left_id": [pair[0] for pair in tied],
            "right_id": [pair[1] for pair in tied],
        }
    )


def _word(word: str) -> str:
    shown = tok(word[:400])
    return shown if isinstance(shown, str) else shown[0]


#: What the tied pairs are ordered by, as columns of ``tied_table``.
LOOKED_AT = {
    TieRule.FIRST_SEEN: "Looked at: in which distinct word the pair is first seen, and at which place in it.",
    TieRule.LOWEST_IDS: "Looked at: the left id, then the right id; the lowest wins.",
    TieRule.COLUMN_MAJOR: "Looked at: the right id, then the left id; the lowest wins.",
}


# --- a pair that meets itself ------------------------------------------------------------------


def overlap_parts(trainer: Trainer) -> list[Part]:
    """The first merge of a small text whose count and replacements differ, reconciled; or that none does."""
    if not trainer.steps:
        return ["Two neighbours are needed for a pair: type at least two characters."]
    step = next((s for s in trainer.steps if s.replacements != s.count), None)
    if step is None:
        return [
            "In every merge of this text count and replacements are the same, so L falls by exactly the "
            "count. Try three or more of the same character in a row."
        ]
    before = trainer.corpus_length(step.index - 1)
    left = tok(trainer.token(step.pair[0]))
    meets = "once" if step.count == 1 else f"{step.count:,} times"
    done = "once" if step.replacements == 1 else f"{step.replacements:,} times"
    return [
        f"Merge {step.index:,}: ",
        left,
        " stands beside ",
        left,
        f" {meets}, but the places overlap: a token used up in one replacement is gone for the next, so "
        f"the pair is replaced {done}.",
        ("\n", "br"),
        f"L{low(step.index)} = {before:,} − {step.replacements:,} = ",
        strong(f"{step.corpus_length:,}"),
        f", not {before:,} − {step.count:,} = {before - step.count:,}.",
    ]


def overlap_table(trainer: Trainer) -> pd.DataFrame:
    """Every merge of the small text: count beside replacements, L before and after."""
    steps = trainer.steps
    return pd.DataFrame(
        {
            "merge": [step.index for step in steps],
            "left": [written(trainer, step.pair[0], 20) for step in steps],
            "right": [written(trainer, step.pair[1], 20) for step in steps],
            "count": [step.count for step in steps],
            "replaced": [step.replacements for step in steps],
            "before": [trainer.corpus_length(step.index - 1) for step in steps],
            "after": [step.corpus_length for step in steps],
            "why": [
                "left and right differ"
                if step.pair[0] != step.pair[1]
                else "meets itself, places overlap"
                if step.count != step.replacements
                else "meets itself, without overlap"
                for step in steps
            ],
        }
    )


# --- two runs ----------------------------------------------------------------------------------


def merge_name(trainer: Trainer, step: MergeStep) -> str:
    """``merge 3: ␣ + c, count 3, 4 tied``, for a menu."""
    return f"merge {step.index:,}: {pair_cell(trainer, step.pair)}, count {step.count:,}, {step.tied:,} tied"


def meeting_parts(runs: TwoRuns, merge: int, first: Trainer, pair: Pair) -> list[Part]:
    """Where the two runs part and where they meet again, in what."""
    shared = merge - 1
    parts: list[Part] = []
    if shared:
        parts.append(
            "The first merge is shared. " if shared == 1 else f"The first {shared:,} merges are shared. "
        )
    parts += [strong(f"They part at merge {merge:,}"), ": ", *pair_parts(first, first.steps[merge - 1].pair)]
    parts += [" as trained, ", *pair_parts(first, pair), " in the other run. "]
    after = runs.states[1:]
    last = after[-1].k
    lengths = [state.k for state in after if state.first_length != state.second_length]
    if not lengths:
        parts.append("L is the same in both at every k. ")
    elif len(lengths) == 1:
        parts.append(f"L differs at k = {lengths[0]:,} alone. ")
    else:
        parts.append(f"L differs at {len(lengths):,} values of k, from {lengths[0]:,} to {lengths[-1]:,}. ")
    meetings = [
        (
            "both vocabularies hold the same tokens",
            "the vocabularies never hold the same tokens",
            [not state.only_first and not state.only_second for state in after],
        ),
        (
            "all words are cut alike",
            # Unsaid where a long run was not looked at to its end.
            "the words are never all cut alike" if all(s.same_cut is not None for s in after) else "",
            [bool(state.same_cut) for state in after],
        ),
    ]
    # What is so from some k on, by that k and by whether it stays so.
    found: dict[tuple[int, bool], list[str]] = {}
    for yes, _, so in meetings:
        if any(so):
            at = so.index(True)
            found.setdefault((after[at].k, all(so[at:])), []).append(yes)
    for (k, stays), what in sorted(found.items()):
        tail = "and it stays so" if stays else "for the first time"
        parts.append(f"After merge {k:,} {' and '.join(what)}, {tail}. ")
    never = " and ".join(no for _, no, so in meetings if no and not any(so))
    if never:
        parts.append(f"{'From there on' if runs.complete else f'Up to merge {last:,}'} {never}. ")
    return parts


def end_parts(runs: TwoRuns, first: Trainer, second: Trainer) -> list[Part]:
    """The sizes of both at the last state, and the tokens that only one of them has."""
    state = runs.states[-1]
    sizes = [
        (trainer.vocabulary_size(min(state.k, len(trainer.steps))), length)
        for trainer, length in ((first, state.first_length), (second, state.second_length))
    ]
    when = "At the end of both runs" if runs.complete else f"After {state.k:,} merges"
    parts: list[Part]
    if sizes[0] == sizes[1]:
        parts = [f"{when} both have |V| = {sizes[0][0]:,} and L = {sizes[0][1]:,}. "]
    else:
        parts = [
            f"{when}: as trained |V| = {sizes[0][0]:,}, L = {sizes[0][1]:,}; "
            f"the other |V| = {sizes[1][0]:,}, L = {sizes[1][1]:,}. "
        ]
    if not runs.only_first and not runs.only_second:
        return [*parts, strong("The final vocabulary is the same.")]
    for who, tokens in (("as trained", runs.only_first), ("in the other run", runs.only_second)):
        parts.append(f"Only {who}: ")
        if not tokens:
            parts.append("none. ")
            continue
        for place, token in enumerate(tokens[:NAMED]):
            parts += [", " if place else "", tok(token)]
        more = len(tokens) - NAMED
        parts.append(f" and {more:,} more. " if more > 0 else ". ")
    return parts


def pair_cell(trainer: Trainer, pair: Pair) -> str:
    """``a + k`` as plain text, for a menu or a table."""
    return joined(written(trainer, pair[0], 20), written(trainer, pair[1], 20))


def runs_table(runs: TwoRuns, first: Trainer, second: Trainer, rows: int | None = ROWS) -> pd.DataFrame:
    """One row a state: the merge, its count and L in both runs, and what they have in common."""
    states = runs.states if rows is None else runs.states[:rows]

    def common(state: State) -> str:
        if not state.only_first and not state.only_second:
            return "all tokens the same"
        return f"{state.only_first:,} / {state.only_second:,}"

    return pd.DataFrame(
        {
            "k": [state.k for state in states],
            "first": [pair_cell(first, state.first.pair) if state.first else "" for state in states],
            "first_count": pd.array(
                [state.first.count if state.first else None for state in states], "Int64"
            ),
            "first_length": [state.first_length for state in states],
            "second": [pair_cell(second, state.second.pair) if state.second else "" for state in states],
            "second_count": pd.array(
                [state.second.count if state.second else None for state in states], "Int64"
            ),
            "second_length": [state.second_length for state in states],
            "only": [common(state) for state in states],
            "cut": [
                "alike" if state.same_cut else "not looked at" if state.same_cut is None else "differently"
                for state in states
            ],
        }
    )
