"""A document shows every public name and every setting, in a program or in text in code style."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import re

import esper
import pytest
from material import HOUSE

from ecs_collision import CollisionSystem

PAGES = [HOUSE / "README.md", *sorted((HOUSE / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_LINE = re.compile(r"`([^`\n]+)`")
ARCHITECTURE = (HOUSE / "ARCHITECTURE.md").read_text(encoding="utf-8")
PUBLIC = sorted(
    set(re.findall(r"`(ecs_collision[.\w]*)`", re.search(r"Games import from [^.]*(?:\.\w[^.]*)*\. ", ARCHITECTURE)[0]))
)


def words_in_code(text: str) -> set[str]:
    """Return the words of the programs of a page, and of its text in code style."""
    code = [code for kind, code in BLOCK.findall(text) if kind in ("python", "sh", "diff")]
    return set(re.findall(r"\w+", " ".join([*code, *IN_LINE.findall(BLOCK.sub("", text))])))


def public_names(package: str) -> list[str]:
    return list(importlib.import_module(package).__all__)


def missing_names(names: list[str], texts: list[str]) -> list[str]:
    shown = set().union(*map(words_in_code, texts))
    return [name for name in names if name not in shown]


def test_the_architecture_lists_the_packages_that_games_import():
    assert {"ecs_collision", "ecs_collision.game", "ecs_collision.levels", "ecs_collision.testing"} < set(PUBLIC)
    imported = {
        match
        for page in PAGES
        for kind, code in BLOCK.findall(page.read_text(encoding="utf-8"))
        if kind == "python"
        for match in re.findall(r"^\s*from (ecs_collision[.\w]*) import", code, re.MULTILINE)
    }
    assert imported - {"ecs_collision.__main__"} <= set(PUBLIC)


@pytest.mark.parametrize("package", PUBLIC)
def test_a_document_shows_every_public_name(package):
    assert [] == missing_names(public_names(package), [page.read_text(encoding="utf-8") for page in PAGES])


@pytest.mark.parametrize("name", inspect.signature(CollisionSystem).parameters)
def test_a_page_explains_every_setting_and_shows_it_in_a_program(name):
    page = (HOUSE / "docs" / "settings.md").read_text(encoding="utf-8")
    section = re.search(r"^## Settings\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)[1]
    assert f"\n| `{name}` |" in section
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    programs = "".join(code for text in texts for kind, code in BLOCK.findall(text) if kind == "python")
    assert re.search(rf'\b{name}=|"{name}": ', programs)


COMPARISONS = sorted((HOUSE / "docs").glob("from_*.md"))
CALLED = re.compile(r"\b([A-Za-z_]\w*)(?==|\()|(?<=\.)([a-z_]\w*)|\b([A-Z]\w+)")
"""In code: the name of a call, an option, an attribute, or a class."""

LEVEL_WORDS = {"legend", "map", "joined", "whole", "any", "no", "and"}
"""Words of the level format."""


def names_to_use() -> set[str]:
    """Return all public names, their attributes and parameters, and those of esper that the pages name."""
    names = words_in_code((HOUSE / "docs" / "names.md").read_text(encoding="utf-8"))
    for package in PUBLIC:
        for name in public_names(package):
            value = getattr(importlib.import_module(package), name)
            names.add(name)
            for called in (value, *(vars(value).values() if isinstance(value, type) else ())):
                if callable(called):
                    with contextlib.suppress(TypeError, ValueError):
                        names |= inspect.signature(called).parameters.keys()
    return names | {name for name in dir(esper) if not name.startswith("_")} | {"math", "inf", "True"}


@pytest.mark.parametrize("page", COMPARISONS, ids=lambda page: page.stem)
def test_what_a_comparison_names_on_our_side_exists(page):
    lines = page.read_text(encoding="utf-8").replace("\\|", "").splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if line.startswith("| ")]
    assert len(rows) > 15
    assert "here" == rows[0][2]
    codes = [code for _, _, here, *_ in rows for code in IN_LINE.findall(here) if ": " not in code]
    named = {next(filter(None, match)) for code in codes for match in CALLED.findall(re.sub(r'"[^"]*"', "", code))}
    named |= {code for code in codes if re.fullmatch(r"\w+", code)} - LEVEL_WORDS
    assert len(named) > 15
    assert [] == sorted(named - names_to_use())
