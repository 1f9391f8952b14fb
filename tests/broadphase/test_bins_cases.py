"""The bin cases B that need a whole world: cells as the world shows them, and what queries find in them."""

from __future__ import annotations

import random

import pytest
from boards import Board, stop_of, trials

from ecs_collision import LATTICE, BoxCollider, CollisionError, Transform

RANGE = 2.0**20


def cells(board):
    """Return the occupied cells in the order of the directory."""
    space = board.world.space
    return [space.cell(key) for key in space.cells]


def rebuilt(board):
    """Return a new world of the same bodies, created in another order."""
    again = Board(bin_size=board.world._settings.bin_size)
    for entity in sorted(board.transforms, reverse=True):
        again._add(Transform(*board.transforms[entity].position), board.colliders[entity].copy(), id=entity)
    return again


@pytest.mark.parametrize(
    ("x", "low"),
    [
        (-0.3, -16.0), (-16.0, -16.0), (-16.0000001, -16.0), (-16.0 - LATTICE, -32.0),
        (0.0, 0.0), (15.9, 0.0), (16.0, 16.0),
    ],
)  # fmt: skip
def test_b01_a_coordinate_is_floor_divided_into_its_bin(x, low):
    """-16.0000001 is -16 on the lattice (L1); the next lattice point below is in the next bin."""
    board = Board(bin_size=16.0)
    board.body(x, w=0, h=0)
    (cell,) = cells(board)
    assert (low, low + 16.0) == (cell.lo[0], cell.hi[0])


@pytest.mark.parametrize("bin_size", [0.25, 1.0, 16.0])
def test_b04_the_lowest_place_is_legal_and_one_unit_below_is_refused(bin_size):
    board = Board(bin_size=bin_size)
    low = board.body(-RANGE * bin_size, w=0, h=0)
    assert -RANGE * bin_size == cells(board)[0].lo[0]
    before = board.places()
    with pytest.raises(CollisionError, match=rf"entity {low}.*Transform\.x"):
        board.world.teleport(low, -RANGE * bin_size - LATTICE, 0)
    assert before == board.places()
    with pytest.raises(CollisionError, match=r"Transform\.x"):
        board.body(RANGE * bin_size, w=0, h=0)
    board.body(RANGE * bin_size - LATTICE, w=0, h=0)
    board.world.check()


def test_b05_a_long_thin_body_is_in_few_cells_and_its_results_are_exact():
    board = Board()
    beam = board.body(0.5, 0.5, h=1000)
    assert 1 <= len(cells(board)) <= 8
    inside, beside = board.crate(1, 900), board.crate(1.5, 700)
    assert [inside] == board.world.space.overlapping(beam)
    assert [beside] == board.world.space.touching(beam)


def test_b07_a_neighbour_of_a_cell_sized_cube_touches_and_does_not_overlap():
    board = Board(bin_size=16.0)
    cube, neighbour = board.body(0, w=16, h=16), board.crate(16, 3)
    assert ([neighbour], []) == (board.world.space.touching(cube), board.world.space.overlapping(cube))


@pytest.mark.parametrize(
    ("x", "w", "dx", "changes"),
    [
        (0.25, 0.5, 0.125, 0),
        (0.25, 0.5, 1.5, 0),
        (0.25, 0.5, 1.75, 2),
        (0.25, 1.25, 1.5, 0),
        (0.25, 2.25, 2.5, 0),
        (0.25, 2.25, 8.0, 2),
    ],
)
def test_b12_only_the_cells_left_and_entered_are_changed(x, w, dx, changes):
    """A body is in the cell of its lowest corner: of side 2 for sides up to 2, and 8 for those up to 8."""
    board = Board(bin_size=1.0)
    mover = board.player(x, 0.25, w=w, h=0.5)
    board.world.step()
    board.world.request(mover, dx=dx)
    assert changes == board.world.step().stats.bin_changes


def test_b14_a_body_that_grows_changes_level_and_cells():
    board = Board(bin_size=1.0)
    box = board.body(0, w=4, h=4)
    assert {2} == {cell.level for cell in cells(board)}
    board.colliders[box].hx = 20
    assert {6} == {cell.level for cell in cells(board)}
    assert [box] == board.world.space.at(21.5, 2)
    board.colliders[box].hx = 0.25
    assert {2} == {cell.level for cell in cells(board)}, "its y side is still 4"
    board.world.check()


