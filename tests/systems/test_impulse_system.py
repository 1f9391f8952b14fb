"""`ImpulseSystem`: steps of dynamics in esper, ahead of the CollisionSystem or behind it (rules I1, E4, E5 and T8)."""

from __future__ import annotations

from typing import Any

import esper
import pytest
from worlds import a_system, fresh_world, part, place

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    ImpulseSystem,
    Mass,
    Material,
    MovementSystem,
    ReentryError,
    SetupWarning,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    Velocity,
    WorldError,
)

__all__ = ["fresh_world"]


def a_faller(x: float = 0, y: float = 0, *more: Any) -> int:
    """Create a square with Velocity and Mass."""
    return esper.create_entity(Transform(x, y), BoxCollider(0.5, 0.5), Velocity(), Mass(1), *more)


def test_an_impulse_system_without_its_collision_system_warns_once_E4(world):
    esper.add_processor(ImpulseSystem(CollisionSystem(), gravity=(0, 10)))
    a_faller()
    with pytest.warns(SetupWarning, match=r"was never added to an esper world.*call esper.add_processor\(system\)"):
        esper.process()
    esper.process()  # warnings are errors in this suite


def test_bodies_that_no_step_moves_are_named_I1(world):
    system = a_system()
    body = a_faller()
    esper.create_entity(Transform(9, 0), BoxCollider(1, 1), Static(), Velocity(), Mass(1))
    esper.process()
    esper.process()
    (line,) = [each for each in system.doctor() if "no step has run" in each]
    assert line.entities == (body,)
    assert "call esper.add_processor(ImpulseSystem(system), priority=1), or step_dynamics in each frame" in line
    system.step_dynamics(1 / 60)
    assert "no step has run" not in " ".join(system.doctor())


def test_bodies_of_an_impulse_system_are_not_named_before_its_first_step_I1(world):
    system = a_system()
    a_faller()
    esper.process()
    esper.process()
    esper.add_processor(ImpulseSystem(system))
    assert "no step has run" not in " ".join(system.doctor())


@pytest.mark.parametrize("priority", [1, -1], ids=["ahead", "behind"])
def test_bodies_fall_and_land_ahead_of_the_collision_system_and_behind_it_I1(world, priority):
    system = a_system()
    esper.add_processor(ImpulseSystem(system, gravity=(0, 10)), priority)
    body = a_faller(0, 0)
    esper.create_entity(Transform(0, 3), BoxCollider(2, 0.5), Static())
    for _ in range(90):
        esper.process()
    assert place(body) == pytest.approx((0, 2, 0), abs=0.01)
    assert (system.stats.simulated, system.stats.resting) == (0, 1)
    system.check()


@pytest.mark.parametrize("priority, frames", [(1, 1), (-1, 2)], ids=["ahead", "behind"])
def test_events_follow_in_the_next_frame_of_the_collision_system_P12(world, priority, frames):
    system = a_system()
    esper.add_processor(ImpulseSystem(system, dt=1.0, substeps=1), priority)
    zone = esper.create_entity(Transform(4, 0), BoxCollider(0.5, 0.5), Trigger())
    entered: list[TriggerEntered] = []
    system.on(TriggerEntered, entered.append)
    body = a_faller(0, 0)
    part(body, Velocity).x = 4
    for count in range(1, 3):
        esper.process(0.5, more="arguments")
        assert [(zone, body)] * (count >= frames) == [(event.trigger, event.other) for event in entered][:1]


def test_a_step_applies_what_was_created_and_written_before_it(world):
    system = a_system()
    impulses = ImpulseSystem(system, gravity=(0, 8), dt=0.5, substeps=1)
    body = a_faller()
    impulses.process()
    assert (part(body, Velocity).y, place(body)) == (4.0, (0, 2, 0))
    part(body, Transform).x = 7
    esper.add_component(body, Material(0.5, 0))
    impulses.process()
    assert place(body) == (7, 6, 0)
    esper.remove_component(body, Mass)
    impulses.process()
    assert (part(body, Velocity).y, place(body)) == (8.0, (7, 6, 0))
    esper.delete_entity(body)
    impulses.process()
    esper.process()
    system.check()


def test_the_arguments_are_attributes_that_are_checked_L3(world):
    impulses = ImpulseSystem(a_system())
    assert ((0.0, 0.0, 0.0), None, 4) == (impulses.gravity, impulses.dt, impulses.substeps)
    impulses.gravity, impulses.dt, impulses.substeps = (0, 10), 1 / 30, 2
    assert ((0.0, 10.0, 0.0), 1 / 30, 2) == (impulses.gravity, impulses.dt, impulses.substeps)
    for name, wrong, words in (
        ("gravity", 10, "gravity must be a tuple"),
        ("gravity", (0, float("nan")), "gravity y is nan"),
        ("dt", 0, "dt is 0.0, but it must be from"),
        ("substeps", 0, "substeps is 0, but it must be at least 1"),
        ("substeps", "8", "substeps must be a whole number"),
    ):
        before = getattr(impulses, name)
        with pytest.raises((TypeError, ValueError), match=words):
            setattr(impulses, name, wrong)
        assert before == getattr(impulses, name)


