"""Making a failing play small: fewer operations first (delta debugging), then simpler arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .game import DEEDS, Operation, Play

Fails = Callable[[Play], bool]

MOST_TRIALS = 3000


class Shrinker:
    """Keeps the smallest play that still fails; `fails` tells whether one fails in the same way."""

    def __init__(self, play: Play, fails: Fails, trials: int = MOST_TRIALS) -> None:
        self.play, self.fails, self.left = play, fails, trials

    def shrink(self) -> Play:
        """Return a play of which nothing more can be left out or made simpler, as far as the trials reach."""
        before = None
        while self.play != before and self.left > 0:
            before = self.play
            self._drop_operations()
            self._unwrap_operations()
            self._simplify_settings()
            self._simplify_operations()
        return self.play

    def _try(self, play: Play) -> bool:
        """Take over a play if it fails too."""
        if play == self.play or self.left <= 0:
            return False
        self.left -= 1
        try:
            fails = self.fails(play)
        except Exception:  # arguments that no generator draws
            return False
        self.play = play if fails else self.play
        return fails

    def _with(self, operations: tuple[Operation, ...]) -> Play:
        return self.play._replace(operations=operations)

    def _drop_operations(self) -> None:
        """Drop chunks of operations, halving their size; from the end, for what comes late needs what came before."""
        size = max(1, len(self.play.operations) // 2)
        while size:
            at = len(self.play.operations) - size
            while at > -size:
                todo = self.play.operations
                before, behind = todo[: max(0, at)], todo[max(0, at) + size :]
                if not self._try(self._with(before + behind)) and size == 1:
                    self._try(self._with(before + tuple(map(for_one_less, behind))))
                at -= size
            size //= 2

    def _unwrap_operations(self) -> None:
        """Replace an operation by one that is done within it: between two others, or in the middle of a frame."""
        for number, operation in enumerate(self.play.operations):
            any(self._try(self._with(self._replaced(number, inner))) for inner in inner_operations(operation[1:]))

    def _simplify_settings(self) -> None:
        self._try(self.play._replace(hearing=""))
        for number in range(2):
            while any(self._try(play) for play in self._with_simpler_settings(number)):
                pass

    def _with_simpler_settings(self, number: int) -> Iterator[Play]:
        for simpler in simpler_values(self.play.settings[number]):
            settings = list(self.play.settings)
            settings[number] = simpler
            yield self.play._replace(settings=(settings[0], settings[1]))

    def _simplify_operations(self) -> None:
        for number in range(len(self.play.operations)):
            more = True
            while more and self.left > 0:
                operation = self.play.operations[number]
                more = any(
                    self._try(self._with(self._replaced(number, (operation[0], *values))))
                    for values in simpler_values(operation[1:])
                    if len(values) == len(operation) - 1
                )

    def _replaced(self, number: int, operation: Operation) -> tuple[Operation, ...]:
        todo = self.play.operations
        return (*todo[:number], operation, *todo[number + 1 :])


def for_one_less(value: Any) -> Any:
    """Return an operation as it is where one entity less is alive: who comes behind it has a smaller number."""
    if isinstance(value, tuple):
        return tuple(map(for_one_less, value))
    return value - 1 if type(value) is int and value > 0 else value


def inner_operations(value: Any) -> Iterator[Operation]:
    """Yield the operations in the arguments of one."""
    if isinstance(value, tuple):
        if value and isinstance(value[0], str) and value[0] in DEEDS:
            yield value
        for one in value:
            yield from inner_operations(one)


def simpler_values(value: Any) -> Iterator[Any]:
    """Yield values simpler than a value, the simplest first."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        if value is True:
            yield False
    elif isinstance(value, int | float):
        yield from _simpler_numbers(value)
    elif isinstance(value, dict):
        for name in value:
            yield {other: kept for other, kept in value.items() if other != name}
        for name, one in value.items():
            for simpler in simpler_values(one):
                yield value | {name: simpler}
    elif isinstance(value, tuple):
        for at in range(len(value)):
            yield value[:at] + value[at + 1 :]
        for at, one in enumerate(value):
            for simpler in simpler_values(one):
                yield (*value[:at], simpler, *value[at + 1 :])


def _simpler_numbers(value: float) -> Iterator[float]:
    """Yield numbers of fewer digits, then smaller ones."""
    kind = type(value)
    if value != value or value in (0, float("inf"), float("-inf")):
        return
    toward_zero = value - 1 if value > 0 else value + 1
    numbers = range(2, min(value, 13)) if isinstance(value, int) else ()  # of somebody alive
    candidates = [0, 1, *numbers, 0.5, round(value), round(2 * value) / 2, int(value / 2), toward_zero]
    for candidate in candidates:
        simpler = kind(candidate)
        if simpler == candidate and _size(simpler) < _size(value):
            yield simpler


def _size(value: float) -> tuple[int, float]:
    """Return how hard a number is to read."""
    whole = 0 if value == int(value) else 1 if 2 * value == int(2 * value) else 2
    return (whole, abs(value)) if value >= 0 else (whole, abs(value) + 0.25)
