"""Cut the word: set the cuts that a merge list leaves in a new word, and see the first merge that went wrong.

Merge lists come from a seed and a level, from the lab at its k, or from an example. The checker is
``quiz.cutting``; this file only places things.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from bpe_core.alphabet import Token
from bpe_core.errors import BPEError, shown
from quiz.cut_words import UNITS_LIMIT
from quiz.cutting import CutJudgement, judge_cuts
from quiz.made import LEVELS
from quiz.reading import Unread, read_cuts
from ui import excursion, tables
from ui import lab as labs
from ui.cutting import (
    EXAMPLE_MERGES,
    LISTED,
    OWN_LIMIT,
    Cutting,
    Exercise,
    figures,
    from_text,
    lab_exercise,
    made_exercise,
    merge_list,
    own_text,
    slot_of,
    to_text,
    verdict_parts,
    word_parts,
)
from ui.downloads import copy_address
from ui.kept import Heard, keep, recall, waiting
from ui.made_links import SEED_LIMIT, MadeSheet, fresh_seed, from_params
from ui.notes import note
from ui.predicting import AtState, lab_name
from ui.remembered import remembered
from ui.say import say, strong, tok
from ui.tiles import cut_tiles, tiles

MADE, OWN = "made", "lab"
_TILES = "cut_word"
#: Merges of a replay that are drawn; the rest is counted.
REPLAYED = 12


def main() -> None:
    """The page from top to bottom."""
    st.title("Where do the merges cut a new word?")
    say(
        [
            "A new word starts as single units. Going down the merge list once, in order, each merge joins "
            "its two tokens wherever they stand side by side; the cuts that are left are the split. Set a "
            "cut wherever you think one stays, and check. The first check on a word counts."
        ],
        key="cut_intro",
        live=False,
    )
    sheet, linked, found = taken_from_the_address()
    note(found, "warn")
    source, sheet = chosen_list(sheet)
    if source == OWN and not labs.current().k:
        note("No merge is made in your lab yet, so there is nothing to replay. Make some first.", "empty")
        labs.link_to("train.py", "Make merges on the Train page")
        return
    from_where = sheet if source == MADE else lab_of_list(source)
    slot = slot_of(from_where)
    heard = recall(slot)
    at = held(slot, heard, linked)
    # Held before anything is drawn: a click in the middle of drawing ends this run, and nothing is lost.
    at = hold(slot, act(at, exercise_of(from_where, at)))
    st.session_state.pop("cut_events", None)
    with waiting(heard):
        at = hold(slot, work(slot, at, exercise_of(from_where, at)))
    query = address_of(source, sheet, at)
    with st.container(horizontal=True, vertical_alignment="center", key="cut_share"):
        if source != OWN:
            given = {name: value for name, value in query.items() if value is not None}
            copy_address(urlencode(given), key="cut_copy", label="Copy link to these words")
        if heard.answered and not heard.works:
            note("This browser keeps nothing, so a reload begins anew.", "warn")
    keep(slot, to_text(at), query)


# --- which merge list ----------------------------------------------------------------------------


def taken_from_the_address() -> tuple[MadeSheet, str, list[str]]:
    """What the link asks for on the first visit, and afterwards what the session has.

    Returns the made sheet, the linked word ("" for none) and notices.
    """
    if "cut_source" in st.session_state:
        return st.session_state["cut_sheet"], st.session_state["cut_linked"], st.session_state["cut_notices"]
    params = st.query_params
    sheet, notices = from_params({name: params[name] for name in ("seed", "level") if name in params})
    asked = params.get("corpus")
    if asked is not None and asked not in EXAMPLE_MERGES:
        notices.append(f"The link asks for the corpus {shown(asked)}, which is not one of the examples.")
    if sheet is not None:
        source = MADE
    elif asked in EXAMPLE_MERGES:
        source = asked
    else:
        source = OWN if labs.current().k else MADE
    st.session_state["cut_source"] = source
    st.session_state["cut_sheet"] = sheet or MadeSheet(fresh_seed())
    st.session_state["cut_linked"] = own_text(params.get("word", ""))
    st.session_state["cut_notices"] = notices
    return st.session_state["cut_sheet"], st.session_state["cut_linked"], notices


def chosen_list(sheet: MadeSheet) -> tuple[str, MadeSheet]:
    """The menu of merge lists; a made one has its level and number beside it."""
    lab = labs.current()
    names = {MADE: "Made for you", OWN: f"{lab_name(lab)}, k = {lab.k:,}"}
    names |= {
        name: f"Example: {labs.PRESETS[name].label}, {merges} merges"
        for name, merges in EXAMPLE_MERGES.items()
    }

    def chose() -> None:
        st.session_state["cut_source"] = st.session_state["cut_list"]
        st.session_state["cut_linked"] = ""
        st.session_state["cut_notices"] = []

    def change(**changes: object) -> None:
        st.session_state["cut_sheet"] = replace(sheet, **changes)
        st.session_state["cut_linked"] = ""
        st.session_state["cut_notices"] = []

    source: str = st.session_state["cut_source"]
    with st.container(key="cut_controls", horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Merge list",
            list(names),
            format_func=names.__getitem__,
            key=labs.sync("cut_list", source),
            on_change=chose,
            width=340,
        )
        if source == MADE:
            st.segmented_control(
                "Level",
                LEVELS,
                key=labs.sync("cut_level", sheet.level),
                on_change=lambda: change(level=st.session_state["cut_level"] or sheet.level),
            )
            st.number_input(
                "Sheet",
                0,
                SEED_LIMIT,
                step=1,
                key=labs.sync("cut_seed", sheet.seed),
                on_change=lambda: change(seed=int(st.session_state["cut_seed"])),
                help="The same number gives the same words to everybody.",
                width=150,
            )
            st.button("New sheet", key="cut_new", on_click=lambda: change(seed=fresh_seed()))
    return source, sheet


def lab_of_list(source: str) -> labs.Lab:
    """The lab whose merges are replayed: the learner's, or an example with its first merges."""
    if source == OWN:
        return labs.current()
    return replace(labs.lab_of(labs.PRESETS[source]), k=EXAMPLE_MERGES[source])