@pytest.mark.parametrize(
    "arguments, named, seconds",
    [((), {}, 1 / 60), ((0.25,), {}, 0.25), ((), {"dt": 0.5}, 0.5), ((9,), {}, 1), (("screen", 3), {}, 1 / 60),
     ((True,), {}, 1 / 60), ((0,), {}, 0), ((0.0625, 1), {"dt": 0.125}, 0.125)],
)  # fmt: skip
def test_a_step_lasts_as_long_as_process_says_E5(world, arguments, named, seconds):
    impulses = ImpulseSystem(a_system())
    esper.add_processor(impulses, 1)
    body = a_faller()
    part(body, Velocity).x = 4
    esper.process(*arguments, **named)
    assert place(body)[0] == pytest.approx(4 * seconds, abs=2**-16)
    impulses.dt = 0.5
    esper.process(*arguments, **named)
    assert place(body)[0] == pytest.approx(4 * seconds + 2, abs=2**-15)
    impulses.dt = None
    with pytest.raises(ValueError, match="process got dt=-1, but a step takes 0 seconds or more"):
        esper.process(-1)


def test_a_movement_system_sets_the_time_of_both_E5(world):
    system = a_system()
    esper.add_processor(MovementSystem(system, rate=8), 2)
    esper.add_processor(ImpulseSystem(system), 1)
    body = a_faller()
    part(body, Velocity).x = 4
    esper.process(0.5)
    assert place(body) == (0.5, 0, 0)


def test_a_second_one_is_refused_I1(world):
    system = a_system()
    impulses = ImpulseSystem(system, gravity=(0, 10))
    esper.add_processor(impulses, 1)
    for second, words in ((impulses, "added again it would"), (ImpulseSystem(system), "a second ImpulseSystem would")):
        with pytest.raises(WorldError, match=rf"moves the bodies .* already; {words} move them twice as fast"):
            esper.add_processor(second, 1)
    body = a_faller()
    esper.process()
    assert part(body, Velocity).y == pytest.approx(1 / 6)
    esper.remove_processor(ImpulseSystem)
    esper.add_processor(ImpulseSystem(system), 1)
    esper.process()
    assert part(body, Velocity).y == pytest.approx(1 / 6)


@pytest.mark.parametrize("wrong", [None, CollisionWorld(), CollisionSystem, 3], ids=str)
def test_it_needs_a_collision_system(world, wrong):
    with pytest.raises(TypeError, match=r"give it the CollisionSystem: ImpulseSystem\(system\)"):
        ImpulseSystem(wrong)


def test_a_missing_system_is_answered_with_what_to_write(world):
    with pytest.raises(TypeError, match="with the CollisionSystem of the same esper world"):
        ImpulseSystem()  # type: ignore[call-arg]


def test_the_class_cannot_be_added_instead_of_an_instance(world):
    with pytest.raises(TypeError, match=r"ImpulseSystem is a class; add an instance"):
        esper.add_processor(ImpulseSystem)  # type: ignore[arg-type]


def test_a_step_in_another_world_is_refused_E4(world):
    system = a_system()
    impulses = ImpulseSystem(system, gravity=(0, 10))
    body = a_faller()
    esper.process()
    esper.switch_world("elsewhere")
    try:
        esper.add_processor(impulses)
        with pytest.raises(WorldError, match="belongs to the esper world"):
            esper.process()
    finally:
        esper.switch_world(world)
        esper.delete_world("elsewhere")
    assert place(body) == (0, 0, 0)


def test_a_handler_may_apply_an_impulse_but_not_take_a_step_T8(world):
    system = a_system()
    impulses = ImpulseSystem(system, gravity=(0, 10))
    body = a_faller(0, 0)
    esper.create_entity(Transform(0, 0), BoxCollider(1, 1), Trigger())
    seen: list[Any] = []

    @system.on(TriggerEntered)
    def kick(event: TriggerEntered) -> None:
        system.apply_impulse(event.other, (3, 0))
        for call in (impulses.process, lambda: system.step_dynamics(1 / 60), lambda: system._world.step_dynamics(1)):
            with pytest.raises(ReentryError, match="a handler of collision events called step_dynamics") as caught:
                call()
            seen.append(caught.value)

    esper.process()
    assert len(seen) == 3
    assert (part(body, Velocity).x, place(body)) == (3.0, (0, 0, 0))
    system.check()
