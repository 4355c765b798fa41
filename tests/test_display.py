"""Labels: every token shown, none like another; and GPT-2's printable byte alphabet."""

from __future__ import annotations

import itertools
import re
import unicodedata

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import display
from bpe_core.alphabet import Token, Unit
from bpe_core.display import (
    BYTE_TO_PRINTABLE,
    PRINTABLE_TO_BYTE,
    Label,
    PartKind,
    code_points,
    describe,
    hex_bytes,
    label,
    shorten,
    text_label,
)


def chars(text: str, ends_word: bool = False) -> Token:
    return Token(None, text.encode(), Unit.CHAR, ends_word)


def raw(data: bytes, ends_word: bool = False) -> Token:
    return Token(None, data, Unit.BYTE, ends_word)


# --- what is shown -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (" cake", "␣cake"),
        ("a   b\t c", "a␣␣␣b⇥␣c"),
        ("mat\n", "mat↵"),
        ("\r\n", "⟨U+000D⟩↵"),
        ("a\x00b\x1bc\x7f", "a⟨U+0000⟩b⟨U+001B⟩c⟨U+007F⟩"),
        ("a\u200bb\u200dc\u2060d\ufeffe\x07", "a⟨U+200B⟩b⟨U+200D⟩c⟨U+2060⟩d⟨U+FEFF⟩e⟨U+0007⟩"),
        ("\u202eabc\u202c", "⟨U+202E⟩abc⟨U+202C⟩"),
        ("a\ue000b\uffffc", "a⟨U+E000⟩b⟨U+FFFF⟩c"),
        ("\u00a0\u3000\u2028", "⟨U+00A0⟩⟨U+3000⟩⟨U+2028⟩"),
        ("co\u00adop", "co⟨U+00AD⟩op"),
        ("\u2800\ufffd\u3164", "⟨U+2800⟩⟨U+FFFD⟩⟨U+3164⟩"),
        ("\ufffc\U0001d159\U00016fe4", "⟨U+FFFC⟩⟨U+1D159⟩⟨U+16FE4⟩"),  # blanks filed among the visible
        ("q\u200d\u0301", "q⟨U+200D⟩◌\u0301"),  # the mark has lost its letter
        ("\u0301", "◌\u0301"),
        ("\u0301\u0302", "◌\u0301◌\u0302"),
        (" \u0301", "␣◌\u0301"),
        ("\u093f", "◌\u093f"),  # a Devanagari vowel sign alone
        ("\u0e48", "◌\u0e48"),  # a Thai tone mark alone
        ("कि", "कि"),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("é", "é"),
        ("e\u0301", "e◌\u0301"),
        ("\u212a\u2126", "⟨U+212A⟩⟨U+2126⟩"),  # kelvin and ohm, twins of K and omega
        ("\u1112\u1161\u11ab", "\u1112⟨U+1161⟩\u11ab"),  # a Hangul syllable typed in three letters
        ("👨\u200d👩\u200d👧", "👨⟨U+200D⟩👩⟨U+200D⟩👧"),
        ("🇫🇷", "🇫🇷"),
        ("👍🏽", "👍🏽"),
        ("␣↵⇥◌⟨⟩", "⟨U+2423⟩⟨U+21B5⟩⟨U+21E5⟩⟨U+25CC⟩⟨U+27E8⟩⟨U+27E9⟩"),
        ("·</w>", "·</w>"),
        ("⟨end⟩", "⟨U+27E8⟩end⟨U+27E9⟩"),
        ("\u2026\ufe30\ufb01\u2460", "\u2026\ufe30\ufb01\u2460"),  # nothing is folded into simpler characters
        # Markup, formulas and special tokens are characters like any other.
        ("a<b<c", "a<b<c"),
        ("<!-- hide -->", "<!--␣hide␣-->"),
        ("&amp; &lt;", "&amp;␣&lt;"),
        ("$$x$$ \\alpha $_$", "$$x$$␣\\alpha␣$_$"),
        ("1. a", "1.␣a"),
        ("# `*_x_*`", "#␣`*_x_*`"),
        ("<|fim_suffix|>", "<|fim_suffix|>"),
        ("", "⟨empty⟩"),
    ],
)
def test_the_plain_label_of_characters(text: str, plain: str) -> None:
    assert label(chars(text)).plain == plain


