"""Cut the word: a learner's cuts compared with the replay of the merges, and the first merge that went wrong.

Cuts are positions between base units, 1 being after the first. Where the pre-tokenizer makes several
words of the text, the units of all of them stand in a row and each border between two words is a cut
that must be there.

The first mistake is the one with the lowest merge number: a merge that applies but was left undone, or a
boundary that was closed although no merge closes it.

Not here: how cuts are set (clicking, keys, typing: the pages and ``reading``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from bpe_core.alphabet import Token
from bpe_core.display import label
from bpe_core.encoding import Tokenizer
from bpe_core.trace import Reason

from .figures import longest_match
from .misconceptions import Misconception
from .values import Piece, Split


class Slip(Enum):
    """What the first mistake was."""

    MISSED = "missed"  # a merge that applies was left undone
    INVENTED = "invented"  # two tokens were joined that no merge joins here
    WALL = "wall"  # the border between two words was closed


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One merge of the right replay and the pieces after it."""

    number: int
    left: Piece
    right: Piece
    made: Piece
    after: Split


@dataclass(frozen=True, slots=True)
class CutJudgement:
    """Whether the cuts are right; if not, the first slip and the right replay from there.

    ``number`` is the merge that was missed, or that would have joined what was joined wrongly (None when no
    merge does). ``before`` are the pieces before the first merge of ``replay``; ``right_cuts`` where the cuts
    belong.
    """

    right: bool
    message: str
    right_cuts: tuple[int, ...]
    split: Split
    slip: Slip | None = None
    number: int | None = None
    misconception: Misconception | None = None
    before: Split | None = None
    replay: tuple[ReplayStep, ...] = ()


def base_units(tokenizer: Tokenizer, text: str) -> list[Token]:
    """What can be cut apart: the base units of the text's words in a row, the markers included."""
    words = tokenizer.pre_tokenizer.split(text)
    return [tokenizer.token(id) for word in words for id in tokenizer.alphabet.ids_of(word)]


def cuts_of(tokens: Iterable[Token], units: list[Token]) -> tuple[int, ...]:
    """The cut positions of a split of these units."""
    cuts: list[int] = []
    place = 0
    for token in tokens:
        data, ends = b"", False
        while (data, ends) != (token.data, token.ends_word):
            data += units[place].data
            ends = units[place].ends_word
            place += 1
        cuts.append(place)
    return tuple(cuts[:-1])


def pieces_of(units: list[Token], cuts: Iterable[int]) -> Split:
    """The pieces that cuts make of the units."""
    inside = sorted(cut for cut in set(cuts) if 0 < cut < len(units))
    ends = [*inside, len(units)]
    tokens: list[Token] = []
    start = 0
    for end in ends:
        token = units[start]
        for unit in units[start + 1 : end]:
            token = token.joined(unit)
        tokens.append(token)
        start = end
    return Split.of(tokens)


def judge_cuts(tokenizer: Tokenizer, text: str, cuts: Iterable[int]) -> CutJudgement:
    """Judge where a learner cut ``text``.

    >>> from .inputs import HOP
    >>> trainer = HOP.trainer()
    >>> _ = trainer.train_to(4)
    >>> judge_cuts(trainer.tokenizer(), "shops", {4}).right
    True
    >>> judge_cuts(trainer.tokenizer(), "shops", {1}).message
    'Merge 3 joins s + hop to shop, and you left a cut between them.'
    """
    units = base_units(tokenizer, text)
    chosen = {cut for cut in cuts if 0 < cut < len(units)}
    tokens = tokenizer.tokenize(text)
    right_cuts = cuts_of(tokens, units)
    split = Split.of(tokens)
    if chosen == set(right_cuts):
        return CutJudgement(
            True, f"{split}: every merge that applies is made, and no other.", right_cuts, split
        )

    slips = [*_missed(tokenizer, text, units, chosen), *_invented(tokenizer, text, chosen, right_cuts)]
    first = min(slips, key=lambda slip: (slip.number is None, slip.number or 0))
    misconception = first.misconception
    matched = [t for word in tokenizer.pre_tokenizer.split(text) for t in longest_match(tokenizer, word)]
    if chosen == set(cuts_of(matched, units)):
        misconception = Misconception.LONGEST_MATCH
    elif len(chosen) == len(units) - 1:
        misconception = Misconception.NO_MERGES
    before, replay = _replay(tokenizer, text, first.number)
    message = first.message
    if misconception is Misconception.LONGEST_MATCH:
        message += " Encoding replays the merges in order; it does not look for the longest token."
    return CutJudgement(
        False, message, right_cuts, split, first.slip, first.number, misconception, before, replay
    )


@dataclass(frozen=True, slots=True)
class _Found:
    slip: Slip
    number: int | None
    message: str
    misconception: Misconception


def _name(token: Token) -> str:
    return label(token).plain


def _missed(tokenizer: Tokenizer, text: str, units: list[Token], chosen: set[int]) -> list[_Found]:
    """The first merge of the replay that closes a boundary the learner kept."""
    trace = tokenizer.trace(text)
    open_before = set(range(1, len(units)))
    for stage in trace.stages[1:]:
        ids = [id for word in stage.words for id in word]
        open_after = set(cuts_of(map(tokenizer.token, ids), units))
        kept = (open_before - open_after) & chosen
        if kept and stage.left is not None and stage.right is not None and stage.token is not None:
            left, right = tokenizer.token(stage.left), tokenizer.token(stage.right)
            joined = tokenizer.token(stage.token)
            message = (
                f"Merge {stage.number} joins {_name(left)} + {_name(right)} to {_name(joined)}, "
                "and you left a cut between them."
            )
            return [_Found(Slip.MISSED, stage.number, message, Misconception.MERGE_MISSED)]
        open_before = open_after
    return []


def _invented(tokenizer: Tokenizer, text: str, chosen: set[int], right_cuts: tuple[int, ...]) -> list[_Found]:
    """The boundaries of the right split that the learner closed, each with the reason it stands."""
    found: list[_Found] = []
    for boundary in tokenizer.boundaries(text):
        if right_cuts[boundary.index] in chosen:
            continue
        between = f"There is a cut missing between {_name(boundary.left)} and {_name(boundary.right)}. "
        if boundary.reason is Reason.WALL:
            slip, misconception = Slip.WALL, Misconception.ACROSS_WORDS
        elif boundary.reason is Reason.TOO_LATE:
            slip, misconception = Slip.INVENTED, Misconception.MERGE_ORDER
        else:
            slip, misconception = Slip.INVENTED, Misconception.MERGE_INVENTED
        number = boundary.number if boundary.reason is Reason.TOO_LATE else None
        found.append(_Found(slip, number, between + boundary.sentence, misconception))
    return found


def _replay(tokenizer: Tokenizer, text: str, number: int | None) -> tuple[Split, tuple[ReplayStep, ...]]:
    """The right replay from the first merge numbered ``number`` or above (all of it for None)."""
    trace = tokenizer.trace(text)
    steps: list[ReplayStep] = []
    before = trace.stages[0]
    for stage in trace.stages[1:]:
        if stage.left is None or stage.right is None or stage.token is None:
            continue
        if number is not None and stage.number < number:
            before = stage
            continue
        left, right, made = (Piece.of(tokenizer.token(id)) for id in (stage.left, stage.right, stage.token))
        ids = [id for word in stage.words for id in word]
        steps.append(ReplayStep(stage.number, left, right, made, Split.of(map(tokenizer.token, ids))))
    ids = [id for word in before.words for id in word]
    return Split.of(map(tokenizer.token, ids)), tuple(steps)
