"""The same output whatever the hash seed: no tie is ever decided by the order of a set or a dict."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from bpe_core.alphabet import Unit
from bpe_core.training import TieRule

ROOT = Path(__file__).resolve().parent.parent

# huggingface/tokenizers#1794: many ties at every step. The other texts have ties among words and scripts.
TEXTS = [
    "DCBBABCDCBABCD",
    "the café baker bakes cakes, the café bakes soufflé",
    "зима лето שלום नमस्ते 我爱北京 👍🏽 zxy yxz xyz zyx",
]

# One process per seed does it all; starting Python is what takes time.
PROGRAM = """
import json, sys
from bpe_core.__main__ import main
from bpe_core.corpus import Corpus
from bpe_core.interchange import ModelFormat, export_model
from bpe_core.training import Choice, Trainer
commands, texts = json.loads(sys.argv[1])
for command in commands:
    assert main(command) == 0
for text in texts:
    for choice in Choice:
        trainer = Trainer(Corpus.from_text(text), choice=choice, seed=7)
        trainer.train_to()
        print(trainer.steps, trainer.ranked_pairs(1), trainer.tied_pairs(1), trainer.token_counts(2))
        for format in (ModelFormat.STEPS_JSON, ModelFormat.STEPS_CSV, ModelFormat.HUGGING_FACE):
            print([file.data for file in export_model(trainer, format)])
"""


@pytest.fixture(scope="module")
def outputs() -> list[bytes]:
    """Standard output under five hash seeds."""
    commands = [
        [command, text, "--pre-tokenizer", pre, "--unit", unit.value, "--ties", ties.value, "--json"]
        for command, text, pre, unit, ties in product(
            ("train", "measure"), TEXTS, ("article", "none", "word-end"), Unit, TieRule
        )
    ]
    given = json.dumps([commands, TEXTS])
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, given],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for seed in (0, 1, 2, 42, 4_294_967_295)
    ]
    found = []
    for process in running:
        out, errors = process.communicate()
        assert process.returncode == 0, errors.decode()
        found.append(out)
    return found


def test_output_is_the_same_byte_for_byte(outputs: list[bytes]) -> None:
    assert len(outputs) == 5
    assert set(outputs) == {outputs[0]}


def test_there_were_ties_to_get_wrong(outputs: list[bytes]) -> None:
    lines = outputs[0].splitlines()
    trainings = [json.loads(line) for line in lines if line.startswith(b'{"start"')]
    assert len(trainings) == 3 * 3 * 2 * 3
    assert sum(step["tied"] > 1 for training in trainings for step in training["steps"]) > 300
