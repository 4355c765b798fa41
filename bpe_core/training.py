"""Training: word counts in, one merge at a time out, exact and fast.

What is kept. All distinct words stand in one flat list of token ids, -1 between them, and a position in
that list is a *unit offset* that never moves. A token of n units is written at its first and at its last
position; the stale ids between are never read. So the token right of the one at p starts at p + n, and the
token left of it ends at p - 1, without any links::

    position   0   1   2   3   4   5        after l+o and lo+w
    units     -1   l   o   w   e   -1       -1  low  ·  low  e  -1

For each pair there is the list of positions where it was formed, ascending; an entry is live while both
tokens still stand there. A merge walks the list of its own pair and touches only the neighbours of what it
replaces, so a step costs what it changes and not what the corpus holds.

Which pair is next. Counts of existing pairs only fall, and a new pair never counts more than the merge that
made it. So pairs wait in buckets by a count that may be too high; the highest bucket is opened, its
pairs are re-checked, and those at that count are the *level*: all tied pairs, in the order of the tie rule.
First positions only rise, so under FIRST_SEEN too a stale entry is optimistic and re-checking it when it
comes to the top is enough.

Looking back. The merge list is the state. Each step remembers the positions it replaced, so the words and
counts at any earlier k come back by undoing steps, and nothing is ever learned twice.

Not here: new text (``encoding``), figures over whole runs (``measures``).
"""

from __future__ import annotations

import heapq
import random
from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from .alphabet import Alphabet, Token, Unit
from .corpus import Corpus, Progress
from .encoding import Tokenizer
from .errors import SettingError, shown

#: Two token ids, left and right.
Pair = tuple[int, int]

_WALL = -1  # stands between two words
_GONE = -2  # the first position of a token that was merged into the one on its left


class TieRule(Enum):
    """Which pair wins among those with the same count; the value is the command line's word."""

    FIRST_SEEN = "first-seen"  # the first occurrence comes first, reading the distinct words in order
    LOWEST_IDS = "lowest-ids"  # the lowest left id, then the lowest right id
    COLUMN_MAJOR = "column-major"  # the lowest right id, then the lowest left id


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

    ``index`` counts from 1. ``count`` is the adjacent-pair count that won, ``tied`` how many pairs had it (1 =
    alone at the top), ``replacements`` how many times the pair was replaced, which is less than ``count`` when a
    token meets itself. ``corpus_length`` and ``vocabulary_size`` are L and V after the merge.
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
    """A pair with its count now; ``tied`` when it shares the top count with another."""

    pair: Pair
    count: int
    tied: bool


@dataclass(frozen=True, slots=True)
class PairShare:
    """What one word adds to a pair's count: ``count`` (of the word) times ``occurrences`` (in the word)."""

    word: str
    word_index: int
    count: int
    occurrences: int


@dataclass(frozen=True, slots=True)
class _Undo:
    """What a step replaced and which neighbours it found there."""

    positions: array[int]
    lefts: tuple[int, ...]
    rights: tuple[int, ...]


