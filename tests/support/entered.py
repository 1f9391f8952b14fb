"""Reports the functions of hot files that a plain test run does not enter.

With `CROSS_SECTION` in the environment hot files are loaded with one more statement at the start of each function: it
stores the name of the function. At its end the run fails with the names that are missing. Functions that say that they
are only ever called compiled are left out. (A profile function would do without the statement, at twice the time, and
tests of failures use it themselves.)
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from ecs_collision._build import PACKAGE, PureFinder, hot_files, is_pure

RECORD = "__entered__"
entered: dict[str, None] = {}

IS_ON = is_pure() and bool(os.environ.get("CROSS_SECTION"))


class Loader(SourceFileLoader):
    """Loads a hot file with the statements that record."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the file, never that of a bytecode file."""
        tree = ast.parse(self.get_data(self.path))
        for name, function in functions(tree, Path(self.path).relative_to(PACKAGE).as_posix()):
            (statement,) = ast.parse(f"{RECORD}[{name!r}] = None").body
            at = min(ast.get_docstring(function) is not None, len(function.body) - 1)
            for node in ast.walk(statement):
                ast.copy_location(node, function.body[at])
            function.body.insert(at, statement)
        return compile(tree, self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        """Run the file beside the record."""
        vars(module)[RECORD] = entered
        super().exec_module(module)


class Finder:
    """Finds every hot file for the loader."""

    @staticmethod
    def find_spec(name: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of the plain form of a hot file, or None for any other module."""
        spec = PureFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = Loader(name, spec.origin or "")
        return spec


def functions(tree: ast.AST, name: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of a file that can be entered as plain Python, by their names in it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            inner = f"{name}: {node.name}" if isinstance(tree, ast.Module | ast.If) else f"{name}.{node.name}"
            if isinstance(node, ast.FunctionDef):
                if is_of_heirs(node) or "only ever called compiled" in (ast.get_docstring(node) or ""):
                    continue
                yield inner, node
            yield from functions(node, inner)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "cython.compiled":
            yield from functions(ast.Module(node.orelse, []), name)
        else:
            yield from functions(node, name)


def is_of_heirs(function: ast.FunctionDef) -> bool:
    """Return whether a function only says what heirs of its class do."""
    *documented, last = function.body
    is_raised = isinstance(last, ast.Raise) and "NotImplementedError" in ast.unparse(last)
    return is_raised or (isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant) and len(documented) < 2)


def missing() -> list[str]:
    """Return the functions of hot files that were not entered."""
    trees = ((ast.parse(path.read_bytes()), path.relative_to(PACKAGE).as_posix()) for path in hot_files())
    return sorted({name for tree in trees for name, _ in functions(*tree)} - entered.keys())


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the record of this process to the one that reports; fail there if functions are missing."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[RECORD] = [*entered]
    elif missing():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add the record of a process."""
    entered.update(dict.fromkeys(getattr(node, "workeroutput", {}).get(RECORD, ())))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the functions that are missing."""
    names = missing()
    terminalreporter.section(f"functions of hot files that no test of the cross-section enters: {len(names)}")
    for name in names:
        terminalreporter.write_line(f"{name}: add a test that calls it to tests/cross_section.txt")


if IS_ON:
    sys.meta_path.insert(0, Finder)
