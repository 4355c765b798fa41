"""Another pair than the most frequent one, merged each time: the experiment beside the real training.

The learner chooses least frequent or random (with a seed). A short run is done at once; one that may take
longer than a second is asked for, shows its progress and can be stopped, and what it reached is drawn.
Not here: the choice itself (``Trainer``), the chart's specification (`curves`), the sentence (`bits_words`).
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from bpe_core import measures
from bpe_core.measures import CostModel
from bpe_core.training import Choice, Trainer

from . import bits, curves, figures, long_work
from . import bits_words as words
from .links import Lab
from .notes import note
from .remembered import remembered
from .say import say

#: Looking at every pair for every merge: up to here it takes well under a second.
QUICK = 300_000
SEED_LIMIT = 999_999
_STORE = "experiment_run"

CHOICES = {
    Choice.LEAST_FREQUENT: "the least frequent pair",
    Choice.RANDOM: "a random pair",
}


@dataclass(frozen=True, slots=True)
class Other:
    """The experiment as far as it got: which choice, its seed, and (L, V) after 0, 1, 2, … merges."""

    choice: Choice
    seed: int
    sizes: list[tuple[int, int]]
    wanted: int

    def costs(self, model: CostModel) -> list[int]:
        """Bits in all for every k reached."""
        return measures.description_lengths(self.sizes, model)


def controls() -> tuple[Choice, int]:
    """Which pair is merged instead, and the seed where that matters."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="experiment_controls"):
        chosen = st.segmented_control(
            "Merge each time",
            list(CHOICES),
            format_func=CHOICES.__getitem__,
            default=Choice.LEAST_FREQUENT,
            required=True,
            key="experiment_choice",
            persist_state="session",
        )
        choice = chosen or Choice.LEAST_FREQUENT
        seed = 1
        if choice is Choice.RANDOM:
            given = st.number_input(
                "Seed of the random choice",
                min_value=0,
                max_value=SEED_LIMIT,
                value=1,
                step=1,
                key="experiment_seed",
                persist_state="session",
                width=220,
            )
            seed = int(given)
    return choice, seed


def other_run(lab: Lab, real: Trainer) -> Other | None:
    """The experiment for as many merges as the real training knows, or None until it is asked for."""
    choice, seed = controls()
    wanted = len(real.steps)
    key = (lab.training_key, choice, seed)
    kept = st.session_state.get(_STORE)
    trainer: Trainer | None = kept[1] if kept is not None and kept[0] == key else None
    pairs = remembered("experiment_pairs", lab.training_key, lambda: real.pair_total(0))
    quick = wanted * pairs <= QUICK
    work = long_work.work_on("experiment", *key)
    asked = long_work.running(work)
    if trainer is None and (quick or asked):
        trainer = Trainer(real.corpus, lab.unit, lab.ties, lab.min_count, choice, seed)
        st.session_state[_STORE] = (key, trainer)
    if trainer is None:
        long_work.button(f"Run {figures.many(wanted, 'merge')}", work=work, k=wanted)
        return None
    if quick:
        trainer.train_to(wanted)
    elif len(trainer.steps) < wanted and trainer.stop is None:
        if asked:
            long_work.run(trainer, work=work, what="Merging")
        long_work.button(f"Go on to {figures.many(wanted, 'merge')}", work=work, k=wanted)
    sizes = [(trainer.corpus_length(k), trainer.vocabulary_size(k)) for k in range(len(trainer.steps) + 1)]
    return Other(choice, seed, sizes, wanted)


def another_choice(lab: Lab, trainer: Trainer, model: CostModel) -> None:
    """The bits when another pair than the most frequent is merged each time."""
    st.subheader("What if another pair were merged each time?", anchor=False)
    if not trainer.steps:
        note("There is no pair to merge, so there is nothing to try.", "empty")
        return
    run = bits.by_k(lab)
    other = other_run(lab, trainer)
    real = bits.totals(run, model)
    rows = curves.curve(real, curves.REAL, best=bits.best(run, model))
    name: str | None = None
    found: list[int] = []
    if other is None:
        note("On a corpus of this size the experiment takes a while; it runs when you ask for it.")
    else:
        name = curves.LEAST if other.choice is Choice.LEAST_FREQUENT else curves.RANDOM
        found = other.costs(model)
        rows += curves.curve(found, name, best=measures.best_k(found))
        say(words.another(other.choice, run, found, model, other.sizes[-1][0]), key="bits_other")
        if len(found) <= other.wanted:
            bits.aside(f"This run covers k = 0 to {len(found) - 1:,} of {other.wanted:,}.")
    said = f" and for {CHOICES[other.choice]}" if other is not None else ""
    curves.draw(
        rows,
        curves.OTHERS[name],
        key="bits_others",
        alt=f"Bits in all against k, {bits.MODEL_NAMES[model]}: for the most frequent pair{said}.",
    )
    head = ["k", "most frequent pair", *([CHOICES[other.choice]] if other is not None else [])]
    both: list[list[int]] = [real, *([found] if other is not None else [])]
    bits.table_behind(
        "bits in all for every k",
        head,
        [(k, *(costs[k] if k < len(costs) else None for costs in both)) for k in range(len(real))],
        around=lab.k,
        key="bits_others_table",
        decimals="localized",
    )
    bits.aside(
        f"Bits in all, table charged at the {bits.MODEL_NAMES[model]}. A rare pair takes few tokens away "
        "and its table row costs as much as any other. Taking the most frequent pair each time is greedy: "
        "it never looks ahead, and to find the smallest set of rules for a text is a problem no fast "
        "method is known for (NP-hard)."
    )
