"""Doors, platforms, teleporters, rails and one-way things."""

from __future__ import annotations

import random
from typing import Any

import pytest
from puzzles import MACHINE, MORE, machine
from rooms import room

from ecs_collision import (
    LATTICE,
    Carries,
    CollisionError,
    CollisionWorld,
    EndlessTurn,
    SnapshotError,
    UnknownEntity,
)
from ecs_collision.components import part_of
from ecs_collision.game import Game, Mechanic
from ecs_collision.levels import FrozenMap, parse_level


def played(*rows: str, **level: Any) -> Game:
    return Game(room(*rows, more=MORE, **level))


def machine_game() -> Game:
    return Game(MACHINE, script=machine)


# Doors.


def test_a_door_is_open_while_its_plate_is_pressed() -> None:
    game = played("########", "#@$_ D #", "########")
    game.door("door", opens="plate")
    states = [game.is_enabled("door")]
    for letter in "RRRRRRLLL":
        game.turn(letter)
        states.append(game.is_enabled("door"))
    assert [True, False, False, False, False, False, False, True, False, True] == states


def test_a_crate_left_on_the_plate_keeps_the_door_open() -> None:
    game = played("########", "#  _   #", "#@ $ D #", "#      #", "########")
    game.door("door", opens="plate")
    game.play("DRRUL")
    assert not game.is_enabled("door")
    game = played("#######", "#@$_  #", "#    D#", "#######")
    game.door("door", opens="plate", by="crate")
    game.turn("R")
    assert not game.is_enabled("door")
    game.turn("R")
    assert game.is_enabled("door"), "the player presses nothing"


@pytest.mark.parametrize(("needs", "opened"), [("all", [True, False]), ("any", [False, False])])
def test_a_door_needs_all_plates_or_any(needs: str, opened: list[bool]) -> None:
    game = played("########", "#@$1   #", "#  $2D #", "########")
    game.door("door", opens=["plate 1", "plate 2"], needs=needs)
    seen = []
    for letters in ("R", "LDRR"):
        game.play(letters)
        seen.append(game.is_enabled("door"))
    assert opened == seen


def test_a_door_does_not_close_on_a_thing() -> None:
    game = played("#######", "#@_D  #", "#     #", "#######")
    game.door("door", opens="plate")
    game.play("RR")
    assert ((3, 1), False) == (game.cell("player"), game.is_enabled("door"))
    game.turn("R")
    assert game.is_enabled("door")
    assert game.world.space.pairs() == []


@pytest.mark.parametrize(("trigger", "shut"), [("Trigger", True), ("Trigger(statics=true)", False)])
def test_a_button_in_a_wall_is_pressed_by_the_wall_only_with_statics_T6(trigger: str, shut: bool) -> None:
    rows = f"legend\n# wall: Static\n@ player: Motion(1)\nD door: Static\no button: {trigger}\nB = # o\n\nmap\n"
    game = Game(parse_level(rows + "##B###\n#@ D #\n######\n"), script=lambda game: game.door("door", opens="button"))
    game.start()
    assert (shut, [] if shut else ["wall"]) == (game.is_enabled("door"), game.inside("button"))


def test_a_door_does_not_press_the_plate_it_stands_on() -> None:
    game = played("#######", "#@$ % #", "#######")
    game.set("plate", "Trigger", statics=True)
    game.door("door", opens="plate")
    game.wait()
    assert game.is_enabled("door")


def test_a_door_that_opens_leaves_its_triggers() -> None:
    game = played("########", "#@$_   #", "#   D  #", "########")
    texts: list[str] = []
    game.door("door", opens="plate")
    game.on_enter("plate")(lambda event: texts.append(f"{event}, door {game.is_enabled('door')}"))
    turn = game.turn("R")
    assert (["crate entered plate, door True"], 2) == (texts, turn.rounds)


# Platforms.


def test_a_platform_moves_one_step_of_its_path_each_turn() -> None:
    game = played("#######", "#  =  #", "#@    #", "#######")
    game.platform("lift", "R L L.R")
    seen = []
    for _ in range(7):
        game.wait()
        seen.append(game.cell("lift")[0])
    assert [4, 3, 2, 2, 3, 4, 3] == seen


