"""A corpus: the distinct words of a text with their counts, in order of first appearance.

The order is part of the data, since ties between pairs go to the pair seen first. A corpus comes from a
text through a pre-tokenizer, or from a table of word counts as a database or ``sort | uniq -c`` gives it.

Not here: base units and merges (``alphabet``, ``training``).
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .errors import CorpusError, Stopped, shown
from .pretokenize import Dropped, PreTokenizer

#: Called with (done, total); answering False stops the work.
Progress = Callable[[int, int], bool]

#: The largest count a table may give one word; sums stay exact far beyond it.
COUNT_LIMIT = 10**12
_COUNTS_ALLOWED = f"a whole number from 1 to {COUNT_LIMIT:,}"

_UNIQ_LINE = re.compile(r" *(\d+) (.+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Distinct words and their counts, both in order of first appearance.

    ``words[i]`` occurs ``counts[i]`` times. ``pre_tokenizer`` is the one that cut the text (for a table, the
    one that new text will be cut with); ``dropped`` is what it left out (None for a table).

    >>> corpus = Corpus.from_text("the café, the café")
    >>> list(zip(corpus.words, corpus.counts))
    [('the', 1), (' café', 2), (',', 1), (' the', 1)]
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]
    pre_tokenizer: PreTokenizer
    dropped: Dropped | None = None

    @classmethod
    def from_text(
        cls, text: str, pre_tokenizer: PreTokenizer = PreTokenizer.ARTICLE, progress: Progress | None = None
    ) -> Corpus:
        """Cut ``text`` and count its words. ``progress`` is told characters; stopping raises Stopped."""
        counts: Counter[str] = Counter()
        done = 0
        for piece in pre_tokenizer.pieces(text):
            counts.update(pre_tokenizer.split(piece))
            done += len(piece)
            if progress is not None and not progress(done, len(text)):
                raise Stopped(f"Stopped after {done:,} of {len(text):,} characters were counted.")
        return cls(tuple(counts), tuple(counts.values()), pre_tokenizer, pre_tokenizer.dropped(text, counts))

    @classmethod
    def from_word_counts(
        cls, pairs: Iterable[tuple[str, int]], pre_tokenizer: PreTokenizer = PreTokenizer.ARTICLE
    ) -> Corpus:
        """A corpus from words that are cut already. A word given twice has its counts added.

        >>> Corpus.from_word_counts([("hop", 5), ("hops", 2), ("hop", 1)]).counts
        (6, 2)

        Raises CorpusError for an empty word or a count outside 1 … COUNT_LIMIT.
        """
        counts: dict[str, int] = {}
        for word, count in pairs:
            if not word:
                raise CorpusError(
                    "A word in the table is empty; every count needs a word of at least one character."
                )
            if not 1 <= count <= COUNT_LIMIT:
                raise CorpusError(
                    f"The word {shown(word)} has the count {count:,}; a count is {_COUNTS_ALLOWED}."
                )
            counts[word] = counts.get(word, 0) + count
        return cls(tuple(counts), tuple(counts.values()), pre_tokenizer)

    @property
    def word_count(self) -> int:
        """How many words the corpus has, repeats counted."""
        return sum(self.counts)


def parse_word_counts(text: str) -> list[tuple[str, int]]:
    r"""Read a table of words and counts, in the order given.

    Three shapes are told apart by looking at all lines: word, tab, count (taken literally, no quoting);
    count, space, word as ``uniq -c`` prints; or CSV of word and count with ``"`` quoting. One heading line
    is allowed in the first and the third. Blank lines are skipped.

    >>> parse_word_counts("hop\t5\nhops\t2\n")
    [('hop', 5), ('hops', 2)]
    >>> parse_word_counts('word,count\n"a,b",3\n')
    [('a,b', 3)]
    >>> parse_word_counts("      5 hop\n     12 shop\n")
    [('hop', 5), ('shop', 12)]
    >>> parse_word_counts("hop,5\nhops,many\n")
    Traceback (most recent call last):
    bpe_core.errors.CorpusError: Line 2: the count 'many' is not a whole number from 1 to 1,000,000,000,000.

    Raises CorpusError with the line number.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    rows: list[tuple[int, list[str]]]
    if lines and all("\t" in line for _, line in lines):
        rows = [(number, line.rsplit("\t", 1)) for number, line in lines]
    elif lines and all(_UNIQ_LINE.fullmatch(line) for _, line in lines):
        rows = []
        for number, line in lines:
            match = _UNIQ_LINE.fullmatch(line)
            assert match is not None
            rows.append((number, [match[2], match[1]]))
    else:
        rows = _csv_rows(text)
    pairs: list[tuple[str, int]] = []
    for position, (number, cells) in enumerate(rows):
        if len(cells) != 2:
            raise CorpusError(
                f"Line {number}: found {len(cells)} value{'s' if len(cells) != 1 else ''}; each line needs a "
                "word and a count, separated by a tab or a comma."
            )
        word, count = cells[0], cells[1].strip()
        if not (count.isascii() and count.isdigit()):
            if position == 0 and len(rows) > 1 and not any(c.isdigit() for c in count):
                continue  # a heading
            raise CorpusError(f"Line {number}: the count {shown(count)} is not {_COUNTS_ALLOWED}.")
        if not word:
            raise CorpusError(
                f"Line {number}: the word is empty; every count needs a word of at least one character."
            )
        if len(count) > 13 or not 1 <= int(count) <= COUNT_LIMIT:
            raise CorpusError(f"Line {number}: the count {shown(count)} is not {_COUNTS_ALLOWED}.")
        pairs.append((word, int(count)))
    return pairs


def _csv_rows(text: str) -> list[tuple[int, list[str]]]:
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise CorpusError(f"Line {reader.line_num}: the table cannot be read as CSV ({error}).") from None
    return rows
