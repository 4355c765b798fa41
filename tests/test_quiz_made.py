"""Made questions, thousands of them: only right answers right, mistakes wrong and distinct, figures true.

Answers are worked out again here from the corpus alone, the slow way. Not here: the fixed questions.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from math import ceil, log2, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core.corpus import Corpus
from bpe_core.errors import SettingError
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule
from quiz.checking import Verdict, check
from quiz.dice import Dice
from quiz.figures import value
from quiz.inputs import Inputs
from quiz.made import LEVELS, MadeKind, made_question, made_sheet
from quiz.made_corpora import FAMILIES, PHRASES, TEXTS, usable_words
from quiz.misconceptions import Misconception
from quiz.questions import Kind, Question
from quiz.values import written

OWN = usable_words(
    Corpus.from_text("the café baker bakes cakes, the café bakes soufflé and the bakery takes the cake")
)

seeds = st.integers(0, 2**40)
levels = st.sampled_from(LEVELS)
kinds = st.sampled_from(list(MadeKind))


# ------------------------------------------------------------------ the slow way


class Slow:
    """BPE on lists of texts: each word is a list of tokens as strings, counted again at every step."""

    def __init__(self, inputs: Inputs, k: int, ties: TieRule | None = None) -> None:
        assert inputs.word_counts is not None
        self.ties = ties or inputs.ties
        self.words = [(list(word), count) for word, count in inputs.word_counts]
        letters = sorted({c for word, _ in self.words for c in word})
        self.ids = {letter: place for place, letter in enumerate(letters)}
        self.units = len(letters)
        self.merges: list[tuple[str, str]] = []
        for _ in range(k):
            self.merge()

    def counts(self) -> dict[tuple[str, str], int]:
        found: dict[tuple[str, str], int] = {}
        for word, count in self.words:
            for pair in pairwise(word):
                found[pair] = found.get(pair, 0) + count
        return found

    def tied(self) -> list[tuple[str, str]]:
        counts = self.counts()
        top = max(counts.values())
        tied = [pair for pair, count in counts.items() if count == top]  # in order of appearance
        if self.ties is TieRule.LOWEST_IDS:
            tied.sort(key=lambda pair: (self.ids[pair[0]], self.ids[pair[1]]))
        if self.ties is TieRule.COLUMN_MAJOR:
            tied.sort(key=lambda pair: (self.ids[pair[1]], self.ids[pair[0]]))
        return tied

    def merge(self) -> None:
        pair = self.tied()[0]
        self.merges.append(pair)
        self.ids["".join(pair)] = len(self.ids)
        self.words = [(self.replaced(word, pair), count) for word, count in self.words]

    @staticmethod
    def replaced(word: list[str], pair: tuple[str, str]) -> list[str]:
        out: list[str] = []
        i = 0
        while i < len(word):
            if tuple(word[i : i + 2]) == pair:
                out.append(word[i] + word[i + 1])
                i += 2
            else:
                out.append(word[i])
                i += 1
        return out

    def split(self, new: str) -> list[str]:
        word = list(new)
        for pair in self.merges:
            word = self.replaced(word, pair)
        return word

    @property
    def length(self) -> int:
        return sum(len(word) * count for word, count in self.words)

    @property
    def size(self) -> int:
        return self.units + len(self.merges)


def longest(slow: Slow, new: str) -> list[str]:
    """The split of someone who takes the longest token from the left."""
    known = {"".join(pair) for pair in slow.merges}
    split: list[str] = []
    while new:
        size = max([1, *(n for n in range(2, len(new) + 1) if new[:n] in known)])
        split.append(new[:size])
        new = new[size:]
    return split


def kind_of(question: Question) -> MadeKind:
    return next(kind for kind in MadeKind if question.id.startswith(f"{kind.value}-"))


def right_answers(question: Question) -> set[str]:
    """What is right, worked out from the question's own words and numbers."""
    kind, prompt = kind_of(question), question.prompt_text
    figure = question.answers[0]
    if kind is MadeKind.BYTES:
        text = re.fullmatch(r"How many bytes is (.+) in UTF-8\?", prompt)
        assert text
        return {str(len(text[1].replace("␣", " ").encode()))}
    if kind is MadeKind.MOST_TOKENS:
        text = re.search(r"anything like (.+)\. How many", prompt)
        assert text
        return {str(len(text[1].replace("␣", " ").encode()))}
    assert question.inputs is not None and question.lab is not None
    k = question.lab.k
    if kind is MadeKind.COUNT_PAIR:
        left, right = re.search(r"the pair (\S+) \+ (\S+)\?", prompt).groups()  # type: ignore[union-attr]
        return {str(Slow(question.inputs, k).counts().get((left, right), 0))}
    if kind is MadeKind.NEXT_PAIR:
        tied = Slow(question.inputs, k).tied()
        return {" + ".join(pair) for pair in (tied if "any of them" in prompt else tied[:1])}
    if kind is MadeKind.SIZES:
        after = Slow(question.inputs, k + 1)
        return {str(after.length if "How many tokens" in prompt else after.size)}
    if kind is MadeKind.SPLIT:
        return {" · ".join(Slow(question.inputs, k).split(figure.new))}
    if kind is MadeKind.BITS:
        slow = Slow(question.inputs, k)
        width = ceil(log2(slow.size))
        return {str(slow.length * width + (2 * k * width if "table" in prompt else 0))}
    pair = re.search(r"Which rules take (\S+ \+ \S+)\?", prompt)
    assert pair
    return {pair[1]}


