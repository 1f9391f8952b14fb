"""The definitions of an LDtk project: layers, entities with their fields, enums and tilesets, by uid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from ecs_collision.levels.json_document import Node
from ecs_collision.levels.source import shown

MAX_GRID = 4096
"""Maximum grid size, in pixels."""

MAX_PIXELS = 2**20
"""Maximum offset of a layer in pixels, and maximum coordinate in a field."""

LAYER_TYPES = ("IntGrid", "Entities", "Tiles", "AutoLayer")

Definition = TypeVar("Definition")


@dataclass(frozen=True, slots=True)
class FieldDef:
    """A field of an entity or level; `type` is for example "Int" or "Array<LocalEnum.Item>"."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class EntityDef:
    """An entity definition: its name, and its fields by uid."""

    name: str
    fields: dict[int, FieldDef]


@dataclass(frozen=True, slots=True)
class LayerDef:
    """A layer definition: its grid and offset in pixels, and the kind for each IntGrid value."""

    name: str
    type: str
    grid: int
    offset: tuple[int, int]
    values: dict[int, str]


@dataclass(frozen=True, slots=True)
class Definitions:
    """All definitions of a project. unit: pixels per cell of its levels."""

    layers: dict[int, LayerDef]
    entities: dict[int, EntityDef]
    level_fields: dict[int, FieldDef]
    enums: frozenset[str]  # named as in field types: "LocalEnum.Item"
    tilesets: dict[int, str]
    default_grid: int
    unit: int

    def kinds(self) -> set[str]:
        """Return all kinds that a thing of a level can have."""
        kinds = {entity.name for entity in self.entities.values()}
        for layer in self.layers.values():
            kinds |= set(layer.values.values()) if layer.type == "IntGrid" else set()
            kinds |= {layer.name} if layer.type in ("Tiles", "AutoLayer") else set()
        return kinds


def read_definitions(root: Node) -> Definitions:
    """Return the definitions of a project; raises LevelError for duplicate uids."""
    defs = root.get("defs", "the definitions of a project")
    default_grid = root.integer("defaultGridSize", minimum=1, maximum=MAX_GRID)
    layers = _by_uid(defs.each("layers"), _layer)
    tilesets = _by_uid(defs.each("tilesets"), identifier)
    for node in defs.each("layers"):
        if node.has("tilesetDefUid"):
            definition_of(node, "tilesetDefUid", tilesets, "a tileset")
        if node.has("autoSourceLayerDefUid"):
            definition_of(node, "autoSourceLayerDefUid", layers, "a layer")
    return Definitions(
        layers=layers,
        entities=_by_uid(defs.each("entities"), _entity),
        level_fields=_by_uid(defs.each("levelFields", optional=True), _field),
        enums=_enums("LocalEnum", defs.each("enums")) | _enums("ExternEnum", defs.each("externalEnums", optional=True)),
        tilesets=tilesets,
        default_grid=default_grid,
        unit=_unit(layers.values(), default_grid),
    )


def identifier(node: Node, key: str = "identifier") -> str:
    """Return a printable name."""
    name = node.text(key, maximum=200)
    if not name.isprintable() or not name.strip():
        raise node.get(key).unexpected("a name of printable characters")
    return name


def definition_of(node: Node, key: str, table: dict[int, Definition], what: str) -> Definition:
    """Return the definition that a uid refers to."""
    uid = node.integer(key)
    if uid not in table:
        raise node.get(key).error(f"the uid {uid}", f"a uid of {what} in this project")
    return table[uid]


def check_equal(node: Node, key: str, expected: object, why: str) -> None:
    """Raise LevelError unless a member equals the value from another part of the file."""
    found = node.get(key, f"{shown(expected)}, {why}")
    if type(found.value) is not type(expected) or found.value != expected:
        raise found.unexpected(f"{shown(expected)}, {why}")


def _by_uid(nodes: Iterator[Node], make: Callable[[Node], Definition]) -> dict[int, Definition]:
    table: dict[int, Definition] = {}
    for node in nodes:
        uid = node.integer("uid")
        if uid in table:
            raise node.get("uid").error(f"the uid {uid} twice", "a unique uid")
        table[uid] = make(node)
    return table


def _layer(node: Node) -> LayerDef:
    name = identifier(node)
    kind = node.text("type", among=LAYER_TYPES)
    values: dict[int, str] = {}
    for value in node.each("intGridValues", optional=kind != "IntGrid"):
        number = value.integer("value", minimum=1)
        if number in values:
            raise value.get("value").error(f"the value {number} twice", "every value once")
        is_unnamed = value.value.get("identifier", "") is None
        values[number] = f"{name} value {number}" if is_unnamed else identifier(value)
    x, y = (node.integer(f"pxOffset{axis}", minimum=-MAX_PIXELS, maximum=MAX_PIXELS, default=0) for axis in "XY")
    return LayerDef(name, kind, node.integer("gridSize", minimum=1, maximum=MAX_GRID), (x, y), values)


def _entity(node: Node) -> EntityDef:
    return EntityDef(identifier(node), _by_uid(node.each("fieldDefs"), _field))


def _field(node: Node) -> FieldDef:
    return FieldDef(identifier(node), node.text("__type", maximum=500))


def _enums(prefix: str, nodes: Iterator[Node]) -> frozenset[str]:
    """Return the enums, named as in field types."""
    return frozenset(f"{prefix}.{identifier(node)}" for node in nodes)


def _unit(layers: Iterable[LayerDef], default: int) -> int:
    """Return the default grid if a layer uses it, else the grid of the first IntGrid layer, else of the first layer."""
    grids: dict[str, int] = {}
    for layer in layers:
        if layer.grid == default:
            return default
        grids.setdefault(layer.type, layer.grid)
    return grids.get("IntGrid") or next(iter(grids.values()), default)
