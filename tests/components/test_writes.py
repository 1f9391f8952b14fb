"""Component writes: values of bound and unbound components, and how `apply_changes` applies writes.

A bound component may store its values outside itself, which must not be visible (L1, L3, P12, T8, E6, E7).
"""

from __future__ import annotations

import copy
import gc
import pickle

import esper
import pytest
from squares import a_square, a_world_with, text_of
from worlds import a_crate, a_player, a_system, a_zone, fresh_world, next_frame, part, place

from ecs_collision import (
    LATTICE,
    BoxCollider,
    CollisionWorld,
    FellAsleep,
    Inertia,
    InvalidChanges,
    LeftReason,
    Motion,
    Sleeping,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    Woke,
)

# -- values of bound and unbound components --------------------------------------------------------------------------

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda component: pickle.loads(pickle.dumps(component)),
    "old pickle": lambda component: pickle.loads(pickle.dumps(component, protocol=2)),
    ".copy()": lambda component: component.copy(),
}


@pytest.mark.parametrize("make_copy", COPIES.values(), ids=COPIES)
def test_a_copy_of_a_bound_transform_has_its_position_and_is_unbound_E6(make_copy):
    transform, motion = Transform(1, 2, 3), Motion(5)
    world = CollisionWorld()
    world.add(transform=transform, collider=a_square(), motion=motion)
    world.add(transform=Transform(9, 9), collider=a_square())
    world.move(1, 2.5)
    copies = [make_copy(transform)]
    assert (3.5, 2, 3) == copies[0].position
    transform.y = 7
    copies.append(make_copy(transform))
    world.step()
    transform.position = (3e6, 0)
    copies.append(make_copy(transform))
    transform.position = (0, 0, 0)
    assert [(3.5, 2, 3), (3.5, 7, 3), (3e6, 0, 3)] == [each.position for each in copies]
    world.step()
    for number, each in enumerate(copies):
        each.position = (number, 50)
    assert not world.pending
    assert (0, 0, 0) == transform.position
    for number, each in enumerate(copies):
        entity = world.add(transform=each, collider=a_square())
        assert [entity] == world.space.at(number, 50, 3)
        world.remove(entity)
    world.check()


def test_a_deep_copy_of_objects_with_a_transform_keeps_its_value():
    transform = Transform(1, 2, 3)
    world = a_world_with(transform)
    world.teleport(1, 4, 5)
    kept = copy.deepcopy({"here": [transform, transform]})
    assert (4, 5, 3) == kept["here"][0].position
    assert kept["here"][0] is kept["here"][1]
    world.teleport(1, 0, 0)
    assert (4, 5, 3) == kept["here"][0].position


def test_values_do_not_change_when_a_body_is_added_or_removed_or_its_world_ends_E6():
    transform = Transform(1.5, -2, 3)
    for _ in range(3):
        world = CollisionWorld()
        other = world.add(transform=Transform(0, 30), collider=a_square())
        entity = world.add(transform=transform, collider=a_square(), motion=Motion(1))
        assert (1.5, -2, 3) == transform.position
        world.move(entity, 2, 1, 0.5)
        assert (3.5, -1, 3.5) == transform.position
        world.remove(entity)
        assert (3.5, -1, 3.5) == transform.position
        transform.x = 1.5
        world.teleport(other, 7, 7)
        newcomer = world.add(transform=Transform(20, 20), collider=a_square())
        assert (1.5, -1, 3.5) == transform.position
        assert ([newcomer], []) == (world.space.at(20, 20), world.space.at(1.5, -1, 3.5))
        entity = world.add(transform=transform, collider=a_square())
        transform.z = 3
        del world
        gc.collect()
        assert (1.5, -1, 3) == transform.position
        transform.position = (1.5, -2)
        assert (1.5, -2, 3) == transform.position


def test_a_component_of_a_removed_body_keeps_a_write_that_was_never_applied_E6(system):
    first, second, third = a_crate(0), a_crate(5), a_crate(9)
    esper.process()
    gone = [part(entity, Transform) for entity in (first, second, third)]
    for number, transform in enumerate(gone):
        transform.position = (100 + number, 7)
    esper.delete_entity(first, immediate=True)
    esper.delete_entity(second)
    esper.remove_component(third, BoxCollider)
    assert [(100, 7, 0), (101, 7, 0), (102, 7, 0)] == [transform.position for transform in gone]
    assert next_frame(system) == []
    assert system.space.overlapping(((-200, -200), (200, 200))) == []
    assert [(100, 7, 0), (101, 7, 0), (102, 7, 0)] == [transform.position for transform in gone]
    esper.add_component(third, a_square())
    assert [third] == system.space.at(102, 7)
    system.check()