def test_a_platform_moves_every_n_turns_and_blocked_turns_do_not_count() -> None:
    game = played("######", "#= $ #", "#@   #", "######")
    game.platform("lift", "R", every=3)
    seen = []
    for letter in "RLLLRL..":
        game.turn(letter)
        seen.append(game.cell("lift")[0])
    assert "RLRL.." == game.moves
    assert [1, 1, 1, 1, 2, 2, 2, 3] == seen
    assert (4, 1) == game.cell("crate"), "it pushes"


def test_a_blocked_platform_waits() -> None:
    game = played("#####", "#=$ #", "#@  #", "#####")
    game.platform("lift", "RL")
    seen = []
    for _ in range(3):
        game.wait()
        seen.append(game.cell("lift")[0])
    assert [2, 1, 2] == seen
    game = played("#####", "#= D#", "#@  #", "#####")
    game.platform("lift", "RRLL")
    for _ in range(4):
        game.wait()
    assert 2 == game.cell("lift")[0]
    game.disable("door")
    game.wait()
    assert 3 == game.cell("lift")[0]
    game.disable("lift")
    game.wait()
    assert 3 == game.cell("lift")[0]


def test_a_platform_lifts_and_carries_what_stands_on_it() -> None:
    game = played(
        "#      #", "#      #", "# $$   #", "# $    #", "# ==   #", "#@     #", "########", joined="#=", gravity="D"
    )
    game.platform("lift", "URRD", force=4)
    seen = []
    for _ in range(4):
        game.wait()
        seen.append([game.cell(name) for name in ("lift", "crate 1", "crate 3", "crate 2")])
    lift = [(2, 3), (3, 3), (4, 3), (4, 4)]
    assert lift == [cells[0] for cells in seen]
    assert [(x, y - 2) for x, y in lift] == [cells[1] for cells in seen]
    assert [(x, y - 1) for x, y in lift] == [cells[2] for cells in seen]
    game.world.check()


def test_a_rider_stays_behind_where_something_is_in_its_way() -> None:
    game = played("#   #  #", "# $ #  #", "# =    #", "#      #", "########", gravity="D", joined="#=")
    game.gravity = None
    game = played("#      #", "# $D   #", "# =    #", "# #    #", "########", gravity="D")
    game.platform("lift", "R", carries=True)
    game.wait()
    assert ((3, 2), (2, 2)) == (game.cell("lift"), game.cell("crate"))
    game = played("#      #", "# $    #", "# =    #", "# #    #", "########", gravity="D")
    game.platform("lift", "R", carries=False)
    game.wait()
    assert (2, 2) == game.cell("crate")


# Teleporters.


def test_a_teleporter_sends_what_enters_it() -> None:
    game = played("########", "#@$a b #", "########")
    game.teleporter("a", "b")
    turn = game.turn("R")
    assert ((5, 1), 2) == (game.cell("crate"), turn.rounds)
    assert ["crate entered a", "crate left a", "crate entered b"] == [
        str(event) for event in turn.events if "a" in str(event).split() or str(event).endswith(" b")
    ]
    game.turn("R")
    assert (3, 1) == game.cell("player"), "there is no room for it"
    game.disable("crate")
    game.wait()
    assert (5, 1) == game.cell("player"), "it goes as soon as there is"


def test_a_two_way_teleporter_sends_back_what_enters_again() -> None:
    game = played("########", "#@a  b #", "########")
    game.teleporter("a", "b", both_ways=True)
    seen = []
    for letter in "R.LRLL":
        game.turn(letter)
        seen.append(game.cell("player")[0])
    assert [5, 5, 4, 2, 1, 1] == seen
    game.undo(2)
    assert [4, 2] == [game.cell("player")[0], game.redo() and game.cell("player")[0]]


def test_a_teleporter_sends_only_selected_things_and_nothing_static() -> None:
    game = played("########", "#@$ab  #", "#  D   #", "########")
    game.teleporter("a", "b", by="player")
    game.turn("R")
    assert (3, 1) == game.cell("crate")
    game.turn("R")
    assert (3, 1) == game.cell("player"), "a crate is where it would go"
    game.disable("crate")
    assert 2 == game.wait().rounds
    assert (4, 1) == game.cell("player")


def test_a_teleporter_does_not_send_static_things() -> None:
    game = played("########", "#@ ^ b #", "########")
    game.set("a", "Trigger", statics=True)
    game.teleporter("a", "b")
    game.wait()
    assert (3, 1) == game.cell("door")


