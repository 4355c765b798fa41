"""What an answer can be (a number, a token, a pair, a split, a word) and how each is written for a person.

Tokens compare by their bytes and the marker, not by id, so an answer keeps its meaning in another
vocabulary. Not here: reading what a person typed (``reading``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bpe_core.alphabet import Token
from bpe_core.display import label


@dataclass(frozen=True, slots=True)
class Piece:
    """A token as an answer: its bytes and whether the end-of-word marker closes it.

    >>> from bpe_core.alphabet import Unit
    >>> str(Piece.of(Token(3, b" c", Unit.CHAR)))
    '␣c'
    """

    data: bytes
    ends_word: bool
    token: Token

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Piece) and (self.data, self.ends_word) == (other.data, other.ends_word)

    def __hash__(self) -> int:
        return hash((self.data, self.ends_word))

    @classmethod
    def of(cls, token: Token) -> Piece:
        """The answer that a token is."""
        return cls(token.data, token.ends_word, token)

    def __str__(self) -> str:
        return label(self.token).plain


@dataclass(frozen=True, slots=True)
class TokenPair:
    """Two tokens side by side, left and right."""

    left: Piece
    right: Piece

    def __str__(self) -> str:
        return f"{self.left} + {self.right}"

    @property
    def joined(self) -> Piece:
        """The token that merging them makes."""
        return Piece.of(self.left.token.joined(self.right.token))


@dataclass(frozen=True, slots=True)
class Split:
    """A text cut into tokens."""

    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, tokens: Iterable[Token]) -> Split:
        """The split that these tokens are."""
        return cls(tuple(Piece.of(token) for token in tokens))

    def __str__(self) -> str:
        return " · ".join(map(str, self.pieces))


Value = int | float | str | Piece | TokenPair | Split


def written(value: Value, decimals: int | None = None) -> str:
    """A value as it stands in a sentence; whole numbers from 10,000 on get commas.

    >>> written(20000), written(7.0), written(3.18181), written(3.18181, 2)
    ('20,000', '7', '3.1818', '3.18')
    """
    if isinstance(value, float):
        if decimals is not None:
            return f"{value:.{decimals}f}"
        return written(int(value)) if value.is_integer() else f"{value:.5g}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    return str(value)
