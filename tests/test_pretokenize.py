"""Pre-tokenizers: the words of known inputs, the makers' own patterns, and what is dropped.

Long inputs are here too: a pattern that backtracks badly would not end. Not here: encoding, except where a
word must keep its tokens whatever follows it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from itertools import chain

import pytest
import regex
import tiktoken_ext.openai_public as published
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core import pretokenize
from bpe_core.corpus import Corpus
from bpe_core.pretokenize import Dropped, PreTokenizer
from bpe_core.training import Trainer

ARTICLE, NONE, WHITESPACE, WORD_END, GPT2, CL100K, O200K = PreTokenizer
REAL = (GPT2, CL100K, O200K)
CUTTING = tuple(p for p in PreTokenizer if p is not NONE)

# Every kind of character that a pattern tells apart, and those that tools disagree about.
TRICKY = (
    " \t\n\r\x0b\x0c\x1c\x85\xa0\u1680\u2009\u2028\u202f\u3000\u200b\u180e\u2060\ufeff"
    "aAzZſK'’_09²½٣/.,!?-\"\\é\u0301ǅʰªअ\u093fก\u0e33שָم你。👍🏽👨\u200d🇺\ue000\ufffd\x00"
)
# A few kinds at a time, so that they meet in every order.
FEW = st.sets(st.sampled_from(TRICKY), min_size=2, max_size=5).map(sorted)
TEXT = FEW.flatmap(lambda few: st.text(few, max_size=20)) | st.text(
    st.sampled_from(TRICKY) | st.characters(codec="utf-8"), max_size=40
)
ASCII = st.text(st.sampled_from("  \n\r\t\x0b\x1c'sStTreREvVmMlLdDaZ019_/.^\x00\x7f"), max_size=40)


# --- words that are known -------------------------------------------------------------------------------


@pytest.mark.parametrize("how", PreTokenizer)
def test_the_empty_text_has_no_words(how: PreTokenizer) -> None:
    assert how.split("") == []
    assert how.spans("") == []
    assert list(how.pieces("")) == []
    assert how.dropped("") == Dropped(0, (), True)


def test_the_review() -> None:
    text = "the café baker bakes cakes, the café bakes soufflé"
    words = ["the", " café", " baker", " bakes", " cakes", ",", " the", " café", " bakes", " soufflé"]
    for how in (ARTICLE, *REAL):
        assert how.split(text) == words
    assert WHITESPACE.split(text) == WORD_END.split(text) == text.split(" ")
    assert NONE.split(text) == [text]


@pytest.mark.parametrize("how", [ARTICLE, *REAL])
def test_a_comma_leaves_the_word_before_it_alone(how: PreTokenizer) -> None:
    # rasbt/LLMs-from-scratch#558
    assert how.split("Hello,") == ["Hello", ","]
    trainer = Trainer(Corpus.from_text("Hello world, Hello", how))
    trainer.train_to(3)
    tokenizer = trainer.tokenizer()
    assert tokenizer.encode("Hello,") == tokenizer.encode("Hello") + tokenizer.encode(",")


def test_leading_spaces() -> None:
    # rasbt/LLMs-from-scratch#944
    text = "  Hello World."
    for how in REAL:
        assert how.split(text) == [" ", " Hello", " World", "."]
        assert how.dropped(text).reversible
    assert ARTICLE.split(text) == [" Hello", " World", "."]
    assert ARTICLE.dropped(text) == Dropped(1, (("space", 1),), False)
    assert WORD_END.split(text) == ["Hello", "World."]
    assert WORD_END.dropped(text) == Dropped(3, (("space", 3),), False)


def test_tabs_and_line_breaks() -> None:
    # openai/tiktoken#249
    text = "a\r\n\r\nb\tc\n"
    assert ARTICLE.split(text) == ["a", "b", "c"]
    assert ARTICLE.dropped(text) == Dropped(6, (("line break", 3), ("tab", 1), ("carriage return", 2)), False)
    assert GPT2.split(text) == ["a", "\r\n\r", "\n", "b", "\t", "c", "\n"]
    for how in (CL100K, O200K):
        assert how.split(text) == ["a", "\r\n\r\n", "b", "\tc", "\n"]
    text = "a\n\nb\n\nc"
    assert [len(how.split(text)) for how in (GPT2, CL100K, O200K, ARTICLE)] == [7, 5, 5, 3]
    assert ARTICLE.dropped(text).characters == 4


@pytest.mark.parametrize(
    ("text", "article", "gpt2", "cl100k", "o200k"),
    [
        # karpathy/minbpe#73
        (
            "\u0939\u0939\u093f\u0928\u094d\u0926\u0940 "
            "\u0935\u093f\u0915\u093f\u092a\u0940\u0921\u093f\u092f\u093e",
            2, 16, 10, 2,
        ),
        ("\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22 \u0e19\u0e49\u0e33", 2, 4, 3, 2),  # Thai
        ("\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd", 1, 5, 4, 1),  # Hebrew with points
        ("\u0ba4\u0bae\u0bbf\u0bb4\u0bcd", 1, 4, 3, 1),  # Tamil
        ("\u0643\u064e\u062a\u064e\u0628\u064e", 1, 6, 4, 1),  # Arabic with vowel signs
        ("cafe\u0301s", 1, 3, 2, 1),  # an accent of its own
    ],
)  # fmt: skip
def test_marks_and_words(text: str, article: int, gpt2: int, cl100k: int, o200k: int) -> None:
    for how, words in ((ARTICLE, article), (GPT2, gpt2), (CL100K, cl100k), (O200K, o200k)):
        assert len(how.split(text)) == words
        assert "".join(how.split(text)) == text


def test_digits_and_capitals() -> None:
    # openai/tiktoken#298
    assert GPT2.split("1234567") == ARTICLE.split("1234567") == ["1234567"]
    assert CL100K.split("1234567") == O200K.split("1234567") == ["123", "456", "7"]
    assert O200K.split("camelCase HTTPServer") == ["camel", "Case", " HTTPServer"]
    assert CL100K.split("camelCase HTTPServer") == ["camelCase", " HTTPServer"]
    assert ARTICLE.split("snake_case __init__") == ["snake_case", " __init__"]
    assert GPT2.split("snake_case __init__") == ["snake", "_", "case", " __", "init", "__"]
    assert CL100K.split("snake_case __init__") == ["snake", "_case", " __", "init", "__"]


@pytest.mark.parametrize(
    ("character", "white"),
    [(c, True) for c in "\xa0\u3000\u2009\u202f\u1680\x85\u2028"]
    + [(c, False) for c in "\x1c\u200b\u180e\u2060\ufeff"],
)
def test_unicode_spaces(character: str, white: bool) -> None:
    # rsennrich/subword-nmt#55: white space is Unicode's property, nothing more and nothing less
    text = f"a{character}b"
    assert ARTICLE.split(text) == (["a", "b"] if white else ["a", character, "b"])
    assert WHITESPACE.split(text) == (["a", "b"] if white else [text])
    assert ARTICLE.dropped(text).characters == int(white)
    for how in REAL:
        assert "".join(how.split(text)) == text


def test_emoji() -> None:
    # orling/grapheme-splitter#7
    for text in (
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f1fa\U0001f1f3",
        "\U0001f44d\U0001f3fd",
        "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    ):
        assert ARTICLE.split(text) == list(text)
        assert GPT2.split(text) == CL100K.split(text) == O200K.split(text) == [text]


def test_a_script_without_spaces() -> None:
    text = "\u6211\u7231\u5317\u4eac\u5929\u5b89\u95e8\u3002"
    for how in (ARTICLE, *REAL):
        assert how.split(text) == [text[:7], "\u3002"]
    assert WHITESPACE.split(text) == [text]


def test_decoding_gives_the_sentence_back() -> None:
    # huggingface/tokenizers#205
    text = "I can feel the magic, can you?"
    for how in PreTokenizer:
        if how is WHITESPACE:  # words without a marker: nothing says where a space was
            continue
        assert how.dropped(text).reversible
        tokenizer = Trainer(Corpus.from_text(text, how)).tokenizer()
        assert tokenizer.decode(tokenizer.encode(text)) == text
    assert not WHITESPACE.dropped(text).reversible
    text = "123 fdsa ~_! ./"
    assert ARTICLE.dropped(text) == Dropped(2, (("space", 2),), False)
    assert GPT2.dropped(text).reversible


# --- the makers' patterns ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def published_patterns() -> dict[PreTokenizer, str]:
    """The patterns as the tiktoken package holds them; its vocabularies are not needed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published, "load_tiktoken_bpe", lambda *_, **__: {})
        patch.setattr(published, "data_gym_to_mergeable_bpe_ranks", lambda *_, **__: {})
        makers: dict[PreTokenizer, Callable[[], dict[str, str]]] = {
            GPT2: published.gpt2,
            CL100K: published.cl100k_base,
            O200K: published.o200k_base,
        }
        return {how: make()["pat_str"] for how, make in makers.items()}


