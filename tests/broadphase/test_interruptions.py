"""Every broad phase works again after a KeyboardInterrupt or a MemoryError at any point.

After an interrupted change the world calls `clear()` and places all boxes again. An interrupted query changes nothing,
not even what a structure puts off until the next query, so no `clear()` follows it. Interrupts come where CPython
checks for signals (`tests/support/faulty.py`): at calls, returns and rounds of loops.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from faulty import Interrupted, Starving, every, failed
from twin_grids import DYNAMIC, EVERYWHERE, STATIC, UNIT, VARIANTS, Twins, box, change, random_box, verify

from ecs_collision._build import hot_files_are_compiled
from ecs_collision.broadphase.protocol import Index

plain_only = pytest.mark.skipif(hot_files_are_compiled(), reason="compiled functions have no points to interrupt")

NAMES = (
    *("buckets", "z_order_sweep", "pointer_octree", "linear_octree", "quadtree of 1", "octree of 1"),
    *("footprint_grid off the origin", "sweep_and_prune"),
)


def a_scene(name: str) -> Twins:
    """Return a structure with some boxes, and a change that is not yet part of an answer."""
    rng = random.Random("interruptions")
    twins = Twins({name: VARIANTS[name]})
    for at in range(14):
        twins.add([random_box(rng, False, 4)] * (1 + at % 2), awake=at % 3 > 0, side=STATIC if at > 10 else DYNAMIC)
    twins.add([box(0, 0, -0.5), box(1, 1, -0.5, 3, 3)])
    twins.compare(DYNAMIC, "collect", *EVERYWHERE)
    twins.shift(1, UNIT, -UNIT, 0)
    twins.remove(3)
    return twins


def place(index: Index) -> None:
    slot = index.allocate(2)
    index.place(slot, 99, True, *box(0.25, 0.25, -0.5, 0.5, 0.5))
    index.place(slot + 1, 99, True, *box(-9, -40, 3, 30, 20))


def grow(index: Index) -> None:
    for number in range(20):
        index.place(index.allocate(1), 99 + number, number % 2 == 0, *box(number, 0, -0.5))


def put_in_plane(index: Index) -> None:
    for slot in range(index.boxes.slot_count):
        if index.boxes.owner[slot] >= 0:
            faces = index.boxes.faces[8 * slot : 8 * slot + 6]
            index.place(slot, 5, True, *faces[:2], -UNIT // 2, *faces[3:5], UNIT // 2)
    index.set_flat(True)


CHANGES: dict[str, Callable[[Index], object]] = {
    "place": place,
    "place again": lambda index: index.place(0, 0, True, *box(-3, 2, 0, 2, 2)),
    "grow": grow,
    "shift": lambda index: index.shift(0, 1, 3 * UNIT, -UNIT, 0),
    "shift a little": lambda index: index.shift(1, 2, 1, 1, 0),
    "remove": lambda index: index.remove(1, 2),
    "sleep": lambda index: index.set_awake(1, 2, False),
    "wake": lambda index: index.set_awake(0, 1, True),
    "set flat": put_in_plane,
    "clear": lambda index: index.clear(),
}
QUERIES: dict[str, Callable[[Index], object]] = {
    "collect": lambda index: index.collect(*box(0, 0, 0, 3, 3, 3)),
    "collect all": lambda index: index.collect(*EVERYWHERE),
    "collect asleep": lambda index: index.collect_asleep(*EVERYWHERE),
    "pairs": lambda index: index.find_pairs(index, False),
}


def replace_all(twins: Twins, name: str) -> None:
    """Clear the dynamic index and place all boxes again, as the world does after an interrupted change."""
    index, plain = twins.tested[name][DYNAMIC], twins.plain[DYNAMIC]
    index.clear()
    index.set_flat(False)
    assert not index.collect(*EVERYWHERE)
    plain.clear()
    parts = {owner: twins.boxes(owner) for owner in twins.runs}
    for owner, run in sorted(twins.runs.items()):
        if run.side == DYNAMIC:
            (first,) = {each.allocate(run.count) for each in (plain, index)}
            for slot, faces in enumerate(parts[owner], first):
                for each in (plain, index):
                    each.place(slot, owner, owner % 3 > 0, *faces)
            twins.runs[owner] = run._replace(first=first)


def use(twins: Twins) -> None:
    """Compare the answers with brute force, also after further changes."""
    rng = random.Random("use")
    verify(twins, rng)
    for _ in range(2):
        change(twins, rng)
    verify(twins, rng)


def interrupts(act: Callable[[Index], object], name: str, *, every_time: bool) -> Iterator[tuple[Twins, Interrupted]]:
    """Yield scenes whose action was interrupted: at each site once, or each time."""
    scene = a_scene(name)

    def interrupted(interrupt: Interrupted) -> Twins:
        twins = copy.deepcopy(scene)
        failed(lambda: act(twins.tested[name][DYNAMIC]), interrupt)
        return twins

    counting = Interrupted()
    interrupted(counting)
    assert counting.calls > 2
    if every_time:
        points = [Interrupted(number, KeyboardInterrupt) for number in range(1, counting.calls + 1)]
    else:
        points = [Interrupted(0, KeyboardInterrupt, site) for site in counting.sites]
    for point in points:
        yield interrupted(point), point


@contextmanager
def failure_named(place: str) -> Iterator[None]:
    """Add the place of an interruption to exceptions."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"interrupted in {place}")
        raise


def in_turn(acts: dict[str, Callable[[Index], object]]) -> Callable[[Index], None]:
    """Return an action that does all of these, so that the sites they share are interrupted once."""

    def act(index: Index) -> None:
        for each in acts.values():
            each(index)

    return act


EVERY_TIME = pytest.mark.parametrize("every_time", [False, pytest.param(True, marks=pytest.mark.soak)])


@plain_only
@EVERY_TIME
@pytest.mark.parametrize("name", NAMES)
def test_after_an_interrupted_change_all_boxes_can_be_placed_again(name: str, every_time: bool) -> None:
    for twins, point in interrupts(in_turn(CHANGES), name, every_time=every_time):
        with failure_named(point.place):
            replace_all(twins, name)
            use(twins)


@plain_only
@EVERY_TIME
@pytest.mark.parametrize("name", ["z_order_sweep", "sweep_and_prune"])
def test_an_interrupted_query_that_did_what_was_put_off_can_be_repeated(name: str, every_time: bool) -> None:
    for twins, point in interrupts(in_turn(QUERIES), name, every_time=every_time):
        with failure_named(point.place):
            use(twins)


@pytest.mark.parametrize("act", ["place", "grow", "set flat"])
@pytest.mark.parametrize("name", NAMES)
def test_after_a_lack_of_memory_all_boxes_can_be_placed_again(name: str, act: str) -> None:
    for starving in every(Starving):
        twins = a_scene(name)
        with starving.on():
            try:
                CHANGES[act](twins.tested[name][DYNAMIC])
            except MemoryError:
                assert starving.came
        with failure_named(starving.place):
            replace_all(twins, name)
            use(twins)


@pytest.mark.parametrize("act", ["collect all", "collect asleep", "pairs"])
@pytest.mark.parametrize("name", NAMES)
def test_a_query_that_lacks_memory_changes_nothing(name: str, act: str) -> None:
    for starving in every(Starving):
        twins = a_scene(name)
        for number in range(40):
            twins.add([box(number / 4, 0, -0.5, 3, 3, 3)])
        with starving.on():
            try:
                QUERIES[act](twins.tested[name][DYNAMIC])
            except MemoryError:
                assert starving.came
        with failure_named(starving.place):
            use(twins)
