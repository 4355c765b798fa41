"""A text lined up four ways: what a reader calls characters, code points, UTF-8 bytes and tokens.

    reader's character   é             é             ⭢
    code points          U+00E9        e    U+0301   U+2B62
    bytes                C3  A9        65   CC 81    E2 AD A2

In byte mode a token may hold part of a character: its character span then takes in the whole
character, so the three bytes of ``⭢`` in ``i ⭢ j`` all have the span [2, 3), and no span ever runs
past the end of the text.

Not here: how tokens are found (``encoding``) and shown (``display``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from .alphabet import Token
from .display import CLUSTER, CodePoint, Label, code_points, text_label
from .errors import SettingError
from .text import utf8

#: Start and end, the end not included.
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """Where a token lies in the text: in characters (any it has a part of) and in UTF-8 bytes.

    The end-of-word marker holds no text: its spans are empty, at the end of its word.
    """

    token: Token
    char_span: Span
    byte_span: Span


@dataclass(frozen=True, slots=True)
class CharacterRow:
    """One code point: its place in the text, its bytes, and for each byte the index of its token.

    A token index is None for a byte that the pre-tokenizer left out.
    """

    index: int
    point: CodePoint
    data: bytes
    byte_span: Span
    tokens: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """What a reader calls one character (a grapheme cluster), with its code points in order."""

    text: str
    label: Label
    char_span: Span
    byte_span: Span
    characters: tuple[CharacterRow, ...]

    @property
    def tokens(self) -> tuple[int, ...]:
        """Indexes of the tokens that hold any part of it, ascending."""
        return tuple(sorted({i for row in self.characters for i in row.tokens if i is not None}))


@dataclass(frozen=True, slots=True)
class Alignment:
    """All rows of a text; ``tokens`` in order, so that an index in a row finds its token."""

    clusters: tuple[ClusterRow, ...]
    tokens: tuple[TokenSpan, ...]


def token_spans(
    text: str, tokens: Sequence[Token], word_spans: Sequence[Span] | None = None
) -> list[TokenSpan]:
    """The spans of ``tokens``, which spell ``text`` in order.

    ``word_spans`` are the character spans of the words (``PreTokenizer.spans``), needed where the
    pre-tokenizer leaves something out; without them the tokens spell the whole text. Raises
    SettingError when they spell something else.

    >>> from bpe_core.alphabet import Unit
    >>> halves = [Token(195, b"\\xc3", Unit.BYTE), Token(169, b"\\xa9", Unit.BYTE)]
    >>> [(span.char_span, span.byte_span) for span in token_spans("é", halves)]
    [((0, 1), (0, 1)), ((0, 1), (1, 2))]
    """
    data = utf8(text)
    starts = _byte_starts(text)
    char_of = [i for i in range(len(text)) for _ in range(starts[i], starts[i + 1])]
    words = [(0, len(text))] if word_spans is None else word_spans
    places = [byte for start, end in words for byte in range(starts[start], starts[end])]
    spans: list[TokenSpan] = []
    done = 0  # bytes of the words that have found their token
    end = 0
    for token in tokens:
        size = len(token.data)
        if size == 0:
            at = bisect_left(starts, end)
            spans.append(TokenSpan(token, (at, at), (end, end)))
            continue
        if done + size > len(places):
            raise _mismatch(tokens)
        start, end = places[done], places[done + size - 1] + 1
        if data[start:end] != token.data:
            raise _mismatch(tokens)
        spans.append(TokenSpan(token, (char_of[start], char_of[end - 1] + 1), (start, end)))
        done += size
    if done != len(places):
        raise _mismatch(tokens)
    return spans


def align(text: str, tokens: Sequence[Token], word_spans: Sequence[Span] | None = None) -> Alignment:
    """Clusters, code points, bytes and tokens of a text, lined up; arguments as for ``token_spans``.

    >>> from bpe_core.alphabet import Unit
    >>> rows = align("e\\u0301x", [Token(0, "e\\u0301x".encode(), Unit.CHAR)]).clusters
    >>> [(row.label.plain, [c.data.hex() for c in row.characters], row.tokens) for row in rows]
    [('e◌́', ['65', 'cc81'], (0,)), ('x', ['78'], (0,))]
    """
    spans = token_spans(text, tokens, word_spans)
    starts = _byte_starts(text)
    token_of: list[int | None] = [None] * starts[-1]
    for i, span in enumerate(spans):
        for byte in range(*span.byte_span):
            token_of[byte] = i
    clusters: list[ClusterRow] = []
    at = 0
    for cluster in CLUSTER.findall(text):
        characters: list[CharacterRow] = []
        for index, point in enumerate(code_points(cluster), start=at):
            first, last = starts[index], starts[index + 1]
            characters.append(
                CharacterRow(index, point, text[index].encode(), (first, last), tuple(token_of[first:last]))
            )
        end = at + len(cluster)
        clusters.append(
            ClusterRow(cluster, text_label(cluster), (at, end), (starts[at], starts[end]), tuple(characters))
        )
        at = end
    return Alignment(tuple(clusters), tuple(spans))


def align_start(
    text: str, tokens: Sequence[Token], word_spans: Sequence[Span] | None = None, characters: int = 400
) -> Alignment:
    """``align`` for the start of a long text: about its first ``characters`` code points.

    It ends at the first place from there on where a reader's character and every token before it are whole.

    >>> from bpe_core.alphabet import Unit
    >>> halves = [Token(None, piece, Unit.BYTE) for piece in (b"\\xc3", b"\\xa9x", b"yz")]
    >>> [row.text for row in align_start("éxyz", halves, characters=1).clusters]
    ['é', 'x']
    """
    if len(text) <= characters:
        return align(text, tokens, word_spans)
    words = [(0, len(text))] if word_spans is None else word_spans
    spans = token_spans(text, tokens, words)
    starts = _byte_starts(text)
    whole = 0  # tokens that end at or before the place looked at
    for cluster in CLUSTER.finditer(text):
        end = cluster.end()
        if end < characters:
            continue
        while whole < len(spans) and spans[whole].byte_span[1] <= starts[end]:
            whole += 1
        if whole == len(spans) or spans[whole].byte_span[0] >= starts[end]:
            inside = [(start, min(stop, end)) for start, stop in words if start < end]
            return align(text[:end], tokens[:whole], inside)
    return align(text, tokens, words)


def _byte_starts(text: str) -> list[int]:
    """The byte offset of each character, and of the end."""
    starts = [0]
    for character in text:
        starts.append(starts[-1] + len(character.encode("utf-8")))
    return starts


def _mismatch(tokens: Sequence[Token]) -> SettingError:
    return SettingError(
        f"The {len(tokens)} tokens do not spell the words of the text, so they cannot be lined up with it."
    )
