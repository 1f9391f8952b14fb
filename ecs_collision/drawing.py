"""Plain drawings: shapes in world units with a kind, which says what they stand for, and their picture as SVG.

y grows downwards, as in levels. Debug views make these shapes for any library that can draw lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from math import sqrt
from typing import NamedTuple

Point = tuple[float, float]


class Polygon(NamedTuple):
    """All points within `radius` of a convex polygon: two `corners` with a radius are a capsule, one is a circle.

    kind: what it stands for; `LOOKS` has its colours.
    note: more about it, such as the entity; a picture shows it where the pointer is.
    """

    kind: str
    corners: tuple[Point, ...]
    radius: float = 0.0
    note: str = ""


class Line(NamedTuple):
    """A line of a `kind` from `start` to `end`, with a head at its end if it is an `arrow`."""

    kind: str
    start: Point
    end: Point
    arrow: bool = False


class Label(NamedTuple):
    """A `text` of a `kind` whose middle is `at` a point, or `below` it by some pixels.

    fade: from 0, just written, to 1, gone.
    corner: the point is the upper left corner instead, of several lines on a plate.
    """

    kind: str
    at: Point
    text: str
    fade: float = 0.0
    below: float = 0.0
    corner: bool = False


Drawn = Polygon | Line | Label


class Look(NamedTuple):
    """How a kind is drawn.

    fill, line: colours as #rrggbb or "none".
    opacity: that of the filling.
    width: that of lines, in pixels.
    dashed: whether lines are.
    """

    fill: str = "none"
    line: str = "none"
    opacity: float = 1.0
    width: float = 1.5
    dashed: bool = False


LOOKS: Mapping[str, Look] = {
    "static": Look("#6b7280", "#4b5563"),
    "solid": Look("#9ca3af", "#4b5563"),
    "pushable": Look("#e69f00", "#8a5f00"),
    "mover": Look("#0072b2", "#004a73", width=2.5),
    "trigger": Look("#009e73", "#00694d", opacity=0.3, dashed=True),
    "dynamic": Look("#cc79a7", "#8c4a70"),
    "asleep": Look("#ffffff", opacity=0.45),
    "disabled": Look("none", "#9ca3af", dashed=True),
    "compound": Look("none", "#1f2937", width=2.0),
    "fused": Look("none", "#56b4e9", width=3.0),
    "cell 0": Look("none", "#94a3b8", width=0.75),
    "cell 1": Look("none", "#0ea5e9", width=1.0),
    "cell 2": Look("none", "#8b5cf6", width=1.25),
    "cell 3": Look("none", "#db2777", width=1.5),
    "region asleep": Look("#94a3b8", opacity=0.35),
    "region awake": Look("#56b4e9", opacity=0.12),
    "push": Look("none", "#d55e00", width=3.0),
    "requested": Look("none", "#d55e00", width=1.5, dashed=True),
    "link": Look("none", "#b45309", width=1.5),
    "blocker": Look("none", "#dc2626", width=3.5),
    "contact": Look("none", "#7c3aed", width=2.0),
    "velocity": Look("none", "#16a34a", width=2.0),
    "ray": Look("none", "#ca8a04", width=1.5, dashed=True),
    "ray stopped": Look("none", "#dc2626", width=1.5, dashed=True),
    "selected": Look("none", "#111827", width=3.0, dashed=True),
    "panel": Look("#1f2937"),
    "text": Look("#1f2937"),
    "event": Look("#7c3aed"),
}
"""The look of each kind; colours that people who confuse red and green can tell apart."""

TEXT_SIZE = 12.0
"""Height of texts in pixels."""

HEAD = 9.0
"""Length of the head of an arrow in pixels."""


def look_of(kind: str) -> Look:
    """Return the look of a kind; one that is not known has that of a text."""
    return LOOKS.get(kind, LOOKS["text"])


def bounds_of(shapes: Iterable[Drawn]) -> tuple[float, float, float, float]:
    """Return the smallest rectangle around shapes: x0, y0, x1, y1; zeros if there are none."""
    xs, ys = list[float](), list[float]()
    for shape in shapes:
        points: tuple[Point, ...] = (shape.at,) if isinstance(shape, Label) else ()
        points = shape.corners if isinstance(shape, Polygon) else points
        points = (shape.start, shape.end) if isinstance(shape, Line) else points
        radius = shape.radius if isinstance(shape, Polygon) else 0.0
        xs += [x + side for x, _ in points for side in (-radius, radius)]
        ys += [y + side for _, y in points for side in (-radius, radius)]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, 0.0, 0.0)


def contains(shape: Polygon, point: Point) -> bool:
    """Return whether a point lies in a polygon, or no farther than its radius from it."""
    x, y = point
    crossings, nearest = 0, float("inf")
    for (ax, ay), (bx, by) in zip(shape.corners, shape.corners[1:] + shape.corners[:1], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            crossings += 1
        dx, dy = bx - ax, by - ay
        share = min(max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1.0), 0.0), 1.0)
        nearest = min(nearest, (x - ax - share * dx) ** 2 + (y - ay - share * dy) ** 2)
    return crossings % 2 == 1 or nearest <= shape.radius**2


def svg_of(
    shapes: Iterable[Drawn],
    area: tuple[float, float, float, float] | None = None,
    *,
    scale: float = 40.0,
    width: float = 640.0,
    title: str = "",
) -> str:
    """Return an SVG picture of shapes, in their order.

    area: x0, y0, x1, y1 in world units, by default all shapes with a margin. scale: pixels a unit, less if the picture
    would be wider than `width` pixels or higher. title: what a reader of the screen says about it.
    """
    listed = list(shapes)
    x0, y0, x1, y1 = bounds_of(listed) if area is None else area
    margin = 0.25 if area is None else 0.0
    x0, y0, x1, y1 = x0 - margin, y0 - margin, x1 + margin, y1 + margin
    scale = min(scale, width / max(x1 - x0, y1 - y0, 1e-9))
    across, down = _number((x1 - x0) * scale), _number((y1 - y0) * scale)
    lines = [element_of(shape, (x0, y0), scale) for shape in listed]
    name = f"<title>{escape(title)}</title>" if title else ""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" viewBox="0 0 {across} {down}"'
        f' role="img" font-family="system-ui, sans-serif" font-size="{_number(TEXT_SIZE)}">'
    )
    return "\n".join([head + name, f'<rect width="{across}" height="{down}" fill="#ffffff"/>', *lines, "</svg>"])


def element_of(shape: Drawn, origin: Point, scale: float) -> str:
    """Return the element of a shape: `origin` is the upper left corner of the picture, scale are pixels a unit."""
    if isinstance(shape, Polygon):
        return _polygon(shape, origin, scale)
    look = look_of(shape.kind)
    if isinstance(shape, Label):
        x, y = _pixels(shape.at, origin, scale)
        y += shape.below
        colour = look.fill if look.fill != "none" else look.line
        if shape.corner:
            return _plate(shape, (x, y), colour)
        return (
            f'<text x="{_number(x)}" y="{_number(y)}" fill="{colour}" text-anchor="middle" dominant-baseline="central"'
            f' paint-order="stroke" stroke="#ffffff" stroke-width="3"{_opacity(1.0 - shape.fade)}>'
            f"{escape(shape.text)}</text>"
        )
    start, end = _pixels(shape.start, origin, scale), _pixels(shape.end, origin, scale)
    path = f"M{_pair(start)}L{_pair(end)}"
    if shape.arrow:
        path += "".join(f"M{_pair(end)}L{_pair(side)}" for side in arrow_head(start, end))
    return f'<path d="{path}" fill="none"{_stroke(look)} stroke-linecap="round"/>'


def _plate(shape: Label, at: Point, colour: str) -> str:
    """Return lines of text on a plate, whose upper left corner is `at`."""
    lines = shape.text.split("\n")
    width, height = 0.6 * TEXT_SIZE * max(map(len, lines)) + 12, 1.35 * TEXT_SIZE * len(lines) + 8
    rows = "".join(
        f'<tspan x="{_number(at[0] + 6)}" dy="{_number(1.35 * TEXT_SIZE)}">{escape(line)}</tspan>' for line in lines
    )
    return (
        f'<g><rect x="{_number(at[0])}" y="{_number(at[1])}" width="{_number(width)}" height="{_number(height)}"'
        f' fill="#ffffff" fill-opacity="0.85"/><text y="{_number(at[1] + 2)}" fill="{colour}">{rows}</text></g>'
    )


def arrow_head(start: Point, end: Point, size: float = HEAD) -> tuple[Point, Point]:
    """Return the ends of the two short lines that make the head of an arrow, in pixels."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(sqrt(dx * dx + dy * dy), 1e-9)
    size = min(size, length)
    dx, dy = dx / length * size, dy / length * size
    return (end[0] - dx + 0.5 * dy, end[1] - dy - 0.5 * dx), (end[0] - dx - 0.5 * dy, end[1] - dy + 0.5 * dx)


