"""A call whose arguments do not fit is a CollisionTypeError that says what to write."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CollisionError,
    CollisionSystem,
    CollisionTypeError,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    OrientedBox,
    OrientedBoxCollider,
    Sleeping,
    SphereCollider,
    Transform,
    Trigger,
)
from ecs_collision.errors import explained
from ecs_collision.game import Game
from ecs_collision.levels import parse_level

BOX = "write BoxCollider(hx, hy, hz=0.5, offset=(0.0, 0.0, 0.0), layer='default', mask=None, enabled=True)"
ONE_BOX = "write Box(hx, hy, hz=0.5, offset=(0.0, 0.0, 0.0))"
CAPSULE = 'write Capsule(radius, half_length, axis="y", offset=(0.0, 0.0, 0.0), rotation=None)'
ORIENTED_BOX = "write OrientedBox(hx, hy, hz=0.5, offset=(0.0, 0.0, 0.0), rotation=None)"
INERTIA = "write Inertia(1.0), or Inertia(x=1.0) for a crate on rails"
CELLS = "write CompoundCollider.from_cells(cells, size=1.0, layer='default', mask=None, enabled=True)"
CONSTRUCTORS: dict[str, tuple[Callable[..., Any], str]] = {
    "Transform()": (Transform, "Transform got no x and no y; write Transform(x, y, z=0.0, rotation=None)"),
    "Transform((1, 2))": (Transform, "Transform got (1, 2) and no y; write Transform(x, y, z=0.0, rotation=None)"),
    "Transform(1, 2, w=3)": (Transform, "Transform has no field w; write Transform(x, y, z=0.0, rotation=None)"),
    "Transform(1, 2, 3, 4, 5)": (
        Transform,
        "Transform got 5 without the name of its field; write Transform(x, y, z=0.0, rotation=None)",
    ),
    "BoxCollider(width=32, height=32)": (
        BoxCollider,
        f"BoxCollider has no field width and no field height; {BOX}. hx: Half the side along x. hy: Half the side",
    ),
    "BoxCollider(1)": (BoxCollider, f"BoxCollider got 1 and no hy; {BOX}. hy: Half the side along y."),
    "BoxCollider(1, 2, colour='red')": (BoxCollider, f"BoxCollider has no field colour; {BOX}"),
    "CompoundCollider()": (CompoundCollider, "CompoundCollider got no parts; write CompoundCollider(parts, "),
    "Trigger('player')": (Trigger, "Trigger got 'player' without the name of its field; write Trigger(mask=None, "),
    "Sleeping(delay=3)": (Sleeping, "Sleeping has no field delay; write Sleeping("),
    "Motion(1, 2, 3)": (Motion, "Motion got 3 without the name of its field; write Motion(force=0.0, "),
    "Box()": (Box, f"missing 2 required positional arguments: 'hx' and 'hy'; {ONE_BOX}"),
    "Box(1, 2, 3, (0, 0), 5)": (
        Box,
        f"takes from 3 to 5 positional arguments but 6 were given; {ONE_BOX}",
    ),
    "Capsule(1)": (Capsule, f"missing 1 required positional argument: 'half_length'; {CAPSULE}"),
    "OrientedBox(1, 1, turn=2)": (OrientedBox, f"got an unexpected keyword argument 'turn'; {ORIENTED_BOX}"),
    "SphereCollider()": (SphereCollider, "SphereCollider got no radius; write SphereCollider(radius, offset=(0.0, 0.0"),
    "OrientedBoxCollider(1, 1, rotation=1)": (
        OrientedBoxCollider,
        "enabled=True). rotation: give it to the Transform of the body.",
    ),
    "Inertia()": (Inertia, "Inertia needs a value: Inertia(1.0), or Inertia(x=1.0) for a crate on rails"),
    "Inertia(mass=2)": (Inertia, f"got an unexpected keyword argument 'mass'; {INERTIA}"),
    "CompoundCollider.from_cells(tile=32)": (CompoundCollider, f"unexpected keyword argument 'tile'; {CELLS}"),
    "CompoundCollider.from_cells([(0, 0)], 1, 'wall')": (
        CompoundCollider,
        f"takes from 2 to 3 positional arguments but 4 were given; {CELLS}",
    ),
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


@pytest.mark.parametrize("text", ["world.request(1, 1, by=2)", "world.move(1, 1, 0, wrong=2)", "motion.move(wrong=1)"])
def test_a_call_that_games_make_in_every_frame_leaves_a_wrong_keyword_to_python(text: str) -> None:
    with pytest.raises(TypeError, match="keyword") as caught:
        eval(text, {"world": CollisionWorld(), "motion": Motion()})
    assert not isinstance(caught.value, CollisionError)


def test_signatures_show_the_fields_alone() -> None:
    assert str(inspect.signature(Box)).startswith("(hx: 'float', hy: 'float', hz: 'float' = 0.5, offset: ")
    assert str(inspect.signature(Inertia)).startswith("(value: 'float | None' = None, *, x: ")
    shown = "(hx: 'float', hy: 'float', hz: 'float' = 0.5, *, offset: "
    assert str(inspect.signature(BoxCollider)).startswith(shown)
    assert "surplus" not in str(inspect.signature(BoxCollider)) + str(inspect.signature(Trigger))
