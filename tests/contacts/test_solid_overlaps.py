"""Solid bodies that begin to overlap (rule T11): reported once a pair, to those who subscribe."""

from __future__ import annotations

from typing import Any

import esper
import pytest
from boards import Board, many, trials
from random_games import RandomGame
from worlds import fresh_world

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    Event,
    Fused,
    Inertia,
    InvariantError,
    Moved,
    Overlapped,
    ReentryError,
    Sleeping,
    SnapshotError,
    Static,
    Transform,
    Trigger,
)
from tests.model.oracle import checked

Pairs = list[tuple[int, int]]


def a_board(**settings: Any) -> Board:
    board = Board(**settings)
    board.world.reports_overlaps = True
    return board


def reported(board: Board) -> Pairs:
    """Run a frame; return the pairs that it reports."""
    events = board.world.step().events
    board.world.check()
    return [(event.a, event.b) for event in events if isinstance(event, Overlapped)]


# The random games of the whole package, with subscribers that come and go.


class Watched(RandomGame):
    """A random game that subscribes, cancels and subscribes again."""

    def watch(self) -> None:
        self.heard: list[Event] = []
        self.subscription = self.system.on(Overlapped, self.heard.append)

    def do_cancel(self) -> None:
        self.subscription.cancel()
        if self.chance(0.7):
            self.attempt(self.watch)


@pytest.mark.parametrize("settings", [{}, {"overlap_policy": "leave"}, {"order": "front_first"}], ids=str)
@pytest.mark.parametrize("seed", many(4, more=200))
def test_random_games_report_the_overlaps_of_the_rules_T11(seed, settings):
    with fresh_world():
        game = Watched(seed, bodies=14, fusing=seed % 2 == 1, restoring=True, region={"reach": 3.0}, **settings)
        game.watch()
        game.names += ["do_cancel"] if seed % 3 == 0 else []
        begun = 0
        with checked(game.system):
            for number in range(trials(16) + 5):
                game.frame()
                begun += any(isinstance(event, Overlapped) for event in game.system.events)
                if number % 4 == 0:
                    game.system.check()
        assert begun


# What begins.


def door(board: Board, **more: Any) -> tuple[int, int]:
    """Return a crate at 0 and a wall at 5."""
    return board.crate(0), board.wall(5, **more)


@pytest.mark.parametrize("queried", [False, True], ids=["at once", "with queries in between"])
def test_a_teleport_into_a_wall_is_reported_once_until_it_ends_and_begins_again_T11(queried):
    board = a_board()
    crate, wall = door(board)
    ask = board.world.space.pairs if queried else list
    assert [] == reported(board)
    board.world.teleport(crate, 5, 0.5)
    assert ask() in ([], [(crate, wall)])
    assert [(crate, wall)] == reported(board)
    assert [] == reported(board)
    board.transforms[crate].x = 5.25
    assert [] == reported(board)
    assert board.push(crate, -9).complete
    assert [] == reported(board)
    board.world.teleport(crate, 5, 0.5)
    assert [(crate, wall)] == reported(board)


def test_a_change_that_is_reverted_within_a_frame_is_not_reported_T11():
    board = a_board()
    crate, wall = door(board)
    board.world.step()
    board.world.teleport(crate, 5, 0.5)
    assert [(crate, wall)] == board.world.space.pairs()
    board.world.teleport(crate, 0.5, 0.5)
    assert [] == reported(board)
    board.world.teleport(crate, 5, 0.5)
    reported(board)
    board.world.teleport(crate, 0.5, 0.5)
    assert [] == board.world.space.pairs()
    board.world.teleport(crate, 5, 0.5)
    assert [] == reported(board)


WRITES = {
    "enabled": lambda crate, wall, on: setattr(wall, "enabled", on),
    "layer": lambda crate, wall, on: setattr(wall, "layer", "default" if on else "ghosts"),
    "mask": lambda crate, wall, on: setattr(crate, "mask", ["default"] if on else ["none"]),
    "size": lambda crate, wall, on: [setattr(wall, side, 9.0 if on else 0.0) for side in ("hx", "hy")],
}
"""Writes to colliders at one place with which they begin to overlap, or end it."""


@pytest.mark.parametrize("how", WRITES.values(), ids=WRITES)
def test_a_write_of_a_collider_begins_and_ends_an_overlap_T11(how):
    board = a_board()
    crate, wall = board.crate(0, mask=["default"]), board.wall(0)
    board.transforms[wall].x += 0.5

    def write(on):
        how(board.colliders[crate], board.colliders[wall], on)

    write(False)
    assert [] == reported(board)
    for _ in range(2):
        write(True)
        assert [(crate, wall)] == reported(board)
        write(False)
        assert [] == reported(board)


