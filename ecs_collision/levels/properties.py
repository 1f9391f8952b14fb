"""Splits the properties of a thing into components and plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.levels.frozen import FrozenMap, Value
from ecs_collision.levels.kinds import Choice
from ecs_collision.levels.registry import Registry


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
