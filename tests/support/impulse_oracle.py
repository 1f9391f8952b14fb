"""The step of rules I2 to I6, slow and readable: bodies of one box or ball each that do not turn.

Written from the rules alone. Positions are whole lattice units, velocities floats in units per second. Shapes and
normals are those of the reference model. Every pair is tested, and nothing is remembered but what a rule names.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ecs_collision import BoxCollider, CollisionWorld, SphereCollider
from ecs_collision.components import Parts
from tests.model.normals import depth_of, normals_of
from tests.model.shapes import (
    BITS,
    Given,
    Shape,
    are_flat,
    closest_on_line,
    overlap,
    shape_of,
    square_of_gaps,
    touch,
)

UNIT = 2**16
"""Lattice units in one world unit."""

QUANTUM = 2.0**-48
"""Velocities are multiples of it (I3), in units per second."""

Floats = tuple[float, float, float]


@dataclass
class Ball:
    """A box, a circle or a sphere. inverse_mass 0: immovable; then `velocity` is that of its surface (I1)."""

    id: int
    shape: Shape
    position: list[int]
    velocity: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    inverse_mass: float = 0.0
    restitution: float = 0.0
    friction: float = 0.5
    remainder: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    layer: str = "default"
    mask: frozenset[str] | None = None

    @property
    def is_dynamic(self) -> bool:
        return self.inverse_mass > 0.0

    def placed(self) -> Shape:
        return self.shape.at(self.position)


@dataclass
class Touch:
    """A contact of two bodies, a before b by id. gap: how far they may still approach along the normal, in units.

    total: the sum of the normal impulses of the substep, rubbed: that of the friction impulses.
    """

    a: Ball
    b: Ball
    normal: Floats
    gap: float
    total: float = 0.0
    rubbed: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    before: float = 0.0
    layer: int = 0

    @property
    def key(self) -> tuple[int, int]:
        return self.a.id, self.b.id

    def speeds(self) -> list[float]:
        """Return the speed of b relative to a."""
        return [y - x for x, y in zip(self.a.velocity, self.b.velocity, strict=True)]

    def approach(self) -> float:
        """Return the speed of b relative to a along the normal: negative if they approach."""
        return sum(n * v for n, v in zip(self.normal, self.speeds(), strict=True))


@dataclass
class Oracle:
    """A world of such bodies. `kept` has the impulses of the last substep (I8)."""

    bodies: list[Ball]
    gravity: Floats = (0.0, 0.0, 0.0)
    substeps: int = 4
    iterations: int = 8
    kept: dict[tuple[int, int], tuple[float, list[float]]] = field(default_factory=dict)
    contacts: list[Touch] = field(default_factory=list)
    met: set[int] = field(default_factory=set)
    """The bodies that were in a contact in the last step."""
    crowded: set[int] = field(default_factory=set)
    """Those of a set in which a body was in several contacts, overlapped another or was nearly in contact with it.

    For them order and rounding count.
    """

    def step(self, dt: float) -> None:
        """I2: run one step."""
        self.met, self.crowded = set(), set()
        for _ in range(self.substeps):
            self._substep(dt / self.substeps)

    def _substep(self, h: float) -> None:
        for body in self.bodies:
            if body.is_dynamic:
                body.velocity = [quantised(v + g * h) for v, g in zip(body.velocity, self.gravity, strict=True)]
        self.contacts = [self._contact(a, b) for a, b in self._pairs() if meets(a.placed(), b.placed())]
        known = {each.key for each in self.contacts}
        near = [(a, b) for a, b in self._pairs() if (a.id, b.id) not in known and is_near(a.placed(), b.placed())]
        self.crowded |= {body.id for pair in near for body in pair if body.is_dynamic}
        for each in self.contacts:
            each.before = each.approach()
            each.total, each.rubbed = self.kept.get(each.key, (0.0, [0.0, 0.0, 0.0]))
            each.rubbed = list(each.rubbed)
        starts = {body.id: list(body.velocity) for body in self.bodies}
        for each in self.contacts:
            impulse = [each.total * n + r for n, r in zip(each.normal, each.rubbed, strict=True)]
            apply([(each, impulse)])
        self._solve(h)
        ahead = list(self._ahead(h))
        for each in ahead:
            each.before = sum(
                n * (y - x) for n, x, y in zip(each.normal, starts[each.a.id], starts[each.b.id], strict=True)
            )
        if ahead:
            self.contacts += ahead
            self._solve(h, self._sets_of(ahead))
        for body in self.bodies:
            self._move(body, h)
        self._bounce(h)
        self._separate()
        self._note()
        self.kept = {each.key: (each.total, each.rubbed) for each in self.contacts}

    def _pairs(self) -> Iterable[tuple[Ball, Ball]]:
        """P14: yield the pairs that may meet, of which at least one is dynamic."""
        for a, b in itertools.combinations(sorted(self.bodies, key=lambda body: body.id), 2):
            meet = all(x.mask is None or y.layer in x.mask for x, y in ((a, b), (b, a)))
            if meet and (a.is_dynamic or b.is_dynamic):
                yield a, b

    def _contact(self, a: Ball, b: Ball) -> Touch:
        normal, _ = normals_of([a.placed()], [b.placed()]).candidates[0]
        return Touch(a, b, normal, 0.0)

    def _note(self) -> None:
        """Note which bodies met one another, and which were in sets with several contacts of a body."""
        dynamic = {body.id for body in self.bodies if body.is_dynamic}
        ends = [body.id for each in self.contacts for body in (each.a, each.b) if body.id in dynamic]
        self.met |= set(ends)
        several = {id for id in ends if ends.count(id) > 1 or id in self.crowded}
        busy = [each for each in self.contacts if {each.a.id, each.b.id} & several]
        self.crowded |= self._sets_of(busy)

    # I3: solving.

    def _layers(self) -> list[list[Touch]]:
        """I3: return the contacts by layer, from the immovable up; those that nothing immovable holds come last."""
        distance = {body.id: 0 for body in self.bodies if not body.is_dynamic}
        while True:
            found = {}
            for each in self.contacts:
                for one, two in ((each.a, each.b), (each.b, each.a)):
                    if one.id in distance and two.id not in distance:
                        found[two.id] = min(distance[one.id] + 1, found.get(two.id, 10**9))
            if not found:
                break
            least = min(found.values())
            distance |= {id: steps for id, steps in found.items() if steps == least}
        layers: dict[int, list[Touch]] = {}
        for each in self.contacts:
            each.layer = max(distance.get(each.a.id, 10**9), distance.get(each.b.id, 10**9))
            layers.setdefault(each.layer, []).append(each)
        return [layers[number] for number in sorted(layers)]

    def _sets_of(self, chosen: Sequence[Touch]) -> set[int]:
        """Return the dynamic bodies that contacts join to those of the chosen contacts."""
        found = {body.id for each in chosen for body in (each.a, each.b) if body.is_dynamic}
        while True:
            joined = [each for each in self.contacts if {each.a.id, each.b.id} & found]
            more = {body.id for each in joined for body in (each.a, each.b) if body.is_dynamic}
            if more <= found:
                return found
            found |= more

    def _solve(self, h: float, only: set[int] | None = None) -> None:
        """I3: solve all contacts, or those of some bodies."""
        layers = [[each for each in layer if only is None or {each.a.id, each.b.id} & only] for layer in self._layers()]
        for number in range(self.iterations):
            for layer in layers if number % 2 == 0 else reversed(layers):
                counts = self._counts(layer)
                impulses = []
                for each in layer:
                    k = share(each, counts)
                    total = max(0.0, each.total - (each.approach() + each.gap / h) / k)
                    impulses.append((each, [(total - each.total) * n for n in each.normal]))
                    each.total = total
                apply(impulses)
                apply([(each, self._friction(each, share(each, counts))) for each in layer])

    def _counts(self, layer: Sequence[Touch]) -> dict[int, int]:
        """I3: return c, the number of contacts of the layer that each body is in."""
        counts: dict[int, int] = {}
        for each in layer:
            for body in (each.a, each.b):
                counts[body.id] = counts.get(body.id, 0) + 1
        return counts

    def _friction(self, each: Touch, k: float) -> list[float]:
        """I3: return the impulse that takes away the sliding speed, as far as Coulomb's law allows."""
        most = math.sqrt(each.a.friction * each.b.friction) * each.total
        approach, speeds = each.approach(), each.speeds()
        sliding = [v - approach * n for v, n in zip(speeds, each.normal, strict=True)]
        wanted = [r - v / k for r, v in zip(each.rubbed, sliding, strict=True)]
        length = math.sqrt(sum(w * w for w in wanted))
        if length > most:
            wanted = [w * (most / length) for w in wanted]
        change = [w - r for w, r in zip(wanted, each.rubbed, strict=True)]
        each.rubbed = wanted
        return change

    # I2: looking ahead.

    def _ahead(self, h: float) -> Iterable[Touch]:
        """Yield contacts of pairs that would begin to overlap within the displacement of this substep."""
        known = {each.key for each in self.contacts}
        for a, b in self._pairs():
            if (a.id, b.id) in known:
                continue
            way = [y - x for x, y in zip(displacement(a, h), displacement(b, h), strict=True)]
            met = cast(a.placed(), b.placed(), way)
            if met is not None:
                yield Touch(a, b, met[0], met[1] / UNIT)

    # I4 to I6.

    def _move(self, body: Ball, h: float) -> None:
        """I5: move by whole units and keep the remainder, but not on an axis on which a contact stops the body."""
        if not body.is_dynamic:
            return
        for each in self.contacts:
            if body in (each.a, each.b) and each.total > 0.0:
                for axis, (n, r) in enumerate(zip(each.normal, each.rubbed, strict=True)):
                    if (n or r) and (body.velocity[axis] == 0.0 or (n and each.gap > 0.0)):
                        body.remainder[axis] = 0.0
        for axis, (steps, v) in enumerate(zip(displacement(body, h), body.velocity, strict=True)):
            body.remainder[axis] = v * h * UNIT + body.remainder[axis] - steps
            body.position[axis] += steps

    def _bounce(self, h: float) -> None:
        """I4: make bodies that approached fast enough part again, and slower ones stop."""
        fast = 2 * math.sqrt(sum(g * g for g in self.gravity)) * h
        for layer in self._layers():
            counts, impulses = self._counts(layer), []
            for each in layer:
                restitution = max(each.a.restitution, each.b.restitution) if -each.before > fast else 0.0
                impulse = (-restitution * each.before - each.approach()) / share(each, counts)
                if each.total > 0.0 and impulse > 0.0:
                    impulses.append((each, [impulse * n for n in each.normal]))
            apply(impulses)

    def _separate(self) -> None:
        """I6: move bodies that overlap apart; the one nearer to what is immovable counts as immovable."""
        self._layers()
        for a, b in self._pairs():
            if overlap(a.placed(), b.placed()):
                self.crowded |= {a.id, b.id}
                depth = depth_of(a.placed(), b.placed(), are_flat([a.placed()], [b.placed()]))
                normal, _ = normals_of([a.placed()], [b.placed()]).candidates[0]
                total = a.inverse_mass + b.inverse_mass
                for body, sign in ((a, -1), (b, 1)):
                    by = depth * body.inverse_mass / total
                    for axis, n in enumerate(normal):
                        body.position[axis] += int(math.copysign(math.ceil(abs(by * n)), sign * n)) if n else 0


