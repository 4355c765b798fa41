"""Settings that all tests share: how Hypothesis runs, and browser tests last.

Not here: fixtures for the browser (tests/browser/conftest.py).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No deadlines: how long one example takes on a busy machine says nothing about the code. In CI the examples
# are the same each time, so that a change is never blamed for another's unlucky find.
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

BROWSER_TESTS = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in tests/browser, and run it last: the quick tests speak first."""
    for item in items:
        if BROWSER_TESTS in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A browser on a busy machine can be late once; a second try is shown as a rerun.
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
