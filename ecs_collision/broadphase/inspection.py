"""What measures, draws and checks the structures of this room: plain Python beside the kernels.

`inspection_of` returns what knows a structure. A structure other than a capacity tree depends on its boxes alone, not
on their history. So a check follows its lists and links, and compares what they hold with a new structure that has the
same boxes in the same slots.
"""

from __future__ import annotations

from array import array
from importlib import import_module
from itertools import pairwise
from typing import Any, ClassVar

from ecs_collision._arrays import bytes_of
from ecs_collision.broadphase.morton import ORIGIN, TOP_LEVEL, decode
from ecs_collision.broadphase.morton_codes import decode2
from ecs_collision.broadphase.protocol import Faces, Size
from ecs_collision.fixed_point import HALF_SLAB


class Inspection:
    """Measures, draws and checks an index. This one is of an index that stores nothing but the boxes."""

    arrays: ClassVar[str] = ""
    """The names of the arrays that the structure stores."""

    def __init__(self, index: Any) -> None:
        self.index, self.boxes = index, index.boxes
        self.kernel: Any = import_module(type(index).__module__)  # whose constants are the ones of the index
        self.placed = [slot for slot in range(self.boxes.slot_count) if self.boxes.owner[slot] >= 0]

    def bytes_used(self) -> int:
        """Return the bytes of the arrays, reserved items included."""
        return bytes_of(*(getattr(self.index, name) for name in self.arrays.split()))

    def measure(self) -> Size:
        """Return the size of the structure."""
        return Size(self.boxes.box_count, 0, 0, self.bytes_used())

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return the part of space of each node, with its level."""
        return []

    def faces(self, slot: int) -> list[int]:
        """Return the faces of the box in a slot."""
        return list(self.boxes.faces[8 * slot : 8 * slot + 6])

    def cube(self, x: int, y: int, z: int, side: int) -> Faces:
        """Return the faces of a cube; in 2D it has the z range of the boxes."""
        low, high = (-HALF_SLAB, HALF_SLAB) if self.boxes.flat else (z, z + side)
        return x, y, low, x + side, y + side, high

    def options(self) -> tuple[int, ...]:
        """Return what the index was made with, after the size of a bin."""
        return ()

    def made_anew(self) -> Inspection:
        """Return the inspection of a new index with the same boxes."""
        index = type(self.index)(self.boxes.bin_shift, *self.options())
        index.set_flat(self.boxes.flat)
        if self.boxes.slot_count:
            index.allocate(self.boxes.slot_count)
        for slot in self.placed:
            index.place(slot, self.boxes.owner[slot], bool(self.boxes.awake[slot]), *self.faces(slot))
        return type(self)(index)

    def contents(self) -> dict[str, Any]:
        """Return what is stored, in a form that depends on nothing but the boxes. Raises IndexError at a wrong link."""
        return {}

    def check(self) -> None:
        """Verify the structure. Raises IndexError for the first failure."""
        expected = self.made_anew().contents()
        for name, found in self.contents().items():
            if found != expected[name]:
                raise IndexError(f"the {name} are not those of the boxes")

    # Lists.

    def boxes_of(self, head: int, node: object) -> list[int]:
        """Return the sorted boxes of a node of a tree, from the first one of its list."""
        index, before = self.index, -1
        found: list[int] = []
        while head != -1:
            _verify(
                (0 <= head < self.boxes.slot_count and len(found) < len(self.placed), f"a node has slot {head}"),
                (index.previous_slots[head] == before, f"slot {head} is not linked to the slot before it"),
                (index.slot_nodes[head] == node, f"slot {head} is in another node than it notes"),
            )
            found.append(head)
            before, head = head, index.next_slots[head]
        return sorted(found)

    def free(self, first: int, after: Any, used: int) -> set[int]:
        """Return the free nodes or entries of `used` ones, from the first one; `after` has the next one of each."""
        found: set[int] = set()
        while first != -1:
            _verify((0 <= first < used and first not in found, f"the list of free ones is wrong at {first}"))
            found.add(first)
            first = after[first]
        return found


def _verify(*rules: tuple[bool, str]) -> None:
    """Raise IndexError with the words of the first rule that does not hold."""
    for holds, words in rules:
        if not holds:
            raise IndexError(words)


def _items(view: Any) -> array[int]:
    """Return the array behind a view; in plain Python it is the array itself."""
    return getattr(view, "base", view)  # type: ignore[no-any-return]


class CapacityTreeInspection(Inspection):
    """Of a quadtree or an octree with capacity, whose nodes depend on the history too."""

    arrays = (
        "slot_nodes next_slots previous_slots corners children parents heads box_counts asleep_counts places "
        "exponents is_divided"
    )

    def measure(self) -> Size:
        """Return the number of boxes, nodes with or without boxes of their own, and levels, and the bytes reserved."""
        index = self.index
        exponents = [exponent for exponent in index.exponents[: index.used] if exponent >= 0]
        boxes = index.box_counts[index.root] if index.root >= 0 else 0
        return Size(boxes, index.node_count, max(exponents) - min(exponents) + 1 if exponents else 0, self.bytes_used())

    def nodes(self) -> list[int]:
        """Return the nodes in use, parents before children."""
        index = self.index
        found = [index.root] if index.root >= 0 else []
        for node in found:
            _verify((len(found) <= index.used, f"node {node} is below itself"))
            found.extend(
                child for child in index.children[index.stride * node : index.stride * node + index.fan] if child != -1
            )
        return found

    def corner(self, node: int) -> list[int]:
        """Return where a node begins on the divided axes, and 0 for the others."""
        return list(self.index.corners[3 * node : 3 * node + 3])

    def axes(self) -> list[int]:
        """Return the divided axes."""
        return [axis for axis in (self.index.axis_u, self.index.axis_v, self.index.axis_w) if axis >= 0]

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return the cell of each node, without the margin by which boxes may reach out of it; level 0 is a bin."""
        found: list[tuple[Faces, int]] = []
        limit = self.boxes.limit
        for node in self.nodes():
            exponent = self.index.exponents[node]
            faces = [-limit, -limit, -limit, limit - 1, limit - 1, limit - 1]
            for axis, lo in zip(self.axes(), self.corner(node), strict=False):
                faces[axis], faces[axis + 3] = lo, lo + (1 << exponent)
            x, y, z, x1, y1, z1 = faces
            found.append(((x, y, z, x1, y1, z1), exponent - self.boxes.bin_shift))
        return found

    def check(self) -> None:
        """Verify nodes, places of boxes, counts and free nodes."""
        index = self.index
        own = {node: self.boxes_of(index.heads[node], node) for node in self.nodes()}
        free = self.free(index.first_free, index.parents, index.used)
        axes = [axis for axis in range(3) if axis != index.ignored_axis and not (axis == 2 and self.boxes.flat)]
        root = [index.root_exponent, index.root_u, index.root_v, index.root_w]
        _verify(
            (sorted(slot for boxes in own.values() for slot in boxes) == self.placed, "a box is in no node, or in two"),
            (len(self.nodes()) == index.node_count == len(own), f"{len(own)} nodes are in use, not {index.node_count}"),
            (len(free) + len(own) == index.used and not free & set(own), "a node is neither in use nor free"),
            (sum(map(bool, own.values())) == index.occupied_count, "the nodes with boxes are miscounted"),
            (not own or (index.fan == 1 << len(axes) and self.axes() == axes), "the divided axes are wrong"),
            (
                not own or [index.exponents[index.root], *self.corner(index.root)] == root,
                "the root has the wrong side or place",
            ),
        )
        for node, slots in own.items():
            self.check_node(node, slots)

    def check_node(self, node: int, own: list[int]) -> None:
        """Verify the children, the counts and the boxes of a node."""
        index, exponent = self.index, self.index.exponents[node]
        divided, count, asleep = bool(index.is_divided[node]), len(own), sum(not self.boxes.awake[slot] for slot in own)
        children = list(enumerate(index.children[index.stride * node : index.stride * (node + 1)]))
        for place, child in children:
            if child >= 0:
                count, asleep = count + index.box_counts[child], asleep + index.asleep_counts[child]
                linked = index.parents[child], index.places[child], index.exponents[child], self.corner(child)
                corner = [at + (place >> axis & 1) * (1 << exponent - 1) for axis, at in enumerate(self.corner(node))]
                _verify((linked == (node, place, exponent - 1, corner), f"child {child} of node {node} is wrong"))
        _verify(
            (exponent >= index.floor, f"node {node} is smaller than the smallest nodes"),
            (count == index.box_counts[node] > 0, f"the boxes of node {node} are miscounted"),
            (asleep == index.asleep_counts[node], f"the sleeping boxes of node {node} are miscounted"),
            (divided or all(child == -1 for _, child in children), f"node {node} is a leaf and has children"),
            (divided or count <= index.capacity or exponent == index.floor, f"node {node} has too many boxes"),
            (not divided or (count > index.fewest and exponent > index.floor), f"node {node} should not be divided"),
        )
        for slot in own:
            faces = self.faces(slot)
            longest = max(faces[axis + 3] - faces[axis] for axis in self.axes())
            centre = [(faces[axis] + faces[axis + 3]) // 2 for axis in self.axes()]
            inside = all(at - low >> exponent == 0 for at, low in zip(centre, self.corner(node), strict=False))
            margin = index.margins[exponent] if index.margin_bits == self.boxes.level_bits else longest
            _verify(
                (inside, f"the centre of the box in slot {slot} is outside its node"),
                (longest <= 1 << exponent, f"the box in slot {slot} is too large for its node"),
                (not divided or 2 * longest > 1 << exponent, f"the box in slot {slot} fits a child of its node"),
                (longest <= 2 * margin, f"the box in slot {slot} reaches further out of its node than the margin"),
            )


class LinearOctreeInspection(Inspection):
    """Of the octree of location codes."""

    arrays = "codes masks heads box_counts asleep_counts table_codes table_nodes next_slots previous_slots slot_nodes"

    def nodes(self) -> dict[int, int]:
        """Return the location code of each node."""
        return {node: code for node, code in enumerate(self.index.codes[: self.index.used]) if code}

    def place_of(self, code: int) -> tuple[int, list[int]]:
        """Return the level of a node and the bins where it begins, relative to the origin."""
        level = TOP_LEVEL - self.kernel.depth_of(code)
        return level, [(at << level) - ORIGIN for at in decode(code ^ 1 << 3 * (TOP_LEVEL - level))]

    def measure(self) -> Size:
        """Return the size of the tree. Each box is in one node; the depth counts levels from the root."""
        nodes = self.nodes()
        depth = 1 + max(map(self.kernel.depth_of, nodes.values())) if nodes else 0
        return Size(sum(self.index.box_counts[node] for node in nodes), len(nodes), depth, self.bytes_used())

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each node with its level above the smallest one possible. In 2D they have the z range of the boxes."""
        shift, found = self.boxes.bin_shift, []
        for code in self.nodes().values():
            level, (x, y, z) = self.place_of(code)
            cube = self.cube(x << shift, y << shift, z << shift, 1 << shift + level)
            found.append((cube, level - self.index.lowest_level))
        return found

    def options(self) -> tuple[int, ...]:
        """Return the greatest depth."""
        return (TOP_LEVEL - self.index.lowest_level,)

    def contents(self) -> dict[str, Any]:
        """Return the nodes by their codes, and counts."""
        index, nodes = self.index, self.nodes()
        free = self.free(index.first_free, index.heads, index.used)
        found = [index.find(code) == node for node, code in nodes.items()]
        return {
            "nodes with their boxes": {
                code: (self.boxes_of(index.heads[node], node), index.box_counts[node], index.asleep_counts[node])
                for node, code in nodes.items()
            },
            "masks of nodes": {code: index.masks[node] for node, code in nodes.items()},
            "places in the table": (all(found), sum(code != 0 for code in index.table_codes)),
            "counts of nodes": (index.node_count, index.occupied_count, index.used - len(nodes) - len(free)),
        }


class PointerOctreeInspection(Inspection):
    """Of the octree of linked nodes."""

    arrays = "next_slots previous_slots"

    NODE, CHILDREN, LINK = 104, 120, 8
    """The bytes of a compiled node, of the list of its children, and of a link, with the heads of the collector."""

    def nodes(self) -> list[Any]:
        """Return all nodes, each before its children."""
        found, rest = [], [] if self.index.root is None else [self.index.root]
        while rest:
            node = rest.pop()
            found.append(node)
            _verify((len(found) <= self.index.node_count, f"there are more than {self.index.node_count} nodes"))
            rest.extend(child for child in reversed(node.children or ()) if child is not None)
        return found

    def measure(self) -> Size:
        """Return the size of the tree. Each box is in one node."""
        nodes = self.nodes()
        depth = 1 + nodes[0].level - min(node.level for node in nodes) if nodes else 0
        size = self.NODE * len(nodes) + self.CHILDREN * sum(node.children is not None for node in nodes)
        size += self.bytes_used() + self.LINK * len(self.index.slot_nodes)
        return Size(sum(node.box_count for node in nodes), len(nodes), depth, size)

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each node with its level above the smallest one possible. In 2D they have the z range of the boxes."""
        shift, lowest = self.boxes.bin_shift, self.index.lowest_level
        return [
            (self.cube(node.x, node.y, node.z, 1 << shift + node.level), node.level - lowest) for node in self.nodes()
        ]

    def options(self) -> tuple[int, ...]:
        """Return the greatest depth."""
        return (self.kernel.TOP_LEVEL - self.index.lowest_level,)

    def contents(self) -> dict[str, Any]:
        """Return the nodes by their places, and counts."""
        index, nodes = self.index, self.nodes()
        for node in nodes:
            for octant, child in enumerate(node.children or ()):
                linked = child is None or (child.parent is node and child.octant == octant)
                _verify((linked, "a child is not linked to its parent"))
        return {
            "nodes with their boxes": {
                (node.level, node.x, node.y, node.z): (
                    *(self.boxes_of(node.first, node), node.box_count, node.total, node.asleep),
                    *(node.child_count, node.parent is None),
                )
                for node in nodes
            },
            "counts of nodes": (index.node_count, index.occupied_count),
            "slots in nodes": sum(node is not None for node in index.slot_nodes),
        }


class FootprintGridInspection(Inspection):
    """Of the bounded grid."""

    arrays = "heads entries lowest_cells footprints first_entries listed table_rows table offsets"

    def measure(self) -> Size:
        """Return the cells with boxes, and the entries of boxes in cells and in the list."""
        cells = self.index.used_cell_count
        return Size(self.index.entry_count + self.index.listed_count, cells, int(cells > 0), self.bytes_used())

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each cell with boxes; in z it has the range of 2D, or that of the index."""
        index, size = self.index, 1 << self.index.cell_shift
        lo, hi = (-HALF_SLAB, HALF_SLAB) if self.boxes.flat else (-self.boxes.limit, self.boxes.limit - 1)
        found: list[tuple[Faces, int]] = []
        for cell, head in enumerate(_items(index.heads)):
            if head >= 0:
                x, y = index.left + cell % index.columns * size, index.bottom + cell // index.columns * size
                found.append(((x, y, lo, x + size, y + size, hi), 0))
        return found

    def options(self) -> tuple[int, ...]:
        """Return the first column and row, their numbers, and the size of a cell."""
        index = self.index
        first = index.left >> index.cell_shift, index.bottom >> index.cell_shift
        return *first, index.columns, index.rows, index.cell_shift

    def contents(self) -> dict[str, Any]:
        """Return what is in each cell, and the cells of each box."""
        index = self.index
        cells: dict[int, set[tuple[int, int]]] = {}
        for cell, entry in enumerate(_items(index.heads)):
            before = -1 - cell
            while entry != -1:
                box = divmod(index.entries[4 * entry], 4)
                broken = index.entries[4 * entry + 2] != before or box in cells.setdefault(cell, set())
                _verify((not broken, f"the list of cell {cell} is broken at entry {entry}"))
                cells[cell].add(box)
                before, entry = entry, index.entries[4 * entry + 1]
        seen, boxes = self.free(index.first_free, index.entries[3::4], index.entries_made), {}
        vacant = len(seen)
        for slot in self.placed:
            lowest, before = index.lowest_cells[slot], len(seen)
            entry = index.first_entries[slot] if lowest >= 0 else -1
            while entry != -1:
                own = entry not in seen and index.entries[4 * entry] >> 2 == slot
                _verify((own, f"entry {entry} belongs to two boxes, or to none"))
                seen.add(entry)
                entry = index.entries[4 * entry + 3]
            start = index.footprints[slot]
            footprint = list(index.offsets[start : start + len(seen) - before])
            _verify((lowest >= 0 or index.listed[start] == slot, f"slot {slot} has a wrong place in the list"))
            boxes[slot] = lowest, footprint
        return {
            "boxes in cells": cells,
            "cells of boxes": boxes,
            "boxes in the list": sorted(index.listed[: index.listed_count]),
            "entries": (len(seen) == index.entries_made, len(seen) - vacant, index.entry_count, index.used_cell_count),
        }


class BucketInspection(Inspection):
    """Of the table of buckets."""

    arrays = "items"

    def shift_of(self, slot: int) -> int:
        """Return the exponent of the side of the cells that a box may be in."""
        return int(self.boxes.bin_shift + (self.boxes.levels[slot] | 1))

    def measure(self) -> Size:
        """Return the buckets with boxes, and the sizes of cells in use. Each box is in one bucket."""
        sizes = {self.shift_of(slot) for slot in self.placed}
        return Size(len(self.placed), self.index.used_count, len(sizes), self.bytes_used())

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each cell with boxes, in which their lowest corners are; level 0 has the smallest cells."""
        found: dict[tuple[int, ...], None] = {}
        for slot in self.placed:
            shift = self.shift_of(slot)
            found[shift, *(face >> shift << shift for face in self.faces(slot)[:3])] = None
        smallest = self.boxes.bin_shift + 1
        return [(self.cube(x, y, z, 1 << shift), (shift - smallest) // 2) for shift, x, y, z in found]

    def contents(self) -> dict[str, Any]:
        """Return the word of each box, and counts; nothing if the buckets wait for a query."""
        if self.index.is_stale:
            return {}
        index, items, places, empty = self.index, self.index.items, self.boxes.places, 0
        placed, words = set(self.placed), dict[int, int]()
        chained: set[int] = set()
        free: set[int] = set()
        for first in range(index.mask + 1):
            bucket, depth = first, 0
            while True:
                count, after = self.head(bucket)
                empty += count == 0
                is_full = count == self.kernel.ROOM or depth == 1 or (depth == 0 and after == 0)
                _verify((is_full and (count > 0 or depth == 0), f"bucket {bucket} is not full"))
                for at in range(count):
                    slot = items[8 * bucket + self.kernel.ROOM + at // 2] >> 32 * (at % 2) & 0xFFFFFFFF
                    known = slot in placed and slot not in words and places[slot] == 8 * bucket + at
                    _verify(
                        (known and index.bucket_of(slot) == first, f"place {at} of bucket {bucket} has a wrong slot")
                    )
                    words[slot] = items[8 * bucket + at]
                if after == 0:
                    break
                linked = index.mask < after < index.bucket_count and after not in chained
                _verify((linked, f"the chain of bucket {first} is broken"))
                chained.add(after)
                bucket, depth = after, depth + 1
        vacant = index.first_free
        while vacant != 0:
            _verify(
                (index.mask < vacant < index.bucket_count and vacant not in free, "a free bucket is not of a chain")
            )
            free.add(vacant)
            vacant = self.head(vacant)[1]
        in_use = index.mask + 1 + len(chained)
        return {
            "words": words,
            "buckets": (not free & chained, index.bucket_count - in_use - len(free), index.used_count - in_use + empty),
        }

    def head(self, bucket: int) -> tuple[int, int]:
        """Return the number of boxes of a bucket, and the next one of its chain, 0 for none."""
        head = self.index.items[8 * bucket + 7] >> 32
        return head & 7, head >> 3


class SweepAndPruneInspection(Inspection):
    """Of the boxes sorted along one axis."""

    arrays = "records greatest starts states new moved"

    def records(self) -> list[list[int]]:
        """Return the records, gaps included."""
        return [list(self.index.records[at : at + 5]) for at in range(0, 5 * self.index.record_count, 5)]

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return for each box, in their order, the part of space between its ends on the axis of the sweep."""
        self.index.collect(0, 0, 0, 0, 0, 0)  # a query brings the records up to date
        limit, axis, found = self.boxes.limit, self.index.sweep_axis, []
        for low, high, *_ in self.records():
            if high != self.kernel.NOWHERE:
                x, y, z, x1, y1, z1 = (
                    *(low if at == axis else -HALF_SLAB if at == 2 and self.boxes.flat else -limit for at in range(3)),
                    *(
                        high if at == axis else HALF_SLAB if at == 2 and self.boxes.flat else limit - 1
                        for at in range(3)
                    ),
                )
                found.append(((x, y, z, x1, y1, z1), 0))
        return found

    def check(self) -> None:
        """Verify records, order, gaps, new and moved boxes, and blocks."""
        index, records = self.index, self.records()
        if index.is_stale:
            return
        live = {record[4]: at for at, record in enumerate(records) if record[1] != self.kernel.NOWHERE}
        new, moved = list(index.new[: index.new_count]), list(index.moved[: index.moved_count])
        axes = (0 if self.boxes.flat and index.axis == 2 else index.axis, index.cross_axis)
        _verify(
            (index.sweep_axis == axes[0] and axes in ((0, 1), (1, 0), (2, 0)), "the axes of the sweep are wrong"),
            (all((a[0], a[4]) <= (b[0], b[4]) for a, b in pairwise(records)), "the records are not sorted"),
            (len(live) + index.gap_count == len(records), "the gaps are miscounted, or a box has two records"),
            (
                sorted([*live, *new]) == self.placed,
                "the boxes with a record and the new ones are not exactly the boxes",
            ),
        )
        for place, slot in enumerate(new):
            is_new = self.boxes.places[slot] == place and index.states[slot] == self.kernel.NEW
            _verify((is_new, f"the new box in slot {slot} has a wrong place"))
        for slot, at in live.items():
            state, faces = index.states[slot], self.faces(slot)
            ends = [faces[axis + end] for axis in axes for end in (0, 3)]
            _verify(
                (self.boxes.places[slot] == at, f"the box in slot {slot} does not know its record"),
                (
                    state == (self.kernel.MOVED if slot in moved else self.kernel.SORTED),
                    f"slot {slot} has a wrong state",
                ),
                (
                    state == self.kernel.MOVED or records[at][:4] == ends,
                    f"the record of the box in slot {slot} has other ends",
                ),
            )
        highs, level = [record[1] for record in records], 0
        while highs and (level == 0 or len(highs) > 1):
            highs = [max(highs[at : at + 16]) for at in range(0, len(highs), 16)]
            start = index.starts[level]
            is_right = list(index.greatest[start : start + len(highs)]) == highs
            _verify((is_right, f"a block of level {level} has a wrong greatest end"))
            level += 1
        _verify((level == index.block_levels, "the levels of blocks are miscounted"))


class ZOrderSweepInspection(Inspection):
    """Of the sorted list of entries."""

    arrays = "codes tags spare_codes spare_tags is_sorted new"

    def entries(self) -> list[tuple[int, int, int]]:
        """Return code, level and slot of the entries that count, in their order."""
        index, shift = self.index, self.kernel.LEVEL_SHIFT
        pairs = zip(index.codes[: index.count], index.tags[: index.count], strict=True)
        split = ((code, TOP_LEVEL - (tag >> shift), tag & (1 << shift) - 1) for code, tag in pairs)
        return [entry for entry in split if index.is_sorted[entry[2]]]

    def made_anew(self) -> Inspection:
        """Return the inspection of a new index with the same boxes, all of them with entries."""
        fresh = super().made_anew()
        fresh.index.find_pairs(fresh.index, False)
        return fresh

    def measure(self) -> Size:
        """Return the entries, which are also the nodes, and the size levels in use."""
        count = int(self.index.live_count)
        return Size(count, count, self.boxes.level_bits.bit_count(), self.bytes_used())

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each cell with a box, once, with its size level, in the order of the entries. Sorts nothing."""
        shift = self.boxes.bin_shift
        fresh: Any = self.made_anew()
        found: list[tuple[Faces, int]] = []
        for code, level in dict.fromkeys((code, level) for code, level, _ in fresh.entries()):
            bins = (*decode2(code), 0) if self.boxes.flat else decode(code)
            x, y, z = ((at - ORIGIN) << shift for at in bins)
            found.append((self.cube(x, y, z - HALF_SLAB, 1 << shift + level), level))
        return found

    def check(self) -> None:
        """Verify the entries, their order and counts, and the new boxes."""
        index, entries = self.index, self.entries()
        if index.is_stale:
            return
        fresh: Any = self.made_anew()
        new = list(index.new[: index.new_count])
        expected = [entry for entry in fresh.entries() if entry[2] not in new]
        _verify(
            (entries == sorted(entries, key=lambda entry: (entry[0], -entry[1])), "the entries are not sorted"),
            (sorted(entries) == sorted(expected), "the entries are not those of the boxes"),
            (index.live_count == fresh.index.count, "the cells are miscounted"),
            (index.dead_count == index.count - len(entries), "the entries that do not count are miscounted"),
            ([self.boxes.places[slot] for slot in new] == [*range(len(new))], "a new box has a wrong place"),
            (all(slot in self.placed and not index.is_sorted[slot] for slot in new), "a new box has entries"),
        )


_INSPECTIONS: dict[str, type[Inspection]] = {
    "BucketIndex": BucketInspection,
    "CapacityTree": CapacityTreeInspection,
    "LinearOctreeIndex": LinearOctreeInspection,
    "PointerOctreeIndex": PointerOctreeInspection,
    "FootprintGridIndex": FootprintGridInspection,
    "SweepAndPruneIndex": SweepAndPruneInspection,
    "ZOrderSweepIndex": ZOrderSweepInspection,
}
"""By the class of the index, whose module imports this one."""


def inspection_of(index: Any) -> Inspection:
    """Return what measures, draws and checks an index."""
    return _INSPECTIONS.get(type(index).__name__, Inspection)(index)
