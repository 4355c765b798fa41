"""What the Split and Bytes pages say: why a boundary stands, what comes back, which ids are meant.

Built from the core's records as parts for `say`; nothing here draws. Not here: the pictures (`stations`,
`align`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bpe_core.alphabet import Token, Unit
from bpe_core.display import PartKind, describe, label
from bpe_core.encoding import Tokenizer
from bpe_core.errors import shown
from bpe_core.trace import Boundary, Reason, Side, Trace

from .figures import average, many
from .say import Part, strong, tok
from .tables import joined
from .tiles import Facts

#: How a boundary is drawn: double where the pre-tokenizer cut, dashed where a rule exists but did not act,
#: dotted where there is no rule.
GAP_STYLE = {
    Reason.WALL: "wall",
    Reason.UNSEEN: "no-rule",
    Reason.NO_RULE: "no-rule",
    Reason.TOO_LATE: "too-late",
    Reason.NOT_YET: "too-late",
}

_SHORT = {
    Reason.WALL: "the edge of a word",
    Reason.UNSEEN: "a character never seen in training",
    Reason.NO_RULE: "no merge joins them",
    Reason.TOO_LATE: "a merge came too late",
    Reason.NOT_YET: "a later merge joins them",
}

#: More faulty ids than this are only counted.
FAULTS_NAMED = 8


def listed(items: Sequence[Part], more: int = 0) -> list[Part]:
    """Parts with commas between them, and how many more there are."""
    parts: list[Part] = []
    for place, item in enumerate(items):
        parts += [", ", item] if place else [item]
    return [*parts, f" and {more:,} more"] if more > 0 else parts


def drawn_label(token: Token, limit: int = 40) -> list[list[str]]:
    """A token's label for a component: [text, style] pairs; stray bytes are told apart by their style."""
    parts = label(token, limit).parts
    return [[part.bare if part.kind is PartKind.BYTES else part.text, part.kind.value] for part in parts]


# --- boundaries --------------------------------------------------------------------------------


def boundary_parts(boundary: Boundary) -> list[Part]:
    """Why this boundary stands, in plain sentences."""
    left, right = tok(boundary.left), tok(boundary.right)
    start: list[Part] = ["Between ", left, " and ", right, ": "]
    if boundary.reason is Reason.WALL:
        return [
            *start,
            strong("the edge of a word. "),
            "The pre-tokenizer cut here first, and no merge crosses it.",
        ]
    if boundary.reason is Reason.UNSEEN:
        unseen = dict.fromkeys(token.data for token in (boundary.left, boundary.right) if not token.known)
        chips = [tok(data.decode("utf-8", "replace")) for data in unseen]
        both = [chips[0], " and ", chips[1]] if len(chips) == 2 else chips
        tail = " never occurred in the training text, so no merge uses "
        return [*start, strong("never seen. "), *both, tail + ("them." if len(chips) == 2 else "it.")]
    if boundary.pair is None or boundary.number is None:
        return [
            *start,
            strong("no rule. "),
            "None of the merges joins these two, nor any pair of tokens that met here on the way.",
        ]
    pair: list[Part] = [tok(boundary.pair[0]), " + ", tok(boundary.pair[1])]
    rule: list[Part] = [f"Merge {boundary.number:,} joins ", *pair]
    if boundary.reason is Reason.NOT_YET:
        return [*start, strong("not yet. "), *rule, f", but {_in_use(boundary.in_use)}."]
    taken = tok(boundary.pair[0] if boundary.taken is Side.LEFT else boundary.pair[1])
    into: list[Part] = [tok(boundary.taken_into)] if boundary.taken_into is not None else ["another token"]
    if boundary.taken_by == boundary.number:
        return [
            *start,
            strong("already used. "),
            *rule,
            ", but it works from left to right and had just used the ",
            taken,
            " on the left to make ",
            *into,
            ".",
        ]
    return [
        *start,
        strong("too late. "),
        *rule,
        f", but when its turn came, merge {boundary.taken_by:,} had already made ",
        taken,
        " part of ",
        *into,
        ".",
    ]


