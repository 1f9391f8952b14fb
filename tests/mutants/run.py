"""Running the named tests of a fault in a process of their own, and judging whether they noticed."""

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
"""So long a test may take; who does not end has noticed nothing."""


@dataclass(frozen=True)
class Verdict:
    """What became of a fault: `fault` says why it was not caught, "" where it was."""

    mutant: Mutant
    fault: str
    seconds: float


def run(*command: str, seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run pytest, or what runs it, on the plain package in a process of its own."""
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
    """Return what pytest is given to run some tests."""
    return ("-q", "-x", "-p", "no:cacheprovider", "-o", "addopts=", *(f"tests/{test}" for test in tests))


def judge(mutant: Mutant) -> Verdict:
    """Put a fault in and see whether each of its tests notices."""
    began = time.perf_counter()
    try:
        fault = "; ".join(filter(None, [_judge(mutant, test) for test in mutant.tests]))
    except ValueError as problem:
        fault = str(problem)
    return Verdict(mutant, fault, time.perf_counter() - began)


def _judge(mutant: Mutant, test: str) -> str:
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


def _fault(mutant: Mutant, test: str, seen: list[dict[str, Any]]) -> str:
    if not seen:
        return f"{test} passes all the same"
    accepted = {*ASSERTIONS, *mutant.errors}
    if any(each["when"] == "call" and not accepted.isdisjoint(each["errors"]) for each in seen):
        return ""
    return f"{test} fails in another way: {', '.join(seen[0]['errors'])} ({seen[0]['when']})"
