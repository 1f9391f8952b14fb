"""The recorder: what happened over many frames, counted, in order, in names."""

from __future__ import annotations

import esper
import pytest

from ecs_collision import (
    Blocked,
    BoxCollider,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    LeftReason,
    Motion,
    Moved,
    Pushed,
    Sleeping,
    Static,
    StopReason,
    ThingName,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    UnknownEntity,
)
from ecs_collision.game import Game
from ecs_collision.levels import parse_level
from ecs_collision.testing import Board, Recorder, assert_events, fresh_world, record

HALL = """
    #########
    #@.$_._.#
    #########
"""


def walked() -> tuple[Board, Recorder]:
    """Return a board on which a crate was pushed over a plate onto another and to the wall, and the record of it."""
    board = Board(HALL)
    with record(board) as seen:
        board.play("RRRRRR")
    return board, seen


def test_questions_are_answered_with_counts_by_name_kind_letter_or_number():
    board, seen = walked()
    with board:
        assert [seen.entered(), seen.left(), seen.pushed(), seen.moved(), seen.blocked()] == [4, 3, 4, 9, 1]
        assert seen.entered("plate 1") == 2
        assert seen.entered("plate", by="crate") == seen.entered("_", by="$") == 2
        assert seen.entered(board["plate 2"], by=board["player"]) == 1
        assert seen.left("plate", by="crate", reason=LeftReason.MOVED) == 2
        assert not seen.left("plate 1", by="crate", reason=LeftReason.DELETED)
        assert seen.pushed("crate", by="player") == 4
        assert seen.pushed(by="crate") == 0
        assert seen.moved("crate") == 4
        assert seen.blocked("player", by="wall") == 1
        assert seen.blocked("player", by="wall", reason=StopReason.FORCE) == 0
        assert seen.blocked(by=None) == 0
        assert seen.stayed() == seen.woke() == seen.fell_asleep() == 0


def test_order_and_first_frames_are_asked_with_the_patterns_of_assert_events():
    board, seen = walked()
    with board:
        assert seen.order("crate entered plate 1", (TriggerLeft, "plate 1"), "crate entered plate 2", Blocked)
        assert not seen.order("crate entered plate 2", "crate entered plate 1")
        assert not seen.order("crate entered plate 1", "crate entered plate 1")
        assert seen.before("crate entered plate 1", "player entered plate 1")
        assert not seen.before("player entered plate 1", "crate entered plate 1")
        assert not seen.before("crate entered plate 1", "wall moved")
        assert not seen.before(Moved, Moved)
        assert seen.first("crate entered plate 1") == 3
        assert seen.first((TriggerEntered, "plate 2")) == 5
        assert seen.first("wall moved") is None


def test_a_name_that_nobody_has_is_refused_instead_of_counted_as_never():
    board, seen = walked()
    with board:
        for question in (seen.entered, seen.left, seen.pushed, seen.moved, seen.blocked, seen.woke):
            with pytest.raises(UnknownEntity, match="board has no thing and no kind 'creat'"):
                question("creat")
        with pytest.raises(CollisionTypeError, match=r"entity is 1\.5; give an entity by its number or its name"):
            seen.pushed(1.5)


def test_frames_hold_events_by_number_and_all_of_it_is_told():
    with Board("@$_") as board, record(board) as seen:
        assert (len(seen), bool(seen), str(seen), repr(seen)) == (
            0,
            False,
            "nothing happened",
            "<recorded in 0 frames: nothing>",
        )
        board.process(2)
        board.move("player", "R")
        board.process()
        board.move("player", "U")
        board.process(2)
        assert seen.frame_count == 5
        assert list(seen.frames) == [3, 4]
        assert [type(event) for event in seen.frames[3]] == [Moved, Moved, Pushed, TriggerEntered]
        assert str(seen) == (
            "frame 3: player moved x +1; crate moved x +1; player pushed crate x +1; crate entered plate\n"
            "frame 4: player moved y -1"
        )
        assert repr(seen) == (
            "<recorded in 5 frames: player moved x +1; crate moved x +1; player pushed crate x +1; crate entered "
            "plate; player moved y -1>"
        )
        assert_events(seen, ["crate entered plate"], only=TriggerEntered)
        seen.clear()
        assert (seen.events, seen.frame_count) == ([], 0)


def test_nothing_is_recorded_after_the_end_and_two_may_record_at_once():
    with Board("@......") as board:
        with record(board) as first:
            board.play("R")
            second = record(board.system)
            board.play("R")
        board.play("R")
        second.stop()
        second.stop()
        board.play("R")
        assert (first.moved("player"), second.moved("player")) == (2, 2)
        assert (first.frame_count, second.frame_count) == (3, 2)


def test_whatever_does_the_frame_is_heard_and_a_letter_that_takes_no_time_too():
    with Board("@#") as board, record(board) as seen:
        board.game.turn("R")
        board.game.turn("R")
        assert seen.blocked("player", by="wall", reason=StopReason.IMMOVABLE) == 2
        board.system.request(board["@"], dx=1)
        esper.process()
        assert seen.blocked("player") == 3
        board.move("@", "D")
        board.system.process()
        assert seen.moved("player") == 1


