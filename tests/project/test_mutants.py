"""The lists of mutants (tests/mutants) match the current source and tests; `make mutants` runs all of them."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest

from tests.mutants.__main__ import main
from tests.mutants.run import check
from tests.mutants.table import TESTS, Mutant, listed

MUTANTS = listed()


def test_every_group_of_rules_has_mutants():
    rules = Counter(mutant.rule[0] for mutant in MUTANTS)
    assert 60 <= len(MUTANTS)
    assert len(MUTANTS) == len({mutant.name for mutant in MUTANTS})
    assert set("LBPSTENGCQHIKM") == set(rules)


def test_the_text_a_mutant_replaces_occurs_once_and_both_forms_are_python():
    assert [] == [mutant.name for mutant in MUTANTS if not changes_its_code(mutant)]


def changes_its_code(mutant: Mutant) -> bool:
    """Return whether the function that a mutant changes is other code after it."""
    source = source_of(mutant.path)
    changed, line = mutant.applied(source), 1 + source.count("\n", 0, mutant.found(source)[0].start())
    first, last = lines_around(line, source_tree(mutant.path))
    return code(source, first, last) != code(changed, first, last + changed.count("\n") - source.count("\n"))


def lines_around(line: int, tree: ast.Module | ast.ClassDef) -> tuple[int, int]:
    """Return the lines of the function, or other statement of a module or class, that contains a line."""
    found = next(each for each in tree.body if (each.end_lineno or 0) >= line)
    if isinstance(found, ast.ClassDef):
        return lines_around(line, found)
    decorators = getattr(found, "decorator_list", [])
    return min(each.lineno for each in (found, *decorators)), found.end_lineno or 0


def code(source: str, first: int, last: int) -> str:
    """Return the code of some lines. Parsing them alone takes a tenth of the time of the whole file."""
    return ast.dump(ast.parse(dedent("\n".join(source.split("\n")[first - 1 : last]))))


@cache
def source_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def source_tree(path: Path) -> ast.Module:
    return ast.parse(source_of(path))


def test_every_test_named_by_a_mutant_exists():
    named = [test.split("[")[0].split("::") for mutant in MUTANTS for test in mutant.tests]
    assert [] == [(file, *names) for file, *names in named if len(names) != 1 or names[0] not in functions_in(file)]


@cache
def functions_in(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


BY_NAME = {mutant.name: mutant for mutant in MUTANTS}


def test_a_mutant_that_fails_its_tests_is_caught(capsys: pytest.CaptureFixture[str]):
    assert 0 == main(["--jobs", "1", "--only", "bits_apart"])
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 1 mutants caught in ")


def test_a_mutant_whose_text_is_missing_or_repeated_is_not_caught():
    gone = BY_NAME["bits_apart"]._replace(old=("no such text",))
    where = "broadphase/morton_codes.py"
    assert f"mutant bits_apart: its text occurs 0 times in {where}, not once" == check(gone).fault
    many = BY_NAME["bits_apart"]._replace(old=("number",))
    assert check(many).fault.endswith(f"times in {where}, not once")
