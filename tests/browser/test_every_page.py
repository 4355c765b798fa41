"""What every page owes every reader, whatever it shows: each is opened in both themes and at both sizes.

A page joins by being a file in pages/. Not here: what a page is about (its own test file).
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, ROOT, WIDE, axe_serious, scrolls_sideways

ADDRESSES = [
    "/" if file.stem == "train" else f"/{file.stem}"
    for file in sorted((ROOT / "pages").glob("*.py"))
    if not file.stem.startswith("_")
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_it_opens_clean_and_readable_for_all(
    visit: Visit, address: str, size: tuple[int, int], scheme: str
) -> None:
    page = visit(address, size=size, scheme=scheme, touch=size == PHONE)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.title() not in {"", "Streamlit", "shell"}
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("address", ADDRESSES)
def test_hostile_values_in_its_link_are_harmless(visit: Visit, address: str) -> None:
    hostile = (
        "%22%3E%3Cimg%20src%3Dx%20onerror%3D%22window.hurt%3D1%22%3E%3Cscript%3Ewindow.hurt%3D1%3C/script%3E"
    )
    names = ["preset", "text", "unit", "pre", "ties", "min", "k", "new", "seed", "level"]
    page = visit(f"{address}?" + "&".join(f"{name}={hostile}" for name in names))
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.evaluate("window.hurt") is None
    assert page.locator("img[src=x]").count() == 0
