"""Scenes put into a CollisionWorld, and its answers read back in whole numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ecs_collision import Box as Part
from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    MoveResult,
    Sleeping,
    Static,
    Transform,
)

from .pushing import Outcome, Shifts
from .scenes import AXES, Body, Box, Rules, Scene, Vector


class Stage:
    """A CollisionWorld with the bodies of a scene in it."""

    def __init__(
        self,
        scene: Scene,
        rules: Rules | None = None,
        *,
        made: Iterable[int] | None = None,
        sleepers: Collection[int] = (),
        extras: dict[int, dict[str, Any]] | None = None,
        **settings: Any,
    ) -> None:
        self.scene, self.step, self.rules = scene, scene.step, rules or Rules()
        self.transforms: dict[int, Transform] = {}
        self.world = CollisionWorld(**{**world_settings(self.rules, scene.step), **settings})
        for entity in made or scene.bodies:
            body = scene.bodies[entity]
            self.transforms[entity] = Transform(*(self.step * face for face in body.boxes[0].lo))
            parts = {
                "collider": a_collider(body, self.step),
                "inertia": Inertia(**dict(zip(AXES, body.inertia, strict=True))) if body.inertia else None,
                "static": Static() if body.static else None,
                "sleeping": Sleeping(asleep=True, after=2) if entity in sleepers and not body.static else None,
            }
            self.world.add(entity, transform=self.transforms[entity], **{**parts, **(extras or {}).get(entity, {})})

    def parts(self, entity: int) -> dict[str, Any]:
        """Return the components a body has, by their names."""
        known = self.world.bodies.of(self.world.bodies.row(entity))._asdict()
        return {name: part for name, part in known.items() if part is not None}

    def push(self, entity: int, way: Vector, **more: Any) -> MoveResult:
        """Move a body now, by whole numbers, under the rules of the stage."""
        told = {**motion_settings(self.rules), **more}
        return self.world.move(entity, *(self.step * length for length in way), **told)

    def shifts(self) -> Shifts:
        """Return how far each body stands from where the scene had it."""
        found = {entity: self.shift(entity) for entity in self.transforms}
        return {entity: shift for entity, shift in found.items() if any(shift)}

    def shift(self, entity: int) -> Vector:
        """Return how far one body stands from where the scene had it."""
        start = self.scene.bodies[entity].boxes[0].lo
        x, y, z = (
            whole(at, self.step) - face for at, face in zip(self.transforms[entity].position, start, strict=True)
        )
        return (x, y, z)

    def now(self) -> Scene:
        """Return the scene as it stands."""
        return self.scene.by(self.shifts())


def world_settings(rules: Rules, step: float) -> dict[str, Any]:
    """Return the rules that belong to a world, as keywords of CollisionWorld."""
    settings: dict[str, Any] = {"axis_order": rules.axis_order}
    if rules.block_deeper:
        settings["overlap_policy"] = "block_deeper"
    if rules.bounds is not None:
        settings["bounds"] = tuple(tuple(step * face for face in end) for end in rules.bounds)
    if rules.verdicts:
        verdicts = dict(rules.verdicts)
        settings["can_push"] = lambda pusher, pushed, axis, force: verdicts.get(pushed)
    return settings


def motion_settings(rules: Rules) -> dict[str, Any]:
    """Return the rules that belong to a motion, as keywords of `move`."""
    told: dict[str, Any] = {"force": rules.force, "rule": rules.rule, "all_or_nothing": rules.all_or_nothing}
    return told if rules.max_chain is None else {**told, "max_chain": rules.max_chain}


def a_collider(body: Body, step: float) -> Any:
    """Return the collider of a body whose position is the low corner of its first box."""
    origin = body.boxes[0].lo
    sides = [
        ([step * (hi - lo) / 2 for lo, hi in zip(*box, strict=True)], _middle(box, origin, step)) for box in body.boxes
    ]
    if len(sides) == 1:
        halves, offset = sides[0]
        return BoxCollider(*halves, offset=offset, layer=body.layer, mask=body.mask)
    parts = [Part(*halves, offset=offset) for halves, offset in sides]
    return CompoundCollider(parts, layer=body.layer, mask=body.mask)


def _middle(box: Box, origin: Vector, step: float) -> tuple[float, ...]:
    return tuple(step * ((lo + hi) / 2 - zero) for lo, hi, zero in zip(*box, origin, strict=True))


def whole(value: float, step: float) -> int:
    """Return a world value as a whole number; it must be one."""
    number = value / step
    assert number == int(number), f"{value!r} is not a whole number of {step}"
    return int(number)


def assert_foretold(result: MoveResult, outcome: Outcome, step: float) -> None:
    """Assert that a MoveResult says what the oracle foretold, reason by reason."""
    wholes = lambda vector: tuple(whole(value, step) for value in vector)  # noqa: E731 - short and local
    assert outcome.moved == wholes(result.moved)
    assert outcome.pushed == {entity: wholes(shift) for entity, shift in result.pushed.items()}
    assert bool(result) == (not outcome.stops)
    assert [stop.axis for stop in outcome.stops] == [stop.axis for stop in result.stops]
    for told, stop in zip(outcome.stops, result.stops, strict=True):
        assert stop.blocker in told.blockers, f"{stop} should name one of {told.blockers}"
        assert stop.reason.name in told.blockers[stop.blocker], f"{stop} should say {told.blockers}"
        if stop.reason.name != "ALL_OR_NOTHING":
            assert told.allowed == whole(stop.allowed, step)
    links = [(link.pusher, link.pushed, link.axis, whole(link.gap, step)) for link in result.links]
    assert [tuple(link) for link in outcome.links] == links
