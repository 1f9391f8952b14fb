"""Scenes of triggers, sleep, coming and going, questions, snapshots; the last ones in esper."""

from __future__ import annotations

from typing import Any

import esper
import numpy

from ecs_collision import (
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    Fused,
    Inertia,
    Motion,
    Moved,
    Sleeping,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    overlapping_pairs,
)
from golden import Scene, WorldScene


class Zones(WorldScene):
    """Triggers of every option, crossed by the quick and the slow; options change on the way."""

    def make(self) -> None:
        self.movers = [self.player(x, y, layer=self.one_of(("cat", "dog", "hen"))) for x, y in self.places(14, 8)]
        self.zones = [
            self.zone(
                x, y, self.whole(1, 6) / 4, self.whole(1, 6) / 4, layer=self.one_of(("cat", "door")),
                mask=self.one_of((None, None, ("cat",), ("dog", "door"), ())), touching=self.chance(0.4),
                swept=self.chance(0.4), stay=self.chance(0.3), linger=self.one_of((0, 0, 1, 3, 40)),
            )
            for x, y in self.places(24, 8)
        ]  # fmt: skip

    def act(self, number: int) -> None:
        for _ in range(4):
            self.go(self.one_of(self.movers), 4, 8)
        if self.chance(0.2):
            self.world.request(self.movers[0], -self.parts[self.movers[0]]["transform"].x)
        if self.chance(0.1):
            trigger = self.parts[self.one_of(self.zones)]["trigger"]
            name = self.one_of(("touching", "swept", "stay", "enabled"))
            setattr(trigger, name, not getattr(trigger, name))
        if self.chance(0.05):
            self.parts[self.one_of(self.zones)]["trigger"].linger = self.whole(0, 5)
        self.tell(self.world.inside(self.one_of(self.zones)))


class Sleepers(WorldScene):
    """A hundred bodies of which most rest most of the time, in and out of triggers that stay and linger."""

    def make(self) -> None:
        self.frame_of_walls(16)
        for at, (x, y) in enumerate(self.places(100, 14)):
            if at < 4:
                self.player(x, y, 4)
            else:
                self.sleeper(x, y, self.whole(1, 9), inertia=self.whole(1, 5))
        for x, y in self.places(10, 12):
            self.zone(x, y, 2, 2, stay=self.chance(0.5), linger=self.whole(0, 9))

    def act(self, number: int) -> None:
        if number % 40 < 15:
            self.world.request(self.whole(5, 8), self.step_of(4), self.step_of(4))
        if self.chance(0.02):
            parts = self.parts[self.whole(9, 100)]
            parts["sleeping"].asleep = not parts["sleeping"].asleep
        self.tell(self.world.stats.awake)


class Layers(WorldScene):
    """Layers, masks, sizes and weights that change while bodies meet."""

    def make(self) -> None:
        for at, (x, y) in enumerate(self.places(50, 7)):
            layer = self.one_of("abc")
            self.player(x, y, 6, layer=layer) if at < 10 else self.crate(x, y, 2, layer=layer)
        self.zone(0, 0, 4, 4, mask=("a", "b"))

    def act(self, number: int) -> None:
        for _ in range(2):
            self.go(self.whole(1, 10), 2, 6)
        parts = self.parts[self.whole(1, 50)]
        collider, kind = parts["collider"], self.whole(0, 9)
        if kind == 0:
            collider.layer = self.one_of("abc")
        elif kind == 1:
            collider.mask = self.one_of((None, ("a",), ("b", "c"), ()))
        elif kind == 2:
            collider.hx = self.whole(0, 6) / 4
        elif kind == 3:
            collider.offset = (self.step_of(0.5), self.step_of(0.5))
        elif kind == 4 and "inertia" in parts:
            parts["inertia"].y = self.one_of((0.0, 1.0, 5.0, 7.0))


