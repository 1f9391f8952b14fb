"""A top-down shooter in pygame-ce on esper: ricochets, ghosts, guards on paths, a door that opens.

    python examples/shooter.py

WASD walks, the mouse aims, its button shoots, F1 shows what the engine sees. Bullets fly straight by their true shape,
bounce off walls, pass through ghosts and end guards. A guard that touches you sends you back. The door opens when all
guards are gone; leave by it.
"""

import math

import esper
import pygame

from ecs_collision import (
    Blocked,
    BoxCollider,
    CircleCollider,
    CollisionSystem,
    FixedStep,
    Inertia,
    Lifetime,
    Motion,
    MovementSystem,
    Mover,
    Path,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    Velocity,
)
from ecs_collision.debug import Camera, DebugView, with_pygame

TILE = 32  # pixels; the engine works in tiles
WALK, BULLET = 5.0, 24.0
LEVEL = """
####################
#@.....#...........#
#......#....g......#
#......#...........#
#......#......##...#
#..C...........#.G.#
#......####....#####
#................###
#......g....G....De#
#................###
####################
"""
COLORS = {
    "#": "#464e68", "@": "#5cb0ff", "G": "#e85a60", "g": "#8a93b8", "D": "#b0703c", "e": "#fad05c", "C": "#9a7b4f",
    "*": "#ffffff",
}  # fmt: skip


class Game:
    """The game without its window: `update` runs a frame, `draw` draws one."""

    def __init__(self, level: str = LEVEL) -> None:
        esper.switch_world("shooter")
        self.system = CollisionSystem()
        esper.add_processor(MovementSystem(self.system), priority=2)
        esper.add_processor(self.system, priority=1)
        self.system.on(TriggerEntered, self.entered)
        self.clock = FixedStep(60)
        self.looks: dict[int, str] = {}
        self.guards: set[int] = set()
        self.has_won = False
        for row, line in enumerate(level.split()):
            for column, letter in enumerate(line):
                if letter != ".":
                    self.create(letter, *self.parts(letter, column + 0.5, row + 0.5))

    def create(self, letter: str, *parts: object) -> int:
        """Create an entity that looks like a letter."""
        entity = esper.create_entity(*parts)
        self.looks[entity] = COLORS[letter]
        if letter == "@":
            self.hero = entity
        elif letter == "G":
            self.guards.add(entity)
        elif letter == "D":
            self.door = entity
        return entity

    def parts(self, letter: str, x: float, y: float) -> tuple[object, ...]:
        """Return the components of a letter of the level."""
        at = Transform(x, y)
        match letter:
            case "@":
                return at, CircleCollider(0.375, layer="hero"), Velocity(), Motion(force=3), Inertia(1)
            case "G" | "g":
                there = (x, y - 3) if letter == "G" else (x + 3, y)
                box = BoxCollider(0.375, 0.375, layer="guard" if letter == "G" else "ghost")
                return at, box, Motion(force=2), Path([(x, y), there], speed=2, loop="back")
            case "C":
                return at, BoxCollider(0.5, 0.5), Inertia(2)
            case "e":
                return at, BoxCollider(0.5, 0.5), Trigger(mask="hero")
        return at, BoxCollider(0.5, 0.5, layer="door" if letter == "D" else "wall"), Static()

    def entered(self, event: TriggerEntered) -> None:
        """Win: the only trigger is the exit behind the door."""
        self.has_won = True

    def shoot(self, x: float, y: float) -> int:
        """Shoot towards a place; returns the bullet."""
        at = esper.component_for_entity(self.hero, Transform)
        length = math.hypot(x - at.x, y - at.y) or 1.0
        flight = Velocity(BULLET * (x - at.x) / length, BULLET * (y - at.y) / length)
        mover = Mover("stop", responses={"wall": "bounce", "door": "bounce", "ghost": "cross"}, straight=True)
        ball = CircleCollider(0.125, layer="bullet", mask={"wall", "door", "guard", "ghost"})
        bullet = self.create("*", Transform(at.x, at.y), ball, flight, Motion(), mover, Lifetime(90))
        self.system.on(Blocked, self.hit, entity=bullet)  # of this bullet alone; it ends with it
        return bullet

    def hit(self, event: Blocked) -> None:
        """End a guard and the bullet that it stopped; walls stop bullets as well, and make them bounce."""
        if event.blocker in self.guards:
            self.guards.remove(event.blocker)
            esper.delete_entity(event.blocker)
            esper.delete_entity(event.entity)

    def update(self, seconds: float, dx: int = 0, dy: int = 0) -> None:
        """Run the steps of a frame; dx, dy: the keys that are held, each -1, 0 or 1."""
        velocity, length = esper.component_for_entity(self.hero, Velocity), math.hypot(dx, dy) or 1.0
        for _ in self.clock.steps(seconds):
            velocity.x, velocity.y = WALK * dx / length, WALK * dy / length
            esper.process()
            if self.system.space.overlapping_circle(self.hero, 0.5, layers="guard"):
                self.system.teleport(self.hero, 1.5, 1.5)
            if not self.guards and esper.entity_exists(self.door):
                esper.delete_entity(self.door)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything where it is between the last two steps."""
        surface.fill("#1e212e")
        for entity, color in self.looks.items():
            if not esper.entity_exists(entity):
                continue
            x, y, _ = self.system.interpolated(entity, self.clock.alpha)
            circle, box = esper.try_component(entity, CircleCollider), esper.try_component(entity, BoxCollider)
            if circle is not None:
                pygame.draw.circle(surface, color, (x * TILE, y * TILE), circle.radius * TILE)
            elif box is not None:
                corner = ((x - box.hx) * TILE, (y - box.hy) * TILE)
                pygame.draw.rect(surface, color, (corner, (2 * box.hx * TILE, 2 * box.hy * TILE)))


def main() -> None:
    """Open a window and play until it is closed."""
    pygame.init()
    window, clock, game = pygame.display.set_mode((640, 352)), pygame.time.Clock(), Game()
    view, shows_view = DebugView(game.system), False
    while not game.has_won:
        seconds = clock.tick() / 1000
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return
            if event.type == pygame.MOUSEBUTTONDOWN:
                game.shoot(event.pos[0] / TILE, event.pos[1] / TILE)
            if event.type == pygame.KEYDOWN and event.key == pygame.K_F1:
                shows_view = not shows_view
        held = pygame.key.get_pressed()
        game.update(seconds, held[pygame.K_d] - held[pygame.K_a], held[pygame.K_s] - held[pygame.K_w])
        game.draw(window)
        if shows_view:
            with_pygame.debug_draw(window, view, Camera(10, 5.5, zoom=TILE), game.clock.alpha)
        pygame.display.flip()


if __name__ == "__main__":
    main()
