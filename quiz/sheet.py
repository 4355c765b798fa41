"""A teacher's own sheet: questions in one TOML file, checked on opening, every problem with its line.

    title = "Week 3"

    [corpus]                           # optional: the corpus of all questions that bring none
    text = "the cat and the cat sat"   # or preset = "hop", or words = { hop = 5, hops = 2 }
    unit = "char"                      # char or byte
    pre = "article"                    # article, none, whitespace, word-end, gpt2, cl100k, o200k
    ties = "first-seen"                # first-seen, lowest-ids, column-major
    min = 1
    lock = true                        # the lab opens with this corpus and these settings locked

    [[question]]
    kind = "number"                    # number, token, choice, split or pair
    prompt = "How often does a stand before t?"
    asks = "pair-count"                # the core works the answer out (quiz/what.py lists what can be asked)
    pair = ["a", "t"]                  # what it needs: pair, token, new, number; k is 0 unless given
    hints = ["Read word by word."]     # optional, like explanation, group, id
    explanation = "Each word counts as often as it occurs: {answer}."

    [[question.mistake]]               # optional: an answer to expect, with its own sentence
    answer = 2
    why = "That counts each word once."
    misconception = "words-once"       # optional: its name in the results of a class (quiz/misconceptions.py)

    [[question]]
    kind = "choice"
    prompt = "What does a merge do?"
    [[question.option]]
    text = "It adds a token."
    right = true
    [[question.option]]
    text = "It removes two."
    why = "Both old tokens stay."

``answer`` may stand in place of ``asks``: a number; text for a token; ["ab", "c"] for a split or a pair. In
explanations ``{answer}`` is the right answer; other braces mean themselves. More than one right option makes
a question where all right ones have to be ticked. ``tolerance`` says how far a number may be off.

Not here: the questions' records (``questions``); opening the file (the pages).
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bpe_core.errors import BPEError, shown
from bpe_core.text import clean_text

from .errors import Problem, SheetError
from .figures import Figure, What, value
from .inputs import Inputs
from .misconceptions import Misconception
from .questions import Group, Kind, Lab, Option, Question, literal
from .sheet_lines import Path
from .sheet_values import CORPUS_LIMIT, TEXT_LIMIT, TableReader
from .values import Piece, Split, TokenPair, Value
from .what import needs

#: The largest sheet, in characters, and the most questions.
FILE_LIMIT = 200_000
QUESTIONS_LIMIT = 200
_QUESTION_KEYS = {
    "id", "kind", "prompt", "group", "asks", "answer", "k", "pair", "token", "new", "number", "tolerance",
    "measure", "hint", "hints", "explanation", "spaces_matter", "code_points", "mistake", "option", "corpus",
    "show_merges",
}  # fmt: skip
_MISTAKE_KEYS = {"answer", "asks", "why", "misconception", "k", "pair", "token", "new", "number"}
_OPTION_KEYS = {"text", "right", "why", "misconception"}
_VALUES: Mapping[Kind, tuple[type, ...]] = {
    Kind.NUMBER: (int, float),
    Kind.TOKEN: (Piece,),
    Kind.SPLIT: (Split,),
    Kind.PAIR: (TokenPair,),
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A teacher's sheet: its questions, the corpus that they share and whether the lab is locked to it.

    ``key`` is the name that progress and results files give the sheet: it changes with its text.
    """

    title: str
    questions: tuple[Question, ...]
    inputs: Inputs | None
    locked: bool
    key: str


def read_sheet(text: str) -> Sheet:
    """Read a sheet. Raises SheetError, whose ``problems`` name every line that has to be mended.

    >>> sheet = read_sheet('''
    ... title = "One"
    ... [[question]]
    ... kind = "number"
    ... prompt = "2 + 2?"
    ... answer = 4
    ... ''')
    >>> sheet.questions[0].answer_text
    '4'
    """
    if len(text) > FILE_LIMIT:
        raise SheetError(
            [Problem(None, f"The file has {len(text):,} characters; the most is {FILE_LIMIT:,}.")]
        )
    text = clean_text(text).text
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SheetError([_syntax(text, str(error))]) from None
    except RecursionError:
        raise SheetError([Problem(None, "Lists in this file are nested too deeply.")]) from None
    return _Reader(text, data).sheet()


