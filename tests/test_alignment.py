"""Characters, code points, bytes and tokens lined up, with spans that never leave the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.alignment import align, align_start, token_spans
from bpe_core.alphabet import Token, Unit
from bpe_core.corpus import Corpus
from bpe_core.errors import SettingError
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Trainer

AWKWARD = st.text(st.sampled_from("ab é\u0301⭢👨\u200d👩\n\r\t,कि"), max_size=20)


def bytes_of(text: str) -> list[Token]:
    return [Token(byte, bytes([byte]), Unit.BYTE) for byte in text.encode()]


def test_bytes_of_one_character_share_its_span() -> None:
    text = "i ⭢ j"
    spans = token_spans(text, bytes_of(text))
    assert [span.char_span for span in spans] == [(0, 1), (1, 2), (2, 3), (2, 3), (2, 3), (3, 4), (4, 5)]
    assert [span.byte_span for span in spans] == [(i, i + 1) for i in range(7)]


def test_a_token_that_holds_parts_of_two_characters_spans_both() -> None:
    pieces = [b"\xc3", b"\xa9\xc3", b"\xa9"]
    spans = token_spans("éé", [Token(None, piece, Unit.BYTE) for piece in pieces])
    assert [span.char_span for span in spans] == [(0, 1), (0, 2), (1, 2)]


def test_rows_of_a_decomposed_letter_and_a_family() -> None:
    text = "e\u0301👨\u200d👩"
    rows = align(text, bytes_of(text)).clusters
    assert [row.text for row in rows] == ["e\u0301", "👨\u200d👩"]
    assert [(row.char_span, row.byte_span) for row in rows] == [((0, 2), (0, 3)), ((2, 5), (3, 14))]
    assert [c.point.code for row in rows for c in row.characters] == [
        "U+0065",
        "U+0301",
        "U+1F468",
        "U+200D",
        "U+1F469",
    ]
    assert rows[0].characters[1].data == b"\xcc\x81"
    assert rows[0].characters[1].tokens == (1, 2)
    assert rows[1].tokens == tuple(range(3, 14))


def test_what_the_pre_tokenizer_left_out_belongs_to_no_token() -> None:
    text = "a  b"  # the article's pattern drops the first of the two spaces
    tokens = [Token(None, piece, Unit.CHAR) for piece in (b"a", b" ", b"b")]
    alignment = align(text, tokens, PreTokenizer.ARTICLE.spans(text))
    assert [span.char_span for span in alignment.tokens] == [(0, 1), (2, 3), (3, 4)]
    assert [row.tokens for row in alignment.clusters] == [(0,), (), (1,), (2,)]
    assert alignment.clusters[1].characters[0].tokens == (None,)


def test_the_marker_has_an_empty_span_at_the_end_of_its_word() -> None:
    tokens = [
        Token(None, "é".encode(), Unit.CHAR),
        Token(None, b"", Unit.CHAR, ends_word=True),
        Token(None, b"b", Unit.CHAR, ends_word=True),
    ]
    spans = token_spans("é b", tokens, PreTokenizer.WORD_END.spans("é b"))
    assert [span.char_span for span in spans] == [(0, 1), (1, 1), (2, 3)]
    assert [span.byte_span for span in spans] == [(0, 2), (2, 2), (3, 4)]


@pytest.mark.parametrize("spelled", ["", "a", "abc", "ax", "ba"])
def test_tokens_that_spell_something_else_are_refused(spelled: str) -> None:
    with pytest.raises(SettingError, match="do not spell"):
        token_spans("ab", bytes_of(spelled))


def test_an_empty_text_has_no_rows() -> None:
    assert align("", []).clusters == ()


@given(AWKWARD, st.sampled_from(PreTokenizer), st.sampled_from(Unit))
def test_spans_of_a_trained_tokenizer_give_its_tokens_back(
    text: str, words: PreTokenizer, unit: Unit
) -> None:
    trainer = Trainer(Corpus.from_text(text, words), unit)
    trainer.train_to(5)
    tokens = trainer.tokenizer().tokenize(text)
    alignment = align(text, tokens, words.spans(text))
    data = text.encode()
    end = 0
    for span in alignment.tokens:
        assert data[slice(*span.byte_span)] == span.token.data
        assert span.byte_span[0] >= end
        end = span.byte_span[1]
        assert 0 <= span.char_span[0] <= span.char_span[1] <= len(text)
        held = text[slice(*span.char_span)]
        assert span.token.data in held.encode()
        if span.token.text is not None:
            assert held == span.token.text
    rows = [row for cluster in alignment.clusters for row in cluster.characters]
    assert "".join(cluster.text for cluster in alignment.clusters) == text
    assert b"".join(row.data for row in rows) == data
    held_by = [i for row in rows for i in row.tokens if i is not None]
    assert held_by == [i for i, span in enumerate(alignment.tokens) for _ in range(*span.byte_span)]


@given(AWKWARD, st.integers(0, 12), st.sampled_from(list(PreTokenizer)))
def test_the_start_of_a_text_is_lined_up_as_in_the_whole(
    text: str, characters: int, pre_tokenizer: PreTokenizer
) -> None:
    trainer = Trainer(Corpus.from_text(text + " é é é", pre_tokenizer), Unit.BYTE)
    trainer.train_to(4)
    tokens = trainer.tokenizer().tokenize(text)
    words = pre_tokenizer.spans(text)
    whole = align(text, tokens, words)
    start = align_start(text, tokens, words, characters)
    assert start.clusters == whole.clusters[: len(start.clusters)]
    assert start.tokens == whole.tokens[: len(start.tokens)]
    reached = start.clusters[-1].char_span[1] if start.clusters else 0
    assert reached >= min(characters, len(text))
    end = start.clusters[-1].byte_span[1] if start.clusters else 0
    assert all(span.byte_span[0] >= end for span in whole.tokens[len(start.tokens) :])


def test_a_long_text_is_only_lined_up_as_far_as_asked() -> None:
    text = "é" * 1000
    assert len(align_start(text, bytes_of(text), characters=100).clusters) == 100