def test_teleporters_in_a_cycle_are_named_in_the_error() -> None:
    game = played("########", "#@a b c#", "########")
    for source, target in ("ab", "bc", "ca"):
        game.teleporter(source, target)
    with pytest.raises(EndlessTurn, match=r"still changed by \"teleporter '[abc]'\"; let them"):
        game.turn("R")
    assert (1, 1) == game.cell("player")


# Rails and one-way things.


def test_on_rails_a_thing_is_pushed_along_one_axis() -> None:
    game = played("#####", "#   #", "# $ #", "#@  #", "#####")
    game.rails("crate", "x")
    game.play("R")
    assert not game.turn("U").moved
    game.play("LUR")
    assert (3, 2) == game.cell("crate")
    with pytest.raises(CollisionError, match="'player' has no Inertia"):
        played("###", "#@#").rails("player", "x")
    with pytest.raises(CollisionError, match='the axis must be "x" or "y"'):
        played("#$#").rails("crate", "z")


@pytest.mark.parametrize(("letter", "moves"), [("R", "R"), ("L", "L"), ("U", "U"), ("D", "D")])
def test_a_one_way_thing_is_pushed_in_one_direction(letter: str, moves: str) -> None:
    around = {"R": (1, 2), "L": (3, 2), "U": (2, 3), "D": (2, 1)}
    for way, (column, row) in around.items():
        rows = ["#####", "#   #", "# $ #", "#   #", "#####"]
        rows[row] = rows[row][:column] + "@" + rows[row][column + 1 :]
        game = played(*rows)
        game.one_way("crate", letter)
        assert (way == moves) == game.turn(way).moved, way
        game = played(*rows)
        game.one_way("crate", letter)
        game.request("player", *{"R": (1, 0), "L": (-1, 0), "U": (0, -1), "D": (0, 1)}[way])
        assert (way == moves) == game.step().moved, way


# Declarations.


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda game: game.door("dor", opens="plate 1"), "unknown name 'dor'"),
        (lambda game: game.door("door", opens="plat"), "unknown name 'plat'"),
        (lambda game: game.door("door", opens="crate"), "'crate' is no trigger"),
        (lambda game: game.door("door", opens=[]), "opens is empty; name the plates"),
        (lambda game: game.door("door", opens="plate 1", needs="most"), 'needs is \'most\'; it must be "all" or "any"'),
        (lambda game: game.platform("lif", "R"), "unknown name 'lif'"),
        (lambda game: game.platform("door", "R"), "a Static thing never moves"),
        (lambda game: game.platform("lift", "RX"), "path is 'RX'; give letters"),
        (lambda game: game.platform("lift", "R", every=0), "every"),
        (lambda game: game.platform("lift", "R", force=-1), "force"),
        (
            lambda game: game.platform("ball", "R"),
            "'ball' selects 2 things, but one is needed: name one of 'ball 1', 'ball 2'",
        ),
        (lambda game: game.teleporter("a", "a"), "source and target are equal"),
        (lambda game: game.teleporter("a", "crate"), "'crate' is no trigger"),
        (lambda game: game.one_way("crate", "X"), "it must be a direction"),
        (lambda game: game.rails("crat", "x"), "unknown name 'crat'"),
    ],
)
def test_an_invalid_mechanic_is_refused_at_its_declaration(declare: Any, message: str) -> None:
    game = played("########", "#@$1D=a#", "#ob  o #", "########")
    with pytest.raises((CollisionError, UnknownEntity)) as caught:
        declare(game)
    assert message in str(caught.value)
    assert not game._state.mechanics


def test_mechanics_are_declared_before_the_game_starts() -> None:
    game = played("########", "#@$1Da #", "########")
    game.start()
    for declare in (
        lambda: game.door("door", opens="plate 1"),
        lambda: game.rails("crate", "x"),
        lambda: game.one_way("crate", "R"),
    ):
        with pytest.raises(CollisionError, match="after the start of the game; declare mechanics"):
            declare()


