"""The engine and the model of the rules side by side: random small worlds, in which whatever is done is compared."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ecs_collision import (
    LATTICE,
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Event,
    FellAsleep,
    Fused,
    Inertia,
    Motion,
    MoveResult,
    Static,
    Transform,
    Trigger,
    Woke,
)
from ecs_collision.components import Parts
from ecs_collision.testing.model import Asked, Body, Model, Result, Zone

BOUNDS = (None, None, ((-4, -4), (4, 4)), ((-5, -3, -2), (4, 6, 2)), ((-1, -1), (1.5, 1)))
INERTIAS: tuple[dict[str, float], ...] = ({"value": 0}, {"value": 0.5}, {"value": 1}, {"x": 1}, {"x": 1, "y": 2})


def read(entity: int, parts: dict[str, Any]) -> Body:
    """Return what components say of a body, in the words of the model."""
    transform, collider = parts["transform"], parts["collider"]
    boxes = collider.parts if isinstance(collider, CompoundCollider) else (collider,)
    body = Body(entity, transform.position, tuple((b.hx, b.hy, b.hz, *b.offset) for b in boxes))
    body.layer, body.mask, body.enabled = collider.layer, collider.mask, collider.enabled
    body.static, body.transform, body.collider = "static" in parts, transform, collider
    if inertia := parts.get("inertia"):
        body.inertia = (inertia.x, inertia.y, inertia.z)
    if m := parts.get("motion"):
        body.motion = Asked(m.force, m.priority, m.rule, m.max_chain, m.all_or_nothing, m.dx, m.dy, m.dz, m)
    if zone := parts.get("trigger"):
        body.zone = Zone(zone.mask, zone.touching, zone.swept, zone.stay, zone.linger, zone.enabled)
    if fused := parts.get("fused"):
        body.fused = fused.to
    return body


def in_words(event: Event) -> tuple[Any, ...]:
    """Return an event as the model tells it."""
    values = [getattr(event, name) for name in event.__dataclass_fields__ if name != "frame"]
    return (type(event).__name__, *(getattr(value, "name", value) for value in values))


def told(result: MoveResult) -> Result:
    """Return a MoveResult as the model tells it."""
    stops = tuple((stop.axis, stop.blocker, stop.reason.name, stop.allowed) for stop in result.stops)
    links = tuple((link.pusher, link.pushed, link.axis, link.gap) for link in result.links)
    return Result(result.requested, result.moved, dict(result.pushed), stops, links)


class Twins:
    """One random world twice; `script` is what was done."""

    def __init__(self, seed: int) -> None:
        self.dice = dice = random.Random(seed)
        self.front_first, salt = dice.random() < 0.35, dice.randrange(100)
        answers = (None, None, True, False)
        settings: dict[str, Any] = {
            "bin_size": dice.choice([1.0, 2.0, 0.5]),
            "rule": dice.choice(["each", "each", "sum"]),
            "max_chain": dice.choice([None, None, 1, 2]),
            "all_or_nothing": not self.front_first and dice.random() < 0.2,
            "axis_order": dice.choice(["xyz", "yxz", "zyx", "xzy"]),
            "order": "front_first" if self.front_first else "sequential",
            "overlap_policy": dice.choice(["leave", "block_deeper"]),
            "bounds": dice.choice(BOUNDS),
        }
        if dice.random() < 0.4:  # one answer for each body pushed: see what a veto on a way round means (P15)
            settings["can_push"] = lambda pusher, pushed, axis, force: answers[(pushed * 13 + ord(axis) + salt) % 4]
        self.world, self.model = CollisionWorld(**settings), Model(**settings)
        self.script = [f"seed {seed}: {settings}"]
        self.layered, self.curious = dice.random() < 0.4, dice.random() < 0.7
        self.parts: dict[int, dict[str, Any]] = {}
        self.kept: tuple[bytes, str, Model, dict[int, set[str]]] | None = None
        for entity in range(1, dice.randrange(3, 10)):
            self.create(entity)
        for _ in range(dice.choice([0, 0, 1, 3, 5])):
            self.fuse()

    # What is in the world.

    def place(self, span: int) -> float:
        """Return a coordinate: a whole one, or one in eighths."""
        return self.dice.randrange(-span * 8, span * 8 + 1) / self.dice.choice([1, 8]) % (span * 2) - span

    def box(self) -> tuple[float, float, float]:
        half = (0.5, 0.5, 0.5, 0.25, 1, 1.5, 0)
        return (self.dice.choice(half), self.dice.choice(half), self.dice.choice((0.5, 0.5, 0.5, 1, 0.25)))

    def collider(self) -> BoxCollider | CompoundCollider:
        masks = (None, None, "a", "b", ("a", "b"), ())
        layer, mask = (self.dice.choice("ab"), self.dice.choice(masks)) if self.layered else ("default", None)
        if self.dice.random() < 0.7:
            return BoxCollider(*self.box(), layer=layer, mask=mask)
        count = self.dice.randint(1, 3)
        parts = [Box(*self.box(), offset=(self.place(1), self.place(1))) for _ in range(count)]
        return CompoundCollider(parts, layer=layer, mask=mask)

    def create(self, entity: int) -> None:
        """Put a body of any kind under that id into the engine."""
        dice, spot = self.dice, Transform(self.place(3), self.place(3), self.dice.choice((0, 0, 0, 0.5, 1)))
        parts: dict[str, Any] = {"transform": spot, "collider": self.collider()}
        if dice.random() < 0.2:
            parts["static"] = Static()
        else:
            if dice.random() < 0.6:
                parts["inertia"] = Inertia(**dice.choice(INERTIAS))
            if dice.random() < 0.6:
                whole = None if self.front_first else dice.choice([None, None, True, False])
                own = {"rule": dice.choice([None, None, "each", "sum"]), "max_chain": dice.choice([None, None, 0, 2])}
                force = dice.choice([0, 0.5, 1, 1.5, 2, 3, float("inf")])
                parts["motion"] = Motion(force, dice.choice([0, 0, 1, -1]), all_or_nothing=whole, **own)
        if dice.random() < 0.25:
            parts["trigger"] = self.trigger()
        self.script.append(f"create {entity}: {parts}")
        self.world.add(entity, **parts)
        self.parts[entity] = parts

    def trigger(self) -> Trigger:
        dice = self.dice
        flags = {name: dice.random() < 0.5 for name in ("touching", "swept", "stay")}
        mask = dice.choice([None, None, "a", "b", "default"])
        return Trigger(mask=mask, linger=dice.choice([0, 0, 0, 1, 2]), **flags)

    # What is done in it.

    def play(self, deeds: int) -> Counter[tuple[str, str]]:
        """Do as much, comparing whatever can be asked; return what the rules decided."""
        ways: list[tuple[int, Callable[[], None]]] = [
            (6, self.move), (2, self.plan), (2, self.teleport), (3, self.change), (1, self.replace), (6, self.step),
            (2, self.fuse), (1, self.free), (1, self.report), (1, self.keep), (2, self.back),
        ]  # fmt: skip
        for _ in range(deeds):
            deed = self.dice.choices([deed for _, deed in ways], [weight for weight, _ in ways])[0]
            deed()
            if self.curious or deed == self.step:  # what is told must not hang on whether anything was asked (T1)
                self.compare_all()
        return self.model.hits

    def way(self) -> tuple[float, float, float]:
        dice = self.dice
        lengths = [0, 0, self.place(4), self.place(2), 30, -30, 0.4 * LATTICE, -2.6 * LATTICE, dice.uniform(-2, 2)]
        return (dice.choice(lengths), dice.choice(lengths), dice.choice([0, 0, 0, self.place(1)]))

    def ask(self, call: str) -> None:
        movers = [entity for entity, parts in self.parts.items() if "static" not in parts]
        if movers:
            how = {
                "force": self.dice.choice([None, None, 0, 1, 2, 0.7]),
                "rule": self.dice.choice([None, None, "each", "sum"]),
                "max_chain": self.dice.choice([None, None, 0, 1, 2]),
                "all_or_nothing": self.dice.choice([None, None, True, False]),
            }
            entity, way = self.dice.choice(movers), self.way()
            self.script.append(f"{call} {entity} {way} {how}")
            self.take_in()
            got = getattr(self.world, call)(entity, *way, **how)
            result = told(got if isinstance(got, MoveResult) else got.result)
            self.compare(call, getattr(self.model, call)(entity, *way, **how), result)

    def move(self) -> None:
        self.ask("move")

    def plan(self) -> None:
        self.ask("plan")

    def teleport(self) -> None:
        entity, spot = self.dice.choice(list(self.parts)), (self.place(3), self.place(3))
        self.script.append(f"teleport {entity} {spot}")
        self.parts[entity]["transform"].position = spot

    def change(self) -> None:
        """Write a field of a component."""
        parts = self.parts[self.dice.choice(list(self.parts))]
        choices: list[tuple[Any, str, Any]] = [
            (parts["collider"], "enabled", not parts["collider"].enabled),
            (parts["collider"], "layer", self.dice.choice(["a", "b", "default"])),
        ]
        if isinstance(parts["collider"], BoxCollider):
            choices.append((parts["collider"], "hx", self.dice.choice([0.25, 0.5, 1, 2])))
        if zone := parts.get("trigger"):
            choices += [(zone, name, not getattr(zone, name)) for name in ("touching", "swept", "stay", "enabled")]
            choices += [(zone, "linger", self.dice.randint(0, 2)), (zone, "mask", self.dice.choice([None, "a", "b"]))]
        component, name, value = self.dice.choice(choices)
        self.script.append(f"{component!r}.{name} = {value!r}")
        setattr(component, name, value)

    def replace(self) -> None:
        """Remove a body, and perhaps put another under its id."""
        entity = self.dice.choice(list(self.parts))
        for other, parts in list(self.parts.items()):
            if other != entity and "fused" in parts and parts["fused"].to == entity:
                self.free(other)
        self.script.append(f"remove {entity}")
        self.world.remove(entity)
        del self.parts[entity]
        if self.dice.random() < 0.7 or not self.parts:
            self.create(entity)

    def fuse(self) -> None:
        """Fuse a body to another, where that can be: neither static, and no ring."""
        able = [entity for entity, parts in self.parts.items() if "static" not in parts]
        entity, to = (self.dice.choice(able), self.dice.choice(able)) if able else (0, 0)
        line = [to]
        while line[-1] and "fused" in self.parts[line[-1]]:
            line.append(self.parts[line[-1]]["fused"].to)
        if entity in line:
            return
        self.script.append(f"fuse {entity} to {to}")
        if "fused" in self.parts[entity] and self.dice.random() < 0.5:
            self.parts[entity]["fused"].to = to
        else:
            self.give(entity, fused=Fused(to))

    def free(self, entity: int | None = None) -> None:
        """Unfuse a body."""
        fused = [other for other, parts in self.parts.items() if "fused" in parts]
        if fused:
            entity = self.dice.choice(fused) if entity is None else entity
            self.script.append(f"free {entity}")
            self.give(entity, fused=None)

    def report(self) -> None:
        """Make a body report, or let one that does block again."""
        entity = self.dice.choice(list(self.parts))
        trigger = None if "trigger" in self.parts[entity] else self.trigger()
        self.script.append(f"{entity} becomes {trigger or 'solid'}")
        self.give(entity, trigger=trigger)

    def give(self, entity: int, **parts: Any) -> None:
        """Give a body components, or take them away."""
        now = self.parts[entity] | parts
        self.parts[entity] = {name: part for name, part in now.items() if part is not None}
        self.world.stage(entity, Parts(**self.parts[entity]))

    def kinds(self) -> dict[int, set[str]]:
        return {entity: set(parts) for entity, parts in self.parts.items()}

    def keep(self) -> None:
        """Take a snapshot."""
        self.script.append("keep")
        self.take_in()
        self.kept = (self.world.snapshot(), self.world.state_hash(), self.model.keep(), self.kinds())

    def back(self) -> None:
        """Go back to the snapshot, where there are the same kinds of bodies."""
        if self.kept is None or self.kept[3] != self.kinds():
            return
        data, state_hash, model, _ = self.kept
        self.script.append("back")
        self.world.take_in()
        self.world.restore(data)
        self.model.back(model, [read(entity, parts) for entity, parts in self.parts.items()])
        if self.curious:
            self.compare("bytes and hash", (data, state_hash), (self.world.snapshot(), self.world.state_hash()))

    def step(self) -> None:
        """Ask for motions of some, and do a frame."""
        for entity, parts in self.parts.items():
            if "motion" in parts and self.dice.random() < 0.5:
                way = self.way()
                self.script.append(f"request {entity} {way}")
                parts["motion"].move(*way)
        self.script.append("step")
        self.take_in()
        frame, events = self.world.step(), self.model.step()
        self.compare("events", events, [in_words(e) for e in frame.events if not isinstance(e, Woke | FellAsleep)])
        self.compare("results", self.model.results, {entity: told(result) for entity, result in frame.results.items()})

    # What comes of it.

    def take_in(self) -> None:
        self.model.take_in([read(entity, parts) for entity, parts in self.parts.items()])

    def compare_all(self) -> None:
        """Compare all that can be asked at any time."""
        self.take_in()
        places = {entity: parts["transform"].position for entity, parts in sorted(self.parts.items())}
        self.compare("places", {entity: body.position for entity, body in self.model.bodies.items()}, places)
        self.compare("pairs", self.model.pairs(), list(self.world.space.pairs()))
        for entity, parts in self.parts.items():
            self.compare(f"touching {entity}", self.model.touching(entity), self.world.touching(entity))
            if "trigger" in parts:
                self.compare(f"inside {entity}", self.model.inside(entity), self.world.inside(entity))

    def compare(self, what: str, expected: Any, found: Any) -> None:
        if isinstance(expected, dict):  # the order counts too
            expected, found = list(expected.items()), list(found.items())
        if isinstance(expected, Result):
            expected, found = (replace(each, pushed=list(each.pushed.items())) for each in (expected, found))
        script = "\n".join(self.script)
        assert expected == found, f"{what}\nmodel  {expected}\nengine {found}\n{script}"
