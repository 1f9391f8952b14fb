"""A scene: bodies, the settings of their world, and what was done there, to be made and played again at will."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import esper

from ecs_collision.components import Component, Fused, Parts
from ecs_collision.errors import CollisionValueError
from ecs_collision.results import MoveResult
from ecs_collision.settings import CanPush
from ecs_collision.systems import CollisionSystem
from ecs_collision.world import CollisionWorld

Vector = tuple[float, float, float]
Question = tuple[int, int, str, float]
"""What can_push is asked: pusher, pushed, axis, force."""

RAISES = "raises"
"""What the hook did, in place of a verdict."""

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Change:
    """What is taken in of one entity.

    kind: "add" a body of `parts`, "remove" it, "place" it at `position`, "write" the fields of `parts` into its
    components, "give" it `parts` as new components, or "take" away the components whose kinds are named in `names`.
    """

    kind: str
    entity: int
    parts: tuple[Component, ...] = ()
    position: Vector = (0.0, 0.0, 0.0)
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SceneAct:
    """Something done in a scene, and what came of it.

    kind: "take in" `changes`, "request", "move" or "plan" a motion of `entity`, do `count` frames ("frame"), "keep" a
    snapshot under a `number`, or go "back" to one, or to the bytes `data`. asked: what can_push was asked and said.
    came: what came of it, in lines, none where nothing may; None where nobody said. line: where it stands in its file.
    """

    kind: str
    line: int = 0
    entity: int = 0
    by: Vector = (0.0, 0.0, 0.0)
    options: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    answers: tuple[tuple[Question, bool | str | None], ...] = ()
    count: int = 1
    number: int = 0
    data: bytes = b""
    outcome: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Scene:
    """Bodies by id, settings as `CollisionWorld` takes them, and perhaps what was done there.

    The components are samples: every world made of the scene has copies. can_push is no setting here; `asks` tells
    whether there was such a hook. start: the snapshot of the beginning, where the components alone do not say it all
    (contacts, how long bodies were quiet, the frame). acts: what was done. end: how it ended, in lines. name: the file.
    remarks: what its head says of it.
    """

    bodies: Mapping[int, Parts]
    settings: Mapping[str, Any] = field(default_factory=dict)
    has_can_push: bool = False
    start: bytes | None = None
    acts: tuple[SceneAct, ...] = ()
    end: tuple[str, ...] | None = None
    name: str = "scene"
    remarks: tuple[str, ...] = ()

    def world(self, can_push: CanPush | None = None) -> CollisionWorld:
        """Return a new world with copies of the bodies, as it was at the beginning.

        can_push: the hook of the world. A scene that had one and is given none is played without asking.
        """
        if can_push is None and self.has_can_push:
            can_push = _no_opinion
        world = CollisionWorld(**self.settings, can_push=can_push)
        world.add_all([copy_parts(parts) for parts in self.bodies.values()], list(self.bodies))
        if self.start is not None:
            world.restore(self.start)
        return world

    def spawn(self, can_push: CanPush | None = None) -> tuple[CollisionSystem, dict[int, int]]:
        """Add a system and the bodies to the current esper world; returns the system, and each id's new entity.

        The entities come in the order of the ids, so that whatever the ids decide is decided alike.
        """
        system = CollisionSystem(**self.settings, can_push=can_push)
        esper.add_processor(system)
        entities = {id: esper.create_entity() for id in sorted(self.bodies)}
        for id, parts in self.bodies.items():
            for part in copy_parts(parts):
                if part is not None:
                    own = part if not isinstance(part, Fused) else Fused(entities[part.to])
                    esper.add_component(entities[id], own)
        return system, entities

    @property
    def has_outcomes(self) -> bool:
        """Whether anything is written with which a replay could be compared."""
        return bool(self.end) or any(act.outcome for act in self.acts)

    def __repr__(self) -> str:
        bodies = ", ".join(f"{id}: ({components_text(parts)})" for id, parts in self.bodies.items())
        settings = "".join(f", {name}={value!r}" for name, value in self.settings.items())
        acts = f", {len(self.acts)} acts" if self.acts else ""
        return f"scene({{{bodies}}}{settings}{acts})"


def scene(bodies: Mapping[int, tuple[Component, ...]], **settings: Any) -> Scene:
    """Return a scene of bodies given as tuples of components, as `repr` shows one."""
    found = {}
    for id, components in bodies.items():
        parts = Parts.of(components)
        if parts.transform is None or parts.collider is None:
            raise CollisionValueError(f"body {id} of the scene lacks a Transform or a collider; add both")
        found[id] = parts
    return Scene(dict(sorted(found.items())), settings)


@dataclass(frozen=True, slots=True)
class Push:
    """A motion of a body, to be made in any world of its scene."""

    entity: int
    by: Vector
    options: Mapping[str, Any] = field(default_factory=dict)

    def make(self, where: CollisionWorld | CollisionSystem, entities: Mapping[int, int] | None = None) -> MoveResult:
        """Make the motion; entities: those of the scene's ids, where the scene was spawned in esper."""
        entity = self.entity if entities is None else entities[self.entity]
        return where.move(entity, *self.by, **self.options)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"push({self.entity}, {self.by}{options})"


def push(entity: int, by: Vector, **options: Any) -> Push:
    """Return a push, as `repr` shows one."""
    return Push(entity, by, options)


def components_text(parts: Parts) -> str:
    """Return the components of a body, as Python makes them."""
    return ", ".join(repr(part) for part in parts if part is not None)


def copy_parts(parts: Parts) -> Parts:
    """Return copies that belong to nobody."""
    values: list[Any] = [None if part is None else part.copy() for part in parts]
    return Parts(*values)


def _no_opinion(pusher: int, pushed: int, axis: str, force: float) -> None:
    """Leave it to the rule."""
