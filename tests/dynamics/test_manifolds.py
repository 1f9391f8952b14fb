"""Contacts of two parts, against a slow oracle: corners to boxes and edges to edges, all of them (rule I2)."""

import itertools
import math
import random
from array import array

import numpy as np
import pytest
from boards import trials

from ecs_collision.dynamics.manifolds import Manifold

UPRIGHT = np.eye(3)
FAR = 100.0


def about_z(angle):
    return np.array([[math.cos(angle), math.sin(angle), 0], [-math.sin(angle), math.cos(angle), 0], [0, 0, 1.0]])


def turn(rng, angle=None):
    """Return the rows of axes of a random rotation, or a small one."""
    x, y, z = (rng.gauss(0, 1) for _ in range(3))
    length = math.sqrt(x * x + y * y + z * z)
    half = (rng.uniform(0, 6) if angle is None else angle) / 2
    x, y, z, w = (*(each / length * math.sin(half) for each in (x, y, z)), math.cos(half))
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
            [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
            [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


class Part:
    """A part at a place of the world."""

    def __init__(self, halves, radius=0.0, axes=UPRIGHT, place=(0, 0, 0)):
        self.halves, self.radius, self.axes = np.array(halves, float), radius, np.array(axes, float)
        self.place = np.array(place, float)

    def numbers(self):
        return [0.0, 0.0, 0.0, *self.halves, self.radius, *self.axes.ravel()]

    def corners(self, flat):
        signs = itertools.product((-1, 1), (-1, 1), (0,) if flat else (-1, 1))
        return [self.place + (self.halves * each) @ self.axes for each in signs]

    def edges(self):
        """Yield the middles of the edges and half their vectors."""
        for axis, *signs in itertools.product(range(3), (-1, 1), (-1, 1)):
            if self.halves[axis]:
                signs.insert(axis, 0)
                yield self.place + (self.halves * signs) @ self.axes, self.halves[axis] * self.axes[axis]

    def nearest(self, point):
        local = self.axes @ (point - self.place)
        return self.place + np.clip(local, -self.halves, self.halves) @ self.axes

    def support(self, direction, flat):
        return max(float(corner @ direction) for corner in self.corners(flat)) + self.radius


def distance(a, b, flat):
    """Return the distance of two cores, 0.0 if they overlap."""
    found = [np.linalg.norm(p - b.nearest(p)) for p in a.corners(flat)]
    found += [np.linalg.norm(p - a.nearest(p)) for p in b.corners(flat)]
    if not flat:
        for (p, u), (q, v) in itertools.product(a.edges(), b.edges()):
            matrix = np.array([[u @ u, -u @ v], [-u @ v, v @ v]])
            if abs(np.linalg.det(matrix)) > 1e-12:
                s, t = np.linalg.solve(matrix, [(q - p) @ u, (p - q) @ v])
                if abs(s) <= 1 and abs(t) <= 1:
                    found.append(np.linalg.norm(p + s * u - q - t * v))
    return 0.0 if gap_of(a, b, flat) <= 0 else float(min(found))


def directions(a, b, flat):
    axes = [*a.axes[: 2 if flat else 3], *b.axes[: 2 if flat else 3]]
    if not flat:
        crossed = [np.cross(p, q) for p in a.axes for q in b.axes]
        axes += [each / np.linalg.norm(each) for each in crossed if np.linalg.norm(each) > 1e-6]
    return [sign * each for each in axes for sign in (-1, 1)]


def gap_along(a, b, direction, flat):
    return -b.support(-direction, flat) - a.support(direction, flat)


def gap_of(a, b, flat):
    """Return the largest gap of the cores along an axis."""
    return max(gap_along(a, b, each, flat) for each in directions(a, b, flat)) + a.radius + b.radius


def collide(a, b, flat=False, margin=FAR):
    manifold = Manifold()
    count = manifold.collide(array("d", a.numbers() + b.numbers()), 0, 1, *(b.place - a.place), margin, flat)
    points = [np.array(manifold.points[3 * k : 3 * k + 3]) + a.place for k in range(count)]
    normal = np.array([manifold.nx, manifold.ny, manifold.nz])
    return normal, points, list(manifold.separations[:count]), list(manifold.features[:count])


KINDS = ["ball", "capsule", "box", "upright", "round box"]


def some_part(rng, kind, flat, near=3.0):
    place = [rng.uniform(-near, near) for _ in range(3)]
    axes = about_z(rng.uniform(-4, 4)) if flat else turn(rng)
    if flat:
        place[2] = 0.0
    radius = rng.choice([0.1, 0.5, 1.0]) if kind in ("ball", "capsule", "round box") else 0.0
    halves = [rng.choice([0.25, 0.5, 1.0, 2.0]) for _ in range(3)]
    if kind == "capsule":
        halves = [0.0, halves[1], 0.0]
    elif kind == "ball":
        halves, axes = [0.0] * 3, UPRIGHT
    return Part(halves, radius, UPRIGHT if kind == "upright" else axes, place)


def check(a, b, flat):
    """Compare the contact of a pair with the oracle."""
    normal, points, separations, features = collide(a, b, flat)
    assert points and len(points) <= (2 if flat else 4)
    assert len(set(features)) == len(features)
    assert 1 == pytest.approx(float(np.linalg.norm(normal)), abs=1e-12)
    assert not flat or normal[2] == 0.0
    least, radii = min(separations), a.radius + b.radius
    true = distance(a, b, flat)
    if true > 1e-6:
        assert true - radii == pytest.approx(least, abs=0.021 * true)
        assert gap_along(a, b, normal, flat) == pytest.approx(true - radii, abs=0.06 * true)
        for point, separation in zip(points, separations, strict=True):
            # Midway between the surfaces: from there it leads to both cores along the normal.
            on_a = point - (separation / 2 + a.radius) * normal
            on_b = point + (separation / 2 + b.radius) * normal
            off = max(np.linalg.norm(on_a - a.nearest(on_a)), np.linalg.norm(on_b - b.nearest(on_b)))
            assert off < 1e-9 + (0.021 if separation == least else 0.2) * (separation + radii)
    else:
        best = gap_of(a, b, flat) - radii
        assert gap_along(a, b, normal, flat) >= 1.06 * best - 0.02
        assert least <= 1e-9 - radii
    return normal


@pytest.mark.parametrize(("first", "second"), [*itertools.product(KINDS, KINDS)])
@pytest.mark.parametrize("flat", [True, False])
def test_contacts_of_random_parts_are_those_of_the_oracle_I2(first, second, flat):
    rng = random.Random(f"{first}{second}{flat}")
    for _ in range(max(trials(50), 15)):
        check(some_part(rng, first, flat), some_part(rng, second, flat), flat)


@pytest.mark.parametrize("flat", [True, False])
def test_a_small_motion_changes_little_and_keeps_the_features(flat):
    rng = random.Random(flat)
    kept = total = 0
    for _ in range(400):
        kinds = rng.choice(KINDS[1:3]), rng.choice(KINDS[1:])
        a, b = some_part(rng, kinds[0], flat, 1.0), some_part(rng, kinds[1], flat, 1.0)
        normal, points, separations, features = collide(a, b, flat, 0.5)
        small = about_z(1e-7) if flat else turn(rng, 1e-7)
        moved = Part(b.halves, b.radius, b.axes @ small, b.place + np.array([1e-7, -1e-7, 0]))
        if not points or kinds[1] == "upright":
            continue
        after, others, changed, names = collide(a, moved, flat, 0.5)
        total += 1
        if names == features and float(normal @ after) > 0.999:
            kept += 1
            assert np.abs(normal - after).max() < 1e-5
            assert np.abs(np.array(separations) - changed).max() < 1e-5
            assert np.abs(np.array(points) - others).max() < 1e-4
    assert total > 200
    assert kept > 0.98 * total


@pytest.mark.parametrize("flat", [True, False])
def test_the_contact_is_the_same_seen_from_the_other_part(flat):
    rng = random.Random(flat)
    for first, second in itertools.product(KINDS, KINDS):
        a, b = some_part(rng, first, flat), some_part(rng, second, flat)
        if distance(a, b, flat) > 0.0:
            there, back = collide(a, b, flat), collide(b, a, flat)
            assert min(there[2]) == pytest.approx(min(back[2]), abs=0.021 * (min(there[2]) + a.radius + b.radius))
            assert float(there[0] @ back[0]) < -0.9


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 1e-3, -1e-3])
@pytest.mark.parametrize("flat", [True, False])
def test_a_box_on_a_box_has_all_its_points_at_once(angle, flat):
    below = Part((0.5, 0.5, 0.5))
    for place, end in ((0.0, 0.5), (0.3, 0.5), (1e-9, 0.5), (-0.3, 0.2)):
        above = Part((0.5, 0.5, 0.5), 0.0, about_z(angle), (place, 1.004, 0.0))
        normal, points, separations, _ = collide(below, above, flat, 0.1)
        assert (2 if flat else 4) == len(points)
        assert [0.004] * len(points) == pytest.approx(separations, abs=2e-3)
        assert [0, 1, 0] == pytest.approx(list(normal), abs=2e-3)
        assert end == pytest.approx(max(point[0] for point in points), abs=1e-2)


