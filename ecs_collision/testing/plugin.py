"""The pytest plugin; opt in with `pytest_plugins = ["ecs_collision.testing.plugin"]` in the conftest, or with `-p`.

It imports neither NumPy nor the engine: those come with the first test that asks for a fixture. There is no entry point
on purpose: that would cost every run of a test suite, also those that have nothing to do with games.

What happened in tests that fail is written as scene files where a folder is given for them, as an option or as
`collision_scenes` in pytest's settings:

    pytest --collision-scenes=scenes
    python -m ecs_collision replay scenes/test_doors.test_it_opens.scene

Then every system that `collision_world` and `board` make is recorded, and whatever a test gives to `keep_scene`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ecs_collision import CollisionSystem
    from ecs_collision.testing.boards import Board
    from ecs_collision.testing.recorder import Recorder
    from ecs_collision.testing.scene_recording import Recording

_CUT = re.compile(r"\.\.\.\s*\.\.\.Full output truncated[^\n]*")
_differences: dict[str, list[str]] = {}
"""Differences that were told, by their first line."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option and its setting."""
    help_text = (
        "write what happened in tests that fail to DIR/MODULE.TEST.scene; `python -m ecs_collision replay` plays it"
    )
    parser.getgroup("ecs_collision").addoption("--collision-scenes", metavar="DIR", help=help_text)
    parser.addini("collision_scenes", f"{help_text}; DIR is relative to the root of the tests", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and have scenes kept if a folder is given."""
    marker = 'collision(rule="sum", ...): settings of the CollisionSystem that `collision_world` and `board` make'
    config.addinivalue_line("markers", marker)
    given, setting = config.getoption("--collision-scenes"), config.getini("collision_scenes")
    invocation_dir = config.invocation_params.dir
    if given or setting:
        folder = invocation_dir / given if given else config.rootpath / setting
        config.pluginmanager.register(SceneWriter(folder, invocation_dir), "collision scenes")


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
        board = Board(drawing, legend, **settings | more)
        keep_scene(board.game)
        return board

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
        invalid = [repr(value) for value in marker.args] or [name for name in marker.kwargs if name not in DEFAULTS]
        if invalid:
            pytest.fail(
                f'@pytest.mark.collision got {invalid[0]}; give settings by name, such as rule="sum": there are '
                f"{', '.join(DEFAULTS)}",
                pytrace=False,
            )
        settings |= marker.kwargs
    return settings | getattr(request, "param", {})


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain `assert board == drawing` by both pictures, side by side."""
    boards = sys.modules.get("ecs_collision.testing.boards")
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
    _differences[lines[0]] = lines
    return lines


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Iterator[None]:
    """Show pictures whole: pytest cuts explanations after eight lines, and half a picture explains nothing."""
    problem = call.excinfo.value if call.excinfo is not None else None
    if isinstance(problem, AssertionError) and problem.args and isinstance(problem.args[0], str):
        problem.args = (_untruncated(problem.args[0]), *problem.args[1:])
    _differences.clear()
    return (yield)


def _untruncated(text: str) -> str:
    """Return a message with the whole of the differences that were cut in it."""
    for first, lines in _differences.items():
        at, cut = text.find(first), _CUT.search(text)
        if 0 <= at and cut is not None and at < cut.start():
            text = text[:at] + "\n  ".join(lines) + text[cut.end() :]
    return text


class SceneWriter:
    """Writes the scenes of tests that fail into a folder; what it says of them is seen from `here`."""

    def __init__(self, folder: Path, invocation_dir: Path) -> None:
        self.folder, self.invocation_dir = folder, invocation_dir
        self._tests: dict[str, str] = {}
        """Names of files, and the tests that have them: those of two tests may come to the same."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Keep what a test records, and let go of it afterwards."""
        from ecs_collision.testing import recording_of_test

        with recording_of_test.test_recordings():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Write the scenes when the test, or what prepares it, has failed: its world is still there then."""
        from ecs_collision.testing import recording_of_test

        report = yield
        recordings = recording_of_test.recordings()
        if report.failed and call.when != "teardown" and recordings:
            assert call.excinfo is not None
            problem = call.excinfo.exconly().partition("\n")[0].removeprefix("AssertionError: ")[:300]
            remark = f"{item.nodeid} failed:\n{problem}"
            lines = [self._write_scene(recording, item, number, remark) for number, recording in enumerate(recordings)]
            report.sections.append(("collision scene", "\n".join(lines)))
        return report

    def _write_scene(self, recording: Recording, item: pytest.Item, number: int, remark: str) -> str:
        """Write a scene and return what to say of it; that it cannot be written must not hide why the test failed."""
        from ecs_collision.errors import CollisionError

        name, duplicate = scene_name(item), 1
        while self._tests.setdefault(name, item.nodeid) != item.nodeid:
            duplicate += 1
            name = f"{scene_name(item)}~{duplicate}"
        path = self.folder / f"{name}{f'-{number + 1}' * (number > 0)}.scene"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            recording.save(path, remark)
        except (CollisionError, OSError) as problem:
            return f"no scene was written to {path}: {problem}"
        shown = path.relative_to(self.invocation_dir) if path.is_relative_to(self.invocation_dir) else path
        return f"written; play it: python -m ecs_collision replay {shown}"


def scene_name(item: pytest.Item) -> str:
    """Return the name of a test as that of a file: its module and its own, with "-" for what no shell likes."""
    name = f"{item.path.stem}.{item.nodeid.partition('::')[2] or item.name}"
    return re.sub(r"[^\w.]+", "-", name).strip("-")[:120]
