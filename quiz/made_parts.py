"""The parts that made questions are put together from: the draft, wrong options by known mistakes, names.

Not here: the kinds themselves (``made_by_hand``, ``made_texts``), seeds and sheets (``made``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpe_core.display import text_label
from bpe_core.errors import SettingError
from bpe_core.training import Pair, TieRule, Trainer

from .dice import Dice
from .figures import Figure, What, value
from .inputs import Inputs
from .made_corpora import WordCounts, small_corpus
from .misconceptions import Misconception
from .questions import Group, Kind, Lab, Option, Question, literal, same
from .values import Value, written


@dataclass(frozen=True, slots=True)
class Draft:
    """What a maker starts from."""

    dice: Dice
    level: int
    words: WordCounts = ()

    def corpus(self, ties: TieRule = TieRule.FIRST_SEEN) -> Inputs:
        """A small corpus."""
        return small_corpus(self.dice, self.level, self.words, ties)

    @property
    def to_choose(self) -> bool:
        """Whether to offer options: always at level 1, never at level 3, by chance between."""
        return self.level == 1 or (self.level == 2 and self.dice.below(2) == 0)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong answer by a known mistake: its figure, and why it is wrong (a template)."""

    figure: Figure
    misconception: Misconception
    why: str


def kept_options(answers: Sequence[Figure], mistakes: Sequence[Mistake], most: int = 3) -> list[Option]:
    """The mistakes that exist, are wrong and differ from each other, as options."""
    taken: list[Value] = [value(answer) for answer in answers]
    texts = {written(one) for one in taken}
    options: list[Option] = []
    for mistake in mistakes:
        try:
            found = value(mistake.figure)
        except SettingError:
            continue
        fresh = not any(same(found, one, 0) for one in taken) and written(found) not in texts
        if fresh and not (isinstance(found, int) and found < 0):
            key = f"w{len(options) + 1}"
            options.append(Option(key, "{value}", mistake.why, mistake.figure, False, mistake.misconception))
            taken.append(found)
            texts.add(written(found))
    return options[:most]


def asked(
    draft: Draft,
    kind: Kind,
    group: Group,
    prompt: str,
    answers: Sequence[Figure],
    mistakes: Sequence[Mistake],
    explanation: str,
    hints: Sequence[str],
    inputs: Inputs | None = None,
    *,
    merges: int = 0,
    k: int = 0,
    new: str | None = None,
    figures: Sequence[tuple[str, Figure]] = (),
    measure: str = "",
    corpus: bool = True,
    to_choose: bool | None = None,
) -> Question | None:
    """The question, as a choice or typed; None when too few mistakes are left for a choice."""
    choosing = draft.to_choose if to_choose is None else to_choose
    options = kept_options(answers, mistakes, 3 if choosing else 9)
    if choosing and len(options) < 2:
        return None
    if choosing:
        options.insert(0, Option("right", "{value}", "", answers[0]))
    return Question(
        "made",
        Kind.CHOICE if choosing else kind,
        group,
        prompt,
        tuple(answers),
        tuple(options),
        explanation,
        tuple(hints),
        tuple(figures),
        measure=measure,
        inputs=inputs,
        show_corpus=corpus and inputs is not None,
        show_merges=merges,
        lab=Lab(inputs, k, new) if inputs else None,
    )


def trained_to(inputs: Inputs, k: int) -> Trainer | None:
    """The trainer with k + 1 merges learned, or None: too few merges, or two tokens that look alike."""
    trainer = inputs.trainer()
    if trainer.train_to(k + 1) <= k:
        return None
    spelled = [trainer.token(id).data for id in range(len(trainer.alphabet) + k + 1)]
    return trainer if len(set(spelled)) == len(spelled) else None


def text_of(trainer: Trainer, id: int) -> str:
    """The text of a token."""
    return trainer.token(id).text or ""


def pair_figure(what: What, inputs: Inputs, trainer: Trainer, pair: Pair, k: int) -> Figure:
    """A figure about a pair, its tokens named by their texts."""
    return Figure(what, inputs, k, text_of(trainer, pair[0]), text_of(trainer, pair[1]))


def pair_name(trainer: Trainer, pair: Pair) -> str:
    """A pair for a template, such as ``␣ + c``."""
    sides = (text_label(text_of(trainer, id)).plain for id in pair)
    return literal(" + ".join(sides))


def after(k: int) -> str:
    """The start of a sentence about the state after k merges."""
    if not k:
        return "Before any merge"
    return "After merge 1" if k == 1 else f"After {k} merges"


def shares_text(trainer: Trainer, pair: Pair, k: int) -> str:
    """The sum behind a count, such as ``hops 2 × 1 + shops 1 × 1``."""
    parts = [
        f"{literal(text_label(share.word).plain)} {share.count} × {share.occurrences}"
        for share in trainer.shares(pair, k)
    ]
    return " + ".join(parts)
