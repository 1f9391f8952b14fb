"""Scenes and participants for the workload of structures: each broad phase as an index alone, and in a world."""

from __future__ import annotations

import gc
import zlib
from array import array
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy
from numpy.typing import NDArray

from benchmarks.boxes import Boxes, boxes, on_grain
from benchmarks.frames_crowd import STEP, Walk
from ecs_collision import BoxCollider, CollisionWorld, Contact, Frame, Static, Transform, Trigger
from ecs_collision.broadphase import BroadPhase, FootprintGrid
from ecs_collision.broadphase.make_index import index_of
from ecs_collision.broadphase.protocol import Index
from ecs_collision.fixed_point import PER_UNIT

BIN_SHIFT = 16
"""Bins of one world unit, the default of a world."""

TILES, MOVERS = 5_000, 200
MARGIN = 8.0
"""How far a bounded grid reaches beyond the scene."""

Pairs = NDArray[numpy.int64]


@dataclass(frozen=True)
class Scene:
    """Boxes that move, and in a level also boxes that stand still."""

    name: str
    movers: Boxes
    statics: Boxes | None = None

    @property
    def count(self) -> int:
        """The number of all boxes."""
        return self.movers.count + (self.statics.count if self.statics else 0)

    @property
    def label(self) -> str:
        """The name with the number of boxes."""
        return f"{self.name}, {self.count:,} boxes"

    def suited(self, choice: BroadPhase) -> BroadPhase:
        """Return a choice with the options that fit this scene: a bounded grid covers it."""
        if isinstance(choice, FootprintGrid):
            end = self.movers.side + MARGIN
            return FootprintGrid(lo=(-MARGIN, -MARGIN), hi=(end, end), cell_size=choice.cell_size)
        return choice


def crowd_scene(kind: str, count: int, dims: int = 2) -> Scene:
    """Return boxes of a kind of `benchmarks.boxes`, all of which may move."""
    return Scene(kind if dims == 2 else f"{kind}, {dims}D", boxes(count, dims, kind))


def level_scene(tiles: int, movers: int, seed: int = 6) -> Scene:
    """Return a level seen from the side: platforms of unit tiles that stand still, and smaller boxes that move."""
    rng = numpy.random.default_rng((seed, tiles, movers))
    width, height = max(4, int((tiles * 8) ** 0.5)), max(4, int((tiles * 2) ** 0.5))
    solid = numpy.zeros((height, width), bool)
    solid[0] = True
    while solid.sum() < tiles:
        row, column = int(rng.integers(2, height)), int(rng.integers(0, width))
        solid[row, column : column + int(rng.integers(3, 20))] = True
    rows, columns = (found[:tiles] for found in numpy.nonzero(solid))
    corners = numpy.stack([columns, rows], axis=1).astype(float)
    centres = rng.uniform(0, (width, height), (movers, 2))
    lo, hi = on_grain(centres - 0.375, centres + 0.375)
    return Scene("level", Boxes(lo, hi, float(width)), Boxes(corners, corners + 1.0, float(width)))


def faces_of(given: Boxes) -> tuple[array[int], ...]:
    """Return the faces of boxes in lattice units, an array for each: lo x, y, z, hi x, y, z; 2D is 1 deep (L5)."""
    corners = []
    for table, depth in ((given.lo, -0.5), (given.hi, 0.5)):
        if given.dims == 2:
            table = numpy.hstack([table, numpy.full((given.count, 1), depth)])
        corners += [(table[:, axis] * PER_UNIT).astype(numpy.int64) for axis in range(3)]
    return tuple(array("q", column.tobytes()) for column in corners)


