"""A class's results as tables and charts: per student, per question, per misconception.

    st.dataframe(questions_table(together.questions, {}))
    charts.draw(outcome_rows(together.questions), outcome_spec(), key=…, alt=…)

Everything counted comes from ``quiz.gathering``. Not here: opening the files (the page).
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import altair as alt
import pandas as pd

from quiz.bank import BY_ID
from quiz.gathering import ClassResults, QuestionSummary
from quiz.made import MadeKind
from quiz.misconceptions import Misconception
from quiz.results import safe_cell

from .charts import ACCENT, finished, heading, whole_number_axis

#: How a question can end, in the order of the bars, with a colour. The bars carry their numbers and are
#: half transparent, so that the theme's text colour can be read on them in light and in dark.
OUTCOMES = {
    "right on the first try": "#3f7cc4",
    "right later": "#3d9f6d",
    "tried, not right": "#d9822b",
    "not tried": "#9b968a",
}
#: Bars in a chart; the table has all rows.
BARS = 60

_MADE_ID = re.compile(r"([a-z-]+)-[123]-[0-9]+-[0-9]+(?:-own)?", re.ASCII)


def sheet_name(sheet: str, titles: Mapping[str, str]) -> str:
    """What a results file calls its sheet, in words; ``titles`` are those of teacher's sheets that are known.

    >>> sheet_name("quiz", {}), sheet_name("made:split", {}), sheet_name("own-12", {"own-12": "Week 3"})
    ('Fixed questions', 'Made for you', 'Week 3')
    """
    if sheet == "quiz":
        return "Fixed questions"
    if sheet.split(":")[0] == "made":
        return "Made for you"
    return titles.get(sheet, f"Teacher's sheet {sheet}")


def by_kind(questions: Sequence[QuestionSummary]) -> tuple[QuestionSummary, ...]:
    """Made questions of one kind put together, since every seed makes its own; the others as they are.

    >>> one = QuestionSummary("split-1-7-0", "encoding", 1, 1, 1, 1, 0, ())
    >>> both = by_kind([one, replace(one, question="split-1-8-3", first_right=0)])
    >>> [(row.question, row.students, row.first_right) for row in both]
    [('split', 2, 1)]
    """
    kinds = {kind.value for kind in MadeKind}
    found: dict[str, QuestionSummary] = {}
    for row in questions:
        match = _MADE_ID.fullmatch(row.question)
        name = match[1] if match and match[1] in kinds else row.question
        old = found.get(name)
        if old is None:
            found[name] = replace(row, question=name)
            continue
        slips: Counter[Misconception] = Counter(dict(old.misconceptions))
        slips.update(dict(row.misconceptions))
        found[name] = QuestionSummary(
            name,
            old.group,
            old.students + row.students,
            old.tried + row.tried,
            old.first_right + row.first_right,
            old.right + row.right,
            old.skipped + row.skipped,
            tuple(sorted(slips.items(), key=lambda item: (-item[1], item[0].value))),
        )
    return tuple(found.values())


def prompt_of(question: str, prompts: Mapping[str, str]) -> str:
    """What a question asks, where that is known from its id."""
    if question in prompts:
        return prompts[question]
    if question in BY_ID:
        return BY_ID[question].prompt_text
    names = {kind.value: kind.label for kind in MadeKind}
    match = _MADE_ID.fullmatch(question)
    return names.get(match[1] if match else question, "")


def questions_table(questions: Sequence[QuestionSummary], prompts: Mapping[str, str]) -> pd.DataFrame:
    """One row a question: how many had it, got it at once, got it later; the misconceptions that came up."""
    return pd.DataFrame(
        {
            "question": [row.question for row in questions],
            "asks": [prompt_of(row.question, prompts) for row in questions],
            "had it": [row.students for row in questions],
            "tried": [row.tried for row in questions],
            "first try": [row.first_right for row in questions],
            "right": [row.right for row in questions],
            "skipped": [row.skipped for row in questions],
            "misconceptions": [_slips(row.misconceptions) for row in questions],
        }
    )


def _slips(found: Sequence[tuple[Misconception, int]]) -> str:
    return "; ".join(f"{slip.label} ({count})" for slip, count in found)


def students_table(together: ClassResults) -> pd.DataFrame:
    """One row a student, in the order of their names."""
    students = sorted(together.students, key=lambda one: one.student.casefold())
    return pd.DataFrame(
        {
            "student": [one.student for one in students],
            "questions": [one.questions for one in students],
            "tried": [one.tried for one in students],
            "first try": [one.first_right for one in students],
            "right": [one.right for one in students],
            "minutes": [round(one.seconds / 60, 1) for one in students],
            "file": [one.file for one in students],
        }
    )


def misconceptions_table(together: ClassResults) -> pd.DataFrame:
    """The misconceptions of the class, the most frequent first, with the questions they came up in."""
    where: dict[Misconception, list[str]] = {}
    for row in together.questions:
        for slip, _ in row.misconceptions:
            where.setdefault(slip, []).append(row.question)
    return pd.DataFrame(
        {
            "misconception": [slip.label for slip, _ in together.misconceptions],
            "times": [count for _, count in together.misconceptions],
            "in questions": [", ".join(where.get(slip, [])) for slip, _ in together.misconceptions],
        }
    )


def table_csv(table: pd.DataFrame) -> str:
    """A table as CSV that no spreadsheet runs a formula from; a byte order mark makes it read as UTF-8."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(table.columns)
    for row in table.itertuples(index=False):
        writer.writerow([safe_cell(str(cell)) for cell in row])
    return "\ufeff" + out.getvalue()


