"""Bodies that cross a trigger within one frame: the cases T07 and T17 (rule T4)."""

from __future__ import annotations

import esper
import pytest
from worlds import a_box, a_crate, a_player, a_system, a_wall, a_zone, next_frame, part, place

from ecs_collision import Box, BoxCollider, CompoundCollider, Motion, Transform, Trigger


@pytest.mark.parametrize(("swept", "reported"), [(False, []), (True, ["entered", "left"])], ids=["plain", "swept"])
def test_a_body_crossing_a_trigger_within_a_frame_is_reported_only_if_swept_T07(system, swept, reported):
    plate, body = a_zone(5, swept=swept), a_player(0)
    next_frame(system)
    part(body, Motion).move(dx=10)
    assert next_frame(system) == [(word, plate, body, *(["MOVED"] if word == "left" else [])) for word in reported]
    assert system.inside(plate) == []


def test_of_two_triggers_that_cross_only_the_swept_one_reports_it_T07(system):
    swept = a_zone(5, layer="swept", swept=True, mask="plain")
    plain = a_zone(0, layer="plain", mask="swept")
    next_frame(system)
    assert system.move(plain, 10).complete
    assert next_frame(system) == [("entered", swept, plain), ("left", swept, plain, "MOVED")]


@pytest.mark.parametrize(("axis_order", "crossed"), [("xyz", 0), ("yxz", 1)])
def test_a_crossing_follows_the_path_by_axes_T07(world, axis_order, crossed):
    """From (0, 0) to (4, 4) by x first: the plate at (4, 2) is crossed, those at (0, 2) and (2, 2) are not."""
    system = a_system(axis_order=axis_order)
    plates = [a_zone(4, 2, swept=True), a_zone(0, 2, swept=True), a_zone(2, 2, swept=True)]
    body = a_player(0)
    next_frame(system)
    part(body, Motion).move(4, 4)
    assert next_frame(system) == [("entered", plates[crossed], body), ("left", plates[crossed], body, "MOVED")]
    assert [system.inside(plate) for plate in plates] == [[], [], []]


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


def test_a_plate_without_thickness_crosses_parts_that_abut_as_one_T07(system):
    parts = [Box(0.5, 0.5), Box(0.5, 0.5, offset=(1, 0, 0))]
    zone = esper.create_entity(Transform(5, 0), CompoundCollider(parts), Trigger(swept=True))
    body = a_player(0, hx=0)
    next_frame(system)
    part(body, Motion).move(dx=10)
    assert next_frame(system) == [("entered", zone, body), ("left", zone, body, "MOVED")]


def test_two_plates_without_thickness_pass_through_each_other_without_events_T07(system):
    """They never overlap (L4); if touching counts, they touch for a moment."""
    a_zone(5, hx=0, swept=True)
    touchy = a_zone(5, hx=0, swept=True, touching=True)
    body = a_player(0, hx=0)
    next_frame(system)
    part(body, Motion).move(dx=10)
    assert next_frame(system) == [("entered", touchy, body), ("left", touchy, body, "MOVED")]


@pytest.mark.parametrize("way", [3, -3])
def test_a_motion_through_a_touched_trigger_only_leaves_it_if_touching_counts_T07(system, way):
    zone, body = a_zone(0, swept=True, touching=True), a_player(-1 if way > 0 else 1)
    assert next_frame(system) == [("entered", zone, body)]
    part(body, Motion).move(dx=way)
    assert next_frame(system) == [("left", zone, body, "MOVED")]


def test_a_teleport_crosses_nothing_T07(system):
    a_zone(5, swept=True)
    body = a_player(0)
    next_frame(system)
    part(body, Transform).x = 10
    assert next_frame(system) == []


@pytest.mark.parametrize("after", [0, 3])
@pytest.mark.parametrize("way", [(5,), (10, -5), (10, -10, 5)], ids=["in", "in, out, in", "in, out, in, out, in"])
def test_a_lingering_body_that_is_inside_at_the_end_has_not_left_T4_T5(system, way, after):
    """The contact lingers by the value of `linger` in the frame in which the body left, even if it is changed later."""
    plate, body = a_zone(0, swept=True, linger=3), a_box(0)
    assert next_frame(system) == [("entered", plate, body)]
    system.teleport(body, -5, 0)
    assert next_frame(system) == []
    part(plate, Trigger).linger = after
    for dx in way:
        assert system.move(body, dx).complete
    assert next_frame(system) == []
    assert system.inside(plate) == [body]


