"""The command line: its JSON, tables and exit codes, and that wrong use is one line and never a traceback."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import bpe_core.__main__ as command_line
from bpe_core import terminal
from bpe_core.__main__ import main
from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import StopReason, TieRule, Trainer

ROOT = Path(__file__).resolve().parent.parent
REVIEW = "the café baker bakes cakes, the café bakes soufflé"
ABRACADABRA = "abracadabra abracadabra abracadabra"
#: As a shell starts Python: with buffers, which are where the trouble with broken pipes is.
SHELL = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
UTF8 = {**SHELL, "PYTHONUTF8": "1"}


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Calls ``main`` in this process; ``stdin`` is what stands in standard input."""

    def call(*argv: str, stdin: bytes = b"") -> Ran:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            code = main(argv)
        return Ran(code, *capsys.readouterr())

    return call


def rows(table: str) -> list[list[str]]:
    """A printed table as cells."""
    return [line.split() for line in table.splitlines()]


# --- train ------------------------------------------------------------------------------------------------


def test_train_json_is_exactly_this(run: Any) -> None:
    ran = run("train", REVIEW, "--merges", "5", "--json")
    assert (ran.code, ran.err) == (0, "")
    names = ("merge", "pair", "token", "count", "tied", "replacements", "corpus_length", "vocabulary_size")
    steps = [
        (1, ["a", "k"], "ak", 4, 2, 4, 46, 17),
        (2, ["ak", "e"], "ake", 4, 1, 4, 42, 18),
        (3, [" ", "c"], " c", 3, 4, 3, 39, 19),
        (4, [" ", "b"], " b", 3, 3, 3, 36, 20),
        (5, [" b", "ake"], " bake", 3, 2, 3, 33, 21),
    ]
    assert ran.json == {
        "start": {"corpus_length": 50, "vocabulary_size": 16},
        "steps": [dict(zip(names, step, strict=True)) for step in steps],
        "stop": "merge-limit",
    }
    assert list(ran.json) == ["start", "steps", "stop"]
    assert list(ran.json["steps"][0]) == list(names)


def test_train_json_in_bytes(run: Any) -> None:
    ran = run("train", REVIEW, "--merges", "4", "--unit", "byte", "--json")
    assert ran.json["start"] == {"corpus_length": 53, "vocabulary_size": 17}
    assert ran.json["steps"][3]["pair"] == ["c3", "a9"]
    assert ran.json["steps"][3]["token"] == "c3a9"


def test_train_json_with_the_marker(run: Any) -> None:
    ran = run("train", "low low lowest", "--pre-tokenizer", "word-end", "--json")
    assert [step["token"] for step in ran.json["steps"]] == ["lo", "low", "low</w>"]
    assert ran.json["stop"] == "below-min-count"


@pytest.mark.parametrize("value", [rule.value for rule in TieRule])
def test_every_tie_rule_is_known_by_its_word(run: Any, value: str) -> None:
    ran = run("train", "AAABDAAABAC", "--pre-tokenizer", "none", "--ties", value, "--merges", "2", "--json")
    second = {"first-seen": ["AA", "A"], "lowest-ids": ["A", "B"], "column-major": ["AA", "A"]}[value]
    assert ran.json["steps"][1]["pair"] == second


@pytest.mark.parametrize("pre_tokenizer", PreTokenizer)
def test_every_pre_tokenizer_is_known_by_its_word(run: Any, pre_tokenizer: PreTokenizer) -> None:
    ran = run("train", REVIEW, "--pre-tokenizer", pre_tokenizer.value, "--json")
    trainer = Trainer(Corpus.from_text(REVIEW, pre_tokenizer))
    trainer.train_to()
    assert ran.json["start"]["corpus_length"] == trainer.initial_length
    assert [(s["count"], s["tied"]) for s in ran.json["steps"]] == [(s.count, s.tied) for s in trainer.steps]


@pytest.mark.parametrize(
    ("options", "stop", "merges"),
    [
        (["--merges", "0"], StopReason.MERGE_LIMIT, 0),
        (["--merges", "21"], StopReason.MERGE_LIMIT, 21),
        (["--merges", "22"], StopReason.NO_PAIRS, 22),  # nothing is left, whatever was asked for
        ([], StopReason.NO_PAIRS, 22),
        (["--merges", "200", "--min-count", "3"], StopReason.BELOW_MIN_COUNT, 5),
        (["--min-count", "1000"], StopReason.BELOW_MIN_COUNT, 0),
    ],
)
def test_why_training_stops(run: Any, options: list[str], stop: StopReason, merges: int) -> None:
    ran = run("train", REVIEW, *options, "--json")
    assert (ran.json["stop"], len(ran.json["steps"])) == (stop.value, merges)


