"""Plain sentences on the page: notices, hints, empty states. Text is data here, never markdown or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal

import streamlit as st


def note(text: str | Sequence[str], kind: Literal["note", "warn", "empty"] = "note") -> None:
    """Show sentences in a quiet box: ``note`` (information), ``warn`` (something needs the reader),
    ``empty``.

    The text may hold anything a user typed.
    """
    sentences = [text] if isinstance(text, str) else list(text)
    if not sentences:
        return
    word = {"note": "Note", "warn": "Please check", "empty": "Nothing here"}[kind]
    body = "".join(f"<p><bdi>{escape(sentence)}</bdi></p>" for sentence in sentences)
    st.html(f'<div class="bpe-note bpe-{kind}" role="note" aria-label="{word}">{body}</div>')
