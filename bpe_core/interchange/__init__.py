"""Models in and out: to the files other tools read, and back.

| format | file | holds |
|---|---|---|
| STEPS_JSON | steps.json | everything, settings too; reading it gives the identical tokenizer (``steps``) |
| STEPS_CSV | steps.csv | the steps as a table that is safe in a spreadsheet (``table``) |
| HUGGING_FACE | tokenizer.json | every unit and pre-tokenizer, for ``tokenizers`` (``huggingface``) |
| TIKTOKEN | ranks.tiktoken | byte mode without a marker, for ``tiktoken`` (``ranks``) |
| GPT2 | merges.txt, vocab.json | no marker; in character mode no tokens with white space (``gpt2``) |

What a format cannot hold faithfully is an ExportError that says what to switch. What a file does not say is
assumed and named in a notice. A malformed file is an ImportFormatError that says what and where. Files up to
50 MB and 300,000 merges are read; a list out of order is followed as *lowest rank first*.

Not here: the packed GPT-4o vocabulary (``o200k``), corpora (``corpus``).
"""

from __future__ import annotations

from pathlib import Path

from ..encoding import Tokenizer
from ..errors import BPEError, ExportError, ImportFormatError, shown
from ..pretokenize import PreTokenizer
from ..rules import JoinedRules
from ..training import Trainer
from . import gpt2, huggingface, ranks, steps, table
from .records import (
    FILE_LIMIT,
    MERGE_LIMIT,
    ExportedFile,
    ImportedModel,
    ModelFormat,
    ModelSettings,
    decoded,
    parsed,
    taken_apart,
)

__all__ = [
    "FILE_LIMIT",
    "MERGE_LIMIT",
    "ExportedFile",
    "ImportedModel",
    "ModelFormat",
    "ModelSettings",
    "export_model",
    "format_of",
    "import_model",
    "load",
    "save",
]

_EXPORTERS = {
    ModelFormat.STEPS_JSON: steps.export,
    ModelFormat.STEPS_CSV: table.export,
    ModelFormat.HUGGING_FACE: huggingface.export,
    ModelFormat.TIKTOKEN: ranks.export,
    ModelFormat.GPT2: gpt2.export,
}


def export_model(
    model: Tokenizer | Trainer, format: ModelFormat = ModelFormat.STEPS_JSON
) -> tuple[ExportedFile, ...]:
    """The file, or for GPT2 the two files, that hold ``model``.

    A Trainer adds its settings and counts where the format has room for them.

    >>> from bpe_core.corpus import Corpus
    >>> trainer = Trainer(Corpus.from_text("low lower lowest"))
    >>> trainer.train_to(2)
    2
    >>> print(export_model(trainer, ModelFormat.GPT2)[0].data.decode(), end="")
    #version: 0.2 unit=char pre-tokenizer=article
    l o
    lo w

    Raises ExportError when the format cannot hold the model faithfully.
    """
    if (
        format is ModelFormat.TIKTOKEN
        and isinstance(model, Tokenizer)
        and isinstance(model.rules, JoinedRules)
    ):
        return ranks.export_ranks(model)
    return _EXPORTERS[format](taken_apart(model))


def import_model(
    data: bytes,
    name: str | None = None,
    companion: bytes | None = None,
    pre_tokenizer: PreTokenizer | None = None,
) -> ImportedModel:
    """The model in a file of any of the formats, told apart by what is in it.

    ``name`` helps where that is unclear.

    ``companion`` is the other file of a merges.txt and vocab.json pair, in either order. ``pre_tokenizer``
    is used where the file names none, and instead of a Hugging Face file's own.

    >>> model = import_model(b"#version: 0.2\\nl o\\nlo w\\n")
    >>> [token.text for token in model.tokenizer.tokenize("low")]
    ['low']

    Raises ImportFormatError, saying what is wrong and where.
    """
    for part in (data, companion or b""):
        if len(part) > FILE_LIMIT:
            raise ImportFormatError(
                f"The file has {len(part):,} bytes; the largest that can be read has {FILE_LIMIT:,}."
            )
    if not data.strip():
        raise ImportFormatError("The file is empty: it holds no merges.")
    ending = Path(name or "").suffix.lower()
    try:
        if ending == ".tiktoken" or ranks.looks_like_ranks(data):
            return ranks.read(data, pre_tokenizer)
        text = decoded(data)
        if text.lstrip().startswith("{"):
            return _read_json(text, companion, pre_tokenizer)
        if ending == ".csv" or table.looks_like_table(text):
            return table.read(text, pre_tokenizer)
        # NUL stands for a binary file, except where a heading says that it is a character like any other.
        if ending == ".json" or ("\0" in text and not text.startswith(gpt2.HEADING)):
            raise ImportFormatError(
                "The file is none of the formats that can be read: steps as JSON or CSV, tokenizer.json, "
                "tiktoken ranks, merges.txt."
            )
        vocabulary = decoded(companion) if companion is not None else None
        return gpt2.read(text, vocabulary, pre_tokenizer)
    except ImportFormatError:
        raise
    except BPEError as error:
        raise ImportFormatError(str(error)) from None


