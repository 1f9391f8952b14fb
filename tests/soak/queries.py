"""Operations that query the index and triggers, and operations that verify the system."""

from __future__ import annotations

from typing import Any

from . import expected_answers
from .game import Game, operation

How = dict[str, Any]


@operation
def query(g: Game, kind: str, who: int, box: Any, how: How) -> None:
    """Make one query of the index or of triggers."""
    text, answer = expected_answers.query(g, kind, who, box, how)
    if text and g.admits(text, lambda: answer()[1]):
        g.expect(kind, text, answer()[0])


@operation
def compare_all(g: Game) -> None:
    """Compare pairs and the content of all triggers."""
    if g.apply_changes():
        g.compare_all()


@operation
def check(g: Game, rebuild: bool) -> None:
    """Call `check()`, and compare the index with a rebuilt one."""
    name = g.world.name
    if g.admits(f"{name}.check()"):
        g.run(f"{name}.check()")
        if rebuild:
            g.run(f"assert index_of({name}) == index_of(rebuilt({g.world.settings.get('bin_size', 1.0)}, "
                  f"{sorted(g.model.bodies)}))")  # fmt: skip
