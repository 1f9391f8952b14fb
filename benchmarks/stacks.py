"""Stacks, piles, dominoes, billiards and a crowd: frames of this engine beside those of physics engines.

Each engine runs each scene until everything rests, and in turn with the others several times. The median of the frames
until then is compared, and how many there are; after it the median of frames at rest. Billiards and the crowd never
rest; of billiards the energy that is left is compared.
"""

from __future__ import annotations

import gc
import math
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.comparison import Comparison, Entry
from benchmarks.harness import duration
from benchmarks.libraries import in_a_line
from benchmarks.libraries.stack_engines import (
    ENGINES,
    FRAME,
    GRAVITY,
    TURNING,
    UPRIGHT,
    Box2d3,
    Engine,
    Own,
    Pymunk,
    Scene,
    stack,
)
from benchmarks.report import Report

ROUNDS = 5
LONGEST = 1500
"""Frames after which a scene that does not come to rest ends."""
ENDLESS = 600
"""Frames of a scene that never comes to rest."""
STANDING = 10_000
"""Frames for which a stack of ten boxes that turn has to stand, awake."""
AT_REST, LIMIT_AT_REST = 200, 5e-6
LIMITS = ((UPRIGHT, 2.0, 1.0), (TURNING, 3.0, 1.5))
"""Scenes, and at most how many times the time of Box2D 3 and that of pymunk a frame may take."""
LIMIT_FRAMES, LIMIT_ENERGY = 1.5, 0.98


@dataclass(slots=True)
class Episode:
    """A scene in one engine: seconds of its median frame, frames until all rests, seconds of a frame then, energy."""

    median: float
    frames: int | None
    resting: float
    energy: float


def stacks() -> Report:
    """Measure each scene in each engine."""
    report = Report("stacks", "frames of stacks, piles, dominoes, billiards and a crowd, until everything rests")
    report.columns = ("", *(f"{kind.name}, {what}" for what in ("frames until rest", "at rest") for kind in ENGINES))
    for makers, most_box2d, most_pymunk in LIMITS:
        for make in makers:
            scene = make()
            print(f"  {scene.title}", file=sys.stderr, flush=True)
            made, found = measured(scene)
            report.add(made)
            report.rows.append(row(scene, found))
            judge_times(report, scene, made, {Box2d3.name: most_box2d, Pymunk.name: most_pymunk})
            judge_ends(report, scene, found)
    sunk = stands()
    report.limit(f"a stack of 10 boxes stands awake for {STANDING:,} frames: moved by {sunk:.2g}", sunk < 0.1)
    return report


def measured(scene: Scene) -> tuple[Comparison, dict[str, Episode]]:
    """Return the times of a scene, and the first episode of each engine; in turn, so that noise hits all alike."""
    episodes: dict[type[Engine], list[Episode]] = {kind: [] for kind in ENGINES}
    entries = [Entry(kind.name, kind.own, False, kind.leaves_out) for kind in ENGINES]
    for _ in range(ROUNDS):
        for kind, entry in zip(ENGINES, entries, strict=True):
            if not entry.why_not:
                try:
                    episodes[kind].append(episode(kind, scene))
                except ImportError as missing:
                    entry.why_not = f"not installed ({missing.name or missing})"
                except Exception as failure:
                    entry.why_not = f"failed: {in_a_line(failure)}"
    for runs, entry in zip(episodes.values(), entries, strict=True):
        if runs and not entry.why_not:
            times = [each.median for each in runs]
            entry.median, entry.fastest, entry.slowest = statistics.median(times), min(times), max(times)
            entry.runs = len(runs)
    others = [entry.median for entry in entries if entry.timed and not entry.own]
    for entry in entries:
        if entry.timed and others:
            entry.speed = min(others) / entry.median
    entries.sort(key=lambda entry: (not entry.timed, entry.median if entry.timed else 0.0))
    found = {kind.name: runs[0] for kind, runs in episodes.items() if runs}
    for kind, runs in episodes.items():
        if runs:
            found[kind.name].resting = statistics.median([each.resting for each in runs])
    return Comparison(scene.title, entries), found


def episode(kind: type[Engine], scene: Scene) -> Episode:
    """Run a scene until everything rests. Writing velocities is not timed."""
    engine, times, frames = kind(scene), [], None
    energy, ends = engine.energy(), scene.gravity != 0.0
    gc.collect()
    gc.disable()
    try:
        for frame in range(LONGEST if ends else ENDLESS):
            if scene.driven:
                engine.drive()
            times.append(timed(engine))
            if ends and engine.rests():
                frames = frame + 1
                break
        resting = math.nan if frames is None else statistics.median([timed(engine) for _ in range(AT_REST)])
    finally:
        gc.enable()
    left = engine.energy() / energy if energy and not ends else math.nan
    return Episode(statistics.median(times), frames, resting, left)


def timed(engine: Engine) -> float:
    """Return the seconds of a frame."""
    began = time.perf_counter()
    engine.step()
    return time.perf_counter() - began


def row(scene: Scene, found: dict[str, Episode]) -> tuple[str, ...]:
    """Return the frames until all rests, or the energy left, then the times at rest."""
    ends, times = [], []
    for kind in ENGINES:
        each = found.get(kind.name)
        if each is None:
            ends.append("")
        elif not math.isnan(each.energy) and not scene.driven:
            ends.append(f"energy {each.energy:.3f}")
        else:
            ends.append(str(each.frames or ("never" if scene.gravity else "")))
        times.append("" if each is None or math.isnan(each.resting) else duration(each.resting))
    return (scene.title, *ends, *times)


def judge_times(report: Report, scene: Scene, made: Comparison, limits: dict[str, float]) -> None:
    """Compare the time of a frame with those of other engines."""
    medians = {entry.name: entry.median for entry in made.entries if entry.timed}
    for name, most in limits.items():
        if name in medians:
            ratio = medians[Own.name] / medians[name]
            report.limit(f"time of {scene.title}: {ratio:.2f} of {name}, at most {most:g}", ratio <= most)


def judge_ends(report: Report, scene: Scene, found: dict[str, Episode]) -> None:
    """Compare how the scene ends: its energy, or when it rests and what a frame then takes."""
    for kind in (kind for kind in ENGINES if kind.own):
        mine, other = found[kind.name], found.get(Pymunk.name)
        if scene.restitution:
            text = f"energy of {scene.title}, {kind.name}: {mine.energy:.3f}, at least {LIMIT_ENERGY}"
            report.limit(text, LIMIT_ENERGY <= mine.energy <= 1.0001)
        if other is not None and other.frames is not None:
            most, frames = LIMIT_FRAMES * other.frames, mine.frames or math.inf
            text = f"rest of {scene.title}, {kind.name}: {frames} frames, {other.frames} of {Pymunk.name}"
            report.limit(f"{text}, at most {LIMIT_FRAMES} times", frames <= most)
    if found[Own.name].frames is not None:
        report.within(f"a frame at rest, {scene.title}", found[Own.name].resting, LIMIT_AT_REST)


def stands() -> float:
    """Return by how far the boxes of a stack moved after they fell, awake: gravity changes a little each frame."""
    own = Own(stack("", True))
    before: Sequence[tuple[float, float]] = []
    for frame in range(STANDING):
        if frame == STANDING // 10:
            before = own.places()
        own.world.step_dynamics(FRAME, gravity=(0, -GRAVITY - frame % 2 * 2.0**-10))
        own.world.step()
    return max(math.dist(a, b) for a, b in zip(before, own.places(), strict=True))
