"""Finding boxes near each other: the structures that a world can choose from, and pairs of boxes found from nothing.

Games import the choices for `CollisionWorld(broad_phase=...)` from here, on first use.
"""

from typing import TYPE_CHECKING

from ecs_collision._lazy import lazy

if TYPE_CHECKING:  # what type checkers and editors read
    from ecs_collision.broadphase.choices import BroadPhase as BroadPhase
    from ecs_collision.broadphase.choices import BruteForce as BruteForce
    from ecs_collision.broadphase.choices import FootprintGrid as FootprintGrid
    from ecs_collision.broadphase.choices import LinearOctree as LinearOctree
    from ecs_collision.broadphase.choices import MortonGrid as MortonGrid
    from ecs_collision.broadphase.choices import Octree as Octree
    from ecs_collision.broadphase.choices import PointerOctree as PointerOctree
    from ecs_collision.broadphase.choices import Quadtree as Quadtree
    from ecs_collision.broadphase.choices import SweepAndPrune as SweepAndPrune
    from ecs_collision.broadphase.choices import ZOrderSweep as ZOrderSweep

__all__, __getattr__, __dir__ = lazy(
    __name__,
    choices="BroadPhase BruteForce FootprintGrid LinearOctree MortonGrid Octree PointerOctree Quadtree SweepAndPrune "
    "ZOrderSweep",
)
