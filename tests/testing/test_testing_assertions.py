"""Assertions: what passes, and the messages of failures."""

from __future__ import annotations

import re
from textwrap import dedent

import esper
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision import (
    Blocked,
    BoxCollider,
    CollisionError,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    Fused,
    Inertia,
    LevelError,
    Motion,
    Moved,
    Pushed,
    Static,
    StopReason,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    UnknownEntity,
)
from ecs_collision.game import Game
from ecs_collision.levels import parse_level
from ecs_collision.testing import (
    Board,
    assert_blocked,
    assert_events,
    assert_moved,
    assert_no_overlap,
    assert_pushed,
    assert_same_future,
    fresh_world,
    load_scene,
    parse_scene,
    push,
    record,
    scene,
    write_scene,
)


def dedented(text: str) -> str:
    """Return a message without its indentation."""
    return dedent(text).strip("\n")


def fails(call, expected: str) -> None:
    """Assert that a call fails with exactly this message."""
    with pytest.raises(AssertionError) as error:
        call()
    assert str(error.value) == dedented(expected)


# Motions.


def test_motions_are_asserted_by_letter_name_or_number():
    with Board("@$.$#") as board:
        result = board.move("@", "RRR")
        assert_moved(result)
        assert_moved(result, (1, 0))
        assert_moved(result, by=(1.0, 0.0, 0.0), entity="player")
        assert_pushed(result, "crate 1")
        assert_pushed(result, board["crate 1"], by=(1, 0))
        assert_pushed(result, "crate 2", by=(0, 0))
        assert_blocked(result)
        assert_blocked(result, by="wall", axis="x", reason="immovable", after=1)
        assert_blocked(result, "#", reason=StopReason.IMMOVABLE)
        assert_pushed(board.game.plan("player", dx=-1), "crate 1", by=(0, 0))
        (turn,) = board.play("L")
        assert_moved(turn, (-1, 0))
        assert_pushed(turn, "crate 1", (0, 0))


def test_a_motion_that_several_stopped_is_blocked_by_each_of_them():
    with fresh_world() as system:
        player = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 1), Motion(force=2.0))
        low, high = (esper.create_entity(Transform(2, y), BoxCollider(0.5, 0.5)) for y in (-0.5, 0.5))
        with record(system) as recorder:
            result = system.move(player, 5)
            esper.process()
        for wall in (low, high):
            assert_blocked(result, by=wall, axis="x", reason="immovable", after=1)
            assert_events(system, [f"entity {wall} blocked entity {player}"], only=Blocked)
            assert_events(system, [(Blocked, player, wall, "x")], only=Blocked)
            assert recorder.blocked(player, by=wall) == 1
        assert_events(system, [(Blocked, player, ..., "x", "immovable", (1, 0), (high, low))], only=Blocked)
        assert not recorder.blocked(player, by=None)
        found = f"entity {player} was blocked by entity {low}, entity {high} on x after 1 (IMMOVABLE)"
        with pytest.raises(AssertionError, match=re.escape(f"{found}, expected by the bounds")):
            assert_blocked(result, by=None)


PLAYER, CRATE = "'player' (entity 1)", "'crate 1' (entity 2)"
BLOCKED = f"{PLAYER} was blocked by 'wall' (entity 4) on x after 1 (IMMOVABLE)"


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (lambda result: assert_moved(result, (2, 0)), f"{PLAYER} moved x +1, expected x +2"),
        (lambda result: assert_moved(result, (0, 0)), f"{PLAYER} moved x +1, expected nowhere"),
        (lambda result: assert_moved(result, entity="#"), "'wall' (entity 4) was not moved by this call"),
        (lambda result: assert_pushed(result, "#"), f"'wall' (entity 4) was not pushed; pushed: {CRATE} x +1"),
        (lambda result: assert_pushed(result, 2, (2, 1)), f"{CRATE} was pushed x +1, expected x +2, y +1"),
        (lambda result: assert_pushed(result, 2, (0, 0)), f"{CRATE} was pushed x +1, expected nowhere"),
        (lambda result: assert_pushed(result, "crate 2", (1, 0)),
            f"'crate 2' (entity 3) was not pushed, expected x +1; pushed: {CRATE} x +1"),
        (lambda result: assert_blocked(result, "crate 1"), f"{BLOCKED}, expected by {CRATE}"),
        (lambda result: assert_blocked(result, None, axis="y", reason=StopReason.BOUNDS, after=0.5),
            f"{BLOCKED}, expected by the bounds on y after 0.5 (BOUNDS)"),
    ],
    ids=["further", "stayed", "another body", "no push", "push", "a push", "other push", "blocker", "everything"],
)  # fmt: skip
def test_an_unexpected_motion_is_reported_with_its_whole_result(check, expected):
    with Board("@$.$#") as board:
        result = board.move("@", "RRR")
        message = "player (force 1.5) moved x +1 of +3: crate 1 (inertia 1) pushed x +1; x stopped after 1 by wall"
        fails(lambda: check(result), f"{expected}\n  {message} (immovable): it cannot be pushed")


