"""The Real tokenizer page and the sentences it compares: figures from tiktoken or worked out by hand.

Picking tiles and tree nodes needs a browser: tests/browser/test_real.py.
"""

from __future__ import annotations

import csv
import io
import json
import threading
import unicodedata
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import tiktoken
from streamlit.testing.v1 import AppTest

from bpe_core import o200k
from bpe_core.pretokenize import PreTokenizer
from tests import apptest
from tests.apptest import components, moved, says, strip
from ui import gpt4o, languages
from ui.languages import SENTENCES, Measure
from ui.links import Lab

opened = partial(apptest.opened, "real")

REVIEW_TOKENS = "the|␣café|␣baker|␣b|akes|␣cakes|,|␣the|␣café|␣b|akes|␣souff|lé"


def show(app: AppTest, source: str) -> None:
    """Choose the training text or the new text."""
    app.segmented_control(key="real_source").set_value(source).run()
    assert not app.exception


def notes(app: AppTest) -> str:
    return "\n".join(html.value for html in app.html)


YOURS, REAL = "The text under your merges", "The text as GPT-4o's tokens"


def test_the_review_both_ways() -> None:
    app = opened(k="5")
    assert strip(app, REAL) == REVIEW_TOKENS.split("|")
    assert "With all 199,998 tokens: 13 tokens, 10 of them different; 3.85 characters per token." in says(app)
    assert "After 5 merges: 33 tokens, 16 of them different; 1.52 characters per token." in says(app)
    assert strip(app, YOURS)[:10] == ["t", "h", "e", "␣c", "a", "f", "é", "␣bake", "r", "␣bake"]
    table = app.dataframe[0].value
    assert list(table["token"][:3]) == ["the", "␣café", "␣baker"]
    assert list(table["id"][:3]) == ["3,086", "30,469", "121,034"]
    assert list(table["bytes in hex"][1:2]) == ["20 63 61 66 C3 A9"]


def test_the_slider_moves_the_learners_k_and_nothing_else() -> None:
    app = opened()
    assert "After 0 merges: 50 tokens" in says(app)
    moved(app, 22)
    assert "After 22 merges: 10 tokens" in says(app)
    assert app.session_state["lab"].k == 22
    assert strip(app, REAL) == REVIEW_TOKENS.split("|")


def test_the_longest_token_is_opened_at_first_with_its_tree() -> None:
    app = opened()
    assert (
        "␣café has id 30,469, which is also its rank. It joins ␣caf and é; 30,469 tokens stand before it"
        in (says(app))
    )
    tree = next(data for data in components(app) if "nodes" in data)
    drawn = [
        ("".join(text for text, _ in node["parts"]), node["made"], node["depth"]) for node in tree["nodes"]
    ]
    assert drawn == [
        ("␣café", "rank 30,469", 0),
        ("␣caf", "rank 20,390", 1), ("␣c", "rank 274", 2), ("␣", "", 3), ("c", "", 3),
        ("af", "rank 1,553", 2), ("a", "", 3), ("f", "", 3),
        ("é", "rank 377", 1), ("C3", "", 2), ("A9", "", 2),
    ]  # fmt: skip
    assert "é: rank 377\n        ⟨C3⟩\n        ⟨A9⟩" in app.code[0].value


def test_an_example_becomes_the_new_text_and_travels_in_the_link() -> None:
    app = opened()
    app.pills(key="real_example").set_value("unbakeable").run()
    assert not app.exception
    assert strip(app, REAL) == ["un", "b", "ake", "able"]
    assert app.session_state["lab"].new_text == "unbakeable"
    assert "unbakeable" in json.dumps(components(app)[-1])
    assert "has id 562" in says(app)  # able: the first of the longest
    show(app, "Training text")
    assert strip(app, REAL) == REVIEW_TOKENS.split("|")


def test_new_text_from_a_link() -> None:
    app = opened(new=" bakes")
    show(app, "New text")
    assert strip(app, REAL) == ["␣b", "akes"]


def test_why_one_token_and_four() -> None:
    app = opened()
    assert strip(app, "␣baker and unbakeable") == ["␣baker", "un", "b", "ake", "able"]
    assert "joined to one token, at rank 121,034 of 199,998" in says(app)
    assert "no merge joins un and b, b and ake or ake and able, so it stays in 4 tokens" in says(app)


def test_a_typed_special_token_is_plain_text() -> None:
    app = opened(new="<|endoftext|>")
    show(app, "New text")
    typed = ["<", "|", "end", "of", "text", "|", ">"]
    assert strip(app, REAL) == strip(app, "The typed name of a special token") == typed
    assert "is id 199,999, the end of a document" in says(app)
    assert "is id 200,018, the end of a prompt" in says(app)
    assert "7 tokens with the ids 27, 91, 419, 1440, 919, 91, 29" in says(app)


