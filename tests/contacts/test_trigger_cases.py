"""The trigger cases T01 to T18, without the crossings of cases T07 and T17 (rules T1 to T8)."""

from __future__ import annotations

import gc

import esper
import pytest
from worlds import a_box, a_crate, a_player, a_sleeper, a_wall, a_zone, next_frame, of_kind, part, place, trigger_events

from ecs_collision import (
    Blocked,
    Box,
    BoxCollider,
    CollisionSystem,
    CompoundCollider,
    Inertia,
    Motion,
    Moved,
    Pushed,
    Sleeping,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    Woke,
)

TWO_STEPS_APART = [Box(0.5, 0.5), Box(0.5, 0.5, offset=(2, 0, 0))]


def test_a_hundred_frames_inside_enter_once_stay_each_frame_and_leave_once_T01(system):
    plate, body = a_zone(0, stay=True), a_player(0.25)
    assert next_frame(system) == [("entered", plate, body)]
    for _ in range(99):
        assert next_frame(system) == [("stayed", plate, body)]
    part(body, Motion).move(dx=5)
    assert next_frame(system) == [("left", plate, body, "MOVED")]
    assert next_frame(system) == []


@pytest.mark.parametrize(("touching", "reported"), [(False, False), (True, True)], ids=["strict", "touching"])
def test_a_box_pushed_exactly_onto_the_border_of_a_trigger_touches_it_T02(system, touching, reported):
    """Plate [-0.5, 0.5]; the crate stops with its left face at 0.5."""
    plate, crate, player = a_zone(0, touching=touching), a_crate(3), a_player(4)
    assert next_frame(system) == []
    part(player, Motion).move(dx=-2)
    assert next_frame(system) == ([("entered", plate, crate)] if reported else [])
    assert place(crate) == (1.0, 0.0, 0.0)
    part(player, Motion).move(dx=-0.25)
    assert next_frame(system) == ([] if reported else [("entered", plate, crate)])


@pytest.mark.parametrize(
    ("spot", "reported"), [((1, 0), True), ((1, 0.75), True), ((1, 1), False), ((0.75, 0.75), True)],
    ids=["face", "part of a face", "edge", "overlap"],
)  # fmt: skip
def test_a_touching_trigger_reports_faces_and_overlaps_but_no_edges_T02(system, spot, reported):
    plate, body = a_zone(0, touching=True), a_box(*spot)
    assert next_frame(system) == ([("entered", plate, body)] if reported else [])


def test_touching_may_be_switched_while_a_body_touches_T02(system):
    plate, body = a_zone(0), a_box(1)
    assert next_frame(system) == []
    part(plate, Trigger).touching = True
    assert next_frame(system) == [("entered", plate, body)]
    part(plate, Trigger).touching = False
    assert next_frame(system) == [("left", plate, body, "MOVED")]


def test_a_compound_whose_gap_lies_over_a_trigger_has_left_it_T03(system):
    plate = a_zone(0)
    body = esper.create_entity(Transform(-5, 0), CompoundCollider(TWO_STEPS_APART))
    reported = []
    for step in range(1, 9):
        part(body, Transform).x = -5 + step
        reported += [(step, *phrase) for phrase in next_frame(system)]
    # The foremost part is in at x = -2, neither part at -1, the rear one at 0.
    assert reported == [
        (3, "entered", plate, body),
        (4, "left", plate, body, "MOVED"),
        (5, "entered", plate, body),
        (6, "left", plate, body, "MOVED"),
    ]


def test_crossing_from_one_part_of_a_trigger_to_the_next_never_leaves_it_T04(system):
    parts = [Box(0.5, 0.5), Box(0.5, 0.5, offset=(1, 0, 0)), Box(0.5, 0.5, offset=(1, 1, 0))]
    plate = esper.create_entity(Transform(0, 0), CompoundCollider(parts), Trigger())
    body = a_player(-1.75)
    reported = []
    for dx, dy in [(1, 0), (1, 0), (1, 0), (0, 1), (0, 0.5), (1, 0)]:
        part(body, Motion).move(dx, dy)
        reported.append(next_frame(system))
    assert reported == [[("entered", plate, body)], [], [], [], [], [("left", plate, body, "MOVED")]]


