"""What is recorded of the test that runs, so that its scene can be written should it fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ecs_collision.testing.scene_recording import Recording

MAX_RECORDINGS = 4
"""So many recordings of a test are kept, the newest: a property may be tried on a thousand worlds."""

_recorded: list[tuple[object, Recording]] | None = None


def keep_scene(target: object) -> None:
    """Record a system, world, game or puzzle from now on, to write its scene should the running test fail.

    Does nothing while no folder for scenes was given. What is recorded already goes on as it is.
    """
    if _recorded is None or any(recorded is target for recorded, _ in _recorded):
        return
    from ecs_collision.testing.scene_recording import record_scene

    _recorded[:] = [entry for entry in _recorded if not _is_closed(entry)][-MAX_RECORDINGS + 1 :]
    _recorded.append((target, record_scene(target)))


def _is_closed(entry: tuple[Any, Recording]) -> bool:
    """Return whether the world of a recording is gone, and stop it then."""
    from ecs_collision.systems import CollisionSystem

    target, recording = entry
    if isinstance(target, CollisionSystem) and not target._is_bound():
        recording.detach()
        return True
    return False


def recordings() -> list[Recording]:
    """Return what is recorded of the test that runs."""
    return [recording for _, recording in _recorded or ()]


@contextmanager
def test_recordings() -> Iterator[None]:
    """Keep what a test records, and let go of it afterwards."""
    global _recorded
    before, _recorded = _recorded, []
    try:
        yield
    finally:
        for recording in recordings():
            recording.detach()
        _recorded = before
