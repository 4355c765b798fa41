"""The ways of cutting a text that the Compare page lays side by side, from the learner's corpus.

    take(lab, trainer)                      the lab's own merges are one of the ways
    if not trained(lab, k): train(lab, k)   a large corpus is trained in all the others only when asked
    found = readings(lab, k, text)          one Way each: words, characters, bytes, pre-tokenizers, tie rules

Only the merge lists are kept, not the trainers. Not here: what a reading is (``bpe_core.ways``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.encoding import Tokenizer
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule, Trainer
from bpe_core.ways import Reading, by_bytes, by_characters, by_merges, by_words

from . import lab as labs
from .figures import many
from .links import Lab
from .remembered import remembered
from .say import Part, strong, tok
from .train_words import PRE_NAMES, TIE_NAMES

#: Merge lists that a session keeps.
_KEPT = 18
#: Unknown tokens that are named.
NAMED = 10


@dataclass(frozen=True, slots=True)
class Way:
    """One way of cutting: a short name for the table, what it is, and how it reads the text.

    ``merges`` is how many merges it made, None where there are none by nature. ``own``: it is what the
    lab is set to.
    """

    key: str
    group: str
    name: str
    about: str
    reading: Reading
    merges: int | None = None
    own: bool = False


@dataclass(frozen=True, slots=True)
class _Learned:
    tokenizer: Tokenizer
    known: int
    finished: bool


def variants(lab: Lab) -> list[Lab]:
    """The lab with every pre-tokenizer, then with every other tie rule.

    As on the Train page, a pre-tokenizer brings its own minimum count.
    """
    cuts = [
        lab
        if pre is lab.pre_tokenizer
        else replace(lab, pre_tokenizer=pre, min_count=labs.default_min_count(pre))
        for pre in PreTokenizer
    ]
    return cuts + [replace(lab, ties=ties) for ties in TieRule if ties is not lab.ties]


def is_small(lab: Lab) -> bool:
    """Whether the corpus is trained in every way without asking."""
    if lab.word_counts is not None:
        return sum(len(word) for word, _ in lab.word_counts) <= labs.SMALL_CORPUS
    return len(lab.text or "") <= labs.SMALL_CORPUS


def _cache() -> OrderedDict[tuple[object, ...], _Learned]:
    cache: OrderedDict[tuple[object, ...], _Learned] = st.session_state.setdefault(
        "compare_learned", OrderedDict()
    )
    return cache


def _held(variant: Lab, k: int) -> _Learned | None:
    """What is kept of this variant, if it goes far enough."""
    learned = _cache().get(variant.training_key)
    return learned if learned is not None and (learned.finished or learned.known >= k) else None


def take(lab: Lab, trainer: Trainer) -> None:
    """The lab's own training is one of the ways: take its merges as far as they are known."""
    cache = _cache()
    held = cache.get(lab.training_key)
    if held is None or held.known != len(trainer.steps):
        cache[lab.training_key] = _Learned(trainer.tokenizer(), len(trainer.steps), trainer.stop is not None)
    cache.move_to_end(lab.training_key)


def trained(lab: Lab, k: int) -> bool:
    """Whether every way is known up to k merges."""
    return all(_held(variant, k) is not None for variant in variants(lab))


