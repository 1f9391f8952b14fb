"""What the elements of a Tiled file look like to the reader, be they written in XML or in JSON.

The two spellings differ in where things stand, hardly in what they are called. So each has one class with these
methods, and a map is read by the same lines whichever it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ecs_collision.errors import LevelError
from ecs_collision.levels.source import A_NAME, Source, shown, unfit_name

Gids = NDArray[np.uint32]
"""Global tile ids, with their flip flags, row by row."""

REMEDY = "correct the file, or save it again with Tiled"


class Coding(NamedTuple):
    """How the tiles of a layer are written: encoding and compression, "" for none."""

    encoding: str
    compression: str


class Shape(NamedTuple):
    """What an object is: "rectangle", "point", "ellipse", "capsule", "polygon", "polyline" or "text"."""

    name: str
    points: tuple[tuple[float, float], ...] = ()
    text: str = ""


def spend(at: Part, what: str, count: int = 1) -> None:
    """Take the room for so many things of a sort, which an element asks for, out of the budget of the map."""
    at.source.budget.spend(what, count, at.error)


class Ref(str):
    """The value of a property that refers to an object by its id; becomes the name of the thing in the end."""

    __slots__ = ("at", "id")

    id: int
    at: Part

    def __new__(cls, id: int, at: Part) -> Ref:
        """Return a text unlike any name, by which alone it is compared."""
        made = super().__new__(cls, f"\\0object {id}")
        made.id, made.at = id, at
        return made


@dataclass(frozen=True, slots=True)
class Property:
    """A custom property: kind is the name of its class or enum, "" for none."""

    name: str
    value: Any
    kind: str
    at: Part = field(compare=False)


EXPECTED = {
    "string": "a text", "int": "a whole number", "float": "a finite number", "bool": "true or false",
    "color": "#rrggbb or #aarrggbb", "file": "a path", "object": "the id of an object", "class": "an object of members",
    "list": "an array of items",
}  # fmt: skip
"""The types of custom properties, and what their values are."""

TYPES = tuple(EXPECTED)
COLOR = re.compile(r"(?:#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8}))?", re.ASCII)


def unique(properties: list[Property]) -> list[Property]:
    """Return properties; two of one name are refused."""
    seen: set[str] = set()
    for found in properties:
        if found.name in seen:
            raise found.at.error(f"the property {shown(found.name)} twice", "every property once", key="name")
        seen.add(found.name)
    return properties


def name_of(part: Part, key: str) -> str:
    """Return a text that names a thing or a kind, "" where there is none."""
    name = part.text(key, default="")
    unfit = unfit_name(name)
    if unfit:
        raise part.error(unfit, A_NAME, "choose another", key=key)
    return name


class Part(Protocol):
    """An element of a file: reads its attributes, each checked, and finds the elements inside it.

    `default` is what a missing attribute means; without one it must be there.
    """

    source: Source

    def error(self, found: str, expected: str, remedy: str | None = None, *, key: str | None = None) -> LevelError:
        """Return the refusal of this element, or of an attribute of it."""

    def error_of_tile(self, index: int, found: str, expected: str, remedy: str) -> LevelError:
        """Return the refusal of one of the tiles of a layer or chunk."""

    def expect(self, what: str) -> None:
        """Refuse a file whose root this is, unless it is a "map", "tileset" or "template"."""

    def has(self, key: str) -> bool:
        """Return whether an attribute is there."""

    def whole(self, key: str, *, least: int = ..., most: int = ..., default: int | None = None) -> int:
        """Return a whole number."""

    def number(self, key: str, *, least: float = ..., default: float | None = None) -> float:
        """Return a finite number."""

    def text(self, key: str, *, among: tuple[str, ...] = (), default: str | None = None) -> str:
        """Return a text, one of `among` where they are given."""

    def flag(self, key: str, *, default: bool) -> bool:
        """Return whether something is so."""

    def refer(self, key: str) -> Source:
        """Return the file an attribute names."""

    def properties(self) -> list[Property]:
        """Return the custom properties."""

    def tilesets(self) -> Iterator[Part]:
        """Yield the tilesets of a map or a template."""

    def layers(self) -> Iterator[tuple[str, Part]]:
        """Yield ("tilelayer" | "objectgroup" | "imagelayer" | "group", layer) of a map or a group, bottom first."""

    def objects(self) -> Iterator[Part]:
        """Yield the objects of an object layer or a tile, or the one of a template."""

    def tiles(self) -> Iterator[Part]:
        """Yield those tiles of a tileset that say something of themselves."""

    def image(self) -> tuple[float, float] | None:
        """Return width and height of the image of a tileset or tile, (0, 0) where unknown; None for no image."""

    def shape(self) -> Shape | None:
        """Return the shape an object says it has; None for none said."""

    def coding(self) -> Coding:
        """Return how a tile layer is written."""

    def chunks(self) -> Iterator[Part]:
        """Yield the chunks of a tile layer of an infinite map."""

    def has_loose_tiles(self) -> bool:
        """Return whether a tile layer has tiles that are in no chunk."""

    def gids(self, coding: Coding, count: int) -> Gids:
        """Return the tiles of a layer or chunk, exactly `count` of them."""