def test_parts_of_a_character_are_shown_as_bytes_and_counted() -> None:
    app = opened(new="啡")
    show(app, "New text")
    assert strip(app, REAL) == ["E5 95", "A1"]
    assert "2 tokens hold only part of a character" in says(app)
    assert "1 character never seen in training" in says(app)


def test_words_with_counts_are_split_one_by_one() -> None:
    app = opened(preset="hop")
    assert strip(app, YOURS) == list("hophopsshopshops")
    # hop 5, hops 2, shop 3, shops 1: characters 15 + 8 + 12 + 5
    assert "After 0 merges: 40 tokens, 4 of them different; 1.00 characters per token." in says(app)
    assert strip(app, REAL) == ["hop", "h", "ops", "shop", "shops"]
    assert "With all 199,998 tokens: 13 tokens, 5 of them different" in says(app)  # 5 + 2·2 + 3 + 1


# --- languages ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def theirs() -> tiktoken.Encoding:
    """tiktoken itself, built from our ranks; no file of its own, no network."""
    ranks = {token: rank for rank, token in enumerate(o200k.tokens())}
    return tiktoken.Encoding(
        "o200k_ours", pat_str=PreTokenizer.O200K.pattern or "", mergeable_ranks=ranks, special_tokens={}
    )


def test_every_language_costs_what_tiktoken_says(theirs: tiktoken.Encoding) -> None:
    rows = languages.figures(o200k.tokenizer())
    assert [row.sentence for row in rows] == list(SENTENCES)
    assert [row.tokens for row in rows] == [len(theirs.encode_ordinary(s.text)) for s in SENTENCES]
    for row in rows:
        pieces = theirs.decode_tokens_bytes(theirs.encode_ordinary(row.sentence.text))
        assert row.utf8_bytes == sum(map(len, pieces))
        whole = sum(piece.decode("utf-8", "replace") == piece.decode("utf-8", "ignore") for piece in pieces)
        assert row.partial == row.tokens - whole


def test_english_and_hebrew_come_first_and_count_as_by_hand() -> None:
    english, hebrew = languages.figures(o200k.tokenizer())[:2]
    assert (english.sentence.language, english.words, english.tokens, english.utf8_bytes) == (
        "English",
        8,
        9,
        39,
    )
    assert (hebrew.sentence.language, hebrew.words, hebrew.tokens, hebrew.utf8_bytes) == ("Hebrew", 6, 10, 51)
    assert english.written(Measure.PER_WORD) == "1.13"  # 9 / 8 = 1.125
    assert hebrew.written(Measure.PER_WORD) == "1.67"
    assert english.written(Measure.BYTES) == "4.33"


def test_no_words_are_counted_where_spaces_do_not_part_them() -> None:
    rows = {row.sentence.language: row for row in languages.figures(o200k.tokenizer())}
    for language in ("Chinese", "Japanese", "Thai"):
        row = rows.pop(language)
        assert row.words is None and row.value(Measure.PER_WORD) is None
        assert row.written(Measure.PER_WORD) == "not defined by spaces"
    assert all(row.words == row.sentence.text.count(" ") + 1 for row in rows.values())
    assert len(rows) >= 10


def test_the_sentences_are_clean_text() -> None:
    for sentence in SENTENCES:
        assert unicodedata.is_normalized("NFC", sentence.text)
        assert sentence.text == sentence.text.strip() and "  " not in sentence.text
    assert len({sentence.language for sentence in SENTENCES} | {s.code for s in SENTENCES}) == 2 * len(
        SENTENCES
    )


@pytest.mark.parametrize("measure", Measure)
def test_chart_and_table_hold_the_same_figures(measure: Measure) -> None:
    rows = languages.figures(o200k.tokenizer())
    drawn = languages.chart_rows(rows, measure, chosen=1)
    assert list(drawn["written"]) == [row.written(measure) for row in rows]
    assert list(drawn["when"]) == ["other", "chosen"] + ["other"] * (len(rows) - 2)
    column = {"TOKENS": "tokens", "PER_WORD": "tokens per word", "BYTES": "bytes per token"}[measure.name]
    assert [str(value) for value in languages.frame(rows)[column]] == list(drawn["written"])


def test_the_csv_keeps_every_sentence_and_leaves_undefined_cells_empty() -> None:
    rows = list(csv.DictReader(io.StringIO(languages.csv(languages.figures(o200k.tokenizer())))))
    assert [row["sentence"] for row in rows] == [sentence.text for sentence in SENTENCES]
    assert rows[0]["tokens per word"] == "1.125"
    assert rows[-1]["language"] == "Thai" and rows[-1]["words"] == rows[-1]["tokens per word"] == ""


