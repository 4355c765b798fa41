"""Labels: every token shown, none like another; and GPT-2's printable byte alphabet."""

from __future__ import annotations

import pytest

from bpe_core.display import BYTE_TO_PRINTABLE, PRINTABLE_TO_BYTE


@pytest.mark.parametrize(
    ("text", "printable"),
    [("Ö", "Ãĸ"), ("č", "Äį"), ("Ġ", "Äł"), (" ", "Ġ"), ("\n", "Ċ"), ("ab", "ab")],
)
def test_the_printable_byte_alphabet(text: str, printable: str) -> None:
    assert "".join(BYTE_TO_PRINTABLE[byte] for byte in text.encode()) == printable
    assert bytes(PRINTABLE_TO_BYTE[c] for c in printable).decode() == text


def test_letters_of_the_printable_alphabet_mean_bytes_not_themselves() -> None:
    assert (PRINTABLE_TO_BYTE["Ö"], PRINTABLE_TO_BYTE["č"]) == (0xD6, 0x0D)
    assert len(BYTE_TO_PRINTABLE) == len(PRINTABLE_TO_BYTE) == 256
