"""Cut the word: the exercise in hand, where one learner stands in it, and its text for the browser.

``Exercise`` is a word and a merge list; ``Cutting`` is one learner's place: which word, which cuts, what was
checked, how the earlier words went. Verdicts are asked of ``quiz.cutting`` again, so a reload shows the same.

Not here: judging (``quiz.cutting``), making words (``quiz.cut_words``), drawing (the page).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from html import escape

from bpe_core.alphabet import Token
from bpe_core.encoding import Tokenizer
from bpe_core.text import clean_text
from bpe_core.training import Trainer
from quiz.cut_words import UNITS_LIMIT, given_words, word_to_cut
from quiz.cutting import CutJudgement, base_units
from quiz.errors import ProgressFileError
from quiz.made import MadeKind, made_question
from quiz.misconceptions import Misconception

from . import lab as labs
from .made_links import MadeSheet
from .say import Part, strong, tok
from .tables import written

FORMAT = "bpe-cut"
#: How many merges of each example are listed: enough to be worth replaying by hand.
EXAMPLE_MERGES = {
    "review": 8,
    "abracadabra": 5,
    "cats": 10,
    "aaabdaaabac": 3,
    "low": 3,
    "hop": 4,
    "scripts": 20,
}
#: A word of the learner's own, in characters.
OWN_LIMIT = 60
#: Words whose outcome is remembered.
TALLY_LIMIT = 200
#: Merges written out as a list; a longer one becomes a table.
LISTED = 60


@dataclass(frozen=True, slots=True)
class Exercise:
    """A word, the merges to cut it with, and how to open the same in the lab.

    ``text`` is None where the corpus gives no word. ``units`` are what can be cut apart.
    """

    slot: str
    trainer: Trainer
    tokenizer: Tokenizer
    k: int
    text: str | None
    units: tuple[Token, ...]
    query: dict[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The first check on one word."""

    word: str
    right: bool
    misconception: Misconception | None = None


@dataclass(frozen=True, slots=True)
class Cutting:
    """Where a learner stands: word ``number`` or an ``own`` one, the cuts now, the cuts last checked.

    Cuts are positions between units, 1 being after the first. ``counted`` is True once this word's first
    check is in the tally.
    """

    number: int = 0
    own: str = ""
    cuts: tuple[int, ...] = ()
    checked: tuple[int, ...] | None = None
    counted: bool = False
    tally: tuple[Outcome, ...] = ()

    def next_word(self) -> Cutting:
        """Another word; one of the learner's own is put away."""
        return Cutting(self.number if self.own else self.number + 1, tally=self.tally)

    def own_word(self, word: str) -> Cutting:
        """A word of the learner's own; an empty one goes back to the row."""
        return self if word == self.own else Cutting(self.number, word, tally=self.tally)

    def checked_as(self, word: str, judged: CutJudgement) -> Cutting:
        """The cuts are judged; the first check on a word counts."""
        tally = self.tally
        if not self.counted:
            tally = (*tally, Outcome(word, judged.right, judged.misconception))[-TALLY_LIMIT:]
        return replace(self, checked=self.cuts, counted=True, tally=tally)

    @property
    def right(self) -> int:
        """Words right at the first check."""
        return sum(outcome.right for outcome in self.tally)

    @property
    def streak(self) -> int:
        """How many of the latest words were right, in a row."""
        length = 0
        for outcome in reversed(self.tally):
            if not outcome.right:
                break
            length += 1
        return length


# --- exercises -----------------------------------------------------------------------------------


def slot_of(source: MadeSheet | labs.Lab) -> str:
    """The name under which the browser keeps the place on this merge list."""
    if isinstance(source, MadeSheet):
        return f"cut-made-{source.seed}-{source.level}"
    key = repr((source.training_key, source.k)).encode("utf-8", "replace")
    return "cut-" + hashlib.sha256(key).hexdigest()[:12]


def own_text(raw: str) -> str:
    """A word of the learner's own, or one from a link, through the one door for text."""
    return clean_text(raw).text[:OWN_LIMIT].strip("\n")


def made_exercise(sheet: MadeSheet, at: Cutting) -> Exercise:
    """Word ``at.number`` of the made sheet: a small corpus of its own, its first merges, a new word."""
    question = made_question(sheet.seed, at.number, sheet.level, MadeKind.SPLIT)
    lab = question.lab
    assert question.inputs is not None and lab is not None
    trainer = question.inputs.trainer()
    trainer.train_to(lab.k)
    text = at.own or lab.new or ""
    query = question.inputs.query(lab.k, text)
    return _exercise(slot_of(sheet), trainer, trainer.tokenizer(lab.k), lab.k, text, query)


