"""Arena, a pygame-ce game on esper, with collision written by hand; `after.py` is the same game with ecs-collision.

    python examples/arena/before.py

Arrow keys move, space shoots. Collect all coins; three of them open the door. Enemies and the lift turn round where
they are blocked. The lift pushes what it meets.
"""

import math
from dataclasses import dataclass

import esper
import pygame

TILE = 32
VIEW = (640, 416)
PLAYER_SPEED, ENEMY_SPEED, LIFT_SPEED, BULLET_SPEED = 150.0, 70.0, 40.0, 420.0
COINS_FOR_DOOR = 3
LEVEL = """
##############################
#@....#.........#....E.......#
#.....#..E......#............#
#..o..#.........#...#........#
#...............#...#....o...#
#.....#.........D...#........#
#.....#.........#...#####..###
#####L#.........#............#
#..E....###..####...e........#
#.......#.......#............#
#..o....#..o....#...o....o...#
#...............#............#
##############################
"""
COLORS = {"wall": "#464e68", "door": "#b0703c", "lift": "#68a096", "player": "#5cb0ff", "enemy": "#e85a60"}


@dataclass
class Position:
    """The centre of an entity, in pixels; y points down."""

    x: float
    y: float


@dataclass
class Size:
    """Half of the width and of the height, in pixels."""

    x: float
    y: float


@dataclass
class Velocity:
    """Pixels a second."""

    x: float = 0.0
    y: float = 0.0


@dataclass
class Sprite:
    """What an entity looks like: its colour, and how round its corners are."""

    color: str
    radius: int = 0


@dataclass
class Player:
    """The player: where it looks, and what it has done."""

    facing: tuple[float, float] = (1.0, 0.0)
    coins: int = 0
    kills: int = 0
    hits: int = 0


class Enemy:
    """Hurts the player and can be shot."""


class Wall:
    """Blocks everything."""


class Door:
    """Blocks everything until the player has enough coins."""


class Lift:
    """Goes up and down and pushes what it meets."""


class Bullet:
    """Flies until it hits something."""


class Coin:
    """Can be collected."""


def overlap(a: int, b: int) -> bool:
    """Return whether two entities overlap."""
    at, size = esper.component_for_entity(a, Position), esper.component_for_entity(a, Size)
    other_at, other_size = esper.component_for_entity(b, Position), esper.component_for_entity(b, Size)
    return abs(at.x - other_at.x) < size.x + other_size.x and abs(at.y - other_at.y) < size.y + other_size.y


def put_beside(entity: int, other: int, axis: str, direction: float) -> None:
    """Put an entity that moved into another one back against its face."""
    at, size = esper.component_for_entity(entity, Position), esper.component_for_entity(entity, Size)
    other_at, other_size = esper.component_for_entity(other, Position), esper.component_for_entity(other, Size)
    gap = getattr(size, axis) + getattr(other_size, axis)
    setattr(at, axis, getattr(other_at, axis) - math.copysign(gap, direction))


def slide(entity: int, axis: str, distance: float, *kinds: type) -> int | None:
    """Move an entity along an axis until something of these kinds is in the way; return what it met."""
    at = esper.component_for_entity(entity, Position)
    setattr(at, axis, getattr(at, axis) + distance)
    met = None
    for kind in kinds:
        for other, _ in esper.get_component(kind):
            if other != entity and esper.entity_exists(other) and overlap(entity, other):
                put_beside(entity, other, axis, distance)
                met = other
    return met


class PlayerMovement(esper.Processor):
    """Moves the player, and compares it with every wall, door and lift."""

    def process(self, dt: float) -> None:
        for player, (_, velocity) in esper.get_components(Player, Velocity):
            for axis in ("x", "y"):
                slide(player, axis, getattr(velocity, axis) * dt, Wall, Door, Lift)


class EnemyMovement(esper.Processor):
    """Moves the enemies, and compares each with every wall, door, lift and enemy."""

    def process(self, dt: float) -> None:
        for enemy, (_, velocity) in esper.get_components(Enemy, Velocity):
            for axis in ("x", "y"):
                speed = getattr(velocity, axis)
                if speed and slide(enemy, axis, speed * dt, Wall, Door, Lift, Enemy) is not None:
                    setattr(velocity, axis, -speed)


class LiftMovement(esper.Processor):
    """Moves the lifts; each takes the player and the enemies with it, unless one of them has no room."""

    def process(self, dt: float) -> None:
        for lift, (_, at, velocity) in esper.get_components(Lift, Position, Velocity):
            start = at.y
            is_blocked = slide(lift, "y", velocity.y * dt, Wall, Door) is not None
            for kind in (Player, Enemy):
                for other, _ in esper.get_component(kind):
                    if overlap(lift, other) and not self.push(other, lift, velocity.y):
                        at.y, is_blocked = start, True
            if is_blocked:
                velocity.y = -velocity.y

    def push(self, entity: int, lift: int, direction: float) -> bool:
        """Put an entity in front of the lift; return whether there is room."""
        at = esper.component_for_entity(entity, Position)
        start = at.y
        put_beside(entity, lift, "y", -direction)
        for kind in (Wall, Door):
            for other, _ in esper.get_component(kind):
                if overlap(entity, other):
                    at.y = start
                    return False
        return True


