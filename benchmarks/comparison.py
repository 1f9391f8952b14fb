"""A comparison: this project and other libraries do the same work, interleaved, and outputs are compared."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.harness import ROUNDS, Case, Timing, duration, interleaved
from benchmarks.libraries import Job, Library, Scene, Skipped
from benchmarks.outputs import Output, first_difference

BUDGET = 2.0
"""Seconds that a participant may use in one comparison before it is no longer run."""


@dataclass(slots=True)
class Entry:
    """The result of one participant: times or the reason why there are none, and how its output differs."""

    name: str
    own: bool
    exact: bool
    leaves_out: str
    median: float = math.nan
    fastest: float = math.nan
    slowest: float = math.nan
    runs: int = 0
    why_not: str = ""
    difference: str = ""
    speed: float = math.nan
    """How often it does the work while the fastest other library does it once."""

    @property
    def timed(self) -> bool:
        """Whether there is a time."""
        return self.runs > 0

    @property
    def is_wrong(self) -> bool:
        """Whether its output is wrong although it is declared exact."""
        return self.exact and bool(self.difference)

    @property
    def remark(self) -> str:
        """What a reader must know about its time."""
        outputs = f"{'WRONG: ' if self.exact else ''}{self.difference}" if self.difference else ""
        return "; ".join(filter(None, (self.why_not, outputs, self.leaves_out)))


@dataclass(slots=True)
class Target:
    """The target ratio of one entry to the fastest other library of the same run, and the actual ratio."""

    entry: str
    fastest_other: str
    ratio: float
    target: float

    @property
    def met(self) -> bool:
        """Whether the target was met."""
        return self.ratio >= self.target

    def text(self) -> str:
        """Return it as a line of text."""
        return (
            f"{self.ratio:.2f} times as fast as {self.fastest_other}, the fastest other library; target {self.target:g}"
        )


@dataclass(slots=True)
class Comparison:
    """The outcome: entries from fast to slow, the skipped ones last, and the targets."""

    title: str
    entries: list[Entry]
    targets: list[Target] = field(default_factory=list)

    def own(self) -> Entry | None:
        """Return the first timed entry of this project."""
        return next((entry for entry in self.entries if entry.own and entry.timed), None)

    def fastest_other(self) -> Entry | None:
        """Return the fastest other library whose output is not wrong."""
        libraries = [entry for entry in self.entries if entry.timed and not entry.own and not entry.is_wrong]
        return min(libraries, key=lambda entry: entry.median, default=None)

    def wrong(self) -> list[Entry]:
        """Return the entries that are declared exact and have another output than this project."""
        return [entry for entry in self.entries if entry.is_wrong]

    def rows(self) -> list[tuple[str, ...]]:
        """Return the rows of a table; entries of this project are marked."""
        return [
            (
                f"{'> ' if entry.own else '  '}{entry.name}",
                *(duration(value) if entry.timed else "" for value in (entry.median, entry.fastest, entry.slowest)),
                str(entry.runs or ""),
                "" if math.isnan(entry.speed) else f"{entry.speed:.2f}",
                entry.remark,
            )
            for entry in self.entries
        ]


COLUMNS = ("", "median", "fastest", "slowest", "runs", "other = 1", "")
LEFT = (0, 6)


@dataclass(slots=True)
class _Participant:
    """A library that was set up, the case that times it, and its first outputs."""

    library: Library
    job: Job
    checked: int
    outputs: list[Output] = field(default_factory=list)

    def case(self) -> Case:
        return Case(self.library.name, self.job.run, self.job.calls, self.job.before, self._note, may_fail=True)

    def _note(self, result: Any) -> None:
        if self.job.output is not None and len(self.outputs) < self.checked:
            self.outputs.append(self.job.output(result))


def compare(
    title: str,
    scene: Scene,
    participants: Sequence[Library],
    *,
    targets: Mapping[str, float] | None = None,
    rounds: int = ROUNDS,
    budget: float = BUDGET,
    checked: int = 1,
    per: int = 1,
) -> Comparison:
    """Have the participants do the work of a scene, this project among them, and return the outcome.

    `targets` has, by the name of an entry of this project, how many times as fast as the fastest other library it
    should be. A run does the work `per` times (10,000 queries); times are for one. The outputs of the first `checked`
    runs of each participant are compared with those of the first entry of this project, run by run. Participants that
    do not support the dimensions are left out.
    """
    print(f"  {title}", end="", file=sys.stderr, flush=True)
    taking_part, entries = [], []
    for library in (participant for participant in participants if scene.dims in participant.dims):
        try:
            taking_part.append(_Participant(library, library.set_up(scene), checked))
        except Skipped as reason:
            entries.append(Entry(library.name, library.own, library.exact, library.leaves_out, why_not=str(reason)))
    timings = interleaved([participant.case() for participant in taking_part], rounds, budget)
    expected = next((participant.outputs for participant in taking_part if participant.library.own), [])
    entries += [
        _entry(participant, timing, expected, per) for participant, timing in zip(taking_part, timings, strict=True)
    ]
    print(f": {sum(entry.timed for entry in entries)} of {len(entries)} timed", file=sys.stderr, flush=True)
    return _judged(title, entries, targets or {})


def _entry(participant: _Participant, timing: Timing, expected: Sequence[Output], per: int) -> Entry:
    library = participant.library
    entry = Entry(library.name, library.own, library.exact, library.leaves_out)
    if timing.failure:
        entry.why_not = timing.failure
        return entry
    entry.median, entry.fastest, entry.slowest = timing.median / per, timing.fastest / per, timing.slowest / per
    entry.runs = timing.runs
    entry.difference = first_difference(expected, participant.outputs)
    return entry


def _judged(title: str, entries: list[Entry], targets: Mapping[str, float]) -> Comparison:
    order = {name: place for place, name in enumerate(targets)}
    entries.sort(key=lambda entry: (not entry.timed, entry.median if entry.timed else 0.0, entry.name.lower()))
    made = Comparison(title, entries)
    best = made.fastest_other()
    if best is None:
        return made
    for entry in entries:
        entry.speed = best.median / entry.median
        if entry.own and entry.timed and entry.name in targets:
            made.targets.append(Target(entry.name, best.name, entry.speed, targets[entry.name]))
    made.targets.sort(key=lambda target: order[target.entry])
    return made


Make = Callable[[Any], Job]


def own(name: str, make: Make, *, dims: Sequence[int] = (2, 3), leaves_out: str = "") -> Library:
    """Return a participant for this project, with the same interface as other libraries."""
    return Library(name, make, dims, leaves_out=leaves_out, own=True)
