"""A second implementation of the rules of collisions, as simple as possible: a reference for any other world.

All numbers are whole lattice units, every query tests every box, and only state that a rule names is stored. Sleep
cannot be observed (S1), so there is none. The model knows no ECS: before each call it gets all bodies. `snapshot`
copies the model and `restore` returns to such a copy. Handlers, bytes and esper are not modelled.

    model = Model(bounds=((0, 0), (9, 9)))
    model.apply_changes([Body(1, (1, 1, 0), motion=Request(force=2, dx=5)), Body(2, (3, 1, 0), inertia=(1, 1, 1))])
    model.step()  # [("Moved", 1, (5.0, 0.0, 0.0)), ("Moved", 2, (4.0, 0.0, 0.0)), ("Pushed", 2, 1, (4.0, 0.0, 0.0))]
"""

from __future__ import annotations

import copy
import functools
import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.model.normals import Normals, direction_of, normals_of, sides_of
from tests.model.shapes import (
    BAND,
    Given,
    Rotation,
    Shape,
    are_flat,
    bounds_of,
    shape_of,
    shapes_overlap,
    states_on_path,
    way_until_overlap,
)
from tests.model.shapes import nearly_touch as shapes_nearly
from tests.model.shapes import touch as shapes_touch

Vector = tuple[float, float, float]
Stop = tuple[str, int | None, str, float, Vector, tuple[int, ...]]
Box = tuple[tuple[int, int], ...]  # its low and high face, by axis

# --- Input and output -------------------------------------------------------------------------------------------------


@dataclass
class Request:
    """The request of a body for its next frame, and how it pushes; None means the world's setting.

    `token` identifies the owner of rounding remainders.
    """

    force: float = 0.0
    priority: int = 0
    rule: str | None = None
    max_chain: int | None = None
    all_or_nothing: bool | None = None
    dx: float = 0.0
    dy: float = 0.0
    dz: float = 0.0
    token: Hashable = None
    through: bool = False


@dataclass
class Trigger:
    """The settings of a body that reports instead of blocking (T1)."""

    mask: frozenset[str] | None = None
    statics: bool = False
    touching: bool = False
    swept: bool = False
    stay: bool = False
    linger: int = 0
    enabled: bool = True


@dataclass
class Contact:
    """The settings of a solid body that reports what it touches (C1)."""

    linger: int = 0
    mask: frozenset[str] | None = None


@dataclass
class Body:
    """A body as written. A box is (hx, hy, hz, ox, oy, oz); `transform` and `collider` identify the instances (E3).

    Bounds use `shape`, the bounds of all parts (H4), in the order of `parts`; all else uses the parts themselves.
    """

    id: int
    position: Vector
    boxes: tuple[tuple[float, float, float, float, float, float], ...] = ((0.5, 0.5, 0.5, 0.0, 0.0, 0.0),)
    layer: str = "default"
    mask: frozenset[str] | None = None
    enabled: bool = True
    static: bool = False
    inertia: Vector | None = None
    motion: Request | None = None
    trigger: Trigger | None = None
    fused: int | None = None
    transform: Hashable = None
    collider: Hashable = None
    others: tuple[Given, ...] = ()  # parts that are no boxes
    rotation: Rotation = None
    bounds: frozenset[Box] = frozenset()  # of parts, if known: float64 may round those of turned ones further outward
    contact: Contact | None = None
    one_way: tuple[int, int] | None = None  # axis and sign of its direction (M5)
    carries: Vector | None = None  # `up`; it never crushes here
    grips: int | None = None
    response: str = "push"  # M9; "stop" and "bounce" are not modelled, nor is M10
    responses: tuple[tuple[str, str], ...] = ()
    at: list[int] = field(default_factory=list, init=False, repr=False)
    shape: list[Box] = field(default_factory=list, init=False, repr=False)
    parts: list[Shape] = field(default_factory=list, init=False, repr=False)
    birth: int = field(default=0, init=False, repr=False)
    request: Request = field(default_factory=Request, init=False, repr=False)

    def is_active(self, solid: bool = False) -> bool:
        """E9: not if its collider or trigger is disabled. T1: a trigger is never active as a solid body."""
        return self.enabled and (self.trigger is None or (self.trigger.enabled and not solid))

    def is_one_way(self) -> bool:
        """M5: return whether it is a solid body with a `OneWay`."""
        return self.one_way is not None and self.is_active(solid=True)

    def placed_boxes(self, at: Sequence[int] = ()) -> list[Box]:
        """Return its boxes at its position, or at `at`."""
        x, y, z = at or self.at
        return [((a + x, b + x), (c + y, d + y), (e + z, f + z)) for (a, b), (c, d), (e, f) in self.shape]

    def placed_parts(self) -> list[Shape]:
        """Return its parts at its position."""
        return [part.at(self.at) for part in self.parts]

    def copy(self) -> Body:
        """Return an equal body that is independent of this one."""
        copied = copy.copy(self)
        copied.at, copied.motion = list(self.at), copy.copy(self.motion)
        copied.request = copied.motion or Request()
        return copied


class Refused(Exception):
    """The written bodies are invalid; nothing has changed (L3, E8)."""


@dataclass
class Result:
    """The result of one motion, in world units and in the order of a MoveResult (P16)."""

    requested: Vector
    moved: Vector
    pushed: dict[int, Vector]
    stops: tuple[Stop, ...]  # axis, blocker, name of the reason, allowed distance, direction, blockers
    links: tuple[tuple[int, int, str, float], ...]  # pusher, pushed, axis, gap
    shares: dict[int, float] = field(default_factory=dict)  # the forces of a joint push (M11)


# --- L: the lattice ---------------------------------------------------------------------------------------------------

PER_UNIT = 2**16


def units(value: float | Fraction) -> int:
    """L1: return the nearest lattice step, halves up."""
    steps = value * PER_UNIT  # exact: a power of two
    return int(steps) if steps == int(steps) else math.floor(Fraction(steps) + Fraction(1, 2))


def round_force(value: float) -> float:
    """L1: return a force or inertia rounded to the lattice; infinity stays."""
    return value if math.isinf(value) else units(value) / PER_UNIT


def to_world(vector: Iterable[int]) -> Vector:
    """Return units in world units, exactly."""
    x, y, z = (value / PER_UNIT for value in vector)
    return (x, y, z)


@functools.cache
def faces(half: float | Fraction, offset: float | Fraction) -> tuple[int, int]:
    """L1: return faces rounded inward; a side too thin to contain a lattice point becomes one."""
    low = math.ceil((Fraction(offset) - Fraction(half)) * PER_UNIT)
    high = math.floor((Fraction(offset) + Fraction(half)) * PER_UNIT)
    return (low, high) if low <= high else (units(offset), units(offset))


def overlap(a: Box, b: Box, except_axis: int | None = None) -> bool:
    """L4: open intervals overlap on all axes but `except_axis`.

    A box without extent therefore overlaps only what strictly contains it.
    """
    return all(a[axis][0] < b[axis][1] and b[axis][0] < a[axis][1] for axis in range(3) if axis != except_axis)


def shape_of_box(box: Box) -> Shape:
    """Return a box as a part."""
    (a, b), (c, d), (e, f) = box
    return Shape((a, c, e), (b, d, f))


# --- P: a motion along one axis ---------------------------------------------------------------------------------------


