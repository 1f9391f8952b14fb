"""The lattice rules L1 to L5, and the worked example P6 on it."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from boards import Board
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ecs_collision import LATTICE, Box, BoxCollider, CollisionWorld, CompoundCollider, Inertia, Motion, Transform

NUMBERS = st.floats(-1000, 1000, allow_nan=False)
HALVES = st.one_of(st.floats(0, 20), st.floats(0, 4 * LATTICE), st.sampled_from([0.05, 0.1, 1 / 3]))


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        (0.5, 0.5),
        (LATTICE / 2, LATTICE),
        (-LATTICE / 2, 0.0),
        (3 * LATTICE / 2, 2 * LATTICE),
        (-3 * LATTICE / 2, -LATTICE),
        (LATTICE / 2 - 2**-40, 0.0),
        (0.1, 6554 * LATTICE),
        (7, 7.0),
    ],
)
def test_l1_a_position_rounds_halves_up_and_reads_back_rounded(given_, kept):
    """Rule L1."""
    transform = Transform(given_, 0)
    assert kept == transform.x
    transform.position = (0, given_)
    assert (0.0, kept, 0.0) == transform.position


def test_l1_strengths_round_and_infinity_is_kept():
    """Rule L1."""
    assert LATTICE == Inertia(LATTICE / 2).value
    assert 0.0 == Motion(force=LATTICE / 4).force
    assert math.inf == Inertia(math.inf).value == Motion(force=math.inf).force


def test_l1_half_extents_read_back_as_given():
    """Rule L1: only the faces are rounded."""
    collider = BoxCollider(0.1, 1 / 3, offset=(0.7, 0, 0))
    assert (0.1, 1 / 3, (0.7, 0.0, 0.0)) == (collider.hx, collider.hy, collider.offset)
    assert 0.1 == CompoundCollider([Box(0.1, 0.2)]).parts[0].hx


@given(
    places=st.tuples(NUMBERS, NUMBERS), halves=st.tuples(HALVES, HALVES), offsets=st.tuples(NUMBERS, NUMBERS),
    snug=st.booleans(),
)  # fmt: skip
@example(places=(0.1, 0.3), halves=(0.1, 0.1), offsets=(0.0, 0.0), snug=False)
@example(places=(0.0, 0.0), halves=(2**-20, 2**-20), offsets=(0.5 * LATTICE, 0.5 * LATTICE + 2**-19), snug=False)
def test_l1_boxes_apart_or_touching_as_given_never_overlap(places, halves, offsets, snug):
    """Rule L1: faces round inward, so rounding makes no overlap."""
    if snug:  # as close to touching as floats allow
        places = (places[0], places[0] + offsets[0] + halves[0] + halves[1] - offsets[1])
    high = Fraction(places[0]) + Fraction(offsets[0]) + Fraction(halves[0])
    low = Fraction(places[1]) + Fraction(offsets[1]) - Fraction(halves[1])
    assume(high <= low and abs(places[1]) < 5000)
    world = CollisionWorld()
    for place, half, offset in zip(places, halves, offsets, strict=True):
        world.add(transform=Transform(place, 0), collider=BoxCollider(half, 0.5, offset=(offset, 0)))
    assert [] == world.space.pairs()


@pytest.mark.parametrize(
    ("half", "offset", "low", "high"),
    [
        (0.1, 0.0, -6553, 6553),
        (0.1, 0.25, 9831, 22937),
        (LATTICE / 4, LATTICE / 2, 1, 1),
        (LATTICE, 0.4 * LATTICE, 0, 1),
        ((6553 - 2.0**-30) * LATTICE, 100_000.0, 6_553_593_448, 6_553_606_552),
    ],
    ids=["6553.6 about 0", "6553.6 about 16384", "thinner than a step", "a step to each side", "far off, by a hair"],
)
def test_l1_both_faces_of_a_box_round_inward(half, offset, low, high):
    """Rule L1: each of the two alone, in lattice steps; a box without a lattice point gets one."""
    faces = Box(half, half, half, offset=(offset, offset, offset)).faces
    assert ((low,) * 3, (high,) * 3) == (faces[:3], faces[3:])


@given(steps=st.lists(st.integers(-4000, 4000), min_size=1, max_size=12))
def test_l1_sums_are_exact_and_a_motion_forth_and_back_ends_at_its_start(steps):
    """Rule L1: no epsilon, no drift."""
    board = Board()
    player = board.player(0.1)
    start = board.places()
    for step in [*steps, *(-step for step in reversed(steps))]:
        board.push(player, step / 10)
    assert start == board.places()


def test_l2_a_motion_keeps_the_remainder_of_rounding():
    """Rule L2: ten tenths are one, though a tenth is not a lattice step; `move` keeps no remainder."""
    board = Board()
    kept, rounded = board.player(0, 0), board.player(0, 5)
    for _ in range(10):
        board.world.request(kept, dx=0.1)
        board.world.step()
        board.push(rounded, 0.1)
    assert 1.0 == board.at(kept)[0]
    assert 10 * 6554 * LATTICE == board.at(rounded)[0]


def test_l2_the_remainder_is_kept_per_axis():
    """Rule L2."""
    board = Board()
    player = board.player(0)
    board.world.request(player, dx=0.4 * LATTICE)
    board.world.step()
    board.world.request(player, dy=0.4 * LATTICE)
    board.world.step()
    assert (0.0, 0.0) == board.at(player)
    board.world.request(player, dx=0.2 * LATTICE)
    board.world.step()
    assert (LATTICE, 0.0) == board.at(player)


def test_l2_the_remainder_is_dropped_if_the_sign_changes():
    """Rule L2: 0.4, then -0.2 (drops 0.4), then -0.4: together -0.6 of a step."""
    board = Board()
    player = board.player(0)
    for steps in (0.4, -0.2, -0.4):
        board.world.request(player, dx=steps * LATTICE)
        board.world.step()
    assert -LATTICE == board.at(player)[0]


def test_l2_the_remainder_is_dropped_on_an_axis_that_was_blocked():
    """Rule L2: 1.4 is one step and 0.4 over; the wall drops the 0.4, otherwise 0.2 more would make a step."""
    board = Board()
    player, wall = board.player(0), board.wall(1)
    board.world.request(player, dx=1.4 * LATTICE)
    board.world.step()
    board.world.remove(wall)
    board.world.request(player, dx=0.2 * LATTICE)
    board.world.step()
    assert 0.0 == board.at(player)[0]


def test_l2_a_blocked_axis_keeps_the_remainder_of_the_others():
    """Rule L2: x is blocked; on y 0.4 of a step remains, and 0.2 more makes one."""
    board = Board()
    player = board.player(0)
    board.wall(1, h=9)
    board.world.request(player, dx=1, dy=1.4 * LATTICE)
    board.world.step()
    assert (0.0, LATTICE) == board.at(player)
    board.world.request(player, dy=0.2 * LATTICE)
    board.world.step()
    assert (0.0, 2 * LATTICE) == board.at(player)


def test_l3_all_faults_that_only_a_world_can_find_are_listed_and_nothing_is_applied():
    """Rule L3: the range is checked when changes are applied, for all changes before any is applied."""
    board = Board()
    first, second, third = board.crate(0), board.crate(5), board.crate(10)
    board.transforms[first].x = 2.0**21
    board.transforms[second].y = -(2.0**22)
    board.transforms[third].x = 12.5
    with pytest.raises(ValueError) as caught:
        board.world.apply_changes()
    text = str(caught.value)
    assert f"entity {first}" in text and f"entity {second}" in text and f"entity {third}" not in text
    assert "Transform.x" in text and "Transform.y" in text
    board.transforms[first].x = 0.5
    board.transforms[second].y = 0.5
    assert [third] == board.world.space.at(12.5, 0.5)
    board.world.check()


def test_l4_a_zero_extent_is_valid_and_stops_like_any_body():
    """Rule L4."""
    board = Board()
    plate, wall = board.player(0, w=0), board.wall(3, w=0)
    board.push(plate, 9)
    assert 3.0 == board.at(plate)[0]
    assert ([wall], []) == (board.world.touching(plate), board.world.space.overlapping(plate))


def test_l4_a_cast_meets_the_bodies_that_a_motion_would_meet():
    """Rule L4: also a plate without thickness."""
    board = Board()
    plate, wall = board.player(0, w=0), board.wall(3, w=0)
    hit = board.world.space.cast(plate, (6, 0))
    assert hit is not None
    assert (wall, 0.5, 3.0, (-1, 0, 0)) == (hit.entity, hit.fraction, hit.distance, hit.normal)


def test_l5_a_flat_body_extends_half_a_unit_up_and_down():
    """Rule L5."""
    board = Board()
    flat, above, touching = board.crate(0), board.crate(0, z=0.75), board.crate(0, z=-1.0)
    assert [above] == board.world.space.overlapping(flat)
    assert [touching] == board.world.space.touching(flat)
    assert board.world.space.overlapping(((0, 0), (1, 1))) == [flat, above]


def test_p6_the_worked_example():
    """Rule P6: A wants 4; C is 1 away; B is 2 away with a wall 1 behind it."""
    board = Board()
    a, c, b, wall = board.player(0), board.crate(2), board.crate(4), board.wall(6)
    result = board.push(a, 4)
    assert (3.0, 0.0, 0.0) == result.moved
    assert {c: (2.0, 0.0, 0.0), b: (1.0, 0.0, 0.0)} == result.pushed
    assert [(a, c, "x", 1.0), (c, b, "x", 1.0)] == [(k.pusher, k.pushed, k.axis, k.gap) for k in result.links]
    assert wall == result.stops[0].blocker
