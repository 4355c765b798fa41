"""Tokens as labels a person can read and tell apart, and GPT-2's printable byte alphabet.

A label is a row of parts, each with a kind that a page may style, and one plain string that needs
no styling. The plain string is exact: two different tokens of one unit never share it, not even
after Unicode normalisation. What is shown how:

    letters, digits, signs, whole emoji      as themselves                      TEXT
    space, line feed, tab                    ␣  ↵  ⇥                            SPACE NEWLINE TAB
    control codes                            ⟨U+0000⟩                           CONTROL
    zero-width, bidi, odd spaces, private,   ⟨U+200B⟩                           INVISIBLE
      unassigned: nothing certain to see
    a combining mark with nothing under it   ◌́                                  COMBINING
    a typed ␣ ↵ ⇥ ◌ ⟨ ⟩, and a character     ⟨U+2423⟩                           LOOKALIKE
      with a standard twin (K for kelvin)
    é typed as e + accent, emoji with        drawn whole; plain spells it out:  CLUSTER
      joiners                                e◌́
    stray bytes, a bracket per character     न⟨E0 A4⟩                           BYTES
    the end-of-word marker                   ⟨end⟩                              MARKER

Not here: drawing, colour and escaping for a page (the pages do that); aligning a text with its
tokens (``alignment``). Letters of different scripts that look alike (Latin and Cyrillic a) are
shown as themselves: ``code_points`` tells them apart.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

import regex

from .alphabet import Token, Unit

GLYPHS = {" ": "␣", "\n": "↵", "\t": "⇥"}
DOTTED_CIRCLE = "◌"
#: How the end-of-word marker is shown; a typed ``⟨`` is never shown as itself, so no text looks like it.
MARKER_LABEL = "⟨end⟩"
EMPTY_LABEL = "⟨empty⟩"

# Characters that the labels give another meaning.
_TAKEN = "␣↵⇥◌⟨⟩"
# Nothing certain to see: control, format, private, unassigned; separators; default-ignorable ones;
# blanks that Unicode files among the visible (braille, musical, Khitan); object and decoding stand-ins.
_UNSEEN = r"\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\uFFFD\U0001D159\U00016FE4"
_simple = regex.compile(rf"[^{_UNSEEN}{_TAKEN}\p{{M}}]*")
_hidden = regex.compile(rf"[{_UNSEEN}{_TAKEN}]")
_mark = regex.compile(r"\p{M}")
#: One cluster, what a reader calls a character. Flags are taken pair by pair, since ``\X`` alone counts back
#: over the whole row of them at each: 100,000 flags would take minutes.
CLUSTER = regex.compile(r"\p{Regional_Indicator}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+|\X")
_plain = regex.compile(r"[\p{L}\p{N}\p{P}\p{Zs}]")
_element = r"\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?(?:[\U000E0020-\U000E007E]+\U000E007F)?"
_emoji = regex.compile(rf"[0-9#*]\uFE0F?\u20E3|{_element}(?:\u200D{_element})*")
# Surrogate escapes stand for stray bytes: a lead byte with what follows it, or followers alone.
_stray = regex.compile(r"[\uDCC0-\uDCFF]?[\uDC80-\uDCBF]+|[\uDCC0-\uDCFF]")

#: For each sign that a shortened label of a long token may have, so many characters are looked at.
_LOOK = 10


class PartKind(Enum):
    """What a part of a label stands for; the value may serve as a style name."""

    TEXT = "text"
    SPACE = "space"
    NEWLINE = "newline"
    TAB = "tab"
    CONTROL = "control"
    INVISIBLE = "invisible"
    COMBINING = "combining"
    LOOKALIKE = "lookalike"
    CLUSTER = "cluster"
    BYTES = "bytes"
    MARKER = "marker"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class LabelPart:
    """``text`` is what to draw; ``exact`` is what the plain label says (the same, except for CLUSTER)."""

    text: str
    kind: PartKind
    exact: str

    @property
    def bare(self) -> str:
        """``text`` without its brackets, for a page whose style says what the brackets say."""
        return self.text.strip("⟨⟩")


@dataclass(frozen=True, slots=True)
class Label:
    """The parts in order, the plain string, and the token's true length in its own units."""

    parts: tuple[LabelPart, ...]
    plain: str
    length: int
    unit: Unit

    @property
    def size(self) -> str:
        """The length in words: ``1 character``, ``100,000 bytes``."""
        return _size(self.length, self.unit)


