"""Components in esper: instances, values and `enabled` (rules E6, E7, E9)."""

from __future__ import annotations

import copy
import math
import pickle
import re
from collections.abc import Callable

import esper
import pytest
from worlds import a_crate, a_player, a_system, a_wall, a_zone, fresh_world, next_frame, part, place

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionError,
    CollisionSystem,
    CompoundCollider,
    Contact,
    Fused,
    Inertia,
    Mass,
    Material,
    Motion,
    OrientedBoxCollider,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
)
from ecs_collision.components import Collider, Component


def test_a_component_keeps_its_last_values_after_its_entity_is_deleted_E6(system):
    crate, player = a_crate(1), a_player(0)
    system.move(player, dx=2)
    transform = part(crate, Transform)
    esper.delete_entity(crate)
    esper.process()
    assert transform.position == (3, 0, 0)
    transform.x = 8
    newcomer = a_crate(3)
    esper.process()
    assert (place(newcomer), transform.x) == ((3, 0, 0), 8)
    assert esper.create_entity(transform, BoxCollider(0.5, 0.5)) in system.space.at(8, 0)


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


def test_components_of_a_closed_system_are_free_E6(system):
    body = a_crate(0)
    esper.process()
    parts = esper.components_for_entity(body)
    system.close()
    with fresh_world():
        second = a_system()
        again = esper.create_entity(*parts)
        esper.process()
        assert second.space.at(0, 0) == [again]


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


def test_instances_may_move_and_swap_between_entities_E6(system):
    first, second = a_crate(0), a_wall(10)
    esper.process()
    for kind in (Transform, BoxCollider):
        mine, yours = part(first, kind), part(second, kind)
        esper.add_component(first, yours)
        esper.add_component(second, mine)
    assert (system.space.at(0, 0), system.space.at(10, 0)) == ([second], [first])
    part(first, Transform).x = 20
    assert system.space.at(20, 0) == [first]
    third = esper.create_entity(part(second, Transform), part(second, BoxCollider))
    esper.delete_entity(second)
    assert system.space.at(0, 0) == [third]
    system.check()


COMPONENTS = [
    Transform(1.5, -2, 3, (0, 0, 1, 1)),
    BoxCollider(1, 2, 3, offset=(0.5, 0, 0), layer="a", mask=("a", "b")),
    CompoundCollider([Box(1, 2), Box(0.5, 0.5, offset=(1, 1, 0))], layer="b", mask=()),
    Inertia(x=1, y=math.inf, z=0.5),
    Motion(force=2, priority=3, rule="sum", max_chain=2, all_or_nothing=True),
    Sleeping(asleep=True, after=7),
    Trigger(mask="a", statics=True, touching=True, swept=True, stay=True, linger=4, enabled=False),
    Static(),
    Fused(7),
    SphereCollider(0.5, offset=(1, 0, 0), layer="a"),
    CapsuleCollider(0.5, 2, "z", offset=(1, 0, 0), mask="b"),
    OrientedBoxCollider(1, 2, 3, offset=(1, 0, 0), enabled=False),
    Velocity(1, 2, 3, angular=(4, 5, 6)),
    Mass(2, moment=3),
    Material(restitution=1, friction=2),
    Contact(mask="a", linger=4),
]
FIELDS = {
    Transform: ("x", "y", "z", "position", "rotation"),
    BoxCollider: ("hx", "hy", "hz", "offset", "layer", "mask", "enabled"),
    CompoundCollider: ("parts", "layer", "mask", "enabled"),
    Inertia: ("x", "y", "z"),
    Motion: ("force", "priority", "dx", "dy", "dz", "rule", "max_chain", "all_or_nothing"),
    Sleeping: ("asleep", "after"),
    Trigger: ("mask", "statics", "touching", "swept", "stay", "linger", "enabled"),
    Static: (),
    Fused: ("to",),
    SphereCollider: ("radius", "offset", "layer", "mask", "enabled"),
    CapsuleCollider: ("radius", "half_length", "axis", "offset", "layer", "mask", "enabled"),
    OrientedBoxCollider: ("hx", "hy", "hz", "offset", "layer", "mask", "enabled"),
    Velocity: ("x", "y", "z", "angular"),
    Mass: ("value", "moment", "inverse", "inverse_moment"),
    Material: ("restitution", "friction"),
    Contact: ("mask", "linger"),
}
COPIES: dict[str, Callable[[object], object]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda component: pickle.loads(pickle.dumps(component)),
    ".copy()": lambda component: component.copy(),  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("make_copy", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: type(component).__name__)
def test_a_copy_has_the_values_and_equality_is_identity_E6(component, make_copy):
    copied = make_copy(component)
    assert type(copied) is type(component)
    assert {name: getattr(component, name) for name in FIELDS[type(component)]} == {
        name: getattr(copied, name) for name in FIELDS[type(component)]
    }
    assert copied is not component
    assert copied != component
    assert len({copied, component}) == 2
    assert repr(copied) == repr(component)


@pytest.mark.parametrize("make_copy", COPIES.values(), ids=COPIES)
def test_a_copy_is_unbound_E6(system, make_copy):
    crate = a_crate(1, 0, Motion(), Sleeping())
    player = a_player(0)
    system.move(player, dx=1)
    copied = esper.create_entity(*map(make_copy, esper.components_for_entity(crate)))
    assert system.space.at(2, 0) == [crate, copied]
    part(copied, Transform).x = 50
    assert (place(crate), system.space.at(50, 0)) == ((2, 0, 0), [copied])
    system.check()


@pytest.mark.parametrize("make_copy", COPIES.values(), ids=COPIES)
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


@pytest.mark.parametrize("kind", [type(component) for component in COMPONENTS])
def test_a_component_class_is_final_and_the_error_says_what_to_do_E6(kind):
    with pytest.raises(CollisionError, match=rf"(?s)Mine.*{kind.__name__}.*(final|instead|beside)") as caught:
        type("Mine", (kind,), {})
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: type(component).__name__)
def test_a_misspelt_attribute_raises_E6(component):
    with pytest.raises(AttributeError):
        component.enabeld = True
    assert not hasattr(component, "__dict__")


