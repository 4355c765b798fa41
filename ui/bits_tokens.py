"""Three sections of the Compression page: how long tokens get, what they tell, whether pairs belong together.

Not here: the figures (`bits`), the sentences (`bits_words`), the charts' specifications (`curves`).
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

import streamlit as st

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.display import label, text_label
from bpe_core.training import Trainer

from . import bits, curves, figures
from . import bits_words as words
from . import lab as labs
from .downloads import download
from .links import Lab
from .menus import number
from .notes import note
from .presets import PRESETS
from .say import say

#: The fragments of the compression lesson, for its own text.
LESSON_FRAGMENTS = "abracadabra abra cad bra ac d"
#: As many fragments are counted at most.
FRAGMENTS_LIMIT = 40
#: As many lengths are listed in words; those that do not occur are left out.
LISTED = 12

_WHOLE = number(width=None)
_RATE = st.column_config.NumberColumn(format="%.5f")
_TOTAL = st.column_config.NumberColumn(format="%.3f")


def token_lengths(lab: Lab, trainer: Trainer) -> None:
    """Characters per token, tokens per word, tokens per fragment."""
    st.subheader("How long do the tokens get?", anchor=False)
    state = bits.at_k(lab)
    say(words.lengths(state, trainer), key="bits_lengths", live=False)
    if not trainer.corpus.words:
        return
    left, right = st.columns(2, gap="medium")
    with left:
        by_bytes = lab.unit is Unit.BYTE
        unit = "byte" if by_bytes else "character"
        found = state["bytes_per_token_distribution" if by_bytes else "characters_per_token_distribution"]
        spec = curves.BYTES if by_bytes else curves.CHARACTERS
        distribution(found, spec, f"{unit.capitalize()}s per token", "token", unit, "bits_token_lengths")
    with right:
        one = state["tokens_per_word_distribution"]
        if trainer.corpus.word_count == 1:
            st.markdown("**Tokens per word**")
            note(
                f"The corpus is one word of {figures.many(state['corpus_length'], 'token')}, since the "
                "text was not cut into words (or has only one)."
            )
        else:
            distribution(one, curves.TOKENS, "Tokens per word", "word", "token", "bits_word_lengths")
            bits.aside(f"On average {figures.average(state['tokens_per_word'])} tokens per word.")
    lengths = sorted({*found, *one} - {0})
    bits.table_behind(
        "how many have which length",
        ["length", f"tokens of so many {unit}s", "words of so many tokens"],
        [(n, found.get(n, 0), one.get(n, 0)) for n in lengths if found.get(n) or one.get(n)],
        around=0,
        key="bits_lengths_table",
        decimals="localized",
    )
    across = words.across_spaces(trainer)
    if across:
        say(across, key="bits_across", live=False)
    fragments(lab)


def distribution(
    found: dict[int, int], spec: dict[str, Any], title: str, what: str, unit: str, key: str
) -> None:
    """One chart of lengths, and the same numbers for those who do not see it."""
    rows = curves.length_rows(found, what, unit)
    st.markdown(f"**{title}**")
    pairs = [(row["value"], row["k"]) for row in rows.to_dict("records") if row["value"]]
    listed = ", ".join(
        f"{figures.many(count, what)} of {figures.many(length, unit)}"
        if not place
        else f"{count:,} of {length:,}"
        for place, (count, length) in enumerate(pairs[:LISTED])
    ) + (" …" if len(pairs) > LISTED else "")
    curves.draw(rows, spec, key=key, alt=f"{title}: {listed}.")
    kinds = sum(1 for count in found.values() if count)
    more = f"The {len(rows):,} shortest of {kinds:,} lengths are drawn." if kinds > len(rows) else ""
    bits.aside(f"{listed}.", more)


def fragments(lab: Lab) -> None:
    """Fragments that the learner names, each with its number of tokens."""
    lesson = lab.text == PRESETS["abracadabra"].text
    default = LESSON_FRAGMENTS if lesson else " ".join(pieces(labs.corpus_for(lab)))
    typed = st.text_input(
        "Fragments to count tokens of, with spaces between them",
        value=default,
        max_chars=400,
        key=f"bits_fragments_{crc32(default.encode('utf-8', 'replace'))}",  # other corpus, other fragments
        persist_state="session",
        live="300ms",
    )
    asked = list(dict.fromkeys((typed or "").split()))[:FRAGMENTS_LIMIT]
    if not asked:
        bits.aside("Type a word or a part of one to see how many tokens it takes at k.")
        return
    tokenizer = labs.tokenizer_for(lab)
    counts = {piece: len(tokenizer.encode(piece)) for piece in asked}
    bits.figure_table(
        ["fragment, cut by itself", "tokens"],
        [(piece_name(piece), piece_note(lab, piece), [f"{count:,}"]) for piece, count in counts.items()],
        "Tokens per fragment",
        one_line=True,
    )


def pieces(corpus: Corpus, limit: int = 8) -> list[str]:
    """Some different pieces of the corpus between white space, the first that are short enough to read."""
    found: dict[str, None] = {}
    for word in corpus.words[:200]:
        found.update(dict.fromkeys(piece for piece in word[:2000].split() if len(piece) <= 20))
        if len(found) >= limit:
            break
    return list(found)[:limit]


def piece_name(piece: str) -> str:
    """A fragment as it is written in the table."""
    return text_label(piece, 40).plain


def piece_note(lab: Lab, piece: str) -> str:
    """How a fragment splits, or that it holds characters the corpus never showed."""
    tokens = labs.tokenizer_for(lab).tokenize(piece[:200])
    split = " | ".join(label(token, 24).plain for token in tokens[:24])
    unseen = sum(1 for token in tokens if not token.known)
    more = " …" if len(tokens) > 24 else ""
    return split + more + (f" ({figures.many(unseen, 'unit')} never seen in the corpus)" if unseen else "")


def entropies(lab: Lab, trainer: Trainer) -> None:
    """Entropy per token rises while entropy per character falls."""
    st.subheader("How much does a token tell, and how much a character?", anchor=False)
    run = bits.by_k(lab)
    say(words.entropy(bits.at_k(lab), bits.by_character(lab)), key="bits_entropy", live=False)
    if not trainer.corpus.words:
        return
    if trainer.steps:
        token, character = run["token_entropy_by_k"], run["bits_per_character_by_k"]
        per_token = curves.curve(token, "bits per token", keep=[lab.k], per_symbol=True)
        per_character = curves.curve(character, "bits per character", keep=[lab.k], per_symbol=True)
        curves.draw(
            curves.now(lab.k, "bits per token") + per_token + per_character,
            curves.ENTROPIES,
            key="bits_entropies",
            alt=f"Order-0 entropy against k. Per token {figures.rate(token[0])} bits at k = 0 and "
            f"{figures.rate(token[-1])} at the last k; per character {figures.rate(character[0])} and "
            f"{figures.rate(character[-1])}.",
        )
        bits.table_behind(
            f"both entropies for k = 0 to {len(trainer.steps):,}",
            ["k", "bits per token", "bits per character"],
            list(zip(range(len(token)), token, character, strict=True)),
            around=lab.k,
            key="bits_entropy_table",
            decimals="%.5f",
        )
    bits.aside(
        "Bits per token do not compare between vocabularies: each counts per piece of its own size. Bits "
        "per character do, since all of them spread their total over the same characters: tokens × bits "
        "per token = characters × bits per character. A language model's loss per token is turned into one "
        "per character in just this way. The table of merges is not counted here."
    )


def worth(lab: Lab, trainer: Trainer) -> None:
    """PMI of each merge against what it saved."""
    st.subheader("Do the merged pairs belong together?", anchor=False)
    say(
        [
            "PMI, pointwise mutual information, is how many bits knowing one token of the pair saves about "
            "the other: log2 of how often they meet over how often chance would have them meet. 0 bits means "
            "no more than chance. Byte-pair encoding does not look at it; it takes the highest count."
        ],
        key="bits_worth_why",
        live=False,
    )
    if not trainer.steps:
        note("There is no merge to measure, so PMI is not defined here.", "empty")
        return
    run = bits.by_k(lab)
    number = max(1, lab.k)
    say(words.worth(trainer, run, number), key="bits_worth", live=False)
    expected, saved = run["count_times_pmi"], run["fixed_width_saving"]
    curves.draw(
        curves.worth_rows(expected, saved),
        curves.WORTH,
        key="bits_worths",
        alt=f"For each of {len(saved):,} merges two points in bits: count times PMI, at first "
        f"{figures.bits(expected[0])}, and what the merge saved at fixed width, at first "
        f"{figures.bits(saved[0])}.",
    )
    with st.expander(f"Table: PMI and saving of {figures.many(len(trainer.steps), 'merge')}"):
        frame = bits.merge_frame(trainer, run, lab.k)
        st.dataframe(
            frame,
            key="bits_merges",
            hide_index=True,
            column_config={
                "merge": _WHOLE,
                "count": _WHOLE,
                "PMI, bits": _RATE,
                "count × PMI, bits": _TOTAL,
                "saved, bits": _WHOLE,
            },
        )
        if len(frame) < len(trainer.steps):
            bits.aside(f"{bits.ROWS} merges around merge {lab.k:,}; the download has them all.")
        download(
            "PMI and saving (CSV)", "bpe-pmi.csv", lambda: bits.merge_csv(trainer, run), key="bits_pmi_csv"
        )
