r"""Hugging Face ``tokenizer.json``, as the ``tokenizers`` package reads it.

How our settings are written there:

* Character mode: the model is BPE over characters. A character outside the alphabet becomes one ``<unk>``
  (ours keeps the character and shows that it has no id). Byte mode: ``ByteLevel``, nothing is unknown.
* Words: a ``Split`` that keeps the pattern's matches and removes the rest, so what our pre-tokenizer
  drops is dropped there too. Its regular expressions run on Oniguruma, whose ``\w`` knows no joiners
  (U+200C, U+200D) and counts ² ³ ¹ ¼ ½ ¾; the patterns below make up for that. Characters that a newer
  Unicode version added or moved may still be letters for one side only.
* The separate end-of-word marker: a normalizer puts one private-use character after each word.
  ``end_of_word_suffix`` would be another model, the marker fused with the last letter.

Not here: added tokens, normalizers and templates of other models. They are refused or named in a notice.
"""

from __future__ import annotations

import json
from typing import Any, TypeGuard

from ..alphabet import Unit
from ..errors import ExportError, ImportFormatError, shown
from ..pretokenize import PreTokenizer
from .building import Speller, check_vocabulary, from_spellings
from .records import ExportedFile, ImportedModel, Model, ModelFormat, ModelSettings

_OTHER_NUMBERS = r"\u00B2\u00B3\u00B9\u00BC-\u00BE"
_WORD = rf"\w\u200C\u200D&&[^{_OTHER_NUMBERS}]"

#: Our patterns as Oniguruma reads them: some as they are, others without possessive ``{1,3}+`` and ``\Z``,
#: which differ there, and with its own ``\w`` put right.
PATTERNS: dict[PreTokenizer, str] = {
    **{kind: kind.pattern for kind in PreTokenizer if kind.pattern is not None},
    PreTokenizer.ARTICLE: rf" ?[{_WORD}]+|[^\w\s\u200C\u200D]|[{_OTHER_NUMBERS}]",
    PreTokenizer.GPT2: r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    PreTokenizer.CL100K: (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+\z|\s*[\r\n]|\s+(?!\S)|\s"
    ),
}

#: Patterns that other files have and that cut as one of ours does.
_KNOWN_PATTERNS: dict[str, PreTokenizer] = {
    **{pattern: kind for kind, pattern in PATTERNS.items() if kind is not PreTokenizer.WORD_END},
    **{kind.pattern: kind for kind in PreTokenizer if kind.pattern and not kind.has_marker},
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": PreTokenizer.GPT2,
}

#: Where markers are taken from: the first private-use character the alphabet does not hold.
_PRIVATE = range(0xE000, 0xF8FF)

_BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}


def _split(pattern: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True}


def _replace(old: dict[str, str], new: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": old, "content": new}


def _sections(unit: Unit, kind: PreTokenizer, marker: str, stand_in: str) -> dict[str, Any]:
    """The normalizer, pre-tokenizer and decoder sections.

    ``marker`` and ``stand_in`` matter for the end-of-word marker only: a typed ``marker`` becomes
    ``stand_in``, which is outside the alphabet as well.
    """
    if not kind.has_marker:
        split = [_split(PATTERNS[kind])] if kind in PATTERNS else []
        if unit is Unit.CHAR:
            return {
                "normalizer": None,
                "pre_tokenizer": split[0] if split else None,
                "decoder": {"type": "Fuse"},
            }
        steps = [*split, _BYTE_LEVEL]
        return {
            "normalizer": None,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps} if split else _BYTE_LEVEL,
            "decoder": _BYTE_LEVEL,
        }
    # After the last word no space is written. (The decoder named Strip would do, but fails on empty text.)
    fuse = [{"type": "Fuse"}, _replace({"Regex": rf"{marker}\z"}, "")]
    if unit is Unit.CHAR:
        return {
            "normalizer": {
                "type": "Sequence",
                "normalizers": [
                    _replace({"String": marker}, stand_in),
                    _replace({"Regex": r"(?<=\S)(?!\S)"}, marker),
                ],
            },
            "pre_tokenizer": _split(r"\S+"),
            "decoder": {
                "type": "Sequence",
                "decoders": [*fuse, _replace({"String": marker}, " ")],
            },
        }
    # Once white space is one space and the text is in the byte alphabet, a space is Ġ and nothing else is.
    return {
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                _replace({"Regex": r"\s+"}, " "),
                {"type": "ByteLevel"},
                _replace({"Regex": "(?<=[^Ġ])(?![^Ġ])"}, marker),
            ],
        },
        "pre_tokenizer": _split("[^Ġ]+"),
        "decoder": {
            "type": "Sequence",
            "decoders": [*fuse, _replace({"String": marker}, "Ġ"), _BYTE_LEVEL],
        },
    }


