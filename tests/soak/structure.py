"""What a game does to entities and components; every function is an operation, its arguments plain data."""

from __future__ import annotations

from typing import Any

from .dice import Spec
from .game import MAX_ALIVE, Game, deed
from .shadow import COLLIDERS, Part, collider_of, source_of, value_source

FAR = 2.0**37
"""Outside of every range."""


@deed
def create(g: Game, specs: tuple[Spec, ...]) -> None:
    """Create an entity of any components."""
    if len(g.shadow.living()) < MAX_ALIVE:
        entity = g.shadow.create([Part.made(spec) for spec in specs])
        g.run(f"assert esper.create_entity({', '.join(map(source_of, specs))}) == {entity}")


@deed
def delete(g: Game, who: int, how: str, followers: str = "freed") -> None:
    """Delete at once, deferred, twice, or both; esper itself refuses to delete what is gone.

    followers: what becomes of those that are fused to it: "freed", "deleted" too, or "left" as they are.
    """
    entity = g.one(who)
    if entity is None:
        return
    for other in g.shadow.followers(entity) if followers != "left" else []:
        if followers == "freed" or other == entity:
            _drop(g, other, "Fused")
        elif other in g.shadow.living():
            delete(g, g.shadow.living().index(other), how, followers)
    if entity not in g.shadow.living():
        return  # it was in a ring
    g.hit("E3", f"deleted {how}")
    if how in ("later", "twice"):
        g.run("; ".join([f"esper.delete_entity({entity})"] * (1 if how == "later" else 2)))
        g.shadow.marked.add(entity)
    else:
        g.run(f"esper.delete_entity({entity}, immediate=True)")
        del g.shadow.entities[entity]
        if how == "gone":
            g.refuse(f"esper.delete_entity({entity}, immediate=True)", "KeyError", "E3")


@deed
def clear(g: Game, how: str) -> None:
    """Clear the database, and make everybody again: of the same instances, of copies, some of them, or nobody."""
    if any(True for _ in g.shadow.faults(g.home.front_first)):
        return
    living = [] if how == "nobody" else sorted(g.shadow.living())[:: 2 if how == "some" else 1]
    parts = [g.shadow.entities[entity] for entity in living]
    g.hit("E3", f"cleared then {how}")
    g.run(f"kept['all'] = [esper.components_for_entity(entity) for entity in {living}]\nesper.clear_database()")
    g.shadow.clear()
    each = "each.copy() for each in parts" if how == "copies" else "parts"
    g.run(f"for parts in kept['all']:\n    esper.create_entity(*{f'[{each}]' if how == 'copies' else each})")
    for old in parts:
        g.shadow.create([g.copied(part) if how == "copies" else part for part in old.values()])


@deed
def add(g: Game, who: int, spec: Spec, rival: bool) -> None:
    """Add or replace a component; a collider takes the place of the other kind, or stands beside it as a rival."""
    entity, kind = g.one(who), spec[0]
    if entity is None:
        return
    if kind in COLLIDERS and not rival:
        _drop(g, entity, next(other for other in COLLIDERS if other != kind))
    g.hit("E2", "replaced" if kind in g.shadow.entities[entity] else "added")
    g.hit("B6", "a body becomes static", when=kind == "Static")
    g.run(f"esper.add_component({entity}, {source_of(spec)})")
    g.shadow.entities[entity][kind] = Part.made(spec)


def _drop(g: Game, entity: int, kind: str) -> None:
    if kind in g.shadow.entities[entity]:
        del g.shadow.entities[entity][kind]
        g.run(f"esper.remove_component({entity}, {'type' if kind == 'class' else kind})")


@deed
def remove(g: Game, who: int, kind: str) -> None:
    """Remove a component."""
    entity = g.one(who, kind)
    if entity is not None:
        g.hit("E2", "removed")
        g.hit("B6", "a static is one no more", when=kind == "Static")
        _drop(g, entity, _kind(g, entity, kind))


def _kind(g: Game, entity: int, kind: str) -> str:
    """Return the class of a component, of the collider where that is asked for."""
    collider = collider_of(g.shadow.entities[entity])
    return collider.kind if kind == "collider" and collider is not None else kind


