"""Compression: what the corpus costs in bits, code by code and merge by merge, and when merges stop paying.

The sections are in ``ui.bits_costs``, ``ui.bits_tokens`` and ``ui.experiment``; this file places them.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bpe_core.training import Trainer
from bpe_core.tree import MergeTree
from ui import bits, bits_costs, bits_tokens, doubling, experiment
from ui import bits_words as words
from ui import lab as labs
from ui.lab_bar import k_slider, lab_line, onward
from ui.notes import note
from ui.remembered import remembered
from ui.say import say
from ui.tiles import first_tokens, tiles
from ui.tree import in_words, summary, tree

LESSON = replace(labs.lab_of(labs.PRESETS["abracadabra"]), k=5)
STRIP = 160  # tiles of the corpus shown at the top
SHELF = 40  # tokens offered for a merge tree


def main() -> None:
    """The page from top to bottom."""
    lab = labs.current()
    trainer = labs.trainer_for(lab)
    labs.learned_enough(trainer, lab.k)
    bits.style()
    st.title("When do merges stop paying?")
    say(
        [
            "Every merge makes the text shorter and the table of merges longer. Written in bits, the text "
            "gets cheaper and the table dearer, so some number of merges is the cheapest. Every figure "
            "here is computed from your own corpus; open the three-word text to meet the classic example."
        ],
        key="intro",
        live=False,
    )
    note(labs.notices(), "warn")
    lab_line(lab, key="bits_lab")
    corpus_bar(lab, trainer)
    if not trainer.corpus.words:
        empty(trainer)
    bits_costs.learn_more(lab, trainer)
    bits_costs.codes(lab)
    model = bits_costs.costs(lab, trainer)
    bits_tokens.token_lengths(lab, trainer)
    bits_tokens.entropies(lab, trainer)
    bits_tokens.worth(lab, trainer)
    trees(lab, trainer)
    experiment.another_choice(lab, trainer, model)
    background()
    onward(
        ("sizes.py", "How are L and V counted?"),
        ("real.py", "What did GPT-4o’s merges pay for?"),
    )


def corpus_bar(lab: labs.Lab, trainer: Trainer) -> None:
    """Buttons for the corpus, the slider for k, and the corpus as tokens."""
    opened = lab.training_key == LESSON.training_key
    with st.container(horizontal=True, key="bits_corpus"):
        st.button(
            "Open the three-word text",
            key="bits_open",
            type="secondary" if opened else "primary",
            on_click=labs.open_lab,
            args=(LESSON,),
            disabled=lab.locked,
            help="abracadabra three times, no word splitting, after 5 merges.",
        )
        doubling.buttons(lab)
    k_slider(lab, trainer, key="bits_k", live=False)
    if trainer.corpus.words:
        say(words.where_we_are(lab, trainer), key="bits_where", lines=1)
        strip(lab, trainer)


def strip(lab: labs.Lab, trainer: Trainer) -> None:
    """The first tokens of the corpus at k, distinct words with their counts."""
    split = trainer.words_at(lab.k, STRIP, longest=STRIP + 1)
    shown = [[trainer.token(id) for id in ids] for ids in first_tokens(split, STRIP)]
    drawn = sum(map(len, shown))
    tiles(shown, key="bits_tiles", label="The corpus as tokens", counts=trainer.corpus.counts)
    if drawn < sum(map(len, split)) or len(shown) < len(trainer.corpus.words):
        bits.aside(f"The first {drawn:,} tokens of the corpus's distinct words.")


def empty(trainer: Trainer) -> None:
    """Why there is nothing to compute yet."""
    dropped = trainer.corpus.dropped
    sentences = ["The corpus holds no words, so its figures are not defined yet."]
    if dropped is not None and dropped.characters:
        sentences.append(dropped.sentence)
    sentences.append("Type a text on the Train page, or open the three-word text above.")
    note(sentences, "empty")


def trees(lab: labs.Lab, trainer: Trainer) -> None:
    """The merge tree of a token that the learner picks."""
    st.subheader("Which merges made this token?", anchor=False)
    known = len(trainer.steps)
    if not known:
        note("No token is made of others yet, since there is no merge.", "empty")
        return
    kept = st.session_state.get("bits_tree")
    number = (
        kept[1] if kept is not None and kept[0] == lab.training_key and kept[1] <= known else lab.k or known
    )
    shelf = [step.index for step in reversed(trainer.steps[: lab.k or known][-SHELF:])]

    def choose(to: int) -> None:
        st.session_state["bits_tree"] = (lab.training_key, to)

    picked = tiles(
        [[trainer.token(trainer.steps[i - 1].token) for i in shelf]],
        key="bits_shelf",
        label="Pick a token to see the merges that made it",
        pick="tile",
        chosen=shelf.index(number) if number in shelf else None,
    ).picked
    if picked is not None and shelf[picked] != number:
        choose(shelf[picked])
        st.rerun()
    what = f"The {len(shelf):,} newest tokens" if len(shelf) < (lab.k or known) else "Every merged token"
    bits.aside(f"{what}{' at k' if lab.k else ' this corpus can make'}, the newest first. Or give a merge:")
    st.number_input(
        f"Token of merge number (1 to {known:,})",
        min_value=1,
        max_value=known,
        step=1,
        key=labs.sync("bits_tree_number", number),
        on_change=lambda: choose(int(st.session_state["bits_tree_number"])),
        width=260,
    )
    root = _tree_of(lab, trainer, trainer.steps[number - 1].token)
    clicked = tree(root, key="bits_tree_diagram", label=f"Merge tree of the token of merge {number:,}")
    if clicked is not None and clicked != root.id:
        choose(trainer.merge_of(clicked) or number)
        st.rerun()
    bits.aside(summary(root) + " Pick a token in the tree to see its own.")
    with st.expander("The same tree in words"):
        st.code(in_words(root), language=None, wrap_lines=True)


def _tree_of(lab: labs.Lab, trainer: Trainer, id: int) -> MergeTree:
    """The merge tree of a token of any merge learned, not only of those at k."""
    made = trainer.merge_of(id) or 0
    return remembered("bits_tokenizer", (lab.training_key, made), lambda: trainer.tokenizer(made)).tree(id)


def background() -> None:
    """History and exercises, folded."""
    with st.expander("Where byte-pair encoding comes from"):
        st.write(
            "It began as compression: Philip Gage published it in 1994, replacing the most frequent pair "
            "of bytes by a byte that was not used, with the table beside the text. Re-Pair (1999) does the "
            "same to whole texts and stores the table well. In 2016 Sennrich, Haddow and Birch turned it "
            "round for translation: the table is what one keeps, as a vocabulary for texts not seen yet. "
            "GPT-2 starts from bytes, so nothing is ever unknown: 256 bytes + 50,000 merges + 1 special "
            "token = 50,257. Special tokens, such as end of text, beginning and padding, are added by "
            "hand: no merge makes them."
        )
    with st.expander("Five things to try"):
        st.write(
            "1. On one abracadabra alone three pairs share the top count of 2: ab, br and ra. Does it "
            "matter which one is taken? Sizes lets two runs race.\n"
            "2. Merge the least frequent or a random pair, above. Where does the curve of bits go, and why?\n"
            "3. Count the tokens of xyzzy above, from characters and from bytes. Which of the two knows it?\n"
            "4. Double the text a few times. Which way does the cheapest k move under the two cost models?\n"
            "5. Is the PMI of the second merge higher than that of the first? Move k to 2 and compare."
        )


main()
