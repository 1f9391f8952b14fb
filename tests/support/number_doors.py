"""Every public parameter that takes numbers, found in the signatures of what a user can import."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Iterator
from typing import Any

import ecs_collision
from ecs_collision import game, levels, testing
from ecs_collision.solver import fewest_pushes as solver

NUMERIC = re.compile(r"\b(float|int|bool|Real|Corners|ArrayLike|Vector|Box|Control|Any)\b|\.int\b|longlong")
"""How the annotations of parameters read that may take numbers."""

MADE_BY_US = frozenset((
    "Blocked", "Cell", "Condition", "Event", "FellAsleep", "Frame", "FrozenMap", "Link", "MoveResult", "Moved",
    "NamedEvent", "Plan", "Pushed", "Region", "Rule", "Space", "Stats", "Stop", "Subscription", "Sweep", "ThingName",
    "TriggerEntered", "TriggerLeft", "TriggerStayed", "Turn", "Woke",
))  # fmt: skip
"""What a user gets and does not make: what their constructors are given comes from the engine."""


ELSEWHERE: dict[str, str] = {
    "Board.components": "classes",
    "Board.get.component": "a name or a class",
    "Board.settings": "handed on to CollisionSystem",
    "CollisionSystem.priority =": "set by esper, in its own order of processors",
    "CollisionSystem.process.args": "whatever esper passes to every processor is ignored (E5)",
    "CollisionSystem.process.kwargs": "whatever esper passes to every processor is ignored (E5)",
    "CompoundCollider.parts": "boxes, made before",
    "CompoundCollider.parts =": "boxes, made before",
    "FrozenMap.get.default": "any value at all",
    "FrozenMap.get.key": "any value at all",
    "Game.fuse.others": "names",
    "Game.get.component": "a name or a class",
    "Game.set.component": "a name or a class",
    "Game.set.unnamed": "refused, whatever it is",
    "Game.state =": "any values that can be saved",
    "Level.size": "how large the level says it is: nothing is placed by it",
    "Motion.drop_remainder.axis": "called by the engine",
    "Motion.rollback.frame": "called by the engine",
    "Motion.take.frame": "called by the engine",
    "Motion.take.way": "called by the engine",
    "Push.by": "handed on to move when it is made",
    "Push.entity": "handed on to move when it is made",
    "Push.how": "handed on to move when it is made",
    "Push.make.entities": "handed on to move",
    "Puzzle.how": "handed on to Game",
    "Puzzle.process_arguments =": "handed on to esper",
    "Recorder.order.patterns": "compared with events",
    "Recorder.target": "a system, a world, a board or a game",
    "Rule.judge.value": "what the rule itself saved",
    "Rule.load.value": "what the rule itself saved",
    "Scene.asks": "written by who records a scene",
    "Scene.bodies": "components, made before",
    "Scene.settings": "handed on to CollisionWorld",
    "Thing.boxes": "boxes, made before",
    "assert_blocked.after": "compared with what happened",
    "assert_events.ordered": "compared with what happened",
    "assert_moved.by": "compared with what happened",
    "assert_no_overlap.target": "a system, a world, a board or a game",
    "assert_pushed.by": "compared with what happened",
    "assert_same_future.a": "a system, a world, a board or a game",
    "assert_same_future.b": "a system, a world, a board or a game",
    "assert_same_future.of": "a system, a world, a board or a game",
    "fresh_world.settings": "handed on to CollisionSystem",
    "load_level.how": "handed on to load_levels",
    "load_levels.kinds": "components of a level, refused by the words for files (test_levels_text.py)",
    "parse_level.how": "handed on to parse_levels",
    "parse_levels.kinds": "components of a level, refused by the words for files (test_levels_text.py)",
    "push.by": "handed on to move when it is made",
    "push.entity": "handed on to move when it is made",
    "push.how": "handed on to move when it is made",
    "record.target": "a system, a world, a board or a game",
    "scene.bodies": "components, made before",
    "scene.settings": "handed on to CollisionWorld",
}
"""What reads as if it took numbers and takes none of its own, and why."""


def numeric_doors() -> set[str]:
    """Return the names of the parameters that may take numbers."""
    return {
        name
        for name, parameter in doors()
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) or NUMERIC.search(_annotation(parameter))
    }


def is_settable(name: str) -> bool:
    """Return whether a row names a field of a compiled class, which does not show what it takes."""
    cls, _, field = name.removesuffix(" =").partition(".")
    member = inspect.getattr_static(getattr(ecs_collision, cls, None), field, None)
    return name.endswith(" =") and inspect.isgetsetdescriptor(member)


def _annotation(parameter: inspect.Parameter) -> str:
    """Return an annotation as it is written; what has none may be a number."""
    return "Any" if parameter.annotation is parameter.empty else str(parameter.annotation)


def doors() -> Iterator[tuple[str, inspect.Parameter]]:
    """Yield name and parameter of everything public; what a public class inherits from another one, once."""
    rooms = (levels, game, ecs_collision, testing)
    public = {name: getattr(room, name) for room in rooms for name in room.__all__}
    classes = {thing for thing in public.values() if isinstance(thing, type)}
    for name, thing in {**public, "solve": solver.solve}.items():
        if thing in classes and not issubclass(thing, BaseException | enum.Enum):
            yield from _of_class(name, thing, classes)
        elif inspect.isroutine(thing):
            yield from _of_call(name, thing)


def _of_class(name: str, cls: type[Any], classes: set[type[Any]]) -> Iterator[tuple[str, inspect.Parameter]]:
    if name not in MADE_BY_US:
        yield from _of_call(name, cls)
    for field in dir(cls):
        member = inspect.getattr_static(cls, field)
        elsewhere = [inspect.getattr_static(base, field, None) for base in cls.__mro__[1:] if base in classes]
        if field.startswith("_") or member in elsewhere:
            continue
        if isinstance(member, property) and member.fset is not None:
            _, value = inspect.signature(member.fset).parameters.values()
            yield f"{name}.{field} =", value
        elif isinstance(member, classmethod | staticmethod):
            yield from _of_call(f"{name}.{field}", member.__func__)
        elif inspect.isroutine(member) and not inspect.isgetsetdescriptor(member):
            yield from _of_call(f"{name}.{field}", member)


def _of_call(name: str, call: Any) -> Iterator[tuple[str, inspect.Parameter]]:
    for parameter in inspect.signature(call).parameters.values():
        if parameter.name not in ("self", "cls"):
            yield f"{name}.{parameter.name}", parameter
