"""Working a figure out: the one place where the core is asked for answers.

Answers, wrong options and the numbers inside sentences are all figures (``what``). ``value`` works one out
from its own inputs, k and arguments; nothing is ever typed in by hand.

Some figures are what a particular mistake gives (each word counted once, the longest token taken):
they are real computations too, so a wrong option is wrong by exactly that mistake.

Not here: anything about wording or checking.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache

from bpe_core import o200k
from bpe_core.alphabet import MARKER_NOTATION, Alphabet, Token, Unit
from bpe_core.encoding import Tokenizer
from bpe_core.errors import SettingError, shown
from bpe_core.measures import measure
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Pair, Trainer

from .inputs import Inputs
from .values import Piece, Split, TokenPair, Value
from .what import Figure, What

__all__ = ["Figure", "What", "value"]


@lru_cache(maxsize=20_000)
def value(figure: Figure) -> Value:
    """The figure, worked out by the core.

    >>> from .inputs import HOP
    >>> value(Figure(What.PAIR_COUNT, HOP, left="p", right="s"))
    3
    >>> str(value(Figure(What.SPLIT, HOP, k=4, new="shops")))
    'shop · s'

    Raises SettingError where it does not exist: no such merge, no such token, not defined.
    """
    answer = _ASKED[figure.what](figure)
    if answer is None:
        raise SettingError(f"'{figure.what.value}' is not defined for this corpus.")
    return answer


def inputs_of(figure: Figure) -> Inputs:
    """The figure's inputs; SettingError when it has none but needs them."""
    if figure.inputs is None:
        raise SettingError(f"'{figure.what.value}' is about a corpus, and none is given.")
    return figure.inputs


# ---------------------------------------------------------------- helpers


class _Latest(threading.local):
    """The trainer last used in this thread: trainers are not for sharing between threads."""

    inputs: Inputs | None = None
    trainer: Trainer | None = None


_latest = _Latest()


def trained(inputs: Inputs, k: int | None) -> Trainer:
    """A trainer that knows at least k merges (None: all); SettingError when training stops before k.

    Figures about one corpus follow each other, so the latest trainer is kept and asked again.
    """
    if _latest.inputs != inputs or _latest.trainer is None:
        _latest.trainer = inputs.trainer()
        _latest.inputs = inputs
    trainer = _latest.trainer
    known = trainer.train_to(k)
    if k is not None and known < k:
        raise SettingError(f"There is no merge {k}; training on this corpus stops after {known}.")
    return trainer


def find_token(trainer: Trainer, text: str, k: int) -> int:
    """The id of the token with this text after k merges; ``</w>`` at its end is the marker, if any."""
    ends_word = trainer.corpus.pre_tokenizer.has_marker and text.endswith(MARKER_NOTATION)
    data = text.removesuffix(MARKER_NOTATION).encode() if ends_word else text.encode()
    for id in range(len(trainer.alphabet) + k):
        token = trainer.token(id)
        if token.data == data and token.ends_word == ends_word:
            return id
    raise SettingError(f"There is no token {shown(text)} after {k} merges.")


def _trainer(figure: Figure, ahead: int = 0) -> Trainer:
    return trained(inputs_of(figure), figure.k + ahead)


def _ids(figure: Figure, trainer: Trainer) -> Pair:
    return (find_token(trainer, figure.left, figure.k), find_token(trainer, figure.right, figure.k))


def _named(trainer: Trainer, pair: Pair) -> TokenPair:
    return TokenPair(Piece.of(trainer.token(pair[0])), Piece.of(trainer.token(pair[1])))


def _step_before(figure: Figure) -> int:
    if figure.k < 1:
        raise SettingError("Merges are counted from 1, so there is no merge 0.")
    return figure.k - 1


# ---------------------------------------------------------------- the corpus


def _merges_for_size(figure: Figure) -> int:
    base = len(inputs_of(figure).trainer().alphabet) if figure.inputs else 256
    return int(figure.number) - base


def _token_count(figure: Figure) -> int:
    trainer = _trainer(figure)
    return trainer.token_counts(figure.k).get(find_token(trainer, figure.left, figure.k), 0)


def _length_before(figure: Figure) -> int:
    before = _step_before(figure)
    return trained(inputs_of(figure), before).corpus_length(before)


