"""The Bytes page: rows, the merge that finds é again, halves, the bound and GPT-2's alphabet.

Lighting up what belongs together, keyboard and themes need a browser: tests/browser/test_bytes.py.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from bpe_core.alignment import align
from bpe_core.alphabet import Token, Unit
from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Trainer
from tests import apptest
from tests.apptest import moved, notes, said, slider
from tests.apptest import shown as data
from ui.align import BLOCK, CHARACTERS, blocks, columns, table_of, token_parts
from ui.byte_tables import found_table, rows_csv, wide_characters
from ui.links import Lab

opened = partial(apptest.opened, "bytes")


def rows(app: AppTest) -> dict[str, Any]:
    """The picture of the rows."""
    shown = data(app, "bytes_rows")
    assert shown is not None
    return shown


def names(cells: list[dict[str, Any]]) -> list[str]:
    return ["".join(text for text, _ in cell["label"]) for cell in cells]


def tell(says: list[list[str]]) -> str:
    return "".join(text for text, _ in says)


# --- the rows ----------------------------------------------------------------------------------


def test_e_acute_down_to_its_bytes() -> None:
    picture = rows(opened(k="5"))
    assert names(picture["clusters"]) == ["c", "a", "f", "é"]
    assert picture["points"] == ["0063", "0061", "0066", "00E9"]
    assert [column[0] for column in picture["columns"]] == ["63", "61", "66", "C3", "A9"]
    assert [column[1] for column in picture["columns"]] == ["c", "a", "f", "Ã", "©"]
    assert names(picture["tokens"]) == ["c", "a", "f", "é"]
    assert [column[4] for column in picture["columns"]] == [0, 1, 2, 3, 3]
    assert picture["start"] == 3
    assert tell(picture["columns"][4][5]) == (
        "Byte A9 is number 2 of the 2 bytes of é (U+00E9, latin small letter e with acute). "
    )
    assert tell(picture["tokens"][3]["says"]) == (
        "Token 4, é, id 259, made by merge 4: ⟨C3⟩ + ⟨A9⟩, holds 2 bytes (C3 A9)."
    )
    assert tell(picture["clusters"][3]["says"]) == (
        "é is 1 code point (U+00E9 latin small letter e with acute), 2 bytes, in one token."
    )


def test_before_its_merge_it_is_two_halves_and_said_so() -> None:
    app = opened(k="3", unit="byte", new="é")
    picture = rows(app)
    assert names(picture["tokens"]) == ["C3", "A9"]
    assert [token["part"] for token in picture["tokens"]] == [True, True]
    assert tell(picture["tokens"][0]["says"]) == (
        "Token 1, ⟨C3⟩, id 195, a base unit, holds 1 byte (C3) and is not whole characters: "
        "1 of the 2 bytes of é."
    )
    assert said(app, "bytes_halves").startswith(
        "2 tokens are not whole characters: token 1 ⟨C3⟩ holds 1 of the 2 bytes of é; token 2 ⟨A9⟩ holds 1"
    )
    assert said(opened(k="4", unit="byte", new="é"), "bytes_halves") == (
        "At k = 4 every token holds whole characters."
    )


def test_a_token_with_a_letter_and_half_of_the_next() -> None:
    text = "нн"  # D0 BD D0 BD
    tokens = [Token(300, b"\xd0\xbd\xd0", Unit.BYTE), Token(0xBD, b"\xbd", Unit.BYTE)]
    tokenizer = Trainer(Corpus.from_text("a"), Unit.BYTE).tokenizer()
    says = "".join(
        part if isinstance(part, str) else part[0] for part in token_parts(align(text, tokens), 0, tokenizer)
    )
    assert says.endswith("holds 3 bytes (D0 BD D0) and is not whole characters: 1 of the 2 bytes of н.")


@pytest.mark.parametrize(
    ("sample", "sizes"),
    [
        ("é", "4 characters as a reader counts, 4 code points, 5 bytes; 4 tokens at k = 5."),
        ("é written two ways", "3 characters as a reader counts, 4 code points, 6 bytes; 5 tokens at k = 5."),
        ("emoji family", "1 character as a reader counts, 5 code points, 18 bytes; 18 tokens at k = 5."),
        ("Hebrew", "4 characters as a reader counts, 4 code points, 8 bytes; 8 tokens at k = 5."),
        ("Hindi", "3 characters as a reader counts, 6 code points, 18 bytes; 18 tokens at k = 5."),
        ("a letter in halves", "5 characters as a reader counts, 5 code points, 6 bytes; 6 tokens at k = 5."),
    ],
)
def test_samples(sample: str, sizes: str) -> None:
    app = opened(k="5")
    next(button for button in app.button if button.label == sample).click().run()
    assert said(app, "bytes_sizes") == sizes
    assert data(app, "bytes_text")["value"] == app.session_state["lab"].new_text  # type: ignore[index]


def test_the_two_ways_to_write_it_look_the_same_and_are_not() -> None:
    app = opened(k="5")
    next(button for button in app.button if button.label == "é written two ways").click().run()
    picture = rows(app)
    assert [cluster["label"][0][0] for cluster in picture["clusters"]] == ["é", "␣", "e\u0301"]
    assert [column[0] for column in picture["columns"]] == ["C3", "A9", "20", "65", "CC", "81"]
    assert picture["points"] == ["00E9", "0020", "0065", "0301"]


def test_a_plain_new_text_is_left_alone_until_somebody_types() -> None:
    app = opened()
    assert app.session_state["lab"].new_text == "the maker baked cakes"
    assert names(rows(app)["clusters"]) == list("café")
    assert data(opened(new="naïve"), "bytes_text")["value"] == "naïve"  # type: ignore[index]
    assert data(opened(new="plain"), "bytes_text")["value"] == "plain"  # type: ignore[index]


def test_the_end_of_word_marker_has_a_token_but_no_byte() -> None:
    app = opened(preset="low", unit="byte", k="2", new="low  y")
    picture = rows(app)
    assert [column[0] for column in picture["columns"]] == ["6C", "6F", "77", None, "20", "20", "79", None]
    assert [column[4] for column in picture["columns"]] == [0, 0, 0, 1, None, None, 2, 3]
    assert names(picture["tokens"]) == ["low", "⟨end⟩", "y", "⟨end⟩"]
    assert "at most one token for each word" in said(app, "bytes_bound")


TEXTS = st.text(st.sampled_from("ab é\u0301⭢👨\u200d👩\nकि"), max_size=40)


@given(TEXTS, st.sampled_from([PreTokenizer.ARTICLE, PreTokenizer.NONE, PreTokenizer.WORD_END]))
def test_blocks_hold_every_column_once_and_fit_a_phone(text: str, pre_tokenizer: PreTokenizer) -> None:
    trainer = Trainer(Corpus.from_text(text, pre_tokenizer), Unit.BYTE, min_count=1)
    trainer.train_to(6)
    lined = align(text, trainer.tokenizer().tokenize(text), pre_tokenizer.spans(text))
    cols = columns(lined)
    assert bytes(col.byte for col in cols if col.byte is not None) == text.encode()
    assert {col.token for col in cols if col.token is not None} == set(range(len(lined.tokens)))
    cut = blocks(cols)
    assert [i for block in cut for i in range(block.start, block.end)] == list(range(len(cols)))
    assert all(0 < block.end - block.start <= BLOCK for block in cut)
    for block in cut:
        if block.start:
            left, right = cols[block.start - 1], cols[block.start]
            together = left.token == right.token is not None or left.cluster == right.cluster is not None
            assert block.goes_on == together
            assert left.point != right.point or left.point is None  # no code point is cut in two


def test_a_long_text_is_lined_up_from_its_start_and_says_so() -> None:
    picture = rows(opened(new="é" * 500))
    assert len(picture["columns"]) == 2 * CHARACTERS
    assert picture["rest"] == f"Lined up: the first {2 * CHARACTERS} of 1,000 bytes."


def test_the_table_says_the_same() -> None:
    lined = align("é=", [Token(259, "é".encode(), Unit.BYTE), Token(0x3D, b"=", Unit.BYTE)])
    assert table_of(lined) == [
        ("é", "U+00E9", "C3 A9", "Ã©", "1: é"),
        ("=", "U+003D", "3D", "=", "2: ="),
    ]
    assert rows_csv(lined).splitlines()[2].startswith("'=,U+003D")
    app = opened(k="5")
    table = next(block.value for block in app.html if "Each character of the text" in block.value)
    assert "<bdi>C3 A9</bdi>" in table and "<bdi>4: é</bdi>" in table


# --- the lab starts from characters ----------------------------------------------------------------


def test_a_lab_of_characters_is_trained_from_bytes_beside_and_left_as_it_is() -> None:
    app = opened(k="5")
    assert "Your lab starts from characters, and stays as it is." in notes(app)
    assert app.session_state["lab"].unit is Unit.CHAR
    assert slider(app, "bytes_k") == (5, 22)
    assert slider(moved(app, 4), "bytes_k") == (4, 22)
    app = opened(k="5", unit="byte")
    assert "starts from characters" not in notes(app)
    assert slider(app, "bytes_k") == (5, 23)


# --- found again -------------------------------------------------------------------------------


def test_merge_four_finds_e_acute_again() -> None:
    app = opened()
    assert "Which merge finds é again?" in [heading.value for heading in app.subheader]
    assert said(app, "bytes_found").endswith(
        "é is C3 A9 and occurs 3 times in the corpus: merge 4 makes it whole."
    )
    table = next(block.value for block in app.html if "more than one byte" in block.value)
    assert re.findall(r"<td><bdi>(.*?)</bdi>", table) == ["é", "U+00E9", "C3 A9", "3", "merge 4: ⟨C3⟩ + ⟨A9⟩"]


def test_a_letter_may_become_whole_inside_a_larger_token() -> None:
    trainer = Trainer(Corpus.from_text(" ☕ ☕ ☕", PreTokenizer.GPT2), Unit.BYTE)
    trainer.train_to()
    found = wide_characters(trainer, trainer.tokenizer())
    # " ☕" is 20 E2 98 95: merges 20+E2, then 98, then 95
    assert found_table(found, trainer.tokenizer()) == [
        ("☕", "U+2615", "E2 98 95", "3", "merge 3, inside ␣☕")
    ]


def test_a_corpus_of_plain_letters_has_nothing_to_find() -> None:
    assert "only characters of one byte each" in said(opened(preset="hop"), "bytes_found")


# --- the bound ---------------------------------------------------------------------------------


def test_hebrew_with_merges_from_english_takes_a_token_for_every_byte() -> None:
    bound = said(opened(preset="cats", k="10", new="שלום"), "bytes_bound")
    assert "B bytes never take more than B tokens" in bound
    assert "Here B = 8, and at k = 10 the text takes 8 tokens." in bound
    assert "|V| = 256 + k = 266" in bound


def test_units_in_use_beside_the_definition() -> None:
    bound = said(opened(k="5"), "bytes_bound")
    assert "|V| = 256 + k = 261; this corpus itself uses 17 of the 256 units." in bound


# --- GPT-2's alphabet --------------------------------------------------------------------------


def test_why_a_space_is_written_with_a_dotted_g() -> None:
    app = opened(k="5", new="a é")
    sentence = said(app, "bytes_alphabet")
    assert "188 bytes are such characters already" in sentence
    assert "The other 68" in sentence
    assert "number 33 of those, so it becomes U+0120, Ġ." in sentence
    assert said(app, "bytes_printable") == "This text in that alphabet, token by token: a Ġ Ã© "
    table = next(block.value for block in app.html if '<table class="bpe-alphabet">' in block.value)
    cells = re.findall(r'<td class="(\w+)" title="(.*?)">(.*?)</td>', table)
    assert len(cells) == 256
    assert cells[0x20] == (
        "moved",
        "byte 20 is written U+0120, latin capital letter g with dot above",
        "Ġ",
    )
    assert cells[0xC3][::2] == ("same", "Ã")
    assert cells[0x3C][2] == "&lt;"
    assert sum(kind == "moved" for kind, _, _ in cells) == 68


# --- corpora with nothing in them, and a great deal ----------------------------------------------


@pytest.mark.parametrize("corpus", ["", " \n ", "a", "é", "word"])
@pytest.mark.parametrize("new", ["", "  ", "é"])
def test_small_corpora_and_texts_work(corpus: str, new: str) -> None:
    app = opened(text=corpus, new=new)
    if not new:
        assert "There is no text." in notes(app)
        assert data(app, "bytes_rows") is None
    elif not new.strip():
        assert "the pre-tokenizer left it out" in said(app, "bytes_halves")
        assert [column[4] for column in rows(app)["columns"]] == [None, None]
    else:
        assert len(rows(app)["columns"]) == 2


def test_a_corpus_of_two_megabytes() -> None:
    syllables = [a + b + c for a in "bdfgklmn" for b in "aeiouéñ" for c in "rstxyz"]
    words = [first + second for first in syllables for second in syllables]
    text = " ".join(words[i * 7919 % len(words)] for i in range(260_000))
    app = opened(Lab(None, text, None, k=10, new_text="é" * 20_000))
    assert len(rows(app)["columns"]) == 2 * CHARACTERS
    assert "makes it whole" in said(app, "bytes_found")
