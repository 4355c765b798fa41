"""The command line: ``python -m bpe_core train | encode | decode | measure``.

Results go to standard output, as JSON or CSV for scripts or as aligned tables for people; notices, and
progress once something takes over a second, go to standard error. Wrong use and everything the core
refuses end in one line on standard error and exit code 2.

Not here: anything computed, and how tables are laid out (``terminal``). ``main`` reads the options, asks
the core and writes down what it says.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from . import terminal
from .alphabet import Unit
from .corpus import Corpus, parse_word_counts
from .display import text_label
from .encoding import Tokenizer
from .errors import BPEError, TextError, shown
from .interchange import ModelFormat, export_model, load, save
from .measures import measure
from .pretokenize import PreTokenizer
from .terminal import Progress, number, say, shown_token, table, write, write_data, write_json
from .text import FILE_LIMIT, CleanText, clean_text, decode_file
from .trace import Boundary, Reason, Stage
from .training import StopReason, TieRule, Trainer

PROGRAM = "python -m bpe_core"
WRONG_USE = 2
ENDED_BY_SIGINT = 130  # what a shell reports for Ctrl-C
ENDED_BY_SIGPIPE = 141  # and for a reader such as head that has had enough


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say (``sys.argv`` by default) and return the exit code."""
    try:
        with suppress(SystemExit):  # argparse leaves like this after --help
            options = _parser().parse_args(argv)
            options.run(options)
        sys.stdout.flush()
    except _WrongUseError as error:
        say(str(error))
        return WRONG_USE
    except BPEError as error:
        say(f"{PROGRAM}: {error}")
        return WRONG_USE
    except KeyboardInterrupt:
        return ENDED_BY_SIGINT
    except BrokenPipeError:
        terminal.abandon_output()
        return ENDED_BY_SIGPIPE
    except OSError as error:  # a full disk, for instance
        terminal.abandon_output()
        say(f"{PROGRAM}: the result cannot be written: {error.strerror or error}.")
        return 1
    return 0


# ------------------------------------------------------------------------------------------- options


class _WrongUseError(Exception):
    """The arguments do not make sense; the message is the line to print."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise _WrongUseError(f"{self.prog}: {message} (see --help)")


def _parser() -> _Parser:
    parser = _Parser(prog=PROGRAM, description="Byte-pair encoding, one merge at a time.", allow_abbrev=False)
    commands = parser.add_subparsers(metavar="train | encode | decode | measure", required=True)

    train = _command(commands, "train", _train, "learn merges from a text or from word counts")
    _add_corpus(train)
    train.add_argument(
        "--save",
        metavar="PATH",
        help="save the model: tokenizer.json, *.tiktoken, *.csv and merges.txt are written in those formats, "
        "any other name in our own JSON",
    )
    output = train.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object")
    output.add_argument("--csv", action="store_true", help="print the steps as CSV, safe in a spreadsheet")

    encode = _command(commands, "encode", _encode, "split a text into tokens")
    _add_model(encode)
    _add_text(encode)
    encode.add_argument("--json", action="store_true", help="print one JSON object")
    encode.add_argument("--trace", action="store_true", help="also show every merge that changed something")

    decode = _command(commands, "decode", _decode, "turn token ids back into text")
    _add_model(decode)
    decode.add_argument("ids", metavar="ID", nargs="+", type=_token_id, help="token ids, in order")

    measures = _command(commands, "measure", _measure, "sizes, entropy, description length and more")
    _add_corpus(measures)
    measures.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    run: Callable[[argparse.Namespace], None],
    what: str,
) -> _Parser:
    description = f"{what[0].upper()}{what[1:]}."
    parser = commands.add_parser(name, help=what, description=description, allow_abbrev=False)
    parser.set_defaults(run=run)
    return parser


def _add_text(parser: _Parser) -> None:
    parser.add_argument(
        "text", metavar="TEXT", nargs="?", help="the text itself (after -- if it starts with -)"
    )
    parser.add_argument("--file", metavar="PATH", help="a UTF-8 text file, or - for standard input")


def _add_corpus(parser: _Parser) -> None:
    _add_text(parser)
    parser.add_argument(
        "--word-counts", metavar="PATH", help="a table of words and counts (TSV, CSV, uniq -c), or -"
    )
    parser.add_argument(
        "--merges", metavar="K", type=_whole_number, help="make at most K merges (default: all there are)"
    )
    parser.add_argument("--pre-tokenizer", choices=[p.value for p in PreTokenizer], default="article")
    parser.add_argument("--unit", choices=[u.value for u in Unit], default="char")
    parser.add_argument("--ties", choices=[t.value for t in TieRule], default="first-seen")
    parser.add_argument(
        "--min-count",
        metavar="N",
        type=_whole_number,
        help="a pair must count at least N (default: 1, with word-end 2)",
    )


def _add_model(parser: _Parser) -> None:
    parser.add_argument(
        "--model", metavar="PATH|o200k", required=True, help="a saved model, or o200k for GPT-4o's"
    )


def _whole_number(text: str) -> int:
    # int() would also take ٣, 1_000 and blanks around.
    if not re.fullmatch("[0-9]{1,12}", text):
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number")
    return int(text)


def _token_id(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,12}", text):
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a token id")
    return int(text)


# --------------------------------------------------------------------------------------------- input


def _check_one_source(options: argparse.Namespace) -> None:
    sources = {"TEXT": "text", "--file PATH": "file", "--word-counts PATH": "word_counts"}
    possible = [name for name, key in sources.items() if hasattr(options, key)]
    given = [name for name in possible if getattr(options, sources[name]) is not None]
    if len(given) != 1:
        found = f", not {' and '.join(given)}" if given else ""
        raise _WrongUseError(f"{PROGRAM}: give one of {', '.join(possible)}{found} (see --help)")


def _read_file(path: str) -> CleanText:
    """A file's text through the door, or standard input's for ``-``."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read(FILE_LIMIT + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(FILE_LIMIT + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TextError(f"{shown(path)} cannot be read: {reason}.") from None
    name = "standard input" if path == "-" else path
    if len(data) > FILE_LIMIT:
        raise TextError(f"{shown(name)} is larger than {FILE_LIMIT:,} bytes, the most that can be opened.")
    return decode_file(data, name)


