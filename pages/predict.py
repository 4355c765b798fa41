"""Predict the merge: pick the next pair before it is shown, read what the pick missed, and go on.

The k of this page is its own; the lab's stays where it is. Nothing that gives the next pair away is drawn, or
sent to the browser, before the pick is checked.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from time import monotonic

import streamlit as st

from bpe_core.errors import BPEError, shown
from bpe_core.training import Trainer
from quiz.predict import Prediction
from quiz.reading import Unread
from ui import excursion, tables
from ui import lab as labs
from ui.kept import Heard, keep, recall, waiting
from ui.menus import table_height
from ui.notes import note
from ui.predicting import (
    ROWS,
    TYPED_LIMIT,
    AtState,
    Pick,
    Play,
    candidates,
    figures,
    from_text,
    judged,
    lab_name,
    length_in_words,
    pick_parts,
    revealed,
    rounds_table,
    slot_of,
    to_text,
    verdict_parts,
)
from ui.remembered import remembered
from ui.say import say, strong
from ui.tiles import TILE_LIMIT, tiles

OWN = "lab"
_ADDRESS = "corpus"
#: Seconds in which a second click on the same place belongs to the first.
DOUBLE_CLICK = 0.4


def main() -> None:
    """The page from top to bottom."""
    st.title("Which pair merges next? Decide before you see it")
    say(
        [
            "Training always joins the pair that stands side by side most often; where several tie, the rule "
            "decides. Pick two neighbours, or say that training has run dry, and check. The first pick for "
            "each merge counts, and ten picks make a run."
        ],
        key="predict_intro",
        live=False,
    )
    source, lab = chosen_corpus()
    trainer = labs.trainer_for(lab)
    if not trainer.initial_length:
        note("This corpus holds no words, so there is nothing to predict. Choose another one above.", "empty")
        labs.link_to("train.py", "Type a training text on the Train page")
        return
    slot = slot_of(lab)
    heard = recall(slot)
    play = held(slot, lab, trainer, heard)
    labs.learned_enough(trainer, play.k)
    # Held before anything is drawn: a click in the middle of drawing ends this run, and nothing is lost.
    hold(slot, play := act(play, trainer))
    st.session_state.pop("predict_events", None)
    with waiting(heard):
        if play.over:
            summary(slot, play, lab, trainer)
        else:
            ask(slot, play, lab, trainer)
        if heard.answered and not heard.works:
            note("This browser keeps nothing, so a reload begins a new run.", "warn")
    keep(slot, to_text(play), {_ADDRESS: None if source == OWN else source})


# --- the game of this session -------------------------------------------------------------------


def chosen_corpus() -> tuple[str, labs.Lab]:
    """The menu of corpora: the learner's lab, or an example. The address names an example."""
    lab = labs.current()
    names = {OWN: lab_name(lab)} | {name: preset.label for name, preset in labs.PRESETS.items()}
    if "predict_source" not in st.session_state:
        asked = st.query_params.get(_ADDRESS, OWN)
        if asked not in names:
            note(
                f"The link asks for the corpus {shown(asked)}, which is not known; your lab is used.", "warn"
            )
        st.session_state["predict_source"] = asked if asked in names else OWN

    def chose() -> None:
        st.session_state["predict_source"] = st.session_state["predict_corpus"]

    source: str = st.session_state["predict_source"]
    st.selectbox(
        "Corpus",
        list(names),
        format_func=names.__getitem__,
        key=labs.sync("predict_corpus", source),
        on_change=chose,
    )
    return source, lab if source == OWN else labs.lab_of(labs.PRESETS[source])


def held(slot: str, lab: labs.Lab, trainer: Trainer, heard: Heard) -> Play:
    """The game on this corpus: what the browser kept if that is news, else this session's, else a new one."""
    games: dict[str, Play] = st.session_state.setdefault("predict_games", {})
    if heard.news and heard.text is not None:
        try:
            games[slot] = from_text(heard.text, trainer)
        except BPEError as error:
            note(f"{error} You begin afresh.", "warn")
    if slot not in games:
        games[slot] = Play(start_of(lab, trainer))
    return games[slot]


def hold(slot: str, play: Play) -> None:
    """Make this the session's game on this corpus."""
    st.session_state["predict_games"][slot] = play


