"""Regression tests: each of these failed once."""

from __future__ import annotations

import warnings

import esper
import pytest
from worlds import a_system, fresh_world

from ecs_collision import (
    LATTICE,
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    LatticeWarning,
    LeftReason,
    Motion,
    ReentryError,
    Sleeping,
    StopReason,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)


def a_box(half: float = 0.5) -> BoxCollider:
    """Return a square collider with this half extent."""
    return BoxCollider(half, half)


def a_player_and_a_crate(**settings) -> tuple[CollisionWorld, int, int]:
    """Return a world with a player of force 5 that touches a crate."""
    world = CollisionWorld(**settings)
    player = world.add(transform=Transform(0, 0), collider=a_box(), motion=Motion(force=5))
    crate = world.add(transform=Transform(1, 0), collider=a_box(), inertia=Inertia(1))
    return world, player, crate


def at(world: CollisionWorld, entity: int) -> tuple[float, float, float]:
    """Return the position of a body."""
    return world._bodies.transform(world._bodies.row(entity)).position


def trigger_events(world: CollisionWorld, frames: int = 1) -> list[object]:
    """Run frames and return "entered" or the reason of each contact that ended."""
    said: list[object] = []
    for _ in range(frames):
        for event in world.step().events:
            if isinstance(event, TriggerEntered):
                said.append("entered")
            elif isinstance(event, TriggerLeft):
                said.append(event.reason)
    return said


def test_a_plan_is_not_committed_inside_the_hook_P15():
    plans = []

    def hook(pusher, pushed, axis, force):
        plans.pop().commit()

    world, player, crate = a_player_and_a_crate(can_push=hook)
    other = world.add(transform=Transform(0, 9), collider=a_box(), motion=Motion(5))
    plans.append(world.plan(other, 3))
    with pytest.raises(ReentryError, match="can_push"):
        world.move(player, 2)
    assert [at(world, entity)[0] for entity in (player, crate, other)] == [0, 1, 0]
    world.check()


def test_an_interrupt_between_plan_and_commit_has_no_effect(monkeypatch):
    world, player, crate = a_player_and_a_crate()
    world.add(transform=Transform(50, 50), collider=a_box(), trigger=Trigger(swept=True))  # tested at every motion

    def interrupted(legs):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(world._step.triggers.sweeps, "add_motion", interrupted)
        with pytest.raises(KeyboardInterrupt):
            world.move(player, 2, 1)
    world.check()
    assert world.move(player, 2).complete
    assert (at(world, player)[0], at(world, crate)[0]) == (2, 3)
    world.check()


def test_a_crossing_of_a_lingering_contact_is_not_entered_again_T5():
    world, trigger = CollisionWorld(), Trigger(swept=True, linger=5)
    world.add(transform=Transform(0, 0), collider=a_box(), trigger=trigger)
    body = world.add(transform=Transform(0, 0), collider=a_box(), motion=Motion())
    said = trigger_events(world)
    world.move(body, 5)
    said += trigger_events(world)
    trigger.linger = 0
    world.move(body, -10)
    assert [*said, *trigger_events(world, 8)] == ["entered", LeftReason.MOVED]


@pytest.mark.parametrize("linger", [0, 5])
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda collider: setattr(collider, "enabled", False), LeftReason.DISABLED),
        (lambda collider: setattr(collider, "layer", "ghosts"), LeftReason.FILTERED),
    ],
    ids=["disabled", "filtered"],
)
def test_a_crossing_has_the_reason_of_its_end_T3(linger, change, reason):
    world, collider = CollisionWorld(), a_box()
    trigger = world.add(
        transform=Transform(3, 0), collider=a_box(), trigger=Trigger(swept=True, linger=linger, mask="default")
    )
    body = world.add(transform=Transform(0, 0), collider=collider, motion=Motion())
    world.step()
    world.move(body, 6)
    change(collider)
    assert trigger_events(world) == ["entered", reason]
    assert world.inside(trigger) == []


