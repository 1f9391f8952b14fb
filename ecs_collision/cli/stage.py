"""A game as the pieces of a picture: what is visible, with which letter, in which colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_lowercase

from ecs_collision.bodies.drawn import is_asleep
from ecs_collision.game.game import Game
from ecs_collision.levels import Level, Thing
from ecs_collision.levels.colliders import rectangles_around
from ecs_collision.picture import FIXED, FLAT, LARGE, LOOSE, MOVER, SMALL, WALL, Look, Piece, Rect, Run, draw
from ecs_collision.testing.scene_pictures import distinct_letters, look_of, rects_of

GLYPHS = {"wall": WALL, "walls": WALL, "player": "@", "crate": "$", "goal": "."}
"""The letters of the usual kinds, as in Sokoban."""

COLOURS = ("cyan", "green", "magenta", "blue", "red", "bright_cyan", "bright_magenta", "bright_blue", "bright_red")
"""Styles of the kinds that can be pushed, used in turn."""

STYLES = {FLAT: "green", FIXED: "bright_black", MOVER: "bold yellow"}


class Stage:
    """Draws a game; letters and colours belong to the kinds of its level."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.glyphs = glyphs_of(game.level)
        looks: dict[str, Look] = {}
        for thing in game.level.things:
            if thing.is_body:
                looks.setdefault(thing.kind, look_of(game.things.parts(game.id(thing.name))))
        pushable = [kind for kind in self.glyphs if looks.get(kind) is LOOSE]
        self._styles = {kind: COLOURS[number % len(COLOURS)] for number, kind in enumerate(pushable)}

    def rows(self, width: int | None = None, height: int | None = None) -> list[list[Run]]:
        """Return the current picture, in the large form if it fits into `width` and `height` characters."""
        columns, rows = self._game.level.size
        large = (width is None or columns * LARGE.wide <= width) and (height is None or rows * LARGE.high <= height)
        return draw(self._pieces(), columns, rows, LARGE if large else SMALL)

    def _pieces(self) -> Iterator[Piece]:
        """Yield the visible things; disabled ones are not visible."""
        game = self._game
        for thing in game.level.things:
            glyph = self.glyphs[thing.kind]
            if thing.name not in game.ids:
                yield Piece(_scenery(thing), glyph, FLAT)
            elif game.is_enabled(thing.name):
                parts = game.things.parts(game.id(thing.name))
                look = look_of(parts)
                style = STYLES.get(look) or self._styles.get(thing.kind, "")
                partners = [name for name in game.fused(thing.name) if name != thing.name and game.is_enabled(name)]
                joined = [rect for name in partners for rect in rects_of(game.things.parts(game.id(name)))]
                yield Piece(rects_of(parts), glyph, look, style, "z" if is_asleep(parts) else "", tuple(joined))

    def legend(self) -> str:
        """Return the meaning of each letter."""
        return "  ".join(f"{'█' if glyph == WALL else glyph} {kind}" for kind, glyph in self.glyphs.items())


def _scenery(thing: Thing) -> tuple[Rect, ...]:
    """Return the rectangles of a thing that is not a body."""
    x, y, _ = thing.position
    return tuple([(x + a, y + b, x + c, y + d) for a, b, c, d in rectangles_around(thing)])


def glyphs_of(level: Level) -> Mapping[str, str]:
    """Return a letter for each kind, all different while there are enough: the usual one, one of its name, or any."""
    kinds = dict.fromkeys(thing.kind for thing in level.things)
    letters = distinct_letters(kinds, GLYPHS, ascii_lowercase)
    return {kind: letters[kind] for kind in kinds}
