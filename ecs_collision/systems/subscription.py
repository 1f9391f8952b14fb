"""A subscription: what it matches, and the entities it is bound to (rules T3, T9)."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any, SupportsIndex, TypedDict, TypeGuard

from ecs_collision.components import Parts
from ecs_collision.errors import CollisionTypeError
from ecs_collision.events import Event, LeftReason, StopReason, Vector
from ecs_collision.fixed_point import AXES, Axis, is_whole, shown
from ecs_collision.systems.change_detection import Change, is_same_entity

Handler = Callable[[Any], object]

ENTITY_FIELDS = frozenset(("entity", "by", "blocker", "trigger", "other", "a", "b"))
"""The fields of events that hold an entity id: a match on one binds the subscription to that entity."""

REASON_TYPES: Mapping[object, type[StopReason] | type[LeftReason]] = {
    each.__name__: each for each in (StopReason, LeftReason)
}
"""The enumerations that fields of events hold, by name."""


class Match(TypedDict, total=False):
    """The fields of all events with their types, for the types of `on(kind, **match)`."""

    frame: int
    entity: int
    displacement: Vector
    by: int
    blocker: int | None
    axis: Axis
    reason: StopReason | LeftReason
    direction: Vector
    normal: Vector
    point: Vector
    impulse: float
    speed: float
    blockers: tuple[int, ...]
    trigger: int
    other: int
    a: int
    b: int


class Subscription:
    """A handler for the matching events of one kind; `cancel()` ends it at once. Made by `on`.

    kind: the class of its events.
    handler: the function it calls.
    active: False after `cancel()`.
    """

    __slots__ = (
        "_anchor", "_anchors", "_applied_count", "_ending", "_frame", "_has_matched", "_last", "_match", "_number",
        "_on_cancel", "_since", "active", "handler", "kind",
    )  # fmt: skip

    def __init__(
        self,
        kind: type[Event],
        handler: Handler,
        match: Mapping[str, object],
        anchors: Mapping[int, Parts | None],
        applied_count: int,
        frame: int,
    ) -> None:
        # `_anchor` is the first field of its match that holds an entity, with that entity. Its owner sets `_number`
        # (its position in the order), `_since` and `_last` (it receives the batches after `_since`, up to `_last`) and
        # `_on_cancel`. `_frame` is the frame that was finished when it was made, `_has_matched` whether an event has
        # matched since.
        self.kind = kind
        self.active = True
        self._has_matched = False
        self._frame = frame
        self._anchor = next(
            ((name, operator.index(value)) for name, value in match.items() if _is_entity(value, name)), None
        )
        self._number = self._since = 0
        self._last = sys.maxsize
        self._on_cancel: Callable[[], Callable[[Subscription], None] | None] = _no_owner
        self.handler = handler
        self._match = tuple(match.items())
        self._anchors = dict(anchors)
        self._applied_count = applied_count
        self._ending = False

    def cancel(self) -> None:
        """Receive no more events, including the remaining ones of this frame. A second cancel does nothing."""
        self.active = False
        on_cancel = self._on_cancel()
        if on_cancel is not None:
            on_cancel(self)
            self._on_cancel = _no_owner

    def matches(self, event: Event) -> bool:
        """Return whether to call the handler with an event of its kind."""
        if self.active:
            for name, value in self._match:
                if getattr(event, name) != value:
                    return False
            self._has_matched = True
        return self.active

    def _apply_change(self, change: Change) -> bool:
        """Update a bound entity that changed; returns False if it is gone, and the subscription ends."""
        anchor = self._anchors[change.entity]
        if change.number >= self._applied_count:
            self._ending = self._ending or (anchor is not None and not is_same_entity(anchor, change.new))
            self._anchors[change.entity] = change.new
        return not self._ending

    @property
    def entities(self) -> Collection[int]:
        """The entities it is bound to."""
        return self._anchors.keys()

    def __repr__(self) -> str:
        match = "".join(f", {name}={value!r}" for name, value in self._match)
        return f"Subscription({self.kind.__name__}{match})" if self.active else "Subscription(cancelled)"


def _no_owner() -> None:
    """Return None: there is nothing to notify."""


def _is_entity(value: object, name: str) -> TypeGuard[SupportsIndex]:
    return name in ENTITY_FIELDS and value is not None


def entities_of_match(kind: type[Event], match: Mapping[str, object]) -> list[int]:
    """Return the entities that a match binds to; raises CollisionTypeError if no event of the kind can match."""
    if not (isinstance(kind, type) and issubclass(kind, Event)):
        raise CollisionTypeError(f"on() got {shown(kind)}; pass a class of events, such as TriggerEntered")
    fields = kind.__dataclass_fields__
    entities = []
    for name, value in match.items():
        if name not in fields:
            known = ", ".join(fields)
            raise CollisionTypeError(f"{kind.__name__} has no field {name!r} to match; its fields are {known}")
        if _is_entity(value, name):
            if not is_whole(value):
                raise CollisionTypeError(
                    f"{kind.__name__} {name}={shown(value)} cannot match; pass the id that esper.create_entity returned"
                )
            entities.append(operator.index(value))
        else:
            _check_choice(kind, name, value)
    return entities


def _check_choice(kind: type[Event], name: str, value: object) -> None:
    """Raise CollisionTypeError for a value that an axis or a reason never has."""
    if name == "axis":
        fits, remedy = isinstance(value, str) and value in AXES, "write 'x', 'y' or 'z'"
    elif reasons := REASON_TYPES.get(kind.__dataclass_fields__[name].type):
        named = [each for each in reasons if value == each.name]
        fits = isinstance(value, reasons)
        remedy = "write " + " or ".join(map(str, named or reasons))
    else:
        return
    if not fits:
        raise CollisionTypeError(f"{kind.__name__} {name}={shown(value)} cannot match; {remedy}")
