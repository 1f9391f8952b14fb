"""Plays a scene act by act and compares each outcome with the recorded one."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ecs_collision.bodies.columns import ASKS, TRIGGER
from ecs_collision.components import Component, Parts, Transform, stored_fields
from ecs_collision.debug.instrument import Act
from ecs_collision.dynamics import StepArguments
from ecs_collision.errors import CollisionError, CollisionValueError, LevelError
from ecs_collision.movement import MovementArguments
from ecs_collision.plays.replaying import first_difference
from ecs_collision.results import MoveResult
from ecs_collision.testing.scene_words import (
    body_text,
    component_text,
    dynamics_text,
    event_line,
    impulse_text,
    motion_text,
    movement_text,
    result_lines,
    value_text,
    vector_text,
)
from ecs_collision.testing.scenes import FORGET, TRACK, Change, Question, Scene, SceneAct, copy_parts
from ecs_collision.world import CollisionWorld, Frame

RAISED = "can_push raised"
AT_REST = "all bodies are at rest"

MAX_SNAPSHOT_BYTES = 2**26
"""Maximum total bytes of snapshots that a scene takes and restores: about a second of work.

One line of a scene takes a snapshot of all bodies, so neither the file size nor the number of acts limits this work.
"""

MIN_SNAPSHOT_BYTES = 2**12
"""A smaller snapshot counts as this many bytes."""


def snapshot_cost(data: bytes) -> int:
    """Return the bytes that a snapshot counts when it is taken or restored."""
    return max(len(data), MIN_SNAPSHOT_BYTES)


def outcome_lines(act: Act) -> list[str]:
    """Return the outcome of an act as lines."""
    if act.error is not None:
        return [RAISED]
    if act.frame is not None:
        return frame_lines(act.frame)
    return [] if act.result is None else list(result_lines(act.result))


def frame_lines(frame: Frame) -> list[str]:
    """Return the results and events of a frame as lines."""
    results = [line for _, result in sorted(frame.results.items()) for line in result_lines(result)]
    return results + [event_line(event) for event in frame.events]


def moving_lines(world: CollisionWorld) -> dict[int, str]:
    """Return what a step of dynamics may write, as a line for each body: `1 at 0.0 0.25 0.0: Velocity(y=1.0)`."""
    bodies, found = world._bodies, dict[int, str]()
    for row in sorted(bodies.moving_rows, key=bodies.entity):
        entity, parts = bodies.entity(row), bodies.of(row)
        moving = Parts.of(part for part in (parts.transform, parts.velocity) if part is not None)
        found[entity] = f"{entity} {body_text(moving)}"
    return found


def written_lines(world: CollisionWorld, before: dict[int, str]) -> dict[int, str]:
    """Return the lines of the bodies that a step of dynamics wrote to; before: `moving_lines` before it."""
    return {entity: line for entity, line in moving_lines(world).items() if before.get(entity) != line}


def state_line(world: CollisionWorld) -> str:
    """Return the outcome of a step of movement: the hash of the state, without bodies whose removal is pending."""
    return f"state {world._get_snapshots().digest()}"


def impulse_line(world: CollisionWorld, entity: int) -> str:
    """Return what an impulse wrote."""
    velocity = world._bodies.of(world._bodies.row(entity)).velocity
    assert velocity is not None
    return component_text(velocity)


def end_lines(world: CollisionWorld) -> list[str]:
    """Return the positions of all bodies, the bodies in triggers, the contacts, and the state hash, as lines."""
    state = f"state {world.state_hash()}"
    bodies = world._bodies
    places = [f"{bodies.entity(row)} at {vector_text(bodies.transform(row).position)}" for row in bodies.rows()]
    triggers = [bodies.entity(row) for row in bodies.rows() if bodies.has(row, TRIGGER)]
    asking = [bodies.entity(row) for row in bodies.rows() if bodies.has(row, ASKS)]
    held = [(f"{trigger} holds", world.inside(trigger)) for trigger in triggers]
    held += [(f"{body} meets", world.contacts(body)) for body in asking]
    return [*places, *(f"{text} {' '.join(map(str, ids))}" for text, ids in held if ids), state]


@dataclass(frozen=True, slots=True)
class Played:
    """An act that was played, its outcome, and the first difference from the recorded outcome."""

    act: SceneAct
    outcome: tuple[str, ...]
    problem: str | None
    result: MoveResult | None = None
    frame: Frame | None = None


class _HookError(Exception):
    """Raised by the replayed can_push where the recorded one raised."""


class _Answers:
    """The recorded can_push: the same questions get the same answers, in order."""

    def __init__(self) -> None:
        self._answers: dict[Question, deque[bool | str | None]] = {}
        self._remaining: Counter[Question] = Counter()
        self.unexpected: list[Question] = []

    @property
    def missing(self) -> list[Question]:
        """Recorded questions that were not asked as often in the replay."""
        return sorted(self._remaining.elements())

    def load(self, act: SceneAct) -> None:
        """Load the recorded answers of an act."""
        self._answers, self.unexpected = {}, []
        self._remaining = Counter(question for question, _ in act.answers)
        for question, answer in act.answers:
            self._answers.setdefault(question, deque()).append(answer)

    def __call__(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        question = (pusher, pushed, axis, force)
        answers = self._answers.get(question)
        if not answers:
            self.unexpected.append(question)
            return None
        self._remaining[question] -= 1
        answer = answers[0] if len(answers) == 1 else answers.popleft()
        if isinstance(answer, str):
            raise _HookError(RAISED)
        return answer


class Player:
    """Plays a scene in its own world. `snapshot_bytes` counts the bytes of snapshots taken and restored."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._answers = _Answers()
        self.world = scene.world(self._answers if scene.has_can_push else None)
        self.snapshot_bytes = 0
        self._snapshots: dict[int, bytes] = {}
        self._restored = {act.number for act in scene.acts if act.kind == "back"}

    def play(self) -> Iterator[Played]:
        """Yield every act after playing it; continues after differences."""
        for act in self.scene.acts:
            yield self.do(act)

    def do(self, act: SceneAct) -> Played:
        """Play one act; raises LevelError if the snapshots of the scene exceed MAX_SNAPSHOT_BYTES."""
        self._answers.load(act)
        outcome: list[str] = []
        result: MoveResult | None = None
        frame: Frame | None = None
        try:
            if act.kind == "take in":
                apply_scene_changes(self.world, act.changes)
            elif act.kind == "request":
                self._request(act)
            elif act.kind in ("move", "plan"):
                call = self.world.move if act.kind == "move" else self.world.plan
                value = call(act.entity, *act.by, **act.options)
                result = value if isinstance(value, MoveResult) else value.result
                outcome += result_lines(result)
            elif act.kind == "dynamics":
                before = moving_lines(self.world)
                self.world._step_dynamics(StepArguments(**act.options))
                outcome += written_lines(self.world, before).values() or [AT_REST]
            elif act.kind == "movement":
                self.world._step_movement(MovementArguments(**act.options), False)
                outcome.append(state_line(self.world))
            elif act.kind == "impulse":
                self.world.apply_impulse(act.entity, act.by, act.point)
                outcome.append(impulse_line(self.world, act.entity))
            elif act.kind == "frame":
                frame = self._frames(act, outcome)
            elif act.kind == "keep" and act.number in self._restored:
                self._snapshots[act.number] = self._checked_size(act, self.world.snapshot())
            elif act.kind == "back":
                if not act.data and act.number not in self._snapshots:
                    number = act.number
                    raise CollisionValueError(f"snapshot {number} does not exist: taking it was refused")
                self.world.restore(self._checked_size(act, act.data or self._snapshots[act.number]))
            elif act.kind in (TRACK, FORGET):
                self.world.reports_overlaps = act.kind == TRACK
        except _HookError:
            outcome.append(RAISED)
        except LevelError:
            raise
        except CollisionError as refusal:
            outcome.append(f"refused: {refusal}")
        outcome += [f"can_push{question} was not called in the recording" for question in self._answers.unexpected]
        outcome += [f"can_push{question} was called only in the recording" for question in self._answers.missing]
        problem = None
        if act.outcome is not None or any(line.startswith("refused: ") for line in outcome):
            problem = first_difference(f"line {act.line} ({act.kind})", act.outcome or (), outcome)
        return Played(act, tuple(outcome), problem, result, frame)

    def _checked_size(self, act: SceneAct, data: bytes) -> bytes:
        """Count and return the bytes of a snapshot; raises LevelError above the limit."""
        self.snapshot_bytes += snapshot_cost(data)
        if self.snapshot_bytes > MAX_SNAPSHOT_BYTES:
            raise LevelError(
                self.scene.name, found=f"more than {MAX_SNAPSHOT_BYTES} bytes of snapshots",
                expected="fewer or smaller ones",
                remedy="divide the scene, or delete acts 'keep' and 'back'", line=act.line,
            )  # fmt: skip
        return data

    def _frames(self, act: SceneAct, outcome: list[str]) -> Frame:
        for _ in range(act.count):
            frame = self.world.step()
            outcome += frame_lines(frame)
        if act.count == 1 and act.outcome:
            outcome.append(f"state {self.world.state_hash()}")
        return frame

    def _request(self, act: SceneAct) -> None:
        row = self.world._bodies.row(act.entity)
        motion = self.world._bodies.of(row).motion
        if motion is None:
            self.world.request(act.entity, *act.by)  # raises the error for a missing Motion
        else:
            motion._set_request_state((*act.by, *motion._request_state()[3:]))
            self.world._bodies.requests.add(row)

    def end_problem(self) -> str | None:
        """Return the first difference of the final state, or None."""
        return first_difference("the end", self.scene.end, end_lines(self.world)) if self.scene.end else None


