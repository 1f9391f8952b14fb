"""Fused bodies, swept triggers, lingering and restores combined: events depend only on the end of the frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import pytest
from worlds import a_box, a_crate, a_wall, a_zone, next_frame, part, place

from ecs_collision import (
    Box,
    BoxCollider,
    CastHit,
    CollisionSystem,
    CompoundCollider,
    Fused,
    Inertia,
    Transform,
    Trigger,
)

Asking = Callable[[CollisionSystem], object]

MEANWHILE: dict[str, Asking] = {
    "nothing": lambda system: None,
    "a plan": lambda system: system.plan(_somebody(), dx=1),
    "a snapshot and back": lambda system: system.restore(system.snapshot()),
}
"""Calls between two acts of a frame, which only read (T8)."""


def _somebody() -> int:
    """Return a body that exists."""
    return 2 if esper.entity_exists(2) else 3


meanwhile = pytest.mark.parametrize("look", MEANWHILE.values(), ids=MEANWHILE)


def fuse(entity: int, to: int) -> None:
    esper.add_component(entity, Fused(to))


def free(entity: int) -> None:
    esper.remove_component(entity, Fused)


def into(zone: int, other: int) -> tuple[Any, ...]:
    return ("entered", zone, other)


def out(zone: int, other: int, reason: str = "MOVED") -> tuple[Any, ...]:
    return ("left", zone, other, reason)


# -- Names: the id of a body in events. -----------------------------------------------------------------------------


@pytest.mark.parametrize("linger", [0, 3])
@pytest.mark.parametrize("mask", ["default", ("default", "other")])
@meanwhile
def test_a_fused_sensor_that_becomes_solid_is_reported_by_its_root_and_back_T6(system, look, mask, linger):
    zone, root = a_zone(0, mask=mask, linger=linger), a_crate(-5)
    member = a_box(0, 0, Fused(root), Trigger())
    assert next_frame(system) == [into(zone, member)]
    esper.remove_component(member, Trigger)
    look(system)
    assert next_frame(system) == [out(zone, member, "FILTERED"), into(zone, root)], "3 names no body of its own now"
    assert system.inside(zone) == [root]
    system.check()
    esper.add_component(member, Trigger())
    look(system)
    gone = [] if linger else [out(zone, root)]
    assert next_frame(system) == [*gone, into(zone, member)], "the group lost the member that was inside"
    assert system.inside(zone) == ([root, member] if linger else [member])
    system.check()


def test_a_layer_of_a_member_decides_for_the_whole_group_T6(system):
    zone, root = a_zone(0, mask="metal"), a_crate(-5)
    member = a_crate(0, 0, Fused(root), layer="metal")
    assert next_frame(system) == [into(zone, root)]
    part(root, BoxCollider).layer = "metal"
    part(member, BoxCollider).layer = "wood"
    assert next_frame(system) == [out(zone, root)], "the root would be reported, but it is not inside"
    part(root, BoxCollider).layer = "wood"
    part(member, BoxCollider).layer = "metal"
    assert next_frame(system) == [into(zone, root)]
    part(member, BoxCollider).layer = "wood"
    assert next_frame(system) == [out(zone, root, "FILTERED")]


# -- Removed and added within a frame. ------------------------------------------------------------------------------

FLICKERS: dict[str, tuple[Callable[[int], object], Callable[[int], object]]] = {
    "fuse": (free, lambda member: fuse(member, 2)),
    "collider": (lambda member: setattr(part(member, BoxCollider), "enabled", False),
        lambda member: setattr(part(member, BoxCollider), "enabled", True)),
    "layer": (lambda member: setattr(part(member, BoxCollider), "layer", "ghost"),
        lambda member: setattr(part(member, BoxCollider), "layer", "default")),
    "place": (lambda member: setattr(part(member, Transform), "position", (90, 0)),
        lambda member: setattr(part(member, Transform), "position", (0, 0))),
    "the zone's Trigger": (lambda member: esper.remove_component(1, Trigger),
        lambda member: esper.add_component(1, Trigger(mask="default", linger=part(4, Trigger).linger))),
    "being solid": (lambda member: esper.add_component(member, Trigger(mask=())),
        lambda member: esper.remove_component(member, Trigger)),
    "the other end": (lambda member: setattr(part(member, Fused), "to", 5),
        lambda member: setattr(part(member, Fused), "to", 2)),
}  # fmt: skip


@pytest.mark.parametrize("linger", [0, 2])
@pytest.mark.parametrize("flicker", FLICKERS.values(), ids=FLICKERS)
@meanwhile
def test_a_component_removed_and_added_within_a_frame_gives_no_event_T1(system, look, flicker, linger):
    zone, root = a_zone(0, mask="default", linger=linger), a_crate(20)
    member = a_crate(0, 0, Fused(root))
    a_zone(60, linger=linger)
    a_crate(40)
    assert next_frame(system) == [into(zone, root)]
    for change in flicker:
        change(member)
        look(system)
    assert next_frame(system) == []
    assert system.inside(zone) == [root]
    system.check()
    part(member, Transform).x = 9
    assert [next_frame(system) for _ in range(linger + 1)][-1] == [out(zone, root)]


# -- Reasons, and lingering. ----------------------------------------------------------------------------------------

FAR: dict[str, Callable[[int, int, int], object]] = {
    "nothing": lambda body, far, new: None,
    "a distant body is fused to it": lambda body, far, new: fuse(new, body),
    "a distant body is fused to a member": lambda body, far, new: fuse(new, far),
    "a member far away is freed": lambda body, far, new: free(far),
    "a member far away is disabled": lambda body, far, new: setattr(part(far, BoxCollider), "enabled", False),
    "a member far away is deleted": lambda body, far, new: esper.delete_entity(far, immediate=True),
    "a member far away becomes a trigger": lambda body, far, new: esper.add_component(far, Trigger(mask=())),
    "a member far away gets another layer": lambda body, far, new: setattr(part(far, BoxCollider), "layer", "ghost"),
    "others far away are fused": lambda body, far, new: fuse(new, a_crate(120)),
    "a distant body is deleted": lambda body, far, new: esper.delete_entity(new),
}


@pytest.mark.parametrize("linger", [0, 1, 5])
@pytest.mark.parametrize("change", FAR.values(), ids=FAR)
@meanwhile
def test_a_distant_change_neither_ends_lingering_nor_gives_a_reason_T5(system, look, change, linger):
    zone, body = a_zone(0, linger=linger), a_crate(0)
    far, new = a_crate(50, 0, Fused(body)), a_crate(90)
    assert next_frame(system) == [into(zone, body)]
    system.move(body, dy=10)
    look(system)
    change(body, far, new)
    look(system)
    reported = [next_frame(system) for _ in range(linger + 3)]
    assert reported == [[]] * linger + [[out(zone, body)], [], []]


LOSSES: dict[str, tuple[Callable[[int, int, int], object], str]] = {
    "its member is freed": (lambda zone, root, member: free(member), "MOVED"),
    "its member is deleted": (lambda zone, root, member: esper.delete_entity(member), "MOVED"),
    "its member is disabled": (lambda zone, root, member: _able(member, False), "MOVED"),
    "its member is written elsewhere": (lambda zone, root, member: _put(member, 90), "MOVED"),
    "its member is a trigger now": (lambda zone, root, member: esper.add_component(member, Trigger(mask=())), "MOVED"),
    "the root is deleted": (lambda zone, root, member: (free(member), esper.delete_entity(root)), "DELETED"),
    "the root is disabled": (lambda zone, root, member: _able(root, False), "DISABLED"),
    "the root is disabled and goes": (lambda zone, root, member: (_able(root, False), _put(member, 9)), "DISABLED"),
    "the trigger is disabled": (lambda zone, root, member: _able(zone, False), "DISABLED"),
    "the trigger is none any more": (lambda zone, root, member: esper.remove_component(zone, Trigger), "DELETED"),
    "the trigger is deleted": (lambda zone, root, member: esper.delete_entity(zone), "DELETED"),
    "the trigger is fused to it": (lambda zone, root, member: fuse(zone, member), "FILTERED"),
    "no member passes the mask": (lambda zone, root, member: setattr(part(zone, Trigger), "mask", "z"), "FILTERED"),
    "the root is fused to another": (lambda zone, root, member: fuse(root, 4), "FILTERED"),
    "the root is fused to another and goes": (lambda zone, root, member: (fuse(root, 4), _put(member, 9)), "FILTERED"),
}


def _able(entity: int, enabled: bool) -> None:
    part(entity, BoxCollider).enabled = enabled


def _put(entity: int, x: float) -> None:
    part(entity, Transform).x = x


@pytest.mark.parametrize("linger", [0, 2])
@pytest.mark.parametrize(("lose", "reason"), LOSSES.values(), ids=LOSSES)
@meanwhile
def test_the_reason_of_a_left_is_that_of_the_end_of_the_frame_T3(system, look, lose, reason, linger):
    zone, root = a_zone(0, linger=linger), a_crate(20)
    member, other = a_crate(0, 0, Fused(root)), a_crate(40)
    assert (zone, root, member, other) == (1, 2, 3, 4)
    assert next_frame(system) == [into(zone, root)]
    lose(zone, root, member)
    look(system)
    reported = [next_frame(system) for _ in range(linger + 1)]
    left = [(frame, phrase[3]) for frame, phrases in enumerate(reported) for phrase in phrases if phrase[2] == root]
    assert left == [(linger if reason == "MOVED" else 0, reason)]
    system.check()


@pytest.mark.parametrize(("lose", "reason"), LOSSES.values(), ids=LOSSES)
def test_lingering_ends_at_once_when_the_body_could_not_return_T3_T5(system, lose, reason):
    zone, root = a_zone(0, linger=9), a_crate(20)
    member = a_crate(0, 0, Fused(root))
    a_crate(40)
    next_frame(system)
    _put(member, 9)
    assert next_frame(system) == []
    lose(zone, root, member)
    assert next_frame(system) == ([] if reason == "MOVED" else [out(zone, root, reason)])


# -- Crossings are reported in their frame. ----------------------------------------------------------------------------

BEHIND: dict[str, Callable[[int], object]] = {
    "nothing": lambda stranger: None,
    "a bystander is deleted": lambda stranger: esper.delete_entity(stranger),
    "a bystander is deleted at once": lambda stranger: esper.delete_entity(stranger, immediate=True),
    "a bystander has another component": lambda stranger: esper.add_component(stranger, Inertia(2)),
    "a bystander is written": lambda stranger: _put(stranger, -300),
    "a bystander is disabled": lambda stranger: _able(stranger, False),
    "a bystander is fused": lambda stranger: fuse(stranger, 3),
    "one is born": lambda stranger: a_crate(-400),
    "others are freed": lambda stranger: free(4) if esper.has_component(4, Fused) else None,
}


@pytest.mark.parametrize("fused", [False, True], ids=["none fused", "others fused"])
@pytest.mark.parametrize("act", BEHIND.values(), ids=BEHIND)
@meanwhile
def test_a_crossing_is_reported_in_its_frame_with_any_other_change_T4(system, look, act, fused):
    zone, body, far = a_zone(0, swept=True), a_crate(-5), a_crate(200)
    a_crate(203, 0, *([Fused(far)] if fused else []))
    stranger = a_crate(-200)
    assert next_frame(system) == []
    system.move(body, dx=10)
    look(system)
    act(stranger)
    look(system)
    assert next_frame(system) == [into(zone, body), out(zone, body)]
    assert next_frame(system) == []
    system.check()


@pytest.mark.parametrize("fused", [False, True], ids=["alone", "fused"])
@pytest.mark.parametrize("mover", ["the body moves", "the trigger moves"])
@pytest.mark.parametrize("between", ["nothing", "a frame", "a move", "a frame of others", "two frames"])
def test_a_crossing_in_a_snapshot_is_reported_in_its_frame_N1(system, between, mover, fused):
    zone, body = a_zone(0, swept=True), a_crate(-5)
    a_crate(-5, 2, *([Fused(body)] if fused else []))
    assert next_frame(system) == []
    system.move(body, dx=10) if mover == "the body moves" else system.move(zone, dx=-10)
    kept = system.snapshot()
    if between == "a move":
        system.move(body, dy=3)
    elif between == "a frame of others":
        system.move(3, dy=30)
    expected = [into(zone, body), out(zone, body)]
    if "frame" in between:
        assert next_frame(system) == expected
        state = system.state_hash()
    if between == "two frames":
        assert next_frame(system) == []
    system.restore(kept)
    assert kept == system.snapshot()
    system.check()
    assert next_frame(system) == expected
    if between in ("a frame", "two frames"):
        assert state == system.state_hash()
    assert next_frame(system) == []


def test_a_crossing_is_reported_under_the_id_of_the_body_when_it_moved_T4(system):
    zone, body, other = a_zone(0, swept=True), a_crate(-5), a_crate(30)
    next_frame(system)
    system.move(body, dx=10)
    fuse(body, other)
    assert next_frame(system) == [into(zone, body), out(zone, body, "FILTERED")]
    free(body)
    next_frame(system)
    fuse(body, other)
    system.move(other, dx=-10)
    free(body)
    assert next_frame(system) == [into(zone, other), out(zone, other)]
    assert place(body) == (-5, 0, 0)
    system.check()


# -- Queries of disabled bodies. ---------------------------------------------------------------------------------------


def test_a_disabled_door_can_be_tested_before_it_is_enabled_E9(system):
    crate, door = a_crate(0), a_wall(0, enabled=False)
    beside = a_crate(1)
    assert system.space.overlapping(door) == [crate]
    assert system.space.touching(door) == system.touching(door) == [beside]
    assert system.space.cast(door, (3, 0)) == CastHit(crate, 0.0, 0.0, (0, 0, 0), (0, 0, 0))
    assert system.space.cast(door, (3, 0), ignore=[crate]) == CastHit(beside, 0.0, 0.0, (-1, 0, 0), (0.5, 0, 0))
    assert system.space.overlapping(crate) == [], "it is in no answer of others"
    assert system.space.overlapping(((-1, -1), (1, 1)), ignore=[beside]) == [crate]
    part(crate, Transform).x = -5
    assert system.space.overlapping(door) == []
    _able(door, True)
    assert system.space.touching(door) == [beside]
    system.check()


def test_queries_of_a_disabled_body_are_as_if_it_were_enabled_E9(system):
    """Compounds, triggers, layers, and a member that would be in a group again."""
    boxes = [Box(0.5, 0.5), Box(0.5, 0.5, offset=(4, 0, 0))]
    root = a_crate(9)
    asks = esper.create_entity(Transform(0, 0), CompoundCollider(boxes), Fused(root))
    low, high, zone = a_crate(0.25, layer="low"), a_crate(4, 0.75, layer="high"), a_zone(4, -1)
    space = system.space
    for enabled in (True, False):
        part(asks, CompoundCollider).enabled = enabled
        assert space.overlapping(asks) == [low, high]
        assert space.overlapping(asks, layers="high") == [high]
        assert space.touching(asks, triggers=True) == [zone]
        assert space.cast(asks, (0, 9), ignore=[low, high]) is None
    part(asks, Transform).x = 5
    assert space.overlapping(asks) == [root], "a disabled member is not in its group"
    for enabled in (True, False):
        part(zone, Trigger).enabled = enabled
        part(zone, Transform).position = (0.5, 0)
        assert (space.overlapping(zone), space.touching(zone)) == ([low], [])
