"""O8: the events of triggers are the changes of the bodies that overlap them, for every kind of change (T1 to T6, E3).

Each kind of change is tested alone, with its reason. The soak combines them and compares with the model of the rules.
"""

from __future__ import annotations

import esper
import pytest
from worlds import a_crate, a_player, a_zone, next_frame, part

from ecs_collision import BoxCollider, Motion, Sleeping, Transform, Trigger


def _new_parts(entity: int) -> None:
    """Give the entity a new Transform and a new collider, equal to the old ones."""
    esper.add_component(entity, part(entity, Transform).copy())
    esper.add_component(entity, part(entity, BoxCollider).copy())


def _take_out(entity: int) -> None:
    part(entity, BoxCollider).enabled = False


LEAVING = {
    "moved by its motion": (lambda zone, body: part(body, Motion).move(dx=5), "MOVED"),
    "written": (lambda zone, body: setattr(part(body, Transform), "x", 5), "MOVED"),
    "the trigger written": (lambda zone, body: setattr(part(zone, Transform), "position", (0, 9)), "MOVED"),
    "resized": (lambda zone, body: setattr(part(body, BoxCollider), "hx", 0.25), "MOVED"),
    "the trigger resized": (lambda zone, body: setattr(part(zone, BoxCollider), "hx", 0.0), "MOVED"),
    "its box shifted": (lambda zone, body: setattr(part(body, BoxCollider), "offset", (0, 2)), "MOVED"),
    "its Transform replaced": (lambda zone, body: esper.add_component(body, Transform(7, 7)), "MOVED"),
    "its layer changed": (lambda zone, body: setattr(part(body, BoxCollider), "layer", "ghost"), "FILTERED"),
    "the mask changed": (lambda zone, body: setattr(part(zone, Trigger), "mask", "ghost"), "FILTERED"),
    "it became a trigger": (lambda zone,
        body: [setattr(part(zone, Trigger), "mask", None), esper.add_component(body, Trigger(mask=()))], "FILTERED"),
    "disabled": (lambda zone, body: _take_out(body), "DISABLED"),
    "the trigger's collider disabled": (lambda zone, body: _take_out(zone), "DISABLED"),
    "the trigger disabled": (lambda zone, body: setattr(part(zone, Trigger), "enabled", False), "DISABLED"),
    "it is no body any more": (
        lambda zone, body: [esper.remove_component(body, kind) for kind in (Motion, BoxCollider)], "DELETED"),
    "deleted at once": (lambda zone, body: esper.delete_entity(body, immediate=True), "DELETED"),
    "deleted at the next process": (lambda zone, body: esper.delete_entity(body), "DELETED"),
    "the trigger deleted at once": (lambda zone, body: esper.delete_entity(zone, immediate=True), "DELETED"),
    "the trigger deleted at the next process": (lambda zone, body: esper.delete_entity(zone), "DELETED"),
    "both deleted": (lambda zone, body: [esper.delete_entity(entity) for entity in (zone, body)], "DELETED"),
    "the Trigger removed": (lambda zone, body: esper.remove_component(zone, Trigger), "DELETED"),
    "the database cleared": (lambda zone, body: esper.clear_database(), "DELETED"),
    "disabled and moved away": (lambda zone, body: [_take_out(body), setattr(part(body, Transform), "x", 9)],
        "DISABLED"),
    "layer changed and disabled": (lambda zone,
        body: [setattr(part(body, BoxCollider), "layer", "ghost"), _take_out(body)], "DISABLED"),
    "layer changed and moved away": (lambda zone,
        body: [setattr(part(body, BoxCollider), "layer", "g"), setattr(part(body, Transform), "x", 9)], "FILTERED"),
    "disabled, then deleted": (lambda zone, body: [_take_out(body), esper.delete_entity(body)], "DELETED"),
}  # fmt: skip


@pytest.mark.parametrize("linger", [0, 3], ids=["", "lingering"])
@pytest.mark.parametrize(("change", "reason"), LEAVING.values(), ids=LEAVING)
def test_a_body_leaves_a_trigger_exactly_once_with_its_reason_T3_T5(system, change, reason, linger):
    """Only one that moved lingers. Other reasons count at once."""
    zone = a_zone(0, mask="default", linger=linger)
    body = a_player(0.75)
    assert next_frame(system) == [("entered", zone, body)]
    change(zone, body)
    waits = linger if reason == "MOVED" else 0
    assert [next_frame(system) for _ in range(waits)] == [[]] * waits
    assert next_frame(system) == [("left", zone, body, reason)]
    assert system.inside(zone) == [] if esper.entity_exists(zone) and esper.has_component(zone, Trigger) else True
    assert [next_frame(system) for _ in range(3)] == [[]] * 3
    system.check()


