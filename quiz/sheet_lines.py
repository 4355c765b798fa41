"""Where in a TOML file a table or a key stands, so that a problem can name its line.

``tomllib`` gives values without lines. This goes through the text once more, knowing just enough TOML:
headings, keys at the start of a line, and strings over several lines, which it skips.

Not here: what is wrong (``sheet``).
"""

from __future__ import annotations

import re

Path = tuple[str | int, ...]

_HEADING = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+))\s*(?:=|\.)")


def line_of(text: str, path: Path, key: str) -> int | None:
    """The line (from 1) of ``key`` in the table at ``path``; of the table's heading where the key is missing.

    A path is as in the parsed file: ``("question", 1, "option", 0)``. None when neither is found.

    >>> line_of('title = "x"\\n[[question]]\\nkind = 1\\n', ("question", 0), "kind")
    3
    >>> line_of('title = "x"\\n[[question]]\\nkind = 1\\n', ("question", 0), "prompt")
    2
    """
    here: Path = ()
    counts: dict[Path, int] = {}  # list of tables -> how many were opened
    heading = below = None  # where the table is opened, and the first table under ``key``
    quotes = ""  # the quotes of a string over several lines that is open
    for number, line in enumerate(text.split("\n"), 1):
        if quotes:
            quotes = "" if quotes in line else quotes
            continue
        opened = _HEADING.fullmatch(line)
        if opened:
            here = _opened(opened[1] == "[[", opened[2], counts)
            if here == path:
                heading = number
            if below is None and here[: len(path) + 1] == (*path, key):
                below = number
        else:
            match = _KEY.match(line)
            name = next((group for group in match.groups() if group is not None), None) if match else None
            if name is not None and here == path and name == key:
                return number
            if name is not None and here == path[:-1] and path and name == path[-1]:
                heading = number  # corpus = { … } on one line
        for mark in ('"""', "'''"):
            if not quotes and line.count(mark) % 2:
                quotes = mark
    return heading if below is None else below


def _opened(is_list: bool, dotted: str, counts: dict[Path, int]) -> Path:
    """The path of the table that a heading opens; counts lists of tables as they grow."""
    path: Path = ()
    names = [name.strip().strip("\"'") for name in dotted.split(".")]
    for place, name in enumerate(names):
        path = (*path, name)
        last = place == len(names) - 1
        if last and is_list:
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path = (*path, counts[path] - 1)
    return path
