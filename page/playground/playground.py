"""Plays a level in Pyodide: each call returns JSON with a film of what it did, which the page draws."""

import json
from pathlib import Path

from ecs_collision import puzzles
from ecs_collision.debug.film import Film
from ecs_collision.game import Game
from ecs_collision.levels import parse_level
from ecs_collision.solver import solve

SCRIPT = Path("script.py")


class Playground:
    """The game on the page. A level that cannot be played leaves the one before."""

    def __init__(self):
        self.game, self.has_script = None, False

    def puzzles(self):
        """Return the included puzzles: name, text, script."""
        paths = [puzzles.path(name) for name in puzzles.names()]
        return [
            [
                path.stem,
                path.read_text(),
                path.with_suffix(".py").read_text() if path.with_suffix(".py").exists() else "",
            ]
            for path in paths
        ]

    def load(self, text, script, moves=""):
        """Begin a level, and play the first moves."""
        SCRIPT.write_text(script)
        game = Game(parse_level(text, name="level"), script=SCRIPT if script.strip() else None)
        game.start()
        game.play(moves)
        self.game, self.has_script = game, bool(script.strip())
        return self.shown(lambda: None)

    def turn(self, letter):
        """Play a letter."""
        return self.shown(lambda: self.game.turn(letter))

    def undo(self):
        """Take back a turn."""
        return self.shown(self.game.undo)

    def redo(self):
        """Play again what was taken back."""
        return self.shown(self.game.redo)

    def restart(self):
        """Go back to the start; that can be undone."""
        return self.shown(self.game.restart)

    def solve(self, seconds):
        """Search the fewest pushes from here."""
        game = self.game
        found = solve(game if self.has_script or game.moves else game.level, seconds=seconds)
        return {
            "moves": found.moves,
            "pushes": found.pushes,
            "states": found.states,
            "seconds": found.seconds,
            "outcome": found.outcome.value,
            "missing": found.missing,
        }

    def shown(self, act):
        """Return what an act did, and the state of the game after it."""
        game = self.game
        film = Film(game.world, game.level.title, name_of=game.things.names.display_name)
        try:
            act()
        finally:
            film.stop()
        return {
            "film": film.data(),
            "letters": game.letters,
            "moves": game.moves,
            "solved": game.solved,
            "title": game.level.title,
            "note": game.level.properties.get("note", ""),
        }


playground = Playground()


def answer(name, arguments):
    """Call a method with arguments in JSON; return its result in JSON, or the problem."""
    try:
        result = getattr(playground, name)(*json.loads(arguments))
    except Exception as problem:  # a script may raise anything
        result = {"problem": str(problem) or type(problem).__name__}
    return json.dumps(result, separators=(",", ":"))
