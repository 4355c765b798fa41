"""Ties: where each of the tied pairs is first seen, and what would have come of another choice.

Two runs over the same corpus *part* at the first merge they take differently. They *meet again* in one of
three ways, which need not come together: L is the same, the vocabulary holds the same tokens, or every word
is cut at the same places. Tokens of two runs are the same when they spell the same, whatever their ids.

Not here: which pairs are tied and a run with another choice (``Trainer.tied_pairs``, ``Trainer.fork``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .alphabet import Pair, Token
from .corpus import Progress
from .errors import SettingError
from .training import MergeStep, Trainer

#: How many units are looked at, all states together, to see whether both runs cut the words alike.
CUT_WORK = 20_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pair is first seen: the place of its distinct word in the corpus, and the unit it begins at.

    Both are counted from 0.
    """

    pair: Pair
    word_index: int
    unit: int


def first_places(trainer: Trainer, pairs: Sequence[Pair], k: int) -> list[Place]:
    """Where each pair is first seen after k merges, reading the distinct words in order.

    >>> from bpe_core.corpus import Corpus
    >>> trainer = Trainer(Corpus.from_text("cab abc"))
    >>> first_places(trainer, trainer.tied_pairs(0), 0)  # a + b, first in the word "cab"
    [Place(pair=(1, 2), word_index=0, unit=1)]

    Raises SettingError for a pair that does not occur.
    """
    words: list[int] = []
    for pair in pairs:
        shares = trainer.shares(pair, k)
        if not shares:
            raise SettingError(f"The pair {pair} does not occur after {k:,} merges.")
        words.append(shares[0].word_index)
    rows = trainer.words_at(k, max(words, default=-1) + 1)
    sizes = _Sizes(trainer)
    places = []
    for pair, word_index in zip(pairs, words, strict=True):
        ids = rows[word_index]
        left = next(i for i in range(len(ids) - 1) if (ids[i], ids[i + 1]) == pair)
        places.append(Place(pair, word_index, sum(sizes[id] for id in ids[:left])))
    return places


@dataclass(frozen=True, slots=True)
class State:
    """Both runs after k merges.

    ``first`` and ``second`` are the merges that led here, None where a run had none left (or k is 0); a run
    that has ended stays as it was. ``only_first`` and ``only_second`` say how many tokens only one of the
    vocabularies holds. ``same_cut`` is None where it was not looked at.
    """

    k: int
    first: MergeStep | None
    second: MergeStep | None
    first_length: int
    second_length: int
    only_first: int
    only_second: int
    same_cut: bool | None


@dataclass(frozen=True, slots=True)
class TwoRuns:
    """Two runs side by side.

    ``states`` begin with the last one both runs share. ``parted`` is the number of the first merge that
    differs, None when none does. ``same_length``, ``same_vocabulary`` and ``same_cut`` are the first k after
    it at which the runs have that in common, None when there is none among the states. ``only_first`` and
    ``only_second`` are the tokens that differ in the last state. ``complete``: both runs went to their end.
    """

    states: tuple[State, ...]
    parted: int | None
    same_length: int | None
    same_vocabulary: int | None
    same_cut: int | None
    only_first: tuple[Token, ...]
    only_second: tuple[Token, ...]
    complete: bool


