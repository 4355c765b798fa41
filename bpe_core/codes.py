"""What symbols cost that are taken as independent: order-0 entropy, and Huffman's code.

Logarithms are to base 2, so results are in bits.

Not here: where the counts come from, and codes of one width (``measures``).
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log2
from typing import Generic, TypeVar

Symbol = TypeVar("Symbol", bound=Hashable)


def entropy(counts: Iterable[int]) -> float | None:
    """Order-0 entropy H = Σ p·log2(1/p) in bits per symbol; None when nothing was counted.

    It takes symbols as independent, so a code that uses their order can do better.

    >>> entropy([2, 1, 1]), entropy([7]), entropy([])
    (1.5, 0.0, None)
    """
    present = [count for count in counts if count > 0]
    total = sum(present)
    if not total:
        return None
    return fsum(count / total * log2(total / count) for count in present)


@dataclass(frozen=True, slots=True)
class Codeword(Generic[Symbol]):
    """A symbol with its count and its code of ``length`` bits, written in 0 and 1."""

    symbol: Symbol
    count: int
    code: str
    length: int


def huffman(counts: Mapping[Symbol, int]) -> list[Codeword[Symbol]]:
    """A Huffman code for symbols that occur: shortest codes first, canonical, the same on every run.

    Equal weights are joined oldest first, which keeps the longest code short; among codes of one length
    the order given decides. A single symbol gets the empty code: as with a fixed width, only its number
    has to be known.

    >>> [(word.symbol, word.code) for word in huffman({"a": 4, "b": 1, "c": 2})]
    [('a', '0'), ('b', '10'), ('c', '11')]
    """
    symbols = [symbol for symbol, count in counts.items() if count > 0]
    lengths = _huffman_lengths([counts[symbol] for symbol in symbols])
    words: list[Codeword[Symbol]] = []
    number = previous = 0
    # Canonical: count upwards in binary, adding zeros on the right whenever the length grows.
    for place in sorted(range(len(symbols)), key=lambda place: (lengths[place], place)):
        length = lengths[place]
        number <<= length - previous
        bits = f"{number:0{length}b}" if length else ""
        words.append(Codeword(symbols[place], counts[symbols[place]], bits, length))
        number, previous = number + 1, length
    return words


def _huffman_lengths(weights: Sequence[int]) -> list[int]:
    """The code length for each weight: its depth once the two lightest are joined again and again."""
    queue = [(weight, node) for node, weight in enumerate(weights)]
    heapq.heapify(queue)
    parent: dict[int, int] = {}
    node = len(weights)
    while len(queue) > 1:
        first_weight, first = heapq.heappop(queue)
        second_weight, second = heapq.heappop(queue)
        parent[first] = parent[second] = node
        heapq.heappush(queue, (first_weight + second_weight, node))
        node += 1
    depth = {node - 1: 0}  # the root is the last node made; parents have higher numbers than children
    for child in range(node - 2, -1, -1):
        depth[child] = depth[parent[child]] + 1
    return [depth[leaf] for leaf in range(len(weights))]


def huffman_bits(code: Iterable[Codeword[Symbol]]) -> int:
    """Σ count · length: what the counted symbols take in this code."""
    return sum(word.count * word.length for word in code)
