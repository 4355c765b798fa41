"""Answers as people type them: what is read, what two readings there are, what is not understood.

Not here: whether a reading is right (test_quiz_checking).
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.alphabet import Token, Unit
from quiz.reading import Match, Unread, match_token, read_cuts, read_number, read_pair
from quiz.values import Piece


def piece(text: str, ends: bool = False) -> Piece:
    return Piece.of(Token(None, text.encode(), Unit.CHAR, ends))


def units(text: str, marker: bool = False) -> list[Token]:
    made = [Token(None, c.encode(), Unit.CHAR) for c in text]
    return [*made, Token(None, b"", Unit.CHAR, True)] if marker else made


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        ("7", (7.0,)),
        (" 7 ", (7.0,)),
        ("7.0", (7.0,)),
        ("7.", (7.0,)),
        ("7,", (7.0,)),
        ("７", (7.0,)),
        ("１２．５", (12.5,)),
        ("٣", (3.0,)),
        ("3,18", (3.18,)),
        ("3.18", (3.18,)),
        (",5", (0.5,)),
        ("1,234", (1234.0, 1.234)),
        ("1.234", (1.234, 1234.0)),
        ("0,451", (0.451,)),
        ("1,234,567", (1234567.0,)),
        ("1.234.567", (1234567.0,)),
        ("1,234.5", (1234.5,)),
        ("1.234,5", (1234.5,)),
        ("1 234", (1234.0,)),
        ("1\u202f234,5", (1234.5,)),
        ("1'234", (1234.0,)),
        ("−3", (-3.0,)),
        ("- 3", (-3.0,)),
        ("+3", (3.0,)),
        ("= 84", (84.0,)),
        ("≈ 3.18", (3.18,)),
        ("84 bits", (84.0,)),
        ("84bits.", (84.0,)),
        ("35/11", (35 / 11,)),
        ("１ ２３４", (1234.0,)),
    ],
)
def test_numbers_that_are_read(typed: str, numbers: tuple[float, ...]) -> None:
    assert read_number(typed) == numbers


@pytest.mark.parametrize(
    "typed",
    [
        "seven",
        "",
        " ",
        "7²",
        "1e3",
        "7 8",
        "1,2,3",
        "1.2.3",
        "..",
        "--7",
        "7/0",
        "0x10",
        "1,23.4,5",
        "∞",
        "9" * 61,
    ],
)
def test_numbers_that_are_not_read(typed: str) -> None:
    assert isinstance(read_number(typed), Unread)


def test_with_whole_only_whole_readings_are_kept() -> None:
    assert read_number("1.234", whole=True) == (1234.0,)
    assert read_number("1.5", whole=True) == (1.5,)


@given(st.integers(0, 10**9), st.sampled_from(["{:d}", " {:d} ", "{:,}", "{:d}.0", "{:d},0", "{:d} tokens"]))
def test_whole_numbers_come_back_however_written(n: int, form: str) -> None:
    read = read_number(form.format(n), whole=True)
    assert not isinstance(read, Unread) and n in read


@given(st.text(max_size=80))
def test_no_text_upsets_the_readers(text: str) -> None:
    read_number(text)
    read_pair(text)
    read_cuts(text, units(" abc"))
    match_token(text, piece(" low"))


@pytest.mark.parametrize(
    ("typed", "goal", "match"),
    [
        (" hug ", "hug", Match.SAME),
        ("hug\n", "hug", Match.SAME),
        ("“hug”", "hug", Match.SAME),
        ("low", " low", Match.SPACE_LEFT_OUT),
        (" low", " low", Match.SAME),
        (" low ", " low", Match.SAME),
        ("␣low", " low", Match.SAME),
        ("·low", " low", Match.SAME),
        ("Ġlow", " low", Match.SAME),
        ("▁low", " low", Match.SAME),
        ("␣low", "low", Match.SPACE_ADDED),
        ("low", "low", Match.SAME),
        ("Low", "low", Match.OTHER),
        ("cafe\u0301", "caf\u00e9", Match.SAME),
        ("don’t", "don't", Match.SAME),
        ("don't", "don’t", Match.SAME),
        ("␣", " ", Match.SAME),
        (" ", " ", Match.SAME),
        ("↵", "\n", Match.SAME),
        ("at␣", "at ", Match.SAME),
        ("at", "at ", Match.SPACE_LEFT_OUT),
        ("␣", "␣", Match.SAME),
        ("a·b", "a·b", Match.SAME),
    ],
)
def test_tokens(typed: str, goal: str, match: Match) -> None:
    assert match_token(typed, piece(goal)) is match


def test_tokens_where_spaces_do_not_matter_or_code_points_do() -> None:
    assert match_token("low", piece(" low"), spaces_matter=False) is Match.SAME
    assert match_token("cafe\u0301", piece("caf\u00e9"), code_points=True) is Match.OTHER


@pytest.mark.parametrize("typed", ["C3 A9", "c3a9", "0xC3 0xA9", "⟨C3 A9⟩", "é"])
def test_bytes_in_hex(typed: str) -> None:
    assert match_token(typed, Piece.of(Token(None, "é".encode(), Unit.BYTE))) is Match.SAME


def test_a_stray_byte_in_hex() -> None:
    stray = Piece.of(Token(None, b"\xc3", Unit.BYTE))
    assert match_token("c3", stray) is Match.SAME
    assert match_token("c4", stray) is Match.OTHER


@pytest.mark.parametrize("typed", ["low</w>", "low⟨end⟩", " low</w> "])
def test_the_marker_as_typed(typed: str) -> None:
    assert match_token(typed, piece("low", ends=True)) is Match.SAME
    assert match_token("low", piece("low", ends=True)) is Match.OTHER


@pytest.mark.parametrize(
    "typed", ["a + k", "a+k", "a k", "a,k", "(a, k)", "a | k", "a · k", "[a, k]", "a ＋ k"]
)
def test_pairs_that_are_read(typed: str) -> None:
    read = read_pair(typed)
    assert not isinstance(read, Unread) and ("a", "k") in read


def test_a_pair_of_signs_keeps_them() -> None:
    read = read_pair("+ + +")
    assert not isinstance(read, Unread) and ("+", "+") in read


@pytest.mark.parametrize("typed", ["ak", "", "+", " "])
def test_pairs_that_are_not_read(typed: str) -> None:
    assert isinstance(read_pair(typed), Unread)


@pytest.mark.parametrize(
    "typed",
    ["ab|c", "ab c", "ab · c", "ab·c", "ab | c", " ab|c ", "ab│c", "ab/c", "ab + c", "ab-c", "|ab|c|"],
)
def test_splits_that_are_read(typed: str) -> None:
    assert read_cuts(typed, units("abc")) == (2,)


def test_an_uncut_word_and_one_cut_everywhere() -> None:
    assert read_cuts("abc", units("abc")) == ()
    assert read_cuts("a b c", units("abc")) == (1, 2)


def test_splits_of_a_word_that_begins_with_a_space() -> None:
    assert read_cuts("␣ab|c", units(" abc")) == (3,)
    assert read_cuts(" ab|c", units(" abc")) == (3,)
    assert read_cuts("␣|a b c", units(" abc")) != ()
    missing = read_cuts("ab|c", units(" abc"))
    assert isinstance(missing, Unread) and "␣" in missing.hint


def test_splits_with_the_marker() -> None:
    assert read_cuts("lo w</w>", units("low", marker=True)) == (2,)
    missing = read_cuts("lo w", units("low", marker=True))
    assert isinstance(missing, Unread) and "</w>" in missing.hint


def test_splits_of_other_text_are_not_read() -> None:
    assert isinstance(read_cuts("ab|d", units("abc")), Unread)
    assert isinstance(read_cuts("ab", units("abc")), Unread)
    assert isinstance(read_cuts("ab|c|", units("abcd")), Unread)


def test_splits_with_a_composed_letter_for_two_code_points() -> None:
    decomposed = units("cafe\u0301s")
    assert read_cuts("caf\u00e9|s", decomposed) == (5,)
    assert isinstance(read_cuts("caf\u00e9|s", decomposed, code_points=True), Unread)


def test_a_bar_in_the_word_itself() -> None:
    assert read_cuts("a| b", units("a|b")) == (2,)


@given(st.text(alphabet="abc é", min_size=1, max_size=8).filter(lambda t: t.strip() == t), st.data())
def test_any_split_written_with_bars_comes_back(text: str, data: st.DataObject) -> None:
    cuts = data.draw(st.sets(st.integers(1, len(text) - 1))) if len(text) > 1 else set()
    ends = [0, *sorted(cuts), len(text)]
    typed = "|".join(text[a:b].replace(" ", "␣") for a, b in pairwise(ends))
    assert read_cuts(typed, units(text)) == tuple(sorted(cuts))