def compare_runs(
    first: Trainer, second: Trainer, limit: int = 1_000, progress: Progress | None = None
) -> TwoRuns:
    """Lay the merges that two trainers have learned side by side, at most ``limit`` of them after they part.

    >>> from bpe_core.corpus import Corpus
    >>> trainer = Trainer(Corpus.from_text("ab cd"))
    >>> merges = trainer.train_to()
    >>> other = trainer.fork(1, trainer.tied_pairs(0)[1])  # c + d before a + b
    >>> merges = other.train_to()
    >>> runs = compare_runs(trainer, other)
    >>> runs.parted, runs.same_length, runs.same_vocabulary
    (1, 1, 2)

    ``progress`` is told how many states are done; stopping leaves the rest out. Raises SettingError for
    trainers of different corpora or units.
    """
    if first.corpus.words != second.corpus.words or first.corpus.counts != second.corpus.counts:
        raise SettingError("The two runs are over different corpora; they can only be compared on the same.")
    if first.unit is not second.unit or len(first.alphabet) != len(second.alphabet):
        raise SettingError(
            "The two runs start from different units; they can only be compared from the same."
        )
    steps = (first.steps, second.steps)
    end = max(len(first.steps), len(second.steps))
    # Up to where they part the ids are the same too, so the pairs can be compared as they are.
    shared = 0
    while shared < min(map(len, steps)) and steps[0][shared].pair == steps[1][shared].pair:
        shared += 1
    parted = shared + 1 if shared < end else None
    last = min(end, shared + limit)

    vocabularies: tuple[dict[_Spelling, Token], dict[_Spelling, Token]] = ({}, {})
    sizes = (_Sizes(first), _Sizes(second))
    work = CUT_WORK // max(1, sum(map(len, first.corpus.words)))
    states = [_state(first, second, shared, (0, 0), True)]
    for k in range(shared + 1, last + 1):
        for run, trainer in enumerate((first, second)):
            if k <= len(trainer.steps):
                token = trainer.token(trainer.steps[k - 1].token)
                spelling = (token.data, token.ends_word)
                if spelling in vocabularies[1 - run]:
                    del vocabularies[1 - run][spelling]
                else:
                    vocabularies[run][spelling] = token
        lengths = [trainer.corpus_length(min(k, len(trainer.steps))) for trainer in (first, second)]
        same_cut: bool | None = False
        if lengths[0] == lengths[1]:
            same_cut = _same_cut(first, second, k, sizes) if work > 0 else None
            work -= 1
        states.append(_state(first, second, k, (len(vocabularies[0]), len(vocabularies[1])), same_cut))
        if progress is not None and not progress(k - shared, last - shared):
            break
    after = states[1:]
    return TwoRuns(
        states=tuple(states),
        parted=parted,
        same_length=next((s.k for s in after if s.first_length == s.second_length), None),
        same_vocabulary=next((s.k for s in after if not s.only_first and not s.only_second), None),
        same_cut=next((s.k for s in after if s.same_cut), None),
        only_first=tuple(vocabularies[0].values()),
        only_second=tuple(vocabularies[1].values()),
        complete=states[-1].k == end and first.stop is not None and second.stop is not None,
    )


#: What makes two tokens of one unit the same: their bytes, and whether the marker closes them.
_Spelling = tuple[bytes, bool]


class _Sizes(dict[int, int]):
    """Token id -> how many units it has, looked up in the merges when first asked for."""

    def __init__(self, trainer: Trainer) -> None:
        super().__init__((id, 1) for id in range(len(trainer.alphabet)))
        for step in trainer.steps:  # parents come before their token, so each size is a sum of known ones
            self[step.token] = self[step.pair[0]] + self[step.pair[1]]


def _same_cut(first: Trainer, second: Trainer, k: int, sizes: tuple[_Sizes, _Sizes]) -> bool:
    """Whether both runs cut every word at the same places after k merges."""
    pairs = zip(
        first.words_at(min(k, len(first.steps))), second.words_at(min(k, len(second.steps))), strict=True
    )
    ours, theirs = sizes[0].__getitem__, sizes[1].__getitem__
    return all(list(map(ours, a)) == list(map(theirs, b)) for a, b in pairs)


def _state(first: Trainer, second: Trainer, k: int, only: tuple[int, int], same_cut: bool | None) -> State:
    at_first, at_second = min(k, len(first.steps)), min(k, len(second.steps))
    return State(
        k=k,
        first=first.steps[k - 1] if 0 < k <= len(first.steps) else None,
        second=second.steps[k - 1] if 0 < k <= len(second.steps) else None,
        first_length=first.corpus_length(at_first),
        second_length=second.corpus_length(at_second),
        only_first=only[0],
        only_second=only[1],
        same_cut=same_cut,
    )
