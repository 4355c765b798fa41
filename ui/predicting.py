"""Predict the merge: one learner's game as a value, what the page shows of it, and its text for the browser.

``Play`` is where a learner stands: at which k, what is picked, whether it was checked, and the run so far.
Everything else (what was right, why not) is asked of ``quiz.predict`` again, so a reload shows the same.

Not here: judging (``quiz.predict``), drawing (the page), the browser's storage (``kept``).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import pandas as pd

from bpe_core.alphabet import Unit
from bpe_core.training import Pair, Trainer
from quiz.errors import ProgressFileError
from quiz.predict import Prediction, Run, RunState, judge, judge_typed, name_of, rule_in_words
from quiz.reading import Unread

from . import lab as labs
from .figures import many
from .say import Part, strong, tok
from .tables import ROWS
from .train_words import PRE_NAMES, pair_parts

FORMAT = "bpe-predict"
#: A typed pick is kept up to this length.
TYPED_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Pick:
    """What the learner has chosen: a pair of ids, or that training has run dry, or something typed."""

    pair: Pair | None = None
    dry: bool = False
    typed: str = ""

    @property
    def empty(self) -> bool:
        """Nothing is chosen."""
        return self.pair is None and not self.dry and not self.typed.strip()


@dataclass(frozen=True, slots=True)
class Play:
    """Where a learner stands on one corpus.

    ``first`` is the flat index of the first of two tiles, while the second is awaited; it is not kept.
    """

    k: int = 0
    run: Run = field(default_factory=Run)
    pick: Pick = field(default_factory=Pick)
    checked: bool = False
    first: int | None = None

    def picked(self, pick: Pick) -> Play:
        """Another pick; after the check nothing changes any more."""
        return self if self.checked else replace(self, pick=pick, first=None)

    def checked_as(self, prediction: Prediction) -> Play:
        """The pick is judged: it counts in the run, and the next pair may be seen."""
        return replace(self, checked=True, run=self.run.after(prediction))

    def gone_on(self) -> Play:
        """The next pair is merged, and the one after it is asked for; once dry, k stays."""
        return Play(self.k if self.run.dry else self.k + 1, self.run)

    @property
    def finished(self) -> bool:
        """The last pick of the run is checked: ten picks, or dry."""
        return self.run.state is RunState.FINISHED

    @property
    def over(self) -> bool:
        """The run is finished and its last verdict has been read."""
        return self.finished and not self.checked


def judged(trainer: Trainer, k: int, pick: Pick) -> Prediction | Unread:
    """What becomes of a pick; Unread for one that cannot be understood and does not count."""
    if pick.dry:
        return judge(trainer, k, None)
    if pick.pair is not None:
        return judge(trainer, k, pick.pair)
    found = judge_typed(trainer, k, pick.typed)
    return found or Unread("Pick two neighbours first, or say that training has run dry.")


# --- text for the browser ------------------------------------------------------------------------


def to_text(play: Play) -> str:
    """What the browser keeps."""
    pick = play.pick
    return json.dumps(
        {
            "format": FORMAT,
            "version": 1,
            "k": play.k,
            "run": play.run.to_json(),
            "pair": list(pick.pair) if pick.pair else None,
            "dry": pick.dry,
            "typed": pick.typed,
            "checked": play.checked,
        }
    )


def from_text(text: str, trainer: Trainer) -> Play:
    """The game in a kept text, k and ids clamped to what this trainer has. Raises ProgressFileError.

    >>> from quiz.inputs import HOP
    >>> trainer = HOP.trainer()
    >>> play = Play(2, pick=Pick(pair=(0, 1)))
    >>> from_text(to_text(play), trainer) == play
    True
    """
    try:
        record = json.loads(text)
        if not isinstance(record, dict) or (record.get("format"), record.get("version")) != (FORMAT, 1):
            raise ValueError
        k, pair, dry, typed, checked = (record[name] for name in ("k", "pair", "dry", "typed", "checked"))
        if type(k) is not int or k < 0 or type(dry) is not bool or type(checked) is not bool:
            raise ValueError
        run = Run.from_json(record["run"])
        if not isinstance(typed, str):
            raise ValueError
        if pair is not None:
            left, right = pair
            if type(left) is not int or type(right) is not int:
                raise ValueError
            pair = (left, right)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ProgressFileError("What this browser has kept is no game of this page.") from None
    known = labs.learned_enough(trainer, k)
    if k > known:
        return Play(known)
    below = len(trainer.alphabet) + len(trainer.steps)
    if pair is not None and not all(0 <= id < below for id in pair):
        pair = None
    pick = Pick(pair, dry, typed[:TYPED_LIMIT])
    return Play(k, run, pick, checked and not pick.empty)


def slot_of(lab: labs.Lab) -> str:
    """The name under which the browser keeps the game on this corpus with these settings."""
    key = repr(lab.training_key).encode("utf-8", "replace")
    return "predict-" + hashlib.sha256(key).hexdigest()[:12]


# --- what the page shows -------------------------------------------------------------------------


def lab_name(lab: labs.Lab) -> str:
    """The learner's lab in a menu, in our own words."""
    if lab.preset is not None:
        corpus = labs.PRESETS[lab.preset].label
    else:
        corpus = "own words and counts" if lab.word_counts is not None else "own text"
    unit = "bytes" if lab.unit is Unit.BYTE else "characters"
    return f"Your lab: {corpus}, {PRE_NAMES[lab.pre_tokenizer]}, {unit}"


