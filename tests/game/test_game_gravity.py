"""Gravity: towers, compounds, interlocked things, positions off the grid, in every direction."""

from __future__ import annotations

import random
from typing import Any

import pytest
from boards import trials
from rooms import room

from ecs_collision import Box, CollisionError, Pushed
from ecs_collision.game import Game
from ecs_collision.levels import FrozenMap, Level, Thing

MORE = {
    "A": ("block", {"Inertia": {"value": 1}}),
    "B": ("beam", {"Inertia": {"value": 1}}),
    "C": ("cup", {"Inertia": {"value": 1}}),
    "P": ("pillar", {}),
    "r": ("rail", {"Inertia": {"x": 1}}),
    "f": ("feather", {"Inertia": {"value": 0}, "Motion": {"force": 1}}),
}


def falling(*rows: str, letters: str = "", **level: Any) -> Game:
    return Game(room(*rows, more=MORE, joined="#" + letters, gravity="D", **level))


def drawn(game: Game, *names: str) -> dict[str, tuple[int, int]]:
    return {name: game.cell(name) for name in names}


def test_settle_returns_how_far_everything_fell() -> None:
    game = Game(room("# $ #", "#   #", "#  .#", "#####"))
    assert {} == game.settle()
    game.gravity = "D"
    assert {"crate": (0.0, 2.0)} == game.settle()
    assert {} == game.settle()


@pytest.mark.parametrize(("letter", "cell"), [("D", (3, 5)), ("U", (3, 1)), ("L", (1, 3)), ("R", (5, 3))])
def test_gravity_has_a_direction(letter: str, cell: tuple[int, int]) -> None:
    game = Game(room("#######", "#     #", "#     #", "#  $  #", "#     #", "#     #", "#######"))
    game.gravity = letter
    game.wait()
    assert cell == game.cell("crate")
    with pytest.raises(CollisionError, match="gravity is 'down'; it must be a direction, one of L, R, U, D"):
        game.gravity = "down"


def test_interlocked_things_fall_as_one() -> None:
    game = falling("#CCC#", "#CBC#", "#BB #", "#   #", "#   #", "#####", letters="CB")
    game.start()
    assert (1, 2) == game.cell("cup")
    assert (2, 3) == game.cell("beam")


def test_a_thing_that_cannot_be_pushed_downwards_supports_others() -> None:
    game = falling("#$ $ $#", "#@ r  #", "#     #", "#######")
    game.start()
    assert {"crate 1": (1, 0), "crate 2": (3, 0), "crate 3": (5, 2)} == drawn(game, *game.select("crate"))
    assert (3, 1) == game.cell("rail")


def test_players_fall_if_falls_names_them() -> None:
    game = falling("#$  #", "#@  #", "#   #", "#####", properties=FrozenMap({"falls": "player"}))
    game.start()
    assert {"crate": (1, 1), "player": (1, 2)} == drawn(game, "crate", "player")
    game.turn("R")
    assert {"crate": (1, 2), "player": (2, 2)} == drawn(game, "crate", "player")
    game.falls = None
    assert game.falls is None


def test_a_player_locked_with_a_thing_falls_with_it() -> None:
    game = falling("#CC #", "#C@ #", "#CC #", "#   #", "#####", letters="C")
    game.start()
    assert (1, 0) == game.cell("cup"), "a player who does not fall holds it"
    game.falls = "player"
    game.wait()
    assert {"cup": (1, 1), "player": (2, 2)} == drawn(game, "cup", "player")


def test_falling_pushes_nothing_unless_it_must() -> None:
    game = falling("#A $#", "#AA #", "#A  #", "# $ #", "#   #", "#   #", "#####", letters="A")
    game.start()
    assert {"block": (1, 3), "crate 1": (3, 5), "crate 2": (2, 5)} == drawn(game, "block", "crate 1", "crate 2")
    assert not [event for event in game.world.events if isinstance(event, Pushed)]


def test_gravity_ignores_the_hook_and_the_limits() -> None:
    level = room("#CCC#", "#CBC#", "#BB #", "#   #", "#####", more=MORE, joined="#CB", gravity="D")
    game = Game(level, can_push=lambda *push: False, max_chain=0)
    game.start()
    assert (1, 1) == game.cell("cup")


