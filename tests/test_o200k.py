"""The packed GPT-4o vocabulary: the official one, byte for byte and token for token."""

from __future__ import annotations

import hashlib
import lzma
import pydoc_data.topics
import random
import socket
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiktoken

from bpe_core import o200k
from bpe_core.errors import BPEError, VocabularyFileError
from bpe_core.pretokenize import PreTokenizer

REVIEW = "the café baker bakes cakes, the café bakes soufflé"


@pytest.fixture(scope="module")
def theirs() -> tiktoken.Encoding:
    """tiktoken itself, built from our ranks; no file of its own, no network."""
    ranks = {token: rank for rank, token in enumerate(o200k.tokens())}
    pattern = PreTokenizer.O200K.pattern
    assert pattern is not None
    return tiktoken.Encoding(
        "o200k_ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens=dict(o200k.SPECIAL_TOKENS)
    )


@pytest.fixture
def unread() -> Iterator[None]:
    """The vocabulary as before its first use, and again afterwards."""
    o200k.tokens.cache_clear()
    yield
    o200k.tokens.cache_clear()


def test_our_data_gives_back_the_official_file() -> None:
    assert hashlib.sha256(o200k.official_text()).hexdigest() == o200k.OFFICIAL_SHA256


def test_loading_opens_no_connection(unread: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert len(o200k.tokens()) == 199_998


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: None, "is missing"),
        (lambda data: b"", "is damaged"),
        (lambda data: data[:-1000], "is damaged"),
        (lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:], "is damaged"),
        (lambda data: b"version https://git-lfs", "is damaged"),
        (lambda data: lzma.compress(lzma.decompress(data)[:-1] + b"?"), "is damaged"),  # sound, but not ours
    ],
)
def test_a_missing_or_damaged_file_is_a_plain_sentence(  # type: ignore[no-untyped-def]
    change, says: str, unread: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "o200k_base.xz"
    data = change(o200k._packed_file().read_bytes())
    if data is not None:
        path.write_bytes(data)
    monkeypatch.setattr(o200k, "_packed_file", lambda: path)
    with pytest.raises(VocabularyFileError, match=says):
        o200k.tokens()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (REVIEW, "the| café| baker| b|akes| cakes|,| the| café| b|akes| souff|lé"),
        ("unbakeable", "un|b|ake|able"),
        (" bakes", " b|akes"),
        (" baker", " baker"),
    ],
)
def test_splits_worked_out_elsewhere(text: str, tokens: str) -> None:
    assert [token.text for token in o200k.tokenizer().tokenize(text)] == tokens.split("|")


def test_typed_special_tokens_are_plain_text(theirs: tiktoken.Encoding) -> None:
    for name, special in o200k.SPECIAL_TOKENS.items():
        ids = o200k.tokenizer().encode(f"a{name}b")
        assert special not in ids
        assert ids == theirs.encode_ordinary(f"a{name}b")
        assert o200k.tokenizer().decode(ids) == f"a{name}b"
        with pytest.raises(BPEError, match=str(special)):
            o200k.tokenizer().decode([special])


# Blocks of many scripts, with ASCII often, controls, marks, emoji and characters beyond the first plane.
BLOCKS = [
    *[(0x20, 0x7F)] * 5, (0x00, 0x20), (0xA0, 0x250), (0x250, 0x370), (0x370, 0x400), (0x400, 0x530),
    (0x530, 0x590), (0x590, 0x600), (0x600, 0x780), (0x900, 0x980), (0x980, 0xE00), (0xE00, 0xE80),
    (0xE80, 0x1100), (0x1100, 0x1400), (0x1700, 0x1800), (0x1E00, 0x2000), (0x2000, 0x2070), (0x2070, 0x2400),
    (0x3000, 0x3100), (0x4E00, 0x9FFF), (0xAC00, 0xD7A4), (0xE000, 0xE020), (0xFB00, 0x10000),
    (0x10000, 0x10400), (0x1D400, 0x1D800), (0x1F300, 0x1FA00), (0x20000, 0x2A6DF),
]  # fmt: skip
JOINTS = [
    " ", "  ", "\n", "\r\n", "\t", "'s", "'LL", "'ſ", "'\u212a", "\u00a0", "\u200d", "/", "\u0301", "1234",
    " the",
]  # fmt: skip
REAL_WORDS = """
the baker unbakeable HTTPServer camelCase don't I'LL naïve soufflé Straße ПРИВЕТ привет שלום שָׁלוֹם السلام عَلَيْكُمْ
हिन्दी विकिपीडिया ภาษาไทย தமிழ் 我爱北京天安门 東京都 こんにちは 안녕하세요 ქართული Ελληνικά 👨‍👩‍👧 🇺🇳 👍🏽
½ ²³ Ⅷ x=1; {'a':[1,2]} http://example.org/a_b?c=d#e __init__ 1,234,567.89 ...... ------ \u00ad \ufeff
"""
WORDS = REAL_WORDS.split()


def random_text(rng: random.Random) -> str:
    """Runs of a few characters from random blocks, some real words, joined by awkward joints.

    Only characters that Python's own Unicode tables know: newer ones are letters to one package and
    unassigned to another.
    """
    parts: list[str] = []
    for _ in range(rng.randint(1, 5)):
        if rng.random() < 0.3:
            parts.append(rng.choice(WORDS))
        else:
            low, high = rng.choice(BLOCKS)
            run = [chr(rng.randrange(low, high)) for _ in range(rng.randint(1, 6))]
            parts += [c for c in run if unicodedata.category(c) not in ("Cn", "Cs")]
        if rng.random() < 0.5:
            parts.append(rng.choice(JOINTS))
    return "".join(parts)


def test_equals_tiktoken_on_random_texts_of_many_scripts(theirs: tiktoken.Encoding) -> None:
    ours = o200k.tokenizer()
    rng = random.Random(20240513)
    texts = [random_text(rng) for _ in range(50_000)]
    assert len({c for text in texts for c in text}) > 20_000
    expected = theirs.encode_ordinary_batch(texts, num_threads=2)
    different = [text for text, ids in zip(texts, expected, strict=True) if ours.encode(text) != ids]
    assert different == []


def test_equals_tiktoken_on_real_text(theirs: tiktoken.Encoding) -> None:
    text = "".join(pydoc_data.topics.topics.values())  # half a million characters of Python's manual
    assert len(text) > 400_000
    ids = o200k.tokenizer().encode(text)
    assert ids == theirs.encode_ordinary(text)
    assert o200k.tokenizer().decode(ids) == text


def test_every_token_above_the_bytes_has_two_parents() -> None:
    tokenizer, tokens = o200k.tokenizer(), o200k.tokens()
    merges = tokenizer.merges
    assert [new for _, _, new in merges] == list(range(256, 199_998))
    assert all(tokens[left] + tokens[right] == tokens[new] for left, right, new in merges)
    assert all(max(left, right) < new for left, right, new in merges)
    assert all(tokenizer.parents(byte) is None for byte in range(256))
