"""Checking what is counted and listed beside the rows of the table: the accounts that let a frame cost what changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import MEETS, REPORTS, SLEEPABLE, STATIC, SWEPT, TRIGGER
from ecs_collision.bodies.filters import may_meet, reports
from ecs_collision.bodies.table import leaves_plane
from ecs_collision.broadphase.morton_grid.grid import Grid
from ecs_collision.fixed_point import LARGEST, LATTICE
from ecs_collision.query import Space

_EDGE = int(LARGEST / LATTICE)
"""No question reaches further, in units."""


def derived_faults(bodies: Bodies, frame: int) -> Iterator[str]:
    """Yield what is wrong with the free rows, the counters, the lists of rows, the slate and the filters."""
    yield from _free_row_faults(bodies)
    yield from _count_faults(bodies)
    yield from _list_faults(bodies)
    yield from _row_by_id_faults(bodies)
    yield from _pending_write_faults(bodies, frame)
    yield from _filter_faults(bodies)
    for grid, static in ((bodies.dynamic, False), (bodies.static, True)):
        yield from _slot_faults(bodies, grid, static)


def _free_row_faults(bodies: Bodies) -> Iterator[str]:
    vacant = set(range(len(bodies.parts))) - set(bodies.row_of.values())
    if sorted(bodies._free) != sorted(vacant):
        yield "the free rows are not those that no body has"
    columns, links = bodies.columns, bodies.group_links
    for row in vacant:
        if bodies.parts[row] is not None or bodies.shapes[row] or columns.flags[row]:
            yield f"row {row} is free, but something of a body is left in it"
        if links.leader[row] != row or links.following[row] != row:
            yield f"row {row} is free, but welded to others"
    if len(bodies.shapes) != len(bodies.parts):
        yield f"there are boxes for {len(bodies.shapes)} rows and components for {len(bodies.parts)}"
    rooms = {len(each) for each in (columns.ids, columns.flags, columns.first, columns.count, columns.classes)}
    rooms |= {len(columns.leaves_plane), columns.capacity}
    if len(rooms) != 1 or len(columns.pos) != len(columns.inertia) or len(columns.pos) != 3 * columns.capacity:
        yield "the columns of the table are not equally long"
    beside = [(links.capacity, links.leader), (links.capacity, links.following)]
    beside += [
        (bodies.changed.capacity, bodies.changed.rows),
        (bodies.dirty_transforms.capacity, bodies.dirty_transforms.kinds),
    ]
    if any(len(column) != room or room < columns.capacity for room, column in beside):
        yield "the columns beside the table are shorter than it"  # longer they are where there was no memory for it


def _count_faults(bodies: Bodies) -> Iterator[str]:
    rows = list(bodies.rows())
    for row in rows:
        if bool(bodies.columns.leaves_plane[row]) != leaves_plane(bodies.shapes[row], bodies.position(row)[2]):
            yield f"entity {bodies.entity(row)}: whether it leaves the plane is kept otherwise than its boxes say"
    for name, kept, found in (
        ("tall bodies", bodies.columns.leaves_plane_count, sum(bool(bodies.columns.leaves_plane[row]) for row in rows)),
        ("triggers", bodies.trigger_count, sum(bodies.has(row, TRIGGER) for row in rows)),
        ("swept triggers", bodies.swept_count, sum(bodies.has(row, SWEPT) for row in rows)),
    ):
        if kept != found:
            yield f"{name} are counted as {kept}, but there are {found}"


def _list_faults(bodies: Bodies) -> Iterator[str]:
    stay_and_linger = {row: (t.stay, t.linger) for row in bodies.rows() if (t := bodies.of(row).trigger) is not None}
    if bodies._stay_and_linger != stay_and_linger:
        yield "how long triggers linger is kept otherwise than the components say"
    if bodies.stay_rows != {row for row, (stay, _) in stay_and_linger.items() if stay}:
        yield "the triggers that report stays are not those listed"
    rows = set(bodies.rows())
    movers = {row: motion for row in rows if (motion := bodies.of(row).motion) is not None}
    asking = {row for row, motion in movers.items() if motion.asks()}
    if not asking <= bodies.requests <= rows:  # who lost its Motion since it asked is passed over by the frame
        yield "who asks to be moved is not who is listed"
    if any(motion._requests is not bodies.requests for motion in movers.values()):
        yield "a Motion notes its requests elsewhere"
    if bodies.sleep_undo is not None:
        yield "what rows have been is kept, though nothing is under way"
    if not bodies.renewed <= set(bodies.row_of.values()):
        yield "a row that no body has is listed as renewed"


def _row_by_id_faults(bodies: Bodies) -> Iterator[str]:
    row_by_id = bodies.row_by_id
    listed = {entity: row for entity, row in enumerate(row_by_id.rows) if row >= 0}
    if row_by_id.length != len(row_by_id.rows) or row_by_id.listed != len(listed):
        yield f"{len(listed)} entities are on the roster, counted {row_by_id.listed}"
    if not listed.items() <= bodies.row_of.items():
        yield "the roster has another row for an entity, or an entity that is none"


def _pending_write_faults(bodies: Bodies, frame: int) -> Iterator[str]:
    dirty_transforms, changed = bodies.dirty_transforms, bodies.changed
    if dirty_transforms.count or dirty_transforms.staged or any(dirty_transforms.kinds):
        yield "writes are still pending, though all changes were applied"
    used = set(bodies.row_of.values())
    if not used.issuperset(changed.rows[: changed.count]):
        yield "a row that no body has is noted as changed"
    for row in used:
        if bodies.has(row, SLEEPABLE) and changed.disturbed[row] > frame + 1:
            yield f"entity {bodies.entity(row)}: it was disturbed in a frame that is yet to come"


def _filter_faults(bodies: Bodies) -> Iterator[str]:
    filters, columns = bodies.filters, bodies.columns
    known = {number: each for number, each in enumerate(filters._filters) if each is not None}
    users = [0] * len(filters._filters)
    for row in bodies.rows():
        users[columns.classes[row]] += 1
    if filters._users != users or known.keys() != {number for number, count in enumerate(users) if count}:
        yield "the users of a filter are miscounted"
    if filters._number != {each: number for number, each in known.items()}:
        yield "the numbers of filters are not those under which they are kept"
    if sorted(filters._free) != [number for number in range(len(users)) if number not in known]:
        yield "the free numbers of filters are not those in no use"
    if len(columns.relation) != columns.width * columns.width or len(users) > columns.width:
        yield "the relation of filters is narrower than there are filters"
        return
    for a, one in known.items():
        for b, two in known.items():
            relation = (MEETS if may_meet(one, two) else 0) | (REPORTS if reports(one, two) else 0)
            if columns.relation[a * columns.width + b] != relation:
                yield f"how {one} and {two} meet is kept otherwise than their layers and masks say"
    for layers, counting in filters._counting.items():
        if any(counting[number] != (known[number].layer in layers) for number in known):
            yield f"who is of layers {sorted(layers)} is remembered wrongly"


def _slot_faults(bodies: Bodies, grid: Grid, static: bool) -> Iterator[str]:
    """Yield whether a slot is neither in the run of a body nor in a free one: it would never be used again."""
    counts = [bodies.columns.count[row] for row in bodies.rows() if bodies.has(row, STATIC) == static]
    taken = sum(1 << (count - 1).bit_length() for count in counts if count)
    vacant = grid.boxes.check_runs([slot for slot in range(grid.boxes.slot_count) if grid.boxes.owner[slot] >= 0])
    if taken + len(vacant) != grid.boxes.slot_count:
        yield f"{grid.boxes.slot_count - taken - len(vacant)} slots for boxes are lost"


def space_faults(bodies: Bodies, space: Space) -> Iterator[str]:
    """Yield where a question about the place of a body does not find it, or finds who is not there."""
    rows = [row for row in bodies.rows() if bodies.columns.count[row]]
    for row, other in zip(rows, rows[-1:] + rows[:-1], strict=True):
        entity, ignored = bodies.entity(row), () if other == row else (bodies.entity(other),)
        for box in bodies.boxes(row):
            around = (*(max(face - 1, -_EDGE) for face in box[:3]), *(min(face + 1, _EDGE) for face in box[3:]))
            corners = tuple(face * LATTICE for face in around[:3]), tuple(face * LATTICE for face in around[3:])
            found = space.overlapping(corners, triggers=True, ignore=ignored)  # type: ignore[arg-type]
            if entity not in found:
                yield f"entity {entity}: a question about its place does not find it"
            for each in found:
                if each in ignored or not any(_meet(around, mine) for mine in bodies.boxes(bodies.row_of[each])):
                    yield f"entity {each}: a question about the place of {entity} finds it, though it is elsewhere"


def _meet(a: Sequence[int], b: Sequence[int]) -> bool:
    return all(a[axis] < b[axis + 3] and b[axis] < a[axis + 3] for axis in range(3))