@pytest.mark.parametrize("text", ["", "   "])
@pytest.mark.parametrize("unit", ["char", "byte"])
def test_an_empty_corpus_is_not_wrong_use(run: Any, text: str, unit: str) -> None:
    ran = run("train", text, "--merges", "3", "--unit", unit, "--json")
    assert ran.code == 0
    assert ran.json == {
        "start": {"corpus_length": 0, "vocabulary_size": 0},
        "steps": [],
        "stop": "empty-corpus",
    }
    assert run("train", text, "--merges", "3").out.splitlines()[-1] == StopReason.EMPTY_CORPUS.sentence


def test_train_for_people(run: Any) -> None:
    ran = run("train", REVIEW, "--merges", "5")
    lines = rows(ran.out)
    assert lines[0] == ["merge", "left", "right", "token", "count", "tied", "replacements", "L", "V"]
    assert lines[1] == ["0", "50", "16"]
    assert lines[4] == ["3", "␣", "c", "␣c", "3", "4", "3", "39", "19"]
    assert ran.out.splitlines()[-1] == StopReason.MERGE_LIMIT.sentence
    assert len({len(line) for line in ran.out.splitlines()[:-1]}) == 1  # aligned


def test_invisible_characters_can_be_read_in_a_table(run: Any) -> None:
    ran = run("train", "\u200b\x1b\n\u202e", "--pre-tokenizer", "none")
    assert ran.out.isascii() or ran.out.replace("\n", "").isprintable()
    assert "⟨U+200B⟩" in ran.out and "⟨U+001B⟩" in ran.out and "⟨U+202E⟩" in ran.out and "↵" in ran.out


def test_train_csv(run: Any) -> None:
    ran = run("train", "=1=1=1", "--pre-tokenizer", "none", "--csv")
    found = list(csv.DictReader(io.StringIO(ran.out, newline="")))
    assert [(row["merge"], row["token"], row["count"]) for row in found[:2]] == [
        ("0", "", ""),
        ("1", "'=1", "3"),  # guarded: no spreadsheet takes it for a formula
    ]


def test_word_counts(run: Any, tmp_path: Path) -> None:
    table = tmp_path / "counts.tsv"
    table.write_text("hop\t5\nhops\t2\nshop\t3\nshops\t1\n", encoding="utf-8")
    ran = run("train", "--word-counts", str(table), "--merges", "3", "--json")
    assert ran.json["start"] == {"corpus_length": 40, "vocabulary_size": 4}
    assert [(s["token"], s["count"]) for s in ran.json["steps"]] == [("ho", 11), ("hop", 11), ("shop", 4)]


