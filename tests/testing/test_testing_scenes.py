"""Scene files: written, read and replayed."""

from __future__ import annotations

import math
import pathlib
import random
import re
from collections.abc import Callable
from typing import Any

import esper
import pytest
from boards import many, trials
from dynamic_worlds import play, random_world
from random_games import RULES, RandomGame
from worlds import a_box, a_crate, a_player, a_system, a_wall, a_zone, fresh_world, part

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    CompoundCollider,
    Contact,
    Fused,
    ImpulseSystem,
    Inertia,
    LevelError,
    Lifetime,
    Mass,
    Motion,
    MovementSystem,
    OrientedBox,
    OrientedBoxCollider,
    Overlapped,
    Path,
    Puzzle,
    Sleeping,
    Sphere,
    Static,
    Transform,
    Trigger,
    Velocity,
)
from ecs_collision.__main__ import main
from ecs_collision.debug.instrument import world_of
from ecs_collision.game import Game
from ecs_collision.levels import parse_level
from ecs_collision.testing import scene_reading
from ecs_collision.testing.scene_pictures import Camera
from ecs_collision.testing.scene_reading import load_scene, parse_scene
from ecs_collision.testing.scene_recording import record_scene, write_scene
from ecs_collision.testing.scene_replay import Player
from ecs_collision.testing.scenes import Scene, scene

CELLAR = """
title: The cellar
rule: sum
legend
# wall: Static
@ player: Motion(force=1.5)
$ crate: Inertia(1)
_ plate: Trigger
D door: Static

map
########
#@$_   #
#   D  #
########
"""


def played(text: str) -> Player:
    """Return the player of a scene all of which came as recorded."""
    player = Player(parse_scene(text))
    assert [each.problem for each in player.play() if each.problem] == []
    assert player.end_problem() is None
    player.world.check()
    return player


def snapshot(world: CollisionWorld) -> bytes:
    """Return the state without events that a system has not delivered."""
    world._undelivered = ()
    return CollisionWorld.snapshot(world)


@pytest.mark.parametrize("settings", RULES, ids=lambda rules: ", ".join(rules) or "as usual")
@pytest.mark.parametrize("seed", many(2))
def test_a_replayed_random_game_ends_in_the_same_bytes(seed, settings):
    """Overlaps are subscribed to at some time, and no longer at another."""
    with fresh_world():
        game = RandomGame(seed, fusing=seed % 2 == 1, **settings)
        subscription = game.system.on(Overlapped, lambda event: None)
        for _ in range(seed % 3):
            game.frame()
        with record_scene(game.system) as recording:
            for _ in range(trials(20) + 4):
                if game.chance(0.2):
                    subscription.cancel()
                if game.chance(0.3):
                    subscription = game.system.on(Overlapped, lambda event: None)
                game.frame()
            text = recording.text("a game at random")
        assert snapshot(game.system._world) == snapshot(played(text).world)


@pytest.mark.parametrize("subscribed", ["before the first frame", "before the recording", "later", "by esper"])
def test_overlaps_reported_in_a_recording_are_reported_in_the_replay(subscribed):
    with fresh_world():
        system = a_system()
        wall, crate = a_wall(5), a_crate(0)

        def subscribe(when: str) -> None:
            if when == subscribed:
                system.on(Overlapped, lambda event: None)

        subscribe("before the first frame")
        if subscribed == "before the first frame":
            recording = record_scene(system)
            esper.process()
        else:
            esper.process()
            subscribe("before the recording")
            recording = record_scene(system)
        subscribe("later")
        if subscribed == "by esper":
            esper.set_handler("collision_overlapped", print)
        with recording:
            esper.process()
            system.teleport(crate, 5.5, 0)
            esper.process()
            text = recording.text()
        assert text.count(f"= Overlapped(a={min(wall, crate)}, b={max(wall, crate)})") == 1
        assert snapshot(system._world) == snapshot(played(text).world)


def test_overlaps_known_anew_after_a_cancelled_subscription_are_so_in_the_replay(system):
    a_wall(5)
    crate = a_crate(0)
    first = system.on(Overlapped, lambda event: None)
    esper.process()
    recording = record_scene(system)
    system.teleport(crate, 5.5, 0)
    first.cancel()
    system.on(Overlapped, lambda event: None)
    esper.process()
    text = recording.text()
    assert "\nforget overlaps\ntrack overlaps\n" in text
    assert "= Overlapped" not in text
    assert snapshot(system._world) == snapshot(played(text).world)


