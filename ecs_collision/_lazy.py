"""Imports public names of a package on first use (PEP 562)."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

PACKAGES = ("broadphase", "debug", "game", "levels", "plays", "puzzles", "solver", "testing")
"""The packages within `ecs_collision` that games import."""


def lazy(package: str, **exports: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` for a package; exports: the public names by module."""
    module_of = {name: module for module, names in exports.items() for name in names.split()}

    def get(name: str) -> Any:
        if name in exports:
            return import_module(f"{package}.{name}")
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    names = sorted(module_of)
    return names, get, lambda: dir_of(package, names)


def dir_of(package: str, names: list[str]) -> list[str]:
    """Return what `dir` shows of a package: its public names and those with underscores, no rooms and no imports."""
    packages = () if "." in package else PACKAGES
    present = [name for name in vars(sys.modules[package]) if name.startswith("_") or name in packages]
    return sorted({*names, *present})
