"""Differences between the predictions of the model and the engine, with the rules that decide them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any, NamedTuple

from ecs_collision.results import MoveResult
from tests.model.model import Body, Request, Result

Vector = tuple[float, float, float]

RULES = {
    "requested": "L1, L2", "moved": "P1, P2, P5", "pushed": "P2 to P8", "stops": "P2 to P5, P15, P18", "links": "P16",
    "Moved": "T10", "Pushed": "T10", "Blocked": "P16, T10", "Overlapped": "T11",
    "TriggerLeft": "T3 to T5", "TriggerEntered": "T1 to T4, T6", "TriggerStayed": "T1, T5",
    "ContactBegan": "C1 to C4", "ContactEnded": "C1 to C3", "position": "P1, P2, P12",
}  # fmt: skip
"""The rules for each field of a result and each kind of event."""


class Difference(NamedTuple):
    """A difference: the subject, the expected and found values, and the rules to look up."""

    what: str
    expected: str
    found: str
    rules: str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, found {self.found} (rules {self.rules})"


def compare_positions(expected: Mapping[int, Vector], found: Mapping[int, Vector]) -> Iterator[Difference]:
    """Yield the bodies whose positions differ."""
    for entity in sorted({*expected, *found}):
        want, have = expected.get(entity), found.get(entity)
        if want != have:
            yield Difference(f"body {entity}", f"at {want}", f"at {have}", RULES["position"])


WRITTEN = ("position", "boxes", "layer", "mask", "enabled", "static", "inertia", "motion", "trigger", "fused", "others",
           "rotation", "contact")  # fmt: skip
"""Body fields of the model that come from components, without those that identify instances."""


def compare_bodies(expected: Mapping[int, Body], found: Mapping[int, Body]) -> Iterator[Difference]:
    """Yield the bodies and fields that a restore did not restore (N1)."""
    for entity in sorted({*expected, *found}):
        want, have = expected.get(entity), found.get(entity)
        if want is None or have is None:
            yield Difference(f"body {entity}", "there" if want else "not there", "there" if have else "not there", "N1")
            continue
        for name in WRITTEN:
            old, new = (_without_token(getattr(body, name)) for body in (want, have))
            if old != new:
                yield Difference(f"{name} of body {entity}", repr(old), repr(new), "N1")


def _without_token(value: Any) -> Any:
    """Return a field without the token that identifies an instance of Motion."""
    return replace(value, token=None) if isinstance(value, Request) else value


def compare_results(entity: int, expected: Result | None, found: MoveResult | None) -> Iterator[Difference]:
    """Yield the fields in which the result of a motion differs."""
    wanted, have = _values(expected), _values(found)
    for name in wanted or have:
        if wanted.get(name) != have.get(name):
            what = f"{name} of the motion of body {entity}"
            yield Difference(what, repr(wanted.get(name)), repr(have.get(name)), RULES[name])


def _values(result: Result | MoveResult | None) -> dict[str, Any]:
    if result is None:
        return {}
    stops: list[Any] = list(result.stops)
    links: list[Any] = list(result.links)
    if isinstance(result, MoveResult):
        stops = [
            (stop.axis, stop.blocker, stop.reason.name, stop.allowed, stop.direction, stop.blockers)
            for stop in result.stops
        ]
        links = [(link.pusher, link.pushed, link.axis, link.gap) for link in result.links]
    return {
        "requested": result.requested, "moved": result.moved, "pushed": list(result.pushed.items()),
        "stops": stops, "links": links,
    }  # fmt: skip


def compare_events(expected: list[tuple[Any, ...]], found: list[tuple[Any, ...]]) -> Iterator[Difference]:
    """Yield events that are missing or unexpected; if only the order differs, the first one out of order."""
    missing, surplus = list(expected), []
    for event in found:
        if event in missing:
            missing.remove(event)
        else:
            surplus.append(event)
    for event in missing:
        yield Difference(f"the event {event[0]}", repr(event[1:]), "none", RULES[event[0]])
    for event in surplus:
        yield Difference(f"the event {event[0]}", "none", repr(event[1:]), RULES[event[0]])
    if not missing and not surplus and expected != found:
        want, have = next(pair for pair in zip_longest(expected, found) if pair[0] != pair[1])
        yield Difference("the order of events", repr(want), repr(have), "T7")