def test_a_missing_motion_push_or_stop_is_reported():
    stuck = "player (force 1.5) moved x 0 of +1; x stopped after 0 by wall (immovable): it cannot be pushed"
    with Board("@$.#") as board:
        fails(lambda: assert_blocked(board.move("@", "R")), """
            'player' (entity 1) was not blocked
              player (force 1.5) moved x +1 of +1: crate (inertia 1) pushed x +1""")  # fmt: skip
        fails(lambda: assert_moved(board.turn("R")), f"'player' (entity 1) did not move\n  turn 'R': {stuck}")
        fails(lambda: assert_moved(board.game.plan("player", dx=1)), f"""
            'player' (entity 1) did not move
              planned: {stuck}""")  # fmt: skip
        fails(lambda: assert_pushed(board.turn("."), "$"), """
            'crate' (entity 2) was not pushed; pushed: nothing
              turn '.': nothing to move""")  # fmt: skip


def test_every_stop_of_a_motion_is_reported():
    with Board("@.#\n...", all_or_nothing=True) as board:
        result = board.move("@", "RRD")
        assert_blocked(result, axis="y", reason="all or nothing")
        fails(lambda: assert_blocked(result, None), """
            'player' (entity 1) was blocked by 'wall' (entity 2) on x after 1 (IMMOVABLE), and stopped on y \
(ALL_OR_NOTHING), expected by the bounds
              player (force 1.5) moved x 0 of +2, y 0 of +1; x stopped after 1 by wall (immovable): it cannot be \
pushed; y stopped because the motion is all or nothing""")  # fmt: skip


def test_entities_without_names_are_shown_by_number_and_the_bounds_are_no_entity():
    world = CollisionWorld(bounds=((0, 0), (3, 1)))
    mover = world.add(transform=Transform(0.5, 0.5), collider=BoxCollider(0.5, 0.5), motion=Motion(1.0))
    result = world.move(mover, dx=9)
    assert_blocked(result, None, reason="bounds")
    fails(lambda: assert_pushed(result, 7), """
        entity 7 was not pushed; pushed: nothing
          entity 1 (force 1) moved x +2 of +9; x stopped by the bounds""")  # fmt: skip
    with pytest.raises(UnknownEntity, match="no entity is named 'crate'; give its number: entities have no names here"):
        assert_pushed(result, "crate")


