# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Which bodies take part in a step of dynamics, and which pairs of them may meet (rules I1, I2 and I7).

Each dynamic row is awake or rests. Rows that rest together are linked in a cycle, so all of them wake as one. Nothing
here is part of the state of a world: after `reset` every row counts as awake, and the next step gives the same result.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.components.dirty_transforms import rounded
else:
    from ecs_collision.components.dirty_transforms import rounded

from ecs_collision._arrays import longer
from ecs_collision.bodies.columns import ASLEEP, ENABLED, ONE_WAY, SOLID, STATIC, Columns
from ecs_collision.bodies.dirty_rows import DirtyRows
from ecs_collision.broadphase.protocol import Index
from ecs_collision.components.dirty_transforms import PLACED, DirtyTransforms
from ecs_collision.components.fields import VelocityFields
from ecs_collision.dynamics.dynamic_bodies import DynamicBodies

IMMOVABLE, AWAKE, RESTING = 0, 1, 2
"""The state of a row: it is not dynamic, it takes part in every step, or only if something disturbs it."""

# C copies: compiled code would look the names above up as Python objects.
_AWAKE = cython.declare(cython.int, AWAKE)
_RESTING = cython.declare(cython.int, RESTING)
_ASLEEP = cython.declare(cython.int, ASLEEP)
_ENABLED = cython.declare(cython.int, ENABLED)
_SOLID = cython.declare(cython.int, SOLID)
_STATIC = cython.declare(cython.int, STATIC)
_ONE_WAY = cython.declare(cython.int, ONE_WAY)
_PLACED = cython.declare(cython.int, PLACED)

_NEAR = cython.declare(cython.longlong, 8)
"""Units within which parts may be in contact: more than the margin of `ContactPoints`."""

_SLACK = cython.declare(cython.longlong, 2048)
"""Units by which bounds are widened beyond the way that a body would go: impulses change it, overlaps are undone."""


