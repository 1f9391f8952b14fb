# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""An octree of linked nodes: each box is in the smallest node that contains it.

Source: Christer Ericson, Real-Time Collision Detection (2005), 7.3.1 and 7.3.2. A node is made when the first box comes
to it or below it, and removed with the last. A box that a centre plane of a node cuts stays at that node (a straddler).
All pairs are found in one depth-first walk with the boxes of the ancestors: a box can meet only boxes of its own node,
of an ancestor or of a descendant.

Good for: few boxes of very different sizes, spread over a large space, that rarely move: a query needs no cell size.
Not for many small boxes close together, because the straddlers of the large nodes are tested by every query near their
planes.

Wrong in the source and right here:
- The printed test for a straddler, `abs(delta) < halfwidth + radius`, holds for every object that overlaps the node at
  all, so all stay at the root. A plane cuts an object if `abs(delta) < radius`, where delta is the distance of their
  centres.
- Objects on both sides of a plane that touch it touch each other, and the pair test compares neither with the other.
  Here a plane lies half a lattice unit below the face where the upper half begins, so no box ends on one: boxes in
  different children never touch, and each box has one place.
- The tree is built with all 8**depth nodes around a root that is given, or nodes are made on demand without a least
  size, so that a point descends without end. Here nodes are made on demand down to a least size, removed when they are
  empty, and the root grows by doubling and shrinks: nothing lies outside it.
- The pair test compares each object with all objects of all ancestors, with a stack of fixed size in static variables.
  Here the walk takes along only those boxes of the ancestors that meet the child, and a walk that is interrupted leaves
  nothing behind. 100,000 equal boxes take 39 million comparisons in 3D instead of 657 million, in 2D 2.2 instead of 68.

Nodes are aligned to a fixed division of space, in which the origin is about a third of the way along every large node.
So the nodes depend only on the boxes, not on the history; and a world around the origin, which a power of two would cut
into eight parts with twenty levels each, has a small root.

A change costs O(levels left and entered), a query O(nodes and straddlers that it meets), all pairs O(boxes) for boxes
of similar size.
"""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.broadphase.box_pool import BoxPool
    from cython.cimports.ecs_collision.broadphase.protocol import Index
else:
    from ecs_collision.broadphase.box_pool import BoxPool
    from ecs_collision.broadphase.protocol import Index

from ecs_collision._arrays import bytes_of, longer
from ecs_collision.broadphase.protocol import Faces, Size
from ecs_collision.fixed_point import HALF_SLAB

TOP_LEVEL = 22
"""The level of the largest root: a node of level l has a side of 2**l bins."""

BIAS = 0x155555
"""The bins from the lowest face of the largest root to the origin, on each axis: a third of its side."""

_TOP_LEVEL = cython.declare(cython.int, TOP_LEVEL)
_BIAS = cython.declare(cython.longlong, BIAS)
_ONE = cython.declare(cython.longlong, 1)
_SPARE_NODES = cython.declare(cython.Py_ssize_t, 64)
"""The pool keeps this many removed nodes, plus as many as there are nodes in use."""

_NODE_BYTES = 104
_CHILDREN_BYTES = 120
_LINK_BYTES = 8
"""Of a node, of the list of its children, and of a link; compiled, with the heads of the garbage collector."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def side_of(lo: cython.longlong, hi: cython.longlong, low: cython.longlong, half: cython.longlong) -> cython.int:
    """Return the half of a node that a box is in, on one axis: 0 lower, 1 upper, -1 if the centre plane cuts the box.

    The node begins at `low` and is `2 * half` long. The plane is half a unit below the upper half, between two lattice
    faces. Distances are doubled, so that they are whole.
    """
    delta: cython.longlong = lo + hi - (2 * (low + half) - 1)
    radius: cython.longlong = hi - lo
    if abs(delta) < radius:
        return -1
    return 1 if delta > 0 else 0


