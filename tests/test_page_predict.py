"""Predict the merge in AppTest: nothing given away, every kind of miss named, runs, other corpora.

Tiles, keyboard, page switch and reload need a browser: tests/browser/test_predict.py.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule, Trainer
from quiz.errors import ProgressFileError
from quiz.predict import Run
from ui.links import Lab, lab_of
from ui.predicting import Pick, Play, candidates, from_text, revealed, slot_of, to_text
from ui.presets import PRESETS

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
    app.switch_page("../pages/predict.py").run()
    assert not app.exception
    return app


def component(app: AppTest, kind: str, key: str) -> dict[str, Any]:
    """What the page gave the component with this key."""
    for element in app.get("bidi_component"):
        if element.proto.component_name == f"bpe_{kind}" and f"-{key}" in element.proto.id:
            return json.loads(element.proto.json)  # type: ignore[no-any-return]
    raise AssertionError(f"no component {kind} with key {key}")


def says(app: AppTest, key: str = "predict_says") -> str:
    parts = component(app, "say", key)["parts"]
    return "".join("\n" if style == "br" else text for text, style in parts)


def figures(app: AppTest) -> list[str]:
    block = next(html.value for html in app.html if "bpe-figures" in html.value)
    return re.findall("<dd>(.*?)</dd>", block)


def press(app: AppTest, *keys: str) -> AppTest:
    for key in keys:
        if key == "on":  # as if the verdict had been read
            app.session_state["predict_checked_at"] = 0.0
        key = "go" if key in ("check", "on") else key
        app.button(key=f"predict_{key}").click().run()
        assert not app.exception
    return app


def choose(app: AppTest, name: str) -> AppTest:
    app.selectbox(key="predict_pair").select(name).run()
    return press(app, "check")


def typed(app: AppTest, text: str) -> AppTest:
    app.text_input(key="predict_typed").set_value(text).run()
    return press(app, "check")


def at_k(preset: str, k: int) -> Lab:
    return replace(lab_of(PRESETS[preset]), k=k)


# --- before the check ---------------------------------------------------------------------------


def test_nothing_on_the_page_tells_the_next_pair_before_the_check() -> None:
    app = opened()
    tiles = component(app, "tiles", "predict_tiles")
    assert (tiles["ring"], tiles["lit"], tiles["newest"], tiles["chosen_gap"]) == ([], [], None, None)
    assert not app.dataframe
    names = app.selectbox(key="predict_pair").options
    assert names[:3] == ["a + f", "a + k", "b + a"] and names == sorted(names, key=str.casefold)
    assert not any(digit in name for name in names for digit in "0123456789")
    assert "4" not in says(app) and "takes the pair seen first" in says(app)
    assert figures(app) == ["1 of 10", "0", "0 of 0", "0 (best 0)"]


def test_a_pick_can_be_changed_until_it_is_checked() -> None:
    app = opened()
    app.selectbox(key="predict_pair").select("a + f").run()
    assert says(app) == "Your pick: a + f. Check it when you are sure."
    press(app, "dry")
    assert says(app).startswith("Your pick: training has run dry.")
    assert app.selectbox(key="predict_pair").value is None
    app.text_input(key="predict_typed").set_value("a + k").run()
    assert press(app, "check") and says(app).startswith("✓ Right. a + k counts 4, as does another pair.")
    app.session_state["predict_checked_at"] = float("inf")  # the second click of a double click
    press(app, "go")
    assert figures(app)[1:3] == ["0", "1 of 1"] and says(app).startswith("✓ Right.")


# --- after it -----------------------------------------------------------------------------------


def test_the_review_is_predicted_merge_by_merge() -> None:
    app = opened()
    for number, (pair, made) in enumerate(
        [("a + k", "ak"), ("ak + e", "ake"), ("␣ + c", "␣c"), ("␣ + b", "␣b"), ("␣b + ake", "␣bake")], 1
    ):
        choose(app, pair)
        assert says(app).startswith(f"✓ Right. {pair} counts ")
        assert says(app).endswith(f"\nMerge {number}: {pair} → {made}")
        assert component(app, "tiles", "predict_tiles")["ring"]
        assert "merges next · your pick" in app.dataframe[0].value["note"][0]
        press(app, "on")
    assert figures(app) == ["6 of 10", "5", "5 of 5", "5 (best 5)"]


@pytest.mark.parametrize(
    ("preset", "before", "pick", "missed"),
    [
        ("hop", 0, "p + s", "p + s counts 3, h + o counts 11."),
        ("hop", 2, "hop + s", "hop + s counts 3, s + hop counts 4."),
        ("review", 0, "k + e", "k + e counts 4 too, but among tied pairs the rule takes the pair seen first"),
        ("review", 1, "ake + s", "There is no token ake yet: it needs the merge ak + e first."),
        ("review", 0, "k + a", "Left and right are swapped: a + k counts 4, k + a counts 0."),
        ("review", 1, "a + k", "a + k was merge 1: every place is replaced already."),
        ("review", 0, "run dry", "There is still a pair to merge: a + k counts 4."),
        ("abracadabra", 0, "a + b", "but among tied pairs the rule takes the lowest right id"),
    ],
)
def test_what_a_pick_missed_is_said(preset: str, before: int, pick: str, missed: str) -> None:
    app = typed(opened(at_k(preset, before)), pick)
    assert says(app).startswith(f"✗ Not this one. You picked {pick}.")
    assert missed in says(app)


def test_counting_each_word_once_is_told_from_other_misses() -> None:
    lab = Lab(None, None, (("ab", 3), ("cd", 1), ("cde", 1)), pre_tokenizer=PreTokenizer.NONE)
    app = choose(opened(lab), "c + d")
    assert "Each word counts as often as it occurs: c + d counts 2, a + b counts 3." in says(app)


def test_what_cannot_be_read_or_is_empty_does_not_count() -> None:
    app = press(opened(), "check")
    assert says(app).startswith("Not counted: Pick two neighbours first")
    typed(app, "ak")
    assert says(app).startswith("Not counted: Write the two tokens with a plus between them")
    assert app.text_input(key="predict_typed").value == "ak"
    assert figures(app)[2] == "0 of 0"


# --- runs ---------------------------------------------------------------------------------------


def test_a_run_of_ten_is_summed_up_and_another_begins() -> None:
    app = opened()
    choose(app, "a + k")
    for _ in range(9):
        press(app, "on", "dry", "check")
    assert figures(app) == ["10 of 10", "9", "1 of 10", "0 (best 1)"]
    press(app, "on")
    assert says(app, "predict_summary").startswith(
        "Ten picks are made. 1 of 10 right; the longest streak is 1."
    )
    table = app.dataframe[0].value
    assert table["merge"].tolist() == list(range(1, 11))
    assert table["right"].tolist() == ["✓ right"] + ["✗ wrong"] * 9
    press(app, "more")
    assert figures(app) == ["1 of 10", "10", "0 of 0", "0 (best 0)"]


def test_running_dry_ends_the_run() -> None:
    app = opened(at_k("hop", 5))
    choose(app, app.selectbox(key="predict_pair").options[0])
    while "Every word is a single token" not in says(app):
        press(app, "on", "dry", "check")
    assert says(app).startswith("✓ Right.") and says(app).endswith("no merge follows.")
    press(app, "on")
    assert says(app, "predict_summary").startswith("The corpus has run dry.")
    assert not [button for button in app.button if button.key == "predict_more"]
    press(app, "anew")
    assert figures(app)[1] == "0"


def test_a_minimum_count_ends_training_with_pairs_left() -> None:
    app = opened(at_k("low", 3))
    # Nothing is left that occurs twice, so a run begins at the first merge instead of the lab's k.
    assert figures(app)[1] == "0" and "at least 2 times" in says(app)
    for pair in ("l + o", "lo + w", "low + e"):
        assert choose(app, pair) and says(app).startswith("✓ Right.")
        press(app, "on")
    choose(app, "lowe + r")
    assert "lowe + r counts 1, and a pair needs 2 here." in says(app)


# --- corpora ------------------------------------------------------------------------------------


def test_its_k_is_its_own_and_the_lab_keeps_its_own() -> None:
    app = opened(k="2")
    assert figures(app)[1] == "2"
    choose(app, "␣ + c")
    press(app, "on")
    assert figures(app)[1] == "3"
    assert app.session_state["lab"].k == 2
    choose(app, "␣ + b")
    press(app, "lab")
    assert app.session_state["lab"].k == 3  # the Train page shows the state of the game
    app.switch_page("../pages/predict.py").run()
    assert app.session_state["lab"].k == 2


def test_an_example_is_named_in_the_address_and_each_corpus_keeps_its_game() -> None:
    app = opened(corpus="hop")
    assert app.selectbox(key="predict_corpus").value == "hop"
    choose(app, "h + o")
    app.selectbox(key="predict_corpus").select(app.selectbox(key="predict_corpus").options[0]).run()
    assert figures(app)[2] == "0 of 0"
    app.selectbox(key="predict_corpus").select("hop shop").run()
    assert figures(app)[2] == "1 of 1" and says(app).startswith("✓ Right. h + o counts 11")
    assert component(app, "kept", "practice_keeper")["address"] == {"corpus": "hop"}


def test_an_unknown_corpus_in_the_link_falls_back_with_a_notice() -> None:
    app = opened(corpus="<b>$x$")
    assert app.selectbox(key="predict_corpus").value == "lab"
    assert any("&lt;b&gt;$x$" in html.value for html in app.html)


@pytest.mark.parametrize("text", ["", "   "])
def test_a_corpus_without_words_says_what_to_do(text: str) -> None:
    app = opened(Lab(None, text, None))
    assert any("nothing to predict" in html.value for html in app.html)


@pytest.mark.parametrize("text", ["x", "a b a b"])
def test_a_corpus_of_single_characters_is_dry_at_once(text: str) -> None:
    app = press(opened(Lab(None, text, None, pre_tokenizer=PreTokenizer.WHITESPACE)), "dry", "check")
    assert says(app).startswith("✓ Right. Every word is a single token")


def test_markup_and_dollars_in_a_corpus_stay_text() -> None:
    app = opened(Lab(None, "<b>$x$</b> <b>$x$</b> | * _", None, pre_tokenizer=PreTokenizer.NONE))
    press(app, "dry", "check", "on")
    assert not app.exception
    assert not any("<b>" in block.value for block in app.markdown)


# --- what the browser keeps ---------------------------------------------------------------------


def test_a_kept_game_comes_back_and_a_damaged_one_is_refused() -> None:
    trainer = Trainer(Corpus.from_text("the café baker bakes cakes"))
    play = Play(3, Run(), Pick(typed="ak + e"), False)
    assert from_text(to_text(play), trainer) == play
    assert from_text(to_text(Play(999, Run(), Pick(dry=True), True)), trainer).k == len(trainer.steps)
    assert from_text(to_text(Play(0, Run(), Pick(pair=(0, 10**6)), True)), trainer) == Play()
    for text in ("", "[]", "{}", '{"format": "bpe-predict", "version": 1}', "[" * 100_000):
        with pytest.raises(ProgressFileError):
            from_text(text, trainer)


def test_games_are_kept_apart_by_corpus_and_settings() -> None:
    lab = Lab(None, "a b", None)
    other = Lab(None, "a b", None, ties=TieRule.LOWEST_IDS)
    assert slot_of(lab) != slot_of(other) and slot_of(lab) == slot_of(Lab(None, "a b", None, k=3))


def test_long_tokens_that_look_alike_are_told_apart_in_the_menu() -> None:
    half = "x" * 40
    words = ((f"{half}1{half}", 2), (f"{half}2{half}", 2))
    trainer = Trainer(Corpus.from_word_counts(words))
    k = next(k for k in range(1, trainer.train_to() + 1) if len(set(candidates(trainer, k))) > 1)
    for state in range(k, len(trainer.steps)):
        names = list(candidates(trainer, state).values())
        assert len(names) == len(set(names))
    assert len(revealed(trainer, 0, None)) <= 9
