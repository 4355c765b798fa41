"""Quiz: the fixed questions in groups, made questions without end from a seed and a level, a teacher's sheet.

The link of a made sheet (seed, level, kind, own words) opens the same questions for everybody who has it; a
teacher's sheet comes in a link or as a file.
Everything about a question in hand is drawn by ``ui.practice``.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from bpe_core.display import text_label
from quiz.bank import QUESTIONS
from quiz.made import LEVELS, MadeKind, made_question
from quiz.made_corpora import WordCounts, usable_words
from quiz.progress import Progress
from quiz.questions import Question
from quiz.reading import Unread, read_number
from ui import lab as labs
from ui.downloads import copy_address
from ui.made_links import PARAMETERS, SEED_LIMIT, MadeSheet, fresh_seed, from_params
from ui.notes import note
from ui.paper import Paper
from ui.practice import practise
from ui.say import say
from ui.sheet_links import PARAMETER as SHEET_PARAMETER
from ui.sheets import open_linked, sheet_paper

FIXED, MADE, SHEET = "Fixed questions", "Made for you", "A teacher’s sheet"
_LEVEL_NAMES = {1: "1 easy", 2: "2 medium", 3: "3 hard"}
_ALL_KINDS = "All kinds in turn"
_WORDS = {False: "Made-up corpora", True: "My training text"}


def main() -> None:
    """The page from top to bottom."""
    found = sheet_in_the_address()
    st.title("Can you work it out yourself?")
    say(
        [
            "Choose or type an answer, check it, and read why. You can try again as often as you like: the "
            "first try and the final answer are counted apart, and hints cost nothing. What you do stays in "
            "this browser; no server keeps it."
        ],
        key="quiz_intro",
        live=False,
    )
    note(found, "warn")
    mode = st.session_state["quiz_mode"]
    st.segmented_control(
        "Which questions",
        [FIXED, MADE, SHEET],
        key=labs.sync("quiz_mode_box", mode),
        on_change=chose_mode,
        label_visibility="collapsed",
    )
    if mode == SHEET:
        paper = sheet_paper(dict.fromkeys(PARAMETERS))
    else:
        paper = made_paper() if mode == MADE else fixed_paper()
    if paper is not None:
        practise(paper)


# --- which questions ------------------------------------------------------------------------------


def sheet_in_the_address() -> list[str]:
    """Take the sheet from the link when the link is news; returns sentences about what it could not give.

    Afterwards the address follows the page. It does so a moment later, so an address that this page wrote
    itself, or has seen, is no news: a click is never undone by it.
    """
    if "quiz_mode" not in st.session_state:
        st.session_state["quiz_mode"] = FIXED
        st.session_state["quiz_sheet"] = MadeSheet(fresh_seed())
        st.session_state["quiz_known"] = []
        st.session_state["quiz_notices"] = []
    given = {name: st.query_params[name] for name in PARAMETERS if name in st.query_params}
    known: list[dict[str, str]] = st.session_state["quiz_known"]
    if given and given not in known:
        linked, st.session_state["quiz_notices"] = from_params(given)
        st.session_state["quiz_sheet"] = linked
        st.session_state["quiz_mode"] = MADE
    if open_linked():
        st.session_state["quiz_mode"] = SHEET
    if not given and st.session_state["quiz_mode"] != MADE:
        known.clear()  # the address is clean: whatever comes next is a link
    sheet: MadeSheet = st.session_state["quiz_sheet"]
    ours = {name: value for name, value in sheet.params().items() if value is not None}
    known += [each for each in (given, ours) if each and each not in known]
    del known[:-10]
    notices: list[str] = st.session_state["quiz_notices"]
    return notices


def chose_mode() -> None:
    """The other kind of questions; clicking the chosen one again changes nothing."""
    st.session_state["quiz_mode"] = st.session_state["quiz_mode_box"] or st.session_state["quiz_mode"]
    st.session_state["quiz_notices"] = []


def change(**changes: object) -> None:
    """Another made sheet."""
    st.session_state["quiz_sheet"] = replace(st.session_state["quiz_sheet"], **changes)
    st.session_state["quiz_notices"] = []


def fixed_paper() -> Paper:
    """The fixed questions. The seed orders the options: by chance for each learner, then always the same."""
    seed = st.session_state.setdefault("quiz_options_seed", secrets.randbelow(2**31))
    return Paper(
        "quiz",
        Progress("quiz", seed),
        lambda _: QUESTIONS,
        "quiz.py",
        "quiz",
        grouped=True,
        address=dict.fromkeys((*PARAMETERS, SHEET_PARAMETER)),
    )


# --- made questions -------------------------------------------------------------------------------


def made_paper() -> Paper:
    """The made questions of the sheet in hand, with the controls that choose another."""
    sheet: MadeSheet = st.session_state["quiz_sheet"]
    words = own_words() if sheet.own else ()
    controls(sheet, words)
    name = sheet.name(words)
    slot = f"{name}-{sheet.seed}-{sheet.level}"
    return Paper(
        slot,
        Progress(name, sheet.seed, sheet.level),
        lambda length: questions_of(slot, sheet, words, length),
        "quiz.py",
        slot.replace(":", "-"),
        endless=True,
        address={**sheet.params(), SHEET_PARAMETER: None},
    )


def own_words() -> WordCounts:
    """The words of the learner's corpus that suit, from the session while the corpus is the same."""
    lab = labs.current()
    key = (lab.text, lab.word_counts, lab.pre_tokenizer)
    kept = st.session_state.get("quiz_words")
    if kept is None or kept[0] != key:
        kept = st.session_state["quiz_words"] = (key, usable_words(labs.corpus_for(lab)))
    words: WordCounts = kept[1]
    return words


