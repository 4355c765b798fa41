"""How fast the core trains and encodes, as ratios against named peers in one run.

    python benchmarks/bench.py --text PATH [--rounds 3] [--quick]

Every contender runs in a process of its own, one after another, round by round, so that all meet the same
machine; the best round of each counts. Times are of the work alone (reading the file, importing and turning
models into each other's formats stay outside); memory is the peak of the whole process. PATH is a text file,
plain or gzip/dictzip, of at least 10 MB for the full run.

Not here: the figures for the README, which a person copies from a quiet machine.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.encoding import Tokenizer
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Trainer

SIZES = {"1 MB": (1_000_000, 500), "10 MB": (10_000_000, 4_000)}
ENCODE_MERGES = 4_000


def cut_texts(path: Path, folder: Path) -> None:
    """Write the first bytes of the file's prose to ``folder``, one file for each size in ``SIZES``.

    Starts 2 MB in where the file is long enough, since a dictionary's preface is not its prose.
    """
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    for size, _ in SIZES.values():
        start = max(0, min(2_000_000, len(data) - size))
        text = data[start : start + size].decode("utf-8", "ignore")
        (folder / str(size)).write_text(text, encoding="utf-8", newline="")


def clocked(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds that ``work`` takes, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


# ------------------------------------------------------------------------------ training


def ours(unit: Unit, pre_tokenizer: PreTokenizer) -> Callable[[str, int], float]:
    """Our trainer: words counted, K merges learned with ties counted."""

    def train(text: str, merges: int) -> float:
        def work() -> Trainer:
            trainer = Trainer(Corpus.from_text(text, pre_tokenizer), unit)
            trainer.train_to(merges)
            return trainer

        seconds, trainer = clocked(work)
        assert len(trainer.steps) == merges
        return seconds

    return train


def huggingface(byte_level: bool, by_line: bool = True) -> Callable[[str, int], float]:
    """``tokenizers``' trainer with GPT-2's byte level, or with the article's pattern on characters.

    It gets the text line by line, as its documentation does and as suits it best, or in one piece, as ours.
    """

    def train(text: str, merges: int) -> float:
        from tokenizers import Regex, models, pre_tokenizers, trainers
        from tokenizers import Tokenizer as Peer

        peer = Peer(models.BPE())
        if byte_level:
            peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            alphabet = pre_tokenizers.ByteLevel.alphabet()
            base = 256
        else:
            peer.pre_tokenizer = pre_tokenizers.Split(Regex(r" ?\w+|[^\w\s]"), "removed", invert=True)
            alphabet = []
            base = len({c for c in text if not c.isspace()} | {" "})
        trainer = trainers.BpeTrainer(
            vocab_size=base + merges, initial_alphabet=alphabet, show_progress=False
        )
        lines = text.splitlines(keepends=True) if by_line else [text]
        seconds, _ = clocked(lambda: peer.train_from_iterator(lines, trainer))
        assert peer.get_vocab_size() >= base + merges - 2
        return seconds

    return train


def subword_nmt(text: str, merges: int) -> float:
    """``subword-nmt``'s learn_bpe: characters, words split at white space, an end-of-word mark."""
    from subword_nmt.learn_bpe import learn_bpe

    with redirect_stderr(io.StringIO()):
        seconds, _ = clocked(lambda: learn_bpe(io.StringIO(text), io.StringIO(), merges, 2))
    return seconds


def rustbpe(text: str, merges: int) -> float:
    """``rustbpe``: bytes, with the cl100k pattern."""
    import rustbpe as peer

    tokenizer = peer.Tokenizer()
    lines = text.splitlines(keepends=True)
    seconds, _ = clocked(
        lambda: tokenizer.train_from_iterator(
            iter(lines), vocab_size=256 + merges, pattern=PreTokenizer.CL100K.pattern.replace(r"\Z", "$")
        )
    )
    return seconds


