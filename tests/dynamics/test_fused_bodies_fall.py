"""Fused bodies take part in steps of dynamics as one rigid body (rule I10)."""

from __future__ import annotations

import math
import random
from array import array
from typing import Any

import pytest
from boards import IS_SOAK, seeds, sometimes
from dynamic_worlds import DOWN, INF, a_square, add_dynamic, add_floor, at, restage, run, velocity
from faulty import Failing, Halt, every, failed

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Contact,
    ContactBegan,
    Fused,
    Impact,
    Mass,
    Material,
    OrientedBox,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
)
from ecs_collision.dynamics.landing import Landing
from ecs_collision.dynamics.part_records import quaternion_of
from ecs_collision.shapes.bounds import Shape

PLACES = ((0.0, 0.0), (1.0, 0.0), (0.0, -1.0))
"""Of the bodies of an L, the first of which is the root."""


def add_l(
    world: CollisionWorld, x: float = 0, y: float = 0, *, v: tuple[float, float] = (0, 0), **more: Any
) -> list[int]:
    """Add an L of three fused squares of mass 1, with ids from 10 on."""
    first = 10
    while first in world._bodies.row_of:
        first += 10
    for number, (dx, dy) in enumerate(PLACES):
        parts = {name: part.copy() for name, part in more.items()}
        parts |= {"fused": Fused(first)} if number else {}
        add_dynamic(world, x + dx, y + dy, v=v, id=first + number, **parts)
    return [first, first + 1, first + 2]


def shape_of(world: CollisionWorld, ids: list[int]) -> list[tuple[float, ...]]:
    """Return where the bodies are, relative to the first one."""
    x, y, z = at(world, ids[0])
    return [(at(world, id)[0] - x, at(world, id)[1] - y, at(world, id)[2] - z) for id in ids]


def turning() -> dict[str, Any]:
    """Return the collider of a square that turns."""
    return {"collider": OrientedBoxCollider(0.5, 0.5)}


def momentum(world: CollisionWorld, ids: list[int]) -> tuple[float, float, float]:
    """Return the momentum of squares of mass 1 in the plane, and their angular momentum about the origin."""
    total = [0.0, 0.0, 0.0]
    for id in ids:
        (x, y, _), v = at(world, id), velocity(world, id)
        total[0] += v.x
        total[1] += v.y
        total[2] += x * v.y - y * v.x + v._numbers()[5] / 6
    return (total[0], total[1], total[2])


# Falling and lying.


def test_an_l_of_boxes_falls_and_rests_as_one_I10():
    world = CollisionWorld()
    add_floor(world, 6)
    ids = add_l(world, 0.3, 0)
    lonely = add_dynamic(world, 9, 0)
    before = shape_of(world, ids)
    for _ in range(30):
        run(world, 1)
        assert at(world, lonely)[1] == at(world, ids[0])[1]
        assert before == shape_of(world, ids), "not by one unit of the lattice"
    run(world, 120)
    x, y, _ = at(world, ids[0])
    assert (x, y) == (pytest.approx(0.3, abs=1e-4), pytest.approx(5, abs=0.01))
    assert y < 5
    assert before == shape_of(world, ids)
    assert world.stats.resting == 4
    world.check()


def test_bodies_that_were_fused_in_flight_do_not_part_by_a_unit_I10():
    world = CollisionWorld()
    for number in range(4):
        add_dynamic(world, 3.0 * number, 0, v=(number / 7, number / 3), id=2 + number)
    run(world, 5)
    for id in (3, 4, 5):
        restage(world, id, fused=Fused(2))
    before = shape_of(world, [2, 3, 4, 5])
    for _ in range(20):
        run(world, 1)
        assert before == shape_of(world, [2, 3, 4, 5])


def test_the_group_stops_where_any_member_meets_something_I10():
    world = CollisionWorld(bounds=((-20, -20), (20, 20)))
    world.add(1, transform=Transform(1, 3), collider=BoxCollider(0.5, 0.5), static=Static())
    ids = add_l(world)
    run(world, 200)
    assert [at(world, id)[1] for id in ids] == pytest.approx([2, 2, 1], abs=0.01)
    world.remove(1)
    run(world, 400)
    assert [at(world, id)[1] for id in ids] == pytest.approx([19.5, 19.5, 18.5], abs=0.01)
    world.check()


