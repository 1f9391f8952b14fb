"""Draw the animation of the README: `python -m tools.readme_picture` plays it in the engine and writes docs/push.svg.

A player pushes a crate onto a plate, which opens a door, walks through, and meets a crate that is too heavy. What
moves, when, and the arrows and words about it are those of the engine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from ecs_collision import BoxCollider, CollisionWorld, Inertia, Motion, Static, Transform, Trigger, TriggerEntered
from ecs_collision.bodies.drawn import body_shapes
from ecs_collision.drawing import Drawn, Label, Point, bounds_of, element_of
from tools.rule_pictures import motion_shapes

FILE = Path(__file__).parents[1] / "docs" / "push.svg"
SCALE = 60.0
"""Pixels of a unit."""
LEFT, TOP, WIDTH, HEIGHT, CAPTION = -1.5, -1.5, 11.0, 4.0, 0.9
"""The part of the world that is seen, and the room for the words below it, in units."""

MOMENTS_A_UNIT = 16
SECONDS_A_MOMENT = 0.03
PAUSE = 60
"""Moments in which nothing moves, before a motion and at the end."""

ABOVE = -40.0
"""Where the name of a body is, in pixels below its middle."""

NAMES = ("wall above", "wall below", "wall", "plate", "door", "player", "crate", "heavy crate")
MOTIONS: Sequence[tuple[float, float]] = ((3.0, 0.0), (0.0, -1.0), (5.0, 0.0))
"""What the player is asked to do, one after the other."""


def scene() -> tuple[CollisionWorld, dict[str, int]]:
    """Return the world, and its bodies by name."""
    world, unit = CollisionWorld(), (0.5, 0.5)
    add, static = world.add, Static
    ids = (
        add(transform=Transform(4, -1), collider=BoxCollider(5.5, 0.5), static=static()),
        add(transform=Transform(4, 2), collider=BoxCollider(5.5, 0.5), static=static()),
        add(transform=Transform(6, 1), collider=BoxCollider(*unit), static=static()),
        add(transform=Transform(4, 1), collider=BoxCollider(*unit), trigger=Trigger()),
        add(transform=Transform(6, 0), collider=BoxCollider(0.2, 0.5), static=static()),
        add(transform=Transform(0, 1), collider=BoxCollider(*unit), motion=Motion(force=2.0)),
        add(transform=Transform(2, 1), collider=BoxCollider(*unit), inertia=Inertia(1.0)),
        add(transform=Transform(8, 0), collider=BoxCollider(*unit), inertia=Inertia(3.0)),
    )
    return world, dict(zip(NAMES, ids, strict=True))


class Beat(NamedTuple):
    """What is shown while the player makes a motion: from a moment to another, elements and words."""

    start: int
    end: int
    elements: list[str]
    words: str


class Story(NamedTuple):
    """What happened: the places of each body at each moment, the beats, and when the door was opened."""

    places: dict[str, list[Point]]
    beats: list[Beat]
    opened: int


def play() -> Story:
    """Play the motions in small steps, and note where everything is."""
    world, ids = scene()
    places: dict[str, list[Point]] = {name: [] for name in ids}
    beats: list[Beat] = []
    opened = 0

    def place(entity: int) -> Point:
        x, y, _ = world._bodies.transform(world._bodies.row(entity)).position
        return x, y

    def note(count: int = 1) -> int:
        for name, entity in ids.items():
            places[name] += [place(entity)] * count
        return len(places["player"])

    world.step()
    for dx, dy in MOTIONS:
        start = note(PAUSE) - PAUSE
        plan = world.plan(ids["player"], dx, dy)
        shapes = motion_shapes(plan.result, {entity: place(entity) for entity in ids.values()})
        words = re.sub(r"entity (\d+)", lambda match: NAMES[int(match[1]) - 1], plan.result.explain())
        count = round(MOMENTS_A_UNIT * max(abs(dx), abs(dy)))
        for _ in range(count):
            world.move(ids["player"], dx / count, dy / count)
            moment = note()
            entered = [event for event in world.step().events if isinstance(event, TriggerEntered)]
            if any((event.trigger, event.other) == (ids["plate"], ids["crate"]) for event in entered):
                door = world._bodies.of(world._bodies.row(ids["door"])).collider
                assert door is not None
                door.enabled, opened = False, moment
                words += "; the crate is on the plate: the door opens"
        drawn = [element_of(shape, (LEFT, TOP), SCALE) for shape in shapes]
        beats.append(Beat(start, len(places["player"]), drawn, words))
    end = note(PAUSE)
    beats[-1] = beats[-1]._replace(end=end)
    return Story(places, beats, opened)


def picture() -> str:
    """Return the story as an animated SVG document."""
    story = play()
    world, ids = scene()
    moments = len(story.places["player"])
    repeated = f'dur="{moments * SECONDS_A_MOMENT:g}s" repeatCount="indefinite"'
    across, down = WIDTH * SCALE, (HEIGHT + CAPTION) * SCALE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:g}" height="{down:g}" role="img"'
        f' viewBox="0 0 {across:g} {down:g}" font-family="system-ui, sans-serif" font-size="13">',
        "<title>A player pushes a crate onto a plate, which opens a door, and meets a crate that is too heavy</title>",
        f'<rect width="{across:g}" height="{down:g}" fill="#ffffff"/>',
    ]
    for name, entity in ids.items():
        shapes: list[Drawn] = list(body_shapes(world._bodies.of(world._bodies.row(entity))))
        x0, y0, x1, y1 = bounds_of(shapes)
        if "wall" not in name:
            shapes.append(Label("text", ((x0 + x1) / 2, (y0 + y1) / 2), name, below=ABOVE))
        drawn = "".join([element_of(shape, (LEFT, TOP), SCALE) for shape in shapes])
        lines.append(f"<g>{drawn}{moved(story.places[name], repeated)}{faded(name, story, moments, repeated)}</g>")
    for beat in story.beats:
        times = f"0;{beat.start / moments:.4f};{beat.end / moments:.4f}"
        first = "visible" if beat.start == 0 else "hidden"
        shown = f'<animate attributeName="visibility" values="{first};visible;hidden" keyTimes="{times}"'
        drawn = "".join([*beat.elements, *words(beat.words), f'{shown} calcMode="discrete" {repeated}/>'])
        lines.append(f'<g visibility="{first}">{drawn}</g>')
    return "\n".join([*lines, "</svg>\n"])


def words(text: str) -> list[str]:
    """Return a sentence in lines below the picture."""
    return [
        f'<text x="{WIDTH * SCALE / 2:g}" y="{HEIGHT * SCALE + 22 + 18 * number:g}" text-anchor="middle"'
        f' fill="#1f2937">{escape(line)}</text>'
        for number, line in enumerate(wrap(text, 86))
    ]


def moved(places: list[Point], repeated: str) -> str:
    """Return the animation of a body along its places, "" if it stays; only the places at which its way bends count."""
    first, last = places[0], len(places) - 1
    kept = [at for at in range(len(places)) if at in (0, last) or _way(places, at) != _way(places, at + 1)]
    if all(place == first for place in places):
        return ""
    values = ";".join(f"{(places[at][0] - first[0]) * SCALE:g} {(places[at][1] - first[1]) * SCALE:g}" for at in kept)
    times = ";".join(f"{at / last:.4g}" for at in kept)
    animation = f'<animateTransform attributeName="transform" type="translate" values="{values}"'
    return f'{animation} keyTimes="{times}" {repeated}/>'


def _way(places: list[Point], at: int) -> Point:
    """Return how far a body moved up to a moment, rounded: what is left out must not be seen."""
    (x0, y0), (x1, y1) = places[at - 1], places[at]
    return round(x1 - x0, 3), round(y1 - y0, 3)


def faded(name: str, story: Story, moments: int, repeated: str) -> str:
    """Return the animation of the door when it opens."""
    if name != "door":
        return ""
    times = f"0;{story.opened / moments:.4f};{(story.opened + 5) / moments:.4f};1"
    return f'<animate attributeName="opacity" values="1;1;0.15;0.15" keyTimes="{times}" {repeated}/>'


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8")
