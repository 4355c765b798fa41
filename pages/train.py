"""Train, the first page: click Next merge, see what changed and why, and how new text splits.

Everything shown is asked of the core at the lab's k; this file only places it.
"""

from __future__ import annotations

import streamlit as st

from bpe_core.alphabet import Token, Unit
from bpe_core.interchange import ModelFormat, export_model
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule, Trainer
from ui import charts, tables
from ui import lab as labs
from ui import train_words as words
from ui.clicks import counted_button
from ui.corpus_box import corpus_box
from ui.downloads import copy_link, download, save_lab
from ui.figures import average
from ui.live_text import live_text
from ui.notes import note
from ui.remembered import remembered
from ui.say import say
from ui.scrub import scrub
from ui.tiles import TILE_LIMIT, first_tokens, tiles

SPEEDS = {"slow": 2.0, "steady": 1.0, "quick": 0.4}  # seconds between merges


def main() -> None:
    """The page from top to bottom."""
    lab = labs.current()
    trainer = labs.trainer_for(lab)
    known = labs.learned_enough(trainer, lab.k)
    if not st.context.is_embedded:
        st.title("Which pair merges next, and why?")
        say(
            [
                "Byte-pair encoding joins, again and again, the two neighbours that stand side by side most "
                "often. Click Next merge and watch."
            ],
            key="intro",
            live=False,
        )
    left, right = st.columns([2, 1], gap="medium")
    with left:
        corpus_box(lab)
    with right:
        figures(lab, trainer)
        settings(lab, trainer)
    toolbar(lab, trainer, known)
    say(
        [*words.what_happened(trainer, lab.k), ("\n", "br"), *words.what_is_next(trainer, lab.k)],
        key="happened",
        lines=2,
    )
    corpus_tiles(lab, trainer)
    if trainer.corpus.words:
        left, right = st.columns([3, 2], gap="medium")
        with left:
            show_tables(lab, trainer)
        with right:
            show_charts(lab, trainer)
    where_next(lab, trainer)
    new_text()
    share(lab, trainer)
    play_on(lab, trainer)


def figures(lab: labs.Lab, trainer: Trainer) -> None:
    """V, L and characters per token at k, in one line."""
    length = trainer.corpus_length(lab.k)
    corpus = trainer.corpus
    characters = remembered(
        "train_characters",
        (lab.text, lab.word_counts, lab.pre_tokenizer),
        lambda: sum(len(word) * count for word, count in zip(corpus.words, corpus.counts, strict=True)),
    )
    per_token = average(characters / length) if length else "n/a"
    first_v, now_v = trainer.initial_vocabulary_size, trainer.vocabulary_size(lab.k)
    first_l = trainer.initial_length
    rows = [
        ("vocabulary |V|", f"{first_v:,} → {now_v:,}" if lab.k else f"{now_v:,}"),
        ("length L", f"{first_l:,} → {length:,}" if lab.k else f"{length:,}"),
        ("chars / token", per_token),
    ]
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in rows)
    st.html(f'<dl class="bpe-figures">{cells}</dl>')


def settings(lab: labs.Lab, trainer: Trainer) -> None:
    """Bytes in plain sight; the rest folded, saying its values."""

    def set_unit() -> None:
        if not labs.stale("train_bytes"):
            labs.update(unit=Unit.BYTE if st.session_state["train_bytes"] else Unit.CHAR)

    with st.container(horizontal=True, key="switches"):
        st.toggle(
            "Start from UTF-8 bytes",
            key=labs.sync("train_bytes", lab.unit is Unit.BYTE),
            on_change=set_unit,
            disabled=lab.locked,
        )
        if lab.text is not None:
            st.toggle("Running text", key="train_running", persist_state="session")
    names = f"{words.PRE_NAMES[lab.pre_tokenizer]} · {words.TIE_NAMES[lab.ties]} · min {lab.min_count}"
    if lab.locked:
        say([(f"Settings, locked: {names}", "quiet")], key="train_locked", live=False)
    else:
        with st.popover(f"Settings: {names}", width="stretch"):
            choices(lab)
    dropped = trainer.corpus.dropped
    if dropped is not None and dropped.characters:
        note(dropped.sentence)


