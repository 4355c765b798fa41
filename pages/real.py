"""Real tokenizer: the learner's text under their own merges and under GPT-4o's genuine vocabulary.

Then what stands behind one of its tokens, one sentence in many languages, and the special tokens.
"""

from __future__ import annotations

import streamlit as st

from bpe_core import o200k
from bpe_core.encoding import Tokenizer
from bpe_core.errors import VocabularyFileError
from bpe_core.pretokenize import PreTokenizer
from ui import charts, explain, gpt4o, languages
from ui import lab as labs
from ui.downloads import copy_button, download
from ui.figures import many
from ui.lab_bar import k_slider, lab_line, onward
from ui.languages import SENTENCES, Measure
from ui.live_text import live_text
from ui.notes import note
from ui.remembered import remembered
from ui.say import Part, say, strong, tok
from ui.tiles import first_tokens, tiles
from ui.tree import in_words, summary, tree

TRAINING, NEW = "Training text", "New text"
EXAMPLES = ("unbakeable", "baker, bakers, baked, bakes", "<|endoftext|>", "האופה אופה לחם", "🧑🏽‍🍳 🥐")


def main() -> None:
    """The page from top to bottom."""
    st.title("How does a real tokenizer split the same text?")
    say(
        [
            "GPT-4o's tokenizer works as yours does: small units first, then merges in a fixed order. It was "
            "trained on far more text and holds about 200,000 tokens. Its whole vocabulary, called o200k, is "
            "part of this app, so a text can be split both ways here. Pick one of its tokens to see which "
            "merges are behind it."
        ],
        key="real_intro",
        live=False,
    )
    note(labs.notices(), "warn")
    lab_line(labs.current(), key="real_lab")
    try:
        real = gpt4o.vocabulary()
    except VocabularyFileError as error:
        real = None
        note(f"{error} Every other page works without it.", "warn")
    source = choose_text()
    own_split(source)
    if real is not None:
        chosen = real_split(real, source)
        behind_a_token(real, chosen)
        why_four(real)
        many_languages(real)
        special_tokens(real)
    onward(
        ("bytes.py", "Why can a token hold half a character?"),
        ("split.py", "Why do my own merges cut just there?"),
    )


# --- which text ---------------------------------------------------------------------------------


def _example() -> None:
    text = st.session_state["real_example"]
    if text in EXAMPLES:
        labs.update(new_text=text)
        st.session_state["real_source"] = NEW


def choose_text() -> str:
    """The training text, or the new text with its box and some examples. Returns which."""
    if st.session_state.get("real_source") not in (TRAINING, NEW):
        st.session_state["real_source"] = TRAINING
    lab = labs.current()
    with st.container(horizontal=True, vertical_alignment="bottom", key="real_texts"):
        st.segmented_control(
            "Text to split", [TRAINING, NEW], key="real_source", persist_state="session", required=True
        )
        source: str = st.session_state["real_source"]
        shown = lab.new_text if source == NEW and lab.new_text in EXAMPLES else None
        st.pills(
            "Examples of new text",
            EXAMPLES,
            key=labs.sync("real_example", shown),
            on_change=_example,
            wrap=True,
        )
    if source == NEW:
        text = live_text(
            "New text", lab.new_text, key="real_text", rows=2, placeholder="Type or paste any text"
        )
        if text != lab.new_text:
            labs.update(new_text=text)
    return source


def split_of(tokenizer: Tokenizer, source: str) -> gpt4o.Split:
    """The chosen text, or its start, under ``tokenizer``."""
    lab = labs.current()
    if source == NEW:
        return gpt4o.split_text(tokenizer, lab.new_text)
    if lab.word_counts is not None:
        corpus = labs.corpus_for(lab)
        words, room = [], gpt4o.TEXT_SHOWN
        for word in corpus.words:
            room -= len(word)
            if room < 0:
                break
            words.append(word)
        return gpt4o.split_words(tokenizer, words, corpus.counts[: len(words)])
    return gpt4o.split_text(tokenizer, (lab.text or "")[: gpt4o.TEXT_SHOWN])


# --- both splits --------------------------------------------------------------------------------


