"""A paper: a set of questions that one learner works through, and where they are in it.

``Paper`` says what is asked; ``Held`` is one learner's copy: the progress, the question in hand, how many
questions of an endless paper are open. Held is a value; the session holds the latest one, the browser keeps
it as text (``to_text``, ``taken``). Two tabs of one browser are merged question by question: what was done
in either stays done.

Not here: drawing (``practice``), the browser's storage (``kept``), scores and files (``quiz.progress``).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic

import streamlit as st

from quiz.checking import Feedback
from quiz.errors import ProgressFileError
from quiz.progress import Entry, Progress
from quiz.questions import Question

FORMAT = "bpe-practice"
#: An endless paper opens this many questions at a time, up to LONGEST.
STEP = 10
LONGEST = 500
#: A longer pause than this, in seconds, is not counted as work on a question.
PAUSE = 600


@dataclass(frozen=True, slots=True)
class Paper:
    """What is asked.

    ``slot``       the name under which the browser keeps it; one learner has one copy for each
    ``start``      the progress of a learner who begins (sheet, seed, level)
    ``questions``  the first n questions; a paper that is not endless gives all of them for any n
    ``page``       the page's file, for the way back from the lab
    ``grouped``    whether the map has the headings of the groups
    ``name``       what the files are called: ``bpe-results-<name>.csv``
    ``address``    the page's own parameters in the address bar; None leaves them alone
    """

    slot: str
    start: Progress
    questions: Callable[[int], tuple[Question, ...]]
    page: str
    name: str
    grouped: bool = False
    endless: bool = False
    address: Mapping[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """One learner's copy of a paper.

    ``place`` is the id of the question in hand, ``started`` changes when the paper is begun anew. The rest
    lives in this session only: ``said`` is feedback that is no try (question id, feedback), ``moved`` counts
    how often the learner went to another question, ``since`` is when the clock for the question started,
    ``typing`` whether a split is typed and not cut.
    """

    progress: Progress
    started: str
    place: str = ""
    length: int = STEP
    said: tuple[str, Feedback] | None = None
    moved: int = 0
    since: float = field(default_factory=monotonic)
    typing: bool = False

    def seconds(self) -> int:
        """Seconds on this question since the clock started, long pauses cut."""
        return round(min(monotonic() - self.since, PAUSE))


def begun(start: Progress) -> Held:
    """A fresh copy."""
    return Held(start, secrets.token_hex(4))


def held(paper: Paper) -> Held:
    """The copy of this session, fresh if there is none."""
    key = f"practice:{paper.slot}"
    if key not in st.session_state:
        st.session_state[key] = begun(paper.start)
    copy: Held = st.session_state[key]
    return copy


def hold(paper: Paper, copy: Held) -> Held:
    """Make this the session's copy."""
    st.session_state[f"practice:{paper.slot}"] = copy
    return copy


# --- text for the browser ------------------------------------------------------------------------


def to_text(copy: Held) -> str:
    """What the browser keeps."""
    return json.dumps(
        {
            "format": FORMAT,
            "version": 1,
            "started": copy.started,
            "place": copy.place,
            "length": copy.length,
            "progress": copy.progress.to_json(),
        }
    )


def from_text(text: str, paper: Paper) -> Held:
    """The copy in a kept text. Raises ProgressFileError when it is damaged or of another paper.

    >>> paper = Paper("quiz", Progress(), lambda n: (), "quiz.py", "quiz")
    >>> copy = begun(paper.start)
    >>> from_text(to_text(copy), paper).started == copy.started
    True
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        raise ProgressFileError("What this browser has kept is not JSON.") from None
    fine = isinstance(record, dict) and record.get("format") == FORMAT and record.get("version") == 1
    kept = record.get("progress") if fine else None
    if not isinstance(kept, str):
        raise ProgressFileError("What this browser has kept is not progress of this page.")
    progress = Progress.from_json(kept)
    if not of_this_paper(progress, paper):
        raise ProgressFileError("What this browser has kept belongs to another set of questions.")
    started, place, length = record.get("started"), record.get("place"), record.get("length")
    return Held(
        progress,
        started[:40] if isinstance(started, str) and started else secrets.token_hex(4),
        place[:100] if isinstance(place, str) else "",
        min(max(length, STEP), LONGEST) if type(length) is int else STEP,
    )


def of_this_paper(progress: Progress, paper: Paper) -> bool:
    """Whether progress belongs to this paper. The fixed seed of a made sheet counts; the quiz has none."""
    same_sheet = progress.sheet == paper.start.sheet
    return same_sheet and (
        not paper.endless or (progress.seed, progress.level) == (paper.start.seed, paper.start.level)
    )


def taken(mine: Held, found: Held) -> Held:
    """What this session goes on with when the browser has another copy.

    A copy that was begun at another time replaces this one; otherwise the two are put together question by
    question, and the place stays.
    """
    if mine.started != found.started:
        return replace(found, moved=mine.moved)
    entries = dict(mine.progress.entries)
    for key, entry in found.progress.entries.items():
        own = entries.get(key)
        if own is None or _further(entry) > _further(own):
            entries[key] = entry
    name = mine.progress.name or found.progress.name
    progress = replace(mine.progress, name=name, entries=entries)
    return replace(mine, progress=progress, length=max(mine.length, found.length))


def _further(entry: Entry) -> tuple[bool, bool, int, int, bool]:
    return (entry.right, entry.revealed, len(entry.tries), entry.hints, entry.skipped)


# --- moving about --------------------------------------------------------------------------------


def question_in_hand(copy: Held, questions: tuple[Question, ...]) -> Question:
    """The question in hand: the one last looked at, else the first not done, else the first."""
    for question in questions:
        if question.id == copy.place:
            return question
    return copy.progress.next_open(questions) or questions[0]


def went_to(copy: Held, place: str) -> Held:
    """The copy after going to a question: the clock starts again."""
    return replace(copy, place=place, said=None, moved=copy.moved + 1, since=monotonic())
