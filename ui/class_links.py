"""Links for a class: addresses of pages with their parameters, and one seed for each student.

    address("quiz", {"seed": "7"})      "http://127.0.0.1:8501/quiz?seed=7"

Not here: what a lab's parameters are (`links`), a sheet's (`sheet_links`), a made sheet's (`made_links`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode, urlsplit

import pandas as pd
import streamlit as st

from .made_links import SEED_LIMIT

#: Pages that a lab can be opened on: address → name.
LAB_PAGES = {
    "": "Train",
    "split": "Split new text",
    "bytes": "Bytes",
    "sizes": "Sizes",
    "compression": "Compression",
    "compare": "Compare",
    "real": "Real tokenizer",
    "predict": "Predict the merge",
    "cut": "Cut the word",
}
#: Students in one list, and characters of a name.
STUDENTS_LIMIT = 500
NAME_LIMIT = 80


def root() -> str:
    """The address of the app, as this browser sees it, with a slash at its end."""
    try:
        parts = urlsplit(st.context.url or "")
    except ValueError:
        return "/"
    if not parts.netloc:
        return "/"
    return f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}/"


def address(page: str, query: Mapping[str, str | None] | str) -> str:
    """The whole link to a page; parameters that are None are left out.

    >>> address("quiz", {"seed": "7", "kind": None}), address("", "k=3"), address("cut", {})
    ('/quiz?seed=7', '/?k=3', '/cut')
    """
    if not isinstance(query, str):
        query = urlencode({name: value for name, value in query.items() if value is not None})
    return root() + page + (f"?{query}" if query else "")


def names_of(text: str) -> list[str]:
    """Students' names, one a line; empty lines and names that stand there twice are left out.

    >>> names_of(" Ada \\n\\nBen\\nAda")
    ['Ada', 'Ben']
    """
    found = dict.fromkeys(line.strip()[:NAME_LIMIT] for line in text.splitlines())
    return [name for name in found if name][:STUDENTS_LIMIT]


def seeds(first: int, count: int) -> list[int]:
    """One seed for each student, in a row from the first; past the largest it goes on from 0.

    >>> seeds(7, 3), seeds(SEED_LIMIT, 2)
    ([7, 8, 9], [999999, 0])
    """
    return [(first + place) % (SEED_LIMIT + 1) for place in range(count)]


def links_table(
    page: str, students: Sequence[str], params: Mapping[str, str | None], first: int
) -> pd.DataFrame:
    """One link a student, each with a seed of its own."""
    own = seeds(first, len(students))
    return pd.DataFrame(
        {
            "student": list(students),
            "sheet": own,
            "link": [address(page, {**params, "seed": str(seed)}) for seed in own],
        }
    )
