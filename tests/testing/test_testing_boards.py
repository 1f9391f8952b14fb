"""Boards: created from drawings, drawn, and compared with drawings."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import esper
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision import (
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CollisionTypeError,
    CollisionValueError,
    Inertia,
    LevelError,
    Motion,
    Puzzle,
    Static,
    ThingName,
    Trigger,
    UnknownEntity,
    puzzles,
)
from ecs_collision.game import Game
from ecs_collision.levels import load_level, parse_level
from ecs_collision.testing import Board, assert_board, picture

ROOM = """
    #######
    #@.$._#
    #######
"""


class Fuse:
    """A component of a game."""

    def __init__(self, frames: int) -> None:
        self.frames = frames


def dedented(text: str) -> str:
    """Return a drawing without its indentation."""
    return dedent(text).strip("\n")


# Creation.


def test_a_drawing_becomes_entities_of_a_current_esper_world():
    before = esper.current_world
    with Board(ROOM) as board:
        assert esper.current_world == board.game.esper_world != before
        assert esper.get_processor(CollisionSystem) is board.system
        assert board.position("@") == (1.5, 1.5, 0.0)
        assert esper.component_for_entity(board["$"], Inertia).x == 1.0
        assert esper.component_for_entity(board["player"], Motion).force == 1.5
        assert esper.has_component(board["#"], Static)
        assert esper.has_component(board["_"], Trigger)
        assert esper.component_for_entity(board["$"], ThingName) == ThingName("crate", "crate")
    assert esper.current_world == before
    assert not [name for name in esper.list_worlds() if name == board.game.esper_world]


def test_entities_are_found_by_letter_kind_name_or_number():
    with Board("$.$\n@.#") as board:
        crates = board.all("$")
        assert crates == board.all("crate") == [board["crate 1"], board.entity("crate 2")]
        assert board[crates[1]] == crates[1]
        assert board.name(crates[1]) == "crate 2"
        assert board.cell("crate 2") == (2, 0)
        for ambiguous in ("$", "crate"):
            with pytest.raises(CollisionValueError, match="means 2 things: name one of 'crate 1', "):
                board[ambiguous]
        with pytest.raises(UnknownEntity, match="unknown name 'door' in board; its kinds are 'crate'"):
            board["door"]
        with pytest.raises(CollisionTypeError, match=r"entity is None; give an entity by its number or its name"):
            board[None]


def test_a_legend_adds_and_replaces_letters():
    legend = "D door: Static\nB bomb: Inertia(2), Fuse(frames=3)\n$ box: Inertia(4)"
    with Board("@$*B\n..D+", legend, components={"Fuse": Fuse}) as board:
        assert board.get("B", Fuse).frames == 3
        assert board.get("bomb", "Inertia").x == 2.0
        assert board.get("box 2", Inertia).y == 4.0
        assert board == "@$*B\n..D+"


@pytest.mark.parametrize(
    "legend",
    ["* star: Inertia(1)", {"*": "star: Inertia(1)"}, "_ =\n* star: Inertia(1)", "_ =\n* star: Inertia(1)\n\n"],
    ids=["lines", "a mapping", "a letter for nothing", "blank lines"],
)
def test_a_legend_replaces_letters_for_stacks(legend):
    with Board("@*", legend) as board:
        assert board.cell("star") == (1, 0)


def test_a_level_keeps_its_legend_settings_and_names():
    level = """
        rule: sum
        gravity: D
        legend
        A arm: Inertia(2), joined
        = floor: Static
        x weight "last weight": Inertia(1)
        map
        .x
        AA
        .=
    """
    with Board(level) as board:
        assert board.game.level.settings["rule"] == "sum"
        assert board.cell("last weight") == (1, 0)
        assert str(board) == " x\nAA\n ="


@pytest.mark.parametrize("give", [str, Path, load_level], ids=["its text", "its path", "a Level"])
def test_every_included_puzzle_is_drawn_with_the_letters_of_its_file(give):
    for path in sorted(puzzles.path("links").parent.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        first = text.partition("\nmap\n")[2].partition("\n\n")[0]
        if "\nmap at" in text or "things" in text:
            continue
        with Board(text if give is str else give(path)) as board:
            assert board == "\n".join(line.partition(";")[0] for line in first.split("\n")), path.stem
            assert board == str(board)


def test_a_level_without_letters_uses_sokoban_letters_and_initials():
    level = parse_level("#####\n#@$.#\n##*##", "xsb", kinds={"crate": {"Inertia": 2}})
    with Board(level) as board:
        assert str(board) == "#####\n#@$.#\n##*##"
        assert board.all("$") == board.all("crate")


@pytest.mark.parametrize(
    ("create", "message"),
    [
        (
            lambda: Board("@x"),
            "the drawing has the unknown letter 'x' at column 1, row 0 (from 0); known are '#' wall, '@' player, "
            "'$' crate, '_' plate, '*', '+', and ' ' or '.' for an empty cell; add it to the legend, as in "
            'legend="x door: Static"',
        ),
        (lambda: Board("@\t#"), r"the drawing has the unknown letter '\t' at column 1, row 0"),
        (lambda: Board("@#", "D door Static"), "legend:1:8: found the kind 'door Static'; expected ':' before compo"),
        (lambda: Board("@#", "$ crate: Inertia(-1)"), "legend:1:10: Inertia.value is -1.0, but it must"),
        (lambda: Board("...\n"), "the drawing is empty; draw a letter of the legend, such as '@'"),
        (
            lambda: Board("@#\n; crate at 2.5 1.5"),
            "the drawing has the note '; crate at 2.5 1.5', but a new board has bodies on whole cells "
            "only; move bodies with board.teleport(name, x, y) afterwards",
        ),
        (lambda: Board(7), "a board is made from a drawing, a Level or a path, not from 7"),
        (lambda: Board("@", 7), 'legend is 7; give lines such as "D door: Static", or {"D": "door: Static"}'),
        (
            lambda: Board("legend\n@ x: Static\nmap\n@", "D door: Static"),
            "this is a whole level with its own legend; leave the legend argument out",
        ),
        (lambda: Board(parse_level("legend\n@ x: Static\nmap\n@"), "D d: Static"), "a level has its own legend;"),
        (lambda: Board("@", ruel="sum"), "'ruel' is not a setting of a game; the settings are 'bin_size', 'rule'"),
        (lambda: Board.of("@"), "Board.of() got '@'; give a Game or a Puzzle, or call Board(drawing)"),
    ],
    ids=[
        "letter", "tab", "no colon", "no component", "empty", "note", "number", "legend", "two legends",
        "level and legend", "setting", "not a game",
    ],
)  # fmt: skip
def test_an_invalid_board_is_refused_with_a_remedy_and_leaves_no_world(create, message):
    before = (esper.list_worlds(), esper.current_world)
    with pytest.raises(CollisionError) as error:
        create()
    assert str(error.value).startswith(message)
    assert isinstance(error.value, LevelError | CollisionValueError | CollisionTypeError)
    assert before == (esper.list_worlds(), esper.current_world)


# Motions and frames.


def test_things_are_moved_by_letters_or_distances():
    with Board("@$......\n........") as board:
        assert board.move("player", "R").pushed == {board["$"]: (1.0, 0.0, 0.0)}
        assert board.move("@", "RD").moved == (1.0, 1.0, 0.0)
        assert board.move("crate", dx=2, dy=0).moved == (2.0, 0.0, 0.0)
        assert board.move(board["$"], dx=0.5).moved == (0.5, 0.0, 0.0)
        assert not board.move("@", "L", force=0.0, all_or_nothing=True).stops
        with pytest.raises(CollisionValueError, match="letters is 'X'; give letters of L, R, U and D, or a"):
            board.move("@", "X")


def test_a_board_is_played_turn_by_turn_and_frame_by_frame():
    with Board(ROOM) as board:
        turns = board.play("R R")
        assert [turn.letter for turn in turns] == ["R", "R"]
        message = ["player moved", "player moved", "crate moved", "player pushed crate"]
        assert message == [str(event) for event in board.events]
        assert board.turn("R").moved
        assert str(board.events[-1]) == "crate entered plate"
        assert board.inside("plate") == ["crate"]
        board.request("player", dx=1)
        assert [str(event) for event in board.process(2)] == ["wall blocked player"]
        assert board.results == {}
        esper.process()
        assert board.events == []
        board.teleport("crate", 3.5, 1.5)
        assert ["crate left plate"] == [str(event) for event in board.process()]
        assert board == "#######\n#..$@_#\n#######"


@pytest.mark.parametrize(("drawing", "seen"), [("@..G", True), ("@#.G", False), ("@$.G", False), ("@_.G", True)])
def test_a_thing_sees_another_if_nothing_solid_lies_between_Q3(drawing: str, seen: bool) -> None:
    with Board(drawing, {"G": "guard: Collider"}) as board:
        assert board.sees("player", "guard") is board.sees("G", "@") is seen


def test_unknown_moves_are_refused_before_the_first_is_played():
    with Board("@..") as board:
        with pytest.raises(CollisionValueError, match="the letter 'x' moves nothing"):
            board.play("RRx")
        with pytest.raises(CollisionValueError, match="the letter 'RR' moves nothing"):
            board.turn("RR")
        assert board == "@.."


def test_a_board_without_a_script_runs_plain_esper_frames():
    with Board("@_") as board:
        assert board.process() == []
        board.move("@", "R")
        assert ["player moved", "player entered plate"] == [str(event) for event in board.process()]
        assert board.game.world.frame_number == 2


def test_a_board_with_a_script_steps_the_game_and_runs_its_handlers():
    received = []

    def script(puzzle):
        puzzle.door("door", opens="plate")
        puzzle.on_enter("plate")(received.append)

    with Board("@._D", "D door: Static", script=script) as board:
        board.request("player", dx=2)
        board.process()
        assert [str(event) for event in received] == ["player entered plate"]
        assert not board.game.is_enabled("door")
        assert board == "..+"


def test_handlers_declared_later_run_too():
    with Board("@_") as board:
        received: list[object] = []
        assert board._is_bare
        board.game.on_enter("plate")(received.append)
        assert not board._is_bare
        board.request("player", dx=1)
        board.process()
        assert [str(event) for event in received] == ["player entered plate"]


# Drawing.


def test_a_board_prints_its_current_drawing():
    with Board(ROOM) as board:
        board.play("RRR")
        assert str(board) == dedented("""
            #######
            #...@*#
            #######""")
        assert repr(board) == "Board('#######|#...@*#|#######')"


