"""What a page that looks closer shows of the lab: which one it is, the slider for k, and the ways onward.

    lab_line(lab, trainer, key="sizes_lab")        "Your lab: the preset “review”, from characters, …"
    k_slider(lab, trainer, key="sizes_k")          the same slider as on the Train page; it moves the lab
    onward(("sizes.py", "How is a pair counted?"), …)   links to other pages; the lab travels along

Not here: changing the corpus or the settings (the Train page).
"""

from __future__ import annotations

import streamlit as st

from bpe_core.alphabet import Unit
from bpe_core.training import Trainer

from . import lab as labs
from .links import Lab
from .say import say
from .scrub import scrub
from .train_words import PRE_NAMES, TIE_NAMES

#: The last way onward of every page but Train itself.
BACK = ("train.py", "Back to Train: change the text or the settings")


def lab_sentence(lab: Lab) -> str:
    """The corpus and the settings in one sentence."""
    what = f"the preset “{lab.preset}”" if lab.preset else "your own corpus"
    units = "characters" if lab.unit is Unit.CHAR else "UTF-8 bytes"
    least = f", pairs that occur at least {lab.min_count:,} times" if lab.min_count > 1 else ""
    return (
        f"Your lab: {what}, from {units}; {PRE_NAMES[lab.pre_tokenizer]}, ties: {TIE_NAMES[lab.ties]}{least}."
    )


def lab_line(lab: Lab, *, key: str) -> None:
    """Show ``lab_sentence``, quietly: it is what the page is about, not what it says."""
    say([(lab_sentence(lab), "quiet")], key=key, live=False)


def k_slider(lab: Lab, trainer: Trainer, *, key: str, reach: int | None = None, live: bool = True) -> None:
    """The slider over every k there is (up to ``reach``); moving it moves the lab.

    ``live`` redraws the page while the thumb is dragged; without it, or on a corpus too large to be trained
    at once, when it is let go.
    """
    known = len(trainer.steps) if reach is None else reach
    scrub(
        f"Merges made: k = {{}} of {known:,}",
        min(lab.k, known),
        known,
        key=key,
        on_move=lambda k: labs.update(k=k),
        end="" if trainer.stop is not None else "more are learned as you go",
        says="{} merges made",
        live=live and trainer.stop is not None,
    )


def onward(*ways: tuple[str, str]) -> None:
    """Links to other pages by file name, each with the question it answers, and the way back to Train."""
    with st.container(horizontal=True, key="onward"):
        for page, question in (*ways, BACK):
            labs.link_to(page, question)
