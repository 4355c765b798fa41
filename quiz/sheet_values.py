"""Reading the tables of a teacher's sheet value by value, and noting every problem with its line.

Not here: questions (``sheet``).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from bpe_core.alphabet import Unit
from bpe_core.corpus import COUNT_LIMIT
from bpe_core.errors import shown
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import TieRule

from .errors import Problem
from .inputs import PRESETS, Inputs
from .sheet_lines import Path, line_of

#: The largest corpus of a sheet and the longest sentence, in characters.
CORPUS_LIMIT = 20_000
TEXT_LIMIT = 4_000

_CORPUS_KEYS = {"text", "preset", "words", "unit", "pre", "ties", "min", "lock"}
_E = TypeVar("_E", bound=Enum)


class TableReader:
    """Reads single values; what is wrong goes to ``problems`` and a default is used."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.problems: list[Problem] = []

    def problem(self, path: Path, key: str, message: str) -> None:
        """Note a problem at a key of a table."""
        self.problems.append(Problem(line_of(self.text, path, key), message))

    def unknown_keys(self, path: Path, table: Mapping[str, object], known: set[str]) -> None:
        """Note every key that does not belong."""
        for key in table.keys() - known:
            self.problem(
                path, key, f"{shown(key)} is not known here; allowed are {', '.join(sorted(known))}."
            )

    def text_in(
        self,
        path: Path,
        table: Mapping[str, object],
        key: str,
        default: str | None = "",
        limit: int = TEXT_LIMIT,
    ) -> str:
        """A text, by default ``default`` (None: it has to be there)."""
        found = table.get(key, default)
        if not isinstance(found, str) or not (found.strip() or found == default) or len(found) > limit:
            self.problem(path, key, f"{key} is a text of 1 to {limit:,} characters, in quotation marks.")
            return default or ""
        return found

    def flag(self, path: Path, table: Mapping[str, object], key: str, default: bool) -> bool:
        """true or false."""
        found = table.get(key, default)
        if not isinstance(found, bool):
            self.problem(path, key, f"{key} is true or false, without quotation marks.")
            return default
        return found

    def count(self, path: Path, table: Mapping[str, object], key: str, default: int, least: int = 0) -> int:
        """A whole number."""
        found = table.get(key, default)
        if type(found) is not int or not least <= found <= 1_000_000:
            self.problem(path, key, f"{key} is a whole number from {least} to 1,000,000.")
            return default
        return found

    def word(self, path: Path, table: Mapping[str, object], key: str, words: type[_E], default: _E) -> _E:
        """One of an enum's words."""
        found = table.get(key, default.value)
        try:
            return words(found)
        except (ValueError, TypeError):
            allowed = ", ".join(str(word.value) for word in words)
            self.problem(path, key, f"{key} is {shown(found)}; allowed are {allowed}.")
            return default

    def corpus(self, path: Path, table: object) -> tuple[Inputs | None, bool]:
        """The inputs of a corpus table, None with a problem noted; and whether it is locked."""
        if not isinstance(table, dict):
            self.problem(path[:-1], "corpus", "corpus is a table of its own: [corpus], then its lines.")
            return None, False
        before = len(self.problems)
        self.unknown_keys(path, table, _CORPUS_KEYS)
        given = [key for key in ("text", "preset", "words") if key in table]
        if len(given) != 1:
            self.problem(path, given[-1] if given else "", "a corpus needs one of text, preset, words.")
            return None, False
        base = Inputs(text="")
        if "preset" in table:
            name = table["preset"]
            if not isinstance(name, str) or name not in PRESETS:
                allowed = ", ".join(PRESETS)
                self.problem(path, "preset", f"there is no preset {shown(name)}; allowed are {allowed}.")
                return None, False
            base = PRESETS[name]
        text, words = base.text, base.word_counts
        if "text" in table:
            text, words = self.text_in(path, table, "text", None, CORPUS_LIMIT), None
        elif "words" in table:
            text, words = None, self._words(path, table["words"])
        inputs = Inputs(
            text,
            words,
            self.word(path, table, "unit", Unit, base.unit),
            self.word(path, table, "pre", PreTokenizer, base.pre_tokenizer),
            self.word(path, table, "ties", TieRule, base.ties),
            self.count(path, table, "min", base.least_count, 1) if "min" in table else base.min_count,
            base.preset,
        )
        locked = self.flag(path, table, "lock", False)
        return (inputs if len(self.problems) == before else None), locked

    def _words(self, path: Path, table: object) -> tuple[tuple[str, int], ...]:
        fine = isinstance(table, dict) and 0 < len(table) <= 1_000
        if fine:
            assert isinstance(table, dict)
            fine = all(word and type(n) is int and 1 <= n <= COUNT_LIMIT for word, n in table.items())
        if not fine:
            self.problem(path, "words", "words are word = count pairs, such as { hop = 5, hops = 2 }.")
            return (("a", 1),)
        assert isinstance(table, dict)
        return tuple(table.items())