RETURNING = {
    "moved": lambda zone, body: part(body, Motion).move(dx=-5),
    "written": lambda zone, body: setattr(part(body, Transform), "x", 0.75),
    "enabled": lambda zone, body: setattr(part(body, BoxCollider), "enabled", True),
    "trigger enabled": lambda zone, body: setattr(part(zone, Trigger), "enabled", True),
    "layer changed back": lambda zone, body: setattr(part(body, BoxCollider), "layer", "default"),
    "mask changed back": lambda zone, body: setattr(part(zone, Trigger), "mask", None),
    "resized": lambda zone, body: setattr(part(body, BoxCollider), "hx", 6),
    "a Trigger added": lambda zone, body: esper.add_component(zone, Trigger()),
}
AWAY = {
    "moved": lambda zone, body: part(body, Motion).move(dx=5),
    "written": lambda zone, body: setattr(part(body, Transform), "x", 5),
    "enabled": lambda zone, body: _take_out(body),
    "trigger enabled": lambda zone, body: setattr(part(zone, Trigger), "enabled", False),
    "layer changed back": lambda zone, body: setattr(part(body, BoxCollider), "layer", "ghost"),
    "mask changed back": lambda zone, body: setattr(part(zone, Trigger), "mask", "ghost"),
    "resized": lambda zone, body: setattr(part(body, Transform), "x", 5),
    "a Trigger added": lambda zone, body: esper.remove_component(zone, Trigger),
}


@pytest.mark.parametrize("how", RETURNING)
def test_a_body_that_left_enters_again_by_any_change_O8(system, how):
    zone, body = a_zone(0, mask="default"), a_player(0.75)
    assert next_frame(system) == [("entered", zone, body)]
    AWAY[how](zone, body)
    assert [phrase[:3] for phrase in next_frame(system)] == [("left", zone, body)]
    RETURNING[how](zone, body)
    assert next_frame(system) == [("entered", zone, body)]
    assert system.inside(zone) == [body]


NOTHING = {
    "out and back in one frame": lambda system, zone, body: [
        system.teleport(body, 9, 9),
        system.teleport(body, 0.75, 0),
    ],
    "its collider replaced": lambda system, zone, body: esper.add_component(body, BoxCollider(0.5, 0.5)),
    "its Transform replaced": lambda system, zone, body: esper.add_component(body, Transform(0.75, 0)),
    "the Trigger replaced": lambda system, zone, body: esper.add_component(zone, Trigger()),
    "disabled and enabled": lambda system, zone, body: [
        _take_out(body),
        setattr(part(body, BoxCollider), "enabled", True),
    ],
    "put to sleep": lambda system, zone, body: esper.add_component(body, Sleeping(asleep=True)),
    "moved inside": lambda system, zone, body: system.move(body, dx=-0.5),
    "Motion removed": lambda system, zone, body: esper.remove_component(body, Motion),
}


@pytest.mark.parametrize("change", NOTHING.values(), ids=NOTHING)
def test_a_change_that_is_reverted_within_a_frame_is_no_event_T1(system, change):
    zone, body = a_zone(0), a_player(0.75)
    next_frame(system)
    change(system, zone, body)
    assert next_frame(system) == []
    assert system.inside(zone) == [body]


def test_a_body_whose_transform_and_collider_are_both_replaced_is_another_body_E3(system):
    zone, body = a_zone(0), a_crate(0.75)
    next_frame(system)
    _new_parts(body)
    assert next_frame(system) == [("left", zone, body, "DELETED"), ("entered", zone, body)]


def test_an_id_made_again_of_the_same_instances_is_the_same_body_E3(system):
    zone, body = a_zone(0), a_crate(0.75)
    next_frame(system)
    kept = [esper.components_for_entity(entity) for entity in (zone, body)]
    esper.clear_database()
    assert [esper.create_entity(*parts) for parts in kept] == [zone, body]
    assert next_frame(system) == []
    assert system.inside(zone) == [body]
