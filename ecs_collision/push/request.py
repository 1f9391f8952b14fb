# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""Motion requests on the lattice: values from a call or a Motion, defaults from the settings; and their order."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.columns import Columns
    from cython.cimports.ecs_collision.bodies.dirty_rows import DirtyRows
    from cython.cimports.ecs_collision.components.dirty_transforms import DirtyTransforms, rounded
    from cython.cimports.ecs_collision.components.request import Request
else:
    from ecs_collision.bodies.columns import Columns
    from ecs_collision.bodies.dirty_rows import DirtyRows
    from ecs_collision.components.dirty_transforms import DirtyTransforms, rounded
    from ecs_collision.components.request import Request

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import STATIC
from ecs_collision.components import SUM, rule_name
from ecs_collision.errors import CollisionValueError
from ecs_collision.fixed_point import MAX_COORDINATE, MAX_INTEGER, finite, flag, strength, whole
from ecs_collision.results import MoveResult
from ecs_collision.settings import Settings

# C copies: compiled code would look the imported names up as Python objects.
_STATIC = cython.declare(cython.int, STATIC)
_MAX_COORDINATE = cython.declare(cython.double, MAX_COORDINATE)


@cython.final
@cython.no_gc
@cython.cclass
class MotionRequest:
    """A requested motion of one body: displacement in units, force and rules.

    `max_chain` is -1 without a limit. `remaining` has a bit for each axis that is still to be done in this frame, and
    `result` is the result of the others, or None.
    """

    __slots__ = (
        "all_or_nothing",
        "entity",
        "force",
        "max_chain",
        "priority",
        "remaining",
        "result",
        "row",
        "summing",
        "x",
        "y",
        "z",
    )

    @cython.cfunc
    @cython.exceptval(-1)
    def begin(
        self,
        row: cython.int,
        entity: cython.longlong,
        x: cython.longlong,
        y: cython.longlong,
        z: cython.longlong,
        summing: cython.bint,
        max_chain: cython.longlong,
        all_or_nothing: cython.bint,
    ) -> cython.int:
        """Set the values for a row without a Motion."""
        self.row, self.entity = row, entity
        self.x, self.y, self.z = x, y, z
        self.force, self.priority = 0.0, 0
        self.summing, self.max_chain, self.all_or_nothing = summing, max_chain, all_or_nothing
        self.remaining = (1 if x != 0 else 0) | (2 if y != 0 else 0) | (4 if z != 0 else 0)
        self.result: MoveResult | None = None
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def along(self, axis: cython.int) -> cython.longlong:
        """Return the displacement along an axis."""
        return self.x if axis == 0 else self.y if axis == 1 else self.z