def test_a_result_keeps_the_names_of_its_board_when_another_world_is_current():
    with Board("@$#") as one, Board("$.\n@#") as other:
        first, second = one.move("@", "R"), other.move("@", "R")
        with fresh_world():
            with pytest.raises(AssertionError, match=r"^'crate' \(entity 2\) was not pushed; pushed: nothing"):
                assert_pushed(first, "crate")
            with pytest.raises(AssertionError, match=r"^'player' \(entity 2\) was not pushed; pushed: nothing"):
                assert_pushed(second, 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda result: assert_moved("R"), "'R' is not the result of a motion; give the return value of move(), a"),
        (lambda result: assert_moved(result, 1), "by is 1; give a displacement such as (1, 0)"),
        (lambda result: assert_pushed(result, "$", (1, 2, 3, 4)), "by is (1, 2, 3, 4); give a displacement of 2"),
        (lambda result: assert_pushed(result, "$", ("a", "b")), "by is ('a', 'b'); give a displacement"),
        (lambda result: assert_pushed(result, 1.5), "entity is 1.5; give an entity by its number or its name"),
        (lambda result: assert_blocked(result, axis="w"), "axis is 'w'; give 'x', 'y' or 'z'"),
        (lambda result: assert_blocked(result, reason="wall"), "reason is 'wall'; give one of FORCE, IMMOVABLE, "),
    ],
    ids=["no motion", "no displacement", "four numbers", "letters", "fraction", "axis", "reason"],
)
def test_invalid_arguments_are_refused_with_a_remedy(call, message):
    with Board("@$") as board, pytest.raises(CollisionError) as error:
        call(board.move("@", "R"))
    assert str(error.value).startswith(message)


# Events.


def pushed_onto_a_plate() -> Board:
    """Return a board on which a crate was pushed onto a plate."""
    board = Board("@$_\n..#")
    board.turn("R")
    return board


def test_events_are_described_by_sentences_classes_fields_or_themselves():
    with pushed_onto_a_plate() as board:
        assert_events(board, [
            "player moved", "crate moved x +1", Pushed, (TriggerEntered, "plate", "crate"),
        ])  # fmt: skip
        assert_events(board, [
            (Moved, "@", (1, 0)), (Moved, board["$"]), (Pushed, ..., "player", (1, 0, 0)), (TriggerEntered, ..., "$"),
        ])  # fmt: skip
        assert_events(board, [(Moved, "player"), (Moved, "crate"), Pushed, (TriggerEntered, board["_"], 2)])
        assert_events(board.system, board.events)
        assert_events(board.system, board.system.events)
        assert_events(board.game.world.frame, board.system.events)
        assert_events(board.game, [TriggerEntered], only=TriggerEntered)
        assert_events(board.events, [TriggerEntered, Pushed], only=[TriggerEntered, Pushed], ordered=False)
        assert_events(board, [], only=TriggerLeft)
        turn = board.turn("D")
        assert_events(turn, ["player moved y +1"])
        turn = board.turn("R")
        assert_events(turn, ["wall blocked player on x: immovable"], only=Blocked)
        assert_events(turn, [(Blocked, "player", "wall", "x", "immovable")])
        board.system.teleport(board["$"], 0.5, 0.5)
        assert_events(board.process(), [(TriggerLeft, "plate", "crate", "moved")])


def test_a_kind_matches_any_thing_of_it():
    with Board("@.$$_") as board:
        board.play("RR")
        entered = (TriggerEntered, "plate", "crate")
        assert_events(board, [entered], only=TriggerEntered)
        fails(lambda: assert_events(board, [entered, entered], only=TriggerEntered), """
            the events differ: 1 missing (-), 0 unexpected (+)
                crate 2 entered plate
              - TriggerEntered(trigger=plate, other=crate)""")  # fmt: skip


def test_differing_events_are_listed_line_by_line():
    with pushed_onto_a_plate() as board:
        fails(lambda: assert_events(board, [
            "player moved", "crate moved x +2", (Pushed, "crate", "wall", ...), "crate entered plate", TriggerLeft,
        ]), """
            the events differ: 3 missing (-), 2 unexpected (+)
                player moved x +1
              + crate moved x +1
              + player pushed crate x +1
              - crate moved x +2
              - Pushed(entity=crate, by=wall, displacement=...)
                crate entered plate
              - TriggerLeft""")  # fmt: skip
        fails(lambda: assert_events(board, ["crate entered plate"], only=[TriggerLeft]), """
            the events differ: 1 missing (-), 0 unexpected (+)
              - crate entered plate""")  # fmt: skip
        fails(lambda: assert_events(board, []), """
            the events differ: 0 missing (-), 4 unexpected (+)
              + player moved x +1
              + crate moved x +1
              + player pushed crate x +1
              + crate entered plate""")  # fmt: skip
        event = TriggerEntered(99, board["_"], board["$"])
        fails(lambda: assert_events(board, [event], only=TriggerEntered), """
            the events differ: 1 missing (-), 1 unexpected (+)
              + crate entered plate
              - crate entered plate (in frame 99)""")  # fmt: skip


