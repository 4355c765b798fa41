"""Split: how new text is encoded, merge by merge, and why every boundary stands. Ids there and back.

The lab's k says how many merges are in use; the split, the reasons and the ids follow it. Everything shown is
asked of the core; this file only places it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from bpe_core.alphabet import Token, Unit
from bpe_core.encoding import Tokenizer
from bpe_core.trace import Boundary, Trace
from bpe_core.training import Trainer
from ui import align, explain
from ui import lab as labs
from ui.downloads import copy_button
from ui.figures import many
from ui.lab_bar import k_slider, lab_line, onward
from ui.live_text import live_text
from ui.notes import note
from ui.remembered import remembered
from ui.say import Part, say, strong, tok
from ui.stations import around, station_of, stations
from ui.tiles import first_tokens, tiles

#: Tokens whose boundaries can be picked; the rest of a long text is counted.
PICKABLE = 600
#: Ids written out on the page; the copy button gives all of them.
IDS_SHOWN = 400


@dataclass(frozen=True, slots=True)
class Split:
    """The new text as the first k merges leave it, and how it comes to that."""

    text: str
    words: list[list[Token]]
    tokens: list[Token]
    boundaries: list[Boundary]
    trace: Trace


def split_of(text: str, whole: Tokenizer, tokenizer: Tokenizer, key: tuple[object, ...]) -> Split:
    """The split, from the session where it has not changed; ``key`` says what it depends on."""

    def make() -> Split:
        words = tokenizer.tokenize_words(text)
        tokens = [token for word in words for token in word]
        trace = remembered("trace", (key, text), lambda: whole.trace(text))
        return Split(text, words, tokens, tokenizer.boundaries(text), trace)

    return remembered("split", (key, text, tokenizer.limit), make)


def main() -> None:
    """The page from top to bottom."""
    lab = labs.current()
    trainer = labs.trainer_for(lab)
    known = labs.learned_enough(trainer, lab.k)
    whole = labs.whole_tokenizer(lab, trainer)
    tokenizer = whole.at(lab.k)
    st.title("How does new text split, and why just there?")
    say(
        [
            "Encoding learns nothing and counts nothing. The merges learned from the training text are "
            "replayed in the order they were learned, inside each word; what no merge has joined by the end "
            "stays apart. Pick any boundary below to read why it is still there."
        ],
        key="split_intro",
        live=False,
    )
    note(labs.notices(), "warn")
    lab_line(lab, key="split_lab")

    text = text_box(lab.new_text)
    split = split_of(text, whole, tokenizer, (lab.training_key, known))
    controls(lab, trainer, split.trace)
    newest = trainer.steps[lab.k - 1].token if lab.k else None
    st.subheader("The split" if lab.k == known else f"The split after {many(lab.k, 'merge')}")
    the_split(split, tokenizer, newest)
    if lab.unit is Unit.BYTE:
        cut_characters(split, tokenizer, (lab.training_key, known, lab.k))
    the_stations(split, whole, lab.k, known)
    ids_there_and_back(split, tokenizer, whole)
    onward(
        ("bytes.py", "What are this text’s characters as bytes?"),
        ("compare.py", "How would other ways cut it?"),
        ("real.py", "How does GPT-4o split it?"),
    )


def set_k(k: int) -> None:
    """Move the lab to k merges."""
    labs.update(k=max(0, k))


def text_box(text: str) -> str:
    """The new text, shared with the other pages; an empty box offers the article's example."""
    typed = live_text("New text", text, key="split_text", rows=2, placeholder="Type or paste any text")
    if typed != text:
        labs.update(new_text=typed)
    if not typed:
        example = labs.PRESETS[labs.DEFAULT_PRESET].new_text
        st.button(f"Try “{example}”", key="split_try", on_click=lambda: labs.update(new_text=example))
    return typed