def test_falls_are_exact_off_the_grid() -> None:
    half = Box(0.5, 0.5)
    things = (
        Thing("floor", "floor", (2.0, 5.25, 0.0), (Box(2.0, 0.25),), FrozenMap({"Static": {}})),
        Thing("low", "crate", (1.0, 2.125, 0.0), (half,), FrozenMap({"Inertia": {"value": 1}})),
        Thing("high", "crate", (1.9375, 0.5, 0.0), (half,), FrozenMap({"Inertia": {"value": 1}})),
        Thing("beside", "crate", (2.9375, 0.5, 0.0), (half,), FrozenMap({"Inertia": {"value": 1}})),
    )
    game = Game(Level("half", (4, 6), things, gravity="D"))
    game.start()
    assert [4.5, 3.5, 4.5] == [game.position(name)[1] for name in ("low", "high", "beside")]


@pytest.mark.parametrize("turns", ["R", "settle"])
def test_a_level_without_a_floor_is_refused(turns: str) -> None:
    game = Game(room("#  $", "#@D ", "### "))
    game.start()
    before = game.snapshot()
    game.gravity = "D"
    message = (
        r"'crate' falls out of room.txt: nothing stops it towards \+y; give the level a floor "
        r"\(Static\) or bounds, or set gravity to None"
    )
    with pytest.raises(CollisionError, match=message):
        game.settle() if turns == "settle" else game.wait()
    game.gravity = None
    assert before == game.snapshot()


def test_bounds_are_a_floor() -> None:
    game = Game(room("#  $", "#@D ", "### ", gravity="D"), bounds=((0, 0), (4, 20)))
    game.start()
    assert (3, 19) == game.cell("crate")


def test_a_thing_falls_with_everything_on_it_when_the_player_below_moves_away() -> None:
    game = falling("#  $  #", "# $$$ #", "# @## #", "#     #", "#######")
    game.start()
    assert {"crate 1": (3, 0), "crate 2": (2, 1)} == drawn(game, "crate 1", "crate 2")
    game.turn("L")
    assert {"crate 1": (3, 0), "crate 2": (2, 3)} == drawn(game, "crate 1", "crate 2")


def test_in_real_time_things_fall_by_fall_speed_in_a_frame() -> None:
    game = falling("#CCC#", "#CBC#", "#BB #", "#   #", "#   #", "#   #", "#####", letters="CB")
    game.gravity = None
    game.start()
    game.gravity = "D"
    game.fall_speed = 0.75
    seen = []
    for _ in range(5):
        game.step()
        seen.append((game.position("cup")[1], game.position("beam")[1]))
    assert [1.25, 2.0, 2.75, 3.5, 3.5] == [cup for cup, _ in seen]
    assert [2.25, 3.0, 3.75, 4.5, 4.5] == [beam for _, beam in seen]
    with pytest.raises(CollisionError, match="fall_speed"):
        game.fall_speed = 0


# Against an oracle that knows cells only.


