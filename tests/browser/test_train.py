"""The Train page as a learner uses it: clicks, keys, typing, reload, links, files, a phone.

Figures are those of the articles; AppTest holds all the examples to them (tests/test_pages_train.py).
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.support import axe_serious, scrolls_sideways, settle


def next_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Next merge")


def happened(page: Page) -> Locator:
    return page.locator(".st-key-happened").get_by_role("status")


def tiles(page: Page, key: str = "corpus") -> Locator:
    return page.locator(f".st-key-{key} .tile")


def at_k(page: Page, k: int) -> None:
    """Wait until every place that shows k shows this one."""
    expect(page.get_by_text(re.compile(rf"^Merges made: k = {k:,} of "))).to_be_visible()
    expect(happened(page)).to_contain_text(f"Merge {k:,}:" if k else "Before any merge")


def merge(page: Page, to: int) -> None:
    """Click Next merge until k is ``to``, seeing each step happen."""
    # The page says where it is at once; the address follows a moment later.
    shown = page.get_by_text(re.compile(r"^Merges made: k = ")).inner_text()
    start = int(re.findall(r"[\d,]+", shown)[0].replace(",", ""))
    for k in range(start + 1, to + 1):
        next_button(page).click()
        at_k(page, k)


def words(page: Page, key: str = "corpus") -> list[str]:
    """The words as tiles, as they read, tiles joined by |."""
    groups = page.locator(f".st-key-{key} .word")
    return ["|".join(groups.nth(i).locator(".tile").all_inner_texts()) for i in range(groups.count())]


def fill_corpus(page: Page, text: str) -> None:
    box = page.get_by_label("Training text")
    box.fill(text)
    box.press("Control+Enter")


def test_five_merges_then_bytes_then_new_text(page: Page) -> None:
    expect(happened(page)).to_contain_text("Next, outlined below: a + k, count 4, the first seen of 2 tied")
    expect(page.locator(".st-key-corpus .ring-l")).to_have_count(3)
    merge(page, 5)
    expect(happened(page)).to_contain_text(
        "␣b + ake → ␣bake, count 3, the first seen of 2 tied pairs. 3 replacements: L 36 → 33, |V| 20 → 21."
    )
    assert words(page)[:4] == ["t|h|e", "␣c|a|f|é", "␣bake|r", "␣bake|s"]
    expect(page.locator(".st-key-corpus .newest")).to_have_text(["␣bake", "␣bake"])

    page.get_by_text("Start from UTF-8 bytes").click()
    at_k(page, 0)
    expect(happened(page)).to_contain_text("L = 53 tokens long and uses |V| = 17")
    merge(page, 4)
    expect(happened(page)).to_contain_text("⟨C3⟩ + ⟨A9⟩ → é, count 3, the first seen of 4 tied pairs")

    box = page.get_by_label("New text, split by the merges made so far")
    box.fill("")
    box.press_sequentially("the maker baked café")
    expect(page.locator(".st-key-new_said")).to_contain_text("tokens for 20 characters")
    expect(tiles(page, "new_tiles").last).to_have_text("é")
    expect(box).to_have_value("the maker baked café")


def test_every_rapid_click_counts(page: Page) -> None:
    page.evaluate("""async () => {
      for (let i = 0; i < 20; i++) {
        document.querySelector('.st-key-next button').click();
        await new Promise(done => setTimeout(done, 25));
      }
    }""")
    at_k(page, 20)
    expect(page).to_have_url(re.compile(r"\?k=20$"))
    page.evaluate("""async () => {
      for (let i = 0; i < 15; i++) {
        document.querySelector('.st-key-back button').click();
        await new Promise(done => setTimeout(done, 25));
      }
    }""")
    at_k(page, 5)
    for _ in range(8):
        page.keyboard.press("n", delay=10)
    at_k(page, 13)
    page.evaluate("""async () => {
      for (let i = 0; i < 20; i++) {
        document.querySelector('.st-key-next button').click();
        await new Promise(done => setTimeout(done, 25));
      }
    }""")
    at_k(page, 22)  # clicks past the end are no fault of the reader's
    settle(page)
    expect(page.get_by_text("was asked for")).to_have_count(0)


def test_keyboard_alone(page: Page) -> None:
    page.keyboard.press("n")
    at_k(page, 1)
    page.keyboard.press("n")
    at_k(page, 2)
    back = page.get_by_role("button", name="Back")
    back.focus()
    page.keyboard.press("Enter")
    at_k(page, 1)
    slider = page.get_by_role("slider")
    slider.focus()
    for key, k in (("ArrowRight", 2), ("End", 22), ("ArrowLeft", 21), ("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        at_k(page, k)
        expect(slider).to_be_focused()
    page.keyboard.press("Tab")
    first = tiles(page).first
    expect(first).to_be_focused()
    expect(page.locator(".st-key-corpus .card")).to_contain_text("made by")
    page.keyboard.press("ArrowRight")
    expect(tiles(page).nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(tiles(page).last).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-corpus .card")).to_be_hidden()
    page.keyboard.press("n")
    at_k(page, 2)  # the step does not take the focus away
    expect(tiles(page).last).to_be_focused()


def test_a_key_held_down_counts_every_repeat_and_never_breaks_the_page(visit: Visit) -> None:
    page = visit("/?pre=none&text=" + "+".join(f"w{i * i}" for i in range(60)))
    for _ in range(50):
        page.keyboard.down("n")  # again without letting go: what a keyboard does by itself
        page.evaluate("new Promise(done => setTimeout(done, 30))")
    page.keyboard.up("n")
    at_k(page, 50)


def test_a_button_that_is_switched_off_hands_on_the_focus(visit: Visit) -> None:
    page = visit("/?k=21")
    next_button(page).focus()
    page.keyboard.press("Enter")
    at_k(page, 22)
    expect(page.get_by_role("button", name="Reset")).to_be_focused()
    page.keyboard.press("Enter")
    at_k(page, 0)
    expect(next_button(page)).to_be_focused()


def test_the_shortcut_is_quiet_while_typing(page: Page) -> None:
    box = page.get_by_label("New text, split by the merges made so far")
    box.fill("")
    box.press_sequentially("nnn")
    expect(tiles(page, "new_tiles")).to_have_count(3)
    at_k(page, 0)


def test_details_of_a_tile(visit: Visit) -> None:
    page = visit("/?unit=byte&k=4")
    tiles(page).filter(has_text="é").first.hover()
    card = page.locator(".st-key-corpus .card")
    for line in ("C3 A9", "U+00E9 latin small letter e with acute", "merge 4: ⟨C3⟩ + ⟨A9⟩", "3 times"):
        expect(card).to_contain_text(line)
    label = tiles(page).filter(has_text="é").first.get_attribute("aria-label") or ""
    assert label.startswith("token bytes C3 A9, é") and "new" in label


def test_reload_page_switch_and_back_keep_the_lab(page: Page) -> None:
    start = page.evaluate("history.length")
    merge(page, 3)
    expect(page).to_have_url(
        re.compile(r"\?k=3$")
    )  # after a burst of clicks the address follows within 0.3 s
    page.reload()
    at_k(page, 3)
    next_button(page).click()
    at_k(page, 4)
    assert page.evaluate("history.length") == start  # steps leave no trace in the history
    page.get_by_role("link", name="Split new text").click()
    expect(page).to_have_url(re.compile(r"/split\?k=4$"))
    page.get_by_role("link", name="Train", exact=True).click()
    at_k(page, 4)
    page.go_back()
    expect(page).to_have_url(re.compile(r"/split"))
    page.go_back()
    at_k(page, 4)


def test_a_reload_right_after_a_click_keeps_it(page: Page) -> None:
    next_button(page).click()
    at_k(page, 1)
    page.reload()
    at_k(page, 1)


def test_own_text_and_the_link_a_friend_opens(visit: Visit) -> None:
    page = visit("/")
    text = "sí, sí: 50% of $5 & <b>é</b>\nשלום ☕"
    fill_corpus(page, text)
    at_k(page, 0)
    page.get_by_text("Start from UTF-8 bytes").click()
    expect(happened(page)).to_contain_text("every token is one byte")
    merge(page, 2)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    settle(page)
    before = words(page)
    friend = visit("/?" + urlsplit(copied).query)
    at_k(friend, 2)
    expect(friend.get_by_label("Training text")).to_have_value(text)
    settle(friend)
    assert words(friend) == before
    expect(friend.get_by_role("switch", name="Start from UTF-8 bytes")).to_be_checked()


def test_new_text_is_in_the_link_and_survives_a_reload(visit: Visit) -> None:
    page = visit("/?k=5")
    box = page.get_by_label("New text, split by the merges made so far")
    box.fill("unbakeable cakes")
    page.wait_for_url(re.compile(r"new=unbakeable"))
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    friend = visit("/?" + urlsplit(copied).query)
    expect(friend.get_by_label("New text, split by the merges made so far")).to_have_value("unbakeable cakes")
    page.reload()
    expect(box).to_have_value("unbakeable cakes")


def test_two_tabs_do_not_mix(visit: Visit) -> None:
    one = visit("/?k=2")
    two = visit.last.open("/?preset=hop&k=1")
    next_button(one).click()
    at_k(one, 3)
    next_button(two).click()
    at_k(two, 2)
    one.reload()
    at_k(one, 3)
    expect(one.get_by_label("Training text")).to_have_value(re.compile("café baker"))


def test_an_example_replaces_text_and_settings_and_old_k(page: Page) -> None:
    merge(page, 2)
    page.get_by_role("radio", name="low lower").click()
    at_k(page, 0)
    expect(page.get_by_role("button", name=re.compile("white space . end marker"))).to_be_visible()
    merge(page, 3)
    expect(next_button(page)).to_be_disabled()
    expect(happened(page)).to_contain_text("fewer than 2 times")


def test_play_and_pause(page: Page) -> None:
    page.get_by_role("button", name="Play").click()
    expect(happened(page)).to_contain_text(re.compile(r"Merge ([2-9]|1\d):"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    settle(page)
    shown = page.get_by_text(re.compile("^Merges made")).inner_text()
    # A tick would come within a second; the strip must stay as it is for longer than that.
    moved = page.evaluate("""() => new Promise(done => {
      const place = document.querySelector('.st-key-happened [data-testid=stBidiComponentIsolated]');
      const watch = new MutationObserver(() => done(true));
      watch.observe(place.shadowRoot, {subtree: true, childList: true, characterData: true});
      setTimeout(() => done(false), 1500);
    })""")
    assert not moved
    assert page.get_by_text(re.compile("^Merges made")).inner_text() == shown


def test_play_stops_at_the_end(visit: Visit) -> None:
    page = visit("/?k=20")
    page.get_by_role("button", name="Play").click()
    at_k(page, 22)
    expect(page.get_by_role("button", name="Play")).to_be_disabled()


def test_a_step_is_seen_without_scrolling(page: Page) -> None:
    merge(page, 3)
    for part in (next_button(page), page.get_by_role("slider"), happened(page), tiles(page).last):
        expect(part).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_steps_stay_under_the_thumb(phone: Page) -> None:
    tiles(phone).last.scroll_into_view_if_needed()
    for name in ("Reset", "Back", "Next merge", "Play"):
        expect(phone.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    next_button(phone).tap()
    at_k(phone, 1)
    phone.get_by_text("Take it with you").scroll_into_view_if_needed()
    expect(next_button(phone)).to_be_in_viewport(ratio=1)
    assert not scrolls_sideways(phone)


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_tiles_slide_only_where_motion_is_allowed(visit: Visit, motion: str, moves: bool) -> None:
    page = visit("/", motion=motion)
    page.evaluate("""() => {
      window.slid = 0;
      const real = Element.prototype.animate;
      Element.prototype.animate = function (...given) { window.slid += 1; return real.apply(this, given); };
    }""")
    merge(page, 1)
    assert (page.evaluate("window.slid") > 0) == moves
    expect(tiles(page)).to_have_count(36)  # 39 letters in the distinct words; three pairs merged


def test_tiles_keep_the_order_of_right_to_left_words(page: Page) -> None:
    fill_corpus(page, "سلام שלום abc")
    expect(page.locator(".st-key-corpus .word")).to_have_count(3)
    boxes = [tile.bounding_box() for tile in tiles(page).all()]
    places = [(round(box["y"]), box["x"]) for box in boxes if box]
    assert places == sorted(places)


def test_markup_stays_text_everywhere(page: Page) -> None:
    fill_corpus(page, "<b>x</b> $a$ <img src=x onerror=window.hurt=1> `q`")
    expect(page.locator(".st-key-corpus .word").first).to_be_visible()
    at_k(page, 0)
    page.get_by_label("New text, split by the merges made so far").fill(
        "<|endoftext|> <script>window.hurt=1</script>"
    )
    expect(tiles(page, "new_tiles").first).to_have_text("<")
    merge(page, 1)
    assert page.evaluate("window.hurt") is None
    assert page.locator("img[src=x]").count() == 0
    assert "$a$" in page.get_by_label("Training text").input_value()


def test_lone_surrogates_and_blank_corpora(page: Page) -> None:
    fill_corpus(page, "   ")
    expect(happened(page)).to_contain_text("The corpus holds no words.")
    expect(next_button(page)).to_be_disabled()
    fill_corpus(page, "")
    expect(page.locator(".st-key-corpus")).to_contain_text("No tokens yet.")
    assert axe_serious(page) == []
    fill_corpus(page, "xy")
    expect(tiles(page)).to_have_count(2)
    box = page.get_by_label("New text, split by the merges made so far")
    box.evaluate("""area => {
      area.value = 'x' + String.fromCharCode(0xD83D) + 'y';
      area.dispatchEvent(new Event('input'));
    }""")
    expect(tiles(page, "new_tiles")).to_have_count(3)


def test_files_in(page: Page, tmp_path: Path) -> None:
    page.get_by_role("button", name="Open file").click()
    chooser = page.locator("input[type=file]")
    counts = tmp_path / "words.tsv"
    counts.write_text("hop\t5\nhops\t2\nshop\t3\nshops\t1\n", encoding="utf-8")
    chooser.set_input_files(counts)
    expect(happened(page)).to_contain_text("L = 40")
    broken = tmp_path / "menu.txt"
    broken.write_bytes("café".encode("latin-1"))
    chooser.set_input_files(broken)
    expect(page.get_by_text("'menu.txt' is not UTF-8 text: byte E9 at position 3")).to_be_visible()
    expect(happened(page)).to_contain_text("L = 40")
    table = tmp_path / "bad.csv"
    table.write_text("hop,5\nhops,many\n", encoding="utf-8")
    chooser.set_input_files(table)
    expect(page.get_by_text("Line 2: the count 'many'")).to_be_visible()


def test_a_long_text_by_file_survives_a_reload_and_travels_as_a_file(visit: Visit, tmp_path: Path) -> None:
    page = visit("/")
    long = tmp_path / "long.txt"
    # Distinct words, so that there is something to merge for a long time.
    long.write_text(" ".join(f"w{i:x}r{i * 7919 % 4096:x}" for i in range(8000)), encoding="utf-8")
    page.get_by_role("button", name="Open file").click()
    page.locator("input[type=file]").set_input_files(long)
    expect(page.locator(".st-key-corpus")).to_contain_text("Showing the first 2,000 of")
    page.keyboard.press("Escape")
    merge(page, 2)
    expect(page).to_have_url(re.compile("k=2&stored="))
    expect(page.get_by_text("This lab is too long for a link")).to_be_visible()
    said = happened(page).text_content() or ""
    page.reload()
    at_k(page, 2)
    expect(happened(page)).to_have_text(said)
    settle(page)  # a file asked for while the page is drawn anew is one of the page before
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save lab as a file").click()
    saved = saving.value.path()
    address = page.url
    friend = visit("/?" + urlsplit(address).query)
    expect(friend.get_by_text("kept only in the browser tab that made it")).to_be_visible()
    friend.get_by_role("button", name="Open file").click()
    friend.locator("input[type=file]").set_input_files(saved)
    at_k(friend, 2)
    expect(happened(friend)).to_have_text(said)


def test_downloads(visit: Visit) -> None:
    page = visit("/?unit=byte&k=5")
    page.get_by_role("button", name="Download", exact=True).click()
    got: dict[str, bytes] = {}
    for name in ("Table (CSV)", "Merges (JSON)", "Hugging Face", "tiktoken ranks", "Chart data (CSV)"):
        with page.expect_download() as saving:
            page.get_by_role("button", name=name).click()
        got[saving.value.suggested_filename] = Path(saving.value.path()).read_bytes()
    assert len(json.loads(got["bpe-steps.json"])["merges"]) == 5
    assert len(json.loads(got["tokenizer.json"])["model"]["merges"]) == 5
    assert len(got["ranks.tiktoken"].splitlines()) == 256 + 5
    assert len(got["bpe-merges.csv"].decode("utf-8").splitlines()) == 1 + 1 + 5
    sizes = got["bpe-sizes.csv"].decode("utf-8").splitlines()
    assert sizes[:2] == [
        "k,corpus_length,vocabulary_size_in_use,vocabulary_size_by_definition",
        "0,53,17,256",
    ]
    assert sizes[-1] == "23,10,40,279"


def test_a_bar_of_a_chart_moves_k(page: Page) -> None:
    bars = page.locator(".st-key-l_chart path[aria-roledescription=bar]")
    expect(bars).to_have_count(23)
    bars.nth(7).click()
    at_k(page, 7)
    next_button(page).click()
    at_k(page, 8)


def test_embedded_there_is_only_the_widget(visit: Visit) -> None:
    page = visit("/?embed=true&k=3")
    at_k(page, 3)
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_count(0)
    expect(page.get_by_role("button", name="Main menu")).to_have_count(0)
    next_button(page).click()
    at_k(page, 4)
    expect(page).to_have_url(re.compile(r"embed=true.*k=4"))
