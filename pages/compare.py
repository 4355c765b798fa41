"""Compare: the same text cut by words, characters, bytes, and by merges learned in every way.

Everything shown is asked of the core through ``ui.ways``; this file only places it.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ui import lab as labs
from ui import ways
from ui.downloads import download
from ui.figures import many
from ui.lab_bar import lab_line, onward
from ui.live_text import live_text
from ui.menus import number
from ui.notes import note
from ui.remembered import remembered
from ui.say import say, strong, tok
from ui.tables import frame_csv
from ui.tiles import first_tokens, tiles
from ui.train_words import pair_parts

#: Tokens that each strip draws; the counts are of all.
STRIP = 120
#: Merges that each vocabulary makes when the lab stands at k = 0, where there would be nothing to compare.
FIRST_LOOK = 10


def main() -> None:
    """The page from top to bottom."""
    lab = labs.current()
    trainer = labs.trainer_for(lab)
    known = labs.learned_enough(trainer, lab.k)
    st.title("Which way of cutting reads your text best?")
    say(
        [
            "A vocabulary of whole words keeps a text short, but cannot read a word it has not met. "
            "Characters and bytes can, but the text becomes long and each piece means little. Byte-pair "
            "encoding stands in between; where it cuts depends on how the text is split into words first "
            "and, in ties, on the rule."
        ],
        key="compare_intro",
        live=False,
    )
    note(labs.notices(), "warn")
    lab_line(lab, key="compare_lab")
    k = merges(lab, known)
    ways.take(lab, trainer)
    if not ways.trained(lab, k):
        if ways.is_small(lab):
            ways.train(lab, k)
        else:
            train_when_asked(lab, k)
    compare(k)
    examples()
    onward(
        ("real.py", "How does GPT-4o’s vocabulary cut it?"),
        ("split.py", "Why does my own lab cut just there?"),
    )


def merges(lab: labs.Lab, known: int) -> int:
    """How many merges each vocabulary makes: the lab's k, or a first look where that is 0."""
    about = (lab.training_key, lab.k)
    if st.session_state.get("compare_about") != about:
        st.session_state["compare_about"] = about
        st.session_state["compare_merges"] = min(lab.k or FIRST_LOOK, known)
    st.session_state["compare_merges"] = min(st.session_state.get("compare_merges", 0), known)
    if not known:
        note("This corpus has no merge to learn, so byte-pair encoding cuts it into single units.")
        return 0
    k: int = st.slider(
        "Merges each byte-pair vocabulary makes",
        0,
        known,
        key="compare_merges",
        help="Starts at your lab's k. Moving it here changes nothing in your lab.",
    )
    if not lab.k and k == min(FIRST_LOOK, known):
        st.caption(f"Your lab stands at k = 0, where there is nothing to compare yet; here each makes {k:,}.")
    return k


def train_when_asked(lab: labs.Lab, k: int) -> None:
    """A large corpus: eight more trainings take a while, so they wait for a click and show their progress."""
    note(
        "This corpus is large: training it with every pre-tokenizer and tie rule takes a while, so it "
        "waits for you. Words, characters, bytes and your own tokenizer are below already."
    )
    if st.button("Train all the others", key="compare_train_all", type="primary"):
        bar = st.progress(0.0, text="Training …")
        ways.train(lab, k, lambda share, name: bar.progress(share, text=f"Training: {name} …") and None)
        st.rerun()


@st.fragment
def compare(k: int) -> None:
    """The text, the table and a strip for each way; follows while the text is typed."""
    lab = labs.current()
    text = live_text("Text to cut", lab.new_text, key="compare_text", rows=2, placeholder="Type any text")
    if text != lab.new_text:
        labs.update(new_text=text)
        st.rerun()  # the address bar stands outside this fragment and must follow
    found = ways.readings(lab, k, text)
    if not text:
        note("Type a text to see it cut in every way.", "empty")
        return
    st.subheader("The whole picture", anchor=False)
    frame = ways.table(found)
    st.dataframe(
        frame,
        key="compare_table",
        hide_index=True,
        height=35 * (len(frame) + 1) + 3,
        column_config={
            "way": st.column_config.TextColumn("way of cutting", width=215),
            "tokens": st.column_config.ProgressColumn(
                "tokens",
                format="localized",
                width=105,
                min_value=0,
                max_value=int(max(1, frame["tokens"].max())),
            ),
            "per_token": st.column_config.NumberColumn("chars / token", format="%.2f", width=110),
            "vocabulary": number("vocabulary"),
            "unknown": number("unknown"),
            "dropped": number("dropped"),
            "whole": "comes back whole?",
            "merges": number("merges"),
        },
    )
    st.caption(
        f"For {many(len(text), 'character')}. A vocabulary that starts from bytes counts all 256 of them, in "
        "use or not. Unknown: tokens that the vocabulary does not hold. Dropped: characters that the "
        "pre-tokenizer leaves out."
    )
    download(
        "Table (CSV)",
        "bpe-compare.csv",
        lambda: frame_csv(frame),
        key="compare_csv",
    )
    for group in (ways.WITHOUT, ways.CUTS, ways.TIES):
        members = [way for way in found if way.group == group]
        if not members:
            continue
        st.subheader(group, anchor=False)
        if group == ways.TIES:
            own = [way for way in found if way.own]
            if ways.cut_alike([*own, *members]):
                st.caption("All three tie rules cut this text alike, at this number of merges.")
            else:
                st.caption("The tie rules do not all cut this text alike; your lab's own rule is above.")
        for way in members:
            strip(way, "compare")


