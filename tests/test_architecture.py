"""The rules of the house, as tests: what each part may import, and that it says what it is.

Imports run one way: app → ui.shell → pages → ui → quiz → bpe_core. They are read from the source, so one
inside a function counts like any other. Not here: what the parts do.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

#: From the top of the house down; a part may import itself and what stands below it.
STOREYS = ["app", "ui.shell", "pages", "ui", "quiz", "bpe_core"]

#: What each part may use from outside the standard library and this repository.
GUESTS = {
    "app": {"streamlit", "altair", "pandas", "starlette"},
    "ui.shell": {"streamlit"},
    "pages": {"streamlit", "altair", "pandas"},
    "ui": {"streamlit", "altair", "pandas", "regex"},
    "quiz": set(),
    "bpe_core": {"regex"},
}


def sources() -> list[Path]:
    """Every Python file of the product itself."""
    files = [ROOT / "app.py"]
    for part in ("ui", "pages", "quiz", "bpe_core"):
        files += sorted((ROOT / part).rglob("*.py"))
    return [file for file in files if file.exists()]


def module_name(file: Path) -> str:
    """The dotted name of a source file.

    >>> module_name(ROOT / "bpe_core" / "training.py"), module_name(ROOT / "ui" / "__init__.py")
    ('bpe_core.training', 'ui')
    """
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def storey(module: str) -> str | None:
    """The part of the house that a module belongs to, or None for one from outside.

    >>> storey("ui.shell"), storey("ui.tiles"), storey("json")
    ('ui.shell', 'ui', None)
    """
    if module == "ui.shell" or module.startswith("ui.shell."):
        return "ui.shell"
    top = module.partition(".")[0]
    return top if top in STOREYS else None


def imports(file: Path) -> Iterator[str]:
    """The dotted names that a file imports, wherever in it; ``from ui import shell`` gives both."""
    package = module_name(file).split(".")
    if file.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            upwards = package[: len(package) + 1 - node.level] if node.level else []
            origin = ".".join(upwards + ([node.module] if node.module else []))
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def wrong_imports(file: Path) -> list[str]:
    """The imports of a file that the rules forbid, as sentences."""
    here = storey(module_name(file))
    assert here is not None
    wrong = []
    for name in sorted(set(imports(file))):
        there = storey(name)
        if there is None:
            top = name.partition(".")[0]
            if top not in sys.stdlib_module_names and top not in GUESTS[here]:
                wrong.append(f"{here} may not use {top} (imports {name})")
        elif STOREYS.index(there) < STOREYS.index(here):
            wrong.append(f"{here} may not import {there} (imports {name})")
    return wrong


@pytest.mark.parametrize("file", sources(), ids=module_name)
def test_imports_run_one_way(file: Path) -> None:
    assert wrong_imports(file) == []


@pytest.mark.parametrize(
    ("place", "line", "complaint"),
    [
        ("bpe_core/new.py", "import pandas", "bpe_core may not use pandas"),
        ("bpe_core/new.py", "def f():\n    from ui.tiles import draw", "bpe_core may not import ui"),
        ("bpe_core/new.py", "from ..quiz import check", "bpe_core may not import quiz"),
        ("quiz/new.py", "import streamlit as st", "quiz may not use streamlit"),
        ("ui/new.py", "from pages import train", "ui may not import pages"),
        ("ui/new.py", "from . import shell", "ui may not import ui.shell"),
        ("ui/deeper/new.py", "from ..shell import run", "ui may not import ui.shell"),
        ("pages/new.py", "from ui import shell", "pages may not import ui.shell"),
        ("pages/new.py", "import app", "pages may not import app"),
        ("ui/shell.py", "import numpy.linalg", "ui.shell may not use numpy"),
    ],
)
def test_a_wrong_import_is_noticed(
    place: str, line: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.write_text(line, encoding="utf-8")
    assert complaint in "\n".join(wrong_imports(file))


PACKAGES = [part for part in ("bpe_core", "quiz") if (ROOT / part).is_dir()]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_core_and_the_quiz_load_without_the_web(package: str) -> None:
    modules = [module_name(file) for file in sources() if file.is_relative_to(ROOT / package)]
    program = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert package in loaded
    assert not loaded & {"streamlit", "altair", "pandas", "numpy", "ui", "pages", "app"}


@pytest.mark.parametrize("file", sources(), ids=module_name)
def test_every_module_says_what_it_is(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))


def undocumented(tree: ast.Module) -> Iterator[str]:
    """Names of public functions, classes and methods of public classes that have no docstring."""

    def within(body: list[ast.stmt], prefix: str) -> Iterator[str]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if node.name.startswith("_"):
                    continue
                if not ast.get_docstring(node):
                    yield prefix + node.name
                if isinstance(node, ast.ClassDef):
                    yield from within(node.body, f"{prefix}{node.name}.")

    return within(tree.body, "")


@pytest.mark.parametrize(
    "file", [file for file in sources() if storey(module_name(file)) in {"bpe_core", "quiz"}], ids=module_name
)
def test_every_public_name_of_the_core_and_the_quiz_is_documented(file: Path) -> None:
    assert list(undocumented(ast.parse(file.read_text(encoding="utf-8")))) == []


def test_a_missing_docstring_is_noticed() -> None:
    tree = ast.parse("def a(): ...\ndef _b(): ...\nclass C:\n    'Doc.'\n    def d(self): ...\n")
    assert list(undocumented(tree)) == ["a", "C.d"]


def test_the_app_needs_four_packages() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    named = [re.split(r"[~=<>! ]", line)[0] for line in lines if line and not line.startswith("#")]
    assert sorted(named) == ["altair", "pandas", "regex", "streamlit"]


PRIVATE_PATH = re.compile(r"(?<![\w.])/(?:home|root|Users|tmp|work)/\w|\b[A-Z]:\\\\?Users\\", re.ASCII)


def repository_files() -> Iterator[Path]:
    """Every file that belongs to the repository, without what tools leave behind."""
    for file in ROOT.rglob("*"):
        folders = file.relative_to(ROOT).parts[:-1]
        kept = not any(name.startswith(".") and name not in {".ci", ".streamlit"} for name in folders)
        if (
            kept
            and not {"artifacts", "__pycache__"} & set(folders)
            and file.is_file()
            and file.name != ".git"
        ):
            yield file


def test_no_file_names_a_path_of_someones_machine() -> None:
    files = list(repository_files())
    assert {ROOT / "Makefile", ROOT / ".ci" / "run", Path(__file__)} <= set(files)
    found = [
        f"{file.relative_to(ROOT)}: {match.group()}"
        for file in files
        if file.stat().st_size < 1_000_000
        for match in PRIVATE_PATH.finditer(file.read_bytes().decode("utf-8", errors="ignore"))
    ]
    assert found == []


@pytest.mark.parametrize("start", ["see /home", "'/tmp", '"/Users', r"C:\Users"])
def test_a_private_path_is_noticed(start: str) -> None:
    separator = "\\" if "\\" in start else "/"
    assert PRIVATE_PATH.search(start + separator + "ann")
    assert not PRIVATE_PATH.search(start.replace(":", "") + "-" + separator + "ann")
