"""The step of dynamics against closed forms (rules I1 to I6)."""

from __future__ import annotations

import math

import pytest
from impulse_worlds import UNIT, add, ball, cube, floor, run, state

from ecs_collision import BoxCollider, CollisionWorld, Inertia, Motion, OrientedBoxCollider, Trigger
from ecs_collision.dynamics.soft_step import SLOP

GRAVITY = (0.0, 10.0)
G = 10.0
SHAPES = {"ball": ball(), "box": BoxCollider(0.5, 0.5), "turning box": OrientedBoxCollider(0.5, 0.5)}


def near(value: float, by: float = 1e-9) -> object:
    return pytest.approx(value, rel=0, abs=by)


@pytest.mark.parametrize("substeps", [1, 4])
def test_free_fall_adds_gravity_before_it_moves_I2(substeps):
    world = CollisionWorld()
    body = add(world, (0, 0), mass=3.0, velocity=(1.25, -4.0))
    h = 1 / (60 * substeps)
    for frame in range(1, 121):
        world.step_dynamics(1 / 60, gravity=GRAVITY, substeps=substeps)
        n = frame * substeps
        assert (near(1.25), near(-4 + G * h * n), 0.0) == body.velocity
        assert near(1.25 * h * n, UNIT) == body.position[0]
        assert near(h * (-4 * n) + G * h * h * n * (n + 1) / 2, UNIT) == body.position[1]


def test_a_speed_below_the_lattice_still_moves_in_time_I5():
    world = CollisionWorld()
    body = add(world, (0, 0), mass=1.0, velocity=(0.06, 0.0))
    slow = add(world, (0, 5), mass=1.0, velocity=(UNIT / 2, 0.0))
    for frame in range(1, 1001):
        world.step_dynamics(1 / 1000)
        assert near(0.06 * frame / 1000, 0.5001 * UNIT) == body.position[0]
    assert 0.0 == slow.velocity[0], "what is slower than the speed of sleep for half a second sleeps"


def test_a_trigger_with_a_mass_moves_and_meets_nothing_I1():
    world = CollisionWorld()
    body = add(world, (0, 0), mass=1.0, velocity=(60.0, 0.0), trigger=Trigger())
    add(world, (3, 0), static=True)
    run(world, 10)
    assert 10.0 == body.position[0]


