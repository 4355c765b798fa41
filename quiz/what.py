"""What can be asked of the core, as data: the names of all figures and the record of one.

The words of ``What`` are also what a teacher's sheet writes after ``asks =``. Not here: working a figure
out (``figures``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from .inputs import Inputs


class What(Enum):
    """What is asked. The value is the word a sheet uses."""

    # The corpus after k merges.
    CORPUS_LENGTH = "corpus-length"
    VOCABULARY_SIZE = "vocabulary-size"
    DEFINED_VOCABULARY_SIZE = "vocabulary-size-with-unused-bytes"
    MERGES_UNTIL_DRY = "merges-until-dry"
    MERGES_FOR_SIZE = "merges-for-vocabulary-size"
    DISTINCT_WORDS = "distinct-words"
    TOKEN_COUNT = "token-count"
    # A pair after k merges.
    PAIR = "pair"
    PAIR_COUNT = "pair-count"
    PAIR_REPLACEMENTS = "pair-replacements"
    PAIR_WORDS_ONCE = "pair-count-words-once"
    PAIR_WORDS_WITH = "pair-count-one-per-word"
    # Merge number k.
    MERGE_PAIR = "merge-pair"
    MERGE_TOKEN = "merge-token"
    MERGE_COUNT = "merge-count"
    MERGE_REPLACEMENTS = "merge-replacements"
    MERGE_TIED = "merge-tied-pairs"
    MERGE_NUMBER_OF = "merge-number-of-token"
    TOKEN_ID = "token-id"
    RUNNER_UP = "runner-up-pair"
    TOP_PAIR_WORDS_ONCE = "top-pair-words-once"
    TOP_PAIR_REPLACEMENTS = "top-pair-replacements"
    # Merge number k as a mistake counts it.
    LENGTH_BY_COUNT = "corpus-length-minus-count"
    LENGTH_MERGED_ONCE = "corpus-length-minus-one"
    LENGTH_BOTH_REMOVED = "corpus-length-minus-both-tokens"
    SIZE_PARENTS_REMOVED = "vocabulary-size-without-parents"
    # New text under the first k merges.
    SPLIT = "split"
    SPLIT_LENGTH = "split-length"
    SPLIT_LONGEST = "split-longest-match"
    SPLIT_BACKWARDS = "split-last-merge-first"
    SPLIT_IN_TWO = "split-in-two"
    UNSEEN_UNITS = "unseen-units"
    UNKNOWN_WORDS = "unknown-words"
    # A text by itself.
    CHARACTERS = "characters"
    BYTES = "bytes"
    BYTES_UTF16 = "bytes-utf16"
    BYTES_UTF32 = "bytes-utf32"
    MOST_TOKENS = "most-tokens"
    WORDS = "words"
    # GPT-4o's real vocabulary.
    REAL_SPLIT = "gpt4o-split"
    REAL_LENGTH = "gpt4o-split-length"
    REAL_SIZE = "gpt4o-vocabulary-size"
    # Bits.
    ASCII_BITS = "ascii-bits"
    FIXED_BITS = "fixed-width-bits"
    ENTROPY = "entropy-per-character"
    ENTROPY_BITS = "entropy-bits"
    HUFFMAN_BITS = "huffman-bits"
    WIDTH = "token-width"
    DATA_BITS = "data-bits"
    TABLE_BITS = "table-bits"
    TWO_PART_BITS = "two-part-bits"
    TWO_PART_BITS_IN_FORCE = "two-part-bits-in-force"
    BEST_K = "best-k"
    BEST_BITS = "best-bits"
    RATIO = "compression-ratio"
    INVERSE_RATIO = "inverse-compression-ratio"
    TOKEN_ENTROPY = "entropy-per-token"
    BITS_PER_CHARACTER = "bits-per-character"
    PMI = "pmi"
    # Bits as a mistake gives them.
    ONE_ID_BITS = "bits-one-id-per-merge"
    FIRST_WIDTH_BITS = "bits-at-first-width"
    BYTE_WIDTH_BITS = "bits-eight-per-token"
    # A number, a token or two that the question states itself.
    NUMBER = "number"
    TOKEN = "token"
    TWO_TOKENS = "two-tokens"


@dataclass(frozen=True, slots=True)
class Figure:
    """One question to the core, which ``figures.value`` answers; ``needs`` says which arguments count."""

    what: What
    inputs: Inputs | None = None
    k: int = 0
    left: str = ""
    right: str = ""
    new: str = ""
    number: float = 0


_TEXT_ONLY = (
    What.CHARACTERS, What.BYTES, What.BYTES_UTF16, What.BYTES_UTF32, What.MOST_TOKENS, What.WORDS,
    What.REAL_SPLIT, What.REAL_LENGTH,
)  # fmt: skip
_PAIRS = (
    What.PAIR, What.PAIR_COUNT, What.PAIR_REPLACEMENTS, What.PAIR_WORDS_ONCE, What.PAIR_WORDS_WITH,
)  # fmt: skip
_NEW_TEXT = (
    What.SPLIT, What.SPLIT_LENGTH, What.SPLIT_LONGEST, What.SPLIT_BACKWARDS, What.UNSEEN_UNITS,
    What.UNKNOWN_WORDS,
)  # fmt: skip


def needs(what: What) -> Sequence[str]:
    """The arguments a figure cannot do without: any of corpus, pair, token, new, number.

    >>> needs(What.PAIR_COUNT), needs(What.BYTES)
    (('corpus', 'pair'), ('new',))
    """
    if what in _TEXT_ONLY:
        return ("new",)
    if what is What.REAL_SIZE:
        return ()
    if what in (What.NUMBER, What.MERGES_FOR_SIZE):
        return ("number",)
    if what in _PAIRS:
        return ("corpus", "pair")
    if what in _NEW_TEXT:
        return ("corpus", "new")
    if what is What.TOKEN:
        return ("token",)
    if what is What.TWO_TOKENS:
        return ("pair",)
    if what in (What.TOKEN_COUNT, What.MERGE_NUMBER_OF, What.TOKEN_ID):
        return ("corpus", "token")
    return ("corpus",)
