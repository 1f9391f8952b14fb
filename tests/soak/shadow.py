"""What a game wrote, kept beside esper: entities and their components as plain values, and what is wrong with them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ecs_collision.testing.model import Body, Request, Trigger

from .dice import Spec

Vector = tuple[float, float, float]

COLLIDERS = ("BoxCollider", "CompoundCollider")
DEFAULTS: dict[str, dict[str, Any]] = {
    "Transform": {"x": 0.0, "y": 0.0, "z": 0.0},
    "BoxCollider": {"hx": 0.5, "hy": 0.5, "hz": 0.5, "offset": (0.0, 0.0, 0.0), "layer": "default", "mask": None,
                    "enabled": True},
    "CompoundCollider": {"parts": ((0.5, 0.5, 0.5, (0.0, 0.0, 0.0)),), "layer": "default", "mask": None,
                         "enabled": True},
    "Inertia": {"x": 1.0, "y": 1.0, "z": 1.0},
    "Motion": {"force": 0.0, "priority": 0, "rule": None, "max_chain": None, "all_or_nothing": None},
    "Sleeping": {"asleep": False, "after": 30},
    "Static": {},
    "Trigger": {"mask": None, "touching": False, "swept": False, "stay": False, "linger": 0, "enabled": True},
    "Fused": {"to": 0},
}  # fmt: skip
KINDS = tuple(DEFAULTS)
_NEEDED = {"Transform": "xy", "BoxCollider": ("hx", "hy"), "CompoundCollider": ("parts",), "Inertia": "xyz",
           "Fused": ("to",)}  # fmt: skip

_tokens = itertools.count(1)


def on_lattice(value: float) -> float:
    """Return what a position reads back as (L1)."""
    return math.floor(value * 65536 + 0.5) / 65536


def layers_of(mask: Any) -> frozenset[str] | None:
    """Return the layers a mask names; a bare string is one (E7)."""
    return None if mask is None else frozenset((mask,) if isinstance(mask, str) else mask)


@dataclass(eq=False)
class Part:
    """One component: its class, its values, and a number that tells it from all others."""

    kind: str
    values: dict[str, Any]
    token: int

    @classmethod
    def made(cls, spec: Spec) -> Part:
        """Return the part a spec tells of."""
        kind, given = spec
        values = DEFAULTS[kind] | given
        if kind == "Transform":
            values = {"position": (values["x"], values["y"], values["z"])}
        if kind == "Motion":
            values |= {"dx": 0.0, "dy": 0.0, "dz": 0.0}
        return cls(kind, values, next(_tokens))

    def copy(self) -> Part:
        """Return an equal part that is another."""
        return Part(self.kind, dict(self.values), next(_tokens))


def source_of(spec: Spec) -> str:
    """Return the Python that makes a component, without what is the default anyway."""
    kind, given = spec
    values = DEFAULTS[kind] | given
    needed = _NEEDED.get(kind, ())
    if kind == "Inertia" and values["x"] == values["y"] == values["z"]:
        return f"Inertia({values['x']!r})"
    told = [
        f"{name}={value_source(kind, name, value)}"
        for name, value in values.items()
        if name in needed or value != DEFAULTS[kind][name]
    ]
    return f"{kind}({', '.join(told)})"


def value_source(kind: str, name: str, value: Any) -> str:
    """Return the Python of the value of a field."""
    if (kind, name) == ("CompoundCollider", "parts"):
        return f"[{', '.join(f'Box({hx!r}, {hy!r}, {hz!r}, {at!r})' for hx, hy, hz, at in value)}]"
    return repr(value)


Parts = dict[str, Part]
"""The components of an entity by class; under "class" the class that was given instead of an instance."""


class Shadow:
    """One esper world as its game wrote it."""

    def __init__(self) -> None:
        self.entities: dict[int, Parts] = {}
        self.marked: set[int] = set()
        self.next_id = 1

    def living(self, *kinds: str) -> list[int]:
        """Return the entities not deleted that have components of all these kinds; "collider" is either."""
        return [
            entity
            for entity, parts in self.entities.items()
            if entity not in self.marked
            and all(kind in parts or (kind == "collider" and collider_of(parts) is not None) for kind in kinds)
        ]

    def create(self, parts: list[Part]) -> int:
        """Add an entity and return the id esper will give it."""
        entity, self.next_id = self.next_id, self.next_id + 1
        self.entities[entity] = {part.kind: part for part in parts}
        return entity

    def clear(self) -> None:
        """Do what `clear_database` does."""
        self.__init__()  # type: ignore[misc]

    def bury(self) -> None:
        """Do what esper does first in every `process`."""
        for entity in self.marked:
            del self.entities[entity]
        self.marked.clear()

    def bodies(self) -> list[Body]:
        """Return what the model is told."""
        return [_body(entity, self.entities[entity]) for entity in self.living("Transform", "collider")]

    def faults(self, front_first: bool) -> Iterator[tuple[int, str]]:
        """Yield what a take-in refuses whatever the numbers are, as (entity, fault) (E6, E8, P10)."""
        owners: dict[Part, int] = {}
        for entity, parts in self.entities.items():
            lone = "Motion" in parts or "Trigger" in parts or "Fused" in parts
            has_collider, has_class = collider_of(parts) is not None, "class" in parts
            if entity in self.marked or not (has_collider or has_class or lone):
                continue
            if has_class:
                yield entity, "class"
            if "BoxCollider" in parts and "CompoundCollider" in parts:
                yield entity, "rivals"
            if lone and not has_collider:
                yield entity, "lone"
            if has_collider and "Transform" not in parts:
                yield entity, "nowhere"
            if "Static" in parts and ("Motion" in parts or "Inertia" in parts):
                yield entity, "restless"
            if front_first and "Motion" in parts and parts["Motion"].values["all_or_nothing"]:
                yield entity, "whole"
            if has_collider and "Fused" in parts:
                yield from ((entity, fault) for fault in self._misfused(entity))
            for part in parts.values():
                if owners.setdefault(part, entity) != entity:
                    yield entity, f"shared {part.kind}"

    def _misfused(self, entity: int) -> Iterator[str]:
        """Yield what is wrong with whom an entity is fused to."""
        to, line = self.fused_to(entity), self.line(entity)
        if "Static" in self.entities[entity]:
            yield "fixed"
        if to == entity:
            yield "itself"
        elif to not in self.living("Transform", "collider"):
            yield "nobody"
        elif "Static" in self.entities[to]:
            yield "rigid"
        elif line[-1] == entity:
            yield "ring"

    def fused_to(self, entity: int) -> int | None:
        """Return to whom an entity is fused."""
        fused = self.entities[entity].get("Fused") if entity in self.entities else None
        return None if fused is None else fused.values["to"]

    def line(self, entity: int) -> list[int]:
        """Return an entity, to whom it is fused, and so on until it ends, or comes to somebody a second time."""
        line = [entity]
        while (to := self.fused_to(line[-1])) is not None and line.count(line[-1]) == 1:
            line.append(to)
        return line

    def followers(self, entity: int) -> list[int]:
        """Return who is fused to an entity."""
        return [other for other in self.living("Fused") if self.fused_to(other) == entity]


def collider_of(parts: Parts) -> Part | None:
    """Return the collider among parts."""
    return parts.get("BoxCollider") or parts.get("CompoundCollider")


def _body(entity: int, parts: Parts) -> Body:
    place, collider = parts["Transform"], collider_of(parts)
    assert collider is not None
    values = collider.values
    boxes = values.get("parts") or ((values["hx"], values["hy"], values["hz"], values["offset"]),)
    inertia, motion, trigger = parts.get("Inertia"), parts.get("Motion"), parts.get("Trigger")
    fused = parts.get("Fused")
    return Body(
        id=entity,
        position=place.values["position"],
        boxes=tuple((hx, hy, hz, *offset) for hx, hy, hz, offset in boxes),
        layer=values["layer"],
        mask=layers_of(values["mask"]),
        enabled=values["enabled"],
        static="Static" in parts,
        inertia=None if inertia is None else (inertia.values["x"], inertia.values["y"], inertia.values["z"]),
        motion=None if motion is None else Request(**motion.values, token=motion.token),
        trigger=None if trigger is None else Trigger(**trigger.values | {"mask": layers_of(trigger.values["mask"])}),
        fused=None if fused is None else fused.values["to"],
        transform=place.token,
        collider=collider.token,
    )
