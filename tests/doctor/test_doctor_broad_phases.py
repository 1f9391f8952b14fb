"""The doctor names a broad phase that does not suit the world, and is silent about one that does."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ecs_collision import BoxCollider, CollisionWorld, Transform
from ecs_collision.broadphase import BroadPhase, BruteForce, FootprintGrid, Quadtree, SweepAndPrune
from ecs_collision.broadphase.choices import CHOICES
from ecs_collision.doctor.broad_phases import FEW_BOXES, MANY_BOXES


def advice(
    broad_phase: BroadPhase | str, places: Iterable[tuple[float, ...]], half: float = 0.5, **more: bool
) -> list[str]:
    world = CollisionWorld(broad_phase=broad_phase)
    for place in places:
        world.add(transform=Transform(*place), collider=BoxCollider(half, half, **more))
    return [str(line) for line in world.doctor() if line.kind == "broad phase"]


def row(count: int, *step: float) -> list[tuple[float, ...]]:
    return [tuple(at * each for each in step) for at in range(count)]


def square(side: int) -> list[tuple[float, ...]]:
    return [(2.0 * x, 2.0 * y) for x in range(side) for y in range(side)]


def test_brute_force_is_advised_against_from_a_number_of_boxes_on():
    (line,) = advice(BruteForce(), row(FEW_BOXES, 2, 0))
    assert f"tests all {FEW_BOXES} boxes" in line and '"buckets"' in line
    assert advice(BruteForce(), row(FEW_BOXES - 1, 2, 0)) == []


@pytest.mark.parametrize("name", [name for name in CHOICES if name != "brute_force"])
def test_nothing_is_said_about_a_square_of_boxes(name: str):
    assert advice(name, square(9)) == []


def test_boxes_outside_a_footprint_grid_are_counted_and_its_corners_given():
    grid = FootprintGrid(lo=(-1, -1), hi=(101, 9))
    assert advice(grid, [*row(90, 1.0, 0), *row(10, 0, 0.5)]) == []
    (line,) = advice(grid, row(120, 1.0, 0))  # its last cell ends at 102
    assert "18 of 120 boxes lie outside the FootprintGrid" in line
    assert "from (-0.5, -0.5) to (119.5, 0.5)" in line
    assert advice(FootprintGrid(lo=(-0.5, -0.5), hi=(119.5, 0.5)), row(120, 1.0, 0)) == []


@pytest.mark.parametrize(("axis", "step", "better"), [("x", (0, 2), "y"), ("y", (2, 0), "x"), ("z", (0, 2), "y")])
def test_a_sweep_along_an_axis_without_spread_is_named_with_a_better_axis(axis, step, better):
    (line,) = advice(SweepAndPrune(axis=axis), row(FEW_BOXES, *step))
    assert f"sweeps along {axis.replace('z', 'x')}" in line  # a flat world has no z
    assert f'axis="{better}"' in line
    assert advice(SweepAndPrune(axis=better), row(FEW_BOXES, *step)) == []


def test_a_quadtree_that_ignores_the_axis_of_a_tower_is_named_with_a_better_axis():
    tower = [(x, y, 2.0 * z) for x in (0, 2, 4) for y in (0,) for z in range(30)]
    (line,) = advice(Quadtree(ignored_axis="z"), tower)
    assert "ignores z, along which the boxes are spread over 59" in line and 'ignored_axis="y"' in line
    assert advice(Quadtree(ignored_axis="y"), tower) == []


def test_a_pointer_octree_is_for_few_boxes():
    (line,) = advice("pointer_octree", row(MANY_BOXES, 2, 0))
    assert f"slow with {MANY_BOXES} boxes" in line and '"linear_octree"' in line
    assert advice("pointer_octree", row(MANY_BOXES - 1, 2, 0)) == []


@pytest.mark.parametrize(("size", "is_named"), [(0.25, True), (0.5, False), (8, False), (16, True)])
def test_cells_of_a_footprint_grid_that_do_not_fit_are_named_with_some_that_do(size, is_named):
    lines = advice(FootprintGrid(lo=(-32, -32), hi=(32, 32), cell_size=size), square(9))
    assert [f"cells of the FootprintGrid have sides of {size:g}" in line for line in lines] == [True] * is_named
    assert all("a power of two from 1 to 4 as cell_size would suit them" in line for line in lines)


@pytest.mark.parametrize("choice", [FootprintGrid(), Quadtree()])
def test_a_world_as_deep_as_wide_is_not_for_a_structure_of_two_axes(choice):
    cube = [(2.0 * x, 2.0 * y, 2.0 * z) for x in range(4) for y in range(4) for z in range(4)]
    (line,) = advice(choice, cube)
    assert "does not divide z" in line and '"octree"' in line
    assert advice("octree", cube) == advice("linear_octree", cube) == []
    assert advice(choice, [(x, y, z / 4) for x, y, z in cube]) == []


@pytest.mark.parametrize("choice", [SweepAndPrune(), SweepAndPrune(axis="z"), Quadtree(), Quadtree(ignored_axis="y")])
@pytest.mark.parametrize("step", [0.0, 0.001, 1.0])
def test_a_flat_world_is_not_spread_along_z(choice: BroadPhase, step: float) -> None:
    """x replaces z in a sweep, and no tree divides z there (L5)."""
    assert [] == advice(choice, row(100, step, 0), half=0.01)


@pytest.mark.parametrize("choice", [BruteForce(), FootprintGrid(lo=(0, 0), hi=(1, 1)), SweepAndPrune(axis="y")])
def test_disabled_bodies_are_in_no_index(choice: BroadPhase) -> None:
    assert [] == advice(choice, row(100, 1, 0), enabled=False)


def test_the_corners_of_a_footprint_grid_count_as_moved_outwards_to_whole_cells() -> None:
    assert advice(FootprintGrid(lo=(-0.25, -0.25), hi=(3.5, 0.75), cell_size=1), row(100, 0.02, 0)) == []


def test_boxes_that_cover_too_many_cells_of_a_footprint_grid_are_counted():
    def lines(size):
        world = CollisionWorld(broad_phase=FootprintGrid(cell_size=size))
        for at in range(100):
            half = 20 if at < 40 else 0.5
            world.add(transform=Transform(at, 0), collider=BoxCollider(half, half))
        return [str(line) for line in world.doctor() if line.kind == "broad phase"]

    (line,) = lines(1)
    assert "40 of 100 boxes cover more than 256 cells of the FootprintGrid" in line
    assert lines(4) == []
