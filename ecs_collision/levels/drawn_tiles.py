"""The tiles of a level as its editor draws them: which tile of which tileset, where in pixels, and of which thing.

A level may have millions of tiles, so a layer stores them in arrays and makes a record only when it is read.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ecs_collision.levels.level import Thing

Rectangle = tuple[float, float, float, float]
"""Left, top, width and height in pixels, y downwards."""


class TileImage(NamedTuple):
    """A tile as it is drawn.

    tileset, id: its tileset by name, and its number there from 0, -1 for the icon of an LDtk entity, which may be
    any part of an image.
    gid: its number in a Tiled map, 0 in LDtk.
    flipped: some of "h", "v" and "d" (diagonally, before the others).
    source: its place in the image of the tileset, None if the file does not say, or each tile has an image of its own.
    """

    tileset: str
    id: int
    gid: int
    flipped: str
    source: Rectangle | None


class DrawnTile(NamedTuple):
    """A tile of a level: the `thing` it belongs to or None, its `layer`, its `image`, and its `rectangle` in pixels."""

    thing: str | None
    layer: str
    image: TileImage
    rectangle: Rectangle


@dataclass(frozen=True, slots=True)
class TileList:
    """Tiles at any place: int32 arrays as bytes, which are immutable and can be pickled.

    images and areas: the distinct tiles, and the rectangle of each relative to its place. which: the image of each
    tile. lefts, tops: its place. owners: the number of its thing in the level, or -1. offset: the place of the layer.
    """

    name: str
    images: tuple[TileImage, ...]
    areas: tuple[Rectangle, ...]
    which: bytes
    lefts: bytes
    tops: bytes
    owners: bytes
    offset: tuple[float, float] = (0.0, 0.0)

    def tiles(self, things: Sequence[Thing]) -> Iterator[DrawnTile]:
        """Yield the tiles in file order."""
        columns = (unpacked(data) for data in (self.which, self.lefts, self.tops, self.owners))
        for which, left, top, owner in zip(*columns, strict=True):
            area = moved(self.areas[which], left + self.offset[0], top + self.offset[1])
            yield DrawnTile(things[owner].name if owner >= 0 else None, self.name, self.images[which], area)


@dataclass(frozen=True, slots=True)
class TileGrid:
    """Tiles in cells, one byte or two for each, because a map may have millions.

    which: the number of the image of each cell from 1, or 0, as an array of the type `kind`. runs and owners (int32):
    the first cell of each run of cells of a thing, sorted, and the number of the thing. step: the size of a cell in
    pixels.
    """

    name: str
    images: tuple[TileImage, ...]
    areas: tuple[Rectangle, ...]
    columns: int
    kind: str
    which: bytes
    runs: bytes
    owners: bytes
    step: tuple[float, float]
    offset: tuple[float, float]

    def tiles(self, things: Sequence[Thing]) -> Iterator[DrawnTile]:
        """Yield the tiles row by row."""
        runs, owners = unpacked(self.runs), unpacked(self.owners)
        for cell, number in enumerate(unpacked(self.which, self.kind)):
            if number:
                owner = owners[bisect_right(runs, cell) - 1]
                row, column = divmod(cell, self.columns)
                x, y = column * self.step[0] + self.offset[0], row * self.step[1] + self.offset[1]
                area = moved(self.areas[number - 1], x, y)
                yield DrawnTile(things[owner].name, self.name, self.images[number - 1], area)


TileLayer: TypeAlias = TileList | TileGrid


def moved(area: Rectangle, x: float, y: float) -> Rectangle:
    """Return a rectangle moved by an offset."""
    return (float(area[0] + x), float(area[1] + y), float(area[2]), float(area[3]))


def packed(values: Iterable[int], kind: str = "i") -> bytes:
    """Return whole numbers as an array, by default of int32."""
    return array(kind, values).tobytes()


def unpacked(data: bytes, kind: str = "i") -> memoryview:
    """Return the whole numbers in an array."""
    return memoryview(data).cast(kind)  # type: ignore[call-overload, no-any-return]


def list_of_objects(name: str, drawn: Sequence[tuple[int, TileImage, Rectangle]]) -> TileList:
    """Return a layer from things by number, the tile of each and its rectangle."""
    owners, images, areas = zip(*drawn, strict=True)
    zeros = packed([0] * len(drawn))
    return TileList(name, images, areas, packed(range(len(drawn))), zeros, zeros, packed(owners))
