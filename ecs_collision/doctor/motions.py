"""Static bodies that move (B6), groups that one member holds (P8, S2), Movers (M9) and OneWays (M5) without effect."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.bodies.static_moves import FRAMES
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed


def moved_statics(world: Observed) -> Iterator[Finding]:
    """Yield the Static bodies that were teleported in each of the last frames."""
    for entity in sorted(map(world.bodies.entity, world.moved_statics)):
        yield Finding(
            "static", (entity,),
            f"it is Static but was moved in each of the last {FRAMES} frames, through what is in its way (P12); each "
            "time the index of static bodies changes (B6); remove Static, and move it with a Motion",
        )  # fmt: skip


def members_that_hold_a_group(world: Observed) -> Iterator[Finding]:
    """Yield the first member of each group without an Inertia or a Sleeping that others of the group have."""
    bodies = world.bodies
    for group in bodies.groups.all():
        rows = bodies.groups.solid_rows(bodies.row_of[group.root])
        for name in ("inertia", "sleeping"):
            missing = sorted([bodies.entity(row) for row in rows if getattr(bodies.of(row), name) is None])
            if missing and len(missing) < len(rows):
                effect = "cannot be pushed" if name == "inertia" else "never rests"
                yield Finding(
                    "group", (missing[0],),
                    f"it has no {name.capitalize()}, so the whole group of entity {group.root} {effect}, although "
                    "other members have one; give it one, or remove Fused",
                )  # fmt: skip


def one_way_triggers(world: Observed) -> Iterator[Finding]:
    """Yield the triggers with a OneWay, which block nothing from any side."""
    for row in world.rows:
        parts = world.bodies.of(row)
        if parts.one_way is not None and parts.trigger is not None:
            text = "OneWay has no effect beside a Trigger, which blocks nothing (M5); remove one of the two"
            yield Finding("unused", (world.bodies.entity(row),), text)


def ineffective_movers(world: Observed) -> Iterator[Finding]:
    """Yield the Movers without a Motion, and those with a response to a layer that no body has."""
    bodies = world.bodies
    for row in world.rows:
        parts, entity = bodies.of(row), bodies.entity(row)
        if parts.mover is None:
            continue
        if parts.motion is None:
            text = "it has a Mover but no Motion, so only move(...) moves it; add Motion(force=...)"
            yield Finding("mover", (entity,), text)
        for layer, response in parts.mover.responses:
            if layer not in world.layers:
                text = (
                    f'its Mover has the response "{response}" to the layer {layer!r}, on which no body is (M9); '
                    "correct the name, or leave it out"
                )
                yield Finding("mover", (entity,), text)
