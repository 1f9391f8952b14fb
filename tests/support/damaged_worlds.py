"""Worlds to be damaged, which use every stored attribute, and the objects that store attributes."""

from __future__ import annotations

from typing import Any

import esper

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Mass,
    Material,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    Velocity,
)
from ecs_collision.events import Event

MOVER, CRATE, WALL, DREAMER, TIRED, LINGERING, STAYING, SWEPT, GIANT, GHOST = range(1, 11)


def at(
    x: float, y: float, *, half: float = 0.5, layer: str = "default", z: float = 0.0, **parts: Any
) -> dict[str, Any]:
    return {"transform": Transform(x, y, z), "collider": BoxCollider(half, half, layer=layer), **parts}


def full_world() -> CollisionWorld:
    """A world with bodies that sleep, linger, crossed a trigger, have a request, and were removed."""
    world = CollisionWorld(bounds=((-50, -50), (50, 50)))
    bars = CompoundCollider([Box(0.5, 0.5), Box(0.5, 0.5, offset=(0, 2)), Box(0.5, 0.5, offset=(0, 4))])
    gone = [world.add(id, **at(x, 20, layer="gone")) for id, x in ((20, 20), (21, 22))]
    world.add(MOVER, **at(0, 0, motion=Motion(force=2.0), sleeping=Sleeping(after=50)))
    world.add(CRATE, **at(3, 0, inertia=Inertia(x=1.0)))
    world.add(WALL, transform=Transform(9, -2), collider=bars, static=Static())
    world.add(DREAMER, **at(5, 8, sleeping=Sleeping(asleep=True)))
    world.add(TIRED, **at(8, 8, sleeping=Sleeping(after=9)))
    world.add(LINGERING, **at(0, 3, trigger=Trigger(linger=5)))
    world.add(STAYING, **at(5, 8, trigger=Trigger(stay=True, touching=True)))
    world.add(SWEPT, **at(0, -3, half=0.25, trigger=Trigger(swept=True)))
    world.add(GIANT, **at(-20, 0, half=8, z=0.5))
    world.add(GHOST, **at(12, 8, layer="ghost", inertia=Inertia(1.0)))
    world.move(MOVER, 0, 2.5)
    world.step()
    for id in gone:
        world.remove(id)
    world.move(MOVER, 0, -2.5)
    world.step()
    world.snapshot()
    world.space.overlapping(((0, 0), (1, 1)), layers="ghost", ignore=[CRATE])
    world.move(MOVER, 0, -6)
    world.move(MOVER, 0.00001)
    world.request(MOVER, 1.00001)
    return world


HEAD, ARM, HAND, LONER, PLATE, NET = range(1, 7)


def fused_world() -> CollisionWorld:
    """A world with a group of three on a trigger, which has just left a trigger with linger."""
    world = CollisionWorld()
    world.add(HEAD, **at(0, 0, inertia=Inertia(1.0), motion=Motion(force=1.0), sleeping=Sleeping(after=9)))
    world.add(ARM, **at(1, 0, inertia=Inertia(3.0), fused=Fused(HEAD), sleeping=Sleeping(after=5)))
    world.add(HAND, **at(2, 0, inertia=Inertia(2.0), fused=Fused(ARM), sleeping=Sleeping(after=7)))
    world.add(LONER, **at(8, 0, inertia=Inertia(2.0)))
    world.add(PLATE, **at(2, 0, trigger=Trigger()))
    world.add(NET, **at(0, 1.5, half=1.25, trigger=Trigger(linger=4)))
    world.step()
    world.move(HEAD, 0, -1)
    world.step()
    world.move(HEAD, 0, 0.5)
    world.step()
    return world


def calm_world() -> CollisionWorld:
    """A world with a body in a trigger and nothing lingering, as in a game that takes a snapshot each turn."""
    world = CollisionWorld()
    world.add(HEAD, **at(0, 0, motion=Motion()))
    world.add(PLATE, **at(0, 0, trigger=Trigger()))
    world.step()
    world.snapshot()
    return world


