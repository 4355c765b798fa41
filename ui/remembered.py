"""What was computed for this session, kept so that a rerun in which it has not changed computes nothing.

    rows = remembered("ranked", (lab.training_key, lab.k), lambda: trainer.ranked_pairs(lab.k, 500))

Kept under a name, the last results for different keys. Not here: what is worth keeping (the callers).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

_T = TypeVar("_T")


def remembered(name: str, key: object, make: Callable[[], _T], keep: int = 1) -> _T:
    """What ``make`` gave for this ``key``; the ``keep`` results used last are kept for a ``name``.

    Keys are compared, not hashed: a key holds the whole training text, which equals itself at once, while the
    hash of a long table of word counts would be added up anew on every run.
    """
    held: list[tuple[object, _T]] = st.session_state.setdefault(_slot(name), [])
    for place, (known, value) in enumerate(held):
        if known == key:
            held.append(held.pop(place))
            return value
    value = make()
    held.append((key, value))
    del held[:-keep]
    return value


def is_remembered(name: str, key: object) -> bool:
    """Whether ``remembered`` would have it at hand."""
    return any(known == key for known, _ in st.session_state.get(_slot(name), []))


def _slot(name: str) -> str:
    return f"made_{name}"
