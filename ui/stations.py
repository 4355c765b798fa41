"""Encoding as a row of stations: one for each merge that changed something, with the text as it was after it.

    k = stations(rows, key="stations", label="…", now=5, rest="…")     the k whose station was picked, or None

A long text is shown in excerpts (the words a merge changed, around the new token), a long row of stations
around the place where the reader is. Everything is drawn as text, never as HTML.

Not here: what encoding does (``bpe_core.trace``), the sentences around it (`explain`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe_core.alphabet import Token
from bpe_core.display import describe
from bpe_core.encoding import Tokenizer
from bpe_core.trace import Stage, Trace

from .explain import drawn_label
from .figures import many
from .parts import read

# The tiles look as they do everywhere, so this component has their style as well as its own.
_row = st.components.v2.component(
    "bpe_stations", js=read("stations.js"), css=read("tiles.css") + read("stations.css")
)

#: Stations drawn at most.
STATIONS = 30
#: A text of at most this many units is drawn whole at every station.
WHOLE_TEXT = 160
#: Of a longer text: words and tiles at a station.
WORDS = 6
TILES = 40


@dataclass(frozen=True, slots=True)
class Station:
    """One stop: its merge number (0 at the start), the pair and the token it made, figures, and the words."""

    k: int
    pair: tuple[Token, Token] | None
    made: Token | None
    figures: str
    words: tuple[tuple[Token, ...], ...]
    more: str = ""


def around(stages: Sequence[Stage], k: int, limit: int = STATIONS) -> tuple[list[Stage], str]:
    """The stages to draw when the reader is at ``k``, and a sentence about the rest."""
    if len(stages) <= limit:
        return list(stages), ""
    here = sum(1 for stage in stages if stage.number <= k) - 1
    first = max(0, min(here - limit // 2, len(stages) - limit))
    rest = f"Showing stations {first + 1:,} to {first + limit:,} of {len(stages):,}; move k to see others."
    return list(stages[first : first + limit]), rest


def station_of(trace: Trace, stage: Stage, tokenizer: Tokenizer) -> Station:
    """What to draw for one stage; ``tokenizer`` knows all merges."""
    name = tokenizer.token
    pair = None
    if stage.left is not None and stage.right is not None:
        pair = (name(stage.left), name(stage.right))
    made = name(stage.token) if stage.token is not None else None
    figures = many(stage.length, "token")
    if stage.index:
        before = trace.stages[stage.index - 1].length
        times = many(stage.replacements, "replacement")
        figures = f"{times}, {before:,} → {many(stage.length, 'token')}"
    words, more = _excerpt(trace, stage)
    drawn = tuple(tuple(name(id) for id in word) for word in words)
    return Station(stage.number, pair, made, figures, drawn, more)


def _excerpt(trace: Trace, stage: Stage) -> tuple[list[tuple[int, ...]], str]:
    """Token ids of the words to draw, and what is left out."""
    if trace.stages[0].length <= WHOLE_TEXT:
        return list(stage.words), ""
    shown = stage.changed[:WORDS] if stage.index else tuple(range(min(WORDS, len(trace.words))))
    words: list[tuple[int, ...]] = []
    room = TILES
    cut = False
    for position in shown:
        if room <= 0:
            cut = True
            break
        ids = trace.word_at(stage.index, position)
        first = 0
        if stage.token in ids and len(ids) > room:
            first = max(0, min(ids.index(stage.token) - room // 2, len(ids) - room))
        words.append(ids[first : first + room])
        cut = cut or len(ids) > room
        room -= len(words[-1])
    if not stage.index:
        return words, "the start of the text"
    hidden = len(stage.changed) - len(words)
    changed = f"{many(len(words), 'changed word')} shown" + (f", {hidden:,} more" if hidden else "")
    return words, changed + (", in part" if cut else "")


def stations(rows: Sequence[Station], *, key: str, label: str, now: int, rest: str = "") -> int | None:
    """Draw the stations; ``now`` is the k in use. Returns the k of a station picked in this run."""
    kinds: list[dict[str, Any]] = []
    index: dict[tuple[int | None, bytes, bool], int] = {}

    def kind(token: Token) -> int:
        sign = (token.id, token.data, token.ends_word)
        if sign not in index:
            index[sign] = len(kinds)
            kinds.append(
                {
                    "label": drawn_label(token, 40),
                    "hue": token.id,
                    "part": token.text is None,
                    "plain": _plain(token),
                }
            )
        return index[sign]

    here = max((row.k for row in rows if row.k <= now), default=None)
    data = {
        "label": label,
        "kinds": kinds,
        "rest": rest,
        "rows": [
            {
                "k": row.k,
                "name": f"Merge {row.k:,}" if row.k else "Start",
                "pair": [kind(token) for token in row.pair] if row.pair else None,
                "made": kind(row.made) if row.made else None,
                "figures": row.figures,
                "words": [[kind(token) for token in word] for word in row.words],
                "spoken": "; ".join(
                    ", ".join(_plain(token) for token in word[:TILES]) for word in row.words[:12]
                ),
                "more": row.more,
                "state": "now" if row.k == here else "past" if row.k < now else "later",
            }
            for row in rows
        ],
    }
    result = _row(key=key, data=data, on_k_change=_ignore)
    picked = result.get("k")
    return picked if type(picked) is int and any(row.k == picked for row in rows) else None


def _plain(token: Token) -> str:
    return describe(token, 40)


def _ignore() -> None:
    """The pick is read from the component's result; nothing happens in the callback."""
