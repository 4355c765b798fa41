"""A teacher's sheet in a link: the whole file, packed into one parameter, and back.

    value = to_param(text)        the value of ``sheet=``, or None when a link would be too long for it
    text = from_param(value)      the file again; SheetLinkError when the link is cut short or damaged

The file travels in the link because nothing is stored on the server. Not here: reading the sheet
(``quiz.sheet``).
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib

from bpe_core.errors import BPEError
from quiz.sheet import FILE_LIMIT

from .links import LINK_LIMIT

#: The parameter of the Quiz page that holds a sheet.
PARAMETER = "sheet"

_ALLOWED = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


class SheetLinkError(BPEError):
    """A link does not hold a whole sheet."""


def to_param(text: str) -> str | None:
    """The sheet as the value of the parameter, or None when the link would pass LINK_LIMIT.

    >>> from_param(to_param("title = 'One'"))
    "title = 'One'"
    >>> import random
    >>> to_param(" ".join(str(random.random()) for _ in range(2000))) is None
    True
    """
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode("utf-8", "replace"), 9))
    value = packed.decode("ascii").rstrip("=")
    return value if len(PARAMETER) + 1 + len(value) <= LINK_LIMIT else None


def from_param(value: str) -> str:
    """The sheet's text. A link is hostile input: nothing longer than a sheet may be is unpacked."""
    try:
        if not _ALLOWED.fullmatch(value):
            raise ValueError
        packed = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
        unpack = zlib.decompressobj()
        data = unpack.decompress(packed, 4 * FILE_LIMIT)
        if not unpack.eof:
            raise ValueError
        return data.decode("utf-8")
    except (ValueError, binascii.Error, zlib.error):
        raise SheetLinkError(
            "The link does not hold a whole sheet: it was cut short or changed on its way. "
            "Ask for the link again, or for the sheet as a file."
        ) from None
