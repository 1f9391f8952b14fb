"""The bytes of a body by object and by array, each world in a fresh interpreter.

`python -m benchmarks.memory_parts COUNT KIND` prints them for one kind of world. Arrays, and tables with an entry for
each body, are counted by the class and the attribute that hold them; all other objects by type, among them the arrays
that only compiled loops see. The rest is what is small, and what the allocators keep or round up.
"""

from __future__ import annotations

import gc
import json
import sys
import types
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from benchmarks.memory import COUNT, KINDS, in_a_fresh_interpreter, resident
from benchmarks.report import Report
from ecs_collision import CollisionWorld
from ecs_collision.systems import CollisionSystem

WORLDS = {kind: KINDS[kind] for kind in ("engine", "esper")}
SMALLEST_SHOWN = 4.0
"""Bytes a body: what is smaller is added to the rest."""
ATTRIBUTES = (types.MemberDescriptorType, types.GetSetDescriptorType)
OWN = "ecs_collision"
Sizes = Counter[str]


def attributes(thing: object) -> Iterator[tuple[str, Any]]:
    """Yield the stored attributes of an object of this package; properties are not called."""
    yield from getattr(thing, "__dict__", {}).items()
    for name in dir(type(thing)):
        if not name.startswith("__") and isinstance(getattr(type(thing), name, None), ATTRIBUTES):
            yield name, getattr(thing, name, None)


def by_name(root: object, count: int) -> dict[int, str]:
    """Return class and attribute of arrays and large tables by the id of these objects."""
    names: dict[int, str] = {}
    seen, waiting = {id(root)}, [root]
    while waiting:
        holder = waiting.pop()
        for name, thing in attributes(holder):
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            if isinstance(thing, memoryview) and thing.contiguous:  # a view of whole records
                thing = thing.obj
            if isinstance(thing, array) or (isinstance(thing, list | dict | set) and len(thing) >= count):
                names[id(thing)] = f"{type(holder).__name__}.{name}"
            elif type(thing).__module__.startswith(OWN):
                waiting.append(thing)
    return names


def by_id(objects: Iterable[object]) -> dict[int, tuple[str, int]]:
    """Return the type and the bytes of objects by id, and of what they hold that gc does not track."""
    found: dict[int, tuple[str, int]] = {}
    for thing in objects:
        for each in (thing, *(inner for inner in gc.get_referents(thing) if not gc.is_tracked(inner))):
            found[id(each)] = (type(each).__name__, sys.getsizeof(each))
    return found


def parts(kind: str, count: int) -> dict[str, float]:
    """Return the bytes for each body in this process, by object and array."""
    make = KINDS[kind][1]
    kept = [make(10)]  # the first body also loads what later ones share
    gc.collect()
    before = resident()
    kept.append(make(count))
    in_all = resident() - before
    there = {*by_id(gc.get_objects())}
    kept.append(make(count + 1))  # a second world: looking for what was there before took memory
    found = by_id(
        thing for thing in gc.get_objects() if thing is not there
    )  # before attributes are read: that makes more
    made: Any = kept[-1]
    root = made if isinstance(made, CollisionWorld) else made.system
    assert isinstance(root, CollisionWorld | CollisionSystem)
    names = by_name(root, count)
    sizes: Sizes = Counter()
    for id_of in found.keys() - there:
        type_name, size = found[id_of]
        sizes[names.get(id_of, type_name)] += size
    large = {name: value / count for name, value in sizes.most_common() if value >= SMALLEST_SHOWN * count}
    return large | {"the rest": in_all / count - sum(large.values())}


def memory_parts() -> Report:
    """Measure the bytes for each body by object and array."""
    labels = [label for label, _ in WORLDS.values()]
    report = Report("memory-parts", f"bytes for each of {COUNT:,} bodies by object and array", ("", *labels))
    found = {kind: in_a_fresh_interpreter("benchmarks.memory_parts", kind) for kind in WORLDS}
    every = sorted({name for each in found.values() for name in each}, key=lambda name: _order(found, name))
    for name in every:
        report.rows.append((name, *(f"{each[name]:,.0f}" if name in each else "" for each in found.values())))
    report.rows.append(("in all", *(f"{sum(each.values()):,.0f}" for each in found.values())))
    report.figures = {f"{kind}, {name}": value for kind, each in found.items() for name, value in each.items()}
    return report


def _order(found: dict[str, dict[str, float]], name: str) -> tuple[bool, float, str]:
    """Return the place of a row: the largest first, the rest last."""
    return (name == "the rest", -max(each.get(name, 0.0) for each in found.values()), name)


if __name__ == "__main__":
    print(json.dumps(parts(sys.argv[2], int(sys.argv[1]))))
