"""The few rules of CSS that Streamlit's theme does not offer; the rest is in `.streamlit/config.toml`.

Not here: the tiles' own style (`assets/tiles.css`), which lives inside their component.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_CSS = (Path(__file__).parent / "assets" / "page.css").read_text(encoding="utf-8")


def apply() -> None:
    """Add the rules to the page. Called once per run, by the shell."""
    st.html(f"<style>{_CSS}</style>")
