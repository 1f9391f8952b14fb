"""The pytest plugin; opt in with `pytest_plugins = ["ecs_collision.testing.plugin"]` in the conftest, or with `-p`.

It imports neither NumPy nor the engine; those come with the first test that uses a fixture. There is no entry point on
purpose: it would slow down every test run, also of projects that are no games.

Tests that fail leave scene files if a folder is given, as an option or as `collision_scenes` in pytest's settings, and
with `--collision-html` or `collision_html` pages that play them in a browser:

    pytest --collision-scenes=scenes --collision-html=pages
    python -m ecs_collision replay scenes/test_doors.test_it_opens.scene

Systems made by `collision_world` and `board` are then recorded, and all targets that a test passes to `keep_scene`.
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
    from ecs_collision.debug.instrument import Watched
    from ecs_collision.testing.boards import Board, MakeBoard
    from ecs_collision.testing.recorder import MakeRecorder, Recorder
    from ecs_collision.testing.scene_recording import Recording

_CUT = re.compile(r"\.\.\.\s*\.\.\.Full output truncated[^\n]*")
_differences: dict[str, list[str]] = {}
"""Differences that were reported, by their first line."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option and the setting."""
    help_text = (
        "write a recording of each failing test to DIR/MODULE.TEST.scene; `python -m ecs_collision replay` plays it"
    )
    html_text = "write a page of each failing test to DIR/MODULE.TEST.html, which plays it in a browser"
    group = parser.getgroup("ecs_collision")
    for name, text in (("scenes", help_text), ("html", html_text)):
        group.addoption(f"--collision-{name}", metavar="DIR", help=text)
        parser.addini(f"collision_{name}", f"{text}; DIR is relative to the root of the tests", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and register the FailureWriter if a folder is given."""
    marker = 'collision(rule="sum", ...): settings of the CollisionSystem that `collision_world` and `board` make'
    config.addinivalue_line("markers", marker)
    scenes, pages = _folder(config, "scenes"), _folder(config, "html")
    if scenes or pages:
        writer = FailureWriter(scenes, pages, config.invocation_params.dir)
        config.pluginmanager.register(writer, "collision failures")


def _folder(config: pytest.Config, name: str) -> Path | None:
    """Return the folder of an option, or of its setting, None if neither is given."""
    given: str | None = config.getoption(f"--collision-{name}")
    if given:
        return config.invocation_params.dir / given
    setting: str = config.getini(f"collision_{name}")
    return config.rootpath / setting if setting else None


@pytest.fixture
def collision_settings() -> dict[str, Any]:
    """Settings of the CollisionSystems of all tests; override this fixture in a conftest."""
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
def board(request: pytest.FixtureRequest, collision_settings: dict[str, Any]) -> Iterator[MakeBoard]:
    """A function that makes a Board from a drawing, in an esper world that is current from then on."""
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
def record() -> Iterator[MakeRecorder]:
    """A function that records the events of a system, board or game until the test ends."""
    from ecs_collision.testing.recorder import Recorder

    recorders: list[Recorder] = []

    def start(target: Watched) -> Recorder:
        __tracebackhide__ = True
        recorders.append(Recorder(target))
        return recorders[-1]

    yield start
    for each in recorders:
        each.stop()


def _settings(request: pytest.FixtureRequest, given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a test: the project's, those of its markers from outermost to innermost, its parameter."""
    from ecs_collision.settings import DEFAULTS

    settings = dict(given)
    for marker in reversed(list(request.node.iter_markers("collision"))):
        invalid = [repr(value) for value in marker.args] or [name for name in marker.kwargs if name not in DEFAULTS]
        if invalid:
            pytest.fail(
                f'@pytest.mark.collision got {invalid[0]}; give settings by name, such as rule="sum"; known are '
                f"{', '.join(DEFAULTS)}",
                pytrace=False,
            )
        settings |= marker.kwargs
    return settings | getattr(request, "param", {})


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain `assert board == drawing` by both drawings, side by side."""
    boards = sys.modules.get("ecs_collision.testing.boards")
    if op != "==" or boards is None:
        return None
    if not isinstance(left, boards.Board):
        left, right = right, left
    if not isinstance(left, boards.Board) or not isinstance(right, str | boards.Board):
        return None
    difference: str = left.difference(right)
    if not difference:  # an equal part of a larger expression
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
    """Restore full drawings: pytest cuts explanations after eight lines."""
    problem = call.excinfo.value if call.excinfo is not None else None
    if isinstance(problem, AssertionError) and problem.args and isinstance(problem.args[0], str):
        problem.args = (_untruncated(problem.args[0]), *problem.args[1:])
    _differences.clear()
    return (yield)


def _untruncated(text: str) -> str:
    """Return a message with the full text of the differences that were cut in it."""
    for first, lines in _differences.items():
        at, cut = text.find(first), _CUT.search(text)
        if 0 <= at and cut is not None and at < cut.start():
            text = text[:at] + "\n  ".join(lines) + text[cut.end() :]
    return text


class FailureWriter:
    """Writes scenes and pages of failing tests into folders; reported paths are relative to `invocation_dir`."""

    def __init__(self, scenes: Path | None, pages: Path | None, invocation_dir: Path) -> None:
        self.scenes, self.pages, self.invocation_dir = scenes, pages, invocation_dir
        self._tests: dict[str, str] = {}
        """The test of each file name, because two tests may have the same one."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Collect the recordings of a test and discard them afterwards."""
        from ecs_collision.testing import recording_of_test

        with recording_of_test.test_recordings():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Write the scenes when the test or its setup has failed, while its world still exists."""
        from ecs_collision.testing import recording_of_test

        report = yield
        recordings = recording_of_test.recordings()
        if report.failed and call.when != "teardown" and recordings:
            assert call.excinfo is not None
            problem = call.excinfo.exconly().partition("\n")[0].removeprefix("AssertionError: ")[:300]
            remark = f"{item.nodeid} failed:\n{problem}"
            for number, recording in enumerate(recordings):
                self._write(recording, item, number, remark, report)
        return report

    def _write(
        self, recording: Recording, item: pytest.Item, number: int, remark: str, report: pytest.TestReport
    ) -> None:
        """Write what is wanted of a recording, and a line for each file into the report."""
        name, duplicate = scene_name(item), 1
        while self._tests.setdefault(name, item.nodeid) != item.nodeid:
            duplicate += 1
            name = f"{scene_name(item)}~{duplicate}"
        name += f"-{number + 1}" * (number > 0)
        if self.scenes is not None:
            written = self._try(recording.save, self.scenes / f"{name}.scene", remark)
            text = f"written; play it: python -m ecs_collision replay {written}"
            report.sections.append(("collision scene", written if isinstance(written, str) else text))
        if self.pages is not None:
            written = self._try(recording._failure_to_html, self.pages / f"{name}.html", remark)
            text = f"written; open it in a browser: {written}"
            report.sections.append(("collision page", written if isinstance(written, str) else text))

    def _try(self, write: Callable[[Path, str], Path], path: Path, remark: str) -> Path | str:
        """Write a file and return its path, or why not: an error here must not hide why the test failed."""
        from ecs_collision.errors import CollisionError

        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, remark)
        except (CollisionError, OSError) as problem:
            return f"no {'page' if path.suffix == '.html' else 'scene'} was written to {path}: {problem}"
        return path.relative_to(self.invocation_dir) if path.is_relative_to(self.invocation_dir) else path


def scene_name(item: pytest.Item) -> str:
    """Return the file name for a test: its module and name, with "-" for special characters."""
    name = f"{item.path.stem}.{item.nodeid.partition('::')[2] or item.name}"
    return re.sub(r"[^\w.]+", "-", name).strip("-")[:120]
