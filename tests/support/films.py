"""Films written by hand for tests of the replay page, in the format of version 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

UNIT = 65536
Film = dict[str, Any]

CRATES, HERO, WALL, PLATE = (0, 1), 2, 3, 4


def lattice(*values: float) -> list[int]:
    """Return lengths in lattice units."""
    return [round(value * UNIT) for value in values]


def box(halves: Sequence[float] = (0.5, 0.5, 0.5), radius: float = 0.0, turns: int = 0) -> list[Any]:
    """Return a part around the position of its body."""
    return [0, 0, 0, *lattice(*halves), round(radius * UNIT), turns]


def body(id: int, kind: str, at: Sequence[float], name: str = "", parts: list[Any] | None = None, **more: Any) -> Film:
    """Return a body that is there from the start."""
    x, y, z = (*at, 0.0)[:3]
    base = {"rotation": None, "group": -1, "asleep": 0, "shown": 1, "components": [f"Transform({x}, {y}, {z})"]}
    return {"id": id, "name": name, "kind": kind, "at": lattice(x, y, z), "parts": parts or [box()]} | base | more


def step(label: str, act: str = "move", frame: int = 0, **changes: Any) -> Film:
    """Return a step with its changes."""
    return {"label": label, "act": act, "frame": frame, **changes}


def film(title: str, bodies: list[Film], steps: list[Film], **more: Any) -> Film:
    """Return a flat film with bins of one unit."""
    start = step("start", "start")
    return {
        "version": 1, "title": title, "remarks": [], "flat": True, "bin": UNIT, "bodies": bodies,
        "steps": [start, *steps], **more,
    }  # fmt: skip


def moved(*rows: tuple[int, float, float]) -> dict[str, list[int]]:
    """Return the differences of positions: body, x, y."""
    return {
        "i": [row[0] for row in rows], "x": lattice(*[row[1] for row in rows]), "y": lattice(*[row[2] for row in rows])
    }  # fmt: skip


def push_film() -> Film:
    """Return a film in which a hero pushes two crates, over a plate and then against a wall, and the others look on."""
    bodies = [
        body(3, "pushable", (2, 0), "crate", components=["Transform(2, 0)", "BoxCollider(0.5, 0.5)", "Inertia(1)"]),
        body(4, "pushable", (3.25, 0), "heavy crate", components=["Transform(3.25, 0)", "Inertia(2)"]),
        body(5, "mover", (0.5, 0), "hero", components=["Transform(0.5, 0)", "BoxCollider(0.5, 0.5)", "Motion()"]),
        body(6, "static", (6, 0), "wall", [box((0.5, 2.5, 0.5))]),
        body(7, "trigger", (4, 0), "plate", [box((0.75, 0.75, 0.5))]),
        body(8, "solid", (0, 2.5), "<script>alert(1)</script>"),
        body(9, "dynamic", (2, 2.5), "ball", [box((0, 0, 0), 0.5, 1)], rotation=0.5),
        body(10, "pushable", (4, 2.5), "</script>", asleep=1),
        body(11, "dynamic", (0.5, -2.5), "capsule", [box((0.5, 0, 0), 0.25, 1)], rotation=0.6),
        body(12, "pushable", (3, -2.5), "left half", group=0),
        body(13, "pushable", (4, -2.5), "right half", group=0),
        body(14, "dynamic", (2, -4), "tilted", [box((0.5, 0.5, 0.5), 0, 1)], rotation=0.7, shown=0),
    ]
    done = {
        "body": HERO, "text": "hero moved by 1\nit pushed crate and heavy crate", "requested": [1, 0, 0],
        "moved": [1, 0, 0], "force": 4.0,
        "pushed": [[0, 0.5, 0, 0, "1"], [1, 0.25, 0, 0, "2"]], "links": [[HERO, 0, "x", 0.5], [0, 1, "x", 0.25]],
        "stops": [],
    }  # fmt: skip
    refused = {
        "body": HERO, "text": "hero moved by 1.5 of 3 and stopped at wall, which is static", "requested": [3, 0, 0],
        "moved": [1.5, 0, 0], "force": 4.0,
        "pushed": [[0, 1.5, 0, 0, "1"], [1, 1.5, 0, 0, "2"]], "links": [[HERO, 0, "x", 0.0], [0, 1, "x", 0.0]],
        "stops": [
            {"axis": "x", "reason": "immovable", "allowed": 1.5, "blockers": [WALL], "direction": [1, 0, 0]}
        ],
    }  # fmt: skip
    steps = [
        step("hero moves right", moved=moved((HERO, 1, 0), (0, 0.5, 0), (1, 0.25, 0)), results=[done], events=[
            {"name": "Pushed", "text": "hero pushed crate", "bodies": [HERO, 0]},
            {"name": "ContactBegan", "text": "hero touches crate", "bodies": [HERO, 0], "normal": [-1.0, 0.0, 0.0]},
            {"name": "TriggerEntered", "text": "heavy crate entered plate", "bodies": [1, PLATE]},
        ]),
        step("a change", "change", shown=[11], woke=[7], kinds=[[7, "solid"]],
             turned=[[6, 1.0]], components=[[HERO, ["Transform(1.5, 0)", "Motion(3)"]]]),
        step("hero moves right", moved=moved((HERO, 1.5, 0), (0, 1.5, 0), (1, 1.5, 0)), results=[refused],
             notes=["the outcome differs from the recorded one: crate moved by 1"], events=[
            {"name": "Blocked", "text": "hero was stopped by wall", "bodies": [HERO, WALL], "normal": [-1.0, 0.0, 0.0]},
            {"name": "TriggerExited", "text": "heavy crate left plate", "bodies": [1, PLATE]},
        ]),
        step("the ball is gone", "change", hidden=[6], slept=[7]),
    ]  # fmt: skip
    return film("Two crates <and> a wall", bodies, steps, remarks=["A film for tests.", "Written by hand."])


def long_film(frames: int = 300) -> Film:
    """Return a film of frames in which 40 bodies move to and fro, each with an event now and then."""
    bodies = [body(100 + i, "mover" if i % 2 else "pushable", (2 * (i % 8), 2 * (i // 8))) for i in range(40)]
    steps = []
    for frame in range(1, frames + 1):
        way = 1 / 64 if frame // 50 % 2 == 0 else -1 / 64
        events = [{"name": "Moved", "text": "", "bodies": [frame % 40]}] if frame % 10 == 0 else []
        steps.append(
            step(f"frame {frame}", "frame", frame, moved=moved(*[(i, way, 0) for i in range(40)]), events=events)
        )
    return film("Forty bodies", bodies, steps)


def space_film() -> Film:
    """Return a film in space: a stack of boxes, balls and a capsule, one of which falls."""
    bodies = [body(1, "static", (0, 1, 0), "floor", [box((5, 0.5, 5))])]
    bodies += [
        body(2 + i, "pushable", (x, 0, z), f"box {i}") for i, (x, z) in enumerate([(-1, 0), (0, 0), (1, 0), (0, 2)])
    ]
    bodies.append(body(10, "dynamic", (0, -3, 0), "ball", [box((0, 0, 0), 0.5, 1)]))
    bodies.append(
        body(11, "dynamic", (3, -0.25, -1), "capsule", [box((0, 0, 0.75), 0.25, 1)], rotation=[0.0, 0.3, 0.0, 0.954])
    )
    bodies.append(
        body(
            12, "dynamic", (-3, -0.5, 1), "round box", [box((0.5, 0.25, 0.5), 0.25, 1)], rotation=[0.0, 0.5, 0.0, 0.866]
        )
    )
    bodies.append(body(13, "trigger", (2.5, 0, 2.5), "zone", [box((1, 1, 1))]))
    ball = 5
    fall = [step(f"frame {i}", "frame", i, moved={"i": [ball], "y": [UNIT // 8]}) for i in range(1, 21)]
    return film("A ball falls", bodies, fall, flat=False)