def quantised(speed: float) -> float:
    """I3: return a speed as a multiple of 2^-48, towards 0."""
    return math.trunc(Fraction(speed) / Fraction(QUANTUM)) * QUANTUM


def share(each: Touch, counts: dict[int, int]) -> float:
    """I3: return k, the sum of the inverse masses, each times the number of contacts."""
    return each.a.inverse_mass * counts[each.a.id] + each.b.inverse_mass * counts[each.b.id]


def apply(impulses: Iterable[tuple[Touch, Sequence[float]]]) -> None:
    """I3: change velocities by whole multiples of 2^-48, rounded towards 0."""
    for each, impulse in impulses:
        for body, sign in ((each.a, -1), (each.b, 1)):
            if body.is_dynamic:
                body.velocity = [
                    v + quantised(sign * i * body.inverse_mass) for v, i in zip(body.velocity, impulse, strict=True)
                ]


def displacement(body: Ball, h: float) -> list[int]:
    """I5: return the displacement of a substep in units, rounded half away from zero, with the remainder."""
    if not body.is_dynamic:
        return [0, 0, 0]
    return [away(v * h * UNIT + r) for v, r in zip(body.velocity, body.remainder, strict=True)]


def away(value: float) -> int:
    """Return the nearest whole number, halves away from zero."""
    return int(math.copysign(math.floor(Fraction(abs(value)) + Fraction(1, 2)), value))