def act_lines(act: SceneAct, frame_number: int) -> list[str]:
    """Return an act as lines; frame_number: that of the world after it."""
    if act.kind == "take in":
        return [_change_text(change) for change in act.changes]
    if act.kind in ("request", "move", "plan"):
        return [motion_text(act.kind, act.entity, act.by, act.options)]
    if act.kind == "dynamics":
        return [dynamics_text(act.options)]
    if act.kind == "movement":
        return [movement_text(act.options)]
    if act.kind == "impulse":
        return [impulse_text(act.entity, act.by, act.point)]
    if act.kind == "frame":
        first = frame_number - act.count + 1
        return [f"frame {frame_number}" if act.count == 1 else f"frames {first} to {frame_number}"]
    return [f"back to {act.number}" if act.number and act.kind == "back" else act.kind]


def _change_text(change: Change) -> str:
    if change.kind == "add":
        return f"add {change.entity} {body_text(Parts.of(change.parts))}"
    if change.kind == "place":
        return f"place {change.entity} at {vector_text(change.position)}"
    if change.kind == "turn":
        return f"turn {change.entity} to {value_text(change.rotation)}"
    texts = [*change.names, *map(component_text, change.parts)]
    return f"{change.kind} {change.entity}{': ' * bool(texts)}{', '.join(texts)}"


