"""Bytes: a text down to its code points and bytes, the tokens over them, and GPT-2's alphabet for bytes."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bpe_core.alphabet import Unit
from ui import align, byte_tables, explain
from ui import lab as labs
from ui.downloads import download
from ui.live_text import live_text
from ui.notes import note
from ui.say import Part, say, strong, tok

#: Texts to start from: a label, and what it puts into the box.
SAMPLES = {
    "é": "café",
    "é written two ways": "\u00e9 e\u0301",
    "emoji family": "👨\u200d👩\u200d👧",
    "Hebrew": "שלום",
    "Hindi": "नमस्ते",
    "a letter in halves": "voilà",
}

lab = labs.current()
byte_lab = replace(lab, unit=Unit.BYTE)
trainer = labs.trainer_for(byte_lab)
known = labs.learned_enough(trainer, lab.k)
reach = known if lab.unit is Unit.BYTE else min(known, labs.learned_enough(labs.trainer_for(lab), lab.k))
k = min(lab.k, known)
whole = explain.whole_tokenizer(byte_lab, trainer)
tokenizer = whole.at(k)

# The lab's new text, unless it is a preset's plain one that nobody has touched: there is little to see in it.
untouched = lab.preset is not None and lab.new_text == labs.PRESETS[lab.preset].new_text
if st.session_state.get("bytes_touched") or not untouched or not lab.new_text.isascii():
    start_text = lab.new_text
else:
    start_text = SAMPLES["é"]


def use(text: str) -> None:
    """Make a sample the lab's new text."""
    st.session_state["bytes_touched"] = True
    labs.update(new_text=text)


st.title("What is a text made of, down to its bytes?")
say(
    [
        "A computer stores text as numbers from 0 to 255, its bytes. UTF-8 spells every character with one "
        "to four of them. A tokenizer that starts from bytes needs only 256 units to begin with, and can "
        "read any text ever written."
    ],
    key="bytes_intro",
    live=False,
)
note(labs.notices(), "warn")
if lab.unit is Unit.CHAR:
    note(
        "Your lab starts from characters. This page trains the same corpus from UTF-8 bytes, with the same "
        "settings and the same k, and leaves your lab as it is."
    )

with st.container(horizontal=True):
    for place, (name, sample) in enumerate(SAMPLES.items()):
        st.button(name, key=f"bytes_sample_{place}", on_click=use, args=(sample,))
text = live_text("Text", start_text, key="bytes_text", rows=2, placeholder="Type or paste any text")
if text != start_text:
    use(text)
    lab = labs.current()

if reach:
    st.slider(
        "Merges in use, k",
        0,
        reach,
        key=labs.sync("bytes_k", min(lab.k, reach)),
        on_change=lambda: labs.update(k=st.session_state["bytes_k"]),
        help="Merges join neighbouring bytes into tokens; at 0 every byte is a token.",
    )
else:
    note("This corpus has no merge to learn, so every byte is a token of its own.")

# --- the rows ------------------------------------------------------------------------------------

state = (byte_lab.training_key, k, known, text)
tokens = explain.remembered("byte_tokens", state, lambda: tokenizer.tokenize(text))
rows = align.lined_up(tokenizer, tokens, text, key=state)
shown = sum(len(character.data) for cluster in rows.clusters for character in cluster.characters)
size = len(text.encode("utf-8"))

if text:
    say(byte_tables.size_parts(text, len(tokens), k), key="bytes_sizes", lines=1)
    align.picture(
        rows,
        tokenizer,
        key="bytes_rows",
        label="The text as rows: characters, code points, bytes, tokens. Arrow keys move between them.",
        name=text,
        rest=f"Showing the first {shown:,} of {size:,} bytes." if shown < size else "",
    )
    say(byte_tables.half_parts(rows, k), key="bytes_halves", live=False)
    with st.expander("The same as a table"):
        byte_tables.draw(
            ("character", "code points", "bytes", "GPT-2 writes", "tokens"),
            align.table_of(rows),
            caption="Each character of the text with its code points, bytes and tokens",
        )
        download("Table (CSV)", "bytes.csv", lambda: byte_tables.rows_csv(rows), key="bytes_csv")
else:
    note("There is no text. Type one above, or pick one of the samples.", "empty")

# --- why it always works ---------------------------------------------------------------------------

st.subheader("Why can every text be encoded?")
say(byte_tables.bound_parts(text, len(tokens), trainer, k), key="bytes_bound", live=False)

# --- letters found again by counting ---------------------------------------------------------------

found = explain.remembered(
    "byte_found", (byte_lab.training_key, known), lambda: byte_tables.wide_characters(trainer, whole)
)
met = any(row.character == "é" for row in found.rows)
st.subheader("Which merge finds é again?" if met else "Which merge makes a letter whole again?")
say(byte_tables.found_parts(found, trainer), key="bytes_found", live=False)
if found.rows:
    byte_tables.draw(
        ("character", "code point", "bytes", "in the corpus", "made whole by"),
        byte_tables.found_table(found, whole),
        caption="Characters of the training text that take more than one byte",
    )
    if found.more:
        shown_of = f"Showing {len(found.rows):,} of {len(found.rows) + found.more:,} such characters."
        say([(shown_of, "quiet")], key="bytes_found_more", live=False)

# --- GPT-2's alphabet --------------------------------------------------------------------------------

st.subheader("Why does GPT-2 write a space as Ġ?")
say(byte_tables.alphabet_parts(), key="bytes_alphabet", live=False)
if text:
    parts: list[Part] = [strong("This text in that alphabet, token by token: ")]
    for token in tokens[:24]:
        parts += [tok(align.printable(token.data)), " "] if token.data else []
    parts += [f"and {len(tokens) - 24:,} more"] if len(tokens) > 24 else []
    say(parts, key="bytes_printable", live=False)
with st.expander("All 256 bytes in that alphabet"):
    byte_tables.draw_alphabet()

labs.link_to("split.py", "See how this text splits, merge by merge")
labs.link_to("train.py", "Back to Train: change the training text or learn more merges")
