# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Whether bodies meet by the rule of a reporter: now, and when they were last compared (rules T1, T2, C1)."""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.shapes.overlap import (
        axis_separation,
        box_depth,
        box_side,
        is_on_side,
        nearly_touch,
    )
    from cython.cimports.ecs_collision.shapes.overlap import separation as separation_of
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from ecs_collision.shapes.overlap import axis_separation, box_depth, box_side, is_on_side, nearly_touch
    from ecs_collision.shapes.overlap import separation as separation_of

from ecs_collision._arrays import aligned, array_of, longer_aligned
from ecs_collision.bodies.columns import ONE_WAY, SHAPED, SOLID, STATIC, STATICS, TOUCHING, Columns, GroupLinks
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.protocol import Index
from ecs_collision.shapes.overlap import PlacedPart

NO_NORMAL = 6
"""Code of a contact whose normal is not that of two boxes of compounds, or takes more than comparing them all."""

# C copies: compiled code would look the imported names up as Python objects.
_NO_NORMAL = cython.declare(cython.int, NO_NORMAL)
_SOLID = cython.declare(cython.int, SOLID)
_SHAPED = cython.declare(cython.int, SHAPED)
_ONE_WAY = cython.declare(cython.int, ONE_WAY)
_STATIC = cython.declare(cython.int, STATIC)
_STATICS = cython.declare(cython.int, STATICS)
_TOUCHING = cython.declare(cython.int, TOUCHING)

ALTERED, HULLED = 1, 2
"""Bits of the mark of a changed row: it was not only displaced; or it was, and searches by the hull of its way."""
_ALTERED = cython.declare(cython.longlong, ALTERED)


def reported_row(columns: Columns, links: GroupLinks, row: cython.int) -> cython.int:
    """Return the row under which a row is reported: the leader of its group if it is solid, else itself (T6)."""
    return links.leader_view[row] if columns.flags_view[row] & _SOLID else row


@cython.cfunc
@cython.exceptval(check=False)
def _way(low: cython.longlong, high: cython.longlong, at: cython.longlong) -> cython.longlong:
    """Return the way on an axis from a place to the nearest of an extent, signed."""
    return low - at if at < low else (high - at if at > high else 0)


