"""Impacts: what steps of dynamics log is delivered, filtered, recorded, stored and restored (rules C6 and T7)."""

from __future__ import annotations

import struct
from typing import Any

import esper
import pytest
from snapshot_bytes import split
from worlds import a_system

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Contact,
    ContactBegan,
    FellAsleep,
    Impact,
    Sleeping,
    SnapshotError,
    Static,
    Transform,
    TriggerEntered,
)
from ecs_collision.game import Game
from ecs_collision.levels import parse_level
from ecs_collision.plays.replaying import recorded_events
from ecs_collision.testing import assert_events, record

DOWN = (0.0, 1.0, 0.0)


def a_world() -> CollisionWorld:
    """Return a world with a ball that asks for impacts, on a floor."""
    world = CollisionWorld()
    world.add(1, transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), contact=Contact(impacts=1))
    world.add(2, transform=Transform(0, 1), collider=BoxCollider(5, 0.5), static=Static(), contact=Contact(impacts=2))
    world.add(3, transform=Transform(9, 0), collider=BoxCollider(0.5, 0.5), sleeping=Sleeping(after=1))
    return world


def log_impact(world: CollisionWorld, a: int, b: int, speed: float = 4.0, x: float = 0.0) -> Impact:
    """Log an impact as a step of dynamics does, and return its event in the coming frame."""
    world._step.end_quiet_frames()
    world._step.log.impact(a, b, (x, 0.5, 0.0), DOWN, 2 * speed, speed)
    return Impact(world.frame_number + 1, a, b, (x, 0.5, 0.0), DOWN, 2 * speed, speed)


def test_impacts_are_events_of_the_coming_frame_between_contacts_and_sleep_T7():
    world = a_world()
    late, first, second = log_impact(world, 2, 1), log_impact(world, 1, 2, 3), log_impact(world, 1, 2, 2)
    frame = world.step()
    assert [ContactBegan, ContactBegan, Impact, Impact, Impact] == [type(each) for each in frame.events]
    assert (first, second, late) == tuple(frame.events[2:]), "by ids, those of a pair in the order of time"
    log_impact(world, 1, 2)
    assert [Impact, FellAsleep] == [type(each) for each in world.step().events]
    assert world.step().events == []


def test_a_frame_with_an_impact_alone_is_not_quiet_T7():
    world = a_world()
    for _ in range(4):
        world.step()
    assert world.step().quiet
    expected = log_impact(world, 1, 2)
    frame = world.step()
    assert (False, [expected]) == (frame.quiet, frame.events)


def test_handlers_get_the_impacts_that_they_match_T9(world):
    system = a_system()
    ball = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Contact(impacts=1))
    wall = esper.create_entity(Transform(9, 1), BoxCollider(0.5, 0.5), Static())
    seen: list[tuple[str, float]] = []
    system.on(Impact, lambda event: seen.append(("all", event.speed)))
    system.on(Impact, lambda event: seen.append(("ball", event.speed)), a=ball)
    system.on(Impact, lambda event: seen.append(("as b", event.speed)), b=ball)
    esper.process()
    log_impact(system._world, ball, wall, 2)
    esper.process()
    assert sorted(seen) == [("all", 2.0), ("ball", 2.0)]


def test_the_doctor_names_a_handler_of_impacts_of_a_body_that_asks_for_none(world):
    system = a_system()
    ball = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Contact())
    system.on(Impact, print, a=ball)
    esper.process()
    (line,) = [str(each) for each in system.doctor() if each.kind == "handler"]
    assert "cannot be called: the entity has no Contact(impacts=...); add one, or match it as b" in line
    esper.component_for_entity(ball, Contact).impacts = 3
    assert not [each for each in system.doctor() if each.kind == "handler"]


def test_the_test_kit_counts_and_describes_impacts():
    world = a_world()
    with record(world) as recorder:
        log_impact(world, 1, 2, 4.5)
        world.step()
        log_impact(world, 1, 2, 3)
        world.step()
    assert (2, 2, 0) == (recorder.hit(), recorder.hit(1, by=2), recorder.hit(2))
    assert recorder.first("entity 2 hit entity 1 y +1 at 3") == 2
    assert_events(world, ["entity 2 hit entity 1"], only=Impact)
    assert_events(world, [(Impact, 1, 2, (0, 0.5), (0, 1), 6, 3)], only=Impact)
    with pytest.raises(AssertionError, match=r"\+ entity 2 hit entity 1 y \+1 at 3"):
        assert_events(world, [(Impact, 1, 2, (0, 0.5), (0, 1), 6, 4)], only=Impact)


