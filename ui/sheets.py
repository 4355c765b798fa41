"""A teacher's sheet on the Quiz page: from a link or from a file, with its title and its lab.

    open_linked()             at the start of the page: take the sheet of a link that is news
    paper = sheet_paper()     draws title, lab and opener; the paper to work through, or None

The file's text stays in this session only; a reload opens the link again, and for a longer sheet asks for the
file again (the answers are in the browser).

Not here: packing a sheet into a link (`sheet_links`), reading it (``quiz.sheet``).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from bpe_core.errors import BPEError
from bpe_core.text import decode_file
from quiz.errors import SheetError
from quiz.progress import Progress
from quiz.sheet import FILE_LIMIT, Sheet, read_sheet

from . import excursion
from . import lab as labs
from .notes import note
from .paper import Paper
from .say import say, strong
from .sheet_links import PARAMETER, from_param, to_param

_KEY = "sheet_open"
_FAULTS = "sheet_faults"
_SEEN = "sheet_seen"
#: Problems of a file that are written out; the rest is counted.
PROBLEMS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Opened:
    """A sheet that is open: as read, and as the value of a link (None: too long for one)."""

    sheet: Sheet
    param: str | None


class _State(NamedTuple):
    query: dict[str, str]


def open_linked() -> bool:
    """Open the sheet that the link holds, when the link is news; True when there was one to open."""
    value = st.query_params.get(PARAMETER)
    if value is None or value == st.session_state.get(_SEEN):
        return False
    st.session_state[_SEEN] = value
    try:
        open_text(from_param(value))
    except BPEError as error:
        st.session_state[_FAULTS] = [str(error)]
    return True


def open_text(text: str) -> None:
    """Open a sheet; one with problems is not opened and its problems are shown."""
    try:
        st.session_state[_KEY] = Opened(read_sheet(text), to_param(text))
        st.session_state[_FAULTS] = []
    except SheetError as error:
        st.session_state[_FAULTS] = ["This sheet cannot be opened:", *problem_sentences(error)]


def problem_sentences(error: SheetError) -> list[str]:
    """The problems of a sheet, each with its line; a long list is cut and counted."""
    sentences = [problem.sentence for problem in error.problems]
    rest = len(sentences) - PROBLEMS_SHOWN
    return sentences[:PROBLEMS_SHOWN] + ([f"… and {rest:,} more."] if rest > 0 else [])


def lab_query(sheet: Sheet) -> dict[str, str] | None:
    """The link parameters of the sheet's lab, locked where the sheet says so; None without a corpus."""
    if sheet.inputs is None:
        return None
    return sheet.inputs.query() | ({"locked": "1"} if sheet.locked else {})


def sheet_paper(address: Mapping[str, str | None]) -> Paper | None:
    """Draw what stands above the questions, and give the paper.

    ``address`` are the page's other parameters.
    """
    opened: Opened | None = st.session_state.get(_KEY)
    note(st.session_state.get(_FAULTS, []), "warn")
    with st.container(key="sheet_head", horizontal=True, vertical_alignment="center"):
        if opened is not None:
            count = len(opened.sheet.questions)
            number = "1 question" if count == 1 else f"{count:,} questions"
            say([strong(opened.sheet.title), f" · {number}"], key="sheet_title", live=False)
            query = lab_query(opened.sheet)
            if query is not None and st.button("Open the sheet's lab", key="sheet_lab", type="tertiary"):
                excursion.set_out(_State(query), page="quiz.py", label="the sheet")
                labs.go("train.py")
        with st.popover("Open a sheet"):
            st.caption("The file your teacher gave you, ending in .toml.")
            st.file_uploader(
                "Sheet",
                key="sheet_file",
                on_change=_uploaded,
                label_visibility="collapsed",
                type=["toml", "txt"],
            )
    if opened is None:
        note(
            "No sheet is open. Use the link your teacher sent, or open the file. Your answers stay in this "
            "browser, so that you can open the same sheet again and go on.",
            "empty",
        )
        return None
    seed = st.session_state.setdefault("sheet_options_seed", secrets.randbelow(2**31))
    sheet = opened.sheet
    return Paper(
        sheet.key,
        Progress(sheet.key, seed),
        lambda _: sheet.questions,
        "quiz.py",
        f"sheet-{sheet.key}",
        address={**address, PARAMETER: opened.param},
    )


def _uploaded() -> None:
    upload = st.session_state.get("sheet_file")
    if upload is None:
        return
    try:
        open_text(decode_file(upload.getvalue(), upload.name, 4 * FILE_LIMIT).text)
    except BPEError as error:
        st.session_state[_FAULTS] = [str(error)]
