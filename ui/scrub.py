"""A slider over k that follows the lab and only ever reports what the reader did with it.

Streamlit's own slider sends its last value with every click anywhere; when clicks come faster than the page
is drawn, that old value would take k back. Here the value goes one way and the reader's moves the other.

    scrub("k = {} of 22", 3, 22, key="k", on_move=lambda k: update(k=k), says="{} merges made")
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from .parts import component

_scrub = component("scrub")


def scrub(
    label: str,
    value: int,
    maximum: int,
    *,
    key: str,
    on_move: Callable[[int], None],
    end: str = "",
    says: str = "{}",
    live: bool = True,
) -> None:
    """Draw the slider from 0 to ``maximum`` (0: there is nothing to move, it is disabled).

    ``on_move`` is called before the page is drawn with a number inside the range: while the thumb is dragged,
    or with ``live=False`` when it is let go. ``end`` is a quiet remark at the right end; ``says`` is what a
    screen reader says. ``{}`` in ``label`` and ``says`` stands for the number under the thumb.
    """

    def moved() -> None:
        wanted = (st.session_state.get(key) or {}).get("moved")
        if type(wanted) is int and 0 <= wanted <= maximum:
            on_move(wanted)

    data = {"label": label, "value": value, "maximum": maximum, "end": end, "says": says, "live": live}
    _scrub(key=key, data=data, on_moved_change=moved)
