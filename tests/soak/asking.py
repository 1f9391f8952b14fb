"""Operations that ask: questions of the index and of triggers, and whether the system is in order."""

from __future__ import annotations

from typing import Any

from . import questions
from .game import Game, deed

How = dict[str, Any]


@deed
def ask(g: Game, question: str, who: int, box: Any, how: How) -> None:
    """Ask one question of the index or of the triggers."""
    text, answer = questions.asked(g, question, who, box, how)
    if text and g.admits(text, lambda: (answer()[1], "L3")):
        g.hit("B7", question)
        g.expect(question, text, answer()[0])


@deed
def look_closely(g: Game) -> None:
    """Compare pairs and everybody in triggers."""
    if g.taken_in():
        g.look_closely()


@deed
def check(g: Game, rebuild: bool) -> None:
    """Let the system verify itself, and equal one made from nothing."""
    name = g.home.name
    if g.admits(f"{name}.check()"):
        g.run(f"{name}.check()")
        g.hit("B5", "checked")
        if rebuild:
            g.hit("B5", "rebuilt")
            g.run(f"assert index_of({name}) == index_of(rebuilt({g.home.settings.get('bin_size', 1.0)}, "
                  f"{sorted(g.model.bodies)}))")  # fmt: skip


@deed
def unknown(g: Game, call: int, entity: int) -> None:
    """Name an entity that is none."""
    name = g.home.name
    calls = (
        f"{name}.move({entity}, 1.0)", f"{name}.plan({entity}, 1.0)", f"{name}.request({entity}, 1.0)",
        f"{name}.teleport({entity}, 1.0, 1.0)", f"{name}.set_positions([{entity}], [[1.0, 1.0]])",
        f"{name}.touching({entity})", f"{name}.inside({entity})", f"{name}.space.overlapping({entity})",
    )  # fmt: skip
    g.admits(calls[call % len(calls)], lambda: ("UnknownEntity", "L3"))
