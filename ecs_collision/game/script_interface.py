"""What a script declares: handlers, controls, and when the level is won.

Handlers are called after a frame, event by event, each in the order of declaration; an error stops no other handler,
and all are raised once everybody was served (T7).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from ecs_collision.errors import CollisionError, CollisionTypeError, CollisionValueError, LevelError
from ecs_collision.events import Blocked, Event, Moved, Pushed, TriggerEntered, TriggerLeft, TriggerStayed
from ecs_collision.fixed_point import finite
from ecs_collision.game.game_world import Engine
from ecs_collision.game.handlers import Function, Handler, Handlers, function_of, label_of
from ecs_collision.game.mechanics.gravity import DIRECTIONS
from ecs_collision.game.things import Things
from ecs_collision.levels.conditions import Condition, parse_condition
from ecs_collision.levels.level import Level

F = TypeVar("F", bound=Callable[..., Any])


class Decorator(Protocol):
    """Takes a function and returns it unchanged."""

    def __call__(self, function: F, /) -> F:
        """Declare the function."""


Control = tuple[str, float, float]
"""(selector, dx, dy): what a letter moves, and how far."""

_SAMPLE = '{"j": ("player", -1, 0)}'

WAIT = "."
"""The letter of a turn in which nothing is moved."""


class Scripted(Things):
    """Things with handlers."""

    def __init__(self, level: Level, engine: Engine) -> None:
        super().__init__(level, engine)
        self._handlers = Handlers(self._names, engine.world.bodies.groups)
        self._before: list[tuple[str, Function]] = []
        self._on_turn: list[Function] = []
        self._on_solved: list[Function] = []
        self._win: Condition | Function | None = None
        self._controls: dict[str, Control] = self._usual_controls()
        self._usual = self._controls
        if level.win is not None:
            self._take_win_of(level, level.win)

    # Controls.

    def _usual_controls(self) -> dict[str, Control]:
        """Return L, R, U and D for all things of the kind "player" or "Player", where there are any."""
        kinds = [thing.kind for thing in self.level.things if thing.is_body and thing.kind.lower() == "player"]
        return {letter: (kinds[0], *step) for letter, step in DIRECTIONS.items()} if kinds else {}

    @property
    def controls(self) -> Mapping[str, Control]:
        """What each letter moves: (selector, dx, dy). By default L, R, U and D move all things of kind "player"."""
        return self._controls

    @controls.setter
    def controls(self, controls: Mapping[str, Control]) -> None:
        self._controls = self._checked_controls(controls)

    def _checked_controls(self, controls: Mapping[str, Control]) -> dict[str, Control]:
        if not isinstance(controls, Mapping):
            raise CollisionTypeError(f"controls is {controls!r}; give a dict such as {_SAMPLE}")
        checked: dict[str, Control] = {}
        for letter, control in controls.items():
            if not isinstance(control, tuple | list) or len(control) != 3:
                raise CollisionTypeError(
                    f"control {letter!r} is {control!r}; give what it moves, dx and dy, as in {_SAMPLE}"
                )
            selector, dx, dy = control
            self._names.members(selector)
            step = (finite(dx, f"dx of control {letter!r}"), finite(dy, f"dy of control {letter!r}"))
            checked[_letter(letter)] = (selector, *step)
        return checked

    def control(self, selector: str, letters: str = "LRUD") -> None:
        """Let four letters, for left, right, up and down, move things; the first call replaces the usual ones.

        All things the selector means move, the front ones first.
        """
        if not isinstance(letters, str) or len(letters) != 4 or len(set(letters)) != 4:
            raise CollisionValueError(f"letters is {letters!r}; give four, for left, right, up and down: 'lrud'")
        own = {} if self._controls is self._usual else dict(self._controls)
        steps = zip(letters, DIRECTIONS.values(), strict=True)
        self.controls = own | {letter: (selector, *step) for letter, step in steps}

    @property
    def letters(self) -> str:
        """Every letter that can be played, in the order of declaration; "." is the last."""
        declared = [*self._controls, *(letter for letters, _ in self._before for letter in letters), WAIT]
        return "".join(dict.fromkeys(declared))

    def before(self, letters: str) -> Decorator:
        """Call a function with the letter before it is played; where it returns True it did all there is to do."""
        if not isinstance(letters, str):
            raise CollisionTypeError(f'before() got {letters!r}; give it the letters, as in @game.before("LRUD")')
        for letter in letters:
            _letter(letter)

        def declare(function: F, /) -> F:
            self._before.append((letters, function_of(function, "before")))
            return function

        return declare

    # Handlers.

    def on_enter(self, trigger: str | None = None, by: str | None = None) -> Decorator:
        """Call a function with `event.trigger` and `event.other` when something comes into a trigger."""
        return self._on(TriggerEntered, "on_enter", trigger, by)

    def on_leave(self, trigger: str | None = None, by: str | None = None) -> Decorator:
        """Call a function with `event.trigger`, `event.other` and `event.reason` when something is no longer in it."""
        return self._on(TriggerLeft, "on_leave", trigger, by)

    def on_stay(self, trigger: str | None = None, by: str | None = None) -> Decorator:
        """Call a function every frame for what is in a trigger with `stay=True`."""
        return self._on(TriggerStayed, "on_stay", trigger, by)

    def on_push(self, thing: str | None = None, by: str | None = None) -> Decorator:
        """Call a function with `event.entity`, `event.by` and `event.displacement` when a thing was pushed."""
        return self._on(Pushed, "on_push", thing, by)

    def on_move(self, thing: str | None = None) -> Decorator:
        """Call a function with `event.entity` and `event.displacement` when a thing moved or was moved."""
        return self._on(Moved, "on_move", thing, None)

    def on_block(self, thing: str | None = None, by: str | None = None) -> Decorator:
        """Call a function with `event.entity`, `event.blocker` and `event.reason` when a thing could not move on."""
        return self._on(Blocked, "on_block", thing, by)

    def _on(self, kind: type[Event], where: str, first: str | None, second: str | None) -> Decorator:
        if callable(first):
            raise CollisionTypeError(f"{where} got {first!r}; call it first, as in @game.{where}() above the function")
        is_trigger = issubclass(kind, TriggerEntered | TriggerLeft | TriggerStayed)
        about = None if first is None else frozenset(self.members(first, trigger=is_trigger))
        by = None if second is None else frozenset(self._names.members(second))

        def declare(function: F, /) -> F:
            called = function_of(function, where)
            shown = ", ".join(repr(selector) for selector in (first, second) if selector is not None)
            self._handlers.add(Handler(kind, about, by, called, label_of(f"{where}({shown})", called)))
            return function

        return declare

    def on_turn(self, function: F) -> F:
        """Call a function with the `Turn` in every turn, when things have come to rest; a blocked one is no turn."""
        self._on_turn.append(function_of(function, "on_turn"))
        return function

    def on_solved(self, function: F) -> F:
        """Call a function without arguments at the end of the turn in which the level was solved."""
        self._on_solved.append(function_of(function, "on_solved"))
        return function

    # Winning.

    @property
    def win(self) -> Condition | Function | None:
        """When the level is solved: a condition, a function, or None (never)."""
        return self._win

    @win.setter
    def win(self, condition: str | Condition | Function | None) -> None:
        if isinstance(condition, str):
            condition = parse_condition(condition)
        if isinstance(condition, Condition):
            condition.check(self)
        elif condition is not None and not callable(condition):
            raise CollisionTypeError(f'win is {condition!r}; give "all crate on goal" or the like, a function, or None')
        self._win = condition

    def _take_win_of(self, level: Level, win: str) -> None:
        try:
            self.win = win
        except CollisionError as problem:
            raise LevelError(
                level.source, found=f"the condition to win {win!r}: {problem}", remedy="mend the condition",
                expected="one about things of the level, on triggers of the level",
            ) from problem  # fmt: skip

    def win_when(self, function: F) -> F:
        """Let a function without arguments say whether the level is solved."""
        self.win = function_of(function, "win_when")
        return function

    @property
    def solved(self) -> bool:
        """Whether the level is solved as it stands."""
        if self._win is None:
            return False
        return self._win.is_met(self) if isinstance(self._win, Condition) else bool(self._win())


def _letter(letter: object) -> str:
    if isinstance(letter, str) and len(letter) == 1 and letter.isprintable() and letter not in (WAIT, " "):
        return letter
    raise CollisionValueError(f"{letter!r} cannot be the letter of a move; give a printable letter, no space or '.'")
