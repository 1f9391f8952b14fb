"""What the properties of a thing mean: components where they are named so, plain data where not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.levels.frozen import FrozenMap, Value
from ecs_collision.levels.registry import Registry


def split_properties(
    given: Mapping[str, Value],
    added: Mapping[str, Value],
    registry: Registry,
    make_error: Callable[[str, CollisionError], LevelError],
) -> tuple[FrozenMap, FrozenMap]:
    """Return the components among the properties of a thing, and the properties that are left.

    A key is a component where it is registered (`Inertia`), or one field of it (`Motion.force`, and `Motion_force`
    for editors that allow no dot). None means that nothing was given, False that there shall be no such component.
    `added` are the components the program gives to things of this kind: each stands where the file does not name it.
    `make_error` makes the refusal of a property out of what is wrong with it.
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
    components = {name: fields for name, fields in added.items() if name not in keys}
    for name, key in keys.items():
        try:
            components[name] = _merged_fields(name, whole.get(name, True), by_field.get(name, {}), registry)
        except CollisionError as problem:
            raise make_error(key, problem) from problem
    return FrozenMap({name: fields for name, fields in components.items() if fields is not None}), FrozenMap(rest)


def _merged_fields(name: str, whole: Value, by_field: Mapping[str, Value], registry: Registry) -> FrozenMap | None:
    """Return the fields of a component given as a whole and field by field, None where it shall not be there."""
    if whole is False:
        return None
    if not by_field:
        return registry.read(name, whole)
    fields = registry.read(name, whole) if whole is not True else FrozenMap()
    return registry.read(name, {**(fields or {}), **by_field})
