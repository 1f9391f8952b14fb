"""All broad phases at once, each with its default or with awkward options, driven by a state machine.

Each operation is done in every structure and in brute force. After it every structure is checked, and every answer is
compared. `make soak` runs 100,000 operations; the seed is printed if one fails, and repeats the run:
`BROAD_PHASE_SEED=123 python -m pytest -m soak tests/broadphase/test_state_machine.py`.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from typing import Any

import hypothesis
import pytest
from boards import trials
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from twin_grids import (
    VARIANTS,
    Twins,
    add,
    change_plane,
    clear,
    move,
    remove,
    resize,
    sleep,
    switch,
    verify,
    wake,
)

from ecs_collision.broadphase.choices import CHOICES

SOAKED = 100_000
"""The operations of a soak."""

STEPS = 50
"""The most operations of one play: enough for a history, few enough to shrink."""

SHIFTS = (16, 16, 8, 13, 20)

OPTIONS = [
    [default, *(name for name, choice in VARIANTS.items() if type(choice) is CHOICES[default] and name != default)]
    for default in CHOICES
]
"""The variants of each broad phase, its default first."""

Random = st.randoms(use_true_random=False)
"""Random choices that are shrunk."""


def has_boxes(machine: BroadPhases) -> bool:
    return bool(machine.twins.runs)


class BroadPhases(RuleBasedStateMachine):
    """The operations of `twin_grids`, done in all broad phases."""

    operations = 0
    """The number of operations of all plays."""

    twins: Twins

    @initialize(names=st.tuples(*map(st.sampled_from, OPTIONS)), flat=st.booleans(), bin_shift=st.sampled_from(SHIFTS))
    def begin(self, names: tuple[str, ...], flat: bool, bin_shift: int) -> None:
        self.twins = Twins({name: VARIANTS[name] for name in names}, flat=flat, bin_shift=bin_shift)

    def do(self, action: Callable[[Twins, random.Random], None], rng: random.Random) -> None:
        action(self.twins, rng)
        BroadPhases.operations += 1
        verify(self.twins, random.Random(rng.getrandbits(32)))  # questions need not be shrunk

    @rule(rng=Random)
    def add(self, rng: random.Random) -> None:
        self.do(add, rng)

    @rule(rng=Random)
    def add_another(self, rng: random.Random) -> None:
        self.do(add, rng)

    @precondition(has_boxes)
    @rule(rng=Random)
    def resize(self, rng: random.Random) -> None:
        self.do(resize, rng)

    @precondition(has_boxes)
    @rule(rng=Random)
    def move(self, rng: random.Random) -> None:
        self.do(move, rng)

    @precondition(has_boxes)
    @rule(rng=Random)
    def remove(self, rng: random.Random) -> None:
        self.do(remove, rng)

    @precondition(has_boxes)
    @rule(rng=Random)
    def sleep(self, rng: random.Random) -> None:
        self.do(sleep, rng)

    @precondition(has_boxes)
    @rule(rng=Random)
    def wake(self, rng: random.Random) -> None:
        self.do(wake, rng)

    @precondition(has_boxes)
    @rule(rng=Random)
    def switch_static(self, rng: random.Random) -> None:
        self.do(switch, rng)

    @precondition(has_boxes)
    @rule(rng=Random, rare=st.integers(0, 9))
    def change_plane_or_clear(self, rng: random.Random, rare: int) -> None:
        self.do(clear if rare == 0 else change_plane if rare < 4 else move, rng)


def run(plays: int, seed: int) -> None:
    """Run plays of the state machine."""
    machine: Any = hypothesis.seed(seed)(BroadPhases)
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        machine,
        settings=settings(
            max_examples=plays, stateful_step_count=STEPS, deadline=None, database=None, suppress_health_check=slow,
            print_blob=True,
        ),
    )  # fmt: skip


def test_any_operations_leave_all_broad_phases_with_the_same_answers() -> None:
    BroadPhases.operations = 0
    run(max(2, trials(10)), seed=1)
    assert BroadPhases.operations > 50


@pytest.mark.soak
def test_100_000_operations_leave_all_broad_phases_with_the_same_answers() -> None:
    seed = int(os.environ.get("BROAD_PHASE_SEED", time.time_ns() % 10**9))
    BroadPhases.operations = 0
    while BroadPhases.operations < SOAKED:
        print(f"{BroadPhases.operations:,} operations; BROAD_PHASE_SEED={seed} continues from here", flush=True)
        run(100, seed)
        seed += 1
    print(f"{BroadPhases.operations:,} operations on {len(OPTIONS)} broad phases")
