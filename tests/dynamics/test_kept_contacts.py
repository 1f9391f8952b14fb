"""Impulses kept between steps, as records, and undo (rule I8)."""

from dynamic_scenes import Body, DynamicScene, box
from dynamic_worlds import DOWN, a_square, a_stack, add_dynamic, run

from ecs_collision import BoxCollider, Material, SphereCollider, Static, Transform
from ecs_collision.dynamics.kept_contacts import KeptContacts

RECORDS = [
    (-1, 3, 1, 0, 0, 2.0, 0.0, 0.0, 0.0),
    (1, 2, 0, 0, 0, 1.0, 0.5, 0.0, 0.0),
    (1, 2, 0, 0, 1, 1.5, 0.5, 0.0, 0.25),
    (1, 2, 1, 0, 0, 1.0, 0.0, 0.0, 0.0),
    (2, 9, 0, 0, 0, 3.0, 0.0, -1.0, 0.0),
]


def kept_of(records):
    kept = KeptContacts()
    kept.restore(records)
    return kept


def test_records_are_sorted_and_come_back():
    kept = kept_of(reversed(RECORDS))
    assert RECORDS == kept.records()
    assert 5 == len(kept)
    assert [] == KeptContacts().records()


def test_a_rollback_returns_to_the_mark():
    kept = kept_of(RECORDS)
    mark = kept.mark()
    kept.restore(RECORDS[:1])
    assert RECORDS[:1] == kept.records()
    kept.rollback(mark)
    assert RECORDS == kept.records()


def test_a_mark_outlives_a_step():
    scene = DynamicScene(gravity=(0, -10, 0))
    scene.floor()
    scene.add(Body((box(1, 1),), (0, 0.5, 0)))
    scene.step()
    records, mark = scene.kept.records(), scene.kept.mark()
    scene.gravity = (0, -20, 0)
    scene.step(2)
    assert records != scene.kept.records()
    scene.kept.rollback(mark)
    assert records == scene.kept.records()


def test_contacts_of_bodies_that_are_gone_are_forgotten():
    kept = kept_of(RECORDS)
    kept.forget({1, 3})
    assert RECORDS[4:] == kept.records()
    kept.forget({77})
    assert RECORDS[4:] == kept.records()


def test_a_step_replaces_the_contacts_of_its_dynamic_bodies_and_no_others():
    scene = DynamicScene(gravity=(0, -10, 0))
    floor = scene.floor()
    body = scene.add(Body((box(1, 1),), (0, 0.5, 0)))
    foreign = [(floor, 50, 0, 0, 0, 1.0, 0.0, 0.0, 0.0), (49, 50, 0, 0, 0, 1.0, 0.0, 0.0, 0.0)]
    scene.kept.restore([*foreign, (body, 49, 0, 0, 0, 1.0, 0.0, 0.0, 0.0)])
    scene.step()
    assert [(floor, body), (floor, 50), (49, 50)] == [record[:2] for record in scene.kept.records()]


def test_an_impulse_without_a_contact_is_dropped():
    scene = DynamicScene()
    body = scene.add(Body((box(1, 1),), (0, 0, 0)))
    other = scene.add(Body((box(1, 1),), (3, 0, 0)))
    scene.kept.restore([(body, other, 0, 0, 0, 5.0, 0.0, 0.0, 0.0)])
    scene.step()
    assert [] == scene.kept.records()
    assert (0, 0, 0) == scene.velocity(body)
    assert not scene.is_at_rest(body)


def test_a_contact_that_has_ended_does_not_come_back_when_a_step_searches_again_I8():
    """A ball is hit and reaches a wall that it was far from, so the step is computed again with this pair."""
    world, ids = a_stack(2)
    run(world, 20)
    for x, speed in ((-90, 600), (-88, 0)):
        ball = SphereCollider(0.5)
        add_dynamic(world, x, 0, v=(speed, 0), collider=ball, material=Material(1.0, 0.0))
    world.add(transform=Transform(-81, 0), collider=BoxCollider(0.25, 3), static=Static())
    for entity in ids:
        world.remove(entity)
    world.step_dynamics(1 / 30, substeps=32)
    world.check()
    assert [] == world._step.dynamics.records() == world._step.dynamics.kept.records()


def test_a_world_that_takes_no_steps_remembers_few_removed_bodies_I8():
    world, ids = a_stack(1)
    run(world, 20)
    for number in range(1000):
        world.remove(world.add(100 + number, transform=Transform(5, 0), collider=a_square()))
        assert 68 >= len(world._step.dynamics.removed)
    assert 1 == len(world._step.dynamics.records())
    world.remove(ids[0])
    for number in range(1000):
        world.remove(world.add(2000 + number, transform=Transform(5, 0), collider=a_square()))
    assert [] == world._step.dynamics.records()
    world.step_dynamics(**DOWN)
    world.check()


def test_a_body_that_is_dynamic_now_and_then_is_computed_once_I7():
    world, (stone,) = a_stack(1)
    run(world, 1)
    for number in range(1000):
        world._step.dynamics.candidates.set_dynamic(world.bodies.row(stone), number % 2 == 1)
    world.step_dynamics(**DOWN)
    assert 1 == world.step().stats.simulated
    world.check()
