"""Bodies as characters: each is framed as one piece, so that what is joined is seen to be joined.

A cell is drawn 4 characters wide and 2 high, or 2 wide and 1 high where that does not fit. A character belongs to the
body that covers its middle, so bodies that stand between cells are drawn there, to a quarter of a cell.
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
    """How many characters a cell is wide and high."""

    wide: int
    high: int


LARGE, SMALL = Scale(4, 2), Scale(2, 1)


class Layer(NamedTuple):
    """What lies above what, and how it is filled."""

    height: int
    frame: str


FLAT, FIXED, LOOSE, MOVER = Layer(0, ""), Layer(1, ""), Layer(2, "─│┌┐└┘├┤┬┴┼"), Layer(3, "━┃┏┓┗┛┣┫┳┻╋")
"""Triggers and scenery; what is static; what can be pushed; what moves itself."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is drawn as one: where it is, the letter it is known by, and a colour (a style of `rich`).

    mark: a letter beside its own. joined: where what it is fused to lies, for there its frame is open.
    """

    rects: tuple[Rect, ...]
    glyph: str
    layer: Layer
    style: str = ""
    mark: str = ""
    joined: tuple[Rect, ...] = ()


class Run(NamedTuple):
    """Characters of one style."""

    text: str
    style: str


def draw(pieces: Iterable[Piece], columns: int, rows: int, scale: Scale = LARGE) -> list[list[Run]]:
    """Return the rows of a picture of the cells [0, columns) x [0, rows), each as runs of one style."""
    width, height = columns * scale.wide, rows * scale.high
    chars: dict[Pixel, tuple[str, str]] = {}
    below: dict[Pixel, str] = {}
    for piece in sorted(pieces, key=lambda piece: piece.layer.height):
        pixels = _covered(piece.rects, scale, width, height)
        char = _filling(piece, pixels | _covered(piece.joined, scale, width, height), scale)
        labels = _labels(piece, pixels, below, scale)
        chars.update({pixel: (labels.get(pixel) or char(pixel), piece.style) for pixel in pixels})
        if piece.layer is FLAT:
            below.update(dict.fromkeys(pixels, piece.glyph))
    drawn = ([chars.get((column, row), (" ", "")) for column in range(width)] for row in range(height))
    return [
        [Run("".join(char for char, _ in run), style) for style, run in groupby(line, key=itemgetter(1))]
        for line in drawn
    ]


def plain(picture: Iterable[Iterable[Run]]) -> str:
    """Return a picture as text without colours."""
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


def _range(low: float, high: float, most: int) -> range:
    """Return the whole numbers n with low <= n + 0.5 < high, within [0, most)."""
    first, behind = (-int(-(edge - 0.5) // 1) for edge in (max(low, 0.0), min(high, float(most))))
    return range(first, behind)


def _filling(piece: Piece, whole: set[Pixel], scale: Scale) -> Callable[[Pixel], str]:
    """Return what gives the character of a piece at a place; `whole` has those it is fused to."""
    if piece.layer is FLAT:
        return lambda pixel: piece.glyph if 0 < pixel[0] % scale.wide < max(scale.wide - 1, 2) else " "
    if piece.layer is FIXED:
        return lambda pixel: "█" if piece.glyph == WALL else "▒"
    if scale is LARGE:
        return lambda pixel: _outline(piece.layer.frame, pixel, whole)
    return lambda pixel: _joint(piece, pixel, whole)


def _labels(piece: Piece, pixels: set[Pixel], below: dict[Pixel, str], scale: Scale) -> dict[Pixel, str]:
    """Return the letter of a piece, at its first cell in reading order, and beside it its mark or what it stands on."""
    if not pixels or piece.layer is FLAT or piece.glyph == WALL:
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
    """Return the character of a piece that is one character high: its letter, and lines to where it goes on."""
    column, row = pixel
    if column % 2 == 0:
        return piece.glyph
    if (column + 1, row) in pixels:
        return piece.layer.frame[0]
    return piece.layer.frame[1] if (column, row + 1) in pixels or (column, row - 1) in pixels else piece.glyph


_SHAPES = {
    (1, 1, 0, 0): 0, (1, 0, 0, 0): 0, (0, 1, 0, 0): 0, (0, 0, 1, 1): 1, (0, 0, 1, 0): 1, (0, 0, 0, 1): 1,
    (1, 0, 1, 0): 2, (0, 1, 1, 0): 3, (1, 0, 0, 1): 4, (0, 1, 0, 1): 5,
    (1, 0, 1, 1): 6, (0, 1, 1, 1): 7, (1, 1, 1, 0): 8, (1, 1, 0, 1): 9, (1, 1, 1, 1): 10,
}  # fmt: skip
"""Where a line goes on (right, left, down, up) to its character in a frame."""


def _outline(frame: str, pixel: Pixel, pixels: set[Pixel]) -> str:
    """Return the character of the outline of a piece, a blank inside of it.

    The outline goes on to a neighbour where a side of one of the two, along the way, is a side of the piece.
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
    """Return a picture in ASCII, for a terminal that has nothing else."""
    return text.translate(_ASCII).encode("ascii", "replace").decode("ascii")


_ASCII = str.maketrans(LOOSE.frame + MOVER.frame + "█▒", "-|+++++++++" + "=!+++++++++" + "#%")