# -- E7: values -----------------------------------------------------------------------------------------------------


def test_a_single_string_is_one_layer_and_two_coordinates_keep_z_E7():
    assert BoxCollider(1, 1, mask="walls").mask == frozenset({"walls"})
    assert Trigger(mask="walls").mask == frozenset({"walls"})
    transform = Transform(1, 2, 3)
    transform.position = (5, 6)
    assert transform.position == (5, 6, 3)
    transform.position = (7, 8, 9)
    assert transform.position == (7, 8, 9)


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


def test_a_body_disabled_inside_a_trigger_leaves_and_enters_again_when_enabled_E9(system):
    zone, crate = a_zone(0), a_crate(0.5)
    next_frame(system)
    part(crate, BoxCollider).enabled = False
    assert next_frame(system) == [("left", zone, crate, "DISABLED")]
    part(crate, Transform).x = 0.25
    assert next_frame(system) == []
    part(crate, BoxCollider).enabled = True
    assert next_frame(system) == [("entered", zone, crate)]


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
        OrientedBoxCollider: (3, 3), Velocity: (9.0,), Mass: (9.0,), Material: (1.0,), Contact: ()}  # fmt: skip


def component_classes() -> list[type[Component]]:
    found, pending = [], [Component]
    for kind in pending:
        pending += kind.__subclasses__()
        found += [] if kind.__subclasses__() else [kind]
    return sorted(found, key=lambda kind: kind.__name__)


def bound_components(kind: type[Component]) -> tuple[CollisionSystem, Component]:
    """Return a system, and a component of a body in its world."""
    system = CollisionSystem()
    esper.add_processor(system)
    other = esper.create_entity(Transform(9, 9), BoxCollider(1, 1))
    parts = [Transform(1, 2), kind(*MADE[kind]) if issubclass(kind, Collider) else BoxCollider(1, 1)]
    parts += [Static()] if kind is Static else [Inertia(1), Motion(2.0), Sleeping(), Fused(other)]
    parts += [Contact()] if kind is Contact else [Trigger()]
    parts += [Velocity(1), Mass(1), Material()]
    entity = esper.create_entity(*parts)
    esper.process()
    return system, esper.component_for_entity(entity, kind)


@pytest.mark.parametrize("kind", component_classes())
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


@pytest.mark.parametrize("kind", component_classes())
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
