"""The record of a question: what it asks, its options, hints and sentences, all as data.

Sentences are templates. ``{name}`` stands for a figure of the question, ``{name:.2f}`` for it with two
decimals, ``{value}`` for the option's own figure, ``{answer}`` for the right answer; a brace that is meant
literally is written twice (``literal`` does that to text from outside). So no number in a sentence is typed.

Not here: deciding whether an answer is right (``checking``), the questions themselves (``bank``, ``made``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from .errors import QuizError
from .figures import Figure, What, value
from .inputs import Inputs
from .misconceptions import Misconception
from .values import Value, written


class Kind(Enum):
    """How a question is answered; the value is the word in a sheet."""

    NUMBER = "number"
    TOKEN = "token"
    CHOICE = "choice"
    SPLIT = "split"
    PAIR = "pair"


class Group(Enum):
    """What a question practises."""

    IDEAS = "ideas"
    BY_HAND = "by-hand"
    BYTES = "bytes"
    ENCODING = "encoding"
    BITS = "bits"

    @property
    def label(self) -> str:
        """The heading of the group."""
        return self.value.replace("-", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Option:
    """One answer worth a sentence of its own: an option to choose, or a mistake that typing is checked for.

    With a ``figure`` the core decides whether it is right: it is when its value is an answer. ``right`` is
    only for options in plain words. ``why`` is shown when it is chosen.
    """

    key: str
    text: str = "{value}"
    why: str = ""
    figure: Figure | None = None
    right: bool = False
    misconception: Misconception | None = None


@dataclass(frozen=True, slots=True)
class Lab:
    """The state of the lab that a question is about; ``locked`` when its teacher locks the lab to it."""

    inputs: Inputs
    k: int = 0
    new: str | None = None
    locked: bool = False

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the link to it, as text."""
        return self.inputs.query(self.k, self.new) | ({"locked": "1"} if self.locked else {})


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    ``answers`` are the figures whose values are right, any one of them; choices in plain words have none.
    ``several`` choices are right only as the exact set. ``tolerance`` is how far a number may be off.
    ``show_corpus`` and ``show_merges`` (how many) say what the page puts under the prompt, from ``inputs``.
    ``code_points`` makes é as one character differ from e with an accent. ``spaces_matter`` False lets
    ``low`` stand for ``␣low``.
    """

    id: str
    kind: Kind
    group: Group
    prompt: str
    answers: tuple[Figure, ...] = ()
    options: tuple[Option, ...] = ()
    explanation: str = ""
    hints: tuple[str, ...] = ()
    figures: tuple[tuple[str, Figure], ...] = ()
    several: bool = False
    tolerance: float = 0
    measure: str = ""
    spaces_matter: bool = True
    code_points: bool = False
    inputs: Inputs | None = None
    show_corpus: bool = False
    show_merges: int = 0
    lab: Lab | None = None

    @property
    def answer_values(self) -> tuple[Value, ...]:
        """The right answers, from the core; equal ones once."""
        return tuple(dict.fromkeys(value(figure) for figure in self.answers))

    def is_right(self, option: Option) -> bool:
        """Whether an option is a right answer: asked of the core where it has a figure."""
        if option.figure is not None and self.answers:
            found = value(option.figure)
            return any(same(found, answer, 0) for answer in self.answer_values)
        return option.right

    @property
    def right_keys(self) -> frozenset[str]:
        """The keys of the options that are right."""
        return frozenset(option.key for option in self.options if self.is_right(option))

    def option(self, key: str) -> Option | None:
        """The option with this key."""
        return next((option for option in self.options if option.key == key), None)

    @property
    def prompt_text(self) -> str:
        """The question as a person reads it."""
        return fill(self.prompt, self)

    @property
    def hint_texts(self) -> tuple[str, ...]:
        """The hints, mildest first."""
        return tuple(fill(hint, self) for hint in self.hints)

    @property
    def explanation_text(self) -> str:
        """Why the answer is what it is."""
        return fill(self.explanation, self)

    def option_text(self, option: Option) -> str:
        """An option as a person reads it."""
        return fill(option.text, self, option.figure)

    def option_why(self, option: Option) -> str:
        """What choosing this option means."""
        return fill(option.why, self, option.figure)

    @property
    def answer_text(self) -> str:
        """The right answer, or the right answers, in words."""
        if self.kind is Kind.CHOICE:
            right = [self.option_text(option) for option in self.options if option.key in self.right_keys]
            return "; ".join(right)
        texts = [written(answer) for answer in self.answer_values]
        return " or ".join(texts) + (f" {self.measure}" if self.measure else "")

    @property
    def tolerance_text(self) -> str:
        """How exact a number has to be, in words; empty for other kinds."""
        if self.kind is not Kind.NUMBER:
            return ""
        if not self.tolerance:
            return "A whole number."
        return f"Within {self.tolerance:g} counts as right."

    @property
    def merges(self) -> tuple[str, ...]:
        """The merges to list under the prompt, in order, as ``h + o``."""
        if not self.show_merges or self.inputs is None:
            return ()
        figures = (Figure(What.MERGE_PAIR, self.inputs, k) for k in range(1, self.show_merges + 1))
        return tuple(str(value(figure)) for figure in figures)

    @property
    def words(self) -> tuple[tuple[str, int], ...]:
        """The corpus to show under the prompt: distinct words with their counts."""
        if not self.show_corpus or self.inputs is None:
            return ()
        corpus = self.inputs.corpus()
        return tuple(zip(corpus.words, corpus.counts, strict=True))

    @property
    def new_text(self) -> str:
        """The text to cut, in a question that asks for a split."""
        return self.answers[0].new if self.kind is Kind.SPLIT and self.answers else ""


def same(one: Value, other: Value, tolerance: float) -> bool:
    """Whether two values are the same answer.

    >>> same(3.18, 3.1818, 0.005), same(3, 3.0, 0), same("3", 3, 1)
    (True, True, False)
    """
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= tolerance + 1e-9
    return type(one) is type(other) and one == other


_FIELD = re.compile(r"\{\{|\}\}|\{([a-z][a-z0-9_]*)(?::\.([0-9])f)?\}")


def fill(template: str, question: Question, own: Figure | None = None) -> str:
    """A template with its figures worked out. Raises QuizError for a name the question does not have."""

    def one(match: re.Match[str]) -> str:
        name, decimals = match[1], match[2]
        if name is None:
            return match[0][0]
        if name == "answer" and question.answers:
            figure = question.answers[0]
        elif name == "value" and own is not None:
            figure = own
        else:
            found = dict(question.figures).get(name)
            if found is None:
                raise QuizError(f"Question '{question.id}' has no figure called '{name}'.")
            figure = found
        answer = value(figure)
        if decimals is not None and isinstance(answer, int | float):
            return written(float(answer), int(decimals))
        return written(answer)

    return _FIELD.sub(one, template)


def literal(text: str) -> str:
    """Text from outside, for use in a template.

    >>> literal("{x}")
    '{{x}}'
    """
    return text.replace("{", "{{").replace("}", "}}")
