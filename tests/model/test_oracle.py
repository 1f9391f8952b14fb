"""The oracle: a live world compared with the model of the rules, act by act."""

from __future__ import annotations

from typing import Any

import esper
import pytest
from boards import many, trials
from random_games import RandomGame, can_push_by_id
from worlds import a_crate, a_player, a_system, a_wall, a_zone, fresh_world, part

from ecs_collision import (
    BoxCollider,
    CapsuleCollider,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    Contact,
    Fused,
    Inertia,
    Mass,
    Motion,
    MoveResult,
    Puzzle,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    UnknownEntity,
    Velocity,
)
from ecs_collision.frame_log import FrameLog
from ecs_collision.game import Game
from ecs_collision.levels import parse_level
from ecs_collision.testing import parse_scene, record_scene, scene
from tests.model.oracle import Divergence, check_scene, checked

SETTINGS: dict[str, dict[str, Any]] = {
    "as usual": {},
    "sums, front first": {"rule": "sum", "order": "front_first"},
    "passing, zyx": {"overlap_policy": "leave", "axis_order": "zyx"},
    "short chains, a hook": {"max_chain": 1, "can_push": can_push_by_id},
    "all or nothing": {"all_or_nothing": True},
    "bounds": {"bounds": ((-5, -5), (5, 5))},
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("seed", [7, 8, *many(0), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(100))])
def test_random_games_follow_the_rules(seed, settings):
    with fresh_world():
        game = RandomGame(seed, bodies=12, fusing=seed % 2 == 1, restoring=True, asking=seed % 2 == 0, **settings)
        game.frame()
        with checked(game.system) as oracle:
            frames = trials(16) + 5
            for _ in range(frames):
                game.frame()
        assert oracle.checks >= frames


LEVEL = """
rule: sum
legend
# wall: Static
@ player: Motion(force=1.5)
$ crate: Inertia(1)
_ plate: Trigger(stay=true)
D door: Static

map
########
#@$_   #
#   D  #
########
"""


@pytest.mark.parametrize("make", [Game, Puzzle])
def test_a_puzzle_with_handlers_and_undo_is_checked(make):
    game = make(parse_level(LEVEL))
    game.door("door", opens="plate", by="crate")

    @game.on_enter("plate")
    def act(event: Any) -> None:
        game.set("crate", "Inertia", value=0.5)

    with checked(game) as oracle:
        game.play("RDRR")
        game.undo(2)
        game.play("LU")
    assert oracle.checks > 8
    game.close() if make is Puzzle else None


def test_the_oracle_starts_from_the_current_contacts_and_remainders(world):
    system = a_system()
    player, zone = a_player(0), a_zone(0, linger=2)
    for _ in range(3):
        system.request(player, 0.3)
        esper.process()
    system.move(player, 0.5)
    with checked(system) as oracle:
        for _ in range(5):
            system.request(player, 0.3)
            esper.process()
    assert (oracle.checks, oracle.model.frame) == (5, 8)
    assert system.inside(zone) == []


