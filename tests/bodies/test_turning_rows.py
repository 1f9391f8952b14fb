"""Rows that kernels turn: the same state as when Python places them, and the rotations of a step are undone (P12)."""

import math

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    InvalidChanges,
    OrientedBox,
    OrientedBoxCollider,
    Sleeping,
    SphereCollider,
    Transform,
)
from ecs_collision.components.dirty_transforms import REWRITTEN

QUATERNION = (0.1, 0.2, 0.3, 0.9)
COLLIDERS = {
    "box": lambda: OrientedBoxCollider(1, 2),
    "capsule": lambda: CapsuleCollider(0.5, 1, offset=(1, 0)),
    "sphere": lambda: SphereCollider(1),
    "two parts": lambda: CompoundCollider([OrientedBox(1, 2), OrientedBox(2, 1, offset=(3, 0))]),
    "with a box": lambda: CompoundCollider([OrientedBox(1, 2), Box(1, 1)]),
}


@pytest.mark.filterwarnings("ignore:.*does not turn:UserWarning")
@pytest.mark.parametrize("collider", COLLIDERS)
def test_a_row_that_kernels_turn_is_as_one_that_python_places(collider):
    worlds = []
    for in_python in (False, True):
        world = CollisionWorld()
        transform = Transform(0, 0, rotation=0.25)
        world.add(1, transform=transform, collider=COLLIDERS[collider](), sleeping=Sleeping(asleep=True))
        world.add(2, transform=Transform(9, 0), collider=OrientedBoxCollider(1, 1))
        world.step()
        found = []
        for rotation, x in ((0.5, 0), (QUATERNION, 1), (math.pi / 2, 1), (0.7, 2), (0.7, 3), (None, 3), (2.0**21, 4)):
            transform.rotation, transform.x = rotation, x
            if in_python:
                world._step.bodies.dirty_transforms.add(world._step.bodies.row_of[1], REWRITTEN)
            world.step()
            world.check()
            found.append((world.snapshot(), world._step.bodies.boxes(world._step.bodies.row_of[1])))
        worlds.append(found)
    assert worlds[0] == worlds[1]


def test_a_rotation_that_leaves_the_range_is_refused_L3():
    world = CollisionWorld()
    transform = Transform(2.0**20 - 5, 0, rotation=0.1)
    world.add(1, transform=transform, collider=OrientedBoxCollider(1, 20))
    world.step()
    before = world.snapshot()
    transform.rotation = 1.4
    with pytest.raises(InvalidChanges, match="outside the range"):
        world.step()
    transform.rotation = 0.1
    assert before[-8:] == world.snapshot()[-8:]
    world.step()
    world.check()


def test_a_turned_body_that_reaches_farther_is_refused_where_it_no_longer_fits_L3():
    world = CollisionWorld()
    transform = Transform(0, 0, rotation=0.1)
    world.add(1, transform=transform, collider=OrientedBoxCollider(1, 1))
    world.step()
    transform.rotation = math.pi / 4
    world.step()  # now it reaches 1.41
    transform.x = 2.0**20 - 1.25
    with pytest.raises(InvalidChanges, match="outside the range"):
        world.step()
    transform.x = 2.0**20 - 1.5
    world.step()
    world.check()


@pytest.mark.parametrize("sign", (1, -1))
@pytest.mark.parametrize("axis", range(3))
def test_a_position_is_refused_only_where_the_boxes_of_the_body_itself_do_not_fit_L3(axis, sign):
    world = CollisionWorld()
    offset = tuple(sign * 2.0 * (axis == number) for number in range(3))
    transforms = [Transform(0, 0), Transform(0, 9, 9)]
    world.add(1, transform=transforms[0], collider=BoxCollider(1, 1, 1))
    world.add(2, transform=transforms[1], collider=BoxCollider(1, 1, 1, offset=offset))
    world.step()
    for transform, reach in zip(transforms, (1, 3), strict=True):
        for outside in (0.0, 0.5):
            position = [0.0, 0.0, 0.0]
            position[axis] = sign * (2.0**20 - reach - 0.25 + outside)
            transform.position = tuple(position)
            if outside:
                with pytest.raises(InvalidChanges, match="outside the range"):
                    world.step()
                transform.position = (0, 0, 0)
            world.step()
            world.check()


def test_rotations_of_a_step_are_undone_together():
    world = CollisionWorld()
    transforms = [Transform(0, 0, rotation=0.1), Transform(9, 0)]
    world.add(1, transform=transforms[0], collider=OrientedBoxCollider(1, 2))
    world.add(2, transform=transforms[1], collider=SphereCollider(1))
    world.step()
    bodies = world._step.bodies
    before, placement = world.snapshot(), bodies.placement
    placement.start_turns()
    for angle in (1.0, 2.0):
        placement.write_rotation(bodies.row_of[1], angle)
    placement.write_rotation(bodies.row_of[2], QUATERNION)
    assert [2.0, QUATERNION] == [transform.rotation for transform in transforms]
    assert bodies.dirty_transforms.count == 1  # the sphere looks the same
    placement.revert_rotations()
    assert [0.1, None] == [transform.rotation for transform in transforms]
    assert bodies.dirty_transforms.count == 0
    assert before == world.snapshot()
