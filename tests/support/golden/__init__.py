"""Scenes that go on by a script for thousands of frames, and hashes of what they must come to on every machine.

What is hashed: the state, the snapshot (sleep, remainders and counters too) and everything told on the way: events in
their order, results, answers. Scripts draw from `random.Random(seed).random()`, the one generator whose numbers Python
promises to keep, and never from the order of a set.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)

MARKS = (100, 500, 2000)
"""The frames whose hashes are recorded."""

Item = TypeVar("Item")


class Mark(NamedTuple):
    """What a scene has come to."""

    state: str
    snapshot: str
    said: str


class Scene:
    """Something that goes on frame by frame, and remembers a hash of all that it told."""

    settings: dict[str, Any] = {}

    def __init__(self) -> None:
        self._random = random.Random(type(self).__name__).random
        self._said = blake2b(digest_size=8)
        self.make()

    def make(self) -> None:
        """Set the scene."""
        raise NotImplementedError

    def frame(self, number: int) -> None:
        """Go on by a frame, the first is 1."""
        raise NotImplementedError

    def hashes(self) -> tuple[str, bytes]:
        """Return the hash of the state and the snapshot."""
        raise NotImplementedError

    def close(self) -> None:
        """Leave nothing behind."""

    def tell(self, *things: object) -> None:
        """Take what was told into the hash."""
        self._said.update(repr(things).encode())

    def mark(self) -> Mark:
        """Return what it has come to."""
        state, snapshot = self.hashes()
        return Mark(state[:16], blake2b(snapshot, digest_size=8).hexdigest(), self._said.hexdigest())

    # Chances.

    def chance(self, part: float) -> bool:
        return self._random() < part

    def whole(self, low: int, high: int) -> int:
        """Return a whole number, both ends included."""
        return low + int(self._random() * (high - low + 1))

    def real(self, low: float, high: float) -> float:
        return low + self._random() * (high - low)

    def one_of(self, items: Sequence[Item]) -> Item:
        return items[int(self._random() * len(items))]

    def step_of(self, most: float) -> float:
        """Return a displacement: often none, often in quarters, sometimes off the lattice."""
        kind = self.whole(0, 3)
        return 0.0 if kind == 0 else self.real(-most, most) if kind == 1 else self.whole(-4, 4) * most / 4

    def step_home(self, most: float, at: Transform, half: float, axes: int = 2) -> list[float]:
        """Return a displacement that does not lead further away than so far from the middle."""
        steps = [self.step_of(most) for _ in range(axes)]
        return [
            -abs(step) if here > half else abs(step) if here < -half else step
            for step, here in zip(steps, at.position, strict=False)
        ]


class WorldScene(Scene):
    """A scene in a world without an ECS."""

    def __init__(self) -> None:
        self.world = CollisionWorld(**self.settings)
        self.parts: dict[int, dict[str, Any]] = {}
        super().__init__()

    def hashes(self) -> tuple[str, bytes]:
        return self.world.state_hash(), self.world.snapshot()

    def frame(self, number: int) -> None:
        self.act(number)
        frame = self.world.step()
        self.tell(frame.number, frame.events)
        for id, result in frame.results.items():
            self.tell(id, result.moved, result.stops)
        if number % 250 == 0:
            self.world.check()
            self.tell([result.explain() for result in frame.results.values()], self.world.space.pairs(triggers=True))

    def act(self, number: int) -> None:
        """Do what the script does before a frame."""
        raise NotImplementedError

    def go(self, id: int, most: float, half: float, axes: int = 2) -> None:
        """Request a step that does not lead too far away."""
        self.world.request(id, *self.step_home(most, self.parts[id]["transform"], half, axes))

    # Bodies.

    def add(
        self, x: float, y: float, hx: float = 0.5, hy: float = 0.5, z: float = 0.0, hz: float = 0.5, **parts: Any
    ) -> int:
        """Add a body of one box, or of the collider given; `layer` and `mask` are those of the box."""
        more = {name: parts.pop(name) for name in ("layer", "mask", "offset") if name in parts}
        parts = {"transform": Transform(x, y, z), "collider": BoxCollider(hx, hy, hz, **more), **parts}
        id = self.world.add(**parts)
        self.parts[id] = parts
        return id

    def crate(self, x: float, y: float, inertia: float = 1.0, **more: Any) -> int:
        return self.add(x, y, inertia=Inertia(inertia), **more)

    def player(self, x: float, y: float, force: float = 5.0, **more: Any) -> int:
        return self.add(x, y, motion=Motion(force), **more)

    def wall(self, x: float, y: float, hx: float = 0.5, hy: float = 0.5, **more: Any) -> int:
        return self.add(x, y, hx, hy, static=Static(), **more)

    def zone(
        self, x: float, y: float, hx: float = 0.5, hy: float = 0.5, *, layer: str = "default", **trigger: Any
    ) -> int:
        return self.add(x, y, hx, hy, trigger=Trigger(**trigger), layer=layer)

    def sleeper(self, x: float, y: float, after: int = 3, **more: Any) -> int:
        return self.crate(x, y, sleeping=Sleeping(after=after), **more)

    def piece(self, cells: int, x: float, y: float, **more: Any) -> int:
        """Add a polyomino of so many cells, grown by chance."""
        found = [(0, 0)]
        while len(found) < cells:
            i, j = self.one_of(found)
            near = self.one_of(((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)))
            found += [near] if near not in found else []
        return self.add(x, y, collider=CompoundCollider.from_cells(found, 0.5), **more)

    def frame_of_walls(self, half: float) -> None:
        """Add four walls about the middle."""
        for x, y, hx, hy in ((half, 0, 1, half), (-half, 0, 1, half), (0, half, half, 1), (0, -half, half, 1)):
            self.wall(x, y, hx, hy)

    def places(self, count: int, half: int) -> Iterator[tuple[float, float]]:
        """Yield different places on a grid of halves about the middle."""
        taken: set[tuple[int, int]] = set()
        while len(taken) < count:
            place = (self.whole(-2 * half, 2 * half), self.whole(-2 * half, 2 * half))
            if place not in taken:
                taken.add(place)
                yield place[0] / 2, place[1] / 2


def part(low_x: float, low_y: float, high_x: float, high_y: float) -> Box:
    """Return the box of a compound between two corners."""
    middle = ((low_x + high_x) / 2, (low_y + high_y) / 2)
    return Box((high_x - low_x) / 2, (high_y - low_y) / 2, offset=middle)


def marks_of(make: Callable[[], Scene], last: int) -> dict[int, Mark]:
    """Return what a scene has come to at the marks up to the last frame."""
    scene = make()
    try:
        found = {}
        for number in range(1, last + 1):
            scene.frame(number)
            if number in MARKS:
                found[number] = scene.mark()
        return found
    finally:
        scene.close()
