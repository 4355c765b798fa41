"""The real vocabulary of GPT-4o (o200k_base), from a packed file in this package. Never a network call.

The packed file holds every token's bytes in rank order, and a token's rank is its id. Nothing is
read before it is first asked for; then it takes a fraction of a second, once.

A ranks file lists tokens, not pairs. The pair that makes a token is found again by encoding its bytes
with the tokens of lower rank only, which always leaves two parts; this is done token by token, when asked.

Equal to tiktoken, except in texts with characters newer than its Unicode tables: the pattern's letters are
those of the ``regex`` module, which may be a Unicode version ahead.

The two special tokens are known by name for teaching. No merge makes them and no text is ever turned
into them: a typed ``<|endoftext|>`` is thirteen characters like any others.

Not here: the merging itself (``encoding``), packing the file (``scripts/pack_o200k.py``).
"""

from __future__ import annotations

import base64
import hashlib
import lzma
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from .encoding import Tokenizer
from .errors import VocabularyFileError
from .pretokenize import PreTokenizer

#: The sha256 of the official o200k_base.tiktoken, which ``official_text`` gives back.
OFFICIAL_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"

#: Tokens that stand for no text, with their ids: the end of a document, the end of a prompt.
SPECIAL_TOKENS: Mapping[str, int] = MappingProxyType({"<|endoftext|>": 199_999, "<|endofprompt|>": 200_018})

_BODY_SHA256 = "4ac8cc5794dfb635720f059d45ea08a8d5cf68e3665bc94c51febc54b3b7c01a"


def _packed_file() -> Traversable:
    return files(__package__) / "data" / "o200k_base.xz"


@lru_cache(maxsize=1)
def tokens() -> tuple[bytes, ...]:
    """The bytes of all 199,998 tokens; the place in the tuple is the rank and the id.

    >>> tokens()[0], tokens()[256], len(tokens())
    (b'!', b'  ', 199998)

    Raises VocabularyFileError when the packed file is missing or damaged.
    """
    try:
        body = lzma.decompress(_packed_file().read_bytes(), format=lzma.FORMAT_XZ)
    except OSError:
        raise VocabularyFileError(
            "The GPT-4o vocabulary file bpe_core/data/o200k_base.xz is missing or cannot be read; "
            "install the app again."
        ) from None
    except (lzma.LZMAError, EOFError):
        body = b""
    if hashlib.sha256(body).hexdigest() != _BODY_SHA256:
        raise VocabularyFileError(
            "The GPT-4o vocabulary file bpe_core/data/o200k_base.xz is damaged; install the app again."
        )
    start = body.index(0) + 1  # lengths are never zero, so the first zero byte ends them
    found = []
    for length in body[: start - 1]:
        found.append(body[start : start + length])
        start += length
    return tuple(found)


@lru_cache(maxsize=1)
def _shared() -> Tokenizer:
    return Tokenizer.from_ranks(tokens(), PreTokenizer.O200K)


def tokenizer() -> Tokenizer:
    """GPT-4o's tokenizer; its ids are the official ones.

    Each call gives a new one over the same tables: the words it has encoded are remembered in it alone, so
    what one reader types is never held where another could meet it. Keep it while encoding many texts.

    >>> [token.text for token in tokenizer().tokenize("unbakeable")]
    ['un', 'b', 'ake', 'able']

    Raises VocabularyFileError when the packed file is missing or damaged.
    """
    shared = _shared()
    return shared.at(shared.limit)


def official_text() -> bytes:
    """The official ranks file, byte for byte: one line per token, its bytes in base64 and its rank."""
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens()))