def test_a_reused_row_has_no_pending_write_of_its_former_body_E6(system):
    zone = a_zone(0, hx=2, hy=2)
    old = [a_crate(20 + number) for number in range(5)]
    esper.process()
    left_behind = [part(entity, Transform) for entity in old]
    for transform in left_behind:
        transform.position = (0, 0)
    for entity in old:
        esper.delete_entity(entity, immediate=True)
    new = [a_crate(40 + number) for number in range(5)]
    assert next_frame(system) == []
    assert [(40 + number, 0, 0) for number in range(5)] == [place(entity) for entity in new]
    for transform in left_behind:
        transform.position = (0.5, 0.5)
    assert next_frame(system) == []
    assert [] == system.inside(zone)
    part(new[2], Transform).x = 1
    assert next_frame(system) == [("entered", zone, new[2])]
    assert [(0.5, 0.5, 0)] * 5 == [transform.position for transform in left_behind]
    system.check()


def test_components_of_all_kinds_may_swap_at_once_and_their_writes_still_apply_E6(system):
    first, second = a_crate(0, 0, Motion(3), Sleeping(after=5)), a_crate(10, 0, Motion(4), Sleeping(after=9))
    esper.process()
    kinds = [Transform, BoxCollider, Inertia, Motion, Sleeping]
    mine, yours = ([part(entity, kind) for kind in kinds] for entity in (first, second))
    for give, take in zip(mine, yours, strict=True):
        esper.add_component(first, take)
        esper.add_component(second, give)
    esper.process()
    mine[0].x, yours[0].x = 20, 30
    mine[1].hx, yours[1].hx = 2, 3
    mine[2].value, yours[2].value = 7, 8
    mine[3].move(dx=1)
    yours[3].move(dx=2)
    esper.process()
    assert [(32, 0, 0), (21, 0, 0)] == [place(first), place(second)]
    assert [[first], [second]] == [system.space.at(34.5, 0), system.space.at(19.5, 0)]
    pusher = a_player(31.5, 3, force=7.5)
    assert system.move(pusher, dy=-9).stops[0].blocker == first
    system.teleport(pusher, 20.5, 3)
    assert system.move(pusher, dy=-9).pushed == {second: (0, -7, 0)}
    system.check()


def test_a_component_can_change_bodies_while_another_body_is_refused_L3(system):
    """Refused changes unbind nothing: the component still belongs to its body and has the pending write."""
    first = a_crate(0)
    esper.process()
    transform = part(first, Transform)
    transform.x = 5
    esper.delete_entity(first, immediate=True)
    second = esper.create_entity(transform, a_square())
    bad = a_crate(2.0**21)
    for _ in range(2):
        text_of(esper.process, InvalidChanges)
        assert (5, 0, 0) == transform.position
    transform.y = 6
    part(bad, Transform).x = -5
    assert next_frame(system) == []
    assert (5, 6, 0) == place(second)
    assert ([second], [bad]) == (system.space.at(5, 6), system.space.at(-5, 0))
    system.check()


# -- applying writes -------------------------------------------------------------------------------------------------


def test_of_several_writes_the_last_applies_for_each_field_P12():
    transform = Transform(1, 2, 3)
    world = a_world_with(transform, Transform(50, 50))
    transform.position = (10, 20)
    transform.x = 11
    transform.z = 4
    transform.y = 21
    assert [1] == world.space.at(11, 21, 4)
    frame = world.step()
    assert (1, []) == (frame.stats.moved, frame.events)
    transform.x = 99
    transform.position = (11, 21, 4)
    assert 0 == world.step().stats.moved
    assert [1] == world.space.at(11, 21, 4)
    world.check()


