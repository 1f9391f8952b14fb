"""The ray case B of the design: rays and the cells of the index (rules B1, B2, Q1)."""

from __future__ import annotations

import pytest
from query_scenes import a_body, a_world

from ecs_collision import LATTICE, CollisionWorld

BINS = [0.25, 1.0, 2.0, 16.0]


def entities(
    world: CollisionWorld, origin: tuple[float, ...], direction: tuple[float, ...], **more: float
) -> list[int]:
    """Return the entities that a ray hits, in its order."""
    return [hit.entity for hit in world.space.ray_all(origin, direction, **more)]


@pytest.mark.parametrize("bin_size", BINS)
@pytest.mark.parametrize(("way", "expected"), [((1, 0), [3, 4, 5]), ((-1, 0), [7, 6])])
def test_a_ray_along_a_bin_border_hits_bodies_around_it_and_none_at_its_sides_B26(bin_size, way, expected):
    #  y 1   . . 1 . 4          the ray runs at y 0, where bins of every size meet, from x 0
    #  y 0   7 6 o 3 5
    #  y -1  . . 2 . .
    world = a_world(
        ((2, 0), (3, 1)),
        ((2, -1), (3, 0)),
        ((4, -0.25), (5, 0.25)),
        ((6, -LATTICE), (7, 1)),
        ((8, -1), (9, LATTICE)),
        ((-5, -0.5), (-4, 0.5)),
        ((-3, -0.5), (-2, 0.5)),
        bin_size=bin_size,
    )
    assert expected == entities(world, (0, 0), way)


@pytest.mark.parametrize("bin_size", BINS)
@pytest.mark.parametrize("sign", [(1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, 1), (-1, -1, -1)])
def test_a_ray_through_the_corner_of_8_bins_hits_only_what_lies_on_it_B26(bin_size, sign):
    """A cube in each of the eight cells at (0, 0, 0): two of them lie on the diagonal, six touch it in their corner."""
    world, on_it = CollisionWorld(bin_size=bin_size), []
    for octant in range(8):
        low = [-(octant >> axis & 1) for axis in range(3)]
        entity = a_body(world, tuple(low), tuple(at + 1 for at in low))
        if all((at < 0) == (step > 0) for at, step in zip(low, sign, strict=True)):
            on_it.insert(0, entity)
        elif all((at < 0) == (step < 0) for at, step in zip(low, sign, strict=True)):
            on_it.append(entity)
    origin = tuple(-3 * step for step in sign)
    assert on_it == entities(world, origin, sign)
    assert on_it[::-1] == entities(world, tuple(3 * step for step in sign), tuple(-step for step in sign))
    assert on_it[1:] == entities(world, (0, 0, 0), sign)
    assert [] == entities(world, (0, 0, 0), (0, 0, 0))
