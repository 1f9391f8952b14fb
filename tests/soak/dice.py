"""The one generator of random scenes: numbers, components and bodies for every test that plays at random.

What is drawn is plain data, a component as its class and its fields, and depends on the source alone: a seed, or
`hypothesis.strategies.randoms()`, which shrinks. `made` makes components of it, `scene` a scene for any world.
"""

from __future__ import annotations

import random
from typing import Any

import ecs_collision
from ecs_collision import Box, Fused
from ecs_collision.components import Parts
from ecs_collision.testing.scenes import Scene

Spec = tuple[str, dict[str, Any]]
"""A component to be made: its class, and the fields that are not left to their defaults."""

Spot = tuple[float, float, float]

LAYERS = ("a", "b")
MASKS = (None, None, None, None, None, "a", ("b",), ("a", "b"), ())
ROLES = ("player", "player", "player", "player", "crate", "crate", "crate", "crate", "crate", "rail", "rock", "wall",
         "zone", "zone", "rover", "plate")  # fmt: skip


def made(spec: Spec) -> Any:
    """Return the component that a spec tells of."""
    kind, fields = spec
    if kind == "CompoundCollider":
        fields = fields | {"parts": [Box(*part) for part in fields["parts"]]}
    return getattr(ecs_collision, kind)(**fields)


