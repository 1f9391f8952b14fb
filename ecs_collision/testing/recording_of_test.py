"""The recordings of the running test; their scenes are written if it fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ecs_collision.debug.instrument import Watched
    from ecs_collision.testing.scene_recording import Recording

MAX_RECORDINGS = 4
"""Maximum number of recordings of a test; the newest are kept, because a property may create a thousand worlds."""

_recorded: list[tuple[object, Recording]] | None = None


def keep_scene(target: Watched) -> None:
    """Record a system, world, game or puzzle from now on, to write its scene if the running test fails.

    Does nothing unless a folder for scenes is configured. A target that is already recorded continues unchanged.
    """
    if _recorded is None or any(recorded is target for recorded, _ in _recorded):
        return
    from ecs_collision.testing.scene_recording import record_scene

    _recorded[:] = [entry for entry in _recorded if not _is_closed(entry)][-MAX_RECORDINGS + 1 :]
    _recorded.append((target, record_scene(target)))


def _is_closed(entry: tuple[Any, Recording]) -> bool:
    """Return whether the world of a recording is gone; stops the recording if so."""
    from ecs_collision.systems import CollisionSystem

    target, recording = entry
    if isinstance(target, CollisionSystem) and not target._is_bound():
        recording.detach()
        return True
    return False


def recordings() -> list[Recording]:
    """Return the recordings of the running test."""
    return [recording for _, recording in _recorded or ()]


@contextmanager
def test_recordings() -> Iterator[None]:
    """Collect the recordings of a test and discard them afterwards."""
    global _recorded
    before, _recorded = _recorded, []
    try:
        yield
    finally:
        for recording in recordings():
            recording.detach()
        _recorded = before
