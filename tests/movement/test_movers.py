"""Bodies that move by their velocity, belts, and properties of random scenes (rules M1 and M7)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from movement_games import COLLIDERS, UNIT, G, Game

from ecs_collision import (
    BoxCollider,
    CapsuleCollider,
    Character,
    CollisionWorld,
    Fused,
    Inertia,
    Mass,
    Motion,
    Mover,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
)


def _mover(game: Game, x: float, y: float = 0.0, *v: float, **parts: Any) -> tuple[int, Velocity]:
    velocity = Velocity(*v)
    return game.box(x, y, 1, 1, velocity=velocity, **{"motion": Motion(force=5), **parts}), velocity


def test_a_velocity_of_1_is_exactly_1_unit_after_60_steps_M1():
    game = Game(rate=60, gravity=(0, 0))
    body, _ = _mover(game, 0, 0, 1, -1)
    game.run(60)
    assert game.at(body) == (1.5, -0.5, 0)


@pytest.mark.parametrize("kind", ["mover", "character"])
def test_nothing_drifts_in_thousands_of_steps_M1(kind):
    game = Game(rate=60, gravity=(0, 0))
    movers = []
    for number, speed in enumerate([1 / 3, 0.0001, 7.77, -1e-6, 100.1]):
        parts: dict[str, Any] = {"character": Character(up=(0, 0, 1))} if kind == "character" else {}
        movers.append(_mover(game, 0, 9 * number, speed, **parts))
    game.run(3000)
    for body, velocity in movers:
        assert abs(game.at(body)[0] - 0.5 - velocity.x * 3000 / 60) <= UNIT


def test_a_mover_falls_and_an_axis_that_is_stopped_loses_its_velocity_M1():
    game = Game()
    game.floor()
    body, velocity = _mover(game, 0, -3, 3, 0)
    places = []
    for _ in game.steps(64):
        places.append(game.at(body)[1])
    assert places == sorted(places)
    assert game.at(body) == (3.5, -0.5, 0)
    assert (velocity.x, velocity.y) == (3, 0)


def test_a_stopped_axis_drops_its_remainder_M1():
    game = Game(rate=1, gravity=(0, 0))
    body, velocity = _mover(game, 0, 0, 0.75 * UNIT)
    wall = game.box(1 + UNIT, 0, 1, 1)
    game.run(2)  # 0.75 is rounded to 1, and the wall is reached; then 0.5 is rounded to 1 and stopped
    assert (game.at(body)[0], velocity.x) == (0.5 + UNIT, 0)
    game.world.remove(wall)
    velocity.x = 0.25 * UNIT
    game.run(1)
    assert game.at(body)[0] == 0.5 + UNIT, "0.25 without a remainder is rounded to 0"


def test_movers_go_by_priority_then_by_id_M1():
    for priority, expected in ((0, 2.0), (1, 1.0)):  # the rear one pushes the front one, unless that has gone before
        game = Game(rate=1, gravity=(0, 0))
        _mover(game, 0, 0, 1)
        front, _ = _mover(game, 1, 0, 1, motion=Motion(force=5, priority=priority), inertia=Inertia(1))
        game.step()
        assert game.at(front)[0] - 1.5 == expected


def test_a_convoy_advances_once_with_front_first_M1():
    for order, expected in (("sequential", 2.0), ("front_first", 1.0)):
        game = Game(rate=1, gravity=(0, 0), world=CollisionWorld(order=order))
        _mover(game, 0, 0, 1, inertia=Inertia(1))
        front, _ = _mover(game, 1, 0, 1, inertia=Inertia(1))
        game.step()
        assert game.at(front)[0] - 1.5 == expected


def test_a_mover_pushes_by_its_force_M1_P3():
    game = Game(gravity=(0, 0))
    light, heavy = game.crate(2, 0, 4), game.crate(6, 0, 5)
    body, velocity = _mover(game, 0, 0, 8)
    game.run(64)
    assert (game.at(body)[0], game.at(light)[0], game.at(heavy)[0]) == (4.5, 5.5, 6.5)
    assert velocity.x == 0


def test_a_mover_takes_its_group_along_M1_P8():
    game = Game()
    game.floor()
    body, _ = _mover(game, 0, -3, 2, 0)
    other = game.box(1, -2.5, 1, 1, fused=Fused(body), trigger=None, motion=None)
    game.run(64)
    assert game.at(body) == (2.5, -1, 0)
    assert game.at(other) == (3.5, -0.5, 0)


@pytest.mark.parametrize("parts", [{"mass": Mass(1)}, {"static": Static(), "motion": None}, {"motion": None}])
def test_what_is_no_mover_stays_M1(parts):
    game = Game()
    body, velocity = _mover(game, 0, 0, 4, 0, **parts)
    game.run(10)
    assert (game.at(body), velocity.x, velocity.y) == ((0.5, 0.5, 0), 4, 0)


def test_a_trigger_and_a_disabled_mover_M1():
    game = Game()
    game.floor()
    zone, _ = _mover(game, 0, -1, 0, 0, trigger=Trigger())
    disabled, velocity = _mover(game, 3, -3, 1, 0, enabled=False)
    game.run(16)
    assert game.at(zone)[1] > 0, "a trigger meets nothing"
    assert game.at(disabled)[:2] == (3.5, -2.5) or velocity.x == 1


def test_a_step_that_raises_changes_nothing_M1():
    def refuse(*_: Any) -> bool:
        raise RuntimeError("no")

    game = Game(world=CollisionWorld(can_push=refuse))
    first, velocity = _mover(game, 0, 0, 1, 0)
    actor = game.actor(20, 0)
    _mover(game, 5, 0, 64, 0)
    game.crate(6, 0)
    actor.character.jump(4)
    before = game.world.state_hash()
    with pytest.raises(RuntimeError, match="no"):
        game.step()
    assert game.world.state_hash() == before
    assert (game.at(first), velocity.x, velocity.y) == ((0.5, 0.5, 0), 1, 0)
    assert (actor.at, actor.velocity.y) == ((20, 0), 0)


@pytest.mark.parametrize("kind", ["mover", "character"])
def test_a_thousand_movers_without_velocity_cost_nothing_M1(kind):
    game = Game(gravity=(0, 0))
    for number in range(1000):
        _mover(game, 2 * number, 0, **({"character": Character()} if kind == "character" else {}))
    game.run(2)
    for _ in game.steps(3):
        assert (0, 0) == (game.world.stats.moved, game.world.stats.expansions)


def test_a_mover_at_rest_costs_nothing_until_its_floor_goes_M1():
    game = Game()
    floor = game.floor()
    body, _ = _mover(game, 0, -3)
    game.run(64)
    assert (0, 0) == (game.world.stats.moved, game.world.stats.expansions)
    game.world.remove(floor)
    game.step()
    assert game.at(body)[1] > -0.5


# Belts.


@pytest.mark.parametrize("collider", COLLIDERS)
@pytest.mark.parametrize("walk", [0, 2, -3])
def test_a_belt_carries_a_character_on_top_of_its_own_velocity_M7(collider, walk):
    game = Game()
    belt = game.floor(velocity=Velocity(3, 0))
    actor = game.actor(0, -0.5, collider)
    game.step()
    assert (belt, (3, 0, 0)) == (actor.character.floor, actor.character.floor_velocity)
    start = actor.transform.x
    actor.walk = walk
    for step in game.steps(64):
        assert actor.at == (start + (3 + walk) * step / 64, -0.5)
        assert actor.velocity.x == walk


def test_a_belt_carries_a_mover_that_gravity_pulls_onto_it_and_no_other_body_M7():
    game = Game()
    game.floor(velocity=Velocity(3, 0))
    mover, velocity = _mover(game, 0, -1)
    hovering, _ = _mover(game, 10, -1, mover=Mover(gravity=0))
    crate = game.crate(20, -1)
    game.step()
    start = game.at(mover)[0]
    for step in game.steps(64):
        assert game.at(mover) == (start + 3 * step / 64, -0.5, 0)
        assert velocity.x == 0
    assert (game.at(hovering)[0], game.at(crate)[0]) == (10.5, 20.5)


def test_a_belt_carries_along_slopes_of_its_velocity_across_up_only_M7():
    game = Game()
    game.floor(velocity=Velocity(2, -5))
    actor = game.actor(0, -0.5)
    game.step()
    start = actor.transform.x
    for step in game.steps(64):
        assert actor.at == (start + 2 * step / 64, -0.5)


def test_a_belt_presses_against_a_wall_and_pushes_crates_M7():
    game = Game()
    game.floor(velocity=Velocity(4, 0))
    game.box(3, -3, 1, 3)
    crate = game.crate(1, -1)
    actor = game.actor(0, -0.5)
    game.run(64)
    assert actor.at == (2 - 0.375, -0.5)
    assert game.at(crate)[0] == 2.5
    assert (True, True) == (actor.character.on_floor, actor.character.on_wall)


def test_who_leaves_a_belt_is_carried_no_longer_M7():
    game = Game()
    game.floor(-10, 1, velocity=Velocity(4, 0))
    game.floor(1, 20)
    actor = game.actor(0, -0.5)
    game.run(64)
    assert actor.transform.x == 1 + 1 / 16, "more than half of it is on the other floor"
    place = actor.at
    game.run(10)
    assert place == actor.at


def test_a_belt_that_starts_and_stops_wakes_who_stands_on_it_M7():
    game = Game()
    belt = Velocity(0, 0)
    game.floor(velocity=belt)
    actor = game.actor(0, -0.5)
    game.run(10)
    belt.x = 4
    game.run(2)
    moved = actor.transform.x
    assert moved > 0
    belt.x = 0
    game.run(2)
    place = actor.at
    game.run(10)
    assert place == actor.at


def test_the_floor_velocity_of_a_mover_is_its_own_M7():
    game = Game(gravity=(0, G))
    lift = Velocity(0, -1)
    body = game.box(-2, 0, 4, 1, motion=Motion(force=5), velocity=lift, mover=Mover(gravity=0))
    actor = game.actor(0, -0.5, inertia=Inertia(1))
    game.run(8)
    assert game.at(body)[1] == 0.5 - 8 / 64
    assert actor.character.floor_velocity == (0, -1, 0)
    assert actor.at == (0, -0.5 - 8 / 64)


# Properties of random scenes.

SHAPES = {
    "box": lambda r: BoxCollider(r.choice((0.375, 0.5, 0.7)), r.choice((0.5, 0.8))),
    "ball": lambda r: SphereCollider(r.choice((0.3, 0.5))),
    "capsule": lambda r: CapsuleCollider(0.3, r.choice((0.2, 0.5)), axis=r.choice("xy")),
    "turned": lambda r: OrientedBoxCollider(r.choice((0.4, 0.6)), 0.3),
}


def _bodies(seed: int) -> list[dict[str, Any]]:
    """Return the bodies of a small scene: a floor, planks, crates, movers and characters; none overlap."""
    r = random.Random(seed)
    world = CollisionWorld()
    found: list[dict[str, Any]] = [{"at": (0, 8, 0), "shape": "floor", "role": "static", "seed": 0}]
    world.add(**_parts(found[0]))
    for number in range(60):
        role = ("plank", "crate", "character", "mover", "character", "plank")[number % 6]
        shape = "plank" if role == "plank" else r.choice(list(SHAPES))
        turn = r.choice((0, 0.2, 0.5, 0.7, 1.1, -0.3, -0.7)) if shape in ("plank", "turned") else 0
        each = {"at": (r.randint(-120, 120) / 20, r.randint(-20, 130) / 20, turn), "shape": shape, "role": role,
                "seed": r.randrange(10**6)}  # fmt: skip
        body = world.add(**_parts(each))
        if world.space.overlapping(body):
            world.remove(body)
        else:
            found.append(each)
    return found


def _parts(each: dict[str, Any]) -> dict[str, Any]:
    r = random.Random(each["seed"])
    x, y, turn = each["at"]
    if each["shape"] == "floor":
        collider: Any = BoxCollider(12, 1)
    elif each["shape"] == "plank":
        collider = OrientedBoxCollider(r.choice((1.0, 2.0)), 0.25)
    else:
        collider = SHAPES[each["shape"]](r)
    parts: dict[str, Any] = {"transform": Transform(x, y, rotation=turn or None), "collider": collider}
    role = each["role"]
    if role in ("static", "plank"):
        return {**parts, "static": Static()}
    parts["inertia"] = Inertia(r.choice((1, 4, 9)))
    if role == "crate":
        return parts
    parts |= {"motion": Motion(force=r.choice((0.5, 5))), "velocity": Velocity(r.uniform(-6, 6), r.uniform(-3, 3))}
    if role == "character":
        parts["character"] = Character(step_height=r.choice((0, 0.3)), coyote=2, jump_buffer=3)
    return parts


def _scene(seed: int, order: int = 0) -> tuple[CollisionWorld, list[int]]:
    """Return the world of a scene and its entities; created in another order if `order` is not 0."""
    world, bodies = CollisionWorld(), _bodies(seed)
    numbers = list(range(1, len(bodies) + 1))
    created = numbers[:]
    if order:
        random.Random(order).shuffle(created)
    for number in created:
        world.add(number, **_parts(bodies[number - 1]))
    return world, numbers


def _play(world: CollisionWorld, entities: list[int], seed: int, steps: range) -> list[Any]:
    """Play steps with random input and return the state after each."""
    record = []
    for step in steps:
        r = random.Random(seed * 1000 + step)
        for entity in entities:
            parts = world._bodies.of(world._bodies.row(entity))
            if parts.character is not None and r.random() < 0.3:
                parts.velocity.x = r.choice((-6, -2, 0, 3, 7))
                if r.random() < 0.4:
                    parts.character.jump(r.choice((6, 12)))
        world.step_movement(1 / 60, gravity=(0, 30))
        world.step()
        record.append([_state(world, entity) for entity in entities])
    return record


def _state(world: CollisionWorld, entity: int) -> tuple[Any, ...]:
    parts = world._bodies.of(world._bodies.row(entity))
    c, v = parts.character, parts.velocity
    return (
        parts.transform.position,
        None if v is None else (v.x, v.y, v.z),
        None if c is None else (c.on_floor, c.on_wall, c.on_ceiling, c.floor, c.floor_normal, c.frames_since_landed),
    )


SEEDS = pytest.mark.parametrize("seed", range(12))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("at", [1, 20, 45])
def test_steps_after_a_restore_are_those_after_the_snapshot_M1_N1(seed, at):
    world, entities = _scene(seed)
    _play(world, entities, seed, range(at))
    data = world.snapshot()
    expected = _play(world, entities, seed, range(at, at + 30))
    world.restore(data)
    assert expected == _play(world, entities, seed, range(at, at + 30))
    fresh, _ = _scene(seed, order=5)
    fresh.restore(data)
    assert expected == _play(fresh, entities, seed, range(at, at + 30))
