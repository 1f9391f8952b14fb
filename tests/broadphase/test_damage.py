"""`check()` of every broad phase detects damaged data.

Every number, array, list and link that a structure stores is damaged in several ways, each in a copy of its own. Either
`check()` raises IndexError, or the damage has no effect: the answers of many more changes are those of brute force.
Every attribute has a damage that is detected, or is in `EXEMPT` with a reason.
"""

from __future__ import annotations

import copy
import random
import signal
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from twin_grids import DYNAMIC, VARIANTS, Twins, change, random_box, verify

from ecs_collision._build import hot_files_are_compiled
from ecs_collision.broadphase.box_pool import BoxPool
from ecs_collision.broadphase.protocol import Index

pytestmark = pytest.mark.skipif(hot_files_are_compiled(), reason="compiled objects cannot be damaged from outside")

NAMES = (
    *("morton_grid", "z_order_sweep", "pointer_octree", "linear_octree", "quadtree of 2 without x", "octree of 1"),
    *("footprint_grid off the origin", "sweep_and_prune"),
)
"""The structures. Brute force stores nothing but the boxes, which `tests/world/test_check.py` damages."""

CONSTANT = "fixed when the index is made, from its options"
PASS = "marks of the last full pass; the next one begins with new ones"
WORK = "written before it is read, within one call"
COUNTER = "for statistics"

EXEMPT: dict[str, str] = {
    "Grid.marking": PASS, "Grid.mark": PASS, "Grid.marked": PASS, "CellTable.marks": PASS,
    "Directory.list_operations": COUNTER, "Directory.is_stale": "only says that the list is to be sorted",
    **dict.fromkeys(("Directory.log_capacity", "Directory.log_codes", "Directory.log_levels"),
                    "an empty log; tests/world/test_check.py damages one with entries"),
    **dict.fromkeys(("EntryList.spare_codes", "EntryList.spare_tags", "EntryList.buckets", "EntryList.place"), WORK),
    **dict.fromkeys(("EntryList.tail_codes", "EntryList.tail_tags"),
                    "an empty tail; tests/broadphase/test_z_order_sweep.py damages one with entries"),
    **dict.fromkeys(("EntryList.changes", "EntryList.tail_work"), "only says when the list is to be sorted"),
    "EntryList.is_stale": "only says that the list is to be sorted", "ZOrderSweepIndex.span": WORK,
    **{f"ZOrderSweepIndex.{name}": "follows from the plane of the boxes"
       for name in ("dimensions", "x_bits", "y_bits", "z_bits")},
    "PointerOctreeIndex.nearby": WORK,
    **{f"{kind}Index.{name}": CONSTANT for kind in ("Quadtree", "Octree")
       for name in ("ignored_axis", "u", "v", "w", "fan", "root_w")},
    **{f"{kind}Index.{name}": WORK for kind in ("Quadtree", "Octree") for name in ("side", "margin_bits")},
    **{f"{kind}Index.margins": "a bound; a larger one only visits more nodes" for kind in ("Quadtree", "Octree")},
    **{f"FootprintGridIndex.{name}": WORK for name in ("lowest", "width", "height")},
    **{f"SweepAndPruneIndex.{name}": WORK for name in ("keys", "spare", "new", "moved")},
    "SweepAndPruneIndex.records_tested": COUNTER,
    "SweepAndPruneIndex.is_stale": "only says that the ends are to be sorted",
}  # fmt: skip
"""Attributes without a detectable damage, and why."""

QUERY = "lox loy loz hix hiy hiz levels asleep_only hits hit_count hit_capacity pairs pair_count pair_capacity"
COUNTED = "cells_visited cell_changes cells_skipped may_copy"
SHARED = frozenset(f"{QUERY} {COUNTED}".split())
"""Attributes of `Index`: the last query and its results, which the next query replaces, and counts for statistics."""

LONGEST = 2.0
"""The seconds that one check and the changes after it may take; damaged links can form a circle."""

Place = tuple[str, Callable[[Any], None]]
"""A damage by the name of the damaged attribute."""


