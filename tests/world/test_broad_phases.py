"""A world has the same answers, events, pushes, snapshots and hashes with every broad phase.

Scenes and games of the suite are played with the default broad phase and with another, and everything that a game can
read is compared, except costs. With BROAD_PHASE=octree in the environment the whole suite plays on octrees.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy
import pytest
from boards import seeds
from broad_phase_default import default
from drawing import PLANS, drawn
from impulse_worlds import a_scene, made
from query_scenes import Scene, ShapedScene
from random_games import RandomGame
from squares import text_of
from twin_grids import DEFAULTS, VARIANTS
from worlds import fresh_world

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Inertia,
    Motion,
    Puzzle,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.broadphase import FootprintGrid
from ecs_collision.broadphase.choices import DEFAULT, BroadPhase
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

pytestmark = pytest.mark.filterwarnings("ignore:.*rotation:ecs_collision.SetupWarning")

AWKWARD = ("octree of 1", "quadtree of 2 without x", "linear_octree 1 deep")

OTHERS: dict[str, BroadPhase] = {
    **{name: choice for name, choice in DEFAULTS.items() if choice != DEFAULT},
    **{name: VARIANTS[name] for name in AWKWARD if name in VARIANTS},
    "footprint_grid": FootprintGrid(lo=(-5, -5), hi=(6, 6)),
}
"""The broad phases that are compared with the default one; the footprint grid is so small that bodies lie outside."""

each_class = pytest.mark.parametrize("name", [name for name in OTHERS if name not in AWKWARD])


# -- what is compared --------------------------------------------------------------------------------------------------


def answers(scene: Scene) -> list[str]:
    """Return the answers to queries of all kinds about a scene, with random arguments."""
    space, dice = scene.world.space, scene.dice
    point, other, place, given = scene.point(), scene.point(), scene.place(), scene.filter()
    way, limit, entity = scene.direction(point), scene.limit([1.0, 2.0]), dice.choice(list(scene.known))
    lo, hi = (tuple(map(pick, point, other)) for pick in (min, max))
    names = {name: given[name] for name in given if name in ("layers", "triggers")}
    lows, highs = numpy.array([lo, lo]), numpy.array([hi, lo])
    asked: dict[str, Callable[[], Any]] = {
        "ray": lambda: (space.ray(point, way, limit, **given), space.ray_all(point, way, **given)),
        "rays": lambda: [each.tolist() for each in space.ray_many([point, other], [way, way], [limit, 9], **given)],
        "nearest": lambda: (space.nearest(place, 3, limit, **given), space.nearest(place, 10**6, **given)),
        "sight": lambda: space.line_of_sight(place, other, **given),
        "overlapping": lambda: (space.overlapping((lo, hi), **names), space.overlapping(entity, **names)),
        "touching": lambda: (space.touching((lo, hi), **names), space.touching(entity, **names)),
        "many": lambda: [each.tolist() for each in space.overlapping_many(lows, highs, **names)],
        "at": lambda: space.at(*point, **names),
        "cast": lambda: (space.cast(entity, other, **names), space.cast((lo, hi), way, **names)),
        "circle": lambda: space.overlapping_circle(point[:2], 2.5, **given),
        "pairs": lambda: (space.pairs(**names), space.pairs_array(**names).tolist()),
        "cells": lambda: (list(space.cells), list(space.static_cells)),
        "regions": lambda: [(region.asleep, tuple(region.cells)) for region in space.regions()],
    }
    return [f"{name} {point} {other} {place} {way} {limit} {names}: {ask()!r}" for name, ask in asked.items()]


def scene_lines(make: Callable[[int], Scene], seed: int) -> list[str]:
    """Return the answers of a scene that changes between them, and its hash."""
    scene, lines = make(seed), []
    for _ in range(4):
        lines += answers(scene)
        scene.change()
    scene.world.check()
    return [*lines, scene.world.state_hash()]


def drawing_lines() -> list[str]:
    """Return the results of the drawn pushes."""
    lines = []
    for plan in PLANS:
        plot = drawn(plan.before, plan.inertias)
        world = plot.scene(axis_order=plan.axis_order).world()
        result = world.move(plot["A"], *map(float, plan.way), 0.0, **plan.how)
        lines.append(f"{plan.name}: {result!r} {dict(result.pushed)} {result.stops} {world.state_hash()}")
        world.check()
    return lines


def motion_lines(seed: int) -> list[str]:
    """Return the hashes of frames of bodies that move by their velocities, collide, bounce and come to rest."""
    world = CollisionWorld()
    made(a_scene(seed, deep=seed % 2 == 0, shaped=seed % 3 == 0), world, sleeping=True)
    lines = []
    for _ in range(25):
        frame = world.step()
        lines.append(f"{frame.events!r} {world.state_hash()}")
    world.check()
    return lines


def game_lines(seed: int) -> list[str]:
    """Return all that a random game in esper can read, frame by frame, except costs."""
    lines = []
    with fresh_world():
        game = RandomGame(seed, fusing=True, restoring=True, asking=seed % 2 == 0)
        for frame in range(12):
            game.frame()
            lines += [*game.take_log(), *game.frame_lines(), *game.index_lines(), game.hash_line()]
            if frame % 4 == 3:
                game.system.check()
    return lines


PLAYED: dict[str, Callable[[], list[Any]]] = {
    "drawings": drawing_lines,
    "queries": lambda: [line for seed in seeds(6) for line in scene_lines(ShapedScene if seed % 3 else Scene, seed)],
    "velocities": lambda: [line for seed in seeds(4) for line in motion_lines(seed)],
    "random games": lambda: [line for seed in seeds(6) for line in game_lines(seed)],
}


@cache
def lines_of_the_default(play: str) -> list[Any]:
    return PLAYED[play]()


OTHER_PLAYS = [play for play in PLAYED if play != "queries"]
PAIRS = [
    pytest.param(
        name, play, marks=[pytest.mark.soak] * (name in AWKWARD or play not in ("queries", OTHER_PLAYS[at % 3]))
    )
    for at, name in enumerate(OTHERS)
    for play in PLAYED
]
"""Every broad phase answers the queries and plays one of the others; in a soak all play all."""


@pytest.mark.parametrize(("name", "play"), PAIRS)
def test_the_scenes_of_the_suite_have_the_same_results_B8(name: str, play: str) -> None:
    expected = lines_of_the_default(play)
    with default(OTHERS[name]):
        found = PLAYED[play]()
    for number, (first, second) in enumerate(zip(expected, found, strict=True)):
        assert first == second, number
    assert len(expected) > 3


# -- worlds side by side -----------------------------------------------------------------------------------------------


class Room:
    """Movers, crates, walls, triggers and sleepers at random places; the motions depend on the number of the frame."""

    def __init__(self, seed: int, broad_phase: BroadPhase) -> None:
        rng = random.Random(seed)
        self.world = CollisionWorld(broad_phase=broad_phase, bin_size=rng.choice((0.5, 1.0, 4.0)))
        self.movers = range(0, 40, 5)
        kinds: list[Callable[[], dict[str, Any]]] = [
            lambda: {"motion": Motion(force=5)},
            lambda: {"static": Static()},
            lambda: {"inertia": Inertia(1)},
            lambda: {"trigger": Trigger(stay=True)},
            lambda: {"inertia": Inertia(2), "sleeping": Sleeping(after=2)},
        ]
        for number in range(40):
            x, y = (rng.randint(-24, 24) / 4 for _ in "xy")
            collider = BoxCollider(rng.choice((0.25, 0.5, 2)), rng.choice((0.25, 0.5, 3)))
            self.world.add(number, transform=Transform(x, y), collider=collider, **kinds[number % 5]())

    def frame(self, number: int) -> str:
        """Run a frame; returns everything that can be read of it."""
        rng, world = random.Random(number), self.world
        for mover in self.movers:
            world.request(mover, dx=rng.randint(-8, 8) / 4, dy=rng.randint(-8, 8) / 4)
        world.teleport(rng.randrange(40), rng.randint(-20, 20) / 4, rng.randint(-20, 20) / 4)
        frame = world.step()
        results = {each: (result.moved, dict(result.pushed), result.stops) for each, result in frame.results.items()}
        inside = [world.inside(zone) for zone in range(3, 40, 5)]
        world.check()
        return f"{frame.events!r} {results!r} {inside} {world.space.pairs()!r} {world.state_hash()}"


@each_class
def test_a_snapshot_continues_with_another_broad_phase_B8(name: str) -> None:
    first, second = Room(7, DEFAULT), Room(7, OTHERS[name])
    for number in range(6):
        first.frame(number)
    second.world.restore(first.world.snapshot())
    expected = [first.frame(number) for number in range(6, 14)]
    assert expected == [second.frame(number) for number in range(6, 14)]
    back = Room(7, DEFAULT)
    back.world.restore(second.world.snapshot())
    assert second.world.snapshot() == back.world.snapshot() == first.world.snapshot()


# -- games -------------------------------------------------------------------------------------------------------------


LEVEL = """title: A door

