"""A game as the pieces of a picture: who is seen, by what letter, in what colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ecs_collision.components import BoxCollider
from ecs_collision.game.game import Game
from ecs_collision.levels import Level
from ecs_collision.picture import FIXED, FLAT, LARGE, LOOSE, MOVER, SMALL, WALL, Layer, Piece, Rect, Run, draw

GLYPHS = {"wall": WALL, "walls": WALL, "player": "@", "crate": "$", "goal": "."}
"""The letters of the usual kinds, as Sokoban has them."""

COLOURS = ("cyan", "green", "magenta", "blue", "red", "bright_cyan", "bright_magenta", "bright_blue", "bright_red")
"""Styles of what can be pushed, by kind, over and over."""

STYLES = {FLAT: "green", FIXED: "bright_black", MOVER: "bold yellow"}


class Stage:
    """Shows a game; letters and colours are those of the kinds of its level."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.glyphs = glyphs_of(game.level)
        loose = [kind for kind in self.glyphs if self._layer_of(kind) is LOOSE]
        self._styles = {kind: COLOURS[number % len(COLOURS)] for number, kind in enumerate(loose)}

    def rows(self, width: int | None = None, height: int | None = None) -> list[list[Run]]:
        """Return the picture as it is now, the large one where it fits into so many characters."""
        columns, rows = self._game.level.size
        large = (width is None or columns * LARGE.wide <= width) and (height is None or rows * LARGE.high <= height)
        return draw(self.pieces(), columns, rows, LARGE if large else SMALL)

    def pieces(self) -> Iterator[Piece]:
        """Yield what there is to see; what is disabled is not."""
        game = self._game
        for thing in game.level.things:
            if thing.name not in game.ids:
                x, y, _ = thing.position
                rects = tuple(_rect(x, y, box.hx, box.hy, box.offset) for box in thing.boxes)
                yield Piece(rects, self.glyphs[thing.kind], FLAT)
            elif game.is_enabled(thing.name):
                layer = self._layer(thing.name)
                sleeping = game.get(thing.name, "Sleeping")
                mark = "z" if sleeping is not None and sleeping.asleep else ""
                style = STYLES.get(layer) or self._styles.get(thing.kind, "")
                others = [name for name in game.fused(thing.name) if name != thing.name and game.is_enabled(name)]
                joined = tuple(rect for name in others for rect in self._rects(name))
                yield Piece(self._rects(thing.name), self.glyphs[thing.kind], layer, style, mark, joined)

    def legend(self) -> str:
        """Return what each letter means."""
        return "  ".join(f"{'█' if glyph == WALL else glyph} {kind}" for kind, glyph in self.glyphs.items())

    def _layer_of(self, kind: str) -> Layer:
        bodies = [thing.name for thing in self._game.level.things if thing.kind == kind and thing.is_body]
        return self._layer(bodies[0]) if bodies else FLAT

    def _layer(self, name: str) -> Layer:
        get = self._game.get
        if get(name, "Trigger") is not None:
            return FLAT
        if get(name, "Motion") is not None:
            return MOVER
        return LOOSE if get(name, "Inertia") is not None else FIXED

    def _rects(self, name: str) -> tuple[Rect, ...]:
        x, y, _ = self._game.position(name)
        collider = self._game.get(name, "Collider")
        boxes = (collider,) if isinstance(collider, BoxCollider) else collider.parts
        return tuple(_rect(x, y, box.hx, box.hy, box.offset) for box in boxes)


def _rect(x: float, y: float, hx: float, hy: float, offset: tuple[float, float, float]) -> Rect:
    return x + offset[0] - hx, y + offset[1] - hy, x + offset[0] + hx, y + offset[1] + hy


def glyphs_of(level: Level) -> Mapping[str, str]:
    """Return a letter for each kind, no two alike while there are enough: the usual one, one of its own, or any."""
    taken: dict[str, str] = {}
    kinds = dict.fromkeys(thing.kind for thing in level.things)
    for kind in kinds:
        if kind in GLYPHS and GLYPHS[kind] not in taken.values():
            taken[kind] = GLYPHS[kind]
    for kind in kinds:
        own = [letter for letter in kind.upper() + kind.lower() + "abcdefghijklmnopqrstuvwxyz" if letter.isalnum()]
        free = (letter for letter in own if letter not in taken.values())
        taken.setdefault(kind, next(free, "?"))
    return {kind: taken[kind] for kind in kinds}