@settings(max_examples=1500)
@given(text=TEXT)
@example(text="!\n/ ")  # only o200k takes a slash along after a line break
def test_words_equal_those_of_the_published_patterns(
    published_patterns: dict[PreTokenizer, str], text: str
) -> None:
    for how, pattern in published_patterns.items():
        assert how.split(text) == regex.findall(pattern, text)


@settings(max_examples=1500)
@given(ASCII)
def test_the_quick_way_for_ascii_equals_the_regex_module(text: str) -> None:
    for how in CUTTING:
        assert how.pattern is not None
        assert how.split(text) == regex.findall(how.pattern, text)


# --- cutting in pieces, spans, what was dropped -----------------------------------------------------------


@settings(max_examples=500)
@given(TEXT | ASCII, st.integers(1, 8))
def test_pieces_have_the_words_of_the_whole(text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretokenize, "_PIECE", size)
        for how in PreTokenizer:
            pieces = list(how.pieces(text))
            assert "".join(pieces) == text
            assert list(chain.from_iterable(map(how.split, pieces))) == how.split(text)


def test_a_long_text_is_cut_in_pieces() -> None:
    text = "the cat's  sat,\n\n on a mat \t" * 20_000
    for how in CUTTING:
        pieces = list(how.pieces(text))
        assert len(pieces) == 5
        assert max(map(len, pieces)) < 140_000
        assert list(chain.from_iterable(map(how.split, pieces))) == how.split(text)
    assert list(NONE.pieces(text)) == [text]