def test_another_order_of_events_is_reported_unless_ordered_is_false():
    with pushed_onto_a_plate() as board:
        patterns = ["crate entered plate", Pushed, Moved, (Moved, "player")]
        assert_events(board, patterns, ordered=False)
        fails(lambda: assert_events(board, patterns), """
            the events have another order than expected
              + player moved x +1
              + crate moved x +1
              + player pushed crate x +1
                crate entered plate
              - Pushed
              - Moved
              - Moved(entity=player)""")  # fmt: skip


ANY = (Moved, ...)


def max_pairs(events: list[Moved], patterns: list[object], ordered: bool) -> int:
    """Return how many events can be paired with matching patterns, by trying all pairs."""
    if not events or not patterns:
        return 0
    first, rest = events[0], events[1:]
    best = max_pairs(rest, patterns, ordered)
    for number, pattern in enumerate(patterns):
        if pattern == ANY or pattern[1] == first.entity:
            left = patterns[number + 1 :] if ordered else patterns[:number] + patterns[number + 1 :]
            best = max(best, 1 + max_pairs(rest, left, ordered))
    return best


@given(
    st.lists(st.integers(1, 3), max_size=5),
    st.lists(st.sampled_from([(Moved, 1), (Moved, 2), (Moved, 3), ANY]), max_size=5),
    st.booleans(),
)
def test_as_many_events_as_possible_are_paired_with_patterns(happened, patterns, ordered):
    events = [Moved(1, entity, (1.0, 0.0, 0.0)) for entity in happened]
    pairs = max_pairs(events, patterns, ordered)
    if pairs == len(events) == len(patterns):
        assert_events(events, patterns, ordered=ordered)
        return
    with pytest.raises(AssertionError) as error:
        assert_events(events, patterns, ordered=ordered)
    head, *lines = str(error.value).split("\n")
    marks = [line[2] for line in lines]
    if "another order" not in head:
        expected = f"{len(patterns) - pairs} missing (-), {len(events) - pairs} unexpected (+)"
        assert head == f"the events differ: {expected}"
    assert (marks.count("-"), marks.count("+"), marks.count(" ")) == (len(patterns) - pairs, len(events) - pairs, pairs)


def test_events_of_several_frames_are_listed_with_frame_numbers():
    with Board("@$._") as board:
        board.play("RR")
        patterns = ["player moved", "player moved", Pushed, Moved, Pushed]
        fails(lambda: assert_events(board, patterns, only=[Moved, Pushed]), """
            the events differ: 1 missing (-), 2 unexpected (+)
              frame 2   player moved x +1
              frame 2 + crate moved x +1
              frame 2 + player pushed crate x +1
              frame 3   player moved x +1
                      - Pushed
              frame 3   crate moved x +1
              frame 3   player pushed crate x +1""")  # fmt: skip


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda board: assert_events(board, "crate entered plate"), "expected is 'crate entered plate'; give a list"),
        (lambda board: assert_events(board, [7]), "7 does not describe an event; give a sentence such as"),
        (lambda board: assert_events(board, [(7, 8)]), "(7, 8) does not describe an event"),
        (lambda board: assert_events(board, [()]), "() does not describe an event"),
        (lambda board: assert_events(board, [(Moved, "@", (1, 0), 4)]),
            "(<class 'ecs_collision.events.Moved'>, '@', (1, "),
        (lambda board: assert_events(board, [(Moved, "door")]), "unknown name 'door' in board"),
        (lambda board: assert_events(board, [(Moved, "@", 1)]),
            "displacement of Moved is 1; give a displacement such as"),
        (lambda board: assert_events(board, [], only=[7]), "only contains 7; give event classes, such as"),
        (lambda board: assert_events(7, []), "7 has no events; give a CollisionSystem, a board, a game, a turn"),
        (lambda board: assert_events([7], []), "[7] has no events; give a CollisionSystem"),
    ],
    ids=[
        "one text", "number", "no kind", "nothing", "too many", "unknown", "no way", "no kinds", "no events", "a list",
    ],
)  # fmt: skip
def test_invalid_patterns_are_refused_with_a_remedy(call, message):
    with pushed_onto_a_plate() as board, pytest.raises(CollisionError) as error:
        call(board)
    assert str(error.value).startswith(message)