@pytest.mark.parametrize("after", [0, 3])
@pytest.mark.parametrize("reason", ["DISABLED", "FILTERED"])
@pytest.mark.parametrize("way", [(10,), (5, 5), (10, -10)], ids=["through", "in, out", "through and back"])
def test_a_lingering_body_that_crossed_and_is_not_reported_now_leaves_once_T3_T5(system, way, reason, after):
    """It counts as inside while it lingers, so nothing began on its path."""
    plate, body = a_zone(0, swept=True, linger=3), a_box(0)
    assert next_frame(system) == [("entered", plate, body)]
    system.teleport(body, -5, 0)
    assert next_frame(system) == []
    part(plate, Trigger).linger = after
    for dx in way:
        assert system.move(body, dx).complete
    if reason == "DISABLED":
        part(body, BoxCollider).enabled = False
    else:
        part(plate, Trigger).mask = "nothing"
    assert next_frame(system) == [("left", plate, body, reason)]
    assert next_frame(system) == []


def test_a_crossing_is_reported_after_a_deleted_body_of_the_same_id_T3_E3(system):
    plate, body = a_zone(0, swept=True, linger=1), a_crate(0)
    assert next_frame(system) == [("entered", plate, body)]
    parts = esper.components_for_entity(plate)
    esper.clear_database()
    assert esper.create_entity(*parts) == plate
    assert a_crate(-5) == body
    assert system.move(body, 10).complete
    part(plate, BoxCollider).enabled = False
    assert next_frame(system) == [
        ("left", plate, body, "DELETED"), ("entered", plate, body), ("left", plate, body, "DISABLED"),
    ]  # fmt: skip


@pytest.mark.parametrize(("y", "dy"), [(7, -8), (-1, 0.5), (7, -7.5)], ids=["its end", "its beginning", "nowhere"])
def test_a_path_that_only_touches_a_trigger_has_no_effect_T4(system, y, dy):
    """The body is inside at the end of both frames, and outside only by teleports; on its path it is never inside."""
    plate, body = a_zone(0, -4, hy=2.5, swept=True), a_box(0, -2)
    assert next_frame(system) == [("entered", plate, body)]
    system.teleport(body, 0, y)
    assert system.move(body, 0, dy).complete
    part(plate, Transform).y = part(body, Transform).y
    assert next_frame(system) == []
    assert system.inside(plate) == [body]


@pytest.mark.parametrize("swept", [False, True], ids=["plain", "swept"])
def test_a_box_pushed_on_and_off_a_plate_by_two_movers_in_one_frame_case_T17(system, swept):
    """One player pushes the crate from 2 to 5, onto the plate; the other pushes it up from there."""
    plate, crate = a_zone(5, swept=swept, mask="crates"), a_crate(2, layer="crates")
    first, second = a_player(0), a_player(5, -1)
    next_frame(system)
    part(first, Motion).move(dx=4)
    part(second, Motion).move(dy=3)
    reported = next_frame(system)
    assert place(crate) == (5, 3, 0)
    assert reported == ([("entered", plate, crate), ("left", plate, crate, "MOVED")] if swept else [])


def test_a_crossing_of_a_deleted_body_is_not_reported_T07(system):
    """The body moves and is deleted before the frame ends; a new body with its id crossed nothing."""
    plate, body = a_zone(5, swept=True), a_player(0)
    next_frame(system)
    system.move(body, 10)
    esper.delete_entity(body, immediate=True)
    a_player(20)
    assert next_frame(system) == []
    assert system.inside(plate) == []


@pytest.mark.parametrize("linger", [1, 3])
def test_a_crossing_starts_lingering_T07(system, linger):
    """Rule T5: the contact lasts for `linger` frames after the crossing, and the next crossing renews it."""
    plate, body = a_zone(5, swept=True, linger=linger), a_player(0)
    next_frame(system)
    part(body, Motion).move(dx=10)
    assert next_frame(system) == [("entered", plate, body)]
    assert [next_frame(system) for _ in range(linger)] == [[]] * linger
    part(body, Motion).move(dx=-10)
    left = [("left", plate, body, "MOVED")]
    assert [next_frame(system) for _ in range(linger + 3)] == [*[[]] * (linger + 1), left, []]
