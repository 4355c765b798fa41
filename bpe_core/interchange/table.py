r"""The steps as a table, CSV: a row per merge, row 0 for the state before any.

Safe in a spreadsheet: a cell that would be read as a formula (its text starts with ``= + - @``, a tab, a
carriage return or a line feed, or their full-width twins) gets an apostrophe in front. So that reading can
undo it, a cell of apostrophes followed by such a character gets one more; every other apostrophe is left
alone, on the way in as well::

    token   =1   '=1   's
    cell   '=1  ''=1   's

Cells with commas, quotes or line breaks are quoted, so spaces and line breaks survive. Spreadsheets change
what looks like a number or a date when they save; the id columns are there so that the list can still be
read back.

Columns: merge, left, right, token (text, or hex in byte mode), count, tied, replacements, corpus_length,
vocabulary_size, left_id, right_id, token_id, and in row 0 only: alphabet (all base characters in order),
unit, pre_tokenizer, ties, min_count. Only left and right are needed to read a table: without ids the texts
are followed, with ``</w>`` as the marker where the pre-tokenizer is word-end. Figures that only training
knows may be empty.

Not here: ids from elsewhere. A vocabulary numbered otherwise is numbered anew: base units, then merges.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from ..alphabet import MARKER_NOTATION, Alphabet, Token, Unit
from ..errors import ExportError, ImportFormatError, shown
from ..pretokenize import PreTokenizer
from ..rules import Merge
from ..training import TieRule
from .building import Speller, assemble, from_spellings
from .records import (
    FILE_LIMIT,
    ID_LIMIT,
    ExportedFile,
    ImportedModel,
    Model,
    ModelFormat,
    ModelSettings,
    one_of,
    step_figures,
)

COLUMNS = (
    "merge", "left", "right", "token", "count", "tied", "replacements", "corpus_length", "vocabulary_size",
    "left_id", "right_id", "token_id", "alphabet", "unit", "pre_tokenizer", "ties", "min_count",
)  # fmt: skip

_RISKY = "=+\\-@\t\r\n＝＋－＠"
_TO_GUARD = re.compile(rf"'*[{_RISKY}]")
_GUARDED = re.compile(rf"'+[{_RISKY}]")


def guarded(text: str) -> str:
    """A cell's text so that no spreadsheet takes it for a formula.

    >>> [guarded(text) for text in ("=1+1", "'=1", "'s", "a=b")]
    ["'=1+1", "''=1", "'s", 'a=b']
    """
    return "'" + text if _TO_GUARD.match(text) else text


def unguarded(cell: str) -> str:
    """What ``guarded`` made of a text, undone."""
    return cell[1:] if _GUARDED.match(cell) else cell


def export(model: Model) -> tuple[ExportedFile, ...]:
    """The table. ExportError when spelling out every token would pass the file limit."""
    model.check_spellable("CSV")
    trainer = model.trainer
    number = {unit.id: i for i, unit in enumerate(_in_our_order(model.alphabet))}
    for _, _, new in model.merges:
        number.setdefault(new, len(number))
    characters = [unit.text or "" for unit in model.alphabet.units if model.unit is Unit.CHAR and unit.data]
    out = io.StringIO(newline="")
    # Cells with a character of the line end are quoted, so this end keeps lone \r and \n in tokens whole.
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    start: dict[str, Any] = {
        "merge": 0,
        "alphabet": guarded("".join(characters)),
        "unit": model.unit.value,
        "pre_tokenizer": model.pre_tokenizer.value,
    }
    if trainer is not None:
        start |= {
            "corpus_length": trainer.initial_length,
            "vocabulary_size": trainer.initial_vocabulary_size,
            "ties": trainer.ties.value,
            "min_count": trainer.min_count,
        }
    writer.writerow(start)
    token = model.tokenizer.token
    for rank, (left, right, new) in enumerate(model.merges):
        row: dict[str, Any] = {
            "merge": rank + 1,
            "left": guarded(token(left).notation),
            "right": guarded(token(right).notation),
            "token": guarded(token(new).notation),
            "left_id": number[left],
            "right_id": number[right],
            "token_id": number[new],
        }
        if trainer is not None:
            row |= step_figures(trainer.steps[rank])
        writer.writerow(row)
    data = out.getvalue().encode("utf-8")
    if len(data) > FILE_LIMIT:
        raise ExportError(f"The table would have {len(data):,} bytes; save the steps as JSON instead.")
    return (ExportedFile(ModelFormat.STEPS_CSV.value, data),)


def _in_our_order(alphabet: Alphabet) -> list[Token]:
    """Base units as we number them: bytes by value, characters as given, the marker last."""
    if alphabet.unit is Unit.BYTE:
        return sorted(alphabet.units, key=lambda unit: (unit.ends_word, unit.data))
    return sorted(alphabet.units, key=lambda unit: unit.ends_word)


def looks_like_table(text: str) -> bool:
    """Whether the first line is a heading with our columns."""
    heading = text[:1000].split("\n", 1)[0].rstrip("\r").split(",")
    return {"left", "right"} <= {name.strip().strip('"') for name in heading}


def read(text: str, chosen: PreTokenizer | None) -> ImportedModel:
    """The model of a table; ImportFormatError with the line."""
    rows = _rows(text)
    start = rows.pop(0)[1] if rows and rows[0][1].get("merge") == "0" else {}
    unit = one_of(Unit, start.get("unit") or None, "The table's unit") or Unit.CHAR
    own = one_of(PreTokenizer, start.get("pre_tokenizer") or None, "The table's pre_tokenizer")
    ties = one_of(TieRule, start.get("ties") or None, "The table's ties")
    notices: list[str] = []
    if own is None and chosen is None:
        notices.append("The table does not say how text is cut into words; the article's way is used.")
    if own is not None and chosen is not None and own.has_marker != chosen.has_marker:
        raise ImportFormatError(
            f"The table was made with the pre-tokenizer {own.value}; {chosen.value} differs in the "
            "end-of-word marker."
        )
    kind = chosen or own or PreTokenizer.ARTICLE
    min_count = _whole(start, "min_count", 2) if start.get("min_count") else None
    settings = ModelSettings(kind, unit, ties, min_count)
    characters = unguarded(start.get("alphabet", ""))
    if len(set(characters)) != len(characters):
        raise ImportFormatError("The table's alphabet holds a character twice.")

    def place(i: int) -> str:
        return f"Merge {i + 1} (line {rows[i][0]})"

    if rows and all(row.get(name) for _, row in rows for name in ("left_id", "right_id", "token_id")):
        merges: list[Merge] = [
            (_whole(row, "left_id", line), _whole(row, "right_id", line), _whole(row, "token_id", line))
            for line, row in rows
        ]
        alphabet = Alphabet(unit, characters, kind.has_marker)
        tokenizer, more = assemble(unit, alphabet.units, merges, kind, {}, place, lambda id: f"token {id}")
        return ImportedModel(tokenizer, settings, (*notices, *more))
    marker = MARKER_NOTATION if kind.has_marker else None
    speller = Speller(unit, marker)
    rules = [(_cell(row, "left", line, speller), _cell(row, "right", line, speller)) for line, row in rows]
    tokenizer, more = from_spellings(rules, None, speller, kind, place, characters)
    return ImportedModel(tokenizer, settings, (*notices, *more))


def _rows(text: str) -> list[tuple[int, dict[str, str]]]:
    """Data rows with the line each ends on. Blank lines are passed over."""
    # The module's own limit is 131,072 characters a cell; a token may be longer, the file is bounded anyway.
    csv.field_size_limit(FILE_LIMIT)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, dict[str, str]]] = []
    try:
        heading = next(reader, [])
        if not {"left", "right"} <= set(heading) or len(set(heading)) != len(heading):
            raise ImportFormatError(
                "The table's first line names its columns, among them left and right, each once."
            )
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(heading):
                raise ImportFormatError(
                    f"Line {reader.line_num} has {len(cells)} cells; the heading names {len(heading)}."
                )
            rows.append((reader.line_num, dict(zip(heading, cells, strict=True))))
    except csv.Error as error:
        raise ImportFormatError(
            f"Line {reader.line_num}: the table cannot be read as CSV ({error})."
        ) from None
    return rows


def _cell(row: dict[str, str], name: str, line: int, speller: Speller) -> str:
    """A side of a rule as the speller writes it."""
    text = unguarded(row[name])
    if speller.unit is Unit.CHAR:
        return text
    body, marker = (
        text.removesuffix(MARKER_NOTATION),
        text.endswith(MARKER_NOTATION) and speller.marker is not None,
    )
    try:
        return speller.write(Token(None, bytes.fromhex(body), Unit.BYTE, ends_word=marker))
    except ValueError:
        raise ImportFormatError(f"Line {line}: {name} is {shown(text)}; in byte mode it is hex.") from None


def _whole(row: dict[str, str], name: str, line: int) -> int:
    text = row.get(name, "")
    if not re.fullmatch("[0-9]{1,10}", text) or int(text) > ID_LIMIT:
        raise ImportFormatError(f"Line {line}: {name} is {shown(text)}; it is a whole number from 0 up.")
    return int(text)
