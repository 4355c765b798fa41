"""For teachers: links for a class, a sheet of one's own checked line by line, a class's results put together.

Nothing is stored anywhere: links carry what they need, files are opened, read and let go. This file only
places things.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import streamlit as st

from bpe_core.errors import BPEError
from bpe_core.text import decode_file
from quiz.errors import SheetError
from quiz.gathering import ClassResults, class_csv, gather
from quiz.made import LEVELS, MadeKind
from quiz.misconceptions import Misconception
from quiz.sheet import FILE_LIMIT, Sheet, read_sheet
from quiz.what import What, needs
from ui import charts, class_results
from ui import lab as labs
from ui.class_links import LAB_PAGES, address, links_table, names_of
from ui.class_results import table_csv
from ui.downloads import copy_button, download, save_lab
from ui.figures import many
from ui.links import LINK_LIMIT
from ui.made_links import SEED_LIMIT, MadeSheet, fresh_seed
from ui.menus import table_height
from ui.notes import note
from ui.predicting import lab_name
from ui.remembered import remembered
from ui.say import say, strong
from ui.sheet_links import PARAMETER, to_param
from ui.sheets import lab_query, problem_sentences

EXAMPLE = (Path(__file__).resolve().parent.parent / "quiz" / "example_sheet.toml").read_text(encoding="utf-8")
#: Results files opened at once.
FILES_LIMIT = 500
_ALL_KINDS = "All kinds in turn"
_SAME, _EACH = "The same for everybody", "A different one for each"


def main() -> None:
    """The page from top to bottom."""
    st.title("How do I use this with a class?")
    say(
        [
            "Send a link that opens exactly what you have set up, write questions of your own, and put the "
            "results together that students hand in. There is no account and nothing is stored on the "
            "server: a link carries everything it needs, and files you open here are read and forgotten."
        ],
        key="teach_intro",
        live=False,
    )
    links, sheet, results = st.tabs(["Links for a class", "Your own sheet", "Results of a class"])
    with links:
        lab_link()
        seed_links()
    with sheet:
        opened = own_sheet()
    with results:
        class_of(opened)


def show_link(url: str, key: str, label: str = "Copy link") -> None:
    """A link to read and to copy."""
    st.code(url, language=None, wrap_lines=True)
    copy_button(label, url, key=key)


# --- links ---------------------------------------------------------------------------------------


def lab_link() -> None:
    """The lab as it is now, on a page, locked or not."""
    st.subheader("A lab for everybody", anchor=False)
    lab = labs.current()
    now = lab_name(lab).removeprefix("Your lab: ")
    say([strong("Your lab now: "), f"{now}, k = {lab.k:,}. "], key="teach_lab", live=False)
    labs.link_to("train.py", "Set it up on the Train page")
    with st.container(horizontal=True, vertical_alignment="bottom", key="teach_lab_controls"):
        page = st.selectbox(
            "Opens on",
            list(LAB_PAGES),
            format_func=LAB_PAGES.__getitem__,
            key="teach_page",
            persist_state="session",
            width=220,
        )
        locked = st.toggle(
            "Lock the training text and the settings", value=True, key="teach_lock", persist_state="session"
        )
    say(
        [
            (
                "With the lock, pages take away the box for the text and the settings; stepping through the "
                "merges and the new text stay free. It helps a class to stay together and is no safeguard: "
                "anybody can take locked=1 out of the link.",
                "quiet",
            )
        ],
        key="teach_lock_says",
        live=False,
    )
    given = replace(lab, locked=locked)
    query = labs.link(given)
    if query is None:
        note(
            f"This lab is too long for a link ({LINK_LIMIT:,} characters at most). Give the class this file; "
            "they open it on the Train page with Open file.",
            "warn",
        )
        save_lab(given, key="teach_save", label="Download the lab")
    else:
        show_link(address(page, query), "teach_copy_lab")
    if lab.locked:
        st.button("Unlock the lab for me", key="teach_unlock", on_click=_unlock)


def _unlock() -> None:
    labs.open_lab(replace(labs.current(), locked=False), labs.notices())


def seed_links() -> None:
    """Made questions or words to cut: one sheet for all, or one for each student."""
    st.subheader("Questions and words from a number", anchor=False)
    say(
        [
            "The same number makes the same questions on every machine, so a number is a sheet. Give the "
            "whole class one, or each student their own; sheets of one level ask the same kinds of things."
        ],
        key="teach_seed_says",
        live=False,
    )
    seed: int = st.session_state.setdefault("teach_number", fresh_seed())

    def fresh() -> None:
        st.session_state["teach_number"] = fresh_seed()

    def numbered() -> None:
        st.session_state["teach_number"] = int(st.session_state["teach_seed"])

    with st.container(horizontal=True, vertical_alignment="bottom", key="teach_seed_controls"):
        pages = {"quiz": "Made questions", "cut": "Cut the word"}
        page = st.selectbox(
            "What",
            list(pages),
            format_func=pages.__getitem__,
            key="teach_what",
            persist_state="session",
            width=200,
        )
        kinds: dict[str, MadeKind | None] = {_ALL_KINDS: None} | {kind.label: kind for kind in MadeKind}
        kind = None
        if page == "quiz":
            kind = kinds[
                st.selectbox("Kind", list(kinds), key="teach_kind", persist_state="session", width=220)
            ]
        level = st.segmented_control(
            "Level", LEVELS, default=1, key="teach_level", persist_state="session", required=True
        )
        st.number_input(
            "Number",
            0,
            SEED_LIMIT,
            step=1,
            key=labs.sync("teach_seed", seed),
            on_change=numbered,
            width=150,
        )
        st.button("New number", key="teach_fresh", on_click=fresh)
    params = MadeSheet(seed, level or 1, kind).params()
    if page == "cut":
        params = {"seed": params["seed"], "level": params["level"]}
    how = st.segmented_control(
        "For whom",
        [_SAME, _EACH],
        default=_SAME,
        key="teach_how",
        persist_state="session",
        required=True,
        label_visibility="collapsed",
    )
    if how == _SAME:
        show_link(address(page, params), "teach_copy_seed")
    else:
        each(page, params, seed)
    say(
        [
            "The fixed questions of the quiz are the same for everybody; only the order of the options "
            "differs. Their link needs no number:"
        ],
        key="teach_fixed_says",
        live=False,
    )
    show_link(address("quiz", {}), "teach_copy_fixed")


def each(page: str, params: dict[str, str | None], seed: int) -> None:
    """One link a student, as a table and a file."""
    names = names_of(
        st.text_area(
            "Students, one name on each line",
            key="teach_names",
            persist_state="session",
            height=140,
            help="The names stay in this browser window; they are put beside the links and nowhere else.",
        )
    )
    count = st.number_input(
        "Or how many students, without names",
        1,
        200,
        value=10,
        step=1,
        key="teach_count",
        persist_state="session",
        disabled=bool(names),
        width=260,
    )
    students = names or [f"Student {number}" for number in range(1, int(count) + 1)]
    table = links_table(page, students, params, seed)
    st.dataframe(table, key="teach_links", hide_index=True, height=table_height(len(table), 10))
    with st.container(horizontal=True, key="teach_links_out"):
        download("Links (CSV)", "bpe-links.csv", lambda: table_csv(table), key="teach_links_csv")
        lines = "\n".join(f"{row.student}\t{row.link}" for row in table.itertuples())
        copy_button("Copy all links", lines, key="teach_links_copy")


# --- one's own sheet -----------------------------------------------------------------------------


def own_sheet() -> Sheet | None:
    """Write or open a sheet, mend it line by line, look at it, and give it to the class."""
    st.subheader("Write questions of your own", anchor=False)
    say(
        [
            "A sheet is one text file. The program works the right answers out wherever you say what is "
            "asked, so a key cannot be wrong; and it names every line that has to be mended."
        ],
        key="teach_sheet_says",
        live=False,
    )
    with st.container(horizontal=True, vertical_alignment="center", key="teach_sheet_in"):
        st.button("Put the example in the box", key="teach_example", on_click=_example)
        download("Download the example", "bpe-sheet.toml", lambda: EXAMPLE, key="teach_example_dl")
        with st.popover("Open a file"):
            st.file_uploader(
                "Sheet",
                type=["toml", "txt"],
                key="teach_sheet_file",
                on_change=_opened,
                label_visibility="collapsed",
            )
    note(st.session_state.get("teach_sheet_problem") or [], "warn")

    def typed() -> None:
        st.session_state["teach_sheet_text"] = st.session_state["teach_sheet"]
        st.session_state["teach_sheet_problem"] = None

    text: str = st.session_state.get("teach_sheet_text", "")
    st.text_area(
        "The sheet; press Ctrl+Enter to check it",
        key=labs.sync("teach_sheet", text),
        on_change=typed,
        height=320,
        max_chars=FILE_LIMIT,
        placeholder='title = "Week 3"\n\n[[question]]\nkind = "number"\n…',
    )
    sheet = None
    if text.strip():
        sheet = checked(text)
    else:
        note("The box is empty. Put the example in and change it, or open a file.", "empty")
    if sheet is not None:
        preview(sheet)
        give(sheet, text)
    documentation()
    return sheet


def _example() -> None:
    st.session_state["teach_sheet_text"] = EXAMPLE
    st.session_state["teach_sheet_problem"] = None


def _opened() -> None:
    upload = st.session_state.get("teach_sheet_file")
    if upload is None:
        return
    try:
        text = decode_file(upload.getvalue(), upload.name, 4 * FILE_LIMIT).text
    except BPEError as error:
        st.session_state["teach_sheet_problem"] = str(error)
        return
    st.session_state["teach_sheet_text"] = text[: FILE_LIMIT + 1]
    st.session_state["teach_sheet_problem"] = None


def checked(text: str) -> Sheet | None:
    """The sheet if nothing has to be mended; otherwise every problem with its line."""

    def read() -> Sheet | list[str]:
        try:
            return read_sheet(text)
        except SheetError as error:
            return problem_sentences(error)

    found = remembered("teach_sheet", text, read)
    if isinstance(found, Sheet):
        say(
            [strong("✓ Nothing to mend: "), many(len(found.questions), "question"), "."],
            key="teach_sheet_verdict",
        )
        return found
    say([strong("✗ To be mended "), f"before it can be used: {len(found):,}."], key="teach_sheet_verdict")
    note(found, "warn")
    return None


def preview(sheet: Sheet) -> None:
    """The questions with their answers, as the program works them out."""
    table = pd.DataFrame(
        {
            "question": [question.id for question in sheet.questions],
            "kind": [question.kind.value for question in sheet.questions],
            "prompt": [question.prompt_text for question in sheet.questions],
            "answer": [question.answer_text for question in sheet.questions],
        }
    )
    st.dataframe(table, key="teach_preview", hide_index=True, height=table_height(len(table), 10))


def give(sheet: Sheet, text: str) -> None:
    """The sheet for the class: in a link where it fits, otherwise as a file; and its lab."""
    st.subheader("Give it to the class", anchor=False)
    param = to_param(text)
    if param is not None:
        url = address("quiz", {PARAMETER: param})
        travels = f"The whole sheet travels in its link, {len(url):,} characters long."
        say([travels], key="teach_give_says", live=False)
        with st.expander("See the link"):
            st.code(url, language=None, wrap_lines=True)
        copy_button("Copy link to the sheet", url, key="teach_copy_sheet")
    else:
        note(
            f"The sheet is too long for a link ({LINK_LIMIT:,} characters at most). Give the class the file; "
            "they open it on the Quiz page under A teacher’s sheet."
        )
    download("Download the sheet", "bpe-sheet.toml", lambda: text, key="teach_sheet_dl")
    query = lab_query(sheet)
    if query is not None:
        lock = ", locked" if sheet.locked else ""
        say([f"The lab with the sheet's corpus{lock}:"], key="teach_give_lab_says", live=False)
        lab, _ = labs.from_query(query)
        show_link(address("", labs.to_query(lab)), "teach_copy_sheet_lab", "Copy link to the lab")


def documentation() -> None:
    """The format: an example with every kind of question, and everything that can be asked."""
    with st.expander("The format, by a working example"):
        st.code(EXAMPLE, language="toml", wrap_lines=True)
    with st.expander("What can be asked of the program (asks = …)"):
        st.dataframe(remembered("teach_asks", "all", _asks), hide_index=True, height=320)
    with st.expander("Names for misconceptions (misconception = …)"):
        st.dataframe(remembered("teach_names_of_slips", "all", _slips), hide_index=True, height=320)


def _asks() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "asks": [what.value for what in What],
            "needs": [", ".join(needs(what)) or "nothing" for what in What],
        }
    )


def _slips() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "misconception": [slip.value for slip in Misconception],
            "meaning": [slip.label for slip in Misconception],
        }
    )


# --- results -------------------------------------------------------------------------------------


def class_of(sheet: Sheet | None) -> None:
    """The results files of a class, put together."""
    st.subheader("Put the results of a class together", anchor=False)
    say(
        [
            "Students save a results file on the Quiz page, under Hand in. Open all of them here at once; "
            "CSV and JSON may be mixed. The files are only as honest as their senders."
        ],
        key="teach_results_says",
        live=False,
    )
    uploads = st.file_uploader(
        "Results files", type=["csv", "json"], accept_multiple_files=True, key="teach_files"
    )
    if not uploads:
        note("No file is open yet.", "empty")
        return
    if len(uploads) > FILES_LIMIT:
        note(f"{len(uploads):,} files are open; the first {FILES_LIMIT:,} of them are read.", "warn")
        uploads = uploads[:FILES_LIMIT]
    together = remembered(
        "teach_all",
        tuple(upload.file_id for upload in uploads),
        lambda: gather((upload.name, upload.getvalue()) for upload in uploads),
    )
    note(list(together.problems), "warn")
    titles = {sheet.key: sheet.title} if sheet else {}
    files = sorted({class_results.sheet_name(one.sheet, titles) for one in together.students})
    if not files:
        return
    chosen = files[0]
    if len(files) > 1:
        chosen = st.selectbox("The files belong to several sheets; show", files, key="teach_of")
    names = {one.file for one in together.students if class_results.sheet_name(one.sheet, titles) == chosen}
    of_sheet = remembered(
        "teach_class",
        (chosen, tuple(upload.file_id for upload in uploads)),
        lambda: gather((upload.name, upload.getvalue()) for upload in uploads if upload.name in names),
    )
    show(of_sheet, chosen, sheet)


def show(together: ClassResults, name: str, sheet: Sheet | None) -> None:
    """One sheet of a class: students, questions, misconceptions."""
    students = together.students
    questions = together.questions
    kinds = class_results.by_kind(questions)
    if len(kinds) < len(questions) and st.toggle(
        "Put made questions of one kind together", value=True, key="teach_by_kind"
    ):
        questions = kinds
    said = [
        strong(many(len(students), "student")),
        ", ",
        many(len(questions), "question"),
        ": ",
    ]
    total = sum(row.students for row in questions)
    first = sum(row.first_right for row in questions)
    right = sum(row.right for row in questions)
    said.append(
        f"of {total:,} answers asked for, {first:,} were right on the first try and {right:,} in the end."
    )
    say(said, key="teach_class_says")
    prompts = {q.id: q.prompt_text for q in sheet.questions} if sheet and sheet.title == name else {}
    table = class_results.questions_table(questions, prompts)
    if questions:
        charts.draw(
            class_results.outcome_rows(questions),
            class_results.outcome_spec(),
            key="teach_outcomes",
            alt=f"For {len(questions):,} questions, how many students were right; the table says the same.",
        )
        if len(questions) > class_results.BARS:
            st.caption(f"Showing the first {class_results.BARS} of {len(questions):,} questions.")
    st.dataframe(
        table,
        key="teach_questions",
        hide_index=True,
        height=table_height(len(table), 12),
        column_config={"asks": st.column_config.Column(width="medium")},
    )
    slips = class_results.misconceptions_table(together)
    if len(slips):
        charts.draw(
            class_results.slip_rows(together),
            class_results.slip_spec(),
            key="teach_slips",
            alt=f"{len(slips):,} misconceptions by how often they came up; the table says the same.",
        )
        st.dataframe(slips, key="teach_slips_table", hide_index=True, height=table_height(len(slips), 12))
    else:
        note("No known misconception came up.", "empty")
    st.subheader("Student by student", anchor=False)
    people = class_results.students_table(together)
    st.dataframe(people, key="teach_students", hide_index=True, height=table_height(len(people), 15))
    with st.container(horizontal=True, key="teach_out"):
        download("Questions (CSV)", "bpe-class-questions.csv", lambda: class_csv(together), key="teach_csv_q")
        download(
            "Misconceptions (CSV)",
            "bpe-class-misconceptions.csv",
            lambda: table_csv(slips),
            key="teach_csv_m",
        )
        download("Students (CSV)", "bpe-class-students.csv", lambda: table_csv(people), key="teach_csv_s")


main()
