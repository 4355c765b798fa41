"""The words of a corpus as tokens, with the count and places of every pair, one merge forward or back.

All distinct words stand in one flat list of token ids, -1 between them. A position in that list is a *unit
offset*: it never moves. A token of n units is written at its first and at its last position; what stands
between is never read. So the token after the one at p starts at p + n, and the token before it ends at
p - 1, without any links::

    position        0   1   2   3   4   5
    units          -1   l   o   w   e  -1
    l+o, lo+w      -1  low  ·  low  e  -1

For each pair there is a list of the positions where it was formed, ascending: those where its right token
starts, right after the last position of its left token. An entry is live while both tokens still stand
there. (Only the entries of a pair that was merged may look live inside its token; two merged tokens never
meet again, so nobody asks.) A merge walks the list of its own pair and touches only the neighbours of what it
replaces, so it costs what it changes and not what the corpus holds.

Not here: which pair to merge (``pairqueue``, ``training``).
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, count, islice, repeat
from operator import sub

from .alphabet import POSITION, WALL, Pair
from .corpus import Progress
from .errors import Stopped

#: How many units are counted between two reports of progress.
_CHUNK = 1 << 17


@dataclass(frozen=True, slots=True)
class Change:
    """What one merge did: enough to take it back and to do it again.

    ``positions`` are where it replaced, ``replacements`` how often in the corpus, word counts included.
    ``lefts`` and ``rights`` are the different neighbours found there.
    """

    pair: Pair
    token: int
    count: int
    positions: array[int]
    replacements: int
    lefts: tuple[int, ...]
    rights: tuple[int, ...]


class Segments:
    """Words as token ids, and ``counts``: count(a, b) for every pair, overlaps counted.

    ``ids`` are the units of all words with a wall around each, ``starts`` where each begins, as
    ``Alphabet.ids_of_words`` gives them; the list is taken over. ``weights`` says how often each word occurs,
    ``units`` how many base units there are. ``progress`` is told how many units are counted; stopping raises
    Stopped.

    >>> segments = Segments([WALL, 0, 0, 0, WALL, 0, 1, WALL], [1, 5], [2, 1], units=2)  # aaa twice, ab
    >>> segments.counts == {(0, 0): 4, (0, 1): 1}
    True
    >>> change = segments.merge((0, 0), 4, [], [])
    >>> change.token, change.replacements, segments.counts == {(2, 0): 2, (0, 1): 1}
    (2, 2, True)
    """

    def __init__(
        self,
        ids: list[int],
        starts: Sequence[int],
        weights: Sequence[int],
        units: int,
        progress: Progress | None = None,
    ) -> None:
        self._ids = ids
        self._starts = starts
        self._weigh = _scales(self._starts, weights, len(ids))
        self._sizes = [1] * units  # token id -> how many units it has
        self._positions: dict[Pair, Sequence[int]] = {}
        self._dead: dict[Pair, int] = {}  # how many entries at the front of a list are dead for good
        self.counts: dict[Pair, int] = {}
        self.unit_counts: Counter[int] = Counter()
        self.unit_total = len(ids) - 1 - len(self._starts)  # units of all words, each word once
        self._count_pairs(progress)

    def _count_pairs(self, progress: Progress | None) -> None:
        ids = self._ids
        total = len(ids) - 1
        formed: defaultdict[Pair, array[int]] = defaultdict(partial(array, POSITION))
        # One position after another to the list of its pair, without a line of Python for each of them.
        lists = map(formed.__getitem__, zip(ids, islice(ids, 1, None), strict=False))
        work = map(array.append, lists, count(1))
        for start in range(0, total, _CHUNK):
            deque(islice(work, _CHUNK), maxlen=0)
            done = min(start + _CHUNK, total)
            if progress is not None and not progress(done, total):
                raise Stopped(f"Stopped after {done:,} of {total:,} units were counted.")
        for pair, where in formed.items():
            left, right = pair
            if left == WALL:
                continue
            weight = self._weigh(where)
            self.unit_counts[left] += weight  # the last unit of a word stands in a pair with the wall
            if right != WALL:
                self._positions[pair] = where
                self.counts[pair] = weight

    # ------------------------------------------------------------------ merging

    def merge(
        self, pair: Pair, level: int, lowered: list[tuple[Pair, int]], formed: list[tuple[Pair, int]]
    ) -> Change:
        """Replace ``pair`` everywhere, left to right in each word, by the next token id.

        Appends to ``lowered`` every older pair whose count was ``level`` and fell, as (pair, count after),
        and to ``formed`` every new pair as (pair, count).
        """
        ids = self._ids
        sizes = self._sizes
        left, right = pair
        token = len(sizes)
        gap = sizes[left]
        width = gap + sizes[right]
        sizes.append(width)
        replaced: list[int] = []
        # neighbour -> where the pair with it, which exists from now on, stands
        lefts: defaultdict[int, list[int]] = defaultdict(list)
        rights: defaultdict[int, list[int]] = defaultdict(list)
        for p in self._positions[pair]:
            if ids[p] == right and ids[p - 1] == left:
                start = p - gap
                end = start + width
                ids[start] = ids[end - 1] = token
                replaced.append(start)
                neighbour = ids[start - 1]
                if neighbour == token:  # right after the last one, which took this for a ``left``
                    rights[left].pop()
                    rights[token].append(start)
                elif neighbour >= 0:
                    lefts[neighbour].append(start)
                neighbour = ids[end]
                if neighbour >= 0:
                    rights[neighbour].append(end)
        if not rights.get(left, True):
            del rights[left]
        counts = self.counts
        positions = self._positions
        weigh = self._weigh
        count = counts.pop(pair)
        renamed = [((n, left), (n, token), found) for n, found in lefts.items()]
        renamed += [((right, left if n == token else n), (token, n), found) for n, found in rights.items()]
        for old, new, found in renamed:
            positions[new] = array(POSITION, found)
            counts[new] = moved = weigh(found)
            formed.append((new, moved))
            before = counts.get(old)
            if before is not None:  # the merged pair itself is gone whole
                after = before - moved
                if after:
                    counts[old] = after
                else:
                    del counts[old]
                if before == level:
                    lowered.append((old, after))
        done = array(POSITION, replaced)
        replacements = count if left != right else weigh(done)
        return Change(pair, token, count, done, replacements, tuple(lefts), tuple(rights))

    def _renamed(self, change: Change) -> Iterator[tuple[Pair, Pair]]:
        """(older pair, new pair) for every kind of neighbour a merge found."""
        left, right = change.pair
        token = change.token
        for neighbour in change.lefts:
            yield (neighbour, left), (neighbour, token)
        for neighbour in change.rights:
            yield (right, left if neighbour == token else neighbour), (token, neighbour)

    def take_back(self, change: Change) -> None:
        """Undo the last merge that is in force."""
        ids = self._ids
        counts = self.counts
        left, right = change.pair
        gap = self._sizes[left]
        last = self._sizes[change.token] - 1
        for p in change.positions:
            ids[p] = ids[p + gap - 1] = left
            ids[p + gap] = ids[p + last] = right
        for old, new in self._renamed(change):
            moved = counts.pop(new)
            if old != change.pair:
                counts[old] = counts.get(old, 0) + moved
        counts[change.pair] = change.count

    def redo(self, change: Change) -> None:
        """Do again the merge that was taken back last."""
        counts = self.counts
        weigh = self._weigh
        ids = self._ids
        last = self._sizes[change.token] - 1
        for p in change.positions:
            ids[p] = ids[p + last] = change.token
        del counts[change.pair]
        for old, new in self._renamed(change):
            # Nothing was formed later while this merge was taken back, so the whole list is live again.
            moved = weigh(self._positions[new])
            counts[new] = moved
            if old != change.pair:
                counts[old] -= moved
                if not counts[old]:
                    del counts[old]

    # ------------------------------------------------------------------- asking

    def size(self, token: int) -> int:
        """How many units a token has."""
        return self._sizes[token]

    def place(self, position: int) -> tuple[int, int]:
        """The index of the word that holds a position, and which of its units stands there."""
        index = bisect_right(self._starts, position) - 1
        return index, position - self._starts[index]

    def live(self, pair: Pair) -> Iterator[int]:
        """The positions where ``pair`` stands now, ascending; those of ``aaa`` overlap."""
        ids = self._ids
        left, right = pair
        return (p for p in self._positions[pair] if ids[p] == right and ids[p - 1] == left)

    def first_formed(self, pair: Pair) -> int:
        """The first position where ``pair`` was formed: never after the first where it stands now."""
        return self._positions[pair][0]

    def first_live(self, pair: Pair) -> int:
        """The first position where ``pair`` stands, with every merge so far in force.

        Entries that have died stay dead then, so they are skipped once and for all.
        """
        ids = self._ids
        left, right = pair
        where = self._positions[pair]
        index = start = self._dead.get(pair, 0)
        while ids[where[index]] != right or ids[where[index] - 1] != left:
            index += 1
        if index > start:
            self._dead[pair] = index
        return where[index]

    def occurrences(self, pair: Pair) -> list[tuple[int, int]]:
        """(word index, how often ``pair`` stands in that word), in word order."""
        if pair not in self.counts:
            return []
        starts = self._starts
        found: list[tuple[int, int]] = []
        after, times, end = 0, 0, 0  # the word after the one at hand, and the position where it starts
        for p in self.live(pair):
            if p < end:
                times += 1
                continue
            if times:
                found.append((after - 1, times))
            after, times = bisect_right(starts, p), 1
            end = starts[after] if after < len(starts) else len(self._ids)
        found.append((after - 1, times))
        return found

    def words(self, limit: int | None = None, longest: int | None = None) -> list[tuple[int, ...]]:
        """The words (the first ``limit`` of them) as token ids, each cut after ``longest`` tokens."""
        ids = self._ids
        sizes = self._sizes
        words: list[tuple[int, ...]] = []
        room = len(ids) if longest is None else longest
        for p in self._starts[:limit]:
            word: list[int] = []
            while ids[p] != WALL and len(word) < room:
                word.append(ids[p])
                p += sizes[ids[p]]
            words.append(tuple(word))
        return words

    def lengths(self, limit: int | None = None) -> list[int]:
        """How many tokens each word (of the first ``limit``) has."""
        ids = self._ids
        sizes = self._sizes
        lengths: list[int] = []
        for p in self._starts[:limit]:
            count = 0
            while ids[p] != WALL:
                p += sizes[ids[p]]
                count += 1
            lengths.append(count)
        return lengths


def _scales(starts: Sequence[int], weights: Sequence[int], length: int) -> Callable[[Sequence[int]], int]:
    """What says how often the units at some positions stand in the corpus: the sum of their words' counts."""
    if len(set(weights)) < 2:  # a text without word splitting is the case that matters
        weight = weights[0] if weights else 0
        return lambda where: weight * len(where)
    lengths = map(sub, chain(islice(starts, 1, None), [length]), starts)
    at = list(chain([0], chain.from_iterable(map(repeat, weights, lengths)))).__getitem__
    return lambda where: sum(map(at, where)) if len(where) > 1 else at(where[0])
