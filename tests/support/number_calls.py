"""The numbers that engines, games and free functions take (rows as in number_stages.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy
from number_stages import (
    BODIES,
    CRATE,
    ENTITY,
    IN_FLOATS,
    NO_BODY,
    OPTIONAL,
    PLAYER,
    UNREAD,
    UNSAID,
    Give,
    InEsper,
    InWorld,
    Nowhere,
    Row,
    Stage,
    axes_of,
    unread,
)
from numbers_given import WHOLE, Kind, Refused, flag, real, strength, whole

from ecs_collision import BoxCollider, CollisionSystem, CollisionWorld, Motion, Moved, Transform, TriggerEntered
from ecs_collision.components import Parts
from ecs_collision.fixed_point import LATTICE

# Settings of a world.


def _settings(name: str, engine: Any) -> Iterator[Row]:
    yield Row(f"{name}.bin_size", BIN_SIZE, "bin_size", _setting(engine, "bin_size"))
    yield Row(f"{name}.max_chain", whole(0, **OPTIONAL), "max_chain", _setting(engine, "max_chain"))
    yield Row(f"{name}.all_or_nothing", flag(), "all_or_nothing", _setting(engine, "all_or_nothing"))
    for at, corner in enumerate(("lo", "hi")):
        yield from axes_of(f"{name}.bounds[{corner}]", f"bounds {corner} {{}}", _bound(engine, at), Nowhere)
    yield Row(f"{name}.bounds[lo]", CORNER, "bounds lo", unread(lambda _, value: engine(bounds=(value, (9, 9)))))
    yield Row(f"{name}.bounds", BOUNDS, "bounds", unread(lambda _, value: engine(bounds=value)))


BIN_SIZE = real(2.0**-8, 2.0**16, **{"something with __float__": Refused(ValueError, "must be a power of two")})
BOUNDS = Kind({"None": UNREAD}, "it must be (lo, hi), two 2- or 3-tuples", also={
    "array of two": Refused(TypeError, "it must be a tuple of 2 or 3 numbers"),
})  # fmt: skip
CORNER = Kind({"array of two": UNREAD}, "it must be a tuple of 2 or 3 numbers")


def _made_by(engine: Any, **settings: Any) -> Any:
    made = engine(**settings)
    return (made if engine is CollisionWorld else made._world).settings


def _setting(engine: Any, name: str) -> Give:
    return lambda _, value: getattr(_made_by(engine, **{name: value}), name)


def _bound(engine: Any, corner: int) -> Callable[[Any, int, Any], object]:
    def give(_: Stage, at: int, value: Any) -> object:
        corners = [[-(2.0**36)] * 3, [2.0**36] * 3]
        corners[corner][at] = value
        return _made_by(engine, bounds=corners).bounds[corner][at]

    return give


# Motions and places.


def _motions(name: str, stage: type[Stage]) -> Iterator[Row]:
    for call in ("move", "plan"):
        for at, way in enumerate(("dx", "dy", "dz")):
            yield Row(f"{name}.{call}.{way}", real(), f"{way} of entity 1", _asked(call, way, at), stage)
        yield Row(f"{name}.{call}.force", strength(**UNSAID), "force of entity 1", _forced(call), stage)
        for option, kind in (("max_chain", whole(0, **UNSAID)), ("all_or_nothing", flag(**UNSAID))):
            yield Row(f"{name}.{call}.{option}", kind, f"{option} of entity 1", _with(call, option), stage)
    for way in ("dx", "dy", "dz"):
        yield Row(f"{name}.request.{way}", real(), f"Motion.{way} of entity 1", _requested(way), stage)
    for at, axis in enumerate("xyz"):
        kind = real(**(UNSAID if axis == "z" else {}))
        yield Row(f"{name}.teleport.{axis}", kind, f"Transform.position {axis}", _teleported(at), stage, edges=False)
        yield Row(f"{name}.teleport.{axis}", RANGE, f"entity 1: Transform.{axis}", _teleported(at), stage)
        words = f"position {axis} of entity 1"
        where = f"{name}.set_positions.positions[{axis}]"
        for kind, table in NUMPYS.values():
            yield Row(where, kind, words, _placed(at, table), stage, edges=False)


RANGE = Kind({}, "", -(2.0**20) + 0.5, 2.0**20 - 0.5 - LATTICE, "+-1048576", "+-1048576", step=LATTICE, only=())
NUMPYS: dict[str, tuple[Kind, Callable[[Any], Any]]] = {
    "rows": (real(), list),
    "array of objects": (real(), lambda rows: numpy.array(rows, object)),
    "array of floats": (IN_FLOATS, lambda rows: numpy.array(rows, float)),
    "array turned round": (IN_FLOATS, lambda rows: numpy.array(rows, ">f8").T.copy().T),
}


def _asked(call: str, way: str, at: int) -> Give:
    def give(stage: Stage, value: Any) -> object:
        made = getattr(stage.engine, call)(PLAYER, **{way: value})
        return (made.result if call == "plan" else made).requested[at]

    return give


def _forced(call: str) -> Give:
    def give(stage: Stage, value: Any) -> object:
        made = getattr(stage.engine, call)(PLAYER, 1, force=value)
        return UNREAD if value is None else (made.result if call == "plan" else made).force

    return give


def _with(call: str, option: str) -> Give:
    return unread(lambda stage, value: getattr(stage.engine, call)(PLAYER, 1, **{option: value}))


def _requested(way: str) -> Give:
    def give(stage: Stage, value: Any) -> object:
        stage.engine.request(PLAYER, **{way: value})
        return getattr(stage.part(PLAYER, Motion), way)

    return give


def _teleported(at: int) -> Give:
    def give(stage: Stage, value: Any) -> object:
        stage.engine.teleport(PLAYER, *[value if axis == at else 0 for axis in range(3)])
        return UNREAD if value is None else stage.part(PLAYER, Transform).position[at]

    return give


def _placed(at: int, table: Callable[[Any], Any]) -> Give:
    def give(stage: Stage, value: Any) -> object:
        rows = [[7.0, 7.0, 7.0], [value if axis == at else 0.0 for axis in range(3)]]
        stage.engine.set_positions([CRATE, PLAYER], table(rows))
        return stage.part(PLAYER, Transform).position[at]

    return give


# Whom: ids.


def _ids(name: str, stage: type[Stage]) -> Iterator[Row]:
    system = name == "CollisionSystem"
    who, many = ("entity", "entities") if system else ("id", "ids")
    for call in ("move", "plan", "touching"):
        yield Row(f"{name}.{call}.{who}", ENTITY, "entity", _named(call), stage)
    yield Row(f"{name}.teleport.{who}", ENTITY, "entity", _named("teleport", 0, 0), stage)
    yield Row(f"{name}.request.{who}", REQUEST, "entity", _named("request", 1), stage)
    yield Row(f"{name}.inside.{'trigger' if system else 'id'}", INSIDE, "entity", _named("inside"), stage)
    yield Row(f"{name}.set_positions.{many}[0]", ENTITY, "entity", unread(_place_one), stage)
    yield Row(f"{name}.set_positions.{many}", IDS, "", unread(_place_all), stage)
    yield Row(f"{name}.set_positions.positions", TABLE, "", unread(_place_by), stage)


TRIGGERLESS = dict.fromkeys(BODIES, Refused(ValueError, "is no trigger"))
MOTIONLESS = {name: UNREAD if name == "one" else Refused(ValueError, "has no Motion") for name in BODIES}
INSIDE = replace(ENTITY, column=TRIGGERLESS)
REQUEST = replace(ENTITY, column=MOTIONLESS)
IDS = Kind({"list": UNREAD, "array of one": UNREAD}, "set_positions needs ids", also={
    "array of one, a half": Refused(KeyError, NO_BODY),
    "array of two": Refused(ValueError, "got 2 ids and 1 positions"),
})  # fmt: skip
TABLE = Kind({}, "set_positions needs", also={
    **dict.fromkeys(["list", "array of one", "array of one, a half"], Refused(ValueError, "give (x, y) or (x, y, z)")),
    "array of two": Refused(ValueError, "got 1 ids and 2 positions"),
})  # fmt: skip


def _named(call: str, *more: Any) -> Give:
    return unread(lambda stage, value: getattr(stage.engine, call)(value, *more))


def _place_one(stage: Stage, value: Any) -> None:
    stage.engine.set_positions([value, PLAYER], [(1, 1), (2, 2)])


def _place_all(stage: Stage, value: Any) -> None:
    stage.engine.set_positions(value, [(1, 1)])


def _place_by(stage: Stage, value: Any) -> None:
    stage.engine.set_positions([PLAYER], value)


# Who comes and goes.


def _adding() -> Iterator[Row]:
    yield Row("CollisionWorld.add.id", NEW_ID, "", _added, InWorld)
    yield Row("CollisionWorld.add_all.ids[0]", NEW_IDS, "", unread(_all_added), InWorld)
    yield Row("CollisionWorld.add_all.ids", NO_IDS, "add_all", unread(lambda s, v: s.engine.add_all([], v)), InWorld)
    yield Row("CollisionWorld.stage.id", whole(0), "id of stage", unread(_staged), InWorld)
    yield Row("CollisionWorld.reserve.count", COUNT, "count", _reserved, InWorld, edges=False)
    yield Row(
        "CollisionWorld.unreserve.ids", LAST_IDS, "unreserve", unread(lambda s, v: s.engine.unreserve(v)), InWorld
    )
    yield Row("CollisionWorld.remove.id", REMOVED, "entity", unread(lambda s, v: s.engine.remove(v)), InWorld)
    for event, field in ((Moved, "entity"), (TriggerEntered, "trigger")):
        give = unread(lambda s, v, of=event, field=field: s.engine.on(of, print, **{field: v}))
        yield Row(f"CollisionSystem.on.match[{field}]", MATCH, f"{event.__name__} {field}=", give, InEsper)


TAKEN = dict.fromkeys(BODIES, Refused(ValueError, "is a body already"))
NEW_ID = replace(whole(0), also={**TAKEN, "None": 7})
NEW_IDS = whole(0, **TAKEN)
NO_IDS = Kind(
    dict.fromkeys(["list", "array of one"], Refused(ValueError, "give one id a body"))
    | dict.fromkeys(["array of two", "array of one, a half"], Refused(TypeError, "must be a whole number")),
    "must be a sequence of ids",
)
LAST_IDS = replace(NO_IDS, column=NO_IDS.column | dict.fromkeys(["list", "array of one"], UNREAD))
COUNT = whole(0)
REMOVED = replace(ENTITY, also=dict.fromkeys(BODIES[1:], Refused(ValueError, "remove Fused from entity 6")))
MATCH = Kind(dict.fromkeys(WHOLE, UNREAD), "cannot match; give the id", also=UNSAID)


def _added(stage: Stage, value: Any) -> object:
    return stage.engine.add(value, transform=Transform(50, 50), collider=BoxCollider(0.5, 0.5))


def _all_added(stage: Stage, value: Any) -> None:
    stage.engine.add_all([Parts(Transform(50, 50), BoxCollider(0.5, 0.5))], [value])


def _staged(stage: Stage, value: Any) -> None:
    stage.engine.stage(value, None)


def _reserved(stage: Stage, value: Any) -> object:
    return len(stage.engine.reserve(value))


def _rows() -> Iterator[Row]:
    for name, (engine, stage) in {
        "CollisionSystem": (CollisionSystem, InEsper),
        "CollisionWorld": (CollisionWorld, InWorld),
    }.items():
        yield from _settings(name, engine)
        yield from _motions(name, stage)
        yield from _ids(name, stage)
    yield from _adding()


ASKING = (".plan.", ".touching.", ".inside.")
ROWS: list[Row] = [replace(row, asks=any(call in row.name for call in ASKING)) for row in _rows()]
