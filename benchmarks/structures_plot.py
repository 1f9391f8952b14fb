"""The plot of structures: ratios to the default by the number of boxes, and bars of seconds for the level."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.harness import duration

NAME = "structures"
MEASURES = ("building", "all pairs, of the index", "frame, 10 % moving", "frame, 100 % moving")
KINDS = ("uniform", "concentrated", "mixed")
LEVEL = "level"
DEFAULT = "buckets"
RATIOS = (0.1, 20.0)
"""What the panels show; what takes still longer leaves them at the top."""
LABEL = re.compile(r"([\w ,]+?), ([\d,]+) boxes, (.+): (\w+)")
LOOKS: dict[str, tuple[str, str]] = {
    "buckets": ("#d1495b", "o"),
    "z_order_sweep": ("#e8a33d", "s"),
    "pointer_octree": ("#1b4965", "^"),
    "linear_octree": ("#3f88c5", "v"),
    "quadtree": ("#2e7d4f", "D"),
    "octree": ("#7fb069", "p"),
    "footprint_grid": ("#8e5ea2", "P"),
    "sweep_and_prune": ("#9c6644", "X"),
    "brute_force": ("#8a97a3", "*"),
}
"""Colour and marker of each structure."""
INK = "#22303c"

Points = dict[int, float]


def points_of(figures: Mapping[str, float]) -> dict[tuple[str, str], dict[str, Points]]:
    """Return the figures of a report by scene and measure, then by structure and number of boxes."""
    found: dict[tuple[str, str], dict[str, Points]] = {}
    for label, value in figures.items():
        match = LABEL.fullmatch(label)
        if match and match[4] in LOOKS:
            points = found.setdefault((match[1], match[3]), {}).setdefault(match[4], {})
            points[int(match[2].replace(",", ""))] = value
    return found


def draw_structures(figures: Mapping[str, float], path: Path) -> Path:
    """Draw a panel for each scene and measure; return the file."""
    from matplotlib import pyplot
    from matplotlib.lines import Line2D

    found = points_of(figures)
    columns = [*KINDS, LEVEL]
    figure, grid = pyplot.subplots(
        len(MEASURES), len(columns), figsize=(14, 12), layout="constrained", width_ratios=[1, 1, 1, 0.9]
    )
    for panels, measure in zip(grid, MEASURES, strict=True):
        for axes, kind in zip(panels, columns, strict=True):
            lines = found.get((kind, measure), {})
            if kind == LEVEL:
                _bars(axes, lines)
            else:
                _lines(axes, lines)
            axes.set_title(f"{measure}: {kind}", fontsize=9.5, loc="left", color=INK)
    figure.suptitle(
        "Times as long as the default takes, by the number of boxes (below 1x: faster), and the times of a level",
        fontsize=12,
        x=0.01,
        ha="left",
        color=INK,
    )
    handles = [
        Line2D([], [], color=colour, marker=marker, linewidth=_width(name), label=name)
        for name, (colour, marker) in LOOKS.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=5, fontsize=9, frameon=False)
    figure.savefig(path, dpi=90)
    pyplot.close(figure)
    return path


def _width(name: str) -> float:
    return 2.6 if name == DEFAULT else 1.3


def _lines(axes: Any, lines: Mapping[str, Points]) -> None:
    for name, points in lines.items():
        colour, marker = LOOKS[name]
        counts = sorted(points)
        ratios = [points[count] / lines[DEFAULT][count] for count in counts]
        axes.plot(counts, ratios, color=colour, marker=marker, markersize=4.5, linewidth=_width(name))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_ylim(*RATIOS)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}x")
    axes.set_xlabel("boxes", fontsize=8, color=INK)
    _tidy(axes)


def _bars(axes: Any, lines: Mapping[str, Points]) -> None:
    names = [name for name in LOOKS if name in lines]
    values = [max(lines[name].values()) for name in names]
    axes.barh(range(len(names)), values, color=[LOOKS[name][0] for name in names], height=0.7)
    for place, value in enumerate(values):
        axes.text(value * 1.1, place, duration(value), va="center", fontsize=8, color=INK)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.invert_yaxis()
    if values:
        axes.set_xlim(min(values) / 3, max(values) * 6)
    axes.xaxis.set_major_formatter(lambda value, _: duration(value))
    _tidy(axes)


def _tidy(axes: Any) -> None:
    from matplotlib.ticker import NullFormatter

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.tick_params(labelsize=8, colors=INK)
    axes.grid(color="#e6eaee", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
