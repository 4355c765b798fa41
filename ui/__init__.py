"""The only shared Streamlit code: shell, lab state and links, tiles, live text, charts, downloads.

    shell       navigation and page frame
    lab         the learner's corpus, settings, k and new text; links; presets; the cached trainer
    keep        what makes the lab survive a reload: the address bar and this tab's storage
    tiles       the one tile component
    say         a sentence for eyes and screen readers (live region)
    live_text   a multi-line box that reports while typing
    charts      chart specifications authored once, drawn many times
    downloads   download buttons and the "copy link" button

Not here: the algorithm (`bpe_core`), questions (`quiz`), what a page says (`pages`).
"""
