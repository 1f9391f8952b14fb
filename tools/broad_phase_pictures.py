"""Draw the pictures of docs/broad_phases.md: `python -m tools.broad_phase_pictures` writes docs/broad_phase_*.svg.

Every broad phase gets the same boxes, and its nodes are drawn around them as its index reports them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ecs_collision.broadphase import (
    BroadPhase,
    FootprintGrid,
    LinearOctree,
    Octree,
    PointerOctree,
    Quadtree,
    SweepAndPrune,
    ZOrderSweep,
)
from ecs_collision.broadphase.choices import CHOICES
from ecs_collision.broadphase.make_index import index_of
from ecs_collision.broadphase.protocol import Faces, Index
from ecs_collision.fixed_point import PER_UNIT, from_units, to_units

FOLDER = Path(__file__).parents[1] / "docs"
BIN_SHIFT = PER_UNIT.bit_length() - 1
LOW, HIGH = (-16.0, -8.0), (16.0, 8.0)
"""What part of the world is drawn."""
SCALE, EDGE, TOP, BOTTOM = 22, 14, 54, 38
"""Pixels of a world unit, and of the margins."""

COLOURS = {1: "#c62f4b", 2: "#e07b1a", 4: "#b59a00", 8: "#3d8f4e", 16: "#2c7fb8", 32: "#5a4fa3"}
"""The colours of nodes by their side, the same in all pictures."""
OTHER = "#7a6a5c"
"""The colour of nodes of other sides."""
BOX, BOX_EDGE, INK, PAPER, FRAME = "#51616f", "#1d2730", "#202124", "#ffffff", "#c4c9ce"

Area = tuple[float, float, float, float]
"""Lower x and y, upper x and y, in world units."""


class Picture(NamedTuple):
    """One picture: the broad phase, and what is to be seen."""

    choice: BroadPhase
    text: str

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return FOLDER / f"broad_phase_{self.choice.name}.svg"


CAPTIONS: dict[str, tuple[BroadPhase | None, str]] = {
    "buckets": (None, "cells with boxes, of sides 2, 8 and 32; each box is in the cell of its lowest corner"),
    "z_order_sweep": (None, "the cells that boxes cover in one list; the line joins their lowest corners in its order"),
    "pointer_octree": (PointerOctree(), "each box is in the smallest node that contains it"),
    "linear_octree": (LinearOctree(), "each box is in the node of its size that contains its lowest corner"),
    "quadtree": (Quadtree(capacity=4), "a node with more than 4 boxes is divided"),
    "octree": (Octree(capacity=4), "a node with more than 4 boxes is divided"),
    "footprint_grid": (
        FootprintGrid(lo=(-14.0, -8.0), hi=(13.5, 7.5), cell_size=2.0),
        "cells with boxes, within the borders of the grid (dashed); boxes not inside are in a list",
    ),
    "sweep_and_prune": (None, "where each box begins and ends on the x axis, in a sorted list"),
    "brute_force": (None, "nothing but the boxes"),
}
"""What each picture shows, and options that suit so small a scene."""


def scene() -> list[Area]:
    """Return the boxes of all pictures: a level from the side, with a heap of crates and a row of coins."""
    return [
        *((-15.5, -7.6, 9.0, -6.6), (11.6, -7.6, 12.8, 1.8), (-14.6, -1.7, -9.2, -1.0), (-5.5, 2.2, -0.9, 2.9)),
        *crates(2.3, -6.6, (5, 4, 3, 2)),
        *((x, y, x + 0.5, y + 0.5) for x, y in COINS),
        *((-0.6, -0.7, 0.5, 0.6), (-12.6, -6.6, -9.4, -3.4), (14.4, 5.2, 15.4, 6.2), (6.2, 3.1, 7.0, 3.9)),
    ]


COINS = (
    *((-13.9, -0.7), (-12.7, -0.7), (-11.5, -0.7), (-10.3, -0.7), (-4.8, 3.3), (-3.4, 3.3), (-2.0, 3.3)),
    *((-13.7, 5.6), (-9.2, 4.4), (2.7, 5.9), (4.1, 6.3), (5.2, 5.1), (9.6, 2.2), (-6.9, -4.9), (-3.3, -5.3)),
)


def crates(x: float, y: float, rows: Iterable[int]) -> Iterator[Area]:
    """Yield the crates of a heap, from its lowest row to its highest."""
    for height, count in enumerate(rows):
        for number in range(count):
            left, low = x + 0.95 * number + 0.475 * height, y + 0.85 * height
            yield left, low, left + 0.85, low + 0.85


def index_with_scene(choice: BroadPhase) -> Index:
    """Return an index that has the boxes of the scene."""
    index = index_of(choice, BIN_SHIFT)
    index.set_flat(True)
    for number, (lox, loy, hix, hiy) in enumerate(scene()):
        slot = index.allocate(1)
        corners = (*map(to_units, (lox, loy, -0.5)), *map(to_units, (hix, hiy, 0.5)))
        index.place(slot, number, True, *corners)
    return index


def pictures() -> list[Picture]:
    """Return the picture of each broad phase."""
    return [Picture(CAPTIONS[name][0] or made(), CAPTIONS[name][1]) for name, made in CHOICES.items()]


def drawn(picture: Picture) -> str:
    """Return a picture as an SVG document."""
    index = index_with_scene(picture.choice)
    in_order = [area for faces, _ in index.outlines() if seen(area := area_of(faces))]
    nodes = sorted(in_order, key=order)
    width, height = (int((high - low) * SCALE) for low, high in zip(LOW, HIGH, strict=True))
    whole = width + 2 * EDGE, height + TOP + BOTTOM
    size, is_strips = index.measure(), isinstance(picture.choice, SweepAndPrune)
    counts = f"{index.boxes.box_count} boxes"
    if size.nodes:
        counts += f", {size.entries} entries in {size.nodes} nodes, depth {size.depth}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole[0]}" height="{whole[1]}" '
            f'viewBox="0 0 {whole[0]} {whole[1]}">',
            f"<style>text {{ font-family: sans-serif; font-size: 13px; fill: {INK}; }}</style>",
            f'<rect width="{whole[0]}" height="{whole[1]}" rx="6" fill="{PAPER}"/>',
            f'<text x="{EDGE}" y="24" font-weight="bold">{picture.choice.name}</text>',
            f'<text x="{EDGE + width}" y="24" text-anchor="end">{counts}</text>',
            f'<text x="{EDGE}" y="43">{picture.text}</text>',
            f'<clipPath id="view"><rect x="{EDGE}" y="{TOP}" width="{width}" height="{height}"/></clipPath>',
            '<g clip-path="url(#view)">',
            *(rectangle(box, BOX, BOX_EDGE, 1, 1.0) for box in scene()),
            *(rectangle(area, colour(area), colour(area), thickness(area), fill(area, is_strips)) for area in nodes),
            *([curve(in_order)] if isinstance(picture.choice, ZOrderSweep) else []),
            *([border(picture.choice)] if isinstance(picture.choice, FootprintGrid) else []),
            "</g>",
            f'<rect x="{EDGE}" y="{TOP}" width="{width}" height="{height}" fill="none" stroke="{FRAME}"/>',
            *legend(nodes, TOP + height + 24, "from end to end" if is_strips else "larger"),
            "</svg>\n",
        ]
    )


def order(area: Area) -> tuple[float, Area]:
    """Return what nodes are sorted by: large ones are drawn first, so that small ones lie on them."""
    return -side_of(area), area


def side_of(area: Area) -> float:
    """Return the longest side of an area."""
    return max(area[2] - area[0], area[3] - area[1])


def colour(area: Area) -> str:
    """Return the colour of a node."""
    return COLOURS.get(int(side_of(area)), OTHER)


def curve(nodes: Sequence[Area]) -> str:
    """Return a line through the lowest bin of each node, by whose code they are sorted."""
    points = " ".join(
        f"{EDGE + (x + 0.5 - LOW[0]) * SCALE:.1f},{TOP + (HIGH[1] - y - 0.5) * SCALE:.1f}" for x, y, _, _ in nodes
    )
    return f'<polyline points="{points}" fill="none" stroke="{INK}" stroke-width="1.6" stroke-opacity="0.75"/>'


def border(grid: FootprintGrid) -> str:
    """Return the borders of a bounded grid as dashed lines to the left and the right of its cells."""
    size = grid.cell_size or 1.0
    columns, _ = grid.cells(1.0)
    left = EDGE + (grid.lo[0] // size * size - LOW[0]) * SCALE
    right = left + columns * size * SCALE
    bottom = TOP + (HIGH[1] - LOW[1]) * SCALE
    lines = " ".join(f"M{x:.1f},{TOP} V{bottom:.1f}" for x in (left, right))
    return f'<path d="{lines}" fill="none" stroke="{INK}" stroke-width="2" stroke-dasharray="7 5"/>'


def fill(area: Area, is_strip: bool) -> float:
    """Return the opacity of a node. Large ones, of which many lie on each other, are only edges."""
    return 0.06 if is_strip or colour(area) != OTHER else 0.0


def thickness(area: Area) -> float:
    """Return the width of the edge of a node: of two on the same line, the larger one is seen beside the other."""
    return 1.2 + 0.5 * list(COLOURS.values()).index(colour(area)) if colour(area) in COLOURS.values() else 0.8


def area_of(faces: Faces) -> Area:
    """Return the x and y of some faces in world units."""
    return from_units(faces[0]), from_units(faces[1]), from_units(faces[3]), from_units(faces[4])


def seen(area: Area) -> bool:
    """Return whether an edge of an area is in the picture."""
    edges = area[0] > LOW[0] or area[2] < HIGH[0] or area[1] > LOW[1] or area[3] < HIGH[1]
    return edges and area[0] < HIGH[0] and LOW[0] < area[2] and area[1] < HIGH[1] and LOW[1] < area[3]


def rectangle(area: Area, fill: str, stroke: str, width: float, opacity: float) -> str:
    """Return an area as an SVG element; y points upwards."""
    lox, loy, hix, hiy = (
        min(max(value, low - 2), high + 2) for value, low, high in zip(area, LOW * 2, HIGH * 2, strict=True)
    )
    x, y = EDGE + (lox - LOW[0]) * SCALE, TOP + (HIGH[1] - hiy) * SCALE
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{(hix - lox) * SCALE:.1f}" height="{(hiy - loy) * SCALE:.1f}" '
        f'fill="{fill}" fill-opacity="{opacity:g}" stroke="{stroke}" stroke-width="{width:g}"/>'
    )


def legend(nodes: list[Area], y: int, other: str) -> Iterator[str]:
    """Yield the elements that say which colour is which side; `other` names the areas of other sides."""
    x = EDGE
    yield f'<rect x="{x}" y="{y - 11}" width="13" height="13" fill="{BOX}" stroke="{BOX_EDGE}"/>'
    yield f'<text x="{x + 19}" y="{y}">box</text>'
    x += 58
    used = {colour(area) for area in nodes}
    names = [(shade, f"side {side}") for side, shade in COLOURS.items()] + [(OTHER, other)]
    for shade, name in names:
        if shade in used:
            yield (
                f'<rect x="{x}" y="{y - 11}" width="13" height="13" fill="{shade}" fill-opacity="0.15" '
                f'stroke="{shade}" stroke-width="2"/>'
            )
            yield f'<text x="{x + 19}" y="{y}">{name}</text>'
            x += 38 + 7 * len(name)


if __name__ == "__main__":
    for each in pictures():
        each.file.write_text(drawn(each), encoding="utf-8")
