"""Two sections of the Compression page: the corpus under every code, and the bits against k.

Not here: the figures (`bits`), the sentences (`bits_words`), the charts' specifications (`curves`).
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core.measures import CostModel
from bpe_core.training import Trainer

from . import bits, curves, figures, long_work
from . import bits_words as words
from . import lab as labs
from .doubling import before_doubling
from .downloads import download
from .links import Lab
from .menus import number
from .notes import note
from .say import say

#: Merges learned at one click.
MORE = 500

_WHOLE = number(width=None)


def learn_more(lab: Lab, trainer: Trainer) -> None:
    """Where more merges were asked for, learn them before anything is drawn from them."""
    work = long_work.work_on("more", lab.training_key)
    if long_work.running(work):
        long_work.run(trainer, work=work, what="Learning merges")


def codes(lab: Lab) -> None:
    """The corpus under every code, with the Huffman table folded."""
    st.subheader("What does the text cost, code by code?", anchor=False)
    single = bits.by_character(lab)
    characters = figures.many(single["characters"], "character")
    say(
        [
            f"The text has {characters} of {figures.many(single['distinct_characters'], 'kind')}. A code for "
            "single characters gives each kind bits of its own; byte-pair encoding numbers tokens and pays "
            "for its table too."
        ],
        key="bits_codes_why",
        live=False,
    )
    bits.figure_table(
        ["code", "bits per character", "bits in all"],
        bits.code_rows(lab),
        "The corpus under each code, in bits",
    )
    if not single["characters"]:
        return
    if single["characters"] and single["distinct_characters"] == 1:
        note("With one symbol there is nothing to tell apart: its code is empty and only the length matters.")
    kinds = len(single["huffman_code"])
    with st.expander(f"The Huffman code table, {figures.many(kinds, 'character')}"):
        st.dataframe(
            bits.huffman_frame(lab),
            key="bits_huffman",
            hide_index=True,
            column_config={
                "count": _WHOLE,
                "share": st.column_config.NumberColumn(format="percent"),
                "bits in all": _WHOLE,
            },
        )
        if kinds > bits.ROWS:
            bits.aside(f"The {bits.ROWS} shortest codes of {kinds:,}.")
        bits.aside(
            "The two rarest characters (or groups) are joined again and again; the joints spell the codes. "
            "No code begins another, so the bits need no gaps between them."
        )


def costs(lab: Lab, trainer: Trainer) -> CostModel:
    """Text and table against k, the cheapest k, and the order-0 bound; returns the cost model chosen."""
    st.subheader("Which number of merges is the cheapest?", anchor=False)
    model = st.segmented_control(
        "Charge each row of the table at",
        list(CostModel),
        format_func=bits.MODEL_NAMES.__getitem__,
        default=CostModel.FINAL_WIDTH,
        required=True,
        key="bits_model",
        persist_state="session",
        help="Final width: as if the table were written at the end. Width in force: each row when it is "
        "learned.",
    )
    model = model or CostModel.FINAL_WIDTH
    single, run = bits.by_character(lab), bits.by_k(lab)
    if not trainer.corpus.words:
        note("The bits for every k are not defined for an empty corpus.", "empty")
        return model
    say(words.cheapest(run, trainer), key="bits_best")
    say(words.cost_at_k(run, lab.k, model), key="bits_at_k", live=False)
    if not trainer.steps:
        note(
            "There is no pair to merge, so k = 0 is the only number of merges and there is no curve to draw."
        )
    else:
        cost_charts(lab, single, run, model)
    note(words.against_the_bound(single, run, model))
    before = before_doubling(lab)
    if before is not None:
        labs.learned_enough(labs.trainer_for(before), before.k)
        note(words.doubled(bits.by_k(before), run, model))
    bits.aside(words.covered(trainer))
    if trainer.stop is None:
        work = long_work.work_on("more", lab.training_key)
        long_work.button(f"Learn {MORE} more merges", work=work, k=len(trainer.steps) + MORE)
    with st.expander(f"Table: L, V and bits for k = 0 to {len(trainer.steps):,}"):
        frame = bits.cost_frame(run, lab.k)
        st.dataframe(
            frame, key="bits_costs", hide_index=True, column_config={str(name): _WHOLE for name in frame}
        )
        if len(frame) <= len(trainer.steps):
            bits.aside(f"{bits.ROWS} rows around k = {lab.k:,}; the download has them all.")
        download("Bits for every k (CSV)", "bpe-bits.csv", lambda: bits.cost_csv(run), key="bits_csv")
    with st.expander("How the bits are counted"):
        st.write(
            "A token is written as a number of w bits, the smallest w that can tell all tokens of the "
            "vocabulary apart. The text takes L times w bits. Each merge adds a row of two tokens to the "
            "table, 2 times w bits. *Final width* charges every row at the w of the vocabulary at k, as if "
            "the table were written at the end; *width in force* charges each row at the w right after its "
            "merge. The vocabulary counts the units in use. The list of units itself, the places where "
            "words begin, and characters the word splitting dropped are charged to no code."
        )
    return model


def cost_charts(lab: Lab, single: bits.Figures, run: bits.Figures, model: CostModel) -> None:
    """The two charts of bits: what the total is made of, and both totals with the bound."""
    last = len(run["corpus_length_by_k"]) - 1
    left, right = st.columns(2, gap="medium")
    best = bits.best(run, model)
    total = bits.totals(run, model)
    with left:
        st.markdown(f"**Text and table, {bits.MODEL_NAMES[model]}**")
        curves.draw(
            curves.part_rows(bits.text_bits(run), total, lab.k, best),
            curves.PARTS,
            key="bits_parts",
            alt=f"Bars of bits for k = 0 to {last:,}: the text falls, the table of merges grows. The sum "
            f"starts at {figures.bits(total[0])} bits and is least at k = {best:,}. Now k = {lab.k:,}.",
            on_pick=lambda k: labs.update(k=k),
        )
    with right:
        st.markdown("**Bits in all, both cost models**")
        rows: list[dict[str, Any]] = curves.now(lab.k, bits.MODEL_NAMES[CostModel.FINAL_WIDTH])
        said = []
        for each in CostModel:
            name, k = bits.MODEL_NAMES[each], bits.best(run, each)
            rows += curves.curve(bits.totals(run, each), name, best=k, keep=[lab.k])
            said.append(f"{name}: least at k = {k:,}" if k is not None else name)
        if single["order0_bound_bits"] is not None:
            rows += curves.level(single["order0_bound_bits"], curves.BOUND, last)
        curves.draw(
            rows,
            curves.TOTALS,
            key="bits_totals",
            alt=f"Bits in all against k under two cost models. {'; '.join(said)}. A level line marks the "
            f"order-0 bound, {figures.bits(single['order0_bound_bits'])} bits.",
        )
    bits.aside(
        "A diamond marks the cheapest k under its cost model, blue the current k. Click a bar to go to its k."
    )