class Leg:
    """A motion along one axis: `shifts` of each group, `stop` that ended it, and `links` between pushers and pushed.

    `movers` are more than one in a joint push (M11). What rides on a displaced body is added by `Model._ride` (M6);
    `crushed` are the groups between a platform that is the mover and what stops it (M8).

    Groups are named by their roots; an unfused body is a group of its own (P8). `moved` is the shift of each body.
    Boxes are mirrored if the motion goes down the axis, so all computations go up. The resistance of a group is the
    reason why it does not move (None if it does) and its inertia in the sum.
    """

    def __init__(
        self, model: Model, at: dict[int, list[int]], mover: int, axis: int, displacement: int, request: Request,
        others: Sequence[int] = (), platform: int | None = None, body: Body | None = None,
    ) -> None:  # fmt: skip
        self.model, self.mover, self.axis, self.request, self.at = model, mover, axis, request, at
        self.movers, self.platform, self.body = (mover, *others), platform, body
        self.shares, self.is_counted, self.lacks_force = dict[int, float](), True, False
        self.sign, self.requested = (1 if displacement > 0 else -1), abs(displacement)
        self.groups = model.groups()
        self.solid = {root: [body for body in group if body.is_active(True)] for root, group in self.groups.items()}
        self.boxes = {
            id: [self.mirrored(box) for box in body.placed_boxes(at[id])] for id, body in model.bodies.items()
        }
        self.parts = {id: [part.at(at[id]) for part in body.parts] for id, body in model.bodies.items()}
        self.gaps_ahead, self.vetoed, self.total_inertia, self.count = dict[int, dict[int, int]](), set[int](), 0.0, 0
        self.gripped = {each: self.gripped_by(each) if platform is None else set() for each in self.movers}
        self.lifted, self.pushing = set[int](), set[int]()
        self.refused, self.crossing = dict[int, int](), list[tuple[int, int]]()
        self.solve(dict.fromkeys(self.movers, 0))
        self.moved = {body.id: shift for root, shift in self.shifts.items() for body in self.groups[root]}
        end = abs(self.shifts.get(self.mover, 0))
        self.crossed = list(dict.fromkeys(id for gap, id in sorted(self.crossing) if gap < end))

    def mirrored(self, box: Box) -> Box:
        """Return a box, mirrored if the motion goes down."""
        return tuple((-hi, -lo) if self.sign < 0 and k == self.axis else (lo, hi) for k, (lo, hi) in enumerate(box))

    def gaps(self, id: int) -> dict[int, int]:
        """P2, P8: return the groups ahead of a group, and the smallest gap between any two of their boxes."""
        if id not in self.gaps_ahead:
            self.gaps_ahead[id] = {}
            for other in self.solid.keys() - {id}:
                found = {gap for pair in self.pairs(id, other) if (gap := self.gap(*pair)) is not None}
                if id == self.mover and self.body is not None:
                    found = self.answered(self.body, other)
                if found:
                    self.gaps_ahead[id][other] = min(found)
            self.gaps_ahead[id] |= dict.fromkeys(self.gripped.get(id, ()), 0)
            for mover in self.movers:  # P7: the mover never blocks itself
                self.gaps_ahead[id].pop(mover, None)
            if id == self.mover and self.platform is not None:  # M6: it has gone as far
                self.gaps_ahead[id].pop(self.platform, None)
        return self.gaps_ahead[id]

    def gripped_by(self, id: int) -> set[int]:
        """M12: return the groups that a group grips."""
        gripping = [body for body in self.groups[id] if body.grips is not None and body.is_active()]
        bodies = [self.model.bodies.get(body.grips or 0) for body in gripping]
        return {self.model.roots[body.id] for body in bodies if body and body.is_active(solid=True)}

    def lifts(self, id: int, other: int) -> bool:
        """M6: return whether a group carries another one along the motion, or is carried and has it on it."""
        bodies = [body for body in self.solid[id] if id in self.lifted or up_of(body) == (self.axis, self.sign)]
        return stands_on(self.model, self.at, self.axis, self.sign, bodies, self.solid[other])

    def answered(self, body: Body, other: int) -> set[int]:
        """M9: return the gaps from the mover to a group; what it crosses or does not push is noted apart."""
        found = set[int]()
        for two in self.solid[other]:
            response = dict(body.responses).get(two.layer, body.response)
            pairs = itertools.chain(*(self.parts_that_meet(one, two) for one in self.solid[self.mover]))
            gaps = {gap for pair in pairs if (gap := self.gap(*pair)) is not None}
            if response == "cross":
                self.crossing += [(gap, two.id) for gap in gaps]
                continue
            found |= gaps
            if response != "push" and gaps:
                self.refused[other] = min(gaps | {self.refused.get(other, min(gaps))})
        return found

    def pairs(self, id: int, other: int) -> Iterator[tuple[int, int, int, int]]:
        """P14: yield the parts of two groups that may meet, by their bodies and numbers; layers are those of bodies."""
        for one, two in itertools.product(self.solid[id], self.solid[other]):
            yield from self.parts_that_meet(one, two)

    def parts_that_meet(self, one: Body, two: Body) -> Iterator[tuple[int, int, int, int]]:
        """Yield the parts of two bodies if these may meet."""
        numbers = itertools.product(range(len(one.parts)), range(len(two.parts)))
        for number, other_number in numbers if self.model.may_meet(one, two) and self.comes_against(one, two) else ():
            if not (self.passes(one, number, two) or self.passes(two, other_number, one)):
                yield one.id, two.id, number, other_number

    def comes_against(self, one: Body, two: Body) -> bool:
        """M5: return whether a body that moves comes against the direction of another, and that against its own."""
        if two.is_one_way() and self.request.through and self.model.roots[one.id] == self.mover:
            return False
        against = two.one_way == (self.axis, -self.sign), one.one_way == (self.axis, self.sign)
        return (against[0] or not two.is_one_way()) and (against[1] or not one.is_one_way())

    def passes(self, one: Body, number: int, two: Body) -> bool:
        """M5: return whether a part of a one-way body lets another body pass, because that overlaps it."""
        return one.is_one_way() and shapes_overlap([self.parts[one.id][number]], self.parts[two.id]) is True

    def gap(self, one: int, two: int, number: int, other: int) -> int | None:
        """P2, P9: return the gap from a part of a body to one of another, None if that is not ahead."""
        p, q = self.parts[one][number], self.parts[two][other]
        if all(part.radius == 0 and part.rows is None for part in (p, q)):
            return self.gap_of_boxes(self.boxes[one][number], self.boxes[two][other])
        way, close_way = (way_until_overlap(p, q, self.axis, self.sign, close) for close in (False, True))
        if way != close_way:
            way = self.model.close_way(p, q, self.axis, self.sign)
        if way != -1:
            return way
        return 0 if self.model.overlap_policy == "block_deeper" and self.goes_deeper(one, two, p, q) else None

    def goes_deeper(self, one: int, two: int, p: Shape, q: Shape) -> bool:
        """P9: return whether a step points against the normal of two parts that overlap, but for rounding errors."""
        if one > two:
            p, q = q, p
        flat = are_flat(self.parts[one], self.parts[two])
        normal = direction_of(p, q, flat) or self.model.close_normal(p, q, flat)
        return normal[self.axis] * self.sign * (1 if one < two else -1) > 2**-20

    def gap_of_boxes(self, a: Box, b: Box) -> int | None:
        """P2, P9: return the gap from the leading face of one box to another box, None if that is not ahead."""
        (rear, front), (near_face, far_face) = a[self.axis], b[self.axis]
        if near_face >= front or not overlap(a, b):
            return near_face - front if near_face >= front and overlap(a, b, except_axis=self.axis) else None
        if self.model.overlap_policy == "leave":
            return None
        deeper = rear < near_face and front < far_face  # only then would the overlap grow
        return 0 if deeper else None

    def free_distance(self, id: int, distance: int) -> tuple[int, str]:
        """P18: return the distance until a leading face reaches a bound, and the name of the bound.

        A body beyond a bound may return. The bounds of the world stop solid bodies; the index range also stops triggers
        in the group.
        """
        found = []
        for body in self.groups[id]:
            limits = [("index range", self.model.range), ("own bounds", self.model.own_bounds)]
            for name, bound in limits if body.is_active(solid=True) else limits[:1]:
                limit = self.mirrored(bound)[self.axis][1]
                found += [(limit - box[self.axis][1], name) for box in self.boxes[body.id]]
        return min([(gap + distance, name) for gap, name in found if gap >= 0], default=(self.requested, ""))

    def resistance(self, id: int, pushers: list[int]) -> tuple[str | None, float]:
        """P3, P8, P15: return the resistance of a group that these would push; its heaviest solid member decides."""
        members, hook, force = self.solid[id], self.model.can_push, self.request.force
        static = any(body.static for body in members)
        answers = [hook(by, id, "xyz"[self.axis], force) for by in pushers] if hook and not static else []
        if False in answers or id in self.vetoed:
            self.vetoed.add(id)
            return "HOOK", 0.0
        if not static and id not in self.lifted and any(self.lifts(by, id) for by in pushers):
            self.lifted.add(id)
        if True in answers or id in self.lifted:
            return None, 0.0
        heavy = [body.inertia and round_force(body.inertia[self.axis]) for body in members]
        weights = [math.inf if weight is None else weight for weight in heavy]
        inertia = max(weights)
        if math.isinf(inertia):
            return "IMMOVABLE", 0.0
        return None if force > inertia else "FORCE", inertia

    def groups_reached(self, distance: int, distances: dict[int, int]) -> dict[int, tuple[str | None, float]]:
        """Return the resistance of all groups reached at this distance, also through gaps of 0.

        Only groups that move push on. A pusher found late may bring a veto; the search then restarts without the vetoed
        body. (No rule decides which of two bodies in a cycle of gaps of 0 is the blocker if neither may push the
        other.)
        """
        reached, vetoes = distances, 0
        while True:
            by = {
                id: [p for p in reached if self.gaps(p).get(id) == distance - reached[p]] for id in sorted(self.solid)
            }
            found = {id: self.resistance(id, sorted(by[id])) for id in by if by[id] and id not in distances}
            found |= {id: ("RESPONSE", 0.0) for id in found if self.refused.get(id) == distance}  # M9
            grown = distances | {id: distance for id, (reason, _) in found.items() if not reason}
            if grown == reached:
                return found
            reached, vetoes = (grown if len(self.vetoed) == vetoes else distances), len(self.vetoed)

    def find_blockers(self, groups: dict[int, tuple[str | None, float]]) -> tuple[str, tuple[int, ...]] | None:
        """P2, P4: return why the motion stops at this distance, and by which groups.

        All that cannot be pushed stop it, with the reason of the lowest id; without them the first that is too much.
        """
        fixed = sorted((id, reason) for id, (reason, _) in groups.items() if reason)
        self.lacks_force = {reason for _, reason in fixed} <= {"FORCE"}
        if fixed:
            return fixed[0][1], tuple(id for id, _ in fixed)
        for id, (_, inertia) in sorted(groups.items()):
            self.total_inertia, self.count = self.total_inertia + inertia, self.count + (id not in self.lifted)
            if self.request.rule == "sum" and inertia and self.total_inertia >= self.request.force:
                return "FORCE", (id,)
            if self.request.max_chain is not None and self.count > self.request.max_chain:
                return "CHAIN_LIMIT", (id,)
        return None

    def solve(self, distances: dict[int, int]) -> None:
        """P2: process distances in ascending order until the motion is stopped; then all groups move the rest."""
        ends = [self.free_distance(mover, 0) for mover in self.movers]
        stopped, (end, bound) = None, min((self.requested, ""), *ends)
        while not stopped:
            reachable = [
                distances[p] + gap for p in distances for id, gap in self.gaps(p).items() if id not in distances
            ]
            distance = min(reachable, default=self.requested)
            if distance > end or distance == self.requested:
                break
            groups = self.groups_reached(distance, distances)
            self.pushing |= {id for id, (reason, _) in groups.items() if not reason}
            stopped = self.find_blockers(groups)  # also at a bound: a body precedes it
            end, bound = (
                (distance, "") if stopped else min((end, bound), *(self.free_distance(id, distance) for id in groups))
            )
            distances |= dict.fromkeys(groups, distance)
        axis = "xyz"[self.axis]
        self.shifts = {id: self.sign * (end - distances[id]) for id in distances if distances[id] < end}
        self.stop = None if end == self.requested else self.stop_by(*(stopped or ("BOUNDS", ())), end)
        pairs = [(b, a) for a in self.shifts for b in self.shifts if self.gaps(a).get(b) == distances[b] - distances[a]]
        self.links = [(a, b, axis, (distances[b] - distances[a]) / PER_UNIT) for b, a in sorted(pairs)]
        carries = any(up_of(body) for body in self.solid[self.mover])
        is_stopped = self.stop and not self.request.all_or_nothing
        self.crushed = self.find_crushed(distances, end) if carries and is_stopped and len(self.movers) == 1 else set()

    def find_crushed(self, distances: dict[int, int], end: int) -> set[int]:
        """M8: return the groups on the shortest paths from the mover to what stops it."""
        found, ahead = set[int](), set(self.stop[5]) if self.stop else set()
        if not ahead:
            found |= {id for id in self.pushing if self.free_distance(id, distances[id])[0] == end}
        grown = True
        while grown:
            tight = {
                id for id in self.pushing for other in found | ahead
                if other in distances and self.gaps(id).get(other) == distances[other] - distances[id]
            }  # fmt: skip
            grown = not tight <= found
            found |= tight
        return found

    def stop_by(self, reason: str, blockers: tuple[int, ...], distance: int) -> Stop:
        """P16: return a stop; it names the first blocker, the direction of the motion and all blockers."""
        vector = [0.0, 0.0, 0.0]
        vector[self.axis] = float(self.sign)
        first = blockers[0] if blockers else None
        return ("xyz"[self.axis], first, reason, distance / PER_UNIT, (vector[0], vector[1], vector[2]), blockers)