@dataclass(frozen=True, slots=True)
class CodePoint:
    """One character: its label, its code (``U+00E9``) and its Unicode name."""

    label: str
    code: str
    name: str


def label(token: Token, limit: int | None = None) -> Label:
    """The label of a token: never empty, and never the plain string of another token of its unit.

    With a ``limit`` it is shortened as ``shorten`` does, without a look at the middle of a long token.

    >>> label(Token(None, b" cake", Unit.CHAR)).plain
    '␣cake'
    >>> label(Token(None, "н".encode() + bytes([0xD0]), Unit.BYTE)).plain
    'н⟨D0⟩'
    >>> label(Token(None, b"w", Unit.CHAR, ends_word=True)).plain
    'w⟨end⟩'
    >>> label(Token(None, b"w" * 400, Unit.CHAR), limit=6).plain
    'wwww…⟨400 characters⟩…ww'
    """
    if limit is not None:
        return _ends_label(token, limit) or shorten(label(token), limit)
    length = len(token.data) if token.unit is Unit.BYTE else len(token.data.decode("utf-8", "replace"))
    return _label(_marked(_parts(token.data), token), length, token.unit)


def _marked(parts: Iterable[LabelPart], token: Token) -> Iterator[LabelPart]:
    """The parts, and the marker where it closes the token; never none."""
    empty = True
    for part in parts:
        empty = False
        yield part
    if token.ends_word:
        yield _part(MARKER_LABEL, PartKind.MARKER)
    elif empty:
        yield _part(EMPTY_LABEL, PartKind.INVISIBLE)


def text_label(text: str, limit: int | None = None) -> Label:
    """The label of any text, as if it were one token of characters; shortened where there is a limit.

    >>> text_label("a\\u200bb").plain
    'a⟨U+200B⟩b'
    """
    return label(Token(None, text.encode("utf-8", "replace"), Unit.CHAR), limit)