# --- charts --------------------------------------------------------------------------------------


_OUTCOME_COLUMNS = ["question", "outcome", "start", "end", "middle", "number"]


def outcome_rows(questions: Sequence[QuestionSummary]) -> pd.DataFrame:
    """Bars for ``outcome_spec``: each question's students by how it ended, without empty segments."""
    rows: list[tuple[str, str, int, int, float, int]] = []
    for row in questions[:BARS]:
        numbers = (
            row.first_right,
            row.right - row.first_right,
            row.tried - row.right,
            row.students - row.tried,
        )
        start = 0
        for outcome, number in zip(OUTCOMES, numbers, strict=True):
            if number > 0:
                rows.append((row.question, outcome, start, start + number, start + number / 2, number))
                start += number
    return pd.DataFrame(rows, columns=_OUTCOME_COLUMNS)


@cache
def outcome_spec() -> dict[str, Any]:
    """Stacked bars, one a question, each segment with its number. Made once."""
    sample = pd.DataFrame([("q", "not tried", 0, 1, 0.5, 1)], columns=_OUTCOME_COLUMNS)
    names = list(OUTCOMES)
    question = alt.Y("question:N", sort=None, axis=alt.Axis(title=None, labelLimit=170))
    bars = (
        alt.Chart(sample)
        .mark_bar(fillOpacity=0.5, stroke="#8a857a", strokeWidth=1)
        .encode(
            y=question,
            x=alt.X("start:Q", axis=whole_number_axis("students", tickCount=6)),
            x2="end:Q",
            color=alt.Color(
                "outcome:N",
                scale=alt.Scale(domain=names, range=list(OUTCOMES.values())),
                legend=alt.Legend(
                    title=None, orient="top", columns=2, labelLimit=260, symbolStrokeWidth=0, symbolSize=140
                ),
            ),
            tooltip=[
                alt.Tooltip("question:N"),
                alt.Tooltip("outcome:N"),
                alt.Tooltip("number:Q", title="students", format=",d"),
            ],
        )
    )
    numbers = (
        alt.Chart(sample)
        .mark_text(fontSize=12, fontWeight=600)
        .encode(y=question, x="middle:Q", text=alt.Text("number:Q", format=",d"))
    )
    return finished(
        alt.layer(bars, numbers).properties(height=alt.Step(24), title=heading("How each question went"))
    )


def slip_rows(together: ClassResults) -> pd.DataFrame:
    """Bars for ``slip_spec``."""
    found = together.misconceptions[:BARS]
    return pd.DataFrame(
        {"misconception": [slip.label for slip, _ in found], "times": [count for _, count in found]}
    )


@cache
def slip_spec() -> dict[str, Any]:
    """Bars of misconceptions, the most frequent at the top. Made once."""
    base = alt.Chart(pd.DataFrame({"misconception": ["m"], "times": [1]})).encode(
        y=alt.Y("misconception:N", sort=None, axis=alt.Axis(title=None, labelLimit=260)),
        x=alt.X("times:Q", axis=whole_number_axis("times it came up", tickCount=6)),
        tooltip=[alt.Tooltip("misconception:N"), alt.Tooltip("times:Q", format=",d")],
    )
    return finished(
        base.mark_bar(color=ACCENT).properties(height=alt.Step(24), title=heading("What was misunderstood"))
    )
