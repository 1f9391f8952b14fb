# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""A tree of nodes that divide when they have too many boxes: the kernel of `quadtree` and `octree`.

A node that is not divided is a leaf. A leaf with more than `capacity` boxes divides: its boxes go to the children that
contain their centres, and only children that get a box are made. When half the capacity or less is left in a divided
node and below it, its children merge back into it. Between the two numbers nothing happens, so a box that goes back and
forth does not divide and merge a node again and again. The smallest nodes are bins, or `max_depth` levels below the
root; they never divide, so coincident boxes end there at the latest.

The nodes are loose: a box is in a node that contains its *centre* and is at least as long as the box. So no box stays
high up in the tree only because it lies across a line of division, each is in one node, and it reaches out of the node
by half the side at most. Queries enlarge every node by half the longest side of the boxes present, by their size levels
(B1). With straddlers at inner nodes and no margin, queries for 10,000 unit boxes took 6 (2D) and 20 times
(3D) as long, all pairs in 3D 6 times.

Nodes store no bounds. Those of the children follow from those of the node, and the bits of a centre name the children
on its way down, so a box that moves is still in its node if the bits above the size of the node are the same. Nodes are
numbers, items of a few arrays, and removed ones form a list of free nodes: 51 bytes a node of an octree, 35 of a
quadtree, and 12 bytes a box.

The root begins as the cell that the first box needs. A box outside makes it the child of a new root, twice as long and
extended towards the box; when the last box leaves, the root is removed. Not taken: cells of the whole index, whose
lines of division go through the origin. Most worlds have their middle there, so the root would be the whole index, with
a dozen levels of one child each below it.

All pairs are found by the descent of two nodes at once, first the root with itself; where two nodes are too far apart
it ends, and at two leaves only those boxes are compared that reach the other. Every node counts the boxes and the
sleeping boxes of its subtree, so a pass over awake pairs and a query for sleeping boxes leave out subtrees.

A change costs O(depth), and O(boxes of the node) where one divides or merges; a query O(nodes that it meets and their
boxes); all pairs O(boxes) for boxes of similar size.

Source: R. A. Finkel and J. L. Bentley, "Quad trees: a data structure for retrieval on composite keys", Acta Informatica
4 (1974); H. Samet, "The Design and Analysis of Spatial Data Structures" (1990), bucket quadtrees; loose nodes: T.
Ulrich, "Loose Octrees", Game Programming Gems (2000).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.protocol import Index
else:
    from ecs_collision.broadphase.protocol import Index

from ecs_collision._arrays import bytes_of, longer
from ecs_collision.broadphase.protocol import Faces, Size

_FAR = cython.declare(cython.longlong, 1 << 60)
"""Farther than any face. On an axis that is not divided every region reaches from -_FAR to _FAR."""


