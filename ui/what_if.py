"""What if another tied pair had won: two runs side by side, with where they part and where they meet again.

Computed by ``bpe_core.ties``; here it is chosen and drawn. Not here: what is said about it (`sizes_words`).
"""

from __future__ import annotations

import functools
from collections.abc import Hashable
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe_core.alphabet import Token
from bpe_core.ties import State, TwoRuns, compare_runs
from bpe_core.training import MergeStep, Pair, Trainer

from . import charts
from . import lab as labs
from . import sizes_words as words
from .downloads import download
from .menus import number, pick, table_height
from .notes import note
from .remembered import is_remembered, remembered
from .say import say, strong
from .tables import frame_csv
from .tiles import first_tokens, tiles
from .train_words import pair_parts

#: Merges with a tie, and tied pairs, that the menus offer.
OFFERED = 500
#: Merges after the parting that are laid side by side; fewer on a corpus that is not trained at once.
LIMIT, LARGE_LIMIT = 1_000, 200
#: Tiles of each run that are drawn side by side.
SIDE_TILES = 300

FIRST, SECOND = "as trained", "the other pair"
COUNT = number()


def _runs_spec() -> dict[str, Any]:
    """L of two runs over k: two lines, told apart by colour and dash."""
    names = [FIRST, SECOND]
    rows = pd.DataFrame({"k": [0], "length": [0], "run": [FIRST]})
    chart = (
        alt.Chart(rows)
        .mark_line(strokeWidth=2.5, point={"size": 28})
        .encode(
            x=alt.X(
                "k:Q",
                axis=charts.whole_number_axis("merges made, k"),
                scale=alt.Scale(zero=False, nice=False),
            ),
            y=alt.Y("length:Q", axis=charts.whole_number_axis("corpus length L, tokens", tickCount=5)),
            color=alt.Color(
                "run:N",
                scale=alt.Scale(domain=names, range=list(charts.SERIES[:2])),
                legend=alt.Legend(title=None, orient="top", symbolSize=200, symbolStrokeWidth=2.5),
            ),
            strokeDash=alt.StrokeDash("run:N", scale=alt.Scale(domain=names, range=[[1, 0], [3, 4]])),
            tooltip=[
                alt.Tooltip("run:N", title="run"),
                alt.Tooltip("k:Q", title="k", format=",d"),
                alt.Tooltip("length:Q", title="L, tokens", format=",d"),
            ],
        )
        .properties(height=300)
    )
    return charts.finished(chart)


RUNS_CHART = _runs_spec()


