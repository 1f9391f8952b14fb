"""Which floor counts of several, what a character keeps of the velocity of a floor that it leaves, and its walls."""

from __future__ import annotations

import math
from typing import Any

import pytest
from movement_games import DT, UNIT, Actor, G, Game, standing

from ecs_collision import (
    Box,
    BoxCollider,
    Carries,
    Character,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    Mover,
    OrientedBoxCollider,
    Path,
    SphereCollider,
    Static,
    Transform,
    Velocity,
)

# Of several floors the one with the largest overlap.


def tile_and_belt(game: Game, belt_first: bool) -> tuple[int, int]:
    """Add a tile from 0 to 2 and a belt from 2 to 6, in one of both orders of ids; return the tile and the belt."""
    made: dict[bool, int] = {}
    for is_belt in (belt_first, not belt_first):
        made[is_belt] = game.floor(2, 6, velocity=Velocity(1, 0)) if is_belt else game.floor(0, 2)
    return made[False], made[True]


@pytest.mark.parametrize("belt_first", [True, False])
@pytest.mark.parametrize(("x", "carried"), [(2.3, True), (1.7, False)])
def test_the_floor_with_the_largest_overlap_carries_a_character_M3(belt_first, x, carried):
    game = Game()
    tile, belt = tile_and_belt(game, belt_first)
    actor = game.actor(x, -0.5, BoxCollider(0.5, 0.5))
    game.step()
    assert actor.character.floor == (belt if carried else tile)
    assert actor.character.floor_velocity == ((1, 0, 0) if carried else (0, 0, 0))
    start = actor.transform.x
    game.run(16)
    assert actor.transform.x - start == (0.25 if carried else 0)


@pytest.mark.parametrize("belt_first", [True, False])
@pytest.mark.parametrize(("x", "carried"), [(2.3, True), (1.7, False)])
def test_the_belt_with_the_largest_overlap_carries_a_mover_M7(belt_first, x, carried):
    game = Game()
    tile_and_belt(game, belt_first)
    crate = game.box(x - 0.5, -1, 1, 1, motion=Motion(force=1), velocity=Velocity())
    game.step()
    start = game.at(crate)[0]
    game.run(16)
    assert game.at(crate)[0] - start == (0.25 if carried else 0)


@pytest.mark.parametrize("collider", [BoxCollider(0.5, 0.5, 0.5), SphereCollider(0.5)])
def test_in_3d_the_floor_with_the_largest_area_counts_M3(collider):
    """The two at the right are wider by 0.6 to 0.4, but half as deep: 0.3 to 0.4."""
    game = Game(gravity=(0, 0, -32))
    right = [
        game.world.add(transform=Transform(1.4, y, -0.5), collider=BoxCollider(1.5, 1, 0.5), static=Static())
        for y in (-1, 1)
    ]
    left = game.world.add(transform=Transform(-1.6, 0, -0.5), collider=BoxCollider(1.5, 2, 0.5), static=Static())
    actor = game.actor(0, 0, collider, up=(0, 0, 1), place=Transform(0, 0, 0.5))
    game.step()
    assert actor.character.floor == left if isinstance(collider, BoxCollider) else right[0]


def test_only_the_parts_on_which_it_stands_count_M3():
    game = Game()
    deep = CompoundCollider([Box(1, 0.5, offset=(-1, 0)), Box(3, 0.5, offset=(1, 2))])
    tile = game.world.add(transform=Transform(0, 0.5), collider=deep, static=Static())
    belt = game.floor(0, 4)
    actor = game.actor(0.25, -0.5, BoxCollider(0.5, 0.5))
    game.step()
    assert tile < belt == actor.character.floor


def test_the_parts_of_a_floor_count_together_M3():
    game = Game()
    tile = game.box(-0.2, 0, 0.4, 1)
    sides = CompoundCollider([Box(0.5, 0.5, offset=(-0.7, 0)), Box(0.5, 0.5, offset=(0.7, 0))])
    around = game.world.add(transform=Transform(0, 0.5), collider=sides, static=Static())
    actor = game.actor(0, -0.5, BoxCollider(0.5, 0.5))
    game.step()
    assert tile < around == actor.character.floor


# The velocity of the floor that it leaves.


def mover_platform(game: Game, x: float, y: float, **parts: Any) -> int:
    """Add a platform of 4 x 1 whose top is at 0, which moves by its velocity."""
    parts.setdefault("carries", Carries())
    return game.box(-2, 0, 4, 1, motion=Motion(force=9), velocity=Velocity(x, y), mover=Mover(gravity=0), **parts)


