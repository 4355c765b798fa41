"""Charts: specifications authored once with Altair, drawn many times as plain Vega-Lite.

    draw(rows, ladder_spec("Corpus length L"), key="l_bars", alt="L falls from 50 to 10; now 39 at k = 3.")

Author a specification in a function with ``functools.cache`` in a module of `ui`, never at the top of a page:
a page is a script and runs from its first line on every click.

Drawing a stored specification costs a few milliseconds and changes the data in place. Field names are plain
words (signs such as |V| or [k] break Vega); axis titles carry the notation. The colours hold in both themes:
blue means the current k, grey everything else.

Not here: figures (the core), tables behind the charts (the pages).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

#: Means "new" or "now", in both themes.
ACCENT = "#3f7cc4"
#: Everything that is not now.
QUIET = "#9b968a"
#: A figure written beside its bar: readable on both backgrounds in a saved picture. On the page the style
#: sheet gives all text of a chart the colours of the page.
LABEL = "#7d786c"
#: A quieter grey for what has not happened yet.
TO_COME = "rgba(155, 150, 138, 0.32)"
#: For two to five series that are told apart by a legend and a dash or shape as well.
SERIES = ("#3f7cc4", "#b5651d", "#3d8f6d", "#a0508f", "#8a7a1f")

#: More bars than this cannot be told apart; longer runs are sampled evenly.
BARS = 240


def finished(chart: Any) -> dict[str, Any]:
    """The chart as a plain specification without data, with our axis style."""
    spec: dict[str, Any] = chart.to_dict()
    spec.pop("datasets", None)
    spec.pop("data", None)
    spec.setdefault("config", {})
    spec["config"].pop("view", None)
    spec["config"]["axis"] = {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelPadding": 6,
        "titlePadding": 10,
    }
    spec["config"]["padding"] = {"left": 4, "top": 4, "right": 8, "bottom": 8}
    return spec


def whole_number_axis(title: str | None = None, **more: Any) -> alt.Axis:
    """An axis that never shows half a token."""
    return alt.Axis(title=title, format=",d", tickMinStep=1, **more)


def heading(title: str) -> alt.TitleParams:
    """A chart's title, at its left."""
    return alt.TitleParams(title, anchor="start", fontSize=13, fontWeight="normal")


@cache
def ladder_spec(title: str, x_title: str = "merges made, k", height: int = 230) -> dict[str, Any]:
    """Bars over k under a title; a bar can be picked. Made once per title.

    Rows need ``k``, ``value`` and ``when``: "made", "now" or "to come".
    """
    pick = alt.selection_point(name="pick", fields=["k"], on="click", empty=True)
    chart = (
        alt.Chart(pd.DataFrame({"k": [0], "value": [0], "when": ["now"]}))
        .mark_bar(cursor="pointer")
        .encode(
            x=alt.X("k:O", axis=alt.Axis(title=x_title, labelAngle=0, labelOverlap="greedy", ticks=False)),
            y=alt.Y(
                "value:Q",
                axis=whole_number_axis(None, tickCount=5),
                scale=alt.Scale(zero=True),
                stack=None,
            ),
            color=alt.Color(
                "when:N",
                scale=alt.Scale(domain=["made", "now", "to come"], range=[QUIET, ACCENT, TO_COME]),
                legend=None,
            ),
            tooltip=[
                alt.Tooltip("k:Q", title="k", format=",d"),
                alt.Tooltip("value:Q", title=title, format=",d"),
            ],
        )
        .properties(height=height, title=heading(title))
        .add_params(pick)
    )
    return finished(chart)


def ladder_rows(values: Sequence[int], k: int) -> pd.DataFrame:
    """Rows for ``ladder_spec`` from the values after 0, 1, 2, … merges; long runs are sampled around k."""
    stride = -(-len(values) // BARS)
    chosen = sorted({*range(0, len(values), stride), min(k, len(values) - 1), len(values) - 1})
    return pd.DataFrame(
        {
            "k": chosen,
            "value": [values[i] for i in chosen],
            "when": ["made" if i < k else "now" if i == k else "to come" for i in chosen],
        }
    )


def draw(
    rows: pd.DataFrame,
    spec: dict[str, Any],
    *,
    key: str,
    alt: str,
    on_pick: Callable[[int], None] | None = None,
    height: int | str = "content",
) -> None:
    """Draw ``rows`` by ``spec``. ``alt`` says what the chart shows; ``on_pick`` gets a picked bar's k."""
    if on_pick is None:
        st.vega_lite_chart(rows, spec, key=key, width="stretch", height=height, alt=alt)
        return

    def picked() -> None:
        points = st.session_state[key].selection.get("pick") or []
        if points and isinstance(points[0].get("k"), int | float):
            on_pick(int(points[0]["k"]))

    st.vega_lite_chart(
        rows, spec, key=key, width="stretch", height=height, alt=alt, on_select=picked, selection_mode="pick"
    )