@pytest.mark.parametrize("make", [Game, Puzzle])
def test_a_puzzle_with_doors_undo_and_restart_is_replayed(make):
    game = make(parse_level(CELLAR))
    game.door("door", opens="plate", by="crate")
    recording = record_scene(game)
    game.play("RDRR")
    game.undo(3)
    game.turn("L")
    game.restart()
    game.play("RR")
    text = recording.text()
    assert "\nback to " in text
    with game.in_world() if make is Puzzle else fresh_world():
        assert snapshot(world_of(game)) == snapshot(played(text).world)
    if make is Puzzle:
        game.close()


@pytest.mark.parametrize("seed", many(4))
def test_a_replayed_world_of_moving_bodies_ends_in_the_same_bytes(seed):
    chances = random.Random(seed)
    world, ids = random_world(seed)
    world.step_dynamics(1 / 60, gravity=(0, 10))
    recording = record_scene(world)
    for _ in range(trials(40) + 10):
        if chances.random() < 0.4:
            play(world, ids, chances)
        world.step_dynamics(1 / 60, gravity=(0, 10))
        if chances.random() < 0.8:
            world.step()
    text = recording.text()
    assert snapshot(world) == snapshot(played(text).world)


# Acts of a game: (act, text in the file).


def _replace_components(system: Any, ids: dict[str, int]) -> None:
    esper.add_component(ids["player"], Motion(force=0.5, priority=2, rule="sum", max_chain=3, all_or_nothing=True))
    esper.remove_component(ids["crate"], Inertia)
    esper.process()


def _replace_all_components(system: Any, ids: dict[str, int]) -> None:
    parts = [one.copy() for one in esper.components_for_entity(ids["crate"])]
    for one in parts:
        esper.add_component(ids["crate"], one)
    esper.process()


def _make_requests(system: Any, ids: dict[str, int]) -> None:
    system.request(ids["player"], 0.1, 1e-7)
    system.request(ids["player"], 0.2)
    esper.process()
    system.request(ids["player"], 0.1, -1e-7)
    esper.process()


def _remove_motion_after_request(system: Any, ids: dict[str, int]) -> None:
    system.request(ids["player"], 1)
    esper.remove_component(ids["player"], Motion)
    esper.process()


def _commit_plan(system: Any, ids: dict[str, int]) -> None:
    plan = system.plan(ids["player"], 1.5, force=3, rule="sum", max_chain=2, all_or_nothing=False)
    plan.commit()
    esper.process()


def _disable_and_enable(system: Any, ids: dict[str, int]) -> None:
    part(ids["crate"], BoxCollider).enabled = False
    system.space.pairs()
    part(ids["crate"], BoxCollider).enabled = True
    esper.process()


def _write_same_values(system: Any, ids: dict[str, int]) -> None:
    for _ in range(2):
        esper.process()
        part(ids["sleeper"], Sleeping).asleep = True
        part(ids["crate"], Inertia).x = part(ids["crate"], Inertia).x
        part(ids["crate"], Transform).x = part(ids["crate"], Transform).x
    esper.process()


def _restore_snapshots(system: Any, ids: dict[str, int]) -> None:
    before = system.snapshot()
    system.move(ids["player"], 1)
    system.request(ids["player"], 1)
    during = system.snapshot()
    esper.process()
    part(ids["crate"], Inertia).value = 0.5
    system.restore(before)
    esper.process()
    system.restore(during)
    esper.process()


def _change_shapes(system: Any, ids: dict[str, int]) -> None:
    shape = CompoundCollider([Box(0.1, 1 / 3), Box(5e-324, 2, offset=(0.7, 0, 1))], layer='a "b" ; =', mask=["x", "5"])
    esper.add_component(ids["wall"], shape)
    esper.remove_component(ids["wall"], BoxCollider)
    esper.create_entity(Transform(3, 9), shape.copy(), Inertia(x=3.0), Sleeping(after=2), Motion(force=float("inf")))
    esper.process()
    shape.parts = shape.parts[:1]
    esper.process()


def _turn_shapes(system: Any, ids: dict[str, int]) -> None:
    parts = [Sphere(0.1), Capsule(1 / 3, 0, "z", (1, 2, 3), 0.1), OrientedBox(1, 2, rotation=(0, 0, 3, 4))]
    turning = Transform(3, 9, rotation=(1, 2, 3, 4e-300))
    esper.create_entity(turning, CompoundCollider(parts))
    esper.add_component(ids["wall"], CapsuleCollider(0.25, 1 / 3, axis="x"))
    esper.remove_component(ids["wall"], BoxCollider)
    esper.process()
    turning.rotation = 0.1
    part(ids["wall"], Transform).rotation = -math.pi
    part(ids["wall"], CapsuleCollider).radius = 0.75
    esper.process()
    turning.rotation = None
    turning.x = 4
    esper.process()


