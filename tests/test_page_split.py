"""The Split page: splits, stations, reasons and ids against the articles' figures or worked out by hand.

Typing, clicking boundaries and stations, keyboard and themes need a browser: tests/browser/test_split.py.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Trainer
from tests import apptest
from tests.apptest import moved, notes, said, slider
from tests.apptest import shown as data
from ui.links import Lab
from ui.stations import STATIONS, TILES, WHOLE_TEXT, around, station_of

opened = partial(apptest.opened, "split")
NONE = PreTokenizer.NONE


def drawn(kinds: list[dict[str, Any]], indexes: list[int]) -> list[str]:
    return ["".join(text for text, _ in kinds[index]["label"]) for index in indexes]


def split(app: AppTest) -> str:
    """The tiles of the split, words apart by two bars, tokens by one."""
    shown = data(app, "split_tiles")
    assert shown is not None
    return " ‖ ".join("|".join(drawn(shown["kinds"], word["t"])) for word in shown["words"])


# --- the split ---------------------------------------------------------------------------------


def test_the_example_after_five_merges() -> None:
    app = opened(k="5")
    assert split(app) == "t|h|e ‖ ␣|m|ake|r ‖ ␣bake|d ‖ ␣c|ake|s"
    assert said(app, "split_says") == (
        "12 tokens from 4 words and 21 characters: 1.75 characters per token. "
        "All 5 merges in use changed something here."
    )
    assert said(app, "split_lab") == (
        "Your lab: the preset “review”, from characters; article words, ties: first seen."
    )


def test_unknown_characters_are_flagged_and_kept() -> None:
    app = opened(k="5")
    shown = data(app, "split_tiles")
    assert shown is not None
    unseen = [index for index, kind in enumerate(shown["kinds"]) if kind["hue"] is None]
    assert sorted(drawn(shown["kinds"], unseen)) == ["d", "m"]
    assert said(app, "split_round_trip").startswith("Unknown: m, d never occurred in training")


def test_bytes_know_every_character() -> None:
    app = opened(k="4", unit="byte", new="maker é")
    assert split(app) == "m|ake|r ‖ ␣|é"
    assert said(app, "split_round_trip") == "Round trip: decoding the ids gives the text back exactly."


def test_what_the_pre_tokenizer_left_out_is_said() -> None:
    app = opened(new="the  café")
    assert "1 character was left out (1 space), so decoding cannot" in said(app, "split_round_trip")
    app = opened(preset="low", new="low low")
    assert "which gives this text back exactly" in said(app, "split_round_trip")


def test_the_walk_through_has_its_ids() -> None:
    app = opened(preset="cats", k="10")
    assert app.code[0].value == (
        "260 98 257 115 257 111 110 32 265 97 110 100 32 260 114 257 256 258 262 109 256"
    )
    assert said(app, "split_ids_say") == "The 21 tokens as ids:"


# --- stations ----------------------------------------------------------------------------------


def test_stations_are_the_merges_that_change_something() -> None:
    app = opened(k="5")
    rows = data(app, "split_stations")
    assert rows is not None
    assert [row["k"] for row in rows["rows"]] == [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]
    lengths = [int(row["figures"].split()[-2]) for row in rows["rows"]]
    assert lengths == [21, 18, 15, 14, 13, 12, 11, 10, 9, 8]
    assert [row["state"] for row in rows["rows"]] == ["past"] * 5 + ["now"] + ["later"] * 4
    fifth = rows["rows"][5]
    assert drawn(rows["kinds"], fifth["pair"]) == ["␣b", "ake"]
    assert drawn(rows["kinds"], [fifth["made"]]) == ["␣bake"]
    assert drawn(rows["kinds"], fifth["words"][2]) == ["␣bake", "d"]
    assert said(app, "split_stations_say") == (
        "9 merges of 22 change something in this text; the other 13 find nothing to do here and are left out."
    )


def test_the_buttons_stop_where_something_changes() -> None:
    app = opened(k="7")
    app.button(key="split_later").click().run()
    assert slider(app, "split_k") == (13, 22)
    app.button(key="split_later").click().run()
    assert slider(app, "split_k") == (14, 22)
    assert app.button(key="split_later").disabled
    app.button(key="split_earlier").click().run()
    assert app.session_state["lab"].k == 13
    moved(app, 10)
    app.button(key="split_earlier").click().run()
    assert app.session_state["lab"].k == 7
    assert split(app).startswith("the ‖ ␣|m|ake|r")


def test_the_slider_reaches_every_merge_and_bytes_keep_k() -> None:
    app = opened(k="5")
    assert slider(app, "split_k") == (5, 22)
    app.toggle(key="split_bytes").set_value(True).run()
    assert slider(app, "split_k") == (5, 23)
    assert app.session_state["lab"].unit is Unit.BYTE
    assert app.session_state["lab"].k == 5


def test_a_long_text_is_shown_in_excerpts() -> None:
    corpus = Corpus.from_text("the café baker bakes cakes " * 3, NONE)
    trainer = Trainer(corpus)
    trainer.train_to()
    whole = trainer.tokenizer()
    text = "the baker bakes the cakes in the café " * 20
    trace = whole.trace(text)
    assert trace.stages[0].length > WHOLE_TEXT
    for stage in trace.stages:
        station = station_of(trace, stage, whole)
        assert sum(map(len, station.words)) <= TILES
        assert station.more
        if stage.index:
            assert station.made in [token for word in station.words for token in word]


def test_many_stations_are_shown_around_the_reader() -> None:
    text = "".join(chr(0x4E00 + i) * 2 for i in range(STATIONS * 2))
    trainer = Trainer(Corpus.from_text(text, NONE))
    trainer.train_to()
    trace = trainer.tokenizer().trace(text)
    assert len(trace.stages) > STATIONS + 10
    drawn_stages, rest = around(trace.stages, 40)
    assert len(drawn_stages) == STATIONS
    assert 40 in [stage.number for stage in drawn_stages]
    assert f"of {len(trace.stages)}" in rest
    assert around(trace.stages, 10_000)[0][-1] is trace.stages[-1]
    assert around(trace.stages, 0)[0][0] is trace.stages[0]


# --- boundaries --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (1, "Between t and h: not yet. Merge 6 joins t + h, but only merges 1 to 5 are in use."),
        (2, "Between h and e: no rule. None of the merges joins these two"),
        (3, "Between e and ␣: the edge of a word. The pre-tokenizer cut here first"),
        (4, "Between ␣ and m: never seen. m never occurred in the training text, so no merge uses it."),
        (17, "Between ␣c and ake: not yet. Merge 13 joins ␣c + ake"),
    ],
)
def test_why_a_boundary_stands(place: int, why: str) -> None:
    app = opened(k="5", state={"split_boundary": (Unit.CHAR, place)})
    assert said(app, "split_why").startswith(why)


def test_a_merge_that_came_too_late_is_named_with_the_one_that_came_first() -> None:
    # merges: b+c (3), a+b (2), c+d (1); abcd is a·bc·d, although ab·cd would be shorter
    counts = (("bc", 3), ("ab", 2), ("cd", 1))
    app = opened(Lab(None, None, counts, pre_tokenizer=NONE, k=3, new_text="abcd"))
    assert split(app) == "a|bc|d"
    assert said(app, "split_why") == (
        "Between a and bc: too late. Merge 2 joins a + b, but when its turn came, merge 1 had already made b "
        "part of bc."
    )
    shown = data(app, "split_tiles")
    assert shown is not None
    assert shown["gaps"] == {"0": "too-late", "1": "too-late"}
    assert shown["gap_names"]["0"] == "boundary 1, between a and bc: a merge came too late"


def test_a_token_beside_its_like_goes_to_the_pair_on_the_left() -> None:
    app = opened(Lab(None, "aa", None, pre_tokenizer=NONE, k=1, new_text="aaa"))
    assert split(app) == "aa|a"
    assert said(app, "split_why") == (
        "Between aa and a: already used. Merge 1 joins a + a, but it works from left to right and had just "
        "used the a on the left to make aa."
    )


def test_a_picked_boundary_is_followed_until_a_merge_closes_it() -> None:
    app = opened(k="5", state={"split_boundary": (Unit.CHAR, 1)})
    moved(app, 6)
    assert said(app, "split_why") == (
        "At this k the boundary you picked is closed: it lies inside th, made by merge 6: t + h."
    )
    moved(app, 3)
    assert said(app, "split_why").startswith("Between t and h")


# --- ids ---------------------------------------------------------------------------------------


def test_each_item_that_is_no_id_is_named_and_nothing_typed_is_lost() -> None:
    typed = "13, 99 x [20] 21 -1 ５ 1_0"
    app = opened(k="5", state={"split_ids": typed})
    named = notes(app)
    assert "Item 2, &#x27;99&#x27;, is not an id of this vocabulary; its ids are 0 to 20." in named
    assert "Item 3, &#x27;x&#x27;, is not an id; an id is a whole number" in named
    assert "Item 5, &#x27;21&#x27;, is the token of merge 6, which is not in use at k = 5" in named
    assert all(f"Item {number}," in named for number in (6, 7, 8))
    assert "Item 1," not in named and "Item 4," not in named
    assert said(app, "split_decoded") == "The other ids decode to t␣bake"
    box = data(app, "split_ids_box")
    assert box is not None and box["value"] == typed


def test_the_ids_of_the_text_decode_to_it() -> None:
    app = opened(preset="cats", k="10", new="the cat")
    app.button(key="split_use").click().run()
    assert said(app, "split_decoded") == "Decoded: the␣cat"
    assert "bpe-warn" not in notes(app)


def test_ids_of_half_a_character_decode_with_a_word_of_warning() -> None:
    app = opened(unit="byte", state={"split_ids": "195"})
    assert "1 place cannot be read as UTF-8" in said(app, "split_decoded_bad")


def test_many_faults_are_counted() -> None:
    app = opened(state={"split_ids": "x " * 20})
    assert notes(app).count("is not an id;") == 8
    assert "12 more items are not ids" in notes(app)


# --- characters cut by a token's edge ----------------------------------------------------------


def test_a_cut_character_is_shown_whole_beside_its_bytes() -> None:
    app = opened(unit="byte", k="3", new="café")
    picture = data(app, "split_cut")
    assert picture is not None
    assert ["".join(text for text, _ in cluster["label"]) for cluster in picture["clusters"]] == ["é"]
    assert [column[0] for column in picture["columns"]] == ["C3", "A9"]
    assert [token["part"] for token in picture["tokens"]] == [True, True]
    assert data(opened(unit="byte", k="4", new="café"), "split_cut") is None


# --- corpora with nothing in them, and a great deal ----------------------------------------------


@pytest.mark.parametrize("corpus", ["", " \n ", "a", "aa", "word"])
@pytest.mark.parametrize("new", ["", "  ", "a", "word 木"])
def test_small_corpora_and_texts_work(corpus: str, new: str) -> None:
    app = opened(text=corpus, new=new, k="1")
    if not new:
        assert "no text to split" in notes(app)
        assert app.button(key="split_try").label == "Try “the maker baked cakes”"
    elif not new.strip():
        assert said(app, "split_says").startswith("No tokens.")
        assert "2 characters were left out (2 spaces)" in said(app, "split_round_trip")
    else:
        assert said(app, "split_says").startswith(
            ("1 token ", "4 tokens ", "6 tokens ", "3 tokens ", "5 tokens ")
        )


def test_the_example_is_offered_and_taken() -> None:
    app = opened(new="")
    app.button(key="split_try").click().run()
    assert app.session_state["lab"].new_text == "the maker baked cakes"
    assert data(app, "split_tiles") is not None


def test_a_corpus_of_two_megabytes_learns_on_as_the_slider_moves() -> None:
    syllables = [a + b + c for a in "bdfgklmn" for b in "aeiou" for c in "rstxyz"]
    words = [first + second for first in syllables for second in syllables]
    text = " ".join(words[i * 7919 % len(words)] for i in range(290_000))[:2_000_000]
    app = opened(Lab(None, text, None, k=10, new_text=text[:15_000]))
    shown = data(app, "split_tiles")
    assert shown is not None
    assert sum(len(word["t"]) for word in shown["words"]) == 600
    assert shown["rest"].startswith("Showing the first 600 of ")
    stations = data(app, "split_stations")
    assert stations is not None and len(stations["rows"]) <= STATIONS