def a_flight(*, fused: bool, spatial: bool, spin: float) -> list[tuple[float, ...]]:
    """Return where two boxes and a ball are that fall, spin, and hit a floor, fused or as a compound."""
    deep, world = (0.5 if spatial else 0.0), CollisionWorld()
    world.add(1, transform=Transform(0, 5), collider=BoxCollider(20, 0.5, 9 if spatial else 0.5), static=Static())
    boxes = [OrientedBox(0.5, 0.5, offset=(x, 0)) for x in (0, 1)]
    ball = Sphere(0.5, offset=(1, 1, deep))
    weights = (1.0, 1.0, math.pi / (6 if spatial else 4))
    places = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, deep))
    if not fused:
        collider = CompoundCollider([*boxes, ball])
        world.add(10, transform=Transform(0, 0), collider=collider, velocity=Velocity(1, 0, angular=spin),
                  mass=Mass.of(density=2))  # fmt: skip
    else:
        x, y = (sum(w * p[axis] for w, p in zip(weights, places, strict=True)) / sum(weights) for axis in (0, 1))
        for number, (px, py, pz) in enumerate(places):
            world.add(
                10 + number, transform=Transform(px, py, pz), mass=Mass.of(density=2),
                collider=OrientedBoxCollider(0.5, 0.5) if number < 2 else SphereCollider(0.5),
                velocity=Velocity(1 - spin * (py - y), spin * (px - x), angular=spin),
                fused=Fused(10) if number else None,
            )  # fmt: skip
    found = []
    for _ in range(90):
        run(world, 1)
        found.append((*at(world, 10), *quaternion_of(world._bodies.transform(world._bodies.row(10)).rotation)))
    world.check()
    return found


@pytest.mark.parametrize(
    ("spatial", "spin", "error"), [(True, 2, 1e-6), (True, 0, 1e-6), (False, 0, 5e-4), (False, 2, 5e-4)]
)
def test_a_group_falls_like_a_compound_of_the_same_parts_I10(spatial: bool, spin: float, error: float):
    both = zip(*(a_flight(fused=fused, spatial=spatial, spin=spin) for fused in (True, False)), strict=True)
    for group, compound in both:
        assert group == pytest.approx(compound, abs=error)


def test_a_wheel_of_several_bodies_rolls_and_keeps_its_shape_I10():
    world = CollisionWorld()
    world.add(1, transform=Transform(0, 5, rotation=0.3), collider=OrientedBoxCollider(60, 0.5), static=Static())
    inside = (SphereCollider(0.25), OrientedBoxCollider(0.25, 0.125))
    add_dynamic(world, 0, 3, id=10, collider=SphereCollider(1))
    for number, collider in enumerate(inside):
        add_dynamic(world, number - 0.5, 3, id=11 + number, collider=collider, fused=Fused(10))
    run(world, 240)
    x, y, _ = at(world, 10)
    angles = [world._bodies.transform(world._bodies.row(id)).angle for id in (10, 11, 12)]
    assert x > 10
    assert angles[0] > 6, "it turns"
    assert angles == pytest.approx([angles[0]] * 3, abs=1e-9)
    for id, away in ((11, -0.5), (12, 0.5)):
        place = x + away * math.cos(angles[0]), y + away * math.sin(angles[0])
        assert at(world, id)[:2] == pytest.approx(place, abs=1e-4)
    world.check()


@pytest.mark.once
def test_a_group_that_spins_fast_keeps_its_shape_I10():
    world = CollisionWorld()
    for number in range(3):
        x = number - 1.0
        add_dynamic(world, x, 0, id=10 + number, fused=Fused(10) if number else None, **turning())
        velocity(world, 10 + number).angular, velocity(world, 10 + number).y = 15.0, 15 * x
    run(world, 600, dt=1 / 60)
    assert at(world, 11) == pytest.approx((0, 0, 0), abs=1e-4)
    angle = world._bodies.transform(world._bodies.row(10)).rotation
    assert angle == pytest.approx(150)
    assert at(world, 12)[:2] == pytest.approx((math.cos(angle), math.sin(angle)), abs=1e-4)


