"""The step of dynamics against closed forms of its documented scheme (rules I1 to I6)."""

from __future__ import annotations

import math

import pytest
from impulse_worlds import UNIT, add, ball, cube, floor, run, state

from ecs_collision import BoxCollider, CollisionWorld, Trigger

GRAVITY = (0.0, 10.0)
G = 10.0
NEAR = 1e-9
"""How exact velocities are."""


def near_place(place: float) -> object:
    """Return what a coordinate must be: the exact place, up to one unit of the lattice."""
    return pytest.approx(place, rel=0, abs=UNIT)


def near_speed(speed: float) -> object:
    return pytest.approx(speed, rel=0, abs=NEAR)


# Free flight.


@pytest.mark.parametrize("substeps", [1, 4])
def test_free_fall_adds_gravity_before_it_moves_I2(substeps):
    world = CollisionWorld()
    body = add(world, (0, 0), mass=3.0, velocity=(1.25, -4.0))
    h = 1 / (60 * substeps)
    for frame in range(1, 121):
        world.step_dynamics(1 / 60, gravity=GRAVITY, substeps=substeps)
        n = frame * substeps
        assert (near_speed(1.25), near_speed(-4 + G * h * n), 0.0) == body.velocity
        assert near_place(1.25 * h * n) == body.position[0]
        assert near_place(h * (-4 * n) + G * h * h * n * (n + 1) / 2) == body.position[1]


def test_a_speed_below_the_lattice_still_moves_in_time_I5():
    world = CollisionWorld()
    body = add(world, (0, 0), mass=1.0, velocity=(0.001, 0.0))
    for frame in range(1, 1001):
        world.step_dynamics(1 / 60)
        assert pytest.approx(0.001 * frame / 60, rel=0, abs=0.5001 * UNIT) == body.position[0]


def test_a_trigger_with_a_mass_moves_and_meets_nothing_I1():
    world = CollisionWorld()
    body = add(world, (0, 0), mass=1.0, velocity=(60.0, 0.0), trigger=Trigger())
    add(world, (3, 0), static=True)
    run(world, 10)
    assert 10.0 == body.position[0]


# Bounces.