def test_a_game_names_the_bodies_and_plays_record_the_impact():
    game = Game(parse_level("legend\n@ player: Motion()\n$ crate: Contact(impacts=2)\nmap\n@.$\n"))
    game.turn(".")
    log_impact(game.world, game.ids["crate"], game.ids["player"])
    turn = game.turn("R")
    (event,) = [each for each in turn.events if each.kind is Impact]
    assert ("crate", "player", 4.0, "player hit crate") == (event.a, event.b, event.speed, str(event))
    assert "player hit crate" in recorded_events(turn)


def test_pending_and_undelivered_impacts_are_in_snapshots_N1():
    world, other = a_world(), a_world()
    for each in (world, other, world, other):
        each.step()
    empty, other_hash = world.snapshot(), world.state_hash()
    log_impact(world, 2, 1)
    log_impact(world, 1, 2, 3)
    log_impact(world, 1, 2, 2)
    data = world.snapshot()
    assert other_hash != world.state_hash()
    other.restore(data)
    assert data == other.snapshot()
    assert world.step().events == other.step().events != []
    other.restore(empty)
    assert other.step().events == []


def with_pending(data: bytes, bodies: int, pending: bytes) -> bytes:
    """Return a snapshot with other pending events."""
    blocks = split(data)
    contacts, crossings, requests, length = struct.unpack_from("<IIII", blocks.hashed)
    at = 16 + 24 * bodies + 24 * (contacts + crossings) + 32 * requests
    head = struct.pack("<IIII", contacts, crossings, requests, len(pending))
    return blocks._replace(hashed=head + blocks.hashed[16:at] + pending + blocks.hashed[at + length :]).joined()


def pending_of(*hits: tuple[Any, ...]) -> bytes:
    """Return pending events of these impacts only."""
    ids = b"".join([struct.pack("<qqq", 2, *hit[:2]) for hit in hits])
    numbers = b"".join([struct.pack("<8d", *hit[2:]) for hit in hits])
    return struct.pack("<7I", *[0] * 5, 3 * len(hits), 0) + ids + numbers


HIT = (1, 2, 0, 0.5, 0, 0, 1, 0, 8, 4)
FORGED = {
    "a body with itself": pending_of((1, 1, *HIT[2:])),
    "no body": pending_of((-1, *HIT[1:])),
    "a speed below 0": pending_of((*HIT[:9], -1)),
    "an impulse below 0": pending_of((*HIT[:8], -1, 4)),
    "nan": pending_of((*HIT[:2], float("nan"), *HIT[3:])),
    "cut off": pending_of(HIT)[:-8],
    "too long": pending_of(HIT) + b"\0",
    "out of order": pending_of((2, 1, *HIT[2:]), HIT),
}


def test_an_impact_that_is_not_forged_is_restored_N1():
    world = a_world()
    world.step()
    world.step()
    data = with_pending(world.snapshot(), 3, pending_of(HIT))
    world.restore(data)
    assert data == world.snapshot()
    assert world.step().events == [Impact(3, 1, 2, (0.0, 0.5, 0.0), DOWN, 8.0, 4.0)]


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_a_forged_impact_is_refused_N1(forged: bytes):
    world = a_world()
    world.step()
    data = world.snapshot()
    with pytest.raises(SnapshotError):
        world.restore(with_pending(data, 3, forged))
    assert data == world.snapshot()


def test_an_interrupted_change_takes_the_impacts_back():
    world = a_world()
    log = world._step.log
    log.impact(1, 2, (0, 0, 0), DOWN, 1, 1)
    mark = log.mark()
    log.impact(1, 2, (0, 0, 0), DOWN, 2, 2)
    log.rollback(mark)
    assert [1] == [hit[4] for hit in log.impacts]
    assert not log.events(1, {TriggerEntered})
