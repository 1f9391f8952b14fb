"""`FixedStep` turns frame times into whole steps, the same number for any split of the same time (rule M2)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision import CollisionTypeError, CollisionValueError, FixedStep

TIMES = st.integers(0, 2**30).map(lambda parts: parts / 2**33)
"""Times from 0 to an eighth of a second, whose sums are exact."""


@given(st.lists(TIMES, max_size=40), st.sampled_from([1, 30, 59.94, 60, 144]))
def test_the_steps_follow_from_the_sum_of_the_times_M2(times: list[float], rate: float):
    clock, at_once = FixedStep(rate, most=10**9), FixedStep(rate, most=10**9)
    count = sum(len(clock.steps(each)) for each in times)
    assert count == len(at_once.steps(sum(times)))
    assert clock.alpha == at_once.alpha
    exact = Fraction(sum(times)) * Fraction(rate)
    assert 0 <= exact - count + Fraction(1, 2**20) < 1
    assert clock.alpha == pytest.approx(float(exact - count), abs=2.0**-19)


@pytest.mark.parametrize("frames", [24, 30, 60, 75, 120, 144, 165, 240, 1000])
def test_every_frame_rate_makes_sixty_steps_in_each_second_M2(frames: int):
    clock = FixedStep(60, most=60)
    for _ in range(20):
        assert sum(len(clock.steps(1 / frames)) for _ in range(frames)) == 60


def test_an_hour_of_frames_loses_no_step_M2():
    clock = FixedStep(60)
    assert sum(len(clock.steps(1 / 144)) for _ in range(144 * 3600)) == 60 * 3600
    assert clock.alpha < 1e-6


def test_a_call_asks_for_at_most_so_many_steps_and_drops_the_rest_M2():
    clock = FixedStep(4, most=3)
    assert list(clock.steps(10.1875)) == [0, 1, 2]
    assert clock.alpha == 0.75
    assert len(clock.steps(0.0)) == 0
    assert len(clock.steps(0.0625)) == 1
    assert clock.alpha == 0.0


def test_what_is_left_over_is_the_part_of_a_step_for_drawing_M2():
    clock = FixedStep(4)
    assert (clock.rate, clock.most, clock.dt) == (4, 8, 0.25)
    assert len(clock.steps(0.1875)) == 0
    assert clock.alpha == 0.75
    assert repr(clock) == "FixedStep(rate=4, most=8, alpha=0.750)"
    clock.reset()
    assert clock.alpha == 0.0
    clock.steps(0.25 - 2.0**-60)  # almost a step counts as one, and is paid back
    assert clock.alpha == 0.0


@pytest.mark.parametrize(
    ("seconds", "message"),
    [
        (-0.25, r"seconds of steps\(\) is -0.25, but a frame takes from 0 to .* time.perf_counter"),
        (float("inf"), r"seconds of steps\(\) is inf"),
        (float("nan"), r"seconds of steps\(\) is nan; give a finite number"),
    ],
)
def test_times_that_no_frame_takes_are_refused_and_change_nothing_L3(seconds: float, message: str):
    clock = FixedStep(60)
    with pytest.raises(CollisionValueError, match=message):
        clock.steps(seconds)
    assert clock.alpha == 0.0


def test_arguments_are_refused_by_name_L3():
    with pytest.raises(CollisionValueError, match=r"rate of FixedStep is 0.0, but it must be at least 1"):
        FixedStep(0)
    with pytest.raises(CollisionValueError, match=r"most of FixedStep is 0, but it must be at least 1"):
        FixedStep(60, most=0)
    with pytest.raises(CollisionTypeError, match=r"FixedStep\(60\), with the number of steps in a second"):
        FixedStep(60, 8, 9)  # type: ignore[call-arg]
