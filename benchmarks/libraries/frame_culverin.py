"""The frame library culverin: the Python bindings of Jolt, in their own process (see `culverin`)."""

from __future__ import annotations

from typing import Any

from benchmarks.boxes import Boxes
from benchmarks.frames_crowd import Change, Place, in_3d
from benchmarks.libraries.culverin import APART, Worker
from benchmarks.libraries.frame_base import FrameLibrary, frame_library
from benchmarks.outputs import Output, rows


@frame_library("culverin sensors (Jolt)", exact=False, leaves_out=f"{APART}; boxes have a margin")
class CulverinFrame(FrameLibrary):
    """Sensors of Jolt. Communication between the processes is not included."""

    def __init__(self, boxes: Boxes) -> None:
        solid, self._worker = boxes.in_3d(), Worker()
        self._worker("sensors", solid.centres.tolist(), solid.halves.tolist())

    def one_by_one(self, change: Change) -> Any:
        """Write the places of the game."""
        return self._frame(change.row_list, change.places_3d)

    def in_bulk(self, change: Change) -> Any:
        """Write the places of an array, also one by one."""
        return self._frame(change.row_list, in_3d(change.centres))

    def _frame(self, moved: list[int], places: list[Place] | Any) -> Any:
        return self._worker("frame", moved, places)

    def cool(self) -> None:
        """Walk other memory in both processes."""
        super().cool()
        self._worker("walk")

    def output(self, events: Any) -> Output:
        """Return the tuples as an output."""
        return rows(events)
