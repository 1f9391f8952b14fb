"""Motions that follow the straight line of their displacement (M10)."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from query_oracle import UNIT, box_entered

from ecs_collision import (
    BoxCollider,
    CollisionTypeError,
    CollisionWorld,
    Crossed,
    Fused,
    Hit,
    Inertia,
    Motion,
    Mover,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    StopReason,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)
from ecs_collision.push.line_cast import facing

LATTICE = 2.0**-16


def block(world, x, y, hx=0.5, hy=0.5, hz=0.5, z=0.0, **parts):
    """Add a box around (x, y), Static unless `parts` say what it is."""
    layer = parts.pop("layer", "default")
    collider = BoxCollider(hx, hy, hz, layer=layer)
    parts = parts or {"static": Static()}
    return world.add(transform=Transform(x, y, z), collider=collider, **parts)


def bullet(world, x=0.0, y=0.0, *, half=0.5, collider=None, force=5.0, **fields):
    """Add a body that moves straight."""
    return world.add(
        transform=Transform(x, y),
        collider=collider or BoxCollider(half, half),
        motion=Motion(force=force),
        mover=Mover(straight=True, **fields),
    )


def place(world, id):
    return world._bodies.transform(world._bodies.row(id)).position[:2]


# Stops.


@pytest.mark.parametrize("dx", [10, 1000, 100_000])
def test_no_length_tunnels_through_a_thin_wall_M10(dx):
    world = CollisionWorld()
    id = bullet(world)
    wall = block(world, 5, 2.5, LATTICE, 10)
    result = world.move(id, dx, dx / 2)
    assert (5 - LATTICE - 0.5, (4.5 - LATTICE) / 2) == pytest.approx(place(world, id), abs=2 * LATTICE)
    assert 5 - LATTICE - 0.5 == place(world, id)[0]
    assert [(wall, (-1.0, 0.0, 0.0), "stop")] == [(hit.entity, hit.normal, hit.response) for hit in result.hits]
    assert ["x", "y"] == [stop.axis for stop in result.stops]
    assert {StopReason.RESPONSE} == {stop.reason for stop in result.stops}


def test_a_straight_motion_stops_all_axes_where_others_go_round_M10():
    for straight, expected in ((True, (1.0, 0.5)), (False, (1.0, 2.0))):
        world = CollisionWorld()
        id = block(world, 0, 0, motion=Motion())
        block(world, 2, 0, 0.5, 2)
        world.move(id, 4, 2, straight=straight)
        assert expected == place(world, id)


def test_it_pushes_nothing_M10():
    world = CollisionWorld()
    id, crate = bullet(world), block(world, 2, 0, inertia=Inertia(1))
    result = world.move(id, 5)
    assert {} == dict(result.pushed)
    assert (crate, StopReason.RESPONSE, 1.0) == (
        result.stops[0].blocker, result.stops[0].reason, result.stops[0].allowed
    )  # fmt: skip
    assert (1.0, 0.0) == place(world, id)


@pytest.mark.parametrize("offset", [-2 * LATTICE, -LATTICE, 0, LATTICE, 2 * LATTICE])
def test_a_gap_exactly_as_wide_as_the_bullet_is_passed_M10(offset):
    world = CollisionWorld()
    id = bullet(world, 0, offset)
    for y in (-1, 1):
        block(world, 5, y)
    assert (offset == 0) == world.move(id, 10).complete


def test_a_diagonal_bullet_passes_through_a_corner_that_it_only_touches_M10():
    # the line goes exactly along the corner of both blocks
    world = CollisionWorld()
    id = bullet(world)
    block(world, 3, 1)
    block(world, 1, 3)
    assert world.move(id, 4, 4).blocked is False
    assert (4.0, 4.0) == place(world, id)


def test_what_it_passes_closely_is_not_overlapped_by_rounding_M10():
    rng = random.Random(7)
    for _ in range(200):
        world = CollisionWorld()
        id = bullet(world, half=rng.randint(1, 3) * LATTICE)
        for _ in range(8):
            x, y = rng.randint(-60, 60) * LATTICE, rng.randint(-60, 60) * LATTICE
            if max(abs(x), abs(y)) > 12 * LATTICE:
                block(world, x, y, rng.randint(0, 6) * LATTICE, rng.randint(0, 6) * LATTICE)
        world.move(id, rng.randint(-90, 90) * LATTICE, rng.randint(-90, 90) * LATTICE)
        assert [] == world.space.overlapping(id)


@pytest.mark.once
def test_the_first_body_of_random_scenes_is_that_of_brute_force_M10():
    rng = random.Random(30)
    met_count = 0
    for _ in range(300):
        world = CollisionWorld()
        units, boxes = rng.choice((1, 1 << 14, 1 << 16)), {}
        size = rng.randint(1, 4) * units
        id = bullet(world, half=size * LATTICE / 2 if size % 2 == 0 else size * LATTICE)
        half = size // 2 if size % 2 == 0 else size
        for _ in range(rng.randint(1, 9)):
            low = [rng.randint(-40, 40) * units for _ in range(2)]
            extent = [2 * rng.randint(0, 8) * units for _ in range(2)]
            high = [a + b for a, b in zip(low, extent, strict=True)]
            if all(low[axis] < half and high[axis] > -half for axis in (0, 1)):
                continue
            centre = [(a + b) / 2 * LATTICE for a, b in zip(low, high, strict=True)]
            other = block(world, *centre, *(length / 2 * LATTICE for length in extent))
            boxes[other] = (low, high)
        dx, dy = (rng.randint(-60, 60) * units + rng.randint(-3, 3) for _ in range(2))
        times = []
        for other, (low, high) in boxes.items():
            grown = (
                (low[0] - half, low[1] - half, -UNIT),
                (high[0] + half, high[1] + half, UNIT),
            )
            entered = box_entered(grown, (0, 0, 0), (dx, dy, 0)) if dx or dy else None
            if entered is not None and entered[0] <= 1:
                times.append((entered[0], other))
        result = world.move(id, dx * LATTICE, dy * LATTICE)
        moved = [round(by / LATTICE) for by in result.moved[:2]]
        assert [] == world.space.overlapping(id)
        if not times or min(times)[0] == 1:
            assert [dx, dy] == moved or abs(max(map(abs, (dx, dy))) - max(map(abs, moved))) <= 2
            continue
        time, first = min(times)
        met_count += 1
        assert [first] == [hit.entity for hit in result.hits]
        for by, gone in zip((dx, dy), moved, strict=True):
            assert abs(gone) <= abs(by) * time
            assert abs(abs(by) * time - abs(gone)) < 3, "no farther back than rounding needs"
    assert met_count > 60


def test_balls_and_turned_boxes_meet_by_their_true_shapes_M10():
    world = CollisionWorld()
    id = bullet(world, collider=SphereCollider(0.5))
    world.add(transform=Transform(3, 1.0), collider=SphereCollider(0.5), static=Static())
    assert world.move(id, 6).complete, "the bounds touch, the balls do not meet"
    world = CollisionWorld()
    id = bullet(world, 0, 2, collider=SphereCollider(0.5))
    world.add(transform=Transform(8, 0, rotation=math.pi / 4), collider=OrientedBoxCollider(4, 4), static=Static())
    [hit] = world.move(id, 10, 0.25).hits
    assert pytest.approx((-math.sqrt(0.5), math.sqrt(0.5), 0)) == hit.normal
    assert [] == world.space.overlapping(id)


@pytest.mark.parametrize("seed", range(12))
def test_shapes_of_all_kinds_never_end_inside_another_M10(seed):
    rng = random.Random(seed)
    world = CollisionWorld()
    for _ in range(12):
        angle, x, y = rng.uniform(0, 6), rng.uniform(-9, 9), rng.uniform(-9, 9)
        if abs(x) < 3.5 and abs(y) < 3.5:
            continue
        collider = rng.choice((OrientedBoxCollider(1.5, 0.5), SphereCollider(0.8), BoxCollider(1, 0.5)))
        if isinstance(collider, BoxCollider):
            world.add(transform=Transform(x, y), collider=collider, static=Static())
        else:
            world.add(transform=Transform(x, y, rotation=angle), collider=collider.copy(), static=Static())
    shapes = (SphereCollider(0.5), OrientedBoxCollider(0.6, 0.3), BoxCollider(0.4, 0.4))
    response = ("stop", "slide", "bounce")[seed % 3]
    id = bullet(world, collider=shapes[seed % 2] if seed % 4 else shapes[2], response=response)
    for _ in range(40):
        world.move(id, rng.uniform(-8, 8), rng.uniform(-8, 8))
        assert [] == world.space.overlapping(id)
        world.teleport(id, 0, 0)
    world.check()


# What overlaps from the start (P9).


def test_what_overlaps_may_come_out_but_not_go_deeper_M10_P9():
    world = CollisionWorld()
    id, wall = bullet(world, 0.75, 0), block(world, 1.5, 0, 0.5, 5)
    result = world.move(id, 3, 1)
    assert (0.0, 0.0, 0.0) == result.moved
    assert (wall, (-1.0, 0.0, 0.0)) == (result.hits[0].entity, result.hits[0].normal)
    assert world.move(id, -2, 1).complete
    world = CollisionWorld(overlap_policy="leave")
    id = bullet(world, 0.75, 0)
    block(world, 1.5, 0, 0.5, 5)
    assert world.move(id, 3, 1).complete


# Slide, bounce, cross.


def test_slide_goes_on_along_boxes_exactly_M10():
    world = CollisionWorld()
    id = bullet(world, response="slide")
    wall = block(world, 3, 0, 0.5, 20)
    result = world.move(id, 4, 2)
    assert (2.0, 2.0) == place(world, id)
    assert (Hit(wall, (-1.0, 0.0, 0.0), "slide", (2.0, 1.0, 0.0)),) == result.hits
    assert ["x"] == [stop.axis for stop in result.stops]
    corner = block(world, 2, 4, 2, 0.5)
    result = world.move(id, 1, 3)
    assert (2.0, 3.0) == place(world, id)
    assert [wall, corner] == [hit.entity for hit in result.hits]


def test_slide_follows_a_turned_surface_in_one_motion_M10():
    world = CollisionWorld()
    id = bullet(world, collider=SphereCollider(0.5), response="slide")
    world.add(
        transform=Transform(6, 4, rotation=math.radians(30)), collider=OrientedBoxCollider(40, 1), static=Static()
    )
    result = world.move(id, 3, 10)
    assert 1 == len(result.hits), "rounding leads away from the surface, so it is met once"
    normal = result.hits[0].normal
    assert pytest.approx((0.5, -math.sqrt(0.75), 0)) == normal
    contact = result.hits[0].moved
    left = (3 - contact[0], 10 - contact[1])
    into = left[0] * normal[0] + left[1] * normal[1]
    expected = (contact[0] + left[0] - into * normal[0], contact[1] + left[1] - into * normal[1])
    assert pytest.approx(expected, abs=4 * LATTICE) == place(world, id)


@pytest.mark.parametrize("degrees", [0, 15, 45, 80])
def test_a_bounce_keeps_the_angle_and_the_length_M10(degrees):
    world = CollisionWorld()
    id = bullet(world, collider=SphereCollider(0.5), response="bounce")
    wall = world.add(
        transform=Transform(8, 0, rotation=math.radians(degrees)), collider=OrientedBoxCollider(1, 40), static=Static()
    )
    result = world.move(id, 20, 3)
    [hit] = result.hits
    assert (wall, "bounce") == (hit.entity, hit.response)
    before = (20 - hit.moved[0], 3 - hit.moved[1])
    after = (result.moved[0] - hit.moved[0], result.moved[1] - hit.moved[1])
    nx, ny, _ = hit.normal
    into, out = (x * nx + y * ny for x, y in (before, after))
    assert out == pytest.approx(-into, abs=4 * LATTICE)
    assert pytest.approx(math.hypot(*before), abs=4 * LATTICE) == math.hypot(*after), "energy"


def test_a_bullet_bounces_between_walls_by_exact_numbers_M10():
    world = CollisionWorld(bounds=((-4.5, -4.5), (4.5, 4.5)))
    id = bullet(world, response="bounce")
    result = world.move(id, 10, 6)
    assert (-2.0, 2.0) == place(world, id), "the bounds are a mirror: 10 is -2 beyond 4, 6 is 2"
    assert [None, None] == [hit.entity for hit in result.hits]
    assert {StopReason.BOUNDS} == {stop.reason for stop in result.stops}


def test_the_bounds_stop_and_slide_too_M10_P18():
    for response, expected in (("push", (4.0, 2.0)), ("cross", (4.0, 2.0)), ("slide", (4.0, 4.0))):
        world = CollisionWorld(bounds=((-4.5, -4.5), (4.5, 4.5)))
        id = bullet(world, response=response)
        world.move(id, 8, 4)
        assert expected == place(world, id)


def test_what_is_crossed_is_reported_in_the_order_of_the_line_M10():
    world = CollisionWorld()
    id = bullet(world, responses={"ghost": "cross"})
    near_wall = block(world, 9, 0, inertia=Inertia(1), layer="ghost")
    far = block(world, 6, 0, layer="ghost", inertia=Inertia(1))
    near = block(world, 3, 0, layer="ghost", inertia=Inertia(1))
    block(world, 8.5, 0, 0.25, 9)
    world.request(id, 20)
    events = [(event.entity, event.other) for event in world.step().events if isinstance(event, Crossed)]
    assert [(id, near), (id, far)] == events
    assert near_wall


def test_a_bullet_that_is_inside_what_it_crosses_goes_on_M10():
    world = CollisionWorld()
    id = bullet(world, responses={"ghost": "cross"})
    ghost = block(world, 3, 0, layer="ghost", inertia=Inertia(1))
    crossed = []
    for _ in range(5):
        world.request(id, 1.25, 0.125)
        crossed.append([event.other for event in world.step().events if isinstance(event, Crossed)])
    assert [[], [ghost], [], [], []] == crossed
    assert (6.25, 0.625) == place(world, id)
    world.check()


def test_the_hook_is_asked_in_the_order_of_the_line_M10():
    asked = []
    world = CollisionWorld(respond=lambda mover, other: asked.append(other) or "cross")
    id = bullet(world)
    for x in (9, 3, 6):
        block(world, x, 0)
    assert world.move(id, 20).complete
    assert [3, 4, 2] == asked


# Groups, 3D, frames.


def test_a_group_moves_as_one_with_all_its_parts_M10():
    world = CollisionWorld()
    id = bullet(world)
    arm = world.add(transform=Transform(0, 3), collider=BoxCollider(0.5, 0.5), fused=Fused(id))
    wall = block(world, 4, 5)
    result = world.move(id, 8, 4)
    assert (wall,) == result.stops[0].blockers
    assert place(world, id)[1] + 3 == place(world, arm)[1]
    assert [] == world.space.overlapping(arm)
    assert place(world, id) != (8.0, 4.0)


def test_a_group_has_the_filter_of_each_member_M10():
    world = CollisionWorld()
    id = bullet(world)
    world.add(transform=Transform(0, 3), collider=BoxCollider(0.5, 0.5, mask="other"), fused=Fused(id))
    block(world, 4, 5)
    assert world.move(id, 8, 4).complete


@pytest.mark.parametrize(("near", "far"), [(4, 6), (6, 4), (4, 4)])
def test_of_two_members_with_other_filters_the_first_that_meets_ends_the_line_M10(near, far):
    world = CollisionWorld()
    id = bullet(world)
    world.add(transform=Transform(0, 3), collider=BoxCollider(0.5, 0.5, layer="arm"), fused=Fused(id))
    first, second = block(world, near, 0), block(world, far, 3)
    [hit] = world.move(id, 9).hits
    assert (first if near <= far else second) == hit.entity
    assert min(near, far) - 1.0 == place(world, id)[0]


def test_the_side_that_faces_a_displacement_is_that_of_its_longest_axis_M10():
    assert [(-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)] == [
        facing(way) for way in ((3, 1, 0), (1, -3, 2), (2, -2, 2))
    ]


def test_a_trigger_and_a_disabled_body_meet_nothing_M10():
    world = CollisionWorld(bounds=((-9, -9), (9, 9)))
    block(world, 4, 2)
    ghost = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), trigger=Trigger())
    off = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5, enabled=False))
    for id in (ghost, off):
        assert world.move(id, 20, 10, straight=True).complete


def test_in_three_dimensions_M10():
    world = CollisionWorld()
    id = bullet(world)
    wall = block(world, 0, 0, 20, 20, 0.5, z=4)
    result = world.move(id, 6, 3, 6)
    assert (3.0, 1.5, 3.0) == result.moved
    assert [(wall, (0.0, 0.0, -1.0))] == [(hit.entity, hit.normal) for hit in result.hits]


@pytest.mark.parametrize("order", ["sequential", "front_first"])
def test_requests_are_straight_in_frames_of_either_order_M10_P10(order):
    world = CollisionWorld(order=order)
    id = bullet(world)
    block(world, 2, 0, 0.5, 2)
    world.request(id, 4, 2)
    frame = world.step()
    assert (1.0, 0.5) == place(world, id)
    assert frame.results[id].hits
    world.check()


def test_all_or_nothing_moves_nothing_unless_the_line_is_free_M10_P5():
    world = CollisionWorld()
    id = bullet(world)
    block(world, 4, 0)
    result = world.move(id, 8, 1, all_or_nothing=True)
    assert (0.0, 0.0, 0.0) == result.moved
    assert result.blocked_x
    assert world.move(id, 2, 1, all_or_nothing=True).complete


def test_a_plan_is_what_move_returns_M10_P17():
    world = CollisionWorld()
    id = bullet(world, response="bounce")
    block(world, 3, 0, 0.5, 20)
    plan = world.plan(id, 5, 5)
    assert (0.0, 0.0) == place(world, id)
    assert plan.commit() == plan.result
    assert (-1.0, 5.0) == place(world, id)


def test_straight_is_checked_M10():
    world = CollisionWorld()
    id = bullet(world)
    with pytest.raises(CollisionTypeError, match=rf"straight of entity {id}"):
        world.move(id, 1, straight="yes")


def test_a_result_with_hits_is_a_value_M10():
    import copy
    import pickle

    world = CollisionWorld()
    id = bullet(world)
    block(world, 3, 0)
    result = world.move(id, 5)
    assert result == pickle.loads(pickle.dumps(result)) == copy.copy(result)
    assert "hits=(Hit(entity=2, normal=(-1.0, 0.0, 0.0), response='stop', moved=(2.0, 0.0, 0.0)),)" in repr(result)


# Swept triggers (T4).


def swept_events(world, id, dx, dy):
    world.step()
    world.request(id, dx, dy)
    return [
        (type(event).__name__, event.trigger)
        for event in world.step().events
        if isinstance(event, TriggerEntered | TriggerLeft)
    ]


def test_a_swept_trigger_sees_the_straight_path_M10_T4():
    # on the line from (0, 0) to (8, 8), the middle one is passed; those beside it only on the path axis by axis
    for straight, expected in ((True, [2]), (False, [3])):
        world = CollisionWorld()
        id = world.add(
            transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(), mover=Mover(straight=straight)
        )
        for x, y in ((4, 4), (4, 0), (0, 4)):
            world.add(transform=Transform(x, y), collider=BoxCollider(0.5, 0.5), trigger=Trigger(swept=True))
        events = swept_events(world, id, 8, 8)
        assert [(name, trigger) for trigger in expected for name in ("TriggerEntered", "TriggerLeft")] == events


def test_a_straight_path_past_a_trigger_goes_by_true_shapes_M10_T4():
    for collider, x, expected in (
        (SphereCollider(1), 4.0, 1), (SphereCollider(1), 6.5, 0), (OrientedBoxCollider(1, 1), 4.0, 1),
        (OrientedBoxCollider(1, 1), 6.9, 0),
    ):  # fmt: skip
        world = CollisionWorld()
        id = bullet(world)
        world.add(
            transform=Transform(x, 4, rotation=math.pi / 4), collider=collider.copy(), trigger=Trigger(swept=True)
        )
        assert 2 * expected == len(swept_events(world, id, 8, 8)), (collider, x)


def test_a_bounce_into_a_swept_trigger_and_out_again_is_seen_M10_T4():
    world = CollisionWorld()
    id = bullet(world, response="bounce")
    block(world, 4, 0, 0.5, 20)
    world.add(transform=Transform(2, 0), collider=BoxCollider(0.25, 20), trigger=Trigger(swept=True))
    assert ["TriggerEntered", "TriggerLeft"] * 2 == [name for name, _ in swept_events(world, id, 6, 1)]


def test_touching_sees_a_straight_path_along_a_face_but_no_corner_M10_T4():
    for x, y, by, expected in ((4, 1, (8, 0), 2), (4, 1.5, (8, 0), 0), (4, 2, (4, 4), 0)):
        world = CollisionWorld()
        id = bullet(world)
        world.add(transform=Transform(x, y), collider=BoxCollider(0.5, 0.5), trigger=Trigger(swept=True, touching=True))
        if (x, y) == (4, 2):  # the line touches its corner at (3.5, 1.5): (0.5, 0.5) moved by (3, 3) and (1, 1)
            world.teleport(id, 2, 0)
            by = (2, -2)
        assert expected == len(swept_events(world, id, *by)), (x, y)


def test_fractions_of_the_oracle_are_exact():
    assert (Fraction(1, 2), 0) == box_entered(((1, -1, -1), (3, 1, 1)), (0, 0, 0), (2, 0, 0))
