"""The command line: ``python -m bpe_core train | encode | decode | measure``.

Results go to standard output, as JSON or CSV for scripts or as aligned tables for people; notices, and
progress once something takes over a second, go to standard error. Wrong use and everything the core
refuses end in one line on standard error and exit code 2.

Not here: anything computed, what may be asked for (``options``), and how tables are laid out (``terminal``).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from . import terminal
from .alphabet import Unit
from .corpus import Corpus, parse_word_counts
from .display import text_label
from .encoding import Tokenizer
from .errors import BPEError, SettingError, TextError, shown
from .interchange import ModelFormat, export_model, load, save
from .interchange.records import step_figures
from .measures import measure
from .options import PROGRAM, WrongUseError, parser
from .pretokenize import PreTokenizer
from .terminal import Progress, number, say, shown_token, table, write, write_data, write_json
from .text import FILE_LIMIT, CleanText, clean_text, decode_file
from .trace import Boundary, Reason, Stage, Trace
from .training import StopReason, TieRule, Trainer

WRONG_USE = 2
ENDED_BY_SIGINT = 130  # what a shell reports for Ctrl-C
ENDED_BY_SIGPIPE = 141  # and for a reader such as head that has had enough

#: How many tokens a trace may write, all its stages together.
TRACE_LIMIT = 2_000_000


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say (``sys.argv`` by default) and return the exit code."""
    try:
        with suppress(SystemExit):  # argparse leaves like this after --help
            options = parser(_COMMANDS).parse_args(argv)
            options.run(options)
        sys.stdout.flush()
    except WrongUseError as error:
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


# --------------------------------------------------------------------------------------------- input


def _check_one_source(options: argparse.Namespace) -> None:
    sources = {"TEXT": "text", "--file PATH": "file", "--word-counts PATH": "word_counts"}
    possible = [name for name, key in sources.items() if hasattr(options, key)]
    given = [name for name in possible if getattr(options, sources[name]) is not None]
    if len(given) != 1:
        found = f", not {' and '.join(given)}" if given else ""
        raise WrongUseError(f"{PROGRAM}: give one of {', '.join(possible)}{found} (see --help)")


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
    with Progress("units counted") as progress:
        trainer = Trainer(
            corpus, Unit(options.unit), TieRule(options.ties), options.min_count, progress=progress
        )
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
                **step_figures(step),
            }
            for step in trainer.steps
        ],
        "stop": stop.value,
    }


def _encode(options: argparse.Namespace) -> None:
    _check_one_source(options)
    text = _text(options)
    tokenizer = _model(options)
    trace = _traced(tokenizer, text) if options.trace else None
    ids: list[int] = []
    with Progress("characters encoded") as progress:
        done = 0
        for piece in tokenizer.pre_tokenizer.pieces(text):
            ids += tokenizer.encode(piece)
            done += len(piece)
            progress(done, len(text))
    tokens = {id: tokenizer.token(id) for id in set(ids)}
    if options.json:
        names = {id: token.notation for id, token in tokens.items()}
        result: dict[str, object] = {
            "tokens": [names[id] for id in ids],
            "ids": [tokens[id].id for id in ids],  # null for a unit that training never saw
        }
        if trace is not None:
            result["stages"] = _stages(tokenizer, trace)
            result["boundaries"] = [_boundary(found) for found in tokenizer.boundaries(text)]
        write_json(result)
        return
    rows = {
        id: (shown_token(token), str(token.id) if token.known else "never seen")
        for id, token in tokens.items()
    }
    write(table(("token", "id"), [rows[id] for id in ids], left={0}))
    ratio = f": {len(text) / len(ids):.2f} characters per token" if ids else ""
    write(f"{_counted(len(text), 'character')}, {_counted(len(ids), 'token')}{ratio}.\n")
    if trace is not None:
        _write_trace(tokenizer, text, trace)


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _traced(tokenizer: Tokenizer, text: str) -> Trace:
    trace = tokenizer.trace(text)
    written = sum(stage.length for stage in trace.stages)
    if written > TRACE_LIMIT:
        raise SettingError(
            f"The trace would write {written:,} tokens, the whole text after each of "
            f"{len(trace.stages) - 1:,} merges; at most {TRACE_LIMIT:,} can be written. Give a shorter text."
        )
    return trace


def _stages(tokenizer: Tokenizer, trace: Trace) -> list[dict[str, object]]:
    """The stages of a trace for JSON; stage 0 is the start, which has no merge."""

    @cache
    def notation(id: int) -> str:
        return tokenizer.token(id).notation

    def stage_as_json(stage: Stage) -> dict[str, object]:
        pair = None if stage.left is None or stage.right is None else (stage.left, stage.right)
        return {
            tokenizer.numbering.value: stage.number if stage.index else None,
            "pair": None if pair is None else list(map(notation, pair)),
            "token": None if stage.token is None else notation(stage.token),
            "replacements": stage.replacements,
            "words": [list(map(notation, word)) for word in stage.words],
        }

    return list(map(stage_as_json, trace.stages))


def _boundary(boundary: Boundary) -> dict[str, object]:
    return {
        "index": boundary.index,
        "left": boundary.left.notation,
        "right": boundary.right.notation,
        "reason": boundary.reason.value,
        "sentence": boundary.sentence,
    }


def _write_trace(tokenizer: Tokenizer, text: str, trace: Trace) -> None:
    @cache
    def shown_id(id: int) -> str:
        return shown_token(tokenizer.token(id))

    rows = []
    for stage in trace.stages:
        # One space between tokens, three between words: labels hold none.
        words = [" ".join(map(shown_id, word)) for word in stage.words]
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


_COMMANDS = {"train": _train, "encode": _encode, "decode": _decode, "measure": _measure}


if __name__ == "__main__":
    sys.exit(main())
