"""Copying and downloading: the lab as a link or a file, and any figures a page wants to give away.

    copy_link(lab, key="copy")                              the link to this lab, or why there is none
    copy_address("seed=7", key="sheet")                     the link to this page with this query
    download("Table (CSV)", "merges.csv", make, key="csv")  ``make`` runs when the file is asked for

Not here: what the files hold (`links.to_file`, ``bpe_core.interchange``).
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from .links import LINK_LIMIT, Lab, link, to_file
from .notes import note
from .parts import component

_copy = component("copy")

_TYPES = {
    "csv": "text/csv",
    "json": "application/json",
    "txt": "text/plain",
    "tiktoken": "text/plain",
    "tsv": "text/tab-separated-values",
}


def copy_button(label: str, text: str, *, key: str) -> None:
    """A button that copies ``text`` and says so."""
    _copy(
        key=key,
        data={"label": label, "query": None, "text": text, "done": "Copied.", "failed": "Copy this:"},
        width="content",
    )


def copy_link(lab: Lab, *, key: str, label: str = "Copy link") -> None:
    """A button that copies the link to ``lab`` on this page; one too long for a link says what to do."""
    query = link(lab)
    if query is None:
        note(
            f"This lab is too long for a link ({LINK_LIMIT:,} characters at most). "
            "Save it as a file instead, and open the file here or send it."
        )
        return
    _copy(
        key=key,
        data={
            "label": label,
            "query": query,
            "text": "",
            "done": "Link copied.",
            "failed": "Copy this link:",
        },
        width="content",
    )


def copy_address(query: str, *, key: str, label: str = "Copy link") -> None:
    """A button that copies the link to this page with this query string, whatever it is for."""
    data = {"label": label, "query": query, "text": "", "done": "Link copied.", "failed": "Copy this link:"}
    _copy(key=key, data=data, width="content")


def save_lab(lab: Lab, *, key: str, label: str = "Save lab as a file") -> None:
    """A download of the whole lab, which "Open a file" takes back."""
    download(label, "bpe-lab.json", lambda: to_file(lab), key=key)


def download(label: str, name: str, make: Callable[[], str | bytes], *, key: str) -> None:
    """A download button; ``make`` gives the file's content and is only called when it is asked for."""
    kind = _TYPES.get(name.rsplit(".", 1)[-1], "application/octet-stream")
    st.download_button(label, data=make, file_name=name, mime=kind, key=key, on_click="ignore")
