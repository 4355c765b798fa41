"""The Compression page's sentences: what the figures say, in words, from the figures themselves.

Each function gives parts for ``ui.say.say`` (a token is a chip, never markup) or plain sentences.
Not here: the figures (`bits`).
"""

from __future__ import annotations

from bpe_core import measures
from bpe_core.measures import CostModel
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Choice, Trainer

from .bits import MODEL_NAMES, Figures, best, text_bits, totals
from .figures import bits, many, rate, times
from .links import Lab
from .say import Part, strong, tok

#: Merges that are looked through for tokens that hold white space.
_LOOKED_THROUGH = 200


def where_we_are(lab: Lab, trainer: Trainer) -> list[Part]:
    """k, L, V and the width of a token's number, in one sentence."""
    length, size = trainer.corpus_length(lab.k), trainer.vocabulary_size(lab.k)
    return [
        "After ",
        strong(many(lab.k, "merge")),
        f": L = {many(length, 'token')} in the corpus, |V| = {size:,} in the vocabulary, so ",
        strong(many(measures.fixed_width(size), "bit")),
        " to number a token.",
    ]


def covered(trainer: Trainer) -> str:
    """Which merges the figures for every k cover."""
    known = len(trainer.steps)
    if trainer.stop is not None:
        return f"Every k from 0 to {known:,} is covered: training ends there. {trainer.stop.sentence}"
    return f"Covered is k = 0 to {known:,}, the merges learned so far; this corpus has more."


def cost_at_k(run: Figures, k: int, model: CostModel) -> list[Part]:
    """Text and table at k, added up."""
    length, size = run["corpus_length_by_k"][k], run["vocabulary_size_by_k"][k]
    width, text, total = measures.fixed_width(size), text_bits(run)[k], totals(run, model)[k]
    table = f"2 · {k:,} · {width}" if model is CostModel.FINAL_WIDTH else f"{many(k, 'row')} of 2 tokens"
    return [
        f"At k = {k:,}: the text {length:,} · {width} = {bits(text)} bits, the table {table} = "
        f"{bits(total - text)} bits, together ",
        strong(f"{bits(total)} bits"),
        ".",
    ]


def cheapest(run: Figures, trainer: Trainer) -> list[Part]:
    """k* under both cost models."""
    parts: list[Part] = ["The cheapest: "]
    for place, model in enumerate(CostModel):
        k = best(run, model)
        if k is None:
            return ["The cheapest k is not defined for an empty corpus."]
        parts += [
            "; " if place else "",
            strong(f"k* = {k:,} with {many(totals(run, model)[k], 'bit')}"),
            f" ({MODEL_NAMES[model]})",
        ]
    return [
        *parts,
        "." if trainer.stop is not None else f", among the {len(trainer.steps):,} merges learned so far.",
    ]


def against_the_bound(single: Figures, run: Figures, model: CostModel) -> str:
    """Whether the minimum lies under the order-0 bound, and why that is no contradiction."""
    k, bound = best(run, model), single["order0_bound_bits"]
    if k is None or bound is None:
        return "There is no minimum and no bound to compare: the corpus has no characters."
    least = totals(run, model)[k]
    if least == 0:
        return "A text of one symbol needs no bits at all; only its length would have to be known."
    if least < bound:
        return (
            f"The minimum of {bits(least)} bits lies under the order-0 bound of {bits(bound)} bits. That is "
            "no contradiction: the bound holds for codes that take each character by itself, as if its "
            "neighbours did not matter. A merge uses just what the bound leaves out, that some characters "
            "follow each other again and again. The floor for a table of merges is the entropy rate, which "
            "takes neighbours into account."
        )
    if k == 0:
        return (
            "No number of merges pays here: what they take from the text, their table and the wider "
            "numbers for tokens cost again, or more. A longer text of the same kind would change that: the "
            "text would grow and the table would not."
        )
    return (
        f"The minimum of {bits(least)} bits does not get under the order-0 bound of {bits(bound)} bits. The "
        "bound counts no table, while these bits pay for theirs and give every token a number of the same "
        "width. On a longer text of this kind the table weighs less."
    )


