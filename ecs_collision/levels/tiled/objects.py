"""The objects of a map, template or tile, as in the file, before they are placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from ecs_collision.fixed_point import MAX_COORDINATE
from ecs_collision.levels.tiled.geometry import Area
from ecs_collision.levels.tiled.parts import Part, Property, Shape, name_of

MAX_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class TiledObject:
    """An object, in pixels and degrees. id 0: none; gid 0: no tile; width and height None: not given."""

    at: Part
    id: int
    name: str
    kind: str
    x: float
    y: float
    width: float | None
    height: float | None
    rotation: float
    gid: int
    shape: Shape
    visible: bool
    properties: tuple[Property, ...]

    @property
    def area(self) -> Area:
        """The rectangle relative to its position, before rotation."""
        return Area(0.0, 0.0, self.width or 0.0, self.height or 0.0)


_DEFAULTS = TiledObject(cast("Part", None), 0, "", "", 0.0, 0.0, None, None, 0.0, 0, Shape("rectangle"), True, ())
"""Default values of an object; `at` is never used."""


def read_object(part: Part, base: TiledObject | None = None, *, placed: bool = True) -> TiledObject:
    """Return an object. Missing values come from `base`, its template. `placed`: x and y are required."""
    plain = base or _DEFAULTS
    own = {found.name: found for found in part.properties()}
    rotation = part.number("rotation", default=plain.rotation)
    if abs(rotation) > MAX_COORDINATE:
        raise part.error(f"the rotation {rotation:g}", "an angle in degrees, up to 2**36", key="rotation")
    return TiledObject(
        part,
        part.integer("id", minimum=0, maximum=MAX_ID, default=0),
        name_of(part, "name") if part.has("name") else plain.name,
        class_of(part, plain.kind),
        part.number("x", default=None if placed else 0.0),
        part.number("y", default=None if placed else 0.0),
        part.number("width", minimum=0.0, default=plain.width) if part.has("width") else plain.width,
        part.number("height", minimum=0.0, default=plain.height) if part.has("height") else plain.height,
        rotation,
        part.integer("gid", minimum=0, maximum=2**32 - 1, default=plain.gid),
        part.shape() or plain.shape,
        part.flag("visible", default=plain.visible),
        tuple({**{found.name: found for found in plain.properties}, **own}.values()),
    )


def class_of(part: Part, default: str = "") -> str:
    """Return the class of an object or tile: `type`, or `class` in files of Tiled 1.9."""
    return name_of(part, "type") or name_of(part, "class") or default
