"""Base units and tokens: what a word is made of before and after merging.

A *unit* is a character (code point) or a UTF-8 byte. With the end-of-word pre-tokenizer every
word also ends in a marker, which is a unit of its own that no text can spell: it holds no
bytes, only the flag ``ends_word``. A *token* is one unit or several merged ones.

Ids. Byte units: id = byte value, 0-255, whether or not the corpus uses them; the marker, where
there is one, is 256. Character units: 0, 1, 2, … by code point over the characters of the corpus,
then the marker. Merge number i (from 0) makes the next id after the base units, so without a
marker byte mode gives 256 + i. A vocabulary made elsewhere may number its units otherwise (GPT-4o's
does); ``Alphabet.from_units`` keeps its ids.

Not here: how a token is shown to a person (``display``), and cleaning text (``text``): a lone
surrogate is a ``TextError``.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, chain

from .errors import SettingError, shown
from .text import utf8

#: Two token ids, left and right.
Pair = tuple[int, int]

#: Stands between two words where their units are in one list.
WALL = -1

#: How an ``array`` holds places in such a list: four bytes each, room for four thousand million units.
POSITION = "I"

# What no clean text holds stands for the marker and for the wall while words are put into one list: two lone
# surrogates, and the two bytes that UTF-8 never uses.
_MARKER_CHARACTER, _WALL_CHARACTER = "\udcfe", "\udcff"
_MARKER_BYTE, _WALL_BYTE = 0xFE, 0xFF

#: How the marker is written in machine-readable output. A typed ``</w>`` is four characters.
MARKER_NOTATION = "</w>"


class Unit(Enum):
    """What a text is cut into before any merge; the value is the command line's word."""

    CHAR = "char"
    BYTE = "byte"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its UTF-8 bytes, whether the end-of-word marker closes it, and its id.

    ``id`` is None for a unit that training never saw. In character mode ``data`` is always
    whole characters; in byte mode it may be any bytes.

    >>> Token(3, "é".encode(), Unit.CHAR).notation
    'é'
    >>> Token(195, bytes([0xC3]), Unit.BYTE).notation
    'c3'
    >>> Token(5, b"w", Unit.CHAR, ends_word=True).notation
    'w</w>'
    """

    id: int | None
    data: bytes
    unit: Unit
    ends_word: bool = False

    @property
    def known(self) -> bool:
        """False for a unit never seen in training: kept, but without an id."""
        return self.id is not None

    @property
    def text(self) -> str | None:
        """The characters of the token without the marker, or None when its bytes are not whole characters."""
        try:
            return self.data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    @property
    def notation(self) -> str:
        """The machine-readable notation: text in character mode, lower-case hex in byte mode."""
        body = self.data.hex() if self.unit is Unit.BYTE else self.data.decode("utf-8", "replace")
        return body + MARKER_NOTATION if self.ends_word else body

    def joined(self, right: Token, id: int | None = None) -> Token:
        """The token that merging this one with ``right`` makes.

        >>> Token(0, b"a", Unit.CHAR).joined(Token(1, b"b", Unit.CHAR), id=2).notation
        'ab'
        """
        return Token(id, self.data + right.data, self.unit, right.ends_word)


class Alphabet:
    """The base units of a corpus with their ids.

    >>> letters = Alphabet.of_words(["cab", "bad"], Unit.CHAR)
    >>> [unit.notation for unit in letters.units]
    ['a', 'b', 'c', 'd']
    >>> letters.ids_of("dab")
    [3, 0, 1]
    >>> letters.ids_of("a?")  # a unit never seen: -1 - code point
    [0, -64]
    """

    __slots__ = ("_byte_ids", "_ids", "marker_id", "unit", "units")

    def __init__(self, unit: Unit, characters: Iterable[str] = (), marker: bool = False) -> None:
        """``characters`` are the character units in id order (ignored in byte mode)."""
        data = [bytes([i]) for i in range(256)] if unit is Unit.BYTE else list(map(utf8, characters))
        base = [Token(i, piece, unit) for i, piece in enumerate(data)]
        if marker:
            base.append(Token(len(base), b"", unit, ends_word=True))
        self._take(unit, base)

    def _take(self, unit: Unit, units: list[Token]) -> None:
        self.unit = unit
        self.units: tuple[Token, ...] = tuple(units)
        self.marker_id: int | None = None
        self._ids: dict[str, int] = {}  # character -> id, character mode
        self._byte_ids: list[int] | None = None  # byte -> id, byte mode; None where id = byte
        of_byte: dict[int, int] = {}
        for token in units:
            if token.id is None:
                raise SettingError(f"The unit {shown(token.notation)} has no id; every base unit needs one.")
            if token.ends_word:
                self.marker_id = token.id
            elif unit is Unit.BYTE:
                of_byte[token.data[0]] = token.id
            else:
                self._ids[token.data.decode("utf-8")] = token.id
        if any(byte != id for byte, id in of_byte.items()):
            self._byte_ids = [of_byte[byte] for byte in range(256)]

    @classmethod
    def from_units(cls, unit: Unit, units: Iterable[Token]) -> Alphabet:
        """The alphabet of a vocabulary with ids of its own: one token for each base unit, ids as given.

        Byte mode needs all 256 bytes. A token without bytes that ends a word is the marker. Ids need not
        be in order or without gaps, but each may stand once; otherwise ``SettingError``.

        >>> units = [Token(7, b"a", Unit.CHAR), Token(3, b"b", Unit.CHAR)]
        >>> Alphabet.from_units(Unit.CHAR, units).ids_of("ab")
        [7, 3]
        """
        given = list(units)
        ids = {token.id for token in given}
        pieces = {(token.data, token.ends_word) for token in given}
        if len(ids) != len(given) or len(pieces) != len(given):
            raise SettingError("Two base units share an id or a spelling; each must stand once.")
        for token in given:
            fused = token.ends_word and token.data
            size = len(token.data) if unit is Unit.BYTE else len(token.text or "")
            if fused or (size != 1 and not token.ends_word):
                what = f"The base unit {shown(token.notation)}"
                raise SettingError(f"{what} is neither one {unit.value} nor the marker.")
        if unit is Unit.BYTE and sum(not token.ends_word for token in given) != 256:
            missing = next(b for b in range(256) if (bytes([b]), False) not in pieces)
            raise SettingError(f"Byte {missing:02x} has no id; in byte mode each of the 256 bytes needs one.")
        made = cls.__new__(cls)
        made._take(unit, given)
        return made

    @classmethod
    def of_words(cls, words: Iterable[str], unit: Unit, marker: bool = False) -> Alphabet:
        """The alphabet of ``words``: in character mode every character that occurs, by code point."""
        characters: set[str] = set()
        if unit is Unit.CHAR:
            for word in words:
                characters.update(word)
        return cls(unit, sorted(characters), marker)

    def __len__(self) -> int:
        return len(self.units)

    def ids_of(self, word: str) -> list[int]:
        """The units of one word as ids, the marker last where there is one.

        A character never seen in training has no id; it is given as ``-1 - ord(character)`` so that
        nothing is lost on the way. Byte units are always known.
        """
        if self.unit is Unit.BYTE:
            data = utf8(word)
            ids = list(data) if self._byte_ids is None else [self._byte_ids[byte] for byte in data]
        else:
            known = self._ids
            try:
                ids = [known[c] for c in word]
            except KeyError:
                utf8(word)  # a lone surrogate is an error, never an unseen character
                ids = [known.get(c, -1 - ord(c)) for c in word]
        if self.marker_id is not None:
            ids.append(self.marker_id)
        return ids

    def ids_of_words(self, words: Sequence[str]) -> tuple[list[int], array[int]]:
        """The units of all ``words`` in one list with a wall around each word, and where each word starts.

        The same ids as ``ids_of`` gives word by word, at a fraction of the time. Every character has to be
        known.

        >>> Alphabet.of_words(["cab", "bad"], Unit.CHAR).ids_of_words(["cab", "bad"])
        ([-1, 2, 0, 1, -1, 1, 0, 3, -1], array('I', [1, 5]))
        """
        marked = self.marker_id is not None
        if self.unit is Unit.BYTE:
            pieces = _encoded(words)
            table = list(range(256)) if self._byte_ids is None else list(self._byte_ids)
            if self.marker_id is not None:
                table[_MARKER_BYTE] = self.marker_id
            table[_WALL_BYTE] = WALL
            end = bytes([_MARKER_BYTE, _WALL_BYTE] if marked else [_WALL_BYTE])
            ids = list(map(table.__getitem__, bytes([_WALL_BYTE]) + end.join(chain(pieces, [b""]))))
            lengths = map(len, pieces)
        else:
            known = {**self._ids, _WALL_CHARACTER: WALL}
            if self.marker_id is not None:
                known[_MARKER_CHARACTER] = self.marker_id
            ends = _MARKER_CHARACTER + _WALL_CHARACTER if marked else _WALL_CHARACTER
            ids = list(map(known.__getitem__, _WALL_CHARACTER + ends.join(chain(words, [""]))))
            lengths = map(len, words)
        steps = map((2 if marked else 1).__add__, lengths)
        starts = array(POSITION, accumulate(steps, initial=1))
        starts.pop()
        return ids, starts

    def unseen(self, id: int) -> Token:
        """The token of a unit never seen in training, from the negative number ``ids_of`` gave it."""
        return Token(None, utf8(chr(-1 - id)), self.unit)


def _encoded(words: Sequence[str]) -> list[bytes]:
    """The UTF-8 bytes of each word. Raises TextError for a lone surrogate."""
    try:
        return list(map(str.encode, words))
    except UnicodeEncodeError:
        return list(map(utf8, words))  # says which word
