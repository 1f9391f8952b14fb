"""Scenes of thousands of bodies as plain data, which can be shifted, rotated or renamed as a whole.

A `Scene` has bodies, the settings of its world, and the actions before each frame. A `Play` puts it into a world and
returns all visible results of each frame. A `View` transforms positions, displacements, axes and names. The results of
a transformed scene must be the transformed results of the scene. All numbers are on the lattice.
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


class Action(NamedTuple):
    """An action on a body before a frame: "request", "teleport", "enable", "disable" or "remove"."""

    what: str
    entity: int
    vector: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Scene:
    """Bodies, the actions before each frame, and the settings of their world."""

    bodies: Mapping[int, Parts]
    frames: tuple[tuple[Action, ...], ...]
    settings: Mapping[str, Any]


# --- random scenes ----------------------------------------------------------------------------------------------------


class SceneMaker(SceneGenerator):
    """Makes scenes of many bodies. neat: solid bodies never overlap; otherwise teleports may go anywhere."""

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

    def made(self, frames: int = 3, requests: int = 400) -> Scene:
        """Return a scene with this many requests in each frame."""
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
            pairs._add_all([*map(copy_parts, bodies.values())], [*bodies])
            over = {other for _, other in pairs.space.pairs()}
            bodies = {id: parts for id, parts in bodies.items() if id not in over}
        return Scene(bodies, tuple(self.actions(bodies, requests, frames)), settings)

    def actions(self, bodies: Mapping[int, Parts], requests: int, frames: int) -> Iterator[tuple[Action, ...]]:
        """Yield the actions before each frame."""
        rng = self.random
        gone: set[int] = set()
        movers = [id for id, parts in bodies.items() if parts.motion is not None]
        others = [id for id, parts in bodies.items() if parts.trigger is not None or not self.neat]
        for _ in range(frames):
            actions = [Action("request", entity, self.displacement()) for entity in rng.choices(movers, k=requests)]
            actions += [Action("teleport", entity, self.spot()) for entity in rng.choices(others, k=requests // 8)]
            actions += [
                Action(self.choice(("enable", "disable")), entity) for entity in rng.choices(others, k=requests // 20)
            ]
            leaving = sorted(set(rng.sample(sorted(bodies), k=requests // 40)) - gone)
            gone.update(leaving)
            yield (
                *(action for action in actions if action.entity not in gone),
                *(Action("remove", each) for each in leaving),
            )


# --- views ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """A transformation of positions, displacements, names of axes and entities.

    turn: the new axis i shows the old axis turn[i]; flip: -1 where the new axis is mirrored; by: then shifted.
    """

    turn: tuple[int, int, int] = (0, 1, 2)
    flip: tuple[int, int, int] = (1, 1, 1)
    by: Vector = (0.0, 0.0, 0.0)
    name: Callable[[int], int] = int

    def axes(self, vector: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        """Return transformed values per axis that have no direction."""
        a, b, c = self.turn
        return (vector[a], vector[b], vector[c])

    def displacement(self, vector: Vector) -> Vector:
        """Return a transformed displacement."""
        x, y, z = self.axes(vector)
        return (x * self.flip[0], y * self.flip[1], z * self.flip[2])

    def place(self, vector: Vector) -> Vector:
        """Return a transformed position."""
        x, y, z = self.displacement(vector)
        return (x + self.by[0], y + self.by[1], z + self.by[2])

    def axis(self, name: str) -> str:
        """Return the transformed name of an axis."""
        return AXES[self.turn.index(AXES.index(name))]

    def parts(self, parts: Parts) -> Parts:
        """Return a transformed body."""
        made = copy_parts(parts)
        made.transform.position = self.place(parts.transform.position)
        if made.inertia is not None:
            made.inertia.x, made.inertia.y, made.inertia.z = self.axes((made.inertia.x, made.inertia.y, made.inertia.z))
        collider = made.collider
        if isinstance(collider, BoxCollider):
            collider.hx, collider.hy, collider.hz = self.axes((collider.hx, collider.hy, collider.hz))
            collider.offset = self.displacement(collider.offset)
        else:
            boxes = collider.parts
            collider.parts = [
                Box(*self.axes((box.hx, box.hy, box.hz)), offset=self.displacement(box.offset)) for box in boxes
            ]
        return made

    def action(self, action: Action) -> Action:
        """Return a transformed action."""
        vector = self.place(action.vector) if action.what == "teleport" else self.displacement(action.vector)
        return Action(action.what, self.name(action.entity), vector)

    def scene(self, scene: Scene) -> Scene:
        """Return the transformed scene."""
        settings = {**scene.settings, "axis_order": "".join(map(self.axis, scene.settings.get("axis_order", "xyz")))}
        if settings.get("bounds"):
            ends = zip(*map(self.place, settings["bounds"]), strict=True)
            settings["bounds"] = tuple(zip(*map(sorted, ends), strict=True))
        bodies = {self.name(id): self.parts(parts) for id, parts in scene.bodies.items()}
        return Scene(bodies, tuple(tuple(map(self.action, actions)) for actions in scene.frames), settings)


# --- results ----------------------------------------------------------------------------------------------------------


class MotionSeen(NamedTuple):
    """The result of a motion, as the fields of a MoveResult."""

    requested: Vector
    moved: Vector
    pushed: dict[int, Vector]
    stops: list[tuple[str, int | None, str, float, Vector, tuple[int, ...]]]
    links: list[tuple[int, int, str, float]]

    def seen(self, view: View) -> MotionSeen:
        """Return the transformed results."""
        name = view.name
        return MotionSeen(
            view.displacement(self.requested),
            view.displacement(self.moved),
            {name(entity): view.displacement(by) for entity, by in self.pushed.items()},
            [
                (
                    view.axis(axis),
                    _name(name, blocker),
                    why,
                    allowed,
                    view.displacement(way),
                    tuple(map(name, blockers)),
                )
                for axis, blocker, why, allowed, way, blockers in self.stops
            ],
            [(name(one), name(other), view.axis(axis), gap) for one, other, axis, gap in self.links],
        )


class Seen(NamedTuple):
    """The results of a frame: positions, results of motions, events and overlapping pairs."""

    places: dict[int, Vector]
    results: dict[int, MotionSeen]
    events: list[tuple[Any, ...]]
    pairs: list[tuple[int, int]]

    def seen(self, view: View) -> Seen:
        """Return the transformed results."""
        return Seen(
            {view.name(entity): view.place(at) for entity, at in self.places.items()},
            {view.name(entity): motion.seen(view) for entity, motion in self.results.items()},
            [_event_seen(event, view) for event in self.events],
            [(view.name(a), view.name(b)) for a, b in self.pairs],
        )

    def awake(self) -> Seen:
        """Return the results without events of sleep (S1)."""
        names = (Woke.__name__, FellAsleep.__name__)
        return self._replace(events=[event for event in self.events if event[0] not in names])

    def sorted(self) -> Seen:
        """Return the results sorted by the entities and axes of this scene."""
        results = {
            entity: motion._replace(pushed=dict(sorted(motion.pushed.items())), links=sorted(motion.links))
            for entity, motion in sorted(self.results.items())
        }
        pairs = sorted((min(pair), max(pair)) for pair in self.pairs)
        return Seen(dict(sorted(self.places.items())), results, sorted(self.events, key=repr), pairs)


def _name(name: Callable[[int], int], entity: int | None) -> int | None:
    return None if entity is None else name(entity)


def _event_seen(event: tuple[Any, ...], view: View) -> tuple[Any, ...]:
    kind, *values = event
    if kind == "Blocked":
        entity, blocker, axis, why, way, blockers = values
        named = tuple(map(view.name, blockers))
        return (kind, view.name(entity), _name(view.name, blocker), view.axis(axis), why, view.displacement(way), named)
    seen = {tuple: view.displacement, int: view.name}
    return (kind, *(seen.get(type(each), lambda same: same)(each) for each in values))


def motion_seen(result: MoveResult) -> MotionSeen:
    """Return the fields of a MoveResult."""
    return MotionSeen(
        result.requested,
        result.moved,
        dict(result.pushed),
        [
            (stop.axis, stop.blocker, stop.reason.name, stop.allowed, stop.direction, stop.blockers)
            for stop in result.stops
        ],
        [(link.pusher, link.pushed, link.axis, link.gap) for link in result.links],
    )


# --- playing ----------------------------------------------------------------------------------------------------------


class Play:
    """A scene in a CollisionWorld."""

    def __init__(self, scene: Scene, *, created: Iterable[int] | None = None, **settings: Any) -> None:
        self.scene = scene
        self.here = {entity: copy_parts(scene.bodies[entity]) for entity in created or scene.bodies}
        self.world = CollisionWorld(**{**scene.settings, **settings})
        self.world._add_all([*self.here.values()], [*self.here])

    def frames(self) -> list[Seen]:
        """Play all frames and return their results."""
        return [self.frame(actions) for actions in self.scene.frames]

    def frame(self, actions: Iterable[Action]) -> Seen:
        """Do the actions, play a frame, and return its results."""
        for what, entity, vector in actions:
            parts = self.here[entity]
            if what == "request":
                parts.motion.move(*vector)
            elif what == "teleport":
                parts.transform.position = vector
            elif what == "remove":
                self.world.remove(entity)
                del self.here[entity]
            else:
                parts.collider.enabled = what == "enable"
        frame = self.world.step()
        events = event_tuples(list(frame.events), object)
        return Seen(
            {entity: self.here[entity].transform.position for entity in sorted(self.here)},
            {entity: motion_seen(frame.results[entity]) for entity in sorted(frame.results)},
            [tuple(getattr(each, "name", each) for each in event) for event in events],
            [(a, b) for a, b in self.world.space.pairs_array().tolist()],
        )
