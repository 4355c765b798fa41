"""The one door for text: whatever was typed, pasted, uploaded or linked becomes clean text here.

Three things are mended, each with a notice, and nothing else is normalised: CRLF becomes LF, one
leading byte order mark goes, and lone surrogates (halves of a UTF-16 pair that cannot be written
as UTF-8) become U+FFFD. Bytes from a file must be UTF-8.

Not here: cutting text into words (``pretokenize``), reading tables of word counts (``corpus``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from .errors import TextError, shown

#: The largest file that is taken in, in bytes.
FILE_LIMIT = 10_000_000

_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class NoticeKind(Enum):
    """What the door mended."""

    LINE_ENDINGS = "line-endings"
    BYTE_ORDER_MARK = "byte-order-mark"
    SURROGATES = "surrogates"


@dataclass(frozen=True, slots=True)
class Notice:
    """One kind of mending and how many times it was done."""

    kind: NoticeKind
    count: int

    @property
    def sentence(self) -> str:
        """The notice in words, for a person."""
        if self.kind is NoticeKind.LINE_ENDINGS:
            what = "Windows line ending was" if self.count == 1 else "Windows line endings were"
            return f"{self.count:,} {what} changed to a plain line break."
        if self.kind is NoticeKind.BYTE_ORDER_MARK:
            return "An invisible byte order mark at the start was removed."
        what = "broken half-character was" if self.count == 1 else "broken half-characters were"
        return f"{self.count:,} {what} replaced by U+FFFD."


@dataclass(frozen=True, slots=True)
class CleanText:
    """Text that is safe to count, encode and show, with what was changed on the way in."""

    text: str
    notices: tuple[Notice, ...] = ()


def clean_text(raw: str) -> CleanText:
    r"""Let ``raw`` through the door.

    >>> cleaned = clean_text("\ufeffa\r\nb")
    >>> cleaned.text, [(notice.kind.value, notice.count) for notice in cleaned.notices]
    ('a\nb', [('byte-order-mark', 1), ('line-endings', 1)])
    >>> clean_text("a\ud83d\udc4d\ud800b").text  # a split pair is one emoji again
    'a👍\ufffdb'
    """
    notices: list[Notice] = []
    text = raw
    if text.startswith("\ufeff"):
        text = text[1:]
        notices.append(Notice(NoticeKind.BYTE_ORDER_MARK, 1))
    endings = text.count("\r\n")
    if endings:
        text = text.replace("\r\n", "\n")
        notices.append(Notice(NoticeKind.LINE_ENDINGS, endings))
    if not text.isascii() and _SURROGATE.search(text):
        text = _SURROGATE_PAIR.sub(_whole_character, text)
        text, lone = _SURROGATE.subn("\ufffd", text)
        if lone:
            notices.append(Notice(NoticeKind.SURROGATES, lone))
    return CleanText(text, tuple(notices))


def _whole_character(pair: re.Match[str]) -> str:
    return pair.group().encode("utf-16", "surrogatepass").decode("utf-16")


def utf8(text: str) -> bytes:
    """The UTF-8 bytes of clean text. Raises TextError for a lone surrogate, which has none.

    >>> utf8("é").hex()
    'c3a9'
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise TextError(
            f"{shown(text)} holds a lone surrogate, half of a character; clean the text first."
        ) from None


def decode_file(data: bytes, name: str = "file", limit: int = FILE_LIMIT) -> CleanText:
    """The text of an uploaded file, through the door.

    Raises TextError when the file is larger than ``limit`` bytes or is not UTF-8.

    >>> decode_file("café".encode()).text
    'café'
    >>> decode_file(bytes([0x63, 0xE9]), name="menu.txt")
    Traceback (most recent call last):
    bpe_core.errors.TextError: 'menu.txt' is not UTF-8 text: byte E9 at position 1 does not fit. ...
    """
    if len(data) > limit:
        raise TextError(
            f"{shown(name)} has {len(data):,} bytes; the largest file that can be opened has {limit:,}."
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise TextError(f"{shown(name)} looks like UTF-16 text. Save it as UTF-8 and try again.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TextError(
            f"{shown(name)} is not UTF-8 text: byte {data[error.start]:02X} at position {error.start} "
            "does not fit. Save it as UTF-8 and try again."
        ) from None
    return clean_text(text)
