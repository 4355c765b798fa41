"""For teachers in a real browser: a class from link to results, a locked lab, a sheet by link and by file."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import PHONE, ROOT, axe_serious, scrolls_sideways, settle

EXAMPLE = (ROOT / "quiz" / "example_sheet.toml").read_text(encoding="utf-8")


def said(page: Page, text: str) -> None:
    """Wait until one of our sentences says this."""
    expect(page.locator(".say").filter(has_text=text)).not_to_have_count(0)


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")


def copied(page: Page, button: str, nth: int = 0) -> str:
    """What the button copies."""
    page.get_by_role("button", name=button, exact=True).nth(nth).click()
    expect(page.get_by_text("Copied.").first).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_locked_lab_from_the_teacher_to_a_student(visit: Visit) -> None:
    page = visit("/teach?preset=hop&k=3")
    link = copied(page, "Copy link")
    assert link.endswith("/?preset=hop&k=3&locked=1")
    student = visit(link[link.index("/?") :])
    expect(student.get_by_role("textbox", name="Words and counts")).to_be_disabled()
    expect(student.get_by_text("has locked the training text")).to_be_visible()
    expect(student.get_by_role("button", name=re.compile("Settings"))).to_have_count(0)
    student.get_by_role("button", name="Next merge").click()
    expect(student).to_have_url(re.compile("preset=hop&k=4&locked=1"))
    assert axe_serious(student) == []
    settle(student)
    student.reload()
    expect(student.get_by_role("textbox", name="Words and counts")).to_be_disabled()
    student.get_by_role("link", name="Split new text").click()
    expect(
        student.get_by_role("switch", name="Start from UTF-8 bytes").or_(
            student.get_by_role("checkbox", name="Start from UTF-8 bytes")
        )
    ).to_be_disabled()


def test_a_sheet_is_mended_linked_worked_through_and_handed_in(visit: Visit, tmp_path: Path) -> None:
    page = visit("/teach")
    tab(page, "Your own sheet")
    broken = tmp_path / "sheet.toml"
    broken.write_text(EXAMPLE.replace('kind = "pair"', 'kind = "pears"'), encoding="utf-8")
    page.get_by_role("button", name="Open a file").click()
    page.locator(".st-key-teach_sheet_file input[type=file]").set_input_files(broken)
    said(page, "✗ To be mended")
    line = (
        broken.read_text(encoding="utf-8")[
            : broken.read_text(encoding="utf-8").index('kind = "pears"')
        ].count("\n")
        + 1
    )
    expect(page.get_by_text(f"Line {line}: ")).to_be_visible()
    page.keyboard.press("Escape")
    box = page.get_by_role("textbox", name="The sheet; press Ctrl+Enter to check it")
    box.fill(EXAMPLE)
    box.press("Control+Enter")
    said(page, "✓ Nothing to mend: 5 questions.")
    link = copied(page, "Copy link to the sheet")
    student = visit(link[link.index("/quiz?") :])
    said(student, "Hop, hops, shop, shops")
    assert axe_serious(student) == []
    student.get_by_label("Your answer").fill("2")
    student.get_by_role("button", name="Check", exact=True).click()
    said(student, "That counts each word once, whatever its count.")
    settle(student)
    student.reload()
    said(student, "That counts each word once, whatever its count.")
    student.get_by_text("Hand in, save, start again").click()
    name = student.get_by_role("textbox", name="Your name, if you like")
    name.fill("Ada")
    name.press("Enter")
    settle(student)
    with student.expect_download() as saving:
        student.get_by_role("button", name="Results (CSV)").click()
    saved = tmp_path / "ada.csv"
    saving.value.save_as(saved)
    tab(page, "Results of a class")
    wrong = tmp_path / "other.csv"
    wrong.write_text("hello\n", encoding="utf-8")
    page.locator(".st-key-teach_files input[type=file]").set_input_files([saved, wrong])
    said(page, "1 student, 5 questions")
    expect(page.get_by_text("'other.csv' is not a results file")).to_be_visible()
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(2)
    with page.expect_download() as table:
        page.get_by_role("button", name="Questions (CSV)").click()
    text = Path(table.value.path()).read_text(encoding="utf-8-sig")
    row = next(line for line in text.splitlines() if line.startswith("count-ps,"))
    assert row.startswith("count-ps,by-hand,1,1,0,0,0,") and "Counted each word once" in row


def test_a_sheet_too_long_for_a_link_is_opened_as_a_file(visit: Visit, tmp_path: Path) -> None:
    # Text that does not pack well.
    more = "".join(
        f'[[question]]\nkind = "number"\nprompt = "{sha256(bytes([n])).hexdigest()}?"\nanswer = {n}\n'
        for n in range(190)
    )
    file = tmp_path / "long.toml"
    file.write_text(EXAMPLE + more, encoding="utf-8")
    page = visit("/teach")
    tab(page, "Your own sheet")
    page.get_by_role("button", name="Open a file").click()
    page.locator(".st-key-teach_sheet_file input[type=file]").set_input_files(file)
    said(page, "✓ Nothing to mend: 195 questions.")
    expect(page.get_by_text("The sheet is too long for a link")).to_be_visible()
    student = visit("/quiz")
    student.get_by_text("A teacher’s sheet").click()
    student.get_by_role("button", name="Open a sheet").click()
    student.locator(".st-key-sheet_file input[type=file]").set_input_files(file)
    said(student, "195 questions")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_tab_is_readable_on_a_phone(visit: Visit, scheme: str) -> None:
    page = visit("/teach?preset=hop", size=PHONE, scheme=scheme, touch=True)
    page.get_by_text("A different one for each").tap()
    expect(page.get_by_role("button", name="Copy all links")).to_be_visible()
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)
    tab(page, "Your own sheet")
    page.get_by_role("button", name="Put the example in the box").tap()
    said(page, "✓ Nothing to mend: 5 questions.")
    assert axe_serious(page) == []
    assert not scrolls_sideways(page)
