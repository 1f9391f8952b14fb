"""The broad phase of the world against brute force: every change, every query of the protocol (rules B1 to B7)."""

from __future__ import annotations

import ast
import itertools
import random

import pytest
from material import HOUSE
from twin_grids import EVERYWHERE, UNIT, Faces, GridPair, box, random_box

from ecs_collision.broadphase.brute_force import BruteForceIndex
from ecs_collision.broadphase.frozen_grid import FrozenGrid
from ecs_collision.broadphase.morton_grid.batch_query import BATCH, BatchQuery
from ecs_collision.broadphase.morton_grid.grid import Grid
from ecs_collision.broadphase.protocol import Index

ALL_LEVELS = (1 << 22) - 1
PLANE = (-UNIT // 2, UNIT // 2)
ACTIONS = {"add": 6, "remove": 2, "shift": 5, "sleep": 4, "resize": 2, "plane": 0.2, "clear": 0.1}


def a_box(rng: random.Random, twin: GridPair) -> Faces:
    """Return a box of any size, sometimes at an edge of the index, or as large as the index."""
    flat, reach = twin.plain.boxes.flat, twin.plain.boxes.limit
    faces = random_box(rng, flat)
    if max(map(abs, faces)) >= reach:
        return (0, 0, -UNIT // 2, 9, 9, UNIT // 2)
    if rng.random() < 0.9:
        return faces
    if rng.random() < 0.1 and not flat:
        return (*[-reach] * 3, *[reach - 1] * 3)
    by = [rng.choice((0, -reach - lo, reach - 1 - hi)) for lo, hi in zip(faces[:3], faces[3:], strict=True)]
    if flat:
        by[2] = 0
    return tuple(face + step for face, step in zip(faces, by * 2, strict=True))  # type: ignore[return-value]


def a_region(rng: random.Random, twin: GridPair) -> Faces:
    """Return a region: a box that exists, one near it, or everything."""
    if twin.runs and rng.random() < 0.4:
        return rng.choice(twin.boxes(rng.choice(list(twin.runs))))
    return EVERYWHERE if rng.random() < 0.05 else random_box(rng, False, 20)


def change(twin: GridPair, rng: random.Random, ids: itertools.count[int]) -> None:
    """Do one change, in the grid and in brute force."""
    flat, reach = twin.plain.boxes.flat, twin.plain.boxes.limit
    action = rng.choices(list(ACTIONS), list(ACTIONS.values()))[0]
    owner = rng.choice(list(twin.runs)) if twin.runs else -1
    if action == "clear":
        for each in twin.both:
            each.clear()
        twin.runs.clear()
    elif action == "plane":
        for owner in [each for each in twin.runs if any((lo, hi) != PLANE for _, _, lo, _, _, hi in twin.boxes(each))]:
            if not flat:
                twin.remove(owner)
        twin.set_flat(not flat)
    elif action == "add" or owner < 0:
        parts = [a_box(rng, twin) for _ in range(rng.choice((1, 1, 1, 2, 3, 9)))]
        twin.add(next(ids), *parts, awake=rng.random() < 0.4)
    elif action == "remove":
        twin.remove(owner)
    elif action == "shift":
        step = [rng.choice((0, 1, -1, UNIT, -UNIT, rng.randint(-9 * UNIT, 9 * UNIT))) for _ in range(3)]
        step[2] = 0 if flat else step[2]
        ends = [face + by for faces in twin.boxes(owner) for face, by in zip(faces, step * 2, strict=True)]
        if -reach <= min(ends) and max(ends) < reach:
            twin.shift(owner, *step)
    elif action == "sleep":
        twin.set_awake(owner, rng.random() < 0.3)
    else:
        slot = twin.runs[owner][0]
        twin.place(slot, owner, bool(twin.plain.boxes.awake[slot]), a_box(rng, twin))


def same_result(twin: GridPair, question: str, *given: int) -> list[int]:
    """Run a query in the grid and in brute force, and return the result of both, sorted by slot."""
    counts = [getattr(each, question)(*given) for each in twin.both]
    expected, found = (sorted(each.hits[: each.hit_count]) for each in reversed(twin.both))
    assert expected == found, (question, given)
    assert counts == [len(expected)] * 2
    return expected


@pytest.mark.parametrize("bin_shift", [8, 14, 16, 20])
@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("seed", range(3))
def test_every_query_equals_brute_force_after_every_change(seed: int, flat: bool, bin_shift: int) -> None:
    rng = random.Random(f"{seed} {flat} {bin_shift}")
    twin, ids = GridPair(flat=flat, bin_shift=bin_shift), itertools.count()
    frozen = FrozenGrid(twin.grid)
    for _ in range(120):
        change(twin, rng, ids)
        for each in twin.both:
            each.check()
        region, levels, inset = a_region(rng, twin), rng.getrandbits(22), rng.choice((0, 1))
        same_result(twin, "collect", *region)
        same_result(twin, "collect_asleep", *region)
        same_result(twin, "collect_levels", levels, *region)
        expected = same_result(twin, "collect_inset", ALL_LEVELS, inset, *region)
        frozen.prepare(rng.choice((1, 1, 100)))
        count = frozen.collect(inset, *region)
        assert expected == sorted(frozen.hits[:count])
        twin.grid.begin_pass()
        same_result(twin, "collect_asleep", *region)
        twin.grid.end_pass()
        assert 0 <= twin.grid.cells_skipped <= twin.grid.cell_count


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("seed", range(3))
def test_a_batch_query_equals_single_queries(seed: int, flat: bool) -> None:
    rng = random.Random(f"together {seed} {flat}")
    asker, other = GridPair(flat=flat), GridPair(flat=flat)
    for twin in (asker, other):
        for owner in range(150):
            twin.add(owner, random_box(rng, flat))
    batch = BatchQuery(asker.grid)
    for twin in (asker, other):
        few = [slot for slot in range(150) if batch.covers_few_cells(slot, twin.grid.boxes.level_bits)]
        asking = rng.sample(few, min(len(few), rng.randint(60, BATCH)))
        for place, slot in enumerate(asking):
            batch.query_slots[place] = slot
        count = batch.find(len(asking), twin.grid)
        found = sorted((batch.hit_queries[at], batch.hits[at]) for at in range(count))
        expected = [
            (place, near)
            for place, slot in enumerate(asking)
            for near in twin.expected(asker.boxes(slot)[0])
            if twin is not asker or near != slot
        ]
        assert expected == found
        assert len(expected) > 30


@pytest.mark.parametrize("make", [Grid, BruteForceIndex], ids=["cells", "brute force"])
@pytest.mark.parametrize("axis", range(3), ids="xyz")
@pytest.mark.parametrize("sign", [1, -1], ids=["up", "down"])
def test_no_box_leaves_the_index_B2(make: type[Index], axis: int, sign: int) -> None:
    phase = make(16)
    step = [0, 0, 0]
    step[axis] = sign * 2**36
    first = phase.allocate(1)
    phase.place(first, 0, True, *box(-0.5, -0.5, -0.5))
    with pytest.raises(IndexError, match="leaves the index"):
        phase.shift(first, 1, *step)
    with pytest.raises(IndexError, match="leaves the index"):
        phase.place(first, 0, True, *(face + by for face, by in zip(box(-0.5, -0.5, -0.5), step * 2, strict=True)))
    with pytest.raises(IndexError, match="ends before it begins"):
        phase.place(first, 0, True, 1, 1, 1, 0, 0, 0)
    with pytest.raises(IndexError, match="at least one box"):
        phase.allocate(0)
    phase.check()
    assert phase.collect(*box(-0.5, -0.5, -0.5)) == 1


def test_query_push_and_contacts_use_only_the_names_of_the_protocol() -> None:
    indexes = {"grid", "grid_a", "grid_b", "home", "dynamic", "static", "overlay", "index"}
    named = {name for name in vars(Index) if not name.startswith("_")}
    frozen = {"prepare", "collect", "hits", "index"}
    shown = {"cell_count", "directory"}  # the cells themselves, which rule B3 makes public
    views = {"hits_view"}  # the same array, as compiled loops index it
    for room in ("query", "push", "contacts"):
        for source in sorted((HOUSE / "ecs_collision" / room).glob("*.py")):
            used = {
                node.attr
                for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
                if isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name | ast.Attribute)
                and (node.value.id if isinstance(node.value, ast.Name) else node.value.attr) in indexes
            }
            assert used <= named | frozen | shown | views, source
