"""Settings of the test run: Hypothesis profiles, the form of the hot files."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import entered
import pytest
from hypothesis import HealthCheck, Verbosity, settings

from ecs_collision._build import is_pure, plain_hot_files, stale_hot_files

if is_pure():
    sys.modules["cython"] = None  # type: ignore[assignment]  # as if it were not installed; this is also faster

from worlds import system, world

gc.disable()
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

# `ci`, the default: the same examples in every run. `few`: for hot files with bounds checks; loops of examples that are
# not of Hypothesis are shorter (boards.py). `soak`: many new examples in every run.
for name in ("ci", "few"):
    settings.register_profile(
        name, derandomize=True, database=None, deadline=None, print_blob=True, max_examples=30,
        suppress_health_check=SLOW,
    )  # fmt: skip
settings.register_profile("soak", deadline=None, print_blob=True, max_examples=5000, suppress_health_check=SLOW)
settings.register_profile("debug", deadline=None, print_blob=True, max_examples=20, verbosity=Verbosity.verbose)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


HERE = Path(__file__).parent
# Processes started by tests use the package beside these tests, even if another one is installed.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HERE.parent), os.environ.get("PYTHONPATH"))))


def pytest_collection_finish() -> None:
    """Exclude the collected tests, a million permanent objects, from garbage collection, which was off meanwhile."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionstart() -> None:
    """Stop if compiled files are older than their source."""
    stale = () if is_pure() else stale_hot_files()
    if stale:
        message = f"compiled files are older than their source: {', '.join(stale)}; run make compile"
        pytest.exit(message, returncode=pytest.ExitCode.USAGE_ERROR)


def pytest_report_header() -> str:
    """Report which form of the hot files is tested."""
    plain = plain_hot_files()
    return f"hot files: plain Python: {', '.join(plain)}" if plain else "hot files: compiled"


__all__ = ["system", "world"]


def pytest_configure(config: pytest.Config) -> None:
    """Give every world the broad phase that BROAD_PHASE names, and report the entered functions on request."""
    if entered.IS_ON:
        config.pluginmanager.register(entered, "entered")
    name = os.environ.get("BROAD_PHASE")
    if name:
        from broad_phase_default import use

        use(name)
