"""How a figure is written, the same on every page: counts with their nouns, averages, ratios and bits.

A quantity has one rounding wherever it stands: an average (characters per token) two decimals, a ratio of
lengths four, bits in all three, bits for one symbol five. What is a whole number is written as one.

Not here: how a token is written (``bpe_core.display``).
"""

from __future__ import annotations

NOT_DEFINED = "not defined"
#: Lifts a figure that ends in a five, such as 1.125, over what binary fractions take from it.
_HAIR = 1e-9


def many(count: int, noun: str) -> str:
    """A number with its noun.

    >>> many(1, "token"), many(1200, "token")
    ('1 token', '1,200 tokens')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def average(value: float | None) -> str:
    """Characters per token, tokens per word and the like: two decimals, half up.

    >>> average(21 / 12), average(9 / 8), average(None)
    ('1.75', '1.13', 'not defined')
    """
    return NOT_DEFINED if value is None else f"{value + _HAIR:,.2f}"


def times(value: float | None) -> str:
    """A compression ratio or its inverse: four decimals.

    >>> times(35 / 11)
    '3.1818'
    """
    return NOT_DEFINED if value is None else f"{value:,.4f}"


def bits(value: float | None) -> str:
    """A total in bits: whole numbers as they are, others with three decimals.

    >>> bits(280), bits(78.39229), bits(0.0), bits(-4), bits(None)
    ('280', '78.392', '0', '−4', 'not defined')
    """
    return _exact_or(value, 3)


def rate(value: float | None) -> str:
    """Bits for one symbol: whole numbers as they are, others with five decimals.

    >>> rate(3), rate(200 / 50), rate(2.2397796), rate(None)
    ('3', '4', '2.23978', 'not defined')
    """
    return _exact_or(value, 5)


def _exact_or(value: float | None, decimals: int) -> str:
    if value is None:
        return NOT_DEFINED
    figure = f"{value:,.0f}" if value == int(value) else f"{value:,.{decimals}f}"
    return figure.replace("-", "−")