@pytest.mark.parametrize(
    ("text", "change", "expected"),
    [
        ("@$", lambda board: board.move("@", "RR"), "..@$"),
        ("@$", lambda board: board.move("@", dx=0.5), "~~~\n; player at 1 0.5\n; crate at 2 0.5"),
        ("@_", lambda board: board.move("@", dx=0.5), "~_\n; player at 1 0.5"),
        ("@$", lambda board: board.move("@", "L"), ".$\n; player at -0.5 0.5"),
        ("@$", lambda board: board.move("@", "U"), ".$\n; player at 0.5 -0.5"),
        ("@$", lambda board: board.teleport("$", 0.5, 0.5), "1.\n; 1 = $ @"),
        ("@$", lambda board: board.teleport("$", 5000, 0.5), "@.\n; crate at 5000 0.5"),
        ("@$", lambda board: board.game.disable("crate"), "@."),
        ("@$", lambda board: esper.delete_entity(board["$"]), "@."),
        ("@$$", lambda board: board.teleport("crate 2", 1.5, 0.5), "@1.\n; 1 = $ $"),
        ("@$", lambda board: board.get("$", "Transform").__setattr__("z", 2), "@~\n; crate at 1.5 0.5 2"),
        ("@$", lambda board: board.get("$", BoxCollider).__setattr__("hx", 0.25), "@~\n; crate at 1.5 0.5, 0.5 x 1"),
        ("@$", lambda board: board.get("$", BoxCollider).__setattr__("hx", 1.5), "1$$\n; 1 = $ @"),
        ("@$", lambda board: board.get("$", BoxCollider).__setattr__("hx", 0), "@~\n; crate at 1.5 0.5, 0 x 1"),
        (
            "@$",
            lambda board: board.get("$", BoxCollider).__setattr__("hx", 1e6),
            "@.\n; crate at 1.5 0.5",
        ),
        ("@$\n~", lambda board: board.move("$", dx=2**-16), "@??\n~..\n; crate at 1.5000152587890625 0.5"),
        ("@!", lambda board: board.move("@", "D"), ".!\n@."),
        (" $\n ", lambda board: None, "$"),
        ("@ #\n$", lambda board: board.move("@", "R"), " @#\n$"),
        ("@ #\n$", lambda board: (board.move("@", "R"), board.move("$", "R")), ".@#\n.$"),
        ("@ o\n$", lambda board: (board.move("@", "R"), board.move("$", "R")), ".@o\n.$"),
    ],
    ids=["beyond the drawing", "between cells", "over a plate", "left of it", "above it", "stacked", "distant",
         "disabled", "deleted", "two crates", "another z", "too small", "larger", "without extent", "huge",
         "a letter for the mark", "scenery", "a first column of blanks", "blanks", "an empty first column", "letters"],
)  # fmt: skip
def test_drawings_are_exact_and_equal_their_board(text, change, expected):
    water = "\n~ water: Trigger" if "~" in text else ""
    with Board(text, f"! torch: light=3\no hole: Trigger{water}") as board:
        change(board)
        assert str(board) == expected
        assert board == expected
        assert expected == board


