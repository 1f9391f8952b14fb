"""Bodies that cross a trigger within one frame: the cases T07 and T17 (rule T4)."""

from __future__ import annotations

import pytest
from worlds import a_box, a_crate, a_player, a_system, a_wall, a_zone, next_frame, part, place

from ecs_collision import Motion, Transform


@pytest.mark.parametrize(("swept", "told"), [(False, []), (True, ["entered", "left"])], ids=["plain", "swept"])
def test_a_body_crossing_a_trigger_within_a_frame_is_reported_only_if_swept_T07(system, swept, told):
    plate, body = a_zone(5, swept=swept), a_player(0)
    next_frame(system)
    part(body, Motion).move(dx=10)
    assert next_frame(system) == [(word, plate, body, *(["MOVED"] if word == "left" else [])) for word in told]
    assert system.inside(plate) == []


def test_a_crossing_follows_the_path_by_axes_T07(system):
    """From (0, 0) to (4, 4) by x first: the plate at (4, 2) is crossed, those at (0, 2) and (2, 2) are not."""
    on_the_way, beside, diagonal = a_zone(4, 2, swept=True), a_zone(0, 2, swept=True), a_zone(2, 2, swept=True)
    body = a_player(0)
    next_frame(system)
    part(body, Motion).move(4, 4)
    assert next_frame(system) == [("entered", on_the_way, body), ("left", on_the_way, body, "MOVED")]
    assert system.inside(beside) == system.inside(diagonal) == []


def test_a_crossing_follows_the_axis_order_of_the_system_T07(world):
    system = a_system(axis_order="yxz")
    a_zone(4, 2, swept=True)
    beside = a_zone(0, 2, swept=True)
    body = a_player(0)
    next_frame(system)
    part(body, Motion).move(4, 4)
    assert next_frame(system) == [("entered", beside, body), ("left", beside, body, "MOVED")]


def test_a_crossing_stops_where_the_motion_was_stopped_T07(system):
    reached, beyond, body = a_zone(2, swept=True), a_zone(6, swept=True), a_player(0)
    a_wall(5)
    next_frame(system)
    part(body, Motion).move(dx=10)
    assert next_frame(system) == [("entered", reached, body), ("left", reached, body, "MOVED")]
    assert system.inside(beyond) == []


def test_a_pushed_body_crosses_a_swept_trigger_too_T07(system):
    plate, crate, player = a_zone(5, swept=True), a_crate(1), a_player(0)
    next_frame(system)
    part(player, Motion).move(dx=8)
    assert next_frame(system) == [
        ("entered", plate, crate),
        ("left", plate, crate, "MOVED"),
        ("entered", plate, player),
        ("left", plate, player, "MOVED"),
    ]


def test_a_swept_trigger_that_moves_over_a_body_crosses_it_T07(system):
    plate, body = a_zone(0, 0, Motion(), swept=True), a_box(5)
    next_frame(system)
    part(plate, Motion).move(dx=10)
    assert next_frame(system) == [("entered", plate, body), ("left", plate, body, "MOVED")]


def test_a_teleport_crosses_nothing_T07(system):
    a_zone(5, swept=True)
    body = a_player(0)
    next_frame(system)
    part(body, Transform).x = 10
    assert next_frame(system) == []


def test_crossing_and_ending_inside_only_enters_T07(system):
    plate, body = a_zone(5, swept=True), a_player(0)
    next_frame(system)
    part(body, Motion).move(dx=5)
    assert next_frame(system) == [("entered", plate, body)]
    part(body, Motion).move(dx=5)
    assert next_frame(system) == [("left", plate, body, "MOVED")]


@pytest.mark.parametrize("swept", [False, True], ids=["plain", "swept"])
def test_a_box_pushed_on_and_off_a_plate_by_two_movers_in_one_frame_T17(system, swept):
    """One player pushes the crate along from 2 to 5, onto the plate, the other up from there."""
    plate, crate = a_zone(5, swept=swept, mask="crates"), a_crate(2, layer="crates")
    first, second = a_player(0), a_player(5, -1)
    next_frame(system)
    part(first, Motion).move(dx=4)
    part(second, Motion).move(dy=3)
    told = next_frame(system)
    assert place(crate) == (5, 3, 0)
    assert told == ([("entered", plate, crate), ("left", plate, crate, "MOVED")] if swept else [])
