"""One short sentence in many languages, and what each costs in a tokenizer. The translations are ours.

    rows = figures(tokenizer)        tokens, words, bytes of every sentence
    frame(rows), chart_rows(rows, Measure.TOKENS, chosen=0), csv(rows)

The sentence says the same everywhere as nearly as the languages allow: the café's baker, baking, good bread.
Words are what stands between spaces; Chinese, Japanese and Thai do not write them, so there no number of
words is given. Not here: the tokenizer (``bpe_core.o200k``), drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape

import altair as alt
import pandas as pd
import streamlit as st

from bpe_core.encoding import Tokenizer
from bpe_core.measures import ratio

from .charts import ACCENT, LABEL, QUIET, finished
from .figures import average
from .say import Part, strong
from .tables import to_csv

NO_WORDS = "not defined by spaces"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A translation: its language by name and by code, and whether spaces stand between its words."""

    language: str
    code: str
    text: str
    spaced: bool = True


SENTENCES: tuple[Sentence, ...] = (
    Sentence("English", "en", "The baker in the café bakes good bread"),
    Sentence("Hebrew", "he", "האופה בבית הקפה אופה לחם טוב"),
    Sentence("Arabic", "ar", "الخباز في المقهى يخبز خبزًا جيدًا"),
    Sentence("Spanish", "es", "El panadero del café hornea buen pan"),
    Sentence("French", "fr", "Le boulanger du café fait du bon pain"),
    Sentence("German", "de", "Der Bäcker im Café backt gutes Brot"),
    Sentence("Polish", "pl", "Piekarz w kawiarni piecze dobry chleb"),
    Sentence("Russian", "ru", "Пекарь в кафе печёт хороший хлеб"),
    Sentence("Greek", "el", "Ο φούρναρης στο καφέ ψήνει καλό ψωμί"),
    Sentence("Turkish", "tr", "Kafedeki fırıncı iyi ekmek pişirir"),
    Sentence("Finnish", "fi", "Kahvilan leipuri leipoo hyvää leipää"),
    Sentence("Swahili", "sw", "Mwokaji wa mkahawa huoka mkate mzuri"),
    Sentence("Georgian", "ka", "კაფეს მცხობელი კარგ პურს აცხობს"),
    Sentence("Hindi", "hi", "कैफ़े का नानबाई अच्छी रोटी पकाता है"),
    Sentence("Korean", "ko", "카페의 제빵사는 좋은 빵을 굽는다"),
    Sentence("Chinese", "zh", "咖啡馆里的面包师烤出好面包", spaced=False),
    Sentence("Japanese", "ja", "カフェのパン職人は良いパンを焼く", spaced=False),
    Sentence("Thai", "th", "คนทำขนมปังในร้านกาแฟอบขนมปังที่ดี", spaced=False),
)


class Measure(Enum):
    """What the chart shows; the value is the axis title."""

    TOKENS = "tokens for the sentence"
    PER_WORD = "tokens per word"
    BYTES = "UTF-8 bytes per token"


@dataclass(frozen=True, slots=True)
class LanguageFigures:
    """One sentence under a tokenizer. ``words`` is None where spaces do not tell words apart;
    ``partial`` counts tokens that are not whole characters by themselves."""

    sentence: Sentence
    words: int | None
    characters: int
    utf8_bytes: int
    tokens: int
    partial: int

    def value(self, measure: Measure) -> float | None:
        """The figure of a measure, None where it is not defined."""
        if measure is Measure.TOKENS:
            return self.tokens
        if measure is Measure.PER_WORD:
            return None if self.words is None else ratio(self.tokens, self.words)
        return ratio(self.utf8_bytes, self.tokens)

    def written(self, measure: Measure) -> str:
        """The figure as it stands on the page."""
        value = self.value(measure)
        if value is None:
            return NO_WORDS
        return f"{value:,}" if isinstance(value, int) else average(value)


def figures(tokenizer: Tokenizer) -> list[LanguageFigures]:
    """What every sentence costs, in the order of ``SENTENCES``."""
    rows = []
    for sentence in SENTENCES:
        tokens = tokenizer.tokenize(sentence.text)
        rows.append(
            LanguageFigures(
                sentence,
                len(sentence.text.split()) if sentence.spaced else None,
                len(sentence.text),
                len(sentence.text.encode("utf-8")),
                len(tokens),
                sum(token.text is None for token in tokens),
            )
        )
    return rows


# --- in words -----------------------------------------------------------------------------------


