"""Events in words and names, which of them are meant by what a test writes down, and `assert_events`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any, TypeVar

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.events import Blocked, Event, LeftReason, Moved, Pushed, StopReason, TriggerLeft
from ecs_collision.game.game import Game
from ecs_collision.game.named_events import FIELDS, NamedEvent
from ecs_collision.game.turn import Turn
from ecs_collision.systems import CollisionSystem
from ecs_collision.testing.messages import hidden
from ecs_collision.testing.naming import Called, called_in
from ecs_collision.world import CollisionWorld, Frame

__tracebackhide__ = hidden

ENTITIES = frozenset(("entity", "by", "blocker", "trigger", "other"))
"""The fields of events that hold an entity."""


def events_in(seen: object) -> list[Event]:
    """Return the events of a system, world or game (of its last frame), of a board, turn, frame or recorder, or a list.

    Those of a board are of its last `process`, `turn` or `play`. Raises CollisionTypeError for what has none.
    """
    given: Any = seen
    if isinstance(seen, Game):
        given = seen.world.events
    elif isinstance(seen, CollisionSystem | CollisionWorld | Turn | Frame) or hasattr(seen, "events"):
        given = given.events
    if isinstance(given, Iterable):
        events = [event.event if isinstance(event, NamedEvent) else event for event in given]
        if all(isinstance(event, Event) for event in events):
            return events
    raise CollisionTypeError(
        f"{seen!r} has no events; give a CollisionSystem, a board, a game, a turn, a recorder or a list of events"
    )


def sentence(event: Event, called: Called) -> str:
    """Return what happened in a few words, as `NamedEvent` tells it: "crate entered plate"."""
    first, second, words = FIELDS[type(event)]
    told = {first: called.call(getattr(event, first))}
    if second is not None:
        other = getattr(event, second)
        told[second] = "the bounds" if other is None else called.call(other)
    return words.format(**told)


def event_text(event: Event, called: Called) -> str:
    """Return all there is to an event: "player pushed crate x +1"."""
    text = sentence(event, called)
    if isinstance(event, Moved | Pushed):
        return f"{text} {by_axis(event.displacement)}"
    if isinstance(event, Blocked) and event.reason is StopReason.ALL_OR_NOTHING:
        return f"{called.call(event.entity)} stopped on {event.axis}: {event.reason.value}"
    if isinstance(event, Blocked):
        return f"{text} on {event.axis}: {event.reason.value}"
    return f"{text}: {event.reason.value}" if isinstance(event, TriggerLeft) else text


def by_axis(displacement: Sequence[float]) -> str:
    """Return a displacement by its axes: "x +1, y -0.5"; "nowhere" for none."""
    parts = [f"{axis} {value:+.6g}" for axis, value in zip("xyz", displacement, strict=False) if value]
    return ", ".join(parts) or "nowhere"


def displacement(value: object, what: str) -> tuple[float, float, float]:
    """Return a displacement of two or three numbers as three."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise CollisionTypeError(f"{what} is {value!r}; give a displacement such as (1, 0)")
    numbers = tuple(value)
    if len(numbers) not in (2, 3) or not all(isinstance(number, int | float) for number in numbers):
        raise CollisionTypeError(f"{what} is {value!r}; give a displacement of 2 or 3 numbers, such as (1, 0)")
    x, y, z = (*numbers, 0.0)[:3]
    return float(x), float(y), float(z)


Why = TypeVar("Why", StopReason, LeftReason)


def reason_of(given: Why | str | None, kind: type[Why]) -> Why | None:
    """Return a reason given itself or by its name, such as "force"; raises CollisionValueError for any other."""
    if given is None or isinstance(given, kind):
        return given
    name = str(getattr(given, "name", given)).upper().replace(" ", "_")
    if name not in kind.__members__:
        raise CollisionValueError(f"reason is {given!r}; give one of {', '.join(kind.__members__)}")
    return kind[name]


def fields_of(kind: type[Event]) -> tuple[str, ...]:
    """Return the fields of a kind of event, the number of its frame left out."""
    return tuple(field.name for field in fields(kind) if field.name != "frame")


_MORE = r"( nowhere|( on [xyz])?: .+| [xyz] [+-]\S+(, [xyz] [+-]\S+)*)?"
"""What `event_text` may say behind the words of an event."""

_WORDS = [words for _, _, words in FIELDS.values()] + ["{entity} stopped on x", "{entity} stopped on y",
                                                       "{entity} stopped on z"]  # fmt: skip


