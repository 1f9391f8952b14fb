"""The elements of a Tiled file, in XML or in JSON.

Both formats use nearly the same names in different places. So each has a class with the same methods, and the same
code reads both. The methods that read attributes check them; `default` replaces a missing attribute, which is
otherwise an error.
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
"""Global tile ids with flip flags, row by row."""

REMEDY = "correct the file, or save it again with Tiled"


class Encoding(NamedTuple):
    """The encoding and compression of the tiles of a layer, "" for none."""

    encoding: str
    compression: str


class Shape(NamedTuple):
    """The shape of an object: "rectangle", "point", "ellipse", "capsule", "polygon", "polyline" or "text"."""

    name: str
    points: tuple[tuple[float, float], ...] = ()
    text: str = ""


def charge(at: Part, what: str, count: int = 1) -> None:
    """Charge `count` items of a kind to the budget of the map."""
    at.source.budget.charge(what, count, at.error)


class ObjectRef(str):
    """A property value that refers to an object by id. It is replaced by the name of the thing at the end."""

    __slots__ = ("at", "id")

    id: int
    at: Part

    def __new__(cls, id: int, at: Part) -> ObjectRef:
        """Return a reference whose text, unlike any name, is used for comparison."""
        made = super().__new__(cls, f"\\0object {id}")
        made.id, made.at = id, at
        return made


@dataclass(frozen=True, slots=True)
class Property:
    """A custom property; `kind` is the name of its class or enum, or ""."""

    name: str
    value: Any
    kind: str
    at: Part = field(compare=False)


EXPECTED = {
    "string": "a text", "int": "a whole number", "float": "a finite number", "bool": "true or false",
    "color": "#rrggbb or #aarrggbb", "file": "a path", "object": "the id of an object", "class": "an object of members",
    "list": "an array of items",
}  # fmt: skip
"""The types of custom properties, with descriptions of their values for messages."""

TYPES = tuple(EXPECTED)
COLOR = re.compile(r"(?:#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8}))?", re.ASCII)


def check_unique(properties: list[Property]) -> list[Property]:
    """Return the properties; raises LevelError if two have the same name."""
    seen: set[str] = set()
    for found in properties:
        if found.name in seen:
            raise found.at.error(f"the property {shown(found.name)} twice", "every property once", key="name")
        seen.add(found.name)
    return properties


def name_of(part: Part, key: str) -> str:
    """Return the name of a thing or kind, "" if it is missing."""
    name = part.text(key, default="")
    problem = name_problem(name)
    if problem:
        raise part.error(problem, VALID_NAME, "choose another", key=key)
    return name
