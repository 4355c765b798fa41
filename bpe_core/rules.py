"""What a vocabulary says about merging: which pairs merge, in what order, into which token.

Two kinds of vocabulary, one interface (``Rules``):

* ``MergeRules``: a list of merges (left, right, new). A pair's rank is its place in the list, from 0;
  for people merge number = rank + 1. A pair listed twice keeps its lower rank.
* ``JoinedRules``: a tiktoken ranks file. Two tokens merge when their joined bytes are a token, whose
  rank is its id; a whole word that is a token is that token at once.

Both encode by one rule: *lowest rank first, then leftmost, one replacement at a time*. Where every
merge uses only tokens of earlier merges (every trained list), that equals replaying the list in order.
``merge_short`` and ``merge_queue`` are that rule twice: the first rescans and is faster for words, the
second keeps a queue and stays n log n for 100,000 letters without a space.

Not here: text, words and caches (``encoding``), explanations (``trace``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Protocol

from .alphabet import Alphabet, Pair, Token, Unit
from .errors import ImportFormatError, SettingError, shown

Merge = tuple[int, int, int]  # left id, right id, new id

#: The rank of a pair that no rule joins: above every real rank.
NO_RULE = 1 << 40

#: Spellings up to this many bytes are kept once built. Without word splitting a long training makes
#: thousands of tokens that are each most of the text, so longer ones are spelled anew when asked for.
KEPT_SPELLING = 1024

#: How many pairs without a rule are remembered, so that asking again needs no Python call.
KEPT_PAIRS = 300_000


class Numbering(Enum):
    """How a rule is named to people: "merge 3" counts from 1, "rank 3" is the rank itself."""

    MERGE = "merge"
    RANK = "rank"

    def number(self, rank: int) -> int:
        """The number a person reads for a 0-based rank."""
        return rank + 1 if self is Numbering.MERGE else rank


class Rules(Protocol):
    """What encoding and decoding ask of a vocabulary. ``ranks[pair]`` never fails: ``NO_RULE`` means none."""

    numbering: Numbering
    count: int  # ranks are 0 .. count - 1
    ranks: dict[Pair, int]
    made: Sequence[int]  # rank -> id of the token it makes
    whole: Mapping[bytes, int]  # words that are one token at once

    def spell(self, id: int) -> bytes:
        """The bytes of a token; KeyError for an id the vocabulary does not hold."""

    def length(self, id: int) -> int:
        """How many bytes a token has; KeyError for an id the vocabulary does not hold."""

    def ends_word(self, id: int) -> bool:
        """Whether the end-of-word marker closes the token."""

    def rank_making(self, id: int) -> int:
        """The lowest rank that makes the token, -1 if none has to (a base unit); KeyError if unknown."""

    def parents(self, id: int) -> Pair | None:
        """The two tokens the token is merged from, None where there are none."""

    def find(self, data: bytes, ends_word: bool) -> int | None:
        """The lowest id of the token spelled ``data``, or None."""

    def ids(self) -> list[int]:
        """Every id of the vocabulary, in ascending order."""


class _ListedRanks(dict[Pair, int]):
    """Pair -> rank from a merge list; a pair without a rule is remembered while there is room."""

    def __init__(self, rules: int) -> None:
        self._room = rules + KEPT_PAIRS

    def __missing__(self, pair: Pair) -> int:
        if len(self) < self._room:
            self[pair] = NO_RULE
        return NO_RULE


class MergeRules:
    """The rules of a merge list over an alphabet.

    Merges may come in any order and two may make one token, as imported lists do; what a merge uses must
    be a base unit or made by some merge, and one id has one spelling. Otherwise ``SettingError``.
    """

    numbering = Numbering.MERGE

    def __init__(self, alphabet: Alphabet, merges: Sequence[Merge], specials: Mapping[int, bytes]) -> None:
        self.merges = merges
        self.count = len(merges)
        self.ranks: dict[Pair, int] = _ListedRanks(len(merges))
        self.made: Sequence[int] = [new for _, _, new in merges]
        self.whole: Mapping[bytes, int] = {}
        self._spellings: dict[int, bytes] = {}
        self._spelled_last: tuple[int, bytes] = (-1, b"")  # the last spelling too long to keep
        self._length: dict[int, int] = {}  # id -> bytes; also the set of ids in use
        self._making: dict[int, int] = {}
        self._parents: dict[int, Pair] = {}
        self._enders: set[int] = set()
        self._of_length: dict[int, list[int]] | None = None
        for unit in alphabet.units:
            if unit.id is not None:
                self._add_unmerged(unit.id, unit.data)
                if unit.ends_word:
                    self._enders.add(unit.id)
        self._follow(merges)
        for id, data in specials.items():
            if id in self._length:
                raise SettingError(f"The special token {shown(data)} has id {id}, which another token holds.")
            self._add_unmerged(id, data)

    def _add_unmerged(self, id: int, data: bytes) -> None:
        self._spellings[id] = data
        self._length[id] = len(data)
        self._making[id] = -1

    def _follow(self, merges: Sequence[Merge]) -> None:
        """Define every merge's token; a merge whose sides come later waits for them."""
        length, enders, making = self._length, self._enders, self._making
        waiting: dict[int, list[int]] = {}
        for first in range(len(merges)):
            ready = [first]
            while ready:
                rank = ready.pop()
                left, right, new = merges[rank]
                if left not in length or right not in length:
                    waiting.setdefault(right if left in length else left, []).append(rank)
                    continue
                earlier = self.ranks.get((left, right))
                if earlier is None or rank < earlier:
                    self.ranks[left, right] = rank
                if new in length:
                    self._check_same(rank, left, right, new)
                    if rank < making[new]:
                        making[new], self._parents[new] = rank, (left, right)
                    continue
                length[new] = length[left] + length[right]
                making[new], self._parents[new] = rank, (left, right)
                if right in enders:
                    enders.add(new)
                if new in waiting:
                    ready.extend(waiting.pop(new))
        if waiting:
            rank, missing = min((min(ranks), id) for id, ranks in waiting.items())
            raise SettingError(f"Merge {rank + 1} uses {missing}, neither a base unit nor made by a merge.")

    def _check_same(self, rank: int, left: int, right: int, new: int) -> None:
        same_end = (right in self._enders) == (new in self._enders)
        same_length = self._length[left] + self._length[right] == self._length[new]
        if not (same_end and same_length and self.spell(left) + self.spell(right) == self.spell(new)):
            raise SettingError(f"Merge {rank + 1} makes token {new}, which is already something else.")

    def spell(self, id: int) -> bytes:
        """The bytes of a token, built from its base units without recursion."""
        kept = self._spellings
        if id in kept:
            return kept[id]
        if id not in self._length:
            raise KeyError(id)
        last, spelling = self._spelled_last  # as a rule a token is asked for right after its parents
        pieces: list[bytes] = []
        stack = [id]
        while stack:
            part = stack.pop()
            if part in kept:
                pieces.append(kept[part])
            elif part == last:
                pieces.append(spelling)
            else:
                left, right = self._parents[part]
                stack += (right, left)
        data = b"".join(pieces)
        if len(data) <= KEPT_SPELLING:
            kept[id] = data
        else:
            self._spelled_last = (id, data)
        return data

    def length(self, id: int) -> int:
        """How many bytes a token has."""
        return self._length[id]

    def ends_word(self, id: int) -> bool:
        """Whether the end-of-word marker closes the token."""
        return id in self._enders

    def rank_making(self, id: int) -> int:
        """The lowest rank that makes the token, -1 for base units and specials; KeyError if unknown."""
        return self._making[id]

    def parents(self, id: int) -> Pair | None:
        """The pair of the lowest-ranked merge that makes the token."""
        return self._parents.get(id)

    def find(self, data: bytes, ends_word: bool) -> int | None:
        """The lowest id spelled ``data``; only tokens of that length are spelled to look."""
        if self._of_length is None:
            by_length: dict[int, list[int]] = {}
            for id in self.ids():
                by_length.setdefault(self._length[id], []).append(id)
            self._of_length = by_length
        for id in self._of_length.get(len(data), ()):
            if (id in self._enders) == ends_word and self.spell(id) == data:
                return id
        return None

    def ids(self) -> list[int]:
        """Every id of the vocabulary, in ascending order."""
        return sorted(self._length)