def export(model: Model) -> tuple[ExportedFile, ...]:
    """``tokenizer.json``. ExportError when two tokens are spelled alike or are too long to spell."""
    model.check_spellable("tokenizer.json")
    alphabet = {unit.data.decode("utf-8") for unit in model.alphabet.units if model.unit is Unit.CHAR}
    private = (chr(c) for c in _PRIVATE if chr(c) not in alphabet)
    marker, stand_in = next(private), next(private)
    speller = Speller(model.unit, marker if model.pre_tokenizer.has_marker else None)
    vocabulary, merges = spelled(model, speller, "tokenizer.json")
    unknown = None
    if model.unit is Unit.CHAR:
        unknown = next(name for name in _unknown_names() if name not in vocabulary)
        vocabulary[unknown] = max(vocabulary.values(), default=-1) + 1
    sections = _sections(model.unit, model.pre_tokenizer, marker, stand_in)
    file = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": sections["normalizer"],
        "pre_tokenizer": sections["pre_tokenizer"],
        "post_processor": None,
        "decoder": sections["decoder"],
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": unknown,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": merges,
        },
    }
    data = json.dumps(file, ensure_ascii=False, indent=1).encode("utf-8")
    return (ExportedFile(ModelFormat.HUGGING_FACE.value, data),)


def _unknown_names() -> Any:
    yield "<unk>"
    yield from (f"<unk-{i}>" for i in range(1, 1_000_000_000))


def spelled(model: Model, speller: Speller, name: str) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """The vocabulary (spelling → id, by id) and the merges as spellings.

    Raises ExportError when two tokens are spelled alike, since there a spelling is the token.
    """
    token = model.tokenizer.token
    texts: dict[int, str] = {}
    for unit in model.alphabet.units:
        if unit.id is not None:
            texts[unit.id] = speller.write(unit)
    for _, _, new in model.merges:
        if new not in texts:
            texts[new] = speller.write(token(new))
    for id, data in model.specials.items():
        texts[id] = data.decode("utf-8", "replace")
    vocabulary: dict[str, int] = {}
    for id in sorted(texts):
        other = vocabulary.setdefault(texts[id], id)
        if other != id:
            raise ExportError(
                f"Tokens {other} and {id} are both spelled {shown(texts[id])}, and {name} tells tokens apart "
                "by their spelling; save the steps as JSON instead."
            )
    return vocabulary, [(texts[left], texts[right]) for left, right, _ in model.merges]


def read(file: dict[str, Any], chosen: PreTokenizer | None) -> ImportedModel:
    """The model of a parsed ``tokenizer.json``; ``chosen`` decides where its pre-tokenizer is not known.

    Raises ImportFormatError for what cannot be followed.
    """
    model = file.get("model")
    if not isinstance(model, dict) or model.get("type", "BPE") != "BPE":
        kind = model.get("type") if isinstance(model, dict) else model
        raise ImportFormatError(f"The model's type is {shown(kind)}; only BPE can be read.")
    for name in ("continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(name):
            raise ImportFormatError(
                f"The model sets {name} to {shown(model[name])}; only models without it can be read."
            )
    if model.get("byte_fallback"):
        raise ImportFormatError(
            "The model falls back to bytes for unknown characters, which is not supported."
        )
    notices: list[str] = []
    kind, unit, marker = _settings(file, chosen, notices)
    vocabulary = dict(check_vocabulary(model.get("vocab")))
    rules = _rules(model.get("merges"))
    unknown = model.get("unk_token")
    if (
        isinstance(unknown, str)
        and unknown not in {left + right for left, right in rules}
        and len(unknown) > 1
    ):
        vocabulary.pop(unknown, None)
    if model.get("dropout"):
        notices.append("The file asks for merges to be skipped at random (dropout); here none is.")
    if model.get("ignore_merges"):
        notices.append(
            "The file takes a whole word that is a token at once; here it is always merged step by step."
        )
    if file.get("added_tokens"):
        notices.append("The file adds special tokens; here their text is split like any other.")
    tokenizer, more = from_spellings(
        rules, vocabulary, Speller(unit, marker), kind, lambda i: f"Merge {i + 1} ({_shown_rule(rules[i])})"
    )
    return ImportedModel(tokenizer, ModelSettings(kind, unit), (*notices, *more))


def _shown_rule(rule: tuple[str, str]) -> str:
    return f"{shown(rule[0])} + {shown(rule[1])}"


def _rules(merges: object) -> list[tuple[str, str]]:
    if not isinstance(merges, list):
        raise ImportFormatError("The model's merges are not a list.")
    rules = []
    for i, merge in enumerate(merges, 1):
        parts = merge.split(" ") if isinstance(merge, str) else merge
        if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(p, str) for p in parts):
            raise ImportFormatError(
                f"Merge {i} is {shown(merge)}; a merge is two tokens, as a list or with one space."
            )
        rules.append((parts[0], parts[1]))
    return rules


