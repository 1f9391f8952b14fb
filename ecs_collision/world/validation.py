"""Validation of the invariants of a world (`check()`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ASLEEP, ENABLED, PUSHABLE, STATIC
from ecs_collision.bodies.filters import filter_of
from ecs_collision.bodies.nested import lies_inside
from ecs_collision.bodies.table import components_of, form_of, plane_of_form
from ecs_collision.broadphase.protocol import Index
from ecs_collision.errors import InvariantError
from ecs_collision.query import Space
from ecs_collision.sleep.scheduler import SleepScheduler
from ecs_collision.world.step import Step
from ecs_collision.world.validation_counts import derived_faults, space_faults
from ecs_collision.world.validation_groups import group_faults


def validate(step: Step, space: Space) -> None:
    """Verify all stored data against the components, slowly; raises InvariantError with the first fault."""
    bodies, frame = step.bodies, step.number
    try:
        faults = chain(
            _faults(bodies, step.sleep, frame),
            derived_faults(bodies, frame),
            step.faults(),
            step.triggers.faults(frame),
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
    yield from sleep.check(frame)


def _row_faults(bodies: Bodies, row: int) -> Iterator[str]:
    entity, parts = bodies.entity(row), bodies.of(row)
    name = f"entity {entity}"
    if bodies.row_of.get(entity) != row:
        yield f"{name}: its row has another id"
    if list(bodies.rows_of([entity])) != [row]:
        yield f"{name}: row_by_id has another row"
    for component in components_of(parts):
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
    grid, first = bodies.grid_of(row), bodies.columns.first[row]
    for slot in range(first, first + bodies.columns.count[row]):
        if grid.boxes.owner[slot] != row:
            yield f"{name}: one of its boxes in the index has another row as owner"
        if bool(grid.boxes.awake[slot]) == bodies.has(row, ASLEEP):
            yield f"{name}: one of its boxes in the index has another sleep state"


def _grid_faults(bodies: Bodies, rows: list[int]) -> Iterator[str]:
    for name, grid, static in (("dynamic", bodies.dynamic, False), ("static", bodies.static, True)):
        count = sum(bodies.columns.count[row] for row in rows if bodies.has(row, STATIC) == static)
        if grid.boxes.box_count != count:
            yield f"the {name} index has {grid.boxes.box_count} boxes, the bodies have {count}"
        if grid.boxes.flat != bodies.flat or grid.boxes.bin_shift != bodies.bin_shift:
            yield f"the {name} index has another plane or bin size than the bodies"
        yield from _index_faults(name, grid)


def _index_faults(name: str, grid: Index) -> Iterator[str]:
    try:
        grid.check()
    except Exception as fault:
        yield f"the {name} index is inconsistent: {fault}"
