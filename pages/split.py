"""Split: how new text is encoded, merge by merge, and why every boundary stands. Ids there and back."""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core.alphabet import Unit
from ui import align, explain
from ui import lab as labs
from ui.downloads import copy_button
from ui.live_text import live_text
from ui.notes import note
from ui.say import say, strong, tok
from ui.stations import around, station_of, stations
from ui.tiles import tiles

#: Tokens whose boundaries can be picked; the rest of a long text is counted.
PICKABLE = 600
#: Ids written out on the page; the copy button gives all of them.
IDS_SHOWN = 400

lab = labs.current()
trainer = labs.trainer_for(lab)
known = labs.learned_enough(trainer, lab.k)
whole = explain.whole_tokenizer(lab, trainer)


def set_k(k: int) -> None:
    """Move the lab to k merges; the split, the ids and the reasons follow."""
    labs.update(k=max(0, min(k, known)))


st.title("How does new text split, and why just there?")
say(
    [
        "Encoding learns nothing and counts nothing. The merges learned from the training text are replayed "
        "in the order they were learned, inside each word; what no merge has joined by the end stays apart. "
        "Pick any boundary below to read why it is still there."
    ],
    key="split_intro",
    live=False,
)
note(labs.notices(), "warn")
say([(line, "quiet") for line in explain.lab_parts(lab, trainer)], key="split_lab", live=False)

text = live_text("New text", lab.new_text, key="split_text", rows=2, placeholder="Type or paste any text")
if text != lab.new_text:
    labs.update(new_text=text)
    lab = labs.current()
if not text:
    st.button(
        "Try “the maker baked cakes”",
        key="split_try",
        on_click=lambda: labs.update(new_text=labs.PRESETS[labs.DEFAULT_PRESET].new_text),
    )

# --- which merges are in use ---------------------------------------------------------------------

trace = explain.remembered("trace", (lab.training_key, known, text), lambda: whole.trace(text))
stops = sorted({stage.number for stage in trace.stages})
earlier = max((stop for stop in stops if stop < lab.k), default=None)
later = min((stop for stop in stops if stop > lab.k), default=None)

if known:
    st.slider(
        "Merges in use, k",
        0,
        known,
        key=labs.sync("split_k", lab.k),
        on_change=lambda: set_k(st.session_state["split_k"]),
        help="The text is shown as the first k merges leave it.",
    )
with st.container(horizontal=True, vertical_alignment="center"):
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
    st.toggle(
        "Start from UTF-8 bytes",
        key=labs.sync("split_bytes", lab.unit is Unit.BYTE),
        on_change=lambda: labs.update(
            unit=Unit.BYTE if st.session_state["split_bytes"] else Unit.CHAR, k=lab.k
        ),
    )
if not known:
    note(
        "This corpus has no merge to replay, so every text stays in single units. "
        "Choose another training text on the Train page."
    )

# --- the split -----------------------------------------------------------------------------------

tokenizer = whole.at(lab.k)
state = (lab.training_key, lab.k, known, text)
words = explain.remembered("split_words", state, lambda: tokenizer.tokenize_words(text))
tokens = [token for word in words for token in word]
boundaries = explain.remembered("split_boundaries", state, lambda: tokenizer.boundaries(text))
shown = boundaries[: PICKABLE - 1]

st.subheader("The split" if lab.k == known else f"The split after {explain.many(lab.k, 'merge')}")
parts = explain.split_parts(tokens, text, len(words)) if text else ["Type a text above to see it split."]
if tokens:
    parts = [*parts, *explain.steps_parts(trace, lab.k)]
say(parts, key="split_says", lines=1)

ends = explain.places(words)
at_place = {place: flat for flat, place in enumerate(ends[:-1])}
remembered_place: int | None = st.session_state.get("split_boundary")
chosen = at_place.get(remembered_place) if remembered_place is not None else None
first_look = remembered_place is None or (ends and remembered_place >= ends[-1]) or not ends
if first_look:
    chosen = explain.telling(shown)

if tokens:
    visible: list[list[Any]] = []
    room = PICKABLE
    for word in words:
        visible.append(word[:room])
        room -= len(visible[-1])
        if room <= 0:
            break
    picked = tiles(
        visible,
        key="split_tiles",
        label="The new text as tokens; between them, boundaries to pick",
        newest=trainer.steps[lab.k - 1].token if lab.k else None,
        pick="boundary",
        chosen=chosen,
        gaps={boundary.index: explain.GAP_STYLE[boundary.reason] for boundary in shown},
        gap_names={boundary.index: explain.gap_name(boundary) for boundary in shown},
        facts=explain.token_facts(tokenizer),
        total=len(tokens),
    ).boundary
    if picked is not None and picked < len(shown):
        st.session_state["split_boundary"] = ends[picked]
        st.rerun()
    if chosen is not None and chosen < len(boundaries):
        why = explain.boundary_parts(boundaries[chosen])
    elif len(tokens) == 1:
        why = ["The whole text is a single token, so there is no boundary to explain."]
    elif remembered_place is not None:
        inside = next(flat for flat, end in enumerate(ends) if end > remembered_place)
        made = explain.made_by(tokenizer, tokens[inside])
        why = ["At this k the boundary you picked is gone: it lies inside ", tok(tokens[inside])]
        why += [f" (made by {made})." if made else "."]
    else:
        why = []
    say(why, key="split_why", lines=2)
    legend = "Double line: the edge of a word. Dashed: a merge exists but did not act here. Dotted: no rule."
    say([(legend, "quiet")], key="split_legend", live=False)

