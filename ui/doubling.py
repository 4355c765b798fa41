"""The same corpus twice over, and back: what more text does to the cheapest number of merges.

    buttons(lab)             "Double the text" and, where it was doubled here, "Undo doubling"
    before_doubling(lab)     the lab this one was made from, or None

Not here: what doubling did (`bits_words.doubled`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from bpe_core.corpus import COUNT_LIMIT

from . import lab as labs
from .links import TEXT_LIMIT, Lab

_STORE = "doubled_from"


@dataclass(frozen=True, slots=True)
class Doubled:
    """The lab with its corpus twice over, or the sentence that says why there is none."""

    lab: Lab | None
    reason: str | None = None


def doubled(lab: Lab) -> Doubled:
    """The corpus twice: a text with a space between where it has no white space there, or doubled counts.

    >>> doubled(labs.lab_of(labs.PRESETS["low"])).lab.text
    'low lower lowest low lower lowest'
    """
    if lab.locked:
        return Doubled(None, "The training text of this lab is locked.")
    if lab.word_counts is not None:
        counts = tuple((word, 2 * count) for word, count in lab.word_counts)
        if any(count > COUNT_LIMIT for _, count in counts):
            return Doubled(None, f"A count may be {COUNT_LIMIT:,} at most.")
        return Doubled(replace(lab, preset=None, word_counts=counts)) if counts else Doubled(None, _EMPTY)
    text = lab.text or ""
    if not text:
        return Doubled(None, _EMPTY)
    between = "" if text[-1].isspace() or text[0].isspace() else " "
    twice = text + between + text
    # Two bytes a character at the least are looked at only where that could matter.
    if len(twice) > TEXT_LIMIT or len(twice.encode("utf-8", "replace")) > TEXT_LIMIT:
        return Doubled(None, f"Twice this text would be more than {TEXT_LIMIT:,} bytes.")
    return Doubled(replace(lab, preset=None, text=twice))


_EMPTY = "There is no text to double."


def buttons(lab: Lab) -> None:
    """Draw both buttons; the first is disabled with its reason where the corpus cannot be doubled."""
    twice = doubled(lab)
    st.button(
        "Double the text", key="double", on_click=_double, disabled=twice.lab is None, help=twice.reason
    )
    if before_doubling(lab) is not None:
        st.button("Undo doubling", key="undo_double", on_click=_undo)


def before_doubling(lab: Lab) -> Lab | None:
    """The lab that "Double the text" made this one from, or None."""
    before = st.session_state.get(_STORE, [])
    return before[-1][1] if before and before[-1][0] == lab.training_key else None


def _double() -> None:
    lab = labs.current()
    twice = doubled(lab).lab
    if twice is not None:
        st.session_state[_STORE] = [
            *st.session_state.get(_STORE, []),
            (twice.training_key, lab),
        ]
        labs.update(preset=None, text=twice.text, word_counts=twice.word_counts, k=lab.k)


def _undo() -> None:
    before = st.session_state.get(_STORE, [])
    if before:
        labs.open_lab(before[-1][1])
        st.session_state[_STORE] = before[:-1]