def _read_json(text: str, companion: bytes | None, pre_tokenizer: PreTokenizer | None) -> ImportedModel:
    file = parsed(text)
    if not isinstance(file, dict):
        raise ImportFormatError("The JSON is not an object.")
    if file.get("format") == steps.FORMAT:
        return steps.read(file)
    if "model" in file:
        return huggingface.read(file, pre_tokenizer)
    if all(type(id) is int for id in file.values()):
        if companion is None:
            raise ImportFormatError(
                "This is a vocabulary without merges (vocab.json), which cannot split text; "
                "add its merges.txt."
            )
        return gpt2.read(decoded(companion), text, pre_tokenizer)
    raise ImportFormatError(
        "The JSON is none of the formats that can be read: it has no "
        f'"format": "{steps.FORMAT}" and no "model".'
    )


def format_of(path: str | Path) -> ModelFormat:
    """The format a file name asks for when saving.

    >>> [format_of(name).name for name in ("lab.json", "tokenizer.json", "x.tiktoken", "x.csv", "merges.txt")]
    ['STEPS_JSON', 'HUGGING_FACE', 'TIKTOKEN', 'STEPS_CSV', 'GPT2']
    """
    path = Path(path)
    if path.name.lower() == ModelFormat.HUGGING_FACE.value:
        return ModelFormat.HUGGING_FACE
    endings = {".tiktoken": ModelFormat.TIKTOKEN, ".csv": ModelFormat.STEPS_CSV, ".txt": ModelFormat.GPT2}
    return endings.get(path.suffix.lower(), ModelFormat.STEPS_JSON)


def save(path: str | Path, model: Tokenizer | Trainer, format: ModelFormat | None = None) -> list[Path]:
    """Write ``model`` to ``path`` in the format its name asks for; returns the files written.

    For merges.txt its vocab.json is written beside it. Raises ExportError, also when the disk refuses.
    """
    path = Path(path)
    first, *beside = export_model(model, format or format_of(path))
    written = []
    try:
        for target, file in [(path, first), *((path.with_name(file.name), file) for file in beside)]:
            target.write_bytes(file.data)
            written.append(target)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ExportError(f"{shown(str(path))} cannot be written: {reason}.") from None
    return written


def load(path: str | Path, pre_tokenizer: PreTokenizer | None = None) -> ImportedModel:
    """Read the model in a file; a vocab.json beside a merges.txt is used with it, and the other way round.

    Raises ImportFormatError, also when the file cannot be read.
    """
    path = Path(path)
    pair = {ModelFormat.GPT2.value: gpt2.VOCABULARY_NAME, gpt2.VOCABULARY_NAME: ModelFormat.GPT2.value}
    try:
        data = _bounded(path)
        other = path.with_name(pair[path.name]) if path.name in pair else None
        companion = _bounded(other) if other is not None and other.is_file() else None
    except (OSError, ValueError) as error:
        if isinstance(error, BPEError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise ImportFormatError(f"{shown(str(path))} cannot be read: {reason}.") from None
    return import_model(data, path.name, companion, pre_tokenizer)


def _bounded(path: Path) -> bytes:
    """The bytes of a file, one more than the limit at most."""
    with path.open("rb") as file:
        return file.read(FILE_LIMIT + 1)
