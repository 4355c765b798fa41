"""Fixed questions on bits: ratios, two-part cost, the best k, PMI, what can be compared. Data only."""

from __future__ import annotations

from dataclasses import replace

from ..figures import Figure, What
from ..inputs import ABRACADABRA
from ..misconceptions import Misconception
from ..questions import Group, Kind, Lab, Option, Question

_DOUBLED = replace(ABRACADABRA, text=" ".join(["abracadabra"] * 6), preset=None)
_COST = (
    "Cost in bits: L·w for the corpus and 2·k·w for the table of merges, where w is the bits for one token "
    "id, log2 of the vocabulary size rounded up."
)

BITS: tuple[Question, ...] = (
    Question(
        "ratio-after-five",
        Kind.NUMBER,
        Group.BITS,
        "Three times abracadabra is {l0} characters; after 5 merges it is {l5} tokens. What is the "
        "compression ratio, characters for one token?",
        answers=(Figure(What.RATIO, ABRACADABRA, k=5),),
        options=(
            Option(
                "upside-down",
                why="{value:.3f} is tokens for one character, the ratio upside down.",
                figure=Figure(What.INVERSE_RATIO, ABRACADABRA, k=5),
                misconception=Misconception.RATIO_UPSIDE_DOWN,
            ),
        ),
        explanation="{l0} / {l5} = {answer:.4f}. Upside down it is {inverse:.4f}.",
        hints=("Divide the characters by the tokens.",),
        figures=(
            ("l0", Figure(What.CORPUS_LENGTH, ABRACADABRA)),
            ("l5", Figure(What.CORPUS_LENGTH, ABRACADABRA, k=5)),
            ("inverse", Figure(What.INVERSE_RATIO, ABRACADABRA, k=5)),
        ),
        tolerance=0.01,
        inputs=ABRACADABRA,
        lab=Lab(ABRACADABRA, 5),
    ),
    Question(
        "two-part-cost",
        Kind.NUMBER,
        Group.BITS,
        "Three times abracadabra after 5 merges: L = {length}, V = {size}. " + _COST + " What is the cost?",
        answers=(Figure(What.TWO_PART_BITS, ABRACADABRA, k=5),),
        options=(
            Option(
                "no-table",
                why="{value} is the corpus alone. Whoever decodes it needs the merges too: {table} bits "
                "more.",
                figure=Figure(What.DATA_BITS, ABRACADABRA, k=5),
                misconception=Misconception.TABLE_FORGOTTEN,
            ),
            Option(
                "one-id",
                why="A merge is two ids, left and right, so the table costs {table} bits.",
                figure=Figure(What.ONE_ID_BITS, ABRACADABRA, k=5),
                misconception=Misconception.TABLE_HALVED,
            ),
            Option(
                "first-width",
                why="That keeps the width of the start. With {size} tokens an id takes {width} bits.",
                figure=Figure(What.FIRST_WIDTH_BITS, ABRACADABRA, k=5),
                misconception=Misconception.WIDTH_FIXED,
            ),
        ),
        explanation="w = {width}. Corpus {length} × {width} = {data}, table 2 × 5 × {width} = {table}, "
        "together {answer} bits.",
        hints=("How many bits number {size} tokens?", "The table has 5 merges of two ids each."),
        figures=(
            ("length", Figure(What.CORPUS_LENGTH, ABRACADABRA, k=5)),
            ("size", Figure(What.VOCABULARY_SIZE, ABRACADABRA, k=5)),
            ("width", Figure(What.WIDTH, ABRACADABRA, k=5)),
            ("data", Figure(What.DATA_BITS, ABRACADABRA, k=5)),
            ("table", Figure(What.TABLE_BITS, ABRACADABRA, k=5)),
        ),
        measure="bits",
        inputs=ABRACADABRA,
        lab=Lab(ABRACADABRA, 5),
    ),
    Question(
        "best-k",
        Kind.NUMBER,
        Group.BITS,
        "Three times abracadabra can be merged {all} times. "
        + _COST
        + " After how many merges is the cost lowest?",
        answers=(Figure(What.BEST_K, ABRACADABRA),),
        options=(
            Option(
                "all",
                why="After all {value} merges the corpus is one token, but the table has grown: {last} "
                "bits against {best}.",
                figure=Figure(What.MERGES_UNTIL_DRY, ABRACADABRA),
                misconception=Misconception.LARGER_IS_BETTER,
            ),
        ),
        explanation="At k = {answer} the cost is {best} bits. From there on each merge costs more in the "
        "table than it saves in the corpus.",
        hints=("The compression page draws this cost for every k.", "It is not the last k."),
        figures=(
            ("all", Figure(What.MERGES_UNTIL_DRY, ABRACADABRA)),
            ("best", Figure(What.BEST_BITS, ABRACADABRA)),
            ("last", Figure(What.TWO_PART_BITS, ABRACADABRA, k=10)),
        ),
        inputs=ABRACADABRA,
        lab=Lab(ABRACADABRA, 7),
    ),
    Question(
        "best-k-doubled",
        Kind.NUMBER,
        Group.BITS,
        "Now six times abracadabra, {l0} characters instead of {short}. "
        + _COST
        + " After how many merges is the cost "
        "lowest? (If two are equal, the smaller.)",
        answers=(Figure(What.BEST_K, _DOUBLED),),
        options=(
            Option(
                "as-before",
                why="{value} was the best for three. There is more text to save on now, while a merge "
                "costs the same.",
                figure=Figure(What.BEST_K, ABRACADABRA),
                misconception=Misconception.EARLIER_STATE,
            ),
            Option(
                "all",
                why="After all {value} merges the table costs more than it saved.",
                figure=Figure(What.MERGES_UNTIL_DRY, _DOUBLED),
                misconception=Misconception.LARGER_IS_BETTER,
            ),
        ),
        explanation="At k = {answer} the cost is {best} bits. The text grew and the table did not, so one "
        "more merge pays than before, when {short_k} was best.",
        hints=("Open the lab on this text and look at the compression page.",),
        figures=(
            ("l0", Figure(What.CORPUS_LENGTH, _DOUBLED)),
            ("short", Figure(What.CORPUS_LENGTH, ABRACADABRA)),
            ("best", Figure(What.BEST_BITS, _DOUBLED)),
            ("short_k", Figure(What.BEST_K, ABRACADABRA)),
        ),
        inputs=_DOUBLED,
        lab=Lab(_DOUBLED, 8),
    ),
    Question(
        "width-in-force",
        Kind.NUMBER,
        Group.BITS,
        "Another way to charge the table: each merge at the width in force right after it. What does three "
        "times abracadabra cost then after 7 merges?",
        answers=(Figure(What.TWO_PART_BITS_IN_FORCE, ABRACADABRA, k=7),),
        options=(
            Option(
                "final",
                why="{value} charges all 7 merges at the last width. The first two were learned while ids "
                "took 3 bits.",
                figure=Figure(What.TWO_PART_BITS, ABRACADABRA, k=7),
                misconception=Misconception.WIDTH_FIXED,
            ),
            Option(
                "no-table",
                why="{value} is the corpus alone, without the table.",
                figure=Figure(What.DATA_BITS, ABRACADABRA, k=7),
                misconception=Misconception.TABLE_FORGOTTEN,
            ),
        ),
        explanation="The corpus is {length} × {width} bits. Of the 7 merges the first two make "
        "vocabularies of {v1} and {v2}, which 3 bits number; the others take {width}. Together {answer} "
        "bits.",
        hints=("How many bits number {v1} tokens, {v2} tokens, {v3} tokens?",),
        figures=(
            ("length", Figure(What.CORPUS_LENGTH, ABRACADABRA, k=7)),
            ("width", Figure(What.WIDTH, ABRACADABRA, k=7)),
            ("v1", Figure(What.VOCABULARY_SIZE, ABRACADABRA, k=1)),
            ("v2", Figure(What.VOCABULARY_SIZE, ABRACADABRA, k=2)),
            ("v3", Figure(What.VOCABULARY_SIZE, ABRACADABRA, k=3)),
        ),
        measure="bits",
        inputs=ABRACADABRA,
        lab=Lab(ABRACADABRA, 7),
    ),
    Question(
        "least-frequent",
        Kind.CHOICE,
        Group.BITS,
        "Instead of the most frequent pair, someone merges the least frequent pair each time, on three times "
        "abracadabra. What does the cost in bits against k look like?",
        options=(
            Option("rises", "It never falls below the cost at k = 0.", "", right=True),
            Option(
                "same",
                "The same: every pair is merged in the end.",
                "A merge pays only if it is used often. Here each saves about one token and adds a table "
                "row of two ids.",
                misconception=Misconception.LARGER_IS_BETTER,
            ),
            Option(
                "lower",
                "It falls faster: rare pairs are what makes text long.",
                "A rare pair takes few tokens away. What makes text long is what is repeated.",
                misconception=Misconception.LESS_FREQUENT,
            ),
            Option(
                "later",
                "It falls just as low, only at a larger k.",
                "It does not: the table grows with every merge and is never earned back.",
                misconception=Misconception.GREEDY_IS_BEST,
            ),
        ),
        explanation="Without merges the cost is {start} bits. The most frequent pair brings it down to "
        "{best}; the least frequent one saves a token or two for a row of two ids, so the cost stays above "
        "{start}.",
        hints=("What does one merge save, and what does it cost?",),
        figures=(
            ("start", Figure(What.TWO_PART_BITS, ABRACADABRA)),
            ("best", Figure(What.BEST_BITS, ABRACADABRA)),
        ),
        inputs=ABRACADABRA,
    ),
    Question(
        "pmi-of-second",
        Kind.NUMBER,
        Group.BITS,
        "Three times abracadabra after merge 1, {first}: the corpus has {n} tokens. The pair {second} "
        "occurs {count} times, a {a} times and b {b} times. What is its PMI in bits, log2 of p(ab) / "
        "(p(a)·p(b)), with p(ab) taken over the {n} − 1 places?",
        answers=(Figure(What.PMI, ABRACADABRA, k=2),),
        options=(
            Option(
                "first",
                why="{value:.3f} is the PMI of merge 1. The counts have changed since: use those given.",
                figure=Figure(What.PMI, ABRACADABRA, k=1),
                misconception=Misconception.EARLIER_STATE,
            ),
        ),
        explanation="log2 of ({count} / {places}) / (({a} / {n}) · ({b} / {n})) = {answer:.5f} bits: the "
        "two stand side by side far more often than chance would have it.",
        hints=("p(ab) is {count} / {places}.", "p(a) is {a} / {n}."),
        figures=(
            ("first", Figure(What.MERGE_PAIR, ABRACADABRA, k=1)),
            ("second", Figure(What.MERGE_PAIR, ABRACADABRA, k=2)),
            ("n", Figure(What.CORPUS_LENGTH, ABRACADABRA, k=1)),
            ("places", Figure(What.LENGTH_MERGED_ONCE, ABRACADABRA, k=2)),
            ("count", Figure(What.MERGE_COUNT, ABRACADABRA, k=2)),
            ("a", Figure(What.TOKEN_COUNT, ABRACADABRA, k=1, left="a")),
            ("b", Figure(What.TOKEN_COUNT, ABRACADABRA, k=1, left="b")),
        ),
        tolerance=0.01,
        measure="bits",
        inputs=ABRACADABRA,
        lab=Lab(ABRACADABRA, 1),
    ),
    Question(
        "below-the-bound",
        Kind.CHOICE,
        Group.BITS,
        "The order-0 entropy of three times abracadabra gives a bound of {bound:.1f} bits, and Huffman "
        "coding takes {huffman}. BPE with its table takes {best}. How can it be below the bound?",
        options=(
            Option(
                "order", "The bound takes characters as independent; BPE uses their order.", "", right=True
            ),
            Option(
                "table",
                "The {best} bits leave the merge table out.",
                "They include it: without the table it would be {data}.",
                misconception=Misconception.TABLE_FORGOTTEN,
            ),
            Option(
                "optimal",
                "BPE is the best code there is, so it beats every bound.",
                "BPE is greedy and not optimal. And no code beats a bound that applies to it.",
                misconception=Misconception.GREEDY_IS_BEST,
            ),
            Option(
                "rounding",
                "It is a matter of rounding to whole bits.",
                "Rounding makes codes longer, not shorter: Huffman coding takes {huffman} bits.",
                misconception=Misconception.NOT_COMPARABLE,
            ),
        ),
        explanation="The bound of {bound:.1f} bits holds for codes that write one character at a time. "
        "Repeated strings are a pattern in the order, and merges use it.",
        hints=("What does the entropy of single characters not see?",),
        figures=(
            ("bound", Figure(What.ENTROPY_BITS, ABRACADABRA)),
            ("huffman", Figure(What.HUFFMAN_BITS, ABRACADABRA)),
            ("best", Figure(What.BEST_BITS, ABRACADABRA)),
            ("data", Figure(What.DATA_BITS, ABRACADABRA, k=7)),
        ),
        inputs=ABRACADABRA,
        lab=Lab(ABRACADABRA, 7),
    ),
    Question(
        "comparable",
        Kind.CHOICE,
        Group.BITS,
        "Two models use different tokenizers. Which figure can be compared between them?",
        options=(
            Option("per-character", "Loss in bits per character.", "", right=True),
            Option(
                "per-token",
                "Loss in bits per token.",
                "Tokens differ in size: after 5 merges abracadabra costs {per_token:.2f} bits per token "
                "against {per_char:.2f} without merges, and the text is the same.",
                misconception=Misconception.NOT_COMPARABLE,
            ),
            Option(
                "vocabulary",
                "The size of the vocabulary.",
                "It says how many tokens there are, not how well the text is predicted.",
                misconception=Misconception.LARGER_IS_BETTER,
            ),
            Option(
                "perplexity",
                "Perplexity, which is counted per token.",
                "Per token means that it changes with the tokenizer.",
                misconception=Misconception.NOT_COMPARABLE,
            ),
        ),
        explanation="The characters are the same for both. Here {per_token:.3f} bits per token come to "
        "{after:.3f} bits per character after 5 merges.",
        hints=("What stays the same when only the tokenizer changes?",),
        figures=(
            ("per_token", Figure(What.TOKEN_ENTROPY, ABRACADABRA, k=5)),
            ("per_char", Figure(What.ENTROPY, ABRACADABRA)),
            ("after", Figure(What.BITS_PER_CHARACTER, ABRACADABRA, k=5)),
        ),
    ),
)