def test_b1_a_body_pushed_out_of_the_plane_and_back_gets_the_cells_of_a_new_world():
    """While all have the z range of 2D the cells ignore z; the first body that leaves it ends that."""
    board = Board()
    player, crate = board.player(0), board.crate(0, z=1)
    board.crate(5, w=3)
    board.push(crate, dz=-1, dx=3)
    assert list(rebuilt(board).world.space.cells) == list(board.world.space.cells)
    flat = len(board.world.space.cells)
    for dz in (2, 1, -3):
        board.push(player, dz=dz)
        board.world.check()
        assert list(rebuilt(board).world.space.cells) == list(board.world.space.cells)
    assert flat == len(board.world.space.cells)


def test_b16_queries_create_no_cell_and_the_last_body_removes_the_last_one():
    board = Board()
    crate, wall = board.crate(0), board.wall(5)
    count = len(board.world.space.cells)
    space = board.world.space
    assert [] == space.at(900, 900) == space.overlapping(((50, 50), (90, 90)))
    assert count == len(space.cells)
    board.world.remove(crate)
    board.world.remove(wall)
    assert 0 == len(space.cells) == len(space.static_cells) == board.world.step().stats.cells


def test_b20_after_any_number_of_changes_the_index_equals_that_of_a_new_world():
    board, rng = Board(), random.Random(20)
    for number in range(trials(5000)):
        _change(board, rng)
        if number % 100 == 0:
            _compare(board)
    _compare(board)


def _change(board, rng):
    ids = list(board.transforms)
    action = rng.choice(["add", "move", "teleport", "resize", "remove"]) if ids else "add"
    entity = rng.choice(ids) if ids else 0
    if action == "add" and len(ids) < 60:
        size = rng.choice((0.25, 1, 1, 3, 30))
        board._add(Transform(rng.randint(-90, 90) / 4, rng.randint(-90, 90) / 4), BoxCollider(size, size / 2))
    elif action == "move":
        board.push(entity, rng.randint(-20, 20) / 4, rng.randint(-20, 20) / 4)
    elif action == "teleport":
        board.world.teleport(entity, rng.randint(-90, 90) / 4, rng.randint(-90, 90) / 4)
    elif action == "resize":
        board.colliders[entity].hx = rng.choice((0, 0.5, 2, 9))
    elif action == "remove":
        board.world.remove(entity)
        for table in (board.transforms, board.colliders):
            del table[entity]


def _compare(board):
    board.world.check()
    assert list(rebuilt(board).world.space.cells) == list(board.world.space.cells)
    sides = {
        entity: (transform.x, transform.y, board.colliders[entity].hx, board.colliders[entity].hy)
        for entity, transform in board.transforms.items()
    }
    expected = [
        (a, b)
        for a in sorted(sides)
        for b in sorted(sides)
        if a < b and all(_apart(sides[a], sides[b], axis) < 0 for axis in (0, 1))
    ]
    assert expected == board.world.space.pairs()


def _apart(a, b, axis):
    """Return the gap between two boxes; a box without thickness is compared with both sides of the other."""
    low, high = max(a[axis] - a[axis + 2], b[axis] - b[axis + 2]), min(a[axis] + a[axis + 2], b[axis] + b[axis + 2])
    strict = a[axis] - a[axis + 2] < b[axis] + b[axis + 2] and b[axis] - b[axis + 2] < a[axis] + a[axis + 2]
    return -1 if strict else low - high


def test_b25_a_wall_removed_or_moved_stops_blocking_in_the_same_frame():
    board = Board()
    player, wall, far = board.player(0), board.wall(2), board.wall(9)
    assert ("x", wall, "IMMOVABLE", 1.0) == stop_of(board.push(player, 3))
    board.world.step()
    board.world.request(player, dx=3)
    board.world.remove(wall)
    frame = board.world.step()
    assert 1 == frame.stats.static_changes
    assert 4.0 == board.at(player)[0]
    board.transforms[far].x = 6.5
    board.world.request(player, dx=3)
    assert 1 == board.world.step().stats.static_changes
    assert 5.0 == board.at(player)[0]
    board.world.request(player, dx=-1)
    assert 0 == board.world.step().stats.static_changes
