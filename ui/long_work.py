"""Training that may take longer than a second: asked for by a button, with progress and a way to stop.

    more = work_on("more", lab.training_key)                  what is asked for, and for which training
    button("Learn 500 more merges", work=more, k=700)         asks for it, and draws nothing while it runs
    if running(more): run(trainer, work=more, what="Learning merges")

Streamlit gives a script up at its next sign of life when the reader clicks elsewhere. What was learned up to
there stays in the trainer; Stop ends the wish, any other click lets the work go on in the next run.
Not here: what is trained.
"""

from __future__ import annotations

import streamlit as st

from bpe_core.training import Trainer


def work_on(name: str, *what: object) -> str:
    """The name of a work; another for another training, so that a wish does not pass from text to text."""
    return f"{name}_{hash(what)}"


def _key(work: str) -> str:
    return f"long_work_{work}"


def button(label: str, *, work: str, k: int) -> None:
    """A button that asks for training to k merges; ``label`` is our own wording."""
    if not running(work):
        st.button(label, key=f"{work}_start", on_click=start, args=(work, k))


def start(work: str, k: int) -> None:
    """Ask for training to k merges from this run on."""
    st.session_state[_key(work)] = k


def stop(work: str) -> None:
    """Ask for no more."""
    st.session_state.pop(_key(work), None)


def running(work: str) -> bool:
    """Whether it is asked for and not done."""
    return _key(work) in st.session_state


def run(trainer: Trainer, *, work: str, what: str) -> None:
    """Train to the k asked for, with a bar and a Stop button, then draw the page anew."""
    k: int = st.session_state[_key(work)]
    first = len(trainer.steps)
    bar = st.progress(0.0, text=f"{what} …")
    st.button("Stop", key=f"{work}_stop", on_click=stop, args=(work,))

    def report(done: int, _: int) -> bool:
        share = (done - first) / (k - first) if k > first else 1.0
        bar.progress(min(1.0, max(0.0, share)), text=f"{what}: {done:,} of {k:,} …")
        return True

    trainer.train_to(k, report)
    stop(work)
    st.rerun()
