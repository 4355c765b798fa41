"""Results: the file a student hands in, written and read back.

A results file has one row for each question: the answers tried, whether the first was right, whether it was
right in the end, hints, time, and the misconceptions that came up. It comes as CSV, which opens in a
spreadsheet, and as JSON; both can be read back. Cells that a spreadsheet would run as a formula get an
apostrophe in front, and so does a cell that begins with one, so that reading takes exactly one off again.

What is in a file is data, checked on reading.

Not here: a class's files put together (``gathering``).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bpe_core.errors import BPEError, shown
from bpe_core.text import decode_file

from .errors import ResultsFileError
from .misconceptions import Misconception
from .progress import NAME_LIMIT, Entry, Kept, Progress
from .questions import Question

FORMAT = "bpe-results"
#: The largest results file that is read, in bytes, and the most rows it may have.
FILE_LIMIT = 1_000_000
ROWS_LIMIT = 2_000

COLUMNS = (
    "format", "student", "sheet", "seed", "level", "saved", "question", "group", "answers_tried", "tries",
    "first_try_right", "right", "skipped", "answer_shown", "hints", "seconds", "misconceptions",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """What one student did on one question."""

    question: str
    group: str
    answers: tuple[str, ...]
    tries: int
    first_right: bool
    right: bool
    skipped: bool
    revealed: bool
    hints: int
    seconds: int
    misconceptions: tuple[Misconception, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """One student's results. ``saved`` is the time of saving as text, such as ``2025-03-01T10:15``."""

    student: str
    sheet: str
    seed: int
    level: int
    saved: str
    rows: tuple[Row, ...]


def results_of(progress: Progress, questions: Sequence[Question], saved: str = "") -> Results:
    """The results of a learner on these questions, untried ones included."""
    rows = tuple(_row(question, progress.entry(question)) for question in questions)
    return Results(progress.name, progress.sheet, progress.seed, progress.level, saved, rows)


def _row(question: Question, entry: Entry) -> Row:
    slips = [each.misconception for each in entry.tries if each.misconception is not None]
    return Row(
        question.id,
        question.group.value,
        tuple(answer_as_text(each.answer) for each in entry.tries),
        len(entry.tries),
        entry.first_right,
        entry.right,
        entry.skipped and not entry.done,
        entry.revealed,
        entry.hints,
        entry.seconds,
        tuple(dict.fromkeys(slips)),
    )


def answer_as_text(answer: Kept) -> str:
    """An answer in a cell: text as typed, option keys and cuts with commas, a pair with a plus.

    >>> answer_as_text(("a", "k")), answer_as_text((2, 4))
    ('a, k', 'cuts 2, 4')
    """
    if isinstance(answer, str):
        return answer
    joined = ", ".join(map(str, answer))
    return f"cuts {joined}".strip() if not answer or isinstance(answer[0], int) else joined


# ---------------------------------------------------------------- writing

_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "'", "＝", "＋", "－", "＠")


def safe_cell(cell: str) -> str:
    """A cell that no spreadsheet runs as a formula; ``_plain`` gives the cell back."""
    return "'" + cell if cell.startswith(_RISKY) else cell


def _plain(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_RISKY) else cell


