"""`python -m tests.soak --operations N --seed S`: play, and end with what every rule came to."""

from __future__ import annotations

import argparse
import sys
import time
import warnings

from ecs_collision import LatticeWarning

from .rules import never_met, table
from .soaking import soak_in_parallel


def main(arguments: list[str]) -> int:
    """Return 0 if the engine was what the model says and every outcome of every rule was met."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(arguments)
    warnings.simplefilter("ignore", LatticeWarning)
    begun = time.perf_counter()
    soaked = soak_in_parallel(asked.seed, asked.operations, asked.jobs)
    spent = time.perf_counter() - begun
    rate = soaked.operations / spent
    print(f"{soaked.operations:,} operations in {spent:.0f} s, {rate:,.0f} a second; {soaked.idle:,} had nothing to do")
    if soaked.failure:
        print(soaked.failure)
        return 1
    print(table(soaked.hits))
    missing = never_met(soaked.hits)
    for rule, outcome in missing:
        print(f"never met: {rule} {outcome}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
