"""The broad phases that a world can use: `CollisionWorld(broad_phase=...)`, by name or with options.

All of them find the same boxes, so every answer, event and push of a world is the same. They differ in speed and
memory; docs/broad_phases.md compares them.

>>> from ecs_collision import CollisionWorld
>>> from ecs_collision.broadphase import Octree
>>> world = CollisionWorld(broad_phase=Octree(capacity=16))
>>> world = CollisionWorld(broad_phase="brute_force")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import AXES, finite, from_units, items_of, shown, to_units, whole
from ecs_collision.similar import did_you_mean

AxisName = Literal["x", "y", "z"]
BroadPhaseName = Literal[
    "buckets", "z_order_sweep", "pointer_octree", "linear_octree", "quadtree", "octree",
    "footprint_grid", "sweep_and_prune", "brute_force",
]  # fmt: skip
Corner = tuple[float, float]

Kind = TypeVar("Kind", bound="BroadPhase")

MAX_DEPTH = 21
"""The most levels of a tree: its root then covers the whole index, and its smallest nodes are one or two bins (B2)."""

MAX_FOOTPRINT_CELLS = 1 << 24
"""The most cells of a footprint grid."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def _choice(kind: type[Kind]) -> type[Kind]:
    """Make a dataclass of a class; its constructor refuses other arguments than its options."""
    made = dataclass(frozen=True, kw_only=True)(kind)
    known, init = [each.name for each in fields(made)], made.__init__

    @wraps(init)
    def checked(self: Any, /, *args: object, **options: object) -> None:
        listed = f"its options are {', '.join(known)}" if known else "it has no options"
        if args:
            by_name = f"; give them by name: {kind.__name__}({known[0]}=...)" if known else ""
            raise CollisionTypeError(f"{kind.__name__} got {shown(args[0])}; {listed}{by_name}")
        for name in options:
            if name not in known:
                raise CollisionTypeError(
                    f"{name!r} is not an option of {kind.__name__}; {listed}{did_you_mean(name, known)}"
                )
        init(self, **options)

    made.__init__ = checked  # type: ignore[assignment, method-assign]
    return made


@_choice
class BroadPhase:
    """A choice of broad phase and its options, which are given by name. The subclasses are the choices.

    name: what the setting `broad_phase` takes for the choice with its default options.
    """

    name: ClassVar[str] = ""


@_choice
class Buckets(BroadPhase):
    """A hash table of cells of a few sizes, each box in one cell, with short copies of five boxes in a cache line.

    The default.
    """

    name: ClassVar[str] = "buckets"


@_choice
class ZOrderSweep(BroadPhase):
    """The cells of all boxes in one list sorted by Morton codes, swept once for all pairs."""

    name: ClassVar[str] = "z_order_sweep"


@_choice
class PointerOctree(BroadPhase):
    """An octree of linked nodes, made on demand; a box is in the smallest node that contains it.

    max_depth: the most levels below the root, 1 to 21.
    """

    max_depth: int = MAX_DEPTH
    name: ClassVar[str] = "pointer_octree"

    def __post_init__(self) -> None:
        _keep(self, "max_depth", whole(self.max_depth, "max_depth", minimum=1, maximum=MAX_DEPTH))


@_choice
class LinearOctree(BroadPhase):
    """An octree without links: a hash table from location codes to nodes.

    max_depth: the most levels below the root, 1 to 20 (a location code has 61 bits).
    """

    max_depth: int = MAX_DEPTH - 1
    name: ClassVar[str] = "linear_octree"

    def __post_init__(self) -> None:
        _keep(self, "max_depth", whole(self.max_depth, "max_depth", minimum=1, maximum=MAX_DEPTH - 1))


@_choice
class Octree(BroadPhase):
    """An octree that divides a node when it has more than `capacity` boxes.

    capacity: at least 1; a greater one makes fewer nodes, and queries that test more boxes. max_depth: the most levels
    below the root, 1 to 21. The root grows with the world and shrinks only when it is empty, so few levels make a tree
    of a large world coarse.
    """

    capacity: int = 16
    max_depth: int = MAX_DEPTH
    name: ClassVar[str] = "octree"

    def __post_init__(self) -> None:
        _keep(self, "capacity", whole(self.capacity, "capacity", minimum=1, maximum=1 << 20))
        _keep(self, "max_depth", whole(self.max_depth, "max_depth", minimum=1, maximum=MAX_DEPTH))


@_choice
class Quadtree(BroadPhase):
    """A quadtree that divides a node when it has more than `capacity` boxes, and ignores one axis.

    capacity: at least 1; a greater one makes fewer nodes, and queries that test more boxes. max_depth: the most levels
    below the root, 1 to 21. ignored_axis: the axis that is never divided, "x", "y" or "z".
    """

    capacity: int = 16
    max_depth: int = MAX_DEPTH
    ignored_axis: AxisName = "z"
    name: ClassVar[str] = "quadtree"

    def __post_init__(self) -> None:
        _keep(self, "capacity", whole(self.capacity, "capacity", minimum=1, maximum=1 << 20))
        _keep(self, "max_depth", whole(self.max_depth, "max_depth", minimum=1, maximum=MAX_DEPTH))
        _axis(self.ignored_axis, "ignored_axis")


