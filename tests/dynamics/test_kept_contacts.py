"""Impulses kept between steps, as records, and undo (rule I8)."""

from dynamic_scenes import Body, DynamicScene, box

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
