"""Scenes of failing tests, written by the pytest plugin."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from film_reader import film_in
from material import HOUSE

from ecs_collision.testing import keep_scene, load_scene
from ecs_collision.testing.scene_replay import Player

pytest_plugins = ["pytester"]

TESTS = """
import esper
import pytest
from hypothesis import given, settings, strategies as st, HealthCheck
from ecs_collision import BoxCollider, CollisionSystem, CollisionWorld, Inertia, Motion, Transform
from ecs_collision.testing import fresh_world, keep_scene


def push(system):
    player = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion(force=2.0))
    crate = esper.create_entity(Transform(1, 0), BoxCollider(0.5, 0.5), Inertia(1.0))
    system.request(player, dx=2)
    esper.process()
    return esper.component_for_entity(crate, Transform).x


def test_passes(collision_world):
    assert push(collision_world) == 3

@pytest.mark.parametrize("x", [4, "a/b c"])
def test_fails(collision_world, x):
    assert push(collision_world) == x

def test_by_hand():
    with fresh_world() as system:
        keep_scene(system)
        keep_scene(system)
        assert push(system) == 5

def test_two():
    for force in (1, 2):
        world = CollisionWorld()
        keep_scene(world)
        world.move(world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1)), dx=force)
    assert False

@pytest.fixture
def prepared(collision_world):
    push(collision_world)
    raise ValueError("not prepared")

def test_not_prepared(prepared):
    pass

def test_no_world():
    assert False

@settings(database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 100))
def test_property(collision_world, x):
    with fresh_world() as system:
        keep_scene(system)
        esper.create_entity(Transform(x, 0), BoxCollider(1, 1))
        esper.process()
        assert x < 7

def test_refused(collision_world):
    esper.create_entity(Transform(2.0**30, 0), BoxCollider(1, 1))
    esper.process()