@cython.final
@cython.cclass
class Candidates:
    """The bodies of a step in `bodies`, and the pairs that may meet in `first[:pair_count]` and `second`.

    By row: `states`; `ring`, the next row that rests in the same set; `constants`, the inverse mass and moment, the
    restitution and the friction, if `known`; `former`, the bounds when the row last took part in a step as an immovable
    body, if `has_former`; `places`, one more than its index in `bodies`; `seen`, the last mover that found it.

    `awake[:awake_count]` are the awake rows, `resting_count` the number of resting ones. In a step, `movers` are its
    dynamic rows with `margins` and `spans` (bounds), `others` the immovable ones that they may meet. `extra` is added
    to all margins. `altered[:altered_count]` are rows whose components changed, `moved[:moved_count]` those that a step
    displaces, `restless[:restless_count]` sleeping rows that it does not leave at rest. `before` saves velocities,
    remainders and disturbances for `restore`.
    """

    def __init__(
        self, columns: Columns, dynamic: Index, static: Index, dirty_rows: DirtyRows, dirty_transforms: DirtyTransforms
    ) -> None:
        self.columns, self.dynamic, self.static = columns, dynamic, static
        self.dirty_rows, self.dirty_transforms = dirty_rows, dirty_transforms
        self.bodies = DynamicBodies()
        self.states, self.known, self.has_former = array("b"), array("b"), array("b")
        self.ring, self.places, self.seen = array("i"), array("i"), array("i")
        self.constants, self.former = array("d"), array("q")
        self.awake, self.movers, self.others, self.altered = array("i"), array("i"), array("i"), array("i")
        self.moved, self.restless = array("i"), array("i")
        self.margins, self.spans, self.before, self.disturbed = array("q"), array("q"), array("d"), array("q")
        self.first_rows, self.second_rows, self.keys = array("i"), array("i"), array("q")
        self.first, self.second = array("i"), array("i")
        self.awake_count = self.resting_count = self.mover_count = self.other_count = self.pair_count = 0
        self.altered_count = self.moved_count = self.restless_count = self.saved_count = 0
        self.extra = 0
        self.capacity = self.pair_capacity = 0
        self.reserve_pairs(256)

    def reserve(self) -> cython.void:
        """Make room for all rows of the table."""
        capacity: cython.Py_ssize_t = self.columns.capacity
        if capacity == self.capacity:
            return
        states, known, has_former = (
            longer(self.states, capacity),
            longer(self.known, capacity),
            longer(self.has_former, capacity),
        )
        ring, places, seen = longer(self.ring, capacity), longer(self.places, capacity), longer(self.seen, capacity)
        constants, former = longer(self.constants, 4 * capacity), longer(self.former, 6 * capacity)
        awake, movers, others = (
            longer(self.awake, 2 * capacity),
            longer(self.movers, capacity),
            longer(self.others, capacity),
        )
        altered, moved = longer(self.altered, capacity), longer(self.moved, capacity)
        restless, margins, spans = (
            longer(self.restless, capacity),
            longer(self.margins, 3 * capacity),
            longer(self.spans, 6 * capacity),
        )
        before, disturbed = longer(self.before, 12 * capacity), longer(self.disturbed, capacity)
        self.states, self.known, self.has_former = states, known, has_former
        self.ring, self.places, self.seen, self.constants, self.former = ring, places, seen, constants, former
        self.awake, self.movers, self.others, self.altered = awake, movers, others, altered
        self.moved, self.restless = moved, restless
        self.margins, self.spans, self.before, self.disturbed = margins, spans, before, disturbed
        self.states_view, self.known_view, self.has_former_view = states, known, has_former
        self.ring_view, self.places_view, self.seen_view = ring, places, seen
        self.constants_view, self.former_view, self.awake_view = constants, former, awake
        self.movers_view, self.others_view, self.altered_view = movers, others, altered
        self.moved_view, self.restless_view = moved, restless
        self.margins_view, self.spans_view, self.before_view, self.disturbed_view = margins, spans, before, disturbed
        self.capacity = capacity

    def reserve_pairs(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for pairs."""
        first_rows, second_rows = longer(self.first_rows, capacity), longer(self.second_rows, capacity)
        keys, first, second = longer(self.keys, capacity), longer(self.first, capacity), longer(self.second, capacity)
        self.first_rows, self.second_rows, self.keys = first_rows, second_rows, keys
        self.first, self.second = first, second
        self.first_rows_view, self.second_rows_view, self.keys_view = first_rows, second_rows, keys
        self.first_view, self.second_view = first, second
        self.pair_capacity = capacity

    # Who is dynamic, awake and at rest.

    def reset(self) -> cython.void:
        """Forget everything: no row is known to be dynamic. Works at any point of an interrupted call."""
        row: cython.Py_ssize_t
        self.reserve()
        for row in range(self.capacity):
            self.states_view[row] = self.known_view[row] = self.has_former_view[row] = 0
            self.places_view[row] = self.seen_view[row] = 0
        self.awake_count = self.resting_count = self.mover_count = self.other_count = self.pair_count = 0
        self.altered_count = self.saved_count = self.extra = 0

    def set_dynamic(self, row: cython.int, is_dynamic: cython.bint) -> cython.bint:
        """Set whether a row is dynamic; one that becomes so is awake. Returns whether it no longer is."""
        if is_dynamic:
            if self.states_view[row] == 0:
                self.add_awake(row)
        elif self.states_view[row] != 0:
            self.wake(row)
            self.states_view[row] = 0
            return True
        return False

    def set_constants(
        self,
        row: cython.int,
        inverse_mass: cython.double,
        inverse_moment: object,
        restitution: cython.double,
        friction: cython.double,
    ) -> cython.void:
        """Set the inverse mass and moment and the material of a row."""
        at: cython.Py_ssize_t = 4 * row
        self.constants_view[at], self.constants_view[at + 1] = inverse_mass, inverse_moment or 0.0  # type: ignore[assignment]
        self.constants_view[at + 2], self.constants_view[at + 3] = restitution, friction
        self.known_view[row] = 1

    def add_awake(self, row: cython.int) -> cython.void:
        """List a row as awake."""
        if self.awake_count == len(self.awake):
            self.compact()
        self.states_view[row] = _AWAKE
        self.awake_view[self.awake_count] = row
        self.awake_count += 1

    def compact(self) -> cython.void:
        """Remove rows from the list that are not awake or listed twice."""
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        row: cython.int
        for at in range(self.awake_count):
            row = self.awake_view[at]
            if self.states_view[row] == _AWAKE and self.seen_view[row] != -1:
                self.seen_view[row] = -1
                self.awake_view[count] = row
                count += 1
        for at in range(count):
            self.seen_view[self.awake_view[at]] = 0
        self.awake_count = count

    def wake(self, row: cython.int) -> cython.void:
        """Wake a row that rests, with all that rest with it."""
        each: cython.int = row
        following: cython.int
        if self.states_view[row] != _RESTING:
            return
        while self.states_view[each] == _RESTING:
            following = self.ring_view[each]
            self.resting_count -= 1
            self.add_awake(each)
            each = following

    def release(self, row: cython.int) -> cython.void:
        """Forget a row whose body is removed, and wake what may have rested on it."""
        if row >= self.capacity:
            return
        self.wake(row)
        self.wake_near(row)
        self.states_view[row] = self.known_view[row] = self.has_former_view[row] = 0

    def wake_near(self, row: cython.int) -> cython.void:
        """Wake the rows at rest that a row meets now, or met where it was in the last step."""
        flags: cython.int = self.columns.flags_view[row]
        grid: Index
        slot: cython.Py_ssize_t
        if self.resting_count == 0:
            return
        if self.has_former_view[row]:
            self.has_former_view[row] = 0
            self.wake_in(self.former_view, 6 * row)
        if flags & _ENABLED and flags & _SOLID:
            grid = self.static if flags & _STATIC else self.dynamic
            for slot in range(
                self.columns.first_view[row], self.columns.first_view[row] + self.columns.count_view[row]
            ):
                self.wake_in(grid.boxes.faces_view, 6 * slot)

    def wake_in(self, faces: cython.longlong[::1], first: cython.Py_ssize_t) -> cython.void:
        """Wake the rows at rest with boxes in a region, or so near it that they may be in contact.

        The region has six faces, from number `first` on.
        """
        at: cython.Py_ssize_t
        self.dynamic.collect(
            faces[first] - _NEAR,
            faces[first + 1] - _NEAR,
            faces[first + 2] - _NEAR,
            faces[first + 3] + _NEAR,
            faces[first + 4] + _NEAR,
            faces[first + 5] + _NEAR,
        )
        for at in range(self.dynamic.hit_count):
            self.wake(self.dynamic.boxes.owner_view[self.dynamic.hits_view[at]])

    def read_notes(self) -> cython.void:
        """Wake what the noted rows disturb, and collect the rows whose components changed in `altered`."""
        at: cython.Py_ssize_t
        row: cython.int
        self.reserve()
        self.altered_count = 0
        for at in range(self.dirty_rows.noted_count):
            row = self.dirty_rows.noted_rows_view[at]
            self.wake(row)
            if self.dirty_rows.notes_view[row] > 1:
                self.known_view[row] = 0
                self.wake_near(row)
                self.altered_view[self.altered_count] = row
                self.altered_count += 1
            elif self.states_view[row] == 0:
                self.wake_near(row)

    # The bodies and pairs of a step.

    def search(self, seconds: cython.double, gx: cython.double, gy: cython.double, gz: cython.double) -> cython.void:
        """Find the movers of a step, the immovable bodies near them, and the pairs that may meet."""
        at: cython.Py_ssize_t
        self.clear_places()
        self.pair_count = self.moved_count = 0
        self.seconds = seconds
        self.fall_x = (gx if gx > 0.0 else -gx) * seconds
        self.fall_y = (gy if gy > 0.0 else -gy) * seconds
        self.fall_z = (gz if gz > 0.0 else -gz) * seconds
        for at in range(self.awake_count):
            if self.states_view[self.awake_view[at]] == _AWAKE and self.places_view[self.awake_view[at]] == 0:
                self.add_mover(self.awake_view[at])
        self.awake_count = 0
        at = 0
        while at < self.mover_count:
            if self.columns.flags_view[self.movers_view[at]] & _SOLID:
                self.search_mover(at)
            at += 1

    def widen(self, extra: cython.longlong) -> cython.void:
        """Make the next `search` begin with the movers of the last one, with larger margins."""
        at: cython.Py_ssize_t
        self.extra += extra
        for at in range(self.mover_count):
            self.awake_view[at] = self.movers_view[at]
        self.awake_count = self.mover_count

    def clear_places(self) -> cython.void:
        """Forget the bodies of the last step."""
        at: cython.Py_ssize_t
        for at in range(self.mover_count):
            self.places_view[self.movers_view[at]] = self.seen_view[self.movers_view[at]] = 0
        for at in range(self.other_count):
            self.places_view[self.others_view[at]] = self.seen_view[self.others_view[at]] = 0
        self.mover_count = self.other_count = 0

    def add_mover(self, row: cython.int) -> cython.void:
        """Add an awake row to the movers, with its bounds and how far it may go."""
        at: cython.Py_ssize_t = 3 * self.mover_count
        velocity: VelocityFields = cython.cast(VelocityFields, self.columns.velocities[row])
        x: cython.double = velocity._x if velocity._x > 0.0 else -velocity._x
        y: cython.double = velocity._y if velocity._y > 0.0 else -velocity._y
        z: cython.double = velocity._z if velocity._z > 0.0 else -velocity._z
        self.margins_view[at] = self.margin(x + self.fall_x)
        self.margins_view[at + 1] = self.margin(y + self.fall_y)
        self.margins_view[at + 2] = self.margin(z + self.fall_z)
        self.store_span(row, self.spans_view, 6 * self.mover_count)
        self.movers_view[self.mover_count] = row
        self.mover_count += 1
        self.places_view[row] = cython.cast(cython.int, self.mover_count)

    def margin(self, speed: cython.double) -> cython.longlong:
        """Return how far a body may go in the step on an axis, in units."""
        return rounded(speed * self.seconds) + _SLACK + self.extra

    def store_span(self, row: cython.int, spans: cython.longlong[::1], at: cython.Py_ssize_t) -> cython.void:
        """Write the bounds of a row with boxes in the index."""
        grid: Index = self.static if self.columns.flags_view[row] & _STATIC else self.dynamic
        first: cython.Py_ssize_t = self.columns.first_view[row]
        slot: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        for axis in range(6):
            spans[at + axis] = grid.boxes.faces_view[6 * first + axis]
        for slot in range(first + 1, first + self.columns.count_view[row]):
            for axis in range(3):
                spans[at + axis] = min(spans[at + axis], grid.boxes.faces_view[6 * slot + axis])
                spans[at + 3 + axis] = max(spans[at + 3 + axis], grid.boxes.faces_view[6 * slot + 3 + axis])

    def search_mover(self, mover: cython.Py_ssize_t) -> cython.void:
        """Find the pairs of a mover: with immovable bodies, and with movers that do not find it.

        Two movers that may meet are at most the sum of their margins apart, so the one with the larger margin finds the
        other within twice its margin.
        """
        widest: cython.longlong = self.widest(mover)
        self.collect_around(self.dynamic, mover, 2 * widest)
        self.add_pairs(mover, self.dynamic)
        self.collect_around(self.static, mover, widest)
        self.add_pairs(mover, self.static)

    def collect_around(self, grid: Index, mover: cython.Py_ssize_t, margin: cython.longlong) -> cython.void:
        """Collect the boxes that meet the bounds of a mover, widened on all sides."""
        at: cython.Py_ssize_t = 6 * mover
        grid.collect(
            self.spans_view[at] - margin,
            self.spans_view[at + 1] - margin,
            self.spans_view[at + 2] - margin,
            self.spans_view[at + 3] + margin,
            self.spans_view[at + 4] + margin,
            self.spans_view[at + 5] + margin,
        )

    def widest(self, mover: cython.Py_ssize_t) -> cython.longlong:
        """Return the largest margin of a mover."""
        return max(
            self.margins_view[3 * mover], max(self.margins_view[3 * mover + 1], self.margins_view[3 * mover + 2])
        )

    def add_pairs(self, mover: cython.Py_ssize_t, grid: Index) -> cython.void:
        """Add the pairs of a mover with the owners of the boxes found."""
        at: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        row: cython.int = self.movers_view[mover]
        other: cython.int
        stamp: cython.int = cython.cast(cython.int, mover + 1)
        place: cython.Py_ssize_t
        own: cython.longlong = self.widest(mover)
        theirs: cython.longlong
        for at in range(grid.hit_count):
            slot = grid.hits_view[at]
            other = grid.boxes.owner_view[slot]
            if other == row or self.seen_view[other] == stamp or not self.columns.may_meet(row, other):
                continue
            if self.states_view[other] == _RESTING:
                self.rouse(other)
            if self.states_view[other] == _AWAKE:
                place = self.places_view[other] - 1
                theirs = self.widest(place)
                if theirs > own or (theirs == own and self.columns.ids_view[other] < self.columns.ids_view[row]):
                    continue
                if self.is_near(mover, grid, slot, 3 * place):
                    self.add_pair(row, other)
                    self.seen_view[other] = stamp
            elif self.is_near(mover, grid, slot, -1):
                if self.places_view[other] == 0:
                    self.add_other(other)
                self.add_pair(row, other)
                self.seen_view[other] = stamp

    def rouse(self, row: cython.int) -> cython.void:
        """Let a row that rests take part in the step, with all that rest with it."""
        at: cython.Py_ssize_t
        self.wake(row)
        for at in range(self.awake_count):
            if self.places_view[self.awake_view[at]] == 0:
                self.add_mover(self.awake_view[at])
        self.awake_count = 0

    def is_near(
        self, mover: cython.Py_ssize_t, grid: Index, slot: cython.Py_ssize_t, margins: cython.Py_ssize_t
    ) -> cython.bint:
        """Return whether the widened bounds of a mover meet a box, which has margins too if its owner is a mover."""
        axis: cython.Py_ssize_t
        margin: cython.longlong
        for axis in range(3):
            margin = self.margins_view[3 * mover + axis]
            if margins >= 0:
                margin += self.margins_view[margins + axis]
            if (
                self.spans_view[6 * mover + axis] - margin > grid.boxes.faces_view[6 * slot + 3 + axis]
                or self.spans_view[6 * mover + 3 + axis] + margin < grid.boxes.faces_view[6 * slot + axis]
            ):
                return False
        return True

    def add_other(self, row: cython.int) -> cython.void:
        """Add an immovable row to the step."""
        self.others_view[self.other_count] = row
        self.other_count += 1
        self.places_view[row] = 1
        self.store_span(row, self.former_view, 6 * row)
        self.has_former_view[row] = 1

    def add_pair(self, row: cython.int, other: cython.int) -> cython.void:
        """Add a pair of rows."""
        if self.pair_count == self.pair_capacity:
            self.reserve_pairs(2 * self.pair_capacity)
        self.first_rows_view[self.pair_count] = row
        self.second_rows_view[self.pair_count] = other
        self.pair_count += 1

    def rows(self) -> array[int]:
        """Return the rows of the step, in no particular order."""
        return self.movers[: self.mover_count] + self.others[: self.other_count]

    def number(self, rows: array[int]) -> None:
        """Set the places of the rows of the step, which are given in the order of their ids."""
        at: cython.Py_ssize_t
        rows_view: cython.int[::1] = rows
        for at in range(len(rows)):
            self.places_view[rows_view[at]] = cython.cast(cython.int, at + 1)

    def fill(self, rows: array[int]) -> None:
        """Fill `bodies` with the numbered rows of the step, and `keys` with its pairs."""
        at: cython.Py_ssize_t
        first: cython.longlong
        second: cython.longlong
        rows_view: cython.int[::1] = rows
        self.bodies.begin()
        for at in range(len(rows)):
            self.add_body(rows_view[at])
        for at in range(self.pair_count):
            first = self.places_view[self.first_rows_view[at]] - 1
            second = self.places_view[self.second_rows_view[at]] - 1
            self.keys_view[at] = (first << 32) + second if first < second else (second << 32) + first

    def split_keys(self) -> None:
        """Write the pairs of the sorted `keys` to `first` and `second`."""
        at: cython.Py_ssize_t
        for at in range(self.pair_count):
            self.first_view[at] = cython.cast(cython.int, self.keys_view[at] >> 32)
            self.second_view[at] = cython.cast(cython.int, self.keys_view[at] & 0xFFFFFFFF)

    def add_body(self, row: cython.int) -> cython.void:
        """Append a row to `bodies`."""
        flags: cython.int = self.columns.flags_view[row]
        grid: Index = self.static if flags & _STATIC else self.dynamic
        boxes: cython.longlong[::1] = grid.boxes.faces_view
        slot: cython.Py_ssize_t
        at: cython.Py_ssize_t
        b: DynamicBodies = self.bodies
        c: cython.Py_ssize_t = 4 * row
        x: cython.longlong = self.columns.pos_view[3 * row]
        y: cython.longlong = self.columns.pos_view[3 * row + 1]
        z: cython.longlong = self.columns.pos_view[3 * row + 2]
        is_dynamic: cython.bint = self.states_view[row] != 0
        velocity: VelocityFields
        at = 3 * b.add(
            self.columns.ids_view[row],
            row,
            (flags & _SOLID) != 0,
            self.constants_view[c] if is_dynamic else 0.0,
            self.constants_view[c + 1] if is_dynamic else 0.0,
            self.constants_view[c + 2],
            self.constants_view[c + 3],
            self.columns.shapes[row],
        )
        if flags & _ONE_WAY:
            b.one_way_view[b.count - 1] = self.columns.one_way_view[row]
        for slot in range(self.columns.first_view[row], self.columns.first_view[row] + self.columns.count_view[row]):
            c = 6 * slot
            b.add_part(
                boxes[c] - x, boxes[c + 1] - y, boxes[c + 2] - z, boxes[c + 3] - x, boxes[c + 4] - y, boxes[c + 5] - z
            )
        b.position_view[at], b.position_view[at + 1], b.position_view[at + 2] = x, y, z
        if self.columns.velocities[row] is None:
            return
        velocity = cython.cast(VelocityFields, self.columns.velocities[row])
        b.velocity_view[at], b.velocity_view[at + 1], b.velocity_view[at + 2] = velocity._x, velocity._y, velocity._z
        b.angular_view[at], b.angular_view[at + 1] = velocity._turning_x, velocity._turning_y
        b.angular_view[at + 2] = velocity._turning_z
        if is_dynamic:
            b.remainder_view[at], b.remainder_view[at + 1] = velocity._left_x, velocity._left_y
            b.remainder_view[at + 2] = velocity._left_z

    # The results of a step.

    def farthest(self) -> cython.longlong:
        """Return how far beyond its margin a mover came in the step, or would have come, 0 if none did."""
        at: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        row: cython.int
        found: cython.longlong = 0
        beyond: cython.longlong
        for at in range(self.mover_count):
            row = self.movers_view[at]
            for axis in range(3):
                beyond = self.reach(3 * (self.places_view[row] - 1) + axis) - self.margins_view[3 * at + axis]
                found = max(found, beyond)
        return found

    def reach(self, at: cython.Py_ssize_t) -> cython.longlong:
        """Return how far a body came on an axis, or would have come but for what it met."""
        row: cython.Py_ssize_t = self.bodies.row_view[at // 3]
        by: cython.longlong = self.bodies.position_view[at] - self.columns.pos_view[3 * row + at % 3]
        return max(by if by > 0 else -by, self.bodies.reach_view[at])

    def write_positions(self) -> cython.void:
        """Write the new positions of the movers to their Transforms, and list them in `moved`."""
        at: cython.Py_ssize_t
        i: cython.Py_ssize_t
        row: cython.int
        self.moved_count = 0
        for at in range(self.mover_count):
            row = self.movers_view[at]
            i = 3 * (self.places_view[row] - 1)
            if (
                self.bodies.position_view[i] != self.columns.pos_view[3 * row]
                or self.bodies.position_view[i + 1] != self.columns.pos_view[3 * row + 1]
                or self.bodies.position_view[i + 2] != self.columns.pos_view[3 * row + 2]
            ):
                self.moved_view[self.moved_count] = row
                self.moved_count += 1
                self.dirty_transforms.set_position(
                    row,
                    self.bodies.position_view[i],
                    self.bodies.position_view[i + 1],
                    self.bodies.position_view[i + 2],
                )
                self.dirty_transforms.add(row, _PLACED)

    def write_velocities(self, frame: cython.longlong) -> cython.void:
        """Write velocities and remainders, and disturb the bodies that are not at rest in `frame`.

        Lists the sleeping bodies that are not at rest in `restless`.
        """
        at: cython.Py_ssize_t
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        row: cython.int
        velocity: VelocityFields
        b: DynamicBodies = self.bodies
        self.saved_count = self.restless_count = 0
        for at in range(self.mover_count):
            row = self.movers_view[at]
            i = 3 * (self.places_view[row] - 1)
            k = 12 * at
            velocity = cython.cast(VelocityFields, self.columns.velocities[row])
            self.before_view[k], self.before_view[k + 1] = velocity._x, velocity._y
            self.before_view[k + 2] = velocity._z
            self.before_view[k + 3], self.before_view[k + 4] = velocity._turning_x, velocity._turning_y
            self.before_view[k + 5] = velocity._turning_z
            self.before_view[k + 6], self.before_view[k + 7] = velocity._left_x, velocity._left_y
            self.before_view[k + 8] = velocity._left_z
            self.disturbed_view[at] = self.dirty_rows.disturbed_view[row]
            self.saved_count = at + 1
            # Adding 0.0 makes 0.0 of -0.0, as snapshots do.
            velocity._x, velocity._y = b.velocity_view[i] + 0.0, b.velocity_view[i + 1] + 0.0
            velocity._z = b.velocity_view[i + 2] + 0.0
            velocity._turning_x, velocity._turning_y = b.angular_view[i] + 0.0, b.angular_view[i + 1] + 0.0
            velocity._turning_z = b.angular_view[i + 2] + 0.0
            velocity._left_x, velocity._left_y = b.remainder_view[i] + 0.0, b.remainder_view[i + 1] + 0.0
            velocity._left_z = b.remainder_view[i + 2] + 0.0
            if b.at_rest_view[i // 3] == 0:
                self.dirty_rows.disturbed_view[row] = frame
                if self.columns.flags_view[row] & _ASLEEP:
                    self.restless_view[self.restless_count] = row
                    self.restless_count += 1

    def restore(self) -> cython.void:
        """Undo `write_velocities`. Works at any point of an interrupted call."""
        at: cython.Py_ssize_t
        k: cython.Py_ssize_t
        row: cython.int
        velocity: VelocityFields
        for at in range(self.saved_count):
            row = self.movers_view[at]
            k = 12 * at
            velocity = cython.cast(VelocityFields, self.columns.velocities[row])
            velocity._x, velocity._y, velocity._z = (
                self.before_view[k],
                self.before_view[k + 1],
                self.before_view[k + 2],
            )
            velocity._turning_x, velocity._turning_y = self.before_view[k + 3], self.before_view[k + 4]
            velocity._turning_z = self.before_view[k + 5]
            velocity._left_x, velocity._left_y = self.before_view[k + 6], self.before_view[k + 7]
            velocity._left_z = self.before_view[k + 8]
            self.dirty_rows.disturbed_view[row] = self.disturbed_view[at]
        self.saved_count = 0

    def settle(self) -> cython.void:
        """Link the movers that the step left at rest in their sets; the others stay awake."""
        at: cython.Py_ssize_t
        row: cython.int
        head: cython.int
        self.awake_count = self.saved_count = 0
        for at in range(self.bodies.count):
            row = self.bodies.row_view[at]
            if self.states_view[row] == 0:
                continue
            if self.bodies.at_rest_view[at] == 0:
                self.add_awake(row)
                continue
            head = self.bodies.row_view[self.bodies.set_number_view[at]]
            self.states_view[row] = _RESTING
            self.resting_count += 1
            self.ring_view[row] = row
            if head != row:
                self.ring_view[row], self.ring_view[head] = self.ring_view[head], row