def _fuse_and_delete(system: Any, ids: dict[str, int]) -> None:
    esper.add_component(ids["crate"], Fused(ids["player"]))
    system.move(ids["player"], 0.5)
    esper.process()
    esper.delete_entity(ids["crate"], immediate=True)
    esper.process()


def _cause_refusals(system: Any, ids: dict[str, int]) -> None:
    part(ids["crate"], Transform).x = 2.0**36
    for call in (esper.process, lambda: system.move(ids["player"], 1)):
        with pytest.raises(CollisionValueError):
            call()
    part(ids["crate"], Transform).x = 1
    with pytest.raises(CollisionTypeError):
        system.move(ids["player"], "far")
    esper.process()


def _run_idle_frames(system: Any, ids: dict[str, int]) -> None:
    for _ in range(9):
        esper.process()
    system.request(ids["player"], 1)
    for _ in range(4):
        esper.process()


def _step_movement(system: Any, ids: dict[str, int]) -> None:
    esper.add_processor(MovementSystem(system, gravity=(0, 10), rate=4), priority=1)
    lift = esper.create_entity(
        Transform(20, 3), BoxCollider(0.5, 0.5), Motion(2), Velocity(), Path([(20, 3), (20, -2.3)], 3.7, loop="back")
    )
    crate = esper.create_entity(Transform(20, 1.5), BoxCollider(0.5, 0.5), Inertia(1), Lifetime(4))
    for _ in range(3):
        esper.process()
    part(lift, BoxCollider).layer = "b"
    part(lift, Path).speed = 2.5
    for _ in range(3):
        esper.process()
    assert not esper.entity_exists(crate)


def _step_dynamics(system: Any, ids: dict[str, int]) -> None:
    esper.add_processor(ImpulseSystem(system, gravity=(0, 10), dt=0.25, substeps=9), priority=1)
    components = Velocity(), Mass(2, moment=0.5), Contact(), OrientedBoxCollider(0.5, 0.5)
    ball = esper.create_entity(Transform(9, -1.5), *components)
    for _ in range(3):
        esper.process()
    system.apply_impulse(ball, (1, -8, 0), (9, -1, 0.5))
    esper.process()
    part(ball, Velocity).y = 0.5
    part(ball, OrientedBoxCollider).layer = "b"
    for _ in range(3):
        esper.process()


ACTIONS: dict[str, tuple[Callable[[Any, dict[str, int]], None], str]] = {
    "components are added and removed": (
        _replace_components,
        "give 1: Motion(force=0.5, priority=2, rule=sum, max_chain=3",
    ),
    "all components are replaced": (
        _replace_all_components,
        "add 2 at 1.0 0.0 0.0: BoxCollider(hx=0.5, hy=0.5), Inertia(value=1.0)",
    ),
    "requests with remainders": (_make_requests, "request 1 by 0.30000000000000004 1e-07 0.0"),
    "a Motion with a request is removed": (_remove_motion_after_request, "take 1: Motion"),
    "a plan is committed": (
        _commit_plan,
        "move 1 by 1.5 0.0 0.0: force=3, rule=sum, max_chain=2, all_or_nothing=false",
    ),
    "disabled and enabled between frames": (_disable_and_enable, "write 2: BoxCollider(hx=0.5, hy=0.5, enabled=false)"),
    "writes of the same value": (_write_same_values, "  write 5: Sleeping(asleep=true"),
    "restored snapshots": (_restore_snapshots, "back to 2"),
    "numbers and texts of every kind": (_change_shapes, r'layer="a \"b\" ; =", mask=["5", x])'),
    "shapes that turn": (_turn_shapes, "  turn 3 to -3.141592653589793\n"),
    "fused and deleted": (_fuse_and_delete, "give 2: Fused(to=1)"),
    "steps of dynamics": (_step_dynamics, "step dynamics: dt=0.25, gravity=[0.0, 10.0, 0.0], substeps=9"),
    "steps of movement": (_step_movement, "step movement: dt=0.25, gravity=[0.0, 10.0, 0.0]"),
    "refusals": (_cause_refusals, "; frame was refused: InvalidChanges: entity 2"),
    "idle frames": (_run_idle_frames, "frames 9"),
}


