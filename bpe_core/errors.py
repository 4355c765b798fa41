"""Every error the core raises on purpose, and what its message owes the reader.

    BPEError
    ├── TextError            text that cannot be taken in: not UTF-8, too large
    ├── SettingError         a setting outside what is allowed
    ├── CorpusError          a table of word counts that cannot be read
    ├── UnknownTokenError    ids or tokens that are not in the vocabulary
    ├── ImportFormatError    a model file that is malformed, cut short or contradicts itself
    ├── ExportError          a tokenizer that a file format has no way to hold
    ├── VocabularyFileError  the packed GPT-4o vocabulary is missing or damaged
    └── Stopped              long work was stopped on request before it had a result

Each message is one plain sentence: what was given, and what is allowed. Text that came from a
user is shortened and shown with ``repr`` so that it can neither break the sentence nor be
mistaken for it.
"""

from __future__ import annotations

from collections.abc import Sequence


class BPEError(ValueError):
    """The root: catch this to catch everything the core raises on purpose."""


class TextError(BPEError):
    """The text cannot be taken in."""


class SettingError(BPEError):
    """A setting is not one of the allowed values."""


class CorpusError(BPEError):
    """A table of word counts cannot be read."""


class UnknownTokenError(BPEError):
    """Ids or tokens that the vocabulary does not hold; ``unknown`` lists them as given."""

    def __init__(self, message: str, unknown: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.unknown = tuple(unknown)


class ImportFormatError(BPEError):
    """A model file cannot be followed; the message says what is wrong and where."""


class ExportError(BPEError):
    """A file format cannot hold this tokenizer faithfully; the message says what to switch."""


class VocabularyFileError(BPEError):
    """The packed GPT-4o vocabulary is missing or damaged."""


class Stopped(BPEError):
    """Long work was stopped on request before it had a result to give."""


def shown(value: object, limit: int = 40) -> str:
    """A user's value as it may stand in an error message: ``repr``, cut at ``limit`` characters.

    >>> shown("cl101k")
    "'cl101k'"
    >>> shown("x" * 100, limit=10)
    "'xxxxxxxxxx…' (100 characters)"
    """
    if isinstance(value, str) and len(value) > limit:
        return f"{value[:limit] + '…'!r} ({len(value)} characters)"
    text = repr(value)
    return text if len(text) <= limit + 20 else text[: limit + 20] + "…"
