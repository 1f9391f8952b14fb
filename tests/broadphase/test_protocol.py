"""Every broad phase against brute force: every change, every query of the protocol (rules B1 to B7).

A play is a sequence of random changes in all structures at once. After each change every structure is checked, and its
answers are compared.
"""

from __future__ import annotations

import ast
import itertools
import random
from itertools import pairwise

import pytest
from boards import many
from material import HOUSE
from twin_grids import (
    ALL_LEVELS,
    DEFAULTS,
    DYNAMIC,
    EVERYWHERE,
    UNIT,
    VARIANTS,
    Faces,
    Twins,
    a_region,
    box,
    change,
    pairs_of,
    random_box,
    verify,
)

from ecs_collision.broadphase.brute_force import BruteForceIndex
from ecs_collision.broadphase.buckets import SCANS, BucketIndex
from ecs_collision.broadphase.frozen_grid import FrozenGrid
from ecs_collision.broadphase.make_index import index_of
from ecs_collision.broadphase.protocol import PREPARED, Index


@pytest.mark.parametrize(("flat", "bin_shift"), [(True, 16), (False, 16), (False, 8), (True, 20)])
@pytest.mark.parametrize("seed", many(1))
def test_every_answer_equals_brute_force_after_every_change(seed: int, flat: bool, bin_shift: int) -> None:
    rng = random.Random(f"{seed} {flat} {bin_shift}")
    twins = Twins(VARIANTS, flat=flat, bin_shift=bin_shift)
    for _ in range(30):
        change(twins, rng)
        verify(twins, rng)
    assert twins.next_owner > 5


@pytest.mark.parametrize("bin_shift", [8, 14, 16, 20])
@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("seed", many(2))
def test_every_query_of_the_cells_equals_brute_force_after_every_change(seed: int, flat: bool, bin_shift: int) -> None:
    rng = random.Random(f"{seed} {flat} {bin_shift}")
    twins = Twins({"buckets": DEFAULTS["buckets"]}, flat=flat, bin_shift=bin_shift)
    frozen = FrozenGrid(twins.tested["buckets"][DYNAMIC])
    for _ in range(150):
        change(twins, rng)
        verify(twins, rng)
        region, inset = a_region(rng, twins), rng.choice((0, 1))
        expected = twins.compare(DYNAMIC, "collect_inset", ALL_LEVELS, inset, *region)
        frozen.prepare(rng.choice((1, 1, 100)))
        count = frozen.collect(inset, *region)
        found = sorted(frozen.hits[:count])
        if inset == 1:
            assert expected == found
        else:  # some more that are near
            assert len(found) == len(set(found))
            assert set(expected) <= set(found)


def test_queries_of_buckets_that_wait_make_a_copy_and_leave_them_waiting() -> None:
    index = BucketIndex(16)
    for slot in range(1000):
        index.allocate(1)
        index.place(slot, slot, True, slot << 16, 0, 0, (slot + 1) << 16, 1 << 16, 1 << 16)
    frozen = FrozenGrid(index)
    frozen.prepare(1)
    assert not frozen.is_current
    index.defer()
    index.shift(0, 1000, 1 << 16, 0, 0)
    for queries, is_copied in ((1, False), (SCANS, True)):
        frozen.prepare(queries)
        assert frozen.is_current == is_copied
        assert frozen.hits[: frozen.collect(1, 3 << 16, 0, 0, 4 << 16, 1 << 16, 1 << 16)].tolist() == [2]
    assert index.is_stale


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("count", [60, 400])
def test_boxes_that_several_queries_gathered_are_those_that_each_finds(count: int, flat: bool) -> None:
    rng, index = random.Random(count), BucketIndex(16)
    index.set_flat(flat)
    for owner in range(count):
        place = [rng.uniform(-6, 6), rng.uniform(-6, 6), 0.0 if flat else rng.uniform(-6, 6)]
        index.place(index.allocate(1), owner, True, *box(*place))
    regions = [tuple(index.boxes.faces[8 * slot : 8 * slot + 6]) for slot in range(count)]
    ends = [0]
    for first in range(0, count, PREPARED):
        together = regions[first : first + PREPARED]
        for number, region in enumerate(together):
            index.begin_query(index.boxes.level_bits, False, *region)
            index.prepare(number)
        for number in range(len(together)):
            ends.append(index.gather(number, ends[-1]))
    for region, (begin, end) in zip(regions, pairwise(ends), strict=True):
        gathered, hits = list(index.gathered[begin:end]), set(index.hits[: index.collect(*region)])
        assert len(set(gathered)) == len(gathered)
        assert hits <= set(gathered)
        assert count == 400 or len(hits) == len(gathered), "in a small table, where cells share places, it searches"


