"""The one door for text: what is mended, what is noticed, what is refused, and nothing else touched."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core.alignment import align
from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.errors import TextError
from bpe_core.measures import character_figures
from bpe_core.pretokenize import PreTokenizer
from bpe_core.text import CleanText, Notice, NoticeKind, clean_text, decode_file
from bpe_core.training import Trainer
from bpe_core.ways import by_bytes, by_characters, by_words

BOM, CRLF, LONE = NoticeKind.BYTE_ORDER_MARK, NoticeKind.LINE_ENDINGS, NoticeKind.SURROGATES


def through(raw: str) -> tuple[str, dict[NoticeKind, int]]:
    """The clean text, and the notices with their numbers."""
    clean = clean_text(raw)
    return clean.text, {notice.kind: notice.count for notice in clean.notices}


@pytest.mark.parametrize(
    ("raw", "text", "notices"),
    [
        ("", "", {}),
        ("plain\ntext\t ", "plain\ntext\t ", {}),
        ("a\r\nb\r\n", "a\nb\n", {CRLF: 2}),
        ("a\rb\n\rc", "a\rb\n\rc", {}),  # a carriage return alone is the writer's own
        ("a\r\r\nb", "a\r\nb", {CRLF: 1}),
        ("\ufeffa", "a", {BOM: 1}),
        ("\ufeff\ufeffa", "\ufeffa", {BOM: 1}),  # one goes
        ("a\ufeffb", "a\ufeffb", {}),  # only a leading one
        ("a\ud800b", "a\ufffdb", {LONE: 1}),
        ("\udc4d\ud83d", "\ufffd\ufffd", {LONE: 2}),  # the wrong way round is no pair
        ("\ud83d\udc4d", "👍", {}),  # a pair is one character and nothing is lost
        ("\ud83d\ud83d\udc4d", "\ufffd👍", {LONE: 1}),
        ("\ufeff\r\n\udcff", "\n\ufffd", {BOM: 1, CRLF: 1, LONE: 1}),
        ("e\u0301 \u00e9 \ufb01 \u2126 \u2028", "e\u0301 \u00e9 \ufb01 \u2126 \u2028", {}),
        ("a\x00b\x1bc\x7f", "a\x00b\x1bc\x7f", {}),
    ],
)
def test_the_door(raw: str, text: str, notices: dict[NoticeKind, int]) -> None:
    assert through(raw) == (text, notices)


def test_a_lone_surrogate_from_json() -> None:
    # openai/tiktoken#541
    assert through(json.loads('"\\ud800 \\ud83d\\udc4d"')) == ("\ufffd 👍", {LONE: 1})


ANY_CHARACTER = st.characters(codec=None) | st.sampled_from("\r\n\ufeff\ud83d\udc4d")


@settings(max_examples=500)
@given(st.lists(ANY_CHARACTER).map("".join))
def test_whatever_comes_out_is_utf8_and_the_rest_is_as_it_was(raw: str) -> None:
    text, notices = through(raw)
    assert "\r\n" not in text or "\r\r\n" in raw
    assert text.encode("utf-8").decode("utf-8") == text
    if not notices and not any(unicodedata.category(c) == "Cs" for c in raw):
        assert text == raw


@pytest.mark.parametrize("kind", NoticeKind)
def test_notices_are_sentences_for_one_and_for_many(kind: NoticeKind) -> None:
    one, many = Notice(kind, 1).sentence, Notice(kind, 1234).sentence
    assert one.endswith(".") and many.endswith(".")
    if kind is not BOM:  # there is never more than one
        assert one.startswith("1 ") and " was " in one
        assert many.startswith("1,234 ") and " were " in many


# --- files -----------------------------------------------------------------------------------------------


def test_a_file_goes_through_the_door() -> None:
    assert decode_file(b"\xef\xbb\xbfcaf\xc3\xa9\r\n") == CleanText(
        "café\n", (Notice(BOM, 1), Notice(CRLF, 1))
    )
    assert decode_file(b"") == CleanText("")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"caf\xe9 au lait", "byte E9 at position 3"),  # Latin-1
        (b"\x89PNG\r\n\x1a\n\x00", "byte 89 at position 0"),
        (b"a\xed\xa0\x80", "byte ED at position 1"),  # a surrogate written as if it were a character
        (b"\xc0\x80", "byte C0 at position 0"),
        ("café".encode("utf-16"), "UTF-16"),
        ("café".encode("utf-16-be"), "byte E9 at position 7"),
        (b"ab\xe0\xa4", "byte E0 at position 2"),  # cut short
    ],
)
def test_a_file_that_is_not_utf8_is_refused_in_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(TextError) as caught:
        decode_file(data, name="menu <b>.txt")
    message = str(caught.value)
    assert said in message
    assert "menu <b>.txt" in message
    assert "UTF-8" in message
    assert "\n" not in message


def test_a_file_that_is_too_large_is_refused_unread() -> None:
    assert decode_file(b"a" * 10, limit=10).text == "a" * 10
    with pytest.raises(TextError, match=r"1,001 bytes.* 1,000"):
        decode_file(b"\xff" * 1001, limit=1000)


BROKEN = "a\ud800b"


@pytest.mark.parametrize(
    "use",
    [
        *(
            lambda how=how, unit=unit: Trainer(Corpus.from_text(BROKEN, how), unit)
            for how in PreTokenizer
            for unit in Unit
        ),
        lambda: Trainer(Corpus.from_word_counts([(BROKEN, 1)])),
        lambda: Trainer(Corpus.from_text("ab")).tokenizer().encode(BROKEN),
        lambda: Trainer(Corpus.from_text("ab")).tokenizer().token(-1 - 0xD800),
        lambda: character_figures(Corpus.from_text(BROKEN)),
        lambda: by_words(Corpus.from_text("ab"), BROKEN),
        lambda: by_characters(BROKEN, "ab"),
        lambda: by_bytes(BROKEN),
        lambda: align(BROKEN, []),
    ],
)
def test_half_a_character_that_never_met_the_door_is_an_error_of_ours(use: Callable[[], object]) -> None:
    with pytest.raises(TextError, match="holds a lone surrogate, half of a character; clean the text first"):
        use()
