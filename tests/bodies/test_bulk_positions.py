"""Positions of many bodies in one call: rounding, z kept, all or nothing."""

from __future__ import annotations

import numpy
import pytest

from ecs_collision import BoxCollider, CollisionError, CollisionWorld, Transform, UnknownEntity


def crowd(count: int = 3) -> tuple[CollisionWorld, list[int], list[Transform]]:
    world, places = CollisionWorld(), [Transform(4 * number, 0, 1) for number in range(count)]
    return world, [world.add(transform=at, collider=BoxCollider(0.5, 0.5)) for at in places], places


@pytest.mark.parametrize("dtype", [numpy.float64, numpy.float32, numpy.int64, numpy.uint8])
def test_positions_of_an_array_arrive_in_the_components(dtype):
    world, ids, places = crowd()
    world.set_positions(ids, numpy.array([[1, 2, 3], [11, 12, 13], [21, 22, 23]], dtype))
    assert [(1, 2, 3), (11, 12, 13), (21, 22, 23)] == [at.position for at in places]
    assert [ids[1]] == world.space.at(11, 12, 13)
    world.check()


def test_two_columns_keep_z_and_round_like_a_write():
    world, ids, places = crowd()
    numbers = [0.1, -0.1, 1 / 3, 2.5 / 65536, -2.5 / 65536, 7.0]
    world.set_positions(ids, numpy.array(numbers).reshape(3, 2))
    alike = [Transform(x, y, 1) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    assert [at.position for at in alike] == [at.position for at in places]


def test_arrays_of_any_layout_and_ids_of_any_kind_do():
    world, ids, places = crowd()
    table = numpy.arange(12.0).reshape(2, 6)[:, ::2].T
    world.set_positions(numpy.array(ids), table)
    assert [(0, 6, 1), (2, 8, 1), (4, 10, 1)] == [at.position for at in places]
    world.set_positions((number for number in ids), [(1, 1), (5, 5), (9, 9)])
    assert [(1, 1, 1), (5, 5, 1), (9, 9, 1)] == [at.position for at in places]


def test_an_id_that_comes_twice_goes_to_its_last_row():
    world, ids, places = crowd()
    world.set_positions([ids[0], ids[1], ids[0]], numpy.array([[7.0, 7], [20, 20], [9, 9]]))
    assert [(9, 9, 1), (20, 20, 1)] == [at.position for at in places[:2]]
    assert world.stats.moved == 0 and world.step().stats.moved == 2


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([numpy.nan, 0.0], r"position x of entity 2 is nan"),
        ([0.0, -numpy.inf], r"position y of entity 2 is -inf"),
        ([0.0, 1e300], r"position y of entity 2 is 1e\+300"),
        ([3e6, 0.0], r"entity 2: Transform.x is 3000000.0"),
    ],
)
def test_one_bad_row_leaves_everything_as_it_was(row, words):
    world, ids, places = crowd()
    before = [at.position for at in places]
    with pytest.raises(CollisionError, match=words):
        world.set_positions(ids, numpy.array([[1.0, 1.0], row, [2.0, 2.0]]))
    assert before == [at.position for at in places]
    assert not world.pending
    world.check()


def test_no_positions_are_no_change():
    world, _, _ = crowd()
    version = world.version
    world.set_positions([], numpy.empty((0, 2)))
    assert world.version == version


def test_rows_of_many_are_those_of_each():
    """Ids far apart, used again and huge ones too: the list by id covers only those close together."""
    world = CollisionWorld()
    ids = [0, 5, 4095, 4096, 100_000, 2**40, *range(7, 900)]
    for entity in ids:
        world.add(entity, transform=Transform(2 * (entity % 1000), 0), collider=BoxCollider(0.5, 0.5))
    for entity in (5, 4096, 8, 2**40):
        world.remove(entity)
    world.add(5, transform=Transform(0, 9), collider=BoxCollider(0.5, 0.5))
    there = [entity for entity in reversed(ids) if entity not in (4096, 8, 2**40)]
    for some in (there, there[-600:], there[:3]):
        assert [world.bodies.row(entity) for entity in some] == list(world.bodies.rows_of(some))
    for gone in (8, 4096, 2**40, -1, 10**30, "5", None):
        with pytest.raises(UnknownEntity, match=str(gone)):
            world.set_positions([7, gone], numpy.zeros((2, 2)))
