"""Scenes of thousands of bodies as plain data, so that a scene can be moved, turned or renamed as a whole.

A `Scene` is bodies in whole lattice steps, the settings of its world, and what is done before each frame. A `Play`
puts it into a world and tells all that can be seen of each frame. How one scene is made of another is a `View`: where
places, ways, axes and names go. What is seen of a viewed scene must be what is seen of the scene, viewed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from boards import in_words

from ecs_collision import (
    LATTICE,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    FellAsleep,
    Fused,
    Inertia,
    Motion,
    MoveResult,
    Sleeping,
    Static,
    Transform,
    Trigger,
    Woke,
)
from ecs_collision import Box as Part
from ecs_collision.components import Parts

AXES = "xyz"
Vector = tuple[int, int, int]
UNIT = round(1 / LATTICE)
"""A world unit in lattice steps."""
QUARTER = UNIT // 4
INSETS = (0, 0, 0, 0, 0, 0, 0, QUARTER, QUARTER // 2, 2, 778)
"""How much smaller than its cells a box may be at a face."""
STEPS = (UNIT, UNIT, 2 * UNIT, 3 * UNIT, QUARTER, UNIT + 1, 12345, 6 * UNIT)
"""How far bodies ask to go."""


def plus(a: Vector, b: Vector) -> Vector:
    """Return the sum."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


class Box(NamedTuple):
    """An open box from `lo` to `hi`."""

    lo: Vector
    hi: Vector

    def by(self, shift: Vector) -> Box:
        """Return the box shifted."""
        return Box(plus(self.lo, shift), plus(self.hi, shift))


@dataclass(frozen=True)
class Figure:
    """A body to be: its position, its boxes relative to it, and the components it is given."""

    entity: int
    at: Vector
    boxes: tuple[Box, ...]
    inertia: tuple[float, float, float] | None = None
    force: float | None = None
    priority: int = 0
    how: Mapping[str, Any] = field(default_factory=dict)
    static: bool = False
    trigger: Mapping[str, Any] | None = None
    after: int | None = None
    asleep: bool = False
    layer: str = "a"
    mask: frozenset[str] | None = None
    fused: int | None = None

    def parts(self) -> Parts:
        """Return components for it, new ones each time."""
        motion = None if self.force is None else Motion(self.force, self.priority)
        for name, value in self.how.items():
            setattr(motion, name, value)
        return Parts(
            Transform(*world_units(self.at)),
            self.collider(),
            None if self.inertia is None else Inertia(**dict(zip(AXES, self.inertia, strict=True))),
            motion,
            None if self.after is None else Sleeping(self.asleep, self.after),
            Static() if self.static else None,
            None if self.trigger is None else Trigger(**self.trigger),
            None if self.fused is None else Fused(self.fused),
        )

    def collider(self) -> BoxCollider | CompoundCollider:
        """Return its collider."""
        sides = [
            (
                [LATTICE * (hi - lo) / 2 for lo, hi in zip(*box, strict=True)],
                [LATTICE * (hi + lo) / 2 for lo, hi in zip(*box, strict=True)],
            )
            for box in self.boxes
        ]
        if len(sides) == 1:
            return BoxCollider(*sides[0][0], offset=tuple(sides[0][1]), layer=self.layer, mask=self.mask)
        parts = [Part(*halves, offset=tuple(offset)) for halves, offset in sides]
        return CompoundCollider(parts, layer=self.layer, mask=self.mask)


class Deed(NamedTuple):
    """Something done to a body before a frame: "ask" to go, "put" at a place, "able", "unable" or "gone"."""

    what: str
    entity: int
    vector: Vector = (0, 0, 0)


@dataclass(frozen=True)
class Scene:
    """Bodies, the settings of their world, and the deeds before each frame."""

    figures: tuple[Figure, ...]
    frames: tuple[tuple[Deed, ...], ...]
    bounds: Box | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def world(self, **more: Any) -> CollisionWorld:
        """Return an empty world with these settings."""
        bounds = self.bounds and tuple(map(world_units, self.bounds))
        return CollisionWorld(**{**self.settings, "bounds": bounds, **more})


