"""Practice: one question at a time with its answer field, feedback, hints, map, score and files.

    practise(Paper("quiz", Progress(seed=7), lambda n: QUESTIONS, "quiz.py", "quiz", grouped=True))

draws everything under a page's heading and keeps the learner's copy in the session and in the browser. Clicks
are noted by callbacks and acted on at the start of the next run, drafts before actions, so that an answer
typed and checked in one breath is the answer that is checked.

Not here: the learner's copy (``paper``), what is said about an answer (``practice_words``), the files
(``practice_files``), questions and scores (``quiz``).
"""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Any

import streamlit as st

from quiz.checking import Answer, Feedback, Verdict, check
from quiz.cutting import base_units
from quiz.errors import ProgressFileError
from quiz.figures import trained
from quiz.progress import Entry, ordered_options
from quiz.questions import Kind, Question
from quiz.values import Split

from . import excursion
from . import lab as labs
from .answer import answer_field, reported
from .kept import Heard, keep, recall, waiting
from .notes import note
from .paper import (
    LONGEST,
    STEP,
    Held,
    Paper,
    from_text,
    held,
    hold,
    question_in_hand,
    taken,
    to_text,
    went_to,
)
from .practice_files import files
from .practice_words import hint_parts, option_looks, other_answers_parts, replay_parts, verdict_parts
from .question_map import question_map, went
from .say import say, strong
from .tiles import cut_tiles, tiles

_EVENTS = "practice_events"
_CUT_KEY = "practice_cut"
_NO_CUT = "No cut is set yet. If you mean that it stays in one piece, press Check again."


def practise(paper: Paper) -> None:
    """Everything under the heading of a practice page."""
    heard = recall(paper.slot)
    copy = held(paper)
    if heard.news and heard.text is not None:
        try:
            copy = taken(copy, from_text(heard.text, paper))
        except ProgressFileError as error:
            st.session_state["practice_notice"] = f"{error} You begin afresh."
    copy = _act(paper, copy)
    questions = paper.questions(copy.length)
    question = question_in_hand(copy, questions)
    copy = hold(paper, replace(copy, place=question.id))
    note(st.session_state.get("practice_notice", []), "warn")
    with waiting(heard):
        work, beside = st.columns([7, 3], gap="large")
        with work:
            _question(paper, copy, questions, question)
        with beside:
            _beside(paper, copy, questions, question, heard)
    keep(paper.slot, to_text(held(paper)), paper.address)


# --- what was clicked -----------------------------------------------------------------------------


def _note(kind: str, value: Any = None) -> None:
    st.session_state.setdefault(_EVENTS, []).append((kind, value))


def _on_draft() -> None:
    _note("draft", reported("draft"))


def _on_enter() -> None:
    _note("enter", reported("entered"))


def _act(paper: Paper, copy: Held) -> Held:
    """The copy after everything that happened since the last run."""
    events: list[tuple[str, Any]] = st.session_state.pop(_EVENTS, [])
    if any(kind != "draft" for kind, _ in events):
        st.session_state.pop("practice_notice", None)  # read by now
    questions = paper.questions(copy.length)
    prefix = _name(paper, copy, "")
    by_id = {question.id: question for question in questions}
    for kind, value in events:
        if kind == "draft" and value and value[0].startswith(prefix):
            question = by_id.get(value[0].removeprefix(prefix))
            if question and not copy.progress.entry(question).done:
                copy = replace(copy, progress=copy.progress.drafted(question, value[1]))
    if copy.place not in by_id:
        return copy
    question = by_id[copy.place]
    copy = _with_cuts(paper, copy, question)
    for kind, value in events:
        copy = _after(paper, copy, questions, question, kind, value)
    return copy


def _with_cuts(paper: Paper, copy: Held, question: Question) -> Held:
    """With the cuts that the reader set between the tiles as the draft."""
    entry = copy.progress.entry(question)
    name, cuts = st.session_state.get(f"{_CUT_KEY}_cuts", ("", ()))
    if (
        question.kind is not Kind.SPLIT
        or copy.typing
        or entry.done
        or name != _name(paper, copy, question.id)
    ):
        return copy
    positions = tuple(cut + 1 for cut in cuts)
    if positions == entry.draft or (not positions and not isinstance(entry.draft, tuple)):
        return copy
    return replace(copy, progress=copy.progress.drafted(question, positions))


