"""Gravity: `settle` lets unsupported things fall all the way; exact off the cell grid too.

Solid bodies cannot pass each other along an axis. So the distance of each fall is one number: the shortest path, over
the gaps between things that can fall, to something that cannot (rule P2). A push with unlimited force computes exactly
that. Each falling thing needs one motion and the order does not matter; the front ones go first so that nothing pushes
what falls anyway. Not taken: rounds of one cell each, which give the same result with as many motions as cells.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from typing import Any

from ecs_collision.components import Faces, Parts
from ecs_collision.errors import CollisionValueError
from ecs_collision.fixed_point import AXES, LATTICE, MAX_INTEGER, finite
from ecs_collision.game.things import Things
from ecs_collision.levels.level import Level
from ecs_collision.results import MoveResult
from ecs_collision.world import CollisionWorld

DIRECTIONS = {"L": (-1, 0), "R": (1, 0), "U": (0, -1), "D": (0, 1)}
"""The step of each letter; y grows downwards."""

Displacement = tuple[float, float]

_UNLIMITED: dict[str, Any] = {
    "force": math.inf, "rule": "each", "max_chain": MAX_INTEGER, "all_or_nothing": False,
}  # fmt: skip
"""The options of a push that moves everything movable."""

GravitySettings = tuple[str | None, str | None, float]
"""`Gravity.direction`, `falls` and `speed`."""


def step_of(letter: object, where: str) -> tuple[int, int]:
    """Return the step of a direction's letter; raises CollisionValueError naming `where` if it is not one."""
    if isinstance(letter, str) and letter in DIRECTIONS:
        return DIRECTIONS[letter]
    raise CollisionValueError(f"{where} is {letter!r}; it must be a direction, one of L, R, U, D")


class FallsOut(CollisionValueError):
    """Something falls and nothing would ever stop it."""