@settings(max_examples=1000)
@given(seeds, st.integers(0, 50), levels, kinds, st.booleans())
def test_exactly_the_right_answers_are_right(
    seed: int, number: int, level: int, kind: MadeKind, own: bool
) -> None:
    question = made_question(seed, number, level, kind, OWN if own else ())
    right = right_answers(question)
    assert {written(answer) for answer in question.answer_values} == right
    values = [value(option.figure) for option in question.options if option.figure]
    assert len(values) == len(question.options)
    if kind is MadeKind.TIE_RULE:
        assert question.inputs is not None and question.lab is not None
        takes = {
            rule.value
            for rule in TieRule
            if " + ".join(Slow(question.inputs, question.lab.k, rule).tied()[0]) in right
        }
        assert question.right_keys == takes and 0 < len(takes) < 3
        k = question.lab.k
        states = [Slow(question.inputs, k, rule) for rule in TieRule]
        assert len({tuple(state.merges) for state in states}) == 1
        named = re.findall(r"(\S+) \+ (\S+?)[,.]", question.prompt_text.partition(": ")[2])
        assert set(named) == set(states[0].tied())
        assert check(question, sorted(takes)).right
        for option in question.options:
            if {option.key} != takes:
                assert not check(question, [option.key]).right
        return
    texts = [written(found) for found in values]
    assert len(set(texts)) == len(texts)
    if question.kind is Kind.CHOICE:
        assert 3 <= len(texts) <= 4 and question.right_keys == {"right"}
        assert [text in right for text in texts] == [option.key == "right" for option in question.options]
        for option in question.options:
            feedback = check(question, [option.key])
            assert feedback.right == (option.key == "right")
            assert feedback.right or (feedback.misconception and len(feedback.message) > 15)
    else:
        assert not right & set(texts)
        for answer in right:
            assert check(question, answer).right
        for option, text in zip(question.options, texts, strict=True):
            feedback = check(question, text)
            assert feedback.verdict is Verdict.WRONG
            assert feedback.misconception is option.misconception


@settings(max_examples=400)
@given(seeds, st.integers(0, 50), levels, kinds)
def test_the_arithmetic_in_every_explanation_is_true(
    seed: int, number: int, level: int, kind: MadeKind
) -> None:
    question = made_question(seed, number, level, kind)
    text = question.explanation_text
    assert "{" not in text
    right = sorted(right_answers(question))
    if kind is MadeKind.BITS:
        products = re.findall(r"((?:\d+ × )+\d+) = (\d+)", text)
        assert products
        assert all(prod(map(int, factors.split(" × "))) == int(total) for factors, total in products)
        return
    sums = re.findall(r"((?:\S+ \d+ × \d+(?: \+ )?)+) = (\d+)", text)
    for terms, total in sums:
        assert sum(int(a) * int(b) for a, b in re.findall(r"(\d+) × (\d+)", terms)) == int(total)
    if kind in (MadeKind.COUNT_PAIR, MadeKind.NEXT_PAIR):
        assert len(sums) == 1
    if kind in (MadeKind.BYTES, MadeKind.MOST_TOKENS) and " + " in text:
        terms, total = re.search(r"([^:=]+) = (\d+)\.", text).groups()  # type: ignore[union-attr]
        assert sum(map(int, re.findall(r" (\d+)(?: \+|$)", terms))) == int(total)
    if kind is MadeKind.SIZES:
        left, sign, right_side, total = re.search(r"(\d+) ([+−]) (\d+) = (\d+)", text).groups()  # type: ignore[union-attr]
        assert int(total) == int(left) + (1 if sign == "+" else -1) * int(right_side)
    if kind in (MadeKind.COUNT_PAIR, MadeKind.SIZES, MadeKind.BYTES, MadeKind.MOST_TOKENS):
        assert right[0] in re.findall(r"\d+", text)
    if kind is MadeKind.SPLIT:
        assert right[0] in text
    assert all("{" not in why for why in map(question.option_why, question.options))


