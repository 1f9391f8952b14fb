"""Games played at random from a seed alone, in esper: everything a game does to bodies, and all that can be read after.

What happens never depends on what was read, so the same seed gives the same game whoever looks on. Run as a program it
prints the transcripts of many games: two processes, however their kernels are built, must print the same bytes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import esper
import numpy
from wrong_values import refusals

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CompoundCollider,
    Fused,
    Inertia,
    LatticeWarning,
    Motion,
    MoveResult,
    Sleeping,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
)

COLLIDERS = (BoxCollider, CompoundCollider)
KINDS = (Transform, *COLLIDERS, Inertia, Motion, Sleeping, Static, Trigger, Fused)
ROLES = ("player", "player", "crate", "crate", "sleeper", "rock", "wall", "zone", "rover", "plate")
MASKS = (None, None, None, None, None, None, "a", ("b",), ("a", "b"), ())


class Place(NamedTuple):
    """Where a game is played: a spot, how far from it bodies may stand, and how large they are."""

    middle: tuple[float, float, float] = (0.0, 0.0, 0.0)
    reach: float = 5.0
    scale: float = 1.0


MIDDLE = Place()


class Game:
    """A game at random in the current esper world.

    asking: whether questions, plans and refusals are among what happens; calling: whether a handler writes; welding:
    whether bodies are fused and freed; keeping: whether snapshots are taken and restored.
    """

    def __init__(
        self,
        seed: int,
        place: Place = MIDDLE,
        bodies: int = 16,
        acts: int = 8,
        asking: bool = True,
        calling: bool = True,
        welding: bool = False,
        keeping: bool = False,
        **settings: Any,
    ) -> None:
        self.dice = random.Random(seed)
        self.place, self.acts = place, acts
        self.system = CollisionSystem(**settings)
        esper.add_processor(self.system)
        self.alive: list[int] = []
        self.said: list[Any] = []
        left_out = () if asking else ("do_ask", "do_plan", "do_stray")
        left_out += () if welding else ("do_weld", "do_weld_more", "do_free")
        left_out += () if keeping else ("do_keep", "do_go_back")
        self.snapshot: bytes | None = None
        self.names = [name for name in sorted(vars(Game)) if name.startswith("do_") and name not in left_out]
        if calling:
            self.system.on(TriggerEntered, self._called_back)
        for _ in range(bodies):
            self.do_spawn()

    def _called_back(self, event: TriggerEntered) -> None:
        """Write to a body while events are delivered; which one is decided by the ids alone."""
        if (event.trigger + event.other) % 5 == 0 and esper.entity_exists(event.other):
            self.to_the_middle(event.other)

    def frame(self) -> None:
        """Do a few things, then process a frame; results of moves and words of refusals are kept in `said`, unread."""
        for _ in range(self.acts):
            getattr(self, self.dice.choice(self.names))()
        before = len(self.said)
        self.trying(esper.process)
        if len(self.said) > before:  # somebody strayed: all meet in the middle, and the frame is done after all
            for entity in self.alive:
                self.to_the_middle(entity)
            esper.process()

    def to_the_middle(self, entity: int) -> None:
        esper.component_for_entity(entity, Transform).position = self.place.middle

    # Numbers.

    def spot(self) -> tuple[float, float, float]:
        """Return a place to stand."""
        x, y, z = (at + self.length() for at in self.place.middle)
        return (x, y, self.dice.choice([self.place.middle[2]] * 8 + [z]))

    def length(self) -> float:
        """Return a signed length up to the reach, in eighths of the scale, sometimes off the lattice."""
        steps = round(8 * self.place.reach)
        length = self.dice.randrange(-steps, steps + 1) / 8 * self.place.scale
        return length + self.dice.choice([0.0] * 9 + [0.1])

    def half(self) -> float:
        return self.dice.choice([0.0, 0.25, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 2.5]) * self.place.scale

    def shape(self) -> Any:
        """Return a collider."""
        dice = self.dice
        told: dict[str, Any] = {"layer": dice.choice("ab"), "mask": dice.choice(MASKS)}
        if dice.random() < 0.7:
            return BoxCollider(self.half(), self.half(), dice.choice([0.5, 0.5, self.half()]), **told)
        parts = [Box(self.half(), self.half(), 0.5, (self.length() / 4, self.length() / 4, 0.0)) for _ in range(3)]
        return CompoundCollider(parts[: dice.randint(1, 3)], **told)

    def who(self, *kinds: type[Any]) -> int | None:
        """Return somebody alive who has all these components, None where nobody has."""
        able = [entity for entity in self.alive if all(esper.has_component(entity, kind) for kind in kinds)]
        return self.dice.choice(able) if able else None

    def part(self, kind: type[Any]) -> Any:
        entity = self.who(kind)
        return None if entity is None else esper.component_for_entity(entity, kind)

    def collider(self) -> Any:
        return self.part(self.dice.choice(COLLIDERS))

    def trying(self, call: Callable[[], Any]) -> Any:
        """Return what the call gives; a refusal is kept in `said`."""
        try:
            return call()
        except CollisionError as refusal:
            self.said.append(f"{type(refusal).__name__}: {refusal}".replace("\n", " "))
            return None

    # What may happen.

    def do_spawn(self) -> None:
        dice, role = self.dice, self.dice.choice(ROLES)
        parts: list[Any] = [Transform(*self.spot()), self.shape()]
        if role in ("player", "rover"):
            parts.append(Motion(dice.choice([1.5, 3.0, 9.0]), dice.randint(0, 2)))
        if role in ("player", "crate", "sleeper"):
            parts.append(Inertia(dice.choice([0.5, 1, 2])) if dice.random() < 0.8 else Inertia(x=1, y=2))
        if role in ("wall", "plate"):
            parts.append(Static())
        if role == "sleeper" or (role in ("player", "rover", "zone") and dice.random() < 0.3):
            parts.append(Sleeping(role == "sleeper", dice.randint(1, 3)))
        if role in ("zone", "rover", "plate"):
            parts.append(self.trigger())
        self.alive.append(esper.create_entity(*parts))

    def trigger(self) -> Trigger:
        flags = {name: self.dice.random() < 0.4 for name in ("touching", "swept", "stay")}
        return Trigger(mask=self.dice.choice(MASKS), linger=self.dice.choice([0, 0, 0, 1, 3]), **flags)

    def do_delete(self) -> None:
        if len(self.alive) > 4:
            entity = self.alive.pop(self.dice.randrange(len(self.alive)))
            for follower in self.followers(entity):
                esper.remove_component(follower, Fused)
            esper.delete_entity(entity, immediate=self.dice.random() < 0.5)

    def followers(self, entity: int) -> list[int]:
        """Return who is fused to an entity."""
        return [other for other in self.alive if self.partner(other) == entity]

    def partner(self, entity: int) -> int | None:
        fused = esper.try_component(entity, Fused)
        return None if fused is None else fused.to

    def do_weld(self) -> None:
        """Fuse a body to another, or one that is fused to another still; never statics, never a ring."""
        entity, to = self.dice.choice(self.alive), self.dice.choice(self.alive)
        line, written = [to], self.dice.random() < 0.5
        while (further := self.partner(line[-1])) is not None:
            line.append(further)
        if entity in line or any(esper.has_component(each, Static) for each in (entity, to)):
            return
        if written and self.partner(entity) is not None:
            esper.component_for_entity(entity, Fused).to = to
        else:
            esper.add_component(entity, Fused(to))

    do_weld_more = do_weld

    def do_free(self) -> None:
        entity = self.who(Fused)
        if entity is not None:
            esper.remove_component(entity, Fused)

    def do_keep(self) -> None:
        self.snapshot = self.trying(self.system.snapshot)

    def do_go_back(self) -> None:
        """Go back to the last snapshot, unless bodies or their components came or went since then."""
        if self.snapshot is not None:
            self.trying(lambda: self.system.restore(self.snapshot))

    def do_write(self) -> None:
        for _ in range(self.dice.choice([1, 1, 2, len(self.alive)])):
            transform = self.part(Transform)
            spot = self.spot()
            how = self.dice.choice(["x", "y", "position", "pair"])
            if how == "position":
                transform.position = spot
            elif how == "pair":
                transform.position = spot[:2]
            else:
                setattr(transform, how, spot["xy".index(how)])

    do_write_more = do_write

    def do_request(self) -> None:
        for _ in range(self.dice.randint(1, 4)):
            entity = self.who(Motion)
            way = (self.length() / 2, self.length() / 2)
            if entity is not None:
                self.trying(lambda who=entity, by=way: self.system.request(who, *by))

    do_request_more = do_request_often = do_request

    def do_move(self) -> None:
        entity, force = self.who(Transform), self.dice.choice([None, 0.75, 9.0, 9.0])
        way = (self.length(), self.length() * self.dice.randint(0, 1), self.dice.choice([0.0, 0.0, 0.5]))
        result = self.trying(lambda: self.system.move(entity, *way, force=force))
        if result is not None:
            self.said.append(result)

    do_move_more = do_move_often = do_move

    def do_plan(self) -> None:
        entity, way = self.who(Motion), (self.length(), self.length())
        plan = self.trying(lambda: self.system.plan(entity, *way))
        if plan is not None:
            self.said.append(plan.result)
            if self.dice.random() < 0.5:
                self.said.append(plan.commit())

    def do_set_positions(self) -> None:
        count = self.dice.choice([0, 1, 3, len(self.alive)])
        entities = [self.dice.choice(self.alive) for _ in range(count)]
        array = numpy.array([self.spot() for _ in entities]).reshape(count, 3)
        self.trying(lambda: self.system.set_positions(entities, array[:, : self.dice.choice([2, 3])]))

    def do_teleport(self) -> None:
        self.trying(lambda: self.system.teleport(self.dice.choice(self.alive), *self.spot()))

    def do_stray(self) -> None:
        """Write what cannot be taken in, look, and mend it."""
        transform, spot = self.part(Transform), self.spot()
        transform.position = (2.0**36, -(2.0**36), spot[2])
        self.trying(self.system.space.pairs)
        self.trying(esper.process)
        transform.position = spot

    def do_change_collider(self) -> None:
        collider, spot, half = self.collider(), self.spot(), self.half()
        name = self.dice.choice(["layer", "mask", "enabled", "size", "size"])
        value: Any = {"layer": self.dice.choice("ab"), "mask": self.dice.choice(MASKS)}.get(name, True)
        if collider is None:
            return
        if name == "enabled":
            collider.enabled = not collider.enabled
        elif name != "size":
            setattr(collider, name, value)
        elif isinstance(collider, CompoundCollider):
            collider.parts = [*collider.parts[-2:], Box(half, 0.5, 0.5, (spot[0] - self.place.middle[0], half, 0.0))]
        else:
            collider.hx = half

    def do_change_trigger(self) -> None:
        trigger, new = self.part(Trigger), self.trigger()
        if trigger is not None:
            name = self.dice.choice(["mask", "touching", "swept", "stay", "linger", "enabled"])
            setattr(trigger, name, not trigger.enabled if name == "enabled" else getattr(new, name))

    def do_change_sleep(self) -> None:
        sleeping = self.part(Sleeping)
        if sleeping is not None:
            sleeping.after = self.dice.randint(1, 3)
            if self.dice.random() < 0.6:
                sleeping.asleep = self.dice.random() < 0.5

    def do_change_weight(self) -> None:
        inertia = self.part(Inertia)
        if inertia is not None:
            inertia.x = self.dice.choice([0.5, 2.5, 100])

    def do_replace(self) -> None:
        """Replace, take or give a component."""
        entity, kind = self.who(Transform), self.dice.choice(["transform", "copy", "static", "sleeping", "trigger"])
        spot, trigger = self.spot(), self.trigger()
        if kind == "transform":
            esper.add_component(entity, Transform(*spot))
        elif kind == "copy":
            for part in esper.components_for_entity(entity):
                esper.add_component(entity, part.copy())
        elif kind == "sleeping":
            self._toggle(entity, Sleeping(True, 2))
        elif kind == "static" and not any(esper.has_component(entity, other) for other in (Motion, Inertia, Fused)):
            if not self.followers(entity):
                self._toggle(entity, Static())
        elif kind == "trigger":
            self._toggle(entity, trigger)

    def _toggle(self, entity: int, part: Any) -> None:
        if esper.has_component(entity, type(part)):
            esper.remove_component(entity, type(part))
        else:
            esper.add_component(entity, part)

    def do_swap(self) -> None:
        """Let two bodies change their Transforms."""
        one, two = self.who(Transform), self.who(Transform)
        if one != two:
            mine, yours = (esper.component_for_entity(entity, Transform) for entity in (one, two))
            esper.add_component(one, yours)
            esper.add_component(two, mine)

    def do_ask(self) -> None:
        space, spot, way = self.system.space, self.spot(), (self.length(), self.length())
        box = (spot, tuple(at + self.place.scale * 2 for at in spot))
        entity = self.dice.choice(self.alive)
        kinds: dict[str, Any] = {"layers": self.dice.choice([None, "a"]), "triggers": self.dice.random() < 0.5}
        for answer in (
            lambda: space.overlapping(box, **kinds),
            lambda: space.overlapping(entity, **kinds),
            lambda: space.touching(entity, **kinds),
            lambda: space.at(*spot, ignore=[entity], **kinds),
            lambda: space.sweep(box, way, **kinds),
            lambda: space.sweep(entity, way, **kinds),
            lambda: space.pairs(**kinds),
        ):
            self.said.append(repr(self.trying(answer)))

    # What can be read.

    def news(self) -> list[str]:
        """Return what moves, refusals and questions said since this was last asked."""
        said, self.said = self.said, []
        return [f"{line.explain()} {line!r}" if isinstance(line, MoveResult) else line for line in said]

    def last(self) -> list[str]:
        """Return what the last frame left behind: events, results and where everybody is."""
        results = self.system.results
        return [
            f"events {self.system.events!r}",
            *(f"result {results[entity]!r} {results[entity].explain()}" for entity in sorted(results)),
            *(f"entity {entity} {self.components(entity)}" for entity in sorted(self.alive)),
        ]

    def components(self, entity: int) -> str:
        """Return an entity's components, written in the same order wherever."""
        if not esper.entity_exists(entity):
            return "gone"
        parts = {type(part): part for part in esper.components_for_entity(entity)}
        return " ".join(repr(parts[kind]) for kind in KINDS if kind in parts)

    def index(self) -> list[str]:
        """Return what can be asked of the index, without the counters."""
        system = self.system
        space = system.space
        triggers = [entity for entity in sorted(self.alive) if self.is_body(entity) and self.has_trigger(entity)]
        return [
            f"cells {list(space.cells)!r} {list(space.static_cells)!r}",
            f"pairs {space.pairs(triggers=True)!r} {space.pairs(layers='a')!r}",
            f"regions {[(region.asleep, tuple(region.cells)) for region in space.regions()]!r}",
            f"inside {[(entity, system.inside(entity)) for entity in triggers]!r}",
            f"bulk {self.bulk()!r}",
        ]

    def bulk(self) -> list[Any]:
        """Return the answers of the doors that answer in arrays."""
        space, found = self.system.space, []
        if hasattr(space, "pairs_array"):
            found.append(space.pairs_array(triggers=True).tolist())
        if hasattr(space, "overlapping_many"):
            x, y, _ = self.place.middle
            lo = numpy.array([(x - step, y - step) for step in range(4)])
            found += [part.tolist() for part in space.overlapping_many(lo, lo + 2 * self.place.scale)]
        return found

    def is_body(self, entity: int) -> bool:
        return esper.entity_exists(entity) and any(esper.has_component(entity, kind) for kind in COLLIDERS)

    def has_trigger(self, entity: int) -> bool:
        return esper.has_component(entity, Trigger)

    def counters(self) -> str:
        """Return the counters of the frame, without the times."""
        told = dataclasses.asdict(self.system.stats)
        return f"stats { {name: told[name] for name in sorted(told) if name not in ('phases', 'timing')}!r}"

    def kept(self) -> str:
        """Return the hash of the state, and that of a snapshot of it."""
        return f"kept {self.system.state_hash()} {hashlib.blake2b(self.system.snapshot()).hexdigest()}"


