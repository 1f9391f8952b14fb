"""Traces the call paths in ARCHITECTURE: a moved trigger up to its handler, and a push of two crates.

A hop is a call from one file of the package to a function of another file that makes further calls. Repeated hops and
calls inside the index are left out, and so are the guard of calls and the growth of arrays. Both paths are printed by
`python tests/support/call_paths.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

if __name__ == "__main__":
    os.environ["ECS_COLLISION_PURE"] = "1"  # compiled functions cannot be traced

import esper

import ecs_collision
from ecs_collision import BoxCollider, CollisionSystem, Inertia, Motion, Transform, Trigger
from ecs_collision.events import TriggerEntered

PACKAGE = str(Path(ecs_collision.__file__).parent) + os.sep
INDEX = "broadphase/"


class Call(NamedTuple):
    """A call of a function, and the calls that it made."""

    file: str
    function: str
    calls: list[Call]


def traced(action: Callable[[], object]) -> Call:
    """Return the calls of an action within the package."""
    root = Call("", "", [])
    stack = [root]

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        file = code.co_filename.removeprefix(PACKAGE)
        if file in (code.co_filename, "access.py", "_arrays.py") or code.co_name.startswith("<"):
            return
        if event == "call":
            call = Call(file, code.co_qualname, [])
            stack[-1].calls.append(call)
            stack.append(call)
        elif event == "return":
            stack.pop()

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return root


def hops(call: Call, seen: set[tuple[str, str]], caller: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the hops below a call: the function, indented by depth, and its file."""
    for each in call.calls:
        is_inside = call.file.startswith(INDEX) and each.file.startswith(INDEX)
        if each.file == call.file or is_inside or not each.calls:
            yield from hops(each, seen, caller, depth)
        elif (caller, each.function) not in seen:
            seen.add((caller, each.function))
            yield "  " * depth + each.function, each.file
            yield from hops(each, seen, each.function, depth + 1)


def path_of(action: Callable[[], object]) -> list[str]:
    """Return the path of an action, one line per hop."""
    found = list(hops(traced(action), set()))
    width = max([len(function) for function, _ in found]) + 2
    return [f"{function:{width}}{file}" for function, file in found]


def moved_trigger() -> list[str]:
    """Return the path of a trigger that moves into a body, from `process` to the handler of its event."""
    system, events = CollisionSystem(), []
    esper.add_processor(system)
    zone = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Trigger(), Motion())
    esper.create_entity(Transform(3, 0), BoxCollider(0.5, 0.5))
    system.on(TriggerEntered, events.append, trigger=zone)
    for by in (-1, 1, 3):
        system.request(zone, by)
        path = path_of(esper.process)
    assert 1 == len(events)
    return path


def pushed_crates() -> list[str]:
    """Return the path of a move that pushes two crates."""
    system = CollisionSystem()
    esper.add_processor(system)
    mover = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion(force=9))
    for x in (1, 2):
        esper.create_entity(Transform(x, 0), BoxCollider(0.5, 0.5), Inertia(1))
    for by in (-1, 1):
        system.move(mover, by)
    return path_of(lambda: system.move(mover, 1))


if __name__ == "__main__":
    for name, action in (("a", moved_trigger), ("b", pushed_crates)):
        esper.switch_world(name)
        print(*action(), sep="\n", end="\n\n")
