"""Tokens as labels a person can read and tell apart, and GPT-2's printable byte alphabet.

Not here: drawing, colour and escaping for a page (the pages do that); aligning a text with its
tokens (``alignment``).
"""

from __future__ import annotations


def _printable_bytes() -> dict[int, str]:
    """GPT-2's byte alphabet: printable Latin-1 bytes stand for themselves, the other 68 move up to U+0100….

    Source: ``bytes_to_unicode`` in the GPT-2 release; the order of the moved bytes is ascending.
    """
    themselves = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    moved = (byte for byte in range(256) if byte not in themselves)
    alphabet = {byte: chr(byte) for byte in themselves}
    alphabet.update({byte: chr(0x100 + place) for place, byte in enumerate(moved)})
    return dict(sorted(alphabet.items()))


#: Byte value to the one printable character that stands for it: 0x20 (space) is ``Ġ``.
BYTE_TO_PRINTABLE: dict[int, str] = _printable_bytes()
#: The same alphabet read backwards.
PRINTABLE_TO_BYTE: dict[str, int] = {character: byte for byte, character in BYTE_TO_PRINTABLE.items()}
