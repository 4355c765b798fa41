"""The merges behind one token as a tree: every token but a base unit has two parents.

Not here: finding the parents (``rules``), drawing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .alphabet import Token

if TYPE_CHECKING:
    from .encoding import Tokenizer


class MergeTree:
    """A token as a tree of merges: ``left`` and ``right`` are the trees of its parents, or both None.

    ``number`` is the merge (or rank) that made it, None at a leaf. Equal tokens share one tree, so
    100,000 a's are a tree of few nodes; walking visits every place. Nothing here recurses: a chain a, ab,
    abc, … of 10,000 is fine. The token is spelled when asked for, since a chain's spellings are long.

    >>> from bpe_core.alphabet import Alphabet, Unit
    >>> from bpe_core.encoding import Tokenizer
    >>> from bpe_core.pretokenize import PreTokenizer
    >>> tokenizer = Tokenizer(Alphabet(Unit.CHAR, "abc"), [(0, 1, 3), (3, 2, 4)], PreTokenizer.NONE)
    >>> [(depth, node.token.notation) for depth, node in tokenizer.tree(4).walk()]
    [(0, 'abc'), (1, 'ab'), (2, 'a'), (2, 'b'), (1, 'c')]
    """

    __slots__ = ("_tokenizer", "id", "left", "number", "right")

    def __init__(
        self, tokenizer: Tokenizer, id: int, left: MergeTree | None = None, right: MergeTree | None = None
    ) -> None:
        self._tokenizer = tokenizer
        self.id = id
        self.number = tokenizer.number_of(id) if left is not None else None
        self.left = left
        self.right = right

    @property
    def token(self) -> Token:
        """The token at this node."""
        return self._tokenizer.token(self.id)

    def walk(self) -> Iterator[tuple[int, MergeTree]]:
        """Every node with its depth (0 at the root): a node, then all on its left, then its right."""
        stack: list[tuple[int, MergeTree]] = [(0, self)]
        while stack:
            depth, tree = stack.pop()
            yield depth, tree
            if tree.left is not None and tree.right is not None:
                stack += ((depth + 1, tree.right), (depth + 1, tree.left))

    @property
    def height(self) -> int:
        """Merges on the longest way down; 0 for a base unit."""
        heights: dict[int, int] = {}
        for tree in _bottom_up(self):
            below = [heights[side.id] for side in (tree.left, tree.right) if side is not None]
            heights[tree.id] = 1 + max(below) if below else 0
        return heights[self.id]

    def __repr__(self) -> str:
        return f"MergeTree(id={self.id}, number={self.number})"


def _bottom_up(root: MergeTree) -> list[MergeTree]:
    """Each different node of a tree once, parents' trees before what they make."""
    order: dict[int, MergeTree] = {}
    stack = [root]
    while stack:
        tree = stack[-1]
        below = [side for side in (tree.left, tree.right) if side is not None and side.id not in order]
        if tree.id in order or not below:
            order.setdefault(tree.id, stack.pop())
        else:
            stack += below
    return list(order.values())


def merge_tree(tokenizer: Tokenizer, id: int) -> MergeTree:
    """The merge tree of a token; ``UnknownTokenError`` for an id not in use."""
    trees: dict[int, MergeTree] = {}
    stack = [id]
    while stack:
        part = stack[-1]
        pair = tokenizer.parents(part)
        below = [side for side in pair or () if side not in trees]
        if part in trees or not below:
            stack.pop()
            if part not in trees:
                trees[part] = MergeTree(tokenizer, part, *(trees[side] for side in pair or ()))
        else:
            stack += below
    return trees[id]