def _noticed(clean: CleanText) -> str:
    """The text; what the door changed is said on standard error."""
    for notice in clean.notices:
        say(f"Note: {notice.sentence}")
    return clean.text


def _text(options: argparse.Namespace) -> str:
    return _noticed(_read_file(options.file) if options.text is None else clean_text(options.text))


def _trained(options: argparse.Namespace) -> tuple[Trainer, StopReason]:
    """The training that the options ask for, and why it stopped."""
    _check_one_source(options)
    pre_tokenizer = PreTokenizer(options.pre_tokenizer)
    if options.word_counts is not None:
        pairs = parse_word_counts(_noticed(_read_file(options.word_counts)))
        corpus = Corpus.from_word_counts(pairs, pre_tokenizer)
    else:
        text = _text(options)
        with Progress("characters counted") as progress:
            corpus = Corpus.from_text(text, pre_tokenizer, progress)
    if corpus.dropped is not None and corpus.dropped.characters:
        say(f"Note: {corpus.dropped.sentence}")
    trainer = Trainer(corpus, Unit(options.unit), TieRule(options.ties), options.min_count)
    with Progress("merges learned") as progress:
        trainer.train_to(options.merges, progress)
    return trainer, trainer.stop or StopReason.MERGE_LIMIT


def _model(options: argparse.Namespace) -> Tokenizer:
    if options.model == "o200k":
        from . import o200k

        return o200k.tokenizer()
    model = load(options.model)
    for notice in model.notices:
        say(f"Note: {notice}")
    return model.tokenizer


# ------------------------------------------------------------------------------------------ commands


def _train(options: argparse.Namespace) -> None:
    trainer, stop = _trained(options)
    if options.save is not None:
        for path in save(options.save, trainer):
            say(f"Saved {shown(str(path), 200)}.")
    if options.csv:
        write_data(export_model(trainer, ModelFormat.STEPS_CSV)[0].data)
    elif options.json:
        write_json(_training_as_json(trainer, stop))
    else:
        start = ("0", *[""] * 6, number(trainer.initial_length), number(trainer.initial_vocabulary_size))
        rows: list[Sequence[str]] = [start]
        for step in trainer.steps:
            names = [shown_token(trainer.token(id)) for id in (*step.pair, step.token)]
            counts = (step.count, step.tied, step.replacements, step.corpus_length, step.vocabulary_size)
            rows.append((number(step.index), *names, *map(number, counts)))
        headings = ("merge", "left", "right", "token", "count", "tied", "replacements", "L", "V")
        write(table(headings, rows, left={1, 2, 3}))
        write(f"{stop.sentence}\n")


def _training_as_json(trainer: Trainer, stop: StopReason) -> dict[str, object]:
    def notation(id: int) -> str:
        return trainer.token(id).notation

    return {
        "start": {
            "corpus_length": trainer.initial_length,
            "vocabulary_size": trainer.initial_vocabulary_size,
        },
        "steps": [
            {
                "merge": step.index,
                "pair": [notation(id) for id in step.pair],
                "token": notation(step.token),
                "count": step.count,
                "tied": step.tied,
                "replacements": step.replacements,
                "corpus_length": step.corpus_length,
                "vocabulary_size": step.vocabulary_size,
            }
            for step in trainer.steps
        ],
        "stop": stop.value,
    }


