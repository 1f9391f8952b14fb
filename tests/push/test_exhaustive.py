"""Every world of up to three boxes on a few cells across the origin, and every push in it, against the exact model.

Where everything there is to try is tried, no chance can have missed it. A world is built once for a cast of bodies and
its bodies are put from placement to placement, so every answer also says that what was before does not matter (B5); now
and then a new world is asked as well. `make soak` tries millions of pushes, each of them on two worlds that differ in
what must not matter: the size of cells, sleepers, and who was made first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from typing import Any, NamedTuple

import pytest
from boards import in_words

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    MoveResult,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision._build import kernels_are_compiled
from ecs_collision.testing.model import Asked, Body, Model, Result, Zone

AXES = "xyz"
Vector = tuple[float, float, float]
Half = tuple[float, float, float, float, float, float]

SHAPES: dict[str, tuple[Half, ...]] = {
    "unit": ((0.5, 0.5, 0.5, 0.5, 0.5, 0.0),),
    "wide": ((1.0, 0.5, 0.5, 1.0, 0.5, 0.0),),
    "high": ((0.5, 1.0, 0.5, 0.5, 1.0, 0.0),),
    "corner": ((0.5, 0.5, 0.5, 0.5, 0.5, 0.0), (0.5, 0.5, 0.5, 1.5, 0.5, 0.0), (0.5, 0.5, 0.5, 0.5, 1.5, 0.0)),
    "apart": ((0.5, 0.5, 0.5, 0.5, 0.5, 0.0), (0.5, 0.5, 0.5, 2.5, 0.5, 0.0)),
    "point": ((0.0, 0.0, 0.5, 0.5, 0.5, 0.0),),
}
"""Boxes as the model writes them: half extents and offset. The position is the low corner of the first cell."""

ROLES: dict[str, dict[str, Any]] = {
    "player": {"motion": {"force": 1.5}},
    "second": {"motion": {"force": 1.5, "priority": 1}, "inertia": (1.0, 1.0, 1.0)},
    "crate": {"inertia": (1.0, 1.0, 1.0)},
    "heavy": {"inertia": (2.0, 2.0, 2.0)},
    "rails": {"inertia": (1.0, math.inf, 1.0)},
    "block": {},
    "wall": {"static": True},
    "zone": {"zone": {}},
    "fringe": {"zone": {"touching": True, "stay": True}},
    "beam": {"zone": {"swept": True}},
    "echo": {"zone": {"linger": 1, "mask": frozenset({"default"})}},
    "hum": {"zone": {"swept": True, "linger": 1, "touching": True}},
    "probe": {"zone": {"stay": True, "swept": True}, "motion": {"force": 1.5}},
}
"""What a body is besides its boxes."""

Cast = tuple[tuple[str, str], ...]
"""Role and shape of each body; ids are 1, 2, 3."""


# --- one cast, in the model and in worlds -----------------------------------------------------------------------------


@dataclass
class Kept:
    """A world of a cast, kept from case to case."""

    cast: Cast
    settings: dict[str, Any]
    sleeping: bool = False
    backwards: bool = False
    world: CollisionWorld = field(init=False)
    transforms: dict[int, Transform] = field(init=False, default_factory=dict)
    motions: dict[int, Motion] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.world = CollisionWorld(**self.settings)
        numbered = list(enumerate(self.cast, 1))
        for entity, (role, shape) in reversed(numbered) if self.backwards else numbered:
            self.add(entity, ROLES[role], SHAPES[shape])

    def add(self, entity: int, role: dict[str, Any], boxes: tuple[Half, ...]) -> None:
        self.transforms[entity] = Transform(100.0 * entity, 0.0)
        parts = [Box(*box[:3], offset=box[3:]) for box in boxes]
        if "motion" in role:
            self.motions[entity] = Motion(**role["motion"])
        self.world.add(
            entity,
            transform=self.transforms[entity],
            collider=BoxCollider(*boxes[0][:3], offset=boxes[0][3:]) if len(boxes) == 1 else CompoundCollider(parts),
            inertia=Inertia(**dict(zip(AXES, role["inertia"], strict=True))) if "inertia" in role else None,
            motion=self.motions.get(entity),
            static=Static() if "static" in role else None,
            sleeping=Sleeping(asleep=entity == 1, after=1) if self.sleeping and "static" not in role else None,
            trigger=Trigger(**role["zone"]) if "zone" in role else None,
        )

    def put(self, places: dict[int, Vector]) -> None:
        """Put bodies somewhere."""
        for entity, place in places.items():
            self.transforms[entity].position = place

    def places(self) -> dict[int, Vector]:
        """Return where they are."""
        return {entity: transform.position for entity, transform in self.transforms.items()}


class Twin:
    """A cast in the model and in worlds that must all agree with it."""

    def __init__(self, cast: Cast, settings: dict[str, Any]) -> None:
        self.cast, self.settings = cast, settings
        self.model = Model(**settings)
        self.bodies = [self.body(entity, ROLES[role], SHAPES[shape]) for entity, (role, shape) in enumerate(cast, 1)]
        self.kept = [
            Kept(cast, settings),
            Kept(cast, {**settings, "bin_size": 0.25}, sleeping=True, backwards=True),
        ]
        self.places: dict[int, Vector] = {}

    def body(self, entity: int, role: dict[str, Any], boxes: tuple[Half, ...]) -> Body:
        motion = Asked(**role["motion"], token=entity) if "motion" in role else None
        zone = Zone(**role["zone"]) if "zone" in role else None
        return Body(
            entity, (0.0, 0.0, 0.0), boxes, static="static" in role, inertia=role.get("inertia"), motion=motion,
            zone=zone, transform=entity, collider=entity,
        )  # fmt: skip

    def place(self, cells: Iterable[Vector]) -> None:
        """Put all bodies somewhere; who overlaps and who touches must be what the model says."""
        self.places = dict(enumerate(cells, 1))
        for body in self.bodies:
            body.position = self.places[body.id]
        self.model.apply_changes(self.bodies)
        for kept in self.kept:
            kept.put(self.places)
        pairs = self.model.pairs()
        assert pairs == self.kept[0].world.space.pairs(), self.told()
        for entity in self.places:
            assert self.model.touching(entity) == self.kept[1].world.touching(entity), self.told()

    def push(self, mover: int, way: Vector, how: dict[str, Any]) -> None:
        """Push with one body; the result and all positions must be those of the model. Then all is as before."""
        expected = self.model.plan(mover, *way, **how)
        places = self.after(mover, expected)
        for kept in self.kept:
            result = kept.world.move(mover, *way, **how)
            assert as_written(expected) == as_written_by(result), self.told(mover, way, how)
            assert places == kept.places(), self.told(mover, way, how)
            kept.put(self.places)

    def after(self, mover: int, result: Result) -> dict[int, Vector]:
        shifts = {mover: result.moved, **result.pushed}
        return {
            entity: plus(place, shifts[entity]) if entity in shifts else place for entity, place in self.places.items()
        }

    def push_anew(self, mover: int, way: Vector, how: dict[str, Any]) -> None:
        """Push in a world that was built for it; the index must be that of the worlds that were kept."""
        new, kept = Kept(self.cast, self.settings), self.kept[0]
        new.put(self.places)
        assert list(new.world.space.cells) == list(kept.world.space.cells), self.told()
        assert list(new.world.space.static_cells) == list(kept.world.space.static_cells), self.told()
        assert kept.world.move(mover, *way, **how) == new.world.move(mover, *way, **how), self.told(mover, way, how)
        kept.world.check()
        kept.put(self.places)

    def frame(self, requests: dict[int, Vector]) -> None:
        """Play a frame; events, results, positions and who is inside must be those of the model."""
        for body in self.bodies:
            x, y, z = requests.get(body.id, (0.0, 0.0, 0.0))
            body.motion = body.motion and replace(body.motion, dx=x, dy=y, dz=z)
        self.model.apply_changes(self.bodies)
        expected = self.model.step()
        self.places = {body.id: self.model.bodies[body.id].position for body in self.bodies}
        for body in self.bodies:
            body.position = self.places[body.id]
        results = {entity: as_written(result) for entity, result in self.model.results.items()}
        zones = {body.id: self.model.inside(body.id) for body in self.bodies if body.zone}
        for kept in self.kept:
            for entity, way in requests.items():
                kept.motions[entity].move(*way)
            frame = kept.world.step()
            assert expected == as_told(frame.events), self.told(requests)
            assert results == {entity: as_written_by(result) for entity, result in frame.results.items()}
            assert self.places == kept.places(), self.told(requests)
            assert zones == {entity: kept.world.inside(entity) for entity in zones}, self.told(requests)

    def told(self, *case: Any) -> str:
        return f"{self.cast} at {self.places}, {self.settings}: {case}"


def plus(a: Vector, b: Vector) -> Vector:
    """Return the sum."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def as_written(result: Result) -> tuple[Any, ...]:
    """Return a result of the model as plain values."""
    stops, links = [tuple(stop) for stop in result.stops], [tuple(link) for link in result.links]
    return (result.requested, result.moved, list(result.pushed.items()), stops, links)