@settings(max_examples=300)
@given(seeds, st.integers(0, 50), levels, kinds)
def test_mistakes_give_what_their_name_says(seed: int, number: int, level: int, kind: MadeKind) -> None:
    question = made_question(seed, number, level, kind)
    if question.inputs is None or question.lab is None:
        return
    k = question.lab.k
    slow = Slow(question.inputs, k)
    for option in question.options:
        if option.figure is None or option.key == "right":
            continue
        found = written(value(option.figure))
        if kind is MadeKind.COUNT_PAIR and option.misconception is Misconception.WORDS_ONCE:
            left, right = re.search(r"the pair (\S+) \+ (\S+)\?", question.prompt_text).groups()  # type: ignore[union-attr]
            once = Counter(pair for word, _ in slow.words for pair in pairwise(word))
            assert found == str(once[left, right])
        if kind is MadeKind.SIZES and option.misconception is Misconception.COUNT_FOR_REPLACEMENTS:
            assert found == str(slow.length - max(slow.counts().values()))
        if kind is MadeKind.NEXT_PAIR and option.misconception is Misconception.OTHER_TIE_RULE:
            assert tuple(found.split(" + ")) in slow.tied()
        if kind is MadeKind.SPLIT and option.misconception is Misconception.LONGEST_MATCH:
            assert found == " · ".join(longest(slow, option.figure.new))
        if kind is MadeKind.SPLIT and option.misconception is Misconception.NO_MERGES:
            assert found == " · ".join(option.figure.new)


@given(seeds, levels)
def test_the_same_seed_gives_the_same_sheet_and_kinds_take_turns(seed: int, level: int) -> None:
    sheet = made_sheet(seed, level, 8)
    assert sheet == made_sheet(seed, level, 8)
    assert {kind_of(question) for question in sheet} == set(MadeKind)
    assert len({question.id for question in sheet}) == 8
    assert made_question(seed, 5, level) == sheet[5]


def test_sheets_as_they_were_when_this_test_was_written() -> None:
    """A link to a sheet made today has to open the same sheet in ten years, on any Python."""
    assert [question.id for question in made_sheet(2024, 2, 8)] == SHEET_IDS
    assert [question.answer_text for question in made_sheet(2024, 2, 8)] == SHEET_ANSWERS


def test_each_kind_meets_the_mistakes_that_belong_to_it() -> None:
    met: dict[MadeKind, set[Misconception | None]] = {kind: set() for kind in MadeKind}
    for kind in MadeKind:
        for level in LEVELS:
            for question in made_sheet(11, level, 60, kind):
                met[kind] |= {option.misconception for option in question.options}
    slip = Misconception
    assert met[MadeKind.COUNT_PAIR] >= {slip.WORDS_ONCE, slip.OVERLAP_MISSED, slip.ONE_PER_WORD}
    assert met[MadeKind.NEXT_PAIR] >= {slip.WORDS_ONCE, slip.OTHER_TIE_RULE, slip.ORDER_SWAPPED}
    assert met[MadeKind.SIZES] >= {slip.COUNT_FOR_REPLACEMENTS, slip.PARENTS_REMOVED, slip.MERGED_ONCE}
    assert met[MadeKind.SPLIT] >= {slip.LONGEST_MATCH, slip.BY_MEANING, slip.MERGE_ORDER, slip.NO_MERGES}
    assert met[MadeKind.BYTES] >= {slip.CHARACTERS_FOR_BYTES, slip.TWO_BYTES_EACH}
    assert met[MadeKind.MOST_TOKENS] >= {slip.CHARACTERS_FOR_BYTES, slip.UNKNOWN_TOKEN}
    assert met[MadeKind.BITS] >= {slip.TABLE_FORGOTTEN, slip.TABLE_HALVED, slip.WIDTH_FIXED}
    assert met[MadeKind.TIE_RULE] == {slip.OTHER_TIE_RULE}


