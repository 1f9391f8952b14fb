"""Draw the pictures of docs/rules.md: `python -m tools.rule_pictures` writes docs/rules/*.svg.

Each is computed by the engine: bodies where they are, motions as they went, rays where they hit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any, NamedTuple

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    Contact,
    Inertia,
    Motion,
    MoveResult,
    OneWay,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.bodies.drawn import body_shapes
from ecs_collision.debug.chain_shapes import chain_shapes, stop_shapes
from ecs_collision.drawing import Drawn, Label, Line, Point, Polygon, bounds_of, svg_of

HOUSE = Path(__file__).parents[1]
FOLDER = HOUSE / "docs" / "rules"
RULES = HOUSE / "docs" / "rules.md"

GAP = 1.2
"""Space between two panels, in units."""
WIDTH = 760.0
"""Pixels of a line of panels at most."""
SCALE = 64.0
"""Pixels of a unit at most."""
FORCE = 5.0
"""Of the movers in the drawings of the rules, where these do not say."""


ABOVE = 0.3
"""How far above the middle of a body its force or inertia stands, in units."""

GAP_BELOW = 12.0
"""How far below the chain its gaps are written, in pixels."""


def motion_shapes(result: MoveResult, places: Mapping[int, Point]) -> list[Drawn]:
    """Return how a motion went, over the places at which it began."""

    def end_of(entity: int) -> Point:
        moved = result.moved if entity == result.entity else result.pushed.get(entity, (0.0, 0.0, 0.0))
        return places[entity][0] + moved[0], places[entity][1] + moved[1]

    def above(entity: int) -> Point:
        return places[entity][0], places[entity][1] - ABOVE

    def below(entity: int) -> Point:
        return places[entity][0], places[entity][1] + ABOVE

    shapes = [*chain_shapes(result, end_of, above), *stop_shapes(result, end_of, below)]
    labels = [each._replace(below=GAP_BELOW * (each.kind == "link")) for each in shapes if isinstance(each, Label)]
    return [each for each in shapes if not isinstance(each, Label)] + labels


class Panel(NamedTuple):
    """One part of a picture and what it says."""

    title: str
    shapes: list[Drawn]


class Scene:
    """A world of named bodies."""

    def __init__(self, **settings: Any) -> None:
        self.world = CollisionWorld(**settings)
        self.ids: dict[str, int] = {}

    def add(self, name: str, x: float, y: float, collider: Any, **components: Any) -> int:
        """Add a body, which the pictures call by its name."""
        rotation = components.pop("rotation", None)
        self.ids[name] = self.world.add(transform=Transform(x, y, rotation=rotation), collider=collider, **components)
        return self.ids[name]

    def place(self, entity: int) -> Point:
        """Return the middle of the bounds of a body."""
        row = self.world._bodies.row(entity)
        x0, y0, x1, y1 = bounds_of(body_shapes(self.world._bodies.of(row)))
        return (x0 + x1) / 2, (y0 + y1) / 2

    def shapes(self, *, names: bool = True) -> list[Drawn]:
        """Return the bodies as they are now, the triggers below all others, with their names."""
        self.world.apply_changes()
        bodies = [(name, self.world._bodies.of(self.world._bodies.row(id))) for name, id in self.ids.items()]
        bodies.sort(key=lambda body: body[1].trigger is None)
        drawn: list[Drawn] = [shape for _, parts in bodies for shape in body_shapes(parts)]
        return drawn + [Label("text", self.place(id), name) for name, id in self.ids.items() if names]

    def moved(self, name: str, dx: float, dy: float = 0.0, **options: Any) -> Iterator[Panel]:
        """Move a body; yield how it went over where it began, then where all bodies are."""
        before = self.shapes(names=False)
        places = {id: self.place(id) for id in self.ids.values()}
        result: MoveResult = self.world.move(self.ids[name], dx, dy, **options)
        yield Panel("before", [*before, *motion_shapes(result, places)])
        yield Panel("after", self.shapes())


Picture = tuple[str, Callable[[], Iterable[Panel]]]

UNIT = (0.5, 0.5)


def drawn_case(rows: list[str], options: str) -> Iterator[Panel]:
    """Play a drawing of the rules, such as `P6: x+4` with its tiles, and yield it before and after."""
    given = dict(option.split("=") for option in options.split() if "=" in option)
    inertias = {sign: float(value) for sign, value in given.items() if len(sign) == 1}
    tiles: dict[str, list[tuple[int, int]]] = {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign != ".":
                tiles.setdefault(sign if sign.isalpha() else f"{sign}{x}{y}", []).append((x, y))
    scene = Scene()
    for name, cells in tiles.items():
        x, y = cells[0]
        boxes = [Box(*UNIT, offset=(column - x, row - y)) for column, row in cells]
        sign = name[0]
        pushable = sign in inertias or sign.islower() or sign.isdigit()
        value = inertias.get(sign, float(sign) if sign.isdigit() else 1.0)
        components: dict[str, Any] = {"inertia": Inertia(value)} if pushable else {}
        if sign == "A":
            components = {"motion": Motion(force=FORCE)}
        elif not pushable:
            components = {"static": Static()}
        scene.add(name, x, y, CompoundCollider(boxes), **components)
    way = re.match(r"([xy])([+-]\d+)", options)
    assert way is not None
    by = {"x": 0.0, "y": 0.0} | {way[1]: float(way[2])}
    how: dict[str, Any] = {"force": float(given.get("force", FORCE))}
    how |= {"rule": given["rule"]} if "rule" in given else {}
    panels = list(scene.moved("A", by["x"], by["y"], **how))
    yield panels[0]
    yield Panel("after", [shape for shape in panels[1].shapes if not isinstance(shape, Label)])


def cases_of(rule: str) -> Callable[[], Iterator[Panel]]:
    """Return the panels of all drawings of a rule."""

    def panels() -> Iterator[Panel]:
        document = RULES.read_text(encoding="utf-8")
        for block in re.findall(r"^```text\n(.*?)^```$", document, flags=re.MULTILINE | re.DOTALL):
            for case in block.split("\n\n"):
                head, *lines = case.strip("\n").split("\n")
                name, _, options = head.partition(": ")
                if name.partition("-")[0] == rule and lines and re.match(r"[xy][+-]\d", options):
                    before, after = drawn_case([line.split()[0] for line in lines], options)
                    yield Panel(f"{name}: {options.partition(' stop')[0]}", before.shapes)
                    yield after

    return panels


def touching_or_overlapping() -> Iterator[Panel]:
    """L4: two boxes that touch, overlap, or share an edge only."""
    for dx, dy in ((1.0, 0.5), (0.6, 0.3), (1.0, 1.0), (1.4, 0.0)):
        scene = Scene()
        a = scene.add("A", 0, 0, BoxCollider(*UNIT))
        b = scene.add("B", dx, dy, BoxCollider(*UNIT))
        space = scene.world.space
        words = "overlap" if b in space.overlapping(a) else "touch" if b in space.touching(a) else "neither"
        yield Panel(words, scene.shapes())


def levels_of_cells() -> Iterator[Panel]:
    """B1: boxes of three sizes and the cells that they are in."""
    for side in (0.75, 1.75, 3.0):
        scene = Scene()
        half = side / 2
        scene.add(f"side {side:g}", 0.2 + half, 0.15 + half, BoxCollider(half, half), inertia=Inertia(1))
        shapes = scene.shapes()
        found = list(map(scene.world.space.cell, scene.world.space.cells))
        for _, (a, b, _), (c, d, _) in map(astuple, found):
            shapes.append(Polygon("cell 0", ((a, b), (c, b), (c, d), (a, d))))
        yield Panel(f"level {found[0].level}: {len(found)} cell{'s' * (len(found) > 1)}", shapes)


def coming_out() -> Iterator[Panel]:
    """P9: what overlaps may come out."""
    for dx, words in ((-1.0, "out"), (1.0, "deeper: block_deeper")):
        scene = Scene(overlap_policy="block_deeper")
        scene.add("A", 0, 0, BoxCollider(*UNIT), motion=Motion(force=2))
        scene.add("B", 0.6, 0, BoxCollider(*UNIT))
        before = scene.shapes(names=False)
        places = {id: scene.place(id) for id in scene.ids.values()}
        result = scene.world.move(scene.ids["A"], dx)
        yield Panel(f"{words}: moves {result.moved[0]:g}", [*before, *motion_shapes(result, places)])


def one_way() -> Iterator[Panel]:
    """M5: a platform to jump through."""
    for words, y, dy in (("from above", 0.0, 4.0), ("from below", 4.0, -4.0), ("from inside", 1.75, 2.25)):
        scene = Scene()
        scene.add("A", 0, y, BoxCollider(*UNIT), motion=Motion(force=2))
        scene.add("w", 0, 2, BoxCollider(1.5, 0.5), static=Static(), one_way=OneWay("up"))
        before = scene.shapes(names=False)
        places = {id: scene.place(id) for id in scene.ids.values()}
        result = scene.world.move(scene.ids["A"], dy=dy)
        yield Panel(f"{words}: moves {abs(result.moved[1]):g}", [*before, *motion_shapes(result, places)])


def stopped_by_bounds() -> Iterator[Panel]:
    """P18: the bounds are immovable."""
    scene = Scene(bounds=((-1, -1), (4, 1)))
    scene.add("A", 0, 0, BoxCollider(*UNIT), motion=Motion(force=2))
    scene.add("b", 2, 0, BoxCollider(*UNIT), inertia=Inertia(1))
    frame = Polygon("disabled", ((-1, -1), (4, -1), (4, 1), (-1, 1)))
    for panel in scene.moved("A", 5):
        yield Panel(panel.title, [frame, *panel.shapes])


def rays() -> Iterator[Panel]:
    """Q1: where a ray hits a box."""
    starts = {"from outside": (-1.5, 0.5), "at a face": (0.0, 0.5), "along an edge": (-1.5, 0.0), "inside": (1.0, 0.5)}
    for words, (x, y) in starts.items():
        scene = Scene()
        scene.add("A", 1, 1, BoxCollider(1, 1), static=Static())
        hit = scene.world.space.ray((x, y), (1, 0), 4)
        end = x + (4.0 if hit is None else hit.distance)
        shapes = [*scene.shapes(names=False), Line("ray", (x, y), (end, y), arrow=True)]
        if hit is not None:
            shapes.append(Polygon("blocker", ((end, y),), 0.08))
        text = "no hit" if hit is None else f"distance {hit.distance:g}"
        yield Panel(f"{words}: {text}", shapes)


def nearest_parts() -> Iterator[Panel]:
    """Q4: distances are those to the nearest part."""
    scene, point = Scene(), (0.0, 0.0)
    ell = CompoundCollider([Box(*UNIT), Box(*UNIT, offset=(0, 1)), Box(*UNIT, offset=(-1, 1))])
    scene.add("A", 3, -1, ell, static=Static())
    scene.add("B", -2, 1.5, BoxCollider(1, 0.5), static=Static())
    shapes = [*scene.shapes(names=False), Polygon("blocker", (point,), 0.08)]
    for found in scene.world.space.nearest(point, 2):
        row = scene.world._bodies.row(found.entity)
        boxes = [bounds_of([part]) for part in body_shapes(scene.world._bodies.of(row))]
        corners = [(min(max(0.0, x0), x1), min(max(0.0, y0), y1)) for x0, y0, x1, y1 in boxes]
        x, y = min(corners, key=lambda corner: math.hypot(*corner))
        shapes += [Line("ray", point, (x, y)), Label("text", (x / 2, y / 2), f"{found.distance:.2f}")]
    yield Panel("the nearest bodies of a point", shapes)


def circle_query() -> Iterator[Panel]:
    """Q5: what a circle overlaps."""
    scene = Scene()
    for number, (x, y) in enumerate(((1.2, 0.2), (-1.5, 0.0), (0.9, 1.4), (-0.5, -0.6))):
        scene.add("ABCD"[number], x, y, BoxCollider(0.5, 0.5), static=Static())
    found = scene.world.space.overlapping_circle((0, 0), 1.0)
    names = [name for name, id in scene.ids.items() if id in found]
    circle = Polygon("region awake", ((0.0, 0.0),), 1.0)
    yield Panel(f"in the circle: {', '.join(names)}", [*scene.shapes(), circle])


def bounds_of_a_ball() -> Iterator[Panel]:
    """H4: a solid ball is stopped by the corner of a wall, which is in its bounds then."""
    scene = Scene()
    scene.add("ball", 0, 0, SphereCollider(1), motion=Motion(force=2))
    scene.add("wall", 3.5, 1.4, BoxCollider(0.5, 0.6), static=Static())
    for panel in scene.moved("ball", 3):
        x, y = scene.place(scene.ids["ball"]) if panel.title == "after" else (0.0, 0.0)
        box = Polygon("disabled", ((x - 1, y - 1), (x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)))
        yield Panel(panel.title, [*panel.shapes, box])


def cores_and_radii() -> Iterator[Panel]:
    """H5: round parts overlap if their cores are closer than the sum of their radii."""
    for x in (1.0, 1.5, 1.9):
        scene = Scene()
        capsule = scene.add("capsule", 0, 0, CapsuleCollider(0.5, 0.75))
        ball = scene.add("ball", x, 0.5, SphereCollider(1))
        space = scene.world.space
        touching = "touch" if ball in space.touching(capsule) else "apart"
        words = "overlap" if ball in space.overlapping(capsule) else touching
        core = [Line("requested", (0, -0.75), (0, 0.75)), Line("ray", (0, 0.5), (x, 0.5))]
        yield Panel(words, [*scene.shapes(names=False), *core])


def a_cast_ball() -> Iterator[Panel]:
    """H8: a ball is cast against turned and round bodies."""
    scene = Scene()
    scene.add("crate", 4, 0.9, OrientedBoxCollider(0.7, 0.7), static=Static(), rotation=math.pi / 5)
    scene.add("pillar", 6, -0.6, SphereCollider(0.6), static=Static())
    way, radius = (7.0, -0.7), 0.5
    hit = scene.world.space.cast((Sphere(radius), (0, 0)), way)
    assert hit is not None
    x, y = hit.fraction * way[0], hit.fraction * way[1]
    px, py, _ = hit.point
    nx, ny, _ = hit.normal
    yield Panel(
        f"it meets the {next(name for name, id in scene.ids.items() if id == hit.entity)} after {hit.distance:.2f}",
        [
            *scene.shapes(names=False),
            Polygon("region awake", ((0.0, 0.0), (x, y)), radius),
            Polygon("mover", ((x, y),), radius),
            Line("ray", (0, 0), way, arrow=True),
            Line("contact", (px, py), (px + 0.8 * nx, py + 0.8 * ny), arrow=True),
        ],
    )


def contact_manifold() -> Iterator[Panel]:
    """H9: the normal, the depth and the points of a contact."""
    scene = Scene()
    a = scene.add("a", 0, 0, BoxCollider(1.5, 0.75), static=Static())
    b = scene.add("b", 0.6, -1.3, OrientedBoxCollider(0.8, 0.8), rotation=0.35, inertia=Inertia(1))
    contact = scene.world.space.contact(a, b)
    assert contact is not None
    x, y, _ = contact.points[0]
    nx, ny, _ = contact.normal
    shapes = scene.shapes() + [Polygon("contact", ((px, py),), 0.05) for px, py, _ in contact.points]
    shapes.append(Line("contact", (x, y), (x + nx, y + ny), arrow=True))
    yield Panel(f"normal ({nx:.2f}, {ny:.2f}), depth {contact.depth:.2f}", shapes)


def swept_trigger() -> Iterator[Panel]:
    """T4: a body crosses a trigger in one frame."""
    for swept in (False, True):
        scene = Scene()
        runner = scene.add("A", 0, 0, BoxCollider(*UNIT), motion=Motion(force=1))
        scene.add("T", 3.5, 0, BoxCollider(0.5, 1), trigger=Trigger(swept=swept))
        scene.world.step()
        scene.world.request(runner, 7)
        before = scene.shapes()
        frame = scene.world.step()
        names = [type(event).__name__ for event in frame.events if type(event).__name__ != "Moved"]
        end = Polygon("disabled", ((6.5, -0.5), (7.5, -0.5), (7.5, 0.5), (6.5, 0.5)))
        text = f"swept: {', '.join(names)}" if swept else f"not swept: {', '.join(names) or 'no event'}"
        yield Panel(text, [*before, end, Line("push", (0, 0), (7, 0), arrow=True)])


def normals_of_contacts() -> Iterator[Panel]:
    """C4: the normal says on which side b is."""
    box, ball = BoxCollider(*UNIT), SphereCollider(0.5)
    for x, y, collider in ((0.0, -1.0, box), (1.0, 0.4, box), (0.75, -0.5, ball)):
        scene = Scene()
        a = scene.add("a", 0, 0, collider.copy(), contact=Contact(), inertia=Inertia(1))
        scene.add("b", x, y, collider.copy(), inertia=Inertia(1))
        (event,) = [each for each in scene.world.step().events if type(each).__name__ == "ContactBegan"]
        nx, ny, _ = event.normal  # type: ignore[attr-defined]
        start = scene.place(a)
        arrow = Line("contact", start, (start[0] + 0.9 * nx, start[1] + 0.9 * ny), arrow=True)
        yield Panel(f"normal ({nx:.3g}, {ny:.3g})", [*scene.shapes(), arrow])


PICTURES: Mapping[str, Picture] = {
    "L4": ("Two boxes that touch, that overlap, and two that do neither", touching_or_overlapping),
    "B1": ("Boxes of three sizes and their cells", levels_of_cells),
    "P2": ("A push goes over the gaps to what stops it", cases_of("P2")),
    "P4": ("The rules each and sum with the same bodies", cases_of("P4")),
    "P6": ("A mover pushes two bodies against a wall", cases_of("P6")),
    "P7": ("A body inside a mover is carried along", cases_of("P7")),
    "P8": ("The part of a compound that can move least decides", cases_of("P8")),
    "P9": ("What overlaps comes out, but does not go deeper", coming_out),
    "P18": ("The bounds stop a push", stopped_by_bounds),
    "Q1": ("Rays that hit a box and one that does not", rays),
    "Q4": ("The nearest points of two bodies", nearest_parts),
    "Q5": ("Boxes in a circle and outside", circle_query),
    "H4": ("A ball is stopped by the corner of a wall, after its bounds met it", bounds_of_a_ball),
    "H5": ("A capsule and a ball that overlap, touch, and are apart", cores_and_radii),
    "H8": ("A ball is cast until it meets a turned crate", a_cast_ball),
    "H9": ("Normal and points of two boxes that overlap", contact_manifold),
    "T4": ("A body crosses a trigger in one frame", swept_trigger),
    "C4": ("Normals of contacts", normals_of_contacts),
    "M5": ("A platform is passed from below and blocks from above", one_way),
}
"""What each picture shows, by rule."""


def shifted(shape: Drawn, dx: float, dy: float) -> Drawn:
    """Return a shape at another place."""
    if isinstance(shape, Polygon):
        return shape._replace(corners=tuple((x + dx, y + dy) for x, y in shape.corners))
    if isinstance(shape, Line):
        (a, b), (c, d) = shape.start, shape.end
        return shape._replace(start=(a + dx, b + dy), end=(c + dx, d + dy))
    return shape._replace(at=(shape.at[0] + dx, shape.at[1] + dy))


def picture(rule: str) -> str:
    """Return the picture of a rule as SVG: its panels in rows of two, or side by side if they are small."""
    title, make = PICTURES[rule]
    panels = list(make())
    sizes = [bounds_of(panel.shapes) for panel in panels]
    for at, panel in enumerate(panels):  # both of a pair show the same part of the world
        if panel.title == "after":
            (a, b, c, d), (e, f, g, h) = sizes[at - 1 : at + 1]
            sizes[at - 1] = sizes[at] = min(a, e), min(b, f), max(c, g), max(d, h)
    across = max(max(x1 - x0 for x0, _, x1, _ in sizes), 3.6) + GAP
    down = max(y1 - y0 for _, y0, _, y1 in sizes) + GAP
    columns = 2 if any(panel.title == "after" for panel in panels) else min(len(panels), max(1, int(20 / across)))
    shapes: list[Drawn] = []
    for number, (panel, (x0, y0, x1, y1)) in enumerate(zip(panels, sizes, strict=True)):
        dx = (number % columns) * across - (x0 + x1) / 2
        dy = (number // columns) * down - (y0 + y1) / 2
        shapes += [shifted(shape, dx, dy) for shape in panel.shapes]
        shapes.append(Label("text", (dx + (x0 + x1) / 2, dy + y0 - 0.45), panel.title))
    x0, y0, x1, y1 = bounds_of(shapes)
    left, right = min(x0, -across / 2), max(x1, (columns - 0.5) * across)
    return svg_of(shapes, (left, y0 - 0.4, right, y1 + 0.3), scale=SCALE, width=WIDTH, title=title) + "\n"


def file_of(rule: str) -> Path:
    """Return where the picture of a rule is kept."""
    return FOLDER / f"{rule}.svg"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in PICTURES:
        file_of(each).write_text(picture(each), encoding="utf-8")
