"""What tab completion and `help()` show of public classes is listed in docs/names.md; all else is private."""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import pydoc
import re
import textwrap
from functools import cache
from pathlib import Path

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


@cache
def class_definitions(module: str) -> dict[str, ast.ClassDef]:
    """Return the classes of a module of this package by name, from its source."""
    path = HOUSE / Path(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    return {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}


def assigned_attributes(kind: type) -> set[str]:
    """Return the attributes that the methods of a class assign on `self`: `dir()` of an object shows them."""
    nodes = [
        node for node in ast.walk(class_definitions(kind.__module__)[kind.__name__]) if isinstance(node, ast.Attribute)
    ]
    return {node.attr for node in nodes if isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"}


def own_bases(kind: type) -> list[type]:
    """Return a class and its bases, as far as they belong to this package."""
    return [each for each in kind.__mro__ if each.__module__.partition(".")[0] == "ecs_collision"]


def own_attributes(kind: type) -> list[str]:
    """Return the public attributes of a class and its objects that this package defines, sorted."""
    names = set(kind.__members__) if issubclass(kind, enum.Enum) else set()
    for each in own_bases(kind):
        names |= {*vars(each), *inspect.get_annotations(each), *assigned_attributes(each)}
    return sorted(name for name in names if not name.startswith("_"))


def description(kind: type, name: str) -> str | None:
    """Return the docstring of an attribute of a class, if it has one of its own."""
    member = inspect.getattr_static(kind, name, None)
    text = inspect.getdoc(member)
    return None if text == inspect.getdoc(type(member)) or (text or "").startswith("Alias for field") else text


def has_signature(called: object) -> bool:
    """Return whether `help()` shows how something is called, with annotations that can be read."""
    try:
        for each in inspect.signature(called).parameters.values():
            if isinstance(each.annotation, str):
                ast.parse(each.annotation, mode="eval")
    except (TypeError, ValueError, SyntaxError):
        return False
    return True


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


def test_the_public_attributes_of_a_class_are_those_that_the_page_lists():
    found = {name: own_attributes(kind) for name, kind in CLASSES.items()}
    wrong = [remedy(name, each) for name, each in found.items() if LISTED.get(name, []) != each]
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)


def test_the_page_lists_only_public_classes():
    assert set(LISTED) <= set(CLASSES)


def test_every_attribute_has_a_docstring_or_is_described_in_that_of_its_class():
    for kind in CLASSES.values():
        assert kind.__doc__, kind
        text = "\n".join(each.__doc__ or "" for each in own_bases(kind))
        lacking = [name for name in own_attributes(kind) if description(kind, name) is None]
        missing = [name for name in lacking if not re.search(rf"`(\w+\.)?{name}\b|\b{name}(, \w+)*:\s", text)]
        assert [] == missing, kind
        assert [] == [name for name in lacking if inspect.isroutine(getattr(kind, name, None))], kind


def test_help_shows_how_a_class_is_made_and_its_methods_called():
    for kind in CLASSES.values():
        plain_error = issubclass(kind, Exception) and not any("__init__" in vars(each) for each in own_bases(kind))
        assert has_signature(kind) or plain_error or "Made by " in kind.__doc__, kind
        methods = [name for name in own_attributes(kind) if inspect.isroutine(getattr(kind, name, None))]
        assert [] == [name for name in methods if not has_signature(getattr(kind, name))], kind


@pytest.mark.parametrize("package", PUBLIC)
def test_functions_have_a_docstring_and_a_signature(package):
    values = {name: getattr(importlib.import_module(package), name) for name in public_names(package)}
    functions = {name: each for name, each in values.items() if callable(each) and not isinstance(each, type)}
    assert [] == [name for name, each in functions.items() if not (each.__doc__ and has_signature(each))]


def test_help_shows_no_machinery_and_no_private_names():
    for kind in CLASSES.values():
        text = pydoc.plain(pydoc.render_doc(kind))
        special = set(re.findall(r"^ \|  (__\w+__)\b", text, re.MULTILINE))
        assert {name for name in special if "pyx" in name or "cython" in name} <= BY_CYTHON, kind
        shown = set(re.findall(r"^ \|  (?:\w+ = )?([a-z]\w*)(?=\(| =|$)", text, re.MULTILINE))
        others = (vars(base) for base in kind.__mro__ if not base.__module__.startswith("ecs_collision"))
        assert shown & {*vars(kind)} <= {*LISTED.get(kind.__name__, [])}.union(*others), kind
        private = re.findall(r"^ \|  (_[a-z]\w*)(?=\(| =|$)", text, re.MULTILINE)
        assert [] == private or issubclass(kind, tuple), kind


@pytest.mark.parametrize("package", PUBLIC)
def test_completion_of_a_package_shows_its_public_names(package):
    shown = {name for name in dir(importlib.import_module(package)) if not name.startswith("_")}
    assert set(public_names(package)) <= shown
    assert shown <= {*public_names(package), *(PACKAGES if package == "ecs_collision" else ())}


def test_the_listed_packages_are_those_that_games_import():
    assert {f"ecs_collision.{name}" for name in PACKAGES} - {"ecs_collision.puzzles"} == set(PUBLIC) - {"ecs_collision"}