@pytest.mark.parametrize(("action", "message"), ACTIONS.values(), ids=ACTIONS)
def test_every_act_of_a_game_is_written_and_replayed(world, action, message):
    system = a_system()
    ids = {"player": a_player(0), "crate": a_crate(1), "wall": a_wall(9), "zone": a_zone(2, 0, linger=2)}
    ids["sleeper"] = a_box(0, 5, Sleeping(asleep=True, after=2))
    recording = record_scene(system)
    action(system, ids)
    text = recording.text()
    assert message in text
    assert snapshot(system._world) == snapshot(played(text).world)


def test_a_recording_started_late_contains_contacts_remainders_and_quiet_frames(world):
    system = a_system()
    player, zone = a_player(0), a_zone(0, linger=3)
    sleeper = a_box(9, 9, Sleeping(after=5))
    for _ in range(3):
        system.request(player, 0.3)
        esper.process()
    recording = record_scene(system)
    part(zone, Trigger).mask = ()
    for _ in range(6):
        esper.process()
    text = recording.text()
    assert "\nstart\n" in text
    assert "TriggerLeft(trigger=2, other=1, reason=FILTERED)" in text
    assert f"FellAsleep(entity={sleeper})" in text
    assert snapshot(system._world) == snapshot(played(text).world)


def test_restoring_a_snapshot_older_than_the_recording_is_replayed(world):
    system = a_system()
    player, zone = a_player(0), a_zone(1, linger=2)
    esper.process()
    before = system.snapshot()
    system.move(player, 1)
    esper.process()
    recording = record_scene(system)
    system.restore(before)
    system.request(player, 1)
    esper.process()
    text = recording.text()
    assert "\nback\n  RUNTQ1NOQVAE" in text
    assert snapshot(system._world) == snapshot(played(text).world)
    assert system.inside(zone) == [player]


def test_answers_of_can_push_are_replayed_without_the_hook(world):
    answers = iter([True, False, None])
    system = a_system(can_push=lambda *question: next(answers))
    player = a_player(0, force=2.0)
    for x in (1, 2, 3):
        a_crate(x, inertia=5.0)
    recording = record_scene(system)
    system.move(player, 1)
    text = recording.text()
    assert "  asked 1 2 x 2.0: true\n  asked 2 3 x 2.0: false\n" in text
    assert snapshot(system._world) == snapshot(played(text).world)
    other = Player(parse_scene(text.replace("asked 2 3 x 2.0: false", "asked 2 9 x 2.0: false")))
    assert "can_push(2, 3, 'x', 2.0) was not called in the recording" in next(iter(other.play())).outcome


def test_a_missing_call_of_can_push_is_a_difference(world):
    system = a_system(can_push=lambda *question: True)
    player = a_player(0, force=2.0)
    a_crate(1)
    recording = record_scene(system)
    system.move(player, 1)
    system.request(player, 1)
    esper.process()
    text = recording.text()
    asked = "  asked 1 2 x 2.0: true\n"
    assert text.count(asked) == 2
    for more, question in (
        (asked + asked, "(1, 2, 'x', 2.0)"),
        (asked + "  asked 7 8 y 1.0: none\n", "(7, 8, 'y', 1.0)"),
    ):
        problems = [each.problem for each in Player(parse_scene(text.replace(asked, more))).play()]
        assert [problem is None for problem in problems] == [False, True, False]
        for problem in (problems[0], problems[2]):
            assert f'found "can_push{question} was called only in the recording"' in problem


