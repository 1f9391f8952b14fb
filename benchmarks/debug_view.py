"""Measures the debug view: `python -m benchmarks.debug_view [--bodies N] [--frames N]`.

It draws bodies in pygame at 1280 x 720 with SDL's dummy driver, by sets of layers, and compares frames of a world that
had a view before with frames of one that never had one.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import time
from collections.abc import Callable, Sequence

from ecs_collision import (
    BoxCollider,
    CircleCollider,
    CollisionWorld,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.debug import DEFAULT_LAYERS, Camera, DebugView, Layer

SIZE = (1280, 720)
SPACING = 1.25
LAYER_SETS = {
    "bodies": frozenset({Layer.BODIES}),
    "default layers": DEFAULT_LAYERS,
    "default layers and cells": DEFAULT_LAYERS | {Layer.CELLS},
    "default layers and names": DEFAULT_LAYERS | {Layer.NAMES},
    "all layers": frozenset(Layer),
}


def field(count: int) -> tuple[CollisionWorld, list[int], tuple[float, float]]:
    """Return a world of bodies of all kinds, those that move, and its size; every second body is static."""
    width = math.ceil(math.sqrt(count * SIZE[0] / SIZE[1]))
    world, movers = CollisionWorld(), []
    for number in range(count):
        at = Transform(SPACING * (number % width) + 0.5, SPACING * (number // width) + 0.5)
        if number % 2 == 0:
            world.add(transform=at, collider=BoxCollider(0.5, 0.5), static=Static())
        elif number % 20 == 1:
            movers.append(world.add(transform=at, collider=BoxCollider(0.375, 0.375), motion=Motion(force=2)))
        elif number % 20 == 3:
            world.add(transform=at, collider=BoxCollider(0.5, 0.5), trigger=Trigger())
        elif number % 20 == 5:
            world.add(transform=at, collider=CircleCollider(0.5), inertia=Inertia(1))
        else:
            world.add(transform=at, collider=BoxCollider(0.5, 0.5), inertia=Inertia(1), sleeping=Sleeping())
    return world, movers, (SPACING * width, SPACING * math.ceil(count / width))


def frame(world: CollisionWorld, movers: list[int], number: int) -> None:
    """Run a frame in which a tenth of the bodies that are not static move to and fro, and some push."""
    for at, mover in enumerate(movers):
        world.request(mover, 0.0625 if number // 16 % 2 else -0.0625, 0.0625 if at % 10 == 0 else 0.0)
    world.step()


def fastest(times: list[float]) -> float:
    """Return the mean of the fastest tenth, which other programs on the machine disturbed least."""
    return statistics.mean(sorted(times)[: max(1, len(times) // 10)])


def drawing(count: int, frames: int) -> None:
    """Print the time of a picture by layers."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    from ecs_collision.debug import with_pygame

    pygame.display.init()
    surface, camera = pygame.display.set_mode(SIZE), Camera(size=SIZE)
    print(f"{count:,} bodies in sight, {SIZE[0]} x {SIZE[1]}; time of {frames} pictures, fastest tenth and median")
    for name, layers in LAYER_SETS.items():
        world, movers, size = field(count)
        camera.fit(0.0, 0.0, *size)
        times, models = [], []
        with DebugView(world, layers=layers) as view:
            for number in range(frames):
                frame(world, movers, number)
                surface.fill("#eef2f7")
                start = time.process_time()
                with_pygame.debug_draw(surface, view, camera)
                times.append(time.process_time() - start)
                start = time.process_time()
                view.shapes(*camera.rectangle)
                models.append(time.process_time() - start)
        fast, total, model = fastest(times), statistics.median(times), fastest(models)
        print(
            f"{name:25} {1000 * fast:6.2f} ms {1 / fast:5.0f} Hz   median {1000 * total:6.2f} ms {1 / total:5.0f} Hz   "
            f"of the fastest, shapes {1000 * model:6.2f} ms"
        )
    pygame.quit()


def without_a_view(count: int, rounds: int) -> None:
    """Print the cost of a frame in a world that had a view before against one that never had one."""

    def never() -> Callable[[int], None]:
        world, movers, _ = field(count)
        return lambda number: frame(world, movers, number)

    def before() -> Callable[[int], None]:
        world, movers, _ = field(count)
        with DebugView(world, layers=Layer) as view:
            frame(world, movers, 0)
            view.shapes(0.0, 0.0, 10.0, 10.0)
        return lambda number: frame(world, movers, number)

    runs = {"never had a view": never(), "had a view before": before()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(1, rounds + 1):
        for name, run in runs.items() if number % 2 else reversed(runs.items()):
            start = time.process_time()
            run(number)
            times[name].append(time.process_time() - start)
    print(f"a frame of {count:,} bodies without a view, processor time, fastest tenth of {rounds} frames, interleaved")
    found = {name: fastest(each) for name, each in times.items()}
    for name, seconds in found.items():
        print(f"{name:25} {1e6 * seconds:8.1f} us")
    first, second = found.values()
    print(f"difference {100 * (second / first - 1):+.2f} %")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run both measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--bodies", type=int, default=2000)
    parser.add_argument("--frames", type=int, default=200)
    options = parser.parse_args(arguments)
    drawing(options.bodies, options.frames)
    without_a_view(options.bodies, 20 * options.frames)


if __name__ == "__main__":
    main()
