"""Runs the tests of a fault in a separate process and checks whether they detect it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutants.table import ASSERTIONS, TESTS, Mutant

ROOT = TESTS.parent
SECONDS = 120
"""Time limit of a test. A test that exceeds it has not detected the fault."""


@dataclass(frozen=True)
class Verdict:
    """The result for a fault: `fault` says why it was not detected, "" if it was."""

    mutant: Mutant
    fault: str
    seconds: float


def run(*command: str, seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run pytest, or a module that runs it, on the plain package in a separate process."""
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**os.environ, "ECS_COLLISION_PURE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def arguments(tests: Iterable[str]) -> tuple[str, ...]:
    """Return the arguments of pytest for some tests."""
    plain = ("-q", "-x", "-p", "no:cacheprovider", "-o", "addopts=", "-m", "not soak")
    return (*plain, *(f"tests/{test}" for test in tests))


def check(mutant: Mutant) -> Verdict:
    """Apply a fault and check whether each of its tests detects it."""
    began = time.perf_counter()
    try:
        fault = "; ".join(filter(None, [_check(mutant, test) for test in mutant.tests]))
    except ValueError as problem:
        fault = str(problem)
    return Verdict(mutant, fault, time.perf_counter() - began)


def _check(mutant: Mutant, test: str) -> str:
    mutant.applied(mutant.path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        try:
            ran = run("tests.mutants.fault", mutant.name, str(report), *arguments([test]), seconds=SECONDS)
        except subprocess.TimeoutExpired:
            return f"{test} did not end within {SECONDS} s"
        if not report.is_file():
            return f"{test} could not be run: {(ran.stderr or ran.stdout).strip()[-300:]}"
        return _fault(mutant, test, json.loads(report.read_text(encoding="utf-8")))


def _fault(mutant: Mutant, test: str, failures: list[dict[str, Any]]) -> str:
    if not failures:
        return f"{test} passes with the fault"
    accepted = {*ASSERTIONS, *mutant.errors}
    if any(each["when"] == "call" and not accepted.isdisjoint(each["errors"]) for each in failures):
        return ""
    return f"{test} fails in another way: {', '.join(failures[0]['errors'])} ({failures[0]['when']})"
