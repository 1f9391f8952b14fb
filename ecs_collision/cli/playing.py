"""`play LEVEL`: play a level in the terminal, or with letters from a pipe."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from ecs_collision import puzzles
from ecs_collision.cli.failures import error_text
from ecs_collision.cli.files import Chosen, save_play, saved_text
from ecs_collision.cli.stage import Stage
from ecs_collision.cli.terminal import Keyboard, extra
from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.game.controls import WAIT
from ecs_collision.game.game import Game
from ecs_collision.levels import Level, load_level
from ecs_collision.picture import plain
from ecs_collision.plays.files import MAX_MOVES
from ecs_collision.plays.replaying import recorded_events
from ecs_collision.terminal_text import Writer, visible

MAX_KEYS = MAX_MOVES
"""Maximum number of characters read from a pipe, which may be endless."""

LETTERS = {"left": "L", "right": "R", "up": "U", "down": "D", " ": "."}
"""The letters of keys without one; lowercase if a game has only those."""

COMMANDS = {"u": "undo", "y": "redo", "r": "restart", "s": "save", "q": "quit"}
"""The letters of commands, unless the game uses the letter."""


class Session:
    """A game played with keys, independent of their source and of the display.

    A key is a character, or the name of an arrow key or a command. save: saves the play and returns a message.
    `message` is the result of the last key; `ended` is True after the player quit.
    """

    def __init__(self, game: Game, save: Callable[[Game], str]) -> None:
        self.game = game
        self.message = ""
        self.ended = False
        self._save = save

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
        free = [f"{key} {command}" for key, command in COMMANDS.items() if key not in letters]
        return "   ".join([" ".join(["arrows", *more, "move"]), "space waits", *free])

    def status(self) -> str:
        """Return the progress of the game."""
        without = self.game.win is None
        return f"{self._count()}{', solved' * self.game.solved}{', no win condition' * without}"

    def _count(self) -> str:
        count = len(self.game.moves)
        return f"{count} move{'s' * (count != 1)}"

    def _turn(self, key: str) -> None:
        wanted = LETTERS.get(key, key)
        known = [letter for letter in (wanted, wanted.upper(), wanted.lower()) if letter in self.game.letters]
        if not known and self.game.letters != WAIT:
            self.message = f"The key {key!r} does nothing here."
            return
        was_solved = self.game.solved
        turn = self.game.turn(known[0] if known else wanted)
        if self.game.solved and not was_solved:
            self.message = f"Solved in {self._count()}!"
        elif not turn.moved and turn.letter != ".":
            self.message = "; ".join(recorded_events(turn)) or "Nothing moves."

    def _do(self, command: str) -> None:
        if command in ("undo", "redo"):
            if not (self.game.undo() if command == "undo" else self.game.redo()):
                self.message = f"There is nothing to {command}."
        elif command == "restart":
            self.game.restart()
            self.message = "Restarted; undo brings the game back."
        elif command == "save":
            self.message = self._save(self.game)
        else:
            self.ended = True


def list_puzzles(stream: TextIO) -> None:
    """Write the names and titles of the included puzzles."""
    names = puzzles.names()
    width = max(map(len, names), default=0)
    lines = [f"{name:<{width}}  {load_level(puzzles.path(name)).title}" for name in names]
    more = "Play one with: python -m ecs_collision play NAME (or the path of a level file)"
    Writer(stream).write(*lines, "", more)


def play(chosen: Chosen, keys: TextIO | None, stream: TextIO, save: Path | None = None) -> None:
    """Play a level: in a terminal key by key, otherwise with all characters of `keys`.

    keys: None if the input is closed, which is an error. save: where the key s saves the play; None for beside the
    level.
    """
    if keys is None or keys.closed:
        raise _no_keys("a closed input")

    def keep(game: Game) -> str:
        nonlocal save
        files = save_play(chosen, game, save)
        save = files[0]
        return saved_text(files)

    session = Session(chosen.game(), keep)
    if keys.isatty() and stream.isatty():
        _play_in_terminal(session, chosen)
    else:
        _play_letters(session, chosen, keys, stream)


def _play_letters(session: Session, chosen: Chosen, keys: TextIO, stream: TextIO) -> None:
    """Play the characters of a text; write the first and last picture, and the messages between."""
    writer, stage = Writer(stream), Stage(session.game)
    letters = _typed(keys)
    writer.write(*_heading(chosen.level), *[chosen.note] * bool(chosen.note), "")
    writer.draw(plain(stage.rows()))
    writer.write("")
    for key in letters:
        if key.isspace():
            continue
        session.press(key)
        if session.message:
            writer.write(f"{len(session.game.moves)}: {session.message}")
        if session.ended:
            break
    writer.write("")
    writer.draw(plain(stage.rows()))
    writer.write("", session.status())


def _typed(keys: TextIO) -> str:
    """Return all characters of an input; raises LevelError if it is not text or too long."""
    try:
        text = keys.read(MAX_KEYS + 1)
    except UnicodeDecodeError as problem:
        raise _no_keys(f"the byte 0x{problem.object[problem.start]:02x}, which is not text") from problem
    if len(text) > MAX_KEYS:
        raise _no_keys(f"more than {MAX_KEYS} characters")
    return text


def _no_keys(found: str) -> LevelError:
    return LevelError(
        "the input", found=found, expected="the letters of moves, in a terminal or from a pipe",
        remedy="pass them as in: echo RRUL | python -m ecs_collision play LEVEL",
    )  # fmt: skip


def _play_in_terminal(session: Session, chosen: Chosen) -> None:
    """Play key by key, with the game on the whole terminal."""
    console = extra("rich.console", "playing in a terminal").Console()
    stage = Stage(session.game)
    session.message = chosen.note
    with contextlib.suppress(KeyboardInterrupt), Keyboard() as keyboard, console.screen() as screen:
        while not session.ended:
            screen.update(show(session, stage, chosen.level, console.size))
            session.press(keyboard.read())


def show(session: Session, stage: Stage, level: Level, size: tuple[int, int]) -> Any:
    """Return the screen for a terminal of a size; if it is too small, at least the picture."""
    width, height = size
    above = [(line, "bold") for line in _heading(level)]
    status = (session.status(), "bold green" if session.game.solved else "")
    below = [status, (session.message, "yellow"), (stage.legend(), "dim"), (session.help(), "dim")]
    lines = sum(max(1, len(textwrap.wrap(line, width))) for line, _ in above + below)
    picture = stage.rows(width, height - lines - 2)
    if len(picture) > height - lines - 2:
        above, below = [], below[:2]
    text = extra("rich.text", "playing in a terminal").Text()
    text.append_tokens((f"{visible(line)}\n", style) for line, style in above)
    text.append("\n" * bool(above))
    for row in picture:
        text.append_tokens([*row, ("\n", "")])
    return text.append_tokens((f"\n{visible(line)}", style) for line, style in below)


def _heading(level: Level) -> list[str]:
    """Return the title, author and note of a level."""
    details = [str(level.properties[key]) for key in ("author", "note") if level.properties.get(key)]
    return [visible(line) for line in (level.title, *details)]