def grown(choice: random.Random, free: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a random piece of one to five free cells."""
    piece = [choice.choice(sorted(free))]
    for _ in range(choice.choice((0, 0, 1, 2, 4))):
        x, y = choice.choice(piece)
        near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        piece += choice.sample([cell for cell in near if cell in free and cell not in piece] or [piece[0]], 1)
    return sorted(set(piece))


def fallen(pieces: dict[str, set[tuple[int, int]]], fixed: set[str]) -> dict[str, int]:
    """Return how many rows each piece falls; in each round, every unsupported piece falls one row."""
    rows = dict.fromkeys(pieces, 0)
    while True:
        at = {(x, y + rows[name]): name for name, cells in pieces.items() for x, y in cells}
        held = set(fixed)
        grows = True
        while grows:
            more = {name for (x, y), name in at.items() if name not in held and at.get((x, y + 1)) in held}
            held |= more
            grows = bool(more)
        if held == set(pieces):
            return rows
        for name in pieces:
            rows[name] += name not in held


@pytest.mark.parametrize("scale", [1.0, 0.25])
@pytest.mark.parametrize("seed", range(trials(60) or 1))
def test_everything_falls_as_far_as_the_oracle_predicts(seed: int, scale: float) -> None:
    choice = random.Random(seed)
    width, height = choice.randrange(3, 8), choice.randrange(4, 11)
    free = {(x, y) for x in range(width) for y in range(height)}
    pieces: dict[str, set[tuple[int, int]]] = {"floor": {(x, height) for x in range(width)}}
    things = []
    for number in range(choice.randrange(3, 14)):
        if not free:
            break
        cells = grown(choice, free)
        free -= set(cells)
        name = f"piece {number}"
        pieces[name] = set(cells)
    fixed = {"floor"} | {name for name in list(pieces)[1:] if choice.random() < 0.15}
    for name, shape in pieces.items():
        boxes = tuple(Box(scale / 2, scale / 2, offset=((x + 0.5) * scale, (y + 0.5) * scale)) for x, y in shape)
        components = {"Static": {}} if name in fixed else {"Inertia": {"value": choice.randrange(4)}}
        things.append(Thing(name, "piece", (0.0, 0.0, 0.0), boxes, FrozenMap(components)))
    choice.shuffle(things)
    game = Game(Level("fall", (width, height), tuple(things), gravity="D"))
    expected = {name: rows * scale for name, rows in fallen(pieces, fixed).items()}
    game.start()
    assert expected == {name: game.position(name)[1] for name in pieces}
    assert {} == game.settle()


def test_a_thing_on_a_member_of_the_moving_group_falls_when_the_group_leaves() -> None:
    more = {"o": ("ball", {"Inertia": {"value": 1}})}
    game = Game(room("#  o  #", "# @$  #", "#######", more=more, gravity="D"))
    game.fuse("player", "crate")
    game.wait()
    assert (3, 0) == game.cell("ball")
    assert game.turn("L")
    assert {"ball": (3, 1), "player": (1, 1), "crate": (2, 1)} == drawn(game, "ball", "player", "crate")


@pytest.mark.parametrize("falls", [None, "player"])
def test_a_thing_that_falls_on_a_supported_group_does_not_push_it(falls: str | None) -> None:
    more: dict[str, Any] = {"P": ("pillar", {"Collider": {}})}
    game = Game(room("#  $ #", "#    #", "# @P #", "#    #", "######", more=more, gravity="D"))
    game.falls = falls
    game.fuse("player", "pillar")
    game.wait()
    assert {"crate": (3, 1), "player": (2, 2), "pillar": (3, 2)} == drawn(game, "crate", "player", "pillar")


# Teleporters: arriving is entering.

PORTALS = {"a": ("a", {"Trigger": {}}), "b": ("b", {"Trigger": {}}), "c": ("c", {"Trigger": {}}), **MORE}
SHAFT = ("########", "#   b  #", "#      #", "#      #", "#@$a   #", "########")


def shaft(*rows: str, **targets: str) -> tuple[Game, list[str]]:
    """Return a game with gravity and teleporters, and the list of trigger events to come."""
    game = Game(room(*(rows or SHAFT), more=PORTALS, gravity="D"))
    for source, target in (targets or {"a": "b"}).items():
        game.teleporter(source, target)
    texts: list[str] = []
    game.on_enter()(lambda event: texts.append(str(event)))
    game.on_leave()(lambda event: texts.append(str(event)))
    return game, texts


def test_an_arrival_in_mid_air_enters_before_it_falls_T1() -> None:
    game, texts = shaft()
    seen = []
    game.on_enter("b", by="crate")(lambda event: seen.append((game.cell("crate"), game.inside("b"))))
    turn = game.turn("R")
    assert ["crate entered a", "crate left a", "crate entered b", "crate left b"] == texts
    assert [((4, 1), ["crate"])] == seen, "it is still there when the event is delivered"
    assert ((4, 4), []) == (game.cell("crate"), game.inside("b"))
    assert [str(event) for event in turn.events if "enter" in str(event) or "left" in str(event)] == texts
    after = game.snapshot()
    assert game.undo()
    assert (3, 4) != game.cell("crate")
    assert game.redo() and after == game.snapshot()
    assert game.undo() and game.turn("R").rounds == turn.rounds
    assert after == game.snapshot()


def test_an_arrival_in_another_teleporter_is_sent_on_before_it_falls() -> None:
    game, texts = shaft("########", "#   b  #", "#c     #", "#      #", "#@$a   #", "########", a="b", b="c")
    game.turn("R")
    assert ["crate entered c", "crate left c"] == texts[-2:]
    assert (1, 4) == game.cell("crate")


def test_in_real_time_an_arrival_enters_in_the_next_frame_and_falls_in_the_one_after() -> None:
    game, texts = shaft()
    game.start()
    game.move("player", 1, 0)
    cells = []
    for _ in range(4):
        game.step()
        cells.append(game.cell("crate"))
        if len(cells) == 1:
            saved = game.snapshot()
    assert [(4, 1), (4, 1), (4, 2), (4, 3)] == cells
    assert ["crate entered a", "crate left a", "crate entered b", "crate left b"] == texts
    game.restore(saved)
    del texts[:]
    again = [(game.step(), game.cell("crate"))[1] for _ in range(3)]
    assert cells[1:] == again
    assert ["crate left a", "crate entered b", "crate left b"] == texts


def test_an_arrival_that_no_trigger_reports_falls_after_one_round() -> None:
    game = Game(room(*SHAFT, more=PORTALS | {"b": ("b", {"Trigger": {"mask": ["stranger"]}})}, gravity="D"))
    game.teleporter("a", "b")
    game.turn("R")
    assert (4, 4) == game.cell("crate")