def up_of(body: Body) -> tuple[int, int] | None:
    """M6: return the axis and the sign of the side on which bodies stand on a body, None if it carries nothing."""
    if body.carries is None:
        return None
    return next((axis, 1 if part > 0 else -1) for axis, part in enumerate(body.carries) if part)


def stands_on(
    model: Model, at: dict[int, list[int]], axis: int, sign: int, supports: Iterable[Body], riders: Iterable[Body]
) -> bool:
    """M6: return whether a step of these bodies along `up` would push the others at once: over a gap of 0 (P2, P9)."""
    for below, above in itertools.product(supports, riders):
        if not all(one.mask is None or two.layer in one.mask for one, two in ((below, above), (above, below))):
            continue
        for a, b in itertools.product(below.placed_boxes(at[below.id]), above.placed_boxes(at[above.id])):
            (rear, front), (near, far) = (a[axis], b[axis])
            if sign < 0:
                rear, front, near, far = -front, -rear, -far, -near
            deeper = model.overlap_policy != "leave" and rear < near < front < far
            if overlap(a, b, except_axis=axis) and (near == front or deeper):
                return True
    return False


def net(shifts: Iterable[tuple[int, dict[int, int]]]) -> dict[int, list[int]]:
    """Return the total displacement of each id over all these shifts, each along one axis."""
    total: dict[int, list[int]] = {}
    for axis, by in shifts:
        for id, shift in by.items():
            total.setdefault(id, [0, 0, 0])[axis] += shift
    return dict(sorted(total.items()))


def roots_of(bodies: dict[int, Body]) -> dict[int, int]:
    """E8, E9: return the root of the group of each body, itself if it is unfused; disabled bodies are in no group."""
    found = {}
    for id in bodies:
        root, to = id, bodies[id].fused
        while to is not None and bodies[root].is_active() and bodies[to].is_active():
            root, to = to, bodies[to].fused
        found[id] = root
    return found