@given(st.data())
def test_any_board_equals_its_printed_form_and_no_other_drawing(data):
    letters = st.sampled_from("@$_#*+. ")
    rows = data.draw(st.lists(st.text(letters, min_size=1, max_size=6), min_size=1, max_size=5))
    if not set("".join(rows)) & set("@$_#*+"):
        rows.append("@")
    with Board("\n".join(rows)) as board:
        moved = [name for name in board.game.ids if not name.startswith(("wall", "plate"))]
        for name in moved[:3]:
            board.teleport(name, *data.draw(st.tuples(*[st.sampled_from([-0.5, 0.5, 1.25, 2.5, 9.5])] * 2)))
        text = str(board)
        assert board == text
        assert board.difference(text) == ""
        other = data.draw(st.sampled_from(moved)) if moved else None
        if other is not None:
            x, y, _ = board.position(other)
            board.teleport(other, x, y + 2**-10)
            assert board != text


# Comparison.


@pytest.mark.parametrize(
    "drawing",
    [
        "#######\n#@.$._#\n#######",
        ROOM,
        "\n\n  #######  \n  #@ $ _#\n  #######\n\n",
        "#######   \n#@.$._#......\n#######\n...\n.\n",
    ],
    ids=["plain", "indented", "with blanks", "ragged"],
)
def test_indentation_and_empty_cells_at_the_ends_are_ignored(drawing):
    with Board(ROOM) as board:
        assert board == drawing
        assert drawing == board
        assert (board != drawing) is False