def as_written_by(result: MoveResult) -> tuple[Any, ...]:
    """Return a result of a world as plain values."""
    stops = [(stop.axis, stop.blocker, stop.reason.name, stop.allowed) for stop in result.stops]
    links = [(link.pusher, link.pushed, link.axis, link.gap) for link in result.links]
    return (result.requested, result.moved, list(result.pushed.items()), stops, links)


def as_told(events: list[Any]) -> list[tuple[Any, ...]]:
    """Return events as the model tells them: names for reasons, nothing of sleep."""
    words = [word for word in in_words(events, object) if word[0] not in ("Woke", "FellAsleep")]
    return [tuple(getattr(value, "name", value) for value in word) for word in words]


# --- what is tried ----------------------------------------------------------------------------------------------------


class Space(NamedTuple):
    """All that is tried: every cast in every setting, every placement of it, every mover, every way and manner."""

    casts: list[Cast]
    cells: list[Vector]
    ways: list[Vector]
    hows: list[dict[str, Any]]
    settings: list[dict[str, Any]] = [{}]

    @property
    def size(self) -> int:
        """The number of cases."""
        tries = len(self.ways) * len(self.hows) * len(self.settings)
        return sum(len(self.cells) ** len(cast) * len(movers(cast)) for cast in self.casts) * tries


