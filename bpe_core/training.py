"""Training: word counts in, one merge at a time out, and the state after any number of merges.

The merge list is the state: the words after k merges are those words encoded with the first k merges. So
each step is learned once; going back takes its change back, going forward does it again.

Not here: how words and pair counts are kept (``segments``), how the winner is found without looking at every
pair (``pairqueue``), new text (``encoding``), figures over whole runs (``measures``).
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from .alphabet import Alphabet, Pair, Token, Unit
from .corpus import Corpus, Progress
from .encoding import Tokenizer
from .errors import SettingError, UnknownTokenError, shown
from .pairqueue import Key, PairQueue, TieRule
from .rules import KEPT_SPELLING
from .segments import Change, Segments

__all__ = [
    "Choice",
    "MergeStep",
    "Pair",
    "PairShare",
    "RankedPair",
    "StopReason",
    "TieRule",
    "Trainer",
]


class Choice(Enum):
    """Which count wins. Anything but MOST_FREQUENT is an experiment, not byte-pair encoding."""

    MOST_FREQUENT = "most-frequent"
    LEAST_FREQUENT = "least-frequent"
    RANDOM = "random"


class StopReason(Enum):
    """Why there is no next merge."""

    EMPTY_CORPUS = "empty-corpus"
    NO_PAIRS = "no-pairs"
    BELOW_MIN_COUNT = "below-min-count"
    MERGE_LIMIT = "merge-limit"

    @property
    def sentence(self) -> str:
        """The reason in words, for a person."""
        return _STOP_SENTENCES[self]


_STOP_SENTENCES = {
    StopReason.EMPTY_CORPUS: "The corpus holds no words, so there is nothing to merge.",
    StopReason.NO_PAIRS: "Every word is a single token, so no pair is left to merge.",
    StopReason.BELOW_MIN_COUNT: "No pair that is left reaches the minimum count.",
    StopReason.MERGE_LIMIT: "The number of merges asked for is reached.",
}


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One merge as it happened.

    ``index`` counts from 1. ``count`` is the adjacent-pair count that won, ``tied`` how many pairs had it
    (1: alone at the top). ``replacements`` is how many times the pair was replaced, which is less than
    ``count`` when a token meets itself. ``corpus_length`` and ``vocabulary_size`` are L and V after it.
    """

    index: int
    pair: Pair
    token: int
    count: int
    tied: int
    replacements: int
    corpus_length: int
    vocabulary_size: int


@dataclass(frozen=True, slots=True)
class RankedPair:
    """A pair with its count; ``tied`` when it shares the top count with another."""

    pair: Pair
    count: int
    tied: bool


@dataclass(frozen=True, slots=True)
class PairShare:
    """What one word adds to a pair's count: ``count`` (of the word) × ``occurrences`` (in the word)."""

    word: str
    word_index: int
    count: int
    occurrences: int


