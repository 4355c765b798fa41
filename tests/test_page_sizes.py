"""The Sizes page: every equation and table against the lessons' figures or worked out by hand.

Typing in the small text, keyboard and themes need a browser: tests/browser/test_sizes.py.
"""

from __future__ import annotations

from functools import partial

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.pretokenize import PreTokenizer
from tests import apptest
from tests.apptest import moved, notes, says, strip
from ui.links import Lab

opened = partial(apptest.opened, "sizes")


def table(app: AppTest, *columns: str) -> pd.DataFrame:
    """The table that has these columns."""
    return next(d.value for d in app.dataframe if set(columns) <= set(d.value.columns))


# --- the definitions ---------------------------------------------------------------------------


def test_the_length_of_the_review_is_summed_word_by_word() -> None:
    app = opened()
    assert "L₀ = Σ c·|s| = 1·3 + 2·5 + 1·6 + 2·6 + 1·6 + 1·1 + 1·4 + 1·8 = 50 tokens" in says(app)
    words = table(app, "tokens", "product")
    assert words["product"].tolist() == [3, 10, 6, 12, 6, 1, 4, 8]
    assert words["word"][1] == "␣ | c | a | f | é"


@pytest.mark.parametrize(
    ("k", "length", "size", "replaced"),
    [(1, 46, 17, "4"), (2, 42, 18, "4 + 4"), (3, 39, 19, "4 + 4 + 3"), (5, 33, 21, "4 + 4 + 3 + 3 + 3")],
)
def test_both_sizes_of_the_review_after_k_merges(k: int, length: int, size: int, replaced: str) -> None:
    said = says(opened(k=str(k)))
    low = "₀₁₂₃₄₅"[k]
    assert f"|V{low}| = |V₀| + k = 16 + {k} = {size} tokens" in said
    assert f"= {length} tokens" in said
    if k > 1:
        assert f"L{low} = L₀ − all replacements = 50 − ({replaced}) = {length} tokens" in said


def test_byte_mode_counts_bytes_in_use_and_the_definition() -> None:
    said = says(opened(unit="byte", k="4"))
    assert "|V₄| = |V₀| + k = 17 + 4 = 21 tokens, counting the 17 units in use" in said
    assert "By definition all 256 bytes are in the vocabulary: 256 + 4 = 260." in said
    assert "L₄ = L₃ − replacements of ⟨C3⟩ + ⟨A9⟩ = 42 − 3 = 39 tokens" in said


def test_a_pair_of_hop_and_shop_is_counted_with_the_word_counts() -> None:
    app = opened(preset="hop")
    assert app.selectbox(key="sizes_pair").options[:3] == [
        "1. h + o, count 11",
        "2. o + p, count 11",
        "3. s + h, count 4",
    ]
    app.selectbox(key="sizes_pair").select_index(3).run()
    assert "count(p, s) = Σ c·n = 2·1 + 1·1 = 3" in says(app)
    assert table(app, "pairs")["product"].tolist() == [2, 1]
    assert strip(app, "The words that hold the pair") == list("hopsshops")


def test_long_sums_are_cut_and_still_add_up() -> None:
    words = [f"w{i}" for i in range(40)]
    app = opened(Lab(None, " ".join(words), None, pre_tokenizer=PreTokenizer.WHITESPACE))
    # ten words of 2 characters and thirty of 3: 110; the first twelve are ten 2s and two 3s: 26
    assert "1·3 + 1·3 + 84 in 28 more words = 110 tokens" in says(app)
    assert "count(w, 1) = Σ c·n = 1·1" in says(app)


# --- ties --------------------------------------------------------------------------------------


def test_the_tied_pairs_and_what_the_rule_looks_at() -> None:
    app = opened(k="2")
    assert "next pair = argmax count(a, b) = ␣ + c with count 3. 4 pairs are tied" in says(app)
    tied = table(app, "taken", "unit")
    assert tied["left"].tolist() == ["␣", "␣", "b", "ake"]
    assert tied["taken"].tolist() == ["next", "", "", ""]
    assert tied["spelled"].tolist() == ["␣café", "␣baker", "␣baker", "␣bakes"]
    assert tied["unit"].tolist() == [1, 1, 2, 3]


def test_alone_at_the_top_there_is_no_tie_to_list() -> None:
    app = opened(k="1")  # ak + e is alone
    assert "No other pair is as frequent" in says(app)
    assert not [d for d in app.dataframe if "taken" in d.value.columns]


def test_run_dry_there_is_no_next_pair() -> None:
    app = opened(k="22")
    assert "None. Every word is a single token" in says(app)
    assert "no two tokens stand side by side" in notes(app)


# --- overlap -----------------------------------------------------------------------------------


