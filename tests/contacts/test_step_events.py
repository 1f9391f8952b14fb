"""Contacts and impacts of steps of dynamics: bounces, slopes, gaps (rules C1, C4, C5, C6)."""

from __future__ import annotations

import math
import random

import pytest
from boards import seeds

from ecs_collision import (
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    Contact,
    ContactBegan,
    ContactEnded,
    Fused,
    Impact,
    LeftReason,
    Mass,
    Material,
    Motion,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

GRAVITY = (0.0, 10.0)
FLOOR, BALL = 1, 2


def a_drop(restitution: float = 1.0, contact: Contact | None = None, y: float = -1.0, **more: object) -> CollisionWorld:
    """Return a world with a floor whose surface is at 0, and a ball above it that asks for contacts."""
    world = CollisionWorld()
    material = Material(restitution=restitution, friction=0)
    world.add(FLOOR, transform=Transform(0, 1), collider=BoxCollider(9, 1), static=Static(), material=material)
    world.add(
        BALL,
        transform=Transform(0, y),
        collider=SphereCollider(0.25),
        velocity=Velocity(),
        mass=Mass(2),
        contact=contact or Contact(),
        **more,  # type: ignore[arg-type]
    )
    return world


def change_body(world: CollisionWorld, **components: object) -> None:
    """Add components to the ball, or remove them."""
    world._step.changes.stage(BALL, world._bodies.of(world._bodies.row(BALL))._replace(**components))  # type: ignore[arg-type]


def run(world: CollisionWorld, steps: int, per_frame: int = 1, gravity: tuple[float, float] = GRAVITY) -> list[object]:
    """Return the contact and impact events of some steps, with a frame after each or after several; check each."""
    found: list[object] = []
    for number in range(steps):
        world.step_dynamics(1 / 60, gravity=gravity)
        if number % per_frame == per_frame - 1:
            found += [each for each in world.step().events if isinstance(each, (ContactBegan, ContactEnded, Impact))]
            world.check()
    return found


@pytest.mark.once
@pytest.mark.parametrize("per_frame", [1, 7, 100])
def test_each_bounce_is_one_began_and_one_ended_also_between_two_frames_C1(per_frame):
    world = a_drop()
    velocity, bounces, last, events = world._bodies.of(world._bodies.row(BALL)).velocity, 0, 0.0, []
    for number in range(700):
        world.step_dynamics(1 / 60, gravity=GRAVITY)
        bounces += last > 0 > velocity.y
        last = velocity.y
        if number % per_frame == per_frame - 1:
            events += world.step().events
    kinds = [type(each) for each in events]
    assert bounces >= 10
    assert kinds == [ContactBegan, ContactEnded] * bounces
    assert all(each.normal == (0.0, 1.0, 0.0) for each in events[::2])
    assert all(each.reason is LeftReason.MOVED for each in events[1::2])


def test_a_body_at_rest_is_in_contact_although_a_gap_is_left_C1_C5():
    world = a_drop(restitution=0)
    began, *more = run(world, 120)
    place = world._bodies.position(world._bodies.row(BALL))
    assert place[1] < -0.25 * 2**16, "a gap is left"
    assert (BALL, FLOOR, (0.0, 1.0, 0.0), []) == (began.a, began.b, began.normal, more)
    assert [FLOOR] == world.contacts(BALL) == world.touching(BALL) == world.touching(BALL, "down")
    assert [BALL] == world.touching(FLOOR, "up")
    assert [] == world.touching(BALL, "up") == world.touching(FLOOR, "down")
    assert [] == world.space.touching(BALL, layers="other") == world.space.touching(BALL, ignore=[FLOOR])
    assert world._step.dynamics.resting_count == 1
    world._bodies.transform(world._bodies.row(BALL)).x = 4.0
    assert [] == run(world, 0)
    assert [] == [type(each) for each in world.step().events if isinstance(each, ContactEnded)]
    world._bodies.transform(world._bodies.row(BALL)).y = -4.0
    assert [ContactEnded] == [type(each) for each in world.step().events]
    assert [] == world.contacts(BALL) == world.touching(BALL)
    world.check()


@pytest.mark.once
@pytest.mark.parametrize("change", ["contact", "mass", "mask", "static", "enabled", "removed"])
def test_what_changes_at_rest_ends_or_begins_the_contact_C2_C3(change):
    world = a_drop(restitution=0)
    run(world, 120)
    parts = world._bodies.of(world._bodies.row(BALL))
    if change == "contact":
        change_body(world, contact=None)
    elif change == "mass":
        change_body(world, mass=None)
    elif change == "mask":
        parts.contact.mask = "other"
    elif change == "static":
        change_body(world, static=Static())
    elif change == "enabled":
        parts.collider.enabled = False
    else:
        world.remove(BALL)
    expected = {"contact": "DELETED", "mass": "MOVED", "mask": "FILTERED", "enabled": "DISABLED", "removed": "DELETED"}
    ended = [each.reason.name for each in world.step().events if isinstance(each, ContactEnded)]
    assert ended == [expected.get(change, "FILTERED")]
    world.check()
    run(world, 2)
    if change == "contact":
        change_body(world, contact=Contact())
        assert [(BALL, FLOOR)] == [(each.a, each.b) for each in run(world, 2)]
    world.snapshot()
    world.check()


@pytest.mark.once
def test_a_contact_that_lingers_goes_on_over_bounces_C3():
    quick = run(a_drop(contact=Contact(linger=200)), 300)
    assert [ContactBegan] == [type(each) for each in quick]
    slow = run(a_drop(contact=Contact(linger=2)), 300)
    assert [ContactBegan, ContactEnded] * (len(slow) // 2) == [type(each) for each in slow]
    ended = [b.frame - a.frame for a, b in zip(slow[::2], slow[1::2], strict=True)]
    assert set(ended) <= {2, 3}
    kinds = [type(each) for each in run(a_drop(contact=Contact(linger=2)), 700, per_frame=100)]
    assert kinds
    assert kinds == ([ContactBegan, ContactEnded] * len(kinds))[: len(kinds)]


def test_b_of_a_contact_with_a_group_is_its_root_C2():
    world = a_drop(contact=Contact(impacts=1))
    world.remove(FLOOR)
    world.add(5, transform=Transform(-9, 1), collider=BoxCollider(1, 1))
    world.add(7, transform=Transform(0, 1), fused=Fused(5), collider=BoxCollider(2, 1),
              material=Material(restitution=0.5))  # fmt: skip
    events = run(world, 40)
    assert {(BALL, 5)} == {(each.a, each.b) for each in events}
    assert {ContactBegan, ContactEnded, Impact} == {type(each) for each in events}


# Impacts.


@pytest.mark.parametrize("per_frame", [1, 60])
def test_an_impact_says_where_how_fast_and_how_hard_C6(per_frame):
    world = a_drop(restitution=0.5, contact=Contact(impacts=3), y=-5.25)
    hit, *more = [each for each in run(world, 120, per_frame) if isinstance(each, Impact)]
    speed = math.sqrt(2 * 10 * 5)
    assert (BALL, FLOOR, (0.0, 1.0, 0.0)) == (hit.a, hit.b, hit.normal)
    assert hit.speed == pytest.approx(speed, rel=0.03)
    assert hit.impulse == pytest.approx(2 * 1.5 * speed, rel=0.05)
    assert hit.point == pytest.approx((0, 0, 0), abs=0.01)
    assert all(each.speed >= 3 for each in more)


def test_only_those_that_ask_get_impacts_and_only_what_their_masks_allow_C6():
    world = a_drop(contact=Contact(impacts=1, mask="metal"))
    world.add(3, transform=Transform(0, -3), collider=BoxCollider(0.25, 0.25, layer="metal"), mass=Mass(1),
              velocity=Velocity(0, 9), contact=Contact(impacts=0.5))  # fmt: skip
    hits = [each for each in run(world, 60, 60) if isinstance(each, Impact)]
    assert {(BALL, 3)} <= {(each.a, each.b) for each in hits} <= {(BALL, 3), (3, BALL), (3, FLOOR)}
    a, b = (next(each for each in hits if each.a == one and each.b == 5 - one) for one in (BALL, 3))
    assert tuple(-by + 0.0 for by in a.normal) == b.normal
    assert (a.point, a.impulse, a.speed) == (b.point, b.impulse, b.speed)


def test_a_body_that_lies_gives_no_impacts_C6():
    world = a_drop(restitution=0, contact=Contact(impacts=0.0), y=-0.2578125)
    assert 1 >= len([each for each in run(world, 90) if isinstance(each, Impact)])
    assert [] == [each for each in run(world, 90) if isinstance(each, Impact)]


# Slopes and round feet.


@pytest.mark.once
@pytest.mark.parametrize(
    "collider", [BoxCollider(0.5, 0.5), SphereCollider(0.5), OrientedBoxCollider(0.5, 0.5), CapsuleCollider(0.5, 0.5)]
)
@pytest.mark.parametrize("angle", [0.2, -0.6, 0.9])
def test_slopes_are_touched_on_the_side_of_their_normal_C5(collider, angle):
    world = CollisionWorld()
    material = Material(friction=4)
    world.add(FLOOR, transform=Transform(0, 0, rotation=angle), collider=OrientedBoxCollider(20, 0.5), static=Static(),
              material=material)  # fmt: skip
    world.add(BALL, transform=Transform(0, -1.9), collider=collider.copy(), velocity=Velocity(), mass=Mass(1),
              material=material.copy(), contact=Contact())  # fmt: skip
    events = run(world, 60)
    hop = (
        [ContactBegan, ContactEnded] if isinstance(collider, CapsuleCollider) and angle == 0.2 else []
    )  # as it tips over
    assert [*hop, ContactBegan] == [type(each) for each in events]
    assert events[0].normal == pytest.approx((-math.sin(angle), math.cos(angle), 0), abs=1e-6)
    side = "down" if abs(angle) < math.pi / 4 else "left"
    assert [FLOOR] == world.touching(BALL, side) == world.touching(BALL)
    assert [] == world.touching(BALL, "up") == world.touching(BALL, "left" if side == "down" else "down")
    assert {"down": [BALL], "left": []}[side] == world.touching(FLOOR, "up")


def test_a_small_body_under_strong_gravity_is_in_contact_with_what_it_lies_on_C1():
    """Its gap is larger than a share of its size, because it needs that to carry its weight."""
    world = CollisionWorld()
    world.add(FLOOR, transform=Transform(0, 1), collider=BoxCollider(9, 1), static=Static())
    world.add(BALL, transform=Transform(0, -0.1), collider=BoxCollider(0.0625, 0.0625, 0.0625), velocity=Velocity(),
              mass=Mass(1), contact=Contact())  # fmt: skip
    for _ in range(90):
        world.step_dynamics(1 / 60, gravity=(0, 100))
        world.step()
    assert world._bodies.transform(world._bodies.row(BALL)).y < -0.0625 - 2 * 0.0625 / 16
    assert [FLOOR] == world.contacts(BALL) == world.touching(BALL, "down")


# Everything at once.


def a_pile(seed: int) -> CollisionWorld:
    """Return a world with bodies of all kinds that fall into a pit, most of which ask."""
    numbers = random.Random(seed)
    world = CollisionWorld()
    for x, y, hx, hy in ((0, 1, 6, 1), (-5, -8, 1, 9), (5, -8, 1, 9)):
        world.add(transform=Transform(x, y), collider=BoxCollider(hx, hy), static=Static(),
                  contact=Contact(impacts=numbers.choice((None, 2.0))))  # fmt: skip
    for number in range(12):
        size = numbers.choice((0.0625, 0.5, 0.5))  # small ones give way by more than a share of their size
        collider = numbers.choice((BoxCollider, OrientedBoxCollider, CapsuleCollider))(size, size / 2)
        world.add(transform=Transform(numbers.uniform(-3, 3), -1 - number),
                  velocity=Velocity(numbers.uniform(-3, 3), 0), mass=Mass(numbers.choice((1, 4))),
                  collider=numbers.choice((collider, SphereCollider(0.75 * size))),
                  material=Material(restitution=numbers.choice((0.0, 0.5, 0.9))),
                  contact=numbers.choice((None, Contact(), Contact(impacts=1), Contact(linger=3))))  # fmt: skip
    return world


@pytest.mark.parametrize("seed", seeds(6))
def test_contacts_follow_from_their_events_and_go_on_after_a_restore_C1_N1(seed):
    world, open_pairs, numbers = a_pile(seed), set(), random.Random(seed)
    saved, later, log = b"", a_pile(seed), []
    gravity = numbers.choice((GRAVITY, (0.0, 30.0)))
    for frame in range(180):
        for _ in range(numbers.choice((0, 1, 1, 2, 5))):
            world.step_dynamics(1 / 60, gravity=gravity)
        if frame == 90:
            saved, log = world.snapshot(), []
        events = world.step().events
        log.append(events)
        for each in events:
            if isinstance(each, ContactBegan):
                assert (each.a, each.b) not in open_pairs
                open_pairs.add((each.a, each.b))
                assert math.isclose(math.hypot(*each.normal), 1)
            elif isinstance(each, ContactEnded):
                open_pairs.remove((each.a, each.b))
        world.check()
        asking = [id for id in world._bodies.row_of if world._bodies.of(world._bodies.row(id)).contact is not None]
        if not any(isinstance(each, ContactEnded) for each in events):
            assert open_pairs == {(id, other) for id in asking for other in world.contacts(id)}
    later.restore(saved)
    numbers = random.Random(seed)
    numbers.choice((1, 2))
    for frame in range(180):
        steps = numbers.choice((0, 1, 1, 2, 5))
        for _ in range(steps if frame > 90 else 0):
            later.step_dynamics(1 / 60, gravity=gravity)
        if frame >= 90:
            assert log[frame - 90] == later.step().events
    assert later.snapshot() == world.snapshot()


# Without steps of dynamics: parts that are round or turned touch if they nearly do.


@pytest.mark.parametrize("collider", [SphereCollider(0.5), CapsuleCollider(0.5, 0.5), OrientedBoxCollider(0.5, 0.5)])
def test_round_and_turned_feet_of_a_mover_stand_on_an_edge_and_on_a_slope_C5(collider):
    for angle, x in ((None, 0.75), (0.3, 0.2)):
        world = CollisionWorld()
        floor = BoxCollider(0.5, 0.5) if angle is None else OrientedBoxCollider(3, 0.5)
        world.add(FLOOR, transform=Transform(0, 2, rotation=angle), collider=floor, static=Static())
        turn = 0.5 if isinstance(collider, OrientedBoxCollider) else None
        world.add(BALL, transform=Transform(x, -1, rotation=turn), collider=collider.copy(), motion=Motion(),
                  contact=Contact())  # fmt: skip
        events = []
        for _ in range(60):
            world.request(BALL, 0, 0.1)
            events += [each for each in world.step().events if isinstance(each, (ContactBegan, ContactEnded))]
            world.check()
        assert [ContactBegan] == [type(each) for each in events]
        assert events[0].normal[1] > 0.7
        assert [FLOOR] == world.contacts(BALL) == world.touching(BALL) == world.touching(BALL, "down")
        assert [BALL] == world.touching(FLOOR, "up")
        assert [] == world.touching(BALL, "left") == world.touching(BALL, "up")
        world.move(BALL, 0, -(2.0**-13))
        assert [ContactEnded] == [type(each) for each in world.step().events if isinstance(each, ContactEnded)]
        assert [] == world.touching(BALL) == world.contacts(BALL)


# What happens to bodies that land apart, that are pressed hard, or that steps move no more.


def test_bodies_that_land_apart_have_let_go_C1_I6():
    """A capsule that overlaps others has to stay where it is, though the solver let it touch the box on its way."""
    world, moves = CollisionWorld(), {"velocity": Velocity(300, angular=50), "mass": Mass(100)}
    capsule = CapsuleCollider(2, 4)
    world.add(1, transform=Transform(0, 7), collider=BoxCollider(7, 1), static=Static())
    world.add(3, transform=Transform(5, -2, rotation=2.359069137832777), collider=capsule,
              velocity=Velocity(300, angular=2), material=Material(restitution=0.5, friction=0))  # fmt: skip
    world.add(4, transform=Transform(-3.25, -2.25), collider=capsule.copy(), contact=Contact(), **moves)
    world.add(5, transform=Transform(-2.25, -0.75), collider=BoxCollider(1, 1), velocity=Velocity(1, angular=50),
              mass=Mass(2**32))  # fmt: skip
    world.add(6, transform=Transform(0.5, -5.25), collider=SphereCollider(0), velocity=Velocity(1, angular=50),
              mass=Mass(100), contact=Contact())  # fmt: skip
    world.add(8, transform=Transform(3.25, 0.5), collider=OrientedBoxCollider(4, 4), contact=Contact(),
              velocity=Velocity(20, angular=50, damping=1, gravity=0), mass=Mass(1, moment=math.inf),
              material=Material(restitution=1, friction=4))  # fmt: skip
    for dt, gravity, substeps in ((1 / 60, 10, 4), (2**-20, -10, 4), *((1 / 60, -10, each) for each in (1, 4, 4, 16))):
        world.step_dynamics(dt, gravity=(0 if gravity > 0 else 3, gravity), substeps=substeps)
        world.step()
        world.check()


@pytest.mark.parametrize("strength", [1000.0, 16000.0])
def test_a_tiny_body_under_strong_gravity_has_contacts_with_a_normal_C4(strength):
    world = a_drop(contact=Contact(mask="none"), y=-0.5)
    world.add(transform=Transform(2, -0.5, rotation=0.3), collider=OrientedBoxCollider(0.01, 0.01),
              velocity=Velocity(), mass=Mass(1), contact=Contact())  # fmt: skip
    began = [each for each in run(world, 60, gravity=(0.0, strength)) if isinstance(each, ContactBegan)]
    assert began
    assert all(each.normal[1] > 0.9 for each in began)


def test_a_contact_ends_after_a_restore_when_the_mass_has_become_infinite_C1_N1():
    worlds = [a_drop(0), a_drop(0)]
    for world in worlds:
        run(world, 60)
        assert [FLOOR] == world.contacts(BALL)
        mass = world._bodies.of(world._bodies.row(BALL)).mass
        assert mass is not None
        mass.value = math.inf
    worlds[1].restore(worlds[0].snapshot())
    for world in worlds:
        assert [LeftReason.MOVED] == [each.reason for each in run(world, 1) if isinstance(each, ContactEnded)]
    assert worlds[0].snapshot() == worlds[1].snapshot()
