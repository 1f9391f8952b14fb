"""What tab completion and `help()` show of public classes is listed in docs/names.md; all else is private."""

from __future__ import annotations

import enum
import importlib
import inspect
import pydoc
import re
import textwrap

import pytest
from material import HOUSE
from test_documented_names import PUBLIC, public_names

from ecs_collision._lazy import PACKAGES

PAGE = (HOUSE / "docs" / "names.md").read_text(encoding="utf-8")

BY_CYTHON = {"__pyx_vtable__"}
"""What Cython adds to compiled classes. It cannot be removed, because other compiled modules import the class by it."""


def classes() -> dict[str, type]:
    """Return all public classes by name."""
    named = {
        name: getattr(importlib.import_module(package), name) for package in PUBLIC for name in public_names(package)
    }
    return {name: each for name, each in sorted(named.items()) if isinstance(each, type)}


def own_attributes(kind: type) -> list[str]:
    """Return the public attributes of a class that this package defines, sorted."""
    bases = [each for each in kind.__mro__ if each.__module__.partition(".")[0] == "ecs_collision"]
    members = list(kind.__members__) if issubclass(kind, enum.Enum) else []
    return sorted({*members, *(name for each in bases for name in vars(each) if not name.startswith("_"))})


def listed_attributes() -> dict[str, list[str]]:
    lines = re.findall(r"^- `(\w+)`: (.+(?:\n  .+)*)$", PAGE, re.MULTILINE)
    return {name: re.findall(r"`(\w+)`", text) for name, text in lines}


def entry(name: str, attributes: list[str]) -> str:
    """Return the entry of a class for the page, wrapped as there."""
    text = f"- `{name}`: " + ", ".join(f"`{each}`" for each in attributes)
    return textwrap.fill(text, 120, subsequent_indent="  ", break_on_hyphens=False)


def remedy(name: str, attributes: list[str]) -> str:
    """Return what to do about a class whose public attributes are not those on the page."""
    package = next(package for package in PUBLIC if name in public_names(package))
    write = f"write\n{entry(name, attributes)}" if attributes else f"remove `{name}`"
    return (
        f"docs/names.md lists other attributes of {name}; begin with _ what games must not use, and then "
        f"under `{package}` {write}"
    )


CLASSES = classes()
LISTED = listed_attributes()


@pytest.mark.parametrize("name", CLASSES)
def test_the_public_attributes_of_a_class_are_those_that_the_page_lists(name):
    attributes = own_attributes(CLASSES[name])
    if LISTED.get(name, []) != attributes:
        pytest.fail(remedy(name, attributes), pytrace=False)


def test_the_page_lists_only_public_classes():
    assert set(LISTED) <= set(CLASSES)


@pytest.mark.parametrize("kind", CLASSES.values(), ids=CLASSES)
def test_methods_and_properties_are_described(kind):
    members = {name: inspect.getattr_static(kind, name) for name in own_attributes(kind)}
    calls = (property, classmethod, staticmethod)
    lacking = [
        name
        for name, member in members.items()
        if (inspect.isroutine(member) or isinstance(member, calls)) and not inspect.getdoc(getattr(kind, name))
    ]
    assert lacking == []
    assert kind.__doc__


@pytest.mark.parametrize("kind", CLASSES.values(), ids=CLASSES)
def test_help_shows_no_machinery(kind):
    text = pydoc.plain(pydoc.render_doc(kind))
    special = set(re.findall(r"^ \|  (__\w+__)\b", text, re.MULTILINE))
    assert {name for name in special if "pyx" in name or "cython" in name} <= BY_CYTHON
    shown = set(re.findall(r"^ \|  (?:\w+ = )?([a-z]\w*)(?=\(| =|$)", text, re.MULTILINE))
    inherited = {
        name for base in kind.__mro__ if not base.__module__.startswith("ecs_collision") for name in vars(base)
    }
    assert {name for name in shown if name in vars(kind)} <= {*LISTED.get(kind.__name__, []), *inherited}


@pytest.mark.parametrize(
    "kind", [each for each in CLASSES.values() if not issubclass(each, tuple)], ids=lambda each: each.__name__
)
def test_help_shows_no_private_names(kind):
    text = pydoc.plain(pydoc.render_doc(kind))
    assert [] == re.findall(r"^ \|  (_[a-z]\w*)(?=\(| =|$)", text, re.MULTILINE)


@pytest.mark.parametrize("package", PUBLIC)
def test_completion_of_a_package_shows_its_public_names(package):
    shown = {name for name in dir(importlib.import_module(package)) if not name.startswith("_")}
    assert set(public_names(package)) <= shown
    assert shown <= {*public_names(package), *(PACKAGES if package == "ecs_collision" else ())}


def test_the_listed_packages_are_those_that_games_import():
    assert {f"ecs_collision.{name}" for name in PACKAGES} - {"ecs_collision.puzzles"} == set(PUBLIC) - {"ecs_collision"}
