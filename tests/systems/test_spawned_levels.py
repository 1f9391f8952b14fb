"""A level spawned into a running system, beside other entities of the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import esper
import pytest

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    Inertia,
    InvalidChanges,
    LevelError,
    Motion,
    ReentryError,
    ThingName,
    Transform,
    TriggerEntered,
    UnknownEntity,
    WorldError,
)
from ecs_collision.levels import Level, parse_level, spawn

ROOM = """
legend
# wall: Static
$ crate: Inertia(1)
% box: Inertia(1), Fused(to=crate)
. goal: Trigger
! torch: light=3

map
######
#$%. !
######
"""


@dataclass
class Health:
    points: int


@pytest.fixture
def system() -> Iterator[CollisionSystem]:
    """Return a system in a fresh esper world."""
    esper.switch_world("spawned levels")
    made = CollisionSystem()
    esper.add_processor(made)
    yield made
    esper.switch_world("default")
    esper.delete_world("spawned levels")


def a_body(x: float, y: float, *more: Any) -> int:
    return esper.create_entity(Transform(x, y), BoxCollider(0.5, 0.5), *more)


def state() -> set[int]:
    """Return all entities of the current world."""
    return {entity for entity in range(1, 200) if esper.entity_exists(entity)}


def test_a_level_becomes_entities_beside_those_of_the_game(system):
    player = a_body(9.5, 21.5, Motion(force=5))
    spawned = system.spawn(parse_level(ROOM), at=(10, 20))
    assert ["wall", "crate", "box", "goal", "torch"] == list(spawned)
    assert ("crate" in spawned, "door" in spawned, len(spawned)) == (True, False, 5)
    crate = spawned["crate"]
    assert (11.5, 21.5, 0.0) == esper.component_for_entity(crate, Transform).position
    assert ThingName("torch", "torch") == esper.component_for_entity(spawned["torch"], ThingName)
    assert [spawned["wall"]] == system.space.at(10.5, 21.5)
    seen = []
    system.on(TriggerEntered, seen.append, trigger=spawned["goal"])
    system.teleport(player, 10.5 - 1e6 % 1, 25)
    assert (1.0, 0.0, 0.0) == system.move(crate, 1, force=5).moved
    esper.process()
    assert [(spawned["goal"], crate)] == [(event.trigger, event.other) for event in seen]
    system.check()
    with pytest.raises(UnknownEntity, match="has no thing named 'door'"):
        spawned["door"]


def test_a_level_may_be_spawned_many_times_and_each_is_removed_alone(system):
    level = parse_level(ROOM)
    player, first = a_body(-5, -5), system.spawn(level)
    second = system.spawn(level, at=(0, 10, 2))
    assert 2.0 == esper.component_for_entity(second["crate"], Transform).z
    esper.delete_entity(first["goal"], immediate=True)
    first.remove()
    esper.process()
    assert {player, *second.values()} == state()
    second.remove(immediate=True)
    second.remove()
    assert {player} == state()
    esper.process()
    system.check()


def test_entities_that_got_the_ids_of_a_cleared_world_are_not_removed(system):
    spawned = system.spawn(parse_level(ROOM))
    esper.clear_database()
    system.close()
    esper.add_processor(system)
    entities = {a_body(3 * number, 0) for number in range(len(spawned))}
    assert entities & set(spawned.values())
    spawned.remove(immediate=True)
    assert entities == state()


def test_components_of_the_game_are_made_for_bodies_and_scenery(system):
    text = ROOM.replace("light=3", "Health(points=3)").replace("Fused(to=crate)", "Health(points=5)")
    level = parse_level(text, components={"Health": Health})
    spawned = system.spawn(level, components={"Health": Health})
    assert [3, 5] == [esper.component_for_entity(spawned[name], Health).points for name in ("torch", "box")]


def test_a_level_that_does_not_fit_changes_nothing(system):
    player = a_body(0.0, 0.0, Inertia(1))
    esper.process()
    before, entities = system.state_hash(), state()
    level = parse_level(ROOM)
    with pytest.raises(
        LevelError, match=r"(?s)'crate': Transform.x is 1073741825.5.*; expected things that fit together"
    ):
        system.spawn(level, at=(2.0**30, 0))
    assert entities == state()
    with pytest.raises(LevelError, match=r"with the component 'Health'; .* components=\{'Health'"):
        system.spawn(parse_level(ROOM.replace("light=3", "Health(3)"), components={"Health": Health}))
    assert entities == state()
    assert before == system.state_hash()
    esper.process()
    system.check()
    assert (1.0, 0.0, 0.0) == system.move(player, 1, force=2).moved


@pytest.mark.parametrize("failing", ["create_entity", "add_component"])
@pytest.mark.parametrize("number", [0, 1, 3, 4])
def test_an_interrupted_spawn_leaves_no_entity(system, monkeypatch, failing, number):
    player = a_body(0.0, 30.0)
    esper.process()
    before, plain, calls = system.state_hash(), getattr(esper, failing), []

    def interrupted(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) > number:
            raise KeyboardInterrupt
        return plain(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(esper, failing, interrupted)
        with pytest.raises(KeyboardInterrupt):
            system.spawn(parse_level(ROOM))
    assert {player} == state()
    assert before == system.state_hash()
    assert 5 == len(system.spawn(parse_level(ROOM)))
    system.check()


def test_faults_of_the_games_own_entities_are_not_those_of_the_level(system):
    wrong = esper.create_entity(Motion(force=1))
    with pytest.raises(InvalidChanges, match=f"entity {wrong}"):
        system.spawn(parse_level(ROOM))
    assert {wrong} == state()


def asking(**settings: str) -> Level:
    return parse_level("".join(f"{name}: {value}\n" for name, value in settings.items()) + ROOM.lstrip())


DIFFERENT = {
    "the rule": (asking(rule="sum"), "level asks for rule='sum', but this system has rule='each'; create "
        "CollisionSystem(rule='sum'), or pass ignore=['rule']"),
    "gravity": (asking(gravity="D"), "level asks for gravity D, but this system has no gravity; play it as a "
        "Puzzle, or pass ignore=['gravity']"),
    "several": (asking(max_chain="2", rule="each", order="front_first"), "level asks for max_chain=2 and "
        "order='front_first', but this system has max_chain=None and order='sequential'; create "
        "CollisionSystem(max_chain=2, order='front_first'), or pass ignore=['max_chain', 'order']"),
}  # fmt: skip


@pytest.mark.parametrize(("level", "message"), DIFFERENT.values(), ids=DIFFERENT)
def test_other_settings_are_refused_unless_they_are_ignored(system, level, message):
    with pytest.raises(CollisionValueError) as refusal:
        system.spawn(level)
    assert message == str(refusal.value)
    assert set() == state()
    assert system.spawn(level, ignore=["max_chain", "order", "rule", "gravity"])


WRONG = {
    "no level": (("level.txt",), {}, CollisionTypeError, "spawn needs a Level, not 'level.txt'; load_level"),
    "no place": ((parse_level(ROOM),), {"at": 3}, CollisionTypeError, r"at is 3; give \(x, y\) or \(x, y, z\)"),
    "a text": ((parse_level(ROOM),), {"at": "ab"}, CollisionTypeError, "at is 'ab'"),
    "nan": ((parse_level(ROOM),), {"at": (0, float("nan"))}, CollisionValueError, "at is nan"),
    "a name": ((parse_level(ROOM),), {"ignore": "rule"}, CollisionTypeError, r"as in ignore=\['rule'\]"),
    "no setting": ((parse_level(ROOM),), {"ignore": ["ruel"]}, CollisionValueError, "ignore has 'ruel'; .*mean 'rule'"),
}  # fmt: skip


def test_the_same_settings_are_no_difference(system):
    assert system.spawn(asking(rule="each", all_or_nothing="false", win="all crate on goal"))


@pytest.mark.parametrize(("given", "more", "error", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_refused(system, given, more, error, message):
    with pytest.raises(error, match=message):
        system.spawn(*given, **more)
    assert set() == state()


def test_a_level_is_not_spawned_from_another_world_or_from_the_hook(system):
    spawned = system.spawn(parse_level(ROOM))
    esper.switch_world("another")
    with pytest.raises(WorldError):
        system.spawn(parse_level(ROOM))
    with pytest.raises(WorldError):
        spawned.remove()
    esper.switch_world("spawned levels")
    esper.delete_world("another")
    assert set(spawned.values()) == state()


def test_a_hook_may_not_spawn():
    esper.switch_world("hooked")
    problems = []

    def hook(pusher: int, pushed: int, axis: str, force: float) -> None:
        with pytest.raises(ReentryError) as refusal:
            system.spawn(parse_level(ROOM))
        problems.append(refusal.value)

    system = CollisionSystem(can_push=hook)
    esper.add_processor(system)
    player = a_body(0, 30, Motion(force=5))
    a_body(1, 30, Inertia(1))
    system.move(player, 1)
    assert problems
    assert 2 == len(state())
    esper.switch_world("default")
    esper.delete_world("hooked")


def test_a_handler_may_spawn(system):
    spawned = system.spawn(parse_level(ROOM))
    further = []
    system.on(TriggerEntered, lambda event: further.append(system.spawn(parse_level(ROOM), at=(0, 9))))
    system.teleport(spawned["crate"], 3.5, 1.5)
    esper.process()
    assert further
    system.check()


def test_a_level_is_spawned_at_a_place_in_a_world_without_esper():
    world = CollisionWorld()
    ids = spawn(parse_level(ROOM), world, at=(10, 20))
    assert (11.5, 21.5, 0.0) == world._bodies.of(world._bodies.row(ids["crate"])).transform.position
    with pytest.raises(CollisionTypeError, match="at is 3"):
        spawn(parse_level(ROOM), world, at=3)