STACK = (2, 3)
"""The rows of two bodies at rest on a floor, which has row 0. A body that falls has row 4."""


def dynamic_world() -> CollisionWorld:
    """A world with a stack at rest, a body that falls and one that was written, with kept contacts and remainders."""
    world = CollisionWorld()
    body = {"velocity": Velocity(), "mass": Mass(2, moment=3)}
    world.add(HEAD, **at(0, 3, half=2, static=Static(), material=Material(0.5, 0.25)))
    world.add(ARM, **at(5, 0))
    for id, y in ((3, 0.5), (4, -0.5), (5, -9)):
        world.add(id, **at(0, y, **{name: part.copy() for name, part in body.items()}))
    for _ in range(9):
        world.step_dynamics(1 / 60, gravity=(0, 10))
        world.step()
    world.snapshot()
    world.bodies.transform(1).x = 6
    world.apply_changes()
    return world


def esper_world() -> CollisionSystem:
    """Entities of the current esper world, some of them not bodies, with subscriptions."""
    system = CollisionSystem()
    esper.add_processor(system)
    plate = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Trigger())
    esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion())
    esper.create_entity(Transform(0, 0))
    esper.delete_entity(esper.create_entity(Transform(5, 0), BoxCollider(0.5, 0.5)))
    system.on(TriggerEntered, print_nothing, trigger=plate)
    system.on(TriggerEntered, print_nothing)
    system.on(TriggerLeft, print_nothing)
    system.check()
    return system


def print_nothing(event: Event) -> None:
    """A handler."""


def objects_of(world: CollisionWorld | CollisionSystem) -> dict[str, Any]:
    """Return by name all objects of a world or system that store state between calls."""
    if isinstance(world, CollisionSystem):
        detector, delivery = world._detector, world._delivery
        objects = {"system": world, "detector": detector, "diff": detector._diff, "delivery": delivery}
        return {**objects_of(world._world), **objects, "listeners": delivery._listeners}
    bodies, step = world.bodies, world._step
    objects = {
        "world": world, "bodies": bodies, "columns": bodies.columns, "filters": bodies.filters,
        "group_links": bodies.group_links,
        "groups": bodies.groups, "row_by_id": bodies.row_by_id, "dirty_transforms": bodies.dirty_transforms,
        "dirty_rows": bodies.dirty_rows,
        "placement": bodies.placement, "dynamic": bodies.dynamic, "boxes": bodies.dynamic.boxes,
        "membership": bodies.dynamic.membership, "cells": bodies.dynamic.cells,
        "directory": bodies.dynamic.cells.directory, "static": bodies.static,
        "overlay": bodies.overlay, "dynamics": step.dynamics, "candidates": step.dynamics.candidates,
        "kept": step.dynamics.kept, "step": step, "access": step.access, "undo": step.undo, "changes": step.changes,
        "group_update": step.changes._group_update, "sleep": step.sleep, "frame_log": step.log,
        "displacement_log": step.log.displacement_log, "log": step.log.entered, "triggers": step.triggers,
        "contacts": step.triggers.contacts, "overlaps": step.triggers.overlaps, "update": step.triggers.update,
        "full": step.triggers.update.full, "batch": step.triggers.update.batch,
        "all_pairs": step.triggers.update.full.all_pairs, "sweeps": step.triggers.sweeps,
        "motions": step.motions, "requests": step.motions.requests, "planner": step.motions._planner,
        "push graph": step.motions._planner.graph, "axis planner": step.motions._planner.axis_planner,
        "displacements": step.motions._displacements,
        "space": world.space, "overlap_query": world.space._query, "frozen_grid": world.space._query.dynamic,
        "snapshots": world._snapshots, "snapshot cache": None if world._snapshots is None else world._snapshots._cache,
    }  # fmt: skip
    return {name: owner for name, owner in objects.items() if owner is not None}
