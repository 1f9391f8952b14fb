# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: auto_pickle=False, infer_types=True
"""One step of a `Character`: across its `up` direction first, then along it (rules M3 and M4).

A step is one motion of several legs (`Motions.begin_walk`): each leg goes along an axis as far as the true shapes allow
(P2), and what stopped it says how to go on. A slope is walked by a leg up and one across, which together have the
length of the way; a ledge by legs up, across and down, which are taken back if they do not end on a floor. The last leg
goes down: by the velocity, and on a floor that the character walks off as far as `snap`. So nothing ever begins to
overlap, and no normal is needed but where a turned or round part stops a leg.
"""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import ceil, floor, sqrt
else:
    from math import ceil, floor, sqrt

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import SHAPED, STATIC, Columns, GroupLinks
from ecs_collision.components.dirty_transforms import DirtyTransforms
from ecs_collision.components.fields import AT_REST, CharacterFields, VelocityFields
from ecs_collision.fixed_point import PER_UNIT
from ecs_collision.movement.normals import normal_between
from ecs_collision.movement.paths import velocity_on
from ecs_collision.push.motions import MotionRequest, Motions
from ecs_collision.results import MoveResult
from ecs_collision.shapes.rotation import sine_cosine

_SHAPED = cython.declare(cython.int, SHAPED)
_STATIC = cython.declare(cython.int, STATIC)
_PER_UNIT = cython.declare(cython.double, PER_UNIT)
_SLACK = cython.declare(cython.longlong, 4)
"""By how many units a slope is walked above it, because turned parts stop a little before they touch."""
_CORNERS = cython.declare(cython.int, 4)
"""How many different slopes a character can meet in one step."""
_ROUNDING = cython.declare(cython.double, 2.0**-30)
"""How much steeper than `max_slope` a computed normal may be."""
_NOTHING = cython.declare(cython.int, -2)
"""What `MotionPlanner.blocker` returns if nothing stopped a leg."""