def test_a_group_with_a_member_that_never_turns_does_not_turn_I10():
    world = CollisionWorld()
    add_floor(world, 6)
    for number, collider in enumerate((SphereCollider(0.5), a_square(), OrientedBoxCollider(0.5, 0.5))):
        add_dynamic(world, 1.0 * number, 0, id=10 + number, collider=collider, fused=Fused(10) if number else None)
        velocity(world, 10 + number).angular = 3.0
    before = shape_of(world, [10, 11, 12])
    run(world, 100)
    assert before == shape_of(world, [10, 11, 12])
    assert all(not world._bodies.transform(world._bodies.row(id)).rotation for id in (10, 11, 12))
    assert not any(velocity(world, 10)._numbers()[3:])


@pytest.mark.parametrize("is_free", [True, False])
def test_landing_moves_or_holds_a_group_as_one_I6_I10(is_free: bool):
    unit, landing = 2**16, Landing()
    landing.set_range((-(2**30),) * 3, (2**30,) * 3)
    landing.reserve(4)
    faces = (-unit, -unit, -unit, unit, unit, unit)
    above = 13 * unit if is_free else 4 * unit - 5  # too low for a group between it and the floor
    places = ((0, 0), (0, 2 * unit - 5), (2 * unit, 2 * unit - 5), (0, above))
    for body, (x, y) in enumerate(places):
        moves = body in (1, 2)
        landing.position[3 * body : 3 * body + 3] = array("q", (x, y, 0))
        landing.old_position[3 * body : 3 * body + 3] = array("q", (x, y + (7 if moves else 99 * body), 0))
        landing.bounds[6 * body : 6 * body + 6] = landing.old_bounds[6 * body : 6 * body + 6] = array("q", faces)
        landing.shapes.append(Shape(((faces, 0, None),)))
        landing.weight[body], landing.size[body], landing.flat[body] = float(moves), 2.0 * unit, 1
    landing.old_shapes.extend(landing.shapes)
    landing.following[1], landing.following[2] = 2, 1
    held = landing.land(4, array("i", (0, 1)), array("i", (1, 3)), 2)
    assert held == (0 if is_free else 2)
    assert [landing.position[3 * body + 1] - 2 * unit for body in (1, 2)] == [1 if is_free else 2] * 2


# Momentum, fusing and unfusing.


def two_groups() -> tuple[CollisionWorld, list[int]]:
    """Return a world with two groups that fly towards each other."""
    world = CollisionWorld()
    ids = add_l(world, -3, 0.25, v=(4, 0), **turning(), material=Material(0.5, 0.5))
    return world, ids + add_l(world, 3, 0, v=(-2, 0.5), **turning(), material=Material(0.5, 0.5))


def test_groups_that_meet_keep_their_momentum_I10():
    world, ids = two_groups()
    before = momentum(world, ids)
    run(world, 120, dt=1 / 60)
    assert momentum(world, ids)[:2] == pytest.approx(before[:2], abs=1e-12)
    assert momentum(world, ids)[2] == pytest.approx(before[2], rel=0.02)
    assert abs(velocity(world, 10).angular) > 0.1, "they have met"


def test_a_ball_bounces_off_the_mass_of_all_members_I10():
    world = CollisionWorld()
    ids = add_l(world, 0, 0, material=Material(1, 0))
    add_dynamic(world, -3, -0.5, v=(4, 0), id=1, collider=SphereCollider(0.5), material=Material(1, 0))
    restage(world, 1, contact=Contact(impacts=1))
    world.step()
    hits = []
    for _ in range(120):
        world.step_dynamics(1 / 60)
        hits += [each for each in world.step().events if isinstance(each, (Impact, ContactBegan))]
    assert velocity(world, 1).x == pytest.approx(-2, rel=1e-3)
    assert [velocity(world, id).x for id in ids] == pytest.approx([2, 2, 2], rel=1e-3)
    assert {each.b for each in hits} == {10}, "the root (C2)"
    assert next(each.impulse for each in hits if isinstance(each, Impact)) == pytest.approx(6, rel=1e-3)


