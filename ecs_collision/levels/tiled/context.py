"""The state shared while reading a map: its things before they have names, and the properties they get from layers.

A component is `Inertia` (its first field, or true), `Motion.force` or `Motion_force` (one field), or a property of a
registered class (its members are the fields). Layer, tile and object are merged in this order; later ones win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ecs_collision.components import AnyPart
from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.levels.colliders import NAMED_COLLIDERS
from ecs_collision.levels.drawn_tiles import TileLayer
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.kinds import Choice, Fields, present
from ecs_collision.levels.level import Thing, unique_names
from ecs_collision.levels.registry import REFERENCES, Registry, component_conflict
from ecs_collision.levels.source import said_by
from ecs_collision.levels.tiled.elements import ObjectRef, Property, TiledElement, name_of
from ecs_collision.levels.tiled.tilesets import Files, Tile, Tilesets

if TYPE_CHECKING:
    from ecs_collision.levels.load import Options


_SHAPES = {"Collider", "Transform", *(kind.__name__ for kind in NAMED_COLLIDERS)}
"""Components that say what a tile looks like and not what it does."""

_REFERENCES = {kind.__name__ for kind in REFERENCES}


@dataclass(slots=True)
class Context:
    """A map while it is read: options, tile size in pixels, files, tilesets, and the things, ids and tiles so far.

    chosen_tiles: the gids that `kinds=` names, with their values for its selectors.
    """

    options: Options
    tile_width: float
    tile_height: float
    files: Files
    tilesets: Tilesets
    drafts: list[DraftThing] = field(default_factory=list)
    ids: set[int] = field(default_factory=set)
    tile_layers: list[TileLayer] = field(default_factory=list)
    chosen_tiles: dict[int, dict[str, str]] = field(default_factory=dict)

    def components_of(self, at: TiledElement, choice: Choice, merged: PropertyMerge, tile: Tile | None) -> FrozenMap:
        """Return the components of a thing: from the file and the program; tiles with shapes are Static by default."""
        all_merged = choice.merged(merged.components)
        has_part = {name for name, fields in all_merged.items() if fields is not None} - _SHAPES
        if tile is not None and tile.shapes and not has_part and "Static" not in all_merged:
            all_merged["Static"] = FrozenMap()
        components = present(all_merged)
        conflict = component_conflict(components)
        if conflict:
            names = [name for name in ("Static", "Motion", "Inertia", *sorted(_SHAPES)) if name in components]
            conflict += choice.origins(merged.components, names)
            raise at.error(conflict, "compatible components", "choose others; X = false removes X")
        return components

    def merge(self, merged: PropertyMerge, properties: Iterable[Property]) -> PropertyMerge:
        """Return properties merged with further ones, which take precedence."""
        return merged.merged_with(properties, self.options.registry)


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer: its element, name, class, offset in pixels, and its properties merged with those of its groups."""

    at: TiledElement
    name: str
    kind: str
    x: float
    y: float
    visible: bool
    merged: PropertyMerge

    def inside(self, at: TiledElement, context: Context) -> Layer:
        """Return a layer inside this group. Components are inherited, other properties are not."""
        for key in ("x", "y"):
            if at.integer(key, default=0):
                found = f"a layer at {key} = {at.integer(key)}"
                raise at.error(found, "0, as Tiled writes it", "use the layer's offset", key=key)
        merged = context.merge(PropertyMerge(self.merged.components), at.properties())
        return replace(
            self,
            at=at,
            name=name_of(at, "name"),
            kind=name_of(at, "class"),
            x=self.x + at.number("offsetx", default=0.0),
            y=self.y + at.number("offsety", default=0.0),
            visible=self.visible and at.flag("visible", default=True),
            merged=merged,
        )

    @property
    def facts(self) -> dict[str, object]:
        """The properties that every thing of the layer gets."""
        return {"layer": self.name} | ({} if self.visible else {"visible": False})


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
            if name in _REFERENCES and type(given.get("to")) is int:
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


def _listed(field: str, value: Any, at: TiledElement) -> Any:
    """Return the value; a mask written with commas, as Tiled writes flags, becomes a tuple of layers."""
    if field == "mask" and type(value) is str:
        at.limit("values", value.count(","))
        return tuple(part.strip() for part in value.split(",")) if value else None
    return value


@dataclass(frozen=True, slots=True)
class DraftThing:
    """A thing before it has a name; `name` is that in the file, or ""; `id` is that of its object, or 0."""

    name: str
    id: int
    kind: str
    position: tuple[float, float, float]
    parts: tuple[AnyPart, ...]
    components: FrozenMap
    properties: Mapping[str, Any]


def value_count(value: Any) -> int:
    """Return the number of values in a value, including nested ones."""
    if isinstance(value, Mapping):
        return sum(map(value_count, value.values()), len(value))
    return sum(map(value_count, value), 1) if type(value) in (list, tuple) else 1


def things_of(drafts: list[DraftThing]) -> tuple[Thing, ...]:
    """Return the things with unique names; references to objects become names."""
    names = unique_names([draft.name for draft in drafts], [draft.kind for draft in drafts])
    by_id = {draft.id: name for draft, name in zip(drafts, names, strict=True) if draft.id}
    return tuple(
        Thing(
            name, draft.kind, draft.position, draft.parts, FrozenMap(resolve_references(draft.components, by_id)),
            FrozenMap(resolve_references(draft.properties, by_id)),
        )
        for draft, name in zip(drafts, names, strict=True)
    )  # fmt: skip


def resolve_references(value: Any, by_id: Mapping[int, str]) -> Any:
    """Return a value with every object reference replaced by the name of the thing."""
    if isinstance(value, ObjectRef):
        if value.id not in by_id:
            raise value.at.error(
                f"a reference to object {value.id}, which is not in the map", "the id of an object of the map",
                "select the object again in Tiled",
            )  # fmt: skip
        return by_id[value.id]
    if isinstance(value, Mapping):
        return {key: resolve_references(item, by_id) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [resolve_references(item, by_id) for item in value]
    return value