def test_a_save_with_other_mechanics_is_refused() -> None:
    saved = machine_game().snapshot()
    game = Game(machine_game().level)
    game.door("door", opens="plate")
    with pytest.raises(
        SnapshotError, match="the saved game has 3 mechanics, this game 1; restore it with the script it had"
    ):
        game.restore(saved)
    game = Game(machine_game().level)
    game.door("door", opens="plate")
    game.platform("lift", "D")
    game.teleporter("a", "b")
    before = game.snapshot()
    with pytest.raises(SnapshotError, match="other mechanics saved it"):
        other = machine_game()
        other.play("." * 4)
        game.restore(other.snapshot())
    assert before == game.snapshot()


# Rules of one's own.


class Wind(Mechanic):
    """Moves a thing by one cell in every third turn."""

    label = "wind"

    def __init__(self, game: Game) -> None:
        self.game, self.turns = game, 0

    def advance(self) -> None:
        self.turns = (self.turns + 1) % 3
        if not self.turns:
            self.game.move("ball", 1, force=5)

    def save(self) -> Any:
        return self.turns

    def validate(self, value: Any) -> None:
        if value not in (0, 1, 2):
            raise SnapshotError(f"{value!r} is no wind")

    def load(self, value: Any) -> None:
        self.turns = value


def test_a_mechanic_of_a_script_is_saved_and_undone() -> None:
    game = played("########", "#o    @#", "########")
    game.mechanic(Wind(game))
    game.play("....L.")
    assert (3, 1) == game.cell("ball")
    game.undo(4)
    game.play("...")
    assert ((2, 1), ".....") == (game.cell("ball"), game.moves)
    saved = game.snapshot()
    game.wait()
    assert (3, 1) == game.cell("ball")
    game.restore(saved)
    game.wait()
    assert (3, 1) == game.cell("ball")
    with pytest.raises(CollisionError, match=r"pass an object of a subclass of ecs_collision.game.Mechanic"):
        played("#@#").mechanic(Wind)  # type: ignore[arg-type]
    wind = Wind(game)
    wind.turns = {1}  # type: ignore[assignment]
    with pytest.raises(CollisionError, match=r"what wind saves is \{1\}, which cannot be saved; save only"):
        played("#@#").mechanic(wind)
    still = Mechanic()
    assert None is still.save()
    with pytest.raises(SnapshotError, match="which saves no state"):
        still.validate(7)


@pytest.mark.parametrize("one_way", ["crate 1", "crate 2"])
@pytest.mark.parametrize("order", [("crate 1", "crate 2"), ("crate 2", "crate 1")])
def test_a_thing_fused_to_a_one_way_thing_is_one_way_too(one_way: str, order: tuple[str, str]) -> None:
    game = Game(room("##########", "#@ $$  @ #", "##########", settings=FrozenMap({"rule": "each"})))
    game.one_way(one_way, "L")
    game.fuse(*order)
    game.control("player 1", "lrud")
    game.control("player 2", "LRUD")
    assert [True, False] == [bool(turn) for turn in game.play("rr")]
    assert [True, True, True] == [bool(turn) for turn in game.play("lLL")]
    assert {"crate 1": (3, 1), "crate 2": (4, 1)} == {name: game.cell(name) for name in ("crate 1", "crate 2")}
    assert [True] == [bool(turn) for turn in game.play("L")]
    assert {"crate 1": (2, 1), "crate 2": (3, 1)} == {name: game.cell(name) for name in ("crate 1", "crate 2")}


@pytest.mark.parametrize("seed", range(10))
def test_what_stands_on_a_platform_is_the_same_for_puzzles_and_for_carries_M6(seed: int) -> None:
    # towers with gaps, two cells apart, on the platform and beside it
    drawn = random.Random(seed)
    rows = ["#" + "".join(drawn.choice(" $$") if x % 2 else " " for x in range(9)) + "#" for _ in range(4)]
    game = played(*rows, "#  =====  #", "#         #", "###########", joined="#=", gravity="D")
    lift, bodies = game.id("lift"), game.world._bodies
    world = CollisionWorld()
    for row in bodies.rows():
        parts = bodies.of(row)
        copies = {part_of(type(part)): part.copy() for part in parts if part is not None and part is not parts.motion}
        carries = {"carries": Carries()} if bodies.entity(row) == lift else {}
        world.add(bodies.entity(row), **copies, **carries)
    found = game._gravity.riders(lift, 1, 0)
    assert sorted(found) == sorted(world.move(lift, dx=LATTICE, force=1.0).pushed)
