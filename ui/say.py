"""A sentence for eyes and for screen readers: it is announced when it changes, and its height is reserved.

    say(["Merge ", strong("3"), ": ", tok(token), …], key="what_happened", lines=2)

Plain strings are our words; ``tok`` shows a token or a word as a small chip, isolated from the text around
it. Everything goes into the page as text.
"""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core.alphabet import Token
from bpe_core.display import label, text_label

from .parts import component

_place = component("say")

#: A plain string, or (text, style).
Part = str | tuple[str, str]


def tok(token: Token | str, limit: int = 24) -> Part:
    """A token (or a user's text) as a chip, shortened in its middle when it is long."""
    short = text_label(token, limit) if isinstance(token, str) else label(token, limit)
    return (short.plain, "token")


def strong(text: str) -> Part:
    """Words that carry the sentence."""
    return (text, "strong")


def say(parts: Sequence[Part], *, key: str, lines: int = 0, live: bool = True) -> None:
    """Show the sentence. ``lines`` reserves that many lines; ``live`` makes a screen reader announce
    changes."""
    data = {
        "parts": [[part, "text"] if isinstance(part, str) else list(part) for part in parts],
        "lines": lines,
        "live": live,
    }
    _place(key=key, data=data)
