"""The files of a practice page: results to hand in, progress to save and open, and beginning again.

Nothing is stored on the server: a file is made when it is asked for, and an opened one is read and let go.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from bpe_core.errors import BPEError
from bpe_core.text import decode_file
from quiz.progress import FILE_LIMIT, NAME_LIMIT, Progress
from quiz.questions import Question
from quiz.results import Results, results_of, to_csv, to_json

from .downloads import download
from .lab import sync
from .paper import STEP, Held, Paper, begun, held, hold, of_this_paper

_NAME = "practice_name"
_FILE = "practice_file"


def files(paper: Paper, copy: Held, questions: tuple[Question, ...]) -> None:
    """The folded part with name, results, saved progress and a fresh start."""
    with st.expander("Hand in, save, start again"):
        st.text_input(
            "Your name, if you like",
            key=sync(_NAME, copy.progress.name),
            max_chars=NAME_LIMIT,
            on_change=_named,
            args=(paper,),
            help="It goes into the results file and nowhere else.",
        )
        zone = _zone()

        def results(progress: Progress = copy.progress) -> Results:
            saved = datetime.now(zone).isoformat(timespec="minutes")
            return results_of(progress, questions, saved[:16])

        with st.container(horizontal=True):
            download(
                "Results (CSV)",
                f"bpe-results-{paper.name}.csv",
                lambda: to_csv(results()),
                key="practice_csv",
            )
            download(
                "Results (JSON)",
                f"bpe-results-{paper.name}.json",
                lambda: to_json(results()),
                key="practice_json",
            )
            download(
                "Save progress", f"bpe-progress-{paper.name}.json", copy.progress.to_json, key="practice_save"
            )
        st.file_uploader("Open saved progress", type=["json"], key=_FILE, on_change=_opened, args=(paper,))
        with st.popover("Start again"):
            st.caption("All answers on this page are forgotten, here and in this browser.")
            st.button("Forget my answers", key="practice_forget", on_click=_forget, args=(paper,))


def _zone() -> ZoneInfo | None:
    """The reader's own time zone; the server's when it is not known."""
    try:
        return ZoneInfo(st.context.timezone) if st.context.timezone else None
    except (ValueError, OSError, KeyError):
        return None


def _named(paper: Paper) -> None:
    copy = held(paper)
    name = str(st.session_state[_NAME])[:NAME_LIMIT].strip()
    hold(paper, replace(copy, progress=replace(copy.progress, name=name)))


def _forget(paper: Paper) -> None:
    """A fresh copy in its place; what the browser has kept is overwritten."""
    st.session_state.pop("practice_notice", None)
    fresh = replace(paper.start, name=held(paper).progress.name)
    hold(paper, replace(begun(fresh), moved=held(paper).moved + 1))


def _opened(paper: Paper) -> None:
    """Go on from a file. A file that is damaged, or of another paper, changes nothing and is named."""
    upload = st.session_state.get(_FILE)
    if upload is None:
        return
    st.session_state.pop("practice_notice", None)
    try:
        progress = Progress.from_json(decode_file(upload.getvalue(), upload.name, FILE_LIMIT).text)
    except BPEError as error:
        st.session_state["practice_notice"] = str(error)
        return
    if of_this_paper(progress, paper):
        length = -(-max([STEP, *(n + 1 for n in map(_number, progress.entries))]) // STEP) * STEP
        hold(paper, replace(begun(progress), length=min(length, 500), moved=held(paper).moved + 1))
    else:
        st.session_state["practice_notice"] = _elsewhere(progress)


def _elsewhere(progress: Progress) -> str:
    if progress.sheet == "quiz":
        return "That file is progress on the fixed questions; go there and open it again."
    if progress.sheet.startswith("made"):
        return (
            f"That file is progress on made questions, sheet {progress.seed}, level {progress.level}; "
            "go to that sheet and open it again."
        )
    return "That file is progress on another set of questions; open that set first."


def _number(question_id: str) -> int:
    """The number of a made question, from 0, by its id; 0 for another kind of id."""
    tail = question_id.removesuffix("-own").rpartition("-")[2]
    return int(tail) if tail.isascii() and tail.isdigit() and len(tail) < 6 else 0
