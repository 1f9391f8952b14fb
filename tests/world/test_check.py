"""`check()` detects any damage: every attribute of a world is damaged here, or exempt with a reason."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import pytest
from damaged_worlds import (
    CRATE,
    GHOST,
    LONER,
    MOVER,
    STACK,
    TIRED,
    calm_world,
    dynamic_world,
    esper_world,
    full_world,
    fused_world,
    objects_of,
)

from ecs_collision import InvariantError, Transform, TriggerEntered, TriggerLeft, Velocity
from ecs_collision._build import hot_files_are_compiled
from ecs_collision.bodies.columns import ASKS, PUSHABLE
from ecs_collision.components import Form
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.placed import Shape

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
DAMAGES: dict[str, list[tuple[str, Damage]]] = {
    "world._before_changes": [("full", put("_before_changes", lambda: None))],
    "bodies._free": [("full", first("_free"))],
    "bodies._stay_and_linger": [("full", first("_stay_and_linger"))],
    "bodies.awake_count": [("full", more("awake_count"))],
    "bodies.bin_shift": [("full", more("bin_shift"))],
    "bodies.sleep_undo": [("full", put("sleep_undo", []))],
    "bodies.parts": [("full", item("parts", CRATE + 1, None))],
    "bodies.rewritten_rows": [("full", put("rewritten_rows", {0}))],
    "bodies.requests": [("full", empty("requests")), ("full", put("requests", {MOVER + 1, CRATE + 1}))],
    "bodies.row_of": [("full", item("row_of", CRATE, GHOST + 1)), ("full", first("row_of"))],
    "bodies.forms": [("full", item("forms", CRATE + 1, SMALL)), ("full", item("forms", 0, SMALL)),
        ("full", lambda bodies: bodies.forms.append(Form(())))],
    "bodies.stay_rows": [("full", empty("stay_rows"))],
    "bodies.swept_count": [("full", more("swept_count"))],
    "bodies.asking_count": [("full", more("asking_count"))],
    "bodies.trigger_count": [("full", more("trigger_count", -1))],
    "columns.capacity": [("full", more("capacity"))],
    "columns.classes": [("full", item("classes", GHOST + 1, 1))],
    "columns.count": [("full", item("count", MOVER + 1, 0))],
    "columns.first": [("full", item("first", MOVER + 1, 0))],
    "columns.flags": [
        ("full", lambda columns: columns.flags.__setitem__(CRATE + 1, columns.flags[CRATE + 1] ^ PUSHABLE)),
        ("full", item("flags", 0, PUSHABLE)),
        ("fused", lambda columns: columns.flags.__setitem__(1, columns.flags[1] ^ PUSHABLE)),
    ],
    "columns.ids": [("full", item("ids", CRATE + 1, 99))],
    "columns.inertia": [("full", item("inertia", 3 * CRATE + 3, 2.0)), ("fused", item("inertia", 3, 2.0)),
        ("fused", item("inertia", 0, 1.0))],
    "columns.outer": [("full", item("outer", MOVER + 1, value)) for value in (0, 2)],
    "columns.pos": [("full", item("pos", 3 * CRATE + 3, 7))],
    "columns.relation": [("full", lambda columns: columns.relation.__setitem__(9, 1 ^ columns.relation[9]))],
    "columns.planes": [("full", item("planes", CRATE + 1, value)) for value in (1, 2)],
    "columns.shaped_count": [("full", more("shaped_count"))],
    "columns.static_reporter_count": [("full", more("static_reporter_count"))],
    "columns.shapes": [("full", item("shapes", CRATE + 1, Shape((Part(SMALL.boxes[0], 1),))))],
    "columns.z_reach": [("full", put("z_reach", 0))],
    "columns.uneven_count": [("full", more("uneven_count"))],
    "columns.width": [("full", more("width"))],
    "filters._layer_tables": [("full", lambda filters: filters._layer_tables[frozenset({"ghost"})].__setitem__(1, 1))],
    "filters._filters": [("full", item("_filters", 3, None))],
    "filters._free": [("full", first("_free"))],
    "filters._number": [("full", first("_number"))],
    "filters._users": [("full", item("_users", 1, 9))],
    "group_links.capacity": [("full", more("capacity"))],
    "group_links.count": [("fused", more("count"))],
    "group_links.next_row": [("fused", item("next_row", 0, 0)), ("full", item("next_row", 0, 1))],
    "group_links.leader": [("fused", item("leader", 1, 1)), ("full", item("leader", 0, 1))],
    "groups._group_of": [("fused", first("_group_of"))],
    "groups._own_inertia": [
        ("fused", empty("_own_inertia")),
        ("fused", item("_own_inertia", 0, ([2.0, 2.0, 2.0], PUSHABLE))),
    ],
    "groups._dissolved": [("fused", put("_dissolved", {1}))],
    "groups._dirty": [("fused", put("_dirty", {1}))],
    "groups.followers": [("fused", empty("followers"))],
    "groups.partner": [("fused", item("partner", LONER, 1))],
    "row_by_id.length": [("full", more("length"))],
    "row_by_id.count": [("full", more("count"))],
    "row_by_id.rows": [("full", item("rows", CRATE, MOVER + 1)), ("full", item("rows", CRATE, -1))],
    "dirty_transforms.capacity": [("full", more("capacity"))],
    "dirty_transforms.kinds": [("full", item("kinds", CRATE + 1, 1))],
    "dirty_transforms.positions": [("full", item("positions", 3 * CRATE + 3, 7))],
    "dirty_transforms.watched": [("full", put("watched", True))],
    "dirty_rows.indices": [("full", item("indices", CRATE + 1, 0)), ("full", item("indices", MOVER + 1, -1))],
    "dirty_rows.altered": [("full", item("altered", CRATE + 1, 2))],
    "dirty_rows.capacity": [("full", more("capacity"))],
    "dirty_rows.count": [("full", more("count", -1))],
    "dirty_rows.disturbed": [("full", item("disturbed", TIRED + 1, 99))],
    "dirty_rows.rows": [("full", item("rows", 0, CRATE + 1))],
    "dirty_rows.noted_count": [("dynamic", more("noted_count", -1))],
    "dirty_rows.noted_rows": [("dynamic", item("noted_rows", 0, 4))],
    "dirty_rows.note_indices": [("dynamic", item("note_indices", 1, 5))],
    "dirty_rows.notes": [("dynamic", item("notes", 1, 0)), ("dynamic", item("notes", 4, 1))],
    "dirty_rows.is_noting": [("dynamic", put("is_noting", False))],
    "bodies.moving_rows": [("dynamic", empty("moving_rows")), ("dynamic", put("moving_rows", {0, *STACK, 4}))],
    "columns.velocities": [("dynamic", item("velocities", 4, None)), ("dynamic", item("velocities", 9, Velocity()))],
    "kept.first": [("dynamic", item("first", 0, 99))],
    "kept.second": [("dynamic", item("second", 0, 99)), ("dynamic", item("second", 1, 3))],
    "candidates.states": [("dynamic", item("states", 4, 0)), ("dynamic", item("states", 0, 1)),
        ("dynamic", item("states", STACK[0], 1))],
    "candidates.ring": [("dynamic", item("ring", STACK[0], 4))],
    "candidates.awake": [("dynamic", item("awake", 0, STACK[0]))],
    "candidates.awake_count": [("dynamic", put("awake_count", 0))],
    "candidates.resting_count": [("dynamic", more("resting_count"))],
    "candidates.constants": [("dynamic", item("constants", 4 * STACK[0], 9.0)), ("dynamic", item("constants", 3, 9.0))],
    "snapshot cache.velocities": [("dynamic", put("velocities", []))],
    "boxes.asleep_counts": [("full", item("asleep_counts", 0, 2))],
    "boxes.awake": [("full", item("awake", 2, 0))],
    "membership.parities": [("full", lambda grid: grid.parities.__setitem__(2, grid.parities[2] ^ 1))],
    "membership.entry_cell": [("full", lambda grid: grid.entry_cell.__setitem__(16, -1 - grid.entry_cell[16]))],
    "membership.entry_next": [
        ("full", lambda grid: grid.entry_next.__setitem__(grid.cells.heads[grid.entry_cell.index(0)], 16))
    ],
    "membership.entry_prev": [("full", lambda grid: grid.entry_prev.__setitem__(grid.cells.heads[0], 16))],
    "boxes.faces": [("full", item("faces", 12, 1))],
    "boxes.levels": [("full", item("levels", 2, 1))],
    "boxes.owner": [("full", item("owner", 2, CRATE + 1)), ("full", item("owner", 0, CRATE + 1))],
    "boxes.run_heads": [("full", item("run_heads", 0, -1)), ("full", item("run_heads", 0, 2))],
    "boxes.run_next": [("full", lambda grid: grid.run_next.__setitem__(grid.run_heads[0], -1))],
    "boxes.asleep_bits": [("full", put("asleep_bits", 0))],
    "boxes.bin_shift": [("full", more("bin_shift"))],
    "boxes.box_count": [("full", more("box_count"))],
    "boxes.flat": [("full", put("flat", True))],
    "boxes.slot_count": [("full", more("slot_count"))],
    "static.boxes": [("full", lambda grid: grid.boxes.faces.__setitem__(0, 1))],
    "overlay.boxes": [("full", lambda grid: more("box_count")(grid.boxes))],
    "cells.awake_cells": [("full", lambda cells: cells.awake_cells.__setitem__(0, cells.awake_cells[1]))],
    "cells.awake_counts": [("full", lambda cells: cells.awake_counts.__setitem__(cells.awake_cells[0], 9))],
    "cells.box_counts": [("full", lambda cells: cells.box_counts.__setitem__(cells.awake_cells[0], 9))],
    "cells.codes": [("full", lambda cells: cells.codes.__setitem__(cells.awake_cells[0], 9))],
    "cells.heads": [("full", lambda cells: cells.heads.__setitem__(cells.awake_cells[0], -1))],
    "boxes.level_counts": [("full", item("level_counts", 0, 99))],
    "cells.levels": [("full", lambda cells: cells.levels.__setitem__(cells.awake_cells[0], 2))],
    "directory.log_codes": [("full", lambda directory: log_a_new_cell(directory, code=1))],
    "cells.awake_places": [("full", lambda cells: cells.awake_places.__setitem__(cells.awake_cells[0], 1))],
    "cells.table_cells": [("full", lambda cells: exchange(cells.table_cells, *places_of(cells)[:2]))],
    "cells.table_keys": [("full", lambda cells: cells.table_keys.__setitem__(places_of(cells)[0], 0))],
    "cells.awake_cell_count": [("full", more("awake_cell_count", -1))],
    "cells.cell_count": [("full", more("cell_count"))],
    "directory.keys": [("full", lambda directory: directory.keys.pop())],
    "cells.first_free": [("full", put("first_free", -1))],
    "boxes.level_bits": [("full", put("level_bits", 0))],
    "cells.mask": [("full", more("mask", -16))],
    "cells.shift": [("full", more("shift"))],
    "cells.used": [("full", more("used"))],
    "step.quiet_until": [("full", put("quiet_until", 99))],
    "step.number": [("full", more("number"))],
    "step.deferred_results": [("full", lambda step: step.deferred_results.__setitem__(CRATE, a_result(step)))],
    "changes.faults": [("full", item("faults", CRATE, ("wrong",)))],
    "group_update._added": [("fused", put("_added", {1}))],
    "group_update._removed": [("fused", put("_removed", {1}))],
    "group_update._was_asleep": [("fused", put("_was_asleep", {1: True}))],
    "group_update._woken": [("fused", put("_woken", {1}))],
    "sleep._due": [("full", first("_due")), ("full", item("_due", 99, set())),
        ("full", item("_due", 99, {CRATE + 1}))],
    "sleep._due_frame": [("full", first("_due_frame")), ("full", item("_due_frame", TIRED + 1, 99))],
    "frame_log.woke": [("full", lambda journal: (journal.woke.add(TIRED), journal.fell.add(TIRED)))],
    "frame_log.normals": [("full", item("normals", (CRATE, TIRED), (1.0, 0.0, 0.0)))],
    "frame_log.fell": [("full", lambda journal: (journal.woke.add(TIRED), journal.fell.add(TIRED)))],
    "triggers._ending": [("full", empty("_ending")), ("full", item("_ending", 1, {0}))],
    "triggers._until": [("full", empty("_until")), ("full", item("_until", 60, 9)), ("fused", item("_until", 0, 9))],
    "update.batched_in": [("full", item("batched_in", 0, 99))],
    "overlaps.altered_in": [("full", item("altered_in", 0, 99))],
    "overlaps.changed_in": [("full", item("changed_in", 0, 99))],
    "contacts.head": [("full", lambda contacts: contacts.head.__setitem__(contacts.reporters[0], -1))],
    "overlaps.compared_at": [("full", item("compared_at", 3 * CRATE + 3, 7))],
    "contacts.next": [("full", item("next", 0, 1))],
    "contacts.previous": [("full", item("previous", 0, 3))],
    "contacts.seen": [("full", item("seen", 0, 99))],
    "contacts.slots": [("full", lambda contacts: contacts.slots.__setitem__(contacts.slots.index(0), -1)),
        ("full", lambda contacts: exchange(contacts.slots, contacts.slots.index(0), contacts.slots.index(-1)))],
    "contacts.free": [("full", put("free", 0))],
    "contacts.lingers": [("full", lambda contacts: contacts.lingers.__setitem__(1, 1 - contacts.lingers[1]))],
    "contacts.pass_number": [("full", put("pass_number", 0))],
    "contacts.others": [("full", item("others", 0, GHOST + 1))],
    "contacts.pair_count": [("full", more("pair_count"))],
    "contacts.slot_count": [("full", put("slot_count", 2))],
    "contacts.reporters": [("full", item("reporters", 0, GHOST + 1)), ("full", item("reporters", 0, -1))],
    "contacts.kinds": [("full", item("kinds", 0, 0)), ("full", item("kinds", 0, ASKS))],
    "contacts.used": [("full", more("used"))],
    "sweeps._changes": [("full", lambda sweeps: next(iter(sweeps._changes.values())).append(False))],
    "sweeps._of_row": [("full", empty("_of_row"))],
    "motions.frame": [("full", more("frame"))],
    "displacements.moved": [("full", item("moved", 0, 1))],
    "displacements.count": [("full", more("count"))],
    "overlap_query.is_ignored": [("full", item("is_ignored", TIRED + 1, 1))],
    "frozen_grid.faces": [("full", item("faces", 0, 1 << 30))],
    "frozen_grid.slots": [("full", item("slots", 0, 5))],
    "frozen_grid.starts": [
        ("full", lambda grid: grid.starts.__setitem__(slice(None), array("i", [0] * len(grid.starts))))
    ],
    "snapshots._contacts": [("calm", put("_contacts", b"x" * 24))],
    "snapshots._parsed": [
        ("full", lambda snapshots: snapshots._parsed.__setitem__(b"?" * 40, snapshots._bodies.of(CRATE + 1)))
    ],
    "snapshot cache._chunk_of": [("full", item("_chunk_of", CRATE + 1, b""))],
    "snapshot cache.block": [("full", put("block", b""))],
    "snapshot cache.digest": [("full", put("digest", b""))],
    "snapshot cache.is_in_order": [("full", put("is_in_order", True))],
    "snapshot cache.motions": [("full", put("motions", []))],
    "snapshot cache.index_of": [("full", empty("index_of"))],
    "snapshot cache.rows": [("full", put("rows", array("i")))],
    "snapshot cache.sleepers": [("full", empty("sleepers"))],
    "detector._marked": [("esper", empty("_marked"))],
    "detector._parts": [("esper", first("_parts"))],
    "detector._staged": [("esper", first("_staged"))],
    "diff._values": [("esper", first("_values")), ("esper", item("_values", 9, (Transform, Transform(0, 0))))],
    "diff.known": [("esper", lambda diff: diff.known[Transform].pop())],
    "delivery._errors": [("esper", put("_errors", [ValueError()]))],
    "delivery._batches": [("esper", lambda delivery: delivery._batches.append(None))],
    "delivery._handler_world": [("esper", put("_handler_world", "default"))],
    "listeners._bound": [("esper", lambda listeners: listeners._bound.__setitem__(9, {99: None}))],
    "listeners._kinds": [
        ("esper", first("_kinds")),
        ("esper", lambda listeners: listeners._kinds[TriggerLeft].numbers.add(99)),
        ("esper", lambda listeners: listeners._kinds[TriggerEntered].bound["trigger"].clear()),
    ],
    "listeners._next": [("esper", put("_next", 1))],
    "listeners.subscribed_kinds": [("esper", put("subscribed_kinds", frozenset()))],
}  # fmt: skip
"""Damages by object and attribute, each for a world of its own."""


def exchange(items: Any, a: int, b: int) -> None:
    items[a], items[b] = items[b], items[a]


def places_of(cells: Any) -> list[int]:
    """Return the used positions of a hash table."""
    return [at for at, key in enumerate(cells.table_keys) if key]


def log_a_new_cell(directory: Any, code: int) -> None:
    """Add an entry to the log for a cell that does not exist."""
    directory.log_codes[0], directory.log_levels[0] = code, 0
    directory.log_count = 1


def a_result(step: Any) -> Any:
    """Return the result of a motion of the mover."""
    return step.motions.preview(step.motions.requests.from_arguments(MOVER, 1.0, 0.0, 0.0, None, None, None, None))


CASES = [
    pytest.param(name, scene, damage, id=f"{name}-{number}" if number else name)
    for name, damages in DAMAGES.items()
    for number, (scene, damage) in enumerate(damages)
]


@pytest.mark.parametrize("make", WORLDS.values(), ids=WORLDS.keys())
def test_an_undamaged_world_passes(make: Callable[[], Any]):
    made = make()
    made.check()
    getattr(made, "step", getattr(made, "process", None))()
    made.check()


@plain_only
@pytest.mark.parametrize("name, scene, damage", CASES)
def test_damage_is_detected(name: str, scene: str, damage: Damage):
    damaged = WORLDS[scene]()
    damaged.check()
    owner = name.partition(".")[0]
    damage(objects_of(damaged)[owner])
    with pytest.raises(InvariantError):
        damaged.check()