def test_three_of_a_kind_are_two_pairs_and_one_replacement() -> None:
    app = opened()
    said = says(app)
    assert "a stands beside a 2 times" in said and "the pair is replaced once" in said
    assert "L₁ = 3 − 1 = 2, not 3 − 2 = 1." in said
    rows = table(app, "replaced", "before")
    assert rows[["count", "replaced", "before", "after"]].values.tolist() == [[2, 1, 3, 2], [1, 1, 2, 1]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("aaaa", "L₁ = 4 − 2 = 2, not 4 − 3 = 1."),  # three pairs, two replacements
        ("abab", "count and replacements are the same"),
        ("a", "type at least two characters"),
        ("", "type at least two characters"),
        ("$a$$$", "L₁ = 5 − 1 = 4, not 5 − 2 = 3."),  # signs of markdown are characters like others
    ],
)
def test_the_small_text_is_reconciled(text: str, sentence: str) -> None:
    app = opened()
    app.text_input(key="sizes_small").set_value(text).run()
    assert not app.exception
    assert sentence in says(app)


# --- what if -----------------------------------------------------------------------------------


def test_the_merge_in_view_is_offered_first() -> None:
    app = opened(k="2")
    assert app.selectbox(key="sizes_if_merge").value == 3
    assert app.selectbox(key="sizes_if_pair").options == ["2. ␣ + b", "3. b + ake", "4. ake + s"]
    said = says(app)
    assert "The first 2 merges are shared. They part at merge 3: ␣ + c as trained, ␣ + b" in said
    assert "L is the same in both at every k. After merge 4 both vocabularies hold the same tokens " in said
    assert "and all words are cut alike, and it stays so." in said
    assert "both have |V| = 38 and L = 10. The final vocabulary is the same." in said


def test_the_encyclopedias_path_is_the_other_pair() -> None:
    app = opened(preset="aaabdaaabac", k="1")
    said = says(app)
    assert "They part at merge 2: AA + A as trained, A + B in the other run" in said
    assert "After merge 3 all words are cut alike, and it stays so." in said
    assert "From there on the vocabularies never hold the same tokens." in said
    assert "Only as trained: AAA. Only in the other run: AB." in said
    app.slider(key="sizes_if_k").set_value(3).run()
    assert strip(app, "The corpus after 3 merges, as trained") == ["AAAB", "D", "AAAB", "A", "C"]
    assert strip(app, "The corpus after 3 merges, the other pair") == ["AAAB", "D", "AAAB", "A", "C"]
    rows = table(app, "first_length", "second_length")
    assert rows["first_length"].tolist()[:3] == rows["second_length"].tolist()[:3] == [9, 7, 5]
    assert rows["cut"].tolist()[:3] == ["alike", "differently", "alike"]


def test_a_chart_stands_only_where_the_lengths_differ() -> None:
    def charts(app: AppTest) -> int:
        return len([c for c in app.get("vega_lite_chart") if '"run"' in c.proto.spec])

    assert charts(opened(k="2")) == 0
    app = opened(preset="cats", k="9")
    app.selectbox(key="sizes_if_pair").select_index(4).run()
    assert charts(app) == 1
    assert "L differs at 26 values of k, from 18 to 43." in says(app)


def test_another_merge_starts_again_with_its_own_pairs() -> None:
    app = opened(k="2")
    app.selectbox(key="sizes_if_pair").select_index(2).run()
    app.selectbox(key="sizes_if_merge").set_value(1).run()
    assert not app.exception
    assert app.selectbox(key="sizes_if_pair").options == ["2. k + e"]
    assert "They part at merge 1: a + k as trained, k + e in the other run" in says(app)


# --- any corpus --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "   ", "a", "word", "é\x00$x$ `*_", "a " * 3_000])
def test_any_corpus_is_counted(text: str) -> None:
    app = opened(Lab(None, text, None))
    assert app.title[0].value
    if not text.strip():
        assert "L = 0 and |V| = 0" in notes(app)


def test_k_is_moved_for_every_page() -> None:
    app = opened()
    moved(app, 5)
    assert "|V₅| = |V₀| + k = 16 + 5 = 21 tokens" in says(app)


def test_a_k_past_the_end_is_said() -> None:
    assert "runs out of merges after 22" in notes(opened(k="99"))


def test_a_very_long_word_is_drawn_in_part_and_counted_whole() -> None:
    app = opened(Lab(None, "ab" * 50_000, None, pre_tokenizer=PreTokenizer.NONE))
    assert "L₀ = Σ c·|s| = 1·100,000 = 100,000 tokens" in says(app)
    drawn = apptest.shown(app, "sizes_pair_tiles")
    assert drawn is not None and [len(word["t"]) for word in drawn["words"]] == [400]
    assert any("Of a longer word its first 400 tokens." in c.value for c in app.caption)
    cell = table(app, "tokens", "product")["word"][0]
    assert cell.count(" | ") == 60 and cell.endswith(" | …")
    assert table(app, "pairs", "product")["word"][0] == cell
    assert "L₂ = Σ c·|s| = 1·1 = 1 token" in says(opened(text="aba", k="2"))


def test_a_large_corpus_is_only_trained_again_when_asked() -> None:
    words = [f"{a}{b}{c}" for a in "abcdefghij" for b in "klmnopqrstuv" for c in range(70)]
    text = " ".join(f"{word}{word}" for word in words)
    app = opened(Lab(None, text, None))
    assert "This corpus is large" in notes(app)
    assert "They part at" not in says(app)
    app.button(key="sizes_if_run").click().run()
    assert not app.exception
    assert "They part at merge" in says(app)
