"""The fixed questions, in the order they are offered: ideas, by hand, bytes, encoding, bits.

Each module holds one group as data. Every number in them is a figure of the core. Not here: how a
question is checked or shown.
"""

from __future__ import annotations

from ..questions import Group, Question
from .bits import BITS
from .by_hand import BY_HAND
from .byte_level import BYTE_LEVEL
from .encoding import ENCODING
from .ideas import IDEAS

#: All fixed questions.
QUESTIONS: tuple[Question, ...] = (*IDEAS, *BY_HAND, *BYTE_LEVEL, *ENCODING, *BITS)

#: The fixed questions by id.
BY_ID: dict[str, Question] = {question.id: question for question in QUESTIONS}


def in_group(group: Group) -> tuple[Question, ...]:
    """The fixed questions of one group."""
    return tuple(question for question in QUESTIONS if question.group is group)
