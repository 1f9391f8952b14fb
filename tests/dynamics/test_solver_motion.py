"""Bodies end exactly at faces, pass over tiles, and slide by friction (rules I1, I2, I5)."""

import math
from itertools import pairwise

import pytest
from dynamic_scenes import UNIT, Body, DynamicScene, ball, box

from ecs_collision.shapes.bounds import part_of
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.rotation import matrix_of

SHAPES = {"box": box(1, 1), "ball": ball(0.5)}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("speed", [1.0, 5.0, 77.3, 300.0])
@pytest.mark.parametrize("drop", [0.0, 0.5])
@pytest.mark.parametrize("offset", [0.0, 0.25, 3 / UNIT])
def test_a_body_does_not_stumble_over_abutting_tiles_I2(shape, speed, drop, offset):
    scene = DynamicScene(gravity=(0, -10, 0))
    for x in range(-2, 120):
        scene.add(Body((box(1, 1),), (x, -0.5, 0), mass=None))
    body = scene.add(Body((SHAPES[shape],), (offset, 0.5 + drop, 0), (speed, -3 if drop else 0, 0)))
    scene.step(int(min(60, 100 / speed * 60)))
    assert speed == pytest.approx(scene.velocity(body)[0], abs=1e-9)
    assert (0.5, 0) == (scene.position(body)[1], scene.velocity(body)[1])


def test_a_body_slides_over_dynamic_tiles_without_stumbling():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(-1)
    for x in range(-2, 40):
        scene.add(Body((box(1, 1),), (x, -0.5, 0), mass=5))
    body = scene.add(Body((box(1, 1),), (0, 0.5, 0), (20, 0, 0)))
    scene.step(90)
    assert 20 == pytest.approx(scene.velocity(body)[0], abs=1e-9)


def test_a_body_that_slides_along_a_wall_is_not_slowed():
    scene = DynamicScene()
    for y in range(30):
        scene.add(Body((box(1, 1),), (1, y, 0), mass=None))
    body = scene.add(Body((box(1, 1),), (0, 0, 0), (0, 10, 0)))
    scene.step(60)
    assert (0, 10, 0) == scene.velocity(body)
    assert 10 == pytest.approx(scene.position(body)[1], abs=1e-4)


def test_a_body_that_flies_into_a_corner_stops_at_both_walls():
    scene = DynamicScene()
    scene.add(Body((box(1, 40),), (5, 0, 0), mass=None))
    scene.add(Body((box(40, 1),), (0, 7, 0), mass=None))
    body = scene.add(Body((box(1, 1),), (0, 0, 0), (900, 1100, 0)))
    scene.step(2)
    assert (4, 6, 0) == scene.position(body)
    assert (0, 0, 0) == scene.velocity(body)


def test_the_corner_of_a_box_meets_the_side_it_enters_last():
    scene = DynamicScene()
    scene.add(Body((box(1, 1),), (3, 3, 0), mass=None))
    body = scene.add(Body((box(1, 1),), (0, 0.5, 0), (200, 200, 0)))
    scene.step()
    assert (2, 3.833328247070312, 0) == pytest.approx(scene.position(body), abs=1e-4), "y overlaps first, x stops it"
    assert (0, 200, 0) == scene.velocity(body)


def test_a_ball_that_slides_begins_to_roll_I3():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=0.5)
    body = scene.add(Body((ball(0.5),), (0, 0.5, 0), (6, 0, 0), friction=0.5, moment=0.5 * 1 * 0.25))
    scene.step(90)
    assert 4 == pytest.approx(scene.velocity(body)[0], abs=1e-6), "two thirds, for a disk"
    assert -8 == pytest.approx(scene.state[body]["angular"][2], abs=1e-6)
    assert -8 / 60 == pytest.approx(scene.state[body]["turned"][2], abs=2**-19)
    assert 0 == scene.state[body]["turned"][2] * 2**20 % 1


def test_a_body_that_may_not_turn_does_not():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=0.5)
    body = scene.add(Body((ball(0.5),), (0, 0.5, 0), (6, 0, 0), friction=0.5))
    scene.step(60)
    assert [0, 0, 0] == scene.state[body]["angular"] == scene.state[body]["turned"]


@pytest.mark.parametrize("collides", [True, False], ids=["solid", "trigger"])
def test_a_stack_rests_on_the_bounds_of_the_world_I5(collides):
    scene = DynamicScene(gravity=(0, -10, 0), low=(-(2**40), 0, -(2**40)))
    bodies = [scene.add(Body((box(1, 1),), (0, 0.5 + at, 0), collides=collides)) for at in range(3 if collides else 1)]
    scene.step(40)
    assert [0.5, 1.5, 2.5][: len(bodies)] == [scene.position(body)[1] for body in bodies]
    assert all(map(scene.is_at_rest, bodies))


def test_the_speed_has_a_limit():
    scene = DynamicScene(gravity=(0, -16000, 0))
    body = scene.add(Body((box(1, 1),), (0, 0, 0)))
    scene.step(120)
    assert -(2**14) == scene.velocity(body)[1]


def test_two_bodies_at_the_largest_speed_meet_and_stop():
    scene = DynamicScene()
    first = scene.add(Body((box(1, 1),), (-40, 0, 0), (2**14, 0, 0)))
    second = scene.add(Body((box(1, 1),), (40, 0, 0), (-(2**14), 0, 0)))
    scene.step(3)
    assert (-0.5, 0.5) == (scene.position(first)[0], scene.position(second)[0])
    assert (0, 0) == pytest.approx((scene.velocity(first)[0], scene.velocity(second)[0]), abs=1e-6)