@pytest.mark.parametrize(
    ("data", "plain"),
    [
        (b"\xc3\xa9", "é"),
        (b"\xc3", "⟨C3⟩"),
        ("न".encode() + b"\xe0\xa4", "न⟨E0 A4⟩"),
        (b"\xa9\xc3", "⟨A9⟩⟨C3⟩"),  # the end of one character and the start of another
        (b"\xe2\x80", "⟨E2 80⟩"),  # the first merge of curly quotes
        (b"\x80", "⟨80⟩"),
        (b"\xc0\x80", "⟨C0 80⟩"),
        (b"\xff\xfe", "⟨FF⟩⟨FE⟩"),
        (b"\xed\xa0\x80", "⟨ED A0 80⟩"),
        (b"\xe0\xa4", "⟨E0 A4⟩"),
        (b"\xc3\xcc\x81", "⟨C3⟩◌\u0301"),
        (b"\xef\xbf\xbd", "⟨U+FFFD⟩"),
        (b"\x00 ", "⟨U+0000⟩␣"),
    ],
)
def test_the_plain_label_of_bytes(data: bytes, plain: str) -> None:
    assert label(raw(data)).plain == plain


def test_the_marker_is_unlike_anything_typed() -> None:
    assert label(chars("", ends_word=True)).plain == "⟨end⟩"
    assert label(chars("w", ends_word=True)).plain == "w⟨end⟩"
    assert label(chars("w</w>")).plain == "w</w>"
    assert [part.kind for part in label(raw(b"\xc3", ends_word=True)).parts] == [
        PartKind.BYTES,
        PartKind.MARKER,
    ]


def test_parts_carry_their_kind() -> None:
    parts = label(chars("the  mat\n\t\x00\u200b\u2423e\u0301")).parts
    assert [(part.text, part.kind, part.exact) for part in parts] == [
        ("the", PartKind.TEXT, "the"),
        ("␣␣", PartKind.SPACE, "␣␣"),
        ("mat", PartKind.TEXT, "mat"),
        ("↵", PartKind.NEWLINE, "↵"),
        ("⇥", PartKind.TAB, "⇥"),
        ("⟨U+0000⟩", PartKind.CONTROL, "⟨U+0000⟩"),
        ("⟨U+200B⟩", PartKind.INVISIBLE, "⟨U+200B⟩"),
        ("⟨U+2423⟩", PartKind.LOOKALIKE, "⟨U+2423⟩"),
        ("e\u0301", PartKind.CLUSTER, "e◌\u0301"),
    ]
    assert parts[5].bare == "U+0000"
    assert label(raw(b"\xe0\xa4")).parts[0].bare == "E0 A4"


@pytest.mark.parametrize(
    "cluster", ["👨\u200d👩\u200d👧", "❤\ufe0f", "1\ufe0f\u20e3", "🏴\U000e0067\U000e0062\U000e007f"]
)
def test_a_whole_emoji_is_drawn_whole_and_told_apart(cluster: str) -> None:
    (part,) = label(chars(cluster)).parts
    assert (part.text, part.kind) == (cluster, PartKind.CLUSTER)
    assert "⟨U+" in part.exact


@pytest.mark.parametrize("broken", ["👨\u200d", "\u200d👩", "b\u200d", "\ufe0f"])
def test_half_an_emoji_shows_its_joiner(broken: str) -> None:
    shown = label(chars(broken))
    assert not any(part.kind is PartKind.CLUSTER for part in shown.parts)
    assert "⟨U+" in shown.plain


# --- no two alike ------------------------------------------------------------------------------------

AWKWARD = (
    "␣↵⇥◌⟨⟩·…U+0end() \n\t\r\x00\x7f\x85\u00a0\u00ad\u034f\u115f\u200b\u200d\u200e\u202e\u2028\u2060"
    "\u2800\u3000\ufe0f\ufeff\ufffd\ufffc\ue000\uffff\u0378\U0001d159aeoqxKÅé\u00c5\u212a\u212b\u2126"
    "\u0300\u0301\u0302\u0308\u0323\u0327\u0340\u0341\u0344\u0958क\u093c\u094dिกำ่"
    "\u1100\u1112\u1161\u11ab가각\uf900豈👨👩👧❤🏽🇫🇷🏴\U000e0067\U000e007f#1\u20e3"
)
awkward_text = st.text(st.sampled_from(AWKWARD) | st.characters(exclude_categories=["Cs"]), max_size=8)
# Bytes that look like pieces of UTF-8 more often than chance would have it.
awkward_bytes = st.lists(
    st.one_of(
        st.sampled_from(AWKWARD).map(str.encode),
        st.sampled_from(AWKWARD).map(lambda c: c.encode()[:-1]),
        st.sampled_from(AWKWARD).map(lambda c: c.encode()[1:]),
        st.binary(max_size=3),
    ),
    max_size=5,
).map(b"".join)
tokens = st.one_of(
    st.builds(chars, awkward_text, st.booleans()),
    st.builds(raw, awkward_bytes, st.booleans()),
)


