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
    if (word.textContent.trim() && (a + 0.05) / (b + 0.05) < 4.5) found.add(word.className);
}
return [...found];
"""
"""Returns the kinds of words in programs that are hard to read (WCAG: a contrast of less than 4.5)."""


PICTURES = "return [...document.images].filter(each => !each.alt || !each.naturalWidth).map(each => each.src)"
"""Returns the pictures that are missing, or have no text."""


class Site:
    """A browser that shows the site."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver, self.address = driver, address

    def run(self, script: str, page: str = "") -> Any:
        """Return what a script returns on a page, which is opened if it is given."""
        if page:
            self.driver.get(self.address + page)
        return self.driver.execute_script(script)


@pytest.fixture(scope="module")
def shown() -> Iterator[Site]:
    with served(BUILT) as address, chromium(1280, 800) as driver:
        yield Site(driver, address)


def test_no_page_is_wider_than_the_window_and_every_picture_has_a_text(shown):
    wide, pictures = [], []
    for page in PAGES:
        pictures += shown.run(PICTURES, page)
        for width in (390, 1024, 1440):
            set_window(shown.driver, width, 800)
            wide += [(page, width)] if shown.run("return document.documentElement.scrollWidth") > width else []
    assert ([], []) == (wide, pictures)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_programs_are_easy_to_read(shown, theme):
    shown.run(f"localStorage.setItem('theme', '{theme}')", "index.html")
    assert [] == [kind for page in ("guide.html", "your_game.html") for kind in shown.run(CONTRAST, page)]
