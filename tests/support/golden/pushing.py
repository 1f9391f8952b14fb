"""Scenes of pushes: crowds, chains, compounds, orders, bounds, hooks, ranges."""

from __future__ import annotations

import math

from ecs_collision import CompoundCollider, Fused, Inertia, Motion, Sleeping, StalePlan
from golden import WorldScene, part


class Crowd(WorldScene):
    """A hundred and twenty bodies in a room, twenty of which walk about and push; some rest."""

    def make(self) -> None:
        self.frame_of_walls(14)
        for at, (x, y) in enumerate(self.places(120, 12)):
            if at < 20:
                self.player(x, y, self.real(1, 9), sleeping=Sleeping(after=4))
            else:
                self.sleeper(x, y, 5, inertia=self.whole(1, 8), hx=self.whole(1, 4) / 4, hy=self.whole(1, 4) / 4)
        self.movers = [id for id, parts in self.parts.items() if "motion" in parts]

    def act(self, number: int) -> None:
        for _ in range(3):
            self.world.request(self.one_of(self.movers), self.step_of(2), self.step_of(2))


class Crowd3D(WorldScene):
    """A crowd in three dimensions, in another order of axes, with crates on rails."""

    settings = {"axis_order": "zyx", "bin_size": 2.0}

    def make(self) -> None:
        for at in range(80):
            x, y, z = (self.whole(-8, 8) / 2 for _ in range(3))
            if at < 12:
                self.player(x, y, 6, z=z)
            elif at % 3:
                self.crate(x, y, self.whole(1, 5), z=z, hz=self.whole(1, 6) / 4)
            else:
                self.add(x, y, z=z, inertia=Inertia(**{self.one_of("xyz"): 1.0, "x": 2.0}))

    def act(self, number: int) -> None:
        for _ in range(3):
            self.go(self.whole(1, 12), 2, 4, 3)


class Chains(WorldScene):
    """Rows of crates between walls, pushed by movers each with rules of its own."""

    def make(self) -> None:
        self.movers: list[int] = []
        for row in range(8):
            y = 2.0 * row
            rule, chain, whole = (
                self.one_of(("each", "sum", None)),
                self.one_of((None, 0, 2, 5)),
                self.one_of((None, True)),
            )
            motion = Motion(self.real(1, 6), row % 3, rule=rule, max_chain=chain, all_or_nothing=whole)
            self.movers.append(self.add(-9, y, motion=motion))
            for at in range(7):
                self.crate(-7 + 2 * at, y + self.whole(-1, 1) / 4, self.whole(1, 3) / 2)
            self.wall(12, y, 0.5, 1)
            self.wall(-12, y, 0.5, 1)

    def act(self, number: int) -> None:
        mover = self.one_of(self.movers)
        self.world.request(mover, self.step_of(6), self.step_of(0.5))
        self.tell(self.world.move(self.one_of(self.movers), self.step_of(1), force=self.whole(0, 5)).links)


class Summed(Chains):
    """The same with the rules of Sokoban for all, and no motion in part."""

    settings = {"rule": "sum", "max_chain": 4, "all_or_nothing": True, "axis_order": "yxz"}


class Compounds(WorldScene):
    """Polyominoes that hook into each other."""

    def make(self) -> None:
        self.frame_of_walls(9)
        for at, (x, y) in enumerate(self.places(26, 7)):
            inertia = {"motion": Motion(9)} if at < 6 else {"inertia": Inertia(self.whole(1, 4))}
            self.piece(self.whole(1, 7), x, y, **inertia)
        self.add(0, 0, collider=CompoundCollider([part(-3, -3, 3, -2), part(2, -2, 3, 2), part(-3, -2, -2, 2)]),
                 inertia=Inertia(2))  # fmt: skip

    def act(self, number: int) -> None:
        for _ in range(2):
            self.world.request(self.whole(5, 10), self.step_of(1), self.step_of(1))


class Deeper(Compounds):
    """Compounds that overlap from the start and may not get deeper into each other."""

    settings = {"overlap_policy": "block_deeper", "rule": "sum"}


class Convoys(WorldScene):
    """Rows of movers that go the same way or meet, interleaved by axis."""

    settings = {"order": "front_first"}

    def make(self) -> None:
        self.frame_of_walls(12)
        self.movers = [self.add(x, y, motion=Motion(3, priority=self.whole(0, 1))) for x, y in self.places(40, 10)]
        for x, y in self.places(10, 9):
            self.crate(x + 0.25, y + 0.25, 2, hx=0.25, hy=0.25)

    def act(self, number: int) -> None:
        way = self.step_of(1), self.step_of(1)
        first = self.whole(0, 34)
        for mover in self.movers[first : first + 6]:
            self.world.request(mover, *way)


class Bounded(WorldScene):
    """Bounds, with bodies in them, across them and outside."""

    settings = {"bounds": ((-6, -4), (6, 4)), "bin_size": 0.5}

    def make(self) -> None:
        for at, (x, y) in enumerate(self.places(40, 8)):
            self.player(x, y) if at < 8 else self.crate(x, y, 2, hx=self.whole(1, 3) / 4)

    def act(self, number: int) -> None:
        for _ in range(2):
            self.world.request(self.whole(1, 8), self.step_of(3), self.step_of(3))
        if self.chance(0.1):
            self.world.teleport(self.whole(9, 40), self.real(-9, 9), self.real(-9, 9))


