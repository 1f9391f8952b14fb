"""Refused values: the message names entity, component, field, value and remedy, and nothing changes (L3, E8).

Invalid numbers are in test_invalid_numbers.py.
"""

from __future__ import annotations

import math
import warnings

import esper
import pytest
from worlds import a_crate, a_player, a_system, a_wall, a_zone, next_frame, part, place

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionError,
    CollisionSystem,
    CompoundCollider,
    Contact,
    Inertia,
    Motion,
    OrientedBox,
    Sleeping,
    Sphere,
    Static,
    Transform,
    Trigger,
    UnknownEntity,
)


def refused(call, kind: type[Exception], *pieces: str) -> str:
    """Check that a call raises a CollisionError of a built-in kind that contains the pieces; return its message."""
    with pytest.raises(CollisionError) as caught:
        call()
    assert isinstance(caught.value, kind)
    text = str(caught.value)
    assert [piece for piece in pieces if piece not in text] == [], text
    return text


CONSTRUCTORS = {
    "offset of four": (lambda: BoxCollider(1, 1, offset=(0, 0, 0, 0)), ValueError, ("BoxCollider", "offset", "4")),
    "layer is not a string": (lambda: BoxCollider(1, 1, layer=3), TypeError, ("BoxCollider", "layer", "3", "str")),
    "mask of numbers": (lambda: BoxCollider(1, 1, mask=[1]), TypeError, ("BoxCollider", "mask", "1", "str")),
    "no parts": (lambda: CompoundCollider([]), ValueError, ("CompoundCollider", "parts", "enabled=False")),
    "no Box": (lambda: CompoundCollider([BoxCollider(1, 1)]), TypeError, ("parts holds BoxCollider(1.0",)),
    "one part": (lambda: CompoundCollider(Sphere(1)), TypeError, ("must be a sequence of parts, not Sphere(1.0",)),
    "an axis": (lambda: Capsule(1, 1, "w"), ValueError, ("Capsule.axis is 'w'; it must be \"x\", \"y\" or \"z\"",)),
    "no axis": (lambda: CapsuleCollider(1, 1, None), ValueError, ("CapsuleCollider.axis is None; it must be",)),
    "a rotation of text": (lambda: Transform(0, 0, rotation="left"), TypeError,
        ("must be an angle about z in radians, a quater",)),
    "a vector": (lambda: Transform(0, 0, rotation=(0, 0, 1)), ValueError,
        ("a quaternion (x, y, z, w) or None, not (0",)),
    "no length": (lambda: Transform(0, 0, rotation=(0, 0, 0, 0)), ValueError,
        ("a quaternion of length 0; give None",)),
    "nan": (lambda: Capsule(1, 1, rotation=math.nan), ValueError, ("Capsule.rotation is nan; give a finite number",)),
    "nan in it": (lambda: OrientedBox(1, 1, rotation=(0, 0, 1, math.nan)), ValueError, ("rotation w is nan",)),
    "unknown rule": (lambda: Motion(rule="all"), ValueError, ("Motion", "rule", "'all'", "each", "sum")),
}  # fmt: skip


@pytest.mark.parametrize(("make", "kind", "pieces"), CONSTRUCTORS.values(), ids=CONSTRUCTORS)
def test_a_constructor_names_the_invalid_argument_L3(make, kind, pieces):
    refused(make, kind, *pieces)


SETTERS = [
    (Transform(1, 2, 3), "position", (5,)),
    (Transform(1, 2, 3), "position", "ab"),
    (BoxCollider(1, 2), "layer", ""),
    (BoxCollider(1, 2), "mask", 7),
    (CompoundCollider([Box(1, 1)]), "parts", []),
    (CompoundCollider([Box(1, 1)]), "parts", [Box(1, 1), 4]),
    (Motion(force=2), "rule", "none"),
    (Transform(0, 0, rotation=0.5), "rotation", (0, 0, 0, 0)),
    (CapsuleCollider(1, 2, "x"), "axis", "w"),
    (Trigger(mask="a"), "mask", [3]),
    (Contact(mask="a"), "mask", [3]),
]


