"""The oracle: a live world compared with the model of the rules, act by act."""

from __future__ import annotations

from typing import Any

import esper
import pytest
from boards import many, trials
from random_games import RULES, RandomGame
from worlds import a_crate, a_player, a_system, a_wall, a_zone, fresh_world, part

from ecs_collision import (
    BoxCollider,
    CapsuleCollider,
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
    Velocity,
    frame_log,
)
from ecs_collision.game import Game
from ecs_collision.levels import parse_level
from ecs_collision.testing import parse_scene, record_scene, scene
from tests.model.oracle import Divergence, check_scene, checked


@pytest.mark.parametrize("settings", RULES, ids=lambda rules: ", ".join(rules) or "as usual")
@pytest.mark.parametrize("seed", [7, 8, *many(0, more=100)])
def test_random_games_follow_the_rules(seed, settings):
    with fresh_world():
        game = RandomGame(seed, bodies=12, fusing=seed % 2 == 1, restoring=True, asking=seed % 2 == 0, **settings)
        game.frame()
        with checked(game.system) as oracle:
            frames = trials(16) + 5
            for _ in range(frames):
                game.frame()
        assert oracle.checks >= frames


@pytest.mark.parametrize("seed", [3, 4, 5, *many(0, more=100)])
def test_random_games_with_one_way_bodies_follow_the_rules_M5(seed):
    with fresh_world():
        game = RandomGame(seed, bodies=14, fusing=seed % 2 == 1, restoring=True, asking=True, one_way=True)
        game.frame()
        with checked(game.system) as oracle:
            for _ in range(trials(16) + 5):
                game.frame()
                game.system.check()
        assert oracle.checks >= 5


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


def moved_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a push move the crate a step too far without changing the result."""
    real = CollisionWorld.move

    def move(self: CollisionWorld, *a: Any, **options: Any) -> MoveResult:
        result = real(self, *a, **options)
        self._bodies.columns.pos[8 * self._bodies.row(2)] += 65536
        self._bodies.dirty_transforms.records[4 * self._bodies.row(2)] += 65536
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
        lambda patch: patch.setitem(frame_log._BUILDERS, TriggerLeft, lambda log, frame: ()),
        r"frame \d: .*\n  the event TriggerLeft: expected \(4, 2, 'MOVED'\), found none \(rules T3 to T5\)",
    ),
    "events in another order": (
        lambda patch: patch.setattr(frame_log, "DELIVERY_ORDER", frame_log.DELIVERY_ORDER[::-1]),
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


def test_a_refused_valid_motion_is_a_divergence(system, monkeypatch):
    def refuse(*a: Any, **options: Any) -> None:
        raise CollisionValueError("no")

    player = a_player(0)
    monkeypatch.setattr(CollisionWorld, "plan", refuse)
    message = r"plan 1 by \(1, 0.5, 0.0\): .*\n  the motion of body 1: expected allowed, found refused: no \(rules"
    with pytest.raises(Divergence, match=message) as raised, checked(system):
        system.plan(player, 1, 0.5, force=3, rule="sum", max_chain=2, all_or_nothing=False)
    assert "; plan was refused: CollisionValueError: no" in raised.value.scene


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
    monkeypatch.setattr("tests.model.model.Model.contacts_of", lambda self, entity: [])
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
