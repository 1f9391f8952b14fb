"""Findings, and the lines of advice in which equal findings are grouped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ecs_collision.errors import CollisionTypeError

KINDS = (
    "system", "empty", "overlap", "mask", "one way", "trigger", "contact", "mover", "static", "group", "unused",
    "handler", "bin size", "broad phase", "lattice", "shape", "dynamics", "movement", "property",
)  # fmt: skip
"""The kinds of advice, in the order of the lines."""

MAX_NAMED = 3
"""Number of entities or pairs of entities that a line names; it counts the others."""

MAX_LINES = 5
"""Number of lines of a kind; one more counts the other findings."""


class Finding(NamedTuple):
    """Something that is probably not meant, and what to do about it.

    entities: the entity, or the pair of entities, that it is about; () if it is about the world. Findings of a kind
    with equal `text` share a line. topic: what remains the same if numbers in `text` change; "" if there are none.
    """

    kind: str
    entities: tuple[int, ...]
    text: str
    topic: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What identifies it in a log, where each finding is written once."""
        return self.kind, self.topic or self.text


class Advice(str):
    """A line of advice: where, what, and what to do. Made by `doctor`.

    kind: one of `KINDS`.
    entities: all that it is about.
    """

    kind: str
    entities: tuple[int, ...]
    __slots__ = ("entities", "kind")

    def __new__(cls, kind: str, entities: Iterable[int], text: str) -> Advice:
        """Create a line of advice."""
        made = super().__new__(cls, text)
        object.__setattr__(made, "kind", kind)
        object.__setattr__(made, "entities", tuple(entities))
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise CollisionTypeError(f"Advice.{name} cannot be assigned: advice is immutable; call doctor() again")

    def __reduce__(self) -> tuple[Any, ...]:
        return (Advice, (self.kind, self.entities, str(self)))

    def _with_text(self, text: str) -> Advice:
        """Return the same advice in other words, such as with names of things instead of ids."""
        return Advice(self.kind, self.entities, text)


def advice_of(findings: Iterable[Finding]) -> list[Advice]:
    """Return a line for each group of equal findings, at most `MAX_LINES` and one that counts for each kind."""
    by_kind: dict[str, dict[str, list[Finding]]] = {}
    for finding in findings:
        by_kind.setdefault(finding.kind, {}).setdefault(finding.text, []).append(finding)
    return [line for kind in sorted(by_kind, key=KINDS.index) for line in _lines(kind, list(by_kind[kind].values()))]


def _lines(kind: str, groups: list[list[Finding]]) -> list[Advice]:
    lines = [_line(kind, group, group[0].text) for group in groups[:MAX_LINES]]
    rest = [finding for group in groups[MAX_LINES:] for finding in group]
    if rest:
        lines.append(_line(kind, rest, "as in the lines above, with other names or numbers"))
    return lines


def _line(kind: str, group: Sequence[Finding], text: str) -> Advice:
    entities = sorted({entity for finding in group for entity in finding.entities})
    where = _where([finding.entities for finding in group if finding.entities])
    return Advice(kind, entities, f"{where}: {text}" if where else text)


def _where(places: list[tuple[int, ...]]) -> str:
    """Return the entities of a group of findings as text: "entity 1, entity 2, entity 3 and 14 more"."""
    unique = list(dict.fromkeys(places))
    named = ", ".join(" and ".join(f"entity {entity}" for entity in place) for place in unique[:MAX_NAMED])
    more = len(unique) - MAX_NAMED
    pairs = " pairs" if unique and len(unique[0]) > 1 and more > 1 else " pair" if unique and len(unique[0]) > 1 else ""
    return f"{named} and {more} more{pairs}" if more > 0 else named