class Dice:
    """Draws everything that worlds are made of.

    reach: how far from the middle bodies stand. grain: how many places there are in a unit. tall: whether they stand
    above each other too. crooked: whether some numbers are off the lattice. scale: of what size the bodies are.
    """

    def __init__(
        self, source: int | random.Random, reach: float = 2.0, grain: int = 8, *, tall: bool = False,
        crooked: bool = False, middle: Spot = (0.0, 0.0, 0.0), scale: float = 1.0,
    ) -> None:  # fmt: skip
        self.dice = random.Random(source) if isinstance(source, int) else source
        self.any = self.dice.choice
        self.reach, self.grain, self.tall, self.crooked, self.middle = reach, grain, tall, crooked, middle
        self.scale, self.masks, self.roles = scale, MASKS, ROLES

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def settings(self) -> dict[str, Any]:
        """Return the settings of a world, most of them those by default."""
        front_first = self.chance(0.3)
        drawn: dict[str, tuple[float, Any]] = {
            "bin_size": (0.4, self.any((0.25, 0.5, 2.0, 4.0, 64.0))),
            "rule": (0.3, "sum"),
            "max_chain": (0.2, self.any((0, 1, 2, 3))),
            "all_or_nothing": (0.0 if front_first else 0.15, True),
            "axis_order": (0.3, self.any(("xzy", "yxz", "yzx", "zxy", "zyx"))),
            "order": (float(front_first), "front_first"),
            "overlap_policy": (0.3, "block_deeper"),
            "bounds": (0.25, self.bounds()),
            "can_push": (0.25, True),
        }
        return {name: value for name, (share, value) in drawn.items() if self.chance(share)}

    def bounds(self) -> Any:
        reach = self.reach + self.any((-1.0, 0.0, 0.5, 1.0, 0.1))
        if self.chance(0.3):
            return ((-reach, -reach, -1.0), (reach, reach, 1.0))
        return ((-reach, -reach), (reach, reach))

    # Numbers.

    def coordinate(self) -> float:
        steps = round(self.grain * self.reach)
        at = self.dice.randint(-steps, steps) / self.grain * self.scale
        return at + 0.1 if self.crooked and self.chance(0.3) else at

    def spot(self) -> Spot:
        x, y, z = self.middle
        at = (x + self.coordinate(), y + self.coordinate(), z)
        return (*at[:2], z + self.coordinate() / 2) if self.tall and self.chance(0.6) else at

    def way(self) -> Spot:
        """Return a displacement, mostly along one axis."""
        lengths = [0.0, 0.0, 0.0]
        for axis in self.any(((0,), (0,), (1,), (1,), (0, 1), (0, 1), (0, 1, 2), (2,) if self.tall else (0,), ())):
            lengths[axis] = self.length() * self.any((1, 1, 2))
        return (lengths[0], lengths[1], lengths[2])

    def length(self) -> float:
        if self.chance(0.04):
            return self.any((1e6, -1e6, 2.0**-16, 1e-6, -(2.0**-17)))
        return self.coordinate() if self.chance(0.8) else self.any((1.0, -1.0, 0.5, -0.5)) * self.scale

    def half(self) -> float:
        if self.crooked and self.chance(0.2):
            return self.any((0.1, 0.3, 1 / 3)) * self.scale
        size = (0.5, 0.5, 0.5, 0.5, 0.5, 0.25, 0.75, 1.0, 1.5, 0.125, 0.0, 2.5, self.any((0.5, 6.0, 40.0)))
        return self.any(size) * self.scale

    def strength(self) -> float:
        return self.any((1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 0.5, 0.0, 1.5, 3.0, float("inf")))

    # Components.

    def scene(self, bodies: int = 10, *, fusing: bool = False, **settings: Any) -> Scene:
        """Return a scene of so many bodies, with welds between some that can have them."""
        found: dict[int, Parts] = {}
        for id in range(1, bodies + 1):
            parts = Parts.of(tuple(map(made, self.body())))
            partner = self.dice.randrange(2 * id) if fusing else 0
            if partner in found and parts.static is None and found[partner].static is None:
                parts = parts._replace(fused=Fused(partner))
            found[id] = parts
        return Scene(found, settings)

    def body(self, role: str = "") -> tuple[Spec, ...]:
        role = role or self.any(self.roles)
        x, y, z = self.spot()
        parts: list[Spec] = [("Transform", {"x": x, "y": y, "z": z}), self.collider()]
        if role in ("player", "rover"):
            parts.append(self.motion())
        if role == "crate" or (role == "player" and self.chance(0.6)):
            parts.append(self.inertia())
        if role == "rail":
            parts.append(("Inertia", {"x": self.strength(), "y": float("inf"), "z": float("inf")}))
        if role in ("wall", "plate"):
            parts.append(("Static", {}))
        elif self.chance(0.3):
            parts.append(self.sleeping())
        if role in ("zone", "rover", "plate"):
            parts.append(self.trigger())
        return tuple(parts)

    def collider(self) -> Spec:
        told = {"layer": self.any(LAYERS), "mask": self.any(self.masks), "enabled": not self.chance(0.04)}
        if self.chance(0.7):
            shape: dict[str, Any] = {"hx": self.half(), "hy": self.half()}
            if self.tall and self.chance(0.5):
                shape["hz"] = self.half()
            if self.chance(0.1):
                shape["offset"] = (self.coordinate() / 2, self.coordinate() / 2, 0.0)
            return ("BoxCollider", shape | told)
        return ("CompoundCollider", {"parts": self.parts(), **told})

    def parts(self) -> tuple[Any, ...]:
        fixed = (
            ((0.5, 1.5, 0.5, (-1.0, 0.0, 0.0)), (0.5, 0.5, 0.5, (0.0, 1.0, 0.0)), (0.5, 0.5, 0.5, (0.0, -1.0, 0.0))),
            ((1.5, 0.5, 0.5, (0.0, 0.0, 0.0)), (0.5, 0.5, 0.5, (1.0, 1.0, 0.0))),
            ((0.5, 0.5, 0.5, (-1.0, 0.0, 0.0)), (0.5, 0.5, 0.5, (1.0, 0.0, 0.0))),
            # On one spot and inside each other: such ask for each other's room together.
            ((0.5, 0.5, 0.5, (0.0, 0.0, 0.0)), (0.5, 0.5, 0.5, (0.0, 0.0, 0.0)), (1.0, 1.0, 0.5, (0.0, 0.5, 0.0))),
            ((2.0, 2.0, 0.5, (0.0, 0.0, 0.0)), (1.5, 2.0, 0.5, (0.5, 0.0, 0.0)), (1.0, 0.5, 0.5, (0.0, 1.5, 0.0))),
        )
        if self.chance(0.06):  # so many that the index keeps those apart that hold the others
            rings = [(0.25 + ring / 8, 1.25 - ring / 16, 0.5, (0.0, 0.0, 0.0)) for ring in range(6)]
            core = [(0.125 + ring / 16, 0.125 + ring / 32, 0.5, (0.0, ring / 32, 0.0)) for ring in range(12)]
            return (*core, *rings, (self.half(), self.half(), 0.5, (self.coordinate() / 2, 0.0, 0.0)))
        if self.chance(0.5):
            return self.any(fixed)
        spots = [(self.coordinate() / 2, self.coordinate() / 2, 0.0) for _ in range(self.dice.randint(1, 3))]
        return tuple((self.half(), self.half(), 0.5, spot) for spot in spots)

    def inertia(self) -> Spec:
        value = self.strength()
        if self.chance(0.2):
            return ("Inertia", {"x": value, "y": self.strength(), "z": self.strength()})
        return ("Inertia", {"x": value, "y": value, "z": value})

    def motion(self) -> Spec:
        given = {"force": self.any((1.0, 1.5, 2.0, 2.5, 5.0, 5.0, 0.0, float("inf")))}
        optional = {"priority": (0.3, self.dice.randint(-1, 2)), "rule": (0.15, self.any(("each", "sum"))),
                    "max_chain": (0.1, self.dice.randint(0, 2)),
                    "all_or_nothing": (0.1, self.any((True, False)))}  # fmt: skip
        return ("Motion", given | {name: value for name, (share, value) in optional.items() if self.chance(share)})

    def sleeping(self) -> Spec:
        return ("Sleeping", {"asleep": self.chance(0.5), "after": self.any((1, 2, 3))})

    def trigger(self) -> Spec:
        shares = {"touching": 0.35, "swept": 0.5, "stay": 0.3}
        flags = {name: True for name, share in shares.items() if self.chance(share)}
        linger = {"linger": self.any((1, 2, 4))} if self.chance(0.3) else {}
        return ("Trigger", {"mask": self.any(self.masks), **flags, **linger})

    def component(self) -> Spec:
        kind = self.any(("Transform", "collider", "collider", "Inertia", "Motion", "Sleeping", "Static", "Trigger"))
        if kind == "Transform":
            x, y, z = self.spot()
            return ("Transform", {"x": x, "y": y, "z": z})
        made = {"collider": self.collider, "Inertia": self.inertia, "Motion": self.motion, "Sleeping": self.sleeping,
                "Static": lambda: ("Static", {}), "Trigger": self.trigger}  # fmt: skip
        return made[kind]()

    def field(self) -> tuple[str, str, Any]:
        """Return a field and a value for it."""
        kind = self.any(("Transform", "Transform", "collider", "collider", "BoxCollider", "CompoundCollider", "Inertia",
                         "Motion", "Sleeping", "Trigger"))  # fmt: skip
        flag, mask = self.chance(0.5), self.any(self.masks)
        table: dict[str, tuple[tuple[str, Any], ...]] = {
            "Transform": (("x", self.spot()[0]), ("y", self.spot()[1]), ("position", self.spot()),
                          ("position", self.spot()[:2]), ("z", self.coordinate() if self.tall else 0.0)),
            "collider": (("enabled", flag), ("enabled", True), ("layer", self.any(LAYERS)), ("mask", mask)),
            "BoxCollider": (("hx", self.half()), ("hy", self.half()), ("hz", self.half() if self.tall else 0.5),
                            ("offset", (self.coordinate() / 2, 0.0, 0.0))),
            "CompoundCollider": (("parts", self.parts()),),
            "Inertia": (("value", self.strength()), ("x", self.strength()), ("y", self.strength()), ("z", 1.0)),
            "Motion": (("force", self.strength()), ("priority", self.dice.randint(-1, 2)),
                       ("rule", self.any(("each", "sum", None))), ("max_chain", self.any((None, 0, 1, 2))),
                       ("all_or_nothing", self.any((None, True, False)))),
            "Sleeping": (("asleep", flag), ("asleep", flag), ("after", self.any((1, 2, 3)))),
            "Trigger": (("mask", mask), ("touching", flag), ("swept", flag), ("stay", flag),
                        ("linger", self.any((0, 1, 3))), ("enabled", flag), ("enabled", True)),
        }  # fmt: skip
        name, value = self.any(table[kind])
        return kind, name, value

    def how(self) -> dict[str, Any]:
        """Return what a move is told besides where to."""
        drawn = {"force": (0.7, self.any((0.0, 1.0, 1.5, 2.0, 5.0, 5.0, 5.0, float("inf")))),
                 "rule": (0.15, self.any(("each", "sum"))), "max_chain": (0.15, self.any((0, 1, 2, 5))),
                 "all_or_nothing": (0.15, self.any((True, True, False)))}  # fmt: skip
        return {name: value for name, (share, value) in drawn.items() if self.chance(share)}
