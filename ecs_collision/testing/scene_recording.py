"""Records the acts of a world as the lines of a scene file."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any, Self

from ecs_collision.components import Component, Parts, Sleeping, Transform, vector
from ecs_collision.debug.film import Json
from ecs_collision.debug.instrument import Act, Listener, Watched, listen, world_context, world_of
from ecs_collision.debug.page import framed, page_of, write_page
from ecs_collision.errors import CollisionError
from ecs_collision.game import Game
from ecs_collision.levels.files import write_atomically
from ecs_collision.levels.limits import MAX_SCENE_BYTES
from ecs_collision.levels.source import path_text
from ecs_collision.settings import DEFAULTS
from ecs_collision.systems import CollisionSystem
from ecs_collision.testing.scene_film import film_of_scene
from ecs_collision.testing.scene_pictures import Camera
from ecs_collision.testing.scene_reading import COMMENT, DONE, MAGIC, MAX_ACTS, parse_scene
from ecs_collision.testing.scene_replay import (
    AT_REST,
    MAX_SNAPSHOT_BYTES,
    Player,
    end_lines,
    impulse_line,
    moving_lines,
    outcome_lines,
    snapshot_cost,
    state_line,
    written_lines,
)
from ecs_collision.testing.scene_words import (
    body_text,
    component_text,
    dynamics_text,
    impulse_text,
    motion_text,
    movement_text,
    pairs_text,
    value_text,
    vector_text,
)
from ecs_collision.testing.scenes import FORGET, RAISES, TRACK, Scene
from ecs_collision.world import CollisionWorld
from ecs_collision.world.changes import is_same_body

MAX_RECORDED_ACTS = MAX_ACTS // 4
"""A recording restarts with the current state after this many acts."""

MAX_RECORDED_TEXT = MAX_SCENE_BYTES // 8
"""It also restarts after this many characters."""

MAX_RECORDED_BYTES = MAX_SNAPSHOT_BYTES // 2
"""It also restarts after this many bytes of restored snapshots."""

_WIDTH = 76
"""Characters of a snapshot per line."""

KnownComponents = dict[type[Component], tuple[Component, str]]
"""The components of a body, and their last written form."""


class Recording(Listener):
    """The acts of a world since this object was created, as a scene; `save` writes the file, `stop` ends the recording.

    `restart_count` is the number of times it started, because it became too long.
    """

    def __init__(self, target: Watched) -> None:
        self.world = world_of(target)
        self.restart_count = 0
        self._target = target
        with world_context(target):
            self._begin()
        self._end: tuple[list[str], list[str]] | None = None
        self.detach = listen(self.world, self)
        """Stop recording without reading the final state."""

    def stop(self) -> None:
        """Stop recording. The recorded acts and the final state stay available."""
        if self._end is None:
            self._end = self._final_state()
            self.detach()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.stop()

    def _begin(self) -> None:
        """Start with the current state of the world."""
        world = self.world
        world.apply_changes()
        bodies = world._bodies
        self.restart_count += 1
        self._bodies = [f"{bodies.entity(row)} {body_text(bodies.of(row))}" for row in bodies.rows()]
        self._picture = Camera().picture(world) if self._bodies else ""
        self._start = _snapshot(world)
        self._tracks_overlaps = self._is_tracking = world.reports_overlaps
        self._overlap_starts = world._step.solid_overlaps.start_count
        self._known = {bodies.entity(row): _known(bodies.of(row)) for row in bodies.rows()}
        self._staged: dict[int, Parts | None] = {}
        self._changes: list[str] = []
        self._lines: list[str] = []
        self._size = self._frames = self._idle_frames = self._acts = self._snapshot_bytes = 0
        self._requests: dict[int, tuple[float, ...]] = {}
        self._saved: dict[bytes, int] = {}

    # Listening.

    def _before_changes(self, staged: dict[int, Parts | None], placed: list[int], rewritten: list[int]) -> None:
        """Write down the changes now, before the world applies them: applying may wake a sleeping body."""
        self._note_overlaps()
        self._staged, self._changes = {}, []
        bodies, added = self.world._bodies, set[int]()
        written = set(rewritten)
        for entity, parts in staged.items():
            row = bodies.row_of.get(entity)
            old = None if row is None else bodies.of(row)
            if parts is None or not _is_valid(parts):
                added.add(entity)
                self._changes += [f"remove {entity}"] if parts is None and old is not None else []
            elif old is None or not is_same_body(old, parts):
                added.add(entity)
                self._changes.append(f"add {entity} {body_text(parts)}")
            else:
                self._changes += _component_changes(entity, old, parts)
                written.add(entity)
            self._staged[entity] = parts
        for entity in sorted(written - added):
            self._write(entity, self._staged.get(entity) or bodies.of(bodies.row_of[entity]))
        for entity in placed:
            if entity not in added:
                transform = (self._staged.get(entity) or bodies.of(bodies.row_of[entity])).transform
                assert transform is not None
                self._changes.append(f"place {entity} at {vector_text(transform.position)}")

    def _write(self, entity: int, parts: Parts) -> None:
        """Write down which fields of existing components changed."""
        known = self._known.get(entity, {})
        now = {kind: found for kind, found in _known(parts).items() if kind in known and known[kind][0] is found[0]}
        written = [text for kind, (_, text) in now.items() if known[kind][1] != text or kind is Sleeping]
        if Transform in now and known[Transform][1] != now[Transform][1]:
            self._changes.append(f"turn {entity} to {written.pop(0)}")
        self._changes.append(f"write {entity}{': ' * bool(written)}{', '.join(written)}")
        self._staged[entity] = parts

    def _after_changes(self) -> None:
        """Add the changes to the scene: they were accepted."""
        if self._changes:
            self._add("take in", self._changes)
        for entity, parts in self._staged.items():
            self._known.pop(entity, None)
            if parts is not None:
                self._known[entity] = _known(parts)
        self._staged, self._changes = {}, []

    def _before(self, act: Act) -> None:
        """Write down current requests, and the first picture if the world was empty at the start."""
        if not self._picture and self.world._bodies.row_of and not self.world.pending:
            self._picture = Camera().picture(self.world)
        self._note_overlaps()
        if act.kind != "back":
            self._note_requests()
        if act.kind == "dynamics":
            self._moving = moving_lines(self.world)

    def _note_overlaps(self) -> None:
        """Write down whether overlaps began or ceased to be tracked since the last act (T11)."""
        was_tracking, self._is_tracking = self._is_tracking, self.world.reports_overlaps
        starts, self._overlap_starts = self._overlap_starts, self.world._step.solid_overlaps.start_count
        has_started = self._is_tracking and starts != self._overlap_starts
        if was_tracking and (has_started or not self._is_tracking):
            self._add(FORGET)
        if has_started:
            self._add(TRACK)

    def _note_requests(self) -> None:
        bodies = self.world._bodies
        for row in sorted(bodies.requests, key=bodies.entity):
            entity, motion = bodies.entity(row), bodies.of(row).motion
            if motion is None:  # removed after its request
                continue
            request = motion._request_state()[:3]
            if request != self._requests.get(entity, (0.0, 0.0, 0.0)):
                self._requests[entity] = request
                self._add(f"request {entity} by {vector_text(request)}")

    def _after(self, act: Act) -> None:
        """Write down an act and its outcome."""
        if act.error is not None and act.failed_question is None:
            self._add(f"{COMMENT} {act.kind} was refused: {_line(act.error)}", counts=False)
            return
        getattr(self, f"_{act.kind}")(act)
        if (
            self._acts > MAX_RECORDED_ACTS
            or self._frames >= MAX_ACTS
            or self._size > MAX_RECORDED_TEXT
            or self._snapshot_bytes > MAX_RECORDED_BYTES
        ):
            self._begin()

    def _move(self, act: Act) -> None:
        options = {name: _plain(value) for name, value in act.options.items()}
        text = motion_text(act.kind, int(act.entity), tuple(map(float, act.by)), options)
        self._add(text, _answer_lines(act), outcome_lines(act))

    _plan = _move

    def _dynamics(self, act: Act) -> None:
        written = written_lines(self.world, self._moving)
        self._add(dynamics_text(act.options), (), written.values() or [AT_REST])
        for entity in written:
            self._know(entity)

    def _movement(self, act: Act) -> None:
        outcome = outcome_lines(act) if act.error is not None else [state_line(self.world)]
        self._add(movement_text(act.options), _answer_lines(act), outcome)
        bodies = self.world._bodies
        for row in bodies.rows():
            parts = bodies.of(row)
            if parts.velocity is not None or parts.lifetime is not None:
                self._know(bodies.entity(row))

    def _impulse(self, act: Act) -> None:
        point = None if act.point is None else vector(act.point, "point")
        entity = int(act.entity)
        self._add(impulse_text(entity, vector(act.by, "impulse"), point), (), [impulse_line(self.world, entity)])
        self._know(entity)

    def _know(self, entity: int) -> None:
        """Note the components of a body as they are, so that its next write leaves out what an act has written."""
        self._known[entity] = _known(self.world._bodies.of(self.world._bodies.row(entity)))

    def _frame(self, act: Act) -> None:
        self._requests.clear()
        self._frames += 1
        if act.frame is not None and act.frame.quiet and not act.answers:
            self._idle_frames += 1
            return
        outcome = outcome_lines(act)
        if act.error is None:
            outcome.append(f"state {self.world.state_hash()}")
        self._add("frame", _answer_lines(act), outcome)

    def _keep(self, act: Act) -> None:
        digest = hashlib.blake2b(act.data, digest_size=16).digest()
        if digest not in self._saved:
            self._saved[digest] = len(self._saved) + 1
            self._add(f"keep {self._saved[digest]}")

    def _back(self, act: Act) -> None:
        number = self._saved.get(hashlib.blake2b(act.data, digest_size=16).digest())
        self._add(f"back to {number}" if number else "back", [] if number else _base64(act.data))
        bodies = self.world._bodies
        self._snapshot_bytes += 2 * snapshot_cost(act.data)  # a replay takes it and restores it
        self._known = {bodies.entity(row): _known(bodies.of(row)) for row in bodies.rows()}
        self._requests = {
            bodies.entity(row): parts.motion._request_state()[:3]
            for row in bodies.requests
            if (parts := bodies.of(row)).motion is not None
        }

    def _add(self, line: str, inside: Iterable[str] = (), outcome: Iterable[str] = (), counts: bool = True) -> None:
        lines = [*self._idle_lines(), line, *(f"  {text}" for text in inside), *(f"  = {text}" for text in outcome)]
        self._idle_frames = 0
        self._lines += lines
        self._size += sum(map(len, lines))
        self._acts += counts

    def _idle_lines(self) -> list[str]:
        return [f"frames {self._idle_frames}"] if self._idle_frames else []

    # Writing.

    def text(self, remark: str = "") -> str:
        """Return the text of the scene file."""
        end = self._end or self._final_state()
        with world_context(self._target):
            text = "\n".join(self._file_lines(remark, [], end))
            if parse_scene(text).world().snapshot() != self._start:
                start = ["start", *(f"  {line}" for line in _base64(self._start))]
                text = "\n".join(self._file_lines(remark, start, end))
                parse_scene(text)
            return text

    def _final_state(self) -> tuple[list[str], list[str]]:
        """Return the final picture and the lines after "end", after writing down what came since the last act."""
        world, target = self.world, self._target
        if isinstance(target, CollisionSystem) and target._world is not world:
            return [], [f"{COMMENT} the final state is unknown: the system was closed"]
        try:
            with world_context(target):
                world.apply_changes()
                self._note_overlaps()
                self._note_requests()
                return Camera().picture(world).split("\n"), [f"= {line}" for line in end_lines(world)]
        except CollisionError as problem:
            return [], [f"{COMMENT} the final state is unknown: {_line(problem)}"]

    def _file_lines(self, remark: str, start: list[str], end: tuple[list[str], list[str]]) -> Iterator[str]:
        """Yield the lines of the file, without snapshots that are never restored."""
        remarks = remark.split("\n") if remark else []
        picture, last_lines = end
        game = getattr(self._target, "game", self._target)
        if isinstance(game, Game) and game.ids:
            remarks.append(f"names: {', '.join(f'{id} is {name}' for name, id in game.ids.items())}")
        if self._picture:
            remarks += ["", "at the start:", *self._picture.split("\n")]
        if picture and self._lines:
            remarks += ["", "at the end:", *picture]
        yield MAGIC
        yield from (f"{COMMENT} {_visible(line)}".rstrip() for line in remarks)
        settings = self.world._settings
        own = {name: value for name, value in settings.plain().items() if value != DEFAULTS[name]}
        yield from [f"settings: {pairs_text(own)}"] if own else []
        yield from ["can_push: yes"] if settings.can_push is not None else []
        yield from [TRACK] if self._tracks_overlaps else []
        yield from (*start, "", "bodies", *self._bodies)
        if self._lines or self._idle_frames:
            wanted = {line.replace("back to", "keep") for line in self._lines if line.startswith("back to ")}
            yield from ("", "acts")
            yield from (line for line in self._lines if not line.startswith("keep ") or line in wanted)
            yield from (*self._idle_lines(), "", "end", *last_lines)
        yield from ("", DONE, "")

    def save(self, path: str | os.PathLike[str], remark: str = "") -> Path:
        """Write the scene file atomically and return its path. remark: lines for the head of the file."""
        return write_atomically(path, self.text(remark))

    def to_html(self, path: str | os.PathLike[str], remark: str = "") -> Path:
        """Write a page that plays the recording in any browser, and return its path; the file is replaced in one step.

        The acts are replayed for it. remark: lines for its head.
        """
        return write_page(self._film(_title(path), remark), path)

    def _failure_to_html(self, path: Path, remark: str) -> Path:
        """Write the page of a failed test, which opens at the end."""
        return write_page(self._film(_title(path), remark, at_end=True), path)

    def _film(self, title: str, remark: str = "", *, at_end: bool = False) -> Json:
        film, _ = film_of_scene(parse_scene(self.text(remark), title), at_end=at_end)
        return film

    def _repr_html_(self) -> str:
        """Return the page of the recording, for notebooks."""
        return framed(page_of(self._film("recording")))


def _title(path: str | os.PathLike[str]) -> str:
    return PurePath(path_text(path)).stem


def _snapshot(world: CollisionWorld) -> bytes:
    """Return the state without events that a system has not delivered."""
    undelivered, world._undelivered = world._undelivered, ()
    try:
        return CollisionWorld.snapshot(world)
    finally:
        world._undelivered = undelivered


def _known(parts: Parts) -> KnownComponents:
    """Return the components of a body with their texts; that of its Transform, the first, is the rotation."""
    return {
        type(part): (
            part,
            value_text(part.rotation) if isinstance(part, Transform) else component_text(part, with_request=False),
        )
        for part in parts
        if part is not None
    }


def _is_valid(parts: Parts) -> bool:
    """Return whether a body can be written; an invalid one will be refused."""
    return parts.transform is not None and parts.collider is not None and all(
        part is None or isinstance(part, Component) for part in parts
    )  # fmt: skip


def _component_changes(entity: int, old: Parts, new: Parts) -> list[str]:
    """Return lines for the components that a body gained and lost."""
    pairs = list(zip(old, new, strict=True))
    given = [component_text(part) for had, part in pairs if part is not None and part is not had]
    taken = [type(had).__name__ for had, part in pairs if had is not None and part is None]
    lines = [f"give {entity}: {', '.join(given)}"] if given else []
    return lines + ([f"take {entity}: {', '.join(taken)}"] if taken else [])


def _answer_lines(act: Act) -> list[str]:
    """Return lines for the calls of can_push."""
    answers = [(question, value_text(verdict)) for *question, verdict in act.answers]
    if act.failed_question is not None:
        answers.append(([*act.failed_question], RAISES))
    return [f"asked {p} {q} {axis} {value_text(force)}: {word}" for (p, q, axis, force), word in answers]


def _plain(value: Any) -> Any:
    """Return an option of a motion as a Python value; it may be a NumPy scalar."""
    if isinstance(value, str | bool):
        return value
    return int(value) if hasattr(value, "__index__") else float(value) if not hasattr(value, "item") else value.item()


def _base64(data: bytes) -> list[str]:
    text = base64.b64encode(data).decode("ascii")
    return [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]


def _line(problem: BaseException) -> str:
    return _visible(f"{type(problem).__name__}: {problem}".replace("\n", " "))[:300]


def _visible(line: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in line)


def record_scene(target: Watched) -> Recording:
    """Record a system, game or puzzle from now on; `save` writes a scene file.

    Each frame costs a state hash, and each change a line of text. `stop` ends the recording, and so does the end of a
    `with` block.
    """
    return Recording(target)


def write_scene(target: Watched | Recording | Scene, path: str | os.PathLike[str], remark: str = "") -> Path:
    """Write the current state of a world, or a whole `Recording` or `Scene`, as a scene file; return its path.

    The file is written atomically. remark: lines for the head of the file, which the reader ignores.
    """
    if isinstance(target, Recording):
        return target.save(path, remark)
    if not isinstance(target, Scene):
        with record_scene(target) as recording:
            return recording.save(path, remark)
    player = Player(target)
    with Recording(player.world) as recording:
        for _ in player.play():
            pass
        return recording.save(path, remark or "\n".join(target.remarks))