class Trainer:
    """Learns merges from a corpus, one step at a time, and shows the state after any of them.

    >>> trainer = Trainer(Corpus.from_text("low lower lowest"))
    >>> step = trainer.step()
    >>> [trainer.token(id).notation for id in step.pair], step.count, step.corpus_length
    (['l', 'o'], 3, 13)

    ``min_count`` defaults to 2 with the end-of-word marker and to 1 otherwise. ``taken`` are pairs that are
    merged first, in this order and whatever their count; the rules decide from there on.

    ``progress`` is told how many units are counted, out of how many; stopping raises Stopped.

    Raises SettingError for a minimum count below 1 and for a taken pair that does not occur.
    """

    def __init__(
        self,
        corpus: Corpus,
        unit: Unit = Unit.CHAR,
        ties: TieRule = TieRule.FIRST_SEEN,
        min_count: int | None = None,
        choice: Choice = Choice.MOST_FREQUENT,
        seed: int = 0,
        taken: Sequence[Pair] = (),
        progress: Progress | None = None,
    ) -> None:
        marker = corpus.pre_tokenizer.has_marker
        if min_count is None:
            min_count = 2 if marker else 1
        if min_count < 1:
            raise SettingError(
                f"The minimum count is {shown(min_count)}; it must be a whole number from 1 up."
            )
        self.corpus = corpus
        self.unit = unit
        self.ties = ties
        self.min_count = min_count
        self.choice = choice
        self.seed = seed
        self.alphabet = Alphabet.of_words(corpus.words, unit, marker)
        self.steps: list[MergeStep] = []
        ids, starts = self.alphabet.ids_of_words(corpus.words)
        self._segments = Segments(ids, starts, corpus.counts, len(self.alphabet), progress)
        self._queue = PairQueue(self._segments, ties)
        self._changes: list[Change] = []
        self._distinct_lengths = [self._segments.unit_total]  # after 0, 1, 2, … merges
        self._shown = 0  # the k that the segments stand at
        self._spelled: dict[int, Token] = {}
        self._random = random.Random(seed)
        self._next: Pair | None = None  # the winner after the last step, once _next_known
        self._next_known = False
        self.initial_length = self._segments.unit_counts.total()
        self.initial_vocabulary_size = len(self._segments.unit_counts)
        self._taken = tuple(taken)
        for _ in self._taken:
            self.step()

    # ----------------------------------------------------------------- learning

    def step(self) -> MergeStep | None:
        """Learn the next merge, or None when there is none (``stop`` says why)."""
        pair = self._winner()
        if pair is None:
            return None
        self._show(len(self.steps))
        segments = self._segments
        queue = self._queue
        count = segments.counts[pair]
        tied = queue.level_size
        if count != queue.level_count:  # only where something else than the highest count wins
            tied = sum(1 for other in segments.counts.values() if other == count)
        lowered: list[tuple[Pair, int]] = []
        formed: list[tuple[Pair, int]] = []
        change = segments.merge(pair, queue.level_count, lowered, formed)
        queue.merged(count, lowered, formed)
        learned = len(self.steps)
        step = MergeStep(
            index=learned + 1,
            pair=pair,
            token=change.token,
            count=count,
            tied=tied,
            replacements=change.replacements,
            corpus_length=self.corpus_length(learned) - change.replacements,
            vocabulary_size=self.initial_vocabulary_size + learned + 1,
        )
        self._changes.append(change)
        self._distinct_lengths.append(self._distinct_lengths[-1] - len(change.positions))
        self.steps.append(step)
        self._shown = learned + 1
        self._next_known = False
        return step

    def _winner(self) -> Pair | None:
        """The pair of the next merge after the last one learned; looked for once."""
        if not self._next_known:
            self._show(len(self.steps))
            self._next = self._find_winner()
            self._next_known = True
        return self._next

    def _find_winner(self) -> Pair | None:
        counts = self._segments.counts
        learned = len(self.steps)
        if learned < len(self._taken):
            pair = self._taken[learned]
            self._queue.top()  # opens the level of the highest count, so that its ties need no search
            if pair not in counts:
                raise SettingError(
                    f"Merge {learned + 1} cannot take the pair {shown(pair)}: these two tokens do not stand "
                    "side by side."
                )
            return pair
        if self.choice is Choice.MOST_FREQUENT:
            top = self._queue.top()
            return top if top is not None and counts[top] >= self.min_count else None
        allowed = [pair for pair, count in counts.items() if count >= self.min_count]
        if not allowed:
            return None
        if self.choice is Choice.RANDOM:
            return self._random.choice(sorted(allowed))
        lowest = min(counts[pair] for pair in allowed)
        return min((pair for pair in allowed if counts[pair] == lowest), key=self._tie_key)

    def _tie_key(self, pair: Pair) -> Key:
        return self.ties.key(pair, self._segments)

    def train_to(self, k: int | None = None, progress: Progress | None = None) -> int:
        """Learn until k merges are known (None: until none is left); returns how many are.

        ``progress`` is called with (merges known, k, or 0 for no limit) many times a second and stops the
        training by answering False; what was learned stays.
        """
        work = 0
        while k is None or len(self.steps) < k:
            if self.step() is None:
                break
            work += 20 + len(self._changes[-1].positions)
            if progress is not None and work > 5000:
                work = 0
                if not progress(len(self.steps), k or 0):
                    break
        return len(self.steps)

    @property
    def stop(self) -> StopReason | None:
        """Why no further merge can be learned, or None while one can."""
        if self._winner() is not None:
            return None
        if not self.corpus.words:
            return StopReason.EMPTY_CORPUS
        one_token_each = self.corpus_length(len(self.steps)) == self.corpus.word_count
        return StopReason.NO_PAIRS if one_token_each else StopReason.BELOW_MIN_COUNT

    def fork(self, merge: int, pair: Pair) -> Trainer:
        """The same training with ``pair`` taken at merge number ``merge`` (from 1), run no further than that.

        Raises SettingError when that merge is not reached or the pair does not occur there.
        """
        if not 1 <= merge <= len(self.steps) + 1:
            raise SettingError(
                f"Merge {shown(merge)} cannot be taken differently: {len(self.steps)} merges are learned."
            )
        taken = [step.pair for step in self.steps[: merge - 1]]
        return Trainer(
            self.corpus, self.unit, self.ties, self.min_count, self.choice, self.seed, [*taken, pair]
        )

    # ------------------------------------------------------- sizes and vocabulary

    def corpus_length(self, k: int) -> int:
        """L after k merges: how many tokens the corpus has, word counts included."""
        self._check_learned(k)
        return self.steps[k - 1].corpus_length if k else self.initial_length

    def distinct_length(self, k: int) -> int:
        """How many tokens the distinct words have after k merges, each word taken once; no word is looked at.

        >>> trainer = Trainer(Corpus.from_word_counts([("hop", 2), ("shop", 1)]))
        >>> step = trainer.step()  # h + o: two places in the distinct words, three in the corpus
        >>> trainer.distinct_length(0), trainer.distinct_length(1), trainer.corpus_length(1)
        (7, 5, 7)

        Raises SettingError for a k that is not learned.
        """
        self._check_learned(k)
        return self._distinct_lengths[k]

    def vocabulary_size(self, k: int) -> int:
        """V after k merges: the units in use, and one token for each merge."""
        self._check_learned(k)
        return self.initial_vocabulary_size + k

    def token(self, id: int) -> Token:
        """The token with this id. Raises UnknownTokenError for an id that no unit or merge has."""
        number = self.merge_of(id)
        if number is None:
            return self.alphabet.units[id]
        token = self._spelled.get(id)
        if token is None:
            token = self._spell(id, self._changes[number - 1].positions[0])
            if len(token.data) <= KEPT_SPELLING:
                self._spelled[id] = token
        return token

    def _spell(self, id: int, position: int) -> Token:
        """The token that stands at a position of the corpus once its merge is made.

        Cut out of its word and not put together from its parents, of which there may be many thousands.
        """
        index, start = self._segments.place(position)
        end = start + self._segments.size(id)
        word = self.corpus.words[index]
        units = word.encode() if self.unit is Unit.BYTE else word
        piece = units[start:end]
        data = piece if isinstance(piece, bytes) else piece.encode()
        return Token(id, data, self.unit, ends_word=end > len(units))  # past the text is only the marker

    def merge_of(self, id: int) -> int | None:
        """The number of the merge that made this token, or None for a base unit.

        Raises UnknownTokenError for an id that no unit or merge has.
        """
        if not 0 <= id < len(self.alphabet) + len(self.steps):
            raise UnknownTokenError(f"There is no token with id {shown(id)}.", [id])
        return max(id - len(self.alphabet) + 1, 0) or None

    def parents(self, id: int) -> Pair | None:
        """The two tokens that were merged into this one, or None for a base unit."""
        number = self.merge_of(id)
        return self.steps[number - 1].pair if number else None

    def tokenizer(self, k: int | None = None) -> Tokenizer:
        """The tokenizer that the first k merges make (all that are learned by default)."""
        if k is not None:
            self._check_learned(k)
        steps = self.steps if k is None else self.steps[:k]
        merges = [(*step.pair, step.token) for step in steps]
        return Tokenizer(self.alphabet, merges, self.corpus.pre_tokenizer)

    # --------------------------------------------------------- the state at any k

    def _show(self, k: int) -> None:
        """Bring words and counts to the state after k merges; costs what the steps between changed."""
        self._check_learned(k)
        while self._shown > k:
            self._shown -= 1
            self._segments.take_back(self._changes[self._shown])
        while self._shown < k:
            self._segments.redo(self._changes[self._shown])
            self._shown += 1

    def _check_learned(self, k: int) -> None:
        if not 0 <= k <= len(self.steps):
            raise SettingError(f"There is no state after {shown(k)} merges: {len(self.steps)} are learned.")

    def next_pair(self, k: int) -> Pair | None:
        """The pair that merge number k + 1 takes, or None when there is none."""
        if 0 <= k < len(self.steps):
            return self.steps[k].pair
        return self._winner() if k == len(self.steps) else None

    def count(self, pair: Pair, k: int) -> int:
        """count(a, b) after k merges: how often the two tokens stand side by side, overlaps counted."""
        self._show(k)
        return self._segments.counts.get(pair, 0)

    def pair_total(self, k: int) -> int:
        """How many different pairs there are after k merges."""
        self._show(k)
        return len(self._segments.counts)

    def ranked_pairs(self, k: int, limit: int | None = None) -> list[RankedPair]:
        """Pairs by count after k merges, highest first; equal counts in the order the tie rule takes them."""
        self._show(k)
        counts = self._segments.counts
        chosen = list(counts)
        if limit is not None and 0 < limit < len(chosen):
            least = heapq.nlargest(limit, counts.values())[-1]
            chosen = [pair for pair, count in counts.items() if count >= least]
        chosen.sort(key=lambda pair: (-counts[pair], self._tie_key(pair)))
        top = counts[chosen[0]] if chosen else 0
        shared = len(chosen) > 1 and counts[chosen[1]] == top
        return [RankedPair(pair, counts[pair], shared and counts[pair] == top) for pair in chosen[:limit]]

    def tied_pairs(self, k: int) -> list[Pair]:
        """The pairs that share the count of merge number k + 1, in the order the tie rule takes them.

        These are the pairs at the top, unless ``choice`` is an experiment; one alone means no tie.
        """
        winner = self.next_pair(k)
        if winner is None:
            return []
        self._show(k)
        counts = self._segments.counts
        return sorted((p for p, count in counts.items() if count == counts[winner]), key=self._tie_key)

    def shares(self, pair: Pair, k: int) -> list[PairShare]:
        """Each word's part in count(pair) after k merges, in word order: Σ count × occurrences."""
        self._show(k)
        corpus = self.corpus
        return [
            PairShare(corpus.words[i], i, corpus.counts[i], n) for i, n in self._segments.occurrences(pair)
        ]

    def words_at(self, k: int, limit: int | None = None, longest: int | None = None) -> list[tuple[int, ...]]:
        """The distinct words (the first ``limit`` of them) as token ids after k merges, in corpus order.

        Each is cut after ``longest`` tokens: without word splitting a single word can hold a million.
        """
        self._show(k)
        return self._segments.words(limit, longest)

    def word_lengths(self, k: int, limit: int | None = None) -> list[int]:
        """How many tokens the distinct words (the first ``limit`` of them) have after k merges."""
        if len(self.corpus.words) == 1:
            return [self.distinct_length(k)][:limit]  # no walk along a whole text that is one word
        self._show(k)
        return self._segments.lengths(limit)

    def token_counts(self, k: int) -> dict[int, int]:
        """How often each token stands in the corpus after k merges (those that do), by id."""
        self._check_learned(k)
        counts = Counter(self._segments.unit_counts)
        for step in self.steps[:k]:
            counts[step.pair[0]] -= step.replacements
            counts[step.pair[1]] -= step.replacements
            counts[step.token] = step.replacements
        return {id: counts[id] for id in sorted(counts) if counts[id]}
