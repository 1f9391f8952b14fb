"""Every public call of an engine with arbitrary values for each parameter: accepted, or refused by our errors (L3)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy
import pytest
from number_stages import CRATE, FALLER, PLAYER, SCENE, InEsper, InWorld, Stage
from numbers_given import VALUES

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    InvariantError,
    Moved,
    Space,
    Transform,
)
from ecs_collision.levels import parse_level

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

GIVEN: dict[str, Callable[[Stage], Any]] = {
    **dict.fromkeys(["id", "entity"], lambda stage: PLAYER),
    **dict.fromkeys(["dx", "dy", "dz", "x", "y", "z"], lambda stage: 1),
    **dict.fromkeys(["force", "max_chain"], lambda stage: 3),
    **dict.fromkeys(["ids", "entities"], lambda stage: [PLAYER, CRATE]),
    **dict.fromkeys(["inertia", "motion", "sleeping", "static", "fused", "all_or_nothing"], lambda stage: None),
    **dict.fromkeys(["velocity", "mass", "material", "contact"], lambda stage: None),
    **dict.fromkeys(["substeps", "iterations"], lambda stage: 1),
    **dict.fromkeys(["gravity", "impulse"], lambda stage: (0, 1)),
    "dt": lambda stage: 0.5,
    **dict.fromkeys(["lo"], lambda stage: [(0, 0), (3, 3)]),
    **dict.fromkeys(["hi"], lambda stage: [(1, 1), (4, 4)]),
    "at": lambda stage: (50, 50),
    "axis_order": lambda stage: "xyz",
    "bin_size": lambda stage: 1.0,
    "bounds": lambda stage: None,
    "broad_phase": lambda stage: "brute_force",
    "box": lambda stage: ((0, 0), (1, 1)),
    "can_push": lambda stage: None,
    "collider": lambda stage: BoxCollider(1, 1),
    "components": lambda stage: None,
    "data": lambda stage: stage.engine.snapshot(),
    "displacement": lambda stage: (1, 0),
    "handler": lambda stage: print,
    "ignore": lambda stage: (),
    "key": lambda stage: next(iter(stage.engine.space.cells)),
    "kind": lambda stage: Moved,
    "layers": lambda stage: None,
    "level": lambda stage: LEVEL,
    "order": lambda stage: "sequential",
    "overlap_policy": lambda stage: "block_deeper",
    "advise": lambda stage: False,
    "other": lambda stage: CRATE,
    **dict.fromkeys(["origin", "a", "point", "centre"], lambda stage: (0, 0)),
    **dict.fromkeys(["b", "direction"], lambda stage: (5, 1)),
    **dict.fromkeys(["origins", "directions"], lambda stage: [(0, 0), (3, 3)]),
    **dict.fromkeys(["where", "filter"], lambda stage: None),
    "k": lambda stage: 2,
    "max_distance": lambda stage: 9.5,
    "radius": lambda stage: 2.5,
    "planes": lambda stage: [(1, 0, 0), (0, 1, 0, 9)],
    "positions": lambda stage: [(7, 7), (8, 8)],
    "rule": lambda stage: "each",
    "side": lambda stage: None,
    "transform": lambda stage: Transform(9, 9),
    "trigger": lambda stage: None if isinstance(stage, InWorld) else 3,
    "triggers": lambda stage: False,
}
"""A valid value for each parameter by name. Every parameter of a new call needs one here."""

LEVEL = parse_level("legend\n$ crate: Inertia(1)\nmap\n$$\n")

FRESH = {
    "CollisionWorld.add.id": 77,
    "CollisionWorld.apply_impulse.id": FALLER,
    "CollisionSystem.apply_impulse.entity": FALLER,
}
"""New bodies need new ids, and only some bodies take impulses."""

NOT_TRIED = {
    "CollisionSystem.priority =": "set by esper, in its own order of processors",
    "CollisionSystem.process.args": "arguments that esper passes to every processor are ignored (E5)",
    "CollisionSystem.process.kwargs": "arguments that esper passes to every processor are ignored (E5)",
}

ENGINES: dict[type[Any], tuple[type[Stage], Callable[[Stage], Any]]] = {
    CollisionWorld: (InWorld, lambda stage: stage.engine),
    CollisionSystem: (InEsper, lambda stage: stage.engine),
    Space: (InWorld, lambda stage: stage.engine.space),
}


def calls() -> Iterator[tuple[str, type[Any], str]]:
    """Yield (name, class, attribute) of every public call, settable property and constructor."""
    for kind in ENGINES:
        for field in dir(kind):
            member = inspect.getattr_static(kind, field)
            if field.startswith("_"):
                continue
            if isinstance(member, property):
                if member.fset is not None:
                    yield f"{kind.__name__}.{field} =", kind, field
            elif inspect.isroutine(member) and not inspect.isgetsetdescriptor(member):
                yield f"{kind.__name__}.{field}", kind, field
    yield "CollisionWorld", CollisionWorld, ""
    yield "CollisionSystem", CollisionSystem, ""


CALLS = list(calls())


@cache
def parameters(name: str, kind: type[Any], field: str) -> list[inspect.Parameter]:
    """Return the parameters of a call, or the value of a setter."""
    if name.endswith(" ="):
        return list(inspect.signature(inspect.getattr_static(kind, field).fset).parameters.values())[1:]
    call = kind if not field else getattr(kind, field)
    return [each for each in inspect.signature(call).parameters.values() if each.name != "self"]


def attempt(stage: Stage, name: str, kind: type[Any], field: str, junk: str, value: Any) -> object:
    """Make a call with one arbitrary and otherwise valid values; returns its result."""
    settled = parameters(name, kind, field)
    given: dict[str, Any] = {}
    for each in settled:
        if each.name == junk:
            given[each.name] = value
        elif each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL):
            fresh = FRESH.get(f"{name}.{each.name}")
            given[each.name] = GIVEN[each.name](stage) if fresh is None else fresh
    target = kind if not field else ENGINES[kind][1](stage)
    if name.endswith(" ="):
        return setattr(target, field, value)
    call = target if not field else getattr(target, field)
    ahead = [given.pop(each.name) for each in settled if each.kind is each.POSITIONAL_ONLY]
    found = call(*ahead, **given)
    return list(found) if inspect.isgenerator(found) else found


def outcome(stage: Stage, name: str, kind: type[Any], field: str, junk: str, value: Any) -> str | None:
    """Return None for a refusal by our errors, "taken", or what is wrong."""
    refused: str | None = None
    try:
        attempt(stage, name, kind, field, junk, value)
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


def test_every_parameter_has_a_valid_value_and_every_value_a_parameter():
    calls = [call for call in CALLS if not call[0].endswith(" =")]
    names = {each.name for call in calls for each in parameters(*call) if each.kind is not each.VAR_KEYWORD}
    assert set() == names - set(GIVEN) - {"args"}, "new: give a right value for it"
    assert set() == set(GIVEN) - names, "gone"
    assert CompoundCollider in {type(part) for parts in SCENE.values() for part in parts}