def movers(cast: Cast) -> list[int]:
    """Return the ids of those who move of themselves."""
    return [entity for entity, (role, _) in enumerate(cast, 1) if "motion" in ROLES[role]]


def grid(xs: Iterable[float], ys: Iterable[float] = (0.0,), zs: Iterable[float] = (0.0,)) -> list[Vector]:
    """Return all cells with these corners."""
    return list(product(xs, ys, zs))


def among(mover: str, others: Iterable[str], shapes: Iterable[str] = ("unit",), most: int = 3) -> list[Cast]:
    """Return all casts of a mover and less than `most` others, whichever of them has which id."""
    figures, shapes = list(product(others, shapes)), list(shapes)
    return [
        (*rest[:turn], (mover, shape), *rest[turn:])
        for count in range(most)
        for rest in product(figures, repeat=count)
        for turn in range(count + 1)
        for shape in shapes
    ]


def along(axes: str, *lengths: float) -> list[Vector]:
    """Return ways along each of these axes, up and down."""
    ways = product(axes, lengths, (1.0, -1.0))
    return [(sign * length * (axis == "x"), sign * length * (axis == "y"), sign * length * (axis == "z"))
            for axis, length, sign in ways]  # fmt: skip


def pushes(*forces: float, rules: Iterable[str] = ("each", "sum"), **more: Any) -> list[dict[str, Any]]:
    """Return manners to push: with these forces under these rules."""
    return [{"force": force, "rule": rule, **more} for force, rule in product(forces, rules)]


