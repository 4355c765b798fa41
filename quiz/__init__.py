"""Practice: questions as data, and checkers that ask ``bpe_core`` for the answer. No web, no charts.

    inputs          a question's corpus and settings; the lab link that opens them
    values          what an answer can be: a number, a token, a pair, a split, a word
    what            what can be asked of the core, as data
    figures         the core's answer to it
    misconceptions  the mistakes people make, by name
    questions       the records of a question and its sentences
    reading         answers as people type them
    checking        check(question, answer) -> Feedback
    predict         "which pair merges next?", judged
    cutting         "where does this word split?", judged
    bank            the fixed questions
    made            endless questions from a seed and a level (made_corpora, made_parts, made_by_hand,
                    made_texts)
    sheet           a teacher's own questions in a TOML file
    progress        what a learner has tried so far, as data
    results         the file a student hands in
    gathering       a class's files put together
    dice            chance that is the same on every machine

Everything here is a pure function of its arguments; nothing is stored and nothing is drawn.
"""
