"""The learner's lab for the length of a session: corpus, settings, k and new text, and the trainer they need.

    lab = current()                 the lab, from the link on the first run of a session
    trainer = trainer_for(lab)      cached; moving k never trains anything again
    update(k=lab.k + 1)             in a widget's callback; the page is then drawn with the new lab
    open_lab(lab); go("train.py")   from another page: open exactly this state on a page

The lab is the master. A widget that shows one of its settings is given the lab's value before it is drawn
(``sync``) and calls ``update`` when it changes, so nothing is lost on a page switch and nothing lags a click.

Not here: how a lab is written as a link or a file (`links`), how it survives a reload (`keep`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from bpe_core.corpus import Corpus, Progress
from bpe_core.encoding import Tokenizer
from bpe_core.training import Trainer

from .links import (
    LAB_PARAMETERS,
    NEW_TEXT_LIMIT,
    NUMBER_LIMIT,
    TEXT_LIMIT,
    Lab,
    default_lab,
    default_min_count,
    from_file,
    from_query,
    lab_of,
    link,
    to_file,
    to_query,
)
from .presets import DEFAULT_PRESET, PRESETS, Preset
from .remembered import remembered

__all__ = [
    "DEFAULT_PRESET",
    "LAB_PARAMETERS",
    "LOCK_SENTENCE",
    "NEW_TEXT_LIMIT",
    "NUMBER_LIMIT",
    "PRESETS",
    "TEXT_LIMIT",
    "Lab",
    "Preset",
    "corpus_for",
    "current",
    "default_lab",
    "default_min_count",
    "dismiss_notices",
    "from_file",
    "from_query",
    "go",
    "lab_of",
    "learned_enough",
    "link",
    "link_to",
    "load",
    "notices",
    "open_lab",
    "stale",
    "sync",
    "to_file",
    "to_query",
    "tokenizer_for",
    "trainer_for",
    "update",
    "whole_tokenizer",
]

#: A corpus of at most this many characters (distinct words together) is trained to the end at once.
SMALL_CORPUS = 30_000
#: A larger one learns this many merges at a time.
CHUNK = 200

#: What a page says where a locked lab takes something away.
LOCK_SENTENCE = (
    "Whoever made this link has locked the training text and the settings, so that a class works on the same "
    "lab. Stepping through the merges and the new text are yours."
)

_PAGES = Path(__file__).resolve().parent.parent / "pages"
#: Seconds in which a value from before can still arrive.
_STALE = 0.7
_TRAINERS_KEPT = 3
_CORPORA_KEPT = 2


# --- the lab -----------------------------------------------------------------------------------


def load(params: Mapping[str, str] | None = None) -> None:
    """On the first run of a session, take the lab from the link. After that the link only follows.

    ``params`` are those of a link to take whatever the session has.
    """
    if params is None:
        if "lab" in st.session_state:
            return
        params = st.query_params
    lab, found = from_query({name: params[name] for name in LAB_PARAMETERS if name in params})
    st.session_state["lab"] = lab
    st.session_state["lab_notices"] = found
    if params.get("stored"):
        st.session_state["lab_stored"] = params["stored"][:40]  # `keep` asks the browser for the text


def current() -> Lab:
    """The lab of this session, with k clamped to the merges that exist."""
    load()
    lab: Lab = st.session_state["lab"]
    if lab.k:
        known = learned_enough(trainer_for(lab), lab.k)
        if lab.k > known:
            st.session_state["lab_notices"] = [
                *notices(),
                f"Merge {lab.k:,} was asked for, but this corpus runs out of merges after {known:,}; "
                f"k = {known:,} is shown.",
            ]
            lab = st.session_state["lab"] = replace(lab, k=known)
    return lab


def update(**changes: Any) -> None:
    """Change fields of the lab. A change of corpus or settings starts again at k = 0 and clears old notices.

    Give ``k`` too to keep it. A new pre-tokenizer brings its own minimum count unless one is given. In a
    locked lab only k and the new text change.
    """
    lab: Lab = st.session_state["lab"]
    if lab.locked:
        changes = {name: value for name, value in changes.items() if name in ("k", "new_text")}
    if "pre_tokenizer" in changes and "min_count" not in changes:
        changes["min_count"] = default_min_count(changes["pre_tokenizer"])
    changed = replace(lab, **changes)
    if changed.training_key != lab.training_key and "k" not in changes:
        changed = replace(changed, k=0)
    open_lab(changed, [] if changed.training_key != lab.training_key else notices())


def open_lab(lab: Lab, found: list[str] | None = None) -> None:
    """Make ``lab`` the session's lab; ``found`` are notices to show with it. Call it in a callback or before
    widgets."""
    st.session_state["lab"] = lab
    st.session_state["lab_notices"] = list(found or [])


def notices() -> list[str]:
    """Plain sentences about what the link or the last text could not give; for ``ui.notes.notice``, never
    markdown."""
    return list(st.session_state.get("lab_notices", []))


def dismiss_notices() -> None:
    """Forget the notices, once the reader has closed them."""
    st.session_state["lab_notices"] = []


def sync(key: str, value: Any) -> str:
    """Give the widget with this ``key`` the lab's value before it is drawn, and return the key.

    >>> # st.toggle("Start from UTF-8 bytes", key=sync("train_bytes", lab.unit is Unit.BYTE), on_change=…)
    """
    known = key in st.session_state
    if known and st.session_state[key] != value:
        st.session_state[f"{key}_before"] = (st.session_state[key], time.monotonic())
    # Said twice: where a second run follows at once (the browser hands back what it kept), the browser may
    # draw only that one, and a widget that is not told its value again would start from its own default.
    if not known or st.session_state[key] != value or st.session_state.pop(f"{key}_new", False):
        st.session_state[key] = value
    if not known:
        st.session_state[f"{key}_new"] = True
    return key


def stale(key: str) -> bool:
    """In the callback of a synced widget: whether its value is an old one on its way, not the reader's doing.

    A browser sends every widget's value with every click. If the click came before the page with the new
    value was drawn, what arrives is the value from before.
    """
    before, when = st.session_state.get(f"{key}_before", (None, -math.inf))
    return bool(st.session_state.get(key) == before and time.monotonic() - when < _STALE)


def go(page: str) -> None:
    """Switch to a page by its file name in `pages/`, keeping the lab."""
    st.switch_page(_PAGES / page)


def link_to(page: str, label: str) -> None:
    """A link to another page by its file name; the lab travels along. Nothing where there is no such page."""
    if (_PAGES / page).exists():
        st.page_link(_PAGES / page, label=label)


# --- the trainer -------------------------------------------------------------------------------


def corpus_for(lab: Lab, progress: Progress | None = None) -> Corpus:
    """The corpus of ``lab``: its text cut into words, or its word counts."""

    def make() -> Corpus:
        if lab.word_counts is not None:
            return Corpus.from_word_counts(lab.word_counts, lab.pre_tokenizer)
        return Corpus.from_text(lab.text or "", lab.pre_tokenizer, progress)

    return remembered("corpus", (lab.text, lab.word_counts, lab.pre_tokenizer), make, _CORPORA_KEPT)


def trainer_for(lab: Lab) -> Trainer:
    """The trainer of ``lab``, from this session's cache; a large corpus shows its progress while it is read.

    It may have learned fewer merges than exist: see ``learned_enough``.
    """

    def make() -> Trainer:
        large = len(lab.text or "") > 300_000
        with _progress("Reading the corpus", large) as progress:
            corpus = corpus_for(lab, progress)
        with _progress("Counting pairs", large) as progress:
            return Trainer(corpus, lab.unit, lab.ties, lab.min_count, progress=progress)

    return remembered("trainer", lab.training_key, make, _TRAINERS_KEPT)


def learned_enough(trainer: Trainer, k: int) -> int:
    """See to it that merge k + 1 is known if it exists; returns how many merges are known.

    A small corpus is trained to its end at once, so that the slider shows every k. A larger one learns in
    chunks, with progress.
    """
    known = len(trainer.steps)
    if known > k or trainer.stop is not None:
        return known
    if sum(map(len, trainer.corpus.words)) <= SMALL_CORPUS:
        return trainer.train_to()
    wanted = (k // CHUNK + 1) * CHUNK
    with _progress("Learning merges", wanted - known > CHUNK) as progress:
        return trainer.train_to(wanted, progress)


def whole_tokenizer(lab: Lab, trainer: Trainer) -> Tokenizer:
    """The tokenizer of every merge that is known, so that ``.at(k)`` can tell "not yet" from "never"."""
    key = (lab.training_key, len(trainer.steps))
    return remembered(f"whole_{trainer.unit.value}", key, trainer.tokenizer)


def tokenizer_for(lab: Lab) -> Tokenizer:
    """The tokenizer that the lab's first k merges make, kept for as long as the lab stays there."""

    def make() -> Tokenizer:
        return whole_tokenizer(lab, trainer_for(lab)).at(lab.k)  # a step builds no tables anew

    return remembered("tokenizer", (lab.training_key, lab.k), make, 2)


@contextmanager
def _progress(what: str, visible: bool) -> Iterator[Progress | None]:
    """A progress bar while something long runs; ``what`` is our own wording."""
    if not visible:
        yield None
        return
    bar = st.progress(0.0, text=f"{what} …")

    def report(done: int, total: int) -> bool:
        bar.progress(min(1.0, done / total) if total else 0.0, text=f"{what}: {done:,} of {total:,} …")
        return True

    try:
        yield report
    finally:
        bar.empty()