class Outcome(NamedTuple):
    """What happened to a damage: it was detected, it has no effect, or it was overlooked and has one."""

    detected: bool
    fault: str = ""


# -- the objects of a structure ----------------------------------------------------------------------------------------


def objects_of(index: Index) -> list[Any]:
    """Return the objects that a structure is made of, without its boxes, each once, in a fixed order."""
    found: dict[int, Any] = {}
    pending: list[Any] = [index]
    while pending:
        each = pending.pop(0)
        if id(each) in found or isinstance(each, BoxPool):
            continue
        if isinstance(each, list | tuple):
            pending += [item for item in each if isinstance(item, list | tuple | dict) or is_stored(item)]
        elif isinstance(each, dict):
            pending += list(each.values())
        elif is_stored(each):
            found[id(each)] = each
            pending += list(attributes(each).values())
    return list(found.values())


def is_stored(value: object) -> bool:
    return type(value).__module__.startswith("ecs_collision.broadphase")


def attributes(owner: Any) -> dict[str, Any]:
    """Return the attributes of an object, without views of its arrays."""
    names = dict(getattr(owner, "__dict__", {}))
    for kind in type(owner).__mro__:
        for name in getattr(kind, "__slots__", ()):
            if hasattr(owner, name):
                names[name] = getattr(owner, name)
    return {name: value for name, value in names.items() if not name.endswith("_view")}


# -- damages -----------------------------------------------------------------------------------------------------------


def wrong_numbers(value: int, rng: random.Random) -> list[Any]:
    """Return numbers to put in place of one."""
    if isinstance(value, bool):
        return [not value]
    return list(dict.fromkeys([value + 1, value - 1, value ^ 4, rng.choice((0, -1)), rng.randrange(40)]))


def damages(twins: Twins, name: str, rng: random.Random, some: int) -> Iterator[Place]:
    """Yield damages of every attribute of the dynamic index: all of numbers, `some` of each collection."""
    objects = objects_of(twins.tested[name][DYNAMIC])
    by_kind: dict[str, list[int]] = {}
    for number, owner in enumerate(objects):
        by_kind.setdefault(type(owner).__name__, []).append(number)
    for kind, numbers in by_kind.items():
        for number in numbers[:1] + rng.sample(numbers[1:], min(some - 1, len(numbers) - 1)):
            for attribute, value in attributes(objects[number]).items():
                if not (attribute in SHARED and number == 0):
                    for damage in damages_of(value, rng, some, objects, numbers):
                        yield f"{kind}.{attribute}", on_attribute(number, attribute, damage)


def on_attribute(number: int, attribute: str, damage: Callable[[Any, list[Any]], Any]) -> Callable[[Index], None]:
    """Return a damage of the attribute of the object of that number."""

    def act(index: Index) -> None:
        objects = objects_of(index)
        owner = objects[number]
        value = getattr(owner, attribute)
        damaged = damage(value, objects)
        if damaged is not value:
            setattr(owner, attribute, damaged)

    return act


def damages_of(
    value: Any, rng: random.Random, some: int, objects: list[Any], same: list[int]
) -> Iterator[Callable[[Any, list[Any]], Any]]:
    """Yield functions that return a damaged value, or damage a collection and return it."""
    if isinstance(value, int):
        for wrong in wrong_numbers(value, rng):
            yield lambda _, __, wrong=wrong: wrong  # type: ignore[misc]
    elif isinstance(value, array | list) and value and isinstance(value[0], int):
        used = [at for at, item in enumerate(value) if item not in (0, -1)] or list(range(len(value)))
        for at in rng.sample(used, min(some, len(used))):
            for wrong in wrong_numbers(value[at], rng):
                if may_hold(value, wrong):
                    yield lambda items, _, at=at, wrong=wrong: put(items, at, wrong)  # type: ignore[misc]
        if isinstance(value, list):
            yield lambda items, _: items[:-1]
            yield lambda items, _: [*items, items[-1]]
    elif isinstance(value, list) and value:
        yield lambda items, _: items[:-1]
        for at in rng.sample(range(len(value)), min(some, len(value))):
            yield lambda items, _, at=at: put(items, at, items[at - 1])  # type: ignore[misc]
    elif isinstance(value, dict) and value:
        for key in rng.sample(list(value), min(some, len(value))):
            yield lambda items, _, key=key: {each: items[each] for each in items if each != key}  # type: ignore[misc]
            if isinstance(value[key], int):
                yield lambda items, _, key=key: put(items, key, items[key] + 1)  # type: ignore[misc]
    elif is_stored(value) and len(same) > 1:
        for other in rng.sample(same, min(some, len(same))):
            if objects[other] is not value and type(objects[other]) is type(value):
                yield lambda _, objects, other=other: objects[other]  # type: ignore[misc]


