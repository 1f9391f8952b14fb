"""The text forms of components, results and events in scene files, and the reader of components.

Values are written as in levels (`levels.value_parser`): `Name(field=value, ...)`, numbers, texts, lists, true, false,
none. Numbers are written with `repr`, so they are read back exactly; a number with more digits than a level allows
stands in quotes. Fields with their default value are left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import Enum
from functools import partial
from typing import Any, cast

from ecs_collision.components import (
    COMPONENT_TYPES,
    PART_KINDS,
    REQUIRED,
    AnyPart,
    Box,
    Component,
    CompoundCollider,
    Motion,
    Parts,
    fields_of,
    part_of,
)
from ecs_collision.events import Event
from ecs_collision.levels.level import listed
from ecs_collision.levels.source import shown
from ecs_collision.levels.value_parser import LinePart, ValueParser, bare_value, format_value, quoted
from ecs_collision.results import MoveResult
from ecs_collision.snapshot.reader import remainder

KINDS: dict[str, type[Component]] = {kind.__name__: kind for kind in COMPONENT_TYPES}

_PARTS: dict[str, type[AnyPart]] = {kind.__name__: kind for kind in PART_KINDS if kind is not Box}

_LONG_INTEGER = re.compile(r"-?[0-9]{1,19}", re.ASCII)
_LONG = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,30})?(e[+-]?[0-9]{1,3})?", re.ASCII)

REQUEST_FIELD = "asked"
"""The field of a Motion with its request, its rounding remainders and their signs."""


# Writing.


def value_text(value: Any) -> str:
    """Return the text of a field value."""
    if value is None or isinstance(value, bool | str):
        return format_value(value)
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, int | float):
        if math.isinf(value):
            return "inf"
        text = repr(value)
        return text if bare_value(text) == value else quoted(text)
    if isinstance(value, Box):
        value = (value.hx, value.hy, value.hz, *value.offset)
    if isinstance(value, PART_KINDS):
        value = (type(value).__name__, *value._values())
    items = sorted(value) if isinstance(value, frozenset | set) else value
    return f"[{', '.join(map(value_text, items))}]"


def pairs_text(values: Mapping[str, Any]) -> str:
    """Return named values as text: `force=2.0, rule=sum`."""
    return ", ".join(f"{name}={value_text(value)}" for name, value in values.items())


def component_text(component: Component, with_request: bool = True) -> str:
    """Return the full text of a component; with_request: whether the request of a Motion is included."""
    kind = type(component)
    values: dict[str, Any] = {}
    for field in fields_of(kind):
        value = getattr(component, field.name)
        if field.is_shorthand and value is not None:
            values = {field.name: value}
            break
        if value != field.default:
            values[field.name] = value
    if with_request and isinstance(component, Motion):
        request = component._request_state()
        request = (*request[:3], *remainder(request))
        values |= {REQUEST_FIELD: request} if any(request) else {}
    return f"{kind.__name__}({pairs_text(values)})" if values else kind.__name__


def vector_text(vector: tuple[float, ...]) -> str:
    """Return three numbers separated by spaces."""
    return " ".join(map(value_text, vector))


def body_text(parts: Parts) -> str:
    """Return the position and components of a body: `at 1.0 2.0 0.0 turned 0.5: SphereCollider(...), Inertia(...)`."""
    assert parts.transform is not None
    rotation = parts.transform.rotation
    turned = "" if rotation is None else f" turned {value_text(rotation)}"
    words = [component_text(part) for part in parts.all[1:] if part is not None]
    return f"at {vector_text(parts.transform.position)}{turned}: {', '.join(words)}"


def motion_text(kind: str, entity: int, by: tuple[float, ...], options: Mapping[str, Any]) -> str:
    """Return a request for a motion: `move 1 by 1.0 0.0 0.0: force=2.0`."""
    return f"{kind} {entity} by {vector_text(by)}{': ' * bool(options)}{pairs_text(options)}"


def impulse_text(entity: int, impulse: tuple[float, ...], point: tuple[float, ...] | None) -> str:
    """Return an impulse, at a point or at the position of the body: `impulse 1 by 0.0 -5.0 0.0 at 0.5 0.0 0.0`."""
    return f"impulse {entity} by {vector_text(impulse)}{'' if point is None else f' at {vector_text(point)}'}"


def movement_text(options: Mapping[str, Any]) -> str:
    """Return a step of movement: `step movement: dt=0.25, gravity=[0.0, 10.0, 0.0]`."""
    return f"step movement: {pairs_text(options)}"


def dynamics_text(options: Mapping[str, Any]) -> str:
    """Return a step of dynamics: `step dynamics: dt=0.25, gravity=[0.0, 10.0, 0.0], substeps=4`."""
    return f"step dynamics: {pairs_text(options)}"


def result_lines(result: MoveResult) -> Iterator[str]:
    """Yield the result of a motion as lines."""
    yield f"{result.entity} moved {vector_text(result.moved)} of {vector_text(result.requested)}"
    for entity, moved in result.pushed.items():
        yield f"pushed {entity} by {vector_text(moved)}"
    for stop in result.stops:
        blockers = ", ".join(map(str, stop.blockers)) or "none"
        yield f"stopped on {stop.axis} after {value_text(stop.allowed)} by {blockers}: {stop.reason.name}"
    for link in result.links:
        yield f"{link.pusher} met {link.pushed} on {link.axis} after {value_text(link.gap)}"


def event_line(event: Event) -> str:
    """Return the text of an event, without its frame."""
    values = {field.name: getattr(event, field.name) for field in fields(event) if field.name != "frame"}
    return f"{type(event).__name__}({pairs_text(values)})"


# Reading.


def read_components(parser: ValueParser) -> tuple[Component, ...]:
    """Return new components read up to the end of a line; raises LevelError with line and column."""
    found: dict[str, Component] = {}
    for part in parser.parts():
        component = _component(parser, part)
        place = part_of(type(component))
        if place in found:
            kind = "BoxCollider" if place == "collider" else part.word
            raise parser.error(f"a second {kind}", "one of each kind", "remove one", part.column)
        found[place] = component
    return tuple(found.values())


def _component(parser: ValueParser, part: LinePart) -> Component:
    kind = KINDS.get(part.word)
    if kind is None or part.form == "property":
        raise parser.error(
            f"{shown(part.word)} where a component belongs", f"one of {listed(KINDS, 20)}", "correct or delete it",
            part.column,
        )  # fmt: skip
    return cast(Component, parser.build(part, partial(_made, kind)))


def _made(kind: type[Component], given: dict[str, Any]) -> Component:
    fields = {field.name: field for field in fields_of(kind)}
    if "" in given:
        given = {next(iter(fields), ""): given.pop(""), **given}
    unknown = [name for name in given if name not in fields and (kind is not Motion or name != REQUEST_FIELD)]
    if unknown:
        raise ValueError(f"{kind.__name__} has no field {unknown[0]!r}; it has {listed(fields) or 'none'}")
    request = given.pop(REQUEST_FIELD, None)
    values = {name: value if fields[name].holds_text else number_of(value) for name, value in given.items()}
    missing = [name for name, field in fields.items() if field.default is REQUIRED and name not in values]
    if missing:
        raise ValueError(f"{kind.__name__} without {listed(missing)}")
    if kind is CompoundCollider:
        values["parts"] = [_part(part) for part in values["parts"]]
    component = kind(**values)
    if request is not None:
        assert isinstance(component, Motion)
        component._set_request_state(_read_request(number_of(request)))
    return component


def number_of(value: Any) -> Any:
    """Return a value with quoted numbers converted; other texts are left for the constructor to refuse."""
    if isinstance(value, list):
        return [number_of(item) for item in value]
    if not isinstance(value, str):
        return value
    if value == "inf":
        return math.inf
    if _LONG_INTEGER.fullmatch(value):
        return int(value)
    return float(value) if _LONG.fullmatch(value) else value


def _part(values: Any) -> AnyPart:
    """Return the part of a compound that `value_text` wrote: the numbers of a box, or a kind and its values."""
    if isinstance(values, list) and values and values[0] in _PARTS:
        return _PARTS[values[0]](*values[1:])
    if not isinstance(values, list) or len(values) != 6:
        raise ValueError(
            f"a part is {shown(values)}; it must be [hx, hy, hz, offset x, y, z], or begin with {listed(_PARTS)}"
        )
    hx, hy, hz, *offset = values
    return Box(hx, hy, hz, offset)


def _read_request(numbers: Any) -> tuple[Any, ...]:
    """Return the request of a Motion in the form of `Motion._request_state`; raises ValueError if it is invalid."""
    fault = ValueError(
        f"{REQUEST_FIELD} is {shown(numbers)}; it must be [request x, y, z, remainder x, y, z, sign x, y, z]"
    )
    if not isinstance(numbers, list) or len(numbers) != 9 or any(type(each) not in (int, float) for each in numbers):
        raise fault
    if any(by not in (-1, 0, 1) for by in numbers[6:]):
        raise fault
    return (*map(float, numbers[:6]), *map(int, numbers[6:]))
