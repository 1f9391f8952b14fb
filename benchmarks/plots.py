"""Plots of the measurements as PNG: a panel of bars for each comparison, without warm ones; a picture of all ratios."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import scale_plot, structures_plot
from benchmarks.comparison import Comparison, Entry
from benchmarks.harness import duration
from benchmarks.other_memory import WARM
from benchmarks.report import Report

OWN, OTHER, FAINT, INK = "#d1495b", "#8fa3b5", "#c9d3dc", "#22303c"
ROW = 0.26
"""Height of a bar and its name, in inches."""
DPI = 90


@dataclass(frozen=True, slots=True)
class _Ratio:
    """One bar of the overview: an entry of this project against the fastest other library."""

    title: str
    fastest_other: str
    ratio: float
    target: float


def draw(reports: Sequence[Report], folder: Path) -> list[Path]:
    """Draw all plots into a folder and return their files. Raises ImportError if matplotlib is missing."""
    import matplotlib

    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    found = ratios(reports)
    if found:
        drawn.append(_overview(found, folder / "benchmarks.png"))
    for report in reports:
        comparisons = [made for made in report.comparisons if WARM not in made.title.split(", ") and _timed(made)]
        if comparisons:
            drawn.append(_bars(report.title, comparisons, folder / f"benchmarks_{report.name}.png"))
        if report.name == scale_plot.NAME:
            drawn.append(scale_plot.draw_scale(report.figures, folder / f"benchmarks_{report.name}.png"))
        if report.name == structures_plot.NAME:
            drawn.append(structures_plot.draw_structures(report.figures, folder / f"benchmarks_{report.name}.png"))
    return drawn


def ratios(reports: Sequence[Report]) -> list[_Ratio]:
    """Return the bars of the overview: for each comparison the entry of this project with the first target."""
    found = []
    for report in reports:
        for comparison in report.comparisons:
            for target in comparison.targets[:1]:
                found.append(_Ratio(comparison.title, target.fastest_other, target.ratio, target.target))
    return found


def _overview(found: Sequence[_Ratio], path: Path) -> Path:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9.5, 1.2 + ROW * len(found)), layout="constrained")
    places = range(len(found))
    met = [OWN if one.ratio >= one.target else FAINT for one in found]
    axes.barh(places, [one.ratio for one in found], color=met, height=0.7)
    for place, one in zip(places, found, strict=True):
        axes.plot([one.target] * 2, [place - 0.42, place + 0.42], color=INK, linewidth=1.6)
        edge = max(one.ratio, one.target)
        axes.text(edge * 1.06, place, f"{one.ratio:.2g}x {one.fastest_other}", va="center", fontsize=8, color=INK)
    axes.axvline(1, color=INK, linewidth=0.8)
    axes.set_yticks(places, [one.title for one in found], fontsize=8)
    axes.set_xlim(min(0.5, *(one.ratio for one in found)) * 0.8, max(max(one.ratio, one.target) for one in found) * 3)
    axes.set_title(
        "Times as fast as the fastest other library of the same run (dark line: target)", fontsize=10, loc="left"
    )
    _tidy(axes, len(found), lambda value: f"{value:g}x")
    figure.savefig(path, dpi=DPI)
    pyplot.close(figure)
    return path


def _bars(title: str, comparisons: Sequence[Comparison], path: Path) -> Path:
    from matplotlib import pyplot

    columns = min(2, len(comparisons))
    lines = [comparisons[first : first + columns] for first in range(0, len(comparisons), columns)]
    most = [max(len(_timed(comparison)) for comparison in line) for line in lines]
    heights = [rows * ROW + 0.75 for rows in most]
    figure, grid = pyplot.subplots(
        len(lines),
        columns,
        figsize=(6.8 * columns, sum(heights) + 0.4),
        height_ratios=heights,
        layout="constrained",
        squeeze=False,
    )
    for number, (axes, comparison) in enumerate(zip(grid.flat, comparisons, strict=False)):
        _panel(axes, comparison, most[number // columns])
    for axes in list(grid.flat)[len(comparisons) :]:
        axes.axis("off")
    figure.suptitle(f"{title}   (* a remark in the table)", fontsize=12, x=0.01, ha="left", color=INK)
    figure.savefig(path, dpi=DPI)
    pyplot.close(figure)
    return path


def _timed(comparison: Comparison) -> list[Entry]:
    return [entry for entry in comparison.entries if entry.timed]


def _panel(axes: Any, comparison: Comparison, rows: int) -> None:
    entries = _timed(comparison)
    places, medians = range(len(entries)), [entry.median for entry in entries]
    left = min(medians) / 2
    colours = [OWN if entry.own else FAINT if entry.is_wrong else OTHER for entry in entries]
    axes.barh(places, [median - left for median in medians], left=left, color=colours, height=0.72)
    for place, entry in zip(places, entries, strict=True):
        weight = "bold" if entry.own else "normal"
        axes.text(entry.median * 1.08, place, _words(entry), va="center", fontsize=8, color=INK, fontweight=weight)
    axes.set_yticks(places, [entry.name for entry in entries], fontsize=8)
    for label, entry in zip(axes.get_yticklabels(), entries, strict=True):
        label.set_fontweight("bold" if entry.own else "normal")
        label.set_color(OWN if entry.own else INK)
    axes.set_xlim(left, max(medians) * 6)
    axes.set_title(comparison.title, fontsize=10, loc="left", color=INK)
    _tidy(axes, rows, duration)


def _words(entry: Entry) -> str:
    """Return the time, with a star if there is a remark."""
    return f"{duration(entry.median)}{' *' if entry.remark else ''}"


def _tidy(axes: Any, rows: int, unit: Callable[[float], str]) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axes.set_xscale("log")
    axes.set_ylim(rows - 0.4, -0.6)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: unit(value)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(axis="x", labelsize=8, colors=INK)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#e6eaee", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