@deed
def fuse(g: Game, who: int, other: int, written: bool, wild: bool = False) -> None:
    """Fuse a body to another, by a new component or by writing that of before; wild: also where that cannot be."""
    one, to = g.one(who, "Transform", "collider"), g.one(other, "Transform", "collider")
    if one is None or to is None:
        return
    fixed = any("Static" in g.shadow.entities[entity] for entity in (one, to))
    if not wild and (fixed or one in g.shadow.line(to)):
        return
    before = g.shadow.entities[one].get("Fused")
    if written and before is not None:
        g.hit("E7", "Fused.to")
        g.run(f"part({one}, Fused).to = {to}")
        before.values["to"] = to
    else:
        add(g, g.shadow.living().index(one), ("Fused", {"to": to}), False)


@deed
def refuse(g: Game, who: int, other: int, written: bool, wild: bool) -> None:
    """Fuse somebody who is fused already to somebody else."""
    one = g.one(who, "Transform", "collider", "Fused")
    if one is not None:
        fuse(g, g.shadow.living("Transform", "collider").index(one), other, written, wild)


@deed
def blink(g: Game, who: int, what: str, between: tuple[Any, ...]) -> None:
    """Take something off and put it back, and do something else between: only where things stand in the end counts."""
    entity = g.one(who, what if what in ("Fused", "Trigger") else "collider")
    if entity is None:
        return
    if what == "enabled":
        kind = _kind(g, entity, "collider")
        was = g.shadow.entities[entity][kind].values["enabled"]
        write(g, g.shadow.living("collider").index(entity), "collider", "enabled", not was)
        g.perform(between)
        if entity in g.shadow.living(kind):
            write(g, g.shadow.living("collider").index(entity), "collider", "enabled", was)
        return
    part = g.shadow.entities[entity].pop(what)
    g.run(f"kept['blink'] = esper.remove_component({entity}, {what})")
    g.perform(between)
    if entity in g.shadow.living() and what not in g.shadow.entities[entity]:
        g.run(f"esper.add_component({entity}, kept['blink'])")
        g.shadow.entities[entity][what] = part


@deed
def copy(g: Game, who: int, kind: str) -> None:
    """Replace a component by its copy."""
    entity = g.one(who, kind)
    if entity is not None:
        kind = _kind(g, entity, kind)
        g.hit("E2", "replaced by a copy")
        g.run(f"esper.add_component({entity}, part({entity}, {kind}).copy())")
        g.shadow.entities[entity][kind] = g.copied(g.shadow.entities[entity][kind])


@deed
def swap(g: Game, who: int, other: int, kind: str) -> None:
    """Let two entities change a component."""
    one, two = g.one(who, kind), g.one(other, kind)
    if one is None or two is None or one == two:
        return
    kinds = _kind(g, one, kind), _kind(g, two, kind)
    g.hit("E6", "swapped")
    mine, yours = (g.shadow.entities[entity].pop(each) for entity, each in zip((one, two), kinds, strict=True))
    g.run(
        f"mine, yours = esper.remove_component({one}, {kinds[0]}), esper.remove_component({two}, {kinds[1]})\n"
        f"esper.add_component({one}, yours)\nesper.add_component({two}, mine)"
    )
    g.shadow.entities[one][kinds[1]], g.shadow.entities[two][kinds[0]] = yours, mine


@deed
def share(g: Game, who: int, other: int, kind: str) -> None:
    """Give one instance to a second entity."""
    one, two = g.one(who, kind), g.one(other)
    if one is not None and two is not None and one != two:
        kind = _kind(g, one, kind)
        g.run(f"esper.add_component({two}, part({one}, {kind}))")
        g.shadow.entities[two][kind] = g.shadow.entities[one][kind]


@deed
def keep(g: Game, who: int, kind: str, slot: int) -> None:
    """Take a component out and keep it."""
    entity = g.one(who, kind)
    if entity is not None:
        kind = _kind(g, entity, kind)
        g.run(f"kept[{slot}] = esper.remove_component({entity}, {kind})")
        g.home.kept[slot] = g.shadow.entities[entity].pop(kind)


@deed
def give(g: Game, who: int, slot: int) -> None:
    """Give a component that was kept to whoever; twice is once too often."""
    entity, part = g.one(who), g.home.kept.get(slot)
    if entity is not None and part is not None:
        g.hit("E6", "given back")
        g.run(f"esper.add_component({entity}, kept[{slot}])")
        g.shadow.entities[entity][part.kind] = part


