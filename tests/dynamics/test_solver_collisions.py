"""Two bodies collide: closed forms of momentum, restitution and energy (rules I2 to I4)."""

import math

import pytest
from dynamic_scenes import Body, DynamicScene, ball, box

SHAPES = {"boxes": box(1, 1), "balls": ball(0.5)}


def two_bodies(shape, masses, speeds, restitution=0.0, gap=2.0):
    scene = DynamicScene()
    first = scene.add(Body((SHAPES[shape],), (0, 0, 0), (speeds[0], 0, 0), mass=masses[0], restitution=restitution))
    second = scene.add(Body((SHAPES[shape],), (1 + gap, 0, 0), (speeds[1], 0, 0), mass=masses[1]))
    return scene, first, second


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("masses", [(1, 1), (1, 3), (2, 0.5)], ids=str)
@pytest.mark.parametrize("speeds", [(3, -1), (4, 0), (0, -2), (5, 3)], ids=str)
def test_two_bodies_part_with_the_share_of_speed_that_restitution_leaves_I4(shape, restitution, masses, speeds):
    scene, first, second = two_bodies(shape, masses, speeds, restitution)
    scene.step(120)
    approach, total = speeds[0] - speeds[1], sum(masses)
    common = (masses[0] * speeds[0] + masses[1] * speeds[1]) / total
    assert common - restitution * approach * masses[1] / total == pytest.approx(scene.velocity(first)[0], abs=1e-12)
    assert common + restitution * approach * masses[0] / total == pytest.approx(scene.velocity(second)[0], abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_without_restitution_two_bodies_stay_together_exactly_at_their_faces(shape):
    scene, first, second = two_bodies(shape, (1, 1), (3, 0))
    scene.step(120)
    assert 65536 == scene.state[second]["position"][0] - scene.state[first]["position"][0]
    assert 1.5 == scene.velocity(first)[0] == scene.velocity(second)[0]


def test_bodies_that_part_are_left_alone():
    scene, first, second = two_bodies("boxes", (1, 1), (-1, 2), restitution=1.0, gap=0.0)
    scene.step()
    assert (-1, 2) == (scene.velocity(first)[0], scene.velocity(second)[0])


def test_two_immovable_bodies_are_left_alone_even_if_they_overlap():
    scene = DynamicScene(gravity=(0, -10, 0))
    for x in (0, 0.5):
        scene.add(Body((box(1, 1),), (x, 0, 0), (1, 0, 0), mass=None))
    scene.step()
    assert [0, 0, 0] == scene.state[1]["position"]
    assert (1, 0, 0) == scene.velocity(1)
    assert not scene.is_at_rest(1)


def test_a_step_without_bodies_does_nothing():
    DynamicScene(gravity=(0, -10, 0)).step(2)


@pytest.mark.parametrize("restitution", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_wall_returns_a_body_at_the_share_of_its_speed_I4(shape, restitution):
    scene = DynamicScene()
    scene.add(Body((box(1, 9),), (5, 0, 0), mass=None))
    body = scene.add(Body((SHAPES[shape],), (0, 0, 0), (7, 2, 0), restitution=restitution))
    scene.step(60)
    assert -7 * restitution == pytest.approx(scene.velocity(body)[0], abs=1e-12)
    assert 2 == scene.velocity(body)[1]


def test_a_ball_bounces_to_heights_by_the_square_of_restitution_I4():
    scene = DynamicScene(gravity=(0, -10, 0), substeps=16)
    scene.floor()
    body = scene.add(Body((ball(0.5),), (0, 4.5, 0), restitution=0.5))
    heights, above = [], 0.0
    for _ in range(400):
        before = scene.velocity(body)[1]
        scene.step()
        if before > 0 >= scene.velocity(body)[1]:
            heights.append(scene.position(body)[1] - 0.5)
        above = min(above, scene.position(body)[1] - 0.5)
    assert 0 == above, "it never enters the floor"
    assert [4 / 4, 4 / 16] == pytest.approx(heights[:2], rel=0.03)
    assert (0, 0.5) == (scene.velocity(body)[1], scene.position(body)[1]), "it comes to rest"
    assert scene.is_at_rest(body)


def test_a_bounce_with_restitution_1_never_rises_above_the_start_I4():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor()
    body = scene.add(Body((ball(0.5),), (0, 2, 0), restitution=1.0))
    highest = 0.0
    for _ in range(2000):
        scene.step()
        highest = max(highest, scene.position(body)[1])
    assert 2 >= highest
    assert 1.5 < highest


def test_a_slow_landing_does_not_bounce_I4():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor()
    body = scene.add(Body((box(1, 1),), (0, 0.5, 0), restitution=1.0))
    scene.step(10)
    assert (0, 0.5) == (scene.velocity(body)[1], scene.position(body)[1])


@pytest.mark.parametrize("shape", SHAPES)
def test_the_last_of_a_row_of_equal_bodies_takes_the_speed_of_the_first(shape):
    scene = DynamicScene()
    row = [scene.add(Body((SHAPES[shape],), (2 * at, 0, 0), restitution=1.0)) for at in range(5)]
    scene.state[row[0]]["velocity"] = [6.0, 0.0, 0.0]
    scene.step(120)
    assert [0, 0, 0, 0, 6] == [scene.velocity(body)[0] for body in row]


@pytest.mark.parametrize("shape", SHAPES)
def test_closed_scenes_keep_their_momentum(shape):
    scene = DynamicScene()
    for at in range(24):
        x, y, z = at % 3, at // 3 % 3, at // 9
        velocity = math.sin(at) * 8, math.sin(3 * at + 1) * 8, math.cos(2 * at) * 8
        scene.add(
            Body(
                (SHAPES[shape],),
                (1.5 * x, 1.5 * y, 1.5 * z),
                velocity,
                mass=1 + at % 4,
                moment=math.inf if shape == "boxes" else 0.5,
                restitution=at % 3 / 2,
                friction=at % 2 / 2,
            )
        )
    before = scene.momentum()
    for _ in range(60):
        scene.step()
    assert before == pytest.approx(scene.momentum(), abs=1e-10)
    assert 20 < scene.solver.solve_count + sum(scene.state[body]["velocity"] != [0, 0, 0] for body in scene.bodies)


def test_a_ball_that_spins_off_a_wall_keeps_its_angular_momentum_about_the_point():
    scene = DynamicScene()
    scene.add(Body((box(1, 99),), (3, 0, 0), mass=None, friction=1.0))
    body = scene.add(Body((ball(0.5),), (0, 0, 0), (4, 1, 0), moment=0.125, friction=1.0))
    scene.step(60)
    spin, slide = scene.state[body]["angular"][2], scene.velocity(body)[1]
    # Rolling: the surface stands still. About the point at the wall: m * v * r + I * w stays as it was.
    assert 0 == pytest.approx(slide - -0.5 * spin, abs=1e-9) or 0 == pytest.approx(slide + 0.5 * spin, abs=1e-9)
    assert 1 * 0.5 == pytest.approx(abs(slide * 0.5) + abs(0.125 * spin), abs=1e-9)
