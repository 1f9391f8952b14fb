"""coal and python-fcl: dynamic trees of bounding boxes for robotics. Their objects are created beforehand."""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes
from benchmarks.libraries import Job, library
from benchmarks.outputs import pairs

MADE = "objects created beforehand"


def _fcl_objects(boxes: Boxes) -> list[Any]:
    import fcl

    solid = boxes.in_3d()
    sides = (2 * solid.halves).tolist()
    return [
        fcl.CollisionObject(fcl.Box(*side), fcl.Transform(centre))
        for side, centre in zip(sides, solid.centres, strict=True)
    ]


def _coal_objects(boxes: Boxes) -> list[Any]:
    import coal

    solid, upright = boxes.in_3d(), numpy.eye(3)
    sides = (2 * solid.halves).tolist()
    return [
        coal.CollisionObject(coal.Box(*side), coal.Transform3s(upright, centre))
        for side, centre in zip(sides, solid.centres, strict=True)
    ]


@library("pairs", "python-fcl", leaves_out=MADE)
def fcl_pairs(boxes: Boxes) -> Job:
    """Register all objects, build the tree, and get each pair in a callback."""
    import fcl

    objects = _fcl_objects(boxes)
    number = {tuple(centre): row for row, centre in enumerate(boxes.in_3d().centres.tolist())}

    def found() -> list[tuple[Any, Any]]:
        manager, met = fcl.DynamicAABBTreeCollisionManager(), []
        manager.registerObjects(objects)
        manager.setup()

        def note(one: Any, other: Any, _: Any) -> bool:
            met.append((one.getTranslation(), other.getTranslation()))
            return False

        manager.collide(None, note)
        return met

    return Job(found, lambda met: pairs([(number[tuple(one)], number[tuple(other)]) for one, other in met]))


@library("pairs", "coal", leaves_out=f"{MADE}; pairs are only counted, Python cannot read them")
def coal_pairs(boxes: Boxes) -> Job:
    """Register all objects, build the tree, and collect the pairs."""
    import coal

    objects = _coal_objects(boxes)

    def found() -> int:
        manager = coal.DynamicAABBTreeCollisionManager()
        for made in objects:
            manager.registerObject(made)
        manager.setup()
        collected = coal.CollisionCallBackCollect(64 * boxes.count)
        manager.collide(collected)
        return int(collected.numCollisionPairs())

    return Job(found, int)


@library("idle", "python-fcl", leaves_out="reports nothing")
def fcl_idle(boxes: Boxes) -> Job:
    """Update the tree, which does not know that nothing has moved."""
    import fcl

    objects, manager = _fcl_objects(boxes), fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects(objects)
    manager.setup()
    kept = (objects, manager)
    return Job(lambda: kept[1].update(), calls=20)
