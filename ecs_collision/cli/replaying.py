"""`replay FILE`: show a recorded play turn by turn, or the scene of a failed test act by act."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TextIO

from ecs_collision.cli.stage import Stage
from ecs_collision.debug.page import write_page
from ecs_collision.debug.play_film import film_of_play
from ecs_collision.errors import extra
from ecs_collision.game.game import Game
from ecs_collision.game.turn import Turn
from ecs_collision.picture import plain
from ecs_collision.plays.files import Play
from ecs_collision.plays.replaying import recorded_events, replay, verify
from ecs_collision.terminal_text import Writer, visible
from ecs_collision.testing.messages import count_text
from ecs_collision.testing.scene_film import film_of_scene
from ecs_collision.testing.scene_pictures import Camera
from ecs_collision.testing.scene_replay import Played, Player, act_lines
from ecs_collision.testing.scene_words import event_line
from ecs_collision.testing.scenes import Scene


def show_play(play: Play, stream: TextIO, *, delay: float, scripts: bool) -> bool:
    """Show a play, `delay` seconds a turn; return whether it matches the recording.

    In a terminal the picture is updated in place. Otherwise each turn is a line, between the first and the last
    picture.
    """
    writer = Writer(stream)
    if stream.isatty():
        _show_in_terminal(play, delay, scripts)
    else:
        _write_play(play, writer, scripts)
    verdict = verify(play, scripts=scripts)
    writer.write("All as recorded." if verdict else f"Differs from the recording: {verdict.problem}")
    return bool(verdict)


def write_replay(found: Play | Scene, to: Path, stream: TextIO, *, scripts: bool) -> bool:
    """Write the page of a play or of a scene; return whether it matches the recording."""
    film, problem = film_of_scene(found) if isinstance(found, Scene) else film_of_play(found, scripts=scripts)
    writer = Writer(stream)
    writer.write(f"Written: {write_page(film, to)}")
    if problem is not None:
        writer.write(f"Differs from the recording: {problem}")
    return problem is None


def _show_in_terminal(play: Play, delay: float, scripts: bool) -> None:
    purpose = "showing a play in a terminal"
    console, text = extra("rich.console", purpose).Console(), extra("rich.text", purpose).Text
    with extra("rich.live", purpose).Live(console=console, auto_refresh=False) as live:
        stage: Stage | None = None
        for turn, game in replay(play, scripts=scripts):
            stage = stage or Stage(game)
            width, height = console.size
            screen = text(f"{visible(game.level.title)}\n\n", "bold")
            for row in stage.rows(width, height - 6):
                screen.append_tokens([*row, ("\n", "")])
            screen.append(f"\n{visible(_turn_line(turn, game, play))}")
            live.update(screen, refresh=True)
            time.sleep(delay)


def _write_play(play: Play, writer: Writer, scripts: bool) -> None:
    stage: Stage | None = None
    for turn, game in replay(play, scripts=scripts):
        if stage is None:
            stage = Stage(game)
            writer.write(game.level.title, "")
            writer.draw(plain(stage.rows()))
            writer.write("")
        writer.write(_turn_line(turn, game, play))
    if stage is not None:
        writer.write("")
        writer.draw(plain(stage.rows()))
        writer.write("")


def _turn_line(turn: Turn | None, game: Game, play: Play) -> str:
    """Return a line with the turn and its events."""
    if turn is None:
        return f"0 of {len(play.moves)}"
    return "; ".join([f"{len(game.moves)} of {len(play.moves)}: {turn.letter}", *recorded_events(turn)])


def show_scene(scene: Scene, stream: TextIO) -> bool:
    """Show a scene, with a picture after each frame that changed it; return whether it matches the recording."""
    writer, player = Writer(stream), Player(scene)
    bodies, acts = count_text(len(scene.bodies), "body", "bodies"), count_text(len(scene.acts), "act", "acts")
    writer.write(f"{scene.name}: {bodies}, {acts}", *scene.remarks)
    problem = _show_acts(player, writer)
    verdict = "All as recorded." if scene.has_outcomes else "Nothing was recorded to compare."
    writer.write(f"Differs from the recording: {problem}" if problem else verdict)
    return problem is None


def _show_acts(player: Player, writer: Writer) -> str | None:
    """Show all acts; return the first difference from the recording."""
    camera, drawn = Camera(), ""

    def show_picture() -> None:
        """Draw the world if it looks different from the last picture."""
        nonlocal drawn
        picture = camera.picture(player.world) if player.world._bodies.row_of else ""
        if picture != drawn:
            writer.write("")
            writer.draw(picture)
            writer.write("")
        drawn = picture

    show_picture()
    problems: list[str] = []
    for played in player.play():
        writer.write(*act_lines(played.act, player.world.frame_number), *(f"    {line}" for line in _outcome(played)))
        if played.problem is not None:
            problems.append(played.problem)
            writer.write(f"    NOT AS RECORDED: {played.problem}")
        if played.act.kind in ("frame", "back"):
            show_picture()
    show_picture()
    end = player.end_problem()
    problems += [end] if end is not None else []
    return problems[0] if problems else None


def _outcome(played: Played) -> list[str]:
    """Return the outcome of an act as lines; empty for a request or a snapshot."""
    if played.result is not None:
        return [played.result.explain()]
    if played.frame is None:
        return [] if played.act.kind in ("request", "keep") else list(played.outcome)
    results = [result.explain() for _, result in sorted(played.frame.results.items())]
    return results + [event_line(event) for event in played.frame.events]
