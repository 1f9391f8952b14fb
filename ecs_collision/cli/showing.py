"""`replay FILE`: a recorded play, turn by turn."""

from __future__ import annotations

import time
from typing import TextIO

from ecs_collision.cli.extras import extra
from ecs_collision.cli.stage import Stage
from ecs_collision.game.game import Game
from ecs_collision.game.turn import Turn
from ecs_collision.picture import plain
from ecs_collision.plays.files import Play
from ecs_collision.plays.replaying import replay, told, verify
from ecs_collision.terminal_text import Writer, visible


def show_play(play: Play, stream: TextIO, *, delay: float, scripts: bool) -> bool:
    """Show a play, `delay` seconds a turn; returns whether all came as recorded.

    In a terminal the picture changes in place; elsewhere each turn is a line, between the first picture and the last.
    """
    if stream.isatty():
        _show_in_terminal(play, delay, scripts)
    else:
        _write(play, Writer(stream), scripts)
    verdict = verify(play, scripts=scripts)
    Writer(stream).write("All as recorded." if verdict else f"Differs from the recording: {verdict.problem}")
    return bool(verdict)


def _show_in_terminal(play: Play, delay: float, scripts: bool) -> None:
    screens = extra("rich.console", "showing a play in a terminal").Console()
    text = extra("rich.text", "showing a play in a terminal").Text
    live = extra("rich.live", "showing a play in a terminal").Live(console=screens, auto_refresh=False)
    with live:
        stage: Stage | None = None
        for turn, game in replay(play, scripts=scripts):
            stage = stage or Stage(game)
            width, height = screens.size
            shown = text()
            shown.append(f"{visible(game.level.title)}\n\n", "bold")
            for row in stage.rows(width, height - 6):
                for run in row:
                    shown.append(run.text, run.style)
                shown.append("\n")
            shown.append(f"\n{visible(_line(turn, game, play))}")
            live.update(shown, refresh=True)
            time.sleep(delay)


def _write(play: Play, writer: Writer, scripts: bool) -> None:
    stage: Stage | None = None
    for turn, game in replay(play, scripts=scripts):
        if stage is None:
            stage = Stage(game)
            writer.write(game.level.title, "")
            writer.draw(plain(stage.rows()))
            writer.write("")
        writer.write(_line(turn, game, play))
    if stage is not None:
        writer.write("")
        writer.draw(plain(stage.rows()))
        writer.write("")


def _line(turn: Turn | None, game: Game, play: Play) -> str:
    """Return what a turn was and what happened in it."""
    if turn is None:
        return f"0 of {len(play.moves)}"
    parts = [f"{len(game.moves)} of {len(play.moves)}: {turn.letter}", *told(turn)]
    return "; ".join(parts)
