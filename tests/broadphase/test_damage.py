"""`check()` of every broad phase detects damage: a cross-section of what each structure stores."""

from __future__ import annotations

import random
from typing import Any

import pytest
from twin_grids import DYNAMIC, EVERYWHERE, STATIC, VARIANTS, Twins, random_box, verify

from ecs_collision._build import hot_files_are_compiled
from ecs_collision.broadphase.buckets import SCANS

ARRAYS = {
    "octree of 1": "children parents heads box_counts asleep_counts places exponents is_divided slot_nodes next_slots "
    "previous_slots",
    "quadtree of 2 without x": "children parents heads box_counts",
    "linear_octree": "codes masks heads box_counts asleep_counts table_codes table_nodes slot_nodes next_slots "
    "previous_slots",
    "pointer_octree": "next_slots previous_slots",
    "buckets": "items places",
    "footprint_grid off the origin": "heads entries lowest_cells footprints first_entries listed offsets",
    "sweep_and_prune": "records states places greatest",
    "z_order_sweep": "entries.codes entries.tags entries.contained_by entries.tail_counts",
}
"""The arrays that are damaged."""

NUMBERS = {
    "octree of 1": "root used node_count occupied_count fan root_u root_exponent floor",
    "linear_octree": "node_count occupied_count used",
    "pointer_octree": "node_count occupied_count",
    "buckets": "mask row bucket_count used_count first_free",
    "footprint_grid off the origin": "used_cell_count entry_count listed_count entries_made",
    "sweep_and_prune": "gap_count cross_axis block_levels",
    "z_order_sweep": "live_count entries.dead_count",
}
"""The numbers that are damaged, in plain Python."""


def cases(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, damaged) for name, listed in table.items() for damaged in listed.split()]


def a_scene(name: str) -> Twins:
    """Return a structure with boxes of several sizes: awake, asleep, some moved and some removed."""
    rng = random.Random("damage")
    twins = Twins({name: VARIANTS[name]})
    owners = [twins.add([random_box(rng, False, 6)], awake=at % 3 > 0) for at in range(40)]
    for owner in owners[::4]:
        twins.remove(owner)
    for owner in owners[1::4]:
        twins.shift(owner, 70000, -70000, 3)
    verify(twins, rng)
    for _ in range(SCANS + 1):  # brings all up to date
        for side in (DYNAMIC, STATIC):
            twins.compare(side, "collect", *EVERYWHERE)
    twins.check()
    return twins


def place_of(twins: Twins, name: str, path: str) -> tuple[Any, Any, str]:
    """Return the dynamic index, the object that has an attribute, and the name of the attribute."""
    index = twins.tested[name][DYNAMIC]
    *owners, attribute = path.split(".")
    owner: Any = index
    for each in owners:
        owner = getattr(owner, each)
    return index, owner, attribute


@pytest.mark.parametrize(("name", "path"), cases(ARRAYS))
def test_a_wrong_item_of_an_array_is_detected(name: str, path: str) -> None:
    """Each of many items is damaged by itself. Items that nothing uses may have any value."""
    index, owner, attribute = place_of(a_scene(name), name, path)
    items, detected = getattr(owner, attribute), 0
    used = [at for at in range(len(items)) if items[at] not in (0, -1)] or range(len(items))
    for at in list(used)[:30]:
        before = items[at]
        items[at] = before ^ 1
        try:
            index.check()
        except IndexError:
            detected += 1
        items[at] = before
        index.check()
    assert detected > 0


@pytest.mark.skipif(hot_files_are_compiled(), reason="numbers of compiled objects cannot be set from outside")
@pytest.mark.parametrize(("name", "path"), cases(NUMBERS))
def test_a_wrong_number_is_detected(name: str, path: str) -> None:
    index, owner, attribute = place_of(a_scene(name), name, path)
    setattr(owner, attribute, getattr(owner, attribute) + 1)
    with pytest.raises(IndexError):
        index.check()
