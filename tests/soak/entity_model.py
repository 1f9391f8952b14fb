"""The entities and components that a game wrote, as plain values, and the faults of them that the rules name."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.model.model import Body, Contact, Request, Trigger
from tests.model.shapes import Given

from .scene_generator import Spec

Vector = tuple[float, float, float]

COLLIDERS = ("BoxCollider", "CompoundCollider", "SphereCollider", "CapsuleCollider", "OrientedBoxCollider")
DEFAULTS: dict[str, dict[str, Any]] = {
    "Transform": {"x": 0.0, "y": 0.0, "z": 0.0, "rotation": None},
    "BoxCollider": {"hx": 0.5, "hy": 0.5, "hz": 0.5, "offset": (0.0, 0.0, 0.0), "layer": "default", "mask": None,
                    "enabled": True},
    "CompoundCollider": {"parts": ((0.5, 0.5, 0.5, (0.0, 0.0, 0.0)),), "layer": "default", "mask": None,
                         "enabled": True},
    "SphereCollider": {"radius": 0.5, "offset": (0.0, 0.0, 0.0), "layer": "default", "mask": None, "enabled": True},
    "CapsuleCollider": {"radius": 0.5, "half_length": 0.5, "axis": "y", "offset": (0.0, 0.0, 0.0), "layer": "default",
                        "mask": None, "enabled": True},
    "OrientedBoxCollider": {"hx": 0.5, "hy": 0.5, "hz": 0.5, "offset": (0.0, 0.0, 0.0), "layer": "default",
                            "mask": None, "enabled": True},
    "Inertia": {"x": 1.0, "y": 1.0, "z": 1.0},
    "Motion": {"force": 0.0, "priority": 0, "rule": None, "max_chain": None, "all_or_nothing": None},
    "Sleeping": {"asleep": False, "after": 30},
    "Static": {},
    "Trigger": {"mask": None, "statics": False, "touching": False, "swept": False, "stay": False, "linger": 0,
                "enabled": True},
    "Fused": {"to": 0},
    "Contact": {"linger": 0, "mask": None},
}  # fmt: skip
KINDS = tuple(DEFAULTS)
_NEEDED = {"Transform": "xy", "BoxCollider": ("hx", "hy"), "CompoundCollider": ("parts",), "Inertia": "xyz",
           "SphereCollider": ("radius",), "CapsuleCollider": ("radius", "half_length"),
           "OrientedBoxCollider": ("hx", "hy"), "Fused": ("to",)}  # fmt: skip

_tokens = itertools.count(1)


def on_lattice(value: float) -> float:
    """Return the value that a position has after rounding (L1)."""
    return math.floor(value * 65536 + 0.5) / 65536


def layers_of(mask: Any) -> frozenset[str] | None:
    """Return the layers of a mask; a bare string is one layer (E7)."""
    return None if mask is None else frozenset((mask,) if isinstance(mask, str) else mask)


@dataclass(eq=False)
class Part:
    """One component: its class, its values, and a unique number."""

    kind: str
    values: dict[str, Any]
    token: int

    @classmethod
    def made(cls, spec: Spec) -> Part:
        """Return the component that a spec describes."""
        kind, given = spec
        values = DEFAULTS[kind] | given
        if kind == "Transform":
            values = {"position": (values["x"], values["y"], values["z"]), "rotation": values["rotation"]}
        if kind == "Motion":
            values |= {"dx": 0.0, "dy": 0.0, "dz": 0.0}
        return cls(kind, values, next(_tokens))

    def copy(self) -> Part:
        """Return a copy with a number of its own."""
        return Part(self.kind, dict(self.values), next(_tokens))


def source_of(spec: Spec) -> str:
    """Return the Python code that makes a component, without default values."""
    kind, given = spec
    values = DEFAULTS[kind] | given
    needed = _NEEDED.get(kind, ())
    if kind == "Inertia" and values["x"] == values["y"] == values["z"]:
        return f"Inertia({values['x']!r})"
    arguments = [
        f"{name}={value_source(kind, name, value)}"
        for name, value in values.items()
        if name in needed or value != DEFAULTS[kind][name]
    ]
    return f"{kind}({', '.join(arguments)})"


def value_source(kind: str, name: str, value: Any) -> str:
    """Return the Python code of the value of a field."""
    if (kind, name) == ("CompoundCollider", "parts"):
        return f"[{', '.join(map(_part_source, value))}]"
    return repr(value)


def _part_source(part: Any) -> str:
    """Return the Python code of a part of a compound, of a box or with the name of its kind."""
    kind, numbers = (part[0], part[1:]) if isinstance(part[0], str) else ("Box", part)
    return f"{kind}({', '.join(map(repr, numbers))})"


Parts = dict[str, Part]
"""The components of an entity by class."""


class EntityModel:
    """The entities of one esper world as the game wrote them."""

    def __init__(self) -> None:
        self.entities: dict[int, Parts] = {}
        self.marked: set[int] = set()
        self.next_id = 1

    def living(self, *kinds: str) -> list[int]:
        """Return the live entities that have components of all these kinds; "collider" is any kind of it."""
        return [
            entity
            for entity, parts in self.entities.items()
            if entity not in self.marked
            and all(kind in parts or (kind == "collider" and collider_of(parts) is not None) for kind in kinds)
        ]

    def create(self, parts: list[Part]) -> int:
        """Add an entity and return the id that esper will give it."""
        entity, self.next_id = self.next_id, self.next_id + 1
        self.entities[entity] = {part.kind: part for part in parts}
        return entity

    def clear(self) -> None:
        """Do what `esper.clear_database` does."""
        self.__init__()  # type: ignore[misc]

    def remove_marked(self) -> None:
        """Remove the entities marked for deletion, as esper does at the start of `process`."""
        for entity in self.marked:
            del self.entities[entity]
        self.marked.clear()

    def bodies(self) -> list[Body]:
        """Return the bodies for the model."""
        return [_body(entity, self.entities[entity]) for entity in self.living("Transform", "collider")]

    def faults(self, front_first: bool) -> Iterator[tuple[int, str]]:
        """Yield the faults for which changes are refused with any numbers, as (entity, fault) (E6, E8, P10)."""
        owners: dict[Part, int] = {}
        for entity, parts in self.entities.items():
            lone = any(kind in parts for kind in ("Motion", "Trigger", "Fused", "Contact"))
            has_collider = collider_of(parts) is not None
            if entity in self.marked or not (has_collider or lone):
                continue
            if sum(kind in parts for kind in COLLIDERS) > 1:
                yield entity, "two_colliders"
            if lone and not has_collider:
                yield entity, "no_collider"
            if has_collider and "Transform" not in parts:
                yield entity, "no_transform"
            if "Static" in parts and ("Motion" in parts or "Inertia" in parts):
                yield entity, "static_moves"
            if has_collider and "Contact" in parts and "Trigger" in parts:
                yield entity, "contact_beside_trigger"
            if front_first and "Motion" in parts and parts["Motion"].values["all_or_nothing"]:
                yield entity, "all_or_nothing"
            if has_collider and "Fused" in parts:
                yield from ((entity, fault) for fault in self._fused_faults(entity))
            for part in parts.values():
                if owners.setdefault(part, entity) != entity:
                    yield entity, f"shared {part.kind}"

    def _fused_faults(self, entity: int) -> Iterator[str]:
        """Yield the faults of the Fused of an entity."""
        to, fused_line = self.fused_to(entity), self.fused_line(entity)
        if "Static" in self.entities[entity]:
            yield "static_fused"
        if to == entity:
            yield "fused_to_itself"
        elif to not in self.living("Transform", "collider"):
            yield "fused_to_none"
        elif "Static" in self.entities[to]:
            yield "fused_to_static"
        elif fused_line[-1] == entity:
            yield "fused_in_cycle"

    def fused_to(self, entity: int) -> int | None:
        """Return the entity to which an entity is fused, or None."""
        fused = self.entities[entity].get("Fused") if entity in self.entities else None
        return None if fused is None else fused.values["to"]

    def fused_line(self, entity: int) -> list[int]:
        """Return an entity, its partner, the partner of that, and so on, up to the end or the first repetition."""
        fused_line = [entity]
        while (to := self.fused_to(fused_line[-1])) is not None and fused_line.count(fused_line[-1]) == 1:
            fused_line.append(to)
        return fused_line

    def followers(self, entity: int) -> list[int]:
        """Return the entities that are fused to an entity."""
        return [other for other in self.living("Fused") if self.fused_to(other) == entity]


def collider_of(parts: Parts) -> Part | None:
    """Return the collider among parts."""
    return next((parts[kind] for kind in COLLIDERS if kind in parts), None)


def _body(entity: int, parts: Parts) -> Body:
    place, collider = parts["Transform"], collider_of(parts)
    assert collider is not None
    values = collider.values
    boxes, others = _parts_of(collider)
    inertia, motion, trigger = parts.get("Inertia"), parts.get("Motion"), parts.get("Trigger")
    fused, contact = parts.get("Fused"), parts.get("Contact")
    return Body(
        id=entity,
        position=place.values["position"],
        boxes=boxes,
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
        others=others,
        contact=None if contact is None else Contact(contact.values["linger"], layers_of(contact.values["mask"])),
        rotation=place.values["rotation"],
    )


def _parts_of(collider: Part) -> tuple[tuple[Any, ...], tuple[Given, ...]]:
    """Return the boxes of a collider, and its other parts."""
    names = {"BoxCollider": ("hx", "hy", "hz", "offset"), "SphereCollider": ("radius", "offset"),
             "CapsuleCollider": ("radius", "half_length", "axis", "offset"),
             "OrientedBoxCollider": ("hx", "hy", "hz", "offset")}  # fmt: skip
    parts = collider.values.get("parts")
    if parts is None:
        numbers = tuple(collider.values[name] for name in names[collider.kind])
        kind = collider.kind.removesuffix("Collider")
        parts = (numbers if kind == "Box" else (kind, *numbers),)
    boxes = tuple((*part[:3], *part[3]) for part in parts if not isinstance(part[0], str))
    return boxes, tuple(_given(*part) for part in parts if isinstance(part[0], str))


def _given(kind: str, *numbers: Any) -> Given:
    """Return a part for the model from the arguments of its kind."""
    if kind == "Sphere":
        return Given("sphere", radius=numbers[0], offset=numbers[1])
    if kind == "OrientedBox":
        return Given("oriented", numbers[:3], 0.0, *numbers[3:])
    radius, half_length, axis, *rest = numbers
    x, y, z = (half_length if axis == name else 0.0 for name in "xyz")
    return Given("capsule", (x, y, z), radius, *rest)
