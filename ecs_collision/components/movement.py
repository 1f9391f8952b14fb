"""Components for movement: how a body moves, characters, one-way bodies, platforms, paths and lifetimes (rules M)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from ecs_collision.components.base import Component
from ecs_collision.components.checks import Vector, direction, layer_name, vector
from ecs_collision.components.fields import CharacterFields
from ecs_collision.components.schema import Field, component, field, slots
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import finite, flag, items_of, named, shown, to_lattice, whole
from ecs_collision.similar import did_you_mean

Response = Literal["push", "slide", "stop", "bounce", "cross"]
"""What a mover does on meeting a body (M9)."""

ResponseTable = tuple[tuple[str, Response], ...]
"""Responses by layer, as sorted pairs."""

RESPONSES: tuple[Response, ...] = ("push", "slide", "stop", "bounce", "cross")

Loop = Literal["back", "around"]
"""How a path goes on at its last point: back to the first through all others, or straight to the first (M13)."""

LOOPS: tuple[Loop, ...] = ("back", "around")

Direction = str | Iterable[float]
"""What may be written for a direction: the name of a side, or a vector along one axis."""


def length(value: object, where: str, owner: object = None) -> float:
    """Return a length on the lattice, not negative."""
    return to_lattice(finite(value, where, owner=owner, minimum=0.0))


def slope(value: object, where: str, owner: object = None) -> float:
    """Return an angle from 0 to below a right angle, in radians."""
    result = finite(value, where, owner=owner, minimum=0.0)
    if result >= math.pi / 2:
        raise CollisionValueError(
            f"{named(where, owner)} is {shown(value)} radians; it must be below a right angle (pi / 2), for a wall is "
            "no slope; use math.radians(45) for degrees"
        )
    return result


def factor(value: object, where: str, owner: object = None) -> float:
    """Return a finite number."""
    return finite(value, where, owner=owner) + 0.0


def share(value: object, where: str, owner: object = None) -> float:
    """Return a number from 0 to 1."""
    return finite(value, where, owner=owner, minimum=0.0, maximum=1.0) + 0.0


def response_name(value: object, where: str, owner: object = None) -> Response:
    """Return the name of a response; raises by the name `where` unless it is one."""
    if isinstance(value, str) and value in RESPONSES:
        return value
    names = ", ".join(f'"{name}"' for name in RESPONSES)
    hint = did_you_mean(value, RESPONSES) if isinstance(value, str) else ""
    raise CollisionValueError(f"{named(where, owner)} is {shown(value)}; it must be one of {names}{hint}")


def response_table(value: object, where: str, owner: object = None) -> ResponseTable:
    """Return responses by layer as sorted pairs; a mapping or pairs may be given."""
    pairs = items_of(tuple(value.items()) if isinstance(value, Mapping) else value)
    if pairs is None or isinstance(value, str) or any(len(items_of(pair) or ()) != 2 for pair in pairs):
        raise CollisionTypeError(
            f'{named(where, owner)} must name a response for each layer, such as {{"ghost": "cross"}}, '
            f"not {shown(value)}"
        )
    found: dict[str, Response] = {}
    for layer, response in pairs:
        found[layer_name(layer, where, owner)] = response_name(response, f"{where} for layer {shown(layer)}", owner)
    return tuple(sorted(found.items()))


def path_points(value: object, where: str, owner: object = None) -> tuple[Vector, ...]:
    """Return at least two positions on the lattice, each other than the one before."""
    items = items_of(value)
    if items is None or isinstance(value, str):
        raise CollisionTypeError(
            f"{named(where, owner)} must be positions such as [(0, 0), (4, 0)], not {shown(value)}"
        )
    if len(items) < 2:
        raise CollisionValueError(f"{named(where, owner)} has {len(items)} points; a path needs at least two")
    points = [vector(each, f"{where}[{number}]", owner=owner) for number, each in enumerate(items)]
    found = tuple([(to_lattice(x), to_lattice(y), to_lattice(z)) for x, y, z in points])
    for number, (before, after) in enumerate(pairwise(found)):
        if before == after:
            raise CollisionValueError(
                f"{named(where, owner)} has the same point {before} twice in a row, at {number} and {number + 1}; "
                "leave one out"
            )
    return found


def path_speed(value: object, where: str, owner: object = None) -> float:
    """Return a speed above 0."""
    result = finite(value, where, owner=owner, minimum=0.0, maximum=2.0**14)
    if result == 0.0:
        raise CollisionValueError(f"{named(where, owner)} is 0; give units per second, or disable the body to halt it")
    return result


def loop_name(value: object, where: str, owner: object = None) -> Loop:
    """Return how a path repeats; raises by the name `where` unless it is a name of that."""
    if isinstance(value, str) and value in LOOPS:
        return value
    raise CollisionValueError(
        f'{named(where, owner)} is {shown(value)}; it must be "back", "around" or None for a path that ends'
    )


@component
class Mover(Component):
    """How a body with a `Motion` moves, if not as all others do: straight, or with other responses (M9, M10).

    responses: what it does on meeting a body, by the layer of that body; `response` is for all other layers.
    straight: the motion follows the straight line and pushes nothing, as bullets do; "push" then means "stop".
    """

    response: Field[Response, Response] = field(
        response_name, 'What it does on meeting a body: "push", "slide", "stop", "bounce" or "cross".', default="push"
    )
    responses: Field[ResponseTable, Mapping[str, Response] | ResponseTable] = field(
        response_table, "The responses to bodies of some layers, by layer.", default=(), kw_only=True
    )
    straight: Field[bool, bool] = field(flag, "Whether motions follow the straight line.", default=False, kw_only=True)
    restitution: Field[float, float] = field(
        share, "The share of the speed that a bounce keeps.", default=1.0, kw_only=True
    )
    gravity: Field[float, float] = field(
        factor, "How much of the gravity of a MovementSystem acts on it; 0 for a bullet.", default=1.0, kw_only=True
    )
    __slots__ = slots(vars())


@component
class Character(CharacterFields, Component):
    """A body that walks: it stands on floors, walks up slopes and steps, and jumps (M3, M4).

    With `Velocity` and `Motion` it is moved by every step of movement. up: the side away from the floor, a name or a
    direction along one axis. max_slope: the steepest floor, in radians. step_height: how high a ledge it steps up.
    snap: how far it is drawn down to a floor that it walks off; None for as far as it could have walked down.
    coyote: for how many frames after the floor has gone a jump still works; jump_buffer: for how many frames before
    landing.
    """

    up: Field[Vector, Direction] = field(direction, "The direction away from the floor.", default=(0.0, -1.0, 0.0))
    max_slope: Field[float, float] = field(
        slope, "The steepest slope that is a floor, in radians.", default=math.pi / 4, kw_only=True
    )
    step_height: Field[float, float] = field(length, "How high a ledge it steps up.", default=0.0, kw_only=True)
    snap: Field[float | None, float | None] = field(
        length, "How far it is drawn down to a floor that it walks off; None for as far as slopes and steps need.",
        is_optional=True, default=None, kw_only=True,
    )  # fmt: skip
    coyote: Field[int, int] = field(
        whole, "For how many frames after the floor has gone a jump still works.", minimum=0, default=0, kw_only=True
    )
    jump_buffer: Field[int, int] = field(
        whole, "For how many frames a jump that was asked for in the air waits for a floor.", minimum=0, default=0,
        kw_only=True,
    )  # fmt: skip
    __slots__ = ()  # the slots are those of CharacterFields, which is compiled


def _read_only(name: str) -> property:
    """Return a property of CharacterFields that names the component when it is assigned or deleted."""
    found = getattr(CharacterFields, name)

    def refuse(character: Character, *value: object) -> None:
        character._refuse(name, "assigned or deleted: it is what the last step of movement found")

    return property(found.__get__, refuse, refuse, found.__doc__)


for _name in [name for name, found in vars(CharacterFields).items() if name[0] != "_" and not callable(found)]:
    setattr(Character, _name, _read_only(_name))


@component
class OneWay(Component):
    """Makes a solid body block only what comes against `direction` from outside, as a platform to jump through (M5).

    `OneWay("up")` is a floor: what falls lands on it, what jumps from below passes. The direction is the name of a side
    or a vector along one axis.
    """

    direction: Field[Vector, Direction] = field(
        direction, "The direction in which everything passes.", default=(0.0, -1.0, 0.0), repr_style="value"
    )
    __slots__ = slots(vars())


@component
class Carries(Component):
    """Makes a body carry what stands on it: a lift, a raft, a moving floor (M6, M8).

    up: the side on which bodies stand, a name or a direction along one axis. crushes: whether the body goes on when it
    presses others against a wall; otherwise it stops. Both give a `Crushed` event.
    """

    up: Field[Vector, Direction] = field(direction, "The side on which bodies stand.", default=(0.0, -1.0, 0.0))
    crushes: Field[bool, bool] = field(
        flag, "Whether it goes on through what it presses against a wall.", default=False, kw_only=True
    )
    __slots__ = slots(vars())


@component
class Grips(Component):
    """Makes a body pull another one along, the counterpart of pushing (M12): add it to grab, remove it to let go.

    The motions of this body take the body of the entity `to` along in every direction, as far as the force allows.
    """

    to: Field[int, int] = field(whole, "The entity that is pulled along.", minimum=0, repr_style="named")
    __slots__ = slots(vars())


class Progress(NamedTuple):
    """How far a body has come on its path (M13): it is on the line from `start` to `end`, in lattice units.

    target: the number of the point at the end. direction: 1 or -1, the way through the points. along: how far it is
    from the start, in multiples of 2**-32 of a lattice unit; whole numbers, so that nothing drifts.
    """

    start: tuple[int, int, int]
    end: tuple[int, int, int]
    target: int
    direction: int
    along: int


@component
class Path(Component):
    """Moves a body with a `Motion` along a path of straight lines, at `speed` units per second: a lift, a patrol (M13).

    The motion pushes by the force of the Motion, and waits where it is blocked. loop: None ends at the last point,
    "back" goes there and back, "around" goes from the last point straight to the first.
    """

    points: Field[tuple[Vector, ...], Iterable[Iterable[float]]] = field(
        path_points, "The positions that the body goes through, at least two."
    )
    speed: Field[float, float] = field(path_speed, "The speed in units per second.")
    loop: Field[Loop | None, Loop | None] = field(
        loop_name, 'None, "back" or "around".', is_optional=True, default=None, kw_only=True
    )
    __slots__ = slots(vars(), "_progress")

    def _init_binding(self) -> None:
        Component._init_binding(self)
        self._progress: Progress | None = None

    def _restore(self, values: tuple[Any, ...]) -> None:
        self._progress = None
        Component._restore(self, values)


@component
class Lifetime(Component):
    """Removes a body after a number of steps of movement: bullets, sparks (M14)."""

    frames: Field[int, int] = field(
        whole, "How many steps are left; may be assigned.", minimum=1, repr_style="value", is_volatile=True
    )
    __slots__ = slots(vars())
