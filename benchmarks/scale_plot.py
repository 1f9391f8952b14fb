"""The plot of scale: the cost of a moved body by the number of bodies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

NAME = "scale"
LABEL = re.compile(r"([\d,]+) bodies, ([\d.]+) % moving, (\w+): a body")
COLOURS = {"1": "#1b4965", "10": "#62929e", "100": "#d1495b"}
STYLES = {"arrays": "-", "components": "--"}
INK = "#22303c"


def lines_of(figures: Mapping[str, float]) -> dict[tuple[str, str], list[tuple[int, float]]]:
    """Return the points (bodies, seconds for each moved body) of a report, by percentage and method."""
    found: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for label, seconds in figures.items():
        match = LABEL.fullmatch(label)
        if match:
            count, percent, method = match.groups()
            found.setdefault((percent, method), []).append((int(count.replace(",", "")), seconds))
    return {key: sorted(points) for key, points in found.items()}


def draw_scale(figures: Mapping[str, float], path: Path) -> Path:
    """Draw a line for each moving share and each method; return the file."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.5, 4.5), layout="constrained")
    for (percent, method), points in lines_of(figures).items():
        counts, seconds = zip(*points, strict=True)
        axes.plot(
            counts,
            [1e6 * value for value in seconds],
            STYLES.get(method, ":"),
            color=COLOURS.get(percent, INK),
            marker="o",
            markersize=4,
            label=f"{percent} % moving, by {method}",
        )
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlabel("bodies in the world", color=INK)
    axes.set_ylabel("microseconds a moved body", color=INK)
    axes.set_title("A frame of triggers, moved in random order", fontsize=10, loc="left", color=INK)
    axes.grid(color="#e6eaee", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(fontsize=8, frameon=False)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
    return path
