"""Games played at random from a seed alone, in esper: everything a game does to bodies, and all that can be read after.

What happens never depends on what was read, so the same seed gives the same game whoever looks on. Run as a program it
prints the transcripts of many games: two processes, however their kernels are built, must print the same bytes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import esper
import numpy
from soak.scene_generator import SceneGenerator, made

from ecs_collision import (
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
KINDS = {kind.__name__: kind for kind in (Transform, *COLLIDERS, Inertia, Motion, Sleeping, Static, Trigger, Fused)}
STRUCTURAL = ("do_spawn", "do_delete", "do_replace", "do_weld", "do_free")
WELDING = ("do_weld", "do_turn", "do_free")
ASKING = ("do_ask", "do_plan", "do_stray")


class Game(SceneGenerator):
    """A game at random in the current esper world.

    asking: whether questions, plans and refusals are among what happens; calling: whether a handler writes; welding:
    whether bodies are fused and freed; keeping: whether snapshots are taken and restored. place: as for SceneGenerator.
    """

    def __init__(
        self, seed: int, bodies: int = 16, acts: int = 8, *, asking: bool = True, calling: bool = True,
        welding: bool = False, keeping: bool = False, place: dict[str, Any] | None = None, **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(seed, **{"reach": 4.0, "grain": 4, "in_3d": seed % 4 == 0, "crooked": seed % 3 == 0,
                                  **(place or {})})  # fmt: skip
        self.acts, self.whole = acts, settings.get("order") != "front_first"
        self.system = CollisionSystem(**settings)
        esper.add_processor(self.system)
        self.alive: list[int] = []
        self.said: list[Any] = []
        left_out = () if asking else ASKING
        left_out += () if welding else WELDING
        left_out += () if keeping else ("do_keep", "do_go_back")
        self.snapshot: bytes | None = None
        self.names = [name for name in sorted(vars(Game)) if name.startswith("do_") and name not in left_out]
        if calling:
            self.system.on(TriggerEntered, self._called_back)
        self.most = 2 * bodies + 20
        for _ in range(bodies):
            self.do_spawn()

    def _called_back(self, event: TriggerEntered) -> None:
        """Write to a body while events are delivered; which one is decided by the ids alone."""
        if (event.trigger + event.other) % 5 == 0 and esper.entity_exists(event.other):
            self.to_the_middle(event.other)

    def frame(self) -> None:
        """Do a few things, then process a frame; results of moves and words of refusals are kept in `said`, unread."""
        for _ in range(self.acts):
            self.meddle()
            getattr(self, self.choice(self.names))()
        self.meddle()
        before = len(self.said)
        self.trying(esper.process)
        if len(self.said) > before:  # somebody strayed: all meet in the middle, and the frame is done after all
            for entity in self.alive:
                self.to_the_middle(entity)
            esper.process()

    def meddle(self) -> None:
        """Do nothing between two acts; tests may."""

    def to_the_middle(self, entity: int) -> None:
        esper.component_for_entity(entity, Transform).position = self.middle

    def who(self, *kinds: type[Any]) -> int | None:
        """Return somebody alive who has all these components, None where nobody has."""
        able = [entity for entity in self.alive if all(esper.has_component(entity, kind) for kind in kinds)]
        return self.choice(able) if able else None

    def part(self, kind: type[Any]) -> Any:
        entity = self.who(kind)
        return None if entity is None else esper.component_for_entity(entity, kind)

    def trying(self, call: Callable[[], Any]) -> Any:
        """Return what the call gives; a refusal is kept in `said`."""
        try:
            return call()
        except CollisionError as refusal:
            self.said.append(f"{type(refusal).__name__}: {refusal}".replace("\n", " "))
            return None

    def given(self, spec: Any) -> Any:
        """Return a component; nothing is all or nothing where motions go front first (P10)."""
        kind, fields = spec
        return made((kind, fields if self.whole else {name: fields[name] for name in fields if name[:3] != "all"}))

    # What may happen.

    def do_spawn(self) -> None:
        if len(self.alive) < self.most:
            self.alive.append(esper.create_entity(*map(self.given, self.body())))

    def do_delete(self) -> None:
        if len(self.alive) > 4:
            entity = self.alive.pop(self.random.randrange(len(self.alive)))
            for follower in self.followers(entity):
                esper.remove_component(follower, Fused)
            esper.delete_entity(entity, immediate=self.chance(0.5))

    def followers(self, entity: int) -> list[int]:
        """Return who is fused to an entity."""
        return [other for other in self.alive if self.partner(other) == entity]

    def partner(self, entity: int) -> int | None:
        fused = esper.try_component(entity, Fused)
        return None if fused is None else fused.to

    def pair(self, entity: int) -> int | None:
        """Return to whom an entity can be fused; never statics, never a ring."""
        to = self.choice(self.alive)
        line = [to]
        while (further := self.partner(line[-1])) is not None:
            line.append(further)
        return None if entity in line or any(esper.has_component(each, Static) for each in (entity, to)) else to

    def do_weld(self) -> None:
        """Fuse a body to another."""
        entity = self.choice(self.alive)
        if (to := self.pair(entity)) is not None:
            esper.add_component(entity, Fused(to))

    def do_turn(self) -> None:
        """Let a body that is fused be fused to another still."""
        entity = self.who(Fused)
        if entity is not None and (to := self.pair(entity)) is not None:
            esper.component_for_entity(entity, Fused).to = to

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
        """Write a field of somebody's component."""
        for _ in range(self.choice((1, 2, 4))):
            kind, name, value = self.field()
            component = self.part(self.choice(COLLIDERS) if kind == "collider" else KINDS[kind])
            if component is not None and (self.whole or name != "all_or_nothing"):
                spec = self.given((kind, {name: value})) if name == "parts" else None
                setattr(component, name, value if spec is None else spec.parts)

    do_write_more = do_write_often = do_write

    def do_write_everybody(self) -> None:
        for _ in self.alive:
            self.part(Transform).position = self.spot()[: self.choice((2, 3))]

    def do_request(self) -> None:
        for _ in range(self.random.randint(1, 4)):
            entity, way = self.who(Motion), self.way()
            if entity is not None:
                self.trying(lambda who=entity, by=way: self.system.request(who, *by))

    do_request_more = do_request_often = do_request

    def do_move(self) -> None:
        entity, way, how = self.who(Transform), self.way(), self.how() | {"force": self.choice((0.75, 2.0, 9.0, 9.0))}
        result = self.trying(lambda: self.system.move(entity, *way, **how))
        if result is not None:
            self.said.append(result)

    do_move_more = do_move_often = do_move_all_the_time = do_move

    def do_plan(self) -> None:
        entity, way = self.who(Motion), self.way()
        plan = self.trying(lambda: self.system.plan(entity, *way))
        if plan is not None:
            self.said.append(plan.result)
            if self.chance(0.5):
                self.said.append(plan.commit())

    def do_set_positions(self) -> None:
        count = self.choice([0, 1, 3, len(self.alive)])
        entities = [self.choice(self.alive) for _ in range(count)]
        array = numpy.array([self.spot() for _ in entities]).reshape(count, 3)
        self.trying(lambda: self.system.set_positions(entities, array[:, : self.choice([2, 3])]))

    def do_teleport(self) -> None:
        self.trying(lambda: self.system.teleport(self.choice(self.alive), *self.spot()))

    def do_stray(self) -> None:
        """Write what cannot be taken in, look, and mend it."""
        transform, spot = self.part(Transform), self.spot()
        transform.position = (2.0**36, -(2.0**36), spot[2])
        self.trying(self.system.space.pairs)
        self.trying(esper.process)
        transform.position = spot

    def do_replace(self) -> None:
        """Replace, take or give a component."""
        entity, (kind, fields) = self.choice(self.alive), self.component()
        if kind == "Transform":
            esper.add_component(entity, made((kind, fields)))
        elif kind in ("BoxCollider", "CompoundCollider"):
            for component in esper.components_for_entity(entity):
                esper.add_component(entity, component.copy())
        elif kind in ("Sleeping", "Trigger") or not self.is_held(entity):
            if esper.has_component(entity, KINDS[kind]):
                esper.remove_component(entity, KINDS[kind])
            elif kind not in ("Motion", "Inertia"):
                esper.add_component(entity, made((kind, fields)))

    def is_held(self, entity: int) -> bool:
        """Return whether an entity may not be static."""
        mobile = any(esper.has_component(entity, other) for other in (Motion, Inertia, Fused))
        return mobile or bool(self.followers(entity))

    def do_swap(self) -> None:
        """Let two bodies change their Transforms."""
        one, two = self.who(Transform), self.who(Transform)
        if one != two:
            mine, yours = (esper.component_for_entity(entity, Transform) for entity in (one, two))
            esper.add_component(one, yours)
            esper.add_component(two, mine)

    def do_ask(self) -> None:
        space, spot, way = self.system.space, self.spot(), (self.coordinate(), self.coordinate())
        box = (spot, tuple(at + self.scale * 2 for at in spot))
        entity = self.choice(self.alive)
        kinds: dict[str, Any] = {"layers": self.choice([None, "a"]), "triggers": self.chance(0.5)}
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
        return " ".join(repr(parts[kind]) for kind in KINDS.values() if kind in parts)

    def index(self) -> list[str]:
        """Return what can be asked of the index, without the counters."""
        space, (x, y, _) = self.system.space, self.middle
        lo = numpy.array([(x - step, y - step) for step in range(4)])
        bulk = [space.pairs_array(triggers=True), *space.overlapping_many(lo, lo + 2 * self.scale)]
        return [
            f"cells {list(space.cells)!r} {list(space.static_cells)!r}",
            f"pairs {space.pairs(triggers=True)!r} {space.pairs(layers='a')!r}",
            f"regions {[(region.asleep, tuple(region.cells)) for region in space.regions()]!r}",
            f"inside {self.insides()!r}",
            f"bulk {[array.tolist() for array in bulk]!r}",
        ]

    def insides(self) -> list[tuple[int, list[int]]]:
        """Return who is inside of each trigger."""
        zones = [
            zone for zone in sorted(self.alive) if esper.entity_exists(zone) and esper.has_component(zone, Trigger)
        ]
        return [(zone, self.system.inside(zone)) for zone in zones]

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


