"""Merges custom properties into components and other properties.

A component is `Inertia` (its first field, or true), `Motion.force` or `Motion_force` (one field), or a property of a
registered class (its members are the fields). Layer, tile and object are merged in this order; later ones win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.registry import Registry
from ecs_collision.levels.source import said_by
from ecs_collision.levels.tiled.parts import ObjectRef, Part, Property

Fields = FrozenMap | None


class PropertyMerge:
    """Components by name (None if removed by false), and all other properties."""

    __slots__ = ("components", "properties")

    def __init__(self, components: Mapping[str, Fields] = {}, properties: Mapping[str, Any] = {}) -> None:
        self.components, self.properties = dict(components), dict(properties)

    def merged_with(self, properties: Iterable[Property], registry: Registry) -> PropertyMerge:
        """Return a copy merged with further properties; raises LevelError for the first invalid one."""
        merged = PropertyMerge(self.components, self.properties)
        faults: dict[str, LevelError] = {}
        for found in properties:
            name, field = _component_of(found, registry)
            if name:
                merged._merge(name, field, found, registry, faults)
            else:
                merged.properties[found.name] = found.value
        for fault in faults.values():
            raise fault
        return merged

    def _merge(self, name: str, field: str, found: Property, registry: Registry, faults: dict[str, LevelError]) -> None:
        """Merge one field or a whole component. A fault counts only if it remains after all properties are merged."""
        given = _listed(field, found.value, found.at)
        if field:
            given = {**(self.components.get(name) or {}), field: given}
        elif isinstance(given, dict):
            given = {key: _listed(key, value, found.at) for key, value in given.items()}
            if name == "Fused" and type(given.get("to")) is int:
                given["to"] = ObjectRef(given["to"], found.at)  # members of a class have no types in JSON
        try:
            self.components[name] = registry.read(name, given)
            faults.pop(name, None)
        except CollisionError as problem:
            fault = found.at.error(*said_by(problem, "correct the property in Tiled"), key="value")
            faults.setdefault(name, fault)
            self.components[name] = FrozenMap(given) if isinstance(given, dict) else FrozenMap()


def _component_of(found: Property, registry: Registry) -> tuple[str, str]:
    """Return the component and field that a property names: field "" for the whole component, ("", "") for none."""
    name, field = registry.component_in(found.name)
    if (field or not name) and found.kind in registry and isinstance(found.value, dict):
        return found.kind, ""
    return name, field


def _listed(field: str, value: Any, at: Part) -> Any:
    """Return the value; a mask written with commas, as Tiled writes flags, becomes a tuple of layers."""
    if field == "mask" and type(value) is str:
        at.limit("values", value.count(","))
        return tuple(part.strip() for part in value.split(",")) if value else None
    return value
