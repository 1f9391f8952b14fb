"""Fields are declared once: everything generated from the schema covers every field of every component."""

from __future__ import annotations

import copy
import inspect
import pickle

import pytest

from ecs_collision import Box, Capsule, CollisionError, CollisionSystem, CollisionWorld, OrientedBox, Sphere
from ecs_collision.components import (
    COMPONENT_TYPES,
    PART_KINDS,
    REQUIRED,
    BoxCollider,
    Collider,
    Component,
    Motion,
    OrientedBoxCollider,
    Path,
    Transform,
    fields_of,
    part_of,
    stored_fields,
)
from ecs_collision.components.schema import Field, component, field, slots
from ecs_collision.fixed_point import flag, whole
from ecs_collision.levels.colliders import NAMED_COLLIDERS
from ecs_collision.levels.registry import BUILTIN_COMPONENTS, REFERENCES
from ecs_collision.levels.source import Source
from ecs_collision.levels.value_parser import ValueParser
from ecs_collision.settings import DEFAULTS, LEVEL_SETTINGS, PLAIN_SETTINGS
from ecs_collision.testing import parse_scene, record_scene
from ecs_collision.testing.scene_words import component_text, read_components

PARTS = (
    Box(1, 2), Box(3, 4, offset=(1, 0, 0)), Sphere(0.5, (1, 2, 3)), Capsule(0.5, 1, "z", (1, 0, 0), (0, 0, 1, 1)),
    OrientedBox(1, 2, 3, rotation=0.5),
)  # fmt: skip
VALUES = [
    True, False, 3, 0.25, "sum", "x", frozenset("b"), (0.5, 0.25, 1.0), PARTS, "cross", "back", "down", [("x", "stop")],
    [(0, 0), (1.5, 0)],
]  # fmt: skip


def other_value(kind, field):
    """Return a valid value of a field that is not its default."""
    for value in VALUES:
        try:
            value = field.check(value, field.name, **({} if field.minimum is None else {"minimum": field.minimum}))
        except (CollisionError, TypeError):
            continue
        if value != field.default:
            return value
    raise AssertionError(f"add a value for {kind.__name__}.{field.name} to VALUES")


def sample(kind):
    """Return a component without any default value."""
    return kind(**{field.name: other_value(kind, field) for field in stored_fields(kind)})


KINDS = pytest.mark.parametrize("kind", COMPONENT_TYPES, ids=lambda kind: kind.__name__)


def values(component):
    return {field.name: getattr(component, field.name) for field in stored_fields(type(component))}


@KINDS
def test_a_constructor_has_the_fields_with_their_order_names_and_defaults(kind):
    found = inspect.signature(kind).parameters.values()
    expected = sorted(fields_of(kind), key=lambda field: field.kw_only)
    assert [field.name for field in expected] == [each.name for each in found]
    for row, each in zip(expected, found, strict=True):
        assert row.kw_only == (each.kind is each.KEYWORD_ONLY)
        assert (inspect.Parameter.empty if row.default is REQUIRED else row.default) == each.default


@KINDS
def test_every_field_is_in_repr_copies_and_scenes(kind):
    component = sample(kind)
    assert all(getattr(component, each.name) == other_value(kind, each) for each in stored_fields(kind))
    names = {each.__name__: each for each in (*COMPONENT_TYPES, *PART_KINDS)}
    assert values(component) == values(eval(repr(component), names)) == values(component.copy())
    text = component_text(component)
    (read,) = read_components(ValueParser(Source("a line", text.encode()), 1, text))
    assert (type(read), values(read)) == (kind, values(component))


@pytest.mark.parametrize(
    "make_copy", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each)), lambda each: each.copy()],
    ids=["copy", "deepcopy", "pickle", ".copy()"],
)  # fmt: skip
@KINDS
def test_a_copy_has_the_values_and_equality_is_identity_E6(kind, make_copy):
    component = sample(kind)
    copied = make_copy(component)
    assert (type(copied), values(copied), repr(copied)) == (kind, values(component), repr(component))
    assert copied is not component
    assert copied != component
    assert len({copied, component}) == 2


@KINDS
def test_every_field_is_in_snapshots(kind):
    beside = [Transform(0, 0), OrientedBoxCollider(1, 1), *([Motion()] if kind is Path else [])]
    body = {part_of(type(each)): each for each in (*beside, sample(kind))}
    world, component = CollisionWorld(), body[part_of(kind)]
    world.add(3, transform=Transform(9, 9), collider=BoxCollider(0.5, 0.5))
    world.add(2, **body)
    before, snapshot = values(component), world.snapshot()
    for each in stored_fields(kind):
        setattr(component, each.name, before[each.name] if each.default in (REQUIRED, None) else each.default)
    world.step()
    world.restore(snapshot)
    assert before == values(component)


@pytest.mark.parametrize(
    "kind",
    [
        Collider, *NAMED_COLLIDERS,
        *(kind for kind in COMPONENT_TYPES if not issubclass(kind, (Transform, Collider, *REFERENCES))),
    ],
)  # fmt: skip
def test_a_level_file_may_give_every_field(kind):
    given = {each.name: other_value(kind, each) for each in stored_fields(kind)}
    assert given == BUILTIN_COMPONENTS.read(kind.__name__, given)


def test_a_component_declared_by_its_fields_is_complete():
    @component
    class Thrown(Component):
        __module__ = "ecs_collision.components.thrown"
        far: Field[int, int] = field(whole, "How far.", minimum=1)
        once: Field[bool, bool] = field(flag, "Whether only once.", default=False, kw_only=True)
        __slots__ = slots(vars())

    thrown = Thrown(2, once=True)
    assert "Thrown(once=True)" == repr(Thrown(2, once=True)).replace("far=2, ", "")
    assert {"far": 2, "once": True} == values(thrown) == values(thrown.copy())
    assert "Thrown(far=2, once=true)" == component_text(thrown)
    assert "Whether only once." == Thrown.once.__doc__
    with pytest.raises(ValueError, match=r"Thrown\.far is 0, but it must be at least 1"):
        thrown.far = 0
    with pytest.raises(TypeError, match=r"Thrown\.once must be True or False, not 1"):
        Thrown(1, once=1)
    assert 2 == thrown.far


def test_settings_are_listed_in_one_place():
    """Worlds, snapshots, games, scenes and levels take their names and defaults from `Settings`."""
    assert [*DEFAULTS] == [*inspect.signature(CollisionWorld).parameters]
    assert [*DEFAULTS, "advise"] == [*inspect.signature(CollisionSystem).parameters]  # logging is no setting of a world
    assert (
        {*PLAIN_SETTINGS}
        == {*CollisionWorld()._settings.plain()}
        == {*DEFAULTS} - {*("can_push", "respond", "can_meet", "broad_phase")}
    )
    assert {*LEVEL_SETTINGS} < {*PLAIN_SETTINGS}
    given = {"bin_size": 2.0, "rule": "sum", "max_chain": 3, "all_or_nothing": True, "axis_order": "yxz"}
    given |= {"overlap_policy": "leave", "forces": "add", "bounds": ((0.0, 0.0), (9.0, 9.0))}
    world = CollisionWorld(**given)
    assert given | {"order": "sequential"} == world._settings.plain()
    assert given == parse_scene(record_scene(world).text()).settings
