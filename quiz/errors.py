"""Errors of the practice part: a file that a learner or teacher opened and that cannot be followed.

    BPEError
    └── QuizError
        ├── ProgressFileError    a saved progress file
        ├── ResultsFileError     a results file handed in
        └── SheetError           a teacher's sheet; ``problems`` names each line

Not here: a wrong answer. That is a result (``checking.Feedback``), never an exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpe_core.errors import BPEError


class QuizError(BPEError):
    """The root of what this part raises on purpose."""


class ProgressFileError(QuizError):
    """A progress file that cannot be opened; the message says what is wrong with it."""


class ResultsFileError(QuizError):
    """A results file that cannot be read; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a sheet: the line (from 1, None for the sheet as a whole) and a sentence."""

    line: int | None
    message: str

    @property
    def sentence(self) -> str:
        """The problem with its line, for a person."""
        return f"Line {self.line}: {self.message}" if self.line else self.message


class SheetError(QuizError):
    """A teacher's sheet with mistakes in it; the message names the first, ``problems`` all of them."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        more = len(self.problems) - 1
        tail = f" ({more} more problem{'s' if more > 1 else ''})" if more else ""
        super().__init__(self.problems[0].sentence + tail)
