"""The mistakes people really make with byte-pair encoding, each with a name a teacher can read in a table.

The value of each is what results files hold, so it never changes. Not here: how a wrong answer is
traced to one of them (``checking``, ``predict``, ``cutting``).
"""

from __future__ import annotations

from enum import Enum


class Misconception(Enum):
    """One way of going wrong."""

    WORDS_ONCE = "words-once"
    OVERLAP_MISSED = "overlap-missed"
    COUNT_FOR_REPLACEMENTS = "count-for-replacements"
    ONE_PER_WORD = "one-per-word"
    OTHER_PAIR = "other-pair"
    ORDER_SWAPPED = "order-swapped"
    SINGLE_TOKEN_COUNT = "single-token-count"
    EARLIER_STATE = "earlier-state"
    LATER_STATE = "later-state"
    LESS_FREQUENT = "less-frequent"
    OTHER_TIE_RULE = "other-tie-rule"
    NOT_SIDE_BY_SIDE = "not-side-by-side"
    TOKEN_NOT_MADE_YET = "token-not-made-yet"
    ACROSS_WORDS = "across-words"
    STOPPED_EARLY = "stopped-early"
    MINIMUM_FORGOTTEN = "minimum-forgotten"
    PARENTS_REMOVED = "parents-removed"
    NOTHING_ADDED = "nothing-added"
    MERGED_ONCE = "merged-once"
    BOTH_TOKENS_REMOVED = "both-tokens-removed"
    SIZES_MIXED_UP = "sizes-mixed-up"
    LONGEST_MATCH = "longest-match"
    BY_MEANING = "by-meaning"
    MERGE_MISSED = "merge-missed"
    MERGE_INVENTED = "merge-invented"
    MERGE_ORDER = "merge-order"
    NO_MERGES = "no-merges"
    SPACE_LEFT_OUT = "space-left-out"
    CHARACTERS_FOR_BYTES = "characters-for-bytes"
    TWO_BYTES_EACH = "two-bytes-each"
    FOUR_BYTES_EACH = "four-bytes-each"
    WORDS_FOR_TOKENS = "words-for-tokens"
    UNKNOWN_TOKEN = "unknown-token"
    BASE_FORGOTTEN = "base-forgotten"
    UNUSED_BYTES = "unused-bytes"
    TRAINS_ON_NEW_TEXT = "trains-on-new-text"
    TABLE_FORGOTTEN = "table-forgotten"
    TABLE_HALVED = "table-halved"
    WIDTH_FIXED = "width-fixed"
    EIGHT_BITS_EACH = "eight-bits-each"
    LARGER_IS_BETTER = "larger-is-better"
    KNOWS_LANGUAGE = "knows-language"
    GREEDY_IS_BEST = "greedy-is-best"
    NOT_COMPARABLE = "not-comparable"
    RATIO_UPSIDE_DOWN = "ratio-upside-down"
    OPTION_MISSED = "option-missed"

    @property
    def label(self) -> str:
        """The mistake in a few words, for a teacher's table."""
        return _LABELS[self]


_LABELS = {
    Misconception.WORDS_ONCE: "Counted each word once, whatever its count",
    Misconception.OVERLAP_MISSED: "Left overlapping occurrences out of the count",
    Misconception.COUNT_FOR_REPLACEMENTS: "Subtracted the count where the replacements differ from it",
    Misconception.ONE_PER_WORD: "Counted a pair at most once in a word",
    Misconception.OTHER_PAIR: "Counted another pair",
    Misconception.ORDER_SWAPPED: "Swapped left and right",
    Misconception.SINGLE_TOKEN_COUNT: "Counted a single token, not a pair",
    Misconception.EARLIER_STATE: "Answered for an earlier state",
    Misconception.LATER_STATE: "Went one merge too far",
    Misconception.LESS_FREQUENT: "Chose a less frequent pair",
    Misconception.OTHER_TIE_RULE: "Broke the tie by another rule",
    Misconception.NOT_SIDE_BY_SIDE: "Chose tokens that do not stand side by side",
    Misconception.TOKEN_NOT_MADE_YET: "Used a token before its own merge",
    Misconception.ACROSS_WORDS: "Merged across the border between two words",
    Misconception.STOPPED_EARLY: "Said training had run dry while a pair was left",
    Misconception.MINIMUM_FORGOTTEN: "Forgot the minimum count",
    Misconception.PARENTS_REMOVED: "Took the merged tokens out of the vocabulary",
    Misconception.NOTHING_ADDED: "Forgot that a merge adds a token to the vocabulary",
    Misconception.MERGED_ONCE: "Merged one place instead of all",
    Misconception.BOTH_TOKENS_REMOVED: "Took two tokens off for each replacement",
    Misconception.SIZES_MIXED_UP: "Mixed up corpus length and vocabulary size",
    Misconception.LONGEST_MATCH: "Took the longest token that fits instead of replaying merges",
    Misconception.BY_MEANING: "Cut by meaning (stem and ending)",
    Misconception.MERGE_MISSED: "Missed a merge",
    Misconception.MERGE_INVENTED: "Joined what no merge joins",
    Misconception.MERGE_ORDER: "Applied merges out of order",
    Misconception.NO_MERGES: "Left the text in base units",
    Misconception.SPACE_LEFT_OUT: "Left out the space that belongs to the token",
    Misconception.CHARACTERS_FOR_BYTES: "Counted characters, not bytes",
    Misconception.TWO_BYTES_EACH: "Counted two bytes for every character",
    Misconception.FOUR_BYTES_EACH: "Counted four bytes for every character",
    Misconception.WORDS_FOR_TOKENS: "Took words for tokens",
    Misconception.UNKNOWN_TOKEN: "Expected an unknown token where none can occur",
    Misconception.BASE_FORGOTTEN: "Left the base units out",
    Misconception.UNUSED_BYTES: "Mixed up units in use and all 256 bytes",
    Misconception.TRAINS_ON_NEW_TEXT: "Thought that encoding learns from new text",
    Misconception.TABLE_FORGOTTEN: "Left the merge table out of the cost",
    Misconception.TABLE_HALVED: "Charged one id for a merge instead of two",
    Misconception.WIDTH_FIXED: "Kept the first bit width although the vocabulary grew",
    Misconception.EIGHT_BITS_EACH: "Charged eight bits for every token",
    Misconception.LARGER_IS_BETTER: "Thought that more merges are always better",
    Misconception.KNOWS_LANGUAGE: "Thought that BPE knows words, stems or grammar",
    Misconception.GREEDY_IS_BEST: "Thought that greedy merging is optimal",
    Misconception.NOT_COMPARABLE: "Compared figures that have different units",
    Misconception.RATIO_UPSIDE_DOWN: "Turned the ratio upside down",
    Misconception.OPTION_MISSED: "Found some right options, not all",
}
