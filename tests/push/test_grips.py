"""M12: a body pulls along what it grips, by its force."""

from __future__ import annotations

import pytest
from boards import Board, stop_of

from ecs_collision import Carries, Fused, Grips, Inertia, Motion, Trigger


def pair(inertia=1.0, **settings):
    """Return a board with a player at 0 that grips the crate at 1, and their ids."""
    board = Board(**settings)
    return board, board.body(0, id=1, motion=Motion(force=2), grips=Grips(2)), board.crate(1, id=2, inertia=inertia)


@pytest.mark.parametrize("by", [(-2, 0), (2, 0), (0, 1), (0, -3), (1, 1)], ids=str)
def test_a_crate_is_pulled_in_every_direction_M12(by):
    board, player, crate = pair()
    result = board.push(player, *by)
    assert [by, (1 + by[0], by[1])] == [board.at(player), board.at(crate)]
    assert {crate: (*by, 0)} == dict(result.pushed)
    assert {(player, crate, 0.0)} == {(link.pusher, link.pushed, link.gap) for link in result.links}


def test_the_gripped_body_may_be_far_away_and_pushes_what_is_in_its_way_M12():
    board, player, crate = pair()
    board.world.teleport(crate, 5.5, 3.5)
    other = board.crate(3, 3)
    assert board.push(player, -3).complete
    assert [-3, 2, 1] == board.xs(player, crate, other)


@pytest.mark.parametrize("inertia", [2, 9, float("inf")])
def test_what_is_too_heavy_holds_the_mover_M12(inertia):
    board, player, _ = pair(inertia)
    reason = "IMMOVABLE" if inertia == float("inf") else "FORCE"
    assert ("x", 2, reason, 0.0) == stop_of(board.push(player, -1))


def test_what_stops_the_gripped_body_stops_the_mover_M12():
    board, player, crate = pair()
    wall = board.wall(2.5, 1)
    board.push(player, 0, 1)
    assert ("x", wall, "IMMOVABLE", 0.5) == stop_of(board.push(player, 3))
    assert [0.5, 1.5] == board.xs(player, crate)


def test_the_rule_sum_and_the_chain_count_it_M12():
    board, player, _ = pair(rule="sum")
    board.crate(-1, 0, inertia=1)
    assert ("x", 2, "FORCE", 0.0) == stop_of(board.push(player, -1)) or board.push(player, -1).blocked
    assert ("y", 2, "CHAIN_LIMIT", 0.0) == stop_of(board.push(player, 0, 1, max_chain=0))


def test_a_static_body_cannot_be_pulled_M12():
    board = Board()
    player, wall = board.body(0, id=1, motion=Motion(force=2), grips=Grips(2)), board.wall(1, id=2)
    assert ("x", wall, "IMMOVABLE", 0.0) == stop_of(board.push(player, -1))


def test_letting_go_and_a_crate_that_is_gone_end_the_grip_M12():
    board, player, crate = pair()
    parts = board.world._bodies.of(board.world._bodies.row(player))
    parts.grips.to = 77
    assert board.push(player, -1).complete and 1 == board.xs(crate)[0]
    parts.grips.to = crate
    board.push(player, -1)
    assert 0 == board.xs(crate)[0]
    board.world.remove(crate)
    assert board.push(player, -1).complete
    board.world.check()


@pytest.mark.parametrize("kind", ["trigger", "disabled", "itself", "own group"])
def test_a_grip_on_what_cannot_be_pushed_around_has_no_effect_M12(kind):
    board = Board()
    to = 1 if kind == "itself" else 2
    player = board.body(0, id=1, motion=Motion(force=2), grips=Grips(to))
    parts = {"trigger": {"trigger": Trigger()}, "own group": {"fused": Fused(1)}}.get(kind, {})
    board.body(1, id=2, inertia=Inertia(9), **parts)
    board.colliders[2].enabled = kind != "disabled"
    assert board.push(player, -1).complete
    assert (0 if kind == "own group" else 1) == board.xs(2)[0]


def test_grips_do_not_chain_and_do_not_act_when_the_body_is_pushed_M12():
    board = Board()
    player = board.body(0, id=1, motion=Motion(force=2), inertia=Inertia(1), grips=Grips(2))
    second = board.body(1, id=2, inertia=Inertia(1), grips=Grips(3))
    third = board.crate(3, id=3)
    board.push(player, -1)
    assert [-1, 0, 3] == board.xs(player, second, third)
    board.push(board.player(-1, 1), 0, -1)
    assert [(-1, -1), (0, 0)] == [board.at(player), board.at(second)]


def test_a_member_of_the_group_of_the_mover_grips_M12():
    board = Board()
    root = board.body(0, id=1, motion=Motion(force=2))
    board.body(0, 1, id=2, fused=Fused(1), grips=Grips(3))
    crate = board.crate(3, id=3)
    board.push(root, -1)
    assert 2 == board.xs(crate)[0]


def test_can_push_may_refuse_a_pull_M12_P15():
    asked = []

    def can_push(pusher, pushed, axis, force):
        asked.append((pusher, pushed, axis, force))
        return False

    board, player, _ = pair(can_push=can_push)
    assert ("x", 2, "HOOK", 0.0) == stop_of(board.push(player, -1))
    assert [(1, 2, "x", 2.0)] == asked


def test_a_gripped_platform_carries_M12_M6():
    board = Board()
    player = board.body(0, id=1, motion=Motion(force=2), grips=Grips(2))
    raft = board.body(1, 0, 3, id=2, inertia=Inertia(1), carries=Carries())
    crate = board.crate(2, -1, inertia=9)
    board.push(player, -2)
    assert [-2, -1, 0] == board.xs(player, raft, crate)


def test_a_snapshot_keeps_a_grip_M12_N1():
    board, player, crate = pair()
    saved = board.world.snapshot()
    board.world._bodies.of(board.world._bodies.row(player)).grips.to = 9
    board.push(player, -1)
    assert 1 == board.xs(crate)[0]
    board.world.restore(saved)
    board.push(player, -1)
    assert 0 == board.xs(crate)[0]
