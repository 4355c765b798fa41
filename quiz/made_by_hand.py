"""Made questions to work out by hand: count a pair, next pair, sizes after a merge, which tie rule.

A maker returns None when what was drawn does not make a good question (no tie to break, too few mistakes
that differ from the answer); ``made`` then draws again.

Not here: splits, bytes and bits (``made_texts``).
"""

from __future__ import annotations

from dataclasses import replace

from bpe_core.display import text_label
from bpe_core.errors import SettingError
from bpe_core.training import Pair, TieRule, Trainer

from .figures import Figure, What, value
from .made_parts import Draft, Mistake, after, asked, pair_figure, pair_name, shares_text, text_of, trained_to
from .misconceptions import Misconception as M
from .predict import judge, rule_in_words
from .questions import Group, Kind, Lab, Option, Question, literal


def make_count_pair(draft: Draft) -> Question | None:
    """How often do two tokens stand side by side?"""
    inputs, dice = draft.corpus(), draft.dice
    k = (0, dice.below(2), dice.between(1, 3))[draft.level - 1]
    trainer = trained_to(inputs, k)
    if trainer is None:
        return None
    ranked = [each for each in trainer.ranked_pairs(k) if each.count > 1]
    if not ranked:
        return None
    pair = dice.pick(ranked).pair
    left, right = pair
    answer = pair_figure(What.PAIR_COUNT, inputs, trainer, pair, k)
    others = [each.pair for each in ranked if each.pair != pair]
    mistakes = [
        Mistake(
            pair_figure(What.PAIR_WORDS_ONCE, inputs, trainer, pair, k),
            M.WORDS_ONCE,
            "That counts each distinct word once. A word counts as often as it occurs.",
        ),
        Mistake(
            pair_figure(What.PAIR_REPLACEMENTS, inputs, trainer, pair, k),
            M.OVERLAP_MISSED,
            "That leaves overlaps out. A count takes every place where the two stand side by side; only "
            "replacing skips overlaps.",
        ),
        Mistake(
            pair_figure(What.PAIR_WORDS_WITH, inputs, trainer, pair, k),
            M.ONE_PER_WORD,
            "That counts the pair once in each word. Some words hold it more than once.",
        ),
        Mistake(
            Figure(What.TOKEN_COUNT, inputs, k, left=text_of(trainer, left)),
            M.SINGLE_TOKEN_COUNT,
            "That is how often the left token occurs. Only the places with the right token after it count.",
        ),
        Mistake(
            Figure(What.TOKEN_COUNT, inputs, k, left=text_of(trainer, right)),
            M.SINGLE_TOKEN_COUNT,
            "That is how often the right token occurs. Only the places with the left token before it count.",
        ),
        *[
            Mistake(
                pair_figure(What.PAIR_COUNT, inputs, trainer, other, k),
                M.OTHER_PAIR,
                f"That is the count of {pair_name(trainer, other)}.",
            )
            for other in others[:4]
        ],
    ]
    name = pair_name(trainer, pair)
    return asked(
        draft,
        Kind.NUMBER,
        Group.BY_HAND,
        f"{after(k)}: what is the count of the pair {name}?",
        [answer],
        mistakes,
        f"{shares_text(trainer, pair, k)} = {{answer}}.",
        ("Which words hold the pair, and how often do they occur?",),
        inputs,
        merges=k,
        k=k,
    )


