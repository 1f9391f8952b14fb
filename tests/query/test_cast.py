"""The first body on the way of a box, compared with a second computation in fractions (rules B7, L4)."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from query_oracle import INSIDE, Faces, Vector, box_entered

from ecs_collision import BoxCollider, CollisionWorld, Static, Transform


def meets(box: Faces, other: Faces, steps: Vector) -> tuple[Fraction, int] | None:
    """Return when and on which axis (-1: inside from the start) a moving box meets another, or None.

    They meet if a ray enters the other: the moving box is shrunk to its origin, and the other one grown by it.
    """
    (lo, hi), (other_lo, other_hi) = box, other
    low = (other_lo[0] - hi[0], other_lo[1] - hi[1], other_lo[2] - hi[2])
    high = (other_hi[0] - lo[0], other_hi[1] - lo[1], other_hi[2] - lo[2])
    entry = box_entered((low, high), (0, 0, 0), steps)
    if entry is None or entry[0] > 1:
        return None
    return entry[0], -1 if entry[1] == INSIDE else entry[1]


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_point_that_reaches_the_edge_of_a_plate_does_not_meet_it_H8(mirrored: bool) -> None:
    world = CollisionWorld()
    world.add(transform=Transform(1, 2 if mirrored else 0), collider=BoxCollider(0, 1))
    assert world.space.cast(((0, 0, 0), (0, 0, 0)), (2, 2, 0)) is None
    assert world.space.cast(((0, 0, 0), (0, 0, 0)), (2, 2.5 if mirrored else 1.5, 0)) is not None


@pytest.mark.parametrize("seed", range(6))
def test_the_first_body_on_the_way_is_that_of_the_second_computation(seed: int) -> None:
    """Coordinates are multiples of 1/2, so that boxes touch, graze and meet at equal times; many have no thickness."""
    rng = random.Random(seed)
    met = 0
    for _ in range(60):
        world = CollisionWorld(bin_size=rng.choice([0.5, 1.0, 4.0]))
        boxes: dict[int, Faces] = {}
        for _ in range(rng.randrange(1, 30)):
            middle, half = [rng.randrange(-5, 6) for _ in range(3)], [rng.randrange(3) for _ in range(3)]
            static = {"static": Static()} if rng.random() < 0.4 else {}
            entity = world.add(
                transform=Transform(*(value / 2 for value in middle)),
                collider=BoxCollider(*(value / 2 for value in half)),
                **static,
            )
            lows, highs = zip(*((m - h, m + h) for m, h in zip(middle, half, strict=True)), strict=True)
            boxes[entity] = (lows, highs)
        for _ in range(10):
            low, size = [rng.randrange(-5, 6) for _ in range(3)], [rng.randrange(3) for _ in range(3)]
            high = [a + b for a, b in zip(low, size, strict=True)]
            steps = rng.choice([(6, 0, 0), (0, -6, 0), (4, 4, 0), (-4, 4, 4), (3, -5, 2), (8, 4, -4), (0, 3, 3)])
            expected = min(
                (
                    (when, entity, axis)
                    for entity, other in boxes.items()
                    if (hit := meets((tuple(low), tuple(high)), other, steps)) is not None  # type: ignore[arg-type]
                    for when, axis in [hit]
                ),
                default=None,
            )
            halves = (tuple(value / 2 for value in low), tuple(value / 2 for value in high))
            found = world.space.cast(halves, tuple(step / 2 for step in steps))
            assert (found is None) == (expected is None)
            if found is not None and expected is not None:
                when, entity, axis = expected
                normal = tuple((way < 0) - (way > 0) if at == axis else 0 for at, way in enumerate(steps))
                assert (found.entity, found.fraction, found.normal) == (entity, float(when), normal)
                met += 1
    assert met > 100
