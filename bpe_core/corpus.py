"""A corpus: the distinct words of a text with their counts, in order of first appearance.

The order is part of the data, since ties between pairs go to the pair seen first. A corpus comes from a
text through a pre-tokenizer, or from a table of word counts as a database or ``sort | uniq -c`` gives it.

Not here: base units and merges (``alphabet``, ``training``).
"""

from __future__ import annotations

import ast
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .errors import CorpusError, Stopped, shown
from .pretokenize import Dropped, PreTokenizer
from .text import FILE_LIMIT

#: Called with (done, total); answering False stops the work.
Progress = Callable[[int, int], bool]

#: The largest count a table may give one word; sums stay exact far beyond it.
COUNT_LIMIT = 10**12
_COUNTS_ALLOWED = f"a whole number from 1 to {COUNT_LIMIT:,}"

_UNIQ_LINE = re.compile(r" *(\d+) (.*)", re.ASCII)
_PYTHON_LINE = re.compile(r"""\(('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"), (\d+)\)""", re.ASCII)
_SCALA_LINE = re.compile(r"\((.*),(\d+)\)", re.ASCII)


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

    Four shapes are told apart by looking at all lines: word, tab, count (taken literally, no quoting);
    count, space, word as ``uniq -c`` prints; ``(word,count)`` as Spark saves a word count as text, from Scala
    or from Python; or CSV of word and count with ``"`` quoting. A heading may stand on the first line, and
    again where several files were joined. Blank lines are skipped, and so are those ``uniq -c`` counted.

    >>> parse_word_counts("hop\t5\nhops\t2\n")
    [('hop', 5), ('hops', 2)]
    >>> parse_word_counts('word,count\n"a,b",3\n')
    [('a,b', 3)]
    >>> parse_word_counts("      5 hop\n     12 shop\n")
    [('hop', 5), ('shop', 12)]
    >>> parse_word_counts("(hop,5)\n(a,b,2)\n"), parse_word_counts("('hop', 5)\n")
    ([('hop', 5), ('a,b', 2)], [('hop', 5)])
    >>> parse_word_counts("hop,5\nhops,many\n")
    Traceback (most recent call last):
    bpe_core.errors.CorpusError: Line 2: the count 'many' is not a whole number from 1 to 1,000,000,000,000.

    Raises CorpusError with the line number.
    """
    pairs: list[tuple[str, int]] = []
    heading: list[str] | None = None
    rows = _rows(text)
    for position, (number, cells) in enumerate(rows):
        if len(cells) != 2:
            raise CorpusError(
                f"Line {number}: found {len(cells)} value{'s' if len(cells) != 1 else ''}; each line needs a "
                "word and a count, separated by a tab or a comma."
            )
        word, count = cells[0], cells[1].strip()
        if not (count.isascii() and count.isdigit()):
            if position == 0 and len(rows) > 1 and _may_head(count):
                heading = cells
            if cells == heading:
                continue
            raise CorpusError(f"Line {number}: the count {shown(count)} is not {_COUNTS_ALLOWED}.")
        if not word:
            raise CorpusError(
                f"Line {number}: the word is empty; every count needs a word of at least one character."
            )
        if len(count) > 13 or not 1 <= int(count) <= COUNT_LIMIT:
            raise CorpusError(f"Line {number}: the count {shown(count)} is not {_COUNTS_ALLOWED}.")
        pairs.append((word, int(count)))
    return pairs


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """The cells of each line that holds any, word first, with the line's number."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if lines and all("\t" in line for _, line in lines):
        return [(number, line.rsplit("\t", 1)) for number, line in lines]
    if counted := _matches(_UNIQ_LINE, lines):
        return [(number, [match[2], match[1]]) for number, match in counted if match[2]]
    if saved := _matches(_PYTHON_LINE, lines):
        return [(number, [_python_string(number, match[1]), match[2]]) for number, match in saved]
    if saved := _matches(_SCALA_LINE, lines):
        return [(number, [match[1], match[2]]) for number, match in saved]
    return _csv_rows(text)


def _may_head(cell: str) -> bool:
    """Whether a cell can be the name of a column: ``count`` or ``count(1)``, but not ``1.5`` or ``-2``."""
    return not cell[:1].isdigit() and any(c.isalpha() for c in cell)


def _python_string(number: int, literal: str) -> str:
    """The string that a literal of Python stands for; the pattern lets nothing but one through."""
    try:
        return str(ast.literal_eval(literal))
    except (SyntaxError, ValueError):  # an escape that is cut short
        raise CorpusError(f"Line {number}: the word {shown(literal)} is no string of Python.") from None


def _matches(
    pattern: re.Pattern[str], lines: list[tuple[int, str]]
) -> list[tuple[int, re.Match[str]]] | None:
    """Every line's match, or None where there is a line that does not match, or no line."""
    found = [(number, match) for number, line in lines if (match := pattern.fullmatch(line))]
    return found if lines and len(found) == len(lines) else None


def _csv_rows(text: str) -> list[tuple[int, list[str]]]:
    csv.field_size_limit(FILE_LIMIT)  # the module's own is 131,072 characters, and a word may be longer
    failed: CorpusError | None = None
    for table in (text, text.replace('\\"', '""')):  # Spark writes a quote inside quotes as \", others as ""
        reader = csv.reader(io.StringIO(table, newline=""), strict=True)
        try:
            return [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
        except csv.Error as error:
            said = f"Line {reader.line_num}: the table cannot be read as CSV ({error})."
            failed = failed or CorpusError(said)
    assert failed is not None
    raise failed
