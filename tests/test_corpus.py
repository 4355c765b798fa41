"""Corpora: distinct words and counts in order, from text and from tables of word counts."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core.corpus import COUNT_LIMIT, Corpus, parse_word_counts
from bpe_core.errors import CorpusError, Stopped
from bpe_core.pretokenize import Dropped, PreTokenizer

# --- from text --------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(st.text("ab ,\n", max_size=60), st.sampled_from(PreTokenizer))
def test_words_stand_in_order_of_first_appearance(text: str, how: PreTokenizer) -> None:
    corpus = Corpus.from_text(text, how)
    words = how.split(text)
    assert corpus.words == tuple(dict.fromkeys(words))
    assert dict(zip(corpus.words, corpus.counts, strict=True)) == Counter(words)
    assert corpus.word_count == len(words)
    assert corpus.dropped == how.dropped(text)
    assert corpus.pre_tokenizer is how


def test_a_text_that_is_dropped_whole() -> None:
    corpus = Corpus.from_text("   ", PreTokenizer.ARTICLE)
    assert (corpus.words, corpus.counts, corpus.word_count) == ((), (), 0)
    assert corpus.dropped == Dropped(3, (("space", 3),), False)


def test_progress_is_told_characters_to_the_end() -> None:
    text = "the cat sat on the mat. " * 40_000
    told: list[tuple[int, int]] = []

    def note(done: int, total: int) -> bool:
        told.append((done, total))
        return True

    corpus = Corpus.from_text(text, progress=note)
    assert len(told) > 3
    assert told[-1] == (len(text), len(text))
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert corpus.word_count == 7 * 40_000


def test_counting_can_be_stopped() -> None:
    with pytest.raises(Stopped, match="characters were counted"):
        Corpus.from_text("the cat sat. " * 40_000, progress=lambda done, total: False)


def test_many_different_words_are_all_kept() -> None:
    words = [f"w{number}" for number in range(140_000)]
    corpus = Corpus.from_text(" ".join(words), PreTokenizer.WHITESPACE)
    assert corpus.words == tuple(words)
    assert set(corpus.counts) == {1}


# --- from words and counts --------------------------------------------------------------------------------


def test_a_word_given_twice_has_its_counts_added_and_keeps_its_place() -> None:
    corpus = Corpus.from_word_counts([("b", 1), ("a", 2), ("b", 3)])
    assert (corpus.words, corpus.counts, corpus.dropped) == (("b", "a"), (4, 2), None)


@pytest.mark.parametrize("count", [0, -3, COUNT_LIMIT + 1])
def test_a_count_that_makes_no_sense_is_refused(count: int) -> None:
    with pytest.raises(CorpusError, match=f"'hop' has the count {count:,};"):
        Corpus.from_word_counts([("hop", count)])


def test_an_empty_word_is_refused() -> None:
    with pytest.raises(CorpusError, match="empty"):
        Corpus.from_word_counts([("", 1)])


# --- tables -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "pairs"),
    [
        ("", []),
        ("\n \n", []),
        ("hop\t5\nhops\t2\nshop\t3\nshops\t1\n", [("hop", 5), ("hops", 2), ("shop", 3), ("shops", 1)]),
        ("hop,5\nhops,2", [("hop", 5), ("hops", 2)]),
        ("word\tcount\nhop\t5\n", [("hop", 5)]),
        ('"word","n"\n"hop",5\n', [("hop", 5)]),
        ("hop,5\n\n\nhops,2\n", [("hop", 5), ("hops", 2)]),
        ("hop, 5 \nhops ,2", [("hop", 5), ("hops ", 2)]),  # a space belongs to the word
        ("      5 hop\n     12 shop\n", [("hop", 5), ("shop", 12)]),  # sort | uniq -c
        ("1234567 hop\n      1 a b\n", [("hop", 1234567), ("a b", 1)]),
        ("      3  \n", [(" ", 3)]),
        ("   2 5,3\n   1 x\n", [("5,3", 2), ("x", 1)]),
        (" the\t7\nthe\t1\n", [(" the", 7), ("the", 1)]),
        ('"\t4\n""\t1\n', [('"', 4), ('""', 1)]),  # in a table with tabs nothing is quoted
        ('"a,b",3\n"say ""hi""",2\n"two\nlines",1\n', [("a,b", 3), ('say "hi"', 2), ("two\nlines", 1)]),
        ("a\tb\t3\n", [("a\tb", 3)]),
        ("=1+1,2\n#x,1\n", [("=1+1", 2), ("#x", 1)]),
        ("7\t7\n", [("7", 7)]),
        ("a\u2028b\t1\nc\x85\t2\nd\x0c\t3\n", [("a\u2028b", 1), ("c\x85", 2), ("d\x0c", 3)]),
        (f"a,{COUNT_LIMIT}", [("a", COUNT_LIMIT)]),
        ("नमस्ते\t2\n👍🏽\t1", [("नमस्ते", 2), ("👍🏽", 1)]),
        ("a,007", [("a", 7)]),
        # Spark: a word count saved as text from Scala and from Python; a table with its own quoting.
        ("(hop,5)\n(a,b,2)\n((,1)\n", [("hop", 5), ("a,b", 2), ("(", 1)]),
        ("('hop', 5)\n(\"don't\", 2)\n('\\\\', 1)\n", [("hop", 5), ("don't", 2), ("\\", 1)]),
        (
            'word,count(1)\n"\\"",3\n"say \\"hi\\", you",2\n\\,4\n',
            [('"', 3), ('say "hi", you', 2), ("\\", 4)],
        ),
        ("word,count_star()\nhop,5\n", [("hop", 5)]),  # DuckDB
        ("word,count\nhop,5\nword,count\nshop,3\n", [("hop", 5), ("shop", 3)]),  # part files joined
        ("word\tn\nhop\t5\nword\tn\nword\t2\n", [("hop", 5), ("word", 2)]),
        ("    12 \n      5 hop\n", [("hop", 5)]),  # uniq -c counted blank lines
        ('"hop\\",5\n', [("hop\\", 5)]),  # a backslash at the end of a word is no escape elsewhere
        ("w" * 200_000 + ",2\n", [("w" * 200_000, 2)]),
    ],
)
def test_tables_that_can_be_read(table: str, pairs: list[tuple[str, int]]) -> None:
    assert parse_word_counts(table) == pairs


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("hop\t5\nhops\tmany\n", "Line 2: the count 'many'"),
        ("hop,5\n\nhops,-2\n", "Line 3: the count '-2'"),
        ("hop,0", "Line 1: the count '0'"),
        ("hop,1.5", "Line 1: the count '1.5'"),
        ("hop,1e3", "Line 1: the count '1e3'"),
        ("hop,+5", "Line 1: the count '+5'"),
        ("hop,1_000", "Line 1: the count '1_000'"),
        ("hop,٥", "Line 1: the count '٥'"),
        ("hop,²", "Line 1: the count '²'"),
        (f"hop,{COUNT_LIMIT + 1}", "Line 1: the count "),
        ("hop," + "9" * 5000, "Line 1: the count "),
        ("hop", "Line 1: found 1 value;"),
        ("hop,5\nshop,3,1\n", "Line 2: found 3 values;"),
        ("\t5\n", "Line 1: the word is empty"),
        ("a,1\n,5\n", "Line 2: the word is empty"),
        ("hop 5\nshop 3", "Line 1: found 1 value;"),
        ("word,count\n", "Line 1: the count 'count'"),  # a heading over nothing
        ("hop,5\nword,count\n", "Line 2: the count 'count'"),  # only what headed the first line
        ("hop,\nhops,2", "Line 1: the count ''"),
        ("hop,½\nhops,2", "Line 1: the count '½'"),
        ("('\\x', 5)\n", "Line 1: the word \"'"),
        ("(hop,5)\nhop\n", "Line 1: the count '5)'"),
        ("hop(1,0)", "Line 1: the count '0)'"),
        ('"hop,5\n', "Line 1: the table cannot be read as CSV"),
        ('hop,5\n"a"b,5\n', "Line 2: the table cannot be read as CSV"),
        ("hop,5\nhops\n", "Line 2: found 1 value;"),
    ],
)
def test_tables_that_cannot_be_read_say_where(table: str, said: str) -> None:
    with pytest.raises(CorpusError) as caught:
        parse_word_counts(table)
    message = str(caught.value)
    assert message.startswith(said)
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 200


WORD = st.text(st.characters(codec="utf-8", exclude_characters="\n\r\t\0"), min_size=1, max_size=8)


@settings(max_examples=300)
@given(st.lists(st.tuples(WORD, st.integers(1, COUNT_LIMIT)), min_size=1, max_size=8))
def test_tables_with_tabs_are_taken_literally(pairs: list[tuple[str, int]]) -> None:
    assert parse_word_counts("".join(f"{word}\t{count}\n" for word, count in pairs)) == pairs


@settings(max_examples=300)
@given(st.lists(st.tuples(WORD, st.integers(1, COUNT_LIMIT)), min_size=1, max_size=8))
def test_csv_with_quotes_comes_back(pairs: list[tuple[str, int]]) -> None:
    quoted = [(word.replace('"', '""'), count) for word, count in pairs]
    assert parse_word_counts("".join(f'"{word}",{count}\n' for word, count in quoted)) == pairs