def _polygon(shape: Polygon, origin: Point, scale: float) -> str:
    """Return a polygon; with a radius its filling is a thick line around it."""
    look, corners = look_of(shape.kind), [_pixels(corner, origin, scale) for corner in shape.corners]
    note = f"<title>{escape(shape.note)}</title>" if shape.note else ""
    radius = shape.radius * scale
    if len(corners) == 1:
        (x, y), fill = corners[0], f' fill="{look.fill}"{_opacity(look.opacity, "fill-opacity")}{_stroke(look)}'
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"{fill}>{note}</circle>'
    path = "M" + "L".join(map(_pair, corners)) + "Z"
    if not radius:
        fill = f' fill="{look.fill}"{_opacity(look.opacity, "fill-opacity")}{_stroke(look)} stroke-linejoin="round"'
        return f'<path d="{path}"{fill}>{note}</path>'
    colour = look.fill if look.fill != "none" else look.line
    around = ""
    if look.line != "none" and look.fill != "none" and look.opacity == 1.0:
        wide = _number(2 * radius + 2 * look.width)
        around = f'<path d="{path}" stroke="{look.line}" stroke-width="{wide}" stroke-linejoin="round" fill="none"/>'
    return (
        f'<g{_opacity(look.opacity)}>{note}{around}<path d="{path}" fill="{colour}" stroke="{colour}"'
        f' stroke-width="{_number(2 * radius)}" stroke-linejoin="round"/></g>'
    )


def _stroke(look: Look) -> str:
    if look.line == "none":
        return ""
    dashes = ' stroke-dasharray="5 4"' if look.dashed else ""
    return f' stroke="{look.line}" stroke-width="{_number(look.width)}"{dashes}'


def _opacity(value: float, name: str = "opacity") -> str:
    return "" if value == 1.0 else f' {name}="{_number(value)}"'


def _pixels(point: Point, origin: Point, scale: float) -> Point:
    return (point[0] - origin[0]) * scale, (point[1] - origin[1]) * scale


def _pair(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    """Return a number with at most two digits after the point."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
