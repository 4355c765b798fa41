"""The Train page in AppTest: every example against the articles' tables, the toolbar, settings, notices.

What only a browser can show (tiles, keys, play, typing) is in tests/browser/test_train.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.alphabet import Unit
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule
from ui.links import Lab
from ui.presets import PRESETS

SHELL = Path(__file__).resolve().parents[1] / "ui" / "shell.py"


def opened(**query: str) -> AppTest:
    """The app opened by a link."""
    at = AppTest.from_file(str(SHELL), default_timeout=60)
    for name, value in query.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def pressed(at: AppTest, button: str, times: int = 1) -> AppTest:
    for _ in range(times):
        at.button(key=button).click().run()
        assert not at.exception
    return at


def component(at: AppTest, name: str, key: str) -> dict[str, Any]:
    """What the page gave the component with this key."""
    for element in at.get("bidi_component"):
        if element.proto.component_name == f"bpe_{name}" and f"-{key}" in element.proto.id:
            return json.loads(element.proto.json)  # type: ignore[no-any-return]
    raise AssertionError(f"no component {name} with key {key}")


def sentence(at: AppTest, key: str = "happened") -> str:
    return "".join(text for text, _ in component(at, "say", key)["parts"])


def strip(at: AppTest, key: str = "corpus") -> list[list[str]]:
    """The tiles of a strip, word by word, as they read."""
    data = component(at, "tiles", key)
    read = ["".join(text for text, _ in kind["label"]) for kind in data["kinds"]]
    return [[read[i] for i in word["t"]] for word in data["words"]]


def merges(at: AppTest) -> list[list[Any]]:
    """The merges table, oldest first: left, right, token, count, L, V."""
    frame = next(table.value for table in at.dataframe if "k" in table.value)
    assert list(frame.columns) == ["k", "left", "right", "token", "count", "tied", "replaced", "L", "V"]
    return frame[frame["k"] > 0].iloc[::-1][["left", "right", "count", "L", "V"]].values.tolist()


def test_review_before_any_click() -> None:
    at = opened()
    assert "L = 50" in sentence(at) and "|V| = 16" in sentence(at)
    assert "Next, outlined below: a + k, count 4, the first seen of 2 tied pairs." in sentence(at)
    assert strip(at)[1] == ["␣", "c", "a", "f", "é"]
    assert at.button(key="back").disabled and at.button(key="reset").disabled


def test_review_five_merges_as_in_the_article() -> None:
    at = pressed(opened(), "next", 5)
    assert merges(at) == [
        ["a", "k", 4, 46, 17],
        ["ak", "e", 4, 42, 18],
        ["␣", "c", 3, 39, 19],
        ["␣", "b", 3, 36, 20],
        ["␣b", "ake", 3, 33, 21],
    ]
    assert at.dataframe[1].value.iloc[::-1]["tied"].dropna().tolist() == [2, 1, 4, 3, 2]
    assert sentence(at).startswith(
        "Merge 5: ␣b + ake → ␣bake, count 3, the first seen of 2 tied pairs. "
        "3 replacements: L 36 → 33, |V| 20 → 21."
    )
    assert strip(at, "new_tiles") == [
        ["t", "h", "e"],
        ["␣", "m", "ake", "r"],
        ["␣bake", "d"],
        ["␣c", "ake", "s"],
    ]
    assert "12 tokens for 21 characters: 1.75 characters per token." in sentence(at, "new_said")
    assert "Never seen in training, so without an id: m, d." in sentence(at, "new_said")


def test_one_click_changes_every_number() -> None:
    at = pressed(opened(), "next")
    assert sentence(at).startswith("Merge 1: a + k → ak, count 4")
    assert component(at, "scrub", "train_k")["value"] == 1
    assert component(at, "scrub", "train_k")["label"] == "Merges made: k = 1 of 22"
    assert component(at, "keep", "lab_keeper")["query"] == "k=1"
    assert merges(at) == [["a", "k", 4, 46, 17]]


def test_review_bytes_rediscover_the_accent() -> None:
    at = opened()
    at.toggle(key="train_bytes").set_value(True).run()
    pressed(at, "next", 6)
    assert [row[2:] for row in merges(at)] == [
        [4, 49, 18],
        [4, 45, 19],
        [3, 42, 20],
        [3, 39, 21],
        [3, 36, 22],
        [3, 33, 23],
    ]
    assert merges(at)[3][:2] == ["⟨C3⟩", "⟨A9⟩"]
    assert ["␣c", "a", "f", "é"] in strip(at)


def test_running_dry_says_why_and_disables_next() -> None:
    at = opened(k="22")
    assert at.button(key="next").disabled and at.button(key="play").disabled
    assert "No merge is left. Every word is a single token" in sentence(at)
    assert merges(at)[-1][3:] == [10, 38]
    assert opened(unit="byte", k="23").button(key="next").disabled
    assert not opened(unit="byte", k="22").button(key="next").disabled


@pytest.mark.parametrize(
    ("preset", "k", "expected"),
    [
        (
            "abracadabra",
            10,
            [
                ["r", "a", 6, 29],
                ["a", "b", 6, 23],
                ["ab", "ra", 6, 17],
                ["c", "a", 3, 14],
                ["ca", "d", 3, 11],
                ["cad", "abra", 3, 8],
                ["abra", "cadabra", 3, 5],
                ["abracadabra", "␣", 2, 3],
            ],
        ),
        (
            "cats",
            10,
            [
                ["a", "t", 13],
                ["at", "␣", 8],
                ["e", "␣", 6],
                ["t", "h", 5],
                ["th", "e␣", 5],
                ["at", "↵", 4],
                ["a", "␣", 4],
                ["c", "at␣", 3],
                ["␣", "a␣", 3],
                ["the␣", "cat␣", 2],
            ],
        ),
        ("aaabdaaabac", 3, [["A", "A", 4, 9], ["AA", "A", 2, 7], ["AAA", "B", 2, 5]]),
        ("low", 3, [["l", "o", 3], ["lo", "w", 3], ["low", "e", 2]]),
        ("hop", 4, [["h", "o", 11, 29, 5], ["ho", "p", 11, 18, 6], ["s", "hop", 4, 14, 7], ["hop", "s", 2]]),
    ],
)
def test_examples_against_their_articles(preset: str, k: int, expected: list[list[Any]]) -> None:
    at = opened(preset=preset, k=str(k))
    made = merges(at)[: len(expected)]
    assert [row[: len(want)] for row, want in zip(made, expected, strict=True)] == expected


def test_hop_after_three_merges_has_three_for_hop_s() -> None:
    # s+hop 4 wins merge 3 while hop+s has 3; after it shop·s keeps one of the three.
    at = opened(preset="hop", k="2")
    table = at.dataframe[0].value
    assert table[["left", "right", "count", "note"]].values.tolist() == [
        ["s", "hop", 4, "next"],
        ["hop", "s", 3, ""],
    ]
    assert strip(opened(preset="hop", k="4"), "new_tiles") == [["shop", "s"]]


def test_pair_that_overlaps_itself_reconciles_count_and_replacements() -> None:
    said = sentence(opened(preset="aaabdaaabac", k="1"))
    assert "A + A → AA, count 4" in said
    assert "Only 2 replacements, because the pair overlaps itself" in said
    assert "L 11 → 9" in said


def test_low_stops_at_the_minimum_count_and_says_so() -> None:
    at = opened(preset="low", k="3")
    assert at.button(key="next").disabled
    assert "fewer than 2 times, the minimum count" in sentence(at)
    low_end = [row for row in at.dataframe[0].value.values.tolist() if row[1] == "⟨end⟩" and row[0] == "low"]
    assert low_end == [["low", "⟨end⟩", 1, "tied"]]  # its article says 3; only low itself ends in w


def test_shares_name_every_word() -> None:
    at = opened(k="3")
    assert sentence(at, "shares") == "count of ␣ + b = 1 × 1 in ␣baker + 2 × 1 in ␣bakes = 3"


def test_back_reset_and_the_link_follow() -> None:
    at = pressed(opened(k="4"), "back")
    assert component(at, "keep", "lab_keeper")["query"] == "k=3"
    pressed(at, "next", 2)
    assert component(at, "keep", "lab_keeper")["query"] == "k=5"
    pressed(at, "reset")
    assert component(at, "keep", "lab_keeper")["query"] == ""


def test_every_edit_of_the_text_applies_at_once() -> None:
    at = opened(k="9")
    for text, length in (("abcd", 4), ("abab", 4), ("xy", 2)):
        at.text_area(key="corpus_text").set_value(text).run()
        assert f"L = {length}" in sentence(at)
    assert component(at, "scrub", "train_k")["maximum"] == 1


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_to_train_on(text: str) -> None:
    at = opened(text=text)
    assert "The corpus holds no words." in sentence(at)
    assert at.button(key="next").disabled
    assert component(at, "tiles", "corpus")["words"] == []
    assert any("n/a" in html.value for html in at.get("html"))


@pytest.mark.parametrize("text", ["x", "xy", "$a$", "<b>x</b>", "&amp; &lt;", "a\0b\x1bc\x7f", "a​b‍c⁠d﻿e"])
def test_odd_corpora_run_to_their_end(text: str) -> None:
    at = opened(text=text, pre="none", k="999")
    assert [len(word) for word in strip(at)] == [1]
    at = opened(text=text, pre="none")
    assert [len(word) for word in strip(at)] == [len(text)]


def test_a_word_of_a_hundred_thousand_letters_is_shown_in_part_and_counted_whole() -> None:
    at = AppTest.from_file(str(SHELL), default_timeout=60)
    at.session_state["lab"] = Lab(None, "ab" * 50_000, None, pre_tokenizer=PreTokenizer.NONE)
    at.run()
    for length in (100_000, 50_000):
        assert not at.exception
        data = component(at, "tiles", "corpus")
        assert [len(word["t"]) for word in data["words"]] == [2000]
        assert data["rest"] == f"Showing the first 2,000 of {length:,} tokens."
        words = next(table.value for table in at.dataframe if "adds to L" in table.value)
        cell, count, tokens, adds = words.values.tolist()[0]
        assert (count, tokens, adds) == (1, length, length)
        assert cell.count(" | ") == 60 and cell.endswith(" | …")
        pressed(at, "next")


def test_settings_take_effect_and_are_named() -> None:
    at = opened()
    at.selectbox(key="train_ties").set_value(TieRule.LOWEST_IDS).run()
    assert "lowest ids" in at.get("popover")[1].proto.popover.label
    at.selectbox(key="train_pre").set_value(PreTokenizer.WORD_END).run()
    assert at.number_input(key="train_min").value == 2
    at.number_input(key="train_min").set_value(3).run()
    assert component(at, "keep", "lab_keeper")["query"] == "pre=word-end&ties=lowest-ids&min=3"
    assert any(
        "white space + end marker · lowest ids · min 3" in p.proto.popover.label for p in at.get("popover")
    )


def test_dropped_white_space_is_said() -> None:
    at = opened(text="a\n\nb")
    assert any("2 characters were left out (2 line breaks)" in html.value for html in at.get("html"))


def test_hostile_link_opens_with_notices_and_no_markup() -> None:
    at = opened(k="５", unit='"><img src=x onerror=alert(1)>', pre="$x$", ties="", min="0", preset="<b>")
    notes = [html.value for html in at.get("html") if "bpe-note" in html.value]
    text = " ".join(notes)
    assert "&lt;img src=x" in text and "<img" not in text
    assert text.count("The link asks") == 6
    assert "L = 50" in sentence(at)


@pytest.mark.parametrize(("k", "shown"), [("24", 22), ("345", 22), ("-1", 0), ("-999", 0), ("007", 7)])
def test_k_in_a_link_is_clamped(k: str, shown: int) -> None:
    at = opened(k=k)
    assert component(at, "scrub", "train_k")["value"] == shown
    noticed = any("asked for" in html.value or "asks for" in html.value for html in at.get("html"))
    assert noticed == (str(shown) != k.lstrip("0"))


def test_examples_state_their_settings() -> None:
    assert PRESETS["abracadabra"].ties is TieRule.COLUMN_MAJOR
    assert PRESETS["cats"].unit is Unit.BYTE
    for name in PRESETS:
        at = opened(preset=name)
        assert sentence(at, "corpus_about") == PRESETS[name].about
        assert component(at, "keep", "lab_keeper")["query"] == ("" if name == "review" else f"preset={name}")


def test_lab_survives_a_page_switch() -> None:
    at = pressed(opened(text="banana bandana", pre="none"), "next", 3)
    at.toggle(key="train_bytes").set_value(True).run()
    pressed(at, "next", 2)
    before = merges(at)
    pages = SHELL.parents[1] / "pages"
    other = next(page for page in sorted(pages.glob("*.py")) if page.name != "train.py")
    at.switch_page(f"../pages/{other.name}").run()
    assert not at.exception
    at.switch_page("../pages/train.py").run()
    assert merges(at) == before
    assert at.toggle(key="train_bytes").value and at.text_area(key="corpus_text").value == "banana bandana"


def test_word_counts_are_edited_as_a_table() -> None:
    at = opened(preset="hop")
    assert at.text_area(key="corpus_text").value == "hop\t5\nhops\t2\nshop\t3\nshops\t1"
    at.text_area(key="corpus_text").set_value("hop\t5\nhops\tmany").run()
    assert any("Line 2: the count" in html.value for html in at.get("html"))
    assert "L = 40" in sentence(at)  # the corpus is still the one before
    at.text_area(key="corpus_text").set_value("hop\t1\nhops\t2").run()
    assert "L = 11" in sentence(at)


def test_a_locked_lab_steps_but_keeps_its_corpus_and_settings() -> None:
    at = opened(preset="hop", locked="1", k="1")
    assert at.text_area(key="corpus_text").disabled and at.toggle(key="train_bytes").disabled
    assert not [box for box in at.selectbox if box.key in ("train_pre", "train_ties")]
    assert not at.number_input and not at.get("file_uploader")
    assert any("locked the training text and the settings" in html.value for html in at.get("html"))
    pressed(at, "next", 2)
    assert sentence(at).startswith("Merge 3: s + hop")
    assert component(at, "keep", "lab_keeper")["query"] == "preset=hop&k=3&locked=1"
    pressed(at, "reset")
    assert not at.session_state["lab"].k and at.session_state["lab"].locked


def test_a_locked_lab_refuses_other_changes_wherever_they_come_from() -> None:
    def page() -> None:
        from bpe_core.alphabet import Unit
        from ui import lab as labs

        labs.load()
        labs.update(text="other", word_counts=None, unit=Unit.BYTE, k=2, new_text="new")

    at = AppTest.from_function(page)
    at.query_params["preset"] = "hop"
    at.query_params["locked"] = "1"
    lab = at.run().session_state["lab"]
    assert (lab.preset, lab.unit, lab.k, lab.new_text) == ("hop", Unit.CHAR, 2, "new")
