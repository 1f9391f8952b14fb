"""Draws bodies as characters. Each body has one frame, so it is visible which boxes belong together.

A cell is 4 characters wide and 2 high, or 2 wide and 1 high if that does not fit. A character shows the body that
covers its middle, so bodies between cells are drawn there, to a quarter of a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby, product
from operator import itemgetter
from typing import NamedTuple

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom, in cells."""

Pixel = tuple[int, int]
"""Column and row of a character."""

WALL = "#"


class Scale(NamedTuple):
    """Width and height of a cell in characters."""

    wide: int
    high: int


LARGE, SMALL = Scale(4, 2), Scale(2, 1)


class Look(NamedTuple):
    """The drawing order of a piece, and the characters of its frame."""

    height: int
    frame: str


FLAT, FIXED, LOOSE, MOVER = Look(0, ""), Look(1, ""), Look(2, "─│┌┐└┘├┤┬┴┼"), Look(3, "━┃┏┓┗┛┣┫┳┻╋")
"""Triggers and scenery; statics; bodies that can be pushed; bodies with a Motion."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A body to draw: its rectangles, its letter, and a colour (a style of `rich`).

    mark: a letter beside its own. joined: the rectangles of bodies fused to it; its frame is open towards them.
    """

    rects: tuple[Rect, ...]
    glyph: str
    look: Look
    style: str = ""
    mark: str = ""
    joined: tuple[Rect, ...] = ()


class Run(NamedTuple):
    """Characters of one style."""

    text: str
    style: str


def draw(pieces: Iterable[Piece], columns: int, rows: int, scale: Scale = LARGE) -> list[list[Run]]:
    """Return a picture of the cells [0, columns) x [0, rows): its rows, each as runs of one style."""
    width, height = columns * scale.wide, rows * scale.high
    chars: dict[Pixel, tuple[str, str]] = {}
    below: dict[Pixel, str] = {}
    for piece in sorted(pieces, key=lambda piece: piece.look.height):
        pixels = _covered(piece.rects, scale, width, height)
        char = _filling(piece, pixels | _covered(piece.joined, scale, width, height), scale)
        labels = _labels(piece, pixels, below, scale)
        chars.update({pixel: (labels.get(pixel) or char(pixel), piece.style) for pixel in pixels})
        if piece.look is FLAT:
            below.update(dict.fromkeys(pixels, piece.glyph))
    drawn = ([chars.get((column, row), (" ", "")) for column in range(width)] for row in range(height))
    return [
        [Run("".join(char for char, _ in run), style) for style, run in groupby(line, key=itemgetter(1))]
        for line in drawn
    ]


def plain(picture: Iterable[Iterable[Run]]) -> str:
    """Return a picture as plain text, without colours."""
    return "\n".join("".join(run.text for run in row).rstrip() for row in picture)


def _covered(rects: Iterable[Rect], scale: Scale, width: int, height: int) -> set[Pixel]:
    """Return the characters whose middle lies in one of the rectangles."""
    found: set[Pixel] = set()
    for left, top, right, bottom in rects:
        found.update(
            product(
                _range(left * scale.wide, right * scale.wide, width),
                _range(top * scale.high, bottom * scale.high, height),
            )
        )
    return found


def _range(low: float, high: float, end: int) -> range:
    """Return the whole numbers n with low <= n + 0.5 < high, within [0, end)."""
    first, stop = (-int(-(edge - 0.5) // 1) for edge in (max(low, 0.0), min(high, float(end))))
    return range(first, stop)


def _filling(piece: Piece, group: set[Pixel], scale: Scale) -> Callable[[Pixel], str]:
    """Return a function from a pixel to its character; `group` has the pixels of the piece and of those fused to it."""
    if piece.look is FLAT:
        return lambda pixel: piece.glyph if 0 < pixel[0] % scale.wide < max(scale.wide - 1, 2) else " "
    if piece.look is FIXED:
        return lambda pixel: "█" if piece.glyph == WALL else "▒"
    if scale is LARGE:
        return lambda pixel: _outline(piece.look.frame, pixel, group)
    return lambda pixel: _joint(piece, pixel, group)


def _labels(piece: Piece, pixels: set[Pixel], below: dict[Pixel, str], scale: Scale) -> dict[Pixel, str]:
    """Return the labels of a piece: its letter at its first cell, beside it its mark or the letter it stands on."""
    if not pixels or piece.look is FLAT or piece.glyph == WALL:
        return {}
    column, row = min(pixels, key=lambda pixel: (pixel[1], pixel[0]))
    inset = 1 if scale is LARGE else 0
    place, beside = (column + inset, row), (column + inset + 1, row)
    labels = {place: piece.glyph}
    under = [below[pixel] for pixel in ((column, row), beside) if pixel in below]
    if piece.mark or under:
        labels[beside] = piece.mark or under[0]
    return {pixel: label for pixel, label in labels.items() if pixel in pixels}


def _joint(piece: Piece, pixel: Pixel, pixels: set[Pixel]) -> str:
    """Return the character of a piece at the small scale: its letter, or a line to its next cell."""
    column, row = pixel
    if column % 2 == 0:
        return piece.glyph
    if (column + 1, row) in pixels:
        return piece.look.frame[0]
    return piece.look.frame[1] if (column, row + 1) in pixels or (column, row - 1) in pixels else piece.glyph


_SHAPES = {
    (1, 1, 0, 0): 0, (1, 0, 0, 0): 0, (0, 1, 0, 0): 0, (0, 0, 1, 1): 1, (0, 0, 1, 0): 1, (0, 0, 0, 1): 1,
    (1, 0, 1, 0): 2, (0, 1, 1, 0): 3, (1, 0, 0, 1): 4, (0, 1, 0, 1): 5,
    (1, 0, 1, 1): 6, (0, 1, 1, 1): 7, (1, 1, 1, 0): 8, (1, 1, 0, 1): 9, (1, 1, 1, 1): 10,
}  # fmt: skip
"""Index of a frame character by the directions (right, left, down, up) in which its lines continue."""


def _outline(frame: str, pixel: Pixel, pixels: set[Pixel]) -> str:
    """Return the character of the outline of a piece, a blank inside it.

    The outline continues to a neighbour if either pixel has a side, along that direction, that is a side of the piece.
    """
    column, row = pixel

    def joins(dx: int, dy: int) -> bool:
        other = (column + dx, row + dy)
        return other in pixels and any(
            (x + dy * side, y + dx * side) not in pixels for x, y in (pixel, other) for side in (1, -1)
        )

    shape = _SHAPES.get((joins(1, 0), joins(-1, 0), joins(0, 1), joins(0, -1)))
    return " " if shape is None else frame[shape]


def in_ascii(text: str) -> str:
    """Return a picture in ASCII, for terminals without other characters."""
    return text.translate(_ASCII).encode("ascii", "replace").decode("ascii")


_ASCII = str.maketrans(LOOSE.frame + MOVER.frame + "█▒", "-|+++++++++" + "=!+++++++++" + "#%")
