"""Games with many handlers and mechanics for random play, as `Game` or as `Puzzle`."""

from __future__ import annotations

import copy
import random
from typing import Any

from rooms import room

from ecs_collision.game import Game
from ecs_collision.levels import Level

MORE = {
    "=": ("lift", {"Inertia": {"value": 5}, "Motion": {"force": 3}}),
    "a": ("a", {"Trigger": {}}),
    "b": ("b", {"Trigger": {}}),
    "c": ("c", {"Trigger": {}}),
    "1": ("plate 1", {"Trigger": {}}),
    "2": ("plate 2", {"Trigger": {}}),
    "o": ("ball", {"Inertia": {"value": 1}}),
}

YARD = room(
    "#########",
    "#@ $_ . #",
    "#  $  $ #",
    "# _ @ . #",
    "#  D  & #",
    "#########",
    win="all crate on goal",
)

MACHINE = room(
    "##########",
    "#@ $ a   #",
    "#  _ = D #",
    "# $  o b #",
    "#  1  $  #",
    "##########",
    more=MORE,
)

SHAFT = room(
    "#  $ o   #",
    "# $$ =   #",
    "#@_  ## D#",
    "#### _   #",
    "#      . #",
    "##########",
    more=MORE,
    gravity="D",
    win="any crate on goal",
)


def yard(game: Game) -> None:
    """Add handlers that move and disable things and store state."""
    game.state.update({"presses": 0, "last": None, "trail": []})

    @game.on_enter("plate")
    def press(event: Any) -> None:
        game.state["presses"] += 1
        game.state["last"] = event.other
        if game.is_enabled("door"):
            game.disable("door")
        else:
            game.enable("door")

    @game.on_turn
    def follow(turn: Any) -> None:
        game.state["trail"] = [*game.state["trail"][-3:], turn.letter]

    @game.on_enter("goal", by="crate")
    def jump(event: Any) -> None:
        if game.fits(event.other, 1.5, 4.5):
            game.teleport(event.other, 1.5, 4.5)


def machine(game: Game) -> None:
    """Add mechanics with state."""
    game.door("door", opens=["plate", "plate 1"], needs="any")
    game.platform("lift", "DR.UL", every=2)
    game.teleporter("a", "b", both_ways=True)
    game.one_way("ball", "R")
    game.rails("crate 2", "y")


def shaft(game: Game) -> None:
    """Add gravity, and a lift that carries things."""
    game.door("door", opens="plate")
    game.platform("lift", "UURRDDLL", force=9)

    @game.on_solved
    def upside_down() -> None:
        game.gravity = "U" if game.gravity == "D" else "D"
        game.state["turned"] = game.state.get("turned", 0) + 1


SCRIPTED: dict[str, tuple[Level, Any]] = {"yard": (YARD, yard), "machine": (MACHINE, machine), "shaft": (SHAFT, shaft)}


def walk(seed: int, length: int) -> str:
    """Return random letters."""
    return "".join(random.Random(seed).choices("LRUD.", k=length))


def shown(game: Game) -> Any:
    """Return everything observable of a game."""
    triggers = [name for name in game.ids if game.get(name, "Trigger") is not None]
    return (
        game.state_hash(),
        game.moves,
        copy.deepcopy(game.state),
        list(game.state),
        {name: game.position(name) for name in game.ids},
        {name: game.is_enabled(name) for name in game.ids},
        {name: game.inside(name) for name in triggers},
        (game.solved, game.gravity, game.falls, dict(game.controls)),
    )