def test_the_box_at_the_end_of_a_chain_of_five_enters_what_it_is_pushed_into_T05(system):
    chain = [a_crate(x) for x in range(1, 6)]
    plate, player = a_zone(6), a_player(0)
    next_frame(system)
    part(player, Motion).move(dx=0.5)
    assert next_frame(system) == [("entered", plate, chain[-1])]
    part(player, Motion).move(dx=1)
    assert next_frame(system) == [("entered", plate, chain[-2])]


def test_a_failed_all_or_nothing_push_reports_only_blocked_T06(system):
    """Rule P11."""
    plate, _, wall, player = a_zone(3.5, statics=True), a_crate(2), a_wall(4), a_player(0)
    next_frame(system)
    part(player, Motion).all_or_nothing = True
    part(player, Motion).move(dx=3)
    assert next_frame(system) == []
    assert of_kind(system, Moved) + of_kind(system, Pushed) == []
    assert [type(event) for event in system.events] == [Blocked]
    assert system.inside(plate) == [wall]


@pytest.mark.parametrize("kind", [BoxCollider, Transform])
def test_a_body_that_keeps_its_collider_or_its_transform_stays_inside_E3(system, kind):
    plate, body = a_zone(0), a_crate(0.5)
    assert next_frame(system) == [("entered", plate, body)]
    esper.add_component(body, part(body, kind).copy())
    assert next_frame(system) == []
    esper.add_component(body, BoxCollider(0.5, 0.5))
    esper.add_component(body, Transform(0.5, 0))
    assert next_frame(system) == [("left", plate, body, "DELETED"), ("entered", plate, body)]


def test_a_body_created_inside_enters_in_its_first_frame_T09(system):
    plate = a_zone(0)
    next_frame(system)
    bodies = [a_crate(0.5), a_box(-0.5), a_sleeper(0, 0.5)]
    assert next_frame(system) == [("entered", plate, body) for body in bodies]


@pytest.mark.parametrize("immediate", [True, False], ids=["at once", "deferred"])
@pytest.mark.parametrize("asked", [True, False], ids=["seen by a question", "never seen"])
def test_a_body_created_and_deleted_between_two_frames_gives_no_event_T09(system, immediate, asked):
    a_zone(0)
    next_frame(system)
    body = a_crate(0.5)
    if asked:
        assert system.space.at(0.5, 0) == [body]
    esper.delete_entity(body, immediate=immediate)
    assert next_frame(system) == []


def test_a_body_moved_into_a_trigger_by_a_handler_enters_in_the_next_frame_T10(system):
    plate, second, body, other = a_zone(0), a_zone(10), a_player(5), a_player(20)
    heard = []

    @system.on(TriggerEntered)
    def carry_on(event):
        heard.append((event.frame, event.trigger, event.other))
        if event.trigger == plate:
            system.teleport(other, 10, 0)
            assert system.space.at(10, 0) == [other], "the position changes at once (T8)"

    next_frame(system)
    part(body, Motion).move(dx=-5)
    assert next_frame(system) == [("entered", plate, body)]
    assert [entry[1:] for entry in heard] == [(plate, body)]
    assert next_frame(system) == [("entered", second, other)]
    assert heard[1] == (heard[0][0] + 1, second, other)


def test_a_lambda_given_to_on_is_kept_and_one_given_to_esper_is_not_T12(system):
    heard, unheard = [], []
    system.on(TriggerEntered, lambda event: heard.append(event.other))
    esper.set_handler("collision_trigger_entered", lambda event: unheard.append(event.other))
    gc.collect()
    a_zone(0)
    body = a_crate(0.5)
    esper.process()
    assert (heard, unheard) == ([body], [])


@pytest.mark.parametrize("swap", [False, True], ids=["as made", "made in another order"])
def test_events_are_sorted_by_trigger_then_other_and_leaving_comes_first_T13(system, swap):
    spots = [(0.25, 10.25), (10.25, 0.25)] if swap else [(10.25, 0.25), (0.25, 10.25)]
    zones = a_zone(0), a_zone(10)
    bodies = [a_box(pair[0]) for pair in spots]
    next_frame(system)
    for body, pair in zip(bodies, spots, strict=True):
        part(body, Transform).x = pair[1]
    left, entered = (
        [(zones[0], bodies[not swap]), (zones[1], bodies[swap])],
        [(zones[0], bodies[swap]), (zones[1], bodies[not swap])],
    )
    assert next_frame(system) == [
        *(("left", *pair, "MOVED") for pair in left),
        *(("entered", *pair) for pair in entered),
    ]


