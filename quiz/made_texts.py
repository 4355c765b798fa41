"""Made questions on texts and codes: split a word, length in bytes, most tokens possible, bits at k.

A maker returns None when what was drawn does not make a good question (no tie to break, too few mistakes
that differ from the answer); ``made`` then draws again.

Not here: counting and sizes (``made_by_hand``).
"""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core.display import text_label

from .cutting import base_units, cuts_of, judge_cuts
from .figures import Figure, What, value
from .made_corpora import PHRASES, TEXTS, new_word
from .made_parts import Draft, Mistake, asked, kept_options, trained_to
from .misconceptions import Misconception as M
from .questions import Group, Kind, Question, literal
from .values import Split


def make_split(draft: Draft) -> Question | None:
    """How does a new word split?"""
    inputs, dice = draft.corpus(), draft.dice
    k = (3, dice.between(4, 5), dice.between(5, 7))[draft.level - 1]
    trainer = trained_to(inputs, k - 1)
    parts = new_word(dice, trainer.corpus.words) if trainer else None
    if trainer is None or parts is None:
        return None
    start, end = parts
    new = start + end
    answer = Figure(What.SPLIT, inputs, k, new=new)
    split = value(answer)
    assert isinstance(split, Split)
    if not 2 <= len(split.pieces) < len(new):
        return None
    tokenizer = trainer.tokenizer(k)
    units = base_units(tokenizer, new)
    mistakes: list[Mistake] = []
    for figure, misconception, opening in (
        (Figure(What.SPLIT_LONGEST, inputs, k, new=new), M.LONGEST_MATCH, ""),
        (
            Figure(What.SPLIT_BACKWARDS, inputs, k, new=new),
            M.MERGE_ORDER,
            "The merges go in the order they were learned. ",
        ),
        (
            Figure(What.SPLIT_IN_TWO, inputs, k, start, end, new),
            M.BY_MEANING,
            "Merges know no stems or endings. ",
        ),
        *[(Figure(What.SPLIT, inputs, fewer, new=new), M.MERGE_MISSED, "") for fewer in range(k - 1, 0, -1)],
        (Figure(What.SPLIT, inputs, 0, new=new), M.NO_MERGES, ""),
    ):
        found = value(figure)
        assert isinstance(found, Split)
        cuts = cuts_of((piece.token for piece in found.pieces), units)
        judged = judge_cuts(tokenizer, new, cuts)
        mistakes.append(Mistake(figure, misconception, opening + literal(judged.message)))
    shown = literal(text_label(new).plain)
    used = tokenizer.trace(new).stages[1:]
    numbers = ", ".join(str(stage.number) for stage in used)
    which = f"Merge {numbers} applies" if len(used) == 1 else f"Merges {numbers} apply"
    return asked(
        draft,
        Kind.SPLIT,
        Group.ENCODING,
        f"The merges are listed in order. How does {shown} split?",
        [answer],
        mistakes,
        f"{which}, in this order: {{answer}}.",
        ("Start with single letters and go down the list once.",),
        inputs,
        merges=k,
        k=k,
        new=new,
        corpus=False,
    )


def _own_text(draft: Draft, pool: Sequence[str]) -> str:
    own = [word for word, _ in draft.words if not word.isascii()]
    return draft.dice.pick(own) if own else draft.dice.pick(pool)


def make_bytes(draft: Draft) -> Question | None:
    """How many bytes is a text in UTF-8?"""
    text = _own_text(draft, TEXTS[draft.level - 1])
    answer = Figure(What.BYTES, new=text)
    mistakes = [
        Mistake(
            Figure(What.CHARACTERS, new=text),
            M.CHARACTERS_FOR_BYTES,
            "That counts characters. Some of them take more than one byte.",
        ),
        Mistake(
            Figure(What.BYTES_UTF16, new=text),
            M.TWO_BYTES_EACH,
            "That is the length in UTF-16, where nearly every character takes two bytes.",
        ),
        Mistake(
            Figure(What.BYTES_UTF32, new=text),
            M.FOUR_BYTES_EACH,
            "That is four bytes for every character, as in UTF-32.",
        ),
    ]
    return asked(
        draft,
        Kind.NUMBER,
        Group.BYTES,
        f"How many bytes is {literal(text_label(text).plain)} in UTF-8?",
        [answer],
        mistakes,
        f"{_byte_sum(text)} = {{answer}}.",
        (_BYTE_HINT,),
        measure="bytes",
        to_choose=None if len(kept_options([answer], mistakes)) > 1 else False,
    )


_BYTE_HINT = (
    "ASCII takes one byte a character; accented Latin, Greek, Cyrillic, Hebrew and Arabic letters two; "
    "most other scripts and signs such as € and ☕ three; most emoji four."
)


def _byte_sum(text: str) -> str:
    """The bytes of each character, such as ``c 1 + a 1 + f 1 + é 2``."""
    if len(text) == 1:
        return "one character"
    parts = [f"{text_label(c).plain} {value(Figure(What.BYTES, new=c))}" for c in text]
    return literal(" + ".join(parts))


