"""The application object: what `streamlit run app.py` and `uvicorn app:app` serve.

It only warms up: the heavy imports happen once, before the first visitor, and the heap is frozen so that
the collection Streamlit runs after every click does not walk over pandas and Altair again. Pages, navigation
and state live in `ui` and `pages`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent
# The shell and the pages import `ui`, `quiz` and `bpe_core` from wherever the app was started.
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))


@asynccontextmanager
async def warm_up(_app: st.App) -> AsyncIterator[None]:
    """Import what every page needs, then keep the garbage collector away from it."""
    import altair  # noqa: F401
    import pandas  # noqa: F401

    gc.collect()
    gc.freeze()
    yield


app = st.App(ROOT / "ui" / "shell.py", lifespan=warm_up)
