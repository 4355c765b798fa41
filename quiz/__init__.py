"""Practice: questions as data, and checkers that ask ``bpe_core`` for the answer. No web, no charts.

    inputs          a question's corpus and settings; the lab link that opens them
    values          what an answer can be: a number, a token, a pair, a split, a word
    figures         one thing asked of the core, as data
    misconceptions  the mistakes people make, by name
    questions       the records of a question and its sentences
    reading         answers as people type them
    checking        check(question, answer) -> Feedback
    predict         "which pair merges next?", judged
    cutting         "where does this word split?", judged
    bank            the fixed questions
    made            endless questions from a seed and a level
    sheet           a teacher's own questions in a TOML file
    progress        what a learner has tried so far, as data
    results         the file handed in, and a class's files put together

Everything here is a pure function of its arguments; nothing is stored and nothing is drawn.
"""