def test_two_boards_are_equal_when_they_look_alike():
    with Board("@$_") as one, Board("@$_.") as other:
        assert one == other
        other.play("R")
        assert one != other
        assert "found   the other" in one.difference(other)


def test_a_board_equals_only_drawings_and_boards_and_is_unhashable():
    with Board("@") as board:
        assert board != 7
        assert board != None  # noqa: E711
        with pytest.raises(TypeError, match="unhashable type: 'Board'"):
            {board}


def test_the_difference_shows_both_drawings_and_lists_marked_cells():
    with Board(ROOM) as board:
        board.play("R")
        assert board.difference("""
            #######
            #@.$*.#
            ######
        """) == dedented("""
            the board differs from the drawing: 5 cells differ
              found     expected
              #######   #######
              #.@$._#   #@.$*.#
               ^^ ^^     ^^ ^^
              #######   ######
                    ^         ^
              (1, 1): found nothing, expected @ player
              (2, 1): found @ player, expected nothing
              (4, 1): found nothing, expected $ crate with _ plate
              (5, 1): found _ plate, expected nothing
              (6, 2): found # wall, expected nothing""")  # fmt: skip


def test_the_difference_lists_off_grid_bodies():
    with Board("@$.") as board:
        board.move("@", dx=0.25)
        assert board.difference("@$\n; player at 0.75 0.5\n; crate at 1.5 0.5") == dedented("""
            the board differs from the drawing: 3 cells differ, 2 notes differ
              found   expected
              ~~~     @$
              ^^^     ^^^
              (0, 0): found part of an off-grid body, expected @ player
              (1, 0): found part of an off-grid body, expected $ crate
              (2, 0): found part of an off-grid body, expected nothing
              found, but not expected: crate at 1.75 0.5
              expected, but not found: crate at 1.5 0.5""")


