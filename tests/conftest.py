"""Settings of the whole test run: Hypothesis profiles, the build of the kernels, recorded material."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Verbosity, settings
from material import material
from worlds import system, world

from ecs_collision._build import is_pure, plain_kernels, stale_kernels

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

# `ci`, the default: the same examples in every run, fewer as plain Python. `soak`: new examples in every run, many.
settings.register_profile(
    "ci", derandomize=True, database=None, deadline=None, print_blob=True, max_examples=30 if is_pure() else 100,
    suppress_health_check=SLOW,
)  # fmt: skip
settings.register_profile("soak", deadline=None, print_blob=True, max_examples=5000, suppress_health_check=SLOW)
settings.register_profile("debug", deadline=None, print_blob=True, max_examples=20, verbosity=Verbosity.verbose)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


NO_KERNELS = (
    "test_levels_", "test_tiled_", "test_ldtk_", "test_hostile_", "test_testing_", "test_console", "test_docs",
    "test_mutants", "test_benchmarks", "test_frame_benchmarks",
)  # fmt: skip
"""How the files of tests begin that touch no kernel, or none that other tests do not."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches no kernel."""
    for item in items:
        if item.path.name.startswith(NO_KERNELS):
            item.add_marker(pytest.mark.once)


def pytest_sessionstart() -> None:
    """Refuse to test yesterday's code under today's source."""
    stale = () if is_pure() else stale_kernels()
    if stale:
        message = f"compiled kernels older than their source: {', '.join(stale)}. Rebuild: make compile"
        pytest.exit(message, returncode=pytest.ExitCode.USAGE_ERROR)


def pytest_report_header() -> str:
    """Say which form of the kernels is tested."""
    plain = plain_kernels()
    return f"kernels: plain Python: {', '.join(plain)}" if plain else "kernels: compiled"


@pytest.fixture
def shared_data() -> Callable[[str], Path]:
    """Return the function that finds recorded material by name (see material.py)."""
    return material


__all__ = ["system", "world"]
