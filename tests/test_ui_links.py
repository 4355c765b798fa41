"""Links and saved labs: what is written comes back, and nothing in a link is trusted."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.alphabet import Unit
from bpe_core.errors import ImportFormatError
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule
from ui.links import (
    LAB_PARAMETERS,
    LINK_LIMIT,
    NEW_TEXT_LIMIT,
    Lab,
    content_id,
    default_lab,
    default_min_count,
    from_file,
    from_query,
    lab_of,
    link,
    stored_link,
    to_file,
    to_query,
)
from ui.presets import PRESETS

# Clean text: no lone surrogates, no CRLF, no leading byte order mark. The door would change the rest, and
# U+FFFD would bring a notice about a damaged link.
_text = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="�"), max_size=60)
    .map(lambda text: text.replace("\r\n", "\n"))
    .filter(lambda text: not text.startswith("﻿"))
)
_word = _text.filter(lambda word: word.strip() != "" and "\n" not in word and "\t" not in word)
_settings = {
    "unit": st.sampled_from(Unit),
    "pre_tokenizer": st.sampled_from(PreTokenizer),
    "ties": st.sampled_from(TieRule),
    "min_count": st.integers(1, 999_999),
    "k": st.integers(0, 999_999),
    "new_text": _text,
    "locked": st.booleans(),
}
_labs = st.one_of(
    st.builds(Lab, preset=st.none(), text=_text, word_counts=st.none(), **_settings),
    st.builds(
        Lab,
        preset=st.none(),
        text=st.none(),
        word_counts=st.dictionaries(_word, st.integers(1, 10**12), min_size=1, max_size=5).map(
            lambda counts: tuple(counts.items())
        ),
        **_settings,
    ),
    st.builds(
        lambda preset, changes: replace(lab_of(preset), **changes),
        st.sampled_from(list(PRESETS.values())),
        st.fixed_dictionaries(_settings),
    ),
)


@given(_labs)
def test_a_link_opens_the_lab_it_was_made_from(lab: Lab) -> None:
    query = link(lab)
    assert query is not None
    assert from_query(dict(parse_qsl(query, keep_blank_values=True))) == (lab, [])


@given(_labs)
def test_a_saved_lab_opens_as_it_was(lab: Lab) -> None:
    assert from_file(to_file(lab)) == (lab, [])


@given(st.dictionaries(st.sampled_from(LAB_PARAMETERS), st.text(max_size=30)))
def test_no_link_is_refused(params: dict[str, str]) -> None:
    lab, notices = from_query(params)
    assert all(isinstance(notice, str) and "\n" not in notice for notice in notices)
    assert from_query(to_query(lab))[0] == lab
    assert lab.k >= 0 and lab.min_count >= 1


def test_only_differences_are_in_a_link() -> None:
    assert to_query(default_lab()) == {}
    for preset in PRESETS.values():
        expected = {} if preset.name == "review" else {"preset": preset.name}
        assert to_query(lab_of(preset)) == expected
    marker = replace(default_lab(), pre_tokenizer=PreTokenizer.WORD_END, min_count=2)
    assert to_query(marker) == {"pre": "word-end"}
    assert to_query(replace(marker, min_count=1)) == {"pre": "word-end", "min": "1"}
    assert [default_min_count(pre) for pre in (PreTokenizer.ARTICLE, PreTokenizer.WORD_END)] == [1, 2]


@pytest.mark.parametrize(
    ("value", "k", "noticed"),
    [
        ("24", 24, False),
        ("345", 345, False),
        ("000007", 7, False),
        ("-1", 0, True),
        ("-999", 0, True),
        ("-0", 0, True),
        ("５", 0, True),  # full-width
        ("٣", 0, True),
        ("²", 0, True),
        ("1_000", 0, True),
        ("+5", 0, True),
        (" 5 ", 0, True),
        ("", 0, True),
        ("1e3", 0, True),
        ("0x10", 0, True),
        ("1000000", 999_999, True),
        ("9" * 5000, 999_999, True),
    ],
)
def test_numbers_are_ascii_digits(value: str, k: int, noticed: bool) -> None:
    lab, notices = from_query({"k": value})
    assert (lab.k, bool(notices)) == (k, noticed)
    assert all(len(notice) < 250 for notice in notices)


def test_unknown_names_fall_back_and_are_quoted() -> None:
    lab, notices = from_query({"pre": "<script>", "ties": "FIRST-SEEN", "unit": "byte ", "preset": "reviews"})
    assert lab == default_lab()
    assert len(notices) == 4
    assert any("'<script>'" in notice for notice in notices)


def test_damaged_text_is_kept_and_named() -> None:
    lab, notices = from_query({"text": "a���b"})
    assert lab.text == "a���b"
    assert notices == [
        "The link seems damaged: the training text holds 3 replacement characters (U+FFFD) where something "
        "could not be read."
    ]
    assert from_query({"text": "%zz%u0041%"})[1] == []


def test_lone_surrogates_and_line_endings_go_through_the_door() -> None:
    lab, notices = from_query({"text": "A\ud83dB\r\nC", "new": "\ud83d\udc4d"})
    assert lab.text == "A�B\nC"
    assert lab.new_text == "\U0001f44d"
    assert len(notices) == 3


def test_bad_word_counts_show_the_review() -> None:
    lab, notices = from_query({"counts": "hop\t5\nhops\t-1"})
    assert lab == default_lab()
    assert "Line 2" in notices[0]


@pytest.mark.parametrize("text", ["好" * 2000, "\U0001f600" * 1000, "a" * 10_000])
def test_long_labs_have_no_link_but_the_id_of_what_the_browser_keeps(text: str) -> None:
    lab = replace(default_lab(), preset=None, text=text, unit=Unit.BYTE, k=7)
    assert link(lab) is None
    stored = content_id(lab)
    assert stored_link(lab, stored) == f"unit=byte&k=7&stored={stored}"
    assert content_id(replace(lab, k=8)) == stored
    assert content_id(replace(lab, text=text + "b")) != stored
    assert from_file(to_file(lab)) == (lab, [])


def test_a_file_speaks_of_itself_and_a_new_text_that_is_too_long_is_cut() -> None:
    lab = replace(default_lab(), new_text="\ufffd" + "x" * NEW_TEXT_LIMIT)
    opened, notices = from_file(to_file(lab))
    assert opened.new_text == "\ufffd" + "x" * (NEW_TEXT_LIMIT - 1)
    assert notices == [
        "The file seems damaged: the new text holds 1 replacement character (U+FFFD) where something could "
        "not be read.",
        "The file asks for a new text of 20,001 characters; its first 20,000 are used.",
    ]


def test_links_may_be_as_long_as_the_limit() -> None:
    lab = replace(default_lab(), preset=None, text="a" * (LINK_LIMIT - len("text=")))
    assert len(link(lab) or "") == LINK_LIMIT
    assert link(replace(lab, text=(lab.text or "") + "a")) is None
    assert link(replace(lab, text="好" * ((LINK_LIMIT - 5) // 9))) is not None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "cut short or damaged"),
        ("[" * 100_000, "cut short or damaged"),
        ("[]", "not a lab"),
        ('{"format": "bpe-lab", "version": 2}', "not a lab"),
        ('{"format": "bpe-lab", "version": 1}', "neither a text nor word counts"),
        ('{"format": "bpe-lab", "version": 1, "word_counts": [["a", true]]}', "Word 1"),
        ('{"format": "bpe-lab", "version": 1, "word_counts": [["a", 1], ["", 1]]}', "Word 2"),
    ],
)
def test_files_that_are_no_labs_say_why(text: str, complaint: str) -> None:
    with pytest.raises(ImportFormatError, match=complaint):
        from_file(text)


def test_a_file_edited_by_hand_falls_back_with_notices() -> None:
    record = json.loads(to_file(default_lab())) | {"unit": "letters", "k": -3, "text": "a\ud800"}
    lab, notices = from_file(json.dumps(record))
    assert (lab.unit, lab.k, lab.text, lab.preset) == (Unit.CHAR, 0, "a�", None)
    assert len(notices) == 3 and notices[0].startswith("The file asks for unit 'letters'")


def test_word_with_a_line_break_does_not_break_the_link() -> None:
    lab = Lab(None, None, (("a\nb", 2), ("c", 1)))
    query = link(lab)
    assert query is None or from_query(dict(parse_qsl(query)))[0] == lab
    assert from_file(to_file(lab)) == (lab, [])


def test_query_survives_encoding() -> None:
    lab = replace(default_lab(), preset=None, text="a&b=c#d%20+e\n é☕")
    assert from_query(dict(parse_qsl(urlencode(to_query(lab)))))[0] == lab


@pytest.mark.parametrize(("value", "locked", "said"), [("1", True, 0), ("0", False, 0), ("yes", False, 1)])
def test_a_link_can_lock_corpus_and_settings(value: str, locked: bool, said: int) -> None:
    lab, notices = from_query({"preset": "hop", "locked": value})
    assert (lab.locked, len(notices)) == (locked, said)
    assert lab.training_key == lab_of(PRESETS["hop"]).training_key


def test_an_unlocked_lab_says_nothing_about_a_lock() -> None:
    assert "locked" not in to_query(default_lab())
    assert "locked" not in to_file(default_lab())