RULES: list[dict[str, Any]] = [
    {},
    {"rule": "sum", "order": "front_first"},
    {"overlap_policy": "block_deeper", "axis_order": "zyx"},
    {"max_chain": 1, "can_push": the_hook},
    {"all_or_nothing": True},
    {"bounds": ((-5, -5), (5, 5))},
]
CROWD = {"reach": 12.0}


def tournament() -> dict[str, tuple[Callable[[], Game], int]]:
    """Return games (how to begin, number of frames): every setting, bins of every size, the ends of the range."""
    games: dict[str, tuple[dict[str, Any], int]] = {}
    for seed, more in enumerate(RULES):
        games[f"rules {sorted(more)}"] = ({"seed": seed, **more}, 40)
        games[f"welds {sorted(more)}"] = ({"seed": seed + 20, "welding": True, **more}, 30)
    for seed, bin_size in enumerate((0.5, 1.0, 4.0, 2.0**16), 10):
        for sign in (1, -1):
            scale = 1.0 if sign > 0 else bin_size
            edge = sign * (bin_size * 2.0**20 - 60 * scale)
            place = {"middle": (edge, -edge, edge), "reach": 6.0, "scale": scale}
            games[f"bins of {bin_size} at {edge}"] = ({"seed": seed, "place": place, "bin_size": bin_size}, 20)
    for seed in (40, 41):
        games[f"welds and restores {seed}"] = ({"seed": seed, "welding": True, "keeping": True}, 30)
    crowd: dict[str, Any] = {"place": CROWD, "bodies": 160, "acts": 12}
    games["a crowd"] = ({"seed": 30, **crowd}, 16)
    games["a flat crowd"] = ({"seed": 31, "bin_size": 4.0, "order": "front_first", **crowd}, 16)
    games["a crowd that holds on"] = ({"seed": 32, **crowd, "bodies": 120, "acts": 16, "welding": True}, 16)
    return {name: (lambda told=told: Game(**told), frames) for name, (told, frames) in games.items()}


