"""Base units and tokens: what a word is made of before and after merging.

A *unit* is a character (code point) or a UTF-8 byte. With the end-of-word pre-tokenizer every
word also ends in a marker, which is a unit of its own that no text can spell: it holds no
bytes, only the flag ``ends_word``. A *token* is one unit or several merged ones.

Ids. Byte units: id = byte value, 0-255, whether or not the corpus uses them; the marker, where
there is one, is 256. Character units: 0, 1, 2, … by code point over the characters of the corpus,
then the marker. Merge number i (from 0) makes the next id after the base units, so without a
marker byte mode gives 256 + i.

Not here: how a token is shown to a person (``display``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

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

    __slots__ = ("_ids", "marker_id", "unit", "units")

    def __init__(self, unit: Unit, characters: Iterable[str] = (), marker: bool = False) -> None:
        """``characters`` are the character units in id order (ignored in byte mode)."""
        self.unit = unit
        if unit is Unit.BYTE:
            base = [Token(i, bytes([i]), unit) for i in range(256)]
            self._ids: dict[str, int] = {}
        else:
            letters = list(characters)
            base = [Token(i, c.encode("utf-8"), unit) for i, c in enumerate(letters)]
            self._ids = {c: i for i, c in enumerate(letters)}
        self.marker_id: int | None = len(base) if marker else None
        if marker:
            base.append(Token(len(base), b"", unit, ends_word=True))
        self.units: tuple[Token, ...] = tuple(base)

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
            ids = list(word.encode("utf-8"))
        else:
            known = self._ids
            try:
                ids = [known[c] for c in word]
            except KeyError:
                ids = [known.get(c, -1 - ord(c)) for c in word]
        if self.marker_id is not None:
            ids.append(self.marker_id)
        return ids

    def unseen(self, id: int) -> Token:
        """The token of a unit never seen in training, from the negative number ``ids_of`` gave it."""
        return Token(None, chr(-1 - id).encode("utf-8"), self.unit)