def test_a_write_of_one_coordinate_keeps_the_others_as_a_motion_left_them_P12():
    transform, crate = Transform(0, 0), Transform(2, 0)
    world = CollisionWorld()
    player = world.add(transform=transform, collider=a_square(), motion=Motion(5))
    pushed = world.add(transform=crate, collider=a_square(), inertia=Inertia(1))
    world.move(player, 3, 1)
    crate.y = 0.25
    transform.x = 0.25
    assert [(0.25, 1, 0), (4, 0.25, 0)] == [transform.position, crate.position]
    world.move(player, 3.5)
    assert [(3.75, 1, 0), (4.75, 0.25, 0)] == [transform.position, crate.position]
    world.check()
    assert [[player], [pushed]] == [world.space.at(3.75, 1.25), world.space.at(4.75, 0)]


def test_a_write_of_the_same_value_does_not_displace_but_disturbs_the_body_S2():
    transforms = [Transform(5, 0), Transform(9, 0)]
    world = CollisionWorld()
    for transform in transforms:
        world.add(transform=transform, collider=a_square(), sleeping=Sleeping(after=3))
    zone = world.add(transform=Transform(5, 0), collider=a_square(), trigger=Trigger())
    reported = []
    for frame in range(1, 8):
        if frame == 3:
            transforms[0].x = 5
            transforms[0].position = (5, 0)
        reported.append([type(event) for event in world.step().events])
        assert 0 == world.stats.moved
        assert 0 == world.stats.bin_changes or frame == 1
    asleep = {number: kinds.count(FellAsleep) for number, kinds in enumerate(reported, 1) if FellAsleep in kinds}
    assert {4: 1, 6: 1} == asleep
    assert [1] == world.inside(zone)
    world.check()


def test_a_write_of_the_same_value_does_not_wake_and_another_value_does_S4():
    transform, sleeping = Transform(5, 0), Sleeping(asleep=True, after=2)
    world = CollisionWorld()
    entity = world.add(transform=transform, collider=a_square(), sleeping=sleeping)
    world.step()
    transform.position = (5, 0)
    assert ([], True) == (world.step().events, sleeping.asleep)
    transform.x = 5 + LATTICE / 4
    assert ([], True) == (world.step().events, sleeping.asleep)
    transform.x = 5 + LATTICE
    assert [Woke(world.frame_number + 1, entity)] == world.step().events
    assert not sleeping.asleep
    transform.x = 5 + LATTICE
    assert [[], [], [FellAsleep(world.frame_number + 3, entity)]] == [world.step().events for _ in range(3)]
    world.check()


def test_writes_out_of_range_are_all_listed_and_none_applied_until_corrected_L3():
    transforms = [Transform(number * 3, 0) for number in range(5)]
    world = a_world_with(*transforms)
    zone = world.add(transform=Transform(40, 0), collider=a_square(), trigger=Trigger())
    world.step()
    cells, version = list(world.space.cells), world.version
    transforms[3].position = (3e6, -4e6)
    transforms[0].position = (40, 0)
    transforms[1].z = 2e6
    expected = (
        "3 changes cannot be applied:\n"
        "  - entity 2: Transform.z is 2000000.0, which puts its BoxCollider outside the range of this world, "
        "+-1048576 at bin_size 1; move it inside, or give the world a larger bin_size\n"
        "  - entity 4: Transform.x is 3000000.0, which puts its BoxCollider outside the range of this world, "
        "+-1048576 at bin_size 1; move it inside, or give the world a larger bin_size\n"
        "  - entity 4: Transform.y is -4000000.0, which puts its BoxCollider outside the range of this world, "
        "+-1048576 at bin_size 1; move it inside, or give the world a larger bin_size"
    )
    for call in (world.step, lambda: world.space.at(0, 0), world.apply_changes, lambda: world.move(5, 1), world.check):
        assert expected == text_of(call, InvalidChanges)
        assert [(40, 0, 0), (3, 0, 2e6), (6, 0, 0), (3e6, -4e6, 0)] == [t.position for t in transforms[:4]]
        assert world.pending
        assert version == world.version
    transforms[1].z = 0
    assert 2 == len(text_of(world.step, InvalidChanges).split("entity 4")[1:])
    transforms[3].position = (9, 0)
    transforms[0].position = (0, 0)
    assert cells == list(world.space.cells)
    assert [] == world.step().events
    transforms[0].position = (40, 0)
    assert [TriggerEntered(world.frame_number + 1, zone, 1)] == world.step().events
    world.check()


