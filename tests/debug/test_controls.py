"""What adapters have in common: camera, borders, dashes, clipping."""

from __future__ import annotations

import math

import pytest

from ecs_collision import CollisionTypeError, CollisionValueError
from ecs_collision.debug import Camera, Label, Line, Polygon
from ecs_collision.debug.controls import border, clipped, dashes, is_rectangle, label_places, line_parts


def test_a_fitted_rectangle_stays_fitted_in_another_size_until_the_camera_moves():
    camera = Camera()
    camera.fit(0, 0, 16, 9)
    camera.size = (640, 360)
    assert (0.0, 0.0, 16.0, 9.0) == camera.rectangle
    camera.pan(40, 0)
    camera.size = (1280, 720)
    assert 40.0 == camera.zoom


def test_a_camera_refuses_what_is_no_zoom_and_no_rectangle():
    camera = Camera()
    with pytest.raises(CollisionValueError, match="zoom is 0; give pixels a unit, more than 0"):
        camera.zoom = 0
    with pytest.raises(CollisionTypeError, match="x0 must be a number, not 'a'"):
        camera.fit("a", 0, 1, 1)
    assert 40.0 == camera.zoom


def test_a_camera_turns_places_into_pixels_and_back():
    camera = Camera(10, 5, 20, (800, 600))
    assert camera.to_screen(10, 5) == (400, 300)
    assert camera.to_screen(11, 4) == (420, 280)
    assert camera.to_world(420, 280) == (11, 4)
    assert camera.rectangle == (-10, -10, 30, 20)
    camera.fit(0, 0, 40, 20)
    assert (camera.x, camera.y, camera.zoom) == (20, 10, 20)
    camera.pan(20, -40)
    assert (camera.x, camera.y) == (19, 12)


WRONG = [lambda: Camera(zoom=0), lambda: Camera(zoom=math.inf), lambda: Camera().fit(1, 1, 1, 2)]
CORNERS = [((0, 0),), ((0, 0), (2, 0)), ((0, 0), (2, 0), (2, 1), (0, 1)), ((0, 0), (0, 1), (2, 0))]


@pytest.mark.parametrize("call", WRONG)
def test_a_camera_refuses_what_it_cannot_show(call):
    with pytest.raises(CollisionValueError, match="give"):
        call()


@pytest.mark.parametrize("corners", CORNERS)
def test_a_border_has_the_distance_of_the_radius_and_goes_round_once(corners):
    camera = Camera(0, 0, 100, (0, 0))
    points = border(Polygon("solid", corners, 0.5), camera)
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1], strict=True)) / 2
    length = sum(math.dist(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True))
    inner = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1], strict=True)) / 2)
    expected = 1e4 * (inner + 0.5 * length + math.pi * 0.25)
    assert abs(area) == pytest.approx(expected, rel=0.02)


def test_dashes_cover_a_part_of_a_line_and_long_ones_are_not_divided():
    parts = list(dashes((0, 0), (90, 0)))
    assert len(parts) == 10
    assert parts[0] == ((0, 0), (5, 0))
    assert list(dashes((0, 0), (1e6, 0))) == [((0, 0), (1e6, 0))]


def test_lines_are_clipped_to_the_screen():
    assert clipped((-1024, 50), (1024, 50), (100, 100)) == ((-20, 50), (120, 50))
    assert clipped((-50, -50), (-50, 200), (100, 100)) is None
    assert clipped((0, -500), (500, -300), (100, 100)) is None
    camera = Camera(0, 0, 1, (100, 100))
    assert len(line_parts(Line("push", (0, 0), (9, 0), True), camera)) == 3
    assert line_parts(Line("push", (900, 900), (909, 900), True), camera) == []


def test_only_boxes_parallel_to_the_axes_are_rectangles():
    assert is_rectangle(((0, 0), (1, 0), (1, 2), (0, 2)))
    assert is_rectangle(((0, 0), (0, 2), (1, 2), (1, 0)))
    assert not is_rectangle(((0, 0), (1, 0), (1, 2), (0.5, 2)))
    assert not is_rectangle(((0, 0), (1, 1), (0, 2), (-1, 1)))


def test_labels_move_down_names_are_left_out_and_those_off_the_screen_too():
    camera = Camera(0, 0, 1, (100, 100))
    labels = [Label(kind, (x, 0), "12345") for kind, x in (("event", 0), ("event", 5), ("text", 0), ("event", 900))]
    placed = [(label.kind, left, top) for label, left, top in label_places(labels, camera, lambda text: (30, 12))]
    assert placed == [("event", 35, 44), ("event", 40, 58)]
