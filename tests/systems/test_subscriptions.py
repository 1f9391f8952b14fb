"""Subscriptions: what they match, cancelling, and the end of those bound to an entity (rules T3, T9)."""

from __future__ import annotations

from collections.abc import Sequence

import esper
import numpy
import pytest
from worlds import a_crate, a_system, a_zone, part

from ecs_collision import (
    Blocked,
    CollisionError,
    CollisionSystem,
    CollisionTypeError,
    Event,
    LeftReason,
    SetupWarning,
    StopReason,
    Transform,
    TriggerEntered,
    TriggerLeft,
    UnknownEntity,
)
from ecs_collision.results import build_events


def test_on_as_a_decorator_returns_the_function_and_as_a_call_a_subscription(system):
    def handler(event):
        pass

    assert system.on(TriggerEntered)(handler) is handler
    assert system.on(TriggerEntered, trigger=a_zone(0))(handler) is handler
    assert callable(system.on(TriggerEntered, handler).cancel)


def test_a_match_on_an_unknown_field_is_refused(system):
    with pytest.raises(CollisionError, match="tirgger"):
        system.on(TriggerEntered, print, tirgger=1)


def test_a_match_on_an_id_that_no_entity_has_is_refused(system):
    for match, words in [({"trigger": 77}, "trigger=77"), ({"trigger": a_zone(0), "other": 78}, "other=78")]:
        for call in (
            lambda match=match: system.on(TriggerEntered, print, **match),
            lambda match=match: system.on(TriggerEntered, **match),
        ):
            with pytest.raises(
                UnknownEntity, match=f"TriggerEntered {words} cannot match: no entity has this id; pass the id"
            ):
                call()


def test_a_match_on_an_entity_that_was_just_deleted_receives_its_last_event(system):
    zone, body = a_zone(0), a_crate(0.5)
    events = []
    esper.process()
    esper.delete_entity(zone)
    system.on(TriggerLeft, lambda event: events.append((event.trigger, event.other)), trigger=zone)
    esper.process()
    assert [(zone, body)] == events


@pytest.mark.parametrize("join", [esper.add_processor, lambda system: system.process()], ids=["added", "first used"])
def test_a_match_made_before_the_system_joins_a_world_is_checked_when_it_does_T3(world, join):
    zone, gone = a_zone(0), esper.create_entity()
    esper.delete_entity(gone, immediate=True)
    system, events = CollisionSystem(), []
    system.on(TriggerEntered, events.append, trigger=zone)
    system.on(TriggerEntered, events.append, trigger=77, other=zone)
    system.on(TriggerLeft, trigger=gone)(events.append)
    system.on(TriggerLeft, events.append, trigger=99).cancel()
    words = "cannot match: no entity has this id; pass the id that esper.create_entity returned"
    with pytest.warns(SetupWarning) as caught:
        join(system)
    assert [f"TriggerEntered trigger=77 {words}", f"TriggerLeft trigger={gone} {words}"] == [
        str(warning.message) for warning in caught
    ]
    assert {__file__} == {warning.filename for warning in caught}
    crate = a_crate(0)
    system.process()
    assert [(zone, crate)] == [(event.trigger, event.other) for event in events]
    system.close()


def test_a_match_made_before_the_system_joins_receives_an_entity_that_comes_later_T3(world):
    system, events = CollisionSystem(), []
    system.on(TriggerEntered, lambda event: events.append((event.trigger, event.other)), trigger=1)
    with pytest.warns(SetupWarning, match="TriggerEntered trigger=1 cannot match"):
        esper.add_processor(system)
    zone, crate = a_zone(0), a_crate(0)
    esper.process()
    assert [(1, crate)] == [(zone, crate)] == events


@pytest.mark.parametrize(
    ("kind", "match", "words"),
    [
        (Blocked, {"reason": "IMMOVABLE"}, "Blocked reason='IMMOVABLE' cannot match; write StopReason.IMMOVABLE"),
        (Blocked, {"reason": LeftReason.MOVED}, "Blocked reason=MOVED cannot match; write StopReason.FORCE or "),
        (TriggerLeft, {"reason": "moved"}, "TriggerLeft reason='moved' cannot match; write LeftReason.MOVED or "),
        (Blocked, {"axis": "X"}, "Blocked axis='X' cannot match; write 'x', 'y' or 'z'"),
        (Blocked, {"axis": 0}, "Blocked axis=0 cannot match; write 'x', 'y' or 'z'"),
    ],
)
def test_a_reason_or_an_axis_that_no_event_has_is_refused(system, kind, match, words):
    for call in (lambda: system.on(kind, print, **match), lambda: system.on(kind, **match)):
        with pytest.raises(CollisionTypeError) as caught:
            call()
        assert str(caught.value).startswith(words)
    assert system.on(Blocked, print, reason=StopReason.IMMOVABLE, axis="x").active


def test_a_cancelled_subscription_receives_no_more_events_even_in_this_frame(system):
    events, later = [], []
    second = system.on(TriggerEntered, lambda event: None)

    @system.on(TriggerEntered)
    def once(event):
        events.append(event.other)
        subscription.cancel()
        second.cancel()

    subscription = system.on(TriggerEntered, later.append)
    a_zone(0), a_crate(0.5), a_crate(-0.5)
    esper.process()
    assert (events, later) == ([2, 3], [])
    subscription.cancel()


