"""`play LEVEL`: play a level in the terminal, or with letters from a pipe."""

from __future__ import annotations

import contextlib
import textwrap
from pathlib import Path
from typing import Any, TextIO

from ecs_collision import puzzles
from ecs_collision.cli.files import SUFFIX, Chosen, choose, is_own, next_level, save_play, saved_text
from ecs_collision.cli.session import WASD, Session
from ecs_collision.cli.stage import Stage
from ecs_collision.cli.terminal import Keyboard
from ecs_collision.errors import LevelError, extra
from ecs_collision.game.game import Game
from ecs_collision.levels import Level, load_level
from ecs_collision.picture import plain
from ecs_collision.plays.files import MAX_MOVES, read_play
from ecs_collision.terminal_text import Writer, visible

MAX_KEYS = MAX_MOVES
"""Maximum number of characters read from a pipe, which may be endless."""

MENU_HELP = "up and down choose   Enter plays   q quits"

MIN_LOG_LINES, MAX_LOG_LINES = 3, 6
"""Lines of the event log below the picture, if there is room for the fewest."""


def list_puzzles(stream: TextIO) -> None:
    """Write the names and titles of the included puzzles."""
    names = puzzles.names()
    width = max(map(len, names), default=0)
    lines = [f"{name:<{width}}  {load_level(puzzles.path(name)).title}" for name in names]
    more = "Play one with: python -m ecs_collision play NAME (or the path of a level file)"
    Writer(stream).write(*lines, "", more)


def play(chosen: Chosen, keys: TextIO | None, stream: TextIO, save: Path | None = None) -> None:
    """Play a level: in a terminal key by key, otherwise with all characters of `keys`.

    keys: None if the input is closed, which is an error. save: where the key S saves the play; None for beside the
    level.
    """
    if keys is None or keys.closed:
        raise _no_keys("a closed input")
    if is_terminal(keys, stream):
        with _Display() as display:
            display.play(chosen, save)
    else:
        _play_letters(_session(chosen, save), chosen, keys, stream)


def play_puzzles() -> None:
    """Let the player choose among the included puzzles in a terminal, until the player quits the list."""
    with _Display() as display:
        menu = PuzzleMenu()
        while (name := display.choose(menu)) is not None:
            display.play(choose(name, None, script=False))


def is_terminal(keys: TextIO | None, stream: TextIO) -> bool:
    """Return whether keys can be read one by one and the screen be drawn."""
    return keys is not None and not keys.closed and keys.isatty() and stream.isatty()


def _session(chosen: Chosen, save: Path | None, following: Chosen | None = None) -> Session:
    """Return a new game of a level. following: the level after it, if the player may go on to it."""

    def keep(game: Game) -> str:
        nonlocal save
        files = save_play(chosen, game, save)
        save = files[0]
        return saved_text(files)

    recorded = chosen.path.with_suffix(SUFFIX)
    solution = read_play(recorded).moves if is_own(chosen.path) and recorded.is_file() else ""
    title = "" if following is None else following.level.title
    return Session(chosen.game(), keep, solution=solution, next_title=title)


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


class PuzzleMenu:
    """The list of the included puzzles, and the one that is marked."""

    def __init__(self) -> None:
        self.names = puzzles.names()
        self.titles = [load_level(puzzles.path(name)).title for name in self.names]
        self.at = 0

    def press(self, key: str) -> str | None:
        """Handle a key; return the name of the puzzle that is chosen with it, if one is."""
        key = WASD.get(key, key)
        if key in ("\r", "\n", " ", "right"):
            return self.names[self.at]
        self.at = (self.at + (key == "down") - (key == "up")) % len(self.names)
        return None

    def lines(self, height: int) -> list[tuple[str, str]]:
        """Return the lines around the marked puzzle that fit into a height, each with its style."""
        rows = max(1, height - 4)
        first = min(max(0, self.at - rows // 2), max(0, len(self.names) - rows))
        shown = [
            (f"{'>' if at == self.at else ' '} {at + 1:>2}  {self.titles[at]}", "bold reverse" if at == self.at else "")
            for at in range(first, min(first + rows, len(self.names)))
        ]
        return [("The included puzzles", "bold"), ("", ""), *shown, ("", ""), (MENU_HELP, "dim")]


class _Display(contextlib.ExitStack):
    """The whole terminal, and its keyboard. Control-C leaves it like q."""

    def __enter__(self) -> _Display:
        self._console = extra("rich.console", "playing in a terminal").Console()
        self._text = extra("rich.text", "playing in a terminal").Text
        super().__enter__()
        self.enter_context(contextlib.suppress(KeyboardInterrupt))
        self._keyboard = self.enter_context(Keyboard())
        self._screen = self.enter_context(self._console.screen())
        return self

    def choose(self, menu: PuzzleMenu) -> str | None:
        """Return the name of the puzzle that the player chooses, or None."""
        while True:
            lines = [(f"{visible(line)}\n", style) for line, style in menu.lines(self._console.size[1])]
            self._screen.update(self._text(no_wrap=True).append_tokens(lines))
            key = self._keyboard.read()
            if key in ("q", "quit", "\x1b"):
                return None
            if (name := menu.press(key)) is not None:
                return name

    def play(self, chosen: Chosen, save: Path | None = None) -> None:
        """Play a level, and the next ones as long as the player goes on."""
        coming: Chosen | None = chosen
        while coming is not None:
            chosen, coming = coming, next_level(coming)
            session = _session(chosen, save, coming)
            stage = Stage(session.game)
            session.message = chosen.note
            while not session.ended:
                self._screen.update(show(session, stage, chosen.level, self._console.size))
                session.press(self._keyboard.read())
            coming, save = coming if session.goes_on else None, None


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
    elif session.shows_log:
        room = min(MAX_LOG_LINES, height - lines - 2 - len(picture))
        below += [(line[:width], "cyan") for line in session.log[-room:]] if room >= MIN_LOG_LINES else []
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