@deed
def write_kept(g: Game, slot: int, spot: tuple[float, float, float]) -> None:
    """Write to a component that is kept."""
    part = g.home.kept.get(slot)
    if part is not None and part.kind == "Transform":
        g.hit("E6", "written while it is kept")
        g.run(f"kept[{slot}].position = {spot}")
        part.values["position"] = spot


@deed
def give_class(g: Game, who: int, kind: str) -> None:
    """Give a class instead of an instance."""
    entity = g.one(who)
    if entity is not None:
        g.run(f"esper.add_component({entity}, {kind})")
        g.shadow.entities[entity]["class"] = Part(kind, {}, 0)


@deed
def write(g: Game, who: int, kind: str, name: str, value: Any) -> None:
    """Write a field of a component."""
    entity = g.one(who, kind)
    if entity is None:
        return
    kind = _kind(g, entity, kind)
    values = g.shadow.entities[entity][kind].values
    if (kind, name) != ("Inertia", "value") and name not in (*values, "x", "y", "z"):
        return  # the other kind of collider
    g.hit("E7", f"{kind}.{name}")
    g.run(f"part({entity}, {kind}).{name} = {value_source(kind, name, value)}")
    if kind == "Transform":
        place = list(values["position"])
        place[: 3 if name == "position" else 0] = [*value, *place[len(value) :]] if name == "position" else []
        if name != "position":
            place["xyz".index(name)] = value
        values["position"] = tuple(place)
    elif name == "value":
        values |= {"x": value, "y": value, "z": value}
    else:
        values[name] = value


@deed
def write_wrong(g: Game, who: int, kind: str, name: str, value: Any, error: str) -> None:
    """Write what no field takes: the old value stays (L3)."""
    entity = g.one(who, kind)
    if entity is not None:
        kind = _kind(g, entity, kind)
        before = g.real.ask(f"getattr(part({entity}, {kind}), {name!r}, None)")
        g.refuse(f"part({entity}, {kind}).{name} = {value!r}", error, "L3")
        g.expect("old value", f"getattr(part({entity}, {kind}), {name!r}, None)", before)


@deed
def stray(g: Game, who: int, axis: int, value: float) -> None:
    """Write a position out of range, which the next take-in refuses."""
    write(g, who, "Transform", "xyz"[axis], value)


@deed
def missing(g: Game) -> None:
    """Add a component to an id that never was: esper raises, and lists the id all the same."""
    g.refuse("esper.add_component(999, Transform(1, 1))", "KeyError", "E3")


@deed
def mend(g: Game) -> None:
    """Make legal again whatever a take-in would refuse."""
    while (fault := next(g.shadow.faults(g.home.front_first), None)) is not None:
        _mend(g, *fault)
    if g.home.stray:
        g.home.stray = False
        reach = 2.0**20 * g.home.settings.get("bin_size", 1.0) - 12.0
        for entity in g.shadow.living("Transform"):
            place = g.shadow.entities[entity]["Transform"].values["position"]
            if max(map(abs, place)) > reach:
                g.run(f"part({entity}, Transform).position = (0.0, 0.0, 0.0)")
                g.shadow.entities[entity]["Transform"].values["position"] = (0.0, 0.0, 0.0)


def _mend(g: Game, entity: int, fault: str) -> None:
    parts = g.shadow.entities[entity]
    if fault == "class":
        _drop(g, entity, "class")
    elif fault == "rivals":
        _drop(g, entity, "CompoundCollider")
    elif fault == "lone":
        for kind in ("Motion", "Trigger", "Fused"):
            _drop(g, entity, kind)
    elif fault == "nowhere":
        g.run(f"esper.add_component({entity}, Transform(0.0, 0.0))")
        parts["Transform"] = Part.made(("Transform", {}))
    elif fault in ("restless", "fixed"):
        _drop(g, entity, "Static")
    elif fault in ("itself", "nobody", "rigid", "ring"):
        _drop(g, entity, "Fused")
    elif fault == "whole":
        g.run(f"part({entity}, Motion).all_or_nothing = None")
        parts["Motion"].values["all_or_nothing"] = None
    elif fault.startswith("shared "):
        kind = fault.split()[1]
        g.run(f"esper.add_component({entity}, part({entity}, {kind}).copy())")
        parts[kind] = g.copied(parts[kind])
