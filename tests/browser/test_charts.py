"""What every chart offers: its tools by mouse and by keyboard, its picture to keep, text that can be read.

Sizes stands for all pages: the tools come with the frame that all charts are drawn in.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import settle

ALT = "Corpus length falls from 50 to 10; now 33 at k = 5."

#: The contrast of a text's colour against the page, as WCAG 2 counts it.
CONTRAST = """
(text) => {
  const light = (colour) => {
    const part = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(part);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const page = getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor;
  const [a, b] = [light(getComputedStyle(text).fill), light(page)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
"""


def tool(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=f"{name}: {ALT}")


def toolbar(page: Page) -> Locator:
    return page.get_by_test_id("stElementToolbar").filter(has=tool(page, "Download as PNG"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_by_mouse_and_by_keyboard(visit: Visit, scheme: str) -> None:
    page = visit("/sizes?k=5", scheme=scheme)
    expect(toolbar(page)).to_have_css("opacity", "0")
    tool(page, "Show data").focus()
    expect(toolbar(page)).to_have_css("opacity", "1")
    page.keyboard.press("Tab")
    expect(tool(page, "Download as PNG")).to_be_focused()
    with page.expect_download() as by_keyboard:
        page.keyboard.press("Enter")
    assert by_keyboard.value.path().read_bytes().startswith(b"\x89PNG")
    page.get_by_role("heading", level=1).click()
    page.locator(f'.stVegaLiteChart[aria-label="{ALT}"]').hover()
    expect(toolbar(page)).to_have_css("opacity", "1")
    with page.expect_download() as by_mouse:
        tool(page, "Download as PNG").click()
    assert by_mouse.value.suggested_filename.endswith(".png")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_text_of_charts_can_be_read(visit: Visit, scheme: str) -> None:
    page = visit("/real", scheme=scheme)
    settle(page)
    texts = page.locator(".stVegaLiteChart svg text").all()
    assert len(texts) > 20
    assert min(text.evaluate(CONTRAST) for text in texts) >= 4.5
