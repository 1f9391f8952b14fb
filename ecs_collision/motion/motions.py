"""One motion at a time: planned axis by axis, committed once (rules P1, P5, P16).

`plan` leaves the planner holding the displacements; the caller commits or cancels. Between the two nothing
observable has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.table import to_floats
from ecs_collision.events import Reason
from ecs_collision.kernels.columns import PUSHABLE, TRIGGER
from ecs_collision.kernels.planner import ASK, BOUNDS, CHAIN_LIMIT, FORCE, HOOK, IMMOVABLE, Planner
from ecs_collision.lattice import AXES, from_units
from ecs_collision.results import Link, MoveResult, Stop

Units = tuple[int, int, int]
Ask = Callable[[int, int, str, float], bool | None]

_REASONS = {
    FORCE: Reason.FORCE,
    IMMOVABLE: Reason.IMMOVABLE,
    CHAIN_LIMIT: Reason.CHAIN_LIMIT,
    HOOK: Reason.HOOK,
    BOUNDS: Reason.BOUNDS,
}


class Limits(Protocol):
    """What planning needs of a world's settings."""

    @property
    def overlap_policy(self) -> str:
        """The policy, "leave" or "block_deeper" (P9)."""

    @property
    def axis_order(self) -> Units:
        """The axes in the order they are done."""

    @property
    def low(self) -> Units:
        """The lower bounds in units."""

    @property
    def high(self) -> Units:
        """The upper bounds in units."""

    @property
    def range_low(self) -> int:
        """The least face the index holds."""

    @property
    def range_high(self) -> int:
        """The greatest face the index holds."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of one body: displacement in units, force and rules."""

    row: int
    units: Units
    force: float
    summing: bool
    max_chain: int
    all_or_nothing: bool


@dataclass(slots=True)
class Outcome:
    """What planning found, in units: per axis how far, who was pushed, what stopped it, and the legs in order."""

    order: Order
    moved: list[int] = field(default_factory=lambda: [0, 0, 0])
    stops: dict[int, Stop] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    legs: list[tuple[int, dict[int, int]]] = field(default_factory=list)

    def pushed(self) -> dict[int, list[int]]:
        """Return the displacement of every pushed row."""
        total: dict[int, list[int]] = {}
        for axis, moves in self.legs:
            for row, by in moves.items():
                if row != self.order.row:
                    total.setdefault(row, [0, 0, 0])[axis] += by
        return total


