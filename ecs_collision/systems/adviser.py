"""Logs the findings about a system as they appear, each once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ecs_collision.doctor import Finding

LOGGER = logging.getLogger("ecs_collision")

MIN_FRAMES = 60
"""Number of frames between two examinations of a small world."""

BODIES_PER_FRAME = 10
"""Number of bodies examined per frame on average, at most: a larger world is examined less often."""

MAX_LOGGED = 100
"""Number of different findings that are logged; a game could make new ones without end."""


class Adviser:
    """Examines a system after frames 1, 2, 4, 8, 16, 32 and 64, then every 60 frames, and logs what is new.

    In a world of more than 600 bodies, a frame for every ten bodies lies between two examinations.
    """

    def __init__(self) -> None:
        self._frames = 0
        self._due = 1
        self._logged: set[tuple[str, str]] = set()

    def after_frame(self, find: Callable[[], list[Finding]], bodies: int) -> None:
        """Count a frame; if an examination is due, log the findings that were not logged yet."""
        self._frames += 1
        if self._frames < self._due or len(self._logged) >= MAX_LOGGED:
            return
        self._due += min(self._due, max(MIN_FRAMES, bodies // BODIES_PER_FRAME))
        from ecs_collision.doctor import advice_of

        new = [finding for finding in find() if finding.key not in self._logged]
        self._logged.update(finding.key for finding in new)
        for advice in advice_of(new):
            LOGGER.warning("%s", advice)
        if len(self._logged) >= MAX_LOGGED:
            LOGGER.warning("%d findings were logged, and no more will be; call doctor() to see all", len(self._logged))