def parts_of(bodies: Iterable[Body]) -> list[Shape]:
    """Return the placed parts of all these bodies."""
    return [part for body in bodies for part in body.placed_parts()]


def _changes(states: Iterable[bool]) -> list[bool]:
    """Return states without those that are equal to the one before."""
    return [state for state, _ in itertools.groupby(states)]


def owner(body: Body) -> Hashable:
    """L2: return the owner of rounding remainders: the instance of Motion."""
    return body.request.token or ("of", body.birth)


# --- The world --------------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Model:
    """A world of bodies that move, push and report by the rules. The settings are those of CollisionSystem."""

    bin_size: float = 1.0
    rule: str = "each"
    max_chain: int | None = None
    all_or_nothing: bool = False
    axis_order: str = "xyz"
    order: str = "sequential"
    overlap_policy: str = "block_deeper"
    bounds: tuple[Sequence[float], Sequence[float]] | None = None
    forces: str = "alone"
    can_push: Callable[[int, int, str, float], bool | None] | None = None
    close_call: Callable[[int, int], bool] = lambda a, b: False
    close_way: Callable[[Shape, Shape, int, int], int | None] = way_until_overlap
    close_normal: Callable[[Shape, Shape, bool], Vector] = lambda a, b, flat: (0.0, 0.0, 0.0)
    is_held: Callable[[int, int], bool] = lambda a, b: False  # what steps of dynamics leave in contact (C1, I6)

    def __post_init__(self) -> None:
        reach = units(self.bin_size) * 2**20
        self.range: Box = ((-reach, reach - 1),) * 3  # B2: a face at `reach` would cover a cell beyond the last
        corners = zip(*self.bounds, strict=True) if self.bounds else ()
        self.own_bounds: Box = (*((units(low), units(high)) for low, high in corners), *self.range)[
            :3
        ]  # P18: z may be free
        self.bodies, self.results = dict[int, Body](), dict[int, Result]()
        self.frame, self.births = 0, 0
        self.remainders: dict[Hashable, list[tuple[Fraction, int]]] = {}  # with the sign of their requests
        self.contacts: dict[tuple[int, int], tuple[tuple[int, int], int | None]] = {}  # births; last lingering frame
        self.solid_contacts: dict[tuple[int, int], tuple[tuple[int, int], int | None]] = {}  # as contacts, of C1
        self.overlaps: dict[tuple[int, int], tuple[int, int]] | None = None  # births by pair; None: not reported (T11)
        self.committed: list[Leg] = []  # since the last frame: `move` joins the next (T10)
        self.paths: dict[tuple[tuple[int, int], tuple[int, int]], list[bool]] = {}  # by pair and births
        self.close_paths = set[tuple[int, int]]()  # pairs of `paths` that are turned and too close to call
        self.undecided = set[tuple[int, int]]()  # those of the last frame: its events of them are not compared
        self.roots = dict[int, int]()  # the root of the group of each body
        self.passing = dict[frozenset[int], tuple[int, ...]]()  # births by pair of bodies that pass (M9)
        self.crossings = list[tuple[int, int]]()  # since the last frame

    def apply_changes(self, bodies: Iterable[Body]) -> None:
        """Replace all bodies by those written; a position that differs is a teleport (P12)."""
        fresh = {body.id: self._read(body) for body in sorted(bodies, key=lambda body: body.id)}
        faults = [
            fault for body in fresh.values() for fault in (*self._faults(body), *self._fusion_faults(body, fresh))
        ]
        if faults:
            raise Refused("; ".join(faults))
        for id, body in fresh.items():
            old = self.bodies.get(id)
            same = [old.transform == body.transform, old.collider == body.collider] if old else []  # E3
            self.births += not any(same)
            body.birth = old.birth if old and any(same) else self.births
        self.bodies, self.roots = fresh, roots_of(fresh)
        self._end_passing()

    def groups(self) -> dict[int, list[Body]]:
        """P8: return all groups by root, including single unfused bodies."""
        found: dict[int, list[Body]] = {}
        for id, body in self.bodies.items():
            found.setdefault(self.roots[id], []).append(body)
        return found

    def _read(self, body: Body) -> Body:
        """L1: return a written body, rounded."""
        body = body.copy()
        body.at = [units(value) for value in body.position]
        body.shape = [tuple(faces(part[axis], part[axis + 3]) for axis in range(3)) for part in body.boxes]
        others = [shape_of(given, body.rotation) for given in body.others]
        body.parts = [*map(shape_of_box, body.shape), *others]
        body.shape += [bounds_of(part, body.bounds) for part in others]
        body.position = to_world(body.at)
        return body

    def _faults(self, body: Body) -> Iterator[str]:
        """L3, E8, P10: yield faults that only a world can decide."""
        (least, most), spans = self.range[0], [face for box in body.placed_boxes() for span in box for face in span]
        if min(spans) < least or max(spans) > most:
            yield f"body {body.id} at {body.position} is out of range"
        if body.static and (body.motion or body.inertia):
            yield f"body {body.id} is static, with a motion or an inertia"
        if body.contact and body.trigger:
            yield f"body {body.id} is a trigger, with a contact"
        if self.order == "front_first" and body.motion and body.motion.all_or_nothing:
            yield f"body {body.id} has all_or_nothing, which front_first does not support"

    def _fusion_faults(self, body: Body, bodies: dict[int, Body]) -> Iterator[str]:
        """E8: yield why a body cannot be fused to its target."""
        to, line = body.fused, [body.id]
        if to is None:
            return
        while bodies[line[-1]].fused in bodies and line.count(line[-1]) == 1:
            line.append(bodies[line[-1]].fused or 0)
        wrong = {
            "static that is fused": body.static,
            "fused to itself": to == body.id,
            "fused to a missing body": to not in bodies,
            "fused to a static": to in bodies and bodies[to].static,
            "fused in a cycle": to != body.id and line[-1] == body.id,
        }
        for fault in (fault for fault, holds in wrong.items() if holds):
            yield f"body {body.id}, fused to {to}: {fault}"

    # --- P: motions ---------------------------------------------------------------------------------------------------

    def plan(self, id: int, dx: float = 0, dy: float = 0, dz: float = 0, **options: Any) -> Result:
        """Return what `move` would do (P17)."""
        displacement = [units(value) for value in (dx, dy, dz)]
        return self._result_of(id, displacement, self._legs(id, displacement, self.axis_order, options))

    def move(self, id: int, dx: float = 0, dy: float = 0, dz: float = 0, **options: Any) -> Result:
        """Move a body now; `options` are force, rule, max_chain and all_or_nothing (P4, P5)."""
        displacement = [units(value) for value in (dx, dy, dz)]
        return self._result_of(id, displacement, self._commit(self._legs(id, displacement, self.axis_order, options)))

    def _legs(self, id: int, displacement: Sequence[int], axes: str, options: dict[str, Any]) -> list[Leg]:
        """P1, P5: return one leg per axis, each after the earlier ones; with all or nothing, a stop cancels all."""
        request = self._effective_request(self.bodies[id].request, options)
        at, legs = {other: list(body.at) for other, body in self.bodies.items()}, list[Leg]()
        requested_axes = ["xyz".index(name) for name in axes if displacement["xyz".index(name)]]
        for axis in requested_axes:
            legs.append(Leg(self, at, self.roots[id], axis, displacement[axis], request, body=self.bodies[id]))
            if legs[-1].stop and request.all_or_nothing:
                pass
            elif any(up_of(body) for body in self.bodies.values()):
                self._ride(legs[-1], {other: list(place) for other, place in at.items()})
            if legs[-1].stop and request.all_or_nothing:  # later axes are not planned
                legs = [self._all_or_nothing_leg(legs[-1], axis, displacement[axis]) for axis in requested_axes]
                break
            for other, shift in legs[-1].moved.items():
                at[other][axis] += shift
        return legs

    def _ride(self, leg: Leg, at: dict[int, list[int]]) -> None:
        """M6: add to a leg the bodies that stand on those that it displaces; `at` has all places as the axis begins."""
        groups, most = leg.groups, max(map(abs, leg.shifts.values()), default=0)
        shifts, rides, stopped, ridden = dict[int, int](), list[tuple[int, int, int]](), set[int](), set[int]()

        def displace(by: dict[int, int]) -> None:
            for root in by.keys() - shifts.keys():
                rides.extend(self._riders(groups, at, root, (leg.axis, leg.sign)))
            for root, shift in by.items():
                shifts[root] = shifts.get(root, 0) + shift
                for body in groups[root]:
                    at[body.id][leg.axis] += shift

        def ahead(root: int) -> tuple[int, int]:
            boxes = [box[leg.axis] for body in leg.solid[root] for box in body.placed_boxes(at[body.id])]
            return (min(box[0] for box in boxes) if leg.sign < 0 else -max(box[1] for box in boxes), root)

        displace(leg.shifts)
        waiting = True
        while waiting:
            wanted = {
                rider: max(min(abs(shifts[root]), most) for root, _, each in rides if each == rider)
                for _, _, rider in rides
            }
            waiting = [
                rider for rider, far in wanted.items() if far > abs(shifts.get(rider, 0)) and rider not in stopped
            ]
            for rider in sorted(waiting, key=ahead):
                left = wanted[rider] - abs(shifts.get(rider, 0))
                if left > 0:
                    own = Leg(self, at, rider, leg.axis, leg.sign * left, leg.request, platform=leg.mover)
                    stopped |= {rider} if own.stop else set()
                    ridden |= {rider} if own.shifts else set()
                    leg.links += own.links
                    displace(own.shifts)
        leg.links += [(a, b, "xyz"[leg.axis], 0.0) for _, a, b in rides if a in shifts and b in ridden]
        leg.links = sorted(set(leg.links), key=lambda link: (link[1], link[0], link[3]))
        leg.shifts = shifts
        leg.moved = {body.id: shift for root, shift in shifts.items() for body in groups[root]}

    def _riders(
        self, groups: dict[int, list[Body]], at: dict[int, list[int]], root: int, motion: tuple[int, int]
    ) -> Iterator[tuple[int, int, int]]:
        """M6: yield what stands on a group and on that, as (group, support, rider), unless it moves along `up`."""
        for carrier in groups[root]:
            up = up_of(carrier)
            if up is None or up == motion or not carrier.is_active(solid=True):
                continue
            supports, seen = [(root, [carrier])], {root}
            for support, bodies in supports:
                for rider, group in groups.items():
                    solid = [body for body in group if body.is_active(solid=True)]
                    is_fixed = rider == support or any(body.static for body in solid)
                    if not is_fixed and stands_on(self, at, *up, bodies, solid):
                        yield root, support, rider
                        supports += [] if rider in seen else [(rider, solid)]
                        seen.add(rider)

    def _all_or_nothing_leg(self, failed: Leg, axis: int, displacement: int) -> Leg:
        """P5: return the leg of an axis that is cancelled because another leg was stopped."""
        leg = copy.copy(failed)
        leg.axis, leg.sign, leg.shifts, leg.moved, leg.links = axis, 1 if displacement > 0 else -1, {}, {}, []
        leg.crossed = []
        leg.stop = failed.stop if axis == failed.axis else leg.stop_by("ALL_OR_NOTHING", (), 0)
        return leg

    def _effective_request(self, request: Request, options: dict[str, Any]) -> Request:
        """P4, P5: arguments of the call override the motion, and that overrides the settings."""
        values = vars(request) | {name: value for name, value in options.items() if value is not None}
        left = {name: getattr(self, name) for name in ("rule", "max_chain", "all_or_nothing") if values[name] is None}
        return Request(**values | left | {"force": round_force(values["force"])})

    def _commit(self, legs: list[Leg]) -> list[Leg]:
        """Commit a motion: the only place where positions change."""
        crossed = list(dict.fromkeys(id for leg in legs for id in leg.crossed))
        members = [body for leg in legs[:1] for body in leg.solid[leg.mover]]
        begun = [id for id in crossed if not any(self._overlap(body, [self.bodies[id]]) for body in members)]
        for leg in legs:
            self._sweep(leg)
            for id, shift in leg.moved.items():
                self.bodies[id].at[leg.axis] += shift
                self.bodies[id].position = to_world(self.bodies[id].at)
            self.committed.append(leg)
        self.crossings += [(legs[0].mover, root) for root in dict.fromkeys(self.roots[id] for id in begun)]
        for one, id in itertools.product(members, crossed):
            if self._overlap(one, [self.bodies[id]]):
                self.passing[frozenset((one.id, id))] = (one.birth, self.bodies[id].birth)
        self._end_passing()
        return legs

    def _end_passing(self) -> None:
        """M9: end the pairs that no longer overlap, or of bodies that are gone."""
        for pair, births in list(self.passing.items()):
            found = [self.bodies[id] for id in pair if id in self.bodies and self.bodies[id].is_active()]
            is_same = len(found) == 2 and {body.birth for body in found} == {*births}
            if not is_same or not self._overlap(found[0], found[1:]):
                del self.passing[pair]

    def _result_of(self, id: int, displacement: Sequence[int], legs: list[Leg]) -> Result:
        """P8, P16: return the result of a motion from its legs; groups are named by their roots."""
        pushed = {other: to_world(shifts) for other, shifts in net((leg.axis, leg.shifts) for leg in legs).items()}
        moved, stops = pushed.pop(self.roots[id], (0.0, 0.0, 0.0)), [leg.stop for leg in legs if leg.stop]
        stops.sort(key=lambda stop: self.axis_order.index(stop[0]))
        links = list(dict.fromkeys(link for leg in legs for link in leg.links))
        links.sort(key=lambda link: (self.axis_order.index(link[2]), link[1], link[0], link[3]))
        shares = dict(sorted(share for leg in legs for share in leg.shares.items()))
        return Result(to_world(displacement), moved, pushed, tuple(stops), tuple(links), shares)

    # --- M11: joint pushes --------------------------------------------------------------------------------------------

    def _push_jointly(self, displacements: dict[int, list[int]], legs: dict[int, list[Leg]], axis: int) -> None:
        """M11: let the motions that only lack force go on together along an axis, until none of them moves."""
        moved = True
        while moved:
            sets = self._pressing(displacements, legs, axis)
            moved = any(self._move_jointly(ids, displacements, legs, axis) for ids in sets)

    def _left(self, id: int, displacement: list[int], legs: list[Leg], axis: int) -> int:
        """Return the units of a request that are not done yet."""
        return displacement[axis] - sum(leg.shifts.get(self.roots[id], 0) for leg in legs if leg.axis == axis)

    def _pressing(self, displacements: dict[int, list[int]], legs: dict[int, list[Leg]], axis: int) -> list[list[int]]:
        """M11: return the bodies that press the same way on a common blocker, directly or through others."""
        unfinished, sets = dict[int, int](), list[tuple[set[tuple[int, int]], list[int]]]()
        for id in displacements:
            request = self._effective_request(self.bodies[id].request, {})
            if not request.all_or_nothing and self._left(id, displacements[id], legs[id], axis):
                unfinished.setdefault(self.roots[id], id)
        for id in sorted(unfinished.values(), key=lambda id: self._front_key(id, displacements[id], axis)):
            left = self._left(id, displacements[id], legs[id], axis)
            request = self._effective_request(self.bodies[id].request, {})
            leg = Leg(self, self._places(), self.roots[id], axis, left, request)
            if leg.shifts or not leg.stop or leg.stop[2] != "FORCE" or not leg.lacks_force:
                continue
            pressed = {(leg.sign, blocker) for blocker in leg.stop[5]}
            common = [each for each in sets if each[0] & pressed]
            sets = [each for each in sets if each not in common[1:]]
            if not common:
                sets.append((set(), []))
                common = sets[-1:]
            common[0][0].update(pressed, *(each[0] for each in common[1:]))
            common[0][1].extend([id, *(other for each in common[1:] for other in each[1])])
        return [ids for _, ids in sets if len(ids) > 1]

    def _places(self) -> dict[int, list[int]]:
        return {id: list(body.at) for id, body in self.bodies.items()}

    def _move_jointly(
        self, ids: list[int], displacements: dict[int, list[int]], legs: dict[int, list[Leg]], axis: int
    ) -> bool:
        """M11: move bodies on by the shortest of what is left, with the sum of their forces; return whether it did."""
        left = {id: self._left(id, displacements[id], legs[id], axis) for id in ids}
        requests = [self._effective_request(self.bodies[id].request, {}) for id in ids]
        chains = [request.max_chain for request in requests if request.max_chain is not None]
        rule = "sum" if any(request.rule == "sum" for request in requests) else "each"
        joint = Request(sum(request.force for request in requests), 0, rule, min(chains, default=None), False)
        roots = [self.roots[id] for id in ids]
        leg = Leg(self, self._places(), roots[0], axis, min(left.values(), key=abs), joint, roots[1:])
        if not leg.shifts:
            return False
        self._ride(leg, self._places())
        self._sweep(leg)
        for id, shift in leg.moved.items():
            self.bodies[id].at[axis] += shift
            self.bodies[id].position = to_world(self.bodies[id].at)
        for number, id in enumerate(ids):
            old = next(each for each in reversed(legs[id]) if each.axis == axis and each.stop)
            part = copy.copy(leg)
            part.mover, part.is_counted = roots[number], number == 0
            part.shares = {id: request.force for id, request in zip(ids, requests, strict=True)}
            part.shifts = {root: by for root, by in leg.shifts.items() if root == roots[number] or root not in roots}
            is_done = left[id] == leg.shifts[roots[number]]
            part.stop, old.stop = leg.stop or (None if is_done else old.stop), None
            legs[id].append(part)
            self.committed.append(part)
            if part.stop:
                done = displacements[id][axis] - self._left(id, displacements[id], legs[id], axis)
                part.stop = (*part.stop[:3], abs(done) / PER_UNIT, *part.stop[4:])
        return True

    def _remainder(self, id: int) -> list[tuple[Fraction, int]]:
        """L2: return the rounding remainder by axis, with the sign of its requests."""
        return self.remainders.setdefault(owner(self.bodies[id]), [(Fraction(0), 0)] * 3)

    def _take_request(self, id: int) -> list[int]:
        """L2: return the request in units, including the earlier remainder; store the new remainder."""
        request, remainder, displacement = self.bodies[id].request, self._remainder(id), [0, 0, 0]
        for axis, value in enumerate((request.dx, request.dy, request.dz)):
            if value:
                sign = 1 if value > 0 else -1
                exact = Fraction(value) + (remainder[axis][0] if remainder[axis][1] == sign else 0)
                displacement[axis] = units(exact)
                remainder[axis] = (exact - Fraction(displacement[axis], PER_UNIT), sign)
        request.dx = request.dy = request.dz = 0.0
        return displacement

    def _sort_key(self, id: int, displacement: list[int], axes: str) -> tuple[int, bool, int, int]:
        """P10: by priority; for front_first, up before down and the foremost leading face first; then by id.

        The leading face is that of any solid member (P8), or of any member if none is solid; the id is that of the
        mover.
        """
        if self.order == "sequential":
            return (-self.bodies[id].request.priority, False, 0, id)
        return self._front_key(id, displacement, "xyz".index(axes[0]))

    def _front_key(self, id: int, displacement: list[int], axis: int) -> tuple[int, bool, int, int]:
        """P10: return the order of front_first on an axis."""
        priority = -self.bodies[id].request.priority
        group, down = self.groups()[self.roots[id]], displacement[axis] < 0
        leading = [body for body in group if body.is_active(solid=True)] or group
        faces = [box[axis][0] if down else -box[axis][1] for body in leading for box in body.placed_boxes()]
        return (priority, down, min(faces), id)

    # --- The frame ----------------------------------------------------------------------------------------------------

    def step(self) -> list[tuple[Any, ...]]:
        """Run one frame: all motions, then the triggers. Return the events in the order of their delivery (T7)."""
        requesting = [body for body in self.bodies.values() if body.request.dx or body.request.dy or body.request.dz]
        displacements = {
            body.id: self._take_request(body.id) for body in sorted(requesting, key=lambda body: -body.request.priority)
        }
        legs: dict[int, list[Leg]] = {id: [] for id in displacements}
        for axes in [self.axis_order] if self.order == "sequential" else self.axis_order:
            for id in sorted(displacements, key=lambda id: self._sort_key(id, displacements[id], axes)):
                legs[id] += self._commit(self._legs(id, displacements[id], axes, {}))
            for axis in axes if self.forces == "add" else "":
                self._push_jointly(displacements, legs, "xyz".index(axis))
        for mover in displacements:
            for leg in (leg for leg in legs[mover] if leg.stop):
                remainder = self._remainder(mover)
                remainder[leg.axis] = (Fraction(0), leg.sign)
        self.results = {id: self._result_of(id, displacements[id], legs[id]) for id in displacements}
        self.frame += 1
        events = [
            *self._motion_events(), *self._overlap_events(), *self._trigger_events(), *self._contact_events(),
        ]  # fmt: skip
        self.committed, self.paths, self.crossings = [], {}, []
        self.undecided, self.close_paths = self.close_paths, set()
        return events

    def _motion_events(self) -> list[tuple[Any, ...]]:
        """T10: return the net motion of the frame for every body and every pair of pushed and mover.

        Zero gives no event. Groups are named by the roots they had when they moved.
        """
        movers = {leg.mover for leg in self.committed}
        counted = [leg for leg in self.committed if leg.is_counted]
        by = {id: net((leg.axis, leg.shifts) for leg in counted if leg.mover == id) for id in movers}
        moved = [((id,), displacement) for id, displacement in net((leg.axis, leg.moved) for leg in counted).items()]
        pushed = [
            ((other, id), displacement)
            for id, shifts in by.items()
            for other, displacement in shifts.items()
            if other != id
        ]
        events: list[tuple[Any, ...]] = []
        for kind, group_events in (("Moved", moved), ("Pushed", sorted(pushed))):
            for entities, displacement in group_events:
                events += [(kind, *entities, to_world(displacement))] if any(displacement) else []
        for leg in sorted(self.committed, key=lambda leg: (leg.mover, leg.axis)):
            if leg.stop:
                axis, blocker, reason, _, direction, blockers = leg.stop
                events.append(("Blocked", leg.mover, blocker, axis, reason, direction, blockers))
        crushed = {(id, leg.mover) for leg in self.committed for id in leg.crushed}
        events += [("Crushed", *pair) for pair in sorted(crushed)]
        events += [("Crossed", *pair) for pair in sorted(self.crossings, key=lambda pair: pair[0])]
        return events

    # --- T: overlaps and triggers -------------------------------------------------------------------------------------

    def report_overlaps(self, reports: bool) -> None:
        """T11: begin or end to report solid bodies that begin to overlap; in the first frame no pair is known."""
        self.overlaps = (self._overlaps_now() if self.frame else {}) if reports else None

    def _overlaps_now(self) -> dict[tuple[int, int], tuple[int, int]]:
        """T11, P14: return the groups whose bodies overlap and may meet, by their roots, and the births of these."""
        found = {}
        solid = [body for body in self.bodies.values() if body.is_active(solid=True)]
        for one, two in itertools.combinations(solid, 2):
            a, b = sorted((self.roots[one.id], self.roots[two.id]))
            is_pair = a != b and self.may_meet(one, two) and not (one.static and two.static)
            is_pair = is_pair and not (one.is_one_way() or two.is_one_way())
            if is_pair and self._overlap(one, [two]):
                found[a, b] = (self.bodies[a].birth, self.bodies[b].birth)
        return found

    def _overlap_events(self) -> list[tuple[Any, ...]]:
        """T11: compare which solid bodies overlap with the last frame."""
        if self.overlaps is None:
            return []
        before, self.overlaps = self.overlaps, self._overlaps_now()
        begun = sorted(pair for pair, births in self.overlaps.items() if before.get(pair) != births)
        return [("Overlapped", *pair) for pair in begun]

    def _end_reason(self, pair: tuple[int, int], births: tuple[int, int]) -> str | None:
        """T3, T6, E3, E9: return why a trigger cannot report a body or group at any position, None if it can."""
        trigger, other = self.bodies.get(pair[0]), self.bodies.get(pair[1])
        if not trigger or not other or not trigger.trigger or births != (trigger.birth, other.birth):
            return "DELETED"
        if not trigger.is_active() or not other.is_active():
            return "DISABLED"
        return None if self._reported(trigger, other) else "FILTERED"

    def _reported(self, trigger: Body, named: Body) -> list[Body]:
        """T6: return all bodies that a trigger reports under one id, at any position.

        A trigger is named by its own id, a solid body by its root. A root that is a trigger stands for both.
        """
        bodies = [
            body for body in self.bodies.values() if named.id == (body.id if body.trigger else self.roots[body.id])
        ]
        return [body for body in bodies if self._reports(trigger, body)]

    def _reports(self, trigger: Body, body: Body) -> bool:
        """T6, E9: return whether a trigger reports a body at any position; never one of its own group."""
        settings, apart = trigger.trigger, self.roots[trigger.id] != self.roots[body.id]
        if not settings or not trigger.is_active() or not body.is_active() or not apart:
            return False
        if body.static and not settings.statics:
            return False
        return not body.trigger if settings.mask is None else body.layer in settings.mask

    def _trigger_pairs(self) -> Iterator[tuple[Body, Body, Trigger]]:
        """Yield each trigger with each other body, by ids."""
        for trigger, other in itertools.permutations(self.bodies.values(), 2):
            if trigger.trigger:
                yield trigger, other, trigger.trigger

    def _sweep(self, leg: Leg) -> None:
        """T4: record whether a swept trigger and the bodies it reports overlap along this leg.

        A group has its current name, and is inside if any member is. What is turned and too close to call does not
        overlap here, but the pair is noted: float64 decides it, which is not modelled.
        """
        for trigger, other, settings in self._trigger_pairs():
            displacement = leg.moved.get(other.id, 0) - leg.moved.get(trigger.id, 0)
            if displacement and settings.swept and (bodies := self._reported(trigger, other)):
                key = ((trigger.id, other.id), (trigger.birth, other.birth))
                before, parts = self.paths.get(key, []), (trigger.placed_parts(), parts_of(bodies))
                path = states_on_path(*parts, leg.axis, displacement, settings.touching)
                if any(part.rows for part in (*parts[0], *parts[1])):
                    other_path = states_on_path(*parts, leg.axis, displacement, settings.touching, BAND)
                    is_close = _changes(path) != _changes(other_path)
                    self.close_paths |= {key[0]} if is_close else set()
                # A path that never overlaps the trigger is no crossing, also after a teleport; but a path that turns
                # where parts abut has left the trigger there.
                if any(path) or (any(before[-1:]) and shapes_overlap(*parts, touching=True)):
                    self.paths[key] = before + path

    def _trigger_events(self) -> list[tuple[Any, ...]]:
        """T1 to T5: compare who is in which trigger with the last frame."""
        left, entered, stayed, crossings = (list[tuple[Any, ...]]() for _ in range(4))
        for pair, (births, _) in list(self.contacts.items()):
            if self._end_reason(pair, births) == "DELETED":
                left.append(("TriggerLeft", *pair, "DELETED"))
                del self.contacts[pair]
        for trigger, other, settings in self._trigger_pairs():
            pair = (trigger.id, other.id)
            before, after, end_reason, path = self._contact(trigger, other, settings)
            out, into = ("TriggerLeft", *pair, "MOVED"), ("TriggerEntered", *pair)
            if before and not after:
                left.append((*out[:3], end_reason or "MOVED"))
            entered += [into] if after and not before else []
            stayed += [("TriggerStayed", *pair)] if before and after and settings.stay else []
            changes = sum(a != b for a, b in itertools.pairwise([before, *path, after]))
            crossings += ([out, into] if after else [into, out]) * (changes // 2)
            if changes > 1 and end_reason:
                crossings[-1] = (*out[:3], end_reason)  # T3: the last event has the reason of the end
        return [*sorted(left), *entered, *stayed, *crossings]

    def _contact(self, trigger: Body, other: Body, settings: Trigger) -> tuple[bool, bool, str | None, list[bool]]:
        """T2, T5: return whether the contact existed, whether it exists, its end reason, and its states on the way.

        A lingering contact counts as existing. Its end is fixed when it is lost, by the `linger` of that time.
        """
        pair, births = (trigger.id, other.id), (trigger.birth, other.birth)
        was, end_reason, path = (
            self.contacts.pop(pair, None),
            self._end_reason(pair, births),
            self.paths.get((pair, births), []),
        )
        bodies = [] if end_reason else self._reported(trigger, other)
        seen = self._overlap(trigger, bodies, settings.touching)
        inside, until = was is not None and was[1] is None, was[1] if was else None
        if settings.linger or until is not None:
            came_in = any(now and not before for before, now in itertools.pairwise([inside, *path]))
            until = self.frame - (not came_in) + settings.linger if inside or (came_in and settings.linger) else until
            path = [came_in] if end_reason else []
        lingering = not seen and not end_reason and until is not None and self.frame <= until
        if seen or lingering:
            self.contacts[pair] = (births, None if seen else until)
        return was is not None, seen or lingering, end_reason, path

    # --- C: contacts --------------------------------------------------------------------------------------------------

    def _contact_events(self) -> list[tuple[Any, ...]]:
        """C1, C3: compare what each asking body touches with the last frame."""
        before, self.solid_contacts = self.solid_contacts, {}
        met = {pair: bodies for one in self.bodies.values() for pair, bodies in self._in_contact(one).items()}
        ended, began = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
        for pair, (births, until) in sorted(before.items()):
            reason = self._contact_end_reason(pair, births)
            if reason is None and pair in met:
                self.solid_contacts[pair] = (births, None)
                continue
            settings = self.bodies[pair[0]].contact if reason is None else None
            if settings and until is None:  # T5: fixed when it is lost
                until = self.frame - 1 + settings.linger
            if until is not None and reason is None and self.frame <= until:
                self.solid_contacts[pair] = (births, until)
                continue
            ended.append(("ContactEnded", *pair, reason or "MOVED"))
        for pair, bodies in sorted(met.items()):
            if pair not in self.solid_contacts:
                one, other = (self.bodies[id] for id in pair)
                self.solid_contacts[pair] = ((one.birth, other.birth), None)
                began.append(("ContactBegan", *pair, self._normals(one, bodies) if bodies else None))
        return [*ended, *began]

    def _contact_end_reason(self, pair: tuple[int, int], births: tuple[int, int]) -> str | None:
        """C3: return why an asking body cannot be in contact with a body or group at any position, None if it can."""
        one, other = self.bodies.get(pair[0]), self.bodies.get(pair[1])
        if not one or not other or not one.contact or births != (one.birth, other.birth):
            return "DELETED"
        if not one.is_active() or not other.is_active():
            return "DISABLED"
        return None if self._partners(one, other) else "FILTERED"

    def _partners(self, one: Body, named: Body) -> list[Body]:
        """C2: return the bodies of a group that may be in contact with an asking body, at any position, by ids.

        A group is named by its root, also if that is a trigger.
        """
        return [
            body
            for body in self.bodies.values()
            if self.roots[body.id] == named.id and self._may_be_in_contact(one, body)
        ]

    def _may_be_in_contact(self, one: Body, body: Body) -> bool:
        """C2: return whether an asking body reports a body, at any position."""
        settings = one.contact
        if one is body or not settings or not one.is_active(solid=True) or not body.is_active(solid=True):
            return False
        own, meet = self.roots[one.id] == self.roots[body.id], self.may_meet(one, body)
        in_mask = settings.mask is None or body.layer in settings.mask
        return not own and meet and in_mask and not (one.static and body.static)

    def may_meet(self, one: Body, two: Body) -> bool:
        """P14, M9: return whether the layer of each body is in the mask of the other, and they do not pass."""
        return frozenset((one.id, two.id)) not in self.passing and all(
            a.mask is None or b.layer in a.mask for a, b in ((one, two), (two, one))
        )

    def _in_contact(self, one: Body) -> dict[tuple[int, int], list[Body]]:
        """C1, C2: return the bodies that touch or overlap an asking body, by ids, under the names of their groups.

        Those are none of a group that is only held by steps of dynamics.
        """
        found: dict[tuple[int, int], list[Body]] = {}
        for body in self.bodies.values() if one.contact else ():
            if not self._may_be_in_contact(one, body):
                continue
            if one.is_one_way() or body.is_one_way():
                meets = bool(self._in_front(one, body))
            else:
                meets = self._overlap(one, [body], nearly=True)
            if meets or self.is_held(one.id, body.id):
                found.setdefault((one.id, self.roots[body.id]), []).extend([body] if meets else [])
        return found

    def _normals(self, one: Body, met: Sequence[Body]) -> Normals:
        """C4: return the normals that a contact may have; of a group the member with the lowest id counts."""
        mine, parts = one.placed_parts(), met[0].placed_parts()
        if one.is_one_way() or met[0].is_one_way():
            p, q = self._in_front(one, met[0])[0]
            return normals_of([p], [q])
        return normals_of(mine, parts)

    def _in_front(self, one: Body, two: Body) -> list[tuple[Shape, Shape]]:
        """M5: return the parts that touch, each on the side of the other's direction, and let nothing pass."""
        mine, others = one.placed_parts(), two.placed_parts()
        return [
            (p, q)
            for p, q in itertools.product(mine, others)
            if shapes_touch(p, q)
            and not (
                one.is_one_way() and (one.one_way not in sides_of([p], [q]) or shapes_overlap([p], others) is True)
            )
            and not (two.is_one_way() and (two.one_way not in sides_of([q], [p]) or shapes_overlap([q], mine) is True))
        ]

    # --- Queries ------------------------------------------------------------------------------------------------------

    def inside(self, trigger: int) -> list[int]:
        """Return the bodies in a trigger at the end of the last frame that still exist, including lingering ones."""
        alive = [pair for pair, (births, _) in self.contacts.items() if self._end_reason(pair, births) != "DELETED"]
        return sorted(other for own, other in alive if own == trigger)

    def contacts_of(self, id: int) -> list[int]:
        """C5: return what an asking body is in contact with at the end of the last frame, including lingering ones."""
        return sorted(
            pair[1]
            for pair, (births, _) in self.solid_contacts.items()
            if pair[0] == id and self._contact_end_reason(pair, births) != "DELETED"
        )

    def pairs(self) -> list[tuple[int, int]]:
        """Return pairs of solid bodies that overlap now, in any layers but in different groups."""
        solid = [body for body in self.bodies.values() if body.is_active(solid=True)]
        found = [(a.id, b.id) for a, b in itertools.combinations(solid, 2) if self._in_different_groups(a, b)]
        return [(a, b) for a, b in found if self._overlap(self.bodies[a], [self.bodies[b]])]

    def touching(self, id: int) -> list[int]:
        """Return the solid bodies that touch a body now, in any layers but in other groups.

        A disabled body is tested with the boxes it would have, and its group counts as another one (E9).
        """
        me = self.bodies[id]
        solid = [
            body for body in self.bodies.values() if body.is_active(solid=True) and self._in_different_groups(me, body)
        ]
        mine = me.placed_parts()
        return [body.id for body in solid if any(shapes_nearly(a, b) for a in mine for b in body.placed_parts())]

    def touching_on(self, id: int, side: tuple[int, int]) -> list[int]:
        """C5: return the bodies of `touching` that touch a body on a side, (axis, 1 or -1)."""
        mine = self.bodies[id].placed_parts()
        return [other for other in self.touching(id) if side in sides_of(mine, self.bodies[other].placed_parts())]

    def _overlap(self, a: Body, others: Sequence[Body], touching: bool = False, nearly: bool = False) -> bool:
        """H5: return whether a body overlaps any of others, or touches it if that counts, by their true shapes.

        What is turned and too close to call is decided by `close_call`: float64 decides it, which is not modelled.
        """
        for body in others:
            answer = shapes_overlap(a.placed_parts(), body.placed_parts(), touching, nearly)
            if self.close_call(a.id, body.id) if answer is None else answer:
                return True
        return False

    def _in_different_groups(self, a: Body, b: Body) -> bool:
        """Return whether two bodies are in different groups."""
        return self.roots[a.id] != self.roots[b.id]

    # --- N: snapshots -------------------------------------------------------------------------------------------------

    def snapshot(self) -> Model:
        """N1: return an independent copy for `restore`."""
        copied = copy.copy(self)
        copied.bodies = {id: body.copy() for id, body in self.bodies.items()}
        copied.contacts, copied.paths, copied.committed = dict(self.contacts), dict(self.paths), list(self.committed)
        copied.solid_contacts, copied.close_paths = dict(self.solid_contacts), set(self.close_paths)
        copied.passing, copied.crossings = dict(self.passing), list(self.crossings)
        copied.remainders = {key: list(values) for key, values in self.remainders.items()}
        return copied

    def restore(self, saved: Model, bodies: Iterable[Body]) -> None:
        """N1: return to a snapshot. `bodies` are the current ones, with their current instances."""
        then = saved.snapshot()
        self.contacts, self.paths = then.contacts, then.paths
        self.committed, self.results = then.committed, then.results
        self.solid_contacts, self.close_paths = then.solid_contacts, then.close_paths
        self.passing, self.crossings = then.passing, then.crossings
        self.frame, self.births = then.frame, then.births
        self.bodies = {body.id: self._read(body) for body in sorted(bodies, key=lambda body: body.id)}
        for id, body in self.bodies.items():
            body.birth = then.bodies[id].birth
            self.remainders.pop(owner(body), None)
            if owner(then.bodies[id]) in then.remainders:
                self.remainders[owner(body)] = then.remainders[owner(then.bodies[id])]
        self.roots = roots_of(self.bodies)
        if self.overlaps is not None and then.overlaps is None:
            self.report_overlaps(True)
        elif self.overlaps is not None and then.overlaps is not None:
            self.overlaps = dict(then.overlaps)
