"""Subscriptions: what they match, cancelling, and the end of those bound to an entity (rules T3, T9)."""

from __future__ import annotations

import esper
import pytest
from worlds import a_crate, a_zone, part

from ecs_collision import CollisionError, Transform, TriggerEntered, TriggerLeft


def test_on_as_a_decorator_returns_the_function_and_as_a_call_a_subscription(system):
    def handler(event):
        pass

    assert system.on(TriggerEntered)(handler) is handler
    assert system.on(TriggerEntered, trigger=1)(handler) is handler
    assert callable(system.on(TriggerEntered, handler).cancel)


def test_a_subscription_hears_only_what_matches(system):
    zones, body = [a_zone(0), a_zone(0), a_zone(0)], a_crate(0.5)
    heard = []
    system.on(TriggerEntered, lambda event: heard.append(("one", event.trigger)), trigger=zones[1])
    system.on(TriggerEntered, lambda event: heard.append(("both", event.trigger)), trigger=zones[2], other=body)
    system.on(TriggerEntered, lambda event: heard.append(("none", event.trigger)), trigger=zones[2], other=99)
    esper.process()
    assert heard == [("one", zones[1]), ("both", zones[2])]


def test_a_match_on_a_field_the_event_has_not_is_refused(system):
    with pytest.raises(CollisionError, match="tirgger"):
        system.on(TriggerEntered, print, tirgger=1)


def test_a_cancelled_subscription_hears_no_more_not_even_in_this_frame(system):
    heard, later = [], []
    second = system.on(TriggerEntered, lambda event: None)

    @system.on(TriggerEntered)
    def once(event):
        heard.append(event.other)
        subscription.cancel()
        second.cancel()

    subscription = system.on(TriggerEntered, later.append)
    a_zone(0), a_crate(0.5), a_crate(-0.5)
    esper.process()
    assert (heard, later) == ([2, 3], [])
    subscription.cancel()


def test_a_subscription_bound_to_an_entity_ends_after_its_last_left_T3(system):
    zone, body = a_zone(0), a_crate(0.5)
    heard = []
    for kind in (TriggerEntered, TriggerLeft):
        system.on(kind, heard.append, trigger=zone)
    esper.process()
    esper.clear_database()
    assert (zone, body) == (a_zone(0), a_crate(0.5))
    esper.process()
    assert [type(event) for event in heard] == [TriggerEntered, TriggerLeft]
    part(body, Transform).x = 9
    esper.process()
    assert len(heard) == 2
    system.on(TriggerEntered, heard.append, trigger=zone)
    part(body, Transform).x = 0.5
    esper.process()
    assert [type(event) for event in heard] == [TriggerEntered, TriggerLeft, TriggerEntered]


@pytest.mark.parametrize("bound", ["trigger", "other"])
def test_a_bound_subscription_of_a_body_that_was_in_no_trigger_ends_with_it_T3(system, bound):
    zone, body = a_zone(0), a_crate(9)
    heard = []
    system.on(TriggerEntered, heard.append, **{bound: {"trigger": zone, "other": body}[bound]})
    esper.process()
    esper.clear_database()
    esper.process()
    assert (zone, body) == (a_zone(0), a_crate(0.5))
    esper.process()
    assert heard == []


def test_a_lingering_contact_of_a_deleted_trigger_is_left_before_its_subscription_ends_T3(system):
    zone, body = a_zone(0, linger=10), a_crate(0.5)
    heard = []
    system.on(TriggerLeft, heard.append, trigger=zone)
    esper.process()
    part(body, Transform).x = 9
    esper.process()
    esper.delete_entity(zone)
    esper.process()
    assert [(e.other, e.reason.name) for e in heard] == [(body, "DELETED")]
