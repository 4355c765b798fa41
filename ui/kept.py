"""What a practice page keeps in this browser's own storage, so that a reload loses nothing. No server store.

    heard = recall("quiz")            before anything is drawn: what the browser has kept, once it answered
    keep("quiz", text)                at the end of the page: keep this text from now on

A *slot* is the name under which something is kept. On the first run of a session the browser has not
answered yet: draw the page as for a new learner, inside ``waiting(heard)``, which hides it for the moment
that takes. Another tab of the same browser that changes the slot is heard too.

Not here: what the text says (``paper``), the lab (``keep``).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from .parts import component

_keeper = component("kept", css=False)

_KEY = "practice_keeper"
_STATE = "practice_kept"
#: The longest text that is believed to come from our own storage.
TEXT_LIMIT = 2_000_000


@dataclass(frozen=True, slots=True)
class Heard:
    """What the browser said. ``news`` is True in the one run in which ``text`` is new; None: nothing kept.

    ``answered`` is False until the browser has spoken, ``works`` False when its storage is switched off.
    """

    answered: bool = False
    news: bool = False
    text: str | None = None
    works: bool = True


def _states() -> dict[str, dict[str, Any]]:
    """Per slot of this session: the question asked, and which answer was taken last."""
    states: dict[str, dict[str, Any]] = st.session_state.setdefault(_STATE, {})
    return states


def recall(slot: str) -> Heard:
    """What the browser keeps under ``slot``. Call once a run, before ``keep``."""
    state = _states().setdefault(
        slot, {"ask": secrets.token_hex(6), "times": None, "answered": False, "works": True}
    )
    found = (st.session_state.get(_KEY) or {}).get("found")
    if not isinstance(found, dict) or found.get("slot") != slot or found.get("ask") != state["ask"]:
        return Heard(state["answered"], works=state["works"])
    if found.get("times") == state["times"]:
        return Heard(state["answered"], works=state["works"])
    text = found.get("text")
    state |= {"times": found.get("times"), "answered": True, "works": found.get("works") is not False}
    fits = isinstance(text, str) and len(text) <= TEXT_LIMIT
    return Heard(True, True, text if fits else None, state["works"])


def keep(slot: str, text: str, address: Mapping[str, str | None] | None = None) -> None:
    """Keep ``text`` under ``slot``; call it once a run, also on the runs before the browser has answered.

    ``address`` are the page's own parameters in the address bar (None takes one away).
    """
    state = _states()[slot]
    data = {
        "slot": slot,
        "ask": state["ask"],
        "text": text if state["answered"] else None,
        "address": dict(address) if address is not None else None,
    }
    if address is not None and any(st.query_params.get(name) != value for name, value in address.items()):
        data["again"] = secrets.token_hex(4)  # as in `keep`: a page switch may have left a bare address
    _keeper(key=_KEY, data=data, on_found_change=_nothing)


def waiting(heard: Heard) -> Any:
    """The container to draw in: hidden for a moment while the browser has not answered."""
    return st.container(key="practice" if heard.answered else "practice_waiting")


def _nothing() -> None:
    """The answer is read by ``recall``; nothing happens in the callback."""
