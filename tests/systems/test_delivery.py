"""Order of events, handlers that raise, and what a handler may do (rules T7 to T10)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import esper
import pytest
from worlds import a_box, a_crate, a_player, a_sleeper, a_system, a_wall, a_zone, fresh_world, of_kind, part, place

from ecs_collision import (
    Blocked,
    BoxCollider,
    CollisionSystem,
    FellAsleep,
    Inertia,
    Motion,
    Moved,
    Pushed,
    ReentryError,
    Sleeping,
    Transform,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Woke,
)


class Halt(BaseException):
    """Not an Exception, like KeyboardInterrupt."""


def raising(error: BaseException) -> Callable[[object], None]:
    """Return a handler that raises."""

    def handler(event: object) -> None:
        raise error

    return handler


def a_frame_with_everything(system: CollisionSystem) -> None:
    """Prepare a frame that has every kind of event."""
    for x, options in [(0, {"stay": True}), (20, {}), (30, {}), (43, {"swept": True})]:
        a_zone(x, **options)
    a_box(0.5)
    a_wall(5, 5)
    mover, sleeper, blocked, runner = a_player(19.5), a_sleeper(29, after=1), a_player(4, 5), a_player(46)
    resting = a_box(60, 0, Sleeping(after=1))
    esper.process()
    part(resting, Transform).x = 61
    esper.process()
    part(mover, Motion).move(dx=9)
    part(blocked, Motion).move(dx=1, dy=1)
    part(runner, Motion).move(dx=-5)
    assert part(sleeper, Sleeping).asleep


def test_events_are_ordered_by_kind_T7(system):
    """Woke, Moved, Pushed, Blocked, Left, Entered, Stayed, swept crossings, FellAsleep."""
    a_frame_with_everything(system)
    esper.process()
    kinds = [type(event) for event in system.events]
    runs = [kind for i, kind in enumerate(kinds) if i == 0 or kinds[i - 1] is not kind]
    crossing = [TriggerEntered, TriggerLeft]
    assert runs == [Woke, Moved, Pushed, Blocked, TriggerLeft, TriggerEntered, TriggerStayed, *crossing, FellAsleep]
    for kind in (Woke, Moved, Pushed, Blocked, FellAsleep):
        ids = [event.entity for event in of_kind(system, kind)]
        assert ids == sorted(ids)


def test_events_of_a_kind_are_ordered_by_ids_and_then_by_axis_T7(world):
    """The order of axes, priorities and creation does not matter."""
    system = a_system(axis_order="yxz")
    resting = [a_crate(x, 20, Sleeping(after=2)) for x in (0, 2, 4)]
    zones = [a_zone(x, 40, stay=True) for x in (0, 0.25)]
    guests = [a_box(0, 40), a_box(0.25, 40)]
    blocked = [a_player(0), a_player(10)]
    part(blocked[1], Motion).priority = 9
    for x in (0, 10):
        a_wall(x + 1, 0, hy=9), a_wall(x, 1)
    esper.process()
    part(resting[1], Sleeping).asleep = part(resting[0], Sleeping).asleep = True
    assert system.space.at(0, 20) == [resting[0]]
    part(resting[2], Sleeping).asleep = True
    for player in reversed(blocked):
        part(player, Motion).move(dx=1, dy=1)
    esper.process()
    assert [(e.entity, e.axis) for e in of_kind(system, Blocked)] == [(b, axis) for b in blocked for axis in "xy"]
    assert [(e.trigger, e.other) for e in of_kind(system, TriggerStayed)] == [(z, g) for z in zones for g in guests]
    assert [e.entity for e in of_kind(system, FellAsleep)] == resting
    for body in reversed(resting):
        system.move(body, dy=-1)
    esper.process()
    for kind in (Woke, Moved):
        assert [e.entity for e in of_kind(system, kind)] == resting


def test_every_event_carries_the_number_of_its_frame_T7(system):
    player = a_player(0)
    numbers = []
    for _ in range(4):
        part(player, Motion).move(dx=1)
        esper.process()
        numbers += [event.frame for event in system.events]
    assert numbers == list(range(numbers[0], numbers[0] + 4))


def test_moved_is_one_net_displacement_a_body_and_frame_T10(system):
    """The left one pushes the crate by 4; the right one pushes both back by 2."""
    left, crate, right = a_player(0, 0, Inertia(1)), a_crate(1), a_player(8)
    esper.process()
    part(left, Motion).move(dx=4)
    part(right, Motion).move(dx=-4)
    esper.process()
    assert place(crate) == (3, 0, 0)
    assert [(e.entity, e.displacement) for e in of_kind(system, Moved)] == [
        (left, (2, 0, 0)),
        (crate, (2, 0, 0)),
        (right, (-4, 0, 0)),
    ]
    assert [(e.entity, e.by, e.displacement) for e in of_kind(system, Pushed)] == [
        (left, right, (-2, 0, 0)),
        (crate, left, (4, 0, 0)),
        (crate, right, (-2, 0, 0)),
    ]


def test_a_body_that_returns_has_not_moved_and_a_teleport_is_no_movement_T10(system):
    player = a_player(0)
    esper.process()
    system.move(player, dx=3), system.move(player, dx=-3)
    esper.process()
    assert of_kind(system, Moved) == []
    part(player, Transform).x = 50
    esper.process()
    assert system.events == []


# -- handlers that raise --------------------------------------------------------------------------------------------


def test_one_error_is_raised_itself_after_all_handlers_were_called_T7(system):
    error, events = LookupError("no door"), []
    a_zone(0)
    bodies = [a_crate(0.5), a_crate(-0.5)]
    system.on(TriggerEntered, raising(error), other=bodies[0])
    system.on(TriggerEntered, events.append)
    with pytest.raises(LookupError) as caught:
        esper.process()
    assert caught.value is error
    assert [event.other for event in events] == bodies


def test_events_of_a_kind_come_by_id_T7(system):
    a_zone(0)
    first, second = a_crate(9), a_crate(12)
    esper.process()
    esper.delete_entity(first, immediate=True)
    esper.process()
    third = a_crate(0.5)  # it takes the place of the first in the table
    esper.component_for_entity(second, Transform).x = -0.5
    esper.process()
    assert [event.other for event in system.events if isinstance(event, TriggerEntered)] == [second, third]


def test_several_errors_are_raised_as_a_group_T7(system):
    errors = [LookupError("first"), ValueError("second")]
    events = []
    for error in errors:
        system.on(TriggerEntered, raising(error))
    system.on(TriggerEntered, events.append)
    a_zone(0), a_crate(0.5)
    with pytest.raises(ExceptionGroup) as caught:
        esper.process()
    assert list(caught.value.exceptions) == errors
    assert len(events) == 1
    esper.process()
    assert len(events) == 1


def test_a_base_exception_propagates_and_the_rest_is_delivered_next_frame_T7(system):
    before, after, halts = [], [], [Halt()]
    system.on(TriggerEntered, lambda event: before.append(event.other))

    @system.on(TriggerEntered)
    def stop(event):
        if halts:
            raise halts.pop()

    system.on(TriggerEntered, lambda event: after.append(event.other))
    zone, bodies = a_zone(0), [a_crate(0.5), a_crate(-0.5)]
    with pytest.raises(Halt):
        esper.process()
    assert (before, after) == ([bodies[0]], [])
    assert system.inside(zone) == bodies
    late = a_crate(0, 0.75)
    esper.process()
    assert before == [bodies[0], bodies[1], late]
    assert after == [bodies[0], bodies[1], late]
    system.check()


# -- what handlers may do -------------------------------------------------------------------------------------------


def test_process_inside_a_handler_raises_T8(system):
    caught = []

    @system.on(TriggerEntered)
    def again(event):
        for call in (system.process, esper.process):
            with pytest.raises(ReentryError) as error:
                call()
            caught.append(error.value)

    a_zone(0), a_crate(0.5)
    esper.process()
    assert len(caught) == 2
    assert all(isinstance(error, RuntimeError) for error in caught)
    esper.process()
    system.check()


def test_changes_of_a_handler_count_at_once_and_give_events_next_frame_T8(system):
    plate, player, crate, other = a_zone(3), a_player(0), a_player(10), a_player(20)
    seen = []

    @system.on(TriggerEntered, trigger=plate, other=player)
    def act(event):
        result = system.move(crate, dx=2)
        part(other, Transform).x = 30
        seen.append((result.moved, place(crate), system.space.at(30, 0), system.space.at(12, 0)))

    esper.process()
    part(player, Motion).move(dx=3)
    esper.process()
    assert seen == [((2, 0, 0), (12, 0, 0), [other], [crate])]
    assert [event.entity for event in of_kind(system, Moved)] == [player]
    esper.process()
    assert [event.entity for event in of_kind(system, Moved)] == [crate]


def test_a_request_made_in_a_handler_is_for_the_next_frame_T8(system):
    player = a_player(0)

    @system.on(Moved, entity=player)
    def on_and_on(event):
        system.request(player, dx=1)

    system.request(player, dx=1)
    for x in (1, 2, 3):
        esper.process()
        assert place(player) == (x, 0, 0)


def test_deleting_in_a_handler_gives_left_in_the_next_frame_T8(system):
    zone, body = a_zone(0), a_crate(0.5)

    @system.on(TriggerEntered)
    def eat(event):
        esper.delete_entity(event.other, immediate=True)
        assert system.space.at(0.75, 0) == []

    esper.process()
    assert [type(event) for event in system.events] == [TriggerEntered]
    esper.process()
    assert [(e.trigger, e.other, e.reason.name) for e in system.events] == [(zone, body, "DELETED")]


def test_delivery_finishes_in_its_world_and_then_the_handler_s_is_current_T8(world):
    system = a_system()
    events = []
    with fresh_world() as other:
        esper.switch_world(world)
        a_zone(0), a_crate(0.5), a_crate(-0.5)

        @system.on(TriggerEntered)
        def change_level(event):
            events.append((esper.current_world, event.other))
            esper.switch_world(other)

        system.on(TriggerEntered, lambda event: events.append((esper.current_world, -event.other)))
        esper.process()
        assert esper.current_world == other
        assert events == [(world, 2), (world, -2), (world, 3), (world, -3)]


# -- esper's own events ---------------------------------------------------------------------------------------------

NAMES = {
    Woke: "collision_woke",
    Moved: "collision_moved",
    Pushed: "collision_pushed",
    Blocked: "collision_blocked",
    TriggerLeft: "collision_trigger_left",
    TriggerEntered: "collision_trigger_entered",
    TriggerStayed: "collision_trigger_stayed",
    FellAsleep: "collision_fell_asleep",
}


def test_esper_handlers_receive_the_same_events_in_the_same_order_T9(system):
    a_frame_with_everything(system)
    events = []
    handlers = {name: (lambda event: events.append(event)) for name in NAMES.values()}
    for name, handler in handlers.items():
        esper.set_handler(name, handler)
    esper.process()
    assert events == system.events
    assert {type(event) for event in events} == set(NAMES)


def test_an_esper_handler_that_raises_is_reported_with_the_others_T9(system):
    events = []
    fail, fail_too = raising(LookupError("esper's")), raising(ValueError("the system's"))
    esper.set_handler("collision_trigger_entered", fail)
    a_zone(0), a_crate(0.5), a_crate(-0.5)
    system.on(TriggerEntered, fail_too, other=2)
    system.on(TriggerEntered, events.append)
    with pytest.raises(ExceptionGroup) as caught:
        esper.process()
    assert sorted(str(error) for error in caught.value.exceptions) == ["esper's", "esper's", "the system's"]
    assert len(events) == 2


def test_events_without_a_subscriber_are_in_the_list_and_frozen_T9(system):
    a_zone(0), a_crate(0.5)
    esper.process()
    event = system.events[0]
    assert (event.trigger, event.other) == (1, 2)
    with pytest.raises(AttributeError):
        event.other = 3
    kept = system.events
    esper.process()
    assert (kept, system.events) == ([event], [])


@pytest.mark.parametrize("call", ["pop", "append"])
def test_an_interrupt_after_a_call_in_delivery_neither_loses_nor_repeats_an_event_T7(
    system: CollisionSystem, call: str
) -> None:
    def interrupt(frame: Any, event: str, what: Any) -> None:
        if event == "c_return" and getattr(what, "__name__", "") == call and "delivery" in frame.f_code.co_filename:
            sys.setprofile(None)
            raise Halt

    events: list[Moved] = []
    motion = Motion()
    esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), motion)
    esper.process()
    system.on(Moved, events.append)
    motion.move(1)
    sys.setprofile(interrupt)
    with suppress(Halt):
        esper.process()
    sys.setprofile(None)
    esper.process()
    esper.process()
    assert len(events) == 1
