"""GPT-2's pair of files: merges.txt (one merge a line, by rank) and vocab.json (spelling → id).

Byte mode spells bytes with GPT-2's printable alphabet (a space is Ġ). Character mode spells characters as
they are, so a token with a space or a line break has no place on a line and is refused. The files have no
end-of-word marker of their own either; tools that read them know the fused kind only.

Line 1 may be a heading that starts with ``#version``; nothing else is a comment, so ``# #`` is a merge. Lines
end at ``\\n`` and nowhere else. Our heading also notes the settings, which other readers pass over.

Not here: subword-nmt's codes with ``</w>``.
"""

from __future__ import annotations

import json

from ..alphabet import Unit
from ..display import PRINTABLE_TO_BYTE
from ..errors import ExportError, ImportFormatError, shown
from ..pretokenize import PreTokenizer
from .building import Speller, check_vocabulary, from_spellings
from .huggingface import spelled
from .records import ExportedFile, ImportedModel, Model, ModelFormat, ModelSettings, parsed

VOCABULARY_NAME = "vocab.json"
HEADING = "#version"


def export(model: Model) -> tuple[ExportedFile, ...]:
    """merges.txt and vocab.json. ExportError for a marker and for what a line cannot hold."""
    name = ModelFormat.GPT2.value
    if model.pre_tokenizer.has_marker:
        raise ExportError(
            f"{name} has no separate end-of-word marker; choose another pre-tokenizer, "
            "or save tokenizer.json."
        )
    model.check_spellable(name)
    vocabulary, merges = spelled(model, Speller(model.unit), name)
    lines = [f"{HEADING}: 0.2 unit={model.unit.value} pre-tokenizer={model.pre_tokenizer.value}"]
    for number, rule in enumerate(merges, 1):
        for side in rule:
            if any(space in side for space in " \n\r"):
                raise ExportError(
                    f"Merge {number} uses the token {shown(side)}, and a line of {name} cannot hold a space "
                    "or a line break; save tokenizer.json or the steps, or start from bytes."
                )
        if rule[0].startswith(HEADING):
            raise ExportError(
                f"Merge {number} would read as a heading of {name}; save tokenizer.json instead."
            )
        lines.append(" ".join(rule))
    return (
        ExportedFile(name, ("\n".join(lines) + "\n").encode("utf-8")),
        ExportedFile(VOCABULARY_NAME, json.dumps(vocabulary, ensure_ascii=False, indent=0).encode("utf-8")),
    )


def read(text: str, vocabulary_text: str | None, chosen: PreTokenizer | None) -> ImportedModel:
    """The model of merges.txt, with vocab.json where there is one (without it ids are ours).

    The unit is the heading's; else bytes when every token is spelled in the byte alphabet, and when there
    is a vocabulary it has all 256 bytes. Raises ImportFormatError with the line.
    """
    lines = text.split("\n")
    first = 1
    noted: dict[str, str] = {}
    if lines[0].startswith(HEADING):
        noted = dict(part.split("=", 1) for part in lines[0].split() if "=" in part)
        first = 2
    rules: list[tuple[str, str]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines[first - 1 :], first):
        line = line.removesuffix("\r")
        if not line:
            continue
        parts = line.split(" ")
        if len(parts) != 2:
            raise ImportFormatError(
                f"Line {number} is {shown(line)}; each line holds two tokens with one space between them."
            )
        rules.append((parts[0], parts[1]))
        numbers.append(number)
    vocabulary = (
        None if vocabulary_text is None else check_vocabulary(parsed(vocabulary_text), VOCABULARY_NAME)
    )
    notices: list[str] = []
    unit = _unit(noted, rules, vocabulary)
    if "unit" not in noted:
        notices.append(
            "Taken as byte mode, since every token is spelled in GPT-2's byte alphabet."
            if unit is Unit.BYTE
            else "Taken as character mode, since not every token is spelled in GPT-2's byte alphabet."
        )
    kind = _pre_tokenizer(noted)
    if chosen is not None:
        kind = chosen
    elif kind is None:
        kind = PreTokenizer.GPT2
        notices.append("The file does not say how text is cut into words; GPT-2's way is used.")
    if kind.has_marker:
        raise ImportFormatError("The file has no end-of-word marker; choose another pre-tokenizer.")
    if vocabulary is None:
        notices.append(
            f"Without {VOCABULARY_NAME}, ids are given in order: base units first, then the merges."
        )
    tokenizer, more = from_spellings(
        rules,
        vocabulary,
        Speller(unit),
        kind,
        lambda i: f"Merge {i + 1} (line {numbers[i]}: {shown(rules[i][0])} + {shown(rules[i][1])})",
    )
    return ImportedModel(tokenizer, ModelSettings(kind, unit), (*notices, *more))


def _unit(noted: dict[str, str], rules: list[tuple[str, str]], vocabulary: dict[str, int] | None) -> Unit:
    if noted.get("unit") in ("char", "byte"):
        return Unit(noted["unit"])
    if vocabulary is not None and not PRINTABLE_TO_BYTE.keys() <= vocabulary.keys():
        return Unit.CHAR
    spelled_in_bytes = all(c in PRINTABLE_TO_BYTE for rule in rules for side in rule for c in side)
    return Unit.BYTE if spelled_in_bytes else Unit.CHAR


def _pre_tokenizer(noted: dict[str, str]) -> PreTokenizer | None:
    try:
        return PreTokenizer(noted.get("pre-tokenizer"))
    except ValueError:
        return None
