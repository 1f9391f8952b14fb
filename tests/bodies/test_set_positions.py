"""`set_positions`: one call makes many teleports, all or none (P12, L3, E7)."""

from __future__ import annotations

import array
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import esper
import numpy
import pytest
from arrays import FORMS, read_only
from squares import a_square, a_world_with, text_of
from worlds import a_box, a_crate, a_player, a_system, a_wall, a_zone, next_frame, part, place

from ecs_collision import (
    LATTICE,
    CollisionError,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    Inertia,
    InvalidChanges,
    Motion,
    ReentryError,
    Sleeping,
    StalePlan,
    Transform,
    Trigger,
    UnknownEntity,
    Woke,
    overlapping_pairs,
)
from ecs_collision.components import Parts


def test_thousands_of_bodies_move_to_the_positions_in_their_rows():
    world, dice = CollisionWorld(), numpy.random.default_rng(5)
    transforms = [Transform(0, 0, number % 4) for number in range(4000)]
    for number, transform in enumerate(transforms):
        world._stage(number * 3 + 5, Parts(transform, a_square(0.25), None, None, None, None, None))
    order = dice.permutation(4000)
    spots = dice.integers(-(2**30), 2**30, (4000, 3)) * LATTICE
    for columns in (2, 3):
        world.set_positions(order * 3 + 5, spots[order, :columns])
        expected = [(*spot[:2], spot[2] if columns == 3 else number % 4) for number, spot in enumerate(spots.tolist())]
        assert expected == [transform.position for transform in transforms]
    for number in dice.integers(0, 4000, 30).tolist():
        assert number * 3 + 5 in world.space.at(*spots[number].tolist())
    assert 4000 * 2 == world.step().stats.moved


# -- forms ----------------------------------------------------------------------------------------------------------


