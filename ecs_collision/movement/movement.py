"""Steps of movement: paths, then movers, then lifetimes (rules M)."""

from __future__ import annotations

from ecs_collision.bodies import Bodies
from ecs_collision.movement.arguments import MovementArguments
from ecs_collision.movement.lifetimes import Counts, Lifetimes
from ecs_collision.movement.movers import Movers
from ecs_collision.movement.paths import Paths, PathsMark
from ecs_collision.push import Motions
from ecs_collision.settings import Settings

MovementMark = tuple[int, PathsMark, Counts]


class Movement:
    """Runs steps of movement. The undo record of a step restores bodies and logs; `mark` is for all else."""

    def __init__(self, bodies: Bodies, settings: Settings, motions: Motions) -> None:
        self._bodies = bodies
        self.paths = Paths(bodies, motions)
        self.movers = Movers(bodies, motions, settings)
        self.lifetimes = Lifetimes(bodies)

    def is_idle(self, arguments: MovementArguments) -> bool:
        """Return whether a step would change nothing but the number of steps; O(1)."""
        bodies = self._bodies
        if bodies.path_rows or bodies.lifetime_rows:
            return False
        if not bodies.mover_rows:
            return True
        self.movers.set_arguments(arguments.dt, *arguments.gravity)
        return self.movers.is_idle()

    def count_step(self) -> None:
        """Count a step."""
        self._bodies.dirty_transforms.step_number += 1

    def step(self, arguments: MovementArguments) -> list[int]:
        """Run a step; returns the entities whose Lifetime has ended."""
        ended = self.lifetimes.ending()
        self.count_step()
        self.paths.step(arguments.dt)
        self.movers.set_arguments(arguments.dt, *arguments.gravity)
        self.movers.step(arguments.dt)
        self.lifetimes.count()
        return ended

    def mark(self) -> MovementMark:
        """Return the state of the components that a step changes, for `rollback`."""
        self.movers.mark()
        return self._bodies.dirty_transforms.step_number, self.paths.mark(), self.lifetimes.mark()

    def rollback(self, mark: MovementMark) -> None:
        """Restore what `mark` returned."""
        self._bodies.dirty_transforms.step_number, paths, lifetimes = mark
        self.paths.rollback(paths)
        self.movers.rollback()
        self.lifetimes.rollback(lifetimes)