def start_of(lab: labs.Lab, trainer: Trainer) -> int:
    """Where a first run begins: at the lab's k, unless nothing is left to predict there."""
    labs.learned_enough(trainer, lab.k)
    return lab.k if trainer.next_pair(lab.k) is not None else 0


# --- what was clicked ----------------------------------------------------------------------------


def noted(event: str) -> None:
    """Remember a click until the page is drawn."""
    st.session_state.setdefault("predict_events", []).append(event)


def act(play: Play, trainer: Trainer) -> Play:
    """The game after everything that happened since the last run; what was typed or chosen comes first."""
    events: list[str] = st.session_state.get("predict_events", [])
    st.session_state.pop("predict_unread", None)
    if "typed" in events:
        play = play.picked(Pick(typed=st.session_state["predict_typed"][:TYPED_LIMIT]))
    if "chosen" in events:
        play = play.picked(Pick(pair=st.session_state["predict_pair"]))
    if "dry" in events:
        play = play.picked(Pick(dry=True))
    if "check" in events and not play.checked:
        found = judged(trainer, play.k, play.pick)
        if isinstance(found, Unread):
            st.session_state["predict_unread"] = found.hint
        else:
            play = play.checked_as(found)
            st.session_state["predict_checked_at"] = monotonic()
    elif "go on" in events and play.checked and _read():
        labs.learned_enough(trainer, play.k + 1)
        play = play.gone_on()
    return play


def _read() -> bool:
    """Whether the verdict was there long enough to be read, unlike at the second click of a double click."""
    return monotonic() - st.session_state.get("predict_checked_at", -DOUBLE_CLICK) >= DOUBLE_CLICK


def tile_clicked(play: Play, flat: list[int], tile: int) -> Play:
    """A tile is the first of two, or the second beside it; the same tile again lets it go."""
    if play.checked:
        return play
    if play.first is not None and abs(play.first - tile) == 1:
        left = min(play.first, tile)
        return play.picked(Pick(pair=(flat[left], flat[left + 1])))
    again = play.first == tile
    return replace(play.picked(Pick()), first=None if again else tile)


# --- asking --------------------------------------------------------------------------------------


def ask(slot: str, play: Play, lab: labs.Lab, trainer: Trainer) -> None:
    """One round: the corpus as tiles, the pick, and after the check what it missed."""
    prediction = None
    if play.checked:
        key = (lab.training_key, play.k, play.pick)
        found = remembered("predict_verdict", key, lambda: judged(trainer, play.k, play.pick))
        prediction = found if isinstance(found, Prediction) else None
    standing(play)
    corpus(slot, play, trainer, prediction)
    buttons(play, lab)
    if prediction is None:
        other_ways(play, trainer)
    else:
        counts(play, trainer)
    if play.k:
        with st.expander(f"Merges made so far: {play.k:,}"):
            table = tables.merges_table(trainer, play.k)[["k", "left", "right", "token", "count"]]
            st.dataframe(table, key="predict_merges", hide_index=True)


def standing(play: Play) -> None:
    """Where the run stands."""
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in figures(play))
    st.html(f'<dl class="bpe-figures">{cells}</dl>')


def corpus(slot: str, play: Play, trainer: Trainer, prediction: Prediction | None) -> None:
    """The corpus as tiles to pick from. The ring is there only after the check."""
    words = trainer.words_at(play.k, TILE_LIMIT)
    flat = [id for word in words for id in word]
    total = None
    if len(trainer.corpus.words) > TILE_LIMIT:
        total = sum(map(len, trainer.words_at(play.k)))
    picked = tiles(
        [[trainer.token(id) for id in word] for word in words],
        key="predict_tiles",
        label=length_in_words(trainer, play.k),
        counts=trainer.corpus.counts,
        ring=prediction.answer if prediction else None,
        newest=trainer.steps[play.k - 1].token if play.k else None,
        lit=places(flat, play) if prediction is None else (),
        pick="pair",
        chosen=play.first,
        total=total,
    )
    went = play
    if picked.boundary is not None:
        went = play.picked(Pick(pair=(flat[picked.boundary], flat[picked.boundary + 1])))
    elif picked.picked is not None:
        went = tile_clicked(play, flat, picked.picked)
    if went != play:
        hold(slot, went)
        st.rerun()
    unread = st.session_state.get("predict_unread")
    if prediction is not None:
        say(verdict_parts(trainer, prediction), key="predict_says", lines=2)
    elif unread:
        say([strong("Not counted: "), unread], key="predict_says", lines=2)
    else:
        say(pick_parts(trainer, play, flat), key="predict_says", lines=2)