def meets(a: Shape, b: Shape) -> bool:
    """Return whether two parts touch or overlap (L4, H5)."""
    return touch(a, b) or bool(overlap(a, b))


def cast(a: Shape, b: Shape, way: Sequence[int]) -> tuple[Floats, float] | None:
    """H8: return the normal, from a to b, and the gap along it if b, moved along a way, begins to overlap a."""
    if not any(way):
        return None
    return _cast_round(a, b, way) if a.radius or b.radius else _cast_boxes(a, b, way)


def _cast_boxes(a: Shape, b: Shape, way: Sequence[int]) -> tuple[Floats, float] | None:
    enters: list[tuple[Fraction, int]] = []
    leaves = Fraction(1)
    for axis, step in enumerate(way):
        apart, past = a.low[axis] - b.high[axis], a.high[axis] - b.low[axis]
        if step == 0:
            if not apart < 0 < past:
                return None
            continue
        first, last = sorted((Fraction(apart, step), Fraction(past, step)))
        enters.append((first, axis))
        leaves = min(leaves, last)
    when = max(first for first, _ in enters)
    if when >= leaves or when < 0:
        return None
    axis = min(axis for first, axis in enters if first == when)
    normal = [0.0, 0.0, 0.0]
    normal[axis] = -1.0 if way[axis] > 0 else 1.0
    gap = b.low[axis] - a.high[axis] if normal[axis] > 0 else a.low[axis] - b.high[axis]
    return (normal[0], normal[1], normal[2]), float(gap)


