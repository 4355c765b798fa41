"""The Train page's tables as data frames, and the charts' figures as CSV. Cells are plain text.

Tokens are written by ``bpe_core.display``: white space by a glyph, stray bytes as hex, never as markup.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

import pandas as pd

from bpe_core.alphabet import Unit
from bpe_core.display import label
from bpe_core.interchange.table import guarded
from bpe_core.training import Trainer

#: How many rows a table shows; downloads hold them all.
ROWS = 300
#: How many tokens of a word its cell shows.
CELL_TOKENS = 60


def written(trainer: Trainer, id: int, limit: int = 40) -> str:
    """A token as one cell."""
    cells = _cells.setdefault(trainer, {})
    cell = cells.get((id, limit))
    if cell is None:
        cell = cells[id, limit] = label(trainer.token(id), limit).plain
    return cell


#: For each trainer what was written: the same tokens stand in most cells, and in those of the step before.
_cells: WeakKeyDictionary[Trainer, dict[tuple[int, int], str]] = WeakKeyDictionary()


def word_cell(trainer: Trainer, ids: Sequence[int]) -> str:
    """A word's tokens as one cell; of a longer one than ``CELL_TOKENS`` the start."""
    rest = " | …" if len(ids) > CELL_TOKENS else ""
    return " | ".join(written(trainer, id, 20) for id in ids[:CELL_TOKENS]) + rest


def joined(left: str, right: str) -> str:
    """A pair as plain text, ``a + k``; the left token stands left in right-to-left scripts too.

    >>> joined("a", "k"), joined("\u05d5", "\u05dc").replace("\u200e", "|")
    ('a + k', '|ו |+ ל')
    """
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in left + right):
        return f"\u200e{left} \u200e+ {right}"
    return f"{left} + {right}"


def pairs_table(trainer: Trainer, k: int) -> pd.DataFrame:
    """The pairs after k merges, most frequent first: left, right, count, and which one is next."""
    ranked = trainer.ranked_pairs(k, ROWS)
    chosen = trainer.next_pair(k)
    notes = []
    for row in ranked:
        marks = ["next"] if row.pair == chosen else []
        if row.tied:
            marks.append("tied")
        notes.append(" · ".join(marks))
    return pd.DataFrame(
        {
            "left": [written(trainer, row.pair[0]) for row in ranked],
            "right": [written(trainer, row.pair[1]) for row in ranked],
            "count": [row.count for row in ranked],
            "note": notes,
        }
    )


def merges_table(trainer: Trainer, k: int) -> pd.DataFrame:
    """The merges made so far, the newest first, down to the start (k = 0)."""
    steps = trainer.steps[max(0, k - ROWS) : k][::-1]
    whole = len(steps) == k
    rows = [
        (
            step.index,
            written(trainer, step.pair[0]),
            written(trainer, step.pair[1]),
            written(trainer, step.token),
            step.count,
            step.tied,
            step.replacements,
            step.corpus_length,
            step.vocabulary_size,
        )
        for step in steps
    ]
    frame = pd.DataFrame(rows, columns=["k", "left", "right", "token", "count", "tied", "replaced", "L", "V"])
    if whole:
        start = {"k": 0, "left": "", "right": "", "token": "", "L": trainer.initial_length}
        start["V"] = trainer.initial_vocabulary_size
        frame = (
            pd.concat([frame, pd.DataFrame([start])], ignore_index=True) if rows else pd.DataFrame([start])
        )
        for column in ("count", "tied", "replaced"):
            frame[column] = frame.get(column, pd.Series([None], dtype="Int64")).astype("Int64")
        frame = frame[["k", "left", "right", "token", "count", "tied", "replaced", "L", "V"]]
    return frame


def words_table(trainer: Trainer, k: int) -> pd.DataFrame:
    """The distinct words: count, tokens after k merges, and what the word adds to L (count × tokens)."""
    counts = trainer.corpus.counts[:ROWS]
    split = trainer.words_at(k, ROWS, longest=CELL_TOKENS + 1)
    tokens = trainer.word_lengths(k, ROWS)
    return pd.DataFrame(
        {
            "word": [word_cell(trainer, ids) for ids in split],
            "count": list(counts),
            "tokens": tokens,
            "adds to L": [count * length for count, length in zip(counts, tokens, strict=True)],
        }
    )


def lengths(trainer: Trainer) -> list[int]:
    """L after 0, 1, 2, … merges, for every merge that is known."""
    return [trainer.initial_length, *(step.corpus_length for step in trainer.steps)]


def vocabulary_sizes(trainer: Trainer, base: int | None = None) -> list[int]:
    """|V| after 0, 1, 2, … merges: units in use, or ``base`` (256 bytes), plus one for each merge."""
    start = trainer.initial_vocabulary_size if base is None else base
    return list(range(start, start + len(trainer.steps) + 1))


def chart_csv(trainer: Trainer) -> str:
    """The figures behind both charts, one row for every k."""
    by_definition = trainer.unit is Unit.BYTE
    header = ["k", "corpus_length", "vocabulary_size_in_use"]
    rows: list[list[int]] = []
    for k, (length, size) in enumerate(zip(lengths(trainer), vocabulary_sizes(trainer), strict=True)):
        rows.append([k, length, size] + ([len(trainer.alphabet) + k] if by_definition else []))
    if by_definition:
        header.append("vocabulary_size_by_definition")
    return to_csv(header, rows)


def frame_csv(frame: pd.DataFrame, names: Sequence[str] | None = None) -> str:
    """A whole table as CSV, by ``to_csv``; ``names`` are the columns' names where the table has its own.

    >>> print(frame_csv(pd.DataFrame({"n": pd.array([1, None], "Int64")})).split())
    ['n', '1', '""']
    """
    rows = frame.astype(object).where(frame.notna(), None)
    return to_csv(list(names or frame.columns), rows.itertuples(index=False))


def to_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV that a spreadsheet opens as text and numbers: no text cell can be taken for a formula.

    >>> print(to_csv(["token"], [["=1+1"], ["a,b"]]), end="")
    token
    '=1+1
    "a,b"
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()
