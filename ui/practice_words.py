"""What is said about an answer, as sentences and as marks on the options. Data only.

    verdict_parts(question, entry, feedback)     ✗ Not yet. You answered 2. … The mistake behind it: …
    option_looks(question, entry)                why each option is right or wrong, once that may be said

Not here: whether it is right (``quiz.checking``), where it is drawn (``practice``).
"""

from __future__ import annotations

from quiz.checking import Feedback, Verdict
from quiz.cutting import CutJudgement
from quiz.progress import Entry
from quiz.questions import Kind, Question

from .answer import Look
from .say import Part, strong


def verdict_parts(question: Question, entry: Entry, feedback: Feedback | None) -> list[Part]:
    """The verdict as a sentence: a word and a mark, how the answer was read, and why."""
    if entry.revealed and not entry.right:
        told: list[Part] = [strong("The answer: "), (question.answer_text, "token"), ". "]
        return [*told, question.explanation_text]
    if feedback is None:
        return []
    if feedback.verdict is Verdict.RIGHT:
        tries = len(entry.tries)
        word = "✓ Right on the first try. " if tries == 1 else f"✓ Right on try {tries}. "
        return [strong(word), feedback.message]
    if feedback.verdict is Verdict.WRONG:
        parts: list[Part] = [strong("✗ Not yet. ")]
        if question.kind is not Kind.CHOICE and feedback.read_as:
            parts += ["You answered ", (_cut_short(feedback.read_as), "token"), ". "]
        parts.append(feedback.message)
        if feedback.misconception:
            parts += [
                ("", "br"),
                (f"The mistake behind it: {_lower(feedback.misconception.label)}.", "quiet"),
            ]
        return parts
    if feedback.verdict is Verdict.UNREAD:
        return [strong("Not understood, so it does not count. "), feedback.message]
    return [feedback.message]


def _cut_short(text: str, limit: int = 120) -> str:
    return text if len(text) <= limit else text[:limit] + " …"


def _lower(text: str) -> str:
    """A label in the middle of a sentence: the first letter small unless the word is an abbreviation."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def hint_parts(question: Question, entry: Entry) -> list[Part]:
    """The hints looked at so far, a line each."""
    parts: list[Part] = []
    for number, hint in enumerate(question.hint_texts[: entry.hints], 1):
        if parts:
            parts.append(("", "br"))
        parts += [strong("Hint: " if len(question.hints) == 1 else f"Hint {number}: "), hint]
    return parts


def replay_parts(judged: CutJudgement) -> list[Part]:
    """The right replay from the first slip on, a line a merge."""
    parts: list[Part] = []
    if judged.before is not None:
        parts += [("The right replay from ", "quiet"), (str(judged.before), "token")]
    for step in judged.replay:
        parts += [("", "br"), f"Merge {step.number:,}: ", (f"{step.left} + {step.right}", "token"), " → ",
                  (str(step.after), "token")]  # fmt: skip
    return parts


def other_answers_parts(question: Question) -> list[Part]:
    """What other answers to a typed question would have meant; empty when none is known."""
    if question.kind is Kind.CHOICE:
        return []
    others = [
        option for option in question.options if option.figure is not None and not question.is_right(option)
    ]
    parts: list[Part] = [("Other answers, and what is behind them:", "quiet")] if others else []
    for option in others:
        parts += [("", "br"), (question.option_text(option), "token"), "  "]
        if option.misconception:
            parts.append(f"{option.misconception.label}. ")
        parts.append(question.option_why(option))
    return parts


def option_looks(question: Question, entry: Entry) -> dict[str, Look]:
    """The marks on the options: what was tried, and once the question is done, why each is right or wrong.

    The sentence on the last try stands in the verdict, so a single choice does not repeat it.
    """
    if question.kind is not Kind.CHOICE:
        return {}
    tries = [_keys(each.answer) for each in entry.tries]
    tried = set().union(*tries)
    last = tries[-1] if tries else set()
    looks: dict[str, Look] = {}
    for option in question.options:
        right = option.key in question.right_keys
        slip = option.misconception.label if option.misconception and not right else ""
        why = question.option_why(option)
        if entry.done and right:
            looks[option.key] = _right_look(question, option.key in last, why)
        elif entry.done and option.key in tried:
            looks[option.key] = Look("wrong", "✗ you tried this", slip, why)
        elif entry.done:
            looks[option.key] = Look("other", "✗ wrong", slip, why)
        elif question.several and option.key in last:
            looks[option.key] = (
                Look("right", "✓ right", "", why) if right else Look("wrong", "✗ wrong", slip, why)
            )
        elif not question.several and option.key in tried:
            looks[option.key] = Look(
                "wrong", "✗ not this", *(("", "") if option.key in last else (slip, why))
            )
    return looks


def _right_look(question: Question, chosen: bool, why: str) -> Look:
    if chosen:
        return Look("right", "✓ right", "", why if question.several else "")
    return Look("missed", "✓ right, left out" if question.several else "✓ the answer", "", why)


def _keys(answer: object) -> set[str]:
    return {answer} if isinstance(answer, str) else set(map(str, answer if isinstance(answer, tuple) else ()))
