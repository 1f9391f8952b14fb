"""Write the documents from a finished run: `python -m benchmarks.docs [RESULTS.json]`.

docs/benchmarks.md and its plots are written anew, and the part of README.md between two comments.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import scale_plot
from benchmarks.plots import draw
from benchmarks.report import Report, read_json, shown, summary

HOUSE = Path(__file__).resolve().parents[1]
RESULTS = HOUSE / "benchmarks" / "results" / "benchmarks.json"
COMMAND = "make bench; make bench-docs"
BEGIN, END = "<!-- benchmarks: written by `make bench-docs` -->", "<!-- end of benchmarks -->"

HOW = """Measured on {machine}, with {python} and ecs-collision {version}, kernels {kernels}, by

```sh
{command}
```

Ours and all peers do the same work in one process, interleaved in another order each round; figures are medians, ratios
are against the fastest peer of the same run. Answers are compared: an exact peer must find the same pairs, hits and
events. A peer that is missing or fails is skipped with a word; a peer with a remark leaves something out of the work.
"""


def page(reports: Sequence[Report], machine: dict[str, str]) -> str:
    """Return docs/benchmarks.md."""
    parts = ["# Benchmarks", how(machine), table_of(summary(reports)), "![ratios to the best peer](benchmarks.png)"]
    for report in reports:
        parts.append(f"## {report.name}: {report.title}")
        if report.contests or report.name == scale_plot.NAME:
            parts.append(f"![{report.name}](benchmarks_{report.name}.png)")
        text = shown(report).partition("\n\n")[2]
        parts.append(f"<details><summary>all figures</summary>\n\n```text\n{text}\n```\n\n</details>")
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def how(machine: dict[str, str]) -> str:
    """Return what was measured with, and how."""
    return HOW.format(
        machine=machine["machine"],
        python=machine["python"],
        version=machine["ecs-collision"],
        kernels=machine["kernels"],
        command=COMMAND,
    )


def table_of(rows: Sequence[tuple[str, ...]]) -> str:
    """Return rows of a summary as a Markdown table."""
    lines = ["| workload | ours | best peer | ratio | reach | |", "|---|--:|--:|--:|--:|---|"]
    for workload, ours, best, peer, ratio, reach, word in rows:
        lines.append(f"| {workload} | {ours} | {' '.join(filter(None, (peer, best)))} | {ratio} | {reach} | {word} |")
    return "\n".join(lines)


def readme_part(reports: Sequence[Report]) -> str:
    """Return what stands between the two comments of README.md: the rows that have a reach, and the ratios."""
    rows = [row for row in summary(reports) if row[-1]]
    return f"{BEGIN}\n{table_of(rows)}\n\n![ratios to the best peer](docs/benchmarks.png)\n{END}"


def write(results: Path = RESULTS, house: Path = HOUSE) -> None:
    """Write the page, the plots, and the part of README.md."""
    reports, machine = read_json(results)
    for path in draw(reports, house / "docs"):
        print(f"drew {path.relative_to(house)}")
    (house / "docs" / "benchmarks.md").write_text(page(reports, machine), encoding="utf-8")
    readme = house / "README.md"
    text = readme.read_text(encoding="utf-8")
    between = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if not between.search(text):
        sys.exit(f"README.md has no lines {BEGIN} and {END} to write between")
    part = readme_part(reports)
    readme.write_text(between.sub(lambda _: part, text), encoding="utf-8")


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:2]))