def path_platform(game: Game, x: float, y: float) -> int:
    """Add the same platform with a path, and no Velocity."""
    path = Path([(0, 0.5), (9 * x, 0.5 + 9 * y)], speed=abs(x + y))
    return game.box(-2, 0, 4, 1, motion=Motion(force=9), path=path, carries=Carries())


PLATFORMS = pytest.mark.parametrize("platform", [mover_platform, path_platform])


def riding(platform: Any, x: float, y: float, **options: Any) -> tuple[Game, Actor, int]:
    """Return a game in which a character stands on a platform, and its entity; one step is played."""
    game = Game()
    moving = platform(game, x, y)
    actor = game.actor(0, -0.5, inertia=Inertia(1), **options)
    game.run(2)
    assert actor.character.floor == moving
    assert actor.character.floor_velocity == pytest.approx((x, y, 0))
    assert actor.character.kept_velocity == (0, 0, 0)
    return game, actor, moving


@PLATFORMS
def test_a_jump_from_a_platform_keeps_its_velocity_M7(platform):
    game, actor, moving = riding(platform, 2, 0)
    apart = actor.transform.x - game.at(moving)[0]
    actor.character.jump(4)
    for step in game.steps(14):
        assert not actor.character.on_floor
        assert actor.character.kept_velocity == (2, 0, 0)
        assert (actor.velocity.x, actor.velocity.y) == (2, step / 2 - 4)
        assert actor.transform.x - game.at(moving)[0] == apart


def test_a_game_that_sets_its_velocity_adds_what_was_kept_M7():
    game, actor, moving = riding(mover_platform, 2, 0)
    apart = actor.transform.x - game.at(moving)[0]
    actor.character.jump(4)
    for _ in range(60):
        actor.velocity.x = 0 + actor.character.kept_velocity[0]
        game.step()
        assert actor.transform.x - game.at(moving)[0] == apart
    assert actor.character.on_floor


def test_a_jump_from_a_belt_keeps_its_velocity_across_up_M7():
    game = Game()
    game.floor(velocity=Velocity(3, -5))
    actor = game.actor(0, -0.5)
    game.step()
    start = actor.transform.x
    actor.character.jump(4)
    for step in game.steps(14):
        assert actor.at == (start + 3 * step * DT, -0.5 - (16 * step - step * step) / 256)
        assert actor.character.kept_velocity == (3, 0, 0)


def test_who_walks_off_a_platform_keeps_its_velocity_M7():
    game, actor, _ = riding(mover_platform, 2, 0)
    actor.velocity.x = 1
    while actor.character.on_floor:
        before = actor.transform.x
        game.step()
    assert actor.transform.x - before == 3 * DT, "it was still carried in this step"
    assert actor.velocity.x == 3
    game.step()  # the edge of the platform, which goes first, pushes it a little in this step
    for _ in range(10):
        before = actor.transform.x
        game.step()
        assert (actor.velocity.x, actor.transform.x - before) == (3, 3 * DT)


@PLATFORMS
@pytest.mark.parametrize("lift", [-2, 2])
def test_a_jump_from_a_rising_lift_is_higher_and_from_a_sinking_one_not_lower_M7(platform, lift):
    game, actor, _ = riding(platform, 0, lift)
    actor.character.jump(8)
    game.step()
    kept = min(lift, 0)
    assert actor.character.kept_velocity == (0, kept, 0)
    assert actor.velocity.y == -8 + kept + G * DT
    start = actor.transform.y
    top = min(actor.transform.y for _ in game.steps(30))
    assert start - top == pytest.approx((8 - kept) ** 2 / (2 * G), abs=0.2)


def test_a_platform_that_does_not_carry_gives_nothing_across_M7():
    game = Game()
    mover_platform(game, 1, -2, carries=None)
    actor = game.actor(0, -0.5, inertia=Inertia(1))
    game.run(2)
    actor.character.jump(4)
    game.step()
    assert (actor.velocity.x, actor.character.kept_velocity) == (0, (0, -2, 0))


def test_what_carries_on_another_side_gives_nothing_across_M7():
    game = Game()
    mover_platform(game, 1, 0, carries=Carries("left"))
    actor = game.actor(0, -0.5, inertia=Inertia(1))
    game.run(2)
    actor.character.jump(4)
    game.step()
    assert (actor.velocity.x, actor.character.kept_velocity) == (0, (0, 0, 0))