def _in_use(k: int) -> str:
    if k == 0:
        return "no merge is in use"
    return "only merge 1 is in use" if k == 1 else f"only merges 1 to {k:,} are in use"


def gap_name(boundary: Boundary) -> str:
    """What a screen reader says at a boundary."""
    return (
        f"boundary {boundary.index + 1}, between {describe(boundary.left, 24)} and "
        f"{describe(boundary.right, 24)}: {_SHORT[boundary.reason]}"
    )


def telling(boundaries: Sequence[Boundary]) -> int | None:
    """The boundary to explain before the reader picks one: the one with most to tell."""
    for reason in (Reason.TOO_LATE, Reason.NOT_YET, Reason.NO_RULE, Reason.UNSEEN, Reason.WALL):
        for boundary in boundaries:
            if boundary.reason is reason:
                return boundary.index
    return None


def places(words: Sequence[Sequence[Token]]) -> list[int]:
    """Where each token ends, counted in units over all words: the same place whatever k is.

    >>> b, ab = Token(1, b"b", Unit.CHAR), Token(2, b"ab", Unit.CHAR)
    >>> places([[ab, b], [b]])
    [2, 3, 4]
    """
    ends: list[int] = []
    at = 0
    for word in words:
        for token in word:
            size = len(token.data) if token.unit is Unit.BYTE else len(token.data.decode("utf-8", "replace"))
            at += size + token.ends_word
            ends.append(at)
    return ends


# --- the whole split ---------------------------------------------------------------------------


def split_parts(tokens: Sequence[Token], text: str, words: int) -> list[Part]:
    """How many tokens, and characters per token."""
    if not tokens:
        return [strong("No tokens. "), "There is nothing in this text that the pre-tokenizer keeps."]
    each = average(len(text) / len(tokens))
    return [
        strong(many(len(tokens), "token")),
        f" from {many(words, 'word')} and {many(len(text), 'character')}: {each} characters per token. ",
    ]


def steps_parts(trace: Trace, k: int) -> list[Part]:
    """How many of the merges in use changed something in this text."""
    useful = len({stage.number for stage in trace.stages[1:] if stage.number <= k})
    if k == 0:
        return ["No merge is in use yet: every unit is a token."]
    if useful == 0:
        return [
            f"None of the {many(k, 'merge')} in use changed anything here."
            if k > 1
            else "The one merge in use changed nothing here."
        ]
    idle = k - useful
    tail = f"; {idle:,} found nothing to do" if idle else ""
    which = f"All {k:,} merges" if useful == k and k > 1 else f"{useful:,} of the {many(k, 'merge')}"
    return [f"{which} in use changed something here{tail}."]


def stations_parts(trace: Trace, known: int) -> list[Part]:
    """How many of all merges change something in this text, and how many are left out."""
    useful, idle = known - trace.unchanged, trace.unchanged
    verb = "changes" if useful == 1 else "change"
    start = f"{many(useful, 'merge')} of {known:,} {verb} something in this text"
    if not idle:
        return [start + "."]
    rest = "the other one finds" if idle == 1 else f"the other {idle:,} find"
    return [f"{start}; {rest} nothing to do here and {'is' if idle == 1 else 'are'} left out."]