def read_back(plain: str) -> tuple[bytes, bool]:
    """The token a plain label stands for: that this can be written shows that no label is shared."""
    data = b""
    ends_word = False
    for piece in re.findall("⟨[^⟩]*⟩|.", plain, re.DOTALL):
        if piece == "⟨end⟩":
            ends_word = True
        elif piece.startswith("⟨U+"):
            data += chr(int(piece[3:-1], 16)).encode()
        elif piece.startswith("⟨"):
            data += bytes.fromhex(piece[1:-1]) if piece != "⟨empty⟩" else b""
        elif piece != "◌":
            data += {"␣": " ", "↵": "\n", "⇥": "\t"}.get(piece, piece).encode()
    return data, ends_word


@given(tokens)
def test_a_plain_label_can_be_read_back(token: Token) -> None:
    assert read_back(label(token).plain) == (token.data, token.ends_word)


def test_no_two_short_tokens_look_alike() -> None:
    # What canonically equal strings look like is the same, so unequal code points are not enough.
    mixed = "◌⟨␣ e\u00e9\u0301\u0323q\u0300\u0340\u0958क\u093c\u1100\u1161\u11a8가\u212aK"
    seen: dict[str, str] = {}
    for size in (1, 2, 3):
        for letters in itertools.product(mixed, repeat=size):
            text = "".join(letters)
            plain = unicodedata.normalize("NFC", label(chars(text)).plain)
            assert seen.setdefault(plain, text) == text


@given(awkward_text, st.sampled_from(["NFC", "NFD"]))
def test_a_text_and_its_normal_form_are_told_apart(text: str, form: str) -> None:
    twin = unicodedata.normalize(form, text)
    if twin != text:
        one, other = (unicodedata.normalize("NFC", label(chars(t)).plain) for t in (text, twin))
        assert one != other


@given(tokens)
def test_every_label_is_something_to_see(token: Token) -> None:
    shown = label(token)
    assert shown.plain
    assert all(part.text and part.exact for part in shown.parts)
    assert "".join(part.exact for part in shown.parts) == shown.plain
    for part in shown.parts:
        visible = part.exact.replace(" ", "") if part.kind is PartKind.BYTES else part.exact
        for c in visible:
            # Python's older tables call characters of newer Unicode versions unassigned (Cn).
            assert unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Zs", "Zl", "Zp"), hex(ord(c))
            assert c not in "\u034f\u115f\u1160\u3164\ufe0e\ufe0f\u2800"
        if part.kind is not PartKind.CLUSTER:
            assert part.text == part.exact


@given(tokens)
def test_the_length_is_the_tokens_own(token: Token) -> None:
    assert label(token).length == len(token.data if token.unit is Unit.BYTE else token.data.decode())


# --- long labels -------------------------------------------------------------------------------------


def test_a_long_label_is_cut_in_the_middle_with_its_true_length() -> None:
    long = label(chars("w" * 100_000, ends_word=True))
    short = shorten(long, 12)
    assert short.plain == "wwwwwwww…⟨100,000 characters⟩…⟨end⟩"
    assert short.length == 100_000
    assert [part.kind for part in short.parts] == [PartKind.TEXT, PartKind.MORE, PartKind.MARKER]
    assert shorten(label(raw(b"ab" * 50)), 6).plain == "abab…⟨100 bytes⟩…ab"


def test_a_label_that_fits_is_left_alone() -> None:
    for text in ("w" * 12, "👨\u200d👩\u200d👧" * 12):
        whole = label(chars(text))
        assert shorten(whole, 12) is whole


def test_shortening_never_cuts_a_cluster_or_a_code() -> None:
    short = shorten(label(chars("e\u0301" * 30 + "\u200b" * 30)), 9)
    assert [part.text for part in short.parts[:6]] == ["e\u0301"] * 6
    assert short.parts[-1].text == "⟨U+200B⟩"


@given(tokens, st.integers(1, 30))
def test_a_shortened_label_starts_and_ends_as_the_whole_one(token: Token, limit: int) -> None:
    whole = label(token)
    short = shorten(whole, limit)
    head, cut, tail = short.plain.partition(f"…⟨{whole.size}⟩…")
    assert whole.plain.startswith(head)
    assert whole.plain.endswith(tail)
    assert cut or short is whole


@settings(max_examples=500)
@given(st.lists(tokens, min_size=1, max_size=4), st.booleans(), st.integers(1, 12), st.integers(1, 4))
def test_a_long_token_is_labelled_from_its_ends_as_from_the_whole(
    pieces: list[Token], ends_word: bool, limit: int, look: int
) -> None:
    """With a narrow look, so that whatever stands in the middle or at the cut has its chance to matter."""
    token = raw(b"".join(piece.data for piece in pieces) * 3, ends_word)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bpe_core.display._LOOK", look)
        assert label(token, limit) == shorten(label(token), limit)


