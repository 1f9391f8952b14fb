"""The step of dynamics against closed forms (rules I1 to I6)."""

from __future__ import annotations

import math

import pytest
from impulse_worlds import UNIT, Made, add, ball, cube, energy, floor, run, state

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Material,
    Motion,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
)
from ecs_collision.dynamics.soft_step import SLOP

GRAVITY = (0.0, 10.0)
G = 10.0
SHAPES = {"ball": ball(), "box": BoxCollider(0.5, 0.5), "turning box": OrientedBoxCollider(0.5, 0.5)}
IN_SPACE = pytest.mark.parametrize("z", [0, 5], ids=["2D", "3D"])
"""Heights of scenes: a step of bodies beside the plane z = 0 is one in space."""


def near(value: float, by: float = 1e-9) -> object:
    return pytest.approx(value, rel=0, abs=by)


def on_floor(world: CollisionWorld, z: float = 0, collider: object = None, **more: object) -> Made:
    """Add a body that lies on a floor, of which the surface is at 0."""
    more = {"mass": 1.0, **more}
    add(world, (0, 1, z), BoxCollider(50, 1, 50 if z else 0.5), static=True, friction=more.get("friction", 0.5))
    return add(world, (0, -0.5 - SLOP, z), collider, **more)


@pytest.mark.parametrize(("substeps", "rises"), [(1, 0.0), (4, 0.0), (4, 3.0)], ids=["one", "four", "in space"])
def test_free_fall_adds_gravity_before_it_moves_I2(substeps, rises):
    world = CollisionWorld()
    body = add(world, (0, 0), mass=3.0, velocity=(1.25, -4.0, rises))
    h = 1 / (60 * substeps)
    for frame in range(1, 121):
        world.step_dynamics(1 / 60, gravity=GRAVITY, substeps=substeps)
        n = frame * substeps
        assert (near(1.25), near(-4 + G * h * n), rises) == body.velocity
        assert (near(1.25 * h * n, UNIT), near(rises * h * n, UNIT)) == body.position[::2]
        assert near(h * (-4 * n) + G * h * h * n * (n + 1) / 2, UNIT) == body.position[1]


def test_a_speed_below_the_lattice_still_moves_in_time_I5():
    world = CollisionWorld()
    body = add(world, (0, 0), mass=1.0, velocity=(0.06, 0.0))
    slow = add(world, (0, 5), mass=1.0, velocity=(UNIT / 2, 0.0))
    for frame in range(1, 1001):
        world.step_dynamics(1 / 1000)
        assert near(0.06 * frame / 1000, 0.5001 * UNIT) == body.position[0]
    assert 0.0 == slow.velocity[0], "what is slower than the speed of sleep for half a second sleeps"


def test_damping_and_gravity_are_those_of_a_body_I1():
    world = CollisionWorld()
    slow = add(world, (0, 0), ball(), mass=1.0)
    slow.moving.x, slow.moving.angular, slow.moving.damping, slow.moving.angular_damping = 8.0, 8.0, 1.0, 2.0
    slow.moving.gravity = 0.0
    floats = add(world, (0, 9), mass=1.0)
    floats.moving.gravity = -0.5
    run(world, 60, gravity=GRAVITY)
    assert (8 * math.exp(-1), 0.0, 0.0) == pytest.approx(slow.velocity, rel=0.01)
    assert 8 * math.exp(-2) == pytest.approx(slow.moving.angular, rel=0.02)
    assert near(-5.0) == floats.velocity[1]


def test_a_compound_turns_about_its_centre_of_mass_I1():
    world = CollisionWorld()
    pair = CompoundCollider([Sphere(0.5), Sphere(0.5, (2, 0))])
    body = add(world, (0, 0), pair, mass=1.0)
    body.moving.angular = math.pi
    run(world, 60)
    assert (near(2.0, 1e-3), near(0.0, 1e-3), 0.0) == body.position


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
    if substeps > 1 and isinstance(collider, OrientedBoxCollider):
        assert near(0.0, 0.01) == body.moving.angular, "it lands flat"


@pytest.mark.parametrize(("mine", "other"), [(0.5, 0.0), (0.0, 0.5), (0.25, 0.5)])
def test_the_larger_restitution_counts_I1(mine, other):
    world = CollisionWorld()
    body = add(world, (0, -2), mass=1.0, bounce=mine, velocity=(0.0, 60.0))
    floor(world, bounce=other)
    world.step_dynamics(1 / 30)
    assert near(-30.0, 1e-3) == body.velocity[1]