def _after(
    paper: Paper, copy: Held, questions: tuple[Question, ...], question: Question, kind: str, value: Any
) -> Held:
    """The copy after one event."""
    progress = copy.progress
    if kind == "check":
        return _checked(copy, question, progress.entry(question).draft)
    if kind == "enter" and value and value[0] == _name(paper, copy, question.id):
        return _checked(copy, question, value[1])
    if kind == "hint":
        return replace(copy, progress=progress.hinted(question))
    if kind == "reveal":
        spent = progress.entry(question)
        return replace(copy, progress=progress.revealing(question), said=None) if spent.tries else copy
    if kind == "skip":
        copy = replace(copy, progress=progress.skipping(question, copy.seconds()))
        kind = "next"
    if kind == "next":
        onward = copy.progress.next_open(questions, after=question.id)
        return went_to(copy, onward.id) if onward else copy
    if kind == "step":
        place = questions.index(question) + value
        return went_to(copy, questions[place].id) if 0 <= place < len(questions) else copy
    if kind == "go" and any(each.id == value for each in questions):
        return went_to(copy, value)
    if kind == "more":
        length = min(copy.length + STEP, LONGEST)
        more = paper.questions(length)
        onward = copy.progress.next_open(more[copy.length :]) if length > copy.length else None
        copy = replace(copy, length=length)
        return went_to(copy, onward.id) if onward else copy
    if kind == "typing":
        return replace(copy, typing=not copy.typing, said=None)
    return copy


def _checked(copy: Held, question: Question, answer: Answer | None) -> Held:
    """The copy after Check."""
    entry = copy.progress.entry(question)
    if entry.done:
        return copy
    cutting = question.kind is Kind.SPLIT and not copy.typing
    if cutting and answer is None:
        asked_before = copy.said is not None and copy.said[0] == question.id
        if not asked_before:
            return replace(copy, said=(question.id, Feedback(Verdict.EMPTY, _NO_CUT)))
        answer = ()
    if answer is None:
        answer = () if question.kind is Kind.CHOICE else ""
    feedback = check(question, answer)
    progress = copy.progress.after(question, answer, feedback, copy.seconds())
    said = None if feedback.counts else (question.id, feedback)
    return replace(copy, progress=progress, said=said, since=monotonic())


# --- the question -----------------------------------------------------------------------------------


def _name(paper: Paper, copy: Held, question_id: str) -> str:
    """What tells one answer field from another, in the browser and here."""
    return f"{paper.slot}/{copy.started}/{question_id}"


def feedback_of(copy: Held, question: Question) -> Feedback | None:
    """What there is to say about the last answer; the same after a reload."""
    if copy.said is not None and copy.said[0] == question.id:
        return copy.said[1]
    tries = copy.progress.entry(question).tries
    return check(question, tries[-1].answer) if tries else None


def _question(paper: Paper, copy: Held, questions: tuple[Question, ...], question: Question) -> None:
    """The question in hand with everything that belongs to it."""
    entry = copy.progress.entry(question)
    number = questions.index(question) + 1
    with st.container(key="practice_head", horizontal=True, vertical_alignment="center"):
        many = f" of {len(questions):,}" if not paper.endless else ""
        st.header(f"Question {number:,}{many} · {question.group.label}", anchor=False)
        with st.container(horizontal=True, width="content", gap="xsmall"):
            first, last = number == 1, number == len(questions)
            st.button("Previous", key="practice_previous", disabled=first, on_click=_note, args=("step", -1))
            st.button("Next", key="practice_following", disabled=last, on_click=_note, args=("step", 1))
    feedback = feedback_of(copy, question)
    cutting = question.kind is Kind.SPLIT and not copy.typing
    answer_field(
        question,
        name=_name(paper, copy, question.id),
        value=_value(question, entry),
        options=ordered_options(question, copy.progress.seed) if question.kind is Kind.CHOICE else (),
        looks=option_looks(question, entry),
        locked=entry.done,
        typed=not cutting,
        moved=copy.moved,
        on_draft=_on_draft,
        on_enter=_on_enter,
    )
    if cutting:
        _cutting(paper, copy, question)
    _buttons(paper, copy, questions, question)
    say(verdict_parts(question, entry, feedback), key="practice_verdict", lines=1)
    say(hint_parts(question, entry), key="practice_hints")
    if entry.done:
        if feedback is not None and feedback.cuts is not None and not feedback.right:
            say(replay_parts(feedback.cuts), key="practice_replay", live=False)
        say(other_answers_parts(question), key="practice_others", live=False)


