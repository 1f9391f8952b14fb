"""The custom fields of entities and levels: checked against the definitions of the project, and made components."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.levels.frozen import FrozenMap, Value
from ecs_collision.levels.json_document import Node
from ecs_collision.levels.kinds import Choice
from ecs_collision.levels.ldtk.definitions import MAX_PIXELS, Definitions, FieldDef, check_equal, definition_of
from ecs_collision.levels.registry import Registry

_ARRAY = re.compile(r"Array<(.*)>")
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")


@dataclass(frozen=True, slots=True)
class FieldContext:
    """Context for field values: the definitions, and functions for cell positions and entity references."""

    definitions: Definitions
    place: Callable[[int, int], tuple[float, float]]
    entity: Callable[[Node], Value]


def fields_of(owner: Node, fields: dict[int, FieldDef]) -> Iterator[tuple[str, Node, FieldDef]]:
    """Yield name, node and definition of every field instance of an entity or level; duplicates are errors."""
    seen: set[str] = set()
    for node in owner.each("fieldInstances"):
        field = definition_of(node, "defUid", fields, "a field of the same owner")
        check_equal(node, "__identifier", field.name, "the name of the field of that uid")
        check_equal(node, "__type", field.type, "the type of the field of that uid")
        if field.name in seen:
            raise node.error(f"the field {field.name!r} twice", "every field once")
        seen.add(field.name)
        yield field.name, node, field


def value_of(node: Node, field: FieldDef, context: FieldContext) -> Value:
    """Return the value of a field instance. An array becomes a tuple, a point the center of its cell."""
    array = _ARRAY.fullmatch(field.type)
    if not array:
        return _single(node.find("__value"), field.type, context)
    node.limit("values", node.count("__value"))
    return tuple(
        None if item.value is None else _single(item, array[1], context) for item in node.each("__value", optional=True)
    )


def _single(node: Node | None, kind: str, context: FieldContext) -> Value:
    if node is None:
        return None
    if kind in _READERS:
        return _READERS[kind](node, context)
    if kind in context.definitions.enums:
        return node.text()  # unchecked, because the editor keeps old values after a rename
    raise node.error(
        f"a value of the type {kind!r}", f"one of {', '.join(_READERS)}, or an enum of this project",
        "choose another type for this field",
    )  # fmt: skip


def _color(node: Node, context: FieldContext) -> str:
    color = node.text()
    if not _COLOR.fullmatch(color):
        raise node.unexpected("a color such as '#FF8000'")
    return color


def _point(node: Node, context: FieldContext) -> tuple[float, float]:
    column = node.integer("cx", minimum=-MAX_PIXELS, maximum=MAX_PIXELS)
    row = node.integer("cy", minimum=-MAX_PIXELS, maximum=MAX_PIXELS)
    return context.place(column, row)


def _tile(node: Node, context: FieldContext) -> FrozenMap:
    definition_of(node, "tilesetUid", context.definitions.tilesets, "a tileset")
    return FrozenMap(
        {key: node.integer(key, minimum=-MAX_PIXELS, maximum=MAX_PIXELS) for key in ("tilesetUid", *"xywh")}
    )


_READERS: dict[str, Callable[[Node, FieldContext], Value]] = {
    "Int": lambda node, context: node.integer(),
    "Float": lambda node, context: node.number(),
    "Bool": lambda node, context: node.flag(),
    "String": lambda node, context: node.text(),
    "Multilines": lambda node, context: node.text(),
    "FilePath": lambda node, context: node.text(),
    "Color": _color,
    "Point": _point,
    "Tile": _tile,
    "EntityRef": lambda node, context: context.entity(node),
}


def split_properties(
    given: Mapping[str, Value],
    choice: Choice,
    registry: Registry,
    make_error: Callable[[str, CollisionError], LevelError],
) -> tuple[FrozenMap, FrozenMap]:
    """Return the components among the properties of a thing, and the remaining properties.

    A key names a registered component (`Inertia`) or one of its fields (`Motion.force`, or `Motion_force` for editors
    that allow no dot). None counts as not given; False removes the component. `choice` are the components of `kinds=`.
    `make_error` creates the error for a property.
    """
    whole: dict[str, Value] = {}
    by_field: dict[str, dict[str, Value]] = {}
    keys: dict[str, str] = {}
    rest: dict[str, Value] = {}
    for key, value in given.items():
        name, field = registry.component_in(key)
        if not name:
            rest[key] = value
        elif value is not None:
            keys.setdefault(name, key)
            if field:
                by_field.setdefault(name, {})[field] = value
            else:
                whole[name] = value
    components: dict[str, FrozenMap | None] = {}
    for name, key in keys.items():
        try:
            components[name] = _merged_fields(name, whole.get(name, True), by_field.get(name, {}), registry)
        except CollisionError as problem:
            raise make_error(key, problem) from problem
    return choice.applied(components), FrozenMap(rest)


def _merged_fields(name: str, whole: Value, by_field: Mapping[str, Value], registry: Registry) -> FrozenMap | None:
    """Return the fields of a component, merged from its own property and those of its fields; None if removed."""
    if whole is False:
        return None
    if not by_field:
        return registry.read(name, whole)
    fields = registry.read(name, whole) if whole is not True else FrozenMap()
    return registry.read(name, {**(fields or {}), **by_field})
