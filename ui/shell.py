"""Navigation and the frame around every page. This is the script Streamlit runs on every visit and click.

A page is one line in PAGES and one file in `pages/`. Nothing here knows what a page shows.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from ui import excursion, keep, lab, style  # noqa: E402


class PageEntry(NamedTuple):
    """One page: its section, its file in `pages/`, its title and its address (empty: the first page)."""

    section: str
    file: str
    title: str
    address: str


SIDEBAR = 216  # pixels
# In the page itself: as a file Streamlit forgets it for a moment when one run gives way to the next.
ICON = "data:image/png;base64," + b64encode((ROOT / "ui" / "assets" / "icon.png").read_bytes()).decode()
#: Every page, in the order of the navigation.
PAGES: tuple[PageEntry, ...] = (
    PageEntry("Learn", "train.py", "Train", ""),
    PageEntry("Learn", "split.py", "Split new text", "split"),
    PageEntry("Look closer", "bytes.py", "Bytes", "bytes"),
    PageEntry("Look closer", "sizes.py", "Sizes", "sizes"),
    PageEntry("Look closer", "compression.py", "Compression", "compression"),
    PageEntry("Look closer", "compare.py", "Compare", "compare"),
    PageEntry("Look closer", "real.py", "Real tokenizer", "real"),
    PageEntry("Practise", "quiz.py", "Quiz", "quiz"),
    PageEntry("Practise", "predict.py", "Predict the merge", "predict"),
    PageEntry("Practise", "cut.py", "Cut the word", "cut"),
    PageEntry("Practise", "teach.py", "For teachers", "teach"),
)


def sections() -> dict[str, list[st.Page]]:  # type: ignore[valid-type]
    """The navigation as Streamlit wants it: section → pages, only those whose file is there."""
    found: dict[str, list[st.Page]] = {}  # type: ignore[valid-type]
    for entry in PAGES:
        path = ROOT / "pages" / entry.file
        if path.exists():
            page = st.Page(path, title=entry.title, url_path=entry.address or None, default=not entry.address)
            found.setdefault(entry.section, []).append(page)
    return found


def navigation(found: dict[str, list[st.Page]]) -> None:  # type: ignore[valid-type]
    """Our own list of links: Streamlit's puts headings among list items, and screen readers stumble."""
    with st.sidebar:
        for section, pages in found.items():
            with st.container(gap="xxsmall"):
                st.html(f'<p class="bpe-section">{section}</p>')
                for page in pages:
                    st.page_link(page)


def main() -> None:
    """Draw the frame and run the page that the address names."""
    st.set_page_config(page_icon=ICON, layout="wide", initial_sidebar_state=SIDEBAR)
    style.apply()
    found = sections()
    page = st.navigation(found, position="hidden")
    if not st.context.is_embedded:
        navigation(found)
    lab.load()
    excursion.way_back(page.url_path)
    page.run()
    keep.keep_lab(page.url_path)


main()