def to_csv(results: Results) -> str:
    """The results as CSV with a heading; a byte order mark in front makes spreadsheets read it as UTF-8."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in results.rows:
        cells = [
            f"{FORMAT} 1",
            results.student,
            results.sheet,
            str(results.seed),
            str(results.level),
            results.saved,
            row.question,
            row.group,
            json.dumps(list(row.answers), ensure_ascii=False),
            str(row.tries),
            _yes(row.first_right),
            _yes(row.right),
            _yes(row.skipped),
            _yes(row.revealed),
            str(row.hints),
            str(row.seconds),
            " ".join(slip.value for slip in row.misconceptions),
        ]
        writer.writerow([safe_cell(cell) for cell in cells])
    return "\ufeff" + out.getvalue()


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def to_json(results: Results) -> str:
    """The results as JSON, with the same values as the CSV."""
    record = {
        "format": FORMAT,
        "version": 1,
        "student": results.student,
        "sheet": results.sheet,
        "seed": results.seed,
        "level": results.level,
        "saved": results.saved,
        "questions": [
            {
                "question": row.question,
                "group": row.group,
                "answers_tried": list(row.answers),
                "tries": row.tries,
                "first_try_right": row.first_right,
                "right": row.right,
                "skipped": row.skipped,
                "answer_shown": row.revealed,
                "hints": row.hints,
                "seconds": row.seconds,
                "misconceptions": [slip.value for slip in row.misconceptions],
            }
            for row in results.rows
        ],
    }
    return json.dumps(record, indent=1)


# ---------------------------------------------------------------- reading


def read_results(data: bytes, name: str = "file") -> Results:
    """The results in a file, CSV or JSON. Raises ResultsFileError naming the file and what is wrong."""
    try:
        text = decode_file(data, name, FILE_LIMIT).text
    except BPEError as error:
        raise ResultsFileError(str(error)) from None
    if not text.strip():
        raise ResultsFileError(f"{shown(name)} is empty.")
    try:
        return _from_json(text) if text.lstrip().startswith("{") else _from_csv(text)
    except _Wrong as wrong:
        raise ResultsFileError(f"{shown(name)} {wrong}.") from None


class _Wrong(Exception):
    """What is wrong with a file, to stand after its name."""


def _from_json(text: str) -> Results:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        raise _Wrong("is not valid JSON") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT or record.get("version") != 1:
        raise _Wrong("is not a results file")
    questions = record.get("questions")
    if not isinstance(questions, list) or len(questions) > ROWS_LIMIT:
        raise _Wrong(f"has no list of up to {ROWS_LIMIT:,} questions")
    rows = []
    for number, item in enumerate(questions, 1):
        where = f"question {number}"
        if not isinstance(item, dict):
            raise _Wrong(f"is damaged at {where}")
        answers, slips = item.get("answers_tried"), item.get("misconceptions")
        if not _texts(answers) or not _texts(slips):
            raise _Wrong(f"is damaged at {where}")
        assert isinstance(answers, list) and isinstance(slips, list)
        flags = [item.get(key) for key in ("first_try_right", "right", "skipped", "answer_shown")]
        if not all(isinstance(flag, bool) for flag in flags):
            raise _Wrong(f"is damaged at {where}")
        rows.append(
            _checked_row(
                where,
                item.get("question"),
                item.get("group"),
                answers,
                [bool(flag) for flag in flags],
                [item.get("tries"), item.get("hints"), item.get("seconds")],
                slips,
            )
        )
    return _checked(record, tuple(rows))


def _texts(value: object) -> bool:
    return isinstance(value, list) and len(value) <= 500 and all(isinstance(item, str) for item in value)


def _from_csv(text: str) -> Results:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    head: dict[str, object] = {}
    try:
        lines = list(reader)
    except csv.Error:
        raise _Wrong(f"is not valid CSV at line {reader.line_num}") from None
    lines = [line for line in lines if any(cell.strip() for cell in line)]
    if not lines or tuple(lines[0]) != COLUMNS:
        raise _Wrong("is not a results file: its first line is not the heading of one")
    if len(lines) > ROWS_LIMIT + 1:
        raise _Wrong(f"has more than {ROWS_LIMIT:,} rows")
    for number, line in enumerate(lines[1:], 2):
        where = f"row {number}"
        if len(line) != len(COLUMNS):
            raise _Wrong(f"is damaged at {where}: {len(line)} cells where {len(COLUMNS)} belong")
        cell = dict(zip(COLUMNS, map(_plain, line), strict=True))
        if cell["format"] != f"{FORMAT} 1":
            raise _Wrong(f"is damaged at {where}: it is not marked {FORMAT} 1")
        here = {key: cell[key] for key in ("student", "sheet", "saved")}
        own: dict[str, object] = {**here, "seed": _digits(cell["seed"]), "level": _digits(cell["level"])}
        if head and own != head:
            raise _Wrong(f"is damaged at {where}: it belongs to other results than the row above")
        head = own
        try:
            answers = json.loads(cell["answers_tried"])
        except (ValueError, RecursionError):
            answers = None
        flags = [cell[key] for key in ("first_try_right", "right", "skipped", "answer_shown")]
        if not _texts(answers) or any(flag not in ("yes", "no") for flag in flags):
            raise _Wrong(f"is damaged at {where}")
        rows.append(
            _checked_row(
                where,
                cell["question"],
                cell["group"],
                answers,
                [flag == "yes" for flag in flags],
                [_digits(cell[key]) for key in ("tries", "hints", "seconds")],
                cell["misconceptions"].split(),
            )
        )
    if not rows:
        raise _Wrong("has no questions in it")
    return _checked(head, tuple(rows))


def _digits(cell: str) -> int | None:
    return int(cell) if cell.isascii() and cell.isdigit() and len(cell) <= 19 else None


def _checked_row(
    where: str,
    question: object,
    group: object,
    answers: list[str],
    flags: Sequence[bool],
    numbers: Sequence[object],
    slips: Iterable[str],
) -> Row:
    first_right, right, skipped, revealed = flags
    tries, hints, seconds = numbers
    fine = isinstance(question, str) and 0 < len(question) <= NAME_LIMIT and isinstance(group, str)
    fine = fine and all(type(n) is int and 0 <= n <= 10_000_000 for n in numbers)
    fine = fine and tries == len(answers) and (right or not first_right) and (bool(answers) or not right)
    try:
        misconceptions = tuple(Misconception(slip) for slip in slips)
    except ValueError:
        fine = False
    if not fine:
        raise _Wrong(f"is damaged at {where}")
    assert isinstance(question, str) and isinstance(group, str)
    assert type(tries) is int and type(hints) is int and type(seconds) is int
    return Row(
        question, group[:NAME_LIMIT], tuple(answers), tries, first_right, right, skipped, revealed, hints,
        seconds, misconceptions,
    )  # fmt: skip


def _checked(head: Mapping[str, object], rows: tuple[Row, ...]) -> Results:
    student, sheet, saved = (head.get(key) for key in ("student", "sheet", "saved"))
    seed, level = head.get("seed"), head.get("level")
    texts = all(isinstance(text, str) and len(text) <= NAME_LIMIT for text in (student, sheet, saved))
    if not texts or type(seed) is not int or type(level) is not int or seed < 0:
        raise _Wrong("is damaged: student, sheet, seed, level or time of saving cannot be right")
    if len({row.question for row in rows}) < len(rows):
        raise _Wrong("is damaged: a question stands in it twice")
    assert isinstance(student, str) and isinstance(sheet, str) and isinstance(saved, str)
    return Results(student, sheet, seed, level, saved, rows)