def own_split(source: str) -> None:
    """The learner's own merges at k."""
    lab = labs.current()
    trainer = labs.trainer_for(lab)
    labs.learned_enough(trainer, lab.k)
    st.subheader("How do your merges split it?", anchor=False)
    k_slider(lab, trainer, key="real_k")
    tokenizer = labs.tokenizer_for(lab)
    text = lab.new_text if source == NEW else lab.text
    key = (lab.training_key, lab.k, source, text)
    split = remembered("real_own", key, lambda: split_of(tokenizer, source))
    unseen = [f" {many(split.unseen, 'character')} never seen in training."] if split.unseen else []
    say(
        [
            f"After {many(lab.k, 'merge')}: ",
            *gpt4o.split_parts(split),
            *unseen,
            *gpt4o.partial_parts(split),
        ],
        key="real_own_says",
        lines=1,
    )
    if text is not None and len(text) > gpt4o.TEXT_SHOWN and source == TRAINING:
        note(
            f"The training text has {len(text):,} characters; its first {gpt4o.TEXT_SHOWN:,} are split here, "
            "both ways."
        )
    dropped = lab.pre_tokenizer.dropped((text or "")[: gpt4o.TEXT_SHOWN])
    if dropped.characters:
        note(f"Your pre-tokenizer: {dropped.sentence}")
    tiles(
        first_tokens(split.words, gpt4o.TILES),
        key="real_own_tiles",
        label="The text under your merges",
        counts=split.counts,
        facts=explain.token_facts(tokenizer),
        total=sum(map(len, split.words)),
        close=source == NEW
        or (
            lab.text is not None
            and not lab.pre_tokenizer.has_marker
            and lab.pre_tokenizer is not PreTokenizer.WHITESPACE
        ),
        empty="No tokens: there is no text yet, or your pre-tokenizer keeps nothing of it.",
    )


def real_split(real: Tokenizer, source: str) -> int | None:
    """GPT-4o's split; returns the id of the token to look behind, None where there is no token."""
    lab = labs.current()
    st.subheader("How does GPT-4o split it?", anchor=False)
    key = (source, lab.new_text if source == NEW else (lab.text, lab.word_counts))
    split = remembered("real_split", key, lambda: split_of(real, source))
    say(
        [
            f"With all {real.vocabulary_size:,} tokens: ",
            *gpt4o.split_parts(split),
            *gpt4o.partial_parts(split),
        ],
        key="real_says",
        lines=1,
    )
    if st.session_state.get("real_opened", (None,))[0] != key:
        flat = gpt4o.longest(split)
        st.session_state["real_opened"] = (key, flat, None if flat is None else split.flat[flat].id)
    _, chosen, opened = st.session_state["real_opened"]
    picked = tiles(
        first_tokens(split.words, gpt4o.TILES),
        key="real_tiles",
        label="The text as GPT-4o's tokens; pick one to see the merges behind it",
        counts=split.counts,
        pick="tile",
        chosen=chosen,
        facts=gpt4o.facts(real),
        total=sum(map(len, split.words)),
        close=source == NEW or lab.text is not None,
        empty="No tokens: there is no text yet.",
    ).picked
    if picked is not None:
        st.session_state["real_opened"] = (key, picked, split.flat[picked].id)
        st.rerun()
    if not split.tokens:
        return None
    with st.expander("Ids and bytes of these tokens, as a table"):
        drawn = sum(map(len, split.words))
        st.dataframe(
            gpt4o.table(split),
            key="real_table",
            hide_index=True,
            height=260,
            column_config={"id": st.column_config.TextColumn(alignment="right")},
        )
        if drawn > gpt4o.ROWS:
            st.caption(f"The first {gpt4o.ROWS:,} of {drawn:,} tokens; the download has them all.")
        with st.container(horizontal=True):
            copy_button("Copy the ids", gpt4o.ids(split), key="real_ids")
            download("Tokens (CSV)", "gpt4o-tokens.csv", lambda: gpt4o.csv(split), key="real_csv")
    id: int | None = opened
    return id


def behind_a_token(real: Tokenizer, id: int | None) -> None:
    """The merge tree of the opened token."""
    if id is None:
        return
    st.subheader("Which merges are behind one token?", anchor=False)
    say(gpt4o.made_parts(real, real.token(id)), key="real_made", lines=2)
    root = real.tree(id)
    if root.left is None:
        return
    picked = tree(root, key="real_tree", label="The merge tree of the token, with ranks", word="rank")
    if picked is not None and picked != id:
        key, _, _ = st.session_state["real_opened"]
        st.session_state["real_opened"] = (key, None, picked)
        st.rerun()
    st.caption(summary(root, "rank"))
    with st.expander("The same tree in words"):
        st.code(in_words(root, "rank"), language=None, wrap_lines=True)


