"""Operations on whole worlds: switching, closing systems, second systems, snapshots."""

from __future__ import annotations

import copy

from .entity_model import Parts
from .game import Game, operation

Bodies = dict[int, Parts]


@operation
def switch(g: Game) -> None:
    """Switch to the other world; a handler does so only if it exists."""
    name = "right" if g.world.name == "left" else "left"
    if name in g.worlds or not g.nesting:
        g.go(name)


@operation
def close(g: Game, how: str) -> None:
    """Close the system, then add another one or the same one again."""
    world, name = g.world, g.world.name
    if g.nesting:
        return
    g.reset_model()
    world.undelivered, world.saved = [], {}
    if how == "again":
        g.run(f"{name}.close()\nesper.add_processor({name})")
        return
    g.run(f"{name}.close()" if how == "closed" else "esper.remove_processor(CollisionSystem)")
    g.a_system(name)


@operation
def snapshot(g: Game, slot: int) -> None:
    """Take a snapshot."""
    if g.nesting:
        return
    name = g.world.name
    text = f"saved[{name!r}, {slot}], hashes[{name!r}, {slot}] = {name}.snapshot(), {name}.state_hash()"
    if g.admits(text):
        g.run(text)
        g.world.saved[slot] = (g.model.snapshot(), copy.deepcopy(_bodies(g)), list(g.world.undelivered))


def _bodies(g: Game) -> Bodies:
    return {entity: g.entity_model.entities[entity] for entity in g.model.bodies}


def _kinds(bodies: Bodies) -> dict[int, set[str]]:
    return {entity: set(parts) for entity, parts in bodies.items()}


@operation
def restore(g: Game, slot: int, damage: int, compared: bool = True) -> None:
    """Restore a snapshot if the bodies are the same; a damaged snapshot changes nothing.

    compared: whether bytes and hash are compared at once; without it, caches must be correct on their own.
    """
    world, text = g.world, f"{g.world.name}.restore(saved[{g.world.name!r}, {slot}])"
    if slot not in world.saved or g.nesting or not g.apply_changes():
        return
    model, bodies, undelivered = world.saved[slot]
    if damage:
        data = f"data = bytearray(saved[{world.name!r}, {slot}])\ndata[{damage} % len(data)] ^= 1"
        g.run(data)
        g.refuse(f"{world.name}.restore(bytes(data))", "SnapshotError")
        return
    if _kinds(_bodies(g)) != _kinds(bodies):
        g.refuse(text, "SnapshotError")
        return
    g.run(text)
    for entity, parts in copy.deepcopy(bodies).items():
        for kind, then in parts.items():
            world.entity_model.entities[entity][kind].values = then.values
    g.model.restore(model, world.entity_model.bodies())
    world.undelivered = list(undelivered)
    if compared and (model.overlaps is None) == (g.model.overlaps is None):
        g.run(f"assert {world.name}.snapshot() == saved[{world.name!r}, {slot}]")
        g.run(f"assert {world.name}.state_hash() == hashes[{world.name!r}, {slot}]")
