"""This engine in the frame workloads: triggers in esper that report each other, and every event read."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

import esper

from benchmarks.boxes import Boxes
from benchmarks.frames_crowd import Change, Crowd
from benchmarks.libraries import Job
from benchmarks.libraries.frame_base import FrameLibrary, job, output
from benchmarks.outputs import Output
from ecs_collision import BoxCollider, CollisionSystem, Motion, Transform, Trigger


class OwnFrame(FrameLibrary):
    """Positions by `Transform.position` or `system.set_positions`, events by `system.events`.

    Each has its own esper world, which `delete_worlds` deletes.
    """

    worlds: ClassVar[list[str]] = []
    _numbers: ClassVar[count[int]] = count()

    def __init__(self, boxes: Boxes) -> None:
        self.world = f"crowd {next(self._numbers)}"
        self.worlds.append(self.world)
        esper.switch_world(self.world)
        self.system = CollisionSystem()
        esper.add_processor(self.system)
        self.transforms = [Transform(*place) for place in boxes.centres.tolist()]
        entities = [
            esper.create_entity(transform, BoxCollider(*half), self._reporting())
            for transform, half in zip(self.transforms, boxes.halves.tolist(), strict=True)
        ]
        self.first = entities[0]
        assert entities == list(range(self.first, self.first + boxes.count))  # so a row is an id minus the first
        self._settle()

    def _reporting(self) -> Any:
        """Return the component that makes a body report."""
        return Trigger(mask="default")

    def _settle(self) -> None:
        for _ in range(3):
            esper.process()

    def one_by_one(self, change: Change) -> list[Any]:
        """Write the component of each body that moves."""
        transforms = self.transforms
        for row, place in zip(change.row_list, change.places, strict=True):
            transforms[row].position = place
        return self._finish()

    def in_bulk(self, change: Change) -> list[Any]:
        """Pass the array."""
        self.system.set_positions(change.rows + self.first, change.centres)
        return self._finish()

    def _finish(self) -> list[Any]:
        """Run the frame and read its events."""
        esper.process()
        return self.system.events

    def output(self, events: Any) -> Output:
        """Return events as an output, ids as rows."""
        return output(events, self.first)


class OwnFrameWithQueries(OwnFrame):
    """The same with one move, one query and one look at the cells in each frame, which includes deferred work."""

    def __init__(self, boxes: Boxes) -> None:
        super().__init__(boxes)
        low, high = boxes.side / 2 - 1, boxes.side / 2 + 1
        third = (low, high) if boxes.dims == 3 else (-0.5, 0.5)
        self._box = ((low, low, third[0]), (high, high, third[1]))
        collider = BoxCollider(0.5, 0.5, layer="mover")  # no trigger reports it
        place = Transform(low, low, 0.0 if boxes.dims == 2 else low)
        self._mover = esper.create_entity(place, collider, Motion(force=1.0))
        self._step = 0.25
        self._settle()

    def _finish(self) -> list[Any]:
        assert self.system.move(self._mover, self._step).complete
        self._step = -self._step
        self.system.space.overlapping(self._box, triggers=True)
        esper.process()
        assert len(self.system.space.cells)
        return self.system.events


def own_job(made: type[OwnFrame], method: str, crowd: Crowd) -> Job:
    """Return this engine set up for a crowd; its world is the current one while it runs."""
    participants: list[OwnFrame] = []

    def remembered(boxes: Boxes) -> OwnFrame:
        participants.append(made(boxes))
        return participants[0]

    common = job(remembered, method, crowd)

    def turn() -> None:
        common.before()
        esper.switch_world(participants[0].world)

    return replace(common, before=turn)


def delete_worlds() -> None:
    """Delete the esper worlds of all that were created."""
    esper.switch_world("default")
    while OwnFrame.worlds:
        esper.delete_world(OwnFrame.worlds.pop())
