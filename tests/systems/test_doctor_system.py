"""Advice on a system in esper, and the log of what is found."""

from __future__ import annotations

import logging
from typing import Any

import esper
import pytest
from worlds import a_box, a_crate, a_player, a_system, a_wall, a_zone, frames

from ecs_collision import (
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CollisionWorld,
    Contact,
    ContactBegan,
    ContactEnded,
    Inertia,
    Moved,
    Pushed,
    SetupWarning,
    Sleeping,
    Static,
    Transform,
    TriggerEntered,
    TriggerStayed,
)
from ecs_collision.doctor.handlers import MIN_FRAMES
from ecs_collision.systems.adviser import MAX_LOGGED


def test_a_system_that_was_never_added_is_named_first(world: str):
    system = CollisionSystem()
    a_crate(0)
    with pytest.warns(SetupWarning, match="never added"):
        system.move(a_player(3), dx=1)
    assert [
        "this CollisionSystem was never added to esper, so esper.process() does not run it; call "
        "esper.add_processor(system)"
    ] == system.doctor()
    esper.add_processor(system)
    assert [] == system.doctor()


def test_a_system_that_the_program_runs_itself_is_no_finding(world: str):
    system = CollisionSystem()
    a_crate(0)
    system.process()
    assert [] == system.doctor()


def test_a_system_without_bodies_is_named(system: CollisionSystem):
    assert ["there are no bodies; give an entity a Transform and a collider"] == system.doctor()


def test_components_without_a_collider_are_named(system: CollisionSystem):
    esper.create_entity(Inertia(1))
    esper.create_entity(Transform(0, 0), Static(), Sleeping())
    esper.create_entity(Transform(0, 0))
    a_crate(0)
    assert [
        "entity 1: Inertia has no effect without a collider; add a BoxCollider or remove the Inertia",
        "entity 2: Sleeping has no effect without a collider; add a BoxCollider or remove the Sleeping",
        "entity 2: Static has no effect without a collider; add a BoxCollider or remove the Static",
    ] == system.doctor()


def test_a_handler_that_has_matched_nothing_for_many_frames_is_named(system: CollisionSystem):
    player, plate = a_player(0), a_zone(9)

    def opened(event: object) -> None:
        pass

    system.on(TriggerEntered, opened, trigger=plate)
    system.on(Moved, opened, entity=player)
    cancelled = system.on(Pushed, opened)
    cancelled.cancel()
    system.request(player, dx=0.5)
    frames(system, MIN_FRAMES - 1)
    assert [] == system.doctor()
    frames(system, 1)
    (advice,) = system.doctor()
    assert (
        f"entity {plate}: the handler opened of TriggerEntered has matched no event in {MIN_FRAMES} frames; compare "
        "what it matches with the events of those frames"
    ) == advice
    assert ("handler", (plate,)) == (advice.kind, advice.entities)
    system.teleport(player, 9, 0)
    frames(system, 1)
    assert [] == system.doctor()


def test_a_handler_of_an_entity_that_is_no_trigger_is_named_at_once(system: CollisionSystem):
    player, plate, sensor = a_player(0), a_zone(9), a_zone(12, stay=True)

    def called(event: object) -> None:
        pass

    for kind, trigger in [
        (TriggerEntered, player),
        (TriggerStayed, plate),
        (TriggerStayed, sensor),
        (TriggerEntered, plate),
    ]:
        system.on(kind, called, trigger=trigger)
    system.on(TriggerEntered, called, other=player)
    assert [
        f"entity {player}: the handler called of TriggerEntered cannot be called: the entity has no Trigger; add one, "
        "or match another entity",
        f"entity {plate}: the handler called of TriggerStayed cannot be called: the Trigger does not report who stays; "
        "write Trigger(stay=True)",
    ] == system.doctor()


# -- the log


def test_findings_are_logged_once_when_they_appear(world: str, caplog: pytest.LogCaptureFixture):
    system = a_system(advise=True)
    a_player(0)
    a_wall(1, mask=("default", "enemies"))
    wrong = "its mask names the layer 'enemies', which no body has; correct it, unless such bodies come later"
    frames(system, 4)
    assert [("ecs_collision", logging.WARNING, f"entity 2: {wrong}")] == caplog.record_tuples
    a_wall(1.5, mask=("default", "enemies"))  # the same mask again, and an overlap
    frames(system, 4)
    assert ["entity 2 and entity 3: solid bodies overlap by 0.5 on x: both are Static"] == [
        message.rpartition(", so")[0] for message in caplog.messages[1:]
    ]
    esper.component_for_entity(3, Transform).x = 1.625  # less deep, but the same pair
    frames(system, 100)
    assert 2 == len(caplog.messages)


def test_the_number_of_logged_findings_is_limited(world: str, caplog: pytest.LogCaptureFixture):
    system = a_system(advise=True)
    for number in range(MAX_LOGGED):
        a_box(0, 2 * number, mask=(f"layer {number}", "default"))
    frames(system, 1)
    assert f"{MAX_LOGGED} findings were logged, and no more will be; call doctor() to see all" == caplog.messages[-1]
    logged = len(caplog.messages)
    a_box(0.5, 0)
    frames(system, 130)
    assert logged == len(caplog.messages)


def test_without_advise_nothing_is_logged_and_worlds_do_not_take_it(world: str, caplog: pytest.LogCaptureFixture):
    frames(a_system(), 10)
    assert [] == caplog.messages
    make: Any = CollisionWorld
    with pytest.raises(CollisionError, match="'advise' is not a setting of a CollisionWorld"):
        make(advise=True)
    with pytest.raises(CollisionError, match="advise"):
        CollisionSystem(advise="yes")  # type: ignore[arg-type]


def test_a_handler_of_contacts_of_a_body_that_asks_for_none_is_named(system):
    player, crate = a_player(0), a_crate(1, 0, Contact())

    def called(event: ContactBegan) -> None:
        """A handler."""

    system.on(ContactBegan, called, a=player)
    system.on(ContactEnded, called, a=crate)
    system.on(ContactBegan, called, b=player)
    found = [str(advice) for advice in system.doctor() if advice.kind == "handler"]
    assert [
        f"entity {player}: the handler called of ContactBegan cannot be called: the entity has no Contact; add one, or "
        "match it as b"
    ] == found


@pytest.mark.parametrize("has_reporter", [False, True], ids=["without", "with"])
def test_a_handler_of_contacts_in_a_world_without_contact_names_what_is_missing(system: CollisionSystem, has_reporter):
    a_crate(0)
    if has_reporter:
        esper.create_entity(Transform(9, 0), BoxCollider(0.5, 0.5), Contact())

    @system.on(ContactBegan)
    def landed(event):
        pass

    frames(system, MIN_FRAMES)
    (line,) = [each for each in system.doctor() if each.kind == "handler"]
    words = f"the handler landed of ContactBegan has matched no event in {MIN_FRAMES} frames"
    assert line.startswith(words)
    assert has_reporter == (line != f"{words}, because no body has a Contact; add one to the body that reports")