def test_a_hook_that_raises_interrupts_the_replayed_frame_too(world):
    def failing_hook(pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        if axis == "y" and not is_forgiving:
            raise RuntimeError("no")
        return None

    is_forgiving: list[int] = []
    system = a_system(can_push=failing_hook)
    player, rival = a_player(0), a_player(0, 5)
    a_crate(1), a_crate(0, 6)
    recording = record_scene(system)
    system.request(player, 1)
    system.request(rival, 0.5, 1)
    with pytest.raises(RuntimeError):
        esper.process()
    is_forgiving.append(1)
    esper.process()
    text = recording.text()
    assert "  asked 2 4 y 5.0: raises\n  = can_push raised\n" in text
    assert snapshot(system._world) == snapshot(played(text).world)


def test_last_changes_and_requests_are_in_the_file(system):
    player, crate = a_player(0), a_crate(1)
    recording = record_scene(system)
    system.move(player, 0.5)
    part(crate, Transform).x = 7
    system.request(player, 1)
    for text in (recording.text(), recording.text()):
        assert text.count("\n  place 2 at 7.0 0.0 0.0\nrequest 1 by 1.0 0.0 0.0\n\nend\n") == 1
    recording.stop()
    stopped = recording.text()
    assert snapshot(system._world) == snapshot(played(stopped).world)
    system.move(player, 5)
    assert stopped == recording.text()


def test_the_final_state_of_a_closed_world_is_unknown(world):
    system = a_system()
    recording = record_scene(system)
    player = a_player(0)
    system.move(player, 0.5)
    system.close()
    esper.add_processor(system)
    text = recording.text()
    assert "; the final state is unknown: the system was closed" in text
    assert played(text).world._bodies.transform(0).x == 0.5


# Programs.


def test_a_world_is_written_and_loaded_for_debugging(system, tmp_path):
    crate = a_crate(1.5, -2, layer="box")
    a_wall(3, -2)
    path = write_scene(system, tmp_path / "room.scene", "why does it\nnot move?")
    assert path.read_text(encoding="utf-8").startswith(
        "ecs_collision scene 1\n; why does it\n; not move?\n;\n; at the start:\n"
    )
    loaded = load_scene(path)
    assert (loaded.acts, loaded.name) == ((), str(path))
    world = loaded.world()
    assert world.move(crate, 5, force=2).stops[0].blocker == 2
    assert loaded.world().move(crate, 5, force=2).moved == (0.5, 0.0, 0.0)
    with fresh_world():
        esper.create_entity()
        other, entities = loaded.spawn()
        assert entities == {1: 2, 2: 3}
        assert other.move(entities[crate], 5, force=2).stops[0].blocker == 3


def test_the_repr_of_a_scene_recreates_it():
    bodies = {1: (Transform(0, 1), BoxCollider(0.5, 0.5), Motion(force=2)), 7: (Transform(2, 0), BoxCollider(1, 1))}
    made = scene(bodies, rule="sum")
    names = {kind.__name__: kind for kind in (Transform, BoxCollider, Motion)} | {"scene": scene}
    assert repr(made) == repr(eval(repr(made), names))
    assert made.world().state_hash() == eval(repr(made), names).world().state_hash()


def test_a_scene_refuses_a_body_without_a_collider():
    with pytest.raises(CollisionValueError, match=r"body 4 of the scene lacks a Transform or a collider; add both"):
        scene({4: (Transform(0, 0),)})


def test_replay_prints_the_remarks_at_the_head_of_a_file(tmp_path, capsys):
    game = Game(parse_level(CELLAR))
    recording = record_scene(game)
    game.turn("R")
    path = recording.save(tmp_path / "room.scene", "how far\ndoes it go?")
    remarks = ("how far", "does it go?", "names: 1 is wall, 2 is player, 3 is crate, 4 is plate, 5 is door")
    assert remarks == load_scene(path).remarks
    assert load_scene(write_scene(load_scene(path), tmp_path / "again.scene")).remarks == remarks
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[1:4] == [*remarks]


def test_the_first_picture_shows_the_state_before_the_first_act(system):
    recording = record_scene(system)
    player = a_player(0)
    a_crate(2)
    system.move(player, 3)
    text = recording.text()
    began, ended = text.index("; at the start:\n; ┏1━┓    ┌2─┐"), text.index("; at the end:\n; ┏1━┓┌2─┐")
    assert 0 < began < ended


def test_visible_bodies_stay_in_the_picture_and_keep_their_letters():
    world = a_scene_of_three().world()
    camera = Camera()
    before = camera.picture(world)
    assert before.endswith("x from -0.5 to 5.5, y from -0.5 down to 0.5; a is 10")
    world.teleport(1, 2, 0)
    world._bodies.of(world._bodies.row(10)).collider.enabled = False
    after = camera.picture(world)
    assert after.split("\n")[0] == "        ┏1━┓    ▒2▒▒"
    assert after.endswith("x from -0.5 to 5.5, y from -0.5 down to 0.5")


def test_a_picture_of_a_wide_world_shows_the_movable_bodies():
    world = a_scene_of_three().world()
    world.teleport(2, 5000, 0)
    assert Camera().picture(world).startswith("┏1━┓\n┗━━┛\nx from -0.5 to 0.5")
    for id in (1, 10):
        world.remove(id)
    assert "2" in Camera().picture(world)
    world.remove(2)
    assert Camera().picture(world) == "no body is enabled"


def a_scene_of_three() -> Scene:
    """Return a player, a wall at 4, and another wall with a two-digit number."""
    parts: dict[int, tuple[float, Any]] = {1: (0, Motion(1)), 2: (4, Static()), 10: (5, Static())}
    return scene({id: (Transform(x, 0), BoxCollider(0.5, 0.5), part) for id, (x, part) in parts.items()})


# Invalid files.


def a_file() -> str:
    """Return a scene with every kind of line."""
    world = CollisionWorld(rule="sum", bounds=((-9, -9), (9, 9)), can_push=lambda *question: None)
    for id, x in ((1, 0.0), (2, 1.0)):
        world.add(id, transform=Transform(x, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(2), inertia=Inertia(1))
    world.add(3, transform=Transform(2, 0), collider=BoxCollider(0.5, 0.5), trigger=Trigger(linger=1))
    world.add(4, transform=Transform(0, 5), collider=BoxCollider(0.5, 0.5), velocity=Velocity(), mass=Mass(1))
    world.step()
    world.reports_overlaps = True
    recording = record_scene(world)
    world.move(1, 0.5, force=1.5)
    world.step()
    snapshot_data = world.snapshot()
    world._bodies.transform(world._bodies.row(2)).x = 4
    world.request(1, 0.25)
    world.step()
    world.restore(snapshot_data)
    world.reports_overlaps = False
    world.remove(3)
    world.step()
    world.step()
    world.step_dynamics(0.25)
    world.apply_impulse(4, (2, 0), (0, 4.5))
    world.step_dynamics(0.25)
    return recording.text()


FILE = a_file()


def test_the_undamaged_file_is_valid():
    played(FILE)
    for word in (
        "settings: ", "can_push: yes", "track overlaps", "start", "take in", "request 1", "keep 1", "back to 1",
        "forget overlaps", "frames 1", "step dynamics: dt=0.25",
        "impulse 4 by 2.0 0.0 0.0 at 0.0 4.5 0.0\n  = Velocity(x=2.0)\n",
    ):  # fmt: skip
        assert f"\n{word}" in FILE
    assert "  asked 1 2 x 1.5: none" in FILE


DAMAGES: dict[str, tuple[str, str, str]] = {
    "a wrong first line": (r"scene 1", "scene 2", r":1: found 'ecs_collision scene 2'; expected the first line"),
    "an unknown setting": (r"settings: .*", "settings: speed=3", r"found 'speed'; expected each of 'bin_size', 'rule'"),
    "invalid setting": (r"rule=sum", "rule=some", r"found rule is 'some'; it must be .*; expected valid settings of"),
    "a second settings line": (r"(settings: .*)", r"\1\n\1", r"found 'settings: .*; expected 'settings: ...', 'can_pu"),
    "overlaps twice": (r"(track overlaps)", r"\1\n\1", r"found 'track overlaps'; expected 'settings: ...', 'can_pu"),
    "other overlaps": (r"forget overlaps", "lose overlaps", r"found 'lose overlaps'; expected an act, one of 'take in"),
    "invalid bounds": (r"bounds=\[.*\]", "bounds=[1, [2]]", r"found bounds lo is 1; it must be a tuple"),
    "a start without base64": (r"start\n  ", "start\n  ?", r"found text that is not base64; expected the bytes"),
    "a damaged start": (r"start\n  RUNTQ1", "start\n  RUNTQ0", r":1: found these bytes are not a snapshot"),
    "a start with other bodies": (r"\n1 at .*", "", r":1: found the snapshot is of another world: entity 1"),
    "a start unlike the bodies": (r"\n1 at 0.0", "\n1 at 5.0", r"found body 1 at 5.0 0.0 0.0: .*, and in 'start' at"),
    "a body twice": (r"(\n1 at .*)", r"\1\1", r"found a second body 1; expected each once"),
    "a huge id": (r"\n1 at", "\n9999999999999999999 at", r"found 9999999999999999999; expected a body, at most 46"),
    "a position without a number": (r"\n1 at 0.0", "\n1 at zero", r"found 'zero 0.0 0.0: .*; expected the position x"),
    "a position beyond the lattice": (r"\n1 at 0.0", "\n1 at 1e18", r"found the position x is 1e\+18, but it must be"),
    "a position outside this world": (r"\n1 at 0.0", "\n1 at 1e9", r":1: found entity 1: Transform.x is 1000000000.0"),
    "an unknown component": (r"Inertia\(", "Weight(", r"found 'Weight' where a component belongs; expected one of"),
    "an unknown field": (r"\(force=2.0\)", "(power=2.0)", r"Motion has no field 'power'; it has 'force', 'p"),
    "a negative number": (r"hx=0.5", "hx=-0.5", r"BoxCollider.hx is -0.5, but it must not be negative"),
    "a text for a number": (r"hx=0.5", "hx=wide", r"BoxCollider.hx must be a number, not 'wide'"),
    "a component twice": (r"(Inertia\(value=1.0\))", r"\1, \1", r"found a second Inertia; expected one of each kind"),
    "no collider": (r"BoxCollider\(hx=0.5, hy=0.5\), I", "I", r"found a body without a collider, or with a Transform"),
    "Python": (r"\(force=2.0\)", "(force=__import__('os').getpid())", r"found '\(.*; expected ',|expected"),
    "an unknown act": (r"\nkeep 1", "\njump 1", r"found 'jump 1'; expected an act, one of 'take in', 'req"),
    "an act with too many words": (r"\nkeep 1", "\nkeep 1 2", r"found '2'; expected the end of the line"),
    "a negative body": (r"\nmove 1 ", "\nmove -1 ", r"found '-1 by 0.5 0.0 0.0: force=1.5'; expected a body, a whol"),
    "a nan": (r"by 0.5", "by nan", r"found 'nan 0.0 0.0: force=1.5'; expected the displacement x, a"),
    "an unknown option": (r"force=1.5", "strength=1.5", r"found 'strength'; expected each of 'force', 'rule'"),
    "invalid question": (r"asked 1 2", "asks 1 2", r"found 'asks 1 2 x 1.5: none'; expected '= an outcome'"),
    "a step without dt": (r"dt=0.25, ", "", r"found dt must be a number, not None; give an int or a float"),
    "a long step": (r"dt=0.25", "dt=9", r"found dt is 9.0, but it must be from 2\*\*-20 to 1"),
    "a step of what": (r"substeps=4", "speed=4", r"found 'speed'; expected each of 'dt', 'gravity', 'substeps'"),
    "no impulse": (r"impulse 4 by 2.0 0.0 0.0 .*", "impulse 4 by 2.0", r"found the end of the line; expected the im"),
    "an impulse nowhere": (r" at 0.0 4.5 0.0\n", " at 0.0 4.5\n", r"found the end of the line; expected the point z"),
    "an unknown change": (r"\n  place 2", "\n  put 2", r"found 'put 2 at 4.0 0.0 0.0'; expected one of 'add', "),
    "an unknown snapshot": (r"back to 1", "back to 7", r"found back to 7; expected the number of a 'keep' above"),
    "huge count": (r"\nframes 1", "\nframes 999999999", r"found 999999999; expected the number of frames, at most 20"),
    "too many frames": (r"\nframes 1", "\nframes 199999\nframes 9", r"found more than 200000 acts or frames; expected"),
    "a control character": (r"move 1", "move \x1b1", r"found the control character U\+001B; expected printable text"),
    "a missing last line": (r"\ndone\n$", "\n", r"found the end of the file; expected the last line 'done'"),
    "lines after the end": (r"\ndone\n", "\ndone\nmove 1 by 1 0 0\n", r"found 'done'; expected 'done' as the last lin"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_refused_with_line_and_remedy(old, new, message):
    text = re.sub(old, new, FILE, count=1)
    assert text != FILE
    with pytest.raises(LevelError, match=message) as refusal:
        parse_scene(text, "room.scene")
    assert refusal.value.line is not None
    assert str(refusal.value).startswith(f"room.scene:{refusal.value.line}:")
    assert refusal.value.remedy
    assert len(str(refusal.value)) < 700


def test_a_truncated_file_is_refused():
    text = FILE.rstrip("\n")
    line_ends = {at for at, letter in enumerate(text) if letter == "\n"}
    for end in sorted({*range(0, len(text) - 1, 19), *line_ends}):
        with pytest.raises(LevelError):
            parse_scene(text[:end])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("move 1 by 0.5", "move 1 by 0.75",
         "(move): expected '1 moved 0.5 0.0 0.0 of 0.5 0.0 0.0', found '1 moved 0.75 0.0 0.0 of 0.75 0.0 0.0'"),
        ("by 2.0 0.0 0.0 at", "by 3.0 0.0 0.0 at",
         "(impulse): expected 'Velocity(x=2.0)', found 'Velocity(x=3.0)'"),
        ("= 4 at 0.5 5.0 0.0:", "= 4 at 0.25 5.0 0.0:",
         "(dynamics): expected '4 at 0.25 5.0 0.0: Velocity(x=2.0)', found '4 at 0.5 5.0 0.0: Velocity(x=2.0)'"),
        ("= all bodies are at rest", "= 4 at 1.0 5.0 0.0",
         "(dynamics): expected '4 at 1.0 5.0 0.0', found 'all bodies are at rest'"),
    ],
)  # fmt: skip
def test_a_changed_number_is_the_first_difference(old: str, new: str, problem: str):
    assert FILE.count(old) == 1
    player = Player(parse_scene(FILE.replace(old, new)))
    problems = [each.problem for each in player.play() if each.problem]
    line = FILE[: FILE.index(old)].count("\n") + (old[0] != "=")
    assert problems[0] == f"line {line} {problem}"


def test_a_file_above_the_limits_is_refused(monkeypatch):
    monkeypatch.setattr(scene_reading, "MAX_BODIES", 2)
    with pytest.raises(LevelError, match="found more than 2 bodies; expected fewer"):
        parse_scene(FILE)


def test_bodies_with_the_same_text_have_components_of_their_own():
    first, second = parse_scene(scene_with_changes()).bodies.values()
    assert repr(first.collider) == repr(second.collider)
    first.collider.hx = 2.0
    assert 0.5 == second.collider.hx


# At the command line.


def run_replay(capsys: pytest.CaptureFixture[str], path: pathlib.Path) -> tuple[int, list[str]]:
    status = main(["replay", str(path)])
    streams = capsys.readouterr()
    return status, (streams.out + streams.err).splitlines()


def test_replay_shows_a_scene_and_reports_that_it_matches(tmp_path, capsys):
    path = tmp_path / "room.scene"
    path.write_text(FILE, encoding="utf-8")
    status, lines = run_replay(capsys, path)
    assert (status, lines[0], lines[-1]) == (0, f"{path}: 4 bodies, 15 acts", "All as recorded.")
    assert "┏1━┓┏2━┓ 33" in lines
    at = lines.index("move 1 by 0.5 0.0 0.0: force=1.5")
    assert lines[at + 1].startswith("    entity 1 (force 1.5) moved x +0.5 of +0.5: entity 2 (inertia 1) pushed x +0.5")
    assert "    TriggerLeft(trigger=3, other=2, reason=DELETED)" in lines


def test_replay_reports_the_first_difference_and_returns_1(tmp_path, capsys):
    path = tmp_path / "renamed"
    path.write_text(FILE.replace("  = 1 moved 0.5", "  = 1 moved 0.25", 1), encoding="utf-8")
    status, lines = run_replay(capsys, path)
    assert status == 1
    message = r"Differs from the recording: line \d+ \(move\): expected '1 moved 0.25 .*', found '1 moved 0.5"
    assert re.match(message, lines[-1])
    assert any(line.startswith("    NOT AS RECORDED: ") for line in lines)
    path.write_text(re.sub(r"\n= 1 at .*", "\n= 1 at 8.0 0.0 0.0", FILE), encoding="utf-8")
    status, lines = run_replay(capsys, path)
    assert status == 1
    assert lines[-1].startswith("Differs from the recording: the end: expected '1 at 8.0 0.0 0.0', found '1 at ")


def test_replay_refuses_an_invalid_scene_and_returns_2(tmp_path, capsys):
    path = tmp_path / "bad.scene"
    path.write_text("nothing", encoding="utf-8")
    assert run_replay(capsys, path) == (2, [
        f"error: {path}:1: found 'nothing'; expected the first line 'ecs_collision scene 1'; "
        "use a scene file written by this version"
    ])  # fmt: skip


A_BOX = "BoxCollider(hx=0.5, hy=0.5)"
CHANGES = (
    f"add 1 at 3 0 0: {A_BOX}", f"add 9 at 3 0 0: {A_BOX}", "remove 1", "remove 9", "place 1 at 1 1 1",
    "place 9 at 1 1 1", "turn 1 to none",
    "turn 9 to none", "write 1: Motion(3)", "write 9", "give 1: Transform(x=1, y=1)", "give 1: Fused(2)",
    f"give 9: {A_BOX}", "take 1: Transform", "take 1: BoxCollider", "take 1: Motion", "take 9: Transform",
)  # fmt: skip


def scene_with_changes(*changes: str) -> str:
    """Return a scene of two bodies to which changes are applied together."""
    bodies = [f"{id} at {id} 0 0: {A_BOX}, Motion(2)" for id in (1, 2)]
    lines = ["bodies", *bodies, "acts", "take in", *(f"  {change}" for change in changes), "frame", "done"]
    return "\n".join(["ecs_collision scene 1", *lines, ""])


@pytest.mark.parametrize("first", CHANGES)
def test_any_two_changes_together_are_applied_or_refused(first, tmp_path, capsys):
    """Any error other than a CollisionError would reach the command line."""
    path = tmp_path / "two.scene"
    for second in CHANGES:
        path.write_text(scene_with_changes(first, second), encoding="utf-8")
        status, lines = run_replay(capsys, path)
        assert status in (0, 1), (second, lines)
        assert (status == 1) == any(line.startswith("    refused: ") for line in lines), (second, lines)