def _value(question: Question, entry: Entry) -> str | tuple[str, ...]:
    """What stands in the field: the draft, or the answer that was right."""
    kept = entry.tries[-1].answer if entry.right else entry.draft
    if question.kind is Kind.CHOICE:
        return tuple(str(key) for key in kept) if isinstance(kept, tuple) else (kept,) if kept else ()
    return kept if isinstance(kept, str) else ""


def _cutting(paper: Paper, copy: Held, question: Question) -> None:
    """The text to cut as tiles with a switch between every two; once done, the right split."""
    figure = question.answers[0]
    if figure.inputs is None:
        return
    entry = copy.progress.entry(question)
    split = next((value for value in question.answer_values if isinstance(value, Split)), None)
    if entry.done and split is not None:
        right = [[piece.token for piece in split.pieces]]
        tiles(right, key="practice_split", label="The right split", pick="none", close=True)
        return
    units = base_units(trained(figure.inputs, figure.k).tokenizer(figure.k), figure.new)
    kept = entry.draft
    cuts = {cut - 1 for cut in kept if isinstance(cut, int)} if isinstance(kept, tuple) else set()
    cut_tiles(
        units,
        key=_CUT_KEY,
        label="Set the cuts between the letters",
        cuts=cuts,
        name=_name(paper, copy, question.id),
    )


def _buttons(paper: Paper, copy: Held, questions: tuple[Question, ...], question: Question) -> None:
    """Check and what goes with it. Check stays the same button all the time, so that the focus stays."""
    entry = copy.progress.entry(question)
    with st.container(key="practice_buttons", horizontal=True, vertical_alignment="center"):
        st.button("Check", key="practice_check", type="primary", on_click=_note, args=("check",))
        if entry.done:
            if copy.progress.next_open(questions) is not None:
                st.button(
                    "Next question", key="practice_next", type="primary", on_click=_note, args=("next",)
                )
        else:
            if question.hints and entry.hints < len(question.hints):
                label = (
                    "Hint" if len(question.hints) == 1 else f"Hint {entry.hints + 1} of {len(question.hints)}"
                )
                st.button(label, key="practice_hint", on_click=_note, args=("hint",),
                          help="A hint costs nothing.")  # fmt: skip
            st.button("Skip", key="practice_skip", on_click=_note, args=("skip",),
                      help="Go on; skipped questions come back at the end.")  # fmt: skip
            if entry.tries:
                st.button("Show the answer", key="practice_reveal", on_click=_note, args=("reveal",),
                          help="The question then counts as not answered.")  # fmt: skip
        if question.kind is Kind.SPLIT and not entry.done:
            label = "Cut with the mouse or keys" if copy.typing else "Type the split instead"
            st.button(label, key="practice_typing", type="tertiary", on_click=_note, args=("typing",))
        if question.lab is not None and st.button(
            "Open in the lab", key="practice_lab", type="tertiary", help="The Train page at this very state."
        ):
            excursion.set_out(
                question.lab, page=paper.page, label=f"question {questions.index(question) + 1:,}"
            )
            labs.go("train.py")


# --- beside the question --------------------------------------------------------------------------------


def _beside(
    paper: Paper, copy: Held, questions: tuple[Question, ...], question: Question, heard: Heard
) -> None:
    """The score, the map, and the files."""
    score = copy.progress.score(questions)
    say([strong(score.sentence)], key="practice_score", live=False)
    st.progress(score.right / score.total if score.total else 0.0)
    question_map(
        questions, copy.progress, here=question.id, grouped=paper.grouped, on_go=lambda: _note("go", went())
    )
    if paper.endless and copy.length < LONGEST:
        st.button(f"{STEP} more questions", key="practice_more", on_click=_note, args=("more",))
    if copy.progress.next_open(questions) is None:
        note(_finished(paper, copy, questions))
    browser_keeps(heard)
    files(paper, copy, questions)


def _finished(paper: Paper, copy: Held, questions: tuple[Question, ...]) -> str:
    score = copy.progress.score(questions)
    return f"Nothing is left to do here. {score.sentence}"


def browser_keeps(heard: Heard) -> None:
    """Say it when this browser keeps nothing."""
    if heard.answered and not heard.works:
        note("This browser keeps nothing of your progress: save it as a file before you leave.", "warn")


def announce(sentence: str) -> None:
    """Show a plain sentence at the top, until the learner does something."""
    st.session_state["practice_notice"] = sentence
