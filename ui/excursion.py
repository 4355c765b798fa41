"""From a question to the lab and back: the lab opens at the question's state, the learner's own is kept.

    set_out(question.lab, page="quiz.py", label="question 5")     then labs.go("train.py")
    way_back("split")                                             by the shell, on every page

Coming home, by the button or by the navigation, gives the learner's own lab back, unless they have chosen
another corpus or other settings on the way: then that is their own now.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from quiz.questions import Lab as QuestionLab

from . import lab as labs

_KEY = "excursion"


@dataclass(frozen=True, slots=True)
class Excursion:
    """Where the learner came from, and their own lab in the meantime."""

    page: str
    label: str
    opened: labs.Lab
    own: labs.Lab
    notices: tuple[str, ...]


def set_out(lab: QuestionLab, *, page: str, label: str) -> None:
    """Open the lab at the state of a question. The learner's own lab is put away."""
    away: Excursion | None = st.session_state.get(_KEY)
    own, notices = (away.own, away.notices) if away else (labs.current(), tuple(labs.notices()))
    opened, found = labs.from_query(lab.query)
    st.session_state[_KEY] = Excursion(page, label, opened, own, notices)
    labs.open_lab(opened, found)


def way_back(address: str) -> None:
    """The way back, while the learner is away from a question; ``address`` says on which page they are."""
    away: Excursion | None = st.session_state.get(_KEY)
    if away is None:
        return
    if address == away.page.removesuffix(".py"):
        del st.session_state[_KEY]
        if labs.current().training_key == away.opened.training_key:
            labs.open_lab(away.own, list(away.notices))
        return
    with st.container(key="way_back", horizontal=True, vertical_alignment="center"):
        if st.button(f"◂ Back to {away.label}", key="excursion_back"):
            labs.go(away.page)
        st.caption("The lab stands where the question asks. Your own training text comes back with you.")