def exercise_of(source: MadeSheet | labs.Lab, at: Cutting) -> Exercise:
    """The word in hand with its merges, from the session where it has not changed."""
    if isinstance(source, MadeSheet):
        made = source
        return remembered("cut_exercise", (made, at.number, at.own), lambda: made_exercise(made, at))
    lab = source
    key = (lab.training_key, lab.k, lab.new_text, at.number, at.own)
    return remembered("cut_exercise", key, lambda: lab_exercise(lab, at))


def address_of(source: str, sheet: MadeSheet, at: Cutting) -> dict[str, str | None]:
    """The page's own parameters: what opens this merge list, and a word of the learner's own."""
    made = source == MADE
    return {
        "seed": str(sheet.seed) if made else None,
        "level": str(sheet.level) if made else None,
        "corpus": source if source not in (MADE, OWN) else None,
        "word": at.own or None,
    }


# --- the place of this session ------------------------------------------------------------------


def held(slot: str, heard: Heard, linked: str) -> Cutting:
    """Where the learner stands: what the browser kept if that is news, else this session's place.

    A linked word wins over both.
    """
    places: dict[str, Cutting] = st.session_state.setdefault("cut_places", {})
    fresh = slot not in places
    if heard.news and heard.text is not None:
        try:
            places[slot] = from_text(heard.text)
            show_cuts(name_of(slot, places[slot]), places[slot].cuts)
            fresh = True
        except BPEError as error:
            note(f"{error} You begin afresh.", "warn")
    places.setdefault(slot, Cutting())
    if fresh and linked:
        places[slot] = places[slot].own_word(linked)
    return places[slot]


def hold(slot: str, at: Cutting) -> Cutting:
    """Make this the session's place on this merge list."""
    st.session_state["cut_places"][slot] = at
    return at