@cython.final
@cython.cclass
class Walker:
    """Moves the characters of a world, one at a time.

    `velocity`, `remainder` and `way` are those of the current character along the axes; the last two are in units.
    `pull` is what gravity adds to the velocity; half of it counts for the way, so a jump is as high at any length of
    steps. `wall_row` and `wall_normal` are those of the first wall that it met, if `on_wall`.
    `axis` and `sign` are its `up`. `normal` is what `meet` found. If movers add their forces (M11),
    `pressed` has the axes on which its force was too small, with the units that are left and the velocity.
    """

    def __init__(self, bodies: Bodies, motions: Motions, adds_forces: bool) -> None:
        self._bodies = bodies
        self.columns: Columns = bodies.columns
        self.group_links: GroupLinks = bodies.group_links
        self.dirty_transforms: DirtyTransforms = bodies.dirty_transforms
        self.motions = motions
        self.velocity, self.remainder = array("d", bytes(24)), array("d", bytes(24))
        self.way, self.normal, self.pull = array("d", bytes(24)), array("d", bytes(24)), array("d", bytes(24))
        self.wall_normal, self.kept = array("d", bytes(24)), array("d", bytes(24))
        self.slope, self.least, self.tangent = -1.0, 1.0, 0.0
        self.row = self.floor_row = self.wall_row = -1
        self.axis, self.sign = 1, -1
        self.force = 0.0
        self.on_wall = self.on_ceiling = self.on_floor = self.has_belts = False
        self.adds_forces = adds_forces
        self.pressed: list[tuple[int, int, float]] = []

    def walk(
        self,
        row: cython.int,
        character: CharacterFields,
        speed: VelocityFields,
        request: MotionRequest,
        seconds: cython.double,
    ) -> MoveResult:
        """Make one step of a character; `pull` is set, and `request` has its force and rules."""
        was_on_floor: cython.bint = character._on_floor
        jumps: cython.bint = self.begin(row, character, speed)
        self.force = request.force
        if self.find_ways(character, was_on_floor, seconds):
            request.silent = False
        request.x = self.units_of(0)
        request.y = self.units_of(1)
        request.z = self.units_of(2)
        request.through = character._drops
        self.motions.floor = -1
        if request.silent and was_on_floor:  # one that stands still keeps its floor, so it may rest
            self.motions.floor = self._bodies.row_of.get(character._floor, -1)
        try:
            self.motions.begin_walk(request, self.reach(character))
            self.go_across(character, was_on_floor and not jumps)
            self.go_along(character, was_on_floor, jumps)
        except BaseException:
            self.motions.abandon_walk()
            raise
        result: MoveResult = self.motions.end_walk(request)
        self.remember(character, was_on_floor, jumps)
        for axis in range(3):
            speed._set_speed(axis, self.velocity[axis], self.remainder[axis])
        return result

    def reach(self, character: CharacterFields) -> cython.longlong:
        """Return how far a leg of the step may lead, in units, for the responses of a Mover."""
        longest: cython.double = character._step_height + (0.0 if character._snap is None else character._snap)
        way: cython.double = 0.0
        for axis in range(3):
            way += self.way[axis] if self.way[axis] > 0.0 else -self.way[axis]
        return cython.cast(cython.longlong, longest * _PER_UNIT + way * (2.0 + self.tangent)) + 4 * _SLACK

    # The parts of a step.

    def begin(self, row: cython.int, character: CharacterFields, speed: VelocityFields) -> cython.bint:
        """Take over the state of a character; returns whether it jumps now."""
        number: cython.longlong = self.dirty_transforms.step_number
        x: cython.double
        y: cython.double
        z: cython.double
        x, y, z = character._up
        self.axis = 0 if x != 0.0 else 1 if y != 0.0 else 2
        self.sign = 1 if x + y + z > 0.0 else -1
        if character._max_slope != self.slope:
            self.slope = character._max_slope
            sine, cosine = sine_cosine(self.slope)
            self.least, self.tangent = cosine - _ROUNDING, sine / cosine
        self.row = row
        for axis in range(3):
            self.velocity[axis] = speed._speed_along(axis) + self.pull[axis]
            self.remainder[axis] = speed._remainder_along(axis)
        self.on_wall = self.on_ceiling = self.on_floor = False
        if len(self.pressed) > 0:
            self.pressed = []
        self.floor_row = _NOTHING
        if character._asked_at < 0:
            return False
        if number - character._asked_at > character._jump_buffer:
            character._asked_at = -1
            return False
        if not character._on_floor and (
            character._jumped or character._left_at < 0 or number - character._left_at > character._coyote
        ):
            return False
        self.velocity[self.axis] = self.sign * character._speed + self.pull[self.axis]
        if not character._on_floor:
            self.velocity[self.axis] += character._kept[self.axis]
        self.remainder[self.axis] = 0.0
        character._asked_at = -1
        return True

    def find_ways(self, character: CharacterFields, was_on_floor: cython.bint, seconds: cython.double) -> cython.bint:
        """Set the way along each axis: by the velocity, and that of the belt on which it stands (M7).

        Returns whether a belt moves it.
        """
        is_carried: cython.bint = False
        per_step: cython.double = seconds * _PER_UNIT
        belt: VelocityFields | None = None
        if self.has_belts and was_on_floor and character._floor >= 0:
            row: Any = self._bodies.row_of.get(character._floor)
            if row is not None and row in self._bodies.belt_rows:
                belt = self.columns.velocities[row]
        for axis in range(3):
            self.way[axis] = (self.velocity[axis] - 0.5 * self.pull[axis]) * per_step + self.remainder[axis]
            if belt is not None and axis != self.axis:
                self.way[axis] += belt._speed_along(axis) * per_step
                is_carried = is_carried or belt._speed_along(axis) != 0.0
        return is_carried

    def units_of(self, axis: cython.int) -> cython.longlong:
        """Return the way along an axis in whole units."""
        return cython.cast(cython.longlong, floor(self.way[axis] + 0.5))

    def go_across(self, character: CharacterFields, is_walking: cython.bint) -> cython.int:
        """Make the legs across `up`: along the floor, up slopes and steps, and along walls."""
        if is_walking and character._normal is not None:
            self.follow_floor(character._normal)
        for axis in range(3):
            if axis == self.axis:
                continue
            wanted: cython.longlong = self.units_of(axis)
            self.remainder[axis] = self.way[axis] - wanted
            if wanted == 0:
                continue
            sign: cython.int = 1 if wanted > 0 else -1
            gone: cython.longlong = self.leg(axis, wanted, self.force, False)
            blocker: cython.int = self.motions.blocker
            if blocker != _NOTHING:
                self.pass_obstacle(character, axis, sign, (wanted if sign > 0 else -wanted) - gone, blocker, is_walking)
        return 0

    def follow_floor(self, normal: tuple) -> cython.int:  # type: ignore[type-arg]
        """Shorten the way across on a slope, so that the way along it has the same length; go up as far as it rises."""
        rise: cython.double = 0.0
        square: cython.double = 0.0
        up: cython.double = normal[self.axis] * self.sign
        if up >= 1.0 or up <= 0.0:
            return 0
        for axis in range(3):
            if axis != self.axis:
                rise -= self.way[axis] * cython.cast(cython.double, normal[axis]) / up
                square += self.way[axis] * self.way[axis]
        if square == 0.0:
            return 0
        share: cython.double = sqrt(square / (square + rise * rise))
        for axis in range(3):
            if axis != self.axis:
                self.way[axis] *= share
        if rise > 0.0:
            self.rise(rise * share)
        return 0

    def rise(self, height: cython.double) -> cython.int:
        """Go up by a height in units, and a little more, without pushing; what is too much is undone by going down."""
        self.leg(self.axis, self.sign * (cython.cast(cython.longlong, ceil(height)) + _SLACK), 0.0, False)
        return 0

    def pass_obstacle(
        self,
        character: CharacterFields,
        axis: cython.int,
        sign: cython.int,
        left: cython.longlong,
        blocker: cython.int,
        is_walking: cython.bint,
    ) -> cython.int:
        """Go on after a leg across was stopped with `left` units to go: up a slope or a step, or along a wall."""
        may_hop: cython.bint = is_walking
        for _corner in range(_CORNERS):
            self.meet(blocker, axis, sign)
            up: cython.double = self.normal[self.axis] * self.sign
            rise: cython.double = 0.0 if up < self.least or up <= 0.0 else -sign * self.normal[axis] / up
            if rise > 0.0:
                share: cython.double = 1.0 / sqrt(1.0 + rise * rise)
                self.rise(left * share * rise)
                left = cython.cast(cython.longlong, left * share)
                if left == 0:
                    return 0
                gone: cython.longlong = self.leg(axis, sign * left, self.force, False)
            else:
                gone = self.hop(axis, sign, left, blocker) if may_hop else 0
                may_hop = False
                if gone == 0:
                    break
            blocker = self.motions.blocker
            if blocker == _NOTHING:
                return 0
            left -= gone
        if is_walking and character._step_height > 0.0 and self.step_up(character, axis, sign, left):
            return 0
        self.remainder[axis] = 0.0
        self.leg(axis, sign * left, self.force, True)  # it goes nowhere: this is the stop that is reported
        if self.motions.blocker != _NOTHING:
            blocker = self.motions.blocker
        self.meet(blocker, axis, sign)
        self.meet_wall(blocker)
        if self.adds_forces and self.motions._planner.lacks_force:
            self.pressed.append((axis, sign * left, self.velocity[axis]))
        self.slide_along_wall(axis, sign, left)
        return 0

    def slide_along_wall(self, axis: cython.int, sign: cython.int, left: cython.longlong) -> cython.int:
        """Lose what points into the wall that was met: of the velocity, and of what is left of the way (3D)."""
        other: cython.int = 3 - axis - self.axis
        length: cython.double = sqrt(self.normal[axis] * self.normal[axis] + self.normal[other] * self.normal[other])
        if length == 0.0 or self.normal[other] == 0.0:
            self.velocity[axis] = 0.0
            return 0
        nx: cython.double = self.normal[axis] / length
        ny: cython.double = self.normal[other] / length
        into: cython.double = self.velocity[axis] * nx + self.velocity[other] * ny
        if into < 0.0:
            self.velocity[axis] -= into * nx
            self.velocity[other] -= into * ny
        into = sign * left * nx
        if into < 0.0:
            units: cython.longlong = cython.cast(cython.longlong, -into * ny)
            if units != 0:
                self.leg(other, units, self.force, False)
            units = cython.cast(cython.longlong, sign * left - into * nx)
            if units != 0:
                self.leg(axis, units, self.force, False)
        return 0

    def hop(self, axis: cython.int, sign: cython.int, left: cython.longlong, blocker: cython.int) -> cython.longlong:
        """Go over a bump as low as the rounding of turned parts; returns how far. At a wall it goes nowhere."""
        gone: cython.longlong = 0
        if blocker < 0 or not (self.columns.flags_view[self.row] | self.columns.flags_view[blocker]) & _SHAPED:
            return 0
        self.motions._planner.mark()
        if self.leg(self.axis, self.sign * _SLACK, 0.0, False) > 0:
            gone = self.leg(axis, sign * left, 0.0, False)
        if gone > 0:
            found: cython.int = self.motions.blocker
            if found == _NOTHING:
                return gone
            self.meet(found, axis, sign)
            if self.normal[self.axis] * self.sign >= self.least:
                return gone
        self.motions._planner.retract()
        self.meet(blocker, axis, sign)
        return 0

    def step_up(
        self, character: CharacterFields, axis: cython.int, sign: cython.int, left: cython.longlong
    ) -> cython.bint:
        """Go up a ledge of at most `step_height`, across and down to a floor; otherwise go nowhere, return False."""
        height: cython.longlong = cython.cast(cython.longlong, character._step_height * _PER_UNIT)
        self.motions._planner.mark()
        if self.go_over(axis, sign * left, height):
            if self.normal[self.axis] * self.sign >= self.least:
                return True
            self.motions._planner.retract()
            return self.is_on_edge(character) and self.go_over(axis, sign * left, height)
        self.motions._planner.retract()
        return False

    def go_over(self, axis: cython.int, units: cython.longlong, height: cython.longlong) -> cython.bint:
        """Go up, across, and down again to what stops it there; returns whether something did."""
        risen: cython.longlong = self.leg(self.axis, self.sign * height, 0.0, False)
        if risen == 0 or self.leg(axis, units, 0.0, False) == 0:
            return False
        self.leg(self.axis, -self.sign * risen, 0.0, False)
        return self.meet_floor() != _NOTHING

    def is_on_edge(self, character: CharacterFields) -> cython.bint:
        """Return whether `normal` is that of an edge with a floor behind it, at most `step_height` above the feet.

        A round character meets a ledge with a slanted normal, and stands on the edge as a box does.
        """
        height: cython.longlong = cython.cast(cython.longlong, character._step_height * _PER_UNIT)
        is_free: cython.bint = True
        across: cython.double = 0.0
        x: cython.double = self.normal[0]
        y: cython.double = self.normal[1]
        z: cython.double = self.normal[2]
        for axis in range(3):
            if axis != self.axis:
                across += self.normal[axis] * self.normal[axis]
        if height == 0 or across == 0.0 or self.normal[self.axis] * self.sign <= 0.0:
            return False
        if not self.columns.flags_view[self.row] & _SHAPED:
            return False
        across = self.half_width() / sqrt(across)
        self.motions._planner.mark()
        height = self.leg(self.axis, self.sign * height, 0.0, False)
        for axis in range(3):
            units: cython.longlong = cython.cast(cython.longlong, -across * (x if axis == 0 else y if axis == 1 else z))
            if axis != self.axis and units != 0 and is_free:
                is_free = self.leg(axis, units, 0.0, False) == abs(units)
        if is_free and height > 0:
            self.leg(self.axis, -self.sign * height, 0.0, False)
            is_free = self.meet_floor() != _NOTHING and self.normal[self.axis] * self.sign >= self.least
        self.motions._planner.retract()
        self.normal[0], self.normal[1], self.normal[2] = x, y, z
        return is_free and height > 0

    def half_width(self) -> cython.double:
        """Return half the width of the body across `up`, in units; of the wider axis."""
        boxes: Any = self._bodies.forms[self.row].boxes
        widths: list[Any] = [
            max([box[axis + 3] for box in boxes]) - min([box[axis] for box in boxes])
            for axis in range(3)
            if axis != self.axis and (axis != 2 or not self._bodies.flat)
        ]
        return 0.5 * cython.cast(cython.double, max(widths))

    def go_along(self, character: CharacterFields, was_on_floor: cython.bint, jumps: cython.bint) -> cython.int:
        """Make the legs along `up`: up to a ceiling, or down to a floor, which is never pushed."""
        wanted: cython.longlong = self.units_of(self.axis)
        self.remainder[self.axis] = self.way[self.axis] - wanted
        if self.sign * wanted > 0 or (jumps and wanted == 0):
            if wanted != 0:
                self.leg(self.axis, wanted, self.force, True)
                if self.motions.blocker != _NOTHING:
                    self.on_ceiling = True
                    self.velocity[self.axis] = 0.0
                    self.remainder[self.axis] = 0.0
            return 0
        falls: cython.bint = self.sign * self.velocity[self.axis] < 0.0
        if wanted == 0 and falls:  # a step too short for the lattice still asks what is below
            wanted = -self.sign
            self.remainder[self.axis] += self.sign
        if wanted != 0:
            self.fall(character, -self.sign * wanted, was_on_floor)
        if was_on_floor and not self.on_floor and not jumps and self.sign * self.velocity[self.axis] <= 0.0:
            self.snap(character)
        return 0

    def fall(self, character: CharacterFields, left: cython.longlong, was_on_floor: cython.bint) -> cython.int:
        """Go down by `left` units, sliding off what is too steep to stand on."""
        down: cython.int = -self.sign
        for _corner in range(_CORNERS):
            # One unit more is looked at, so what it comes to exactly is a floor in this step.
            left -= self.motions.leg(self.axis, down * (left + 1), 0.0, not was_on_floor, True)
            blocker: cython.int = self.meet_floor()
            if blocker == _NOTHING:
                return 0
            if self.normal[self.axis] * self.sign >= self.least:
                self.land(blocker)
                return 0
            if was_on_floor and self.is_on_edge(character):
                self.stand_on_edge(blocker)
                return 0
            if left == 0:
                return 0
            self.meet_wall(blocker)
            into: cython.double = 0.0
            for axis in range(3):
                into += self.velocity[axis] * self.normal[axis]
            if into < 0.0:
                for axis in range(3):
                    self.velocity[axis] -= into * self.normal[axis]
            into = left * down * self.normal[self.axis]
            if into >= 0.0:
                return 0
            units: cython.longlong = 0
            for axis in range(3):
                if axis != self.axis:
                    units = cython.cast(cython.longlong, -into * self.normal[axis])
                    if units != 0:
                        self.leg(axis, units, 0.0, False)
            left = cython.cast(cython.longlong, left + down * -into * self.normal[self.axis])
            if left <= 0:
                return 0
        return 0

    def snap(self, character: CharacterFields) -> cython.int:
        """Go down to a floor that is within reach of a walk; otherwise go nowhere."""
        across: cython.double = 0.0
        if character._snap is None:
            for axis in range(3):
                if axis != self.axis:
                    across += self.way[axis] * self.way[axis]
            reach: cython.longlong = cython.cast(cython.longlong, ceil(sqrt(across) * self.tangent)) + 2 * _SLACK
            reach = max(reach, cython.cast(cython.longlong, character._step_height * _PER_UNIT))
        else:
            reach = cython.cast(cython.longlong, character._snap * _PER_UNIT)
        if reach == 0:
            return 0
        self.motions._planner.mark()
        gone: cython.longlong = self.leg(self.axis, -self.sign * reach, 0.0, False)
        blocker: cython.int = self.meet_floor()
        if blocker != _NOTHING and self.normal[self.axis] * self.sign >= self.least:
            self.land(blocker)
            return 0
        self.motions._planner.retract()
        if blocker != _NOTHING and self.is_on_edge(character):
            if gone > 0:
                self.leg(self.axis, -self.sign * gone, 0.0, False)
            self.stand_on_edge(blocker)
        return 0

    def land(self, blocker: cython.int) -> cython.void:
        """Stand on what stopped the way down."""
        self.on_floor = True
        self.floor_row = blocker
        self.velocity[self.axis] = 0.0
        self.remainder[self.axis] = 0.0

    def stand_on_edge(self, blocker: cython.int) -> cython.void:
        """Stand on the edge of a ledge, as on a level floor."""
        self.land(blocker)
        for axis in range(3):
            self.normal[axis] = 0.0
        self.normal[self.axis] = self.sign

    def remember(self, character: CharacterFields, was_on_floor: cython.bint, jumps: cython.bint) -> cython.int:
        """Store what the step found in the component; in the step that leaves a floor its velocity is kept (M7)."""
        number: cython.longlong = self.dirty_transforms.step_number
        character._on_floor, character._on_wall, character._on_ceiling = self.on_floor, self.on_wall, self.on_ceiling
        character._drops = False
        character._wall = -1 if not self.on_wall or self.wall_row < 0 else self.columns.ids_view[self.wall_row]
        character._wall_normal = None
        if self.on_wall:
            character._wall_normal = (self.wall_normal[0], self.wall_normal[1], self.wall_normal[2])
        if not self.on_floor:
            if character._kept != AT_REST:
                self.keep(character, was_on_floor)
            if was_on_floor or jumps:
                character._left_at = number
                character._jumped = jumps
            character._floor = -1
            character._normal = character._floor_velocity = None
            return 0
        if not was_on_floor:
            character._landed_at = number
        character._floor = -1 if self.floor_row < 0 else self.columns.ids_view[self.floor_row]
        if self.normal[self.axis] * self.sign == 1.0:
            character._normal = character._up
        else:
            character._normal = (self.normal[0], self.normal[1], self.normal[2])
        character._kept = AT_REST
        character._floor_velocity = self.velocity_of_floor()
        if character._floor_velocity != AT_REST:
            for axis in range(3):
                self.kept[axis] = self.kept_along(axis, character._floor_velocity[axis])
            character._kept = (self.kept[0], self.kept[1], self.kept[2])
        return 0

    def velocity_of_floor(self) -> tuple:  # type: ignore[type-arg]
        """Return the velocity of the floor: of its Velocity, or of its Path."""
        velocity: VelocityFields | None = None if self.floor_row < 0 else self.columns.velocities[self.floor_row]
        if velocity is not None:
            return (velocity._speed_along(0), velocity._speed_along(1), velocity._speed_along(2))
        if self.floor_row in self._bodies.path_rows:
            return velocity_on(self._bodies, self.floor_row)  # type: ignore[no-any-return]
        return AT_REST

    def kept_along(self, axis: cython.int, speed: cython.double) -> cython.double:
        """Return what a character that leaves the floor keeps of the velocity of that along an axis (M7).

        Across `up` it is that with which the floor carries; along `up` a floor that rises pushes.
        """
        is_belt: cython.bint = (self.columns.flags_view[self.floor_row] & _STATIC) != 0
        if axis == self.axis:
            return speed if self.sign * speed > 0.0 and not is_belt else 0.0
        return speed if is_belt or self.columns.carries_view[self.floor_row] == (self.axis + 1) * self.sign else 0.0

    def keep(self, character: CharacterFields, was_on_floor: cython.bint) -> cython.int:
        """Keep in the air the velocity of the floor that it left, without what points into a wall or a ceiling.

        It is added to the velocity in the step that leaves the floor. Without gravity nothing is kept: on a ladder.
        """
        into: cython.double = 0.0
        for axis in range(3):
            self.kept[axis] = character._kept[axis] if self.pull[self.axis] != 0.0 else 0.0
        if self.on_ceiling and self.sign * self.kept[self.axis] > 0.0:
            self.kept[self.axis] = 0.0
        if self.on_wall:
            for axis in range(3):
                into += self.kept[axis] * self.wall_normal[axis]
            for axis in range(3):
                self.kept[axis] -= into * self.wall_normal[axis] if into < 0.0 else 0.0
        for axis in range(3):
            self.velocity[axis] += self.kept[axis] if was_on_floor else 0.0
        character._kept = (self.kept[0], self.kept[1], self.kept[2])
        return 0

    # Legs.

    def leg(
        self, axis: cython.int, units: cython.longlong, force: cython.double, is_reported: cython.bint
    ) -> cython.longlong:
        """Go along an axis by signed units; returns how many units it goes."""
        gone: cython.longlong = self.motions.leg(axis, units, force, is_reported, False)
        return gone

    def meet_floor(self) -> cython.int:
        """Meet what stopped the last leg, which led down; returns its row, or NOTHING."""
        blocker: cython.int = self.motions.blocker
        if blocker != _NOTHING:
            self.meet(blocker, self.axis, -self.sign)
        return blocker

    def meet_wall(self, blocker: cython.int) -> cython.void:
        """Remember the wall that was met, whose normal is `normal`, if it is the first in this step."""
        if not self.on_wall:
            self.on_wall = True
            self.wall_row = blocker
            for axis in range(3):
                self.wall_normal[axis] = self.normal[axis]

    def meet(self, blocker: cython.int, axis: cython.int, sign: cython.int) -> cython.int:
        """Set `normal` to that at which the last leg, along an axis, met what stopped it."""
        if blocker >= 0 and (
            (self.columns.flags_view[self.row] | self.columns.flags_view[blocker]) & _SHAPED
            or self.group_links.is_fused(self.row)
            or self.group_links.is_fused(blocker)
        ):
            found = normal_between(self._bodies, self.row, blocker, self.motions.offsets(), axis, sign)
            self.normal[0], self.normal[1], self.normal[2] = found
            return 0
        for across in range(3):
            self.normal[across] = 0.0
        self.normal[axis] = -sign
        return 0