_EXPONENTS = 64
"""More than the greatest exponent of a side, which is 24 above that of a bin."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _side(exponent: cython.int) -> cython.longlong:
    """Return 2**exponent, the side of a node."""
    return cython.cast(cython.longlong, 1) << exponent


@cython.cclass
class CapacityTree(Index):
    """Nodes with a capacity, over those of the three axes that are divided (see the module).

    The side of a node is a power of two. `u`, `v` and `w` are the divided axes in order; `axis_u` is the number of the
    first one, and -1 stands for none. The child of a node on the upper side of u, v, w has 1, 2, 4 in its place.

    Per node: `heads` the first of its own boxes, `children` (-1 where there is none), `parents` (of a free node, the
    next free one), `places` among the children of the parent, `exponents` of the side, whether it `is_divided`, and
    `box_counts` and `asleep_counts` of its subtree. Per slot: `nodes`, and `next_slots` and `previous_slots` there.
    """

    def __init__(
        self, bin_shift: cython.int, capacity: cython.int, max_depth: cython.int, ignored_axis: cython.int
    ) -> None:
        Index.__init__(self, bin_shift)
        self.capacity, self.max_depth, self.ignored_axis = capacity, max_depth, ignored_axis
        self.fewest = capacity // 2
        self.stride = 8 if ignored_axis < 0 else 4
        self.slot_capacity = self.node_capacity = self.used = self.node_count = self.occupied_count = 0
        self.first_free = -1
        self.exponent_counts = array("i", bytes(4 * _EXPONENTS))
        self.exponent_counts_view = self.exponent_counts
        self.margins = array("q", bytes(8 * _EXPONENTS))
        self.margins_view = self.margins
        self.nodes, self.next_slots, self.previous_slots = array("i"), array("i"), array("i")
        self.children, self.parents, self.heads = array("i"), array("i"), array("i")
        self.box_counts, self.asleep_counts = array("i"), array("i")
        self.places, self.exponents, self.is_divided = array("b"), array("b"), array("b")
        self.u = self.v = self.w = self.side = 0
        self.reset()
        self.reserve()
        self.reserve_nodes()

    @property
    def cell_count(self) -> int:
        """The number of nodes with boxes of their own."""
        return int(self.occupied_count)

    # Nodes.

    @cython.cfunc
    def reserve_nodes(self) -> cython.void:
        """Make room for twice as many nodes."""
        capacity: cython.Py_ssize_t = max(16, 2 * self.node_capacity)
        children, parents = longer(self.children, self.stride * capacity), longer(self.parents, capacity)
        heads, box_counts = longer(self.heads, capacity), longer(self.box_counts, capacity)
        asleep_counts, places = longer(self.asleep_counts, capacity), longer(self.places, capacity)
        exponents, is_divided = longer(self.exponents, capacity), longer(self.is_divided, capacity)
        self.children, self.parents, self.heads, self.box_counts = children, parents, heads, box_counts
        self.asleep_counts, self.places, self.exponents, self.is_divided = asleep_counts, places, exponents, is_divided
        self.children_view, self.parents_view, self.heads_view = self.children, self.parents, self.heads
        self.box_counts_view, self.asleep_counts_view = self.box_counts, self.asleep_counts
        self.places_view, self.exponents_view, self.is_divided_view = self.places, self.exponents, self.is_divided
        self.node_capacity = capacity

    @cython.cfunc
    def make_node(self, parent: cython.int, place: cython.int, exponent: cython.int) -> cython.int:
        """Return a leaf without boxes, linked to its parent (-1 for none): a free node, or one from the end."""
        node: cython.int = self.first_free
        at: cython.Py_ssize_t
        if node >= 0:
            self.first_free = self.parents_view[node]
        else:
            if self.used == self.node_capacity:
                self.reserve_nodes()
            node = cython.cast(cython.int, self.used)
            self.used += 1
        for at in range(self.stride * node, self.stride * (node + 1)):
            self.children_view[at] = -1
        self.parents_view[node] = parent
        self.heads_view[node] = -1
        self.box_counts_view[node] = self.asleep_counts_view[node] = 0
        self.places_view[node] = place
        self.exponents_view[node] = exponent
        self.is_divided_view[node] = False
        if parent >= 0:
            self.children_view[self.stride * parent + place] = node
        self.exponent_counts_view[exponent] += 1
        self.node_count += 1
        return node

    @cython.cfunc
    @cython.exceptval(check=False)
    def free_node(self, node: cython.int) -> cython.void:
        """Unlink a node without boxes and children from its parent, and add it to the free nodes."""
        if self.parents_view[node] >= 0:
            self.children_view[self.stride * self.parents_view[node] + self.places_view[node]] = -1
        self.exponent_counts_view[self.exponents_view[node]] -= 1
        self.node_count -= 1
        self.parents_view[node] = self.first_free
        self.exponents_view[node] = -1
        self.first_free = node

    @cython.cfunc
    @cython.exceptval(check=False)
    def link(self, slot: cython.int, node: cython.int) -> cython.void:
        """Add a box to the own boxes of a node."""
        head: cython.int = self.heads_view[node]
        self.next_slots_view[slot] = head
        self.previous_slots_view[slot] = -1
        if head >= 0:
            self.previous_slots_view[head] = slot
        else:
            self.occupied_count += 1
        self.heads_view[node] = slot
        self.nodes_view[slot] = node

    @cython.cfunc
    @cython.exceptval(check=False)
    def unlink(self, slot: cython.int) -> cython.void:
        """Remove a box from the own boxes of its node."""
        node: cython.int = self.nodes_view[slot]
        after: cython.int = self.next_slots_view[slot]
        before: cython.int = self.previous_slots_view[slot]
        if after >= 0:
            self.previous_slots_view[after] = before
        if before >= 0:
            self.next_slots_view[before] = after
        else:
            self.heads_view[node] = after
            if after < 0:
                self.occupied_count -= 1

    # Where a box belongs.

    @cython.cfunc
    @cython.exceptval(check=False)
    def locate(self, slot: cython.int) -> cython.void:
        """Write the centre of a box to `u`, `v`, `w` (0 on an axis that is not divided), its longest side to `side`."""
        at: cython.Py_ssize_t = 6 * slot + self.axis_u
        lo: cython.longlong = self.boxes.faces_view[at]
        hi: cython.longlong = self.boxes.faces_view[at + 3]
        self.v = self.w = 0
        self.u, self.side = (lo + hi) >> 1, hi - lo
        if self.axis_v >= 0:
            at = 6 * slot + self.axis_v
            lo, hi = self.boxes.faces_view[at], self.boxes.faces_view[at + 3]
            self.v, self.side = (lo + hi) >> 1, max(self.side, hi - lo)
        if self.axis_w >= 0:
            at = 6 * slot + self.axis_w
            lo, hi = self.boxes.faces_view[at], self.boxes.faces_view[at + 3]
            self.w, self.side = (lo + hi) >> 1, max(self.side, hi - lo)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def fits(self, exponent: cython.int) -> cython.bint:
        """Return whether the located box is no longer than nodes with a side of 2**exponent."""
        return self.side <= _side(exponent)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def root_contains(self) -> cython.bint:
        """Return whether the cell of the root contains the located centre."""
        return (
            (self.u - self.root_u) >> self.root_exponent == 0
            and (self.v - self.root_v) >> self.root_exponent == 0
            and (self.w - self.root_w) >> self.root_exponent == 0
        )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def place_at(self, exponent: cython.int) -> cython.int:
        """Return the place of the child with a side of 2**exponent that contains the located centre."""
        return (
            (((self.u - self.root_u) >> exponent) & 1)
            + (((self.v - self.root_v) >> exponent) & 1) * 2
            + (((self.w - self.root_w) >> exponent) & 1) * 4
        )

    # The root.

    @cython.cfunc
    def begin(self, slot: cython.int) -> cython.void:
        """Make the root for the first box: the smallest cell, at least a bin, that may have it."""
        axis: cython.int
        exponent: cython.int = self.boxes.bin_shift
        self.axis_u = self.axis_v = self.axis_w = -1
        self.fan = 1
        for axis in range(3):
            if axis == self.ignored_axis or (axis == 2 and self.boxes.flat):
                continue
            if self.fan == 1:
                self.axis_u = axis
            elif self.fan == 2:
                self.axis_v = axis
            else:
                self.axis_w = axis
            self.fan *= 2
        self.locate(slot)
        while not self.fits(exponent):
            exponent += 1
        self.root_u = (self.u >> exponent) << exponent
        self.root_v = (self.v >> exponent) << exponent
        self.root_w = (self.w >> exponent) << exponent
        self.root_exponent = exponent
        self.floor = max(self.boxes.bin_shift, exponent - self.max_depth)
        self.root = self.make_node(-1, 0, exponent)

    @cython.cfunc
    def grow(self) -> cython.void:
        """Double the root towards the located centre. Nodes that are then too deep merge."""
        old: cython.int = self.root
        side: cython.longlong = _side(self.root_exponent)
        place: cython.int = 0
        if 2 * (self.u - self.root_u) < side:
            self.root_u -= side
            place += 1
        if self.axis_v >= 0 and 2 * (self.v - self.root_v) < side:
            self.root_v -= side
            place += 2
        if self.axis_w >= 0 and 2 * (self.w - self.root_w) < side:
            self.root_w -= side
            place += 4
        self.root_exponent += 1
        if self.is_divided_view[old]:
            self.root = self.make_node(-1, 0, self.root_exponent)
            self.is_divided_view[self.root] = True
            self.box_counts_view[self.root] = self.box_counts_view[old]
            self.asleep_counts_view[self.root] = self.asleep_counts_view[old]
            self.children_view[self.stride * self.root + place] = old
            self.parents_view[old] = self.root
            self.places_view[old] = place
        else:
            self.exponent_counts_view[self.root_exponent - 1] -= 1
            self.exponent_counts_view[self.root_exponent] += 1
            self.exponents_view[old] = self.root_exponent
        if self.root_exponent - self.max_depth > self.floor:
            self.floor = self.root_exponent - self.max_depth
            self.limit_depth(self.root)

    @cython.cfunc
    @cython.exceptval(check=False)
    def limit_depth(self, node: cython.int) -> cython.void:
        """Merge all divided nodes of a subtree that have the side of the smallest nodes."""
        at: cython.Py_ssize_t
        if not self.is_divided_view[node]:
            return
        if self.exponents_view[node] == self.floor:
            self.merge(node)
            return
        for at in range(self.stride * node, self.stride * node + self.fan):
            if self.children_view[at] >= 0:
                self.limit_depth(self.children_view[at])

    # Dividing and merging.

    @cython.cfunc
    def add_below(self, slot: cython.int, node: cython.int) -> cython.void:
        """Add the located box to the subtree of a node: to the smallest node that exists or may be made for it."""
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        exponent: cython.int = self.exponents_view[node]
        place: cython.int
        child: cython.int
        self.box_counts_view[node] += 1
        self.asleep_counts_view[node] += asleep
        while self.is_divided_view[node] and self.fits(exponent - 1):
            exponent -= 1
            place = self.place_at(exponent)
            child = self.children_view[self.stride * node + place]
            node = child if child >= 0 else self.make_node(node, place, exponent)
            self.box_counts_view[node] += 1
            self.asleep_counts_view[node] += asleep
        self.link(slot, node)
        if not self.is_divided_view[node] and self.box_counts_view[node] > self.capacity and exponent > self.floor:
            self.divide(node)

    @cython.cfunc
    def divide(self, node: cython.int) -> cython.void:
        """Move the boxes of a leaf that fit its children there, and divide these if they have too many."""
        exponent: cython.int = self.exponents_view[node] - 1
        slot: cython.int = self.heads_view[node]
        after: cython.int
        place: cython.int
        child: cython.int
        self.is_divided_view[node] = True
        while slot >= 0:
            after = self.next_slots_view[slot]
            self.locate(slot)
            if self.fits(exponent):
                place = self.place_at(exponent)
                child = self.children_view[self.stride * node + place]
                if child < 0:
                    child = self.make_node(node, place, exponent)
                self.unlink(slot)
                self.link(slot, child)
                self.box_counts_view[child] += 1
                self.asleep_counts_view[child] += 0 if self.boxes.awake_view[slot] else 1
            slot = after
        if exponent > self.floor:
            for place in range(self.fan):
                child = self.children_view[self.stride * node + place]
                if child >= 0 and self.box_counts_view[child] > self.capacity:
                    self.divide(child)

    @cython.cfunc
    @cython.exceptval(check=False)
    def merge(self, node: cython.int) -> cython.void:
        """Make a divided node a leaf: it takes the boxes of its subtree, and the nodes below become free."""
        at: cython.Py_ssize_t
        for at in range(self.stride * node, self.stride * node + self.fan):
            if self.children_view[at] >= 0:
                self.take_boxes(node, self.children_view[at])
        self.is_divided_view[node] = False

    @cython.cfunc
    @cython.exceptval(check=False)
    def take_boxes(self, node: cython.int, below: cython.int) -> cython.void:
        """Move the boxes of a subtree to a node above it, and free its nodes."""
        at: cython.Py_ssize_t
        slot: cython.int = self.heads_view[below]
        after: cython.int
        while slot >= 0:
            after = self.next_slots_view[slot]
            self.unlink(slot)
            self.link(slot, node)
            slot = after
        for at in range(self.stride * below, self.stride * below + self.fan):
            if self.children_view[at] >= 0:
                self.take_boxes(node, self.children_view[at])
        self.free_node(below)

    @cython.cfunc
    @cython.exceptval(check=False)
    def remove_below(self, slot: cython.int, top: cython.int) -> cython.void:
        """Remove a box from its node and the counts up to, and without, a node above it (-1: to the root).

        Nodes left without boxes become free, and the highest one with few boxes merges.
        """
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        node: cython.int = self.nodes_view[slot]
        above: cython.int
        sparse: cython.int = -1
        self.unlink(slot)
        while node != top:
            above = self.parents_view[node]
            self.box_counts_view[node] -= 1
            self.asleep_counts_view[node] -= asleep
            if self.box_counts_view[node] == 0:
                self.free_node(node)
            elif self.is_divided_view[node] and self.box_counts_view[node] <= self.fewest:
                sparse = node
            node = above
        if sparse >= 0:
            self.merge(sparse)

    # Changing.

    @cython.ccall
    def reset(self) -> cython.void:
        """Forget all boxes; O(1). Works after an interrupted change."""
        at: cython.Py_ssize_t
        for at in range(_EXPONENTS):
            self.exponent_counts_view[at] = 0
        self.root = self.first_free = -1
        self.used = self.node_count = self.occupied_count = 0
        self.root_u = self.root_v = self.root_w = 0
        self.root_exponent = self.floor = 0
        self.margin_bits = 0
        self.axis_u = self.axis_v = self.axis_w = -1
        self.fan = 1

    @cython.ccall
    def reserve(self) -> cython.void:
        """Make room for the node and the neighbours in it of each slot."""
        capacity: cython.Py_ssize_t = self.boxes.capacity
        if capacity <= self.slot_capacity:
            return
        nodes, next_slots = longer(self.nodes, capacity), longer(self.next_slots, capacity)
        previous_slots = longer(self.previous_slots, capacity)
        self.nodes, self.next_slots, self.previous_slots = nodes, next_slots, previous_slots
        self.nodes_view, self.next_slots_view, self.previous_slots_view = nodes, next_slots, previous_slots
        self.slot_capacity = capacity

    @cython.ccall
    def enter(self, slot: cython.int) -> cython.void:
        """Add a box; O(depth), and O(boxes) where a node divides. The root grows if the box needs it."""
        if self.root < 0:
            self.begin(slot)
        self.locate(slot)
        while not (self.root_contains() and self.fits(self.root_exponent)):
            self.grow()
        self.add_below(slot, self.root)
        self.cell_changes += 1

    @cython.ccall
    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box; O(depth), and O(capacity) where nodes merge."""
        self.remove_below(slot, -1)
        if self.node_count == 0:
            self.root = -1
        self.cell_changes += 1

    @cython.ccall
    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box. If its centre stays in the node, nothing else changes; otherwise O(nodes up to a common one)."""
        changed: cython.longlong
        node: cython.int = self.nodes_view[slot]
        self.locate(slot)
        u: cython.longlong = self.u - self.root_u
        v: cython.longlong = self.v - self.root_v
        w: cython.longlong = self.w - self.root_w
        self.boxes.shift(slot, dx, dy, dz)
        self.locate(slot)
        # The highest bit in which the centres differ: they are in the same node if its side is beyond that bit.
        changed = (u ^ (self.u - self.root_u)) | (v ^ (self.v - self.root_v)) | (w ^ (self.w - self.root_w))
        if changed >> self.exponents_view[node] == 0:
            return
        if changed >> self.root_exponent != 0:
            self.leave(slot)
            self.enter(slot)
            return
        while changed >> self.exponents_view[node] != 0:
            node = self.parents_view[node]
        self.remove_below(slot, node)
        self.box_counts_view[node] -= 1
        self.asleep_counts_view[node] -= 0 if self.boxes.awake_view[slot] else 1
        self.add_below(slot, node)
        self.cell_changes += 2

    @cython.ccall
    def set_awake_of(self, slot: cython.int, awake: cython.bint) -> cython.void:
        """Update the counts of sleeping boxes; O(depth)."""
        change: cython.int = -1 if awake else 1
        node: cython.int = self.nodes_view[slot]
        while node >= 0:
            self.asleep_counts_view[node] += change
            node = self.parents_view[node]

    # Queries.

    @cython.cfunc
    @cython.exceptval(check=False)
    def update_margins(self) -> cython.void:
        """Write how far boxes reach out of the nodes of each size, if other size levels are in use than the last time.

        No box is longer than its node, so it reaches out of it by half the side. It is half the largest box at most,
        and, if all axes of the levels are divided, half the largest of those that are no longer than the node.
        """
        bits: cython.longlong = self.boxes.level_bits  # shifted by more than 31 below
        bin_shift: cython.int = self.boxes.bin_shift
        exponent: cython.int
        largest: cython.longlong = 0
        by_level: cython.bint = self.ignored_axis < 0 or (self.ignored_axis == 2 and self.boxes.flat)
        if self.margin_bits == bits:
            return
        self.margin_bits = 0
        if not by_level:
            largest = _side(bin_shift - 1)
            while bits >> 1:
                bits >>= 1
                largest *= 2
        for exponent in range(bin_shift, _EXPONENTS - 2):
            if by_level and (bits >> (exponent - bin_shift)) & 1:
                largest = _side(exponent - 1)
            self.margins_view[exponent] = min(largest, _side(exponent - 1))
        self.margin_bits = self.boxes.level_bits

    @cython.ccall
    def search(self) -> cython.void:
        """Offer the boxes of all nodes that the region meets."""
        if self.root >= 0:
            self.update_margins()
            self.set_region()
            self.visit(self.root, self.root_u, self.root_v, self.root_w)

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_region(self) -> cython.void:
        """Write the faces of the region on the divided axes."""
        self.lo_u, self.hi_u = self.region_lo(self.axis_u), self.region_hi(self.axis_u)
        self.lo_v, self.hi_v = self.region_lo(self.axis_v), self.region_hi(self.axis_v)
        self.lo_w, self.hi_w = self.region_lo(self.axis_w), self.region_hi(self.axis_w)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def region_lo(self, axis: cython.int) -> cython.longlong:
        """Return the lower face of the region on an axis; -_FAR on none."""
        return self.lox if axis == 0 else self.loy if axis == 1 else self.loz if axis == 2 else -_FAR

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def region_hi(self, axis: cython.int) -> cython.longlong:
        """Return the upper face of the region on an axis; _FAR on none."""
        return self.hix if axis == 0 else self.hiy if axis == 1 else self.hiz if axis == 2 else _FAR

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_met(self, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether a box meets the region."""
        at: cython.Py_ssize_t = 6 * slot
        return (
            self.boxes.faces_view[at] <= self.hix
            and self.lox <= self.boxes.faces_view[at + 3]
            and self.boxes.faces_view[at + 1] <= self.hiy
            and self.loy <= self.boxes.faces_view[at + 4]
            and self.boxes.faces_view[at + 2] <= self.hiz
            and self.loz <= self.boxes.faces_view[at + 5]
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def visit(self, node: cython.int, u: cython.longlong, v: cython.longlong, w: cython.longlong) -> cython.void:
        """Offer the boxes of a node, which begins at u, v, w, and of the children that the region meets."""
        slot: cython.int = self.heads_view[node]
        if slot >= 0:
            self.cells_visited += 1
        while slot >= 0:
            if self.is_met(slot):  # a call of `offer` costs more than this
                self.offer(slot)
            slot = self.next_slots_view[slot]
        if self.is_divided_view[node]:
            self.visit_children(node, u, v, w)

    @cython.cfunc
    @cython.exceptval(check=False)
    def visit_children(
        self, node: cython.int, u: cython.longlong, v: cython.longlong, w: cython.longlong
    ) -> cython.void:
        """Offer the boxes of the children of a divided node that the region meets, and of those below them."""
        exponent: cython.int = self.exponents_view[node] - 1
        side: cython.longlong = _side(exponent)
        margin: cython.longlong = self.margins_view[exponent]
        near: cython.int = (1 << self.fan) - 1
        place: cython.int
        child: cython.int
        if self.lo_u >= u + side + margin or self.hi_u < u - margin:
            near &= 0xAA
        if self.lo_u >= u + 2 * side + margin or self.hi_u < u + side - margin:
            near &= 0x55
        if self.lo_v >= v + side + margin or self.hi_v < v - margin:
            near &= 0xCC
        if self.lo_v >= v + 2 * side + margin or self.hi_v < v + side - margin:
            near &= 0x33
        if self.fan == 8:
            if self.lo_w >= w + side + margin or self.hi_w < w - margin:
                near &= 0xF0
            if self.lo_w >= w + 2 * side + margin or self.hi_w < w + side - margin:
                near &= 0x0F
        for place in range(self.fan):
            if (near >> place) & 1:
                child = self.children_view[self.stride * node + place]
                if child >= 0 and not (self.asleep_only and self.asleep_counts_view[child] == 0):
                    self.visit(
                        child, u + side * (place & 1), v + side * ((place >> 1) & 1), w + side * ((place >> 2) & 1)
                    )

    # Pairs.

    @cython.ccall
    def find_pairs(self, other: Index, awake_only: cython.bint) -> cython.Py_ssize_t:
        """Return how many pairs meet, by the descent of two nodes at once; by queries if `other` is no such tree."""
        tree: CapacityTree
        if not isinstance(other, CapacityTree):
            return Index.find_pairs(self, other, awake_only)
        tree = cython.cast(CapacityTree, other)
        self.pair_count = 0
        if self.root < 0 or tree.root < 0:
            return 0
        if tree.axis_u != self.axis_u or tree.axis_v != self.axis_v or tree.axis_w != self.axis_w:
            return Index.find_pairs(self, other, awake_only)
        self.awake_only = awake_only
        self.ask_for_all()
        tree.ask_for_all()
        if tree is self:
            self.pair_within(self.root, self.root_u, self.root_v, self.root_w)
        else:
            # fmt: off
            self.pair_between(
                tree, self.root, self.root_u, self.root_v, self.root_w, tree.root, tree.root_u, tree.root_v, tree.root_w
            )
            # fmt: on
        return self.pair_count

    @cython.cfunc
    def ask_for_all(self) -> cython.void:
        """Prepare queries for boxes of all levels, awake or not."""
        self.levels, self.asleep_only = self.boxes.level_bits, False
        self.update_margins()
        if self.boxes.capacity > self.hit_capacity:
            self.reserve_hits()

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def has_awake(self, node: cython.int) -> cython.bint:
        """Return whether a subtree has an awake box."""
        return self.asleep_counts_view[node] < self.box_counts_view[node]

    @cython.cfunc
    def pair_within(self, node: cython.int, u: cython.longlong, v: cython.longlong, w: cython.longlong) -> cython.void:
        """Find the pairs within the subtree of a node, which begins at u, v, w."""
        slot: cython.int = self.heads_view[node]
        at: cython.int
        child: cython.int
        place: cython.int
        side: cython.longlong
        if self.awake_only and not self.has_awake(node):
            return
        while slot >= 0:
            at = self.next_slots_view[slot]
            while at >= 0:
                self.offer_pair(min(slot, at), self, max(slot, at), self.awake_only)
                at = self.next_slots_view[at]
            if self.is_divided_view[node]:
                self.set_box(self, slot)
                self.visit_children(node, u, v, w)
                for at in range(self.hit_count):
                    self.offer_pair(min(slot, self.hits_view[at]), self, max(slot, self.hits_view[at]), self.awake_only)
            slot = self.next_slots_view[slot]
        if not self.is_divided_view[node]:
            return
        side = _side(self.exponents_view[node] - 1)
        for place in range(self.fan):
            child = self.children_view[self.stride * node + place]
            if child >= 0:
                self.pair_within(
                    child, u + side * (place & 1), v + side * ((place >> 1) & 1), w + side * ((place >> 2) & 1)
                )
        for place in range(1, self.fan):
            for at in range(place):
                self.pair_siblings(node, at, place, u, v, w)

    @cython.cfunc
    def pair_siblings(
        self,
        node: cython.int,
        first: cython.int,
        second: cython.int,
        u: cython.longlong,
        v: cython.longlong,
        w: cython.longlong,
    ) -> cython.void:
        """Find the pairs between the subtrees in two places of a node, which begins at u, v, w."""
        side: cython.longlong = _side(self.exponents_view[node] - 1)
        a: cython.int = self.children_view[self.stride * node + first]
        b: cython.int = self.children_view[self.stride * node + second]
        if a >= 0 and b >= 0:
            self.pair_between(
                self,
                a,
                u + side * (first & 1),
                v + side * ((first >> 1) & 1),
                w + side * ((first >> 2) & 1),
                b,
                u + side * (second & 1),
                v + side * ((second >> 1) & 1),
                w + side * ((second >> 2) & 1),
            )

    @cython.cfunc
    def pair_between(
        self,
        tree: CapacityTree,
        a: cython.int,
        a_u: cython.longlong,
        a_v: cython.longlong,
        a_w: cython.longlong,
        b: cython.int,
        b_u: cython.longlong,
        b_v: cython.longlong,
        b_w: cython.longlong,
    ) -> cython.void:
        """Find the pairs of the subtree of a node `a` of this tree and that of a node `b` of another or the same tree.

        The larger node that is divided gives way to its children, after its own boxes have met the other subtree.
        """
        side: cython.longlong
        u: cython.longlong
        v: cython.longlong
        w: cython.longlong
        place: cython.int
        child: cython.int
        slot: cython.int
        at: cython.Py_ssize_t
        if self.awake_only and not self.has_awake(a) and not tree.has_awake(b):
            return
        side = self.margins_view[self.exponents_view[a]] + tree.margins_view[tree.exponents_view[b]]
        if not _near(
            _side(self.exponents_view[a]) + side, a_u, a_v, a_w, _side(tree.exponents_view[b]) + side, b_u, b_v, b_w
        ):
            return
        if not self.is_divided_view[a] and not tree.is_divided_view[b]:
            self.pair_leaves(tree, a, a_u, a_v, a_w, b, b_u, b_v, b_w)
        elif self.is_divided_view[a] and (
            not tree.is_divided_view[b] or self.exponents_view[a] >= tree.exponents_view[b]
        ):
            slot = self.heads_view[a]
            while slot >= 0:
                tree.set_box(self, slot)
                if tree.region_meets(tree.exponents_view[b], b_u, b_v, b_w):
                    tree.visit(b, b_u, b_v, b_w)
                    for at in range(tree.hit_count):
                        self.offer_pair(slot, tree, tree.hits_view[at], self.awake_only)
                slot = self.next_slots_view[slot]
            side = _side(self.exponents_view[a] - 1)
            for place in range(self.fan):
                child = self.children_view[self.stride * a + place]
                if child >= 0:
                    u = a_u + side * (place & 1)
                    v = a_v + side * ((place >> 1) & 1)
                    w = a_w + side * ((place >> 2) & 1)
                    self.pair_between(tree, child, u, v, w, b, b_u, b_v, b_w)
        else:
            slot = tree.heads_view[b]
            while slot >= 0:
                self.set_box(tree, slot)
                if self.region_meets(self.exponents_view[a], a_u, a_v, a_w):
                    self.visit(a, a_u, a_v, a_w)
                    for at in range(self.hit_count):
                        self.offer_pair(self.hits_view[at], tree, slot, self.awake_only)
                slot = tree.next_slots_view[slot]
            side = _side(tree.exponents_view[b] - 1)
            for place in range(tree.fan):
                child = tree.children_view[tree.stride * b + place]
                if child >= 0:
                    u = b_u + side * (place & 1)
                    v = b_v + side * ((place >> 1) & 1)
                    w = b_w + side * ((place >> 2) & 1)
                    self.pair_between(tree, a, a_u, a_v, a_w, child, u, v, w)

    @cython.cfunc
    def pair_leaves(
        self,
        tree: CapacityTree,
        a: cython.int,
        a_u: cython.longlong,
        a_v: cython.longlong,
        a_w: cython.longlong,
        b: cython.int,
        b_u: cython.longlong,
        b_v: cython.longlong,
        b_w: cython.longlong,
    ) -> cython.void:
        """Find the pairs of two leaves: of the boxes of each that reach the other. Both may be of the same tree."""
        first: cython.Py_ssize_t
        second: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        end: cython.Py_ssize_t
        self.hit_count = 0
        self.set_bounds(tree.exponents_view[b], tree.margins_view[tree.exponents_view[b]], b_u, b_v, b_w)
        self.visit(a, a_u, a_v, a_w)
        end = self.hit_count
        if end == 0:
            return
        if tree is not self:
            tree.hit_count = 0
        begin = tree.hit_count
        tree.set_bounds(self.exponents_view[a], self.margins_view[self.exponents_view[a]], a_u, a_v, a_w)
        tree.visit(b, b_u, b_v, b_w)
        for first in range(end):
            for second in range(begin, tree.hit_count):
                self.offer_pair(self.hits_view[first], tree, tree.hits_view[second], self.awake_only)

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_box(self, tree: CapacityTree, slot: cython.int) -> cython.void:
        """Begin a query for the region of a box of a tree."""
        at: cython.Py_ssize_t = 6 * slot
        self.hit_count = 0
        self.lox, self.hix = tree.boxes.faces_view[at], tree.boxes.faces_view[at + 3]
        self.loy, self.hiy = tree.boxes.faces_view[at + 1], tree.boxes.faces_view[at + 4]
        self.loz, self.hiz = tree.boxes.faces_view[at + 2], tree.boxes.faces_view[at + 5]
        self.set_region()

    @cython.cfunc
    @cython.exceptval(check=False)
    def set_bounds(
        self,
        exponent: cython.int,
        margin: cython.longlong,
        u: cython.longlong,
        v: cython.longlong,
        w: cython.longlong,
    ) -> cython.void:
        """Make the loose bounds of a node the region, on axes that are not divided everything."""
        side: cython.longlong = _side(exponent)
        self.lox = self.loy = self.loz = -_FAR
        self.hix = self.hiy = self.hiz = _FAR
        self.set_axis(self.axis_u, u - margin, u + side + margin - 1)
        self.set_axis(self.axis_v, v - margin, v + side + margin - 1)
        self.set_axis(self.axis_w, w - margin, w + side + margin - 1)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def set_axis(self, axis: cython.int, lo: cython.longlong, hi: cython.longlong) -> cython.void:
        """Write the faces of the region on an axis; nothing on none."""
        if axis == 0:
            self.lox, self.hix = lo, hi
        elif axis == 1:
            self.loy, self.hiy = lo, hi
        elif axis == 2:
            self.loz, self.hiz = lo, hi

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def region_meets(
        self, exponent: cython.int, u: cython.longlong, v: cython.longlong, w: cython.longlong
    ) -> cython.bint:
        """Return whether the region meets the loose bounds of a node that begins at u, v, w."""
        margin: cython.longlong = self.margins_view[exponent]
        side: cython.longlong = _side(exponent)
        return (
            self.lo_u < u + side + margin
            and u - margin <= self.hi_u
            and self.lo_v < v + side + margin
            and v - margin <= self.hi_v
            and self.lo_w < w + side + margin
            and w - margin <= self.hi_w
        )

    # The size and the invariants.

    def measure(self) -> Size:
        """Return the number of boxes, nodes with or without boxes of their own, and levels, and the bytes reserved."""
        exponents = [at for at in range(_EXPONENTS) if self.exponent_counts_view[at] > 0]
        return Size(
            self.box_counts_view[self.root] if self.root >= 0 else 0,
            self.node_count,
            max(exponents) - min(exponents) + 1 if exponents else 0,
            bytes_of(self.nodes, self.next_slots, self.previous_slots, self.children, self.parents, self.heads)
            + bytes_of(self.box_counts, self.asleep_counts, self.places, self.exponents, self.is_divided),
        )

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return the cell of each node, without the margin by which boxes may reach out of it; level 0 is a bin."""
        found: list[tuple[Faces, int]] = []
        limit = self.boxes.limit
        for node, low in self._cells():
            faces = [-limit, -limit, -limit, limit - 1, limit - 1, limit - 1]
            for axis, lo in zip((self.axis_u, self.axis_v, self.axis_w), low, strict=True):
                if axis >= 0:
                    faces[axis], faces[axis + 3] = lo, lo + _side(self.exponents_view[node])
            x, y, z, x1, y1, z1 = faces
            found.append(((x, y, z, x1, y1, z1), self.exponents_view[node] - self.boxes.bin_shift))
        return found

    def _cells(self) -> list[tuple[int, tuple[int, int, int]]]:
        """Return each node in use and where it begins, parents before children."""
        found: list[tuple[int, tuple[int, int, int]]] = []
        if self.root >= 0:
            found.append((self.root, (self.root_u, self.root_v, self.root_w)))
        for node, (u, v, w) in found:
            exponent: cython.int = self.exponents_view[node]
            if not self.boxes.bin_shift <= exponent < _EXPONENTS or len(found) > self.used:
                raise IndexError(f"node {node} has no side, or is below itself")
            side: cython.longlong = _side(exponent - 1)
            for place in range(self.fan):
                child = self.children_view[self.stride * node + place]
                if not -1 <= child < self.used:
                    raise IndexError(f"node {node} has a child that there is not")
                if child >= 0:
                    low = (u + side * (place & 1), v + side * ((place >> 1) & 1), w + side * ((place >> 2) & 1))
                    found.append((child, low))
        return found

    def check_structure(self) -> None:
        """Verify nodes, places of boxes, counts and free nodes. Raises IndexError for the first failure."""
        self._check_constants()
        cells = self._cells()
        own: dict[int, list[int]] = {node: self._own_boxes(node) for node, _ in cells}
        slots = sorted(slot for listed in own.values() for slot in listed)
        exponents = [self.exponents_view[node] for node, _ in cells]
        free = set()
        at = self.first_free
        while 0 <= at < self.used and at not in free:
            free.add(at)
            at = self.parents_view[at]
        boxes = [slot for slot in range(self.boxes.slot_count) if self.boxes.owner_view[slot] >= 0]
        _verify(
            (slots == boxes, "a box is in no node, or in two"),
            (len(cells) == self.node_count == len(own), f"{len(own)} nodes are in use, counted {self.node_count}"),
            (at == -1 and not free & set(own), "the list of free nodes is wrong"),
            (len(free) + len(own) == self.used, "a node is neither in use nor free"),
            (sum(map(bool, own.values())) == self.occupied_count, "the nodes with boxes are miscounted"),
            (
                all(exponents.count(each) == self.exponent_counts_view[each] for each in range(_EXPONENTS)),
                "the nodes of a size are miscounted",
            ),
        )
        for node, low in cells:
            self._check_node(node, low, own[node])

    def _check_constants(self) -> None:
        """Verify options, lengths of arrays, divided axes, root and margins, on which all else depends."""
        per_slot = min(len(self.nodes), len(self.next_slots), len(self.previous_slots))
        per_node = min(len(self.parents), len(self.heads), len(self.box_counts), len(self.asleep_counts))
        per_node = min(per_node, len(self.places), len(self.exponents), len(self.is_divided))
        _verify(
            (self.capacity > 0 and self.fewest == self.capacity // 2, "the capacity is wrong"),
            (-1 <= self.ignored_axis < 3 and self.stride == (8 if self.ignored_axis < 0 else 4), "the axes are wrong"),
            (self.slot_capacity <= per_slot, "the arrays of slots are too short"),
            (self.node_capacity <= per_node, "the arrays of nodes are too short"),
            (self.node_capacity * self.stride <= len(self.children), "the array of children is too short"),
            (self.used <= self.node_capacity, "more nodes are in use than there are"),
            (-1 <= self.root < self.used, "the root is no node"),
            (self.root < 0 or self.slot_capacity >= self.boxes.slot_count, "a slot has no place in the arrays"),
        )
        if self.root < 0:
            return
        axes = [axis for axis in range(3) if axis != self.ignored_axis and not (axis == 2 and self.boxes.flat)]
        _verify(
            (self.fan == 1 << len(axes), "the number of children is wrong"),
            ([self.axis_u, self.axis_v, self.axis_w] == [*axes, -1, -1][:3], "the divided axes are wrong"),
            (self.parents_view[self.root] == -1, "the root has a parent"),
            (self.exponents_view[self.root] == self.root_exponent, "the root has the wrong side"),
            (self.floor == max(self.boxes.bin_shift, self.root_exponent - self.max_depth), "the depth is wrong"),
            (self.axis_v >= 0 or self.root_v == 0, "the root does not begin at 0 on an axis that is not divided"),
            (self.axis_w >= 0 or self.root_w == 0, "the root does not begin at 0 on an axis that is not divided"),
        )
        was_current, margins = self.margin_bits == self.boxes.level_bits, array("q", self.margins)
        self.margin_bits = 0
        self.update_margins()
        if was_current and margins != self.margins:
            raise IndexError("a margin is not that of the boxes")

    def _own_boxes(self, node: int) -> list[int]:
        """Return the boxes of a node. Raises IndexError if their list has a wrong link."""
        found: list[int] = []
        slot, before = self.heads_view[node], -1
        while slot != -1:
            if not 0 <= slot < self.boxes.slot_count:
                raise IndexError(f"node {node} has a box in slot {slot}, which there is not")
            if self.nodes_view[slot] != node or self.previous_slots_view[slot] != before:
                raise IndexError(f"the list of the boxes of node {node} is wrong at slot {slot}")
            found.append(slot)
            slot, before = self.next_slots_view[slot], slot
        return found

    def _check_node(self, node: int, low: tuple[int, int, int], own: list[int]) -> None:
        """Verify the children, the counts and the boxes of a node that begins at `low`."""
        exponent: int = self.exponents_view[node]
        places = range(self.stride * node, self.stride * (node + 1))
        children = {at - places[0]: self.children_view[at] for at in places if self.children_view[at] >= 0}
        divided = bool(self.is_divided_view[node])
        count, asleep = len(own), sum(not self.boxes.awake_view[slot] for slot in own)
        for place, child in children.items():
            count, asleep = count + self.box_counts_view[child], asleep + self.asleep_counts_view[child]
            linked = self.parents_view[child], self.places_view[child], self.exponents_view[child]
            if linked != (node, place, exponent - 1) or place >= self.fan:
                raise IndexError(f"child {child} of node {node} has the wrong parent, place or side")
        _verify(
            (exponent >= self.floor, f"node {node} is smaller than the smallest nodes"),
            (count == self.box_counts_view[node] > 0, f"the boxes of node {node} are miscounted"),
            (asleep == self.asleep_counts_view[node], f"the sleeping boxes of node {node} are miscounted"),
            (divided or not children, f"node {node} is a leaf and has children"),
            (divided or count <= self.capacity or exponent == self.floor, f"node {node} has too many boxes"),
            (not divided or (count > self.fewest and exponent > self.floor), f"node {node} should not be divided"),
        )
        for slot in own:
            self._check_box(slot, exponent, low, divided)

    def _check_box(self, slot: int, exponent: int, low: tuple[int, int, int], divided: bool) -> None:
        """Verify that a box belongs to a node with a side of 2**exponent that begins at `low`."""
        sides = []
        for axis, lo in zip((self.axis_u, self.axis_v, self.axis_w), low, strict=True):
            if axis >= 0:
                face, end = self.boxes.faces_view[6 * slot + axis], self.boxes.faces_view[6 * slot + axis + 3]
                sides.append(end - face)
                if not lo <= (face + end) // 2 < lo + _side(exponent):
                    raise IndexError(f"the centre of the box in slot {slot} is outside its node")
        if max(sides) > _side(exponent):
            raise IndexError(f"the box in slot {slot} is too large for its node")
        if max(sides) > 2 * self.margins_view[exponent]:
            raise IndexError(f"the box in slot {slot} reaches further out of its node than the margin")
        if divided and 2 * max(sides) <= _side(exponent):
            raise IndexError(f"the box in slot {slot} fits a child of its node")


def _verify(*rules: tuple[bool, str]) -> None:
    """Raise IndexError with the words of the first rule that does not hold."""
    for holds, words in rules:
        if not holds:
            raise IndexError(words)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _near(
    a_side: cython.longlong,
    a_u: cython.longlong,
    a_v: cython.longlong,
    a_w: cython.longlong,
    b_side: cython.longlong,
    b_u: cython.longlong,
    b_v: cython.longlong,
    b_w: cython.longlong,
) -> cython.bint:
    """Return whether two nodes that begin at u, v, w are nearer than their margins; the sides include both of these."""
    return (
        a_u < b_u + b_side
        and b_u < a_u + a_side
        and a_v < b_v + b_side
        and b_v < a_v + a_side
        and a_w < b_w + b_side
        and b_w < a_w + a_side
    )