def the_hook(pusher: int, pushed: int, axis: str, force: float) -> bool | None:
    """Decide by the ids alone."""
    return (None, None, True, False)[(3 * pusher + pushed) % 4]


def tournament() -> Iterator[tuple[str, Callable[[], Game], int]]:
    """Yield games (name, how to begin, number of frames): every setting, bins of every size, the ends of the range."""
    rules: list[dict[str, Any]] = [
        {},
        {"rule": "sum", "order": "front_first"},
        {"overlap_policy": "block_deeper", "axis_order": "zyx"},
        {"max_chain": 1, "can_push": the_hook},
        {"all_or_nothing": True},
        {"bounds": ((-5, -5), (5, 5))},
    ]
    for seed, more in enumerate(rules):
        yield f"rules {sorted(more)}", lambda seed=seed, more=more: Game(seed, **more), 40
    for seed, bin_size in enumerate((0.5, 1.0, 4.0, 2.0**16), 10):
        for sign in (1, -1):
            edge = sign * (bin_size * 2.0**20 - 12 * max(1.0, bin_size))
            scale = 1.0 if sign > 0 else bin_size
            place = Place((edge, -edge, edge), 6.0, scale)
            name = f"bins of {bin_size}, at {edge}"
            yield name, lambda seed=seed, place=place, size=bin_size: Game(seed, place, bin_size=size), 20
    for seed, more in enumerate(rules, 20):
        yield f"welds, {sorted(more)}", lambda seed=seed, more=more: Game(seed, welding=True, **more), 30
    for seed in (40, 41):
        yield f"welds and restores, {seed}", lambda seed=seed: Game(seed, welding=True, keeping=True), 30
    crowd = Place(reach=12.0)
    yield "a crowd", lambda: Game(30, crowd, bodies=160, acts=12), 16
    yield "a flat crowd", lambda: Game(31, crowd, bodies=160, acts=12, bin_size=4.0, order="front_first"), 16
    yield "a crowd that holds on", lambda: Game(32, crowd, bodies=120, acts=16, welding=True), 16


def transcript() -> Iterator[str]:
    """Yield all that can be read of all games, line by line."""
    for name, begin, frames in tournament():
        esper.switch_world(name)
        game = begin()
        for number in range(frames):
            game.frame()
            for line in (*game.news(), *game.last(), *game.index(), game.counters(), game.kept()):
                yield f"{name}, frame {number}: {line}"
        game.system.check()
        yield from (f"{name}: {line}" for line in game.system.doctor())
        esper.switch_world("over")
        esper.delete_world(name)


if __name__ == "__main__":
    warnings.simplefilter("ignore", LatticeWarning)
    sys.stdout.writelines(f"{line}\n" for lines in (refusals(), transcript()) for line in lines)
