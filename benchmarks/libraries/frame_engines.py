"""Frame libraries that are engines: their own objects hold the positions, and sensors or contacts report overlaps.

The game writes their bodies one by one. None takes the positions of some of its bodies in bulk (pyb2d3 takes those of
all at once), so they are written one by one from an array as well.
"""

from __future__ import annotations

from typing import Any

import numpy

from benchmarks.boxes import Boxes
from benchmarks.frames_crowd import Change, Place, as_tuples, in_3d
from benchmarks.libraries.frame_base import FrameLibrary, Pairs, frame_library, records


class ObjectLibrary(FrameLibrary):
    """A library that is written to object by object, in 2D."""

    def one_by_one(self, change: Change) -> list[Any]:
        """Write the places of the game."""
        return self._frame(change.number, change.row_list, change.places)

    def in_bulk(self, change: Change) -> list[Any]:
        """Write the places of the array."""
        return self._frame(change.number, change.rows.tolist(), as_tuples(change.centres))

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        """Write, run the frame, and return its events."""
        raise NotImplementedError


class ObjectLibrary3d(ObjectLibrary):
    """A library that only supports 3D: in 2D its boxes lie side by side on the third axis."""

    def one_by_one(self, change: Change) -> list[Any]:
        """Write the places of the game."""
        return self._frame(change.number, change.row_list, change.places_3d)

    def in_bulk(self, change: Change) -> list[Any]:
        """Write the places of the array."""
        return self._frame(change.number, change.rows.tolist(), as_tuples(in_3d(change.centres)))


def unzipped(pairs: list[tuple[int, int]]) -> Pairs:
    """Return pairs as two lists."""
    return [first for first, _ in pairs], [second for _, second in pairs]


@frame_library("rapier3d sensors")
class RapierFrame(ObjectLibrary3d):
    """Sensors of rapier3d and `detect_collisions`."""

    is_sensor = True

    def __init__(self, boxes: Boxes) -> None:
        import rapier3d

        self._world, self._heard = rapier3d.PhysicsWorld(), rapier3d.ChannelEventCollector()
        self._world.event_handler = self._heard
        kinds, wanted = rapier3d.ActiveCollisionTypes.all(), rapier3d.ActiveEvents.COLLISION_EVENTS
        solid, handles = boxes.in_3d(), []
        for place, half in zip(as_tuples(solid.centres), as_tuples(solid.halves), strict=True):
            builder = rapier3d.Collider.cuboid(*half).translation(place).sensor(self.is_sensor)
            made = builder.active_collision_types(kinds).active_events(wanted).build()
            handles.append(self._world.add_collider(made))
        assert [handle.index for handle in handles] == list(range(boxes.count))  # so an index is a row
        self._bodies = [self._world.colliders[handle] for handle in handles]
        self._world.detect_collisions()
        self._heard.drain_collision_events()

    def _write(self, moved: list[int], places: list[Place]) -> None:
        bodies = self._bodies
        for row, place in zip(moved, places, strict=True):
            bodies[row].translation = place
        self._world.detect_collisions()

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        self._write(moved, places)
        began: tuple[list[int], list[int]] = ([], [])
        ended: tuple[list[int], list[int]] = ([], [])
        for event in self._heard.drain_collision_events():
            first, second = began if event.started else ended
            first.append(event.collider1.index)
            second.append(event.collider2.index)
        return records(number, began, ended)


@frame_library("pymunk sensors", dims=(2,))
class PymunkFrame(ObjectLibrary):
    """Sensors of pymunk on kinematic bodies, with callbacks."""

    is_sensor = True

    def __init__(self, boxes: Boxes) -> None:
        import pymunk

        self._space = pymunk.Space()
        self._bodies: list[Any] = []
        for row, (place, size) in enumerate(zip(as_tuples(boxes.centres), as_tuples(2 * boxes.halves), strict=True)):
            body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
            body.position = place
            shape = pymunk.Poly.create_box(body, size)
            shape.sensor, shape.row = self.is_sensor, row
            self._space.add(body, shape)
            self._bodies.append(body)
        self._began: list[tuple[int, int]] = []
        self._ended: list[tuple[int, int]] = []
        self._listen()
        self._space.step(1 / 60)

    def _listen(self) -> None:
        if hasattr(self._space, "on_collision"):
            self._space.on_collision(begin=self._begin, separate=self._separate)
        else:  # before pymunk 7
            handler = self._space.add_default_collision_handler()
            handler.begin, handler.separate = self._begin, self._separate

    def _begin(self, arbiter: Any, space: Any, data: Any) -> bool:
        first, second = arbiter.shapes
        self._began.append((first.row, second.row))
        return True

    def _separate(self, arbiter: Any, space: Any, data: Any) -> None:
        first, second = arbiter.shapes
        self._ended.append((first.row, second.row))

    def _write(self, moved: list[int], places: list[Place]) -> None:
        self._began.clear()
        self._ended.clear()
        bodies = self._bodies
        for row, place in zip(moved, places, strict=True):
            bodies[row].position = place
        self._space.step(1 / 60)

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        self._write(moved, places)
        return records(number, unzipped(self._began), unzipped(self._ended))