@settings(max_examples=500)
@given(TEXT | ASCII)
def test_spans_are_where_the_words_are(text: str) -> None:
    for how in PreTokenizer:
        spans = how.spans(text)
        assert [text[start:end] for start, end in spans] == how.split(text)
        ends = [0, *chain.from_iterable(spans), len(text)]
        assert ends == sorted(ends)


@settings(max_examples=500)
@given(TEXT | ASCII)
def test_what_was_dropped_is_what_no_span_covers(text: str) -> None:
    for how in PreTokenizer:
        covered = {i for start, end in how.spans(text) for i in range(start, end)}
        left = [c for i, c in enumerate(text) if i not in covered]
        dropped = how.dropped(text)
        assert dropped.characters == len(left) == sum(n for _, n in dropped.kinds)
        assert all(regex.fullmatch(r"\s", c) for c in left)
        kinds = dict(dropped.kinds)
        assert kinds.get("space", 0) == left.count(" ")
        assert kinds.get("line break", 0) == left.count("\n")
        words = how.split(text)
        assert dropped.reversible == ((" " if how.has_marker else "").join(words) == text)
        assert how.dropped(text, Counter(words)) == dropped


def test_all_white_space_has_a_kind() -> None:
    white = set(regex.findall(r"\s", "".join(map(chr, range(sys.maxunicode + 1)))))
    assert set(pretokenize._WHITE_SPACE) == white
    text = "".join(sorted(white))
    assert ARTICLE.dropped(text).characters == len(white)


@pytest.mark.parametrize(
    ("how", "text", "sentence"),
    [
        (ARTICLE, "the cat", ""),
        (
            ARTICLE,
            "a  b\u2028",
            "2 characters were left out (1 space, 1 line separator), "
            "so decoding cannot give this text back exactly.",
        ),
        (
            ARTICLE,
            " ",
            "1 character was left out (1 space), so decoding cannot give this text back exactly.",
        ),
        (
            ARTICLE,
            "\u2009\u2009\t\t",
            "4 characters were left out (2 tabs, 2 other white space), "
            "so decoding cannot give this text back exactly.",
        ),
        (
            WORD_END,
            "to be",
            "1 character was left out (1 space), but decoding writes one space between words, "
            "which gives this text back exactly.",
        ),
        (
            ARTICLE,
            "\n" * 1234,
            "1,234 characters were left out (1,234 line breaks), "
            "so decoding cannot give this text back exactly.",
        ),
    ],
)
def test_the_sentence_about_what_was_dropped(how: PreTokenizer, text: str, sentence: str) -> None:
    assert how.dropped(text).sentence == sentence


def test_only_word_end_has_the_marker() -> None:
    assert [how for how in PreTokenizer if how.has_marker] == [WORD_END]


# --- long, nasty inputs -----------------------------------------------------------------------------------

# openai/tiktoken PR 258: a pattern that tries every length at every place would take hours for these.
NASTY = ["a", "^", " ", " x", "\n", "A", "'", "1", "\u0301", "aA", " \n", "é", "é ", "'s", "\u3000", "/\n"]


@pytest.mark.parametrize("how", PreTokenizer, ids=lambda how: how.value)
def test_nasty_inputs_end(how: PreTokenizer) -> None:
    for unit in NASTY:
        text = unit * (200_000 // len(unit))
        words = how.split(text)
        kept = sum(map(len, words))
        assert len(text) - kept == how.dropped(text).characters
        if how in REAL or how is NONE:
            assert kept == len(text)
        assert how.split(text + "x")[-1].endswith("x")
