"""Components from `assets/`: a script and a style each, registered once when their module is imported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

_FOLDER = Path(__file__).parent / "assets"


def read(name: str) -> str:
    """The text of one asset."""
    return (_FOLDER / name).read_text(encoding="utf-8")


def component(name: str, *, css: bool = True, html: str | None = None) -> Callable[..., Any]:
    """Register the component whose script is `assets/<name>.js` (and style `assets/<name>.css`)."""
    return st.components.v2.component(
        f"bpe_{name}", html=html, js=read(f"{name}.js"), css=read(f"{name}.css") if css else None
    )
