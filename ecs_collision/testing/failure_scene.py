"""A part of the pytest plugin: what happened in a test that failed, as a scene file.

    pytest --collision-scenes=scenes
    python -m ecs_collision replay scenes/test_doors.test_it_opens.scene

Nothing is recorded unless a folder is given, there or as `collision_scenes` in pytest's settings. Then every system
that `collision_world` and `board` make is, and whatever a test gives to `keep_scene`; the first imports the engine.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ecs_collision.testing import recording_of_test

if TYPE_CHECKING:
    from ecs_collision.testing.scene_recording import Recording

LONGEST_NAME = 120


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option and its setting."""
    told = "write what happened in tests that fail to DIR/MODULE.TEST.scene; `python -m ecs_collision replay` plays it"
    parser.getgroup("ecs_collision").addoption("--collision-scenes", metavar="DIR", help=told)
    parser.addini("collision_scenes", f"{told}; DIR is relative to the root of the tests", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Have scenes kept if a folder is given."""
    given, setting = config.getoption("--collision-scenes"), config.getini("collision_scenes")
    if given:
        folder = config.invocation_params.dir / given
    elif setting:
        folder = config.rootpath / setting
    else:
        return
    config.pluginmanager.register(Keeper(folder, config.invocation_params.dir), "collision scenes")


class Keeper:
    """Writes the scenes of tests that fail into a folder; what it says of them is seen from `here`."""

    def __init__(self, folder: Path, here: Path) -> None:
        self.folder, self.here = folder, here
        self._tests: dict[str, str] = {}
        """Names of files, and the tests that have them: those of two tests may come to the same."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Keep what a test records, and let go of it afterwards."""
        with recording_of_test.of_a_test():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Write the scenes when the test, or what prepares it, has failed: its world is still there then."""
        report = yield
        recordings = recording_of_test.recordings()
        if report.failed and call.when != "teardown" and recordings:
            remark = f"{item.nodeid} failed:\n{_first_line(call)}"
            lines = [self._written(recording, item, number, remark) for number, recording in enumerate(recordings)]
            report.sections.append(("collision scene", "\n".join(lines)))
        return report

    def _written(self, recording: Recording, item: pytest.Item, number: int, remark: str) -> str:
        """Write a scene and return what to say of it; that it cannot be written must not hide why the test failed."""
        from ecs_collision.errors import CollisionError

        name, number_of_test = name_of(item), 1
        while self._tests.setdefault(name, item.nodeid) != item.nodeid:
            number_of_test += 1
            name = f"{name_of(item)}~{number_of_test}"
        path = self.folder / f"{name}{f'-{number + 1}' * (number > 0)}.scene"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            recording.save(path, remark)
        except (CollisionError, OSError) as problem:
            return f"no scene was written to {path}: {problem}"
        shown = path.relative_to(self.here) if path.is_relative_to(self.here) else path
        return f"written; play it: python -m ecs_collision replay {shown}"


def name_of(item: pytest.Item) -> str:
    """Return the name of a test as that of a file: its module and its own, with "-" for what no shell likes."""
    name = f"{item.path.stem}.{item.nodeid.partition('::')[2] or item.name}"
    return re.sub(r"[^\w.]+", "-", name).strip("-")[:LONGEST_NAME]


def _first_line(call: pytest.CallInfo[None]) -> str:
    assert call.excinfo is not None
    return call.excinfo.exconly().partition("\n")[0].removeprefix("AssertionError: ")[:300]
