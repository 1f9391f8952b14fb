"""Frames in which nothing changes: what they return, what ends them, and how little they cost (E2, S1, S2, T5)."""

from __future__ import annotations

import esper
import pytest
from worlds import a_crate, a_player, a_system, a_wall, a_zone, part

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    FellAsleep,
    Motion,
    Sleeping,
    Transform,
    TriggerEntered,
    TriggerLeft,
)


def test_idle_frames_are_numbered_and_each_is_a_new_frame(world):
    system = a_system()
    a_crate(0), a_crate(5, 0, Sleeping(asleep=True))
    frames = []
    for number in range(1, 9):
        esper.process()
        assert (system.stats.frame, system.stats.bodies, system.stats.awake) == (number, 2, 1)
        system.events.append(number)
        frames.append(system.events)
    assert frames == [[number] for number in range(1, 9)]
    assert dict(system.results) == {}


def test_the_phases_of_a_frame_are_not_those_of_the_one_before():
    world = CollisionWorld()
    world.stats.timing = True
    crate = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5))
    for _ in range(3):
        world.step()
    assert world.stats.phases == {}
    world.teleport(crate, 1, 1)
    world.step()
    assert world.stats.phases != {}
    world.step()
    assert world.stats.phases == {}


def test_a_body_due_after_idle_frames_falls_asleep_in_its_frame_S2(system):
    bodies = [a_crate(3 * i, 0, Sleeping(after=4 + i)) for i in range(3)]
    reported = []
    for _ in range(9):
        esper.process()
        reported += [(event.frame, event.entity) for event in system.events if isinstance(event, FellAsleep)]
    assert reported == [(5 + i, body) for i, body in enumerate(bodies)]


def test_a_body_that_moved_between_idle_frames_rests_from_its_own_frame_on_S2(system):
    player = a_player(0, 0, Sleeping(after=6))
    stopped = a_player(9, 0, Sleeping(after=6))
    a_wall(10)
    for _ in range(9):
        esper.process()
    for body, dx in ((player, -1), (stopped, 1)):
        part(body, Sleeping).asleep = False
        for _ in range(5):
            esper.process()
        system.move(body, dx)
        reported = []
        for _ in range(8):
            esper.process()
            fell = [(event.entity, len(reported)) for event in system.events if isinstance(event, FellAsleep)]
            reported += fell or [None]
        assert reported == [None] * 6 + [(body, 6), None]


CHANGES = {
    "a write": lambda body: setattr(part(body, Transform), "x", 0.5),
    "a request": lambda body: part(body, Motion).move(-8.5),
    "a component": lambda body: esper.add_component(body, Transform(0.5, 0)),
    "a deletion": lambda body: [part(body, Transform), esper.delete_entity(body), a_player(0.5)],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_any_change_ends_the_idle_frames_in_its_frame(system, change):
    a_zone(0), a_crate(20)
    body = a_player(9)
    for _ in range(5):
        esper.process()
    change(body)
    esper.process()
    assert [type(event) for event in system.events if isinstance(event, TriggerEntered)] == [TriggerEntered]


def test_a_move_an_undelivered_event_and_a_write_of_a_handler_end_the_idle_frames(system):
    zone, body, heard = a_zone(0), a_player(9), []
    system.on(TriggerEntered, lambda event: [heard.append(event.frame), setattr(part(body, Transform), "x", 9)])
    system.on(TriggerLeft, lambda event: heard.append(-event.frame))
    for _ in range(5):
        esper.process()
    assert system.move(body, -8.5).complete
    for _ in range(4):
        esper.process()
    assert (heard, system.inside(zone)) == ([6, -7], [])
