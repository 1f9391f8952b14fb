"""Text forms of events, patterns that match events, and `assert_events`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.events import (
    Blocked,
    ContactBegan,
    ContactEnded,
    Event,
    Impact,
    LeftReason,
    Moved,
    Pushed,
    StopReason,
    TriggerLeft,
)
from ecs_collision.fixed_point import items_of
from ecs_collision.game.game import Game
from ecs_collision.game.named_events import ENTITY_FIELDS, FIELDS, NamedEvent, others_of, sentence
from ecs_collision.game.turn import Turn
from ecs_collision.testing.messages import hide_traceback
from ecs_collision.testing.naming import EntityNames, names_in
from ecs_collision.world import Frame

__tracebackhide__ = hide_traceback

if TYPE_CHECKING:
    from ecs_collision.debug.instrument import Watched
    from ecs_collision.testing.recorder import Recorder

EventSource: TypeAlias = "Watched | Turn | Frame | Recorder | Iterable[Event | NamedEvent]"
"""What has events: a board those of its last call, everything else those of its last frame or turn."""

Expected: TypeAlias = "str | type[Event] | tuple[object, ...] | Event | NamedEvent"
"""A description of events; see `Pattern`."""


def events_in(source: object) -> list[Event]:
    """Return the events of a system, world or game (of its last frame), of a board, turn, frame or recorder, or a list.

    The events of a board are those of its last `process`, `turn` or `play`. Raises CollisionTypeError for other
    objects.
    """
    given: Any = source.world.events if isinstance(source, Game) else getattr(source, "events", source)
    if isinstance(given, Iterable):
        events = [event.event if isinstance(event, NamedEvent) else event for event in given]
        if all(isinstance(event, Event) for event in events):
            return events
    raise CollisionTypeError(
        f"{source!r} has no events; give a CollisionSystem, a board, a game, a turn, a recorder or a list of events"
    )


def event_text(event: Event, names: EntityNames) -> str:
    """Return the sentence of an event with all details: "player pushed crate x +1".

    Those of a contact are its normal: "player came into contact with floor y +1". Those of an impact are its normal and
    its speed: "ball hit brick y -1 at 4.5".
    """
    text = sentence(event, names.name_of)
    if isinstance(event, Moved | Pushed):
        return f"{text} {displacement_text(event.displacement)}"
    if isinstance(event, ContactBegan):
        return f"{text} {displacement_text(event.normal)}"
    if isinstance(event, Impact):
        return f"{text} {displacement_text(event.normal)} at {event.speed:.6g}"
    if isinstance(event, Blocked):
        is_stopped = event.reason is StopReason.ALL_OR_NOTHING  # it has no blocker
        text = f"{names.name_of(event.entity)} stopped" if is_stopped else text
        return f"{text} on {event.axis}: {event.reason.value}"
    return f"{text}: {event.reason.value}" if isinstance(event, TriggerLeft | ContactEnded) else text


def texts(event: Event, names: EntityNames) -> Iterator[str]:
    """Yield the texts that a test may write for an event: with and without details, and by any of its blockers."""
    by_each: list[Event] = [event]
    if isinstance(event, Blocked) and event.blockers:
        by_each = [replace(event, blocker=blocker) for blocker in event.blockers]
    for each in by_each:
        yield event_text(each, names)
        yield sentence(each, names.name_of)


def entities_in(event: Event, field: str) -> tuple[int | None, ...]:
    """Return the entities in a field of an event; `blocker` stands for every blocker."""
    return others_of(event) if field == "blocker" else (getattr(event, field),)


def displacement_text(displacement: Sequence[float]) -> str:
    """Return a displacement by its axes: "x +1, y -0.5"; "nowhere" for zero."""
    parts = [f"{axis} {value:+.6g}" for axis, value in zip("xyz", displacement, strict=False) if value]
    return ", ".join(parts) or "nowhere"


def displacement(value: object, what: str) -> tuple[float, float, float]:
    """Return a displacement of two or three numbers as three floats."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise CollisionTypeError(f"{what} is {value!r}; give a displacement such as (1, 0)")
    numbers = tuple(value)
    if len(numbers) not in (2, 3) or not all(isinstance(number, int | float) for number in numbers):
        raise CollisionTypeError(f"{what} is {value!r}; give a displacement of 2 or 3 numbers, such as (1, 0)")
    x, y, z = (*numbers, 0.0)[:3]
    return float(x), float(y), float(z)


ReasonT = TypeVar("ReasonT", StopReason, LeftReason)


def reason_of(given: ReasonT | str | None, kind: type[ReasonT]) -> ReasonT | None:
    """Return a reason given as itself or by name, such as "force"; raises CollisionValueError for an unknown one."""
    if given is None or isinstance(given, kind):
        return given
    name = str(getattr(given, "name", given)).upper().replace(" ", "_")
    if name not in kind.__members__:
        raise CollisionValueError(f"reason is {given!r}; give one of {', '.join(kind.__members__)}")
    return kind[name]


