"""Train: the corpus, one merge at a time. The first page."""

from __future__ import annotations

import streamlit as st

from ui import lab as labs
from ui.live_text import live_text
from ui.say import say, tok
from ui.tiles import tiles

lab = labs.current()
trainer = labs.trainer_for(lab)
labs.learned_enough(trainer, lab.k)
st.title("Byte-pair encoding, one merge at a time")
pair = trainer.next_pair(lab.k)
st.button(
    "Next merge",
    key="next",
    type="primary",
    shortcut="N",
    disabled=pair is None,
    on_click=lambda: labs.update(k=lab.k + 1),
)
if pair:
    say(["Next: ", tok(trainer.token(pair[0])), " + ", tok(trainer.token(pair[1]))], key="what", lines=2)
words = [[trainer.token(i) for i in w] for w in trainer.words_at(lab.k)]
r = tiles(
    words,
    key="corpus",
    label="The corpus as tokens",
    counts=trainer.corpus.counts,
    ring=pair,
    newest=trainer.steps[lab.k - 1].token if lab.k else None,
)


@st.fragment
def new_text():
    t = live_text("New text", labs.current().new_text, key="new_text")
    if t != labs.current().new_text:
        labs.update(new_text=t)
    tz = labs.tokenizer_for(labs.current())
    tiles([tz.tokenize(t)], key="split", label="New text")


new_text()
