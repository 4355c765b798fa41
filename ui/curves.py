"""The Compression page's charts: specifications made once, and the rows they take.

    totals     bits in all against k, both cost models, the order-0 bound, k* and the current k
    parts      the same bits as bars: the text and the table of merges; a bar can be picked
    lengths    how many tokens (or words) have which length
    entropies  bits per token and per character against k
    worth      count × PMI of each merge against what it saved
    others     bits in all with another choice of pair, over the real curve

Every mark has its tooltip as a ready sentence, so that a chart and a table write a figure alike. Colours come
with a dash, a shape or a place of their own. Not here: the figures (`bits`), how a chart is drawn (`charts`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import altair as alt
import pandas as pd

from . import charts
from .figures import bits, many, rate

#: More points than this on a curve cannot be told apart; longer runs are sampled evenly.
POINTS = 400
#: Up to as many points are marked with a dot.
DOTS = 40
#: More lengths than this are not drawn.
LENGTHS = 40

TEXT, TABLE = "the text", "the table of merges"
BEST = "cheapest, k*"
BOUND = "order-0 bound, single characters"
NOW = "now"


def sampled(count: int, limit: int, keep: Collection[int] = ()) -> list[int]:
    """Up to about ``limit`` of the numbers 0 … count - 1, evenly, with the last and those in ``keep``.

    >>> sampled(10, 4, keep=[5])
    [0, 3, 5, 6, 9]
    """
    stride = -(-count // limit) or 1
    return sorted(
        {*range(0, count, stride), *(i for i in keep if 0 <= i < count), *([count - 1] if count else [])}
    )


def _x(title: str = "merges made, k") -> alt.X:
    return alt.X("k:Q", axis=charts.whole_number_axis(title), scale=alt.Scale(nice=False, padding=8))


#: A legend above the chart, one line for each series, so that it also fits a phone.
_LEGEND: dict[str, Any] = {
    "title": None,
    "orient": "top",
    "direction": "vertical",
    "labelLimit": 330,
    "labelFontSize": 12,
    "rowPadding": 1,
    "padding": 0,
    "offset": 6,
}


def _finished(chart: Any, height: int) -> dict[str, Any]:
    """``charts.finished``; what the chart shows is said once for all of it, not mark by mark."""
    spec = charts.finished(chart.properties(height=height))
    for layer in spec.get("layer", [spec]):
        layer["mark"]["aria"] = False
    return spec


def _series(domain: Sequence[str], colours: Sequence[str], dashes: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Colour and dash for the series of one chart, in one legend above it."""
    legend = alt.Legend(**_LEGEND, symbolSize=300, symbolStrokeWidth=2, symbolType="stroke")
    scale = alt.Scale(domain=list(domain), range=list(colours))
    dash = alt.Scale(domain=list(domain), range=[list(pattern) for pattern in dashes])
    return {
        "color": alt.Color("series:N", scale=scale, legend=legend),
        "strokeDash": alt.StrokeDash("series:N", scale=dash, legend=legend),
    }


def _frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({name: [value] for name, value in columns.items()})


_CURVE = _frame(k=0, value=0.0, series="", role="curve", dot="yes", text="")
_TIP = [alt.Tooltip("text:N", title=" ")]
_SOLID, _DASHED, _DOTTED = [1, 0], [7, 4], [2, 3]


def _curves(
    domain: Sequence[str],
    colours: Sequence[str],
    dashes: Sequence[Sequence[int]],
    y_title: str,
    from_zero: bool = False,
) -> dict[str, Any]:
    """Lines over k with an upright rule at the current k and, in role "best", a labelled point."""
    base = alt.Chart(_CURVE)
    style = _series(domain, colours, dashes)
    y = alt.Y(
        "value:Q", axis=alt.Axis(title=y_title, format=",~r", tickCount=5), scale=alt.Scale(zero=from_zero)
    )
    # Where dots would run into each other they are there for the pointer only.
    seen = alt.Opacity("dot:N", scale=alt.Scale(domain=["yes", "no"], range=[1, 0]), legend=None)
    now = (
        base.transform_filter("datum.role == 'now'")
        .mark_rule(color=charts.ACCENT, strokeWidth=2, opacity=0.55)
        .encode(x=_x(), tooltip=_TIP)
    )
    line = (
        base.transform_filter("datum.role != 'now'")
        .mark_line(strokeWidth=2)
        .encode(x=_x(), y=y, tooltip=_TIP, **style)
    )
    dots = (
        base.transform_filter("datum.role != 'now'")
        .mark_circle(size=26)
        .encode(x=_x(), y=y, tooltip=_TIP, color=style["color"], opacity=seen)
    )
    best = (
        base.transform_filter("datum.role == 'best'")
        .mark_point(size=110, filled=True, shape="diamond", opacity=1)
        .encode(x=_x(), y=y, tooltip=_TIP, color=style["color"])
    )
    return _finished(alt.layer(now, line, dots, best), 320)