def _judge_words(text: str, called: Called) -> None:
    """Raise unless a text is what an event of things that are known could be told in."""
    matches = (re.fullmatch(re.sub(r"{(\w+)}", r"(?P<\1>.+?)", words) + _MORE, text) for words in _WORDS)
    match = next(filter(None, matches), None)
    if match is None:
        told = ", ".join(f"'{words}'" for _, _, words in FIELDS.values())
        raise CollisionValueError(f"{text!r} is what no event is told in; they are told as {told}")
    for name in match.groupdict().values():
        if name == "the bounds" or re.fullmatch(r"entity \d+", name):
            continue
        names = [called.call(id) for id in called.find(name)]
        if name not in names:
            raise CollisionValueError(
                f"{text!r} has {name!r}, which is the name of nobody but means {', '.join(names)}: give a name, or an "
                "event as a tuple, such as (TriggerEntered, plate, crate)"
            )


class Pattern:
    """What a test says of an event: its words, its kind, its kind and fields, or the very event.

    "crate entered plate", `TriggerEntered`, `(TriggerEntered, plate)` or `TriggerEntered(3, plate, crate)`. The fields
    of a tuple are those of the event without its frame, entities by name or number; `...` is anything, as is what is
    left out at the end.
    """

    def __init__(self, given: object, called: Called) -> None:
        self._called = called
        self.given = given.event if isinstance(given, NamedEvent) else given
        self._kind, self._fields = self._parts(self.given)

    def _parts(self, given: object) -> tuple[type[Event] | None, tuple[Any, ...]]:
        if isinstance(given, str | Event):
            return None, ()
        kind, *values = given if isinstance(given, tuple) and given else (given,)
        if not (isinstance(kind, type) and kind in FIELDS):
            raise CollisionTypeError(
                f"{given!r} is expected, which is no event; give words such as 'crate entered plate', a kind such as "
                "TriggerEntered, a tuple such as (TriggerEntered, plate, crate), or an event"
            )
        names = fields_of(kind)
        if len(values) > len(names):
            raise CollisionTypeError(f"{given!r} is expected, but {kind.__name__} has only {', '.join(names)}")
        return kind, tuple(self._value(kind, name, value) for name, value in zip(names, values, strict=False))

    def _value(self, kind: type[Event], name: str, value: Any) -> Any:
        if value is ... or (value is None and name not in ENTITIES):
            return value
        if value is None and name == "blocker":
            return frozenset([None])
        if name in ENTITIES:
            return frozenset(self._called.all(value, f"{name} of {kind.__name__}"))
        if name == "displacement":
            return displacement(value, f"displacement of {kind.__name__}")
        if name != "reason":
            return value
        return reason_of(value, LeftReason) if kind is TriggerLeft else reason_of(value, StopReason)

    def asked(self) -> Pattern:
        """Return it where something could be meant by it; words that no event is told in are refused.

        In a list of expected events such words are missing, and so told; as a question they would answer "never".
        """
        if isinstance(self.given, str):
            _judge_words(self.given, self._called)
        return self

    def fits(self, event: Event) -> bool:
        """Return whether an event is one that is meant."""
        if isinstance(self.given, str):
            return self.given in (event_text(event, self._called), sentence(event, self._called))
        if self._kind is None:
            return bool(self.given == event)
        return type(event) is self._kind and all(
            wanted is ... or (getattr(event, name) in wanted if name in ENTITIES else getattr(event, name) == wanted)
            for name, wanted in zip(fields_of(self._kind), self._fields, strict=False)
        )

    def __str__(self) -> str:
        if isinstance(self.given, str):
            return self.given
        if isinstance(self.given, Event):
            return f"{event_text(self.given, self._called)} (in frame {self.given.frame})"
        assert self._kind is not None
        if not self._fields:
            return self._kind.__name__
        given = self.given[1:] if isinstance(self.given, tuple) else ()
        parts = [
            f"{name}={self._shown(name, value)}" for name, value in zip(fields_of(self._kind), given, strict=False)
        ]
        return f"{self._kind.__name__}({', '.join(parts)})"

    def _shown(self, name: str, value: Any) -> str:
        if value is ...:
            return "..."
        return self._called.call(value) if name in ENTITIES and isinstance(value, int) else str(value)


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
        lines.append(f"  {' ' if i in met else '+'} {event_text(event, called)}")
    lines += [f"  - {patterns[j]}" for j in missing]
    frames = [event.frame for event in events]
    if any(a != b for a, b in pairwise(frames)):
        numbers = iter(frames)
        width = len(str(max(frames)))
        blank = " " * (width + 7)
        lines = [f"  {blank if line[2] == '-' else f'frame {next(numbers):>{width}} '}{line[2:]}" for line in lines]
    return lines or ["  nothing happened"]
