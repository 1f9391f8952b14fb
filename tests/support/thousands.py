"""Scenes of thousands of bodies as plain data, so that a scene can be moved, turned or renamed as a whole.

A `Scene` is bodies, the settings of its world, and what is done before each frame. A `Play` puts it into a world and
tells all that can be seen of each frame. How one scene is made of another is a `View`: where places, ways, axes and
names go. What is seen of a viewed scene must be what is seen of the scene, viewed. All numbers are on the lattice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from boards import event_tuples
from soak.scene_generator import SceneGenerator

from ecs_collision import LATTICE, Box, BoxCollider, CollisionWorld, FellAsleep, MoveResult, Woke
from ecs_collision.components import Parts
from ecs_collision.testing.scenes import copy_parts

AXES = "xyz"
Vector = tuple[float, float, float]


class Deed(NamedTuple):
    """Something done to a body before a frame: "ask" to go, "put" at a place, "able", "unable" or "gone"."""

    what: str
    entity: int
    vector: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Scene:
    """Bodies, the deeds before each frame, and the settings of their world."""

    bodies: Mapping[int, Parts]
    frames: tuple[tuple[Deed, ...], ...]
    settings: Mapping[str, Any]


# --- scenes at random -------------------------------------------------------------------------------------------------


class Maker(SceneGenerator):
    """Makes a crowd. neat: no two solid bodies overlap, ever; else deeds put bodies anywhere."""

    def __init__(self, seed: int, count: int, *, in_3d: bool = False, neat: bool = False, **settings: Any) -> None:
        super().__init__(seed, (0.4 if in_3d else 0.6) * count**0.5, 4, in_3d=in_3d)
        self.count, self.neat, self.settings_given = count, neat, settings
        self.roles = ("crate", "crate", "crate", "crate", "player", "player", "rail", "rock", "wall", "zone", "zone")

    def coordinate(self) -> float:
        return super().coordinate() + self.choice((0, 0, 0, 0, 0, 0, 0, 2, 778)) * LATTICE  # even, to halve it

    def half(self) -> float:
        return super().half() if self.chance(0.1) else 0.5

    def length(self) -> float:
        return self.choice((-1, 1)) * self.choice((1.0, 1.0, 2.0, 3.0, 0.25, 1.0 + LATTICE, 12345 * LATTICE, 6.0))

    def made(self, frames: int = 3, asks: int = 400) -> Scene:
        """Return a scene whose bodies ask to move so often in each frame."""
        bodies = self.scene(self.count).bodies
        settings = dict(self.settings_given)
        if self.chance(0.5):
            far = 2 * self.reach // 1
            settings["bounds"] = ((-far, -far, -9.0), (far / 2, far, 9.0))
        for parts in bodies.values():
            if parts.motion is not None and settings.get("order") == "front_first":
                parts.motion.all_or_nothing = None
        if self.neat:
            pairs = CollisionWorld()
            pairs.add_all([*map(copy_parts, bodies.values())], [*bodies])
            over = {other for _, other in pairs.space.pairs()}
            bodies = {id: parts for id, parts in bodies.items() if id not in over}
        return Scene(bodies, tuple(self.deeds(bodies, asks, frames)), settings)

    def deeds(self, bodies: Mapping[int, Parts], asks: int, frames: int) -> Iterator[tuple[Deed, ...]]:
        """Yield what is done before each frame."""
        dice = self.random
        gone: set[int] = set()
        movers = [id for id, parts in bodies.items() if parts.motion is not None]
        others = [id for id, parts in bodies.items() if parts.trigger is not None or not self.neat]
        for _ in range(frames):
            deeds = [Deed("ask", entity, self.way()) for entity in dice.choices(movers, k=asks)]
            deeds += [Deed("put", entity, self.spot()) for entity in dice.choices(others, k=asks // 8)]
            deeds += [Deed(self.choice(("able", "unable")), entity) for entity in dice.choices(others, k=asks // 20)]
            leaving = sorted(set(dice.sample(sorted(bodies), k=asks // 40)) - gone)
            gone.update(leaving)
            yield (*(deed for deed in deeds if deed.entity not in gone), *(Deed("gone", each) for each in leaving))


# --- views ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """How to look at a scene: what becomes of places and ways, of the names of axes and of entities.

    turn: the new axis i shows the old axis turn[i]; flip: -1 where the new axis is mirrored; by: then shifted.
    """

    turn: tuple[int, int, int] = (0, 1, 2)
    flip: tuple[int, int, int] = (1, 1, 1)
    by: Vector = (0.0, 0.0, 0.0)
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
        x, y, z = self.way(vector)
        return (x + self.by[0], y + self.by[1], z + self.by[2])

    def axis(self, name: str) -> str:
        """Return the name of an axis."""
        return AXES[self.turn.index(AXES.index(name))]

    def parts(self, parts: Parts) -> Parts:
        """Return a body."""
        made = copy_parts(parts)
        made.transform.position = self.place(parts.transform.position)
        if made.inertia is not None:
            made.inertia.x, made.inertia.y, made.inertia.z = self.axes((made.inertia.x, made.inertia.y, made.inertia.z))
        collider = made.collider
        if isinstance(collider, BoxCollider):
            collider.hx, collider.hy, collider.hz = self.axes((collider.hx, collider.hy, collider.hz))
            collider.offset = self.way(collider.offset)
        else:
            boxes = collider.parts
            collider.parts = [Box(*self.axes((box.hx, box.hy, box.hz)), offset=self.way(box.offset)) for box in boxes]
        return made

    def deed(self, deed: Deed) -> Deed:
        """Return a deed."""
        vector = self.place(deed.vector) if deed.what == "put" else self.way(deed.vector)
        return Deed(deed.what, self.name(deed.entity), vector)

    def scene(self, scene: Scene) -> Scene:
        """Return the whole scene."""
        settings = {**scene.settings, "axis_order": "".join(map(self.axis, scene.settings.get("axis_order", "xyz")))}
        if "bounds" in settings:
            ends = zip(*map(self.place, settings["bounds"]), strict=True)
            settings["bounds"] = tuple(zip(*map(sorted, ends), strict=True))
        bodies = {self.name(id): self.parts(parts) for id, parts in scene.bodies.items()}
        return Scene(bodies, tuple(tuple(map(self.deed, deeds)) for deeds in scene.frames), settings)


# --- what is seen -----------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What a motion told; the fields of a MoveResult."""

    requested: Vector
    moved: Vector
    pushed: dict[int, Vector]
    stops: list[tuple[str, int | None, str, float]]
    links: list[tuple[int, int, str, float]]

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

    def awake(self) -> Seen:
        """Return it without what only sleepers cause (S1)."""
        names = (Woke.__name__, FellAsleep.__name__)
        return self._replace(events=[event for event in self.events if event[0] not in names])

    def sorted(self) -> Seen:
        """Return it with what is ordered by entities or axes in the order of this very scene."""
        results = {
            entity: told._replace(pushed=dict(sorted(told.pushed.items())), links=sorted(told.links))
            for entity, told in sorted(self.results.items())
        }
        pairs = sorted((min(pair), max(pair)) for pair in self.pairs)
        return Seen(dict(sorted(self.places.items())), results, sorted(self.events, key=repr), pairs)