@pytest.mark.parametrize("bin_size", [0.5, 1.0, 4.0, 2.0**16])
def test_the_range_ends_at_the_face_of_the_box_to_the_unit_B2(bin_size):
    edge = bin_size * 2**20
    last = {1: edge - 0.5 - LATTICE, -1: 0.5 - edge}  # a face on the upper edge would be in the first bin outside
    for axis in range(3):
        for sign in (1, -1):
            transform = Transform(0, 0)
            world = a_world_with(transform, bin_size=bin_size)
            spot = [0.0, 0.0, 0.0]
            spot[axis] = last[sign]
            transform.position = spot
            assert [1] == world.space.at(*spot)
            spot[axis] += sign * LATTICE
            transform.position = spot
            fault = f"entity 1: Transform.{'xyz'[axis]} is {spot[axis]!r}"
            assert fault in text_of(world.apply_changes, InvalidChanges)
            transform.position = (0, 0, 0)
            assert [1] == world.space.at(0, 0)
            world.check()


def test_a_write_while_another_world_is_current_applies_in_its_own_E4():
    with fresh_world() as one, fresh_world() as two:
        esper.switch_world(one)
        first = a_system()
        zone, crate = a_zone(0), a_crate(9)
        esper.process()
        transform, motion = part(crate, Transform), a_player(0, 20)
        moved = part(motion, Motion)
        esper.process()
        esper.switch_world(two)
        second = a_system()
        bystander = a_crate(9)
        esper.process()
        transform.x = 0.25
        moved.move(dx=4)
        assert [[], []] == [next_frame(second), second.events]
        assert [bystander] == second.space.at(9, 0)
        esper.switch_world(one)
        assert next_frame(first) == [("entered", zone, crate)]
        assert (4, 20, 0) == place(motion)


@pytest.mark.parametrize("first", ["position", "collider"])
def test_a_position_written_after_other_fields_is_applied_by_itself(first):
    """The kind of a write is cleared when it is applied, so the next write is handled by its own kind."""
    transform, collider = Transform(0, 0), a_square()
    world = CollisionWorld()
    world.add(transform=transform, collider=collider)
    zone = world.add(transform=Transform(20, 0), collider=a_square(), trigger=Trigger(mask="ghost"))
    steps = [lambda: setattr(transform, "x", 20), lambda: setattr(collider, "layer", "ghost")]
    reported = [world.step().events]
    for write in steps if first == "position" else reversed(steps):
        write()
        reported.append(world.step().events)
    assert [[], [], [TriggerEntered(3, zone, 1)]] == reported
    collider.layer = "default"
    assert [TriggerLeft(4, zone, 1, LeftReason.FILTERED)] == world.step().events
    transform.x = 0
    collider.layer = "ghost"
    assert [] == world.step().events
    transform.x = 20
    assert [TriggerEntered(6, zone, 1)] == world.step().events
    transform.x = 0
    assert [TriggerLeft(7, zone, 1, LeftReason.MOVED)] == world.step().events
    world.check()


def test_a_write_refused_during_delivery_loses_no_event_L3(system):
    zones, body = [a_zone(0), a_zone(0.5)], a_crate(5)
    esper.process()
    reported = []
    system.on(TriggerEntered, lambda event: reported.append(event.trigger))
    system.on(TriggerEntered, lambda event: setattr(part(body, Transform), "x", 9e6), trigger=zones[0])
    part(body, Transform).x = 0.25
    esper.process()
    assert zones == reported
    assert f"entity {body}: Transform.x is 9000000.0" in text_of(esper.process, InvalidChanges)
    part(body, Transform).x = 0.5
    assert next_frame(system) == []
    assert [[body], [body]] == [system.inside(zone) for zone in zones]
    system.check()


def test_a_closed_system_ignores_writes_and_its_components_keep_their_values_E6(system):
    crate, player = a_crate(2), a_player(0)
    system.move(player, dx=3)
    transform = part(crate, Transform)
    transform.y = 8
    system.close()
    assert (4, 8, 0) == transform.position
    transform.x = 50
    again = a_system()
    assert [crate] == again.space.at(50, 8)
    transform.x = 60
    assert [crate] == again.space.at(60, 8)
    again.check()


def test_components_outlive_a_system_that_was_dropped_with_its_esper_world_E6():
    with fresh_world():
        with fresh_world():
            a_system()
            crate = a_crate(2)
            esper.process()
            transform = part(crate, Transform)
            transform.x = 3
        gc.collect()
        assert (3, 0, 0) == transform.position
        transform.position = (4, 4)
        world = a_world_with(transform)
        assert [1] == world.space.at(4, 4)