class Trainer:
    """Learns merges from a corpus, one step at a time, and shows the state after any of them.

    >>> trainer = Trainer(Corpus.from_text("low lower lowest"))
    >>> step = trainer.step()
    >>> [trainer.token(i).notation for i in step.pair], step.count, step.corpus_length
    (['l', 'o'], 3, 13)

    ``min_count`` defaults to 2 with the end-of-word marker and to 1 otherwise. ``taken`` are pairs to merge
    first, in order, whatever their count; the rules decide from there on.

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
    ) -> None:
        marker = corpus.pre_tokenizer.has_marker
        if min_count is None:
            min_count = 2 if marker else 1
        if min_count < 1:
            raise SettingError(
                f"The minimum count {shown(min_count)} is too low; it is a whole number from 1 up."
            )
        self.corpus = corpus
        self.unit = unit
        self.ties = ties
        self.min_count = min_count
        self.choice = choice
        self.seed = seed
        self.alphabet = Alphabet.of_words(corpus.words, unit, marker)
        self.steps: list[MergeStep] = []
        self._tokens: list[Token] = list(self.alphabet.units)
        self._units_in: list[int] = [1] * len(self._tokens)  # how many units each token has
        self._undo: list[_Undo] = []
        self._shown = 0  # the k that the words and counts below stand at
        self._random = random.Random(seed)
        self._lay_out_words()
        self._count_pairs()
        self._next: Pair | None = None  # found but not yet merged; only meaningful while _next_known
        self._next_known = False
        self._taken = tuple(taken)
        for _ in self._taken:
            if self.step() is None:
                break

    # ---------------------------------------------------------------- set-up

    def _lay_out_words(self) -> None:
        ids: list[int] = [_WALL]
        weights: list[int] = [0]
        starts = array("q")
        for word, count in zip(self.corpus.words, self.corpus.counts, strict=True):
            starts.append(len(ids))
            units = self.alphabet.ids_of(word)
            ids += units
            ids.append(_WALL)
            weights += [count] * (len(units) + 1)
        self._ids = ids
        self._weights = weights  # at each position the count of its word
        self._starts = starts

    def _count_pairs(self) -> None:
        ids = self._ids
        formed: defaultdict[Pair, list[int]] = defaultdict(list)
        for position, pair in enumerate(zip(ids, islice(ids, 1, None), strict=False)):
            formed[pair].append(position)
        weight_at = self._weights.__getitem__
        self._positions: dict[Pair, array[int]] = {}
        self._counts: dict[Pair, int] = {}
        self._unit_counts: Counter[int] = Counter()
        # Buckets by a count that is never too low, and the counts that have a bucket, highest first.
        self._buckets: dict[int, list[Pair]] = {}
        self._bucket_counts: list[int] = []
        while formed:  # taken apart while copying, so that both forms are never whole at once
            pair, where = formed.popitem()
            left, right = pair
            if left == _WALL:
                continue
            count = sum(map(weight_at, where)) if len(where) > 1 else weight_at(where[0])
            self._unit_counts[left] += count  # a word's last unit stands in a pair with the wall
            if right != _WALL:
                self._positions[pair] = array("q", where)
                self._counts[pair] = count
                self._wait(pair, count)
        self.initial_length = self._unit_counts.total()
        self.initial_vocabulary_size = len(self._unit_counts)
        self._level: list[tuple[object, Pair]] = []  # a heap: those at the level count, by the tie rule
        self._level_count = 0
        self._level_size = 0
        self._first_live: dict[
            Pair, int
        ] = {}  # how many entries at the start of a position list are known dead

    # ------------------------------------------------------------- the queue

    def _wait(self, pair: Pair, count: int) -> None:
        bucket = self._buckets.get(count)
        if bucket is None:
            self._buckets[count] = [pair]
            heapq.heappush(self._bucket_counts, -count)
        else:
            bucket.append(pair)

    def _tie_key(self, pair: Pair) -> object:
        """What the tie rule compares; for FIRST_SEEN the first live position."""
        if self.ties is TieRule.LOWEST_IDS:
            return pair
        if self.ties is TieRule.COLUMN_MAJOR:
            return (pair[1], pair[0])
        ids = self._ids
        left, right = pair
        gap = self._units_in[left]
        for position in self._positions[pair]:
            if ids[position] == left and ids[position + gap] == right:
                return position
        raise AssertionError("a pair that is counted has a live position")

    def _first_position(self, pair: Pair) -> int:
        """As the FIRST_SEEN key, but at the last step learned, where dead entries stay dead."""
        ids = self._ids
        left, right = pair
        gap = self._units_in[left]
        where = self._positions[pair]
        index = self._first_live.get(pair, 0)
        while ids[where[index]] != left or ids[where[index] + gap] != right:
            index += 1
        if index:
            self._first_live[pair] = index
        return where[index]

    def _enter_level(self, pair: Pair) -> None:
        # Under FIRST_SEEN the first entry known may be dead: an optimistic key, checked when it comes to the top.
        key = self._positions[pair][0] if self.ties is TieRule.FIRST_SEEN else self._tie_key(pair)
        heapq.heappush(self._level, (key, pair))
        self._level_size += 1

    def _find_most_frequent(self) -> Pair | None:
        counts = self._counts
        level = self._level
        while True:
            while level:
                key, pair = level[0]
                if counts.get(pair) != self._level_count:
                    heapq.heappop(level)
                    continue
                if self.ties is TieRule.FIRST_SEEN:
                    first = self._first_position(pair)
                    if first != key:
                        heapq.heapreplace(level, (first, pair))
                        continue
                return pair
            if not self._bucket_counts:
                return None
            self._level_count = -heapq.heappop(self._bucket_counts)
            self._level_size = 0
            for pair in self._buckets.pop(self._level_count):
                count = counts.get(pair)
                if count == self._level_count:
                    self._enter_level(pair)
                elif count is not None:
                    self._wait(pair, count)

    def _find_next(self) -> Pair | None:
        """The pair the rules take at the last step learned, or None; its count may be below the minimum."""
        learned = len(self.steps)
        if learned < len(self._taken):
            pair = self._taken[learned]
            if pair not in self._counts:
                raise SettingError(
                    f"Merge {learned + 1} cannot take the pair {shown(pair)}: these two tokens do not stand side by side."
                )
            return pair
        if self.choice is Choice.MOST_FREQUENT:
            return self._find_most_frequent()
        allowed = [pair for pair, count in self._counts.items() if count >= self.min_count]
        if not allowed:
            return None
        if self.choice is Choice.RANDOM:
            allowed.sort()
            return self._random.choice(allowed)
        lowest = min(self._counts[pair] for pair in allowed)
        return min((p for p in allowed if self._counts[p] == lowest), key=self._tie_key)  # type: ignore[arg-type,return-value]

    def _peek(self) -> Pair | None:
        """The pair of the next merge after the last one learned, found once."""
        if not self._next_known:
            self._show(len(self.steps))
            pair = self._find_next()
            taken = len(self.steps) < len(self._taken)
            self._next = pair if pair and (taken or self._counts[pair] >= self.min_count) else None
            self._next_known = True
        return self._next

    # --------------------------------------------------------------- merging

    def step(self) -> MergeStep | None:
        """Learn the next merge, or None when there is none (``stop`` says why)."""
        pair = self._peek()
        if pair is None:
            return None
        self._show(len(self.steps))
        count = self._counts[pair]
        if count == self._level_count:
            tied = self._level_size
            self._level_size -= 1
        else:
            tied = sum(1 for other in self._counts.values() if other == count)
        token = len(self._tokens)
        left, right = pair
        self._tokens.append(self._tokens[left].joined(self._tokens[right], token))
        self._units_in.append(self._units_in[left] + self._units_in[right])
        replaced = self._replace_all(pair, token)
        replacements = sum(map(self._weights.__getitem__, replaced))
        step = MergeStep(
            index=len(self.steps) + 1,
            pair=pair,
            token=token,
            count=count,
            tied=tied,
            replacements=replacements,
            corpus_length=self.corpus_length(len(self.steps)) - replacements,
            vocabulary_size=self.initial_vocabulary_size + len(self.steps) + 1,
        )
        self.steps.append(step)
        self._shown = len(self.steps)
        self._next_known = False
        return step

    def _replace_all(self, pair: Pair, token: int) -> array[int]:
        """Replace the pair everywhere, left to right, and bring counts, positions and the queue up to date."""
        ids = self._ids
        units_in = self._units_in
        left, right = pair
        gap = units_in[left]
        width = units_in[token]
        where = self._positions[pair]
        if left != right:
            replaced = [p for p in where if ids[p] == left and ids[p + gap] == right]
            self._write(replaced, gap, width, token)
        else:
            # aaa: once the first two are replaced, the third has no partner, so write while walking.
            replaced = []
            for p in where:
                if ids[p] == left and ids[p + gap] == left:
                    self._write((p,), gap, width, token)
                    replaced.append(p)
        # Positions of the pairs that now exist, by the neighbour. Where two replacements touch, the pair
        # (token, token) between them is seen from its left side only.
        lefts: defaultdict[int, list[int]] = defaultdict(list)
        rights: defaultdict[int, list[int]] = defaultdict(list)
        for p in replaced:
            neighbour = ids[p - 1]
            if neighbour >= 0 and neighbour != token:
                lefts[neighbour].append(p - units_in[neighbour])
            neighbour = ids[p + width]
            if neighbour >= 0:
                rights[neighbour].append(p)
        del self._counts[pair]
        for neighbour, found in lefts.items():
            self._rename_pair((neighbour, left), (neighbour, token), found)
        for neighbour, found in rights.items():
            old = (right, left if neighbour == token else neighbour)
            self._rename_pair(old if old != pair else None, (token, neighbour), found)
        done = array("q", replaced)
        self._undo.append(_Undo(done, tuple(lefts), tuple(rights)))
        return done

    def _write(self, positions: Iterable[int], gap: int, width: int, token: int) -> None:
        ids = self._ids
        last = width - 1
        if gap == last:
            for p in positions:
                ids[p] = ids[p + last] = token
        else:
            for p in positions:
                ids[p] = ids[p + last] = token
                ids[p + gap] = _GONE

    def _rename_pair(self, old: Pair | None, new: Pair, found: list[int]) -> None:
        """Occurrences of ``old`` at ``found`` are ``new`` from now on (``old`` None: it was the merged pair itself)."""
        weights = self._weights
        moved = weights[found[0]] if len(found) == 1 else sum(map(weights.__getitem__, found))
        counts = self._counts
        if old is not None:
            before = counts[old]
            after = before - moved
            if after:
                counts[old] = after
            else:
                del counts[old]
            if before == self._level_count:
                self._level_size -= 1
                if after:
                    self._wait(old, after)
        counts[new] = moved
        self._positions[new] = array("q", found)
        if moved == self._level_count:
            self._enter_level(new)
        else:
            self._wait(new, moved)

    # ---------------------------------------------------------- any earlier k

    def _show(self, k: int) -> None:
        """Bring words and counts to the state after k merges."""
        if not 0 <= k <= len(self.steps):
            raise SettingError(f"There is no state after {shown(k)} merges; {len(self.steps)} are learned.")
        while self._shown > k:
            self._shown -= 1
            self._take_back(self.steps[self._shown], self._undo[self._shown])
        while self._shown < k:
            self._redo(self.steps[self._shown], self._undo[self._shown])
            self._shown += 1

    def _take_back(self, step: MergeStep, undo: _Undo) -> None:
        ids = self._ids
        counts = self._counts
        left, right = step.pair
        gap = self._units_in[left]
        last = self._units_in[step.token] - 1
        for p in undo.positions:
            ids[p] = ids[p + gap - 1] = left
            ids[p + gap] = ids[p + last] = right
        for neighbour in undo.lefts:
            old = (neighbour, left)
            counts[old] = counts.get(old, 0) + counts.pop((neighbour, step.token))
        for neighbour in undo.rights:
            old = (right, left if neighbour == step.token else neighbour)
            moved = counts.pop((step.token, neighbour))
            if old != step.pair:
                counts[old] = counts.get(old, 0) + moved
        counts[step.pair] = step.count

    def _redo(self, step: MergeStep, undo: _Undo) -> None:
        counts = self._counts
        weight_at = self._weights.__getitem__
        left, right = step.pair
        self._write(undo.positions, self._units_in[left], self._units_in[step.token], step.token)
        del counts[step.pair]
        renamed: list[tuple[Pair, Pair]] = [((n, left), (n, step.token)) for n in undo.lefts]
        renamed += [((right, left if n == step.token else n), (step.token, n)) for n in undo.rights]
        for old, new in renamed:
            moved = sum(map(weight_at, self._positions[new]))
            counts[new] = moved
            if old != step.pair:
                counts[old] -= moved
                if not counts[old]:
                    del counts[old]

    # -------------------------------------------------------------- asking

    def train_to(self, k: int | None = None, progress: Progress | None = None) -> int:
        """Learn until k merges are known (None: until none is left); returns how many are.

        ``progress`` is called with (merges known, k or 0 when there is no limit) about every hundredth of a second's
        work and stops the training by answering False; what was learned stays.
        """
        touched = 0
        while k is None or len(self.steps) < k:
            step = self.step()
            if step is None:
                break
            touched += 20 + step.replacements
            if progress is not None and touched > 5000:
                touched = 0
                if not progress(len(self.steps), k or 0):
                    break
        return len(self.steps)

    @property
    def stop(self) -> StopReason | None:
        """Why no further merge can be learned, or None while one can."""
        if self._peek() is not None:
            return None
        if not self.corpus.words:
            return StopReason.EMPTY_CORPUS
        learned = len(self.steps)
        words_merged = self.corpus_length(learned) == self.corpus.word_count
        return StopReason.NO_PAIRS if words_merged else StopReason.BELOW_MIN_COUNT

    def next_pair(self, k: int) -> Pair | None:
        """The pair that merge number k + 1 takes, or None when there is none."""
        return (
            self.steps[k].pair if 0 <= k < len(self.steps) else self._peek() if k == len(self.steps) else None
        )

    def corpus_length(self, k: int) -> int:
        """L after k merges: the number of tokens in the corpus, repeats counted."""
        return self.steps[k - 1].corpus_length if k else self.initial_length

    def vocabulary_size(self, k: int) -> int:
        """V after k merges: units in use, plus one token for each merge."""
        return self.initial_vocabulary_size + k

    def token(self, id: int) -> Token:
        """The token with this id."""
        return self._tokens[id]

    @property
    def vocabulary(self) -> Sequence[Token]:
        """All tokens in id order: the base units (all 256 bytes in byte mode), then one for each merge learned."""
        return self._tokens

    def merge_of(self, id: int) -> int | None:
        """The number of the merge that made this token, or None for a base unit."""
        number = id - len(self.alphabet) + 1
        return number if number >= 1 else None

    def parents(self, id: int) -> Pair | None:
        """The two tokens that were merged into this one, or None for a base unit."""
        number = self.merge_of(id)
        return self.steps[number - 1].pair if number else None

    def count(self, pair: Pair, k: int) -> int:
        """count(a, b) after k merges: how often the two tokens stand side by side, overlaps counted."""
        self._show(k)
        return self._counts.get(pair, 0)

    def pair_total(self, k: int) -> int:
        """How many different pairs there are after k merges."""
        self._show(k)
        return len(self._counts)

    def ranked_pairs(self, k: int, limit: int | None = None) -> list[RankedPair]:
        """Pairs by count after k merges, highest first; equal counts in the order the tie rule takes them."""
        self._show(k)
        counts = self._counts
        least = 1
        if limit is not None and limit < len(counts):
            least = heapq.nlargest(limit, counts.values())[-1] if limit > 0 else 0
        chosen = [pair for pair, count in counts.items() if count >= least]
        chosen.sort(key=lambda pair: (-counts[pair], self._tie_key(pair)))
        top = counts[chosen[0]] if chosen else 0
        shared = sum(1 for pair in chosen if counts[pair] == top) > 1
        return [RankedPair(pair, counts[pair], shared and counts[pair] == top) for pair in chosen[:limit]]

    def tied_pairs(self, k: int) -> list[Pair]:
        """The pairs that share the count of merge number k + 1, in the order the tie rule takes them.

        Under MOST_FREQUENT these are the pairs at the top; one alone means no tie.
        """
        chosen = self.next_pair(k)
        self._show(k)
        if chosen is None:
            return []
        counts = self._counts
        tied = [pair for pair, count in counts.items() if count == counts[chosen]]
        return sorted(tied, key=self._tie_key)  # type: ignore[arg-type]

    def shares(self, pair: Pair, k: int) -> list[PairShare]:
        """Each word's part in count(pair) after k merges, in word order: Σ count × occurrences."""
        self._show(k)
        if pair not in self._counts:
            return []
        ids = self._ids
        left, right = pair
        gap = self._units_in[left]
        found = Counter(
            bisect_right(self._starts, p) - 1
            for p in self._positions[pair]
            if ids[p] == left and ids[p + gap] == right
        )
        return [
            PairShare(self.corpus.words[i], i, self.corpus.counts[i], n) for i, n in sorted(found.items())
        ]

    def words_at(self, k: int, limit: int | None = None) -> list[tuple[int, ...]]:
        """The distinct words (the first ``limit`` of them) as token ids after k merges, in corpus order."""
        self._show(k)
        ids = self._ids
        units_in = self._units_in
        words: list[tuple[int, ...]] = []
        for start in self._starts[:limit]:
            word: list[int] = []
            p = start
            while ids[p] != _WALL:
                word.append(ids[p])
                p += units_in[ids[p]]
            words.append(tuple(word))
        return words

    def token_counts(self, k: int) -> dict[int, int]:
        """How often each token occurs in the corpus after k merges (those that occur), in id order."""
        counts = Counter(self._unit_counts)
        for step in self.steps[:k]:
            counts[step.pair[0]] -= step.replacements
            counts[step.pair[1]] -= step.replacements
            counts[step.token] = step.replacements
        return {id: counts[id] for id in sorted(counts) if counts[id]}

    def tokenizer(self, k: int | None = None) -> Tokenizer:
        """The tokenizer that the first k merges make (all that are learned by default)."""
        steps = self.steps if k is None else self.steps[:k]
        merges = [(step.pair[0], step.pair[1], step.token) for step in steps]
        return Tokenizer(self.alphabet, merges, self.corpus.pre_tokenizer)

    def fork(self, merge: int, pair: Pair) -> Trainer:
        """The same training, but with ``pair`` taken at merge number ``merge`` (from 1); not run further.

        Raises SettingError when that merge is not reached or the pair does not occur there.
        """
        if not 1 <= merge <= len(self.steps) + 1:
            raise SettingError(
                f"Merge {shown(merge)} cannot be taken differently; {len(self.steps)} are learned."
            )
        taken = [step.pair for step in self.steps[: merge - 1]]
        return Trainer(
            self.corpus, self.unit, self.ties, self.min_count, self.choice, self.seed, [*taken, pair]
        )
