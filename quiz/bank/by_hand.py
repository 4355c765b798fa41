"""Fixed questions to work out by hand: counts, next pairs, sizes, ties, stopping. Data only."""

from __future__ import annotations

from dataclasses import replace

from bpe_core.training import TieRule

from ..figures import Figure, What
from ..inputs import AAABDAAABAC, ABRACADABRA, HOP, LOW, REVIEW
from ..misconceptions import Misconception
from ..questions import Group, Kind, Lab, Option, Question

_FIRST = replace(AAABDAAABAC, ties=TieRule.FIRST_SEEN)
_LOWEST = replace(AAABDAAABAC, ties=TieRule.LOWEST_IDS)
_COLUMN = replace(AAABDAAABAC, ties=TieRule.COLUMN_MAJOR)

BY_HAND: tuple[Question, ...] = (
    Question(
        "count-ps",
        Kind.CHOICE,
        Group.BY_HAND,
        "How often do p and s stand side by side in this corpus?",
        answers=(Figure(What.PAIR_COUNT, HOP, left="p", right="s"),),
        options=(
            Option("weighted", figure=Figure(What.PAIR_COUNT, HOP, left="p", right="s")),
            Option(
                "once",
                why="That counts each distinct word once: {value} words hold the pair. A word counts as "
                "often as it occurs.",
                figure=Figure(What.PAIR_WORDS_ONCE, HOP, left="p", right="s"),
                misconception=Misconception.WORDS_ONCE,
            ),
            Option(
                "sh",
                why="{value} is the count of s + h. Left and right are p, then s.",
                figure=Figure(What.PAIR_COUNT, HOP, left="s", right="h"),
                misconception=Misconception.OTHER_PAIR,
            ),
            Option(
                "op",
                why="{value} is the count of o + p, which is in every word.",
                figure=Figure(What.PAIR_COUNT, HOP, left="o", right="p"),
                misconception=Misconception.OTHER_PAIR,
            ),
        ),
        explanation="hops and shops hold p + s, and each counts as often as it occurs: together {answer}.",
        hints=("Which of the words hold p and then s?", "Add up how often those words occur."),
        inputs=HOP,
        show_corpus=True,
        lab=Lab(HOP),
    ),
    Question(
        "sizes-after-one",
        Kind.CHOICE,
        Group.BY_HAND,
        "This corpus starts with {v0} units in use and {l0} tokens. The first merge has count {count}. "
        "What are the vocabulary and the corpus length after it?",
        options=(
            Option("right", "V = {v1}, L = {l1}", "", right=True),
            Option(
                "nothing",
                "V = {v0}, L = {l1}",
                "The new token is an entry of its own, so the vocabulary grows.",
                misconception=Misconception.NOTHING_ADDED,
            ),
            Option(
                "once",
                "V = {v1}, L = {once}",
                "A merge replaces every place where the pair stands, not only the first.",
                misconception=Misconception.MERGED_ONCE,
            ),
            Option(
                "both",
                "V = {v1}, L = {both}",
                "Each replacement turns two tokens into one, so one token goes each time, not two.",
                misconception=Misconception.BOTH_TOKENS_REMOVED,
            ),
        ),
        explanation="One new token: {v0} + 1 = {v1}. Each of the {count} replacements takes one token "
        "away: {l0} − {count} = {l1}.",
        hints=("How many tokens does one replacement save?",),
        figures=(
            ("v0", Figure(What.VOCABULARY_SIZE, HOP)),
            ("v1", Figure(What.VOCABULARY_SIZE, HOP, k=1)),
            ("l0", Figure(What.CORPUS_LENGTH, HOP)),
            ("l1", Figure(What.CORPUS_LENGTH, HOP, k=1)),
            ("count", Figure(What.MERGE_COUNT, HOP, k=1)),
            ("once", Figure(What.LENGTH_MERGED_ONCE, HOP, k=1)),
            ("both", Figure(What.LENGTH_BOTH_REMOVED, HOP, k=1)),
        ),
        inputs=HOP,
        show_corpus=True,
        lab=Lab(HOP),
    ),
    Question(
        "third-merge",
        Kind.CHOICE,
        Group.BY_HAND,
        "The first two merges of this corpus are listed. What is the third?",
        answers=(Figure(What.MERGE_PAIR, HOP, k=3),),
        options=(
            Option("s-hop", figure=Figure(What.MERGE_PAIR, HOP, k=3)),
            Option(
                "hop-s",
                why="{value} counts {hop_s}, {answer} counts {count}.",
                figure=Figure(What.PAIR, HOP, k=2, left="hop", right="s"),
                misconception=Misconception.LESS_FREQUENT,
            ),
            Option(
                "o-p",
                why="That pair is gone: o became part of ho in merge 1, and ho + p was merge 2.",
                figure=Figure(What.PAIR, HOP, left="o", right="p"),
                misconception=Misconception.EARLIER_STATE,
            ),
            Option(
                "s-h",
                why="No h stands alone any more, so s now stands before hop.",
                figure=Figure(What.PAIR, HOP, left="s", right="h"),
                misconception=Misconception.EARLIER_STATE,
            ),
        ),
        explanation="All words now hold hop. shop and shops put s before it, {count} times together; hops "
        "and shops put s after it, {hop_s} times.",
        hints=("Write the four words with the token hop in them.",),
        figures=(
            ("count", Figure(What.MERGE_COUNT, HOP, k=3)),
            ("hop_s", Figure(What.PAIR_COUNT, HOP, k=2, left="hop", right="s")),
        ),
        inputs=HOP,
        show_corpus=True,
        show_merges=2,
        lab=Lab(HOP, 2),
    ),
    Question(
        "marker-after-w",
        Kind.NUMBER,
        Group.BY_HAND,
        "low lower lowest is cut at white space, and each word ends in a marker. How often does the marker "
        "stand right after w?",
        answers=(Figure(What.PAIR_COUNT, LOW, left="w", right="</w>"),),
        options=(
            Option(
                "w",
                why="w itself occurs {value} times, but a pair counts only where both stand side by side.",
                figure=Figure(What.TOKEN_COUNT, LOW, left="w"),
                misconception=Misconception.SINGLE_TOKEN_COUNT,
            ),
        ),
        explanation="Only low ends in w, so the pair counts {answer}.",
        hints=("Which of the three words end in w?",),
        inputs=LOW,
        lab=Lab(LOW),
    ),
    Question(
        "stops-early",
        Kind.NUMBER,
        Group.BY_HAND,
        "On low lower lowest, with markers and a minimum count of {least}, you ask for 200 merges. How "
        "many are made?",
        answers=(Figure(What.MERGES_UNTIL_DRY, LOW),),
        options=(
            Option(
                "all",
                why="Training stops as soon as no pair reaches the minimum count, however many merges were "
                "asked for.",
                figure=Figure(What.NUMBER, number=200),
                misconception=Misconception.MINIMUM_FORGOTTEN,
            ),
            Option(
                "to-the-end",
                why="That many it would be without a minimum. Here a pair has to occur at least {least} "
                "times.",
                figure=Figure(What.MERGES_UNTIL_DRY, replace(LOW, min_count=1)),
                misconception=Misconception.MINIMUM_FORGOTTEN,
            ),
        ),
        explanation="{one}, {two} and {three} are merged. After that every pair occurs once, so training "
        "stops after {answer}.",
        hints=("After which merge does every remaining pair occur once?",),
        figures=(
            ("least", Figure(What.NUMBER, number=2)),
            ("one", Figure(What.MERGE_PAIR, LOW, k=1)),
            ("two", Figure(What.MERGE_PAIR, LOW, k=2)),
            ("three", Figure(What.MERGE_PAIR, LOW, k=3)),
        ),
        inputs=LOW,
        lab=Lab(LOW),
    ),
    Question(
        "overlap-length",
        Kind.NUMBER,
        Group.BY_HAND,
        "AAABDAAABAC has {l0} tokens before any merge. Merge 1 is A + A. How many tokens are left after it?",
        answers=(Figure(What.CORPUS_LENGTH, _FIRST, k=1),),
        options=(
            Option(
                "by-count",
                why="The count is {count}, because AAA holds A + A twice. But the two overlap, and only "
                "one of them can be replaced: {replaced} replacements in all.",
                figure=Figure(What.LENGTH_BY_COUNT, _FIRST, k=1),
                misconception=Misconception.COUNT_FOR_REPLACEMENTS,
            ),
            Option(
                "once",
                why="A merge replaces every place where the pair stands, not only the first.",
                figure=Figure(What.LENGTH_MERGED_ONCE, _FIRST, k=1),
                misconception=Misconception.MERGED_ONCE,
            ),
        ),
        explanation="A + A counts {count}, overlaps included, but replacement goes from left to right "
        "without overlapping: {replaced} replacements, {l0} − {replaced} = {answer}.",
        hints=("How many times can AA be cut out of AAA?",),
        figures=(
            ("l0", Figure(What.CORPUS_LENGTH, _FIRST)),
            ("count", Figure(What.MERGE_COUNT, _FIRST, k=1)),
            ("replaced", Figure(What.MERGE_REPLACEMENTS, _FIRST, k=1)),
        ),
        inputs=_FIRST,
        lab=Lab(_FIRST),
    ),
    Question(
        "which-tie-rule",
        Kind.CHOICE,
        Group.BY_HAND,
        "AAABDAAABAC after merge 1, A + A: the pairs AA + A and A + B are tied at {count}. An encyclopedia "
        "takes {answer} next. Which tie rule is that?",
        answers=(Figure(What.MERGE_PAIR, _LOWEST, k=2),),
        options=(
            Option(
                "lowest",
                "The lowest left id, then the lowest right id.",
                "",
                Figure(What.MERGE_PAIR, _LOWEST, k=2),
            ),
            Option(
                "first",
                "The pair seen first.",
                "Reading from the left, {value} comes first.",
                Figure(What.MERGE_PAIR, _FIRST, k=2),
                misconception=Misconception.OTHER_TIE_RULE,
            ),
            Option(
                "column",
                "The lowest right id, then the lowest left id.",
                "On the right A is lower than B, so this rule takes {value}.",
                Figure(What.MERGE_PAIR, _COLUMN, k=2),
                misconception=Misconception.OTHER_TIE_RULE,
            ),
        ),
        explanation="A has the id {a}, AA the id {aa}. On the left A is lower, so the lowest left id takes "
        "{answer}.",
        hints=("Single bytes have the ids 0 to 255; merged tokens come after.",),
        figures=(
            ("count", Figure(What.MERGE_COUNT, _LOWEST, k=2)),
            ("a", Figure(What.TOKEN_ID, _LOWEST, k=1, left="A")),
            ("aa", Figure(What.TOKEN_ID, _LOWEST, k=1, left="AA")),
        ),
        inputs=_LOWEST,
        lab=Lab(_LOWEST, 1),
    ),
    Question(
        "second-first-seen",
        Kind.PAIR,
        Group.BY_HAND,
        "AAABDAAABAC after merge 1, A + A. Ties go to the pair seen first. Which pair is merge 2?",
        answers=(Figure(What.MERGE_PAIR, _FIRST, k=2),),
        explanation="The corpus starts AA, A, B. {answer} and A + B both count {count}, and {answer} is "
        "seen first.",
        hints=("Write the tokens down after merge 1, from the left.",),
        figures=(("count", Figure(What.MERGE_COUNT, _FIRST, k=2)),),
        inputs=_FIRST,
        lab=Lab(_FIRST, 1),
    ),
    Question(
        "review-fifth",
        Kind.PAIR,
        Group.BY_HAND,
        "The café review after 4 merges: which pair is merge 5? Write a space that belongs to a token as ␣.",
        answers=(Figure(What.MERGE_PAIR, REVIEW, k=5),),
        explanation="{answer} counts {count}: once in ␣baker, twice in ␣bakes. Of {tied} tied pairs it is "
        "seen first.",
        hints=("Three words begin with ␣b.", "After ␣b comes ake."),
        figures=(
            ("count", Figure(What.MERGE_COUNT, REVIEW, k=5)),
            ("tied", Figure(What.MERGE_TIED, REVIEW, k=5)),
        ),
        inputs=REVIEW,
        show_corpus=True,
        show_merges=4,
        lab=Lab(REVIEW, 4),
    ),
    Question(
        "review-fourth-token",
        Kind.TOKEN,
        Group.BY_HAND,
        "The café review after 3 merges. Which new token does merge 4 make? Write a space that belongs to "
        "it as ␣.",
        answers=(Figure(What.MERGE_TOKEN, REVIEW, k=4),),
        options=(
            Option(
                "third",
                why="{value} is merge 3; it exists already.",
                figure=Figure(What.MERGE_TOKEN, REVIEW, k=3),
                misconception=Misconception.EARLIER_STATE,
            ),
            Option(
                "fifth",
                why="{value} is merge 5. Its left half has to be made first.",
                figure=Figure(What.MERGE_TOKEN, REVIEW, k=5),
                misconception=Misconception.LATER_STATE,
            ),
        ),
        explanation="The pair is {pair}, count {count}, so the token is {answer}, space included.",
        hints=("A space stays on the word after it.", "How many words begin with a space and b?"),
        figures=(
            ("pair", Figure(What.MERGE_PAIR, REVIEW, k=4)),
            ("count", Figure(What.MERGE_COUNT, REVIEW, k=4)),
        ),
        inputs=REVIEW,
        show_corpus=True,
        show_merges=3,
        lab=Lab(REVIEW, 3),
    ),
    Question(
        "abracadabra-third-token",
        Kind.TOKEN,
        Group.BY_HAND,
        "Three times abracadabra, not cut into words; merges 1 and 2 are listed. Which token does merge 3 "
        "make?",
        answers=(Figure(What.MERGE_TOKEN, ABRACADABRA, k=3),),
        explanation="{pair} counts {count}: twice in each abracadabra. Together they are {answer}.",
        hints=("Write abracadabra with the tokens ab and ra in it.",),
        figures=(
            ("pair", Figure(What.MERGE_PAIR, ABRACADABRA, k=3)),
            ("count", Figure(What.MERGE_COUNT, ABRACADABRA, k=3)),
        ),
        inputs=ABRACADABRA,
        show_merges=2,
        lab=Lab(ABRACADABRA, 2),
    ),
)
