"""Small pieces for tables and menus: a menu over what changes with the lab, a table's height, its figures.

Options and cells are plain text.
"""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st


def pick(label: str, names: dict[Any, str], key: str, about: object, default: Any = None) -> Any:
    """A menu over the keys of ``names``; starts again when ``about`` changes or its choice is gone."""
    options = list(names)
    if st.session_state.get(f"{key}_about") != about or st.session_state.get(key) not in names:
        st.session_state[f"{key}_about"] = about
        st.session_state[key] = options[0] if default is None else default
    return st.selectbox(label, options, format_func=names.__getitem__, key=key)


def table_height(rows: int, most: int = 8) -> int:
    """The height of a table that shows up to ``most`` rows without scrolling, in pixels."""
    return 35 * (min(rows, most) + 1) + 3


def number(title: str | None = None, *, width: Literal["small"] | None = "small") -> Any:
    """A table column of whole numbers, under its own name or ``title``."""
    return st.column_config.NumberColumn(title, format="localized", width=width)