class Gravity:
    """The gravity of a game; a level or script sets it.

    direction: where unsupported things fall, None for no gravity. falls: what falls besides the things that can be
    pushed. speed: how far things fall in a frame of real time. platforms: bodies that never fall. `version` counts the
    changes.
    """

    def __init__(self, level: Level, things: Things) -> None:
        self._things = things
        self._direction = level.gravity
        self._falls: str | None = None
        self._speed = 1.0
        self.platforms: set[int] = set()
        self.version = 0
        falls = level.properties.get("falls")
        if isinstance(falls, str):
            self.falls = falls

    @property
    def direction(self) -> str | None:
        """L, R, U or D, or None."""
        return self._direction

    @direction.setter
    def direction(self, letter: str | None) -> None:
        if letter is not None:
            step_of(letter, "gravity")
        self.version += letter != self._direction
        self._direction = letter

    @property
    def falls(self) -> str | None:
        """A name or a kind, or None."""
        return self._falls

    @falls.setter
    def falls(self, selector: str | None) -> None:
        if selector is not None:
            self._things.members(selector)
        self.version += selector != self._falls
        self._falls = selector

    @property
    def speed(self) -> float:
        """Cells per frame of real time."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._speed = finite(speed, "fall_speed", minimum=LATTICE)

    @property
    def settings(self) -> GravitySettings:
        """The state that is saved."""
        return self._direction, self._falls, self._speed

    def validate(self, settings: GravitySettings) -> None:
        """Raise if settings cannot be restored."""
        direction, falls, speed = settings
        if direction is not None:
            step_of(direction, "gravity")
        if falls is not None:
            self._things.members(falls)
        finite(speed, "fall_speed", minimum=LATTICE)

    def restore(self, settings: GravitySettings) -> None:
        """Restore validated settings."""
        self._direction, self._falls, self._speed = settings

    def settle(
        self, candidates: Set[int] | None = None, most: float = math.inf, arriving: Set[int] = frozenset()
    ) -> dict[int, Displacement]:
        """Let everything unsupported fall, at most `most` cells; returns how far each thing fell.

        candidates: the only bodies that may have lost their support (None: any). arriving: bodies that do not fall for
        now. Raises FallsOut if nothing would ever stop a fall.
        """
        return {} if self._direction is None else self._fall(self._direction, arriving).settle(candidates, most)

    def riders(self, id: int, dx: float, dy: float) -> list[int]:
        """Return what stands on a body that moves across gravity, the front ones first; empty otherwise."""
        letter = self._direction
        if letter is None or DIRECTIONS[letter] in ((dx, dy), (-dx, -dy)):
            return []
        return front_first(self._things.world, self._fall(letter).riders(id), dx, dy)

    def _fall(self, letter: str, arriving: Set[int] = frozenset()) -> Fall:
        others = () if self._falls is None else self._things.members(self._falls)
        return Fall(self._things, letter, frozenset(others), self.platforms | arriving)


class Fall:
    """One fall in a direction, of what can be pushed and of `others` that cannot; `fixed` bodies never fall."""

    def __init__(self, things: Things, letter: str, others: frozenset[int], fixed: Set[int]) -> None:
        self._things, self._world = things, things.world
        self._others, self._fixed = others, fixed
        self._step = x, y = DIRECTIONS[letter]
        self._axis, self._sign = (0, x) if x else (1, y)

    def settle(self, candidates: Set[int] | None, most: float) -> dict[int, Displacement]:
        """Let everything unsupported fall, at most `most` cells. O(bodies that may fall, and what is below each)."""
        self._world.apply_changes()
        # A group falls as a whole or not at all: if one member is supported, what falls on the group does not push it.
        verdicts = dict.fromkeys(self._can_fall_ids(self._roots(self._others)), True)
        verdicts |= dict.fromkeys(self._roots(self._fixed), False)
        with self._things.push_filter.falling(verdicts):
            fallen = self._settle(candidates, most)
        return {each: by for id, by in fallen.items() for each in self._things.fused_ids(id)}

    def riders(self, id: int) -> list[int]:
        """Return what stands on a body, and what stands on that, the nearest first."""
        self._world.apply_changes()
        bodies = self._world._bodies
        candidates = set(self._can_fall_ids(bodies.row_of)) - self._roots({id})
        found, below = [], [id]
        while below:
            support = below.pop(0)
            near = {other for member in self._things.fused_ids(support) for other in self._world.touching(member)}
            for other in sorted(self._roots(near) & candidates):
                if self._stands_on(other, support):
                    candidates.discard(other)
                    found.append(other)
                    below.append(other)
        return found

    def _stands_on(self, id: int, support: int) -> bool:
        """Return whether a leading face of a body lies on a face of the other."""
        axis, other_axis = self._axis, 1 - self._axis
        near, far = (axis + 3, axis) if self._sign > 0 else (axis, axis + 3)
        return any(
            mine[near] == theirs[far]
            and all(mine[a] < theirs[a + 3] and theirs[a] < mine[a + 3] for a in (other_axis, 2))
            for mine in self._boxes(id)
            for theirs in self._boxes(support)
        )

    def _settle(self, candidates: Set[int] | None, most: float) -> dict[int, Displacement]:
        fallen: dict[int, Displacement] = {}
        free = self._free(
            self._can_fall_ids(self._world._bodies.row_of if candidates is None else self._roots(candidates))
        )
        while free:
            all_ids = self._can_fall_ids(self._world._bodies.row_of)
            before = {id: self._things.position_of(id) for id in all_ids}
            self._move_down(free, before, most)
            for id, (x, y) in before.items():
                now = self._things.position_of(id)
                if now != (x, y):
                    sum_so_far = fallen.get(id, (0.0, 0.0))
                    fallen[id] = (sum_so_far[0] + now[0] - x, sum_so_far[1] + now[1] - y)
            if candidates is None:
                break
            candidates = None
            free = self._free(all_ids)
        return fallen

    def _can_fall_ids(self, ids: Iterable[int]) -> list[int]:
        """Return the bodies that could fall, by id; of a group its root, if all its members could."""
        bodies, links = self._world._bodies, self._world._bodies.group_links
        found = []
        for id in sorted(ids):
            row = bodies.row_of[id]
            if not links.is_fused(row):
                if self._could_fall(id, bodies.of(row)):
                    found.append(id)
            elif links.leader[row] == row:
                rows = bodies.groups.solid_rows(row)
                if all(self._could_fall(bodies.entity(each), bodies.of(each)) for each in rows):
                    found.append(id)
        return found

    def _roots(self, ids: Set[int]) -> Set[int]:
        """Replace the members of groups by their roots."""
        bodies = self._world._bodies
        return {bodies.groups.root_of(bodies.row(id)) for id in ids} if bodies.group_links.count else ids

    def _could_fall(self, id: int, parts: Parts) -> bool:
        inertia = parts.inertia
        movable = inertia is not None and (inertia.x, inertia.y)[self._axis] != math.inf
        if id in self._fixed or not (movable or id in self._others):
            return False
        return parts.static is None and parts.trigger is None and parts.collider is not None and parts.collider.enabled

    def _boxes(self, id: int) -> list[Faces]:
        bodies = self._world._bodies
        return [box for member in self._things.fused_ids(id) for box in bodies.boxes(bodies.row(member))]

    def _free(self, ids: list[int]) -> list[int]:
        """Return the bodies that can fall, the front ones first."""
        free = [id for id in ids if self._plan(id, 1.0).moved[self._axis]]
        return front_first(self._world, free, *self._step) if len(free) > 1 else free

    def _move_down(self, free: list[int], before: dict[int, Displacement], most: float) -> None:
        """Move each body as far as it falls. One that would push others that still have to fall waits for them."""
        depth = self._depth()
        forced = False
        while free:
            waiting = set(free)
            later = []
            for id in free:
                plan = self._plan(id, depth)
                if not forced and not waiting.isdisjoint(plan.pushed):
                    later.append(id)
                    continue
                forced = False
                waiting.discard(id)
                left = most - abs(self._things.position_of(id)[self._axis] - before[id][self._axis])
                self._fall(id, plan.moved[self._axis], left, depth)
            forced = len(later) == len(free)
            free = later

    def _fall(self, id: int, by: float, left: float, depth: float) -> None:
        if abs(by) >= depth:
            names = self._things.names
            raise FallsOut(
                f"{names.display_name(id)!r} falls out of {names.level.source}: nothing stops it towards "
                f"{'+' if self._sign > 0 else '-'}{AXES[self._axis]}; give the level a floor (Static) or bounds, or "
                "set gravity to None"
            )
        if by:
            self._world.move(id, *self._displacement(min(abs(by), left)), **_UNLIMITED)

    def _plan(self, id: int, most: float) -> MoveResult:
        return self._world.plan(id, *self._displacement(most), **_UNLIMITED).result

    def _displacement(self, distance: float) -> Displacement:
        return self._step[0] * distance, self._step[1] * distance

    def _depth(self) -> float:
        """Return a distance greater than any fall that a body or the bounds stop."""
        bodies, axis = self._world._bodies, self._axis
        side = axis + (3 if self._sign > 0 else 0)
        faces = [bodies.position(row)[axis] + box[side] for row in bodies.rows() for box in bodies.forms[row].boxes]
        depth = (max(faces) - min(faces)) * LATTICE + 1.0
        for corner in self._world._settings.bounds or ():
            depth = max(depth, *(abs(corner[axis] - face * LATTICE) + 1.0 for face in (min(faces), max(faces))))
        return math.ceil(depth)


def front_first(world: CollisionWorld, ids: Iterable[int], dx: float, dy: float) -> list[int]:
    """Sort bodies that move together so that none blocks the one behind it."""
    bodies = world._bodies

    def ahead(id: int) -> float:
        boxes = [box for row in bodies.group_links.rows_of(bodies.row(id)) for box in bodies.boxes(row)]
        return max((dx * box[3 * (dx > 0)] + dy * box[1 + 3 * (dy > 0)] for box in boxes), default=0.0)

    return sorted(ids, key=lambda id: (-ahead(id), id))
