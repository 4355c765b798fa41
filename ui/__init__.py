"""The only shared Streamlit code. Rooms, from the frame inwards:

    shell, style                the frame around every page; navigation; the little CSS the theme cannot say
    presets, links, lab, keep   the learner's corpus, settings, k and new text: where they start from, as a
                                link or a file, for a session, and past a reload
    tiles, say, notes, scrub, clicks, live_text, charts, downloads
                                the pieces pages are made of; ``parts`` registers those that have a script of
                                their own in `assets/`
    the others                  one page's own pieces and words, named for what they show

Not here: the algorithm (`bpe_core`), questions (`quiz`), where things stand on a page (`pages`).
"""
