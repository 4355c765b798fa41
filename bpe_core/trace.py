"""Why a text splits as it does: the states on the way and each boundary's reason.

``Trace`` holds one ``Stage`` for each merge that changed something. Stages keep numbers only; the words
of a stage are worked out when asked for, so a long text with thousands of merges stays small. Equal
words are traced once.

A boundary that still stands after encoding has met several pairs of tokens: the two units at first,
then larger tokens as either side grew. ``Boundary`` says why none of them merged.

Not here: drawing, a token's merge tree (``tree``), and text that the pre-tokenizer dropped between words
(``pretokenize``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import compress
from typing import TYPE_CHECKING

from .alphabet import Token
from .display import label
from .rules import NO_RULE, Numbering, Replacement, merge_queue

if TYPE_CHECKING:
    from .encoding import Tokenizer

Ids = tuple[int, ...]

#: The place of a right side that stands for "all of the word at once" (ranks files only).
WHOLE_WORD = -1


@dataclass(frozen=True, slots=True)
class Stage:
    """The text after one merge that changed something; stage 0 is the start, before any merge.

    ``number`` is the merge's number (its rank for a ranks file), 0 at the start. ``left`` and ``right``
    are the ids it joined into ``token``: None at the start, and where a ranks file takes a whole word
    that merging would not reach. ``changed`` are the positions of the words it changed.
    """

    index: int
    number: int
    left: int | None
    right: int | None
    token: int | None
    replacements: int
    changed: tuple[int, ...]
    length: int  # tokens in the whole text after it
    _trace: Trace = field(repr=False, compare=False)

    @property
    def words(self) -> tuple[Ids, ...]:
        """Every word of the text as token ids at this stage."""
        return self._trace.words_at(self.index)


class Trace:
    """All stages of encoding a text.

    ``words`` are the words the pre-tokenizer yields, in order; ``stages[0]`` is the start;
    ``unchanged`` is how many merges in use changed nothing.

    >>> from bpe_core.alphabet import Alphabet, Unit
    >>> from bpe_core.encoding import Tokenizer
    >>> from bpe_core.pretokenize import PreTokenizer
    >>> trace = Tokenizer(Alphabet(Unit.CHAR, "abc"), [(0, 1, 3), (3, 2, 4)], PreTokenizer.NONE).trace("abab")
    >>> [(stage.number, stage.words, stage.replacements) for stage in trace.stages]
    [(0, ((0, 1, 0, 1),), 0), (1, ((3, 3),), 2)]
    >>> trace.unchanged
    1
    """

    __slots__ = ("_distinct", "_numbers", "_of_word", "_stage_of", "stages", "unchanged", "words")

    def __init__(self, tokenizer: Tokenizer, words: Sequence[str]) -> None:
        self.words = tuple(words)
        numbers: dict[str, int] = {}
        self._of_word = [numbers.setdefault(word, len(numbers)) for word in self.words]
        self._distinct = [_WordHistory(tokenizer, word) for word in numbers]
        #: for each distinct word, the stage of each of its replacements
        self._stage_of: list[list[int]] = [[] for _ in self._distinct]
        self.stages = tuple(self._gather(tokenizer))
        used = {stage.number for stage in self.stages[1:]}
        self.unchanged = _rules_in_use(tokenizer) - len(used)

    def _gather(self, tokenizer: Tokenizer) -> Iterator[Stage]:
        """Interleave the words' replacements: the lowest rank next in any word, in all words where it is.

        Words never touch, so this is the order on the whole text. (In a list out of order a word may come
        back to a lower rank; that is then a stage of its own.)
        """
        places: list[list[int]] = [[] for _ in self._distinct]
        for position, n in enumerate(self._of_word):
            places[n].append(position)
        length = sum(len(word.units) * len(places[n]) for n, word in enumerate(self._distinct))
        yield Stage(0, 0, None, None, None, 0, (), length, self)
        rules = tokenizer.rules
        done = [0] * len(self._distinct)
        heads = [(word.replaced[0][0], n) for n, word in enumerate(self._distinct) if word.replaced]
        heapify(heads)
        index = 0
        while heads:
            index += 1
            rank = heads[0][0]
            changed: list[int] = []
            replacements = 0
            pair: tuple[int | None, int | None] = (None, None)
            taking: list[int] = []
            while heads and heads[0][0] == rank:
                taking.append(heappop(heads)[1])
            for n in taking:
                word = self._distinct[n]
                first = done[n]
                while done[n] < len(word.replaced) and word.replaced[done[n]][0] == rank:
                    length -= word.lost[done[n]] * len(places[n])
                    done[n] += 1
                pair = word.pairs[first]
                replacements += (done[n] - first) * len(places[n])
                changed += places[n]
                self._stage_of[n] += [index] * (done[n] - first)
                if done[n] < len(word.replaced):
                    heappush(heads, (word.replaced[done[n]][0], n))
            yield Stage(
                index, rules.numbering.number(rank), *pair, rules.made[rank], replacements,
                tuple(sorted(changed)), length, self,
            )  # fmt: skip

    def words_at(self, stage: int) -> tuple[Ids, ...]:
        """Every word as token ids at a stage (0 to ``len(stages) - 1``)."""
        states = [
            word.after(bisect_right(stages, stage))
            for word, stages in zip(self._distinct, self._stage_of, strict=True)
        ]
        return tuple([states[n] for n in self._of_word])

    def word_at(self, stage: int, position: int) -> Ids:
        """One word as token ids at a stage."""
        n = self._of_word[position]
        return self._distinct[n].after(bisect_right(self._stage_of[n], stage))


class _WordHistory:
    """One word's units and the replacements that encoding makes in it, in order."""

    __slots__ = ("_made", "lost", "pairs", "replaced", "units")

    def __init__(self, tokenizer: Tokenizer, word: str) -> None:
        rules = tokenizer.rules
        self.units = tokenizer.alphabet.ids_of(word)
        self.replaced: list[Replacement] = []
        self._made = rules.made
        final = merge_queue(list(self.units), rules, tokenizer.limit, self.replaced)
        tokens = list(self.units)
        self.pairs: list[tuple[int | None, int | None]] = []  # the ids each replacement joined
        for rank, left, right in self.replaced:
            self.pairs.append((tokens[left], tokens[right]))
            tokens[left] = self._made[rank]
        self.lost = [1] * len(self.replaced)  # by how many tokens each made the word shorter
        encoded = tokenizer.encode_word(word)
        if encoded != tuple(final):  # a ranks file takes this word whole where merging does not reach it
            self.replaced.append((encoded[0], 0, WHOLE_WORD))
            self.pairs.append((None, None))
            self.lost.append(len(final) - 1)

    def after(self, count: int) -> Ids:
        """The word's token ids after its first ``count`` replacements."""
        tokens = list(self.units)
        alive = bytearray(b"\1") * len(tokens)
        for rank, left, right in self.replaced[:count]:
            tokens[left] = self._made[rank]
            if right == WHOLE_WORD:
                return (tokens[left],)
            alive[right] = 0
        return tuple(compress(tokens, alive))


