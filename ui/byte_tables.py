"""What the Bytes page says and tabulates: sizes, the bound, letters found again, GPT-2's byte alphabet.

Tables are plain HTML, so that they read well on paper, on a phone and aloud; every cell is escaped.
Not here: the picture of the rows (`align`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from bpe_core.alignment import Alignment
from bpe_core.alphabet import Token
from bpe_core.display import BYTE_TO_PRINTABLE, CLUSTER, code_points, label, text_label
from bpe_core.encoding import Tokenizer
from bpe_core.training import Trainer

from .align import half_tokens, held_parts, table_of
from .explain import made_by
from .figures import many
from .parts import read
from .say import Part, strong, tok
from .tables import to_csv

#: Characters in the table of those found again.
FOUND_ROWS = 12
#: Longer tokens are not searched for a character.
SEARCHED = 64
#: Tokens named when they are not whole characters.
HALVES_NAMED = 2


@dataclass(frozen=True, slots=True)
class WideCharacter:
    """A character of the corpus that takes several bytes.

    ``token`` is the first token that holds it whole, ``alone`` whether that token spells nothing else.
    """

    character: str
    count: int
    token: Token | None

    @property
    def alone(self) -> bool:
        """Whether the token is this character and no more."""
        return self.token is not None and self.token.text == self.character


@dataclass(frozen=True, slots=True)
class Found:
    """The most frequent wide characters, and how many more there are."""

    rows: tuple[WideCharacter, ...]
    more: int


def wide_characters(trainer: Trainer, whole: Tokenizer) -> Found:
    """The characters of the corpus that take more than one byte, the most frequent first."""
    counts: Counter[str] = Counter()
    for word, count in zip(trainer.corpus.words, trainer.corpus.counts, strict=True):
        if not word.isascii():
            for character in word:
                if character > "\x7f":
                    counts[character] += count
    ranked = counts.most_common(FOUND_ROWS)
    wanted = {character: character.encode("utf-8") for character, _ in ranked}
    holders: dict[str, Token] = {}
    for _, _, id in whole.merges:
        if not wanted:
            break
        token = whole.token(id)
        if len(token.data) <= SEARCHED:
            for character in [c for c, data in wanted.items() if data in token.data]:
                holders[character] = token
                del wanted[character]
    rows = [WideCharacter(character, count, holders.get(character)) for character, count in ranked]
    return Found(tuple(rows), len(counts) - len(rows))


# --- sentences ---------------------------------------------------------------------------------


def size_parts(text: str, tokens: int, k: int) -> list[Part]:
    """The same text counted four ways."""
    clusters = sum(1 for _ in CLUSTER.finditer(text))
    return [
        strong(many(clusters, "character")),
        " as a reader counts, ",
        many(len(text), "code point"),
        ", ",
        strong(many(len(text.encode("utf-8")), "byte")),
        f"; {many(tokens, 'token')} at k = {k:,}.",
    ]


def half_parts(rows: Alignment, k: int) -> list[Part]:
    """The tokens that are not whole characters, or that there are none."""
    halves = half_tokens(rows)
    if not rows.tokens:
        return ["None of this text is in a token: the pre-tokenizer left it out."]
    if not halves:
        return [f"At k = {k:,} every token holds whole characters."]
    verb = "is not whole characters" if len(halves) == 1 else "are not whole characters"
    parts: list[Part] = [strong(f"{many(len(halves), 'token')} {verb}: ")]
    for place, number in enumerate(halves[:HALVES_NAMED]):
        held = held_parts(rows, number)
        parts += [
            "; " if place else "",
            f"token {number + 1:,} ",
            tok(rows.tokens[number].token),
            " holds ",
            *held,
        ]
    if len(halves) > HALVES_NAMED:
        parts.append(f"; and {len(halves) - HALVES_NAMED:,} more")
    return [
        *parts,
        ". Shown by its bytes, because there is no letter to show."
        if len(halves) == 1
        else ". They are shown by their bytes, because there is no letter to show.",
    ]


def bound_parts(text: str, tokens: int, trainer: Trainer, k: int) -> list[Part]:
    """Why nothing is ever unknown, and the most tokens that this text can take."""
    size = len(text.encode("utf-8"))
    base = len(trainer.alphabet)
    parts: list[Part] = [
        "Every text is a row of bytes, and all 256 bytes are in the vocabulary before the first merge. So no "
        "text is ever unknown, in any script, whatever the corpus was. Before any merge a text of B bytes "
        "takes B tokens, and each replacement makes it one shorter: ",
        strong("B bytes never take more than B tokens"),
        ". ",
    ]
    if trainer.alphabet.marker_id is not None:
        parts.append("(The end-of-word marker adds at most one token for each word.) ")
    if text:
        parts += [f"Here B = {size:,}, and at k = {k:,} the text takes {many(tokens, 'token')}. "]
    made = trainer.initial_vocabulary_size
    parts += [
        f"By definition |V| = {base:,} + k = {base + k:,}; this corpus itself uses {made:,} of the {base:,} "
        "units."
    ]
    return parts


def found_parts(found: Found, trainer: Trainer) -> list[Part]:
    """How counting alone finds a letter again: the most frequent one that is made whole."""
    intro: Part = (
        "Training from bytes knows no letters. But the bytes of a letter always stand together, so they are "
        "counted often as pairs, and in time merges make them one token. "
    )
    if not found.rows:
        return [
            intro,
            "This training text holds only characters of one byte each, so there is nothing to find again.",
        ]
    row = next((row for row in found.rows if row.alone), None)
    if row is None or row.token is None or row.token.id is None:
        return [intro, "None of the merges known here makes a token of just one such letter of this corpus."]
    number = trainer.merge_of(row.token.id)
    data = row.character.encode("utf-8").hex(" ").upper()
    return [
        intro,
        tok(row.character),
        f" is {data} and occurs {row.count:,} time{'' if row.count == 1 else 's'} in the corpus: ",
        strong(f"merge {number:,}"),
        " makes it whole.",
    ]


def found_table(found: Found, whole: Tokenizer) -> list[tuple[str, ...]]:
    """Rows for the table: character, code point, bytes, count, and the merge that makes it whole."""
    table = []
    for row in found.rows:
        made = "no merge known here"
        if row.token is not None and row.alone:
            made = made_by(whole, row.token) or made
        elif row.token is not None and row.token.id is not None:
            inside = label(row.token, 24).plain
            made = f"merge {whole.number_of(row.token.id):,}, inside {inside}"
        point = code_points(row.character)[0]
        data = row.character.encode("utf-8").hex(" ").upper()
        table.append((text_label(row.character).plain, point.code, data, f"{row.count:,}", made))
    return table


def rows_csv(rows: Alignment) -> str:
    """The table of the rows as CSV."""
    return to_csv(["character", "code_points", "bytes", "gpt2", "tokens"], table_of(rows))


def alphabet_parts() -> list[Part]:
    """Why a space is written with a letter that nobody typed."""
    moved = [byte for byte, letter in BYTE_TO_PRINTABLE.items() if ord(letter) != byte]
    place = moved.index(0x20) + 1
    return [
        "GPT-2’s files write every byte as one character that can be seen and copied. "
        f"{256 - len(moved)} bytes are such characters already and stand for themselves. The other "
        f"{len(moved)}, among them the space, the line break and the control codes, are moved up in order to "
        "U+0100 and on. "
        f"The space is number {place} of those, so it becomes U+{0xFF + place:04X}, ",
        tok(BYTE_TO_PRINTABLE[0x20]),
        ". In the same way the bytes C3 A9 of é are written ",
        tok(BYTE_TO_PRINTABLE[0xC3] + BYTE_TO_PRINTABLE[0xA9]),
        ": one sign for each byte, not letters of the text.",
    ]


# --- tables ------------------------------------------------------------------------------------


def draw(header: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str) -> None:
    """A table of plain text; ``caption`` says to a screen reader what it is."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td><bdi>{escape(cell)}</bdi></td>" for cell in row) + "</tr>" for row in rows
    )
    _html(
        f'<table class="bpe-table"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
        caption,
    )


