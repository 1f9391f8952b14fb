"""What an LDtk project defines: layers, entities with their fields, enums and tilesets, each found by its uid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from ecs_collision.levels.json_document import Node
from ecs_collision.levels.source import shown

MAX_GRID = 4096
"""The largest grid, in pixels."""

MAX_PIXELS = 2**20
"""The largest offset of a layer, in pixels, and the largest coordinate in a field."""

LAYER_TYPES = ("IntGrid", "Entities", "Tiles", "AutoLayer")

Definition = TypeVar("Definition")


@dataclass(frozen=True, slots=True)
class FieldDef:
    """A field of an entity or a level; `type` as in "Int" or "Array<LocalEnum.Item>"."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class EntityDef:
    """A kind of entity and its fields, by uid."""

    name: str
    fields: dict[int, FieldDef]


@dataclass(frozen=True, slots=True)
class LayerDef:
    """A layer: its grid and offset in pixels, and the kind that each value of an IntGrid stands for."""

    name: str
    type: str
    grid: int
    offset: tuple[int, int]
    values: dict[int, str]


@dataclass(frozen=True, slots=True)
class Definitions:
    """All definitions of a project. unit: how many pixels are one cell of its levels."""

    layers: dict[int, LayerDef]
    entities: dict[int, EntityDef]
    level_fields: dict[int, FieldDef]
    enums: frozenset[str]  # as types of fields name them: "LocalEnum.Item"
    tilesets: dict[int, str]
    default_grid: int
    unit: int

    def kinds(self) -> set[str]:
        """Return every kind that a thing of a level can have."""
        kinds = {entity.name for entity in self.entities.values()}
        for layer in self.layers.values():
            kinds |= set(layer.values.values()) if layer.type == "IntGrid" else set()
            kinds |= {layer.name} if layer.type in ("Tiles", "AutoLayer") else set()
        return kinds


def read_definitions(root: Node) -> Definitions:
    """Return the definitions of a project; every uid and name is there once."""
    defs = root.get("defs", "the definitions of a project")
    default_grid = root.integer("defaultGridSize", minimum=1, maximum=MAX_GRID)
    layers = _by_uid(defs.each("layers"), _layer)
    tilesets = _by_uid(defs.each("tilesets"), identifier)
    for node in defs.each("layers"):
        _check_reference(node, "tilesetDefUid", tilesets, "a tileset")
        _check_reference(node, "autoSourceLayerDefUid", layers, "a layer")
    return Definitions(
        layers=layers,
        entities=_by_uid(defs.each("entities"), _entity),
        level_fields=_by_uid(defs.each("levelFields", optional=True), _field),
        enums=_enums("LocalEnum", defs.each("enums")) | _enums("ExternEnum", defs.each("externalEnums", optional=True)),
        tilesets=tilesets,
        default_grid=default_grid,
        unit=_unit(list(layers.values()), default_grid),
    )


def identifier(node: Node, key: str = "identifier") -> str:
    """Return a name that can stand in a line of text."""
    name = node.text(key, maximum=200)
    if not name.isprintable() or not name.strip():
        raise node.get(key).unexpected("a name of printable characters")
    return name


def definition_of(node: Node, key: str, table: dict[int, Definition], what: str) -> Definition:
    """Return the definition a uid refers to."""
    uid = node.integer(key)
    if uid not in table:
        raise node.get(key).error(f"the uid {uid}", f"that of {what} of this project")
    return table[uid]


def check_equal(node: Node, key: str, expected: object, why: str) -> None:
    """Refuse a member that is not what another place of the file says."""
    found = node.get(key, f"{shown(expected)}, {why}")
    if type(found.value) is not type(expected) or found.value != expected:
        raise found.unexpected(f"{shown(expected)}, {why}")


def _by_uid(nodes: Iterator[Node], make: Callable[[Node], Definition]) -> dict[int, Definition]:
    table: dict[int, Definition] = {}
    for node in nodes:
        uid = node.integer("uid")
        if uid in table:
            raise node.get("uid").error(f"the uid {uid} a second time", "a uid of its own")
        table[uid] = make(node)
    return table


def _layer(node: Node) -> LayerDef:
    name = identifier(node)
    kind = node.text("type", among=LAYER_TYPES)
    values: dict[int, str] = {}
    for value in node.each("intGridValues", optional=kind != "IntGrid"):
        number = value.integer("value", minimum=1)
        if number in values:
            raise value.get("value").error(f"the value {number} a second time", "every value once")
        is_unnamed = value.value.get("identifier", "") is None
        values[number] = f"{name} value {number}" if is_unnamed else identifier(value)
    offset = (_offset(node, "pxOffsetX"), _offset(node, "pxOffsetY"))
    return LayerDef(name, kind, node.integer("gridSize", minimum=1, maximum=MAX_GRID), offset, values)


def _check_reference(node: Node, key: str, table: dict[int, Definition], what: str) -> None:
    """Refuse a uid that is given and unknown."""
    if node.has(key):
        definition_of(node, key, table, what)


def _offset(node: Node, key: str) -> int:
    return node.integer(key, minimum=-MAX_PIXELS, maximum=MAX_PIXELS, default=0)


def _entity(node: Node) -> EntityDef:
    return EntityDef(identifier(node), _by_uid(node.each("fieldDefs"), _field))


def _field(node: Node) -> FieldDef:
    return FieldDef(identifier(node), node.text("__type", maximum=500))


def _enums(prefix: str, nodes: Iterator[Node]) -> frozenset[str]:
    """Return the enums as types of fields name them."""
    return frozenset(f"{prefix}.{identifier(node)}" for node in nodes)


def _unit(layers: list[LayerDef], default: int) -> int:
    """Return the default grid where a layer has it, else the grid of the first IntGrid layer, or of the first layer."""
    grids: dict[str, Any] = {}
    for layer in layers:
        if layer.grid == default:
            return default
        grids.setdefault(layer.type, layer.grid)
    first: int = grids.get("IntGrid") or next(iter(grids.values()), default)
    return first
