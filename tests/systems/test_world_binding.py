"""Where a system lives, and the corners of delivery that the rules leave to us (rules E4, T3, T7 to T9)."""

from __future__ import annotations

import gc

import esper
import pytest
from worlds import a_box, a_crate, a_player, a_system, a_zone, fresh_world, part

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionTypeError,
    Event,
    Inertia,
    Moved,
    SetupWarning,
    Transform,
    TriggerEntered,
    TriggerLeft,
    WorldError,
)


class Halt(BaseException):
    """Not an Exception, as KeyboardInterrupt is not."""


# -- living in a world ----------------------------------------------------------------------------------------------


def test_a_system_removed_and_added_again_continues(system):
    zone, body = a_zone(0), a_crate(0.5)
    esper.process()
    esper.remove_processor(CollisionSystem)
    with pytest.raises(WorldError, match="no longer registered"):
        system.space.at(0, 0)
    esper.add_processor(system, priority=3)
    esper.process()
    assert (system.events, system.inside(zone), system.priority) == ([], [body], 3)


def test_a_closed_system_is_unregistered_and_refuses_calls_until_it_is_added_again(system):
    zone, body = a_zone(0), a_crate(0.5)
    system.stats.timing = True
    esper.process()
    system.close()
    assert esper.get_processor(CollisionSystem) is None
    with pytest.raises(WorldError, match="closed"):
        system.move(body, dx=1)
    esper.add_processor(system)
    esper.process()
    assert [(type(event), event.frame) for event in system.events] == [(TriggerEntered, 1)]
    assert (system.inside(zone), system.stats.timing) == ([body], True)


def test_a_system_is_closed_from_another_world_and_after_its_own_was_deleted(world):
    with fresh_world() as name:
        system, body = a_system(), a_crate(0)
        esper.process()
        parts = esper.components_for_entity(body)
        esper.switch_world(world)
        system.close()
        assert esper.current_world == world
        esper.switch_world(name)
        assert esper.get_processor(CollisionSystem) is None
        second = a_system()
        assert second.space.at(0, 0) == [body]
        esper.switch_world(world)
        esper.delete_world(name)
        second.close()
        assert (esper.current_world, name in esper.list_worlds()) == (world, False)
        esper.create_entity(*parts)
        assert a_system().space.at(0, 0) == [1]


def test_a_deleted_world_frees_its_components_when_the_next_system_is_bound(world):
    with fresh_world() as name:
        first = a_system()
        parts = esper.components_for_entity(a_crate(0))
        esper.process()
        esper.switch_world(world)
        esper.delete_world(name)
        esper.create_entity(*parts)
        assert a_system().space.at(0, 0) == [1]
        with pytest.raises(WorldError):
            first.space.at(0, 0)


def test_a_system_that_is_dropped_without_close_can_be_replaced(world):
    crate = a_crate(0)
    system = CollisionSystem()
    gc.disable()
    try:
        with pytest.warns(SetupWarning):
            assert system.space.at(0, 0) == [crate]
        del system
        second = CollisionSystem()
        esper.create_entity(Transform(5, 0), BoxCollider(1, 1))
        assert second.touching(2) == []
    finally:
        gc.enable()


def test_a_subclass_with_a_priority_of_its_own_is_known_as_added_by_its_first_frame(world):
    class Late(CollisionSystem):
        priority = -5

    system = Late()
    esper.add_processor(system)
    esper.process()
    with pytest.raises(WorldError, match="close"):
        a_system()
    esper.remove_processor(Late)
    player = a_player(0)
    assert a_system().move(player, dx=1).complete


def test_the_error_distinguishes_a_world_with_the_same_name(world):
    with fresh_world() as name:
        system = a_system()
        esper.process()
        esper.switch_world(world)
        esper.delete_world(name)
        esper.switch_world(name)
        with pytest.raises(WorldError, match="deleted"):
            system.check()


def test_the_doctor_names_components_without_a_collider(system):
    lone = esper.create_entity(Inertia(1))
    a_crate(0)
    assert [line for line in system.doctor() if f"entity {lone}" in line]


# -- subscriptions --------------------------------------------------------------------------------------------------


def test_a_match_that_no_event_can_have_is_refused(system):
    for call, word in [
        (lambda: system.on(Transform, print), "TriggerEntered"),
        (lambda: system.on(TriggerEntered, "print"), "function"),
        (lambda: system.on(TriggerEntered, print, trigger=Transform(0, 0)), "create_entity"),
        (lambda: system.on(TriggerEntered)(None), "function"),
    ]:
        with pytest.raises(CollisionTypeError, match=word):
            call()


def test_a_subscription_to_event_receives_all_events(system):
    calls = []
    system.on(Event, calls.append)
    a_zone(3), a_player(0)
    system.request(2, dx=3)
    esper.process()
    assert [type(event) for event in calls] == [Moved, TriggerEntered]


def test_subscriptions_to_a_reused_id_receive_only_the_events_of_their_entity(system):
    old, new = [], []
    zone, _ = a_zone(0), a_crate(0.5)
    for kind in (TriggerEntered, TriggerLeft):
        system.on(kind, lambda event: old.append(type(event)), trigger=zone)
    esper.process()
    esper.clear_database()
    assert (zone, 2) == (a_zone(0), a_crate(0.5))
    for kind in (TriggerEntered, TriggerLeft):
        system.on(kind, lambda event: new.append(type(event)), trigger=zone)
    esper.process()
    assert (old, new) == ([TriggerEntered, TriggerLeft], [TriggerEntered])
    part(2, Transform).x = 9
    esper.process()
    assert (old, new) == ([TriggerEntered, TriggerLeft], [TriggerEntered, TriggerLeft])