def test_files_and_standard_input_go_through_the_door(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "review.txt"
    data = b"\xef\xbb\xbf" + REVIEW.encode() + b"\r\n"
    file.write_bytes(data)
    expected = run("train", REVIEW, "--json").out
    for source, stdin in (("--file", b""), ("--file", data)):
        ran = run("train", source, "-" if stdin else str(file), "--json", stdin=stdin)
        assert ran.out == expected
        assert [line.split()[0] for line in ran.err.splitlines()] == ["Note:"] * 3  # mark, line end, dropped
    counted = run("train", "--word-counts", "-", "--json", stdin=b"      3 hop\r\n")
    assert counted.json["steps"][0]["count"] == 3
    assert "line ending" in counted.err


def test_what_was_dropped_is_said(run: Any) -> None:
    ran = run("train", "a\nb", "--json")
    assert ran.err.startswith("Note: 1 character was left out (1 line break)")
    assert run("train", "a b", "--json").err == ""


# --- models -----------------------------------------------------------------------------------------------


@pytest.fixture
def model(run: Any, tmp_path: Path) -> str:
    """The review after five merges, saved."""
    path = tmp_path / "review.json"
    ran = run("train", REVIEW, "--merges", "5", "--save", str(path), "--json")
    assert (ran.code, ran.json["stop"]) == (0, "merge-limit")
    assert "review.json" in ran.err
    return str(path)


def test_encode(run: Any, model: str) -> None:
    ran = run("encode", "--model", model, "the maker baked cakes", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert list(ran.json) == ["tokens", "ids"]
    tokens = ["t", "h", "e", " ", "m", "ake", "r", " bake", "d", " c", "ake", "s"]
    assert ran.json["tokens"] == tokens
    assert [id is None for id in ran.json["ids"]] == [token in "md" for token in tokens]
    known = [str(id) for id in ran.json["ids"] if id is not None]
    decoded = run("decode", "--model", model, *known)
    assert (decoded.code, decoded.out, decoded.err) == (0, "the aker bake cakes\n", "")


def test_encode_for_people(run: Any, model: str) -> None:
    ran = run("encode", "--model", model, "the maker baked cakes")
    lines = ran.out.splitlines()
    assert lines[4].split() == ["␣", "0"]
    assert lines[5].split() == ["m", "never", "seen"]
    assert lines[-1] == "21 characters, 12 tokens: 1.75 characters per token."
    assert run("encode", "--model", model, "").out.splitlines()[-1] == "0 characters, 0 tokens."


def test_encode_trace(run: Any, model: str) -> None:
    ran = run("encode", "--model", model, " cakes", "--trace", "--json")
    assert [(stage["merge"], stage["pair"], stage["replacements"]) for stage in ran.json["stages"]] == [
        (None, None, 0),
        (1, ["a", "k"], 1),
        (2, ["ak", "e"], 1),
        (3, [" ", "c"], 1),
    ]
    assert ran.json["stages"][-1]["words"] == [[" c", "ake", "s"]]
    assert [(b["index"], b["reason"]) for b in ran.json["boundaries"]] == [(0, "no-rule"), (1, "no-rule")]
    people = run("encode", "--model", model, "the cakes", "--trace").out
    assert "t h e   ␣c ake s\n" in people
    assert "2 merges changed nothing." in people
    assert "joins" in people


def test_encode_a_file_and_standard_input(run: Any, model: str, tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    file.write_text("cakes", encoding="utf-8")
    expected = run("encode", "--model", model, "cakes", "--json").json
    assert run("encode", "--model", model, "--file", str(file), "--json").json == expected
    assert run("encode", "--model", model, "--file", "-", "--json", stdin=b"cakes").json == expected


def test_the_real_vocabulary(run: Any) -> None:
    ran = run("encode", "--model", "o200k", "unbakeable", "--json", "--trace")
    assert [bytes.fromhex(token).decode() for token in ran.json["tokens"]] == ["un", "b", "ake", "able"]
    assert ran.json["ids"] == [373, 65, 814, 562]
    assert ran.json["stages"][1]["rank"] is not None
    decoded = run("decode", "--model", "o200k", "373", "65", "814", "562")
    assert decoded.out == "unbakeable\n"


def test_bytes_that_are_no_text_are_said(run: Any) -> None:
    ran = run("decode", "--model", "o200k", "128")
    assert (ran.code, ran.out) == (0, "\ufffd\n")
    assert "Not valid UTF-8" in ran.err


@pytest.mark.parametrize("name", ["tokenizer.json", "m.csv", "merges.txt", "m.tiktoken", "other.name"])
def test_every_format_is_saved_and_read_by_its_name(run: Any, tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    run("train", REVIEW, "--merges", "5", "--unit", "byte", "--save", path)
    ran = run("encode", "--model", path, "the maker", "--json")
    assert ran.code == 0
    assert ran.json["tokens"] == ["74", "68", "65", "20", "6d", "616b65", "72"]


# --- measure ----------------------------------------------------------------------------------------------


def test_measure_json(run: Any) -> None:
    options = ["--pre-tokenizer", "none", "--ties", "column-major"]
    ran = run("measure", ABRACADABRA, *options, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["two_part_final_width"] == [105, 93, 81, 92, 88, 84, 80, 76, 76, 80, 84]
    assert (ran.json["best_k_final_width"], ran.json["huffman_bits"]) == (7, 80)
    five = run("measure", ABRACADABRA, *options, "--merges", "5", "--json").json
    assert five["compression_ratio"] == pytest.approx(35 / 11)
    assert five["characters_per_token_distribution"] == {"1": 2, "2": 0, "3": 3, "4": 6}


def test_measure_for_people(run: Any) -> None:
    ran = run("measure", ABRACADABRA, "--pre-tokenizer", "none", "--ties", "column-major", "--merges", "5")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "ascii bits 280" in lines
    assert "order0 entropy bits per character 2.23978" in lines
    assert "␣ 2 1110" in lines
    assert "5 11 11 84 80 1.43537 0.45112 2.32931 6.98792 4" in lines
    assert "cad 1" not in lines and "abracadabra 3" in lines


def test_measure_of_nothing(run: Any) -> None:
    ran = run("measure", "   ", "--json")
    assert ran.code == 0
    assert ran.json["characters_per_token"] is None
    assert ran.json["compression_ratio"] is None
    assert "not defined" in run("measure", "").out


# --- wrong use --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "train | encode | decode | measure"),
        (["teach"], "teach"),
        (["train"], "give one of TEXT, --file PATH, --word-counts PATH"),
        (["measure", "a", "--file", "b"], "not TEXT and --file PATH"),
        (["train", "a", "b"], "unrecognized arguments: b"),
        (["train", "a", "--merges"], "--merges"),
        (["train", "a", "--merges", "-1"], "'-1' is not a whole number"),
        (["train", "a", "--merges", "٣"], "'٣' is not a whole number"),
        (["train", "a", "--merges", "1_000"], "'1_000' is not a whole number"),
        (["train", "a", "--merges", "9" * 5000], "is not a whole number"),
        (["train", "a", "--min-count", "0"], "minimum count is 0"),
        (["train", "a", "--ties", "random"], "first-seen"),
        (["train", "a", "--pre-tokenizer", "GPT2"], "gpt2"),
        (["train", "a", "--unit", "word"], "char"),
        (["train", "a", "--json", "--csv"], "--csv"),
        (["train", "a", "--mer", "1"], "--mer"),
        (["train", "a", "--nonsense", "x\ny\x1b"], "x\\ny\\x1b"),
        (["train", "--file", "/nowhere/at all"], "'/nowhere/at all' cannot be read: No such file"),
        (["train", "--file", str(ROOT)], "cannot be read"),
        (["train", "--file", "a\0b"], "cannot be read"),
        (["train", "a", "--save", "/nowhere/m.json"], "cannot be written"),
        (["train", "a", "--save", "x.tiktoken"], "bytes"),
        (["encode", "a"], "--model"),
        (["encode", "--model", "o200k"], "give one of TEXT, --file PATH"),
        (["encode", "--model", "/nowhere/m.json", "a"], "'/nowhere/m.json' cannot be read"),
        (["decode", "--model", "o200k"], "ID"),
        (["decode", "--model", "o200k", "x"], "'x' is not a token id"),
        (["decode", "--model", "o200k", "1.0"], "'1.0' is not a token id"),
        (["decode", "--model", "o200k", "-1"], "-1 is not an id"),
        (["decode", "--model", "o200k", "373", "999999", "-5"], "999999, -5 are not ids"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(run: Any, argv: list[str], said: str) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1 and ran.err.endswith("\n")
    assert ran.err.removesuffix("\n").isprintable()
    assert len(ran.err) < 400


@pytest.mark.parametrize(
    ("data", "option", "said"),
    [
        (b"caf\xe9", "--file", "byte E9 at position 3"),
        (b"hop\t5\nhops\tmany\n", "--word-counts", "Line 2"),
        (b"a" * 10_000_001, "--file", "10,000,000 bytes"),
    ],
)
def test_input_that_cannot_be_read_is_one_line(run: Any, data: bytes, option: str, said: str) -> None:
    ran = run("train", option, "-", stdin=data)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err


def test_a_damaged_model_is_one_line(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text('{"format": "bpe-steps", "version": 1', encoding="utf-8")
    ran = run("encode", "--model", str(path), "a")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


def test_help_is_not_wrong_use(run: Any) -> None:
    for command in ([], ["train"], ["encode"], ["decode"], ["measure"]):
        ran = run(*command, "--help")
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith("usage: python -m bpe_core")


# --- as a process -----------------------------------------------------------------------------------------


def process(*argv: str | bytes, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """``python -m bpe_core`` as a shell starts it."""
    command: list[Any] = [sys.executable, "-m", "bpe_core", *argv]
    return subprocess.run(command, cwd=ROOT, capture_output=True, **{"env": UTF8, **more})


@pytest.mark.skipif(os.name == "nt", reason="arguments are text there")
def test_an_argument_that_is_not_utf8() -> None:
    ran = process("train", b"a\xffb", "--pre-tokenizer", "none", "--json")
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["steps"][0]["pair"] == ["a", "\ufffd"]
    assert b"U+FFFD" in ran.stderr
    ran = process("train", "--file", b"/nowhere/\xff\n")
    assert (ran.returncode, ran.stderr.count(b"\n")) == (2, 1)


def test_wrong_use_as_a_process() -> None:
    ran = process("train", "a", "--merges", "x")
    assert (ran.returncode, ran.stdout, ran.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_json_is_utf8_whatever_the_terminal_is(encoding: str) -> None:
    env = {**SHELL, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    ran = process("train", "--file", "-", "--json", input="é北".encode(), env=env)
    assert ran.returncode == 0
    assert json.loads(ran.stdout.decode("utf-8"))["steps"][0]["pair"] == ["é", "北"]
    table = process("train", "--file", "-", input="é北".encode(), env=env)
    assert table.returncode == 0
    assert ("\\u5317" in table.stdout.decode(encoding)) == (encoding != "utf-16")


@pytest.mark.skipif(os.name == "nt", reason="no pipes of this kind there")
@pytest.mark.parametrize("options", [[], ["--json"], ["--csv"], ["--help"]])
def test_a_reader_that_leaves_early_hears_nothing(options: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", "bpe_core", "train", REVIEW, *options]
        ran = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, env=UTF8)
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "bpe_core", "train", REVIEW]
        ran = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, env=UTF8)
    assert ran.returncode == 1
    assert ran.stderr.count(b"\n") == 1 and b"cannot be written" in ran.stderr


def test_ctrl_c_is_quiet(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line.Corpus, "from_text", interrupted)
    assert run("train", "abc") == (130, "", "")


# --- progress and tables ----------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A standard error that is a terminal, or not."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.mark.parametrize("is_terminal", [True, False])
def test_progress_waits_a_second(monkeypatch: pytest.MonkeyPatch, is_terminal: bool) -> None:
    now = [100.0]
    screen = Terminal(is_terminal)
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(sys, "stderr", screen)
    with terminal.Progress("merges learned") as progress:
        for seconds, merges in ((0.0, 1), (0.9, 2), (1.0, 3000), (1.1, 4000), (6.5, 5000)):
            now[0] = 100 + seconds
            assert progress(merges, 8000 if merges < 5000 else 0)
    lines = ["3,000 of 8,000 merges learned", "5,000 merges learned"]
    ends = "\r" + "\r".join(lines) + "\r\x1b[K" if is_terminal else "\n".join([*lines, ""])
    assert screen.getvalue() == ends


def test_training_reports_its_progress(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
    ran = run("train", "--file", "-", "--merges", "300", "--json", stdin=(REVIEW + " 123 ").encode() * 4000)
    assert "of 220,000 characters counted\n" in ran.err
    assert ran.code == 0
    assert isinstance(ran.json, dict)  # none of it on standard output


def test_columns_line_up_by_what_a_terminal_draws() -> None:
    text = terminal.table(("token", "n"), [("北京", "1"), ("e\u0301", "12"), ("ab", "3")], left={0})
    assert text == "token   n\n北京    1\ne\u0301      12\nab      3\n"


def test_encoding_reports_its_progress(run: Any, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
    text = (REVIEW + " ") * 4000
    ran = run("encode", "--model", model, "--file", "-", "--json", stdin=text.encode())
    assert "of 204,000 characters encoded\n" in ran.err
    assert ran.json["tokens"][:3] == ["t", "h", "e"]
    trainer = Trainer(Corpus.from_text(REVIEW))
    trainer.train_to(5)
    whole = trainer.tokenizer().encode(text)  # at once, where the command goes piece by piece
    assert ran.json["ids"] == whole
    assert len(ran.json["tokens"]) == len(whole)


def test_a_trace_that_would_fill_the_disk_is_refused(run: Any, model: str) -> None:
    text = (REVIEW + " ") * 20_000  # six states of about 800,000 tokens each
    for options in (["--json"], []):
        ran = run("encode", "--model", model, "--file", "-", "--trace", *options, stdin=text.encode())
        assert (ran.code, ran.out) == (2, "")
        assert "after each of 5 merges; at most 2,000,000" in ran.err
