"""The Compare page: tokens, unknowns and losses of every way of cutting, against figures worked out by hand.

Typing and opening an example on Train need a browser: tests/browser/test_compare.py.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.alphabet import Unit
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule
from tests import apptest
from tests.apptest import components, notes, says
from ui import ways
from ui.links import default_lab

opened = partial(apptest.opened, "compare")


def strips(app: AppTest) -> dict[str, str]:
    """The tiles of every strip by its name: words apart by spaces, tokens by dots."""
    found = {}
    for data in components(app):
        if "words" in data:
            kinds = ["".join(text for text, _ in kind["label"]) for kind in data["kinds"]]
            found[data["label"]] = " ".join("·".join(kinds[i] for i in word["t"]) for word in data["words"])
    return found


def whole_picture(app: AppTest) -> pd.DataFrame:
    """The table, by way of cutting."""
    frame: pd.DataFrame = app.dataframe[0].value
    return frame.set_index("way")


# --- the review --------------------------------------------------------------------------------


def test_the_review_after_five_merges_in_every_way() -> None:
    frame = whole_picture(opened(k="5"))  # the maker baked cakes
    assert len(frame) == 3 + 7 + 2
    assert (frame["merges"] == [0, 0, 0] + [5] * 9).all()
    words, bytes_ = frame.loc["words"], frame.loc["bytes"]
    assert (words["tokens"], words["unknown"], words["vocabulary"]) == (4, 2, 8)  # ␣maker, ␣baked
    assert (bytes_["tokens"], bytes_["unknown"], bytes_["vocabulary"], bytes_["whole"]) == (21, 0, 256, "yes")
    characters = frame.loc["characters"]
    assert (characters["tokens"], characters["unknown"], characters["vocabulary"]) == (21, 2, 16)  # m, d
    own = frame.loc["BPE, article words (your lab)"]
    assert (own["tokens"], own["unknown"], own["vocabulary"], own["per_token"]) == (12, 2, 21, 1.75)
    space = frame.loc["BPE, white space"]
    assert (space["dropped"], space["whole"]) == (3, "no: unknown, white space lost")
    assert frame.loc["BPE, white space + end marker", "whole"] == "no: unknown"


def test_the_strips_show_the_same_cuts() -> None:
    app = opened(k="5")
    shown = strips(app)
    assert shown["The text cut by words"] == "the ␣maker ␣baked ␣cakes"
    assert shown["The text cut by article words"] == "t·h·e ␣·m·ake·r ␣bake·d ␣c·ake·s"
    assert "article words (your lab): 12 tokens, vocabulary 21 (5 merges). 2 unknown: m, d." in says(app)
    assert "2 unknown: ␣maker, ␣baked." in says(app)


def test_known_text_comes_back_from_every_way_that_keeps_white_space() -> None:
    frame = whole_picture(opened(k="5", new="the café bakes"))
    lost = frame[frame["whole"] != "yes"]
    assert lost.index.tolist() == ["BPE, white space"]
    assert lost["dropped"].tolist() == [2]
    assert frame.loc["BPE, white space + end marker", "dropped"] == 2


def test_bytes_know_every_text() -> None:
    frame = whole_picture(opened(unit="byte", k="4", new="שלום"))
    assert frame.loc["BPE, article words (your lab)", "tokens"] == 8
    assert frame.loc["BPE, article words (your lab)", "vocabulary"] == 260
    assert frame.loc["characters", "unknown"] == 4


def test_at_k_0_a_first_look_is_taken_and_said() -> None:
    app = opened()
    assert app.slider(key="compare_merges").value == 10
    assert any("k = 0" in caption.value for caption in app.caption)
    app.slider(key="compare_merges").set_value(0).run()
    assert app.session_state["lab"].k == 0
    assert whole_picture(app).loc["BPE, article words (your lab)", "tokens"] == 21


def test_tie_rules_that_cut_alike_are_said_to() -> None:
    alike = "All three tie rules cut this text alike"
    assert any(alike in caption.value for caption in opened(k="2").caption)  # ake, by whichever way
    assert not any(alike in caption.value for caption in opened(k="5").caption)


def test_word_counts_are_a_corpus_like_any() -> None:
    frame = whole_picture(opened(preset="hop", k="3"))  # ho hop shop; new text "shops"
    assert frame.loc["words", "unknown"] == 0
    assert frame.loc["BPE, no splitting (your lab)", "tokens"] == 2  # shop·s


# --- two examples ------------------------------------------------------------------------------


def test_low_lower_lowest_with_and_without_the_marker() -> None:
    app = opened()
    assert "lowlowerlowest" not in says(app)
    app.button(key="compare_open_low").click().run()
    said = says(app)
    assert "With the end marker: l + o 3, lo + w 3, low + e 2; then it stops." in said
    assert "Without it: l + o 3, lo + w 3, low + e 2; then it stops." in said
    assert "L 17 → 9, |V| 8 → 11." in said and "L 14 → 6, |V| 7 → 10." in said
    assert "Decoded: low␣lower␣lowest: the text comes back." in said
    assert "Decoded: lowlowerlowest: the spaces are lost." in said
    assert "The pair w + marker occurs once" in said
    shown = strips(app)
    assert shown["lowly, with the end marker"] == "low·l·y·⟨end⟩"
    assert shown["low lower lowest, without the end marker"] == "low lowe·r lowe·s·t"
    app.button(key="compare_open_low").click().run()
    assert "lowlowerlowest" not in says(app)


def test_machinelearning_is_unknown_to_words_and_read_by_subwords() -> None:
    app = opened()
    app.button(key="compare_open_machine").click().run()
    said = says(app)
    assert (
        "words: 1 token, vocabulary 10 (the 10 distinct words of the corpus). 1 unknown: machinelearning."
        in said
    )
    assert strips(app)["The text cut by subwords"] == "machine·learning⟨end⟩"
    assert "characters: 15 tokens" in said and "bytes: 15 tokens" in said


# --- any corpus --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "   ", "a", "word", "é\x00$x$ `*_", "a " * 3_000])
@pytest.mark.parametrize("new", ["", " ", "a$x$ <b>\u200b" * 300])
def test_any_corpus_and_text_is_compared(text: str, new: str) -> None:
    app = opened(replace(default_lab(), preset=None, text=text, new_text=new))
    if new:
        assert len(whole_picture(app)) == 12
    else:
        assert "Type a text" in notes(app)
    for data in components(app):
        if "words" in data:
            assert sum(len(word["t"]) for word in data["words"]) <= 120


def test_a_large_corpus_waits_to_be_asked() -> None:
    text = " ".join(f"{a}{b}{c}" * 2 for a in "abcdefghij" for b in "klmnopqrst" for c in range(70))
    app = opened(replace(default_lab(), preset=None, text=text))
    assert len(whole_picture(app)) == 4  # words, characters, bytes, and the lab's own
    assert "This corpus is large" in notes(app)
    app.button(key="compare_train_all").click().run()
    assert not app.exception
    assert len(whole_picture(app)) == 12
    assert "This corpus is large" not in notes(app)


def test_every_setting_is_a_way_once() -> None:
    lab = replace(default_lab(), unit=Unit.BYTE, ties=TieRule.COLUMN_MAJOR, min_count=3)
    made = ways.variants(lab)
    assert [v.pre_tokenizer for v in made[:7]] == list(PreTokenizer)
    assert [v.ties for v in made[7:]] == [TieRule.FIRST_SEEN, TieRule.LOWEST_IDS]
    assert len({v.training_key for v in made}) == 9 and lab in made
    assert {v.min_count for v in made if v.pre_tokenizer is PreTokenizer.WORD_END} == {2}
    assert {v.min_count for v in made if v.pre_tokenizer is lab.pre_tokenizer} == {3}
