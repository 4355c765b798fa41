"""Our own format, JSON: all settings, every base unit and the ordered list of merges, all by id.

Reading it builds the identical tokenizer: ids, ranks, marker, pre-tokenizer. ``token`` and the figures
beside a merge are there for people; a ``token`` that does not fit its pair is refused, the figures are not
read.

    {"format": "bpe-steps", "version": 1,
     "settings": {"pre_tokenizer": "article", "unit": "char", "marker": false, "ties": "first-seen",
                  "min_count": 1, "choice": "most-frequent", "seed": 0, "counting": "adjacent pairs"},
     "start": {"corpus_length": 50, "vocabulary_size": 16},
     "units": [[0, " "], [1, ","], ...],              bytes as two hex digits, the marker as null
     "specials": [],                                  [id, hex of the bytes it decodes to]
     "merges": [{"merge": 1, "left": 3, "right": 9, "id": 16, "token": "ak", "count": 4, ...}, ...]}

Not here: the corpus itself, so counts cannot be computed again from this file alone.
"""

from __future__ import annotations

import json
from typing import Any

from ..alphabet import Token, Unit
from ..errors import ImportFormatError, shown
from ..pretokenize import PreTokenizer
from ..rules import Merge
from ..training import Choice, TieRule
from .building import assemble, check_count
from .records import (
    ID_LIMIT,
    ExportedFile,
    ImportedModel,
    Model,
    ModelFormat,
    ModelSettings,
    one_of,
    settings_of,
    step_figures,
)

FORMAT = "bpe-steps"
VERSION = 1

#: Longer tokens are not spelled beside their merge; without word splitting they would swell the file.
_SPELLED = 200


def export(model: Model) -> tuple[ExportedFile, ...]:
    """The JSON file, one merge a line so that two files compare well."""
    settings = settings_of(model)
    trainer = model.trainer
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "settings": {
            "pre_tokenizer": settings.pre_tokenizer.value,
            "unit": settings.unit.value,
            "marker": settings.pre_tokenizer.has_marker,
            "ties": settings.ties.value if settings.ties else None,
            "min_count": settings.min_count,
            "choice": settings.choice.value if settings.choice else None,
            "seed": settings.seed,
            "counting": "adjacent pairs",
        },
        "start": None
        if trainer is None
        else {"corpus_length": trainer.initial_length, "vocabulary_size": trainer.initial_vocabulary_size},
        "units": [[unit.id, None if unit.ends_word else unit.notation] for unit in model.alphabet.units],
        "specials": [[id, data.hex()] for id, data in model.specials.items()],
    }
    length = model.tokenizer.rules.length
    merges = []
    for rank, (left, right, new) in enumerate(model.merges):
        merge: dict[str, Any] = {"merge": rank + 1, "left": left, "right": right, "id": new}
        if length(new) <= _SPELLED:
            merge["token"] = model.tokenizer.token(new).notation
        if trainer is not None:
            merge |= step_figures(trainer.steps[rank])
        merges.append(json.dumps(merge, ensure_ascii=False))
    parts = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
    listed = "[\n" + ",\n".join(merges) + "\n]" if merges else "[]"
    text = "{\n" + ",\n".join([*parts, f'"merges": {listed}']) + "\n}\n"
    return (ExportedFile(ModelFormat.STEPS_JSON.value, text.encode("utf-8")),)


def read(file: dict[str, Any]) -> ImportedModel:
    """The model of a parsed file; ImportFormatError for what is missing or contradicts itself."""
    version = file.get("version")
    if type(version) is not int or version != VERSION:
        raise ImportFormatError(
            f"The file's version is {shown(version)}; only version {VERSION} can be read."
        )
    settings = _settings(file.get("settings"))
    unit = settings.unit
    units = [_unit(entry, unit) for entry in _list(file, "units")]
    specials = {}
    for entry in _list(file, "specials"):
        id, text = _entry(entry, "specials")
        data = _hex(text)
        if data is None:
            raise ImportFormatError(f"The special token {shown(text)} is not hex.")
        specials[id] = data
    listed = _list(file, "merges")
    check_count(len(listed))
    merges: list[Merge] = []
    for number, entry in enumerate(listed, 1):
        if not isinstance(entry, dict):
            raise ImportFormatError(
                f"Merge {number} is {shown(entry)}; it is an object with left, right and id."
            )
        left, right, new = (_id(entry.get(k), f"Merge {number}: {k}") for k in ("left", "right", "id"))
        merges.append((left, right, new))
    tokenizer, notices = assemble(
        unit,
        units,
        merges,
        settings.pre_tokenizer,
        specials,
        lambda i: f"Merge {i + 1}",
        lambda id: f"token {id}",
    )
    for number, (entry, (_, _, new)) in enumerate(zip(listed, merges, strict=True), 1):
        said = entry.get("token")
        if said is not None and (not isinstance(said, str) or said != tokenizer.token(new).notation):
            raise ImportFormatError(
                f"Merge {number} says its token is {shown(said)}, but its pair spells "
                f"{shown(tokenizer.token(new).notation)}."
            )
    return ImportedModel(tokenizer, settings, notices)


def _settings(given: object) -> ModelSettings:
    if not isinstance(given, dict):
        raise ImportFormatError("The file has no settings.")
    min_count, seed = given.get("min_count"), given.get("seed")
    if min_count is not None and (type(min_count) is not int or min_count < 1):
        raise ImportFormatError(f"The minimum count is {shown(min_count)}; it is a whole number from 1 up.")
    if seed is not None and type(seed) is not int:
        raise ImportFormatError(f"The seed is {shown(seed)}; it is a whole number.")
    kind = one_of(PreTokenizer, given.get("pre_tokenizer"), "The setting pre_tokenizer")
    unit = one_of(Unit, given.get("unit"), "The setting unit")
    if kind is None or unit is None:
        raise ImportFormatError("The settings need a pre_tokenizer and a unit.")
    ties = one_of(TieRule, given.get("ties"), "The setting ties")
    choice = one_of(Choice, given.get("choice"), "The setting choice")
    return ModelSettings(kind, unit, ties, min_count, choice, seed)


def _list(file: dict[str, Any], name: str) -> list[Any]:
    value = file.get(name)
    if not isinstance(value, list):
        raise ImportFormatError(f"The file's {name} are not a list.")
    return value


def _entry(entry: object, name: str) -> tuple[int, Any]:
    if not isinstance(entry, list) or len(entry) != 2:
        raise ImportFormatError(f"In {name}, {shown(entry)} is not a pair of id and text.")
    return _id(entry[0], f"In {name}"), entry[1]


def _id(value: object, place: str) -> int:
    if type(value) is not int or not 0 <= value <= ID_LIMIT:
        raise ImportFormatError(f"{place}: {shown(value)} is no id; an id is a whole number from 0 up.")
    return value


def _unit(entry: object, unit: Unit) -> Token:
    id, text = _entry(entry, "units")
    if text is None:
        return Token(id, b"", unit, ends_word=True)
    data = _hex(text) if unit is Unit.BYTE else _character(text)
    if data is None or (unit is Unit.BYTE and len(data) != 1):
        what = "two hex digits" if unit is Unit.BYTE else "one character"
        raise ImportFormatError(
            f"The unit with id {id} is {shown(text)}; it is {what}, or null for the marker."
        )
    return Token(id, data, unit)


def _hex(text: object) -> bytes | None:
    try:
        return bytes.fromhex(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _character(text: object) -> bytes | None:
    if not isinstance(text, str) or len(text) != 1 or "\ud800" <= text <= "\udfff":
        return None
    return text.encode("utf-8")
