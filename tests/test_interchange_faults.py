"""Model files that are malformed, cut short, contradictory, huge or odd: a BPEError or one rule, always."""

# ruff: noqa: E501 (tables of faults read best one to a line)

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import interchange
from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.errors import BPEError, ImportFormatError
from bpe_core.interchange import ModelFormat, export_model, import_model, records
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Trainer


def hugging_face(merges: object, vocab: object = None, **rest: object) -> bytes:
    """A tokenizer.json over a, b, c, ab and abc."""
    vocab = {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4} if vocab is None else vocab
    model = {"type": "BPE", "vocab": vocab, "merges": merges, **rest}
    return json.dumps({"model": model}).encode()


def steps(**change: object) -> bytes:
    """A steps file over a and b with one merge."""
    file: dict[str, Any] = {
        "format": "bpe-steps",
        "version": 1,
        "settings": {"pre_tokenizer": "none", "unit": "char"},
        "units": [[0, "a"], [1, "b"]],
        "specials": [],
        "merges": [{"left": 0, "right": 1, "id": 2, "token": "ab"}],
    }
    return json.dumps(file | change).encode()


def test_the_helpers_make_files_that_can_be_read() -> None:
    assert import_model(hugging_face([["a", "b"]])).tokenizer.encode("ab") == [3]
    assert import_model(steps()).tokenizer.encode("ab") == [2]