def test_every_part_of_a_body_collides():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor()
    table = scene.add(
        Body((box(4, 1, 1, at=(0, 1, 0)), box(1, 2, 1, at=(-1.5, -0.5, 0)), ball(0.5, at=(1.5, 0, 0))), (0, 4, 0))
    )
    scene.step(90)
    assert 1.5 == scene.position(table)[1], "it stands on its longest leg"
    under = scene.add(Body((box(1, 1),), (0, 0.5, 0), (9, 0, 0), mass=0.001))
    scene.step(2)
    assert scene.position(under)[0] > 0.25


def test_a_bullet_into_a_long_row_passes_no_body_I2():
    scene = DynamicScene()
    row = [scene.add(Body((box(1, 1),), (at * (1 + 4 / UNIT), 0, 0))) for at in range(20)]
    bullet = scene.add(Body((box(1, 1),), (-3, 0, 0), (8000, 0, 0), mass=20.0))
    for _ in range(20):
        scene.step()
        places = [scene.state[body]["position"][0] for body in (bullet, *row)]
        assert all(b - a >= 0.25 * UNIT for a, b in pairwise(places)), "bodies that would pass stay where they are"
    assert 20 * 8000 == pytest.approx(scene.momentum()[0], rel=1e-12)
    assert scene.velocity(row[-1])[0] > 0


# Capsules and turned parts.


def turned(width, height, angle, at=(0, 0, 0)):
    x, y, z = (int(each * UNIT) for each in at)
    halves = int(width * UNIT) // 2, int(height * UNIT) // 2, UNIT // 2
    return part_of(halves, 0, (x, y, z), matrix_of(angle))


def test_a_capsule_lies_on_two_points_and_does_not_tip():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=0.5)
    body = scene.add(Body((Part((-UNIT, 0, 0, UNIT, 0, 0), UNIT // 2),), (0, 2, 0), moment=1.0, friction=0.5))
    scene.step(120)
    assert (0, 0.5, 0) == scene.position(body)
    assert [0, 0, 0] == scene.state[body]["angular"]
    assert scene.is_at_rest(body)
    assert [0, 1] == [record[4] for record in scene.kept.records()]


def test_a_capsule_that_is_hit_at_its_end_turns():
    scene = DynamicScene()
    body = scene.add(Body((Part((0, -UNIT, 0, 0, UNIT, 0), UNIT // 2),), (0, 0, 0), moment=1.0))
    ball_above = scene.add(Body((ball(0.5),), (-3, 1, 0), (8, 0, 0)))
    scene.step(30)
    assert scene.state[body]["angular"][2] < -1, "clockwise, as y grows upwards here"
    assert 8 == pytest.approx(scene.velocity(body)[0] + scene.velocity(ball_above)[0], abs=1e-9)


@pytest.mark.parametrize("angle", [0.3, math.pi / 4, 1.2])
def test_a_turned_box_rests_on_its_corner_if_it_may_not_turn(angle):
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=0.5)
    body = scene.add(Body((turned(2, 1, angle),), (0, 3, 0), friction=0.5))
    scene.step(120)
    assert math.sin(angle) + math.cos(angle) / 2 == pytest.approx(scene.position(body)[1], abs=4 / UNIT)
    assert (0, 0, 0) == scene.velocity(body)
    assert scene.is_at_rest(body)


def test_a_turned_box_that_may_turn_tips_over():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor(friction=0.5)
    body = scene.add(Body((turned(2, 1, 0.3),), (0, 1.5, 0), moment=0.4, friction=0.5))
    scene.step(30)
    assert scene.state[body]["angular"][2] < -0.5


def test_boxes_and_balls_slide_down_a_turned_slope_by_the_closed_form():
    slope, friction = math.radians(20), 0.2
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.add(Body((turned(60, 1, slope),), (0, 0, 0), mass=None, friction=friction))
    body = scene.add(Body((turned(1, 1, slope),), (10, 5, 0), friction=friction))
    scene.step(60)
    before = scene.velocity(body)
    scene.step(30)
    gained = math.dist(before, scene.velocity(body))
    assert 10 * (math.sin(slope) - friction * math.cos(slope)) * 0.5 == pytest.approx(gained, rel=1e-3)


def test_fast_turned_boxes_do_not_pass_through_each_other_whatever_their_ids():
    places = []
    for first, second in ((1, 2), (2, 1)):
        scene = DynamicScene()
        scene.add(Body((turned(1, 1, 0.5),), (0, 0, 0), (900, 20, 0), moment=0.2), first)
        scene.add(Body((turned(0.25, 99, 0.25),), (9, 0, 0), mass=None), second)
        for _ in range(5):
            scene.step()
            x, y, _ = scene.position(first)
            assert (x - 9) * math.cos(0.25) + y * math.sin(0.25) < -0.625, "on this side of the wall"
        assert scene.meetings > 0
        places.append((scene.position(first), scene.velocity(first), scene.state[first]["angular"]))
    assert places[0] == places[1]


@pytest.mark.parametrize("speed", [16 + 2.0**-48, 31 + 2.0**-47 + 2.0**-48, 15 + 2.0**-48, 2.0**-48, 33.1])
def test_a_body_that_meets_nothing_keeps_its_velocity_to_the_bit(speed):
    scene = DynamicScene()
    body = scene.add(Body((box(1, 1),), (0, 0, 0), (speed, -speed, 0)))
    scene.step(3)
    assert (speed, -speed, 0) == scene.velocity(body)
