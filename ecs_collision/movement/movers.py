# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The bodies that move by their velocity, and one step of all of them (M1).

Movers are kept sorted by id. One that a step would leave as it is rests: its velocity is 0, and no gravity acts on it
or a floor holds it. It costs nothing until it or its floor is listed in `DirtyRows.stirred_rows`. Which movers rest
only saves work: it is in no snapshot, and a step of one that could rest gives no event and no result.
"""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import floor
else:
    from math import floor

from ecs_collision._arrays import longer
from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import MOVER, Columns
from ecs_collision.bodies.dirty_rows import DirtyRows
from ecs_collision.components.fields import CharacterFields, MotionFields, VelocityFields
from ecs_collision.fixed_point import AXES, PER_UNIT
from ecs_collision.movement.walker import Walker
from ecs_collision.push.motions import MotionRequest, Motions
from ecs_collision.results import MoveResult, joined
from ecs_collision.settings import ADD, FRONT_FIRST, Settings

AWAKE = 0
RESTING = 1
"""States of a mover; one that is no mover has none."""

_MOVER = cython.declare(cython.int, MOVER)
_AWAKE = cython.declare(cython.int, AWAKE)
_RESTING = cython.declare(cython.int, RESTING)
_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_NOTHING = cython.declare(cython.int, -2)


@cython.final
@cython.cclass
class Movers:
    """Moves the bodies with Velocity and Motion.

    `rows[:count]` are the movers by id, with their components in `parts`, `speeds`, `characters` and `options`.
    `states[row]` is whether one rests, `supports[row]` the row that holds it, or -1; `is_support[row]` is set for
    those that hold others. `shortest` is the shortest step in which those that rest are known to do so. `results` are
    those of the last step by entity. In a world with a hook no mover rests, for the hook may answer otherwise next.

    `saved[:saved_count]` are the places that the step in progress has changed; what their components were is in
    `former_speeds` and `former_characters`.
    """

    def __init__(self, bodies: Bodies, motions: Motions, settings: Settings) -> None:
        self._bodies = bodies
        self.columns: Columns = bodies.columns
        self.dirty_rows: DirtyRows = bodies.dirty_rows
        self.motions = motions
        self.walker = Walker(bodies, motions, settings.forces == ADD)
        self.has_hook = settings.can_push is not None or settings.respond is not None
        self.is_front_first = settings.order == FRONT_FIRST
        self.saved, self.saved_count = array("i"), 0
        self.former_speeds: list[Any] = []
        self.former_characters: list[Any] = []
        self.shortest = 0.0
        self.rows, self.states, self.supports, self.is_support = array("i"), array("b"), array("i"), array("b")
        self.count = self.awake_count = self.capacity = 0
        self.version = -1
        self.gravity = array("d", bytes(24))
        self.fall_axis = -1
        self.parts: list[Any] = []
        self.speeds: list[Any] = []
        self.characters: list[Any] = []
        self.options: list[Any] = []
        self.results: dict[int, MoveResult] = {}

    def is_idle(self) -> bool:
        """Return whether a step would change nothing; O(1)."""
        return (
            self.version == self._bodies.mover_version
            and self.awake_count == 0
            and self.dirty_rows.stirred_count == 0
            and not self.dirty_rows.all_stirred
        )

    def forget(self) -> None:
        """Forget who rests, after a restore or a failure."""
        self.version = -1

    def mark(self) -> None:
        """Start an undo record: forget what the step before changed."""
        self.saved_count = 0

    def rollback(self) -> None:
        """Restore the components that the step in progress changed."""
        speed: VelocityFields
        character: CharacterFields | None
        for at in range(self.saved_count):
            place: cython.Py_ssize_t = self.saved[at]
            speed, character = self.speeds[place], self.characters[place]
            speed._copy_speed(self.former_speeds[place])
            if character is not None:
                character._copy_memory(self.former_characters[place])
        self.saved_count = 0
        self.forget()

    def save(self, place: cython.Py_ssize_t) -> cython.void:
        """Save the components of a mover, before a step changes them."""
        former_speed: VelocityFields = self.former_speeds[place]
        former: CharacterFields
        character: CharacterFields | None = self.characters[place]
        former_speed._copy_speed(self.speeds[place])
        if character is not None:
            former = self.former_characters[place]
            former._copy_memory(character)
        self.saved[self.saved_count] = place
        self.saved_count += 1

    def set_arguments(self, seconds: float, x: float, y: float, z: float) -> None:
        """Set the length of the coming step, and its gravity in units per second squared."""
        if seconds < self.shortest:  # it may be too short for a fall to reach the next unit
            self.version = -1
        if (x, y, z) == (self.gravity[0], self.gravity[1], self.gravity[2]):
            return
        self.gravity[0], self.gravity[1], self.gravity[2] = x, y, z
        pulled = [axis for axis, by in enumerate((x, y, z)) if by]
        self.fall_axis = pulled[0] if len(pulled) == 1 else -1 if pulled else 3
        self.version = -1

    def step(self, seconds: cython.double) -> None:
        """Move all movers by their velocity, by priority and then by id. If a hook raises, the others wait."""
        self.read_changes()
        self.results = {}
        if self.awake_count == 0:
            return
        self.walker.has_belts = len(self._bodies.belt_rows) > 0
        order = self.by_priority()
        together: list[Any] | None = [] if self.is_front_first or self.walker.adds_forces else None
        for at in range(self.count):
            place: cython.Py_ssize_t = at if order is None else order[at]
            row: cython.int = self.rows[place]
            if self.states[row] == _AWAKE:
                self.move(row, place, seconds, together)
        if together:
            self.move_together(together)

    # Who moves.

    def read_changes(self) -> cython.int:
        """Update the list of movers, and wake those that changed or whose floor did."""
        is_any: cython.bint = False
        if self.version != self._bodies.mover_version or self.capacity != self.columns.capacity:
            self.read_movers()
        elif self.dirty_rows.all_stirred:
            self.wake_all()
        elif self.dirty_rows.stirred_count > 0:
            for at in range(self.dirty_rows.stirred_count):
                row: cython.int = self.dirty_rows.stirred_rows_view[at]
                if row < self.capacity:
                    if self.states[row] == _RESTING:
                        self.wake(row)
                    is_any = is_any or self.is_support[row]
            if is_any:
                for at in range(self.count):
                    row = self.rows[at]
                    support: cython.int = self.supports[row]
                    if self.states[row] == _RESTING and support >= 0 and self.dirty_rows.stirred_view[support]:
                        self.wake(row)
        self.dirty_rows.clear_stirred()
        return 0

    def read_movers(self) -> cython.int:
        """List the movers by id; all of them are awake."""
        bodies: Any = self._bodies
        rows = sorted(bodies.mover_rows, key=bodies.entity)
        self.capacity = self.columns.capacity
        self.states, self.supports = array("b", bytes(self.capacity)), array("i", bytes(4 * self.capacity))
        self.is_support = array("b", bytes(self.capacity))
        self.rows = longer(array("i", rows), self.capacity)
        self.count = len(rows)
        parts = [bodies.parts[row] for row in rows]
        self.parts = parts
        self.speeds = [each.velocity for each in parts]
        self.characters = [each.character for each in parts]
        self.options = [each.motion for each in parts]
        self.saved, self.saved_count = longer(array("i"), self.count), 0
        while len(self.former_speeds) < self.count:
            self.former_speeds.append(VelocityFields.__new__(VelocityFields))
            self.former_characters.append(CharacterFields.__new__(CharacterFields))
        self.version = bodies.mover_version
        self.wake_all()
        return 0

    def wake_all(self) -> cython.void:
        """Wake all movers."""
        for at in range(self.capacity):
            self.is_support[at] = False
            self.states[at] = _AWAKE
        for at in range(self.count):
            self.supports[self.rows[at]] = -1
        self.awake_count = self.count
        self.shortest = 0.0

    def wake(self, row: cython.int) -> cython.void:
        """Wake a mover that rests."""
        self.states[row] = _AWAKE
        self.supports[row] = -1
        self.awake_count += 1

    def rest(self, row: cython.int, support: cython.int) -> cython.void:
        """Let a mover rest on a row, or on none (-1)."""
        self.states[row] = _RESTING
        self.supports[row] = support
        if support >= 0:
            self.is_support[support] = True
        self.awake_count -= 1

    def by_priority(self) -> list | None:  # type: ignore[type-arg]
        """Return the places of the movers by priority, highest first, then by id; None if all have the same."""
        motion: MotionFields = self.options[0]
        first: cython.longlong = motion._priority
        for at in range(1, self.count):
            motion = self.options[at]
            if motion._priority != first:
                options = self.options
                return sorted(range(self.count), key=lambda place: -options[place]._priority)
        return None

    # One mover.

    def move(
        self, row: cython.int, place: cython.Py_ssize_t, seconds: cython.double, together: list[Any] | None
    ) -> cython.int:
        """Move one body by its velocity, or with a list add what is no character to that, to be moved together."""
        axis: cython.int
        speed: VelocityFields = self.speeds[place]
        character: CharacterFields | None = self.characters[place]
        mover: Any = self.parts[place].mover if self.columns.flags_view[row] & _MOVER else None
        scale: cython.double = 1.0 if mover is None else mover._gravity
        result: MoveResult
        self.save(place)
        for axis in range(3):
            self.walker.pull[axis] = self.gravity[axis] * scale * seconds
        request = self.motions.requests.from_motion(row, self.options[place], 0, 0, 0)
        request.silent = self.is_still(speed)
        if character is not None and self.columns.count_view[row] > 0 and not request.straight:
            request.silent = request.silent and character._asked_at < 0
            result = self.walker.walk(row, character, speed, request, seconds)
            if self.motions.has_displaced or not request.silent:
                self.results[self.columns.ids_view[row]] = result
            silent: cython.bint = request.silent
            for axis, units, velocity in () if together is None else self.walker.pressed:
                assert together is not None
                request = self.motions.requests.from_motion(row, self.options[place], 0, 0, 0)
                request.silent = silent
                request.set_along(axis, units)
                together.append((request, speed, (axis, velocity)))
            if silent and self.is_at_rest(speed) and not (self.walker.on_wall or self.walker.on_ceiling):
                if self.walker.on_floor and (scale == 0.0 or self.fall_axis in (3, self.walker.axis)):
                    self.rest_on(row, self.walker.floor_row)
                elif scale == 0.0 or self.fall_axis == 3:
                    self.rest(row, -1)
            return 0
        belt: VelocityFields | None = self.belt_under(row, request, scale)
        request.silent = request.silent and belt is None
        self.set_way(speed, request, seconds, belt)
        if request.remaining == 0:
            if belt is None and self.is_still(speed) and (scale == 0.0 or self.fall_axis == 3):
                self.rest(row, -1)
            return 0
        if together is not None:
            together.append((request, speed, None))
            return 0
        result = self.motions.perform(request)
        if self.motions.has_displaced or not request.silent:
            self.results[request.entity] = result
        if len(result._hits) > 0:
            turned(speed, result, 0.0 if mover is None else mover.restitution, self.walker.pull)
            return 0
        for axis in range(3):
            if self.motions._planner.is_stopped(axis):
                speed._set_speed(axis, 0.0, 0.0)
        only_falls: cython.bint = 0 <= self.fall_axis < 3 and request.remaining == 1 << self.fall_axis
        touches: cython.bint = self.motions._planner.graph.pushed_count == 0
        if request.silent and only_falls and touches and scale != 0.0 and self.is_at_rest(speed):
            self.rest_on(row, self.motions._planner.blocker())
            self.shortest = max(self.shortest, seconds)
        return 0

    def set_way(
        self, speed: VelocityFields, request: MotionRequest, seconds: cython.double, belt: VelocityFields | None
    ) -> cython.void:
        """Set the displacement of a body that is no character, and add gravity to its velocity."""
        for axis in range(3):
            pull: cython.double = self.walker.pull[axis]
            way = (speed._speed_along(axis) + 0.5 * pull) * seconds * _PER_UNIT + speed._remainder_along(axis)
            if belt is not None and axis != self.fall_axis:
                way += belt._speed_along(axis) * seconds * _PER_UNIT
            units: cython.longlong = cython.cast(cython.longlong, floor(way + 0.5))
            speed._set_speed(axis, speed._speed_along(axis) + pull, way - units)
            request.set_along(axis, units)

    def move_together(self, together: list[Any]) -> None:
        """Make the motions of several bodies in the order of the world, and let them add their forces (P10, M11).

        Each is a request, a velocity, and for what is left of the way of a character its axis and its velocity before.
        """
        self.motions.perform_all([request for request, _, _ in together], self.is_front_first)
        for request, speed, former in together:
            result = request.result
            if not request.silent or any(result.moved):
                self.results[request.entity] = joined(self.results.get(request.entity), result)
            if former is not None:
                if result.complete:
                    speed._set_speed(former[0], former[1], 0.0)
                continue
            if result.hits:
                mover = self._bodies.of(request.row).mover
                turned(speed, result, 0.0 if mover is None else mover.restitution, (0.0, 0.0, 0.0))
                continue
            for stop in result.stops:
                speed._stop(AXES.index(stop.axis))

    def belt_under(self, row: cython.int, request: MotionRequest, scale: cython.double) -> VelocityFields | None:
        """Return the velocity of the belt on which a body lies (M7), or None if nothing moves it."""
        if not self.walker.has_belts or not 0 <= self.fall_axis < 3 or scale == 0.0:
            return None
        if self.columns.count_view[row] == 0:
            return None
        found = self.motions.support(request, self.fall_axis, 1 if self.gravity[self.fall_axis] * scale > 0.0 else -1)
        if found < 0 or found not in self._bodies.belt_rows or self.is_still(self.columns.velocities[found]):
            return None
        return self.columns.velocities[found]

    # Rest.

    def is_still(self, speed: VelocityFields) -> cython.bint:
        """Return whether a velocity is 0."""
        return speed._speed_along(0) == 0.0 and speed._speed_along(1) == 0.0 and speed._speed_along(2) == 0.0

    def is_at_rest(self, speed: VelocityFields) -> cython.bint:
        """Return whether the last motion displaced nothing, and left no velocity."""
        return not self.has_hook and self.is_still(speed) and not self.motions.has_displaced

    def rest_on(self, row: cython.int, floor_row: cython.int) -> cython.void:
        """Let a mover rest on a row, or on the bounds (-1), if that is no surface that moves."""
        if floor_row == _NOTHING or (floor_row >= 0 and self.columns.velocities[floor_row] is not None):
            return
        self.rest(row, floor_row)


def turned(speed: Any, result: MoveResult, restitution: float, pull: Any) -> None:
    """Give a body the velocity after what its line met (M9). It has `pull`, which gravity added in this step, already.

    What is added before a bounce is mirrored, the rest is not: so a ball does not bounce higher and higher.
    """
    velocity = [speed._speed_along(axis) - pull[axis] for axis in range(3)]
    way = dot(result.requested, result.requested)
    done = 0.0
    for hit in result.hits:
        gone = 1.0 if way == 0.0 else min(1.0, max(done, dot(hit.moved, result.requested) / way))
        velocity = [by + (gone - done) * pull[axis] for axis, by in enumerate(velocity)]
        done = gone
        into = dot(velocity, hit.normal)
        if hit.response not in ("bounce", "slide"):
            velocity, done = [0.0, 0.0, 0.0], 1.0
        elif into < 0.0:
            share = 1.0 + restitution if hit.response == "bounce" else 1.0
            velocity = [by - share * into * out for by, out in zip(velocity, hit.normal, strict=True)]
    met = [hit.entity for hit in result.hits]
    stopped = [AXES.index(stop.axis) for stop in result.stops if stop.blocker not in met]
    for axis in range(3):
        now = 0.0 if axis in stopped else velocity[axis] + (1.0 - done) * pull[axis]
        speed._set_speed(axis, now, 0.0)


def dot(a: Any, b: Any) -> float:
    """Return the dot product of two vectors."""
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