def strip(way: ways.Way, name: str) -> None:
    """One way: a sentence and its tiles."""
    say(ways.way_parts(way), key=f"{name}_says_{way.key}", live=False)
    tiles(
        first_tokens(way.reading.words, STRIP),
        key=f"{name}_tiles_{way.key}",
        label=f"The text cut by {way.name}",
        pick="none",
        total=way.reading.tokens,
        empty="Nothing is left of this text.",
    )


# --- two examples ------------------------------------------------------------------------------


@st.fragment
def examples() -> None:
    """Two ready-made comparisons, computed when they are opened."""
    st.subheader("Two examples to open", anchor=False)
    shown = st.session_state.get("compare_example")

    def show(name: str) -> None:
        st.session_state["compare_example"] = None if shown == name else name

    with st.container(horizontal=True):
        for name, label in (
            ("low", "low lower lowest, with and without an end marker"),
            ("machine", "machinelearning, a word never met"),
        ):
            st.button(
                f"{'Close: ' if shown == name else ''}{label}",
                key=f"compare_open_{name}",
                on_click=show,
                args=(name,),
            )
    if shown == "low":
        low_example()
    elif shown == "machine":
        machine_example()


def low_example() -> None:
    """The same three words with and without a marker at each word's end."""
    say(
        [
            "Three words, split at white space; a pair must occur at least twice. On one side every word "
            "ends in a marker, a unit of its own; on the other it does not. Both learn the same merges here. "
            "The marker makes the corpus longer, and in return decoding knows where words end."
        ],
        key="compare_low_why",
        live=False,
    )
    for marker, column in zip((True, False), st.columns(2, gap="medium"), strict=True):
        example = remembered(f"compare_low_{marker}", marker, lambda marker=marker: ways.low_example(marker))
        trainer = example.trainer
        with column:
            last = len(trainer.steps)
            parts = [strong("With the end marker" if marker else "Without it"), ": "]
            for place, step in enumerate(trainer.steps):
                parts += [", " if place else "", *pair_parts(trainer, step.pair), f" {step.count:,}"]
            stop = trainer.stop.sentence if trainer.stop is not None else ""
            parts.append(
                f"; then it stops. {stop} L {trainer.initial_length:,} → {trainer.corpus_length(last):,}, "
            )
            parts.append(f"|V| {trainer.initial_vocabulary_size:,} → {trainer.vocabulary_size(last):,}.")
            say(parts, key=f"compare_low_says_{marker}", live=False)
            for name, reading, text in (("text", example.text, ways.LOW), ("new", example.new, ways.LOWLY)):
                tiles(
                    first_tokens(reading.words, STRIP),
                    key=f"compare_low_{name}_{marker}",
                    label=f"{text}, {'with' if marker else 'without'} the end marker",
                    pick="none",
                )
            back = "the text comes back" if example.text.whole else "the spaces are lost"
            end = ["Decoded: ", tok(example.decoded), f": {back}. "]
            if example.w_end is not None:
                end += [
                    "The pair ",
                    tok("w"),
                    f" + marker occurs {'once' if example.w_end == 1 else example.w_end}",
                ]
                end.append(": only low ends in w, so it is too rare to merge.")
            say(end, key=f"compare_low_end_{marker}", live=False)
    if st.button("Open it on the Train page", key="compare_low_open", disabled=labs.current().locked):
        labs.open_lab(labs.lab_of(labs.PRESETS["low"]))
        labs.go("train.py")


def machine_example() -> None:
    """A word no corpus word equals, made of two that are known."""
    say(
        [
            "Trained on: ",
            tok(ways.MACHINES, 120),
            ". The word ",
            tok(ways.MACHINELEARNING),
            " is not in it, so a vocabulary of whole words can only call it unknown. Subwords read it, "
            "because its parts were met.",
        ],
        key="compare_machine_why",
        live=False,
    )
    for way in remembered("compare_machine", "machine", ways.machine_example):
        strip(way, "compare_machine")
    if st.button("Open it on the Train page", key="compare_machine_open", disabled=labs.current().locked):
        lab = ways.machine_lab()
        known = labs.learned_enough(labs.trainer_for(lab), 0)
        labs.open_lab(replace(lab, k=known))
        labs.go("train.py")


main()
