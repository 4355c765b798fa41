"""A text as aligned rows: characters as a reader sees them, code points, bytes, tokens.

    rows = lined_up(tokenizer, tokens, text, key=…)           the core's alignment of the start of the text
    picture(rows, tokenizer, key="rows", label="…")           the rows, wrapping at the edges of characters
    table_of(rows, tokenizer)                                 the same in words, for a table

The picture is cut into *blocks* of at most BLOCK bytes so that it fits a phone: where a block ends inside a
character or a token, the next one carries it on with an open edge. Picking happens in the browser alone.

Not here: the alignment itself (``bpe_core.alignment``), what the pages say around it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from bpe_core.alignment import Alignment, CharacterRow, ClusterRow, align_start
from bpe_core.alphabet import Token
from bpe_core.display import BYTE_TO_PRINTABLE, describe, hex_bytes, label
from bpe_core.encoding import Tokenizer

from .explain import drawn_label, made_by
from .figures import many
from .parts import component
from .remembered import remembered
from .say import Part, strong, tok

_rows = component("align")

#: Code points that are lined up of a long text.
CHARACTERS = 96
#: Bytes in one block: what fits on a phone beside the names of the rows.
BLOCK = 7
#: Rows of the table.
TABLE_ROWS = 96


@dataclass(frozen=True, slots=True)
class Column:
    """One byte and what it belongs to: indexes of its cluster, code point and token.

    A column without a byte is an end-of-word marker, which has a token and nothing else. ``token`` is None
    for a byte that the pre-tokenizer left out.
    """

    byte: int | None
    cluster: int | None
    point: int | None
    token: int | None


@dataclass(frozen=True, slots=True)
class Block:
    """Columns ``start`` to ``end`` (not included); ``goes_on`` when it carries on a character or token."""

    start: int
    end: int
    goes_on: bool


def lined_up(tokenizer: Tokenizer, tokens: Sequence[Token], text: str, *, key: Hashable) -> Alignment:
    """The start of ``text`` with its ``tokens``, lined up; kept in the session under ``key``."""
    return remembered(
        "alignment", key, lambda: align_start(text, tokens, tokenizer.pre_tokenizer.spans(text), CHARACTERS)
    )


def cut_clusters(rows: Alignment) -> list[ClusterRow]:
    """The characters, as a reader counts them, that have a code point whose bytes lie in several tokens."""
    return [row for row in rows.clusters if any(len(set(point.tokens)) > 1 for point in row.characters)]


def rest_of(rows: Alignment, text: str) -> str:
    """How much of a long text is lined up; empty when all of it is."""
    shown, size = (rows.clusters[-1].byte_span[1] if rows.clusters else 0), len(text.encode("utf-8"))
    return f"Lined up: the first {shown:,} of {size:,} bytes." if shown < size else ""


def columns(rows: Alignment, clusters: Sequence[ClusterRow] | None = None) -> list[Column]:
    """One column a byte, in order, with the end-of-word markers between them; all clusters by default."""
    all_of_it = clusters is None
    found: list[Column] = []
    markers = [i for i, span in enumerate(rows.tokens) if not span.token.data] if all_of_it else []
    point = 0
    for number, cluster in enumerate(rows.clusters if clusters is None else clusters):
        while markers and rows.tokens[markers[0]].byte_span[0] <= cluster.byte_span[0]:
            found.append(Column(None, None, None, markers.pop(0)))
        for character in cluster.characters:
            for byte, token in zip(character.data, character.tokens, strict=True):
                found.append(Column(byte, number, point, token))
            point += 1
    return found + [Column(None, None, None, marker) for marker in markers]


def blocks(cols: Sequence[Column], size: int = BLOCK) -> list[Block]:
    """Cut the columns where nothing is cut, or else between code points, or else anywhere.

    >>> e = [Column(0xC3, 0, 0, 0), Column(0xA9, 0, 0, 0)]
    >>> blocks([*e, Column(0x78, 1, 1, 1)])
    [Block(start=0, end=2, goes_on=False), Block(start=2, end=3, goes_on=False)]
    """
    found: list[Block] = []
    start = 0
    goes_on = False
    while start < len(cols):
        end = _end(cols, start, size)
        found.append(Block(start, end, goes_on))
        goes_on = end < len(cols) and _joined(cols[end - 1], cols[end])
        start = end
    return found


def _joined(left: Column, right: Column) -> bool:
    same_token = left.token is not None and left.token == right.token
    return same_token or (left.cluster is not None and left.cluster == right.cluster)


def _end(cols: Sequence[Column], start: int, size: int) -> int:
    """Where the block that begins at ``start`` ends."""
    between_points = start
    for end in range(start + 1, min(len(cols), start + size) + 1):
        if end == len(cols) or not _joined(cols[end - 1], cols[end]):
            return end
        if cols[end - 1].point != cols[end].point:
            between_points = end
    return between_points if between_points > start else min(len(cols), start + size)


# --- in words ----------------------------------------------------------------------------------


def cluster_parts(cluster: ClusterRow) -> list[Part]:
    """What a reader sees as one character: its code points, bytes and tokens, counted."""
    points = [f"{row.point.code} {row.point.name.lower()}" for row in cluster.characters]
    size = cluster.byte_span[1] - cluster.byte_span[0]
    parts: list[Part] = [tok(cluster.text), f" is {many(len(points), 'code point')} ("]
    parts += ["; ".join(points[:6]) + ("; …" if len(points) > 6 else "")]
    parts.append(f"), {many(size, 'byte')}")
    if cluster.tokens:
        within = len(cluster.tokens)
        return [*parts, ", in one token." if within == 1 else f", spread over {within:,} tokens."]
    return [*parts, ". The pre-tokenizer left it out, so it is in no token."]


def byte_parts(character: CharacterRow, place: int) -> list[Part]:
    """A byte and the code point it is part of."""
    size = len(character.data)
    chip: Part = (f"{character.data[place]:02X}", "token")
    name = f" ({character.point.code}, {character.point.name.lower()}). "
    if size == 1:
        return ["Byte ", chip, " is the whole of ", tok(chr_of(character)), name]
    return ["Byte ", chip, f" is number {place + 1} of the {size} bytes of ", tok(chr_of(character)), name]


def chr_of(character: CharacterRow) -> str:
    """The character of a row."""
    return character.data.decode("utf-8")


def token_parts(rows: Alignment, number: int, tokenizer: Tokenizer) -> list[Part]:
    """A token: its bytes, where it comes from, and honestly which part of which character it holds."""
    span = rows.tokens[number]
    token = span.token
    parts: list[Part] = [f"Token {number + 1:,}, ", tok(token)]
    if not token.data:
        return [*parts, ", is the end-of-word marker: it holds no byte of the text."]
    parts.append(f", id {token.id:,}" if token.id is not None else ", without an id")
    made = made_by(tokenizer, token)
    parts.append(f", made by {made}" if made else ", a base unit")
    written = hex_bytes(Token(None, token.data[:12], token.unit)) + (" …" if len(token.data) > 12 else "")
    held = f", holds {many(len(token.data), 'byte')} ({written})"
    if token.text is not None:
        return [*parts, held + "."]
    return [*parts, held, " and is ", strong("not whole characters"), ": ", *held_parts(rows, number), "."]


def held_parts(rows: Alignment, number: int) -> list[Part]:
    """Of which characters a token holds only a part, and how much."""
    start, end = rows.tokens[number].byte_span
    parts: list[Part] = []
    for cluster in rows.clusters:
        if cluster.byte_span[1] <= start or cluster.byte_span[0] >= end:
            continue
        for character in cluster.characters:
            first, last = character.byte_span
            inside = min(last, end) - max(first, start)
            if 0 < inside < last - first:
                parts += [
                    ", " if parts else "",
                    f"{inside} of the {last - first} bytes of ",
                    tok(chr_of(character)),
                ]
    return parts


def half_tokens(rows: Alignment) -> list[int]:
    """Indexes of the tokens that are not whole characters."""
    return [i for i, span in enumerate(rows.tokens) if span.token.text is None]


def table_of(rows: Alignment) -> list[tuple[str, str, str, str, str]]:
    """For each character a reader sees: itself, code points, bytes, GPT-2's letters, tokens. Plain text."""
    table = []
    for cluster in rows.clusters[:TABLE_ROWS]:
        data = b"".join(character.data for character in cluster.characters)
        table.append(
            (
                cluster.label.plain,
                " ".join(character.point.code for character in cluster.characters),
                data.hex(" ").upper(),
                printable(data),
                ", ".join(f"{i + 1:,}: {label(rows.tokens[i].token).plain}" for i in cluster.tokens)
                or "left out",
            )
        )
    return table