TOTALS = _curves(
    ["final width", "width in force", BOUND],
    [charts.SERIES[1], charts.SERIES[2], charts.QUIET],
    [_SOLID, _DASHED, _DOTTED],
    "bits in all",
)
ENTROPIES = _curves(
    ["bits per token", "bits per character"],
    [charts.SERIES[3], charts.SERIES[2]],
    [_DASHED, _SOLID],
    "bits (order-0 entropy)",
    from_zero=True,
)
REAL, LEAST, RANDOM = "most frequent (byte-pair encoding)", "least frequent", "random"


def _others(*names: str) -> dict[str, Any]:
    colours = {REAL: charts.SERIES[1], LEAST: charts.SERIES[3], RANDOM: charts.SERIES[2]}
    dashes = {REAL: _SOLID, LEAST: _DASHED, RANDOM: _DOTTED}
    return _curves(names, [colours[n] for n in names], [dashes[n] for n in names], "bits in all")


#: By the choice drawn over the real curve, None for the real curve alone.
OTHERS = {name: _others(REAL, *([name] if name else [])) for name in (None, LEAST, RANDOM)}


def _parts() -> dict[str, Any]:
    pick = alt.selection_point(name="pick", fields=["k"], on="click", empty=True)
    legend = alt.Legend(**_LEGEND)
    chart = (
        alt.Chart(_frame(k=0, value=0, part=TEXT, order=0, now="no", text=""))
        .mark_bar(cursor="pointer")
        .encode(
            x=alt.X(
                "k:O",
                axis=alt.Axis(title="merges made, k", labelAngle=0, labelOverlap="greedy", ticks=False),
            ),
            y=alt.Y("value:Q", axis=charts.whole_number_axis("bits", tickCount=5), stack="zero"),
            order=alt.Order("order:Q"),
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=[TABLE, TEXT], range=[charts.SERIES[1], charts.QUIET]),
                legend=legend,
            ),
            opacity=alt.Opacity("now:N", scale=alt.Scale(domain=["no", "yes"], range=[0.6, 1]), legend=None),
            stroke=alt.Stroke(
                "now:N",
                scale=alt.Scale(domain=["no", "yes"], range=["transparent", charts.ACCENT]),
                legend=None,
            ),
            strokeWidth=alt.value(2),
            tooltip=_TIP,
        )
        .add_params(pick)
    )
    return _finished(chart, 320)


PARTS = _parts()


def _lengths(x_title: str, y_title: str) -> dict[str, Any]:
    chart = (
        alt.Chart(_frame(k=1, value=0, text=""))
        .mark_bar(color=charts.QUIET)
        .encode(
            x=alt.X("k:O", axis=alt.Axis(title=x_title, labelAngle=0, labelOverlap="greedy", ticks=False)),
            y=alt.Y(
                "value:Q", axis=charts.whole_number_axis(y_title, tickCount=5), scale=alt.Scale(zero=True)
            ),
            tooltip=_TIP,
        )
    )
    return _finished(chart, 220)


CHARACTERS = _lengths("characters in the token", "tokens in the corpus")
BYTES = _lengths("bytes in the token", "tokens in the corpus")
TOKENS = _lengths("tokens in the word", "words in the corpus")

EXPECTED, SAVED = "count × PMI", "saved at fixed width, after its table row"


