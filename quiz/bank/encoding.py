"""Fixed questions on encoding: replaying merges on new words, ids, decoding. Data only."""

from __future__ import annotations

from ..figures import Figure, What
from ..inputs import ABRACADABRA, CATS, HOP, LOW, REVIEW
from ..misconceptions import Misconception
from ..questions import Group, Kind, Lab, Option, Question

ENCODING: tuple[Question, ...] = (
    Question(
        "shops-split",
        Kind.CHOICE,
        Group.ENCODING,
        "The merges are listed in order. How does shops split?",
        answers=(Figure(What.SPLIT, HOP, k=4, new="shops"),),
        options=(
            Option("replay", figure=Figure(What.SPLIT, HOP, k=4, new="shops")),
            Option(
                "backwards",
                why="That lets merge 4 go before merge 3. Merges are replayed in the order they were "
                "learned.",
                figure=Figure(What.SPLIT_BACKWARDS, HOP, k=4, new="shops"),
                misconception=Misconception.MERGE_ORDER,
            ),
            Option(
                "two-merges",
                why="That stops after merge 2. {third} stand side by side, so merge 3 joins them.",
                figure=Figure(What.SPLIT, HOP, k=2, new="shops"),
                misconception=Misconception.MERGE_MISSED,
            ),
            Option(
                "letters",
                why="That makes no merge at all.",
                figure=Figure(What.SPLIT, HOP, new="shops"),
                misconception=Misconception.NO_MERGES,
            ),
        ),
        explanation="Merges 1 and 2 make hop, merge 3 makes shop, and hop is no longer there for merge 4: "
        "{answer}.",
        hints=("Start with s, h, o, p, s and go down the list.",),
        figures=(("third", Figure(What.MERGE_PAIR, HOP, k=3)),),
        inputs=HOP,
        show_merges=4,
        lab=Lab(HOP, 4, "shops"),
    ),
    Question(
        "maker-split",
        Kind.SPLIT,
        Group.ENCODING,
        "The café review, 5 merges. How does the new word maker split?",
        answers=(Figure(What.SPLIT, REVIEW, k=5, new="maker"),),
        options=(
            Option(
                "letters",
                why="maker is new, but its parts are not.",
                figure=Figure(What.SPLIT, REVIEW, new="maker"),
                misconception=Misconception.NO_MERGES,
            ),
        ),
        explanation="Merges 1 and 2 apply and make ake: {answer}. The word was never seen and can still be "
        "written.",
        hints=("Which of the merges find both their tokens in maker?",),
        inputs=REVIEW,
        show_merges=5,
        lab=Lab(REVIEW, 5, "maker"),
    ),
    Question(
        "baked-split",
        Kind.SPLIT,
        Group.ENCODING,
        "The café review, 5 merges. How does ␣baked split? The space in front belongs to the word; write "
        "it as ␣.",
        answers=(Figure(What.SPLIT, REVIEW, k=5, new=" baked"),),
        explanation="{answer}: merges 1 and 2 make ake, merge 4 makes ␣b, merge 5 joins the two. No merge "
        "uses d.",
        hints=("Go through the merges in order; three tokens come together.",),
        inputs=REVIEW,
        show_merges=5,
        lab=Lab(REVIEW, 5, " baked"),
    ),
    Question(
        "lowly-split",
        Kind.SPLIT,
        Group.ENCODING,
        "Trained on low lower lowest with end-of-word markers; the merges are listed. How does lowly "
        "split? Write the marker as </w>.",
        answers=(Figure(What.SPLIT, LOW, k=3, new="lowly"),),
        explanation="Merges 1 and 2 make low. l, y and the marker have no merge: {answer}.",
        hints=("Two of the three merges apply.",),
        inputs=LOW,
        show_merges=3,
        lab=Lab(LOW, 3, "lowly"),
    ),
    Question(
        "id-of-the",
        Kind.NUMBER,
        Group.ENCODING,
        "Byte level, first merge gets the id 256. Training on the cats text makes the merges listed. Which "
        "id has the token the␣?",
        answers=(Figure(What.TOKEN_ID, CATS, k=10, left="the "),),
        options=(
            Option(
                "number",
                why="{value} is the number of the merge. Ids start after the 256 bytes, with merge 1 at 256.",
                figure=Figure(What.MERGE_NUMBER_OF, CATS, left="the "),
                misconception=Misconception.BASE_FORGOTTEN,
            ),
            Option(
                "off",
                why="Merge 1 gets the id 256, not 257.",
                figure=Figure(What.NUMBER, number=261),
                misconception=Misconception.LATER_STATE,
            ),
        ),
        explanation="It is merge {number}, and merge 1 has the id 256, so {answer}.",
        hints=("Merge i gets the id 255 + i.",),
        figures=(("number", Figure(What.MERGE_NUMBER_OF, CATS, left="the ")),),
        inputs=CATS,
        show_merges=10,
        lab=Lab(CATS, 10),
    ),
    Question(
        "bra-tokens",
        Kind.NUMBER,
        Group.ENCODING,
        "Three times abracadabra, not cut into words, 5 merges. How many tokens is the fragment bra?",
        answers=(Figure(What.SPLIT_LENGTH, ABRACADABRA, k=5, new="bra"),),
        options=(
            Option(
                "inside-abra",
                why="abra is a token, but a token is used whole or not at all. bra is spelled {split}.",
                figure=Figure(What.NUMBER, number=1),
                misconception=Misconception.MERGE_INVENTED,
            ),
            Option(
                "letters",
                why="r + a is merge 1, so the three letters do not all stay apart.",
                figure=Figure(What.SPLIT_LENGTH, ABRACADABRA, new="bra"),
                misconception=Misconception.NO_MERGES,
            ),
        ),
        explanation="{split}: merge 1 joins r + a, and no merge joins b to it.",
        hints=("Which merges find both their tokens in bra?",),
        figures=(("split", Figure(What.SPLIT, ABRACADABRA, k=5, new="bra")),),
        inputs=ABRACADABRA,
        show_merges=5,
        lab=Lab(ABRACADABRA, 5, "bra"),
    ),
    Question(
        "decoding",
        Kind.CHOICE,
        Group.ENCODING,
        "How does a byte-level tokenizer turn ids back into text?",
        options=(
            Option(
                "join", "It joins the bytes of all tokens and then decodes them as UTF-8.", "", right=True
            ),
            Option(
                "each",
                "It decodes each token as UTF-8 and joins the results.",
                "A token may hold half a character, which cannot be decoded alone: é is {bytes} bytes.",
                misconception=Misconception.CHARACTERS_FOR_BYTES,
            ),
            Option(
                "undo",
                "It undoes the merges in reverse order, down to the bytes.",
                "That would come out the same, but nothing needs undoing: every token knows its bytes.",
                misconception=Misconception.MERGE_ORDER,
            ),
            Option(
                "look-up",
                "It looks the words up in the training text.",
                "The training text is not kept. The vocabulary is enough.",
                misconception=Misconception.TRAINS_ON_NEW_TEXT,
            ),
        ),
        explanation="All bytes first, then UTF-8, because a character's bytes may lie in different tokens. "
        "Bytes that are no valid UTF-8 are shown as a replacement character.",
        hints=("Can the end of a token fall inside a character?",),
        figures=(("bytes", Figure(What.BYTES, new="é")),),
    ),
)
