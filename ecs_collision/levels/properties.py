"""What the properties of a thing mean: components where they are named so, plain data where not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.levels.frozen import FrozenMap, Value
from ecs_collision.levels.registry import Registry


def divided(
    given: Mapping[str, Value],
    added: Mapping[str, Value],
    registry: Registry,
    refused: Callable[[str, CollisionError], LevelError],
) -> tuple[FrozenMap, FrozenMap]:
    """Return the components among the properties of a thing, and the properties that are left.

    A key is a component where it is registered (`Inertia`), or one field of it (`Motion.force`, and `Motion_force`
    for editors that allow no dot). None means that nothing was given, False that there shall be no such component.
    `added` are the components the program gives to things of this kind: each stands where the file does not name it.
    `refused` makes the refusal of a property out of what is wrong with it.
    """
    whole: dict[str, Value] = {}
    single: dict[str, dict[str, Value]] = {}
    keys: dict[str, str] = {}
    rest: dict[str, Value] = {}
    for key, value in given.items():
        name, field = registry.component_in(key)
        if not name:
            rest[key] = value
        elif value is not None:
            keys.setdefault(name, key)
            if field:
                single.setdefault(name, {})[field] = value
            else:
                whole[name] = value
    components = {name: fields for name, fields in added.items() if name not in keys}
    for name, key in keys.items():
        try:
            components[name] = _together(name, whole.get(name, True), single.get(name, {}), registry)
        except CollisionError as problem:
            raise refused(key, problem) from problem
    return FrozenMap({name: fields for name, fields in components.items() if fields is not None}), FrozenMap(rest)


def _together(name: str, whole: Value, single: Mapping[str, Value], registry: Registry) -> FrozenMap | None:
    """Return the fields of a component given as a whole and field by field, None where it shall not be there."""
    if whole is False:
        return None
    if not single:
        return registry.read(name, whole)
    fields = registry.read(name, whole) if whole is not True else FrozenMap()
    return registry.read(name, {**(fields or {}), **single})