def choices(lab: labs.Lab) -> None:
    """The settings that are folded away."""
    st.selectbox(
        "Cut the text into words by",
        list(PreTokenizer),
        format_func=words.PRE_NAMES.__getitem__,
        key=labs.sync("train_pre", lab.pre_tokenizer),
        on_change=lambda: labs.stale("train_pre") or labs.update(pre_tokenizer=st.session_state["train_pre"]),
    )
    st.selectbox(
        "When several pairs have the top count, take",
        list(TieRule),
        format_func=words.TIE_NAMES.__getitem__,
        key=labs.sync("train_ties", lab.ties),
        on_change=lambda: labs.stale("train_ties") or labs.update(ties=st.session_state["train_ties"]),
    )
    st.number_input(
        "A pair must occur at least this often",
        min_value=1,
        max_value=labs.NUMBER_LIMIT,
        step=1,
        key=labs.sync("train_min", lab.min_count),
        on_change=lambda: (
            labs.stale("train_min") or labs.update(min_count=int(st.session_state["train_min"]))
        ),
    )


# --- stepping ----------------------------------------------------------------------------------


def _step(by: int) -> None:
    """Move k by some clicks, to the end at most: of a burst of clicks the last may come too late."""
    lab = labs.current()
    known = labs.learned_enough(labs.trainer_for(lab), lab.k + by)
    labs.update(k=max(0, min(lab.k + by, known)))


def _back(clicks: int) -> None:
    _step(-clicks)


def _reset() -> None:
    st.session_state["train_playing"] = False
    labs.update(k=0)


def _play() -> None:
    st.session_state["train_playing"] = not st.session_state.get("train_playing", False)


