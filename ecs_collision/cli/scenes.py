"""`replay FILE.scene`: what a test recorded before it failed, act by act."""

from __future__ import annotations

from typing import TextIO

from ecs_collision.terminal_text import Writer
from ecs_collision.testing.oracle import Divergence, Oracle
from ecs_collision.testing.scene_pictures import Camera
from ecs_collision.testing.scene_replay import Played, Player, change_text
from ecs_collision.testing.scene_words import event_line, pairs_text, vector_text
from ecs_collision.testing.scenes import Scene, SceneAct

QUIET = ("request", "keep")
"""Acts of which nothing is told but that they were done."""


def show_scene(scene: Scene, stream: TextIO, *, check: bool = False) -> bool:
    """Show a scene and what was done in it, a picture after each frame that changed it; returns whether all came so.

    check: whether each act is held to the model of the rules as well; the first that diverges ends it.
    """
    writer, player = Writer(stream), Player(scene)
    oracle = Oracle(player.world) if check else None
    bodies, acts = _count(len(scene.bodies), "body", "bodies"), _count(len(scene.acts), "act", "acts")
    writer.write(f"{scene.name}: {bodies}, {acts}", *scene.remarks)
    try:
        problem = _show(player, writer)
    except Divergence as divergence:
        writer.write(f"The rules foretell otherwise: {divergence}")
        return False
    alike = "All as recorded." if scene.says_what_came else "Nothing was recorded to compare."
    writer.write(f"Differs from the recording: {problem}" if problem else alike)
    if oracle is not None:
        writer.write(f"All as the rules foretell, {_count(oracle.checks, 'act', 'acts')}.")
    return problem is None


def _show(player: Player, writer: Writer) -> str | None:
    """Show all acts; returns the first thing that differs from the recording."""
    camera = Camera()
    shown = _picture(writer, player, camera, "")
    problems: list[str] = []
    for played in player.play():
        writer.write(*_heading(played.act, player), *(f"    {line}" for line in _told(played)))
        if played.problem is not None:
            problems.append(played.problem)
            writer.write(f"    NOT AS RECORDED: {played.problem}")
        if played.act.kind in ("frame", "back"):
            shown = _picture(writer, player, camera, shown)
    _picture(writer, player, camera, shown)
    end = player.end_problem()
    problems += [end] if end is not None else []
    return problems[0] if problems else None


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _picture(writer: Writer, player: Player, camera: Camera, before: str) -> str:
    """Show the world unless it looks as it did before; returns how it looks."""
    picture = camera.picture(player.world) if player.world.bodies.row_of else ""
    if picture != before:
        writer.write("")
        writer.draw(picture)
        writer.write("")
    return picture


def _heading(act: SceneAct, player: Player) -> list[str]:
    """Return what was done, in lines."""
    if act.kind in ("request", "move", "plan"):
        how = pairs_text(dict(act.how))
        return [f"{act.kind} {act.entity} by {vector_text(act.by)}{': ' * bool(how)}{how}"]
    if act.kind == "frame":
        number = player.world.frame_number
        return [f"frame {number}" if act.count == 1 else f"frames {number - act.count + 1} to {number}"]
    if act.kind == "take in":
        return [change_text(change) for change in act.changes]
    return [f"{act.kind} to {act.number}" if act.number and act.kind == "back" else act.kind]


def _told(played: Played) -> list[str]:
    """Return what came of it, motions in words."""
    if played.result is not None:
        return [played.result.explain()]
    if played.frame is None:
        return [] if played.act.kind in QUIET else list(played.came)
    results = [result.explain() for _, result in sorted(played.frame.results.items())]
    return results + [event_line(event) for event in played.frame.events]
