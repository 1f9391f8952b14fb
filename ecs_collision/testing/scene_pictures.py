"""Pictures of a world from above, y downwards, with a letter for each body."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from ecs_collision.bodies.drawn import is_asleep, is_enabled
from ecs_collision.components import Parts
from ecs_collision.fixed_point import LATTICE
from ecs_collision.picture import FIXED, FLAT, LARGE, LOOSE, MOVER, SMALL, Look, Piece, Rect, draw, plain
from ecs_collision.world import CollisionWorld

LETTERS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
OTHER_LETTER = "?"
"""The letter of all further bodies."""

MAX_COLUMNS, MAX_ROWS = 38, 30
"""Maximum size of a picture in cells; above half of it, cells are drawn small."""


class Camera:
    """A view of a world that stays in place: what was once visible remains visible while there is room."""

    def __init__(self) -> None:
        self._visible: list[Rect] = []

    def picture(self, world: CollisionWorld) -> str:
        """Return the picture of the current state of a world."""
        world.apply_changes()
        all_bodies = {entity: world._bodies.of(row) for entity, row in sorted(world._bodies.row_of.items())}
        bodies = {entity: parts for entity, parts in all_bodies.items() if is_enabled(parts)}
        if not bodies:
            return "no body is enabled"
        left, top, columns, rows = self._frame(bodies)
        letters = letters_of(list(all_bodies))
        pieces = []
        for entity, parts in bodies.items():
            rects = tuple((a - left, b - top, c - left, d - top) for a, b, c, d in rects_of(parts))
            pieces.append(Piece(rects, letters[entity], look_of(parts), mark="z" * is_asleep(parts)))
        scale = LARGE if columns * 2 <= MAX_COLUMNS and rows * 2 <= MAX_ROWS else SMALL
        drawn = plain(draw(pieces, columns, rows, scale))
        legend = ", ".join(f"{letters[entity]} is {entity}" for entity in bodies if letters[entity] != str(entity))
        ranges = f"x from {left:g} to {left + columns:g}, y from {top:g} down to {top + rows:g}"
        return "\n".join([drawn, f"{ranges}{'; ' * bool(legend)}{legend}"])

    def _frame(self, bodies: dict[int, Parts]) -> tuple[float, float, int, int]:
        """Return the first cell and the number of cells: around all bodies, else around those that can move."""
        moving = [parts for parts in bodies.values() if parts.motion is not None or parts.inertia is not None]
        rects = [rect for parts in bodies.values() for rect in rects_of(parts)]
        chosen = [rect for parts in moving for rect in rects_of(parts)] or rects
        left, columns = _span([self._visible + rects, rects, chosen], 0, MAX_COLUMNS)
        top, rows = _span([self._visible + rects, rects, chosen], 1, MAX_ROWS)
        self._visible = [(left, top, left + columns, top + rows)]
        return left, top, columns, rows


def letters_of(entities: list[int]) -> dict[int, str]:
    """Return a letter for each body: its number if all have one digit or letter, else letters in order."""
    if max(entities) <= len(LETTERS) and min(entities) > 0:
        return {entity: LETTERS[entity - 1] for entity in entities}
    return dict(zip(entities, LETTERS + OTHER_LETTER * len(entities), strict=False))


def distinct_letters(kinds: Iterable[str], usual: Mapping[str, str], more: str) -> dict[str, str]:
    """Return a letter for each kind, all different while there are enough: the usual one, one of its name or of `more`.

    Kinds with their usual letter come first.
    """
    letters: dict[str, str] = {}
    for kind in kinds:
        if kind in usual and usual[kind] not in letters.values():
            letters[kind] = usual[kind]
    for kind in kinds:
        free = (letter for letter in f"{kind.upper()}{kind.lower()}{more}" if letter.isalnum())
        letters.setdefault(kind, next((letter for letter in free if letter not in letters.values()), "?"))
    return letters


def _span(choices: list[list[Rect]], axis: int, limit: int) -> tuple[float, int]:
    """Return the start and the number of cells on an axis, for the first choice that fits.

    Cells are aligned so that most faces lie between two cells.
    """
    phase = Counter(rect[axis] % 1 for rect in choices[0]).most_common(1)[0][0]
    first, count = 0.0, limit
    for choice in choices:
        low, high = min(rect[axis] for rect in choice), max(rect[axis + 2] for rect in choice)
        first = math.floor(low - phase) + phase
        count = max(math.ceil(high - first), 1)
        if count <= limit:
            break
    return first, min(count, limit)


def rects_of(parts: Parts) -> tuple[Rect, ...]:
    """Return the rectangles of the bounds of a body seen from above."""
    assert parts.transform is not None and parts.collider is not None
    x, y, _ = parts.transform.position
    boxes = parts.collider._form(parts.transform.rotation).boxes
    return tuple((x + a * LATTICE, y + b * LATTICE, x + c * LATTICE, y + d * LATTICE) for a, b, _, c, d, _ in boxes)


def look_of(parts: Parts) -> Look:
    """Return how a body is drawn."""
    if parts.trigger is not None:
        return FLAT
    if parts.motion is not None:
        return MOVER
    return LOOSE if parts.inertia is not None else FIXED
