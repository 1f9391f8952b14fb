"""`python -m tests.soak --operations N --seed S`: play at random beside the model of the rules."""

from __future__ import annotations

import argparse
import sys
import time
import warnings

from ecs_collision import LatticeWarning, SetupWarning

from .soaking import LENGTH, soak, soak_in_parallel


def main(arguments: list[str]) -> int:
    """Return 0 if engine and model agreed."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", LatticeWarning)
    warnings.filterwarnings("ignore", ".*rotation", SetupWarning)  # beside a box: it does not turn
    start = time.perf_counter()
    if options.jobs == 1:
        soaked = soak(range(options.seed, options.seed - (-options.operations // LENGTH)))
    else:
        soaked = soak_in_parallel(options.seed, options.operations, options.jobs)
    spent = time.perf_counter() - start
    rate = soaked.operations / spent
    print(f"{soaked.operations:,} operations in {spent:.0f} s, {rate:,.0f} per second; {soaked.idle:,} had no effect")
    if soaked.failure:
        print(soaked.failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
