"""What a learner has done so far, as data: tries, hints, skips, drafts, time, and the score they make.

Every change gives a new ``Progress``; nothing here knows a clock or a page. A question counts once: a first
try that is right counts for the first-try score, any right try for the final score, and pressing Check
again with the same answer, after the right answer, or on something not understood changes nothing.
Looking at a hint costs nothing; a right try after the answer was shown does not count.

A saved file comes back only when every value in it is what it should be.

Not here: the results a student hands in (``results``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from .checking import Answer, Feedback, Verdict
from .dice import Dice
from .errors import ProgressFileError
from .misconceptions import Misconception
from .questions import Kind, Option, Question

FORMAT = "bpe-progress"
#: The largest progress file that is opened, in characters.
FILE_LIMIT = 2_000_000
#: The longest answer and name that are kept.
ANSWER_LIMIT = 2_000
NAME_LIMIT = 100
TRIES_LIMIT = 200
SECONDS_LIMIT = 10_000_000

Kept = str | tuple[str, ...] | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """One answer that counted."""

    answer: Kept
    right: bool
    misconception: Misconception | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """What was done on one question. ``draft`` is what stands in the answer box and is not checked yet."""

    tries: tuple[Try, ...] = ()
    hints: int = 0
    skipped: bool = False
    revealed: bool = False
    seconds: int = 0
    draft: Kept | None = None

    @property
    def first_right(self) -> bool:
        """Whether the first try was right."""
        return bool(self.tries) and self.tries[0].right

    @property
    def right(self) -> bool:
        """Whether it was answered rightly in the end."""
        return any(each.right for each in self.tries)

    @property
    def done(self) -> bool:
        """Whether nothing is left to do: answered rightly, or the answer was shown."""
        return self.right or self.revealed


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a set of questions."""

    total: int
    tried: int
    first_right: int
    right: int
    skipped: int
    seconds: int

    @property
    def sentence(self) -> str:
        """The score in words."""
        text = f"{self.right} of {self.total} right, {self.first_right} of them on the first try."
        return text + (f" {self.skipped} skipped." if self.skipped else "")


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of one learner on one set of questions.

    ``sheet`` names the set (``quiz``, ``made`` or a teacher's sheet), ``seed`` orders the options and makes
    the questions, ``level`` goes with made ones.
    """

    sheet: str = "quiz"
    seed: int = 0
    level: int = 1
    name: str = ""
    entries: Mapping[str, Entry] = field(default_factory=dict)

    def entry(self, question: Question | str) -> Entry:
        """What was done on a question; an empty entry when nothing was."""
        key = question if isinstance(question, str) else question.id
        return self.entries.get(key, Entry())

    def _with(self, key: str, entry: Entry) -> Progress:
        return replace(self, entries={**self.entries, key: entry})

    def after(self, question: Question, answer: Answer, feedback: Feedback, seconds: int = 0) -> Progress:
        """The progress after Check was pressed; ``seconds`` are those spent since the last change.

        >>> from .bank import BY_ID
        >>> from .checking import check
        >>> question = BY_ID["best-k"]
        >>> once = Progress().after(question, "7", check(question, "7"))
        >>> once.after(question, "7", check(question, "7")) == once
        True
        """
        entry = self.entry(question)
        kept = kept_answer(answer, question.kind)
        counts = feedback.counts and not entry.done and len(entry.tries) < TRIES_LIMIT
        if counts and not (entry.tries and entry.tries[-1].answer == kept):
            right = feedback.verdict is Verdict.RIGHT
            added = Try(kept, right, feedback.misconception)
            entry = replace(entry, tries=(*entry.tries, added), skipped=False)
        if not self.entry(question).done:
            entry = replace(entry, draft=kept, seconds=_added(entry.seconds, seconds))
        return self._with(question.id, entry)

    def drafted(self, question: Question, answer: Answer | None) -> Progress:
        """With an answer that is typed or chosen but not checked; None takes it away."""
        kept = None if answer is None else kept_answer(answer, question.kind)
        return self._with(question.id, replace(self.entry(question), draft=kept))

    def hinted(self, question: Question) -> Progress:
        """With one more hint looked at."""
        entry = self.entry(question)
        return self._with(question.id, replace(entry, hints=min(entry.hints + 1, len(question.hints))))

    def skipping(self, question: Question, seconds: int = 0) -> Progress:
        """With the question skipped; answering it later takes that back."""
        entry = self.entry(question)
        if entry.done:
            return self
        return self._with(question.id, replace(entry, skipped=True, seconds=_added(entry.seconds, seconds)))

    def revealing(self, question: Question) -> Progress:
        """With the answer shown; tries after that no longer count."""
        entry = self.entry(question)
        return self if entry.right else self._with(question.id, replace(entry, revealed=True))

    def score(self, questions: Sequence[Question]) -> Score:
        """The score over these questions, each counted once."""
        entries = [self.entry(question) for question in questions]
        return Score(
            len(entries),
            sum(bool(entry.tries) for entry in entries),
            sum(entry.first_right for entry in entries),
            sum(entry.right for entry in entries),
            sum(entry.skipped and not entry.done for entry in entries),
            sum(entry.seconds for entry in entries),
        )

    def next_open(self, questions: Sequence[Question], after: str | None = None) -> Question | None:
        """The next question not done, looking on from the one with id ``after`` and then from the start.

        Skipped ones come last.
        """
        place = next((i for i, question in enumerate(questions) if question.id == after), -1)
        order = [*questions[place + 1 :], *questions[: place + 1]]
        left = [question for question in order if not self.entry(question).done and question.id != after]
        left.sort(key=lambda question: self.entry(question).skipped)
        return left[0] if left else None

    def to_json(self) -> str:
        """The progress as a file."""
        return json.dumps(
            {
                "format": FORMAT,
                "version": 1,
                "sheet": self.sheet,
                "seed": self.seed,
                "level": self.level,
                "name": self.name,
                "entries": {key: _entry_out(entry) for key, entry in self.entries.items()},
            },
            indent=1,
        )

    @classmethod
    def from_json(cls, text: str) -> Progress:
        """The progress in a file that ``to_json`` wrote.

        Raises ProgressFileError with one sentence for anything else.
        """
        data = _loaded(text)
        sheet, seed, level, name = (data.get(key) for key in ("sheet", "seed", "level", "name"))
        entries = data.get("entries")
        _expect(isinstance(sheet, str) and len(sheet) <= NAME_LIMIT, "sheet")
        _expect(type(seed) is int and 0 <= seed < 2**63, "seed")
        _expect(type(level) is int and 1 <= level <= 3, "level")
        _expect(isinstance(name, str) and len(name) <= NAME_LIMIT, "name")
        _expect(isinstance(entries, dict) and len(entries) <= 5_000, "entries")
        assert isinstance(sheet, str) and type(seed) is int and type(level) is int
        assert isinstance(name, str) and isinstance(entries, dict)
        read = {key: _entry_in(key, value) for key, value in entries.items()}
        return cls(sheet, seed, level, _clean(name), read)


def ordered_options(question: Question, seed: int) -> list[Option]:
    """The options in this learner's order: shuffled, and always the same for one seed."""
    return Dice(seed, "options", question.id).shuffled(question.options)


def kept_answer(answer: Answer, kind: Kind) -> Kept:
    """An answer as it is kept: text, option keys in alphabetical order, a pair, or cuts in order."""
    if isinstance(answer, str):
        return _clean(answer[:ANSWER_LIMIT])
    items = list(answer)
    cuts = tuple(sorted(item for item in items if type(item) is int))
    if cuts or not items:
        return cuts[:ANSWER_LIMIT]
    texts = [_clean(str(item)[:ANSWER_LIMIT]) for item in items][:100]
    return tuple(sorted(texts)) if kind is Kind.CHOICE else tuple(texts)


def _clean(text: str) -> str:
    """Without lone surrogates, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _added(before: int, seconds: int) -> int:
    return min(before + max(0, int(seconds)), SECONDS_LIMIT)


# ---------------------------------------------------------------- the file


def _entry_out(entry: Entry) -> dict[str, object]:
    return {
        "tries": [
            [each.answer, each.right, each.misconception.value if each.misconception else None]
            for each in entry.tries
        ],
        "hints": entry.hints,
        "skipped": entry.skipped,
        "revealed": entry.revealed,
        "seconds": entry.seconds,
        "draft": entry.draft,
    }


def _loaded(text: str) -> dict[str, object]:
    if len(text) > FILE_LIMIT:
        raise ProgressFileError(
            f"The file has {len(text):,} characters; a progress file has {FILE_LIMIT:,} at most."
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ProgressFileError("This file is not JSON, so it is no progress file.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ProgressFileError("This file is not a progress file of the quiz.")
    if data.get("version") != 1:
        raise ProgressFileError("This progress file is of a version that is not known here; version 1 is.")
    return data


def _expect(fine: bool, what: str) -> None:
    if not fine:
        raise ProgressFileError(f"The progress file is damaged: its {what} cannot be right.")


_KEY = re.compile(r"[\w.:-]{1,100}")


def _entry_in(key: str, data: object) -> Entry:
    _expect(_KEY.fullmatch(key) is not None and isinstance(data, dict), "list of questions")
    assert isinstance(data, dict)
    where = f"entry '{key}'"
    tries, hints, seconds = data.get("tries"), data.get("hints"), data.get("seconds")
    skipped, revealed, draft = data.get("skipped"), data.get("revealed"), data.get("draft")
    _expect(isinstance(tries, list) and len(tries) <= TRIES_LIMIT, where)
    _expect(type(hints) is int and 0 <= hints <= 100, where)
    _expect(type(seconds) is int and 0 <= seconds <= SECONDS_LIMIT, where)
    _expect(type(skipped) is bool and type(revealed) is bool, where)
    assert isinstance(tries, list) and type(hints) is int and type(seconds) is int
    assert type(skipped) is bool and type(revealed) is bool
    read: list[Try] = []
    for item in tries:
        _expect(isinstance(item, list) and len(item) == 3 and type(item[1]) is bool, where)
        answer, right, slip = item
        _expect(not (read and read[-1].right), where)  # nothing counts after a right try
        try:
            misconception = None if slip is None else Misconception(slip)
        except (ValueError, TypeError):
            raise ProgressFileError(f"The progress file is damaged: its {where} cannot be right.") from None
        read.append(Try(_kept_in(answer, where), right, misconception))
    return Entry(
        tuple(read), hints, skipped, revealed, seconds, None if draft is None else _kept_in(draft, where)
    )


def _kept_in(data: object, where: str) -> Kept:
    if isinstance(data, str):
        _expect(len(data) <= ANSWER_LIMIT, where)
        return _clean(data)
    _expect(isinstance(data, list) and len(data) <= ANSWER_LIMIT, where)
    assert isinstance(data, list)
    if all(type(item) is int and 0 < item < 1_000_000 for item in data):
        return tuple(data)
    _expect(all(isinstance(item, str) and len(item) <= ANSWER_LIMIT for item in data), where)
    return tuple(_clean(item) for item in data)
