"""How large the index of a world is: `space.describe()`."""

from __future__ import annotations

from dataclasses import dataclass

from ecs_collision.broadphase.choices import BroadPhase
from ecs_collision.broadphase.protocol import Index


@dataclass(frozen=True, slots=True)
class IndexSize:
    """The size of one index of a world; bodies that may move and statics have one each (B6).

    boxes: the number of boxes.
    entries: how often these are listed in nodes; a box may be in several.
    nodes: the cells, or nodes of a tree, in use; 0 if the structure has none.
    depth: the number of levels of these.
    bytes: memory of the boxes and of the structure, including what is reserved for more.
    """

    boxes: int
    entries: int
    nodes: int
    depth: int
    bytes: int

    def __str__(self) -> str:
        each = f", {self.bytes / self.boxes:.0f} each" if self.boxes else ""
        return (
            f"{self.boxes} boxes, {self.entries} entries in {self.nodes} nodes, depth {self.depth}, "
            f"{self.bytes} bytes{each}"
        )


@dataclass(frozen=True, slots=True)
class SpaceDescription:
    """The `broad_phase` of a world, and the sizes of its two indexes, `dynamic` and `static`. `print` it."""

    broad_phase: BroadPhase
    dynamic: IndexSize
    static: IndexSize

    def __str__(self) -> str:
        return f"{self.broad_phase}\n  bodies that may move: {self.dynamic}\n  statics: {self.static}"


def size_of(index: Index) -> IndexSize:
    """Return the size of an index: O(boxes + nodes)."""
    size, boxes = index.measure(), index.boxes
    pool = boxes.bytes_used()
    return IndexSize(boxes.box_count, size.entries, size.nodes, size.depth, size.bytes + pool)
