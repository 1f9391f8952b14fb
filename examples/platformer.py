"""A platformer in pygame-ce on esper: slopes, steps, one-way platforms, a lift, a belt, a ladder, a crate, a press.

    python examples/platformer.py

Arrow keys walk and climb, space jumps, down drops through a platform, F1 shows what the engine sees. Collect the coins
and reach the flag; keep out of the lava and from under the press. The engine moves everything; the game only says how
fast the hero wants to walk.
"""

import esper
import pygame

from ecs_collision import (
    BoxCollider,
    Carries,
    Character,
    CollisionSystem,
    Crushed,
    FixedStep,
    Inertia,
    Motion,
    MovementSystem,
    Mover,
    OneWay,
    OrientedBoxCollider,
    Path,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    Velocity,
    ramp,
)
from ecs_collision.debug import Camera, DebugView, with_pygame

TILE = 32  # pixels; the engine works in tiles
WALK, JUMP, CLIMB, GRAVITY = 6.0, 12.0, 4.0, 32.0
LEVEL = """
............................................
.......................................P....
............................................
....................................o.......
...................................---......
.........................................F..
............................o...H#>>>>>#####
........o.......................H###########
.......---......................H###########
..........................C.....H###########
.@...........=..===....L.#####..H###########
###################~~#######################
############################################
"""
RAMPS = (((3, 11), (5, 10)), ((5, 10), (7, 11)))
"""Where the surface of each begins and ends, in tiles."""
COLORS = {
    "#": "#464e68", "=": "#565f7d", "-": "#9a7b4f", ">": "#8a5fb0", "H": "#5d7a4e", "C": "#b0703c", "L": "#68a096",
    "@": "#5cb0ff", "o": "#fad05c", "F": "#7fe07f", "~": "#e85a60", "P": "#c04a70",
}  # fmt: skip


