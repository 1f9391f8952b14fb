"""The first body on the way of a box, compared with a second computation in fractions (rules B7, L4)."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from ecs_collision import BoxCollider, CollisionWorld, Static, Transform

Faces = tuple[int, int, int, int, int, int]


def meets(box: Faces, other: Faces, steps: tuple[int, int, int]) -> tuple[Fraction, str | None] | None:
    """Return when and on which axis a moving box meets another, or None.

    The moving box is shrunk to a point and the other one grown by it. The point is inside the grown box between two
    times on each axis. Without thickness these are one instant, at which it must be strictly inside on all other axes.
    """
    grown = [(other[axis] - box[axis + 3], other[axis + 3] - box[axis], steps[axis]) for axis in range(3)]
    if any(step == 0 and not low < 0 < high for low, high, step in grown):
        return None
    times = [
        (*sorted((Fraction(low, step), Fraction(high, step))), axis)
        for axis, (low, high, step) in zip("xyz", grown, strict=True)
        if step
    ]
    if not times:
        return Fraction(0), None
    enters, leaves = max(time[0] for time in times), min(time[1] for time in times)
    if enters < 0 < leaves:
        return Fraction(0), None
    if not 0 <= enters <= 1 or enters > leaves:
        return None
    if enters == leaves:
        others = [time for time in times if time[0] != time[1]]
        if len(others) != len(times) - 1 or not all(time[0] < enters < time[1] for time in others):
            return None
    return enters, min(time[2] for time in times if time[0] == enters)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_point_that_reaches_the_edge_of_a_plate_does_not_meet_it(mirrored: bool) -> None:
    world = CollisionWorld()
    world.add(transform=Transform(1, 2 if mirrored else 0), collider=BoxCollider(0, 1))
    assert world.space.sweep(((0, 0, 0), (0, 0, 0)), (2, 2, 0)) is None
    assert world.space.sweep(((0, 0, 0), (0, 0, 0)), (2, 2.5 if mirrored else 1.5, 0)) is not None


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
            boxes[entity] = (*lows, *highs)  # type: ignore[assignment]
        for _ in range(10):
            low, size = [rng.randrange(-5, 6) for _ in range(3)], [rng.randrange(3) for _ in range(3)]
            high = [a + b for a, b in zip(low, size, strict=True)]
            steps = rng.choice([(6, 0, 0), (0, -6, 0), (4, 4, 0), (-4, 4, 4), (3, -5, 2), (8, 4, -4), (0, 3, 3)])
            expected = min(
                (
                    (when, entity, axis or "")
                    for entity, other in boxes.items()
                    if (hit := meets((*low, *high), other, steps)) is not None  # type: ignore[arg-type]
                    for when, axis in [hit]
                ),
                default=None,
            )
            halves = (tuple(value / 2 for value in low), tuple(value / 2 for value in high))
            found = world.space.sweep(halves, tuple(step / 2 for step in steps))
            assert (found and (found.entity, found.axis or "")) == (expected and expected[1:])
            if found is not None and expected is not None:
                assert found.fraction == float(expected[0])
                met += 1
    assert met > 100
