"""Box2D, twice: pyb2d3 binds version 3, Box2D (pybox2d) version 2.3. 2D, with a margin around boxes."""

from __future__ import annotations

from typing import Any

from benchmarks.boxes import Boxes, PointScene, QueryScene
from benchmarks.libraries import Job, Skipped, library
from benchmarks.outputs import firsts, hits, pairs

FRAME = 1 / 60
MOMENT = 1e-7
MARGIN = "boxes have a margin"


def _pyb2d3_world(boxes: Boxes, static: bool) -> tuple[Any, list[Any], list[Any]]:
    """Return a world, its bodies and its shapes."""
    import pyb2d3

    world, kind = pyb2d3.World(gravity=(0, 0)), pyb2d3.shape_def(enable_contact_events=True, density=1.0)
    make = world.create_static_body if static else world.create_dynamic_body
    bodies, shapes = [], []
    for centre, half in zip(boxes.centres.tolist(), boxes.halves.tolist(), strict=True):
        bodies.append(make(position=tuple(centre)))
        shapes.append(bodies[-1].create_shape(kind, pyb2d3.box(*half)))
    return world, bodies, shapes


@library("pairs", "pyb2d3", dims=(2,), exact=False, leaves_out=MARGIN)
def pyb2d3_pairs(boxes: Boxes) -> Job:
    """Create a world of bodies, step once, read the contacts that began."""

    def found() -> tuple[list[Any], Any]:
        kept = _pyb2d3_world(boxes, static=False)
        kept[0].step(MOMENT, 1)
        return list(kept[0].get_contact_events().begin_events()), kept

    return Job(found, lambda result: len(result[0]))


@library("query", "pyb2d3", dims=(2,), exact=False, leaves_out=MARGIN)
def pyb2d3_query(scene: QueryScene) -> Job:
    """Run one query after another, with a callback for each hit."""
    import pyb2d3

    kept = _pyb2d3_world(scene.world, static=True)
    world = kept[0]
    world.step(MOMENT, 1)
    corners = zip(scene.regions.lo.tolist(), scene.regions.hi.tolist(), strict=True)
    regions = [pyb2d3.aabb(tuple(lo), tuple(hi)) for lo, hi in corners]

    def search(box: Any) -> list[Any]:
        found: list[Any] = []

        def note(shape: Any) -> bool:
            found.append(shape)
            return True

        world.overlap_aabb(box, note)
        return found

    return Job(lambda: ([search(box) for box in regions], kept)[0], lambda found: sum(map(len, found)))


@library("ray", "pyb2d3", dims=(2,), exact=False, leaves_out="float32")
def pyb2d3_ray(scene: PointScene) -> Job:
    """Cast one ray after another."""
    kept = _pyb2d3_world(scene.world, static=True)
    world = kept[0]
    world.step(MOMENT, 1)
    cast = world.cast_ray_closest
    rays = list(zip(map(tuple, scene.points.tolist()), map(tuple, scene.directions.tolist()), strict=True))
    return Job(
        lambda: ([cast(start, way) for start, way in rays], kept)[0], lambda found: sum(bool(hit.hit) for hit in found)
    )


@library("cast box", "Box2D 2.3", dims=(2,))
@library("cast ball", "Box2D 2.3", dims=(2,))
@library("cast box", "pyb2d3", dims=(2,))
@library("cast ball", "pyb2d3", dims=(2,))
def box2d_cast(scene: PointScene) -> Job:
    """Refuse: Box2D can cast shapes from version 3 on, but no binding offers it."""
    raise Skipped("its binding casts rays, but no shapes")


@library("idle", "pyb2d3, asleep", dims=(2,))
def pyb2d3_asleep(boxes: Boxes) -> Job:
    """Step a world of sleeping bodies and read its events."""
    world, bodies, shapes = _pyb2d3_world(boxes, static=False)
    for _ in range(120):
        world.step(FRAME, 4)
    if any(body.awake for body in bodies):
        raise Skipped("bodies did not fall asleep")
    return _pyb2d3_frames(world, bodies, shapes, calls=200)


@library("idle", "pyb2d3, static", dims=(2,))
def pyb2d3_static(boxes: Boxes) -> Job:
    """Step a world of static bodies and read its events."""
    world, bodies, shapes = _pyb2d3_world(boxes, static=True)
    world.step(FRAME, 4)
    return _pyb2d3_frames(world, bodies, shapes, calls=1000)


