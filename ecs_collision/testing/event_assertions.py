"""`assert_events`: the events that happened against those that were expected, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ecs_collision.errors import CollisionTypeError
from ecs_collision.events import Event
from ecs_collision.testing.event_text import Pattern, events_in, told
from ecs_collision.testing.naming import Called, called_in
from ecs_collision.testing.traceback import hidden

__tracebackhide__ = hidden

Kinds = type[Event] | Iterable[type[Event]] | None


def assert_events(seen: object, expected: Iterable[object], *, only: Kinds = None, ordered: bool = True) -> None:
    """Assert that these events happened, no others, and in this order.

    seen: a system or game (of its last frame), a board (of its last `process`, `turn` or `play`, all frames of it),
    a turn, a recorder, or a list of events. expected: for each event its words ("crate entered plate"), its kind
    (`TriggerEntered`), its kind and fields (`(TriggerEntered, plate, ...)`, entities by name or number), or the very
    event. only: the kinds that are looked at. ordered: whether order matters.
    """
    called = called_in(seen)
    if isinstance(expected, str) or not isinstance(expected, Iterable):
        raise CollisionTypeError(f"expected is {expected!r}; give a list of events, such as ['crate entered plate']")
    patterns = [Pattern(each, called) for each in expected]
    kinds = _kinds(only)
    events = [event for event in events_in(seen) if kinds is None or type(event) in kinds]
    pairs = _in_order(events, patterns) if ordered else _in_any_order(events, patterns)
    if len(pairs) == len(events) == len(patterns):
        return
    missing, surplus = len(patterns) - len(pairs), len(events) - len(pairs)
    head = f"the events are not those expected: {missing} missing (-), {surplus} not expected (+)"
    if ordered and len(events) == len(patterns) == len(_in_any_order(events, patterns)):
        head = "the events are those expected, but in another order"
    raise AssertionError("\n".join([head, *_lines(events, patterns, pairs, called)]))


def _kinds(only: Kinds) -> frozenset[type[Event]] | None:
    if only is None:
        return None
    kinds = frozenset([only]) if isinstance(only, type) else frozenset(only)
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, Event)):
            raise CollisionTypeError(f"only has {kind!r}; give kinds of events, such as TriggerEntered")
    return kinds


def _in_order(events: Sequence[Event], patterns: Sequence[Pattern]) -> list[tuple[int, int]]:
    """Return the most pairs of an event and what means it, both in their order: a longest common subsequence."""
    best = [[0] * (len(patterns) + 1) for _ in range(len(events) + 1)]
    fits = [[pattern.fits(event) for pattern in patterns] for event in events]
    for i in reversed(range(len(events))):
        for j in reversed(range(len(patterns))):
            best[i][j] = best[i + 1][j + 1] + 1 if fits[i][j] else max(best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(events) and j < len(patterns):
        if fits[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _in_any_order(events: Sequence[Event], patterns: Sequence[Pattern]) -> list[tuple[int, int]]:
    """Return the most pairs of an event and what means it: a matching, found by augmenting paths (Kuhn)."""
    owner: dict[int, int] = {}

    def place(j: int, tried: set[int]) -> bool:
        for i, event in enumerate(events):
            if i not in tried and patterns[j].fits(event):
                tried.add(i)
                if i not in owner or place(owner[i], tried):
                    owner[i] = j
                    return True
        return False

    for j in range(len(patterns)):
        place(j, set())
    return sorted(owner.items())


def _lines(
    events: Sequence[Event], patterns: Sequence[Pattern], pairs: Sequence[tuple[int, int]], called: Called
) -> list[str]:
    """Return a line for each event and each that is missing, in the order in which they happened."""
    missing = sorted({*range(len(patterns))} - {j for _, j in pairs})
    met = dict(pairs)
    lines: list[str] = []
    for i, event in enumerate(events):
        if i in met:
            lines += [f"  - {patterns[j]}" for j in missing if j < met[i]]
            missing = [j for j in missing if j > met[i]]
        lines.append(f"  {' ' if i in met else '+'} {told(event, called)}")
    lines += [f"  - {patterns[j]}" for j in missing]
    frames = [event.frame for event in events]
    if any(a != b for a, b in pairwise(frames)):
        numbers = iter(frames)
        width = len(str(max(frames)))
        blank = " " * (width + 7)
        lines = [f"  {blank if line[2] == '-' else f'frame {next(numbers):>{width}} '}{line[2:]}" for line in lines]
    return lines or ["  nothing happened"]
