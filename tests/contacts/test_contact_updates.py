"""A full update and a search around every changed body find the same contacts (rules T1 to T5, S3)."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from boards import AS_SHIPPED, seeds, sometimes
from random_games import RandomGame
from soak.scene_generator import SceneGenerator
from worlds import fresh_world

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Motion,
    Sleeping,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)
from ecs_collision.testing import Scene

PASSES = "ecs_collision.contacts.triggers.FULL_PASS_"
SEEDS = seeds(6)


@pytest.fixture
def choose(monkeypatch):
    """Return a function that makes every update a full update, or none."""

    def choose(all_at_once: bool) -> None:
        monkeypatch.setattr(PASSES + "MINIMUM", 1 if all_at_once else 10**9)
        monkeypatch.setattr(PASSES + "SHARE", 10**9)

    return choose


def played(game: RandomGame, frames: int) -> list[list[str]]:
    """Play a game and check every contact by brute force; return what can be read after each frame."""
    read = []
    for _ in range(frames):
        game.frame()
        game.system.check()
        read.append([*game.frame_lines(), repr(game.trigger_contents())])
    return read


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fusing", [False, True], ids=["", "fused"])
@pytest.mark.parametrize("reach", [2.0, pytest.param(9.0, marks=pytest.mark.once)], ids=["heap", "room"])
def test_random_games_have_the_same_events_with_both_updates(choose, reach, fusing, seed):
    read = []
    for all_at_once in (False, True):
        choose(all_at_once)
        with fresh_world():
            game = RandomGame(100 + seed, bodies=24, querying=False, fusing=fusing, region={"reach": reach})
            read.append(played(game, 12))
            assert all_at_once or not game.system._world._step.triggers.full_passes
    for each, together in zip(*read, strict=True):
        assert each == together


class Crowd(SceneGenerator):
    """A crowd whose triggers report the bodies inside at the end of a frame."""

    def trigger(self) -> Any:
        flags = {"statics": self.chance(0.5), "touching": self.chance(0.4)}
        return ("Trigger", {"mask": self.choice(self.masks), **flags})


COUNT = 280
"""Number of bodies; a seventh of it is less than FULL_PASS_MINIMUM."""

SHARES = (1, 63, 0, 64, 65, 2, COUNT // 2, COUNT - 1, COUNT)

CROWDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "flat": ({"reach": 12.0}, {}),
    "packed": ({"reach": 5.0, "grain": 2}, {"overlap_policy": "leave"}),
    "3D": ({"reach": 8.0, "in_3d": True}, {}),
    "small bins": ({"reach": 20.0, "in_3d": True}, {"bin_size": 0.25}),
    "far apart": ({"reach": 60.0, "grain": 1}, {"bin_size": 16.0}),
    "shapes": ({"reach": 9.0}, {}),
}


@pytest.mark.parametrize("crowd", sometimes(CROWDS, ("packed", "3D", "small bins", "far apart")))
def test_events_are_the_changes_of_contents_for_any_share_of_changed_bodies_O8(crowd):
    place, settings = CROWDS[crowd]
    dice = Crowd(len(place), **place)
    dice.is_shaped = crowd == "shapes"
    scene = dice.scene(COUNT)
    world = scene.world() if not settings else Scene(scene.bodies, settings).world()
    zones = [id for id, parts in scene.bodies.items() if parts.trigger is not None]
    movers = {id for id, parts in scene.bodies.items() if parts.motion is not None}
    held: set[tuple[int, int]] = set()
    for turn, share in enumerate(SHARES if AS_SHIPPED and crowd == "flat" else SHARES[::3]):
        ids = dice.random.sample(range(1, COUNT + 1), share)
        if turn % 3 == 0:
            world.set_positions(ids, [dice.spot() for _ in ids] or numpy.zeros((0, 3)))
        for id in ids if turn % 3 else ():
            if id in movers:
                world.request(id, *dice.displacement())
            elif turn % 3 == 1 or id % 2:
                world.teleport(id, *dice.spot())
            else:
                collider = world._bodies.of(world._bodies.row(id)).collider
                collider.layer, collider.enabled = dice.choice("ab"), dice.chance(0.8)
        events = world.step().events
        now = {(zone, other) for zone in zones for other in world.inside(zone)}
        assert sorted(now - held) == [(e.trigger, e.other) for e in events if isinstance(e, TriggerEntered)]
        assert sorted(held - now) == [(e.trigger, e.other) for e in events if isinstance(e, TriggerLeft)]
        held = now
        world.check()  # compares the contacts with all pairs of boxes


def test_a_full_update_skips_the_cells_of_sleepers_S03(choose):
    tested = {}
    for sleeping in (True, False):
        choose(True)
        world = CollisionWorld()
        for number in range(40):
            world.add(transform=Transform(100 + number % 5, number // 5), collider=BoxCollider(0.75, 0.75),
                      trigger=Trigger(mask="default"), sleeping=Sleeping(sleeping, 9))  # fmt: skip
        body = BoxCollider(0.5, 0.5)
        movers = [world.add(transform=Transform(3 * at, 0), collider=body.copy(), motion=Motion()) for at in range(5)]
        world.step()
        for mover in movers:
            world.request(mover, dx=0.5)
        world.step()
        assert (world.stats.cells_skipped > 0) == sleeping
        tested[sleeping] = world.stats.pairs_tested
    assert 0 == tested[True] < tested[False]


def test_a_full_update_finds_the_sleepers_near_a_mover(choose):
    choose(True)
    world = CollisionWorld()
    sleeper = world.add(
        transform=Transform(4, 0), collider=BoxCollider(1, 1), trigger=Trigger(), sleeping=Sleeping(True, 9)
    )
    mover = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion())
    world.step()
    read = []
    for _ in range(8):
        world.request(mover, dx=1)
        read += [(type(event).__name__, event.trigger) for event in world.step().events if hasattr(event, "trigger")]
    assert [("TriggerEntered", sleeper), ("TriggerLeft", sleeper)] == read
    assert world._bodies.of(world._bodies.row(sleeper)).sleeping.asleep


@pytest.mark.parametrize("all_at_once", [True, False], ids=["full update", "search"])
@pytest.mark.parametrize("wide", [0.5, 4.0], ids=["as wide", "wider"])
def test_a_body_that_moves_into_the_plane_enters_L5(choose, wide, all_at_once):
    choose(all_at_once)
    world, place = CollisionWorld(), Transform(0, 0, -1)
    body = world.add(transform=place, collider=BoxCollider(wide, wide))
    zone = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), trigger=Trigger())
    assert [] == world.step().events
    place.z = 0
    world.step()
    assert [body] == world.inside(zone)
    world.check()


def test_two_bodies_that_part_in_one_frame_leave_each_other_T03():
    world = CollisionWorld()
    places = [Transform(0, 0), Transform(0.75, 0)]
    for place in places:
        world.add(transform=place, collider=BoxCollider(0.5, 0.5), trigger=Trigger(mask="default"))
    assert 2 == len(world.step().events)
    places[0].x, places[1].x = -1, 1.75
    assert ["TriggerLeft"] * 2 == [type(event).__name__ for event in world.step().events]
    places[0].x, places[1].x = 0, 0.75
    assert ["TriggerEntered"] * 2 == [type(event).__name__ for event in world.step().events]
    world.check()


def test_a_body_that_leaves_one_part_of_two_stays_in_contact_T03():
    world, place = CollisionWorld(), Transform(0, 0)
    parts = CompoundCollider([Box(0.5, 0.5, offset=(-0.5, 0)), Box(0.5, 0.5, offset=(0.5, 0))])
    world.add(transform=Transform(0, 0), collider=parts)
    world.add(transform=place, collider=BoxCollider(0.25, 0.25), trigger=Trigger())
    assert ["TriggerEntered"] == [type(event).__name__ for event in world.step().events]
    for x, expected in ((0.5, []), (-0.5, []), (0, []), (0, []), (-1, []), (-1.5, ["TriggerLeft"])):
        place.x = x
        assert expected == [type(event).__name__ for event in world.step().events]
        world.check()


def test_a_small_body_leaves_a_giant_that_moved_far_T03():
    world, giant, small = CollisionWorld(), Transform(0, 0), Transform(-19.75, 0)
    world.add(transform=giant, collider=BoxCollider(20, 20), trigger=Trigger(mask="default"))
    world.add(transform=small, collider=BoxCollider(0.5, 0.5), trigger=Trigger(mask="default"))
    world.step()
    giant.x, small.x = 15, -20.75
    assert ["TriggerLeft"] * 2 == [type(event).__name__ for event in world.step().events]
    giant.x, small.x = 0, -19.75
    assert ["TriggerEntered"] * 2 == [type(event).__name__ for event in world.step().events]
    world.check()


@pytest.mark.parametrize("moves_at_once", [True, False], ids=["with a move", "after moves"])
def test_the_first_reporter_may_come_to_bodies_that_have_moved(moves_at_once):
    """Positions are compared from the first reporter on, so the first update knows no earlier ones."""
    world = CollisionWorld()
    bodies = [world.add(transform=Transform(3 * at, 0), collider=BoxCollider(0.5, 0.5)) for at in range(200)]
    world.step()
    for entity in bodies[::2]:
        world.teleport(entity, 3 * entity, 1)
    if not moves_at_once:
        world.step()
    zone = world.add(transform=Transform(9, 1), collider=BoxCollider(4, 0.25), trigger=Trigger())
    world.step()
    inside = [entity for entity in bodies[::2] if 5 < 3 * entity < 13]
    assert inside and inside == world.inside(zone)
    for entity in inside:
        world.teleport(entity, 3 * entity, 5)
    world.step()
    assert not world.inside(zone)
    world.check()