def test_a_subscription_made_during_delivery_starts_with_the_next_frame_T9(system):
    events = []

    @system.on(TriggerEntered)
    def first(event):
        if not events:
            events.append("subscribed")
            system.on(TriggerEntered, lambda event: events.append(event.other))

    a_zone(0), a_crate(0.5), a_crate(-0.5)
    esper.process()
    assert ["subscribed"] == events
    late = a_crate(0)
    esper.process()
    assert ["subscribed", late] == events


def test_a_subscription_bound_to_an_entity_ends_after_its_last_left_T3(system):
    zone, body = a_zone(0), a_crate(0.5)
    events = []
    for kind in (TriggerEntered, TriggerLeft):
        system.on(kind, events.append, trigger=zone)
    esper.process()
    esper.clear_database()
    assert (zone, body) == (a_zone(0), a_crate(0.5))
    esper.process()
    assert [type(event) for event in events] == [TriggerEntered, TriggerLeft]
    part(body, Transform).x = 9
    esper.process()
    assert len(events) == 2
    system.on(TriggerEntered, events.append, trigger=zone)
    part(body, Transform).x = 0.5
    esper.process()
    assert [type(event) for event in events] == [TriggerEntered, TriggerLeft, TriggerEntered]


@pytest.mark.parametrize("bound", ["trigger", "other"])
def test_a_bound_subscription_of_a_body_that_was_in_no_trigger_ends_with_it_T3(system, bound):
    zone, body = a_zone(0), a_crate(9)
    events = []
    system.on(TriggerEntered, events.append, **{bound: {"trigger": zone, "other": body}[bound]})
    esper.process()
    esper.clear_database()
    esper.process()
    assert (zone, body) == (a_zone(0), a_crate(0.5))
    esper.process()
    assert events == []


def test_subscriptions_are_called_in_the_order_they_were_made_T9(system):
    zone, body = a_zone(0), a_crate(0.5)
    events = []
    for number, (kind, match) in enumerate(
        [
            (TriggerEntered, {"other": body}),
            (Event, {}),
            (TriggerEntered, {"trigger": numpy.int64(zone)}),
            (TriggerEntered, {}),
            (TriggerEntered, {"trigger": zone, "other": body}),
            (TriggerEntered, {"trigger": body}),
            (TriggerEntered, {"frame": 1}),
            (TriggerLeft, {"trigger": zone}),
            (Event, {"frame": 2}),
            (TriggerEntered, {"other": body, "trigger": zone}),
        ]
    ):
        system.on(kind, lambda event, number=number: events.append(number), **match)
    esper.process()
    assert events == [0, 1, 2, 3, 4, 6, 9]


def test_events_without_a_subscriber_are_not_built_T10(system, monkeypatch):
    zone, body = a_zone(0), a_crate(9)
    subscriptions = [system.on(TriggerEntered, lambda event: None, **match) for match in ({}, {"trigger": zone})]
    esper.process()

    built = []

    def made(kind: type[Event], frame: int, columns: Sequence[Sequence[object]]) -> list[Event]:
        built.append(kind)
        return build_events(kind, frame, columns)

    monkeypatch.setattr("ecs_collision.frame_log.build_events", made)

    def entering_is_built() -> bool:
        part(body, Transform).x = 9
        esper.process()
        built.clear()
        part(body, Transform).x = 0.5
        esper.process()
        return TriggerEntered in built

    for subscription in subscriptions:
        assert entering_is_built()
        subscription.cancel()
    assert not entering_is_built()
    system.on(TriggerEntered, lambda event: None, other=body)
    esper.delete_entity(zone)
    esper.process()
    assert a_zone(0) != zone
    built.clear()
    esper.process()
    assert TriggerEntered in built
    esper.delete_entity(body)
    esper.process()
    built.clear()
    a_crate(0.5)
    esper.process()
    assert TriggerEntered not in built


def test_a_subscription_that_ends_receives_what_an_interrupted_delivery_left_T3_T7(system):
    class Halt(BaseException):
        pass

    def stop(event):
        if halts:
            raise halts.pop()

    zone, body = a_zone(0), a_crate(0.5)
    events, late, halts = [], [], [Halt()]
    system.on(TriggerEntered, stop)
    bound = [system.on(kind, events.append, trigger=zone, other=body) for kind in (TriggerEntered, TriggerLeft)]
    with pytest.raises(Halt):
        esper.process()
    system.on(TriggerEntered, late.append)
    esper.clear_database()
    assert (zone, body) == (a_zone(0), a_crate(0.5))
    esper.process()
    assert [(type(event), event.frame) for event in events] == [(TriggerEntered, 1), (TriggerLeft, 2)]
    assert [event.frame for event in late] == [2]
    assert [subscription.active for subscription in bound] == [False, False]
    bound[0].cancel()


def test_a_subscription_cancelled_twice_or_after_its_system_is_gone_is_cancelled(world):
    system = a_system()
    subscription, other = system.on(TriggerEntered, print), system.on(TriggerEntered, print, trigger=a_zone(0))
    subscription.cancel()
    subscription.cancel()
    esper.remove_processor(type(system))
    del system
    other.cancel()
    assert (repr(subscription), repr(other)) == ("Subscription(cancelled)", "Subscription(cancelled)")
