"""The Compression page's figures: asked of the core once and kept, written with their units, and as tables.

    by_character(lab), by_k(lab), at_k(lab)     the three parts of ``measures.measure``, kept for the session
    bits(78.392), rate(2.23978)                 how a total and a figure per symbol are written everywhere
    figure_table(head, rows, caption=…)         a small table on the page, its text escaped

Not here: charts (`curves`), sentences (`bits_words`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from bpe_core import measures
from bpe_core.display import text_label
from bpe_core.measures import CostModel
from bpe_core.training import Trainer

from . import lab as labs
from .downloads import download
from .figures import NOT_DEFINED, bits, many, rate
from .links import Lab
from .menus import number
from .parts import read
from .remembered import remembered
from .tables import to_csv, written

Figures = dict[str, Any]

#: How many rows a table on the page shows; its download holds them all.
ROWS = 300
_KEPT = 16

MODEL_NAMES = {CostModel.FINAL_WIDTH: "final width", CostModel.WIDTH_IN_FORCE: "width in force"}


# --- figures, kept ------------------------------------------------------------------------------


def _kept(key: tuple[object, ...], make: Callable[[], Figures]) -> Figures:
    return remembered("bits", key, make, _KEPT)


def by_character(lab: Lab) -> Figures:
    """The corpus written with one code for each character: ``measures.character_figures``."""
    trainer = labs.trainer_for(lab)
    return _kept(("characters", lab.training_key), lambda: measures.character_figures(trainer.corpus))


def by_k(lab: Lab) -> Figures:
    """Every merge learned so far: ``measures.run_figures``."""
    trainer = labs.trainer_for(lab)
    key = ("run", lab.training_key, len(trainer.steps))
    return _kept(key, lambda: measures.run_figures(trainer))


def at_k(lab: Lab) -> Figures:
    """The state after the lab's k merges: ``measures.state_figures``, without the fragments."""
    trainer = labs.trainer_for(lab)
    key = ("state", lab.training_key, lab.k)
    return _kept(key, lambda: measures.state_figures(trainer, lab.k, []))


def totals(run: Figures, model: CostModel) -> list[int]:
    """Bits in all after 0, 1, 2, … merges under a cost model."""
    name = "two_part_final_width" if model is CostModel.FINAL_WIDTH else "two_part_width_in_force"
    costs: list[int] = run[name]
    return costs


def best(run: Figures, model: CostModel) -> int | None:
    """k*, or None for an empty corpus."""
    name = "best_k_final_width" if model is CostModel.FINAL_WIDTH else "best_k_width_in_force"
    k: int | None = run[name]
    return k


def text_bits(run: Figures) -> list[int]:
    """L · w after 0, 1, 2, … merges."""
    sizes = zip(run["corpus_length_by_k"], run["vocabulary_size_by_k"], strict=True)
    return [measures.fixed_width_bits(length, size) for length, size in sizes]


# --- on the page --------------------------------------------------------------------------------


def style() -> None:
    """The look of ``figure_table``; once on a page that uses it."""
    st.html(f"<style>{read('figures.css')}</style>")


def aside(*sentences: str) -> None:
    """A quieter paragraph, for what explains a figure or a chart. Text, never markdown."""
    st.html(f'<p class="bpe-aside"><bdi>{escape(" ".join(sentences))}</bdi></p>')


def figure_table(
    head: Sequence[str],
    rows: Sequence[tuple[str, str, Sequence[str]]],
    caption: str,
    *,
    one_line: bool = False,
) -> None:
    """A small table: a row has a name, what explains it (beside it with ``one_line``), and its figures.

    Everything is text; ``caption`` names the table for those who do not see it.
    """
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    body = "".join(
        f'<tr><th scope="row"><bdi>{escape(name)}</bdi>'
        + (f"<small><bdi>{escape(about)}</bdi></small>" if about else "")
        + "</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, about, cells in rows
    )
    st.html(
        f'<table class="bpe-table{" bpe-one-line" if one_line else ""}"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"
    )


# --- tables -------------------------------------------------------------------------------------


def code_rows(lab: Lab) -> list[tuple[str, str, Sequence[str]]]:
    """Every code with its bits per character and in all, for ``figure_table``."""
    single, run = by_character(lab), by_k(lab)
    total: int = single["characters"]

    def row(name: str, about: str, each: float | None, whole: float | None) -> tuple[str, str, list[str]]:
        if not total:
            each = whole = None
        return name, about, [rate(each), bits(whole)]

    kinds = many(single["distinct_characters"], "different character")
    rows: list[tuple[str, str, Sequence[str]]] = []
    if single["ascii_bits"] is not None:
        rows.append(row("ASCII", "8 bits for every character", 8, single["ascii_bits"]))
    else:
        stranger = next(
            code["character"] for code in single["huffman_code"] if not code["character"].isascii()
        )
        about = f"knows 128 characters; {text_label(stranger).plain} is none of them"
        rows.append(("ASCII", about, [NOT_DEFINED, NOT_DEFINED]))
        each = measures.ratio(single["utf8_bits"], total)
        rows.append(row("UTF-8", "8 to 32 bits a character", each, single["utf8_bits"]))
    rows.append(
        row("Fixed width", f"a number for each of {kinds}", single["fixed_width"], single["fixed_width_bits"])
    )
    rows.append(
        row(
            "Order-0 bound",
            "the entropy of the character counts: no code for single characters needs less",
            single["order0_entropy_bits_per_character"],
            single["order0_bound_bits"],
        )
    )
    huffman = single["huffman_bits"]
    about = "whole bits, short codes for frequent characters"
    rows.append(row("Huffman", about, measures.ratio(huffman, total), huffman))
    for model in CostModel:
        k = best(run, model)
        name = "BPE at its cheapest" + (f", k* = {k:,}" if k is not None else "")
        whole = totals(run, model)[k] if k is not None else None
        about = f"the tokens and the table of merges, charged at the {MODEL_NAMES[model]}"
        rows.append(row(name, about, None if whole is None else measures.ratio(whole, total), whole))
    return rows


