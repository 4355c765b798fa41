"""A button of which every click counts, however fast they come.

Streamlit folds clicks (and uses of a shortcut) that arrive during one run of the page into one. Here the
browser counts as well, and after a burst reports how many clicks there were in all; what is missing is made
up for.

    counted_button("Next merge", key="next", on_clicks=lambda n: update(k=lab.k + n), row="steps")

``row`` is the key of the container the button stands in: a button there that is switched off while it has the
keyboard's focus hands it to one that is not.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from threading import Lock
from typing import Any

import streamlit as st

from .parts import component

_counter = component("clicks", css=False)

#: More missing clicks than this in one report are not believed.
_BELIEVABLE = 200


def counted_button(
    label: str, *, key: str, on_clicks: Callable[[int], None], row: str | None = None, **button: Any
) -> None:
    """Draw the button; ``on_clicks`` is called, before the page is drawn, with the number of clicks."""
    # A page can outlive its session: what it counted before does not count for the next one.
    count = st.session_state.setdefault(f"{key}_count", {"session": secrets.token_hex(4), "applied": 0})
    # Our settings let a session have one run at a time. A server that was started with others begins a second
    # one while the first may still be at its callback, and two steps from the same k would be one.
    lock: Lock = st.session_state.setdefault("clicks_lock", Lock())

    def clicked() -> None:
        with lock:
            on_clicks(1)
            count["applied"] += 1

    def reported() -> None:
        told = (st.session_state.get(f"clicks_{key}") or {}).get("counted") or {}
        total = told.get("total")
        if told.get("session") != count["session"] or type(total) is not int:
            return
        with lock:
            missing = total - count["applied"]
            if 0 < missing <= _BELIEVABLE:
                on_clicks(missing)
                count["applied"] += missing

    st.button(label, key=key, on_click=clicked, **button)
    _counter(
        key=f"clicks_{key}",
        data={
            "button": key,
            **count,
            "shortcut": (button.get("shortcut") or "").lower() or None,
            "row": row,
        },
        on_counted_change=reported,
    )
