"""Words to cut: new words for a merge list, made from the pieces of the corpus it was learned from.

The same corpus, merges and number give the same word everywhere, so a class that opens one link works on
the same words. Not here: judging the cuts (``cutting``), merge lists made from a seed (``made``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from bpe_core.encoding import Tokenizer

from .dice import Dice

#: Longest word that is made, in characters.
LONGEST = 10
#: Longest text that can be cut at all, in base units.
UNITS_LIMIT = 60
#: Draws for one word before a less telling one is taken.
ATTEMPTS = 80


def given_words(tokenizer: Tokenizer, text: str, words: Sequence[str]) -> list[str]:
    """The words of a text that are worth cutting: not in the corpus, neither tiny nor long.

    >>> from .inputs import REVIEW
    >>> trainer = REVIEW.trainer()
    >>> given_words(trainer.tokenizer(trainer.train_to(5)), "the maker baked cakes", trainer.corpus.words)
    [' maker', ' baked']
    """
    found = dict.fromkeys(tokenizer.pre_tokenizer.split(text[:2_000]))
    return [word for word in found if 3 <= len(word) <= LONGEST and word not in words]


def word_to_cut(
    tokenizer: Tokenizer, words: Sequence[str], number: int, seed: object = "", given: Sequence[str] = ()
) -> str | None:
    """Word ``number`` (from 0) for these merges: first the ``given`` ones, then made ones. None: no luck.

    A made word is one word to the pre-tokenizer and not in the corpus; where it can be, at least one merge
    applies and at least one cut stays.
    """
    if number < len(given):
        return given[number]
    less_telling = None
    for word in _made(Dice("cut", seed, number), words):
        if word in words or tokenizer.pre_tokenizer.split(word) != [word]:
            continue
        if 1 < len(tokenizer.encode_word(word)) < len(tokenizer.alphabet.ids_of(word)):
            return word
        less_telling = less_telling or word
    return less_telling


def _made(dice: Dice, words: Sequence[str]) -> Iterator[str]:
    """The start of a piece of one word and the end of a piece of another."""
    for _ in range(ATTEMPTS if words else 0):
        one, other = dice.pick(words)[:2_000], dice.pick(words)[:2_000]
        at = 0 if len(one) <= LONGEST else dice.below(len(one) - 1)
        start = one[at : at + dice.between(1, 6)]
        length = dice.between(1, 5)
        end_at = len(other) if len(other) <= LONGEST else dice.between(1, len(other))
        end = other[max(0, end_at - length) : end_at]
        word = start + end
        plain = unicodedata.is_normalized("NFC", word) and not unicodedata.combining(word[0])
        whole = 3 <= len(word) <= LONGEST and word == word.rstrip() and "\n" not in word
        if whole and plain and _script(start) == _script(end):
            yield word


def _script(piece: str) -> str:
    """The script of a piece's last letter, by its Unicode name: LATIN, HEBREW, … ("" when it has none)."""
    letters = [c for c in piece if c.isalpha()]
    return unicodedata.name(letters[-1], "").partition(" ")[0] if letters else ""
