"""A contest: ours and the peers do the same work in one process, interleaved, and their answers are compared."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.answers import Answer, first_difference
from benchmarks.harness import ROUNDS, Case, Timing, duration, interleaved
from benchmarks.peers import Job, Peer, Scene, Skipped

BUDGET = 2.0
"""Seconds an entrant may use in one contest before it is run no more."""


@dataclass(slots=True)
class Entry:
    """How one entrant did: seconds for the work, or why there are none; how its answer differs from ours."""

    name: str
    ours: bool
    exact: bool
    leaves_out: str
    median: float = math.nan
    fastest: float = math.nan
    slowest: float = math.nan
    runs: int = 0
    why_not: str = ""
    difference: str = ""
    speed: float = math.nan
    """How often it does the work while the best peer does it once."""

    @property
    def timed(self) -> bool:
        """Whether there is a time."""
        return self.runs > 0

    @property
    def is_wrong(self) -> bool:
        """Whether it answers something else, though it is called exact."""
        return self.exact and bool(self.difference)

    @property
    def remark(self) -> str:
        """What a reader must know of its time."""
        answers = f"{'WRONG: ' if self.exact else ''}{self.difference}" if self.difference else ""
        return "; ".join(filter(None, (self.why_not, answers, self.leaves_out)))


@dataclass(slots=True)
class Reach:
    """What one of our rows was to reach against the best peer of the same run, and what it did."""

    entry: str
    best_peer: str
    ratio: float
    reach: float

    @property
    def met(self) -> bool:
        """Whether it was reached."""
        return self.ratio >= self.reach

    def text(self) -> str:
        """Return it as a line."""
        return f"{self.ratio:.2f} times as fast as {self.best_peer}, the best peer; reach {self.reach:g}"


@dataclass(slots=True)
class Contest:
    """The outcome: entries from fast to slow, the skipped ones last, and the reaches."""

    title: str
    entries: list[Entry]
    reaches: list[Reach] = field(default_factory=list)

    def ours(self) -> Entry | None:
        """Return our first entry that was timed."""
        return next((entry for entry in self.entries if entry.ours and entry.timed), None)

    def best_peer(self) -> Entry | None:
        """Return the fastest of the peers; one whose answer is wrong is none."""
        peers = [entry for entry in self.entries if entry.timed and not entry.ours and not entry.is_wrong]
        return min(peers, key=lambda entry: entry.median, default=None)

    def wrong(self) -> list[Entry]:
        """Return the entries that are called exact and answer something else than ours."""
        return [entry for entry in self.entries if entry.is_wrong]

    def rows(self) -> list[tuple[str, ...]]:
        """Return the rows of a table, ours marked."""
        return [
            (
                f"{'> ' if entry.ours else '  '}{entry.name}",
                *(duration(value) if entry.timed else "" for value in (entry.median, entry.fastest, entry.slowest)),
                str(entry.runs or ""),
                "" if math.isnan(entry.speed) else f"{entry.speed:.2f}",
                entry.remark,
            )
            for entry in self.entries
        ]


COLUMNS = ("", "median", "fastest", "slowest", "runs", "best peer = 1", "")
LEFT = (0, 6)


@dataclass(slots=True)
class _Entrant:
    """A peer that was set up, the case that times it, and its first answers."""

    peer: Peer
    job: Job
    checked: int
    answers: list[Answer] = field(default_factory=list)

    def case(self) -> Case:
        return Case(self.peer.name, self.job.run, self.job.calls, self.job.before, self._note, may_fail=True)

    def _note(self, result: Any) -> None:
        if self.job.answer is not None and len(self.answers) < self.checked:
            self.answers.append(self.job.answer(result))


def contest(
    title: str,
    scene: Scene,
    entrants: Sequence[Peer],
    *,
    reaches: Mapping[str, float] | None = None,
    rounds: int = ROUNDS,
    budget: float = BUDGET,
    checked: int = 1,
    per: int = 1,
) -> Contest:
    """Let entrants do the work of a scene, ours among them, and return how they did.

    `reaches` says by the name of an entry of ours how many times as fast as the best peer it is to be. A run does the
    work `per` times over (10,000 questions): times are for one. The answers of the first `checked` runs of each entrant
    are compared with those of our first entry, run by run. Who does not know the dimensions is left out.
    """
    print(f"  {title}", end="", file=sys.stderr, flush=True)
    taking_part, entries = [], []
    for peer in (entrant for entrant in entrants if scene.dims in entrant.dims):
        try:
            taking_part.append(_Entrant(peer, peer.set_up(scene), checked))
        except Skipped as reason:
            entries.append(Entry(peer.name, peer.ours, peer.exact, peer.leaves_out, why_not=str(reason)))
    timings = interleaved([entrant.case() for entrant in taking_part], rounds, budget)
    expected = next((entrant.answers for entrant in taking_part if entrant.peer.ours), [])
    entries += [_entry(entrant, timing, expected, per) for entrant, timing in zip(taking_part, timings, strict=True)]
    print(f": {sum(entry.timed for entry in entries)} of {len(entries)} timed", file=sys.stderr, flush=True)
    return _judged(title, entries, reaches or {})


def _entry(entrant: _Entrant, timing: Timing, expected: Sequence[Answer], per: int) -> Entry:
    peer = entrant.peer
    entry = Entry(peer.name, peer.ours, peer.exact, peer.leaves_out)
    if timing.failure:
        entry.why_not = timing.failure
        return entry
    entry.median, entry.fastest, entry.slowest = timing.median / per, timing.fastest / per, timing.slowest / per
    entry.runs = timing.runs
    entry.difference = first_difference(expected, entrant.answers)
    return entry


def _judged(title: str, entries: list[Entry], reaches: Mapping[str, float]) -> Contest:
    order = {name: place for place, name in enumerate(reaches)}
    entries.sort(key=lambda entry: (not entry.timed, entry.median if entry.timed else 0.0, entry.name.lower()))
    made = Contest(title, entries)
    best = made.best_peer()
    if best is None:
        return made
    for entry in entries:
        entry.speed = best.median / entry.median
        if entry.ours and entry.timed and entry.name in reaches:
            made.reaches.append(Reach(entry.name, best.name, entry.speed, reaches[entry.name]))
    made.reaches.sort(key=lambda reach: order[reach.entry])
    return made


Make = Callable[[Any], Job]


def ours(name: str, make: Make, *, dims: Sequence[int] = (2, 3), leaves_out: str = "") -> Peer:
    """Return an entry of ours, behind the same door as the peers."""
    return Peer(name, make, dims, leaves_out=leaves_out, ours=True)
