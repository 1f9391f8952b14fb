"""One frame of 1,000 characters under gravity that walk over 5,000 static blocks, through esper.

Floors of blocks with steps between them, a wall at either end. A character walks, turns at a wall, climbs the steps and
falls from the higher ones. Character controllers are the closest equivalent: the game integrates gravity and casts each
one. Bodies of a physics engine do not climb; they are pushed along and jump over each step.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial
from typing import Any

import esper

from benchmarks.comparison import compare, own
from benchmarks.libraries import Job, libraries_of
from benchmarks.movers import delete
from benchmarks.report import Report
from benchmarks.scenes import empty
from ecs_collision import BoxCollider, Character, Motion, MovementSystem, Static, Transform, Velocity

COUNT, BLOCKS, FLOOR = 1_000, 5_000, 100
"""Characters, blocks, and blocks of a floor."""
APART = 8.0
"""Between two floors."""
WALL = 3.0
"""Half the height of a wall."""
STEP_HEIGHT = 0.25
HALF_WIDTH, HALF_HEIGHT = 0.4, 0.8
"""Of a character; a block of a floor is a unit box."""
SPEED, GRAVITY, RATE = 4.0, 30.0, 60
SETTLING, FRAMES = 60, 60
BUDGET = 8.0
"""Seconds that a participant may use in one comparison."""
WORKLOAD = "movement"
OWN = "ecs-collision"
TARGET, LIMIT = 4.0, 4e-3
"""How many times as fast as the fastest other library; the seconds of a frame."""


@dataclass(frozen=True, slots=True)
class Land:
    """The centres of the blocks with half their heights, and of the characters at the start with their directions."""

    blocks: list[tuple[float, float, float]]
    walkers: list[tuple[float, float, int]]
    dims: int = 2

    @property
    def count(self) -> int:
        """The number of characters."""
        return len(self.walkers)


def land(count: int, blocks: int, floor: int) -> Land:
    """Return floors of blocks, with characters evenly spread above them; y grows downwards."""
    rng = random.Random(5)
    made, walkers = list[tuple[float, float, float]](), list[tuple[float, float, int]]()
    floors = max(1, blocks // floor)
    for row in range(floors):
        height = 0.0
        for column in range(floor):
            is_wall = column in (0, floor - 1)
            height = min(max(height + rng.choice((-STEP_HEIGHT, 0.0, 0.0, STEP_HEIGHT)), -1.0), 1.0)
            made.append((float(column), row * APART + (0.0 if is_wall else height), WALL if is_wall else 0.5))
    each = -(-count // floors)
    for number in range(count):
        row, place = divmod(number, each)
        x = 2.0 + (floor - 4) * (place + 0.5) / each
        walkers.append((x, row * APART - 3.0, rng.choice((-1, 1))))
    return Land(made, walkers)


def own_walkers(name: str, scene: Land) -> Job:
    """Return this project set up for a land: velocities are written, then a frame of esper."""
    made = empty(name)
    esper.add_processor(MovementSystem(made.system, gravity=(0, GRAVITY), rate=RATE), priority=1)
    for x, y, half in scene.blocks:
        esper.create_entity(Transform(x, y), BoxCollider(0.5, half, layer="ground"), Static())
    walkers, speeds = [], []
    for x, y, way in scene.walkers:
        velocity, character = Velocity(SPEED * way), Character(step_height=STEP_HEIGHT)
        collider = BoxCollider(HALF_WIDTH, HALF_HEIGHT, layer="walker", mask="ground")
        esper.create_entity(Transform(x, y), collider, Motion(), velocity, character)
        walkers.append((velocity, character))
        speeds.append(SPEED * way)

    def frame() -> None:
        for number, (velocity, character) in enumerate(walkers):
            if character.on_wall:
                speeds[number] = -speeds[number]
            velocity.x = speeds[number]
        esper.process()

    made.enter()
    for _ in range(SETTLING):
        frame()
    return Job(frame, None, made.enter)


def movement() -> Report:
    """Measure a frame of characters that walk, climb and fall."""
    report = Report(WORKLOAD, f"a frame of {COUNT:,} characters with gravity on {BLOCKS:,} static blocks")
    title = f"{COUNT:,} characters on {BLOCKS:,} blocks"
    participants: list[Any] = [own(OWN, partial(own_walkers, OWN)), *libraries_of(WORKLOAD)]
    scene = land(COUNT, BLOCKS, FLOOR)
    made = compare(title, scene, participants, targets={OWN: TARGET}, rounds=FRAMES, budget=BUDGET)
    report.add(made)
    entry = made.own()
    assert entry is not None
    report.within(title, entry.median, LIMIT)
    delete([OWN])
    return report
