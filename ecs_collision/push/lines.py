# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Motions with responses (rule M9), axis by axis or straight (M10).

Axis by axis, the graph of pushes knows the responses of the mover. What it stops at or bounces off ends the straight
line: the motion is cut there, planned, and goes on from there. A straight motion is a sequence of casts.
"""

from __future__ import annotations

import math
from collections.abc import Callable

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import SOLID, Columns, GroupLinks
from ecs_collision.broadphase.protocol import Index
from ecs_collision.components import Mover, Response
from ecs_collision.events import Vector
from ecs_collision.fixed_point import LATTICE
from ecs_collision.push.graph import CROSSES, PUSHES, PushGraph
from ecs_collision.push.host import MotionHost
from ecs_collision.push.line_cast import LineCast, Met, Units, cut, facing, is_earlier
from ecs_collision.push.planner import MotionPlanner
from ecs_collision.results import BOUNDS, RESPONSE, Hit
from ecs_collision.settings import BLOCK_DEEPER, Settings

MAX_TURNS = 8
"""How often a motion bounces, slides or goes on (M9)."""

_CODES = {"push": PUSHES, "cross": CROSSES, "slide": 2, "stop": 2, "bounce": 2}
"""The responses as the graph of pushes has them."""

_AT_REST = (0, 0, 0)
_NO_NORMAL = (0.0, 0.0, 0.0)

_SOLID = cython.declare(cython.int, SOLID)  # a C copy: compiled code would look the name up as a Python object

Finish = Callable[[float], object]


@cython.final
@cython.cclass
class LineMotions:
    """Plans the motions of bodies with a Mover, straight motions, and all motions of a world with a `respond` hook."""

    def __init__(self, bodies: Bodies, settings: Settings, planner: MotionPlanner, host: MotionHost) -> None:
        self._bodies, self._host = bodies, host
        self._planner: MotionPlanner = planner
        self._graph: PushGraph = planner.graph
        self._columns: Columns = bodies.columns
        self._links: GroupLinks = bodies.group_links
        self._has_hook = settings.respond is not None
        self._block_deeper = settings.overlap_policy == BLOCK_DEEPER
        self._cast: LineCast = LineCast(bodies, settings)
        self._row = 0
        self._default: Response = "push"
        self._by_layer: dict[str, Response] = {}
        self._restitution = 1.0
        self._answers: dict[int, Response] = {}
        self._walked: list[int] = []

    def plan(self, row: cython.int, mover: Mover | None, straight: cython.bint, force: float, finish: Finish) -> None:
        """Plan the motion that the planner began; `finish(force)` plans the rest of it axis by axis."""
        if not self._begin(row, mover) and not straight:
            finish(force)
            return
        self._planner.begin_line()
        if straight:
            self._plan_straight()
        else:
            self._plan_by_axes(force, finish)
        self._note_begun()
        self._planner.end_line()

    def _begin(self, row: int, mover: Mover | None) -> bool:
        """Read the responses of a mover; returns whether it has others than "push"."""
        self._default, self._by_layer, self._restitution = "push", {}, 1.0
        self._row, self._answers = row, {}
        if mover is not None:
            self._default, self._by_layer = mover.response, dict(mover.responses)
            self._restitution = mover.restitution
        return self._has_hook or bool(self._by_layer) or self._default != "push"

    # A walk: its legs know the responses; "stop" and "bounce" are as "slide".

    def begin_walk(self, row: int, mover: Mover | None, reach: int) -> None:
        """Set the responses to all within `reach` units of a body; `end_walk` clears them."""
        self._walked = []
        if not self._begin(row, mover):
            return
        self._planner.begin_line()
        found = {*self._rows_within((reach, reach, reach)), *self._rows_within((-reach, -reach, -reach))}
        for other in sorted(found, key=self._bodies.entity):
            self._graph.set_response(other, _CODES[self._response(other)])
            self._walked.append(other)

    def end_walk(self) -> None:
        """Note what the walk crosses, and clear the responses."""
        self._note_begun()
        for row in self._walked:
            self._graph.set_response(row, PUSHES)
        self._walked = []

    # Responses.

    def _response(self, row: int) -> Response:
        """Return what the mover does on meeting a row; the hook is called once for each body and motion."""
        answer = self._answers.get(row)
        if answer is None:
            answer = self._answers[row] = self._answer(row)
        return answer

    def _answer(self, row: int) -> Response:
        entity, leader = self._bodies.entity, self._bodies.group_links.leader
        if self._has_hook:
            answer = self._host.call_respond(entity(leader[self._row]), entity(leader[row]))
            if answer is not None:
                return answer
        collider = self._bodies.of(row).collider
        assert collider is not None
        return self._by_layer.get(collider.layer, self._default)

    def _note_begun(self) -> None:
        """Note which crossed rows are not overlapped yet; nothing has been displaced so far."""
        planner: MotionPlanner = self._planner
        if not planner.crossed:
            return
        passing = self._bodies.passing
        rows = self._bodies.group_links.rows_of(self._row)
        planner.begun = [
            other
            for other in planner.crossed
            if not any(self._bodies.has(row, SOLID) and passing.overlap(row, other) for row in rows)
        ]

    # Axis by axis.

    def _plan_by_axes(self, force: float, finish: Finish) -> None:
        planner: MotionPlanner = self._planner
        rest: tuple = (planner.requested[0], planner.requested[1], planner.requested[2])  # type: ignore[type-arg]
        rows: list[int] = []
        try:
            for turn in range(MAX_TURNS + 1):
                met = self._set_responses(rest, rows)
                target = rest if met is None else cut(rest, met.when, met.step)
                before = self._gone()
                planner.go_on(target[0], target[1], target[2])
                finish(force)
                gone = _difference(self._gone(), before)
                if met is None or (planner.all_or_nothing and planner.stop_count):
                    return
                left = _difference(rest, target)
                if gone == target:
                    left = self._meet(met, self._response(met.row) if turn < MAX_TURNS else "stop", left)
                else:  # something else stopped an axis, so it is not there
                    left = self._where_not_stopped(left)
                rest = left
                if not any(rest):
                    return
        finally:
            for row in rows:
                self._graph.set_response(row, PUSHES)

    def _gone(self) -> Units:
        """Return how far the motion has gone, as planned so far."""
        planner: MotionPlanner = self._planner
        return (planner.allowed[0], planner.allowed[1], planner.allowed[2])

    def _where_not_stopped(self, left: Units) -> Units:
        """Return a displacement without the axes that have been stopped."""
        planner: MotionPlanner = self._planner
        x, y, z = [0 if planner.is_stopped(axis) else left[axis] for axis in range(3)]
        return (x, y, z)

    def _set_responses(self, way: Units, rows: list[int]) -> Met | None:
        """Set the responses to all that a displacement may meet; return what ends its straight line first.

        Bodies are asked about in the order of their ids. `rows` are those whose response has been set.
        """
        found, ends = self._rows_within(way), []
        for row in found:
            response = self._response(row)
            self._graph.set_response(row, _CODES[response])
            rows.append(row)
            if response in ("stop", "bounce") and not self._planner.displacements.is_displaced(row):
                ends.append(row)
        if not ends:
            return None
        cast: LineCast = self._cast
        cast.begin(self._row)
        cast.advance(self._gone())
        cast.ignore([row for row in found if row not in ends])
        met = cast.first(way)
        while met is not None and met.normal == _NO_NORMAL:  # it overlaps from the start: the axes decide (P9)
            cast.ignore([met.row])
            met = cast.first(way)
        return met

    def _rows_within(self, way: Units) -> list[int]:
        """Return the rows in the bounds of the motion that the mover may meet, by id."""
        row: cython.int
        at: cython.Py_ssize_t
        columns: Columns = self._columns
        planner: MotionPlanner = self._planner
        bodies = self._bodies
        found: set[int] = set()
        for row in self._links.rows_of(self._row):
            if not columns.flags_view[row] & _SOLID:
                continue
            for box in bodies.outer_boxes(row):
                low = [box[axis] + planner.allowed[axis] + min(way[axis], 0) for axis in range(3)]
                high = [box[axis + 3] + planner.allowed[axis] + max(way[axis], 0) for axis in range(3)]
                for each in (bodies.dynamic, bodies.static, bodies.overlay):
                    index: Index = each
                    if index.boxes.box_count == 0:
                        continue
                    count: cython.Py_ssize_t = index.collect(low[0], low[1], low[2], high[0], high[1], high[2])
                    for at in range(count):
                        other: cython.int = index.boxes.owner_view[index.hits_view[at]]
                        if self._links.leader_view[other] != self._links.leader_view[row] and columns.may_meet(
                            row, other
                        ):
                            found.add(other)
        return sorted(found, key=bodies.entity)

    # Straight.

    def _plan_straight(self) -> None:
        planner: MotionPlanner = self._planner
        cast: LineCast = self._cast
        rest: tuple = (planner.requested[0], planner.requested[1], planner.requested[2])  # type: ignore[type-arg]
        cast.begin(self._row)
        for turn in range(MAX_TURNS + 1):
            if not any(rest):
                return
            met = self._first(rest)
            target = rest if met is None else cut(rest, met.when, met.step)
            if self._columns.shaped_count > 0:  # boxes parallel to the axes stay apart however a place is rounded
                target, close = cast.fit(rest, target)
                if met is None and close >= 0:
                    met = Met(0, 1, close, facing(rest))
            planner.add_straight(target[0], target[1], target[2])
            cast.advance(target)
            if met is None:
                return
            rest = self._meet(met, self._end(met.row) if turn < MAX_TURNS else "stop", _difference(rest, target))
            if planner.all_or_nothing and planner.stop_count:
                return

    def _first(self, way: Units) -> Met | None:
        """Return what ends a straight displacement, and note the rows that it crosses on the way there."""
        cast: LineCast = self._cast
        crossed: list[Met] = []
        found: Met | None = None
        met: Met | None
        wall = cast.wall(way)
        while True:
            met = cast.first(way)
            if met is None or (wall is not None and is_earlier(wall, met)):
                found = wall
                break
            if met.normal == _NO_NORMAL:  # it overlaps from the start
                normal = cast.deepens(met.row, way) if self._block_deeper else None
                if normal is None:
                    cast.ignore([met.row])
                    continue
                met = Met(met.when, met.step, met.row, normal)
            if self._response(met.row) != "cross":
                found = met
                break
            cast.ignore([met.row])
            crossed.append(met)
        for each in crossed:
            if found is None or is_earlier(each, found):
                self._planner.crossed.append(each.row)
        return found

    def _end(self, row: int) -> Response:
        """Return how a straight line goes on at a row, -1 for the bounds: it pushes nothing, and crosses no bounds."""
        response = self._default if row < 0 else self._response(row)
        return response if response in ("slide", "bounce") else "stop"

    # Both.

    def _meet(self, met: Met, response: Response, left: Units) -> Units:
        """Record what the line met, and return how it goes on with what is left of it."""
        planner: MotionPlanner = self._planner
        leader = self._bodies.group_links.leader
        gone = self._gone()
        entity = None if met.row < 0 else self._bodies.entity(leader[met.row])
        moved = (gone[0] * LATTICE, gone[1] * LATTICE, gone[2] * LATTICE)
        planner.hits += (Hit(entity, met.normal, response, moved),)
        reason = BOUNDS if met.row < 0 else RESPONSE
        for axis in range(3):
            if left[axis] and planner.asked[axis] and (response == "stop" or met.normal[axis] * left[axis] < 0):
                planner.stop_line(axis, reason, abs(gone[axis]), -1 if met.row < 0 else leader[met.row])
        if response == "slide":
            return slid(left, met.normal)
        return bounced(left, met.normal, self._restitution) if response == "bounce" else _AT_REST


def slid(way: Units, normal: Vector) -> Units:
    """Return a displacement without what points into a surface, rounded away from the surface."""
    into = _dot(way, normal)
    if into >= 0.0:
        return way
    x, y, z = [_away(by, by - into * out, out) for by, out in zip(way, normal, strict=True)]
    return (x, y, z)


def bounced(way: Units, normal: Vector, restitution: float) -> Units:
    """Return a displacement mirrored at a surface, `restitution` times as fast across it, rounded towards 0."""
    into = _dot(way, normal)
    if into >= 0.0:
        return way
    x, y, z = [int(by - (1.0 + restitution) * into * out) for by, out in zip(way, normal, strict=True)]
    return (x, y, z)


def _away(before: int, after: float, out: float) -> int:
    """Round a component in the direction of the normal."""
    return before if out == 0.0 else math.ceil(after) if out > 0.0 else math.floor(after)


def _dot(way: Units, normal: Vector) -> float:
    return way[0] * normal[0] + way[1] * normal[1] + way[2] * normal[2]


def _difference(a: tuple[int, ...], b: tuple[int, ...]) -> Units:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])
