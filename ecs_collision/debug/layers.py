"""The layers of a debug view, which can be switched on and off."""

from __future__ import annotations

from enum import StrEnum


class Layer(StrEnum):
    """What a debug view draws.

    BODIES: bodies in their true shapes.
    GROUPS: joined outlines of compounds and fused groups.
    CELLS: cells of the index by size level.
    REGIONS: where all bodies are asleep.
    PUSHES: the last push chain.
    BLOCKERS: what stopped it.
    CONTACTS: contacts with their normals.
    VELOCITIES: of bodies that steps of dynamics move.
    RAYS: rays, casts and lines of sight that were asked for.
    EVENTS: events as labels that fade.
    NAMES: names, or ids.
    COUNTERS: the counters of the frame, and milliseconds by phase.
    DISABLED: disabled bodies.
    """

    BODIES = "bodies"
    GROUPS = "groups"
    CELLS = "cells"
    REGIONS = "regions"
    PUSHES = "pushes"
    BLOCKERS = "blockers"
    CONTACTS = "contacts"
    VELOCITIES = "velocities"
    RAYS = "rays"
    EVENTS = "events"
    NAMES = "names"
    COUNTERS = "counters"
    DISABLED = "disabled"


DEFAULT_LAYERS = frozenset({
    Layer.BODIES, Layer.GROUPS, Layer.PUSHES, Layer.BLOCKERS, Layer.CONTACTS, Layer.RAYS, Layer.EVENTS,
})  # fmt: skip
"""The layers that are on at first."""
