"""Components in esper: instances, values and `enabled` (rules E6, E7, E9)."""

from __future__ import annotations

import copy
import re

import esper
import pytest
from worlds import a_crate, a_player, a_system, a_wall, a_zone, fresh_world, next_frame, part, place

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    Carries,
    Character,
    CollisionError,
    CollisionSystem,
    CompoundCollider,
    Contact,
    Fused,
    Grips,
    Inertia,
    Lifetime,
    Mass,
    Material,
    Motion,
    Mover,
    OneWay,
    OrientedBoxCollider,
    Path,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
)
from ecs_collision.components import COMPONENT_TYPES, Collider, Component


def test_a_replaced_component_is_free_and_keeps_its_values_E6(system):
    crate = a_crate(1)
    esper.process()
    old = part(crate, BoxCollider)
    esper.add_component(crate, BoxCollider(2, 2))
    esper.process()
    old.hx = 0.25
    other = esper.create_entity(Transform(9, 0), old)
    esper.process()
    assert [other] == system.space.at(9, 0)
    assert [] == system.space.at(9.375, 0)
    system.check()


@pytest.mark.parametrize("kind", [Transform, BoxCollider, Inertia, Motion, Sleeping])
def test_an_instance_used_by_two_entities_raises_and_names_both_E6(system, kind):
    first = a_crate(0, 0, Motion(), Sleeping())
    esper.process()
    parts = {type(c): c.copy() for c in esper.components_for_entity(first)} | {kind: part(first, kind)}
    second = esper.create_entity(*parts.values())
    with pytest.raises(CollisionError) as caught:
        esper.process()
    text = str(caught.value)
    assert isinstance(caught.value, ValueError)
    for piece in (f"entity {first}", f"entity {second}", kind.__name__, ".copy()"):
        assert piece in text
    esper.add_component(second, part(first, kind).copy())
    esper.process()
    assert system.space.at(0, 0) == [first, second]


def test_an_instance_may_not_live_in_two_worlds_E6(world):
    a_system()
    collider = BoxCollider(1, 1)
    esper.create_entity(Transform(0, 0), collider)
    esper.process()
    with fresh_world():
        a_system()
        esper.create_entity(Transform(0, 0), collider)
        with pytest.raises(CollisionError, match=r"\.copy\(\)"):
            esper.process()


@pytest.mark.parametrize("make_copy", [copy.copy, copy.deepcopy, Motion.copy], ids=["copy", "deepcopy", ".copy()"])
def test_a_copy_of_a_motion_moves_only_its_own_body_E6(system, make_copy):
    player = a_player(0)
    esper.process()
    copied = make_copy(part(player, Motion))
    copied.move(dx=3)
    esper.process()
    assert (place(player), copied.dx) == ((0, 0, 0), 3.0)
    other = esper.create_entity(Transform(0, 5), BoxCollider(0.5, 0.5), copied)
    esper.process()
    assert (place(player), place(other)) == ((0, 0, 0), (3, 5, 0))


@pytest.mark.parametrize("kind", COMPONENT_TYPES)
def test_a_component_class_is_final_and_the_error_says_what_to_do_E6(kind):
    with pytest.raises(CollisionError, match=rf"(?s)Mine.*{kind.__name__}.*(final|instead|beside)") as caught:
        type("Mine", (kind,), {})
    assert isinstance(caught.value, TypeError)


# -- E7: values -----------------------------------------------------------------------------------------------------


def test_a_single_string_is_one_layer_E7():
    assert BoxCollider(1, 1, mask="walls").mask == frozenset({"walls"})
    assert Trigger(mask="walls").mask == frozenset({"walls"})


def test_teleport_of_two_coordinates_keeps_z_E7(system):
    body = esper.create_entity(Transform(0, 0, 4), BoxCollider(1, 1))
    system.teleport(body, 3, 5)
    assert place(body) == (3, 5, 4)
    system.teleport(body, 3, 5, 6)
    assert place(body) == (3, 5, 6)


# -- E9: enabled ----------------------------------------------------------------------------------------------------


def test_a_disabled_body_neither_blocks_nor_is_found_and_returns_unchanged_E9(system):
    wall, player = a_wall(2), a_player(0)
    esper.process()
    part(wall, BoxCollider).enabled = False
    assert system.space.at(2, 0) == []
    assert system.move(player, dx=5).moved == (5, 0, 0)
    system.teleport(player, 0, 0)
    part(wall, BoxCollider).enabled = True
    assert system.space.at(2, 0) == [wall]
    assert system.move(player, dx=5).moved == (1, 0, 0)
    system.check()


