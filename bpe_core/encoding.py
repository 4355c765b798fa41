"""Encoding and decoding with a vocabulary: text to token ids and back.

One rule encodes: *lowest rank first, then leftmost, one replacement at a time*, word by word (see
``rules``). For a trained list that is the same as replaying its merges in order; for a list imported
out of order it is what Hugging Face and tiktoken do.

Ids that are not in the vocabulary are errors, never an index from the end. A character that training
never saw is kept: ``encode`` gives it as ``-1 - code point``, its ``Token`` has no id, no merge touches it.

Not here: why a word splits as it does (``trace``, ``tree``), learning merges (``training``), special
tokens in text (encoding never makes them; they can be decoded).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from .alphabet import Alphabet, Pair, Token, Unit
from .errors import UnknownTokenError, shown
from .pretokenize import PreTokenizer
from .rules import KEPT_SPELLING, JoinedRules, Merge, MergeRules, Numbering, Rules, merge_word
from .trace import Boundary, Trace, trace_boundaries, trace_text
from .tree import MergeTree, merge_tree

#: The word cache starts afresh past either bound.
CACHED_WORDS = 200_000
CACHED_CHARACTERS = 4_000_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded text and how many U+FFFD in it stand for bytes that are not valid UTF-8."""

    text: str
    replaced: int

    @property
    def valid(self) -> bool:
        """Whether the joined bytes were UTF-8 throughout."""
        return self.replaced == 0