class Hooked(WorldScene):
    """A hook that vetoes and allows by who pushes whom."""

    def __init__(self) -> None:
        self.asked = 0
        self.settings = {"can_push": self._may}
        super().__init__()

    def _may(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        self.asked += 1
        return (None, True, None, False, None)[(pusher + 3 * pushed + (axis == "x")) % 5]

    def make(self) -> None:
        self.frame_of_walls(8)
        for at, (x, y) in enumerate(self.places(40, 6)):
            self.player(x, y, 3) if at < 8 else self.crate(x, y, self.whole(1, 5))

    def act(self, number: int) -> None:
        for _ in range(2):
            self.world.request(self.whole(5, 12), self.step_of(2), self.step_of(2))
        self.tell(self.asked)


class Edges(WorldScene):
    """The smallest bins, with bodies at the ends of what they reach."""

    settings = {"bin_size": 2.0**-8}

    def make(self) -> None:
        self.ends = 2.0**12
        for x, y in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            for at in range(4):
                corner = (x * (self.ends - 1 - at), y * (self.ends - 1))
                self.player(*corner, z=at % 2) if at == 0 else self.crate(*corner)
        self.movers = [id for id, parts in self.parts.items() if "motion" in parts]

    def act(self, number: int) -> None:
        mover = self.one_of(self.movers)
        x, y, _ = self.parts[mover]["transform"].position
        away = 1 if number % 50 < 40 else -1
        for way in (x, y):
            step = math.copysign(abs(self.step_of(1)) * away, way)
            self.world.request(mover, *((step, 0.0) if way == x else (0.0, step)))
        if number % 7 == 0:
            self.tell(self.world.move(self.one_of(self.movers), 2 * self.ends * self.whole(-1, 1)).moved)


class Giants(WorldScene):
    """Sizes from a sixteenth to two hundred, in bins of a quarter."""

    settings = {"bin_size": 0.25}

    def make(self) -> None:
        self.wall(0, -60, 100, 1)
        self.zone(0, 0, 100, 50, layer="sky")
        self.crate(0, 20, 3, hx=30, hy=2)
        for at, (x, y) in enumerate(self.places(60, 12)):
            half = 2.0 ** self.whole(-4, 2)
            self.player(x, y, 4, hx=half, hy=half) if at < 10 else self.crate(x, y, 1, hx=half, hy=half)

    def act(self, number: int) -> None:
        for _ in range(2):
            self.go(self.whole(4, 13), 4, 12)


class Remainders(WorldScene):
    """Steps that are not on the lattice: what rounding leaves is carried along (L2)."""

    def make(self) -> None:
        for at in range(12):
            self.player(3.0 * at, 0, 2)
            self.crate(3.0 * at + 1.3, 0.1, 1)
        self.wall(-4, 0, 0.5, 9)

    def act(self, number: int) -> None:
        for at in range(4):
            self.world.request(1 + 2 * self.whole(0, 11), (0.1, -0.1, 1 / 3, -0.00001)[at], 0.0001 * (number % 7 - 3))


class Plans(WorldScene):
    """Plans committed, dropped and stale, moves between frames, teleports of many at once."""

    def make(self) -> None:
        self.frame_of_walls(10)
        for at, (x, y) in enumerate(self.places(40, 8)):
            self.player(x, y) if at < 8 else self.crate(x, y, 2)
        self.zone(0, 0, 3, 3, swept=True)

    def act(self, number: int) -> None:
        mover, other = self.whole(5, 12), self.whole(5, 12)
        plan = self.world.plan(mover, self.step_of(3), self.step_of(3))
        self.tell(plan.result.moved, dict(plan.result.pushed))
        if self.chance(0.5):
            self.world.move(other, self.step_of(1), self.step_of(1), max_chain=self.whole(0, 4))
        try:
            self.tell(plan.commit().moved)
        except StalePlan:
            self.tell("stale")
        if number % 20 == 0:
            ids = [self.whole(13, 44) for _ in range(10)]
            self.world.set_positions(ids, [(self.real(-8, 8), self.real(-8, 8)) for _ in ids])


class Welded(WorldScene):
    """Groups that are joined and split while they are pushed."""

    def make(self) -> None:
        self.frame_of_walls(10)
        self.loose: list[int] = []
        for at, (x, y) in enumerate(self.places(40, 8)):
            if at < 8:
                self.player(x, y, 6)
            else:
                to = {"fused": Fused(self.loose[-1])} if self.loose and at % 3 == 0 else {}
                self.loose.append(self.crate(x, y, self.whole(1, 5), sleeping=Sleeping(after=6), **to))
        self.welds = {id: parts["fused"] for id, parts in self.parts.items() if "fused" in parts}
        self.zone(0, 0, 4, 4, stay=True)

    def act(self, number: int) -> None:
        for _ in range(2):
            self.world.request(self.whole(5, 12), self.step_of(1), self.step_of(1))
        if self.chance(0.05):
            id = self.one_of(sorted(self.welds))
            self.welds[id].to = self.one_of([other for other in self.loose if other not in self.welds])
        if self.chance(0.05):
            collider = self.parts[self.one_of(self.loose)]["collider"]
            collider.enabled = not collider.enabled


SCENES = [
    Crowd, Crowd3D, Chains, Summed, Compounds, Deeper, Convoys, Bounded, Hooked, Edges, Giants, Remainders, Plans,
    Welded,
]  # fmt: skip
