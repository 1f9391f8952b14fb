"""Runs pytest inside a test, in this process, with only the plugin under test.

After such a run pytester removes the modules that were imported by it. If a module of this package were among them, a
later import would create its classes again. So all modules are imported first.
"""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import ecs_collision

PLUGIN = 'pytest_plugins = ["ecs_collision.testing.plugin"]\n'

for _module in pkgutil.walk_packages(ecs_collision.__path__, "ecs_collision."):
    if not _module.name.startswith(("ecs_collision.__main__", "ecs_collision.puzzles.")):
        importlib.import_module(_module.name)


def run_inside(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    """Run the tests in the folder of a pytester."""
    usual = ["-p", "no:randomly", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return pytester.runpytest_inprocess(*usual, *options)