def huffman_frame(lab: Lab) -> pd.DataFrame:
    """The Huffman code table, shortest codes first."""
    single = by_character(lab)
    codes = single["huffman_code"][:ROWS]
    total = single["characters"]
    return pd.DataFrame(
        {
            "character": [text_label(code["character"]).plain for code in codes],
            "count": [code["count"] for code in codes],
            "share": [code["count"] / total for code in codes],
            "code": [code["code"] or "(none needed)" for code in codes],
            "bits each": [len(code["code"]) for code in codes],
            "bits in all": [code["count"] * len(code["code"]) for code in codes],
        }
    )


_COSTS = [
    "k",
    "L",
    "V",
    "bits a token",
    "text bits",
    "table bits, final width",
    "total bits, final width",
    "table bits, width in force",
    "total bits, width in force",
]


def cost_rows(run: Figures) -> Sequence[tuple[int, ...]]:
    """k, L, V, width, text bits, then table bits and total under both cost models; one row for every k."""
    final, in_force = (totals(run, model) for model in CostModel)
    rows = []
    for k, text in enumerate(text_bits(run)):
        length, size = run["corpus_length_by_k"][k], run["vocabulary_size_by_k"][k]
        width = measures.fixed_width(size)
        rows.append(
            (k, length, size, width, text, final[k] - text, final[k], in_force[k] - text, in_force[k])
        )
    return rows


def cost_frame(run: Figures, around: int) -> pd.DataFrame:
    """The rows of ``cost_rows`` that fit, those around k = ``around``."""
    rows = cost_rows(run)
    start = window(len(rows), around)
    return pd.DataFrame(rows[start : start + ROWS], columns=_COSTS)


def window(count: int, around: int) -> int:
    """The first of the ROWS rows that are shown of ``count``, so that ``around`` is among them."""
    return max(0, min(around - ROWS // 2, count - ROWS))


def table_behind(
    what: str, head: Sequence[str], rows: Sequence[Sequence[object]], *, around: int, key: str, decimals: str
) -> None:
    """The table behind a chart, folded: the rows around place ``around``; the download has them all.

    The first column is a whole number; ``decimals`` is how the others are written, such as "%.5f".
    """
    with st.expander(f"Table: {what}"):
        start = window(len(rows), around)
        whole = number(width=None)
        others = whole if decimals == "localized" else st.column_config.NumberColumn(format=decimals)
        st.dataframe(
            pd.DataFrame(rows[start : start + ROWS], columns=list(head)),
            key=key,
            hide_index=True,
            column_config={name: others if place else whole for place, name in enumerate(head)},
        )
        if len(rows) > ROWS:
            aside(
                f"{ROWS:,} of {len(rows):,} rows, those around {head[0]} = {around:,}; the download has all."
            )
        download("Table (CSV)", f"{key.replace('_', '-')}.csv", lambda: to_csv(head, rows), key=f"{key}_csv")


def cost_csv(run: Figures) -> str:
    """All rows of ``cost_rows`` with the entropies."""
    rows = [
        (*row, per_token, per_character)
        for row, per_token, per_character in zip(
            cost_rows(run), run["token_entropy_by_k"], run["bits_per_character_by_k"], strict=True
        )
    ]
    return to_csv([*_COSTS, "entropy, bits per token", "entropy, bits per character"], rows)


_MERGES = ["merge", "left", "right", "count", "PMI, bits", "count × PMI, bits", "saved, bits"]


def merge_rows(
    trainer: Trainer, run: Figures, start: int = 0, stop: int | None = None
) -> list[tuple[Any, ...]]:
    """Each merge with its PMI and what it saved at fixed width."""
    return [
        (
            step.index,
            written(trainer, step.pair[0]),
            written(trainer, step.pair[1]),
            step.count,
            run["pmi"][step.index - 1],
            run["count_times_pmi"][step.index - 1],
            run["fixed_width_saving"][step.index - 1],
        )
        for step in trainer.steps[start:stop]
    ]


def merge_frame(trainer: Trainer, run: Figures, around: int) -> pd.DataFrame:
    """The rows of ``merge_rows`` that fit, those around merge ``around``."""
    start = window(len(run["pmi"]), around)
    return pd.DataFrame(merge_rows(trainer, run, start, start + ROWS), columns=_MERGES)


def merge_csv(trainer: Trainer, run: Figures) -> str:
    """All rows of ``merge_rows``."""
    return to_csv(_MERGES, merge_rows(trainer, run))
