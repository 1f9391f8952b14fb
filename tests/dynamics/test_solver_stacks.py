"""Stacks and piles come to rest, to the bit, and overlaps are undone (rules I3, I6, I7)."""

import math

import pytest
from dynamic_scenes import UNIT, Body, DynamicScene, ball, box


def stack_of(count, friction=0.5, masses=None):
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=friction)
    masses = masses or [1.0] * count
    boxes = [scene.add(Body((box(1, 1),), (0, 0.5 + at, 0), mass=masses[at], friction=friction)) for at in range(count)]
    return scene, boxes


def test_kept_impulses_of_a_stack_are_the_weights_above_I3():
    scene, _ = stack_of(5, masses=[1, 2, 3, 4, 5])
    scene.step(100)
    weights = [sum(range(at, 6)) * 10 / 240 for at in range(1, 6)]
    assert weights == pytest.approx([record[5] for record in scene.kept.records()], rel=1e-9)


def test_boxes_that_fall_onto_each_other_come_to_rest():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=0.5)
    boxes = [scene.add(Body((box(1, 1),), (at % 3 / 8, 1 + 1.5 * at, 0), friction=0.5)) for at in range(8)]
    scene.step(400)
    assert all(map(scene.is_at_rest, boxes))
    assert [0.5 + at for at in range(8)] == [scene.position(body)[1] for body in boxes]


def test_a_pyramid_rests():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=0.5)
    places = [(at + row / 2, row + 0.5) for row in range(6) for at in range(6 - row)]
    boxes = [scene.add(Body((box(1, 1),), (*place, 0), friction=0.5)) for place in places]
    scene.step(60)
    assert all(map(scene.is_at_rest, boxes))
    assert places == [scene.position(body)[:2] for body in boxes]
    assert 1 == len({scene.state[body]["set_number"] for body in boxes})


def test_a_heavy_box_on_a_light_one_does_not_sink():
    scene, boxes = stack_of(2, masses=[0.01, 100])
    scene.step(200)
    assert [0.5, 1.5] == [scene.position(body)[1] for body in boxes]
    assert all(scene.velocity(body) == (0, 0, 0) for body in boxes)


@pytest.mark.parametrize("moment", [math.inf, 0.1])
def test_a_ball_between_two_others_rests(moment):
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=0.5)
    for x in (-1.5, 1.5):
        scene.add(Body((box(1, 9),), (x, 4, 0), mass=None))
    balls = [
        scene.add(Body((ball(0.5),), (*place, 0), friction=0.5, moment=moment))
        for place in ((-0.5, 0.5), (0.5, 0.5), (0, 2))
    ]
    scene.step(600)
    x, y, _ = scene.position(balls[2])
    assert 0 == x
    assert 0.5 + math.sqrt(0.75) == pytest.approx(y, abs=4 / UNIT)
    assert (0, 0) == pytest.approx(scene.velocity(balls[2])[:2], abs=1e-2)


def test_sets_at_rest_are_those_that_nothing_changes_I7():
    scene, boxes = stack_of(2)
    other = scene.add(Body((box(1, 1),), (5, 0.5, 0)))
    flying = scene.add(Body((box(1, 1),), (9, 9, 0)))
    scene.step(60)
    assert [True, True, True, False] == [scene.is_at_rest(body) for body in (*boxes, other, flying)]
    numbers = [scene.state[body]["set_number"] for body in (*boxes, other, flying)]
    assert [1, 1, 3, 4] == numbers, "the lowest index of the set"
    scene.state[boxes[1]]["velocity"][0] = 0.25
    scene.step()
    assert [False, False, True, False] == [scene.is_at_rest(body) for body in (*boxes, other, flying)]


def test_a_body_without_velocity_is_at_rest_also_with_half_a_unit_left_I7():
    scene = DynamicScene()
    body = scene.add(Body((box(1, 1),), (0, 0, 0)))
    scene.state[body]["remainder"] = [0.5, -0.5, 0.25]
    scene.step()
    assert scene.is_at_rest(body)
    assert [0, 0, 0] == scene.state[body]["position"]
    assert [0.5, -0.5, 0.25] == scene.state[body]["remainder"]


def test_a_set_is_not_at_rest_when_a_body_it_leaned_on_is_gone():
    scene, boxes = stack_of(2)
    scene.step(60)
    assert scene.is_at_rest(boxes[1])
    assert [(1, 2), (2, 3)] == [record[:2] for record in scene.kept.records()]
    del scene.bodies[boxes[0]]
    scene.step()
    assert not scene.is_at_rest(boxes[1])
    assert [(1, 2)] == [record[:2] for record in scene.kept.records()], "no body of this step has it"


# Overlaps.


def test_a_body_squeezed_between_two_that_stand_moves_them_both_I6():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor()
    left = scene.add(Body((box(1, 3),), (-0.75, 1.5, 0)))
    right = scene.add(Body((box(1, 3),), (0.75, 1.5, 0)))
    middle = scene.add(Body((box(1, 1),), (0, 2, 0)))
    scene.step(4)
    assert 2 * UNIT <= scene.state[right]["position"][0] - scene.state[left]["position"][0]
    assert 0 == scene.position(middle)[0]
    assert scene.position(left)[0] == -scene.position(right)[0]


def test_bodies_moved_apart_stay_within_the_bounds():
    scene = DynamicScene(low=(0, -(2**40), -(2**40)))
    first = scene.add(Body((box(2, 2),), (1, 0, 0)))
    second = scene.add(Body((box(2, 2),), (2, 0.125, 0)))
    scene.step(3)
    assert (1, 3) == (scene.position(first)[0], scene.position(second)[0])
