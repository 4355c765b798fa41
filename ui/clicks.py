"""A button of which every click counts, however fast they come.

Streamlit folds clicks that arrive during one run of the page into one. Here the browser counts as well, and
after a burst reports how many clicks there were in all; what is missing is made up for.

    counted_button("Next merge", key="next", on_clicks=lambda n: update(k=lab.k + n))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from .parts import component

_counter = component("clicks", css=False)

#: More missing clicks than this in one report are not believed.
_BELIEVABLE = 200


def counted_button(label: str, *, key: str, on_clicks: Callable[[int], None], **button: Any) -> None:
    """Draw the button; ``on_clicks`` is called, before the page is drawn, with the number of clicks."""
    applied = f"{key}_applied"
    st.session_state.setdefault(applied, 0)

    def clicked() -> None:
        st.session_state[applied] += 1
        on_clicks(1)

    def reported() -> None:
        total = (st.session_state.get(f"clicks_{key}") or {}).get("total")
        missing = total - st.session_state[applied] if type(total) is int else 0
        if 0 < missing <= _BELIEVABLE:
            st.session_state[applied] += missing
            on_clicks(missing)

    st.button(label, key=key, on_click=clicked, **button)
    _counter(
        key=f"clicks_{key}",
        data={"button": key, "applied": st.session_state[applied]},
        on_total_change=reported,
    )
