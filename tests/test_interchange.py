"""Exports loaded into the packages they are for, and everything read back."""

from __future__ import annotations

import csv
import io
import json
import random
import unicodedata
from functools import lru_cache
from pathlib import Path

import pytest
import tiktoken
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe

from bpe_core import o200k
from bpe_core.alphabet import Alphabet, Unit
from bpe_core.corpus import Corpus
from bpe_core.display import BYTE_TO_PRINTABLE
from bpe_core.encoding import Tokenizer
from bpe_core.errors import ExportError, ImportFormatError
from bpe_core.interchange import ModelFormat, export_model, import_model, load, save
from bpe_core.interchange.huggingface import PATTERNS
from bpe_core.interchange.table import guarded, unguarded
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule, Trainer

TEXT = (
    "the café baker bakes cakes, the café bakes soufflé\n"
    "हिन्दी विकिपीडिया हिन्दी ภาษาไทย ภาษา שָׁלוֹם שלום السلام عَلَيْكُمْ 我爱北京天安门。我爱北京 한국어 한국\r\n\r\n"
    "don't DON'T 1234567 x² ½ ½ a\u200db a\u200cb 👨‍👩‍👧 👨‍👩‍👧 </w> </w>"
    " a  b\t\tc =1 '=1 's +2 -3 @x \"q\" a,b \u2028\u0085 \x0b\x0c\x1c"
    "  end  \n "
)
CASES = [(unit, kind) for unit in Unit for kind in PreTokenizer]


@lru_cache
def trained(unit: Unit, kind: PreTokenizer, merges: int = 80, text: str = TEXT) -> Trainer:
    trainer = Trainer(Corpus.from_text(text, kind), unit, min_count=1)
    trainer.train_to(merges)
    return trainer


def texts_in(alphabet: str, count: int, seed: int) -> list[str]:
    """The corpus and random texts: single characters and stretches of the corpus, in any order."""
    rng = random.Random(seed)
    made = ["", " ", TEXT]
    for _ in range(count):
        parts = []
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(TEXT))
            parts.append(rng.choice(alphabet) if rng.random() < 0.5 else TEXT[at : at + rng.randint(1, 9)])
        made.append("".join(parts))
    return made


LETTERS = "".join(sorted(set(TEXT)))
#: Characters that TEXT does not hold, among them the private-use ones an export may take for the marker.
OUTSIDE = "zQ\ue000\ue001ж𝔘🎂\x00"


# tokenizer.json


@pytest.mark.parametrize(("unit", "kind"), CASES)
def test_tokenizers_reads_tokenizer_json_and_gives_our_tokens(unit: Unit, kind: PreTokenizer) -> None:
    ours = trained(unit, kind).tokenizer()
    theirs = tokenizers.Tokenizer.from_str(export_model(ours, ModelFormat.HUGGING_FACE)[0].data.decode())
    assert max(ours.encode(TEXT)) > len(ours.alphabet)  # merges are used
    for text in texts_in(LETTERS, 400, seed=1):
        ids = ours.encode(text)
        encoding = theirs.encode(text)
        assert encoding.ids == ids, text
        assert theirs.decode(ids) == ours.decode(ids), text
        if not kind.has_marker:
            tokens = [ours.token(id).data for id in ids]
            spelled = [
                data.decode() if unit is Unit.CHAR else "".join(map(BYTE_TO_PRINTABLE.__getitem__, data))
                for data in tokens
            ]
            assert encoding.tokens == spelled


@pytest.mark.parametrize(("unit", "kind"), CASES)
def test_characters_outside_the_alphabet_are_one_unknown_each(unit: Unit, kind: PreTokenizer) -> None:
    ours = trained(unit, kind).tokenizer()
    theirs = tokenizers.Tokenizer.from_str(export_model(ours, ModelFormat.HUGGING_FACE)[0].data.decode())
    unknown = theirs.token_to_id("<unk>")
    assert (unknown is None) == (unit is Unit.BYTE)
    for text in texts_in(LETTERS + OUTSIDE, 400, seed=2):
        assert theirs.encode(text).ids == [id if id >= 0 else unknown for id in ours.encode(text)], text


