"""What the Train page says: the sentence about the last merge and the next, and why a click is not possible.

Built from the core's records as parts for `say`; nothing here draws.
"""

from __future__ import annotations

from bpe_core.alphabet import Unit
from bpe_core.encoding import Tokenizer
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import MergeStep, Pair, PairShare, TieRule, Trainer

from .figures import average, many
from .say import Part, strong, tok

#: How each tie rule picks its winner, as part of a sentence.
TIE_WINNER = {
    TieRule.FIRST_SEEN: "the first seen",
    TieRule.LOWEST_IDS: "the one with the lowest ids",
    TieRule.COLUMN_MAJOR: "the one with the lowest right-hand, then left-hand id",
}

#: The ways of cutting a text into words by name, for a menu.
PRE_NAMES = {
    PreTokenizer.ARTICLE: "article words",
    PreTokenizer.NONE: "no splitting",
    PreTokenizer.WHITESPACE: "white space",
    PreTokenizer.WORD_END: "white space + end marker",
    PreTokenizer.GPT2: "GPT-2 pattern",
    PreTokenizer.CL100K: "cl100k pattern",
    PreTokenizer.O200K: "o200k pattern",
}

#: The tie rules by name, for a menu.
TIE_NAMES = {
    TieRule.FIRST_SEEN: "first seen",
    TieRule.LOWEST_IDS: "lowest ids",
    TieRule.COLUMN_MAJOR: "lowest right id, then left",
}


def pair_parts(trainer: Trainer, pair: Pair) -> list[Part]:
    """``a + k`` as chips."""
    return [tok(trainer.token(pair[0])), " + ", tok(trainer.token(pair[1]))]


def _why(tied: int, ties: TieRule) -> str:
    return "alone at the top" if tied == 1 else f"{TIE_WINNER[ties]} of {tied:,} tied pairs"


def what_happened(trainer: Trainer, k: int) -> list[Part]:
    """The merge that led to state k, in one sentence; at k = 0 what there is to start with."""
    if k == 0:
        unit = "character" if trainer.unit is Unit.CHAR else "byte"
        length, size = trainer.initial_length, trainer.initial_vocabulary_size
        if not length:
            return [strong("The corpus holds no words. "), "Type a text above or choose one of the examples."]
        return [
            strong("Before any merge: "),
            f"every token is one {unit}. The corpus is L = {length:,} tokens long and uses |V| = {size:,} of "
            "them.",
        ]
    step = trainer.steps[k - 1]
    parts: list[Part] = [strong(f"Merge {step.index:,}: "), *pair_parts(trainer, step.pair), " → "]
    parts += [tok(trainer.token(step.token)), f", count {step.count:,}, {_why(step.tied, trainer.ties)}. "]
    parts.append(_replaced(trainer, step))
    before = trainer.corpus_length(k - 1)
    parts.append(f"L {before:,} → {step.corpus_length:,}, ")
    parts.append(f"|V| {step.vocabulary_size - 1:,} → {step.vocabulary_size:,}.")
    return parts


def _replaced(trainer: Trainer, step: MergeStep) -> str:
    times = many(step.replacements, "replacement")
    if step.replacements == step.count:
        return f"{times}: "
    return (
        f"Only {times}, because the pair overlaps itself: a token used in one replacement is gone "
        "for the next. "
    )


def what_is_next(trainer: Trainer, k: int) -> list[Part]:
    """What the next click will do, or why there is nothing left to do."""
    pair = trainer.next_pair(k)
    if pair is None:
        if not trainer.corpus.words:
            return []
        return [strong("No merge is left. "), _stopped(trainer)]
    return [
        "Next, outlined below: ",
        *pair_parts(trainer, pair),
        f", count {trainer.count(pair, k):,}, {_why(tied_next(trainer, k), trainer.ties)}.",
    ]


def tied_next(trainer: Trainer, k: int) -> int:
    """How many pairs share the top count after k merges; a merge that is learned says so itself."""
    return trainer.steps[k].tied if k < len(trainer.steps) else len(trainer.tied_pairs(k))


def _stopped(trainer: Trainer) -> str:
    reason = trainer.stop
    if reason is None:
        return ""
    if reason.value == "below-min-count":
        return (
            f"Every pair that is left occurs fewer than {trainer.min_count:,} times, the minimum count "
            "in the settings."
        )
    return reason.sentence


def why_no_next(trainer: Trainer, k: int) -> str | None:
    """Why "Next merge" is not possible, as a short hint; None when it is."""
    if trainer.next_pair(k) is not None:
        return None
    return _stopped(trainer) or "There is nothing to merge."


def share_parts(trainer: Trainer, pair: Pair, shares: list[PairShare], limit: int = 8) -> list[Part]:
    """``count(a, k) = 1 × 1 in ␣baker + 2 × 1 in ␣bakes + … = 4``: each word's part in a pair's count."""
    total = sum(share.count * share.occurrences for share in shares)
    parts: list[Part] = ["count of ", *pair_parts(trainer, pair), " = "]
    for place, share in enumerate(shares[:limit]):
        if place:
            parts.append(" + ")
        parts += [f"{share.count:,} × {share.occurrences:,} in ", tok(share.word)]
    if len(shares) > limit:
        rest = sum(share.count * share.occurrences for share in shares[limit:])
        parts.append(f" + {rest:,} in {len(shares) - limit:,} more words")
    parts += [" = ", strong(f"{total:,}")]
    return parts


def new_text_parts(tokenizer: Tokenizer, text: str) -> list[Part]:
    """How many tokens the new text takes, what was never seen, and whether decoding gives it back."""
    if not text:
        return ["Type anything: it is split by the merges made so far, and never counted."]
    tokens = tokenizer.tokenize(text)
    count = len(tokens)
    parts: list[Part] = [strong(many(count, "token"))]
    letters = many(len(text), "character")
    if count:
        parts.append(f" for {letters}: {average(len(text) / count)} characters per token. ")
    else:
        parts.append(f" for {letters}. ")
    unseen = list(dict.fromkeys(token.data.decode("utf-8", "replace") for token in tokens if not token.known))
    if unseen:
        parts.append("Never seen in training, so without an id: ")
        for place, character in enumerate(unseen[:12]):
            parts += [", " if place else "", tok(character)]
        if len(unseen) > 12:
            parts.append(f" and {len(unseen) - 12:,} more")
        parts.append(". ")
    dropped = tokenizer.pre_tokenizer.dropped(text)
    if dropped.characters and not dropped.reversible:
        parts.append(dropped.sentence)
    elif count and not unseen:
        parts.append("Decoding gives the text back exactly.")
    return parts