class Indexes:
    """The two indexes of a broad phase, of boxes that move and of those that stand still, and work on them alone."""

    def __init__(self, scene: Scene, choice: BroadPhase) -> None:
        self.scene, self.choice = scene, scene.suited(choice)
        self._sets = [faces_of(each) for each in (scene.movers, scene.statics) if each is not None]
        rng = numpy.random.default_rng((8, scene.count))
        count, step = scene.movers.count, int(STEP * PER_UNIT)
        forward = [array("q", rng.integers(-step, step, count).tolist()) for _ in range(2)]
        forward.append(array("q", bytes(8 * count)))
        self._steps = [forward, [array("q", [-value for value in values]) for values in forward]]

    def built(self) -> list[Index]:
        """Return new indexes with all boxes; one query each includes what they defer until then."""
        made = []
        for faces in self._sets:
            index, count = index_of(self.choice, BIN_SHIFT), len(faces[0])
            index.set_flat(self.scene.movers.dims == 2)
            first = index.allocate(count)
            deque(map(index.place, range(first, first + count), range(count), repeat(True), *faces), 0)
            index.collect(0, 0, 0, 0, 0, 0)
            made.append(index)
        return made

    @cached_property
    def kept(self) -> list[Index]:
        """The indexes that all work except building is done on."""
        return self.built()

    def refill(self) -> None:
        """Empty a footprint grid and enter all boxes again, without a call from Python for each.

        A grid does so when boxes leave the plane. It does not divide z, so it looks the same before and after.
        """
        self.kept[0].set_flat(not self.kept[0].boxes.flat)

    def pairs(self) -> int:
        """Find all pairs of two movers and of a mover and a static; return how many there are."""
        movers = self.kept[0]
        return sum(movers.find_pairs(other, False) for other in self.kept[::-1])

    def found_pairs(self) -> list[Pairs]:
        """Return the pairs as sorted tables, for a comparison."""
        movers, tables = self.kept[0], []
        for other in self.kept:
            count = movers.find_pairs(other, False)
            table = numpy.array(movers.pairs[: 2 * count], numpy.int64).reshape(-1, 2)
            if other is movers:
                table.sort(axis=1)
            tables.append(table[numpy.lexsort((table[:, 1], table[:, 0]))])
        return tables

    def move(self) -> None:
        """Move every mover by a small step; every second call moves all of them back."""
        steps = self._steps[0]
        self._steps.reverse()
        deque(map(self.kept[0].shift, range(len(steps[0])), repeat(1), *steps), 0)

    def bytes_each(self) -> float:
        """Return the bytes for each box, those of the box itself included."""
        return sum(index.measure().bytes + index.boxes.bytes_used() for index in self.kept) / self.scene.count


class Worlds:
    """A world with a broad phase, and its frames.

    Crowds are triggers that report each other. In a level the movers are solid and report their contacts. One world
    serves several scenes of equal size (`arrange`), since creating it takes longer than all of its frames.
    """

    def __init__(self, scene: Scene, choice: BroadPhase) -> None:
        self.world = CollisionWorld(broad_phase=scene.suited(choice))
        self.scene = scene
        self.digests: list[int] = []
        self._colliders: list[BoxCollider] = []
        for number, (place, half) in enumerate(_places(scene.movers)):
            reporting: dict[str, Any] = (
                {"contact": Contact()} if scene.statics else {"trigger": Trigger(mask="default")}
            )
            collider = BoxCollider(*half)
            self.world.add(number, transform=Transform(*place), collider=collider, **reporting)
            self._colliders.append(collider)
        for number, (place, half) in enumerate(_places(scene.statics) if scene.statics else (), scene.movers.count):
            self.world.add(number, transform=Transform(*place), collider=BoxCollider(*half), static=Static())
        self._ids = numpy.arange(scene.movers.count)
        self._walk = Walk(scene.movers, (7,))
        self._ready: list[Callable[[], Frame]] = []
        self._settle()

    def arrange(self, scene: Scene, seed: int) -> None:
        """Give the movers the places and sizes of a scene with as many, and begin a new walk."""
        if scene is not self.scene:
            for collider, half, before in zip(
                self._colliders, scene.movers.halves.tolist(), self.scene.movers.halves.tolist(), strict=True
            ):
                if half != before:
                    for name, value in zip(("hx", "hy", "hz"), half, strict=False):
                        setattr(collider, name, value)
        self.scene = scene
        self.world.set_positions(self._ids, scene.movers.centres)
        self._walk = Walk(scene.movers, (seed,))
        self.digests.clear()
        self._settle()

    def prepare(self, moving: int, calls: int) -> None:
        """Choose what moves in the frames of one run; an untimed frame before them brings the memory into caches."""
        frames = [self._frame(*self._walk.step(moving)) for _ in range(calls + 1)]
        frames[0]()
        self._ready = frames[:0:-1]

    def run(self) -> Frame:
        """Do one prepared frame."""
        return self._ready.pop()()

    def note(self, frame: Frame) -> None:
        """Remember the events of the last frame of a run, without its number, which counts frames of other runs too."""
        self.digests.append(zlib.crc32(repr(frame.events).replace(f"frame={frame.number}", "").encode()))

    def pairs(self) -> int:
        """Return how many pairs of bodies overlap."""
        return len(self.world.space.pairs_array(triggers=True))

    def _frame(self, rows: Pairs, centres: NDArray[numpy.float64]) -> Callable[[], Frame]:
        world = self.world

        def frame() -> Frame:
            world.set_positions(rows, centres)
            return world.step()

        return frame

    def _settle(self) -> None:
        for _ in range(2):
            self.world.step()


def _places(given: Boxes) -> Iterable[tuple[list[float], list[float]]]:
    return zip(given.centres.tolist(), given.halves.tolist(), strict=True)


def worlds_of(scene: Scene, choices: Iterable[BroadPhase]) -> list[Worlds]:
    """Return a world for each choice. Their objects are excluded from garbage collection until `gc.unfreeze`."""
    made = [Worlds(scene, choice) for choice in choices]
    gc.collect()
    gc.freeze()
    return made