class BulletMovement(esper.Processor):
    """Moves the bullets, and compares each with every wall, door, lift and enemy."""

    def process(self, dt: float) -> None:
        for bullet, (_, velocity) in esper.get_components(Bullet, Velocity):
            for axis in ("x", "y"):
                met = slide(bullet, axis, getattr(velocity, axis) * dt, Wall, Door, Lift, Enemy)
                if met is not None:
                    esper.delete_entity(bullet)
                    if esper.has_component(met, Enemy):
                        esper.delete_entity(met)
                        esper.get_component(Player)[0][1].kills += 1
                    break


class Coins(esper.Processor):
    """Compares the player with every coin."""

    def process(self, dt: float) -> None:
        for player, state in esper.get_component(Player):
            for coin, _ in esper.get_component(Coin):
                if overlap(player, coin):
                    esper.delete_entity(coin)
                    state.coins += 1
                    if state.coins == COINS_FOR_DOOR:
                        for door, _ in esper.get_component(Door):
                            esper.delete_entity(door)


class Hits(esper.Processor):
    """Compares the player with every enemy; one that is hit starts again."""

    def process(self, dt: float) -> None:
        for player, (state, at) in esper.get_components(Player, Position):
            for enemy, _ in esper.get_component(Enemy):
                if esper.entity_exists(enemy) and overlap(player, enemy):
                    state.hits += 1
                    at.x, at.y = 1.5 * TILE, 1.5 * TILE


class Game:
    """The game without its window: `update` runs a frame, `draw` draws one."""

    def __init__(self, level: str = LEVEL) -> None:
        esper.switch_world("arena before")
        for processor in (PlayerMovement(), EnemyMovement(), LiftMovement(), BulletMovement(), Coins(), Hits()):
            esper.add_processor(processor)
        for row, line in enumerate(level.split()):
            for column, letter in enumerate(line):
                self.create(letter, Position((column + 0.5) * TILE, (row + 0.5) * TILE))
        self.player = esper.get_component(Player)[0][0]
        self.width = len(level.split()[0]) * TILE

    def create(self, letter: str, at: Position) -> None:
        """Create the entity of a letter of the level."""
        if letter == "#":
            esper.create_entity(Wall(), Sprite(COLORS["wall"]), at, Size(16, 16))
        elif letter == "D":
            esper.create_entity(Door(), Sprite(COLORS["door"]), at, Size(16, 16))
        elif letter == "L":
            esper.create_entity(Lift(), Sprite(COLORS["lift"], 3), at, Size(15, 8), Velocity(y=-LIFT_SPEED))
        elif letter == "o":
            esper.create_entity(Coin(), Sprite("#fad05c", 6), at, Size(6, 6))
        elif letter == "@":
            esper.create_entity(Player(), Sprite(COLORS["player"], 4), at, Size(10, 10), Velocity())
        elif letter in "Ee":
            velocity = Velocity(x=ENEMY_SPEED) if letter == "E" else Velocity(y=ENEMY_SPEED)
            esper.create_entity(Enemy(), Sprite(COLORS["enemy"], 4), at, Size(11, 11), velocity)

    def update(self, dt: float, dx: int = 0, dy: int = 0, shoot: bool = False) -> None:
        """Run a frame of dt seconds; dx, dy: the keys that are held, each -1, 0 or 1."""
        length = math.hypot(dx, dy) or 1.0
        player = esper.component_for_entity(self.player, Player)
        velocity = esper.component_for_entity(self.player, Velocity)
        velocity.x, velocity.y = PLAYER_SPEED * dx / length, PLAYER_SPEED * dy / length
        if dx or dy:
            player.facing = (dx / length, dy / length)
        if shoot:
            at = esper.component_for_entity(self.player, Position)
            flight = Velocity(player.facing[0] * BULLET_SPEED, player.facing[1] * BULLET_SPEED)
            esper.create_entity(Bullet(), Sprite("#ffffff", 3), Position(at.x, at.y), Size(3, 3), flight)
        esper.process(dt)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw what the camera sees. It follows the player and stays inside the level."""
        width = surface.get_width()
        left = min(max(esper.component_for_entity(self.player, Position).x - width / 2, 0), self.width - width)
        surface.fill("#1e212e")
        for column in range(0, self.width, 2 * TILE):
            surface.fill("#212534", (round(column - left), 0, TILE, surface.get_height()))
        for _, (sprite, at, size) in esper.get_components(Sprite, Position, Size):
            corner = (round(at.x - size.x - left), round(at.y - size.y))
            pygame.draw.rect(surface, sprite.color, (corner, (2 * size.x, 2 * size.y)), border_radius=sprite.radius)
        player = esper.component_for_entity(self.player, Player)
        text = f"coins {player.coins}   shot {player.kills}   hit {player.hits}"
        surface.blit(pygame.font.Font(None, 24).render(text, True, "#e1e4f0"), (10, 8))


def main() -> None:
    """Open a window and play until it is closed."""
    pygame.init()
    window, clock = pygame.display.set_mode(VIEW), pygame.time.Clock()
    game, is_running = Game(), True
    while is_running:
        dt, shoot = min(clock.tick(60) / 1000, 1 / 20), False
        for event in pygame.event.get():
            is_running = is_running and event.type != pygame.QUIT
            shoot = shoot or (event.type == pygame.KEYDOWN and event.key == pygame.K_SPACE)
        held = pygame.key.get_pressed()
        dx, dy = held[pygame.K_RIGHT] - held[pygame.K_LEFT], held[pygame.K_DOWN] - held[pygame.K_UP]
        game.update(dt, dx, dy, shoot)
        game.draw(window)
        pygame.display.flip()
    pygame.quit()


if __name__ == "__main__":
    main()