def apply_scene_changes(world: CollisionWorld, changes: tuple[Change, ...]) -> None:
    """Apply changes to a world, all at once."""
    bodies = world._bodies
    staged: dict[int, Parts | None] = {}
    for change in changes:
        if change.kind in ("add", "remove"):
            staged[change.entity] = copy_parts(Parts.of(change.parts)) if change.kind == "add" else None
            continue
        parts = staged.get(change.entity) or bodies.of(bodies.row(change.entity))
        if change.kind in ("place", "turn"):
            if parts.transform is None:
                raise CollisionValueError(f"entity {change.entity} has no Transform to {change.kind}")
            if change.kind == "place":
                parts.transform.position = change.position
            else:
                parts.transform.rotation = change.rotation
        elif change.kind == "write":
            _write(world, bodies.row(change.entity), change.parts)
        else:
            staged[change.entity] = _with_components(parts, change)
    for entity, new in staged.items():
        world._stage(entity, new)
    try:
        world.apply_changes()
    except BaseException:
        for entity in staged:
            world._step.changes.unstage(entity)
        raise


def _with_components(parts: Parts, change: Change) -> Parts:
    added = copy_parts(Parts.of(change.parts))
    kept = [None if type(part).__name__ in change.names else part for part in parts]
    values: list[Any] = [old if new is None else new for old, new in zip(kept, added, strict=True)]
    return Parts(*values)


def _write(world: CollisionWorld, row: int, components: tuple[Component, ...]) -> None:
    """Write the differing fields into the components of a body, and mark the body as written in any case."""
    own: dict[type[Component], Component] = {type(part): part for part in world._bodies.of(row) if part is not None}
    for sample in components:
        target = own.get(type(sample))
        if target is None or isinstance(sample, Transform):
            raise CollisionValueError(f"entity {world._bodies.entity(row)} has no {type(sample).__name__} to write to")
        for field in stored_fields(type(sample)):
            value = getattr(sample, field.name)
            if getattr(target, field.name) != value:
                setattr(target, field.name, value)
    collider = world._bodies.of(row).collider
    assert collider is not None
    collider.enabled = collider.enabled