@_choice
class FootprintGrid(BroadPhase):
    """A bounded grid over x and y; boxes beyond it go to a list that every query tests.

    lo, hi: (x, y) of its corners in world units; a box that ends at `hi` is inside. The grid has whole cells.
    cell_size: side of a cell, a power of two from 2**-8 to 2**16, best about twice the side of most boxes; None for the
    `bin_size` of the world. There are at most 2**24 cells; each takes 4 bytes in both indexes of the world, the dynamic
    and the static one, with or without boxes.
    """

    lo: Corner = (-128.0, -128.0)
    hi: Corner = (128.0, 128.0)
    cell_size: float | None = None
    name: ClassVar[str] = "footprint_grid"

    def __post_init__(self) -> None:
        lo, hi = _corner(self.lo, "lo"), _corner(self.hi, "hi")
        for axis, low, high in zip(AXES, lo, hi, strict=False):
            if low >= high:
                raise CollisionValueError(
                    f"lo {axis} of FootprintGrid is {low!r}, hi {axis} {high!r}; hi must be greater on both axes"
                )
        _keep(self, "lo", lo)
        _keep(self, "hi", hi)
        if self.cell_size is not None:
            size = finite(self.cell_size, "cell_size", minimum=2.0**-8, maximum=2.0**16)
            units = to_units(size)
            if units & (units - 1) or from_units(units) != size:
                raise CollisionValueError(f"cell_size is {size!r}; it must be a power of two, such as 0.5, 1, 2 or 4")
            _keep(self, "cell_size", size)

    def cells(self, bin_size: float) -> tuple[int, int]:
        """Return the numbers of columns and rows of the grid in a world with this `bin_size`.

        Raises CollisionValueError if there are more than 2**24 cells.
        """
        size = self.cell_size or bin_size
        columns, rows = (int(high // size - low // size) + 1 for low, high in zip(self.lo, self.hi, strict=True))
        if columns * rows > MAX_FOOTPRINT_CELLS:
            raise CollisionValueError(
                f"FootprintGrid from {self.lo} to {self.hi} has {columns * rows} cells of {size}; the most are "
                f"{MAX_FOOTPRINT_CELLS}: give a greater cell_size or a smaller area"
            )
        return columns, rows


@_choice
class SweepAndPrune(BroadPhase):
    """All boxes sorted by where they begin on one axis, and kept sorted.

    axis: "x", "y" or "z"; best the one along which the boxes are spread most. In 2D "x" is used instead of "z".
    """

    axis: AxisName = "x"
    name: ClassVar[str] = "sweep_and_prune"

    def __post_init__(self) -> None:
        _axis(self.axis, "axis")


@_choice
class BruteForce(BroadPhase):
    """No structure: every query tests every box."""

    name: ClassVar[str] = "brute_force"


DEFAULT = Buckets()
"""The broad phase of a world for which none is chosen."""

CHOICES: dict[str, type[BroadPhase]] = {
    each.name: each
    for each in (
        *(Buckets, ZOrderSweep, PointerOctree, LinearOctree, Quadtree, Octree),
        *(FootprintGrid, SweepAndPrune, BruteForce),
    )
}
"""The classes of broad phases by name."""


def broad_phase_of(given: object) -> BroadPhase:
    """Return a broad phase given by name or as an instance. Raises an error that lists the names."""
    if isinstance(given, BroadPhase) and type(given) in CHOICES.values():
        return given
    listed = ", ".join(f'"{name}"' for name in CHOICES)
    if given == "morton_grid":
        raise CollisionValueError(
            'broad_phase is "morton_grid", which is no structure any more; leave broad_phase out, or give its '
            'successor "buckets"'
        )
    if isinstance(given, str):
        if given in CHOICES:
            return CHOICES[given]()
        raise CollisionValueError(
            f"broad_phase is {shown(given)}, but it must be one of {listed}{did_you_mean(given, CHOICES)}"
        )
    if isinstance(given, type) and given in CHOICES.values():
        raise CollisionTypeError(f"broad_phase is the class {given.__name__}; give an instance, {given.__name__}()")
    raise CollisionTypeError(
        f"broad_phase is {shown(given)}; it must be one of {listed}, or an instance such as Octree(capacity=16)"
    )


def _keep(choice: BroadPhase, name: str, value: object) -> None:
    object.__setattr__(choice, name, value)


def _axis(value: object, name: str) -> None:
    if not isinstance(value, str) or value not in ("x", "y", "z"):
        raise CollisionValueError(f'{name} is {shown(value)}; it must be "x", "y" or "z"')


def _corner(value: Sequence[float], name: str) -> Corner:
    items = items_of(value)
    if items is None or len(items) != 2:
        raise CollisionTypeError(f"{name} of FootprintGrid is {shown(value)}; it must be a tuple of two numbers (x, y)")
    x, y = (finite(item, f"{name} {axis} of FootprintGrid") for axis, item in zip(AXES, items, strict=False))
    return x, y