def train(lab: Lab, k: int, progress: Callable[[float, str], None] | None = None) -> None:
    """Learn k merges in every way not known yet; ``progress`` is told the share done and what is next."""
    cache = _cache()
    todo = [variant for variant in variants(lab) if _held(variant, k) is None]
    wanted = (k // labs.CHUNK + 1) * labs.CHUNK  # a little more, so that moving k does not train again
    for place, variant in enumerate(todo):
        if progress is not None:
            progress(place / len(todo), f"{PRE_NAMES[variant.pre_tokenizer]}, {TIE_NAMES[variant.ties]}")
        trainer = Trainer(_corpus(variant), variant.unit, variant.ties, variant.min_count)
        trainer.train_to(wanted)
        take(variant, trainer)
    while len(cache) > _KEPT:
        cache.popitem(last=False)


def _corpus(lab: Lab) -> Corpus:
    if lab.word_counts is not None:
        return Corpus.from_word_counts(lab.word_counts, lab.pre_tokenizer)
    return Corpus.from_text(lab.text or "", lab.pre_tokenizer)


def _characters(lab: Lab) -> frozenset[str]:
    """Every character of the corpus, whether a pre-tokenizer drops it or not."""
    if lab.word_counts is not None:
        return frozenset(character for word, _ in lab.word_counts for character in word)
    return frozenset(lab.text or "")


# --- the readings ------------------------------------------------------------------------------

WITHOUT, CUTS, TIES = (
    "Without merges",
    "Byte-pair encoding, by pre-tokenizer",
    "Byte-pair encoding, by tie rule",
)


def readings(lab: Lab, k: int, text: str) -> list[Way]:
    """Every way that is known, with its reading of ``text``; those not trained yet are left out."""
    corpus = labs.corpus_for(lab)
    given = (lab.text, lab.word_counts)
    characters = remembered("compare_characters", given, lambda: _characters(lab))
    found = [
        Way(
            "words",
            WITHOUT,
            "words",
            f"the {many(len(corpus.words), 'distinct word')} of the corpus",
            remembered("compare_words", (*given, lab.pre_tokenizer, text), lambda: by_words(corpus, text)),
        ),
        Way(
            "characters",
            WITHOUT,
            "characters",
            f"the {many(len(characters), 'character')} of the corpus",
            remembered("compare_chars", (*given, text), lambda: by_characters(characters, text)),
        ),
        Way(
            "bytes",
            WITHOUT,
            "bytes",
            "all 256 bytes, whatever the corpus",
            remembered("compare_bytes", text, lambda: by_bytes(text)),
        ),
    ]
    for variant in variants(lab):
        learned = _held(variant, k)
        if learned is None:
            continue
        by_ties = variant.ties is not lab.ties
        own = variant.training_key == lab.training_key
        name = f"ties: {TIE_NAMES[variant.ties]}" if by_ties else PRE_NAMES[variant.pre_tokenizer]
        merges = min(k, learned.known)
        way = f"{variant.pre_tokenizer.value}_{variant.ties.value}"
        reading = remembered(
            f"compare_{way}",
            (variant.training_key, merges, text),
            lambda learned=learned, merges=merges: by_merges(learned.tokenizer.at(merges), text),
        )
        about = many(merges, "merge")
        if variant.min_count > 1:
            about += f" of pairs that occur at least {variant.min_count:,} times"
        if merges < k:
            about += ", then none was left"
        found.append(Way(way, TIES if by_ties else CUTS, name, about, reading, merges, own))
    return found


def table(ways: Sequence[Way]) -> pd.DataFrame:
    """The whole picture, a row a way."""
    return pd.DataFrame(
        {
            "way": [
                (way.name if way.merges is None else f"BPE, {way.name}") + (" (your lab)" if way.own else "")
                for way in ways
            ],
            "tokens": [way.reading.tokens for way in ways],
            "per_token": pd.array([way.reading.characters_per_token for way in ways], "Float64"),
            "vocabulary": [way.reading.vocabulary_size for way in ways],
            "unknown": [way.reading.unknown for way in ways],
            "dropped": [way.reading.dropped.characters for way in ways],
            "whole": [comes_back(way.reading) for way in ways],
            "merges": [way.merges or 0 for way in ways],
        }
    )


def comes_back(reading: Reading) -> str:
    """Whether decoding gives the text back, and if not, why.

    >>> comes_back(by_bytes("é")), comes_back(by_characters("a", "b"))
    ('yes', 'no: unknown')
    """
    if reading.whole:
        return "yes"
    reasons = ["unknown"] if reading.unknown else []
    if not reading.dropped.reversible:
        reasons.append("white space lost")
    return "no: " + ", ".join(reasons)


def way_parts(way: Way) -> list[Part]:
    """One way in a sentence or two: its name, tokens, what it does not know and what it drops."""
    reading = way.reading
    parts: list[Part] = [strong(way.name), " (your lab): " if way.own else ": "]
    size = f"{reading.vocabulary_size:,}"
    parts.append(f"{many(reading.tokens, 'token')}, vocabulary {size} ({way.about}). ")
    if reading.unknown:
        parts += [strong(f"{reading.unknown:,} unknown"), ": "]
        unknown = {token.data: token for word in reading.words for token in word if not token.known}
        for place, token in enumerate(list(unknown.values())[:NAMED]):
            parts += [", " if place else "", tok(token)]
        parts.append(f" and {len(unknown) - NAMED:,} more. " if len(unknown) > NAMED else ". ")
    lost = reading.dropped
    if lost.characters and lost.reversible:
        parts.append(f"{many(lost.characters, 'space')} between words left out; decoding writes them back.")
    else:
        parts.append(lost.sentence)
    return parts


def cut_alike(ways: Sequence[Way]) -> bool:
    """Whether all these ways cut the text at the same places."""
    cuts = {tuple((t.data, t.ends_word) for word in way.reading.words for t in word) for way in ways}
    return len(cuts) <= 1


# --- two examples ------------------------------------------------------------------------------

LOW = "low lower lowest"
LOWLY = "lowly"
MACHINES = "a machine learns by learning and learning machines learn from machine to machine"
MACHINELEARNING = "machinelearning"


@dataclass(frozen=True, slots=True)
class LowExample:
    """``low lower lowest`` trained with or without the end marker, pairs at least twice, to the end."""

    trainer: Trainer
    text: Reading
    new: Reading
    decoded: str
    w_end: int | None  # count(w, ⟨end⟩) before any merge; None without the marker


def low_example(marker: bool) -> LowExample:
    """Train the example and read its text, and a new word, with what it learned."""
    pre = PreTokenizer.WORD_END if marker else PreTokenizer.WHITESPACE
    trainer = Trainer(Corpus.from_text(LOW, pre), min_count=2)
    trainer.train_to()
    tokenizer = trainer.tokenizer()
    end = trainer.alphabet.marker_id
    w = trainer.alphabet.ids_of("w")[0]
    return LowExample(
        trainer,
        by_merges(tokenizer, LOW),
        by_merges(tokenizer, LOWLY),
        tokenizer.decode(tokenizer.encode(LOW)),
        None if end is None else trainer.count((w, end), 0),
    )


def machine_example() -> list[Way]:
    """A word that was never met, read by words, characters, bytes, and by merges that go to the end."""
    lab = machine_lab()
    corpus = _corpus(lab)
    trainer = Trainer(corpus, lab.unit, lab.ties, lab.min_count)
    trainer.train_to()
    read = MACHINELEARNING
    words, characters = by_words(corpus, read), by_characters(MACHINES, read)
    return [
        Way("words", WITHOUT, "words", f"the {len(corpus.words)} distinct words of the corpus", words),
        Way("characters", WITHOUT, "characters", "the characters of the corpus", characters),
        Way("bytes", WITHOUT, "bytes", "all 256 bytes", by_bytes(read)),
        Way(
            "merges",
            CUTS,
            "subwords",
            f"characters and {many(len(trainer.steps), 'merge')}",
            by_merges(trainer.tokenizer(), read),
            len(trainer.steps),
        ),
    ]


def machine_lab() -> Lab:
    """The second example as a lab, for the Train page."""
    return Lab(
        None,
        MACHINES,
        None,
        Unit.CHAR,
        PreTokenizer.WORD_END,
        min_count=labs.default_min_count(PreTokenizer.WORD_END),
        new_text=MACHINELEARNING,
    )
