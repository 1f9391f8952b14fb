"""Write the tables of the documents from a finished run: `python -m benchmarks.docs [RESULTS.json]`.

The part between two comments is replaced in README.md (ten rows for a game developer) and in docs/benchmarks.md (every
target, and the times of every library), and in docs/broad_phases.md if the structures were measured. The
plots in docs/ are drawn again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import scale_plot, structures_plot
from benchmarks.comparison import Comparison, Entry
from benchmarks.harness import duration, markdown
from benchmarks.other_memory import COLD, WARM
from benchmarks.plots import draw
from benchmarks.report import Report, read_json, summary
from benchmarks.structures_docs import broad_phases_part

HOUSE = Path(__file__).resolve().parents[1]
RESULTS = HOUSE / "benchmarks" / "results" / "benchmarks.json"
BEGIN, END = "<!-- benchmarks: written by `make bench-docs` -->", "<!-- end of benchmarks -->"

README_ROWS = {
    "a frame of 10,000 bodies, nothing changed, esper.process(), crates at rest": (
        "a frame of 10,000 bodies in which nothing changed"
    ),
    "2D, cold, 1 % moving, positions written one by one, ecs-collision": "a frame of 10,000 bodies, 1 % moving",
    "2D, cold, 10 % moving, positions written one by one, ecs-collision": "a frame of 10,000 bodies, 10 % moving",
    "2D, cold, 100 % moving, positions written one by one, ecs-collision": "a frame of 10,000 bodies, all moving",
    "system.move of a single box among 10,000": "one move of a body among 10,000",
    "system.move of the first of a train of 100": "one move that pushes a train of 100",
    "one box query, 2D": "one box query among 10,000 bodies",
    "10,000 boxes, uniform, 2D": "all overlapping pairs of 10,000 boxes",
    "plain Python: a frame of 1,000 triggers, 100 moved": "without a C compiler: a frame of 1,000 bodies, 10 % moving",
    "from ecs_collision import CollisionSystem": "the import",
}
"""Workloads in README.md, by their name in the summary, and what they are called there."""

LIMIT = re.compile(", at (most|least) ")
"""In a check: it compares a figure of the tables with a limit."""


def readme_part(reports: Sequence[Report]) -> str:
    """Return the table of README.md: time, and the fastest other library where one does the same work."""
    found = {row[0]: row for row in summary(reports)}
    rows = [
        (label, found[name][1], f"{found[name][3]}: {found[name][2]}" if found[name][3] else "")
        for name, label in README_ROWS.items()
        if name in found
    ]
    return markdown(("workload", "time", "fastest other library"), rows, "lrl")


def benchmarks_part(reports: Sequence[Report], machine: dict[str, str]) -> str:
    """Return the generated part of docs/benchmarks.md: the machine, all targets, then a section for each workload."""
    parts = [
        f"Measured on {machine['machine']}, with {machine['python']} and ecs-collision {machine['ecs-collision']}, "
        f"hot files {machine['kernels']}.",
        "## Targets",
        "![times as fast as the fastest other library](benchmarks.png)",
        targets(reports),
    ]
    for report in reports:
        parts += [f"## {report.name}: {report.title}", *section(report)]
    return "\n\n".join(parts)


def targets(reports: Sequence[Report]) -> str:
    """Return the rows of the summary that have a target as a table; the sections below it have all times."""
    rows = [
        (in_column(workload), own, f"{name}: {other}" if name else "", ratio, target, word)
        for workload, own, other, name, ratio, target, word in summary(reports)
        if target
    ]
    return markdown(("workload", "ecs-collision", "fastest other library", "ratio", "target", ""), rows, "lrlrrl")


def in_column(workload: str) -> str:
    """Return the name of a workload without that of the engine, which is the head of the column."""
    return workload.replace(", ecs-collision", "")


def section(report: Report) -> Iterator[str]:
    """Yield the plot, the tables and the checks of a workload."""
    if report.comparisons or report.name in (scale_plot.NAME, structures_plot.NAME):
        yield f"![{report.name}](benchmarks_{report.name}.png)"
    if report.rows:
        width = max(map(len, report.rows))
        yield markdown(report.columns, [(*row, *[""] * (width - len(row))) for row in report.rows])
    for heading, comparisons in by_dimensions(report.comparisons):
        if heading:
            yield f"**{heading}**"
        yield libraries(comparisons)
    entries = [entry for made in reversed(report.comparisons) for entry in made.entries]
    timed = {entry.name for entry in entries if entry.timed}
    reasons = {entry.name: entry.remark for entry in entries if entry.name not in timed}
    missing = [f"- {name}: {why}" for name, why in reasons.items()]
    if missing:
        yield "Not measured:\n\n" + "\n".join(missing)
    checks = [(text, kept) for text, kept in report.limits if not in_targets(report, text)]
    met = [text for text, kept in checks if kept and LIMIT.search(text)]
    lines = [f"- {'' if kept else 'MISSED: '}{text}" for text, kept in checks if text not in met]
    if met:
        lines.append(f"- other limits, all met: {len(met)}")
    if lines:
        yield "Also checked:\n\n" + "\n".join(lines)


def in_targets(report: Report, text: str) -> bool:
    """Return whether a limit of a report stands in the table of targets."""
    return text.startswith(tuple([bound.what for bound in report.bounds] + [made.title for made in report.comparisons]))


def by_dimensions(comparisons: Sequence[Comparison]) -> Iterator[tuple[str, list[Comparison]]]:
    """Yield the parts 2D or 3D and cold or warm of titles, and the comparisons that have the same of them."""
    found: dict[str, list[Comparison]] = {}
    for made in comparisons:
        parts = [part for part in made.title.split(", ") if part in {"2D", "3D", COLD, WARM}]
        found.setdefault(", ".join(parts), []).append(made)
    yield from found.items()


def libraries(comparisons: Sequence[Comparison]) -> str:
    """Return the medians of all libraries as a table: a row for each library, a column for each comparison."""
    titles = [made.title.split(", ") for made in comparisons]
    shared = set(titles[0]).intersection(*titles) if len(titles) > 1 else set(titles[0])
    columns = [", ".join(part for part in title if part not in shared) or "median" for title in titles]
    rows = []
    for name, entries in by_name(comparisons).items():
        times = [duration(entries[at].median) if at in entries else "" for at in range(len(comparisons))]
        cells = [name, *times]
        if next(iter(entries.values())).own:
            cells = [f"**{cell}**" if cell else "" for cell in cells]
        rows.append((*cells, remark(list(entries.values()))))
    return markdown(("", *columns, "remark"), rows, f"l{'r' * len(columns)}l")


def by_name(comparisons: Sequence[Comparison]) -> dict[str, dict[int, Entry]]:
    """Return by name of a library its timed entries by comparison, own first."""
    found: dict[str, dict[int, Entry]] = {}
    for own in (True, False):
        for at, made in enumerate(comparisons):
            for entry in made.entries:
                if entry.timed and entry.own == own:
                    found.setdefault(entry.name, {})[at] = entry
    return found


def remark(entries: Sequence[Entry]) -> str:
    """Return what a library leaves out, and whether its outputs differ from own."""
    differs = any(entry.difference for entry in entries)
    return "; ".join(filter(None, ("its outputs differ" if differs else "", entries[0].leaves_out)))


def replaced(text: str, part: str, name: str) -> str:
    """Return a document with the part between the two comments replaced; ends the program if they are missing."""
    between = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if not between.search(text):
        sys.exit(f"{name} has no lines {BEGIN} and {END} to write between")
    return between.sub(lambda _: f"{BEGIN}\n{part}\n{END}", text)


def write(results: Path = RESULTS, house: Path = HOUSE) -> None:
    """Write the plots and the parts of the documents."""
    reports, machine = read_json(results)
    for path in draw(reports, house / "docs"):
        print(f"drew {path.relative_to(house)}")
    parts = [("README.md", readme_part(reports)), ("docs/benchmarks.md", benchmarks_part(reports, machine))]
    structures = [each for each in reports if each.name == structures_plot.NAME]
    parts += [("docs/broad_phases.md", broad_phases_part(each)) for each in structures]
    for name, part in parts:
        path = house / name
        path.write_text(replaced(path.read_text(encoding="utf-8"), part, name), encoding="utf-8")


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:2]))
