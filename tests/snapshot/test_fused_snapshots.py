"""Snapshots of worlds with welds: what is told, who sleeps and how groups go on, as behind the snapshot (N1, N2)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from boards import Board, many, trials

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Fused,
    Inertia,
    Motion,
    Sleeping,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)
from ecs_collision.components import Parts


class Played(Board):
    """A board of welded bodies on which a seed decides all that happens without components coming or going."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        dice = random.Random(seed)
        for entity in range(1, 13):
            place = Transform(dice.randint(0, 12) / 2, dice.randint(0, 4) / 2)
            parts: dict[str, Any] = {"inertia": Inertia(1), "motion": Motion(force=2)}
            if dice.random() < 0.3:
                parts = {
                    "trigger": Trigger(stay=dice.random() < 0.5, linger=dice.choice([0, 3]), swept=entity % 2 == 0)
                }
            if entity > 1 and dice.random() < 0.6:
                parts["fused"] = Fused(dice.randint(1, entity - 1))
            if dice.random() < 0.9:
                parts["sleeping"] = Sleeping(after=3)
            self.transforms[entity], self.colliders[entity] = place, BoxCollider(0.5, 0.5)
            self.world.stage(entity, Parts(place, self.colliders[entity], **parts))
        self.world.step()

    def act(self, dice: random.Random) -> None:
        entity, to = dice.randint(1, 12), dice.randint(1, 12)
        parts = self.world.bodies.of(self.world.bodies.row(entity))
        x, y = dice.randint(-4, 4) / 2, dice.randint(-2, 2) / 2
        what = dice.choice(["push", "push", "request", "write", "weld", "able", "layer", "rest"])
        if what == "push":
            self.push(entity, x, y, force=2)
        elif what == "request" and parts.motion is not None:
            self.world.request(entity, x, y)
        elif what == "write":
            parts.transform.position = (3 + x, 1 + y)
        elif what == "weld" and parts.fused is not None and to < entity:
            parts.fused.to = to
        elif what == "able":
            parts.collider.enabled = dice.random() < 0.7
        elif what == "layer" and parts.trigger is not None:
            parts.trigger.mask = dice.choice([None, None, "default", ()])
        elif what == "rest" and parts.sleeping is not None:
            parts.sleeping.asleep = dice.random() < 0.5

    def future(self, seed: int, frames: int) -> list[Any]:
        """Play on, and return all that can be seen of it."""
        dice, seen = random.Random(seed), []
        for _ in range(frames):
            for _ in range(dice.choice([0, 0, 1, 2])):
                self.act(dice)
            frame = self.world.step()
            inside = [self.world.inside(e) for e in self.transforms if self.world.bodies.of(self.row(e)).trigger]
            seen.append((list(map(repr, frame.events)), repr(dict(frame.results)), self.places(), inside))
            self.world.check()
        return [*seen, self.world.state_hash()]

    def row(self, entity: int) -> int:
        return int(self.world.bodies.row(entity))


@pytest.mark.parametrize("seed", many(6))
def test_the_future_behind_a_restore_is_the_one_behind_the_snapshot(seed):
    """In the world itself, much changed meanwhile, and in another one of the same bodies; also between two frames."""
    board, other, dice = Played(seed), Played(seed), random.Random(seed)
    for turn in range(trials(40) // 20 + 1):
        board.future(100 * seed + turn, dice.randint(0, 9))
        for _ in range(dice.choice([0, 1, 2])):
            board.act(dice)
        taken, frames = board.world.snapshot(), trials(40) + 5
        told = board.future(turn, frames)
        board.world.restore(taken)
        board.world.check()
        assert board.world.snapshot() == taken
        assert told == board.future(turn, frames)
        other.future(turn + 7, 3)
        other.world.restore(taken)
        other.world.check()
        assert told == other.future(turn, frames)


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