TABLES = FORMS | {
    "numbers of all kinds": lambda table: [[Fraction(x), numpy.int16(y), *rest] for x, y, *rest in table.tolist()],
    "objects": lambda table: table.astype(object),
}
IDS: dict[str, Callable[[list[int]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": lambda ids: (entity for entity in ids),
    "numpy's int64": lambda ids: numpy.array(ids, dtype=numpy.int64),
    "numpy's int32": lambda ids: numpy.array(ids, dtype=numpy.int32),
    "numpy's uint8": lambda ids: numpy.array(ids, dtype=numpy.uint8),
    "numpy's uint64": lambda ids: numpy.array(ids, dtype=numpy.uint64),
    "every other": lambda ids: numpy.repeat(ids, 2)[::2],
    "read only": lambda ids: read_only(numpy.array(ids)),
    "list of numpy's": lambda ids: [numpy.int64(entity) for entity in ids],
    "objects": lambda ids: numpy.array(ids, dtype=object),
    "array of the library": lambda ids: array.array("q", ids),
    "keys": lambda ids: dict.fromkeys(ids).keys(),
}


def world_and_transforms() -> tuple[CollisionWorld, list[Transform]]:
    """Return a world of four bodies at different heights, and their transforms."""
    transforms = [Transform(number * 10, 0, number) for number in range(4)]
    return a_world_with(*transforms), transforms


@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("form", TABLES.values(), ids=TABLES)
def test_positions_may_be_given_in_any_form_numpy_understands(form, columns):
    world, transforms = world_and_transforms()
    table = numpy.array([(5.0, 6.0, 7.0), (-8.0, 9.0, -10.0), (20.0, 30.0, 40.0)])[:, :columns]
    given = form(table)
    assert world.set_positions([3, 1, 4], given) is None
    expected = [(-8, 9, -10), (10, 0, 1), (5, 6, 7), (20, 30, 40)]
    if columns == 2:
        expected = [(x, y, z) for (x, y, _), z in zip(expected, range(4), strict=True)]
    assert expected == [transform.position for transform in transforms]
    assert {float} == {type(value) for transform in transforms for value in transform.position}
    assert [[1], [2], [3], [4]] == [world.space.at(*spot) for spot in expected]
    assert numpy.array_equal(numpy.asarray(given, dtype=float), table)


@pytest.mark.parametrize("form", IDS.values(), ids=IDS)
def test_ids_may_be_given_in_any_form_of_integers(form):
    world, transforms = world_and_transforms()
    world.set_positions(form([4, 1, 2]), numpy.array([(40, 1), (41, 2), (42, 3)]))
    assert [(41, 2, 0), (42, 3, 1), (20, 0, 2), (40, 1, 3)] == [transform.position for transform in transforms]
    world.set_positions(range(1, 5), numpy.zeros((4, 3)))
    assert [(0, 0, 0)] * 4 == [transform.position for transform in transforms]


@pytest.mark.parametrize("empty", [[], (), numpy.zeros((0, 2)), numpy.zeros((0, 3))], ids=["list", "tuple", "2", "3"])
def test_an_empty_call_changes_nothing(empty):
    world, transforms = world_and_transforms()
    plan = world.plan(1, 1)
    world.set_positions([], empty)
    world.set_positions(numpy.zeros(0, dtype=int), empty)
    assert plan.commit().complete
    assert (1, 0, 0) == transforms[0].position


def test_the_array_may_be_changed_and_used_again_after_the_call():
    world, transforms = world_and_transforms()
    table = numpy.array([(1.5, 2.5, 3.5)])
    for entity in (1, 2):
        world.set_positions([entity], table)
        table += 10
    assert [(1.5, 2.5, 3.5), (11.5, 12.5, 13.5)] == [transform.position for transform in transforms[:2]]


# -- values ---------------------------------------------------------------------------------------------------------


def test_values_round_as_they_do_in_a_transform_L1():
    values = [LATTICE / 2, -LATTICE / 2, -3 * LATTICE / 2, 0.1, -0.0, -LATTICE / 4, 1048574.3, 1 / 3]
    world, transforms = world_and_transforms()
    for number, value in enumerate(values):
        other = values[number - 1]
        world.set_positions([1], [(value, other, value)])
        expected = Transform(value, other, value).position
        assert expected == transforms[0].position
        world.set_positions([1], numpy.array([(value, other, value)]))
        assert expected == transforms[0].position
        assert [math.copysign(1, v) for v in expected] == [math.copysign(1, v) for v in transforms[0].position]


def test_two_columns_keep_the_z_that_was_written_last_E7():
    world, transforms = world_and_transforms()
    transforms[1].z = 50
    transforms[2].position = (1, 1, 60)
    world.move(4, 0, 0, 2)
    world.set_positions([4, 3, 2, 1], numpy.ones((4, 2)))
    assert [(1, 1, 0), (1, 1, 50), (1, 1, 60), (1, 1, 5)] == [transform.position for transform in transforms]


@pytest.mark.parametrize("columns", [2, 3])
def test_the_last_row_of_a_repeated_id_applies(columns):
    world, transforms = world_and_transforms()
    table = numpy.array([(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4)])[:, :columns]
    world.set_positions([2, 1, 2, 2], table)
    assert [(2, 2), (4, 4)] == [transform.position[:2] for transform in transforms[:2]]
    assert [2, 4] == [transform.z for transform in transforms[:2]] or columns == 2
    assert [2] == world.space.at(4, 4, transforms[1].z)
    assert 2 == world.step().stats.moved
    world.check()


def test_a_repeated_id_may_end_where_it_began():
    world, transforms = world_and_transforms()
    zone = world.add(transform=Transform(50, 0), collider=a_square(), trigger=Trigger())
    world.step()
    world.set_positions([1, 2, 1], [(50, 0, 0), (7, 7, 1), (0, 0, 0)])
    frame = world.step()
    assert ([], 1, (0, 0, 0)) == (frame.events, frame.stats.moved, transforms[0].position)
    assert [] == world.inside(zone)


def test_an_equal_position_is_a_write_but_no_displacement():
    world, transforms = world_and_transforms()
    sleeping = Sleeping(True, 2)
    sleeper = world.add(transform=Transform(70, 0), collider=a_square(), sleeping=sleeping)
    world.step()
    plan = world.plan(1, 1)
    world.set_positions([sleeper, 1], [(70, 0), (0, 0)])
    frame = world.step()
    assert ([], 0, True) == (frame.events, frame.stats.moved, sleeping.asleep)
    text_of(plan.commit, StalePlan)
    world.set_positions([sleeper], [(70, LATTICE)])
    assert [Woke(3, sleeper)] == world.step().events
    assert (0, 0, 0) == transforms[0].position


def test_a_write_after_the_call_and_before_the_frame_adds_to_it():
    world, transforms = world_and_transforms()
    world.set_positions([1, 2], [(5, 6, 7), (8, 9, 10)])
    transforms[0].y = 66
    world.set_positions([2], [(88, 99)])
    world.move(2, 1)
    assert [(5, 66, 7), (89, 99, 10)] == [transform.position for transform in transforms[:2]]
    assert [[1], [2]] == [world.space.at(5, 66, 7), world.space.at(89, 99, 10)]
    world.check()


# -- refusals -------------------------------------------------------------------------------------------------------

NAN = math.nan
REFUSED: dict[str, tuple[Any, Any, type[CollisionError], tuple[str, ...]]] = {
    "NaN": ([1, 2], numpy.array([(4, 4), (0, NAN)]), CollisionValueError, ("y of entity 2", "nan", "finite")),
    "one column": ([1], numpy.zeros((1, 1)), CollisionValueError, ("(x, y)",)),
    "four columns": ([1], numpy.zeros((1, 4)), CollisionValueError, ("(x, y)",)),
    "four in a list": ([1], [(1, 2, 3, 4)], CollisionValueError, ("position of entity 1", "(x, y)")),
    "one dimension": ([1, 2], numpy.zeros(2), CollisionValueError, ("(x, y)",)),
    "three dimensions": ([1, 2], numpy.zeros((2, 2, 2)), CollisionError, ("position",)),
    "fewer positions": ([1, 2], numpy.zeros((1, 2)), CollisionValueError, ("2 ids", "1 positions")),
    "more positions": ([1, 2], numpy.zeros((3, 2)), CollisionValueError, ("2 ids", "3 positions")),
    "no positions": ([1, 2], [], CollisionValueError, ("2 ids", "0 positions")),
    "no ids": ([], numpy.zeros((3, 2)), CollisionValueError, ("0 ids", "3 positions")),
    "an unknown id": ([1, 99], numpy.ones((2, 2)), UnknownEntity, ("entity 99", "not a body")),
    "an unknown id of numpy": (numpy.array([1, 99]), numpy.ones((2, 2)), UnknownEntity, ("entity", "99", "not a body")),
    "a negative id": ([1, -1], numpy.ones((2, 2)), UnknownEntity, ("entity -1",)),
    "out of range": ([1, 2], numpy.array([(4, 4), (0, 3e6)]), InvalidChanges, ("entity 2: Transform.y is 3000000.0",)),
}  # fmt: skip


@pytest.mark.parametrize(("ids", "table", "kind", "pieces"), REFUSED.values(), ids=REFUSED)
def test_a_refused_call_names_the_cause_and_moves_nothing_L3(ids, table, kind, pieces):
    """Invalid numbers and ids are in test_invalid_numbers.py."""
    world, transforms = world_and_transforms()
    world.step()
    plan = world.plan(4, 0.125)
    before = world.snapshot(), [transform.position for transform in transforms], list(world.space.cells)
    text = text_of(lambda: world.set_positions(ids, table), kind)
    assert [] == [piece for piece in pieces if piece not in text], text
    assert before == (world.snapshot(), [transform.position for transform in transforms], list(world.space.cells))
    world.check()
    assert plan.commit().complete


def test_only_the_last_row_of_an_id_must_be_in_range():
    world, transforms = world_and_transforms()
    world.set_positions([1, 1], [(3e6, 0), (4, 0)])
    assert (4, 0, 0) == transforms[0].position
    text_of(lambda: world.set_positions([1, 1], [(5, 0), (3e6, 0)]), InvalidChanges)
    assert (4, 0, 0) == transforms[0].position
    assert [1] == world.space.at(4, 0)
    world.check()


def test_a_refused_call_keeps_the_positions_reached_by_motions():
    world, transforms = world_and_transforms()
    world.add(transform=Transform(-2, 0), collider=a_square(), motion=Motion(3))
    inertia = Inertia(1)
    crate = world.add(transform=Transform(-4, 0), collider=a_square(), inertia=inertia)
    world.move(5, -3)
    transforms[1].y = 0.25
    for bad in (3e6, NAN):
        text_of(lambda bad=bad: world.set_positions([2, crate, 5], [(1, 1), (2, 2), (bad, 3)]))
        assert [(10, 0.25, 1), (-5, 0, 0)] == [
            world._bodies.transform(world._bodies.row(entity)).position for entity in (2, 5)
        ]
        assert [crate] == world.space.at(-6, 0)
        assert not world.pending
    world.check()


def test_pending_invalid_writes_are_refused_before_anything_is_set_L3():
    world, transforms = world_and_transforms()
    transforms[3].x = 9e6
    for _ in range(2):
        message = text_of(lambda: world.set_positions([1], [(5, 5)]), InvalidChanges)
        assert "entity 4: Transform.x is 9000000.0" in message
        assert [(0, 0, 0), (9e6, 0, 3)] == [transforms[0].position, transforms[3].position]
    transforms[3].x = 30
    world.set_positions([1], [(5, 5)])
    assert (5, 5, 0) == transforms[0].position


# -- in esper -------------------------------------------------------------------------------------------------------


def test_a_system_sets_positions_and_triggers_report_in_the_same_frame_P12(system):
    zone, crate, wall = a_zone(0, statics=True), a_crate(5), a_wall(9)
    sleeper = a_crate(20, 0, Sleeping(True, 5))
    assert next_frame(system) == []
    system.set_positions([wall, sleeper, crate], numpy.array([(0.5, 0), (-0.5, 0), (0, 0.5)]))
    assert [(0, 0.5, 0), (0.5, 0, 0), (-0.5, 0, 0)] == [place(entity) for entity in (crate, wall, sleeper)]
    assert next_frame(system) == [("entered", zone, crate), ("entered", zone, wall), ("entered", zone, sleeper)]
    assert not part(sleeper, Sleeping).asleep
    system.check()


def test_set_positions_first_applies_new_and_deleted_bodies_T8(system):
    old = a_crate(0)
    esper.process()
    esper.delete_entity(old)
    new = a_box(3)
    assert f"entity {old}" in text_of(lambda: system.set_positions([new, old], [(1, 1), (2, 2)]), UnknownEntity)
    assert (3, 0, 0) == place(new)
    system.set_positions([new], [(1, 1)])
    assert [new] == system.space.at(1, 1)


def test_a_hook_may_not_set_positions_P15(world):
    system = a_system(can_push=lambda pusher, pushed, axis, force: system.set_positions([pushed], [(9, 9)]))
    player, crate = a_player(0), a_crate(1)
    text_of(lambda: system.move(player, dx=1), ReentryError)
    assert [(0, 0, 0), (1, 0, 0)] == [place(player), place(crate)]
    system.check()


MASKED = numpy.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, False], [True, False]])


