"""Arena, a pygame-ce game on esper, with ecs-collision; `before.py` is the same game with collision written by hand.

    python examples/arena/after.py

Arrow keys move, space shoots, F1 shows what the engine sees. Collect all coins; three of them open the door. Enemies
and the lift turn round where they are blocked. The lift pushes what it meets.
"""

import math
from dataclasses import dataclass

import esper
import pygame

from ecs_collision import (
    Blocked,
    BoxCollider,
    CollisionSystem,
    Inertia,
    Motion,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
)
from ecs_collision.debug import Camera, DebugView, with_pygame

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


class Door:
    """Blocks everything until the player has enough coins."""


class Bullet:
    """Flies until it hits something."""


class Coin:
    """Can be collected."""


class Movement(esper.Processor):
    """Asks for the distance of this frame for everything that has a velocity."""

    def __init__(self, system: CollisionSystem) -> None:
        self.system = system

    def process(self, dt: float) -> None:
        for entity, (velocity, _) in esper.get_components(Velocity, Motion):
            self.system.request(entity, velocity.x * dt, velocity.y * dt)


class Hits(esper.Processor):
    """A player that an enemy reaches starts again."""

    def __init__(self, system: CollisionSystem) -> None:
        self.system = system

    def process(self, dt: float) -> None:
        for player, state in esper.get_component(Player):
            if self.system.space.overlapping(player, layers="enemy"):
                state.hits += 1
                self.system.teleport(player, 1.5 * TILE, 1.5 * TILE)


def hit(bullet: int, target: int) -> None:
    """End a bullet, and the enemy that it hit."""
    esper.delete_entity(bullet)
    if esper.has_component(target, Enemy) and esper.entity_exists(target):
        esper.delete_entity(target)
        esper.get_component(Player)[0][1].kills += 1


def stopped(event: Blocked) -> None:
    """End a bullet, whichever of the two it is; otherwise let an enemy or a lift turn round."""
    assert event.blocker is not None  # walls enclose the level
    if esper.has_component(event.entity, Bullet):
        hit(event.entity, event.blocker)
    elif esper.has_component(event.blocker, Bullet):
        hit(event.blocker, event.entity)
    elif not esper.has_component(event.entity, Player):
        velocity = esper.component_for_entity(event.entity, Velocity)
        setattr(velocity, event.axis, -getattr(velocity, event.axis))


def entered(event: TriggerEntered) -> None:
    """Let the player collect a coin."""
    if esper.has_component(event.trigger, Coin):
        esper.delete_entity(event.trigger)
        state = esper.component_for_entity(event.other, Player)
        state.coins += 1
        if state.coins == COINS_FOR_DOOR:
            for door, _ in esper.get_component(Door):
                esper.delete_entity(door)


