"""What is said about an answer, as sentences and as marks on the options. Data only.

    verdict_parts(question, entry, feedback)     ✗ Not yet. You answered 2. … The mistake behind it: …
    option_looks(question, entry, feedback)      why each option is right or wrong, once that may be said

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


def option_looks(question: Question, entry: Entry, feedback: Feedback | None) -> dict[str, Look]:
    """The marks on the options: what was tried, and once the question is done, why each is right or wrong."""
    if question.kind is not Kind.CHOICE:
        return {}
    looks: dict[str, Look] = {}
    tried = {key for each in entry.tries if isinstance(each.answer, tuple) for key in map(str, each.answer)}
    last = set(map(str, entry.tries[-1].answer)) if entry.tries else set()
    rights = question.right_keys
    for option in question.options:
        right = option.key in rights
        name = option.misconception.label if option.misconception and not right else ""
        why = question.option_why(option)
        if entry.done and right:
            missed = question.several and option.key not in last
            looks[option.key] = Look(
                "missed" if missed else "right", _right_word(entry, option.key, last), "", why
            )
        elif entry.done:
            says = "✗ you tried this" if option.key in tried else "✗ wrong"
            looks[option.key] = Look("wrong", says, name, why)
        elif question.several and feedback and feedback.counts and option.key in last:
            looks[option.key] = (
                Look("right", "✓ right", "", why) if right else Look("wrong", "✗ wrong", name, why)
            )
        elif not question.several and option.key in tried:
            looks[option.key] = Look("wrong", "✗ not this", name, why)
    return looks


def _right_word(entry: Entry, key: str, last: set[str]) -> str:
    if key in last:
        return "✓ right"
    return "✓ the answer" if entry.revealed else "✓ right, left out"
