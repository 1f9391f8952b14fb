"""The ledger: how often each rule was tried, and how it came out; what was never tried is a hole in the driver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ecs_collision.testing import model

from .shadow import DEFAULTS

Hit = tuple[str, str]
"""A rule by its id, and an outcome in a few words."""

_OWN = """
L3 AttributeError, CollisionTypeError, CollisionValueError, InvalidChanges, UnknownEntity;
L3 process raised InvalidChanges;
B1 large cells; B2 far out; B4 within its cells, cells left and entered; B5 checked, rebuilt;
B6 a static is moved, a body becomes static, a static is one no more;
B7 pairs, inside, touching, at, overlapping, overlapping a body,
sweeping a body; P12 teleported, InvalidChanges; P15 Oops, ReentryError;
P16 moved; P17 committed, forgotten, StalePlan; S1 a frame with sleepers; S2 fell asleep;
S3 all asleep; S4 woke; S5 born asleep in a trigger;
T7 an Exception in a handler, a BaseException in a handler, process raised Oops, process raised ExceptionGroup,
process raised Broken, something is delivered later; T8 ReentryError, the world a handler chose, acts in a handler;
T9 heard by system.on, heard by esper; E2 added, replaced, replaced by a copy, removed;
E3 deleted now, deleted later, deleted twice, deleted gone, esper raises KeyError, cleared then same,
cleared then copies, cleared then some, cleared then nobody; E4 WorldError, another world, closed, removed, again;
E5 given arguments;
E6 refused: shared, swapped, given back, written while it is kept; E8 CollisionValueError, refused: class,
refused: rivals, refused: lone, refused: nowhere, refused: restless, refused: whole,
refused: fixed, refused: itself, refused: nobody, refused: rigid, refused: ring;
N1 taken, restored, other bodies, SnapshotError; N2 equal when restored;
mixed all in one scene, a handler acts as a group has crossed, ask while a group crosses, blink while a group crosses,
delete while a group crosses, fuse while a group crosses, restore while a group crosses"""
OWN = frozenset(
    (rule, outcome)
    for rule, outcomes in (line.split(maxsplit=1) for line in _OWN.replace("\n", " ").split(";"))
    for outcome in outcomes.split(", ")
)
"""What the driver counts itself, for the model knows no esper, no errors and no bytes; and every field written (E7)."""

FIELDS = frozenset(
    ("E7", f"{kind}.{name}")
    for kind, values in DEFAULTS.items()
    for name in (*values, *{"Transform": ("position",), "Inertia": ("value",)}.get(kind, ()))
)


def all_outcomes() -> frozenset[Hit]:
    """Return every outcome that a soak must have met."""
    return model.OUTCOMES | OWN | FIELDS


def never_met(hits: Counter[Hit], outcomes: Iterable[Hit] | None = None) -> list[Hit]:
    """Return the outcomes that were never met, in order."""
    return sorted(hit for hit in (all_outcomes() if outcomes is None else outcomes) if not hits[hit])


def table(hits: Counter[Hit], outcomes: Iterable[Hit] | None = None) -> str:
    """Return all hits, a rule a line."""
    everything = {*(all_outcomes() if outcomes is None else outcomes), *hits}
    rules: dict[str, list[str]] = {}
    for rule, outcome in sorted(everything):
        rules.setdefault(rule, []).append(f"{outcome} {hits[rule, outcome]:,}")
    return "\n".join(f"{rule:6} {'; '.join(rules[rule])}" for rule in sorted(rules, key=_by_number))


def _by_number(rule: str) -> tuple[str, int]:
    number = "".join(filter(str.isdigit, rule))
    return (rule.rstrip("0123456789"), int(number or 0))
