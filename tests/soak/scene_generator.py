"""Random numbers, components, bodies and scenes for all tests with random plays.

The results are plain data (a component is its class name and fields) and depend only on the source: a seed, or
`hypothesis.strategies.randoms()`, which shrinks. `made` makes components, `scene` a scene for any world.
"""

from __future__ import annotations

import math
import random
from typing import Any

import ecs_collision
from ecs_collision import Box, Fused
from ecs_collision.components import Parts
from ecs_collision.testing.scenes import Scene

Spec = tuple[str, dict[str, Any]]
"""A component: its class name and the fields that differ from defaults."""

Spot = tuple[float, float, float]

LAYERS = ("a", "b")
MASKS = (None, None, None, None, None, "a", ("b",), ("a", "b"), ())
ROLES = ("player", "player", "player", "player", "crate", "crate", "crate", "crate", "crate", "rail", "rock", "wall",
         "zone", "zone", "rover", "plate")  # fmt: skip


SHAPE_FIELDS = (
    ("Transform", "rotation"), ("Transform", "rotation"), ("Transform", "rotation"), ("SphereCollider", "radius"),
    ("SphereCollider", "offset"), ("CapsuleCollider", "radius"), ("CapsuleCollider", "half_length"),
    ("CapsuleCollider", "axis"), ("CapsuleCollider", "offset"), ("OrientedBoxCollider", "hx"),
    ("OrientedBoxCollider", "hy"), ("OrientedBoxCollider", "hz"), ("OrientedBoxCollider", "offset"),
)  # fmt: skip


def turns(collider: Spec) -> bool:
    """Return whether a collider has no box, which would not turn."""
    parts = collider[1].get("parts", ())
    return collider[0] != "BoxCollider" and all(isinstance(part[0], str) for part in parts)


def made(spec: Spec) -> Any:
    """Return the component that a spec describes."""
    kind, fields = spec
    if kind == "CompoundCollider":
        fields = fields | {"parts": [part_value(part) for part in fields["parts"]]}
    return getattr(ecs_collision, kind)(**fields)


def part_value(part: tuple[Any, ...]) -> Any:
    """Return a part of a compound: the arguments of a Box, or a kind and its arguments."""
    return getattr(ecs_collision, part[0])(*part[1:]) if isinstance(part[0], str) else Box(*part)


