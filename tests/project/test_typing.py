"""What type checkers make of the package as users install it: sound programs, and faults that both must report."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import types
import typing
import venv
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from material import HOUSE

from ecs_collision import CollisionSystem, CollisionWorld, Space, _build
from ecs_collision.events import DELIVERY_ORDER
from ecs_collision.game import Game, NamedEvent
from ecs_collision.game.game import GameOptions
from ecs_collision.levels.load import FileOptions, TextOptions, load_levels, parse_levels
from ecs_collision.query.query_filter import QueryOptions
from ecs_collision.settings import MotionOptions, PlainSettings, Settings, WorldSettings
from ecs_collision.systems.subscription import Match
from ecs_collision.testing import Board, MakeBoard

PROGRAMS = HOUSE / "tests" / "typing"
FAULTS = "wrong.py"
EXPECTED = {
    number: match[1]
    for number, line in enumerate((PROGRAMS / FAULTS).read_text(encoding="utf-8").splitlines(), 1)
    if (match := re.search(r'  # "(.+)"$', line))
}
"""A word of the complaint about each line of the program with faults."""

Place = tuple[str, int]


def run(*command: str | Path, folder: Path, fails: bool = False, **environment: str) -> str:
    """Return the output of a Python module; raises if it fails, unless it is expected to."""
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == int(fails), done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the programs beside a virtual environment with the package as it is installed: built, typed."""
    tmp_path = tmp_path_factory.mktemp("typing")
    folder = Path(shutil.copytree(PROGRAMS, tmp_path / "programs", ignore=shutil.ignore_patterns("__pycache__")))
    build = ("setup.py", "--quiet", "build_py", "--build-lib", tmp_path / "installed")
    run(*build, folder=HOUSE, **{_build.PURE: "1"})
    venv.create(tmp_path / "venv", with_pip=False, symlinks=os.name != "nt")
    (packages,) = (tmp_path / "venv").rglob("site-packages")
    others = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    (packages / "installed.pth").write_text("\n".join([str(tmp_path / "installed"), *others]), encoding="utf-8")
    return folder


def interpreter(folder: Path) -> Path:
    """Return the Python of the virtual environment beside the programs."""
    return folder.parent / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def mypy(folder: Path) -> Iterator[tuple[Place, str]]:
    """Yield what mypy reports: file, line and text."""
    options = ("--strict", "--config-file=", "--no-pretty", "--cache-dir", os.devnull)
    command = ("-m", "mypy", *options, "--python-executable", interpreter(folder), ".")
    output = run(*command, folder=folder, fails=True, PYTHONPATH="")
    for file, number, text in re.findall(r"^(.+?):(\d+): (.+)$", output, re.MULTILINE):
        yield (file, int(number)), text


def pyright(folder: Path) -> Iterator[tuple[Place, str]]:
    """Yield what pyright reports, from its distribution on PyPI, which brings its own Node."""
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    options = ("--pythonpath", interpreter(folder), "--outputjson")
    output = run("-m", "basedpyright", *options, folder=folder, fails=True, PYTHONPATH="")
    for each in json.loads(output)["generalDiagnostics"]:
        yield (Path(each["file"]).name, each["range"]["start"]["line"] + 1), each["message"]


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_sound_programs_have_no_findings_and_every_fault_is_reported_at_its_line(
    checker: Callable[[Path], Iterator[tuple[Place, str]]], folder: Path
):
    found: dict[Place, str] = {}
    for place, text in checker(folder):
        found[place] = f"{found.get(place, '')}{text}\n"
    assert len(EXPECTED) > 100
    reported = {place: word for place, text in found.items() if (word := EXPECTED.get(place[1], "?")) in text}
    unexpected = {place: text for place, text in found.items() if place not in reported or place[0] != FAULTS}
    assert {} == unexpected
    assert {(FAULTS, number): word for number, word in EXPECTED.items()} == reported


@pytest.mark.parametrize("program", ["esper_game.py", "puzzle_script.py", "board_tests.py"])
def test_the_sound_programs_run(program: str, tmp_path: Path):
    shutil.copy(PROGRAMS / program, tmp_path)
    as_tests = ("-m", "pytest", "-p", "ecs_collision.testing.plugin", "-p", "no:cacheprovider")
    run("-W", "error", *(as_tests if program == "board_tests.py" else ()), program, folder=tmp_path)


# Type checkers read the names of `**settings` and the like from lists of their own. They must be those that count.


def types_in(hint: object) -> set[object]:
    """Return the members of a union, or the type itself."""
    return set(typing.get_args(hint)) if isinstance(hint, types.UnionType) else {hint}


def keywords(function: Callable[..., object], *others: str) -> dict[str, object]:
    """Return the keyword-only parameters of a function with their annotations, except some others."""
    found = inspect.signature(function).parameters.values()
    return {each.name: each.annotation for each in found if each.kind is each.KEYWORD_ONLY and each.name not in others}


def written(kind: type) -> dict[str, object]:
    """Return the keys of a TypedDict with their annotations as text."""
    return {name: reference.__forward_arg__ for name, reference in kind.__annotations__.items()}


def test_the_settings_for_type_checkers_are_those_of_a_world():
    hints = typing.get_type_hints(Settings)
    assert {each.name: hints[each.name] for each in fields(Settings) if each.init} == typing.get_type_hints(
        WorldSettings
    )


@pytest.mark.parametrize(
    "listed, function, others",
    [
        (MotionOptions, CollisionWorld.move, ()),
        (MotionOptions, CollisionWorld.plan, ()),
        (MotionOptions, CollisionSystem.move, ()),
        (QueryOptions, Space.overlapping, ()),
        (QueryOptions, Space.pairs, ()),
        (FileOptions, load_levels, ()),
        (TextOptions, parse_levels, ()),
        (GameOptions, Game.__init__, ("script",)),
    ],
    ids=["move", "plan", "move of a system", "overlapping", "pairs", "load_levels", "parse_levels", "Game"],
)
def test_the_options_for_type_checkers_are_those_of_a_function(
    listed: type, function: Callable[..., object], others: tuple[str, ...]
):
    settings = written(PlainSettings) if listed is GameOptions else {}
    assert written(listed) == keywords(function, *others) | settings


def test_the_fields_that_on_matches_are_those_of_the_events():
    expected: dict[str, set[object]] = {}
    for kind in DELIVERY_ORDER:
        for name, hint in typing.get_type_hints(kind).items():
            expected.setdefault(name, set()).update(types_in(hint))
    assert expected == {name: types_in(hint) for name, hint in typing.get_type_hints(Match).items()}


def test_the_fields_of_a_named_event_are_those_of_the_events():
    expected = {each.name for kind in DELIVERY_ORDER for each in fields(kind)}
    assert expected == NamedEvent.__annotations__.keys()


def test_the_fixture_takes_the_arguments_of_a_board():
    expected = list(inspect.signature(Board.__init__).parameters.values())
    assert expected == list(inspect.signature(MakeBoard.__call__).parameters.values())
