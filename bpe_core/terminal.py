"""How the command line writes: aligned tables, one-line messages, progress that waits its turn.

Tokens are shown by their labels (``display``), so nothing in a table is invisible or moves the cursor.
Columns are aligned by what a terminal draws: wide characters take two places, combining ones none.

Not here: what is written (``__main__``). Nothing else in the core uses this module.
"""

from __future__ import annotations

import json
import os
import sys
import time
import unicodedata
from collections.abc import Collection, Sequence
from contextlib import suppress
from types import TracebackType

from .alphabet import Token
from .display import label

#: Signs of a token's label that a table shows.
LABEL_LIMIT = 40
#: Seconds before progress is shown, and between two lines of it.
PATIENCE = 1.0
INTERVAL = 0.5


def shown_token(token: Token) -> str:
    """A token's label for a table, cut in its middle when it is long.

    >>> from bpe_core.alphabet import Unit
    >>> shown_token(Token(None, b" cake", Unit.CHAR))
    '␣cake'
    """
    return label(token, LABEL_LIMIT).plain


def number(value: float | None) -> str:
    """A figure for a person: thousands apart, five decimals where it is not whole by kind.

    >>> number(1234), number(2.5), number(None)
    ('1,234', '2.50000', 'not defined')
    """
    if value is None:
        return "not defined"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.5f}"


def width(text: str) -> int:
    """How many places a terminal gives to a text.

    >>> width("cafe\u0301"), width("北京")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(_places(character) for character in text)


def _places(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int] = ()) -> str:
    """Rows under headings; the columns in ``left`` start together, the others end together.

    >>> print(table(("token", "count"), [("ake", "4"), ("s", "12")], left={0}), end="")
    token  count
    ake        4
    s         12
    """
    lines = [headings, *rows]
    widths = [max(width(line[place]) for line in lines) for place in range(len(headings))]
    text = []
    for line in lines:
        cells = []
        for place, (cell, whole) in enumerate(zip(line, widths, strict=True)):
            gap = " " * (whole - width(cell))
            cells.append(cell + gap if place in left else gap + cell)
        text.append("  ".join(cells).rstrip() + "\n")
    return "".join(text)


def write(text: str) -> None:
    """Text for a person on standard output; what its encoding lacks is written as an escape."""
    write_data(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace"))


def write_json(value: object) -> None:
    """One JSON value and a line end on standard output, in UTF-8 wherever it goes."""
    write_data(json.dumps(value, ensure_ascii=False).encode() + b"\n")


def write_data(data: bytes) -> None:
    """Bytes on standard output as they are."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # a stand-in that takes text only
        sys.stdout.write(data.decode("utf-8", "replace"))
    else:
        sys.stdout.flush()
        buffer.write(data)
        buffer.flush()


def say(message: str) -> None:
    """One line on standard error; what would break the line, or not print, is escaped."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
    _complain(line + "\n")


def _complain(text: str) -> None:
    with suppress(OSError, ValueError, AttributeError):  # there may be no standard error
        sys.stderr.write(text)
        sys.stderr.flush()


def abandon_output() -> None:
    """Let go of a standard output that is gone, so that leaving Python does not complain about it."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Progress:
    """Says on standard error how far something is, once it has taken over a second.

    On a terminal one line that is wiped at the end, elsewhere a line now and then. Called with (done, total),
    total 0 where there is no limit.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._next = time.monotonic() + PATIENCE
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._said = False

    def __call__(self, done: int, total: int) -> bool:
        """Note progress; always True, so that the work goes on."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + (INTERVAL if self._terminal else 10 * INTERVAL)
            self._said = True
            line = f"{done:,}{f' of {total:,}' if total else ''} {self._what}"
            _complain(f"\r{line}" if self._terminal else f"{line}\n")
        return True

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._said and self._terminal:
            _complain("\r\x1b[K")
