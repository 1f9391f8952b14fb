"""Events built in bulk equal those of their constructors."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from ecs_collision import LeftReason, Moved, TriggerEntered, TriggerLeft
from ecs_collision.results import build_event, build_events


@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        (TriggerEntered, ([1, 2**40], [3, 4])),
        (TriggerLeft, ([1, 2], [3, 4], [LeftReason.MOVED, LeftReason.DELETED])),
        (Moved, ([7], [(1.0, 0.0, -0.5)])),
        (TriggerEntered, ([], [])),
    ],
    ids=["entered", "left", "moved", "none"],
)
def test_bulk_events_equal_events_made_one_by_one(kind, columns):
    built = build_events(kind, 9, columns)
    single = [build_event(kind, (9, *row)) for row in zip(*columns, strict=True)]
    assert built == single == [kind(9, *row) for row in zip(*columns, strict=True)]
    for event in built + single:
        assert type(event) is kind
        assert hash(event) == hash(copy.copy(event)) and pickle.loads(pickle.dumps(event)) == event
        assert repr(event) == repr(kind(*dataclasses.astuple(event)))
        with pytest.raises(dataclasses.FrozenInstanceError):
            event.frame = 1
