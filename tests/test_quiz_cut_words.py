"""Words to cut: one word to the pre-tokenizer, not in the corpus, the same everywhere, worth cutting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Trainer
from quiz.cut_words import LONGEST, given_words, word_to_cut
from quiz.inputs import HOP, PRESETS

_texts = st.lists(st.text("abcאב ", min_size=1, max_size=12), min_size=1, max_size=6).map(" ".join)


@pytest.mark.parametrize("name", PRESETS)
def test_words_of_the_examples_have_something_to_join_and_something_to_cut(name: str) -> None:
    trainer = PRESETS[name].trainer()
    tokenizer = trainer.tokenizer(trainer.train_to(3))
    for number in range(30):
        word = word_to_cut(tokenizer, trainer.corpus.words, number, name)
        assert word is not None and word not in trainer.corpus.words
        assert tokenizer.pre_tokenizer.split(word) == [word]
        assert 1 < len(tokenizer.encode_word(word)) < len(tokenizer.alphabet.ids_of(word))
        assert -1 not in [min(id, 0) for id in tokenizer.encode_word(word)]  # no unit is unseen


@given(_texts, st.sampled_from(PreTokenizer), st.sampled_from(Unit), st.integers(0, 50))
def test_any_corpus_gives_a_new_whole_word_or_none(
    text: str, pre: PreTokenizer, unit: Unit, number: int
) -> None:
    trainer = Trainer(Corpus.from_text(text, pre), unit)
    tokenizer = trainer.tokenizer(trainer.train_to(4))
    word = word_to_cut(tokenizer, trainer.corpus.words, number, "seed")
    assert word == word_to_cut(tokenizer, trainer.corpus.words, number, "seed")
    if word is not None:
        assert 3 <= len(word) <= LONGEST
        assert word not in trainer.corpus.words and pre.split(word) == [word]


def test_given_words_come_first_and_numbers_differ() -> None:
    trainer = HOP.trainer()
    tokenizer = trainer.tokenizer(trainer.train_to(4))
    words = [word_to_cut(tokenizer, trainer.corpus.words, n, "", ["hopper", "shoe"]) for n in range(8)]
    assert words[:2] == ["hopper", "shoe"] and len(set(words)) > 5
    assert given_words(tokenizer, "shops", trainer.corpus.words) == []  # a word of the corpus is no new word


def test_a_corpus_too_small_gives_none() -> None:
    for text in ("", "x", "   "):
        trainer = Trainer(Corpus.from_text(text))
        assert word_to_cut(trainer.tokenizer(), trainer.corpus.words, 0) is None