def told(rows: Sequence[LanguageFigures]) -> list[Part]:
    """What the comparison shows, with its own figures."""
    first, second = rows[0], rows[1]
    most = max(rows, key=lambda row: row.tokens)
    partial = sum(row.partial > 0 for row in rows)
    assert first.words is not None and second.words is not None
    return [
        f"The same short sentence in {len(rows)} languages, in translations of ours. In English its "
        f"{first.words} words are ",
        strong(f"{first.tokens} tokens"),
        f"; the {second.words} words of {second.sentence.language} are ",
        strong(f"{second.tokens}"),
        f", and {most.sentence.language} takes ",
        strong(f"{most.tokens}"),
        ". Merges go to what is frequent, so a vocabulary trained on more English than anything else gives "
        f"English the longer tokens. In {partial} of these languages some tokens hold only part of a "
        "character.",
    ]


def row_parts(row: LanguageFigures) -> list[Part]:
    """One language's figures in a line."""
    words = (
        "spaces do not tell its words apart"
        if row.words is None
        else f"{row.written(Measure.PER_WORD)} tokens per word ({row.words} words)"
    )
    partial = f" Holding only part of a character: {row.partial}." if row.partial else ""
    return [
        strong(f"{row.tokens} tokens"),
        f"; {words}; {row.written(Measure.BYTES)} bytes per token ({row.characters} characters, "
        f"{row.utf8_bytes} bytes).{partial}",
    ]


def sentence_line(sentence: Sentence) -> None:
    """The sentence itself, marked with its language so that it is drawn and read aloud as such."""
    st.html(f'<p lang="{sentence.code}" dir="auto" class="bpe-sentence">{escape(sentence.text)}</p>')


# --- as a chart and as tables -------------------------------------------------------------------


def chart_rows(rows: Sequence[LanguageFigures], measure: Measure, chosen: int) -> pd.DataFrame:
    """Rows for ``SPECS[measure]``; the chosen language is marked."""
    return pd.DataFrame(
        {
            "k": range(len(rows)),
            "language": [row.sentence.language for row in rows],
            "value": [row.value(measure) or 0 for row in rows],
            "written": [row.written(measure) for row in rows],
            "when": ["chosen" if place == chosen else "other" for place in range(len(rows))],
        }
    )


def _spec(measure: Measure) -> dict[str, object]:
    """Bars from left to right, one a language, each with its figure written at its end."""
    example = {"k": [0], "language": ["English"], "value": [1.0], "written": ["1"], "when": ["chosen"]}
    language = alt.Y(
        "language:N", sort=None, axis=alt.Axis(title=None, ticks=False, domain=False, labelPadding=6)
    )
    base = alt.Chart(pd.DataFrame(example)).encode(y=language)
    pick = alt.selection_point(name="pick", fields=["k"], on="click", empty=True)
    bars = (
        base.mark_bar(cursor="pointer", height={"band": 0.72})
        .encode(
            x=alt.X(
                "value:Q",
                axis=alt.Axis(title=measure.value, tickMinStep=1, tickCount=6, orient="bottom"),
                scale=alt.Scale(zero=True, nice=True, padding=8),
            ),
            color=alt.Color(
                "when:N", scale=alt.Scale(domain=["chosen", "other"], range=[ACCENT, QUIET]), legend=None
            ),
            tooltip=[
                alt.Tooltip("language:N", title="language"),
                alt.Tooltip("written:N", title=measure.value),
            ],
        )
        .add_params(pick)
    )
    names = base.mark_text(align="left", dx=5, fontSize=12, color=LABEL).encode(x="value:Q", text="written:N")
    return finished((bars + names).properties(height={"step": 23}))


#: The charts, authored once.
SPECS: dict[Measure, dict[str, object]] = {measure: _spec(measure) for measure in Measure}

_HEAD = [
    "language",
    "sentence",
    "tokens",
    "words",
    "tokens per word",
    "bytes",
    "bytes per token",
    "characters",
]


def frame(rows: Sequence[LanguageFigures]) -> pd.DataFrame:
    """The table behind the chart."""
    cells = [
        (
            row.sentence.language,
            row.sentence.text,
            row.tokens,
            NO_WORDS if row.words is None else str(row.words),
            row.written(Measure.PER_WORD),
            row.utf8_bytes,
            row.written(Measure.BYTES),
            row.characters,
        )
        for row in rows
    ]
    return pd.DataFrame(cells, columns=_HEAD)


def csv(rows: Sequence[LanguageFigures]) -> str:
    """The same as CSV, ratios with four decimals; an empty cell where a figure is not defined."""

    def cell(value: float | None) -> object:
        return "" if value is None else value if isinstance(value, int) else round(value, 4)

    return to_csv(
        [*_HEAD, "tokens holding part of a character"],
        [
            [
                row.sentence.language,
                row.sentence.text,
                row.tokens,
                cell(row.words),
                cell(row.value(Measure.PER_WORD)),
                row.utf8_bytes,
                cell(row.value(Measure.BYTES)),
                row.characters,
                row.partial,
            ]
            for row in rows
        ],
    )
