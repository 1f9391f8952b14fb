"""The functions of a script, and the events or phases of a turn that call them (T7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from ecs_collision.doctor import Finding
from ecs_collision.doctor.handlers import never_matched
from ecs_collision.errors import CollisionTypeError
from ecs_collision.events import Event, Moved, TriggerEntered, TriggerLeft, TriggerStayed
from ecs_collision.game.controls import check_letter
from ecs_collision.game.named_events import FIELDS, NamedEvent, others_of
from ecs_collision.game.things import Things
from ecs_collision.game.turn import Turn

Function = Callable[..., Any]
EventFunction = TypeVar("EventFunction", bound=Callable[[NamedEvent], object])
LetterFunction = TypeVar("LetterFunction", bound=Callable[[str], object])
TurnFunction = TypeVar("TurnFunction", bound=Callable[[Turn], object])
PlainFunction = TypeVar("PlainFunction", bound=Callable[[], object])


class EventDecorator(Protocol):
    """Takes a function of an event and returns it unchanged."""

    def __call__(self, function: EventFunction, /) -> EventFunction:
        """Declare the function."""


class LetterDecorator(Protocol):
    """Takes a function of a letter and returns it unchanged."""

    def __call__(self, function: LetterFunction, /) -> LetterFunction:
        """Declare the function."""


@dataclass(slots=True, eq=False)
class Handler:
    """A function called for events of a kind about `first` and `second` (None: about anything).

    frame: the frame that was finished when it was declared. has_matched: whether an event has matched since.
    """

    kind: type[Event]
    first: frozenset[int] | None
    second: frozenset[int] | None
    function: Function
    label: str
    frame: int
    has_matched: bool = False


class Handlers:
    """All functions declared by a script, in the order of declaration.

    before: (letters, function), called before one of these letters is played. turn: called when nothing changes any
    more. solved: called in the turn that solves the level.
    """

    def __init__(self, things: Things) -> None:
        self._things = things
        self._groups = things.world._bodies.groups
        self._by_kind: dict[type[Event], list[Handler]] = {}
        self.before: list[tuple[str, Function]] = []
        self.turn: list[Function] = []
        self.solved: list[Function] = []

    def __bool__(self) -> bool:
        """Return whether there is any function."""
        return bool(self._by_kind or self.before or self.turn or self.solved)

    @property
    def subscribed_kinds(self) -> frozenset[type[Event]]:
        """The kinds of events that have handlers."""
        return frozenset(self._by_kind)

    def on(self, kind: type[Event], where: str, first: str | None, second: str | None = None) -> EventDecorator:
        """Return a decorator that declares a handler of events; `where` is the name of the call for messages."""
        if callable(first):
            raise CollisionTypeError(f"{where} got {first!r}; add parentheses: @game.{where}()")
        is_trigger = issubclass(kind, TriggerEntered | TriggerLeft | TriggerStayed)
        about = None if first is None else frozenset(self._things.members(first, trigger=is_trigger))
        by = None if second is None else frozenset(self._things.members(second))
        selectors = ", ".join(repr(selector) for selector in (first, second) if selector is not None)

        def declare(function: EventFunction, /) -> EventFunction:
            called = function_of(function, where)
            label = label_of(f"{where}({selectors})", called)
            handler = Handler(kind, about, by, called, label, self._things.world.frame_number)
            self._by_kind.setdefault(kind, []).append(handler)
            return function

        return declare

    def on_letters(self, letters: str) -> LetterDecorator:
        """Return a decorator that declares a function called before letters are played."""
        if not isinstance(letters, str):
            raise CollisionTypeError(f'before() got {letters!r}; give it the letters, as in @game.before("LRUD")')
        for letter in letters:
            check_letter(letter)

        def declare(function: LetterFunction, /) -> LetterFunction:
            self.before.append((letters, function_of(function, "before")))
            return function

        return declare

    def calls(self, events: Sequence[Event]) -> Iterator[tuple[Handler, NamedEvent]]:
        """Yield each handler with its event, event by event."""
        for event in events:
            handlers = self._by_kind.get(type(event))
            if not handlers:
                continue
            first, others = getattr(event, FIELDS[type(event)][0]), others_of(event)
            for handler in tuple(handlers):
                exact = handler.kind is Moved
                by_any = handler.second is None or any(self._is_about(handler.second, id) for id in others)
                if by_any and self._is_about(handler.first, first, exact):
                    handler.has_matched = True
                    yield handler, NamedEvent(event, self._things.names)

    def findings(self) -> Iterator[Finding]:
        """Yield a finding about each handler that no event has matched for long."""
        frame = self._things.world.frame_number
        for number, handler in enumerate(each for kind in self._by_kind.values() for each in kind):
            if not handler.has_matched:
                yield from never_matched(f"the handler {handler.label}", (), frame - handler.frame, str(number))

    def _is_about(self, wanted: frozenset[int] | None, id: int | None, exact: bool = False) -> bool:
        """Return whether an id, or another member of its group, is among those wanted.

        Events name a group by its root, except Moved, which is given for each member: `exact`.
        """
        if wanted is None or id in wanted:
            return True
        group = None if id is None or exact else self._groups.of(id)
        return group is not None and not wanted.isdisjoint(group.members)


def function_of(given: object, where: str) -> Function:
    """Return what was given to a decorator; raises CollisionTypeError if it is not callable."""
    if callable(given):
        return given
    raise CollisionTypeError(f"{where} got {given!r}; pass a function, as in @game.{where}")


def label_of(where: str, function: Function) -> str:
    """Return the label of a handler for messages: where it is declared, and its name."""
    return f"{where} {getattr(function, '__name__', repr(function))}"
