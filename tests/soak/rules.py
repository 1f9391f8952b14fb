"""The ledger: how often each rule was tried, and how it came out; what was never tried is a hole in the driver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ecs_collision.testing import model

Hit = tuple[str, str]
"""A rule by its id, and an outcome in a few words."""

OWN: dict[str, tuple[str, ...]] = {}
"""What the driver counts itself, for the model knows no esper, no errors and no bytes."""


def all_outcomes() -> frozenset[Hit]:
    """Return every outcome that a soak must have met."""
    return model.OUTCOMES | {(rule, outcome) for rule, outcomes in OWN.items() for outcome in outcomes}


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
