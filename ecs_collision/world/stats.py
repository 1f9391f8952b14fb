"""Counters of one frame, from which a game or a test sees how much work was done."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Stats:
    """The work of one frame.

    bodies: number of bodies; awake: those neither asleep nor static; moved: displacements by motions, pushes and
    teleports, one per body and motion; bin_changes: cells or nodes of the broad phase that boxes left and entered,
    without those of frames in which many bodies moved (they are filled again when next needed); cells: those with boxes
    of both indexes; pairs_tested: exact tests for triggers and for bodies that ask for contacts; static_searches:
    bodies for which the contact update searched the static index (triggers with `statics`, bodies that ask for
    contacts, and all while there are static ones of either); cells_visited: cells that the contact update visited;
    cells_skipped: cells that a full pass skipped; static_changes: changes of static bodies; expansions: index queries
    of the planner; simulated: dynamic bodies that `step_dynamics` computed; impulses: points of contact that it solved;
    resting: dynamic bodies that it skips now, because they sleep (I7).
    With `timing = True` every phase adds its milliseconds to `phases`.
    """

    frame: int = 0
    bodies: int = 0
    awake: int = 0
    moved: int = 0
    bin_changes: int = 0
    cells: int = 0
    pairs_tested: int = 0
    static_searches: int = 0
    cells_visited: int = 0
    cells_skipped: int = 0
    static_changes: int = 0
    expansions: int = 0
    simulated: int = 0
    impulses: int = 0
    resting: int = 0
    timing: bool = False
    phases: dict[str, float] = field(default_factory=dict)

    @property
    def _has_work(self) -> bool:
        """Whether any work was counted or timed."""
        counted = self.moved or self.bin_changes or self.pairs_tested or self.cells_visited or self.cells_skipped
        return bool(counted or self.static_changes or self.expansions or self.simulated or self.phases)

    def _take(self, running: Stats) -> None:
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
        self.phases, running.phases = running.phases, {}
