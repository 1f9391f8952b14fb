"""What is welded, told as one body: a group of bodies is a body of all their boxes, named by its root."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ecs_collision import Fused

from .chances import Pick
from .scenes import Body, Scene, Vector
from .staging import Stage

Welds = Mapping[int, int]
"""Whom each fused body is fused to."""


def root_of(entity: int, welds: Welds) -> int:
    """Return the root of the group of an entity: itself where it is fused to nobody."""
    return line_of(entity, welds)[-1]


def line_of(entity: int, welds: Welds) -> list[int]:
    """Return an entity, to whom it is fused, and so on to the root."""
    line = [entity]
    while line[-1] in welds:
        line.append(welds[line[-1]])
    return line


def groups_of(scene: Scene, welds: Welds) -> dict[int, list[int]]:
    """Return the members of every group, and of every body on its own, by root."""
    groups: dict[int, list[int]] = {}
    for entity in sorted(scene.bodies):
        groups.setdefault(root_of(entity, welds), []).append(entity)
    return groups


def joined(scene: Scene, welds: Welds) -> Scene:
    """Return the scene in which every group is one body: its boxes keep their layers, its inertia is the largest."""
    bodies = {}
    for root, members in groups_of(scene, welds).items():
        parts = [scene.bodies[entity] for entity in members]
        bodies[root] = parts[0] if len(parts) == 1 else _as_one(scene.bodies[root], parts)
    return replace(scene, bodies=bodies)


def _as_one(root: Body, parts: list[Body]) -> Body:
    heavy = [part.inertia or (math.inf,) * 3 for part in parts]
    return replace(
        root,
        boxes=tuple(box for part in parts for box in part.boxes),
        kinds=tuple((part.layer, part.mask) for part in parts for _ in part.boxes),
        inertia=None if any(part.inertia is None for part in parts) else tuple(map(max, *heavy)),
    )


def apart(shifts: Mapping[int, Vector], scene: Scene, welds: Welds) -> dict[int, Vector]:
    """Return how far every body is displaced where its group is."""
    return {entity: shifts[root] for entity in scene.bodies if (root := root_of(entity, welds)) in shifts}


def some_welds(pick: Pick, scene: Scene) -> dict[int, int]:
    """Return welds at random between the bodies of a scene that are not static, without rings."""
    able = [entity for entity, body in scene.bodies.items() if not body.static]
    welds: dict[int, int] = {}
    for entity in able:
        to = able[pick(0, len(able) - 1)]
        if pick(0, 2) and root_of(to, welds) != entity:
            welds[entity] = to
    return welds


class WeldedStage(Stage):
    """A stage whose bodies are welded together at run time, once they stand."""

    def __init__(self, scene: Scene, welds: Welds, *more: Any, **how: Any) -> None:
        super().__init__(scene, *more, **how)
        self.fused = {entity: Fused(to) for entity, to in welds.items()}
        for entity, fused in self.fused.items():
            parts = self.world.bodies.of(self.world.bodies.row(entity))
            self.world.stage(entity, parts._replace(fused=fused))
        self.world.take_in()
