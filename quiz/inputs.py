"""What a question is about: a corpus and the settings it is trained with.

Every answer, wrong option and figure is computed from these by ``bpe_core`` (``figures``), so a key can
never disagree with the algorithm. Inputs are data: two equal ones give equal answers.

Not here: writing links as text (the pages join the parameters), long corpora (a question's corpus is
small enough to work through by hand).
"""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.errors import SettingError
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule, Trainer


@dataclass(frozen=True, slots=True)
class Inputs:
    """A corpus (``text`` or ``word_counts``, exactly one) and the settings of its training.

    ``preset`` is the name links use for this corpus, if it has one. ``min_count`` None leaves the
    default: 2 with the end-of-word marker, otherwise 1.

    >>> HOP.trainer().initial_length
    40
    >>> HOP.query(k=2, new="shops")["preset"]
    'hop'
    """

    text: str | None = None
    word_counts: tuple[tuple[str, int], ...] | None = None
    unit: Unit = Unit.CHAR
    pre_tokenizer: PreTokenizer = PreTokenizer.ARTICLE
    ties: TieRule = TieRule.FIRST_SEEN
    min_count: int | None = None
    preset: str | None = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.word_counts is None):
            raise SettingError(
                "A question's corpus is either a text or a table of word counts, one of the two."
            )

    def corpus(self) -> Corpus:
        """The corpus, cut and counted."""
        if self.word_counts is not None:
            return Corpus.from_word_counts(self.word_counts, self.pre_tokenizer)
        return Corpus.from_text(self.text or "", self.pre_tokenizer)

    def trainer(self) -> Trainer:
        """A fresh trainer, nothing learned yet. It is the caller's own: trainers are not shared."""
        return Trainer(self.corpus(), self.unit, self.ties, self.min_count)

    def query(self, k: int = 0, new: str | None = None) -> dict[str, str]:
        """The parameters of the link that opens the lab at exactly this state.

        Every setting is written out, whatever the lab's own default is.
        """
        query: dict[str, str] = {}
        if self.preset is not None:
            query["preset"] = self.preset
        elif self.word_counts is not None:
            query["counts"] = "\n".join(f"{word}\t{count}" for word, count in self.word_counts)
        else:
            query["text"] = self.text or ""
        query["unit"] = self.unit.value
        query["pre"] = self.pre_tokenizer.value
        query["ties"] = self.ties.value
        query["min"] = str(self.least_count)
        query["k"] = str(k)
        if new is not None:
            query["new"] = new
        return query

    @property
    def least_count(self) -> int:
        """The minimum count in force."""
        if self.min_count is not None:
            return self.min_count
        return 2 if self.pre_tokenizer.has_marker else 1


REVIEW = Inputs("the café baker bakes cakes, the café bakes soufflé", preset="review")
ABRACADABRA = Inputs(
    "abracadabra abracadabra abracadabra",
    pre_tokenizer=PreTokenizer.NONE,
    ties=TieRule.COLUMN_MAJOR,
    preset="abracadabra",
)
CATS = Inputs(
    "\nthe cat sat on the mat\nthe cat ate the fat rat\nthe rat sat on a mat\na cat and a rat and a bat\n",
    unit=Unit.BYTE,
    pre_tokenizer=PreTokenizer.NONE,
    preset="cats",
)
AAABDAAABAC = Inputs("AAABDAAABAC", unit=Unit.BYTE, pre_tokenizer=PreTokenizer.NONE, preset="aaabdaaabac")
LOW = Inputs("low lower lowest", pre_tokenizer=PreTokenizer.WORD_END, min_count=2, preset="low")
HOP = Inputs(
    word_counts=(("hop", 5), ("hops", 2), ("shop", 3), ("shops", 1)),
    pre_tokenizer=PreTokenizer.NONE,
    preset="hop",
)

#: The corpora that links and sheets can name.
PRESETS: dict[str, Inputs] = {
    inputs.preset: inputs
    for inputs in (REVIEW, ABRACADABRA, CATS, AAABDAAABAC, LOW, HOP)
    if inputs.preset is not None
}