DEEP = "[" * 100_000
#: What is wrong with a file, the file, and what the message must say.
FAULTS: list[tuple[str, bytes, str]] = [
    # nothing, or nothing known
    ("no bytes", b"", "holds no merges"),
    ("only white space", b" \n\t\n", "holds no merges"),
    ("Latin-1", b"caf\xe9 x\n", "not UTF-8 text: byte E9 at position 3"),
    ("random bytes", bytes(range(256)), "not UTF-8"),
    ("UTF-16", "a b\n".encode("utf-16"), "not UTF-8"),
    ("some text", b"the cat sat on the mat\n", "Line 1 is 'the cat sat on the mat'"),
    ("JSON list", b'{"a": [1, 2]}', "none of the formats"),
    ("vocabulary alone", b'{"a": 0, "b": 1}', "add its merges.txt"),
    # malformed JSON
    ("cut short", hugging_face([["a", "b"]])[:-20], "cut short at line 1, column"),
    ("a stray comma", b'{"model": {},}', "line 1, column 1[34]"),
    ("deep nesting", b'{"model": ' + DEEP.encode(), "nested too deeply"),
    ("a number of 5,000 digits", b'{"model": ' + b"9" * 5000 + b"}", "cannot be read"),
    ("a name twice", b'{"model": {"type": "BPE", "vocab": {"a": 0, "a": 1}, "merges": []}}', "'a' stands twice"),
    # Hugging Face: merges
    ("a token not there (I09)", hugging_face([["a", "b"], ["a", "z"]]), "Merge 2 .* uses 'z', which is not in"),
    ("a result not there", hugging_face([["b", "c"]]), "Merge 1 .* makes 'bc', which is not in"),
    ("used but never made (I09)", hugging_face([["ab", "c"]]), "Merge 1 .* uses 'ab', .* no merge makes"),
    ("the same pair twice (I09)", hugging_face([["a", "b"], ["ab", "c"], ["a", "b"]]), "Merge 3 .* repeats .* merge 1"),
    ("an empty side (I09)", hugging_face([["", "a"]]), "Merge 1 .* empty side"),
    ("three parts in a string (I01)", hugging_face(["a  b"]), "Merge 1 is 'a  b'"),
    ("one part in a string", hugging_face(["ab"]), "Merge 1 is 'ab'"),
    ("three parts in a list", hugging_face([["a", "b"], ["a", "b", "c"]]), "Merge 2 is"),
    ("numbers for tokens", hugging_face([[0, 1]]), "Merge 1 is"),
    ("merges not a list", hugging_face({"a": "b"}), "merges are not a list"),
    ("no merges at all", hugging_face(None), "merges are not a list"),
    # Hugging Face: vocabulary
    ("an id twice", hugging_face([], {"a": 0, "b": 0}), "'a' and 'b' share the id 0"),
    ("an id that is no number", hugging_face([], {"a": "0"}), "'a' has the id '0'"),
    ("an id that is true", hugging_face([], {"a": True}), "'a' has the id True"),
    ("a negative id", hugging_face([], {"a": -1}), "the id -1"),
    ("an endless id", hugging_face([], {"a": 10**30}), "an id is a whole number"),
    ("a fraction", hugging_face([], {"a": 1.0}), "the id 1.0"),
    ("an empty token", hugging_face([], {"": 0}), "empty"),
    ("a lone surrogate", b'{"model": {"vocab": {"\\ud800": 0}, "merges": []}}', "lone surrogate"),
    ("vocabulary not an object", hugging_face([], ["a"]), "not an object"),
    # Hugging Face: what would give other tokens
    ("another model", hugging_face([], type="Unigram"), "only BPE"),
    ("a fused marker", hugging_face([], end_of_word_suffix="</w>"), "end_of_word_suffix"),
    ("a prefix", hugging_face([], continuing_subword_prefix="##"), "continuing_subword_prefix"),
    ("bytes as a last resort", hugging_face([], byte_fallback=True), "falls back to bytes"),
    ("lower-casing", b'{"normalizer": {"type": "Lowercase"}, "model": {"vocab": {}, "merges": []}}', "'Lowercase'"),
    ("an unknown split", b'{"pre_tokenizer": {"type": "Digits"}, "model": {"vocab": {}, "merges": []}}', "Digits"),
    # ours
    ("another version", steps(version=2), "version is 2"),
    ("no settings", steps(settings=None), "no settings"),
    ("an unknown unit", steps(settings={"pre_tokenizer": "none", "unit": "word"}), "one of char, byte"),
    ("a marker that is not there", steps(settings={"pre_tokenizer": "word-end", "unit": "char"}), "no end-of-word marker"),
    ("a marker too many", steps(units=[[0, "a"], [1, "b"], [5, None]]), "an end-of-word marker"),
    ("a unit of two characters", steps(units=[[0, "ab"]]), "one character"),
    ("bytes missing", steps(settings={"pre_tokenizer": "none", "unit": "byte"}, units=[[0, "61"]], merges=[]), "00 has no id"),
    ("a unit that is no pair", steps(units=[0]), "not a pair of id and text"),
    ("a unit id twice", steps(units=[[0, "a"], [0, "b"]], merges=[]), "share an id"),
    ("an unknown id", steps(merges=[{"left": 0, "right": 9, "id": 2}]), "Merge 1 uses token 9"),
    ("a circle", steps(merges=[{"left": 0, "right": 3, "id": 2}, {"left": 2, "right": 1, "id": 3}]), "Merge 1 uses token 3"),
    ("the same pair twice", steps(merges=[{"left": 0, "right": 1, "id": i} for i in (2, 3)]), "Merge 2 repeats"),
    ("an id for two tokens", steps(merges=[{"left": 0, "right": 1, "id": 2}, {"left": 1, "right": 0, "id": 2}]), "Merge 2"),
    ("a merge that makes a unit", steps(merges=[{"left": 0, "right": 1, "id": 0}]), "already stands for"),
    ("text that does not fit", steps(merges=[{"left": 0, "right": 1, "id": 2, "token": "ba"}]), "says its token is 'ba'"),
    ("an id as text", steps(merges=[{"left": "0", "right": 1, "id": 2}]), "Merge 1: left: '0' is no id"),
    ("a merge as a list", steps(merges=[[0, 1, 2]]), "Merge 1 is"),
    # ranks
    ("not base64", b"YQ== 0\nY*== 1\n", "Line 2"),
    ("base64 cut short", b"YQ== 0\nYQ= 1\n", "Line 2 .*not base64"),
    ("no rank", b"YQ== 0\nYg==\n", "Line 2"),
    ("a rank that is no number", b"YQ== 0\nYg== x\n", "Line 2"),
    ("a rank twice", b"YQ== 0\nYg== 0\n", "Line 2 .*rank 0 stood before"),
    ("an endless rank", b"YQ== 0\nYg== 9999999999\n", "Line 2 .*ranks go up to"),
    ("bytes without a rank", b"YQ== 0\n", "no token for byte 00"),
    # merges.txt
    ("three tokens", b"#version: 0.2\na b\na b c\n", "Line 3 is 'a b c'"),
    ("two spaces", b"a  b\n", "Line 1"),
    ("a heading later on", b"a b\n#version: 0.2 x\n", "Line 2"),
    ("the same merge twice", b"a b\na b\n", "line 2.* repeats"),
    ("never made", b"a b\nabz c\n", "Merge 2 .line 2.* uses 'abz'"),
    # CSV
    ("a heading alone is no table", b"merge,token\n1,ab\n", "Line 1"),
    ("a column twice", b"left,right,left\na,b,c\n", "each once"),
    ("a cell too many", b"left,right\na,b,c\n", "Line 2 has 3 cells"),
    ("an open quote", b'left,right\n"a,b\n', "cannot be read as CSV"),
    ("an id that is no number", b"left,right,left_id,right_id,token_id\na,b,0,x,2\n", "Line 2: right_id is 'x'"),
    ("no hex in byte mode", b"merge,left,right,unit\n0,,,byte\n1,c3,zz,\n", "Line 3: right is 'zz'"),
    ("an unknown tie rule", b"merge,left,right,ties\n0,,,coin\n", "ties is 'coin'"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "says"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_faulty_file_is_refused_saying_what_and_where(data: bytes, says: str) -> None:
    with pytest.raises(ImportFormatError, match=says) as caught:
        import_model(data)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400


def test_the_first_offending_rule_is_named() -> None:
    # Rule 1 waits for rule 3, which is the one that uses what nothing makes.
    vocab = {"a": 0, "b": 1, "ab": 2, "aba": 3, "zz": 4, "azz": 5, "azzb": 6}
    with pytest.raises(ImportFormatError, match=r"Merge 3 .* uses 'zz'"):
        import_model(hugging_face([["azz", "b"], ["a", "b"], ["a", "zz"]], vocab))


def test_sizes_are_bounded_and_the_bounds_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        ImportFormatError, match=r"50,000,001 bytes; the largest that can be read has 50,000,000"
    ):
        import_model(bytes(50_000_001))
    # 60 doublings would be a token of 2**60 characters; the file is small all the same.
    doubling = [
        {"left": 0, "right": 0, "id": 2},
        *({"left": i, "right": i, "id": i + 1} for i in range(2, 61)),
    ]
    with pytest.raises(ImportFormatError, match=f"Merge 24 makes a token of {2**24:,} bytes"):
        import_model(steps(merges=doubling))
    monkeypatch.setattr(interchange.building, "MERGE_LIMIT", 2)
    with pytest.raises(ImportFormatError, match="holds 3 merges; the longest list that can be read has 2"):
        import_model(b"a b\nc d\ne f\n")


def test_exports_that_would_be_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(Corpus.from_text("abcdefgh" * 8, PreTokenizer.NONE), Unit.BYTE)
    trainer.train_to()
    monkeypatch.setattr(records, "FILE_LIMIT", 300)
    for format in set(ModelFormat) - {ModelFormat.STEPS_JSON}:
        with pytest.raises(BPEError, match="steps as JSON"):
            export_model(trainer, format)
    assert import_model(export_model(trainer)[0].data).tokenizer.merges == trainer.tokenizer().merges


def test_half_characters_join_and_exotic_separators_do_not_cut() -> None:
    # D13: a surrogate pair written as two escapes is one character.
    data = b'{"model": {"vocab": {"\\ud83d\\udc4d": 0, "a": 1, "\\ud83d\\udc4da": 2}, "merges": [["\\ud83d\\udc4d", "a"]]}}'
    assert import_model(data).tokenizer.encode("👍a") == [2]
    # I03: only a line feed ends a line.
    exotic = "\u2028\u2029\x85\x0b\x0c\x1c"
    lines = "".join(f"a {c}\n" for c in exotic)
    model = import_model(b"#version: 0.2 unit=char pre-tokenizer=none\n" + lines.encode())
    assert len(model.tokenizer.merges) == 6
    table = "left,right\n" + "".join(f"a,{c}\n" for c in exotic)
    assert len(import_model(table.encode()).tokenizer.merges) == 6


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    ids = import_model(b"\xef\xbb\xbf#version: 0.2\r\na b\r\n").tokenizer.encode("ab")
    assert ids == [256]
    assert import_model(b"\xef\xbb\xbfleft,right\r\na,b\r\n").tokenizer.encode("ab") == [2]


# Random damage to valid files.


def valid_files() -> list[bytes]:
    files = []
    for unit in Unit:
        for kind in (PreTokenizer.ARTICLE, PreTokenizer.WORD_END, PreTokenizer.NONE):
            trainer = Trainer(Corpus.from_text("low lower é é low\n=1 =1", kind), unit, min_count=1)
            trainer.train_to(6)
            for format in ModelFormat:
                try:
                    files += [file.data for file in export_model(trainer, format)]
                except BPEError:
                    continue
    return files


FILES = valid_files()
PIECES = [b'"', b",", b"[]", b"{}", b"null", b"-1", b"1e9", b"true", b"\\ud800", b"\xff", b"\0", b"\n", b" ", b"'=", b"</w>", b'""', b"[[", b"0"]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A valid file with a few stretches cut, doubled, swapped or replaced."""
    data = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 12)))
        other = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=4), st.just(data[at:end] * 2)))
        data = data[:at] + other + data[end:]
    return data


@settings(max_examples=1500, deadline=None)
@given(
    damaged(),
    st.sampled_from([None, "x.csv", "x.tiktoken", "merges.txt", "x.json"]),
    st.sampled_from([None, *PreTokenizer]),
)
def test_damage_never_raises_anything_but_a_bpe_error(
    data: bytes, name: str | None, kind: PreTokenizer | None
) -> None:
    try:
        model = import_model(data, name, pre_tokenizer=kind)
    except BPEError as error:
        assert str(error)
    else:
        assert model.tokenizer.encode("low lower é =1") is not None


#: Any JSON value where another was expected.
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | st.floats() | st.sampled_from(["", "a", "low", "</w>", "BPE", "\ud800", "Sequence"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "type", "Regex", "vocab"]), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


@st.composite
def reshaped(draw: st.DrawFn) -> bytes:
    """A valid JSON file with some value replaced by any other."""
    file = json.loads(draw(st.sampled_from([data for data in FILES if data.startswith(b"{")])))
    for _ in range(draw(st.integers(1, 3))):
        place: Any = file
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(place[key], (dict, list)) and place[key] and draw(st.integers(0, 3)):
                place = place[key]
                continue
            place[key] = draw(VALUES)
            break
    return json.dumps(file).encode()


@settings(max_examples=1500, deadline=None)
@given(reshaped(), st.sampled_from([None, b"#version\nl o\n", b"\xff"]))
def test_any_value_in_any_place_raises_nothing_but_a_bpe_error(data: bytes, companion: bytes | None) -> None:
    try:
        model = import_model(data, companion=companion)
    except BPEError as error:
        assert str(error)
    else:
        assert model.tokenizer.encode("low lower é =1") is not None