def _encode(options: argparse.Namespace) -> None:
    _check_one_source(options)
    text = _text(options)
    tokenizer = _model(options)
    tokens = tokenizer.tokenize(text)
    if options.json:
        result: dict[str, object] = {
            "tokens": [token.notation for token in tokens],
            "ids": [token.id for token in tokens],  # null for a unit that training never saw
        }
        if options.trace:
            result["stages"] = [_stage(tokenizer, stage) for stage in tokenizer.trace(text).stages]
            result["boundaries"] = [_boundary(found) for found in tokenizer.boundaries(text)]
        write_json(result)
        return
    rows = [(shown_token(token), str(token.id) if token.known else "never seen") for token in tokens]
    write(table(("token", "id"), rows, left={0}))
    ratio = f": {len(text) / len(tokens):.2f} characters per token" if tokens else ""
    write(f"{_counted(len(text), 'character')}, {_counted(len(tokens), 'token')}{ratio}.\n")
    if options.trace:
        _write_trace(tokenizer, text)


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _stage(tokenizer: Tokenizer, stage: Stage) -> dict[str, object]:
    """A stage of a trace for JSON; stage 0 is the start, which has no merge."""

    def notation(id: int | None) -> str | None:
        return None if id is None else tokenizer.token(id).notation

    return {
        tokenizer.numbering.value: stage.number if stage.index else None,
        "pair": None if stage.left is None else [notation(stage.left), notation(stage.right)],
        "token": notation(stage.token),
        "replacements": stage.replacements,
        "words": [[notation(id) for id in word] for word in stage.words],
    }


def _boundary(boundary: Boundary) -> dict[str, object]:
    return {
        "index": boundary.index,
        "left": boundary.left.notation,
        "right": boundary.right.notation,
        "reason": boundary.reason.value,
        "sentence": boundary.sentence,
    }


def _write_trace(tokenizer: Tokenizer, text: str) -> None:
    trace = tokenizer.trace(text)
    rows = []
    for stage in trace.stages:
        # One space between tokens, three between words: labels hold none.
        words = [" ".join(shown_token(tokenizer.token(id)) for id in word) for word in stage.words]
        merge = (str(stage.number), number(stage.replacements)) if stage.index else ("start", "")
        rows.append((*merge, number(stage.length), "   ".join(words)))
    kind = tokenizer.numbering.value
    write("\n" + table((kind, "replacements", "tokens", "the text after it"), rows, left={3}))
    write(f"{_counted(trace.unchanged, kind)} changed nothing.\n")
    inside = [found for found in tokenizer.boundaries(text) if found.reason is not Reason.WALL]
    if inside:
        reasons = [(shown_token(found.left), shown_token(found.right), found.sentence) for found in inside]
        write("\n" + table(("left", "right", "why these two did not merge"), reasons, left={0, 1, 2}))


def _decode(options: argparse.Namespace) -> None:
    decoded = _model(options).decode_checked(options.ids)
    write_data(f"{decoded.text}\n".encode())
    if not decoded.valid:
        say(f"Not valid UTF-8: {decoded.replaced:,} × U+FFFD stands for bytes that make no character.")


#: Columns of the table by k; the figures of a merge stand in the row of the state it led to.
_BY_K = {
    "L": "corpus_length_by_k",
    "V": "vocabulary_size_by_k",
    "bits, final width": "two_part_final_width",
    "bits, width in force": "two_part_width_in_force",
    "bits per token": "token_entropy_by_k",
    "bits per character": "bits_per_character_by_k",
}
_BY_MERGE = {"PMI": "pmi", "count × PMI": "count_times_pmi", "bits saved": "fixed_width_saving"}


def _measure(options: argparse.Namespace) -> None:
    trainer, _ = _trained(options)
    figures: Mapping[str, Any] = measure(trainer)
    if options.json:
        write_json(figures)
        return
    single = [(name, value) for name, value in figures.items() if not isinstance(value, list | dict)]
    rows = [
        (name.replace("_", " "), value if isinstance(value, str) else number(value)) for name, value in single
    ]
    write(table(("figure", "value"), rows, left={0}))
    for name, value in figures.items():
        # Of a distribution only what occurs; the JSON has the gaps too.
        parts = [(_part(key), number(n)) for key, n in value.items() if n] if isinstance(value, dict) else []
        if parts:
            write("\n" + table((name.replace("_", " "), ""), parts, left={0}))
    code = [
        (text_label(w["character"]).plain, number(w["count"]), w["code"]) for w in figures["huffman_code"]
    ]
    if code:
        write("\n" + table(("character", "count", "Huffman code"), code, left={0, 2}))
    columns = [figures[name] for name in _BY_K.values()]
    columns += [[None, *figures[name]] for name in _BY_MERGE.values()]
    by_k = []
    for k, values in enumerate(zip(*columns, strict=True)):
        cells = [number(value) for value in values]
        by_k.append((number(k), *(cells if k else [*cells[: len(_BY_K)], *[""] * len(_BY_MERGE)])))
    write("\n" + table(("k", *_BY_K, *_BY_MERGE), by_k))


def _part(key: str | int) -> str:
    return text_label(key).plain if isinstance(key, str) else number(key)


if __name__ == "__main__":
    sys.exit(main())
