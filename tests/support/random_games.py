"""Random games in esper that depend only on a seed: all changes a game makes to bodies, and all data it can read.

Reading does not influence a game, so the same seed gives the same game. Run as a program, this module prints the
transcripts of many games; two processes must print the same bytes, with compiled or plain kernels.
"""

from __future__ import annotations

import hashlib
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import esper
from soak.scene_generator import SceneGenerator, made

from ecs_collision import (
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CompoundCollider,
    Contact,
    Fused,
    Inertia,
    LatticeWarning,
    Motion,
    MoveResult,
    OneWay,
    Sleeping,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
)
from ecs_collision.world.stats import COUNTERS

COLLIDERS = (BoxCollider, CompoundCollider)
PLAIN = (Transform, *COLLIDERS, Inertia, Motion, Sleeping, Static, Trigger, Fused, Contact, OneWay)
KINDS = {kind.__name__: kind for kind in PLAIN}
ACTIONS = (
    "do_query", "do_delete", "do_unfuse", "do_restore", "do_snapshot", *["do_move"] * 4, "do_plan", "do_replace",
    *["do_request"] * 3, "do_set_positions", "do_spawn", "do_leave_range", "do_swap", "do_teleport", "do_fuse_again",
    "do_fuse", "do_write", "do_write_all", "do_write", "do_write",
)  # fmt: skip
"""What can happen, each name as often as its weight. The recorded games depend on this order."""
STRUCTURAL = ("do_spawn", "do_delete", "do_replace", "do_fuse", "do_unfuse")
FUSING = ("do_fuse", "do_fuse_again", "do_unfuse")
QUERYING = ("do_query", "do_plan", "do_leave_range")