def lab_exercise(lab: labs.Lab, at: Cutting) -> Exercise:
    """Word ``at.number`` for the first k merges of a lab."""
    trainer = labs.trainer_for(lab)
    known = labs.learned_enough(trainer, lab.k)
    k = min(lab.k, known)
    tokenizer = trainer.tokenizer(k)
    words = trainer.corpus.words
    slot = slot_of(replace(lab, k=k))
    text = at.own or word_to_cut(
        tokenizer, words, at.number, slot, given_words(tokenizer, lab.new_text, words)
    )
    query = labs.to_query(replace(lab, k=k, new_text=text or ""))
    return _exercise(slot, trainer, tokenizer, k, text, query)


def _exercise(
    slot: str, trainer: Trainer, tokenizer: Tokenizer, k: int, text: str | None, query: dict[str, str]
) -> Exercise:
    units = tuple(base_units(tokenizer, text)) if text else ()
    if len(units) > UNITS_LIMIT:
        units = ()
    return Exercise(slot, trainer, tokenizer, k, text, units, query)


# --- text for the browser ------------------------------------------------------------------------


def to_text(at: Cutting) -> str:
    """What the browser keeps."""
    tally = [
        [outcome.word, outcome.right, outcome.misconception.value if outcome.misconception else None]
        for outcome in at.tally
    ]
    return json.dumps(
        {
            "format": FORMAT,
            "version": 1,
            "number": at.number,
            "own": at.own,
            "cuts": list(at.cuts),
            "checked": None if at.checked is None else list(at.checked),
            "counted": at.counted,
            "tally": tally,
        }
    )


def from_text(text: str) -> Cutting:
    """The place in a kept text. Raises ProgressFileError.

    >>> at = Cutting(3, cuts=(1, 4), tally=(Outcome("shops", False, Misconception.MERGE_ORDER),))
    >>> from_text(to_text(at)) == at
    True
    """
    try:
        record = json.loads(text)
        if not isinstance(record, dict) or (record.get("format"), record.get("version")) != (FORMAT, 1):
            raise ValueError
        number, own, counted = record["number"], record["own"], record["counted"]
        if type(number) is not int or not 0 <= number < 10**6 or type(counted) is not bool:
            raise ValueError
        tally = tuple(
            Outcome(_string(word), _flag(right), None if slip is None else Misconception(slip))
            for word, right, slip in record["tally"][-TALLY_LIMIT:]
        )
        checked = record["checked"]
        return Cutting(
            number,
            own_text(_string(own)),
            _cuts(record["cuts"]),
            None if checked is None else _cuts(checked),
            counted,
            tally,
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ProgressFileError("What this browser has kept is no game of this page.") from None


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value[:OWN_LIMIT]


def _flag(value: object) -> bool:
    if type(value) is not bool:
        raise ValueError
    return bool(value)


def _cuts(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(type(cut) is int and 0 < cut < UNITS_LIMIT for cut in value):
        raise ValueError
    return tuple(sorted(set(value)))


# --- what the page shows -------------------------------------------------------------------------


def merge_list(exercise: Exercise, here: int | None) -> str:
    """The merges in order as an HTML list, tokens escaped and isolated; ``here`` is the one that slipped."""
    items = []
    for step in exercise.trainer.steps[: exercise.k]:
        left, right, made = (_code(written(exercise.trainer, id)) for id in (*step.pair, step.token))
        mark = " <strong>◂ here</strong>" if step.index == here else ""
        items.append(f"<li>{left} + {right} → {made}{mark}</li>")
    style = "columns: 11rem auto; margin: 0; padding-left: 2.2rem; line-height: 1.9"
    return f'<ol class="bpe-merge-list" style="{style}">{"".join(items)}</ol>'


def _code(text: str) -> str:
    return f'<bdi><code style="white-space: pre-wrap">{escape(text)}</code></bdi>'


def verdict_parts(judged: CutJudgement) -> list[Part]:
    """The verdict in a word and a mark, and what went wrong first."""
    if judged.right:
        return [strong("✓ Right. "), judged.message]
    parts: list[Part] = [strong("✗ Not yet. "), judged.message]
    if judged.misconception is not None:
        said = judged.misconception.label
        parts += [("\n", "br"), (f"The mistake behind it: {said[:1].lower()}{said[1:]}.", "quiet")]
    return parts


def figures(at: Cutting) -> list[tuple[str, str]]:
    """Where the learner stands, as names and values."""
    return [
        ("word", "your own" if at.own else f"{at.number + 1:,}"),
        ("right at the first check", f"{at.right:,} of {len(at.tally):,}"),
        ("in a row", f"{at.streak:,}"),
    ]


def word_parts(exercise: Exercise) -> list[Part]:
    """Which word to cut, with which merges."""
    merges = "1 merge" if exercise.k == 1 else f"{exercise.k:,} merges"
    return [strong("Cut "), tok(exercise.text or "", 40), f" with the {merges} below."]
