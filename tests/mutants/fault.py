"""Run tests with one fault in: `python -m tests.mutants.fault NAME REPORT pytest-arguments`.

The files stay as they are: the source is changed between the file and the compiler, before pytest begins, for it
imports the package when it reads its settings. How tests failed is written to REPORT, as JSON.
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


def put_in(name: str) -> None:
    """Let the file of a fault be compiled with the fault in it."""
    mutant = next(each for each in listed() if each.name == name)
    path = str(mutant.path)
    code: CodeType = compile(mutant.applied(mutant.path.read_text(encoding="utf-8")), path, "exec")
    loader = importlib.machinery.SourceFileLoader
    plain = loader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        return code if self.path == path else plain(self, fullname)

    loader.get_code = get_code  # type: ignore[method-assign]


class Watch:
    """A pytest plugin that writes down what tests and collections fail by."""

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []

    def pytest_exception_interact(self, node: Any, call: pytest.CallInfo[Any], report: Any) -> None:
        """Write down one failure: where, when, and the kinds of its errors."""
        assert call.excinfo is not None
        when = report.when if isinstance(report, pytest.TestReport) else "collect"
        self.seen.append({"test": node.nodeid, "when": when, "errors": sorted(_kinds(call.excinfo.value))})


def _kinds(error: BaseException) -> set[str]:
    if isinstance(error, BaseExceptionGroup):
        return {kind for each in error.exceptions for kind in _kinds(each)}
    return {kind.__name__ for kind in type(error).__mro__}


if __name__ == "__main__":
    fault, report, *arguments = sys.argv[1:]
    put_in(fault)
    watch = Watch()
    code = pytest.main(arguments, plugins=[watch])
    Path(report).write_text(json.dumps(watch.seen), encoding="utf-8")
    raise SystemExit(code)
