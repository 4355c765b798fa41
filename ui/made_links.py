"""A made sheet in a link: seed, level, kind, and whether its words come from the learner's own corpus.

    sheet, notices = from_params({"seed": "7", "level": "2"})

A link is hostile input: what is not understood falls back to the default with a notice. No Streamlit here.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from bpe_core.errors import shown
from quiz.made import LEVELS, MadeKind
from quiz.made_corpora import WordCounts

#: The parameters of a made sheet in the address.
PARAMETERS = ("seed", "level", "kind", "words")
SEED_LIMIT = 999_999

_DIGITS = re.compile(r"[0-9]{1,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class MadeSheet:
    """Which made questions: the same four values give the same questions everywhere.

    ``own`` takes the words from the learner's own corpus, which the link then has to carry as well.
    """

    seed: int
    level: int = 1
    kind: MadeKind | None = None
    own: bool = False

    def params(self) -> dict[str, str | None]:
        """The parameters of the link; None for one that is left out.

        >>> MadeSheet(7, 2).params()
        {'seed': '7', 'level': '2', 'kind': None, 'words': None}
        """
        return {
            "seed": str(self.seed),
            "level": str(self.level),
            "kind": self.kind.value if self.kind else None,
            "words": "own" if self.own else None,
        }

    def name(self, words: WordCounts = ()) -> str:
        """What progress and results call this set, apart from seed and level.

        >>> MadeSheet(7).name(), MadeSheet(7, kind=MadeKind.SPLIT).name()
        ('made', 'made:split')
        """
        parts = ["made"]
        if self.kind:
            parts.append(self.kind.value)
        if self.own and words:
            parts.append("own-" + hashlib.sha256(repr(words).encode("utf-8", "replace")).hexdigest()[:8])
        return ":".join(parts)


def fresh_seed() -> int:
    """A seed of chance, short enough to read out."""
    return 1 + secrets.randbelow(9_999)


def from_params(params: Mapping[str, str]) -> tuple[MadeSheet | None, list[str]]:
    """The sheet a link asks for (None: it asks for none) and a sentence for each value not understood.

    >>> from_params({})
    (None, [])
    >>> sheet, notices = from_params({"seed": "7", "level": "9"})
    >>> sheet.level, notices
    (1, ['The link asks for level 9; levels are 1, 2 and 3, and 1 is used.'])
    """
    if not any(name in params for name in PARAMETERS):
        return None, []
    notices: list[str] = []
    seed = _seed(params.get("seed"), notices)
    level = 1
    if "level" in params:
        if params["level"] in map(str, LEVELS):
            level = int(params["level"])
        else:
            asked = params["level"] if _DIGITS.fullmatch(params["level"]) else shown(params["level"])
            notices.append(f"The link asks for level {asked}; levels are 1, 2 and 3, and 1 is used.")
    kind = None
    if "kind" in params:
        kind = next((each for each in MadeKind if each.value == params["kind"]), None)
        if kind is None:
            allowed = ", ".join(each.value for each in MadeKind)
            notices.append(
                f"The link asks for kind {shown(params['kind'])}, which is not one of {allowed}; "
                "all kinds take turns."
            )
    own = params.get("words") == "own"
    if "words" in params and not own:
        notices.append(
            f"The link asks for words {shown(params['words'])}; only 'own' is known, so words are made up."
        )
    return MadeSheet(seed, level, kind, own), notices


def _seed(text: str | None, notices: list[str]) -> int:
    if text is None:
        return fresh_seed()
    if _DIGITS.fullmatch(text):
        if int(text) <= SEED_LIMIT:
            return int(text)
        notices.append(
            f"The link asks for sheet {shown(text, 20)}; the largest is {SEED_LIMIT:,}, which is used."
        )
        return SEED_LIMIT
    seed = fresh_seed()
    notices.append(
        f"The link asks for sheet {shown(text)}, which is not a whole number written with the digits 0-9; "
        f"sheet {seed} is used."
    )
    return seed
