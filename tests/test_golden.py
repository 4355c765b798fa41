"""Worked results, figure by figure: what the lessons print and what others published for their own inputs.

The figures were worked out by hand from the definitions: count(a, b) counts adjacent pairs, overlaps
included; a replacement runs left to right and never overlaps; L is the number of tokens in the corpus and
V the units in use plus the merges. In tables ``·`` is a space. Not here: anything that is compared with
a second implementation (test_training.py, test_pretokenize.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from bpe_core import measures, o200k
from bpe_core.alphabet import Token, Unit
from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import StopReason, TieRule, Trainer

REVIEW = "the café baker bakes cakes, the café bakes soufflé"
ABRACADABRA = "abracadabra abracadabra abracadabra"
CATS = "\nthe cat sat on the mat\nthe cat ate the fat rat\nthe rat sat on a mat\na cat and a rat and a bat\n"
HOPS = [("hop", 5), ("hops", 2), ("shop", 3), ("shops", 1)]


def dotted(tokens: Iterable[Token]) -> list[str]:
    """Tokens in the notation of the tables."""
    return [token.notation.replace(" ", "·") for token in tokens]


def merges(trainer: Trainer, k: int | None = None) -> list[str]:
    """The first k merges as ``left+right`` in the notation of the tables."""
    return ["+".join(dotted(map(trainer.token, step.pair))) for step in trainer.steps[:k]]


def trained(
    text: str | Sequence[tuple[str, int]],
    pre_tokenizer: PreTokenizer,
    merges: int | None = None,
    unit: Unit = Unit.CHAR,
    ties: TieRule = TieRule.FIRST_SEEN,
    min_count: int | None = None,
) -> Trainer:
    """A trainer on a text or a table of word counts, after this many merges (None: all)."""
    if isinstance(text, str):
        corpus = Corpus.from_text(text, pre_tokenizer)
    else:
        corpus = Corpus.from_word_counts(text, pre_tokenizer)
    trainer = Trainer(corpus, unit, ties, min_count)
    trainer.train_to(merges)
    return trainer


def lengths(trainer: Trainer) -> list[int]:
    """L after 0, 1, 2, … merges."""
    return [trainer.corpus_length(k) for k in range(len(trainer.steps) + 1)]


def sizes(trainer: Trainer) -> list[int]:
    """V after 0, 1, 2, … merges."""
    return [trainer.vocabulary_size(k) for k in range(len(trainer.steps) + 1)]


def split(trainer: Trainer, text: str) -> str:
    """New text as tokens, ``|`` between them."""
    return "|".join(dotted(trainer.tokenizer().tokenize(text)))


# --- A. the article with the widgets ---------------------------------------------------------------------


def test_review_first_five_merges() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE, 5)
    assert (trainer.initial_length, trainer.initial_vocabulary_size) == (50, 16)
    rows = [
        (s.index, pair, s.count, trainer.token(s.token).text, s.corpus_length, s.vocabulary_size, s.tied)
        for s, pair in zip(trainer.steps, merges(trainer), strict=True)
    ]
    assert rows == [
        (1, "a+k", 4, "ak", 46, 17, 2),
        (2, "ak+e", 4, "ake", 42, 18, 1),
        (3, "·+c", 3, " c", 39, 19, 4),
        (4, "·+b", 3, " b", 36, 20, 3),
        (5, "·b+ake", 3, " bake", 33, 21, 2),
    ]
    assert all(step.replacements == step.count for step in trainer.steps)
    assert trainer.stop is None


def test_review_distinct_words() -> None:
    corpus = Corpus.from_text(REVIEW)
    assert list(zip(corpus.words, corpus.counts, strict=True)) == [
        ("the", 1), (" café", 2), (" baker", 1), (" bakes", 2),
        (" cakes", 1), (",", 1), (" the", 1), (" soufflé", 1),
    ]  # fmt: skip
    contributions = [len(w) * n for w, n in zip(corpus.words, corpus.counts, strict=True)]
    assert contributions == [3, 10, 6, 12, 6, 1, 4, 8]


def test_review_runs_dry_after_22_merges() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE)
    assert (len(trainer.steps), trainer.vocabulary_size(22), trainer.corpus_length(22)) == (22, 38, 10)
    assert all(len(word) == 1 for word in trainer.words_at(22))
    assert trainer.stop is StopReason.NO_PAIRS


def test_review_new_text_after_five_merges() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE, 5)
    new = "the maker baked cakes"
    assert split(trainer, new) == "t|h|e|·|m|ake|r|·bake|d|·c|ake|s"
    assert len(trainer.tokenizer().encode(new)) == 12


def test_review_bytes() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE, unit=Unit.BYTE)
    assert (trainer.initial_length, trainer.initial_vocabulary_size) == (53, 17)
    assert len(trainer.alphabet) == 256
    assert merges(trainer, 6) == ["61+6b", "616b+65", "20+63", "c3+a9", "20+62", "2062+616b65"]
    assert [s.count for s in trainer.steps[:6]] == [4, 4, 3, 3, 3, 3]
    assert lengths(trainer)[:7] == [53, 49, 45, 42, 39, 36, 33]
    assert trainer.token(trainer.steps[3].token).text == "é"
    assert (len(trainer.steps), trainer.vocabulary_size(23), trainer.corpus_length(23)) == (23, 40, 10)
    assert [step.token for step in trainer.steps] == list(range(256, 279))  # by definition 256 + k ids
    assert trainer.tokenizer().vocabulary_size == 256 + 23


def test_review_identities() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE)
    words = trainer.words_at(3)
    assert trainer.corpus_length(3) == sum(
        n * len(w) for w, n in zip(words, trainer.corpus.counts, strict=True)
    )
    for step in trainer.steps:
        k = step.index - 1
        assert step.count == sum(share.count * share.occurrences for share in trainer.shares(step.pair, k))
        assert step.count == max(ranked.count for ranked in trainer.ranked_pairs(k))
        assert step.corpus_length == trainer.corpus_length(k) - step.count
        assert step.vocabulary_size == 16 + step.index


def test_real_tokenizer_on_the_review() -> None:
    real = o200k.tokenizer()

    def pieces(text: str) -> str:
        return "|".join(dotted(real.tokenize(text))).replace(" ", "·")

    def hexed(*texts: str) -> str:
        return "|".join(text.replace("·", " ").encode().hex() for text in texts)

    assert pieces(REVIEW) == hexed(
        "the", "·café", "·baker", "·b", "akes", "·cakes", ",", "·the", "·café", "·b", "akes", "·souff", "lé"
    )
    assert pieces("unbakeable") == hexed("un", "b", "ake", "able")
    assert pieces(" bakes") == hexed("·b", "akes")


# The quiz of that article, as far as it asks for figures.


def test_new_text_is_not_counted() -> None:
    trainer = trained(REVIEW, PreTokenizer.ARTICLE, 5)
    assert split(trainer, "zqzqzq" * 100) == "|".join("zq" * 300)


def test_hop_counts() -> None:
    trainer = trained(HOPS, PreTokenizer.NONE, 3)
    letters = {token.notation: id for id, token in enumerate(trainer.alphabet.units)}
    assert trainer.count((letters["p"], letters["s"]), 0) == 3
    assert trainer.count((letters["s"], letters["h"]), 0) == 4
    assert trainer.count((letters["o"], letters["p"]), 0) == 11
    assert (
        len(trainer.shares((letters["p"], letters["s"]), 0)) == 2
    )  # the count a learner gets without weights
    assert (trainer.initial_vocabulary_size, trainer.initial_length) == (4, 40)
    assert (trainer.steps[0].count, trainer.steps[0].vocabulary_size, trainer.steps[0].corpus_length) == (
        11,
        5,
        29,
    )
    assert merges(trainer) == ["h+o", "ho+p", "s+hop"]
    assert trainer.steps[2].count == 4
    ranked = trainer.ranked_pairs(2)
    assert [(dotted(map(trainer.token, r.pair)), r.count) for r in ranked] == [
        (["s", "hop"], 4),
        (["hop", "s"], 3),
    ]


def test_hop_split() -> None:
    trainer = trained(HOPS, PreTokenizer.NONE)
    assert merges(trainer)[:4] == ["h+o", "ho+p", "s+hop", "hop+s"]
    assert "|".join(dotted(trainer.tokenizer(4).tokenize("shops"))) == "shop|s"


def test_bytes_of_a_script_never_seen() -> None:
    trainer = trained("the cat sat on the mat", PreTokenizer.ARTICLE, unit=Unit.BYTE)
    ids = trainer.tokenizer().encode("שלום")
    assert len(ids) == 8
    assert min(ids) >= 0
    assert trainer.tokenizer().decode(ids) == "שלום"


# --- B. the compression lesson ---------------------------------------------------------------------------


def test_abracadabra_merges() -> None:
    trainer = trained(ABRACADABRA, PreTokenizer.NONE, ties=TieRule.COLUMN_MAJOR)
    assert merges(trainer) == [
        "r+a",
        "a+b",
        "ab+ra",
        "c+a",
        "ca+d",
        "cad+abra",
        "abra+cadabra",
        "abracadabra+·",
        "abracadabra·+abracadabra",
        "abracadabra·+abracadabra·abracadabra",
    ]
    assert [step.count for step in trainer.steps] == [6, 6, 6, 3, 3, 3, 3, 2, 1, 1]
    assert lengths(trainer) == [35, 29, 23, 17, 14, 11, 8, 5, 3, 2, 1]
    assert sizes(trainer) == list(range(6, 17))


def test_abracadabra_character_counts() -> None:
    trainer = trained(ABRACADABRA, PreTokenizer.NONE, 0)
    counts = {trainer.token(id).notation: n for id, n in trainer.token_counts(0).items()}
    assert counts == {" ": 2, "a": 15, "b": 6, "c": 3, "d": 3, "r": 6}


def test_abracadabra_every_token_has_two_parents() -> None:
    trainer = trained(ABRACADABRA, PreTokenizer.NONE, ties=TieRule.COLUMN_MAJOR)
    for step in trainer.steps:
        parents = trainer.parents(step.token)
        assert parents is not None
        left, right = map(trainer.token, parents)
        assert left.data + right.data == trainer.token(step.token).data
    assert [trainer.parents(id) for id in range(6)] == [None] * 6


def abracadabra_after_five() -> Trainer:
    return trained(ABRACADABRA, PreTokenizer.NONE, 5, ties=TieRule.COLUMN_MAJOR)


def test_abracadabra_after_five_merges() -> None:
    figures = measures.measure(
        abracadabra_after_five(), fragments=["abracadabra", "abra", "cad", "bra", "ac", "d"]
    )
    assert figures["corpus_length"] == 11
    assert figures["characters_per_token_distribution"] == {1: 2, 2: 0, 3: 3, 4: 6}
    assert figures["compression_ratio"] == pytest.approx(3.1818, abs=5e-5)
    assert figures["inverse_compression_ratio"] == pytest.approx(0.3143, abs=5e-5)
    assert figures["tokens_per_fragment"] == {
        "abracadabra": 3,
        "abra": 1,
        "cad": 1,
        "bra": 2,
        "ac": 2,
        "d": 1,
    }


def test_abracadabra_bits() -> None:
    figures = measures.measure(trained(ABRACADABRA, PreTokenizer.NONE, ties=TieRule.COLUMN_MAJOR))
    assert figures["ascii_bits"] == 280
    assert figures["fixed_width_bits"] == 105
    assert figures["order0_entropy_bits_per_character"] == pytest.approx(2.23978, abs=5e-6)
    assert figures["order0_bound_bits"] == pytest.approx(78.392, abs=5e-4)
    assert figures["huffman_bits"] == 80
    assert figures["huffman_code_lengths"] == [1, 3, 3, 3, 4, 4]
    assert figures["two_part_final_width"] == [105, 93, 81, 92, 88, 84, 80, 76, 76, 80, 84]
    assert (figures["best_k_final_width"], figures["best_bits_final_width"]) == (7, 76)
    assert figures["two_part_width_in_force"] == [105, 93, 81, 88, 84, 80, 76, 72, 72, 76, 80]
    assert (figures["best_k_width_in_force"], figures["best_bits_width_in_force"]) == (7, 72)


def test_abracadabra_doubled() -> None:
    text = " ".join([ABRACADABRA, ABRACADABRA])
    trainer = trained(text, PreTokenizer.NONE, ties=TieRule.COLUMN_MAJOR)
    assert lengths(trainer) == [71, 59, 47, 35, 29, 23, 17, 11, 6, 4, 3, 2, 1]
    figures = measures.measure(trainer)
    assert figures["two_part_final_width"] == [
        213, 183, 153, 164, 148, 132, 116, 100, 88, 88, 92, 120, 125
    ]  # fmt: skip
    assert figures["best_k_final_width"] == 8


def test_abracadabra_entropy_of_tokens() -> None:
    figures = measures.measure(abracadabra_after_five())
    assert figures["token_entropy_bits_per_token"] == pytest.approx(1.43537, abs=5e-6)
    assert figures["token_entropy_bits"] == pytest.approx(15.789, abs=5e-4)
    assert figures["bits_per_character"] == pytest.approx(0.45112, abs=5e-6)


def test_abracadabra_pmi() -> None:
    figures = measures.measure(abracadabra_after_five())
    pmi, weighted, saving = figures["pmi"], figures["count_times_pmi"], figures["fixed_width_saving"]
    assert isinstance(pmi, list) and isinstance(weighted, list) and isinstance(saving, list)
    assert pmi[:2] == [pytest.approx(1.26421, abs=5e-6), pytest.approx(1.73868, abs=5e-6)]
    assert weighted[:2] == [pytest.approx(7.585, abs=5e-4), pytest.approx(10.432, abs=5e-4)]
    assert saving[0] == 12


@pytest.mark.parametrize("ties", TieRule)
def test_one_abracadabra_has_a_three_way_tie(ties: TieRule) -> None:
    trainer = trained("abracadabra", PreTokenizer.NONE, ties=ties)
    assert trainer.steps[0].tied == 3
    tied = {"".join(trainer.token(id).notation for id in pair) for pair in trainer.tied_pairs(0)}
    assert (tied, trainer.steps[0].count) == ({"ab", "br", "ra"}, 2)


def test_xyzzy_with_characters_and_with_bytes() -> None:
    characters = abracadabra_after_five().tokenizer()
    assert [token.known for token in characters.tokenize("xyzzy")] == [False] * 5
    assert characters.decode_tokens(characters.tokenize("xyzzy")) == "xyzzy"
    trainer = trained(ABRACADABRA, PreTokenizer.NONE, 5, Unit.BYTE)
    assert trainer.tokenizer().encode("xyzzy") == [0x78, 0x79, 0x7A, 0x7A, 0x79]


# --- C. the GPT walk-through -----------------------------------------------------------------------------


def test_encyclopedia_example() -> None:
    for ties, second in ((TieRule.FIRST_SEEN, "AA+A"), (TieRule.LOWEST_IDS, "A+B")):
        trainer = trained("AAABDAAABAC", PreTokenizer.NONE, 3, ties=ties)
        assert merges(trainer)[:2] == ["A+A", second]
        assert (trainer.steps[0].count, trainer.steps[0].replacements) == (4, 2)
        assert lengths(trainer) == [11, 9, 7, 5]
        assert split(trainer, "AAABDAAABAC") == "AAAB|D|AAAB|A|C"


def test_encyclopedia_example_sizes() -> None:
    trainer = trained("aaabdaaabac", PreTokenizer.NONE, 3)
    assert list(zip(lengths(trainer), sizes(trainer), strict=True)) == [(11, 4), (9, 5), (7, 6), (5, 7)]
    bytes_ = trained("aaabdaaabac", PreTokenizer.NONE, 3, Unit.BYTE)
    assert (bytes_.vocabulary_size(3), bytes_.tokenizer().vocabulary_size) == (7, 259)


def test_cats_on_mats() -> None:
    trainer = trained(CATS, PreTokenizer.NONE, 10, Unit.BYTE)
    texts = [trainer.token(step.token).text for step in trainer.steps]
    assert texts == ["at", "at ", "e ", "th", "the ", "at\n", "a ", "cat ", " a ", "the cat "]
    assert [step.count for step in trainer.steps] == [13, 8, 6, 5, 5, 4, 4, 3, 3, 2]
    assert [step.token for step in trainer.steps] == list(range(256, 266))
    new = "the bat sat on the cat and the rat ate a mat"
    ids = trainer.tokenizer().encode(new)
    assert ids == [
        260, 98, 257, 115, 257, 111, 110, 32, 265, 97, 110, 100, 32, 260, 114, 257, 256, 258, 262, 109, 256
    ]  # fmt: skip
    assert len(ids) == 21
    assert trainer.tokenizer().decode(ids) == new
    assert trainer.tokenizer().vocabulary_size == 266


def test_a_vocabulary_of_276_is_20_merges() -> None:
    trainer = trained(CATS, PreTokenizer.NONE, 20, Unit.BYTE)
    assert trainer.tokenizer().vocabulary_size == 276


# --- D. the article with words and the marker ------------------------------------------------------------


def test_low_lower_lowest() -> None:
    trainer = trained("low lower lowest", PreTokenizer.WORD_END, 200)
    assert merges(trainer) == ["l+o", "lo+w", "low+e"]
    assert [step.count for step in trainer.steps] == [3, 3, 2]
    assert trainer.min_count == 2
    assert trainer.stop is StopReason.BELOW_MIN_COUNT


def test_w_and_the_marker_stand_together_once() -> None:
    # The article says three times; only "low" ends in w.
    trainer = trained("low lower lowest", PreTokenizer.WORD_END, 0)
    w = next(id for id, token in enumerate(trainer.alphabet.units) if token.notation == "w")
    marker = trainer.alphabet.marker_id
    assert marker is not None
    assert trainer.count((w, marker), 0) == 1
    assert [share.word for share in trainer.shares((w, marker), 0)] == ["low"]


def test_lowly_with_two_merges() -> None:
    trainer = trained("low lower lowest", PreTokenizer.WORD_END, 2)
    assert split(trainer, "lowly") == "low|l|y|</w>"
    plain = trained("low lower lowest", PreTokenizer.WHITESPACE, 2)
    assert split(plain, "lowly") == "low|l|y"
    assert [token.known for token in plain.tokenizer().tokenize("lowly")] == [True, True, False]


def test_each_use_of_a_word_counts() -> None:
    trainer = trained("low low lower", PreTokenizer.WORD_END, 0)
    assert trainer.corpus.counts == (2, 1)


# --- results of others on their own inputs ---------------------------------------------------------------


def test_the_textbook_with_new_and_renew() -> None:
    table = [(" new", 2), (" renew", 2), ("set", 1), (" reset", 1)]
    trainer = trained(table, PreTokenizer.NONE, 8)
    assert merges(trainer) == ["n+e", "ne+w", "·+r", "·r+e", "·+new", "·re+new", "s+e", "se+t"]
    assert [step.count for step in trainer.steps] == [4, 4, 3, 3, 2, 2, 2, 2]
    # n+e shares its count with e+w, ␣+r with r+e, ␣+new with ␣re+new, s+e and e+t.
    assert [step.tied for step in trainer.steps] == [2, 1, 2, 1, 4, 3, 2, 1]


HUGS = [("hug", 10), ("pug", 5), ("pun", 12), ("bun", 4), ("hugs", 5)]


def test_the_course_with_hugs() -> None:
    trainer = trained(HUGS, PreTokenizer.NONE, 3)
    assert merges(trainer) == ["u+g", "u+n", "h+ug"]
    assert [step.count for step in trainer.steps] == [20, 16, 15]
    assert split(trainer, "thug") == "t|hug"
    assert split(trainer, "bug") == "b|ug"
    assert split(trainer, "hugs") == "hug|s"
    assert split(trainer, "unhug") == "un|hug"
    thug = trainer.tokenizer().tokenize("thug")
    assert [token.known for token in thug] == [False, True]


def test_low_lower_newest_widest_with_the_marker() -> None:
    table = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)]
    trainer = trained(table, PreTokenizer.WORD_END, 10)
    # e+s and s+t and t+marker share 9; then l+o and o+w share 7.
    assert merges(trainer) == [
        "e+s",
        "es+t",
        "est+</w>",
        "l+o",
        "lo+w",
        "n+e",
        "ne+w",
        "new+est</w>",
        "low+</w>",
        "w+i",
    ]
    assert [step.count for step in trainer.steps] == [9, 9, 9, 7, 7, 6, 6, 6, 5, 3]
    assert split(trainer, "lowest") == "low|est</w>"


# --- inputs that tools of this kind are known to get wrong -----------------------------------------------


def test_one_letter_words_with_the_marker() -> None:
    # rsennrich/subword-nmt fuses the marker to the letter and then has no pair at all.
    trainer = trained("a b a b a", PreTokenizer.WORD_END)
    assert merges(trainer) == ["a+</w>", "b+</w>"]
    assert [step.count for step in trainer.steps] == [3, 2]
    assert (lengths(trainer), sizes(trainer)) == ([10, 7, 5], [3, 4, 5])


def test_overlaps_count() -> None:
    # karpathy/minbpe#51: without overlaps a+b would win alone.
    trainer = trained("aaaababab", PreTokenizer.NONE, 1)
    step = trainer.steps[0]
    assert (merges(trainer), step.count, step.tied, step.replacements) == (["a+a"], 3, 2, 2)
    assert lengths(trainer) == [9, 7]


@pytest.mark.parametrize(
    ("n", "pairs", "counts", "replaced", "lengths_"),
    [
        (7, ["a+a", "aa+aa", "aaaa+aa", "aaaaaa+a"], [6, 2, 1, 1], [3, 1, 1, 1], [7, 4, 3, 2, 1]),
        (8, ["a+a", "aa+aa", "aaaa+aaaa"], [7, 3, 1], [4, 2, 1], [8, 4, 2, 1]),
    ],
)
def test_one_letter_repeated(
    n: int, pairs: list[str], counts: list[int], replaced: list[int], lengths_: list[int]
) -> None:
    # google/sentencepiece#318
    trainer = trained("a" * n, PreTokenizer.NONE)
    assert merges(trainer) == pairs
    assert [step.count for step in trainer.steps] == counts
    assert [step.replacements for step in trainer.steps] == replaced
    assert (lengths(trainer), sizes(trainer)) == (lengths_, list(range(1, len(pairs) + 2)))


@pytest.mark.parametrize(
    ("text", "ties", "expected"),
    [
        ("bbbaaaddddcccc", TieRule.FIRST_SEEN, "dd cc bb aa"),
        ("aaabbbccccdddd", TieRule.FIRST_SEEN, "cc dd aa bb"),
        ("bbbaaaddddcccc", TieRule.LOWEST_IDS, "cc dd aa bb"),
        ("aaabbbccccdddd", TieRule.LOWEST_IDS, "cc dd aa bb"),
    ],
)
def test_order_of_letters_decides_only_where_the_rule_says_so(
    text: str, ties: TieRule, expected: str
) -> None:
    # karpathy/minbpe PR 90
    trainer = trained(text, PreTokenizer.NONE, 4, ties=ties)
    assert " ".join(dotted(trainer.token(step.token) for step in trainer.steps)) == expected
    assert lengths(trainer) == [14, 12, 10, 9, 8]


def test_every_pair_counts_one() -> None:
    # huggingface/tokenizers#1065
    for ties in (TieRule.FIRST_SEEN, TieRule.COLUMN_MAJOR):
        trainer = trained("abcd", PreTokenizer.NONE, ties=ties)
        assert merges(trainer) == ["a+b", "ab+c", "abc+d"]
        assert lengths(trainer) == [4, 3, 2, 1]
    # The new token has the highest id, so c+d comes before ab+c: what huggingface/tokenizers does too.
    assert merges(trained("abcd", PreTokenizer.NONE, ties=TieRule.LOWEST_IDS)) == ["a+b", "c+d", "ab+cd"]
    assert merges(trained("abcd", PreTokenizer.NONE, min_count=2)) == []


def test_a_pair_that_survives_a_merge_keeps_its_count() -> None:
    # google/sentencepiece#318
    trainer = trained("bc a aaa", PreTokenizer.WORD_END, min_count=1)
    assert (merges(trainer)[0], trainer.steps[0].count) == ("a+</w>", 2)
    ranked = trainer.ranked_pairs(1)
    assert [r.count for r in ranked] == [1, 1, 1, 1]
    assert ["a", "a"] in [dotted(map(trainer.token, r.pair)) for r in ranked]
    assert (lengths(trainer), sizes(trainer)) == ([9, 7, 6, 5, 4, 3], [4, 5, 6, 7, 8, 9])


def test_a_space_is_a_unit_like_any_other() -> None:
    # huggingface/tokenizers#645
    trainer = trained("a b", PreTokenizer.NONE, 0)
    assert [dotted(map(trainer.token, word)) for word in trainer.words_at(0)] == [["a", "·", "b"]]


def test_a_token_of_a_word_end_stays_at_word_ends() -> None:
    # rsennrich/subword-nmt#19
    trainer = trained("fund und", PreTokenizer.WORD_END, 3)
    assert merges(trainer) == ["u+n", "un+d", "und+</w>"]
    assert split(trainer, "funds") == "f|und|s|</w>"
    assert split(trainer, "fun") == "f|un|</w>"


def test_counts_of_a_repeated_word_are_added() -> None:
    trainer = trained("low low", PreTokenizer.WHITESPACE, 1)
    assert (merges(trainer), trainer.steps[0].count, lengths(trainer)) == (["l+o"], 2, [6, 4])


@pytest.mark.parametrize("character", ["\u2026", "\ufe30", "\ufb01", "\u2460"])
def test_nothing_is_normalised(character: str) -> None:
    # google/sentencepiece#329
    trainer = trained(character, PreTokenizer.NONE)
    assert (trainer.initial_length, [u.text for u in trainer.alphabet.units]) == (1, [character])
    assert trainer.tokenizer().decode(trainer.tokenizer().encode(character)) == character
    assert trained(character, PreTokenizer.NONE, unit=Unit.BYTE).initial_length == 3


def test_a_token_that_holds_itself_decodes_whole() -> None:
    # Natooz/MidiTok#24
    trainer = trained("abcabcabc", PreTokenizer.NONE)
    assert merges(trainer) == ["a+b", "ab+c", "abc+abc", "abcabc+abc"]
    assert [(step.count, step.replacements) for step in trainer.steps[2:3]] == [(2, 1)]
    assert lengths(trainer) == [9, 6, 3, 2, 1]
    assert trainer.tokenizer().decode(trainer.tokenizer().encode("abcabcabc")) == "abcabcabc"


def test_curly_quotes_share_their_first_bytes() -> None:
    # latitudegames/GPT-3-Encoder#37
    text = "\u201ca\u201d \u201ca\u201d"
    trainer = trained(text, PreTokenizer.NONE, 3, Unit.BYTE)
    assert (merges(trainer)[0], trainer.steps[0].count) == ("e2+80", 4)
    assert trainer.token(256).text is None  # not a whole character
    assert lengths(trainer) == [15, 11, 9, 7]
    assert trainer.tokenizer().decode(trainer.tokenizer().encode(text)) == text


def test_two_emoji_families() -> None:
    # orling/grapheme-splitter#7: every code point is a unit
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert lengths(trained(family * 2, PreTokenizer.NONE)) == [10, 8, 6, 4, 2, 1]
    units = {family: (5, 18), "\U0001f1fa\U0001f1f3": (2, 8), "\U0001f44d\U0001f3fd": (2, 8)}
    units["\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"] = (7, 28)
    for text, (characters, bytes_) in units.items():
        assert trained(text, PreTokenizer.NONE, 0).initial_length == characters
        assert trained(text, PreTokenizer.NONE, 0, Unit.BYTE).initial_length == bytes_


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [("a b a b", "a+·", [7, 5, 3, 2, 1]), ("# # #", "#+·", [5, 3, 2, 1])],
)
def test_tokens_with_spaces_and_signs(text: str, first: str, after: list[int]) -> None:
    # huggingface/tokenizers#566; huggingface/tokenizers#482 (a merge that looks like a comment)
    trainer = trained(text, PreTokenizer.NONE)
    assert merges(trainer)[0] == first
    assert lengths(trainer) == after


def test_control_characters_are_units() -> None:
    trainer = trained("a\x00b\x1bc\x7f", PreTokenizer.NONE)
    assert trainer.initial_length == 6
    assert trainer.tokenizer().decode(trainer.tokenizer().encode("a\x00b\x1bc\x7f")) == "a\x00b\x1bc\x7f"


def test_a_typed_marker_is_four_characters() -> None:
    trainer = trained("low</w> low", PreTokenizer.WORD_END, 0)
    typed, plain = trainer.words_at(0)
    assert (len(typed), len(plain)) == (3 + 4 + 1, 3 + 1)
    assert typed[-1] == plain[-1] == trainer.alphabet.marker_id
    assert typed.count(typed[-1]) == 1
