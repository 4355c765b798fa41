"""Byte-pair encoding, exact and explained: training one merge at a time, encoding, figures, files.

The words, the same in code, on the page and in tests:

    corpus       the training text, or a table of words and counts
    word         what the pre-tokenizer yields; no merge ever crosses the wall between two words
    unit         a character or a UTF-8 byte, before any merge
    token        one unit, or several merged ones
    pair         two tokens side by side
    count        count(a, b): how often a pair stands in the corpus, overlaps counted (aaa has a+a twice)
    merge        the most frequent pair is replaced everywhere by a new token, from left to right
    replacement  one place where a merge was made; fewer than its count where a token meets itself
    rank         the place of a merge in the list, from 0; for people it is merge rank + 1
    k            how many merges have been made
    V            the vocabulary; its size |V| is the units in use plus k
    L            the corpus length in tokens, word counts included
    tie          several pairs share the highest count; the tie rule says which is taken
    stop         why there is no next merge: a result, not an error

A first look:

>>> trainer = Trainer(Corpus.from_text("the café baker bakes cakes, the café bakes soufflé"))
>>> trainer.train_to(5)
5
>>> step = trainer.steps[2]
>>> [trainer.token(id).notation for id in step.pair], step.count, step.tied, step.corpus_length
([' ', 'c'], 3, 4, 39)
>>> [token.notation for token in trainer.tokenizer().tokenize("the maker")]
['t', 'h', 'e', ' ', 'm', 'ake', 'r']

Standard library and ``regex`` only. Nothing here prints or draws (``__main__`` does, for the command
line), goes to the network, or reads the GPT-4o vocabulary before ``o200k`` is asked for it.
"""

from . import o200k
from .alignment import Alignment, align, token_spans
from .alphabet import Alphabet, Token, Unit
from .corpus import Corpus, parse_word_counts
from .display import CodePoint, Label, LabelPart, PartKind, code_points, describe, label, shorten, text_label
from .encoding import Decoded, Tokenizer
from .errors import (
    BPEError,
    CorpusError,
    ExportError,
    ImportFormatError,
    SettingError,
    Stopped,
    TextError,
    UnknownTokenError,
    VocabularyFileError,
)
from .interchange import (
    ExportedFile,
    ImportedModel,
    ModelFormat,
    ModelSettings,
    export_model,
    import_model,
)
from .measures import CostModel, measure
from .pretokenize import Dropped, PreTokenizer
from .text import CleanText, Notice, NoticeKind, clean_text, decode_file
from .trace import Boundary, Reason, Stage, Trace
from .training import Choice, MergeStep, PairShare, RankedPair, StopReason, TieRule, Trainer
from .tree import MergeTree

__all__ = [
    "Alignment",
    "Alphabet",
    "BPEError",
    "Boundary",
    "Choice",
    "CleanText",
    "CodePoint",
    "Corpus",
    "CorpusError",
    "CostModel",
    "Decoded",
    "Dropped",
    "ExportError",
    "ExportedFile",
    "ImportFormatError",
    "ImportedModel",
    "Label",
    "LabelPart",
    "MergeStep",
    "MergeTree",
    "ModelFormat",
    "ModelSettings",
    "Notice",
    "NoticeKind",
    "PairShare",
    "PartKind",
    "PreTokenizer",
    "RankedPair",
    "Reason",
    "SettingError",
    "Stage",
    "StopReason",
    "Stopped",
    "TextError",
    "TieRule",
    "Token",
    "Tokenizer",
    "Trace",
    "Trainer",
    "Unit",
    "UnknownTokenError",
    "VocabularyFileError",
    "align",
    "clean_text",
    "code_points",
    "decode_file",
    "describe",
    "export_model",
    "import_model",
    "label",
    "measure",
    "o200k",
    "parse_word_counts",
    "shorten",
    "text_label",
    "token_spans",
]
