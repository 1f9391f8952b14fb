"""What rows were, and making anew all that follows from what they are: for taking back what was broken off half way.

An interrupt, a full stack or want of memory may end any function anywhere. What is about to change takes images of rows
before it does, and sets them back when it was broken off. The index, lists and counts may be in any state then; they
follow from the rows and are made anew, in O(bodies), which only failures pay for.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ecs_collision.bodies.columns import ASLEEP, ENABLED
from ecs_collision.components import Component, Faces, Parts

if TYPE_CHECKING:
    from ecs_collision.bodies.table import Bodies


class Image(NamedTuple):
    """What a row was, in so far as that does not follow from anything else; `kind` is what was written of it."""

    row: int
    entity: int
    parts: Parts
    kind: int
    flags: int
    filter: int
    position: tuple[int, int, int]
    inertia: tuple[float, float, float]
    shape: tuple[Faces, ...]
    patience: tuple[bool, int] | None
    disturbed: int
    asleep: bool


def image_of(bodies: Bodies, row: int) -> Image:
    """Return what a row is."""
    columns, parts = bodies.columns, bodies.of(row)
    x, y, z = columns.inertia[3 * row : 3 * row + 3]
    return Image(
        row,
        columns.ids[row],
        parts,
        bodies.writes.kinds[row],
        columns.flags[row],
        columns.classes[row],
        bodies.position(row),
        (x, y, z),
        bodies.shapes[row],
        bodies._patience.get(row),
        bodies.changed.disturbed[row],
        parts.sleeping is not None and parts.sleeping._asleep,
    )


def set_image(bodies: Bodies, image: Image) -> None:
    """Let a row be what it was; what follows from it is left to `rebuild`, and so are the bonds of its parts."""
    columns, row, at = bodies.columns, image.row, 3 * image.row
    columns.ids[row], columns.flags[row], columns.classes[row] = image.entity, image.flags, image.filter
    columns.pos[at : at + 3] = array("q", image.position)
    columns.inertia[at : at + 3] = array("d", image.inertia)
    bodies.shapes[row] = image.shape
    bodies._patience.pop(row, None)
    if image.patience is not None:
        bodies._patience[row] = image.patience
    bodies.changed.disturbed[row] = image.disturbed
    if image.parts.sleeping is not None:
        image.parts.sleeping._asleep = image.asleep


def set_kept(bodies: Bodies) -> list[int]:
    """Let the rows that kernels displaced be what `changed` kept of them; returns them."""
    columns, changed = bodies.columns, bodies.changed
    rows: list[int] = changed.kept_rows[: changed.kept_count].tolist()
    for number, row in enumerate(rows):
        x, y, z, disturbed, flags = changed.kept[5 * number : 5 * number + 5]
        columns.pos[3 * row : 3 * row + 3] = array("q", (x, y, z))
        columns.flags[row] = flags
        changed.disturbed[row] = disturbed
        sleeping = bodies.of(row).sleeping
        if sleeping is not None:
            sleeping._asleep = bool(flags & ASLEEP)
    return rows


def bind_again(bodies: Bodies, images: Iterable[Image], others: Iterable[Parts | None]) -> None:
    """Let the rows of images have their parts again, whatever these or `others` belong to."""
    images = list(images)
    for parts in (*others, *(image.parts for image in images)):
        for component in parts or ():
            if isinstance(component, Component) and component._writes is bodies.writes:
                component._release()
    for image in images:
        bodies.columns.ids[image.row] = image.entity
        bodies.row_of[image.entity] = image.row
        bodies.bind(image.row, image.parts)


def rebuild(bodies: Bodies) -> None:
    """Make anew all that follows from what the rows are, whatever was broken off; O(bodies).

    Every row counts as changed, so the next comparison finds who is in which trigger.
    """
    columns = bodies.columns
    for grid in (bodies.dynamic, bodies.static, bodies.overlay):
        grid.clear()
    bodies.roster.clear()
    bodies.changed.distrust()
    bodies.requests.clear()
    bodies.stay_rows.clear()
    bodies.renewed.clear()
    bodies.trigger_count = bodies.swept_count = bodies.awake_count = 0
    for row in range(columns.capacity):
        columns.count[row] = columns.outer[row] = 0
        columns.set_tall(row, False)
    del bodies.parts[len(bodies.shapes) :]  # a row that was about to be made
    bodies._free = sorted({*range(len(bodies.parts))} - {*bodies.row_of.values()}, reverse=True)
    for row in bodies._free:  # nothing of a body whose birth was taken back is left
        bodies.parts[row], bodies.shapes[row], columns.flags[row] = None, (), 0
        bodies._patience.pop(row, None)
    for row in bodies.rows():
        _rebuild_row(bodies, row)
    bodies.settle_flatness()
    for row in bodies.rows():
        if columns.flags[row] & ENABLED:
            bodies._enter_cells(row)
    bodies.is_restructured = True


def _rebuild_row(bodies: Bodies, row: int) -> None:
    parts, patience = bodies.of(row), bodies._patience.get(row)
    bodies.roster.enter(bodies.entity(row), row)
    bodies.changed.note(row, True)
    bodies._count_flags(bodies.columns.flags[row], 1)
    bodies.rise_silently(row)
    if patience is not None and patience[0]:
        bodies.stay_rows.add(row)
    if parts.motion is not None and parts.motion.asks():
        bodies.requests.add(row)
    bodies.renewed.add(row)
