"""Imports public names of a package on first use (PEP 562)."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


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

    return sorted(module_of), get, lambda: sorted({*vars(sys.modules[package]), *module_of})
