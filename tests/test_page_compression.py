"""The Compression page: every figure of the compression lesson, other corpora, and what has no figures.

Clicks in charts and trees, Stop, and themes need a browser: tests/browser/test_compression.py.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.alphabet import Unit
from bpe_core.corpus import Corpus
from bpe_core.encoding import Tokenizer
from bpe_core.measures import CostModel, run_figures
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Choice, Trainer
from tests.apptest import components, moved, says
from ui import curves, experiment
from ui import lab as labs
from ui.bits import cost_csv, cost_rows, merge_csv
from ui.doubling import doubled
from ui.tree import DEPTH, NODES, in_words, outline, summary, units

ROOT = Path(__file__).resolve().parent.parent
LESSON = labs.lab_of(labs.PRESETS["abracadabra"])
REVIEW = labs.default_lab()


def opened(lab: labs.Lab) -> AppTest:
    """The page with this lab."""
    app = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=120)
    app.session_state["lab"] = lab
    app.session_state["lab_notices"] = []
    app.switch_page("../pages/compression.py").run()
    assert not app.exception
    return app


def plain(app: AppTest) -> str:
    """The text of all our HTML on the page."""
    return "\n".join(re.sub(r"<[^>]*>", "|", block.value) for block in app.html)


def figures(app: AppTest, caption: str) -> dict[str, list[str]]:
    """A small table by the name of the row (and what explains it), without its head."""
    html = next(block.value for block in app.html if f"<caption>{caption}" in block.value)
    rows: dict[str, list[str]] = {}
    for row in re.findall(r"<tr>(.*?)</tr>", html)[1:]:
        cells = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        rows[cells[0]] = cells[1:]
    return rows


def table(app: AppTest, *columns: str) -> pd.DataFrame:
    """The table that has these columns."""
    return next(d.value for d in app.dataframe if set(columns) <= set(d.value.columns))


def charts(app: AppTest) -> dict[str, pd.DataFrame]:
    """The rows of every chart on the page by its y axis or legend, the first words of its description."""
    found = {}
    for chart in app.get("vega_lite_chart"):
        rows = pa.ipc.open_stream(io.BytesIO(chart.proto.data.data)).read_pandas()
        found[chart.proto.alt] = rows
    return found


def chart(app: AppTest, start: str) -> pd.DataFrame:
    """The rows of the chart whose description starts so."""
    return next(rows for alt, rows in charts(app).items() if alt.startswith(start))


def press(app: AppTest, label: str) -> AppTest:
    """Press the button with this label."""
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


# --- the lesson, figure by figure --------------------------------------------------------------

FINAL = [105, 93, 81, 92, 88, 84, 80, 76, 76, 80, 84]
IN_FORCE = [105, 93, 81, 88, 84, 80, 76, 72, 72, 76, 80]
LENGTHS = [35, 29, 23, 17, 14, 11, 8, 5, 3, 2, 1]


@pytest.fixture(scope="module")
def lesson() -> AppTest:
    """The three-word text after 5 merges, opened by the button on the page."""
    return press(opened(REVIEW), "Open the three-word text")


def test_the_button_opens_the_lesson_with_its_settings(lesson: AppTest) -> None:
    lab = lesson.session_state["lab"]
    assert lab == replace(LESSON, k=5)
    assert lab.pre_tokenizer is PreTokenizer.NONE
    assert "After 5 merges: L = 11 tokens in the corpus, |V| = 11 in the vocabulary, so 4 bits" in says(
        lesson
    )
    strip = next(d for d in components(lesson) if d.get("label") == "The corpus as tokens")
    kinds = ["".join(text for text, _ in kind["label"]) for kind in strip["kinds"]]
    drawn = [kinds[i] for i in strip["words"][0]["t"]]
    assert "".join(drawn) == "abracadabra␣abracadabra␣abracadabra"
    assert len(drawn) == 11


def test_codes_for_single_characters(lesson: AppTest) -> None:
    assert "The text has 35 characters of 6 kinds." in says(lesson)
    rows = figures(lesson, "The corpus under each code, in bits")
    by_name = {
        re.split("8 bits|a number|the entropy|whole bits|the tokens", name)[0]: v for name, v in rows.items()
    }
    assert by_name["ASCII"] == ["8", "280"]
    assert by_name["Fixed width"] == ["3", "105"]
    assert by_name["Order-0 bound"] == ["2.23978", "78.392"]
    assert by_name["Huffman"] == ["2.28571", "80"]
    best = [row for name, row in rows.items() if name.startswith("BPE at its cheapest, k* = 7")]
    assert [row[1] for row in best] == ["76", "72"]


def test_the_huffman_code_table(lesson: AppTest) -> None:
    codes = table(lesson, "character", "code").set_index("character")
    assert dict(codes["count"]) == {"a": 15, "b": 6, "r": 6, "c": 3, "d": 3, "␣": 2}
    assert sorted(codes["bits each"]) == [1, 3, 3, 3, 4, 4]
    assert codes["bits in all"].sum() == 80
    assert [len(code) for code in codes["code"]] == list(codes["bits each"])
    spelled = list(codes["code"])
    assert not any(a != b and b.startswith(a) for a in spelled for b in spelled)


def test_bits_for_every_k_under_both_cost_models(lesson: AppTest) -> None:
    rows = table(lesson, "k", "text bits")
    assert list(rows["k"]) == list(range(11))
    assert list(rows["L"]) == LENGTHS
    assert list(rows["V"]) == list(range(6, 17))
    assert list(rows["total bits, final width"]) == FINAL
    assert list(rows["total bits, width in force"]) == IN_FORCE
    assert list(rows["text bits"]) == [
        length * (3 if v <= 8 else 4) for length, v in zip(LENGTHS, range(6, 17), strict=True)
    ]
    assert list(rows["table bits, final width"] + rows["text bits"]) == FINAL
    # two symbols a row: 3 bits for the first two merges (V 7 and 8), 4 bits from then on
    assert list(rows["table bits, width in force"]) == [0, 6, 12, 20, 28, 36, 44, 52, 60, 68, 76]


def test_the_curves_hold_the_same_numbers_and_mark_the_cheapest(lesson: AppTest) -> None:
    rows = chart(lesson, "Bits in all against k under two cost models")
    for name, costs in (("final width", FINAL), ("width in force", IN_FORCE)):
        series = rows[(rows["series"] == name) & (rows["role"] != "now")]
        assert dict(zip(series["k"], series["value"], strict=True)) == dict(enumerate(costs))
        assert list(series[series["role"] == "best"]["k"]) == [7]
    assert set(rows[rows["series"] == curves.BOUND]["value"].round(3)) == {78.392}
    assert list(rows[rows["role"] == "now"]["k"]) == [5]
    parts = chart(lesson, "Bars of bits for k = 0 to 10")
    assert list(parts.groupby("k")["value"].sum()) == FINAL
    assert set(parts[parts["now"] == "yes"]["k"]) == {5}


def test_the_cheapest_k_and_why_it_may_lie_under_the_bound(lesson: AppTest) -> None:
    assert "k* = 7 with 76 bits (final width); k* = 7 with 72 bits (width in force)." in says(lesson)
    assert "the text 11 · 4 = 44 bits, the table 2 · 5 · 4 = 40 bits, together 84 bits." in says(lesson)
    assert (
        "The minimum of 76 bits lies under the order-0 bound of 78.392 bits. That is no contradiction"
        in plain(lesson)
    )
    assert "entropy rate" in plain(lesson)
    assert "Every k from 0 to 10 is covered" in plain(lesson)


def test_the_other_cost_model_changes_the_sentences_and_bars() -> None:
    app = opened(replace(LESSON, k=5))
    control = next(c for c in app.get("button_group") if c.label == "Charge each row of the table at")
    control.set_value(CostModel.WIDTH_IN_FORCE).run()
    assert not app.exception
    assert "44 bits, the table 5 rows of 2 tokens = 36 bits, together 80 bits." in says(app)
    assert list(chart(app, "Bars of bits for k").groupby("k")["value"].sum()) == IN_FORCE
    assert "The minimum of 72 bits" in plain(app)


def test_lengths_of_tokens_and_fragments(lesson: AppTest) -> None:
    assert "compression ratio 35 / 11 = 3.1818, or the other way round 0.3143." in says(lesson)
    rows = chart(lesson, "Characters per token")
    assert dict(zip(rows["k"], rows["value"], strict=True)) == {1: 2, 2: 0, 3: 3, 4: 6}
    assert "2 tokens of 1 character, 3 of 3, 6 of 4." in plain(lesson)
    found = figures(lesson, "Tokens per fragment")
    names = ["abracadabra", "abra", "cad", "bra", "ac", "d"]
    splits = ["abra | cad | abra", "abra", "cad", "b | ra", "a | c", "d"]
    assert found == {n + s: [str(c)] for n, s, c in zip(names, splits, [3, 1, 1, 2, 2, 1], strict=True)}


def test_merges_across_spaces_are_named(lesson: AppTest) -> None:
    assert "Merges 8, 9, 10 fuse text across white space (the first joins abracadabra and ␣)" in says(lesson)


def test_every_chart_has_its_table(lesson: AppTest) -> None:
    lengths = table(lesson, "length")
    assert lengths.values.tolist() == [[1, 2, 0], [3, 3, 0], [4, 6, 0], [11, 0, 1]]
    entropies = table(lesson, "bits per token", "bits per character")
    assert entropies.loc[5].round(5).tolist() == [5, 1.43537, 0.45112]
    others = table(lesson, "most frequent pair", "the least frequent pair")
    assert others["most frequent pair"].tolist() == [105, 93, 81, 92, 88, 84, 80, 76, 76, 80, 84]
    assert others["the least frequent pair"][0] == 105


def test_entropy_per_token_and_per_character(lesson: AppTest) -> None:
    assert (
        "1.43537 bits per token × 11 tokens = 15.789 bits in all, which is 0.45112 bits per character. "
        "Single characters had 2.23978 bits per character."
    ) in says(lesson)
    rows = chart(lesson, "Order-0 entropy against k")
    rows = rows[rows["role"] == "curve"].set_index(["series", "k"])["value"]
    assert rows["bits per token", 5] == pytest.approx(1.43537, abs=5e-6)
    assert rows["bits per character", 5] == pytest.approx(0.45112, abs=5e-6)
    assert rows["bits per token", 0] == rows["bits per character", 0] == pytest.approx(2.23978, abs=5e-6)


def test_pmi_of_the_merges_against_what_they_saved() -> None:
    app = opened(replace(LESSON, k=1))
    assert "Merge 1: r + a, PMI 1.26421 bits; × count 6 = 7.585 bits." in says(app)
    assert "Saved at fixed width: (6 − 2) · 3 = 12 bits" in says(app)
    rows = table(app, "PMI, bits")
    assert list(rows["PMI, bits"][:2].round(5)) == [1.26421, 1.73868]
    assert list(rows["count × PMI, bits"][:2].round(3)) == [7.585, 10.432]
    assert list(rows["saved, bits"]) == [12, 12, 12, 4, 4, 4, 4, 0, -4, -4]
    moved(app, 2)
    assert "Merge 2: a + b, PMI 1.73868 bits; × count 6 = 10.432 bits." in says(app)
    moved(app, 3)
    assert "Saved at fixed width: (6 − 2) · 3 = 12 bits" in says(app)  # the width before it: |V| = 8


def test_the_doubled_text_and_back() -> None:
    app = press(opened(replace(LESSON, k=5)), "Double the text")
    lab = app.session_state["lab"]
    assert lab.text == "abracadabra " * 5 + "abracadabra"
    assert (lab.k, lab.preset) == (5, None)
    rows = table(app, "k", "text bits")
    assert list(rows["L"]) == [71, 59, 47, 35, 29, 23, 17, 11, 6, 4, 3, 2, 1]
    doubled_totals = [213, 183, 153, 164, 148, 132, 116, 100, 88, 88, 92, 120, 125]
    assert list(rows["total bits, final width"]) == doubled_totals
    assert "k* = 8 with 88 bits (final width)" in says(app)
    assert "from 76 bits at k* = 7 to 88 bits at k* = 8 (final width)" in plain(app)
    app = press(app, "Double the text")
    assert len(app.session_state["lab"].text) == 143
    app = press(press(app, "Undo doubling"), "Undo doubling")
    assert app.session_state["lab"] == replace(LESSON, k=5)
    assert "Undo doubling" not in [button.label for button in app.button]


def test_the_least_frequent_pair_instead(lesson: AppTest) -> None:
    rows = chart(lesson, "Bits in all against k, final width")
    series = rows.set_index(["series", "k"])["value"]
    assert [series[curves.REAL, k] for k in range(11)] == FINAL
    # the rarest pairs occur twice: 2 tokens less, one row of 2 more
    assert [series[curves.LEAST, k] for k in range(4)] == [105, 105, 105, 140]
    assert "cheapest 105 bits at k = 0, against 76 bits at k* = 7 for the most frequent pair." in says(lesson)


def test_a_random_pair_follows_its_seed() -> None:
    app = opened(replace(LESSON, k=5))
    control = next(c for c in app.get("button_group") if c.label == "Merge each time")
    control.set_value(Choice.RANDOM).run()

    def curve() -> list[float]:
        rows = chart(app, "Bits in all against k, final width")
        return list(rows[rows["series"] == curves.RANDOM]["value"])

    def expected(seed: int) -> list[int]:
        corpus = Corpus.from_text(LESSON.text or "", PreTokenizer.NONE)
        trainer = Trainer(corpus, Unit.CHAR, LESSON.ties, 1, Choice.RANDOM, seed)
        trainer.train_to(10)
        costs = []
        for k in range(len(trainer.steps) + 1):
            width = (trainer.vocabulary_size(k) - 1).bit_length()
            costs.append((trainer.corpus_length(k) + 2 * k) * width)
        return costs

    assert curve() == expected(1)
    app.number_input(key="experiment_seed").set_value(7).run()
    assert not app.exception
    assert curve() == expected(7) != expected(1)


# --- the merge tree ----------------------------------------------------------------------------


def tree_data(app: AppTest) -> list[tuple[str, str, int]]:
    """The nodes of the drawn tree: label, what made it, depth."""
    data = next(d for d in components(app) if "nodes" in d)
    return [("".join(t for t, _ in n["parts"]), n["made"], n["depth"]) for n in data["nodes"]]


def test_the_tree_of_any_merge() -> None:
    app = opened(replace(LESSON, k=5))
    assert tree_data(app)[0] == ("cad", "merge 5", 0)  # the newest token unless another is picked
    app.number_input(key="bits_tree_number").set_value(3).run()
    assert tree_data(app) == [
        ("abra", "merge 3", 0),
        ("ab", "merge 2", 1),
        ("a", "", 2),
        ("b", "", 2),
        ("ra", "merge 1", 1),
        ("r", "", 2),
        ("a", "", 2),
    ]
    assert app.code[0].value == (
        "abra: merge 3\n    ab: merge 2\n        a\n        b\n    ra: merge 1\n        r\n        a"
    )
    assert "4 units, 3 joints, 2 deep; made by merge 3." in plain(app)
    app.number_input(key="bits_tree_number").set_value(10).run()
    assert tree_data(app)[0][1] == "merge 10"


def chain(length: int) -> Tokenizer:
    """A tokenizer whose last token is one long chain: ab, abc, abcd, …"""
    text = "".join(map(chr, range(0x4E00, 0x4E00 + length)))
    trainer = Trainer(Corpus.from_text(text, PreTokenizer.NONE))
    trainer.train_to(None)
    return trainer.tokenizer()


def test_deep_chains_and_huge_tokens_are_bounded() -> None:
    tokenizer = chain(3000)
    root = tokenizer.tree(max(tokenizer.ids()))
    drawn = outline(root)
    assert units(root.token) == 3000
    assert len(drawn) == 2 * DEPTH + 1
    assert sum(node.hidden for node in drawn) == 1
    assert max(node.depth for node in drawn) == DEPTH
    assert "2,999 deep" in summary(root)
    assert f"Drawn are {2 * DEPTH + 1} of its 5,999 nodes." in summary(root)
    assert "not opened here" in in_words(root)
    doubling = Trainer(Corpus.from_text("a" * 4096, PreTokenizer.NONE))
    doubling.train_to(None)
    wide = doubling.tokenizer().tree(doubling.steps[-1].token)
    assert len(outline(wide)) == NODES
    assert [node.above for node in outline(wide)][:2] == [None, 0]


def test_a_tree_that_fits_is_drawn_whole() -> None:
    root = chain(5).tree(max(chain(5).ids()))
    assert len(outline(root)) == 9
    assert not any(node.hidden for node in outline(root))
    assert "Drawn" not in summary(root)
    assert summary(chain(5).tree(0)).startswith("A base unit")


# --- other corpora, and what has no figures -----------------------------------------------------


@pytest.mark.parametrize("preset", list(labs.PRESETS))
@pytest.mark.parametrize("k", [0, 999])
def test_every_preset_at_any_k(preset: str, k: int) -> None:
    app = opened(replace(labs.lab_of(labs.PRESETS[preset]), k=k))
    assert "nan" not in (says(app) + plain(app)).lower().split()
    for rows in charts(app).values():
        assert len(rows)
        assert not rows.isna().any().any()


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_without_words_figures_are_not_defined_in_words(text: str) -> None:
    app = opened(replace(REVIEW, preset=None, text=text))
    assert "The corpus holds no words, so its figures are not defined yet." in plain(app)
    rows = figures(app, "The corpus under each code, in bits")
    assert all(row == ["not defined", "not defined"] for row in rows.values())
    assert charts(app) == {}
    assert "not defined" in says(app)
    assert "nan" not in (says(app) + plain(app)).lower().split()


def test_dropped_characters_are_reported() -> None:
    dropped = Corpus.from_text("   ", PreTokenizer.ARTICLE).dropped
    assert dropped is not None
    assert dropped.sentence in plain(opened(replace(REVIEW, text="   ")))


def test_one_character() -> None:
    app = opened(replace(LESSON, preset=None, text="a"))
    rows = list(figures(app, "The corpus under each code, in bits").values())
    assert rows[:4] == [["8", "8"], ["0", "0"], ["0", "0"], ["0", "0"]]
    assert "k* = 0 with 0 bits" in says(app)
    assert "k = 0 is the only number of merges" in plain(app)
    assert "needs no bits at all" in plain(app)
    # no curve without a merge; the one token has a length all the same
    assert [alt.split(":")[0] for alt in charts(app)] == ["Characters per token"]


def test_one_symbol() -> None:
    app = opened(replace(LESSON, preset=None, text="aaaaaaaa", k=1))
    rows = table(app, "k", "text bits")
    # L 8 4 2 1, V 1 2 3 4, w 0 1 2 2: L·w + 2k·w
    assert list(rows["total bits, final width"]) == [0, 6, 12, 14]
    assert "With one symbol there is nothing to tell apart" in plain(app)
    assert table(app, "character", "code")["code"][0] == "(none needed)"
    assert "log" not in json.dumps([c.proto.spec for c in app.get("vega_lite_chart")]).split('"')


def test_characters_that_ascii_lacks_and_bytes() -> None:
    app = opened(replace(REVIEW, k=4, unit=Unit.BYTE))
    rows = figures(app, "The corpus under each code, in bits")
    assert rows["ASCIIknows 128 characters; é is none of them"] == ["not defined", "not defined"]
    assert rows["UTF-88 to 32 bits a character"] == ["8.48000", "424"]  # 53 bytes for 50 characters
    assert any(alt.startswith("Bytes per token") for alt in charts(app))
    # the merge that rediscovers é is its own tree of two bytes
    assert tree_data(app) == [("é", "merge 4", 0), ("C3", "", 1), ("A9", "", 1)]


def test_words_with_counts_are_doubled_by_their_counts() -> None:
    twice = doubled(labs.lab_of(labs.PRESETS["hop"])).lab
    assert twice is not None
    assert twice.word_counts == (("hop", 10), ("hops", 4), ("shop", 6), ("shops", 2))
    assert doubled(replace(REVIEW, text="a\n")).lab.text == "a\na\n"  # type: ignore[union-attr]
    assert doubled(replace(REVIEW, text="")).reason == "There is no text to double."
    too_long = doubled(replace(REVIEW, text="é" * 500_001))
    assert (too_long.lab, too_long.reason) == (None, "Twice this text would be more than 2,000,000 bytes.")


def test_text_that_looks_like_markup_stays_text() -> None:
    app = opened(replace(LESSON, preset=None, text="<b>$x$</b> <b>$x$</b> *a* *a*", k=4))
    assert not any("<b>$" in block.value for block in app.html)
    assert not any("$" in block.value for block in [*app.markdown, *app.caption, *app.subheader])


# --- large corpora -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large() -> labs.Lab:
    """About 200 kB of different words, too many to train to the end at once."""
    words = (f"w{i * 7919 % 9973:04d}{chr(97 + i % 26) * (i % 5)}" for i in range(25_000))
    return replace(REVIEW, preset=None, text=" ".join(words))


def test_a_large_corpus_says_what_the_curve_covers_and_learns_more(large: labs.Lab) -> None:
    app = opened(large)
    assert "Covered is k = 0 to 200, the merges learned so far; this corpus has more." in plain(app)
    assert "among the 200 merges learned so far" in says(app)
    app = press(app, "Learn 500 more merges")
    assert "Covered is k = 0 to 700" in plain(app)
    assert len(table(app, "k", "text bits")) == 300
    assert "300 rows around k = 0" in plain(app)


def test_a_large_corpus_runs_the_experiment_only_when_asked(
    large: labs.Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiment, "QUICK", 10_000)
    app = opened(large)
    assert "it runs when you ask for it" in plain(app)
    app = press(app, "Run 200 merges")
    rows = chart(app, "Bits in all against k, final width")
    assert max(rows[rows["series"] == curves.LEAST]["k"]) == 200
    assert "Run 200 merges" not in [button.label for button in app.button]


def test_long_curves_are_sampled_but_keep_what_is_marked() -> None:
    rows = curves.curve(list(range(5000, 0, -1)), "final width", best=4321, keep=[17])
    assert len(rows) < 420
    assert {0, 17, 4321, 4999} <= {row["k"] for row in rows}
    assert [row["k"] for row in rows if row["role"] == "best"] == [4321]


# --- downloads ---------------------------------------------------------------------------------


def test_downloads_hold_every_row(lesson: AppTest) -> None:
    trainer = Trainer(Corpus.from_text(LESSON.text or "", PreTokenizer.NONE), ties=LESSON.ties)
    trainer.train_to(None)
    run = run_figures(trainer)
    bits = pd.read_csv(io.StringIO(cost_csv(run)))
    assert list(bits["total bits, final width"]) == FINAL
    assert [tuple(row)[:9] for row in bits.itertuples(index=False)] == list(cost_rows(run))
    merges = pd.read_csv(io.StringIO(merge_csv(trainer, run)))
    assert list(merges["left"][:3] + "+" + merges["right"][:3]) == ["r+a", "a+b", "ab+ra"]
    labels = {button.proto.label for button in lesson.get("download_button")}
    assert {"Bits for every k (CSV)", "PMI and saving (CSV)"} <= labels
