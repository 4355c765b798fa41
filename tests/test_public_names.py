"""What ``import bpe_core`` gives: the public names, the words they use, and nothing heavy."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import bpe_core

ROOT = Path(__file__).resolve().parent.parent


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    assert len(set(bpe_core.__all__)) == len(bpe_core.__all__)
    for name in bpe_core.__all__:
        assert inspect.getdoc(getattr(bpe_core, name)), name


def test_nothing_public_is_left_out() -> None:
    imported = {
        name
        for name, value in vars(bpe_core).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert imported == set(bpe_core.__all__) - {"o200k"}
    classes = filter(inspect.isclass, vars(bpe_core.errors).values())
    errors = {e.__name__ for e in classes if issubclass(e, bpe_core.BPEError)}
    assert len(errors) == 9
    assert errors <= set(bpe_core.__all__)


def test_the_words_are_defined_once() -> None:
    text = bpe_core.__doc__ or ""
    defined = re.findall(r"^ {4}(\w+) {2,}\S", text, re.MULTILINE)
    assert defined == [
        "corpus", "word", "unit", "token", "pair", "count", "merge", "replacement",
        "rank", "k", "V", "L", "tie", "stop",
    ]  # fmt: skip


def test_importing_reads_no_vocabulary_and_nothing_from_outside_but_regex() -> None:
    program = (
        "import sys, bpe_core; from bpe_core import o200k;"
        "print(o200k.tokens.cache_info().currsize);"
        "print(*{name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names))"
    )
    # -S -E: nothing but what bpe_core itself imports, so regex is put on the path by hand.
    site = str(Path(inspect.getfile(__import__("regex"))).parent.parent)
    command = [sys.executable, "-S", "-E", "-c", f"import sys; sys.path.append({site!r}); {program}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded, outside = done.stdout.splitlines()
    assert loaded == "0"
    assert set(outside.split()) <= {"bpe_core", "regex", "_regex", "__main__", "__mp_main__"}