@pytest.mark.parametrize("given", [MASKED, list(MASKED), MASKED.astype(int)], ids=["array", "rows", "whole numbers"])
def test_masked_positions_are_refused_with_a_remedy_L3(system, given):
    bodies = [a_box(0), a_box(5)]
    with pytest.raises(CollisionTypeError, match=r"set_positions needs .* not a masked one; give the unmasked rows"):
        system.set_positions(bodies, given)
    with pytest.raises(CollisionTypeError, match="not a masked one"):
        system.set_positions(numpy.ma.array(bodies, mask=[False, True]), [(1, 1), (2, 2)])
    assert [(0, 0, 0), (5, 0, 0)] == [place(body) for body in bodies]


@pytest.mark.parametrize("given", [MASKED, list(MASKED)], ids=["array", "rows"])
def test_masked_corners_are_refused_in_every_query_of_many_boxes_L3(system, given):
    a_box(0)
    for ask in (system.space.overlapping_many, overlapping_pairs):
        for corners in ((given, MASKED.data + 1), (MASKED.data, given)):
            with pytest.raises(CollisionTypeError, match=r"must be an array of numbers.*not a masked one"):
                ask(*corners)


def test_rows_of_many_are_those_of_each():
    """Also for ids that are far apart, reused or huge; only close ids are in the array by id."""
    world = CollisionWorld()
    ids = [0, 5, 4095, 4096, 100_000, 2**40, *range(7, 900)]
    for entity in ids:
        world.add(entity, transform=Transform(2 * (entity % 1000), 0), collider=a_square())
    for entity in (5, 4096, 8, 2**40):
        world.remove(entity)
    world.add(5, transform=Transform(0, 9), collider=a_square())
    remaining = [entity for entity in reversed(ids) if entity not in (4096, 8, 2**40)]
    for some in (remaining, remaining[-600:], remaining[:3]):
        assert [world._bodies.row(entity) for entity in some] == list(world._bodies.rows_of(some))
    for gone in (8, 4096, 2**40, -1, 10**30, "5", None):
        with pytest.raises(UnknownEntity, match=str(gone)):
            world.set_positions([7, gone], numpy.zeros((2, 2)))
