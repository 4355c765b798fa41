"""Tokens as tiles: the one tile component, used by every page.

    tiles([[token, token], …], key="strip", label="The review as tokens")          a strip to look at
    tiles(words, key="corpus", label="…", counts=[1, 2], ring=(0, 7), newest=16)    the Train page
    picked = tiles(words, key="t", label="…", pick="tile", chosen=3).picked         which tile was clicked
    at = tiles(words, key="b", label="…", pick="boundary", gaps=styles).boundary    which boundary was clicked
    both = tiles(words, key="p", label="…", pick="pair")                            a tile or a boundary
    cuts = cut_tiles("unbakeable", key="cut", label="Cut the word", cuts=set())     cuts between letters

A *flat* index counts tiles from 0 over all words in the order given; boundary i lies between tile i and
tile i + 1. ``picked`` and ``boundary`` are None except in the one run that the click causes: put them in
``st.session_state`` if the page should remember them. Without Python asking for clicks, hovering, focusing or
tapping a tile still shows its details, and the arrow keys move between tiles.

Everything shown comes from ``bpe_core.display`` labels and goes into the page as text, never as HTML. Order
on screen is the order of the tokens, also for right-to-left scripts.

Not here: which pair is next, what a token's count is (the core), colours and motion (`assets/tiles.css`,
`.js`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import streamlit as st

from bpe_core import display
from bpe_core.alphabet import Token, Unit
from bpe_core.display import PartKind

from .parts import component

_board = component("tiles")
_T = TypeVar("_T")

#: How many tiles are drawn at most; the rest is counted in words.
TILE_LIMIT = 2_000
#: What so many tokens look like is kept for the session, since a step changes few of those that are shown;
#: not that of tokens of more bytes.
_KEPT_LOOKS = 8_000
_KEPT_BYTES = 1_024

#: More lines for the details card of a token: (name, value) pairs of plain text.
Facts = Callable[[Token], Sequence[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Picked:
    """What the reader clicked in this run, as flat indices; None where nothing was."""

    picked: int | None = None
    boundary: int | None = None


def first_tokens(words: Iterable[Sequence[_T]], limit: int) -> list[Sequence[_T]]:
    """The words from the start on, ``limit`` tokens at most; the last word may be cut.

    >>> first_tokens(["ab", "cde", "f"], 4)
    ['ab', 'cd']
    """
    found: list[Sequence[_T]] = []
    for word in words:
        if limit <= 0:
            break
        found.append(word[:limit])
        limit -= len(word)
    return found


def ring_positions(words: Sequence[Sequence[Token]], pair: tuple[int, int] | None) -> list[int]:
    """The flat index of every left tile whose pair would be replaced: left to right, never overlapping.

    >>> a, b = Token(0, b"a", Unit.CHAR), Token(1, b"b", Unit.CHAR)
    >>> ring_positions([[a, a, a], [a, b]], (0, 0))
    [0]
    """
    if pair is None:
        return []
    found: list[int] = []
    start = 0
    for word in words:
        i = 0
        while i + 1 < len(word):
            if word[i].id == pair[0] and word[i + 1].id == pair[1]:
                found.append(start + i)
                i += 1
            i += 1
        start += len(word)
    return found


def tiles(
    words: Sequence[Sequence[Token]],
    *,
    key: str,
    label: str,
    counts: Sequence[int] | None = None,
    ring: tuple[int, int] | None = None,
    newest: int | None = None,
    lit: Collection[int] = (),
    pick: Literal["none", "details", "tile", "boundary", "pair"] = "details",
    chosen: int | None = None,
    gaps: Mapping[int, str] | None = None,
    gap_names: Mapping[int, str] | None = None,
    facts: Facts | None = None,
    total: int | None = None,
    close: bool = False,
    empty: str = "There are no tokens to show.",
) -> Picked:
    """Draw ``words`` (each a sequence of tokens) as tiles.

    ``key``        unique on the page; keep it while the strip is the same, so that it changes in place
    ``label``      what the strip is, for screen readers, in our own words
    ``counts``     one count a word; drawn as ×2 after the word, left out when it is 1
    ``ring``       the pair of ids that merges next: its occurrences are outlined
    ``newest``     the id the last merge made: marked in the accent, sliding together where motion is allowed
    ``lit``        flat indices to light up (what belongs to something picked elsewhere)
    ``pick``       "none": a plain strip, nothing takes focus (for many short strips on a page)
                   "details": focus, arrow keys and the details card
                   "tile": as details, and clicks are reported
                   "boundary": the boundaries take focus and clicks
                   "pair": as tile, and the boundaries take clicks too
    ``chosen``     the flat index of the tile (with "boundary": the boundary) that the page shows as picked
    ``gaps``       with "boundary": a style for a boundary: "wall", "no-rule" or "too-late" (walls between
                   words are drawn without being told)
    ``gap_names``  with "boundary": what a screen reader says at it
    ``facts``      more lines for the details card of a token
    ``total``      how many tokens there are when ``words`` is not all of them, for "showing x of y"
    ``close``      no space between words (a text whose words carry their own spaces)
    ``empty``      what to say when there is no token
    """
    kinds: list[dict[str, Any]] = []
    index: dict[tuple[int | None, bytes, bool], int] = {}
    drawn: list[dict[str, Any]] = []
    shown_count = 0
    shown = first_tokens(words, TILE_LIMIT)
    for place, word in enumerate(shown):
        row: list[int] = []
        for token in word:
            sign = (token.id, token.data, token.ends_word)
            if sign not in index:
                index[sign] = len(kinds)
                kinds.append(_kind(token, facts, pick))
            row.append(index[sign])
        shown_count += len(row)
        count = counts[place] if counts is not None else 1
        name = f"word {place + 1}" + (f", occurs {count:,} times" if count > 1 else "")
        drawn.append({"t": row, "n": f"×{count:,}" if count > 1 else None, "name": name})
    everything = total if total is not None else sum(map(len, words))
    ringed = ring_positions(shown, ring)
    with_gaps = pick in ("boundary", "pair")
    data = {
        "mode": "show",
        "label": label,
        "kinds": kinds,
        "words": drawn,
        "ring": ringed,
        "newest": newest,
        "newest_kind": next(
            (i for sign, i in index.items() if newest is not None and sign[0] == newest), None
        ),
        "lit": sorted(lit),
        "pick": "tile" if pick == "pair" else pick,
        "quiet": pick == "pair",
        "chosen": chosen if pick != "boundary" else None,
        "chosen_gap": chosen if pick == "boundary" else None,
        "gaps": {str(i): style for i, style in (gaps or {}).items()} if with_gaps else None,
        "gap_names": {str(i): name for i, name in (gap_names or {}).items()} if with_gaps else None,
        "rest": f"Showing the first {shown_count:,} of {everything:,} tokens."
        if everything > shown_count
        else "",
        "close": close,
        "empty": empty,
    }
    result = _board(key=key, data=data, on_picked_change=_ignore, on_boundary_change=_ignore)
    return Picked(_flat(result.get("picked"), shown_count), _flat(result.get("boundary"), shown_count - 1))


def cut_tiles(
    units: Sequence[Token], *, key: str, label: str, cuts: Collection[int] = (), name: str = ""
) -> tuple[int, ...]:
    """One tile a unit, with a switch between every two: the reader cuts the word by clicking or by keyboard.

    Returns the cuts set now, ascending; cut i lies between unit i and unit i + 1. ``cuts`` is how it starts;
    give another ``name`` to start again (another word, a reset). Arrow keys move, Enter or Space cuts.
    """
    state_key = f"{key}_cuts"
    if st.session_state.get(state_key, (None, ()))[0] != name:
        st.session_state[state_key] = (name, tuple(sorted(cuts)))
    kinds: list[dict[str, Any]] = []
    index: dict[bytes, int] = {}
    for unit in units:
        if unit.data not in index or unit.ends_word:
            index[unit.data] = len(kinds)
            kinds.append(_kind(unit, None, "boundary"))
    labels = [display.describe(unit) for unit in units]
    data = {
        "mode": "cut",
        "name": name,
        "label": label,
        "kinds": [kind | {"card": []} for kind in kinds],
        "words": [{"t": [index[unit.data] for unit in units], "n": None, "name": "the word"}],
        "ring": [],
        "newest": None,
        "newest_kind": None,
        "lit": [],
        "pick": "boundary",
        "chosen": None,
        "chosen_gap": None,
        "cuts": list(st.session_state[state_key][1]),
        "gaps": {},
        "gap_names": {
            str(i): f"cut between {left} and {right}"
            for i, (left, right) in enumerate(itertools.pairwise(labels))
        },
        "rest": "",
        "close": True,
        "empty": "There is nothing to cut.",
    }

    def changed() -> None:
        reported = (st.session_state.get(key) or {}).get("cuts")
        given = reported.get("at") if isinstance(reported, dict) and reported.get("name") == name else None
        if isinstance(given, list):
            kept = {cut for cut in given if type(cut) is int and 0 <= cut < len(units) - 1}
            st.session_state[state_key] = (name, tuple(sorted(kept)))

    _board(key=key, data=data, on_cuts_change=changed)
    made: tuple[int, ...] = st.session_state[state_key][1]
    return made


def _ignore() -> None:
    """Clicks are read from the component's result; nothing happens in the callback."""


