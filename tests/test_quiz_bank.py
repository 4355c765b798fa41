"""The fixed questions: every answer, wrong option and figure against tables worked out by hand.

The golden tables here come from the articles' own worked results, not from the core. Not here: checking
typed answers (test_quiz_checking).
"""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from bpe_core.measures import CostModel, description_lengths
from bpe_core.training import Choice, Trainer
from quiz.bank import BY_ID, QUESTIONS, in_group
from quiz.figures import value
from quiz.inputs import ABRACADABRA, PRESETS, REVIEW
from quiz.misconceptions import Misconception
from quiz.questions import Group, Kind, Question, fill
from quiz.values import written

#: The right answer of every question, by hand.
ANSWERS = {
    "whole-words": "It is unknown: no entry fits, so it cannot be written.",
    "why-not-characters": "Texts become long, and one character says very little.",
    "new-text-does-not-train": "2000: every z and every q on its own.",
    "frequent-first": "Frequent strings earn their merges first, and ␣baker is frequent.",
    "tie-changes-vocabulary": "No: the tokens made on the way can differ.",
    "limits": "Its tokens depend on the training corpus.; It takes the best pair of the moment and never "
    "looks ahead.; It knows nothing of stems and endings.",
    "token-or-ending": "ake",
    "size-against-length": "The vocabulary grows by one and the corpus gets shorter.",
    "count-ps": "3",
    "sizes-after-one": "V = 5, L = 29",
    "third-merge": "s + hop",
    "marker-after-w": "1",
    "stops-early": "3",
    "overlap-length": "9",
    "which-tie-rule": "The lowest left id, then the lowest right id.",
    "second-first-seen": "AA + A",
    "review-fifth": "␣b + ake",
    "review-fourth-token": "␣b",
    "abracadabra-third-token": "abra",
    "e-acute-merge": "Merge 4",
    "most-tokens": "8",
    "merges-for-276": "20",
    "size-with-all-bytes": "259",
    "why-utf8": "It is the shortest for much text, and ASCII stays one byte a character.",
    "xyzzy": "With characters, all 5 letters are unknown.; "
    "With bytes, nothing is unknown and it takes 5 tokens.",
    "two-spellings": "6",
    "shops-split": "shop · s",
    "maker-split": "m · ake · r",
    "baked-split": "␣bake · d",
    "lowly-split": "low · l · y · ⟨end⟩",
    "id-of-the": "260",
    "bra-tokens": "2",
    "decoding": "It joins the bytes of all tokens and then decodes them as UTF-8.",
    "ratio-after-five": "3.1818",
    "two-part-cost": "84 bits",
    "best-k": "7",
    "best-k-doubled": "8",
    "width-in-force": "72 bits",
    "least-frequent": "It never falls below the cost at k = 0.",
    "pmi-of-second": "1.7387 bits",
    "below-the-bound": "The bound takes characters as independent; BPE uses their order.",
    "comparable": "Loss in bits per character.",
}

#: The values of the wrong options that have a figure, by hand.
WRONG = {
    "new-text-does-not-train": ["1000", "1", "0"],
    "token-or-ending": ["2", "2", "3"],
    "count-ps": ["2", "4", "11"],
    "third-merge": ["hop + s", "o + p", "s + h"],
    "marker-after-w": ["3"],
    "stops-early": ["200", "9"],
    "overlap-length": ["7", "10"],
    "which-tie-rule": ["AA + A", "AA + A"],
    "review-fourth-token": ["␣c", "␣bake"],
    "e-acute-merge": ["1", "5"],
    "most-tokens": ["4", "1", "16"],
    "merges-for-276": ["276"],
    "size-with-all-bytes": ["7"],
    "two-spellings": ["5", "4"],
    "shops-split": ["s · hops", "s · hop · s", "s · h · o · p · s"],
    "maker-split": ["m · a · k · e · r"],
    "id-of-the": ["5", "261"],
    "bra-tokens": ["1", "3"],
    "ratio-after-five": ["0.31429"],
    "two-part-cost": ["44", "64", "63"],
    "best-k": ["10"],
    "best-k-doubled": ["7", "12"],
    "width-in-force": ["76", "20"],
    "pmi-of-second": ["1.2642"],
}

