"""The engine in the frame workloads: triggers in esper that see each other, and every event read."""

from __future__ import annotations

from itertools import count
from typing import Any, ClassVar

import esper

from benchmarks.answers import Answer
from benchmarks.boxes import Boxes
from benchmarks.frames_crowd import Change, Crowd
from benchmarks.peers import Job
from benchmarks.peers.frame_base import FramePeer, answer, job
from ecs_collision import BoxCollider, CollisionSystem, Motion, Transform, Trigger


class OursFrame(FramePeer):
    """Positions through `Transform.position` or `system.set_positions`, events by `system.events`.

    Each lives in an esper world of its own, which is deleted by `delete_worlds`.
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
            esper.create_entity(transform, BoxCollider(*half), Trigger(mask="default"))
            for transform, half in zip(self.transforms, boxes.halves.tolist(), strict=True)
        ]
        self.first = entities[0]
        assert entities == list(range(self.first, self.first + boxes.count))  # so a row is an id less the first
        self._settle()

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
        """Hand over the array."""
        self.system.set_positions(change.rows + self.first, change.centres)
        return self._finish()

    def _finish(self) -> list[Any]:
        """Do the frame and read its events."""
        esper.process()
        return self.system.events

    def told(self, events: Any) -> Answer:
        """Return events as an answer, ids as rows."""
        return answer(events, self.first)


class OursAsked(OursFrame):
    """The same with one move, one question and one look at the cells in each frame: work put off is paid there."""

    def __init__(self, boxes: Boxes) -> None:
        super().__init__(boxes)
        low, high = boxes.side / 2 - 1, boxes.side / 2 + 1
        third = (low, high) if boxes.dims == 3 else (-0.5, 0.5)
        self._box = ((low, low, third[0]), (high, high, third[1]))
        collider = BoxCollider(0.5, 0.5, layer="asker")  # no trigger reports it
        place = Transform(low, low, 0.0 if boxes.dims == 2 else low)
        self._asker = esper.create_entity(place, collider, Motion(force=1.0))
        self._step = 0.25
        self._settle()

    def _finish(self) -> list[Any]:
        assert self.system.move(self._asker, self._step)
        self._step = -self._step
        self.system.space.overlapping(self._box, triggers=True)
        esper.process()
        assert len(self.system.space.cells)
        return self.system.events


def our_job(made: type[OursFrame], door: str, crowd: Crowd) -> Job:
    """Return ours set up for a crowd; its world is the current one while it runs."""
    entrants: list[OursFrame] = []

    def remembered(boxes: Boxes) -> OursFrame:
        entrants.append(made(boxes))
        return entrants[0]

    common = job(remembered, door, crowd)

    def turn() -> None:
        common.before()
        esper.switch_world(entrants[0].world)

    return Job(common.run, common.answer, turn)


def delete_worlds() -> None:
    """Delete the esper worlds of all that were made."""
    esper.switch_world("default")
    while OursFrame.worlds:
        esper.delete_world(OursFrame.worlds.pop())
