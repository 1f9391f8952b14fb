"""Operations that move bodies: now, planned, asked for, with a hook that misbehaves, and teleports."""

from __future__ import annotations

from typing import Any

from .game import ADMITTED, Game, Refusal, deed, told

Way = tuple[float, float, float]
How = dict[str, Any]


def _call(name: str, entity: int, way: Way, how: How) -> str:
    steps = list(way)
    while steps and not steps[-1]:
        steps.pop()
    told = [str(entity), *map(repr, steps), *(f"{name}={value!r}" for name, value in how.items())]
    return f"{name}({', '.join(told)})"


def _moving(g: Game, entity: int) -> Refusal:
    """Return the error with which a motion of an entity is refused once everything is taken in, and its rule."""
    if entity not in g.model.bodies:
        return "UnknownEntity", "L3"
    return ("CollisionValueError", "E8") if g.model.bodies[entity].static else ADMITTED


@deed
def move(g: Game, who: int, way: Way, how: How) -> None:
    """Move a body now."""
    entity = g.one(who)
    if entity is not None:
        _move(g, entity, way, how)


def _move(g: Game, entity: int, way: Way, how: How) -> None:
    text = _call(f"{g.home.name}.move", entity, way, how)
    if not g.admits(text, lambda: _moving(g, entity)):
        return
    result = g.model.move(entity, *way, **how)
    g.read_back()
    g.run(f"result = {text}")
    g.expect("result", "told(result)", told(entity, result))
    g.hit("P16", "moved")


@deed
def dash(g: Game, who: int, axis: int, length: float) -> None:
    """Move somebody far along one axis, with all strength, past whatever reports."""
    entity = g.one(who, "Transform", "collider")
    if entity is not None:
        _move(g, entity, (length, 0.0, 0.0) if axis == 0 else (0.0, length, 0.0), {"force": 9.0})


@deed
def cross(g: Game, who: int, zone: int, axis: int, length: float) -> None:
    """Put somebody beside a trigger, one that is swept if there is any, and move it to the other side."""
    entity, zones = g.one(who, "Transform", "collider"), g.shadow.living("Transform", "collider", "Trigger")
    zones = [each for each in zones if g.shadow.entities[each]["Trigger"].values["swept"]] or zones
    if entity is None or not zones or not g.taken_in() or _moving(g, entity) != ADMITTED:
        return
    trigger = zones[zone % len(zones)]
    way = (length, 0.0, 0.0) if axis == 0 else (0.0, length, 0.0)
    place = g.model.bodies[trigger].position
    _teleport(g, entity, tuple(at - by for at, by in zip(place, way, strict=True)))
    _move(g, entity, (2 * way[0], 2 * way[1], 0.0), {"force": 9.0})


@deed
def push_back(g: Game, who: int, length: float) -> None:
    """Push somebody along x, and from the other side back to where it was."""
    entity = g.one(who, "Transform", "collider")
    if entity is None or not g.taken_in() or _moving(g, entity) != ADMITTED:
        return
    pushed = g.model.plan(entity, length, force=9.0).pushed
    _move(g, entity, (length, 0.0, 0.0), {"force": 9.0})
    if pushed:
        other, (by, _, _) = min(pushed.items())
        x, y, z = g.model.bodies[entity].position
        _teleport(g, entity, (2 * g.model.bodies[other].position[0] - x, y, z))
        _move(g, entity, (-by, 0.0, 0.0), {"force": 9.0})


@deed
def plan(g: Game, who: int, way: Way, how: How, then: str) -> None:
    """Plan a motion, and commit it at once, or after something that makes it stale, or never."""
    entity = g.one(who)
    if entity is None:
        return
    text = _call(f"{g.home.name}.plan", entity, way, how)
    if not g.admits(text, lambda: _moving(g, entity)):
        return
    g.run(f"plan = {text}")
    g.expect("plan", "told(plan.result)", told(entity, g.model.plan(entity, *way, **how)))
    g.look()
    if then == "commit":
        result = g.model.move(entity, *way, **how)
        g.read_back()
        g.run("result = plan.commit()")
        g.expect("result", "told(result)", told(entity, result))
        g.hit("P17", "committed")
    elif then == "stale":
        g.run(f"part({entity}, Transform).x = part({entity}, Transform).x")
        g.taken_in()
        g.refuse("plan.commit()", "StalePlan", "P17")
    else:
        g.hit("P17", "forgotten")