"""

WRITTEN = [
    "test_it.test_by_hand.scene", "test_it.test_fails-4.scene", "test_it.test_fails-a-b-c.scene",
    "test_it.test_not_prepared.scene", "test_it.test_property-2.scene", "test_it.test_property.scene",
    "test_it.test_refused.scene", "test_it.test_two-2.scene", "test_it.test_two.scene",
]  # fmt: skip


def run(pytester: pytest.Pytester, *options: str, ini: str = "") -> pytest.RunResult:
    """Run the tests above in their own folder."""
    pytester.makeini(f"[pytest]\n{ini}\n")
    pytester.makepyfile(test_it=TESTS)
    plugins = ("-p", "ecs_collision.testing.plugin", "-p", "no:randomly", "-p", "no:cacheprovider")
    return pytester.runpytest_inprocess(*plugins, *options)


def scene_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*"))


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run the tests above once, in another process as users do; return the folder and the output."""
    folder = tmp_path_factory.mktemp("failing")
    (folder / "test_it.py").write_text(TESTS, encoding="utf-8")
    (folder / "conftest.py").write_text('pytest_plugins = ["ecs_collision.testing.plugin"]\n', encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-o", f"pythonpath={HOUSE}", "-rA", "."]
    output = subprocess.run([*command, "--collision-scenes=kept/here"], cwd=folder, capture_output=True, text=True)
    return folder / "kept" / "here", output.stdout


def test_every_failing_test_writes_a_scene_and_reports_its_path(finished_run):
    folder, output = finished_run
    assert scene_files(folder) == WRITTEN
    assert "7 failed, 1 passed, 1 error" in output
    assert "\nwritten; play it: python -m ecs_collision replay kept/here/test_it.test_fails-4.scene\n" in output


@pytest.mark.parametrize("name", WRITTEN)
def test_a_written_scene_replays_as_recorded(finished_run, name):
    player = Player(load_scene(finished_run[0] / name))
    assert [each.problem for each in player.play() if each.problem] == []
    assert player.end_problem() is None


def test_a_written_scene_contains_what_happened(finished_run):
    text = (finished_run[0] / "test_it.test_fails-4.scene").read_text(encoding="utf-8")
    assert text.startswith("ecs_collision scene 1\n; test_it.py::test_fails[4] failed:\n; assert 3.0 == 4\n")
    for line in ("request 1 by 2.0 0.0 0.0", "  = pushed 2 by 2.0 0.0 0.0", "= 2 at 3.0 0.0 0.0"):
        assert f"\n{line}\n" in text
    assert "\n; at the end:\n; ┏1━┓┌2─┐\n; ┗━━┛└──┘\n; x from 1.5 to 3.5" in text


def test_the_last_scene_of_a_property_is_the_smallest_failing_world(finished_run):
    last = (finished_run[0] / "test_it.test_property-2.scene").read_text(encoding="utf-8")
    assert re.findall(r"add 1 at (\S+)", last) == ["7.0"]


def test_a_scene_contains_refused_acts(finished_run):
    text = (finished_run[0] / "test_it.test_refused.scene").read_text(encoding="utf-8")
    assert "; frame was refused: InvalidChanges: entity 1: Transform.x is 1073741824.0" in text
    assert "; the final state is unknown: InvalidChanges: entity 1" in text


def test_nothing_is_recorded_unless_a_folder_is_given(pytester):
    result = run(pytester, "-k", "fails or by_hand")
    result.assert_outcomes(failed=3)
    assert not list(pytester.path.rglob("*.scene"))
    assert "collision scene" not in result.stdout.str()


def test_the_option_overrides_the_setting_of_the_folder(pytester):
    run(pytester, "-k", "by_hand", ini="collision_scenes = kept").assert_outcomes(failed=1)
    assert scene_files(pytester.path / "kept") == ["test_it.test_by_hand.scene"]
    run(pytester, "-k", "by_hand", "--collision-scenes=other", ini="collision_scenes = unused")
    assert scene_files(pytester.path / "other") == ["test_it.test_by_hand.scene"]
    assert not (pytester.path / "unused").exists()


def test_a_scene_that_cannot_be_written_does_not_hide_the_failure(pytester):
    (pytester.path / "file").write_text("", encoding="utf-8")
    result = run(pytester, "-k", "by_hand", "--collision-scenes=file")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert 3.0 == 5*", "no scene was written to *file*test_it.test_by_hand.scene: *"])


def test_nothing_is_recorded_outside_a_pytest_run(system):
    keep_scene(system)
    assert "_instrument" not in vars(system._world)


BOARD_TEST = """
def test_push(board):
    made = board("#@$ .#")
    made.move("@", "R")
    assert made == "#@$ .#"


def test_that_passes(board):
    board("#@$ .#")
"""


def run_board_test(pytester: pytest.Pytester, *options: str, ini: str = "") -> pytest.RunResult:
    """Run a test of a board that fails and one that passes."""
    pytester.makeini(f"[pytest]\n{ini}\n")
    pytester.makepyfile(test_it=BOARD_TEST)
    return pytester.runpytest_inprocess("-p", "ecs_collision.testing.plugin", *options)


@pytest.mark.parametrize("option, ini", [("--collision-html=pages", ""), ("-q", "collision_html = pages")])
def test_a_failed_test_leaves_its_page(pytester: pytest.Pytester, option: str, ini: str) -> None:
    result = run_board_test(pytester, option, ini=ini)
    result.stdout.fnmatch_lines(["*board == drawing, but 3 cells differ*", "written; open it in a browser: pages*"])
    (page,) = (pytester.path / "pages").iterdir()
    film = film_in(page)
    assert ("test_it.test_push.html", "test_it.test_push") == (page.name, film["title"])
    assert len(film["steps"]) - 1 == film["open_at"] > 0
    assert "test_it.py::test_push failed:" == film["remarks"][0]


def test_a_page_that_cannot_be_written_does_not_hide_the_failure(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("file").write_text("")
    result = run_board_test(pytester, "--collision-html=file")
    result.stdout.fnmatch_lines(["*3 cells differ*", "no page was written to *file*test_it.test_push.html: *"])
