"""Events with names instead of ids, for scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ecs_collision.events import (
    Blocked,
    ContactBegan,
    ContactEnded,
    Crossed,
    Crushed,
    Event,
    FellAsleep,
    Impact,
    LeftReason,
    Moved,
    Overlapped,
    Pushed,
    StopReason,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Vector,
    Woke,
)
from ecs_collision.fixed_point import Axis
from ecs_collision.game.naming import Names

FIELDS: dict[type[Event], tuple[str, str | None, str]] = {
    TriggerEntered: ("trigger", "other", "{other} entered {trigger}"),
    TriggerStayed: ("trigger", "other", "{other} stayed in {trigger}"),
    TriggerLeft: ("trigger", "other", "{other} left {trigger}"),
    Pushed: ("entity", "by", "{by} pushed {entity}"),
    Blocked: ("entity", "blocker", "{blocker} blocked {entity}"),
    Moved: ("entity", None, "{entity} moved"),
    Crushed: ("entity", "by", "{by} crushed {entity}"),
    Crossed: ("entity", "other", "{entity} crossed {other}"),
    Overlapped: ("a", "b", "{a} and {b} overlapped"),
    ContactBegan: ("a", "b", "{a} came into contact with {b}"),
    ContactEnded: ("a", "b", "{a} lost contact with {b}"),
    Impact: ("a", "b", "{b} hit {a}"),
    Woke: ("entity", None, "{entity} woke"),
    FellAsleep: ("entity", None, "{entity} fell asleep"),
}
"""For each kind: the field of the subject, the field of the other entity, and the text of the event."""

ENTITY_FIELDS = frozenset(("trigger", "other", "entity", "by", "blocker", "a", "b"))
"""Event fields that hold an entity."""


def sentence(event: Event, name_of: Callable[[int], str]) -> str:
    """Return a short sentence for an event: "crate 1 entered goal 2"."""
    first, second, words = FIELDS[type(event)]
    names = {first: name_of(getattr(event, first))}
    if second is not None:
        other = getattr(event, second)
        names[second] = "the bounds" if other is None else name_of(other)
    return words.format(**names)


def others_of(event: Event) -> tuple[int | None, ...]:
    """Return the other entities of an event: every blocker of a Blocked (None: the bounds), or the one in its field."""
    if isinstance(event, Blocked):
        return event.blockers or (None,)
    field = FIELDS[type(event)][1]
    return () if field is None else (getattr(event, field),)


class NamedEvent:
    """An event of the world (`event`) with names: fields that hold an id return the name of the thing. Made by games.

    `event.trigger`, `event.other`, `event.entity`, `event.by`, `event.blocker` (None: the bounds), `event.a` and
    `event.b` are names, and `event.blockers` is a tuple of names. All other fields (`displacement`, `axis`,
    `direction`, `normal`, `point`, `impulse`, `speed`, `reason`, `frame`) are unchanged. `str(event)` is a sentence:
    "crate 1 entered goal 2".
    """

    __slots__ = ("_names", "event")

    # `__getattr__` returns them; one that events of this kind do not have raises AttributeError.
    frame: int
    trigger: str
    other: str
    entity: str
    by: str
    blocker: str | None
    a: str
    b: str
    displacement: Vector
    axis: Axis
    direction: Vector
    normal: Vector
    point: Vector
    impulse: float
    speed: float
    blockers: tuple[str, ...]
    reason: StopReason | LeftReason

    def __init__(self, event: Event, names: Names) -> None:
        self.event = event
        self._names = names

    @property
    def kind(self) -> type[Event]:
        """The class of the event."""
        return type(self.event)

    if not TYPE_CHECKING:  # it would hide misspelt names

        def __getattr__(self, field: str) -> Any:
            if field.startswith("_"):
                raise AttributeError(field)
            value = getattr(self.event, field)
            if field == "blockers":
                return tuple(map(self._names.display_name, value))
            return self._names.display_name(value) if field in ENTITY_FIELDS and value is not None else value

    def __eq__(self, other: object) -> bool:
        return self.event == other.event if isinstance(other, NamedEvent) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.event)

    def __str__(self) -> str:
        return sentence(self.event, self._names.display_name)

    def __repr__(self) -> str:
        return f"<{self}>"
