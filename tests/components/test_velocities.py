"""Velocity: its numbers are multiples of 2**-48 (rule I3)."""

from __future__ import annotations

import pytest

from ecs_collision import Velocity

STEP = 2.0**-48


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(0.4 * STEP, 0.0, id="less than half"),
        pytest.param(0.6 * STEP, STEP, id="more than half"),
        pytest.param(0.5 * STEP, 0.0, id="half of one step goes to the even one"),
        pytest.param(1.5 * STEP, 2 * STEP, id="half of two steps goes to the even one"),
        pytest.param(9.0 + 0.5 * STEP, 9.0, id="half at a large speed"),
        pytest.param(16.0 + 16 * STEP, 16.0 + 16 * STEP, id="a multiple already"),
    ],
)
def test_a_velocity_is_rounded_alike_in_both_directions(given: float, expected: float) -> None:
    """Otherwise a mirrored world would not stay the mirrored one."""
    forward, backward = Velocity(given, angular=given), Velocity(-given, angular=-given)

    assert (expected, expected) == (forward.x, forward.angular)
    assert (-expected, -expected) == (backward.x, backward.angular)
    assert (0.0, expected, -expected) == Velocity(0, angular=(0, given, -given)).angular