def test_wide_drawings_are_stacked_and_many_differences_are_counted():
    with Board("@" + "." * 60 + "#") as board:
        lines = board.difference("." * 40 + "$" * 20).split("\n")
        assert lines[1:3] == ["  found", "  @" + "." * 60 + "#"]
        assert lines[3].strip() == "^" + " " * 39 + "^" * 20 + " ^"
        assert lines[4:6] == ["  expected", "  " + "." * 40 + "$" * 20]
        assert lines[-1] == "  and 16 more"
        assert len([line for line in lines if "(" in line]) == 6


def test_a_drawing_with_an_unknown_letter_is_refused():
    with Board("@") as board:
        with pytest.raises(CollisionValueError, match="the drawing has the unknown letter 'Q' at column 1, row 1"):
            board.__eq__("@.\n.Q")
        with pytest.raises(CollisionTypeError, match="a drawing must be a str, not 7"):
            board.difference(7)


# Running games.

CELLAR = parse_level("""
legend
# wall: Static
@ player: Motion(force=1.5)
$ crate: Inertia(1)
_ plate: Trigger
D door: Static

map
#####
#@$_D
#####
""")


@pytest.mark.parametrize("kind", [Game, Puzzle])
def test_a_game_is_shown_as_a_board_with_the_letters_of_its_level(kind):
    game = kind(CELLAR, script=lambda game: game.door("door", opens="plate"))
    game.play("R")
    board = Board.of(game)
    assert picture(game) == picture(board) == "#####\n# @1\n#####\n; 1 = $ _"
    assert_board(game, picture(board))
    game.undo()
    assert board == "#####\n#@$_D\n#####"
    assert board.move("player", "R").moved == (1.0, 0.0, 0.0)
    board.close()
    assert game.position("player") == (2.5, 1.5, 0.0)
    if kind is Puzzle:
        assert board.system is game.system
        game.close()
    else:
        with pytest.raises(CollisionTypeError, match="a Game has no esper world and no system"):
            board.system


def test_events_are_those_of_the_last_frame_after_an_undo():
    with Board("@$._.#") as board:
        board.turn("R")
        frame = board.game.world.frame_number
        board.game.undo()
        while board.game.world.frame_number < frame:
            board.game.step()
        assert board.events == []


def test_a_note_that_contradicts_the_legend_is_refused():
    with Board("@$") as board:
        assert board == "@$\n; $ = $"
        with pytest.raises(CollisionValueError, match=r"the note '; \$ = @ _' contradicts the legend, where"):
            assert board == "@$\n; $ = @ _"
        with pytest.raises(CollisionValueError, match=r"where '\.' is nothing; use a letter"):
            assert board == "@.\n; . = $"