class Tokenizer:
    """A vocabulary with a pre-tokenizer: encodes, decodes and explains.

    >>> from bpe_core.pretokenize import PreTokenizer
    >>> letters = Alphabet(Unit.CHAR, "abcd")
    >>> merges = [(1, 2, 4), (0, 1, 5), (2, 3, 6)]  # b+c, a+b, c+d
    >>> tokenizer = Tokenizer(letters, merges, PreTokenizer.NONE)
    >>> [token.notation for token in tokenizer.tokenize("abcd")]  # not ab·cd: b+c comes first
    ['a', 'bc', 'd']
    >>> tokenizer.encode("abcd"), tokenizer.decode([0, 4, 3])
    ([0, 4, 3], 'abcd')
    """

    def __init__(
        self,
        alphabet: Alphabet,
        merges: Sequence[Merge],
        pre_tokenizer: PreTokenizer,
        specials: Mapping[int, bytes] | None = None,
    ) -> None:
        """``merges`` are (left id, right id, new id) by rank; they may be out of order (``MergeRules``).

        ``specials`` are ids with the bytes they decode to, which no merge makes.
        """
        rules = MergeRules(alphabet, list(merges), specials or {})
        self._take(alphabet, rules, pre_tokenizer, rules.count)

    def _take(self, alphabet: Alphabet, rules: Rules, pre_tokenizer: PreTokenizer, limit: int) -> None:
        self.alphabet = alphabet
        self.pre_tokenizer = pre_tokenizer
        self.rules = rules
        self.limit = limit  # rules of this rank and above are out of use
        self._words = _WordCache(self)
        self._pieces = _PieceCache(self)
        self._size: int | None = None

    @classmethod
    def from_ranks(
        cls, tokens: Sequence[bytes], pre_tokenizer: PreTokenizer, specials: Mapping[int, bytes] | None = None
    ) -> Tokenizer:
        """The tokenizer of a tiktoken ranks file: ``tokens[rank]`` is a token's bytes, its rank is its id.

        Two neighbours merge when their joined bytes are a token; a whole word that is a token is that
        token at once. ``b""`` marks a rank no token holds. Raises ``ImportFormatError`` (``JoinedRules``).

        >>> from bpe_core.pretokenize import PreTokenizer
        >>> ranks = [bytes([b]) for b in range(256)] + [b"bc", b"ab", b"abc"]
        >>> Tokenizer.from_ranks(ranks, PreTokenizer.NONE).encode("xbabc")
        [120, 98, 258]
        """
        rules = JoinedRules(tokens, specials or {})
        made = cls.__new__(cls)
        made._take(rules.alphabet, rules, pre_tokenizer, rules.count)
        return made

    def at(self, k: int) -> Tokenizer:
        """The same tokenizer with only its first ``k`` merges (ranks below ``k``); tables are shared.

        ``k`` below 0 counts as 0, above the number of merges as all of them.
        """
        made = Tokenizer.__new__(Tokenizer)
        made._take(self.alphabet, self.rules, self.pre_tokenizer, max(0, min(k, self.limit)))
        return made

    # The vocabulary.

    @property
    def numbering(self) -> Numbering:
        """Whether a rule is named to people by merge number or by rank."""
        return self.rules.numbering

    @property
    def merges(self) -> list[Merge]:
        """The merges in use as (left id, right id, new id), by rank.

        A ranks file states none: there they are every token's parents, which takes seconds for a large file.
        """
        if isinstance(self.rules, MergeRules):
            return list(self.rules.merges[: self.limit])
        pairs = ((self.parents(id), id) for id in self.ids())
        return [(*pair, id) for pair, id in pairs if pair is not None]

    @property
    def vocabulary_size(self) -> int:
        """How many ids there are: base units (256 in byte mode, used or not), merged tokens, specials."""
        if self._size is None:
            self._size = len(self.ids())
        return self._size

    def ids(self) -> list[int]:
        """Every id in use, in ascending order."""
        return [id for id in self.rules.ids() if self.rules.rank_making(id) < self.limit]

    def __contains__(self, id: object) -> bool:
        """Whether ``id`` is an id in use; ``True`` and ``1.0`` are not ids."""
        if type(id) is not int:
            return False
        try:
            return self.rules.rank_making(id) < self.limit
        except KeyError:
            return False

    def token(self, id: int) -> Token:
        """The token of an id; a negative id of ``encode`` gives the unseen unit it stands for."""
        if type(id) is int and -0x110000 <= id < 0 and self.alphabet.unit is Unit.CHAR:
            return self.alphabet.unseen(id)
        if id not in self:
            raise _unknown([id])
        return Token(id, self.rules.spell(id), self.alphabet.unit, self.rules.ends_word(id))

    def id_of(self, data: bytes, ends_word: bool = False) -> int:
        """The id of the token with these bytes (of two, the lowest), or ``UnknownTokenError``."""
        id = self.rules.find(data, ends_word)
        if id is None or id not in self:
            spelled = data.decode("utf-8", "backslashreplace")
            raise UnknownTokenError(f"The vocabulary holds no token {shown(spelled)}.", [data])
        return id

    def rank_of(self, pair: Pair) -> int | None:
        """The rank of the rule joining two ids, from 0, or None if no rule in use joins them."""
        if not (pair[0] in self and pair[1] in self):
            return None
        rank = self.rules.ranks[pair]
        return rank if rank < self.limit else None

    def number_of(self, id: int) -> int | None:
        """The number of the merge (or the rank) that makes a token; None for base units and specials."""
        if id not in self:
            raise _unknown([id])
        rank = self.rules.rank_making(id)
        return None if rank < 0 else self.numbering.number(rank)

    def parents(self, id: int) -> Pair | None:
        """The two tokens that merge into this one; None for base units and specials.

        Also None for a ranks-file token that merging never reaches, which only a whole word can be.
        """
        if id not in self:
            raise _unknown([id])
        return self.rules.parents(id)

    def tree(self, id: int) -> MergeTree:
        """The merge tree of a token down to its base units."""
        return merge_tree(self, id)

    # Encoding.

    def encode(self, text: str) -> list[int]:
        """The ids of the text's tokens; a unit never seen in training is ``-1 - code point``."""
        words = self.pre_tokenizer.split(text)
        return list(chain.from_iterable(map(self._words.__getitem__, words)))

    def encode_word(self, word: str) -> tuple[int, ...]:
        """The ids of one word, as the pre-tokenizer yields it (the marker is added here)."""
        return self._words[word]

    def tokenize(self, text: str) -> list[Token]:
        """The text's tokens."""
        return list(map(self.token, self.encode(text)))

    def tokenize_words(self, text: str) -> list[list[Token]]:
        """The text's tokens, word by word."""
        return [list(map(self.token, self._words[word])) for word in self.pre_tokenizer.split(text)]

    def _encode_word(self, word: str) -> tuple[int, ...]:
        units = self.alphabet.ids_of(word)
        if self.rules.whole:
            id = self.rules.whole.get(word.encode("utf-8"))
            if id is not None and id in self:
                return (id,)
        return tuple(merge_word(units, self.rules, self.limit))

    def trace(self, text: str) -> Trace:
        """How the text comes to its split: the state after each merge that changed something."""
        return trace_text(self, text)

    def boundaries(self, text: str) -> list[Boundary]:
        """For every boundary between neighbouring tokens of the split: why it stands."""
        return trace_boundaries(self, text)

    # Decoding.

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ``ids``: all bytes are joined, then decoded with invalid ones replaced by U+FFFD.

        A token that closes a word puts a space after it, except after the last one. Ids not in the
        vocabulary, negative ones included, raise ``UnknownTokenError`` naming them.
        """
        return self._joined(ids).decode("utf-8", "replace")

    def decode_checked(self, ids: Iterable[int]) -> Decoded:
        """``decode`` with a count of the replacement characters that stand for invalid bytes."""
        data = self._joined(ids)
        text = data.decode("utf-8", "replace")
        # U+FFFD may also have been in the text itself: its own three bytes always decode to it
        return Decoded(text, text.count("\ufffd") - data.count(b"\xef\xbf\xbd"))

    def decode_tokens(self, tokens: Iterable[Token]) -> str:
        """The text of ``Token`` records, also of those without an id: what ``tokenize`` split comes back."""
        given = list(tokens)
        data = b"".join([token.data + b" " if token.ends_word else token.data for token in given])
        return _closed(data, bool(given) and given[-1].ends_word).decode("utf-8", "replace")

    def _joined(self, ids: Iterable[int]) -> bytes:
        given = list(ids)
        pieces: list[bytes] = []
        known = set(map(type, given)) <= {int}  # a table would take True and 1.0 for 1
        if known:
            try:
                pieces = list(map(self._pieces.__getitem__, given))
            except KeyError:
                known = False
        if not known:
            raise _unknown([id for id in given if id not in self])
        return _closed(b"".join(pieces), bool(given) and self.rules.ends_word(given[-1]))

    def _piece(self, id: int) -> bytes:
        """What a token adds to a decoded text: its bytes, and a space where it closes a word."""
        if self.rules.rank_making(id) >= self.limit:
            raise KeyError(id)
        data = self.rules.spell(id)
        return data + b" " if self.rules.ends_word(id) else data


def _closed(data: bytes, ends_word: bool) -> bytes:
    """The joined pieces without the space of the last word's marker: spaces stand between words."""
    return data[:-1] if ends_word else data


