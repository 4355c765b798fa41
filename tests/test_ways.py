"""One text cut by words, characters, bytes and merges: counts, unknowns, losses, worked out by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Trainer
from bpe_core.ways import Reading, by_bytes, by_characters, by_merges, by_words

REVIEW = "the café baker bakes cakes, the café bakes soufflé"
NEW = "the maker baked cakes"


def spelled(reading: Reading) -> list[str]:
    return [token.data.decode() for word in reading.words for token in word]


def test_whole_words_cannot_read_what_they_never_met() -> None:
    reading = by_words(Corpus.from_text(REVIEW), NEW)
    assert spelled(reading) == ["the", " maker", " baked", " cakes"]
    assert [token.known for word in reading.words for token in word] == [True, False, False, True]
    assert (reading.tokens, reading.unknown, reading.vocabulary_size, reading.whole) == (4, 2, 8, False)
    assert reading.characters_per_token == 21 / 4


def test_whole_words_that_are_all_known_come_back_unless_something_was_dropped() -> None:
    corpus = Corpus.from_text(REVIEW)
    assert by_words(corpus, "the baker bakes").whole
    two_spaces = by_words(corpus, "the  baker")
    assert two_spaces.unknown == 0 and two_spaces.dropped.characters == 1 and not two_spaces.whole


def test_characters_miss_only_new_characters() -> None:
    reading = by_characters(REVIEW, NEW)  # m and d are not in the review
    assert (reading.tokens, reading.unknown, reading.vocabulary_size, reading.whole) == (21, 2, 16, False)
    assert by_characters(REVIEW, "the cake").whole


def test_bytes_read_everything() -> None:
    reading = by_bytes("שלום\n")
    assert (reading.tokens, reading.unknown, reading.vocabulary_size, reading.whole) == (9, 0, 256, True)


def test_merges_read_the_review_as_its_article_does() -> None:
    trainer = Trainer(Corpus.from_text(REVIEW))
    trainer.train_to(5)
    reading = by_merges(trainer.tokenizer(), NEW)
    assert spelled(reading) == ["t", "h", "e", " ", "m", "ake", "r", " bake", "d", " c", "ake", "s"]
    assert (reading.tokens, reading.unknown, reading.vocabulary_size, reading.whole) == (12, 2, 21, False)


def test_the_marker_brings_spaces_back_and_plain_white_space_does_not() -> None:
    text = "low lower lowest"
    readings = {}
    for pre in (PreTokenizer.WORD_END, PreTokenizer.WHITESPACE):
        trainer = Trainer(Corpus.from_text(text, pre), min_count=2)
        trainer.train_to()
        assert [step.count for step in trainer.steps] == [3, 3, 2]
        readings[pre] = by_merges(trainer.tokenizer(), text)
    with_marker, without = readings[PreTokenizer.WORD_END], readings[PreTokenizer.WHITESPACE]
    assert (with_marker.tokens, without.tokens) == (9, 6)  # low·⟨end⟩ lowe·r·⟨end⟩ lowe·s·t·⟨end⟩
    assert with_marker.dropped.characters == without.dropped.characters == 2
    assert with_marker.whole and not without.whole


def test_nothing_takes_no_tokens_and_has_no_ratio() -> None:
    trainer = Trainer(Corpus.from_text(""))
    for reading in (
        by_words(trainer.corpus, ""),
        by_characters("", ""),
        by_bytes(""),
        by_merges(trainer.tokenizer(), ""),
    ):
        assert (reading.tokens, reading.unknown, reading.characters_per_token) == (0, 0, None)
        assert reading.whole
    dropped = by_merges(trainer.tokenizer(), "   ")
    assert (dropped.tokens, dropped.dropped.characters, dropped.whole) == (0, 3, False)


@given(st.text(alphabet="ab é☕\n", max_size=20), st.text(alphabet="ab éz\n", max_size=20))
def test_it_comes_back_whole_exactly_when_nothing_is_unknown_or_lost(corpus: str, text: str) -> None:
    for pre in PreTokenizer:
        for unit in Unit:
            trainer = Trainer(Corpus.from_text(corpus, pre), unit)
            trainer.train_to(3)
            reading = by_merges(trainer.tokenizer(), text)
            assert reading.whole == (reading.unknown == 0 and reading.dropped.reversible)
