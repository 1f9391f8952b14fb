"""Contacts of solid bodies that ask for them with a Contact (rules C1 to C5)."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import esper
import pytest
from boards import sometimes
from faulty import Failing, Halt, every, failed
from worlds import a_box, a_crate, a_player, a_wall, a_zone, part, trigger_events

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionError,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Contact,
    ContactBegan,
    ContactEnded,
    FellAsleep,
    Fused,
    InvalidChanges,
    LeftReason,
    OneWay,
    OrientedBoxCollider,
    Sleeping,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    Woke,
)

PASSES = "ecs_collision.contacts.triggers.FULL_PASS_"
RIGHT, LEFT, DOWN, UP = (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)


@pytest.fixture(params=["each body", "all pairs"])
def update(request, monkeypatch):
    """Run a test with the update around each changed body and with the one of all pairs."""
    monkeypatch.setattr(PASSES + "MINIMUM", 1 if request.param == "all pairs" else 10**9)
    monkeypatch.setattr(PASSES + "SHARE", 10**9)


def contact_events(system: CollisionSystem | CollisionWorld) -> list[tuple[Any, ...]]:
    """Return the contact events of the last frame in order: ("began", a, b) or ("ended", a, b, reason)."""
    found: list[tuple[Any, ...]] = []
    for event in system.events:
        if isinstance(event, ContactBegan):
            found.append(("began", event.a, event.b))
        elif isinstance(event, ContactEnded):
            found.append(("ended", event.a, event.b, event.reason.name))
    return found


def next_contacts(system: CollisionSystem) -> list[tuple[Any, ...]]:
    """Process a frame, check all invariants and return its contact events."""
    esper.process()
    system.check()
    return contact_events(system)


def normals(system: CollisionSystem) -> list[tuple[float, float, float]]:
    """Process a frame and return the normals of the contacts that began."""
    esper.process()
    return [event.normal for event in system.events if isinstance(event, ContactBegan)]


# C1: when they begin and end.


def test_a_contact_that_lasts_a_hundred_frames_begins_once_and_ends_once_C1(system, update):
    feet, floor = a_player(0, 0, Contact()), a_wall(0, 1)
    assert [("began", feet, floor)] == next_contacts(system)
    for _ in range(99):
        assert [] == next_contacts(system)
        assert [floor] == system.contacts(feet)
    system.move(feet, dy=-1)
    assert [("ended", feet, floor, "MOVED")] == next_contacts(system)
    assert [] == system.contacts(feet)


def test_two_bodies_that_both_ask_report_once_each_way_C1(system, update):
    one, two = a_player(0, 0, Contact()), a_crate(1, 0, Contact())
    esper.process()
    assert [ContactBegan(1, one, two, RIGHT), ContactBegan(1, two, one, LEFT)] == list(system.events)


def test_a_push_a_motion_and_a_write_begin_contacts_C1(system, update):
    player, crate, wall = a_player(0), a_crate(1, 0, Contact()), a_wall(4, 0)
    assert [("began", crate, player)] == next_contacts(system)
    system.request(player, dx=2)
    assert [("began", crate, wall)] == next_contacts(system)
    assert [player, wall] == system.contacts(crate)
    part(player, Transform).x = -5
    assert [("ended", crate, player, "MOVED")] == next_contacts(system)
    part(player, Transform).x = 2.25  # now they overlap
    assert [("began", crate, player)] == next_contacts(system)


@pytest.mark.parametrize("ask", ["nothing", "a query", "a hash", "a snapshot"])
def test_what_is_changed_and_reverted_within_a_frame_gives_no_event_C1(system, update, ask):
    asks, other = a_box(0, 0, Contact()), a_crate(1)
    assert [("began", asks, other)] == next_contacts(system)
    changes = {
        "position": lambda there: setattr(part(other, Transform), "x", 9 if there else 1),
        "enabled": lambda there: setattr(part(other, BoxCollider), "enabled", not there),
        "component": lambda there: (
            esper.remove_component(asks, Contact) if there else esper.add_component(asks, Contact())
        ),
        "mask": lambda there: setattr(part(asks, Contact), "mask", "walls" if there else None),
        "trigger": lambda there: (
            (esper.remove_component(asks, Contact), esper.add_component(asks, Trigger(touching=True)))
            if there
            else (esper.remove_component(asks, Trigger), esper.add_component(asks, Contact()))
        ),
    }
    for name, change in changes.items():
        for there in (True, False):
            change(there)
            if ask == "a query":
                system.space.at(0, 0)
            elif ask == "a hash":
                system.state_hash()
            elif ask == "a snapshot":
                system.restore(system.snapshot())
        assert [] == next_contacts(system), name
        assert [other] == system.contacts(asks), name


def test_bodies_that_brush_or_cross_each_other_within_a_frame_give_nothing_C1(system, update):
    asks, runner = a_box(0, 0, Contact()), a_player(-3, 1, force=5)
    assert [] == next_contacts(system)
    system.request(runner, dx=6)  # along the whole side
    assert [] == next_contacts(system)
    system.request(runner, dx=-3)
    assert [("began", asks, runner)] == next_contacts(system)


# C2: which pairs.


@pytest.mark.parametrize(
    ("mine", "theirs", "mask", "meet"),
    [
        ({}, {}, None, True),
        ({}, {"layer": "a"}, "a", True),
        ({}, {"layer": "a"}, ("a", "b"), True),
        ({}, {"layer": "a"}, "b", False),
        ({}, {}, (), False),
        ({"mask": "b"}, {"layer": "a"}, None, False),
        ({"layer": "b"}, {"mask": "a"}, None, False),
        ({"layer": "b", "mask": "a"}, {"layer": "a", "mask": "b"}, "a", True),
    ],
)
def test_a_contact_is_of_bodies_that_may_meet_and_whose_layer_is_in_the_mask_C2_P14(
    system, update, mine, theirs, mask, meet
):
    asks, other = a_box(0, 0, Contact(mask=mask), **mine), a_crate(1, **theirs)
    assert [("began", asks, other)] * meet == next_contacts(system)
    assert [other] * meet == system.contacts(asks)


@pytest.mark.parametrize("is_static", [False, True], ids=["asking", "static and asking"])
@pytest.mark.parametrize("other_is_static", [False, True], ids=["with a crate", "with a wall"])
def test_walls_are_reported_but_not_of_two_static_bodies_C2(system, update, is_static, other_is_static):
    asks = a_box(0, 0, Contact(), *[Static()] * is_static)
    other = a_box(5, 0, *[Static()] * other_is_static)
    assert [] == next_contacts(system)
    part(other, Transform).x = 1
    meet = not (is_static and other_is_static)
    assert [("began", asks, other)] * meet == next_contacts(system)
    part(asks, Transform).x = 9
    assert [("ended", asks, other, "MOVED")] * meet == next_contacts(system)


def test_triggers_have_no_contacts_and_are_in_none_C2_T1(system, update):
    asks, zone = a_box(0, 0, Contact()), a_zone(0.5, touching=True)
    assert [] == next_contacts(system)
    assert [("entered", zone, asks)] == trigger_events(system)
    assert [] == system.contacts(asks)
    with pytest.raises(CollisionError, match=rf"entity {zone} does not ask for its contacts: .*call inside\({zone}\)"):
        system.contacts(zone)


def test_an_edge_a_corner_or_a_gap_is_no_contact_C2_L4(system, update):
    a_box(0, 0, Contact())
    a_crate(1, 1)
    a_crate(-1 - 2**-16, 0)
    assert [] == next_contacts(system)


def test_contact_beside_trigger_is_refused_with_a_remedy_E8(system):
    asks = a_box(0, 0, Contact(), Trigger())
    with pytest.raises(InvalidChanges, match=rf"entity {asks}: Contact with Trigger.*touching=True.*remove one"):
        esper.process()
    esper.remove_component(asks, Trigger)
    esper.process()
    assert [] == system.contacts(asks)


SHAPES = {
    "circle": (SphereCollider(0.5), (0, 1), UP),
    "circle above its side": (SphereCollider(0.5), (0.25, 1), UP),
    "capsule": (CapsuleCollider(0.5, 1, "x"), (0, 1), UP),
    "turned box": (OrientedBoxCollider(0.5, 0.5), (0, 1 - 2**-8), UP),
    "compound": (CompoundCollider([Box(0.5, 0.5), Box(0.5, 0.5, offset=(1, 0))]), (-1.5, 0), RIGHT),
}


@pytest.mark.parametrize(("collider", "spot", "normal"), SHAPES.values(), ids=SHAPES)
def test_shapes_of_all_kinds_are_in_contact_and_have_a_normal_C1_C4_H5(system, update, collider, spot, normal):
    x, y = spot
    floor = a_wall(0, 0)
    asks = esper.create_entity(Transform(9, 9), collider.copy(), Contact())
    turned = esper.create_entity(Transform(x, y), collider.copy(), Contact())
    opposite = tuple(-each + 0.0 for each in normal)
    esper.process()
    assert [ContactBegan(1, turned, floor, normal)] == list(system.events)
    part(turned, Transform).position = (20, 20)
    part(asks, Transform).position = (x, y)
    esper.add_component(floor, Contact())
    assert [normal, opposite] == sorted(normals(system), key=[normal, opposite].index)
    system.check()


# C3: how they end.


ENDINGS: dict[str, tuple[Callable[[int, int], object], str]] = {
    "the other moves": (lambda asks, other: setattr(part(other, Transform), "x", 9), "MOVED"),
    "the other shrinks": (lambda asks, other: setattr(part(other, BoxCollider), "hx", 0.25), "MOVED"),
    "it is deleted": (lambda asks, other: esper.delete_entity(asks, immediate=True), "DELETED"),
    "the other is deleted": (lambda asks, other: esper.delete_entity(other), "DELETED"),
    "it loses its Contact": (lambda asks, other: esper.remove_component(asks, Contact), "DELETED"),
    "it gets a Trigger instead": (
        lambda asks, other: [esper.remove_component(asks, Contact), esper.add_component(asks, Trigger())], "DELETED",
    ),
    "it is disabled": (lambda asks, other: setattr(part(asks, BoxCollider), "enabled", False), "DISABLED"),
    "the other is disabled": (lambda asks, other: setattr(part(other, BoxCollider), "enabled", False), "DISABLED"),
    "the other changes its layer": (lambda asks, other: setattr(part(other, BoxCollider), "layer", "g"), "FILTERED"),
    "its collider gets a mask": (lambda asks, other: setattr(part(asks, BoxCollider), "mask", "ghosts"), "FILTERED"),
    "its Contact gets a mask": (lambda asks, other: setattr(part(asks, Contact), "mask", "ghosts"), "FILTERED"),
    "the other becomes a trigger": (lambda asks, other: esper.add_component(other, Trigger()), "FILTERED"),
    "they are fused": (lambda asks, other: esper.add_component(other, Fused(asks)), "FILTERED"),
}  # fmt: skip


@pytest.mark.parametrize("linger", [0, 2], ids=["", "lingering"])
@pytest.mark.parametrize(("end", "reason"), ENDINGS.values(), ids=ENDINGS)
def test_every_contact_ends_exactly_once_with_a_reason_C3(system, update, end, reason, linger):
    asks, other = a_box(0, 0, Contact(mask="things", linger=linger)), a_box(1, 0, layer="things")
    assert [("began", asks, other)] == next_contacts(system)
    end(asks, other)
    got = [next_contacts(system) for _ in range(4)]
    waits = linger if reason == "MOVED" else 0
    assert [*[[]] * waits, [("ended", asks, other, reason)], *[[]] * (3 - waits)] == got


def test_both_become_static_and_one_static_no_more_C3(system, update):
    asks, other = a_box(0, 0, Contact(), Static()), a_box(1, 0)
    assert [("began", asks, other)] == next_contacts(system)
    esper.add_component(other, Static())
    assert [("ended", asks, other, "FILTERED")] == next_contacts(system)
    esper.remove_component(asks, Static)
    assert [("began", asks, other)] == next_contacts(system)


def test_a_lingering_contact_that_is_renewed_goes_on_and_ends_later_C3(system, update):
    asks, other = a_box(0, 0, Contact(linger=2)), a_box(1, 0)
    assert [("began", asks, other)] == next_contacts(system)
    part(other, Transform).x = 9
    assert [] == next_contacts(system)
    assert [other] == system.contacts(asks)
    part(other, Transform).x = 1
    assert [] == next_contacts(system)
    part(other, Transform).x = 9
    assert [[], [], [("ended", asks, other, "MOVED")], []] == [next_contacts(system) for _ in range(4)]


def test_a_reporter_of_the_other_kind_ends_what_it_reported_and_begins_again_C3_T3(system, update):
    asks, other = a_box(0, 0, Contact()), a_box(0.5, 0)
    assert [("began", asks, other)] == next_contacts(system)
    esper.remove_component(asks, Contact)
    esper.add_component(asks, Trigger())
    esper.process()
    assert [ContactEnded, TriggerEntered] == sorted(map(type, system.events), key=lambda kind: kind.__name__)
    assert [other] == system.inside(asks)
    esper.remove_component(asks, Trigger)
    esper.add_component(asks, Contact())
    esper.process()
    assert [TriggerLeft(3, asks, other, LeftReason.DELETED), ContactBegan(3, asks, other, RIGHT)] == list(system.events)
    assert [other] == system.contacts(asks)
    system.check()


def test_a_new_body_with_the_id_of_a_deleted_one_has_its_own_contact_C3_E3():
    world = CollisionWorld()
    box = {"collider": BoxCollider(0.5, 0.5), "transform": Transform(0, 0)}
    asks = world.add(1, **box, contact=Contact(linger=5))
    world.add(2, transform=Transform(1, 0), collider=BoxCollider(0.5, 0.5))
    world.step()
    world.remove(2)
    world.add(2, transform=Transform(0, 1), collider=BoxCollider(0.5, 0.5))
    world.step()
    assert [ContactEnded(2, asks, 2, LeftReason.DELETED), ContactBegan(2, asks, 2, DOWN)] == world.events


def test_a_contact_ends_and_begins_again_when_the_body_is_replaced_C3(system):
    one, two = a_box(0, 0, Contact()), a_box(1)
    assert [("began", one, two)] == next_contacts(system)
    for kind in (Transform, BoxCollider):
        esper.add_component(two, part(two, kind).copy())
    assert [("ended", one, two, "DELETED"), ("began", one, two)] == next_contacts(system)


# Groups.


def test_a_group_is_named_by_its_root_and_in_contact_by_any_member_C2(system, update):
    asks = a_box(0, 0, Contact())
    root = a_box(9, 0)
    near, nearer = a_box(0, 1, Fused(root)), a_box(1, 0, Fused(root))
    assert [("began", asks, root)] == next_contacts(system)
    part(near, Transform).y = 5
    assert [] == next_contacts(system)
    part(nearer, Transform).y = 5
    assert [("ended", asks, root, "MOVED")] == next_contacts(system)


def test_an_asking_member_is_compared_by_its_own_parts_and_not_with_its_group_C2(system, update):
    root = a_box(0, 0)
    feet = a_box(0, 1, Fused(root), Contact())
    head = a_box(-1, 0)
    assert [] == next_contacts(system)
    floor = a_wall(0, 2)
    assert [("began", feet, floor)] == next_contacts(system)
    assert [floor] == system.contacts(feet)
    assert head not in system.contacts(feet)


# C4: the normal.

PLACES = {
    "right": ((1, 0), RIGHT), "left": ((-1, 0), LEFT), "below": ((0, 1), DOWN), "above": ((0, -1), UP),
    "less deep along x": ((0.75, 0.5), RIGHT), "less deep along y": ((0.25, -0.5), UP),
    "as deep along both": ((-0.5, 0.5), LEFT), "in the middle": ((0, 0), RIGHT),
    "touching below and wide": ((0.875, 1), DOWN),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_the_normal_of_boxes_is_the_axis_on_which_they_touch_or_overlap_least_C4(system, update, name):
    (x, y), normal = PLACES[name]
    a_box(0, 0, Contact())
    a_box(x, y)
    assert [normal] == normals(system)


def test_the_normal_is_along_z_only_in_3d_C4_L5(system, update):
    flat = CompoundCollider([Box(1, 1, 0.5)])
    one, two = a_box(0, 0, Contact(), hx=1, hy=1), esper.create_entity(Transform(0, 0), flat)
    assert [RIGHT] == normals(system), "in 2D nothing leaves another along z"
    part(two, Transform).position = (9, 9)
    esper.process()
    a_box(50, 50, hx=3)
    esper.create_entity(Transform(60, 0, 7), BoxCollider(1, 1, 1))
    part(two, Transform).position = (0, 0, 0.75)
    assert [(0.0, 0.0, 1.0)] == normals(system)
    part(two, Transform).position = (0, 0, 9)
    esper.process()
    part(two, Transform).position = (0, 0, -1)
    assert [(0.0, 0.0, -1.0)] == normals(system)
    assert [two] == system.contacts(one)


def test_of_several_parts_the_deepest_counts_and_of_equal_ones_the_first_C4(system, update):
    corner = CompoundCollider([Box(0.5, 0.5, offset=(1, 0)), Box(0.5, 0.5, offset=(0, 1))])
    a_box(0, 0, Contact())
    angle = esper.create_entity(Transform(0, 0), corner)
    assert [RIGHT] == normals(system), "both parts touch: the first counts"
    part(angle, Transform).x = 9
    esper.process()
    part(angle, Transform).position = (0, -0.25)
    assert [DOWN] == normals(system), "the second part overlaps"
    part(angle, CompoundCollider).parts = part(angle, CompoundCollider).parts[::-1]
    part(angle, Transform).position = (9, 0)
    esper.process()
    part(angle, Transform).position = (0, 0)
    assert [DOWN] == normals(system), "the other part is the first now"


def test_the_normal_of_a_compound_of_nested_boxes_goes_by_their_order_C4(system, update):
    small = [Box(0.125, 0.125, offset=(at / 4, 3)) for at in range(20)]  # inside the last one
    many = [Box(0.5, 0.5, offset=(0, 1)), Box(0.5, 0.5, offset=(1, 0)), *small, Box(6, 1, offset=(2, 3))]
    a_box(0, 0, Contact())
    body = esper.create_entity(Transform(0, 0), CompoundCollider(many))
    assert [DOWN] == normals(system)
    part(body, CompoundCollider).parts = [many[1], many[0], *many[2:]]
    part(body, Transform).x = 99
    esper.process()
    part(body, Transform).x = 0
    assert [RIGHT] == normals(system)


def test_of_a_group_the_member_with_the_lowest_id_in_contact_gives_the_normal_C4(system, update):
    a_box(0, 0, Contact())
    root = a_box(9, 0)
    a_box(0, 1, Fused(root))
    a_box(1, 0, Fused(root))
    assert [DOWN] == normals(system)


OTHERS = {
    "a box": lambda: BoxCollider(0.75, 0.5),
    "a ball": lambda: SphereCollider(0.75),
    "a capsule": lambda: CapsuleCollider(0.5, 0.75, "y"),
    "a turned box": lambda: OrientedBoxCollider(0.75, 0.5),
    "a compound": lambda: CompoundCollider([Box(0.5, 0.5), Sphere(0.5, offset=(0.75, 0.25))]),
}


def turned(name: str) -> float | None:
    """Return a rotation of a part that turns."""
    return 0.375 if name == "a turned box" else None


@pytest.mark.once
@pytest.mark.parametrize("z", sometimes([0.0, 0.625], [0.625]), ids=["2D", "3D"])
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("mine", OTHERS)
def test_normals_are_those_of_the_contact_manifold_to_the_bit_C4_H9(mine, other, z):
    choose = random.Random(f"{mine} {other} {z}")
    found = 0
    for _ in range(8):
        world = CollisionWorld()
        x, y = (choose.randrange(-(2**16), 2**16) / 2**16 for _ in range(2))
        world.add(1, transform=Transform(0, 0, rotation=turned(mine)), collider=OTHERS[mine](), contact=Contact())
        world.add(2, transform=Transform(x, y, z, rotation=turned(other)), collider=OTHERS[other]())
        began = [event.normal for event in world.step().events if isinstance(event, ContactBegan)]
        manifold = world.space.contact(1, 2)
        assert ([] if manifold is None else [manifold.normal]) == began
        found += len(began)
    assert found > 1


# C5, order, sleep.


def test_contacts_are_those_of_the_last_frame_sorted_and_refused_with_a_remedy_C5(system):
    asks = a_box(0, 0, Contact())
    others = [a_box(1, 0), a_box(-1, 0), a_box(0, 1)]
    assert [] == system.contacts(asks)
    esper.process()
    assert others == system.contacts(asks)
    part(others[0], Transform).x = 9
    assert others == system.contacts(asks), "the frame has not come yet"
    assert others[1:] == system.touching(asks)
    esper.process()
    assert others[1:] == system.contacts(asks)
    remedy = rf"entity {others[0]} does not ask for its contacts: .*add Contact\(\), or call touching\({others[0]}\)"
    with pytest.raises(CollisionError, match=remedy):
        system.contacts(others[0])


def test_contacts_of_a_body_that_was_a_trigger_are_none_until_the_frame_C5(system):
    body, other = a_zone(0, touching=True), a_box(1, 0)
    esper.process()
    assert [other] == system.inside(body)
    esper.remove_component(body, Trigger)
    esper.add_component(body, Contact())
    assert [] == system.contacts(body)
    esper.process()
    assert [other] == system.contacts(body)


def test_contact_events_come_between_those_of_triggers_and_sleep_T7(system):
    asks, zone = a_box(0, 0, Contact()), a_zone(1, 0)
    first, second = a_box(9, 0), a_box(-1, 0)
    a_box(20, 0, Sleeping(after=1))
    esper.process()
    part(first, Transform).x = 1
    part(second, Transform).x = -5
    kinds: list[type[Any]] = []
    system.on(FellAsleep, lambda event: kinds.append(FellAsleep))
    system.on(ContactBegan, lambda event: kinds.append(ContactBegan), a=asks, b=first)
    system.on(ContactEnded, lambda event: kinds.append(ContactEnded), a=asks, reason=LeftReason.MOVED)
    system.on(TriggerEntered, lambda event: kinds.append(TriggerEntered), trigger=zone)
    esper.process()
    assert [TriggerEntered, ContactEnded, ContactBegan, FellAsleep] == kinds
    part(first, Transform).x, part(second, Transform).x = 9, -1
    esper.process()
    assert [TriggerLeft, ContactEnded, ContactBegan] == list(map(type, system.events))


def test_esper_gets_contact_events_under_their_names_T9(system):
    asks, other = a_box(0, 0, Contact()), a_box(1, 0)
    seen: list[Any] = []

    def see(event: object) -> None:
        seen.append(event)

    esper.set_handler("collision_contact_began", see)
    esper.set_handler("collision_contact_ended", see)
    esper.process()
    esper.delete_entity(other, immediate=True)
    esper.process()
    assert [ContactBegan(1, asks, other, RIGHT), ContactEnded(2, asks, other, LeftReason.DELETED)] == seen


def test_a_body_keeps_its_contacts_without_an_event_by_resting_or_waking_S5(system, update):
    asks, other = a_box(0, 0, Contact(), Sleeping(after=2)), a_box(1, 0, Sleeping(after=2))
    assert [("began", asks, other)] == next_contacts(system)
    assert [[], [], []] == [next_contacts(system) for _ in range(3)]
    assert part(asks, Sleeping).asleep
    assert [other] == system.contacts(asks)
    part(asks, Sleeping).asleep = False
    assert [] == next_contacts(system)
    assert [other] == system.contacts(asks)


@pytest.mark.parametrize("change", ["mask", "linger", "removed", "added"])
def test_a_sleeper_wakes_if_its_contact_component_changes_S4(system, change):
    body = a_box(0, 0, Sleeping(asleep=True), *[Contact()] * (change != "added"))
    esper.process()
    assert part(body, Sleeping).asleep
    if change == "removed":
        esper.remove_component(body, Contact)
    elif change == "added":
        esper.add_component(body, Contact())
    else:
        setattr(part(body, Contact), change, {"mask": "a", "linger": 2}[change])
    esper.process()
    assert [Woke(2, body)] == list(system.events)


def test_a_sleeper_is_reported_by_one_that_comes_and_does_not_wake_S3(system, update):
    sleeper, player = a_box(3, 0, Sleeping(asleep=True), Contact()), a_player(0, 0, Contact())
    assert [] == next_contacts(system)
    system.request(player, dx=2)
    assert [("began", sleeper, player), ("began", player, sleeper)] == next_contacts(system)
    assert part(sleeper, Sleeping).asleep


def test_a_frame_with_contacts_that_fails_anywhere_has_not_happened_C1_C3():
    """Contacts of all kinds begin, end, linger and change their kind in one frame."""

    def a_world() -> CollisionWorld:
        world = CollisionWorld()
        box = partial(BoxCollider, 0.5, 0.5)
        world.add(1, transform=Transform(0, 0), collider=box(), contact=Contact(linger=2))
        world.add(2, transform=Transform(1, 0), collider=box(), contact=Contact())
        world.add(3, transform=Transform(0, 1), collider=SphereCollider(0.5), contact=Contact())
        world.add(4, transform=Transform(9, 9), collider=SphereCollider(0.5))
        world.add(5, transform=Transform(0, -1), collider=box(), trigger=Trigger(touching=True, linger=1))
        world.step()
        world.teleport(2, 9, 8)
        parts = world._bodies.of(world._bodies.row(5))
        world._stage(5, parts._replace(trigger=None, contact=Contact()))
        parts = world._bodies.of(world._bodies.row(3))
        world._stage(3, parts._replace(contact=None, trigger=Trigger(touching=True)))
        world.apply_changes()
        return world

    def future(world: CollisionWorld) -> list[object]:
        return [[*map(repr, world.step().events)] for _ in range(4)] + [world.snapshot()]

    expected = future(a_world())
    assert 3 < len(expected[0])
    places = set()
    for failing in every(Failing, Halt):
        world = a_world()
        before = world.snapshot()
        if failed(world.step, failing):
            places.add(failing.place)
            assert before == world.snapshot(), failing.place
            world.check()
            assert expected == future(world), failing.place
    assert len(places) > 2


# M5: one-way bodies.


def a_platform(x, y, *more, direction="up", half=1.5):
    return a_wall(x, y, *more, OneWay(direction), hx=half)


def test_a_one_way_body_is_in_contact_only_in_front_and_not_inside_M5(system, update):
    hero, floor = a_player(0, 5, Contact()), a_platform(0, 3, Contact())
    assert [] == next_contacts(system)
    system.move(hero, dy=-1)  # it touches from below
    assert [] == next_contacts(system)
    system.move(hero, dy=-0.5)
    assert [] == next_contacts(system)
    system.move(hero, dy=-0.5)  # inside
    assert [] == next_contacts(system)
    system.move(hero, dy=-1)  # on it
    assert [("began", hero, floor), ("began", floor, hero)] == next_contacts(system)
    assert [(0.0, 1.0, 0.0), (0.0, -1.0, 0.0)] == [
        event.normal for event in system.events if type(event) is ContactBegan
    ]
    assert [floor] == system.contacts(hero)
    system.move(hero, dy=0.5, through=True)
    assert [("ended", hero, floor, "MOVED"), ("ended", floor, hero, "MOVED")] == next_contacts(system)
    system.move(hero, dx=2, dy=-0.5)  # beside it
    assert [] == next_contacts(system)


def test_large_one_way_bodies_and_heroes_are_compared_as_a_whole_M5(system, update):
    floor, small = a_player(0, 3, OneWay("up"), hx=400.0), a_player(0, 2.5, Contact())
    assert [] == next_contacts(system)
    system.move(floor, dy=0.5)  # leaves what was inside
    assert [("began", small, floor)] == next_contacts(system)
    system.teleport(floor, 0, 2.5)
    assert [("ended", small, floor, "MOVED")] == next_contacts(system)


@pytest.mark.parametrize("ball", [False, True])
def test_a_hero_in_one_tile_is_in_contact_with_the_tile_below_M5(system, update, ball):
    tiles = CompoundCollider([Box(0.5, 0.5), Box(1.5, 0.5, offset=(0, 1))])
    stairs = esper.create_entity(Transform(0, 0), tiles, Static(), OneWay("up"))
    shape = CompoundCollider([Sphere(0.5)]) if ball else CompoundCollider([Box(0.5, 0.5), Box(0.25, 0.25)])
    hero = esper.create_entity(Transform(0, 0), shape, Contact())
    esper.process()
    assert [ContactBegan(1, hero, stairs, DOWN)] == list(system.events)
    system.check()


@pytest.mark.parametrize("change", ["removed", "added", "turned"])
def test_a_contact_follows_the_one_way_component_M5(system, update, change):
    hero, floor = a_player(0, 2.5, Contact()), a_platform(0, 3)
    one_way = part(floor, OneWay)
    if change == "added":
        esper.remove_component(floor, OneWay)
        assert [("began", hero, floor)] == next_contacts(system)
        esper.add_component(floor, one_way)
        assert [("ended", hero, floor, "MOVED")] == next_contacts(system)
    elif change == "removed":
        assert [] == next_contacts(system)
        esper.remove_component(floor, OneWay)
        assert [("began", hero, floor)] == next_contacts(system)
    else:
        part(hero, Transform).y = 2
        assert [("began", hero, floor)] == next_contacts(system)
        one_way.direction = "left"
        assert [("ended", hero, floor, "MOVED")] == next_contacts(system)
