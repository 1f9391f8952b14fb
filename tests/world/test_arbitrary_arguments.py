"""Every public call of an engine with arbitrary values for each parameter: accepted, or refused by our errors (L3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import numpy
import pytest
from number_stages import FIELDS, PLAYER, SCENE, InWorld, Stage
from numbers_given import VALUES
from other_thread import in_other_thread
from public_calls import CALLS, ENGINES, GIVEN, parameters, prepared

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CompoundCollider,
    Inertia,
    InvariantError,
    Mass,
    Motion,
    Moved,
    ReentryError,
    Transform,
    Velocity,
)

MASK = [[True, False], [False, False]]
JUNK: dict[str, Any] = VALUES | {
    "no text": "",
    "no bytes": b"",
    "dict": {1: 2},
    "empty dict": {},
    "empty list": [],
    "set of None": {None},
    "iterator": iter(()),
    "range": range(2),
    "function": lambda: None,
    "class": Transform,
    "component": Transform(0, 0),
    "kind of event": Moved,
    "box": Box(1, 1),
    "tuple of texts": ("a", "b"),
    "list of None": [None, None],
    "nested": [[[1, 2]]],
    "masked rows": numpy.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=MASK),  # type: ignore[no-untyped-call]
    "list of masked rows": list(numpy.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=MASK)),  # type: ignore[no-untyped-call]
    "masked ids": numpy.ma.array([1, 2], mask=[True, False]),  # type: ignore[no-untyped-call]
    "rows of objects": numpy.array([[None, "a"]], object),
}
"""Values for every parameter: numbers of every kind (numbers_given.py), and others."""

NOT_TRIED = {
    "CollisionSystem.priority =": "set by esper, in its own order of processors",
    "CollisionSystem.process.args": "arguments that esper passes to every processor are ignored (E5)",
    "CollisionSystem.process.kwargs": "arguments that esper passes to every processor are ignored (E5)",
}


def outcome(stage: Stage, name: str, kind: type[Any], field: str, junk: str, value: Any) -> str | None:
    """Return None for a refusal by our errors, "taken", or what is wrong."""
    refused: str | None = None
    try:
        prepared(stage, name, kind, field, junk, value)()
        refused = "taken"
        stage.engine.check()
    except InvariantError as broken:
        return f"broke the world: {broken}"
    except CollisionError:  # from `check`: staged changes are invalid
        return refused
    except Exception as stranger:
        if junk == "where" and callable(value):  # an error of the function itself
            return "taken"
        return f"raised {type(stranger).__name__}, which is not an error of this package: {stranger}"
    return refused


@pytest.mark.parametrize(("name", "kind", "field"), CALLS, ids=[name for name, _, _ in CALLS])
def test_a_call_accepts_a_value_or_refuses_it_without_change_L3(world, name, kind, field):
    stage_kind = ENGINES[kind][0]
    wrong = []
    for parameter in parameters(name, kind, field):
        where = name if name.endswith(" =") else f"{name}.{parameter.name}"
        if where in NOT_TRIED:
            continue
        if parameter.name == "match":  # names of fields as keywords
            continue
        stage = stage_kind()
        before = stage.state()
        for junk, value in JUNK.items():
            found = outcome(stage, name, kind, field, parameter.name, value)
            if found is None:
                continue
            if found == "taken" and "mask" in junk:
                wrong.append(f"{where} given {junk}: accepted it despite its mask")
            if found != "taken":
                wrong.append(f"{where} given {junk}: {found:.300}")
            stage.close()
            stage = stage_kind()
            before = stage.state()
        if stage.state() != before:
            wrong.append(f"{where}: what was refused has changed something")
        stage.close()
    assert [] == wrong, "\n".join(wrong)


class Acting:
    """A number whose conversion first calls a function."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def __float__(self) -> float:
        self.act()
        return 1.0

    def __index__(self) -> int:
        self.act()
        return PLAYER


SHAPES: list[Callable[[object], object]] = [
    lambda number: number,
    lambda number: (number, number),
    lambda number: ((number, number), (number, number)),
    lambda number: [(number, number, number)],
]
NO_NUMBERS = {
    *("advise", "all_or_nothing", "args", "axis_order", "broad_phase", "can_push", "collider", "components", "contact"),
    *("directions", "hi", "lo", "origins"),
    *("data", "filter", "fused", "handler", "inertia", "kind", "kwargs", "layers", "level", "mass", "match"),
    *(
        "material",
        "motion",
        "order",
        "overlap_policy",
        "reports",
        "rule",
        "sleeping",
        "static",
        "transform",
        "triggers",
    ),
    *("velocity", "where"),
}
"""Parameters that are not numbers, nor made of them, or arrays of plain ones."""
UNREAD = ("CollisionWorld.add.trigger", "CollisionSystem.spawn.ignore", "Space.ray_many.max_distance")
"""So are these, whose names are those of numbers elsewhere."""


def replaced_bodies(stage: Stage) -> list[Transform]:
    """Remove all bodies, and give their rows to others."""
    for entity in reversed(SCENE):
        if isinstance(stage, InWorld):
            stage.engine.remove(entity)
        else:
            esper.delete_entity(entity, immediate=True)
    others = [Transform(x, 100) for x in range(len(SCENE))]
    for transform in others:
        parts = (transform, BoxCollider(0.1, 0.1), Inertia(0), Motion(9), Velocity(), Mass(1))
        if isinstance(stage, InWorld):
            stage.engine.add(100 + int(transform.x), **{FIELDS[type(part)]: part for part in parts})
        else:
            esper.create_entity(*parts)
    return others


@pytest.mark.parametrize(("name", "kind", "field"), [call for call in CALLS if call[2] not in ("", "cell", "priority")])
def test_a_number_that_replaces_all_bodies_when_it_is_read_acts_on_none_L3(world, name, kind, field):
    """And the call has begun, so that no other thread may call (T8)."""
    for parameter in {each.name for each in parameters(name, kind, field)} - NO_NUMBERS:
        refusals: list[BaseException | None] = []
        for shape in SHAPES:
            stage, others = ENGINES[kind][0](), list[Transform]()

            def act(stage: Stage = stage, others: list[Transform] = others, seen: Any = refusals.append) -> None:
                seen(in_other_thread(stage.engine.check))
                if not others:
                    others += replaced_bodies(stage)

            assert outcome(stage, name, kind, field, parameter, shape(Acting(act))) in ("taken", None)
            if field != "step_dynamics":  # which moves whatever bodies there are
                assert [(float(x), 100.0) for x, _ in enumerate(others)] == [(each.x, each.y) for each in others]
            assert in_other_thread(stage.engine.check) is None
            stage.close()
        is_read = f"{name}.{parameter}" not in UNREAD
        assert ({ReentryError} if is_read else set()) == set(map(type, refusals)), parameter


def test_every_parameter_has_a_valid_value_and_every_value_a_parameter():
    names = {each.name for call in CALLS for each in parameters(*call) if each.kind is not each.VAR_KEYWORD}
    assert set() == names - set(GIVEN) - {"args"}, "new: give a right value for it"
    assert set() == set(GIVEN) - names, "gone"
    assert CompoundCollider in {type(part) for parts in SCENE.values() for part in parts}