# Overlaps.


def test_touching_bodies_triggers_and_filtered_bodies_are_no_overlap():
    with Board("@$_#\n*#$+", "g ghost: Inertia(1), Collider(layer=ghost, mask=[])") as board:
        assert_no_overlap(board)
        assert_no_overlap(board.game)
        assert_no_overlap(board.system)
        assert_no_overlap(board.game.world)


def test_an_overlap_is_reported_with_names_and_depth():
    with Board("@$$.#\n...D.", "D door: Static") as board:
        board.teleport("crate 1", 0.75, 0.75)
        board.teleport("crate 2", 4.25, 0.875)
        fails(lambda: assert_no_overlap(board), """
            3 pairs of bodies overlap
              'player' (entity 1) and 'crate 1' (entity 2) overlap by 0.75 on x
              'crate 2' (entity 3) and 'wall' (entity 4) overlap by 0.625 on y
              'crate 2' (entity 3) and 'door' (entity 5) overlap by 0.25 on x""")  # fmt: skip
        assert_no_overlap(board, allow=[("player", "crate 1"), ("#", "$"), ("door", "crate")])
        fails(lambda: assert_no_overlap(board, allow=[("crate", "wall"), ("D", "$")]), """
            1 pair of bodies overlaps
              'player' (entity 1) and 'crate 1' (entity 2) overlap by 0.75 on x""")  # fmt: skip
        with pytest.raises(UnknownEntity, match="unknown name 'ladder'"):
            assert_no_overlap(board, allow=[("player", "ladder")])


def test_statics_and_members_of_a_group_may_overlap_and_many_pairs_are_counted():
    with fresh_world() as system:
        for _ in range(2):
            esper.create_entity(Transform(0, 0), BoxCollider(1, 1), Static())
        first = esper.create_entity(Transform(5, 0), BoxCollider(1, 1), Inertia(1))
        esper.create_entity(Transform(5, 0), BoxCollider(1, 1), Inertia(1), Fused(first))
        esper.create_entity(Transform(5, 0), BoxCollider(1, 1), Trigger())
        assert_no_overlap(system)
        for _ in range(5):
            esper.create_entity(Transform(20, 0), BoxCollider(1, 0.25, 1), Inertia(1))
        with pytest.raises(AssertionError) as error:
            assert_no_overlap(system)
        lines = str(error.value).split("\n")
        assert lines[:2] == ["10 pairs of bodies overlap", "  entity 6 and entity 7 overlap by 0.5 on y"]
        assert lines[-1] == "  and 2 more"


# Futures.

RAILS = """
    #.@$.._#
    #......#
"""


def visible_state(board: Board) -> object:
    """Return everything that can be observed of a board."""
    with board.game.in_world():
        snapshot = board.system.snapshot()
    return (snapshot, str(board), board.game.moves, board.game.has_begun, esper.current_world)


def test_equal_worlds_have_the_same_future_and_are_restored():
    snapshots = []
    with Board(RAILS) as one, Board(RAILS) as other:
        for board in (one, other):
            board.request("player", dx=0.75)
            with board.game.in_world():
                snapshots.append(board.system.snapshot())
        before = [visible_state(one), visible_state(other)]
        assert_same_future(one, other)
        assert_same_future(one.system, other.system, frames=3)
        assert_same_future(snapshots[0], other.system, frames=3)
        assert_same_future(*snapshots, of=one.system)
        assert before == [visible_state(one), visible_state(other)]
        assert_same_future(one, other, moves="RR LU")
        assert_same_future(one.game, other.game, frames=4)
        assert one.game.moves == other.game.moves == ""