def make_most_tokens(draft: Draft) -> Question | None:
    """How many tokens can a text take at most, with a byte base?"""
    text = _own_text(draft, PHRASES[draft.level - 1])
    answer = Figure(What.MOST_TOKENS, new=text)
    mistakes = [
        Mistake(
            Figure(What.CHARACTERS, new=text),
            M.CHARACTERS_FOR_BYTES,
            "That counts characters. The base units are bytes, and some characters take several.",
        ),
        Mistake(
            Figure(What.WORDS, new=text),
            M.WORDS_FOR_TOKENS,
            "That counts words. A word without a merge falls apart into its bytes.",
        ),
        Mistake(
            Figure(What.NUMBER, number=1),
            M.UNKNOWN_TOKEN,
            "There is no unknown token: bytes can spell any text.",
        ),
        Mistake(
            Figure(What.BYTES_UTF32, new=text),
            M.FOUR_BYTES_EACH,
            "That is four bytes for every character; UTF-8 takes fewer here.",
        ),
    ]
    shown = literal(text_label(text).plain)
    return asked(
        draft,
        Kind.NUMBER,
        Group.BYTES,
        f"A byte-level tokenizer has never seen anything like {shown}. How many tokens can it take at most?",
        [answer],
        mistakes,
        f"As many as it has bytes: {_byte_sum(text)} = {{answer}}. Every merge would make it fewer.",
        ("What is left when no merge applies?", _BYTE_HINT),
        measure="tokens",
    )


def make_bits(draft: Draft) -> Question | None:
    """The cost in bits after k merges."""
    inputs, dice = draft.corpus(), draft.dice
    k = (dice.between(1, 3), dice.between(2, 5), dice.between(3, 7))[draft.level - 1]
    trainer = trained_to(inputs, k - 1)
    if trainer is None:
        return None
    figures = (
        ("l", Figure(What.CORPUS_LENGTH, inputs, k)),
        ("v", Figure(What.VOCABULARY_SIZE, inputs, k)),
        ("w", Figure(What.WIDTH, inputs, k)),
        ("data", Figure(What.DATA_BITS, inputs, k)),
        ("table", Figure(What.TABLE_BITS, inputs, k)),
        ("before", Figure(What.CORPUS_LENGTH, inputs, k - 1)),
        ("size_before", Figure(What.VOCABULARY_SIZE, inputs, k - 1)),
        ("replaced", Figure(What.MERGE_REPLACEMENTS, inputs, k)),
    )
    data, total = Figure(What.DATA_BITS, inputs, k), Figure(What.TWO_PART_BITS, inputs, k)
    eight = Mistake(
        Figure(What.BYTE_WIDTH_BITS, inputs, k), M.EIGHT_BITS_EACH, "{v} tokens need {w} bits each, not 8."
    )
    width = "An id takes as many bits as it needs to number the whole vocabulary."
    if draft.level == 1:
        answer = data
        prompt = (
            f"After {k} merge{'s' if k > 1 else ''} L = {{l}} and V = {{v}}. {width} "
            "How many bits does the corpus take, without the merges?"
        )
        mistakes = [
            eight,
            Mistake(
                total, M.TABLE_FORGOTTEN, "That includes the table of merges. Here only the corpus counts."
            ),
            Mistake(
                Figure(What.CORPUS_LENGTH, inputs, k),
                M.WIDTH_FIXED,
                "That is the number of tokens. Each of them takes {w} bits.",
            ),
        ]
        explanation = "{v} tokens need {w} bits each, so {l} × {w} = {answer} bits."
    else:
        answer = total
        if draft.level == 2:
            given = f"After {k} merges L = {{l}} and V = {{v}}."
        else:
            given = (
                f"Before merge {k}, L = {{before}} and V = {{size_before}}. It replaces {{replaced}} places."
            )
        prompt = (
            f"{given} {width} How many bits do the corpus and the table of all {k} merges take together, "
            "at two ids for each merge?"
        )
        mistakes = [
            Mistake(data, M.TABLE_FORGOTTEN, "That is the corpus alone; the table takes {table} bits more."),
            Mistake(
                Figure(What.ONE_ID_BITS, inputs, k),
                M.TABLE_HALVED,
                "A merge is two ids, left and right, so the table takes {table} bits.",
            ),
            Mistake(
                Figure(What.FIRST_WIDTH_BITS, inputs, k),
                M.WIDTH_FIXED,
                "That keeps the width of the start. With {v} tokens an id takes {w} bits.",
            ),
            eight,
        ]
        explanation = (
            f"w = {{w}}: corpus {{l}} × {{w}} = {{data}}, table 2 × {k} × {{w}} = {{table}}, "
            "together {answer}."
        )
    return asked(
        draft,
        Kind.NUMBER,
        Group.BITS,
        prompt,
        [answer],
        mistakes,
        explanation,
        ("How many bits number {v} tokens?",),
        inputs,
        k=k,
        figures=figures,
        measure="bits",
        corpus=False,
    )
