"""`assert_same_future`: asserts that two worlds develop identically, frame by frame."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import esper

from ecs_collision.components import Parts
from ecs_collision.debug.instrument import Watched, world_context, world_of
from ecs_collision.errors import CollisionError, CollisionTypeError
from ecs_collision.events import Event
from ecs_collision.fixed_point import instance_of, whole
from ecs_collision.game.game import Game
from ecs_collision.systems import CollisionSystem
from ecs_collision.testing.boards import Board
from ecs_collision.testing.events import displacement_text, event_text, fields_of
from ecs_collision.testing.messages import hide_traceback, number_text, truncate
from ecs_collision.testing.naming import EntityNames, names_in
from ecs_collision.testing.recorder import discard_events
from ecs_collision.world import CollisionWorld

__tracebackhide__ = hide_traceback

MAX_LISTED = 6
"""Maximum number of bodies and events listed one by one."""

Target = CollisionSystem | CollisionWorld | Game


class _FrameState(NamedTuple):
    """A frame of a run: the state hash, the positions of all bodies, and the events."""

    hash: str
    positions: dict[int, tuple[float, float, float]]
    events: list[Event]


@dataclass(slots=True)
class _Run:
    """A run of one target, from a snapshot if one is given. `components` are those of all bodies at its end.

    is_unrestored: whether the target could not be restored afterwards, so that it cannot be run again.
    """

    target: Target
    snapshot: bytes | None
    names: EntityNames
    frames: list[_FrameState] = field(default_factory=list)
    is_unrestored: bool = False
    components: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def run(self, frames: int, moves: str | None) -> None:
        """Run the frames, then restore the target."""
        self.frames.clear()
        with world_context(self.target), self._restored(), discard_events(world_of(self.target)):
            if self.snapshot is not None:
                self.target.restore(self.snapshot)
            self._record_frame([])
            for number in range(frames):
                self._record_frame(_step(self.target) if moves is None else _turn(self.target, moves[number]))
            self.components = {id: _component_texts(components) for id, components in _bodies(self.target)}

    @contextlib.contextmanager
    def _restored(self) -> Iterator[None]:
        """Restore the target on exit. If bodies came or went, so that it cannot be restored, warn."""
        if isinstance(self.target, Game):
            with self.target.trying():
                yield
            return
        before = self.target.snapshot()
        try:
            yield
        finally:
            try:
                self.target.restore(before)
            except CollisionError as problem:
                self.is_unrestored = True
                warnings.warn(f"{self.target!r} could not be restored: {problem}", stacklevel=5)

    def _record_frame(self, events: Sequence[Event]) -> None:
        hash = self.target.state_hash()
        positions = {
            id: components.transform.position
            for id, components in _bodies(self.target)
            if components.transform is not None
        }
        self.frames.append(_FrameState(hash, positions, list(events)))


def assert_same_future(
    a: Watched | bytes,
    b: Watched | bytes,
    frames: int = 60,
    *,
    moves: str | None = None,
    of: Watched | None = None,
) -> None:
    """Assert that two worlds have the same state and develop identically, bit by bit, with the same events.

    a, b: systems, worlds, games or boards; or snapshots (bytes) of the other one or of the target given as `of`.
    frames: how many frames to run. With `moves`, both games play these letters instead, one turn each. Both targets are
    restored afterwards, except data that the game's own handlers and processors change. Games are started.
    """
    given = [_target(each, moves is None) for each in (a, b, of)]
    targets = [each for each in (given[2], given[0], given[1]) if isinstance(each, Target)]
    if not targets or not all(isinstance(each, bytes | Target) for each in given[:2]):
        wrong = next((each for each in given[:2] if not isinstance(each, bytes | Target)), None)
        found = "two snapshots" if wrong is None else repr(wrong)
        raise CollisionTypeError(
            f"assert_same_future got {found}; give systems, worlds, games or boards, or snapshots and of=system"
        )
    letters = None if moves is None else "".join(instance_of(moves, str, "moves", "give letters such as 'RRU'").split())
    count = whole(frames, "frames", minimum=0) if letters is None else len(letters)
    runs = [
        _Run(targets[0], each, names_in(targets[0])) if isinstance(each, bytes) else _Run(each, None, names_in(source))
        for each, source in zip(given, (a, b), strict=False)
    ]
    for run in runs:
        run.run(count, letters)
    number = _first_difference(runs)
    if number is not None:
        unit = "frame" if letters is None else "turn"
        when = f"in {unit} {number} of {count}" if number else f"before the first {unit}"
        lines = _frame_differences(runs, number) or _component_differences(runs, number, letters)
        raise AssertionError("\n".join([f"the two worlds differ {when}", *lines]))


def _target(given: Any, by_frames: bool) -> Any:
    """Return what to run: the system of a board without a script, because its game would start with an extra frame."""
    if not isinstance(given, Board):
        return given
    return given.system if given._is_bare and by_frames else given.game


def _step(target: Target) -> Sequence[Event]:
    """Run a frame and return its events."""
    if isinstance(target, Game):
        return [event.event for event in target.step().events]
    if isinstance(target, CollisionSystem) and target._registered:
        esper.process()
    elif isinstance(target, CollisionSystem):
        target.process()
    else:
        target.step()
    return target.events


def _turn(target: Target, letter: str) -> Sequence[Event]:
    if not isinstance(target, Game):
        raise CollisionTypeError(f"{target!r} cannot play moves; leave out moves= or give a game")
    return [event.event for event in target.turn(letter).events]


def _bodies(target: Target) -> list[tuple[int, Parts]]:
    world = world_of(target)
    world.apply_changes()
    return [(id, world._bodies.of(world._bodies.row(id))) for id in sorted(world._bodies.row_of)]


def _component_texts(components: Parts) -> tuple[str, ...]:
    """Return the components of a body as texts, with the request of its Motion."""
    request = () if components.motion is None else (components.motion.dx, components.motion.dy, components.motion.dz)
    request_text = [f"a request of {displacement_text(request)}"] if any(request) else []
    return (*(repr(part) for part in components if part is not None), *request_text)


def _plain(event: Event) -> tuple[Any, ...]:
    """Return an event without its frame number: the two worlds may have started to count at different times."""
    return (type(event), *(getattr(event, name) for name in fields_of(type(event))))


def _first_difference(runs: Sequence[_Run]) -> int | None:
    for number, (first, second) in enumerate(zip(*(run.frames for run in runs), strict=True)):
        same_events = list(map(_plain, first.events)) == list(map(_plain, second.events))
        if first.hash != second.hash or first.positions != second.positions or not same_events:
            return number
    return None


def _frame_differences(runs: Sequence[_Run], number: int) -> list[str]:
    """Return lines about positions and events of a frame that differ."""
    first, second = runs
    now, other = first.frames[number], second.frames[number]
    lines = _body_differences(runs, now.positions, other.positions)
    plain = [list(map(_plain, state.events)) for state in (now, other)]
    for state, others, which in ((now, plain[1], "first"), (other, plain[0], "second")):
        only_here = [event_text(event, first.names) for event in state.events if _plain(event) not in others]
        lines += truncate([f"  only in the {which}: {text}" for text in only_here], MAX_LISTED)
    if plain[0] != plain[1] and not any("only in" in line for line in lines):
        lines.append("  the same events, but in another order or number")
    return lines


def _component_differences(runs: Sequence[_Run], number: int, letters: str | None) -> list[str]:
    """Return lines about components that differ, by running up to that frame again."""
    if not any(run.is_unrestored for run in runs):
        for run in runs:
            run.run(number, letters)
        lines = _body_differences(runs, runs[0].components, runs[1].components)
        if lines:
            return lines
    return ["  bodies and events are equal; bodies in triggers, contacts, undelivered events or settings differ"]


def _body_differences(runs: Sequence[_Run], one: Mapping[int, Any], other: Mapping[int, Any]) -> list[str]:
    """Return a line for each body that differs."""
    lines = []
    for id in sorted({*one, *other}):
        a, b = one.get(id), other.get(id)
        if a != b:
            name = runs[a is None].names.label(id)
            lines.append(f"  {name} {_state_text(a, b)} in the first, {_state_text(b, a)} in the second")
    return truncate(lines, MAX_LISTED)


def _state_text(value: Any, other: Any) -> str:
    """Return the position of a body, or those of its components that the other body does not have."""
    if value is None:
        return "is missing"
    if isinstance(value[0], str):
        return f"has {', '.join(text for text in value if text not in (other or ())) or 'no such component'}"
    return f"is at ({', '.join(map(number_text, value if value[2] else value[:2]))})"
