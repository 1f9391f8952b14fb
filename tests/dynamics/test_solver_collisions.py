"""Bodies collide in the solver alone: landings, rows, spin; closed forms are tested in worlds (rules I2 to I4)."""

import pytest
from dynamic_scenes import Body, DynamicScene, ball, box

SHAPES = {"boxes": box(1, 1), "balls": ball(0.5)}


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


def test_a_ball_that_spins_off_a_wall_keeps_its_angular_momentum_about_the_point():
    scene = DynamicScene()
    scene.add(Body((box(1, 99),), (3, 0, 0), mass=None, friction=1.0))
    body = scene.add(Body((ball(0.5),), (0, 0, 0), (4, 1, 0), moment=0.125, friction=1.0))
    scene.step(60)
    spin, slide = scene.state[body]["angular"][2], scene.velocity(body)[1]
    # Rolling: the surface stands still. About the point at the wall: m * v * r + I * w stays as it was.
    assert 0 == pytest.approx(slide - -0.5 * spin, abs=1e-9) or 0 == pytest.approx(slide + 0.5 * spin, abs=1e-9)
    assert 1 * 0.5 == pytest.approx(abs(slide * 0.5) + abs(0.125 * spin), abs=1e-9)
