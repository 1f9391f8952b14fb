"""`check()` detects damage: of every object of a world some attributes are damaged here."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import esper
import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    InvariantError,
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
from ecs_collision._build import hot_files_are_compiled
from ecs_collision.bodies.columns import PUSHABLE
from ecs_collision.components import Form
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
    world._bodies.transform(1).x = 6
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
        return {**objects_of(world._world), **objects, "listeners": delivery.listeners}
    bodies, step = world._bodies, world._step
    objects = {
        "world": world, "bodies": bodies, "columns": bodies.columns, "filters": bodies.filters,
        "group_links": bodies.group_links,
        "groups": bodies.groups, "row_of": bodies.row_of, "dirty_transforms": bodies.dirty_transforms,
        "dirty_rows": bodies.dirty_rows,
        "placement": bodies.placement, "dynamic": bodies.dynamic, "boxes": bodies.dynamic.boxes,
        "cells": world.space._cells, "static": bodies.static,
        "overlay": bodies.overlay, "dynamics": step.dynamics, "candidates": step.dynamics.candidates,
        "kept": step.dynamics.kept, "step": step, "access": step.access, "undo": step.undo, "changes": step.changes,
        "group_update": step.changes._group_update, "sleep": step.sleep, "frame_log": step.log,
        "displacement_log": step.log.displacement_log, "log": step.log.entered, "triggers": step.triggers,
        "contacts": step.triggers.contacts, "overlaps": step.triggers.overlaps, "update": step.triggers.update,
        "full": step.triggers.update.full,
        "all_pairs": step.triggers.update.full.all_pairs, "sweeps": step.triggers.sweeps,
        "motions": step.motions, "requests": step.motions.requests, "planner": step.motions._planner,
        "push graph": step.motions._planner.graph, "axis planner": step.motions._planner.axis_planner,
        "displacements": step.motions._displacements,
        "space": world.space, "overlap_query": world.space._query, "frozen_grid": world.space._query.dynamic,
        "snapshots": world._snapshots, "snapshot cache": None if world._snapshots is None else world._snapshots._cache,
    }  # fmt: skip
    return {name: owner for name, owner in objects.items() if owner is not None}


plain_only = pytest.mark.skipif(hot_files_are_compiled(), reason="compiled kernels cannot be damaged from outside")

pytestmark = pytest.mark.usefixtures("world")

WORLDS = {
    "full": full_world, "fused": fused_world, "calm": calm_world, "esper": esper_world, "dynamic": dynamic_world,
}  # fmt: skip

Damage = Callable[[Any], Any]

SMALL = Form(((0, 0, 0, 1, 1, 1),))


def more(name: str, by: int = 1) -> Damage:
    """Return the damage that changes a number."""
    return lambda owner: setattr(owner, name, getattr(owner, name) + by)


def put(name: str, value: Any) -> Damage:
    """Return the damage that replaces an attribute."""
    return lambda owner: setattr(owner, name, value)


def item(name: str, at: Any, value: Any) -> Damage:
    """Return the damage to one item of an array, a list or a dict."""
    return lambda owner: getattr(owner, name).__setitem__(at, value)


def empty(name: str) -> Damage:
    """Return the damage that empties a collection."""
    return lambda owner: getattr(owner, name).clear()


def first(name: str) -> Damage:
    """Return the damage that removes one item of a list or dict."""
    return lambda owner: (d.popitem if isinstance(d := getattr(owner, name), dict) else d.pop)()


# In the full world the row of a body is its id plus one, in the fused one its id minus one. The first used slot of
# the full world has the box of the mover and is number 2.
DAMAGES: list[tuple[str, str, Damage]] = [
    ("world._before_changes", "full", put("_before_changes", lambda: None)),
    ("bodies._free", "full", first("_free")),
    ("bodies.awake_count", "full", more("awake_count")),
    ("bodies.parts", "full", item("parts", CRATE + 1, None)),
    ("columns.count", "full", item("count", MOVER + 1, 0)),
    ("columns.flags", "full", lambda them: them.flags.__setitem__(CRATE + 1, them.flags[CRATE + 1] ^ PUSHABLE)),
    ("columns.ids", "full", item("ids", CRATE + 1, 99)),
    ("filters._layer_tables", "full", lambda filters: filters._layer_tables[frozenset({"ghost"})].__setitem__(1, 1)),
    ("filters._filters", "full", item("_filters", 3, None)),
    ("filters._users", "full", item("_users", 1, 9)),
    ("group_links.next_row", "fused", item("next_row", 0, 0)),
    ("group_links.leader", "fused", item("leader", 1, 1)),
    ("groups._group_of", "fused", first("_group_of")),
    ("groups._own_inertia", "fused", empty("_own_inertia")),
    ("groups.followers", "fused", empty("followers")),
    ("row_of.rows", "full", item("rows", CRATE, MOVER + 1)),
    ("dirty_transforms.records", "full", item("records", 4 * (CRATE + 1) + 3, 1)),
    ("dirty_transforms.records", "full", item("records", 4 * (CRATE + 1), 7)),
    ("dirty_rows.count", "full", more("count", -1)),
    ("dirty_rows.disturbed", "full", item("disturbed", TIRED + 1, 99)),
    ("dirty_rows.rows", "full", item("rows", 0, CRATE + 1)),
    ("kept.ids", "dynamic", item("ids", 0, 99)),
    ("candidates.states", "dynamic", item("states", 4, 0)),
    ("candidates.awake", "dynamic", item("awake", 0, STACK[1])),
    ("candidates.constants", "dynamic", item("constants", 4 * STACK[0], 9.0)),
    ("boxes.asleep_counts", "full", item("asleep_counts", 0, 2)),
    ("boxes.awake", "full", item("awake", 2, 0)),
    ("boxes.places", "full", lambda boxes: boxes.places.__setitem__(2, boxes.places[2] ^ 1)),
    ("dynamic.items", "full", lambda index: index.items.__setitem__(index.boxes.places[2], 0)),
    ("boxes.faces", "full", item("faces", 16, 1)),
    ("static.boxes", "full", lambda grid: grid.boxes.faces.__setitem__(0, 1)),
    ("overlay.boxes", "full", lambda grid: more("box_count")(grid.boxes)),
    ("step.quiet_until", "full", put("quiet_until", 99)),
    ("step.number", "full", more("number")),
    ("step.deferred_results", "full", lambda step: step.deferred_results.__setitem__(CRATE, a_result(step))),
    ("changes.faults", "full", item("faults", CRATE, ("wrong",))),
    ("group_update._added", "fused", put("_added", {1})),
    ("sleep.due", "full", first("due")),
    ("sleep._due_frame", "full", first("_due_frame")),
    ("frame_log.woke", "full", lambda journal: (journal.woke.add(TIRED), journal.fell.add(TIRED))),
    ("frame_log.normals", "full", item("normals", (CRATE, TIRED), (1.0, 0.0, 0.0))),
    ("triggers._ending", "full", empty("_ending")),
    ("triggers._until", "full", empty("_until")),
    ("overlaps.compared", "full", item("compared", 3, 4 * 99)),
    ("contacts.tables", "full", lambda contacts: contacts.tables.__setitem__(contacts.all()[0][0], -1)),
    ("overlaps.compared", "full", item("compared", 4 * CRATE + 4, 7)),
    ("contacts.numbers", "full", lambda store: store.numbers.__setitem__(store.tables[store.all()[0][0]], 6)),
    ("contacts.unused", "full", lambda contacts: contacts.unused.__setitem__(0, 12)),
    ("sweeps.changes", "full", lambda sweeps: next(iter(sweeps.changes.values())).append(False)),
    ("sweeps._of_row", "full", empty("_of_row")),
    ("motions.frame", "full", more("frame")),
    ("displacements.moved", "full", item("moved", 0, 1)),
    ("overlap_query.is_ignored", "full", item("is_ignored", TIRED + 1, 1)),
    ("frozen_grid.words", "full", lambda it: it.words.__setitem__(slice(None), array("q", [0] * len(it.words)))),
    ("frozen_grid.starts", "full", lambda it: it.starts.__setitem__(slice(None), array("i", [0] * len(it.starts)))),
    ("snapshots._contacts", "calm", put("_contacts", b"x" * 24)),
    ("snapshots._parsed", "full", lambda it: it._parsed.__setitem__(b"?" * 40, it._bodies.of(CRATE + 1))),
    ("snapshot cache._chunk_of", "full", item("_chunk_of", CRATE + 1, b"")),
    ("snapshot cache.digest", "full", put("digest", b"")),
    ("snapshot cache.sleepers", "full", empty("sleepers")),
    ("detector._marked", "esper", empty("_marked")),
    ("diff._values", "esper", lambda diff: diff.store(next(iter(diff)), None)),
    ("diff.counts", "esper", lambda diff: diff.counts.__setitem__(Transform, 99)),
    ("delivery._errors", "esper", put("_errors", [ValueError()])),
    ("delivery._batches", "esper", lambda delivery: delivery._batches.append(None)),
    ("listeners._bound", "esper", lambda listeners: listeners._bound.__setitem__(9, {99: None})),
    ("listeners._kinds", "esper", first("_kinds")),
]  # fmt: skip
"""The damaged object and attribute, the scene, and the damage: of each object at most three attributes."""


def exchange(items: Any, a: int, b: int) -> None:
    items[a], items[b] = items[b], items[a]


def a_result(step: Any) -> Any:
    """Return the result of a motion of the mover."""
    return step.motions.preview(
        step.motions.requests.from_arguments(MOVER, 1.0, 0.0, 0.0, None, None, None, None, False, False)
    )


@pytest.mark.parametrize("make", WORLDS.values(), ids=WORLDS.keys())
def test_an_undamaged_world_passes(make: Callable[[], Any]):
    made = make()
    made.check()
    getattr(made, "step", getattr(made, "process", None))()
    made.check()


@plain_only
@pytest.mark.parametrize(("name", "scene", "damage"), DAMAGES, ids=[name for name, _, _ in DAMAGES])
def test_damage_is_detected(name: str, scene: str, damage: Damage):
    damaged = WORLDS[scene]()
    damaged.check()
    owner = name.partition(".")[0]
    damage(objects_of(damaged)[owner])
    with pytest.raises(InvariantError):
        damaged.check()