def test_what_is_unfused_flies_on_with_the_velocity_of_its_point_I10():
    world = CollisionWorld()
    ids = [10, 11, 12]
    for id, x, y in ((10, 0.0, 0.0), (11, 3.0, 0.0), (12, 0.0, -3.0)):  # it spins with 2 about (1, -1)
        add_dynamic(world, x, y, v=(3 - 2 * (y + 1), 2 * (x - 1) - 1), id=id, fused=Fused(10) if x or y else None,
                    **turning())  # fmt: skip
        velocity(world, id).angular = 2.0
    before = momentum(world, ids)
    run(world, 20, dt=1 / 60)
    assert momentum(world, ids) == pytest.approx(before, abs=1e-3)
    assert velocity(world, 10).angular == pytest.approx(2)
    restage(world, 11, fused=None)
    place, speed = at(world, 11), velocity(world, 11).copy()
    run(world, 10, dt=1 / 60)
    assert at(world, 11) == pytest.approx((place[0] + speed.x / 6, place[1] + speed.y / 6, 0), abs=1e-4)
    assert momentum(world, ids) == pytest.approx(before, abs=2e-3)
    assert velocity(world, 11).x != velocity(world, 10).x
    world.check()


def test_fusing_in_flight_adds_the_momenta_I10():
    world = CollisionWorld()
    for id, x, v in ((2, 0, 3), (3, 1.5, -1), (4, 3, 1)):
        add_dynamic(world, x, x / 4, v=(v, 0), id=id, **turning())
    before = momentum(world, [2, 3, 4])
    for id in (2, 3):
        restage(world, id, fused=Fused(id + 1))
    run(world, 1, dt=1 / 60)
    assert momentum(world, [2, 3, 4]) == pytest.approx(before, abs=1e-4)
    assert len({velocity(world, id).angular for id in (2, 3, 4)}) == 1
    run(world, 60, dt=1 / 60)
    assert momentum(world, [2, 3, 4]) == pytest.approx(before, abs=1e-3)


def test_an_impulse_on_a_member_moves_and_turns_the_group_I10():
    world = CollisionWorld()
    ids = add_l(world, **turning())
    world.apply_impulse(11, (0, 3))
    run(world, 1, dt=1 / 60)
    assert momentum(world, ids) == pytest.approx((0, 3, 3), abs=1e-3)
    assert velocity(world, 10).angular == pytest.approx(2 / (3 / 6 + 4 / 3), rel=1e-3)


def test_gravity_and_damping_of_members_count_by_their_masses_I10():
    world = CollisionWorld()
    add_dynamic(world, 0, 0, id=2, velocity=Velocity(gravity=-1, damping=3))
    add_dynamic(world, 1, 0, id=3, mass=Mass(2), fused=Fused(2))
    run(world, 1, dt=1 / 60, gravity=(0, 10), substeps=1)
    assert velocity(world, 3).y == velocity(world, 2).y == pytest.approx(10 / 3 / 60 / (1 + 1 / 60))


# Who takes part.


@pytest.mark.parametrize("parts", [{"mass": None}, {"velocity": None}, {"mass": Mass(INF)}], ids=str)
def test_a_member_that_is_not_dynamic_keeps_the_group_from_moving_I10(parts: dict[str, Any]):
    world = CollisionWorld()
    ids = add_l(world)
    run(world, 3)
    place, others = at(world, 10), {"mass": Mass(1), "velocity": Velocity()}
    restage(world, 12, **{name: None if part is None else part.copy() for name, part in parts.items()})
    run(world, 3)
    assert at(world, 10) == place
    with pytest.raises(ValueError, match="entity 11 takes no impulse: it is fused to entity 12, which does not move"):
        world.apply_impulse(11, (1, 0))
    restage(world, 12, **{name: others[name] for name in parts})
    run(world, 3)
    assert at(world, 10) != place
    assert shape_of(world, ids) == [(x, y, 0) for x, y in PLACES]
    world.check()


