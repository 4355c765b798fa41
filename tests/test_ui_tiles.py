"""What the tile component is told: rings, kinds, breaks and lines between pieces of a character.

How tiles look and move is in tests/browser.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_core.alphabet import Token, Unit
from bpe_core.corpus import Corpus
from bpe_core.pretokenize import PreTokenizer
from bpe_core.training import Trainer
from ui.tiles import _kind, ring_positions


@given(st.text("ab \n", max_size=40), st.sampled_from([PreTokenizer.NONE, PreTokenizer.ARTICLE]))
def test_as_many_rings_as_the_next_merge_replaces(text: str, pre: PreTokenizer) -> None:
    trainer = Trainer(Corpus.from_text(text, pre))
    while (pair := trainer.next_pair(len(trainer.steps))) is not None:
        words = [[trainer.token(id) for id in word] for word in trainer.words_at(len(trainer.steps))]
        starts = [sum(map(len, words[:i])) for i in range(len(words) + 1)]
        rings = ring_positions(words, pair)
        weighted = sum(
            count * sum(starts[i] <= ring < starts[i + 1] for ring in rings)
            for i, count in enumerate(trainer.corpus.counts)
        )
        step = trainer.step()
        assert step is not None and weighted == step.replacements


def test_no_ring_without_a_pair() -> None:
    a = Token(0, b"a", Unit.CHAR)
    assert ring_positions([[a, a]], None) == []
    assert ring_positions([[a], [a]], (0, 0)) == []  # never across two words


def test_pieces_of_a_character_are_marked_and_joined() -> None:
    lead, rest = Token(0xC3, b"\xc3", Unit.BYTE), Token(0xA9, b"\xa9", Unit.BYTE)
    assert [(_kind(t, None, "none")["part"], _kind(t, None, "none")["goes_on"]) for t in (lead, rest)] == [
        (True, False),
        (True, True),
    ]
    whole = _kind(Token(256, b"\xc3\xa9", Unit.BYTE), None, "details")
    assert not whole["part"] and not whole["goes_on"]
    assert whole["label"] == [["é", "text"]]
    assert ("2 bytes", "C3 A9") in whole["card"]


def test_lines_end_where_the_text_has_them() -> None:
    breaks = [
        _kind(Token(0, data, Unit.CHAR), None, "none")["breaks"] for data in (b"a", b"a\n", b"\nth", b"\n")
    ]
    assert breaks == [None, "after", "before", "after"]


def test_tiles_keep_the_real_text_for_copying_and_show_a_readable_one() -> None:
    kind = _kind(Token(3, b"  a\tb", Unit.CHAR), None, "details")
    assert kind["raw"] == "  a\tb"
    assert "".join(text for text, _ in kind["label"]) == "␣␣a⇥b"
    long = _kind(Token(4, b"w" * 100_000, Unit.CHAR), None, "details")
    assert len("".join(text for text, _ in long["label"])) < 100
    assert len(long["raw"]) == 100_000


def test_markup_is_data() -> None:
    kind = _kind(Token(5, b"<b>&amp;</b>", Unit.CHAR), None, "details")
    assert kind["label"] == [["<b>&amp;</b>", "text"]]


def test_unknown_tokens_say_so() -> None:
    kind = _kind(Token(None, "ж".encode(), Unit.CHAR), None, "details")
    assert kind["hue"] is None and kind["says"].startswith("unknown token")
    assert ("id", "none: never seen in training") in kind["card"]