def controls(lab: labs.Lab, trainer: Trainer, trace: Trace) -> None:
    """The slider over every k, and the buttons that stop only where something changes."""
    stops = {stage.number for stage in trace.stages}
    earlier = max((stop for stop in stops if stop < lab.k), default=None)
    later = min((stop for stop in stops if stop > lab.k), default=None)
    known = len(trainer.steps)
    k_slider(lab, trainer, key="split_k")
    if not known:
        note(
            "This corpus has no merge to replay, so every text stays in single units. "
            "Choose another training text on the Train page."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if known:
            st.button(
                "◂ Earlier change",
                key="split_earlier",
                disabled=earlier is None,
                on_click=lambda: set_k(earlier or 0),
                help="Go back to the last merge before this k that changed something in the text.",
            )
            st.button(
                "Later change ▸",
                key="split_later",
                disabled=later is None,
                on_click=lambda: set_k(later or 0),
                help="Go on to the next merge that changes something in the text.",
            )

        def switch() -> None:
            labs.update(unit=Unit.BYTE if st.session_state["split_bytes"] else Unit.CHAR, k=lab.k)

        key = labs.sync("split_bytes", lab.unit is Unit.BYTE)
        st.toggle("Start from UTF-8 bytes", key=key, on_change=switch, disabled=lab.locked)


def the_split(split: Split, tokenizer: Tokenizer, newest: int | None) -> None:
    """The tokens with their boundaries, the reason of the picked one, and what decoding gives back."""
    tokens, boundaries = split.tokens, split.boundaries
    if not split.text:
        note("There is no text to split. Type one above.", "empty")
        return
    summary = explain.split_parts(tokens, split.text, len(split.words))
    if tokens:
        summary += explain.steps_parts(split.trace, tokenizer.limit)
    say(summary, key="split_says", lines=1)
    if tokens:
        ends = explain.places(split.words)
        chosen = chosen_boundary(boundaries, ends, tokenizer.alphabet.unit)
        shown = boundaries[: PICKABLE - 1]
        picked = tiles(
            first_tokens(split.words, PICKABLE),
            key="split_tiles",
            label="The new text as tokens; between them, boundaries to pick",
            newest=newest,
            pick="boundary",
            chosen=chosen,
            gaps={boundary.index: explain.GAP_STYLE[boundary.reason] for boundary in shown},
            gap_names={boundary.index: explain.gap_name(boundary) for boundary in shown},
            facts=explain.token_facts(tokenizer),
            total=len(tokens),
        ).boundary
        if picked is not None and picked < len(boundaries):
            st.session_state["split_boundary"] = (tokenizer.alphabet.unit, ends[picked])
            st.rerun()
        say(why(split, tokenizer, chosen, ends), key="split_why", lines=2)
        legend = "Double line: the edge of a word. Dashed: a merge exists but did not act. Dotted: no rule."
        say([(legend, "quiet")], key="split_legend", live=False)
    round_trip = explain.round_trip_parts(tokenizer, tokens, split.text)
    if round_trip:
        say(round_trip, key="split_round_trip", live=False)


def picked_place(ends: Sequence[int], unit: Unit) -> int | None:
    """The place of the boundary that the reader picked, if this text reaches so far."""
    held, place = st.session_state.get("split_boundary", (None, 0))
    return place if held is unit and ends and place < ends[-1] else None


def chosen_boundary(boundaries: Sequence[Boundary], ends: Sequence[int], unit: Unit) -> int | None:
    """The boundary to explain: the picked one, None if a merge has closed it, or one with much to tell."""
    place = picked_place(ends, unit)
    if place is None:
        return explain.telling(boundaries[: PICKABLE - 1])
    return ends.index(place) if place in ends else None


def why(split: Split, tokenizer: Tokenizer, chosen: int | None, ends: Sequence[int]) -> list[Part]:
    """Why the chosen boundary stands, or what became of it."""
    if chosen is not None:
        return explain.boundary_parts(split.boundaries[chosen])
    place = picked_place(ends, tokenizer.alphabet.unit)
    if place is None:
        return ["The whole text is a single token, so there is no boundary to explain."]
    token = split.tokens[next(flat for flat, end in enumerate(ends) if end > place)]
    made = explain.made_by(tokenizer, token)
    return [
        "At this k the boundary you picked is closed: it lies inside ",
        tok(token),
        f", made by {made}." if made else ".",
    ]


def cut_characters(split: Split, tokenizer: Tokenizer, key: tuple[object, ...]) -> None:
    """Characters whose bytes lie in several tokens, each whole beside its bytes."""
    rows = align.lined_up(tokenizer, split.tokens, split.text, key=(key, split.text))
    cut = align.cut_clusters(rows)
    if not cut:
        return
    st.subheader("Characters cut by a token’s edge")
    align.picture(
        rows,
        tokenizer,
        key="split_cut",
        label="Characters whose bytes lie in more than one token, with their bytes and tokens",
        clusters=cut,
        name=split.text,
        rest=align.rest_of(rows, split.text),
    )


def the_stations(split: Split, whole: Tokenizer, k: int, known: int) -> None:
    """The merges that change something in this text, in order; picking one moves k there."""
    if not split.tokens or not known:
        return
    st.subheader("How it came to this")
    say(explain.stations_parts(split.trace, known), key="split_stations_say", live=False)
    drawn, rest = around(split.trace.stages, k)
    picked = stations(
        [station_of(split.trace, stage, whole) for stage in drawn],
        key="split_stations",
        label="Stations: the merges that change something, in order",
        now=k,
        rest=rest,
    )
    if picked is not None and picked != k:
        set_k(picked)
        st.rerun()


def ids_there_and_back(split: Split, tokenizer: Tokenizer, whole: Tokenizer) -> None:
    """The tokens as ids to copy, and ids to decode."""
    st.subheader("Ids, there and back")
    there, back = st.columns(2, gap="medium")
    written = [str(token.id) if token.known else "?" for token in split.tokens]
    with there:
        count = len(written)
        heading = f"The {many(count, 'token')} as ids:" if count else "No tokens, so no ids."
        say([heading], key="split_ids_say", live=False)
        if count:
            st.code(" ".join(written[:IDS_SHOWN]), language=None, wrap_lines=True)
            hints = []
            if count > IDS_SHOWN:
                hints.append(f"Showing the first {IDS_SHOWN:,} of {count:,}; copying gives all of them. ")
            if "?" in written:
                hints.append("? stands for a character never seen in training: it has no id.")
            if hints:
                say([(hint, "quiet") for hint in hints], key="split_ids_hints", live=False)
            with st.container(horizontal=True, vertical_alignment="center"):
                copy_button("Copy ids", " ".join(written), key="split_copy")
                st.button(
                    "Decode these ids",
                    key="split_use",
                    on_click=lambda: st.session_state.update(split_ids=" ".join(written)),
                )
    with back:
        decode_box(tokenizer, whole)


def decode_box(tokenizer: Tokenizer, whole: Tokenizer) -> None:
    """Ids in, text out; every item that is no id is named, and what was typed stays."""
    typed = live_text(
        "Ids to decode",
        st.session_state.get("split_ids", ""),
        key="split_ids_box",
        rows=3,
        limit=200_000,
        placeholder="Numbers separated by spaces or commas",
    )
    st.session_state["split_ids"] = typed
    given = explain.read_ids(typed, tokenizer, whole)
    note(given.named, "warn")
    if given.ids:
        decoded = tokenizer.decode_checked(given.ids)
        intro = "The other ids decode to " if given.faults else "Decoded: "
        text = tok(decoded.text, 200) if decoded.text else "nothing that can be seen."
        say([strong(intro), text], key="split_decoded")
        if not decoded.valid:
            say(
                [
                    f"{many(decoded.replaced, 'place')} cannot be read as UTF-8: the bytes there "
                    "are not whole characters; ⟨U+FFFD⟩ stands for them."
                ],
                key="split_decoded_bad",
                live=False,
            )
        tiles(
            [[tokenizer.token(id) for id in given.ids]],
            key="split_decoded_tiles",
            label="The decoded tokens",
            close=True,
            facts=explain.token_facts(tokenizer),
        )
    elif not typed.strip() and tokenizer.vocabulary_size:
        last = tokenizer.vocabulary_size - 1
        hint: list[Part] = [f"At k = {tokenizer.limit:,} the ids are 0 to {last:,}; the last one is "]
        say([*hint, tok(tokenizer.token(last)), "."], key="split_ids_hint", live=False)


main()