@pytest.mark.parametrize("moment", [None, math.inf])
def test_billiards_keep_their_energy_I4(moment):
    world = CollisionWorld(bounds=((-10, -5), (10, 5)))
    places = [(3 + 0.53 * row, 0.61 * (number - row / 2)) for row in range(5) for number in range(row + 1)]
    balls = [add(world, at, ball(0.3), mass=1.0, moment=moment, bounce=1.0, friction=0.0) for at in places]
    balls.append(add(world, (-5, 0.05), ball(0.3), mass=1.0, velocity=(10.0, 0.0), bounce=1.0, friction=0.0))
    for _ in range(10):
        run(world, 60)
        assert 0.98 * 50 <= energy(balls) <= 50.0 * (1 + 1e-5)


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


@IN_SPACE
@pytest.mark.parametrize("collider", [cube(), OrientedBoxCollider(0.5, 0.5, 0.5)], ids=["upright", "turning"])
@pytest.mark.parametrize("friction", [0.2, 0.5])
def test_friction_holds_a_box_on_a_slope_below_its_limit_I3(friction, collider, z):
    """Gravity that leans: friction holds as long as its share across is below friction times its share down."""
    for lean in (0.95, 1.1, 1.5):
        world = CollisionWorld()
        box = on_floor(world, z, collider.copy(), friction=friction)
        run(world, 60, gravity=(lean * friction * G, G))
        expected = max(0.0, (lean - 1) * friction * G)
        assert near(expected, 0.02 + 0.03 * expected) == box.velocity[0]
        assert (lean < 1) == (abs(box.position[0]) < 0.005)


def test_friction_in_space_is_a_cone_and_acts_along_the_motion_I3():
    world = CollisionWorld()
    box = on_floor(world, 5, velocity=(3.0, 0.0, 4.0))
    run(world, 30, gravity=GRAVITY)
    x, _, z = box.velocity
    assert 5.0 - 0.5 * G * 0.5 == pytest.approx(math.hypot(x, z), rel=0.02)
    assert 0.75 == pytest.approx(x / z, rel=1e-6)


@IN_SPACE
def test_a_ball_rolls_without_slip_and_rolling_resistance_stops_it_I1(z):
    for rolling, distance in ((0.0, None), (0.1, 4.0)):
        world = CollisionWorld()
        body = on_floor(world, z, ball(), velocity=(3.0, 0.0), material=Material(rolling=rolling))
        run(world, 240, gravity=GRAVITY)
        turning = body.moving._numbers()[5]
        if rolling:
            assert (near(0.0, 1e-3), near(0.0, 1e-3)) == (body.velocity[0], turning)
            assert body.position[0] < distance
        else:
            assert (2.0 if z == 0 else 15 / 7) == pytest.approx(body.velocity[0], rel=0.02), "a disc keeps two thirds"
            assert body.velocity[0] / 0.5 == pytest.approx(turning, rel=0.01)


@pytest.mark.parametrize("spin", [5.0, 50.0])
@pytest.mark.parametrize(
    "collider", [SphereCollider(0.5, offset=(1, 0)), OrientedBoxCollider(0.5, 0.25, offset=(1, 0))], ids=["ball", "box"]
)
def test_a_body_turns_about_its_centre_of_mass_and_not_its_position_I1(collider, spin):
    world = CollisionWorld()
    body = add(world, (0, 0), collider.copy(), mass=1.0)
    body.moving.angular = spin
    run(world, 600)
    angle = world._bodies.transform(world._bodies.row(body.id)).rotation
    x, y, _ = body.position
    assert (near(1.0, 2e-5), near(0.0, 2e-5)) == (x + math.cos(angle), y + math.sin(angle))


@pytest.mark.parametrize("radius", [0.25, 0.5, 32.0])
def test_rolling_resistance_slows_balls_of_every_size_alike_I1(radius):
    """A disc of radius r is slowed by rolling * r * m * g on the arm of r, and 3/2 m r^2 are to be slowed."""
    world, scale = CollisionWorld(), 2 * radius
    add(world, (0, 5 * scale), BoxCollider(500 * scale, 5 * scale), static=True)
    velocity, material = (3.0 * scale, 0.0), Material(rolling=0.06)
    body = add(world, (0, -radius - SLOP * scale), ball(radius), mass=2.0, velocity=velocity, material=material)
    body.moving.angular = 6.0
    run(world, 60, gravity=(0, G * scale))
    assert 3.0 - 0.06 * G / 1.5 == pytest.approx(body.velocity[0] / scale, rel=0.01)


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


def test_a_turntable_carries_what_lies_on_it_round_I1():
    world = CollisionWorld()
    table = add(world, (0, 1, 5), BoxCollider(50, 1, 50), static=True, velocity=(0,), friction=1.0)
    table.moving.angular = (0, 1, 0)
    rider = add(world, (1, -0.5 - SLOP, 5), OrientedBoxCollider(0.5, 0.5, 0.5), mass=1.0, friction=1.0)
    run(world, 30, gravity=GRAVITY)
    assert 1.0 == pytest.approx(math.hypot(*rider.velocity), rel=0.1)


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
