"""A Morton grid beside brute force: the same boxes added, moved and removed in both, the same queries run in both."""

from __future__ import annotations

import random

from ecs_collision.broadphase.brute_force import BruteForceIndex
from ecs_collision.broadphase.morton_grid.grid import Grid

UNIT = 65536
EVERYWHERE = (*[-(2**40)] * 3, *[2**40] * 3)
Faces = tuple[int, int, int, int, int, int]


def box(x: float, y: float, z: float, wide: float = 1, high: float = 1, deep: float = 1) -> Faces:
    """Return the faces of a box from its lower corner and its sides in world units."""
    lo = [int(v * UNIT) for v in (x, y, z)]
    return (*lo, lo[0] + int(wide * UNIT), lo[1] + int(high * UNIT), lo[2] + int(deep * UNIT))


class GridPair:
    """A grid and brute force with the same boxes in the same slots."""

    def __init__(self, *, flat: bool = False, bin_shift: int = 16) -> None:
        self.grid, self.plain = Grid(bin_shift), BruteForceIndex(bin_shift)
        self.both = (self.grid, self.plain)
        self.runs: dict[int, tuple[int, int]] = {}
        self.set_flat(flat)

    def add(self, owner: int, *parts: Faces, awake: bool = True) -> int:
        first, same = (each.allocate(len(parts)) for each in self.both)
        assert first == same
        for slot, faces in enumerate(parts, first):
            self.place(slot, owner, awake, faces)
        self.runs[owner] = (first, len(parts))
        return first

    def place(self, slot: int, owner: int, awake: bool, faces: Faces) -> None:
        for each in self.both:
            each.place(slot, owner, awake, *faces)

    def remove(self, owner: int) -> None:
        run = self.runs.pop(owner)
        for each in self.both:
            each.remove(*run)

    def shift(self, owner: int, dx: int, dy: int, dz: int) -> int:
        """Shift the boxes of an owner; return the number of grid cells left and entered."""
        before = self.grid.cell_changes
        for each in self.both:
            each.shift(*self.runs[owner], dx, dy, dz)
        return self.grid.cell_changes - before

    def set_awake(self, owner: int, awake: bool) -> None:
        for each in self.both:
            each.set_awake(*self.runs[owner], awake)

    def set_flat(self, flat: bool) -> None:
        for each in self.both:
            each.set_flat(flat)

    def boxes(self, owner: int) -> list[Faces]:
        first, count = self.runs[owner]
        faces = self.plain.boxes.faces
        return [tuple(faces[6 * slot : 6 * slot + 6]) for slot in range(first, first + count)]  # type: ignore[misc]

    def found(self, region: Faces) -> list[int]:
        count = self.grid.collect(*region)
        return sorted(self.grid.hits[:count])

    def expected(self, region: Faces) -> list[int]:
        count = self.plain.collect(*region)
        return sorted(self.plain.hits[:count])

    def verify(self, region: Faces) -> None:
        for each in self.both:
            each.check()
        assert self.expected(region) == self.found(region)


def random_box(rng: random.Random, flat: bool, spread: float = 12) -> Faces:
    """Return a box of a size from 0 to a thousand; often on bin borders."""
    size = rng.choice((0, 0.25, 0.5, 1, 1, 1, 2, 3, 7, 40, 1000) if rng.random() < 0.5 else (0.5, 1))
    sides = [size * rng.choice((1, 1, 0.5, 0)) for _ in range(3)]
    corner = [
        float(rng.randint(-int(spread), int(spread))) if rng.random() < 0.6 else rng.uniform(-spread, spread)
        for _ in range(3)
    ]
    if rng.random() < 0.3:
        corner = [c - side for c, side in zip(corner, sides, strict=True)]
    if flat:
        corner[2], sides[2] = -0.5, 1
    return box(*corner, *sides)