def toolbar(lab: labs.Lab, trainer: Trainer, known: int) -> None:
    """Reset, Back, Next merge, Play, speed and the slider."""
    reason = words.why_no_next(trainer, lab.k)
    if reason is not None:
        st.session_state["train_playing"] = False
    playing = st.session_state.get("train_playing", False)
    with st.container(key="toolbar", horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(key="steps", horizontal=True, gap="small", width="content"):
            st.button("Reset", key="reset", on_click=_reset, disabled=not lab.k)
            counted_button("Back", key="back", on_clicks=_back, disabled=not lab.k)
            counted_button(
                "Next merge",
                key="next",
                type="primary",
                shortcut="N",
                on_clicks=_step,
                disabled=reason is not None,
                help=reason,
                row="steps",
            )
            st.button(
                "Pause" if playing else "Play",
                key="play",
                on_click=_play,
                disabled=reason is not None,
            )
        with st.container(key="speed", width=110):
            st.selectbox(
                "Speed",
                list(SPEEDS),
                index=1,
                key="train_speed",
                persist_state="session",
                label_visibility="collapsed",
            )
        with st.container(key="slider"):
            scrub(
                f"Merges made: k = {lab.k:,} of {known:,}",
                lab.k,
                known,
                key="train_k",
                on_move=lambda k: labs.update(k=k),
                end="" if trainer.stop is not None else "more are learned as you go",
                says="{} merges made",
            )


def play_on(lab: labs.Lab, trainer: Trainer) -> None:
    """While playing, one merge per tick. The ticks of the fragment move k; the page is then drawn anew."""
    playing = st.session_state.get("train_playing", False)
    pause = SPEEDS[st.session_state.get("train_speed", "steady")]

    @st.fragment(run_every=pause if playing else None)
    def tick() -> None:
        # The fragment also runs as part of every whole run; only its own runs are ticks.
        if st.session_state["train_drawing"] or not st.session_state.get("train_playing", False):
            return
        _step(1)
        st.rerun()

    st.session_state["train_drawing"] = True
    tick()
    st.session_state["train_drawing"] = False


# --- what there is to see ----------------------------------------------------------------------


def corpus_tiles(lab: labs.Lab, trainer: Trainer) -> None:
    """The corpus as tiles: its distinct words with counts, or the running text."""
    running = False
    if lab.text is not None:
        running = st.session_state.get("train_running", False)
    counts_now = trainer.token_counts(lab.k)

    def facts(token: Token) -> list[tuple[str, str]]:
        assert token.id is not None
        pair = trainer.parents(token.id)
        if pair is None:
            made = "there from the start"
        else:
            left, right = (tables.written(trainer, id) for id in pair)
            made = f"merge {trainer.merge_of(token.id):,}: {tables.joined(left, right)}"
        return [("made by", made), ("in the corpus", f"{counts_now.get(token.id, 0):,} times")]

    if running:
        shown = first_tokens(_running_text(lab), TILE_LIMIT)
        counts = None
        what = "The running text as tokens"
        total = trainer.corpus_length(lab.k)
    else:
        shown = first_tokens(trainer.words_at(lab.k, TILE_LIMIT, longest=TILE_LIMIT), TILE_LIMIT)
        counts = trainer.corpus.counts
        what = "The distinct words of the corpus as tokens"
        total = trainer.distinct_length(lab.k)
    drawn = [[trainer.token(id) for id in word] for word in shown]
    with st.container(key="corpus_tiles"):
        tiles(
            drawn,
            key="corpus",
            label=what,
            counts=counts,
            ring=trainer.next_pair(lab.k),
            newest=trainer.steps[lab.k - 1].token if lab.k else None,
            facts=facts,
            total=total,
            close=running and lab.pre_tokenizer not in (PreTokenizer.WHITESPACE, PreTokenizer.WORD_END),
            empty="No tokens yet. Type a training text above, or choose one of the examples.",
        )


def _running_text(lab: labs.Lab) -> list[tuple[int, ...]]:
    """The first words of the running text, as ids at k: enough for all tiles that are drawn."""
    text = lab.text or ""
    start = text[: TILE_LIMIT * 8]
    split = lab.pre_tokenizer.split(start)
    if len(start) < len(text) and len(split) > 1:
        split.pop()  # the last word may be cut in two
    tokenizer = labs.tokenizer_for(lab)
    return [tokenizer.encode_word(word) for word in split[:TILE_LIMIT]]


def show_tables(lab: labs.Lab, trainer: Trainer) -> None:
    """Pairs now, merges so far, words."""
    pairs_tab, merges_tab, words_tab = st.tabs(["Pairs now", "Merges so far", "Words"])
    number = st.column_config.NumberColumn(format="localized", width="small")
    with pairs_tab:
        total = trainer.pair_total(lab.k)
        if not total:
            note("Every word is one token, so no two tokens stand side by side.", "empty")
        else:
            ranked = trainer.ranked_pairs(lab.k, tables.ROWS)
            picked = st.dataframe(
                tables.pairs_table(trainer, lab.k),
                key="pairs",
                hide_index=True,
                height=250,
                on_select="rerun",
                selection_mode="single-row",
                column_config={"count": number},
            )
            row = picked["selection"]["rows"][0] if picked["selection"]["rows"] else 0
            pair = ranked[min(row, len(ranked) - 1)].pair
            say(words.share_parts(trainer, pair, trainer.shares(pair, lab.k)), key="shares", live=False)
            if total > len(ranked):
                st.caption(
                    f"The first {len(ranked):,} of {total:,} pairs. Pick a row to see where it occurs."
                )
            else:
                st.caption("Pick a row to see in which words the pair occurs.")
    with merges_tab:
        st.dataframe(
            tables.merges_table(trainer, lab.k),
            key="merges",
            hide_index=True,
            height=300,
            column_config=dict.fromkeys(("k", "count", "tied", "replaced", "L", "V"), number),
        )
        if lab.k > tables.ROWS:
            st.caption(f"The last {tables.ROWS} of {lab.k:,} merges; the download has them all.")
    with words_tab:
        st.dataframe(
            tables.words_table(trainer, lab.k),
            key="words",
            hide_index=True,
            height=300,
            column_config=dict.fromkeys(("count", "tokens", "adds to L"), number),
        )
        more = len(trainer.corpus.words)
        if more > tables.ROWS:
            st.caption(f"The first {tables.ROWS} of {more:,} distinct words.")


def show_charts(lab: labs.Lab, trainer: Trainer) -> None:
    """|V| climbs and L falls; the current k is blue, and a click on a bar moves k there."""

    def go(k: int) -> None:
        labs.update(k=k)

    base = None
    if lab.unit is Unit.BYTE:
        definition = st.segmented_control(
            "Vocabulary counted as",
            ["bytes in use", "256 + k"],
            default="bytes in use",
            key="train_v_base",
            persist_state="session",
        )
        base = len(trainer.alphabet) if definition == "256 + k" else None
    sizes = tables.vocabulary_sizes(trainer, base)
    lengths = tables.lengths(trainer)
    charts.draw(
        charts.ladder_rows(sizes, lab.k),
        charts.ladder_spec("Vocabulary size |V|"),
        key="v_chart",
        alt=f"|V| climbs from {sizes[0]:,} to {sizes[-1]:,}; now {sizes[lab.k]:,} at k = {lab.k:,}.",
        on_pick=go,
    )
    charts.draw(
        charts.ladder_rows(lengths, lab.k),
        charts.ladder_spec("Corpus length L, in tokens"),
        key="l_chart",
        alt=f"L falls from {lengths[0]:,} to {lengths[-1]:,}; now {lengths[lab.k]:,} at k = {lab.k:,}.",
        on_pick=go,
    )


@st.fragment
def new_text() -> None:
    """New text, split while it is typed."""
    lab = labs.current()
    st.subheader("How does new text split?", anchor=False)
    text = live_text("New text, split by the merges made so far", lab.new_text, key="new_text")
    changed = text != lab.new_text
    if changed:
        labs.update(new_text=text)
    tokenizer = labs.tokenizer_for(labs.current())
    tiles(
        tokenizer.tokenize_words(text),
        key="new_tiles",
        label="The new text as tokens",
        close=True,
        empty="Nothing is left of this text." if text else "Nothing typed yet.",
    )
    say(words.new_text_parts(tokenizer, text), key="new_said")
    with st.container(horizontal=True, key="new_text_next"):
        labs.link_to("split.py", "Why does it split just there?")
        labs.link_to("compare.py", "Which way of cutting reads it best?")
        labs.link_to("real.py", "How does GPT-4o split it?")
    if changed:
        st.rerun()  # the split is drawn; the link, the file and the address bar outside must follow


def share(lab: labs.Lab, trainer: Trainer) -> None:
    """The link, the lab as a file, the tables and the tokenizer to take away."""
    st.subheader("Take it with you", anchor=False)
    with st.container(horizontal=True, key="share", vertical_alignment="center"):
        copy_link(lab, key="copy_link")
        save_lab(lab, key="save_lab")
        if trainer.corpus.words:
            with st.popover("Download"):
                downloads(lab, trainer)


def downloads(lab: labs.Lab, trainer: Trainer) -> None:
    """The first k merges in the formats others read, and the figures of the charts."""
    corpus = trainer.corpus

    def model(format: ModelFormat) -> bytes:
        # Its own trainer: the file is made beside the page, which goes on using the one it has.
        fresh = Trainer(corpus, lab.unit, lab.ties, lab.min_count)
        fresh.train_to(lab.k)
        return export_model(fresh, format)[0].data

    st.caption(f"The {lab.k:,} merges made so far")
    download("Table (CSV)", "bpe-merges.csv", lambda: model(ModelFormat.STEPS_CSV), key="dl_csv")
    download("Merges (JSON)", "bpe-steps.json", lambda: model(ModelFormat.STEPS_JSON), key="dl_json")
    download("Hugging Face", "tokenizer.json", lambda: model(ModelFormat.HUGGING_FACE), key="dl_hf")
    if lab.unit is Unit.BYTE and not lab.pre_tokenizer.has_marker:
        download("tiktoken ranks", "ranks.tiktoken", lambda: model(ModelFormat.TIKTOKEN), key="dl_tiktoken")
    else:
        st.caption(
            "A tiktoken file holds bytes only: start from UTF-8 bytes, without an end marker, to get one."
        )
    st.caption("Every k")
    download("Chart data (CSV)", "bpe-sizes.csv", lambda: tables.chart_csv(trainer), key="dl_chart")


def where_next(lab: labs.Lab, trainer: Trainer) -> None:
    """The pages that answer what this one makes a reader ask."""
    with st.container(horizontal=True, key="where_next"):
        if words.tied_next(trainer, lab.k) > 1:
            labs.link_to("sizes.py", "What if another tied pair had won?")
        else:
            labs.link_to("sizes.py", "How is a pair counted?")
        labs.link_to("bytes.py", "How do bytes make é and emoji?")
        labs.link_to("compression.py", "Do merges save bits?")
        labs.link_to("predict.py", "Can you predict the next merge?")


main()
