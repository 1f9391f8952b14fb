"""The part of docs/broad_phases.md that is written from a run of the workload of structures."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.harness import duration, markdown
from benchmarks.report import Report
from benchmarks.structures import ARTICLE, ARTICLE_COUNT, BUILDING, BYTES, DEFAULT, EQUAL, FILLED, MEASURES, PAIRS
from benchmarks.structures_plot import LEVEL, Points, points_of

COUNT = 10_000
SCENE = "uniform"
FRAMES = MEASURES[-4:-1]
"""The measures of frames, from few moving bodies to all."""
COSTS = (BUILDING, PAIRS, *FRAMES, BYTES)


def broad_phases_part(report: Report) -> str:
    """Return the generated part of docs/broad_phases.md: what each structure costs, and where each is the fastest."""
    found = points_of(report.figures)
    texts = [
        f"{COUNT:,} boxes of 0.5 to 1.5 units, evenly spread, in 2D:",
        costs(found),
        winners(found),
    ]
    filled = [
        f"{duration(report.figures[FILLED.format(kind)])} ({duration(seconds)})"
        for kind, seconds in ARTICLE.items()
        if FILLED.format(kind) in report.figures
    ]
    if filled:
        texts.append(
            f"Filling `footprint_grid` with {ARTICLE_COUNT:,} boxes, {' and '.join(ARTICLE)}, takes "
            f"{' and '.join(filled)}. The times in brackets are those of the article that describes such a grid, also "
            "compiled, on another machine."
        )
    return "\n\n".join(texts)


def costs(found: dict[tuple[str, str], dict[str, Points]]) -> str:
    """Return what each structure costs in one scene, as a table."""
    names = list(found[SCENE, BYTES])
    rows = []
    for name in names:
        cells = [f"`{name}`"]
        for measure in COSTS:
            value = found.get((SCENE, measure), {}).get(name, {}).get(COUNT)
            unit: Callable[[float], str] = "{:.0f}".format if measure == BYTES else duration
            cells.append("" if value is None else unit(value))
        rows.append(cells)
    return markdown(("", *(_short(measure) for measure in COSTS)), rows)


def winners(found: dict[tuple[str, str], dict[str, Points]]) -> str:
    """Return in how many frames the default is the fastest, and which structure is in the others."""
    frames = [
        (kind, measure, count)
        for (kind, measure), lines in found.items()
        if measure in FRAMES
        for count in lines[DEFAULT]
    ]
    others = []
    for kind, measure, count in sorted(frames, key=lambda frame: (frame[0] == LEVEL, frame[2], frame[0])):
        values = {name: points[count] for name, points in found[kind, measure].items() if count in points}
        best = min(values, key=lambda name: values[name])
        ratio = values[DEFAULT] / values[best]
        if ratio > EQUAL:
            moving = measure.removeprefix("frame, ")
            others.append(f"- {kind}, {count:,} boxes, {moving}: `{best}` is {ratio:.2f} times as fast")
    first = (
        f"The default has the fastest frame, or one within {100 * (EQUAL - 1):.0f} %, "
        f"in {len(frames) - len(others)} of {len(frames)} cases"
    )
    return "\n".join([f"{first}, but:\n", *others]) if others else f"{first}."


def _short(measure: str) -> str:
    """Return the head of a column."""
    return measure.removesuffix(", of the index")
