# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""An octree without links: a hash table from location codes to nodes.

Source: Christer Ericson, Real-Time Collision Detection (2005), 7.3.3 (linear octrees); Irene Gargantini, An effective
way to represent quadtrees (1982). The location code of a node is the path to it from the root: three bits per level,
the octant taken, after a sentinel one bit. The root is 1, the parent of a node is its code shifted right by three, and
the position of the sentinel gives the depth. Each node has a mask of the children that exist, so a search looks up no
others. The neighbours of a node come from its code by addition within the bits of each axis (dilated integers).

A box is in the node of its size level, the lowest whose nodes are as long as the box, that contains its lowest corner;
it may reach beyond the upper faces of the node, by no more than the side of it. (Ulrich's loose octree, 2000, enlarges
nodes to all sides.) So a query searches nodes up to one side lower than its region. It begins at the smallest node that
contains all of these, by one lookup. The pairs of a node are found among the neighbours of its own level, and those of
its ancestors that are of a level in use.

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
    from cython.cimports.ecs_collision.broadphase.morton import bin_of, hash_of
    from cython.cimports.ecs_collision.broadphase.morton_codes import spread3
else:
    from ecs_collision.broadphase.morton import bin_of, hash_of
    from ecs_collision.broadphase.morton_codes import spread3

from ecs_collision._arrays import grown
from ecs_collision.broadphase.morton import TOP_LEVEL, X_BITS
from ecs_collision.broadphase.protocol import Index
from ecs_collision.broadphase.tree import Tree

MAX_DEPTH = 20
"""The greatest depth: a code has three bits per level and the sentinel, and 63 bits at most."""

ROOT = 1
"""The code of the root: the sentinel alone."""

_TOP_LEVEL = cython.declare(cython.int, TOP_LEVEL)
_X_BITS = cython.declare(cython.longlong, X_BITS)
_ONE = cython.declare(cython.longlong, 1)


# Codes.


def code_of(x: cython.longlong, y: cython.longlong, z: cython.longlong, depth: cython.int) -> cython.longlong:
    """Return the code of the node of a depth with these coordinates, each 0 to 2**depth - 1."""
    return spread3(x) | (spread3(y) << 1) | (spread3(z) << 2) | (_ONE << (3 * depth))


def depth_of(code: cython.longlong) -> cython.int:
    """Return the depth of a node, 0 for the root: a third of the position of the sentinel."""
    depth: cython.int = 0
    while code > 7:
        code >>= 3
        depth += 1
    return depth


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


