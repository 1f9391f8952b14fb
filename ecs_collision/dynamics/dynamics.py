# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Steps of the bodies that move by themselves: who takes part, what is written back, what sleeps (rules I)."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any, NamedTuple

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.dynamics.candidates import listed
else:
    from ecs_collision.dynamics.candidates import listed

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ENABLED, STATIC
from ecs_collision.components import Material, Parts, Velocity
from ecs_collision.dynamics.candidates import AWAKE, CONSTANTS, RESTING, SLEEPS, Candidates
from ecs_collision.dynamics.carried_triggers import carry_triggers
from ecs_collision.dynamics.fused_bodies import FusedBodies
from ecs_collision.dynamics.hits import Hit, StepLog, Touch, hit_of
from ecs_collision.dynamics.islands import Islands
from ecs_collision.dynamics.kept_impulses import KeptImpulses, KeptRecord
from ecs_collision.dynamics.landing import Landing
from ecs_collision.dynamics.mass_properties import mass_properties
from ecs_collision.dynamics.part_records import own_records, placed_records
from ecs_collision.dynamics.soft_step import SoftStep
from ecs_collision.dynamics.step_contacts import PER_GRAVITY, SLOP
from ecs_collision.errors import CollisionValueError
from ecs_collision.settings import Settings
from ecs_collision.shapes.bounds import Shape
from ecs_collision.shapes.meeting import meeting
from ecs_collision.shapes.overlap import PlacedPart
from ecs_collision.shapes.ray_entry import INSIDE
from ecs_collision.shapes.vectors import dot

_DEFAULT = Material()
"""The material of bodies without one."""

NO_GRAVITY = (0.0, 0.0, 0.0)

Notes = Sequence[tuple[int, int]]
"""Rows that changed since the last step, with their notes (`DirtyRows`)."""

DynamicsMark = tuple[KeptImpulses, KeptImpulses, Set[int], tuple[float, float, float], Notes]
"""Impulses of awake and of sleeping bodies, the entities whose bodies were removed since the last step, the gravity,
and what changed since."""

_NOTHING: DynamicsMark = (KeptImpulses(), KeptImpulses(), frozenset(), NO_GRAVITY, ())

_SEARCHES = cython.declare(cython.int, 4)
"""How often a step is searched and solved again, at most, because bodies went farther than was searched for them."""

_PENDING, _WRITTEN, _UNDONE = 1, 2, 3
"""What has happened to the results of a step: nothing, they were written, they were undone."""

_NO_TOUCHES: list[Any] = []
"""What a step notes in a world where no body asks; it stays empty."""


class StepArguments(NamedTuple):
    """The arguments of a step, in world units and seconds."""

    dt: float
    gravity: tuple[float, float, float]
    substeps: int