def flights(drop: float, bounce: float, h: float, substeps: int) -> list[tuple[float, float]]:
    """Return (height, speed upwards) after each substep of a ball that falls from rest, by the closed form.

    A flight that begins with the speed u is at h * (n * u - G * h * n * (n + 1) / 2) after n substeps. The substep in
    which that would be below 0 ends on the floor, and the next flight begins with a share of the speed there. A speed
    of at most two substeps of falling does not bounce: the body stops at the floor.
    """
    found: list[tuple[float, float]] = []
    u, start, n = 0.0, drop, 0
    while len(found) < substeps:
        n += 1
        height, speed = start + h * (n * u - G * h * n * (n + 1) / 2), u - G * h * n
        if height * 65536 > -0.5:
            found.append((height, speed))
        elif -speed > 2 * G * h:
            u, start, n = -bounce * speed, 0.0, 0
            found.append((0.0, u))
        else:
            return [*found, *[(0.0, 0.0)] * substeps][:substeps]
    return found


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("bounce", [0.0, 0.25, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("collider", [ball(), BoxCollider(0.5, 0.5), cube(0.5)], ids=["ball", "box", "cube"])
def test_the_heights_of_bounces_I4(bounce, substeps, collider):
    world = CollisionWorld()
    body = add(world, (0.25, -3.3), collider.copy(), mass=2.0, bounce=bounce)
    floor(world)
    frames = 300
    expected = flights(2.8, bounce, 1 / (60 * substeps), frames * substeps)
    for frame in range(1, frames + 1):
        world.step_dynamics(1 / 60, gravity=GRAVITY, substeps=substeps)
        height, speed = expected[frame * substeps - 1]
        assert near_place(-0.5 - height) == body.position[1], f"frame {frame}"
        assert near_speed(-speed) == body.velocity[1], f"frame {frame}"
    assert (0.25, 0.0) == (body.position[0], body.velocity[0])


def test_the_larger_restitution_counts_I1():
    for mine, other in ((0.5, 0.0), (0.0, 0.5), (0.25, 0.5)):
        world = CollisionWorld()
        body = add(world, (0, -2), mass=1.0, bounce=mine, velocity=(0.0, 60.0))
        floor(world, bounce=other)
        world.step_dynamics(1 / 30)
        assert (-0.5, -30.0) == (body.position[1], body.velocity[1])


def test_a_body_that_lands_without_restitution_stops_exactly_at_the_face_I2():
    world = CollisionWorld()
    body = add(world, (0, -2.7), mass=1.0, velocity=(0.0, 7.77))
    floor(world)
    run(world, 100, gravity=GRAVITY)
    assert ((0.0, -0.5, 0.0), (0.0, 0.0, 0.0)) == (body.position, body.velocity)


def test_a_fast_body_does_not_tunnel_I2():
    world = CollisionWorld()
    body = add(world, (0, 0), ball(0.01), mass=1.0, velocity=(9000.0, 0.0))
    add(world, (30, 0), BoxCollider(0.001, 0.5), static=True)
    run(world, 5)
    assert near_place(30 - 0.011) == body.position[0]
    assert near_speed(0.0) == body.velocity[0]


# Friction.


@pytest.mark.parametrize("friction", [(0.5, 0.5), (0.25, 1.0), (0.04, 1.0)])
@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("mass", [0.25, 1.0, 40.0])
def test_the_sliding_distance_under_friction_I3(friction, substeps, mass):
    world = CollisionWorld()
    crate = add(world, (0, -0.5), mass=mass, velocity=(3.0, 0.0), friction=friction[0])
    floor(world, friction=friction[1])
    h, mu = 1 / (60 * substeps), math.sqrt(friction[0] * friction[1])
    loss = mu * G * h
    last = math.floor(3.0 / loss)
    for frame in range(1, 40 + last // substeps):
        run(world, 1, gravity=GRAVITY, substeps=substeps)
        n = min(frame * substeps, last)
        speed = 3.0 - loss * n if frame * substeps <= last else 0.0
        assert near_place(h * (3.0 * n - loss * n * (n + 1) / 2)) == crate.position[0], f"frame {frame}"
        assert (near_speed(speed), near_speed(0.0)) == crate.velocity[:2], f"frame {frame}"
        assert -0.5 == crate.position[1]
    assert (0.0, 0.0, 0.0) == crate.velocity


def test_friction_has_no_direction_of_its_own_I3():
    """Sliding askew in 3D, the loss is along the motion: not one share for x and one for z."""
    world = CollisionWorld()
    crate = add(world, (0, -1, 0), cube(1), mass=1.0, velocity=(3.0, 0.0, 4.0))
    add(world, (0, 1, 0), BoxCollider(50, 1, 50), static=True)
    h = 1 / 240
    for frame in range(1, 60):
        run(world, 1, gravity=GRAVITY)
        speed = 5.0 - 0.5 * G * h * 4 * frame
        assert (near_speed(0.6 * speed), 0.0, near_speed(0.8 * speed)) == crate.velocity


@pytest.mark.parametrize("speed", [2.0, -2.0])
def test_a_conveyor_belt_carries_a_crate_with_its_speed_I1(speed):
    world = CollisionWorld()
    crate = add(world, (0, -0.5), mass=5.0)
    belt = floor(world, velocity=(speed, 0.0))
    h, sign = 1 / 240, math.copysign(1.0, speed)
    gain = 0.5 * G * h
    last = math.ceil(2.0 / gain) - 1
    for frame in range(1, 120):
        run(world, 1, gravity=GRAVITY)
        n = 4 * frame
        way = h * gain * min(n, last) * (min(n, last) + 1) / 2 + max(0, n - last) * h * 2.0
        assert near_speed(sign * min(gain * n, 2.0)) == crate.velocity[0]
        assert near_place(sign * way) == crate.position[0]
    assert ((0.0, 1.0, 0.0), (speed, 0.0, 0.0)) == (belt.position, belt.velocity)


def test_a_slope_of_pressure_holds_a_crate_below_the_limit_I3():
    """Gravity that leans: friction holds as long as its share across is below friction times its share down."""
    for across, holds in ((4.9, True), (5.1, False)):
        world = CollisionWorld()
        crate = add(world, (0, -0.5), mass=2.0)
        floor(world)
        run(world, 100, gravity=(across, 10.0))
        assert holds == (crate.position == (0.0, -0.5, 0.0))
        assert holds == (crate.velocity == (0.0, 0.0, 0.0))


# Collisions of two bodies.


def after(m1: float, v1: float, m2: float, v2: float, bounce: float) -> tuple[float, float]:
    """Return the speeds after a collision along a line."""
    common = (m1 * v1 + m2 * v2) / (m1 + m2)
    change = bounce * (v1 - v2) / (m1 + m2)
    return common - m2 * change, common + m1 * change


AXES = {"1D": (1.0, 0.0, 0.0), "2D": (0.0, -1.0, 0.0), "3D": (0.0, 0.0, 1.0)}


@pytest.mark.parametrize("axis", AXES.values(), ids=AXES)
@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("ratio", [1.0, 2.0, 1000.0])
@pytest.mark.parametrize("collider", [cube(0.5), ball(0.5)], ids=["cube", "ball"])
def test_a_central_collision_of_two_bodies_I3_I4(axis, bounce, ratio, collider):
    for speeds in ((4.0, 0.0), (3.0, -2.0), (1.0, 0.25)):
        world = CollisionWorld()
        one = add(world, (0, 0, 0), collider.copy(), mass=0.5, velocity=[speeds[0] * a for a in axis], bounce=bounce)
        two = add(world, [2 * a for a in axis], collider.copy(), mass=0.5 * ratio,
                  velocity=[speeds[1] * a for a in axis], bounce=bounce)  # fmt: skip
        run(world, 120)
        expected = after(0.5, speeds[0], 0.5 * ratio, speeds[1], bounce)
        for body, speed in zip((one, two), expected, strict=True):
            assert tuple(near_speed(speed * a) for a in axis) == body.velocity
            assert all(a or not p for a, p in zip(axis, body.position, strict=True))
        if bounce == 0.0:
            apart = sum(a * (q - p) for a, p, q in zip(axis, one.position, two.position, strict=True))
            assert near_place(1.0) == apart, "they go on together"


@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("ratio", [1.0, 2.0, 1000.0])
@pytest.mark.parametrize("offset", [0.25, 0.5, 0.75])
def test_an_oblique_collision_of_circles_without_friction_I3_I4(bounce, ratio, offset):
    """All displacements of a substep are whole units, so the place of the collision is exact."""
    world = CollisionWorld()
    one = add(world, (0, 0), ball(), mass=1.0, velocity=(8.0, 0.0), bounce=bounce, friction=0.0)
    two = add(world, (3, offset), ball(), mass=ratio, bounce=bounce, friction=0.0)
    run(world, 64, 1 / 64, substeps=1)
    normal = (math.sqrt(1 - offset**2), offset)
    before = 8.0 * normal[0]
    first, second = after(1.0, before, ratio, 0.0, bounce)
    change = first - before
    assert (near_speed(8.0 + change * normal[0]), near_speed(change * normal[1]), 0.0) == one.velocity
    assert (near_speed(second * normal[0]), near_speed(second * normal[1]), 0.0) == two.velocity


def test_friction_between_circles_that_do_not_turn_is_along_the_tangent_I3():
    """Friction follows the normal impulse of the solve, which leaves the speed that closes the gap in one substep.

    The rest of the approach ends with the bounce (I4), without friction. In the substep of the collision the way is
    1/8, the way to the collision `left`.
    """
    world = CollisionWorld()
    one = add(world, (0, 0), ball(), mass=1.0, velocity=(8.0, 0.0), friction=0.1)
    two = add(world, (3, 0.6), ball(), mass=2.0, friction=0.1)
    across = two.position[1]
    along = math.sqrt(1 - across**2)
    left = 3.0 - along - 2.125
    run(world, 64, 1 / 64, substeps=1)
    n, t = (along, across), (across, -along)
    normal = 8.0 * along / 1.5  # the impulse that ends the approach: speed / (1 / 1 + 1 / 2)
    rubbed = 0.1 * (8.0 - left * 64) * along / 1.5
    assert [near_speed(8.0 * (axis == 0) - normal * n[axis] - rubbed * t[axis]) for axis in (0, 1)] == list(
        one.velocity[:2]
    )
    assert [near_speed((normal * n[axis] + rubbed * t[axis]) / 2) for axis in (0, 1)] == list(two.velocity[:2])


# Overlaps.


@pytest.mark.parametrize(("masses", "share"), [((1.0, None), 1.0), ((1.0, 1.0), 0.5), ((1.0, 3.0), 0.75)])
def test_bodies_that_overlap_are_moved_apart_by_the_shares_of_their_masses_I6(masses, share):
    world = CollisionWorld()
    one, two = (add(world, (x, 0.125), mass=mass) for x, mass in zip((0, 0.75), masses, strict=True))
    run(world, 1)
    assert [(-0.25 * share, 0.125, 0.0), (1.0 - 0.25 * share, 0.125, 0.0)] == [one.position, two.position]
    assert [(0.0, 0.0, 0.0)] * 2 == [one.velocity, two.velocity], "no impulse comes of it"


def test_of_bodies_that_overlap_the_one_nearer_to_the_floor_stays_I6():
    world = CollisionWorld()
    floor(world)
    low, high = add(world, (0, -0.5), mass=0.001), add(world, (0, -1.25), mass=1000.0)
    run(world, 1, gravity=GRAVITY)
    assert [-0.5, -1.5] == [low.position[1], high.position[1]]


def test_a_box_on_two_boxes_does_not_overshoot_I3():
    """All contacts of a layer are solved from the same velocities: without sharing, two of them would throw it up."""
    world = CollisionWorld()
    floor(world)
    for x in (-1, 1):
        add(world, (x, -0.5), static=True)
    beam = add(world, (0, -1.25), BoxCollider(2, 0.25), mass=1.0)
    for _ in range(20):
        run(world, 1, gravity=GRAVITY, iterations=1)
        assert ((0.0, -1.25, 0.0), (0.0, 0.0, 0.0)) == (beam.position, beam.velocity)


# What is left alone.


def test_immovable_bodies_that_overlap_and_pairs_that_part_are_left_alone_I3_I6():
    world = CollisionWorld()
    fixed = [add(world, (0.25 * n, 0), static=n % 2 == 0) for n in range(4)]
    parting = [add(world, (x, 9), mass=1.0 + x, velocity=(x - 20.5, 0.0), bounce=1.0) for x in (20, 21)]
    heavy = [add(world, (x, -9), mass=math.inf, velocity=(v, 0.0)) for x, v in ((0, 3.0), (1.5, -3.0))]
    before = state([*fixed, *heavy])
    run(world, 60)
    assert before == state([*fixed, *heavy])
    assert [(-0.5, 0.0, 0.0), (0.5, 0.0, 0.0)] == [body.velocity for body in parting]
    assert [near_place(19.5), near_place(21.5)] == [body.position[0] for body in parting]


def test_bodies_that_push_and_are_pushed_are_left_alone_I1():
    from ecs_collision import Inertia, Motion

    world = CollisionWorld()
    player = add(world, (0, 0), motion=Motion(force=2))
    crate = add(world, (1, 0), inertia=Inertia(1))
    falling = add(world, (1, -3), mass=1.0)
    for _ in range(120):
        world.step_dynamics(1 / 60, gravity=GRAVITY)
        world.request(player.id, 1 / 64)
        world.step()
    assert [(1.875, 0.0, 0.0), (2.875, 0.0, 0.0)] == [player.position, crate.position]
    assert -1.0 == falling.position[1]


def test_bodies_that_may_not_meet_pass_through_each_other_I1():
    world = CollisionWorld()
    ghost = add(world, (0, 0), BoxCollider(0.5, 0.5, layer="ghost"), mass=1.0, velocity=(6.0, 0.0))
    crate = add(world, (2, 0), BoxCollider(0.5, 0.5, mask="other"), mass=1.0)
    add(world, (4, 0), BoxCollider(0.5, 0.5, mask="other"), static=True)
    run(world, 60)
    assert ((near_place(6.0), 0.0, 0.0), (6.0, 0.0, 0.0)) == (ghost.position, ghost.velocity)
    assert ((2.0, 0.0, 0.0), (0.0, 0.0, 0.0)) == (crate.position, crate.velocity)


@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
def test_the_bounds_of_a_world_are_walls_with_the_restitution_of_the_body_I5(bounce):
    world = CollisionWorld(bounds=((-4, -4), (4, 4)))
    body = add(world, (0, 0), mass=2.0, velocity=(6.0, 1.0), bounce=bounce)
    run(world, 60)
    assert (near_speed(-6.0 * bounce), near_speed(1.0)) == body.velocity[:2], "the wall does not rub"
    assert near_place(1.0) == body.position[1]
    assert body.position[0] <= 3.5