def candidates(trainer: Trainer, k: int) -> dict[Pair, str]:
    """Pairs to choose from with their names, in an order that says nothing about their counts.

    At most ROWS of them, the one that wins among them.
    """
    names: dict[Pair, str] = {}
    taken: set[str] = set()
    for row in trainer.ranked_pairs(k, ROWS):
        name = name_of(trainer, row.pair)
        if name in taken:  # long tokens are shortened, and two can look alike
            name += f" (ids {row.pair[0]:,} and {row.pair[1]:,})"
        names[row.pair] = name
        taken.add(name)
    return dict(sorted(names.items(), key=lambda item: (item[1].casefold(), item[1])))


def pick_parts(trainer: Trainer, play: Play, flat: list[int]) -> list[Part]:
    """What is picked so far; ``flat`` are the ids of the tiles in a row."""
    pick = play.pick
    if pick.pair is not None:
        return [strong("Your pick: "), *pair_parts(trainer, pick.pair), ". Check it when you are sure."]
    if pick.dry:
        return [strong("Your pick: "), "training has run dry. Check it when you are sure."]
    if pick.typed.strip():
        return [strong("Your pick: "), tok(pick.typed.strip(), 60), ". Check it when you are sure."]
    if play.first is not None and play.first < len(flat):
        return [
            strong("First of two: "),
            tok(trainer.token(flat[play.first])),
            ". Now the tile before or after it.",
        ]
    parts: list[Part] = [strong(f"Which pair becomes merge {play.k + 1:,}, or is there none left? ")]
    parts.append(f"Of several with the top count, the rule takes {rule_in_words(trainer.ties)}.")
    if trainer.min_count > 1:
        parts.append(f" A pair has to occur at least {trainer.min_count:,} times.")
    return parts


def verdict_parts(trainer: Trainer, prediction: Prediction) -> list[Part]:
    """The verdict in a word and a mark, what the choice missed, and the true next merge."""
    parts: list[Part] = [strong("✓ Right. " if prediction.right else "✗ Not this one. ")]
    if not prediction.right:
        parts += ["You picked ", (prediction.picked, "token"), ". "]
    parts += [prediction.message, ("\n", "br")]
    if prediction.answer is None:
        return [*parts, "Training has run dry: no merge follows."]
    made = trainer.token(trainer.steps[prediction.k].token)
    return [
        *parts,
        f"Merge {prediction.k + 1:,}: ",
        *pair_parts(trainer, prediction.answer),
        " → ",
        tok(made),
    ]


def revealed(trainer: Trainer, k: int, pick: Pair | None, rows: int = 8) -> pd.DataFrame:
    """The pairs with their counts once the pick is checked: the first ones, and the pick wherever it is."""
    ranked = trainer.ranked_pairs(k, ROWS)
    answer = trainer.next_pair(k)
    shown = [row for place, row in enumerate(ranked) if place < rows or row.pair == pick]
    notes = []
    for row in shown:
        marks = ["merges next"] if row.pair == answer else []
        marks += ["your pick"] if row.pair == pick else []
        notes.append(" · ".join([*marks, "tied"] if row.tied else marks))
    return pd.DataFrame(
        {
            "pair": [name_of(trainer, row.pair) for row in shown],
            "count": [row.count for row in shown],
            "note": notes,
        }
    )


def figures(play: Play) -> list[tuple[str, str]]:
    """Where the run stands, as names and values."""
    run = play.run
    number = len(run.rounds) + (0 if play.checked else 1)
    return [
        ("pick", f"{max(number, 1)} of 10"),
        ("merges made, k", f"{play.k:,}"),
        ("right", f"{run.right} of {len(run.rounds)}"),
        ("in a row", f"{run.streak} (best {run.best_streak})"),
    ]


def rounds_table(run: Run) -> pd.DataFrame:
    """The run round by round."""
    return pd.DataFrame(
        {
            "merge": [each.k + 1 for each in run.rounds],
            "your pick": [each.picked for each in run.rounds],
            "right": ["✓ right" if each.right else "✗ wrong" for each in run.rounds],
            "mistake": [each.misconception.label if each.misconception else "" for each in run.rounds],
        }
    )


class AtState(NamedTuple):
    """A lab at one state, as ``excursion`` opens it."""

    query: dict[str, str]


def length_in_words(trainer: Trainer, k: int) -> str:
    """How much corpus there is, for the name of the tiles."""
    words = many(len(trainer.corpus.words), "distinct word")
    return f"The corpus after {many(k, 'merge')}: {words}"
