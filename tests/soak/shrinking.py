"""Shrinks a failing play by omitting operations in chunks of decreasing size (delta debugging)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .game import Operation, Play

Fails = Callable[[Play], bool]


def shrunk_by(play: Play, fails: Fails) -> Play:
    """Return a play that still fails and from which no operation can be omitted."""

    def still(operations: tuple[Operation, ...]) -> bool:
        try:
            return fails(play._replace(operations=operations))
        except Exception:  # arguments that no generator produces
            return False

    todo, size = play.operations, max(1, len(play.operations) // 2)
    while size:
        at = len(todo) - size  # from the end, because later operations depend on earlier ones
        while at > -size:
            before, behind = todo[: max(0, at)], todo[max(0, at) + size :]
            for left in (before + behind, before + tuple(map(for_one_less, behind))):
                if left != todo and still(left):
                    todo = left
                    break
            at -= size
        size //= 2
    return play._replace(operations=todo)


def for_one_less(value: Any) -> Any:
    """Return an operation for a world with one entity less, in which later entities have smaller numbers."""
    if isinstance(value, tuple):
        return tuple(map(for_one_less, value))
    return value - 1 if type(value) is int and value > 0 else value