def _syntax(text: str, message: str) -> Problem:
    """tomllib's complaint with its line taken out of the sentence."""
    match = re.search(r" \(at line (\d+), column (\d+)\)", message)
    if match:
        said = message[: match.start()].rstrip(".")
        return Problem(int(match[1]), f"this is not TOML ({said}, column {match[2]}).")
    end = text.rstrip("\n").count("\n") + 1
    return Problem(end, f"this is not TOML ({message.removesuffix(' (at end of document)')}).")


class _Reader(TableReader):
    """Goes through the parsed file once and collects every problem."""

    def __init__(self, text: str, data: Mapping[str, object]) -> None:
        super().__init__(text)
        self.data = data
        self.locked = False

    def sheet(self) -> Sheet:
        self.unknown_keys((), self.data, {"title", "corpus", "question"})
        title = self.text_in((), self.data, "title", "Practice sheet", 200)
        inputs = None
        corpus = self.data.get("corpus")
        if corpus is not None:
            inputs, self.locked = self.corpus(("corpus",), corpus)
        given = self.data.get("question")
        questions: list[Question] = []
        if not isinstance(given, list) or not given:
            self.problem((), "question", "a sheet needs at least one [[question]].")
        elif len(given) > QUESTIONS_LIMIT:
            self.problem(
                (), "question", f"there are {len(given):,} questions; the most is {QUESTIONS_LIMIT}."
            )
        else:
            for place, item in enumerate(given):
                question = self._question(("question", place), item, inputs)
                if question is not None:
                    questions.append(question)
            self._same_ids(questions)
        if self.problems:
            raise SheetError(sorted(self.problems, key=lambda p: p.line or 0))
        key = "own-" + hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest()[:12]
        return Sheet(title, tuple(questions), inputs, self.locked, key)

    def _same_ids(self, questions: list[Question]) -> None:
        seen: set[str] = set()
        for place, question in enumerate(questions):
            if question.id in seen:
                self.problem(("question", place), "id", f"the id {shown(question.id)} stands here twice.")
            seen.add(question.id)

    # ------------------------------------------------------------ questions

    def _question(self, path: Path, table: object, shared: Inputs | None) -> Question | None:
        if not isinstance(table, dict):
            self.problem((), "question", "questions are tables of their own, each opened by [[question]].")
            return None
        before = len(self.problems)
        self.unknown_keys(path, table, _QUESTION_KEYS)
        if "kind" not in table:
            allowed = ", ".join(kind.value for kind in Kind)
            self.problem(path, "", f"this question has no kind; allowed are {allowed}.")
            return None
        kind = self.word(path, table, "kind", Kind, Kind.NUMBER)
        inputs = shared
        if "corpus" in table:
            inputs, _ = self.corpus((*path, "corpus"), table["corpus"])
        prompt = self.text_in(path, table, "prompt", None)
        own_id = self.text_in(path, table, "id", f"q{int(path[1]) + 1}", 60)
        if not re.fullmatch(r"[\w.-]+", own_id):
            self.problem(path, "id", "an id is made of letters, digits, and the signs . _ -")
        answers: tuple[Figure, ...] = ()
        options: tuple[Option, ...]
        if kind is Kind.CHOICE:
            options = self._options(path, table)
            for key in ("asks", "answer", "mistake"):
                if key in table:
                    self.problem(path, key, f"a choice has no {key}; its options say what is right.")
        else:
            if "option" in table:
                self.problem(path, "option", "only a choice has options; use [[question.mistake]] here.")
            answer = self._answer(path, table, kind, inputs)
            answers = (answer,) if answer is not None else ()
            options = self._mistakes(path, table, kind, inputs, answers)
        if len(self.problems) > before:
            return None
        new = table.get("new")
        k = self.count(path, table, "k", 0)
        locked = self.locked and inputs is shared
        lab = Lab(inputs, k, new if isinstance(new, str) else None, locked) if inputs else None
        right = sum(option.right for option in options)
        question = Question(
            own_id,
            kind,
            self.word(path, table, "group", Group, Group.BY_HAND),
            literal(prompt),
            answers,
            options,
            _with_answer(self.text_in(path, table, "explanation")),
            self._hints(path, table),
            several=kind is Kind.CHOICE and right > 1,
            tolerance=self._tolerance(path, table),
            measure=self.text_in(path, table, "measure", "", 40),
            spaces_matter=self.flag(path, table, "spaces_matter", True),
            code_points=self.flag(path, table, "code_points", False),
            inputs=inputs,
            show_corpus=inputs is not None,
            show_merges=self.count(path, table, "show_merges", 0),
            lab=lab,
        )
        self._try_out(path, question)
        return question

    def _hints(self, path: Path, table: Mapping[str, object]) -> tuple[str, ...]:
        if "hint" in table:
            return (literal(self.text_in(path, table, "hint")),)
        hints = table.get("hints", [])
        if not isinstance(hints, list) or not all(isinstance(h, str) and len(h) < TEXT_LIMIT for h in hints):
            self.problem(path, "hints", 'hints are texts in a list, such as ["Count again."].')
            return ()
        return tuple(literal(hint) for hint in hints)

    def _tolerance(self, path: Path, table: Mapping[str, object]) -> float:
        found = table.get("tolerance", 0)
        if type(found) not in (int, float) or not isinstance(found, int | float) or not 0 <= found < 1e9:
            self.problem(path, "tolerance", "tolerance is a number from 0 up.")
            return 0
        return found

    def _try_out(self, path: Path, question: Question) -> None:
        """Fill every sentence once, so that a sheet that opens also works."""
        try:
            _ = question.prompt_text, question.hint_texts, question.answer_text, question.merges
        except BPEError as error:
            self.problem(path, "show_merges" if question.show_merges else "", str(error))
            return
        try:
            _ = question.explanation_text
        except BPEError as error:
            self.problem(path, "explanation", str(error))

    def _options(self, path: Path, table: Mapping[str, object]) -> tuple[Option, ...]:
        given = table.get("option")
        if not isinstance(given, list) or not 2 <= len(given) <= 12:
            self.problem(
                path, "option", "a choice needs 2 to 12 options, each opened by [[question.option]]."
            )
            return ()
        options: list[Option] = []
        for place, item in enumerate(given):
            where = (*path, "option", place)
            if not isinstance(item, dict):
                self.problem(path, "option", "an option is a table of its own: [[question.option]].")
                return ()
            self.unknown_keys(where, item, _OPTION_KEYS)
            text = self.text_in(where, item, "text", None, 500)
            why = literal(self.text_in(where, item, "why"))
            right = self.flag(where, item, "right", False)
            if any(option.text == literal(text) for option in options):
                self.problem(where, "text", f"two options read {shown(text)}; each has to differ.")
            slip = self._misconception(where, item)
            if right and slip is not None:
                self.problem(where, "misconception", "a right option stands for no misconception.")
            options.append(Option(f"o{place + 1}", literal(text), why, right=right, misconception=slip))
        if not any(option.right for option in options):
            self.problem(path, "option", "none of the options has right = true.")
        return tuple(options)

    def _mistakes(
        self,
        path: Path,
        table: Mapping[str, object],
        kind: Kind,
        inputs: Inputs | None,
        answers: tuple[Figure, ...],
    ) -> tuple[Option, ...]:
        given = table.get("mistake", [])
        if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
            self.problem(path, "mistake", "a mistake is a table of its own: [[question.mistake]].")
            return ()
        options: list[Option] = []
        for place, item in enumerate(given):
            where = (*path, "mistake", place)
            self.unknown_keys(where, item, _MISTAKE_KEYS)
            figure = self._answer(where, item, kind, inputs)
            why = literal(self.text_in(where, item, "why", None))
            if figure is not None and answers and value(figure) == value(answers[0]):
                self.problem(
                    where, "answer" if "answer" in item else "asks", "this mistake is the right answer."
                )
            slip = self._misconception(where, item)
            options.append(Option(f"m{place + 1}", "{value}", why, figure, misconception=slip))
        return tuple(options)

    def _misconception(self, path: Path, table: Mapping[str, object]) -> Misconception | None:
        found = table.get("misconception")
        known = {slip.value: slip for slip in Misconception}
        if found is not None and not (isinstance(found, str) and found in known):
            said = f"{shown(found)} is not one of the misconceptions that have a name, such as words-once."
            self.problem(path, "misconception", said)
        return known.get(found) if isinstance(found, str) else None

    def _answer(
        self, path: Path, table: Mapping[str, object], kind: Kind, inputs: Inputs | None
    ) -> Figure | None:
        """The figure of a right answer or a mistake, tried out; None with a problem noted otherwise."""
        before = len(self.problems)
        if ("asks" in table) == ("answer" in table):
            self.problem(
                path, "asks", "give either asks (the core answers) or answer (you do), one of the two."
            )
            return None
        if kind is Kind.SPLIT and "answer" in table:
            self.problem(path, "answer", 'a split is asked of the core: asks = "split", with new and k.')
            return None
        build: Callable[..., Figure | None] = self._asked if "asks" in table else self._stated
        figure = build(path, table, kind, inputs)
        if figure is None or len(self.problems) > before:
            return None
        key = "asks" if "asks" in table else "answer"
        try:
            found: Value = value(figure)
        except BPEError as error:
            self.problem(path, key, str(error))
            return None
        if not isinstance(found, _VALUES[kind]):
            self.problem(path, key, f"{shown(table[key])} is not answered by a {kind.value}.")
            return None
        if kind is Kind.SPLIT and figure.what is not What.SPLIT and path[0] == "question" and len(path) == 2:
            self.problem(path, key, 'a split asks for "split".')
            return None
        return figure

    def _asked(
        self, path: Path, table: Mapping[str, object], kind: Kind, inputs: Inputs | None
    ) -> Figure | None:
        what = self.word(path, table, "asks", What, What.NUMBER)
        k = self.count(path, table, "k", 0)
        for need in needs(what):
            if (inputs is None) if need == "corpus" else (need not in table):
                self.problem(path, "asks", f"{what.value} needs a {need}.")
                return None
        left, right = "", ""
        if "pair" in table:
            pair = table["pair"]
            if (
                not isinstance(pair, list)
                or len(pair) != 2
                or not all(isinstance(s, str) and s for s in pair)
            ):
                self.problem(path, "pair", 'pair is two tokens, such as ["a", "t"].')
                return None
            left, right = pair
        elif "token" in table:
            left = self.text_in(path, table, "token", None, 200) if table["token"] != " " else " "
        new = self.text_in(path, table, "new", None, CORPUS_LIMIT) if "new" in table else ""
        number = table.get("number", 0)
        if type(number) not in (int, float) or not isinstance(number, int | float):
            self.problem(path, "number", "number is a number.")
            return None
        return Figure(what, inputs, k, left, right, new, number)

    def _stated(
        self, path: Path, table: Mapping[str, object], kind: Kind, inputs: Inputs | None
    ) -> Figure | None:
        answer = table["answer"]
        if kind is Kind.NUMBER:
            if type(answer) in (int, float) and isinstance(answer, int | float) and abs(answer) < 1e15:
                return Figure(What.NUMBER, number=answer)
            self.problem(path, "answer", "the answer to a number question is a number.")
        elif kind is Kind.TOKEN:
            if isinstance(answer, str) and 0 < len(answer) <= 200:
                return Figure(What.TOKEN, inputs, left=answer)
            self.problem(path, "answer", "the answer to a token question is a text of 1 to 200 characters.")
        else:
            sides = answer if isinstance(answer, list) else []
            if len(sides) == 2 and all(isinstance(side, str) and side for side in sides):
                return Figure(What.TWO_TOKENS, inputs, left=sides[0], right=sides[1])
            self.problem(path, "answer", 'the answer to a pair question is two tokens, such as ["a", "k"].')
        return None


def _with_answer(text: str) -> str:
    """A teacher's explanation as a template: only {answer} is filled in."""
    return literal(text).replace("{{answer}}", "{answer}")