@pytest.mark.parametrize("kind", list(PATTERNS), ids=lambda kind: kind.value)
def test_exported_patterns_cut_as_ours_do(kind: PreTokenizer) -> None:
    """Characters of all kinds next to letters, digits, spaces and themselves.

    All that Python's tables know, but of the blocks with thousands alike only some.
    """
    splitter = tokenizers.pre_tokenizers.Split(tokenizers.Regex(PATTERNS[kind]), "removed", invert=True)
    code_points = [*range(0x3400), *range(0xA000, 0xAC10), *range(0xD780, 0xE010), *range(0xF900, 0x17000)]
    code_points += [*range(0x3400, 0xA000, 99), *range(0x17000, 0x20000), *range(0x20000, 0x110000, 999)]
    known = [c for c in map(chr, code_points) if unicodedata.category(c) not in ("Cn", "Cs")]
    known.remove("\u0295")  # lower case until Unicode 16, a letter without case since: newer there than here
    for start in range(0, len(known), 5000):
        text = "".join(f"a{c}1{c}{c} {c}B{c}\n{c}'s" for c in known[start : start + 5000])
        assert [piece for piece, _ in splitter.pre_tokenize_str(text)] == kind.split(text)
    rng = random.Random(3)
    joints = [
        "'s",
        "'LL",
        "'ſ",
        "\r\n",
        " ",
        "  ",
        "\n",
        "\t",
        "\u00a0",
        "12345",
        "/",
        "²",
        "\u200d",
        "\u0301",
        "Aa",
    ]
    for _ in range(5000):
        text = "".join(
            rng.choice(joints) if rng.random() < 0.5 else rng.choice(known) for _ in range(rng.randint(1, 12))
        )
        assert [piece for piece, _ in splitter.pre_tokenize_str(text)] == kind.split(text), ascii(text)


def test_a_real_unk_in_the_corpus_is_not_taken_for_the_unknown_token() -> None:
    ours = trained(Unit.CHAR, PreTokenizer.NONE, text="<unk><unk> a").tokenizer()
    theirs = tokenizers.Tokenizer.from_str(export_model(ours, ModelFormat.HUGGING_FACE)[0].data.decode())
    assert theirs.encode("<unk>").ids == ours.encode("<unk>")
    assert len(ours.encode("<unk>")) == 1
    assert theirs.encode("?").ids != theirs.encode("<unk>").ids


def test_a_private_use_character_in_the_corpus_is_not_taken_for_the_marker() -> None:
    ours = trained(Unit.CHAR, PreTokenizer.WORD_END, text="a\ue000 a\ue000 a\ue001b a").tokenizer()
    (file,) = export_model(ours, ModelFormat.HUGGING_FACE)
    theirs = tokenizers.Tokenizer.from_str(file.data.decode())
    for text in ("a\ue000", "a a\ue001", "\ue000\ue001 b", "\ue002"):
        assert theirs.encode(text).ids == [
            id if id >= 0 else theirs.token_to_id("<unk>") for id in ours.encode(text)
        ]
    assert import_model(file.data).tokenizer.merges == ours.merges


def byte_level_without_all_bytes() -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    return made


def white_space_split() -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    return made


@pytest.mark.parametrize(
    ("make", "kind"),
    [(byte_level_without_all_bytes, PreTokenizer.GPT2), (white_space_split, PreTokenizer.WHITESPACE)],
)
def test_a_tokenizer_trained_by_tokenizers_keeps_its_tokens_and_ids(make, kind: PreTokenizer) -> None:  # type: ignore[no-untyped-def]
    theirs = make()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=200, special_tokens=["[UNK]", "<|endoftext|>"])
    theirs.train_from_iterator([TEXT], trainer)
    model = import_model(theirs.to_str().encode())
    assert model.tokenizer.pre_tokenizer is kind
    assert any("special" in notice for notice in model.notices)
    for text in texts_in(LETTERS, 200, seed=4):
        assert model.tokenizer.encode(text) == theirs.encode(text).ids, text
    assert model.tokenizer.decode([theirs.token_to_id("<|endoftext|>")]) == "<|endoftext|>"


