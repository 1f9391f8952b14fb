"""The built playground in a headless Chromium: played, edited, shared and solved. `make playground` builds it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from material import HOUSE

from benchmarks.browser import chromium, served, set_window, what_is_missing

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

BUILT = HOUSE / "build" / "site" / "playground"
MISSING = what_is_missing() or ("" if (BUILT / "main.js").exists() else "the playground is not built: make playground")
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

DESKTOP, PHONE = (1280, 800), (390, 844)
LEVEL = """title: Two crates
rule: sum
win: all crate on goal

legend
# wall: Static
@ player: Motion(2.5)
$ crate: Inertia(1)
. goal: Trigger

map
########
#@$$ ..#
########
"""
SCRIPT = """def script(puzzle):
    @puzzle.on_push("crate")
    def pushed(event):
        puzzle.state["pushes"] = 1
"""


class Page:
    """The page, opened."""

    def __init__(self, driver: Chrome, address: str) -> None:
        self.driver, self.address = driver, address

    def open(self, after: str = "", size: tuple[int, int] = DESKTOP) -> None:
        """Open the page again and wait for the first picture."""
        set_window(self.driver, *size, is_phone=size == PHONE)
        self.driver.get("about:blank")
        self.driver.get(self.address + after)
        self.wait("window.playground && playground.pictures")

    def get(self, expression: str) -> Any:
        """Return the value of an expression."""
        return self.driver.execute_script(f"return {expression}")  # type: ignore[no-untyped-call]

    def wait(self, condition: str) -> None:
        """Wait until an expression is true; fails after five minutes: on a busy machine Python starts slowly."""
        end = time.monotonic() + 300
        while not self.get(f"Boolean({condition})"):
            assert time.monotonic() < end, f"the page has not come to {condition}: {self.text('body')}"
            time.sleep(0.02)

    def text(self, selector: str) -> str:
        """Return the visible text of an element."""
        return str(self.get(f"document.querySelector({selector!r}).innerText"))

    def click(self, selector: str) -> None:
        """Click an element."""
        self.driver.find_element("css selector", selector).click()

    def press(self, keys: str) -> None:
        """Press keys and wait for their turns."""
        from selenium.webdriver import ActionChains, Keys

        arrows = {"L": Keys.ARROW_LEFT, "R": Keys.ARROW_RIGHT, "U": Keys.ARROW_UP, "D": Keys.ARROW_DOWN}
        ActionChains(self.driver).send_keys(*[arrows.get(key, key) for key in keys]).perform()
        self.wait("!playground.waiting")

    def edit(self, name: str, text: str) -> None:
        """Replace the text of an editor, as if typed."""
        self.driver.execute_script(  # type: ignore[no-untyped-call]
            "const box = document.getElementById(arguments[0]); box.value = arguments[1];"
            "box.dispatchEvent(new Event('input'))",
            name, text,
        )  # fmt: skip

    def moves(self) -> str:
        """Return the moves that were played."""
        return str(self.get("playground.shown.moves"))


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with served(BUILT) as address, chromium(*DESKTOP) as driver:
        page = Page(driver, address)
        page.open()
        yield page
        log = driver.get_log("browser")  # type: ignore[no-untyped-call]
        assert [] == [entry["message"] for entry in log if entry["level"] == "SEVERE"]


def test_a_puzzle_is_played_with_keys_and_each_push_is_explained_and_drawn(page):
    assert "Keep it open" == page.text("#title")
    page.press("LDR")
    assert ("LDR", "Turn 3 (R)") == (page.moves(), page.text("#turn"))
    assert "player (force 1.5) moved x +1 of +1: crate (inertia 1) pushed x +1" in page.text("#happened")
    assert {"made", "pushed"} <= {arrow["style"] for arrow in page.get("playground.marks.arrows")}
    page.press("z")
    assert "LD" == page.moves()
    page.press("y")
    assert "LDR" == page.moves()


def test_buttons_play_undo_and_restart(page):
    page.click("#restart")
    page.wait("playground.shown.moves === ''")
    page.click("[data-letter=D]")
    page.wait("playground.shown.moves === 'D'")
    page.click("#undo")
    page.wait("playground.shown.moves === ''")


def test_a_level_is_edited_shared_by_its_address_and_solved(page):
    page.edit("level", LEVEL)
    page.edit("script", "")
    page.wait("playground.shown.title === 'Two crates' && location.hash.startsWith('#level=')")
    page.open(page.get("location.hash"))
    assert "Two crates" == page.text("#title")
    page.click("#solve")
    page.wait("playground.shown.solved")
    assert ("RRR", True) == (page.moves(), page.get("!document.getElementById('solved').hidden"))
    assert "Solved with 3 pushes in 3 turns" in page.text("#note")


def test_a_fault_is_shown_with_its_line_and_the_level_stays(page):
    page.edit("level", LEVEL.replace("Motion", "Moton"))
    page.wait("!document.getElementById('problem').hidden")
    assert "level:7" in page.text("#problem")
    assert "Two crates" == page.text("#title")
    page.edit("level", LEVEL)
    page.edit("script", "def script(puzzle):\n    puzzle.door('gate', opens='plate')\n")
    page.wait("document.getElementById('problem').innerText.includes('script.py:2')")


def test_a_script_of_a_link_runs_only_when_it_is_allowed(page):
    page.edit("script", SCRIPT)
    page.wait("document.getElementById('problem').hidden && !playground.waiting")
    page.open(page.get("location.hash"))
    assert "This link brings a script" in page.text("#ask")
    page.click("#allow")
    page.wait("document.getElementById('ask').hidden && !playground.waiting")
    page.press("R")
    assert "R" == page.moves()


def test_a_phone_shows_level_buttons_and_explanation_without_scrolling_sideways(page):
    page.open(size=PHONE)
    assert page.get("document.documentElement.scrollWidth") <= PHONE[0]
    page.click("[data-letter=L]")
    page.wait("playground.shown.moves === 'L'")
    for selector in ("#stage", "#solve", "#happened li"):
        box = page.get(f"document.querySelector('{selector}').getBoundingClientRect().toJSON()")
        assert box["width"] > 0 and 0 <= box["top"] < box["bottom"] <= PHONE[1]
