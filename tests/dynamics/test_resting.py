"""Stacks rest: nothing creeps, trembles or sinks (rules I2 to I7)."""

from __future__ import annotations

import pytest
from impulse_worlds import add, ball, cube, floor, run, state

from ecs_collision import BoxCollider, CollisionWorld, FellAsleep, Woke

STACKS = {
    "equal": [1.0] * 10,
    "heavier to the top": [float(mass) for mass in range(1, 11)],
    "lighter to the top": [float(mass) for mass in range(10, 0, -1)],
    "by turns": [1.0, 50.0] * 5,
}
LONG = [600, pytest.param(10_000, marks=pytest.mark.soak)]


def a_stack(world: CollisionWorld, masses: list[float], sign: int = 1, **more: object) -> list:
    """Add a floor, or a ceiling with the sign -1, and a stack that touches it."""
    add(world, (0.0, 1.0 * sign), BoxCollider(50, 1), static=True)
    return [add(world, (0.0, -sign * (number + 0.5)), mass=mass, **more) for number, mass in enumerate(masses)]


@pytest.mark.parametrize("frames", LONG)
@pytest.mark.parametrize("sign", [1, -1], ids=["standing", "hanging"])
@pytest.mark.parametrize("masses", STACKS.values(), ids=STACKS)
def test_a_stack_of_ten_boxes_rests_I6(masses, sign, frames):
    world = CollisionWorld()
    stack = a_stack(world, masses, sign)
    before = [body.position for body in stack]
    for frame in range(frames):
        run(world, 1, gravity=(0.0, 10.0 * sign))
        assert before == [body.position for body in stack], f"frame {frame}"
    assert [(0.0, 0.0, 0.0)] * 10 == [body.velocity for body in stack]


@pytest.mark.parametrize("bounce", [0.0, 1.0])
def test_a_resting_stack_of_material_that_bounces_does_not_tremble_I4(bounce):
    world = CollisionWorld()
    stack = a_stack(world, [1.0] * 5, bounce=bounce)
    before = [body.position for body in stack]
    run(world, 300, gravity=(0.0, 10.0))
    assert before == [body.position for body in stack]


@pytest.mark.parametrize("masses", STACKS.values(), ids=STACKS)
def test_a_stack_that_was_dropped_comes_to_rest_and_does_not_sink_I6(masses):
    world = CollisionWorld()
    floor(world)
    stack = [add(world, (0.0, -0.75 - 1.25 * number), mass=mass) for number, mass in enumerate(masses)]
    run(world, 600, gravity=(0.0, 10.0))
    rest = state(stack)
    run(world, 300, gravity=(0.0, 10.0))
    assert rest == state(stack), "it rests"
    for number, body in enumerate(stack):
        assert pytest.approx(-0.5 - number, abs=2.0**-16 * (number + 1)) == body.position[1]


@pytest.mark.parametrize("masses", STACKS.values(), ids=STACKS)
def test_a_stack_falls_asleep_as_one_and_wakes_as_one_I7(masses):
    world = CollisionWorld()
    stack = a_stack(world, masses, sleeping=True)
    ids = [body.id for body in stack]
    fell = []
    for _ in range(1200):  # until the impulses do not change to the bit, which takes long with masses of 1 and 50
        world.step_dynamics(1 / 60, gravity=(0.0, 10.0))
        fell.append([event.entity for event in world.step().events if isinstance(event, FellAsleep)])
    assert [ids] == [each for each in fell if each], "all in one frame, and once"
    stack[-1].moving.x = 4.0
    world.step_dynamics(1 / 60, gravity=(0.0, 10.0))
    assert ids == [event.entity for event in world.step().events if isinstance(event, Woke)]
    fell = []
    for _ in range(1500):
        world.step_dynamics(1 / 60, gravity=(0.0, 10.0))
        fell += [event.entity for event in world.step().events if isinstance(event, FellAsleep)]
    assert ids == sorted(fell)


def test_a_body_that_lands_on_a_sleeping_stack_wakes_all_of_it_I7():
    world = CollisionWorld()
    stack = a_stack(world, [1.0] * 4, sleeping=True)
    run(world, 100, gravity=(0.0, 10.0))
    asleep = [world.bodies.of(world.bodies.row(body.id)).sleeping.asleep for body in stack]
    assert [True] * 4 == asleep
    add(world, (0.0, -4.75), mass=1.0)
    woke = []
    for _ in range(40):
        world.step_dynamics(1 / 60, gravity=(0.0, 10.0))
        woke.append([event.entity for event in world.step().events if isinstance(event, Woke)])
    assert [[body.id for body in stack]] == [each for each in woke if each]


def test_a_resting_stack_falls_when_the_floor_is_removed_I7():
    world = CollisionWorld()
    ground = floor(world)
    stack = [add(world, (0.0, -0.5 - number), mass=1.0, sleeping=True) for number in range(3)]
    run(world, 60, gravity=(0.0, 10.0))
    before = [body.position for body in stack]
    world.remove(ground.id)
    run(world, 30, gravity=(0.0, 10.0))
    assert all(now[1] > then[1] + 1.0 for now, then in zip((body.position for body in stack), before, strict=True))


def test_a_resting_stack_follows_a_change_of_gravity_I7():
    world = CollisionWorld()
    floor(world)
    stack = [add(world, (0.0, -0.5 - number), mass=1.0, sleeping=True) for number in range(3)]
    run(world, 60, gravity=(0.0, 10.0))
    run(world, 30, gravity=(0.0, -10.0))
    assert all(body.position[1] < -0.5 - number - 1.0 for number, body in enumerate(stack))


@pytest.mark.parametrize("collider", [cube(0.5), ball(0.5)], ids=["cubes", "balls"])
def test_a_single_body_rests_exactly_I3(collider):
    world = CollisionWorld()
    floor(world)
    body = add(world, (0.0, -0.5), collider, mass=3.7)
    run(world, 200, gravity=(0.0, 9.81))
    assert ((0.0, -0.5, 0.0), (0.0, 0.0, 0.0)) == (body.position, body.velocity)
