"""Plain drawings as SVG."""

from xml.etree import ElementTree

import pytest

from ecs_collision.drawing import LOOKS, Label, Line, Polygon, bounds_of, look_of, svg_of

SVG = "{http://www.w3.org/2000/svg}"
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def elements(*shapes, **options):
    """Return the elements of a picture behind its background."""
    return list(ElementTree.fromstring(svg_of(shapes, **options)))[1:]


def test_a_picture_fits_its_shapes_with_a_margin():
    root = ElementTree.fromstring(svg_of([Polygon("static", SQUARE)], scale=100))
    assert ("150", "150", "0 0 150 150") == (root.get("width"), root.get("height"), root.get("viewBox"))
    (path,) = elements(Polygon("static", SQUARE), scale=100)
    assert f"M{25} {25}L125 25L125 125L25 125Z" == path.get("d")
    assert (LOOKS["static"].fill, LOOKS["static"].line) == (path.get("fill"), path.get("stroke"))


def test_a_wide_picture_is_made_smaller():
    root = ElementTree.fromstring(svg_of([Line("ray", (0, 0), (1000, 0))], width=500))
    assert "500" == root.get("width")


def test_an_area_cuts_a_picture():
    root = ElementTree.fromstring(svg_of([Polygon("static", SQUARE)], (0.0, 0.0, 4.0, 2.0), scale=10))
    assert ("40", "20") == (root.get("width"), root.get("height"))


def test_bounds_count_radii_lines_and_texts():
    shapes = [Polygon("mover", ((0.0, 0.0),), 2.0), Line("push", (1, 1), (5, 1)), Label("text", (0.0, 7.0), "a")]
    assert (-2.0, -2.0, 5.0, 7.0) == bounds_of(shapes)
    assert (0.0, 0.0, 0.0, 0.0) == bounds_of([])


def test_round_parts_are_circles_and_thick_lines():
    circle, capsule = elements(
        Polygon("mover", ((0.0, 0.0),), 1.0, "entity 1"), Polygon("trigger", ((0.0, 0.0), (2.0, 0.0)), 1.0), scale=10
    )
    assert ("10", "entity 1") == (circle.get("r"), circle.find(f"{SVG}title").text)
    assert ["20"] == [path.get("stroke-width") for path in capsule.iter(f"{SVG}path")]


def test_an_arrow_has_a_head():
    line, arrow = elements(Line("push", (0, 0), (5, 0)), Line("push", (0, 0), (5, 0), arrow=True))
    assert (1, 3) == (line.get("d").count("M"), arrow.get("d").count("M"))
    (point,) = elements(Line("push", (0, 0), (0, 0), arrow=True))
    assert "nan" not in point.get("d")


def test_texts_are_escaped_and_fade():
    found = svg_of([Label("event", (0.0, 0.0), "<script>&", fade=0.75)], title="a <b>")
    assert "&lt;script&gt;&amp;" in found and 'opacity="0.25"' in found and "<title>a &lt;b&gt;</title>" in found
    assert "<script" not in svg_of([Polygon("static", SQUARE, note="<script>")])


@pytest.mark.parametrize("kind", [*LOOKS, "a kind of a game"])
def test_every_kind_can_be_drawn(kind):
    assert len(elements(Polygon(kind, SQUARE), Line(kind, (0, 0), (1, 1)), Label(kind, (0, 0), kind))) == 3
    assert look_of(kind) is LOOKS.get(kind, LOOKS["text"])