FOUR, SIX = (-2.0, -1.0, 0.0, 1.0), (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0)
HALVES = (-1.0, -0.5, 0.0, 0.5)
SOLID = ("crate", "heavy", "rails", "block", "wall", "zone")
BOTH: list[dict[str, Any]] = [{}, {"overlap_policy": "block_deeper"}]
WALLED: list[dict[str, Any]] = [{"bounds": ((-2, -1), (2, 2))}]
HOOKED: list[dict[str, Any]] = [{"can_push": lambda a, b, axis, force: (None, True, False)[(2 * a + b) % 3]}]
EACH: dict[str, Any] = {"rules": ["each"]}

IN_TEST = {
    "in a line": Space(among("player", ("crate", "heavy", "wall")), grid(FOUR), along("x", 3), pushes(1, 1.5, **EACH)),
    "in the plane": Space(among("player", ("crate",)), grid(FOUR, (-1.0, 0.0)), along("xy", 1), pushes(1.5, **EACH)),
    "overlapping": Space(
        among("player", ("crate",), most=2), grid(HALVES, HALVES), along("xy", 1), [{"force": 2}], BOTH
    ),
    "of every shape": Space(
        among("player", ("crate",), SHAPES, most=2), grid((-1.0, 0.0), (-1.0, 0.0)), along("xy", 1.5), [{}]
    ),
}
IN_SOAK = {
    "every force in a line": Space(
        among("player", SOLID), grid(FOUR), along("x", 1, 3), pushes(0.5, 1, 1.5, 2, 3, 3.5), BOTH
    ),
    "a long line": Space(among("player", ("crate", "heavy", "wall")), grid(SIX), along("x", 6), pushes(1.5, 3), BOTH),
    "every role in the plane": Space(among("player", SOLID), grid(FOUR, (-1.0, 0.0)), along("xy", 1), pushes(1.5)),
    "the whole plane": Space(
        among("player", ("crate", "wall")), grid(FOUR, FOUR), along("xy", 1, 4), pushes(2, **EACH)
    ),
    "overlapping": Space(
        among("player", ("crate", "block")), grid(HALVES, HALVES), along("xy", 2), pushes(2, **EACH), BOTH
    ),
    "of every shape": Space(
        among("player", ("crate",), ("wide", "corner", "apart", "point")), grid((-1.0, 0.0, 1.0), (-1.0, 0.0)),
        along("xy", 2), pushes(2, rules=["sum"]), BOTH,
    ),
    "between bounds": Space(
        among("player", ("crate", "heavy")), grid((-3.0, *FOUR), (-1.0, 1.0)), along("xy", 1, 3), pushes(2), WALLED
    ),
    "along two axes": Space(
        among("player", ("crate", "heavy")), grid(FOUR, (-1.0, 0.0)), list(product((-2.0, 1.0), (-1.0, 2.0), (0.0,))),
        [{"force": 2.5, "all_or_nothing": whole, "max_chain": chain} for whole in (False, True) for chain in (1, 2)],
        [{}, {"axis_order": "yxz"}],
    ),
    "in space": Space(
        among("player", ("crate", "wall")), grid(*3 * [(-1.0, 0.0)]), along("xyz", 1), pushes(2), BOTH
    ),
    "with a hook": Space(
        among("player", ("crate", "heavy", "wall")), grid(FOUR, (-1.0, 0.0)), along("xy", 2), pushes(1.5), HOOKED
    ),
    "of a trigger": Space(among("probe", ("crate", "wall", "zone")), grid(FOUR, (-1.0, 0.0)), along("xy", 2), [{}]),
}  # fmt: skip