def test_the_middle_of_a_long_token_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    long = chars("one two " + "🇫🇷e\u0301 " * 100_000 + "three four", ends_word=True)
    looked: list[int] = []
    parts = display._parts
    monkeypatch.setattr(display, "_parts", lambda data: looked.append(len(data)) or parts(data))
    assert label(long, 12).plain == "one␣two␣…⟨500,018 characters⟩…⟨end⟩"
    assert sum(looked) < 5000
    assert describe(long, 12).startswith("one, space, two, space, shortened")


@settings(max_examples=500)
@given(st.text(st.sampled_from("🇫🇷a\u0301\u200d\u0903\u0600\U0001f3fb👩\r\n"), max_size=20))
def test_clusters_are_those_of_unicode(text: str) -> None:
    assert display.CLUSTER.findall(text) == regex.findall(r"\X", text)


def test_a_long_row_of_flags_is_cut_pair_by_pair() -> None:
    """``\\X`` alone would look at ten thousand million pairs of letters here."""
    assert display.CLUSTER.findall("🇫🇷" * 100_000 + "🇫") == ["🇫🇷"] * 100_000 + ["🇫"]


# --- in words, in code points, in bytes -------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "words"),
    [
        (chars(" c"), "space, c"),
        (chars("the"), "the"),
        (chars("   "), "3 spaces"),
        (chars("at\n"), "at, line break"),
        (chars(","), "comma"),
        (chars("C"), "capital C"),
        (chars("w", ends_word=True), "w, end of word"),
        (chars("", ends_word=True), "end of word"),
        (chars("\u200b"), "zero width space (U+200B)"),
        (chars("\x00"), "null (U+0000)"),
        (chars("\u0301"), "combining acute accent"),
        (chars("e\u0301"), "e\u0301 in 2 code points"),
        (chars("◌"), "dotted circle (U+25CC)"),
        (raw(b"\xc3\xa9"), "bytes C3 A9, é"),
        (raw(b"\xc3"), "byte C3"),
        (raw("न".encode() + b"\xe0\xa4"), "न, bytes E0 A4"),
        (chars(""), "empty"),
    ],
)
def test_one_line_for_a_screen_reader(token: Token, words: str) -> None:
    assert describe(token) == words


def test_a_long_token_is_described_briefly() -> None:
    assert describe(chars("w" * 1000), limit=3) == "ww, shortened, 1,000 characters in all, w"


@given(tokens)
def test_every_token_can_be_described(token: Token) -> None:
    words = describe(token)
    assert words
    assert "\n" not in words


def test_code_points_have_labels_codes_and_names() -> None:
    points = code_points("é \u200d\x07\ue000\uffff")
    assert [(p.label, p.code, p.name) for p in points] == [
        ("é", "U+00E9", "LATIN SMALL LETTER E WITH ACUTE"),
        ("␣", "U+0020", "SPACE"),
        ("⟨U+200D⟩", "U+200D", "ZERO WIDTH JOINER"),
        ("⟨U+0007⟩", "U+0007", "BELL"),
        ("⟨U+E000⟩", "U+E000", "private-use character"),
        ("⟨U+FFFF⟩", "U+FFFF", "noncharacter"),
    ]
    assert [p.code for p in code_points(raw(b"\xc3a\xa9"))] == ["U+0061"]


def test_hex_is_upper_case() -> None:
    assert hex_bytes(raw(b"\xc3\xa9\x0a")) == "C3 A9 0A"
    assert hex_bytes(chars("", ends_word=True)) == ""


def test_any_text_has_a_label() -> None:
    shown: Label = text_label("a b")
    assert (shown.plain, shown.length, shown.size) == ("a␣b", 3, "3 characters")


# --- GPT-2's printable bytes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "printable"),
    [("Ö", "Ãĸ"), ("č", "Äį"), ("Ġ", "Äł"), (" ", "Ġ"), ("\n", "Ċ"), ("ab", "ab")],
)
def test_the_printable_byte_alphabet(text: str, printable: str) -> None:
    assert "".join(BYTE_TO_PRINTABLE[byte] for byte in text.encode()) == printable
    assert bytes(PRINTABLE_TO_BYTE[c] for c in printable).decode() == text


def test_letters_of_the_printable_alphabet_mean_bytes_not_themselves() -> None:
    assert (PRINTABLE_TO_BYTE["Ö"], PRINTABLE_TO_BYTE["č"]) == (0xD6, 0x0D)
    assert len(BYTE_TO_PRINTABLE) == len(PRINTABLE_TO_BYTE) == 256