@cython.final
@cython.cclass
class MotionRequests:
    """Makes the motion requests of a world."""

    __slots__ = (
        *("_all_or_nothing", "_bodies", "_columns", "_dirty_rows", "_dirty_transforms", "_displacement"),
        *("_max_chain", "_summing"),
    )

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self._bodies = bodies
        self._columns: Columns = bodies.columns
        self._dirty_rows: DirtyRows = bodies.dirty_rows
        self._dirty_transforms: DirtyTransforms = bodies.dirty_transforms
        self._displacement = array("q", bytes(24))
        self._summing = settings.rule == SUM
        self._max_chain = -1 if settings.max_chain is None else settings.max_chain
        self._all_or_nothing = settings.all_or_nothing

    @cython.ccall
    def from_arguments(
        self,
        entity: object,
        dx: object,
        dy: object,
        dz: object,
        force: object,
        rule: object,
        max_chain: object,
        all_or_nothing: object,
    ) -> MotionRequest:
        """Read the arguments of move or plan, apply changes and return the request.

        Errors name the entity, the argument and the remedy.
        """
        if not (type(entity) is int and 0 <= entity <= MAX_INTEGER):
            entity = self._bodies.id_of(entity)
        x: cython.longlong = self._units(dx, "dx", entity)
        y: cython.longlong = self._units(dy, "dy", entity)
        z: cython.longlong = self._units(dz, "dz", entity)
        if force is not None:
            force = strength(force, f"force of entity {entity}")
        if rule is not None:
            summing = rule_name(rule, f"rule of entity {entity}") == SUM
        if max_chain is not None:
            max_chain = whole(max_chain, f"max_chain of entity {entity}", minimum=0)
        if all_or_nothing is not None:
            all_or_nothing = flag(all_or_nothing, f"all_or_nothing of entity {entity}")
        if self._dirty_transforms.may_apply():
            self._bodies.refresh()
        row: cython.int = self._bodies.row(entity)
        if self._columns.flags_view[row] & _STATIC:
            raise CollisionValueError(
                f"entity {entity} is Static and never moves of itself; teleport it, or remove Static from it"
            )
        request: MotionRequest = self.from_motion(row, self._bodies.parts[row].motion, x, y, z)
        if force is not None:
            request.force = force
        if rule is not None:
            request.summing = summing
        if max_chain is not None:
            request.max_chain = max_chain
        if all_or_nothing is not None:
            request.all_or_nothing = all_or_nothing
        return request

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _units(self, value: object, name: object, entity: object) -> cython.longlong:
        """Return a displacement in units. A float or an int in range is converted without a call."""
        number: cython.double
        if type(value) is float or type(value) is int:
            try:
                number = value
                if -_MAX_COORDINATE <= number <= _MAX_COORDINATE:
                    return rounded(number)
            except OverflowError:  # an int beyond every float
                pass
        return rounded(finite(value, f"{name} of entity {entity}"))

    @cython.cfunc
    def from_motion(
        self, row: cython.int, motion: Request | None, x: cython.longlong, y: cython.longlong, z: cython.longlong
    ) -> MotionRequest:
        """Return the request of a body by its Motion; settings give what that leaves open."""
        request: MotionRequest = MotionRequest.__new__(MotionRequest)
        request.begin(row, self._columns.ids_view[row], x, y, z, self._summing, self._max_chain, self._all_or_nothing)
        if motion is not None:
            request.force, request.priority = motion._force, motion._priority
            if motion._rule is not None:
                request.summing = motion._rule == SUM
            if motion._max_chain is not None:
                request.max_chain = motion._max_chain
            if motion._all_or_nothing is not None:
                request.all_or_nothing = motion._all_or_nothing
        return request

    # The frame.

    def take_all(self, frame: cython.longlong) -> list[MotionRequest]:
        """Take the requests of a frame out of the Motion components (L2), and disturb their bodies (S2).

        Sorted by (priority descending, entity id): each performs all its axes in its turn (P10). If this raises, none
        is taken.
        """
        requests: list[MotionRequest] = []
        try:
            if self._take_each(requests, frame):
                requests.sort(key=_priority_key)  # stable
        except BaseException:
            for row in list(self._bodies.requests):
                motion = self._bodies.of(row).motion
                if motion is not None:
                    motion._rollback(frame)
            raise
        self._bodies.requests.clear()
        request: MotionRequest
        for request in requests:
            self._dirty_rows.disturbed_view[request.row] = frame
        return requests

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _take_each(self, requests: list, frame: cython.longlong) -> cython.bint:  # type: ignore[type-arg]
        """Append a request for each Motion by entity id; return whether any has a priority."""
        row: cython.int
        motion: Request
        has_priority: cython.bint = False
        displacement_view: cython.longlong[::1] = self._displacement
        parts, row_of = self._bodies.parts, self._bodies.row_of
        entities = [self._columns.ids_view[row] for row in self._bodies.requests]
        entities.sort()
        for entity in entities:
            row = row_of[entity]
            motion = parts[row].motion
            if motion is not None and motion._take(displacement_view, frame):
                requests.append(
                    self.from_motion(row, motion, displacement_view[0], displacement_view[1], displacement_view[2])
                )
                has_priority = has_priority or motion._priority != 0
        return has_priority

    def sorted_front_first(self, requests: Iterable[MotionRequest], axis: int) -> list[MotionRequest]:
        """Return the requests along an axis by (priority descending, + before -, furthest ahead first, entity id)."""
        keyed = []
        request: MotionRequest
        for request in requests:
            by = request.along(axis)
            if by != 0:
                sign = 1 if by > 0 else -1
                ahead = sign * self._leading_face(request.row, axis, sign)
                keyed.append((-request.priority, -sign, -ahead, request.entity, request))
        keyed.sort(key=_front_key)
        return [each[4] for each in keyed]

    def _leading_face(self, row: int, axis: int, sign: int) -> int:
        """Return the foremost face of a body along an axis, or of all solid boxes of its group."""
        pos, forms = self._columns.pos, self._bodies.forms
        side = axis + 3 if sign > 0 else axis
        rows = self._bodies.groups.solid_rows(row) if self._bodies.group_links.is_fused(row) else [row]
        faces = [pos[3 * each + axis] + box[side] for each in rows for box in forms[each].boxes]
        return int(max(faces) if sign > 0 else min(faces))


def _priority_key(request: MotionRequest) -> int:
    return -request.priority


def _front_key(keyed: tuple[Any, ...]) -> tuple[Any, ...]:
    return keyed[:4]