def test_the_bounds_and_all_or_nothing_are_told_apart_though_both_name_nobody():
    with Board("@.#\n...", all_or_nothing=True, bounds=((0, 0), (3, 2))) as board, record(board) as seen:
        for dx, dy in ((2, 1), (0, -1)):
            board.request("@", dx=dx, dy=dy)
            board.process()
        assert (seen.blocked("@"), seen.blocked("@", by=None), seen.blocked("@", by="#")) == (3, 1, 1)
        assert str(seen) == (
            "frame 1: wall blocked player on x: immovable; player stopped on y: all or nothing\n"
            "frame 2: the bounds blocked player on y: bounds"
        )
        assert seen.order("wall blocked player", "player stopped on y: all or nothing", "the bounds blocked player")


def test_a_game_without_esper_and_a_bare_world_are_recorded():
    game = Game(parse_level("legend\n# wall: Static\n@ player: Motion(1.5)\n_ plate: Trigger\nmap\n#@_#"))
    with record(game) as seen:
        game.play("LRR")
        game.undo()
    assert (seen.entered("plate", by="player"), seen.blocked("player", by="wall")) == (1, 2)
    assert "frame 2: player moved x +1; player entered plate" in str(seen)

    world = CollisionWorld()
    mover = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(1.0))
    world.add(transform=Transform(3, 0), collider=BoxCollider(0.5, 0.5), static=Static())
    with record(world) as seen:
        world.request(mover, dx=9)
        world.step()
    assert seen.blocked(mover, by=2) == 1
    with pytest.raises(
        UnknownEntity, match="no body is named 'crate'; give its number: bodies of a CollisionWorld have no"
    ):
        seen.pushed("crate")
    assert str(seen) == "frame 1: entity 1 moved x +2; entity 2 blocked entity 1 on x: immovable"
    world.request(mover, dx=-1)
    world.step()
    assert len(seen) == 2


def test_stays_wakes_and_sleeps_are_counted():
    with fresh_world() as system, record(system) as seen:
        plate = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Trigger(stay=True))
        sleeper = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Sleeping(after=2))
        for _ in range(4):
            esper.process()
        system.teleport(sleeper, 5, 0)
        esper.process()
        assert (seen.stayed(plate, by=sleeper), seen.fell_asleep(sleeper), seen.woke(sleeper)) == (3, 1, 1)
        assert seen.order("entity 2 fell asleep", "entity 2 woke", "entity 2 left entity 1")


def test_what_has_no_bodies_is_refused():
    with pytest.raises(CollisionTypeError, match="7 has no bodies; give a CollisionSystem"):
        record(7)


def test_reasons_are_given_by_name_too_and_one_that_is_none_is_refused_instead_of_counted_as_never():
    with Board("@_#") as board:
        seen = record(board)
        board.play("RR")
        board.play("L")
        board.process(2)
    assert seen.blocked("player", reason="immovable") == seen.blocked("player", reason=StopReason.IMMOVABLE) == 1
    assert seen.left("plate", reason="moved") == seen.left("plate", reason=LeftReason.MOVED) == 1
    with pytest.raises(CollisionValueError, match=r"reason is 'imovable'; give one of FORCE, "):
        seen.blocked("player", reason="imovable")
    with pytest.raises(CollisionValueError, match=r"reason is 'force'; give one of MOVED, "):
        seen.left(reason="force")
    with pytest.raises(CollisionValueError, match=r"reason is 'gone'; give one of MOVED, "):
        seen.order((TriggerLeft, "plate", "player", "gone"))


def test_what_was_deleted_is_known_by_its_name_and_kind_to_a_record():
    def crate(number: int) -> int:
        name = ThingName(f"crate {number}", "crate")
        return esper.create_entity(name, Transform(-3 * number, 0), BoxCollider(0.5, 0.5), Motion(1))

    with fresh_world() as system:
        esper.create_entity(ThingName("pit", "pit"), Transform(1, 0), BoxCollider(0.5, 0.5), Trigger())
        first, _ = crate(0), crate(1)
        seen = record(system)
        system.move(first, 1)
        esper.process()
        esper.delete_entity(first)
        esper.process()
        assert seen.entered("pit", by="crate") == seen.entered("pit", by="crate 0") == 1
        assert seen.left("pit", by="crate", reason=LeftReason.DELETED) == 1
        assert seen.order("crate 0 entered pit", "crate 0 left pit: deleted")
        assert "entity" not in str(seen)


def test_words_in_which_no_event_is_told_are_refused_instead_of_answered_with_never():
    with Board("@$_$") as board:
        seen = record(board)
        board.play("R")
    assert seen.first("crate 1 entered plate") is not None
    assert seen.first("player moved x -1") is seen.first("player moved nowhere") is None
    assert not seen.order("player blocked the bounds", "the bounds blocked player on x: bounds", "player stopped on x")
    with pytest.raises(CollisionValueError, match="'crate 1 entred plate' has the form of no event; the forms are"):
        seen.first("crate 1 entred plate")
    with pytest.raises(CollisionValueError, match="has 'crate', which matches crate 1, cr"):
        seen.before("crate entered plate", "player moved")
    with pytest.raises(UnknownEntity, match="'krate'"):
        seen.order("krate entered plate")
