"""Answers as people type them: numbers, tokens, pairs and splits, read as kindly as can be without guessing.

What cannot be read is ``Unread`` with a hint on how to write it; that is never a wrong answer. Where a
typed string has two sensible readings, both are returned and the checker accepts either.

Visible marks: ``␣`` (also ``·``, ``▁`` or ``Ġ`` in front of a token) is a space, ``↵`` a line break, ``⇥`` a
tab, ``</w>`` or ``⟨end⟩`` the end-of-word marker. Plain spaces around an answer are stray; a space that
belongs to the answer may be typed plainly or as a mark.

Not here: what is right (``checking``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain

from bpe_core.alphabet import MARKER_NOTATION, Token
from bpe_core.display import MARKER_LABEL, text_label

from .values import Piece

#: Longer answers than this are not read.
LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Unread:
    """An answer that could not be read, and how to write one."""

    hint: str


# ---------------------------------------------------------------- numbers

_MINUS = "−–—﹣－"
_POINTS = {"．": ".", "，": ",", "٫": ".", "٬": ","}
_THOUSANDS_SPACES = "\u00a0\u202f\u2009'’ _"
_NUMBER_HINT = "Write one number in digits, such as 7, 3.18 or 1,200."
_PLAIN = re.compile(r"([+-]?)([0-9.,]*[0-9][.,]?)")


def read_number(text: str, whole: bool = False) -> tuple[float, ...] | Unread:
    """The numbers that ``text`` may mean, the likelier first.

    A comma with anything but three digits after it is a decimal comma; three digits after a single comma
    or point can be thousands or decimals, so both are returned (thousands first for a comma). With ``whole``
    only whole readings are kept where there are any.

    >>> read_number("３，１８"), read_number(" 7.0 "), read_number("1,234.5"), read_number("1.234,5")
    ((3.18,), (7.0,), (1234.5,), (1234.5,))
    >>> read_number("1,234"), read_number("1,234", whole=True), read_number("0,451")
    ((1234.0, 1.234), (1234.0,), (0.451,))
    >>> read_number("35/11")[0] > 3.18, read_number("76 bits")
    (True, (76.0,))
    >>> read_number("seven").hint
    'Write one number in digits, such as 7, 3.18 or 1,200.'
    """
    folded = "".join(_digit(c) for c in text.strip()) if len(text) <= 60 else ""
    folded = folded.lstrip("=≈~ ").strip()
    match = re.fullmatch(r"(.*[0-9.,])\s*(%|[^\W\d]+(?: [^\W\d]+)?\.?)", folded)  # a word for the unit
    if match and all(c.isalpha() or c in " .%" for c in match[2]):
        folded = match[1]
    parts = folded.split("/")
    if len(parts) == 2:
        top, bottom = (_readings(part.strip()) for part in parts)
        found = [a / b for a in top for b in bottom if b]
    else:
        found = _readings(folded)
    if not found:
        return Unread(_NUMBER_HINT)
    wholes = [number for number in found if number.is_integer()]
    return tuple(dict.fromkeys(wholes if whole and wholes else found))


def _digit(c: str) -> str:
    if c in _MINUS:
        return "-"
    if c in _POINTS:
        return _POINTS[c]
    if c == "\u3000":
        return " "
    decimal = unicodedata.decimal(c, None)
    return str(decimal) if decimal is not None else c


def _readings(text: str) -> list[float]:
    grouped = re.sub(rf"(?<=[0-9])[{_THOUSANDS_SPACES}](?=[0-9]{{3}}(?![0-9]))", "", text)
    match = _PLAIN.fullmatch(grouped.replace("- ", "-"))
    if not match:
        return []
    sign, body = match[1], match[2]
    points, commas = body.count("."), body.count(",")
    forms: list[str] = []
    if points and commas:
        decimal, thousands = (".", ",") if body.rfind(".") > body.rfind(",") else (",", ".")
        if body.count(decimal) == 1 and _groups(body.split(decimal)[0], thousands):
            forms = [body.replace(thousands, "").replace(decimal, ".")]
    elif points + commas > 1:
        mark = "," if commas else "."
        forms = [body.replace(mark, "")] if _groups(body, mark) else []
    elif points + commas == 1:
        mark = "," if commas else "."
        decimal_form = body.replace(",", ".")
        forms = [decimal_form]
        if _groups(body, mark):
            thousands_form = body.replace(mark, "")
            forms = [thousands_form, decimal_form] if commas else [decimal_form, thousands_form]
    else:
        forms = [body]
    return [float(sign + form) for form in forms]


def _groups(body: str, mark: str) -> bool:
    """Whether ``body`` is grouped in thousands: 1,234,567 (and no leading zero)."""
    return re.fullmatch(rf"[1-9][0-9]{{0,2}}(?:{re.escape(mark)}[0-9]{{3}})+", body) is not None


# ---------------------------------------------------------------- tokens


class Match(Enum):
    """How a typed token compares with a right one."""

    SAME = "same"
    SPACE_LEFT_OUT = "space-left-out"
    SPACE_ADDED = "space-added"
    OTHER = "other"


_QUOTES = str.maketrans("‘’‚‛“”„‟′″«»", '\'\'\'\'""""\'"""')
_MARKS = {"␣": " ", "↵": "\n", "⇥": "\t"}
_SPACE = " \t\r\n\u00a0\u3000"


