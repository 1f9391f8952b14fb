"""Masses, centres of mass and moments of the shapes of colliders (rule I1)."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CompoundCollider,
    Mass,
    OrientedBox,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
)
from ecs_collision.components import Parts
from ecs_collision.dynamics.mass_properties import MassProperties, mass_properties
from ecs_collision.shapes.rotation import matrix_of

PI, INF = math.pi, math.inf
UPRIGHT = (0.0, 0.0, 0.0, 1.0)


def of(collider: Any, mass: Mass | None = None, *, flat: bool = False) -> MassProperties:
    """Return the properties of a body."""
    return mass_properties(Parts(None, collider, mass=mass or Mass(2)), flat)


def moments(collider: Any, mass: Mass | None = None, *, flat: bool = False) -> list[float]:
    """Return the moments of a body."""
    found = of(collider, mass, flat=flat).inverse_moments
    return [1 / each if each else INF for each in found]


def test_the_moments_of_simple_shapes_are_those_of_textbooks_I1():
    assert moments(SphereCollider(3)) == pytest.approx([2 * 2 / 5 * 9] * 3)
    assert moments(SphereCollider(3), flat=True) == pytest.approx([INF, INF, 2 * 9 / 2])
    assert moments(OrientedBoxCollider(1, 2, 3)) == pytest.approx([2 / 3 * 13, 2 / 3 * 10, 2 / 3 * 5])
    assert moments(OrientedBoxCollider(1, 2), flat=True) == pytest.approx([INF, INF, 2 / 3 * 5])
    r, h = 0.5, 1.5  # a stadium: a rectangle with two half discs
    disc, area = PI * r * r, 4 * r * h
    about = area * (h * h + r * r) / 3 + disc * (r * r / 2 + h * h + 2 * h * 4 * r / (3 * PI))
    assert moments(CapsuleCollider(r, h), flat=True) == pytest.approx([INF, INF, 2 / (area + disc) * about])


def test_the_moments_of_a_capsule_are_those_of_a_cylinder_with_two_half_balls_I1():
    r, h = 0.5, 1.5
    cylinder, ball = PI * r * r * 2 * h, 4 / 3 * PI * r**3
    along = cylinder * r * r / 2 + ball * 2 / 5 * r * r
    across = cylinder * (r * r / 4 + h * h / 3) + ball * (2 / 5 * r * r + h * h + 3 / 4 * h * r)
    share = 2 / (cylinder + ball)
    expected = [along * share, across * share, across * share]
    assert moments(CapsuleCollider(r, h, "x")) == pytest.approx(expected)


def test_a_density_gives_the_mass_by_volume_and_by_area_in_2D_I1():
    volume = {
        SphereCollider(0.5): 4 / 3 * PI / 8,
        CapsuleCollider(0.5, 1.5): 4 / 3 * PI / 8 + PI / 4 * 3,
        OrientedBoxCollider(1, 2, 3): 48.0,
        BoxCollider(1, 2, 0.25): 4.0,
        CompoundCollider([Box(1, 1, 1), Box(1, 1, 1), Sphere(0.5)]): 16 + 4 / 3 * PI / 8,
    }
    for collider, expected in volume.items():
        assert of(collider, Mass.of(density=3)).inverse_mass == pytest.approx(1 / (3 * expected))
    area = {
        SphereCollider(0.5): PI / 4,
        CapsuleCollider(0.5, 1.5): PI / 4 + 3,
        OrientedBoxCollider(1, 2): 8.0,
        BoxCollider(1, 2): 8.0,
        CapsuleCollider(0.5, 1.5, "z"): PI / 4,
    }
    for collider, expected in area.items():
        assert of(collider, Mass.of(density=3), flat=True).inverse_mass == pytest.approx(1 / (3 * expected))


def test_a_compound_turns_about_its_centre_of_mass_I1():
    """Two balls with a distance d: about the axis through both as one, about the others by the parallel axes."""
    pair = CompoundCollider([Sphere(0.5, (3, 0, 0)), Sphere(0.5, (1, 0, 0))])
    found = of(pair, Mass(2))
    assert (found.centre, found.axes) == ((2.0, 0.0, 0.0), UPRIGHT)
    assert moments(pair) == pytest.approx([2 / 5 * 2 / 4, 2 / 5 * 2 / 4 + 2, 2 / 5 * 2 / 4 + 2])
    assert moments(pair, flat=True) == pytest.approx([INF, INF, 2 / 8 + 2])
    heavy = CompoundCollider([OrientedBox(1, 1, 1, (-1, 0, 0)), OrientedBox(0.5, 0.5, 0.5, (8, 0, 0))])
    assert of(heavy).centre == ((-1 * 8 + 8) / 9, 0.0, 0.0)


def test_a_box_in_pieces_has_the_properties_of_the_whole_I1():
    whole = OrientedBoxCollider(2, 1, 0.5, offset=(1, 2, 3))
    halves = [OrientedBox(1, 1, 0.5, (x, 2, 3)) for x in (0, 2)]
    assert of(CompoundCollider(halves), Mass.of(density=2)) == of(whole, Mass.of(density=2))


def test_a_single_part_has_its_own_axes_I1():
    turn = (0.5, 0.5, 0.5, 0.5)
    found = of(CompoundCollider([OrientedBox(1, 2, 3, rotation=turn)]))
    assert (found.axes, found.inverse_moments) == (turn, of(OrientedBoxCollider(1, 2, 3)).inverse_moments)


def tensor(found: MassProperties) -> list[list[float]]:
    """Return the inertia tensor of a body, from its principal moments and axes."""
    matrix = matrix_of(found.axes) or (1, 0, 0, 0, 1, 0, 0, 0, 1)
    return [
        [sum(matrix[3 * i + k] / found.inverse_moments[k] * matrix[3 * j + k] for k in range(3)) for j in range(3)]
        for i in range(3)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_the_axes_and_moments_of_compounds_make_up_the_tensor_I1(seed: int):
    """Points of the parts, taken at random, have the same sums of squares as the principal moments."""
    dice = random.Random(seed)

    def number() -> float:
        return dice.randint(-8, 8) / 4

    turns = [tuple(number() or 1.0 for _ in range(4)) for _ in range(3)]
    boxes = [([dice.randint(1, 8) / 4 for _ in range(3)], (number(), number(), number()), turn) for turn in turns]
    found = of(CompoundCollider([OrientedBox(*size, offset=at, rotation=turn) for size, at, turn in boxes]), Mass(1))
    points: list[tuple[float, list[float]]] = []  # the corners of a box at 1 / sqrt(3) have its moments
    for size, at, turn in boxes:
        matrix = matrix_of(turn) or (1, 0, 0, 0, 1, 0, 0, 0, 1)
        for signs in [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]:
            local = [sign * half / math.sqrt(3) for sign, half in zip(signs, size, strict=True)]
            spot = [at[i] + sum(matrix[3 * i + k] * local[k] for k in range(3)) for i in range(3)]
            points.append((math.prod(size), spot))
    weight = sum(each for each, _ in points)
    centre = [sum(each * spot[i] for each, spot in points) / weight for i in range(3)]
    assert found.centre == pytest.approx(centre)
    away = [(each / weight, [a - b for a, b in zip(spot, centre, strict=True)]) for each, spot in points]
    for i in range(3):
        for j in range(3):
            expected = sum(each * ((sum(x * x for x in by) if i == j else 0.0) - by[i] * by[j]) for each, by in away)
            assert tensor(found)[i][j] == pytest.approx(expected, abs=1e-9)
    assert sum(each * each for each in found.axes) == pytest.approx(1.0)
    assert found.inverse_moments == tuple(sorted(found.inverse_moments, reverse=True))


THIN: dict[str, tuple[Any, bool, list[float]]] = {
    "a plate in space": (OrientedBoxCollider(1, 2, 0), False, [2 / 3 * 4, 2 / 3, 2 / 3 * 5]),
    "a segment in space": (CapsuleCollider(0, 3, "y"), False, [2 * 3, INF, 2 * 3]),
    "a point in space": (SphereCollider(0), False, [INF] * 3),
    "a segment in the plane": (CapsuleCollider(0, 3, "y"), True, [INF, INF, 2 * 3]),
    "a point in the plane": (SphereCollider(0), True, [INF] * 3),
    "two points": (CompoundCollider([Sphere(0, (-1, 0)), Sphere(0, (1, 0))]), False, [INF, 2, 2]),
    "a plate beside a ball": (
        CompoundCollider([OrientedBox(9, 9, 0, (5, 0, 0)), Sphere(1)]), False, [2 * 2 / 5] * 3
    ),
    "a tilted segment": (CompoundCollider([Capsule(0, 1, "x", rotation=0.6)]), False, [INF, 2 / 3, 2 / 3]),
    "tilted segments": (CompoundCollider([Capsule(0, h, "x", rotation=0.4) for h in (1, 2)]), False, [INF, 2, 2]),
}  # fmt: skip


@pytest.mark.parametrize("collider, flat, expected", THIN.values(), ids=THIN)
def test_thin_shapes_have_the_moments_of_the_limit_I1(collider: Any, flat: bool, expected: list[float]):
    assert moments(collider, flat=flat) == pytest.approx(expected)


def test_a_moment_counts_about_every_axis_and_infinity_never_turns_I1():
    assert of(SphereCollider(1), Mass(2, moment=4)).inverse_moments == (0.25, 0.25, 0.25)
    assert of(SphereCollider(1), Mass(2, moment=4), flat=True).inverse_moments == (0.0, 0.0, 0.25)
    assert of(SphereCollider(1), Mass(2, moment=INF)).inverse_moments == (0.0, 0.0, 0.0)
    assert of(SphereCollider(1), Mass(INF)) == MassProperties(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), UPRIGHT)


def test_a_body_with_an_upright_box_never_turns_I1():
    for mass in (Mass(2), Mass(2, moment=1)):
        assert of(BoxCollider(1, 1), mass).inverse_moments == (0.0, 0.0, 0.0)
        assert of(CompoundCollider([Sphere(1), Box(1, 1)]), mass).inverse_moments == (0.0, 0.0, 0.0)


def test_a_density_without_volume_or_of_a_mass_out_of_range_is_refused_I1():
    with pytest.raises(ValueError, match=r"^Mass is a density, 3\.0, but its collider has no volume; give the collid"):
        of(OrientedBoxCollider(1, 1, 0), Mass.of(density=3))
    with pytest.raises(ValueError, match=r"but its collider has no area; give the collider a size, or the body a mass"):
        of(CapsuleCollider(0, 1), Mass.of(density=3), flat=True)
    with pytest.raises(
        ValueError, match=r"which is a mass of 4294967296000\.0 for the volume of its collider, 1000\.0"
    ):
        of(OrientedBoxCollider(5, 5, 5), Mass.of(density=2.0**32))