def test_a_platform_that_is_removed_leaves_its_velocity_M7():
    game, actor, moving = riding(mover_platform, 2, 0)
    game.world.remove(moving)
    game.step()
    assert (actor.velocity.x, actor.character.kept_velocity) == (2, (2, 0, 0))


def test_a_platform_at_the_end_of_its_path_gives_nothing_M7():
    game = Game()
    game.box(-2, 0, 4, 1, motion=Motion(force=9), path=Path([(0, 0.5), (1, 0.5)], speed=4), carries=Carries())
    actor = game.actor(0, -0.5, inertia=Inertia(1))
    game.run(40)
    assert (actor.at, actor.character.floor_velocity) == ((1, -0.5), (0, 0, 0))
    actor.character.jump(4)
    game.step()
    assert (actor.velocity.x, actor.character.kept_velocity) == (0, (0, 0, 0))


def test_a_late_jump_has_the_velocity_of_the_lift_too_M7():
    game, actor, _ = riding(mover_platform, 0, -2, coyote=20)
    actor.velocity.x = 30
    while actor.character.on_floor:
        game.step()
    assert actor.velocity.y == -2 + G * DT
    game.step()
    actor.character.jump(8)
    game.step()
    assert actor.velocity.y == -8 - 2 + G * DT


def test_a_wall_takes_what_was_kept_M7():
    game, actor, _ = riding(mover_platform, 2, 0)
    wall = game.box(0.75, -9, 1, 8.5)
    actor.character.jump(8)
    while not actor.character.on_wall:
        assert actor.character.kept_velocity == (2, 0, 0) or actor.character.on_floor
        game.step()
    assert (wall, (0, 0, 0)) == (actor.character.wall, actor.character.kept_velocity)
    assert actor.velocity.x == 0


def test_a_ceiling_takes_what_was_kept_M7():
    game, actor, _ = riding(mover_platform, 1, -2)
    game.box(-9, -4, 18, 1.75)
    actor.character.jump(12)
    while not actor.character.on_ceiling:
        game.step()
    assert (1, 0) == (actor.velocity.x, actor.velocity.y)
    assert actor.character.kept_velocity == (1, 0, 0)


def test_on_a_ladder_nothing_is_kept_M7():
    game = Game()
    mover_platform(game, 2, 0)
    ladder = Mover()
    actor = game.actor(0, -0.5, inertia=Inertia(1), mover=ladder)
    game.run(2)
    actor.character.jump(4)
    game.step()
    assert actor.character.kept_velocity == (2, 0, 0)
    ladder.gravity = 0
    game.step()
    assert actor.character.kept_velocity == (0, 0, 0)


def test_who_lands_keeps_nothing_M7():
    game, actor, _ = riding(mover_platform, 2, 0)
    actor.character.jump(4)
    game.run(30)
    assert (True, (0, 0, 0)) == (actor.character.on_floor, actor.character.kept_velocity)
    assert actor.character.floor_velocity == (2, 0, 0)


def test_a_snapshot_in_the_air_has_what_was_kept_N1():
    worlds = []
    for _ in range(2):
        game, actor, _ = riding(mover_platform, 2, 0)
        game.box(0.75, -9, 1, 8.5)
        actor.character.jump(8)
        worlds.append((game, actor))
    (game, actor), (other, copy) = worlds
    game.run(3)
    other.world.restore(game.world.snapshot())
    assert copy.character.kept_velocity == actor.character.kept_velocity == (2, 0, 0)
    for _ in range(20):
        for each in (game, other):
            each.step()
        assert actor.character._memory() == copy.character._memory()
        assert game.world.snapshot() == other.world.snapshot()


# Walls.


@pytest.mark.parametrize("side", [-1, 1])
def test_a_wall_has_an_entity_and_a_normal_M3(side):
    game, actor = standing()
    wall = game.box(1 if side > 0 else -2, -4, 1, 4)
    assert (None, None) == (actor.character.wall, actor.character.wall_normal)
    actor.walk = 4 * side
    for _ in game.steps(30):
        found = actor.character.on_wall
        assert actor.character.wall == (wall if found else None)
        assert actor.character.wall_normal == ((-side, 0, 0) if found else None)
    assert actor.character.on_wall
    actor.walk = 0
    game.step()
    assert (None, None) == (actor.character.wall, actor.character.wall_normal)


