# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""An octree without links: a hash table from location codes to nodes.

Source: Christer Ericson, Real-Time Collision Detection (2005), 7.3.3 (linear octrees); Irene Gargantini, An effective
way to represent quadtrees (1982). The location code of a node is the path to it from the root: three bits per level,
the octant taken, after a sentinel one bit. The root is 1, the parent of a node is its code shifted right by three, and
the position of the sentinel gives the depth. Each node has a mask of the children that exist, so a search looks up no
others. The neighbours of a node come from its code by addition within the bits of each axis (dilated integers).

A box is in the node of its size level, the lowest whose nodes are as long as the box, that contains its lowest corner;
it may reach beyond the upper faces of the node, by no more than the side of it. (Ulrich's loose octree, 2000, enlarges
nodes to all sides.) So a query searches nodes up to one side lower than its region. It begins at the smallest node that
contains all of these, by one lookup. Pairs of boxes of the same level are found among neighbouring nodes, others in a
walk from the root with the larger boxes near the path.

Good for: boxes of few sizes in a large or sparse world, and many moves; a node costs 48 to 96 bytes, all in arrays. Not
for boxes of many sizes: each size level in use costs lookups in every query.

Wrong in the source and right here:
- An object is stored in the smallest node that contains it, so the straddlers of large nodes come into every query and
  pair test near their planes (see `pointer_octree`, which is built like that). With 100,000 equal boxes in 3D, a query
  near a box takes 52 us there and 3 us here, all pairs 139 ms and 80 ms.
- The printed code does not check the depth against the length of a code: one level more than fits loses the sentinel.
  Here a code has at most 61 of 63 bits, at a depth of 20, and no greater `max_depth` is accepted.
- Only building and visiting is printed. Here a node without boxes is removed when its mask is 0, and so are its
  ancestors; a mask never names a child that does not exist.
- Addition within the bits of an axis wraps around at the edge of the root. Here a neighbour beyond it has the code 0,
  which no node has.

A change costs O(1), and O(levels) when the first box comes to a part of space or the last leaves it. A query is
O(nodes in reach), all pairs are O(nodes + pairs of boxes in neighbouring nodes and with larger boxes in reach).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.box_pool import BoxPool
    from cython.cimports.ecs_collision.broadphase.morton_codes import compact3, spread3
    from cython.cimports.ecs_collision.broadphase.morton_grid.morton import bin_of
    from cython.cimports.ecs_collision.broadphase.protocol import Index
else:
    from ecs_collision.broadphase.box_pool import BoxPool
    from ecs_collision.broadphase.morton_codes import compact3, spread3
    from ecs_collision.broadphase.morton_grid.morton import bin_of
    from ecs_collision.broadphase.protocol import Index

from ecs_collision._arrays import bytes_of, longer
from ecs_collision.broadphase.morton_grid.morton import ORIGIN, TOP_LEVEL, X_BITS
from ecs_collision.broadphase.protocol import Faces, Size
from ecs_collision.fixed_point import HALF_SLAB

MAX_DEPTH = 20
"""The greatest depth: a code has three bits per level and the sentinel, and 63 bits at most."""

ROOT = 1
"""The code of the root: the sentinel alone."""

_TOP_LEVEL = cython.declare(cython.int, TOP_LEVEL)
_ORIGIN = cython.declare(cython.longlong, ORIGIN)
_X_BITS = cython.declare(cython.longlong, X_BITS)
_ONE = cython.declare(cython.longlong, 1)
_FEW = cython.declare(cython.Py_ssize_t, 8)
"""A tree with this many times fewer boxes than another is paired with it by a query for each box."""


# Codes.


@cython.ccall
@cython.exceptval(check=False)
def code_of(x: cython.longlong, y: cython.longlong, z: cython.longlong, depth: cython.int) -> cython.longlong:
    """Return the code of the node of a depth with these coordinates, each 0 to 2**depth - 1."""
    return spread3(x) | (spread3(y) << 1) | (spread3(z) << 2) | (_ONE << (3 * depth))


@cython.ccall
@cython.exceptval(check=False)
def depth_of(code: cython.longlong) -> cython.int:
    """Return the depth of a node, 0 for the root: a third of the position of the sentinel, by halving."""
    depth: cython.int = 0
    if code >> 48:
        depth += 16
        code >>= 48
    if code >> 24:
        depth += 8
        code >>= 24
    if code >> 12:
        depth += 4
        code >>= 12
    if code >> 6:
        depth += 2
        code >>= 6
    if code >> 3:
        depth += 1
    return depth


@cython.ccall
@cython.exceptval(check=False)
def parent_of(code: cython.longlong) -> cython.longlong:
    """Return the code of the parent of a node; 0 for the root."""
    return code >> 3


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def step(local: cython.longlong, bits: cython.longlong, unit: cython.longlong, by: cython.int) -> cython.longlong:
    """Return the bits of an axis after a step of 0, 1 or -1; -1 beyond the edge. `unit` is the lowest of them.

    The bits of the other axes are all ones for the addition and zeros for the subtraction, so a carry passes them.
    """
    if by > 0:
        return -1 if local & bits == bits else ((local | ~bits) + unit) & bits
    if by < 0:
        return -1 if local & bits == 0 else ((local & bits) - unit) & bits
    return local & bits


