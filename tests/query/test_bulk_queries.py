"""Queries with arrays, `pairs_array` and `overlapping_many`: the same results as one by one (L4, B7, T8)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import esper
import numpy
import pytest
from arrays import FORMS, NO_BOXES
from squares import a_square, a_world_with, text_of
from worlds import a_crate, a_wall, part

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CollisionValueError,
    CollisionWorld,
    CompoundCollider,
    Static,
    Transform,
    Trigger,
)


def a_town(seed: int, count: int = 120, reach: float = 8.0, mixed: bool = True, **settings: Any) -> CollisionWorld:
    """Return a world of boxes, compounds, statics, triggers and disabled bodies, ids with gaps."""
    dice, world = numpy.random.default_rng(seed), CollisionWorld(**settings)
    sizes = [0.0, 0.25, 0.5, 0.5, 0.5, 1.0, *([6.0, 3.0] if mixed else [])]
    for number in range(count):
        half = dice.choice(sizes, 3).tolist()
        more: dict[str, Any] = {"layer": str(dice.choice(["a", "b"])), "enabled": bool(dice.random() < 0.9)}
        collider: Any = BoxCollider(*half[:2], 0.5 if seed % 2 else half[2], **more)
        if number % 5 == 0:
            collider = CompoundCollider([Box(0.5, 0.5), Box(*half[:2], offset=(0.5, 0.75, 0))], **more)
        at = Transform(*(dice.integers(-8 * reach, 8 * reach, 2) / 8).tolist(), [0.0, 0.25, 2.0][number % 17 % 3])
        kind: dict[str, Any] = {"static": Static()} if number % 4 == 0 else {}
        kind |= {"trigger": Trigger()} if number % 6 == 0 else {}
        world.add(number * 3 + 1, transform=at, collider=collider, **kind)
    return world


FILTERS: dict[str, dict[str, Any]] = {
    "all but triggers": {},
    "with triggers": {"triggers": True},
    "a layer": {"layers": "a"},
    "two layers": {"layers": ("a", "b"), "triggers": True},
    "no layer": {"layers": ()},
    "another layer": {"layers": ["c"]},
    "some ignored": {"ignore": range(1, 200, 6), "triggers": True},
    "strangers ignored": {"ignore": (2, 3, 10**9, 2**62)},
    "all of it": {"layers": {"b"}, "ignore": {4, 7}, "triggers": True},
}
TOWNS: dict[str, Callable[[], CollisionWorld]] = {
    "one": lambda: a_world_with(Transform(0, 0)),
    "flat": lambda: a_town(1),
    "out of plane": lambda: a_town(2),
    "crowded": lambda: a_town(3, 200, 4.0, mixed=False),
    "scattered, large bins": lambda: a_town(4, 60, 60.0, bin_size=16.0),
    "small bins": lambda: a_town(5, bin_size=0.25),
    "empty": CollisionWorld,
}


# -- pairs_array ----------------------------------------------------------------------------------------------------


def assert_pairs(space: Any, **filters: Any) -> None:
    """Assert that the array equals the list, and has the documented type."""
    found = space.pairs_array(**filters)
    assert isinstance(found, numpy.ndarray)
    assert (numpy.int64, 2, 2) == (found.dtype, found.ndim, found.shape[1])
    assert space.pairs(**filters) == list(map(tuple, found.tolist()))


@pytest.mark.parametrize("filters", FILTERS.values(), ids=FILTERS)
@pytest.mark.parametrize("town", TOWNS.values(), ids=TOWNS)
def test_the_array_of_pairs_equals_the_list(town, filters):
    assert_pairs(town().space, **filters)


def test_the_array_of_pairs_includes_writes_additions_and_removals_T8(system):
    first, second, wall = a_crate(0), a_crate(5), a_wall(9)
    assert [] == system.space.pairs_array().tolist()
    part(second, Transform).x = 0.5
    assert [[first, second]] == system.space.pairs_array().tolist()
    third = a_crate(9.5)
    assert [[first, second], [wall, third]] == system.space.pairs_array().tolist()
    part(third, BoxCollider).enabled = False
    esper.delete_entity(second)
    assert (0, 2) == system.space.pairs_array().shape
    system.check()


def test_every_array_of_pairs_is_a_new_array():
    world = a_town(1)
    first = world.space.pairs_array(triggers=True)
    expected = first.tolist()
    world.set_positions([1, 4, 7], numpy.zeros((3, 2)))
    second = world.space.pairs_array(triggers=True)
    assert expected == first.tolist()
    first[:] = -7
    second[:] = -8
    assert_pairs(world.space, triggers=True)


def test_large_ids_are_returned_exactly():
    world = CollisionWorld()
    ids = [0, 2**31, 2**31 + 1, 2**53 + 1, 2**62]
    for entity in ids:
        world.add(entity, transform=Transform(0, 0), collider=a_square())
    assert [[a, b] for a in ids for b in ids if a < b] == world.space.pairs_array().tolist()


# -- overlapping_many -----------------------------------------------------------------------------------------------


def assert_many(space: Any, lo: Any, hi: Any, **filters: Any) -> None:
    """Assert that the rows equal single queries, in arrays of the documented type."""
    offsets, entities = space.overlapping_many(lo, hi, **filters)
    for array in (offsets, entities):
        assert isinstance(array, numpy.ndarray)
        assert (numpy.int64, 1) == (array.dtype, array.ndim)
    boxes = list(zip(numpy.asarray(lo).tolist(), numpy.asarray(hi).tolist(), strict=True))
    assert (len(boxes) + 1, 0, len(entities)) == (len(offsets), offsets[0], offsets[-1])
    found = [entities[begin:end].tolist() for begin, end in itertools.pairwise(offsets)]
    assert [space.overlapping((tuple(low), tuple(high)), **filters) for low, high in boxes] == found


def some_boxes(seed: int, count: int, axes: int, reach: float = 10.0) -> tuple[Any, Any]:
    """Return lo and hi of boxes on eighths: points, thin boxes, boxes of every size, and one around all."""
    dice = numpy.random.default_rng(seed)
    lo = dice.integers(-8 * reach, 8 * reach, (count, axes)) / 8
    if axes == 3:
        lo[:, 2] = dice.choice([-0.5, 0, 0.25, 1.5], count)
    hi = lo + dice.choice([0, 0.125, 1, 1, 3, 20], (count, axes))
    if count > 2:
        lo[1], hi[1] = -100, 100
    return lo, hi


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("town", TOWNS.values(), ids=TOWNS)
def test_many_queries_in_one_call_equal_single_queries(town, axes):
    world = town()
    for number, filters in enumerate(FILTERS.values()):
        assert_many(world.space, *some_boxes(number, 12, axes), **filters)
    assert_many(world.space, *some_boxes(20, 150, axes), triggers=True)


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("empty", [lambda axes: numpy.zeros((0, axes)), lambda axes: [], lambda axes: ()])
def test_no_queries_have_no_results(axes, empty):
    offsets, entities = a_town(1).space.overlapping_many(empty(axes), empty(axes))
    assert ([0], []) == (offsets.tolist(), entities.tolist())
    assert (numpy.int64, numpy.int64) == (offsets.dtype, entities.dtype)


def test_queries_at_the_ends_of_the_range_and_beyond_work_B2():
    edge = 2.0**20
    world = CollisionWorld()
    for entity, x in enumerate((0.75 - edge, 0, edge - 0.75), 1):
        world.add(entity, transform=Transform(x, -x, 0), collider=a_square())
    lo = numpy.array([(-edge, edge - 1), (edge - 1, -edge), (-(2.0**35), -(2.0**35)), (edge, edge), (-0.5, -0.5)])
    hi = lo + numpy.array([(1, 1), (1, 1), (2.0**36, 2.0**36), (2.0**30, 5), (0.5, 0.5)])
    assert_many(world.space, lo, hi)
    assert [1, 2, 3] == world.space.overlapping((tuple(lo[2]), tuple(hi[2])))


def test_query_boxes_round_inward_one_by_one_and_in_bulk_L1():
    world = a_town(2, 80, 3.0, mixed=False)
    dice = numpy.random.default_rng(9)
    lo = dice.uniform(-4, 4, (200, 3))
    hi = lo + dice.choice([0, 1e-9, 2.0**-17, 2.0**-16, 0.3], (200, 3))
    assert_many(world.space, lo, hi, triggers=True)


def test_many_queries_include_writes_additions_and_removals_T8(system):
    first, second = a_crate(0), a_crate(5)
    box = numpy.array([(-0.25, -0.25)]), numpy.array([(0.25, 0.25)])
    part(second, Transform).x = 0.5
    assert ([0, 2], [first, second]) == tuple(map(list, system.space.overlapping_many(*box)))
    esper.delete_entity(first)
    third = a_wall(-0.5)
    assert ([0, 2], [second, third]) == tuple(map(list, system.space.overlapping_many(*box)))


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_boxes_may_have_any_form_that_numpy_converts(form, axes):
    lo, hi = some_boxes(5, 20, axes)
    given_lo, given_hi = form(lo), form(hi)
    assert_many(a_town(1).space, given_lo, given_hi, triggers=True)
    assert numpy.array_equal(numpy.asarray(given_lo), numpy.asarray(form(lo)))
    assert numpy.array_equal(numpy.asarray(given_hi), numpy.asarray(form(hi)))


def test_every_result_is_a_new_array():
    world = a_town(1)
    lo, hi = some_boxes(5, 40, 2)
    first = world.space.overlapping_many(lo, hi)
    expected = [array.tolist() for array in first]
    second = world.space.overlapping_many(lo[:7], hi[:7], triggers=True)
    lo[:] = 0
    assert expected == [array.tolist() for array in first]
    for array in (*first, *second):
        array[:] = -3
    assert_many(world.space, *some_boxes(5, 40, 2))


REFUSED = NO_BOXES | {
    "an entity": (1, None, CollisionError, ("lo",)),
    "huge": ([[0, 0], [0, 0]], [[1, 1], [1, 1e300]], CollisionValueError, ("hi", "1", "1e+300")),
}


@pytest.mark.parametrize(("lo", "hi", "kind", "pieces"), REFUSED.values(), ids=REFUSED)
def test_invalid_boxes_are_refused_by_name_and_change_nothing_L3(lo, hi, kind, pieces):
    world = a_town(1)
    world.step()
    version, cells = world.version, list(world.space.cells)
    for _ in range(2):
        text = text_of(lambda: world.space.overlapping_many(lo, hi), kind)
        assert [] == [piece for piece in pieces if piece not in text], text
    assert (version, cells) == (world.version, list(world.space.cells))
    assert_many(world.space, *some_boxes(5, 10, 2))