TRAINERS: dict[str, Callable[[str, int], float]] = {
    "ours, bytes, gpt2": ours(Unit.BYTE, PreTokenizer.GPT2),
    "tokenizers, bytes, gpt2": huggingface(byte_level=True),
    "tokenizers, bytes, gpt2, one piece": huggingface(byte_level=True, by_line=False),
    "ours, bytes, cl100k": ours(Unit.BYTE, PreTokenizer.CL100K),
    "rustbpe, bytes, cl100k": rustbpe,
    "ours, characters, article": ours(Unit.CHAR, PreTokenizer.ARTICLE),
    "tokenizers, characters, article": huggingface(byte_level=False),
    "tokenizers, characters, article, one piece": huggingface(byte_level=False, by_line=False),
    "ours, characters, word-end": ours(Unit.CHAR, PreTokenizer.WORD_END),
    "subword-nmt, characters, word-end": subword_nmt,
}
TRAIN_RATIOS = [
    ("ours, bytes, gpt2", "tokenizers, bytes, gpt2"),
    ("ours, bytes, gpt2", "tokenizers, bytes, gpt2, one piece"),
    ("ours, characters, article", "tokenizers, characters, article"),
    ("ours, characters, article", "tokenizers, characters, article, one piece"),
    ("ours, characters, word-end", "subword-nmt, characters, word-end"),
    ("ours, bytes, cl100k", "rustbpe, bytes, cl100k"),
]

# ------------------------------------------------------------------------------ encoding


def encode_ours(text: str, model: Path) -> dict[str, float]:
    """Our encoder: with an empty word cache, then with a warm one."""
    tokenizer = _load(model)
    cold, ids = clocked(lambda: tokenizer.encode(text))
    warm, again = clocked(lambda: tokenizer.encode(text))
    assert ids == again
    return {"ours, cold": cold, "ours, warm": warm, "tokens": len(ids)}


