"""The built site in a headless Chromium, on a phone and on desktops, light and dark. `make docs` builds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from material import HOUSE

from benchmarks.browser import chromium, served, set_window, what_is_missing
from tools import site

BUILT = HOUSE / "build" / "site" / "html"
MISSING = what_is_missing() or ("" if (BUILT / "404.html").exists() else "the site is not built: make docs")
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

DOCUMENTS = ["README.md", *(path for paths in site.SECTIONS.values() for path in paths)]
PAGES = [site.place_of(path).removesuffix(".md") + ".html" for path in DOCUMENTS]

CONTRAST = """
const light = text => { const [r, g, b] = text.match(/[\\d.]+/g).map(n => n / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const found = new Set();
for (const word of document.querySelectorAll(".highlight span")) {
    const block = getComputedStyle(word.closest(".highlight")).backgroundColor;
    const [a, b] = [light(getComputedStyle(word).color), light(block)].sort((a, b) => b - a);
    if ((a + 0.05) / (b + 0.05) < 4.5) found.add(word.className);
}
return [...found];
"""
"""Returns the kinds of words in programs that are hard to read (WCAG: a contrast of less than 4.5)."""


class Browser:
    """A browser that shows pages of the site."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver, self.address = driver, address

    def run(self, script: str, page: str) -> Any:
        """Open a page and return what a script returns there."""
        self.driver.get(self.address + page)
        return self.driver.execute_script(script)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with served(BUILT) as address, chromium(1280, 800) as driver:
        yield Browser(driver, address)


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_no_page_is_wider_than_the_window(browser, width):
    set_window(browser.driver, width, 800)
    script = "return document.documentElement.scrollWidth"
    assert [] == [page for page in PAGES if browser.run(script, page) > width]


def test_every_picture_is_found_and_has_a_text(browser):
    script = "return [...document.images].filter(each => !each.alt || !each.naturalWidth).map(each => each.src)"
    assert [] == [picture for page in PAGES for picture in browser.run(script, page)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_programs_are_easy_to_read(browser, theme):
    browser.run(f"localStorage.setItem('theme', '{theme}')", "index.html")
    assert [] == [kind for page in ("guide.html", "your_game.html") for kind in browser.run(CONTRAST, page)]
