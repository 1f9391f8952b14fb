"""Strict reader of scene files, with limits; nothing in a file is ever executed.

    ecs_collision scene 1
    ; a remark
    settings: rule=sum
    can_push: yes

    bodies
    1 at 0.0 0.0 0.0: BoxCollider(hx=0.5, hy=0.5), Motion(force=2.0)
    2 at 1.0 0.0 0.0: BoxCollider(hx=0.5, hy=0.5), Inertia(value=1.0)

    acts
    move 1 by 1.0 0.0 0.0: force=2.0
      asked 1 2 x 2.0: none
      = 1 moved 1.0 0.0 0.0 of 1.0 0.0 0.0
    frame

    end
    = 1 at 1.0 0.0 0.0
    done

A line that begins with "=" is an outcome: its text is compared when the scene is played, but not parsed. Every error
names file, line and column, what was found and expected, and a remedy.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any

from ecs_collision.components import Component, Parts, Rotation, Transform
from ecs_collision.dynamics import StepArguments
from ecs_collision.dynamics.arguments import step_arguments
from ecs_collision.errors import CollisionError, LevelError
from ecs_collision.fixed_point import MAX_INTEGER, finite
from ecs_collision.levels.level import listed
from ecs_collision.levels.limits import MAX_SCENE_BYTES
from ecs_collision.levels.source import Source, open_source, short, shown, source_of
from ecs_collision.levels.value_parser import ValueParser
from ecs_collision.movement import MovementArguments
from ecs_collision.movement.arguments import movement_arguments
from ecs_collision.settings import PLAIN_SETTINGS, TEXT_SETTINGS, MotionOptions
from ecs_collision.testing.scene_words import KINDS, body_text, number_of, read_components
from ecs_collision.testing.scenes import FORGET, RAISES, TRACK, Change, Question, Scene, SceneAct, Vector
from ecs_collision.world import CollisionWorld

MAGIC, DONE, COMMENT = "ecs_collision scene 1", "done", ";"

SUFFIX = ".scene"

MAX_ACTS = 200_000
"""Maximum number of acts in a scene, and of frames."""

MAX_BODIES = 100_000
"""Maximum number of bodies in a scene."""

MOTION_OPTIONS = tuple(MotionOptions.__annotations__)
"""Options of a motion."""

ACTS = (
    "take in", "request", "move", "plan", "step dynamics", "step movement", "impulse", "frame", "frames", "keep",
    "back", "back to", TRACK, FORGET,
)  # fmt: skip
CHANGES = ("add", "remove", "place", "turn", "write", "give", "take")

REMEDY = "write the scene again, or correct the line by hand"

_HEADERS = f"'settings: ...', 'can_push: yes', {TRACK!r}, 'start' or 'bodies'"
_KEYWORD = re.compile(r"[a-z]+( in\b| to\b| overlaps\b| dynamics\b| movement\b)?", re.ASCII)
_INTEGER = re.compile(r" *([0-9]{1,19})(?![^\s:])", re.ASCII)
_NUMBER = re.compile(r' *("[^"]*"|[^\s:,]+)')
_PLAIN_VECTOR = re.compile(r" *(-?[0-9]{1,9}\.[0-9]{1,30})" * 3 + r"(?![^\s:,])", re.ASCII)
_ASKED = re.compile(r"asked ([0-9]{1,19}) ([0-9]{1,19}) ([xyz]) (\S+): (true|false|none|raises)", re.ASCII)


def load_scene(path: str | os.PathLike[str]) -> Scene:
    """Return the scene of a file; raises LevelError with the place of the first fault.

    `world()` creates the world at the start of the scene, `spawn()` adds it to esper, and `acts` lists what was done.
    """
    return scene_of(open_source(path, expected="a scene file", maximum=MAX_SCENE_BYTES))


def parse_scene(text: str | bytes, name: str = "scene") -> Scene:
    """Return the scene of a text; see `load_scene`."""
    return scene_of(source_of(text, name))


def is_scene(source: Source) -> bool:
    """Return whether a file is a scene, by its name or its first line."""
    return source.name.endswith(SUFFIX) or source.data.startswith(MAGIC.encode())


def scene_of(source: Source) -> Scene:
    """Return the scene of a source."""
    return _Reading(source).scene()


class _Line(ValueParser):
    """A line of a scene, parsed word by word."""

    def integer(self, what: str, maximum: int = MAX_INTEGER, minimum: int = 0) -> int:
        """Return a whole number of at least `minimum`."""
        match = _INTEGER.match(self.text, self.at)
        if match is None:
            raise self.unexpected(f"{what}, a whole number", REMEDY)
        self.next()
        if not minimum <= int(match[1]) <= maximum:
            bound = f"at most {maximum}" if int(match[1]) > maximum else f"at least {minimum}"
            raise self.error(match[1], f"{what}, {bound}", REMEDY)
        self.at = match.end()
        return int(match[1])

    def number(self, what: str) -> float:
        """Return a finite number."""
        match = _NUMBER.match(self.text, self.at)
        self.next()
        text = match[1].strip('"') if match else ""
        value = number_of(text)
        if match is None or not isinstance(value, int | float):
            raise self.unexpected(f"{what}, a number", REMEDY)
        try:
            found = finite(value, what)
        except CollisionError as problem:
            raise self.error(short(problem), f"{what}, a number", REMEDY) from problem
        self.at = match.end()
        return found

    def vector(self, what: str) -> Vector:
        """Return three numbers."""
        match = _PLAIN_VECTOR.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            return (float(match[1]), float(match[2]), float(match[3]))
        return (self.number(f"{what} x"), self.number(f"{what} y"), self.number(f"{what} z"))

    def rotation(self) -> Rotation:
        """Return a rotation."""
        self.next()
        column, value = self.column, number_of(self.value())
        try:
            return Transform(0, 0, rotation=value).rotation
        except CollisionError as problem:
            raise self.error(short(problem), "a rotation", REMEDY, column) from problem

    def word(self, word: str) -> None:
        """Read a given word, or raise."""
        self.next()
        if not re.compile(rf"{word}\b").match(self.text, self.at):
            raise self.unexpected(repr(word), REMEDY)
        self.at += len(word)

    def values(self, names: Iterable[str]) -> dict[str, Any]:
        """Return the values of `name=value, ...` up to the end of the line."""
        found: dict[str, Any] = {}
        for part in self.parts():
            if part.form != "property" or part.word not in names or part.word in found:
                raise self.error(
                    shown(part.word), f"each of {listed([*names])} at most once, with '='", REMEDY, part.column
                )
            found[part.word] = part.value if part.word in TEXT_SETTINGS else number_of(part.value)
        return found


class _Reading:
    """Parser of a scene file. `at` is the index of the next line."""

    def __init__(self, source: Source) -> None:
        self.source = source
        lines = source.lines()
        self.lines = ["" if line.startswith(COMMENT) else line for line in lines]
        remarks = takewhile(lambda line: line.startswith(f"{COMMENT} "), lines[1:])
        self.remarks = tuple(line[len(COMMENT) + 1 :] for line in remarks)
        self.at = 0
        self._known: dict[str, tuple[Component, ...]] = {}

    def scene(self) -> Scene:
        if not self.heading(MAGIC):
            found = shown(self.peek() or "")
            self.at += 1
            raise self.error(found, f"the first line {MAGIC!r}", "use a scene file written by this version")
        settings, has_can_push, start, tracks_overlaps = self._header()
        bodies = self._bodies()
        acts, end = tuple(self._acts()), tuple(self._end())
        line = self.next_line(f"the last line {DONE!r}")
        if line.text != DONE or self.peek() is not None:
            raise line.error(shown(line.text), f"{DONE!r} as the last line", REMEDY)
        scene = Scene(bodies, settings, has_can_push, start, acts, end, self.source.name, self.remarks, tracks_overlaps)
        self._check(scene)
        return scene

    def error(self, found: str, expected: str, remedy: str = REMEDY, line: int | None = None) -> LevelError:
        """Return the error for a line, by default the last one read."""
        return self.source.error(found, expected, remedy, line=self.at if line is None else line)

    # Lines.

    def peek(self) -> str | None:
        """Return the next non-empty line, or None at the end; `at` becomes its index."""
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1
        return self.lines[self.at] if self.at < len(self.lines) else None

    def next_line(self, expected: str) -> _Line:
        """Return the next non-empty line and advance; raises at the end."""
        text = self.peek()
        if text is None:
            raise self.error("the end of the file", expected, "use a complete copy")
        self.at += 1
        return _Line(self.source, self.at, text.rstrip())

    def heading(self, word: str) -> bool:
        """Read a heading if it comes next; return whether it did."""
        if (self.peek() or "").rstrip() != word:
            return False
        self.at += 1
        return True

    def indented(self) -> Iterator[_Line]:
        """Yield the indented lines that come next."""
        while (text := self.peek()) is not None and text.startswith("  "):
            self.at += 1
            yield _Line(self.source, self.at, text.rstrip(), start=2)

    def _header(self) -> tuple[dict[str, Any], bool, bytes | None, bool]:
        settings: dict[str, Any] | None = None
        has_can_push: bool | None = None
        start: bytes | None = None
        tracks_overlaps = False
        while not self.heading("bodies"):
            line = self.next_line(_HEADERS)
            if line.text.startswith("settings: ") and settings is None:
                line.at = len("settings: ")
                settings = self._settings(line)
            elif line.text == "can_push: yes" and has_can_push is None:
                has_can_push = True
            elif line.text == TRACK and not tracks_overlaps:
                tracks_overlaps = True
            elif line.text == "start" and start is None:
                start = self._data()
            else:
                raise line.error(shown(line.text), f"{_HEADERS}, once", REMEDY)
        return settings or {}, bool(has_can_push), start, tracks_overlaps

    def _settings(self, line: _Line) -> dict[str, Any]:
        settings = line.values(PLAIN_SETTINGS)
        bounds = settings.get("bounds")
        if isinstance(bounds, list):
            settings["bounds"] = tuple(tuple(corner) if isinstance(corner, list) else corner for corner in bounds)
        try:
            CollisionWorld(**settings)
        except CollisionError as problem:
            raise line.error(short(problem), "valid settings of a world", REMEDY) from problem
        return settings

    def _data(self) -> bytes:
        """Return the bytes encoded in indented lines."""
        text = "".join(line.text.strip() for line in self.indented())
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as problem:
            raise self.error("text that is not base64", "the bytes of a snapshot", REMEDY) from problem

    # Bodies.

    def _bodies(self) -> dict[int, Any]:
        found: dict[int, Any] = {}
        while (text := self.peek()) is not None and text[:1].isdigit():
            line = self.next_line("a body")
            entity = line.integer("a body")
            if entity in found:
                raise line.error(f"a second body {entity}", "each once", "remove one", 1)
            if len(found) == MAX_BODIES:
                raise line.error(f"more than {MAX_BODIES} bodies", "fewer", "divide the scene")
            found[entity] = Parts.of(self._body(line))
        return found

    def _body(self, line: _Line) -> tuple[Component, ...]:
        """Return the components of `at x y z: ...` or `at x y z turned rotation: ...`, the Transform first."""
        line.word("at")
        place, rotation = line.vector("the position"), None
        if line.next() == "t":
            line.word("turned")
            rotation = line.rotation()
        line.expect(":", "write the components after it")
        column = line.column
        components = self._components(line)
        parts = Parts.of(components)
        if parts.collider is None or parts.transform is not None:
            raise line.error(
                "a body without a collider, or with a Transform", "'at x y z: ' and a collider", REMEDY, column
            )
        return (Transform(*place, rotation), *components)

    def _components(self, line: _Line) -> tuple[Component, ...]:
        """Return the components up to the end of a line. Most bodies of a scene are alike: each text is parsed once."""
        text = line.text[line.at :]
        if text not in self._known:
            self._known[text] = read_components(line)
        line.at = len(line.text)
        return tuple(component.copy() for component in self._known[text])

    # Acts.

    def _acts(self) -> Iterator[SceneAct]:
        if not self.heading("acts"):
            return
        count = frames = 0
        saved = set[int]()
        while (text := self.peek()) is not None and text.rstrip() not in ("end", DONE):
            line = self.next_line("an act")
            act = self._act(line)
            count, frames = count + 1, frames + (act.count if act.kind == "frame" else 0)
            if max(count, frames) > MAX_ACTS:
                raise line.error(f"more than {MAX_ACTS} acts or frames", "fewer", "divide the scene", 1)
            if act.kind == "keep":
                saved.add(act.number)
            if act.kind == "back" and not act.data and act.number not in saved:
                raise line.error(f"back to {act.number}", "the number of a 'keep' above", REMEDY, 1)
            yield act

    def _act(self, line: _Line) -> SceneAct:
        match = _KEYWORD.match(line.text)
        kind = match[0] if match else ""
        line.at = len(kind)
        given: dict[str, Any] = {}
        if kind in ("request", "move", "plan"):
            given["entity"] = line.integer("a body")
            line.word("by")
            given["by"] = line.vector("the displacement")
            given["options"] = line.values(MOTION_OPTIONS) if kind != "request" and line.accept(":") else {}
        elif kind == "step dynamics":
            kind, given = "dynamics", {"options": self._step_arguments(line)}
        elif kind == "step movement":
            kind, given = "movement", {"options": self._movement_arguments(line)}
        elif kind == "impulse":
            given["entity"] = line.integer("a body")
            line.word("by")
            given["by"] = line.vector("the impulse")
            if line.next() == "a":
                line.word("at")
                given["point"] = line.vector("the point")
        elif kind == "frames":
            kind, given = "frame", {"count": line.integer("the number of frames", MAX_ACTS, 1), "outcome": ()}
        elif kind == "keep":
            given = {"number": line.integer("a number")}
        elif kind == "back to":
            kind, given = "back", {"number": line.integer("a number")}
        elif kind == "back":
            given = {"data": self._data()}
        elif kind not in ("take in", "frame", TRACK, FORGET):
            raise line.error(shown(line.text), f"an act, one of {listed(ACTS, 20)}; or 'end' or {DONE!r}", REMEDY, 1)
        line.end(REMEDY)
        return self._with_details(SceneAct(kind, line.line, **given))

    def _step_arguments(self, line: _Line) -> dict[str, Any]:
        line.expect(":", "write the arguments after it")
        given = {"dt": None, "gravity": (0.0, 0.0), "substeps": 4} | line.values(StepArguments._fields)
        try:
            return step_arguments(**given)._asdict()
        except CollisionError as problem:
            raise line.error(short(problem), "the arguments of a step", REMEDY) from problem

    def _movement_arguments(self, line: _Line) -> dict[str, Any]:
        line.expect(":", "write the arguments after it")
        given = {"dt": None, "gravity": (0.0, 0.0)} | line.values(MovementArguments._fields)
        try:
            return movement_arguments(**given)._asdict()
        except CollisionError as problem:
            raise line.error(short(problem), "the arguments of a step", REMEDY) from problem

    def _with_details(self, act: SceneAct) -> SceneAct:
        """Return an act with the contents of its indented lines."""
        changes: list[Change] = []
        answers: list[tuple[Question, Any]] = []
        outcome: list[str] = []
        for line in self.indented():
            text = line.text[2:]
            if text.startswith("= "):
                outcome.append(text[2:])
            elif act.kind == "take in":
                changes.append(self._change(line))
            elif act.kind in ("move", "plan", "movement", "frame") and not outcome:
                answers.append(_answer(line))
            else:
                raise line.error(shown(text), "'= an outcome'", REMEDY)
        return replace(act, changes=tuple(changes), answers=tuple(answers), outcome=tuple(outcome) or act.outcome)

    def _change(self, line: _Line) -> Change:
        match = _KEYWORD.match(line.text, 2)
        kind = match[0] if match else ""
        if kind not in CHANGES:
            raise line.error(shown(line.text.strip()), f"one of {listed(CHANGES)}", REMEDY)
        line.at = 2 + len(kind)
        entity, given = line.integer("an entity"), dict[str, Any]()
        if kind == "add":
            given["parts"] = self._body(line)
        elif kind == "place":
            line.word("at")
            given["position"] = line.vector("the position")
        elif kind == "turn":
            line.word("to")
            given["rotation"] = line.rotation()
        elif kind == "take":
            line.expect(":", "name the components after it")
            names = [part.word for part in line.parts()]
            if any(name not in KINDS for name in names):
                raise line.error(shown(names), f"some of {listed([*KINDS], 20)}", REMEDY)
            given["names"] = tuple(names)
        elif kind != "remove" and line.accept(":"):
            given["parts"] = self._components(line)
        line.end(REMEDY)
        return Change(kind, entity, **given)

    # The end.

    def _end(self) -> Iterator[str]:
        if self.heading("end"):
            while (text := self.peek()) is not None and text.startswith("= "):
                self.at += 1
                yield text.rstrip()[2:]

    def _check(self, scene: Scene) -> None:
        """Raise if no world can be made from the scene, or if its start does not match the bodies."""
        try:
            if scene.start is None:
                scene._validate()
                return
            bodies = scene.world()._bodies
        except CollisionError as problem:
            raise self.error(
                short(problem), "bodies and a start that are valid", "correct the named value", line=1
            ) from problem
        for entity, parts in scene.bodies.items():
            written, found = body_text(parts), body_text(bodies.of(bodies.row(entity)))
            if written != found:
                raise self.error(
                    short(f"body {entity} {written}, and in 'start' {found}"), "the same in both",
                    "delete 'start' and its lines to start with the bodies as written", line=1,
                )  # fmt: skip


def _answer(line: _Line) -> tuple[Question, bool | str | None]:
    text = line.text.strip()
    match = _ASKED.fullmatch(text)
    force = number_of(match[4].strip('"')) if match else None
    if match is None or not isinstance(force, int | float):
        raise line.error(
            shown(text),
            f"'= an outcome', or 'asked PUSHER PUSHED AXIS FORCE: true', false, none, {RAISES}",
            REMEDY,
        )
    verdict = {"true": True, "false": False, "none": None}.get(match[5], RAISES)
    return (int(match[1]), int(match[2]), match[3], float(force)), verdict