def test_a_deletion_applied_before_it_does_not_end_a_subscription(system):
    calls = []
    zone = a_zone(0)
    esper.process()
    esper.clear_database()
    assert system.space.at(0, 0, triggers=True) == []
    assert (zone, 2) == (a_zone(0), a_crate(0.5))
    system.on(TriggerEntered, calls.append, trigger=zone)
    esper.process()
    assert [event.other for event in calls] == [2]


def test_a_subscription_ends_with_an_entity_that_was_never_applied(system):
    calls = []
    zone = a_zone(0)
    system.on(TriggerEntered, calls.append, trigger=zone)
    esper.clear_database()
    assert (zone, 2) == (a_zone(0), a_crate(0.5))
    esper.process()
    assert calls == []


def test_a_subscription_continues_while_the_transform_or_the_collider_stays(system):
    calls = []
    zone, crate = a_zone(0), a_crate(0.5)
    system.on(TriggerEntered, calls.append, other=crate)
    esper.process()
    esper.add_component(crate, BoxCollider(0.25, 0.25))
    system.space.at(0, 0)
    esper.add_component(crate, Transform(9, 0))
    esper.process()
    esper.remove_component(crate, BoxCollider)
    esper.process()
    esper.add_component(crate, BoxCollider(0.5, 0.5))
    part(crate, Transform).x = 0.5
    esper.process()
    assert [(event.trigger, event.frame) for event in calls] == [(zone, 1), (zone, 4)]


def test_a_subscription_made_early_follows_the_first_entity_with_that_id(world):
    calls = []
    system = CollisionSystem()
    zone = a_zone(0)
    system.on(TriggerEntered, calls.append, trigger=zone)
    esper.add_processor(system)
    crate = a_crate(0.5)
    esper.process()
    assert [event.other for event in calls] == [crate]
    esper.clear_database()
    assert (zone, crate) == (a_zone(0), a_crate(0.5))
    esper.process()
    assert len(calls) == 1


def test_subscriptions_bound_to_entities_end_with_the_system_and_others_stay(system):
    bound, free, late = [], [], []
    for _ in range(3):
        a_crate(5)
    esper.process()
    system.on(TriggerEntered, bound.append, trigger=1)
    system.on(TriggerEntered, free.append)
    system.close()
    system.on(TriggerEntered, late.append, trigger=1)
    with fresh_world():
        esper.add_processor(system)
        a_zone(0), a_crate(0.5)
        esper.process()
        esper.clear_database()
        a_zone(0), a_crate(0.5)
        esper.process()
        system.close()
    assert (bound, [event.frame for event in free], [event.frame for event in late]) == ([], [1, 2], [1])


# -- delivery -------------------------------------------------------------------------------------------------------


def failing_once(errors):
    """Return a handler that raises each error once."""

    def handler(event):
        if errors:
            raise errors.pop(0)

    return handler


def test_a_deleted_entity_receives_the_rest_of_an_interrupted_delivery(system):
    calls = []
    zone = a_zone(0)
    a_crate(0.5)
    system.on(TriggerEntered, failing_once([Halt()]))
    system.on(TriggerEntered, calls.append, trigger=zone)
    system.on(TriggerLeft, calls.append, trigger=zone)
    with pytest.raises(Halt):
        esper.process()
    esper.delete_entity(zone)
    esper.process()
    assert [type(event) for event in calls] == [TriggerEntered, TriggerLeft]


def test_a_handler_may_delete_the_world_and_the_rest_is_not_delivered(world):
    calls = []
    with fresh_world() as name:
        system = a_system()

        @system.on(TriggerEntered)
        def end(event):
            calls.append(event.other)
            esper.switch_world(world)
            esper.delete_world(name)

        a_zone(0), a_crate(0.5), a_crate(-0.5)
        esper.process()
        assert (calls, esper.current_world) == ([2], world)
        assert name not in esper.list_worlds()
        system.close()


def test_a_new_world_with_the_same_name_receives_no_events_of_the_first(world):
    calls = []
    with fresh_world() as name:
        system = a_system()

        @system.on(TriggerEntered)
        def restart(event):
            calls.append(event.other)
            esper.switch_world(world)
            esper.delete_world(name)
            esper.switch_world(name)
            esper.create_entity()

        a_zone(0), a_crate(0.5), a_crate(-0.5)
        esper.process()
        assert (calls, esper.current_world, list(esper.get_entities())) == ([2], name, [1])


def test_the_world_of_a_handler_that_was_deleted_is_not_created_again(world):
    system = a_system()
    esper.switch_world("menu")
    esper.switch_world(world)
    acts = [lambda: esper.switch_world("menu"), lambda: esper.delete_world("menu")]
    system.on(TriggerEntered, lambda event: acts.pop(0)())
    a_zone(0), a_crate(0.5), a_crate(-0.5)
    esper.process()
    assert (acts, esper.current_world, "menu" in esper.list_worlds()) == ([], world, False)


def test_a_handler_may_close_the_system(system):
    calls = []
    system.on(TriggerEntered, lambda event: system.close())
    system.on(TriggerEntered, calls.append)
    a_zone(0), a_crate(0.5), a_crate(-0.5)
    esper.process()
    esper.process()
    assert [event.other for event in calls] == [2, 3]


def test_the_repr_of_a_system_has_its_world_and_counts():
    with fresh_world() as name:
        system = CollisionSystem()
        assert repr(system) == "CollisionSystem(in no world, 0 bodies, frame 0)"
        esper.add_processor(system)
        a_box(0.0)
        esper.process()
        assert repr(system) == f"CollisionSystem({name!r}, 1 bodies, frame 1)"
        system.close()
        assert repr(system).startswith("CollisionSystem(closed, ")