def name_of(slot: str, at: Cutting) -> str:
    """The name of the word in hand: another one starts with other cuts."""
    return f"{slot}/{at.number}/{at.own}"


def show_cuts(name: str, cuts: tuple[int, ...]) -> None:
    """Set the cuts of the tiles: there, cut i lies between unit i and unit i + 1."""
    st.session_state[f"{_TILES}_cuts"] = (name, tuple(cut - 1 for cut in cuts))


# --- what was clicked ----------------------------------------------------------------------------


def noted(event: str) -> None:
    """Remember a click until the page is drawn."""
    st.session_state.setdefault("cut_events", []).append(event)


def act(at: Cutting, exercise: Exercise) -> Cutting:
    """The place after everything that happened since the last run; the cuts come before the check."""
    events: list[str] = st.session_state.get("cut_events", [])
    st.session_state.pop("cut_unread", None)
    name = name_of(exercise.slot, at)
    set_for, cuts = st.session_state.get(f"{_TILES}_cuts", ("", ()))
    set_now = tuple(cut + 1 for cut in cuts) if set_for == name else at.cuts
    if set_now != at.cuts:
        st.session_state["cut_typed"] = ""  # cutting by hand takes the place of what was typed
    at = replace(at, cuts=set_now)
    if ("typed" in events or "check" in events) and exercise.units:
        at = typed(at, exercise, name)
    if "check" in events and exercise.units and "cut_unread" not in st.session_state:
        if not at.cuts and not at.counted and st.session_state.get("cut_whole") != name:
            st.session_state["cut_whole"] = name
            st.session_state["cut_unread"] = (
                "No cut is set yet. If you mean that the word becomes one token, press Check again."
            )
        else:
            judged = judge_cuts(exercise.tokenizer, exercise.text or "", at.cuts)
            at = at.checked_as(exercise.text or "", judged)
    if "own" in events:
        at = at.own_word(own_text(st.session_state["cut_own"]))
    elif "next" in events:
        at = at.next_word()
        st.session_state["cut_linked"] = ""
    return at


def typed(at: Cutting, exercise: Exercise, name: str) -> Cutting:
    """The cuts as typed, shown in the tiles; what cannot be read stays in the box with a hint."""
    text = st.session_state.get("cut_typed", "")
    if not text.strip():
        return at
    found = read_cuts(text, exercise.units)
    if isinstance(found, Unread):
        st.session_state["cut_unread"] = found.hint
        return at
    st.session_state["cut_typed"] = ""
    show_cuts(name, found)
    return replace(at, cuts=found)


# --- the word ------------------------------------------------------------------------------------


def work(slot: str, at: Cutting, exercise: Exercise) -> Cutting:
    """The word to cut, its merges, and what the check found; returns the place with the cuts set now."""
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in figures(at))
    st.html(f'<dl class="bpe-figures">{cells}</dl>')
    judged = None
    if exercise.units:
        say(word_parts(exercise), key="cut_asks")
        set_now = cut_tiles(
            exercise.units,
            key=_TILES,
            label="The word; set the cuts between its units",
            cuts={cut - 1 for cut in at.cuts},
            name=name_of(slot, at),
        )
        at = replace(at, cuts=tuple(cut + 1 for cut in set_now))
        judged = verdict(at, exercise)
    else:
        note(why_not(exercise, at), "empty")
    buttons(bool(exercise.units))
    unread = st.session_state.get("cut_unread")
    if exercise.units:
        if unread:
            say([strong("Not counted: "), unread], key="cut_says", lines=2)
        elif judged is not None:
            say(verdict_parts(judged), key="cut_says", lines=2)
        else:
            changed = at.checked is not None
            says = "The cuts have changed since the check." if changed else ""
            say([(says, "quiet")], key="cut_says", lines=2)
    merges(exercise, judged.number if judged else None)
    if judged is not None and not judged.right:
        replay(judged, len(exercise.units))
    boxes(at, exercise)
    return at


