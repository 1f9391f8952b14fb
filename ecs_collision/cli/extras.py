"""Modules of the extra `play`, and clear words where they are missing."""

from __future__ import annotations

import importlib
from types import ModuleType

from ecs_collision.errors import CollisionError


class MissingExtra(CollisionError, ImportError):
    """A module that is not installed; the message says how to get it."""


def extra(module: str, purpose: str, package: str = "'ecs-collision[play]'") -> ModuleType:
    """Return a module of an extra; raises MissingExtra saying what it is for and how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        name = module.partition(".")[0]
        raise MissingExtra(f"{purpose} needs {name}, which is not installed; run: pip install {package}") from missing
