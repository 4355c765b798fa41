"""Check an answer: right, wrong and why, or not understood. The core is asked for the right answer.

    check(question, "7.0")           typed answers: text as it stands
    check(question, ["a", "c"])      choices: the keys of the options chosen
    check(question, [2, 3])          cuts: positions between units
    check(question, ("a", "k"))      a pair of tokens, picked or typed

Only RIGHT and WRONG count as a try. EMPTY and UNREAD cost nothing.

Not here: keeping score (``progress``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from bpe_core.errors import BPEError

from .cutting import CutJudgement, base_units, judge_cuts, pieces_of
from .figures import What, trained, value
from .misconceptions import Misconception
from .predict import judge_typed
from .questions import Kind, Option, Question, same
from .reading import Match, Unread, match_token, read_cuts, read_number, read_pair
from .values import Piece, Split, TokenPair, Value, written

#: An answer as a page hands it over.
Answer = str | Sequence[str] | Sequence[int]


class Verdict(Enum):
    """What an answer is."""

    RIGHT = "right"
    WRONG = "wrong"
    UNREAD = "not understood"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Feedback:
    """The verdict with a message, and what stands behind a wrong answer.

    ``read_as`` is how the answer was understood. ``notes`` are (option key, sentence) for the options chosen,
    ``missed`` the right options left out, ``extra`` the wrong ones taken. ``cuts`` is the judgement of a
    split, with the right replay.
    """

    verdict: Verdict
    message: str
    misconception: Misconception | None = None
    read_as: str = ""
    notes: tuple[tuple[str, str], ...] = ()
    missed: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    cuts: CutJudgement | None = None

    @property
    def right(self) -> bool:
        """Whether the answer was right."""
        return self.verdict is Verdict.RIGHT

    @property
    def counts(self) -> bool:
        """Whether it was a try at all."""
        return self.verdict in (Verdict.RIGHT, Verdict.WRONG)


def check(question: Question, answer: Answer) -> Feedback:
    """Check an answer to a question.

    >>> from .bank import BY_ID
    >>> check(BY_ID["overlap-length"], " ９ ").right
    True
    >>> check(BY_ID["overlap-length"], "7").misconception.value
    'count-for-replacements'
    """
    if isinstance(answer, str) and not answer.strip() and not _space_is_an_answer(question, answer):
        return Feedback(Verdict.EMPTY, "Nothing is filled in yet.")
    if question.kind is Kind.CHOICE:
        keys = [answer] if isinstance(answer, str) else list(map(str, answer))
        return _check_choice(question, keys) if keys else Feedback(Verdict.EMPTY, "Nothing is chosen yet.")
    if question.kind is Kind.SPLIT:
        return _check_split(question, answer)
    if not isinstance(answer, str):
        sides = list(map(str, answer))
        if question.kind is not Kind.PAIR or len(sides) != 2 or not all(sides):
            return Feedback(Verdict.EMPTY, "Nothing is filled in yet.")
        return _check_pair(question, (sides[0], sides[1]))
    if question.kind is Kind.NUMBER:
        return _check_number(question, answer)
    if question.kind is Kind.TOKEN:
        return _check_token(question, answer)
    return _check_pair(question, answer)


def _space_is_an_answer(question: Question, answer: str) -> bool:
    if question.kind is not Kind.TOKEN:
        return False
    return any(isinstance(v, Piece) and v.token.text == answer for v in question.answer_values)


def _right(question: Question, read_as: str) -> Feedback:
    message = question.explanation_text or f"Right: {question.answer_text}."
    return Feedback(Verdict.RIGHT, message, read_as=read_as)


def _wrong(question: Question, read_as: str, option: Option | None, plain: str) -> Feedback:
    if option is None:
        more = " A hint may help." if question.hints else ""
        return Feedback(Verdict.WRONG, plain + more, read_as=read_as)
    return Feedback(Verdict.WRONG, question.option_why(option) or plain, option.misconception, read_as)


def _unread(hint: str) -> Feedback:
    return Feedback(Verdict.UNREAD, hint)


# ---------------------------------------------------------------- choices


def _check_choice(question: Question, keys: Collection[str]) -> Feedback:
    chosen = [option for option in question.options if option.key in set(keys)]
    if not chosen:
        return _unread("Choose one of the options.")
    right_keys = question.right_keys
    chosen_keys = {option.key for option in chosen}
    notes = tuple((option.key, question.option_why(option)) for option in chosen)
    texts = "; ".join(question.option_text(option) for option in chosen)
    extra = tuple(option for option in chosen if option.key not in right_keys)
    if not question.several:
        if len(chosen) > 1:
            return _unread("Choose one option only.")
        if not extra:
            own = notes[0][1]
            message = " ".join(part for part in (own, question.explanation_text) if part)
            return Feedback(Verdict.RIGHT, message, read_as=texts, notes=notes)
        return Feedback(
            Verdict.WRONG, notes[0][1], extra[0].misconception, texts, notes, extra=(extra[0].key,)
        )
    missed = tuple(o.key for o in question.options if o.key in right_keys and o.key not in chosen_keys)
    if not extra and not missed:
        return Feedback(Verdict.RIGHT, question.explanation_text, read_as=texts, notes=notes)
    counted = []
    if extra:
        counted.append(f"{len(extra)} of those chosen {'is' if len(extra) == 1 else 'are'} wrong")
    if missed:
        counted.append(f"{len(missed)} right one{' is' if len(missed) == 1 else 's are'} missing")
    message = " and ".join(counted).capitalize() + "."
    misconception = next((o.misconception for o in extra if o.misconception), None)
    return Feedback(
        Verdict.WRONG,
        message,
        misconception or (None if extra else Misconception.OPTION_MISSED),
        texts,
        notes,
        missed,
        tuple(option.key for option in extra),
    )


# ---------------------------------------------------------------- numbers and tokens


def _check_number(question: Question, text: str) -> Feedback:
    answers = [v for v in question.answer_values if isinstance(v, int | float)]
    whole = all(float(v).is_integer() for v in answers) and not question.tolerance
    read = read_number(text, whole)
    if isinstance(read, Unread):
        return _unread(read.hint)
    for number in read:
        if any(same(number, answer, question.tolerance) for answer in answers):
            return _right(question, written(number))
    for number in read:
        option = _mistake(question, number, question.tolerance)
        if option is not None:
            return _wrong(question, written(number), option, "")
    return _wrong(question, written(read[0]), None, f"Not {written(read[0])}.")


def _mistake(question: Question, given: Value, tolerance: float = 0) -> Option | None:

    for option in question.options:
        if option.figure is not None and same(given, value(option.figure), tolerance):
            return option
    return None


def _check_token(question: Question, text: str) -> Feedback:
    pieces = [v for v in question.answer_values if isinstance(v, Piece)]
    matches = [match_token(text, p, question.spaces_matter, question.code_points) for p in pieces]
    shown = text.strip() or "␣"
    if Match.SAME in matches:
        return _right(question, str(pieces[matches.index(Match.SAME)]))
    if Match.SPACE_LEFT_OUT in matches:
        message = "Nearly: a space belongs to this token. Write it as ␣ in its place."
        return Feedback(Verdict.WRONG, message, Misconception.SPACE_LEFT_OUT, shown)
    if Match.SPACE_ADDED in matches:
        message = "Nearly: this token has no space in it."
        return Feedback(Verdict.WRONG, message, Misconception.SPACE_LEFT_OUT, shown)

    for option in question.options:
        found = value(option.figure) if option.figure else None
        if isinstance(found, Piece) and match_token(text, found) is Match.SAME:
            return _wrong(question, str(found), option, "")
    return _wrong(question, shown, None, f"Not {shown}.")


# ---------------------------------------------------------------- splits and pairs


def _check_split(question: Question, answer: Answer) -> Feedback:
    figure = question.answers[0]
    assert figure.inputs is not None
    tokenizer = trained(figure.inputs, figure.k).tokenizer(figure.k)
    units = base_units(tokenizer, figure.new)
    if isinstance(answer, str):
        read = read_cuts(answer, units, question.code_points)
        if isinstance(read, Unread):
            return _unread(read.hint)
        cuts = read
    else:
        cuts = tuple(cut for cut in answer if type(cut) is int and 0 < cut < len(units))
    given = pieces_of(units, cuts)
    judged = judge_cuts(tokenizer, figure.new, cuts)
    if given in question.answer_values:
        right = _right(question, str(given))
        return Feedback(Verdict.RIGHT, right.message, read_as=right.read_as, cuts=judged)
    option = _mistake(question, given)
    message = judged.message
    if option is not None and question.option_why(option):
        message = f"{question.option_why(option)} {judged.message}"
    slip = option.misconception if option and option.misconception else judged.misconception
    return Feedback(Verdict.WRONG, message, slip, str(given), cuts=judged)


def _check_pair(question: Question, answer: str | tuple[str, str]) -> Feedback:
    candidates: tuple[tuple[str, str], ...]
    if isinstance(answer, str):
        read = read_pair(answer)
        if isinstance(read, Unread):
            return _unread(read.hint)
        candidates = read
    else:
        candidates = (answer,)
    for left, right in candidates:
        for pair in question.answer_values:
            if isinstance(pair, TokenPair) and _is_pair(left, right, pair, question.code_points):
                return _right(question, str(pair))

    for option in question.options:
        found = value(option.figure) if option.figure else None
        if isinstance(found, TokenPair) and any(
            _is_pair(left, right, found, question.code_points) for left, right in candidates
        ):
            return _wrong(question, str(found), option, "")
    figure = question.answers[0]
    text = answer if isinstance(answer, str) else f"{answer[0]} + {answer[1]}"
    if figure.what is What.MERGE_PAIR and figure.inputs is not None:
        try:
            judged = judge_typed(figure.inputs.trainer(), figure.k - 1, text)
        except BPEError as error:
            return _unread(str(error))
        if isinstance(judged, Unread):
            return _unread(judged.hint)
        if judged is not None:
            return Feedback(Verdict.WRONG, judged.message, judged.misconception, judged.picked)
    left, right = min(candidates, key=lambda sides: len(sides[0]) + len(sides[1]))
    return _wrong(question, f"{left} + {right}", None, f"Not {left} + {right}.")


def _is_pair(left: str, right: str, pair: TokenPair, code_points: bool) -> bool:
    sides = ((left, pair.left), (right, pair.right))
    return all(match_token(typed, piece, True, code_points) is Match.SAME for typed, piece in sides)


def value_kind(kind: Kind) -> tuple[type, ...]:
    """The types of value that can answer a kind of typed question."""
    return {
        Kind.NUMBER: (int, float),
        Kind.TOKEN: (Piece,),
        Kind.SPLIT: (Split,),
        Kind.PAIR: (TokenPair,),
        Kind.CHOICE: (int, float, str, Piece, TokenPair, Split),
    }[kind]