def test_another_measure_and_another_language_are_shown() -> None:
    app = opened()
    assert strip(app, "The Hebrew sentence")[0] == "הא"
    app.segmented_control(key="real_measure").set_value(Measure.PER_WORD).run()
    chart = (
        app.get("vega_lite_chart")[0] if app.get("vega_lite_chart") else app.get("arrow_vega_lite_chart")[0]
    )
    assert "tokens per word" in chart.proto.spec
    app.selectbox(key="real_language_box").set_value(15).run()
    assert strip(app, "The Chinese sentence")[:3] == ["咖", "E5 95", "A1"]
    assert "spaces do not tell its words apart" in says(app)


# --- whatever the corpus, whatever the file -----------------------------------------------------


@pytest.mark.parametrize(
    ("query", "yours", "real"),
    [
        ({"text": ""}, 0, 0),
        ({"text": "é"}, 1, 1),
        ({"text": "baker"}, 5, 2),
        ({"text": " \n\t "}, 0, 2),
        ({"text": "x", "pre": "none", "unit": "byte"}, 1, 1),
    ],
    ids=["empty", "one character", "one word", "all dropped", "one byte"],
)
def test_small_corpora(query: dict[str, str], yours: int, real: int) -> None:
    app = opened(**query)
    assert len(strip(app, YOURS)) == yours
    assert len(strip(app, REAL)) == real


def test_a_large_corpus_is_split_up_to_a_bound() -> None:
    app = opened()
    text = "the café baker bakes cakes, " * 70_000
    app.session_state["lab"] = Lab(None, text, None)
    app.run()
    assert not app.exception
    assert f"The training text has {len(text):,} characters; its first 50,000 are split here" in notes(app)
    data = next(data for data in components(app) if data.get("label", "").startswith(REAL))
    assert data["rest"].startswith("Showing the first 400 of ")
    assert len(app.dataframe[0].value) == 300


@pytest.fixture
def no_vocabulary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The vocabulary as before its first use, its file elsewhere and not there."""
    path = tmp_path / "o200k_base.xz"
    monkeypatch.setattr(o200k, "_packed_file", lambda: path)
    o200k.tokens.cache_clear()
    o200k._shared.cache_clear()
    yield path
    o200k.tokens.cache_clear()
    o200k._shared.cache_clear()


@pytest.mark.parametrize(("content", "word"), [(None, "missing"), (b"not the vocabulary", "damaged")])
def test_without_the_file_the_page_says_so_and_the_rest_works(
    no_vocabulary: Path, content: bytes | None, word: str
) -> None:
    if content is not None:
        no_vocabulary.write_bytes(content)
    app = opened(k="5")
    assert word in notes(app) and "Every other page works without it." in notes(app)
    assert "Traceback" not in notes(app)
    assert strip(app, YOURS)[:4] == ["t", "h", "e", "␣c"]
    assert REAL not in json.dumps(components(app))
    app.switch_page("../pages/train.py").run()
    assert not app.exception


def test_when_the_file_is_back_the_page_works_again(
    no_vocabulary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    monkeypatch.undo()
    app.run()
    assert strip(app, REAL) == REVIEW_TOKENS.split("|")


# --- thirty readers, one vocabulary -------------------------------------------------------------


def test_no_readers_text_is_held_where_another_could_meet_it() -> None:
    secret = "zyzzyvaquokka"
    app = opened(text=f"the {secret}", new=f"{secret} {secret}")
    show(app, "New text")
    assert len(strip(app, REAL)) > 2
    assert [word for word in app.session_state["gpt4o"]._words if secret in word]
    shared, later = o200k._shared(), opened().session_state["gpt4o"]
    assert later.rules is shared.rules is app.session_state["gpt4o"].rules
    assert not [word for held in (shared, later) for word in held._words if secret in word]


def test_many_threads_at_once_get_the_same_tokens() -> None:
    texts = [f"{sentence.text} {n} bakeries, ünbäkeable{n}" for n, sentence in enumerate(SENTENCES)]
    alone = [o200k.tokenizer().encode(text) for text in texts]
    found: dict[int, list[list[int]]] = {}
    start = threading.Barrier(8)

    def reader(number: int) -> None:
        mine = o200k.tokenizer()
        start.wait()
        found[number] = [mine.encode(text) for text in texts]

    threads = [threading.Thread(target=reader, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(8)] == [alone] * 8


def test_copied_ids_and_csv_hold_every_token() -> None:
    split = gpt4o.split_text(o200k.tokenizer(), "=1+1 啡")
    assert gpt4o.ids(split) == ", ".join(map(str, o200k.tokenizer().encode("=1+1 啡")))
    rows = list(csv.DictReader(io.StringIO(gpt4o.csv(split))))
    assert [row["id"] for row in rows] == gpt4o.ids(split).split(", ")
    assert rows[0]["token"] == "'="  # no spreadsheet takes it for a formula
    assert bytes.fromhex("".join(row["bytes_hex"] for row in rows)).decode() == "=1+1 啡"
