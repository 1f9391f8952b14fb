"""Put every listed fault in, one at a time: `python -m tests.mutants [--jobs N] [--only NAME ...]`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.mutants.run import Verdict, arguments, judge, run
from tests.mutants.table import Mutant, listed


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 where every fault is noticed by each test named for it, and the tests pass without the faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes at once")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these faults alone, by name or part of it")
    asked = parser.parse_args(arguments)
    mutants = [each for each in listed() if not asked.only or any(name in each.name for name in asked.only)]
    if not mutants:
        print(f"no fault has a name with any of {asked.only} in it", file=sys.stderr)
        return 2
    began = time.perf_counter()
    if not _pass_without(mutants):
        return 1
    with ThreadPoolExecutor(asked.jobs) as pool:
        verdicts = [_shown(verdict) for verdict in pool.map(judge, mutants)]
    caught = sum(not verdict.fault for verdict in verdicts)
    print(f"{caught} of {len(mutants)} mutants caught in {time.perf_counter() - began:.0f} s")
    return 0 if caught == len(mutants) else 1


def _pass_without(mutants: Sequence[Mutant]) -> bool:
    """Return whether the tests named pass on the source as it is."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    ran = run("pytest", *arguments(tests))
    if ran.returncode:
        print(f"the tests that are to notice the faults do not pass without them:\n{ran.stdout}", file=sys.stderr)
    return ran.returncode == 0


def _shown(verdict: Verdict) -> Verdict:
    mutant = verdict.mutant
    told = f"SURVIVES: {verdict.fault}" if verdict.fault else "caught"
    print(f"{mutant.rule:4} {mutant.name:32} {verdict.seconds:5.1f} s  {told}", flush=True)
    return verdict


if __name__ == "__main__":
    raise SystemExit(main())
