"""The options of broad phases: what is accepted, and what an invalid value raises."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from typing import Any

import esper
import pytest
from squares import text_of
from twin_grids import DEFAULTS, VARIANTS
from worlds import fresh_world

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    Transform,
)
from ecs_collision import broadphase as rooms
from ecs_collision.broadphase import (
    BroadPhase,
    Buckets,
    FootprintGrid,
    LinearOctree,
    Octree,
    PointerOctree,
    Quadtree,
    SweepAndPrune,
)
from ecs_collision.broadphase.choices import CHOICES
from ecs_collision.broadphase.make_index import index_of

NAN, INF = float("nan"), float("inf")

pytestmark = pytest.mark.once


class Own(Octree):
    """A subclass of a game, which no index exists for."""


# -- the setting -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_world_and_a_system_use_the_broad_phase_they_are_given(name: str) -> None:
    choice = CHOICES[name]()
    kind = type(index_of(choice, 16))
    for given in (name, choice):
        with fresh_world():
            system = CollisionSystem(broad_phase=given)
            esper.add_processor(system)
            worlds = [CollisionWorld(broad_phase=given), system._world]
            esper.process()
            esper.clear_database()
            esper.process()
            for world in [*worlds, system._world]:
                assert choice == world._settings.broad_phase == world.space.describe().broad_phase
                assert kind is type(world._bodies.dynamic) is type(world._bodies.static)
            assert choice == system.space.describe().broad_phase


def test_the_default_is_buckets() -> None:
    assert CHOICES["buckets"]() == CollisionWorld()._settings.broad_phase == Buckets()


def test_every_name_is_that_of_an_exported_class() -> None:
    assert {choice.name: choice for choice in CHOICES.values()} == CHOICES
    assert {choice.__name__ for choice in CHOICES.values()} | {"BroadPhase"} <= set(rooms.__all__)


@pytest.mark.parametrize("name", ["octre", "Octree", "octree ", "OCTREE", "oct_tree"])
def test_a_misspelt_name_gets_a_hint(name: str) -> None:
    message = text_of(lambda: CollisionWorld(broad_phase=name), CollisionValueError)
    assert f"broad_phase is {name!r}" in message
    assert "did you mean 'octree'?" in message
    assert all(f'"{each}"' in message for each in CHOICES)


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "another name": ("kd_tree", CollisionValueError, "must be one of"),
    "None": (None, CollisionTypeError, "None"),
    "a number": (3, CollisionTypeError, "Octree(capacity=16)"),
    "a class": (Octree, CollisionTypeError, "give an instance, Octree()"),
    "the base class": (BroadPhase, CollisionTypeError, "must be one of"),
    "an instance of an own class": (Own(), CollisionTypeError, "must be one of"),
    "an index": (index_of(Buckets(), 16), CollisionTypeError, "must be one of"),
}


@pytest.mark.parametrize(("value", "kind", "part"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("make", [CollisionWorld, CollisionSystem])
def test_an_invalid_broad_phase_is_an_error_with_its_name(
    make: Callable[..., Any], value: Any, kind: type[Exception], part: str
) -> None:
    message = text_of(lambda: make(broad_phase=value), kind)
    assert message.startswith("broad_phase is ")
    assert part in message
    assert len(message) < 500


# -- options -----------------------------------------------------------------------------------------------------------


INVALID: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "capacity 0": (lambda: Octree(capacity=0), CollisionValueError, "capacity is 0, but it must be at least 1"),
    "capacity 1.5": (lambda: Octree(capacity=1.5), CollisionTypeError, "capacity must be a whole number, not 1.5"),
    "octree depth 22": (
        lambda: Octree(max_depth=22),
        CollisionValueError,
        "is 22, but it must be at most 21",
    ),
    "depth text": (lambda: PointerOctree(max_depth="deep"), CollisionTypeError, "max_depth must be a whole number"),
    "ignored axis w": (
        lambda: Quadtree(ignored_axis="w"),
        CollisionValueError,
        "ignored_axis is 'w'; it must",
    ),
    "axis a": (lambda: SweepAndPrune(axis="a"), CollisionValueError, 'axis is \'a\'; it must be "x", "y" or "z"'),
    "lo a number": (lambda: FootprintGrid(lo=1), CollisionTypeError, "lo of FootprintGrid is 1; it must be a tuple"),
    "hi infinite": (lambda: FootprintGrid(hi=(INF, 0)), CollisionValueError, "hi x of FootprintGrid is inf"),
    "turned round": (lambda: FootprintGrid(lo=(5, 0), hi=(0, 1)), CollisionValueError, "lo x of FootprintGrid is 5.0"),
    "cell size 3": (lambda: FootprintGrid(cell_size=3), CollisionValueError, "cell_size is 3.0; it must be a power of"),
    "cell size small": (lambda: FootprintGrid(cell_size=2.0**-9), CollisionValueError, "it must be at least 0.0039"),
    "by place": (
        lambda: Octree(3),
        CollisionTypeError,
        "Octree got 3; its options are capacity, max_depth; give them by name: Octree(capacity=...)",
    ),
    "unknown": (
        lambda: Octree(size=3),
        CollisionTypeError,
        "'size' is not an option of Octree; its",
    ),
    "misspelt": (lambda: Octree(capasity=3), CollisionTypeError, "did you mean 'capacity'?"),
}


@pytest.mark.parametrize(("make", "kind", "part"), INVALID.values(), ids=INVALID)
def test_an_invalid_option_is_an_error_with_name_and_value(
    make: Callable[[], Any], kind: type[Exception], part: str
) -> None:
    assert part in text_of(make, kind)


VALID: dict[str, Callable[[], BroadPhase]] = {
    **{name: lambda choice=choice: choice for name, choice in VARIANTS.items()},  # type: ignore[misc]
    "the least": lambda: Octree(capacity=1, max_depth=1),
    "the most": lambda: Octree(capacity=1 << 20, max_depth=21),
    "the deepest linear one": lambda: LinearOctree(max_depth=20),
    "lists": lambda: FootprintGrid(lo=[-1, -1], hi=[1, 1]),
    "less than a cell": lambda: FootprintGrid(lo=(0.1, 0.1), hi=(0.2, 0.2)),
    "less than a unit": lambda: FootprintGrid(lo=(0, 0), hi=(5e-324, 5e-324)),
    "more than the index": lambda: FootprintGrid(lo=(-3e6, -3e6), hi=(3e6, 3e6), cell_size=16384),
}


@pytest.mark.parametrize("make", VALID.values(), ids=VALID)
def test_options_are_values_and_make_an_index(make: Callable[[], BroadPhase]) -> None:
    choice = make()
    assert choice == copy.copy(choice) == copy.deepcopy(choice) == pickle.loads(pickle.dumps(choice))
    assert hash(choice) == hash(copy.deepcopy(choice))
    assert repr(choice).startswith(type(choice).__name__ + "(")
    for field in fields(choice):
        with pytest.raises(FrozenInstanceError):
            setattr(choice, field.name, 3)
    world = CollisionWorld(broad_phase=choice)
    assert choice == world._settings.broad_phase
    world.check()


def test_equal_options_are_equal_and_others_are_not() -> None:
    assert Octree(capacity=3) == Octree(max_depth=21, capacity=3) != Octree(capacity=4)
    assert Octree(capacity=8) != Quadtree(capacity=8)
    assert FootprintGrid(lo=(0, 0), hi=(1, 1)) == FootprintGrid(lo=[0.0, 0.0], hi=[1.0, 1.0])  # type: ignore[arg-type]


def test_a_footprint_grid_of_too_many_cells_is_refused_with_a_remedy() -> None:
    large = FootprintGrid(lo=(-5000, -5000), hi=(5000, 5000))
    small_bins: dict[str, Any] = {"bin_size": 2.0**-8, "broad_phase": "footprint_grid"}
    for settings in ({"broad_phase": large}, small_bins):
        message = text_of(lambda settings=settings: CollisionWorld(**settings), CollisionValueError)  # type: ignore[misc]
        assert "cells" in message and "give a greater cell_size or a smaller area" in message
    assert CollisionWorld(bin_size=4.0, broad_phase=large)._settings.broad_phase == large


@pytest.mark.parametrize(
    ("lo", "hi", "cell_size", "expected"),
    [
        ((0, 0), (4, 3), 1, (5, 4)),
        ((0, 0), (3.75, 2.25), 1, (4, 3)),
        ((0.5, -0.5), (4, 3), 1, (5, 5)),
        ((-0.25, -0.25), (0.25, 0.25), 1, (2, 2)),
        ((-0.25, -0.25), (0.25, 0.25), 0.25, (3, 3)),
        ((-8, 1), (-7, 9), 4, (1, 3)),
        ((-8, 1), (-4, 8), 4, (2, 3)),
    ],
)
def test_the_corners_of_a_footprint_grid_are_moved_outwards_to_whole_cells(
    lo: Any, hi: Any, cell_size: float, expected: tuple[int, int]
) -> None:
    assert expected == FootprintGrid(lo=lo, hi=hi, cell_size=cell_size).cells(64.0)
    assert expected == FootprintGrid(lo=lo, hi=hi).cells(cell_size)


def test_a_box_that_ends_at_the_upper_corner_of_a_footprint_grid_is_inside() -> None:
    for end, nodes in ((8, 4), (9, 0)):
        world = CollisionWorld(broad_phase=FootprintGrid(lo=(0, 0), hi=(8, 8)))
        world.add(transform=Transform(end - 0.5, end - 0.5), collider=BoxCollider(0.5, 0.5))
        assert nodes == world.space.describe().dynamic.nodes


def test_a_misspelt_setting_is_refused_with_the_one_that_is_meant() -> None:
    message = text_of(lambda: CollisionWorld(broadphase="octree"), CollisionTypeError)  # type: ignore[call-arg]
    assert message.startswith("'broadphase' is not a setting of a CollisionWorld; the settings are 'bin_size', 'rule'")
    assert message.endswith("; did you mean 'broad_phase'?")


def test_an_option_cannot_be_set_and_an_unknown_one_neither():
    for name in ("capacity", "depth"):
        with pytest.raises(AttributeError, match=f"cannot assign to field '{name}'"):
            setattr(Octree(), name, 3)
