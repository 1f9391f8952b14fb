"""The pytest plugin; opt in with `pytest_plugins = ["ecs_collision.testing.plugin"]` in the conftest, or with `-p`.

It imports neither NumPy nor the engine: those come with the first test that asks for a fixture. There is no entry point
on purpose: that would cost every run of a test suite, also those that have nothing to do with games.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ecs_collision import CollisionSystem
    from ecs_collision.testing.boards import Board
    from ecs_collision.testing.recorder import Recorder

pytest_plugins = ["ecs_collision.testing.failure_scene"]

MARKER = 'collision(rule="sum", ...): settings of the CollisionSystem that `collision_world` and `board` make'

_BOARDS = "ecs_collision.testing.boards"
_CUT = re.compile(r"\.\.\.\s*\.\.\.Full output truncated[^\n]*")
_told: dict[str, list[str]] = {}
"""Differences that were told, by their first line."""


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture
def collision_settings() -> dict[str, Any]:
    """Settings of the CollisionSystems of all tests: override this in a conftest."""
    return {}


@pytest.fixture
def collision_world(request: pytest.FixtureRequest, collision_settings: dict[str, Any]) -> Iterator[CollisionSystem]:
    """The CollisionSystem of a fresh esper world, which is current during the test and deleted afterwards."""
    from ecs_collision.testing.recording_of_test import keep_scene
    from ecs_collision.testing.worlds import fresh_world

    with fresh_world(request.node.name, **_settings(request, collision_settings)) as system:
        keep_scene(system)
        yield system


@pytest.fixture
def board(request: pytest.FixtureRequest, collision_settings: dict[str, Any]) -> Iterator[Callable[..., Board]]:
    """A function that makes a Board of a drawing: entities in an esper world that is current from then on."""
    from ecs_collision.testing.boards import Board
    from ecs_collision.testing.recording_of_test import keep_scene
    from ecs_collision.testing.worlds import isolated

    settings = _settings(request, collision_settings)

    def make_board(drawing: Any, legend: Any = None, **more: Any) -> Board:
        __tracebackhide__ = True
        made = Board(drawing, legend, **settings | more)
        keep_scene(made.game)
        return made

    with isolated():
        yield make_board


@pytest.fixture
def record() -> Iterator[Callable[[Any], Recorder]]:
    """A function that records the events of a system, board or game from then on, until the test ends."""
    from ecs_collision.testing.recorder import Recorder

    recorders: list[Recorder] = []

    def start(target: Any) -> Recorder:
        __tracebackhide__ = True
        recorders.append(Recorder(target))
        return recorders[-1]

    yield start
    for each in recorders:
        each.stop()


def _settings(request: pytest.FixtureRequest, given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings a test wants: those of the project, of its markers from far to near, of its parameter."""
    from ecs_collision.settings import DEFAULTS

    settings = dict(given)
    for marker in reversed(list(request.node.iter_markers("collision"))):
        wrong = [repr(value) for value in marker.args] or [name for name in marker.kwargs if name not in DEFAULTS]
        if wrong:
            pytest.fail(
                f'@pytest.mark.collision got {wrong[0]}; give settings by name, such as rule="sum": there are '
                f"{', '.join(DEFAULTS)}",
                pytrace=False,
            )
        settings |= marker.kwargs
    return settings | getattr(request, "param", {})


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain `assert board == drawing` by both pictures, side by side."""
    boards = sys.modules.get(_BOARDS)
    if op != "==" or boards is None:
        return None
    if not isinstance(left, boards.Board):
        left, right = right, left
    if not isinstance(left, boards.Board) or not isinstance(right, str | boards.Board):
        return None
    difference: str = left.difference(right)
    if not difference:  # a part of a larger expression that holds
        return None
    lines = difference.split("\n")
    other = "other board" if isinstance(right, boards.Board) else "drawing"
    lines[0] = f"board == {other}, but {lines[0].partition(': ')[2]}"
    _told[lines[0]] = lines
    return lines


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Iterator[None]:
    """Show pictures whole: pytest cuts explanations after eight lines, and half a picture explains nothing."""
    problem = call.excinfo.value if call.excinfo is not None else None
    if isinstance(problem, AssertionError) and problem.args and isinstance(problem.args[0], str):
        problem.args = (_whole(problem.args[0]), *problem.args[1:])
    _told.clear()
    return (yield)


def _whole(text: str) -> str:
    """Return a message with the whole of the differences that were cut in it."""
    for first, lines in _told.items():
        at, cut = text.find(first), _CUT.search(text)
        if 0 <= at and cut is not None and at < cut.start():
            text = text[:at] + "\n  ".join(lines) + text[cut.end() :]
    return text
