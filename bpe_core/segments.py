"""The words of a corpus as tokens, with the count and places of every pair, one merge forward or back.

All distinct words stand in one flat list of token ids, -1 between them. A position in that list is a *unit
offset*: it never moves. A token of n units is written at its first and at its last position; what stands
between is never read. So the token after the one at p starts at p + n, and the token before it ends at
p - 1, without any links::

    position        0   1   2   3   4   5
    units          -1   l   o   w   e  -1
    l+o, lo+w      -1  low  ·  low  e  -1

For each pair there is a list of the positions where it was formed, ascending; an entry is live while both
tokens still start where they did. A merge walks the list of its own pair and touches only the neighbours of
what it replaces, so it costs what it changes and not what the corpus holds.

Not here: which pair to merge (``pairqueue``, ``training``).
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from .alphabet import Pair

_WALL = -1  # stands between two words
_GONE = -2  # the first position of a token that was merged into the one on its left


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

    ``words`` are lists of unit ids below ``units``, ``weights`` how often each word occurs.

    >>> segments = Segments([[0, 0, 0], [0, 1]], [2, 1], units=2)  # aaa twice, ab once
    >>> segments.counts == {(0, 0): 4, (0, 1): 1}
    True
    >>> change = segments.merge((0, 0), [], [])
    >>> change.token, change.replacements, segments.counts == {(2, 0): 2, (0, 1): 1}
    (2, 2, True)
    """

    def __init__(self, words: Iterable[Sequence[int]], weights: Sequence[int], units: int) -> None:
        ids: list[int] = [_WALL]
        weight_at: list[int] = [0]
        starts = array("q")
        for word, weight in zip(words, weights, strict=True):
            starts.append(len(ids))
            ids += word
            ids.append(_WALL)
            weight_at += [weight] * (len(word) + 1)
        self._ids = ids
        self._weight_at = weight_at  # at each position how often its word occurs
        self._starts = starts
        self._sizes = [1] * units  # token id -> how many units it has
        self._positions: dict[Pair, array[int]] = {}
        self._dead: dict[Pair, int] = {}  # how many entries at the front of a list are dead for good
        self.counts: dict[Pair, int] = {}
        self.unit_counts: Counter[int] = Counter()
        self.unit_total = len(ids) - 1 - len(starts)  # units of all words, each word once
        self._count_pairs()

    def _count_pairs(self) -> None:
        formed: defaultdict[Pair, list[int]] = defaultdict(list)
        for position, pair in enumerate(zip(self._ids, islice(self._ids, 1, None), strict=False)):
            formed[pair].append(position)
        weight = self._weight_at.__getitem__
        while formed:  # taken apart while copying, so that both forms are never whole at once
            pair, where = formed.popitem()
            left, right = pair
            if left == _WALL:
                continue
            count = sum(map(weight, where)) if len(where) > 1 else weight(where[0])
            self.unit_counts[left] += count  # the last unit of a word stands in a pair with the wall
            if right != _WALL:
                self._positions[pair] = array("q", where)
                self.counts[pair] = count

    # ------------------------------------------------------------------ merging

    def merge(
        self, pair: Pair, lowered: list[tuple[Pair, int, int]], formed: list[tuple[Pair, int]]
    ) -> Change:
        """Replace ``pair`` everywhere, left to right in each word, by the next token id.

        Appends to ``lowered`` every older pair that lost occurrences as (pair, count before, count after)
        and to ``formed`` every new pair as (pair, count).
        """
        ids = self._ids
        sizes = self._sizes
        left, right = pair
        token = len(sizes)
        gap = sizes[left]
        width = gap + sizes[right]
        sizes.append(width)
        where = self._positions[pair]
        if left != right:
            replaced = [p for p in where if ids[p] == left and ids[p + gap] == right]
            self._write(replaced, gap, width, token)
        else:
            # aaa: once the first two are replaced the third has no partner, so write while walking.
            replaced = []
            for p in where:
                if ids[p] == left and ids[p + gap] == left:
                    self._write((p,), gap, width, token)
                    replaced.append(p)
        # Where the pairs that exist now were formed, by neighbour. Between two replacements that touch stands
        # (token, token), which is taken up from its left side only.
        lefts: defaultdict[int, list[int]] = defaultdict(list)
        rights: defaultdict[int, list[int]] = defaultdict(list)
        for p in replaced:
            neighbour = ids[p - 1]
            if neighbour >= 0 and neighbour != token:
                lefts[neighbour].append(p - sizes[neighbour])
            neighbour = ids[p + width]
            if neighbour >= 0:
                rights[neighbour].append(p)
        counts = self.counts
        positions = self._positions
        weight = self._weight_at.__getitem__
        count = counts.pop(pair)
        renamed = [((n, left), (n, token), found) for n, found in lefts.items()]
        renamed += [((right, left if n == token else n), (token, n), found) for n, found in rights.items()]
        for old, new, found in renamed:
            moved = sum(map(weight, found)) if len(found) > 1 else weight(found[0])
            counts[new] = moved
            positions[new] = array("q", found)
            formed.append((new, moved))
            if old != pair:  # the merged pair itself is gone whole
                before = counts[old]
                after = before - moved
                if after:
                    counts[old] = after
                else:
                    del counts[old]
                lowered.append((old, before, after))
        done = array("q", replaced)
        replacements = sum(map(weight, done))
        return Change(pair, token, count, done, replacements, tuple(lefts), tuple(rights))

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
        weight = self._weight_at.__getitem__
        self._write(change.positions, self._sizes[change.pair[0]], self._sizes[change.token], change.token)
        del counts[change.pair]
        for old, new in self._renamed(change):
            # Nothing was formed later while this merge was taken back, so the whole list is live again.
            moved = sum(map(weight, self._positions[new]))
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
        gap = self._sizes[left]
        return (p for p in self._positions[pair] if ids[p] == left and ids[p + gap] == right)

    def first_formed(self, pair: Pair) -> int:
        """The first position where ``pair`` was formed: never after the first where it stands now."""
        return self._positions[pair][0]

    def first_live(self, pair: Pair) -> int:
        """The first position where ``pair`` stands, with every merge so far in force.

        Entries that have died stay dead then, so they are skipped once and for all.
        """
        ids = self._ids
        left, right = pair
        gap = self._sizes[left]
        where = self._positions[pair]
        index = start = self._dead.get(pair, 0)
        while ids[where[index]] != left or ids[where[index] + gap] != right:
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
            while ids[p] != _WALL and len(word) < room:
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
            while ids[p] != _WALL:
                p += sizes[ids[p]]
                count += 1
            lengths.append(count)
        return lengths
