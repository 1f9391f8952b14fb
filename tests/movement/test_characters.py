"""Characters fall, jump, land, meet walls, ceilings and crates: games against an expectation (rules M1 and M3)."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from movement_games import COLLIDERS, DT, UNIT, Actor, Game, standing

from ecs_collision import (
    Box,
    BoxCollider,
    Carries,
    Character,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    Mover,
    OrientedBoxCollider,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    Velocity,
)

SHAPES = pytest.mark.parametrize("collider", COLLIDERS)


def fallen(steps: int) -> float:
    """Return how far a body has fallen freely after that many steps of DT."""
    return steps * steps / 256


@SHAPES
def test_a_character_falls_by_the_formula_and_lands_exactly_on_the_face_M3(collider):
    game = Game()
    floor = game.floor()
    actor = game.actor(0, -3.5, collider)
    character = actor.character
    for step in game.steps(40):
        # 27 steps are 2.85 units, 28 would be 3.06: it is stopped at 3 in the 28th step.
        landed = step >= 28
        assert actor.at == (0, -0.5 if landed else -3.5 + fallen(step))
        assert actor.velocity.y == (0 if landed else step / 2)
        assert (landed, step == 28) == (character.on_floor, character.just_landed)
        assert character.frames_since_landed == (step - 28 if landed else None)
        assert character.floor == (floor if landed else None)
        assert character.floor_normal == ((0, -1, 0) if landed else None)
        assert character.floor_velocity == ((0, 0, 0) if landed else None)
        assert (False, False, False) == (character.on_wall, character.on_ceiling, character.just_left)


@pytest.mark.parametrize("rate", [30, 60, 64, 120, 240])
@pytest.mark.parametrize(("speed", "gravity"), [(16, 32), (12, 30), (20, 50)])
def test_a_jump_is_as_high_as_the_formula_says_at_any_rate_M1(rate, speed, gravity):
    game = Game(rate=rate, gravity=(0, gravity))
    game.floor()
    actor = game.actor(0, -0.5)
    game.step()
    actor.character.jump(speed)
    heights = [-0.5 - actor.transform.y for _ in game.steps(2 * rate)]
    assert max(heights) == pytest.approx(speed**2 / (2 * gravity), abs=gravity / rate**2)
    in_air = next(step for step, height in enumerate(heights, 1) if height == 0)
    assert in_air / rate == pytest.approx(2 * speed / gravity, abs=1 / rate)
    assert actor.character.on_floor


def test_a_jump_is_played_step_by_step_M3():
    game, actor = standing()
    character = actor.character
    character.jump(4)
    for step in game.steps(20):
        # 4 units a second up, 32 a second squared down: after n steps 16 n / 256 - n n / 256, on the floor at 16.
        assert actor.at == (0, -0.5 - max(0, 16 * step - step * step) / 256)
        assert actor.velocity.y == (-4 + step / 2 if step < 16 else 0)
        assert character.on_floor == (step >= 16)
        assert (step == 1, step == 16) == (character.just_left, character.just_landed)
        assert character.frames_since_left == (step - 1 if step < 16 else None)


@SHAPES
def test_a_character_that_stands_does_not_stir_M3(collider):
    game, actor = standing(collider)
    for _ in game.steps(100):
        assert (0, -0.5) == actor.at
        assert actor.character.on_floor
        assert not actor.character.just_landed
        assert actor.velocity.y == 0


# Jumps after the floor has gone, and before it comes.


def walked_off(coyote: int) -> tuple[Game, Actor]:
    """Return a game in the step in which the character has left a ledge at x = 0."""
    game = Game()
    game.floor(-20, 0)
    actor = game.actor(-0.5, -0.5, coyote=coyote)
    game.step()
    actor.walk = 4  # 1/16 a step: its back is at -0.875, and reaches the edge in step 14
    for step in game.steps(14):
        assert actor.transform.x == -0.5 + step / 16
        assert (step < 14) == actor.character.on_floor
    assert actor.character.just_left
    assert actor.character.frames_since_left == 0
    return game, actor


def test_a_character_walks_off_a_ledge_and_falls_by_the_formula_M3():
    game, actor = walked_off(coyote=0)
    assert actor.at == (0.375, -0.5 + fallen(1))
    for step in game.steps(20):
        assert actor.at == (0.375 + step / 16, -0.5 + fallen(step + 1))
        assert actor.character.frames_since_left == step
        assert not actor.character.just_left


@pytest.mark.parametrize(("coyote", "late"), [(0, 1), (1, 1), (1, 2), (3, 3), (3, 4), (6, 6), (6, 7)])
def test_a_jump_works_until_coyote_steps_after_the_floor_has_gone_M3(coyote, late):
    game, actor = walked_off(coyote)
    game.run(late - 1)
    before = actor.transform.y
    actor.character.jump(8)
    game.step()
    if late <= coyote:
        assert actor.transform.y == before - 8 * DT + 16 * DT * DT
    else:
        assert actor.transform.y == -0.5 + fallen(late + 1)


def test_coyote_steps_give_no_second_jump_M3():
    game, actor = standing(coyote=20)
    actor.character.jump(8)
    game.run(5)
    before = actor.velocity.y
    actor.character.jump(8)
    game.step()
    assert actor.velocity.y == before + 0.5
    game, actor = walked_off(coyote=20)
    for speed in (-8, -7.5, -7, -6.5):
        actor.character.jump(8)
        game.step()
        assert actor.velocity.y == speed + 0.5


@pytest.mark.parametrize(("buffer", "early"), [(0, 1), (1, 1), (1, 2), (4, 4), (4, 5)])
def test_a_jump_waits_jump_buffer_steps_for_a_floor_M3(buffer, early):
    game = Game()
    game.floor()
    actor = game.actor(0, -3.5, jump_buffer=buffer)  # it lands in step 28 (see above)
    game.run(28 - early)
    actor.character.jump(4)
    game.run(early)
    assert actor.character.just_landed
    assert actor.at == (0, -0.5)
    game.step()
    assert actor.at == (0, -0.5 - 15 / 256 if early <= buffer else -0.5)
    game.run(40)
    assert actor.at == (0, -0.5), "it jumps once"
    assert actor.character.on_floor


def test_the_last_jump_that_is_asked_for_counts_M3():
    game, actor = standing()
    actor.character.jump(8)
    actor.character.jump(4)
    game.step()
    assert actor.velocity.y == -3.5


def test_a_jump_in_the_air_without_numbers_is_lost_M3():
    game = Game()
    game.floor()
    actor = game.actor(0, -3.5)
    actor.character.jump(4)
    game.run(60)
    assert actor.at == (0, -0.5)
    assert actor.character.on_floor


# Ceilings and walls.


@SHAPES
def test_a_character_bumps_its_head_and_falls_M3(collider):
    game, actor = standing(collider)
    game.box(-2, -3, 4, 1)  # its face at y = -2 leaves 1 above the head
    actor.character.jump(12)  # 12 / 64 less 1/256: 1 is passed in the 6th step (288 - 36 = 252) or in the 7th (287)
    for step in game.steps(12):
        height = min(48 * step - step * step, 256) / 256 if step <= 7 else 1 - fallen(step - 7)
        assert actor.at == (0, -0.5 - height)
        assert actor.velocity.y == (-12 + step / 2 if step < 7 else (step - 7) / 2)
        assert (step == 7) == actor.character.on_ceiling
        assert not actor.character.on_wall
    game.run(40)
    assert actor.character.on_floor


@SHAPES
def test_a_character_stops_exactly_at_a_wall_M3(collider):
    game, actor = standing(collider)
    game.box(1, -4, 1, 4)
    half = actor.transform.x + {"box": 0.375, "ball": 0.5, "capsule": 0.375}[collider]
    actor.walk = 3.5
    for step in game.steps(30):
        way = min(step * 3.5 / 64, 1 - half)
        assert actor.at == (way, -0.5)
        assert (step * 3.5 / 64 > 1 - half) == actor.character.on_wall
        assert actor.velocity.x == (0 if actor.character.on_wall else 3.5)
        assert actor.character.on_floor
    actor.walk = -3.5
    game.step()
    assert not actor.character.on_wall
    assert actor.at == (1 - half - 3.5 / 64, -0.5)


@SHAPES
def test_pressing_against_tiles_does_not_slow_the_fall_M3(collider):
    game = Game()
    for row in range(20):
        game.box(1, row, 1, 1)
    actor = game.actor(0, 0, collider)
    actor.walk = 8
    for step in game.steps(40):
        assert actor.transform.y == fallen(step)
        assert not actor.character.on_floor
    assert actor.character.on_wall


@SHAPES
@pytest.mark.parametrize("speed", [3.0, 7.3])
def test_a_row_of_flush_tiles_has_no_bumps_M3(collider, speed):
    game = Game()
    tiles = [game.box(x, 0, 1, 1) for x in range(-2, 40)]
    actor = game.actor(0, -0.5, collider)
    game.step()
    actor.walk = speed
    for step in game.steps(300):
        assert actor.transform.y == -0.5
        assert abs(actor.transform.x - speed * step / 64) <= UNIT
        assert (True, False) == (actor.character.on_floor, actor.character.on_wall)
        assert actor.character.floor in tiles


def test_of_two_floors_with_equal_overlap_the_lower_id_is_named_M3():
    game = Game()
    right, left = game.box(0, 0, 1, 1), game.box(-1, 0, 1, 1)
    actor = game.actor(0, -0.5)
    game.step()
    assert right < left
    assert actor.character.floor == right


def test_a_character_walks_through_a_gap_of_its_own_height_M3():
    game, actor = standing()
    game.box(1, -4, 3, 3)
    actor.walk = 4
    game.run(96)
    assert actor.at == (6, -0.5)


def test_a_fast_character_does_not_tunnel_M1():
    game, actor = standing()
    game.box(5, -4, 1 / 16, 4)
    actor.velocity.x = 4000
    game.step()
    assert actor.at == (5 - 0.375, -0.5)


# Crates.


@SHAPES
@pytest.mark.parametrize(("inertia", "moves"), [(4, True), (5, False), (math.inf, False)])
def test_a_character_pushes_a_crate_that_is_lighter_than_its_force_P3(collider, inertia, moves):
    game, actor = standing(collider)
    half = {"box": 0.375, "ball": 0.5, "capsule": 0.375}[collider]
    crate = game.crate(half + 0.25, -1, inertia)
    actor.walk = 4
    for step in game.steps(32):
        walked = step / 16
        free = walked if moves else min(walked, 0.25)
        assert actor.at == (free, -0.5)
        assert game.at(crate)[:2] == (half + 0.75 + max(0, free - 0.25), -0.5)
        assert (walked > free) == actor.character.on_wall


@pytest.mark.parametrize("force", [1.5, 1e9])
def test_landing_on_a_crate_does_not_push_it_M3(force):
    game = Game()
    crate = game.crate(-0.5, 0)
    actor = game.actor(0, -3.5, force=force)
    game.run(40)
    assert game.at(crate) == (0, 0.5, 0)
    assert actor.at == (0, -0.5)
    assert actor.character.floor == crate


def test_a_character_takes_along_what_stands_on_its_head_M6():
    game = Game()
    game.floor()
    game.box(3, -3.5, 1, 2)
    actor = game.actor(0, -0.5, carries=Carries("up"))
    crate = game.crate(-0.5, -2)
    actor.walk = 4.0
    actor.character.jump(4)
    for _ in game.steps(32):
        assert game.at(crate)[:2] == (actor.transform.x, actor.transform.y - 1)
    assert actor.at == (2, -0.5)
    game.run(32)
    assert (actor.at, game.at(crate)[:2]) == ((4, -0.5), (2.5, -1.5)), "a wall keeps the crate back"


def test_a_jump_pushes_a_crate_above_by_the_force_M3():
    game, actor = standing()
    crate = game.crate(-0.5, -2)
    actor.character.jump(8)
    game.step()
    assert actor.at == (0, -0.5 - 31 / 256)
    assert game.at(crate)[1] == -1.5 - 31 / 256


def test_a_character_with_gravity_to_the_side_presses_no_crate_M3():
    """Down is against `up`, whatever gravity there is; to the side it is a push."""
    game, _ = standing()
    crate = game.crate(0.375, -1)
    game.gravity = (32, 32)
    game.step()
    assert game.at(crate)[0] > 0.875


# Directions.

UPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def _trace(up: tuple[int, int]) -> list[Any]:
    """Return a game of walking, a jump, a wall, a ledge and a crate along `up`, as places (along, across)."""
    across = (-up[1], up[0]) if up[0] == 0 else (up[1], -up[0] * 1)
    game = Game(gravity=(-32.0 * up[0], -32.0 * up[1]))

    def place(along: float, over: float) -> tuple[float, float]:
        return (up[0] * along + across[0] * over, up[1] * along + across[1] * over)

    def add(along: float, over: float, high: float, wide: float, **parts: Any) -> int:
        x, y = place(along, over)
        size = (wide / 2, high / 2) if up[0] == 0 else (high / 2, wide / 2)
        return game.world.add(transform=Transform(x, y), collider=BoxCollider(*size), **parts)

    add(-0.5, 0, 1, 8, static=Static())
    add(0.125, 3, 0.25, 2, static=Static())
    add(3, -3.5, 6, 1, static=Static())
    crate = add(0.5, 1.25, 1, 1, inertia=Inertia(1))
    half = (0.375, 0.5) if up[0] == 0 else (0.5, 0.375)
    actor = game.actor(*place(2, 0), BoxCollider(*half), up=up, step_height=0.25)
    record = []
    for step in range(200):
        speed = -3 if step < 60 else 3
        velocity = [across[0] * speed, across[1] * speed]
        if up[0] == 0:
            actor.velocity.x = velocity[0]
        else:
            actor.velocity.y = velocity[1]
        if step == 70:
            actor.character.jump(8)
        game.step()
        for entity in (actor.entity, crate):
            x, y, _ = game.at(entity)
            record.append((x * up[0] + y * up[1], x * across[0] + y * across[1]))
        character = actor.character
        record.append((character.on_floor, character.on_wall, character.on_ceiling, character.floor))
    return record


@pytest.mark.parametrize("up", list(UPS))
def test_the_same_game_in_four_directions_M3(up):
    expected, found = _trace((0, -1)), _trace(UPS[up])
    assert expected == found


def test_up_may_be_named_M3():
    assert [Character(up=name).up for name in UPS] == [Character(up=UPS[name]).up for name in UPS]


def test_a_character_in_3d_walks_in_the_plane_and_jumps_along_z_M3():
    game = Game(gravity=(0, 0, -32))
    floor = game.world.add(transform=Transform(0, 0, -0.5), collider=BoxCollider(20, 20, 0.5), static=Static())
    actor = game.actor(0, 0, BoxCollider(0.5, 0.5, 1), up=(0, 0, 1), place=Transform(0, 0, 1 + fallen(4)))
    for step in game.steps(5):
        assert actor.transform.position == (0, 0, 1 + fallen(4) - min(fallen(4), fallen(step)))
    assert (floor, (0, 0, 1)) == (actor.character.floor, actor.character.floor_normal)
    actor.character.jump(4)
    actor.velocity.x, actor.velocity.y = 4, -2
    for step in game.steps(16):
        assert actor.transform.position == (step / 16, -step / 32, 1 + max(0, 16 * step - step * step) / 256)


@pytest.mark.parametrize("degrees", [20, 45, 70])
@pytest.mark.parametrize("ball", [False, True])
def test_a_character_slides_along_a_slanted_wall_in_3d_M4(degrees, ball):
    """Seen from above a wall turned about z: of the motion only the part along the wall is left."""
    angle = math.radians(degrees)
    along, away = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    game = Game(gravity=(0, 0, -32))
    game.world.add(transform=Transform(0, 0, -0.5), collider=BoxCollider(40, 40, 0.5), static=Static())
    game.world.add(
        transform=Transform(0, 0, 4, rotation=angle), collider=OrientedBoxCollider(30, 0.5, 4), static=Static()
    )
    shape = SphereCollider(0.5) if ball else BoxCollider(0.5, 0.5, 0.5)
    start = Transform(away[0] * 1.75, away[1] * 1.75, 0.5)
    actor = game.actor(0, 0, shape, up=(0, 0, 1), place=start)
    for step in range(72):
        if step == 40:
            before = actor.transform.position
        actor.velocity.x, actor.velocity.y = 4, 0
        game.step()
    x, y, z = (after - first for after, first in zip(actor.transform.position, before, strict=True))
    part = 2 * along[0]  # 4 units a second in half a second, times the cosine
    assert (x, y, z) == pytest.approx((part * along[0], part * along[1], 0), abs=64 * UNIT)
    assert (True, True) == (actor.character.on_wall, actor.character.on_floor)


# Filters, groups, triggers, bounds.


def test_a_character_meets_what_its_mask_and_layer_say_P14():
    game = Game()
    game.floor(layer="ground")
    game.box(2, -4, 1, 4, layer="ghost")
    collider = BoxCollider(0.375, 0.5, layer="hero", mask=("ground",))
    actor = game.actor(0, -0.5, collider)
    game.step()
    actor.walk = 4
    game.run(64)
    assert actor.at == (4, -0.5)
    other = game.actor(0, -2.5, BoxCollider(0.375, 0.5, mask=("ghost",)))
    game.run(32)
    assert other.at == (0, -2.5 + fallen(32))
    assert other.character.floor is None


def test_a_character_with_a_hat_is_stopped_by_the_hat_P8():
    game, actor = standing()
    hat = game.world.add(transform=Transform(0, -1.25), collider=BoxCollider(0.75, 0.25), fused=Fused(actor.entity))
    game.box(2, -4, 1, 3)  # over the floor a gap of 1: the character fits, the hat does not
    actor.walk = 4
    game.run(64)
    assert actor.at == (1.25, -0.5)
    assert game.at(hat) == (1.25, -1.25, 0)
    assert (True, True) == (actor.character.on_floor, actor.character.on_wall)


def test_a_character_of_two_boxes_stands_on_its_lowest_M3():
    game = Game()
    game.floor()
    legs_and_arms = CompoundCollider([Box(0.25, 0.5, offset=(0, 0.5)), Box(0.75, 0.25, offset=(0, -0.25))])
    actor = game.actor(0, -3, legs_and_arms)
    game.box(1, -1.25, 1, 1.25)
    game.run(40)
    assert actor.at == (0, -1)
    actor.walk = 4
    game.run(40)
    assert actor.at == (0.25, -1), "the arms are stopped by the box"
    assert actor.character.on_wall


def test_a_character_enters_a_trigger_in_the_step_of_the_first_overlap_T1():
    game, actor = standing()
    zone = game.box(1, -2, 1, 2, trigger=Trigger())
    actor.walk = 4
    entered = [
        step for step in game.steps(40)
        if any(isinstance(event, TriggerEntered) and event.trigger == zone for event in game.events)
    ]  # fmt: skip
    assert entered == [11], "the face touches at 10 / 16 and overlaps after 11"
    assert actor.character.on_floor


def test_the_bounds_are_a_floor_walls_and_a_ceiling_M3():
    game = Game(world=CollisionWorld(bounds=((-2, -3), (2, 0))))
    actor = game.actor(0, -0.5 - fallen(8))
    game.run(9)
    character = actor.character
    assert (True, None, (0, -1, 0)) == (character.on_floor, character.floor, character.floor_normal)
    assert actor.at == (0, -0.5)
    assert character.floor_velocity == (0, 0, 0)
    actor.walk = 8
    game.run(40)
    assert actor.at == (2 - 0.375, -0.5)
    assert (True, True) == (character.on_floor, character.on_wall)
    character.jump(20)
    game.run(8)
    assert actor.transform.y == -2.5 or character.on_ceiling
    game.run(60)
    assert character.on_floor


@pytest.mark.parametrize("scale", [0, 0.5, 1, 2, -1])
def test_the_gravity_of_a_mover_is_scaled_M1(scale):
    game = Game()
    actor = game.actor(0, 0, mover=Mover(gravity=scale))
    for step in game.steps(20):
        assert actor.at == (0, scale * fallen(step))


def test_a_character_without_gravity_walks_and_is_stopped_M3():
    """From above: up is out of the plane, and nothing is a floor."""
    game = Game(gravity=(0, 0))
    game.box(2, -4, 1, 8)
    actor = game.actor(0, 0, BoxCollider(0.5, 0.5), up=(0, 0, 1))
    actor.walk, actor.velocity.y = 8, 4
    game.run(32)
    assert actor.at == (1.5, 2)
    assert (actor.velocity.x, actor.velocity.y) == (0, 4)
    assert (False, True) == (actor.character.on_floor, actor.character.on_wall)


# Rest.


def test_a_thousand_characters_at_rest_cost_nothing_M1():
    game = Game()
    game.floor(-1000, 3000)
    for number in range(1000):
        game.actor(2 * number, -0.5)
    game.run(3)
    for _ in game.steps(5):
        assert (0, 0) == (game.world.stats.moved, game.world.stats.expansions)
    assert all(actor.character.on_floor for actor in game.actors)
    assert game.actors[0].character.frames_since_landed == 7


def _remove(game: Game, floor: int) -> None:
    game.world.remove(floor)


def _disable(game: Game, floor: int) -> None:
    parts_of(game, floor).collider.enabled = False


def _relayer(game: Game, floor: int) -> None:
    parts_of(game, floor).collider.layer = "ghost"


def _teleport(game: Game, floor: int) -> None:
    game.world.teleport(floor, 0, 9)


def _push(game: Game, floor: int) -> None:
    game.world.move(floor, dy=4)


def _shrink(game: Game, floor: int) -> None:
    parts_of(game, floor).collider.hy = 0.25


def parts_of(game: Game, entity: int) -> Any:
    """Return the components of a body."""
    bodies = game.world._bodies
    return bodies.of(bodies.row(entity))


CHANGES = {"removed": _remove, "disabled": _disable, "other layer": _relayer, "teleported": _teleport, "moved": _push,
           "shrunk": _shrink}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_character_at_rest_falls_when_its_floor_changes_M1(change):
    game = Game()
    floor = game.box(-1, 0, 2, 1, motion=Motion(force=5), inertia=Inertia(1))
    actor = game.actor(0, -0.5, BoxCollider(0.375, 0.5, mask=("default",)))
    game.run(10)
    assert game.world.stats.expansions == 0
    CHANGES[change](game, floor)
    game.step()
    if change == "shrunk":
        assert -0.5 < actor.transform.y <= -0.25
    else:
        assert (actor.transform.y, actor.character.just_left) == (-0.5 + fallen(1), True)
        assert actor.character.floor is None
        game.step()
        assert actor.transform.y == -0.5 + fallen(2)


def test_a_character_at_rest_stands_on_when_one_of_two_floors_goes_M1():
    game = Game()
    left, right = game.box(-2, 0, 2, 1), game.box(0, 0, 2, 1)
    actor = game.actor(0, -0.5)
    game.run(5)
    assert actor.character.floor == left
    game.world.remove(left)
    game.run(2)
    assert (True, right, (0, -0.5)) == (actor.character.on_floor, actor.character.floor, actor.at)
    game.world.remove(right)
    game.step()
    assert actor.transform.y == -0.5 + fallen(1)


def test_a_character_at_rest_that_is_pushed_off_falls_M1():
    game = Game()
    game.box(-1, 0, 2, 1)
    actor = game.actor(0, -0.5, inertia=Inertia(1))
    pusher = game.box(-1.5, -1, 1, 1, motion=Motion(force=5))
    game.run(10)
    game.world.move(pusher, dx=3)
    game.step()
    assert actor.transform.x > 1.375
    assert actor.transform.y == -0.5 + fallen(1)


def test_a_character_at_rest_that_is_teleported_falls_M1():
    game, actor = standing()
    game.run(10)
    game.world.teleport(actor.entity, 3, -5)
    game.step()
    assert actor.at == (3, -5 + fallen(1))
    assert actor.character.just_left


def test_a_character_at_rest_that_gets_a_velocity_moves_M1():
    game, actor = standing()
    game.run(10)
    actor.velocity.x = 4
    game.step()
    assert actor.at == (1 / 16, -0.5)
    actor.velocity.x = 0
    game.run(10)
    actor.velocity.y = -8
    game.step()
    assert actor.at == (1 / 16, -0.5 - 31 / 256)


def test_a_character_at_rest_jumps_M1():
    game, actor = standing()
    game.run(10)
    actor.character.jump(8)
    game.step()
    assert actor.at == (0, -0.5 - 31 / 256)


@pytest.mark.parametrize(("gravity", "place"), [((0, -32), (0, -0.5 - 1 / 256)), ((32, 0), (1 / 256, -0.5))])
def test_a_character_at_rest_follows_another_gravity_M1(gravity, place):
    game, actor = standing()
    game.run(10)
    game.gravity = gravity
    game.step()
    assert actor.at == place


def test_a_character_at_rest_sees_a_crate_come_and_go_under_it_M1():
    game, actor = standing()
    game.run(10)
    wall = game.box(1, -2, 1, 2)
    game.run(3)
    assert actor.character.on_floor
    game.world.remove(wall)
    actor.walk = 8
    game.run(16)
    assert actor.at == (2, -0.5)


def test_the_options_of_a_character_may_change_at_rest_M3():
    game, actor = standing()
    game.run(10)
    actor.character.up = "left"
    game.run(2)
    assert not actor.character.on_floor, "the ground is a wall now"
    assert actor.at == (0, -0.5)


# Properties of scenes.


def test_results_do_not_depend_on_the_order_of_creation_M1():
    def play(order: tuple[int, ...]) -> list[tuple[float, ...]]:
        game = Game()
        actions: list[Any] = [
            lambda: game.world.add(1, transform=Transform(0, 0.5), collider=BoxCollider(20, 0.5), static=Static()),
            lambda: game.world.add(
                2, transform=Transform(3, -0.5), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1)
            ),
            *(
                lambda number=number: game.world.add(
                    3 + number, transform=Transform(number, -2), collider=SphereCollider(0.5), motion=Motion(force=5),
                    velocity=Velocity(4 - number, 0), character=Character(),
                )
                for number in range(2)
            ),
        ]  # fmt: skip
        for each in order:
            actions[each]()
        game.run(90)
        return [game.at(entity) for entity in (1, 2, 3, 4)]

    results = [play(order) for order in itertools.permutations(range(4))]
    assert all(result == results[0] for result in results)
