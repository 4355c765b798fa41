"""A multi-line text box that reports while the reader types. Put it in a fragment with what depends on it.

    text = live_text("New text", lab.new_text, key="new_text")
    if text != lab.new_text: update(new_text=text)

The browser waits for a short pause and never reports in the middle of an input-method composition. It keeps
the caret: the box is only written to when ``value`` differs from what it last reported. A text typed while
the server was away is reported to the session that comes after.
"""

from __future__ import annotations

import secrets
from typing import Any

import streamlit as st

from bpe_core.text import clean_text

from .parts import component

_box = component("live_text")


def live_text(
    label: str,
    value: str,
    *,
    key: str,
    rows: int = 2,
    limit: int = 20_000,
    placeholder: str = "",
    pause_ms: int = 120,
) -> str:
    """The text in the box now: clean (line endings, lone surrogates), at most ``limit`` characters.

    ``value`` is what the page believes is in the box; when it is not what the box last reported, the box is
    rewritten (a preset was chosen, a link opened).
    """
    state_key = f"{key}_state"
    state: dict[str, Any] = st.session_state.setdefault(
        state_key, {"revision": 0, "text": None, "given": None, "session": secrets.token_hex(4)}
    )
    if value != state["given"]:  # the page changed its mind; is that news to the box?
        if value != state["text"]:
            state["revision"] += 1
            state["text"] = value
        state["given"] = value

    def typed() -> None:
        told = (st.session_state.get(key) or {}).get("typed") or {}
        raw = told.get("text")
        if isinstance(raw, str) and told.get("session") == state["session"]:
            state["text"] = clean_text(raw[:limit]).text

    data = {
        "label": label,
        "value": state["text"],
        "revision": state["revision"],
        "session": state["session"],
        "rows": rows,
        "limit": limit,
        "placeholder": placeholder,
        "pause": pause_ms,
    }
    _box(key=key, data=data, on_typed_change=typed)
    text: str = state["text"]
    state["given"] = text  # the page knows it from here on: giving it back is no news, anything else is
    return text
