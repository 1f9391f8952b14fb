"""Every public call of an engine with arbitrary values for each parameter: accepted, or refused by our errors (L3)."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from number_rows import VALUES
from number_stages import SCENE, Stage
from public_calls import CALLS, ENGINES, GIVEN, parameters, prepared

from ecs_collision import (
    Box,
    CollisionError,
    CompoundCollider,
    InvariantError,
    Moved,
    Transform,
)

MASK = [[True, False], [False, False]]
NUMBERS = (
    "zero", "minus one", "a half", "nan", "minus inf", "1e300", "2**70", "beyond every text", "True", "numpy int64",
    "numpy float32", "numpy nan", "numpy text", "numpy duration", "array of no axis", "array of no axis, object",
    "array of one", "array of two", "masked", "masked array of no axis", "masked array of two", "text", "long text",
    "bytearray", "None", "complex", "decimal signalling nan", "fraction beyond every float", "list", "something",
)  # fmt: skip
JUNK: dict[str, Any] = {name: VALUES[name] for name in NUMBERS} | {
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
"""Values for every parameter: numbers (test_invalid_numbers.py has all kinds of them), and others."""

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
        if stage.state() != before:
            wrong.append(f"{where}: what was refused has changed something")
        stage.close()
    assert [] == wrong, "\n".join(wrong)


def test_every_parameter_has_a_valid_value_and_every_value_a_parameter():
    names = {each.name for call in CALLS for each in parameters(*call) if each.kind is not each.VAR_KEYWORD}
    assert set() == names - set(GIVEN) - {"args"}, "new: give a right value for it"
    assert set() == set(GIVEN) - names, "gone"
    assert CompoundCollider in {type(part) for parts in SCENE.values() for part in parts}