round_trip = explain.round_trip_parts(tokenizer, tokens, text)
if round_trip:
    say(round_trip, key="split_round_trip", live=False)

# --- characters that are cut ---------------------------------------------------------------------

if lab.unit is Unit.BYTE and tokens:
    rows = align.lined_up(tokenizer, tokens, text, key=state)
    cut = align.cut_clusters(rows)
    if cut:
        st.subheader("Characters cut by a token’s edge")
        align.picture(
            rows,
            tokenizer,
            clusters=cut,
            name=text,
            key="split_cut",
            label="Characters whose bytes lie in more than one token, with their bytes and tokens",
        )
if not text.isascii():
    labs.link_to("bytes.py", "Look at every character of this text as bytes")

# --- stations ------------------------------------------------------------------------------------

if tokens and len(trace.stages) > 1:
    st.subheader("How it came to this")
    idle = trace.unchanged
    summary = f"{explain.many(len(stops) - 1, 'merge')} of {known:,} change something in this text; "
    say(
        [
            summary
            + (f"the other {idle:,} find nothing to do here and are left out." if idle else "none is idle.")
        ],
        key="split_stations_say",
        live=False,
    )
    drawn, rest = around(trace.stages, lab.k)
    goto = stations(
        [station_of(trace, stage, whole) for stage in drawn],
        key="split_stations",
        label="Stations: the merges that change something, in order",
        now=lab.k,
        rest=rest,
    )
    if goto is not None and goto != lab.k:
        set_k(goto)
        st.rerun()
elif tokens and known:
    note("No merge of this training text changes anything in the new text, so there is no station to show.")

# --- ids -----------------------------------------------------------------------------------------

st.subheader("Ids, there and back")
there, back = st.columns(2, gap="medium")
ids = [token.id for token in tokens]
written = [str(id) if id is not None else "?" for id in ids]
with there:
    if ids:
        say(
            [f"The {explain.many(len(ids), 'token')} as ids:" if len(ids) > 1 else "The token as an id:"],
            key="split_ids_say",
            live=False,
        )
        st.code(" ".join(written[:IDS_SHOWN]), language=None, wrap_lines=True)
        if len(ids) > IDS_SHOWN:
            rest_ids = f"Showing the first {IDS_SHOWN:,} of {len(ids):,} ids; copying gives all of them."
            say([(rest_ids, "quiet")], key="split_ids_rest", live=False)
        if None in ids:
            unseen = "? stands for a character never seen in training: it has no id."
            say([(unseen, "quiet")], key="split_ids_unseen", live=False)
        copy_button("Copy ids", " ".join(written), key="split_copy")
        st.button(
            "Decode these ids",
            key="split_use",
            on_click=lambda: st.session_state.update(split_ids=" ".join(written)),
        )
    else:
        say(["No tokens, so no ids."], key="split_ids_say", live=False)
with back:
    given = live_text(
        "Ids to decode",
        st.session_state.get("split_ids", ""),
        key="split_ids_box",
        rows=3,
        placeholder="Numbers separated by spaces or commas",
    )
    st.session_state["split_ids"] = given
    wanted = explain.read_ids(given, tokenizer, whole)
    note(wanted.named, "warn")
    if wanted.ids:
        chosen_tokens = [tokenizer.token(id) for id in wanted.ids]
        decoded = tokenizer.decode_checked(wanted.ids)
        say(
            [
                strong("Decoded: " if not wanted.faults else "The other ids decode to: "),
                tok(decoded.text, 200) if decoded.text else "nothing that can be seen",
            ],
            key="split_decoded",
        )
        if not decoded.valid:
            say(
                [
                    f"{explain.many(decoded.replaced, 'place')} cannot be read as UTF-8: the bytes there are "
                    "not whole characters, and U+FFFD stands for them."
                ],
                key="split_decoded_bad",
                live=False,
            )
        tiles(
            [chosen_tokens],
            key="split_decoded_tiles",
            label="The decoded tokens",
            close=True,
            facts=explain.token_facts(tokenizer),
        )
    elif not given.strip():
        size = tokenizer.vocabulary_size
        if size:
            say(
                [
                    f"At k = {lab.k:,} the ids are 0 to {size - 1:,}; the last one is ",
                    tok(tokenizer.token(size - 1)),
                    ".",
                ],
                key="split_ids_hint",
                live=False,
            )

labs.link_to("train.py", "Back to Train: change the training text or learn more merges")