@pytest.mark.parametrize("flat", [True, False], ids=["2D", "3D"])
@pytest.mark.parametrize("counts", [(5, 200), (200, 5), (0, 10)], ids=str)
@pytest.mark.parametrize("name", DEFAULTS)
def test_the_pairs_of_two_indexes_whichever_is_larger(name: str, counts: tuple[int, int], flat: bool) -> None:
    """Pairs with an index of the same structure, with other options of it, and with brute force."""
    rng = random.Random(f"{counts} {flat}")
    kind = type(DEFAULTS[name])
    choices = {each: choice for each, choice in VARIANTS.items() if type(choice) is kind}
    twins = Twins({"brute_force": DEFAULTS["brute_force"], **choices}, flat=flat)
    for side, count in enumerate(counts):
        for number in range(count + count // 2):
            twins.add([random_box(rng, flat)], side=side, awake=number < count)
    for awake_only in (False, True):
        for a, b in ((0, 1), (1, 0)):
            twins.compare_mixed_pairs(a, b, awake_only=awake_only)
        found = [twins.compare_pairs(a, b, awake_only=awake_only) for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))]
        assert all(found) or min(counts) < 10
    twins.check()


@pytest.mark.parametrize("name", DEFAULTS)
def test_pairs_with_an_index_of_other_bins_or_axes_are_those_of_brute_force(name: str) -> None:
    rng = random.Random(8)
    index, small, flat, plain = (
        index_of(DEFAULTS[each], bin_shift)
        for each, bin_shift in ((name, 16), (name, 14), (name, 16), ("brute_force", 16))
    )
    flat.set_flat(True)
    for owner in range(80):
        faces = box(rng.uniform(-9, 9), rng.uniform(-9, 9), -0.5)
        for each in (index, small, flat, plain):
            each.place(each.allocate(1), owner, True, *faces)
    pairs = pairs_of(plain, plain, False)
    expected = sorted([*pairs, *((b, a) for a, b in pairs), *((at, at) for at in range(80))])
    for other in (small, flat):
        assert expected == pairs_of(index, other, False)


@pytest.mark.once
@pytest.mark.parametrize("name", [*DEFAULTS, "octree of 1", "quadtree of 1", "linear_octree 15 deep"])
def test_a_large_scene_is_built_emptied_and_built_again(name: str) -> None:
    """Pools and tables grow, nodes divide and join, and freed places are used again."""
    rng = random.Random("large")
    twins = Twins({name: VARIANTS[name]})
    for size in (300, 40, 300):
        owners = [twins.add([random_box(rng, False, 30)], side=at % 2, awake=at % 3 > 0) for at in range(size)]
        rng.shuffle(owners)
        for owner in owners[::3]:
            twins.shift(owner, *(rng.randint(-UNIT, UNIT) for _ in range(3)))
        verify(twins, rng)
        for at, owner in enumerate(owners):
            twins.remove(owner)
            if at % 50 == 0:
                verify(twins, rng)
        verify(twins, rng)
    for index in twins.tested[name]:
        assert index.cell_count == index.measure().entries == 0


@pytest.mark.once
@pytest.mark.parametrize("faces", [box(1.25, -3.5, 0.5), box(1, 1, 1, 0, 0, 0), box(-1, -1, -1, 2, 2, 2)],
                         ids=["a box", "a point", "a box around 0"])  # fmt: skip
