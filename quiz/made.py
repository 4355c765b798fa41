"""Made for you: questions without end, from a seed, a level (1 to 3) and, if wanted, a learner's own words.

The same seed, level and words give the same sheet on every machine (``dice``), so a class can share one or
each student can have their own. Question n of a sheet does not depend on how many are asked.

Wrong options are what a particular mistake gives, worked out by the core (``figures``). One that comes out
right, or the same as another, is left out; if too few are left, another corpus is drawn.

Not here: corpora and texts (``made_corpora``), how each kind is put together (``made_by_hand``,
``made_texts``).
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from bpe_core.errors import SettingError, shown

from .dice import Dice
from .made_by_hand import make_count_pair, make_next_pair, make_sizes, make_tie_rule
from .made_corpora import WordCounts
from .made_parts import Draft
from .made_texts import make_bits, make_bytes, make_most_tokens, make_split
from .questions import Question

LEVELS = (1, 2, 3)
#: Corpora drawn for one question before the learner's own words, and then the draw, are given up.
ATTEMPTS = 200


class MadeKind(Enum):
    """The kinds of made questions; the value is the word in a link."""

    COUNT_PAIR = "count-pair"
    NEXT_PAIR = "next-pair"
    SIZES = "sizes"
    SPLIT = "split"
    BYTES = "bytes"
    MOST_TOKENS = "most-tokens"
    BITS = "bits"
    TIE_RULE = "tie-rule"

    @property
    def label(self) -> str:
        """The kind in words."""
        return _LABELS[self]


_LABELS = {
    MadeKind.COUNT_PAIR: "Count a pair",
    MadeKind.NEXT_PAIR: "Next pair",
    MadeKind.SIZES: "Sizes after a merge",
    MadeKind.SPLIT: "Split a word",
    MadeKind.BYTES: "Length in bytes",
    MadeKind.MOST_TOKENS: "Most tokens possible",
    MadeKind.BITS: "Bits at k",
    MadeKind.TIE_RULE: "Which tie rule",
}

_MAKERS = {
    MadeKind.COUNT_PAIR: make_count_pair,
    MadeKind.NEXT_PAIR: make_next_pair,
    MadeKind.SIZES: make_sizes,
    MadeKind.SPLIT: make_split,
    MadeKind.BYTES: make_bytes,
    MadeKind.MOST_TOKENS: make_most_tokens,
    MadeKind.BITS: make_bits,
    MadeKind.TIE_RULE: make_tie_rule,
}


def made_question(
    seed: int, number: int, level: int = 1, kind: MadeKind | None = None, words: WordCounts = ()
) -> Question:
    """Question ``number`` (from 0) of the sheet with this seed and level.

    ``kind`` asks for one kind; by default all kinds take turns in an order of chance. ``words`` are a
    learner's own (``made_corpora.usable_words``); where they do not serve, a corpus is generated.

    >>> one = made_question(7, 0, 1, MadeKind.COUNT_PAIR)
    >>> one == made_question(7, 0, 1, MadeKind.COUNT_PAIR), one.id
    (True, 'count-pair-1-7-0')

    Raises SettingError for a level other than 1, 2, 3.
    """
    if level not in LEVELS:
        raise SettingError(f"The level {shown(level)} does not exist; it is 1, 2 or 3.")
    if kind is None:
        kinds = list(MadeKind)
        block, place = divmod(number, len(kinds))
        kind = Dice(seed, level, "kinds", block).shuffled(kinds)[place]
    for own in (words, ()) if words else ((),):
        for attempt in range(ATTEMPTS):
            dice = Dice(seed, level, kind.value, number, attempt)
            question = _MAKERS[kind](Draft(dice, level, own))
            if question is not None:
                mark = "-own" if own else ""
                return replace(question, id=f"{kind.value}-{level}-{seed}-{number}{mark}")
    raise AssertionError("a generated corpus always serves within the attempts")


def made_sheet(
    seed: int, level: int = 1, length: int = 10, kind: MadeKind | None = None, words: WordCounts = ()
) -> tuple[Question, ...]:
    """The first ``length`` questions of a sheet."""
    return tuple(made_question(seed, number, level, kind, words) for number in range(length))
