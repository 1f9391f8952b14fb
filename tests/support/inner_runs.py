"""Runs of pytest inside a test, in this process, with nothing but the plugin under test.

Afterwards pytester forgets every module that came with such a run. One of ours that came so would come again, with
classes that are not the ones others have already: so all of them are imported before.
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
    """Run the tests that were put into the folder of a pytester."""
    usual = ["-p", "no:randomly", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return pytester.runpytest_inprocess(*usual, *options)