def _cast_round(a: Shape, b: Shape, way: Sequence[int]) -> tuple[Floats, float] | None:
    """The gap of the cores is convex along the way, so it falls until they are nearest."""
    low = tuple(x - y for x, y in zip(a.low, b.high, strict=True))
    high = tuple(x - y for x, y in zip(a.high, b.low, strict=True))
    radius = a.radius + b.radius
    nearest = closest_on_line(triple(low), triple(high), (0, 0, 0), triple(way), Fraction(1))

    def gaps(when: Fraction) -> list[Fraction]:
        place = [when * step for step in way]
        return [max(p - y, 0) - max(x - p, 0) for x, y, p in zip(low, high, place, strict=True)]

    if sum(g * g for g in gaps(nearest)) >= radius * radius:
        return None
    first, last = Fraction(0), nearest
    for _ in range(BITS):
        middle = (first + last) / 2
        first, last = (first, middle) if sum(g * g for g in gaps(middle)) < radius * radius else (middle, last)
    apart = gaps(first)
    length = math.sqrt(sum(g * g for g in apart))
    normal = [float(g) / length for g in apart]
    gap = -float(first) * sum(n * step for n, step in zip(normal, way, strict=True))
    return (normal[0], normal[1], normal[2]), gap


def triple(values: Sequence[int]) -> tuple[int, int, int]:
    """Return three whole numbers."""
    x, y, z = values
    return x, y, z


MARGIN = 4
"""Parts that touched, or nearly, may be in contact while they are so many units apart, so that piles come to rest."""


def is_near(a: Shape, b: Shape) -> bool:
    """Return whether two parts are within the margin."""
    return square_of_gaps(a, b) <= (a.radius + b.radius + MARGIN) ** 2


def oracle_of(world: CollisionWorld, bodies: Iterable[int], **settings: Any) -> Oracle:
    """Return an oracle of bodies of a world: boxes and balls that do not turn, in no group."""
    world.apply_changes()
    parts = {id: world.bodies.of(world.bodies.row(id)) for id in sorted(bodies)}
    found = [_ball(id, each) for id, each in parts.items() if each.trigger is None]
    return Oracle(found, **settings)


def _ball(id: int, parts: Parts) -> Ball:
    transform, collider = parts.transform, parts.collider
    assert transform is not None and isinstance(collider, BoxCollider | SphereCollider)
    if isinstance(collider, BoxCollider):
        given = Given("box", (collider.hx, collider.hy, collider.hz), offset=collider.offset)
    else:
        given = Given("sphere", radius=collider.radius, offset=collider.offset)
    velocity, mass, material = parts.velocity, parts.mass, parts.material
    is_dynamic = velocity is not None and mass is not None and parts.static is None and parts.fused is None
    return Ball(
        id, shape_of(given), [round(at * UNIT) for at in transform.position],
        [velocity.x, velocity.y, velocity.z] if velocity is not None else [0.0, 0.0, 0.0],
        1.0 / mass.value if is_dynamic and mass is not None else 0.0,
        material.restitution if material is not None else 0.0, material.friction if material is not None else 0.5,
        layer=collider.layer, mask=collider.mask,
    )  # fmt: skip
