"""Plots of what was measured, as PNG: a panel of bars for each contest, and one picture of all ratios."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import scale_plot
from benchmarks.contest import Contest, Entry
from benchmarks.harness import duration
from benchmarks.report import Report

OURS, PEER, FAINT, INK = "#d1495b", "#8fa3b5", "#c9d3dc", "#22303c"
ROW = 0.26
"""Height of a bar and its name, in inches."""
DPI = 90


@dataclass(frozen=True, slots=True)
class _Ratio:
    """One bar of the overview: our entry against the best peer."""

    title: str
    best_peer: str
    ratio: float
    reach: float


def draw(reports: Sequence[Report], folder: Path) -> list[Path]:
    """Draw all plots into a folder and return their files; raises ImportError where matplotlib is missing."""
    import matplotlib

    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    found = ratios(reports)
    if found:
        drawn.append(_overview(found, folder / "benchmarks.png"))
    for report in reports:
        contests = [contest for contest in report.contests if any(entry.timed for entry in contest.entries)]
        if contests:
            drawn.append(_bars(report.title, contests, folder / f"benchmarks_{report.name}.png"))
        if report.name == scale_plot.NAME:
            drawn.append(scale_plot.draw_scale(report.figures, folder / f"benchmarks_{report.name}.png"))
    return drawn


def ratios(reports: Sequence[Report]) -> list[_Ratio]:
    """Return the bars of the overview: of each contest the entry of ours with the first reach."""
    found = []
    for report in reports:
        for contest in report.contests:
            for reach in contest.reaches[:1]:
                found.append(_Ratio(contest.title, reach.best_peer, reach.ratio, reach.reach))
    return found


def _overview(found: Sequence[_Ratio], path: Path) -> Path:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9.5, 1.2 + ROW * len(found)), layout="constrained")
    places = range(len(found))
    met = [OURS if one.ratio >= one.reach else FAINT for one in found]
    axes.barh(places, [one.ratio for one in found], color=met, height=0.7)
    for place, one in zip(places, found, strict=True):
        axes.plot([one.reach] * 2, [place - 0.42, place + 0.42], color=INK, linewidth=1.6)
        edge = max(one.ratio, one.reach)
        axes.text(edge * 1.06, place, f"{one.ratio:.2g}x {one.best_peer}", va="center", fontsize=8, color=INK)
    axes.axvline(1, color=INK, linewidth=0.8)
    axes.set_yticks(places, [one.title for one in found], fontsize=8)
    axes.set_xlim(min(0.5, *(one.ratio for one in found)) * 0.8, max(max(one.ratio, one.reach) for one in found) * 3)
    axes.set_title(
        "How many times as fast as the best peer of the same run (dark line: reach)", fontsize=10, loc="left"
    )
    _tidy(axes, len(found), lambda value: f"{value:g}x")
    figure.savefig(path, dpi=DPI)
    pyplot.close(figure)
    return path


def _bars(title: str, contests: Sequence[Contest], path: Path) -> Path:
    from matplotlib import pyplot

    columns = min(2, len(contests))
    lines = [contests[first : first + columns] for first in range(0, len(contests), columns)]
    most = [max(len(_timed(contest)) for contest in line) for line in lines]
    heights = [rows * ROW + 0.75 for rows in most]
    figure, grid = pyplot.subplots(
        len(lines),
        columns,
        figsize=(6.8 * columns, sum(heights) + 0.4),
        height_ratios=heights,
        layout="constrained",
        squeeze=False,
    )
    for number, (axes, contest) in enumerate(zip(grid.flat, contests, strict=False)):
        _panel(axes, contest, most[number // columns])
    for axes in list(grid.flat)[len(contests) :]:
        axes.axis("off")
    figure.suptitle(f"{title}   (* a remark in the table)", fontsize=12, x=0.01, ha="left", color=INK)
    figure.savefig(path, dpi=DPI)
    pyplot.close(figure)
    return path


def _timed(contest: Contest) -> list[Entry]:
    return [entry for entry in contest.entries if entry.timed]


def _panel(axes: Any, contest: Contest, rows: int) -> None:
    entries = _timed(contest)
    places, medians = range(len(entries)), [entry.median for entry in entries]
    left = min(medians) / 2
    colours = [OURS if entry.ours else FAINT if entry.is_wrong else PEER for entry in entries]
    axes.barh(places, [median - left for median in medians], left=left, color=colours, height=0.72)
    for place, entry in zip(places, entries, strict=True):
        weight = "bold" if entry.ours else "normal"
        axes.text(entry.median * 1.08, place, _words(entry), va="center", fontsize=8, color=INK, fontweight=weight)
    axes.set_yticks(places, [entry.name for entry in entries], fontsize=8)
    for label, entry in zip(axes.get_yticklabels(), entries, strict=True):
        label.set_fontweight("bold" if entry.ours else "normal")
        label.set_color(OURS if entry.ours else INK)
    axes.set_xlim(left, max(medians) * 6)
    axes.set_title(contest.title, fontsize=10, loc="left", color=INK)
    _tidy(axes, rows, duration)


def _words(entry: Entry) -> str:
    """Return the time, starred where the row leaves something out or answers otherwise."""
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
