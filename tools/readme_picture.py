"""Draw the picture of the README: `python -m tools.readme_picture` plays its example and writes docs/push.svg."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Frame,
    Inertia,
    Motion,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
)

FILE = Path(__file__).parents[1] / "docs" / "push.svg"
SCALE = 56
"""Pixels per world unit."""
LEFT, TOP, ROW, WIDTH = 96, 40, 158, 640


class Piece(NamedTuple):
    """One body of the example: its name, colours, size in world units and whether it is drawn as an outline."""

    name: str
    fill: str
    stroke: str
    wide: float
    high: float
    is_outline: bool = False


PIECES = {
    4: Piece("plate", "#e6f4ea", "#34a853", 1, 1, is_outline=True),
    1: Piece("player", "#a8c7fa", "#174ea6", 1, 1),
    2: Piece("crate", "#e3b778", "#8d5a1b", 1, 1),
    3: Piece("wall", "#9aa0a6", "#5f6368", 1, 1.6),
}
PLAYER, CRATE, WALL, PLATE = 1, 2, 3, 4


def example() -> tuple[CollisionWorld, dict[int, Transform]]:
    """Return the world of the README's first example, and where its bodies are."""
    world, half = CollisionWorld(), 0.5
    places = {PLAYER: Transform(0, 0), CRATE: Transform(2, 0), WALL: Transform(6, 0), PLATE: Transform(4, 0)}
    world.add(PLAYER, transform=places[PLAYER], collider=BoxCollider(half, half), motion=Motion(force=2.0))
    world.add(CRATE, transform=places[CRATE], collider=BoxCollider(half, half), inertia=Inertia(1.0))
    world.add(WALL, transform=places[WALL], collider=BoxCollider(half, 2.0), static=Static())
    world.add(PLATE, transform=places[PLATE], collider=BoxCollider(half, half), trigger=Trigger())
    return world, places


def caption(frame: Frame) -> str:
    """Return what happened in a frame, in one line."""
    result = frame.results[PLAYER]
    text = f"frame {frame.number}: moves {result.moved[0]:g} of {result.requested[0]:g}"
    text += "".join(f", pushes the {PIECES[body].name} {by[0]:g}" for body, by in result.pushed.items())
    text += "".join(f", is stopped by the {PIECES[stop.blocker].name}" for stop in result.stops if stop.blocker)
    entered = [PIECES[event.other].name for event in frame.events if isinstance(event, TriggerEntered)]
    return text + "".join(f"; the plate reports the {name}" for name in entered)


def row(number: int, title: str, places: dict[int, Transform]) -> list[str]:
    """Return the SVG elements of one state of the world."""
    top = TOP + number * ROW
    floor = top + 1.6 * SCALE
    lines = [
        f'<text x="{WIDTH / 2:g}" y="{top - 14}">{title}</text>',
        f'<path d="M {LEFT} {floor:g} H {WIDTH - LEFT}" stroke="#dadce0" stroke-width="2"/>',
    ]
    for body, piece in PIECES.items():
        x = LEFT + (places[body].x + 0.5 - piece.wide / 2) * SCALE
        dash = ' stroke-dasharray="5 4"' if piece.is_outline else ""
        lines.append(
            f'<rect x="{x:g}" y="{floor - piece.high * SCALE:g}" width="{piece.wide * SCALE:g}" '
            f'height="{piece.high * SCALE:g}" fill="{piece.fill}" stroke="{piece.stroke}" stroke-width="2"{dash}/>'
        )
        y = floor + 18 if piece.is_outline else floor - piece.high * SCALE / 2 + 5
        lines.append(f'<text x="{x + piece.wide * SCALE / 2:g}" y="{y:g}">{piece.name}</text>')
    return lines


def picture() -> str:
    """Play the example and return its states as an SVG document."""
    world, places = example()
    lines = row(0, "start: the player is about to move 3 to the right, twice", places)
    for number in (1, 2):
        world.request(PLAYER, dx=3)
        lines += row(number, caption(world.step()), places)
    height = TOP + 3 * ROW - 18
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    style = "text { font-family: sans-serif; font-size: 13px; fill: #202124; text-anchor: middle; }"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
            f"<style>{style}</style>",
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
            *lines,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8")
