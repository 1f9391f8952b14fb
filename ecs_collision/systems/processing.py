# cython: language_level=3, auto_pickle=False
"""The frame of a `CollisionSystem`, compiled: one in which nothing happened takes less time than a guarded call."""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

import esper

from ecs_collision.access import Access
from ecs_collision.errors import ReentryError
from ecs_collision.events import Overlapped
from ecs_collision.systems.delivery import ESPER_NAMES
from ecs_collision.world.frame import Frame
from ecs_collision.world.step import Step

if TYPE_CHECKING:
    from ecs_collision.systems.collision_system import CollisionSystem

_OVERLAPPED = ESPER_NAMES[Overlapped]


@cython.ccall
def process(system: CollisionSystem) -> object:
    """Run one frame of a system, as one call of its world."""
    access: Access = system._access
    access.enter()
    try:
        access.refuse_changes("process")
        world, delivery, detector = system._world, system._delivery, system._detector
        step: Step = world._step
        if delivery.running:
            raise ReentryError("a handler of collision events called process(); call it after this frame has ended")
        if world.frame is not system._queued_frame:
            system._queue_events(world.frame)
        registry = esper.event_registry
        if registry and _OVERLAPPED in registry:
            world.reports_overlaps = True
        frame: Frame
        if step.watcher is None:
            frame = step.run(world._before_changes)
            world.frame = frame
        else:
            frame = world.step()
        is_unheard: cython.bint = frame.quiet or not (
            registry or delivery.listeners.subscribed_kinds or step.solid_overlaps.is_tracking
        )
        if is_unheard and system._adviser is None and delivery.is_idle and not (detector.pending or detector.applied):
            system._queued_frame = frame
        else:
            system._finish_frame(frame)
    finally:
        access.depth -= 1
    return None
