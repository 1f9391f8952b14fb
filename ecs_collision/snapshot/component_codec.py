"""What seldom changes, as records: the configuration, and of each body the fields of its components.

A record is what the constructor of a component takes, so whoever reads one lets the constructor judge it. Positions,
requests and the state of sleep change every turn and are kept apart (snapshots.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ecs_collision.components import COMPONENT_TYPES, Component, Parts, Transform, kept_fields
from ecs_collision.errors import CollisionError, SnapshotError
from ecs_collision.settings import PLAIN_SETTINGS, Settings
from ecs_collision.snapshot.codec import pack, unpack

FIELDS = {kind: tuple([each.name for each in kept_fields(kind) if not each.is_apart]) for kind in COMPONENT_TYPES}
"""The fields of each component that are part of its record. Kinds are numbered in this order."""

_BITS = {kind: 1 << number for number, kind in enumerate(FIELDS)}


def kinds_of(parts: Parts) -> int:
    """Return which kinds of components a body has, a bit each."""
    return sum([_BITS[type(part)] for part in parts if part is not None])


def record_of(parts: Parts) -> bytes:
    """Return the record of a body."""
    return pack(tuple([_values(part) for part in parts if part is not None]))


def _values(component: Component) -> tuple[Any, ...]:
    return tuple([getattr(component, field) for field in FIELDS[type(component)]])


def parts_in(entity: int, record: bytes, parts: Parts) -> Parts:
    """Return parts like these with the fields a record tells of, in new components but for the Transform.

    Raises SnapshotError naming entity, component and fault.
    """
    record_values = unpack(record)
    kinds = [type(part) for part in parts if part is not None]
    if not isinstance(record_values, tuple) or len(record_values) != len(kinds):
        raise SnapshotError(f"the snapshot tells nothing that makes sense of entity {entity}")
    values = iter(record_values)
    return Parts(*[None if part is None else _component(entity, part, next(values)) for part in parts])


def _component(entity: int, part: Component, values: Any) -> Any:
    kind = type(part)
    try:
        component = part if kind is Transform else kind(**dict(zip(FIELDS[kind], values, strict=True)))
        is_unchanged = pack(_values(component)) == pack(values)
    except (CollisionError, ValueError, TypeError, AssertionError) as cause:
        raise SnapshotError(f"entity {entity}: the snapshot holds no legal {kind.__name__}: {cause}") from cause
    if not is_unchanged:
        raise SnapshotError(f"entity {entity}: the snapshot holds a {kind.__name__} that no entity can have: {values}")
    return component


def _kinds(kinds: int) -> Iterator[type[Component]]:
    return (kind for kind, bit in _BITS.items() if kinds & bit)


def copy_fields(parts: Parts, wanted: Parts) -> None:
    """Give components the fields of others of their kinds, without telling anybody; sleep and position are apart."""
    for component, other in zip(parts, wanted, strict=True):
        if component is not None and other is not component:
            for name in component._values:
                if name != "_asleep":
                    setattr(component, name, getattr(other, name))


# Differences, in words.


def kind_differences(entity: int, here: int, there: int) -> Iterator[str]:
    """Yield which components a body has in a world and not in a snapshot, and the other way round."""
    for kind in _kinds(here & ~there):
        yield f"entity {entity} has a {kind.__name__} here and none in the snapshot"
    for kind in _kinds(there & ~here):
        yield f"entity {entity} has a {kind.__name__} in the snapshot and none here"
    if there >= 1 << len(_BITS):
        yield f"entity {entity} has a component in the snapshot that this version does not know"


def settings_record(settings: Settings) -> bytes:
    """Return the record of a configuration; of the hook only whether there is one."""
    return pack((*settings.plain().values(), settings.can_push is not None))


def setting_differences(here: bytes, there: bytes) -> Iterator[str]:
    """Yield which settings differ between two records."""
    if here == there:
        return
    mine, theirs = unpack(here), unpack(there)
    if not isinstance(theirs, tuple) or len(theirs) != len(mine):
        yield "the snapshot tells nothing that makes sense of its configuration"
        return
    for name, a, b in zip(PLAIN_SETTINGS, mine, theirs, strict=False):
        if pack(a) != pack(b):
            yield f"{name} is {a!r} here and {b!r} in the snapshot"
    if mine[-1] is not theirs[-1]:
        has, lacks = ("this world", "the snapshot") if mine[-1] else ("the snapshot", "this world")
        yield f"{has} has a can_push hook and {lacks} has none"


def summary(differences: Iterable[str], max_count: int = 8) -> str:
    """Return differences as one text, the first few of them."""
    found = list(differences)
    more = [f"and {len(found) - max_count} more"] if len(found) > max_count else []
    return "; ".join([*found[:max_count], *more])