def test_other_seeds_and_levels_give_other_sheets() -> None:
    prompts = {
        tuple(q.prompt_text for q in made_sheet(seed, level, 8)) for seed in range(20) for level in LEVELS
    }
    assert len(prompts) == 60


def test_chance_is_spelled_out() -> None:
    dice = Dice("a seed")
    assert [dice.below(100) for _ in range(6)] == DICE
    assert Dice(1).shuffled("abcdef") == SHUFFLED
    assert sorted(Dice(3).shuffled(range(50))) == list(range(50))
    drawn = Counter(Dice(n).below(4) for n in range(4000))
    assert all(900 < drawn[side] < 1100 for side in range(4))


@pytest.mark.parametrize("level", [0, 4, -1])
def test_a_level_that_does_not_exist(level: int) -> None:
    with pytest.raises(SettingError, match="it is 1, 2 or 3"):
        made_question(1, 0, level)


#: Written down once; a change here changes every link that was ever shared.
SHEET_IDS = [
    "next-pair-2-2024-0",
    "bits-2-2024-1",
    "count-pair-2-2024-2",
    "split-2-2024-3",
    "most-tokens-2-2024-4",
    "tie-rule-2-2024-5",
    "bytes-2-2024-6",
    "sizes-2-2024-7",
]
SHEET_ANSWERS = [
    "s + and",
    "444",
    "4",
    "satin · e · e",
    "17 tokens",
    "The pair seen first; The lowest left id, then the lowest right id",
    "6",
    "11",
]
DICE = [83, 4, 95, 18, 8, 78]
SHUFFLED = ["b", "f", "d", "e", "a", "c"]


# ------------------------------------------------------------------ raw material


def test_the_pools_are_distinct_words() -> None:
    assert all(len(set(family)) == len(family) >= 5 for family in FAMILIES)
    assert len(TEXTS) == len(PHRASES) == len(LEVELS)
    for text in (text for pool in (*TEXTS, *PHRASES) for text in pool):
        assert not text.isascii()


def test_own_words_are_used_where_they_serve() -> None:
    question = made_question(5, 0, 1, MadeKind.COUNT_PAIR, OWN)
    assert question.id.endswith("-own")
    assert {word for word, _ in question.words} <= {word for word, _ in OWN}


def test_own_words_that_do_not_serve_give_way_to_generated_ones() -> None:
    words = (("ab", 1), ("cd", 1), ("ef", 1))  # no pair occurs twice
    question = made_question(5, 0, 1, MadeKind.COUNT_PAIR, words)
    assert not question.id.endswith("-own") and question.words


def test_usable_words() -> None:
    corpus = Corpus.from_text("a bb  ccc\tbb 12 {x} $y$ naïve " + "z" * 10, PreTokenizer.WHITESPACE)
    assert usable_words(corpus) == (("bb", 2), ("ccc", 1), ("12", 1), ("naïve", 1))
    assert usable_words(Corpus.from_text("bb bb")) == ()
    assert max(count for _, count in usable_words(Corpus.from_text("aa " * 50 + "bb cc"))) == 9


@settings(max_examples=200)
@given(
    st.lists(st.text(alphabet="abcé{}£ह", min_size=2, max_size=8), min_size=3, max_size=6, unique=True),
    seeds,
    levels,
    kinds,
)
def test_any_own_words_make_questions_that_can_be_answered(
    texts: list[str], seed: int, level: int, kind: MadeKind
) -> None:
    words = usable_words(Corpus.from_word_counts([(text, 2) for text in texts]))
    question = made_question(seed, 0, level, kind, words)
    if question.kind is Kind.CHOICE:
        assert check(question, sorted(question.right_keys)).right
    else:
        assert check(question, written(question.answer_values[0])).right
