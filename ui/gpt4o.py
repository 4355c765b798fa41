"""GPT-4o's vocabulary for the pages, and the same text under two vocabularies, as figures and sentences.

    real = vocabulary()                      this session's tokenizer; VocabularyFileError when there is none
    split_text(real, text)                   tokens word by word, with their counts
    split_words(real, corpus.words, counts)  the same for words given with counts

The tables (199,998 tokens) are shared by all sessions and never change. What a session has asked to encode is
cached in the session's own tokenizer only, so no text of one reader is held where another could meet it.

Not here: the vocabulary itself (``bpe_core.o200k``), drawing.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pandas as pd
import streamlit as st

from bpe_core import o200k
from bpe_core.alphabet import Token
from bpe_core.display import hex_bytes, label
from bpe_core.encoding import Tokenizer
from bpe_core.measures import ratio

from .figures import average, many
from .say import Part, strong, tok
from .tables import joined, to_csv
from .tiles import Facts

#: The two words the page compares: one met often in training, one hardly ever.
FREQUENT = " baker"
RARE = "unbakeable"

#: At most this many characters of a training text are split here.
TEXT_SHOWN = 50_000
#: Tiles drawn of each split, so that both can be seen together; the rest is counted.
TILES = 400
#: Rows of the table on the page; the download has them all.
ROWS = 300

_loading = threading.Lock()  # thirty readers arriving at once read the file once


def vocabulary() -> Tokenizer:
    """GPT-4o's tokenizer for this session: its word cache is its own, the tables are everyone's.

    The first call takes a fraction of a second and shows that it is at work. Raises VocabularyFileError when
    the file is missing or damaged; the next call tries again.
    """
    held: Tokenizer | None = st.session_state.get("gpt4o")
    if held is None:
        with st.spinner("Reading GPT-4o's vocabulary …"), _loading:
            held = st.session_state["gpt4o"] = o200k.tokenizer()
    return held


@dataclass(frozen=True, slots=True)
class Split:
    """A text as tokens, word by word. ``counts`` is given where each word stands for several.

    ``tokens`` counts all of them, repeats included, like ``characters``, ``unseen`` (without an id) and
    ``partial`` (not whole characters by themselves).
    """

    words: tuple[tuple[Token, ...], ...]
    counts: tuple[int, ...] | None
    characters: int
    tokens: int
    distinct: int
    unseen: int
    partial: int

    @property
    def characters_per_token(self) -> float | None:
        """None where there is no token."""
        return ratio(self.characters, self.tokens)

    @property
    def flat(self) -> list[Token]:
        """The tokens in the order the tiles count them."""
        return [token for word in self.words for token in word]


def split_text(tokenizer: Tokenizer, text: str) -> Split:
    """``text`` under ``tokenizer``. Characters are those of the text, dropped ones included."""
    return _encoded(tokenizer, tokenizer.pre_tokenizer.split(text), None, len(text))


def split_words(tokenizer: Tokenizer, words: Sequence[str], counts: Sequence[int]) -> Split:
    """Words with counts, each word split by itself as a text."""
    characters = sum(len(word) * count for word, count in zip(words, counts, strict=True))
    return _encoded(tokenizer, words, tuple(counts), characters)


def _encoded(
    tokenizer: Tokenizer, words: Sequence[str], counts: tuple[int, ...] | None, characters: int
) -> Split:
    """The words encoded; of fifty thousand tokens each different one is looked at once."""
    found: Counter[int] = Counter()
    split: list[Sequence[int]] = []
    for place, word in enumerate(words):
        ids = tokenizer.encode_word(word) if counts is None else tokenizer.encode(word)
        weight = 1 if counts is None else counts[place]
        split.append(ids)
        for id in ids:
            found[id] += weight
    token = {id: tokenizer.token(id) for id in found}
    unseen = sum(count for id, count in found.items() if not token[id].known)
    partial = sum(count for id, count in found.items() if token[id].text is None)
    drawn = tuple(tuple(map(token.__getitem__, ids)) for ids in split)
    return Split(drawn, counts, characters, found.total(), len(found), unseen, partial)


def _split(words: Sequence[Sequence[Token]], counts: tuple[int, ...] | None, characters: int) -> Split:
    weights = counts if counts is not None else (1,) * len(words)
    tokens = unseen = partial = 0
    for word, weight in zip(words, weights, strict=True):
        tokens += weight * len(word)
        unseen += weight * sum(not token.known for token in word)
        partial += weight * sum(token.text is None for token in word)
    distinct = len({(token.id, token.data) for word in words for token in word})
    return Split(tuple(map(tuple, words)), counts, characters, tokens, distinct, unseen, partial)


# --- in words -----------------------------------------------------------------------------------


def split_parts(split: Split) -> list[Part]:
    """``13 tokens, 11 different, 3.85 characters per token.``"""
    if not split.tokens:
        return [strong("no tokens"), "."]
    each = split.characters_per_token
    different = f", {split.distinct:,} of them different" if split.distinct < split.tokens else ""
    return [strong(many(split.tokens, "token")), different, f"; {average(each)} characters per token."]


def partial_parts(split: Split) -> list[Part]:
    """What tokens that are not whole characters mean; nothing where there are none."""
    if not split.partial:
        return []
    verb = "holds" if split.partial == 1 else "hold"
    return [
        f" {many(split.partial, 'token')} {verb} only part of a character: bytes that make sense together "
        "with a neighbour."
    ]


def made_parts(tokenizer: Tokenizer, token: Token) -> list[Part]:
    """Id, rank and parents of a real token, in sentences."""
    assert token.id is not None
    pair = tokenizer.parents(token.id)
    name: list[Part] = [tok(token), f" has id {token.id:,}, which is also its rank. "]
    if pair is None:
        return [*name, "It is one of the 256 bytes that every split starts from, so no merge makes it."]
    left, right = (tokenizer.token(id) for id in pair)
    later = tokenizer.vocabulary_size - 1 - token.id
    return [
        *name,
        "It joins ",
        tok(left),
        " and ",
        tok(right),
        f"; {token.id:,} tokens stand before it in the vocabulary and {later:,} after it.",
    ]


def why_parts(tokenizer: Tokenizer, frequent: Split, rare: Split) -> list[Part]:
    """Why a frequent word is one token and a rare one several, by the rules the vocabulary has and lacks."""
    whole, pieces = frequent.flat, rare.flat
    if len(whole) != 1 or whole[0].id is None:
        return []
    pairs = [
        (left, right) for left, right in pairwise(pieces) if left.id is not None and right.id is not None
    ]
    missing = [
        (left, right) for left, right in pairs if tokenizer.rank_of((left.id or 0, right.id or 0)) is None
    ]
    parts: list[Part] = [
        "Merges are earned by being frequent. ",
        tok(whole[0]),
        f" stood in the training text often enough for its letters to be joined to one token, at rank "
        f"{whole[0].id:,} of 199,998. ",
        tok(RARE),
        " hardly ever did: ",
    ]
    for place, (left, right) in enumerate(missing):
        parts += ["no merge joins " if not place else " or " if place == len(missing) - 1 else ", "]
        parts += [tok(left), " and ", tok(right)]
    return [
        *parts,
        f", so it stays in {len(pieces)} tokens. If that looks a little like a prefix, a stem and a suffix, "
        "it is by counts alone: merging knows no grammar.",
    ]


def facts(tokenizer: Tokenizer) -> Facts:
    """For the details card of a real token: its rank and what it joins."""

    def of(token: Token) -> list[tuple[str, str]]:
        if token.id is None:
            return []
        pair = tokenizer.parents(token.id)
        if pair is None:
            return [("rank", f"{token.id:,}"), ("made by", "no merge: a single byte")]
        left, right = (label(tokenizer.token(id), 24).plain for id in pair)
        return [("rank", f"{token.id:,}"), ("joins", joined(left, right))]

    return of


# --- as tables ----------------------------------------------------------------------------------


def _rows(split: Split) -> Iterable[tuple[int, str, int | None, int, str]]:
    for place, token in enumerate(split.flat, 1):
        yield place, label(token, 40).plain, token.id, len(token.data), hex_bytes(token)


def table(split: Split) -> pd.DataFrame:
    """The first tokens with ids and bytes, in order."""
    rows = [
        (place, name, "none" if id is None else f"{id:,}", size, data if size <= 24 else f"{data[:71]} …")
        for place, name, id, size, data in _rows(_first(split, ROWS))
    ]
    return pd.DataFrame(rows, columns=["place", "token", "id", "bytes", "bytes in hex"])


def csv(split: Split) -> str:
    """Every token with its id and bytes."""
    return to_csv(["place", "token", "id", "bytes", "bytes_hex"], _rows(split))


def ids(split: Split, limit: int | None = None) -> str:
    """The ids with commas between them; ``?`` where a token has none."""
    return ", ".join("?" if token.id is None else str(token.id) for token in split.flat[:limit])


def _first(split: Split, tokens: int) -> Split:
    words, room = [], tokens
    for word in split.words:
        if room <= 0:
            break
        words.append(word[:room])
        room -= len(word)
    return _split(words, None, split.characters)


def longest(split: Split) -> int | None:
    """The flat index of the drawn token with the most bytes, the first of several."""
    drawn = split.flat[:TILES]
    return max(range(len(drawn)), key=lambda flat: len(drawn[flat].data), default=None)