def printable(data: bytes) -> str:
    """Bytes as GPT-2's files write them.

    >>> printable(" é".encode())
    'ĠÃ©'
    """
    return "".join(BYTE_TO_PRINTABLE[byte] for byte in data)


# --- the picture -------------------------------------------------------------------------------


def picture(
    rows: Alignment,
    tokenizer: Tokenizer,
    *,
    key: str,
    label: str,
    clusters: Sequence[ClusterRow] | None = None,
    name: str = "",
    rest: str = "",
) -> None:
    """Draw the rows. ``clusters`` chooses some of them; a new ``name`` forgets what was picked."""
    data = picture_data(rows, tokenizer, clusters)
    data |= {"label": label, "name": name, "rest": rest, "note": "Pick a byte to see what it belongs to."}
    _rows(key=key, data=data)


def picture_data(
    rows: Alignment, tokenizer: Tokenizer, clusters: Sequence[ClusterRow] | None = None
) -> dict[str, Any]:
    """What the component draws: columns, blocks, and each cell's label and sentence."""
    chosen = rows.clusters if clusters is None else tuple(clusters)
    cols = columns(rows, clusters)
    used = sorted({col.token for col in cols if col.token is not None})
    index = {number: place for place, number in enumerate(used)}
    points = [character for cluster in chosen for character in cluster.characters]
    first_byte: dict[int, int] = {}
    drawn: list[list[Any]] = []
    for place, col in enumerate(cols):
        token = index[col.token] if col.token is not None else None
        if col.byte is None or col.point is None:
            drawn.append([None, None, col.cluster, col.point, token, None])
            continue
        start = first_byte.setdefault(col.point, place)
        says = byte_parts(points[col.point], place - start)
        drawn.append(
            [f"{col.byte:02X}", BYTE_TO_PRINTABLE[col.byte], col.cluster, col.point, token, _plain(says)]
        )
    return {
        "columns": drawn,
        "blocks": [[block.start, block.end, block.goes_on] for block in blocks(cols)],
        "clusters": [
            {
                "label": [[part.text, part.kind.value] for part in cluster.label.parts],
                "says": _plain(cluster_parts(cluster)),
            }
            for cluster in chosen
        ],
        "points": [character.point.code.removeprefix("U+") for character in points],
        "tokens": [
            {
                "label": drawn_label(rows.tokens[number].token, 24),
                "hue": rows.tokens[number].token.id,
                "part": rows.tokens[number].token.text is None,
                "number": number + 1,
                "spoken": describe(rows.tokens[number].token, 40),
                "says": _plain(token_parts(rows, number, tokenizer)),
            }
            for number in used
        ],
        "start": next((i for i, col in enumerate(cols) if col.byte is not None and col.byte >= 0x80), None),
    }


def _plain(parts: Sequence[Part]) -> list[list[str]]:
    return [[part, "text"] if isinstance(part, str) else list(part) for part in parts]
