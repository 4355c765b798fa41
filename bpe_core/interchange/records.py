"""What the import and export of models pass around, and how large a file may be.

Not here: the formats themselves (a module each), choosing among them (the package's ``__init__``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from ..alphabet import Alphabet, Unit
from ..encoding import Tokenizer
from ..errors import ExportError, ImportFormatError, shown
from ..pretokenize import PreTokenizer
from ..rules import Merge
from ..training import Choice, MergeStep, TieRule, Trainer

Setting = TypeVar("Setting", bound=Enum)

#: The largest model file that is read or written, in bytes.
FILE_LIMIT = 50_000_000
#: The longest merge list that is read; the largest vocabularies in use have about 260,000 tokens.
MERGE_LIMIT = 300_000
#: The longest token, in bytes: no longer than a corpus file may be.
TOKEN_LIMIT = 10_000_000
#: The highest id.
ID_LIMIT = 2**31 - 1


class ModelFormat(Enum):
    """A file format for merges; the value is the name its file has by default."""

    STEPS_JSON = "steps.json"  # ours: everything, settings too
    STEPS_CSV = "steps.csv"  # a table for a spreadsheet
    HUGGING_FACE = "tokenizer.json"
    TIKTOKEN = "ranks.tiktoken"
    GPT2 = "merges.txt"  # with vocab.json beside it


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file to save or download: its name and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a model cuts text and how it was trained; None where a file format does not say."""

    pre_tokenizer: PreTokenizer
    unit: Unit
    ties: TieRule | None = None
    min_count: int | None = None
    choice: Choice | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """A tokenizer read from a file. ``notices`` are sentences on what was assumed or left aside."""

    tokenizer: Tokenizer
    settings: ModelSettings
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Model:
    """A tokenizer taken apart for export, its rules in order of rank.

    ``specials`` are ids no merge makes, with the bytes they decode to. ``trainer`` is there when the model
    comes straight from training, and then knows the counts.
    """

    tokenizer: Tokenizer
    trainer: Trainer | None
    alphabet: Alphabet
    merges: Sequence[Merge]
    specials: dict[int, bytes]

    @property
    def unit(self) -> Unit:
        """Characters or bytes."""
        return self.alphabet.unit

    @property
    def pre_tokenizer(self) -> PreTokenizer:
        """What cuts text into words."""
        return self.tokenizer.pre_tokenizer

    def check_spellable(self, name: str) -> None:
        """ExportError when spelling out every token would pass the file limit."""
        length = self.tokenizer.rules.length
        total = sum(length(id) for id in self.tokenizer.ids())
        if total > FILE_LIMIT:
            raise ExportError(
                f"All tokens spelled out have {total:,} bytes, and a {name} file may have {FILE_LIMIT:,}; "
                "save the steps as JSON instead, which names tokens by id, or train with fewer merges."
            )


def taken_apart(model: Tokenizer | Trainer) -> Model:
    """What the exporters need of a tokenizer or of a training so far.

    Raises ExportError for a ranks file with tokens that no merge makes, since merges cannot hold it.
    """
    trainer = model if isinstance(model, Trainer) else None
    tokenizer = model.tokenizer() if isinstance(model, Trainer) else model
    seen: set[tuple[int, int]] = set()
    merges = []
    for left, right, new in tokenizer.merges:
        if (left, right) not in seen:  # a pair listed again never acts
            seen.add((left, right))
            merges.append((left, right, new))
    accounted = {unit.id for unit in tokenizer.alphabet.units} | {new for _, _, new in merges}
    specials = {}
    for id in tokenizer.ids():
        if id not in accounted:
            data = tokenizer.rules.spell(id)
            if data in tokenizer.rules.whole:
                raise ExportError(
                    f"The token with rank {id} cannot be reached by merging two others, so a list of merges "
                    "cannot hold it; save a tiktoken ranks file instead."
                )
            specials[id] = data
    return Model(tokenizer, trainer, tokenizer.alphabet, merges, specials)


def settings_of(model: Model) -> ModelSettings:
    """The settings of a model, with those of its training where known."""
    trainer = model.trainer
    if trainer is None:
        return ModelSettings(model.pre_tokenizer, model.unit)
    return ModelSettings(
        model.pre_tokenizer, model.unit, trainer.ties, trainer.min_count, trainer.choice, trainer.seed
    )


def one_of(kind: type[Setting], value: object, what: str) -> Setting | None:
    """The member of ``kind`` that a file names, None for None; ImportFormatError for what is no member."""
    allowed: list[object] = [member.value for member in kind]
    if value is None or value in allowed:
        return None if value is None else kind(value)
    named = ", ".join(map(str, allowed))
    raise ImportFormatError(f"{what} is {shown(value)}; it is one of {named}.")


def step_figures(step: MergeStep) -> dict[str, int]:
    """What a merge counted, by the names it has in every file and on the command line."""
    return {
        "count": step.count,
        "tied": step.tied,
        "replacements": step.replacements,
        "corpus_length": step.corpus_length,
        "vocabulary_size": step.vocabulary_size,
    }


def decoded(data: bytes) -> str:
    """The text of a model file; ImportFormatError unless it is UTF-8 (a byte order mark is let go)."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ImportFormatError(
            f"The file is not UTF-8 text: byte {data[error.start]:02X} at position {error.start} "
            "does not fit."
        ) from None
    return text.removeprefix("\ufeff")


def parsed(text: str) -> object:
    """The value of a JSON text, with repeated names refused and lone surrogates too.

    Raises ImportFormatError with the line and column.
    """
    try:
        value: object = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise ImportFormatError(
            f"The JSON is malformed or cut short at line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
    except RecursionError:
        raise ImportFormatError("The JSON is nested too deeply to be a model.") from None
    except ImportFormatError:
        raise
    except ValueError as error:  # a number with thousands of digits
        raise ImportFormatError(f"The JSON holds a value that cannot be read: {str(error)[:80]}.") from None
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ImportFormatError(f"The name {shown(name)} stands twice in one JSON object.")
            seen.add(name)
    return made
