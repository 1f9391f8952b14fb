"""The pages of the site, before Sphinx renders them: every document has a place, and every link leads to a page."""

from __future__ import annotations

import inspect
import posixpath
import re
import runpy

import pytest
from material import HOUSE
from test_documented_names import PUBLIC, public_names

from ecs_collision import MoveResult, Stats
from ecs_collision.broadphase import Octree
from tools import site

DOCUMENTS = {path.relative_to(HOUSE).as_posix() for path in [*HOUSE.glob("*.md"), *HOUSE.glob("docs/*.md")]}
PAGES = dict(site.pages())
FILES = {path.relative_to(HOUSE / "docs").as_posix() for path in HOUSE.glob("docs/**/*.*")}


def test_the_site_has_every_document_once():
    listed = ["README.md", *(path for paths in site.SECTIONS.values() for path in paths)]
    assert sorted(DOCUMENTS) == sorted(listed)
    assert len(listed) == len(set(map(site.place_of, listed)))


def test_the_page_of_all_pages_links_to_each():
    named = re.findall(r"\]\((\w+\.md)\)", (HOUSE / "docs" / "README.md").read_text(encoding="utf-8"))
    assert sorted(path.name for path in HOUSE.glob("docs/*.md") if path.name != "README.md") == sorted(named)


@pytest.mark.parametrize("place", PAGES)
def test_links_of_a_page_lead_to_pages_and_pictures_of_the_site(place):
    text = site.CODE.sub("", PAGES[place])
    targets = [match[2] for match in site.LINK.finditer(text) if match[2]]
    places = [posixpath.normpath(posixpath.join(posixpath.dirname(place), each)) for each in targets]
    assert [] == [each for each in places if each not in PAGES and each not in FILES]


def test_the_page_of_the_playground_opens_it():
    assert 'href="playground/index.html"' in PAGES["playground.md"]


def test_links_keep_their_anchors_and_code_stays():
    text = "[a](guide.md#moving) [b](../examples/landing.py) [c](#here) `[d](guide.md)` ![e](rules/L4.svg)"
    expected = "[a](guide.md#moving) [b](examples/landing_program.md) [c](#here) `[d](guide.md)` ![e](rules/L4.svg)"
    assert expected == site.moved_links("docs/rules.md", text)
    assert "[a](your_game.md)" == site.moved_links("README.md", "[a](docs/your_game.md)")


def test_the_reference_has_every_name_that_games_import():
    assert PUBLIC == site.public_packages()
    text = "".join(site.reference(PUBLIC).values())
    assert [] == [
        f"{package}.{name}"
        for package in PUBLIC
        for name in public_names(package)
        if f":: {package}.{name}\n" not in text
    ]


def test_the_reference_names_the_attributes_of_a_class():
    pages = site.reference(["ecs_collision"])
    assert ".. autoclass:: ecs_collision.Inertia\n   :members: copy, value, x, y, z\n" in pages["api/components.rst"]
    assert "Another name of :py:class:`Sphere <ecs_collision.Sphere>`" in pages["api/components.rst"]


def test_an_attribute_without_a_docstring_has_the_lines_of_its_class():
    conf = runpy.run_path(str(HOUSE / "docs" / "conf.py"))
    assert "Cells that a full pass skipped." == conf["from_class"]("ecs_collision.Stats.cells_skipped")
    assert "What would happen." == conf["from_class"]("ecs_collision.Plan.result")
    text = conf["without_attributes"](Stats, inspect.getdoc(Stats))
    assert text.startswith("The work of one frame.")
    assert "cells_skipped:" not in text
    assert "max_depth: " in conf["without_attributes"](Octree, inspect.getdoc(Octree))


def test_the_reference_shows_no_arguments_of_a_class_that_games_do_not_make():
    without_signature = runpy.run_path(str(HOUSE / "docs" / "conf.py"))["without_signature"]
    assert ("", "") == without_signature(None, "class", "MoveResult", MoveResult, {}, "(entity)", "")
    assert without_signature(None, "class", "Octree", Octree, {}, "(capacity=16)", "") is None