class SceneGenerator:
    """Draws the content of worlds.

    reach: maximum distance of positions from `middle`. grain: positions per unit of length. in_3d: whether positions
    differ in z. crooked: whether some numbers are off the lattice. scale: factor of the sizes of bodies.
    """

    is_shaped = False
    """Whether there are spheres, capsules and oriented boxes too, which may be turned."""

    is_asking = False
    """Whether some bodies report what they touch (C1)."""

    is_one_way = False
    """Whether some bodies have a OneWay, and some motions go through these (M5)."""
    is_carrying = False
    """Whether some bodies carry what stands on them (M6) or grip another one (M12), and forces may add up (M11)."""

    def __init__(
        self, source: int | random.Random, reach: float = 2.0, grain: int = 8, *, in_3d: bool = False,
        crooked: bool = False, middle: Spot = (0.0, 0.0, 0.0), scale: float = 1.0,
    ) -> None:  # fmt: skip
        self.random = random.Random(source) if isinstance(source, int) else source
        self.choice = self.random.choice
        self.reach, self.grain, self.in_3d, self.crooked, self.middle = reach, grain, in_3d, crooked, middle
        self.scale, self.masks, self.roles = scale, MASKS, ROLES

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def settings(self) -> dict[str, Any]:
        """Return the settings of a world, most of them defaults."""
        front_first = self.chance(0.3)
        drawn: dict[str, tuple[float, Any]] = {
            "bin_size": (0.4, self.choice((0.25, 0.5, 2.0, 4.0, 64.0))),
            "rule": (0.3, "sum"),
            "max_chain": (0.2, self.choice((0, 1, 2, 3))),
            "all_or_nothing": (0.0 if front_first else 0.15, True),
            "axis_order": (0.3, self.choice(("xzy", "yxz", "yzx", "zxy", "zyx"))),
            "order": (float(front_first), "front_first"),
            "overlap_policy": (0.3, "leave"),
            "bounds": (0.25, self.bounds()),
            "can_push": (0.25, True),
        }
        found = {name: value for name, (share, value) in drawn.items() if self.chance(share)}
        return found | ({"forces": "add"} if self.is_carrying and self.chance(0.5) else {})

    def bounds(self) -> Any:
        reach = self.reach + self.choice((-1.0, 0.0, 0.5, 1.0, 0.1))
        if self.chance(0.3):
            return ((-reach, -reach, -1.0), (reach, reach, 1.0))
        return ((-reach, -reach), (reach, reach))

    # Numbers.

    def coordinate(self) -> float:
        steps = round(self.grain * self.reach)
        at = self.random.randint(-steps, steps) / self.grain * self.scale
        return at + 0.1 if self.crooked and self.chance(0.3) else at

    def spot(self) -> Spot:
        x, y, z = self.middle
        at = (x + self.coordinate(), y + self.coordinate(), z)
        return (*at[:2], z + self.coordinate() / 2) if self.in_3d and self.chance(0.6) else at

    def displacement(self) -> Spot:
        """Return a displacement, in most cases along one axis."""
        lengths = [0.0, 0.0, 0.0]
        for axis in self.choice(((0,), (0,), (1,), (1,), (0, 1), (0, 1), (0, 1, 2), (2,) if self.in_3d else (0,), ())):
            lengths[axis] = self.length() * self.choice((1, 1, 2))
        return (lengths[0], lengths[1], lengths[2])

    def length(self) -> float:
        if self.chance(0.04):
            return self.choice((1e6, -1e6, 2.0**-16, 1e-6, -(2.0**-17)))
        return self.coordinate() if self.chance(0.8) else self.choice((1.0, -1.0, 0.5, -0.5)) * self.scale

    def half(self) -> float:
        if self.crooked and self.chance(0.2):
            return self.choice((0.1, 0.3, 1 / 3)) * self.scale
        size = (0.5, 0.5, 0.5, 0.5, 0.5, 0.25, 0.75, 1.0, 1.5, 0.125, 0.0, 2.5, self.choice((0.5, 6.0, 40.0)))
        return self.choice(size) * self.scale

    def strength(self) -> float:
        return self.choice((1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 0.5, 0.0, 1.5, 3.0, float("inf")))

    # Components.

    def scene(self, bodies: int = 10, *, fusing: bool = False, **settings: Any) -> Scene:
        """Return a scene of this many bodies, some of them fused if `fusing`."""
        found: dict[int, Parts] = {}
        for id in range(1, bodies + 1):
            parts = Parts.of(tuple(map(made, self.body())))
            partner = self.random.randrange(2 * id) if fusing else 0
            if partner in found and parts.static is None and found[partner].static is None:
                parts = parts._replace(fused=Fused(partner))
            found[id] = parts
        return Scene(found, settings)

    def body(self, role: str = "") -> tuple[Spec, ...]:
        role = role or self.choice(self.roles)
        x, y, z = self.spot()
        parts: list[Spec] = [("Transform", {"x": x, "y": y, "z": z}), self.collider()]
        if self.is_shaped and turns(parts[1]):
            parts[0][1]["rotation"] = self.rotation()
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
        elif self.is_asking and self.chance(0.5):
            parts.append(self.contact())
        if self.is_one_way and self.chance(0.3):
            parts.append(("OneWay", {"direction": self.choice(("up", "up", "down", "left", "right"))}))
        if self.is_carrying and self.chance(0.4):
            parts.append(("Carries", {"up": self.choice(("up", "up", "down", "left", "right"))}))
        if self.is_carrying and role in ("player", "rover") and self.chance(0.2):
            parts.append(("Grips", {"to": self.random.randint(1, 10)}))
        return tuple(parts)

    def collider(self) -> Spec:
        filters = {"layer": self.choice(LAYERS), "mask": self.choice(self.masks), "enabled": not self.chance(0.04)}
        if self.is_shaped and self.chance(0.5):
            kind, numbers = self.shape()
            return (kind, numbers | filters)
        if self.chance(0.7):
            shape: dict[str, Any] = {"hx": self.half(), "hy": self.half()}
            if self.in_3d and self.chance(0.5):
                shape["hz"] = self.half()
            if self.chance(0.1):
                shape["offset"] = (self.coordinate() / 2, self.coordinate() / 2, 0.0)
            return ("BoxCollider", shape | filters)
        return ("CompoundCollider", {"parts": self.parts(), **filters})

    def shape(self) -> Spec:
        """Return a collider that is no box, without layer and mask."""
        offset = self.offset() if self.chance(0.1) else (0.0, 0.0, 0.0)
        kind = self.choice(("SphereCollider", "CapsuleCollider", "OrientedBoxCollider"))
        if kind == "OrientedBoxCollider":
            return (kind, {"hx": self.size(), "hy": self.size(), "hz": self.size() if self.in_3d else 0.5,
                           "offset": offset})  # fmt: skip
        if kind == "SphereCollider":
            return (kind, {"radius": self.half(), "offset": offset})
        axis = self.choice("xyz" if self.in_3d else "xy")
        return (kind, {"radius": self.size(), "half_length": self.size(), "axis": axis, "offset": offset})

    def size(self) -> float:
        """Return a radius or a half extent, never 0."""
        return self.half() or 0.25

    def rotation(self) -> Any:
        """Return a rotation; half of them take axes to axes."""
        if self.in_3d and self.chance(0.4):
            return self.choice((
                (0.531, 0.217, 0.119, 1.0), (0.03, 0.317, -0.211, 0.9), (1.0, 1.0, 1.0, 1.0), (1, 0, 0, 1),
            ))  # fmt: skip
        return self.choice((None, None, math.pi / 2, -math.pi / 2, math.pi, math.pi / 4, 1.0, -0.3))

    def mixed_parts(self) -> tuple[Any, ...]:
        """Return the parts of a compound of several kinds."""
        found: list[tuple[Any, ...]] = []
        for _ in range(self.random.randint(1, 3)):
            offset = self.offset()
            turn = self.rotation() if self.chance(0.4) else None
            found.append(self.choice((
                (self.size(), self.size(), 0.5, offset),
                ("Sphere", self.size(), offset),
                ("Capsule", self.size(), self.size(), self.choice("xy"), offset, turn),
                ("OrientedBox", self.size(), self.size(), 0.5, offset, turn),
            )))  # fmt: skip
        return tuple(found)

    def parts(self) -> tuple[Any, ...]:
        if self.is_shaped and self.chance(0.5):
            return self.mixed_parts()
        fixed = (
            ((0.5, 1.5, 0.5, (-1.0, 0.0, 0.0)), (0.5, 0.5, 0.5, (0.0, 1.0, 0.0)), (0.5, 0.5, 0.5, (0.0, -1.0, 0.0))),
            ((1.5, 0.5, 0.5, (0.0, 0.0, 0.0)), (0.5, 0.5, 0.5, (1.0, 1.0, 0.0))),
            ((0.5, 0.5, 0.5, (-1.0, 0.0, 0.0)), (0.5, 0.5, 0.5, (1.0, 0.0, 0.0))),
            # Equal and nested boxes, which are queried together.
            ((0.5, 0.5, 0.5, (0.0, 0.0, 0.0)), (0.5, 0.5, 0.5, (0.0, 0.0, 0.0)), (1.0, 1.0, 0.5, (0.0, 0.5, 0.0))),
            ((2.0, 2.0, 0.5, (0.0, 0.0, 0.0)), (1.5, 2.0, 0.5, (0.5, 0.0, 0.0)), (1.0, 0.5, 0.5, (0.0, 1.5, 0.0))),
        )
        if self.chance(0.06):  # enough boxes for the index to separate outer from inner ones
            frames = [(0.25 + each / 8, 1.25 - each / 16, 0.5, (0.0, 0.0, 0.0)) for each in range(6)]
            core = [(0.125 + each / 16, 0.125 + each / 32, 0.5, (0.0, each / 32, 0.0)) for each in range(12)]
            return (*core, *frames, (self.half(), self.half(), 0.5, (self.coordinate() / 2, 0.0, 0.0)))
        if self.chance(0.5):
            return self.choice(fixed)
        spots = [(self.coordinate() / 2, self.coordinate() / 2, 0.0) for _ in range(self.random.randint(1, 3))]
        return tuple((self.half(), self.half(), 0.5, spot) for spot in spots)

    def inertia(self) -> Spec:
        value = self.strength()
        if self.chance(0.2):
            return ("Inertia", {"x": value, "y": self.strength(), "z": self.strength()})
        return ("Inertia", {"x": value, "y": value, "z": value})

    def motion(self) -> Spec:
        given = {"force": self.choice((1.0, 1.5, 2.0, 2.5, 5.0, 5.0, 0.0, float("inf")))}
        optional = {"priority": (0.3, self.random.randint(-1, 2)), "rule": (0.15, self.choice(("each", "sum"))),
                    "max_chain": (0.1, self.random.randint(0, 2)),
                    "all_or_nothing": (0.1, self.choice((True, False)))}  # fmt: skip
        return ("Motion", given | {name: value for name, (share, value) in optional.items() if self.chance(share)})

    def sleeping(self) -> Spec:
        return ("Sleeping", {"asleep": self.chance(0.5), "after": self.choice((1, 2, 3))})

    def trigger(self) -> Spec:
        shares = {"statics": 0.4, "touching": 0.35, "swept": 0.5, "stay": 0.3}
        flags = {name: True for name, share in shares.items() if self.chance(share)}
        linger = {"linger": self.choice((1, 2, 4))} if self.chance(0.3) else {}
        return ("Trigger", {"mask": self.choice(self.masks), **flags, **linger})

    def contact(self) -> Spec:
        """Return a Contact; its mask names any layers more often than that of a collider."""
        linger = {"linger": self.choice((1, 2, 4))} if self.chance(0.3) else {}
        return ("Contact", {"mask": self.choice(self.masks), **linger})

    def component(self) -> Spec:
        if self.is_asking and self.chance(0.15):
            return self.contact()
        kind = self.choice(("Transform", "collider", "collider", "Inertia", "Motion", "Sleeping", "Static", "Trigger"))
        if kind == "Transform":
            x, y, z = self.spot()
            return ("Transform", {"x": x, "y": y, "z": z} | ({"rotation": self.rotation()} if self.is_shaped else {}))
        made = {"collider": self.collider, "Inertia": self.inertia, "Motion": self.motion, "Sleeping": self.sleeping,
                "Static": lambda: ("Static", {}), "Trigger": self.trigger}  # fmt: skip
        return made[kind]()

    def field(self) -> tuple[str, str, Any]:
        """Return a field and a value for it."""
        kind = self.choice(("Transform", "Transform", "collider", "collider", "BoxCollider", "CompoundCollider",
                            "Inertia", "Motion", "Sleeping", "Trigger"))  # fmt: skip
        flag, mask = self.chance(0.5), self.choice(self.masks)
        table: dict[str, tuple[tuple[str, Any], ...]] = {
            "Transform": (("x", self.spot()[0]), ("y", self.spot()[1]), ("position", self.spot()),
                          ("position", self.spot()[:2]), ("z", self.coordinate() if self.in_3d else 0.0)),
            "collider": (("enabled", flag), ("enabled", True), ("layer", self.choice(LAYERS)), ("mask", mask)),
            "BoxCollider": (("hx", self.half()), ("hy", self.half()), ("hz", self.half() if self.in_3d else 0.5),
                            ("offset", (self.coordinate() / 2, 0.0, 0.0))),
            "CompoundCollider": (("parts", self.parts()),),
            "Inertia": (("value", self.strength()), ("x", self.strength()), ("y", self.strength()), ("z", 1.0)),
            "Motion": (("force", self.strength()), ("priority", self.random.randint(-1, 2)),
                       ("rule", self.choice(("each", "sum", None))), ("max_chain", self.choice((None, 0, 1, 2))),
                       ("all_or_nothing", self.choice((None, True, False)))),
            "Sleeping": (("asleep", flag), ("asleep", flag), ("after", self.choice((1, 2, 3)))),
            "Trigger": (("mask", mask), ("statics", flag), ("touching", flag), ("swept", flag), ("stay", flag),
                        ("linger", self.choice((0, 1, 3))), ("enabled", flag), ("enabled", True)),
        }  # fmt: skip
        if self.is_asking and self.chance(0.12):
            name, value = self.choice((("mask", mask), ("linger", self.choice((0, 1, 3)))))
            return "Contact", name, value
        if self.is_shaped and self.chance(0.3):
            kind, name = self.choice(SHAPE_FIELDS)
            if kind == "Transform":
                return kind, name, self.rotation()
            return (
                kind,
                name,
                self.choice("xy") if name == "axis" else self.offset() if name == "offset" else self.size(),
            )
        name, value = self.choice(table[kind])
        return kind, name, value

    def offset(self) -> Spot:
        return (self.coordinate() / 2, self.coordinate() / 2, 0.0)

    def move_options(self) -> dict[str, Any]:
        """Return the options of a move."""
        drawn = {"force": (0.7, self.choice((0.0, 1.0, 1.5, 2.0, 5.0, 5.0, 5.0, float("inf")))),
                 "rule": (0.15, self.choice(("each", "sum"))), "max_chain": (0.15, self.choice((0, 1, 2, 5))),
                 "all_or_nothing": (0.15, self.choice((True, True, False)))}  # fmt: skip
        if self.is_one_way:
            drawn["through"] = (0.2, True)
        return {name: value for name, (share, value) in drawn.items() if self.chance(share)}
