"""Another default broad phase for all worlds, so that any test, play or recorded game can run on each of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ecs_collision.broadphase.choices import BroadPhase, broad_phase_of
from ecs_collision.settings import Settings, SystemSettings

KINDS = (Settings, SystemSettings)


def use(given: BroadPhase | str) -> None:
    """Make a broad phase, given by name or as an instance, the default of every world."""
    for kind in KINDS:
        kind.__init__.__kwdefaults__["broad_phase"] = broad_phase_of(given)  # type: ignore[misc, index]


@contextmanager
def default(given: BroadPhase | str) -> Iterator[None]:
    """Make a broad phase the default of the worlds made meanwhile."""
    before = Settings().broad_phase
    use(given)
    try:
        yield
    finally:
        use(before)