def make_next_pair(draft: Draft) -> Question | None:
    """Which pair merges next?"""
    dice = draft.dice
    ties = dice.pick(list(TieRule)) if draft.level == 3 else TieRule.FIRST_SEEN
    inputs = draft.corpus(ties)
    k = (0, dice.between(1, 2), dice.between(1, 4))[draft.level - 1]
    trainer = trained_to(inputs, k)
    if trainer is None:
        return None
    pair = trainer.steps[k].pair
    tied = trainer.tied_pairs(k)
    any_tied = draft.level == 1 and dice.below(2) == 0
    if any_tied:
        answers = [pair_figure(What.PAIR, inputs, trainer, one, k) for one in tied]
    else:
        answers = [Figure(What.MERGE_PAIR, inputs, k + 1)]
    candidates = [
        Figure(What.TOP_PAIR_WORDS_ONCE, inputs, k + 1),
        Figure(What.TOP_PAIR_REPLACEMENTS, inputs, k + 1),
        *[pair_figure(What.PAIR, inputs, trainer, one, k) for one in tied],
        Figure(What.RUNNER_UP, inputs, k + 1),
        pair_figure(What.PAIR, inputs, trainer, (pair[1], pair[0]), k),
        *[pair_figure(What.PAIR, inputs, trainer, one.pair, k) for one in trainer.ranked_pairs(k, 6)],
    ]
    mistakes: list[Mistake] = []
    for figure in candidates:
        judged = judge(trainer, k, _ids(trainer, figure, k))
        if judged.misconception is not None:
            mistakes.append(Mistake(figure, judged.misconception, literal(judged.message)))
    if any_tied:
        prompt = f"{after(k)}: which pair has the highest count? If several share it, any of them is right."
    else:
        rule = f" Ties go to {rule_in_words(ties)}."
        prompt = f"{after(k)}: which pair merges next?{rule}"
    why = literal(judge(trainer, k, pair).message)
    explanation = f"{why} {shares_text(trainer, pair, k)} = {{count}}."
    return asked(
        draft,
        Kind.PAIR,
        Group.BY_HAND,
        prompt,
        answers,
        mistakes,
        explanation,
        ("Count the pairs that are in more than one word first.", "Each word counts as often as it occurs."),
        inputs,
        merges=k,
        k=k,
        figures=(("count", Figure(What.MERGE_COUNT, inputs, k + 1)),),
        to_choose=False if any_tied else None,
    )


def _ids(trainer: Trainer, figure: Figure, k: int) -> Pair | None:
    """The pair of ids that a figure's value names in the state after k merges."""
    try:
        found = value(figure)
    except SettingError:
        return None
    left, _, right = str(found).partition(" + ")
    labels = {text_label(text_of(trainer, id)).plain: id for id in range(len(trainer.alphabet) + k)}
    return (labels[left], labels[right])


def make_sizes(draft: Draft) -> Question | None:
    """L or V after the next merge."""
    inputs, dice = draft.corpus(), draft.dice
    k = (0, dice.below(3), dice.between(1, 4))[draft.level - 1]
    trainer = trained_to(inputs, k)
    if trainer is None:
        return None
    pair = pair_name(trainer, trainer.steps[k].pair)
    n = k + 1
    figures = (
        ("l", Figure(What.CORPUS_LENGTH, inputs, k)),
        ("v", Figure(What.VOCABULARY_SIZE, inputs, k)),
        ("count", Figure(What.MERGE_COUNT, inputs, n)),
        ("replaced", Figure(What.MERGE_REPLACEMENTS, inputs, n)),
    )
    told = f"the corpus has {{l}} tokens and the vocabulary {{v}} (units in use). Merge {n} is {pair}"
    told += ", which counts {count}." if draft.level == 1 else "."
    mixed = "That is the {}. The question is about the {}."
    if dice.below(2) == 0:
        answer = Figure(What.CORPUS_LENGTH, inputs, n)
        once = "A merge replaces every place where the pair stands, not only the first."
        mistakes = [
            Mistake(
                Figure(What.LENGTH_BY_COUNT, inputs, n),
                M.COUNT_FOR_REPLACEMENTS,
                "The count is {count}, overlaps included, but only {replaced} can be replaced.",
            ),
            Mistake(Figure(What.LENGTH_MERGED_ONCE, inputs, n), M.MERGED_ONCE, once),
            Mistake(
                Figure(What.LENGTH_BOTH_REMOVED, inputs, n),
                M.BOTH_TOKENS_REMOVED,
                "Each replacement turns two tokens into one, so one goes each time, not two.",
            ),
            Mistake(
                Figure(What.CORPUS_LENGTH, inputs, k),
                M.EARLIER_STATE,
                "That is the length before the merge.",
            ),
            Mistake(
                Figure(What.VOCABULARY_SIZE, inputs, n),
                M.SIZES_MIXED_UP,
                mixed.format("vocabulary size", "corpus length"),
            ),
        ]
        what = "How many tokens does the corpus have after it?"
        explanation = "{l} − {replaced} = {answer}: each replacement takes one token away."
        hint = "How many tokens does one replacement save?"
    else:
        answer = Figure(What.VOCABULARY_SIZE, inputs, n)
        mistakes = [
            Mistake(
                Figure(What.SIZE_PARENTS_REMOVED, inputs, n),
                M.PARENTS_REMOVED,
                "Both old tokens stay in the vocabulary; the new one comes on top.",
            ),
            Mistake(
                Figure(What.VOCABULARY_SIZE, inputs, k),
                M.NOTHING_ADDED,
                "The new token is an entry of its own, so the vocabulary grows.",
            ),
            Mistake(
                Figure(What.CORPUS_LENGTH, inputs, n),
                M.SIZES_MIXED_UP,
                mixed.format("corpus length", "vocabulary size"),
            ),
        ]
        what = "How large is the vocabulary after it?"
        explanation = "{v} + 1 = {answer}: a merge adds one token, however often it is used."
        hint = "How many new tokens does one merge make?"
    return asked(
        draft,
        Kind.NUMBER,
        Group.BY_HAND,
        f"{after(k)} {told} {what}",
        [answer],
        mistakes,
        explanation,
        (hint,),
        inputs,
        merges=n,
        k=k,
        figures=figures,
    )


