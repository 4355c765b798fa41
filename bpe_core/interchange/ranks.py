"""tiktoken's ranks file: a line per token, its bytes in base64, a space, its rank, which is its id.

Such a file lists tokens, not pairs: two neighbours merge whenever their joined bytes are a token. That
equals a list of merges exactly when encoding each token's bytes with the lower ranks alone leaves the two
sides of its merge; on export every token is checked for that. (It then holds in any text: whatever happens
inside a stretch that becomes this token happens in the same order as it would on its own.)

Not here: the pattern and special tokens, which tiktoken takes apart from the file.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import NoReturn

from ..alphabet import Unit
from ..encoding import Tokenizer
from ..errors import ExportError, ImportFormatError, shown
from ..pretokenize import PreTokenizer
from .records import MERGE_LIMIT, ExportedFile, ImportedModel, Model, ModelFormat, ModelSettings

_LINE = re.compile(rb"([A-Za-z0-9+/=]+) ([0-9]{1,10})")
#: Published vocabularies known by their number of tokens, with the way they cut text.
_KNOWN_SIZES = {50_256: PreTokenizer.GPT2, 100_256: PreTokenizer.CL100K, 199_998: PreTokenizer.O200K}


def looks_like_ranks(data: bytes) -> bool:
    """Whether the first line is one of a ranks file."""
    return _LINE.fullmatch(data[:1000].split(b"\n", 1)[0].rstrip(b"\r")) is not None


def export(model: Model) -> tuple[ExportedFile, ...]:
    """The ranks file. ExportError for what joined bytes cannot express, saying what to switch."""
    name = "A tiktoken ranks file"
    if model.unit is not Unit.BYTE:
        raise ExportError(f"{name} holds bytes; start from UTF-8 bytes, or save tokenizer.json.")
    if model.pre_tokenizer.has_marker:
        raise ExportError(f"{name} has no end-of-word marker; choose another pre-tokenizer.")
    model.check_spellable("tiktoken ranks")
    return (ExportedFile(ModelFormat.TIKTOKEN.value, _lines(_tokens(model))),)


def export_ranks(tokenizer: Tokenizer) -> tuple[ExportedFile, ...]:
    """The ranks file of a tokenizer that came from one: nothing to check."""
    tokens = [b""] * tokenizer.rules.count
    for data, rank in tokenizer.rules.whole.items():
        if rank in tokenizer:
            tokens[rank] = data
    return (ExportedFile(ModelFormat.TIKTOKEN.value, _lines(tokens)),)


def _lines(tokens: list[bytes]) -> bytes:
    return b"".join(
        b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens) if token
    )


def _tokens(model: Model) -> list[bytes]:
    """Bytes by rank, b"" where there is none."""
    ids = [unit.id for unit in model.alphabet.units if unit.id is not None]
    highest = max(ids)
    for number, (_, _, new) in enumerate(model.merges, 1):
        if new <= highest:
            raise ExportError(
                f"Merge {number} makes token {new} after token {highest}, and in a ranks file the id "
                "is the rank; save tokenizer.json instead."
            )
        highest = new
    if highest > 2 * MERGE_LIMIT:
        raise ExportError(f"The id {highest:,} is too high for a rank; save tokenizer.json instead.")
    tokens = [b""] * (highest + 1)
    for unit in model.alphabet.units:
        if unit.id is not None:
            tokens[unit.id] = unit.data
    spelled = set(tokens)
    for number, (_, _, new) in enumerate(model.merges, 1):
        tokens[new] = model.tokenizer.token(new).data
        if tokens[new] in spelled:
            raise ExportError(
                f"Merge {number} makes {shown(tokens[new])} again, and a ranks file tells tokens apart "
                "by their bytes; save the steps as JSON instead."
            )
        spelled.add(tokens[new])
    by_rank = Tokenizer.from_ranks(tokens, model.pre_tokenizer)
    for number, (left, right, new) in enumerate(model.merges, 1):
        if by_rank.parents(new) != (left, right):
            raise ExportError(
                f"A ranks file merges by joined bytes alone and would not make {shown(tokens[new])} as merge "
                f"{number} does; save tokenizer.json instead."
            )
    return tokens


def read(data: bytes, chosen: PreTokenizer | None) -> ImportedModel:
    """The model of a ranks file. Ranks may have gaps, in any order of lines, but each stands once.

    Raises ImportFormatError with the line.
    """
    ranks: dict[int, bytes] = {}
    lines = data.split(b"\n")
    if len(lines) > MERGE_LIMIT + 257:
        raise ImportFormatError(
            f"The file has {len(lines):,} lines; at most {MERGE_LIMIT + 257:,} can be read."
        )
    size = 0
    for number, line in enumerate(lines, 1):
        line = line.rstrip(b"\r")
        if not line:
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            _refuse(number, line, "each line is base64, one space and a rank")
        try:
            token = base64.b64decode(match[1], validate=True)
        except binascii.Error:
            _refuse(number, line, "its first part is not base64")
        rank = int(match[2])
        if not token:
            _refuse(number, line, "its token is empty")
        if rank in ranks:
            _refuse(number, line, f"rank {rank} stood before")
        size = max(size, rank + 1)
        if size > 2 * MERGE_LIMIT:
            _refuse(number, line, f"ranks go up to {2 * MERGE_LIMIT:,}")
        ranks[rank] = token
    tokens = [ranks.get(rank, b"") for rank in range(size)]
    kind = chosen or _KNOWN_SIZES.get(len(ranks), PreTokenizer.ARTICLE)
    if kind.has_marker:
        raise ImportFormatError("A ranks file has no end-of-word marker; choose another pre-tokenizer.")
    notices: list[str] = []
    if chosen is None:
        notices.append(f"A ranks file does not say how text is cut into words; {kind.value} is used.")
    if len(ranks) != size:
        notices.append(f"{size - len(ranks):,} ranks below {size:,} have no token.")
    tokenizer = Tokenizer.from_ranks(tokens, kind)
    return ImportedModel(tokenizer, ModelSettings(kind, Unit.BYTE), tuple(notices))


def _refuse(number: int, line: bytes, why: str) -> NoReturn:
    raise ImportFormatError(f"Line {number} is {shown(line.decode('ascii', 'backslashreplace'))}: {why}.")