def test_worlds_with_different_frame_numbers_have_the_same_future():
    with Board(RAILS) as one, Board(RAILS) as other:
        other.process(5)
        assert_same_future(one, other)


def test_a_game_and_a_puzzle_have_the_same_future():
    level = parse_level("gravity: D\nlegend\n# wall: Static\n@ player: Motion(1.5), Inertia(1)\n$ c: Inertia(1)\nmap\n"
                        "# $  #\n#  @ #\n######")  # fmt: skip
    with Board(level) as board:
        assert_same_future(Game(level), board, moves="LRRL")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda board: board.move("$", "R"), """
            the two worlds differ before the first frame
              'crate' (entity 3) is at (3.5, 0.5) in the first, is at (4.5, 0.5) in the second"""),
        (lambda board: setattr(board.get("$", "Inertia"), "y", 3), """
            the two worlds differ before the first frame
              'crate' (entity 3) has Inertia(1.0) in the first, has Inertia(x=1.0, y=3.0, z=1.0) in the second"""),
        (lambda board: board.request("player", dx=1), """
            the two worlds differ before the first frame
              'player' (entity 2) has no such component in the first, has a request of x +1 in the second"""),
        (lambda board: esper.delete_entity(board["_"]), """
            the two worlds differ before the first frame
              'plate' (entity 4) is at (6.5, 0.5) in the first, is missing in the second"""),
    ],
    ids=["place", "component", "request", "deleted"],
)  # fmt: skip
def test_differing_bodies_are_reported_by_name(change, expected):
    with Board(RAILS) as one, Board(RAILS) as other:
        change(other)
        fails(lambda: assert_same_future(one, other), expected)


def test_the_first_differing_frame_is_reported_with_positions_and_events():
    class Wind(esper.Processor):
        def process(self) -> None:
            if other.game.world.frame_number == 7:
                other.system.request(other["player"], dx=1)

    with Board(RAILS) as one, Board(RAILS) as other:
        esper.add_processor(Wind(), priority=9)
        fails(lambda: assert_same_future(one, other, frames=20), """
            the two worlds differ in frame 8 of 20
              'player' (entity 2) is at (2.5, 0.5) in the first, is at (3.5, 0.5) in the second
              'crate' (entity 3) is at (3.5, 0.5) in the first, is at (4.5, 0.5) in the second
              only in the second: player moved x +1
              only in the second: crate moved x +1
              only in the second: player pushed crate x +1""")  # fmt: skip
        assert one == other == RAILS


def test_a_differing_turn_is_reported():
    def script(game):
        @game.on_enter("plate")
        def away(event):
            game.disable("crate")

    with Board(RAILS) as one, Board(RAILS, script=script) as other:
        with pytest.raises(AssertionError, match=re.escape("the two worlds differ in turn 3 of 4\n")) as error:
            assert_same_future(one, other, moves="RRRR")
        assert "only in the second: crate left plate: disabled" in str(error.value)
        assert one == other == RAILS


class Rain(esper.Processor):
    """Creates a body in every frame."""

    def process(self) -> None:
        esper.create_entity(Transform(50, 50), BoxCollider(0.5, 0.5), Trigger())


def test_a_future_with_new_bodies_is_compared_and_warns_that_it_cannot_be_restored():
    with Board(RAILS) as one, Board(RAILS) as other:
        for board in (one, other):
            with board.game.in_world():
                esper.add_processor(Rain())
        with pytest.warns(
            UserWarning, match=r"CollisionSystem\('puzzle \d+', 7 bodies, frame 3\) could not be restored"
        ):
            assert_same_future(one, other, frames=3)
        other.get("$", "Inertia").x = 2
        with (
            pytest.warns(UserWarning, match="could not be restored"),
            pytest.raises(
                AssertionError, match="the two worlds differ before the first frame\n  bodies and events are equal"
            ),
        ):
            assert_same_future(one, other, frames=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda board: assert_same_future(board, 7), "assert_same_future got 7; give systems, worlds, games or"),
        (lambda board: assert_same_future(b"", b""), "assert_same_future got two snapshots; give systems, worl"),
        (lambda board: assert_same_future(board.system, board, moves="R"), "CollisionSystem("),
    ],
    ids=["number", "snapshots without a system", "moves of a system"],
)
def test_targets_that_cannot_be_run_are_refused(call, message):
    with Board(RAILS) as board, pytest.raises(CollisionTypeError) as error:
        call(board)
    assert str(error.value).startswith(message)