def folded(text: str) -> str:
    """What does not matter in an answer taken out: straight quotes, composed letters (NFC)."""
    return unicodedata.normalize("NFC", text.translate(_QUOTES))


def match_token(typed: str, piece: Piece, spaces_matter: bool = True, code_points: bool = False) -> Match:
    """Compare a typed token with a right one.

    >>> from bpe_core.alphabet import Unit
    >>> low = Piece.of(Token(None, b" low", Unit.CHAR))
    >>> [match_token(typed, low).value for typed in (" low ", "␣low", "low", "lo")]
    ['same', 'same', 'space-left-out', 'other']
    """
    text = piece.token.text
    if typed.strip() == str(piece) or _is_hex_of(typed, piece):
        return Match.SAME
    if text is None:
        return Match.OTHER
    goal = text + (MARKER_NOTATION if piece.ends_word else "")
    readings = list(dict.fromkeys(_token_readings(typed, text)))
    if not code_points:
        goal, readings = folded(goal), [folded(reading) for reading in readings]
    if goal in readings:
        return Match.SAME
    bare = goal.strip(_SPACE)
    if bare and bare in [reading.strip(_SPACE) for reading in readings]:
        if not spaces_matter:
            return Match.SAME
        return Match.SPACE_LEFT_OUT if len(bare) < len(goal) else Match.SPACE_ADDED
    return Match.OTHER


def _token_readings(typed: str, key: str) -> Iterator[str]:
    """What a typed token may mean; marks that the key holds literally stay as they are."""
    variants = [typed]
    inner = typed.strip(_SPACE)
    straight = inner.translate(_QUOTES)
    if len(inner) > 2 and straight[0] == straight[-1] and straight[0] in "'\"`":
        variants.append(inner[1:-1])
    for variant in variants:
        for stripped in (variant, variant.strip(_SPACE), variant.lstrip(_SPACE), variant.rstrip(_SPACE)):
            yield _unmarked(stripped, key)


def _unmarked(text: str, key: str = "") -> str:
    """Visible marks as what they stand for, except those that ``key`` holds literally."""
    if text and text[0] in "·▁Ġ" and text[0] not in key and len(text) > 1:
        text = " " + text[1:]
    for mark, meaning in _MARKS.items():
        if mark not in key:
            text = text.replace(mark, meaning)
    return text.replace(MARKER_LABEL, MARKER_NOTATION)


def _is_hex_of(typed: str, piece: Piece) -> bool:
    """Whether the bytes were typed in hex: C3 A9, c3a9, 0xC3 0xA9, ⟨C3 A9⟩."""
    digits = re.sub(r"0x|\\x|[\s⟨⟩,]", "", typed.lower())
    return not piece.ends_word and bool(digits) and digits == piece.data.hex()


# ---------------------------------------------------------------- pairs

PAIR_HINT = (
    "Write the two tokens with a plus between them, such as a + k; a space that belongs to a token is ␣."
)
_PAIR_SEPARATORS = ("+", "＋", "|", "│", "·", ",", "，", "&", " and ", "/", None)


