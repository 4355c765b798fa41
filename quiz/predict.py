"""Predict the merge: a learner picks the next pair, or says that training has run dry, and is told why.

``judge`` compares a pick with what the trainer does next and names what the choice missed. A run of rounds
(``Run``) keeps the streak and sums up. Both are pure data; the trainer is only asked.

Not here: the pick itself (tiles, a table, typing: the pages), other experiments than the most frequent pair.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import Enum

from bpe_core.display import label
from bpe_core.training import Pair, StopReason, TieRule, Trainer

from .errors import ProgressFileError
from .figures import count_once, replacements
from .misconceptions import Misconception
from .reading import PAIR_HINT, Match, Unread, match_token, read_pair
from .values import Piece

#: Rounds in a run.
RUN_LENGTH = 10
#: How many merges ahead a typed token that does not exist yet is looked for.
LOOK_AHEAD = 100


@dataclass(frozen=True, slots=True)
class Prediction:
    """What became of a pick at ``k``: whether it was right and why, with the true next pair (None: dry)."""

    k: int
    right: bool
    message: str
    picked: str
    answer: Pair | None
    misconception: Misconception | None = None


def judge(trainer: Trainer, k: int, pick: Pair | None) -> Prediction:
    """Judge a pick for merge number k + 1; ``pick`` None says that training has run dry.

    The trainer is taught up to k + 1 merges if it does not know them yet.

    >>> from .inputs import HOP
    >>> trainer = HOP.trainer()
    >>> h, o, p, s = (trainer.alphabet.ids_of(c)[0] for c in "hops")
    >>> judge(trainer, 0, (h, o)).message
    'h + o counts 11, as does another pair. The tie rule takes the pair seen first, which is this one.'
    >>> judge(trainer, 0, (s, h)).message
    's + h counts 4, h + o counts 11.'
    """
    trainer.train_to(k + 1)
    answer = trainer.next_pair(k)
    picked = "run dry" if pick is None else name_of(trainer, pick)

    def wrong(message: str, misconception: Misconception) -> Prediction:
        return Prediction(k, False, message, picked, answer, misconception)

    if pick == answer:
        return Prediction(k, True, _why_right(trainer, k, answer), picked, answer)
    if answer is None:
        return _wrong_when_dry(trainer, k, pick, picked)
    count = trainer.count(answer, k)
    wins = f"{name_of(trainer, answer)} counts {count:,}"
    if pick is None:
        rare = " A pair that occurs once still counts here." if count == 1 else ""
        return wrong(f"There is still a pair to merge: {wins}.{rare}", Misconception.STOPPED_EARLY)
    found = trainer.count(pick, k)
    if not found:
        return wrong(*_why_absent(trainer, k, pick, answer, wins))
    here = f"{picked} counts {found:,}"
    if found == count:
        return wrong(
            f"{picked} counts {found:,} too, but among tied pairs the rule takes {_RULES[trainer.ties]}: "
            f"{name_of(trainer, answer)}.",
            Misconception.OTHER_TIE_RULE,
        )
    once = [count_once(trainer, pair, k) for pair in (pick, answer)]
    if once[0] >= once[1]:
        return wrong(
            f"Each word counts as often as it occurs: {here}, {wins}. Counting every word once gives "
            f"{once[0]:,} and {once[1]:,}.",
            Misconception.WORDS_ONCE,
        )
    apart = replacements(trainer, answer, k)
    if apart < count and replacements(trainer, pick, k) >= apart:
        return wrong(
            f"{wins}, overlaps included, and {here}. Without the overlaps it would be {apart:,}.",
            Misconception.OVERLAP_MISSED,
        )
    return wrong(f"{here}, {wins}.", Misconception.LESS_FREQUENT)


def judge_typed(trainer: Trainer, k: int, text: str) -> Prediction | Unread | None:
    """Judge a pick that was typed, such as ``ak + e`` or ``run dry``; None when nothing was typed.

    Tokens that do not exist yet are told apart from text that cannot be read.
    """
    if not text.strip():
        return None
    if text.strip().casefold().rstrip(".") in {"run dry", "dry", "none", "stop"}:
        return judge(trainer, k, None)
    read = read_pair(text)
    if isinstance(read, Unread):
        return Unread(PAIR_HINT[:-1] + ", or run dry.")
    trainer.train_to(k + 1)
    for left, right in read:
        pair = (_id_of(trainer, left, k), _id_of(trainer, right, k))
        if pair[0] is not None and pair[1] is not None:
            return judge(trainer, k, (pair[0], pair[1]))
    left, right = min(read, key=lambda sides: len(sides[0]) + len(sides[1]))
    missing = left if _id_of(trainer, left, k) is None else right
    made = _id_of(trainer, missing, trainer.train_to(k + LOOK_AHEAD))
    picked = f"{left.strip()} + {right.strip()}"
    if made is None:
        return Unread(f"There is no token {missing.strip()} here. {PAIR_HINT}")
    parents = trainer.parents(made)
    assert parents is not None  # a token that appears only later is a merged one
    return Prediction(
        k,
        False,
        f"There is no token {_name(trainer, made)} yet: it needs the merge "
        f"{name_of(trainer, parents)} first.",
        picked,
        trainer.next_pair(k),
        Misconception.TOKEN_NOT_MADE_YET,
    )


def name_of(trainer: Trainer, pair: Pair) -> str:
    """A pair as a person reads it, such as ``␣ + c``."""
    return f"{_name(trainer, pair[0])} + {_name(trainer, pair[1])}"


_RULES = {
    TieRule.FIRST_SEEN: "the pair seen first",
    TieRule.LOWEST_IDS: "the lowest left id, then the lowest right id",
    TieRule.COLUMN_MAJOR: "the lowest right id, then the lowest left id",
}


def rule_in_words(rule: TieRule) -> str:
    """Which of several tied pairs a rule takes, to stand after "takes"."""
    return _RULES[rule]


def _name(trainer: Trainer, id: int) -> str:
    return label(trainer.token(id), 40).plain


def _id_of(trainer: Trainer, typed: str, k: int) -> int | None:
    for id in range(len(trainer.alphabet) + min(k, len(trainer.steps))):
        if match_token(typed, Piece.of(trainer.token(id))) is Match.SAME:
            return id
    return None


def _why_right(trainer: Trainer, k: int, answer: Pair | None) -> str:
    if answer is None:
        reason = trainer.stop
        return reason.sentence if reason else ""
    count = trainer.count(answer, k)
    others = len(trainer.tied_pairs(k)) - 1
    name = name_of(trainer, answer)
    if not others:
        return f"{name} counts {count:,}, and no other pair reaches that."
    shared = "does another pair" if others == 1 else f"do {others} other pairs"
    return (
        f"{name} counts {count:,}, as {shared}. The tie rule takes {_RULES[trainer.ties]}, which is this one."
    )


def _wrong_when_dry(trainer: Trainer, k: int, pick: Pair | None, picked: str) -> Prediction:
    assert pick is not None
    reason = trainer.stop
    sentence = reason.sentence if reason else ""
    found = trainer.count(pick, k)
    if reason is StopReason.BELOW_MIN_COUNT and found:
        message = f"{picked} counts {found:,}, and a pair needs {trainer.min_count:,} here. {sentence}"
        return Prediction(k, False, message, picked, None, Misconception.MINIMUM_FORGOTTEN)
    message = f"{picked} do not stand side by side. {sentence}"
    return Prediction(k, False, message, picked, None, Misconception.NOT_SIDE_BY_SIDE)


def _why_absent(trainer: Trainer, k: int, pick: Pair, answer: Pair, wins: str) -> tuple[str, Misconception]:
    """Why a picked pair has the count 0."""
    picked = name_of(trainer, pick)
    newest = len(trainer.alphabet) + k
    for id in pick:
        if id >= newest:
            parents = trainer.parents(id)
            assert parents is not None
            needs = name_of(trainer, parents)
            return (
                f"There is no token {_name(trainer, id)} yet: it needs the merge {needs} first.",
                Misconception.TOKEN_NOT_MADE_YET,
            )
    if pick == (answer[1], answer[0]):
        return f"Left and right are swapped: {wins}, {picked} counts 0.", Misconception.ORDER_SWAPPED
    for step in trainer.steps[:k]:
        if step.pair == pick:
            done = f"{picked} was merge {step.index}: every place is replaced already. {wins}."
            return done, Misconception.EARLIER_STATE
    words = trainer.words_at(k)
    ends = any(word and word[-1] == pick[0] for word in words)
    starts = any(word and word[0] == pick[1] for word in words)
    if ends and starts:
        message = f"Inside words {picked} counts 0: merges never cross from one word to the next. {wins}."
        return message, Misconception.ACROSS_WORDS
    return f"{picked} do not stand side by side anywhere now. {wins}.", Misconception.NOT_SIDE_BY_SIDE


# ---------------------------------------------------------------- a run of rounds


class RunState(Enum):
    """Whether a run goes on."""

    GOING = "going"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Round:
    """One pick of a run."""

    k: int
    picked: str
    right: bool
    misconception: Misconception | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """Up to ten rounds in a row; the first pick at each k counts.

    >>> run = Run().after(Prediction(0, True, "", "h + o", (0, 1)))
    >>> run = run.after(Prediction(0, False, "", "s + h", (0, 1)))  # the same k again: not counted
    >>> run.streak, len(run.rounds), run.state.value
    (1, 1, 'going')
    """

    rounds: tuple[Round, ...] = ()
    dry: bool = False

    def after(self, prediction: Prediction) -> Run:
        """The run with one more pick. A second pick at the same k, or one after the end, changes nothing."""
        known = any(each.k == prediction.k for each in self.rounds)
        if known or self.state is RunState.FINISHED:
            return self
        added = Round(prediction.k, prediction.picked, prediction.right, prediction.misconception)
        return replace(self, rounds=(*self.rounds, added), dry=prediction.answer is None)

    @property
    def state(self) -> RunState:
        """FINISHED after ten rounds, or when the corpus has run dry."""
        done = self.dry or len(self.rounds) >= RUN_LENGTH
        return RunState.FINISHED if done else RunState.GOING

    @property
    def right(self) -> int:
        """How many picks were right."""
        return sum(each.right for each in self.rounds)

    @property
    def streak(self) -> int:
        """How many of the latest picks were right, in a row."""
        length = 0
        for each in reversed(self.rounds):
            if not each.right:
                break
            length += 1
        return length

    @property
    def best_streak(self) -> int:
        """The longest row of right picks."""
        best = length = 0
        for each in self.rounds:
            length = length + 1 if each.right else 0
            best = max(best, length)
        return best

    @property
    def summary(self) -> str:
        """The run in one or two sentences, with the mistake made most often."""
        total = len(self.rounds)
        text = f"{self.right} of {total} right; the longest streak is {self.best_streak}."
        missed = [each.misconception for each in self.rounds if each.misconception is not None]
        if missed:
            often = max(dict.fromkeys(missed), key=missed.count)
            text += f" Most often: {often.label[0].lower()}{often.label[1:]} ({missed.count(often)})."
        return text

    def to_json(self) -> str:
        """The run as JSON."""
        rounds = [
            [each.k, each.picked, each.right, each.misconception.value if each.misconception else None]
            for each in self.rounds
        ]
        return json.dumps({"format": "bpe-run", "version": 1, "rounds": rounds, "dry": self.dry})

    @classmethod
    def from_json(cls, text: str) -> Run:
        """The run that ``to_json`` wrote. Raises ProgressFileError for anything else."""
        try:
            data = json.loads(text) if len(text) < 100_000 else None
            if not isinstance(data, dict) or data.get("format") != "bpe-run":
                raise ValueError
            rounds = []
            for k, picked, right, slip in data["rounds"]:
                if type(k) is not int or not isinstance(picked, str) or type(right) is not bool or k < 0:
                    raise ValueError
                rounds.append(
                    Round(k, picked[:200], right, Misconception(slip) if slip is not None else None)
                )
            if len(rounds) > RUN_LENGTH or type(data["dry"]) is not bool:
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ProgressFileError("This is not a saved run of predictions; a new one is started.") from None
        return cls(tuple(rounds), data["dry"])