@deed
def hooked(g: Game, who: int, way: Way, how: How, does: str) -> None:
    """Move while the hook misbehaves: it raises, moves somebody, or writes."""
    entity = g.one(who)
    if entity is None or not g.home.settings.get("can_push") or not g.taken_in():
        return
    if _moving(g, entity) != ADMITTED:
        return
    g.asked.clear()
    g.model.plan(entity, *way, **how)
    deed = {
        "raise": "raise Oops",
        "move": f"{g.home.name}.move(pusher, 1.0)",
        "process": f"{g.home.name}.process()",
        "write": f"part({entity}, Transform).x = part({entity}, Transform).x",
    }[does]
    error = "Oops" if does == "raise" else "ReentryError"
    g.run(f"def does(pusher):\n    {deed}\nhook['does'] = does")
    text = _call(f"{g.home.name}.move", entity, way, how)
    if g.asked:
        g.refuse(text, error, "P15")
    else:
        result = g.model.move(entity, *way, **how)
        g.read_back()
        g.run(f"result = {text}")
        g.expect("result", "told(result)", told(entity, result))
    g.run("hook['does'] = None")


@deed
def request(g: Game, who: int, way: Way) -> None:
    """Ask the system for a displacement in the next frame."""
    entity = g.one(who, "Motion") if who % 4 else g.one(who)
    if entity is None:
        return
    text = _call(f"{g.home.name}.request", entity, way, {})
    if g.admits(text, lambda: _asking(g, entity)):
        g.run(text)
        _add(g, entity, way)


def _asking(g: Game, entity: int) -> Refusal:
    if entity not in g.model.bodies:
        return "UnknownEntity", "L3"
    return ("CollisionValueError", "E8") if g.model.bodies[entity].motion is None else ADMITTED


@deed
def ask_motion(g: Game, who: int, way: Way) -> None:
    """Ask a Motion for a displacement in the next frame."""
    entity = g.one(who, "Motion")
    if entity is not None:
        g.run(f"part({entity}, Motion).move{way!r}")
        _add(g, entity, way)


def _add(g: Game, entity: int, way: Way) -> None:
    values = g.shadow.entities[entity]["Motion"].values
    for name, by in zip(("dx", "dy", "dz"), way, strict=True):
        values[name] += by


@deed
def teleport(g: Game, who: int, spot: tuple[float, ...]) -> None:
    """Teleport a body."""
    entity = g.one(who)
    if entity is not None:
        _teleport(g, entity, spot)


def _teleport(g: Game, entity: int, spot: tuple[float, ...]) -> None:
    _place(g, f"{g.home.name}.teleport({entity}, {', '.join(map(repr, spot))})", [(entity, spot)])


@deed
def set_positions(g: Game, spots: tuple[tuple[int, tuple[float, ...]], ...], columns: int) -> None:
    """Teleport many bodies at once, some of them twice: the last counts."""
    living = g.shadow.living()
    if living:
        rows = [(living[who % len(living)], spot[:columns]) for who, spot in spots]
        entities, places = [entity for entity, _ in rows], [list(spot) for _, spot in rows]
        _place(g, f"{g.home.name}.set_positions({entities}, {places})", rows)


def _place(g: Game, text: str, rows: list[tuple[int, tuple[float, ...]]]) -> None:
    """Put bodies somewhere, all or none."""
    known = g.shadow.living("Transform", "collider")
    if not g.admits(text, lambda: ADMITTED if all(row[0] in known for row in rows) else ("UnknownEntity", "L3")):
        return
    values = {entity: g.shadow.entities[entity]["Transform"].values for entity, _ in rows}
    before = {entity: values[entity]["position"] for entity in values}
    for entity, spot in rows:
        values[entity]["position"] = (*spot, *before[entity][len(spot) :])
    if g.taken_in():
        g.run(text)
        g.hit("P12", "teleported")
        g.hit("B6", "a static is moved", when=any(g.model.bodies[entity].static for entity in values))
        return
    g.home.stray = False
    for entity in values:
        values[entity]["position"] = before[entity]
    g.refuse(text, "InvalidChanges", "P12")
