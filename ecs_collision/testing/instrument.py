"""Listening in on a live world: every take-in, motion, frame and restore, whoever asks for it.

It sits on the `CollisionWorld` below a system, a game or a puzzle, where all of them come together: whatever handlers,
processors and scripts do reaches it as a sequence of acts. It changes nothing: what it does before an act, taking in
what was written, the act would do itself.

Not taken: wrapping `CollisionSystem`, which misses games, and comparing all bodies at each act, which misses what was
written twice, or with the value it had.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from ecs_collision.components import Parts
from ecs_collision.components.dirty_transforms import PLACED, REWRITTEN
from ecs_collision.errors import CollisionError, CollisionTypeError, WorldError
from ecs_collision.results import MoveResult
from ecs_collision.systems import CollisionSystem
from ecs_collision.world import CollisionWorld, Frame, Plan

Verdict = tuple[int, int, str, float, bool | None]
"""What can_push was asked, and what it said."""


@dataclass(slots=True)
class Act:
    """Something a world was asked to do, and what came of it.

    kind: "move", "plan", "frame", "keep" (a snapshot) or "back" (a restore). by and how: what a motion was asked.
    asked: what can_push was asked meanwhile, and said; `broke` what it raised. data: the bytes of a snapshot. error:
    what the act raised.
    """

    kind: str
    entity: int = 0
    by: tuple[float, float, float] = (0.0, 0.0, 0.0)
    how: dict[str, Any] = field(default_factory=dict)
    asked: list[Verdict] = field(default_factory=list)
    broke: tuple[int, int, str, float] | None = None
    result: MoveResult | None = None
    frame: Frame | None = None
    data: bytes = b""
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """What waits to be taken in: bodies that come, go or have other components, and those that were written.

    placed: whose position was written; rewritten: of whom any other field was.
    """

    staged: dict[int, Parts | None]
    placed: list[int]
    rewritten: list[int]


class Listener:
    """Hears what a world is asked to do. Every method may be left as it is."""

    def pending(self, pending: Pending) -> None:
        """Something is about to be taken in."""

    def taken_in(self) -> None:
        """What was pending has been taken in; where it is refused this is not called."""

    def before(self, act: Act) -> None:
        """Something is about to be done; everything that was written has been taken in."""

    def after(self, act: Act) -> None:
        """It has been done, or it raised `act.error`."""


def world_of(target: object) -> CollisionWorld:
    """Return the world of a system, game, puzzle or board, or the world itself; else raises CollisionTypeError."""
    target = getattr(target, "game", target)
    system = target if isinstance(target, CollisionSystem) else getattr(target, "system", None)
    world = system._world if isinstance(system, CollisionSystem) else getattr(target, "world", target)
    if isinstance(world, CollisionWorld):
        return world
    raise CollisionTypeError(f"{target!r} has no bodies; give a CollisionSystem, a CollisionWorld, a Game or a Puzzle")


def stay_with(target: object, world: CollisionWorld, remedy: str) -> None:
    """Raise WorldError where a target has another world by now than the one that is listened to."""
    if world_of(target) is not world:
        name = type(getattr(target, "game", target)).__name__
        raise WorldError(
            f"this {name} was closed and has begun anew with another world, of which nothing was heard; {remedy}"
        )


def home_of(target: object) -> AbstractContextManager[object]:
    """Return a context in which the world of a target can be used: that of esper in which it lives is current."""
    target = getattr(target, "game", target)
    if isinstance(target, CollisionSystem):
        return nullcontext() if target._home is None else target._home.visit()
    at_home = getattr(target, "at_home", None)
    return nullcontext() if at_home is None else at_home()


def listen(world: CollisionWorld, listener: Listener) -> Callable[[], None]:
    """Let a listener hear a world; returns what ends that."""
    instrument: Instrument = vars(world).get("_instrument") or Instrument(world)
    instrument.listeners.append(listener)

    def leave() -> None:
        if listener in instrument.listeners:
            instrument.listeners.remove(listener)
            if not instrument.listeners:
                instrument.close()

    return leave


def listeners_of(world: CollisionWorld) -> list[Listener]:
    """Return who hears a world."""
    instrument: Instrument | None = vars(world).get("_instrument")
    return [] if instrument is None else list(instrument.listeners)


class Instrument:
    """What stands in for some methods of one world while somebody listens."""

    def __init__(self, world: CollisionWorld) -> None:
        self.world, self._step = world, world._step
        self.listeners: list[Listener] = []
        self._act: Act | None = None
        self._apply_changes, self._ask = self._step.apply_changes, self._step.ask
        self._stand_ins: list[tuple[dict[str, Any], dict[str, Any]]] = [
            (vars(world), {
                "_instrument": self, "move": self._on_move, "plan": self._on_plan, "step": self._on_step,
                "snapshot": self._on_snapshot, "restore": self._on_restore,
            }),
            (vars(self._step), {"apply_changes": self._on_apply_changes, "ask": self._on_ask}),
        ]  # fmt: skip
        for attributes, methods in self._stand_ins:
            attributes.update(methods)

    def close(self) -> None:
        """Give the world its own methods back."""
        for attributes, methods in self._stand_ins:
            for name in methods:
                attributes.pop(name, None)

    def _do(self, act: Act, call: Callable[[], Any]) -> Any:
        """Do an act, told to everybody who listens; what they raise passes."""
        if self._step.access.in_hook:
            return call()
        if act.kind != "back":  # a restore drops what was written
            with contextlib.suppress(CollisionError):  # the act itself will be refused
                self.world.apply_changes()
        for listener in list(self.listeners):
            listener.before(act)
        self._act = act
        try:
            given = call()
        except BaseException as error:
            act.error = error
            raise
        else:
            _note(act, given)
            return given
        finally:
            self._act = None
            for listener in list(self.listeners):
                listener.after(act)

    def _on_move(self, id: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, **how: Any) -> MoveResult:
        act = _motion("move", id, dx, dy, dz, how)
        result: MoveResult = self._do(act, lambda: CollisionWorld.move(self.world, id, dx, dy, dz, **how))
        return result

    def _on_plan(self, id: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, **how: Any) -> Plan:
        act = _motion("plan", id, dx, dy, dz, how)
        plan: Plan = self._do(act, lambda: CollisionWorld.plan(self.world, id, dx, dy, dz, **how))
        return Plan(self.world, plan.result, lambda: self._do(_motion("move", id, dx, dy, dz, how), plan._again))

    def _on_step(self) -> Frame:
        frame: Frame = self._do(Act("frame"), lambda: CollisionWorld.step(self.world))
        return frame

    def _on_snapshot(self) -> bytes:
        data: bytes = self._do(Act("keep"), lambda: CollisionWorld.snapshot(self.world))
        return data

    def _on_restore(self, data: bytes) -> None:
        self._do(Act("back", data=data), lambda: CollisionWorld.restore(self.world, data))

    def _on_apply_changes(self) -> None:
        if not self.world.pending:
            self._apply_changes()
            return
        pending = self._pending()
        for listener in list(self.listeners):
            listener.pending(pending)
        self._apply_changes()
        for listener in list(self.listeners):
            listener.taken_in()

    def _pending(self) -> Pending:
        bodies, dirty_transforms = self.world.bodies, self.world.bodies.dirty_transforms
        written = [
            (bodies.entity(row), dirty_transforms.kinds[row]) for row in dirty_transforms.rows[: dirty_transforms.count]
        ]
        kinds = dict(sorted(written))
        return Pending(
            dict(sorted(self._step.changes.staged.items())),
            [entity for entity, kind in kinds.items() if kind & PLACED],
            [entity for entity, kind in kinds.items() if kind & REWRITTEN],
        )

    def _on_ask(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        act = self._act
        try:
            verdict = self._ask(pusher, pushed, axis, force)
        except BaseException:
            if act is not None:
                act.broke = (pusher, pushed, axis, force)
            raise
        if act is not None:
            act.asked.append((pusher, pushed, axis, force, verdict))
        return verdict


def _motion(kind: str, id: int, dx: float, dy: float, dz: float, how: dict[str, Any]) -> Act:
    return Act(kind, id, (dx, dy, dz), {name: value for name, value in how.items() if value is not None})


def _note(act: Act, given: Any) -> None:
    """Note what an act gave."""
    if isinstance(given, MoveResult):
        act.result = given
    elif isinstance(given, Plan):
        act.result = given.result
    elif isinstance(given, Frame):
        act.frame = given
    elif isinstance(given, bytes):
        act.data = given
