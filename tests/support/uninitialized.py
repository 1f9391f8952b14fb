"""Create every compiled object in every state that Python can make, and use it: a crash ends this process.

test_uninitialized.py runs this in a process of its own. It prints a line for every class, and for every other fault.
"""

from __future__ import annotations

import copy
import copyreg
import faulthandler
import gc
import importlib
import inspect
import itertools
import operator
import pickle
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import esper

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Motion,
    MoveResult,
    Sleeping,
    Space,
    Static,
    Transform,
    Trigger,
    overlapping_pairs,
)
from ecs_collision._build import hot_file_names, plain_hot_files
from ecs_collision.components import Component
from ecs_collision.components.bound import Bound

NO_NUMBERS: tuple[Any, ...] = (None, "x", object(), [], Transform)
"""Values that no kernel accepts. Invalid rows are left out: kernels do not check them, and games cannot call them."""
ANYTHING: tuple[Any, ...] = (*NO_NUMBERS, 0, -1, 1 << 40, 0.5, float("nan"), (1, 2), ((0, 0), (1, 1)), b"abc")
MAX_ARGUMENTS = 9
"""Maximum number of arguments."""

DOORS = (Space, MoveResult, Bound)
"""Classes of objects that games have: any value may be passed to them."""


VIEWS = "ecs_collision._memoryviews"
"""The module of Cython's own classes for views of arrays."""

FOR_VIEWS: tuple[Any, ...] = (
    None, b"abcdefgh", array("q", range(9)), 0, 4, 0x1C, 0x13D, (5,), (1 << 40, 1 << 40), "i", "O", "c", True, False,
)  # fmt: skip
"""Arguments of views and arrays of Cython: buffers, flags, a shape and sizes, formats, and booleans."""

INDEXES: tuple[Any, ...] = (
    *ANYTHING,
    ...,
    slice(None),
    slice(0, 2),
    slice(None, None, -1),
    (slice(None),),
    -9,
    1 << 70,
)

SPECIAL = ("__repr__", "__hash__", "__bool__", "__len__", "__eq__", "__reduce__")


def modules() -> list[ModuleType]:
    return [importlib.import_module(f"ecs_collision.{name}") for name in hot_file_names()]


def classes() -> list[type[Any]]:
    """Return every class of a compiled module, and the components derived from them."""
    found = [
        thing
        for module in modules()
        for thing in vars(module).values()
        if isinstance(thing, type) and thing.__module__ == module.__name__
    ]
    todo: list[type[Any]] = [Component]
    while todo:
        todo += todo[0].__subclasses__()
        found.append(todo.pop(0))
    return [kind for kind in dict.fromkeys(found) if not issubclass(kind, Exception)]