def test_old_files_write_a_merge_as_one_string() -> None:
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}
    assert import_model(json.dumps({"model": model}).encode()).tokenizer.encode("abab") == [2, 2]


# tiktoken


@pytest.mark.parametrize("kind", [kind for kind in PreTokenizer if not kind.has_marker])
def test_tiktoken_reads_the_ranks_file_and_gives_our_tokens(
    kind: PreTokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")  # no copy of the file is kept
    ours = trained(Unit.BYTE, kind).tokenizer()
    path = tmp_path / "mine.tiktoken"
    save(path, ours)
    pattern = (kind.pattern or r"(?s).+").replace(r"\Z", r"\z")
    theirs = tiktoken.Encoding(
        "mine", pat_str=pattern, mergeable_ranks=load_tiktoken_bpe(str(path)), special_tokens={}
    )
    for text in texts_in(LETTERS + OUTSIDE, 400, seed=5):
        assert theirs.encode_ordinary(text) == ours.encode(text), text
    back = load(path, kind).tokenizer
    assert back.merges == ours.merges
    assert back.encode(TEXT) == ours.encode(TEXT)


def test_the_gpt_4o_vocabulary_goes_out_as_the_official_file_and_comes_back() -> None:
    (file,) = export_model(o200k.tokenizer(), ModelFormat.TIKTOKEN)
    assert file.data == o200k.official_text()
    back = import_model(file.data).tokenizer  # known by its size
    assert back.pre_tokenizer is PreTokenizer.O200K
    assert back.encode("unbakeable") == o200k.tokenizer().encode("unbakeable")


def test_gpt_4o_as_tokenizer_json() -> None:
    (file,) = export_model(o200k.tokenizer(), ModelFormat.HUGGING_FACE)
    theirs = tokenizers.Tokenizer.from_str(file.data.decode())
    for text in texts_in(LETTERS + OUTSIDE, 300, seed=6):
        assert theirs.encode(text).ids == o200k.tokenizer().encode(text), text


@pytest.mark.parametrize(
    ("merges", "says"),
    [
        ([(97, 98, 256), (98, 99, 257), (97, 257, 258)], "merge 3"),  # bytes alone: ab first, then ab + c
        ([(98, 99, 257), (97, 98, 256)], "id is the rank"),
        ([(97, 98, 256), (256, 99, 257), (98, 99, 258), (97, 258, 259)], "Merge 4"),  # abc made twice
    ],
)
def test_ranks_refuse_what_joined_bytes_cannot_say(merges: list[tuple[int, int, int]], says: str) -> None:
    tokenizer = Tokenizer(Alphabet(Unit.BYTE), merges, PreTokenizer.NONE)
    with pytest.raises(ExportError, match=says):
        export_model(tokenizer, ModelFormat.TIKTOKEN)


# merges.txt and vocab.json


@pytest.mark.parametrize("unit", list(Unit))
def test_tokenizers_reads_merges_and_vocabulary(unit: Unit, tmp_path: Path) -> None:
    kind = PreTokenizer.GPT2 if unit is Unit.BYTE else PreTokenizer.WHITESPACE
    ours = trained(unit, kind).tokenizer()
    merges, vocabulary = save(tmp_path / "merges.txt", ours)
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE.from_file(str(vocabulary), str(merges)))
    theirs.pre_tokenizer = (
        tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        if unit is Unit.BYTE
        else tokenizers.pre_tokenizers.WhitespaceSplit()
    )
    for text in texts_in(LETTERS, 300, seed=7):
        assert theirs.encode(text).ids == ours.encode(text), text
    back = load(merges)
    assert back.tokenizer.merges == ours.merges
    assert back.tokenizer.pre_tokenizer is kind
    assert back.settings.unit is unit
    assert back.notices == ()