def transcript(share: int) -> Iterator[str]:
    """Yield all that can be read of the first part of all games, line by line."""
    for name, (begin, frames) in tournament().items():
        esper.switch_world(name)
        game = begin()
        for number in range(frames // share):
            game.frame()
            for line in (*game.news(), *game.last(), *game.index(), game.counters(), game.kept()):
                yield f"{name}, frame {number}: {line}"
        game.system.check()
        yield from (f"{name}: {line}" for line in game.system.doctor())
        esper.switch_world("over")
        esper.delete_world(name)


def gone_on(what: str, file: Path) -> Iterator[str]:
    """Play, and keep a snapshot in a file; or resume with the same bodies from that file. What follows is the same."""
    game = Game(4, acts=4, welding=True)
    game.names = [name for name in game.names if name not in STRUCTURAL]
    if what == "keep":
        for _ in range(20):
            game.frame()
        game.do_move()
        file.write_bytes(game.system.snapshot())
    else:
        game.system.restore(file.read_bytes())
    game.random.seed(5)
    game.news()
    for _ in range(30):
        game.frame()
        yield from (*game.news(), *game.last(), game.kept())


if __name__ == "__main__":
    warnings.simplefilter("ignore", LatticeWarning)
    what, *more = sys.argv[1:]
    told = transcript(int(*more)) if what == "transcript" else gone_on(what, Path(*more))
    sys.stdout.writelines(f"{line}\n" for line in told)