# --- what it teaches ----------------------------------------------------------------------------


def why_four(real: Tokenizer) -> None:
    """A frequent word is one token, a rare one several: ``gpt4o.FREQUENT`` against ``gpt4o.RARE``."""
    st.subheader("Why is ␣baker one token and unbakeable four?", anchor=False)
    frequent, rare = (gpt4o.split_text(real, text) for text in (gpt4o.FREQUENT, gpt4o.RARE))
    tiles(
        [*frequent.words, *rare.words],
        key="real_why",
        label="␣baker and unbakeable as GPT-4o's tokens",
        facts=gpt4o.facts(real),
    )
    say(gpt4o.why_parts(real, frequent, rare), key="real_why_says", live=False)


def many_languages(real: Tokenizer) -> None:
    """One sentence in many languages: a chart, the table behind it, and one sentence as tiles."""
    st.subheader("Does every language get the same share?", anchor=False)
    rows = remembered("real_languages", (), lambda: languages.figures(real))
    say(languages.told(rows), key="real_languages_says", live=False)
    chosen: int = st.session_state.setdefault("real_language", 1)

    def show(place: int) -> None:
        st.session_state["real_language"] = place

    measure = st.segmented_control(
        "Show",
        list(Measure),
        format_func=lambda measure: measure.value,
        default=Measure.TOKENS,
        key="real_measure",
        persist_state="session",
        required=True,
    )
    left, right = st.columns([3, 2], gap="medium")
    with left:
        listed = ", ".join(f"{row.sentence.language} {row.written(measure)}" for row in rows)
        charts.draw(
            languages.chart_rows(rows, measure, chosen),
            languages.SPECS[measure],
            key="real_chart",
            alt=f"{measure.value.capitalize()}, one bar a language: {listed}.",
            on_pick=show,
        )
    with right:
        st.selectbox(
            "Look at one language",
            range(len(SENTENCES)),
            format_func=lambda place: SENTENCES[place].language,
            key=labs.sync("real_language_box", chosen),
            on_change=lambda: show(st.session_state["real_language_box"]),
        )
        row = rows[chosen]
        languages.sentence_line(row.sentence)
        split = gpt4o.split_text(real, row.sentence.text)
        say(languages.row_parts(row), key="real_language_says")
        tiles(
            split.words,
            key="real_language_tiles",
            label=f"The {row.sentence.language} sentence as GPT-4o's tokens",
            facts=gpt4o.facts(real),
            close=True,
        )
    with st.expander("The figures of all languages, as a table"):
        right_side = st.column_config.TextColumn(alignment="right")
        st.dataframe(
            languages.frame(rows),
            key="real_language_table",
            hide_index=True,
            column_config={
                "words": right_side,
                "tokens per word": right_side,
                "bytes per token": right_side,
            },
        )
        download(
            "Languages (CSV)", "gpt4o-languages.csv", lambda: languages.csv(rows), key="real_languages_csv"
        )


def special_tokens(real: Tokenizer) -> None:
    """What special tokens are, and that typing one's name makes only text."""
    st.subheader("What are special tokens?", anchor=False)
    say(
        [
            "A few ids stand for no text at all: they tell the model where something ends or begins. "
            "No merge makes them. The program around the model puts them in by id; here typed text never "
            "becomes one, so a person who types the name of a special token gets plain characters."
        ],
        key="real_special_why",
        live=False,
    )
    name, id = "<|endoftext|>", o200k.SPECIAL_TOKENS["<|endoftext|>"]
    other, other_id = "<|endofprompt|>", o200k.SPECIAL_TOKENS["<|endofprompt|>"]
    split = gpt4o.split_text(real, name)
    parts: list[Part] = [
        tok(name),
        f" is id {id:,}, the end of a document; ",
        tok(other),
        f" is id {other_id:,}, the end of a prompt. Both ids lie above those of all tokens that hold text. "
        "Typed, ",
        tok(name),
        " becomes ",
        strong(many(split.tokens, "token")),
        f" with the ids {gpt4o.ids(split)}:",
    ]
    say(parts, key="real_special", live=False)
    tiles(
        split.words,
        key="real_special_tiles",
        label="The typed name of a special token, as GPT-4o's tokens",
        facts=gpt4o.facts(real),
        close=True,
    )


main()