@frame_library("pyb2d3 contacts (Box2D 3)", dims=(2,), exact=False, leaves_out="boxes have a margin")
class Box2d3Frame(ObjectLibrary):
    """Contacts of Box2D 3."""

    INSTANT = 1e-7

    def __init__(self, boxes: Boxes) -> None:
        import pyb2d3

        self._world, self._all = pyb2d3.World(gravity=(0, 0)), pyb2d3.Bodies()
        self._level = pyb2d3.Rot(0.0)
        kind = pyb2d3.shape_def(enable_contact_events=True, density=1.0)
        self._bodies: list[Any] = []
        self._row_of: dict[int, int] = {}
        for row, (place, half) in enumerate(zip(as_tuples(boxes.centres), as_tuples(boxes.halves), strict=True)):
            body = self._world.create_dynamic_body(position=place)
            self._row_of[body.create_shape(kind, pyb2d3.box(*half)).id] = row
            self._bodies.append(body)
            self._all.append(body)
        self._world.step(self.INSTANT, 1)

    def in_bulk(self, change: Change) -> list[Any]:
        """Set all bodies in one call if all move."""
        if len(change.rows) < len(self._bodies):
            return super().in_bulk(change)
        transforms = numpy.zeros((len(self._bodies), 4), numpy.float32)
        transforms[:, :2], transforms[:, 2] = change.centres, 1.0
        self._all.set_transforms(transforms)
        return self._found(change.number)

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        bodies, level = self._bodies, self._level
        for row, place in zip(moved, places, strict=True):
            bodies[row].set_transform(place, level)
        return self._found(number)

    def _found(self, number: int) -> list[Any]:
        self._world.step(self.INSTANT, 1)
        events = self._world.get_contact_events()
        return records(number, self._rows(events.begin_events()), self._rows(events.end_events()))

    def _rows(self, events: Any) -> Pairs:
        row_of = self._row_of
        return unzipped([(row_of[event.shape_a.id], row_of[event.shape_b.id]) for event in events])


@frame_library("box2d sensors (2.3)", dims=(2,), exact=False, leaves_out="boxes have a skin")
class Box2dFrame(ObjectLibrary):
    """Sensors of Box2D 2.3, with a contact listener."""

    is_sensor, iterations = True, 1

    def __init__(self, boxes: Boxes) -> None:
        import Box2D

        self._began: list[tuple[int, int]] = []
        self._ended: list[tuple[int, int]] = []
        self._listener = self._new_listener(Box2D.b2ContactListener)
        self._world = Box2D.b2World(gravity=(0, 0), contactListener=self._listener, doSleep=False)
        self._bodies: list[Any] = []
        for row, (place, half) in enumerate(zip(as_tuples(boxes.centres), as_tuples(boxes.halves), strict=True)):
            shape = Box2D.b2PolygonShape(box=half)
            fixture = Box2D.b2FixtureDef(shape=shape, isSensor=self.is_sensor, userData=row)
            self._bodies.append(self._world.CreateDynamicBody(position=place, fixtures=fixture))
        self._world.Step(1 / 60, self.iterations, self.iterations)

    def _new_listener(self, base: Any) -> Any:
        return _box2d_listener(base, self._began, self._ended)

    def _write(self, moved: list[int], places: list[Place]) -> None:
        self._began.clear()
        self._ended.clear()
        bodies = self._bodies
        for row, place in zip(moved, places, strict=True):
            bodies[row].position = place
        self._world.Step(1 / 60, self.iterations, self.iterations)

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        self._write(moved, places)
        return records(number, unzipped(self._began), unzipped(self._ended))


