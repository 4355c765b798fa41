"""A lab as a link and as a file, and back. A link is hostile input: nothing in it is trusted or raised about.

Every value that is not understood falls back to its default with a notice for the reader. Only what
differs from the default is written. No Streamlit here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar
from urllib.parse import urlencode

from bpe_core.alphabet import Unit
from bpe_core.corpus import COUNT_LIMIT, parse_word_counts
from bpe_core.errors import BPEError, ImportFormatError, shown
from bpe_core.pretokenize import PreTokenizer
from bpe_core.text import clean_text
from bpe_core.training import TieRule

from .presets import DEFAULT_PRESET, PRESETS, Preset

#: The longest link that is made, in characters after the `?`. Many servers in between stop near 8,000.
LINK_LIMIT = 6_000
#: The longest training text that can be typed or pasted, in UTF-8 bytes. A file may be larger.
TEXT_LIMIT = 2_000_000
#: The longest new text, in characters.
NEW_TEXT_LIMIT = 20_000
NUMBER_LIMIT = 999_999

#: The parameters that belong to the lab. Others (`embed`, `seed`, `level`) are left alone.
LAB_PARAMETERS = ("preset", "text", "counts", "unit", "pre", "ties", "min", "k", "new", "locked", "stored")

FILE_FORMAT = "bpe-lab"

_DIGITS = re.compile(r"[0-9]{1,6}", re.ASCII)
_NEGATIVE = re.compile(r"-[0-9]{1,18}", re.ASCII)
_MANY_DIGITS = re.compile(r"[0-9]+", re.ASCII)
_E = TypeVar("_E", bound=Enum)


@dataclass(frozen=True, slots=True)
class Lab:
    """What a learner has set up: the corpus, the settings, how many merges (k) and the new text.

    Exactly one of ``text`` and ``word_counts`` is given. ``preset`` names the preset they are, or is None
    for the learner's own. ``k`` is what was asked for; ``ui.lab.current`` clamps it to the merges that exist.
    ``locked`` keeps corpus and settings as they are: a help for a class, who can take it out of the link.
    """

    preset: str | None
    text: str | None
    word_counts: tuple[tuple[str, int], ...] | None
    unit: Unit = Unit.CHAR
    pre_tokenizer: PreTokenizer = PreTokenizer.ARTICLE
    ties: TieRule = TieRule.FIRST_SEEN
    min_count: int = 1
    k: int = 0
    new_text: str = PRESETS[DEFAULT_PRESET].new_text
    locked: bool = False

    @property
    def training_key(self) -> tuple[object, ...]:
        """Everything training depends on: two labs with the same key share a trainer."""
        return (self.text, self.word_counts, self.unit, self.pre_tokenizer, self.ties, self.min_count)


def lab_of(preset: Preset) -> Lab:
    """The lab of a preset, at the start."""
    return Lab(
        preset.name,
        preset.text,
        preset.word_counts,
        preset.unit,
        preset.pre_tokenizer,
        preset.ties,
        preset.min_count,
        0,
        preset.new_text,
    )


def default_min_count(pre_tokenizer: PreTokenizer) -> int:
    """2 with the end-of-word marker, as in its article; otherwise 1."""
    return 2 if pre_tokenizer.has_marker else 1


def default_lab() -> Lab:
    """What opens without a link: the review at the start."""
    return lab_of(PRESETS[DEFAULT_PRESET])


def _defaults_for(lab: Lab) -> Lab:
    """The lab that a link with only this lab's corpus and pre-tokenizer opens."""
    if lab.preset is not None:
        base = lab_of(PRESETS[lab.preset])
        if lab.pre_tokenizer is not base.pre_tokenizer:
            return replace(base, min_count=default_min_count(lab.pre_tokenizer))
        return base
    return Lab(None, lab.text, lab.word_counts, min_count=default_min_count(lab.pre_tokenizer))


# --- out ---------------------------------------------------------------------------------------


def to_query(lab: Lab) -> dict[str, str]:
    """The link parameters of ``lab``: only what differs from the default.

    >>> to_query(default_lab())
    {}
    >>> to_query(replace(default_lab(), k=5, unit=Unit.BYTE))
    {'unit': 'byte', 'k': '5'}
    >>> to_query(replace(default_lab(), preset=None, text="a b"))
    {'text': 'a b'}
    """
    base = _defaults_for(lab)
    query: dict[str, str] = {}
    if lab.preset is None:
        if lab.word_counts is not None:
            query["counts"] = "\n".join(f"{word}\t{count}" for word, count in lab.word_counts)
        else:
            query["text"] = lab.text or ""
    elif lab.preset != DEFAULT_PRESET:
        query["preset"] = lab.preset
    if lab.unit is not base.unit:
        query["unit"] = lab.unit.value
    if lab.pre_tokenizer is not base.pre_tokenizer:
        query["pre"] = lab.pre_tokenizer.value
    if lab.ties is not base.ties:
        query["ties"] = lab.ties.value
    if lab.min_count != base.min_count:
        query["min"] = str(lab.min_count)
    if lab.k:
        query["k"] = str(lab.k)
    if lab.new_text != base.new_text:
        query["new"] = lab.new_text
    if lab.locked:
        query["locked"] = "1"
    return query