@pytest.mark.once
def test_a_compound_that_grows_part_by_part_leaves_few_free_runs():
    world, parts = CollisionWorld(), [Box(0.5, 0.5)]
    collider = CompoundCollider(parts)
    world.add(transform=Transform(0, 0), collider=collider)
    for number in range(300):
        parts.append(Box(0.5, 0.5, offset=(number % 20, number // 20)))
        collider.parts = parts
        world.apply_changes()
    assert world._bodies.dynamic.boxes.slot_count <= 4 * len(parts)
    world.check()


@pytest.mark.parametrize("field", ["hx", "hy", "hz"])
def test_a_refused_size_leaves_the_old_box_L3(field):
    collider = a_box()
    before = collider._form().boxes
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(LatticeWarning):
            setattr(collider, field, 0.3)
    assert (getattr(collider, field), collider._form().boxes) == (0.5, before)


def test_a_front_first_motion_interrupted_by_the_hook_has_one_result_P16():
    asked = []

    def hook(pusher, pushed, axis, force):
        asked.append(axis)
        if asked == ["y"]:
            raise ValueError("not yet")

    world = CollisionWorld(order="front_first", can_push=hook)
    player = world.add(transform=Transform(0, 0), collider=a_box(), motion=Motion(5))
    crate = world.add(transform=Transform(2, 1), collider=a_box(), inertia=Inertia(1))
    world.request(player, 2, 2)
    with pytest.raises(ValueError, match="not yet"):
        world.step()
    result = world.step().results[player]
    assert (result.requested, result.moved) == ((2, 2, 0), (2, 2, 0))
    assert result.pushed == {crate: (0, 2, 0)}


@pytest.mark.parametrize(("field", "value"), [("linger", 4), ("stay", True), ("swept", True), ("mask", "x")])
def test_a_changed_trigger_wakes_its_body_S4(field, value):
    world, trigger, sleeping = CollisionWorld(), Trigger(linger=1), Sleeping(asleep=True)
    world.add(transform=Transform(0, 0), collider=a_box(), trigger=trigger, sleeping=sleeping)
    world.step()
    setattr(trigger, field, value)
    world.step()
    assert not sleeping.asleep


def test_a_disabled_body_that_moves_along_a_logged_path_crosses_nothing_T4():
    world = CollisionWorld()
    gate = world.add(transform=Transform(3, 0), collider=BoxCollider(0.5, 0.5), trigger=Trigger(swept=True))
    world.add(transform=Transform(9, 0), collider=BoxCollider(0.5, 0.5), trigger=Trigger(swept=True))
    runner = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(force=1))
    ghost = world.add(transform=Transform(0, 9), collider=BoxCollider(0.5, 0.5, enabled=False), motion=Motion(force=1))
    world.step()
    world.request(runner, dx=6)
    world.request(ghost, dx=6)
    trigger_events = [(type(event).__name__, event.trigger, event.other) for event in world.step().events[2:]]
    assert trigger_events == [("TriggerEntered", gate, runner), ("TriggerLeft", gate, runner)]


def test_a_body_without_motion_is_moved_with_force_0():
    world, _, crate = a_player_and_a_crate()
    result = world.move(crate, 3, 1)
    assert (result.force, result.moved, at(world, crate)) == (0, (3, 1, 0), (4, 1, 0))
    assert not world.move(crate, -4, 0).pushed


@pytest.mark.parametrize("sign", [1, -1])
def test_a_body_outside_the_bounds_moves_no_further_than_the_index_P18(sign):
    world = CollisionWorld(bounds=((-2, -2), (2, 2)))
    body = world.add(transform=Transform(0, 5 * sign), collider=a_box(), motion=Motion())
    result = world.move(body, 0, 2**21 * sign)
    assert [(stop.axis, stop.blocker, stop.reason) for stop in result.stops] == [("y", None, StopReason.BOUNDS)]
    assert abs(at(world, body)[1]) == pytest.approx(2**20 - 0.5, abs=LATTICE)
    world.check()
    assert world.move(body, 0, -10 * sign).moved == (0, -10 * sign, 0)


def test_check_ignores_an_id_that_esper_lists_but_that_never_existed_E2():
    with fresh_world():
        system = a_system()
        with pytest.raises(KeyError):
            esper.add_component(999, Transform(1, 1))
        esper.create_entity(Transform(0, 0), a_box())
        system.check()
