"""Where the learner is: every question of a paper as a numbered button with the mark of its state.

question_map(questions, progress, here="best-k", grouped=True, on_go=clicked)
went()                                       in the callback: the id of the question clicked
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from quiz.progress import Entry, Progress
from quiz.questions import Question

from .parts import component

_map = component("question_map")

KEY = "practice_map"

#: State → (mark, words).
STATES = {
    "first": ("✓", "right on the first try"),
    "later": ("(✓)", "right on a later try"),
    "tried": ("✗", "tried, not right yet"),
    "shown": ("–", "answer shown"),
    "skipped": ("↷", "skipped"),
    "open": ("", "open"),
}


def state_of(entry: Entry) -> str:
    """The state of a question, as a key of STATES."""
    if entry.first_right:
        return "first"
    if entry.right:
        return "later"
    if entry.revealed:
        return "shown"
    if entry.skipped:
        return "skipped"
    return "tried" if entry.tries else "open"


def question_map(
    questions: Sequence[Question], progress: Progress, *, here: str, grouped: bool, on_go: Callable[[], None]
) -> None:
    """Draw the map; ``grouped`` puts the questions under the headings of their groups."""
    groups: list[dict[str, Any]] = []
    for number, question in enumerate(questions, 1):
        label = question.group.label if grouped else ""
        if not groups or groups[-1]["label"] != label:
            groups.append({"label": label, "items": []})
        state = state_of(progress.entry(question))
        mark, words = STATES[state]
        groups[-1]["items"].append(
            {
                "id": question.id,
                "number": f"{number:,}",
                "state": state,
                "mark": mark,
                "name": f"Question {number:,}, {words}",
            }
        )
    seen = {item["state"] for group in groups for item in group["items"]}
    legend = [sign for state, sign in STATES.items() if state in seen and sign[0]]
    data = {"groups": groups, "here": here, "label": "Questions", "legend": legend}
    _map(key=KEY, data=data, on_went_change=on_go)


def went() -> str | None:
    """The id of the question clicked in this run."""
    value = (st.session_state.get(KEY) or {}).get("went")
    return value if isinstance(value, str) else None