def doubled(before: Figures, after: Figures, model: CostModel) -> str:
    """What doubling the text did to k* and its bits."""
    old, new = best(before, model), best(after, model)
    if old is None or new is None:
        return ""
    was, now = totals(before, model)[old], totals(after, model)[new]
    return (
        f"Doubling took L from {before['corpus_length_by_k'][0]:,} to {after['corpus_length_by_k'][0]:,} "
        f"units, and the cheapest from {bits(was)} bits at k* = {old:,} to {bits(now)} bits at k* = {new:,} "
        f"({MODEL_NAMES[model]}). A merge now shortens twice as much text, while its table row costs what "
        "it did."
    )


def across_spaces(trainer: Trainer) -> list[Part]:
    """Without word splitting: the merges whose token holds white space next to other characters."""
    if trainer.corpus.pre_tokenizer is not PreTokenizer.NONE:
        return []
    found = []
    for step in trainer.steps[:_LOOKED_THROUGH]:
        text = trainer.token(step.token).text or ""
        if any(c.isspace() for c in text) and not text.isspace():
            found.append(step)
    if not found:
        return []
    first = found[0]
    left, right = (trainer.token(id) for id in first.pair)
    whole = "" if len(trainer.steps) <= _LOOKED_THROUGH else f" of the first {_LOOKED_THROUGH}"
    numbers = ", ".join(f"{step.index:,}" for step in found[:6]) + (" …" if len(found) > 6 else "")
    name = "Merge " if len(found) == 1 else "Merges "
    return [
        f"{name}{numbers}{whole} fuse{'s' if len(found) == 1 else ''} text across white space (the first "
        "joins ",
        tok(left),
        " and ",
        tok(right),
        "). Cutting the text into words first forbids exactly that.",
    ]


def lengths(state: Figures, trainer: Trainer) -> list[Part]:
    """The compression ratio at k and its inverse."""
    length = state["corpus_length"]
    if not length:
        return ["Compression ratio: not defined, since there are no tokens."]
    return [
        f"The corpus went from {trainer.initial_length:,} to {many(length, 'token')}: compression ratio "
        f"{trainer.initial_length:,} / {length:,} = ",
        strong(times(state["compression_ratio"])),
        ", or the other way round ",
        strong(times(state["inverse_compression_ratio"])),
        ".",
    ]


def entropy(state: Figures, single: Figures) -> list[Part]:
    """Bits per token and per character at k, beside the characters before any merge."""
    each = state["token_entropy_bits_per_token"]
    if each is None:
        return ["Bits per token: not defined, since there are no tokens."]
    return [
        strong(f"{rate(each)} bits per token"),
        f" × {many(state['corpus_length'], 'token')} = {bits(state['token_entropy_bits'])} bits in "
        "all, which is ",
        strong(f"{rate(state['bits_per_character'])} bits per character"),
        f". Single characters had {rate(single['order0_entropy_bits_per_character'])} bits per character.",
    ]


def worth(trainer: Trainer, run: Figures, number: int) -> list[Part]:
    """PMI and saving of one merge (from 1)."""
    step = trainer.steps[number - 1]
    pmi, whole = run["pmi"][number - 1], run["count_times_pmi"][number - 1]
    saved = run["fixed_width_saving"][number - 1]
    width = measures.fixed_width(trainer.vocabulary_size(number - 1))
    return [
        f"Merge {number:,}: ",
        tok(trainer.token(step.pair[0])),
        " + ",
        tok(trainer.token(step.pair[1])),
        ", PMI ",
        strong(f"{rate(pmi)} bits"),
        f"; × count {step.count:,} = {bits(whole)} bits. Saved at fixed width: "
        f"({step.replacements:,} − 2) · {width} = ",
        strong(f"{bits(saved)} bits"),
        ", the tokens that went less the two of its table row.",
    ]


def another(choice: Choice, real: Figures, other: list[int], model: CostModel, length: int) -> list[Part]:
    """How an experiment ended beside the real training: ``other`` are its bits for every k reached."""
    name = "the least frequent pair" if choice is Choice.LEAST_FREQUENT else "a random pair"
    k = measures.best_k(other)
    real_k = best(real, model)
    if k is None or real_k is None:
        return ["There is no pair to merge, so there is nothing to compare."]
    last = min(len(other), len(totals(real, model))) - 1
    return [
        f"Merging {name} each time: cheapest ",
        strong(f"{bits(other[k])} bits at k = {k:,}"),
        f", against {bits(totals(real, model)[real_k])} bits at k* = {real_k:,} for the most frequent pair. "
        f"After {many(last, 'merge')} the corpus has {many(length, 'token')} instead of "
        f"{real['corpus_length_by_k'][last]:,}.",
    ]
