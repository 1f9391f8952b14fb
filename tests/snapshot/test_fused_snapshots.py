"""Snapshots of worlds with fused bodies: groups that split have the same events after a restore (N1)."""

from __future__ import annotations

from typing import Any

import pytest
from boards import Board

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Fused,
    Inertia,
    Motion,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)


@pytest.mark.parametrize("frames", [0, 1])
def test_a_group_that_splits_right_after_a_restore_is_still_in_its_trigger(frames: int) -> None:
    def made(frames: int) -> CollisionWorld:
        world = CollisionWorld()
        world.add(2, transform=Transform(1.5, 0.0), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
        fused: dict[str, Any] = {"inertia": Inertia(1), "fused": Fused(2)}
        world.add(1, transform=Transform(0.5, 0.0), collider=BoxCollider(0.5, 0.5), **fused)
        world.add(3, transform=Transform(0.0, 0.0), collider=BoxCollider(4.0, 4.0), trigger=Trigger())
        for _ in range(frames):
            world.step()
        return world

    first, other = made(1), made(frames)
    if frames:
        other.teleport(2, 31.5, 0.0)
        other.teleport(1, 30.5, 0.0)
        other.step()
    other.restore(first.snapshot())
    events = []
    for world in (first, other):
        for id, collider in ((id, world._bodies.of(world._bodies.row(id)).collider) for id in (1, 2)):
            assert collider is not None
            collider.enabled = False
            events.append((id, [str(event) for event in world.step().events]))
        world.check()
    assert events[:2] == events[2:]
    assert [] == events[0][1]
    assert first.snapshot() == other.snapshot()


def test_events_of_a_split_group_follow_from_the_end_of_the_frame_restored_or_not_N1() -> None:
    def events(restoring: bool) -> list[str]:
        board = Board()
        zone = board.body(-1, -1, 2, 2, trigger=Trigger())
        root = board.crate(-0.5, motion=Motion(force=2))
        member = board.crate(1.5, fused=Fused(root))
        board.world.step()
        assert [root] == board.world.inside(zone)
        board.push(root, -2)
        if restoring:
            board.world.restore(board.world.snapshot())
        parts = board.world._bodies.of(board.world._bodies.row(member))
        board.world._stage(member, parts._replace(fused=None))
        return [str(event) for event in board.world.step().events if isinstance(event, (TriggerEntered, TriggerLeft))]

    left = "TriggerLeft(frame=2, trigger=1, other=2, reason=MOVED)"
    assert [left, "TriggerEntered(frame=2, trigger=1, other=3)"] == events(restoring=False)
    assert events(restoring=True) == events(restoring=False)
