"""Operations on whole worlds: switching, systems that end or are one too many, snapshots."""

from __future__ import annotations

import copy

from .game import Game, deed
from .shadow import Parts

Bodies = dict[int, Parts]


@deed
def switch(g: Game) -> None:
    """Go to the other world; a handler goes only where somebody has been."""
    name = "right" if g.home.name == "left" else "left"
    if name in g.homes or not g.apart_by:
        g.hit("E4", "another world")
        g.go(name)


@deed
def wrong_world(g: Game, call: int) -> None:
    """Use the system of the other world."""
    others = [name for name in g.homes if name != g.home.name]
    if others:
        name = others[0]
        calls = (
            f"{name}.process()", f"{name}.move(1, 1.0)", f"{name}.plan(1, 1.0)", f"{name}.request(1, 1.0)",
            f"{name}.teleport(1, 0.0, 0.0)", f"{name}.inside(1)", f"{name}.space.pairs()", f"{name}.snapshot()",
            f"{name}.check()", f"esper.add_processor({name})", f"{name}.set_positions([], [])",
        )  # fmt: skip
        g.refuse(calls[call % len(calls)], "WorldError", "E4")


@deed
def second_system(g: Game, used: bool) -> None:
    """Try to have two systems in one world."""
    text = "CollisionSystem().move(1, 1.0)" if used else "esper.add_processor(CollisionSystem())"
    g.refuse(text, "WorldError", "E4")


@deed
def close(g: Game, how: str) -> None:
    """Let the system end, and go on with another or with itself as if new."""
    home, name = g.home, g.home.name
    if g.apart_by:
        return
    g.hit("E4", how)
    g.renewed()
    home.waiting, home.saved = [], {}
    if how == "again":
        g.run(f"{name}.close()\nesper.add_processor({name})")
        return
    g.run(f"{name}.close()" if how == "closed" else "esper.remove_processor(CollisionSystem)")
    g.a_system(name)


@deed
def snapshot(g: Game, slot: int) -> None:
    """Take a snapshot."""
    if g.apart_by:
        return
    name = g.home.name
    text = f"saved[{name!r}, {slot}], hashes[{name!r}, {slot}] = {name}.snapshot(), {name}.state_hash()"
    if g.admits(text):
        g.run(text)
        g.hit("N1", "taken")
        g.home.saved[slot] = (g.model.snapshot(), copy.deepcopy(_bodies(g)), list(g.home.waiting))


def _bodies(g: Game) -> Bodies:
    return {entity: g.shadow.entities[entity] for entity in g.model.bodies}


def _kinds(bodies: Bodies) -> dict[int, set[str]]:
    return {entity: set(parts) for entity, parts in bodies.items()}


@deed
def restore(g: Game, slot: int, damage: int, looking: bool = True) -> None:
    """Go back to a snapshot, if the bodies are the same; a damaged one changes nothing.

    looking: whether bytes and hash are compared at once; whatever was kept must be there without that too.
    """
    home, text = g.home, f"{g.home.name}.restore(saved[{g.home.name!r}, {slot}])"
    if slot not in home.saved or g.apart_by or not g.taken_in():
        return
    model, bodies, waiting = home.saved[slot]
    if damage:
        data = f"data = bytearray(saved[{home.name!r}, {slot}])\ndata[{damage} % len(data)] ^= 1"
        g.run(data)
        g.refuse(f"{home.name}.restore(bytes(data))", "SnapshotError", "N1")
        return
    if _kinds(_bodies(g)) != _kinds(bodies):
        g.hit("N1", "other bodies")
        g.refuse(text, "SnapshotError", "N1")
        return
    g.run(text)
    g.hit("N1", "restored")
    for entity, parts in copy.deepcopy(bodies).items():
        for kind, then in parts.items():
            home.shadow.entities[entity][kind].values = then.values
    g.model.restore(model, home.shadow.bodies())
    home.waiting = list(waiting)
    if looking:
        g.run(f"assert {home.name}.snapshot() == saved[{home.name!r}, {slot}]")
        g.run(f"assert {home.name}.state_hash() == hashes[{home.name!r}, {slot}]")
        g.hit("N2", "equal when restored")
