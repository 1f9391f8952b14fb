"""Test all listed faults, one at a time: `python -m tests.mutants [--jobs N] [--only NAME ...]`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.mutants.run import Verdict, arguments, check, run
from tests.mutants.table import Mutant, listed


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if every fault is detected by each of its tests, and these pass without the faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of parallel processes")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only faults whose name contains one of these")
    options = parser.parse_args(arguments)
    mutants = [each for each in listed() if not options.only or any(name in each.name for name in options.only)]
    if not mutants:
        print(f"no fault has a name that contains any of {options.only}", file=sys.stderr)
        return 2
    began = time.perf_counter()
    if not _pass_without(mutants):
        return 1
    with ThreadPoolExecutor(options.jobs) as pool:
        verdicts = [_reported(verdict) for verdict in pool.map(check, mutants)]
    caught = sum(not verdict.fault for verdict in verdicts)
    print(f"{caught} of {len(mutants)} mutants caught in {time.perf_counter() - began:.0f} s")
    return 0 if caught == len(mutants) else 1


def _pass_without(mutants: Sequence[Mutant]) -> bool:
    """Return whether the named tests pass on the unchanged source."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    ran = run("pytest", *arguments(tests))
    if ran.returncode:
        print(f"the tests fail without any fault:\n{ran.stdout}", file=sys.stderr)
    return ran.returncode == 0


def _reported(verdict: Verdict) -> Verdict:
    mutant = verdict.mutant
    outcome = f"SURVIVES: {verdict.fault}" if verdict.fault else "caught"
    print(f"{mutant.rule:4} {mutant.name:32} {verdict.seconds:5.1f} s  {outcome}", flush=True)
    return verdict


if __name__ == "__main__":
    raise SystemExit(main())
