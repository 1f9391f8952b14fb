"""Operations on entities and components; their arguments are plain data."""

from __future__ import annotations

from typing import Any

from .entity_model import COLLIDERS, Part, collider_of, source_of, value_source
from .game import MAX_ALIVE, Game, operation
from .scene_generator import Spec

FAR = 2.0**37
"""A coordinate outside every range."""


@operation
def create(g: Game, specs: tuple[Spec, ...]) -> None:
    """Create an entity with any components."""
    if len(g.entity_model.living()) < MAX_ALIVE:
        entity = g.entity_model.create([Part.made(spec) for spec in specs])
        g.run(f"assert esper.create_entity({', '.join(map(source_of, specs))}) == {entity}")


@operation
def delete(g: Game, who: int, how: str, followers: str = "freed") -> None:
    """Delete an entity: "now", "later", "twice" or again after it is "gone", which esper refuses.

    followers: what happens to entities fused to it: "freed", "deleted" too, or "left" as they are.
    """
    entity = g.one(who)
    if entity is None:
        return
    for other in g.entity_model.followers(entity) if followers != "left" else []:
        if followers == "freed" or other == entity:
            _drop(g, other, "Fused")
        elif other in g.entity_model.living():
            delete(g, g.entity_model.living().index(other), how, followers)
    if entity not in g.entity_model.living():
        return  # it was in a cycle
    if how in ("later", "twice"):
        g.run("; ".join([f"esper.delete_entity({entity})"] * (1 if how == "later" else 2)))
        g.entity_model.marked.add(entity)
    else:
        g.run(f"esper.delete_entity({entity}, immediate=True)")
        del g.entity_model.entities[entity]
        if how == "gone":
            g.refuse(f"esper.delete_entity({entity}, immediate=True)", "KeyError")


@operation
def clear(g: Game, how: str) -> None:
    """Clear the database and create entities again: with the same instances, with copies, some of them, or none."""
    if any(True for _ in g.entity_model.faults(g.world.front_first)):
        return
    living = [] if how == "none" else sorted(g.entity_model.living())[:: 2 if how == "some" else 1]
    parts = [g.entity_model.entities[entity] for entity in living]
    g.run(f"kept['all'] = [esper.components_for_entity(entity) for entity in {living}]\nesper.clear_database()")
    g.entity_model.clear()
    each = "each.copy() for each in parts" if how == "copies" else "parts"
    g.run(f"for parts in kept['all']:\n    esper.create_entity(*{f'[{each}]' if how == 'copies' else each})")
    for old in parts:
        g.entity_model.create([g.copied(part) if how == "copies" else part for part in old.values()])


@operation
def add(g: Game, who: int, spec: Spec, rival: bool) -> None:
    """Add or replace a component; a collider replaces one of another kind, or with `rival` is added to it."""
    entity, kind = g.one(who), spec[0]
    if entity is None:
        return
    if kind in COLLIDERS and not rival:
        for other in COLLIDERS:
            _drop(g, entity, other) if other != kind else None
    g.run(f"esper.add_component({entity}, {source_of(spec)})")
    g.entity_model.entities[entity][kind] = Part.made(spec)


def _drop(g: Game, entity: int, kind: str) -> None:
    if kind in g.entity_model.entities[entity]:
        del g.entity_model.entities[entity][kind]
        g.run(f"esper.remove_component({entity}, {kind})")


@operation
def remove(g: Game, who: int, kind: str) -> None:
    """Remove a component."""
    entity = g.one(who, kind)
    if entity is not None:
        _drop(g, entity, _kind(g, entity, kind))


def _kind(g: Game, entity: int, kind: str) -> str:
    """Return the class of a component; for "collider", that of the entity's collider."""
    collider = collider_of(g.entity_model.entities[entity])
    return collider.kind if kind == "collider" and collider is not None else kind


@operation
def fuse(g: Game, who: int, other: int, written: bool, wild: bool = False) -> None:
    """Fuse a body to another with a new Fused or by writing the old one; wild: even if it is invalid."""
    one, to = g.one(who, "Transform", "collider"), g.one(other, "Transform", "collider")
    if one is None or to is None:
        return
    fixed = any("Static" in g.entity_model.entities[entity] for entity in (one, to))
    if not wild and (fixed or one in g.entity_model.fused_line(to)):
        return
    before = g.entity_model.entities[one].get("Fused")
    if written and before is not None:
        g.run(f"part({one}, Fused).to = {to}")
        before.values["to"] = to
    else:
        add(g, g.entity_model.living().index(one), ("Fused", {"to": to}), False)


@operation
def fuse_again(g: Game, who: int, other: int, written: bool, wild: bool) -> None:
    """Fuse a body that is already fused to another body."""
    one = g.one(who, "Transform", "collider", "Fused")
    if one is not None:
        fuse(g, g.entity_model.living("Transform", "collider").index(one), other, written, wild)


@operation
def toggle(g: Game, who: int, what: str, between: tuple[Any, ...]) -> None:
    """Remove something, run another operation, and put it back: only the final state counts."""
    entity = g.one(who, what if what in ("Fused", "Trigger", "Contact") else "collider")
    if entity is None:
        return
    if what == "enabled":
        kind = _kind(g, entity, "collider")
        was = g.entity_model.entities[entity][kind].values["enabled"]
        write(g, g.entity_model.living("collider").index(entity), "collider", "enabled", not was)
        g.perform(between)
        if entity in g.entity_model.living(kind):
            write(g, g.entity_model.living("collider").index(entity), "collider", "enabled", was)
        return
    part = g.entity_model.entities[entity].pop(what)
    g.run(f"kept['toggle'] = esper.remove_component({entity}, {what})")
    g.perform(between)
    if entity in g.entity_model.living() and what not in g.entity_model.entities[entity]:
        g.run(f"esper.add_component({entity}, kept['toggle'])")
        g.entity_model.entities[entity][what] = part


