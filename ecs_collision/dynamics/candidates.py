# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""Which bodies take part in a step of dynamics, and which pairs of them may meet (rules I1, I2 and I7).

Each dynamic row is awake or sleeps. Rows that sleep together are linked in a cycle, so all of them wake as one.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.components.dirty_transforms import rounded
else:
    from ecs_collision.components.dirty_transforms import rounded

from ecs_collision._arrays import array_of, longer, zeros
from ecs_collision.bodies.columns import ASKS, ASLEEP, ENABLED, OUT_OF_PLANE, SOLID, STATIC, Columns, GroupLinks
from ecs_collision.bodies.dirty_rows import DirtyRows
from ecs_collision.bodies.placement import Placement
from ecs_collision.broadphase.protocol import Index
from ecs_collision.components.dirty_transforms import DirtyTransforms
from ecs_collision.components.fields import ColliderFields, VelocityFields
from ecs_collision.components.parts import Parts
from ecs_collision.dynamics.landing import Landing
from ecs_collision.dynamics.part_records import quaternion_of
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.dynamics.step_contacts import StepContacts
from ecs_collision.fixed_point import LATTICE, PER_UNIT
from ecs_collision.shapes.bounds import Form, Formed, Shape

SLEEPS = -1.0
"""The time of being slow of a body that sleeps."""

IMMOVABLE, AWAKE, RESTING = 0, 1, 2
"""The state of a row: it is not dynamic, it takes part in every step, or only if something disturbs it."""

CONSTANTS = 34
"""Numbers of a row that change only with its components: the inverse mass, three inverse moments, the quaternion of
their axes, the centre of mass, two dampings, the share of gravity, restitution, friction, rolling resistance, and
whether it can turn, and its first part, so that a step need not ask for the others of most rows."""

# C copies: compiled code would look the names above up as Python objects.
_AWAKE = cython.declare(cython.int, AWAKE)
_RESTING = cython.declare(cython.int, RESTING)
_ASKS = cython.declare(cython.int, ASKS)
_ASLEEP = cython.declare(cython.int, ASLEEP)
_ENABLED = cython.declare(cython.int, ENABLED)
_SOLID = cython.declare(cython.int, SOLID)
_STATIC = cython.declare(cython.int, STATIC)
_OUT_OF_PLANE = cython.declare(cython.int, OUT_OF_PLANE)

_NEAR = cython.declare(cython.longlong, 8)
"""Units within which a body that comes from outside may touch another."""
_LATTICE = cython.declare(cython.double, LATTICE)
_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_HUGE = cython.declare(cython.double, 2.0**60)
_SLEEPS = cython.declare(cython.double, SLEEPS)

_ARRAYS = {
    1: "states known supports ring places seen movers others altered moved restless fallen disturbed extra order",
    2: "awake begins ends turned",
    3: "margins",
    6: "spans",
    10: "before",
    CONSTANTS: "constants",
}
_WIDTHS = {name: width for width, names in _ARRAYS.items() for name in names.split()}
"""Numbers of a row in each array."""
_PAIR_ARRAYS = ("first_rows", "second_rows", "first", "second")


