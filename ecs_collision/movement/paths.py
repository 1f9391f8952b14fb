"""Bodies with a `Path`: each step moves them on along straight lines (rule M13).

The length of a line and the way along it are whole numbers, in multiples of 2**-32 of a lattice unit, so a lift that
goes to and fro for days does not drift. The platforms of puzzles have paths of their own: letters, a cell in a turn
(`game/mechanics/platform.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED
from ecs_collision.components import Motion, Parts, Path, Velocity
from ecs_collision.components.movement import Progress
from ecs_collision.fixed_point import PER_UNIT, to_units
from ecs_collision.push import Motions

_PARTS_PER_STEP = 2**32
"""How many parts of a lattice unit the way along a line is counted in."""

Units = tuple[int, int, int]

PathsMark = list[tuple[Path, Progress | None, Velocity | None, tuple[bool, tuple[float, ...]]]]


class Paths:
    """The bodies with a Path, which go before the movers, in the same order (M1)."""

    def __init__(self, bodies: Bodies, motions: Motions) -> None:
        self._bodies, self._motions = bodies, motions

    def step(self, dt: float) -> None:
        """Move all of them on by the way of `dt` seconds."""
        bodies = self._bodies
        for row in sorted(bodies.path_rows, key=self._order):
            if bodies.columns.flags[row] & ENABLED:
                _Walk(bodies, self._motions, row).go(dt)

    def _order(self, row: int) -> tuple[int, int]:
        return -_motion(self._bodies.of(row)).priority, self._bodies.entity(row)

    def mark(self) -> PathsMark:
        """Return the progress and the velocities, for `rollback`."""
        marks = []
        for row in self._bodies.path_rows:
            parts = self._bodies.of(row)
            velocity = parts.velocity
            marks.append((_path(parts), _path(parts)._progress, velocity, _motion_state(velocity)))
        return marks

    def rollback(self, marks: PathsMark) -> None:
        """Restore what `mark` returned."""
        for path, progress, velocity, state in marks:
            path._progress = progress
            if velocity is not None:
                velocity._set_motion_state(state)


class _Walk:
    """A body on its path in one step."""

    def __init__(self, bodies: Bodies, motions: Motions, row: int) -> None:
        self._bodies, self._motions, self._row = bodies, motions, row
        self._parts = bodies.of(row)
        self._path = _path(self._parts)
        self._points = [units_of(point) for point in self._path.points]

    def go(self, dt: float) -> None:
        """Move the body on: line by line, so that it cuts no corner."""
        progress = self._begin()
        left = self._within_lap(round(self._path.speed * dt * PER_UNIT * _PARTS_PER_STEP))
        while True:
            on = min(left, length_of(progress) - progress.along)
            progress = progress._replace(along=progress.along + on)
            left -= on
            if not self._reach(place_of(progress)):
                break
            following = self._after(progress) if left else None
            if following is None:
                break
            progress = following
        self._path._progress = progress
        self._set_velocity()

    def _begin(self) -> Progress:
        """Return the progress so far. A body that is elsewhere goes from there straight to the next point."""
        before, position = self._path._progress, self._bodies.position(self._row)
        if before is None or before.target >= len(self._points):
            return Progress(position, self._points[0], 0, 1, 0)
        if before.end != self._points[before.target] or place_of(before) != position:
            return Progress(position, self._points[before.target], before.target, before.direction, 0)
        return before

    def _within_lap(self, way: int) -> int:
        """Return the way of a step without whole laps, which end where they begin."""
        if self._path.loop is None:
            return way
        lines = list(zip(self._points, self._points[1:], strict=False))
        around = self._path.loop == "around"
        lap = sum(length_between(start, end) for start, end in lines)
        lap += length_between(self._points[-1], self._points[0]) if around else lap
        return way if way <= lap else lap + way % lap

    def _after(self, progress: Progress) -> Progress | None:
        """Return the beginning of the next line, None at the end of the path."""
        target, direction, last = progress.target, progress.direction, len(self._points) - 1
        if self._path.loop == "around":
            target, direction = (target + 1) % (last + 1), 1
        elif _is_last(self._path, progress):
            if self._path.loop is None:
                return None
            direction = -direction
            target += direction
        else:
            target += direction
        return Progress(progress.end, self._points[target], target, direction, 0)

    def _reach(self, place: Units) -> bool:
        """Move the body to a place, as far as nothing stops it; returns whether it is there."""
        position = self._bodies.position(self._row)
        if place == position:
            return True
        x, y, z = (to - at for at, to in zip(position, place, strict=True))
        motions = self._motions
        motions.perform(motions.requests.from_motion(self._row, self._parts.motion, x, y, z))
        return self._bodies.position(self._row) == place

    def _set_velocity(self) -> None:
        """Set the Velocity, if there is one, to that of the path."""
        velocity = self._parts.velocity
        if velocity is None:
            return
        now, found = velocity._numbers(), velocity_on(self._bodies, self._row)
        if now[:3] != found:
            velocity._set_numbers((*found, *now[3:]))
            if self._bodies.dirty_rows.is_noting:
                self._bodies.dirty_rows.note(self._row, 1)


def velocity_on(bodies: Bodies, row: int) -> tuple[float, float, float]:
    """Return the velocity of a body on its path: 0 at the end, and on an axis where it is stopped."""
    path = _path(bodies.of(row))
    progress, position = path._progress, bodies.position(row)
    found = [0.0, 0.0, 0.0]
    if progress is None or (path.loop is None and progress.along >= length_of(progress) and _is_last(path, progress)):
        return (0.0, 0.0, 0.0)
    length, place = length_of(progress), place_of(progress)
    for axis in range(3):
        if length and place[axis] == position[axis]:
            share = (progress.end[axis] - progress.start[axis]) * _PARTS_PER_STEP / length
            found[axis] = share * path.speed
    return (found[0], found[1], found[2])


def _is_last(path: Path, progress: Progress) -> bool:
    """Return whether the line of a body leads to an end of its path."""
    return not 0 <= progress.target + progress.direction < len(path.points)


def units_of(point: Sequence[float]) -> Units:
    """Return a point in lattice units."""
    x, y, z = point
    return to_units(x), to_units(y), to_units(z)


def length_between(start: Units, end: Units) -> int:
    """Return the length of a line, rounded down to a multiple of 2**-32 of a lattice unit."""
    square = sum((b - a) ** 2 for a, b in zip(start, end, strict=True))
    return math.isqrt(square * _PARTS_PER_STEP**2)


def length_of(progress: Progress) -> int:
    """Return the length of the line on which a body is."""
    return length_between(progress.start, progress.end)


def place_of(progress: Progress) -> Units:
    """Return the place on the line, rounded to the lattice, halves up."""
    length, along = length_of(progress), progress.along
    if along >= length:
        return progress.end
    x, y, z = (
        a + (2 * (b - a) * along + length) // (2 * length) for a, b in zip(progress.start, progress.end, strict=True)
    )
    return x, y, z


def _path(parts: Parts) -> Path:
    assert parts.path is not None
    return parts.path


def _motion(parts: Parts) -> Motion:
    assert parts.motion is not None
    return parts.motion


def _motion_state(velocity: Velocity | None) -> tuple[bool, tuple[float, ...]]:
    return (False, ()) if velocity is None else velocity._motion_state()