class Motions:
    """Plans and commits motions over one planner."""

    def __init__(self, bodies: Bodies, limits: Limits, ask: Ask | None) -> None:
        self._bodies = bodies
        self._limits = limits
        self._ask = ask
        self.planner = Planner(bodies.columns, bodies.dynamic, bodies.static, bodies.overlay)

    def plan(self, order: Order, axes: tuple[int, ...] | None = None) -> Outcome:
        """Plan a motion over `axes` (all, in the world's order); nothing is moved if the hook raises."""
        outcome = Outcome(order)
        asked = [axis for axis in (self._limits.axis_order if axes is None else axes) if order.units[axis]]
        self.planner.begin(order.row)
        try:
            for index, axis in enumerate(asked):
                self._plan_axis(outcome, axis, index + 1 < len(asked))
                if order.all_or_nothing and outcome.stops:
                    self._refuse(outcome, asked, axis)
                    break
        except BaseException:
            self.cancel()
            raise
        return outcome

    def cancel(self) -> None:
        """Forget the displacements of the last plan."""
        self.planner.displacements.forget()

    def commit(self) -> None:
        """Make the displacements of the last plan true; the caller reads `touched` first and cancels after."""
        self.planner.displacements.commit()

    def touched(self) -> list[tuple[int, Units]]:
        """Return (row, displacement in units) of every body the last plan displaces, by entity id."""
        displaced = self.planner.displacements
        rows, units = list(displaced.rows[: displaced.count]), displaced.units
        if len(rows) > 1:
            rows.sort(key=self._bodies.entity)
        return [(row, (units[3 * row], units[3 * row + 1], units[3 * row + 2])) for row in rows]

    def _plan_axis(self, outcome: Outcome, axis: int, more: bool) -> None:
        order, planner = outcome.order, self.planner
        if not self._bodies.columns.count[order.row]:
            self._drift(outcome, axis)
            return
        low, high = self._limits.low[axis], self._limits.high[axis]
        if self._bodies.has(order.row, TRIGGER):
            low, high = self._limits.range_low, self._limits.range_high
        deeper = self._limits.overlap_policy == "block_deeper"
        planner.start(
            axis,
            order.units[axis],
            order.force,
            order.summing,
            order.max_chain,
            deeper,
            self._ask is not None,
            low,
            high,
        )
        while planner.run() == ASK:
            planner.answer(self._verdict(axis, order.force))
        outcome.moved[axis] = planner.sign * planner.allowed
        if planner.reason:
            blocker = None if planner.blocker < 0 else self._bodies.entity(planner.blocker)
            outcome.stops[axis] = Stop(AXES[axis], blocker, _REASONS[planner.reason], from_units(planner.allowed))
        if planner.allowed:
            self._note_pushes(outcome, axis)
        planner.advance(more)

    def _verdict(self, axis: int, force: float) -> int:
        assert self._ask is not None
        entity, planner = self._bodies.entity, self.planner
        answer = self._ask(entity(planner.asked_pusher), entity(planner.asked_pushed), AXES[axis], force)
        return -1 if answer is None else int(answer)

    def _note_pushes(self, outcome: Outcome, axis: int) -> None:
        planner, row = self.planner, outcome.order.row
        moves = {row: planner.distance(row)}
        for at in range(planner.pushed_count):
            pushed = planner.pushed_rows[at]
            by = planner.distance(pushed)
            if by:
                moves[pushed] = by
        outcome.legs.append((axis, moves))
        if len(moves) > 1:
            outcome.links += self._links(axis, moves)

    def _links(self, axis: int, moves: dict[int, int]) -> list[Link]:
        """Return every pusher that attains the distance of a displaced body, by (pushed, pusher)."""
        planner, entity = self.planner, self._bodies.entity
        found: set[tuple[int, int, int]] = set()
        for at in range(planner.edge_count):
            pusher, pushed, gap = planner.edge_pushers[at], planner.edge_pushed[at], planner.edge_gaps[at]
            if pusher in moves and pushed in moves and abs(moves[pusher]) - gap == abs(moves[pushed]):
                found.add((entity(pushed), entity(pusher), gap))
        return [Link(pusher, pushed, AXES[axis], from_units(gap)) for pushed, pusher, gap in sorted(found)]

    def _drift(self, outcome: Outcome, axis: int) -> None:
        """Move a disabled body: it meets nobody, only the range of the index ends its way."""
        order = outcome.order
        collider = self._bodies.of(order.row).collider
        assert collider is not None
        by, at = order.units[axis], self._bodies.position(order.row)[axis]
        if by > 0:
            room = self._limits.range_high - at - max(box[axis + 3] for box in collider.boxes())
        else:
            room = at + min(box[axis] for box in collider.boxes()) - self._limits.range_low
        allowed = min(abs(by), room)
        if allowed < abs(by):
            outcome.stops[axis] = Stop(AXES[axis], None, Reason.BOUNDS, from_units(allowed))
        outcome.moved[axis] = allowed if by > 0 else -allowed
        if allowed:
            outcome.legs.append((axis, {order.row: outcome.moved[axis]}))
            self.planner.displacements.add(order.row, axis, outcome.moved[axis])

    def _refuse(self, outcome: Outcome, asked: list[int], failed: int) -> None:
        """Undo a motion that does not fit whole: the failed axis keeps its reason, the others get their own."""
        self.cancel()
        for axis in asked:
            if axis != failed:
                outcome.stops[axis] = Stop(AXES[axis], None, Reason.ALL_OR_NOTHING, 0.0)
        outcome.moved = [0, 0, 0]
        outcome.links.clear()
        outcome.legs.clear()

    def result(self, *outcomes: Outcome) -> MoveResult:
        """Return the MoveResult of a motion planned in one go, or axis by axis."""
        order, entity = outcomes[0].order, self._bodies.entity
        moved, requested = [0, 0, 0], order.units
        pushed: dict[int, list[int]] = {}
        stops: dict[int, Stop] = {}
        links: list[Link] = []
        for outcome in outcomes:
            moved = [a + b for a, b in zip(moved, outcome.moved, strict=True)]
            for row, by in outcome.pushed().items():
                old = pushed.get(row, [0, 0, 0])
                pushed[row] = [a + b for a, b in zip(old, by, strict=True)]
            stops.update(outcome.stops)
            links += outcome.links
        return MoveResult(
            entity(order.row),
            to_floats(*requested),
            to_floats(*moved),
            MappingProxyType(
                {entity(row): to_floats(*by) for row, by in sorted(pushed.items(), key=lambda i: entity(i[0]))}
            ),
            tuple(stops[axis] for axis in self._limits.axis_order if axis in stops),
            tuple(links),
            order.force,
            MappingProxyType(self._inertias(pushed, stops)),
        )

    def _inertias(
        self, pushed: dict[int, list[int]], stops: dict[int, Stop]
    ) -> dict[int, tuple[float, float, float] | None]:
        rows = list(pushed)
        rows += [self._bodies.row_of[stop.blocker] for stop in stops.values() if stop.blocker is not None]
        column = self._bodies.columns.inertia
        return {
            self._bodies.entity(row): (column[3 * row], column[3 * row + 1], column[3 * row + 2])
            if self._bodies.has(row, PUSHABLE)
            else None
            for row in rows
        }