class Game:
    """The game without its window: `update` runs a frame, `draw` draws one."""

    def __init__(self, level: str = LEVEL) -> None:
        esper.switch_world("platformer")
        self.system = CollisionSystem(bounds=((0, 0), (44, 13)))
        esper.add_processor(MovementSystem(self.system, gravity=(0, GRAVITY)), priority=2)
        esper.add_processor(self.system, priority=1)
        self.system.on(TriggerEntered, self.entered)
        self.system.on(Crushed, lambda event: self.restart())
        self.clock = FixedStep(60)
        self.looks: dict[int, str] = {}
        self.coins, self.falls, self.has_won, self.wants_jump = 0, 0, False, False
        for start, end in RAMPS:
            self.looks[esper.create_entity(*ramp(start, end), Static())] = COLORS["="]
        for row, line in enumerate(level.split()):
            for column, letter in enumerate(line):
                if letter != ".":
                    entity = esper.create_entity(*self.parts(letter, column + 0.5, row + 0.5))
                    self.looks[entity] = COLORS[letter]
                    if letter == "@":
                        self.hero, self.start = entity, (column + 0.5, row + 0.5)
        self.looks[self.hero] = self.looks.pop(self.hero)  # drawn last

    def parts(self, letter: str, x: float, y: float) -> tuple[object, ...]:
        """Return the components of a letter of the level."""
        at, tile = Transform(x, y), BoxCollider(0.5, 0.5)
        match letter:
            case "-":
                return Transform(x, y - 0.375), BoxCollider(0.5, 0.125), Static(), OneWay("up")
            case "=":
                return Transform(x, y + 0.375), BoxCollider(0.5, 0.125), Static()  # a step
            case ">":
                return at, tile, Static(), Velocity(-2, 0)  # a belt that runs to the left
            case "L" | "P":
                box, there, speed = (BoxCollider(0.5, 0.25), y - 3, 2) if letter == "L" else (tile, y + 4, 3)
                path = Path([(x, y), (x, there)], speed, loop="back")
                return at, box, Motion(force=50), Carries("up"), path
            case "C":
                return at, tile, Inertia(2), Motion(), Velocity()
            case "@":
                hero = Character(step_height=0.25, coyote=6, jump_buffer=6)
                box = BoxCollider(0.375, 0.4375, layer="hero")
                return at, box, hero, Velocity(), Motion(force=5), Inertia(1), Mover()
            case "~":
                return Transform(x, y + 0.25), BoxCollider(0.5, 0.25, layer="lava"), Trigger(mask="hero")
            case "o":
                return at, BoxCollider(0.25, 0.25, layer="coin"), Trigger(mask="hero")
            case "F" | "H":
                layer = "flag" if letter == "F" else "ladder"
                return at, BoxCollider(0.25, 0.5, layer=layer), Trigger(mask="hero")
        return at, tile, Static()

    def entered(self, event: TriggerEntered) -> None:
        """Collect a coin, burn in lava, or win."""
        layer = esper.component_for_entity(event.trigger, BoxCollider).layer
        if layer == "coin":
            esper.delete_entity(event.trigger)
            self.coins += 1
        elif layer == "lava":
            self.restart()
        elif layer == "flag":
            self.has_won = self.coins == 3

    def restart(self) -> None:
        """Put the hero back to where it began."""
        self.falls += 1
        self.system.teleport(self.hero, *self.start)
        esper.component_for_entity(self.hero, Velocity).y = 0.0

    def update(self, seconds: float, dx: int = 0, dy: int = 0, jump: bool = False) -> None:
        """Run the steps of a frame; dx, dy: the keys that are held, each -1, 0 or 1."""
        hero = esper.component_for_entity(self.hero, Character)
        velocity = esper.component_for_entity(self.hero, Velocity)
        mover = esper.component_for_entity(self.hero, Mover)
        self.wants_jump = self.wants_jump or jump  # a press waits for a step; a short frame runs none
        for _ in self.clock.steps(seconds):
            velocity.x = WALK * dx
            if self.wants_jump:
                hero.jump(JUMP)
            if dy > 0 and hero.on_floor:
                hero.drop()
            if self.wants_jump or not self.system.space.overlapping(self.hero, layers="ladder", triggers=True):
                mover.gravity = 1.0
            elif dy:
                mover.gravity = 0.0  # it holds on to the ladder
            if mover.gravity == 0.0:
                velocity.y = CLIMB * dy
            self.wants_jump = False
            esper.process()

    def camera(self, width: float) -> float:
        """Return the middle of what is seen, in tiles: the hero, but nothing beyond the level."""
        x, half = self.system.interpolated(self.hero, self.clock.alpha)[0], width / 2 / TILE
        return min(max(x, half), 44 - half)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything where it is between the last two steps."""
        left = self.camera(surface.get_width()) - surface.get_width() / 2 / TILE
        surface.fill("#1e212e")
        for entity, color in self.looks.items():
            if not esper.entity_exists(entity):
                continue
            x, y, _ = self.system.interpolated(entity, self.clock.alpha)
            box = esper.try_component(entity, BoxCollider) or esper.component_for_entity(entity, OrientedBoxCollider)
            angle = esper.component_for_entity(entity, Transform).angle
            corners = [pygame.Vector2(a * box.hx, b * box.hy) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            place = pygame.Vector2(x - left, y)
            pygame.draw.polygon(surface, color, [TILE * (place + each.rotate_rad(angle)) for each in corners])
        text = f"coins {self.coins}   falls {self.falls}" + "   you win" * self.has_won
        surface.blit(pygame.font.Font(None, 24).render(text, True, "#e1e4f0"), (10, 8))


def main() -> None:
    """Open a window and play until it is closed."""
    pygame.init()
    window, clock, game = pygame.display.set_mode((800, 416)), pygame.time.Clock(), Game()
    view, shows_view = DebugView(game.system), False
    while True:
        seconds, jump = clock.tick() / 1000, False
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return
            jump = jump or (event.type == pygame.KEYDOWN and event.key == pygame.K_SPACE)
            if event.type == pygame.KEYDOWN and event.key == pygame.K_F1:
                shows_view = not shows_view
        held = pygame.key.get_pressed()
        game.update(seconds, held[pygame.K_RIGHT] - held[pygame.K_LEFT], held[pygame.K_DOWN] - held[pygame.K_UP], jump)
        game.draw(window)
        if shows_view:
            with_pygame.debug_draw(window, view, Camera(game.camera(800), 6.5, zoom=TILE), game.clock.alpha)
        pygame.display.flip()


if __name__ == "__main__":
    main()