def test_a_group_whose_member_loses_its_mass_stops_I10():
    world = CollisionWorld()
    ids = [add_dynamic(world, x, 0) for x in range(2)]
    restage(world, ids[1], fused=Fused(ids[0]))
    run(world, 1)
    restage(world, ids[0], mass=None)
    world.check()
    run(world, 1)
    assert 0 == world.stats.simulated


def test_members_meet_by_their_own_filters_I10_P14():
    world = CollisionWorld()
    add_floor(world, 6)
    ghost = {"collider": BoxCollider(0.5, 0.5, layer="ghost", mask={"ghost"})}
    add_dynamic(world, 0, 0, id=2)
    add_dynamic(world, 0, 1, id=3, fused=Fused(2), **ghost)
    run(world, 200)
    assert at(world, 2)[1] == pytest.approx(5, abs=0.01)
    assert at(world, 3)[1] == pytest.approx(6, abs=0.01)


@pytest.mark.parametrize("deep", [0, 0.25])
def test_a_trigger_that_is_fused_is_taken_along_I10(deep: float):
    world = CollisionWorld()
    add_dynamic(world, 0, 0, id=2, collider=SphereCollider(0.5), velocity=Velocity(3, angular=math.pi))
    world.add(3, transform=Transform(2, 0, deep), collider=OrientedBoxCollider(0.25, 0.5), trigger=Trigger(),
              fused=Fused(2))  # fmt: skip
    world.add(4, transform=Transform(1, 0), collider=BoxCollider(0.25, 0.25), trigger=Trigger(), fused=Fused(3))
    world.add(5, transform=Transform(0, 9, deep), collider=SphereCollider(0.5), velocity=Velocity(), mass=Mass(1))
    if deep:  # it is near, so that the step is not flat
        world.teleport(5, 0.5, 1.25, deep)
    run(world, 30, dt=1 / 60)
    assert at(world, 2) == pytest.approx((1.5, 0, 0), abs=1e-3)
    assert at(world, 3) == pytest.approx((1.5, 2, deep), abs=1e-3)
    assert at(world, 4) == pytest.approx((1.5, 1, 0), abs=1e-3)
    with pytest.raises(ValueError, match=r"entity 4 takes no impulse.*add Velocity"):
        world.apply_impulse(4, (1, 0))
    restage(world, 4, velocity=Velocity(), mass=Mass(1))
    with pytest.raises(ValueError, match=r"which take a Trigger along .*give it to one of them"):
        world.apply_impulse(4, (1, 0))
    turn = world._bodies.transform(world._bodies.row(3)).rotation
    assert quaternion_of(turn) == pytest.approx((0, 0, math.sqrt(0.5), math.sqrt(0.5)), abs=1e-4)
    world.check()


# Sleep, snapshots and undo.


def a_pile() -> CollisionWorld:
    """Return a world with a floor and groups of all kinds that fall, and a ball of which some will be fused."""
    world = CollisionWorld()
    add_floor(world, 6)
    add_l(world, 0, 3)
    add_l(world, 0.5, 0, **turning(), material=Material(0.25, 0.5))
    add_l(world, 3, 0, collider=SphereCollider(0.5))
    add_dynamic(world, -4, 0, id=5)
    return world


def test_a_group_sleeps_and_wakes_as_one_I7_I10():
    world = a_pile()
    run(world, 900)
    assert world.stats.resting == 10
    data, other = world.snapshot(), a_pile()
    other.restore(data)
    for each in (world, other):
        run(each, 1)
        assert each.stats.resting == 10
        each.apply_impulse(31, (0, -1))
        run(each, 1)
        assert each.stats.resting == 1, "the groups lie on each other"
        each.check()
    assert world.snapshot() == other.snapshot()