def places(flat: list[int], play: Play) -> list[int]:
    """The tiles of the picked pair, wherever it stands."""
    pair = play.pick.pair
    if pair is None:
        return []
    return sorted(
        {place + side for place, both in enumerate(pairwise(flat)) if both == pair for side in (0, 1)}
    )


def buttons(play: Play, lab: labs.Lab) -> None:
    """Check becomes going on in its place, so that the focus stays; the rest comes beside it."""
    label = "Check"
    if play.checked:
        label = "See how the run went" if play.finished else "Merge it and go on"
    with st.container(key="predict_buttons", horizontal=True, vertical_alignment="center"):
        event = "go on" if play.checked else "check"
        st.button(label, key="predict_go", type="primary", on_click=noted, args=(event,))
        if play.checked:
            open_in_lab(lab, play.k)
        else:
            st.button(
                "It has run dry",
                key="predict_dry",
                on_click=noted,
                args=("dry",),
                help="Pick this when no pair is left that may be merged.",
            )


def open_in_lab(lab: labs.Lab, k: int) -> None:
    """The Train page at this very state; coming back gives the learner's own lab back."""
    if st.button(
        "Open this state in the lab", key="predict_lab", type="tertiary", help=f"The Train page at k = {k:,}."
    ):
        state = AtState(labs.to_query(replace(lab, k=k)))
        excursion.set_out(state, page="predict.py", label="Predict the merge")
        labs.go("train.py")


def other_ways(play: Play, trainer: Trainer) -> None:
    """Pick from a menu in alphabetical order, or by typing."""
    names = candidates(trainer, play.k)
    total = trainer.pair_total(play.k)
    menu, typing = st.columns(2, gap="medium")
    with menu:
        about = "every pair" if total <= ROWS else f"{len(names):,} of {total:,} pairs, the winner among them"
        pair = play.pick.pair if play.pick.pair in names else None
        st.selectbox(
            f"Or choose from {about}, in alphabetical order",
            list(names),
            format_func=names.__getitem__,
            key=labs.sync("predict_pair", pair),
            on_change=noted,
            args=("chosen",),
            placeholder="Choose a pair" if names else "No two tokens stand side by side",
            disabled=not names,
        )
    if sum(map(len, trainer.corpus.words)) <= labs.SMALL_CORPUS:
        with typing:
            st.text_input(
                "Or type it, such as ak + e, and press Enter",
                key=labs.sync("predict_typed", play.pick.typed),
                max_chars=TYPED_LIMIT,
                on_change=noted,
                args=("typed",),
                help="A space that belongs to a token is ␣.",
            )


def counts(play: Play, trainer: Trainer) -> None:
    """The counts that decided it, once the pick is checked."""
    table = revealed(trainer, play.k, play.pick.pair)
    if len(table):
        st.caption(f"The counts that decide merge {play.k + 1:,}, the highest first.")
        small = dict.fromkeys(("pair", "count"), st.column_config.Column(width="small"))
        height = table_height(len(table), 9)
        st.dataframe(table, key="predict_counts", hide_index=True, height=height, column_config=small)


# --- the end of a run ----------------------------------------------------------------------------


def summary(slot: str, play: Play, lab: labs.Lab, trainer: Trainer) -> None:
    """How the run went, round by round, and another one."""
    last = play.run.rounds[-1].k
    ended = "The corpus has run dry." if play.run.dry else "Ten picks are made."
    say([strong(f"{ended} "), play.run.summary], key="predict_summary")
    table = rounds_table(play.run)
    st.dataframe(table, key="predict_rounds", hide_index=True, height=table_height(len(table), 10))

    def again(k: int) -> None:
        hold(slot, Play(k))

    with st.container(key="predict_again", horizontal=True, vertical_alignment="center"):
        if not play.run.dry:
            on = last + 1
            st.button(
                f"Ten more, from merge {on + 1:,}",
                key="predict_more",
                type="primary",
                on_click=again,
                args=(on,),
            )
        st.button("A new run from the first merge", key="predict_anew", on_click=again, args=(0,))
        if lab.k and trainer.next_pair(lab.k) is not None:
            st.button(
                f"A new run from your lab's k = {lab.k:,}", key="predict_own", on_click=again, args=(lab.k,)
            )
        open_in_lab(lab, last)


main()