@cython.final
@cython.cclass
class Dynamics:
    """Moves the dynamic bodies of a world, a step at a time.

    The state between two steps is `kept`, the impulses of awake bodies, `asleep`, those of bodies that sleep, and in
    the Velocity components remainders and times (`_slow`). `removed` are the entities whose bodies were removed since
    the last step; some without impulses are left out. All else follows from it, and is built again after `forget`.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self._bodies, self._dirty_rows, self._placement = bodies, bodies.dirty_rows, bodies.placement
        self.kept, self.asleep = KeptImpulses(), KeptImpulses()
        self.removed: set[int] = set()
        self._range = settings.low, settings.high, -settings.range_low
        self._has_parts = False
        self.candidates = Candidates(
            bodies.columns, bodies.parts, bodies.dynamic, bodies.static, bodies.dirty_rows, bodies.dirty_transforms
        )
        self.gravity = NO_GRAVITY
        self._is_cold = True
        self._stage = 0
        self.can_meet: Callable[[int, int], bool] | None = None
        """A hook of the world; it is asked once for each pair and step, in the order of ids."""
        self._answers: dict[tuple[int, int], bool] = {}
        self._before = _NOTHING
        self._notes: Notes | None = None
        self._touches: list[Touch] = []
        self._impacts: list[Hit] = []
        self._carried: list[int] = []
        self._low, self._high = array("q", settings.low), array("q", settings.high)

    def _start_anew(self) -> None:
        """Make the parts of a step: at the first one, and if an interrupt may have left sums in their buffers."""
        self._solver, self._landing = SoftStep(), Landing()
        self._islands, self._fused, self._has_parts = Islands(), FusedBodies(), True
        self._landing.set_range(*self._range)

    # Who is dynamic.

    def is_dynamic(self, row: int, groups: dict[int, set[int]] | None = None) -> bool:
        """Return whether a step moves a body (I1), which of a group needs all members that are solid (I10).

        groups: the rows that move in the groups asked about before, to ask about many rows of one.
        """
        bodies = self._bodies
        if not bodies.group_links.is_fused(row):
            return self._is_dynamic_alone(row)
        leader, groups = bodies.group_links.leader[row], {} if groups is None else groups
        if leader not in groups:
            solid = bodies.groups.solid_rows(row)
            groups[leader] = set(solid) if all(map(self._is_dynamic_alone, solid)) else set()
        return row in groups[leader]

    def _is_dynamic_alone(self, row: int) -> bool:
        bodies, parts = self._bodies, self._bodies.of(row)
        flags = bodies.columns.flags[row]
        return (
            parts.velocity is not None
            and parts.mass is not None
            and parts.mass.value != math.inf
            and flags & ENABLED != 0
            and not flags & STATIC
        )

    def mass_of(self, parts: Parts) -> float:
        """Return the mass of a body; infinity for a density of a shape without volume, which steps refuse."""
        try:
            inverse = mass_properties(parts, self._bodies.flat).inverse_mass
        except CollisionValueError:
            return math.inf
        return 1.0 / inverse if inverse else math.inf

    def release(self, row: int) -> None:
        """Forget a body that is removed: its contacts end, and what may have rested on it wakes."""
        if self._dirty_rows.is_noting:
            self.candidates.release(row)
        if self.kept.count or self.asleep.count:
            self.removed.add(self._bodies.entity(row))
            if (
                len(self.removed) > 4 * (self.kept.count + self.asleep.count) + 64
            ):  # a paused game may remove without end
                self.removed &= {id for record in self._all_records() for id in record[:2]}

    def forget(self) -> None:
        """Forget what is derived: the next step takes part of all dynamic bodies."""
        self._is_cold = True
        if self._notes is not None:  # what was rolled back counts as changed, but only what changed before may wake
            dirty_rows = self._dirty_rows
            dirty_rows.clear_notes()
            for row, note in self._notes:
                dirty_rows.note(row, note)
            self._notes = None

    @property
    def is_cold(self) -> bool:
        """Whether no step has run since the world was made or restored."""
        return self._is_cold

    @property
    def resting_count(self) -> int:
        """The number of dynamic bodies that sleep, so that steps skip them."""
        return 0 if self._is_cold else self.candidates.resting_count

    def is_idle(self, arguments: StepArguments) -> bool:
        """Return whether a step would change nothing, because all dynamic bodies sleep; O(1)."""
        if not self._bodies.moving_rows:
            return not (self.kept.count or self.asleep.count)
        return (
            not self._is_cold
            and not self._dirty_rows.noted_count
            and not self.removed
            and not self.candidates.awake_count
            and arguments.gravity == self.gravity
        )

    # A step. All changes have been applied.

    def solve(self, arguments: StepArguments) -> bool:
        """Compute a step; returns whether it changes anything that `write` and `commit` then have to write."""
        candidates = self.candidates
        dt: cython.double = arguments.dt
        gx: cython.double = arguments.gravity[0]
        gy: cython.double = arguments.gravity[1]
        gz: cython.double = arguments.gravity[2]
        searches: cython.int = 0
        self._before = self._marked()
        candidates.clear_woken()
        self._touches = self._impacts = _NO_TOUCHES
        self._carried = []
        self._answers = {}
        self._placement.start_turns()
        self._stage = _PENDING  # from here on there may be turns to take back
        self._read_changes()
        if arguments.gravity != self.gravity:
            candidates.wake_all()
            self.gravity = arguments.gravity
        candidates.clear_places()
        if not self._has_parts:
            self._start_anew()
        while candidates.awake_count:
            self._resume_impulses()
            kept = self.kept.mark()
            candidates.search(dt, gx, gy, gz)
            candidates.order_bodies()
            self._solve(dt, gx, gy, gz, arguments.substeps)
            if not candidates.wake_hit(self._solver.contacts):  # what sleeps and is met takes part
                searches += 1
                if searches > _SEARCHES or not candidates.widen():  # what was hit and went far may meet more
                    break
            self.kept.rollback(kept)
        if not candidates.mover_count:
            return False
        if self._bodies.asking_count:
            self._note_touches()
        self._land()
        self._islands.update(candidates.bodies, self._solver.contacts, dt)
        if candidates.bodies.has_groups:
            self._fused.part()
        return True

    def _read_changes(self) -> cython.void:
        """Update which rows are dynamic and awake, and drop the contacts of bodies that are not there any more."""
        bodies, candidates, dirty_rows = self._bodies, self.candidates, self._dirty_rows
        has_lost: cython.bint = self._is_cold
        groups: dict[int, set[int]] = {}
        if not (self._is_cold or self.removed or dirty_rows.noted_count):
            candidates.reserve()
            return
        if self._is_cold:
            candidates.reset()
            for row in bodies.moving_rows:
                candidates.set_dynamic(row, self.is_dynamic(row, groups))
            candidates.rouse_immovable()
            self._lay_to_rest()
            self._is_cold, candidates.has_woken = False, True  # one may have been woken by a write
        self._wake_what_rested_on_changes()
        candidates.read_notes()
        for row in self._with_groups(listed(candidates.altered, candidates.altered_count)):
            if row in bodies.moving_rows or candidates.states[row]:
                candidates.known[row] = 0
                has_lost |= candidates.set_dynamic(row, self.is_dynamic(row, groups))
        dirty_rows.clear_notes()
        if has_lost or self.removed:
            self._resume_impulses()
            self._drop_contacts()
        self.removed = set()

    def _with_groups(self, rows: Sequence[int]) -> Sequence[int]:
        """Return rows with all others of their groups."""
        links = self._bodies.group_links
        if not links.count:
            return rows
        return sorted(set(rows).union(*(links.rows_of(row) for row in {links.leader[row] for row in rows})))

    def _lay_to_rest(self) -> None:
        """Find the islands that sleep again, by the impulses of their contacts."""
        bodies, candidates = self._bodies, self.candidates
        island, leader = {row: row for row in candidates.sleepers()}, bodies.group_links.leader
        if bodies.group_links.count:
            first_of = {leader[row]: row for row in sorted(island, reverse=True)}
            island = {row: first_of[leader[row]] for row in island}
        for first, second, *_ in self.asleep.records():
            a, b = (root_of(island, bodies.row_of.get(id, -1)) for id in (first, second))
            if a >= 0 and b >= 0:
                island[max(a, b)] = min(a, b)
            for id in (first, second):
                if id in bodies.row_of:
                    candidates.supports[bodies.row_of[id]] = 1
        for row in sorted(island):
            candidates.lay_to_rest(row, root_of(island, row))

    def _wake_what_rested_on_changes(self) -> None:
        """Wake the islands that touched a body that was changed, moved or removed."""
        bodies, candidates, changed = self._bodies, self.candidates, set(self.removed)
        changed.update(candidates.changed_supports())
        if not changed or not self.asleep.count:
            return
        for first, second, *_ in self.asleep.records():
            if first in changed or second in changed:
                for id in (first, second):
                    if id in bodies.row_of:
                        candidates.wake(bodies.row_of[id])

    def _resume_impulses(self) -> cython.void:
        """Let the impulses of islands that woke count again."""
        if self.candidates.has_woken and self.asleep.count:
            row_of, states = self._bodies.row_of, self.candidates.states
            ids = {id for record in self.asleep.records() for id in record[:2]}
            self.asleep.move_to(self.kept, {id for id in ids if id in row_of and states[row_of[id]] == AWAKE})
        self.candidates.has_woken = False

    def _drop_contacts(self) -> None:
        """Remove the contacts of removed bodies, and those without a dynamic body."""
        if self.removed:
            self.kept.forget(self.removed)
            self.asleep.forget(self.removed)
        row_of, states = self._bodies.row_of, self.candidates.states
        for kept in (self.kept, self.asleep):
            records = kept.records()
            left = [each for each in records if any(id in row_of and states[row_of[id]] for id in each[:2])]
            if len(left) < len(records):
                kept.restore(left)

    def _solve(
        self, dt: cython.double, gx: cython.double, gy: cython.double, gz: cython.double, substeps: cython.int
    ) -> cython.void:
        """Let the solver move the bodies of a step."""
        candidates = self.candidates
        is_flat: cython.bint = gz == 0.0 and candidates.find_plane()
        if is_flat != candidates.is_flat:
            candidates.is_flat = is_flat
            candidates.forget_constants()
        for row in candidates.unknown_rows():
            self._read_constants(row)
        candidates.fill(is_flat)
        links = self._bodies.group_links
        if links.count:
            candidates.drop_fused_pairs(links)
            self._fused.join(candidates.bodies, candidates.leaders(links))
        candidates.sort_pairs()
        if self.can_meet is not None:
            candidates.refuse_pairs(self._may_meet)
        self._solver.step(
            candidates.bodies,
            candidates.first,
            candidates.second,
            candidates.pair_count,
            self.kept,
            self._low,
            self._high,
            dt,
            gx,
            gy,
            gz,
            substeps,
        )

    def _may_meet(self, a: int, b: int) -> bool:
        """Return the answer of the hook in this step."""
        assert self.can_meet is not None
        answer = self._answers.get((a, b))
        if answer is None:
            answer = self._answers[a, b] = self.can_meet(a, b)
        return answer

    def _read_constants(self, row: int) -> None:
        """Copy the mass, the material and the parts of a body to the columns."""
        parts = self._bodies.of(row)
        material = parts.material or _DEFAULT
        constants = array("d", bytes(8 * CONSTANTS))
        constants[7] = constants[13] = 1.0
        turns = False
        if self.candidates.states[row]:
            assert parts.velocity is not None
            mass = mass_properties(parts, self.candidates.is_flat)
            constants[:11] = array("d", (mass.inverse_mass, *mass.inverse_moments, *mass.axes, *mass.centre))
            constants[11:14] = array(
                "d", (parts.velocity.damping, parts.velocity.angular_damping, parts.velocity.gravity)
            )
            turns = any(mass.inverse_moments)
            if not turns:  # its parts are placed, so its centre would have to be turned
                constants[8:11] = array("d", bytes(24))
        constants[14:17] = array("d", (material.restitution, material.friction, material.rolling))
        constants[17] = turns
        form = self._bodies.forms[row]
        assert parts.collider is not None
        records = own_records(parts.collider) if turns else placed_records(form)
        self.candidates.set_constants(row, constants, records, form.shape or Shape(form.all_parts))

    def _land(self) -> cython.void:
        """Round the new places to the lattice, without overlaps, and list the bodies that the step turns."""
        candidates = self.candidates
        candidates.fill_landing(self._landing, self._solver.contacts)
        candidates.turn_bodies(self._landing)
        for at in self._islands.fast_bodies(candidates.bodies):
            self._sweep(at)
        self._landing.land(candidates.bodies.count, candidates.first, candidates.second, candidates.pair_count)
        candidates.take_landing(self._landing)
        self._let_go()

    def _let_go(self) -> None:
        """Keep no contact of bodies that took other places than the solver gave them, and are not near there (I6)."""
        contacts = self._solver.contacts
        lost = self.candidates.let_go(self._landing, contacts, self._largest_gap())
        if not lost:
            return
        contacts.store(self.kept)
        if self._bodies.asking_count:
            self._touches += [(*pair, False, True, (0.0, 0.0, 0.0)) for pair in lost]

    def _sweep(self, at: int) -> None:
        """Let a body that was fast end where it meets what is immovable, if the solver let it pass.

        It is swept in a straight line, as it is turned after the step, or before it if it would meet the other from the
        start; if so both ways, it may leave it.
        """
        landing, part, other = self._landing, PlacedPart(), PlacedPart()
        old, new = (list(each[3 * at : 3 * at + 3]) for each in (landing.old_position, landing.position))
        way = tuple([b - a for a, b in zip(old, new, strict=True)])
        share = 1.0
        for against in self.candidates.partners(at):
            if landing.weight[against]:
                continue
            place = landing.position[3 * against : 3 * against + 3]
            for mine in range(landing.shapes[at].count):
                for theirs in range(landing.shapes[against].count):
                    other.set_part(landing.shapes[against], theirs, *place)
                    for shape in (landing.shapes[at], landing.old_shapes[at]):
                        part.set_part(shape, mine, *old)
                        met = meeting(part, (way[0], way[1], way[2]), other)
                        if met is None or met[0] != INSIDE:
                            break
                    # The solver stops upright boxes.
                    if met is not None and (part.is_turned or part.radius or other.is_turned or other.radius):
                        if met[0] == INSIDE:
                            continue
                        time = met[0][0] / met[0][1]
                        into = -dot((float(way[0]), float(way[1]), float(way[2])), met[1]) * (1.0 - time)
                        if into > 0.5 * landing.size[at]:  # less is no passing through, but an overlap
                            share = min(share, time)
        if share < 1.0:
            for axis in range(3):
                landing.shift(at, axis, old[axis] + math.trunc(way[axis] * share) - new[axis])

    def write(self) -> None:
        """Write positions and rotations to the Transforms, where they wait to be applied as written (P12)."""
        if self._bodies.group_links.count:
            self._carried = carry_triggers(self._bodies, self.candidates, self._landing)
        self.candidates.write_positions()
        self.candidates.write_rotations(self._landing, self._placement)

    def commit(self, frame: int, log: StepLog) -> array[int]:
        """Write velocities and remainders, when the positions are applied; returns the sleeping rows that wake."""
        self._stage = _WRITTEN
        if self._touches:
            log.touches += self._touches
        for hit in self._impacts:
            log.impact(*hit)
        self.candidates.write_velocities(frame, self._islands.sleeping)
        return listed(self.candidates.restless, self.candidates.restless_count)

    def take_contact_count(self) -> int:
        """Return how many contact points the solver had in this step."""
        return int(self._solver.contacts.point_count) if self.candidates.mover_count else 0

    def settle(self) -> None:
        """End a step: let the islands sleep that have been slow for long."""
        candidates = self.candidates
        if candidates.mover_count:
            candidates.settle(self._islands.sleeping, self._islands.island)
            if self._islands.sleeping_count:
                entities = {self._bodies.entity(row) for row in listed(candidates.fallen, candidates.fallen_count)}
                self.kept.move_to(self.asleep, entities)
                self._note_supports(entities)
        self._dirty_rows.clear_notes()
        self._stage = 0

    def _note_supports(self, entities: Set[int]) -> None:
        """Note the bodies that hold others asleep, so that those wake with any change of them."""
        row_of, supports = self._bodies.row_of, self.candidates.supports
        for first, second in self.asleep.pairs():
            if first in entities or second in entities:
                for entity in (first, second):
                    if entity in row_of:
                        supports[row_of[entity]] = 1

    def abandon(self) -> None:
        """End a step that raised: it did not happen, unless everything had been applied."""
        if self._stage in (_PENDING, _UNDONE):
            self._put_back(self._before)
            self._placement.revert_rotations()
            self._placement.revert(listed(self.candidates.moved, self.candidates.moved_count))
            self._placement.revert(array("i", self._carried))
        self._start_anew()
        self._stage = 0
        self.forget()

    # What touches (rules C1, C6).

    def _note_touches(self) -> None:
        """Note which asking bodies began or ceased to be held, and what hit them."""
        bodies, contacts = self._bodies, self._solver.contacts
        self._touches, self._impacts = [], []
        before, asleep, *_ = self._before
        lost = self.kept.lost(before, self.asleep)
        if asleep.count != self.asleep.count:
            lost += self.kept.lost(asleep, self.asleep)
        self._touches += [(*pair, False, True, (0.0, 0.0, 0.0)) for pair in lost]
        for row, other, at, end, began, ended in self.candidates.find_touches(contacts):
            hit = hit_of(self.candidates.bodies, contacts, at, end)
            if began or ended:
                self._touches.append((bodies.entity(row), bodies.entity(other), began, ended, hit.normal))
            for a, b, sign in ((row, other, 1.0), (other, row, -1.0)) if hit.speed > 0.0 else ():
                contact = bodies.of(a).contact
                if contact is None or contact.impacts is None or hit.speed < contact.impacts:
                    continue
                if self.candidates.reports(a, b):
                    normal = tuple([sign * by + 0.0 for by in hit.normal])
                    ids = bodies.entity(a), bodies.entity(bodies.group_links.leader[b])
                    self._impacts.append((*ids, hit.point, normal, hit.impulse, hit.speed))  # type: ignore[arg-type]

    def holds(self, row: int, other: int) -> bool:
        """Return whether two bodies were in contact after the last step, and are still near each other."""
        if not (self.kept.count or self.asleep.count):
            return False
        low, high = sorted((self._bodies.entity(row), self._bodies.entity(other)))
        return (self.kept.has(low, high) or self.asleep.has(low, high)) and self._are_still(row, other)

    def held_with(self, row: int) -> list[int]:
        """Return the rows of the bodies that one `holds`, by id."""
        if not (self.kept.count or self.asleep.count):
            return []
        row_of, entity = self._bodies.row_of, self._bodies.entity(row)
        found = sorted(self.kept.partners(entity) | self.asleep.partners(entity))
        rows = [row_of[id] for id in found if id in row_of]
        return [other for other in rows if self._are_still(row, other)]

    def _are_still(self, row: int, other: int) -> bool:
        """Return whether two bodies that were in contact may still be: one of them moves, and they are near."""
        moves, other_moves = self.is_dynamic(row), self.is_dynamic(other)
        return (moves or other_moves) and self.candidates.are_near(row, other, moves, other_moves, self._largest_gap())

    def _largest_gap(self) -> float:
        """Return the gap that the gravity may leave between small bodies in contact."""
        x, y, z = self.gravity
        return 2.0 * SLOP * PER_GRAVITY * (abs(x) + abs(y) + abs(z))

    # Undo: `UndoLog` marks and restores what `commit` changes, and what `release` does.

    def mark(self) -> DynamicsMark:
        """Return the state for `rollback`; during a step it is that before it."""
        if self._stage:
            return self._before
        self.candidates.clear_woken()
        if not (self._bodies.moving_rows or self.kept.count or self.asleep.count or self.removed):
            return (*_NOTHING[:3], self.gravity, ())  # most changes are of worlds without dynamics
        return self._marked()

    def _marked(self) -> DynamicsMark:
        dirty_rows = self._dirty_rows
        noted: Notes = ()
        if dirty_rows.noted_count:
            notes = dirty_rows.notes
            noted = [(row, notes[row]) for row in dirty_rows.noted_rows[: dirty_rows.noted_count]]
        return self.kept.mark(), self.asleep.mark(), set(self.removed), self.gravity, noted

    def rollback(self, mark: DynamicsMark) -> None:
        """Restore the marked state. Works at any point of an interrupted change."""
        if self._stage == _WRITTEN:
            self.candidates.restore()
            self._stage = _UNDONE
        self._put_back(mark)
        self._is_cold = True  # `forget` follows, when the table is rebuilt

    def _put_back(self, mark: DynamicsMark) -> None:
        kept, asleep, removed, self.gravity, self._notes = mark
        self.kept.rollback(kept)
        self.asleep.rollback(asleep)
        self.removed = set(removed)
        self.candidates.put_to_sleep_again()

    # Snapshots.

    def _all_records(self) -> list[KeptRecord]:
        return sorted([*self.kept.records(), *self.asleep.records()])

    def records(self) -> list[KeptRecord]:
        """Return the kept contacts, by entity, after what changed has woken what it touched."""
        if self._dirty_rows.noted_count or self.removed:
            self._read_changes()
            self._resume_impulses()
        return self._all_records()

    def restore(self, records: list[KeptRecord], gravity: tuple[float, float, float]) -> None:
        """Replace the kept contacts and the last gravity by those of a snapshot; velocities are restored already."""
        awake = [each for each in records if any(self._is_awake(id) for id in each[:2])]
        asleep = [each for each in records if not any(self._is_awake(id) for id in each[:2])]
        self.kept.restore(awake)
        self.asleep.restore(asleep)
        self.removed, self.gravity, self._notes = set(), gravity, ()
        self.forget()

    def _is_awake(self, entity: int) -> bool:
        """Return whether an entity is a dynamic body that does not sleep."""
        row = self._bodies.row_of.get(entity, -1)
        if row < 0 or not self.is_dynamic(row):
            return False
        velocity = self._bodies.of(row).velocity
        return velocity is not None and velocity._slow != SLEEPS

    # Checks.

    def faults(self) -> Iterator[str]:
        """Yield faults of the kept contacts, the remainders and the lists of bodies; all changes have been applied."""
        bodies = self._bodies
        moving = {row for row in bodies.rows() if (parts := bodies.of(row)).velocity and parts.mass}
        if bodies.moving_rows != moving or (moving and not bodies.dirty_rows.is_noting):
            yield "the list of bodies with Velocity and Mass is wrong"
        for row in range(bodies.columns.capacity):
            here = bodies.parts[row] if row < len(bodies.parts) else None
            stored = bodies.columns.velocities[row] if bodies.columns.velocities else None
            if stored is not (None if here is None else here.velocity):
                yield f"row {row}: the velocity that kernels read is not that of its body"
        records = self._all_records()
        if [each[:5] for each in records] != sorted({each[:5] for each in records if each[0] < each[1]}):
            yield "a contact is kept twice, or the kept contacts are out of order"
        for first, second, *_ in records:
            if any(id not in bodies.row_of and id not in self.removed for id in (first, second) if id >= 0):
                yield f"a contact of entities {first} and {second} is kept, but one of them is gone"
        for row in moving:
            if any(not -0.5 <= left <= 0.5 for left in _velocity(bodies.of(row))._remainders()):
                yield f"entity {bodies.entity(row)}: a remainder of its motion is more than half a unit"
        if not self._is_cold:
            yield from self._rest_faults(moving)

    def _rest_faults(self, moving: set[int]) -> Iterator[str]:
        """Yield faults of which rows are awake and asleep."""
        bodies, candidates = self._bodies, self.candidates
        noted = set(self._with_groups(bodies.dirty_rows.noted_rows[: bodies.dirty_rows.noted_count]))
        awake = set(listed(candidates.awake, candidates.awake_count))
        groups: dict[int, set[int]] = {}
        resting = {row for row in range(candidates.capacity) if candidates.states[row] == RESTING}
        if candidates.resting_count != len(resting):
            yield "bodies that sleep are counted wrongly"
        for row in range(candidates.capacity):
            state = candidates.states[row]
            if row not in noted and bool(state) != (row in moving and self.is_dynamic(row, groups)):
                yield f"row {row}: it is wrongly known as dynamic or as immovable"
            if state == AWAKE and row not in awake:
                yield f"row {row}: it is awake, but not listed"
            if state == RESTING and candidates.ring[row] not in resting:
                yield f"row {row}: it sleeps in an island with a row that does not"
            if state == RESTING and row not in noted and _velocity(bodies.of(row))._slow != SLEEPS:
                yield f"row {row}: it sleeps, but its Velocity does not say so"
            if candidates.known[row] and row not in noted and bodies.parts[row] is not None:
                yield from self._constant_faults(row)

    def _constant_faults(self, row: int) -> Iterator[str]:
        known = candidates_constants(self.candidates, row)
        self._read_constants(row)
        if known != candidates_constants(self.candidates, row):
            yield f"entity {self._bodies.entity(row)}: its mass or material in the table differs from its components"


def candidates_constants(candidates: Candidates, row: int) -> list[float]:
    """Return what is known of a row."""
    return list(candidates.constants[CONSTANTS * row : CONSTANTS * (row + 1)])


def root_of(links: dict[int, int], row: int) -> int:
    """Return the lowest row that links join a row to; -1 for one without."""
    if row not in links:
        return -1
    while links[row] != row:
        links[row] = links[links[row]]
        row = links[row]
    return row


def _velocity(parts: Parts) -> Velocity:
    assert parts.velocity is not None
    return parts.velocity
