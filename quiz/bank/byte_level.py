"""Fixed questions on bytes: UTF-8, byte bases, vocabulary sizes with 256 bytes. Data only."""

from __future__ import annotations

from dataclasses import replace

from bpe_core.alphabet import Unit

from ..figures import Figure, What
from ..inputs import AAABDAAABAC, ABRACADABRA, CATS, REVIEW
from ..misconceptions import Misconception
from ..questions import Group, Kind, Lab, Option, Question

_REVIEW_BYTES = replace(REVIEW, unit=Unit.BYTE)
_ABRA_BYTES = replace(ABRACADABRA, unit=Unit.BYTE)
_SHALOM = "שלום"
_DECOMPOSED = "cafe\u0301"

BYTE_LEVEL: tuple[Question, ...] = (
    Question(
        "e-acute-merge",
        Kind.CHOICE,
        Group.BYTES,
        "The café review with “start from UTF-8 bytes” on: which merge makes é?",
        answers=(Figure(What.MERGE_NUMBER_OF, _REVIEW_BYTES, left="é"),),
        options=(
            Option("four", "Merge {value}", "", Figure(What.MERGE_NUMBER_OF, _REVIEW_BYTES, left="é")),
            Option(
                "first",
                "Merge 1",
                "Merge 1 is {first}, which counts {first_count}; the two bytes of é count {e_count}.",
                Figure(What.NUMBER, number=1),
                misconception=Misconception.LESS_FREQUENT,
            ),
            Option(
                "five",
                "Merge 5",
                "Merge 5 is {fifth}. The bytes of é are tied with it and are seen first.",
                Figure(What.NUMBER, number=5),
                misconception=Misconception.OTHER_TIE_RULE,
            ),
            Option(
                "none",
                "No merge: é is a unit from the start.",
                "That is so with characters. In UTF-8 é is {bytes} bytes, so it has to be put together.",
                misconception=Misconception.CHARACTERS_FOR_BYTES,
            ),
        ),
        explanation="é is {bytes} bytes that always stand side by side, {e_count} times here. Merge "
        "{answer} rediscovers the character.",
        hints=("Open the lab, switch the bytes on and press Next merge.",),
        figures=(
            ("bytes", Figure(What.BYTES, new="é")),
            ("first", Figure(What.MERGE_PAIR, _REVIEW_BYTES, k=1)),
            ("first_count", Figure(What.MERGE_COUNT, _REVIEW_BYTES, k=1)),
            ("e_count", Figure(What.MERGE_COUNT, _REVIEW_BYTES, k=4)),
            ("fifth", Figure(What.MERGE_PAIR, _REVIEW_BYTES, k=5)),
        ),
        inputs=_REVIEW_BYTES,
        show_corpus=True,
        lab=Lab(_REVIEW_BYTES),
    ),
    Question(
        "most-tokens",
        Kind.CHOICE,
        Group.BYTES,
        f"A byte-level tokenizer whose merges all come from English meets {_SHALOM}. "
        "What is the most tokens it can take?",
        answers=(Figure(What.MOST_TOKENS, new=_SHALOM),),
        options=(
            Option("bytes", figure=Figure(What.MOST_TOKENS, new=_SHALOM)),
            Option(
                "characters",
                why="There are {value} characters, but the base units are bytes, and each of these letters "
                "is two.",
                figure=Figure(What.CHARACTERS, new=_SHALOM),
                misconception=Misconception.CHARACTERS_FOR_BYTES,
            ),
            Option(
                "one",
                why="There is no unknown token: bytes can spell any text.",
                figure=Figure(What.NUMBER, number=1),
                misconception=Misconception.UNKNOWN_TOKEN,
            ),
            Option(
                "four-each",
                why="{value} would be four bytes for each letter. UTF-8 writes these letters with two.",
                figure=Figure(What.BYTES_UTF32, new=_SHALOM),
                misconception=Misconception.FOUR_BYTES_EACH,
            ),
        ),
        explanation="{chars} letters, {answer} bytes. Without a merge that fits, every byte is a token; "
        "more tokens than bytes cannot be.",
        hints=("How many bytes is one Hebrew letter in UTF-8?",),
        figures=(("chars", Figure(What.CHARACTERS, new=_SHALOM)),),
        lab=Lab(_REVIEW_BYTES, 23, _SHALOM),
    ),
    Question(
        "merges-for-276",
        Kind.NUMBER,
        Group.BYTES,
        "You want a byte-level vocabulary of {size} tokens. How many merges is that?",
        answers=(Figure(What.MERGES_FOR_SIZE, CATS, number=276),),
        options=(
            Option(
                "size",
                why="The {bytes} single bytes are in the vocabulary before any merge.",
                figure=Figure(What.NUMBER, number=276),
                misconception=Misconception.BASE_FORGOTTEN,
            ),
        ),
        explanation="{size} − {bytes} = {answer}: every merge adds one token to the {bytes} bytes.",
        hints=("How large is the vocabulary after 0 merges?",),
        figures=(
            ("size", Figure(What.NUMBER, number=276)),
            ("bytes", Figure(What.DEFINED_VOCABULARY_SIZE, CATS)),
        ),
        inputs=CATS,
        lab=Lab(CATS),
    ),
    Question(
        "size-with-all-bytes",
        Kind.NUMBER,
        Group.BYTES,
        "AAABDAAABAC as bytes, after 3 merges. How large is the vocabulary if all 256 bytes belong to it, "
        "used or not?",
        answers=(Figure(What.DEFINED_VOCABULARY_SIZE, AAABDAAABAC, k=3),),
        options=(
            Option(
                "in-use",
                why="{value} counts the {units} bytes in use. Here all 256 belong to it.",
                figure=Figure(What.VOCABULARY_SIZE, AAABDAAABAC, k=3),
                misconception=Misconception.UNUSED_BYTES,
            ),
        ),
        explanation="256 bytes and 3 merges are {answer}. Counting only the {units} bytes in use it would "
        "be {in_use}.",
        hints=("Every merge adds one token.",),
        figures=(
            ("units", Figure(What.VOCABULARY_SIZE, AAABDAAABAC)),
            ("in_use", Figure(What.VOCABULARY_SIZE, AAABDAAABAC, k=3)),
        ),
        inputs=AAABDAAABAC,
        lab=Lab(AAABDAAABAC, 3),
    ),
    Question(
        "why-utf8",
        Kind.CHOICE,
        Group.BYTES,
        "Why do byte-level tokenizers start from UTF-8 and not from UTF-16 or UTF-32?",
        options=(
            Option(
                "short",
                "It is the shortest for much text, and ASCII stays one byte a character.",
                "",
                right=True,
            ),
            Option(
                "all",
                "Only UTF-8 can write every character.",
                "All three can write every character. They differ in how many bytes they take.",
                misconception=Misconception.UNKNOWN_TOKEN,
            ),
            Option(
                "fixed",
                "Only in UTF-8 does every character take the same number of bytes.",
                "The other way round: UTF-32 always takes four. In UTF-8 é takes {e} bytes and a takes {a}.",
                misconception=Misconception.TWO_BYTES_EACH,
            ),
            Option(
                "vocabulary",
                "Only UTF-8 has 256 different bytes.",
                "A byte has 256 values in any of them.",
                misconception=Misconception.UNUSED_BYTES,
            ),
        ),
        explanation="the cat is {u8} bytes in UTF-8, {u16} in UTF-16 and {u32} in UTF-32. The longer two "
        "are full of zero bytes that merges would have to undo first.",
        hints=("How many bytes is the cat in each of them?",),
        figures=(
            ("a", Figure(What.BYTES, new="a")),
            ("e", Figure(What.BYTES, new="é")),
            ("u8", Figure(What.BYTES, new="the cat")),
            ("u16", Figure(What.BYTES_UTF16, new="the cat")),
            ("u32", Figure(What.BYTES_UTF32, new="the cat")),
        ),
    ),
    Question(
        "xyzzy",
        Kind.CHOICE,
        Group.BYTES,
        "A tokenizer is trained on three times abracadabra, once with characters as units and once with "
        "bytes. Both then encode xyzzy. Tick all that are true.",
        options=(
            Option(
                "unseen",
                "With characters, all {unseen} letters are unknown.",
                "True: x, y and z never occurred in training, so they have no id.",
                right=True,
            ),
            Option(
                "bytes",
                "With bytes, nothing is unknown and it takes {bytes} tokens.",
                "True: all 256 bytes have an id, and no merge fits.",
                right=True,
            ),
            Option(
                "one",
                "With bytes, it becomes one unknown token.",
                "False: a byte base has no unknown token and needs none.",
                misconception=Misconception.UNKNOWN_TOKEN,
            ),
            Option(
                "learn",
                "With characters, x, y and z get new ids as soon as they occur.",
                "False: ids are given in training. Encoding adds none.",
                misconception=Misconception.TRAINS_ON_NEW_TEXT,
            ),
        ),
        explanation="With characters {unseen} of {chars} units have no id; with bytes {unseen_bytes} do "
        "not, and the split is {split}.",
        hints=("Two of the four are true.",),
        figures=(
            ("unseen", Figure(What.UNSEEN_UNITS, ABRACADABRA, k=10, new="xyzzy")),
            ("unseen_bytes", Figure(What.UNSEEN_UNITS, _ABRA_BYTES, k=10, new="xyzzy")),
            ("bytes", Figure(What.SPLIT_LENGTH, _ABRA_BYTES, k=10, new="xyzzy")),
            ("chars", Figure(What.CHARACTERS, new="xyzzy")),
            ("split", Figure(What.SPLIT, _ABRA_BYTES, k=10, new="xyzzy")),
        ),
        several=True,
        inputs=ABRACADABRA,
        lab=Lab(_ABRA_BYTES, 10, "xyzzy"),
    ),
    Question(
        "two-spellings",
        Kind.NUMBER,
        Group.BYTES,
        "The word café can be stored with é as a letter e followed by a separate accent (U+0301). How many "
        "bytes does it take in UTF-8 then?",
        answers=(Figure(What.BYTES, new=_DECOMPOSED),),
        options=(
            Option(
                "composed",
                why="{value} bytes it takes with é as one character. Here e and the accent are stored "
                "separately.",
                figure=Figure(What.BYTES, new="café"),
                misconception=Misconception.CHARACTERS_FOR_BYTES,
            ),
            Option(
                "letters",
                why="It looks like {value} letters, but bytes are what is stored.",
                figure=Figure(What.CHARACTERS, new="café"),
                misconception=Misconception.CHARACTERS_FOR_BYTES,
            ),
        ),
        explanation="c, a, f and e take one byte each and the accent takes {accent}: {answer}. The two "
        "spellings look the same and are different tokens.",
        hints=("The accent alone takes two bytes.",),
        figures=(("accent", Figure(What.BYTES, new="\u0301")),),
        code_points=True,
    ),
)