def attempt(call: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a call, or None if it raises."""
    try:
        found = call(*arguments)
        return list(zip(range(3), found, strict=False)) if inspect.isgenerator(found) else found
    except Exception:
        return None


def poke(thing: Any, junk: Sequence[Any]) -> None:
    """Read every attribute of an object, and call every method with the values of `junk`."""
    for name in dir(thing):
        if name.startswith("__") and name not in SPECIAL:
            continue
        member = attempt(getattr, thing, name)
        if callable(member) and not isinstance(member, type):
            for count in range(MAX_ARGUMENTS):
                for value in junk if count else junk[:1]:
                    attempt(member, *[value] * count)
        if not name.startswith("__") and not callable(member):
            for value in junk:
                attempt(setattr, thing, name, value)
            attempt(delattr, thing, name)


def revive(kind: type[Any]) -> Iterator[Any]:
    """Yield objects of a class made without `__init__`, or with a failing one."""
    for base in kind.__mro__:
        yield attempt(base.__new__, kind)
        for value in NO_NUMBERS:
            yield from (attempt(base.__new__, kind, *[value] * count) for count in range(1, MAX_ARGUMENTS))
    yield attempt(copyreg.__newobj__, kind)  # type: ignore[attr-defined]
    yield attempt(copyreg._reconstructor, kind, object, None)  # type: ignore[attr-defined]
    yield attempt(type, "Heir", (kind,), {})
    module = sys.modules[kind.__module__]
    for name in dir(module):
        if name.startswith("__pyx_unpickle"):
            unpickle = getattr(module, name)
            yield from (attempt(unpickle, kind, checksum, None) for checksum in (0, 1))
    for count in range(MAX_ARGUMENTS):
        yield from (attempt(kind, *[value] * count) for value in NO_NUMBERS)


def see(view: Any) -> None:
    """Use a view in every way: its attributes and methods, items and slices, and as a buffer."""
    poke(view, (*NO_NUMBERS, 0, 1))
    for use in (len, list, str, bytes, memoryview, copy.copy):
        attempt(use, view)
    for index in INDEXES:
        attempt(lambda index=index: view[index][...])
        attempt(lambda index=index: type(view).__getitem__(view, index))
        attempt(operator.delitem, view, index)
        for value in ANYTHING:
            attempt(operator.setitem, view, index, value)
            attempt(lambda index=index, value=value: type(view).__setitem__(view, index, value))
    for part in (attempt(lambda: view[:]), attempt(lambda: view.copy()), attempt(lambda: view.T)):
        poke(part, NO_NUMBERS)


def try_views() -> None:
    """Make views and arrays of Cython from Python, and use those of an otherwise unused world."""
    module = importlib.import_module(VIEWS)
    for kind in [thing for thing in vars(module).values() if isinstance(thing, type)]:
        print(VIEWS, kind.__name__, flush=True)
        heir = attempt(type, "Heir", (kind,), {})
        makers: list[Any] = [attempt(getattr, base, "__new__") for base in kind.__mro__]
        for count in range(5):
            for given in (
                itertools.product(FOR_VIEWS, repeat=count) if count < 4 else zip(*[FOR_VIEWS] * 4, strict=True)
            ):
                for made in (attempt(kind, *given), heir and attempt(heir, *given)):
                    if isinstance(made, kind):
                        see(made)
                if count < 3:
                    for maker, base in itertools.product(makers, (kind, heir)):
                        made = base and attempt(maker, base, *given)
                        if isinstance(made, kind):
                            see(made)
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1))
    world.step()
    for thing in (world.bodies.dynamic, world.bodies.static, world.bodies.dynamic.cells):
        for name in dir(thing):
            member = attempt(getattr, thing, name)
            if type(member).__module__ == module.memoryview.__module__:
                print(type(thing).__name__, name, flush=True)
                see(member)


def look_at_all(kinds: Sequence[type[Any]]) -> None:
    """Read every attribute of every object of compiled classes."""
    for thing in [each for each in gc.get_objects() if type(each) in kinds]:
        for name in dir(thing):
            attempt(getattr, thing, name)


def once_more(thing: Any) -> None:
    """Initialize, copy and pickle an object that is in use."""
    for count in range(MAX_ARGUMENTS):
        for value in ANYTHING if count else ANYTHING[:1]:
            attempt(thing.__init__, *[value] * count)
    for name in ("__setstate__", "__setstate_cython__", "__reduce_cython__"):
        member = getattr(thing, name, None)
        for value in ANYTHING:
            attempt(member or len, value)
    for protocol in range(6):
        attempt(thing.__reduce_ex__, protocol)
        attempt(pickle.dumps, thing, protocol)
    for made in (attempt(copy.copy, thing), attempt(copy.deepcopy, thing)):
        if isinstance(made, DOORS):
            poke(made, ANYTHING)


def a_game() -> tuple[CollisionSystem, CollisionWorld]:
    """Return engines that have run every kernel."""
    system, world = CollisionSystem(can_push=lambda *_: None), CollisionWorld(order="front_first")
    esper.add_processor(system)
    crate = esper.create_entity(Transform(2, 0), BoxCollider(0.5, 0.5), Inertia(1), Sleeping(after=1))
    esper.create_entity(Transform(2, 1), BoxCollider(0.5, 0.5), Inertia(1), Fused(crate))
    esper.create_entity(Transform(9, 0), BoxCollider(0.5, 0.5), Static())
    zone = esper.create_entity(Transform(3, 0), BoxCollider(0.5, 0.5), Trigger(swept=True, stay=True, linger=2))
    for row in range(200):
        esper.create_entity(Transform(row % 20, 5 + row // 20, 1), BoxCollider(0.625, 0.625), Motion())
    player = esper.create_entity(Transform(0, 0), CompoundCollider([Box(0.5, 0.5)] * 2), Motion(9))
    world.add(transform=Transform(0, 0), collider=BoxCollider(1, 1), motion=Motion(1))
    for _ in range(3):
        for entity, (motion,) in esper.get_components(Motion):
            motion.move(0.25, 0.25 if entity != player else 0)
        esper.process()
        world.step()
    system.move(player, dx=1)
    system.space.pairs_array()
    system.space.overlapping_many([(0, 0)], [(9, 9)])
    system.inside(zone)
    overlapping_pairs([(0, 0), (1, 1)], [(2, 2), (3, 3)])
    system.check()
    return system, world


def main() -> None:
    faulthandler.enable()
    faulthandler.dump_traceback_later(500, exit=True)  # prints where it hangs
    if plain_hot_files():
        raise SystemExit(f"not compiled: {', '.join(plain_hot_files())}; run make compile")
    kinds = classes()
    empty = CollisionWorld()
    look_at_all(kinds)
    system, _world = a_game()  # both stay alive
    look_at_all(kinds)
    try_views()
    alive: dict[type[Any], Any] = {type(each): each for each in gc.get_objects() if type(each) in kinds}
    alive[MoveResult] = system.move(1, dx=0.5)
    alive[Space] = system.space
    before = system.snapshot()
    for kind in kinds:
        print(kind.__module__, kind.__name__, flush=True)
        for made in revive(kind):
            if kind in type(made).__mro__:
                poke(made, ANYTHING if isinstance(made, DOORS) else NO_NUMBERS)
        if kind in alive:
            once_more(alive[kind])
    empty.check()
    system.check()
    if system.snapshot() != before:
        print("WRONG: calls of kernels in use changed the state")
    for kind in (*Component.__subclasses__(), Space, MoveResult):
        if kind in alive:
            poke(alive[kind], ANYTHING)
    for module in modules():
        for name, function in vars(module).items():
            if inspect.isroutine(function) and getattr(function, "__module__", "") == module.__name__:
                print(module.__name__, name, flush=True)
                for count in range(MAX_ARGUMENTS):
                    for value in NO_NUMBERS:
                        attempt(function, *[value] * count)
    print("survived", flush=True)


if __name__ == "__main__":
    main()
