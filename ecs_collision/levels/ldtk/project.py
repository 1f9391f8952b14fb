"""Reads an LDtk project into `Level` records.

There are two passes: the first reads the contents of all levels, the second the fields, which may refer to entities of
other levels. One cell of a level is one cell of the project's default grid (see `definitions`), so all levels have the
same unit; a layer with a finer grid has cells of half a unit, for example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.levels.drawn_tiles import TileList, packed, unpacked
from ecs_collision.levels.frozen import FrozenMap, Value
from ecs_collision.levels.json_document import Node, read_json
from ecs_collision.levels.ldtk.definitions import Definitions, FieldDef, check_equal, identifier, read_definitions
from ecs_collision.levels.ldtk.fields import FieldContext, fields_of, split_properties, value_of
from ecs_collision.levels.ldtk.layers import DraftThing, Layer, LayerContext, boxes_of, read_layer
from ecs_collision.levels.level import Level, Thing, unique_names
from ecs_collision.levels.level_properties import level_properties
from ecs_collision.levels.limits import MAX_SIDE, check_size
from ecs_collision.levels.load import Options
from ecs_collision.levels.source import Source, said_by

REMEDY = "correct the file, or save it again with LDtk"
LDTK_KEY = "ldtk"
"""The property with LDtk's own data about a thing or level, next to the custom fields."""


@dataclass(slots=True)
class DraftLevel:
    """A level after the first pass: its node, its things in reading order, and their names."""

    node: Node
    title: str
    world: str | None
    layers: list[Layer]
    drafts: list[DraftThing] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def read_ldtk(source: Source, options: Options) -> list[Level]:
    """Return the levels of an LDtk project, in file order; raises LevelError with the JSON pointer of a fault."""
    root = read_json(source, REMEDY)
    expected = "a version 1.x of LDtk, as in '1.5.3'"
    version = root.get("jsonVersion", expected)
    if not re.fullmatch(r"1\.[0-9]{1,3}\.[0-9]{1,3}(-[a-z0-9.]+)?", version.text(maximum=40)):
        raise version.unexpected(expected, "save the project with LDtk 1.5")
    return _Project(root, options).levels()