def test_a_wall_jump_goes_by_the_normal_M3():
    game = Game()
    game.box(1, -20, 1, 20)
    actor = game.actor(0, -5)
    actor.walk = 8
    while not actor.character.on_wall:
        game.step()
    actor.velocity.x, actor.velocity.y = 6 * actor.character.wall_normal[0], -8
    actor.walk = actor.velocity.x
    before = actor.at
    game.step()
    assert actor.at == (before[0] - 6 * DT, before[1] - 8 * DT + G * DT * DT / 2)


def test_of_several_walls_the_one_with_the_largest_overlap_is_named_M3():
    game, actor = standing()
    low, high = game.box(1, -0.25, 1, 0.25), game.box(1, -4, 1, 3.75)
    actor.walk = 4
    game.run(30)
    assert low < high == actor.character.wall


def test_the_bounds_are_a_wall_without_an_entity_M3():
    game = Game(world=CollisionWorld(bounds=((-2, -3), (2, 0))))
    actor = game.actor(0, -0.5)
    actor.walk = 8
    game.run(40)
    assert (True, None, (-1, 0, 0)) == (actor.character.on_wall, actor.character.wall, actor.character.wall_normal)


def test_a_slope_that_is_too_steep_is_a_wall_with_its_normal_M3():
    game = Game()
    slope = game.slope(60, length=40)
    actor = game.actor(4, -12)
    while not actor.character.on_wall:
        game.step()
    angle = math.radians(60)
    assert (False, slope) == (actor.character.on_floor, actor.character.wall)
    assert actor.character.wall_normal == pytest.approx((-math.sin(angle), -math.cos(angle), 0), abs=1e-6)


@pytest.mark.parametrize("step_height", [0, 0.25])
def test_a_slanted_wall_in_3d_has_its_normal_M3(step_height):
    game = Game(gravity=(0, 0, -32))
    angle = math.radians(45)
    game.world.add(transform=Transform(0, 0, -0.5), collider=BoxCollider(40, 40, 0.5), static=Static())
    wall = game.world.add(
        transform=Transform(3, 0, 4, rotation=angle), collider=OrientedBoxCollider(9, 0.5, 4), static=Static()
    )
    actor = game.actor(0, 0, SphereCollider(0.5), up=(0, 0, 1), step_height=step_height, place=Transform(0, 0, 0.5))
    game.step()
    for _ in range(40):
        actor.velocity.x, actor.velocity.y = 4, 0
        game.step()
    assert (True, wall) == (actor.character.on_wall, actor.character.wall)
    assert actor.character.wall_normal == pytest.approx((-math.sin(angle), math.cos(angle), 0), abs=1e-6)
    before = actor.transform.position
    actor.velocity.x, actor.velocity.y = 4, 0
    game.step()
    x, y, z = (after - first for after, first in zip(actor.transform.position, before, strict=True))
    assert (x, y, z) == pytest.approx((2 * DT, 2 * DT, 0), abs=64 * UNIT)


# Ladders.


def test_a_written_velocity_jumps_from_a_ladder_M3():
    game = Game()
    ladder = Mover(gravity=0)
    actor = game.actor(0, -5, mover=ladder)
    actor.velocity.y = -4
    for step in game.steps(8):
        assert actor.at == (0, -5 - step / 16)
    actor.velocity.y = 0
    game.run(8)
    assert actor.at == (0, -5.5)
    actor.character.jump(8)
    game.step()
    assert actor.at == (0, -5.5), "on a ladder it stands on no floor"
    ladder.gravity = 1
    actor.velocity.y = -8
    for step in game.steps(20):
        assert actor.at == (0, -5.5 - (32 * step - step * step) / 256)


def test_the_new_names_are_read_only_M3():
    character = Character()
    for name in ("wall", "wall_normal", "kept_velocity"):
        with pytest.raises(AttributeError, match=f"Character.{name} cannot be assigned or deleted"):
            setattr(character, name, 1)


def test_a_character_that_stands_still_keeps_its_floor_M3():
    game = Game()
    old, other = game.box(0, 0, 0.4, 1), game.box(3, 0, 9, 1)
    actor = game.actor(0.5, -0.5, BoxCollider(0.5, 0.5))
    game.run(4)
    game.world.teleport(other, 4.9, 0.5)  # it slides beneath a larger part of the character
    saved = game.world.snapshot()
    game.run(4)
    assert actor.character.floor == old
    after = game.world.snapshot()
    game.world.restore(saved)
    game.run(4)
    assert game.world.snapshot() == after
    actor.walk = 1
    game.run(1)
    assert actor.character.floor == other
