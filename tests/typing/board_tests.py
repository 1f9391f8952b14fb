"""Tests of a user with the pytest plugin, as both type checkers must accept them and as they must pass."""

from __future__ import annotations

import pytest

from ecs_collision import CollisionSystem, Inertia, MoveResult, TriggerEntered
from ecs_collision.game import NamedEvent, Turn
from ecs_collision.testing import (
    Board,
    MakeBoard,
    MakeRecorder,
    assert_blocked,
    assert_board,
    assert_events,
    assert_moved,
    assert_no_overlap,
    assert_pushed,
    assert_same_future,
    fresh_world,
    picture,
    push,
    record_scene,
    scene,
)


@pytest.mark.collision(rule="sum")
def test_a_crate_is_pushed_onto_the_plate(board: MakeBoard, record: MakeRecorder) -> None:
    made: Board = board("#@$_#", {"_": "plate: Trigger"}, max_chain=2, overlap_policy="leave")
    recorder = record(made)
    turn: Turn = made.turn("R")
    assert_moved(turn, (1, 0), entity="player")
    assert_pushed(turn, "$", by=(1, 0))
    events: list[NamedEvent] = made.events
    assert_events(made, ["crate entered plate"], only=TriggerEntered)
    assert_events(events, [(TriggerEntered, "plate")], only=[TriggerEntered])
    assert recorder.entered("plate", by="crate") == 1
    assert made == "# @*#"
    assert_board(made, "# @*#")
    inertia: Inertia | None = made.get("crate", Inertia)
    assert inertia is not None and inertia.value == 1.0
    result: MoveResult = made.move("@", "R", force=0.5)
    assert_blocked(result, "$", axis="x", reason="force", after=0)
    assert_no_overlap(made, allow=[("player", "crate")])
    assert_same_future(made, made.game, frames=2)
    assert picture(made) == str(made)


def test_an_empty_world(collision_world: CollisionSystem) -> None:
    assert collision_world.events == []
    with record_scene(collision_world), fresh_world("another", rule="sum", order="sequential") as system:
        assert system.space.pairs() == []
    made = scene({}, rule="sum").world()
    assert made.events == []
    assert push(1, (1, 0, 0), force=2).entity == 1