def link(lab: Lab) -> str | None:
    """The query string of ``lab`` without the ``?``, or None where only a file can hold it."""
    words = lab.word_counts or ()
    if len(lab.text or "") > LINK_LIMIT or len(words) > LINK_LIMIT or len(lab.new_text) > LINK_LIMIT:
        return None  # without writing it all out first
    if lab.preset is None and any("\n" in word for word, _ in words):
        return None  # a table with one word a line cannot hold it
    query = urlencode(to_query(lab))
    return query if len(query) <= LINK_LIMIT else None


def content_id(lab: Lab) -> str:
    """A short name for the corpus and the new text of a lab too long for a link. It reads all of both."""
    content = repr((lab.text, lab.word_counts, lab.new_text)).encode("utf-8", "replace")
    return hashlib.sha256(content).hexdigest()[:12]


def stored_link(lab: Lab, stored: str) -> str:
    """The query string of a lab whose texts are too long for it: the browser keeps them as ``stored``."""
    query = to_query(
        replace(lab, preset=None, text="", word_counts=None, new_text=Lab(None, "", None).new_text)
    )
    query.pop("text", None)
    query["stored"] = stored
    return urlencode(query)


def to_file(lab: Lab) -> str:
    """The lab as a JSON file that ``from_file`` opens."""
    record: dict[str, object] = {"format": FILE_FORMAT, "version": 1}
    if lab.preset is not None:
        record["preset"] = lab.preset
    if lab.word_counts is not None:
        record["word_counts"] = [[word, count] for word, count in lab.word_counts]
    else:
        record["text"] = lab.text or ""
    record |= {
        "unit": lab.unit.value,
        "pre_tokenizer": lab.pre_tokenizer.value,
        "ties": lab.ties.value,
        "min_count": lab.min_count,
        "k": lab.k,
        "new_text": lab.new_text,
    }
    if lab.locked:
        record["locked"] = True
    return json.dumps(record, ensure_ascii=True, indent=1)


# --- in ----------------------------------------------------------------------------------------


def from_query(params: Mapping[str, str]) -> tuple[Lab, list[str]]:
    """The lab a link opens, and one plain sentence for every value that was not understood.

    >>> lab, notices = from_query({"k": "-1", "unit": "bytes"})
    >>> lab == default_lab()
    True
    >>> for notice in notices: print(notice)
    The link asks for unit 'bytes', which is not one of char, byte; char is used.
    The link asks for k = -1; the smallest is 0, which is used.
    """
    notices: list[str] = []
    lab = _linked_corpus(params, notices)
    pre = _choice(params, "pre", PreTokenizer, lab.pre_tokenizer, notices)
    min_count = lab.min_count if pre is lab.pre_tokenizer else default_min_count(pre)
    lab = replace(
        lab,
        unit=_choice(params, "unit", Unit, lab.unit, notices),
        pre_tokenizer=pre,
        ties=_choice(params, "ties", TieRule, lab.ties, notices),
        min_count=_number(params, "min", min_count, 1, notices),
        k=_number(params, "k", 0, 0, notices),
        locked=_locked(params, notices),
    )
    if "new" in params:
        new_text = _linked_text(params["new"], "new text", notices)
        if len(new_text) > NEW_TEXT_LIMIT:
            notices.append(
                f"The link asks for a new text of {len(new_text):,} characters; "
                f"its first {NEW_TEXT_LIMIT:,} are used."
            )
        lab = replace(lab, new_text=new_text[:NEW_TEXT_LIMIT])
    return lab, notices


def _linked_corpus(params: Mapping[str, str], notices: list[str]) -> Lab:
    if "text" in params:
        return Lab(None, _linked_text(params["text"], "training text", notices), None)
    if "counts" in params:
        try:
            pairs = parse_word_counts(_linked_text(params["counts"], "word counts", notices))
            return Lab(None, None, _merged(pairs))
        except BPEError as error:
            notices.append(f"The word counts in the link cannot be read, so the review is shown. {error}")
            return default_lab()
    name = params.get("preset", DEFAULT_PRESET)
    if name not in PRESETS:
        notices.append(
            f"The link asks for the preset {shown(name)}, which is not one of {', '.join(PRESETS)}; "
            f"{DEFAULT_PRESET} is used."
        )
        name = DEFAULT_PRESET
    return lab_of(PRESETS[name])


