# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""The quadtree and the octree whose nodes divide when they have more boxes than a capacity.

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

The bits of a centre name the children on its way down, so a box that moves is still in its node if the bits above the
size of the node are the same. Nodes are numbers, items of a few arrays, and removed ones form a list of free nodes: 75
bytes a node of an octree, 59 of a quadtree, and 12 bytes a box.

The root begins as the cell that the first box needs. A box outside makes it the child of a new root, twice as long and
extended towards the box; when the last box leaves, the root is removed. Not taken: cells of the whole index, whose
lines of division go through the origin. Most worlds have their middle there, so the root would be the whole index, with
a dozen levels of one child each below it.

All pairs are found by the descent of two nodes at once, first the root with itself; where two nodes are too far apart
it ends, and at two leaves the boxes of one search the other. Every node counts the boxes and the
sleeping boxes of its subtree, so a pass over awake pairs and a query for sleeping boxes leave out subtrees.

A change costs O(depth), and O(boxes of the node) where one divides or merges; a query O(nodes that it meets and their
boxes); all pairs O(boxes) for boxes of similar size.

The quadtree ignores one axis: boxes above one another are in the same node. While all boxes have the z range of 2D, the
octree does not divide z. Good for: boxes of different sizes spread unevenly, a quadtree where little lies above or
behind another along the ignored axis. No cell size is needed, and less memory for a box than with any cells. Where all
boxes are about as large as a bin, a grid answers single queries faster.

Source: R. A. Finkel and J. L. Bentley, "Quad trees: a data structure for retrieval on composite keys", Acta Informatica
4 (1974); H. Samet, "The Design and Analysis of Spatial Data Structures" (1990), bucket quadtrees; loose nodes: T.
Ulrich, "Loose Octrees", Game Programming Gems (2000). For games: S. Lambert, "Quick Tip: Use Quadtrees to Detect Likely
Collisions in 2D Space", Envato Tuts+ (2012); Newcastle University, tutorials of Game Technologies (CSC8503).

Wrong in the sources for games and right here:
- A query looks into the one child that contains its region, and into none if the region lies across a line of division
  (Lambert). Here it visits all children that its region meets.
- A box with an edge on a line of division stays at the inner node, on a grid of tiles whole rows at the root (Lambert).
  Here the centre decides.
- A box outside the root is in no node and meets nothing (Newcastle). Here the root grows.
- A box that reaches into several leaves is stored in each, so a pair comes several times, and boxes that coincide
  divide nodes without end (Newcastle). Here a box is in one node, and the smallest nodes hold any number.
- All children are made whenever a node divides, and the tree is cleared and filled again in every frame (both). Here a
  child is made for its first box, and a box that moves within its node changes none.
- The middle of an integer rectangle with an odd side is rounded down, so the children together are shorter than their
  parent (Lambert). Here sides are powers of two.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import grown
from ecs_collision.broadphase.protocol import Index
from ecs_collision.broadphase.tree import Tree

_FAR = cython.declare(cython.longlong, 1 << 60)
"""Farther than any face. On an axis that is not divided every region reaches from -_FAR to _FAR."""

