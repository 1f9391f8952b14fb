"""NumPy is imported only by calls that work on arrays: the core, levels, puzzles and the solver run without it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from material import HOUSE

GOLDEN = HOUSE / "tests" / "support" / "record_golden.py"
GAMES = ["puzzle_keep_it_open", "impulses_in_2D", "movement_in_2D", "all_movement_in_3D"]

HIDDEN = "import sys; sys.modules['numpy'] = None\n"


PLAYED = """
import esper
from ecs_collision import BoxCollider, CollisionSystem, CollisionWorld, Inertia, Motion, Transform, Trigger
from ecs_collision import puzzles
from ecs_collision.solver import solve

world = CollisionWorld()
mover = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(force=5))
zone = world.add(transform=Transform(3, 0), collider=BoxCollider(0.5, 0.5), trigger=Trigger())
crate = world.add(transform=Transform(1, 0), collider=BoxCollider(0.5, 0.5), inertia=Inertia(2))
print(world.move(mover, 2, 0).pushed, [type(event).__name__ for event in world.step().events])
world.reports_overlaps = True
gone = world.add(transform=Transform(20, 0), collider=BoxCollider(0.5, 0.5))
world.remove(mover)
world.add(transform=Transform(9, 0), collider=BoxCollider(0.5, 0.5))
world.step()
world.restore(world.snapshot())
print(world.inside(zone), world.space.overlapping(zone), world.space.at(9, 0), world.space.ray((0, 0), (1, 0)).entity)
world.check()

system = CollisionSystem()
body = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion(force=5))
esper.add_processor(system)
esper.component_for_entity(body, Motion).move(1, 0)
esper.process()
print(esper.component_for_entity(body, Transform).x)

print(solve(puzzles.path("first_push")).moves)
"""

CALLS = {
    "set_positions": "world.set_positions([], [])",
    "events_array": "world.events_array(ecs_collision.TriggerEntered)",
    "pairs_array": "world.space.pairs_array()",
    "overlapping_many": "world.space.overlapping_many([(0, 0)], [(1, 1)])",
    "ray_many": "world.space.ray_many([(0, 0)], [(1, 1)])",
    "overlapping_pairs": "ecs_collision.overlapping_pairs([(0, 0)], [(1, 1)])",
}


def output_of(program: str, *, pure: bool = False) -> str:
    """Return the output of a program that has no NumPy."""
    environment = dict(os.environ) | {"ECS_COLLISION_PURE": str(int(pure))}
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN + program], cwd=HOUSE, env=environment, capture_output=True, text=True
    )
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.parametrize("pure", [False, True], ids=["compiled", "plain"])
def test_worlds_systems_and_solver_run_without_numpy(pure):
    assert [
        "{3: (2.0, 0.0, 0.0)} ['Moved', 'Moved', 'Pushed', 'TriggerEntered']",
        "[3] [3] [5] 3",
        "1.0",
        "RDRUU",
    ] == output_of(PLAYED, pure=pure).splitlines()


@pytest.mark.parametrize("pure", [False, True], ids=["compiled", "plain"])
def test_golden_games_that_need_no_arrays_are_the_same_without_numpy(pure):
    folders = [str(HOUSE / "tests"), str(GOLDEN.parent)]
    program = (
        f"import runpy; sys.path[:0] = {folders}; sys.argv = ['', '--check', '--frames', '20', *{GAMES}]\n"
        f"runpy.run_path({str(GOLDEN)!r}, run_name='__main__')"
    )
    assert "no NumPy" in (output := output_of(program, pure=pure))
    assert f"{len(GAMES)} games to frame 20, 0 differences" in output


def test_calls_that_work_on_arrays_say_that_they_need_numpy():
    lines = "".join(
        f"try: {call}\nexcept ecs_collision.CollisionError as error: print({name!r}, type(error).__name__, error)\n"
        for name, call in CALLS.items()
    )
    output = output_of("import ecs_collision\nworld = ecs_collision.CollisionWorld()\n" + lines)
    message = "this call works on arrays, which needs NumPy, and that is not installed; run: pip install numpy"
    assert [f"{name} MissingExtra {message}" for name in CALLS] == output.splitlines()


def test_games_import_no_numpy():
    program = """
import sys
from ecs_collision import puzzles
from ecs_collision.game import Game
from ecs_collision.levels import load_level
game = Game(load_level(puzzles.path("keep_it_open")))
game.turn(game.letters[0]), game.undo(), game.state_hash(), game.snapshot()
print("numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=HOUSE, check=True, capture_output=True, text=True)
    assert "False\n" == done.stdout