def _linked_text(raw: str, what: str, notices: list[str]) -> str:
    clean = clean_text(raw)
    notices.extend(notice.sentence for notice in clean.notices)
    if "\ufffd" in clean.text:
        lost = clean.text.count("\ufffd")
        notices.append(
            f"The link seems damaged: the {what} holds {lost:,} replacement character"
            f"{'' if lost == 1 else 's'} (U+FFFD) where something could not be read."
        )
    return clean.text


def _choice(params: Mapping[str, str], name: str, kind: type[_E], default: _E, notices: list[str]) -> _E:
    if name not in params:
        return default
    for member in kind:
        if member.value == params[name]:
            return member
    allowed = ", ".join(str(member.value) for member in kind)
    notices.append(
        f"The link asks for {name} {shown(params[name])}, which is not one of {allowed}; "
        f"{default.value} is used."
    )
    return default


def _number(params: Mapping[str, str], name: str, default: int, least: int, notices: list[str]) -> int:
    if name not in params:
        return default
    value = params[name]
    if _NEGATIVE.fullmatch(value):
        notices.append(f"The link asks for {name} = {value}; the smallest is {least}, which is used.")
        return least
    if _DIGITS.fullmatch(value):
        if int(value) < least:
            notices.append(f"The link asks for {name} = {value}; the smallest is {least}, which is used.")
        return max(int(value), least)
    if _MANY_DIGITS.fullmatch(value):
        notices.append(
            f"The link asks for {name} = {shown(value, 20)}; the largest is {NUMBER_LIMIT:,}, which is used."
        )
        return NUMBER_LIMIT
    notices.append(
        f"The link asks for {name} {shown(value)}, which is not a whole number written with the digits 0-9; "
        f"{default} is used."
    )
    return default


def _locked(params: Mapping[str, str], notices: list[str]) -> bool:
    if params.get("locked", "0") not in ("0", "1"):
        notices.append(f"The link asks for locked {shown(params['locked'])}, which is not 0 or 1; 0 is used.")
    return params.get("locked") == "1"


def _merged(pairs: list[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for word, count in pairs:
        counts[word] = counts.get(word, 0) + count
    return tuple(counts.items())


def looks_like_a_lab(text: str) -> bool:
    """Whether an opened file claims to be a lab saved by ``to_file``."""
    return text.lstrip()[:1] == "{" and f'"{FILE_FORMAT}"' in text[:200]


def from_file(text: str) -> tuple[Lab, list[str]]:
    """The lab of a saved file; raises ImportFormatError when the file is not one.

    Unknown settings fall back with a notice, as in a link.

    >>> from_file(to_file(default_lab())) == (default_lab(), [])
    True
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        raise ImportFormatError("The saved lab is cut short or damaged: it is not complete JSON.") from None
    if not isinstance(record, dict) or record.get("format") != FILE_FORMAT or record.get("version") != 1:
        raise ImportFormatError(
            f"The file is not a lab saved here: it should say format {FILE_FORMAT!r}, version 1."
        )
    notices: list[str] = []
    params = {
        link_name: value if isinstance(value, str) else json.dumps(int(value) if value is True else value)
        for link_name, file_name in _FILE_NAMES.items()
        if (value := record.get(file_name)) is not None
    }
    lab, settings_notices = from_query(params)
    notices += [re.sub(r"^The link", "The file", notice) for notice in settings_notices]
    preset = PRESETS.get(lab.preset) if isinstance(record.get("preset"), str) and lab.preset else None
    text_in, counts_in = record.get("text"), record.get("word_counts")
    if isinstance(counts_in, list):
        word_counts = _file_word_counts(counts_in)
        same = preset is not None and preset.word_counts == word_counts
        return replace(lab, preset=lab.preset if same else None, text=None, word_counts=word_counts), notices
    if isinstance(text_in, str):
        clean = clean_text(text_in)
        notices += [notice.sentence for notice in clean.notices]
        same = preset is not None and preset.text == clean.text
        return replace(lab, preset=lab.preset if same else None, text=clean.text, word_counts=None), notices
    raise ImportFormatError("The saved lab holds neither a text nor word counts.")


_FILE_NAMES = {
    "preset": "preset",
    "unit": "unit",
    "pre": "pre_tokenizer",
    "ties": "ties",
    "min": "min_count",
    "k": "k",
    "new": "new_text",
    "locked": "locked",
}


def _file_word_counts(rows: list[object]) -> tuple[tuple[str, int], ...]:
    pairs: list[tuple[str, int]] = []
    for number, row in enumerate(rows, 1):
        if not (isinstance(row, list) and len(row) == 2 and isinstance(row[0], str) and type(row[1]) is int):
            raise ImportFormatError(f"Word {number} of the saved lab is not a pair of a word and a count.")
        word = clean_text(row[0]).text
        if not word or not 1 <= row[1] <= COUNT_LIMIT:
            raise ImportFormatError(
                f"Word {number} of the saved lab is empty or its count is not 1 to {COUNT_LIMIT:,}."
            )
        pairs.append((word, row[1]))
    return _merged(pairs)
