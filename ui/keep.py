"""What lets the lab survive a reload and a reconnect: the address bar, and for long texts the tab's storage.

A small component (no look of its own) writes the lab's link into the address bar, once for a burst of
changes. It replaces the history entry, so that Back still leaves the page. A reload opens the same link.
A lab too long for a link leaves a short id in the address and its text in the tab's session storage; on
reload the component hands it back. Nothing is stored on the server.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from bpe_core.errors import BPEError

from . import lab as labs
from .links import LAB_PARAMETERS, Lab, content_id, from_file, link, stored_link, to_file
from .parts import component
from .remembered import remembered

_keeper = component("keep", css=False)

_KEY = "lab_keeper"
_SESSION = "lab_session"


def keep_lab(page: str = "") -> None:
    """Mount the keeper. Called once per run by the shell, after the page with the address ``page``.

    A page switch leaves a bare address behind, so it counts as a change even where the lab has none.
    """
    lab: Lab = st.session_state["lab"]
    wanted = st.session_state.get("lab_stored")
    query, stored = address(lab)
    state: dict[str, Any] = st.session_state.get(_KEY) or {}
    if wanted:  # a reload of a long lab: ask this tab for the text before anything is written over it
        data: dict[str, Any] = {"ask": wanted, "query": None}
    else:
        data = {"ask": None, "query": query, "owned": list(LAB_PARAMETERS), "page": page}
        shown = {name: st.query_params[name] for name in LAB_PARAMETERS if name in st.query_params}
        if shown != dict(parse_qsl(query, keep_blank_values=True)):
            # Also where the component was told the same before: a page switch that another one overtook has
            # left a bare address behind without a run that could have said so.
            data["again"] = secrets.token_hex(4)
    data["session"] = st.session_state.setdefault(_SESSION, secrets.token_hex(8))
    if not wanted and stored is not None and state.get("kept") != stored:
        data |= {"id": stored, "lab": to_file(lab)}
    _keeper(
        key=_KEY,
        data=data,
        on_kept_change=_nothing,
        on_found_change=_found,
        on_address_change=_reconnected,
        on_back_change=_nothing,
    )


def address(lab: Lab) -> tuple[str, str | None]:
    """What the address bar should hold, and the id of the browser-kept copy when the link would be too
    long."""
    short = link(lab)
    if short is not None:
        return short, None
    # A step changes k alone: two megabytes need not be read again to find out that they are the same.
    stored = remembered("kept_id", (lab.text, lab.word_counts, lab.new_text), lambda: content_id(lab))
    return stored_link(lab, stored), stored


def _nothing() -> None:
    """The browser has stored the text, or is back after a break; there is nothing more to do."""


def _reconnected() -> None:
    """The page outlived its session: what its address says is newer than what the new session opened."""
    told = (st.session_state.get(_KEY) or {}).get("address") or {}
    if told.get("session") == st.session_state.get(_SESSION) and isinstance(told.get("query"), str):
        labs.load(dict(parse_qsl(told["query"], keep_blank_values=True)))


def _found() -> None:
    """The tab answered: open the lab it kept, or say that it has none."""
    answer = (st.session_state.get(_KEY) or {}).get("found") or {}
    if answer.get("id") != st.session_state.get("lab_stored"):
        return  # an answer to a session that is gone
    st.session_state.pop("lab_stored", None)
    text = answer.get("lab")
    if isinstance(text, str):
        try:
            lab, notices = from_file(text)
        except BPEError as error:
            labs.open_lab(labs.current(), [str(error)])
            return
        before: Lab = st.session_state["lab"]
        labs.open_lab(
            replace(before, preset=None, text=lab.text, word_counts=lab.word_counts, new_text=lab.new_text),
            notices,
        )
    else:
        labs.open_lab(
            labs.current(),
            [
                "This link is to a training text too long for a link, kept only in the browser tab that "
                "made it. Ask for the lab as a file and open it here."
            ],
        )