class Game:
    """The game without its window: `update` runs a frame, `draw` draws one."""

    def __init__(self, level: str = LEVEL) -> None:
        esper.switch_world("arena after")
        system = CollisionSystem(bin_size=TILE)
        for processor in (Movement(system), system, Hits(system)):
            esper.add_processor(processor)
        system.on(Blocked, stopped)
        system.on(TriggerEntered, entered)
        self.system = system
        for row, line in enumerate(level.split()):
            for column, letter in enumerate(line):
                self.create(letter, Transform((column + 0.5) * TILE, (row + 0.5) * TILE))
        self.player = esper.get_component(Player)[0][0]
        self.width = len(level.split()[0]) * TILE

    def create(self, letter: str, at: Transform) -> None:
        """Create the entity of a letter of the level."""
        if letter == "#":
            esper.create_entity(Sprite(COLORS["wall"]), at, BoxCollider(16, 16, layer="wall"), Static())
        elif letter == "D":
            esper.create_entity(Door(), Sprite(COLORS["door"]), at, BoxCollider(16, 16, layer="wall"), Static())
        elif letter == "L":
            box = BoxCollider(15, 8, layer="lift")
            esper.create_entity(Sprite(COLORS["lift"], 3), at, box, Velocity(y=-LIFT_SPEED), Motion(force=2))
        elif letter == "o":
            esper.create_entity(Coin(), Sprite("#fad05c", 6), at, BoxCollider(6, 6), Trigger(mask="player"))
        elif letter == "@":
            box = BoxCollider(10, 10, layer="player", mask=("wall", "lift"))
            esper.create_entity(Player(), Sprite(COLORS["player"], 4), at, box, Velocity(), Motion(), Inertia(1))
        elif letter in "Ee":
            velocity = Velocity(x=ENEMY_SPEED) if letter == "E" else Velocity(y=ENEMY_SPEED)
            box = BoxCollider(11, 11, layer="enemy", mask=("wall", "lift", "enemy", "bullet"))
            esper.create_entity(Enemy(), Sprite(COLORS["enemy"], 4), at, box, velocity, Motion(), Inertia(1))

    def update(self, dt: float, dx: int = 0, dy: int = 0, shoot: bool = False) -> None:
        """Run a frame of dt seconds; dx, dy: the keys that are held, each -1, 0 or 1."""
        length = math.hypot(dx, dy) or 1.0
        player = esper.component_for_entity(self.player, Player)
        velocity = esper.component_for_entity(self.player, Velocity)
        velocity.x, velocity.y = PLAYER_SPEED * dx / length, PLAYER_SPEED * dy / length
        if dx or dy:
            player.facing = (dx / length, dy / length)
        if shoot:
            at = esper.component_for_entity(self.player, Transform)
            box = BoxCollider(3, 3, layer="bullet", mask=("wall", "lift", "enemy"))
            flight = Velocity(player.facing[0] * BULLET_SPEED, player.facing[1] * BULLET_SPEED)
            place = Transform(at.x, at.y)
            esper.create_entity(Bullet(), Sprite("#ffffff", 3), place, box, flight, Motion())
        esper.process(dt)

    def left(self, width: float) -> float:
        """Return the left side of what the camera sees: it follows the player and stays inside the level."""
        return min(max(esper.component_for_entity(self.player, Transform).x - width / 2, 0), self.width - width)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw what the camera sees."""
        left = self.left(surface.get_width())
        surface.fill("#1e212e")
        for column in range(0, self.width, 2 * TILE):
            surface.fill("#212534", (round(column - left), 0, TILE, surface.get_height()))
        for _, (sprite, at, box) in esper.get_components(Sprite, Transform, BoxCollider):
            corner = (round(at.x - box.hx - left), round(at.y - box.hy))
            pygame.draw.rect(surface, sprite.color, (corner, (2 * box.hx, 2 * box.hy)), border_radius=sprite.radius)
        player = esper.component_for_entity(self.player, Player)
        text = f"coins {player.coins}   shot {player.kills}   hit {player.hits}"
        surface.blit(pygame.font.Font(None, 24).render(text, True, "#e1e4f0"), (10, 8))


def main() -> None:
    """Open a window and play until it is closed."""
    pygame.init()
    window, clock = pygame.display.set_mode(VIEW), pygame.time.Clock()
    game, is_running = Game(), True
    view: DebugView | None = None
    while is_running:
        dt, shoot = min(clock.tick(60) / 1000, 1 / 20), False
        for event in pygame.event.get():
            is_running = is_running and event.type != pygame.QUIT
            shoot = shoot or (event.type == pygame.KEYDOWN and event.key == pygame.K_SPACE)
            if event.type == pygame.KEYDOWN and event.key == pygame.K_F1:
                if view is None:
                    view = DebugView(game.system)
                else:
                    view.close()
                    view = None
        held = pygame.key.get_pressed()
        dx, dy = held[pygame.K_RIGHT] - held[pygame.K_LEFT], held[pygame.K_DOWN] - held[pygame.K_UP]
        game.update(dt, dx, dy, shoot)
        game.draw(window)
        if view is not None:
            with_pygame.debug_draw(window, view, Camera(game.left(VIEW[0]) + VIEW[0] / 2, VIEW[1] / 2, zoom=1))
        pygame.display.flip()
    pygame.quit()


if __name__ == "__main__":
    main()
