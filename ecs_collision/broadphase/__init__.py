"""Finding boxes near each other: the structures that a world can choose from, and pairs of boxes found without one.

Games import the choices for `CollisionWorld(broad_phase=...)` and Morton codes from here; they load on first use.
"""

from typing import TYPE_CHECKING

from ecs_collision._lazy import lazy

if TYPE_CHECKING:  # what type checkers and editors read
    from ecs_collision.broadphase.choices import BroadPhase as BroadPhase
    from ecs_collision.broadphase.choices import BruteForce as BruteForce
    from ecs_collision.broadphase.choices import Buckets as Buckets
    from ecs_collision.broadphase.choices import FootprintGrid as FootprintGrid
    from ecs_collision.broadphase.choices import LinearOctree as LinearOctree
    from ecs_collision.broadphase.choices import Octree as Octree
    from ecs_collision.broadphase.choices import PointerOctree as PointerOctree
    from ecs_collision.broadphase.choices import Quadtree as Quadtree
    from ecs_collision.broadphase.choices import SweepAndPrune as SweepAndPrune
    from ecs_collision.broadphase.choices import ZOrderSweep as ZOrderSweep
    from ecs_collision.broadphase.morton_codes import decode2 as decode2
    from ecs_collision.broadphase.morton_codes import decode3 as decode3
    from ecs_collision.broadphase.morton_codes import encode2 as encode2
    from ecs_collision.broadphase.morton_codes import encode2_by_table as encode2_by_table
    from ecs_collision.broadphase.morton_codes import encode3 as encode3
    from ecs_collision.broadphase.morton_codes import encode3_by_table as encode3_by_table

__all__, __getattr__, __dir__ = lazy(
    __name__,
    choices="BroadPhase BruteForce Buckets FootprintGrid LinearOctree Octree PointerOctree Quadtree "
    "SweepAndPrune ZOrderSweep",
    morton_codes="decode2 decode3 encode2 encode2_by_table encode3 encode3_by_table",
)
