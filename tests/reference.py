"""Byte-pair encoding the slow, obvious way: what the fast core is held to.

Every word is a list of ids and everything is counted again at every step. Nothing here imports
``bpe_core``, and names of rules are plain strings. Not here: pre-tokenizers; words come in already cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Pair = tuple[int, int]


@dataclass(frozen=True)
class Step:
    """One merge; ``tied`` are all pairs with the count that won, in the order the tie rule takes them."""

    pair: Pair
    token: int
    count: int
    tied: tuple[Pair, ...]
    replacements: int
    corpus_length: int
    vocabulary_size: int


def replace(word: Sequence[int], pair: Pair, token: int) -> list[int]:
    """The word with the pair replaced from left to right, never overlapping.

    >>> replace([0, 0, 0], (0, 0), 1)
    [1, 0]
    """
    result: list[int] = []
    i = 0
    while i < len(word):
        if tuple(word[i : i + 2]) == pair:
            result.append(token)
            i += 2
        else:
            result.append(word[i])
            i += 1
    return result


def replay(word: Sequence[int], merges: Iterable[tuple[int, int, int]]) -> list[int]:
    """One pass of replacing for each merge, in order: what encoding a word means."""
    for left, right, token in merges:
        word = replace(word, (left, right), token)
    return list(word)


def lowest_rank_first(word: Sequence[int], merges: Sequence[tuple[int, int, int]]) -> list[int]:
    """One replacement at a time: of all pairs with a rule the lowest rank, of those the leftmost."""
    word = list(word)
    while True:
        found = [
            (rank, i)
            for i in range(len(word) - 1)
            for rank, (left, right, _) in enumerate(merges)
            if (left, right) == (word[i], word[i + 1])
        ]
        if not found:
            return word
        rank, i = min(found)
        word[i : i + 2] = [merges[rank][2]]


class Reference:
    """Training on ``words`` (pairs of word and count, distinct, in order).

    >>> small = Reference([("aaab", 1)])
    >>> small.train()
    >>> [(step.pair, step.count, step.replacements) for step in small.steps]
    [((0, 0), 2, 1), ((2, 0), 1, 1), ((3, 1), 1, 1)]
    """

    def __init__(
        self,
        words: Iterable[tuple[str, int]],
        bytes_: bool = False,
        marker: bool = False,
        ties: str = "first-seen",
        min_count: int = 1,
        choice: str = "most-frequent",
        taken: Sequence[Pair] = (),
    ) -> None:
        pairs = list(words)
        self.counts = [count for _, count in pairs]
        self.ties = ties
        self.min_count = min_count
        self.choice = choice
        self.taken = list(taken)
        if bytes_:
            self.spelling: list[bytes] = [bytes([i]) for i in range(256)]
            start = [list(word.encode()) for word, _ in pairs]
        else:
            alphabet = sorted({c for word, _ in pairs for c in word})
            self.spelling = [c.encode() for c in alphabet]
            start = [[alphabet.index(c) for c in word] for word, _ in pairs]
        if marker:
            self.spelling.append(b"")
            start = [[*word, len(self.spelling) - 1] for word in start]
        self.base = len(self.spelling)
        self.states = [start]  # states[k] are the words after k merges
        self.steps: list[Step] = []
        self.units_in_use = len({id for word in start for id in word})

    def length(self, k: int) -> int:
        """L after k merges."""
        return sum(len(word) * count for word, count in zip(self.states[k], self.counts, strict=True))

    def pair_counts(self, k: int) -> dict[Pair, int]:
        """Overlapping adjacent-pair counts, the pair seen first standing first."""
        found: dict[Pair, int] = {}
        for word, count in zip(self.states[k], self.counts, strict=True):
            for i in range(len(word) - 1):
                pair = (word[i], word[i + 1])
                found[pair] = found.get(pair, 0) + count
        return found

    def in_tie_order(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Pairs that stand in the order seen, in the order the tie rule takes them."""
        if self.ties == "lowest-ids":
            return sorted(pairs)
        if self.ties == "column-major":
            return sorted(pairs, key=lambda pair: (pair[1], pair[0]))
        return list(pairs)

    def ranked(self, k: int) -> list[tuple[Pair, int]]:
        """All pairs by count, ties in the tie rule's order."""
        counts = self.pair_counts(k)
        return sorted(((p, counts[p]) for p in self.in_tie_order(counts)), key=lambda item: -item[1])

    def tied_at(self, count: int) -> list[Pair]:
        """The pairs that now have this count."""
        return self.in_tie_order([p for p, n in self.pair_counts(len(self.steps)).items() if n == count])

    def next_pair(self) -> Pair | None:
        """What the rules take next; not for the random choice."""
        counts = self.pair_counts(len(self.steps))
        if len(self.steps) < len(self.taken):
            return self.taken[len(self.steps)]
        allowed = [count for count in counts.values() if count >= self.min_count]
        if not allowed:
            return None
        return self.tied_at(max(allowed) if self.choice == "most-frequent" else min(allowed))[0]

    def merge(self, pair: Pair) -> None:
        """Take this pair as the next merge."""
        k = len(self.steps)
        token = self.base + k
        count = self.pair_counts(k)[pair]
        tied = tuple(self.tied_at(count))
        self.states.append([replace(word, pair, token) for word in self.states[k]])
        self.spelling.append(self.spelling[pair[0]] + self.spelling[pair[1]])
        replacements = self.length(k) - self.length(k + 1)
        self.steps.append(
            Step(pair, token, count, tied, replacements, self.length(k + 1), self.units_in_use + k + 1)
        )

    def train(self, limit: int = 10**9) -> None:
        """Merge until nothing is left or ``limit`` merges are made."""
        while len(self.steps) < limit and (pair := self.next_pair()) is not None:
            self.merge(pair)