def make_tie_rule(draft: Draft) -> Question | None:
    """Which tie rules take a given pair?"""
    inputs, dice = draft.corpus(), draft.dice
    k = 0 if draft.level == 1 else dice.below(2)
    by_rule = {rule: replace(inputs, ties=rule) for rule in TieRule}
    trainers = {rule: trained_to(each, k) for rule, each in by_rule.items()}
    trainer = trainers[TieRule.FIRST_SEEN]
    if trainer is None or any(each is None for each in trainers.values()):
        return None
    paths = {tuple(s.pair for s in each.steps[:k]) for each in trainers.values() if each is not None}
    tied = trainer.tied_pairs(k)
    if len(paths) > 1 or not 2 <= len(tied) <= 5:
        return None
    pair = dice.pick(tied)
    answer = pair_figure(What.PAIR, inputs, trainer, pair, k)
    takes = [value(Figure(What.MERGE_PAIR, each, k + 1)) for each in by_rule.values()]
    right = takes.count(value(answer))
    if not 0 < right < len(takes):
        return None
    options = tuple(
        Option(
            rule.value,
            f"{rule_in_words(rule)[0].upper()}{rule_in_words(rule)[1:]}",
            "This rule takes {value}.",
            Figure(What.MERGE_PAIR, each, k + 1),
            False,
            M.OTHER_TIE_RULE,
        )
        for rule, each in by_rule.items()
    )
    names = ", ".join(pair_name(trainer, one) for one in tied)
    ids = ", ".join(
        f"{literal(text_label(text_of(trainer, id)).plain)} = {id}"
        for id in sorted({id for p in tied for id in p})
    )
    return Question(
        "made",
        Kind.CHOICE,
        Group.BY_HAND,
        f"{after(k)} these pairs share the highest count, {{count}}: {names}. The ids are {ids}. "
        "Which rules take "
        f"{pair_name(trainer, pair)}? Tick all that do.",
        (answer,),
        options,
        "First seen takes {first}; lowest ids take {lowest}; column-major takes {column}.",
        (
            "Read the words from the top: which of the pairs comes first?",
            "Compare the ids of the left tokens, then those of the right ones.",
        ),
        (
            ("count", Figure(What.MERGE_COUNT, inputs, k + 1)),
            ("first", Figure(What.MERGE_PAIR, by_rule[TieRule.FIRST_SEEN], k + 1)),
            ("lowest", Figure(What.MERGE_PAIR, by_rule[TieRule.LOWEST_IDS], k + 1)),
            ("column", Figure(What.MERGE_PAIR, by_rule[TieRule.COLUMN_MAJOR], k + 1)),
        ),
        several=True,
        inputs=inputs,
        show_corpus=True,
        show_merges=k,
        lab=Lab(inputs, k),
    )