class ComingAndGoing(WorldScene):
    """Bodies that are added and removed all the time, ids that come again."""

    def make(self) -> None:
        self.here: list[int] = []
        self.zone(0, 0, 2, 2, stay=True)
        self.zone(2, 2, 3, 3, linger=5)

    def act(self, number: int) -> None:
        for _ in range(self.whole(0, 1)):
            x, y = self.step_of(6), self.step_of(6)
            kind = self.whole(0, 3)
            self.here.append(
                self.player(x, y) if kind == 0 else self.wall(x, y) if kind == 1 else self.sleeper(x, y, 2)
            )
        while len(self.here) > 25 or (self.here and self.chance(0.3)):
            gone = self.here.pop(self.whole(0, len(self.here) - 1))
            self.world.remove(gone)
            if self.chance(0.5):
                self.parts[gone] = {"transform": Transform(0, self.step_of(3)), "collider": BoxCollider(0.5, 0.5)}
                self.here.append(self.world.add(gone, **self.parts[gone]))
        movers = [id for id in self.here if "motion" in self.parts[id]]
        if movers:
            self.go(self.one_of(movers), 3, 6)


class Questions(WorldScene):
    """Every question, asked of a world that moves."""

    def make(self) -> None:
        for at, (x, y) in enumerate(self.places(60, 9)):
            layer = self.one_of("ab")
            self.player(x, y, layer=layer) if at < 20 else self.wall(
                x, y, 0.25, layer=layer
            ) if at < 30 else self.piece(3, x, y, layer=layer)

    def act(self, number: int) -> None:
        space = self.world.space
        for _ in range(2):
            self.go(self.whole(1, 20), 2, 8)
        low = (self.step_of(6), self.step_of(6))
        box = (low, (low[0] + self.real(0, 3), low[1] + self.real(0, 3)))
        self.tell(space.overlapping(box), space.touching(self.whole(1, 60)), space.at(*low, layers="a"))
        self.tell(space.sweep(self.whole(1, 60), (self.step_of(9), self.step_of(9)), ignore=(3, 4)))
        if number % 20 == 0:
            corners = numpy.array([(self.step_of(6), self.step_of(6)) for _ in range(9)])
            offsets, found = space.overlapping_many(corners, corners + 1.5)
            self.tell(offsets.tolist(), found.tolist(), space.pairs_array().tolist(), list(space.cells))
            self.tell([(region.asleep, region.cells) for region in space.regions()])
            self.tell(overlapping_pairs(corners, corners + 2).tolist())


class BackAndForth(WorldScene):
    """A world taken back to snapshots: the frames that follow are those that followed before."""

    def make(self) -> None:
        self.frame_of_walls(8)
        for at, (x, y) in enumerate(self.places(40, 6)):
            self.player(x, y) if at < 6 else self.sleeper(x, y, 3)
        self.zone(0, 0, 3, 3, linger=4)
        self.kept: list[bytes] = []

    def act(self, number: int) -> None:
        if number % 25 == 0:
            self.kept.append(self.world.snapshot())
        if number % 40 == 0:
            self.world.restore(self.one_of(self.kept[-5:]))
        self.world.request(self.whole(5, 10), self.step_of(2), self.step_of(2))


class TwoWorlds(WorldScene):
    """A world and another one that gets its snapshots: both tell the same."""

    def make(self) -> None:
        self.other = CollisionWorld()
        for at, (x, y) in enumerate(self.places(30, 5)):
            id = self.player(x, y) if at < 6 else self.sleeper(x, y, 2)
            self.other.add(id, **{name: part.copy() for name, part in self.parts[id].items()})

    def act(self, number: int) -> None:
        self.go(self.whole(1, 6), 1, 5)
        if number % 30 == 0:
            self.other.restore(self.world.snapshot())
            self.tell(self.other.state_hash() == self.world.state_hash(), self.other.step().events)


class EsperScene(Scene):
    """A scene in an esper world."""

    def __init__(self) -> None:
        self.home, self.before = f"golden {type(self).__name__}", esper.current_world
        esper.switch_world(self.home)
        self.system = CollisionSystem(**self.settings)
        esper.add_processor(self.system)
        super().__init__()

    def hashes(self) -> tuple[str, bytes]:
        return self.system.state_hash(), self.system.snapshot()

    def frame(self, number: int) -> None:
        self.act(number)
        esper.process()
        self.tell(self.system.events)
        for id, result in self.system.results.items():
            self.tell(id, result.moved, result.stops)
        if number % 250 == 0:
            self.system.check()

    def act(self, number: int) -> None:
        """Do what the script does before a frame."""
        raise NotImplementedError

    def close(self) -> None:
        self.system.close()
        esper.switch_world("golden" if self.before == self.home else self.before)
        esper.delete_world(self.home)

    def go(self, entity: int, most: float, half: float) -> None:
        """Request a step that does not lead too far away."""
        self.system.request(entity, *self.step_home(most, esper.component_for_entity(entity, Transform), half))

    def body(self, *more: Any, most: float = 6.0) -> int:
        return esper.create_entity(Transform(self.step_of(most), self.step_of(most)), BoxCollider(0.5, 0.5), *more)


