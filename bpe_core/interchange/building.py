"""From what a file says to a tokenizer, with every check on the way.

A file names tokens by id or by spelling; spellings are turned into ids, ids are checked, and only then is a
tokenizer made. Whatever contradicts itself is an ImportFormatError that names the first offending rule. A
list out of order (ab + c before a + b) is followed by the one rule of this package, lowest rank first, with
a notice; a rule whose side is no base unit and is made by no rule is refused.

Not here: reading a particular format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..alphabet import MARKER_NOTATION, Alphabet, Token, Unit
from ..display import BYTE_TO_PRINTABLE, PRINTABLE_TO_BYTE
from ..encoding import Tokenizer
from ..errors import ImportFormatError, SettingError, shown
from ..pretokenize import PreTokenizer
from ..rules import Merge
from .records import FILE_LIMIT, ID_LIMIT, MERGE_LIMIT, TOKEN_LIMIT


@dataclass(frozen=True, slots=True)
class Speller:
    """Tokens as text: characters as they are, bytes by GPT-2's printable alphabet, the marker as ``marker``.

    >>> speller = Speller(Unit.BYTE)
    >>> speller.write(Token(None, "é x".encode(), Unit.BYTE))
    'Ã©Ġx'
    >>> speller.read("Ã©Ġx").decode()
    'é x'
    """

    unit: Unit
    marker: str | None = None

    def write(self, token: Token) -> str:
        """The spelling of a token."""
        if self.unit is Unit.BYTE:
            text = "".join(map(BYTE_TO_PRINTABLE.__getitem__, token.data))
        else:
            text = token.data.decode("utf-8")
        return text + (self.marker or MARKER_NOTATION) if token.ends_word else text

    def ends_word(self, text: str) -> bool:
        """Whether a spelling ends in the marker."""
        return self.marker is not None and text.endswith(self.marker)

    def read(self, text: str) -> bytes:
        """The bytes of a spelling, without the marker. ImportFormatError for what spells no token."""
        body = text
        if self.marker is not None:
            body = text.removesuffix(self.marker)
            if self.marker in body:
                raise ImportFormatError(f"The token {shown(text)} has the end-of-word marker before its end.")
        if not text:
            raise ImportFormatError("A token is empty; every token has at least one unit.")
        try:
            if self.unit is Unit.CHAR:
                return body.encode("utf-8")
            return bytes(map(PRINTABLE_TO_BYTE.__getitem__, body))
        except UnicodeEncodeError:
            raise ImportFormatError(
                f"The token {shown(text)} holds a lone surrogate, half of a character."
            ) from None
        except KeyError:
            stray = next(c for c in body if c not in PRINTABLE_TO_BYTE)
            raise ImportFormatError(
                f"The token {shown(text)} holds {shown(stray)}, which stands for no byte in GPT-2's alphabet."
            ) from None

    def is_unit(self, text: str) -> bool:
        """Whether a spelling is one base unit (in both alphabets a unit is one character)."""
        return text == self.marker if self.ends_word(text) else len(text) == 1


def check_vocabulary(value: object, what: str = "vocab") -> dict[str, int]:
    """``value`` as spelling → id; ImportFormatError unless ids are whole numbers, each standing once."""
    if not isinstance(value, dict):
        raise ImportFormatError(f"The {what} is not an object of tokens with their ids.")
    seen: dict[int, str] = {}
    for token, id in value.items():
        if type(id) is not int or not 0 <= id <= ID_LIMIT:
            raise ImportFormatError(
                f"In the {what}, {shown(token)} has the id {shown(id)}; an id is a whole number from 0 up."
            )
        if id in seen:
            raise ImportFormatError(f"In the {what}, {shown(seen[id])} and {shown(token)} share the id {id}.")
        seen[id] = token
    return value


def from_spellings(
    rules: Sequence[tuple[str, str]],
    vocabulary: Mapping[str, int] | None,
    speller: Speller,
    pre_tokenizer: PreTokenizer,
    place: Callable[[int], str],
    characters: str = "",
) -> tuple[Tokenizer, tuple[str, ...]]:
    """A tokenizer from rules that spell their two sides, and notices.

    Without a vocabulary, ids are ours: base units by code point, then the rules in order; ``characters`` are
    units that may take part in no rule. ``place(i)`` says where rule i stands ("Merge 3 (line 4)").
    """
    check_count(len(rules))
    notices: list[str] = []
    joined = [left + right for left, right in rules]
    for i, (left, right) in enumerate(rules):
        for side in (left, right):
            if not side:
                raise ImportFormatError(f"{place(i)} has an empty side; both sides need at least one unit.")
            if vocabulary is not None and side not in vocabulary:
                raise ImportFormatError(f"{place(i)} uses {shown(side)}, which is not in the vocabulary.")
            if vocabulary is None:
                _read(speller, side, place(i))
        if speller.ends_word(left):
            raise ImportFormatError(f"{place(i)} joins something after the end-of-word marker.")
        if vocabulary is not None and joined[i] not in vocabulary:
            raise ImportFormatError(f"{place(i)} makes {shown(joined[i])}, which is not in the vocabulary.")
    made = set(joined)
    if vocabulary is None:
        vocabulary = _our_ids(rules, joined, speller, characters)
    units: list[Token] = []
    specials: dict[int, bytes] = {}
    for text, id in vocabulary.items():
        if speller.is_unit(text):
            data = _read(speller, text, "The vocabulary")
            units.append(Token(id, data, speller.unit, speller.ends_word(text)))
        elif text in made:
            _read(speller, text, "The vocabulary")
        else:
            specials[id] = _special(speller, text)
    used = {vocabulary[side] for rule in rules for side in rule}
    specials = {id: data for id, data in specials.items() if id not in used}  # a used one is refused below
    if specials:
        many = "1 entry" if len(specials) == 1 else f"{len(specials):,} entries"
        notices.append(f"{many} of the vocabulary can be made by no merge; no text is ever turned into them.")
    if speller.unit is Unit.BYTE:
        notices += _add_missing_bytes(units, max(vocabulary.values(), default=-1))
    texts = {id: text for text, id in vocabulary.items()}
    merges = [
        (vocabulary[left], vocabulary[right], vocabulary[new])
        for (left, right), new in zip(rules, joined, strict=True)
    ]
    tokenizer, more = assemble(
        speller.unit, units, merges, pre_tokenizer, specials, place, lambda id: shown(texts[id])
    )
    return tokenizer, (*notices, *more)


def _read(speller: Speller, text: str, place: str) -> bytes:
    try:
        return speller.read(text)
    except ImportFormatError as error:
        raise ImportFormatError(f"{place}: {str(error)[0].lower()}{str(error)[1:]}") from None


def _special(speller: Speller, text: str) -> bytes:
    """What an entry that is no merged token decodes to: its spelling, or the bytes it spells."""
    try:
        return speller.read(text) or text.encode("utf-8")
    except ImportFormatError:
        if not text:
            raise
        return text.encode("utf-8", "replace")


def _our_ids(
    rules: Sequence[tuple[str, str]], joined: Sequence[str], speller: Speller, characters: str
) -> dict[str, int]:
    ids: dict[str, int] = {}
    if speller.unit is Unit.BYTE:
        ids = {printable: byte for byte, printable in BYTE_TO_PRINTABLE.items()}
    else:
        sides = {side for rule in rules for side in rule if speller.is_unit(side) and side != speller.marker}
        ids = {unit: i for i, unit in enumerate(sorted(sides | set(characters)))}
    if speller.marker is not None:
        ids[speller.marker] = len(ids)
    for text in joined:
        ids.setdefault(text, len(ids))
    for rule in rules:
        for side in rule:  # what no rule makes gets an id too, so that it can be named when refused
            ids.setdefault(side, len(ids))
    return ids


def _add_missing_bytes(units: list[Token], last: int) -> list[str]:
    present = {unit.data for unit in units}
    missing = [byte for byte in range(256) if bytes([byte]) not in present]
    for i, byte in enumerate(missing, 1):
        units.append(Token(last + i, bytes([byte]), Unit.BYTE))
    if not missing:
        return []
    return [f"{len(missing)} of the 256 bytes had no entry; they were given ids from {last + 1} on."]


def check_count(merges: int) -> None:
    """ImportFormatError for a list that is too long."""
    if merges > MERGE_LIMIT:
        raise ImportFormatError(
            f"The file holds {merges:,} merges; the longest list that can be read has {MERGE_LIMIT:,}."
        )


def assemble(
    unit: Unit,
    units: Sequence[Token],
    merges: Sequence[Merge],
    pre_tokenizer: PreTokenizer,
    specials: Mapping[int, bytes],
    place: Callable[[int], str],
    name: Callable[[int], str],
) -> tuple[Tokenizer, tuple[str, ...]]:
    """A tokenizer from base units with ids and merges by id, and notices; ``name(id)`` is for messages."""
    check_count(len(merges))
    first: dict[tuple[int, int], int] = {}
    for i, (left, right, _) in enumerate(merges):
        if first.setdefault((left, right), i) != i:
            raise ImportFormatError(f"{place(i)} repeats the pair of merge {first[left, right] + 1}.")
    late = _check_made(units, merges, place, name)
    if pre_tokenizer.has_marker != any(token.ends_word for token in units):
        which = "has no" if pre_tokenizer.has_marker else "has an"
        raise ImportFormatError(
            f"The pre-tokenizer is {pre_tokenizer.value} but the vocabulary {which} end-of-word marker."
        )
    try:
        tokenizer = Tokenizer(Alphabet.from_units(unit, units), merges, pre_tokenizer, specials)
    except SettingError as error:
        raise ImportFormatError(f"The vocabulary contradicts itself. {error}") from None
    if late is None:
        return tokenizer, ()
    return tokenizer, (
        f"The list is out of order: {place(late)} uses a token that a later merge makes. "
        "It is followed by one rule: of all pairs that may merge, the one of lowest rank goes first.",
    )


def _check_made(
    units: Sequence[Token], merges: Sequence[Merge], place: Callable[[int], str], name: Callable[[int], str]
) -> int | None:
    """Check that every side is made somewhere; the first rule used before its sides are made, or None.

    Lengths are added up, never spelled, so that a short file cannot ask for an endless token.
    """
    length = {token.id: len(token.data) for token in units if token.id is not None}
    waiting: dict[int, list[int]] = {}
    late: int | None = None
    again = 0
    for i in range(len(merges)):
        ready = [i]
        while ready:
            rank = ready.pop()
            left, right, new = merges[rank]
            missing = left if left not in length else right if right not in length else None
            if missing is not None:
                waiting.setdefault(missing, []).append(rank)
                late = rank if late is None else min(late, rank)
                continue
            size = length[left] + length[right]
            if size > TOKEN_LIMIT:
                raise ImportFormatError(
                    f"{place(rank)} makes a token of {size:,} bytes; the longest allowed has {TOKEN_LIMIT:,}."
                )
            if new in length:
                again += size  # both spellings will be compared
                if length[new] != size or again > FILE_LIMIT:
                    raise ImportFormatError(
                        f"{place(rank)} makes {name(new)}, which already stands for something else."
                    )
            length[new] = size
            ready += waiting.pop(new, [])
    if waiting:
        made = {new for _, _, new in merges}
        unmade = {id: ranks for id, ranks in waiting.items() if id not in made}
        rank, missing = min((min(ranks), id) for id, ranks in (unmade or waiting).items())
        raise ImportFormatError(
            f"{place(rank)} uses {name(missing)}, which is no base unit and which no merge makes."
        )
    return late
