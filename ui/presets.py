"""The training texts a learner can start from, each with the settings its article uses. Data only."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core.alphabet import Unit
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule


@dataclass(frozen=True, slots=True)
class Preset:
    """A training text (or word counts) with settings, a line that says so, and a first new text to split."""

    name: str
    label: str
    about: str
    new_text: str
    text: str | None = None
    word_counts: tuple[tuple[str, int], ...] | None = None
    unit: Unit = Unit.CHAR
    pre_tokenizer: PreTokenizer = PreTokenizer.ARTICLE
    ties: TieRule = TieRule.FIRST_SEEN
    min_count: int = 1


_ALL = (
    Preset(
        "review",
        "review",
        "A one-line review, cut into words by the article's pattern; ties go to the pair seen first.",
        "the maker baked cakes",
        text="the café baker bakes cakes, the café bakes soufflé",
    ),
    Preset(
        "abracadabra",
        "abracadabra",
        "The compression lesson: no word splitting, so merges may cross spaces; ties go to the lowest "
        "right-hand token, then the lowest left-hand one.",
        "abra cadabra",
        text="abracadabra abracadabra abracadabra",
        pre_tokenizer=PreTokenizer.NONE,
        ties=TieRule.COLUMN_MAJOR,
    ),
    Preset(
        "cats",
        "cats",
        "The GPT walk-through: UTF-8 bytes, no word splitting, line breaks kept, so merge 1 makes token 256.",
        "the bat sat on the cat and the rat ate a mat",
        text=(
            "\nthe cat sat on the mat\nthe cat ate the fat rat\n"
            "the rat sat on a mat\na cat and a rat and a bat\n"
        ),
        unit=Unit.BYTE,
        pre_tokenizer=PreTokenizer.NONE,
    ),
    Preset(
        "aaabdaaabac",
        "AAABDAAABAC",
        "The encyclopedia's example, as bytes without word splitting. A + A overlaps itself: it is counted "
        "four times but replaced twice.",
        "AAABAC",
        text="AAABDAAABAC",
        unit=Unit.BYTE,
        pre_tokenizer=PreTokenizer.NONE,
    ),
    Preset(
        "low",
        "low lower",
        "Words split at white space, each closed by an end-of-word marker; a pair must occur at least twice.",
        "lowly",
        text="low lower lowest",
        pre_tokenizer=PreTokenizer.WORD_END,
        min_count=2,
    ),
    Preset(
        "hop",
        "hop shop",
        "Four words given with their counts instead of a text: hop 5, hops 2, shop 3, shops 1.",
        "shops",
        word_counts=(("hop", 5), ("hops", 2), ("shop", 3), ("shops", 1)),
        pre_tokenizer=PreTokenizer.NONE,
    ),
    Preset(
        "scripts",
        "scripts",
        "One short sentence of ours in eight scripts with an emoji, cut by GPT-4o's pattern.",
        "Чай חם, chai गरम ☕",
        text=(
            "Good tea is hot ☕\n"
            "Хороший чай горячий ☕\n"
            "Το καλό τσάι είναι ζεστό ☕\n"
            "תה טוב הוא חם ☕\n"
            "الشاي الجيد ساخن ☕\n"
            "अच्छी चाय गरम होती है ☕\n"
            "好茶是热的 ☕\n"
            "좋은 차는 뜨겁다 ☕"
        ),
        pre_tokenizer=PreTokenizer.O200K,
    ),
)

#: Presets by the name that links use, in the order they are offered.
PRESETS: dict[str, Preset] = {preset.name: preset for preset in _ALL}
DEFAULT_PRESET = "review"