class RandomGame(SceneGenerator):
    """A random game in the current esper world.

    querying: whether queries, plans and refusals occur; handling: whether a handler writes; fusing: whether bodies are
    fused and unfused; restoring: whether snapshots are taken and restored; asking: whether bodies report contacts.
    one_way: whether bodies may be one-way.
    region: arguments for SceneGenerator.
    """

    def __init__(
        self, seed: int, bodies: int = 16, actions: int = 8, *, querying: bool = True, handling: bool = True,
        fusing: bool = False, restoring: bool = False, asking: bool = False, one_way: bool = False,
        region: dict[str, Any] | None = None, **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(seed, **{"reach": 4.0, "grain": 4, "in_3d": seed % 4 == 0, "crooked": seed % 3 == 0,
                                  **(region or {})})  # fmt: skip
        self.is_asking, self.is_one_way = asking, one_way
        self.actions, self.may_set_all_or_nothing = actions, settings.get("order") != "front_first"
        self.system = CollisionSystem(**settings)
        esper.add_processor(self.system)
        self.alive: list[int] = []
        self.log: list[Any] = []
        excluded = () if querying else QUERYING
        excluded += () if fusing else FUSING
        excluded += () if restoring else ("do_snapshot", "do_restore")
        self.snapshot: bytes | None = None
        self.names = [name for name in ACTIONS if name not in excluded]
        if handling:
            self.system.on(TriggerEntered, self._write_in_handler)
        self.max_alive = 2 * bodies + 20
        for _ in range(bodies):
            self.do_spawn()

    def _write_in_handler(self, event: TriggerEntered) -> None:
        """Write to a body while events are delivered; the choice depends on the ids only."""
        if (event.trigger + event.other) % 5 == 0 and esper.entity_exists(event.other):
            self.move_to_middle(event.other)

    def frame(self) -> None:
        """Do some actions, then process a frame; `log` gets results of moves and the text of refusals."""
        for _ in range(self.actions):
            self.between_actions()
            getattr(self, self.choice(self.names))()
        self.between_actions()
        before = len(self.log)
        self.attempt(esper.process)
        if len(self.log) > before:  # a body is out of range: move all to the middle and repeat the frame
            for entity in self.alive:
                self.move_to_middle(entity)
            esper.process()

    def between_actions(self) -> None:
        """Do nothing between two actions; tests override this."""

    def move_to_middle(self, entity: int) -> None:
        esper.component_for_entity(entity, Transform).position = self.middle

    def entity_with(self, *kinds: type[Any]) -> int | None:
        """Return a live entity with all these components, or None."""
        able = [entity for entity in self.alive if all(esper.has_component(entity, kind) for kind in kinds)]
        return self.choice(able) if able else None

    def component_with(self, kind: type[Any]) -> Any:
        entity = self.entity_with(kind)
        return None if entity is None else esper.component_for_entity(entity, kind)

    def attempt(self, call: Callable[[], Any]) -> Any:
        """Return the result of a call; a refusal goes to `log`."""
        try:
            return call()
        except CollisionError as refusal:
            self.log.append(f"{type(refusal).__name__}: {refusal}".replace("\n", " "))
            return None

    def valid_component(self, spec: Any) -> Any:
        """Return a component, without all_or_nothing if the order is front_first (P10)."""
        kind, fields = spec
        if not self.may_set_all_or_nothing:
            fields = {name: fields[name] for name in fields if name != "all_or_nothing"}
        return made((kind, fields))

    # Actions.

    def do_spawn(self) -> None:
        if len(self.alive) < self.max_alive:
            self.alive.append(esper.create_entity(*map(self.valid_component, self.body())))

    def do_delete(self) -> None:
        if len(self.alive) > 4:
            entity = self.alive.pop(self.random.randrange(len(self.alive)))
            for follower in self.followers(entity):
                esper.remove_component(follower, Fused)
            esper.delete_entity(entity, immediate=self.chance(0.5))

    def followers(self, entity: int) -> list[int]:
        """Return the entities that are fused to an entity."""
        return [other for other in self.alive if self.partner(other) == entity]

    def partner(self, entity: int) -> int | None:
        fused = esper.try_component(entity, Fused)
        return None if fused is None else fused.to

    def partner_for(self, entity: int) -> int | None:
        """Return an entity that this one can be fused to, or None: no statics, and none that would close a cycle."""
        to = self.choice(self.alive)
        line = [to]
        while (further := self.partner(line[-1])) is not None:
            line.append(further)
        return None if entity in line or any(esper.has_component(each, Static) for each in (entity, to)) else to

    def do_fuse(self) -> None:
        """Fuse a body to another."""
        entity = self.choice(self.alive)
        if (to := self.partner_for(entity)) is not None:
            esper.add_component(entity, Fused(to))

    def do_fuse_again(self) -> None:
        """Fuse a fused body to another one."""
        entity = self.entity_with(Fused)
        if entity is not None and (to := self.partner_for(entity)) is not None:
            esper.component_for_entity(entity, Fused).to = to

    def do_unfuse(self) -> None:
        entity = self.entity_with(Fused)
        if entity is not None:
            esper.remove_component(entity, Fused)

    def do_snapshot(self) -> None:
        self.snapshot = self.attempt(self.system.snapshot)

    def do_restore(self) -> None:
        """Restore the last snapshot; it is refused if bodies or components were added or removed since."""
        if self.snapshot is not None:
            self.attempt(lambda: self.system.restore(self.snapshot))

    def do_write(self) -> None:
        """Write a field of a component."""
        for _ in range(self.choice((1, 2, 4))):
            kind, name, value = self.field()
            component = self.component_with(self.choice(COLLIDERS) if kind == "collider" else KINDS[kind])
            if component is not None and (self.may_set_all_or_nothing or name != "all_or_nothing"):
                spec = self.valid_component((kind, {name: value})) if name == "parts" else None
                setattr(component, name, value if spec is None else spec.parts)

    def do_write_all(self) -> None:
        for _ in self.alive:
            self.component_with(Transform).position = self.spot()[: self.choice((2, 3))]

    def do_request(self) -> None:
        for _ in range(self.random.randint(1, 4)):
            entity, way = self.entity_with(Motion), self.displacement()
            if entity is not None:
                self.attempt(lambda entity_with=entity, by=way: self.system.request(entity_with, *by))

    def do_move(self) -> None:
        entity, way = self.entity_with(Transform), self.displacement()
        how = self.move_options() | {"force": self.choice((0.75, 2.0, 9.0, 9.0))}
        result = self.attempt(lambda: self.system.move(entity, *way, **how))
        if result is not None:
            self.log.append(result)

    def do_plan(self) -> None:
        entity, way = self.entity_with(Motion), self.displacement()
        plan = self.attempt(lambda: self.system.plan(entity, *way))
        if plan is not None:
            self.log.append(plan.result)
            if self.chance(0.5):
                self.log.append(plan.commit())

    def do_set_positions(self) -> None:
        import numpy

        count = self.choice([0, 1, 3, len(self.alive)])
        entities = [self.choice(self.alive) for _ in range(count)]
        array = numpy.array([self.spot() for _ in entities]).reshape(count, 3)
        self.attempt(lambda: self.system.set_positions(entities, array[:, : self.choice([2, 3])]))

    def do_teleport(self) -> None:
        self.attempt(lambda: self.system.teleport(self.choice(self.alive), *self.spot()))

    def do_leave_range(self) -> None:
        """Write an invalid position, query, process, and correct it."""
        transform, spot = self.component_with(Transform), self.spot()
        transform.position = (2.0**36, -(2.0**36), spot[2])
        self.attempt(self.system.space.pairs)
        self.attempt(esper.process)
        transform.position = spot

    def do_replace(self) -> None:
        """Replace, remove or add a component."""
        entity, (kind, fields) = self.choice(self.alive), self.component()
        if self.is_one_way and self.chance(0.5):
            if esper.has_component(entity, OneWay):
                esper.remove_component(entity, OneWay)
            else:
                esper.add_component(entity, OneWay(self.choice(("up", "left"))))
            return
        if kind == "Transform":
            esper.add_component(entity, made((kind, fields)))
        elif kind in ("BoxCollider", "CompoundCollider"):
            for component in esper.components_for_entity(entity):
                esper.add_component(entity, component.copy())
        elif kind in ("Trigger", "Contact") and esper.has_component(entity, Contact if kind == "Trigger" else Trigger):
            esper.remove_component(entity, Contact if kind == "Trigger" else Trigger)
        elif kind in ("Sleeping", "Trigger", "Contact") or not self.is_pushable_or_fused(entity):
            if esper.has_component(entity, KINDS[kind]):
                esper.remove_component(entity, KINDS[kind])
            elif kind not in ("Motion", "Inertia"):
                esper.add_component(entity, made((kind, fields)))

    def is_pushable_or_fused(self, entity: int) -> bool:
        """Return whether an entity must not become static."""
        mobile = any(esper.has_component(entity, other) for other in (Motion, Inertia, Fused))
        return mobile or bool(self.followers(entity))

    def do_swap(self) -> None:
        """Exchange the Transforms of two bodies."""
        one, two = self.entity_with(Transform), self.entity_with(Transform)
        if one != two:
            first, second = (esper.component_for_entity(entity, Transform) for entity in (one, two))
            esper.add_component(one, second)
            esper.add_component(two, first)

    def do_query(self) -> None:
        space, spot, way = self.system.space, self.spot(), (self.coordinate(), self.coordinate())
        box = (spot, tuple(at + self.scale * 2 for at in spot))
        entity = self.choice(self.alive)
        kinds: dict[str, Any] = {"layers": self.choice([None, "a"]), "triggers": self.chance(0.5)}
        for answer in (
            lambda: space.overlapping(box, **kinds),
            lambda: space.overlapping(entity, **kinds),
            lambda: space.touching(entity, **kinds),
            lambda: space.at(*spot, ignore=[entity], **kinds),
            lambda: space.cast(box, way, **kinds),
            lambda: space.cast(entity, way, **kinds),
            lambda: space.pairs(**kinds),
        ):
            self.log.append(repr(self.attempt(answer)))

    # Reading.

    def take_log(self) -> list[str]:
        """Return and clear the log of moves, refusals and queries."""
        log, self.log = self.log, []
        return [f"{line.explain()} {line!r}" if isinstance(line, MoveResult) else line for line in log]

    def frame_lines(self) -> list[str]:
        """Return the events, results and components after the last frame."""
        results = self.system.results
        return [
            f"events {self.system.events!r}",
            *(f"result {results[entity]!r} {results[entity].explain()}" for entity in sorted(results)),
            *(f"entity {entity} {self.components(entity)}" for entity in sorted(self.alive)),
        ]

    def components(self, entity: int) -> str:
        """Return the components of an entity in a fixed order."""
        if not esper.entity_exists(entity):
            return "gone"
        parts = {type(component_with): component_with for component_with in esper.components_for_entity(entity)}
        return " ".join(repr(parts[kind]) for kind in KINDS.values() if kind in parts)

    def index_lines(self) -> list[str]:
        """Return the answers of queries of the index."""
        import numpy

        space, (x, y, _) = self.system.space, self.middle
        lo = numpy.array([(x - step, y - step) for step in range(4)])
        bulk = [space.pairs_array(triggers=True), *space.overlapping_many(lo, lo + 2 * self.scale)]
        return [
            f"cells {list(space.cells)!r} {list(space.static_cells)!r}",
            f"pairs {space.pairs(triggers=True)!r} {space.pairs(layers='a')!r}",
            f"regions {[(region.asleep, tuple(region.cells)) for region in space.regions()]!r}",
            f"inside {self.trigger_contents()!r}",
            f"bulk {[array.tolist() for array in bulk]!r}",
        ]

    def trigger_contents(self) -> list[tuple[int, list[int]]]:
        """Return the bodies inside each trigger."""
        zones = [
            zone for zone in sorted(self.alive) if esper.entity_exists(zone) and esper.has_component(zone, Trigger)
        ]
        return [(zone, self.system.inside(zone)) for zone in zones]

    def counters_line(self) -> str:
        """Return the counters of the frame, without times."""
        return f"stats { {name: getattr(self.system.stats, name) for name in sorted(COUNTERS)}!r}"

    def hash_line(self) -> str:
        """Return the hash of the state, and that of a snapshot of it."""
        return f"hash_line {self.system.state_hash()} {hashlib.blake2b(self.system.snapshot()).hexdigest()}"


def can_push_by_id(pusher: int, pushed: int, axis: str, force: float) -> bool | None:
    """Answer depending on the ids only."""
    return (None, None, True, False)[(3 * pusher + pushed) % 4]


RULES: list[dict[str, Any]] = [
    {},
    {"rule": "sum", "order": "front_first"},
    {"overlap_policy": "leave", "axis_order": "zyx"},
    {"max_chain": 1, "can_push": can_push_by_id},
    {"all_or_nothing": True},
    {"bounds": ((-5, -5), (5, 5))},
]
CROWD = {"reach": 12.0}


def all_games() -> dict[str, Callable[[], RandomGame]]:
    """Return the constructors of games: all settings, all sizes of bins, the ends of the range."""
    games: dict[str, dict[str, Any]] = {}
    for seed, more in enumerate(RULES):
        games[f"rules {sorted(more)}"] = {"seed": seed, **more}
        games[f"groups {sorted(more)}"] = {"seed": seed + 20, "fusing": True, **more}
    for seed, bin_size in enumerate((0.5, 1.0, 4.0, 2.0**16), 10):
        for sign in (1, -1):
            scale = 1.0 if sign > 0 else bin_size
            edge = sign * (bin_size * 2.0**20 - 60 * scale)
            region = {"middle": (edge, -edge, edge), "reach": 6.0, "scale": scale}
            games[f"bins of {bin_size} at {edge}"] = {"seed": seed, "region": region, "bin_size": bin_size}
    for seed in (40, 41):
        games[f"groups and restores {seed}"] = {"seed": seed, "fusing": True, "restoring": True}
    games["a crowd with groups"] = {"seed": 32, "region": CROWD, "bodies": 120, "actions": 16, "fusing": True}
    return {name: lambda values=values: RandomGame(**values) for name, values in games.items()}  # type: ignore[misc]


def play_with_snapshot(what: str, file: Path) -> Iterator[str]:
    """Play and write a snapshot to a file ("keep"), or restore it with the same bodies; then yield further frames."""
    game = RandomGame(4, actions=4, fusing=True)
    game.names = [name for name in game.names if name not in STRUCTURAL]
    if what == "keep":
        for _ in range(20):
            game.frame()
        game.do_move()
        file.write_bytes(game.system.snapshot())
    else:
        game.system.restore(file.read_bytes())
    game.random.seed(5)
    game.take_log()
    for _ in range(30):
        game.frame()
        yield from (*game.take_log(), *game.frame_lines(), game.hash_line())


if __name__ == "__main__":
    warnings.simplefilter("ignore", LatticeWarning)
    what, file = sys.argv[1:]
    sys.stdout.writelines(f"{line}\n" for line in play_with_snapshot(what, Path(file)))