def test_every_body_moved_by_a_turn_must_move_as_expected():
    with Board("@.@#") as board:
        turn = board.turn("R")
        assert_moved(turn, by=(1, 0), entity="player 1")
        with pytest.raises(AssertionError, match=r"'player 2' \(entity 2\) moved nowhere, expected x \+1"):
            assert_moved(turn, by=(1, 0))
        with pytest.raises(AssertionError, match=r"'player 2' \(entity 2\) did not move"):
            assert_moved(turn)
    with Board("@..@") as board:
        assert_moved(board.turn("."), by=(0, 0))
        assert_moved(board.turn("R"), by=(1, 0), entity="player 1")


@pytest.mark.parametrize("allow", [None, 7, ("player", "crate"), ["player"], [1, 2], [("player", "crate", "wall")]])
def test_allowed_overlaps_must_be_pairs(allow):
    with Board("@$#") as board, pytest.raises(CollisionTypeError, match="give a list of pairs, such as"):
        assert_no_overlap(board, allow=allow)


WRONG_TYPES = {
    "a distance": (lambda board: assert_blocked(board.turn("R"), after="1"), "after must be a number, not '1'"),
    "event classes": (lambda board: assert_events(board, [], only=7), "only contains 7; give event classes"),
    "letters": (lambda board: assert_same_future(board, board, moves=7), "moves is 7; give letters such as 'RRU'"),
    "a motion": (lambda board: board.explain(7), "result is 7; give the return value of move()"),
    "the name of a world": (lambda board: fresh_world([]).__enter__(), "name is []; give the name of an esper world"),
    "components": (lambda board: Board("@", components=7), "components is 7; give {name: class or function}"),
    "bodies": (lambda board: scene([1]), "bodies is [1]; give {id: (component, ...)}"),
    "a body": (lambda board: scene({1: 7}), "bodies has 1: 7; give an id and its components"),
    "a component": (lambda board: scene({1: (7,)}), "bodies has 1: (7,); give an id and its components"),
    "an id": (lambda board: scene({"a": (Transform(0, 0), BoxCollider(1, 1))}), "bodies has 'a': (Transform("),
    "a displacement": (lambda board: push(1, None), "by is None; give a displacement, such as (1, 0, 0)"),
    "a world": (lambda board: push(1, (1, 0, 0)).make(7), "where is 7; give a CollisionWorld or a CollisionSystem"),
    "entities": (lambda board: push(1, (1, 0, 0)).make(board.system, 7), "entities is 7; give {id: entity}"),
    "the path of a scene": (lambda board: load_scene(7), "path is 7; give a str or a pathlib.Path"),
    "the path of a file": (lambda board: write_scene(board, 7), "path is 7; give a str or a pathlib.Path"),
    "the text of a scene": (lambda board: parse_scene(7), "text is 7; give a str or bytes"),
}


@pytest.mark.parametrize(("call", "message"), WRONG_TYPES.values(), ids=WRONG_TYPES)
def test_a_value_of_the_wrong_type_is_refused_with_what_to_give(call, message):
    with Board(RAILS) as board, pytest.raises(CollisionTypeError) as error:
        call(board)
    assert str(error.value).startswith(message)


def test_values_that_name_nothing_are_refused(tmp_path):
    with Board(RAILS) as board:
        with pytest.raises(UnknownEntity, match="entities has no 1, which the push moves; give those that spawn"):
            push(1, (1, 0, 0)).make(board.system, {})
        with pytest.raises(CollisionValueError, match="which no file can have: "):
            write_scene(board, tmp_path / "a\0b")
    with pytest.raises(LevelError, match="scene:1:1: found"):
        parse_scene("\ud800")
    with pytest.raises(LevelError, match="legend:1"):
        Board("@", legend="\ud800")