def _pyb2d3_frames(world: Any, *kept: Any, calls: int) -> Job:
    def frame() -> Any:
        world.step(FRAME, 4)
        return list(world.get_contact_events().begin_events()) or kept

    return Job(frame, calls=calls)


def _box2d_world(boxes: Boxes, listener: Any = None, static: bool = False, sensor: bool = False) -> tuple[Any, Any]:
    import Box2D

    world = Box2D.b2World(gravity=(0, 0), contactListener=listener)
    make, fixtures = (world.CreateStaticBody if static else world.CreateDynamicBody), []
    for number, (centre, half) in enumerate(zip(boxes.centres.tolist(), boxes.halves.tolist(), strict=True)):
        shape = Box2D.b2FixtureDef(shape=Box2D.b2PolygonShape(box=half), density=1, isSensor=sensor, userData=number)
        fixtures.append(make(position=tuple(centre), fixtures=shape).fixtures[0])
    return world, fixtures


@library("pairs", "Box2D 2.3", dims=(2,), exact=False, leaves_out=MARGIN, most=10_000)
def box2d_pairs(boxes: Boxes) -> Job:
    """Create a world of sensors and step once, with a listener for each pair."""
    import Box2D

    class Listener(Box2D.b2ContactListener):
        def __init__(self) -> None:
            super().__init__()
            self.met: list[Any] = []

        def BeginContact(self, contact: Any) -> None:
            self.met.append((contact.fixtureA, contact.fixtureB))

    def found() -> tuple[Any, Any]:
        listener = Listener()
        world = _box2d_world(boxes, listener, sensor=True)
        world[0].Step(FRAME, 1, 1)
        return listener.met, (world, listener)

    return Job(found, lambda result: pairs([(one.userData, other.userData) for one, other in result[0]]))


@library("query", "Box2D 2.3", dims=(2,), exact=False, leaves_out=MARGIN)
def box2d_query(scene: QueryScene) -> Job:
    """Run one query after another, with a callback for each hit."""
    import Box2D

    class Note(Box2D.b2QueryCallback):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[Any] = []

        def ReportFixture(self, fixture: Any) -> bool:
            self.found.append(fixture)
            return True

    world, _fixtures = _box2d_world(scene.world, static=True)
    corners = zip(scene.regions.lo.tolist(), scene.regions.hi.tolist(), strict=True)
    regions = [Box2D.b2AABB(lowerBound=tuple(lo), upperBound=tuple(hi)) for lo, hi in corners]
    note = Note()

    def search(box: Any) -> list[Any]:
        note.found = []
        world.QueryAABB(note, box)
        return note.found

    return Job(
        lambda: [search(box) for box in regions], lambda found: hits([[f.userData for f in each] for each in found])
    )


@library("ray", "Box2D 2.3", dims=(2,), exact=False, leaves_out="float32")
def box2d_ray(scene: PointScene) -> Job:
    """Cast one ray after another, with a callback for each nearer hit."""
    import Box2D

    class Nearest(Box2D.b2RayCastCallback):
        def __init__(self) -> None:
            super().__init__()
            self.fixture: Any = None

        def ReportFixture(self, fixture: Any, point: Any, normal: Any, fraction: float) -> float:
            self.fixture = fixture
            return fraction

    world, _fixtures = _box2d_world(scene.world, static=True)
    rays = list(zip(map(tuple, scene.points.tolist()), map(tuple, scene.ends.tolist()), strict=True))
    nearest = Nearest()

    def cast(start: Any, end: Any) -> Any:
        nearest.fixture = None
        world.RayCast(nearest, start, end)
        return nearest.fixture

    return Job(
        lambda: [cast(start, end) for start, end in rays],
        lambda found: firsts(None if hit is None else hit.userData for hit in found),
    )


@library("idle", "Box2D 2.3, asleep", dims=(2,))
def box2d_asleep(boxes: Boxes) -> Job:
    """Step a world of sleeping bodies."""
    world, _fixtures = _box2d_world(boxes)
    for _ in range(60):
        world.Step(FRAME, 1, 1)
    if any(body.awake for body in world._bodies):
        raise Skipped("bodies did not fall asleep")
    return Job(lambda: world.Step(FRAME, 8, 3), calls=20)
