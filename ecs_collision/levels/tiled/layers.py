"""The tiles of a layer as one grid: the size of the map or, for infinite maps, the extent of all chunks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from ecs_collision.levels.limits import MAX_CELLS, MAX_SIDE
from ecs_collision.levels.tiled.cells import Grid
from ecs_collision.levels.tiled.elements import TiledElement

_MAX_OFFSET = 2**24
"""Maximum distance of a chunk from 0, in cells; beyond the limits of a world."""


def finite_grid(element: TiledElement, size: tuple[int, int]) -> Grid:
    """Return the tiles of a layer in a finite map; `size` is that of the map in columns and rows."""
    found = element.integer("width", minimum=0), element.integer("height", minimum=0)
    if found != size:
        key = "width" if found[0] != size[0] else "height"
        raise element.error(
            f"a layer of {found[0]} by {found[1]}", f"{size[0]} by {size[1]}, the size of the map", key=key
        )
    for chunk in element.each("chunks", optional=True):
        raise chunk.error("a chunk in a finite map", "one block of tiles")
    element.limit("cells", size[0] * size[1])
    return Grid(element.gids(element.encoding(), size[0] * size[1]), *size, 0, 0, {(0, 0, *size): element})


def infinite_grid(element: TiledElement) -> Grid | None:
    """Return the chunks of a layer as one grid, or None if it has none."""
    chunks = {_place_of(chunk): chunk for chunk in _distinct(element)}
    if element.has("data") and element.get("data").value:
        raise element.error("tiles outside chunks in an infinite map", "chunks")
    if not chunks:
        return None
    width, height = next(iter(chunks))[2:]
    left, top = min(place[0] for place in chunks), min(place[1] for place in chunks)
    columns = max(place[0] for place in chunks) + width - left
    rows = max(place[1] for place in chunks) + height - top
    if columns * rows > MAX_CELLS:
        raise element.error(
            f"chunks that span {columns} by {rows} cells", f"at most {MAX_CELLS} cells from the first to the last",
            "move them closer together, or split the level",
        )  # fmt: skip
    element.limit("cells", columns * rows)
    gids = array("I", [0]) * (columns * rows)
    encoding = element.encoding()
    for (x, y, _, _), chunk in chunks.items():
        found = chunk.gids(encoding, width * height)
        for row in range(height):
            begin = (y - top + row) * columns + x - left
            gids[begin : begin + width] = found[row * width : (row + 1) * width]
    return Grid(gids, columns, rows, left, top, chunks)


def _distinct(element: TiledElement) -> Iterable[TiledElement]:
    """Yield the chunks of a layer; raises LevelError for a chunk that overlaps others or is not aligned with them."""
    seen: set[tuple[int, int]] = set()
    first: tuple[int, int, int, int] | None = None
    for chunk in element.each("chunks", optional=True):
        chunk.limit("chunks")
        place = _place_of(chunk)
        first = first or place
        if place[2:] != first[2:] or (place[0] - first[0]) % first[2] or (place[1] - first[1]) % first[3]:
            raise chunk.error(
                f"a chunk of {place[2]} by {place[3]} at {place[0]}, {place[1]}",
                f"chunks of {first[2]} by {first[3]} aligned with the first",
            )
        if place[:2] in seen:
            raise chunk.error(f"a second chunk at {place[0]}, {place[1]}", "one")
        seen.add(place[:2])
        yield chunk


def _place_of(chunk: TiledElement) -> tuple[int, int, int, int]:
    x, y = (chunk.integer(key, minimum=-_MAX_OFFSET, maximum=_MAX_OFFSET) for key in ("x", "y"))
    width, height = (chunk.integer(key, minimum=1, maximum=MAX_SIDE) for key in ("width", "height"))
    return x, y, width, height
