"""Every public number with every kind of value: accepted and read back, or refused with a message (L3)."""

from __future__ import annotations

from typing import Any

import pytest
from number_rows import ROWS, UNREAD, Refused, Row
from number_stages import Stage

from ecs_collision import CollisionError

Cell = tuple[str, Any, Any]


def cells(row: Row) -> list[Cell]:
    """Return (name, value, verdict) of each value for a parameter, including the ends of its range."""
    return row.kind.cells() + (row.kind.ends() if row.edges else [])


def outcome(row: Row, stage: Stage, value: Any) -> object:
    """Return the value that is read back, or the refusal."""
    try:
        return row.give(stage, value)
    except CollisionError as refusal:
        return refusal
    except Exception as stranger:
        return f"{type(stranger).__name__}, which is not an error of this package: {stranger}"


def same(expected: object, found: object) -> bool:
    """Return whether two values are equal and of the same plain types."""
    if isinstance(expected, tuple):
        return isinstance(found, tuple) and len(expected) == len(found) and all(map(same, expected, found))
    return type(expected) is type(found) and expected == found


def fault_of(row: Row, verdict: object, found: object) -> str | None:
    """Return what is wrong with an outcome, or None."""
    if not isinstance(verdict, Refused):
        return None if found is UNREAD or same(verdict, found) else f"expected {verdict!r:.60}, found {found!r:.300}"
    if not isinstance(found, verdict.error) or not isinstance(found, CollisionError):
        return f"expected {verdict}, found {found!r:.300}"
    missing = [words for words in (row.words, verdict.words) if words not in str(found)]
    if missing:
        return f"lacks the words {missing}: {found}"
    return None if len(str(found)) < 400 else f"is {len(str(found))} letters long"


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_number_is_accepted_and_read_back_or_refused_without_change_L3(world, row):
    taken = [] if row.asks else [cell for cell in cells(row) if not isinstance(cell[-1], Refused)]
    wrong = faults_of_taken(row, taken)
    stage = row.stage()
    before = stage.state()
    for name, value, verdict in cells(row):
        if row.asks or isinstance(verdict, Refused):
            fault = fault_of(row, verdict, outcome(row, stage, value))
            if fault is not None:
                wrong.append(f"{name}: {fault}")
    if stage.state() != before:
        wrong.append("what was refused or asked has changed something")
    stage.close()
    assert [] == wrong, "\n".join([row.name, *wrong])


def faults_of_taken(row: Row, taken: list[Cell]) -> list[str]:
    """Return the faults of values that are accepted. One that fails after others is tried on a stage of its own."""
    wrong = []
    stage = row.stage()
    for name, value, verdict in taken:
        if fault_of(row, verdict, outcome(row, stage, value)) is not None:
            stage.close()
            stage = row.stage()
            fault = fault_of(row, verdict, outcome(row, stage, value))
            if fault is not None:
                wrong.append(f"{name}: {fault}")
    stage.close()
    return wrong
