"""Bodies on a `Path`: lifts and patrols (rule M13)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision import (
    Blocked,
    BoxCollider,
    CollisionWorld,
    Inertia,
    InvalidChanges,
    Mass,
    Motion,
    Moved,
    Path,
    Pushed,
    Static,
    Transform,
    Velocity,
)

STEP = 1 / 64
"""Seconds of a step, as an exact number."""


def a_lift(world: CollisionWorld, points: Any, speed: float = 8, loop: Any = None, **more: Any) -> int:
    """Add a square with a path, by default at its first point."""
    more = {"transform": Transform(*points[0]), "motion": Motion(force=1), **more}
    return world.add(collider=BoxCollider(0.5, 0.5), path=Path(points, speed, loop=loop), **more)


def at(world: CollisionWorld, entity: int) -> tuple[float, float]:
    """Return x and y of a body."""
    return world._bodies.transform(world._bodies.row(entity)).position[:2]


def part(world: CollisionWorld, entity: int, name: str) -> Any:
    """Return a component of a body."""
    return getattr(world._bodies.of(world._bodies.row(entity)), name)


def run(world: CollisionWorld, steps: int, dt: float = STEP) -> None:
    """Run some steps of movement, each with its frame."""
    for _ in range(steps):
        world.step_movement(dt)
        world.step()
        world.check()


def test_a_path_that_ends_moves_by_speed_times_dt_and_stays_at_its_last_point_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (1, 0), (1, -1)])
    found = []
    for _ in range(18):
        run(world, 1)
        found.append(at(world, lift))
    eighths = [each / 8 for each in range(1, 9)]
    assert found[:8] == [(x, 0.0) for x in eighths]
    assert found[8:16] == [(1.0, -y) for y in eighths]
    assert found[16:] == [(1.0, -1.0)] * 2
    assert world.step().quiet


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("back", [(0.5, 0), (1, 0), (1, 0.5), (1, 1), (1, 0.5), (1, 0), (0.5, 0), (0, 0), (0.5, 0)]),
        ("around", [(0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.6464, 0.6464), (0.2929, 0.2929), (0.0858, 0), (0.5858, 0)]),
    ],
)
def test_a_path_goes_back_through_its_points_or_around_M13(loop: str, expected: list[tuple[float, float]]):
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (1, 0), (1, 1)], 8, loop)
    found = []
    for _ in expected:
        run(world, 1, 1 / 16)
        found.append(at(world, lift))
    assert [pytest.approx(each, abs=1e-4) for each in expected] == found


def test_a_body_that_begins_elsewhere_goes_straight_to_the_first_point_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (0, 4)], 16, transform=Transform(0.75, 1))
    run(world, 1, 1 / 16)
    assert at(world, lift) == pytest.approx((0.15, 0.2), abs=1e-4)
    run(world, 1, 1 / 16)
    assert at(world, lift) == pytest.approx((0, 0.75), abs=1e-4)


def test_a_corner_is_not_cut_M13():
    world = CollisionWorld()
    world.add(transform=Transform(1, 1), collider=BoxCollider(0.5, 0.5), static=Static())
    lift = a_lift(world, [(0, 2), (0, 0), (2, 0)], 24)
    run(world, 1, 1 / 8)  # 3 units: up, then to the right above the block
    assert at(world, lift) == (1, 0)


@pytest.mark.once
def test_a_platform_on_a_path_never_drifts_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (3, 4), (0.1, 7.7)], 2.5, "around")
    begin = part(world, lift, "transform").position
    points = part(world, lift, "path").points
    lap = math.fsum(math.dist(a, b) for a, b in zip(points, (*points[1:], points[0]), strict=True))
    for _ in range(2000):
        world.step_movement(lap / 2.5 / 8)
    x, y = at(world, lift)
    assert math.hypot(x - begin[0], y - begin[1]) < 1e-5
    run(world, 1)


def test_a_step_longer_than_a_lap_leaves_whole_laps_out_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (1, 0)], 2.0**14, "back")
    run(world, 1, 1.0)
    assert at(world, lift) == (0, 0)
    run(world, 1, 1 - 2.0**-15)
    assert at(world, lift) == (0.5, 0)


def test_a_path_pushes_by_the_force_of_its_motion_and_reports_it_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (2, 0)], 16, motion=Motion(force=2))
    crate = world.add(transform=Transform(1, 0), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
    world.step_movement(1 / 16)
    events = world.step().events
    assert [Moved, Moved, Pushed] == [type(event) for event in events]
    assert (at(world, lift), at(world, crate)) == ((1, 0), (2, 0))


def test_a_path_that_is_stopped_waits_where_it_is_and_goes_on_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (4, 0)], 16, "back", velocity=Velocity())
    wall = world.add(transform=Transform(2.25, 0), collider=BoxCollider(0.5, 0.5), static=Static())
    run(world, 1, 1 / 16)
    assert at(world, lift) == (1, 0)
    assert part(world, lift, "velocity").x == 16
    for _ in range(3):
        world.step_movement(1 / 16)
        (blocked,) = [event for event in world.step().events if type(event) is Blocked]
        assert (blocked.entity, blocked.blocker) == (lift, wall)
        assert at(world, lift) == (1.25, 0)
        assert part(world, lift, "velocity").x == 0
    world.remove(wall)
    run(world, 1, 1 / 16)
    assert at(world, lift) == (2.25, 0)


def test_a_body_that_something_else_displaced_goes_on_from_there_at_its_speed_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (4, 0)], 16)
    run(world, 1, 1 / 16)
    world.teleport(lift, 4, 2)
    run(world, 1, 1 / 16)
    assert at(world, lift) == (4, 1)
    part(world, lift, "path").points = [(0, 0), (4, 9)]
    run(world, 1, 1 / 16)
    assert at(world, lift) == (4, 2)


def test_a_path_may_get_fewer_points_and_another_loop_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (1, 0), (2, 0)], 16)
    run(world, 2, 1 / 16)
    assert at(world, lift) == (2, 0)
    part(world, lift, "path").loop = "back"
    run(world, 1, 1 / 16)
    assert at(world, lift) == (1, 0)
    run(world, 1, 1 / 16)
    part(world, lift, "path").points = [(0, 3), (0, 9)]
    run(world, 1, 1 / 16)
    assert at(world, lift) == (0, 1)


def test_the_velocity_of_a_body_is_that_of_its_path_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (3, 4)], 10, velocity=Velocity(7, 7, angular=3))
    velocity = part(world, lift, "velocity")
    run(world, 1, 1 / 16)
    assert (velocity.x, velocity.y, velocity.angular) == (6, 8, 3)
    run(world, 16, 1 / 16)
    assert (velocity.x, velocity.y) == (0, 0)
    assert at(world, lift) == (3, 4)


def test_a_body_with_a_path_is_moved_by_no_gravity_and_a_disabled_one_by_nothing_M13():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (1, 0)], 16, velocity=Velocity())
    part(world, lift, "collider").enabled = False
    world.step_movement(1 / 16, gravity=(0, 10))
    assert at(world, lift) == (0, 0)
    part(world, lift, "collider").enabled = True
    world.step_movement(1 / 16, gravity=(0, 10))
    assert at(world, lift) == (1, 0)


def test_paths_go_by_priority_then_by_id_M13():
    world = CollisionWorld()
    late = a_lift(world, [(0, 0), (1, 0)], 16)
    early = a_lift(world, [(2, 0), (1, 0)], 16, motion=Motion(force=1, priority=1))
    run(world, 1, 1 / 16)
    assert (at(world, late), at(world, early)) == ((0, 0), (1, 0))


def test_a_path_is_the_same_for_any_frame_rate_M2():
    worlds = [CollisionWorld() for _ in range(2)]
    lifts = [a_lift(world, [(0, 0), (1, 0.3), (0.2, 2)], 3.3, "around", velocity=Velocity()) for world in worlds]
    for _ in range(50):
        worlds[0].step_movement(1 / 60)
        worlds[0].step()
        worlds[1].step_movement(1 / 60)
    assert at(worlds[0], lifts[0]) == at(worlds[1], lifts[1])


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"motion": None}, r"Path without Motion; add Motion\(force=\.\.\.\)"),
        ({"mass": Mass(1)}, r"Path with Mass; .* remove one"),
        ({"motion": None, "static": Static()}, r"Path with Static; a static body does not move, remove one"),
    ],
)
def test_combinations_that_make_no_sense_are_refused_E8(parts: dict[str, Any], message: str):
    with pytest.raises(InvalidChanges, match=message):
        a_lift(CollisionWorld(), [(0, 0), (1, 0)], **parts)


def test_a_copy_of_a_path_begins_anew_E6():
    world = CollisionWorld()
    lift = a_lift(world, [(0, 0), (4, 0)], 16)
    run(world, 1, 1 / 16)
    path = part(world, lift, "path")
    assert path._progress.target == 1
    assert path.copy()._progress is None
    assert path.copy().points == path.points


def place_at(points: list[tuple[int, int]], loop: str | None, way: Fraction) -> tuple[Fraction, Fraction]:
    """Return the place on a path of lines along the axes after a way, in exact numbers."""
    turn = [*points, points[0]] if loop == "around" else [*points, *points[-2::-1]] if loop == "back" else points
    lengths = [abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(turn)]
    left = min(way, Fraction(sum(lengths))) if loop is None else way % sum(lengths)
    for (start, end), length in zip(pairwise(turn), lengths, strict=True):
        if length and left <= length:
            x, y = (a + (b - a) * left / length for a, b in zip(start, end, strict=True))
            return x, y
        left -= length
    return Fraction(turn[-1][0]), Fraction(turn[-1][1])


@given(
    st.lists(st.tuples(st.booleans(), st.integers(1, 3), st.booleans()), min_size=1, max_size=5),
    st.sampled_from([None, "back", "around"]),
    st.floats(0.01, 300.0),
    st.integers(1, 60),
)
def test_the_place_on_a_path_is_exact_for_any_speed_and_number_of_steps_M13(
    legs: list[tuple[bool, int, bool]], loop: str | None, speed: float, steps: int
):
    points = [(0, 0)]
    for along_x, length, forward in legs:
        by = length if forward else -length
        points.append((points[-1][0] + by * along_x, points[-1][1] + by * (not along_x)))
    if loop == "around":
        points.append((points[-1][0] + 1, points[-1][1]))
        points.append((points[-1][0], -9))
        points.append((0, -9))
    world = CollisionWorld()
    lift = a_lift(world, points, speed, loop)
    for _ in range(steps):
        world.step_movement(1 / 60)
    way = Fraction(round(speed * (1 / 60) * 2**48), 2**48) * steps
    exact = place_at(points, loop, way)
    assert [math.floor(each * 65536 + Fraction(1, 2)) for each in exact] == [
        int(each * 65536) for each in at(world, lift)
    ]
