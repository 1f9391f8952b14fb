"""Triggers and fused bodies: a group of solid members is one body, reported as its root (rules T)."""

from __future__ import annotations

import itertools

import esper
import pytest
from worlds import a_crate, a_player, a_zone, next_frame, part

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    Fused,
    Motion,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)


def fuse(entity: int, to: int) -> None:
    esper.add_component(entity, Fused(to))


def free(entity: int) -> None:
    esper.remove_component(entity, Fused)


def write(entity: int, x: float, y: float = 0.0) -> None:
    part(entity, Transform).position = (x, y)


def test_a_group_enters_with_its_first_member_and_leaves_with_its_last(system):
    zone = a_zone(5, stay=True)
    one = a_player(0)
    two = a_crate(1, 0, Fused(one))
    assert next_frame(system) == []
    said_of = {}
    for x in range(1, 10):
        part(one, Motion).move(1)
        said_of[x] = next_frame(system)
        assert system.inside(zone) == ([one] if 3 < x < 6 else [])
    entered, left = [("entered", zone, one)], [("left", zone, one, "MOVED")]
    assert said_of == {4: entered, 5: [("stayed", zone, one)], 6: left} | {x: [] for x in (1, 2, 3, 7, 8, 9)}
    assert two not in system.inside(zone)
    system.check()


def test_members_that_swap_places_in_a_trigger_are_one_body_that_stays(system):
    zone = a_zone(0, stay=True)
    one, two = a_crate(0), a_crate(5)
    fuse(two, one)
    assert next_frame(system) == [("entered", zone, one)]
    write(one, 5)
    write(two, 0)
    assert next_frame(system) == [("stayed", zone, one)]
    system.check()


# -- Sensors. -------------------------------------------------------------------------------------------------------


def test_a_sensor_moves_with_its_group_and_does_not_report_it(system):
    crate = a_player(0)
    sensor = a_zone(1, 0, Fused(crate), hx=1, touching=True)
    other, lamp = a_crate(6), a_zone(4, mask=())
    assert next_frame(system) == []
    part(crate, Motion).move(4)
    assert next_frame(system) == [("entered", sensor, other)]
    assert part(sensor, Transform).position == (5, 0, 0)
    part(crate, Motion).move(-4)
    assert next_frame(system) == [("left", sensor, other, "MOVED")]
    assert system.inside(sensor) == system.inside(lamp) == []
    system.check()


def test_a_sensor_reports_its_group_before_it_is_fused_and_after_it_is_split_off(system):
    crate, more = a_crate(0), a_crate(0.5)
    fuse(more, crate)
    sensor = a_zone(0)
    assert next_frame(system) == [("entered", sensor, crate)]
    fuse(sensor, more)
    assert next_frame(system) == [("left", sensor, crate, "FILTERED")]
    free(sensor)
    assert next_frame(system) == [("entered", sensor, crate)]
    fuse(crate, sensor)
    assert next_frame(system) == [("left", sensor, crate, "FILTERED")]
    assert system.inside(sensor) == []
    system.check()


def test_fused_triggers_are_reported_by_their_own_ids(system):
    crate = a_crate(0)
    sensor = a_zone(5, 0, Fused(crate), layer="alarm")
    second = a_zone(5.5, 0, Fused(sensor), layer="alarm", mask="alarm")
    watch = a_zone(5, 0, mask="alarm")
    assert next_frame(system) == [("entered", watch, sensor), ("entered", watch, second)]
    assert system.inside(watch) == [sensor, second]
    esper.delete_entity(second)
    assert next_frame(system) == [("left", watch, second, "DELETED")]
    system.check()


def test_a_trigger_may_be_the_root_and_name_a_group(system):
    sensor = a_zone(9, 9)
    crate = a_crate(0, 0, Fused(sensor))
    zone = a_zone(0)
    assert next_frame(system) == [("entered", zone, sensor)]
    assert system.inside(zone) == [sensor]
    write(crate, 5)
    assert next_frame(system) == [("left", zone, sensor, "MOVED")]
    system.check()