def verdict(at: Cutting, exercise: Exercise) -> CutJudgement | None:
    """What the check found, as long as the cuts are the ones that were checked."""
    if at.checked is None or at.checked != at.cuts:
        return None
    key = (exercise.slot, exercise.text, at.checked)
    return remembered(
        "cut_verdict", key, lambda: judge_cuts(exercise.tokenizer, exercise.text or "", at.cuts)
    )


def why_not(exercise: Exercise, at: Cutting) -> str:
    """Why there is nothing to cut."""
    if exercise.text is None:
        return "No new word can be made from this corpus. Type one of your own below."
    if not at.own:
        return "This word cannot be cut. Take another one."
    if not exercise.tokenizer.pre_tokenizer.split(exercise.text):
        return "The pre-tokenizer drops everything in this word, so nothing is left to cut. Type another one."
    return f"This word has more than {UNITS_LIMIT} units; type a shorter one."


def buttons(check: bool) -> None:
    """Check and another word, always in the same place, so that the focus stays."""
    with st.container(key="cut_buttons", horizontal=True, vertical_alignment="center"):
        if check:
            st.button("Check", key="cut_check", type="primary", on_click=noted, args=("check",))
        st.button("Another word", key="cut_next", on_click=noted, args=("next",))


def replay(judged: CutJudgement, units: int) -> None:
    """The right replay from the first slip on, as tiles: one row a merge."""
    st.subheader("How it goes from there", anchor=False)
    if judged.before is not None:
        begun = len(judged.before.pieces) < units
        says = "Before that, the merges have made this:" if begun else "At the start there are single units:"
        say([says], key="cut_before_says", live=False)
        row([piece.token for piece in judged.before.pieces], "cut_before", "Before that merge")
    for step in judged.replay[:REPLAYED]:
        parts = [f"Merge {step.number:,}: ", tok(step.left.token), " + ", tok(step.right.token), " → "]
        say([*parts, tok(step.made.token)], key=f"cut_step_says_{step.number}", live=False)
        made = step.made.token.id
        row(
            [p.token for p in step.after.pieces],
            f"cut_step_{step.number}",
            f"After merge {step.number}",
            made,
        )
    rest = len(judged.replay) - REPLAYED
    if rest > 0:
        say([f"… and {rest:,} more, to ", (str(judged.split), "token")], key="cut_rest", live=False)
    if not judged.replay:
        say(["No merge follows: this is the split."], key="cut_rest", live=False)


def row(tokens: list[Token], key: str, label: str, newest: int | None = None) -> None:
    """Tokens in a row, to look at."""
    tiles([tokens], key=key, label=label, newest=newest, pick="none")


def merges(exercise: Exercise, here: int | None) -> None:
    """The merge list; a long one as a table."""
    st.subheader("The merges, in order", anchor=False)
    if exercise.k <= LISTED:
        st.html(merge_list(exercise, here))
    else:
        table = tables.merges_table(exercise.trainer, exercise.k)[["k", "left", "right", "token"]]
        st.dataframe(table[table["k"] > 0][::-1], key="cut_merges", hide_index=True, height=300)
        if exercise.k > tables.ROWS:
            st.caption(f"The last {tables.ROWS} of {exercise.k:,} merges.")


def boxes(at: Cutting, exercise: Exercise) -> None:
    """Type the split, type a word of one's own, or look at it all in the lab."""
    typing, own = st.columns(2, gap="medium")
    with typing:
        st.text_input(
            "Or type the word with a bar at each cut, such as ab|c",
            key="cut_typed",
            max_chars=2_000,
            on_change=noted,
            args=("typed",),
            disabled=not exercise.units,
            help="Press Enter to set the cuts, then check. A space that belongs to the word is ␣.",
        )
    with own:
        st.text_input(
            "Cut a word of your own",
            key=labs.sync("cut_own", at.own),
            max_chars=OWN_LIMIT,
            on_change=noted,
            args=("own",),
            help="It is cut with the same merges. Empty goes back to the words of the list.",
        )
    if st.button("Open these merges in the lab", key="cut_lab", type="tertiary"):
        excursion.set_out(AtState(exercise.query), page="cut.py", label="Cut the word")
        labs.go("train.py")


main()
