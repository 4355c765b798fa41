"""For teachers in AppTest: links, the lock, sheets mended line by line and opened on the Quiz page, results.

Opening files by hand, copying and both themes need a browser: tests/browser/test_teach.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.errors import BPEError
from quiz.bank import QUESTIONS
from quiz.checking import check
from quiz.gathering import gather
from quiz.made import made_sheet
from quiz.misconceptions import Misconception
from quiz.progress import Progress
from quiz.questions import Kind, Question
from quiz.results import results_of, to_csv, to_json
from quiz.sheet import read_sheet
from ui import class_results
from ui.class_links import links_table, names_of, seeds
from ui.links import LINK_LIMIT, Lab, from_query
from ui.sheet_links import SheetLinkError, from_param, to_param

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = (ROOT / "quiz" / "example_sheet.toml").read_text(encoding="utf-8")


def opened(page: str = "teach", lab: Lab | None = None, **query: str) -> AppTest:
    """The page with this lab, or as the link with this query opens it."""
    app = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=120)
    if lab is not None:
        app.session_state["lab"] = lab
        app.session_state["lab_notices"] = []
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    app.switch_page(f"../pages/{page}.py").run()
    assert not app.exception
    return app


def components(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(block.proto.json) for block in app.get("bidi_component")]


def says(app: AppTest) -> str:
    """All our sentences on the page, one a line."""
    return "\n".join(
        "".join(text for text, _ in data["parts"]) for data in components(app) if "parts" in data
    )


def notes(app: AppTest) -> str:
    return "\n".join(block.value for block in app.html if "bpe-note" in block.value)


def links(app: AppTest) -> list[str]:
    """The links on the page, in order."""
    return [code.value for code in app.code if code.value.startswith("/")]


def written(app: AppTest, text: str) -> AppTest:
    app.text_area(key="teach_sheet").set_value(text).run()
    assert not app.exception
    return app


# --- links --------------------------------------------------------------------------------------


def test_the_lab_is_linked_locked_and_on_the_chosen_page() -> None:
    app = opened(preset="hop", k="3")
    assert links(app)[0] == "/?preset=hop&k=3&locked=1"
    app.selectbox(key="teach_page").select("Cut the word").run()
    assert links(app)[0] == "/cut?preset=hop&k=3&locked=1"
    app.toggle(key="teach_lock").set_value(False).run()
    assert links(app)[0] == "/cut?preset=hop&k=3"
    assert "no safeguard" in says(app) and "nothing is stored on the server" in says(app)


def test_a_teacher_who_opened_a_locked_link_can_unlock_it() -> None:
    app = opened(preset="hop", locked="1")
    app.button(key="teach_unlock").click().run()
    assert not app.session_state["lab"].locked
    assert not [button for button in app.button if button.key == "teach_unlock"]


def test_a_long_lab_becomes_a_file() -> None:
    app = opened(lab=Lab(None, "word " * 2_000, None))
    assert "too long for a link" in notes(app)
    assert not [link for link in links(app) if "text=" in link]


def test_one_sheet_for_all_and_one_for_each() -> None:
    app = opened()
    app.number_input(key="teach_seed").set_value(7).run()
    app.segmented_control(key="teach_level").set_value(2).run()
    app.selectbox(key="teach_kind").select("Split a word").run()
    assert "/quiz?seed=7&level=2&kind=split" in links(app) and "/quiz" in links(app)
    app.selectbox(key="teach_what").select("Cut the word").run()
    assert "/cut?seed=7&level=2" in links(app)
    app.segmented_control(key="teach_how").set_value("A different one for each").run()
    app.text_area(key="teach_names").set_value("Ada\nBen\n\nAda\n=1+1").run()
    table = app.dataframe[0].value
    assert table["student"].tolist() == ["Ada", "Ben", "=1+1"]
    assert table["link"].tolist() == [f"/cut?seed={seed}&level=2" for seed in (7, 8, 9)]
    assert "'=1+1" in class_results.table_csv(table)


def test_seeds_differ_for_a_whole_year() -> None:
    assert len(set(seeds(999_990, 300))) == 300
    assert len(names_of("\n".join(map(str, range(900))))) == 500
    assert links_table("quiz", ["a"], {"level": "1", "seed": "3"}, 5)["link"].tolist() == [
        "/quiz?level=1&seed=5"
    ]


# --- a sheet ------------------------------------------------------------------------------------


def test_the_example_has_nothing_to_mend_and_shows_its_answers() -> None:
    app = opened()
    app.button(key="teach_example").click().run()
    assert "✓ Nothing to mend: 5 questions." in says(app)
    answers = app.dataframe[0].value.set_index("question")["answer"]
    assert answers["count-ps"] == "3" and answers["third-merge"] == "s + hop"
    assert answers["cut-shops"] == "shop · s" and answers["token"] == "shop"
    lab, found = from_query(dict(parse_qsl(urlsplit(links(app)[-1]).query)))
    assert not found and lab.locked
    assert lab.word_counts == (("hop", 5), ("hops", 2), ("shop", 3), ("shops", 1))


def test_every_line_to_mend_is_named() -> None:
    broken = EXAMPLE.replace('kind = "pair"', 'kind = "pears"').replace("lock = true", 'lock = "yes"')
    app = written(opened(), broken)
    for needle in ('kind = "pears"', 'lock = "yes"'):
        line = next(number for number, text in enumerate(broken.split("\n"), 1) if needle in text)
        assert f"Line {line}:" in notes(app)
    assert "✗ To be mended" in says(app)
    assert not [link for link in links(app) if "sheet=" in link]
    assert "this is not TOML" in notes(written(app, "title = 'x\n[[question]]"))
    assert "✓ Nothing to mend" in says(written(app, EXAMPLE))


def test_hostile_sheets_are_only_text() -> None:
    app = written(opened(), "[[question]]\nkind='<script>$x$'\nprompt='**b**'")
    assert "&lt;script&gt;" in notes(app)
    sheet = "title='$x$ **b** <b>'\n[[question]]\nkind='number'\nprompt='<b>$x$'\nanswer=4\n"
    app = written(app, sheet)
    assert "✓ Nothing to mend: 1 question." in says(app)
    assert not any("<b>" in block.value or "$x$" in block.value for block in app.markdown)


def test_a_sheet_travels_in_its_link_or_not_at_all() -> None:
    param = to_param(EXAMPLE)
    assert param is not None and len("sheet=" + param) <= LINK_LIMIT
    assert from_param(param) == EXAMPLE
    for value in ("", "a", param[:-9], param[:40] + "A" + param[41:], "%%", "é", "eJw" * 2_000):
        with pytest.raises(SheetLinkError):
            from_param(value)


def test_no_bomb_is_unpacked() -> None:
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(b"a" * 50_000_000)).decode().rstrip("=")
    with pytest.raises(BPEError):
        from_param(bomb)


# --- the sheet on the Quiz page -----------------------------------------------------------------


def test_the_link_opens_the_sheet_and_it_is_worked_through() -> None:
    param = to_param(EXAMPLE)
    assert param is not None
    app = opened("quiz", sheet=param)
    sheet = read_sheet(EXAMPLE)
    assert "Hop, hops, shop, shops · 5 questions" in says(app)
    kept = next(data for data in components(app) if "slot" in data)
    assert kept["slot"] == sheet.key and kept["address"]["sheet"] == param
    copy = app.session_state[f"practice:{sheet.key}"]
    question = sheet.questions[0]
    app.session_state[f"practice:{sheet.key}"] = replace(copy, progress=copy.progress.drafted(question, "2"))
    app.button(key="practice_check").click().run()
    assert "That counts each word once, whatever its count." in says(app)
    for button in ("sheet_lab", "practice_lab"):
        app.button(key=button).click().run()
        lab = app.session_state["lab"]
        assert lab.locked and lab.word_counts and lab.word_counts[0] == ("hop", 5)
        app.switch_page("../pages/quiz.py").run()
        assert not app.session_state["lab"].locked


@pytest.mark.parametrize("value", ["x", "eJw", "<b>$x$"])
def test_a_damaged_link_to_a_sheet_says_so(value: str) -> None:
    app = opened("quiz", sheet=value)
    assert "does not hold a whole sheet" in notes(app) and "No sheet is open" in notes(app)
    app.segmented_control(key="quiz_mode_box").set_value("Fixed questions").run()
    assert not app.exception and app.button(key="practice_check")


def test_a_sheet_with_problems_in_a_link_names_them() -> None:
    param = to_param("[[question]]\nkind = 'number'\nprompt = 'x'\n")
    assert param is not None
    app = opened("quiz", sheet=param)
    assert "This sheet cannot be opened:" in notes(app) and "Line 1:" in notes(app)


# --- results ------------------------------------------------------------------------------------


def results(
    name: str, wrong: Sequence[int], questions: Sequence[Question], sheet: str = "quiz", seed: int = 1
) -> Any:
    """A student who gets all right at once, but those in ``wrong`` only on the second try."""
    progress = Progress(sheet, seed, 1, name)
    for place, question in enumerate(questions):
        answers: list[Any] = []
        if place in wrong:
            bad = next(option for option in question.options if not question.is_right(option))
            answers.append([bad.key] if question.kind is Kind.CHOICE else question.option_text(bad))
        answers.append(list(question.right_keys) if question.kind is Kind.CHOICE else question.answer_text)
        for answer in answers:
            progress = progress.after(question, answer, check(question, answer), seconds=30)
    return results_of(progress, questions, "2025-03-01T10:15")


CHOICES = [question for question in QUESTIONS if question.kind is Kind.CHOICE and not question.several][:4]


def test_a_class_in_tables() -> None:
    ada, ben = results("Ada", [0], CHOICES), results("Ben", [0, 1], CHOICES)
    files = [("a.csv", to_csv(ada).encode()), ("b.json", to_json(ben).encode()), ("bad.csv", b"x")]
    together = gather(files)
    table = class_results.questions_table(together.questions, {}).set_index("question")
    first = table.loc[CHOICES[0].id]
    assert (first["had it"], first["tried"], first["first try"], first["right"]) == (2, 2, 0, 2)
    assert table.loc[CHOICES[1].id]["first try"] == 1 and table.loc[CHOICES[2].id]["first try"] == 2
    assert first["asks"] == CHOICES[0].prompt_text
    students = class_results.students_table(together).set_index("student")
    assert students.loc["Ben"].tolist() == [4, 4, 2, 4, 3.0, "b.json"]  # six tries of 30 seconds
    rows = class_results.outcome_rows(together.questions)
    assert rows[rows["question"] == CHOICES[1].id]["outcome"].tolist() == [
        "right on the first try",
        "right later",
    ]
    assert rows.groupby("question")["number"].sum().tolist() == [2] * 4
    assert len(together.problems) == 1 and "bad.csv" in together.problems[0]
    slips = class_results.misconceptions_table(together)
    named = [slip.label for slip in Misconception]
    assert set(slips["misconception"]) <= set(named)


def test_made_questions_are_put_together_by_kind() -> None:
    papers = [made_sheet(seed, 1, 8) for seed in (7, 8)]
    files = [
        (f"{seed}.csv", to_csv(results(f"S{seed}", [0], paper, "made", seed)).encode())
        for seed, paper in zip((7, 8), papers, strict=True)
    ]
    together = gather(files)
    assert len(together.questions) == 16
    kinds = class_results.by_kind(together.questions)
    assert len(kinds) == 8 and {row.students for row in kinds} == {2}
    assert sum(row.first_right for row in kinds) == 14
    table = class_results.questions_table(kinds, {})
    assert "Split a word" in table["asks"].tolist()


def test_one_student_may_work_on_several_made_sheets_of_one_kind() -> None:
    files = [
        (f"{seed}.csv", to_csv(results("Ada", [], made_sheet(seed, 1, 3), "made:split", seed)).encode())
        for seed in (7, 8)
    ]
    assert len(gather(files).students) == 2 and not gather(files).problems


def test_without_files_the_page_says_so() -> None:
    assert "No file is open yet." in notes(opened())