def draw_alphabet() -> None:
    """All 256 bytes, sixteen in a row; those moved to another character are set in bold and underlined."""
    head = "".join(f'<th scope="col">{low:X}</th>' for low in range(16))
    body = ""
    for high in range(16):
        cells = ""
        for low in range(16):
            byte = high * 16 + low
            letter = BYTE_TO_PRINTABLE[byte]
            moved = ord(letter) != byte
            title = f"byte {byte:02X} is written U+{ord(letter):04X}, {unicodedata.name(letter, '').lower()}"
            cells += (
                f'<td class="{"moved" if moved else "same"}" title="{escape(title)}">{escape(letter)}</td>'
            )
        body += f'<tr><th scope="row">{high:X}_</th>{cells}</tr>'
    caption = (
        "Row and column give a byte’s two hex digits. Bold and underlined: moved to another character; "
        "the others stand for themselves."
    )
    _html(
        f'<table class="bpe-alphabet"><caption>{caption}</caption>'
        f'<thead><tr><th scope="col">hex</th>{head}</tr></thead><tbody>{body}</tbody></table>',
        "GPT-2’s printable byte alphabet",
    )


def _html(table: str, name: str) -> None:
    style = read("byte_tables.css")
    st.html(
        f'<div class="bpe-scroll" role="region" tabindex="0" aria-label="{escape(name)}">{table}</div>'
        f"<style>{style}</style>"
    )
