"""Snapshots of worlds with welds: what groups that split tell is as behind the snapshot (N1)."""

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
def test_a_group_that_splits_right_behind_a_restore_is_still_in_its_trigger(frames: int) -> None:
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
    told = []
    for world in (first, other):
        for id, collider in ((id, world.bodies.of(world.bodies.row(id)).collider) for id in (1, 2)):
            assert collider is not None
            collider.enabled = False
            told.append((id, [str(event) for event in world.step().events]))
        world.check()
    assert told[:2] == told[2:]
    assert [] == told[0][1]
    assert first.snapshot() == other.snapshot()


def test_what_a_split_group_says_follows_from_the_end_of_the_frame_also_behind_a_restore_N1() -> None:
    def told(restoring: bool) -> list[str]:
        board = Board()
        zone = board.body(-1, -1, 2, 2, trigger=Trigger())
        root = board.crate(-0.5, motion=Motion(force=2))
        member = board.crate(1.5, fused=Fused(root))
        board.world.step()
        assert [root] == board.world.inside(zone)
        board.push(root, -2)
        if restoring:
            board.world.restore(board.world.snapshot())
        parts = board.world.bodies.of(board.world.bodies.row(member))
        board.world.stage(member, parts._replace(fused=None))
        return [str(event) for event in board.world.step().events if isinstance(event, (TriggerEntered, TriggerLeft))]

    left = "TriggerLeft(frame=2, trigger=1, other=2, reason=MOVED)"
    assert [left, "TriggerEntered(frame=2, trigger=1, other=3)"] == told(restoring=False)
    assert told(restoring=True) == told(restoring=False)
