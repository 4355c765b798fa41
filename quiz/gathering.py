"""A class's results files put together: per student, per question, and which misconceptions came up.

The files are what students send, so the tables are only as honest as they are. A file that cannot be
read is named and left out; the rest still counts.

Not here: reading one file (``results``), tables and charts (the pages).
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bpe_core.errors import shown

from .errors import ResultsFileError
from .misconceptions import Misconception
from .results import Results, Row, read_results, safe_cell

#: What a progress calls the sheets whose questions its seed and level make: ``made``, ``made:split``, …
MADE = "made"


@dataclass(frozen=True, slots=True)
class StudentSummary:
    """One student: how many questions, tried, right on the first try and in the end, seconds."""

    student: str
    file: str
    sheet: str
    questions: int
    tried: int
    first_right: int
    right: int
    seconds: int


@dataclass(frozen=True, slots=True)
class QuestionSummary:
    """One question over the class: how many had it, tried it, got it; misconceptions with their students."""

    question: str
    group: str
    students: int
    tried: int
    first_right: int
    right: int
    skipped: int
    misconceptions: tuple[tuple[Misconception, int], ...]


@dataclass(frozen=True, slots=True)
class ClassResults:
    """All files together. ``problems`` names each file left out, and why."""

    students: tuple[StudentSummary, ...]
    questions: tuple[QuestionSummary, ...]
    misconceptions: tuple[tuple[Misconception, int], ...]
    problems: tuple[str, ...]


def gather(files: Iterable[tuple[str, bytes]]) -> ClassResults:
    """Put results files together: (name, content) of each, in any order.

    A file that cannot be read, and one with the same results as another, is left out and named. Of several
    files by one student on the same sheet the one saved last counts (of equal times, that with more tried).
    """
    problems: list[str] = []
    kept: dict[tuple[str, str, int, int], tuple[str, Results]] = {}
    seen: dict[Results, str] = {}
    for name, data in files:
        try:
            results = read_results(data, name)
        except ResultsFileError as error:
            problems.append(str(error))
            continue
        if results in seen:
            twin = shown(seen[results])
            problems.append(f"{shown(name)} holds the same results as {twin} and counts once.")
            continue
        seen[results] = name
        # A file without a name is a student of its own.
        student = results.student.strip() or f"\x00{name}"
        # A seed makes the questions of a made sheet; elsewhere it only orders the options.
        made = (results.seed, results.level) if results.sheet.split(":")[0] == MADE else (0, 0)
        key = (student.casefold(), results.sheet, *made)
        if key in kept:
            old_name, old = kept[key]
            newer = (results.saved, _tried(results)) > (old.saved, _tried(old))
            first, last = (old_name, name) if newer else (name, old_name)
            problems.append(
                f"{shown(results.student)} handed in the same sheet twice: {shown(last)} counts, "
                f"{shown(first)} is left out."
            )
            if not newer:
                continue
        kept[key] = (name, results)
    files_kept = list(kept.values())
    return ClassResults(
        tuple(_student(name, results) for name, results in files_kept),
        _questions([results for _, results in files_kept]),
        _counted(row for _, results in files_kept for row in results.rows),
        tuple(problems),
    )


def _tried(results: Results) -> int:
    return sum(row.tries > 0 for row in results.rows)


def _student(name: str, results: Results) -> StudentSummary:
    rows = results.rows
    return StudentSummary(
        results.student.strip() or name,
        name,
        results.sheet,
        len(rows),
        _tried(results),
        sum(row.first_right for row in rows),
        sum(row.right for row in rows),
        sum(row.seconds for row in rows),
    )


def _questions(everyone: Sequence[Results]) -> tuple[QuestionSummary, ...]:
    by_question: dict[str, list[Row]] = {}
    for results in everyone:
        for row in results.rows:
            by_question.setdefault(row.question, []).append(row)
    return tuple(
        QuestionSummary(
            question,
            rows[0].group,
            len(rows),
            sum(row.tries > 0 for row in rows),
            sum(row.first_right for row in rows),
            sum(row.right for row in rows),
            sum(row.skipped for row in rows),
            _counted(rows),
        )
        for question, rows in by_question.items()
    )


def _counted(rows: Iterable[Row]) -> tuple[tuple[Misconception, int], ...]:
    found = Counter(slip for row in rows for slip in set(row.misconceptions))
    return tuple(sorted(found.items(), key=lambda item: (-item[1], item[0].value)))


def class_csv(together: ClassResults) -> str:
    """The per-question table of a class as CSV, safe to open in a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(
        ["question", "group", "students", "tried", "first_try_right", "right", "skipped", "misconceptions"]
    )
    for row in together.questions:
        slips = "; ".join(f"{slip.label} ({count})" for slip, count in row.misconceptions)
        numbers = [row.students, row.tried, row.first_right, row.right, row.skipped]
        writer.writerow([safe_cell(str(c)) for c in (row.question, row.group, *numbers, slips)])
    return "\ufeff" + out.getvalue()
