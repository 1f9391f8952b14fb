"""Runs tests with one fault: `python -m tests.mutants.fault NAME REPORT pytest-arguments`.

No file changes: the source is changed between reading and compiling it. This is set up before pytest starts, because
pytest imports the package when it reads its settings. The failures are written to REPORT as JSON.
"""

from __future__ import annotations

import importlib.machinery
import json
import sys
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tests.mutants.table import listed


def install(name: str) -> None:
    """Make Python compile the file of a fault with the fault applied."""
    mutant = next(each for each in listed() if each.name == name)
    path = str(mutant.path)
    code: CodeType = compile(mutant.applied(mutant.path.read_text(encoding="utf-8")), path, "exec")
    loader = importlib.machinery.SourceFileLoader
    plain = loader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        return code if self.path == path else plain(self, fullname)

    loader.get_code = get_code  # type: ignore[method-assign]


class FailureLog:
    """A pytest plugin that records the failures of tests and collections."""

    def __init__(self) -> None:
        self.failures: list[dict[str, Any]] = []

    def pytest_exception_interact(self, node: Any, call: pytest.CallInfo[Any], report: Any) -> None:
        """Record a failure: the test, the phase and the classes of its errors."""
        assert call.excinfo is not None
        when = report.when if isinstance(report, pytest.TestReport) else "collect"
        self.failures.append({"test": node.nodeid, "when": when, "errors": sorted(_kinds(call.excinfo.value))})


def _kinds(error: BaseException) -> set[str]:
    if isinstance(error, BaseExceptionGroup):
        return {kind for each in error.exceptions for kind in _kinds(each)}
    return {kind.__name__ for kind in type(error).__mro__}


if __name__ == "__main__":
    fault, report, *arguments = sys.argv[1:]
    install(fault)
    log = FailureLog()
    code = pytest.main(arguments, plugins=[log])
    Path(report).write_text(json.dumps(log.failures), encoding="utf-8")
    raise SystemExit(code)