@operation
def copy(g: Game, who: int, kind: str) -> None:
    """Replace a component by its copy."""
    entity = g.one(who, kind)
    if entity is not None:
        kind = _kind(g, entity, kind)
        g.run(f"esper.add_component({entity}, part({entity}, {kind}).copy())")
        g.entity_model.entities[entity][kind] = g.copied(g.entity_model.entities[entity][kind])


@operation
def swap(g: Game, who: int, other: int, kind: str) -> None:
    """Exchange a component of two entities."""
    one, two = g.one(who, kind), g.one(other, kind)
    if one is None or two is None or one == two:
        return
    kinds = _kind(g, one, kind), _kind(g, two, kind)
    mine, yours = (g.entity_model.entities[entity].pop(each) for entity, each in zip((one, two), kinds, strict=True))
    g.run(
        f"mine, yours = esper.remove_component({one}, {kinds[0]}), esper.remove_component({two}, {kinds[1]})\n"
        f"esper.add_component({one}, yours)\nesper.add_component({two}, mine)"
    )
    g.entity_model.entities[one][kinds[1]], g.entity_model.entities[two][kinds[0]] = yours, mine


@operation
def share(g: Game, who: int, other: int, kind: str) -> None:
    """Give one instance to a second entity."""
    one, two = g.one(who, kind), g.one(other)
    if one is not None and two is not None and one != two:
        kind = _kind(g, one, kind)
        g.run(f"esper.add_component({two}, part({one}, {kind}))")
        g.entity_model.entities[two][kind] = g.entity_model.entities[one][kind]


@operation
def keep(g: Game, who: int, kind: str, slot: int) -> None:
    """Remove a component and keep it."""
    entity = g.one(who, kind)
    if entity is not None:
        kind = _kind(g, entity, kind)
        g.run(f"kept[{slot}] = esper.remove_component({entity}, {kind})")
        g.world.kept[slot] = g.entity_model.entities[entity].pop(kind)


@operation
def give(g: Game, who: int, slot: int) -> None:
    """Give a kept component to an entity; giving it twice is invalid."""
    entity, part = g.one(who), g.world.kept.get(slot)
    if entity is not None and part is not None:
        g.run(f"esper.add_component({entity}, kept[{slot}])")
        g.entity_model.entities[entity][part.kind] = part


@operation
def write(g: Game, who: int, kind: str, name: str, value: Any) -> None:
    """Write a field of a component."""
    entity = g.one(who, kind)
    if entity is None:
        return
    kind = _kind(g, entity, kind)
    values = g.entity_model.entities[entity][kind].values
    if (kind, name) != ("Inertia", "value") and name not in (*values, "x", "y", "z"):
        return  # a field of the other kind of collider
    g.run(f"part({entity}, {kind}).{name} = {value_source(kind, name, value)}")
    if kind == "Transform" and name != "rotation":
        place = list(values["position"])
        place[: 3 if name == "position" else 0] = [*value, *place[len(value) :]] if name == "position" else []
        if name != "position":
            place["xyz".index(name)] = value
        values["position"] = tuple(place)
    elif name == "value":
        values |= {"x": value, "y": value, "z": value}
    else:
        values[name] = value


@operation
def leave_range(g: Game, who: int, axis: int, value: float) -> None:
    """Write a position out of range, which is refused when changes are applied."""
    write(g, who, "Transform", "xyz"[axis], value)


@operation
def repair(g: Game) -> None:
    """Correct everything for which changes would be refused."""
    while (fault := next(g.entity_model.faults(g.world.front_first), None)) is not None:
        _repair(g, *fault)
    if g.world.stray:
        g.world.stray = False
        reach = 2.0**20 * g.world.settings.get("bin_size", 1.0) - 12.0
        for entity in g.entity_model.living("Transform"):
            place = g.entity_model.entities[entity]["Transform"].values["position"]
            if max(map(abs, place)) > reach:
                g.run(f"part({entity}, Transform).position = (0.0, 0.0, 0.0)")
                g.entity_model.entities[entity]["Transform"].values["position"] = (0.0, 0.0, 0.0)


def _repair(g: Game, entity: int, fault: str) -> None:
    parts = g.entity_model.entities[entity]
    if fault == "two_colliders":
        kept = collider_of(parts)
        for kind in COLLIDERS:
            _drop(g, entity, kind) if kept is not None and kind != kept.kind else None
    elif fault == "no_collider":
        for kind in ("Motion", "Trigger", "Fused", "Contact"):
            _drop(g, entity, kind)
    elif fault == "no_transform":
        g.run(f"esper.add_component({entity}, Transform(0.0, 0.0))")
        parts["Transform"] = Part.made(("Transform", {}))
    elif fault in ("static_moves", "static_fused"):
        _drop(g, entity, "Static")
    elif fault in ("fused_to_itself", "fused_to_none", "fused_to_static", "fused_in_cycle"):
        _drop(g, entity, "Fused")
    elif fault == "contact_beside_trigger":
        _drop(g, entity, "Contact")
    elif fault == "all_or_nothing":
        g.run(f"part({entity}, Motion).all_or_nothing = None")
        parts["Motion"].values["all_or_nothing"] = None
    elif fault.startswith("shared "):
        kind = fault.split()[1]
        g.run(f"esper.add_component({entity}, part({entity}, {kind}).copy())")
        parts[kind] = g.copied(parts[kind])