def _unknown(ids: Sequence[object]) -> UnknownTokenError:
    """The error that names ids: at most ten of them in the sentence, all of them in ``unknown``."""
    names = ", ".join(shown(id) for id in ids[:10])
    more = f" and {len(ids) - 10} more" if len(ids) > 10 else ""
    if len(ids) == 1:
        return UnknownTokenError(f"{names} is not an id of this vocabulary.", ids)
    return UnknownTokenError(f"{names}{more} are not ids of this vocabulary.", ids)


class _WordCache(dict[str, tuple[int, ...]]):
    """Word -> its ids, encoded when first asked for; emptied when it grows past the bounds."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._encode = tokenizer._encode_word
        self._characters = 0

    def __missing__(self, word: str) -> tuple[int, ...]:
        ids = self._encode(word)
        self._characters += len(word)
        if len(self) >= CACHED_WORDS or self._characters > CACHED_CHARACTERS:
            self.clear()
            self._characters = len(word)
        self[word] = ids
        return ids


class _PieceCache(dict[int, bytes]):
    """Id -> what it adds to a decoded text; very long ones are not kept. KeyError for ids not in use."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._piece = tokenizer._piece

    def __missing__(self, id: int) -> bytes:
        piece = self._piece(id)
        if len(piece) <= KEPT_SPELLING:
            self[id] = piece
        return piece