_EXPONENTS = cython.declare(cython.int, 64)
"""More than the greatest exponent of a side, which is 24 above that of a bin."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _side(exponent: cython.int) -> cython.longlong:
    """Return 2**exponent, the side of a node."""
    return cython.cast(cython.longlong, 1) << exponent


@cython.final
@cython.cclass
class CapacityTree(Tree):
    """Nodes with a capacity, over those of the three axes that are divided (see the module).

    `ignored_axis` is that of a quadtree, and -1 in an octree. The side of a node is a power of two. `u`, `v` and `w`
    are the divided axes in order; `axis_u` is the number of the first one, and -1 stands for none. The child of a node
    on the upper side of u, v, w has 1, 2, 4 in its place.

    Per node: `heads` the first of its own boxes, `children` (-1 where there is none), `parents` (of a free node, the
    next free one), `places` among the children of the parent, `corners` (where it begins on u, v, w), `exponents` of
    the side, whether it `is_divided`, and `box_counts` and `asleep_counts` of its subtree. `slot_nodes` has the node of
    each slot.
    """

    def __init__(
        self, bin_shift: cython.int, capacity: cython.int, max_depth: cython.int, ignored_axis: cython.int = -1
    ) -> None:
        Tree.__init__(self, bin_shift)
        self.capacity, self.max_depth, self.ignored_axis = capacity, max_depth, ignored_axis
        self.fewest = capacity // 2
        self.stride = 8 if ignored_axis < 0 else 4
        self.margins = array("q", bytes(8 * _EXPONENTS))
        self.slot_nodes, self.children, self.parents, self.heads = array("i"), array("i"), array("i"), array("i")
        self.box_counts, self.asleep_counts = array("i"), array("i")
        self.places, self.exponents, self.is_divided = array("b"), array("b"), array("b")
        self.corners = array("q")
        self.u = self.v = self.w = self.side = self.used = 0
        self.first_free = -1
        self.reset()
        self.reserve()
        self.reserve_nodes()

    # Nodes.

    def reserve_nodes(self) -> cython.void:
        """Make room for twice as many nodes."""
        capacity: cython.Py_ssize_t = max(16, 2 * len(self.heads))
        children = grown(self.stride * capacity, self.children)
        about = grown(capacity, self.places, self.exponents, self.is_divided)
        links = grown(capacity, self.parents, self.box_counts, self.asleep_counts, self.heads)
        (self.corners,) = grown(3 * capacity, self.corners)
        (self.children,) = children
        self.places, self.exponents, self.is_divided = about
        self.parents, self.box_counts, self.asleep_counts, self.heads = links

    def make_node(self, parent: cython.int, place: cython.int, exponent: cython.int) -> cython.int:
        """Return a leaf without boxes, linked to its parent (-1 for none): a free node, or one from the end."""
        node: cython.int = self.first_free
        if node >= 0:
            self.first_free = self.parents[node]
        else:
            if self.used == len(self.heads):
                self.reserve_nodes()
            node = cython.cast(cython.int, self.used)
            self.used += 1
        for at in range(self.stride * node, self.stride * (node + 1)):
            self.children[at] = -1
        self.parents[node] = parent
        self.heads[node] = -1
        self.box_counts[node] = self.asleep_counts[node] = 0
        self.places[node] = place
        self.exponents[node] = exponent
        self.is_divided[node] = False
        if parent >= 0:
            self.children[self.stride * parent + place] = node
            for axis in range(3):
                self.corners[3 * node + axis] = self.corners[3 * parent + axis] + ((place >> axis) & 1) * _side(
                    exponent
                )
        else:
            self.corners[3 * node], self.corners[3 * node + 1] = self.root_u, self.root_v
            self.corners[3 * node + 2] = self.root_w
        self.node_count += 1
        return node

    def free_node(self, node: cython.int) -> cython.void:
        """Unlink a node without boxes and children from its parent, and add it to the free nodes."""
        if self.parents[node] >= 0:
            self.children[self.stride * self.parents[node] + self.places[node]] = -1
        self.node_count -= 1
        self.parents[node] = self.first_free
        self.exponents[node] = -1
        self.first_free = node

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def put(self, slot: cython.int, node: cython.int) -> cython.void:
        """Add a box to the own boxes of a node."""
        self.heads[node] = self.link(slot, self.heads[node])
        self.slot_nodes[slot] = node

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def take(self, slot: cython.int) -> cython.void:
        """Remove a box from the own boxes of its node."""
        node: cython.int = self.slot_nodes[slot]
        self.heads[node] = self.unlink(slot, self.heads[node])

    # Where a box belongs.

    def locate(self, slot: cython.int) -> cython.void:
        """Write the centre of a box to `u`, `v`, `w` (0 on an axis that is not divided), its longest side to `side`."""
        at: cython.Py_ssize_t = 8 * slot + self.axis_u
        lo: cython.longlong = self.boxes.faces_view[at]
        hi: cython.longlong = self.boxes.faces_view[at + 3]
        self.v = self.w = 0
        self.u, self.side = (lo + hi) >> 1, hi - lo
        if self.axis_v >= 0:
            at = 8 * slot + self.axis_v
            lo, hi = self.boxes.faces_view[at], self.boxes.faces_view[at + 3]
            self.v, self.side = (lo + hi) >> 1, max(self.side, hi - lo)
        if self.axis_w >= 0:
            at = 8 * slot + self.axis_w
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

    def begin(self, slot: cython.int) -> cython.void:
        """Make the root for the first box: the smallest cell, at least a bin, that may have it."""
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
        if self.is_divided[old]:
            self.root = self.make_node(-1, 0, self.root_exponent)
            self.is_divided[self.root] = True
            self.box_counts[self.root] = self.box_counts[old]
            self.asleep_counts[self.root] = self.asleep_counts[old]
            self.children[self.stride * self.root + place] = old
            self.parents[old] = self.root
            self.places[old] = place
        else:
            self.exponents[old] = self.root_exponent
            self.corners[3 * old], self.corners[3 * old + 1] = self.root_u, self.root_v
            self.corners[3 * old + 2] = self.root_w
        if self.root_exponent - self.max_depth > self.floor:
            self.floor = self.root_exponent - self.max_depth
            self.limit_depth(self.root)

    def limit_depth(self, node: cython.int) -> cython.void:
        """Merge all divided nodes of a subtree that have the side of the smallest nodes."""
        if not self.is_divided[node]:
            return
        if self.exponents[node] == self.floor:
            self.merge(node)
            return
        for at in range(self.stride * node, self.stride * node + self.fan):
            if self.children[at] >= 0:
                self.limit_depth(self.children[at])

    # Dividing and merging.

    def add_below(self, slot: cython.int, node: cython.int) -> cython.void:
        """Add the located box to the subtree of a node: to the smallest node that exists or may be made for it."""
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        exponent: cython.int = self.exponents[node]
        self.box_counts[node] += 1
        self.asleep_counts[node] += asleep
        while self.is_divided[node] and self.fits(exponent - 1):
            exponent -= 1
            place: cython.int = self.place_at(exponent)
            child: cython.int = self.children[self.stride * node + place]
            node = child if child >= 0 else self.make_node(node, place, exponent)
            self.box_counts[node] += 1
            self.asleep_counts[node] += asleep
        self.put(slot, node)
        if not self.is_divided[node] and self.box_counts[node] > self.capacity and exponent > self.floor:
            self.divide(node)

    def divide(self, node: cython.int) -> cython.void:
        """Move the boxes of a leaf that fit its children there, and divide these if they have too many."""
        exponent: cython.int = self.exponents[node] - 1
        slot: cython.int = self.heads[node]
        self.is_divided[node] = True
        while slot >= 0:
            after: cython.int = self.next_slots[slot]
            self.locate(slot)
            if self.fits(exponent):
                place: cython.int = self.place_at(exponent)
                child: cython.int = self.children[self.stride * node + place]
                if child < 0:
                    child = self.make_node(node, place, exponent)
                self.take(slot)
                self.put(slot, child)
                self.box_counts[child] += 1
                self.asleep_counts[child] += 0 if self.boxes.awake_view[slot] else 1
            slot = after
        if exponent > self.floor:
            for place in range(self.fan):
                child = self.children[self.stride * node + place]
                if child >= 0 and self.box_counts[child] > self.capacity:
                    self.divide(child)

    def merge(self, node: cython.int) -> cython.void:
        """Make a divided node a leaf: it takes the boxes of its subtree, and the nodes below become free."""
        for at in range(self.stride * node, self.stride * node + self.fan):
            if self.children[at] >= 0:
                self.take_boxes(node, self.children[at])
        self.is_divided[node] = False

    def take_boxes(self, node: cython.int, below: cython.int) -> cython.void:
        """Move the boxes of a subtree to a node above it, and free its nodes."""
        slot: cython.int = self.heads[below]
        while slot >= 0:
            after: cython.int = self.next_slots[slot]
            self.take(slot)
            self.put(slot, node)
            slot = after
        for at in range(self.stride * below, self.stride * below + self.fan):
            if self.children[at] >= 0:
                self.take_boxes(node, self.children[at])
        self.free_node(below)

    def remove_below(self, slot: cython.int, top: cython.int) -> cython.void:
        """Remove a box from its node and the counts up to, and without, a node above it (-1: to the root).

        Nodes left without boxes become free, and the highest one with few boxes merges.
        """
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        node: cython.int = self.slot_nodes[slot]
        sparse: cython.int = -1
        self.take(slot)
        while node != top:
            above: cython.int = self.parents[node]
            self.box_counts[node] -= 1
            self.asleep_counts[node] -= asleep
            if self.box_counts[node] == 0:
                self.free_node(node)
            elif self.is_divided[node] and self.box_counts[node] <= self.fewest:
                sparse = node
            node = above
        if sparse >= 0:
            self.merge(sparse)

    # Changing.

    def reset(self) -> cython.void:
        """Forget all boxes; O(1). Works after an interrupted change."""
        self.root = self.first_free = -1
        self.used = self.node_count = self.occupied_count = 0
        self.root_u = self.root_v = self.root_w = 0
        self.root_exponent = self.floor = 0
        self.margin_bits = 0
        self.axis_u = self.axis_v = self.axis_w = -1
        self.fan = 1

    def reserve(self) -> cython.void:
        """Make room for the node and the neighbours in it of each slot."""
        if self.boxes.capacity > len(self.slot_nodes):
            (self.slot_nodes,) = grown(self.boxes.capacity, self.slot_nodes)
        Tree.reserve(self)

    def enter(self, slot: cython.int) -> cython.void:
        """Add a box; O(depth), and O(boxes) where a node divides. The root grows if the box needs it."""
        if self.root < 0:
            self.begin(slot)
        self.locate(slot)
        while not (self.root_contains() and self.fits(self.root_exponent)):
            self.grow()
        self.add_below(slot, self.root)
        self.cell_changes += 1

    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box; O(depth), and O(capacity) where nodes merge."""
        self.remove_below(slot, -1)
        if self.node_count == 0:
            self.root = -1
        self.cell_changes += 1

    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box. If its centre stays in the node, nothing else changes; otherwise O(nodes up to a common one)."""
        node: cython.int = self.slot_nodes[slot]
        self.locate(slot)
        u: cython.longlong = self.u - self.root_u
        v: cython.longlong = self.v - self.root_v
        w: cython.longlong = self.w - self.root_w
        self.boxes.shift(slot, dx, dy, dz)
        self.locate(slot)
        # The highest bit in which the centres differ: they are in the same node if its side is beyond that bit.
        changed = (u ^ (self.u - self.root_u)) | (v ^ (self.v - self.root_v)) | (w ^ (self.w - self.root_w))
        if changed >> self.exponents[node] == 0:
            return
        if changed >> self.root_exponent != 0:
            self.leave(slot)
            self.enter(slot)
            return
        while changed >> self.exponents[node] != 0:
            node = self.parents[node]
        self.remove_below(slot, node)
        self.box_counts[node] -= 1
        self.asleep_counts[node] -= 0 if self.boxes.awake_view[slot] else 1
        self.add_below(slot, node)
        self.cell_changes += 2

    def set_awake_of(self, slot: cython.int, awake: cython.bint) -> cython.void:
        """Update the counts of sleeping boxes; O(depth)."""
        change: cython.int = -1 if awake else 1
        node: cython.int = self.slot_nodes[slot]
        while node >= 0:
            self.asleep_counts[node] += change
            node = self.parents[node]

    # Queries.

    def update_margins(self) -> cython.void:
        """Write how far boxes reach out of the nodes of each size, if other size levels are in use than the last time.

        No box is longer than its node, so it reaches out of it by half the side. It is half the largest box at most,
        and, if all axes of the levels are divided, half the largest of those that are no longer than the node.
        """
        bits: cython.longlong = self.boxes.level_bits  # shifted by more than 31 below
        bin_shift: cython.int = self.boxes.bin_shift
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
            self.margins[exponent] = min(largest, _side(exponent - 1))
        self.margin_bits = self.boxes.level_bits

    def search(self) -> cython.void:
        """Offer the boxes of all nodes that the region meets."""
        if self.root >= 0:
            self.update_margins()
            self.set_region()
            self.visit(self.root)

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
        at: cython.Py_ssize_t = 8 * slot
        return (
            self.boxes.faces_view[at] <= self.hix
            and self.lox <= self.boxes.faces_view[at + 3]
            and self.boxes.faces_view[at + 1] <= self.hiy
            and self.loy <= self.boxes.faces_view[at + 4]
            and self.boxes.faces_view[at + 2] <= self.hiz
            and self.loz <= self.boxes.faces_view[at + 5]
        )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def meets(self, node: cython.int) -> cython.bint:
        """Return whether the region meets the loose bounds of a node."""
        margin: cython.longlong = self.margins[self.exponents[node]]
        end: cython.longlong = _side(self.exponents[node]) + margin
        return (
            self.lo_u < self.corners[3 * node] + end
            and self.corners[3 * node] - margin <= self.hi_u
            and self.lo_v < self.corners[3 * node + 1] + end
            and self.corners[3 * node + 1] - margin <= self.hi_v
            and self.lo_w < self.corners[3 * node + 2] + end
            and self.corners[3 * node + 2] - margin <= self.hi_w
        )

    def visit(self, node: cython.int) -> cython.void:
        """Offer the boxes of a node, and of the nodes below it that the region meets."""
        slot: cython.int = self.heads[node]
        if slot >= 0:
            self.cells_visited += 1
        while slot >= 0:
            if self.is_met(slot):  # a call of `offer` costs more than this
                self.offer(slot)
            slot = self.next_slots[slot]
        self.visit_children(node)

    def visit_children(self, node: cython.int) -> cython.void:
        """Offer the boxes of the nodes below a node that the region meets."""
        if self.is_divided[node]:
            for at in range(self.stride * node, self.stride * node + self.fan):
                child: cython.int = self.children[at]
                if child >= 0 and self.meets(child) and not (self.asleep_only and self.asleep_counts[child] == 0):
                    self.visit(child)

    # Pairs.

    def pair_with(self, other: Index) -> cython.void:
        """Offer all pairs of this tree, by the descent of two nodes at once, those with another by queries."""
        if other is not self:
            Index.pair_with(self, other)
        elif self.root >= 0:
            self.update_margins()
            self.pair_within(self.root)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def has_awake(self, node: cython.int) -> cython.bint:
        """Return whether a subtree has a box whose pairs are looked for."""
        return not (self.awake_only and self.asleep_counts[node] == self.box_counts[node])

    def pair_within(self, node: cython.int) -> cython.void:
        """Find the pairs within the subtree of a node."""
        slot: cython.int = self.heads[node]
        while slot >= 0:
            self.pair_list(slot, self.next_slots[slot])
            if self.is_divided[node]:
                self.aim_at(self.boxes, slot)
                self.set_region()
                self.visit_children(node)
                for at in range(self.hit_count):
                    self.offer_pair(slot, self, self.hits_view[at])
            slot = self.next_slots[slot]
        if self.is_divided[node]:
            for first in range(self.stride * node, self.stride * node + self.fan):
                child: cython.int = self.children[first]
                if child < 0:
                    continue
                if self.has_awake(child):
                    self.pair_within(child)
                for second in range(self.stride * node, first):
                    if self.children[second] >= 0:
                        self.pair_between(child, self.children[second])

    def pair_between(self, a: cython.int, b: cython.int) -> cython.void:
        """Find the pairs of two subtrees.

        The boxes of the larger node that is divided, or of the first of two leaves, search the other subtree; then its
        children take its place.
        """
        if not (self.has_awake(a) or self.has_awake(b)) or not self.are_near(a, b):
            return
        if self.is_divided[b] and not (self.is_divided[a] and self.exponents[a] >= self.exponents[b]):
            a, b = b, a
        slot: cython.int = self.heads[a]
        while slot >= 0:
            self.aim_at(self.boxes, slot)
            self.set_region()
            if self.meets(b):
                self.visit(b)
                for at in range(self.hit_count):
                    self.offer_pair(slot, self, self.hits_view[at])
            slot = self.next_slots[slot]
        if self.is_divided[a]:
            for at in range(self.stride * a, self.stride * a + self.fan):
                if self.children[at] >= 0:
                    self.pair_between(self.children[at], b)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def are_near(self, a: cython.int, b: cython.int) -> cython.bint:
        """Return whether the loose bounds of two nodes meet."""
        margin: cython.longlong = self.margins[self.exponents[a]] + self.margins[self.exponents[b]]
        a_side: cython.longlong = _side(self.exponents[a]) + margin
        b_side: cython.longlong = _side(self.exponents[b]) + margin
        u: cython.longlong = self.corners[3 * a] - self.corners[3 * b]
        v: cython.longlong = self.corners[3 * a + 1] - self.corners[3 * b + 1]
        w: cython.longlong = self.corners[3 * a + 2] - self.corners[3 * b + 2]
        return u < b_side and -u < a_side and v < b_side and -v < a_side and w < b_side and -w < a_side