def fields_of(kind: type[Event]) -> tuple[str, ...]:
    """Return the field names of an event class, except its frame."""
    return tuple(field.name for field in fields(kind) if field.name != "frame")


_DETAILS = r"( nowhere|( on [xyz])?: .+| [xyz] [+-]\S+(, [xyz] [+-]\S+)*( at \S+)?)?"
"""What `event_text` can add to the sentence of an event."""

_TEMPLATES = [words for _, _, words in FIELDS.values()] + ["{entity} stopped on x", "{entity} stopped on y",
                                                       "{entity} stopped on z"]  # fmt: skip


def _check_words(text: str, names: EntityNames) -> None:
    """Raise unless a text has the form of an event and names known things."""
    matches = (re.fullmatch(re.sub(r"{(\w+)}", r"(?P<\1>.+?)", words) + _DETAILS, text) for words in _TEMPLATES)
    match = next(filter(None, matches), None)
    if match is None:
        templates = ", ".join(f"'{words}'" for _, _, words in FIELDS.values())
        raise CollisionValueError(f"{text!r} has the form of no event; the forms are {templates}")
    for name in match.groupdict().values():
        if name == "the bounds" or re.fullmatch(r"entity \d+", name):
            continue
        found = [names.name_of(id) for id in names.find(name)]
        if name not in found:
            raise CollisionValueError(
                f"{text!r} has {name!r}, which matches {', '.join(found)} but is no name: give a name, or a tuple "
                "such as (TriggerEntered, plate, crate)"
            )


def _has(event: Event, field: str, wanted: Any) -> bool:
    """Return whether a field of an event has a value, or one of these entities."""
    if wanted is ...:
        return True
    if field in ENTITY_FIELDS:
        return not wanted.isdisjoint(entities_in(event, field))
    return bool(wanted == getattr(event, field))


class Pattern:
    """A description of events in a test: a sentence, an event class, a class with fields, or an event.

    Examples: "crate entered plate", `TriggerEntered`, `(TriggerEntered, plate)`, `TriggerEntered(3, plate, crate)`. The
    fields of a tuple are those of the event without its frame, with entities by name or number. `...` matches anything,
    and so do fields left out at the end.
    """

    def __init__(self, given: object, names: EntityNames) -> None:
        self._names = names
        self.given = given.event if isinstance(given, NamedEvent) else given
        self._kind, self._fields = self._parse(self.given)

    def _parse(self, given: object) -> tuple[type[Event] | None, tuple[Any, ...]]:
        if isinstance(given, str | Event):
            return None, ()
        kind, *values = given if isinstance(given, tuple) and given else (given,)
        if not (isinstance(kind, type) and kind in FIELDS):
            raise CollisionTypeError(
                f"{given!r} does not describe an event; give a sentence such as 'crate entered plate', a class such as "
                "TriggerEntered, a tuple such as (TriggerEntered, plate, crate), or an event"
            )
        names = fields_of(kind)
        if len(values) > len(names):
            raise CollisionTypeError(f"{given!r} has too many fields; {kind.__name__} has only {', '.join(names)}")
        return kind, tuple(self._value(kind, name, value) for name, value in zip(names, values, strict=False))

    def _value(self, kind: type[Event], name: str, value: Any) -> Any:
        if value is ... or (value is None and name not in ENTITY_FIELDS):
            return value
        if value is None and name == "blocker":
            return frozenset([None])
        what = f"{name} of {kind.__name__}"
        if name in ENTITY_FIELDS:
            return frozenset(self._names.entities(value, what))
        if name == "blockers":
            return tuple(sorted(self._names.entity(each, what) for each in value))
        if name in ("direction", "displacement", "normal", "point"):
            return displacement(value, what)
        if name != "reason":
            return value
        return reason_of(value, StopReason) if kind is Blocked else reason_of(value, LeftReason)

    def validated(self) -> Pattern:
        """Return the pattern; raises if no event could match its words.

        `assert_events` reports such a pattern as missing. A recorder must refuse it, because it would silently answer
        "never".
        """
        if isinstance(self.given, str):
            _check_words(self.given, self._names)
        return self

    def matches(self, event: Event) -> bool:
        """Return whether an event matches the pattern."""
        if isinstance(self.given, str):
            return self.given in texts(event, self._names)
        if self._kind is None:
            return bool(self.given == event)
        fields = zip(fields_of(self._kind), self._fields, strict=False)
        return type(event) is self._kind and all(_has(event, name, wanted) for name, wanted in fields)

    def __str__(self) -> str:
        if isinstance(self.given, str):
            return self.given
        if isinstance(self.given, Event):
            return f"{event_text(self.given, self._names)} (in frame {self.given.frame})"
        assert self._kind is not None
        if not self._fields:
            return self._kind.__name__
        given = self.given[1:] if isinstance(self.given, tuple) else ()
        parts = [
            f"{name}={self._value_text(name, value)}" for name, value in zip(fields_of(self._kind), given, strict=False)
        ]
        return f"{self._kind.__name__}({', '.join(parts)})"

    def _value_text(self, name: str, value: Any) -> str:
        if value is ...:
            return "..."
        return self._names.name_of(value) if name in ENTITY_FIELDS and isinstance(value, int) else str(value)