def test_bytes_are_spelled_in_gpt2s_alphabet() -> None:
    # D07: bytes C3 96, C4 8D, C4 A0, 20, 0A; and the letters Ö and č in that spelling are bytes D6 and 0D.
    ours = trained(Unit.BYTE, PreTokenizer.NONE, text="ÖčĠ \n").tokenizer()
    merges = export_model(ours, ModelFormat.GPT2)[0].data.decode().split("\n")
    assert merges[1:6] == ["Ã ĸ", "Ãĸ Ä", "ÃĸÄ į", "ÃĸÄį Ä", "ÃĸÄįÄ ł"]
    back = import_model("Ö č\n".encode()).tokenizer
    assert back.token(256).data == b"\xd6\x0d"
    assert back.decode(back.encode("ilÖveyou")) == "ilÖveyou"


def test_merges_txt_refuses_spaces_on_a_line() -> None:
    with pytest.raises(ExportError, match="cannot hold a space"):
        export_model(trained(Unit.CHAR, PreTokenizer.NONE, text="a b a b"), ModelFormat.GPT2)


def test_only_a_heading_on_line_1_is_no_merge() -> None:
    # I05, in bytes: the first merge of "# # #" is # + space.
    ours = trained(Unit.BYTE, PreTokenizer.NONE, text="# # #")
    merges, vocabulary = export_model(ours, ModelFormat.GPT2)
    back = import_model(merges.data, merges.name, vocabulary.data).tokenizer
    assert [ours.corpus_length(k) for k in range(4)] == [5, 3, 2, 1]
    assert back.merges == ours.tokenizer().merges
    assert back.token(back.merges[0][2]).text == "# "
    # A line that begins with # is a merge, on line 1 and anywhere else.
    assert import_model(b"# #\n## #\n").tokenizer.encode("###") == [257]


# Ours: JSON and CSV


@pytest.mark.parametrize("format", [ModelFormat.STEPS_JSON, ModelFormat.STEPS_CSV])
@pytest.mark.parametrize(("unit", "kind"), CASES)
def test_steps_come_back_as_the_identical_tokenizer(
    unit: Unit, kind: PreTokenizer, format: ModelFormat
) -> None:
    trainer = trained(unit, kind, 10_000)  # to the end: long tokens, spaces, line breaks, exotic separators
    ours = trainer.tokenizer()
    (file,) = export_model(trainer, format)
    model = import_model(file.data, file.name)
    assert model.notices == ()
    assert model.tokenizer.merges == ours.merges
    assert model.tokenizer.alphabet.units == ours.alphabet.units
    assert model.tokenizer.pre_tokenizer is kind
    assert (model.settings.unit, model.settings.ties, model.settings.min_count) == (
        unit,
        TieRule.FIRST_SEEN,
        1,
    )
    for text in texts_in(LETTERS + OUTSIDE, 50, seed=8):
        assert model.tokenizer.encode(text) == ours.encode(text)
    again = export_model(model.tokenizer, ModelFormat.STEPS_JSON)
    assert again == export_model(ours, ModelFormat.STEPS_JSON)


def test_the_json_says_what_the_steps_said() -> None:
    trainer = Trainer(Corpus.from_text("the café baker bakes cakes, the café bakes soufflé"))
    trainer.train_to(5)
    file = json.loads(export_model(trainer)[0].data)
    assert file["start"] == {"corpus_length": 50, "vocabulary_size": 16}
    assert [merge["token"] for merge in file["merges"]] == ["ak", "ake", " c", " b", " bake"]
    assert [merge["corpus_length"] for merge in file["merges"]] == [46, 42, 39, 36, 33]
    assert [merge["tied"] for merge in file["merges"]] == [2, 1, 4, 3, 2]


