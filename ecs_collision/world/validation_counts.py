"""Validation of derived data: the counters and lists that make the cost of a frame proportional to its changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ASKS, MEETS, REPORTER, REPORTS, SHAPED, SLEEPABLE, STATIC, SWEPT, TRIGGER
from ecs_collision.bodies.filters import may_meet, reports
from ecs_collision.bodies.table import plane_of_form, stay_and_linger_of
from ecs_collision.broadphase.protocol import Index
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE
from ecs_collision.query import Space

_EDGE = int(MAX_COORDINATE / LATTICE)
"""The largest coordinate of a query, in units."""


def derived_faults(bodies: Bodies, frame: int) -> Iterator[str]:
    """Yield faults of the free rows, the counters, the lists of rows, the pending writes and the filters."""
    yield from _free_row_faults(bodies)
    yield from _count_faults(bodies)
    yield from _list_faults(bodies)
    yield from _row_by_id_faults(bodies)
    yield from _pending_write_faults(bodies, frame)
    yield from _filter_faults(bodies)
    for grid, static in ((bodies.dynamic, False), (bodies.static, True)):
        yield from _slot_faults(bodies, grid, static)


def _free_row_faults(bodies: Bodies) -> Iterator[str]:
    free = set(range(len(bodies.parts))) - set(bodies.row_of.values())
    if sorted(bodies._free) != sorted(free):
        yield "the free rows are not the rows without a body"
    columns, links = bodies.columns, bodies.group_links
    for row in free:
        if bodies.parts[row] is not None or bodies.forms[row].boxes or columns.flags[row]:
            yield f"row {row} is free, but has data of a body"
        if links.leader[row] != row or links.next_row[row] != row:
            yield f"row {row} is free, but linked to a group"
    if len(bodies.forms) != len(bodies.parts):
        yield f"there are forms for {len(bodies.forms)} rows and components for {len(bodies.parts)}"
    lengths = {len(each) for each in (columns.ids, columns.flags, columns.first, columns.count, columns.classes)}
    lengths |= {len(columns.planes), columns.capacity}
    if len(lengths) != 1 or len(columns.pos) != len(columns.inertia) or len(columns.pos) != 3 * columns.capacity:
        yield "the columns of the table are not equally long"
    beside = [(links.capacity, links.leader), (links.capacity, links.next_row)]
    beside += [
        (bodies.dirty_rows.capacity, bodies.dirty_rows.rows),
        (bodies.dirty_transforms.capacity, bodies.dirty_transforms.kinds),
    ]
    if any(len(column) != capacity or capacity < columns.capacity for capacity, column in beside):
        yield "the columns beside the table are shorter than it"  # they are longer if the table could not grow


def _count_faults(bodies: Bodies) -> Iterator[str]:
    rows = list(bodies.rows())
    for row in rows:
        if bodies.columns.planes[row] != plane_of_form(bodies.forms[row], bodies.position(row)[2]):
            yield f"entity {bodies.entity(row)}: the mark whether it leaves the plane differs from its boxes"
        if any(faces[5] - faces[2] > bodies.columns.z_reach for faces in bodies.forms[row].boxes):
            yield f"entity {bodies.entity(row)}: it is higher than any body is said to have been"
        shape = bodies.columns.shapes[row]
        if (shape.parts if shape else None) != bodies.forms[row].parts:
            yield f"entity {bodies.entity(row)}: the parts that kernels read differ from those of its collider"
    for name, kept, found in (
        (
            "bodies out of the plane or without thickness",
            bodies.columns.uneven_count,
            sum(bool(bodies.columns.planes[row]) for row in rows),
        ),
        ("shaped bodies", bodies.columns.shaped_count, sum(bodies.has(row, SHAPED) for row in rows)),
        ("triggers", bodies.trigger_count, sum(bodies.has(row, TRIGGER) for row in rows)),
        ("bodies that ask for contacts", bodies.asking_count, sum(bodies.has(row, ASKS) for row in rows)),
        ("swept triggers", bodies.swept_count, sum(bodies.has(row, SWEPT) for row in rows)),
        (
            "static reporters",
            bodies.columns.static_reporter_count,
            sum(bodies.has(row, REPORTER) and bodies.has(row, STATIC) for row in rows),
        ),
    ):
        if kept != found:
            yield f"{name} are counted as {kept}, but there are {found}"


def _list_faults(bodies: Bodies) -> Iterator[str]:
    stay_and_linger = {row: each for row in bodies.rows() if (each := stay_and_linger_of(bodies.of(row))) is not None}
    if bodies._stay_and_linger != stay_and_linger:
        yield "the stored stay and linger of reporters differ from the components"
    if bodies.stay_rows != {row for row, (stay, _) in stay_and_linger.items() if stay}:
        yield "the list of triggers that report stays is wrong"
    rows = set(bodies.rows())
    movers = {row: motion for row in rows if (motion := bodies.of(row).motion) is not None}
    asking = {row for row, motion in movers.items() if motion._has_request()}
    if not asking <= bodies.requests <= rows:  # a row that lost its Motion after its request is skipped by the frame
        yield "the list of rows with requests is wrong"
    if any(motion._requests is not bodies.requests for motion in movers.values()):
        yield "a Motion adds its requests to another set"
    if bodies.sleep_undo is not None:
        yield "an undo record is open, but nothing is in progress"
    if not bodies.rewritten_rows <= set(bodies.row_of.values()):
        yield "a row without a body is listed as rewritten_rows"


def _row_by_id_faults(bodies: Bodies) -> Iterator[str]:
    row_by_id = bodies.row_by_id
    listed = {entity: row for entity, row in enumerate(row_by_id.rows) if row >= 0}
    if row_by_id.length != len(row_by_id.rows) or row_by_id.count != len(listed):
        yield f"row_by_id lists {len(listed)} entities, but counts {row_by_id.count}"
    if not listed.items() <= bodies.row_of.items():
        yield "row_by_id has a wrong row, or an entity that is not a body"


def _pending_write_faults(bodies: Bodies, frame: int) -> Iterator[str]:
    dirty_transforms, changed = bodies.dirty_transforms, bodies.dirty_rows
    if dirty_transforms.count or dirty_transforms.staged or any(dirty_transforms.kinds):
        yield "writes are pending after all changes were applied"
    used = set(bodies.row_of.values())
    if not used.issuperset(changed.rows[: changed.count]):
        yield "a row without a body is listed as changed"
    for row in used:
        if bodies.has(row, SLEEPABLE) and changed.disturbed[row] > frame + 1:
            yield f"entity {bodies.entity(row)}: it was disturbed in a future frame"


def _filter_faults(bodies: Bodies) -> Iterator[str]:
    filters, columns = bodies.filters, bodies.columns
    known = {number: each for number, each in enumerate(filters._filters) if each is not None}
    users = [0] * len(filters._filters)
    for row in bodies.rows():
        users[columns.classes[row]] += 1
    if filters._users != users or known.keys() != {number for number, count in enumerate(users) if count}:
        yield "the use counts of filters are wrong"
    if filters._number != {each: number for number, each in known.items()}:
        yield "the numbers of filters differ from their indices"
    if sorted(filters._free) != [number for number in range(len(users)) if number not in known]:
        yield "the free numbers of filters are not the unused ones"
    if len(columns.relation) != columns.width * columns.width or len(users) > columns.width:
        yield "the relation table has fewer rows than there are filters"
        return
    for a, one in known.items():
        for b, two in known.items():
            relation = (MEETS if may_meet(one, two) else 0) | (REPORTS if reports(one, two) else 0)
            if columns.relation[a * columns.width + b] != relation:
                yield f"the stored relation of {one} and {two} differs from their layers and masks"
    for layers, counting in filters._layer_tables.items():
        if any(counting[number] != (known[number].layer in layers) for number in known):
            yield f"who is of layers {sorted(layers)} is remembered wrongly"


def _slot_faults(bodies: Bodies, grid: Index, static: bool) -> Iterator[str]:
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
            found = space.overlapping(corners, triggers=True, ignore=ignored)
            if entity not in found:
                yield f"entity {entity}: a query at its place does not find it"
            for each in found:
                if each in ignored or not any(_meet(around, mine) for mine in bodies.boxes(bodies.row_of[each])):
                    yield f"entity {each}: a query at the place of {entity} finds it, but it is elsewhere"


def _meet(a: Sequence[int], b: Sequence[int]) -> bool:
    return all(a[axis] < b[axis + 3] and b[axis] < a[axis + 3] for axis in range(3))