def test_a_trigger_moved_over_a_sleeper_reports_it_and_lets_it_sleep_T14(system):
    sleeper, plate = a_sleeper(5), a_zone(0, 0, Motion())
    next_frame(system)
    part(plate, Motion).move(dx=5)
    assert next_frame(system) == [("entered", plate, sleeper)]
    assert part(sleeper, Sleeping).asleep
    assert of_kind(system, Woke) == []


MASKS = {
    "no mask: every layer, no triggers": (None, {"box", "wall"}),
    "a layer": ("solid", {"box"}),
    "a layer of walls": ("stone", {"wall"}),
    "a layer of triggers": ("zones", {"zone"}),
    "several layers": (("solid", "zones"), {"box", "zone"}),
    "no layer": ((), set()),
}


@pytest.mark.parametrize(("mask", "reported"), MASKS.values(), ids=MASKS)
def test_a_trigger_reports_the_layers_of_its_mask_and_triggers_only_by_name_T15(system, mask, reported):
    """Rule T6."""
    plate = a_zone(0, mask=mask, layer="plates", statics=True)
    others = {
        "box": a_box(0.5, layer="solid", mask=()),
        "wall": a_wall(-0.5, layer="stone", mask=()),
        "zone": a_zone(0, 0.5, layer="zones", mask=()),
    }
    assert next_frame(system) == [("entered", plate, others[name]) for name in others if name in reported]


def test_two_triggers_that_name_each_other_report_once_each_way_T15(system):
    one, two = a_zone(0, layer="a", mask="b"), a_zone(0.5, layer="b", mask="a")
    assert next_frame(system) == [("entered", one, two), ("entered", two, one)]
    part(one, Transform).x = 9
    assert next_frame(system) == [("left", one, two, "MOVED"), ("left", two, one, "MOVED")]


@pytest.mark.parametrize("kind", [Inertia, Sleeping], ids=["crate", "sleeper"])
def test_a_trigger_neither_blocks_nor_is_pushed_nor_pushes_T15(system, kind):
    a_zone(1, 0, kind(1.0) if kind is Inertia else kind(asleep=True))
    roving, wall, player = a_zone(0, 3, Motion(force=9)), a_wall(3, 3), a_player(0)
    part(player, Motion).move(dx=4)
    part(roving, Motion).move(dx=6)
    next_frame(system)
    assert (place(player)[0], place(roving)[0], place(wall)[0]) == (4, 6, 3)


@pytest.mark.parametrize(("linger", "lost", "leaves"), [(5, 3, False), (5, 5, False), (5, 6, True), (0, 1, True)])
def test_a_lingering_contact_survives_a_short_absence_but_not_a_long_one_T16(system, linger, lost, leaves):
    plate, body = a_zone(0, linger=linger), a_box(0.5)
    assert next_frame(system) == [("entered", plate, body)]
    part(body, Transform).x = 9
    reported = [phrase for _ in range(lost) for phrase in next_frame(system)]
    assert reported == ([("left", plate, body, "MOVED")] if leaves else [])
    assert system.inside(plate) == ([] if leaves else [body])
    part(body, Transform).x = 0.5
    assert next_frame(system) == ([("entered", plate, body)] if leaves else [])


def test_returning_cancels_the_scheduled_end_of_lingering_T16(system):
    """Lost, seen, lost: the frames count from the second loss."""
    plate, body = a_zone(0, linger=5), a_box(0.5)
    assert next_frame(system) == [("entered", plate, body)]
    for x in (9, 0.5, 9):
        part(body, Transform).x = x
        assert next_frame(system) == []
    assert [len(next_frame(system)) for _ in range(6)] == [0, 0, 0, 0, 1, 0]


def test_lingering_ends_after_frames_in_which_nothing_happens_T16(system):
    plate, body = a_zone(0, linger=3), a_box(0.5)
    next_frame(system)
    system.teleport(body, 9, 0)
    assert [next_frame(system) for _ in range(5)] == [[], [], [], [("left", plate, body, "MOVED")], []]


def test_left_names_the_ids_at_the_time_of_the_contact_T08(system: CollisionSystem):
    """Both bodies are deleted and one id is used again: Left names the old pair."""
    plate, body = a_zone(0), a_crate(0.5)
    esper.process()
    esper.clear_database()
    a_crate(50), a_crate(60)
    esper.process()
    assert trigger_events(system) == [("left", plate, body, "DELETED")]
    assert [event.reason.name for event in of_kind(system, TriggerLeft)] == ["DELETED"]
