"""What the adapters of a debug view have in common: the camera, the keys, dashes, and places for labels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from ecs_collision.debug.body_shapes import Rectangle
from ecs_collision.debug.layers import Layer
from ecs_collision.debug.view import DebugView
from ecs_collision.drawing import Label, Line, Look, Point, Polygon, arrow_head, look_of
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import number, shown

KEYS = dict(zip("1234567890-=.", Layer, strict=True))
"""The key of each layer."""

DASH, PAUSE = 5.0, 4.0
"""Lengths of dashes and of the pauses between them, in pixels."""

CLICK = 4.0
"""A press that moves the pointer by less than this many pixels is a click."""

STEP = 1.2
"""Factor of the zoom for a step of the wheel."""

ROW = 14
"""Height of a row of labels in pixels."""

_ROWS = 6
"""Number of rows below its place that a label may be moved to."""


_NO_AREA: Rectangle = (0.0, 0.0, 0.0, 0.0)


class Camera:
    """What part of the world is seen: the point (`x`, `y`) in the middle, pixels a unit, and the size in pixels.

    Pixels are counted from the upper left corner, y downwards, as in the world.
    """

    def __init__(self, x: float = 0.0, y: float = 0.0, zoom: float = 40.0, size: tuple[int, int] = (1280, 720)) -> None:
        self.x, self.y, self.zoom = number(x, "x"), number(y, "y"), zoom
        self._size, self._fitted = size, _NO_AREA
        self._pressed: Point | None = None

    @property
    def zoom(self) -> float:
        """Pixels a unit, more than 0."""
        return self._zoom

    @zoom.setter
    def zoom(self, zoom: float) -> None:
        if not 0.0 < number(zoom, "zoom") < math.inf:
            raise CollisionValueError(f"zoom is {shown(zoom)}; give pixels a unit, more than 0")
        self._zoom = number(zoom, "zoom")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; drawing sets it. A rectangle that was fitted stays fitted."""
        return self._size

    @size.setter
    def size(self, size: tuple[int, int]) -> None:
        if size != self._size:
            self._size = size
            if self._fitted is not _NO_AREA:
                self.fit(*self._fitted)

    def to_screen(self, x: float, y: float) -> Point:
        """Return the pixel of a point of the world."""
        return (x - self.x) * self.zoom + self.size[0] / 2, (y - self.y) * self.zoom + self.size[1] / 2

    def to_world(self, x: float, y: float) -> Point:
        """Return the point of the world of a pixel."""
        return (x - self.size[0] / 2) / self.zoom + self.x, (y - self.size[1] / 2) / self.zoom + self.y

    @property
    def rectangle(self) -> Rectangle:
        """The part of the world that is seen: x0, y0, x1, y1."""
        return *self.to_world(0, 0), *self.to_world(*self.size)

    def fit(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Show a rectangle of the world, as large as it fits, also in another size, until it is panned or zoomed."""
        x0, y0, x1, y1 = number(x0, "x0"), number(y0, "y0"), number(x1, "x1"), number(y1, "y1")
        if not (x0 < x1 and y0 < y1):
            raise CollisionValueError(f"the rectangle ({x0}, {y0}, {x1}, {y1}) is empty; give x0 < x1 and y0 < y1")
        self._fitted = x0, y0, x1, y1
        self.x, self.y = (x0 + x1) / 2, (y0 + y1) / 2
        self.zoom = min(self.size[0] / (x1 - x0), self.size[1] / (y1 - y0))

    def zoom_at(self, x: float, y: float, factor: float) -> None:
        """Multiply the zoom; the point of the world below a pixel stays there."""
        before = self.to_world(x, y)
        self._fitted = _NO_AREA
        self.zoom *= factor
        after = self.to_world(x, y)
        self.x, self.y = self.x + before[0] - after[0], self.y + before[1] - after[1]

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by some pixels."""
        self._fitted = _NO_AREA
        self.x, self.y = self.x - dx / self.zoom, self.y - dy / self.zoom

    # The pointer.

    def _press(self, x: float, y: float) -> None:
        self._pressed = (x, y)

    def _release(self, view: DebugView, x: float, y: float) -> bool:
        """End a press; a click selects the body below the pointer. Return whether it was a click."""
        pressed, self._pressed = self._pressed, None
        if pressed is None or abs(x - pressed[0]) >= CLICK or abs(y - pressed[1]) >= CLICK:
            return False
        view.selected = view.pick(*self.to_world(x, y))
        return True


def begin_picture(surface: Any, view: object, camera: object) -> None:
    """Give the camera the size of the surface or window. Raises CollisionTypeError for arguments of other kinds."""
    given = f"debug_draw({shown(surface)}, {shown(view)}, {shown(camera)})"
    if not (isinstance(view, DebugView) and isinstance(camera, Camera) and hasattr(surface, "get_size")):
        raise CollisionTypeError(f"{given}: give a surface or a window, a DebugView and a Camera")
    camera.size = surface.get_size()


def press_key(key: str, view: DebugView) -> bool:
    """Switch the layer of a key; return whether it has one. Keys are not for a closed view."""
    if key not in KEYS or view.is_closed:
        return False
    view.toggle(KEYS[key])
    return True


def dashes(start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    """Yield the dashes of a line in pixels; one much longer than a screen is not divided."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if not DASH < length < 1e4:
        yield start, end
        return
    count = math.ceil(length / (DASH + PAUSE))
    for at in range(count):
        first, last = at * (DASH + PAUSE) / length, min((at * (DASH + PAUSE) + DASH) / length, 1.0)
        yield (start[0] + first * dx, start[1] + first * dy), (start[0] + last * dx, start[1] + last * dy)


def border(shape: Polygon, camera: Camera) -> list[Point]:
    """Return the border of a polygon in pixels, its round corners as short lines."""
    corners = [camera.to_screen(*corner) for corner in shape.corners]
    radius = shape.radius * camera.zoom
    if not radius:
        return corners
    count = len(corners)
    area = 0.0
    for at, (x, y) in enumerate(corners):
        area += corners[at - 1][0] * y - x * corners[at - 1][1]
    side = -1.0 if area < 0.0 else 1.0
    found = []
    for at, (x, y) in enumerate(corners):
        before, after = corners[at - 1], corners[(at + 1) % count]
        first = math.atan2(side * (before[0] - x), side * (y - before[1]))
        last = math.atan2(side * (x - after[0]), side * (after[1] - y))
        turn = side * (last - first) % math.tau if count > 2 else math.tau / count
        first = first if count > 1 else 0.0
        steps = max(2, math.ceil(turn * math.sqrt(min(radius, 2500.0)) / 1.5))
        for step in range(steps + (count > 1)):
            angle = first + side * turn * step / steps
            found.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return found


def clipped(start: Point, end: Point, size: tuple[int, int]) -> tuple[Point, Point] | None:
    """Return the part of a line in pixels that is on the screen, or a little outside; None if there is none."""
    first, last, margin = 0.0, 1.0, 20.0
    for axis in range(2):
        step, low, high = end[axis] - start[axis], -margin - start[axis], size[axis] + margin - start[axis]
        if step == 0.0:
            if low > 0.0 or high < 0.0:
                return None
            continue
        near, far = sorted((low / step, high / step))
        first, last = max(first, near), min(last, far)
    if first > last:
        return None
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (start[0] + first * dx, start[1] + first * dy), (start[0] + last * dx, start[1] + last * dy)


def line_parts(shape: Line, camera: Camera) -> list[tuple[Point, Point]]:
    """Return the lines that make up a line in pixels: its dashes, and the head of an arrow."""
    start, end = camera.to_screen(*shape.start), camera.to_screen(*shape.end)
    seen = clipped(start, end, camera.size)
    if seen is None:
        return []
    parts = list(dashes(*seen)) if look_of(shape.kind).dashed else [seen]
    return parts + [(end, side) for side in arrow_head(start, end)] if shape.arrow else parts


def border_parts(points: list[Point], look: Look) -> list[tuple[Point, Point]]:
    """Return the lines around a polygon in pixels."""
    lines = zip(points, points[1:] + points[:1], strict=True)
    return [part for line in lines for part in dashes(*line)] if look.dashed else list(lines)


def is_rectangle(corners: tuple[Point, ...]) -> bool:
    """Return whether corners are those of a box parallel to the axes, the lower one first."""
    if len(corners) != 4:
        return False
    (x0, y0), after, (x1, y1), before = corners
    if not (x0 <= x1 and y0 <= y1):
        return False
    return (after == (x1, y0) and before == (x0, y1)) or (after == (x0, y1) and before == (x1, y0))


def label_places(
    labels: list[Label], camera: Camera, size_of: Callable[[str], tuple[int, int]]
) -> Iterator[tuple[Label, int, int]]:
    """Yield labels with their upper left corners in pixels, moved down where others are; crowded names are left out."""
    taken: set[int] = set()
    for label in labels:
        x, y = camera.to_screen(*label.at)
        y += label.below
        width, height = size_of(label.text)
        if label.corner:
            yield label, round(x), round(y)
            continue
        left, row = x - width / 2, round(y / ROW)
        if not (-width < left < camera.size[0] and -ROW < y < camera.size[1] + ROW):
            continue
        first, last = 1000 * row + int(left // 32), 1000 * row + int((left + width) // 32) + 1
        for below in range(1 if label.kind == "text" else _ROWS):
            places = range(first + 1000 * below, last + 1000 * below)
            if taken.isdisjoint(places):
                taken.update(places)
                yield label, round(left), round(y - height / 2) + below * ROW
                break
