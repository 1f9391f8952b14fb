"""The lists of mutants (tests/mutants) match the current source and tests; `make mutants` runs all of them."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

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


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_text_a_mutant_replaces_occurs_once_and_both_forms_are_python(mutant: Mutant):
    changed = mutant.applied(mutant.path.read_text(encoding="utf-8"))
    assert ast_of(mutant.path) != ast.dump(ast.parse(changed))


@cache
def ast_of(path: Path) -> str:
    return ast.dump(ast.parse(path.read_text(encoding="utf-8")))


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
