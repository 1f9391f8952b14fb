"""Somebody playing: what each key does, whatever it comes from and however it is shown."""

from __future__ import annotations

from collections.abc import Callable

from ecs_collision.cli.failures import described
from ecs_collision.errors import CollisionError
from ecs_collision.game.game import Game
from ecs_collision.plays.replaying import told

LETTERS = {"left": "L", "right": "R", "up": "U", "down": "D", " ": "."}
"""The letters of keys that have none; the small ones where a game knows only those."""

COMMANDS = {"u": "undo", "y": "redo", "r": "restart", "s": "save", "q": "quit"}
"""The letters of commands, where the game does not move anything by them."""


class Session:
    """A game at the keyboard.

    A key is a character, or the name of an arrow or a command for keys that are none. save: writes the play and
    returns what to say of it. `message` is what the last key led to; `ended` is True once the player wants to stop.
    """

    def __init__(self, game: Game, save: Callable[[Game], str]) -> None:
        self.game = game
        self.message = ""
        self.ended = False
        self._save = save
        self._commands = {
            "undo": self._undo, "redo": self._redo, "restart": self._restart, "save": self._keep, "quit": self._quit,
        }  # fmt: skip

    def press(self, key: str) -> None:
        """Do what a key is for; what goes wrong becomes the message."""
        self.message = ""
        command = key if key in self._commands else COMMANDS.get(key, "")
        try:
            if command in self._commands and key not in self.game.letters:
                self._commands[command]()
            else:
                self._turn(key)
        except (CollisionError, OSError) as problem:
            self.message = described(problem)
        except Exception as problem:  # scripts raise what they like
            self.message = f"The script raised {type(problem).__name__}: {problem}. The turn has not happened."

    def help(self) -> str:
        """Return the keys there are."""
        letters = self.game.letters.removesuffix(".")
        more = [letter for letter in letters if letter not in "LRUD"]
        free = [f"{key} {command}" for key, command in COMMANDS.items() if key not in letters]
        return "   ".join([" ".join(["arrows", *more, "move"]), "space waits", *free])

    def status(self) -> str:
        """Return how far the game is."""
        return f"{self._count()}{', solved' * self.game.solved}"

    def _count(self) -> str:
        count = len(self.game.moves)
        return f"{count} move{'s' * (count != 1)}"

    def _turn(self, key: str) -> None:
        wanted = LETTERS.get(key, key)
        letter = next(
            (letter for letter in (wanted, wanted.upper(), wanted.lower()) if letter in self.game.letters), ""
        )
        if not letter:
            self.message = f"The key {key!r} does nothing here."
            return
        was_solved = self.game.solved
        turn = self.game.turn(letter)
        if self.game.solved and not was_solved:
            self.message = f"Solved in {self._count()}!"
        elif not turn.moved and turn.letter != ".":
            self.message = "; ".join(told(turn)) or "Nothing there moves."

    def _undo(self) -> None:
        if not self.game.undo():
            self.message = "There is nothing to undo."

    def _redo(self) -> None:
        if not self.game.redo():
            self.message = "There is nothing to redo."

    def _restart(self) -> None:
        self.game.restart()
        self.message = "From the beginning; undo takes that back."

    def _keep(self) -> None:
        self.message = self._save(self.game)

    def _quit(self) -> None:
        self.ended = True
