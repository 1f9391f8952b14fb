"""A call whose arguments do not fit is a CollisionTypeError that says what to write."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionTypeError,
    CollisionWorld,
    CompoundCollider,
    Sleeping,
    Transform,
    Trigger,
)
from ecs_collision.errors import explained
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

BOX = "write BoxCollider(hx, hy, hz=0.5, offset=(0.0, 0.0, 0.0), layer='default', mask=None, enabled=True)"
CONSTRUCTORS: dict[str, tuple[Callable[..., Any], str]] = {
    "Transform()": (Transform, "Transform got no x and no y; write Transform(x, y, z=0.0)"),
    "Transform((1, 2))": (Transform, "Transform got (1, 2) and no y; write Transform(x, y, z=0.0)"),
    "Transform(x=1)": (Transform, "Transform got 1 and no y; write Transform(x, y, z=0.0)"),
    "Transform(y=1)": (Transform, "Transform got 1 and no x; write Transform(x, y, z=0.0)"),
    "Transform(1, 2, w=3)": (Transform, "Transform has no field w; write Transform(x, y, z=0.0)"),
    "Transform(1, 2, 3, 4)": (Transform, "Transform got 4 without the name of its field; write Transform(x, y, z=0.0)"),
    "BoxCollider(width=32, height=32)": (
        BoxCollider,
        f"BoxCollider has no field width and no field height; {BOX}. hx: Half the side along x. hy: Half the side",
    ),
    "BoxCollider(1)": (BoxCollider, f"BoxCollider got 1 and no hy; {BOX}. hy: Half the side along y."),
    "BoxCollider(1, 2, colour='red')": (BoxCollider, f"BoxCollider has no field colour; {BOX}"),
    "CompoundCollider()": (CompoundCollider, "CompoundCollider got no parts; write CompoundCollider(parts, "),
    "Trigger('player')": (Trigger, "Trigger got 'player' without the name of its field; write Trigger(mask=None, "),
    "Sleeping(delay=3)": (Sleeping, "Sleeping has no field delay; write Sleeping("),
    "CollisionSystem({'rule': 'sum'})": (CollisionSystem, "CollisionSystem got {'rule': 'sum'}; give settings by name"),
}


@pytest.mark.parametrize("text", CONSTRUCTORS)
def test_a_constructor_with_wrong_arguments_says_what_to_write_L3(text: str) -> None:
    kind, words = CONSTRUCTORS[text]
    with pytest.raises(CollisionTypeError) as caught:
        eval(text, {kind.__name__: kind})
    assert words in str(caught.value)


CALLS: dict[str, str] = {
    "world.add(Transform(0, 0), BoxCollider(1, 1))": (
        "write world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5))"
    ),
    "world.add(collider=BoxCollider(1, 1))": "write world.add(transform=Transform(0, 0), ",
    "game.on_solved()": "write @game.on_solved without parentheses, or game.on_solved(function)",
    "game.on_turn()": "write @game.on_turn without parentheses, or game.on_turn(function)",
    "game.win_when()": "write @game.win_when without parentheses, or game.win_when(function)",
}


@pytest.mark.parametrize("text", CALLS)
def test_a_call_with_wrong_arguments_says_what_to_write_L3(text: str) -> None:
    game, world = Game(parse_level("legend\n@ player: Motion(1)\n\nmap\n@\n")), CollisionWorld()
    names = {"game": game, "world": world, "Transform": Transform, "BoxCollider": BoxCollider}
    with pytest.raises(CollisionTypeError) as caught:
        eval(text, names)
    assert CALLS[text] in str(caught.value)
    assert 0 == len(world)


def test_a_type_error_inside_an_explained_function_stays_as_it_is() -> None:
    @explained("add(1)")
    def add(number: int) -> object:
        return number + "one"  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand") as caught:
        add(1)
    assert TypeError is caught.type
    with pytest.raises(CollisionTypeError, match=r"missing 1 required positional argument: 'number'; write add\(1\)"):
        add()  # type: ignore[call-arg]


def test_signatures_show_the_fields_alone() -> None:
    shown = "(hx: 'float', hy: 'float', hz: 'float' = 0.5, *, offset: "
    assert str(inspect.signature(BoxCollider)).startswith(shown)
    assert "surplus" not in str(inspect.signature(BoxCollider)) + str(inspect.signature(Trigger))