@pytest.mark.parametrize(("component", "field", "value"), SETTERS, ids=lambda value: getattr(value, "__name__", None))
def test_a_setter_refuses_and_keeps_the_old_value_L3(component, field, value):
    before = repr(component), getattr(component, field)
    text = refused(lambda: setattr(component, field, value), Exception, type(component).__name__)
    assert field in text
    assert (repr(component), getattr(component, field)) == before


SETTINGS = {
    "bin size is not a power of two": ({"bin_size": 3.0}, ("bin_size", "3", "power of two")),
    "unknown rule": ({"rule": "both"}, ("rule", "'both'", "each", "sum")),
    "unknown order": ({"order": "random"}, ("order", "'random'", "sequential", "front_first")),
    "unknown policy": ({"overlap_policy": "explode"}, ("overlap_policy", "'explode'", "leave", "block_deeper")),
    "two axes": ({"axis_order": "xy"}, ("axis_order", "'xy'", "xyz")),
    "an axis twice": ({"axis_order": "xxz"}, ("axis_order", "'xxz'")),
    "axes as a number": ({"axis_order": 3}, ("axis_order", "3")),
    "bounds swapped": ({"bounds": ((5, 0), (0, 5))}, ("bounds", "5")),
    "a hook that cannot be called": ({"can_push": 3}, ("can_push", "3")),
    "front_first with all_or_nothing": (
        {"order": "front_first", "all_or_nothing": True},
        ("front_first", "all_or_nothing", "sequential"),
    ),
}


@pytest.mark.parametrize(("settings", "pieces"), SETTINGS.values(), ids=SETTINGS)
def test_a_system_refuses_invalid_settings_and_names_valid_ones_L3(world, settings, pieces):
    refused(lambda: CollisionSystem(**settings), Exception, *pieces)
    assert a_system().space.pairs() == []


def test_all_or_nothing_of_one_motion_under_front_first_is_refused_P10(world):
    system = a_system(order="front_first")
    player = a_player(0)
    part(player, Motion).all_or_nothing = True
    part(player, Motion).move(dx=1)
    text = refused(esper.process, ValueError, "front_first", "all_or_nothing")
    assert str(player) in text
    assert place(player) == (0, 0, 0)
    part(player, Motion).all_or_nothing = None
    esper.process()
    assert place(player) == (1, 0, 0)
    system.check()


# -- checks by a world ------------------------------------------------------------------------------------------------

FAR = 2.0**20
INVALID_BODIES = {
    "beyond the range in x": ((Transform(FAR, 0), BoxCollider(1, 1)), ("Transform", "x", "1048576", "bin_size")),
    "beyond the range in y": ((Transform(0, -FAR), BoxCollider(1, 1)), ("Transform", "y", "-1048576", "bin_size")),
    "a box beyond the range": ((Transform(0, 0), BoxCollider(FAR, 1)), ("BoxCollider", "hx", "1048576", "bin_size")),
    "collider without Transform": ((BoxCollider(1, 1),), ("BoxCollider", "Transform")),
    "compound without Transform": ((CompoundCollider([Box(1, 1)]),), ("CompoundCollider", "Transform")),
    "Motion without collider": ((Transform(0, 0), Motion()), ("Motion", "collider")),
    "Trigger without collider": ((Transform(0, 0), Trigger()), ("Trigger", "collider")),
    "Contact without collider": ((Transform(0, 0), Contact()), ("Contact", "collider")),
    "Contact with Trigger": (
        (Transform(0, 0), BoxCollider(1, 1), Contact(), Trigger()),
        ("Contact", "Trigger", "touching=True", "remove one"),
    ),
    "Static with Motion": ((Transform(0, 0), BoxCollider(1, 1), Static(), Motion()), ("Static", "Motion")),
    "Static with Inertia": ((Transform(0, 0), BoxCollider(1, 1), Static(), Inertia(1)), ("Static", "Inertia")),
    "two colliders": (
        (Transform(0, 0), BoxCollider(1, 1), CompoundCollider([Box(1, 1)])),
        ("BoxCollider", "CompoundCollider", "one"),
    ),
    "the class Transform": ((Transform, BoxCollider(1, 1)), ("Transform", "class", "instance")),
    "the class BoxCollider": ((Transform(0, 0), BoxCollider), ("BoxCollider", "class", "instance")),
    "the class Inertia without collider": ((Transform(0, 0), Inertia), ("Inertia", "class", "instance")),
    "the class Static": ((Transform(0, 0), BoxCollider(1, 1), Static), ("Static", "class", "instance")),
}  # fmt: skip