def read_pair(text: str) -> tuple[tuple[str, str], ...] | Unread:
    """The pairs of typed tokens that ``text`` may mean, the likelier first.

    >>> read_pair("a+k"), read_pair("(ak, e)"), read_pair("a k")
    ((('a', 'k'),), (('ak', ' e'), ('ak', 'e'), ('ak,', 'e')), (('a', 'k'),))
    >>> read_pair("ak").hint == PAIR_HINT
    True
    """
    body = text.strip() if len(text) <= LONGEST else ""
    if len(body) > 2 and (body[0], body[-1]) in {("(", ")"), ("[", "]"), ("（", "）")}:
        body = body[1:-1]
    found: list[tuple[str, str]] = []
    for separator in _PAIR_SEPARATORS:
        if separator is None:
            words = body.split(" ")
            places = [i for i, c in enumerate(body) if c == " "] if len(words) > 1 else []
            width = 1
        else:
            places = [i for i in range(len(body)) if body.startswith(separator, i)]
            width = len(separator)
        for place in places:
            left, right = body[:place], body[place + width :]
            spaced = text[: len(text) - len(text.lstrip(" "))] + left.strip()
            for pair in ((left, right), (left.strip(), right.strip()), (spaced, right.strip())):
                if all(side.strip() or side == " " for side in pair) and pair not in found:
                    found.append(pair)
    return tuple(found) or Unread(PAIR_HINT)


# ---------------------------------------------------------------- splits

_BARS = "|│｜¦"
_DOTS = "·•∙⋅/+,;-–"


def read_cuts(text: str, units: Sequence[Token], code_points: bool = False) -> tuple[int, ...] | Unread:
    """Where a typed split cuts, as positions between units: 1 is after the first unit.

    ``units`` are the base units of what is cut, the marker included. The pieces have to join to exactly that.

    >>> from bpe_core.alphabet import Unit
    >>> abc = [Token(None, c.encode(), Unit.CHAR) for c in " abc"]
    >>> read_cuts("␣ab|c", abc), read_cuts("␣ab c", abc), read_cuts(" ␣a · b · c", abc)
    ((3,), (3,), (2, 3))
    >>> read_cuts("ab|c", abc).hint
    'The pieces have to join to ␣abc; the space at its start is missing. Write it as ␣.'
    """
    spelled = [MARKER_NOTATION if unit.ends_word else unit.data for unit in units]
    whole = b"".join(part.encode() if isinstance(part, str) else part for part in spelled)
    key = whole.decode("utf-8", "replace")
    if len(text) <= LONGEST:
        for pieces in _separations(text, key):
            cuts = _placed(pieces, [s.encode() if isinstance(s, str) else s for s in spelled], code_points)
            if cuts is not None:
                return cuts
    name = text_label(key).plain
    if key.startswith(" ") and folded("".join(next(_separations(text, key)))) == folded(key[1:]):
        return Unread(f"The pieces have to join to {name}; the space at its start is missing. Write it as ␣.")
    if key.endswith(MARKER_NOTATION) and MARKER_NOTATION not in _unmarked(text):
        return Unread(f"The pieces have to join to {name}; write the end-of-word marker too, as </w>.")
    return Unread(f"The pieces have to join to {name}. Write a bar at each cut, such as ab|c.")


def _separations(text: str, key: str) -> Iterator[list[str]]:
    """The ways to take a typed split apart, the likelier first."""
    bars = [c for c in _BARS if c in text and c not in key] or [c for c in _BARS if c in text]
    for mark in chain(bars, (c for c in _DOTS if c in text)):
        pieces = text.split(mark)
        yield [_unmarked(piece, key) for piece in pieces if piece]
        stripped = [piece.strip() for piece in pieces]
        yield [_unmarked(piece, key) for piece in stripped if piece]
    yield [_unmarked(piece, key) for piece in text.split()]
    yield [_unmarked(text.strip(), key)]
    yield [_unmarked(text, key)]


def _placed(pieces: Sequence[str], spelled: Sequence[bytes], code_points: bool) -> tuple[int, ...] | None:
    """The cut positions when the pieces are exactly the units joined, else None."""
    cuts: list[int] = []
    place = 0
    for piece in pieces:
        goal = piece.encode("utf-8", "replace")
        fold_goal = folded(piece)
        joined = b""
        end = place
        while end < len(spelled):
            joined += spelled[end]
            end += 1
            if joined == goal:
                break
            if not code_points and folded(joined.decode("utf-8", "replace")) == fold_goal:
                break
        else:
            return None
        cuts.append(end)
        place = end
    return tuple(cuts[:-1]) if place == len(spelled) else None
