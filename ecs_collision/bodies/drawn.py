"""What there is to draw of a body: its kind, its parts in their true shapes, its components as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from ecs_collision.bodies.table import Bodies
from ecs_collision.components import Parts
from ecs_collision.drawing import Drawn, Label, Point, Polygon, bounds_of, svg_of
from ecs_collision.fixed_point import LATTICE
from ecs_collision.shapes.bounds import Form, TurningPart
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.rotation import turned


class Kind(StrEnum):
    """How a body is drawn: by what it does."""

    STATIC = "static"
    SOLID = "solid"
    PUSHABLE = "pushable"
    MOVER = "mover"
    TRIGGER = "trigger"
    DYNAMIC = "dynamic"


def kind_of(parts: Parts) -> Kind:
    """Return how a body is drawn; SOLID is one that is neither static nor can be moved."""
    if parts.trigger is not None:
        return Kind.TRIGGER
    if parts.static is not None:
        return Kind.STATIC
    if parts.velocity is not None and parts.mass is not None:
        return Kind.DYNAMIC
    if parts.motion is not None:
        return Kind.MOVER
    return Kind.PUSHABLE if parts.inertia is not None else Kind.SOLID


def is_asleep(parts: Parts) -> bool:
    """Return whether a body is asleep."""
    return parts.sleeping is not None and parts.sleeping.asleep


def is_enabled(parts: Parts) -> bool:
    """Return whether a body takes part in anything."""
    assert parts.collider is not None
    return parts.collider.enabled and (parts.trigger is None or parts.trigger.enabled)


MAX_DRAWN = 2000
"""Maximum number of bodies in a picture."""

HEIGHTS = (Kind.TRIGGER, Kind.STATIC, Kind.SOLID, Kind.PUSHABLE, Kind.DYNAMIC, Kind.MOVER)
"""The kinds from the lowest to the highest, as they hide each other in a picture."""


class Outline(NamedTuple):
    """A part before its body is turned, relative to the position of the body, in lattice units.

    turns: whether it turns with the body, about the position; boxes do not (H2).
    """

    part: Part
    turns: bool


def outlines_of(parts: Parts) -> tuple[Outline, ...]:
    """Return the parts of a body as they are without its rotation."""
    collider = parts.collider
    assert collider is not None
    if collider._solids is None:
        return tuple([Outline(Part(box), False) for box in collider._form(None).boxes])
    return tuple(
        [
            Outline(each.turned(None), True) if isinstance(each, TurningPart) else Outline(Part(each), False)
            for each in collider._solids
        ]
    )


def polygon_of(part: Part, at: tuple[float, float], kind: str, note: str = "") -> Polygon:
    """Return a part of a body at a position, seen along z, in world units."""
    lox, loy, loz, hix, hiy, hiz = part.core
    corners = {(float(x), float(y)) for x, y in product((lox, hix), (loy, hiy))}
    if part.matrix is not None:
        middle = (lox + hix) / 2, (loy + hiy) / 2, (loz + hiz) / 2
        arms = product((lox - middle[0], hix - middle[0]), (loy - middle[1], hiy - middle[1]), (loz - middle[2],))
        ends = [turned(part.matrix, *arm) for arm in arms]
        corners = {(middle[0] + side * x, middle[1] + side * y) for x, y, _ in ends for side in (1, -1)}
    placed = [(at[0] + x * LATTICE, at[1] + y * LATTICE) for x, y in _hull(corners)]
    return Polygon(kind, tuple(placed), part.radius * LATTICE, note)


def _hull(points: set[Point]) -> list[Point]:
    """Return the corners of the convex polygon around points, in order."""
    ordered = sorted(points)
    if len(ordered) < 3:
        return ordered
    sides = []
    for along in (ordered, ordered[::-1]):
        side: list[Point] = []
        for point in along:
            while len(side) > 1 and _turn(side[-2], side[-1], point) <= 0.0:
                side.pop()
            side.append(point)
        sides += side[:-1]
    return sides


def _turn(a: Point, b: Point, c: Point) -> float:
    """Return whether a way turns left (positive) or right at its second point."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def form_shapes(form: Form, at: Point, kind: str, asleep: bool, note: str = "") -> Iterator[Polygon]:
    """Yield the parts of a form at a position, from above; those of a sleeper are paler."""
    for part in form.all_parts:
        polygon = polygon_of(part, at, kind, note)
        yield polygon
        if asleep:
            yield polygon._replace(kind="asleep", note="")


def body_shapes(parts: Parts, note: str = "") -> Iterator[Polygon]:
    """Return the parts of a body as it is drawn, from above."""
    transform, collider = parts.transform, parts.collider
    assert transform is not None and collider is not None
    kind = kind_of(parts) if is_enabled(parts) else "disabled"
    return form_shapes(collider._form(transform.rotation), transform.position[:2], kind, is_asleep(parts), note)


def picture_of(bodies: Bodies, name_of: Callable[[int], str] = "entity {}".format) -> str:
    """Return the picture of all bodies from above as SVG, for a notebook; of more than MAX_DRAWN only the first."""
    entities = sorted(bodies.row_of)
    drawn = [(entity, bodies.of(bodies.row_of[entity])) for entity in entities[:MAX_DRAWN]]
    drawn.sort(key=lambda body: (HEIGHTS.index(kind_of(body[1])), body[0]))
    shapes: list[Drawn] = [shape for entity, parts in drawn for shape in body_shapes(parts, name_of(entity))]
    if len(entities) > MAX_DRAWN:
        x0, _, x1, y1 = bounds_of(shapes)
        more = f"{len(entities) - MAX_DRAWN:,} more bodies are not drawn"
        shapes.append(Label("text", ((x0 + x1) / 2, y1 + 0.03 * (x1 - x0)), more))
    return svg_of(shapes, title=f"{len(entities)} bodies from above")