# ---------------------------------------------------------------- pairs


def count_once(trainer: Trainer, pair: Pair, k: int) -> int:
    """A pair's count as someone gets it who counts each distinct word once."""
    return sum(share.occurrences for share in trainer.shares(pair, k))


def replacements(trainer: Trainer, pair: Pair, k: int) -> int:
    """How many times a pair would be replaced after k merges: left to right, never overlapping."""
    if pair[0] != pair[1]:
        return trainer.count(pair, k)  # only a token that meets itself can overlap
    total = 0
    for word, count in zip(trainer.words_at(k), trainer.corpus.counts, strict=True):
        run = 0  # tokens of this kind in a row
        for id in word:
            run = run + 1 if id == pair[0] else 0
            if run and run % 2 == 0:
                total += count
    return total


def _pair_count(figure: Figure) -> int:
    trainer = _trainer(figure)
    return trainer.count(_ids(figure, trainer), figure.k)


def _pair_words_with(figure: Figure) -> int:
    trainer = _trainer(figure)
    return sum(share.count for share in trainer.shares(_ids(figure, trainer), figure.k))


def _top(figure: Figure, count: Callable[[Trainer, Pair, int], int]) -> TokenPair:
    """The pair with the most of such counts in the state before merge k, ties as the trainer orders pairs."""
    before = _step_before(figure)
    trainer = trained(inputs_of(figure), before)
    order = [ranked.pair for ranked in trainer.ranked_pairs(before)]
    if not order:
        raise SettingError("No pair is left to count.")
    return _named(trainer, max(order, key=lambda pair: count(trainer, pair, before)))


def _runner_up(figure: Figure) -> TokenPair:
    """The first pair below the top count in the state before merge k."""
    before = _step_before(figure)
    trainer = trained(inputs_of(figure), before)
    ranked = trainer.ranked_pairs(before)
    lower = [each.pair for each in ranked if each.count < ranked[0].count]
    if not lower:
        raise SettingError("All pairs have the same count, so none is the runner-up.")
    return _named(trainer, lower[0])


def _merge_number_of(figure: Figure) -> int:
    trainer = trained(inputs_of(figure), None)
    made = find_token(trainer, figure.left, len(trainer.steps))
    for step in trainer.steps:
        if step.token == made:
            return step.index
    raise SettingError(f"{shown(figure.left)} is a base unit, which no merge makes.")


# ---------------------------------------------------------------- new text


def _tokenizer(figure: Figure) -> Tokenizer:
    return _trainer(figure).tokenizer(figure.k)


def longest_match(tokenizer: Tokenizer, word: str) -> list[Token]:
    """The split of one word by the mistake of always taking the longest token that fits, from the left."""
    known = {tokenizer.rules.spell(id): id for id in tokenizer.ids() if not tokenizer.rules.ends_word(id)}
    units = [tokenizer.token(id) for id in tokenizer.alphabet.ids_of(word)]
    tokens: list[Token] = []
    place = 0
    while place < len(units):
        for end in range(len(units), place, -1):
            data = b"".join(unit.data for unit in units[place:end])
            whole = end - place > 1 and data in known and not units[end - 1].ends_word
            if whole or end - place == 1:
                tokens.append(tokenizer.token(known[data]) if whole else units[place])
                place = end
                break
    return tokens


def _split_longest(figure: Figure) -> Split:
    tokenizer = _tokenizer(figure)
    words = tokenizer.pre_tokenizer.split(figure.new)
    return Split.of(token for word in words for token in longest_match(tokenizer, word))


def _split_backwards(figure: Figure) -> Split:
    """The split by the mistake of letting the newest merge go first."""
    tokenizer = _tokenizer(figure)
    tokens: list[Token] = []
    for word in tokenizer.pre_tokenizer.split(figure.new):
        ids = tokenizer.alphabet.ids_of(word)
        again = True
        while again:
            again = False
            for left, right, made in reversed(tokenizer.merges):
                place = next((i for i in range(len(ids) - 1) if (ids[i], ids[i + 1]) == (left, right)), None)
                if place is not None:
                    ids[place : place + 2] = [made]
                    again = True
                    break
        tokens += [tokenizer.token(id) for id in ids]
    return Split.of(tokens)