@pytest.mark.parametrize("is_restored", [False, True])
def test_a_restored_group_wakes_as_one_I7_I10(is_restored: bool):
    world = CollisionWorld()
    add_floor(world, 6)
    for id, x in ((10, 0), (11, 3), (12, 6)):  # too far from each other to wake as neighbours
        add_dynamic(world, x, 4.99, id=id, fused=Fused(10) if x else None)
    run(world, 90)
    assert world.stats.resting == 3
    if is_restored:
        world.restore(world.snapshot())
        run(world, 1)
    world.apply_impulse(12, (0, -6))
    run(world, 10)
    assert world.stats.resting == 0
    assert at(world, 10)[1] < 4.9
    assert shape_of(world, [10, 11, 12]) == [(0, 0, 0), (3, 0, 0), (6, 0, 0)]
    world.check()


@pytest.mark.parametrize("frames", sometimes([20, 50, 90, 200], [50, 90]))
def test_the_futures_of_groups_after_a_restore_are_the_same_I8_I10(frames: int):
    world, other = a_pile(), a_pile()
    run(world, frames)
    other.restore(world.snapshot())
    for frame in range(60):
        if frame == 20:
            for each in (world, other):
                restage(each, 11, fused=None)
                restage(each, 5, fused=Fused(21))
        run(world, 1)
        run(other, 1)
        assert world.snapshot() == other.snapshot()
        if frame == 40:
            other.restore(other.snapshot())
    other.check()


def test_a_step_that_fails_leaves_groups_where_they_were_I5_I10():
    fails = False

    def can_meet(_: int, __: int) -> bool:
        if fails:
            raise Halt
        return True

    world = CollisionWorld(can_meet=can_meet)
    add_floor(world, 6)
    add_l(world, 0, 4.95, **turning())
    world.add(5, transform=Transform(1, 1), collider=SphereCollider(0.25), trigger=Trigger(), fused=Fused(10))
    run(world, 5)
    for _ in range(20):
        before, fails = world.snapshot(), True
        with pytest.raises(Halt):
            world.step_dynamics(**DOWN)
        fails = False
        assert before == world.snapshot()
        run(world, 1)
    world.check()


def a_tumble(start: bytes = b"") -> CollisionWorld:
    """Return a world in which a group with a trigger turns and is about to hit a group that sleeps, from a snapshot."""
    world = CollisionWorld()
    add_floor(world, 6)
    add_l(world, 0, 4.99)
    if not start:
        run(world, 90)
        assert world.stats.resting == 3
    add_l(world, 0.5, 2.3, v=(0, 9), **turning())
    world.add(5, transform=Transform(1, 1), collider=OrientedBoxCollider(0.25, 1), trigger=Trigger(), fused=Fused(20))
    velocity(world, 21).angular = 5.0
    world.restore(start) if start else run(world, 3)
    return world


@pytest.mark.once
def test_a_step_of_groups_that_fails_at_any_call_leaves_no_trace_I5_I10():
    """At every fourth call, and at all in a soak; steps of single bodies fail at all in each run."""

    def future(world: CollisionWorld) -> bytes:
        run(world, 4)
        return world.snapshot()

    undone, done = a_tumble(), a_tumble()
    done.step_dynamics(**DOWN)
    futures = [future(world) for world in (undone, done)]
    assert undone.stats.resting == 0, "the hit has woken the group"
    start = a_tumble().snapshot()
    for failing in every(Failing, Halt, step=1 if IS_SOAK else 4):
        world = a_tumble(start)
        failed(lambda world=world: world.step_dynamics(**DOWN), failing)
        world.check()
        assert future(world) in futures, failing.place


@pytest.mark.parametrize("seed", seeds(6))
def test_groups_in_a_pile_do_not_overlap_others_I6_I10(seed: int):
    world, r = CollisionWorld(bounds=((-6, -30), (6, 8))), random.Random(seed)
    for number in range(8):
        kind = r.choice([{}, turning(), {"collider": SphereCollider(0.5)}])
        add_l(world, r.uniform(-4, 4), -4.0 * number + 6, v=(r.uniform(-9, 9), 20), **kind)
    for _ in range(150):
        run(world, 1)
        assert not [pair for pair in world.space.pairs() if pair[0] // 10 != pair[1] // 10]
    world.check()
