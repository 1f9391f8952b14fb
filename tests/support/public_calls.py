"""Every public call of the engines, with a valid value for each parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from number_stages import BALL, CRATE, FALLER, PLAYER, ZONE, InEsper, InWorld, Stage

from ecs_collision import BoxCollider, CollisionSystem, CollisionWorld, Moved, Space, Transform, TriggerEntered
from ecs_collision.levels import parse_level

GIVEN: dict[str, Callable[[Stage], Any]] = {
    **dict.fromkeys(["id", "entity"], lambda stage: PLAYER),
    **dict.fromkeys(["dx", "dy", "dz", "x", "y", "z"], lambda stage: 1),
    **dict.fromkeys(["force", "max_chain"], lambda stage: 3),
    **dict.fromkeys(["ids", "entities"], lambda stage: [PLAYER, CRATE]),
    **dict.fromkeys(["inertia", "motion", "sleeping", "static", "fused", "all_or_nothing"], lambda stage: None),
    **dict.fromkeys(["velocity", "mass", "material", "contact", "straight", "respond"], lambda stage: None),
    **dict.fromkeys(["mover", "character", "carries", "grips", "path", "lifetime"], lambda stage: None),
    **dict.fromkeys(["through", "one_way"], lambda stage: False),
    "alpha": lambda stage: 0.5,
    "forces": lambda stage: "alone",
    "substeps": lambda stage: 1,
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
    **dict.fromkeys(["can_push", "can_meet"], lambda stage: None),
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
    "reports": lambda stage: True,
    "rule": lambda stage: "each",
    "side": lambda stage: None,
    "transform": lambda stage: Transform(9, 9),
    "trigger": lambda stage: None if isinstance(stage, InWorld) else 3,
    "triggers": lambda stage: False,
    "value": lambda stage: 0,
}
"""A valid value for each parameter by name. Every parameter of a new call needs one here."""

LEVEL = parse_level("legend\n$ crate: Inertia(1)\nmap\n$$\n")

FRESH = {
    "CollisionWorld.add.id": 77,
    "CollisionWorld.add.one_way": None,
    "CollisionWorld.apply_impulse.id": FALLER,
    "CollisionSystem.apply_impulse.entity": FALLER,
    "CollisionWorld.events_array.kind": TriggerEntered,
    "CollisionSystem.events_array.kind": TriggerEntered,
    "CollisionWorld.contacts.id": BALL,
    "CollisionSystem.contacts.entity": BALL,
    "CollisionWorld.inside.id": ZONE,
}
"""New bodies need new ids, and some calls are for some bodies."""

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


def prepared(
    stage: Stage, name: str, kind: type[Any], field: str, parameter: str = "", value: Any = None
) -> Callable[[], object]:
    """Return a call with valid arguments, or with `value` for one parameter."""
    settled = parameters(name, kind, field)
    given: dict[str, Any] = {}
    for each in settled:
        if each.name == parameter:
            given[each.name] = value
        elif each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL):
            key = f"{name}.{each.name}"
            given[each.name] = FRESH[key] if key in FRESH else GIVEN[each.name](stage)
    target = kind if not field else ENGINES[kind][1](stage)
    if name.endswith(" ="):
        return lambda: setattr(target, field, *given.values())
    call = target if not field else getattr(target, field)
    ahead = [given.pop(each.name) for each in settled if each.kind is each.POSITIONAL_ONLY]

    def make() -> object:
        found = call(*ahead, **given)
        return list(found) if inspect.isgenerator(found) else found

    return make