# -- Fusing and splitting. ------------------------------------------------------------------------------------------


@pytest.fixture
def trio(system: CollisionSystem) -> tuple[CollisionSystem, int, int, int]:
    """A plate at 0 and two crates, the first of them on it."""
    zone, one, two = a_zone(0), a_crate(0), a_crate(5)
    assert next_frame(system) == [("entered", zone, one)]
    return system, zone, one, two


def test_fusing_to_a_root_that_was_inside_gives_no_event(trio):
    system, zone, one, two = trio
    fuse(two, one)
    assert next_frame(system) == []
    assert system.inside(zone) == [one]
    free(two)
    assert next_frame(system) == []


def test_fusing_under_another_root_ends_one_contact_and_begins_another(trio):
    system, zone, one, two = trio
    fuse(one, two)
    assert next_frame(system) == [("left", zone, one, "FILTERED"), ("entered", zone, two)]
    assert system.inside(zone) == [two]
    free(one)
    assert next_frame(system) == [("left", zone, two, "MOVED"), ("entered", zone, one)], "its shape is another"
    system.check()


def test_two_bodies_inside_become_one(trio):
    system, zone, one, two = trio
    write(two, 0.5)
    assert next_frame(system) == [("entered", zone, two)]
    fuse(two, one)
    assert next_frame(system) == [("left", zone, two, "FILTERED")]
    free(two)
    assert next_frame(system) == [("entered", zone, two)]


def test_a_body_that_leaves_as_it_is_fused_enters_nothing(trio):
    system, zone, one, two = trio
    fuse(one, two)
    write(one, 9)
    assert next_frame(system) == [("left", zone, one, "FILTERED")]
    assert next_frame(system) == []


def test_fusing_and_splitting_between_two_frames_gives_no_event(trio):
    """T1: events depend only on the end of the frame, with or without queries in between (T8)."""
    system, zone, one, two = trio
    fuse(one, two)
    system.space.pairs()
    free(one)
    system.space.pairs()
    assert next_frame(system) == []
    fuse(one, two)
    free(one)
    assert next_frame(system) == []
    assert system.inside(zone) == [one]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_group_that_is_deleted_leaves_once(system, order):
    zone, group = a_zone(0), [a_crate(0.1 * x) for x in range(3)]
    for index in order[1:]:
        fuse(group[index], group[order[0]])
    root = group[order[0]]
    assert next_frame(system) == [("entered", zone, root)]
    for entity in group:
        esper.delete_entity(entity)
    assert next_frame(system) == [("left", zone, root, "DELETED")]
    assert next_frame(system) == []
    system.check()


def test_a_member_that_is_disabled_splits_the_group_and_comes_back(trio):
    system, zone, one, two = trio
    three = a_crate(0.25)
    fuse(two, one)
    fuse(three, two)
    assert next_frame(system) == []
    part(two, BoxCollider).enabled = False
    assert next_frame(system) == [("entered", zone, three)]
    part(one, BoxCollider).enabled = False
    assert next_frame(system) == [("left", zone, one, "DISABLED")]
    part(two, BoxCollider).enabled = True
    assert next_frame(system) == [("left", zone, three, "FILTERED"), ("entered", zone, two)]
    part(one, BoxCollider).enabled = True
    assert next_frame(system) == [("left", zone, two, "FILTERED"), ("entered", zone, one)]
    system.check()


def test_lingering_stays_with_the_root_and_ends_with_its_name(system):
    zone = a_zone(0, linger=3)
    one, two = a_crate(0), a_crate(5)
    fuse(two, one)
    assert next_frame(system) == [("entered", zone, one)]
    write(one, 9)
    next_frame(system)
    free(two)
    assert [next_frame(system) for _ in range(3)][-1] == [("left", zone, one, "MOVED")]
    write(one, 0)
    next_frame(system)
    write(one, 9)
    next_frame(system)
    fuse(one, two)
    assert next_frame(system) == [("left", zone, one, "FILTERED")]
    assert system.inside(zone) == []
    system.check()


