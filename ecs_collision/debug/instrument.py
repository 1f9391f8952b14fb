"""Listeners on a live world: they receive every application of changes, motion, step, impulse, frame and snapshot.

The instrument replaces methods of the `CollisionWorld` below a system, game or puzzle, so calls of handlers, processors
and scripts are seen too. It changes no result: applying pending changes before an act is what the act would do itself.

Not taken: wrapping `CollisionSystem`, which misses games; and comparing all bodies at each act, which misses values
written twice or without a change.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ecs_collision.components import Parts
from ecs_collision.components.dirty_transforms import PLACED, REWRITTEN, SPED, TURNED
from ecs_collision.dynamics import StepArguments
from ecs_collision.errors import CollisionError, CollisionTypeError
from ecs_collision.movement import MovementArguments
from ecs_collision.results import MoveResult
from ecs_collision.systems import CollisionSystem
from ecs_collision.world import CollisionWorld, Frame, Plan

if TYPE_CHECKING:
    from ecs_collision.game.game import Game


class HasGame(Protocol):
    """A board of the test kit, or a puzzle in esper."""

    @property
    def game(self) -> Game:
        """The game that is played on it."""


Watched: TypeAlias = "CollisionSystem | CollisionWorld | Game | HasGame"
"""What is recorded, compared and drawn."""

Answer = tuple[int, int, str, float, bool | None]
"""The arguments of a can_push call and its return value."""


@dataclass(slots=True)
class Act:
    """A call to a world and its outcome.

    kind: "move", "plan", "dynamics" or "movement" (a step), "impulse", "frame", "keep" (a snapshot) or "back" (a
    restore). by, options: the arguments of a motion or a step; by, point: those of an impulse. answers: the can_push
    calls during the act; `failed_question`: the arguments of the call that raised. data: the bytes of a snapshot.
    error: the exception the act raised.
    """

    kind: str
    entity: int = 0
    by: tuple[float, float, float] = (0.0, 0.0, 0.0)
    options: dict[str, Any] = field(default_factory=dict)
    point: tuple[float, ...] | None = None
    answers: list[Answer] = field(default_factory=list)
    failed_question: tuple[int, int, str, float] | None = None
    result: MoveResult | None = None
    frame: Frame | None = None
    data: bytes = b""
    error: BaseException | None = None


class Listener:
    """Receives the calls to a world. Every method may be left out."""

    def _before_changes(self, staged: dict[int, Parts | None], placed: list[int], rewritten: list[int]) -> None:
        """Runs before changes are applied.

        staged: bodies that are added, removed (None) or get other components. placed: entities whose position was
        written. rewritten: entities with any other written field.
        """

    def _after_changes(self) -> None:
        """Runs after changes were applied, but not if they were refused."""

    def _before(self, act: Act) -> None:
        """Runs before an act, when all written changes are applied."""

    def _after(self, act: Act) -> None:
        """Runs after an act, also if it raised `act.error`."""


def world_of(target: object) -> CollisionWorld:
    """Return the world of a system, game, puzzle or board, or the world itself; raises CollisionTypeError otherwise."""
    target = getattr(target, "game", target)
    system = target if isinstance(target, CollisionSystem) else getattr(target, "system", None)
    world = system._world if isinstance(system, CollisionSystem) else getattr(target, "world", target)
    if isinstance(world, CollisionWorld):
        return world
    raise CollisionTypeError(f"{target!r} has no bodies; give a CollisionSystem, a CollisionWorld, a Game or a Puzzle")


def world_context(target: object) -> AbstractContextManager[object]:
    """Return a context manager that makes the esper world of the target current."""
    target = getattr(target, "game", target)
    if isinstance(target, CollisionSystem):
        return nullcontext() if target._binding is None else target._binding.visit()
    in_world = getattr(target, "in_world", None)
    return nullcontext() if in_world is None else in_world()


def listen(world: CollisionWorld, listener: Listener) -> Callable[[], None]:
    """Attach a listener to a world; return a function that detaches it."""
    instrument: Instrument = getattr(world, "_instrument", None) or Instrument(world)
    instrument.listeners.append(listener)

    def unsubscribe() -> None:
        if listener in instrument.listeners:
            instrument.listeners.remove(listener)
            if not instrument.listeners:
                instrument.close()

    return unsubscribe


def listeners_of(world: CollisionWorld) -> list[Listener]:
    """Return the listeners of a world."""
    instrument: Instrument | None = getattr(world, "_instrument", None)
    return [] if instrument is None else list(instrument.listeners)


class Instrument:
    """Replacement methods of one world while it has listeners."""

    def __init__(self, world: CollisionWorld) -> None:
        self.world, self._step = world, world._step
        self.listeners: list[Listener] = []
        self._act: Act | None = None
        self._replacements: dict[str, Any] = {
            "_instrument": self, "move": self._on_move, "plan": self._on_plan, "step": self._on_step,
            "_step_dynamics": self._on_step_dynamics, "_step_movement": self._on_step_movement,
            "apply_impulse": self._on_apply_impulse, "snapshot": self._on_snapshot, "restore": self._on_restore,
        }  # fmt: skip
        for name, method in self._replacements.items():
            setattr(world, name, method)  # not by `vars`: reading attributes would take longer ever after
        self._step.watcher = self

    def close(self) -> None:
        """Restore the original methods of the world."""
        for name in self._replacements:
            delattr(self.world, name)
        self._step.watcher = None

    def _run(self, act: Act, call: Callable[[], Any]) -> Any:
        """Run a call and report it to every listener. Exceptions propagate."""
        if self._step.access.in_hook:
            return call()
        if act.kind != "back":  # a restore discards written changes
            with contextlib.suppress(CollisionError):  # the act itself raises it again
                self.world.apply_changes()
        for listener in list(self.listeners):
            listener._before(act)
        self._act = act
        try:
            value = call()
        except BaseException as error:
            act.error = error
            raise
        else:
            _store_result(act, value)
            return value
        finally:
            self._act = None
            for listener in list(self.listeners):
                listener._after(act)

    def _on_move(self, id: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, **options: Any) -> MoveResult:
        act = _motion("move", id, dx, dy, dz, options)
        result: MoveResult = self._run(act, lambda: CollisionWorld.move(self.world, id, dx, dy, dz, **options))
        return result

    def _on_plan(self, id: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0, **options: Any) -> Plan:
        act = _motion("plan", id, dx, dy, dz, options)
        plan: Plan = self._run(act, lambda: CollisionWorld.plan(self.world, id, dx, dy, dz, **options))
        return Plan(self.world, plan.result, lambda: self._run(_motion("move", id, dx, dy, dz, options), plan._again))

    def _on_step(self) -> Frame:
        frame: Frame = self._run(Act("frame"), lambda: CollisionWorld.step(self.world))
        return frame

    def _on_step_dynamics(self, arguments: StepArguments) -> None:
        act = Act("dynamics", options=arguments._asdict())
        self._run(act, lambda: CollisionWorld._step_dynamics(self.world, arguments))

    def _on_step_movement(self, arguments: MovementArguments, removes: bool) -> list[int]:
        act = Act("movement", options=arguments._asdict())
        call = partial(CollisionWorld._step_movement, self.world, arguments, removes)
        ended: list[int] = self._run(act, call)
        return ended

    def _on_apply_impulse(self, id: int, impulse: Any, point: Any = None) -> None:
        act = Act("impulse", id, impulse, point=point)
        self._run(act, lambda: CollisionWorld.apply_impulse(self.world, id, impulse, point))

    def _on_snapshot(self) -> bytes:
        data: bytes = self._run(Act("keep"), lambda: CollisionWorld.snapshot(self.world))
        return data

    def _on_restore(self, data: bytes) -> None:
        self._run(Act("back", data=data), lambda: CollisionWorld.restore(self.world, data))

    # As the `Watcher` of the step.

    def before_changes(self) -> None:
        """Tell every listener what will be applied."""
        changes = self._pending()
        for listener in list(self.listeners):
            listener._before_changes(*changes)

    def after_changes(self) -> None:
        """Tell every listener that changes were applied."""
        for listener in list(self.listeners):
            listener._after_changes()

    def _pending(self) -> tuple[dict[int, Parts | None], list[int], list[int]]:
        bodies, dirty_transforms = self.world._bodies, self.world._bodies.dirty_transforms
        written = [
            (bodies.entity(row), dirty_transforms.kind_of(row))
            for row in dirty_transforms.rows[: dirty_transforms.count]
        ]
        kinds = dict(sorted(written))
        placed, rewritten = (
            [entity for entity, kind in kinds.items() if kind & bits] for bits in (PLACED, REWRITTEN | TURNED | SPED)
        )
        return dict(sorted(self._step.changes.staged.items())), placed, rewritten

    def call_hook(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return the answer of the hook, and note it in the act."""
        act = self._act
        try:
            answer = self._step.ask_can_push(pusher, pushed, axis, force)
        except BaseException:
            if act is not None:
                act.failed_question = (pusher, pushed, axis, force)
            raise
        if act is not None:
            act.answers.append((pusher, pushed, axis, force, answer))
        return answer


def _motion(kind: str, id: int, dx: float, dy: float, dz: float, options: dict[str, Any]) -> Act:
    return Act(kind, id, (dx, dy, dz), {name: value for name, value in options.items() if value is not None})


def _store_result(act: Act, value: Any) -> None:
    """Store the return value of an act."""
    if isinstance(value, MoveResult):
        act.result = value
    elif isinstance(value, Plan):
        act.result = value.result
    elif isinstance(value, Frame):
        act.frame = value
    elif isinstance(value, bytes):
        act.data = value