def questions_of(slot: str, sheet: MadeSheet, words: WordCounts, length: int) -> tuple[Question, ...]:
    """The first questions of a sheet, from the session where they are made already."""
    kept, made = st.session_state.get("quiz_made", ("", ()))
    if kept != slot:
        made = ()
    more = (
        made_question(sheet.seed, number, sheet.level, sheet.kind, words)
        for number in range(len(made), length)
    )
    made = (*made, *more)
    st.session_state["quiz_made"] = (slot, made)
    return made[:length]


def controls(sheet: MadeSheet, words: WordCounts) -> None:
    """Level, kind, words and number of the sheet, and its link."""
    kinds = {_ALL_KINDS: None, **{kind.label: kind for kind in MadeKind}}
    kind = sheet.kind.label if sheet.kind else _ALL_KINDS
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Level",
            LEVELS,
            format_func=_LEVEL_NAMES.__getitem__,
            key=labs.sync("quiz_level", sheet.level),
            on_change=lambda: change(level=st.session_state["quiz_level"] or sheet.level),
        )
        st.button("New sheet", key="quiz_new", on_click=lambda: change(seed=fresh_seed()))
    told = f"Sheet {sheet.seed}: {kind.lower()}, {_WORDS[sheet.own].lower()}"
    with (
        st.expander(told, key="quiz_settings"),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input(
            "Sheet number",
            key=labs.sync("quiz_seed", str(sheet.seed)),
            on_change=chose_seed,
            max_chars=20,
            help="The same number gives the same questions to everybody: one sheet for a class, or one each.",
            width=150,
        )
        st.selectbox(
            "Kind",
            list(kinds),
            key=labs.sync("quiz_kind", kind),
            on_change=lambda: change(kind=kinds[st.session_state["quiz_kind"]]),
            width=200,
        )
        st.segmented_control(
            "Words from",
            [False, True],
            format_func=_WORDS.__getitem__,
            key=labs.sync("quiz_own", sheet.own),
            on_change=lambda: change(
                own=sheet.own if st.session_state["quiz_own"] is None else st.session_state["quiz_own"]
            ),
        )
        query = link_of(sheet)
        if query is not None:
            copy_address(query, key="quiz_copy", label="Copy link to this sheet")
    if sheet.own:
        about_own(words, query is not None)


def chose_seed() -> None:
    """Another sheet by its number; what is no number is named and changes nothing."""
    sheet: MadeSheet = st.session_state["quiz_sheet"]
    read = read_number(st.session_state["quiz_seed"], whole=True)
    if isinstance(read, Unread) or not read[0].is_integer() or not 0 <= read[0] <= SEED_LIMIT:
        st.session_state["quiz_notices"] = [
            f"A sheet has a number from 0 to {SEED_LIMIT:,}; sheet {sheet.seed} stays."
        ]
    else:
        change(seed=int(read[0]))


def link_of(sheet: MadeSheet) -> str | None:
    """The query string of the sheet; with own words it carries the lab, and None when that is too long."""
    own = urlencode({name: value for name, value in sheet.params().items() if value is not None})
    if not sheet.own:
        return own
    lab = labs.link(replace(labs.current(), k=0))
    return None if lab is None else "&".join(part for part in (lab, own) if part)


def about_own(words: WordCounts, linked: bool) -> None:
    """Which words of the learner's own corpus the questions are made of."""
    if not words:
        note(
            "Your training text has fewer than three words that suit an exercise by hand (2 to 9 letters), "
            "so made-up corpora are used. Choose another text on the Train page."
        )
        return
    some = ", ".join(text_label(word).plain for word, _ in words[:6])
    rest = len(words) - 6
    tail = f" and {rest:,} more" if rest > 0 else ""
    note(f"Questions are made of words of your training text: {some}{tail}.")
    if not linked:
        note("Your training text is too long for a link, so this sheet cannot be sent as one.", "warn")


main()
