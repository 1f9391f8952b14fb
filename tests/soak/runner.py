"""Runs Python code line by line and records it, so that a printed failure is the code that ran."""

from __future__ import annotations

import functools
import types
from typing import Any

PREAMBLE = """\
import esper
from ecs_collision import *
from ecs_collision.components import Parts

inf, nan = float("inf"), float("nan")
saved, hashes, kept, heard, todo = {}, {}, {}, [], {}
hook = {"does": None}


class Oops(Exception):
    pass


class Broken(BaseException):
    pass


class Before(esper.Processor):
    def process(self, *given, **named):
        todo.pop("before", int)()


class After(esper.Processor):
    def process(self, *given, **named):
        todo.pop("after", int)()


def can_push(pusher, pushed, axis, force):
    if hook["does"] is not None:
        return hook["does"](pusher)
    if pusher < pushed and (3 * pusher + pushed + "xyz".index(axis)) % 4 == 0:
        return False
    return True if (pushed + "xyz".index(axis)) % 3 == 0 else None


def hear(event):
    heard.append(plain(event))
    todo.pop(len(heard), int)()


def listen(system):
    for kind in (Moved, Pushed, Blocked, Overlapped, TriggerLeft, TriggerEntered, TriggerStayed, ContactEnded,
                 ContactBegan):
        system.on(kind, hear)


def listen_to_esper():
    for name in ("moved", "pushed", "blocked", "overlapped", "trigger_left", "trigger_entered", "trigger_stayed",
                 "contact_ended", "contact_began"):
        esper.set_handler("collision_" + name, hear)


def plain(event):
    values = [getattr(event, name) for name in type(event).__slots__]
    return (type(event).__name__, *(getattr(value, "name", value) for value in values))


def events_of(system):
    return [plain(event) for event in system.events if type(event) not in (Woke, FellAsleep)]


def result_values(result):
    stops = [
        (stop.axis, stop.blocker, stop.reason.name, stop.allowed, stop.direction, stop.blockers)
        for stop in result.stops
    ]
    links = [(link.pusher, link.pushed, link.axis, link.gap) for link in result.links]
    return (result.entity, result.requested, result.moved, dict(result.pushed), stops, links, result.complete)


def part(entity, kind):
    return esper.component_for_entity(entity, kind)
"""
"""The start of every script; the driver uses the same functions."""


@functools.lru_cache(maxsize=20_000)
def _compiled(text: str, mode: str) -> types.CodeType:
    return compile(text, "<operation>", mode)


class Runner:
    """Runs lines of Python and records them."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.lines: list[str] = []
        self.calls = 0
        exec(_compiled(PREAMBLE + REBUILT, "exec"), self.names)

    def do(self, text: str) -> None:
        """Run and record lines; exceptions propagate."""
        self.lines.append(text)
        self.calls += 1
        exec(_compiled(text, "exec"), self.names)

    def evaluate(self, text: str) -> Any:
        """Return the value of an expression, which is not recorded."""
        self.calls += 1
        return eval(_compiled(text, "eval"), self.names)


def indented(lines: list[str]) -> str:
    """Return lines as the body of a function."""
    return "\n".join(f"    {line}" for text in lines or ["pass"] for line in text.split("\n"))


def refused(text: str, error: str) -> str:
    """Return lines that fail unless `text` raises `error`."""
    otherwise = f"else:\n    raise AssertionError({text + ' was not refused'!r})"
    return f"try:\n{indented([text])}\nexcept {error}:\n    pass\n{otherwise}"


REBUILT = """\
def rebuilt(bin_size, entities):
    world = CollisionWorld(bin_size=bin_size)
    kinds = (Transform, BoxCollider, CompoundCollider, SphereCollider, CapsuleCollider, OrientedBoxCollider, Inertia,
             Motion, Sleeping, Static, Trigger, Fused, Contact)
    for entity in entities:
        parts = {kind: esper.try_component(entity, kind) for kind in kinds}
        names = {kind: "collider" if kind.__name__.endswith("Collider") else kind.__name__.lower() for kind in kinds}
        made = {names[kind]: part.copy() for kind, part in parts.items() if part is not None}
        world._stage(entity, Parts(**made))  # all at once, because fusing to a sleeper later wakes it
    return world


def index_of(world):
    space = world.space
    regions = [(region.asleep, tuple(region.cells)) for region in space.regions()]
    return list(space.cells), list(space.static_cells), regions, space.pairs(), space.pairs(triggers=True)
"""
"""The part of the preamble for scripts that compare the index with a rebuilt one."""