Kinds = type[Event] | Iterable[type[Event]] | None


def assert_events(
    actual: EventSource, expected: Iterable[Expected], *, only: Kinds = None, ordered: bool = True
) -> None:
    """Assert that exactly these events happened, in this order.

    actual: a system or game (its last frame), a board (all frames of its last `process`, `turn` or `play`), a turn, a
    recorder, or a list of events. expected: for each event a sentence ("crate entered plate"), a class
    (`TriggerEntered`), a class with fields (`(TriggerEntered, plate, ...)`, entities by name or number), or the event
    itself. only: compare only these event classes. ordered: whether the order matters.
    """
    names = names_in(actual)
    if isinstance(expected, str) or not isinstance(expected, Iterable):
        raise CollisionTypeError(f"expected is {expected!r}; give a list of events, such as ['crate entered plate']")
    patterns = [Pattern(each, names) for each in expected]
    kinds = _kinds(only)
    events = [event for event in events_in(actual) if kinds is None or type(event) in kinds]
    pairs = _match_in_order(events, patterns) if ordered else _match_in_any_order(events, patterns)
    if len(pairs) == len(events) == len(patterns):
        return
    missing, surplus = len(patterns) - len(pairs), len(events) - len(pairs)
    head = f"the events differ: {missing} missing (-), {surplus} unexpected (+)"
    if ordered and len(events) == len(patterns) == len(_match_in_any_order(events, patterns)):
        head = "the events have another order than expected"
    raise AssertionError("\n".join([head, *_diff_lines(events, patterns, pairs, names)]))


def _kinds(only: Kinds) -> frozenset[type[Event]] | None:
    if only is None:
        return None
    given = None if isinstance(only, type) else items_of(only)
    kinds = (only,) if given is None else given
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, Event)):
            raise CollisionTypeError(f"only contains {kind!r}; give event classes, such as TriggerEntered")
    return frozenset(kinds)


def _match_in_order(events: Sequence[Event], patterns: Sequence[Pattern]) -> list[tuple[int, int]]:
    """Return a longest list of pairs (event, pattern) that match, both in order: a longest common subsequence."""
    best = [[0] * (len(patterns) + 1) for _ in range(len(events) + 1)]
    matches = [[pattern.matches(event) for pattern in patterns] for event in events]
    for i in reversed(range(len(events))):
        for j in reversed(range(len(patterns))):
            best[i][j] = best[i + 1][j + 1] + 1 if matches[i][j] else max(best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(events) and j < len(patterns):
        if matches[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _match_in_any_order(events: Sequence[Event], patterns: Sequence[Pattern]) -> list[tuple[int, int]]:
    """Return a largest set of pairs (event, pattern) that match, found by augmenting paths (Kuhn)."""
    owner: dict[int, int] = {}

    def assign(j: int, tried: set[int]) -> bool:
        for i, event in enumerate(events):
            if i not in tried and patterns[j].matches(event):
                tried.add(i)
                if i not in owner or assign(owner[i], tried):
                    owner[i] = j
                    return True
        return False

    for j in range(len(patterns)):
        assign(j, set())
    return sorted(owner.items())


def _diff_lines(
    events: Sequence[Event], patterns: Sequence[Pattern], pairs: Sequence[tuple[int, int]], names: EntityNames
) -> list[str]:
    """Return a line for each event and each missing pattern, in the order in which they happened."""
    missing = sorted({*range(len(patterns))} - {j for _, j in pairs})
    matched = dict(pairs)
    lines: list[str] = []
    for i, event in enumerate(events):
        if i in matched:
            lines += [f"  - {patterns[j]}" for j in missing if j < matched[i]]
            missing = [j for j in missing if j > matched[i]]
        lines.append(f"  {' ' if i in matched else '+'} {event_text(event, names)}")
    lines += [f"  - {patterns[j]}" for j in missing]
    frames = [event.frame for event in events]
    if any(a != b for a, b in pairwise(frames)):
        numbers = iter(frames)
        width = len(str(max(frames)))
        blank = " " * (width + 7)
        lines = [f"  {blank if line[2] == '-' else f'frame {next(numbers):>{width}} '}{line[2:]}" for line in lines]
    return lines or ["  nothing happened"]
