"""What the elements of a Tiled file look like to the reader, be they written in XML or in JSON.

The two spellings differ in where things stand, hardly in what they are called. So each has one class with the same
methods, and a map is read by the same lines whichever it was. Both read attributes, each checked, where `default` is
what a missing one means; without it the attribute must be there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ecs_collision.levels.source import VALID_NAME, name_problem, shown

if TYPE_CHECKING:
    from ecs_collision.levels.tiled.json_maps import JsonPart
    from ecs_collision.levels.tiled.xml_maps import XmlPart

Part: TypeAlias = "XmlPart | JsonPart"

Gids = NDArray[np.uint32]
"""Global tile ids, with their flip flags, row by row."""

REMEDY = "correct the file, or save it again with Tiled"


class Encoding(NamedTuple):
    """How the tiles of a layer are written: encoding and compression, "" for none."""

    encoding: str
    compression: str


class Shape(NamedTuple):
    """What an object is: "rectangle", "point", "ellipse", "capsule", "polygon", "polyline" or "text"."""

    name: str
    points: tuple[tuple[float, float], ...] = ()
    text: str = ""


def charge(at: Part, what: str, count: int = 1) -> None:
    """Take the room for so many things of a sort, which an element asks for, out of the budget of the map."""
    at.source.budget.charge(what, count, at.error)


class ObjectRef(str):
    """The value of a property that refers to an object by its id; becomes the name of the thing in the end."""

    __slots__ = ("at", "id")

    id: int
    at: Part

    def __new__(cls, id: int, at: Part) -> ObjectRef:
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


def check_unique(properties: list[Property]) -> list[Property]:
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
    problem = name_problem(name)
    if problem:
        raise part.error(problem, VALID_NAME, "choose another", key=key)
    return name