def world_units(vector: Iterable[int]) -> tuple[float, ...]:
    """Return a vector in world units."""
    return tuple(LATTICE * value for value in vector)


def steps(vector: Iterable[float]) -> Vector:
    """Return a vector in lattice steps; it must be on the lattice."""
    x, y, z = (value / LATTICE for value in vector)
    assert all(value == int(value) for value in (x, y, z)), f"{vector} is off the lattice"
    return (int(x), int(y), int(z))


# --- scenes at random -------------------------------------------------------------------------------------------------


class Maker:
    """Makes a scene: half of it scattered widely, a third packed into chains, the rest in columns between the two.

    tall: three cells high, else flat. neat: no two solid bodies overlap, ever; else some are put into each other, and
    deeds put bodies anywhere.
    """

    def __init__(self, seed: int, count: int, *, tall: bool = False, neat: bool = False, **settings: Any) -> None:
        self.dice, self.count, self.tall, self.neat = random.Random(seed), count, tall, neat
        self.settings = settings
        self.taken: set[Vector] = set()
        side = count**0.5
        self.regions = [(-1.7 * side, -1.7 * side, 0.1 * side, 1.7 * side), (0.1 * side, -0.4 * side, side, 0.4 * side),
                        (0.2 * side, 0.5 * side, 0.6 * side, 1.6 * side)]  # fmt: skip

    def scene(self, frames: int = 3, asks: int = 400) -> Scene:
        """Return a scene whose bodies ask to move so often in each frame."""
        figures = tuple(self.figure(entity) for entity in range(1, self.count + 1))
        reach = round(3 * self.count**0.5) * UNIT
        bounds = Box((-reach, -reach, -9 * UNIT), (reach // 2, reach, 9 * UNIT)) if self.dice.random() < 0.5 else None
        return Scene(figures, tuple(self.deeds(figures, asks, frames)), bounds, self.settings)

    def cell(self, weights: tuple[int, int, int] = (5, 4, 1)) -> Vector:
        left, low, right, high = self.dice.choices(self.regions, weights)[0]
        x, y = self.dice.uniform(left, right), self.dice.uniform(low, high)
        return (int(x), int(y), self.dice.randrange(3 * self.tall + 1))

    def figure(self, entity: int) -> Figure:
        dice = self.dice
        kind = dice.choices(("crate", "wall", "block", "player", "zone"), (60, 8, 4, 14, 14))[0]
        weights = (2, 7, 1) if kind == "player" else (5, 4, 1)
        at, boxes = self.shape(weights, solid=kind != "zone", long=kind in ("wall", "zone"))
        figure = Figure(entity, at, boxes, layer=dice.choice("aaab"), mask=dice.choice((None,) * 6 + (frozenset("a"),)))
        if kind == "wall":
            return replace(figure, static=dice.random() < 0.7)
        if kind == "block":
            return figure
        if dice.random() < 0.35:
            figure = replace(figure, after=dice.randint(1, 3), asleep=dice.random() < 0.6)
        if kind == "zone":
            figure = replace(figure, trigger=self.trigger())
            return replace(figure, force=1.0) if dice.random() < 0.2 else replace(figure, static=dice.random() < 0.3)
        weight = dice.choice((0.5, 1.0, 1.0, 1.0, 2.0))
        inertia = (weight, weight, weight) if dice.random() < 0.9 else (weight, float("inf"), 0.5)
        if kind == "crate":
            return replace(figure, inertia=inertia)
        return replace(figure, inertia=dice.choice((inertia, None)), force=dice.choice((0.0, 1.0, 1.5, 5.0, 5.0, 9.0)),
                       priority=dice.choice((0, 0, 0, 1, -2)), how=self.how())  # fmt: skip

    def how(self) -> dict[str, Any]:
        kinds: list[dict[str, Any]] = [{}, {}, {}, {"rule": "sum"}, {"rule": "each"}, {"max_chain": 2}]
        if self.settings.get("order") != "front_first":
            kinds.append({"all_or_nothing": True})
        return self.dice.choice(kinds)

    def trigger(self) -> dict[str, Any]:
        kind = self.dice.randrange(5)
        return {
            "mask": self.dice.choice((None, None, "a", ("a", "b"))), "touching": self.dice.random() < 0.3,
            "swept": kind == 0, "stay": kind == 1, "linger": self.dice.randint(1, 2) if kind == 2 else 0,
        }  # fmt: skip

    def shape(self, weights: tuple[int, int, int], *, solid: bool, long: bool) -> tuple[Vector, tuple[Box, ...]]:
        """Return a position and the boxes around it; of a solid body on cells nobody has yet."""
        dice = self.dice
        while True:
            start = self.cell(weights)
            cells, box_of = [start], self.in_cell
            if long and dice.random() < 0.2:
                w, h = dice.choice(((8, 1), (1, 6), (3, 3), (20, 1)) if solid else ((3, 3),) * 9 + ((2, 9), (30, 9)))
                cells = [(start[0] + i, start[1] + j, start[2]) for i in range(w) for j in range(h)]
            elif dice.random() < 0.15:
                cells = self.polyomino(start)
            if not solid or not self.taken.intersection(cells):
                break
        self.taken.update(cells if solid else ())
        shift = (dice.randrange(4) * QUARTER + dice.choice((0, 5)), 0, 0) if not solid or self.is_odd() else (0, 0, 0)
        if len(cells) > 5:
            low, high = cells[0], cells[-1]
            boxes = [Box(box_of(low).lo, box_of(high).hi)]
        else:
            boxes = [box_of(cell) for cell in cells]
        middle = plus(boxes[0].lo, (0, 3, QUARTER))
        away = (-middle[0], -middle[1], -middle[2])
        return plus(middle, shift), tuple(box.by(away) for box in boxes)

    def is_odd(self) -> bool:
        return not self.neat and self.dice.random() < 0.1

    def polyomino(self, start: Vector) -> list[Vector]:
        cells = [start]
        for _ in range(self.dice.randint(1, 4)):
            axis, by = self.dice.randrange(2 + self.tall), self.dice.choice((-1, 1))
            cells.append(tuple(at + by * (index == axis) for index, at in enumerate(self.dice.choice(cells))))
        return list(dict.fromkeys(cells))

    def in_cell(self, cell: Vector) -> Box:
        x, y, z = (at * UNIT for at in cell)
        inset = lambda: self.dice.choice(INSETS)  # noqa: E731 - short and local
        low, high = (inset(), inset()) if self.tall else (0, 0)
        return Box((x + inset(), y + inset(), z + low), (x + UNIT - inset(), y + UNIT - inset(), z + UNIT - high))

    def deeds(self, figures: tuple[Figure, ...], asks: int, frames: int) -> Iterator[tuple[Deed, ...]]:
        """Yield what is done before each frame."""
        dice = self.dice
        gone: set[int] = set()
        movers = [figure.entity for figure in figures if figure.force is not None]
        others = [figure.entity for figure in figures if figure.trigger is not None or not self.neat]
        for _ in range(frames):
            deeds = [Deed("ask", entity, self.way()) for entity in dice.choices(movers, k=asks)]
            deeds += [Deed("put", entity, self.spot()) for entity in dice.choices(others, k=asks // 8)]
            deeds += [Deed(dice.choice(("able", "unable")), entity) for entity in dice.choices(others, k=asks // 20)]
            leaving = set(dice.sample(range(1, self.count + 1), k=asks // 40)) - gone
            gone |= leaving
            yield (
                *(deed for deed in deeds if deed.entity not in gone),
                *(Deed("gone", each) for each in sorted(leaving)),
            )

    def way(self) -> Vector:
        """Return a request: along one axis mostly, sometimes along all."""
        dice = self.dice
        lengths = [dice.choice(STEPS) * dice.choice((-1, 1)) for _ in AXES]
        axes = {dice.randrange(2 + self.tall)} if dice.random() < 0.8 else {0, 1, *([2] if self.tall else [])}
        x, y, z = (length if axis in axes else 0 for axis, length in enumerate(lengths))
        return (x, y, z)

    def spot(self) -> Vector:
        x, y, z = self.cell()
        return (x * UNIT + self.dice.choice(INSETS), y * UNIT, z * UNIT + QUARTER)


# --- views ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """How to look at a scene: what becomes of places and ways, of the names of axes and of entities.

    turn: the new axis i shows the old axis turn[i]; flip: -1 where the new axis is mirrored; by: then shifted.
    """

    turn: tuple[int, int, int] = (0, 1, 2)
    flip: tuple[int, int, int] = (1, 1, 1)
    by: Vector = (0, 0, 0)
    name: Callable[[int], int] = int

    def axes(self, vector: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        """Return values by axis that have no direction."""
        a, b, c = self.turn
        return (vector[a], vector[b], vector[c])

    def way(self, vector: Vector) -> Vector:
        """Return a displacement."""
        x, y, z = self.axes(vector)
        return (x * self.flip[0], y * self.flip[1], z * self.flip[2])

    def place(self, vector: Vector) -> Vector:
        """Return a position."""
        return plus(self.way(vector), self.by)

    def axis(self, name: str) -> str:
        """Return the name of an axis."""
        return AXES[self.turn.index(AXES.index(name))]

    def box(self, box: Box, to: Callable[[Vector], Vector]) -> Box:
        """Return a box."""
        ends = zip(to(box.lo), to(box.hi), strict=True)
        lo, hi = zip(*map(sorted, ends), strict=True)
        return Box(lo, hi)

    def figure(self, figure: Figure) -> Figure:
        """Return a body."""
        return replace(
            figure, entity=self.name(figure.entity), at=self.place(figure.at),
            boxes=tuple(self.box(box, self.way) for box in figure.boxes),
            inertia=figure.inertia and self.axes(figure.inertia),
        )  # fmt: skip

    def deed(self, deed: Deed) -> Deed:
        """Return a deed."""
        vector = self.place(deed.vector) if deed.what == "put" else self.way(deed.vector)
        return Deed(deed.what, self.name(deed.entity), vector)

    def scene(self, scene: Scene) -> Scene:
        """Return the whole scene."""
        order = "".join(map(self.axis, scene.settings.get("axis_order", "xyz")))
        return Scene(
            tuple(map(self.figure, scene.figures)),
            tuple(tuple(map(self.deed, deeds)) for deeds in scene.frames),
            scene.bounds and self.box(scene.bounds, self.place),
            {**scene.settings, "axis_order": order},
        )


# --- what is seen -----------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What a motion told, in lattice steps; the fields of a MoveResult."""

    requested: Vector
    moved: Vector
    pushed: dict[int, Vector]
    stops: list[tuple[str, int | None, str, int]]
    links: list[tuple[int, int, str, int]]

    def seen(self, view: View) -> Told:
        """Return it as the view shows it."""
        name = view.name
        return Told(
            view.way(self.requested),
            view.way(self.moved),
            {name(entity): view.way(by) for entity, by in self.pushed.items()},
            [(view.axis(axis), _name(name, who), why, allowed) for axis, who, why, allowed in self.stops],
            [(name(one), name(other), view.axis(axis), gap) for one, other, axis, gap in self.links],
        )


class Seen(NamedTuple):
    """What a frame showed: where all are, what motions and events tell, and who overlaps whom."""

    places: dict[int, Vector]
    results: dict[int, Told]
    events: list[tuple[Any, ...]]
    pairs: list[tuple[int, int]]

    def seen(self, view: View) -> Seen:
        """Return it as the view shows it."""
        return Seen(
            {view.name(entity): view.place(at) for entity, at in self.places.items()},
            {view.name(entity): told.seen(view) for entity, told in self.results.items()},
            [_event_seen(event, view) for event in self.events],
            [(view.name(a), view.name(b)) for a, b in self.pairs],
        )

    def without(self, *kinds: type[Any]) -> Seen:
        """Return it without the events of some kinds."""
        names = {kind.__name__ for kind in kinds}
        return self._replace(events=[event for event in self.events if event[0] not in names])

    def awake(self) -> Seen:
        """Return it without what only sleepers cause (S1)."""
        return self.without(Woke, FellAsleep)

    def sorted(self) -> Seen:
        """Return it with what is ordered by entities or axes in the order of this very scene."""
        results = {entity: _sorted(told) for entity, told in sorted(self.results.items())}
        pairs = sorted((min(pair), max(pair)) for pair in self.pairs)
        return Seen(dict(sorted(self.places.items())), results, sorted(self.events, key=repr), pairs)


def _sorted(told: Told) -> Told:
    return told._replace(pushed=dict(sorted(told.pushed.items())), links=sorted(told.links))


def _name(name: Callable[[int], int], entity: int | None) -> int | None:
    return None if entity is None else name(entity)


VECTORS = ("Moved", "Pushed")


def _event_seen(event: tuple[Any, ...], view: View) -> tuple[Any, ...]:
    kind, *said = event
    if kind == "Blocked":
        entity, blocker, axis, why = said
        return (kind, view.name(entity), _name(view.name, blocker), view.axis(axis), why)
    return (kind, *(view.way(each) if isinstance(each, tuple) else _named(each, view) for each in said))


def _named(value: Any, view: View) -> Any:
    return view.name(value) if isinstance(value, int) else value


def told(result: MoveResult) -> Told:
    """Return what a motion told, in lattice steps."""
    return Told(
        steps(result.requested),
        steps(result.moved),
        {entity: steps(by) for entity, by in result.pushed.items()},
        [(stop.axis, stop.blocker, stop.reason.name, _step(stop.allowed)) for stop in result.stops],
        [(link.pusher, link.pushed, link.axis, _step(link.gap)) for link in result.links],
    )


def _step(value: float) -> int:
    return steps((value, 0.0, 0.0))[0]


def _event(event: tuple[Any, ...]) -> tuple[Any, ...]:
    kind, *said = event
    return (kind, *(steps(each) if isinstance(each, tuple) else getattr(each, "name", each) for each in said))


# --- playing ----------------------------------------------------------------------------------------------------------


class Play:
    """A scene in a CollisionWorld."""

    def __init__(self, scene: Scene, *, made: Iterable[int] | None = None, **settings: Any) -> None:
        self.scene, self.settings = scene, settings
        figures = {figure.entity: figure for figure in scene.figures}
        self.here = {entity: figures[entity].parts() for entity in made or figures}
        self.world: Any = self.begin()

    def begin(self) -> Any:
        """Return a world with all bodies in it."""
        world = self.scene.world(**self.settings)
        world.add_all([*self.here.values()], [*self.here])
        return world

    def frames(self) -> list[Seen]:
        """Play all frames and return what each showed."""
        return [self.frame(deeds) for deeds in self.scene.frames]

    def frame(self, deeds: Iterable[Deed]) -> Seen:
        """Do the deeds, play a frame, and return what it showed."""
        for deed in deeds:
            getattr(self, f"do_{deed.what}")(deed.entity, deed.vector)
        self.step()
        return self.seen()

    def step(self) -> None:
        """Play a frame."""
        self.world.step()

    def do_ask(self, entity: int, way: Vector) -> None:
        motion = self.here[entity].motion
        assert motion is not None
        motion.move(*world_units(way))

    def do_put(self, entity: int, place: Vector) -> None:
        self.transform(entity).position = world_units(place)

    def do_able(self, entity: int, _: Vector) -> None:
        self.here[entity].collider.enabled = True

    def do_unable(self, entity: int, _: Vector) -> None:
        self.here[entity].collider.enabled = False

    def do_gone(self, entity: int, _: Vector) -> None:
        self.world.remove(entity)
        del self.here[entity]

    def transform(self, entity: int) -> Transform:
        """Return the Transform of a body."""
        return self.here[entity].transform

    def seen(self) -> Seen:
        """Return what the last frame showed."""
        results = self.world.results
        return Seen(
            {entity: steps(self.transform(entity).position) for entity in sorted(self.here)},
            {entity: told(results[entity]) for entity in sorted(results)},
            [_event(event) for event in in_words(list(self.world.events), object)],
            [(a, b) for a, b in self.world.space.pairs_array().tolist()],
        )
