"""The numbers that games, levels and the solver take (rows as in number_stages.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from number_stages import BODIES, ENTITY, LEVEL, OPTIONAL, UNREAD, UNSAID, Give, InGame, Row, Stage, unread
from numbers_given import VALUES, Kind, Refused, flag, real, strength, whole

from ecs_collision import Box, CollisionWorld
from ecs_collision.fixed_point import LATTICE
from ecs_collision.game import Game
from ecs_collision.levels import Level, Thing, parse_level, spawn, write_xsb
from ecs_collision.solver.fewest_pushes import solve

ROOM = parse_level(LEVEL)


def _settings() -> Iterator[Row]:
    for name in ("undo_limit", "undo_bytes"):
        yield Row(f"Game.{name}", whole(0), name, unread(lambda _, v, name=name: Game(ROOM, **{name: v})))
    for name, kind in (("max_chain", whole(0, **OPTIONAL)), ("all_or_nothing", flag())):
        yield Row(f"Game.settings[{name}]", kind, name, _setting(name))
    yield Row("Game.settings[bin_size]", real(2.0**-8, 2.0**16, **NO_POWER), "bin_size", _setting("bin_size"))
    yield Row("Game.settings[bounds]", real(), "bounds lo x", unread(_bound))


NO_POWER = {"something with __float__": Refused(ValueError, "must be a power of two")}


def _setting(name: str) -> Give:
    return lambda _, value: getattr(Game(ROOM, **{name: value}).world.settings, name)


def _bound(_: Stage, value: Any) -> object:
    return Game(ROOM, bounds=((value, -9), (2.0**36, 9)))


# What a script says of a thing.


def _things() -> Iterator[Row]:
    for call in ("move", "plan"):
        for at, way in enumerate(("dx", "dy")):
            yield Row(f"Game.{call}.{way}", real(), f"{way} of entity", _moved(call, way, at), InGame)
        for option, kind in HOW.items():
            give = unread(lambda s, v, call=call, option=option: getattr(s.game, call)("player", 1, **{option: v}))
            yield Row(f"Game.{call}.how[{option}]", kind, f"{option} of entity", give, InGame)
    for at, axis in enumerate("xy"):
        yield Row(f"Game.request.d{axis}", real(), f"Motion.d{axis} of entity", _called("request", at), InGame)
        yield Row(f"Game.teleport.{axis}", FAR, f"{axis} of 'player'", _called("teleport", at), InGame, edges=False)
        yield Row(f"Game.fits.{axis}", real(**UNSAID), f"{axis} of 'player'", _called("fits", at), InGame, edges=False)
    for at, name in enumerate(("column", "row")):
        yield Row(f"Game.at.{name}", NEAR, name, unread(_at(at)), InGame, edges=False)
    yield Row(
        "Game.members.trigger", flag(), "trigger", unread(lambda s, v: s.game.members("plate", trigger=v)), InGame
    )
    yield Row("Game.set.fields[value]", strength(), "Inertia.value", _inertia, InGame)
    yield Row("Game.controls =[dx]", real(), "dx of control 'j'", _control(1), InGame)
    yield Row("Game.controls =[dy]", real(), "dy of control 'j'", _control(2), InGame)


HOW = {"force": strength(**UNSAID), "max_chain": whole(0, **UNSAID), "all_or_nothing": flag(**UNSAID)}
FAR = real()
NEAR = real()


def _moved(call: str, way: str, at: int) -> Give:
    def give(stage: Stage, value: Any) -> object:
        made = getattr(stage.game, call)("player", **{way: value})
        return (made.result if call == "plan" else made).requested[at]

    return give


def _called(call: str, at: int) -> Give:
    def give(stage: Stage, value: Any) -> object:
        getattr(stage.game, call)("player", *[value if axis == at else 1 for axis in range(2)])
        return UNREAD

    return give


def _at(at: int) -> Callable[[Any, Any], object]:
    return lambda stage, value: stage.game.at(*[value if axis == at else 1 for axis in range(2)])


def _inertia(stage: Stage, value: Any) -> object:
    stage.game.set("crate", "Inertia", value=value)
    return stage.game.get("crate", "Inertia").value


def _control(at: int) -> Give:
    def give(stage: Stage, value: Any) -> object:
        control = ["player", 1.0, 1.0]
        control[at] = value
        stage.game.controls = {"j": tuple(control)}
        return stage.game.controls["j"][at]

    return give


# What a script says of a body by its id.


def _ids() -> Iterator[Row]:
    for call, more in {"shift": (1, 0), "forecast": (1, 0), "carry": (0, 0), "riders": (1, 0), "is_there": (),
                       "ids_inside": (), "fused_ids": (), "place_of": (), "name": ()}.items():  # fmt: skip
        give = unread(lambda s, v, call=call, more=more: getattr(s.game, call)(v, *more))
        who = "trigger" if call == "ids_inside" else "id"
        kind = IDS.get(call, ENTITY)
        yield Row(f"Game.{call}.{who}", kind, "entity" if kind is ENTITY else "", give, InGame)
    for call in ("shift", "forecast", "carry", "riders"):
        for at, way in enumerate(("dx", "dy")):
            yield Row(f"Game.{call}.{way}", real(), way, unread(_by(call, at)), InGame, edges=call != "carry")
    yield Row("Game.weld.welds[id]", KEYS, "entity", unread(lambda s, v: s.game.weld({v: None})), InGame)
    yield Row("Game.weld.welds[to]", WELDED, "entity", unread(lambda s, v: s.game.weld({2: v})), InGame)


HASHED = [
    name for name in VALUES if not name.startswith(("array", "masked", "list", "bytearray", "decimal signalling"))
]
KEYS = replace(ENTITY, only=tuple(HASHED))
WELDED = replace(ENTITY, also={
    **UNSAID, "one": Refused(ValueError, "which is Static"),
    **dict.fromkeys(BODIES[1:], Refused(ValueError, "the entity itself")),
})  # fmt: skip
NO_TRIGGER = dict.fromkeys(BODIES, Refused(ValueError, "is no trigger"))
NO_MOVER = {"one": Refused(ValueError, "is Static and never moves of itself")}
NO_THING = Kind(dict.fromkeys(BODIES, UNREAD), "has no thing with the id", otherwise_error=KeyError)
IDS = {
    "ids_inside": replace(ENTITY, also=NO_TRIGGER), "shift": replace(ENTITY, also=NO_MOVER),
    "forecast": replace(ENTITY, also=NO_MOVER), "name": NO_THING,
}  # fmt: skip


def _by(call: str, at: int) -> Callable[[Any, Any], object]:
    return lambda s, value: getattr(s.game, call)(s.game.id("player"), *[value if a == at else 1 for a in range(2)])


# Rules, turns, files.


def _rules() -> Iterator[Row]:
    yield Row("Game.platform.every", whole(1), "every", unread(_platform("every")), Fresh)
    yield Row("Game.platform.force", strength(**UNSAID), "force", unread(_platform("force")), Fresh)
    yield Row("Game.platform.carries", flag(), "carries", unread(_platform("carries")), Fresh)
    yield Row("Game.teleporter.both_ways", flag(), "both_ways", unread(_teleporter), Fresh)
    yield Row("Game.fall_speed =", real(LATTICE), "fall_speed", _fall_speed, InGame)
    for call in ("undo", "redo"):
        yield Row(
            f"Game.{call}.count", whole(0), "count", unread(lambda s, v, call=call: getattr(s.game, call)(v)), InGame
        )
    yield Row("solve.most_states", whole(1), "most_states", unread(lambda _, v: solve(WON, most_states=v)))
    yield Row("solve.most_bytes", whole(1), "most_bytes", unread(lambda _, v: solve(WON, most_bytes=v)))
    yield Row("solve.seconds", SECONDS, "seconds", unread(lambda _, v: solve(WON, seconds=v)))
    yield Row("solve.quick", flag(), "quick", unread(lambda _, v: solve(WON, quick=v)))
    for name, call in {"parse_level": _parsed, "load_level": _parsed}.items():
        yield Row(f"{name}.which", WHICH, "no level", unread(call))
    yield Row("write_xsb.run_lengths", flag(), "run_lengths", unread(lambda _, v: write_xsb(SMALL, run_lengths=v)))


class Fresh(InGame):
    """A game that has not begun."""

    def __init__(self) -> None:
        self.game = Game(ROOM)

    def state(self) -> object:
        return self.game.has_begun, list(self.game._rules), self.game.world.snapshot()


WON = parse_level("#####\n#@$.#\n#####\n", "xsb")
SMALL = WON
SECONDS = replace(strength(**UNSAID), also={**UNSAID, "minus inf": Refused(ValueError, "must not be negative")})
WHICH = Kind(
    {"one": UNREAD, "None": UNREAD}, "choose by title, or by number",
    otherwise_error=ValueError,
)  # fmt: skip


def _parsed(_: Stage, value: Any) -> object:
    return parse_level(LEVEL, which=value)


def _platform(option: str) -> Give:
    return lambda stage, value: stage.game.platform("crate", "LR", **{option: value})


def _teleporter(stage: Stage, value: Any) -> object:
    return stage.game.teleporter("plate 1", "plate 2", both_ways=value)


def _fall_speed(stage: Stage, value: Any) -> object:
    stage.game.fall_speed = value
    return stage.game.fall_speed


# Levels that are made and not read.


def _levels() -> Iterator[Row]:
    for at, axis in enumerate("xyz"):
        yield Row(f"Thing.position[{axis}]", PLACE, f"Transform.{axis}", unread(_spawned(at)), edges=False)


CRATE = ROOM["crate"].components
PLACE = replace(real(-(2.0**20), 2.0**20), otherwise_error=ValueError, below="Transform", above="Transform")


def _spawned(at: int) -> Callable[[Any, Any], object]:
    def give(_: Stage, value: Any) -> object:
        thing = Thing("box", "box", tuple([value if axis == at else 0.0 for axis in range(3)]), (Box(1, 1),), CRATE)
        return spawn(Level("Numbers", (9, 9), (thing,)), CollisionWorld())

    return give


ASKING = ("Game.plan", "Game.fits", "Game.at", "Game.forecast", "Game.riders", "Game.members", "Game.name")
ROWS: list[Row] = [
    replace(row, asks=row.name.startswith(ASKING)) for row in (*_levels(), *_settings(), *_things(), *_ids(), *_rules())
]
