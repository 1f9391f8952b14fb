"""What contacts write to the log of a frame, and the normals there (rule C4)."""

from __future__ import annotations

from typing import Protocol

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import SHAPED, SOLID
from ecs_collision.bodies.near_normal import near_normal
from ecs_collision.contacts.overlaps import Overlaps
from ecs_collision.contacts.pair_log import PairLog
from ecs_collision.events import DIRECTIONS, LeftReason, Vector
from ecs_collision.shapes.contact import deepest_normal
from ecs_collision.shapes.part import Part

Pair = tuple[int, int]
"""The row of a reporter, and the row that it reports."""

ContactRecord = tuple[int, int, int, bool]
"""The row of a reporter, the row that it reports, the frames until the contact ends (0 if it does not linger), and
whether the reporter is a solid body that asks for contacts, not a trigger."""


class ReportLog(Protocol):
    """The log of a frame, by ids of (reporter, other).

    `left`, `entered`, `stayed` and `crossings` are those of triggers, `ended` and `began` those of solid bodies. The
    codes of `left` and `ended` are those of `end_reason`, the codes of `began` those of `Overlaps.normal_code`.
    `normals` has the normals of contacts that began with the code NO_NORMAL.
    """

    left: PairLog
    entered: PairLog
    stayed: PairLog
    ended: PairLog
    began: PairLog
    normals: dict[Pair, Vector]
    crossings: list[tuple[tuple[int, int], tuple[LeftReason | None, ...]]]
    touches: list[tuple[int, int, bool, bool, Vector]]
    bounces: list[tuple[tuple[int, int], tuple[Vector | None, ...]]]


def normal_of_code(code: int) -> Vector:
    """Return the unit vector of a normal by the code of two boxes."""
    return DIRECTIONS[code >> 1][code & 1]


class Holding(Protocol):
    """What steps of dynamics left in contact, by rows: bodies at rest keep a gap (I2)."""

    def holds(self, row: int, other: int) -> bool:
        """Return whether two bodies are in contact."""

    def held_with(self, row: int) -> list[int]:
        """Return the rows that are in contact with one, by id."""


def contact_normal(bodies: Bodies, overlaps: Overlaps, holding: Holding, row: int, name: int) -> Vector:
    """Return the normal from an asking body to one that it is in contact with, of its group the first by id.

    That of two plain boxes is found by `Overlaps.normal_code`, which is much faster.
    """
    parts = bodies.parts_if_enabled(row)
    for other in sorted(bodies.group_links.rows_of(name), key=bodies.entity):
        if not (bodies.has(other, SOLID) and overlaps.reports(row, other)):
            continue
        mine, others = parts, bodies.parts_if_enabled(other)
        if overlaps.are_one_way(row, other):  # other parts may overlap, and are in no contact (M5)
            numbers = overlaps.first_in_front(row, other)
            if numbers is None:
                continue
            mine, others = [_part(bodies, row, numbers[0])], [_part(bodies, other, numbers[1])]
        normal = deepest_normal(mine, others, bodies.columns.are_flat(row, other))
        if normal is not None:
            return normal
    for other in sorted(bodies.group_links.rows_of(name), key=bodies.entity):
        if bodies.has(other, SOLID) and overlaps.reports(row, other):
            normal = near_normal(bodies, row, other)
            if normal is not None:
                return normal
    raise AssertionError("a contact began of two bodies that do not meet")


def _part(bodies: Bodies, row: int, number: int) -> Part:
    """Return a part of an enabled body, by its number in the index."""
    if bodies.has(row, SHAPED):
        return bodies.parts_if_enabled(row)[number]
    boxes = bodies.boxes(row)
    return Part(boxes[number])
