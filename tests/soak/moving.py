"""Operations that move bodies: now, planned, requested, with a hook that misbehaves, and teleports."""

from __future__ import annotations

from typing import Any

from .game import ADMITTED, Game, operation, result_values

Way = tuple[float, float, float]
How = dict[str, Any]


def _call(name: str, entity: int, way: Way, how: How) -> str:
    steps = list(way)
    while steps and not steps[-1]:
        steps.pop()
    arguments = [str(entity), *map(repr, steps), *(f"{name}={value!r}" for name, value in how.items())]
    return f"{name}({', '.join(arguments)})"


def _moving(g: Game, entity: int) -> str:
    """Return the error and rule for which a motion of an entity is refused after changes are applied."""
    if entity not in g.model.bodies:
        return "UnknownEntity"
    return "CollisionValueError" if g.model.bodies[entity].static else ADMITTED


@operation
def move(g: Game, who: int, way: Way, how: How) -> None:
    """Move a body now."""
    entity = g.one(who)
    if entity is not None:
        _move(g, entity, way, how)


def _move(g: Game, entity: int, way: Way, how: How) -> None:
    text = _call(f"{g.world.name}.move", entity, way, how)
    if not g.admits(text, lambda: _moving(g, entity)):
        return
    result = g.model.move(entity, *way, **how)
    g.read_back()
    g.run(f"result = {text}")
    g.expect("result", "result_values(result)", result_values(entity, result))


@operation
def dash(g: Game, who: int, axis: int, length: float) -> None:
    """Move a body far along one axis with a large force."""
    entity = g.one(who, "Transform", "collider")
    if entity is not None:
        _move(g, entity, (length, 0.0, 0.0) if axis == 0 else (0.0, length, 0.0), {"force": 9.0})


@operation
def cross(g: Game, who: int, zone: int, axis: int, length: float) -> None:
    """Put a body beside a trigger (a swept one if there is any) and move it to the other side."""
    entity, zones = g.one(who, "Transform", "collider"), g.entity_model.living("Transform", "collider", "Trigger")
    zones = [each for each in zones if g.entity_model.entities[each]["Trigger"].values["swept"]] or zones
    if entity is None or not zones or not g.apply_changes() or _moving(g, entity) != ADMITTED:
        return
    trigger = zones[zone % len(zones)]
    way = (length, 0.0, 0.0) if axis == 0 else (0.0, length, 0.0)
    place = g.model.bodies[trigger].position
    _teleport(g, entity, tuple(at - by for at, by in zip(place, way, strict=True)))
    _move(g, entity, (2 * way[0], 2 * way[1], 0.0), {"force": 9.0})


@operation
def push_back(g: Game, who: int, length: float) -> None:
    """Push a body along x, then push it back from the other side."""
    entity = g.one(who, "Transform", "collider")
    if entity is None or not g.apply_changes() or _moving(g, entity) != ADMITTED:
        return
    pushed = g.model.plan(entity, length, force=9.0).pushed
    _move(g, entity, (length, 0.0, 0.0), {"force": 9.0})
    if pushed:
        other, (by, _, _) = min(pushed.items())
        x, y, z = g.model.bodies[entity].position
        _teleport(g, entity, (2 * g.model.bodies[other].position[0] - x, y, z))
        _move(g, entity, (-by, 0.0, 0.0), {"force": 9.0})


@operation
def plan(g: Game, who: int, way: Way, how: How, then: str) -> None:
    """Plan a motion, then commit it, commit it when it is stale, or discard it."""
    entity = g.one(who)
    if entity is None:
        return
    text = _call(f"{g.world.name}.plan", entity, way, how)
    if not g.admits(text, lambda: _moving(g, entity)):
        return
    g.run(f"plan = {text}")
    g.expect("plan", "result_values(plan.result)", result_values(entity, g.model.plan(entity, *way, **how)))
    g.compare()
    if then == "commit":
        result = g.model.move(entity, *way, **how)
        g.read_back()
        g.run("result = plan.commit()")
        g.expect("result", "result_values(result)", result_values(entity, result))
    elif then == "stale":
        g.run(f"part({entity}, Transform).x = part({entity}, Transform).x")
        g.apply_changes()
        g.refuse("plan.commit()", "StalePlan")