def test_the_table_says_what_the_steps_said() -> None:
    trainer = Trainer(Corpus.from_text("the café baker bakes cakes, the café bakes soufflé"))
    trainer.train_to(2)
    text = export_model(trainer, ModelFormat.STEPS_CSV)[0].data.decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [(r["merge"], r["left"], r["right"], r["count"], r["corpus_length"]) for r in rows] == [
        ("0", "", "", "", "50"),
        ("1", "a", "k", "4", "46"),
        ("2", "ak", "e", "4", "42"),
    ]
    assert rows[0]["alphabet"] == " ,abcefhklorstué"


def test_a_table_by_hand_needs_only_two_columns() -> None:
    model = import_model(b"left,right\nl,o\nlo,w\n")
    assert [token.text for token in model.tokenizer.tokenize("low")] == ["low"]
    by_hex = b"merge,left,right,unit,pre_tokenizer\n0,,,byte,none\n1,c3,a9,,\n2,c3a9,20,,\n"
    assert import_model(by_hex).tokenizer.encode("é ") == [257]
    marked = b"merge,left,right,pre_tokenizer\n0,,,word-end\n1,l,o,\n2,lo,</w>,\n"
    assert [token.notation for token in import_model(marked).tokenizer.tokenize("lo low")] == [
        "lo</w>",
        "lo",
        "w",
        "</w>",
    ]


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\t=1", "'\t=1"), ("\r", "'\r"),
        ("＝1", "'＝1"), ("'=1", "''=1"), ("''@", "'''@"), ("'s", "'s"), ("'", "'"), ("a=b", "a=b"), ("", ""),
        (" =", " ="),
    ],
)  # fmt: skip
def test_cells_no_spreadsheet_takes_for_a_formula(text: str, cell: str) -> None:
    assert guarded(text) == cell
    assert unguarded(cell) == text


def test_formulas_are_disarmed_in_every_text_cell() -> None:
    trainer = trained(Unit.CHAR, PreTokenizer.NONE, 10_000, "=1+1 +1 -1 @x \t=1 =1+1 '=1 's")
    text = export_model(trainer, ModelFormat.STEPS_CSV)[0].data.decode()
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    assert any(cell.startswith("'=") for cell in cells)
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r\n")]


# Lists that training would not make


def test_a_list_out_of_order_is_followed_as_lowest_rank_first() -> None:
    model = {
        "type": "BPE",
        "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4},
        "merges": [["ab", "c"], ["a", "b"]],
    }
    data = json.dumps({"model": model}).encode()
    read = import_model(data)
    assert read.tokenizer.encode("abc") == [4]
    assert ["out of order" in notice for notice in read.notices] == [True]
    assert tokenizers.models.BPE(model["vocab"], [("ab", "c"), ("a", "b")]).tokenize("abc")[0].id == 4
    again = import_model(export_model(read.tokenizer)[0].data)
    assert again.tokenizer.merges == read.tokenizer.merges
    with pytest.raises(ExportError, match=r"tokenizer\.json"):
        export_model(import_model(b"ab c\na b\n").tokenizer, ModelFormat.TIKTOKEN)


def test_two_merges_may_make_one_token_where_ids_are_shared() -> None:
    vocabulary = {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5, "abca": 6}
    merges = [["b", "c"], ["a", "b"], ["ab", "c"], ["a", "bc"], ["abc", "a"]]
    read = import_model(
        json.dumps({"model": {"type": "BPE", "vocab": vocabulary, "merges": merges}}).encode()
    )
    theirs = tokenizers.models.BPE(vocabulary, [(left, right) for left, right in merges])
    for text in ("abc", "abca", "cabcab", "aabcc"):
        assert read.tokenizer.encode(text) == [token.id for token in theirs.tokenize(text)]
    (file,) = export_model(read.tokenizer, ModelFormat.HUGGING_FACE)
    assert import_model(file.data).tokenizer.merges == read.tokenizer.merges