def test_a_hook_that_reads_positions_is_called_once_per_question(world):
    calls = []

    def only_in_front(pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        calls.append((pusher, pushed))
        return part(player, Transform).x > 0.5

    system = a_system(can_push=only_in_front)
    player, other = a_player(0), a_player(0, 5)
    a_crate(2), a_crate(2, 5)
    with checked(system):
        system.request(player, 1)
        system.request(other, 2)
        esper.process()
    assert calls == [(other, 4)]


def test_the_results_of_an_interrupted_frame_are_accepted_in_the_next(world):
    answers = iter([RuntimeError("no"), None, None])

    def failing_hook(*question: object) -> None:
        answer = next(answers)
        if answer is not None:
            raise answer

    system = a_system(can_push=failing_hook)
    first, second = a_player(0, 9), a_player(0, 0)
    a_crate(1)
    with checked(system) as oracle:
        system.request(first, 3)
        system.request(second, 1)
        with pytest.raises(RuntimeError):
            esper.process()
        esper.process()
        assert sorted(system.results) == [first, second]
        system.request(first, 1)
        esper.process()
    assert oracle.checks == 2


def test_refused_changes_are_no_divergence(system):
    crate = a_crate(1)
    with checked(system) as oracle:
        part(crate, Transform).x = 2.0**36
        with pytest.raises(CollisionValueError):
            esper.process()
        part(crate, Transform).x = 2
        esper.process()
    assert oracle.checks == 1


# Faults in the engine.


def broken_result(self: Any, **changed: Any) -> MoveResult:
    fields = {name: getattr(self, name) for name in MoveResult.__match_args__} | changed
    return MoveResult(**fields)


@pytest.fixture
def pushing(system):
    """A player that pushes a crate into a wall and onto a plate; call it to do so."""
    player, crate = a_player(0, force=2.0), a_crate(1)
    a_wall(5), a_zone(4)

    def push() -> None:
        system.move(player, 1)
        system.request(player, 9)
        esper.process()
        esper.process()

    push.crate = crate  # type: ignore[attr-defined]
    return push


def patched_move(monkeypatch: pytest.MonkeyPatch, **changed: Any) -> None:
    real = CollisionWorld.move
    monkeypatch.setattr(CollisionWorld, "move", lambda *a, **options: broken_result(real(*a, **options), **changed))


def patched_events(monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    real = FrameLog.events
    monkeypatch.setattr(FrameLog, "events", lambda self, *a: change(list(real(self, *a))))


def moved_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a push move the crate a step too far without changing the result."""
    real = CollisionWorld.move

    def move(self: CollisionWorld, *a: Any, **options: Any) -> MoveResult:
        result = real(self, *a, **options)
        self.bodies.columns.pos[3 * self.bodies.row(2)] += 65536
        self.bodies.dirty_transforms.positions[3 * self.bodies.row(2)] += 65536
        return result

    monkeypatch.setattr(CollisionWorld, "move", move)


FAULTS: dict[str, tuple[Any, str]] = {
    "a body too far": (
        moved_wrongly, r"move 1 by \(1, 0.0, 0.0\): .*\n  body 2: expected at \(2.0, 0.0, 0.0\), found at \(3.0, 0.0",
    ),
    "moved": (
        lambda patch: patched_move(patch, moved=(0.5, 0.0, 0.0)),
        r"moved of the motion of body 1: expected \(1.0, 0.0, 0.0\), found \(0.5, 0.0, 0.0\) \(rules P1, P2, P5\)",
    ),
    "an event missing": (
        lambda patch: patched_events(patch, lambda events: [one for one in events if not isinstance(one, TriggerLeft)]),
        r"frame \d: .*\n  the event TriggerLeft: expected \(4, 2, 'MOVED'\), found none \(rules T3 to T5\)",
    ),
    "events in another order": (
        lambda patch: patched_events(patch, lambda events: events[::-1]),
        r"frame 1: .*\n  the order of events: expected \('Moved', 1, .*\), found \('TriggerEntered', 4, .*\(rules T7\)",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("patch", "message"), FAULTS.values(), ids=FAULTS)
def test_a_fault_in_the_engine_is_caught_and_explained(pushing, system, monkeypatch, patch, message):
    patch(monkeypatch)
    with pytest.raises(Divergence, match=message), checked(system):
        pushing()
        part(pushing.crate, Transform).x = 30
        esper.process()


def test_the_unpatched_engine_has_no_divergence(pushing, system):
    with checked(system) as oracle:
        pushing()
        part(pushing.crate, Transform).x = 30
        esper.process()
    assert oracle.checks == 4


def test_a_refused_valid_motion_is_a_divergence(system, monkeypatch):
    def refuse(*a: Any, **options: Any) -> None:
        raise CollisionValueError("no")

    player = a_player(0)
    monkeypatch.setattr(CollisionWorld, "plan", refuse)
    message = r"plan 1 by \(1, 0.5, 0.0\): .*\n  the motion of body 1: expected allowed, found refused: no \(rules"
    with pytest.raises(Divergence, match=message) as raised, checked(system):
        system.plan(player, 1, 0.5, force=3, rule="sum", max_chain=2, all_or_nothing=False)
    assert "; plan was refused: CollisionValueError: no" in raised.value.scene


REFUSED: dict[str, Any] = {
    "a static": lambda system: system.move(1, 1),
    "an unknown entity": lambda system: system.plan(77, 1),
    "not finite": lambda system: system.move(2, float("inf")),
    "no rule": lambda system: system.move(2, 1, rule="all"),
    "an invalid answer": lambda system: system.move(2, 0, 1),
    "written changes": lambda system: (setattr(part(1, Transform), "x", 2.0**36), system.move(2, 1)),
}


@pytest.mark.parametrize("act", REFUSED.values(), ids=REFUSED)
def test_a_refused_invalid_motion_is_no_divergence(world, act):
    system = a_system(can_push=lambda *question: "yes")
    a_wall(5), a_player(0), a_crate(0, 1)
    with checked(system) as oracle:
        with pytest.raises((CollisionValueError, CollisionTypeError, UnknownEntity)):
            act(system)
        part(1, Transform).x = 5
        esper.process()
        system.move(2, 1)
    assert oracle.checks == 2


# Scenes.


def test_contacts_after_steps_of_dynamics_are_compared(monkeypatch):
    world = CollisionWorld()
    world.add(transform=Transform(0, 2), collider=BoxCollider(5, 0.5), static=Static())
    parts = {"velocity": Velocity(), "mass": Mass(1), "contact": Contact()}
    crate = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), **parts)
    with checked(world) as oracle:
        world.apply_impulse(crate, (1, 2))
        for _ in range(9):
            world.step_dynamics(0.25, gravity=(0, 4))
            world.step()
    assert world.contacts(crate)
    assert oracle.checks == 9
    monkeypatch.setattr("ecs_collision.contacts.Triggers.in_contact", lambda self, row: [])
    with pytest.raises(Divergence, match="contacts"), checked(world):
        world.step()


def test_a_scene_with_a_group_and_a_restore_is_checked():
    parts: dict[int, Any] = {1: Inertia(1), 2: Fused(1), 3: Trigger(swept=True)}
    world = scene({id: (Transform(9 * id, 0), BoxCollider(0.5, 0.5), part) for id, part in parts.items()}).world()
    recording = record_scene(world)
    world.move(1, 30)
    data = world.snapshot()
    world.step()
    world.restore(data)
    assert [event.other for event in world.step().events if isinstance(event, TriggerEntered)] == [1, 1]
    assert check_scene(parse_scene(recording.text())).checks == 4


# What is turned and too close to call.


def passing(x: float, y: float, rotation: float, linger: int, z: float = 0) -> tuple[CollisionWorld, int]:
    """Return a world with a swept trigger, a capsule of radius 1.125 that turns about its own axis, and a ball."""
    world = CollisionWorld()
    world.add(
        transform=Transform(0, 0, rotation=rotation),
        collider=CapsuleCollider(1.125, 0.875, axis="z"),
        trigger=Trigger(swept=True, linger=linger),
    )
    return world, world.add(transform=Transform(x, y, z), collider=SphereCollider(0.5), motion=Motion())


@pytest.mark.parametrize(("rotation", "linger"), [(-0.28685428556469805, 0), (0.7, 2)])
def test_a_path_past_a_turned_trigger_too_close_to_call_is_no_divergence_H5_T4(rotation, linger):
    found = set()
    for x, y in ((1.625, -3), (1.625, 0), (0, 1.625), (0.975, 1.3), (1.3, -0.975), (-0.975, -1.3)):
        for motion in ((0, 5), (4, 0), (-1, 4)):
            world, body = passing(x, y, rotation, linger)
            with checked(world) as oracle:
                world.step()
                world.move(body, *motion, force=1.0)
                events = world.step().events
                found.add((bool(oracle.model.undecided), any(isinstance(event, TriggerEntered) for event in events)))
                for _ in range(4):
                    world.step()
                    assert not oracle.model.undecided
            world.check()
    assert {(True, False), (False, True), (False, False)} <= found


# Groups and restores.


def cross(system, asking: bool = True) -> list[tuple[str, int, int]]:
    """Let a body cross a trigger, another linger and a third request a motion; return the expected events."""
    zone, lamp = a_zone(0, swept=True), a_zone(20, linger=3)
    runner, ghost, third = a_player(-5), a_crate(20), a_player(40)
    esper.process()
    part(ghost, Transform).x = 30
    esper.process()
    assert system.inside(lamp) == [ghost]
    system.move(runner, 10)
    system.request(third, 0.1 * asking)
    return [("TriggerEntered", zone, runner), ("TriggerLeft", zone, runner)]


def crossings(system) -> list[tuple[str, int, int]]:
    esper.process()
    found = [event for event in system.events if isinstance(event, TriggerEntered | TriggerLeft)]
    return [(type(event).__name__, event.trigger, event.other) for event in found]


@pytest.mark.parametrize("asking", [True, False], ids=["positions change", "positions stay"])
def test_a_restore_in_the_middle_of_a_frame_continues_like_the_stored_model(system, asking):
    with checked(system) as oracle:
        crossed, data = cross(system, asking), system.snapshot()
        for between in range(4):
            for _ in range(between):
                esper.process()
            system.restore(data)
            assert crossed == crossings(system)
    assert oracle.checks == 2 + 1 + 4 + 6 + 4


def parts_of(world: CollisionWorld, entity: int) -> Any:
    return world.bodies.of(world.bodies.row(entity))


def test_state_lost_by_a_restore_is_a_divergence(system, monkeypatch):
    real = CollisionWorld.restore

    def restore(self: CollisionWorld, data: bytes) -> None:
        real(self, data)
        if self is system._world:
            vars(self).pop("step", None)  # not observed
            parts_of(self, 4).transform.x = 6

    message = r"^back: the rules predict something else\n(.*\n)*.*position of body 4: expected \(30.0, .*\), found"
    with pytest.raises(Divergence, match=message), checked(system):
        cross(system)
        data = system.snapshot()
        esper.process()
        monkeypatch.setattr(CollisionWorld, "restore", restore)
        system.restore(data)