def test_a_disabled_trigger_reports_nothing_and_does_not_block_E9(system):
    zone, player = a_zone(2), a_player(0)
    part(zone, Trigger).enabled = False
    system.request(player, dx=2)
    assert next_frame(system) == []
    assert place(player) == (2, 0, 0)
    part(zone, Trigger).enabled = True
    assert next_frame(system) == [("entered", zone, player)]


# -- misuse of components --------------------------------------------------------------------------------------------

MADE = {Transform: (5, 5), BoxCollider: (3, 3), CompoundCollider: ([Box(3, 3)],), Inertia: (9,), Motion: (9.0,),
        Sleeping: (True, 9), Static: (), Trigger: (), Fused: (0,), SphereCollider: (3,), CapsuleCollider: (3, 3),
        OrientedBoxCollider: (3, 3), Velocity: (9.0,), Mass: (9.0,), Material: (1.0,), Contact: (),
        Mover: ("stop",), Character: ("down",), OneWay: ("left",), Carries: ("left",), Grips: (0,),
        Path: ([(5, 5), (6, 5)], 2.0), Lifetime: (9,)}  # fmt: skip


def bound_components(kind: type[Component]) -> tuple[CollisionSystem, Component]:
    """Return a system, and a component of a body in its world."""
    system = CollisionSystem()
    esper.add_processor(system)
    other = esper.create_entity(Transform(9, 9), BoxCollider(1, 1))
    parts = [Transform(1, 2), kind(*MADE[kind]) if issubclass(kind, Collider) else BoxCollider(1, 1)]
    parts += [Static()] if kind is Static else [Inertia(1), Motion(2.0), Sleeping(), Fused(other)]
    parts += [Contact()] if kind is Contact else [Trigger()]
    parts += [Velocity(1), Material(), *([] if kind is Path else [Mass(1)])]
    parts += [kind(*MADE[kind])] if kind in (Mover, Character, OneWay, Carries, Grips, Path, Lifetime) else []
    entity = esper.create_entity(*parts)
    esper.process()
    return system, esper.component_for_entity(entity, kind)


@pytest.mark.parametrize("kind", COMPONENT_TYPES)
def test_init_of_a_component_in_use_raises(world, kind):
    system, component = bound_components(kind)
    before = repr(component), system.snapshot()
    words = rf"{kind.__name__}.__init__ was called on the {kind.__name__} of entity \d+; assign its fields .* a new"
    for arguments in (MADE[kind], (), ("x",)):
        with pytest.raises(TypeError) as caught:
            component.__init__(*arguments)
        if arguments == MADE[kind]:
            assert isinstance(caught.value, CollisionError)
            assert re.match(words, str(caught.value))
    assert before == (repr(component), system.snapshot())
    system.check()
    again = component.copy()
    again.__init__(*MADE[kind])
    assert repr(kind(*MADE[kind])) == repr(again), "an unbound component may be initialised again"


READ_ONLY = {
    (Motion, axis): rf"^Motion\.{axis}( of entity \d+)? cannot be assigned.*motion\.move\({axis}=\.\.\.\)$"
    for axis in ("dx", "dy", "dz")
}
INTERNAL = re.compile(r"components\.|\b(Request|TransformFields|Bound|Collider|Component)\b")
"""Names of internal base classes."""


@pytest.mark.parametrize("kind", COMPONENT_TYPES)
@pytest.mark.parametrize("bound", [False, True], ids=["unbound", "bound"])
def test_read_only_attributes_name_the_component_and_no_internal_class_E6(world, kind, bound):
    component = bound_components(kind)[1] if bound else kind(*MADE[kind])
    before = repr(component)
    names = [name for name in dir(kind) if not name.startswith("_")]
    for name in [*names, "postion", "enabeld", "dxx", "hidden"]:
        attempts = [lambda name=name: delattr(component, name)]
        if not hasattr(component, name) or callable(getattr(component, name)) or (kind, name) in READ_ONLY:
            attempts.append(lambda name=name: setattr(component, name, 3))
        for attempt in attempts:
            with pytest.raises(AttributeError, match=rf"{kind.__name__}.*{name}|{name}.*{kind.__name__}") as caught:
                attempt()
            assert not INTERNAL.search(str(caught.value))
    for (owner, name), words in READ_ONLY.items():
        if owner is kind:
            with pytest.raises(CollisionError, match=words):
                setattr(component, name, 3)
    assert before == repr(component)
