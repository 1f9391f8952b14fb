"""`FixedStep`: turns the seconds that frames take into whole steps (rule M2)."""

from __future__ import annotations

from ecs_collision.errors import CollisionValueError, explained
from ecs_collision.fixed_point import finite, number, whole
from ecs_collision.movement.arguments import MAX_RATE

_PARTS = 2**60
"""Time is counted in this many parts of a second, as whole numbers. So sums of times are exact in any order."""

_ALMOST = 2**20
"""A step counts as complete if at most this part of it is missing, because 1 / 60 is no exact number."""


class FixedStep:
    """Turns the seconds that frames take into whole steps of 1 / rate seconds.

        clock = FixedStep(60)
        for _ in clock.steps(seconds_since_the_last_frame):
            esper.process()
        draw(clock.alpha)

    most: how many steps a call may ask for; what is beyond is dropped, so that a slow computer slows the game down
    instead of falling behind more and more.
    """

    __slots__ = ("_denominator", "_left", "_most", "_numerator", "_rate")

    @explained("FixedStep(60), with the number of steps in a second")
    def __init__(self, rate: float = 60, most: int = 8) -> None:
        self._rate = finite(rate, "rate of FixedStep", minimum=1.0, maximum=MAX_RATE)
        self._most = whole(most, "most of FixedStep", minimum=1)
        self._numerator, self._denominator = self._rate.as_integer_ratio()
        self._denominator *= _PARTS
        self._left = 0

    def steps(self, seconds: float) -> range:
        """Add the time of a frame and return the steps to run now: `for _ in clock.steps(seconds)`, at most `most`.

        What is left of a step is kept for the next call. The number of steps depends on the sum of all times alone.
        """
        passed = number(seconds, "seconds of steps()")
        if not 0.0 <= passed <= _LONGEST:
            raise CollisionValueError(
                f"seconds of steps() is {passed!r}, but a frame takes from 0 to {_LONGEST:.0f} seconds; measure it "
                "with a clock that never goes back, such as time.perf_counter()"
            )
        self._left += int(passed * _PARTS) * self._numerator
        count = (self._left + self._denominator // _ALMOST) // self._denominator
        if count > self._most:
            self._left -= (count - self._most) * self._denominator
            count = self._most
        self._left -= count * self._denominator
        return range(count)

    @property
    def alpha(self) -> float:
        """The part of a step that is left over, from 0 up to 1, for `interpolated`."""
        return min(max(self._left / self._denominator, 0.0), _BELOW_ONE)

    @property
    def dt(self) -> float:
        """The seconds of a step."""
        return 1.0 / self._rate

    @property
    def rate(self) -> float:
        """The number of steps in a second."""
        return self._rate

    @property
    def most(self) -> int:
        """How many steps a call may ask for."""
        return self._most

    def reset(self) -> None:
        """Forget the time that is left over, for example after a pause or when a level begins."""
        self._left = 0

    def __repr__(self) -> str:
        return f"FixedStep(rate={self._rate:g}, most={self._most}, alpha={self.alpha:.3f})"


_LONGEST = 2.0**32
_BELOW_ONE = 1.0 - 2.0**-53
