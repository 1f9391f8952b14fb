"""Every public number times everything that may be given for one: taken and read back, or refused in words (L3)."""

from __future__ import annotations

from typing import Any

import pytest
from number_components import ROWS
from number_stages import UNREAD, Row, Stage
from numbers_given import VALUES, Refused

from ecs_collision import CollisionError


def cells(row: Row) -> list[tuple[str, Any, Any]]:
    """Return (name, value, verdict) of each value given for a parameter, those about the ends of its range too."""
    kind = row.kind
    found = [(name, value, kind.verdict(name)) for name, value in VALUES.items()]
    if row.edges:
        found += [(f"{name} {value!r:.40}", value, verdict) for name, value, verdict in kind.ends()]
    return found


def outcome(row: Row, stage: Stage, value: Any) -> object:
    """Return what is read back of a value, or how it was refused."""
    try:
        return row.give(stage, value)
    except CollisionError as refusal:
        return refusal
    except Exception as stranger:
        return f"{type(stranger).__name__}, which is none of ours: {stranger}"


def same(expected: object, found: object) -> bool:
    """Return whether two values are equal and of the same plain kinds."""
    if isinstance(expected, tuple):
        return isinstance(found, tuple) and len(expected) == len(found) and all(map(same, expected, found))
    return type(expected) is type(found) and expected == found


def judged(row: Row, verdict: object, found: object) -> str | None:
    """Return what is wrong with an outcome, None if nothing is."""
    if not isinstance(verdict, Refused):
        return None if found is UNREAD or same(verdict, found) else f"expected {verdict!r:.60}, found {found!r:.300}"
    if not isinstance(found, verdict.error) or not isinstance(found, CollisionError):
        return f"expected {verdict}, found {found!r:.300}"
    missing = [words for words in (row.words, verdict.words) if words not in str(found)]
    if missing:
        return f"lacks the words {missing}: {found}"
    return None if len(str(found)) < 400 else f"is {len(str(found))} letters long"


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_number_is_taken_and_read_back_or_refused_and_nothing_has_changed_L3(world, row):
    wrong = []
    stage = row.stage()
    before = stage.state()
    for name, value, verdict in cells(row):
        found = outcome(row, stage, value)
        fault = judged(row, verdict, found)
        if fault is None and isinstance(verdict, Refused) and stage.state() != before:
            fault = "it was refused and something has changed"
        if fault is not None:
            wrong.append(f"{name}: {fault}")
        if fault is not None or not isinstance(verdict, Refused):
            stage.close()
            stage = row.stage()
            before = stage.state()
    stage.close()
    assert [] == wrong, "\n".join([row.name, *wrong])
