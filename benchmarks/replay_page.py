"""The replay page in a headless Chromium: size of the file, first picture, pictures a second.

`python -m benchmarks.replay_page` writes a film of 2,000 bodies, 100 of which move, over 3,000 frames, and plays it in
a window of 1280 x 720 without a graphics card. It fails if a target is missed.
"""

from __future__ import annotations

import math
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.browser import chromium, what_is_missing
from ecs_collision.debug.page import write_page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

BODIES, MOVING, FRAMES = 2_000, 100, 3_000
UNIT = 65_536
SECONDS = 5.0
LIMITS = {"MB": 5.0, "first picture, s": 2.0}
FLOORS = {"2D, pictures a second": 58.0, "3D, pictures a second": 20.0}
KINDS = ("static", "solid", "pushable", "pushable", "trigger", "mover")


def film(bodies: int = BODIES, moving: int = MOVING, frames: int = FRAMES) -> dict[str, Any]:
    """Return a film of boxes on a square; the first ones move in random directions at varying speeds."""
    choice = random.Random(29)
    columns = math.ceil(math.sqrt(bodies))
    entries = []
    for index in range(bodies):
        kind = "mover" if index < moving else KINDS[index % len(KINDS)]
        half = choice.choice((UNIT // 4, UNIT // 2, 3 * UNIT // 4))
        place = index * 7919 % (columns * columns)  # movers are all over the square
        entries.append({
            "id": index + 1, "name": "", "kind": kind, "rotation": None, "group": -1, "asleep": index % 9 == 4,
            "at": [place % columns * 2 * UNIT, place // columns * 2 * UNIT, 0], "shown": 1,
            "parts": [[0, 0, 0, half, half, UNIT // 2, 0, 0]],
            "components": [f"BoxCollider({half / UNIT}, {half / UNIT})"],
        })  # fmt: skip
    steps: list[dict[str, Any]] = [{"label": "start", "act": "start", "frame": 0}]
    ways = [(0.0, 0.0)] * moving
    for frame in range(1, frames + 1):
        for index in range(moving):
            if (frame + index) % 60 == 1:
                angle, speed = choice.uniform(0, 2 * math.pi), choice.uniform(0.01, 0.1) * UNIT
                ways[index] = math.cos(angle) * speed, math.sin(angle) * speed
        phase = 1 + 0.5 * math.sin(frame / 10)
        step = {
            "i": list(range(moving)), "x": [round(x * phase) for x, _ in ways], "y": [round(y * phase) for _, y in ways]
        }  # fmt: skip
        event = {
            "name": "ContactBegan",
            "text": f"mover {frame % moving} touches a crate",
            "bodies": [frame % moving, 500],
        }
        steps.append({"label": f"frame {frame}", "act": "frame", "frame": frame, "moved": step, "events": [event]})
    return {
        "version": 1, "title": f"{bodies} bodies, {moving} moving", "remarks": [], "flat": True, "bin": UNIT,
        "bodies": entries, "steps": steps,
    }  # fmt: skip


def wait_for(driver: Chrome, condition: str, seconds: float = 30.0) -> None:
    """Wait until a condition of the page holds; raise TimeoutError if it does not in time."""
    end = time.monotonic() + seconds
    while not driver.execute_script(f"return Boolean({condition})"):
        if time.monotonic() > end:
            raise TimeoutError(f"the page has not come to {condition} in {seconds:g} s")
        time.sleep(0.02)


def rate(driver: Chrome, view: str, seconds: float = SECONDS) -> tuple[float, float]:
    """Play in a view; return the pictures and the steps a second."""
    driver.execute_script("replay.goTo(0); replay.show(arguments[0]); replay.play()", view)
    wait_for(driver, "replay.step > 30")
    read = "return [performance.now(), replay.pictures, replay.step]"
    began, pictures, step = driver.execute_script(read)
    time.sleep(seconds)
    ended, more_pictures, last_step = driver.execute_script(read)
    driver.execute_script("replay.pause()")
    passed = (ended - began) / 1000
    return (more_pictures - pictures) / passed, (last_step - step) / passed


def measure(path: Path, seconds: float = SECONDS) -> dict[str, float]:
    """Return the figures of a page."""
    figures = {"MB": path.stat().st_size / 1e6}
    with chromium() as driver:
        driver.get(path.as_uri())
        wait_for(driver, "window.replay && replay.pictures")
        figures["first picture, s"] = driver.execute_script("return replay.firstPicture") / 1000
        for name in ("2D", "3D"):
            figures[f"{name}, pictures a second"], figures[f"{name}, steps a second"] = rate(
                driver, name.lower(), seconds
            )
        seek = (
            "const t = performance.now(); replay.goTo(Math.floor(Math.random() * 3000)); return performance.now() - t"
        )
        figures["slowest of 50 seeks, ms"] = max(driver.execute_script(seek) for _ in range(50))
    return figures


def main() -> int:
    """Print the figures and return 1 if a target is missed."""
    missing = what_is_missing()
    if missing:
        print(missing, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(write_page(film(), Path(folder) / "replay.html"))
    missed = 0
    for name, value in figures.items():
        is_missed = value > LIMITS.get(name, math.inf) or value < FLOORS.get(name, -math.inf)
        target = (
            f"  (at most {LIMITS[name]:g})"
            if name in LIMITS
            else f"  (at least {FLOORS[name]:g})"
            if name in FLOORS
            else ""
        )
        print(f"{name:<26}{value:8.2f}{target}{'  MISSED' if is_missed else ''}")
        missed += is_missed
    return min(1, missed)


if __name__ == "__main__":
    sys.exit(main())
