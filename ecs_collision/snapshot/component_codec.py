"""Records of the settings, and of the component fields of each body.

A record has the arguments of a component's constructor, so reading it runs the constructor's checks. Positions,
velocities, lifetimes, requests and the sleep state change every turn and are stored elsewhere (snapshots.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ecs_collision.components import (
    COMPONENT_TYPES,
    Component,
    Lifetime,
    Parts,
    Sleeping,
    Transform,
    Velocity,
    stored_fields,
)
from ecs_collision.errors import CollisionError, SnapshotError
from ecs_collision.settings import DEFAULTS, PLAIN_SETTINGS, Settings
from ecs_collision.snapshot.codec import pack, unpack

FIELDS = {kind: tuple([each.name for each in stored_fields(kind) if not each.is_volatile]) for kind in COMPONENT_TYPES}
"""The fields of each component that are part of its record. Kinds are numbered in this order."""

_BITS = {kind: 1 << number for number, kind in enumerate(FIELDS)}


def kinds_of(parts: Parts) -> int:
    """Return the kinds of components of a body, one bit each."""
    return sum([_BITS[type(part)] for part in parts if part is not None])


def record_of(parts: Parts) -> bytes:
    """Return the record of a body."""
    return pack(tuple([_values(part) for part in parts if part is not None]))


def _values(component: Component) -> tuple[Any, ...]:
    """Return the arguments of a record. That of a Transform without rotation is empty, as before there were any."""
    if type(component) is Transform and component.rotation is None:
        return ()
    return tuple([getattr(component, field) for field in FIELDS[type(component)]])


def parts_in(entity: int, record: bytes, parts: Parts) -> Parts:
    """Return new components with the fields of a record; the Transform has the rotation only.

    Raises SnapshotError naming entity, component and fault.
    """
    values = list(unpack(record))
    if len(values) != len([part for part in parts if part is not None]):
        raise SnapshotError(f"the snapshot has an invalid record of entity {entity}")
    values.reverse()
    found = Parts(*[None if part is None else _component(entity, part, values.pop()) for part in parts])
    if record_of(found) != record:
        raise SnapshotError(f"entity {entity}: the snapshot has fields that no entity can have")
    return found


def _component(entity: int, part: Component, values: Any) -> Any:
    kind = type(part)
    try:
        if kind is Transform:
            return Transform(0, 0, rotation=values[0] if values else None)
        if kind is Lifetime and not values:
            return Lifetime(1)
        return kind(**dict(zip(FIELDS[kind], values, strict=True)))
    except (CollisionError, ValueError, TypeError) as cause:
        raise SnapshotError(f"entity {entity}: the snapshot has an invalid {kind.__name__}: {cause}") from cause


def _kinds(kinds: int) -> Iterator[type[Component]]:
    return (kind for kind, bit in _BITS.items() if kinds & bit)


_STORED_ELSEWHERE: dict[type[Component], frozenset[str]] = {
    kind: frozenset([each.slot for each in stored_fields(kind) if each.is_volatile])
    for kind in (Sleeping, Velocity, Lifetime)
}


def copy_fields(parts: Parts, wanted: Parts) -> None:
    """Copy fields to components of the same kinds without recording a write; not those that are stored elsewhere."""
    for component, other in zip(parts, wanted, strict=True):
        if component is not None and other is not component:
            elsewhere = _STORED_ELSEWHERE.get(type(component), frozenset())
            for name in component._values:
                if name not in elsewhere:
                    setattr(component, name, getattr(other, name))


# Texts of differences.


def kind_differences(entity: int, here: int, there: int) -> Iterator[str]:
    """Yield the components that a body has only in the world or only in the snapshot."""
    for kind in _kinds(here & ~there):
        yield f"entity {entity} has a {kind.__name__} here, but not in the snapshot"
    for kind in _kinds(there & ~here):
        yield f"entity {entity} has a {kind.__name__} in the snapshot, but not here"
    if there >= 1 << len(_BITS):
        yield f"entity {entity} has a component in the snapshot that this version does not have"


def settings_record(settings: Settings) -> bytes:
    """Return the record of the settings; for the hooks only whether there are any.

    Later settings follow with their names if they are not the defaults, so older snapshots stay as they are.
    """
    values = settings.plain() | {name: getattr(settings, name) is not None for name in _HOOKS}
    later = [(name, value) for name in _LATER if (value := values.pop(name)) != _DEFAULTS[name]]
    return pack((*values.values(), settings.can_push is not None, *later))


_HOOKS = ("respond", "can_meet")
_LATER = ("forces", *_HOOKS)
_FIRST = tuple([name for name in PLAIN_SETTINGS if name not in _LATER])
_DEFAULTS = {"forces": DEFAULTS["forces"], **dict.fromkeys(_HOOKS, False)}


def _are_later(items: tuple[object, ...]) -> bool:
    """Return whether items are names of later settings with their values."""
    return all(isinstance(each, tuple) and len(each) == 2 and each[0] in _LATER for each in items)


def setting_differences(here: bytes, there: bytes) -> Iterator[str]:
    """Yield the settings that differ between two records."""
    if here == there:
        return
    mine, theirs = unpack(here), unpack(there)
    count = len(_FIRST)
    if not isinstance(theirs, tuple) or len(theirs) <= count or not _are_later(theirs[count + 1 :]):
        yield "the snapshot has an invalid record of its settings"
        return
    for name, a, b in zip(_FIRST, mine, theirs, strict=False):
        if pack(a) != pack(b):
            yield f"{name} is {a!r} here and {b!r} in the snapshot"
    own, others = (_DEFAULTS | dict(each[count + 1 :]) for each in (mine, theirs))
    if own["forces"] != others["forces"]:
        yield f"forces is {own['forces']!r} here and {others['forces']!r} in the snapshot"
    for name, a, b in (("can_push", mine[count], theirs[count]), *((name, own[name], others[name]) for name in _HOOKS)):
        if a is not b:
            has, lacks = ("this world", "the snapshot") if a else ("the snapshot", "this world")
            yield f"{has} has a {name} hook, but {lacks} has none"


def summary(differences: Iterable[str], max_count: int = 8) -> str:
    """Return the first `max_count` differences as one text."""
    found = list(differences)
    more = [f"and {len(found) - max_count} more"] if len(found) > max_count else []
    return "; ".join([*found[:max_count], *more])
