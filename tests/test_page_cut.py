"""Cut the word in AppTest: verdicts, replay, words, links, hostile values, what the browser keeps.

Clicking between letters, keyboard, page switch and reload need a browser: tests/browser/test_cut.py.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.pretokenize import PreTokenizer
from quiz.errors import ProgressFileError
from quiz.made import MadeKind, made_question
from quiz.misconceptions import Misconception
from ui.cutting import Cutting, Outcome, from_text, to_text
from ui.links import Lab

ROOT = Path(__file__).resolve().parent.parent


def opened(lab: Lab | None = None, **query: str) -> AppTest:
    """The page with this lab, or as the link with this query opens it."""
    app = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=120)
    if lab is not None:
        app.session_state["lab"] = lab
        app.session_state["lab_notices"] = []
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("../pages/cut.py").run()
    assert not app.exception
    return app


def components(app: AppTest, kind: str, key: str = "") -> list[dict[str, Any]]:
    """What the page gave the components of this kind with this key."""
    return [
        json.loads(element.proto.json)
        for element in app.get("bidi_component")
        if element.proto.component_name == f"bpe_{kind}" and f"-{key}" in element.proto.id
    ]


def says(app: AppTest, key: str = "cut_says") -> str:
    parts = components(app, "say", key)[0]["parts"]
    return "".join("\n" if style == "br" else text for text, style in parts)


def strip(app: AppTest, key: str) -> list[str]:
    """The tiles of a strip, as they read."""
    data = components(app, "tiles", key)[0]
    read = ["".join(text for text, _ in kind["label"]) for kind in data["kinds"]]
    return [read[i] for word in data["words"] for i in word["t"]]


def figures(app: AppTest) -> list[str]:
    block = next(html.value for html in app.html if "bpe-figures" in html.value)
    return re.findall("<dd>(.*?)</dd>", block)


def press(app: AppTest, *keys: str) -> AppTest:
    for key in keys:
        app.button(key=f"cut_{key}").click().run()
        assert not app.exception
    return app


def cut(app: AppTest, split: str) -> AppTest:
    """Set the cuts by typing and check."""
    app.text_input(key="cut_typed").set_value(split).run()
    return press(app, "check")


def own(app: AppTest, word: str) -> AppTest:
    app.text_input(key="cut_own").set_value(word).run()
    assert not app.exception
    return app


# --- verdicts -----------------------------------------------------------------------------------


def test_shops_is_cut_as_the_four_merges_leave_it() -> None:
    app = cut(opened(corpus="hop", word="shops"), "shop|s")
    assert says(app).startswith("✓ Right. shop · s: every merge that applies is made")
    assert figures(app) == ["your own", "1 of 1", "1"]
    assert not components(app, "tiles", "cut_step")


@pytest.mark.parametrize(
    ("split", "first", "mistake", "steps"),
    [
        # hops comes into sight only at merge 4, when s + hop has already taken the hop.
        ("s|hops", "Merge 3 joins s + hop to shop, and you left a cut", "missed a merge", ["3"]),
        ("s|h|o|p|s", "Merge 1 joins h + o to ho", "left the text in base units", ["1", "2", "3"]),
        ("sho|ps", "Merge 2 joins ho + p to hop", "missed a merge", ["2", "3"]),
        ("shops", "There is a cut missing between shop and s.", "", []),
    ],
)
def test_the_first_wrong_step_is_named_and_replayed(
    split: str, first: str, mistake: str, steps: list[str]
) -> None:
    app = opened(corpus="hop", word="shops")
    cut(app, split)
    if split == "shops":  # no cut at all is asked about once before it counts
        assert says(app).startswith("Not counted: No cut is set yet.")
        press(app, "check")
    assert says(app).startswith("✗ Not yet. ") and first in says(app)
    assert mistake in says(app)
    assert figures(app)[1] == "0 of 1"
    for number in steps:
        assert says(app, f"cut_step_says_{number}").startswith(f"Merge {number}: ")
    if steps:
        assert strip(app, f"cut_step_{steps[-1]}") == ["shop", "s"]
    listed = next(html.value for html in app.html if "bpe-merge-list" in html.value)
    assert listed.count("<li>") == 4 and listed.count("here</strong>") == 1


def test_the_review_replays_the_article() -> None:
    app = opened(corpus="review")
    assert says(app, "cut_asks") == "Cut ␣maker with the 8 merges below."
    cut(app, "␣m|aker")
    assert says(app).startswith("✗ Not yet.")
    cut(app, "␣|m|ake|r")
    assert says(app).startswith("✓ Right. ␣ · m · ake · r")
    assert figures(app) == ["1", "0 of 1", "0"]  # only the first check counts
    assert says(press(app, "next"), "cut_asks") == "Cut ␣baked with the 8 merges below."
    cut(app, "␣bake|d")
    assert figures(app) == ["2", "1 of 2", "1"]


def test_what_cannot_be_read_does_not_count_and_stays_in_the_box() -> None:
    app = cut(opened(corpus="hop", word="shops"), "shop")
    assert says(app).startswith("Not counted: The pieces have to join to shops.")
    assert app.text_input(key="cut_typed").value == "shop"
    assert figures(app)[1] == "0 of 0"


def test_the_verdict_goes_when_the_cuts_change() -> None:
    app = cut(opened(corpus="hop", word="shops"), "s|hops")
    app.text_input(key="cut_typed").set_value("sh|ops").run()
    assert says(app) == "The cuts have changed since the check."
    assert not components(app, "tiles", "cut_step")


def test_walls_between_words_have_to_be_cut() -> None:
    app = own(opened(corpus="review"), "a baker")
    app.text_input(key="cut_typed").set_value("a␣bake|r").run()
    press(app, "check")
    assert "There is a cut missing between a and ␣bake." in says(app)


# --- words and merge lists ----------------------------------------------------------------------


def test_a_seed_and_a_level_make_the_same_words_for_everybody() -> None:
    app = opened(seed="7", level="2")
    for number in range(3):
        question = made_question(7, number, 2, MadeKind.SPLIT)
        assert question.lab is not None and question.lab.new
        assert says(app, "cut_asks").startswith(f"Cut {question.lab.new} with the {question.lab.k} merges")
        press(app, "next")
    address = components(app, "kept", "practice_keeper")[0]["address"]
    assert address == {"seed": "7", "level": "2", "corpus": None, "word": None}


def test_an_own_word_is_in_the_link_and_another_word_goes_back_to_the_row() -> None:
    app = own(opened(corpus="hop"), "hoppers")
    address = components(app, "kept", "practice_keeper")[0]["address"]
    assert address == {"seed": None, "level": None, "corpus": "hop", "word": "hoppers"}
    assert figures(app)[0] == "your own"
    assert strip(app, "cut_word") == list("hoppers")
    press(app, "next")
    assert figures(app)[0] == "1" and app.text_input(key="cut_own").value == ""


def test_the_lab_gives_its_first_k_merges() -> None:
    app = opened(preset="hop", k="2")
    listed = next(html.value for html in app.html if "bpe-merge-list" in html.value)
    assert listed.count("<li>") == 2 and "ho" in listed
    own(app, "shops")
    cut(app, "s|hop|s")
    assert says(app).startswith("✓ Right.")
    press(app, "lab")
    assert (app.session_state["lab"].k, app.session_state["lab"].new_text) == (2, "shops")


def test_a_lab_without_merges_says_what_to_do() -> None:
    app = opened()
    app.selectbox(key="cut_list").select_index(1).run()
    assert any("No merge is made in your lab yet" in html.value for html in app.html)


def test_a_corpus_that_gives_no_word_asks_for_one() -> None:
    app = opened(Lab(None, "\n\n", None, pre_tokenizer=PreTokenizer.NONE, k=1))
    assert any("No new word can be made" in html.value for html in app.html)
    own(app, "aaa")
    cut(app, "a|a|a")
    assert says(app).startswith("✓ Right.")
    own(app, "b" * 61)  # cut off at the limit of the box
    assert len(strip(app, "cut_word")) == 60


def test_a_word_that_is_dropped_or_too_long_in_bytes_is_told() -> None:
    app = opened(Lab(None, "the cat sat on the mat", None, k=3))
    own(app, "  ")
    assert any("drops everything" in html.value for html in app.html)
    app = opened(preset="cats", k="3")
    own(app, "é" * 31)
    assert any("more than 60 units" in html.value for html in app.html)


@pytest.mark.parametrize(
    "query",
    [
        {"seed": "<b>$x$", "level": "9"},
        {"corpus": "<b>$x$"},
        {"seed": "٣", "word": "<script>"},
        {"word": "a\r\nb\ufffd", "corpus": "hop"},
    ],
)
def test_hostile_links_fall_back(query: dict[str, str]) -> None:
    app = opened(**query)
    assert components(app, "tiles", "cut_word")
    assert not any("<b>" in html.value and "$x$" in html.value for html in app.html)


def test_markup_in_merges_and_words_stays_text() -> None:
    lab = Lab(None, "<b><b><b>", None, pre_tokenizer=PreTokenizer.NONE, k=2)
    app = cut(own(opened(lab), "<b>$x$"), "<b>|$|x|$")
    assert not app.exception
    listed = next(html.value for html in app.html if "bpe-merge-list" in html.value)
    assert "&lt;" in listed and "<b>" not in listed


# --- what the browser keeps ---------------------------------------------------------------------


def test_a_kept_place_comes_back_and_a_damaged_one_is_refused() -> None:
    at = Cutting(4, "", (1, 3), (2,), True, (Outcome("ab", False, Misconception.MERGE_ORDER),))
    assert from_text(to_text(at)) == at
    good = to_text(at)
    for text in (
        "",
        "[]",
        "{}",
        good.replace('"number": 4', '"number": -4'),
        good.replace("[1, 3]", '["x"]'),
        good.replace("[1, 3]", "[0]"),
        good.replace("merge-order", "no-such-mistake"),
        good.replace('"counted": true', '"counted": 1'),
        "[" * 100_000,
    ):
        with pytest.raises(ProgressFileError):
            from_text(text)