def test_any_number_of_boxes_may_coincide(faces: Faces) -> None:
    twins = Twins(VARIANTS)
    owners = [twins.add([faces], awake=at % 2 == 0) for at in range(30)]
    twins.check()
    assert 30 == len(twins.compare(0, "collect", *faces))
    assert 30 * 29 // 2 == twins.compare_pairs(0, 0, awake_only=False)
    for owner in owners[::2]:
        twins.shift(owner, UNIT, 1, 0)
        if owner % 10 == 0:
            twins.check()
    twins.compare_pairs(0, 0, awake_only=True)
    for at, owner in enumerate(owners):
        twins.remove(owner)
        if at % 5 == 4:
            twins.check()
    assert not twins.compare(0, "collect", *EVERYWHERE)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("bin_shift", [8, 16, 32])
def test_boxes_at_the_ends_of_the_index_are_found_B2(name: str, bin_shift: int) -> None:
    """Points, bins, and boxes of half its length at every corner, edge and side of the index, and all of it."""
    twins, rng = Twins({name: VARIANTS[name]}, bin_shift=bin_shift), random.Random(name)
    limit, bin_size = twins.limit, 1 << bin_shift
    for sides in itertools.product((-1, 0, 1), repeat=3):
        for size in (0, bin_size, limit - 1):
            lo = [{-1: -limit, 0: -(size // 2), 1: limit - 1 - size}[side] for side in sides]
            twins.add([(*lo, *(face + size for face in lo))], side=size % 2)  # type: ignore[list-item]
    twins.add([(*[-limit] * 3, *[limit - 1] * 3)])
    twins.check()
    boxes = [faces for owner in twins.runs for faces in twins.boxes(owner)]
    regions = [
        EVERYWHERE,
        *rng.sample(boxes, 9),
        (*[limit] * 3, *[limit + 9] * 3),
        (*[-limit - 9] * 3, *[-limit - 1] * 3),
    ]
    for region in regions:
        for side, inset in itertools.product((0, 1), (0, 1)):
            twins.compare(side, "collect_inset", ALL_LEVELS, inset, *region)
    for a, b in itertools.product((0, 1), (0, 1)):
        twins.compare_pairs(a, b, awake_only=False)
    for owner in list(twins.runs):
        twins.remove(owner)
    twins.check()


@pytest.mark.parametrize("name", VARIANTS)
def test_the_same_changes_give_the_same_order_of_hits_and_pairs(name: str) -> None:
    """Nothing depends on the addresses of objects or on earlier queries."""
    orders = []
    for _ in range(2):
        rng = random.Random("order")
        twins = Twins({name: VARIANTS[name]})
        for _ in range(60):
            change(twins, rng)
        dynamic, static = twins.tested[name]
        orders += [results(dynamic, static), results(dynamic, static)]
    assert orders[0] and [orders[0]] * 4 == orders


def results(index: Index, other: Index) -> list[int]:
    """Return the hits and pairs of an index in their order."""
    found = []
    for each in (index, other):
        count = index.find_pairs(each, False)
        found += index.pairs[: 2 * count]
    count = index.collect(*EVERYWHERE)
    found += index.hits[:count]
    return found


@pytest.mark.parametrize("name", DEFAULTS)
@pytest.mark.parametrize("axis", range(3), ids="xyz")
@pytest.mark.parametrize("sign", [1, -1], ids=["up", "down"])
def test_no_box_leaves_the_index_B2(name: str, axis: int, sign: int) -> None:
    phase = index_of(DEFAULTS[name], 16)
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
    named = {name for name in dir(BruteForceIndex(16)) if not name.startswith("_")}
    frozen = {"prepare", "collect", "collect_on_way", "seen", "hits", "index"}
    shown = {"cell_count"}
    views = {"hits_view", "gathered"}  # the same array, as compiled loops index it
    region = {"aim_at", "lox", "loy", "loz", "hix", "hiy", "hiz"}  # of the query at hand
    for room in ("query", "push", "contacts"):
        for source in sorted((HOUSE / "ecs_collision" / room).glob("*.py")):
            used = {
                node.attr
                for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
                if isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name | ast.Attribute)
                and (node.value.id if isinstance(node.value, ast.Name) else node.value.attr) in indexes
            }
            assert used <= named | frozen | shown | views | region, source