def picture(system: CollisionSystem) -> tuple[object, ...]:
    """Return everything that a refused change must not alter."""
    system.check()
    spots = {entity: transform.position for entity, transform in esper.get_component(Transform)}
    space = system.space
    return spots, list(space.cells), list(space.static_cells), space.pairs(triggers=True), list(system.events)


def copies(parts: tuple[object, ...]) -> list[object]:
    """Return copies of instances, and classes unchanged."""
    return [part if isinstance(part, type) else part.copy() for part in parts]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("parts", "pieces"), INVALID_BODIES.values(), ids=INVALID_BODIES)
def test_an_invalid_new_body_is_named_and_changes_nothing_E8(system, parts, pieces):
    a_zone(0), a_crate(0.5), a_wall(5)
    esper.process()
    before = picture(system)
    wrong = esper.create_entity(*copies(parts))
    for call in (esper.process, lambda: system.space.at(0, 0), esper.process):
        refused(call, ValueError, f"entity {wrong}", *pieces)
    assert list(system.events) == before[-1]
    esper.delete_entity(wrong, immediate=True)
    assert picture(system) == before
    assert next_frame(system) == []


INVALID_CHANGES = {
    "teleported beyond the range": (lambda body: setattr(part(body, Transform), "x", 3e6),
        lambda body: setattr(part(body, Transform), "x", 0.5), ("Transform", "x", "3000000")),
    "grown beyond the range": (lambda body: setattr(part(body, BoxCollider), "hy", 3e6),
        lambda body: setattr(part(body, BoxCollider), "hy", 0.5), ("BoxCollider", "hy", "3000000")),
    "made static": (lambda body: esper.add_component(body, Static()), lambda body: esper.remove_component(body, Static),
        ("Static", "Inertia")),
    "left without Transform": (lambda body: removed.append(esper.remove_component(body, Transform)),
        lambda body: esper.add_component(body, removed.pop()), ("BoxCollider", "Transform")),
    "given a second collider": (lambda body: esper.add_component(body, CompoundCollider([Box(1, 1)])),
        lambda body: esper.remove_component(body, CompoundCollider), ("BoxCollider", "CompoundCollider")),
}  # fmt: skip
removed: list[Transform] = []


@pytest.mark.parametrize(("break_body", "correct", "pieces"), INVALID_CHANGES.values(), ids=INVALID_CHANGES)
def test_a_body_made_invalid_is_named_and_correcting_it_leaves_no_trace_L3(system, break_body, correct, pieces):
    zone, body = a_zone(0), a_crate(0.5)
    esper.process()
    before = picture(system)
    break_body(body)
    refused(esper.process, ValueError, f"entity {body}", *pieces)
    assert list(system.events) == before[-1]
    correct(body)
    assert picture(system) == before
    assert next_frame(system) == []
    assert system.inside(zone) == [body]


def test_inertia_and_sleeping_without_collider_are_ignored_E8(system):
    esper.create_entity(Inertia(1), Sleeping())
    esper.create_entity(Transform(0, 0), Inertia(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        esper.process()
    assert (system.space.pairs(), system.stats.bodies) == ([], 0)


def test_a_transform_alone_is_not_a_body(system):
    entity = esper.create_entity(Transform(0, 0))
    esper.process()
    refused(lambda: system.touching(entity), KeyError, str(entity))


def test_unknown_entity_reads_as_plain_text(system):
    with pytest.raises(UnknownEntity) as caught:
        system.move(42, dx=1)
    assert not str(caught.value).startswith(("'", '"'))