class Churn(EsperScene):
    """Entities created, deleted at once and later, components added, taken away and replaced."""

    def make(self) -> None:
        self.here: list[int] = [self.body(Trigger(linger=2)), self.body(Trigger(stay=True, touching=True))]

    def act(self, number: int) -> None:
        for _ in range(self.whole(0, 2)):
            more = self.one_of(((Motion(5),), (Inertia(1), Sleeping(after=2)), (Static(),), (Trigger(),)))
            self.here.append(self.body(*[part.copy() for part in more]))
        if len(self.here) > 30 or self.chance(0.3):
            esper.delete_entity(self.here.pop(self.whole(0, len(self.here) - 1)), immediate=self.chance(0.5))
        entity = self.one_of(self.here)
        kind = self.whole(0, 7)
        if kind == 0:
            esper.add_component(entity, Transform(self.step_of(4), self.step_of(4)))
        elif kind == 1:
            esper.add_component(entity, BoxCollider(self.whole(1, 3) / 2, 0.5, layer=self.one_of("ab")))
        elif kind == 2 and esper.has_component(entity, Trigger):
            esper.remove_component(entity, Trigger)
        elif kind == 3 and not esper.has_component(entity, Static):
            esper.add_component(entity, Inertia(self.whole(1, 4)))
        elif esper.has_component(entity, Motion):
            self.go(entity, 3, 5)


class Handlers(EsperScene):
    """Handlers that move, teleport, create and delete while events are delivered."""

    def make(self) -> None:
        self.movers = [self.body(Motion(5)) for _ in range(8)]
        self.crates = [self.body(Inertia(1), Sleeping(after=3)) for _ in range(20)]
        self.gate = self.body(Trigger(linger=1))
        self.born: list[int] = []
        self.system.on(TriggerEntered, self.entered)
        self.system.on(TriggerLeft, self.left, trigger=self.gate)
        self.system.on(Moved, self.moved, entity=self.movers[0])

    def entered(self, event: TriggerEntered) -> None:
        self.tell("entered", event.trigger, event.other)
        if self.chance(0.3) and event.other in self.crates:
            self.system.teleport(event.other, self.step_of(6), self.step_of(6))
        elif self.chance(0.3) and len(self.born) < 20:
            self.born.append(self.body(Inertia(2)))

    def left(self, event: TriggerLeft) -> None:
        self.tell("left", event.other, event.reason.name)
        if self.born and self.chance(0.4):
            esper.delete_entity(self.born.pop(), immediate=self.chance(0.5))

    def moved(self, event: Moved) -> None:
        self.tell(self.system.move(self.movers[1], *event.displacement[:2]).moved)

    def act(self, number: int) -> None:
        for _ in range(2):
            self.go(self.one_of(self.movers), 3, 6)
        if number % 10 == 0:
            self.system.teleport(self.gate, self.step_of(5), self.step_of(5))


class Joined(EsperScene):
    """Bodies welded to each other in esper, by a component that comes and goes."""

    settings = {"order": "front_first", "rule": "sum", "bounds": ((-8, -8), (8, 8))}

    def make(self) -> None:
        self.movers = [self.body(Motion(6)) for _ in range(6)]
        self.crates = [self.body(Inertia(self.whole(1, 2))) for _ in range(16)]
        self.zones = [self.body(Trigger(swept=True)) for _ in range(4)]

    def act(self, number: int) -> None:
        for _ in range(2):
            self.system.request(self.one_of(self.movers), self.step_of(2), self.step_of(2))
        at = self.whole(1, 15)
        if esper.has_component(self.crates[at], Fused):
            esper.remove_component(self.crates[at], Fused)
        elif self.chance(0.3):
            esper.add_component(self.crates[at], Fused(self.crates[self.whole(0, at - 1)]))


SCENES = [
    Zones, Sleepers, Layers, ComingAndGoing, Questions, BackAndForth, TwoWorlds, Churn, Handlers, Joined,
]  # fmt: skip
