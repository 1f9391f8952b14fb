"""The recorder: events of many frames, counted, in order, by name."""

from __future__ import annotations

import esper
import pytest

from ecs_collision import (
    Blocked,
    BoxCollider,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    Contact,
    ContactBegan,
    ContactEnded,
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
from ecs_collision.testing import Board, Recorder, assert_events, assert_no_overlap, fresh_world, record, record_scene

HALL = """
    #########
    #@.$_._.#
    #########
"""


def recorded_walk() -> tuple[Board, Recorder]:
    """Return a board on which a crate was pushed over a plate onto another and to the wall, and its recorder."""
    board = Board(HALL)
    with record(board) as recorder:
        board.play("RRRRRR")
    return board, recorder


def test_events_are_counted_by_name_kind_letter_or_number():
    board, recorder = recorded_walk()
    with board:
        assert (recorder.entered(), recorder.left(), recorder.pushed()) == (4, 3, 4)
        assert (recorder.moved(), recorder.blocked()) == (9, 1)
        assert recorder.entered("plate 1") == 2
        assert recorder.entered("plate", by="crate") == recorder.entered("_", by="$") == 2
        assert recorder.entered(board["plate 2"], by=board["player"]) == 1
        assert recorder.left("plate", by="crate", reason=LeftReason.MOVED) == 2
        assert not recorder.left("plate 1", by="crate", reason=LeftReason.DELETED)
        assert recorder.pushed("crate", by="player") == 4
        assert recorder.pushed(by="crate") == 0
        assert recorder.moved("crate") == 4
        assert recorder.blocked("player", by="wall") == 1
        assert recorder.blocked("player", by="wall", reason=StopReason.FORCE) == 0
        assert recorder.blocked(by=None) == 0
        assert recorder.stayed() == recorder.woke() == recorder.fell_asleep() == 0


def test_order_and_first_take_the_patterns_of_assert_events():
    board, recorder = recorded_walk()
    with board:
        assert recorder.order("crate entered plate 1", (TriggerLeft, "plate 1"), "crate entered plate 2", Blocked)
        assert not recorder.order("crate entered plate 2", "crate entered plate 1")
        assert not recorder.order("crate entered plate 1", "crate entered plate 1")
        assert recorder.before("crate entered plate 1", "player entered plate 1")
        assert not recorder.before("player entered plate 1", "crate entered plate 1")
        assert not recorder.before("crate entered plate 1", "wall moved")
        assert not recorder.before(Moved, Moved)
        assert recorder.first("crate entered plate 1") == 3
        assert recorder.first((TriggerEntered, "plate 2")) == 5
        assert recorder.first("wall moved") is None


def test_an_unknown_name_is_refused_instead_of_counted_as_zero():
    board, recorder = recorded_walk()
    with board:
        for question in ("entered", "left", "pushed", "moved", "blocked", "woke"):
            with pytest.raises(UnknownEntity, match="unknown name 'creat' in board"):
                getattr(recorder, question)("creat")
        with pytest.raises(CollisionTypeError, match=r"entity is 1\.5; give an entity by its number or its name"):
            recorder.pushed(1.5)


def test_events_are_available_by_frame_and_as_text():
    with Board("@$_") as board, record(board) as recorder:
        assert (len(recorder), bool(recorder), str(recorder)) == (0, False, "nothing happened")
        assert repr(recorder) == "<recorded in 0 frames: nothing>"
        board.process(2)
        board.move("player", "R")
        board.process()
        board.move("player", "U")
        board.process(2)
        assert recorder.frame_count == 5
        assert list(recorder.frames) == [3, 4]
        assert [type(event) for event in recorder.frames[3]] == [Moved, Moved, Pushed, TriggerEntered]
        assert str(recorder) == (
            "frame 3: player moved x +1; crate moved x +1; player pushed crate x +1; crate entered plate\n"
            "frame 4: player moved y -1"
        )
        assert repr(recorder) == (
            "<recorded in 5 frames: player moved x +1; crate moved x +1; player pushed crate x +1; crate entered "
            "plate; player moved y -1>"
        )
        assert_events(recorder, ["crate entered plate"], only=TriggerEntered)
        recorder.clear()
        assert (recorder.events, recorder.frame_count) == ([], 0)


def test_nothing_is_recorded_after_stop_and_two_recorders_may_run_at_once():
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


def test_frames_of_any_origin_are_recorded_and_turns_without_a_frame_too():
    with Board("@#") as board, record(board) as recorder:
        board.game.turn("R")
        board.game.turn("R")
        assert recorder.blocked("player", by="wall", reason=StopReason.IMMOVABLE) == 2
        board.system.request(board["@"], dx=1)
        esper.process()
        assert recorder.blocked("player") == 3
        board.move("@", "D")
        board.system.process()
        assert recorder.moved("player") == 1


def test_the_bounds_and_all_or_nothing_differ_though_neither_has_a_blocker():
    with Board("@.#\n...", all_or_nothing=True, bounds=((0, 0), (3, 2))) as board, record(board) as recorder:
        for dx, dy in ((2, 1), (0, -1)):
            board.request("@", dx=dx, dy=dy)
            board.process()
        assert (recorder.blocked("@"), recorder.blocked("@", by=None), recorder.blocked("@", by="#")) == (3, 1, 1)
        assert str(recorder) == (
            "frame 1: wall blocked player on x: immovable; player stopped on y: all or nothing\n"
            "frame 2: the bounds blocked player on y: bounds"
        )
        assert recorder.order("wall blocked player", "player stopped on y: all or nothing", "the bounds blocked player")


def test_a_game_without_esper_and_a_plain_world_are_recorded():
    game = Game(parse_level("legend\n# wall: Static\n@ player: Motion(1.5)\n_ plate: Trigger\nmap\n#@_#"))
    with record(game) as recorder:
        game.play("LRR")
        game.undo()
    assert (recorder.entered("plate", by="player"), recorder.blocked("player", by="wall")) == (1, 2)
    assert "frame 2: player moved x +1; player entered plate" in str(recorder)

    world = CollisionWorld()
    mover = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(1.0))
    world.add(transform=Transform(3, 0), collider=BoxCollider(0.5, 0.5), static=Static())
    with record(world) as recorder:
        world.request(mover, dx=9)
        world.step()
    assert recorder.blocked(mover, by=2) == 1
    with pytest.raises(
        UnknownEntity, match="no body is named 'crate'; give its number: bodies of a CollisionWorld have no"
    ):
        recorder.pushed("crate")
    assert str(recorder) == "frame 1: entity 1 moved x +2; entity 2 blocked entity 1 on x: immovable"
    world.request(mover, dx=-1)
    world.step()
    assert len(recorder) == 2


