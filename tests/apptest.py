"""A page of the app without a browser, for the page tests: opened through the shell, and what it shows.

    app = opened("split", k="5")          as the link with this query opens it
    app = opened("split", lab)            with this lab
    said(app, "split_says")               a sentence; says(app): all of them, one a line
    shown(app, "split_tiles")             what a component is told to show
    moved(app, 7)                         the same page after the slider for k was moved

Not here: clicks inside our components, the keyboard, themes (tests/browser).
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from ui.links import Lab

ROOT = Path(__file__).resolve().parent.parent


def opened(
    page: str, lab: Lab | None = None, *, state: dict[str, Any] | None = None, **query: str
) -> AppTest:
    """The page (its file's name) with this lab, or as the link with this query opens it."""
    app = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=120)
    if lab is not None:
        app.session_state["lab"] = lab
        app.session_state["lab_notices"] = []
    for name, value in (state or {}).items():
        app.session_state[name] = value
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    app.switch_page(f"../pages/{page}.py").run()
    assert not app.exception
    return app


def moved(app: AppTest, k: int) -> AppTest:
    """The page after the lab was moved to k merges, as the slider does."""
    app.session_state["lab"] = replace(app.session_state["lab"], k=k)
    app.run()
    assert not app.exception
    return app


def shown(app: AppTest, key: str) -> dict[str, Any] | None:
    """What the component with this key is told to show, or None when it is not on the page."""
    for block in app.get("bidi_component"):
        if block.proto.id.endswith("-" + key):
            return dict(json.loads(block.proto.json))
    return None


def components(app: AppTest) -> list[dict[str, Any]]:
    """What all our components on the page are told to show."""
    return [json.loads(block.proto.json) for block in app.get("bidi_component")]


def slider(app: AppTest, key: str) -> tuple[int, int]:
    """Where the slider for k stands and how far it reaches."""
    data = shown(app, key)
    assert data is not None
    return data["value"], data["maximum"]


def said(app: AppTest, key: str) -> str:
    """The sentence with this key, empty when it is not on the page."""
    data = shown(app, key)
    return "" if data is None else "".join(text for text, _ in data["parts"])


def says(app: AppTest) -> str:
    """All our sentences on the page, one a line."""
    return "\n".join("".join(text for text, _ in d["parts"]) for d in components(app) if "parts" in d)


def notes(app: AppTest) -> str:
    """All notes on the page, as HTML, one a line."""
    return "\n".join(block.value for block in app.html if '<div class="bpe-note' in block.value)


def labels(data: dict[str, Any], indexes: list[int]) -> list[str]:
    """Tiles as they read, from what a tile component is told to show."""
    return ["".join(text for text, _ in data["kinds"][index]["label"]) for index in indexes]


def strip(app: AppTest, label: str) -> list[str]:
    """The tiles of the strip whose name starts so, as they read, all words in one row."""
    data = next(d for d in components(app) if d.get("label", "").startswith(label) and "words" in d)
    return labels(data, [index for word in data["words"] for index in word["t"]])