def _unknown_words(figure: Figure) -> int:
    corpus = inputs_of(figure).corpus()
    return sum(word not in corpus.words for word in corpus.pre_tokenizer.split(figure.new))


def _most_tokens(figure: Figure) -> int:
    # With a byte base the most tokens a text can be is what no merge at all leaves.
    return len(Tokenizer(Alphabet(Unit.BYTE), [], PreTokenizer.NONE).encode(figure.new))


def _words(figure: Figure) -> int:
    pre = figure.inputs.pre_tokenizer if figure.inputs else PreTokenizer.WHITESPACE
    return len(pre.split(figure.new))


# ---------------------------------------------------------------- bits


@lru_cache(maxsize=500)
def _measures(inputs: Inputs, k: int | None) -> dict[str, object]:
    trainer = trained(inputs, None)
    if k is not None and k > len(trainer.steps):
        raise SettingError(
            f"There is no merge {k}; training on this corpus stops after {len(trainer.steps)}."
        )
    return measure(trainer, k)


def _measure(name: str, *, by_k: bool = False, shift: int = 0) -> Callable[[Figure], Value | None]:
    def ask(figure: Figure) -> Value | None:
        found = _measures(inputs_of(figure), figure.k)[name]
        if by_k:
            assert isinstance(found, list)
            place = figure.k + shift
            if not 0 <= place < len(found):
                raise SettingError(f"There is no merge {place + 1 if shift == 0 else figure.k} here.")
            found = found[place]
        assert found is None or isinstance(found, int | float)
        return found

    return ask


def _number(figure: Figure, name: What) -> int:
    found = value(Figure(name, figure.inputs, figure.k))
    assert isinstance(found, int)
    return found


def _width(figure: Figure) -> int:
    sizes = (_number(figure, What.VOCABULARY_SIZE) - 1).bit_length()
    return max(sizes, 0)


def _data_bits(figure: Figure) -> int:
    return _number(figure, What.CORPUS_LENGTH) * _width(figure)


def _first_width_bits(figure: Figure) -> int:
    width = _width(Figure(What.WIDTH, figure.inputs, 0))
    return (_number(figure, What.CORPUS_LENGTH) + 2 * figure.k) * width


def _pmi(figure: Figure) -> Value | None:
    if figure.k < 1:
        raise SettingError("Merges are counted from 1, so there is no merge 0.")
    return _measure("pmi", by_k=True, shift=-1)(figure)


def _stated(figure: Figure, text: str) -> Piece:
    """A token that a question spells out; a final ``</w>`` is the marker where the corpus has one."""
    marker = figure.inputs is not None and figure.inputs.pre_tokenizer.has_marker
    ends = marker and text.endswith(MARKER_NOTATION)
    return Piece.of(
        Token(None, (text.removesuffix(MARKER_NOTATION) if ends else text).encode(), Unit.CHAR, ends)
    )


# ---------------------------------------------------------------- the table

_Asked = Callable[[Figure], Value | None]