@operation
def hooked(g: Game, who: int, way: Way, how: How, does: str) -> None:
    """Move while the hook misbehaves: it raises, moves a body, or writes."""
    entity = g.one(who)
    if entity is None or not g.world.settings.get("can_push") or not g.apply_changes():
        return
    if _moving(g, entity) != ADMITTED:
        return
    g.asked.clear()
    g.model.plan(entity, *way, **how)
    operation = {
        "raise": "raise Oops",
        "move": f"{g.world.name}.move(pusher, 1.0)",
        "process": f"{g.world.name}.process()",
        "write": f"part({entity}, Transform).x = part({entity}, Transform).x",
    }[does]
    error = "Oops" if does == "raise" else "ReentryError"
    g.run(f"def does(pusher):\n    {operation}\nhook['does'] = does")
    text = _call(f"{g.world.name}.move", entity, way, how)
    if g.asked:
        g.refuse(text, error)
    else:
        result = g.model.move(entity, *way, **how)
        g.read_back()
        g.run(f"result = {text}")
        g.expect("result", "result_values(result)", result_values(entity, result))
    g.run("hook['does'] = None")


@operation
def request(g: Game, who: int, way: Way) -> None:
    """Request a displacement through the system."""
    entity = g.one(who, "Motion") if who % 4 else g.one(who)
    if entity is None:
        return
    text = _call(f"{g.world.name}.request", entity, way, {})
    if g.admits(text, lambda: _asking(g, entity)):
        g.run(text)
        _add(g, entity, way)


def _asking(g: Game, entity: int) -> str:
    if entity not in g.model.bodies:
        return "UnknownEntity"
    return "CollisionValueError" if g.model.bodies[entity].motion is None else ADMITTED


@operation
def motion_request(g: Game, who: int, way: Way) -> None:
    """Request a displacement through the Motion."""
    entity = g.one(who, "Motion")
    if entity is not None:
        g.run(f"part({entity}, Motion).move{way!r}")
        _add(g, entity, way)


def _add(g: Game, entity: int, way: Way) -> None:
    values = g.entity_model.entities[entity]["Motion"].values
    for name, by in zip(("dx", "dy", "dz"), way, strict=True):
        values[name] += by


@operation
def teleport(g: Game, who: int, spot: tuple[float, ...]) -> None:
    """Teleport a body."""
    entity = g.one(who)
    if entity is not None:
        _teleport(g, entity, spot)


def _teleport(g: Game, entity: int, spot: tuple[float, ...]) -> None:
    _place(g, f"{g.world.name}.teleport({entity}, {', '.join(map(repr, spot))})", [(entity, spot)])


@operation
def set_positions(g: Game, spots: tuple[tuple[int, tuple[float, ...]], ...], columns: int) -> None:
    """Teleport many bodies at once; if a body occurs twice, the last position counts."""
    living = g.entity_model.living()
    if living:
        rows = [(living[who % len(living)], spot[:columns]) for who, spot in spots]
        entities, places = [entity for entity, _ in rows], [list(spot) for _, spot in rows]
        _place(g, f"{g.world.name}.set_positions({entities}, {places})", rows)


def _place(g: Game, text: str, rows: list[tuple[int, tuple[float, ...]]]) -> None:
    """Set positions of bodies, all or none."""
    known = g.entity_model.living("Transform", "collider")
    if not g.admits(text, lambda: ADMITTED if all(row[0] in known for row in rows) else "UnknownEntity"):
        return
    values = {entity: g.entity_model.entities[entity]["Transform"].values for entity, _ in rows}
    before = {entity: values[entity]["position"] for entity in values}
    for entity, spot in rows:
        values[entity]["position"] = (*spot, *before[entity][len(spot) :])
    if g.apply_changes():
        g.run(text)
        return
    g.world.stray = False
    for entity in values:
        values[entity]["position"] = before[entity]
    g.refuse(text, "InvalidChanges")