def shorten(whole: Label, limit: int = 40) -> Label:
    """The label cut in its middle to about ``limit`` signs, with the true length where the cut is.

    No cluster, code or run of hex is cut in two. A shortened label is for looking at: two long
    tokens may share one.

    >>> shorten(text_label("w" * 400), 6).plain
    'wwww…⟨400 characters⟩…ww'
    """
    # Every sign is at least one code point, so a short string needs no counting.
    if len(whole.plain) <= limit:
        return whole
    head, head_whole = _take(_small(whole.parts), limit)
    if head_whole:
        return whole
    head, _ = _take(_small(whole.parts), limit - limit // 3)
    tail, _ = _take(_small(whole.parts, backwards=True), limit // 3)
    return _cut(head, tail, whole.length, whole.unit)


def _cut(head: list[LabelPart], tail: list[LabelPart], length: int, unit: Unit) -> Label:
    more = _part(f"…⟨{_size(length, unit)}⟩…", PartKind.MORE)
    return _label([*head, more, *reversed(tail)], length, unit)


def _size(length: int, unit: Unit) -> str:
    noun = "byte" if unit is Unit.BYTE else "character"
    return f"{length:,} {noun}{'' if length == 1 else 's'}"


def _ends_label(token: Token, limit: int) -> Label | None:
    """``shorten(label(token), limit)`` from the ends of a long token alone; None where they do not suffice.

    Without word splitting a token may be most of a book, and a table shows hundreds of them.
    """
    rear = limit // 3  # signs wanted of the end, at least one
    window = _LOOK * limit
    if len(token.data) <= 2 * window:
        return None
    text = token.data.decode("utf-8", "surrogateescape")
    places = range(max(len(text) - _LOOK * (rear + 1), 1), len(text))
    tail_start = next((i for i in places if _surely_apart(text[i - 1 : i + 1])), None)
    if tail_start is None:
        return None
    head_parts = islice(_parts(text[:window].encode("utf-8", "surrogateescape")), 3 * limit)
    tail_parts = _parts(text[tail_start:].encode("utf-8", "surrogateescape"))
    ends = [_label(parts, 0, token.unit).parts for parts in (head_parts, _marked(tail_parts, token))]
    # The cut may have changed the part beside it, so that one must not be needed.
    head, head_whole = _take(_small(ends[0]), limit)
    tail, tail_whole = _take(_small(ends[1], backwards=True), rear)
    if head_whole or tail_whole:
        return None
    head, _ = _take(iter(head), limit - limit // 3)
    length = len(token.data) if token.unit is Unit.BYTE else len(text)
    return _cut(head, tail, length, token.unit)


def _surely_apart(two: str) -> bool:
    """Whether a cluster ends between two characters, whatever stands before them."""
    return _plain.match(two) is not None and len(CLUSTER.findall(two)) == 2


def code_points(item: Token | str) -> list[CodePoint]:
    """The whole characters of a token or text, in order; stray bytes have no code point and are left out.

    >>> [(point.code, point.name) for point in code_points("é")]
    [('U+00E9', 'LATIN SMALL LETTER E WITH ACUTE')]
    """
    text = item if isinstance(item, str) else item.data.decode("utf-8", "ignore")
    return [CodePoint(text_label(c).plain, f"U+{ord(c):04X}", _name(c)) for c in text]


def hex_bytes(token: Token) -> str:
    """The token's bytes in upper-case hex.

    >>> hex_bytes(Token(None, "é".encode(), Unit.CHAR))
    'C3 A9'
    """
    return token.data.hex(" ").upper()


def describe(token: Token, limit: int = 80) -> str:
    """One line for a screen reader, which is silent about most glyphs and signs.

    >>> describe(Token(None, b" c", Unit.CHAR))
    'space, c'
    >>> describe(Token(None, "é".encode(), Unit.BYTE))
    'bytes C3 A9, é'
    """
    words = [_spoken(part) for part in label(token, limit).parts]
    if token.unit is Unit.BYTE and len(token.data) > 1 and len(token.text or "") == 1:
        words.insert(0, f"bytes {hex_bytes(token)}")
    return ", ".join(words)


def _part(text: str, kind: PartKind, exact: str | None = None) -> LabelPart:
    return LabelPart(text, kind, text if exact is None else exact)


def _code(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def _label(parts: Iterable[LabelPart], length: int, unit: Unit) -> Label:
    """Neighbouring parts of plain text, and neighbouring spaces, become one part."""
    joined: list[list[LabelPart]] = []
    for part in parts:
        if joined and part.kind is joined[-1][0].kind and part.kind in (PartKind.TEXT, PartKind.SPACE):
            joined[-1].append(part)
        else:
            joined.append([part])
    whole = tuple(
        run[0] if len(run) == 1 else _part("".join(part.text for part in run), run[0].kind) for run in joined
    )
    return Label(whole, "".join(part.exact for part in whole), length, unit)


def _parts(data: bytes) -> Iterator[LabelPart]:
    text = data.decode("utf-8", "surrogateescape")
    start = 0
    for stray in _stray.finditer(text):
        yield from _text_parts(text[start : stray.start()])
        start = stray.end()
        raw = stray.group().encode("utf-8", "surrogateescape")
        yield _part(f"⟨{raw.hex(' ').upper()}⟩", PartKind.BYTES)
    yield from _text_parts(text[start:])


def _text_parts(text: str) -> Iterator[LabelPart]:
    """The parts of whole characters, cluster by cluster (a cluster is what a reader calls a character)."""
    if not text:
        return
    if _simple.fullmatch(text) and unicodedata.is_normalized("NFC", text):
        yield _part(text, PartKind.TEXT)  # the short way, for nearly every token
        return
    for cluster in CLUSTER.findall(text):
        is_emoji = _emoji.fullmatch(cluster) is not None
        readable = is_emoji or not (_hidden.search(cluster) or _mark.match(cluster))
        normal = not _hidden.search(cluster) and unicodedata.is_normalized("NFC", cluster)
        if readable and normal:
            yield _part(cluster, PartKind.TEXT)
        elif readable and len(cluster) > 1:
            exact = "".join(part.exact for part in _spelled(cluster))
            yield _part(cluster, PartKind.CLUSTER, exact)
        else:
            yield from _spelled(cluster)


def _spelled(cluster: str) -> Iterator[LabelPart]:
    """A cluster one character at a time; a mark stays on its base only where that is the normal spelling."""
    base = ""  # what a mark could still sit on
    for c in cluster:
        if c in GLYPHS:
            kind = {" ": PartKind.SPACE, "\n": PartKind.NEWLINE, "\t": PartKind.TAB}[c]
            part = _part(GLYPHS[c], kind)
        elif unicodedata.category(c) == "Cc":
            part = _part(_code(c), PartKind.CONTROL)
        elif c in _TAKEN or not unicodedata.is_normalized("NFC", c):
            part = _part(_code(c), PartKind.LOOKALIKE)
        elif _hidden.match(c):
            part = _part(_code(c), PartKind.INVISIBLE)
        elif (base or not _mark.match(c)) and unicodedata.is_normalized("NFC", base + c):
            base += c
            yield _part(c, PartKind.TEXT)
            continue
        elif _mark.match(c):
            part = _part(DOTTED_CIRCLE + c, PartKind.COMBINING)
        else:  # a Hangul letter that would melt into the one before it
            part = _part(_code(c), PartKind.LOOKALIKE)
        base = ""
        yield part


def _small(parts: tuple[LabelPart, ...], backwards: bool = False) -> Iterator[LabelPart]:
    """The parts cut as small as they may be, from either end."""
    for part in reversed(parts) if backwards else parts:
        if part.kind not in (PartKind.TEXT, PartKind.SPACE):
            yield part
            continue
        pieces = (match.group() for match in CLUSTER.finditer(part.text))
        for piece in reversed(list(pieces)) if backwards else pieces:
            yield _part(piece, part.kind)


def _take(parts: Iterator[LabelPart], limit: int) -> tuple[list[LabelPart], bool]:
    """Parts up to ``limit`` signs, at least one; and whether that was all of them."""
    taken: list[LabelPart] = []
    signs = 0
    for part in parts:
        one_sign = part.kind in (PartKind.TEXT, PartKind.CLUSTER, PartKind.COMBINING)
        signs += 1 if one_sign else len(part.text)
        if taken and signs > limit:
            return taken, False
        taken.append(part)
    return taken, True


# Unicode gives control codes no names; these are the customary ones for those met in texts.
_CONTROL_NAMES = {0: "NULL", 7: "BELL", 8: "BACKSPACE", 9: "TAB", 10: "LINE FEED", 11: "VERTICAL TAB"}
_CONTROL_NAMES |= {12: "FORM FEED", 13: "CARRIAGE RETURN", 27: "ESCAPE", 127: "DELETE", 133: "NEXT LINE"}


def _name(character: str) -> str:
    code = ord(character)
    if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return "noncharacter"
    kind = {"Cc": "control code", "Co": "private-use character", "Cn": "unassigned character"}
    fallback = _CONTROL_NAMES.get(code, kind.get(unicodedata.category(character), "unnamed character"))
    return unicodedata.name(character, fallback)


def _spoken(part: LabelPart) -> str:
    kind, text = part.kind, part.text
    if kind is PartKind.SPACE:
        return "space" if len(text) == 1 else f"{len(text):,} spaces"
    if kind is PartKind.TEXT and len(text) == 1 and not text.isalnum():
        return _name(text).lower()
    if kind is PartKind.TEXT and len(text) == 1 and text.isupper():
        return f"capital {text}"
    if kind is PartKind.COMBINING:
        return _name(text[-1]).lower()
    if kind is PartKind.CLUSTER:
        return f"{text} in {len(text)} code points"
    if kind is PartKind.BYTES:
        return f"{'bytes' if ' ' in text else 'byte'} {part.bare}"
    if kind is PartKind.MORE:
        return f"shortened, {text.strip('…⟨⟩')} in all"
    if kind in (PartKind.CONTROL, PartKind.INVISIBLE, PartKind.LOOKALIKE) and part.bare.startswith("U+"):
        return f"{_name(chr(int(part.bare[2:], 16))).lower()} ({part.bare})"
    fixed = {PartKind.NEWLINE: "line break", PartKind.TAB: "tab", PartKind.MARKER: "end of word"}
    return fixed.get(kind, part.bare)


def _printable_bytes() -> dict[int, str]:
    """GPT-2's byte alphabet: printable Latin-1 bytes stand for themselves, the other 68 move up to U+0100….

    Source: ``bytes_to_unicode`` in the GPT-2 release; the order of the moved bytes is ascending.
    """
    themselves = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    moved = (byte for byte in range(256) if byte not in themselves)
    alphabet = {byte: chr(byte) for byte in themselves}
    alphabet.update({byte: chr(0x100 + place) for place, byte in enumerate(moved)})
    return dict(sorted(alphabet.items()))


#: Byte value to the one printable character that stands for it: 0x20 (space) is ``Ġ``.
BYTE_TO_PRINTABLE: dict[int, str] = _printable_bytes()
#: The same alphabet read backwards.
PRINTABLE_TO_BYTE: dict[str, int] = {character: byte for byte, character in BYTE_TO_PRINTABLE.items()}
