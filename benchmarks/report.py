"""What a workload found, as text for the terminal."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.contest import COLUMNS, LEFT, Contest, Entry, Reach
from benchmarks.harness import duration, table


@dataclass(frozen=True, slots=True)
class Bound:
    """The time something took, and the most it was to take."""

    what: str
    seconds: float
    most: float

    @property
    def kept(self) -> bool:
        """Whether it took no longer."""
        return self.seconds <= self.most


@dataclass(slots=True)
class Report:
    """What a workload found: rows of a table, contests with peers, and limits that were kept or not."""

    name: str
    title: str
    columns: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    limits: list[tuple[str, bool]] = field(default_factory=list)
    contests: list[Contest] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)

    def limit(self, text: str, kept: bool) -> None:
        """Note a limit and whether it was kept."""
        self.limits.append((text, kept))

    def within(self, what: str, seconds: float, most: float) -> None:
        """Note the time something took, and as a limit that it was not to take longer than `most`."""
        bound = Bound(what, seconds, most)
        self.bounds.append(bound)
        self.limit(f"{what}: {duration(seconds)}, at most {duration(most)}", bound.kept)

    def add(self, contest: Contest) -> None:
        """Add a contest: its times to the figures; its reaches, and that exact peers answer as ours, to the limits."""
        self.contests.append(contest)
        for entry in contest.entries:
            if entry.timed:
                self.figures[f"{contest.title}: {entry.name}"] = entry.median
        for reach in contest.reaches:
            self.limit(f"{contest.title}, {reach.entry}: {reach.text()}", reach.met)
        for entry in contest.wrong():
            self.limit(f"{contest.title}: {entry.name} answers as ours does ({entry.difference})", False)


def shown(report: Report) -> str:
    """Return a report as text for the terminal."""
    blocks = [f"{report.name}: {report.title}"]
    if report.rows:
        blocks.append(table(report.columns, report.rows))
    blocks += [f"{contest.title}\n{table(COLUMNS, contest.rows(), LEFT)}" for contest in report.contests]
    if report.limits:
        blocks.append("\n".join(f"{'kept  ' if kept else 'MISSED'}  {text}" for text, kept in report.limits))
    return "\n\n".join(blocks)


SUMMARY = ("workload", "ours", "best peer", "", "ratio", "reach", "")


def summary(reports: Sequence[Report]) -> list[tuple[str, ...]]:
    """Return a row for each of our entries that met a peer, and for each bound: times, ratio, reach, whether met."""
    found: list[tuple[str, ...]] = []
    for report in reports:
        for contest in report.contests:
            found += _rows_of(contest)
        for bound in report.bounds:
            found.append((bound.what, duration(bound.seconds), "", "", "", duration(bound.most), _word(bound.kept)))
    return found


def _rows_of(contest: Contest) -> list[tuple[str, ...]]:
    best, reaches = contest.best_peer(), {reach.entry: reach for reach in contest.reaches}
    mine = [entry for entry in contest.entries if entry.ours and entry.timed]
    found: list[tuple[str, ...]] = []
    if best is None:
        return found
    for entry in mine:
        reach, words = reaches.get(entry.name), contest.title if len(mine) == 1 else f"{contest.title}, {entry.name}"
        wanted = (f"{reach.reach:g}", _word(reach.met)) if reach else ("", "")
        found.append((words, duration(entry.median), duration(best.median), best.name, f"{entry.speed:.2f}", *wanted))
    return found


def _word(kept: bool) -> str:
    return "met" if kept else "MISSED"


def as_data(reports: Sequence[Report], machine: dict[str, str]) -> dict[str, Any]:
    """Return all that was found as plain data for JSON: what is not a number there is null."""
    data = {"with": machine, "reports": [asdict(report) for report in reports]}
    cleaned: dict[str, Any] = _without_nan(data)
    return cleaned


def write_json(path: Path, reports: Sequence[Report], machine: dict[str, str]) -> None:
    """Write all that was found to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(as_data(reports, machine), indent=1, allow_nan=False) + "\n", encoding="utf-8")


def read_json(path: Path) -> tuple[list[Report], dict[str, str]]:
    """Return the reports of a file that was written, and what they were measured with."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return [_report(content) for content in data["reports"]], data["with"]


def _report(content: dict[str, Any]) -> Report:
    contests = [
        Contest(made["title"], [Entry(**_with_nan(e)) for e in made["entries"]], [Reach(**r) for r in made["reaches"]])
        for made in content["contests"]
    ]
    bounds = [Bound(**bound) for bound in content["bounds"]]
    rows, limits = map(tuple, content["rows"]), [(text, kept) for text, kept in content["limits"]]
    names = content["name"], content["title"], tuple(content["columns"])
    return Report(*names, list(rows), content["figures"], limits, contests, bounds)


def _with_nan(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: math.nan if value is None else value for key, value in entry.items()}


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(inner) for inner in value]
    return value
