"""One text cut in different ways: by words, by characters, by bytes, or by a tokenizer's merges.

A vocabulary of whole words knows the words of its corpus and no other; one of characters knows the
characters of its corpus; one of bytes knows all 256. Each way answers the same questions, so that they can
stand in one table.

Not here: learning merges (``training``), drawing (the pages).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .alphabet import Alphabet, Token, Unit
from .corpus import Corpus
from .encoding import Tokenizer
from .measures import ratio
from .pretokenize import Dropped, PreTokenizer
from .text import utf8


@dataclass(frozen=True, slots=True)
class Reading:
    """How one vocabulary reads a text.

    ``words`` are its tokens, word by word. ``unknown`` counts the tokens that the vocabulary does not hold.
    ``vocabulary_size`` is by definition: 256 bytes count whether they are used or not. ``whole`` says
    whether decoding the ids gives the text back.
    """

    words: tuple[tuple[Token, ...], ...]
    vocabulary_size: int
    characters: int
    dropped: Dropped
    whole: bool

    @property
    def tokens(self) -> int:
        """How many tokens the text takes."""
        return sum(map(len, self.words))

    @property
    def unknown(self) -> int:
        """How many of them have no id."""
        return sum(1 for word in self.words for token in word if not token.known)

    @property
    def characters_per_token(self) -> float | None:
        """Characters of the text per token, dropped ones included; None when there is no token."""
        return ratio(self.characters, self.tokens)


def by_merges(tokenizer: Tokenizer, text: str) -> Reading:
    """The text as ``tokenizer`` cuts it.

    >>> from bpe_core.training import Trainer
    >>> trainer = Trainer(Corpus.from_text("low lower lowest", PreTokenizer.WORD_END))
    >>> merges = trainer.train_to()
    >>> reading = by_merges(trainer.tokenizer(), "low lowly")
    >>> [token.notation for word in reading.words for token in word], reading.unknown, reading.whole
    (['low', '</w>', 'low', 'l', 'y', '</w>'], 1, False)
    """
    ids = tokenizer.encode(text)
    known = all(id >= 0 for id in ids)
    return Reading(
        words=tuple(map(tuple, tokenizer.tokenize_words(text))),
        vocabulary_size=tokenizer.vocabulary_size,
        characters=len(text),
        dropped=tokenizer.pre_tokenizer.dropped(text),
        whole=known and tokenizer.decode(ids) == text,
    )


def by_words(corpus: Corpus, text: str) -> Reading:
    """The text with a vocabulary of whole words: those of ``corpus``, cut by its pre-tokenizer.

    >>> reading = by_words(Corpus.from_text("the café baker bakes"), "the baker baked")
    >>> [token.known for word in reading.words for token in word], reading.vocabulary_size
    ([True, True, False], 4)
    """
    ids = {word: id for id, word in enumerate(corpus.words)}
    words = corpus.pre_tokenizer.split(text)
    tokens = [Token(ids.get(word), utf8(word), Unit.CHAR) for word in words]
    dropped = corpus.pre_tokenizer.dropped(text)
    return Reading(
        words=tuple((token,) for token in tokens),
        vocabulary_size=len(ids),
        characters=len(text),
        dropped=dropped,
        whole=all(token.known for token in tokens) and dropped.reversible,
    )


def by_characters(characters: Iterable[str], text: str) -> Reading:
    """The text with a vocabulary of characters: those given, usually all of a corpus's text.

    >>> by_characters("the cat", "the hat").tokens, by_characters("the cat", "the rat").unknown
    (7, 1)
    """
    alphabet = Alphabet(Unit.CHAR, sorted(set(characters)))
    return by_merges(Tokenizer(alphabet, [], PreTokenizer.NONE), text)


def by_bytes(text: str) -> Reading:
    """The text as UTF-8 bytes: nothing is ever unknown, and nothing is lost.

    >>> by_bytes("é").tokens, by_bytes("é").vocabulary_size, by_bytes("é").whole
    (2, 256, True)
    """
    return by_merges(Tokenizer(Alphabet(Unit.BYTE), [], PreTokenizer.NONE), text)
