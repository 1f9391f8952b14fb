"""A scene: bodies, the settings of their world, and acts that can be replayed any number of times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Unpack

import esper

from ecs_collision.components import Component, Fused, Parts, Rotation
from ecs_collision.errors import CollisionTypeError, CollisionValueError, UnknownEntity
from ecs_collision.fixed_point import instance_of, is_whole, items_of, plain_int, shown
from ecs_collision.results import MoveResult
from ecs_collision.settings import CanPush, MotionOptions, PlainSettings
from ecs_collision.systems import CollisionSystem
from ecs_collision.world import CollisionWorld

Vector = tuple[float, float, float]
Question = tuple[int, int, str, float]
"""Arguments of can_push: pusher, pushed, axis, force."""

RAISES = "raises"
"""Stands for an answer where the hook raised."""

TRACK, FORGET = "track overlaps", "forget overlaps"
"""Acts: begin and end to report solid bodies that begin to overlap (T11)."""

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one entity.

    kind: "add" a body with `parts`, "remove" it, "place" it at `position`, "turn" it to `rotation`, "write" the fields
    of `parts` into its components, "give" it `parts` as new components, or "take" away the components named in `names`.
    """

    kind: str
    entity: int
    parts: tuple[Component, ...] = ()
    position: Vector = (0.0, 0.0, 0.0)
    names: tuple[str, ...] = ()
    rotation: Rotation = None


@dataclass(frozen=True, slots=True)
class SceneAct:
    """An act of a scene and its recorded outcome.

    kind: "take in" `changes`; "request", "move" or "plan" a motion of `entity`; run a step of "dynamics" or of
    "movement" with its arguments in `options`; give `entity` an "impulse", at its position or at `point`; run `count`
    frames ("frame"); "keep" a snapshot as `number`; go "back" to it or to the bytes `data`; or begin to "track
    overlaps" or "forget overlaps" (T11). answers: the calls of can_push and their answers.
    outcome: its lines, empty if nothing may happen, None if it is not compared. line: the line number in the file.
    """

    kind: str
    line: int = 0
    entity: int = 0
    by: Vector = (0.0, 0.0, 0.0)
    options: Mapping[str, Any] = field(default_factory=dict)
    point: Vector | None = None
    changes: tuple[Change, ...] = ()
    answers: tuple[tuple[Question, bool | str | None], ...] = ()
    count: int = 1
    number: int = 0
    data: bytes = b""
    outcome: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Scene:
    """Bodies by id, settings as in `CollisionWorld`, and optionally acts.

    bodies: components by id; they are samples: every world made from the scene gets copies.
    settings: those that are not default. can_push is none here.
    has_can_push: whether there was such a hook.
    start: a snapshot of the initial state, if components do not describe it fully (contacts, quiet frames, the frame
    number).
    acts: what was done.
    end: the lines of the final state.
    name: the file.
    remarks: the lines at the head of the file.
    tracks_overlaps: whether the world reports solid bodies that begin to overlap (T11) from the start.
    """

    bodies: Mapping[int, Parts]
    settings: Mapping[str, Any] = field(default_factory=dict)
    has_can_push: bool = False
    start: bytes | None = None
    acts: tuple[SceneAct, ...] = ()
    end: tuple[str, ...] | None = None
    name: str = "scene"
    remarks: tuple[str, ...] = ()
    tracks_overlaps: bool = False

    def world(self, can_push: CanPush | None = None) -> CollisionWorld:
        """Return a new world with copies of the bodies, in the initial state.

        can_push: the hook of the world. If the scene had one and none is given, the rules decide.
        """
        if can_push is None and self.has_can_push:
            can_push = _no_opinion
        world = CollisionWorld(**self.settings, can_push=can_push)
        world.reports_overlaps = self.tracks_overlaps
        world._add_all([copy_parts(parts) for parts in self.bodies.values()], list(self.bodies))
        if self.start is not None:
            world.restore(self.start)
        return world

    def _validate(self) -> None:
        """Raise the error that `world` would raise for its settings and bodies; takes a third of the time."""
        changes = CollisionWorld(**self.settings)._step.changes
        for id, parts in self.bodies.items():
            changes.stage(id, parts)
        changes.validate()

    def spawn(self, can_push: CanPush | None = None) -> tuple[CollisionSystem, dict[int, int]]:
        """Add a system and the bodies to the current esper world; return the system and the new entity of each id.

        Entities are created in the order of the ids, so ties by id are decided the same way.
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
        """Whether the scene contains outcomes that a replay can compare."""
        return bool(self.end) or any(act.outcome for act in self.acts)

    def __repr__(self) -> str:
        bodies = ", ".join(f"{id}: ({components_text(parts)})" for id, parts in self.bodies.items())
        settings = "".join(f", {name}={value!r}" for name, value in self.settings.items())
        acts = f", {len(self.acts)} acts" if self.acts else ""
        return f"scene({{{bodies}}}{settings}{acts})"


def scene(bodies: Mapping[int, tuple[Component, ...]], **settings: Unpack[PlainSettings]) -> Scene:
    """Return a scene of bodies given as tuples of components, as `repr` prints it."""
    found = {}
    for id, components in instance_of(bodies, Mapping, "bodies", "give {id: (component, ...)}").items():
        given = items_of(components)
        if not is_whole(id) or given is None or not all(isinstance(each, Component) for each in given):
            raise CollisionTypeError(
                f"bodies has {shown(id)}: {shown(components)}; give an id and its components, such as "
                "1: (Transform(0, 0), BoxCollider(1, 1))"
            )
        id, parts = plain_int(id), Parts.of(given)
        if parts.transform is None or parts.collider is None:
            raise CollisionValueError(f"body {id} of the scene lacks a Transform or a collider; add both")
        found[id] = parts
    return Scene(dict(sorted(found.items())), settings)


@dataclass(frozen=True, slots=True)
class Push:
    """A motion of a body, `entity`, that can be made in any world of its scene. Made by `push`.

    by: the displacement.
    options: other arguments of `move`.
    """

    entity: int
    by: Vector
    options: Mapping[str, Any] = field(default_factory=dict)

    def make(self, where: CollisionWorld | CollisionSystem, entities: Mapping[int, int] | None = None) -> MoveResult:
        """Make the motion. entities: the entity of each scene id, if the scene was spawned in esper."""
        instance_of(where, (CollisionWorld, CollisionSystem), "where", "give a CollisionWorld or a CollisionSystem")
        entity = self.entity
        if entities is not None:
            if entity not in instance_of(entities, Mapping, "entities", "give {id: entity}, as spawn() returns it"):
                raise UnknownEntity(f"entities has no {entity}, which the push moves; give those that spawn() returned")
            entity = entities[entity]
        return where.move(entity, *self.by, **self.options)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"push({self.entity}, {self.by}{options})"


def push(entity: int, by: Vector, **options: Unpack[MotionOptions]) -> Push:
    """Return a push, as `repr` prints it."""
    if items_of(by) is None:
        raise CollisionTypeError(f"by is {shown(by)}; give a displacement, such as (1, 0, 0)")
    return Push(entity, by, options)


def components_text(parts: Parts) -> str:
    """Return the components of a body as Python code."""
    return ", ".join(repr(part) for part in parts if part is not None)


def copy_parts(parts: Parts) -> Parts:
    """Return copies of components that belong to no world."""
    values: list[Any] = [None if part is None else part.copy() for part in parts]
    return Parts(*values)


def _no_opinion(pusher: int, pushed: int, axis: str, force: float) -> None:
    """Leave the decision to the rules."""