def test_stays_wakes_and_sleeps_are_counted():
    with fresh_world() as system, record(system) as recorder:
        plate = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Trigger(stay=True))
        sleeper = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Sleeping(after=2))
        for _ in range(4):
            esper.process()
        system.teleport(sleeper, 5, 0)
        esper.process()
        assert (recorder.stayed(plate, by=sleeper), recorder.fell_asleep(sleeper), recorder.woke(sleeper)) == (3, 1, 1)
        assert recorder.order("entity 2 fell asleep", "entity 2 woke", "entity 2 left entity 1")


@pytest.mark.parametrize("call", [record, record_scene, assert_no_overlap])
def test_an_object_without_bodies_is_refused(call):
    message = r"^7 has no bodies; give a CollisionSystem, a CollisionWorld, a Game or a Puzzle$"
    with pytest.raises(CollisionTypeError, match=message):
        call(7)


def test_reasons_are_given_by_name_and_an_unknown_one_is_refused():
    with Board("@_#") as board:
        recorder = record(board)
        board.play("RR")
        board.play("L")
        board.process(2)
    assert (
        recorder.blocked("player", reason="immovable") == recorder.blocked("player", reason=StopReason.IMMOVABLE) == 1
    )
    assert recorder.left("plate", reason="moved") == recorder.left("plate", reason=LeftReason.MOVED) == 1
    with pytest.raises(CollisionValueError, match=r"reason is 'imovable'; give one of FORCE, "):
        recorder.blocked("player", reason="imovable")
    with pytest.raises(CollisionValueError, match=r"reason is 'force'; give one of MOVED, "):
        recorder.left(reason="force")
    with pytest.raises(CollisionValueError, match=r"reason is 'gone'; give one of MOVED, "):
        recorder.order((TriggerLeft, "plate", "player", "gone"))


def test_a_recorder_knows_name_and_kind_of_deleted_entities():
    def crate(number: int) -> int:
        name = ThingName(f"crate {number}", "crate")
        return esper.create_entity(name, Transform(-3 * number, 0), BoxCollider(0.5, 0.5), Motion(1))

    with fresh_world() as system:
        esper.create_entity(ThingName("pit", "pit"), Transform(1, 0), BoxCollider(0.5, 0.5), Trigger())
        first, _ = crate(0), crate(1)
        recorder = record(system)
        system.move(first, 1)
        esper.process()
        esper.delete_entity(first)
        esper.process()
        assert recorder.entered("pit", by="crate") == recorder.entered("pit", by="crate 0") == 1
        assert recorder.left("pit", by="crate", reason=LeftReason.DELETED) == 1
        assert recorder.order("crate 0 entered pit", "crate 0 left pit: deleted")
        assert "entity" not in str(recorder)


def test_a_text_that_no_event_can_have_is_refused_instead_of_counted_as_zero():
    with Board("@$_$") as board:
        recorder = record(board)
        board.play("R")
    assert recorder.first("crate 1 entered plate") is not None
    assert recorder.first("player moved x -1") is recorder.first("player moved nowhere") is None
    assert not recorder.order(
        "player blocked the bounds", "the bounds blocked player on x: bounds", "player stopped on x"
    )
    with pytest.raises(CollisionValueError, match="'crate 1 entred plate' has the form of no event; the forms are"):
        recorder.first("crate 1 entred plate")
    with pytest.raises(CollisionValueError, match="has 'crate', which matches crate 1, cr"):
        recorder.before("crate entered plate", "player moved")
    with pytest.raises(UnknownEntity, match="'krate'"):
        recorder.order("krate entered plate")


def test_contacts_are_counted_and_described_C1():
    world = CollisionWorld()
    box = {"collider": BoxCollider(0.5, 0.5)}
    feet = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), contact=Contact())
    floor = world.add(transform=Transform(0, 1), **box)
    with record(world) as recorder:
        world.step()
        world.teleport(feet, 0, -1)
        world.step()
        world.teleport(feet, 0, 0.5)
        world.step()
        world.remove(floor)
        world.step()
    assert (2, 2) == (recorder.contact_began(feet), recorder.contact_began(feet, floor))
    assert 0 == recorder.contact_began(floor, feet)
    assert [1, 1] == [recorder.contact_ended(feet, reason=each) for each in (LeftReason.MOVED, "deleted")]
    assert recorder.order((ContactBegan, feet, floor), (ContactEnded, feet, floor, "moved"), ContactBegan)
    began, ended = "entity 1 came into contact with entity 2", "entity 1 lost contact with entity 2"
    assert_events(recorder, [f"{began} y +1", f"{ended}: moved", began, f"{ended}: deleted"])
    assert_events(recorder, [(ContactBegan, ..., ..., (0, 1)), ContactBegan], only=ContactBegan)
    assert f"{ended}: deleted" in str(recorder)