@cython.ccall
@cython.exceptval(check=False)
def neighbour_of(code: cython.longlong, dx: cython.int, dy: cython.int, dz: cython.int) -> cython.longlong:
    """Return the code of a neighbour at the same depth, 0 beyond the edge of the root. Steps are 0, 1 or -1."""
    sentinel: cython.longlong = _ONE << (3 * depth_of(code))
    x_bits: cython.longlong = _X_BITS & (sentinel - 1)
    x: cython.longlong = step(code, x_bits, 1, dx)
    y: cython.longlong = step(code, x_bits << 1, 2, dy)
    z: cython.longlong = step(code, x_bits << 2, 4, dz)
    if x < 0 or y < 0 or z < 0:
        return 0
    return x | y | z | sentinel


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def hash_of(code: cython.longlong, shift: cython.int) -> cython.longlong:
    """Return a place in a table of 2**(31 - shift): the high bits of two 31-bit products, which fit 63 bits."""
    mixed: cython.longlong = (code & 0x7FFFFFFF) * 0x61C88647 + ((code >> 31) & 0x7FFFFFFF) * 0x51ED270B
    return (mixed & 0x7FFFFFFF) >> shift


@cython.final
@cython.cclass
class LinearOctreeIndex(Index):
    """Boxes in nodes of a hash table (see `broadphase/protocol.py`).

    A node is a number: `codes` has its location code (0 for a free node), `masks` a bit for each child, `heads` its
    first box (for a free node, the next free one). The table finds the number by the code: open addressing, linear
    probing, removal by moving later entries back.
    """

    def __init__(self, bin_shift: cython.int, max_depth: cython.int) -> None:
        Index.__init__(self, bin_shift)
        if not 1 <= max_depth <= MAX_DEPTH:
            raise IndexError(f"max_depth is {max_depth}; it must be 1 to {MAX_DEPTH}")
        self.lowest_level = _TOP_LEVEL - max_depth
        self.node_count = self.occupied_count = self.used = self.capacity = self.slot_capacity = 0
        self.first_free = -1
        self.codes, self.masks, self.heads = array("q"), array("i"), array("i")
        self.box_counts, self.asleep_counts = array("i"), array("i")
        self.table_codes, self.table_nodes = array("q", bytes(8 * 32)), array("i", bytes(4 * 32))
        self.table_codes_view, self.table_nodes_view = self.table_codes, self.table_nodes
        self.table_mask, self.table_shift = 31, 26
        self.next_slots, self.previous_slots, self.slot_nodes = array("i"), array("i"), array("i")
        self.nearby = array("i")
        self.nearby_view = self.nearby
        self.nearby_capacity = 0
        self.reserve_nodes()
        self.reserve()

    @property
    def cell_count(self) -> int:
        """The number of nodes with boxes."""
        return self.occupied_count

    @cython.ccall
    @cython.exceptval(check=False)
    def neighbour(self, code: cython.longlong, dx: cython.int, dy: cython.int, dz: cython.int) -> cython.longlong:
        """Return the code of a neighbour at the same depth, 0 beyond the edge of the index. Steps are 0, 1 or -1."""
        return neighbour_of(code, dx, dy, dz)

    # The table.

    @cython.ccall
    @cython.exceptval(check=False)
    def find(self, code: cython.longlong) -> cython.int:
        """Return the number of a node, or -1 if it does not exist."""
        at: cython.Py_ssize_t = hash_of(code, self.table_shift)
        while self.table_codes_view[at] != 0:
            if self.table_codes_view[at] == code:
                return self.table_nodes_view[at]
            at = (at + 1) & self.table_mask
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def write(self, code: cython.longlong, node: cython.int) -> cython.void:
        """Write a node to the first empty place of its probe sequence."""
        at: cython.Py_ssize_t = hash_of(code, self.table_shift)
        while self.table_codes_view[at] != 0:
            at = (at + 1) & self.table_mask
        self.table_codes_view[at] = code
        self.table_nodes_view[at] = node

    @cython.cfunc
    @cython.exceptval(check=False)
    def erase(self, code: cython.longlong) -> cython.void:
        """Remove a node from the table. Later entries of its probe sequence move back."""
        hole: cython.Py_ssize_t = hash_of(code, self.table_shift)
        at: cython.Py_ssize_t
        first_place: cython.Py_ssize_t
        while self.table_codes_view[hole] != code:
            hole = (hole + 1) & self.table_mask
        at = (hole + 1) & self.table_mask
        while self.table_codes_view[at] != 0:
            first_place = hash_of(self.table_codes_view[at], self.table_shift)
            if ((at - first_place) & self.table_mask) >= ((at - hole) & self.table_mask):
                self.table_codes_view[hole] = self.table_codes_view[at]
                self.table_nodes_view[hole] = self.table_nodes_view[at]
                hole = at
            at = (at + 1) & self.table_mask
        self.table_codes_view[hole] = 0

    @cython.cfunc
    def enlarge_table(self) -> cython.void:
        """Double the table, so that at most half of it is full."""
        size: cython.Py_ssize_t = 2 * (self.table_mask + 1)
        node: cython.int
        codes, nodes = array("q", bytes(8 * size)), array("i", bytes(4 * size))
        self.table_codes, self.table_nodes = codes, nodes
        self.table_codes_view, self.table_nodes_view = self.table_codes, self.table_nodes
        self.table_mask = size - 1
        self.table_shift -= 1
        for node in range(self.used):
            if self.codes_view[node] != 0:
                self.write(self.codes_view[node], node)

    # Nodes.

    @cython.cfunc
    def reserve_nodes(self) -> cython.void:
        """Make room for twice as many nodes."""
        capacity: cython.Py_ssize_t = max(16, 2 * self.capacity)
        codes, masks, heads = longer(self.codes, capacity), longer(self.masks, capacity), longer(self.heads, capacity)
        box_counts, asleep_counts = longer(self.box_counts, capacity), longer(self.asleep_counts, capacity)
        self.codes, self.masks, self.heads = codes, masks, heads
        self.box_counts, self.asleep_counts = box_counts, asleep_counts
        self.view_nodes()
        self.capacity = capacity

    @cython.cfunc
    def view_nodes(self) -> cython.void:
        """Take the views of the arrays of nodes."""
        self.codes_view, self.masks_view, self.heads_view = self.codes, self.masks, self.heads
        self.box_counts_view, self.asleep_counts_view = self.box_counts, self.asleep_counts

    @cython.cfunc
    def add(self, code: cython.longlong) -> cython.int:
        """Return a new node without boxes and children."""
        node: cython.int = self.first_free
        if 2 * self.node_count > self.table_mask:
            self.enlarge_table()
        if node >= 0:
            self.first_free = self.heads_view[node]
        else:
            if self.used == self.capacity:
                self.reserve_nodes()
            node = cython.cast(cython.int, self.used)
            self.used += 1
        self.codes_view[node] = code
        self.heads_view[node] = -1
        self.masks_view[node] = self.box_counts_view[node] = self.asleep_counts_view[node] = 0
        self.write(code, node)
        self.node_count += 1
        return node

    @cython.cfunc
    def find_or_add(self, code: cython.longlong) -> cython.int:
        """Return a node; if it does not exist, add it and those of its ancestors that do not exist."""
        node: cython.int = self.find(code)
        parent: cython.int
        octant: cython.int
        if node >= 0:
            return node
        node = self.add(code)
        while code != 1:
            octant = cython.cast(cython.int, code & 7)
            code = parent_of(code)
            parent = self.find(code)
            if parent >= 0:
                self.masks_view[parent] |= 1 << octant
                break
            parent = self.add(code)
            self.masks_view[parent] = 1 << octant
        return node

    @cython.cfunc
    @cython.exceptval(check=False)
    def prune(self, node: cython.int) -> cython.void:
        """Remove a node and its ancestors, as far as they have neither boxes nor children."""
        code: cython.longlong
        while self.box_counts_view[node] == 0 and self.masks_view[node] == 0:
            code = self.codes_view[node]
            self.erase(code)
            self.codes_view[node] = 0
            self.heads_view[node] = self.first_free
            self.first_free = node
            self.node_count -= 1
            if code == 1:
                break
            node = self.find(parent_of(code))
            self.masks_view[node] &= ~(1 << cython.cast(cython.int, code & 7))

    # Changing.

    @cython.ccall
    def reset(self) -> cython.void:
        """Forget all boxes and nodes. Works after an interrupted change, even one that was enlarging arrays."""
        at: cython.Py_ssize_t
        self.table_mask = min(len(self.table_codes), len(self.table_nodes)) - 1
        self.table_shift = 26
        while (32 << (26 - self.table_shift)) <= self.table_mask:
            self.table_shift -= 1
        self.table_codes_view, self.table_nodes_view = self.table_codes, self.table_nodes
        self.view_nodes()
        for at in range(self.table_mask + 1):
            self.table_codes_view[at] = 0
        self.node_count = self.occupied_count = self.used = 0
        self.first_free = -1

    @cython.ccall
    def reserve(self) -> cython.void:
        """Make room for the links of each slot."""
        capacity: cython.Py_ssize_t = self.boxes.capacity
        if capacity <= self.slot_capacity:
            return
        next_slots, previous_slots = longer(self.next_slots, capacity), longer(self.previous_slots, capacity)
        slot_nodes = longer(self.slot_nodes, capacity)
        self.next_slots, self.previous_slots, self.slot_nodes = next_slots, previous_slots, slot_nodes
        self.next_view, self.previous_view, self.slot_nodes_view = self.next_slots, self.previous_slots, self.slot_nodes
        self.slot_capacity = capacity

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def code_for(self, slot: cython.Py_ssize_t) -> cython.longlong:
        """Return the code of the node that a box belongs in."""
        at: cython.Py_ssize_t = 6 * slot
        shift: cython.int = self.boxes.bin_shift
        level: cython.int = max(cython.cast(cython.int, self.boxes.levels_view[slot]), self.lowest_level)
        z: cython.longlong = 0 if self.boxes.flat else bin_of(self.boxes.faces_view[at + 2], shift)
        return code_of(
            bin_of(self.boxes.faces_view[at], shift) >> level,
            bin_of(self.boxes.faces_view[at + 1], shift) >> level,
            z >> level,
            _TOP_LEVEL - level,
        )

    @cython.ccall
    def enter(self, slot: cython.int) -> cython.void:
        """Add a box: O(1), if its node exists."""
        self.link(self.find_or_add(self.code_for(slot)), slot)
        self.cell_changes += 1

    @cython.ccall
    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box: O(1), if its node has others."""
        node: cython.int = self.slot_nodes_view[slot]
        self.unlink(node, slot)
        self.prune(node)
        self.cell_changes += 1

    @cython.ccall
    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box; nothing else changes while its lowest corner stays in the node."""
        node: cython.int = self.slot_nodes_view[slot]
        code: cython.longlong
        self.boxes.shift(slot, dx, dy, dz)
        code = self.code_for(slot)
        if code == self.codes_view[node]:
            return
        self.unlink(node, slot)
        self.link(self.find_or_add(code), slot)
        self.prune(node)
        self.cell_changes += 2

    @cython.ccall
    def set_awake_of(self, slot: cython.int, awake: cython.bint) -> cython.void:
        """Update the count of sleeping boxes of the node."""
        self.asleep_counts_view[self.slot_nodes_view[slot]] += -1 if awake else 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def link(self, node: cython.int, slot: cython.int) -> cython.void:
        """Put a box on the list of a node."""
        first: cython.int = self.heads_view[node]
        self.previous_view[slot] = -1
        self.next_view[slot] = first
        if first >= 0:
            self.previous_view[first] = slot
        self.heads_view[node] = slot
        self.slot_nodes_view[slot] = node
        if self.box_counts_view[node] == 0:
            self.occupied_count += 1
        self.box_counts_view[node] += 1
        if not self.boxes.awake_view[slot]:
            self.asleep_counts_view[node] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def unlink(self, node: cython.int, slot: cython.int) -> cython.void:
        """Take a box off the list of its node."""
        following: cython.int = self.next_view[slot]
        if self.previous_view[slot] >= 0:
            self.next_view[self.previous_view[slot]] = following
        else:
            self.heads_view[node] = following
        if following >= 0:
            self.previous_view[following] = self.previous_view[slot]
        self.box_counts_view[node] -= 1
        if self.box_counts_view[node] == 0:
            self.occupied_count -= 1
        if not self.boxes.awake_view[slot]:
            self.asleep_counts_view[node] -= 1

    # Queries.

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def node_levels(self, levels: cython.int) -> cython.int:
        """Return the levels (bits) of the nodes that have the boxes of some levels: small boxes are in larger nodes."""
        below: cython.int = (1 << self.lowest_level) - 1
        return (levels & ~below) | ((1 << self.lowest_level) if levels & below else 0)

    @cython.ccall
    def search(self) -> cython.void:
        """Offer the boxes whose lowest corners lie in the region, or lower by up to the side of the largest.

        All of these are in or below the smallest node that contains the enlarged region, if that is not smaller than
        the largest box: a search begins there.
        """
        shift: cython.int = self.boxes.bin_shift
        levels: cython.int = self.node_levels(self.levels)
        level: cython.int = self.lowest_level
        node: cython.int
        apart: cython.longlong
        while levels >> (level + 1):
            level += 1
        self.reach = _ONE << level
        self.wanted_levels = levels
        self.low_x, self.high_x = bin_of(min(self.lox, self.hix), shift), bin_of(max(self.lox, self.hix), shift)
        self.low_y, self.high_y = bin_of(min(self.loy, self.hiy), shift), bin_of(max(self.loy, self.hiy), shift)
        self.low_z = self.high_z = 0
        if not self.boxes.flat:
            self.low_z, self.high_z = bin_of(min(self.loz, self.hiz), shift), bin_of(max(self.loz, self.hiz), shift)
        apart = max(self.low_x - self.reach, 0) ^ self.high_x
        apart |= max(self.low_y - self.reach, 0) ^ self.high_y
        apart |= max(self.low_z - self.reach, 0) ^ self.high_z
        while apart >> level:
            level += 1
        node = self.find(code_of(self.high_x >> level, self.high_y >> level, self.high_z >> level, _TOP_LEVEL - level))
        if node >= 0:
            self.visit(
                node,
                level,
                self.high_x >> level << level,
                self.high_y >> level << level,
                self.high_z >> level << level,
            )

    @cython.cfunc
    @cython.exceptval(check=False)
    def visit(
        self, node: cython.int, level: cython.int, x: cython.longlong, y: cython.longlong, z: cython.longlong
    ) -> cython.void:
        """Offer the boxes of a node, which begins at a bin, and of those of its children that the search reaches."""
        slot: cython.int
        octant: cython.int
        children: cython.int = self.masks_view[node]
        half: cython.longlong
        reach: cython.longlong
        code: cython.longlong
        if (
            self.box_counts_view[node] > 0
            and (self.wanted_levels >> level) & 1
            and not (self.asleep_only and self.asleep_counts_view[node] == 0)
        ):
            self.cells_visited += 1
            slot = self.heads_view[node]
            while slot >= 0:
                self.offer(slot)
                slot = self.next_view[slot]
        if children == 0 or not self.wanted_levels & ((1 << level) - 1):
            return
        half = _ONE << (level - 1)
        reach = min(half, self.reach)
        if x + half <= self.low_x - reach:
            children &= 0xAA
        if x + half > self.high_x or x + 2 * half <= self.low_x - reach:
            children &= 0x55
        if y + half <= self.low_y - reach:
            children &= 0xCC
        if y + half > self.high_y or y + 2 * half <= self.low_y - reach:
            children &= 0x33
        if z + half <= self.low_z - reach:
            children &= 0xF0
        if z + half > self.high_z or z + 2 * half <= self.low_z - reach:
            children &= 0x0F
        code = self.codes_view[node] << 3
        octant = 0
        while children:
            if children & 1:
                self.visit(
                    self.find(code | octant),
                    level - 1,
                    x + half * (octant & 1),
                    y + half * ((octant >> 1) & 1),
                    z + half * (octant >> 2),
                )
            children >>= 1
            octant += 1

    # Pairs.

    @cython.ccall
    def find_pairs(self, other: Index, awake_only: cython.bint) -> cython.Py_ssize_t:
        """Return how many pairs meet, found among neighbouring nodes."""
        tree: LinearOctreeIndex
        slot: cython.Py_ssize_t
        hit: cython.Py_ssize_t
        self.pair_count = 0
        if other is self:
            self.pair_equal(self, awake_only)
            self.pair_larger(self, self, awake_only)
            return self.pair_count
        if (
            not isinstance(other, LinearOctreeIndex)
            or other.boxes.bin_shift != self.boxes.bin_shift
            or other.boxes.flat != self.boxes.flat
            or _FEW * self.boxes.box_count < other.boxes.box_count
        ):
            return Index.find_pairs(self, other, awake_only)
        tree = other
        if _FEW * tree.boxes.box_count >= self.boxes.box_count:
            self.pair_equal(tree, awake_only)
            self.pair_larger(self, tree, awake_only)
            self.pair_larger(tree, self, awake_only)
            return self.pair_count
        for slot in range(tree.boxes.slot_count):
            if tree.boxes.owner_view[slot] >= 0:
                self.collect(
                    tree.boxes.faces_view[6 * slot],
                    tree.boxes.faces_view[6 * slot + 1],
                    tree.boxes.faces_view[6 * slot + 2],
                    tree.boxes.faces_view[6 * slot + 3],
                    tree.boxes.faces_view[6 * slot + 4],
                    tree.boxes.faces_view[6 * slot + 5],
                )
                for hit in range(self.hit_count):
                    self.offer_pair(self.hits_view[hit], tree, slot, awake_only)
        return self.pair_count

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_asleep(self, node: cython.int) -> cython.bint:
        """Return whether all boxes of a node are asleep."""
        return self.asleep_counts_view[node] == self.box_counts_view[node]

    @cython.cfunc
    def pair_equal(self, target: LinearOctreeIndex, awake_only: cython.bint) -> cython.int:
        """Offer the pairs of each node with itself and its neighbours of the same level, in this tree or another."""
        node: cython.int
        code: cython.longlong
        levels: cython.int = target.node_levels(target.boxes.level_bits)
        for node in range(self.used):
            if self.box_counts_view[node] == 0:
                continue
            code = self.codes_view[node]
            if target is self:
                if awake_only and self.is_asleep(node):
                    continue  # its pairs with awake boxes are found from their nodes
                self.pair_within(node, awake_only)
            if (levels >> (_TOP_LEVEL - depth_of(code))) & 1:
                self.pair_neighbours(node, code, target, awake_only)
        return 0

    @cython.cfunc
    def pair_neighbours(
        self, node: cython.int, code: cython.longlong, target: LinearOctreeIndex, awake_only: cython.bint
    ) -> cython.int:
        """Offer the pairs of a node with its neighbours. Within one tree, two nodes are each other's neighbours.

        The pair is offered at the first of them, or if all boxes of that one sleep, at the other.
        """
        sentinel: cython.longlong = _ONE << (3 * depth_of(code))
        x_bits: cython.longlong = _X_BITS & (sentinel - 1)
        is_asleep: cython.bint = self.is_asleep(node)
        last_z: cython.int = 0 if self.boxes.flat else 1
        dx: cython.int
        dy: cython.int
        dz: cython.int
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        found: cython.int
        is_later: cython.bint
        for dz in range(-last_z, last_z + 1):
            z = step(code, x_bits << 2, 4, dz)
            for dy in range(-1, 2):
                y = step(code, x_bits << 1, 2, dy)
                for dx in range(-1, 2):
                    is_later = target is not self or 9 * dz + 3 * dy + dx > 0
                    if not is_later and not awake_only:
                        continue
                    x = step(code, x_bits, 1, dx)
                    if x < 0 or y < 0 or z < 0:
                        continue
                    found = target.find(x | y | z | sentinel)
                    if found < 0 or target.box_counts_view[found] == 0:
                        continue
                    if awake_only and is_asleep and target.is_asleep(found):
                        continue
                    if not is_later and (found == node or not target.is_asleep(found)):
                        continue
                    self.pair_lists(node, target, found, awake_only)
        return 0

    @cython.cfunc
    def pair_within(self, node: cython.int, awake_only: cython.bint) -> cython.int:
        """Offer the pairs of the boxes of a node."""
        slot: cython.int = self.heads_view[node]
        while slot >= 0:
            self.pair_list(slot, self, self.next_view[slot], awake_only)
            slot = self.next_view[slot]
        return 0

    @cython.cfunc
    def pair_lists(
        self, node: cython.int, target: LinearOctreeIndex, found: cython.int, awake_only: cython.bint
    ) -> cython.int:
        """Offer the pairs of the boxes of a node and of one of `target`."""
        slot: cython.int = self.heads_view[node]
        while slot >= 0:
            self.pair_list(slot, target, target.heads_view[found], awake_only)
            slot = self.next_view[slot]
        return 0

    @cython.cfunc
    def pair_list(
        self, slot: cython.Py_ssize_t, target: LinearOctreeIndex, first: cython.Py_ssize_t, awake_only: cython.bint
    ) -> cython.int:
        """Offer the pairs of a box with the boxes of a list that it meets in x and y."""
        face: cython.Py_ssize_t = 6 * slot
        lox: cython.longlong = self.boxes.faces_view[face]
        loy: cython.longlong = self.boxes.faces_view[face + 1]
        hix: cython.longlong = self.boxes.faces_view[face + 3]
        hiy: cython.longlong = self.boxes.faces_view[face + 4]
        boxes: BoxPool = target.boxes
        while first >= 0:
            face = 6 * first
            if (
                boxes.faces_view[face] <= hix
                and lox <= boxes.faces_view[face + 3]
                and boxes.faces_view[face + 1] <= hiy
                and loy <= boxes.faces_view[face + 4]
            ):
                if target is self and first < slot:
                    self.offer_pair(first, self, slot, awake_only)
                else:
                    self.offer_pair(slot, target, first, awake_only)
            first = target.next_view[first]
        return 0

    @cython.cfunc
    def pair_larger(self, source: LinearOctreeIndex, target: LinearOctreeIndex, awake_only: cython.bint) -> cython.int:
        """Offer the pairs of the boxes of `source` with those of `target` in nodes of higher levels; one is this tree.

        One walk through `source`, from the root down, with the boxes of `target` that may meet those below.
        """
        root: cython.int = source.find(1)
        lowest: cython.int = 0
        levels: cython.int = source.node_levels(source.boxes.level_bits)
        if root < 0:
            return 0
        while not (levels >> lowest) & 1:
            lowest += 1
        self.larger_levels = target.node_levels(target.boxes.level_bits) & ~((2 << lowest) - 1)
        if self.larger_levels:
            self.pair_below(source, root, _TOP_LEVEL, 0, 0, 0, target, 0, 0, awake_only)
        return 0

    @cython.cfunc
    def pair_below(
        self,
        source: LinearOctreeIndex,
        node: cython.int,
        level: cython.int,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        target: LinearOctreeIndex,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        awake_only: cython.bint,
    ) -> cython.int:
        """Offer the pairs of the boxes below a node, which begins at a bin, with `nearby[begin:end]`, larger ones.

        For the children, the boxes of the neighbours of the node at its own level are larger ones too: `nearby` is the
        stack of the walk. Boxes in or below a node reach at most twice its side.
        """
        slot: cython.int = source.heads_view[node]
        octant: cython.int = 0
        children: cython.int = source.masks_view[node]
        code: cython.longlong = source.codes_view[node]
        half: cython.longlong
        child_x: cython.longlong
        child_y: cython.longlong
        child_z: cython.longlong
        child_end: cython.Py_ssize_t
        if end > begin:
            while slot >= 0:
                self.pair_nearby(source, slot, target, begin, end, awake_only)
                slot = source.next_view[slot]
        if children == 0:
            return 0
        if (self.larger_levels >> level) & 1:
            end = self.push_neighbours(target, code, end)
        half = _ONE << (level - 1)
        while children:
            if children & 1:
                child_x, child_y = x + half * (octant & 1), y + half * ((octant >> 1) & 1)
                child_z = z + half * (octant >> 2)
                child_end = self.push_near(target, begin, end, child_x, child_y, child_z, 2 * half)
                if child_end > end or self.larger_levels & ((1 << level) - 1):
                    self.pair_below(
                        source,
                        source.find((code << 3) | octant),
                        level - 1,
                        child_x,
                        child_y,
                        child_z,
                        target,
                        end,
                        child_end,
                        awake_only,
                    )
            children >>= 1
            octant += 1
        return 0

    @cython.cfunc
    def reserve_nearby(self, count: cython.Py_ssize_t) -> cython.void:
        """Make room for a number of boxes in `nearby`, and at least double it if it grows."""
        if count > self.nearby_capacity:
            count = max(count, 64, 2 * self.nearby_capacity)
            self.nearby = longer(self.nearby, count)
            self.nearby_view = self.nearby
            self.nearby_capacity = count

    @cython.cfunc
    def push_neighbours(
        self, target: LinearOctreeIndex, code: cython.longlong, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Write the boxes of a node of `target` and of its neighbours to `nearby` from `end` on; return the new end."""
        last_z: cython.int = 0 if self.boxes.flat else 1
        dx: cython.int
        dy: cython.int
        dz: cython.int
        near: cython.longlong
        found: cython.int
        slot: cython.int
        for dz in range(-last_z, last_z + 1):
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    near = neighbour_of(code, dx, dy, dz)
                    found = -1 if near == 0 else target.find(near)
                    if found >= 0:
                        self.reserve_nearby(end + target.box_counts_view[found])
                        slot = target.heads_view[found]
                        while slot >= 0:
                            self.nearby_view[end] = slot
                            end += 1
                            slot = target.next_view[slot]
        return end

    @cython.cfunc
    def push_near(
        self,
        target: LinearOctreeIndex,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        length: cython.longlong,
    ) -> cython.Py_ssize_t:
        """Copy those of `nearby[begin:end]` that meet a cube, in bins, to the end; return the new end."""
        bin_side: cython.longlong = _ONE << self.boxes.bin_shift
        side: cython.longlong = length * bin_side
        flat: cython.bint = self.boxes.flat
        boxes: BoxPool = target.boxes
        at: cython.Py_ssize_t
        face: cython.Py_ssize_t
        new_end: cython.Py_ssize_t = end
        x = (x - _ORIGIN) * bin_side
        y = (y - _ORIGIN) * bin_side
        z = (z - _ORIGIN) * bin_side
        self.reserve_nearby(2 * end - begin)
        for at in range(begin, end):
            face = 6 * cython.cast(cython.Py_ssize_t, self.nearby_view[at])
            if (
                boxes.faces_view[face] < x + side
                and boxes.faces_view[face + 3] >= x
                and boxes.faces_view[face + 1] < y + side
                and boxes.faces_view[face + 4] >= y
                and (flat or (boxes.faces_view[face + 2] < z + side and boxes.faces_view[face + 5] >= z))
            ):
                self.nearby_view[new_end] = self.nearby_view[at]
                new_end += 1
        return new_end

    @cython.cfunc
    def pair_nearby(
        self,
        source: LinearOctreeIndex,
        slot: cython.Py_ssize_t,
        target: LinearOctreeIndex,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        awake_only: cython.bint,
    ) -> cython.int:
        """Offer the pairs of a box with those of `nearby[begin:end]`, boxes of `target`, that it meets in x and y."""
        at: cython.Py_ssize_t
        partner: cython.Py_ssize_t
        face: cython.Py_ssize_t = 6 * slot
        lox: cython.longlong = source.boxes.faces_view[face]
        loy: cython.longlong = source.boxes.faces_view[face + 1]
        hix: cython.longlong = source.boxes.faces_view[face + 3]
        hiy: cython.longlong = source.boxes.faces_view[face + 4]
        boxes: BoxPool = target.boxes
        for at in range(begin, end):
            partner = self.nearby_view[at]
            face = 6 * partner
            if (
                boxes.faces_view[face] <= hix
                and lox <= boxes.faces_view[face + 3]
                and boxes.faces_view[face + 1] <= hiy
                and loy <= boxes.faces_view[face + 4]
            ):
                if target is not self or (source is self and slot < partner):
                    self.offer_pair(slot, target, partner, awake_only)
                else:
                    self.offer_pair(partner, source, slot, awake_only)
        return 0

    # The size, pictures and invariants.

    def measure(self) -> Size:
        """Return the size of the tree. Each box is in one node; the depth counts levels from the root."""
        codes = [code for code in self.codes[: self.used] if code]
        size = bytes_of(self.codes, self.masks, self.heads, self.box_counts, self.asleep_counts)
        size += bytes_of(self.table_codes, self.table_nodes, self.next_slots, self.previous_slots, self.slot_nodes)
        size += bytes_of(self.nearby)
        depth = 1 + max(depth_of(code) for code in codes) if codes else 0
        return Size(sum(self.box_counts_view[node] for node in self.occupied()), len(codes), depth, size)

    def occupied(self) -> list[int]:
        """Return the nodes with boxes."""
        return [node for node in range(self.used) if self.box_counts_view[node] > 0]

    def faces_of(self, code: int) -> tuple[int, int, int, int]:
        """Return the lowest corner of a node and its side, in lattice units."""
        level = TOP_LEVEL - depth_of(code)
        local = code - (1 << (3 * (TOP_LEVEL - level)))
        shift = self.boxes.bin_shift
        x, y, z = (((compact3(local >> axis) << level) - ORIGIN) << shift for axis in range(3))
        return x, y, z, 1 << (shift + level)

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each node with its level above the smallest one possible. In 2D they have the z range of the boxes."""
        found: list[tuple[Faces, int]] = []
        for code in self.codes[: self.used]:
            if code:
                x, y, z, side = self.faces_of(code)
                low, high = (-HALF_SLAB, HALF_SLAB) if self.boxes.flat else (z, z + side)
                level = TOP_LEVEL - depth_of(code) - self.lowest_level
                found.append(((x, y, low, x + side, y + side, high), level))
        return found

    def check_structure(self) -> None:
        """Verify lengths, table, masks, lists and free nodes. Raises IndexError for the first failure."""
        placed = [slot for slot in range(self.boxes.slot_count) if self.boxes.owner_view[slot] >= 0]
        self.check_lengths(placed)
        codes = {node: code for node, code in enumerate(self.codes[: self.used]) if code}
        known = set(codes.values())
        keys = sum(code != 0 for code in self.table_codes)
        if not keys == len(known) == len(codes) == self.node_count:
            raise IndexError(f"{len(codes)} nodes, {self.node_count} counted, {keys} in the table")
        masks = dict.fromkeys(known, 0)
        for code in known:
            if code < 1 or depth_of(code) > TOP_LEVEL - self.lowest_level:
                raise IndexError(f"{code} is no code")
            if code != ROOT:
                if code >> 3 not in known:
                    raise IndexError(f"node {code:o} has no parent")
                masks[code >> 3] |= 1 << (code & 7)
        for node, code in codes.items():
            if self.find(code) != node:
                raise IndexError(f"the table does not find node {code:o}")
            if self.masks_view[node] != masks[code]:
                raise IndexError(f"the mask of node {code:o} does not match its children")
            if not self.masks_view[node] and not self.box_counts_view[node]:
                raise IndexError(f"node {code:o} has neither boxes nor children")
            if self.boxes.flat and code & (X_BITS << 2) & ((_ONE << (3 * depth_of(code))) - 1):
                raise IndexError(f"node {code:o} divides z")
        if len(self.occupied()) != self.occupied_count:
            raise IndexError("the nodes with boxes are miscounted")
        vacant: list[int] = []
        node = self.first_free
        while 0 <= node < self.used and len(vacant) <= self.used:
            vacant.append(node)
            node = self.heads_view[node]
        if sorted([*vacant, *codes]) != list(range(self.used)):
            raise IndexError("the list of free nodes is wrong")
        listed = [slot for node in codes for slot in self.check_list(node)]
        if sorted(listed) != placed:
            raise IndexError("the lists of the nodes do not hold each box once")

    def check_lengths(self, placed: list[int]) -> None:
        """Verify that the arrays are as long as the structure takes them to be."""
        if not 1 <= self.lowest_level < TOP_LEVEL:
            raise IndexError(f"the smallest nodes are of level {self.lowest_level}")
        size = self.table_mask + 1
        if not size == len(self.table_codes) == len(self.table_nodes) or self.table_shift != 32 - size.bit_length():
            raise IndexError(f"the table has {len(self.table_codes)} places, not {size}, or is too small")
        nodes = (self.codes, self.masks, self.heads, self.box_counts, self.asleep_counts)
        if not 0 <= self.used <= self.capacity <= min(map(len, nodes)) or 2 * self.node_count > size + 1:
            raise IndexError(f"the arrays have no room for {self.used} of {self.capacity} nodes, or the table is full")
        if self.nearby_capacity > len(self.nearby):
            raise IndexError("the stack of pairs is shorter than its capacity")
        slots = min(map(len, (self.next_slots, self.previous_slots, self.slot_nodes)))
        if not max(placed, default=-1) < self.slot_capacity <= slots:
            raise IndexError(f"the links of slots have room for {slots}, not for {self.slot_capacity}")

    def check_list(self, node: int) -> list[int]:
        """Verify the list of a node and that its boxes belong there; return their slots."""
        slots: list[int] = []
        before, slot = -1, self.heads_view[node]
        while slot >= 0 and len(slots) <= self.box_counts_view[node]:
            if slot >= self.boxes.slot_count:
                raise IndexError(f"a node has slot {slot}")
            if self.previous_view[slot] != before or self.slot_nodes_view[slot] != node:
                raise IndexError(f"slot {slot} is not linked to its node or to the slot before it")
            if self.code_for(slot) != self.codes_view[node]:
                raise IndexError(f"the box in slot {slot} is not in the node of its level and lowest corner")
            slots.append(slot)
            before, slot = slot, self.next_view[slot]
        asleep = sum(not self.boxes.awake_view[slot] for slot in slots)
        if len(slots) != self.box_counts_view[node] or asleep != self.asleep_counts_view[node]:
            raise IndexError("the boxes of a node are miscounted")
        return slots