def round_trip_parts(tokenizer: Tokenizer, tokens: Sequence[Token], text: str) -> list[Part]:
    """Whether decoding the ids gives the text back, and if not, what is missing and why."""
    unseen = list(dict.fromkeys(token.data.decode("utf-8", "replace") for token in tokens if not token.known))
    dropped = tokenizer.pre_tokenizer.dropped(text)
    parts: list[Part] = []
    if unseen:
        named = listed([tok(character) for character in unseen[:12]], len(unseen) - 12)
        parts += [
            strong("Unknown: "),
            *named,
            " never occurred in training, so " + ("it has no id" if len(unseen) == 1 else "they have no ids"),
            ". Each is kept as it is, but ids alone cannot bring the text back. ",
        ]
    if dropped.characters:
        parts += [strong("Left out: "), dropped.sentence]
    if parts:
        return parts
    if not tokens:
        return []
    if tokenizer.decode_tokens(tokens) == text:
        return [strong("Round trip: "), "decoding the ids gives the text back exactly."]
    return [strong("Round trip: "), "decoding the ids does not give the text back exactly."]


def token_facts(tokenizer: Tokenizer) -> Facts:
    """For the details card of a tile: which merge made the token, and from what."""

    def facts(token: Token) -> list[tuple[str, str]]:
        if token.id is None or token.id not in tokenizer:
            return []
        made = made_by(tokenizer, token)
        return [("made by", made)] if made else [("made by", "no merge: a base unit")]

    return facts


def made_by(tokenizer: Tokenizer, token: Token) -> str | None:
    """``merge 5: ␣b + ake``, or None for a base unit or an unseen one."""
    if token.id is None or token.id not in tokenizer:
        return None
    pair, number = tokenizer.parents(token.id), tokenizer.number_of(token.id)
    if pair is None or number is None:
        return None
    left, right = (label(tokenizer.token(id), 24).plain for id in pair)
    return f"merge {number:,}: {joined(left, right)}"


# --- ids that somebody typed -------------------------------------------------------------------

_SEPARATORS = re.compile(r"[\s,;\[\]()]+")
_ID = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class GivenIds:
    """What stands in the decode box: the ids that can be used, and a sentence for every item that cannot."""

    ids: tuple[int, ...]
    faults: tuple[str, ...]

    @property
    def named(self) -> list[str]:
        """The first faults, and how many more there are."""
        more = len(self.faults) - FAULTS_NAMED
        rest = [f"{more:,} more items are not ids of this vocabulary."] if more > 0 else []
        return [*self.faults[:FAULTS_NAMED], *rest]


def read_ids(text: str, tokenizer: Tokenizer, whole: Tokenizer | None = None) -> GivenIds:
    """The ids in ``text``, separated by white space, commas, semicolons or brackets.

    ``tokenizer`` holds the ids that are allowed, ``whole`` the same with merges that are not in use yet.

    >>> from bpe_core.alphabet import Alphabet
    >>> from bpe_core.pretokenize import PreTokenizer
    >>> letters = Tokenizer(Alphabet(Unit.CHAR, "abc"), [], PreTokenizer.NONE)
    >>> given = read_ids("[2, 7] x", letters)
    >>> given.ids
    (2,)
    >>> for fault in given.faults: print(fault)
    Item 2, '7', is not an id of this vocabulary; its ids are 0 to 2.
    Item 3, 'x', is not an id; an id is a whole number written with the digits 0-9, here 0 to 2.
    """
    ids: list[int] = []
    faults: list[str] = []
    size = tokenizer.vocabulary_size
    allowed = f"0 to {size - 1:,}" if size else "none: the vocabulary is empty"
    items = [item for item in _SEPARATORS.split(text) if item]
    for number, item in enumerate(items, 1):
        name = f"Item {number:,}, {shown(item, 24)},"
        if not _ID.fullmatch(item):
            faults.append(
                f"{name} is not an id; an id is a whole number written with the digits 0-9, here {allowed}."
            )
        elif int(item) in tokenizer:
            ids.append(int(item))
        elif whole is not None and int(item) in whole:
            faults.append(
                f"{name} is the token of merge {whole.number_of(int(item)):,}, which is not in use at "
                f"k = {tokenizer.limit:,}; the ids in use are {allowed}."
            )
        else:
            faults.append(f"{name} is not an id of this vocabulary; its ids are {allowed}.")
    return GivenIds(tuple(ids), tuple(faults))