def may_hold(items: Any, value: int) -> bool:
    """Return whether an item of an array can have a value."""
    try:
        items[0], before = value, items[0]
    except OverflowError:
        return False
    items[0] = before
    return True


def put(items: Any, at: Any, value: Any) -> Any:
    items[at] = value
    return items


# -- the test ----------------------------------------------------------------------------------------------------------


def a_scene(name: str) -> Twins:
    """Return a structure with boxes of several sizes: awake, asleep, some moved and some removed."""
    rng = random.Random("damage")
    twins = Twins({name: VARIANTS[name]})
    owners = [twins.add([random_box(rng, False, 6)], awake=at % 3 > 0) for at in range(40)]
    for at in range(6):
        twins.add([random_box(rng, False, 6)] * (at % 2 + 1), side=1)
    for owner in owners[::4]:
        twins.remove(owner)
    for owner in owners[1::4]:
        twins.shift(owner, 70000, -70000, 3)
    verify(twins, rng)
    for owner in owners[2::8]:
        twins.shift(owner, -70000, 0, 9)
    twins.check()
    return twins


@contextmanager
def limited() -> Iterator[None]:
    """Raise TimeoutError in what takes too long."""

    def stop(*_: object) -> None:
        raise TimeoutError("it does not end")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def outcome_of(twins: Twins, name: str, damage: Callable[[Index], None], changes: int) -> Outcome:
    """Damage the dynamic index, check it, and use it if the check passes."""
    index = twins.tested[name][DYNAMIC]
    damage(index)
    try:
        with limited():
            index.check()
    except IndexError:
        return Outcome(detected=True)
    except Exception as error:
        return Outcome(False, f"check() raises {type(error).__name__}: {error}")
    rng = random.Random("after")
    try:
        with limited():
            for _ in range(changes):
                verify(twins, rng)
                change(twins, rng)
    except Exception as error:
        return Outcome(False, f"check() passes, and later {type(error).__name__}: {str(error)[:200]}")
    return Outcome(detected=False)


def outcomes(name: str, some: int) -> Iterator[tuple[str, Outcome]]:
    """Yield the outcome of every damage by the name of the attribute."""
    scene = a_scene(name)
    for attribute, damage in damages(copy.deepcopy(scene), name, random.Random(name), some):
        yield attribute, outcome_of(copy.deepcopy(scene), name, damage, 4 * some)


@pytest.mark.parametrize("some", [2, pytest.param(6, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", NAMES)
def test_damage_is_detected_or_has_no_effect(name: str, some: int) -> None:
    detected: dict[str, int] = {}
    faults: dict[str, str] = {}
    for attribute, outcome in outcomes(name, some):
        detected[attribute] = detected.get(attribute, 0) + outcome.detected
        if outcome.fault and attribute not in EXEMPT:
            faults.setdefault(attribute, outcome.fault)
    assert {} == faults
    assert [] == [attribute for attribute, times in detected.items() if not times and attribute not in EXEMPT]
    assert len(detected) > 3


def test_every_exempt_attribute_exists() -> None:
    found = {
        f"{type(owner).__name__}.{attribute}"
        for name in NAMES
        for owner in objects_of(a_scene(name).tested[name][DYNAMIC])
        for attribute in attributes(owner)
    }
    kinds = {attribute.partition(".")[0] for attribute in found}
    assert set() == {attribute for attribute in EXEMPT if attribute.partition(".")[0] in kinds} - found
