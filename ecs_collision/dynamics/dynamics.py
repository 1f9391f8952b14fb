"""Steps of the bodies that move by themselves: who takes part, what is written back, what stays at rest (rules I)."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Set
from typing import Any, NamedTuple

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED, STATIC
from ecs_collision.components import Material, Parts, Rotation, Velocity
from ecs_collision.dynamics.candidates import AWAKE, RESTING, Candidates
from ecs_collision.dynamics.kept_contacts import KeptContacts, KeptRecord
from ecs_collision.dynamics.solver import Solver
from ecs_collision.settings import Settings
from ecs_collision.shapes.bounds import TurningPart
from ecs_collision.shapes.rotation import sine_cosine

_DEFAULT = Material()
"""The material of bodies without one."""

DynamicsMark = tuple[KeptContacts, Set[int]]
"""Kept contacts, and the entities whose bodies were removed since the last step."""

_NOTHING: DynamicsMark = (KeptContacts(), frozenset())

_PENDING, _WRITTEN, _UNDONE = range(1, 4)
"""What has happened to the results of a step: nothing, they were written, they were undone."""


class StepArguments(NamedTuple):
    """The arguments of a step, in world units and seconds."""

    dt: float
    gravity: tuple[float, float, float]
    substeps: int
    iterations: int


class Dynamics:
    """Moves the dynamic bodies of a world, a step at a time.

    The state between two steps is `kept`, and the remainders in the Velocity components. `removed` are the entities
    whose bodies were removed since the last step, so that their contacts are no more; some that had none are left out.
    All else follows from it, and is built again after `forget`: which bodies rest (I7) decides how much work a step is,
    and nothing else.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self._bodies, self._settings = bodies, settings
        self.kept = KeptContacts()
        self.removed: set[int] = set()
        self.skips = True
        """Whether bodies at rest are skipped. Tests set it to False, and must get the same results."""
        self._solver = Solver()
        self.candidates = Candidates(
            bodies.columns, bodies.dynamic, bodies.static, bodies.dirty_rows, bodies.dirty_transforms
        )
        self._arguments: StepArguments | None = None
        self._is_cold = True
        self._stage = 0
        self._kept_before = self.kept.mark()
        self._removed_before: set[int] = set()
        self._turned: list[tuple[int, Rotation]] = []

    # Who is dynamic.

    def is_dynamic(self, row: int) -> bool:
        """Return whether a step moves a body (I1)."""
        bodies, parts = self._bodies, self._bodies.of(row)
        flags = bodies.columns.flags[row]
        return (
            parts.velocity is not None
            and parts.mass is not None
            and parts.mass.value != math.inf
            and flags & ENABLED != 0
            and not flags & STATIC
            and not bodies.group_links.is_fused(row)
        )

    def release(self, row: int) -> None:
        """Forget a body that is removed: its contacts end, and what may have rested on it wakes."""
        if self._bodies.dirty_rows.is_noting:
            self.candidates.release(row)
        if self.kept.count:
            self.removed.add(self._bodies.entity(row))
            if len(self.removed) > 4 * self.kept.count + 64:  # a paused game may remove bodies without end
                self.removed &= {id for record in self.kept.records() for id in record[:2]}

    def forget(self) -> None:
        """Forget what is derived: the next step takes part of all dynamic bodies."""
        self._is_cold = True

    @property
    def is_cold(self) -> bool:
        """Whether no step has run since the world was made or restored."""
        return self._is_cold

    @property
    def resting_count(self) -> int:
        """The number of dynamic bodies that steps skip, because they are at rest."""
        return 0 if self._is_cold else self.candidates.resting_count

    def is_idle(self, arguments: StepArguments) -> bool:
        """Return whether a step would change nothing, because all dynamic bodies are at rest; O(1)."""
        if not self._bodies.moving_rows:
            return not self.kept.count
        return (
            not self._is_cold
            and self.skips
            and not self._bodies.dirty_rows.noted_count
            and not self.candidates.awake_count
            and arguments == self._arguments
        )

    # A step. All changes have been applied.

    def solve(self, arguments: StepArguments) -> bool:
        """Compute a step; returns whether it changes anything that `write` and `commit` then have to write."""
        candidates = self.candidates
        self._kept_before, self._removed_before = self.kept.mark(), set(self.removed)
        self._turned, self._stage = [], _PENDING
        self._bodies.placement.start_turns()
        if arguments != self._arguments or not self.skips:
            self._is_cold = True
        self._read_changes()
        candidates.clear_places()
        self._arguments = arguments
        if not candidates.awake_count:
            return False
        candidates.extra = 0
        kept = self.kept.mark()  # without the contacts that have ended, so it is not `_kept_before`
        rows = self._search(arguments)
        while True:
            self._solve(rows, arguments)
            beyond = candidates.farthest()
            if not beyond:
                break
            before = len(rows), candidates.pair_count
            candidates.widen(2 * beyond)
            rows = self._search(arguments)
            if before == (len(rows), candidates.pair_count):  # a larger margin only adds pairs, so these are the same
                break
            self.kept.rollback(kept)
        count = candidates.bodies.count
        if all(candidates.bodies.at_rest[at] or not candidates.bodies.inverse_mass[at] for at in range(count)):
            return False
        self._find_turned()
        return True

    def _read_changes(self) -> None:
        """Update which rows are dynamic and awake, and remove the contacts of bodies that are not there any more."""
        bodies, candidates = self._bodies, self.candidates
        has_lost = self._is_cold
        if self._is_cold:
            candidates.reset()
            for row in bodies.moving_rows:
                candidates.set_dynamic(row, self.is_dynamic(row))
        else:
            candidates.read_notes()
            for row in candidates.altered[: candidates.altered_count]:
                if row in bodies.moving_rows or candidates.states[row]:
                    has_lost |= candidates.set_dynamic(row, self.is_dynamic(row))
        bodies.dirty_rows.clear_notes()
        self._is_cold = False
        if self.kept.count and (has_lost or self.removed):
            self._drop_contacts()
        self.removed = set()

    def _drop_contacts(self) -> None:
        """Remove the contacts of removed bodies, and those without a dynamic body."""
        if self.removed:
            self.kept.forget(self.removed)
        row_of, states = self._bodies.row_of, self.candidates.states
        records = self.kept.records()
        left = [each for each in records if any(id in row_of and states[row_of[id]] for id in each[:2])]
        if len(left) < len(records):
            self.kept.restore(left)

    def _search(self, arguments: StepArguments) -> array[int]:
        """Find the bodies and pairs of a step; returns the rows in the order of their ids."""
        candidates = self.candidates
        candidates.search(arguments.dt, *arguments.gravity)
        rows = candidates.rows()
        import numpy  # here, because most games need it for nothing

        ids = numpy.frombuffer(self._bodies.columns.ids, numpy.int64)
        unordered = numpy.frombuffer(rows, numpy.intc)
        ordered = array("i", unordered[numpy.argsort(ids[unordered], kind="stable")].tobytes())
        candidates.number(ordered)
        return ordered

    def _solve(self, rows: array[int], arguments: StepArguments) -> None:
        """Let the solver move the bodies of a step."""
        candidates, settings = self.candidates, self._settings
        for row in rows:
            if not candidates.known[row]:
                self._read_constants(row)
        candidates.fill(rows)
        if candidates.pair_count:
            import numpy

            numpy.frombuffer(candidates.keys, numpy.int64)[: candidates.pair_count].sort()
        candidates.split_keys()
        self._solver.step(
            candidates.bodies,
            candidates.first,
            candidates.second,
            candidates.pair_count,
            self.kept,
            arguments.dt / arguments.substeps,
            arguments.gravity,
            arguments.substeps,
            arguments.iterations,
            settings.low,
            settings.high,
        )

    def _read_constants(self, row: int) -> None:
        """Copy the mass and the material of a body to the columns."""
        parts = self._bodies.of(row)
        material = parts.material or _DEFAULT
        mass, moment = (0.0, 0.0) if parts.mass is None else (parts.mass.inverse, parts.mass.inverse_moment)
        self.candidates.set_constants(
            row, mass, moment if turns(parts) else 0.0, material.restitution, material.friction
        )

    def _find_turned(self) -> None:
        """List the bodies that the step turns, with their new rotations."""
        bodies = self.candidates.bodies
        if not any(bodies.turned[: 3 * bodies.count]):
            return
        for at in range(bodies.count):
            x, y, z = bodies.turned[3 * at : 3 * at + 3]
            if x or y or z:
                row = bodies.row[at]
                self._turned.append((row, turned_by(self._bodies.transform(row).rotation, x, y, z)))

    def write(self) -> None:
        """Write positions and rotations to the Transforms, where they wait to be applied as written (P12)."""
        self.candidates.write_positions()
        for row, rotation in self._turned:
            self._bodies.placement.write_rotation(row, rotation)

    def commit(self, frame: int) -> array[int]:
        """Write velocities and remainders, when the positions are applied; returns the sleeping rows that wake."""
        self._stage = _WRITTEN
        candidates = self.candidates
        candidates.write_velocities(frame)
        return candidates.restless[: candidates.restless_count]

    def take_contact_count(self) -> int:
        """Return how many contacts the solver had in the substeps of this step."""
        return int(self._solver.contact_count) if self.candidates.mover_count else 0

    def settle(self) -> None:
        """End a step: note which bodies are at rest."""
        if self.candidates.mover_count:
            self.candidates.settle()
        self._bodies.dirty_rows.clear_notes()
        self._stage = 0

    def abandon(self) -> None:
        """End a step that raised: it did not happen, unless everything had been applied."""
        if self._stage in (_PENDING, _UNDONE):
            self.kept.rollback(self._kept_before)
            self.removed = self._removed_before
            candidates, bodies = self.candidates, self._bodies
            bodies.placement.revert_rotations()
            bodies.placement.revert(candidates.moved[: candidates.moved_count])
        self._solver = Solver()  # one that was interrupted may have sums in its buffers
        self._stage = 0
        self.forget()

    # Undo: `UndoLog` marks and restores what `commit` changes, and what `release` does.

    def mark(self) -> DynamicsMark:
        """Return the state for `rollback`; during a step it is that before it."""
        if self._stage:
            return self._kept_before, self._removed_before
        if not (self.kept.count or self.removed):
            return _NOTHING  # most changes are of worlds without dynamics
        return self.kept.mark(), set(self.removed)

    def rollback(self, mark: DynamicsMark) -> None:
        """Restore the marked state. Works at any point of an interrupted change."""
        if self._stage == _WRITTEN:
            self.candidates.restore()
            self._stage = _UNDONE
        kept, removed = mark
        self.kept.rollback(kept)
        self.removed = set(removed)
        self.forget()

    # Snapshots.

    def records(self) -> list[KeptRecord]:
        """Return the kept contacts of bodies that still exist, by entity."""
        removed = self.removed
        return [each for each in self.kept.records() if each[0] not in removed and each[1] not in removed]

    def restore(self, records: list[KeptRecord]) -> None:
        """Replace the kept contacts by those of a snapshot."""
        self.kept.restore(records)
        self.removed = set()
        self.forget()

    # Checks.

    def faults(self) -> Iterator[str]:
        """Yield faults of the kept contacts, the remainders and the lists of bodies; all changes have been applied."""
        bodies = self._bodies
        moving = {row for row in bodies.rows() if (parts := bodies.of(row)).velocity and parts.mass}
        if bodies.moving_rows != moving or (moving and not bodies.dirty_rows.is_noting):
            yield "the list of bodies with Velocity and Mass is wrong"
        for row in range(bodies.columns.capacity):
            here = bodies.parts[row] if row < len(bodies.parts) else None
            if bodies.columns.velocities[row] is not (None if here is None else here.velocity):
                yield f"row {row}: the velocity that kernels read is not that of its body"
        records = self.kept.records()
        if [each[:5] for each in records] != sorted({each[:5] for each in records if each[0] < each[1]}):
            yield "the kept contacts are out of order"
        for first, second, *_ in records:
            if any(id not in bodies.row_of and id not in self.removed for id in (first, second) if id >= 0):
                yield f"a contact of entities {first} and {second} is kept, but one of them is gone"
        for row in moving:
            if any(not -0.5 <= left <= 0.5 for left in _velocity(bodies.of(row))._remainders()):
                yield f"entity {bodies.entity(row)}: a remainder of its motion is more than half a unit"
        if not self._is_cold:
            yield from self._rest_faults(moving)

    def _rest_faults(self, moving: set[int]) -> Iterator[str]:
        """Yield faults of which rows are awake and at rest."""
        bodies, candidates = self._bodies, self.candidates
        noted = set(bodies.dirty_rows.noted_rows[: bodies.dirty_rows.noted_count])
        awake = set(candidates.awake[: candidates.awake_count])
        resting = {row for row in range(candidates.capacity) if candidates.states[row] == RESTING}
        if candidates.resting_count != len(resting):
            yield "bodies at rest are counted wrongly"
        for row in range(candidates.capacity):
            state = candidates.states[row]
            if row not in noted and bool(state) != (row in moving and self.is_dynamic(row)):
                yield f"row {row}: it is wrongly known as dynamic or as immovable"
            if state == AWAKE and row not in awake:
                yield f"row {row}: it is awake, but not listed"
            if state == RESTING and candidates.ring[row] not in resting:
                yield f"row {row}: it rests in a set with a row that does not"
            if candidates.known[row] and row not in noted and bodies.parts[row] is not None:
                yield from self._constant_faults(row)

    def _constant_faults(self, row: int) -> Iterator[str]:
        known = self.candidates.constants[4 * row : 4 * row + 4]
        self._read_constants(row)
        if known != self.candidates.constants[4 * row : 4 * row + 4]:
            yield f"entity {self._bodies.entity(row)}: its mass or material in the table differs from its components"