@st.fragment
def what_if(lab: labs.Lab, trainer: Trainer) -> None:
    """Two runs side by side: as trained, and with another of the tied pairs taken at one merge."""
    st.subheader("What if another tied pair had won?", anchor=False)
    tied = [step for step in trainer.steps if step.tied > 1]
    if not tied:
        note(
            "No merge that is known was tied here, so no tie rule had a say."
            if trainer.steps
            else "There is no merge here, so there is no tie.",
            "empty",
        )
        return
    say(
        [
            "Where several pairs share the highest count, a rule has to pick. Choose a merge that was tied "
            "and another of its pairs: the training is run again from there, by the same rule, and laid "
            "beside yours."
        ],
        key="sizes_if_why",
        live=False,
    )
    # The merge in view first: the next one after k, or the one just made; else the first tie there is.
    near = next((s for s in tied if s.index == lab.k + 1), None) or next(
        (s for s in tied if s.index == lab.k), tied[0]
    )
    start = max(0, tied.index(near) - OFFERED // 2)
    offered = {step.index: step for step in tied[start : start + OFFERED]}
    left, right = st.columns(2, gap="medium")
    with left:
        merge = pick(
            "A merge with a tie",
            {index: words.merge_name(trainer, step) for index, step in offered.items()},
            "sizes_if_merge",
            (lab.training_key, lab.k),
            near.index,
        )
        if len(tied) > len(offered):
            st.caption(f"{len(offered):,} of {len(tied):,} merges with a tie are offered, those around k.")
    others = remembered("sizes_if_tied", (lab.training_key, merge), lambda: _others(trainer, offered[merge]))
    with right:
        pair = pick(
            "Instead, take",
            {
                pair: f"{place}. {words.pair_cell(trainer, pair)}"
                for place, pair in enumerate(others[:OFFERED], 2)
            },
            "sizes_if_pair",
            (lab.training_key, merge),
        )
        if len(others) > OFFERED:
            st.caption(f"The first {OFFERED:,} of {len(others):,} other tied pairs are offered.")
    key = (lab.training_key, len(trainer.steps), merge, pair)
    small = sum(map(len, trainer.corpus.words)) <= labs.SMALL_CORPUS
    if not small and not is_remembered("sizes_runs", key):
        note("This corpus is large: training it again from that merge may take a while.")
        if not st.button("Train it again with the other pair", key="sizes_if_run"):
            return
    other, runs = remembered("sizes_runs", key, lambda: _run(trainer, merge, pair, small))
    show_runs(trainer, other, runs, merge, pair, key)


def _others(trainer: Trainer, step: MergeStep) -> list[Pair]:
    """The tied pairs that were not taken at this merge."""
    return [pair for pair in trainer.tied_pairs(step.index - 1) if pair != step.pair]


def _run(trainer: Trainer, merge: int, pair: Pair, small: bool) -> tuple[Trainer, TwoRuns]:
    """The other run, as far as the first one is known, and both laid side by side."""
    with st.spinner("Training again with the other pair …", show_time=True):
        other = trainer.fork(merge, pair)
        other.train_to(None if trainer.stop is not None else len(trainer.steps))
        return other, compare_runs(trainer, other, LIMIT if small else LARGE_LIMIT)


def show_runs(first: Trainer, second: Trainer, runs: TwoRuns, merge: int, pair: Pair, key: Hashable) -> None:
    """Where the runs part and meet, their sizes, and both corpora at one k."""
    say(words.meeting_parts(runs, merge, first, pair), key="sizes_if_meet", lines=2)
    say(words.end_parts(runs, first, second), key="sizes_if_end", lines=1)
    start, last = runs.states[0].k, runs.states[-1].k
    if st.session_state.get("sizes_if_for") != (merge, pair, last):
        st.session_state["sizes_if_for"] = (merge, pair, last)
        st.session_state["sizes_if_k"] = merge
    at = merge
    if last > start:
        at = st.slider("Look at both after k merges", start, last, key="sizes_if_k")
    left, right = st.columns(2, gap="medium")
    for place, run, name, column in ((0, first, FIRST, left), (1, second, SECOND, right)):
        k = min(at, len(run.steps))
        with column:
            parts = [strong(name.capitalize()), f", k = {at:,}: |V| = {run.vocabulary_size(k):,}, "]
            parts.append(f"L = {run.corpus_length(k):,}")
            if at > len(run.steps):
                parts.append(f" (no merge left after {k:,})")
            elif at:
                parts += ["; last merge ", *pair_parts(run, run.steps[k - 1].pair)]
            say(parts, key=f"sizes_if_says_{place}", live=False)
            drawn, total = remembered(f"sizes_side_{place}", (key, k), functools.partial(_side, run, k))
            tiles(
                drawn,
                key=f"sizes_if_tiles_{place}",
                label=f"The corpus after {k:,} merges, {name}",
                counts=first.corpus.counts,
                newest=run.steps[k - 1].token if 0 < k == at else None,
                pick="none",
                total=total,
            )
    if any(state.first_length != state.second_length for state in runs.states):
        rows = [
            {"k": state.k, "length": value, "run": name}
            for state in _sampled(runs)
            for name, value in ((FIRST, state.first_length), (SECOND, state.second_length))
        ]
        charts.draw(
            pd.DataFrame(rows),
            RUNS_CHART,
            key="sizes_if_chart",
            alt=f"Corpus length of both runs from k = {start:,} to {last:,}: as trained down to "
            f"{runs.states[-1].first_length:,}, with the other pair down to "
            f"{runs.states[-1].second_length:,}.",
        )
    else:
        st.caption("L is the same in both runs at every k, so a chart of both would show one line.")
    frame = words.runs_table(runs, first, second)
    st.dataframe(
        frame,
        key="sizes_if_table",
        hide_index=True,
        height=table_height(len(frame)),
        column_config={
            "k": COUNT,
            "first": "as trained",
            "first_count": number("count"),
            "first_length": number("L"),
            "second": "the other pair",
            "second_count": number("count "),
            "second_length": number("L "),
            "only": "tokens only in one, left / right",
            "cut": "words cut",
        },
    )
    if len(runs.states) > len(frame):
        st.caption(f"The first {len(frame):,} of {len(runs.states):,} states; the download has all.")
    download(
        "Both runs (CSV)", "bpe-two-runs.csv", lambda: _runs_csv(runs, first, second), key="sizes_if_csv"
    )


def _side(run: Trainer, k: int) -> tuple[list[list[Token]], int]:
    """The first words of a run at k, SIDE_TILES tokens at most, and how many tokens all words have."""
    split = run.words_at(k)
    drawn = [[run.token(id) for id in word] for word in first_tokens(split, SIDE_TILES)]
    return drawn, sum(map(len, split))


def _sampled(runs: TwoRuns) -> list[State]:
    """The states of a chart: all, or evenly spaced with the last."""
    stride = -(-len(runs.states) // charts.BARS)
    return [s for i, s in enumerate(runs.states) if i % stride == 0 or i == len(runs.states) - 1]


def _runs_csv(runs: TwoRuns, first: Trainer, second: Trainer) -> str:
    # The marks that keep a right-to-left pair in order on the page are no part of the data.
    return frame_csv(words.runs_table(runs, first, second, None)).replace("\u200e", "")