def trace_text(tokenizer: Tokenizer, text: str) -> Trace:
    """The trace of encoding ``text``."""
    return Trace(tokenizer, tokenizer.pre_tokenizer.split(text))


def _rules_in_use(tokenizer: Tokenizer) -> int:
    """How many rules a trace may count as used or unused; in a ranks file every longer token is one."""
    if tokenizer.numbering is Numbering.MERGE:
        return tokenizer.limit
    return sum(1 for id in tokenizer.ids() if tokenizer.rules.rank_making(id) >= 0)


class Reason(Enum):
    """Why a boundary between two tokens stands."""

    WALL = "wall"  #: the pre-tokenizer cut here; merges stay inside words
    UNSEEN = "unseen"  #: one side is a unit training never saw
    NOT_YET = "not-yet"  #: a rule joins these two tokens, but it comes after the merges in use
    TOO_LATE = "too-late"  #: a rule joined a pair that met here, but one side had merged elsewhere first
    NO_RULE = "no-rule"  #: no rule joins any pair that met here


class Side(Enum):
    """A side of a boundary."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Boundary:
    """Why the boundary between tokens ``index`` and ``index + 1`` of the split stands.

    ``left`` and ``right`` are those two tokens. With NOT_YET and TOO_LATE, ``number`` is the rule that
    would have closed it (merge number, or rank: see ``numbering``) and ``pair`` the two tokens it joins.
    With TOO_LATE, ``taken_by`` is the number of the merge that took the ``taken`` side of the pair into
    ``taken_into``; equal numbers mean that a token next to its like went to the pair before
    (a·a·a: aa|a). Of several rules that came too late the lowest is named. ``in_use`` is how many
    merges are in use (for ranks: the rank from which none is).
    """

    index: int
    left: Token
    right: Token
    reason: Reason
    numbering: Numbering = Numbering.MERGE
    in_use: int = 0
    number: int | None = None
    pair: tuple[Token, Token] | None = None
    taken_by: int | None = None
    taken: Side | None = None
    taken_into: Token | None = None

    @property
    def sentence(self) -> str:
        """The reason in one sentence."""
        if self.reason is Reason.WALL:
            return "The pre-tokenizer cut here, and merges stay inside words."
        if self.reason is Reason.UNSEEN:
            unseen = [_name(token) for token in (self.left, self.right) if not token.known]
            if len(set(unseen)) == 2:
                return f"Training never saw {unseen[0]} or {unseen[1]}, so no merge uses them."
            return f"Training never saw {unseen[0]}, so no merge uses it."
        rule = f"{self.numbering.value.capitalize()} {self.number}"
        if self.pair is None:
            return f"No {self.numbering.value} joins any pair of tokens that met here."
        pair = f"{_name(self.pair[0])} and {_name(self.pair[1])}"
        if self.reason is Reason.NOT_YET:
            return f"{rule} joins {pair}, but {self._in_use()}."
        taken = _name(self.pair[0] if self.taken is Side.LEFT else self.pair[1])
        into = _name(self.taken_into) if self.taken_into is not None else ""
        if self.taken_by == self.number:
            return (
                f"{rule} joins {pair}, but it works from left to right "
                f"and had already used the {taken} on the left to make {into}."
            )
        return (
            f"{rule} joins {pair}, but by its turn {self.numbering.value} {self.taken_by} "
            f"had already made {taken} part of {into}."
        )

    def _in_use(self) -> str:
        if self.numbering is Numbering.RANK:
            return f"only ranks below {self.in_use} are in use"
        if self.in_use > 1:
            return f"only merges 1 to {self.in_use} are in use"
        return "only merge 1 is in use" if self.in_use else "no merge is in use"


def _name(token: Token) -> str:
    return label(token, limit=40).plain


def trace_boundaries(tokenizer: Tokenizer, text: str) -> list[Boundary]:
    """For every boundary between neighbouring tokens of the split of ``text``: why it stands."""
    common = (tokenizer.numbering, tokenizer.limit)
    inside: dict[str, list[Boundary]] = {}  # a word's boundaries, numbered from 0
    found: list[Boundary] = []
    index = 0  # of the word's first token
    previous: Token | None = None
    for word in tokenizer.pre_tokenizer.split(text):
        ids = tokenizer.encode_word(word)
        if not ids:
            continue
        if word not in inside:
            inside[word] = _inside(tokenizer, word)
        if previous is not None:
            found.append(Boundary(index - 1, previous, tokenizer.token(ids[0]), Reason.WALL, *common))
        found += [replace(boundary, index=index + boundary.index) for boundary in inside[word]]
        index += len(ids)
        previous = tokenizer.token(ids[-1])
    return found


def _inside(tokenizer: Tokenizer, word: str) -> list[Boundary]:
    """The boundaries inside one word: replay it and note each pair with a rule that a merge took apart."""
    history = _WordHistory(tokenizer, word)
    if history.replaced and history.replaced[-1][2] == WHOLE_WORD:
        return []
    rules, name = tokenizer.rules, tokenizer.token
    tokens = list(history.units)
    size = len(tokens)
    after, before = list(range(1, size + 1)), list(range(-1, size))
    # where a right side starts -> rank of the lowest rule that came too late there, its pair, what took it
    late: dict[int, tuple[int, int, int, int, Side]] = {}

    def note(left: int, right: int, taken_by: int, side: Side) -> None:
        rank = rules.ranks[tokens[left], tokens[right]]
        if rank < NO_RULE and (right not in late or rank < late[right][0]):
            late[right] = (rank, tokens[left], tokens[right], taken_by, side)

    for rank, left, right in history.replaced:
        if left:
            note(before[left], left, rank, Side.RIGHT)
        if after[right] < size:
            note(right, after[right], rank, Side.LEFT)
            before[after[right]] = left
        tokens[left] = rules.made[rank]
        after[left] = after[right]

    number = rules.numbering.number
    found: list[Boundary] = []
    left = 0
    while size and after[left] < size:
        right = after[left]
        both = (tokens[left], tokens[right])
        sides = (name(both[0]), name(both[1]))
        rank = rules.ranks[both]
        why = partial(Boundary, len(found), *sides, numbering=rules.numbering, in_use=tokenizer.limit)
        if min(both) < 0:
            found.append(why(reason=Reason.UNSEEN))
        elif rank < NO_RULE:
            found.append(why(reason=Reason.NOT_YET, number=number(rank), pair=sides))
        elif right in late:
            rank, left_id, right_id, taken_by, side = late[right]
            found.append(
                why(
                    reason=Reason.TOO_LATE,
                    number=number(rank),
                    pair=(name(left_id), name(right_id)),
                    taken_by=number(taken_by),
                    taken=side,
                    taken_into=name(rules.made[taken_by]),
                )
            )
        else:
            found.append(why(reason=Reason.NO_RULE))
        left = right
    return found
