"""Operations that query the index and triggers, or verify the system; expected answers test every box (B7, L4)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.model.model import Model, faces, shape_of_box, to_world, units
from tests.model.shapes import Shape, shapes_overlap

from .entity_model import collider_of
from .game import Game, operation

Answer = tuple[Any, str]
"""The answer, and the error raised instead ("" for none)."""


def asked(g: Game, kind: str, who: int, box: Any, how: dict[str, Any]) -> tuple[str, Callable[[], Answer]]:
    """Return the Python code of a query, and a function that returns the expected answer after changes are applied."""
    name, entity = g.world.name, g.one(who)
    if kind == "pairs":
        return f"{name}.space.pairs()", lambda: (g.model.pairs(), "")
    if kind == "inside":
        entity = g.one(who, "Trigger") if who % 3 else entity
        return (f"{name}.inside({entity})" if entity is not None else "", lambda: _inside(g, entity))
    if kind == "touching" and entity is not None:
        return f"{name}.touching({entity})", lambda: _touching(g, entity)
    if kind == "touching below" and entity is not None:
        return f"{name}.touching({entity}, side='down')", lambda: _touching(g, entity, below=True)
    if kind == "contacts":
        entity = g.one(who, "Contact") if who % 3 else entity
        return (f"{name}.contacts({entity})" if entity is not None else "", lambda: _contacts(g, entity))
    options = "".join(f", {option}={value!r}" for option, value in how.items())
    if kind == "at":
        spot = box[0]
        point = shape_of_box(tuple((units(value), units(value)) for value in (*spot, 0.0)[:3]))
        return f"{name}.space.at({', '.join(map(repr, spot))}{options})", lambda: (over(g.model, [point], how), "")
    if kind == "overlapping":
        return f"{name}.space.overlapping({box!r}{options})", lambda: (
            over(g.model, [shape_of_box(_inward(box))], how),
            "",
        )
    if kind == "overlapping a body" and entity is not None:
        return f"{name}.space.overlapping({entity}{options})", lambda: _around(g, entity, how)
    if kind == "casting a body" and entity is not None and not _is_shaped(g, entity):
        return f"{name}.space.cast({entity}, {box[0]!r}{options})", lambda: _on_the_way(g, entity, box[0], how)
    return "", lambda: ([], "")


def _on_the_way(g: Game, entity: int, way: Any, how: dict[str, Any]) -> Answer:
    """Return the nearest hit of the body's boxes, cast as plain boxes, with its group ignored."""
    if entity not in g.model.bodies:
        return None, "UnknownEntity"
    group = [other for other, root in g.model.roots.items() if root == g.model.roots[entity]]
    arguments = how | {"ignore": (*how.get("ignore", ()), *group)}
    options = "".join(f", {option}={value!r}" for option, value in arguments.items())
    boxes = [tuple(to_world(face) for face in zip(*box, strict=True)) for box in g.model.bodies[entity].placed_boxes()]
    met = [g.runner.evaluate(f"{g.world.name}.space.cast({box!r}, {way!r}{options})") for box in boxes]
    return min(filter(None, met), key=_order_of_hit, default=None), ""


def _is_shaped(g: Game, entity: int) -> bool:
    """Return whether a body has a part that is no box."""
    collider = collider_of(g.entity_model.entities[entity])
    return collider is not None and (
        collider.kind not in ("BoxCollider", "CompoundCollider")
        or any(isinstance(part[0], str) for part in collider.values.get("parts", ()))
    )


def _order_of_hit(hit: Any) -> tuple[float, int, list[float]]:
    """Return the key by which the first hit comes first: inside before x before y before z."""
    return hit.fraction, hit.entity, [abs(part) for part in reversed(hit.normal)]


def _inside(g: Game, entity: int | None) -> Answer:
    body = g.model.bodies.get(entity) if entity is not None else None
    if body is None or entity is None:
        return [], "UnknownEntity"
    return ([], "CollisionValueError") if body.trigger is None else (g.model.inside(entity), "")


def _contacts(g: Game, entity: int | None) -> Answer:
    body = g.model.bodies.get(entity) if entity is not None else None
    if body is None or entity is None:
        return [], "UnknownEntity"
    return ([], "CollisionValueError") if body.contact is None else (g.model.contacts_of(entity), "")


def _touching(g: Game, entity: int, below: bool = False) -> Answer:
    if entity not in g.model.bodies:
        return [], "UnknownEntity"
    return (g.model.touching_on(entity, (1, 1)) if below else g.model.touching(entity)), ""


def _around(g: Game, entity: int, how: dict[str, Any]) -> Answer:
    body = g.model.bodies.get(entity)
    if body is None:
        return [], "UnknownEntity"
    return [
        other for other in over(g.model, body.placed_parts(), how) if g.model.roots[other] != g.model.roots[entity]
    ], ""


def over(model: Model, parts: list[Shape], how: dict[str, Any]) -> list[int]:
    """Return the bodies that overlap any of these parts; how: layers, ignore, triggers."""
    layers, ignore = how.get("layers"), how.get("ignore", ())
    return sorted(
        body.id
        for body in model.bodies.values()
        if body.is_active(solid=not how.get("triggers", False))
        and (layers is None or body.layer in ((layers,) if isinstance(layers, str) else layers))
        and body.id not in ignore
        and shapes_overlap(parts, body.placed_parts())
    )


def _inward(box: Any) -> Any:
    lo, hi = box
    if len(lo) == 2:
        lo, hi = (*lo, -0.5), (*hi, 0.5)
    return tuple(
        faces((Fraction(high) - Fraction(low)) / 2, (Fraction(high) + Fraction(low)) / 2)
        for low, high in zip(lo, hi, strict=True)
    )


@operation
def query(g: Game, kind: str, who: int, box: Any, how: dict[str, Any]) -> None:
    """Make one query of the index or of triggers."""
    text, answer = asked(g, kind, who, box, how)
    if text and g.admits(text, lambda: answer()[1]):
        g.expect(kind, text, answer()[0])


@operation
def compare_all(g: Game) -> None:
    """Compare pairs and the content of all triggers."""
    if g.apply_changes():
        g.compare_all()


@operation
def check(g: Game, rebuild: bool) -> None:
    """Call `check()`, and compare the index with a rebuilt one."""
    name = g.world.name
    if g.admits(f"{name}.check()"):
        g.run(f"{name}.check()")
        if rebuild:
            g.run(f"assert index_of({name}) == index_of(rebuilt({g.world.settings.get('bin_size', 1.0)}, "
                  f"{sorted(g.model.bodies)}))")  # fmt: skip
