# cython: language_level=3, auto_pickle=False
"""Counters of one frame, from which a game or a test sees how much work was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython

COUNTERS = (
    *("frame", "bodies", "awake", "moved", "bin_changes", "cells", "pairs_tested", "static_searches", "cells_visited"),
    *("cells_skipped", "static_changes", "expansions", "simulated", "impulses", "resting"),
)
"""The names of all counters."""


@cython.final
@cython.cclass
class Stats:
    """The work of one frame. Made by the world, as `world.stats`; `timing = True` also measures times.

    frame: number of the frame.
    bodies: number of bodies.
    awake: bodies neither asleep nor static.
    moved: displacements by motions, pushes and teleports, one per body and motion.
    bin_changes: cells or nodes of the broad phase that boxes left and entered, without those of frames in which many
    bodies moved (they are filled again when next needed).
    cells: those with boxes, of both indexes.
    pairs_tested: exact tests for triggers and for bodies that ask for contacts.
    static_searches: bodies for which the contact update searched the static index (triggers with `statics`, bodies that
    ask for contacts, and all while there are static ones of either).
    cells_visited: cells that the contact update visited.
    cells_skipped: cells that a full pass skipped.
    static_changes: changes of static bodies.
    expansions: index queries of the planner.
    simulated: dynamic bodies that `step_dynamics` computed.
    impulses: points of contact that `step_dynamics` solved.
    resting: dynamic bodies that `step_dynamics` skips now, because they sleep (I7).
    timing: whether every phase adds its milliseconds to `phases`; may be assigned.
    phases: milliseconds by phase.
    """

    __slots__ = (
        "awake", "bin_changes", "bodies", "cells", "cells_skipped", "cells_visited", "expansions", "frame", "impulses",
        "moved", "pairs_tested", "phases", "resting", "simulated", "static_changes", "static_searches", "timing",
    )  # fmt: skip

    def __init__(self) -> None:
        self.frame = self.bodies = self.awake = self.moved = self.bin_changes = self.cells = self.pairs_tested = 0
        self.static_searches = self.cells_visited = self.cells_skipped = self.static_changes = self.expansions = 0
        self.simulated = self.impulses = self.resting = 0
        self.timing = False
        self.phases: dict[str, float] = {}

    def __repr__(self) -> str:
        return f"Stats({', '.join(f'{name}={getattr(self, name)!r}' for name in COUNTERS)})"

    def _has_work(self) -> cython.bint:
        """Return whether any work was counted or timed."""
        if self.moved or self.bin_changes or self.pairs_tested or self.cells_visited or self.cells_skipped:
            return True
        return (self.static_changes or self.expansions or self.simulated) != 0 or len(self.phases) > 0

    def _take(self, running: Stats) -> cython.void:
        """Copy the work counters of a frame and reset those of `running` to 0; `timing` stays."""
        self.moved, running.moved = running.moved, 0
        self.bin_changes, running.bin_changes = running.bin_changes, 0
        self.pairs_tested, running.pairs_tested = running.pairs_tested, 0
        self.static_searches, running.static_searches = running.static_searches, 0
        self.cells_visited, running.cells_visited = running.cells_visited, 0
        self.cells_skipped, running.cells_skipped = running.cells_skipped, 0
        self.static_changes, running.static_changes = running.static_changes, 0
        self.expansions, running.expansions = running.expansions, 0
        self.simulated, running.simulated = running.simulated, 0
        self.impulses, running.impulses = running.impulses, 0
        if self.phases or running.phases:
            self.phases, running.phases = running.phases, {}