#: The named figures, by hand (those that are not sums, names or numbers of the question itself).
FIGURES = {
    "whole-words": {"known": "3", "unknown": "1"},
    "why-not-characters": {"units": "16", "words": "8", "length": "50", "short": "10"},
    "frequent-first": {"baker": "1", "bakes": "2", "unbakeable": "4", "split": "un · b · ake · able"},
    "tie-changes-vocabulary": {"tied": "3", "count": "2", "first": "a + b", "column": "r + a"},
    "limits": {"bytes": "256"},
    "token-or-ending": {"er": "1", "th": "2", "first": "ak", "second": "ake", "times": "4"},
    "size-against-length": {"v0": "8", "v1": "9", "l0": "17", "l1": "14"},
    "sizes-after-one": {"v0": "4", "v1": "5", "l0": "40", "l1": "29", "count": "11", "once": "39",
                        "both": "18"},
    "third-merge": {"count": "4", "hop_s": "3"},
    "stops-early": {"least": "2", "one": "l + o", "two": "lo + w", "three": "low + e"},
    "overlap-length": {"l0": "11", "count": "4", "replaced": "2"},
    "which-tie-rule": {"count": "2", "a": "65", "aa": "256"},
    "second-first-seen": {"count": "2"},
    "review-fifth": {"count": "3", "tied": "2"},
    "review-fourth-token": {"pair": "␣ + b", "count": "3"},
    "abracadabra-third-token": {"pair": "ab + ra", "count": "6"},
    "e-acute-merge": {"bytes": "2", "first": "a + k", "first_count": "4", "e_count": "3", "fifth": "␣ + b"},
    "most-tokens": {"chars": "4"},
    "merges-for-276": {"size": "276", "bytes": "256"},
    "size-with-all-bytes": {"units": "4", "in_use": "7"},
    "why-utf8": {"a": "1", "e": "2", "u8": "7", "u16": "14", "u32": "28"},
    "xyzzy": {"unseen": "5", "unseen_bytes": "0", "bytes": "5", "chars": "5", "split": "x · y · z · z · y"},
    "two-spellings": {"accent": "2"},
    "shops-split": {"third": "s + hop"},
    "id-of-the": {"number": "5"},
    "bra-tokens": {"split": "b · ra"},
    "decoding": {"bytes": "2"},
    "ratio-after-five": {"l0": "35", "l5": "11", "inverse": "0.31429"},
    "two-part-cost": {"length": "11", "size": "11", "width": "4", "data": "44", "table": "40"},
    "best-k": {"all": "10", "best": "76", "last": "84"},
    "best-k-doubled": {"l0": "71", "short": "35", "best": "88", "short_k": "7"},
    "width-in-force": {"length": "5", "width": "4", "v1": "7", "v2": "8", "v3": "9"},
    "least-frequent": {"start": "105", "best": "76"},
    "pmi-of-second": {
        "first": "r + a", "second": "a + b", "n": "29", "places": "28", "count": "6", "a": "9", "b": "6",
    },
    "below-the-bound": {"bound": "78.392", "huffman": "80", "best": "76", "data": "20"},
    "comparable": {"per_token": "1.4354", "per_char": "2.2398", "after": "0.45112"},
}  # fmt: skip

each = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)


def test_there_are_enough_questions_in_every_group() -> None:
    assert len(QUESTIONS) >= 24
    assert sum(len(in_group(group)) for group in Group) == len(QUESTIONS) == len(BY_ID)
    assert all(len(in_group(group)) >= 4 for group in Group)
    assert {question.kind for question in QUESTIONS} == set(Kind)


def test_the_tables_here_cover_every_question() -> None:
    assert list(ANSWERS) == [question.id for question in QUESTIONS]


@each
def test_the_answer_is_the_one_worked_out_by_hand(question: Question) -> None:
    assert question.answer_text == ANSWERS[question.id]


@each
def test_every_wrong_option_is_the_mistake_it_claims_to_be(question: Question) -> None:
    wrong = [o for o in question.options if not question.is_right(o) and o.figure is not None]
    assert [written(value(o.figure)) for o in wrong if o.figure] == WRONG.get(question.id, [])


@each
def test_every_figure_in_a_sentence_is_the_one_worked_out_by_hand(question: Question) -> None:
    assert {name: written(value(figure)) for name, figure in question.figures} == FIGURES.get(question.id, {})


@each
def test_the_options_are_distinct_and_the_number_right_fits(question: Question) -> None:
    texts = [question.option_text(option) for option in question.options]
    assert len(set(texts)) == len(texts)
    assert len({option.key for option in question.options}) == len(texts)
    if question.kind is Kind.CHOICE:
        assert len(texts) >= 3
        assert (len(question.right_keys) > 1) == question.several
        assert question.right_keys
    else:
        assert not question.right_keys


@each
def test_every_wrong_option_explains_itself(question: Question) -> None:
    for option in question.options:
        if not question.is_right(option):
            assert len(question.option_why(option)) > 20
            assert question.several or option.misconception or option.key == "decode"


@each
def test_every_sentence_fills_and_reads_well(question: Question) -> None:
    texts = [question.prompt_text, question.explanation_text, *question.hint_texts]
    texts += [question.option_why(option) for option in question.options]
    assert question.hint_texts
    for text in texts:
        assert "{" not in text and "}" not in text and "  " not in text
        assert "!" not in text
        assert not re.search(r"\b1 (times|tokens|merges|bits|bytes)\b", text)


