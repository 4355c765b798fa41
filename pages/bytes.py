"""Bytes: a text down to its code points and bytes, the tokens over them, and GPT-2's alphabet for bytes.

The tokens are those of the lab started from bytes, whatever units the lab itself starts from. Everything
shown is asked of the core; this file only places it.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bpe_core.alphabet import Token, Unit
from bpe_core.encoding import Tokenizer
from bpe_core.training import Trainer
from ui import align, byte_tables
from ui import lab as labs
from ui.downloads import download
from ui.lab_bar import k_slider, lab_line, onward
from ui.live_text import live_text
from ui.notes import note
from ui.remembered import remembered
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
#: Tokens written out in GPT-2's alphabet.
WRITTEN = 24


def main() -> None:
    """The page from top to bottom."""
    lab = labs.current()
    byte_lab = replace(lab, unit=Unit.BYTE)
    trainer = labs.trainer_for(byte_lab)
    known = labs.learned_enough(trainer, lab.k)
    k = min(lab.k, known)
    whole = labs.whole_tokenizer(byte_lab, trainer)
    tokenizer = whole.at(k)
    st.title("What is a text made of, down to its bytes?")
    say(
        [
            "A computer stores text as numbers from 0 to 255, its bytes. UTF-8 spells every character with "
            "one to four of them. A tokenizer that starts from bytes needs only 256 units to begin with, and "
            "can read any text ever written."
        ],
        key="bytes_intro",
        live=False,
    )
    note(labs.notices(), "warn")
    lab_line(lab, key="bytes_lab")
    if lab.unit is Unit.CHAR:
        note(
            "This page trains your corpus from UTF-8 bytes, with the same settings and the same k. Your lab "
            "starts from characters, and stays as it is."
        )
    text = text_box(lab)
    merges_in_use(lab, trainer)
    key = (byte_lab.training_key, known)
    tokens = remembered("byte_tokens", (key, k, text), lambda: tokenizer.tokenize(text))
    the_rows(text, tokens, tokenizer, (key, k, text))
    st.subheader("Why can every text be encoded?")
    say(byte_tables.bound_parts(text, len(tokens), trainer, k), key="bytes_bound", live=False)
    found_again(trainer, whole, key)
    st.subheader("Why does GPT-2 write a space as Ġ?")
    gpt2_alphabet(tokens)
    onward(
        ("split.py", "How does this text split, merge by merge?"),
        ("real.py", "How does GPT-4o split it?"),
    )


def use(text: str) -> None:
    """Make a text the lab's new text: it travels with the lab from page to page."""
    st.session_state["bytes_touched"] = True
    labs.update(new_text=text)


def text_box(lab: labs.Lab) -> str:
    """The text to look at: the lab's new text.

    A preset's plain one that nobody has touched has little to show, so the first sample stands in for it.
    """
    untouched = lab.preset is not None and lab.new_text == labs.PRESETS[lab.preset].new_text
    plain = untouched and lab.new_text.isascii() and not st.session_state.get("bytes_touched")
    text = next(iter(SAMPLES.values())) if plain else lab.new_text
    with st.container(horizontal=True):
        for place, (name, sample) in enumerate(SAMPLES.items()):
            st.button(name, key=f"bytes_sample_{place}", on_click=use, args=(sample,))
    typed = live_text("Text", text, key="bytes_text", rows=2, placeholder="Type or paste any text")
    if typed != text:
        use(typed)
    return typed


def merges_in_use(lab: labs.Lab, trainer: Trainer) -> None:
    """The slider for k; it reaches as far as the lab itself can follow."""
    reach = known = len(trainer.steps)
    if lab.unit is Unit.CHAR:
        reach = min(known, labs.learned_enough(labs.trainer_for(lab), lab.k))
    k_slider(lab, trainer, key="bytes_k", reach=reach)
    if not reach:
        note("This corpus has no merge to learn, so every byte is a token of its own.")


def the_rows(text: str, tokens: list[Token], tokenizer: Tokenizer, key: tuple[object, ...]) -> None:
    """The text lined up, its tokens that are not whole characters, and the same as a table."""
    if not text:
        note("There is no text. Type one above, or pick one of the samples.", "empty")
        return
    rows = align.lined_up(tokenizer, tokens, text, key=key)
    say(byte_tables.size_parts(text, len(tokens), tokenizer.limit), key="bytes_sizes", lines=1)
    align.picture(
        rows,
        tokenizer,
        key="bytes_rows",
        label="The text as rows: characters, code points, bytes, tokens. Arrow keys move between them.",
        name=text,
        rest=align.rest_of(rows, text),
    )
    say(byte_tables.half_parts(rows, tokenizer.limit), key="bytes_halves", live=False)
    with st.expander("The same as a table"):
        byte_tables.draw(
            ("character", "code points", "bytes", "GPT-2 writes", "tokens"),
            align.table_of(rows),
            caption="Each character of the text with its code points, bytes and tokens",
        )
        download("Table (CSV)", "bytes.csv", lambda: byte_tables.rows_csv(rows), key="bytes_csv")


def found_again(trainer: Trainer, whole: Tokenizer, key: tuple[object, ...]) -> None:
    """The corpus's letters of several bytes, and the merge that makes each of them whole."""
    found = remembered("byte_found", key, lambda: byte_tables.wide_characters(trainer, whole))
    met = any(row.character == "é" for row in found.rows)
    st.subheader("Which merge finds é again?" if met else "Which merge makes a letter whole again?")
    say(byte_tables.found_parts(found, trainer), key="bytes_found", live=False)
    if not found.rows:
        return
    byte_tables.draw(
        ("character", "code point", "bytes", "count", "made whole by"),
        byte_tables.found_table(found, whole),
        caption="Characters of the training text that take more than one byte",
    )
    if found.more:
        rest = f"Showing {len(found.rows):,} of {len(found.rows) + found.more:,} such characters."
        say([(rest, "quiet")], key="bytes_found_more", live=False)


def gpt2_alphabet(tokens: list[Token]) -> None:
    """The printable alphabet in words, on this text, and as a table."""
    say(byte_tables.alphabet_parts(), key="bytes_alphabet", live=False)
    if tokens:
        parts: list[Part] = [strong("This text in that alphabet, token by token: ")]
        for token in tokens[:WRITTEN]:
            parts += [tok(align.printable(token.data)), " "] if token.data else []
        if len(tokens) > WRITTEN:
            parts.append(f"and {len(tokens) - WRITTEN:,} more")
        say(parts, key="bytes_printable", live=False)
    with st.expander("All 256 bytes in that alphabet"):
        byte_tables.draw_alphabet()


main()