def _name(name: Callable[[int], int], entity: int | None) -> int | None:
    return None if entity is None else name(entity)


def _event_seen(event: tuple[Any, ...], view: View) -> tuple[Any, ...]:
    kind, *said = event
    if kind == "Blocked":
        entity, blocker, axis, why = said
        return (kind, view.name(entity), _name(view.name, blocker), view.axis(axis), why)
    seen = {tuple: view.way, int: view.name}
    return (kind, *(seen.get(type(each), lambda same: same)(each) for each in said))


def told(result: MoveResult) -> Told:
    """Return what a motion told."""
    return Told(
        result.requested,
        result.moved,
        dict(result.pushed),
        [(stop.axis, stop.blocker, stop.reason.name, stop.allowed) for stop in result.stops],
        [(link.pusher, link.pushed, link.axis, link.gap) for link in result.links],
    )


# --- playing ----------------------------------------------------------------------------------------------------------


class Play:
    """A scene in a CollisionWorld."""

    def __init__(self, scene: Scene, *, made: Iterable[int] | None = None, **settings: Any) -> None:
        self.scene = scene
        self.here = {entity: copy_parts(scene.bodies[entity]) for entity in made or scene.bodies}
        self.world = CollisionWorld(**{**scene.settings, **settings})
        self.world.add_all([*self.here.values()], [*self.here])

    def frames(self) -> list[Seen]:
        """Play all frames and return what each showed."""
        return [self.frame(deeds) for deeds in self.scene.frames]

    def frame(self, deeds: Iterable[Deed]) -> Seen:
        """Do the deeds, play a frame, and return what it showed."""
        for what, entity, vector in deeds:
            parts = self.here[entity]
            if what == "ask":
                parts.motion.move(*vector)
            elif what == "put":
                parts.transform.position = vector
            elif what == "gone":
                self.world.remove(entity)
                del self.here[entity]
            else:
                parts.collider.enabled = what == "able"
        frame = self.world.step()
        events = event_tuples(list(frame.events), object)
        return Seen(
            {entity: self.here[entity].transform.position for entity in sorted(self.here)},
            {entity: told(frame.results[entity]) for entity in sorted(frame.results)},
            [tuple(getattr(each, "name", each) for each in event) for event in events],
            [(a, b) for a, b in self.world.space.pairs_array().tolist()],
        )