#: Numbers that sentences may hold as typed: names of merges and settings that the question itself gives.
GIVEN = {
    "overlap-length": {"1"},
    "count-ps": set(),
    "sizes-after-one": {"1"},
    "stops-early": {"200"},
    "which-tie-rule": {"1", "0", "255"},
    "width-in-force": {"7", "3", "4"},
    "two-part-cost": {"2", "5"},
    "best-k": {"2", "0"},
    "size-with-all-bytes": {"256", "3"},
    "id-of-the": {"256", "1", "257", "255"},
}


@each
def test_no_figure_is_typed_where_the_core_could_give_it(question: Question) -> None:
    texts = [question.explanation, *(option.why for option in question.options)]
    for text in texts:
        bare = re.sub(
            r"\{[^}]*\}|UTF-\d+|U\+\w+|log2|order-0|k = 0|[Mm]erges? \d+(?:(?: and|,) \d+)*", "", text
        )
        bare = re.sub(r"[Aa]fter \d+ merges", "", bare)
        numbers = set(re.findall(r"\d+", bare))
        allowed = GIVEN.get(question.id, set()) | {"1", "256"}
        assert numbers <= allowed, (question.id, text)


@each
def test_the_lab_link_is_text_and_opens_the_questions_own_corpus(question: Question) -> None:
    if question.lab is None:
        return
    query = question.lab.query
    assert all(isinstance(key, str) and isinstance(text, str) for key, text in query.items())
    assert set(query) <= {"preset", "text", "counts", "unit", "pre", "ties", "min", "k", "new"}
    assert len({"preset", "text", "counts"} & set(query)) == 1
    assert query["k"].isdigit()
    trainer = question.lab.inputs.trainer()
    assert trainer.train_to(question.lab.k) == question.lab.k


def test_the_link_of_the_hidden_byte_merge() -> None:
    lab = BY_ID["e-acute-merge"].lab
    assert lab is not None
    assert lab.query == {
        "preset": "review", "unit": "byte", "pre": "article", "ties": "first-seen", "min": "1", "k": "0",
    }  # fmt: skip


def test_the_presets_are_those_of_the_lab() -> None:
    from ui.presets import PRESETS as LAB_PRESETS

    for name, inputs in PRESETS.items():
        lab = LAB_PRESETS[name]
        assert (inputs.text, inputs.word_counts) == (lab.text, lab.word_counts)
        assert (inputs.unit, inputs.pre_tokenizer) == (lab.unit, lab.pre_tokenizer)
        assert (inputs.ties, inputs.least_count) == (lab.ties, lab.min_count)


# ------------------------------------------------------------------ claims made in words


def test_the_merges_shown_are_the_trainings_own() -> None:
    assert BY_ID["review-fifth"].merges == ("a + k", "ak + e", "␣ + c", "␣ + b")
    assert BY_ID["third-merge"].merges == ("h + o", "ho + p")
    assert dict(BY_ID["count-ps"].words) == {"hop": 5, "hops": 2, "shop": 3, "shops": 1}


def test_the_review_never_makes_the_ending_er() -> None:
    trainer = REVIEW.trainer()
    trainer.train_to(None)
    made = {trainer.token(step.token).text for step in trainer.steps}
    assert "ake" in made and "er" not in made


def test_the_tie_choice_does_change_the_vocabulary_of_one_abracadabra() -> None:
    made = []
    inputs = BY_ID["tie-changes-vocabulary"].inputs
    assert inputs is not None
    for ties in (inputs.ties, REVIEW.ties):
        trainer = Trainer(inputs.corpus(), ties=ties)
        trainer.train_to(None)
        made.append({trainer.token(step.token).text for step in trainer.steps})
        assert trainer.corpus_length(len(trainer.steps)) == 1
    assert made[0] != made[1]


def test_the_least_frequent_pair_never_pays() -> None:
    trainer = Trainer(ABRACADABRA.corpus(), ties=ABRACADABRA.ties, choice=Choice.LEAST_FREQUENT)
    trainer.train_to(None)
    sizes = [(trainer.corpus_length(k), trainer.vocabulary_size(k)) for k in range(len(trainer.steps) + 1)]
    costs = description_lengths(sizes, CostModel.FINAL_WIDTH)
    assert min(costs) == costs[0] == 105


def test_every_misconception_has_a_label_of_its_own() -> None:
    labels = [slip.label for slip in Misconception]
    assert len(set(labels)) == len(labels)
    assert all(label[0].isupper() and not label.endswith(".") for label in labels)


def test_questions_are_data() -> None:
    for question in QUESTIONS:
        hash(question)
        assert all(not callable(getattr(question, field.name)) for field in fields(question))


def test_a_name_that_is_not_a_figure_is_an_error() -> None:
    with pytest.raises(ValueError, match="no figure called 'nothing'"):
        fill("{nothing}", QUESTIONS[0])
