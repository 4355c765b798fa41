"""Which pair is most frequent, and which of the tied pairs wins: a queue that is never rebuilt.

Counts of older pairs only fall, and a new pair never counts more than the merge that formed it. So pairs
wait in buckets under a count that may be too high; the highest bucket is opened, its pairs are
re-checked, and those that still have that count are the *level*: all the tied pairs, in the order of the
tie rule. Under FIRST_SEEN the order itself is lazy: first positions only rise, so a stale one is too
early, comes to the top and is corrected there.

Not here: counting (``segments``), minimum counts and other ways to choose (``training``).
"""

from __future__ import annotations

import heapq
from enum import Enum
from typing import TypeAlias

from .alphabet import Pair
from .segments import Segments

#: What a tie rule compares; the lowest wins. Under one rule all keys have one length.
Key: TypeAlias = tuple[int, ...]


class TieRule(Enum):
    """Which pair wins among those with the same count; the value is the command line's word."""

    FIRST_SEEN = "first-seen"  # whose first occurrence comes first, reading the distinct words in order
    LOWEST_IDS = "lowest-ids"  # the lowest left id, then the lowest right id
    COLUMN_MAJOR = "column-major"  # the lowest right id, then the lowest left id

    def key(self, pair: Pair, segments: Segments) -> Key:
        """What this rule compares, for ``pair`` as the words stand now."""
        if self is TieRule.LOWEST_IDS:
            return pair
        if self is TieRule.COLUMN_MAJOR:
            return (pair[1], pair[0])
        return (next(segments.live(pair)),)


class PairQueue:
    """All pairs of ``segments`` by count, kept up to date with what each merge reports.

    ``level_count`` is the count of the level that is open, ``level_size`` how many pairs have it.
    """

    def __init__(self, segments: Segments, ties: TieRule) -> None:
        self._segments = segments
        self._ties = ties
        self._buckets: dict[int, list[Pair]] = {}
        self._bucket_counts: list[int] = []  # a heap of the counts that have a bucket, negated
        self._level: list[tuple[Key, Pair]] = []  # a heap; may hold pairs that have left the level
        self.level_count = 0
        self.level_size = 0
        for pair, count in segments.counts.items():
            self._wait(pair, count)

    def _wait(self, pair: Pair, count: int) -> None:
        bucket = self._buckets.get(count)
        if bucket is None:
            self._buckets[count] = [pair]
            heapq.heappush(self._bucket_counts, -count)
        else:
            bucket.append(pair)

    def _enter(self, pair: Pair) -> None:
        if self._ties is TieRule.FIRST_SEEN:
            key: Key = (self._segments.first_formed(pair),)
        else:
            key = self._ties.key(pair, self._segments)
        heapq.heappush(self._level, (key, pair))
        self.level_size += 1

    def top(self) -> Pair | None:
        """The pair that wins now, or None when no pair is left. Every merge so far must be in force."""
        segments = self._segments
        counts = segments.counts
        level = self._level
        first_seen = self._ties is TieRule.FIRST_SEEN
        while True:
            while level:
                key, pair = level[0]
                if counts.get(pair) != self.level_count:
                    heapq.heappop(level)
                elif first_seen and (first := (segments.first_live(pair),)) != key:
                    heapq.heapreplace(level, (first, pair))
                else:
                    return pair
            if not self._bucket_counts:
                return None
            self.level_count = -heapq.heappop(self._bucket_counts)
            self.level_size = 0
            for pair in self._buckets.pop(self.level_count):
                count = counts.get(pair)
                if count == self.level_count:
                    self._enter(pair)
                elif count is not None:
                    self._wait(pair, count)

    def merged(self, count: int, lowered: list[tuple[Pair, int]], formed: list[tuple[Pair, int]]) -> None:
        """A pair of this count was merged; the lists are those that ``Segments.merge`` filled."""
        level_count = self.level_count
        if count == level_count:
            self.level_size -= 1
        self.level_size -= len(lowered)
        for pair, after in lowered:
            if after:
                self._wait(pair, after)
        buckets = self._buckets
        for pair, count in formed:
            if count in buckets:  # as most are: the way that is short
                buckets[count].append(pair)
            elif count == level_count:
                self._enter(pair)
            else:
                self._wait(pair, count)
