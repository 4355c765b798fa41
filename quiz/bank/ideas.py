"""Fixed questions on ideas: what subwords are for, what training does, what BPE cannot do. Data only."""

from __future__ import annotations

from dataclasses import replace

from bpe_core.alphabet import Unit
from bpe_core.pretokenize import PreTokenizer

from ..figures import Figure, What
from ..inputs import ABRACADABRA, LOW, REVIEW, Inputs
from ..misconceptions import Misconception
from ..questions import Group, Kind, Lab, Option, Question

_BAKE = Inputs("bake bakes baker", pre_tokenizer=PreTokenizer.WHITESPACE)
_REVIEW_BYTES = replace(REVIEW, unit=Unit.BYTE)
_ONE = replace(ABRACADABRA, text="abracadabra", preset=None)
_ZQ = "zq" * 1000

IDEAS: tuple[Question, ...] = (
    Question(
        "whole-words",
        Kind.CHOICE,
        Group.IDEAS,
        "A vocabulary of whole words holds {known} entries: bake, bakes and baker. A new text has the word "
        "baked. What becomes of it?",
        options=(
            Option("unknown", "It is unknown: no entry fits, so it cannot be written.", right=True),
            Option(
                "bake-d",
                "It is written as bake and d.",
                "A whole-word vocabulary has no parts to put together; d alone is not an entry.",
                misconception=Misconception.KNOWS_LANGUAGE,
            ),
            Option(
                "nearest",
                "It is read as the nearest entry, bakes.",
                "Entries are compared exactly. Nothing looks for a similar word.",
                misconception=Misconception.KNOWS_LANGUAGE,
            ),
            Option(
                "added",
                "It is added as a new entry.",
                "The vocabulary is fixed once training is over. New text only uses it.",
                misconception=Misconception.TRAINS_ON_NEW_TEXT,
            ),
        ),
        explanation="The new text holds {unknown} word that is no entry. Subwords solve this: they can "
        "spell a word that was never seen.",
        hints=(
            "Is baked one of the entries?",
            "A whole-word vocabulary knows its entries and nothing smaller.",
        ),
        figures=(
            ("known", Figure(What.DISTINCT_WORDS, _BAKE)),
            ("unknown", Figure(What.UNKNOWN_WORDS, _BAKE, new="baked")),
        ),
    ),
    Question(
        "why-not-characters",
        Kind.CHOICE,
        Group.IDEAS,
        "Single characters can spell every word. Why do we not stop there?",
        options=(
            Option("long", "Texts become long, and one character says very little.", right=True),
            Option(
                "unknown",
                "Too many words would be unknown.",
                "The other way round: with characters hardly anything is unknown. That is the trouble with "
                "words.",
                misconception=Misconception.UNKNOWN_TOKEN,
            ),
            Option(
                "large",
                "The vocabulary would be too large.",
                "It would be small: this review needs {units} characters and its words alone are {words} "
                "entries.",
                misconception=Misconception.SIZES_MIXED_UP,
            ),
            Option(
                "decode",
                "Characters cannot be turned back into text.",
                "They can: putting them in a row gives the text back.",
            ),
        ),
        explanation="The café review is {length} characters long. Once all merges are made it is {short} "
        "tokens, and each of them says more.",
        hints=("Think of how many pieces a model has to read.",),
        figures=(
            ("units", Figure(What.VOCABULARY_SIZE, REVIEW)),
            ("words", Figure(What.DISTINCT_WORDS, REVIEW)),
            ("length", Figure(What.CORPUS_LENGTH, REVIEW)),
            ("short", Figure(What.CORPUS_LENGTH, REVIEW, k=22)),
        ),
        inputs=REVIEW,
        lab=Lab(REVIEW),
    ),
    Question(
        "new-text-does-not-train",
        Kind.CHOICE,
        Group.IDEAS,
        "A byte-level tokenizer is trained on the café review. Then you encode a new text that is zq "
        "written a thousand times. How many tokens is it?",
        answers=(Figure(What.SPLIT_LENGTH, _REVIEW_BYTES, k=23, new=_ZQ),),
        options=(
            Option(
                "split",
                "{value}: every z and every q on its own.",
                "",
                Figure(What.SPLIT_LENGTH, _REVIEW_BYTES, k=23, new=_ZQ),
            ),
            Option(
                "pairs",
                "{value}: zq is frequent enough to become a token.",
                "Only training counts pairs. Encoding replays the merges it has, and none joins z and q.",
                Figure(What.NUMBER, number=1000),
                misconception=Misconception.TRAINS_ON_NEW_TEXT,
            ),
            Option(
                "one",
                "{value}: repeated text collapses into a single token.",
                "A token is one learned string. Repetition in new text makes no token.",
                Figure(What.NUMBER, number=1),
                misconception=Misconception.TRAINS_ON_NEW_TEXT,
            ),
            Option(
                "none",
                "{value}: unknown text is dropped.",
                "With a byte base nothing is unknown and nothing is dropped.",
                Figure(What.NUMBER, number=0),
                misconception=Misconception.UNKNOWN_TOKEN,
            ),
        ),
        explanation="Pairs are counted in training only. No merge joins z and q, so the {answer} bytes "
        "stay apart.",
        hints=("When are pairs counted?", "Encoding only replays merges that exist already."),
        inputs=REVIEW,
        lab=Lab(_REVIEW_BYTES, 23, "zqzqzq"),
    ),
    Question(
        "frequent-first",
        Kind.CHOICE,
        Group.IDEAS,
        "In GPT-4o's vocabulary ␣baker is {baker} token, and unbakeable takes {unbakeable}. Why?",
        options=(
            Option(
                "frequent", "Frequent strings earn their merges first, and ␣baker is frequent.", right=True
            ),
            Option(
                "short",
                "Short strings always become one token.",
                "Length does not decide: ␣bakes is short as well and takes {bakes}.",
                misconception=Misconception.KNOWS_LANGUAGE,
            ),
            Option(
                "grammar",
                "The tokenizer knows that un- and -able are prefix and suffix.",
                "It knows no grammar: unbakeable splits {split}, and ake is no part of speech.",
                misconception=Misconception.KNOWS_LANGUAGE,
            ),
            Option(
                "added",
                "Words of a dictionary are put in by hand.",
                "Nobody puts words in. Merges follow counts.",
                misconception=Misconception.KNOWS_LANGUAGE,
            ),
        ),
        explanation="Merges go to what is counted most. ␣baker was common enough to be merged whole; "
        "unbakeable splits {split}.",
        hints=("What decides which pair merges next?",),
        figures=(
            ("baker", Figure(What.REAL_LENGTH, new=" baker")),
            ("bakes", Figure(What.REAL_LENGTH, new=" bakes")),
            ("unbakeable", Figure(What.REAL_LENGTH, new="unbakeable")),
            ("split", Figure(What.REAL_SPLIT, new="unbakeable")),
        ),
    ),
    Question(
        "tie-changes-vocabulary",
        Kind.CHOICE,
        Group.IDEAS,
        "On one abracadabra, {tied} pairs share the top count of {count} at the start. Two people break "
        "the tie by different rules and train until nothing is left. Do they end with the same vocabulary?",
        options=(
            Option("differs", "No: the tokens made on the way can differ.", right=True),
            Option(
                "order",
                "Yes: the same tokens are made, only in another order.",
                "Taking {first} first and taking {column} first use up different letters, so other tokens "
                "follow.",
                misconception=Misconception.OTHER_TIE_RULE,
            ),
            Option(
                "one-dry",
                "No: one of them cannot make the whole word a single token.",
                "Both end with the whole word as one token. The way there differs.",
                misconception=Misconception.STOPPED_EARLY,
            ),
            Option(
                "same-count",
                "Yes: pairs with one count are worth the same, so the choice leaves no trace.",
                "They are worth the same now. Each choice changes which pairs exist next.",
                misconception=Misconception.OTHER_TIE_RULE,
            ),
        ),
        explanation="First seen takes {first}, column-major takes {column}. The letters they use are gone "
        "for the pairs that lost, so the two vocabularies differ. That is why a tokenizer has to state its "
        "tie rule.",
        hints=("Which letters does the first merge use up?",),
        figures=(
            ("tied", Figure(What.MERGE_TIED, _ONE, k=1)),
            ("count", Figure(What.MERGE_COUNT, _ONE, k=1)),
            ("first", Figure(What.MERGE_PAIR, replace(_ONE, ties=Inputs(text="").ties), k=1)),
            ("column", Figure(What.MERGE_PAIR, _ONE, k=1)),
        ),
        inputs=_ONE,
        lab=Lab(_ONE),
    ),
    Question(
        "limits",
        Kind.CHOICE,
        Group.IDEAS,
        "Which of these are limits of byte-pair encoding? Tick all that are.",
        options=(
            Option(
                "corpus",
                "Its tokens depend on the training corpus.",
                "True: it counts what it is given.",
                right=True,
            ),
            Option(
                "greedy",
                "It takes the best pair of the moment and never looks ahead.",
                "True: it is greedy, and finding the smallest grammar is too hard to do exactly.",
                right=True,
            ),
            Option(
                "meaning",
                "It knows nothing of stems and endings.",
                "True: it makes ake in the café review and never the ending er.",
                right=True,
            ),
            Option(
                "unknown",
                "With a byte base it still meets unknown text.",
                "False: every text is bytes, and all {bytes} bytes are in the vocabulary.",
                misconception=Misconception.UNKNOWN_TOKEN,
            ),
            Option(
                "dictionary",
                "It needs a dictionary of the language.",
                "False: it needs text and nothing else.",
                misconception=Misconception.KNOWS_LANGUAGE,
            ),
        ),
        explanation="It depends on its corpus, it is greedy, and it knows no grammar. Unknown text is no "
        "limit with a byte base, and it needs no dictionary.",
        hints=("Three of the five are limits.",),
        figures=(("bytes", Figure(What.DEFINED_VOCABULARY_SIZE, _REVIEW_BYTES)),),
        several=True,
    ),
    Question(
        "token-or-ending",
        Kind.CHOICE,
        Group.IDEAS,
        "The café review, after 5 merges. Which of these strings is a token?",
        answers=(Figure(What.NUMBER, number=1),),
        options=(
            Option("ake", "ake", "", Figure(What.SPLIT_LENGTH, REVIEW, k=5, new="ake")),
            Option(
                "er",
                "er",
                "The ending er occurs {er} time here. Merges follow counts, not grammar.",
                Figure(What.SPLIT_LENGTH, REVIEW, k=5, new="er"),
                misconception=Misconception.KNOWS_LANGUAGE,
            ),
            Option(
                "bak",
                "bak",
                "After merge 1 the pair b + a is gone: its a is part of {first}, then of {second}.",
                Figure(What.SPLIT_LENGTH, REVIEW, k=5, new="bak"),
                misconception=Misconception.MERGE_ORDER,
            ),
            Option(
                "the",
                "the",
                "t and h stand side by side {th} times, too few so far.",
                Figure(What.SPLIT_LENGTH, REVIEW, k=5, new="the"),
                misconception=Misconception.LESS_FREQUENT,
            ),
        ),
        explanation="{first} is merge 1 and {second} is merge 2: a, k and e follow each other {times} times. "
        "No word has to mean anything for that.",
        hints=("The first merge is a + k.",),
        figures=(
            ("er", Figure(What.PAIR_COUNT, REVIEW, left="e", right="r")),
            ("th", Figure(What.PAIR_COUNT, REVIEW, left="t", right="h")),
            ("first", Figure(What.MERGE_TOKEN, REVIEW, k=1)),
            ("second", Figure(What.MERGE_TOKEN, REVIEW, k=2)),
            ("times", Figure(What.MERGE_COUNT, REVIEW, k=2)),
        ),
        inputs=REVIEW,
        show_corpus=True,
        lab=Lab(REVIEW, 5),
    ),
    Question(
        "size-against-length",
        Kind.CHOICE,
        Group.IDEAS,
        "low lower lowest is cut into words, then into characters with an end-of-word marker. What does "
        "each further merge do?",
        options=(
            Option("both", "The vocabulary grows by one and the corpus gets shorter.", right=True),
            Option(
                "smaller",
                "The vocabulary gets smaller, since two tokens become one.",
                "Both old tokens stay in the vocabulary; the new one comes on top: {v0} become {v1}.",
                misconception=Misconception.PARENTS_REMOVED,
            ),
            Option(
                "longer",
                "The corpus gets longer, since there is one more token.",
                "One more entry, but fewer tokens in the corpus: {l0} become {l1}.",
                misconception=Misconception.SIZES_MIXED_UP,
            ),
            Option(
                "words",
                "The number of words goes down.",
                "Words stay what they are. Only the tokens inside them change.",
                misconception=Misconception.WORDS_FOR_TOKENS,
            ),
        ),
        explanation="The first merge takes the vocabulary from {v0} to {v1} and the corpus from {l0} to "
        "{l1} tokens.",
        hints=("Count the entries and the tokens of the corpus before and after one merge.",),
        figures=(
            ("v0", Figure(What.VOCABULARY_SIZE, LOW)),
            ("v1", Figure(What.VOCABULARY_SIZE, LOW, k=1)),
            ("l0", Figure(What.CORPUS_LENGTH, LOW)),
            ("l1", Figure(What.CORPUS_LENGTH, LOW, k=1)),
        ),
        inputs=LOW,
        lab=Lab(LOW, 1),
    ),
)