def _worth() -> dict[str, Any]:
    domain = [EXPECTED, SAVED]
    legend = alt.Legend(**_LEGEND)
    base = alt.Chart(_CURVE)
    zero = base.mark_rule(color=charts.QUIET).encode(y=alt.datum(0))
    points = base.mark_point(filled=True, opacity=0.9).encode(
        x=_x("merge"),
        y=alt.Y(
            "value:Q",
            axis=alt.Axis(title="bits", format=",~r", tickCount=5),
            scale=alt.Scale(padding=8),  # a point at the edge would be cut
        ),
        color=alt.Color(
            "series:N",
            scale=alt.Scale(domain=domain, range=[charts.SERIES[3], charts.SERIES[1]]),
            legend=legend,
        ),
        size=alt.Size(
            "series:N", scale=alt.Scale(domain=domain, range=[110, 40]), legend=None
        ),  # a square on a circle leaves both to be seen
        shape=alt.Shape(
            "series:N", scale=alt.Scale(domain=domain, range=["circle", "square"]), legend=legend
        ),
        tooltip=_TIP,
    )
    return _finished(alt.layer(zero, points), 280)


WORTH = _worth()


# --- rows ---------------------------------------------------------------------------------------


def curve(
    values: Sequence[float | None],
    series: str,
    *,
    best: int | None = None,
    keep: Collection[int] = (),
    per_symbol: bool = False,
) -> list[dict[str, Any]]:
    """Rows of one series over k; ``best`` is its marked point; values that are not defined are left out."""
    rows = []
    for k in sampled(len(values), POINTS, {*keep, *([] if best is None else [best])}):
        value = values[k]
        if value is None:
            continue
        role = "best" if k == best else "curve"
        mark = f"{BEST}, " if k == best else ""
        figure = f"{rate(value)} {series}" if per_symbol else f"{bits(value)} bits, {series}"
        text = f"{mark}k = {k:,}: {figure}"
        dot = "yes" if len(values) <= DOTS else "no"
        rows.append({"k": k, "value": float(value), "series": series, "role": role, "dot": dot, "text": text})
    return rows


def level(value: float, series: str, last: int) -> list[dict[str, Any]]:
    """Rows of a value that does not depend on k."""
    text = f"{series}: {bits(value)} bits"
    return [
        {"k": k, "value": value, "series": series, "role": "curve", "dot": "no", "text": text}
        for k in sorted({0, last})
    ]


def now(k: int, series: str) -> list[dict[str, Any]]:
    """The row of the upright rule at the current k; ``series`` is one of the chart's, to keep its legend."""
    return [{"k": k, "value": 0.0, "series": series, "role": NOW, "dot": "no", "text": f"now: k = {k:,}"}]


def part_rows(text_bits: Sequence[int], totals: Sequence[int], k: int, best: int | None) -> pd.DataFrame:
    """Rows for PARTS: two for every k that is drawn."""
    rows = []
    for i in sampled(len(totals), charts.BARS, {k} if best is None else {k, best}):
        table = totals[i] - text_bits[i]
        mark = f", {BEST}" if i == best else ""
        text = f"k = {i:,}{mark}: text {bits(text_bits[i])} + table {bits(table)} = {bits(totals[i])} bits"
        for order, (part, value) in enumerate(((TEXT, text_bits[i]), (TABLE, table))):
            is_now = "yes" if i == k else "no"
            rows.append({"k": i, "value": value, "part": part, "order": order, "now": is_now, "text": text})
    return pd.DataFrame(rows)


def length_rows(distribution: dict[int, int], what: str, unit: str) -> pd.DataFrame:
    """Rows for CHARACTERS, BYTES or TOKENS: lengths in order; gaps are kept while all lengths are short."""
    gaps = max(distribution, default=0) <= LENGTHS
    kept = [(length, count) for length, count in distribution.items() if count or gaps][:LENGTHS]
    return pd.DataFrame(
        {
            "k": [length for length, _ in kept],
            "value": [count for _, count in kept],
            "text": [f"{many(count, what)} of {many(length, unit)}" for length, count in kept],
        }
    )


def worth_rows(worth: Sequence[float | None], saved: Sequence[int]) -> pd.DataFrame:
    """Rows for WORTH, two for every merge that is drawn."""
    rows = []
    for i in sampled(len(saved), charts.BARS):
        for series, value in ((EXPECTED, worth[i]), (SAVED, saved[i])):
            if value is not None:
                text = f"merge {i + 1:,}: {bits(value)} bits, {series}"
                rows.append(
                    {"k": i + 1, "value": float(value), "series": series, "role": "curve", "text": text}
                )
    return pd.DataFrame(rows)


def draw(
    rows: pd.DataFrame | list[dict[str, Any]], spec: dict[str, Any], *, key: str, alt: str, **more: Any
) -> None:
    """``charts.draw`` with rows as they come from the functions above."""
    charts.draw(pd.DataFrame(rows), spec, key=key, alt=alt, **more)
