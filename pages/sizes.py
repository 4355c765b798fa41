"""Sizes: the definitions with this corpus's own numbers in them, and what if another tied pair had won.

Everything shown is asked of the core at the lab's k; this file only places it.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.text import clean_text
from bpe_core.training import Trainer
from ui import charts, tables
from ui import lab as labs
from ui import sizes_words as words
from ui import train_words as train
from ui.downloads import download
from ui.figures import many
from ui.lab_bar import k_slider, lab_line, onward
from ui.menus import number, pick, table_height
from ui.notes import note
from ui.remembered import remembered
from ui.say import say, strong, tok
from ui.tiles import tiles
from ui.what_if import what_if

#: Pairs that the menu offers.
OFFERED = 500
#: Words with the picked pair in them that are drawn as tiles.
WORDS_DRAWN = 60
#: Tokens of such a word that are drawn.
WORD_DRAWN = 400
#: Characters of the small text about overlaps.
SMALL_TEXT = 60

L_CHART = charts.ladder_spec("Corpus length L, in tokens", height=210)
V_CHART = charts.ladder_spec("Vocabulary size |V|", height=210)
COUNT = number()


def main() -> None:
    """The page from top to bottom."""
    lab = labs.current()
    trainer = labs.trainer_for(lab)
    labs.learned_enough(trainer, lab.k)
    st.title("How are pairs, the vocabulary and the corpus counted?")
    say(
        [
            "Everything byte-pair encoding decides comes from counting. Three sums say it all: how long the "
            "corpus is, how often a pair stands in it, and how large the vocabulary has become. Here they "
            "are with the numbers of your own corpus after k merges."
        ],
        key="sizes_intro",
        live=False,
    )
    note(labs.notices(), "warn")
    lab_line(lab, key="sizes_lab")
    k_slider(lab, trainer, key="sizes_k", live=False)
    if trainer.corpus.words:
        length(lab, trainer)
        pair_count(lab, trainer)
        winner(lab, trainer)
        both_sizes(lab, trainer)
    else:
        note(
            "This corpus holds no words, so L = 0 and |V| = 0 and there is no pair to count. "
            "Type a training text on the Train page.",
            "empty",
        )
    overlap()
    if trainer.corpus.words:
        what_if(lab, trainer)
    onward(
        ("compression.py", "Do shorter texts pay for a larger vocabulary?"),
        ("compare.py", "What do other tie rules make of it?"),
    )


def length(lab: labs.Lab, trainer: Trainer) -> None:
    """L, summed over the distinct words."""
    st.subheader("How long is the corpus?", anchor=False)
    say(
        [
            "Each distinct word s stands in the corpus c times and takes |s| tokens. The corpus length L "
            "adds up count times length:"
        ],
        key="sizes_length_why",
        live=False,
    )
    say(words.length_parts(trainer, lab.k), key="sizes_length", lines=1)
    frame = tables.words_table(trainer, lab.k)
    frame.columns = ["word", "count", "tokens", "product"]
    st.dataframe(
        frame,
        key="sizes_words",
        hide_index=True,
        height=table_height(len(frame)),
        column_config={
            "word": "word s, as tokens",
            "count": number("count c"),
            "tokens": number("tokens |s|"),
            "product": number("c · |s|"),
        },
    )
    more = len(trainer.corpus.words)
    if more > len(frame):
        st.caption(f"The first {len(frame):,} of {more:,} distinct words; the sum has them all.")


@st.fragment
def pair_count(lab: labs.Lab, trainer: Trainer) -> None:
    """count(a, b) of a pair the reader picks, word by word."""
    st.subheader("How often does a pair occur?", anchor=False)
    say(
        [
            "Two tokens that stand side by side inside a word are a pair. A word that holds the pair n times "
            "and occurs c times adds c · n to its count. Pick any pair:"
        ],
        key="sizes_pair_why",
        live=False,
    )
    state = (lab.training_key, lab.k)
    ranked = remembered("sizes_ranked", state, lambda: trainer.ranked_pairs(lab.k, OFFERED))
    if not ranked:
        note("Every word is one token, so no two tokens stand side by side.", "empty")
        return
    names = {
        row.pair: f"{place}. {words.pair_cell(trainer, row.pair)}, count {row.count:,}"
        for place, row in enumerate(ranked, 1)
    }
    pair = pick("Pair, most frequent first", names, "sizes_pair", lab.training_key)
    total = trainer.pair_total(lab.k)
    if total > len(ranked):
        st.caption(f"The {len(ranked):,} most frequent of {total:,} pairs are offered.")
    shares = trainer.shares(pair, lab.k)
    parts = words.counted_parts(trainer, pair, shares)
    if pair[0] == pair[1]:
        parts.append(". A token beside itself: overlapping places are counted too, see below.")
    say(parts, key="sizes_pair_count", lines=1)
    drawn = shares[:WORDS_DRAWN]
    split = trainer.words_at(lab.k, drawn[-1].word_index + 1, longest=WORD_DRAWN + 1)
    tiles(
        [
            [trainer.token(id) for id in split[share.word_index][:WORD_DRAWN]]
            for share in shares[:WORDS_DRAWN]
        ],
        key="sizes_pair_tiles",
        label="The words that hold the pair; outlined where it would be replaced",
        counts=[share.count for share in drawn],
        ring=pair,
        pick="none",
    )
    if any(len(split[share.word_index]) > WORD_DRAWN for share in drawn):
        st.caption(f"Of a longer word its first {WORD_DRAWN:,} tokens.")
    if len(shares) > WORDS_DRAWN:
        st.caption(f"The first {WORDS_DRAWN} of {len(shares):,} words with this pair.")
    with st.expander(f"Word by word: {many(len(shares), 'word')}"):
        st.dataframe(
            words.shares_table(trainer, shares, lab.k),
            key="sizes_shares",
            hide_index=True,
            column_config={
                "word": "word, as tokens",
                "count": number("count c"),
                "pairs": number("pairs in it, n"),
                "product": number("c · n"),
            },
        )
        if len(shares) > tables.ROWS:
            st.caption(f"The first {tables.ROWS} of {len(shares):,} words.")


def winner(lab: labs.Lab, trainer: Trainer) -> None:
    """argmax, the pairs tied with it, and what the tie rule looks at."""
    st.subheader("Which pair comes next?", anchor=False)
    tied = remembered("sizes_tied", (lab.training_key, lab.k), lambda: trainer.tied_pairs(lab.k))
    if not tied:
        say(
            [strong("None. "), train.why_no_next(trainer, lab.k) or ""],
            key="sizes_winner",
            lines=1,
        )
        return
    say(
        [
            "The pair with the highest count is merged next. In an equation it is called argmax: that which "
            "makes a figure largest."
        ],
        key="sizes_winner_why",
        live=False,
    )
    say(words.winner_parts(trainer, lab.k, len(tied)), key="sizes_winner", lines=1)
    if len(tied) == 1:
        return
    shown = tied[: words.TIED_SHOWN]
    frame = words.tied_table(trainer, shown, lab.k)
    st.dataframe(
        frame,
        key="sizes_tied",
        hide_index=True,
        height=table_height(len(frame)),
        column_config={
            "left": "left",
            "right": "right",
            "taken": st.column_config.TextColumn("taken", width="small"),
            "word": st.column_config.TextColumn("first seen in word", width="small"),
            "spelled": "that word",
            "unit": number("at place"),
            "left_id": st.column_config.NumberColumn("left id", format="%d", width="small"),
            "right_id": st.column_config.NumberColumn("right id", format="%d", width="small"),
        },
    )
    caption = words.LOOKED_AT[lab.ties]
    if len(tied) > len(shown):
        caption += f" The first {len(shown)} of {len(tied):,} tied pairs, in the order the rule takes them."
    st.caption(caption)


def both_sizes(lab: labs.Lab, trainer: Trainer) -> None:
    """|V_k| and L_k as equations and as bars."""
    st.subheader("How do both sizes change with k?", anchor=False)
    say(
        [
            "Every merge adds one token to the vocabulary V, however often the pair occurs. The corpus gets "
            "shorter by one token for each replacement."
        ],
        key="sizes_both_why",
        live=False,
    )
    say(
        [*words.vocabulary_parts(trainer, lab.k), ("\n", "br"), *words.falling_parts(trainer, lab.k)],
        key="sizes_both",
        lines=3,
    )

    def go(k: int) -> None:
        labs.update(k=k)

    base = len(trainer.alphabet) if lab.unit is Unit.BYTE else None
    sizes, lengths = tables.vocabulary_sizes(trainer), tables.lengths(trainer)
    left, right = st.columns(2, gap="medium")
    with left:
        charts.draw(
            charts.ladder_rows(sizes, lab.k),
            V_CHART,
            key="sizes_v_chart",
            alt=f"Vocabulary size climbs from {sizes[0]:,} to {sizes[-1]:,}; "
            f"now {sizes[lab.k]:,} at k = {lab.k:,}.",
            on_pick=go,
        )
    with right:
        charts.draw(
            charts.ladder_rows(lengths, lab.k),
            L_CHART,
            key="sizes_l_chart",
            alt=f"Corpus length falls from {lengths[0]:,} to {lengths[-1]:,}; "
            f"now {lengths[lab.k]:,} at k = {lab.k:,}.",
            on_pick=go,
        )
    with st.expander("The figures as a table"):
        shown = trainer.steps[: tables.ROWS]
        frame = pd.DataFrame(
            {
                "k": range(len(shown) + 1),
                "added": ["", *(tables.written(trainer, step.token, 30) for step in shown)],
                "size": sizes[: len(shown) + 1],
                "length": lengths[: len(shown) + 1],
            }
        )
        if base is not None:
            frame["definition"] = [base + k for k in frame["k"]]
        st.dataframe(
            frame,
            key="sizes_table",
            hide_index=True,
            height=table_height(len(frame)),
            column_config={
                "k": COUNT,
                "added": "token added",
                "size": st.column_config.NumberColumn("|V|, units in use + k", format="localized"),
                "length": st.column_config.NumberColumn("L", format="localized"),
                "definition": st.column_config.NumberColumn("|V| by definition", format="localized"),
            },
        )
        if len(sizes) > len(frame):
            st.caption(f"Up to k = {len(frame) - 1:,} of {len(sizes) - 1:,}; the download has all.")
        download("Table (CSV)", "bpe-sizes.csv", lambda: tables.chart_csv(trainer), key="sizes_csv")


@st.fragment
def overlap() -> None:
    """A small text of the reader's own: count and replacements reconciled."""
    st.subheader("Does L always fall by the count?", anchor=False)
    say(
        [
            "Only when left and right are different tokens. A token that meets itself, as in ",
            tok("aaa"),
            ", makes pairs that overlap: each is counted, but they cannot all be replaced.",
        ],
        key="sizes_overlap_why",
        live=False,
    )
    typed = st.text_input(
        "A small text to try it on, taken as one word",
        "aaa",
        max_chars=SMALL_TEXT,
        key="sizes_small",
        persist_state="session",
        live="150ms",
    )
    text = clean_text(typed).text
    small = remembered("sizes_small", text, lambda: _small_trainer(text))
    first = next((s.index for s in small.steps if s.replacements != s.count), 1) - 1
    tiles(
        [[small.token(id) for id in word] for word in small.words_at(first)],
        key="sizes_small_tiles",
        label="The small text before the merge; outlined where the pair is replaced",
        ring=small.next_pair(first),
        pick="none",
        empty="Nothing typed yet.",
    )
    say(words.overlap_parts(small), key="sizes_small_says", lines=2)
    if small.steps:
        frame = words.overlap_table(small)
        st.dataframe(
            frame,
            key="sizes_small_table",
            hide_index=True,
            height=table_height(len(frame), 6),
            column_config={
                "merge": COUNT,
                "count": COUNT,
                "replaced": COUNT,
                "before": number("L before"),
                "after": number("L after"),
            },
        )


def _small_trainer(text: str) -> Trainer:
    trainer = Trainer(Corpus.from_text(text, PreTokenizer.NONE))
    trainer.train_to()
    return trainer


main()