legend
# wall: Static
@ player: Motion(1.5)
$ crate: Inertia(1)

map
#####
#@$.#
#####
"""


@pytest.mark.parametrize("make", [Game, Puzzle])
def test_a_game_has_no_broad_phase_of_its_own_and_says_so(make: Callable[..., Any]) -> None:
    message = text_of(lambda: make(parse_level(LEVEL), broad_phase="octree"))
    assert "'broad_phase' is not a setting of a game; the settings are 'bin_size', 'rule'" in message


# -- the numbers that a world gives of its index -----------------------------------------------------------------------


@each_class
def test_describe_counts_boxes_and_grows_with_them(name: str) -> None:
    world = CollisionWorld(broad_phase=OTHERS[name])
    empty = world.space.describe()
    assert OTHERS[name] == empty.broad_phase
    assert 0 == empty.dynamic.boxes == empty.static.boxes == empty.dynamic.entries
    for number in range(600):
        rest = {"static": Static()} if number % 3 == 0 else {}
        world.add(transform=Transform(number % 25, number // 25), collider=BoxCollider(0.75, 0.75), **rest)
    full = world.space.describe()
    assert (400, 200) == (full.dynamic.boxes, full.static.boxes)
    for before, after in ((empty.dynamic, full.dynamic), (empty.static, full.static)):
        assert after.entries >= after.boxes
        assert after.bytes > before.bytes
    assert str(full.dynamic.boxes) in str(full)
