"""What may be asked for on the command line: commands, options, and the numbers they take.

Not here: doing what is asked (``__main__``).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from .alphabet import Unit
from .errors import shown
from .pretokenize import PreTokenizer
from .training import TieRule

PROGRAM = "python -m bpe_core"


class WrongUseError(Exception):
    """The arguments do not make sense; the message is the line to print."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise WrongUseError(f"{self.prog}: {message} (see --help)")


def parser(run: Mapping[str, Callable[[argparse.Namespace], None]]) -> argparse.ArgumentParser:
    """The parser of all commands; what ``run`` holds under a command's name becomes its options' ``run``."""
    whole = _Parser(prog=PROGRAM, description="Byte-pair encoding, one merge at a time.", allow_abbrev=False)
    commands = whole.add_subparsers(metavar="train | encode | decode | measure", required=True)

    train = _command(commands, "train", run["train"], "learn merges from a text or from word counts")
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

    encode = _command(commands, "encode", run["encode"], "split a text into tokens")
    _add_model(encode)
    _add_text(encode)
    encode.add_argument("--json", action="store_true", help="print one JSON object")
    encode.add_argument("--trace", action="store_true", help="also show every merge that changed something")

    decode = _command(commands, "decode", run["decode"], "turn token ids back into text")
    _add_model(decode)
    decode.add_argument("ids", metavar="ID", nargs="+", type=_token_id, help="token ids, in order")

    measures = _command(commands, "measure", run["measure"], "sizes, entropy, description length and more")
    _add_corpus(measures)
    measures.add_argument("--json", action="store_true", help="print one JSON object")
    return whole


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
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number of up to 12 digits")
    return int(text)


def _token_id(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,12}", text):
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a token id of up to 12 digits")
    return int(text)