def test_births_are_reported_and_each_body_is_another_one_after_its_death_T11():
    board = a_board()
    crate, wall = board.crate(0), board.wall(0.5)
    assert [(crate, wall)] == reported(board)
    board.world.remove(crate)
    again = board.crate(0.25, id=crate)
    assert [(again, wall)] == reported(board)
    assert [] == reported(board)


def test_filtered_static_touching_bodies_and_triggers_are_not_reported_T11():
    board = a_board()
    board.wall(0), board.wall(0.5), board.body(0, trigger=Trigger())
    board.crate(-1), board.crate(0, layer="ghosts", mask=["ghosts"])
    assert [] == reported(board)


def test_a_static_that_becomes_movable_inside_another_one_is_reported_T11():
    with fresh_world():
        system, heard = CollisionSystem(), []
        esper.add_processor(system)
        system.on(Overlapped, heard.append)
        one, two = (esper.create_entity(Transform(0, 0), BoxCollider(1, 1), Static()) for _ in range(2))
        esper.process()
        assert [] == heard
        esper.remove_component(two, Static)
        esper.process()
        assert [Overlapped(2, one, two)] == heard
        esper.add_component(one, Trigger())
        esper.process()
        esper.remove_component(one, Trigger)
        esper.process()
        assert [Overlapped(2, one, two), Overlapped(4, one, two)] == heard


def test_groups_are_named_by_their_root_and_report_nothing_of_their_own_T11():
    with fresh_world():
        system, heard = CollisionSystem(), []
        esper.add_processor(system)
        system.on(Overlapped, lambda event: heard.append((event.a, event.b)))
        root = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5))
        member = esper.create_entity(Transform(0.5, 0), BoxCollider(0.5, 0.5), Fused(root))
        wall = esper.create_entity(Transform(1.25, 0), BoxCollider(0.5, 0.5), Static())
        esper.process()
        assert [(root, wall)] == heard
        esper.remove_component(member, Fused)
        esper.process()
        assert [(root, member), (member, wall)] == heard[1:]
        system.check()


# Who asks, and when.


def test_without_a_subscriber_nothing_is_tracked_or_reported_T11():
    board = Board()
    board.crate(0), board.wall(0.5)
    assert [] == reported(board)
    assert not board.world.reports_overlaps
    board.world.reports_overlaps = True
    assert [] == reported(board)
    board.crate(0.25)
    assert [(1, 3), (2, 3)] == reported(board)
    board.world.reports_overlaps = False
    board.crate(0.75)
    assert [] == reported(board)


def test_what_was_written_before_the_subscription_is_known_applied_or_not_T11():
    for ask in (len, list):
        board = Board()
        crate, _ = door(board)
        board.world.step()
        board.transforms[crate].x = 5.0
        ask([]) if ask is list else ask(board.world)
        board.world.reports_overlaps = True
        assert [] == reported(board)


def test_reports_overlaps_takes_only_a_bool_and_not_inside_a_hook_T11():
    def hook(*_: Any) -> None:
        board.world.reports_overlaps = True

    board = Board(can_push=hook)
    player, _ = board.player(0), board.crate(1)
    with pytest.raises(TypeError, match=r"reports_overlaps must be True or False, not 1"):
        board.world.reports_overlaps = 1  # type: ignore[assignment]
    with pytest.raises(ReentryError, match="reports_overlaps was called inside can_push"):
        board.push(player, 1)
    assert not board.world.reports_overlaps


def test_subscribers_match_bodies_and_events_come_after_those_of_motions_T7_T11():
    with fresh_world():
        system, heard = CollisionSystem(), []
        esper.add_processor(system)
        crate = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Inertia(1))
        other = esper.create_entity(Transform(9, 0), BoxCollider(0.5, 0.5), Inertia(1))
        wall = esper.create_entity(Transform(5, 0), BoxCollider(0.5, 0.5), Static())
        for match in ({"a": crate}, {"a": other}, {"b": wall}):
            system.on(Overlapped, lambda event, match=match: heard.append((match, event.a, event.b)), **match)
        system.on(Moved, lambda event: heard.append(event.entity))
        esper.process()
        system.teleport(crate, 5, 0.25)
        system.move(other, dx=1)
        esper.process()
        assert [other, ({"a": crate}, crate, wall), ({"b": wall}, crate, wall)] == heard
        assert [Moved, Overlapped] == [type(event) for event in system.events]
        with pytest.raises(LookupError, match="Overlapped a=77 cannot match"):
            system.on(Overlapped, print, a=77)


