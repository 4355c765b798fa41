"""Chance that is the same everywhere: one seed gives one sheet on every machine and Python version.

Only ``random.Random(int).random()`` is used, which the standard library promises to keep; everything else
(a number below n, a pick, a shuffle) is built on it here. Seeds are hashed, so neighbouring ones do not
give similar sheets.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A stream of choices from a seed and any number of names that tell streams apart.

    >>> Dice(7, "sheet", 1).below(1000) == Dice(7, "sheet", 1).below(1000)
    True
    """

    def __init__(self, *seed: object) -> None:
        digest = hashlib.sha256("\x1f".join(map(str, seed)).encode("utf-8", "replace")).digest()
        self._random = random.Random(int.from_bytes(digest[:8], "big"))

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return min(int(self._random.random() * n), n - 1)

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in an order of chance."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            place = self.below(last + 1)
            order[last], order[place] = order[place], order[last]
        return order
