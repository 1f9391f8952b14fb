"""`play LEVEL`: a level in the terminal, or by letters from a pipe."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from ecs_collision import puzzles
from ecs_collision.cli.failures import described
from ecs_collision.cli.files import Chosen, save_play
from ecs_collision.cli.stage import Stage
from ecs_collision.cli.terminal import Keyboard, extra
from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.game.game import Game
from ecs_collision.levels import Level, load_level
from ecs_collision.picture import plain
from ecs_collision.plays.files import MAX_MOVES
from ecs_collision.plays.replaying import recorded_events
from ecs_collision.terminal_text import Writer, visible

MAX_KEYS = MAX_MOVES
"""The most characters read from a pipe, which may have no end."""

LETTERS = {"left": "L", "right": "R", "up": "U", "down": "D", " ": "."}
"""The letters of keys that have none; the small ones where a game knows only those."""

COMMANDS = {"u": "undo", "y": "redo", "r": "restart", "s": "save", "q": "quit"}
"""The letters of commands, where the game does not move anything by them."""


class Session:
    """A game at the keyboard: what each key does, whatever it comes from and however it is shown.

    A key is a character, or the name of an arrow or a command for keys that are none. save: writes the play and
    returns what to say of it. `message` is what the last key led to; `ended` is True once the player wants to stop.
    """

    def __init__(self, game: Game, save: Callable[[Game], str]) -> None:
        self.game = game
        self.message = ""
        self.ended = False
        self._save = save

    def press(self, key: str) -> None:
        """Do what a key is for; what goes wrong becomes the message."""
        self.message = ""
        command = key if key in COMMANDS.values() else COMMANDS.get(key)
        try:
            if command is not None and key not in self.game.letters:
                self._do(command)
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
        known = [letter for letter in (wanted, wanted.upper(), wanted.lower()) if letter in self.game.letters]
        if not known:
            self.message = f"The key {key!r} does nothing here."
            return
        was_solved = self.game.solved
        turn = self.game.turn(known[0])
        if self.game.solved and not was_solved:
            self.message = f"Solved in {self._count()}!"
        elif not turn.moved and turn.letter != ".":
            self.message = "; ".join(recorded_events(turn)) or "Nothing there moves."

    def _do(self, command: str) -> None:
        if command in ("undo", "redo"):
            if not (self.game.undo() if command == "undo" else self.game.redo()):
                self.message = f"There is nothing to {command}."
        elif command == "restart":
            self.game.restart()
            self.message = "From the beginning; undo takes that back."
        elif command == "save":
            self.message = self._save(self.game)
        else:
            self.ended = True


def list_puzzles(stream: TextIO) -> None:
    """Write the puzzles of our own, with their titles."""
    names = puzzles.names()
    width = max(map(len, names), default=0)
    lines = [f"{name:<{width}}  {load_level(puzzles.path(name)).title}" for name in names]
    more = "Play one with: python -m ecs_collision play NAME, or give the path of a level file."
    Writer(stream).write(*lines, "", more)


def play(chosen: Chosen, keys: TextIO | None, stream: TextIO, save: Path | None = None) -> None:
    """Let somebody play: in a terminal key by key, else the characters of `keys` in one go.

    keys: None where the input is closed, which is refused. save: where the key s writes the play; None for beside the
    level.
    """
    if keys is None or keys.closed:
        raise _no_keys("a closed input")

    def keep(game: Game) -> str:
        nonlocal save
        save = save_play(chosen, game, save)
        return f"Written: {save}"

    session = Session(chosen.game(), keep)
    if keys.isatty() and stream.isatty():
        _play_in_terminal(session, chosen)
    else:
        _play_letters(session, chosen, keys, stream)


def _play_letters(session: Session, chosen: Chosen, keys: TextIO, stream: TextIO) -> None:
    """Play the characters of a text, and write the first and the last picture and what there is to say between."""
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
    """Return all characters of an input; raises LevelError where it is no text, or has too many of them."""
    try:
        text = keys.read(MAX_KEYS + 1)
    except UnicodeDecodeError as problem:
        raise _no_keys(f"the byte 0x{problem.object[problem.start]:02x}, which is no text") from problem
    if len(text) > MAX_KEYS:
        raise _no_keys(f"more than {MAX_KEYS} characters")
    return text


def _no_keys(found: str) -> LevelError:
    return LevelError(
        "the input", found=found, expected="the letters of moves, in a terminal or from a pipe",
        remedy="give them as in: echo RRUL | python -m ecs_collision play LEVEL",
    )  # fmt: skip


def _play_in_terminal(session: Session, chosen: Chosen) -> None:
    """Play key by key, the whole terminal showing the game."""
    console = extra("rich.console", "playing in a terminal").Console()
    stage = Stage(session.game)
    session.message = chosen.note
    with contextlib.suppress(KeyboardInterrupt), Keyboard() as keyboard, console.screen() as screen:
        while not session.ended:
            screen.update(show(session, stage, chosen.level, console.size))
            session.press(keyboard.read())


def show(session: Session, stage: Stage, level: Level, size: tuple[int, int]) -> Any:
    """Return what a terminal of so many columns and rows shows; where that is too much, at least the picture."""
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
    """Return what a level says of itself."""
    recorded_events = [str(level.properties[key]) for key in ("author", "note") if level.properties.get(key)]
    return [visible(line) for line in (level.title, *recorded_events)]
