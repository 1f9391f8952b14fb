# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""An octree of linked nodes: each box is in the smallest node that contains it.

Source: Christer Ericson, Real-Time Collision Detection (2005), 7.3.1 and 7.3.2. A node is made when the first box comes
to it or below it, and removed with the last. A box that a centre plane of a node cuts stays at that node (a straddler).
All pairs are found in one depth-first walk: a box can meet only boxes of its own node, of an ancestor or of a
descendant.

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
  Here a box searches the nodes below its own, and an interrupted walk leaves nothing behind.

Nodes are aligned to a fixed division of space, in which the origin is about a third of the way along every large node.
So the nodes depend only on the boxes, not on the history; and a world around the origin, which a power of two would cut
into eight parts with twenty levels each, has a small root.

A change costs O(levels left and entered), a query O(nodes and straddlers that it meets), all pairs O(boxes) for boxes
of similar size.
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.broadphase.protocol import Index
from ecs_collision.broadphase.tree import Tree

TOP_LEVEL = 22
"""The level of the largest root: a node of level l has a side of 2**l bins."""

BIAS = 0x155555
"""The bins from the lowest face of the largest root to the origin, on each axis: a third of its side."""

_TOP_LEVEL = cython.declare(cython.int, TOP_LEVEL)
_BIAS = cython.declare(cython.longlong, BIAS)
_ONE = cython.declare(cython.longlong, 1)


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
class PointerOctreeIndex(Tree):
    """Boxes in the smallest nodes that contain them (see `broadphase/protocol.py`).

    The boxes of a node are a list linked by slots; `slot_nodes` has the node of each slot.
    """

    def __init__(self, bin_shift: cython.int, max_depth: cython.int) -> None:
        Tree.__init__(self, bin_shift)
        if not 1 <= max_depth < TOP_LEVEL:
            raise IndexError(f"max_depth is {max_depth}; it must be 1 to {TOP_LEVEL - 1}")
        self.lowest_level = _TOP_LEVEL - max_depth
        self.base = -(_BIAS << bin_shift)
        self.root: Any = None
        self.slot_nodes: list[Any] = []
        self.reserve()

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

    def make_node(self, level: cython.int, x: cython.longlong, y: cython.longlong, z: cython.longlong) -> Node:
        """Return an empty node."""
        node: Node = Node()
        node.level = level
        node.x, node.y, node.z = x, y, z
        self.node_count += 1
        return node

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
        at: cython.Py_ssize_t = 8 * slot
        if node.level == self.lowest_level:
            return -1
        half: cython.longlong = self.side(node.level) >> 1
        octant: cython.int = side_of(self.boxes.faces_view[at], self.boxes.faces_view[at + 3], node.x, half)
        if octant < 0:
            return -1
        side: cython.int = side_of(self.boxes.faces_view[at + 1], self.boxes.faces_view[at + 4], node.y, half)
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
        at: cython.Py_ssize_t = 8 * slot
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

    def reset(self) -> cython.void:
        """Forget all boxes and nodes. Links between nodes are cut, so that they are freed at once."""
        cut: list[Node] = [] if self.root is None else [self.root]
        self.root = None
        while cut:
            node = cut.pop()
            if node.children is not None:
                cut.extend([child for child in node.children if child is not None])
            node.parent = node.children = None
        for slot in range(len(self.slot_nodes)):
            self.slot_nodes[slot] = None
        self.node_count = self.occupied_count = 0

    def reserve(self) -> cython.void:
        """Make room for the node and the neighbours in it of each slot."""
        self.slot_nodes.extend([None] * (self.boxes.capacity - len(self.slot_nodes)))
        Tree.reserve(self)

    def enter(self, slot: cython.int) -> cython.void:
        """Add a box: O(levels)."""
        if self.root is None:
            self.root = self.make_root(slot)
        self.grow(slot)
        self.descend(self.root, slot)
        self.cell_changes += 1

    def leave(self, slot: cython.int) -> cython.void:
        """Remove a box, and the nodes that have no box then: O(levels)."""
        home: Node = self.slot_nodes[slot]
        node: Node | None = home
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        self.take(home, slot)
        while node is not None:
            node.total -= 1
            node.asleep -= asleep
            node = node.parent
        self.prune(home)
        self.cell_changes += 1

    def move(self, slot: cython.int, dx: cython.longlong, dy: cython.longlong, dz: cython.longlong) -> cython.void:
        """Move a box: up to the first ancestor that contains it, and down again."""
        home: Node = self.slot_nodes[slot]
        node: Node = home
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        self.boxes.shift(slot, dx, dy, dz)
        if self.contains(home, slot) and self.octant_of(home, slot) < 0:
            return
        self.take(home, slot)
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

    def set_awake_of(self, slot: cython.int, awake: cython.bint) -> cython.void:
        """Update the counts of sleeping boxes: O(levels)."""
        node: Node | None = self.slot_nodes[slot]
        change: cython.int = -1 if awake else 1
        while node is not None:
            node.asleep += change
            node = node.parent

    def make_root(self, slot: cython.Py_ssize_t) -> Node:
        """Return a new node for the first box: the largest root, halved while a half contains the box."""
        node: Node = self.make_node(_TOP_LEVEL, self.base, self.base, self.base)
        octant: cython.int = self.octant_of(node, slot)
        while octant >= 0:
            half: cython.longlong = self.side(node.level) >> 1
            node.level -= 1
            node.x += half * (octant & 1)
            node.y += half * ((octant >> 1) & 1)
            node.z += half * (octant >> 2)
            octant = self.octant_of(node, slot)
        return node

    def grow(self, slot: cython.Py_ssize_t) -> cython.void:
        """Double the root until it contains a box. The largest root contains all."""
        while not self.contains(self.root, slot):
            old: Node = self.root
            x, y = self.corner(old.x, old.level + 1), self.corner(old.y, old.level + 1)
            z: cython.longlong = old.z if self.boxes.flat else self.corner(old.z, old.level + 1)
            new: Node = self.make_node(old.level + 1, x, y, z)
            self.adopt(new, (old.x != x) | ((old.y != y) << 1) | ((old.z != z) << 2), old)
            new.total, new.asleep = old.total, old.asleep
            self.root = new

    def descend(self, node: Node, slot: cython.int) -> cython.void:
        """Put a box in the smallest node that contains it, from a node that does; count it on the way."""
        asleep: cython.int = 0 if self.boxes.awake_view[slot] else 1
        while True:
            node.total += 1
            node.asleep += asleep
            octant: cython.int = self.octant_of(node, slot)
            if octant < 0:
                break
            child: Node | None = None if node.children is None else node.children[octant]
            if child is None:
                half: cython.longlong = self.side(node.level) >> 1
                child = self.make_node(
                    node.level - 1,
                    node.x + half * (octant & 1),
                    node.y + half * ((octant >> 1) & 1),
                    node.z + half * (octant >> 2),
                )
                self.adopt(node, octant, child)
            node = child
        node.box_count += 1
        node.first = self.link(slot, node.first)
        self.slot_nodes[slot] = node

    def take(self, node: Node, slot: cython.int) -> cython.void:
        """Remove a box from its node."""
        node.first = self.unlink(slot, node.first)
        node.box_count -= 1
        self.slot_nodes[slot] = None

    def prune(self, leaf: Node) -> cython.void:
        """Remove a node and its ancestors as far as there are no boxes below them; then shorten the tree."""
        node: Node | None = leaf
        while node is not None and node.total == 0:
            parent: Node | None = node.parent
            if parent is None:
                self.root = None
            else:
                parent.children[node.octant] = None
                parent.child_count -= 1
                node.parent = None
            self.node_count -= 1
            node = parent
        self.shorten()

    def shorten(self) -> cython.void:
        """Remove roots that have no boxes and one child."""
        while self.root is not None and self.root.box_count == 0 and self.root.child_count == 1:
            old: Node = self.root
            for octant in range(8):
                if old.children[octant] is not None:
                    self.root = old.children[octant]
                    old.children[octant] = None
            self.root.parent = None
            self.root.octant = 0
            self.node_count -= 1

    # Queries.

    def search(self) -> cython.void:
        """Offer the boxes of the nodes that meet the region."""
        self.set_region()
        if self.root is not None and self.meets(self.root):
            self.visit(self.root)

    def set_region(self) -> cython.void:
        """Put the ends of the region in order."""
        self.low_x, self.high_x = min(self.lox, self.hix), max(self.lox, self.hix)
        self.low_y, self.high_y = min(self.loy, self.hiy), max(self.loy, self.hiy)
        self.low_z, self.high_z = min(self.loz, self.hiz), max(self.loz, self.hiz)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def meets(self, node: Node) -> cython.bint:
        """Return whether the region meets a node that has what is looked for."""
        side: cython.longlong = self.side(node.level)
        return (
            self.low_x < node.x + side
            and self.high_x >= node.x
            and self.low_y < node.y + side
            and self.high_y >= node.y
            and (self.boxes.flat or (self.low_z < node.z + side and self.high_z >= node.z))
            and not (self.asleep_only and node.asleep == 0)
        )

    def visit(self, node: Node) -> cython.void:
        """Offer the boxes of a node, then those of the nodes below it that meet the region."""
        slot: cython.Py_ssize_t = node.first
        if slot >= 0:
            self.cells_visited += 1
        while slot >= 0:
            self.offer(slot)
            slot = self.next_slots[slot]
        # A node has no boxes of a higher level than its own.
        if node.child_count > 0 and self.levels & ((_ONE << node.level) - 1):
            self.visit_below(node)

    def visit_below(self, node: Node) -> cython.void:
        """Offer the boxes of the nodes below a node that meet the region."""
        if node.child_count > 0:
            for octant in range(4 if self.boxes.flat else 8):
                child: Node | None = node.children[octant]
                if child is not None and self.meets(child):
                    self.visit(child)

    # Pairs.

    def pair_with(self, other: Index) -> cython.void:
        """Offer all pairs of this tree by one walk, those with another by queries."""
        if other is not self:
            Index.pair_with(self, other)
        elif self.root is not None:
            self.pair_below(self.root)

    def pair_below(self, node: Node) -> cython.int:
        """Offer the pairs of the boxes of a node with each other and with those below it, then the pairs below it."""
        slot: cython.Py_ssize_t = node.first
        if self.awake_only and node.asleep == node.total:
            return 0
        while slot >= 0:
            self.pair_list(slot, self.next_slots[slot])
            self.aim_at(self.boxes, slot)
            self.set_region()
            self.visit_below(node)
            for at in range(self.hit_count):
                self.offer_pair(slot, self, self.hits_view[at])
            slot = self.next_slots[slot]
        if node.child_count > 0:
            for octant in range(8):
                if node.children[octant] is not None:
                    self.pair_below(node.children[octant])
        return 0