def _box2d_listener(base: Any, began: list[tuple[int, int]], ended: list[tuple[int, int]]) -> Any:
    """Return a contact listener that stores rows. Its class needs the library to be imported."""

    class Listener(base):  # type: ignore[misc, unused-ignore]
        def BeginContact(self, contact: Any) -> None:
            began.append((contact.fixtureA.userData, contact.fixtureB.userData))

        def EndContact(self, contact: Any) -> None:
            ended.append((contact.fixtureA.userData, contact.fixtureB.userData))

    return Listener()


@frame_library("coal, dynamic AABB tree", exact=False, leaves_out="only counts pairs: no begin, no end, no events")
class CoalFrame(ObjectLibrary3d):
    """The dynamic AABB tree of coal: Python can count its pairs but not read them."""

    reports_events = False

    def __init__(self, boxes: Boxes) -> None:
        import coal

        self._tree = coal.DynamicAABBTreeCollisionManager()
        self._bodies: list[Any] = []
        solid, level = boxes.in_3d(), numpy.eye(3)
        for place, half in zip(solid.centres, solid.halves, strict=True):
            body = coal.CollisionObject(coal.Box(*(2 * half).tolist()), coal.Transform3s(level, place))
            self._tree.registerObject(body)
            self._bodies.append(body)
        self._tree.setup()
        self._pairs = coal.CollisionCallBackCollect(64 * boxes.count)

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        bodies = self._bodies
        for row, place in zip(moved, numpy.array(places), strict=True):
            body = bodies[row]
            body.setTranslation(place)
            body.computeAABB()
        self._tree.update()
        self._pairs.init()
        self._tree.collide(self._pairs)
        self._pairs.numCollisionPairs()
        return []


@frame_library("python-fcl, dynamic AABB tree", exact=False, leaves_out="finds all pairs: no begin, no end, no events")
class FclFrame(ObjectLibrary3d):
    """The dynamic AABB tree of python-fcl: its callback for each pair gets new objects that cannot be identified."""

    reports_events = False

    def __init__(self, boxes: Boxes) -> None:
        import fcl

        solid = boxes.in_3d()
        self._bodies = [
            fcl.CollisionObject(fcl.Box(*(2 * half)), fcl.Transform(place))
            for place, half in zip(solid.centres, solid.halves, strict=True)
        ]
        self._tree = fcl.DynamicAABBTreeCollisionManager()
        self._tree.registerObjects(self._bodies)
        self._tree.setup()

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        bodies = [self._bodies[row] for row in moved]
        for body, place in zip(bodies, numpy.array(places), strict=True):
            body.setTranslation(place)
        if len(bodies) < len(self._bodies):
            self._tree.update(bodies)
        else:
            self._tree.update()
        found: list[Any] = []

        def note(first: Any, second: Any, data: Any) -> bool:
            found.append((first, second))
            return False

        self._tree.collide(None, note)
        return []


@frame_library("arcade SpatialHash", dims=(2,))
class ArcadeFrame(ObjectLibrary):
    """Sprites of arcade in its spatial hash; the neighbours of each are kept by hand."""

    def __init__(self, boxes: Boxes) -> None:
        import arcade

        self._check = arcade.check_for_collision_with_list
        texture = arcade.make_soft_square_texture(16, (255, 255, 255), 255, 255)
        self._sprites: list[Any] = []
        for place, half in zip(as_tuples(boxes.centres), as_tuples(boxes.halves), strict=True):
            sprite = arcade.BasicSprite(texture, center_x=place[0], center_y=place[1])
            sprite.width, sprite.height = 2 * half[0], 2 * half[1]
            self._sprites.append(sprite)
        self._list = arcade.SpriteList(use_spatial_hash=True, spatial_hash_cell_size=2, lazy=True)
        self._list.extend(self._sprites)
        self._row_of = {sprite: row for row, sprite in enumerate(self._sprites)}
        self._neighbours = [self._overlapping(row) for row in range(boxes.count)]

    def _frame(self, number: int, moved: list[int], places: list[Place]) -> list[Any]:
        sprites, neighbours = self._sprites, self._neighbours
        for row, place in zip(moved, places, strict=True):
            sprites[row].position = place
        began: list[tuple[int, int]] = []
        ended: list[tuple[int, int]] = []
        for row in moved:
            now, before = self._overlapping(row), neighbours[row]
            for other in now - before:
                neighbours[other].add(row)
                began.append((row, other))
            for other in before - now:
                neighbours[other].discard(row)
                ended.append((row, other))
            neighbours[row] = now
        return records(number, unzipped(began), unzipped(ended))

    def _overlapping(self, row: int) -> set[int]:
        found = self._check(self._sprites[row], self._list, method=1)
        return {self._row_of[other] for other in found}