class _JoinedRanks(dict[Pair, int]):
    """Pair -> rank of the token spelled by both sides together; bounded, computed when first asked."""

    def __init__(self, tokens: Sequence[bytes], rank_of: Mapping[bytes, int]) -> None:
        self._tokens = tokens
        self._rank_of = rank_of

    def __missing__(self, pair: Pair) -> int:
        rank = self._rank_of.get(self._tokens[pair[0]] + self._tokens[pair[1]], NO_RULE)
        if len(self) >= KEPT_PAIRS:
            self.clear()
        self[pair] = rank
        return rank


class JoinedRules:
    """The rules of a ranks file: ``tokens[rank]`` is the token's bytes, its id is its rank.

    ``b""`` marks a rank that no token holds. All 256 single bytes must be there, no token twice;
    otherwise ``ImportFormatError``.
    """

    numbering = Numbering.RANK

    def __init__(self, tokens: Sequence[bytes], specials: Mapping[int, bytes]) -> None:
        whole = {data: rank for rank, data in enumerate(tokens)}
        whole.pop(b"", None)
        if len(whole) != sum(map(bool, tokens)):
            first, data = next((i, data) for i, data in enumerate(tokens) if data and whole[data] != i)
            raise ImportFormatError(f"The token {shown(data)} has two ranks, {first} and {whole[data]}.")
        missing = [byte for byte in range(256) if bytes([byte]) not in whole]
        if missing:
            raise ImportFormatError(
                f"The ranks hold no token for byte {missing[0]:02x}; all 256 single bytes must have one."
            )
        taken = next((id for id in specials if 0 <= id < len(tokens) and tokens[id]), None)
        if taken is not None:
            what = f"The special token {shown(specials[taken])}"
            raise ImportFormatError(f"{what} has id {taken}, which is another token's rank.")
        units = [Token(whole[bytes([byte])], bytes([byte]), Unit.BYTE) for byte in range(256)]
        self.alphabet = Alphabet.from_units(Unit.BYTE, units)
        self.count = len(tokens)
        self.whole: Mapping[bytes, int] = whole
        self.ranks: dict[Pair, int] = _JoinedRanks(tokens, whole)
        self.made: Sequence[int] = range(len(tokens))
        self._tokens = tokens
        self._specials = dict(specials)
        self._parents: dict[int, Pair | None] = {}

    def spell(self, id: int) -> bytes:
        """The bytes of a token; KeyError for an id the vocabulary does not hold."""
        data = self._tokens[id] if 0 <= id < self.count else b""
        return data or self._specials[id]

    def length(self, id: int) -> int:
        """How many bytes a token has."""
        return len(self.spell(id))

    def ends_word(self, id: int) -> bool:
        """Never: a ranks file has no marker."""
        return False

    def rank_making(self, id: int) -> int:
        """The token's own rank, -1 for single bytes and specials; KeyError if unknown."""
        return -1 if len(self.spell(id)) == 1 or id in self._specials else id

    def parents(self, id: int) -> Pair | None:
        """What the lower ranks leave of the token's bytes, if that is two tokens.

        A token that lower ranks leave in three or more parts is only reached as a whole word.
        """
        if id not in self._parents:
            pair: Pair | None = None
            if self.rank_making(id) >= 0:
                units = [self.whole[bytes([byte])] for byte in self.spell(id)]
                parts = merge_word(units, self, limit=id)
                pair = (parts[0], parts[1]) if len(parts) == 2 else None
            self._parents[id] = pair
        return self._parents[id]

    def find(self, data: bytes, ends_word: bool) -> int | None:
        """The rank of the token spelled ``data``, or a special token's id."""
        if ends_word:
            return None
        special = (id for id in sorted(self._specials) if self._specials[id] == data)
        return self.whole.get(data, next(special, None))

    def ids(self) -> list[int]:
        """Every id of the vocabulary, in ascending order."""
        return sorted([*self.whole.values(), *self._specials])