@cython.final
@cython.cclass
class LinearOctreeIndex(Tree):
    """Boxes in nodes of a hash table (see `broadphase/protocol.py`).

    A node is a number: `codes` has its location code (0 for a free node), `masks` a bit for each child, `heads` its
    first box (for a free node, the next free one). The table finds the number by the code: open addressing, linear
    probing, removal by moving later entries back.
    """

    def __init__(self, bin_shift: cython.int, max_depth: cython.int) -> None:
        Tree.__init__(self, bin_shift)
        if not 1 <= max_depth <= MAX_DEPTH:
            raise IndexError(f"max_depth is {max_depth}; it must be 1 to {MAX_DEPTH}")
        self.lowest_level = _TOP_LEVEL - max_depth
        self.used, self.first_free = 0, -1
        self.codes, self.masks, self.heads = array("q"), array("i"), array("i")
        self.box_counts, self.asleep_counts, self.slot_nodes = array("i"), array("i"), array("i")
        self.table_codes, self.table_nodes = array("q", bytes(8 * 32)), array("i", bytes(4 * 32))
        self.table_mask, self.table_shift = 31, 26
        self.reserve_nodes()
        self.reserve()

    # The table.

    def find(self, code: cython.longlong) -> cython.int:
        """Return the number of a node, or -1 if it does not exist."""
        at: cython.Py_ssize_t = hash_of(code, self.table_shift)
        while self.table_codes[at] != 0:
            if self.table_codes[at] == code:
                return self.table_nodes[at]
            at = (at + 1) & self.table_mask
        return -1

    def write(self, code: cython.longlong, node: cython.int) -> cython.void:
        """Write a node to the first empty place of its probe sequence."""
        at: cython.Py_ssize_t = hash_of(code, self.table_shift)
        while self.table_codes[at] != 0:
            at = (at + 1) & self.table_mask
        self.table_codes[at] = code
        self.table_nodes[at] = node

    def erase(self, code: cython.longlong) -> cython.void:
        """Remove a node from the table. Later entries of its probe sequence move back."""
        hole: cython.Py_ssize_t = hash_of(code, self.table_shift)
        while self.table_codes[hole] != code:
            hole = (hole + 1) & self.table_mask
        at: cython.Py_ssize_t = (hole + 1) & self.table_mask
        while self.table_codes[at] != 0:
            first_place: cython.Py_ssize_t = hash_of(self.table_codes[at], self.table_shift)
            if ((at - first_place) & self.table_mask) >= ((at - hole) & self.table_mask):
                self.table_codes[hole] = self.table_codes[at]
                self.table_nodes[hole] = self.table_nodes[at]
                hole = at
            at = (at + 1) & self.table_mask
        self.table_codes[hole] = 0

    def enlarge_table(self) -> cython.void:
        """Double the table, so that at most half of it is full."""
        size: cython.Py_ssize_t = 2 * (self.table_mask + 1)
        self.table_codes, self.table_nodes = array("q", bytes(8 * size)), array("i", bytes(4 * size))
        self.table_mask = size - 1
        self.table_shift -= 1
        for node in range(self.used):
            if self.codes[node] != 0:
                self.write(self.codes[node], node)

    # Nodes.

    def reserve_nodes(self) -> cython.void:
        """Make room for twice as many nodes."""
        self.masks, self.heads, self.box_counts, self.asleep_counts, self.codes = grown(
            max(16, 2 * len(self.codes)), self.masks, self.heads, self.box_counts, self.asleep_counts, self.codes
        )

    def add(self, code: cython.longlong) -> cython.int:
        """Return a new node without boxes and children."""
        node: cython.int = self.first_free
        if 2 * self.node_count > self.table_mask:
            self.enlarge_table()
        if node >= 0:
            self.first_free = self.heads[node]
        else:
            if self.used == len(self.codes):
                self.reserve_nodes()
            node = cython.cast(cython.int, self.used)
            self.used += 1
        self.codes[node] = code
        self.heads[node] = -1
        self.masks[node] = self.box_counts[node] = self.asleep_counts[node] = 0
        self.write(code, node)
        self.node_count += 1
        return node

    def find_or_add(self, code: cython.longlong) -> cython.int:
        """Return a node; if it does not exist, add it and those of its ancestors that do not exist."""
        node: cython.int = self.find(code)
        if node >= 0:
            return node
        node = self.add(code)
        while code != 1:
            octant: cython.int = cython.cast(cython.int, code & 7)
            code = parent_of(code)
            parent: cython.int = self.find(code)
            if parent >= 0:
                self.masks[parent] |= 1 << octant
                break
            parent = self.add(code)
            self.masks[parent] = 1 << octant
        return node

    def prune(self, node: cython.int) -> cython.void:
        """Remove a node and its ancestors, as far as they have neither boxes nor children."""
        while self.box_counts[node] == 0 and self.masks[node] == 0:
            code: cython.longlong = self.codes[node]
            self.erase(code)
            self.codes[node] = 0
            self.heads[node] = self.first_free
            self.first_free = node
            self.node_count -= 1
            if code == 1:
                break
            node = self.find(parent_of(code))
            self.masks[node] &= ~(1 << cython.cast(cython.int, code & 7))

    # Changing.

    def reset(self) -> cython.void:
        """Forget all boxes and nodes. Works after an interrupted change, even one that was enlarging the table."""
        self.table_mask = len(self.table_codes) - 1
        self.table_shift = 26
        while (32 << (26 - self.table_shift)) <= self.table_mask:
            self.table_shift -= 1
        for at in range(self.table_mask + 1):
            self.table_codes[at] = 0
        self.node_count = self.occupied_count = self.used = 0
        self.first_free = -1

    def reserve(self) -> cython.void:
        """Make room for the node and the neighbours in it of each slot."""
        if self.boxes.capacity > len(self.slot_nodes):
            (self.slot_nodes,) = grown(self.boxes.capacity, self.slot_nodes)
        Tree.reserve(self)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def code_for(self, slot: cython.Py_ssize_t) -> cython.longlong:
        """Return the code of the node that a box belongs in."""
        at: cython.Py_ssize_t = 8 * slot
        shift: cython.int = self.boxes.bin_shift
        level: cython.int = max(cython.cast(cython.int, self.boxes.levels_view[slot]), self.lowest_level)
        z: cython.longlong = 0 if self.boxes.flat else bin_of(self.boxes.faces_view[at + 2], shift)
        return code_of(
            bin_of(self.boxes.faces_view[at], shift) >> level,
            bin_of(self.boxes.faces_view[at + 1], shift) >> level,
            z >> level,
            _TOP_LEVEL - level,
        )

    def enter(self, slot: cython.int) -> cython.void:
        """Add a box: O(1), if its node exists."""
        self.put(self.find_or_add(self.code_for(slot)), slot)
        self.cell_changes += 1

    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box: O(1), if its node has others."""
        node: cython.int = self.slot_nodes[slot]
        self.take(node, slot)
        self.prune(node)
        self.cell_changes += 1

    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box; nothing else changes while its lowest corner stays in the node."""
        node: cython.int = self.slot_nodes[slot]
        self.boxes.shift(slot, dx, dy, dz)
        code: cython.longlong = self.code_for(slot)
        if code == self.codes[node]:
            return
        self.take(node, slot)
        self.put(self.find_or_add(code), slot)
        self.prune(node)
        self.cell_changes += 2

    def set_awake_of(self, slot: cython.int, awake: cython.bint) -> cython.void:
        """Update the count of sleeping boxes of the node."""
        self.asleep_counts[self.slot_nodes[slot]] += -1 if awake else 1

    def put(self, node: cython.int, slot: cython.int) -> cython.void:
        """Add a box to a node."""
        self.heads[node] = self.link(slot, self.heads[node])
        self.slot_nodes[slot] = node
        self.box_counts[node] += 1
        self.asleep_counts[node] += 0 if self.boxes.awake_view[slot] else 1

    def take(self, node: cython.int, slot: cython.int) -> cython.void:
        """Remove a box from its node."""
        self.heads[node] = self.unlink(slot, self.heads[node])
        self.box_counts[node] -= 1
        self.asleep_counts[node] -= 0 if self.boxes.awake_view[slot] else 1

    # Queries.

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def node_levels(self, levels: cython.int) -> cython.int:
        """Return the levels (bits) of the nodes that have the boxes of some levels: small boxes are in larger nodes."""
        below: cython.int = (1 << self.lowest_level) - 1
        return (levels & ~below) | ((1 << self.lowest_level) if levels & below else 0)

    def search(self) -> cython.void:
        """Offer the boxes whose lowest corners lie in the region, or lower by up to the side of the largest.

        All of these are in or below the smallest node that contains the enlarged region, if that is not smaller than
        the largest box: a search begins there.
        """
        shift: cython.int = self.boxes.bin_shift
        levels: cython.int = self.node_levels(self.levels)
        level: cython.int = self.lowest_level
        while levels >> (level + 1):
            level += 1
        self.reach = _ONE << level
        self.wanted_levels = levels
        self.low_x, self.high_x = bin_of(min(self.lox, self.hix), shift), bin_of(max(self.lox, self.hix), shift)
        self.low_y, self.high_y = bin_of(min(self.loy, self.hiy), shift), bin_of(max(self.loy, self.hiy), shift)
        self.low_z = self.high_z = 0
        if not self.boxes.flat:
            self.low_z, self.high_z = bin_of(min(self.loz, self.hiz), shift), bin_of(max(self.loz, self.hiz), shift)
        apart: cython.longlong = max(self.low_x - self.reach, 0) ^ self.high_x
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

    def visit(
        self, node: cython.int, level: cython.int, x: cython.longlong, y: cython.longlong, z: cython.longlong
    ) -> cython.void:
        """Offer the boxes of a node, which begins at a bin, and of those of its children that the search reaches."""
        children: cython.int = self.masks[node]
        if (
            self.box_counts[node] > 0
            and (self.wanted_levels >> level) & 1
            and not (self.asleep_only and self.asleep_counts[node] == 0)
        ):
            self.cells_visited += 1
            slot: cython.int = self.heads[node]
            while slot >= 0:
                self.offer(slot)
                slot = self.next_slots[slot]
        if children == 0 or not self.wanted_levels & ((1 << level) - 1):
            return
        half: cython.longlong = _ONE << (level - 1)
        reach: cython.longlong = min(half, self.reach)
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
        code: cython.longlong = self.codes[node] << 3
        octant: cython.int = 0
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

    def pair_with(self, other: Index) -> cython.void:
        """Offer all pairs of this tree, found among neighbouring nodes, those with another by queries."""
        if other is not self:
            Index.pair_with(self, other)
            return
        levels: cython.int = self.node_levels(self.boxes.level_bits)
        for node in range(self.used):
            if self.box_counts[node] == 0:
                continue
            code: cython.longlong = self.codes[node]
            level: cython.int = _TOP_LEVEL - depth_of(code)
            if not (self.awake_only and self.is_asleep(node)):
                slot: cython.int = self.heads[node]
                while slot >= 0:
                    self.pair_list(slot, self.next_slots[slot])
                    slot = self.next_slots[slot]
            self.pair_neighbours(node, code, True)
            while levels >> (level + 1):
                level += 1
                code = parent_of(code)
                if (levels >> level) & 1:
                    self.pair_neighbours(node, code, False)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_asleep(self, node: cython.int) -> cython.bint:
        """Return whether all boxes of a node are asleep."""
        return self.asleep_counts[node] == self.box_counts[node]

    def pair_neighbours(self, node: cython.int, code: cython.longlong, is_own: cython.bint) -> cython.int:
        """Offer the pairs of the boxes of a node with those of the neighbours of its cell, or of one around it.

        Two nodes of the same level are each other's neighbours, so the first of them offers their pairs (`is_own`).
        """
        sentinel: cython.longlong = _ONE << (3 * depth_of(code))
        x_bits: cython.longlong = _X_BITS & (sentinel - 1)
        is_asleep: cython.bint = self.awake_only and self.is_asleep(node)
        # Boxes reach beyond the upper faces of the cell only if the node is there.
        own: cython.longlong = self.codes[node]
        inner: cython.longlong = _X_BITS & ((_ONE << (3 * (depth_of(own) - depth_of(code)))) - 1)
        last_x: cython.int = own & inner == inner
        last_y: cython.int = (own >> 1) & inner == inner
        last_z: cython.int = not self.boxes.flat and (own >> 2) & inner == inner
        for dz in range(0 if self.boxes.flat else -1, last_z + 1):
            z: cython.longlong = step(code, x_bits << 2, 4, dz)
            for dy in range(-1, last_y + 1):
                y: cython.longlong = step(code, x_bits << 1, 2, dy)
                for dx in range(-1, last_x + 1):
                    x: cython.longlong = step(code, x_bits, 1, dx)
                    if (is_own and 9 * dz + 3 * dy + dx <= 0) or x < 0 or y < 0 or z < 0:
                        continue
                    found: cython.int = self.find(x | y | z | sentinel)
                    if found < 0 or (is_asleep and self.is_asleep(found)):
                        continue
                    slot: cython.int = self.heads[node]
                    while slot >= 0:
                        self.pair_list(slot, self.heads[found])
                        slot = self.next_slots[slot]
        return 0