@cython.final
@cython.cclass
class Node:
    """A cube of space: its level and its lowest corner; the first of its own boxes, and links.

    `total` and `asleep` count the boxes of the subtree, `box_count` those of the node. `children` has eight places, by
    octant (bit 0 is the upper half of x, bit 1 of y, bit 2 of z); None before the first child.
    """

    def __init__(self) -> None:
        self.parent: Any = None
        self.children: Any = None
        self.level = self.octant = self.child_count = 0
        self.x = self.y = self.z = 0
        self.first = -1
        self.box_count = self.total = self.asleep = 0


@cython.final
@cython.cclass
class PointerOctreeIndex(Index):
    """Boxes in the smallest nodes that contain them (see `broadphase/protocol.py`).

    The boxes of a node are a list linked by slots; `slot_nodes` has the node of each slot.
    """

    def __init__(self, bin_shift: cython.int, max_depth: cython.int) -> None:
        Index.__init__(self, bin_shift)
        if not 1 <= max_depth < TOP_LEVEL:
            raise IndexError(f"max_depth is {max_depth}; it must be 1 to {TOP_LEVEL - 1}")
        self.lowest_level = _TOP_LEVEL - max_depth
        self.base = -(_BIAS << bin_shift)
        self.root: Any = None
        self.pool: list[Node] = []
        self.slot_nodes: list[Any] = []
        self.next_slots, self.previous_slots = array("i"), array("i")
        self.next_view, self.previous_view = self.next_slots, self.previous_slots
        self.nearby = array("i")
        self.nearby_view = self.nearby
        self.node_count = self.occupied_count = self.slot_capacity = self.nearby_capacity = 0
        self.reserve()

    @property
    def cell_count(self) -> int:
        """The number of nodes with boxes."""
        return self.occupied_count

    # Nodes.

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def side(self, level: cython.int) -> cython.longlong:
        """Return the side of a node in lattice units."""
        return _ONE << (self.boxes.bin_shift + level)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def corner(self, face: cython.longlong, level: cython.int) -> cython.longlong:
        """Return where the node of a level that contains a face begins, on one axis."""
        shift: cython.int = self.boxes.bin_shift + level
        return (((face - self.base) >> shift) << shift) + self.base

    @cython.cfunc
    def make_node(self, level: cython.int, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> Node:
        """Return an empty node, from the pool if it has one."""
        node: Node
        if len(self.pool) > 0:
            node = self.pool.pop()
        else:
            node = Node()
        node.level = level
        node.x, node.y, node.z = x, y, z
        self.node_count += 1
        return node

    @cython.cfunc
    def drop_node(self, node: Node) -> cython.void:
        """Return a node without boxes, children and parent to the pool, or free it."""
        self.node_count -= 1
        if len(self.pool) < self.node_count + _SPARE_NODES:
            self.pool.append(node)

    @cython.cfunc
    def adopt(self, parent: Node, octant: cython.int, child: Node) -> cython.void:
        """Make a node the child of another."""
        if parent.children is None:
            parent.children = [None] * 8
        child.parent = parent
        child.octant = octant
        parent.children[octant] = child
        parent.child_count += 1

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def octant_of(self, node: Node, slot: cython.Py_ssize_t) -> cython.int:
        """Return the child of a node that a box, which the node contains, belongs in; -1 if it belongs in the node."""
        at: cython.Py_ssize_t = 6 * slot
        octant: cython.int
        side: cython.int
        if node.level == self.lowest_level:
            return -1
        half: cython.longlong = self.side(node.level) >> 1
        octant = side_of(self.boxes.faces_view[at], self.boxes.faces_view[at + 3], node.x, half)
        if octant < 0:
            return -1
        side = side_of(self.boxes.faces_view[at + 1], self.boxes.faces_view[at + 4], node.y, half)
        if side < 0:
            return -1
        octant |= side << 1
        if not self.boxes.flat:
            side = side_of(self.boxes.faces_view[at + 2], self.boxes.faces_view[at + 5], node.z, half)
            if side < 0:
                return -1
            octant |= side << 2
        return octant

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def contains(self, node: Node, slot: cython.Py_ssize_t) -> cython.bint:
        """Return whether a box belongs in a node or below it."""
        at: cython.Py_ssize_t = 6 * slot
        side: cython.longlong = self.side(node.level)
        x: cython.longlong = self.boxes.faces_view[at] - node.x
        y: cython.longlong = self.boxes.faces_view[at + 1] - node.y
        z: cython.longlong = self.boxes.faces_view[at + 2] - node.z
        return (
            x >= 0
            and y >= 0
            and self.boxes.faces_view[at + 3] - node.x < side
            and self.boxes.faces_view[at + 4] - node.y < side
            and (self.boxes.flat or (z >= 0 and self.boxes.faces_view[at + 5] - node.z < side))
        )

    # Changing.

    @cython.ccall
    def reset(self) -> cython.void:
        """Forget all boxes and nodes. Links between nodes are cut, so that they are freed at once."""
        slot: cython.Py_ssize_t
        cut: list[Node] = [] if self.root is None else [self.root]
        self.root = None
        while cut:
            node = cut.pop()
            if node.children is not None:
                cut.extend([child for child in node.children if child is not None])
            node.parent = node.children = None
        self.pool = []
        for slot in range(len(self.slot_nodes)):
            self.slot_nodes[slot] = None
        self.node_count = self.occupied_count = 0

    @cython.ccall
    def reserve(self) -> cython.void:
        """Make room for the links of each slot."""
        capacity: cython.Py_ssize_t = self.boxes.capacity
        if capacity <= self.slot_capacity:
            return
        next_slots, previous_slots = longer(self.next_slots, capacity), longer(self.previous_slots, capacity)
        self.slot_nodes.extend([None] * (capacity - len(self.slot_nodes)))
        self.next_slots, self.previous_slots = next_slots, previous_slots
        self.next_view, self.previous_view = self.next_slots, self.previous_slots
        self.slot_capacity = capacity

    @cython.ccall
    def enter(self, slot: cython.int) -> cython.void:
        """Add a box: O(levels)."""
        if self.root is None:
            self.root = self.make_root(slot)
        self.grow(slot)
        self.descend(self.root, slot)
        self.cell_changes += 1

    @cython.ccall
    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box, and the nodes that have no box then: O(levels)."""
        home: Node = self.slot_nodes[slot]
        node: Node | None = home
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        self.unlink(home, slot)
        while node is not None:
            node.total -= 1
            node.asleep -= asleep
            node = node.parent
        self.prune(home)
        self.cell_changes += 1

    @cython.ccall
    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box: up to the first ancestor that contains it, and down again."""
        home: Node = self.slot_nodes[slot]
        node: Node = home
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        self.boxes.shift(slot, dx, dy, dz)
        if self.contains(home, slot) and self.octant_of(home, slot) < 0:
            return
        self.unlink(home, slot)
        while True:
            node.total -= 1
            node.asleep -= asleep
            if self.contains(node, slot):
                break
            if node.parent is None:
                self.grow(slot)
                node = self.root
                break
            node = node.parent
        self.descend(node, slot)
        self.prune(home)
        self.cell_changes += 2

    @cython.ccall
    def set_awake_of(self, slot: cython.int, awake: cython.bint) -> cython.void:
        """Update the counts of sleeping boxes: O(levels)."""
        node: Node | None = self.slot_nodes[slot]
        change: cython.int = -1 if awake else 1
        while node is not None:
            node.asleep += change
            node = node.parent

    @cython.cfunc
    def make_root(self, slot: cython.Py_ssize_t) -> Node:
        """Return a new node for the first box: the largest root, halved while a half contains the box."""
        node: Node = self.make_node(_TOP_LEVEL, self.base, self.base, self.base)
        octant: cython.int = self.octant_of(node, slot)
        half: cython.longlong
        while octant >= 0:
            half = self.side(node.level) >> 1
            node.level -= 1
            node.x += half * (octant & 1)
            node.y += half * ((octant >> 1) & 1)
            node.z += half * (octant >> 2)
            octant = self.octant_of(node, slot)
        return node

    @cython.cfunc
    def grow(self, slot: cython.Py_ssize_t) -> cython.void:
        """Double the root until it contains a box. The largest root contains all."""
        old: Node
        new: Node
        x: cython.longlong
        y: cython.longlong
        z: cython.longlong
        while not self.contains(self.root, slot):
            old = self.root
            x, y = self.corner(old.x, old.level + 1), self.corner(old.y, old.level + 1)
            z = old.z if self.boxes.flat else self.corner(old.z, old.level + 1)
            new = self.make_node(old.level + 1, x, y, z)
            self.adopt(new, (old.x != x) | ((old.y != y) << 1) | ((old.z != z) << 2), old)
            new.total, new.asleep = old.total, old.asleep
            self.root = new

    @cython.cfunc
    def descend(self, node: Node, slot: cython.int) -> cython.void:
        """Put a box in the smallest node that contains it, from a node that does; count it on the way."""
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        octant: cython.int
        half: cython.longlong
        child: Node | None
        while True:
            node.total += 1
            node.asleep += asleep
            octant = self.octant_of(node, slot)
            if octant < 0:
                break
            child = None if node.children is None else node.children[octant]
            if child is None:
                half = self.side(node.level) >> 1
                child = self.make_node(
                    node.level - 1,
                    node.x + half * (octant & 1),
                    node.y + half * ((octant >> 1) & 1),
                    node.z + half * (octant >> 2),
                )
                self.adopt(node, octant, child)
            node = child
        if node.box_count == 0:
            self.occupied_count += 1
        node.box_count += 1
        self.previous_view[slot] = -1
        self.next_view[slot] = node.first
        if node.first >= 0:
            self.previous_view[node.first] = slot
        node.first = slot
        self.slot_nodes[slot] = node

    @cython.cfunc
    def unlink(self, node: Node, slot: cython.int) -> cython.void:
        """Take a box off the list of its node."""
        following: cython.int = self.next_view[slot]
        if self.previous_view[slot] >= 0:
            self.next_view[self.previous_view[slot]] = following
        else:
            node.first = following
        if following >= 0:
            self.previous_view[following] = self.previous_view[slot]
        self.slot_nodes[slot] = None
        node.box_count -= 1
        if node.box_count == 0:
            self.occupied_count -= 1

    @cython.cfunc
    def prune(self, leaf: Node) -> cython.void:
        """Remove a node and its ancestors as far as there are no boxes below them; then shorten the tree."""
        node: Node | None = leaf
        parent: Node | None
        while node is not None and node.total == 0:
            parent = node.parent
            if parent is None:
                self.root = None
            else:
                parent.children[node.octant] = None
                parent.child_count -= 1
                node.parent = None
            self.drop_node(node)
            node = parent
        self.shorten()

    @cython.cfunc
    def shorten(self) -> cython.void:
        """Remove roots that have no boxes and one child."""
        old: Node
        octant: cython.Py_ssize_t
        while self.root is not None and self.root.box_count == 0 and self.root.child_count == 1:
            old = self.root
            for octant in range(8):
                if old.children[octant] is not None:
                    self.root = old.children[octant]
                    old.children[octant] = None
            self.root.parent = None
            self.root.octant = 0
            old.child_count = old.total = old.asleep = 0
            self.drop_node(old)

    # Queries.

    @cython.ccall
    def search(self) -> cython.void:
        """Offer the boxes of the nodes that meet the region."""
        root: Node | None = self.root
        if root is None:
            return
        self.low_x, self.high_x = min(self.lox, self.hix), max(self.lox, self.hix)
        self.low_y, self.high_y = min(self.loy, self.hiy), max(self.loy, self.hiy)
        self.low_z, self.high_z = min(self.loz, self.hiz), max(self.loz, self.hiz)
        side: cython.longlong = self.side(root.level)
        if (
            self.low_x < root.x + side
            and self.high_x >= root.x
            and self.low_y < root.y + side
            and self.high_y >= root.y
            and (self.boxes.flat or (self.low_z < root.z + side and self.high_z >= root.z))
        ):
            self.visit(root)

    @cython.cfunc
    @cython.exceptval(check=False)
    def visit(self, node: Node) -> cython.void:
        """Offer the boxes of a node that meets the region, then those of its children that do.

        The region meets the node, so it meets a half of it if it does not lie on the other side of the centre plane.
        """
        slot: cython.Py_ssize_t
        octant: cython.Py_ssize_t
        half: cython.longlong
        child: Node | None
        halves: cython.int
        if node.box_count > 0:
            self.cells_visited += 1
            slot = node.first
            while slot >= 0:
                self.offer(slot)
                slot = self.next_view[slot]
        # A node has no boxes of a higher level than its own.
        if node.child_count == 0 or not self.levels & ((_ONE << node.level) - 1):
            return
        half = self.side(node.level) >> 1
        halves = 0xFF
        if self.low_x >= node.x + half:
            halves &= 0xAA
        if self.high_x < node.x + half:
            halves &= 0x55
        if self.low_y >= node.y + half:
            halves &= 0xCC
        if self.high_y < node.y + half:
            halves &= 0x33
        if not self.boxes.flat:
            if self.low_z >= node.z + half:
                halves &= 0xF0
            if self.high_z < node.z + half:
                halves &= 0x0F
        for octant in range(8):
            if (halves >> octant) & 1:
                child = node.children[octant]
                if child is not None and not (self.asleep_only and child.asleep == 0):
                    self.visit(child)

    # Pairs.

    @cython.ccall
    def find_pairs(self, other: Index, awake_only: cython.bint) -> cython.Py_ssize_t:
        """Return how many pairs meet, by one walk through this tree, or through both together."""
        tree: PointerOctreeIndex
        self.pair_count = 0
        if other is self:
            if self.root is not None:
                self.pair_below(self.root, 0, 0, awake_only)
            return self.pair_count
        if (
            not isinstance(other, PointerOctreeIndex)
            or other.boxes.bin_shift != self.boxes.bin_shift
            or other.boxes.flat != self.boxes.flat
        ):
            return Index.find_pairs(self, other, awake_only)
        tree = other
        if self.root is not None and tree.root is not None:
            self.join(tree, self.root, tree.root, _TOP_LEVEL, self.base, self.base, self.base, 0, 0, 0, 0, awake_only)
        return self.pair_count

    @cython.cfunc
    def reserve_nearby(self) -> cython.void:
        """Make room for more boxes in `nearby`."""
        capacity: cython.Py_ssize_t = max(64, 2 * self.nearby_capacity)
        self.nearby = longer(self.nearby, capacity)
        self.nearby_view = self.nearby
        self.nearby_capacity = capacity

    @cython.cfunc
    def push_own(self, node: Node, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the boxes of a node to `nearby` from `end` on; return the new end."""
        slot: cython.int = node.first
        while end + node.box_count > self.nearby_capacity:
            self.reserve_nearby()
        while slot >= 0:
            self.nearby_view[end] = slot
            end += 1
            slot = self.next_view[slot]
        return end

    @cython.cfunc
    def push_meeting(
        self,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        level: cython.int,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        only_awake: cython.bint,
    ) -> cython.Py_ssize_t:
        """Copy those of `nearby[begin:end]` that meet a cell to the end; return the new end."""
        at: cython.Py_ssize_t
        face: cython.Py_ssize_t
        new_end: cython.Py_ssize_t = end
        side: cython.longlong = self.side(level)
        flat: cython.bint = self.boxes.flat
        while 2 * end - begin > self.nearby_capacity:
            self.reserve_nearby()
        for at in range(begin, end):
            face = 6 * cython.cast(cython.Py_ssize_t, self.nearby_view[at])
            if (
                self.boxes.faces_view[face] < x + side
                and self.boxes.faces_view[face + 3] >= x
                and self.boxes.faces_view[face + 1] < y + side
                and self.boxes.faces_view[face + 4] >= y
                and (flat or (self.boxes.faces_view[face + 2] < z + side and self.boxes.faces_view[face + 5] >= z))
                and (not only_awake or self.boxes.awake_view[self.nearby_view[at]])
            ):
                self.nearby_view[new_end] = self.nearby_view[at]
                new_end += 1
        return new_end

    @cython.cfunc
    def offer_pairs(
        self,
        slot: cython.Py_ssize_t,
        other: PointerOctreeIndex,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        awake_only: cython.bint,
    ) -> cython.int:
        """Offer the pairs of a box with those of `other.nearby[begin:end]` that it meets in x and y."""
        at: cython.Py_ssize_t
        face: cython.Py_ssize_t = 6 * slot
        partner: cython.Py_ssize_t
        lox: cython.longlong = self.boxes.faces_view[face]
        loy: cython.longlong = self.boxes.faces_view[face + 1]
        hix: cython.longlong = self.boxes.faces_view[face + 3]
        hiy: cython.longlong = self.boxes.faces_view[face + 4]
        boxes: BoxPool = other.boxes
        for at in range(begin, end):
            partner = other.nearby_view[at]
            face = 6 * partner
            if (
                boxes.faces_view[face] <= hix
                and lox <= boxes.faces_view[face + 3]
                and boxes.faces_view[face + 1] <= hiy
                and loy <= boxes.faces_view[face + 4]
            ):
                if other is self and partner < slot:
                    self.offer_pair(partner, self, slot, awake_only)
                else:
                    self.offer_pair(slot, other, partner, awake_only)
        return 0

    @cython.cfunc
    def pair_below(
        self, node: Node, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, awake_only: cython.bint
    ) -> cython.int:
        """Offer the pairs of the boxes below a node with each other and with `nearby[begin:end]`, boxes of ancestors.

        The boxes of the node become the last of those for its children: `nearby` is the stack of the walk.
        """
        own: cython.Py_ssize_t = end
        at: cython.Py_ssize_t
        octant: cython.Py_ssize_t
        child_end: cython.Py_ssize_t
        is_asleep: cython.bint
        child: Node | None
        end = self.push_own(node, end)
        for at in range(own, end):
            self.offer_pairs(self.nearby_view[at], self, begin, at, awake_only)
        if node.child_count == 0:
            return 0
        for octant in range(8):
            child = node.children[octant]
            if child is None:
                continue
            is_asleep = awake_only and child.asleep == child.total
            child_end = self.push_meeting(begin, end, child.level, child.x, child.y, child.z, is_asleep)
            if child_end > end or not is_asleep:
                self.pair_below(child, end, child_end, awake_only)
        return 0

    @cython.cfunc
    def below(
        self,
        node: Node | None,
        octant: cython.int,
        level: cython.int,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
    ) -> Node | None:
        """Return the part of a subtree in an octant, which is a cell of a level: a node of it or below it, or None."""
        shift: cython.int = self.boxes.bin_shift + level
        if node is None:
            return None
        if node.level == level + 1:
            return None if node.children is None else node.children[octant]
        if (node.x - x) >> shift == 0 and (node.y - y) >> shift == 0 and (node.z - z) >> shift == 0:
            return node
        return None

    @cython.cfunc
    def join(
        self,
        other: PointerOctreeIndex,
        node: Node | None,
        node_b: Node | None,
        level: cython.int,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        begin_b: cython.Py_ssize_t,
        end_b: cython.Py_ssize_t,
        awake_only: cython.bint,
    ) -> cython.int:
        """Offer the pairs of two trees in a cell: their nodes there (None or smaller than the cell are allowed).

        `nearby[begin:end]` are boxes of ancestors of this tree, which meet the cell, `other.nearby[begin_b:end_b]`
        those of the other one. Pairs among these have been offered above.
        """
        own: cython.Py_ssize_t = end
        own_b: cython.Py_ssize_t = end_b
        at: cython.Py_ssize_t
        octant: cython.int
        half: cython.longlong
        child_x: cython.longlong
        child_y: cython.longlong
        child_z: cython.longlong
        child: Node | None
        child_b: Node | None
        child_end: cython.Py_ssize_t
        child_end_b: cython.Py_ssize_t
        is_asleep: cython.bint
        is_asleep_b: cython.bint
        if node is not None and node.level == level:
            end = self.push_own(node, end)
            for at in range(own, end):
                self.offer_pairs(self.nearby_view[at], other, begin_b, end_b, awake_only)
        if node_b is not None and node_b.level == level:
            end_b = other.push_own(node_b, end_b)
            for at in range(begin, end):
                self.offer_pairs(self.nearby_view[at], other, own_b, end_b, awake_only)
        if level == 0:
            return 0
        half = self.side(level) >> 1
        for octant in range(4 if self.boxes.flat else 8):
            child_x, child_y = x + half * (octant & 1), y + half * ((octant >> 1) & 1)
            child_z = z + half * (octant >> 2)
            child = self.below(node, octant, level - 1, child_x, child_y, child_z)
            child_b = other.below(node_b, octant, level - 1, child_x, child_y, child_z)
            is_asleep = awake_only and child is not None and child.asleep == child.total
            is_asleep_b = awake_only and child_b is not None and child_b.asleep == child_b.total
            child_end, child_end_b = end, end_b
            if child_b is not None:
                child_end = self.push_meeting(begin, end, level - 1, child_x, child_y, child_z, is_asleep_b)
            if child is not None:
                child_end_b = other.push_meeting(begin_b, end_b, level - 1, child_x, child_y, child_z, is_asleep)
            if child is None or child_b is None or (is_asleep and is_asleep_b):
                if child_end == end and child_end_b == end_b:
                    continue
            self.join(
                other,
                child,
                child_b,
                level - 1,
                child_x,
                child_y,
                child_z,
                end,
                child_end,
                end_b,
                child_end_b,
                awake_only,
            )
        return 0

    # The size, pictures and invariants.

    def nodes(self) -> list[Node]:
        """Return all nodes, each before its children."""
        found: list[Node] = []
        rest: list[Node] = [] if self.root is None else [self.root]
        while rest:
            node = rest.pop()
            found.append(node)
            if len(found) > self.node_count:
                raise IndexError(f"there are more than {self.node_count} nodes, or one is in the tree twice")
            if node.children is not None:
                rest.extend(child for child in reversed(node.children) if child is not None)
        return found

    def measure(self) -> Size:
        """Return the size of the tree. Each box is in one node."""
        nodes = self.nodes()
        depth = 1 + self.root.level - min(node.level for node in nodes) if nodes else 0
        kept = [*nodes, *self.pool]
        size = _NODE_BYTES * len(kept) + _CHILDREN_BYTES * sum(node.children is not None for node in kept)
        size += bytes_of(self.next_slots, self.previous_slots, self.nearby) + _LINK_BYTES * len(self.slot_nodes)
        return Size(sum(node.box_count for node in nodes), len(nodes), depth, size)

    def outlines(self) -> list[tuple[Faces, int]]:
        """Return each node with its level above the smallest one possible. In 2D they have the z range of the boxes."""
        found: list[tuple[Faces, int]] = []
        for node in self.nodes():
            side = self.side(node.level)
            low, high = (-HALF_SLAB, HALF_SLAB) if self.boxes.flat else (node.z, node.z + side)
            faces = (node.x, node.y, low, node.x + side, node.y + side, high)
            found.append((faces, node.level - self.lowest_level))
        return found

    def check_structure(self) -> None:
        """Verify nodes, links, counts, pool and the node of each box. Raises IndexError for the first failure."""
        placed = [slot for slot in range(self.boxes.slot_count) if self.boxes.owner_view[slot] >= 0]
        slots = min(map(len, (self.next_slots, self.previous_slots, self.slot_nodes)))
        if not max(placed, default=-1) < self.slot_capacity <= slots or self.nearby_capacity > len(self.nearby):
            raise IndexError("an array is shorter than its capacity")
        if not 1 <= self.lowest_level < TOP_LEVEL or self.base != -(_BIAS << self.boxes.bin_shift):
            raise IndexError("the tree divides space in another way than when it was made")
        nodes = self.nodes()
        listed: list[int] = []
        for node in nodes:
            self.check_node(node)
            listed += self.check_list(node)
        if sorted(listed) != placed:
            raise IndexError("the lists of the nodes do not hold each box once")
        if sum(home is not None for home in self.slot_nodes) != len(placed):
            raise IndexError("a slot without a box has a node")
        if self.node_count != len(nodes) or self.occupied_count != sum(node.box_count > 0 for node in nodes):
            raise IndexError("the nodes are miscounted")
        root = self.root
        if root is not None and (root.parent is not None or (root.box_count == 0 and root.child_count == 1)):
            raise IndexError("the root has a parent, or is larger than needed")
        if len({id(node) for node in [*nodes, *self.pool]}) != len(nodes) + len(self.pool):
            raise IndexError("a node is in the tree or in the pool twice")
        for node in self.pool:
            self.check_children(node)
            if node.parent is not None or any(node.children or ()) or node.first != -1:
                raise IndexError("a node in the pool has links")
            if node.box_count or node.child_count or node.total or node.asleep:
                raise IndexError("a node in the pool has boxes or children")

    def check_node(self, node: Node) -> None:
        """Verify the place of a node, its links to children, and that it is not empty."""
        if not self.lowest_level <= node.level <= TOP_LEVEL:
            raise IndexError(f"a node is of level {node.level}")
        self.check_children(node)
        side = self.side(node.level)
        axes = 2 if self.boxes.flat else 3
        corner = (node.x, node.y, node.z)
        if any((at - self.base) % side for at in corner[:axes]):
            raise IndexError(f"a node of level {node.level} at {corner} is not aligned")
        children = [(octant, child) for octant, child in enumerate(node.children or ()) if child is not None]
        if node.child_count != len(children):
            raise IndexError("the children of a node are miscounted")
        for octant, child in children:
            place = tuple(corner[axis] + (octant >> axis & 1) * (side // 2) for axis in range(3))
            if child.parent is not node or child.octant != octant or child.level != node.level - 1:
                raise IndexError("a child is not linked to its parent")
            if (child.x, child.y, child.z) != place or (self.boxes.flat and octant > 3):
                raise IndexError(f"a child in octant {octant} of {corner} is at {(child.x, child.y, child.z)}")
        if node.total != node.box_count + sum(child.total for _, child in children) or node.total <= 0:
            raise IndexError(f"a node counts {node.total} boxes in its subtree, or has none")

    def check_children(self, node: Node) -> None:
        """Verify that a node has eight places for children, or none."""
        if node.children is not None and len(node.children) != 8:
            raise IndexError(f"a node has {len(node.children)} places for children")

    def check_list(self, node: Node) -> list[int]:
        """Verify the list of a node and that its boxes belong there; return their slots."""
        slots: list[int] = []
        before, slot = -1, node.first
        while slot >= 0 and len(slots) <= node.box_count:
            if slot >= self.boxes.slot_count:
                raise IndexError(f"a node has slot {slot}")
            if self.previous_view[slot] != before or self.slot_nodes[slot] is not node:
                raise IndexError(f"slot {slot} is not linked to its node or to the slot before it")
            if not self.contains(node, slot) or self.octant_of(node, slot) >= 0:
                raise IndexError(f"the box in slot {slot} is not in the smallest node that contains it")
            slots.append(slot)
            before, slot = slot, self.next_view[slot]
        below = sum(child.asleep for child in node.children or () if child is not None)
        asleep = below + sum(not self.boxes.awake_view[slot] for slot in slots)
        if len(slots) != node.box_count or node.asleep != asleep:
            raise IndexError("the boxes of a node are miscounted")
        return slots
