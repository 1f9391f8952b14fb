"""Counts how often each outcome of each rule occurred. An outcome that never occurs is a gap in the driver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tests.model import model

from .entity_model import DEFAULTS

Hit = tuple[str, str]
"""A rule by its id, and an outcome in a few words."""

_OWN = """
L3 AttributeError, CollisionTypeError, CollisionValueError, InvalidChanges, UnknownEntity;
L3 process raised InvalidChanges;
B1 large cells; B2 far out; B4 within its cells, cells left and entered; B5 checked, rebuilt;
B6 a static is moved, a body becomes static, a static is one no more;
B7 pairs, inside, touching, touching below, contacts, at, overlapping, overlapping a body,
casting a body; P12 teleported, InvalidChanges; P15 Oops, ReentryError;
P16 moved; P17 committed, forgotten, StalePlan; S1 a frame with sleepers; S2 fell asleep;
S3 all asleep; S4 woke; S5 born asleep in a trigger;
T7 an Exception in a handler, a BaseException in a handler, process raised Oops, process raised ExceptionGroup,
process raised Broken, something is delivered later; T8 ReentryError, the world a handler chose, acts in a handler;
T9 heard by system.on, heard by esper; E2 added, replaced, replaced by a copy, removed;
E3 deleted now, deleted later, deleted twice, deleted gone, esper raises KeyError, cleared then same,
cleared then copies, cleared then some, cleared then none; E4 WorldError, another world, closed, removed, again;
E5 given arguments;
E6 refused: shared, swapped, given back, written while it is kept; E8 CollisionValueError, refused: class,
refused: two_colliders, refused: no_collider, refused: no_transform, refused: static_moves, refused: all_or_nothing,
refused: static_fused, refused: fused_to_itself, refused: fused_to_none, refused: fused_to_static,
refused: fused_in_cycle, refused: contact_beside_trigger;
N1 taken, restored, other bodies, SnapshotError; N2 equal when restored;
mixed all in one scene, a handler acts after a group crossed, query while a group crosses, toggle while a group crosses,
delete while a group crosses, fuse while a group crosses, restore while a group crosses"""
OWN = frozenset(
    (rule, outcome)
    for rule, outcomes in (line.split(maxsplit=1) for line in _OWN.replace("\n", " ").split(";"))
    for outcome in outcomes.split(", ")
)
"""Outcomes that the driver counts itself, because the model has no esper, errors or bytes; E7 has every field."""

FIELDS = frozenset(
    ("E7", f"{kind}.{name}")
    for kind, values in DEFAULTS.items()
    for name in (*values, *{"Transform": ("position",), "Inertia": ("value",)}.get(kind, ()))
)


def all_outcomes() -> frozenset[Hit]:
    """Return all outcomes that a soak must have."""
    return model.OUTCOMES | OWN | FIELDS


def missing_outcomes(hits: Counter[Hit], outcomes: Iterable[Hit] | None = None) -> list[Hit]:
    """Return the outcomes that never occurred, sorted."""
    return sorted(hit for hit in (all_outcomes() if outcomes is None else outcomes) if not hits[hit])


def table(hits: Counter[Hit], outcomes: Iterable[Hit] | None = None) -> str:
    """Return all counts, one line per rule."""
    everything = {*(all_outcomes() if outcomes is None else outcomes), *hits}
    rules: dict[str, list[str]] = {}
    for rule, outcome in sorted(everything):
        rules.setdefault(rule, []).append(f"{outcome} {hits[rule, outcome]:,}")
    return "\n".join(f"{rule:6} {'; '.join(rules[rule])}" for rule in sorted(rules, key=_by_number))


def _by_number(rule: str) -> tuple[str, int]:
    number = "".join(filter(str.isdigit, rule))
    return (rule.rstrip("0123456789"), int(number or 0))
