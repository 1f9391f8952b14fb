"""A game played with keys, whatever sends them and whatever shows the game."""

from __future__ import annotations

from collections.abc import Callable

from ecs_collision.cli.failures import error_text
from ecs_collision.errors import CollisionError
from ecs_collision.game.controls import WAIT
from ecs_collision.game.game import Game
from ecs_collision.game.turn import Turn
from ecs_collision.plays.replaying import recorded_events
from ecs_collision.solver import Outcome, solve

LETTERS = {"left": "L", "right": "R", "up": "U", "down": "D", " ": "."}
"""The letters of keys without one; lowercase if a game has only those."""

WASD = {"w": "up", "a": "left", "s": "down", "d": "right"}
"""Letters that are arrow keys in games that use none of them."""

KEY_NAMES = {"\r": "Enter", "\n": "Enter", "\t": "Tab", "\x1b": "Esc"}

COMMANDS = {
    "u": "undo", "y": "redo", "r": "restart", "h": "hint", "l": "log", "S": "save", "n": "next", "q": "quit",
}  # fmt: skip
"""The letters of commands, unless the game uses the letter."""

HINT_SECONDS = 10.0
"""How long the solver may search for a hint."""


class Session:
    """A game played with keys, independent of their source and of the display.

    A key is a character, or the name of an arrow key or a command. save: saves the play and returns a message.
    solution: moves that win, for hints while the player follows them. next_title: of the level that "next" asks for, ""
    if there is none. `message` is the result of the last key. `ended` is True after the player quit or asked for the
    next level; then `goes_on` is True too. `shows_log` is whether the player wants to see `log`.
    """

    def __init__(self, game: Game, save: Callable[[Game], str], *, solution: str = "", next_title: str = "") -> None:
        self.game = game
        self.message = ""
        self.ended = self.goes_on = False
        self.shows_log = True
        self._save = save
        self._solution, self._next_title = solution, next_title
        self._log: dict[int, list[str]] = {}

    @property
    def log(self) -> list[str]:
        """The events of the moves so far, a line each."""
        count = len(self.game.moves)
        return [f"{move} {event}" for move, events in self._log.items() if move <= count for event in events]

    def press(self, key: str) -> None:
        """Handle a key; errors become the message."""
        self.message = ""
        command = key if key in COMMANDS.values() else COMMANDS.get(key)
        try:
            if command is not None and key not in self.game.letters:
                self._do(command)
            else:
                self._turn(key)
        except (CollisionError, OSError) as problem:
            self.message = error_text(problem)
        except Exception as problem:  # scripts may raise anything
            self.message = f"The script raised {type(problem).__name__}: {problem}. The turn was undone."

    def help(self) -> str:
        """Return a line with the available keys."""
        letters = self.game.letters.removesuffix(".")
        more = [letter for letter in letters if letter not in "LRUD"]
        arrows = "arrows" if self._uses_wasd() else "arrows or wasd"
        hidden = {"next"} if not (self._next_title and self.game.solved) else set[str]()
        free = [f"{key} {each}" for key, each in COMMANDS.items() if key not in letters and each not in hidden]
        return "   ".join([" ".join([arrows, *more, "move"]), "space waits", *free])

    def status(self) -> str:
        """Return the progress of the game."""
        without = self.game.win is None
        return f"{self._count()}{', solved' * self.game.solved}{', no win condition' * without}"

    def _count(self) -> str:
        count = len(self.game.moves)
        return f"{count} move{'s' * (count != 1)}"

    def _uses_wasd(self) -> bool:
        """Return whether these letters mean something else in this game."""
        return not WASD.keys().isdisjoint(self.game.letters)

    def _turn(self, key: str) -> None:
        if key in WASD and not self._uses_wasd():
            key = WASD[key]
        wanted = LETTERS.get(key, key)
        known = [letter for letter in (wanted, wanted.upper(), wanted.lower()) if letter in self.game.letters]
        if not known and self.game.letters != WAIT:
            self.message = f"The key {KEY_NAMES.get(key, repr(key))} does nothing here."
            return
        was_solved = self.game.solved
        turn = self.game.turn(known[0] if known else wanted)
        if turn.moved or turn.frames:
            count = len(self.game.moves)
            self._log = {move: events for move, events in self._log.items() if move < count}
            self._log[count] = recorded_events(turn)
        if self.game.solved and not was_solved:
            more = f" Press n for {self._next_title!r}." if self._next_title else ""
            self.message = f"Solved in {self._count()}!{more}"
        elif turn.letter != "." or turn.results:
            self.message = _refusal(turn)

    def _do(self, command: str) -> None:
        if command in ("undo", "redo"):
            if not (self.game.undo() if command == "undo" else self.game.redo()):
                self.message = f"There is nothing to {command}."
        elif command == "restart":
            self.game.restart()
            self.message = "Restarted; undo brings the game back."
        elif command == "save":
            self.message = self._save(self.game)
        elif command == "hint":
            self.message = self._hint()
        elif command == "log":
            self.shows_log = not self.shows_log
        elif command == "next" and not self._next_title:
            self.message = "There is no next level."
        elif command == "next" and not self.game.solved:
            self.message = f"Win this level first; then n plays {self._next_title!r}."
        else:
            self.ended, self.goes_on = True, command == "next"

    def _hint(self) -> str:
        """Return the next move of a solution, or why there is none."""
        if self.game.solved:
            return "It is solved."
        moves = self.game.moves
        if not (self._solution.startswith(moves) and len(self._solution) > len(moves)):
            found = solve(self.game, seconds=HINT_SECONDS)
            if found.moves is None:
                if found.outcome is Outcome.GAVE_UP:
                    return f"No hint: the solver found no way to win within {HINT_SECONDS:g} seconds."
                return "It cannot be won from here; undo or restart." if self.game.win else found.explain()
            self._solution = moves + found.moves
        letter = self._solution[len(moves)]
        names = {letter: name for name, letter in LETTERS.items()} | {".": "wait"}
        return f"Hint: {names.get(letter, letter)}"


def _refusal(turn: Turn) -> str:
    """Return why a motion of a turn stopped, "" if none did."""
    if any(result.blocked for result in turn.results.values()):
        return turn.explain()
    return "" if turn.moved else "; ".join(recorded_events(turn)) or "Nothing moves."