def _settings(
    file: dict[str, Any], chosen: PreTokenizer | None, notices: list[str]
) -> tuple[PreTokenizer, Unit, str | None]:
    """Pre-tokenizer, unit and marker from the file's sections."""
    normalizer, splitter = file.get("normalizer"), file.get("pre_tokenizer")
    marked = _marked(file)
    if marked is not None:
        return marked
    if normalizer is not None and normalizer != {"type": "Sequence", "normalizers": []}:
        kind = normalizer.get("type") if isinstance(normalizer, dict) else normalizer
        raise ImportFormatError(
            f"The file changes text before splitting it (normalizer {shown(kind)}); "
            "only files that do not can be read."
        )
    steps: Any = splitter.get("pretokenizers") if _is_type(splitter, "Sequence") else [splitter]
    if not isinstance(steps, list):
        steps = [steps]
    steps = [step if isinstance(step, dict) else {} for step in steps if step is not None]
    unit = Unit.CHAR
    if any(_is_type(part, "ByteLevel") for part in (*steps, file.get("decoder"))):
        unit = Unit.BYTE
    if steps and _is_type(steps[-1], "ByteLevel"):
        last = steps.pop()
        if last.get("add_prefix_space"):
            notices.append("The file puts a space before every text; here none is added.")
        if last.get("use_regex", True):
            steps.append(_split(PATTERNS[PreTokenizer.GPT2]))
    kind = PreTokenizer.NONE if not steps else _known(steps[0]) if len(steps) == 1 else None
    if chosen is not None and chosen is not kind:
        if kind is not None:
            notices.append(
                f"The file's own pre-tokenizer is {kind.value}; {chosen.value} was chosen instead."
            )
        kind = chosen
    if kind is None:
        raise ImportFormatError(
            f"The file cuts text in a way that is not known here ({shown(json.dumps(splitter), 80)}); "
            "choose one of our pre-tokenizers for it."
        )
    if kind.has_marker:
        raise ImportFormatError("The file has no end-of-word marker; choose another pre-tokenizer.")
    return kind, unit, None


def _is_type(section: object, name: str) -> TypeGuard[dict[str, Any]]:
    return isinstance(section, dict) and section.get("type") == name


def _known(step: object) -> PreTokenizer | None:
    """Our pre-tokenizer that cuts as this one section does, if any."""
    if _is_type(step, "WhitespaceSplit"):
        return PreTokenizer.WHITESPACE
    if not isinstance(step, dict) or step.get("type") != "Split" or not isinstance(step.get("pattern"), dict):
        return None
    pattern = step["pattern"].get("Regex")
    kind = _KNOWN_PATTERNS.get(pattern) if isinstance(pattern, str) else None
    kept = (step.get("behavior"), bool(step.get("invert"))) in (
        ("Removed", True),
        ("Isolated", False),
        ("Isolated", True),
    )
    lossless = kind in (PreTokenizer.GPT2, PreTokenizer.CL100K, PreTokenizer.O200K)
    return kind if kept and (lossless or step.get("behavior") == "Removed") else None


def _marked(file: dict[str, Any]) -> tuple[PreTokenizer, Unit, str] | None:
    """The unit and marker of a file that writes the end-of-word marker as we do."""
    normalizer = file.get("normalizer")
    steps = normalizer.get("normalizers") if _is_type(normalizer, "Sequence") else None
    if not isinstance(steps, list) or not steps or not all(isinstance(step, dict) for step in steps):
        return None
    marker, stand_in = steps[-1].get("content"), steps[0].get("content")
    if not isinstance(marker, str) or not isinstance(stand_in, str) or len(marker) != 1:
        return None
    for unit in Unit:
        expected = _sections(unit, PreTokenizer.WORD_END, marker, stand_in)
        if all(file.get(name) == expected[name] for name in ("normalizer", "pre_tokenizer")):
            return PreTokenizer.WORD_END, unit, marker
    return None