@pytest.mark.parametrize("linger", [0, 2])
def test_contacts_continue_when_the_first_group_is_fused_and_the_last_is_split(system, linger):
    """Lingering contacts continue when the first group is fused and when the last is split."""
    zone, body = a_zone(0, linger=linger), a_crate(0)
    far, further = a_crate(20), a_crate(30)
    assert next_frame(system) == [("entered", zone, body)]
    write(body, 9)
    assert next_frame(system) == ([] if linger else [("left", zone, body, "MOVED")])
    fuse(far, further)
    reported = [next_frame(system) for _ in range(2)]
    assert reported == ([[], [("left", zone, body, "MOVED")]] if linger else [[], []])
    write(body, 0)
    assert next_frame(system) == [("entered", zone, body)]
    write(body, 9)
    next_frame(system)
    free(far)
    reported = [next_frame(system) for _ in range(2)]
    assert reported == ([[], [("left", zone, body, "MOVED")]] if linger else [[], []])
    system.check()


def test_a_handler_bound_to_the_root_gets_the_events_of_every_member(system):
    heard = []
    zone, one = a_zone(0), a_crate(5)
    two = a_crate(6, 0, Fused(one))
    system.on(TriggerEntered, heard.append, other=one)
    write(two, 0)
    next_frame(system)
    assert [(event.trigger, event.other) for event in heard] == [(zone, one)]


# -- Crossings. -----------------------------------------------------------------------------------------------------


def test_a_group_crosses_a_swept_trigger_as_one_body(system):
    zone = a_zone(5, swept=True)
    one = a_player(0)
    a_crate(1, 0, Fused(one))
    apart = a_crate(-4, 0, Fused(one))
    next_frame(system)
    part(one, Motion).move(20)
    reported = next_frame(system)
    assert reported == [("entered", zone, one), ("left", zone, one, "MOVED")] * 2
    write(apart, 0)
    write(one, 2)
    next_frame(system)
    part(one, Motion).move(9)
    assert next_frame(system) == [("entered", zone, one), ("left", zone, one, "MOVED")]


def test_a_sensor_is_crossed_by_the_body_that_pushes_it(system):
    """The player moves from 0 to 5 before it meets the crate at 6, and passes the sensor at 3 on its path."""
    player, crate = a_player(0), a_crate(6)
    sensor = a_zone(3, 0, Fused(crate), swept=True)
    next_frame(system)
    part(player, Motion).move(20)
    assert next_frame(system) == [("entered", sensor, player), ("left", sensor, player, "MOVED")]
    assert part(player, Transform).x == 20
    assert part(sensor, Transform).x == 18


def test_a_sensor_is_not_crossed_by_bodies_that_move_with_it(system):
    player, crate = a_player(0), a_crate(1)
    sensor = a_zone(5, 0, Fused(player), swept=True)
    next_frame(system)
    part(player, Motion).move(20)
    assert next_frame(system) == []
    part(player, Motion).move(-20)
    assert next_frame(system) == [("entered", sensor, crate), ("left", sensor, crate, "MOVED")]


def test_check_accepts_a_member_that_was_just_given_a_trigger():
    """Its contact has the name of the group until the frame ends it."""
    world = CollisionWorld()
    zone = world.add(transform=Transform(5, 0), collider=BoxCollider(0.5, 0.5), trigger=Trigger())
    root = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5))
    member = world.add(transform=Transform(5, 0), collider=BoxCollider(0.5, 0.5), fused=Fused(root))
    world.step()
    world._stage(member, world._bodies.of(world._bodies.row(member))._replace(trigger=Trigger()))
    world.check()
    left = [event for event in world.step().events if isinstance(event, TriggerLeft)]
    assert [(zone, root)] == [(event.trigger, event.other) for event in left]
    world.check()