def test_a_pair_listed_again_never_acts_and_is_left_out() -> None:
    twice = Tokenizer(Alphabet(Unit.CHAR, "ab"), [(0, 1, 2), (1, 0, 3), (0, 1, 2)], PreTokenizer.NONE)
    assert import_model(export_model(twice)[0].data).tokenizer.merges == [(0, 1, 2), (1, 0, 3)]


def test_two_tokens_spelled_alike_fit_no_format_that_goes_by_spelling() -> None:
    twice = Tokenizer(
        Alphabet(Unit.CHAR, "abc"), [(1, 2, 3), (0, 3, 4), (0, 1, 5), (5, 2, 6)], PreTokenizer.NONE
    )
    for format in (ModelFormat.HUGGING_FACE, ModelFormat.GPT2):
        with pytest.raises(ExportError, match="4 and 6 are both spelled 'abc'"):
            export_model(twice, format)
    assert import_model(export_model(twice)[0].data).tokenizer.merges == twice.merges


# On disk


@pytest.mark.parametrize(
    ("name", "begins"),
    [("lab.json", b'{\n"format": "bpe-steps"'), ("tokenizer.json", b'{\n "version"'),
     ("lab.csv", b"merge,left"), ("lab.tiktoken", b"AA== 0\n"), ("merges.txt", b"#version"), ("lab", b"{")],
)  # fmt: skip
def test_the_name_says_the_format(name: str, begins: bytes, tmp_path: Path) -> None:
    trainer = trained(Unit.BYTE, PreTokenizer.ARTICLE)
    save(tmp_path / name, trainer)
    assert (tmp_path / name).read_bytes().startswith(begins)
    assert load(tmp_path / name).tokenizer.merges == trainer.tokenizer().merges


def test_a_path_that_cannot_be_used_is_a_plain_sentence(tmp_path: Path) -> None:
    with pytest.raises(ImportFormatError, match="cannot be read"):
        load(tmp_path / "nothing.json")
    with pytest.raises(ImportFormatError, match="cannot be read"):
        load(tmp_path)
    with pytest.raises(ExportError, match="cannot be written"):
        save(tmp_path / "no" / "such" / "folder.json", trained(Unit.CHAR, PreTokenizer.ARTICLE))


# Any tokenizer in any format


HOSTILE = st.text(
    st.sampled_from("ab12 .,'\"=+-@\t\n\r\0|#\\/<>wé·␣Ġ\u0301नם👍\u200b\ufeff\u2028\x85\x1c\ue000"),
    max_size=25,
)


@settings(max_examples=300)
@given(
    st.sampled_from(["", "#version: 0.2\n", "</w> </w>", "<unk>"]),
    HOSTILE,
    HOSTILE,
    st.sampled_from(PreTokenizer),
    st.sampled_from(Unit),
    st.sampled_from([0, 2, 100]),
)
def test_what_goes_out_comes_back(
    start: str, corpus: str, new: str, kind: PreTokenizer, unit: Unit, merges: int
) -> None:
    """The same tokens with the same ids, and the same file when it goes out again."""
    trainer = Trainer(Corpus.from_text(start + corpus, kind), unit, min_count=1)
    trainer.train_to(merges)
    ours = trainer.tokenizer()
    for format in ModelFormat:
        try:
            files = export_model(ours, format)
        except ExportError:
            continue  # what a format cannot hold has its own tests
        companion = files[1].data if len(files) > 1 else None
        chosen = kind if format is ModelFormat.TIKTOKEN else None
        back = import_model(files[0].data, files[0].name, companion, chosen).tokenizer
        for text in (start + corpus, new):
            assert back.tokenize(text) == ours.tokenize(text)
        assert export_model(back, format) == files