@pytest.mark.parametrize("angle", [0.0, 1e-6, 1e-3])
@pytest.mark.parametrize("flat", [True, False])
def test_a_capsule_lies_on_two_points(angle, flat):
    capsule = Part((0.5, 0, 0), 0.25, about_z(angle), (0.2, 0.755, 0.0))
    for other in (Part((3, 0.5, 0.5)), Part((0.5, 0.5, 0.5)), Part((0.5, 0, 0), 0.5), Part((0.25, 0, 0), 0.5)):
        normal, points, separations, features = collide(other, capsule, flat, 0.1)
        assert (2, 2) == (len(points), len(set(features)))
        assert [0.005] * 2 == pytest.approx(separations, abs=1e-3)
        assert [0, 1, 0] == pytest.approx(list(normal), abs=2e-3)


def test_a_box_turned_by_an_eighth_on_a_box_has_the_four_outermost_points():
    below, above = Part((0.5, 0.5, 0.5)), Part((0.5, 0.5, 0.5), 0.0, about_z(math.pi / 4), (0, 0, 0.999))
    _, points, separations, _ = collide(below, above)
    assert [-0.001] * 4 == pytest.approx(separations)
    assert 2 * 0.5 * 0.414 < max(np.linalg.norm(p - q) for p, q in itertools.combinations(points, 2))
    assert 0.2 > np.linalg.norm(np.mean(points, axis=0)[:2]), "on all sides"


@pytest.mark.parametrize("flat", [True, False])
def test_parts_farther_apart_than_the_margin_have_no_contact(flat):
    rng = random.Random(7)
    for first, second in itertools.product(KINDS, KINDS):
        a, b = some_part(rng, first, flat), some_part(rng, second, flat)
        apart = distance(a, b, flat)
        assert not apart or not collide(a, b, flat, 0.97 * apart - a.radius - b.radius)[1]


@pytest.mark.parametrize("kinds", list(itertools.product(KINDS, KINDS)))
def test_parts_in_one_place_have_a_way_out(kinds):
    rng = random.Random(str(kinds))
    for flat in (True, False):
        a, b = (some_part(rng, kind, flat, 0.0) for kind in kinds)
        normal, points, separations, _ = collide(a, b, flat)
        assert points
        assert 1 == pytest.approx(float(np.linalg.norm(normal)))
        assert min(separations) <= 0
