"""The result of a workload, as text for the terminal and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.comparison import COLUMNS, LEFT, Comparison, Entry, Target
from benchmarks.harness import duration, table


@dataclass(frozen=True, slots=True)
class Bound:
    """The time of something, and its maximum."""

    what: str
    seconds: float
    most: float

    @property
    def kept(self) -> bool:
        """Whether the time is at most the maximum."""
        return self.seconds <= self.most


@dataclass(slots=True)
class Report:
    """The result of a workload: rows of a table, comparisons with other libraries, and limits."""

    name: str
    title: str
    columns: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    limits: list[tuple[str, bool]] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)

    def limit(self, text: str, kept: bool) -> None:
        """Add a limit and whether it was kept."""
        self.limits.append((text, kept))

    def within(self, what: str, seconds: float, most: float) -> None:
        """Add the time of something, and as a limit its maximum `most`."""
        bound = Bound(what, seconds, most)
        self.bounds.append(bound)
        self.limit(f"{what}: {duration(seconds)}, at most {duration(most)}", bound.kept)

    def add(self, comparison: Comparison) -> None:
        """Add a comparison: its times to the figures; its targets, and the check of exact outputs, to the limits."""
        self.comparisons.append(comparison)
        for entry in comparison.entries:
            if entry.timed:
                self.figures[f"{comparison.title}: {entry.name}"] = entry.median
        for target in comparison.targets:
            self.limit(f"{comparison.title}, {target.entry}: {target.text()}", target.met)
        for entry in comparison.wrong():
            self.limit(f"{comparison.title}: {entry.name} returns the same as this project ({entry.difference})", False)


def shown(report: Report) -> str:
    """Return a report as text for the terminal."""
    blocks = [f"{report.name}: {report.title}"]
    if report.rows:
        blocks.append(table(report.columns, report.rows))
    blocks += [f"{comparison.title}\n{table(COLUMNS, comparison.rows(), LEFT)}" for comparison in report.comparisons]
    if report.limits:
        blocks.append("\n".join(f"{'kept  ' if kept else 'MISSED'}  {text}" for text, kept in report.limits))
    return "\n\n".join(blocks)


SUMMARY = ("workload", "ecs-collision", "fastest other", "", "ratio", "target", "")


def summary(reports: Sequence[Report]) -> list[tuple[str, ...]]:
    """Return a row for each own entry that was compared, and for each bound: times, ratio, target, whether met."""
    found: list[tuple[str, ...]] = []
    for report in reports:
        for comparison in report.comparisons:
            found += _rows_of(comparison)
        for bound in report.bounds:
            found.append((bound.what, duration(bound.seconds), "", "", "", duration(bound.most), _word(bound.kept)))
    return found


def _rows_of(comparison: Comparison) -> list[tuple[str, ...]]:
    best, targets = comparison.fastest_other(), {target.entry: target for target in comparison.targets}
    mine = [entry for entry in comparison.entries if entry.own and entry.timed]
    found: list[tuple[str, ...]] = []
    if best is None:
        return found
    for entry in mine:
        target, words = (
            targets.get(entry.name),
            comparison.title if len(mine) == 1 else f"{comparison.title}, {entry.name}",
        )
        wanted = (f"{target.target:g}", _word(target.met)) if target else ("", "")
        found.append((words, duration(entry.median), duration(best.median), best.name, f"{entry.speed:.2f}", *wanted))
    return found


def _word(kept: bool) -> str:
    return "met" if kept else "MISSED"


def as_data(reports: Sequence[Report], machine: dict[str, str]) -> dict[str, Any]:
    """Return all results as plain data for JSON, with null for NaN."""
    data = {"with": machine, "reports": [asdict(report) for report in reports]}
    cleaned: dict[str, Any] = _without_nan(data)
    return cleaned


def write_json(path: Path, reports: Sequence[Report], machine: dict[str, str]) -> None:
    """Write all results to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(as_data(reports, machine), indent=1, allow_nan=False) + "\n", encoding="utf-8")


def read_json(path: Path) -> tuple[list[Report], dict[str, str]]:
    """Return the reports of a results file, and the machine they were measured on."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return [_report(content) for content in data["reports"]], data["with"]


def _report(content: dict[str, Any]) -> Report:
    comparisons = [
        Comparison(
            made["title"], [Entry(**_with_nan(e)) for e in made["entries"]], [Target(**r) for r in made["targets"]]
        )
        for made in content["comparisons"]
    ]
    bounds = [Bound(**bound) for bound in content["bounds"]]
    rows, limits = map(tuple, content["rows"]), [(text, kept) for text, kept in content["limits"]]
    names = content["name"], content["title"], tuple(content["columns"])
    return Report(*names, list(rows), content["figures"], limits, comparisons, bounds)


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
