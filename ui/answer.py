"""A question with its answer field: native radio buttons, check boxes or a line of text, in one component.

    answer_field(question, name="quiz/1f/best-k", value="7", on_draft=…, on_enter=…)
    reported("draft")                           in the callback: what stands in the field now

Prompt, words, merges and options are data: the browser gets them as text and never as markdown. What is
typed is reported after a short pause, and Enter anywhere in the field asks for Check.

Not here: the tiles to cut (``tiles.cut_tiles``), whether an answer is right (``quiz.checking``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe_core.display import text_label
from quiz.questions import Kind, Option, Question

from .parts import component

_form = component("answer")

KEY = "practice_answer"
#: Words of a corpus shown under a prompt; the rest is counted.
WORDS = 40

_HINTS = {
    Kind.TOKEN: "Write one token. A space that belongs to it is ␣.",
    Kind.PAIR: "Write two tokens with a plus between them, such as a + k. A space that belongs to one is ␣.",
    Kind.SPLIT: "Write a bar at each cut, such as ab|c.",
}


@dataclass(frozen=True, slots=True)
class Look:
    """How one option looks once something is known about it.

    ``mark`` is ``right``, ``wrong`` or ``missed``, ``says`` the word for it; ``why`` is shown under it.
    """

    mark: str = ""
    says: str = ""
    why_name: str = ""
    why: str = ""


def answer_field(
    question: Question,
    *,
    name: str,
    value: str | Sequence[str],
    options: Sequence[Option] = (),
    looks: Mapping[str, Look] | None = None,
    locked: bool = False,
    typed: bool = True,
    moved: int = 0,
    on_draft: Callable[[], None],
    on_enter: Callable[[], None],
) -> None:
    """Draw the question.

    ``name``     tells one answer from another, also from the same question begun anew
    ``value``    what stands in the field when ``name`` is new to the browser
    ``options``  in the learner's order; ``looks`` by option key
    ``locked``   the question is done: show, do not take answers
    ``typed``    False draws no field: the page puts tiles to cut under the prompt
    ``moved``    a number that changes when the reader went to this question: the prompt takes the focus
    """
    choosing = question.kind is Kind.CHOICE
    seen = looks or {}
    plain = Look()
    kind = ("several" if question.several else "one") if choosing else "text" if typed else "none"
    data = {
        "name": name,
        "kind": kind,
        "prompt": question.prompt_text,
        "words": [[text_label(word, 40).plain, f"{count:,}"] for word, count in question.words[:WORDS]],
        "more_words": f"and {len(question.words) - WORDS:,} more words"
        if len(question.words) > WORDS
        else "",
        "merges": list(question.merges),
        "options": [
            {
                "key": option.key,
                "text": question.option_text(option),
                "mark": (look := seen.get(option.key, plain)).mark,
                "says": look.says,
                "why_name": look.why_name,
                "why": look.why,
            }
            for option in options
        ],
        "value": value if isinstance(value, str) else list(value),
        "label": "Your answer" + (f" in {question.measure}" if question.measure else ""),
        "hint": _hint(question),
        "inputmode": _inputmode(question),
        "inserts": _inserts(question),
        "locked": locked,
        "moved": moved,
    }
    _form(key=KEY, data=data, on_draft_change=on_draft, on_entered_change=on_enter)


def reported(event: str) -> tuple[str, Any] | None:
    """What the browser reported last: the name of the answer, and its text or its list of keys.

    ``event`` is ``draft`` or ``entered``.
    """
    said = (st.session_state.get(KEY) or {}).get(event)
    if not isinstance(said, dict) or not isinstance(said.get("name"), str):
        return None
    value = said.get("value")
    if isinstance(value, list):
        return said["name"], [str(key) for key in value[:100]]
    return (said["name"], value) if isinstance(value, str) else None


def _hint(question: Question) -> str:
    if question.kind is Kind.CHOICE:
        return "Tick all that are right." if question.several else ""
    if question.kind is Kind.NUMBER:
        return question.tolerance_text
    return _HINTS[question.kind]


def _inputmode(question: Question) -> str:
    if question.kind is not Kind.NUMBER:
        return "text"
    return "decimal" if question.tolerance else "numeric"


def _inserts(question: Question) -> list[tuple[str, str]]:
    """Signs that a keyboard may not have, as buttons beside the field: (sign, what it is called)."""
    space = ("␣", "Insert ␣, a space")
    if question.kind is Kind.TOKEN:
        return [space]
    if question.kind is Kind.PAIR:
        return [space, ("+", "Insert a plus")]
    if question.kind is Kind.SPLIT:
        signs = [("|", "Insert a cut")]
        if " " in question.new_text:
            signs.append(space)
        answers = question.answers
        if answers and answers[0].inputs is not None and answers[0].inputs.pre_tokenizer.has_marker:
            signs.append(("</w>", "Insert the end-of-word marker"))
        return signs
    return []