@cython.final
@cython.cclass
class Overlaps:
    """The boxes of rows now and, for rows that were only displaced, when they were last compared.

    `pass_number` counts the updates. `compared` holds four items for each row: its position when it was last compared,
    and a mark. A row that has changed since the last update has 4 * this number + ALTERED, HULLED or 0 as its mark.
    """

    def __init__(self, columns: Columns, links: GroupLinks, dynamic: Index, static: Index) -> None:
        self.columns, self.links = columns, links
        self.dynamic, self.static = dynamic, static
        self.pairs_tested = self.static_searches = 0
        self.pass_number = 0
        self.part, self.other_part = PlacedPart(), PlacedPart()
        self.compared = aligned(0)

    def reserve_rows(self) -> cython.int:
        """Make room for every row of the table, before the first update as if all were compared where they are.

        Reporters are altered in that update, so for none of their contacts it matters where a row was.
        """
        row: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        is_first: cython.bint = len(self.compared) == 0
        if len(self.compared) != 4 * self.columns.capacity:
            self.compared = longer_aligned(self.compared, 4 * self.columns.capacity)
        for row in range(self.columns.capacity if is_first else 0):
            for axis in range(3):
                self.compared[4 * row + axis] = self.columns.pos_view[8 * row + axis]
        return 0

    def mark(self, row: cython.int, bits: cython.longlong) -> cython.void:
        """Mark a row as changed since the last update."""
        self.compared[4 * row + 3] = 4 * self.pass_number + bits

    def has_changed(self, row: cython.int) -> cython.bint:
        """Return whether a row has changed since the last update."""
        return self.compared[4 * row + 3] >= 4 * self.pass_number

    def is_altered(self, row: cython.int) -> cython.bint:
        """Return whether a row has changed since the last update, and not only its position, so it has no way."""
        return self.compared[4 * row + 3] == 4 * self.pass_number + _ALTERED

    def store_positions(self, rows: cython.int[::1], count: cython.Py_ssize_t) -> cython.int:
        """Store the positions of the first rows of a list as compared; without reporters, once there has been one."""
        at: cython.Py_ssize_t
        if len(self.compared) == 0:
            return 0
        self.reserve_rows()
        compared: cython.longlong[::1] = self.compared
        pos: cython.longlong[::1] = self.columns.pos_view
        for at in range(count):
            row: cython.Py_ssize_t = rows[at]
            compared[4 * row] = pos[8 * row]
            compared[4 * row + 1] = pos[8 * row + 1]
            compared[4 * row + 2] = pos[8 * row + 2]
        return 0

    def grid_of(self, row: cython.int) -> Index:
        """Return the index that holds the boxes of a row."""
        return self.static if self.columns.flags_view[row] & _STATIC else self.dynamic

    # Now.

    def reports(self, reporter: cython.int, other: cython.int) -> bool:
        """Return whether a reporter reports a row that meets it, by their filters (T6, C2)."""
        return bool(self.columns.reports(reporter, other))

    def may_meet_static(self, row: cython.int) -> cython.bint:
        """Return whether a row may have contacts in the static index, so that this must be searched (T6).

        Only a reporter with STATICS has, and every row if there are static reporters.
        """
        return self.static.boxes.box_count > 0 and (
            self.columns.static_reporter_count > 0 or (self.columns.flags_view[row] & _STATICS) != 0
        )

    def is_contact(self, reporter: cython.int, name: cython.int) -> cython.bint:
        """Return whether a reporter meets any row with this name that it reports: box by box, without the index."""
        row: cython.int = name
        if self.links.is_same_body(reporter, name):
            return False
        while True:
            if (
                reported_row(self.columns, self.links, row) == name
                and self.columns.reports(reporter, row)
                and self.any_boxes_meet(reporter, row)
            ):
                return True
            row = self.links.next_row_view[row]
            if row == name:
                return False

    def any_boxes_meet(self, reporter: cython.int, other: cython.int) -> cython.bint:
        """Return whether any boxes of the two rows meet, by the rule of the reporter."""
        own_grid: Index = self.grid_of(reporter)
        other_grid: Index = self.grid_of(other)
        limit: cython.int = 1 if self.columns.flags_view[reporter] & _TOUCHING else 0
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        for a in range(
            self.columns.first_view[reporter], self.columns.first_view[reporter] + self.columns.outer_view[reporter]
        ):
            for b in range(
                self.columns.first_view[other], self.columns.first_view[other] + self.columns.outer_view[other]
            ):
                if self.separation(own_grid, a, other_grid, b) <= limit:
                    return True
        return False

    def separation(self, grid_a: Index, a: cython.Py_ssize_t, grid_b: Index, b: cython.Py_ssize_t) -> cython.int:
        """Return 0 if two parts overlap, 1 if they touch (L4, H5), 2 or more if neither.

        Solid parts of which one is one-way only touch, on the side of its direction, or are apart (M5).
        """
        count: cython.int = 0
        axis: cython.Py_ssize_t
        boxes_a: BoxPool = grid_a.boxes
        boxes_b: BoxPool = grid_b.boxes
        if self.columns.one_way_count > 0 and self.are_one_way(boxes_a.owner_view[a], boxes_b.owner_view[b]):
            return self.one_way_separation(grid_a, a, grid_b, b)
        if self.are_shaped(boxes_a, a, boxes_b, b):
            self.columns.place_part(self.part, boxes_a, a, 0, 0, 0)
            self.columns.place_part(self.other_part, boxes_b, b, 0, 0, 0)
            return self.separation_of_parts(boxes_a.owner_view[a], boxes_b.owner_view[b])
        for axis in range(3):
            count += axis_separation(
                boxes_a.faces_view[8 * a + axis],
                boxes_a.faces_view[8 * a + 3 + axis],
                boxes_b.faces_view[8 * b + axis],
                boxes_b.faces_view[8 * b + 3 + axis],
            )
            if count >= 4:
                return 4
        return count

    def separation_of_parts(self, row: cython.int, other: cython.int) -> cython.int:
        """Return the separation of the two parts at hand, of two rows; solid parts that nearly touch do touch."""
        found: cython.int = separation_of(self.part, self.other_part)
        if found > 1 and self.columns.flags_view[row] & self.columns.flags_view[other] & _SOLID:
            if nearly_touch(self.part, self.other_part):
                return 1
        return found

    def one_way_separation(
        self, grid_a: Index, a: cython.Py_ssize_t, grid_b: Index, b: cython.Py_ssize_t
    ) -> cython.int:
        """Return the separation of two solid parts of which one is one-way: 1 if they are in contact, otherwise 4."""
        flags_a: cython.int = self.columns.flags_view[grid_a.boxes.owner_view[a]]
        flags_b: cython.int = self.columns.flags_view[grid_b.boxes.owner_view[b]]
        self.columns.place_part(self.part, grid_a.boxes, a, 0, 0, 0)
        self.columns.place_part(self.other_part, grid_b.boxes, b, 0, 0, 0)
        if separation_of(self.part, self.other_part) != 1:
            return 4
        if flags_a & _ONE_WAY and not self.is_in_front(grid_a, a, grid_b, b):
            return 4
        if flags_b & _ONE_WAY and not self.is_in_front(grid_b, b, grid_a, a):
            return 4
        return 1

    def is_in_front(
        self, grid: Index, one_way: cython.Py_ssize_t, other_grid: Index, other: cython.Py_ssize_t
    ) -> cython.bint:
        """Return whether a part that touches a one-way part is on the side of its direction, and its body outside."""
        row: cython.int = other_grid.boxes.owner_view[other]
        direction: cython.int = self.columns.one_way_view[grid.boxes.owner_view[one_way]]
        slot: cython.Py_ssize_t
        self.columns.place_part(self.part, grid.boxes, one_way, 0, 0, 0)
        self.columns.place_part(self.other_part, other_grid.boxes, other, 0, 0, 0)
        if not is_on_side(self.part, self.other_part, abs(direction) - 1, direction > 0):
            return False
        for slot in range(self.columns.first_view[row], self.columns.first_view[row] + self.columns.count_view[row]):
            self.columns.place_part(self.other_part, other_grid.boxes, slot, 0, 0, 0)
            if separation_of(self.part, self.other_part) == 0:
                return False
        return True

    def first_in_front(self, row: cython.int, other: cython.int) -> tuple[int, int] | None:
        """Return the numbers of the first parts in contact of two rows, one of which is one-way; None without any."""
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        grid: Index = self.grid_of(row)
        other_grid: Index = self.grid_of(other)
        first: cython.Py_ssize_t = self.columns.first_view[row]
        other_first: cython.Py_ssize_t = self.columns.first_view[other]
        for a in range(self.columns.count_view[row]):
            for b in range(self.columns.count_view[other]):
                if self.one_way_separation(grid, first + a, other_grid, other_first + b) == 1:
                    return a, b
        return None

    def are_one_way(self, row: cython.int, other: cython.int) -> cython.bint:
        """Return whether two rows are solid, and one of them is one-way (M5)."""
        flags: cython.int = self.columns.flags_view[row]
        other_flags: cython.int = self.columns.flags_view[other]
        return (flags & other_flags & _SOLID) != 0 and ((flags | other_flags) & _ONE_WAY) != 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def are_shaped(self, boxes_a: BoxPool, a: cython.Py_ssize_t, boxes_b: BoxPool, b: cython.Py_ssize_t) -> cython.bint:
        """Return whether the body of either box has parts other than boxes."""
        flags: cython.int = self.columns.flags_view[boxes_a.owner_view[a]]
        return ((flags | self.columns.flags_view[boxes_b.owner_view[b]]) & _SHAPED) != 0

    def normal_code(self, reporter: cython.int, name: cython.int) -> cython.int:
        """Return the side of a reporter on which a row is that it is in contact with, both of plain boxes (C4).

        It is a `box_side`. NO_NORMAL stands for any other contact: with a
        group, of other parts, or of a compound whose boxes are in another order than in its collider.
        """
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        deepest: cython.longlong = -1
        found: cython.int = _NO_NORMAL
        dims: cython.int = 2 if self.columns.are_flat(reporter, name) else 3
        first_a: cython.Py_ssize_t = self.columns.first_view[reporter]
        first_b: cython.Py_ssize_t = self.columns.first_view[name]
        count_a: cython.Py_ssize_t = self.columns.count_view[reporter]
        count_b: cython.Py_ssize_t = self.columns.count_view[name]
        grid_a: Index = self.grid_of(reporter)
        grid_b: Index = self.grid_of(name)
        if (self.columns.flags_view[reporter] | self.columns.flags_view[name]) & _SHAPED:
            return _NO_NORMAL
        if self.links.next_row_view[name] != name:
            return _NO_NORMAL
        if self.columns.outer_view[reporter] != count_a or self.columns.outer_view[name] != count_b:
            return _NO_NORMAL
        for a in range(first_a, first_a + count_a):
            for b in range(first_b, first_b + count_b):
                if count_a * count_b > 1 and self.separation(grid_a, a, grid_b, b) > 1:
                    continue
                self.columns.place_part(self.part, grid_a.boxes, a, 0, 0, 0)
                self.columns.place_part(self.other_part, grid_b.boxes, b, 0, 0, 0)
                side: cython.int = box_side(self.part, self.other_part, dims)
                depth: cython.longlong = box_depth(self.part, self.other_part, side)
                if depth > deepest:
                    deepest, found = depth, side
        return found

    def ball_normal(self, reporter: cython.int, other: cython.int) -> tuple[float, float, float] | None:
        """Return the normal from a reporter to a row (C4) if one is a ball, and the other of one part; None otherwise.

        It has the bits of that of `shapes.contact`, which is slower and knows all parts: None also stands for a ball
        and another part if its centre is in it, for a turned part, and for a capsule that asks about a ball.
        """
        sign: cython.int = 1
        part: PlacedPart = self.part
        ball: PlacedPart = self.other_part
        if self.columns.count_view[reporter] != 1 or self.columns.count_view[other] != 1:
            return None
        if self.links.next_row_view[other] != other:
            return None
        self.columns.place_part(part, self.grid_of(other).boxes, self.columns.first_view[other], 0, 0, 0)
        self.columns.place_part(ball, self.grid_of(reporter).boxes, self.columns.first_view[reporter], 0, 0, 0)
        if ball.radius == 0:
            part, ball, sign = ball, part, -1
        if part.is_turned or ball.is_turned or ball.radius == 0:
            return None
        if ball.lox != ball.hix or ball.loy != ball.hiy or ball.loz != ball.hiz:
            return None
        x: cython.double = _way(part.lox, part.hix, ball.lox)
        y: cython.double = _way(part.loy, part.hiy, ball.loy)
        z: cython.double = _way(part.loz, part.hiz, ball.loz)
        largest: cython.double = max(x, -x, y, -y, z, -z)
        if largest == 0.0:
            return None
        x, y, z = x / largest, y / largest, z / largest
        length: cython.double = sign * sqrt(x * x + y * y + z * z)
        return x / length + 0.0, y / length + 0.0, z / length + 0.0

    # When last compared.

    def place_former(self, part: PlacedPart, boxes: BoxPool, slot: cython.Py_ssize_t) -> cython.void:
        """Set a part to where it was when its body was last compared."""
        row: cython.int = boxes.owner_view[slot]
        x: cython.longlong = -self.displacement_of(row, 0)
        y: cython.longlong = -self.displacement_of(row, 1)
        z: cython.longlong = -self.displacement_of(row, 2)
        self.columns.place_part(part, boxes, slot, x, y, z)

    def former_separation(self, grid_a: Index, a: cython.Py_ssize_t, grid_b: Index, b: cython.Py_ssize_t) -> cython.int:
        """Return what `separation` was when the bodies were last compared; neither may be altered since."""
        count: cython.int = 0
        axis: cython.int
        boxes_a: BoxPool = grid_a.boxes
        boxes_b: BoxPool = grid_b.boxes
        if self.are_shaped(boxes_a, a, boxes_b, b):
            self.place_former(self.part, boxes_a, a)
            self.place_former(self.other_part, boxes_b, b)
            return self.separation_of_parts(boxes_a.owner_view[a], boxes_b.owner_view[b])
        for axis in range(3):
            by: cython.longlong = self.displacement_of(boxes_a.owner_view[a], axis) - self.displacement_of(
                boxes_b.owner_view[b], axis
            )
            count += axis_separation(
                boxes_a.faces_view[8 * a + axis] - by,
                boxes_a.faces_view[8 * a + 3 + axis] - by,
                boxes_b.faces_view[8 * b + axis],
                boxes_b.faces_view[8 * b + 3 + axis],
            )
            if count >= 4:
                return 4
        return count

    def displacement_of(self, row: cython.int, axis: cython.int) -> cython.longlong:
        """Return the displacement of a row on an axis since it was last compared, 0 if it was altered."""
        if not self.has_changed(row) or self.is_altered(row):
            return 0
        return self.columns.pos_view[8 * row + axis] - self.compared[4 * row + axis]

    # The invariants.

    def check(self, rows: list[int]) -> None:
        """Raise IndexError unless the given rows, which have not changed, are where they were compared."""
        for row in rows if len(self.compared) else ():
            for axis in range(3):
                if self.compared[4 * row + axis] != self.columns.pos_view[8 * row + axis]:
                    raise IndexError(f"row {row} is not where it was compared, but is not in the list of changed rows")
        if max(array_of(self.compared)[3::4], default=0) >= 4 * (self.pass_number + 1):
            raise IndexError("a row is marked with the number of a future update")
