"""The training text: the box, the presets, opening a file, and what the door or the pre-tokenizer changed.

    corpus_box(lab)      draws it; everything it does goes through ``ui.lab``

Not here: settings that do not belong to the corpus (the Train page has them).
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bpe_core.corpus import parse_word_counts
from bpe_core.errors import BPEError, TextError
from bpe_core.text import FILE_LIMIT, clean_text, decode_file

from . import lab as labs
from .links import TEXT_LIMIT, Lab, from_file, looks_like_a_lab
from .notes import note
from .presets import PRESETS
from .remembered import remembered
from .say import say

#: A longer text is not put into the box: the browser would crawl. Its start is shown instead.
BOX_LIMIT = 20_000

_PROBLEM = "corpus_problem"


def corpus_box(lab: Lab, *, height: int = 72) -> None:
    """The box with its presets, and sentences about what could not be taken as it was.

    In a locked lab the text can be read but not changed.
    """
    table = lab.word_counts is not None
    text = _as_text(lab)
    if len(text) > BOX_LIMIT:
        start = text[:400]
        st.text_area(
            f"Training text, {len(text):,} characters (its start)",
            key=labs.sync("corpus_start", start + " …"),
            height=height,
            disabled=True,
        )
        if not lab.locked:
            st.button("Replace it by a text of my own", key="corpus_replace", on_click=_start_empty)
    else:
        st.text_area(
            "Words and counts: one word, a tab and a count on each line" if table else "Training text",
            key=labs.sync("corpus_text", text),
            height=height,
            on_change=_typed,
            disabled=lab.locked,
            placeholder="Type or paste a text, then press Ctrl+Enter or click outside the box.",
        )
    if lab.locked:
        note(labs.LOCK_SENTENCE)
    else:
        _sources(lab)
    about = PRESETS[lab.preset].about if lab.preset else "Your own corpus, with the settings shown beside it."
    say([(about, "quiet")], key="corpus_about", live=False)
    problem = st.session_state.get(_PROBLEM)
    if problem:
        note(problem, "warn")
    if labs.notices():
        note(labs.notices(), "note")


def _sources(lab: Lab) -> None:
    with st.container(horizontal=True, key="corpus_sources", gap="small", vertical_alignment="center"):
        st.pills(
            "Examples",
            list(PRESETS),
            format_func=lambda name: PRESETS[name].label,
            key=labs.sync("corpus_preset", lab.preset),
            on_change=_preset,
            label_visibility="collapsed",
            width="content",
        )
        with st.popover("Open file"):
            _open_file(lab)


def _as_text(lab: Lab) -> str:
    table = lab.word_counts
    if table is None:
        return lab.text or ""
    return remembered("corpus_table", table, lambda: "\n".join(f"{word}\t{count}" for word, count in table))


def _accept(lab: Lab, found: list[str]) -> None:
    st.session_state[_PROBLEM] = None
    labs.open_lab(lab, found)


def _refuse(sentence: str) -> None:
    st.session_state[_PROBLEM] = sentence


def _own(text: str) -> Lab:
    """The lab with the learner's own text and the settings as they are."""
    return replace(labs.current(), preset=None, text=text, word_counts=None, k=0)


def _typed() -> None:
    if labs.stale("corpus_text"):
        return
    lab = labs.current()
    clean = clean_text(st.session_state["corpus_text"])
    found = [notice.sentence for notice in clean.notices]
    try:
        if lab.word_counts is not None:
            pairs = _added(parse_word_counts(clean.text))
            _accept(replace(lab, preset=None, word_counts=pairs, k=0), found)
            return
        if len(clean.text.encode("utf-8")) > TEXT_LIMIT:
            raise TextError(
                f"The text has {len(clean.text.encode('utf-8')):,} bytes; the box takes {TEXT_LIMIT:,}. "
                f"A file may have {FILE_LIMIT:,}: open it with the button below."
            )
        _accept(_own(clean.text), found)
    except BPEError as error:
        _refuse(f"{error} The corpus is still the one before.")


def _added(pairs: list[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for word, count in pairs:
        counts[word] = counts.get(word, 0) + count
    return tuple(counts.items())


def _preset() -> None:
    if labs.stale("corpus_preset"):
        return
    name = st.session_state["corpus_preset"]
    if name in PRESETS:
        _accept(labs.lab_of(PRESETS[name]), [])


def _start_empty() -> None:
    _accept(_own(""), [])


def _open_file(lab: Lab) -> None:
    st.text(
        f"A text (UTF-8, up to {FILE_LIMIT // 1_000_000} MB), a table of words and counts\n"
        "(.csv or .tsv), or a lab saved here (.json)."
    )
    st.file_uploader("File", key="corpus_file", on_change=_uploaded, label_visibility="collapsed")
    if lab.word_counts is None:
        st.button("Give words and counts instead of a text", key="corpus_counts", on_click=_start_table)
    else:
        st.button("Give a text instead of words and counts", key="corpus_as_text", on_click=_start_empty)


def _start_table() -> None:
    hop = PRESETS["hop"]
    _accept(replace(labs.current(), preset=None, text=None, word_counts=hop.word_counts, k=0), [])


def _uploaded() -> None:
    file = st.session_state.get("corpus_file")
    if file is None:
        return
    name: str = file.name
    try:
        clean = decode_file(file.getvalue(), name)
        found = [notice.sentence for notice in clean.notices]
        if name.lower().endswith((".csv", ".tsv")):
            pairs = _added(parse_word_counts(clean.text))
            _accept(replace(labs.current(), preset=None, text=None, word_counts=pairs, k=0), found)
        elif looks_like_a_lab(clean.text):
            lab, more = from_file(clean.text)
            _accept(lab, found + more)
        else:
            _accept(_own(clean.text), found)
    except BPEError as error:
        _refuse(str(error))