# Bounces.


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("bounce", [0.0, 0.25, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("collider", SHAPES.values(), ids=SHAPES)
def test_a_bounce_gives_back_the_share_of_the_speed_I4(bounce, substeps, collider):
    world = CollisionWorld()
    body = add(world, (0.25, -3.3), collider.copy(), mass=2.0, bounce=bounce)
    floor(world)
    before = 0.0
    for _ in range(60):
        world.step_dynamics(1 / 60, gravity=GRAVITY, substeps=substeps)
        speed = body.velocity[1]
        if speed < before:
            break
        before = speed
    hit = math.sqrt(2 * G * 2.8)
    assert before == near(hit, 3 * G / 60)
    if bounce:
        assert -speed == near(bounce * hit, 3 * G / 60)
    else:
        run(world, 20, gravity=GRAVITY, substeps=substeps)
        assert body.velocity[1] == near(0.0, 0.01)
    assert near(0.25, 0.05) == body.position[0]
    if substeps > 1:
        assert near(0.0, 0.01 * hit) == body.velocity[0], "it hardly turns, so it is hardly rubbed"


@pytest.mark.parametrize(("mine", "other"), [(0.5, 0.0), (0.0, 0.5), (0.25, 0.5)])
def test_the_larger_restitution_counts_I1(mine, other):
    world = CollisionWorld()
    body = add(world, (0, -2), mass=1.0, bounce=mine, velocity=(0.0, 60.0))
    floor(world, bounce=other)
    world.step_dynamics(1 / 30)
    assert near(-30.0, 1e-3) == body.velocity[1]


@pytest.mark.parametrize("speed", [20.0, 900.0, 9000.0])
@pytest.mark.parametrize("collider", SHAPES.values(), ids=SHAPES)
def test_a_fast_body_does_not_tunnel_I2(collider, speed):
    world = CollisionWorld()
    body = add(world, (0, 0), collider.copy(), mass=1.0, velocity=(speed, 3.0), friction=0.0)
    add(world, (30, 0), BoxCollider(0.01, 50), static=True)
    run(world, 120)
    assert 29.4 < body.position[0] <= 29.49
    assert near(0.0, 0.02) == body.velocity[0]


# Friction.


@pytest.mark.parametrize("friction", [(0.5, 0.5), (0.25, 1.0), (0.04, 1.0)])
@pytest.mark.parametrize("mass", [0.25, 40.0])
def test_the_sliding_distance_under_friction_I3(friction, mass):
    world = CollisionWorld()
    crate = add(world, (0, -0.5 - SLOP), mass=mass, velocity=(3.0, 0.0), friction=friction[0])
    floor(world, friction=friction[1])
    mu = math.sqrt(friction[0] * friction[1])
    time = 3.0 / (mu * G)
    run(world, round(60 * time / 2), gravity=GRAVITY)
    assert near(1.5, 0.06) == crate.velocity[0]
    run(world, round(60 * time / 2) + 40, gravity=GRAVITY)
    assert 3.0 * time / 2 == pytest.approx(crate.position[0], rel=0.02, abs=0.02)
    assert (0.0, 0.0, 0.0) == crate.velocity


@pytest.mark.parametrize(("across", "holds"), [(4.9, True), (5.1, False)])
def test_a_slope_of_pressure_holds_a_crate_below_the_limit_I3(across, holds):
    """Gravity that leans: friction holds as long as its share across is below friction times its share down."""
    world = CollisionWorld()
    crate = add(world, (0, -0.5 - SLOP), mass=2.0)
    floor(world)
    run(world, 100, gravity=(across, 10.0))
    assert holds == (abs(crate.position[0]) < 0.001)
    assert holds == (crate.velocity == (0.0, 0.0, 0.0))


@pytest.mark.parametrize("speed", [2.0, -2.0])
def test_a_conveyor_belt_carries_a_crate_with_its_speed_I1(speed):
    world = CollisionWorld()
    crate = add(world, (0, -0.5 - SLOP), mass=5.0)
    belt = floor(world, velocity=(speed, 0.0))
    run(world, 12, gravity=GRAVITY)
    assert math.copysign(1.0, speed) == pytest.approx(crate.velocity[0], rel=0.05), "0.5 * G for 0.2 seconds"
    run(world, 108, gravity=GRAVITY)
    assert near(speed, 1e-3) == crate.velocity[0]
    assert ((0.0, 1.0, 0.0), (speed, 0.0, 0.0)) == (belt.position, belt.velocity)


# Collisions of two bodies; those askew and with friction are in `test_impulse_oracle`.

AXES = {"1D": (1.0, 0.0, 0.0), "2D": (0.0, -1.0, 0.0), "3D": (0.0, 0.0, 1.0)}


@pytest.mark.parametrize("axis", AXES.values(), ids=AXES)
@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("ratio", [1.0, 1000.0])
@pytest.mark.parametrize("collider", [cube(0.5), ball(0.5)], ids=["cube", "ball"])
def test_a_central_collision_of_two_bodies_I3_I4(axis, bounce, ratio, collider):
    for v1, v2 in ((4.0, 0.5), (3.0, -2.0), (1.0, 0.25)):
        world = CollisionWorld()
        one = add(world, (0, 0, 0), collider.copy(), mass=0.5, velocity=[v1 * a for a in axis], bounce=bounce)
        two = add(world, [2 * a for a in axis], collider.copy(), mass=0.5 * ratio, velocity=[v2 * a for a in axis],
                  bounce=bounce)  # fmt: skip
        run(world, 120)
        common, change = (v1 + ratio * v2) / (1 + ratio), bounce * (v1 - v2) / (1 + ratio)
        for body, speed in ((one, common - ratio * change), (two, common + change)):
            assert tuple(near(speed * a, 1e-3) for a in axis) == body.velocity
            assert all(a or not p for a, p in zip(axis, body.position, strict=True))
        if bounce == 0.0:
            apart = sum(a * (q - p) for a, p, q in zip(axis, one.position, two.position, strict=True))
            assert 1.0 < apart < 1.0 + 2 * SLOP, "they go on together"


def test_the_last_of_a_row_of_equal_balls_takes_the_speed_of_the_first_I4():
    world = CollisionWorld()
    row = [add(world, (2 * x, 0), ball(), mass=1.0, velocity=(6.0 * (x == 0), 0), bounce=1.0) for x in range(5)]
    run(world, 120)
    assert [0, 0, 0, 0, 6] == pytest.approx([body.velocity[0] for body in row], abs=1e-3)


# Overlaps, and what is left alone.


@pytest.mark.parametrize(("masses", "share"), [((1.0, None), 1.0), ((1.0, 1.0), 0.5), ((1.0, 3.0), 0.75)])
@pytest.mark.parametrize("collider", SHAPES.values(), ids=SHAPES)
def test_bodies_that_overlap_are_moved_apart_by_the_shares_of_their_masses_I6(masses, share, collider):
    world = CollisionWorld()
    places = zip((0, 0.75), masses, strict=True)
    one, two = (add(world, (x, 0.125), collider.copy(), mass=mass) for x, mass in places)
    while world.space.overlap_depth(one.id, two.id):
        run(world, 1)
    assert 1.0 <= two.position[0] - one.position[0] < 1.0 + 4 * SLOP
    assert -0.25 * share == near(one.position[0], 4 * SLOP)
    assert [0.0] * 4 == pytest.approx([*one.velocity[:2], *two.velocity[:2]], abs=0.5), "hardly any speed comes of it"


def test_immovable_bodies_that_overlap_and_pairs_that_part_are_left_alone_I3_I6():
    world = CollisionWorld()
    fixed = [add(world, (0.25 * n, 0), static=n % 2 == 0) for n in range(4)]
    parting = [add(world, (x, 9), mass=1.0 + x, velocity=(x - 20.5, 0.0), bounce=1.0) for x in (20, 21)]
    heavy = [add(world, (x, -9), mass=math.inf, velocity=(v, 0.0)) for x, v in ((0, 3.0), (1.5, -3.0))]
    before = state([*fixed, *heavy])
    run(world, 60)
    assert before == state([*fixed, *heavy])
    assert [(-0.5, 0.0, 0.0), (0.5, 0.0, 0.0)] == [body.velocity for body in parting]
    assert [near(19.5, UNIT), near(21.5, UNIT)] == [body.position[0] for body in parting]


def test_bodies_that_push_and_are_pushed_are_left_alone_I1():
    world = CollisionWorld()
    player = add(world, (0, 0), motion=Motion(force=2))
    crate = add(world, (1, 0), inertia=Inertia(1))
    falling = add(world, (1, -3), mass=1.0)
    for _ in range(120):
        world.step_dynamics(1 / 60, gravity=GRAVITY)
        world.request(player.id, 1 / 64)
        world.step()
        assert not world.space.overlap_depth(crate.id, falling.id)
    assert [(1.875, 0.0, 0.0), (2.875, 0.0, 0.0)] == [player.position, crate.position]
    assert near(-1.0, 2 * SLOP) == falling.position[1]


def test_bodies_that_may_not_meet_pass_through_each_other_I1():
    world = CollisionWorld()
    ghost = add(world, (0, 0), BoxCollider(0.5, 0.5, layer="ghost"), mass=1.0, velocity=(6.0, 0.0))
    crate = add(world, (2, 0), BoxCollider(0.5, 0.5, mask="other"), mass=1.0)
    add(world, (4, 0), BoxCollider(0.5, 0.5, mask="other"), static=True)
    run(world, 60)
    assert ((near(6.0, UNIT), 0.0, 0.0), (6.0, 0.0, 0.0)) == (ghost.position, ghost.velocity)
    assert ((2.0, 0.0, 0.0), (0.0, 0.0, 0.0)) == (crate.position, crate.velocity)


@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
def test_the_bounds_of_a_world_are_walls_with_the_restitution_of_the_body_I5(bounce):
    world = CollisionWorld(bounds=((-4, -4), (4, 4)))
    body = add(world, (0, 0), mass=2.0, velocity=(6.0, 1.0), bounce=bounce)
    for _ in range(60):
        run(world, 1)
        assert body.position[0] <= 3.5
    assert (near(-6.0 * bounce, 0.02), near(1.0)) == body.velocity[:2], "the wall does not rub"
    assert near(1.0, UNIT) == body.position[1]