def test_a_handler_of_esper_is_found_by_the_next_frame_and_tracking_ends_with_it_T11():
    with fresh_world():
        system, heard = CollisionSystem(), []
        esper.add_processor(system)
        crate = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Inertia(1))
        esper.create_entity(Transform(0.5, 0), BoxCollider(0.5, 0.5), Static())
        hear = heard.append
        esper.set_handler("collision_overlapped", hear)
        esper.process()
        assert [Overlapped(1, 1, 2)] == heard
        esper.remove_handler("collision_overlapped", hear)
        system.move(crate, dx=-3)
        esper.process()
        assert not system._world.reports_overlaps
        system.teleport(crate, 0, 0)
        esper.process()
        assert 1 == len(heard)


# Sleep, snapshots and failures.


def test_a_sleeping_body_reports_as_one_that_is_awake_T11_S1():
    for sleeping in (None, Sleeping(asleep=True)):
        board = a_board()
        crate, bed = board.crate(5), board.crate(0, sleeping=sleeping)
        assert [] == reported(board)
        board.world.teleport(crate, 0.75, 0.5)
        assert [(crate, bed)] == reported(board)


def test_a_restored_world_reports_what_the_original_did_T11_N1_N2():
    board = a_board()
    crate, wall = door(board)
    reported(board)
    board.world.teleport(crate, 5, 0.5)
    within, hash_within = board.world.snapshot(), board.world.state_hash()
    assert [(crate, wall)] == reported(board)
    after = board.world.snapshot()
    assert board.world.state_hash() == hash_within
    for data, expected in ((within, [(crate, wall)]), (after, []), (within, [(crate, wall)])):
        board.world.restore(data)
        board.world.check()
        assert data == board.world.snapshot()
        assert expected == reported(board)


def test_overlaps_of_a_restored_state_that_has_none_recorded_are_known_T11():
    board = Board()
    crate, _ = door(board)
    board.world.step()
    board.world.teleport(crate, 5, 0.5)
    plain = board.world.snapshot()
    board.world.reports_overlaps = True
    tracked = board.world.snapshot()
    assert len(plain) < len(tracked)
    board.world.teleport(crate, 0.5, 0.5)
    assert [] == reported(board)
    board.world.restore(plain)
    assert [] == reported(board)
    board.world.reports_overlaps = False
    board.world.restore(tracked)
    assert plain == board.world.snapshot()


@pytest.mark.parametrize("handler", ["of the system", "of esper"])
def test_a_restore_to_before_the_first_frame_reports_all_births_again_T11_N1(handler):
    with fresh_world():
        heard: list[Event] = []
        hear = heard.append
        system = CollisionSystem()
        esper.add_processor(system)
        a, b = (esper.create_entity(Transform(x, 0), BoxCollider(1, 1)) for x in (0, 1))
        before = system.snapshot()
        if handler == "of esper":
            esper.set_handler("collision_overlapped", hear)  # found by the first frame, after the snapshot
        else:
            system.on(Overlapped, hear)
        for _ in range(3):
            with checked(system):
                esper.process()
                system.check()
                assert [Overlapped(1, a, b)] == heard
                heard.clear()
                system.restore(before)


def test_known_overlaps_of_a_snapshot_are_checked_T11():
    from ecs_collision.snapshot.reader import _overlaps, overlap_bytes

    assert _overlaps(b"", 3) is None
    assert [(0, 1), (0, 2)] == _overlaps(overlap_bytes([(0, 1), (0, 2)]), 3)
    wrong = [[(0, 3)], [(1, 0)], [(1, 1)], [(-1, 1)], [(0, 2), (0, 1)], [(0, 1), (0, 1)]]
    for data in [*map(overlap_bytes, wrong), overlap_bytes([(0, 1)])[:-8], overlap_bytes([(0, 1)])[:-1]]:
        with pytest.raises((ValueError, SnapshotError)):
            _overlaps(data, 3)


def test_check_names_a_pair_that_is_missing_or_stale_T11():
    world = CollisionWorld()
    world.reports_overlaps = True
    one, two = (world.add(transform=Transform(x, 0), collider=BoxCollider(1, 1)) for x in (0, 1))
    world.step()
    overlaps = world._step.solid_overlaps
    overlaps._remove(*overlaps.records()[0])
    with pytest.raises(InvariantError, match=f"the overlap of {one} and {two} is missing"):
        world.check()