_ASKED: dict[What, _Asked] = {
    What.CORPUS_LENGTH: lambda f: _trainer(f).corpus_length(f.k),
    What.VOCABULARY_SIZE: lambda f: _trainer(f).vocabulary_size(f.k),
    What.DEFINED_VOCABULARY_SIZE: lambda f: _tokenizer(f).vocabulary_size,
    What.MERGES_UNTIL_DRY: lambda f: len(trained(inputs_of(f), None).steps),
    What.MERGES_FOR_SIZE: _merges_for_size,
    What.DISTINCT_WORDS: lambda f: len(inputs_of(f).corpus().words),
    What.TOKEN_COUNT: _token_count,
    What.PAIR: lambda f: _named(t := _trainer(f), _ids(f, t)),
    What.PAIR_COUNT: _pair_count,
    What.PAIR_REPLACEMENTS: lambda f: replacements(t := _trainer(f), _ids(f, t), f.k),
    What.PAIR_WORDS_ONCE: lambda f: count_once(t := _trainer(f), _ids(f, t), f.k),
    What.PAIR_WORDS_WITH: _pair_words_with,
    What.MERGE_PAIR: lambda f: _named(t := _trainer(f), t.steps[_step_before(f)].pair),
    What.MERGE_TOKEN: lambda f: Piece.of((t := _trainer(f)).token(t.steps[_step_before(f)].token)),
    What.MERGE_COUNT: lambda f: _trainer(f).steps[_step_before(f)].count,
    What.MERGE_REPLACEMENTS: lambda f: _trainer(f).steps[_step_before(f)].replacements,
    What.MERGE_TIED: lambda f: _trainer(f).steps[_step_before(f)].tied,
    What.MERGE_NUMBER_OF: _merge_number_of,
    What.TOKEN_ID: lambda f: find_token(_trainer(f), f.left, f.k),
    What.RUNNER_UP: _runner_up,
    What.TOP_PAIR_WORDS_ONCE: lambda f: _top(f, count_once),
    What.TOP_PAIR_REPLACEMENTS: lambda f: _top(f, replacements),
    What.LENGTH_BY_COUNT: lambda f: _length_before(f) - _trainer(f).steps[_step_before(f)].count,
    What.LENGTH_MERGED_ONCE: lambda f: _length_before(f) - 1,
    What.LENGTH_BOTH_REMOVED: lambda f: (
        _length_before(f) - 2 * _trainer(f).steps[_step_before(f)].replacements
    ),
    What.SIZE_PARENTS_REMOVED: lambda f: _trainer(f).vocabulary_size(f.k) - 2,
    What.SPLIT: lambda f: Split.of(_tokenizer(f).tokenize(f.new)),
    What.SPLIT_LENGTH: lambda f: len(_tokenizer(f).encode(f.new)),
    What.SPLIT_LONGEST: _split_longest,
    What.SPLIT_BACKWARDS: _split_backwards,
    What.SPLIT_IN_TWO: lambda f: Split.of(
        Token(None, text.encode(), inputs_of(f).unit) for text in (f.left, f.right)
    ),
    What.UNSEEN_UNITS: lambda f: sum(id < 0 for id in _tokenizer(f).encode(f.new)),
    What.UNKNOWN_WORDS: _unknown_words,
    What.CHARACTERS: lambda f: len(f.new),
    What.BYTES: lambda f: len(f.new.encode("utf-8")),
    What.BYTES_UTF16: lambda f: len(f.new.encode("utf-16-le")),
    What.BYTES_UTF32: lambda f: len(f.new.encode("utf-32-le")),
    What.MOST_TOKENS: _most_tokens,
    What.WORDS: _words,
    What.REAL_SPLIT: lambda f: Split.of(o200k.tokenizer().tokenize(f.new)),
    What.REAL_LENGTH: lambda f: len(o200k.tokenizer().encode(f.new)),
    What.REAL_SIZE: lambda f: len(o200k.tokens()),
    What.ASCII_BITS: _measure("ascii_bits"),
    What.FIXED_BITS: _measure("fixed_width_bits"),
    What.ENTROPY: _measure("order0_entropy_bits_per_character"),
    What.ENTROPY_BITS: _measure("order0_bound_bits"),
    What.HUFFMAN_BITS: _measure("huffman_bits"),
    What.WIDTH: _width,
    What.DATA_BITS: _data_bits,
    What.TABLE_BITS: lambda f: 2 * f.k * _width(f),
    What.TWO_PART_BITS: _measure("two_part_final_width", by_k=True),
    What.TWO_PART_BITS_IN_FORCE: _measure("two_part_width_in_force", by_k=True),
    What.BEST_K: _measure("best_k_final_width"),
    What.BEST_BITS: _measure("best_bits_final_width"),
    What.RATIO: _measure("compression_ratio"),
    What.INVERSE_RATIO: _measure("inverse_compression_ratio"),
    What.TOKEN_ENTROPY: _measure("token_entropy_bits_per_token"),
    What.BITS_PER_CHARACTER: _measure("bits_per_character"),
    What.PMI: _pmi,
    What.ONE_ID_BITS: lambda f: _data_bits(f) + f.k * _width(f),
    What.FIRST_WIDTH_BITS: _first_width_bits,
    What.BYTE_WIDTH_BITS: lambda f: 8 * _number(f, What.CORPUS_LENGTH),
    What.TOKEN: lambda f: _stated(f, f.left),
    What.TWO_TOKENS: lambda f: TokenPair(_stated(f, f.left), _stated(f, f.right)),
    What.NUMBER: lambda f: int(f.number) if float(f.number).is_integer() else f.number,
}
