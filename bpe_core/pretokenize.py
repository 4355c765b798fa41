"""Pre-tokenizers: how a text is cut into words before any pair is counted.

No merge ever crosses the wall between two words. The patterns of GPT-2, cl100k and o200k are those
their makers publish with the tokenizers; the article's pattern keeps a space on the word after it and
drops all other white space. All run on the ``regex`` module, whose ``\\w`` and ``\\p{…}`` follow Unicode,
so marks stay inside words. "White space" is Unicode's White_Space property throughout (``\\s`` of
``regex``): U+00A0 and U+0085 belong to it, U+200B and U+001C do not.

Not here: the end-of-word marker as a symbol (``alphabet``), counting words (``corpus``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from operator import mul

import regex

#: The characters of Unicode's White_Space property, with a name for each kind a person would tell apart.
_WHITE_SPACE = {
    " ": "space",
    "\n": "line break",
    "\t": "tab",
    "\r": "carriage return",
    "\u00a0": "no-break space",
    "\u3000": "ideographic space",
    "\u2028": "line separator",
    "\u2029": "paragraph separator",
    **dict.fromkeys(
        map(chr, (0x0B, 0x0C, 0x85, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F)), "other white space"
    ),
}

_UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_SUFFIX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"

# Long texts are cut into pieces of about this many characters, so that the list of words of a whole
# book never exists at once. A cut falls between a letter and white space: no pattern here has a match that
# spans such a place, nor one that looks past it.
_PIECE = 1 << 17
_SAFE_CUT = regex.compile(r"\p{L}(?=\s)")


class PreTokenizer(Enum):
    """A way of cutting text into words; the value is the command line's word.

    >>> PreTokenizer.ARTICLE.split("the  café, baked")
    ['the', ' café', ',', ' baked']
    >>> PreTokenizer.NONE.split("a b")
    ['a b']
    >>> PreTokenizer.WORD_END.split("low lower")  # each word then ends in the marker
    ['low', 'lower']
    """

    ARTICLE = "article"
    NONE = "none"
    WHITESPACE = "whitespace"
    WORD_END = "word-end"
    GPT2 = "gpt2"
    CL100K = "cl100k"
    O200K = "o200k"

    @property
    def has_marker(self) -> bool:
        """Whether every word ends in a separate end-of-word marker."""
        return self is PreTokenizer.WORD_END

    @property
    def pattern(self) -> str | None:
        """The regular expression whose matches are the words, or None when the text is one word."""
        return _PATTERNS[self]

    def split(self, text: str) -> list[str]:
        """The words of ``text`` in order. The empty text has none."""
        if self is PreTokenizer.NONE:
            return [text] if text else []
        return _finders[self](text)

    def pieces(self, text: str) -> Iterator[str]:
        """``text`` in pieces that can be split one by one with the same words as a result."""
        if self is PreTokenizer.NONE:
            yield from ([text] if text else [])
            return
        start = 0
        while len(text) - start > _PIECE:
            cut = _SAFE_CUT.search(text, start + _PIECE)
            if cut is None:
                break
            yield text[start : cut.end()]
            start = cut.end()
        if start < len(text):
            yield text[start:]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where each word of ``text`` lies, as (start, end) in characters.

        >>> PreTokenizer.WHITESPACE.spans("to be")
        [(0, 2), (3, 5)]
        """
        if self.pattern is None:
            return [(0, len(text))] if text else []
        return [match.span() for match in regex.finditer(self.pattern, text)]

    def dropped(self, text: str, word_counts: Mapping[str, int] | None = None) -> Dropped:
        """What ``split(text)`` left out, given the counts of its words where they are known already."""
        if word_counts is None:
            word_counts = Counter(self.split(text))
        kinds: dict[str, int] = {}
        total_words = sum(word_counts.values())
        lost = len(text) - sum(map(mul, map(len, word_counts), word_counts.values()))
        for space, kind in _WHITE_SPACE.items() if lost else ():
            missing = text.count(space)
            if missing:
                missing -= sum(word.count(space) * n for word, n in word_counts.items() if space in word)
            if missing:
                kinds[kind] = kinds.get(kind, 0) + missing
        if self.has_marker:
            # One plain space between two words is what decoding writes; anything else is lost.
            reversible = lost == max(total_words - 1, 0) == kinds.get("space", 0)
        else:
            reversible = lost == 0
        return Dropped(lost, tuple(kinds.items()), reversible)


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a pre-tokenizer left out of a text, and whether decoding can still give the text back.

    ``kinds`` pairs a name with a number of characters, for instance ``(("line break", 2),)``.

    >>> PreTokenizer.ARTICLE.dropped("a \\n b").sentence
    '2 characters were left out (1 space, 1 line break), so decoding cannot give this text back exactly.'
    """

    characters: int
    kinds: tuple[tuple[str, int], ...]
    reversible: bool

    @property
    def sentence(self) -> str:
        """In words; empty when nothing was dropped."""
        if not self.characters:
            return ""
        # "other white space" has no plural of its own.
        parts = ", ".join(
            f"{n:,} {kind if n == 1 or kind.endswith('white space') else kind + 's'}"
            for kind, n in self.kinds
        )
        was = "1 character was" if self.characters == 1 else f"{self.characters:,} characters were"
        tail = (
            "but decoding writes one space between words, which gives this text back exactly."
            if self.reversible
            else "so decoding cannot give this text back exactly."
        )
        return f"{was} left out ({parts}), {tail}"


_PATTERNS: dict[PreTokenizer, str | None] = {
    PreTokenizer.ARTICLE: r" ?\w+|[^\w\s]",
    PreTokenizer.NONE: None,
    PreTokenizer.WHITESPACE: r"\S+",
    PreTokenizer.WORD_END: r"\S+",
    PreTokenizer.GPT2: r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++\Z|\s+(?!\S)|\s",
    PreTokenizer.CL100K: (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++\Z|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    PreTokenizer.O200K: (
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_SUFFIX}"
        rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_SUFFIX}"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}


def _ascii_pattern(pattern: str) -> str:
    """The same pattern for text that is all ASCII, in the syntax of the standard library's ``re``."""
    for unicode_class, ascii_class in (
        (f"[{_UPPER}]", "[A-Z]"),
        (f"[{_LOWER}]", "[a-z]"),
        (r"\p{L}\p{N}]", "A-Za-z0-9]"),
        (r"\p{L}", "[A-Za-z]"),
        (r"\p{N}", "[0-9]"),
    ):
        pattern = pattern.replace(unicode_class, ascii_class)
    return pattern


class _Finders(dict[PreTokenizer, Callable[[str], list[str]]]):
    """Compiled patterns, made when first asked for.

    ``re`` is up to twice as fast as ``regex`` and exact where all is ASCII: the classes are rewritten
    for it, and ``re.ASCII`` gives ``\\w`` and ``\\s`` the same meaning.
    """

    def __missing__(self, kind: PreTokenizer) -> Callable[[str], list[str]]:
        pattern = _PATTERNS[kind]
        assert pattern is not None
        find_unicode: Callable[[str], list[str]] = regex.compile(pattern).findall
        find_ascii: Callable[[str], list[str]] = re.compile(_ascii_pattern(pattern), re.ASCII).findall

        def find(text: str) -> list[str]:
            return find_ascii(text) if text.isascii() else find_unicode(text)

        self[kind] = find
        return find


_finders = _Finders()
