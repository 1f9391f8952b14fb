"""Validation of the invariants of a world (`check()`): stored data against the components from which it follows.

Bodies and their boxes, fused groups, then the counters and lists that make the cost of a frame proportional to its
changes, and last what a query finds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Sized
from itertools import chain

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import (
    ASKS,
    ASLEEP,
    CARRIES,
    ENABLED,
    MEETS,
    NO_INERTIA,
    ONE_WAY,
    PUSHABLE,
    REPORTER,
    REPORTS,
    SHAPED,
    SLEEPABLE,
    SOLID,
    STATIC,
    SWEPT,
    TRIGGER,
    plane_of_form,
)
from ecs_collision.bodies.filters import filter_of, may_meet, reports
from ecs_collision.bodies.fused_groups import Group
from ecs_collision.bodies.nested import lies_inside
from ecs_collision.bodies.table import form_of, stay_and_linger_of
from ecs_collision.broadphase.protocol import Index
from ecs_collision.errors import InvariantError
from ecs_collision.fixed_point import LATTICE, MAX_COORDINATE
from ecs_collision.query import Space
from ecs_collision.sleep.scheduler import SleepScheduler
from ecs_collision.world.step import Step

_EDGE = int(MAX_COORDINATE / LATTICE)
"""The largest coordinate of a query, in units."""


def validate(step: Step, space: Space) -> None:
    """Verify all stored data against the components, slowly; raises InvariantError with the first fault."""
    bodies, frame = step.bodies, step.number
    try:
        faults = chain(
            _faults(bodies, step.sleep, frame),
            derived_faults(bodies, frame),
            step.faults(),
            step.triggers.faults(frame, step.log),
            step.solid_overlaps.faults(),
            space_faults(bodies, space),
        )
        fault = next(faults, None)
    except Exception as cause:  # damaged data may not even be readable
        raise InvariantError(f"the state cannot be checked: {cause!r}; {_REPORT}") from cause
    if fault is not None:
        raise InvariantError(f"{fault}; {_REPORT}")


_REPORT = "this is a bug in ecs_collision, please report it"


def _faults(bodies: Bodies, sleep: SleepScheduler, frame: int) -> Iterator[str]:
    rows = list(bodies.rows())
    if len(set(rows)) != len(rows):
        yield "two entities share a row"
    for row in rows:
        yield from _row_faults(bodies, row)
    yield from _grid_faults(bodies, rows)
    if bodies.overlay.boxes.box_count:
        yield "the overlay of a motion still contains boxes"
    awake = sum(not bodies.has(row, ASLEEP) and not bodies.has(row, STATIC) for row in rows)
    if awake != bodies.awake_count:
        yield f"awake bodies are counted as {bodies.awake_count}, but there are {awake}"
    some_are_uneven = any(plane_of_form(bodies.forms[row], bodies.position(row)[2]) for row in rows)
    if bodies.flat == some_are_uneven:
        yield (
            "the world is marked flat, but a body leaves the plane or has no thickness"
            if some_are_uneven
            else "the world is not marked flat, but all bodies are in the plane"
        )
    yield from group_faults(bodies)
    yield from bodies.passing.faults()
    yield from sleep.check(frame)


def _row_faults(bodies: Bodies, row: int) -> Iterator[str]:
    entity, parts = bodies.entity(row), bodies.of(row)
    name = f"entity {entity}"
    if bodies.row_of.get(entity) != row:
        yield f"{name}: its row has another id"
    if list(bodies.rows_of([entity])) != [row]:
        yield f"{name}: row_of has another row"
    for component in parts.present:
        if (
            component._entity != entity
            or component._row != row
            or component._dirty_transforms is not bodies.dirty_transforms
        ):
            yield f"{name}: its {type(component).__name__} is bound to another body or world"
    transform, collider, sleeping = parts.transform, parts.collider, parts.sleeping
    assert transform is not None and collider is not None
    if transform.units() != bodies.position(row):
        yield f"{name}: Transform is {transform.position}, the table has another position"
    if bodies.forms[row] != form_of(parts):
        yield f"{name}: its boxes in the table differ from its {type(collider).__name__}"
    asleep = sleeping is not None and sleeping.asleep
    if (bodies.columns.flags[row] ^ bodies.flags_of(parts, asleep)) & ~PUSHABLE:
        yield f"{name}: its flags differ from its components"
    if bodies.filters.of(bodies.columns.classes[row]) != filter_of(parts):
        yield f"{name}: its filter differs from its layer and masks"
    if sorted(bodies.boxes(row)) != (sorted(bodies.boxes_if_enabled(row)) if bodies.has(row, ENABLED) else []):
        yield f"{name}: its boxes in the index are not where its Transform and collider put them"
    outer, inner = bodies.columns.outer[row], bodies.boxes(row)[bodies.columns.outer[row] :]
    if outer > bodies.columns.count[row]:
        yield f"{name}: it has {outer} outer boxes, more than boxes"
    elif not all(any(lies_inside(box, other) for other in bodies.outer_boxes(row)) for box in inner):
        yield f"{name}: an inner box is not inside any outer box"
    index, first = bodies.grid_of(row), bodies.columns.first[row]
    for slot in range(first, first + bodies.columns.count[row]):
        if index.boxes.owner[slot] != row:
            yield f"{name}: one of its boxes in the index has another row as owner"
        if bool(index.boxes.awake[slot]) == bodies.has(row, ASLEEP):
            yield f"{name}: one of its boxes in the index has another sleep state"


def _grid_faults(bodies: Bodies, rows: list[int]) -> Iterator[str]:
    for name, index, static in (("dynamic", bodies.dynamic, False), ("static", bodies.static, True)):
        count = sum(bodies.columns.count[row] for row in rows if bodies.has(row, STATIC) == static)
        if index.boxes.box_count != count:
            yield f"the {name} index has {index.boxes.box_count} boxes, the bodies have {count}"
        if index.boxes.flat != bodies.flat or index.boxes.bin_shift != bodies.bin_shift:
            yield f"the {name} index has another plane or bin size than the bodies"
        yield from _index_faults(name, index)


def _index_faults(name: str, index: Index) -> Iterator[str]:
    try:
        index.check()
    except Exception as fault:
        yield f"the {name} index is inconsistent: {fault}"


# Fused groups.


def group_faults(bodies: Bodies) -> Iterator[str]:
    """Yield faults of the graph of `Fused`, the groups, their links and their inertia."""
    fused = {e: parts.fused.to for e, row in bodies.row_of.items() if (parts := bodies.of(row)).fused is not None}
    if bodies.groups.partner != fused:
        yield "the stored partners differ from the Fused components"
    followers = {to: {entity for entity in fused if fused[entity] == to} for to in fused.values()}
    if bodies.groups.followers != followers:
        yield "the stored followers differ from the Fused components"
    expected = groups_of_links(bodies, fused)
    if bodies.groups.all() != expected:
        yield f"the groups are {bodies.groups.all()}, the components make {expected}"
    if bodies.group_links.count != sum(len(group.members) for group in expected):
        yield f"{bodies.group_links.count} rows are counted as fused, which is wrong"
    group_of = {entity: group for group in expected for entity in group.members}
    if bodies.groups._group_of != group_of or bodies.groups._dirty or bodies.groups._dissolved:
        yield "the stored group of an entity differs from the groups"
    yield from _own_inertia_faults(bodies, group_of)
    for entity, row in sorted(bodies.row_of.items()):
        yield from _link_faults(bodies, row, group_of.get(entity, Group(entity, (entity,))))


def groups_of_links(bodies: Bodies, fused: dict[int, int]) -> list[Group]:
    """Return the groups of enabled bodies by root: slowly, by next_row `fused` from each body to its root."""
    enabled = {entity for entity, row in bodies.row_of.items() if bodies.has(row, ENABLED)}
    members: dict[int, set[int]] = {}
    for entity in enabled:
        root = entity
        while fused.get(root) in enabled:
            root = fused[root]
        members.setdefault(root, set()).add(entity)
    return [Group(root, tuple(sorted(found))) for root, found in sorted(members.items()) if len(found) > 1]


def _link_faults(bodies: Bodies, row: int, group: Group) -> Iterator[str]:
    name = f"entity {bodies.entity(row)}"
    if bodies.groups.root_of(row) != group.root:
        yield f"{name}: its stored root is {bodies.groups.root_of(row)}, not {group.root}"
    linked = sorted([bodies.entity(each) for each in bodies.group_links.rows_of(row)])
    if linked != list(group.members):
        yield f"{name}: its links lead to {linked}, its group is {list(group.members)}"
    if bodies.entity(row) == group.root:
        yield from _group_inertia_faults(bodies, row, group)


def _group_inertia_faults(bodies: Bodies, row: int, group: Group) -> Iterator[str]:
    rows = [bodies.row_of[entity] for entity in group.members]
    heavy = [bodies.inertia_of(bodies.of(each)) for each in rows if bodies.has(each, SOLID)]
    heavy = heavy or [bodies.inertia_of(bodies.of(each)) for each in rows]
    inertia = tuple([max(_along(each, axis) for each in heavy) for axis in range(3)])
    if bodies.columns.inertia_of(row) != inertia:
        yield f"entity {group.root}: its stored inertia is not {inertia}"
    if bodies.has(row, PUSHABLE) != all(each is not None for each in heavy):
        yield f"entity {group.root}: its flag PUSHABLE differs from the Inertia components"


def _own_inertia_faults(bodies: Bodies, group_of: dict[int, Group]) -> Iterator[str]:
    """Yield faults of the own inertia of each body: in its columns, or stored apart for the root of a group."""
    roots = {bodies.row_of[group.root] for group in group_of.values()}
    if bodies.groups._own_inertia.keys() != roots:
        yield "the rows with an inertia stored apart are not the roots of groups"
    for entity, row in bodies.row_of.items():
        inertia = bodies.inertia_of(bodies.of(row))
        in_columns = bodies.columns.inertia_of(row), bodies.columns.flags[row] & PUSHABLE
        stored = bodies.groups._own_inertia.get(row, in_columns)
        if stored != (inertia or NO_INERTIA, 0 if inertia is None else PUSHABLE):
            yield f"entity {entity}: its stored own inertia differs from its Inertia"


def _along(inertia: tuple[float, float, float] | None, axis: int) -> float:
    return math.inf if inertia is None else inertia[axis]


# Counters and lists.


def derived_faults(bodies: Bodies, frame: int) -> Iterator[str]:
    """Yield faults of the free rows, the counters, the lists of rows, the pending writes and the filters."""
    yield from _free_row_faults(bodies)
    yield from _count_faults(bodies)
    yield from _list_faults(bodies)
    yield from _row_of_faults(bodies)
    yield from _pending_write_faults(bodies, frame)
    yield from _filter_faults(bodies)
    for index, static in ((bodies.dynamic, False), (bodies.static, True)):
        yield from _slot_faults(bodies, index, static)


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
    has_inertia = len(columns.inertia) in (0, 3 * columns.capacity)
    if len(lengths) != 1 or len(columns.pos) != 8 * columns.capacity or not has_inertia:
        yield "the columns of the table are not equally long"
    beside: list[tuple[int, Sized]] = [(links.capacity, links.leader), (links.capacity, links.next_row)]
    beside += [
        (bodies.dirty_rows.capacity, bodies.dirty_rows.rows),
        (bodies.dirty_transforms.capacity, bodies.dirty_transforms.rows),
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
    for name, kept, found in (
        (
            "bodies out of the plane or without thickness",
            bodies.columns.uneven_count,
            sum(bool(bodies.columns.planes[row]) for row in rows),
        ),
        ("shaped bodies", bodies.columns.shaped_count, sum(bodies.has(row, SHAPED) for row in rows)),
        ("one-way bodies", bodies.columns.one_way_count, sum(bodies.has(row, ONE_WAY) for row in rows)),
        ("triggers", bodies.trigger_count, sum(bodies.has(row, TRIGGER) for row in rows)),
        ("bodies that ask for contacts", bodies.asking_count, sum(bodies.has(row, ASKS) for row in rows)),
        ("swept triggers", bodies.swept_count, sum(bodies.has(row, SWEPT) for row in rows)),
        ("bodies that carry", bodies.columns.carrying_count, sum(bodies.has(row, CARRIES) for row in rows)),
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
    if bodies.gripping_rows != {row for row in bodies.rows() if bodies.of(row).grips is not None}:
        yield "the list of bodies that grip another is wrong"
    if bodies.stay_rows != {row for row, (stay, _) in stay_and_linger.items() if stay}:
        yield "the list of triggers that report stays is wrong"
    rows = set(bodies.rows())
    movers = {row: motion for row in rows if (motion := bodies.of(row).motion) is not None}
    asking = {row for row, motion in movers.items() if motion._has_request()}
    if not asking <= bodies.requests <= rows:  # a row that lost its Motion after its request is skipped by the frame
        yield "the list of rows with requests is wrong"
    if any(motion._requests is not bodies.requests for motion in movers.values()):
        yield "a Motion adds its requests to another set"
    if bodies.dirty_rows.sleep_undo is not None:
        yield "an undo record is open, but nothing is in progress"
    if not bodies.rewritten_rows <= set(bodies.row_of.values()):
        yield "a row without a body is listed as rewritten_rows"


def _row_of_faults(bodies: Bodies) -> Iterator[str]:
    row_of = bodies.row_of
    listed = {entity: row for entity, row in enumerate(row_of.rows) if row >= 0}
    if row_of.length != len(row_of.rows) or row_of.count != len(listed):
        yield f"row_of lists {len(listed)} entities, but counts {row_of.count}"
    if len(set(row_of.values())) != len(row_of):
        yield "row_of has a row for two entities"


def _pending_write_faults(bodies: Bodies, frame: int) -> Iterator[str]:
    dirty_transforms, changed = bodies.dirty_transforms, bodies.dirty_rows
    if dirty_transforms.count or dirty_transforms.staged or any(dirty_transforms.records[3::4]):
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


def _slot_faults(bodies: Bodies, index: Index, static: bool) -> Iterator[str]:
    """Yield whether a slot is neither in the run of a body nor in a free one: it would never be used again."""
    counts = [bodies.columns.count[row] for row in bodies.rows() if bodies.has(row, STATIC) == static]
    taken = sum(1 << (count - 1).bit_length() for count in counts if count)
    vacant = index.boxes.check_runs([slot for slot in range(index.boxes.slot_count) if index.boxes.owner[slot] >= 0])
    if taken + len(vacant) != index.boxes.slot_count:
        yield f"{index.boxes.slot_count - taken - len(vacant)} slots for boxes are lost"


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