def encode_tiktoken(text: str, model: Path) -> dict[str, float]:
    """``tiktoken`` with our ranks; its first call warms it."""
    import tiktoken

    tokenizer = _load(model)
    ranks = {tokenizer.token(id).data: id for id in tokenizer.ids()}
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
    peer = tiktoken.Encoding("bench", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    peer.encode_ordinary(text[:1000])
    seconds, ids = clocked(lambda: peer.encode_ordinary(text))
    return {"tiktoken": seconds, "tokens": len(ids)}


def encode_huggingface(text: str, model: Path) -> dict[str, float]:
    """``tokenizers`` with our merges, the whole text in one call as ours."""
    from tokenizers import Tokenizer as Peer
    from tokenizers import models, pre_tokenizers

    from bpe_core.display import BYTE_TO_PRINTABLE

    tokenizer = _load(model)
    spelled = {id: "".join(BYTE_TO_PRINTABLE[b] for b in tokenizer.token(id).data) for id in tokenizer.ids()}
    merges = [(spelled[left], spelled[right]) for left, right, _ in tokenizer.merges]
    peer = Peer(models.BPE(vocab={text: id for id, text in spelled.items()}, merges=merges))
    peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    peer.encode(text[:1000])
    cold, found = clocked(lambda: peer.encode(text))
    warm, _ = clocked(lambda: peer.encode(text))
    return {"tokenizers": min(cold, warm), "tokens": len(found.ids)}


ENCODERS = {"ours": encode_ours, "tiktoken": encode_tiktoken, "tokenizers": encode_huggingface}


def _load(model: Path) -> Tokenizer:
    from bpe_core.alphabet import Alphabet

    merges = [tuple(merge) for merge in json.loads(model.read_text())]
    return Tokenizer(Alphabet(Unit.BYTE), merges, PreTokenizer.GPT2)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------ the run


def child(arguments: list[str]) -> dict[str, float]:
    """Run one contender in a process of its own."""
    run = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    answer: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return answer


def run_child(options: argparse.Namespace) -> None:
    """What a child process does: one contender, once; prints its figures as JSON."""
    if options.child == "cut":
        cut_texts(options.text, options.model)
        print("{}")
        return
    text = (options.text / str(options.size)).read_text(encoding="utf-8")
    if options.child == "train":
        figures = {"seconds": TRAINERS[options.name](text, options.merges)}
    elif options.child == "model":
        trainer = Trainer(Corpus.from_text(text, PreTokenizer.GPT2), Unit.BYTE)
        trainer.train_to(options.merges)
        options.model.write_text(json.dumps([(*step.pair, step.token) for step in trainer.steps]))
        figures = {}
    elif options.child == "step":
        trainer = Trainer(Corpus.from_text(text), Unit.CHAR)
        trainer.step()
        times = [clocked(trainer.step)[0] for _ in range(options.merges)]
        figures = {"median": statistics.median(times), "most": sorted(times)[len(times) * 99 // 100]}
    else:
        figures = ENCODERS[options.name](text, options.model)
    figures["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(figures))


def report_training(options: argparse.Namespace) -> None:
    """Train every contender on each size and print seconds, memory and ratios."""
    for label, (size, merges) in SIZES.items():
        if options.quick and label != "1 MB":
            continue
        best: dict[str, float] = {}
        memory: dict[str, float] = {}
        for round_number in range(options.rounds):
            for name in TRAINERS:
                if round_number and best[name] > 60:
                    continue  # once is enough for what takes minutes
                arguments = ["--child", "train", "--name", name, "--size", str(size), "--merges", str(merges)]
                got = child([*arguments, "--text", str(options.text)])
                best[name] = min(best.get(name, got["seconds"]), got["seconds"])
                memory[name] = max(memory.get(name, 0), got["memory"])
        print(f"\nTraining, {label}, {merges:,} merges (best of {options.rounds})")
        for name, seconds in best.items():
            print(f"  {name:42} {seconds:8.2f} s   {memory[name]:6.0f} MB peak")
        for mine, peer in TRAIN_RATIOS:
            print(f"  {mine}: {best[peer] / best[mine]:.2f}× as fast as {peer}")


def report_encoding(options: argparse.Namespace) -> None:
    """Encode 1 MB with every contender and print seconds and ratios; all must give as many tokens."""
    size = 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "merges.json"
        common = ["--text", str(options.text), "--model", str(model)]
        train_size = size if options.quick else 10_000_000
        child(["--child", "model", "--size", str(train_size), "--merges", str(ENCODE_MERGES), *common])
        best: dict[str, float] = {}
        tokens: dict[str, float] = {}
        for _ in range(options.rounds):
            for name in ENCODERS:
                got = child(["--child", "encode", "--name", name, "--size", str(size), *common])
                got.pop("memory")
                tokens[name] = got.pop("tokens")
                for what, seconds in got.items():
                    best[what] = min(best.get(what, seconds), seconds)
    print(f"\nEncoding, 1 MB, {ENCODE_MERGES:,} merges, bytes, gpt2 (best of {options.rounds})")
    assert len(set(tokens.values())) == 1, tokens
    for what, seconds in best.items():
        print(f"  {what:36} {seconds:8.3f} s")
    for what in ("ours, warm", "ours, cold"):
        ratios = ", ".join(f"{best[peer] / best[what]:.2f}× {peer}" for peer in ("tokenizers", "tiktoken"))
        print(f"  {what}: {ratios}")


def report_steps(options: argparse.Namespace) -> None:
    """How long single steps take on 1 MB after the first."""
    got = child(["--child", "step", "--size", "1000000", "--merges", "500", "--text", str(options.text)])
    median, most = got["median"] * 1000, got["most"] * 1000
    print(f"\nOne step on 1 MB after the first, of 500: median {median:.2f} ms, 99 % under {most:.2f} ms")


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description="Compare our core with its peers in one run.")
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="1 MB only")
    for name, kind in (("child", str), ("name", str), ("size", int), ("merges", int), ("model", Path)):
        parser.add_argument(f"--{name}", type=kind, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        run_child(options)
        return
    with tempfile.TemporaryDirectory() as folder:
        # In a child too: a process inherits the peak memory of the one that started it.
        child(["--child", "cut", "--text", str(options.text), "--model", folder])
        options.text = Path(folder)
        report_steps(options)
        report_encoding(options)
        report_training(options)


if __name__ == "__main__":
    main()