#: Words of more units than this use the queue.
SHORT_WORD = 64


def merge_word(units: list[int], rules: Rules, limit: int) -> list[int]:
    """The tokens the rules of rank below ``limit`` leave of ``units``; may change ``units`` itself."""
    return (merge_short if len(units) <= SHORT_WORD else merge_queue)(units, rules, limit)


def merge_short(ids: list[int], rules: Rules, limit: int) -> list[int]:
    """``merge_word`` by scanning the ranks of all neighbouring pairs for the lowest, each time."""
    rank, made = rules.ranks.__getitem__, rules.made
    ranks = list(map(rank, pairwise(ids)))
    while ranks:
        lowest = min(ranks)
        if lowest >= limit:
            break
        at = ranks.index(lowest)  # index finds the leftmost
        ids[at] = made[lowest]
        del ids[at + 1], ranks[at]
        if at:
            ranks[at - 1] = rank((ids[at - 1], ids[at]))
        if at < len(ranks):
            ranks[at] = rank((ids[at], ids[at + 1]))
    return ids


#: One replacement: the rank, where its left side starts, where its right side starts (in units).
Replacement = tuple[int, int, int]


def merge_queue(
    ids: list[int], rules: Rules, limit: int, record: list[Replacement] | None = None
) -> list[int]:
    """``merge_word`` with a queue over (rank, place) and links between neighbours: n log n.

    Every replacement is appended to ``record``, if given, in the order made. A token lives at the place
    of its first unit, so places never move and the queue's order is "lowest rank, then leftmost".
    """
    rank, made = rules.ranks.__getitem__, rules.made
    size = len(ids)
    after = list(range(1, size + 1))
    before = list(range(-1, size))
    current = list(map(rank, pairwise(ids)))  # rank of the pair that starts here now
    current.append(NO_RULE)
    queue = [r * size + place for place, r in enumerate(current) if r < limit]
    heapify(queue)
    while queue:
        lowest, place = divmod(heappop(queue), size)
        if current[place] != lowest:
            continue  # the pair it was queued for is gone
        right = after[place]
        beyond = after[right]
        if record is not None:
            record.append((lowest, place, right))
        ids[place] = made[lowest]
        after[place] = beyond
        current[right] = NO_RULE
        if beyond < size:
            before[beyond] = place
            current[place] = new = rank((ids[place], ids[beyond]))
            if new < limit:
                heappush(queue, new * size + place)
        else:
            current[place] = NO_RULE
        if place:
            left = before[place]
            current[left] = new = rank((ids[left], ids[place]))
            if new < limit:
                heappush(queue, new * size + left)
    place, tokens = 0, []
    while place < size:
        tokens.append(ids[place])
        place = after[place]
    return tokens
