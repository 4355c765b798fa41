"""The raw material of made questions: small corpora, new words, and texts in many scripts.

Corpora come from families of words that share pieces, with counts by chance, or from the words of a
learner's own corpus. Either way they are small enough to work through by hand.

Not here: the questions (``made``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule

from .dice import Dice
from .inputs import Inputs

WordCounts = tuple[tuple[str, int], ...]

#: Words that share pieces. The last few repeat a letter, so that pairs overlap themselves.
FAMILIES: tuple[tuple[str, ...], ...] = (
    ("hop", "hops", "shop", "shops", "chop", "hoping"),
    ("rain", "train", "brain", "drain", "trains", "rainy"),
    ("cat", "cats", "scatter", "chat", "chats", "catch"),
    ("tea", "teas", "team", "steam", "steams", "teach"),
    ("low", "slow", "slower", "lower", "flow", "flows"),
    ("ear", "near", "nearer", "hear", "hears", "earn"),
    ("old", "cold", "colder", "gold", "golden", "folds"),
    ("and", "sand", "hand", "hands", "sandy", "stand"),
    ("ring", "string", "bring", "brings", "spring", "wring"),
    ("land", "island", "lands", "lane", "planet", "plane"),
    ("over", "cover", "covers", "lover", "clover", "oven"),
    ("tin", "tins", "satin", "tint", "matinee", "mint"),
    ("ate", "late", "later", "plate", "plates", "slate"),
    ("pen", "open", "opens", "spend", "pens", "happen"),
    ("eel", "feel", "feels", "steel", "wheel", "wheels"),
    ("oat", "boat", "boats", "goat", "float", "coats"),
    ("all", "ball", "balls", "small", "hall", "smaller"),
    ("ink", "drink", "drinks", "think", "pink", "sink"),
    ("nut", "nuts", "minute", "donut", "peanut", "peanuts"),
    ("ice", "rice", "slice", "slices", "price", "nice"),
    ("ban", "banana", "bananas", "cabana", "banner", "urban"),
    ("papa", "pap", "papaya", "paper", "tapas", "tapa"),
    ("mississippi", "miss", "sip", "sipping", "missing", "mist"),
    ("hmm", "hmmm", "mmm", "ham", "hum", "hummm"),
    ("brr", "brrr", "grr", "grrr", "grab", "brag"),
    ("zzz", "buzz", "buzzz", "fuzz", "jazz", "jazzz"),
    ("ooh", "oooh", "boo", "booo", "hoot", "boot"),
    ("aah", "aaah", "haaa", "haha", "aha", "ahaa"),
)

#: Texts for questions about bytes, by level: one accent, other alphabets, everything.
TEXTS: tuple[tuple[str, ...], ...] = (
    (
        "café",
        "naïve",
        "señor",
        "über",
        "façade",
        "crème",
        "jalapeño",
        "smörgås",
        "tête",
        "piñata",
        "déjà",
        "año",
    ),
    ("чай", "хлеб", "μέλι", "καφές", "שלום", "מים", "شاي", "خبز", "młyn", "žluť", "ψωμί", "вода"),
    (
        "好茶",
        "水",
        "お茶",
        "커피",
        "चाय",
        "पानी",
        "ชา",
        "☕",
        "👍",
        "tea ☕",
        "€5",
        "πi≈3",
        "7 €",
        "naïve 🙂",
    ),
)

#: Phrases for "how many tokens at most", by level.
PHRASES: tuple[tuple[str, ...], ...] = (
    ("שלום", "мир", "тепло", "ήλιος", "شمس", "вода", "מים", "φως"),
    ("добрый день", "καλή μέρα", "בוקר טוב", "صباح الخير", "très bien", "más té"),
    ("おはよう", "좋은 아침", "你好世界", "शुभ दिन", "สวัสดี", "tea ☕ or чай", "café ☕", "喝茶 please"),
)


def usable_words(corpus: Corpus) -> WordCounts:
    """The words of a corpus that suit an exercise by hand: 2 to 9 letters, counts cut at 9, no spaces.

    Empty when there are fewer than three.

    >>> usable_words(Corpus.from_text("the café baker bakes cakes, the café"))
    (('the', 2), ('café', 2), ('baker', 1), ('bakes', 1), ('cakes', 1))
    """
    counts: dict[str, int] = {}
    for word, count in zip(corpus.words[:20_000], corpus.counts, strict=False):
        for part in word.split()[:50]:
            letters = all(unicodedata.category(c)[0] in "LMN" for c in part)
            if 2 <= len(part) <= 9 and letters:
                counts[part] = counts.get(part, 0) + count
    if len(counts) < 3:
        return ()
    return tuple((word, min(count, 9)) for word, count in list(counts.items())[:500])


def small_corpus(
    dice: Dice, level: int, words: WordCounts = (), ties: TieRule = TieRule.FIRST_SEEN
) -> Inputs:
    """A corpus of three to five words for one question; ``words`` are the learner's own to choose from."""
    size = level + 2
    if words:
        return _inputs(_own(dice, size, words), ties)
    family = dice.pick(FAMILIES)
    highest = (5, 9, 20)[level - 1]
    chosen = dice.shuffled(family)[:size]
    return _inputs(tuple((word, dice.between(1, highest)) for word in chosen), ties)


def _inputs(words: WordCounts, ties: TieRule) -> Inputs:
    return Inputs(word_counts=words, pre_tokenizer=PreTokenizer.NONE, ties=ties)


def _own(dice: Dice, size: int, words: WordCounts) -> WordCounts:
    """Words that share letters with a first one picked by chance, so that there is something to merge."""
    some = dice.shuffled(words)[:60]
    first = set(zip(some[0][0], some[0][0][1:], strict=False))

    def shared(entry: tuple[str, int]) -> int:
        return len(first & set(zip(entry[0], entry[0][1:], strict=False)))

    rest = sorted(some[1:], key=lambda entry: -shared(entry))
    return (some[0], *rest[: size - 1])


def new_word(dice: Dice, words: Sequence[str]) -> tuple[str, str] | None:
    """A word not among ``words``: the start of one and the end of another; None if none was found."""
    for _ in range(20):
        one, other = dice.pick(words), dice.pick(words)
        start = one[: dice.between(1, len(one))]
        end = other[-dice.between(1, len(other)) :]
        made = start + end
        plain = unicodedata.is_normalized("NFC", made) and not unicodedata.combining(end[0])
        if 4 <= len(made) <= 9 and made not in words and plain:
            return start, end
    return None