def _velocity(parts: Parts) -> Velocity:
    assert parts.velocity is not None
    return parts.velocity


def turns(parts: Parts) -> bool:
    """Return whether a body can turn: its collider has no box that never does (H3)."""
    solids: Any = None if parts.collider is None else parts.collider._solids
    return solids is not None and all(isinstance(each, TurningPart) for each in solids)


def turned_by(rotation: Rotation, x: float, y: float, z: float) -> Rotation:
    """Return a rotation that is followed by a turn about a vector, by its length in radians."""
    if not isinstance(rotation, tuple):
        if not (x or y):
            return (rotation or 0.0) + z
        sine, cosine = sine_cosine(0.5 * (rotation or 0.0))
        rotation = (0.0, 0.0, sine, cosine)
    angle = math.sqrt(x * x + y * y + z * z)
    sine, cosine = sine_cosine(0.5 * angle)
    ax, ay, az, aw = x / angle * sine, y / angle * sine, z / angle * sine, cosine
    bx, by, bz, bw = rotation
    x = aw * bx + ax * bw + ay * bz - az * by
    y = aw * by - ax * bz + ay * bw + az * bx
    z = aw * bz + ax * by - ay * bx + az * bw
    w = aw * bw - ax * bx - ay * by - az * bz
    length = math.sqrt(x * x + y * y + z * z + w * w)
    return (x / length, y / length, z / length, w / length)
