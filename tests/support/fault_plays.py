"""Scenes and actions for tests that fail calls at any point, and the visible state of the scenes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from unittest.mock import patch

import esper
from boards import event_tuples
from faulty import Raising
from worlds import a_box, a_crate, a_player, a_sleeper, a_system, a_wall, a_zone, part

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionSystem,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    Sleeping,
    Transform,
    Trigger,
)
from ecs_collision.events import DELIVERY_ORDER


class Scene:
    """An esper world with chains, sleepers, and triggers of every kind; `heard` are the delivered events."""

    def __init__(self, **settings: Any) -> None:
        self.system: CollisionSystem = a_system(**settings)
        self.heard: list[Any] = []
        for kind in DELIVERY_ORDER:
            self.system.on(kind, self.heard.append)
        self.data = b""
        self.plate, self.haven, self.gate = a_zone(3, stay=True), a_zone(6, 1, linger=2), a_zone(0, 3, swept=True)
        self.player, self.crate = a_player(0), a_crate(1)
        self.dozer, self.last = a_crate(2.25, 0, Sleeping(asleep=True, after=2)), a_crate(3.5)
        self.wall, self.rival, self.parcel = a_wall(9), a_player(-3, 3, force=3), a_crate(-1.75, 3)
        self.sleeper, self.drowsy = a_sleeper(5, 5, after=2), a_box(7, 7, Sleeping(after=1))
        self.add_more()
        esper.process()

    def add_more(self) -> None:
        """Add further bodies."""

    def bodies(self) -> list[Any]:
        """Return the values of components, without a call of the system."""
        shown = []
        for entity, transform in esper.get_component(Transform):
            sleeping, motion = esper.try_component(entity, Sleeping), esper.try_component(entity, Motion)
            asleep = None if sleeping is None else sleeping.asleep
            request = None if motion is None else (motion.dx, motion.dy, motion.dz)
            shown.append((entity, transform.position, asleep, request))
        return sorted(shown)

    def state(self) -> tuple[Any, ...]:
        """Return the visible state of the world."""
        system, zones = self.system, [self.plate, self.haven, self.gate]
        snapshot = system.snapshot()
        inside = [system.inside(zone) for zone in zones if esper.entity_exists(zone)]
        return (self.bodies(), snapshot, system.space.pairs(), inside)

    def go_on(self) -> None:
        """Play three more frames, with a push between."""
        esper.process()
        self.system.move(self.player, 1)
        esper.process()
        esper.process()

    def event_texts(self) -> list[Any]:
        """Return the delivered events as text."""
        return event_tuples(self.heard, object)


class NotFlat(Scene):
    """With a body that leaves the plane, and a compound."""

    def add_more(self) -> None:
        """Add further bodies."""
        self.raised = esper.create_entity(Transform(4, 5, 2), BoxCollider(0.5, 0.5), Inertia(1))
        boxes = [Box(0.5, 0.5), Box(0.5, 0.5, offset=(0, 1, 0))]
        esper.create_entity(Transform(5, 0), CompoundCollider(boxes), Inertia(1))


class WithGroup(Scene):
    """With a group of two crates and a swept trigger."""

    def add_more(self) -> None:
        """Add further bodies."""
        self.root = a_crate(4.5, 0, Sleeping(after=2))
        self.member = a_crate(4.5, 1, Fused(self.root), Sleeping(after=2))
        self.feeler = a_box(4.5, 2, Trigger(swept=True), Fused(self.member))


class Crowd(Scene):
    """With more bodies than arrays can hold at first, and a trigger over many of them."""

    def add_more(self) -> None:
        """Add further bodies."""
        self.crowd = [a_crate(20 + number % 10 * 1.5, 20 + number // 10 * 1.5) for number in range(70)]
        a_zone(22, 22, hx=3, hy=3)


class Few(Scene):
    """With a small crowd."""

    def add_more(self) -> None:
        """Add further bodies."""
        self.crowd = [a_crate(20 + number * 1.5, 20) for number in range(8)]
        a_zone(22, 22, hx=3, hy=3)


class Full(Scene):
    """With nearly as many bodies and cells as arrays can hold at first."""

    def add_more(self) -> None:
        """Add further bodies."""
        for number in range(48):
            a_crate(20 + number % 30 % 10 * 1.5, 20 + number % 30 // 10 * 1.5)


def nothing(scene: Scene) -> None:
    """Prepare nothing."""


def query(scene: Scene) -> None:
    """Make a query, which applies what was prepared."""
    scene.system.space.at(3, 0)


def requests(scene: Scene) -> None:
    """Request two motions, one of them blocked."""
    scene.system.request(scene.player, 2.25, 1)
    scene.system.request(scene.rival, 6)


def writes(scene: Scene) -> None:
    """Teleport a sleeper into a trigger, and another body."""
    part(scene.dozer, Transform).position = (6, 1)
    part(scene.drowsy, Transform).x = 8


def changes(scene: Scene) -> None:
    """Create, delete at once and deferred, resize, and write fields."""
    a_crate(3, 0.5, Sleeping(asleep=True))
    esper.delete_entity(scene.last)
    esper.delete_entity(scene.haven, immediate=True)
    part(scene.crate, BoxCollider).hx = 0.25
    part(scene.dozer, Inertia).x = 3
    part(scene.sleeper, Transform).x = 6


def regroup(scene: Any) -> None:
    """Split a group, fuse others to the rest, and move it."""
    esper.delete_entity(scene.member)
    part(scene.feeler, Fused).to = scene.root
    a_crate(5.5, 0, Fused(scene.root))
    part(scene.root, Transform).x = 4.25


def return_to_plane(scene: Any) -> None:
    """Move the raised body back to the plane."""
    part(scene.raised, Transform).z = 0


def create_bodies(scene: Scene) -> None:
    """Create more bodies than arrays can hold."""
    for number in range(6):
        a_crate(40 + number * 1.5, 20)


def move_crowd(scene: Any) -> None:
    """Move most bodies a little, and many into or out of a trigger."""
    for entity in scene.crowd:
        part(entity, Transform).x += 0.75


def move_few(scene: Scene) -> None:
    """Run a frame in which a few bodies count as many."""
    with patch("ecs_collision.contacts.triggers.FULL_PASS_MINIMUM", 8):
        scene.system.process()


def change_after_snapshot(scene: Scene) -> None:
    """Take a snapshot, then change fields and positions."""
    scene.data = scene.system.snapshot()
    scene.system.move(scene.player, 2)
    esper.process()
    part(scene.crate, BoxCollider).enabled = False
    esper.process()
    part(scene.drowsy, Transform).x = 3


def make_queries(scene: Scene) -> None:
    """Make every kind of query."""
    space = scene.system.space
    space.pairs(), space.pairs_array(), space.overlapping(((0, 0), (5, 5))), space.cast(scene.player, (3, 0))
    space.overlapping_many([[0.0, 0.0], [1.0, 1.0]], [[2.0, 2.0], [7.0, 7.0]])
    list(space.regions()), list(space.cells), space.touching(scene.crate), scene.system.inside(scene.plate)


def spread(scene: Scene) -> None:
    """Teleport many at once, over many cells."""
    ids = [entity for entity, (_, crate) in esper.get_components(Transform, Inertia)]
    scene.system.set_positions(ids, [[3.5 * number, 30 - number] for number in range(len(ids))])


class Play(NamedTuple):
    """A scene, its preparation, and an action; is_frame: whether the action is a frame."""

    scene: type[Scene]
    prepare: Callable[[Any], None]
    act: Callable[[Any], object]
    is_frame: bool = False
    settings: dict[str, Any] = {}


def process(scene: Scene) -> None:
    """Run a frame."""
    scene.system.process()


FRONT = {"order": "front_first"}
HOOK = {"can_push": Raising.tick}
PASSING = {"rule": "sum", "bounds": ((-9, -9), (9, 9)), "overlap_policy": "leave"}

PLAYS: dict[str, Play] = {
    "move": Play(Scene, nothing, lambda scene: scene.system.move(scene.player, 2, 1)),
    "blocked": Play(Scene, nothing, lambda scene: scene.system.move(scene.player, 20)),
    "swept": Play(Scene, nothing, lambda scene: scene.system.move(scene.rival, 6)),
    "hooked": Play(Scene, nothing, lambda scene: scene.system.move(scene.player, 2), settings=HOOK),
    "fused move": Play(WithGroup, nothing, lambda scene: scene.system.move(scene.player, 2, 1)),
    "move out of plane": Play(NotFlat, nothing, lambda scene: scene.system.move(scene.raised, 0, 0, -2)),
    "commit": Play(Scene, nothing, lambda scene: scene.system.plan(scene.player, 2).commit()),
    "teleport": Play(Scene, nothing, lambda scene: scene.system.teleport(scene.dozer, 6, 1)),
    "set_positions": Play(Scene, nothing, spread),
    "writes": Play(Scene, writes, query),
    "changes": Play(Scene, changes, query),
    "regroup": Play(WithGroup, regroup, query),
    "return to plane": Play(NotFlat, return_to_plane, query),
    "create bodies": Play(Full, create_bodies, query),
    "quiet frame": Play(Scene, nothing, process, True),
    "frame": Play(Scene, requests, process, True),
    "frame of changes": Play(Scene, changes, process, True),
    "frame in front": Play(Scene, requests, process, True, FRONT),
    "hooked frame": Play(Scene, requests, process, True, HOOK),
    "frame within bounds": Play(Scene, requests, process, True, PASSING),
    "fused frame": Play(WithGroup, requests, process, True),
    "frame of groups": Play(WithGroup, regroup, process, True),
    "frame out of plane": Play(NotFlat, requests, process, True),
    "move few": Play(Few, move_crowd, move_few, True),
    "move crowd": Play(Crowd, move_crowd, process, True),
    "restore": Play(Scene, change_after_snapshot, lambda scene: scene.system.restore(scene.data)),
    "fused restore": Play(WithGroup, change_after_snapshot, lambda scene: scene.system.restore(scene.data)),
    "snapshot": Play(Scene, changes, lambda scene: scene.system.snapshot()),
    "state_hash": Play(Scene, changes, lambda scene: scene.system.state_hash()),
    "queries": Play(Scene, nothing, make_queries),
}

SMALLER = {"move crowd": "move few"}
"""Plays of many bodies, and the plays in which a few do the same."""
