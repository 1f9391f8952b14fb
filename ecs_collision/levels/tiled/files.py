"""The files a map refers to: tilesets and templates in XML or JSON, each read once. Images are never opened."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from ecs_collision.levels.tiled.geometry import FLAGS
from ecs_collision.levels.tiled.objects import ERASE, TiledObject, read_object
from ecs_collision.levels.tiled.parts import Part, root_of
from ecs_collision.levels.tiled.tilesets import MAX_TILES, Tileset, Tilesets, tileset_of

_JSON_SUFFIXES = frozenset({".json", ".tsj", ".tj"})


class Files:
    """The tilesets and templates of one map.

    References cannot form a cycle: a tileset refers to no tileset or template, and a template to no template.
    """

    def __init__(self) -> None:
        self._tilesets: dict[str, Tileset] = {}
        self._data_keys: dict[Any, int] = {}
        self._templates: dict[str, tuple[TiledObject, Tilesets]] = {}

    def tilesets_of(self, root: Part) -> Tilesets:
        """Return the tilesets of a map or template, with their gids."""
        found = Tilesets()
        for part in root.tilesets():
            part.limit("layers and tilesets")
            found.add(part, part.integer("firstgid", minimum=1, maximum=MAX_TILES), self._tileset(part))
        return found

    def template(self, part: Part) -> tuple[TiledObject, Tilesets]:
        """Return the object of the template that an object refers to, and the tilesets of its gid."""
        name = _name_of(part, "template")
        if name not in self._templates:
            root = _root_at(part, "template")
            root.expect("template")
            objects: list[Part] = [*root.objects()]
            if len(objects) != 1:
                raise root.error(f"a template of {len(objects)} objects", "one object")
            if objects[0].has("template"):
                raise objects[0].error(
                    "a template that refers to a template", "a complete object",
                    "detach the object from its template in Tiled",
                )  # fmt: skip
            self._templates[name] = _template(objects[0], self.tilesets_of(root))
        return self._templates[name]

    def _tileset(self, part: Part) -> Tileset:
        if not part.has("source"):
            return tileset_of(part, self._data_keys)
        name = _name_of(part, "source")
        if name not in self._tilesets:
            root = _root_at(part, "source")
            root.expect("tileset")
            self._tilesets[name] = tileset_of(root, self._data_keys)
        return self._tilesets[name]


def _template(part: Part, tilesets: Tilesets) -> tuple[TiledObject, Tilesets]:
    item = read_object(part, placed=False)
    if item.gid and tilesets.find(item.gid) is None:
        raise part.error(f"the gid {item.gid & ~FLAGS}", tilesets.describe(), ERASE, key="gid")
    return item, tilesets


def _root_at(part: Part, key: str) -> Part:
    """Return the root of the file that an element names, read as JSON or XML depending on its suffix."""
    element = part.get(key)._element
    place = {"pointer": part.get(key).pointer} if element is None else {"line": element.line, "column": element.column}
    source = part.source.open_reference(part.text(key), **place)
    return root_of(source, PurePosixPath(source.name).suffix.lower() in _JSON_SUFFIXES)


def _name_of(part: Part, key: str) -> str:
    return (PurePosixPath(part.source.name).parent / part.text(key)).as_posix()
