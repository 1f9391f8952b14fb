"""The frame peer culverin: Jolt's Python bindings, in a process of their own (see `culverin`)."""

from __future__ import annotations

from typing import Any

from benchmarks.answers import Answer, rows
from benchmarks.boxes import Boxes
from benchmarks.frames_crowd import Change, Place, in_3d
from benchmarks.peers.culverin import APART, Worker
from benchmarks.peers.frame_base import FramePeer, frame_peer


@frame_peer("culverin sensors (Jolt)", exact=False, leaves_out=f"{APART}; exactness: a margin around each box")
class CulverinFrame(FramePeer):
    """Sensors of Jolt; the way between the processes is not counted."""

    def __init__(self, boxes: Boxes) -> None:
        solid, self._worker = boxes.in_3d(), Worker()
        self._worker("sensors", solid.centres.tolist(), solid.halves.tolist())

    def one_by_one(self, change: Change) -> Any:
        """Write the places the game has."""
        return self._frame(change.row_list, change.places_3d)

    def in_bulk(self, change: Change) -> Any:
        """Write the places of an array, one by one as well."""
        return self._frame(change.row_list, in_3d(change.centres))

    def _frame(self, moved: list[int], places: list[Place] | Any) -> Any:
        return self._worker("frame", moved, places)

    def told(self, events: Any) -> Answer:
        """Return the tuples as an answer."""
        return rows(events)
