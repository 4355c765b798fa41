"""The merge tree of a token as a diagram: the token on top, under it the two it was merged from, and so on.

    picked = tree(tokenizer.tree(id), key="tree", label="The merge tree")  the id clicked in this run, or None
    st.code(in_words(tokenizer.tree(id)))                                  the same tree as indented lines

Any tokenizer will do, learned here or loaded. A tree is drawn to NODES nodes and DEPTH merges deep; a token
whose parents are not drawn says so and can be picked to see its own tree. One tab stop; the arrow keys walk
up, down and sideways. Everything goes into the page as text.

Not here: the merges themselves (``bpe_core.tree``), layout and keys (`assets/tree.js`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe_core import display
from bpe_core.alphabet import Token, Unit
from bpe_core.display import PartKind
from bpe_core.tree import MergeTree

from .parts import read

#: How many nodes are drawn at most, and how many merges deep.
NODES = 63
DEPTH = 8

_diagram = st.components.v2.component(
    "bpe_tree", js=read("tree.js"), css=read("tiles.css") + "\n" + read("tree.css")
)


@dataclass(frozen=True, slots=True)
class Node:
    """One place in the drawn tree: the token there, how deep, and the place above (None at the root).

    ``hidden`` is true for a merged token whose parents are not drawn.
    """

    tree: MergeTree
    depth: int
    above: int | None
    hidden: bool


def outline(root: MergeTree, nodes: int = NODES, depth: int = DEPTH) -> list[Node]:
    """The part of a tree that is drawn, as a reader meets it: a token, all on its left, all on its right.

    Rows are taken whole from the top as long as ``nodes`` and ``depth`` allow; neither deep chains nor huge
    tokens are walked further.
    """
    # (tree, depth) by order of discovery, and which of them have both parents drawn
    found: list[tuple[MergeTree, int]] = [(root, 0)]
    below: dict[int, tuple[int, int]] = {}
    waiting = deque([0])
    while waiting:
        place = waiting.popleft()
        tree, level = found[place]
        if tree.left is None or tree.right is None or level >= depth or len(found) + 2 > nodes:
            continue
        below[place] = (len(found), len(found) + 1)
        found += ((tree.left, level + 1), (tree.right, level + 1))
        waiting += below[place]
    drawn: list[Node] = []
    stack: list[tuple[int, int | None]] = [(0, None)]
    while stack:
        place, above = stack.pop()
        tree, level = found[place]
        drawn.append(Node(tree, level, above, tree.left is not None and place not in below))
        for side in reversed(below.get(place, ())):
            stack.append((side, len(drawn) - 1))
    return drawn


def units(token: Token) -> int:
    """How many base units a token holds, the end-of-word marker counted: the leaves of its tree."""
    body = len(token.data) if token.unit is Unit.BYTE else len(token.text or "")
    return body + token.ends_word


def summary(root: MergeTree, word: str = "merge") -> str:
    """One sentence about the whole tree, also of what is not drawn."""
    leaves = units(root.token)
    if root.left is None:
        return "A base unit: there from the start, made by no merge."
    deep = root.height
    merges = f"{leaves - 1:,} joint{'' if leaves == 2 else 's'}"
    made = _made(root, word) if word == "rank" else f"made by {_made(root, word)}"
    told = f"{leaves:,} units, {merges}, {deep:,} deep; {made}."
    shown = len(outline(root))
    return told if shown == 2 * leaves - 1 else f"{told} Drawn are {shown:,} of its {2 * leaves - 1:,} nodes."


def in_words(root: MergeTree, word: str = "merge") -> str:
    """The drawn part of the tree as indented lines, for those who read rather than look.

    >>> from bpe_core.alphabet import Alphabet
    >>> from bpe_core.encoding import Tokenizer
    >>> from bpe_core.pretokenize import PreTokenizer
    >>> merges = [(0, 1, 3), (3, 2, 4)]
    >>> print(in_words(Tokenizer(Alphabet(Unit.CHAR, "abc"), merges, PreTokenizer.NONE).tree(4)))
    abc: merge 2
        ab: merge 1
            a
            b
        c
    """
    lines = []
    for node in outline(root):
        made = f": {_made(node.tree, word)}" if node.tree.left is not None else ""
        more = ", not opened here" if node.hidden else ""
        name = display.label(node.tree.token, 40).plain
        lines.append("    " * node.depth + name + made + more)
    return "\n".join(lines)


def tree(root: MergeTree, *, key: str, label: str, word: str = "merge") -> int | None:
    """Draw the merge tree under ``root``; returns the id of a merged token clicked in this run.

    ``label`` names the diagram for screen readers, ``word`` is what a merge is called ("merge", "rank").
    """
    nodes = outline(root)
    data = {"label": label, "nodes": [_drawn(node, word) for node in nodes]}
    result = _diagram(key=key, data=data, on_picked_change=_ignore)
    picked = result.get("picked")
    if type(picked) is not int or not 0 <= picked < len(nodes) or nodes[picked].tree.left is None:
        return None
    return nodes[picked].tree.id


def _ignore() -> None:
    """Clicks are read from the component's result; nothing happens in the callback."""


def _made(tree: MergeTree, word: str) -> str:
    return f"{word} {tree.number:,}" if tree.number is not None else f"a {word}"


def _drawn(node: Node, word: str) -> dict[str, Any]:
    tree, token = node.tree, node.tree.token
    short = display.label(token, 24)
    name = display.describe(token, 40)
    if tree.left is None or tree.right is None:
        says = f"{name}, a base unit"
    else:
        left, right = display.describe(tree.left.token, 40), display.describe(tree.right.token, 40)
        says = f"{name}, {_made(tree, word)}: {left} and {right}"
        says += ", pick to open it" if node.hidden else ""
    return {
        "parts": [[p.bare if p.kind is PartKind.BYTES else p.text, p.kind.value] for p in short.parts],
        "hue": tree.id,
        "made": _made(tree, word) if tree.left is not None else "",
        "more": node.hidden,
        "merged": tree.left is not None,
        "partial": token.text is None,
        "says": says,
        "depth": node.depth,
        "above": node.above,
    }