def _flat(value: object, below: int) -> int | None:
    """A flat index from the browser, or None when it is not one."""
    return value if type(value) is int and 0 <= value < below else None


def _number_of(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _drawn(part: display.LabelPart) -> str:
    """Stray bytes are told apart by their style, so they need no brackets inside a tile."""
    return part.bare if part.kind is PartKind.BYTES else part.text


def _break(drawn: display.Label) -> str | None:
    """Where a line ends: after a token that ends in a line break, else before a token that holds one."""
    breaks = [part.kind is PartKind.NEWLINE for part in drawn.parts]
    return ("after" if breaks[-1] else "before") if any(breaks) else None


def _kind(token: Token, facts: Facts | None, pick: str) -> dict[str, Any]:
    """What one distinct token looks like and says, once for all its tiles."""
    looks: dict[tuple[Token, bool], dict[str, Any]] = st.session_state.setdefault("tile_looks", {})
    sign = (token, pick != "none")
    look = looks.get(sign)
    if look is None:
        look = _look(*sign)
        if len(looks) >= _KEPT_LOOKS:
            looks.clear()
        if len(token.data) <= _KEPT_BYTES:
            looks[sign] = look
    more = facts(token) if facts and pick != "none" else ()
    return {**look, "card": [*look["card"], *((str(name), str(value)) for name, value in more)]}


def _look(token: Token, with_card: bool) -> dict[str, Any]:
    """What a token looks like and says wherever it stands."""
    short = display.label(token, 60)
    card: list[tuple[str, str]] = []
    if with_card:
        card.append(("id", "none: never seen in training" if token.id is None else f"{token.id:,}"))
        if token.ends_word:
            card.append(("marker", "closes a word" if token.data else "the end-of-word marker"))
        if token.data:
            first_bytes = display.hex_bytes(Token(None, token.data[:24], Unit.BYTE))
            card.append(
                (_number_of(len(token.data), "byte"), first_bytes + (" …" if len(token.data) > 24 else ""))
            )
            points = display.code_points(token.data[:160].decode("utf-8", "ignore"))
            if points:
                listed = [f"{point.code} {point.name.lower()}" for point in points[:4]]
                card.append(("code points", "\n".join(listed) + ("\n…" if len(points) > 4 else "")))
            if token.text is None:
                card.append(("note", "not a whole character by itself"))
    goes_on = bool(token.data) and 0x80 <= token.data[0] < 0xC0
    return {
        "label": [[_drawn(part), part.kind.value] for part in short.parts],
        "sign": f"{token.id}/{short.plain}",
        "hue": token.id,
        "says": ("token " if token.known else "unknown token ") + display.describe(token),
        "raw": token.data.decode("utf-8", "replace"),
        "size": len(token.data),
        "part": token.text is None,
        "goes_on": goes_on,
        "breaks": _break(short),
        "card": card,
    }