class _Project:
    def __init__(self, root: Node, options: Options) -> None:
        self.root, self.options = root, options
        self.definitions: Definitions = read_definitions(root)
        self.context = LayerContext(self.definitions, options)
        options.defined.update(self.definitions.kinds())
        self.external = root.flag("externalLevels", default=False)
        self.drafts: dict[str, DraftLevel] = {}
        self.titles: set[str] = set()
        self.entities: dict[str, tuple[DraftLevel, int]] = {}

    def levels(self) -> list[Level]:
        for world, stub in self._stubs():
            self._add(stub, world)
        if not self.drafts:
            raise self.root.get("levels", "an array").error("no level", "at least one")
        return [self._level(draft) for draft in self.drafts.values()]

    def _stubs(self) -> Iterator[tuple[str | None, Node]]:
        """Yield every level in the project file, with the name of its world."""
        for level in self.root.each("levels"):
            yield None, level
        for world in self.root.each("worlds", optional=True):
            name = identifier(world)
            for level in world.each("levels"):
                yield name, level

    # First pass: the contents of the levels.

    def _add(self, stub: Node, world: str | None) -> None:
        stub.limit("levels")
        iid, title = identifier(stub, "iid"), identifier(stub)
        if iid in self.drafts:
            raise stub.get("iid").error(f"the iid {iid!r} twice", "a unique iid")
        if title in self.titles:
            raise stub.get("identifier").error(f"the level {title!r} twice", "a unique name")
        node = self._external_level(stub, iid, title) if self.external else stub
        columns, rows = self._size(node)
        check_size(columns, rows, node.error)
        layers = [read_layer(layer, node, self.context) for layer in node.each("layerInstances")]
        draft = DraftLevel(node, title, world, layers)
        draft.drafts = sorted((d for layer in layers for d in layer.drafts), key=lambda d: (d.place[1], d.place[0]))
        draft.names = unique_names([d.name for d in draft.drafts], [d.choice.kind for d in draft.drafts])
        self.drafts[iid] = draft
        self.titles.add(title)
        for index, thing in enumerate(draft.drafts):
            if thing.entity is not None:
                known = thing.format_properties["iid"]
                if known in self.entities:
                    raise thing.node.get("iid").error(f"the iid {known!r} twice", "a unique iid")
                self.entities[known] = (draft, index)

    def _size(self, node: Node) -> tuple[int, int]:
        """Return columns and rows of a level, including partial ones."""
        unit = self.definitions.unit
        width, height = (node.integer(key, minimum=1, maximum=MAX_SIDE * unit) for key in ("pxWid", "pxHei"))
        return -(-width // unit), -(-height // unit)

    def _external_level(self, stub: Node, iid: str, title: str) -> Node:
        """Return the root of a level's own file, which contains the level and refers to no other file."""
        if stub.has("layerInstances"):
            raise stub.get("layerInstances").unexpected("null, because the layers are in the level's own file")
        path = stub.text("externalRelPath")
        if not path.endswith(".ldtkl"):
            raise stub.get("externalRelPath").unexpected("the path of a .ldtkl file")
        node = read_json(stub.open_reference("externalRelPath"), REMEDY)
        check_equal(node, "iid", iid, "as the project says")
        check_equal(node, "identifier", title, "as the project says")
        check_equal(node, "uid", stub.integer("uid"), "as the project says")
        return node

    # Second pass: the fields.

    def _level(self, draft: DraftLevel) -> Level:
        node = draft.node
        context = FieldContext(self.definitions, self._middle_of_default_cell, lambda ref: self._referenced(ref, draft))
        fields = self._fields(node, self.definitions.level_fields, context)
        plain = {name: value for name, (value, _) in fields.items() if value is None or name == "title"}
        properties = level_properties(
            ((name, value, at.error) for name, (value, at) in fields.items() if name not in plain), has_title=False
        )
        return Level(
            title=draft.title,
            size=self._size(node),
            things=tuple(self._thing(draft, index) for index in range(len(draft.drafts))),
            settings=FrozenMap(properties.settings),
            properties=FrozenMap({**plain, **properties.rest, LDTK_KEY: self._format_properties(draft)}),
            win=properties.texts.get("win"),
            gravity=properties.texts.get("gravity"),
            source=node.source.name,
            form="ldtk",
            cell_pixels=(float(self.definitions.unit),) * 2,
            tile_layers=_tile_layers(draft),
        )

    def _thing(self, draft: DraftLevel, index: int) -> Thing:
        thing, unit = draft.drafts[index], self.definitions.unit
        layer = thing.layer

        def place(column: int, row: int) -> tuple[float, float]:
            x, y = layer.middle(column, row)
            return (x / unit, y / unit)

        fields: dict[str, tuple[Value, Node]] = {}
        if thing.entity is not None:
            context = FieldContext(self.definitions, place, lambda node: self._referenced(node, draft))
            fields = self._fields(thing.node, thing.entity.fields, context)

        def make_error(key: str, problem: CollisionError) -> LevelError:
            return fields[key][1].error(*said_by(problem, REMEDY))

        components, rest = split_properties(
            {key: value for key, (value, _) in fields.items()},
            thing.choice, self.options.registry, make_error,
        )  # fmt: skip
        properties = FrozenMap({**rest, LDTK_KEY: {"layer": layer.of.name} | thing.format_properties})
        position = (thing.place[0] / unit, thing.place[1] / unit, 0.0)
        return Thing(draft.names[index], thing.choice.kind, position, boxes_of(thing, unit), components, properties)

    def _fields(
        self, owner: Node, defined: dict[int, FieldDef], context: FieldContext
    ) -> dict[str, tuple[Value, Node]]:
        """Return the value and node of each field, by name."""
        fields = {}
        for name, node, of in fields_of(owner, defined):
            if name == LDTK_KEY:
                raise node.get("__identifier").error(f"a field named {LDTK_KEY!r}", "another name", "rename the field")
            fields[name] = (value_of(node, of, context), node.find("__value") or node)
        return fields

    def _referenced(self, node: Node, draft: DraftLevel) -> Value:
        """Return the name of the referenced thing, together with its level if that is another."""
        iid = node.text("entityIid")
        if iid not in self.entities:
            raise node.get("entityIid").error(
                f"the unknown iid {iid!r}", "an iid of an entity in this project", "select the entity again in LDtk"
            )
        other, index = self.entities[iid]
        name = other.names[index]
        return name if other is draft else FrozenMap({"level": other.title, "name": name})

    def _middle_of_default_cell(self, column: int, row: int) -> tuple[float, float]:
        size = self.definitions.default_grid / self.definitions.unit
        return ((column + 0.5) * size, (row + 0.5) * size)

    def _format_properties(self, draft: DraftLevel) -> dict[str, Any]:
        node = draft.node
        return {
            "iid": node.text("iid"), "uid": node.integer("uid"), "world": draft.world, "unit": self.definitions.unit,
            "worldX": node.integer("worldX", default=-1), "worldY": node.integer("worldY", default=-1),
            "worldDepth": node.integer("worldDepth", default=0), "pxWid": node.integer("pxWid"),
            "pxHei": node.integer("pxHei"), "layers": [layer.properties() for layer in draft.layers],
            "neighbours": [self._neighbour(each) for each in node.each("__neighbours", optional=True)],
        }  # fmt: skip

    def _neighbour(self, node: Node) -> dict[str, str]:
        iid = node.text("levelIid")
        if iid not in self.drafts:
            raise node.get("levelIid").error(f"the unknown iid {iid!r}", "an iid of a level in this project")
        return {"level": self.drafts[iid].title, "direction": node.text("dir", maximum=2)}


def _tile_layers(draft: DraftLevel) -> tuple[TileList, ...]:
    """Return the tiles of a level from the lowest layer, with the numbers of things in the level."""
    number_of = {id(thing): number for number, thing in enumerate(draft.drafts)}
    found: list[TileList] = []
    for layer in reversed(draft.layers):
        numbers = [*(number_of[id(thing)] for thing in layer.drafts), -1]
        for drawn in layer.drawn:
            found.append(replace(drawn, owners=packed(numbers[owner] for owner in unpacked(drawn.owners))))
    return tuple(found)