@cython.final
@cython.cclass
class Candidates:
    """The bodies of a step in `bodies`, and the pairs that may meet in `first[:pair_count]` and `second`.

    By row: `states`; `ring`, the next row that sleeps in the same island; `constants`, `CONSTANTS` numbers, and
    `records`, its parts for `StepBodies` without the first (None without others), and `shapes`, if `known`; `supports`,
    whether it may touch a row that sleeps; `places`, one more than its index in `bodies`; `seen`, the last mover that
    found it.

    `awake[:awake_count]` are the awake rows, `resting_count` the number of sleeping ones. In a step, `movers` are its
    dynamic rows with `margins` and `spans` (bounds), `others` those that do not move in it but may be met: immovable
    ones, and dynamic ones that sleep. `altered[:altered_count]` are rows whose components changed,
    `moved[:moved_count]` those that a step displaces, `restless[:restless_count]` rows with `Sleeping` that are asleep
    and that it leaves awake, `fallen[:fallen_count]` those that fall asleep in it. `before` saves velocities,
    remainders and disturbances for `restore`.
    """

    def __init__(
        self,
        columns: Columns,
        parts: list[Parts | None],
        dynamic: Index,
        static: Index,
        dirty_rows: DirtyRows,
        dirty_transforms: DirtyTransforms,
    ) -> None:
        self.columns, self.parts, self.dynamic, self.static = columns, parts, dynamic, static
        self.dirty_rows, self.dirty_transforms = dirty_rows, dirty_transforms
        self.bodies = StepBodies()
        self.records, self.shapes, self.rotations = list[object](), list[object](), list[Any]()
        self.woken, self.has_woken = list[VelocityFields](), False
        self.states = self.known = self.supports = zeros("b", 1)
        self.ring = self.places = self.seen = self.awake = self.movers = self.others = self.altered = zeros("i", 1)
        self.moved = self.restless = self.fallen = self.order = self.turned = self.begins = zeros("i", 1)
        self.ends = self.first_rows = self.second_rows = self.first = self.second = zeros("i", 1)
        self.constants = self.before = zeros("d", 1)
        self.margins = self.spans = self.disturbed = self.extra = zeros("q", 1)
        self.awake_count = self.resting_count = self.mover_count = self.other_count = self.pair_count = 0
        self.altered_count = self.moved_count = self.restless_count = self.saved_count = self.fallen_count = 0
        self.capacity = self.pair_capacity = self.turned_count = 0
        self.is_flat = True
        self.nearby = zeros("q", 12)
        self.reserve_pairs(16)

    def reserve(self) -> cython.void:
        """Make room for all rows of the table."""
        capacity: cython.Py_ssize_t = self.columns.capacity
        if capacity == self.capacity:
            return
        arrays = [(name, longer(getattr(self, name), width * capacity)) for name, width in _WIDTHS.items()]
        for name, new in arrays:
            setattr(self, name, new)
        self.records.extend([None] * (capacity - len(self.records)))
        self.shapes.extend([None] * (capacity - len(self.shapes)))
        self.capacity = capacity

    def reserve_pairs(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for pairs."""
        arrays = [(name, longer(getattr(self, name), capacity)) for name in _PAIR_ARRAYS]
        for name, new in arrays:
            setattr(self, name, new)
        self.pair_capacity = capacity

    # Who is dynamic, awake and asleep.

    def reset(self) -> cython.void:
        """Forget everything: no row is known to be dynamic. Works at any point of an interrupted call."""
        self.reserve()
        for row in range(self.capacity):
            self.states[row] = self.known[row] = self.supports[row] = self.extra[row] = 0
            self.places[row] = self.seen[row] = 0
        self.awake_count = self.resting_count = self.mover_count = self.other_count = self.pair_count = 0
        self.altered_count = self.saved_count = 0

    def forget_constants(self) -> cython.void:
        """Read the masses and parts of all rows again in the next step."""
        for row in range(self.capacity):
            self.known[row] = 0

    def set_dynamic(self, row: cython.int, is_dynamic: cython.bint) -> cython.bint:
        """Set whether a row is dynamic; one that becomes so is awake. Returns whether it no longer is."""
        if is_dynamic:
            if self.states[row] == 0:
                self.add_awake(row)
        elif self.states[row] != 0:
            self.wake(row)
            self.states[row] = 0
            return True
        return False

    def set_constants(self, row: cython.int, constants: array[float], records: array[float], shape: Shape) -> None:
        """Set what a row has for all steps until it changes."""
        view: cython.double[::1] = constants
        part: cython.double[::1] = records
        for at in range(18):
            self.constants[34 * row + at] = view[at]
        for at in range(min(16, len(records))):
            self.constants[34 * row + 18 + at] = part[at]
        self.records[row], self.shapes[row] = records[16:] or None, shape
        self.known[row] = 1

    def add_awake(self, row: cython.int) -> cython.void:
        """List a row as awake."""
        if self.awake_count == len(self.awake):
            self.compact()
        self.states[row] = _AWAKE
        self.awake[self.awake_count] = row
        self.awake_count += 1

    def compact(self) -> cython.void:
        """Remove rows from the list that are not awake or listed twice."""
        count: cython.Py_ssize_t = 0
        for at in range(self.awake_count):
            row: cython.int = self.awake[at]
            if self.states[row] == _AWAKE and self.seen[row] != -1:
                self.seen[row] = -1
                self.awake[count] = row
                count += 1
        for at in range(count):
            self.seen[self.awake[at]] = 0
        self.awake_count = count

    def lay_to_rest(self, row: cython.int, with_row: cython.int) -> cython.void:
        """Let an awake row sleep, in the island of a row that sleeps already, or alone if that is the row itself."""
        self.states[row] = _RESTING
        self.resting_count += 1
        self.ring[row] = row
        if with_row != row:
            self.ring[row], self.ring[with_row] = self.ring[with_row], row

    def join_islands(self, row: cython.int, other: cython.int) -> cython.void:
        """Let two islands that sleep wake together, if they do not yet."""
        each: cython.int = self.ring[row]
        while each != row and each != other:
            each = self.ring[each]
        if each == row:
            self.ring[row], self.ring[other] = self.ring[other], self.ring[row]

    def wake(self, row: cython.int) -> cython.void:
        """Wake a row that sleeps, with its island. Their time of being slow begins again at 0."""
        each: cython.int = row
        if self.states[row] != _RESTING:
            return
        while self.states[each] == _RESTING:
            following: cython.int = self.ring[each]
            self.resting_count -= 1
            self.add_awake(each)
            self.rouse(each)
            each = following
        self.has_woken = True

    def rouse(self, row: cython.int) -> cython.void:
        """Let the component of a row say that it does not sleep."""
        velocity: VelocityFields = cython.cast(VelocityFields, self.columns.velocities[row])
        if velocity._slow == _SLEEPS:
            velocity._slow = 0.0
            self.woken.append(velocity)

    def rouse_immovable(self) -> cython.void:
        """Let no component of a row that is not dynamic say that it sleeps."""
        for row in range(len(self.columns.velocities)):
            if self.states[row] == 0 and self.columns.velocities[row] is not None:
                self.rouse(row)

    def clear_woken(self) -> cython.void:
        """Begin an undo record: forget what woke before."""
        self.woken.clear()

    def put_to_sleep_again(self) -> cython.void:
        """Undo what `wake` did to components since `clear_woken`; the states are read again after it."""
        for velocity in self.woken:
            velocity._slow = SLEEPS
        self.woken.clear()

    def release(self, row: cython.int) -> cython.void:
        """Forget a row whose body is removed, and wake what may have rested on it."""
        if row >= self.capacity:
            return
        self.wake(row)
        self.wake_near(row)
        self.states[row] = self.known[row] = self.supports[row] = 0
        self.records[row] = self.shapes[row] = None

    def wake_near(self, row: cython.int) -> cython.void:
        """Wake the sleeping rows that a row meets where it is."""
        flags: cython.int = self.columns.flags_view[row]
        slot: cython.Py_ssize_t
        if self.resting_count == 0:
            return
        if flags & _ENABLED and flags & _SOLID:
            grid = self.static if flags & _STATIC else self.dynamic
            for slot in range(
                self.columns.first_view[row], self.columns.first_view[row] + self.columns.count_view[row]
            ):
                self.wake_in(grid.boxes.faces_view, 8 * slot)

    def wake_in(self, faces: cython.longlong[::1], first: cython.Py_ssize_t) -> cython.void:
        """Wake the sleeping rows with boxes in a region, or so near it that they may be in contact.

        The region has six faces, from number `first` on.
        """
        near: cython.longlong = _NEAR
        self.dynamic.collect(
            faces[first] - near,
            faces[first + 1] - near,
            faces[first + 2] - near,
            faces[first + 3] + near,
            faces[first + 4] + near,
            faces[first + 5] + near,
        )
        for at in range(self.dynamic.hit_count):
            self.wake(self.dynamic.boxes.owner_view[self.dynamic.hits_view[at]])

    def changed_supports(self) -> list[int]:
        """Return the ids of noted rows that may touch a row that sleeps; they touch none after this."""
        found: list[int] = []
        for at in range(self.dirty_rows.noted_count):
            row: cython.int = self.dirty_rows.noted_rows_view[at]
            if row < self.capacity and self.supports[row]:
                self.supports[row] = 0
                found.append(self.columns.ids_view[row])
        return found

    def sleepers(self) -> list[int]:
        """Return the dynamic rows whose components say that they sleep."""
        row: cython.int  # noqa: F842 - that of the comprehension
        return [
            row
            for row in range(self.capacity)
            if self.states[row] == _AWAKE and cython.cast(VelocityFields, self.columns.velocities[row])._slow == _SLEEPS
        ]

    def wake_all(self) -> cython.void:
        """Wake all rows that sleep."""
        for row in range(self.capacity):
            self.wake(row)

    def read_notes(self) -> cython.void:
        """Wake what the noted rows disturb, and collect the rows whose components changed in `altered`."""
        self.reserve()
        self.altered_count = 0
        for at in range(self.dirty_rows.noted_count):
            row: cython.int = self.dirty_rows.noted_rows_view[at]
            self.wake(row)
            if self.dirty_rows.notes_view[row] > 1:
                self.known[row] = 0
                self.wake_near(row)
                self.altered[self.altered_count] = row
                self.altered_count += 1
            elif self.states[row] == 0:
                self.wake_near(row)

    # The bodies and pairs of a step.

    def search(self, seconds: cython.double, gx: cython.double, gy: cython.double, gz: cython.double) -> cython.void:
        """Find the movers of a step, the bodies near them that do not move in it, and the pairs that may meet."""
        self.clear_places()
        self.pair_count = self.moved_count = 0
        fall_x: cython.double = (gx if gx > 0.0 else -gx) * seconds
        fall_y: cython.double = (gy if gy > 0.0 else -gy) * seconds
        fall_z: cython.double = (gz if gz > 0.0 else -gz) * seconds
        self.sort(self.awake, self.awake_count)  # as it is after each step
        for at in range(self.awake_count):
            if self.states[self.awake[at]] == _AWAKE and self.places[self.awake[at]] == 0:
                self.add_mover(self.awake[at], seconds, fall_x, fall_y, fall_z)
        self.awake_count = 0
        for at in range(self.mover_count):
            self.add_awake(self.movers[at])
            if self.columns.flags_view[self.movers[at]] & _SOLID:
                self.search_mover(at)

    def clear_places(self) -> cython.void:
        """Forget the bodies of the last step."""
        for at in range(self.mover_count):
            self.places[self.movers[at]] = self.seen[self.movers[at]] = 0
        for at in range(self.other_count):
            self.places[self.others[at]] = self.seen[self.others[at]] = 0
        self.mover_count = self.other_count = 0

    def add_mover(
        self,
        row: cython.int,
        seconds: cython.double,
        fall_x: cython.double,
        fall_y: cython.double,
        fall_z: cython.double,
    ) -> cython.void:
        """Add an awake row to the movers, with its bounds and how far it may go."""
        at: cython.Py_ssize_t = 3 * self.mover_count
        velocity: VelocityFields = cython.cast(VelocityFields, self.columns.velocities[row])
        x: cython.double = velocity._x if velocity._x > 0.0 else -velocity._x
        y: cython.double = velocity._y if velocity._y > 0.0 else -velocity._y
        z: cython.double = velocity._z if velocity._z > 0.0 else -velocity._z
        self.store_span(row, self.spans, 6 * self.mover_count)
        slack: cython.longlong = self.slack(6 * self.mover_count) + self.extra[row]
        turning: cython.double = abs(velocity._turning_x) + abs(velocity._turning_y) + abs(velocity._turning_z)
        if turning != 0.0:
            slack += rounded(min(turning * seconds, 2.0) * self.half_length(6 * self.mover_count) * _LATTICE)
        self.margins[at] = rounded((x + fall_x) * seconds) + slack
        self.margins[at + 1] = rounded((y + fall_y) * seconds) + slack
        self.margins[at + 2] = rounded((z + fall_z) * seconds) + slack
        self.movers[self.mover_count] = row
        self.mover_count += 1
        self.places[row] = cython.cast(cython.int, self.mover_count)

    def half_length(self, at: cython.Py_ssize_t) -> cython.double:
        """Return an upper bound of half the length of a body, in units. at: where its bounds begin."""
        return 0.5 * cython.cast(
            cython.double,
            self.spans[at + 3]
            - self.spans[at]
            + self.spans[at + 4]
            - self.spans[at + 1]
            + self.spans[at + 5]
            - self.spans[at + 2],
        )

    def slack(self, at: cython.Py_ssize_t) -> cython.longlong:
        """Return how far beyond its way a body may meet another, in units: more than the gap at which bodies rest.

        at: where its bounds begin. Impulses change its way, too.
        """
        x: cython.longlong = self.spans[at + 3] - self.spans[at]
        y: cython.longlong = self.spans[at + 4] - self.spans[at + 1]
        return 2048 + max(min(x, y) >> 4, max(x, max(y, self.spans[at + 5] - self.spans[at + 2])) >> 6)

    def store_span(self, row: cython.int, spans: cython.longlong[::1], at: cython.Py_ssize_t) -> cython.void:
        """Write the bounds of a row with boxes in the index."""
        grid: Index = self.static if self.columns.flags_view[row] & _STATIC else self.dynamic
        first: cython.Py_ssize_t = self.columns.first_view[row]
        for axis in range(6):
            spans[at + axis] = grid.boxes.faces_view[8 * first + axis]
        for slot in range(first + 1, first + self.columns.count_view[row]):
            for axis in range(3):
                spans[at + axis] = min(spans[at + axis], grid.boxes.faces_view[8 * slot + axis])
                spans[at + 3 + axis] = max(spans[at + 3 + axis], grid.boxes.faces_view[8 * slot + 3 + axis])

    def search_mover(self, mover: cython.Py_ssize_t) -> cython.void:
        """Find the pairs of a mover: with bodies that do not move, and with movers that do not find it.

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
            self.spans[at] - margin,
            self.spans[at + 1] - margin,
            self.spans[at + 2] - margin,
            self.spans[at + 3] + margin,
            self.spans[at + 4] + margin,
            self.spans[at + 5] + margin,
        )

    def widest(self, mover: cython.Py_ssize_t) -> cython.longlong:
        """Return the largest margin of a mover."""
        return max(self.margins[3 * mover], max(self.margins[3 * mover + 1], self.margins[3 * mover + 2]))

    def add_pairs(self, mover: cython.Py_ssize_t, grid: Index) -> cython.void:
        """Add the pairs of a mover with the owners of the boxes found."""
        row: cython.int = self.movers[mover]
        stamp: cython.int = cython.cast(cython.int, mover + 1)
        own: cython.longlong = self.widest(mover)
        for at in range(grid.hit_count):
            slot: cython.Py_ssize_t = grid.hits_view[at]
            other: cython.int = grid.boxes.owner_view[slot]
            if other == row or self.seen[other] == stamp or not self.columns.may_meet(row, other):
                continue
            if self.states[other] == _AWAKE:
                place: cython.Py_ssize_t = self.places[other] - 1
                theirs: cython.longlong = self.widest(place)
                if theirs > own or (theirs == own and self.columns.ids_view[other] < self.columns.ids_view[row]):
                    continue
                if self.is_near(mover, grid, slot, 3 * place):
                    self.add_pair(row, other)
                    self.seen[other] = stamp
            elif self.is_near(mover, grid, slot, -1):
                if self.places[other] == 0:
                    self.add_other(other)
                self.add_pair(row, other)
                self.seen[other] = stamp

    def is_near(
        self, mover: cython.Py_ssize_t, grid: Index, slot: cython.Py_ssize_t, margins: cython.Py_ssize_t
    ) -> cython.bint:
        """Return whether the widened bounds of a mover meet a box, which has margins too if its owner is a mover."""
        for axis in range(3):
            margin: cython.longlong = self.margins[3 * mover + axis]
            if margins >= 0:
                margin += self.margins[margins + axis]
            if (
                self.spans[6 * mover + axis] - margin > grid.boxes.faces_view[8 * slot + 3 + axis]
                or self.spans[6 * mover + 3 + axis] + margin < grid.boxes.faces_view[8 * slot + axis]
            ):
                return False
        return True

    def add_other(self, row: cython.int) -> cython.void:
        """Add a row to the step that does not move in it."""
        self.others[self.other_count] = row
        self.other_count += 1
        self.places[row] = 1

    def add_pair(self, row: cython.int, other: cython.int) -> cython.void:
        """Add a pair of rows."""
        if self.pair_count == self.pair_capacity:
            self.reserve_pairs(2 * self.pair_capacity)
        self.first_rows[self.pair_count] = row
        self.second_rows[self.pair_count] = other
        self.pair_count += 1

    def order_bodies(self) -> cython.void:
        """Put the rows of the step into `order`, by their ids, and number them in `places`."""
        ids: cython.longlong[::1] = self.columns.ids_view
        count: cython.Py_ssize_t = self.mover_count + self.other_count
        mover: cython.Py_ssize_t = 0
        self.sort(self.others, self.other_count)
        for at in range(count):
            other: cython.Py_ssize_t = at - mover
            if mover == self.mover_count or (
                other < self.other_count and ids[self.others[other]] < ids[self.movers[mover]]
            ):
                row: cython.int = self.others[other]
            else:
                row = self.movers[mover]
                mover += 1
            self.order[at] = row
            self.places[row] = cython.cast(cython.int, at + 1)

    def sort(self, rows: cython.int[::1], count: cython.Py_ssize_t) -> cython.void:
        """Sort rows by their ids; they are in order mostly."""
        ids: cython.longlong[::1] = self.columns.ids_view
        for at in range(1, count):
            row, to = rows[at], at
            while to > 0 and ids[rows[to - 1]] > ids[row]:
                rows[to] = rows[to - 1]
                to -= 1
            rows[to] = row

    def find_plane(self) -> cython.bint:
        """Return whether all bodies of the step lie and move in the plane of 2D (L5)."""
        for at in range(self.other_count):
            if self.columns.planes_view[self.others[at]] == _OUT_OF_PLANE:
                return False
        for at in range(self.mover_count):
            if self.columns.planes_view[self.movers[at]] == _OUT_OF_PLANE:
                return False
            velocity = cython.cast(VelocityFields, self.columns.velocities[self.movers[at]])
            if velocity._z != 0.0 or velocity._turning_x != 0.0 or velocity._turning_y != 0.0:
                return False
            if type(self.parts[self.movers[at]].transform._rotation) is tuple:
                return False
        return True

    def unknown_rows(self) -> list[int]:
        """Return the rows of the step whose constants are not known."""
        return [self.order[at] for at in range(self.mover_count + self.other_count) if self.known[self.order[at]] == 0]

    def fill(self, is_flat: cython.bint) -> cython.void:
        """Fill `bodies` with the rows of the step, in order."""
        self.bodies.begin(is_flat)
        for at in range(self.mover_count + self.other_count):
            self.add_body(self.order[at])

    def sort_pairs(self) -> cython.void:
        """Write the pairs to `first` and `second` as indexes of bodies, the lower one first, sorted.

        They are counted by their first body. The few of each are then put in order one by one.
        """
        bodies: cython.Py_ssize_t = self.mover_count + self.other_count
        for at in range(bodies + 1):
            self.begins[at] = 0
        for at in range(self.pair_count):
            a, b = self.places[self.first_rows[at]], self.places[self.second_rows[at]]
            self.begins[min(a, b)] += 1
        for at in range(bodies):
            self.begins[at + 1] += self.begins[at]
            self.ends[at] = self.begins[at]
        for at in range(self.pair_count):
            a, b = self.places[self.first_rows[at]] - 1, self.places[self.second_rows[at]] - 1
            a, b = min(a, b), max(a, b)
            to: cython.Py_ssize_t = self.ends[a]
            self.ends[a] += 1
            while to > self.begins[a] and self.second[to - 1] > b:
                self.second[to] = self.second[to - 1]
                self.first[to] = a
                to -= 1
            self.first[to], self.second[to] = a, b

    def refuse_pairs(self, may_meet: Callable[[int, int], bool]) -> None:
        """Leave out the sorted pairs of whose ids a function says that they do not meet."""
        count: cython.Py_ssize_t = 0
        refused: set[tuple[int, int]] = set()
        for at in range(self.pair_count):
            a, b = self.first[at], self.second[at]
            if not may_meet(self.bodies.entity[a], self.bodies.entity[b]):
                refused.add((a, b))
        if not refused:
            return
        for at in range(self.pair_count):
            a, b = self.places[self.first_rows[at]] - 1, self.places[self.second_rows[at]] - 1
            if (min(a, b), max(a, b)) not in refused:
                self.first_rows[count], self.second_rows[count] = self.first_rows[at], self.second_rows[at]
                count += 1
        self.pair_count = count
        self.sort_pairs()

    def drop_fused_pairs(self, links: GroupLinks) -> cython.void:
        """Leave out the pairs within a group."""
        left: cython.Py_ssize_t = 0
        for at in range(self.pair_count):
            if not links.is_same_body(self.first_rows[at], self.second_rows[at]):
                self.first_rows[left], self.second_rows[left] = self.first_rows[at], self.second_rows[at]
                left += 1
        self.pair_count = left

    def leaders(self, links: GroupLinks) -> array[int]:
        """Return the rows of the roots of the groups of all bodies."""
        found: array[int] = zeros("i", self.bodies.count)
        view: cython.int[::1] = found
        for at in range(self.bodies.count):
            view[at] = links.leader_view[self.order[at]]
        return found

    def add_body(self, row: cython.int) -> cython.void:
        """Append a row to `bodies`. One that sleeps is immovable in the step."""
        b: StepBodies = self.bodies
        c: cython.double[::1] = self.constants
        k: cython.Py_ssize_t = 34 * row
        is_awake: cython.bint = self.states[row] == _AWAKE
        at: cython.Py_ssize_t = b.add(
            self.columns.ids_view[row],
            self.columns.pos_view[8 * row],
            self.columns.pos_view[8 * row + 1],
            self.columns.pos_view[8 * row + 2],
            c[k] if is_awake else 0.0,
        )
        for number in range(3):
            b.inverse_moment[3 * at + number] = c[k + 1 + number] if is_awake else 0.0
            b.centre[3 * at + number] = c[k + 8 + number]
        for number in range(4):
            b.moment_axes[4 * at + number] = c[k + 4 + number]
        b.damping[2 * at], b.damping[2 * at + 1], b.gravity_scale[at] = c[k + 11], c[k + 12], c[k + 13]
        b.restitution[at], b.friction[at], b.rolling[at] = c[k + 14], c[k + 15], c[k + 16]
        if c[k + 17] != 0.0:
            self.set_rotation(at, row)
        b.add_part(c, k + 18)
        if self.records[row] is not None:
            records: cython.double[::1] = self.records[row]
            for number in range(0, len(records), 16):
                b.add_part(records, number)
        b.one_way[at] = self.columns.one_way_view[row]
        b.in_plane[at] = self.columns.planes_view[row] != _OUT_OF_PLANE
        if self.states[row] == _RESTING:
            b.sleeps[at] = 1
        if self.columns.velocities[row] is None or self.states[row] == _RESTING:
            return
        velocity = cython.cast(VelocityFields, self.columns.velocities[row])
        b.velocity[3 * at], b.velocity[3 * at + 1], b.velocity[3 * at + 2] = velocity._x, velocity._y, velocity._z
        b.angular[3 * at], b.angular[3 * at + 1] = velocity._turning_x, velocity._turning_y
        b.angular[3 * at + 2] = velocity._turning_z
        if is_awake:
            b.slow[at] = velocity._slow
            b.remainder[3 * at], b.remainder[3 * at + 1] = velocity._left_x, velocity._left_y
            b.remainder[3 * at + 2] = velocity._left_z

    def set_rotation(self, at: cython.Py_ssize_t, row: cython.int) -> cython.void:
        """Give a body that can turn its rotation; the parts of others are placed in their records."""
        rotation: Any = self.parts[row].transform._rotation
        if rotation is None:
            return
        if type(rotation) is float and self.bodies.flat:
            self.bodies.angle[at] = rotation
            return
        x, y, z, w = quaternion_of(rotation)
        self.bodies.rotation[4 * at], self.bodies.rotation[4 * at + 1] = x, y
        self.bodies.rotation[4 * at + 2], self.bodies.rotation[4 * at + 3] = z, w

    # The results of a step.

    def widen(self) -> cython.bint:
        """Let the next search of this step look as far as bodies that were hit went; return whether any was."""
        found: cython.bint = False
        for at in range(self.mover_count):
            i: cython.Py_ssize_t = 3 * (self.places[self.movers[at]] - 1)
            for axis in range(3):
                way: cython.double = self.bodies.moved[i + axis]
                reach: cython.double = self.bodies.reach[i // 3]
                if self.bodies.following[i // 3] * 3 != i:  # that of its group, which `moved` counts already
                    reach = min(reach, self.half_length(6 * at) * _LATTICE)
                way = (abs(way) + min(abs(self.bodies.turned[i // 3]), 2.0) * reach) * _PER_UNIT
                if way > cython.cast(cython.double, self.margins[3 * at + axis]):
                    self.extra[self.movers[at]] = cython.cast(cython.longlong, 2.0 * way)
                    found = True
        return found

    def wake_hit(self, contacts: StepContacts) -> cython.bint:
        """Wake the sleeping bodies that one that was fast has pushed in the step; return whether there are any."""
        woke: cython.bint = False
        if self.resting_count == 0:
            return False
        for at in range(contacts.count):
            first, second = contacts.first[at], contacts.second[at]
            if first == self.bodies.count or self.bodies.sleeps[first] == self.bodies.sleeps[second]:
                continue
            if self.bodies.sleeps[first]:
                first, second = second, first
            if self.bodies.inverse_mass[first] == 0.0 or self.bodies.slow[first] > 0.0 or not contacts.pushes(at):
                continue
            if self.states[self.order[second]] == _RESTING:
                self.wake(self.order[second])
                woke = True
        return woke

    def find_touches(self, contacts: StepContacts) -> list[tuple[int, int, int, int, bool, bool]]:
        """Return the pairs of which one asks for contacts, if they were pushed first, let go or hit in the step.

        For each the two rows, the numbers of its contacts (from, to), whether it was pushed and did not hold before,
        and whether it held or was pushed and does not hold any more.
        """
        at: cython.Py_ssize_t = 0
        point: cython.Py_ssize_t
        known: cython.bint
        held: cython.bint
        hit: cython.bint
        found: list[tuple[int, int, int, int, bool, bool]] = []
        while at < contacts.count:
            first, second, end = contacts.first[at], contacts.second[at], at
            known = pushed = held = hit = False
            while end < contacts.count and contacts.first[end] == first and contacts.second[end] == second:
                known |= contacts.known[end] != 0
                held |= contacts.held[end] != 0
                for point in range(contacts.start[end], contacts.start[end + 1]):
                    if contacts.points[13 * point + 11] > 0.0:
                        pushed = True
                        hit |= contacts.points[13 * point + 12] > 0.0
                end += 1
            if first < self.bodies.count and (hit or pushed > known or (known | pushed) > held):
                first, second = self.order[first], self.order[second]
                if (self.columns.flags_view[first] | self.columns.flags_view[second]) & _ASKS:
                    found.append((first, second, at, end, pushed and not known, (known or pushed) and not held))
            at = end
        return found

    def reports(self, row: cython.int, other: cython.int) -> bool:
        """Return whether an asking row reports another that it meets, by their filters (C2)."""
        return bool(self.columns.reports(row, other))

    def are_near(
        self,
        row: cython.int,
        other: cython.int,
        moves: cython.bint,
        other_moves: cython.bint,
        gap: cython.double,
    ) -> cython.bint:
        """Return whether two rows are solid, enabled and near, given which of them are dynamic.

        What is held has a gap of two slops: less than a sixteenth of the length of the smaller one that is dynamic, or
        `gap`, which the weight of small bodies needs (see `StepContacts.size_of`).
        """
        flags: cython.int = self.columns.flags_view[row] & self.columns.flags_view[other]
        if not (flags & _ENABLED and flags & _SOLID):
            return False
        self.store_span(row, self.nearby, 0)
        self.store_span(other, self.nearby, 6)
        return self.spans_are_near(moves, other_moves, gap)

    def spans_are_near(self, moves: cython.bint, other_moves: cython.bint, gap: cython.double) -> cython.bint:
        """Return whether two bounds in `nearby` are near, given which of the bodies are dynamic."""
        by: cython.longlong = 0
        if moves:
            by = self.share_of_length(0)
        if other_moves:
            by = min(by, self.share_of_length(6)) if moves else self.share_of_length(6)
        by += rounded(gap) + 1
        for axis in range(3):
            if self.nearby[axis] > self.nearby[9 + axis] + by or self.nearby[6 + axis] > self.nearby[3 + axis] + by:
                return False
        return True

    def share_of_length(self, at: cython.Py_ssize_t) -> cython.longlong:
        """Return a part of the longest side of bounds in `nearby`."""
        longest: cython.longlong = 0
        for axis in range(at, at + 3):
            longest = max(longest, self.nearby[axis + 3] - self.nearby[axis])
        return longest >> 4

    def let_go(self, landing: Landing, contacts: StepContacts, gap: cython.double) -> list[tuple[int, int]]:
        """Let the contacts hold no more whose bodies have landed apart; return the pairs of ids."""
        found: list[tuple[int, int]] = []
        for contact in range(contacts.count):
            if contacts.held[contact] == 0 or contacts.first[contact] == self.bodies.count:
                continue
            for number in range(2):
                body: cython.int = contacts.second[contact] if number else contacts.first[contact]
                for axis in range(6):
                    self.nearby[6 * number + axis] = (
                        landing.position_view[3 * body + axis % 3] + landing.bounds_view[6 * body + axis]
                    )
            if not self.spans_are_near(
                self.bodies.is_dynamic(contacts.first[contact]), self.bodies.is_dynamic(contacts.second[contact]), gap
            ):
                contacts.held[contact] = 0
                pair = (self.bodies.entity[contacts.first[contact]], self.bodies.entity[contacts.second[contact]])
                if pair not in found[len(found) - 1 :]:
                    found.append(pair)
        return found

    def fill_landing(self, landing: Landing, contacts: StepContacts) -> cython.void:
        """Give the new places of the bodies, with the shapes that they had before the step."""
        count: cython.Py_ssize_t = self.bodies.count
        self.bodies.commit()
        if count > landing.capacity:
            landing.reserve(count)
        landing.velocity, landing.angular, landing.contacts = self.bodies.velocity, self.bodies.angular, contacts
        landing.shapes.clear()
        landing.old_shapes.clear()
        for at in range(count):
            row: cython.int = self.order[at]
            landing.shapes.append(self.shape_of_row(row))
            landing.weight_view[at] = self.bodies.inverse_mass[at]
            landing.size_view[at] = self.bodies.size[at] * _PER_UNIT if self.bodies.inverse_mass[at] != 0.0 else _HUGE
            landing.flat_view[at] = self.bodies.in_plane[at]
            landing.one_way_view[at] = self.bodies.one_way[at]
            landing.following_view[at] = self.bodies.following[at]
            self.store_span(row, landing.bounds_view, 6 * at)
            for axis in range(3):
                landing.position_view[3 * at + axis] = self.bodies.position[3 * at + axis]
                landing.old_position_view[3 * at + axis] = self.columns.pos_view[8 * row + axis]
                landing.bounds_view[6 * at + axis] -= self.columns.pos_view[8 * row + axis]
                landing.bounds_view[6 * at + 3 + axis] -= self.columns.pos_view[8 * row + axis]
            for axis in range(6):
                landing.old_bounds_view[6 * at + axis] = landing.bounds_view[6 * at + axis]
        landing.old_shapes.extend(landing.shapes)

    def shape_of_row(self, row: cython.int) -> Shape:
        """Return the parts of a row as they are placed now."""
        shape: Shape | None = cython.cast(Form, self.columns.forms[row]).shape
        return self.shapes[row] if shape is None else shape

    def turn_bodies(self, landing: Landing) -> cython.void:
        """Give the shapes of the bodies that the step turns, and note their index and their rotation."""
        b: StepBodies = self.bodies
        self.turned_count = 0
        self.rotations.clear()
        for at in range(b.count):
            if b.turned[at] == 0.0 or b.inverse_mass[at] == 0.0:
                continue
            k, row = 4 * at, self.order[at]
            rotation: Any = b.angle[at] + 0.0
            if not b.flat:
                rotation = (b.rotation[k], b.rotation[k + 1], b.rotation[k + 2], b.rotation[k + 3])
            formed: Formed = cython.cast(ColliderFields, cython.cast(Parts, self.parts[row]).collider)._formed
            form: Form = formed.form_of(rotation)
            landing.set_turned(at, Shape(form.all_parts) if form.shape is None else form.shape)
            self.turned[self.turned_count] = cython.cast(cython.int, at)
            self.turned_count += 1
            self.rotations.append(rotation)

    def write_rotations(self, landing: Landing, placement: Placement) -> cython.void:
        """Write the rotations of the bodies that the step turns, if they need not stay."""
        for number in range(self.turned_count):
            if landing.held_view[self.turned[number]] == 0:
                placement.write_rotation(self.order[self.turned[number]], self.rotations[number])

    def partners(self, body: cython.Py_ssize_t) -> list[int]:
        """Return the bodies that one of the step may meet."""
        found: list[int] = []
        for at in range(self.pair_count):
            if self.first[at] == body or self.second[at] == body:
                found.append(self.second[at] if self.first[at] == body else self.first[at])
        return found

    def take_landing(self, landing: Landing) -> cython.void:
        """Take over where the bodies landed; those that had to stay lose their remainder and have not moved."""
        for at in range(self.bodies.count):
            for axis in range(3 * at, 3 * at + 3):
                way = cython.cast(cython.double, landing.position_view[axis] - self.bodies.position[axis])
                self.bodies.moved[axis] += way * _LATTICE
                self.bodies.position[axis] = landing.position_view[axis]
                if landing.held_view[at]:
                    self.bodies.remainder[axis] = self.bodies.moved[axis] = 0.0
            if landing.held_view[at]:
                self.bodies.turned[at] = 0.0

    def carry(self, row: cython.int, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> None:
        """Write the position of a trigger that moves with its group."""
        self.dirty_transforms.write(row, x, y, z)

    def write_positions(self) -> cython.void:
        """Write the new positions of the movers to their Transforms, and list them in `moved`."""
        p: cython.longlong[::1] = self.bodies.position
        self.moved_count = 0
        for at in range(self.mover_count):
            row: cython.int = self.movers[at]
            i: cython.Py_ssize_t = 3 * (self.places[row] - 1)
            if (
                p[i] != self.columns.pos_view[8 * row]
                or p[i + 1] != self.columns.pos_view[8 * row + 1]
                or p[i + 2] != self.columns.pos_view[8 * row + 2]
            ):
                self.moved[self.moved_count] = row
                self.moved_count += 1
                self.dirty_transforms.write(row, p[i], p[i + 1], p[i + 2])

    def write_velocities(self, frame: cython.longlong, sleeping: cython.schar[::1]) -> cython.void:
        """Write velocities, remainders and times, and disturb the bodies in `frame`, so that islands rest as one.

        sleeping: by index of the bodies, whether they fall asleep now. Lists the awake bodies whose `Sleeping` is
        asleep in `restless`.
        """
        b: StepBodies = self.bodies
        c, v, w, r = self.before, b.velocity, b.angular, b.remainder
        self.saved_count = self.restless_count = 0
        for at in range(self.mover_count):
            row: cython.int = self.movers[at]
            i: cython.Py_ssize_t = 3 * (self.places[row] - 1)
            k: cython.Py_ssize_t = 10 * at
            velocity = cython.cast(VelocityFields, self.columns.velocities[row])
            c[k], c[k + 1], c[k + 2] = velocity._x, velocity._y, velocity._z
            c[k + 3], c[k + 4], c[k + 5] = velocity._turning_x, velocity._turning_y, velocity._turning_z
            c[k + 6], c[k + 7], c[k + 8] = velocity._left_x, velocity._left_y, velocity._left_z
            c[k + 9] = velocity._slow
            self.disturbed[at] = self.dirty_rows.disturbed_view[row]
            self.saved_count = at + 1
            # Adding 0.0 makes 0.0 of -0.0, as snapshots do.
            velocity._x, velocity._y, velocity._z = v[i] + 0.0, v[i + 1] + 0.0, v[i + 2] + 0.0
            velocity._turning_x, velocity._turning_y, velocity._turning_z = w[i] + 0.0, w[i + 1] + 0.0, w[i + 2] + 0.0
            velocity._left_x, velocity._left_y, velocity._left_z = r[i] + 0.0, r[i + 1] + 0.0, r[i + 2] + 0.0
            velocity._slow = _SLEEPS if sleeping[i // 3] else b.slow[i // 3]
            self.dirty_rows.disturbed_view[row] = frame
            if self.columns.flags_view[row] & _ASLEEP:
                self.restless[self.restless_count] = row
                self.restless_count += 1

    def restore(self) -> cython.void:
        """Undo `write_velocities`. Works at any point of an interrupted call."""
        c = self.before
        for at in range(self.saved_count):
            row: cython.int = self.movers[at]
            k: cython.Py_ssize_t = 10 * at
            velocity = cython.cast(VelocityFields, self.columns.velocities[row])
            velocity._x, velocity._y, velocity._z = c[k], c[k + 1], c[k + 2]
            velocity._turning_x, velocity._turning_y, velocity._turning_z = c[k + 3], c[k + 4], c[k + 5]
            velocity._left_x, velocity._left_y, velocity._left_z, velocity._slow = (
                c[k + 6],
                c[k + 7],
                c[k + 8],
                c[k + 9],
            )
            self.dirty_rows.disturbed_view[row] = self.disturbed[at]
        self.saved_count = 0

    def settle(self, sleeping: cython.schar[::1], island: cython.int[::1]) -> cython.void:
        """Let the islands sleep that the step left asleep; the other movers stay awake."""
        self.awake_count = self.saved_count = self.fallen_count = 0
        for at in range(self.mover_count):
            self.extra[self.movers[at]] = 0
        for at in range(self.bodies.count):
            row: cython.int = self.order[at]
            if self.states[row] == _AWAKE and sleeping[at] == 0:
                self.add_awake(row)
            elif self.states[row] == _AWAKE:
                self.fallen[self.fallen_count] = row
                self.fallen_count += 1
        for at in range(self.bodies.count):
            row, root = self.order[at], self.order[island[at]]
            if sleeping[at]:
                self.lay_to_rest(row, root)
            elif self.states[row] == _RESTING and self.states[root] == _RESTING and root != row:
                self.join_islands(row, root)


def listed(rows: cython.int[::1], count: cython.Py_ssize_t) -> array[int]:
    """Return the first of some rows."""
    return array_of(rows)[:count] if count else array("i")