def pushed_all(space: Space) -> int:
    """Try every case and return how many there were."""
    count = 0
    for settings, cast in product(space.settings, space.casts):
        twin = Twin(cast, settings)
        for cells in product(space.cells, repeat=len(cast)):
            twin.place(cells)
            for mover, way, how in product(movers(cast), space.ways, space.hows):
                twin.push(mover, way, how)
                count += 1
            if count % 101 == 0:
                twin.push_anew(mover, way, how)
    return count


def thinned(space: Space) -> Space:
    """Return the space with fewer casts where the kernels are plain."""
    return space if kernels_are_compiled() else space._replace(casts=space.casts[::3])


@pytest.mark.parametrize("name", IN_TEST)
def test_every_push_of_every_small_world_is_that_of_the_model(name):
    space = thinned(IN_TEST[name])
    assert space.size == pushed_all(space)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("name", IN_SOAK)
def test_every_push_of_more_small_worlds_is_that_of_the_model(name, part):
    space = IN_SOAK[name]
    space = space._replace(casts=space.casts[part::4])
    assert space.size == pushed_all(space)
    print(f"{name}, part {part}: {space.size} cases")


# --- whole frames -----------------------------------------------------------------------------------------------------


class Frames(NamedTuple):
    """All frames that are tried: after one in which all were put somewhere, every mover goes every way."""

    casts: list[Cast]
    cells: list[Vector]
    ways: list[Vector]
    settings: list[dict[str, Any]] = [{}]

    @property
    def size(self) -> int:
        """The number of cases."""
        cells, ways = len(self.cells), len(self.ways)
        return len(self.settings) * sum(cells ** len(cast) * ways ** len(movers(cast)) for cast in self.casts)


def ranked(*roles: str) -> list[Cast]:
    """Return the casts of unit boxes in these roles, whichever has which id."""
    return [tuple((role, "unit") for role in order) for order in permutations(roles)]


ORDERS = [{}, {"order": "front_first"}]
FRAMES_IN_TEST = Frames(ranked("player", "crate", "fringe"), grid(FOUR), along("x", 2))
FRAMES_IN_SOAK = {
    "a crate and a trigger": Frames(
        [cast for zone in ("zone", "fringe", "beam", "echo", "hum") for cast in ranked("player", "crate", zone)],
        grid(FOUR, (-1.0, 0.0)), along("xy", 2),
    ),
    "two who push": Frames(
        ranked("player", "second", "crate") + ranked("player", "second", "fringe"), grid(FOUR), along("x", 1, 3), ORDERS
    ),
    "two who push in the plane": Frames(
        ranked("player", "second", "zone")[::3], grid((-1.0, 0.0), (-2.0, -1.0, 0.0)), along("xy", 2), ORDERS
    ),
    "triggers that go": Frames(
        ranked("probe", "player", "crate") + ranked("probe", "fringe", "player"), grid(FOUR), along("x", 1, 3), ORDERS
    ),
}  # fmt: skip


def played_all(frames: Frames) -> int:
    """Try every case and return how many there were."""
    count = 0
    for settings, cast in product(frames.settings, frames.casts):
        twin = Twin(cast, settings)
        for cells in product(frames.cells, repeat=len(cast)):
            for ways in product(frames.ways, repeat=len(movers(cast))):
                twin.place(cells)
                twin.frame({})
                twin.frame(dict(zip(movers(cast), ways, strict=True)))
                count += 1
        for kept in twin.kept:
            kept.world.check()
    return count


def test_every_frame_of_every_small_world_is_that_of_the_model():
    frames = FRAMES_IN_TEST if kernels_are_compiled() else FRAMES_IN_TEST._replace(casts=FRAMES_IN_TEST.casts[::3])
    assert frames.size == played_all(frames)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("name", FRAMES_IN_SOAK)
def test_every_frame_of_more_small_worlds_is_that_of_the_model(name, part):
    frames = FRAMES_IN_SOAK[name]
    frames = frames._replace(casts=frames.casts[part::4])
    assert frames.size == played_all(frames)
    print(f"{name}, part {part}: {frames.size} cases")
