"""What there is to draw of a body, and the pictures of worlds in notebooks."""

import math
from xml.etree import ElementTree

import pytest

from ecs_collision import (
    Box,
    BoxCollider,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Mass,
    Motion,
    OrientedBoxCollider,
    Sleeping,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
)
from ecs_collision.bodies import drawn
from ecs_collision.bodies.drawn import body_shapes, outlines_of
from ecs_collision.components import Parts
from ecs_collision.drawing import look_of


def shapes(*components):
    """Return the kinds, corners and radii of the shapes of a body."""
    return [(shape.kind, set(shape.corners), shape.radius) for shape in body_shapes(Parts.of(components))]


BOX = BoxCollider(0.5, 1)


@pytest.mark.parametrize(
    ("components", "kind"),
    [
        ((), "solid"),
        ((Static(),), "static"),
        ((Inertia(1),), "pushable"),
        ((Motion(force=1), Inertia(1)), "mover"),
        ((Trigger(), Static()), "trigger"),
        ((Velocity(), Mass(1)), "dynamic"),
        ((Velocity(), Inertia(1)), "pushable"),
        ((Trigger(enabled=False),), "disabled"),
    ],
)
def test_a_body_is_drawn_by_what_it_does(components, kind):
    corners = {(0.5, 1.0), (1.5, 1.0), (0.5, 3.0), (1.5, 3.0)}
    assert [(kind, corners, 0.0)] == shapes(Transform(1, 2), BOX.copy(), *components)


def test_sleepers_are_paler():
    found = shapes(Transform(0, 0), BOX.copy(), Inertia(1), Sleeping(asleep=True))
    assert ["pushable", "asleep"] == [kind for kind, _, _ in found]


def test_parts_are_drawn_in_their_true_shapes():
    assert [("solid", {(3.0, 4.0)}, 0.5)] == shapes(Transform(3, 4), SphereCollider(0.5))
    assert [("solid", {(0.0, -1.0), (0.0, 1.0)}, 0.25)] == shapes(Transform(0, 0), CapsuleCollider(0.25, 1))
    compound = CompoundCollider([Box(0.5, 0.5), Box(0.5, 0.5, offset=(1, 0))])
    assert 2 == len(shapes(Transform(0, 0), compound))


def test_turned_parts_are_drawn_as_they_are_seen_from_above():
    ((_, corners, _),) = shapes(Transform(0, 0, rotation=math.pi / 2), OrientedBoxCollider(2, 1))
    assert {(1.0, 2.0), (1.0, -2.0), (-1.0, 2.0), (-1.0, -2.0)} == corners
    about_x = (math.sin(math.pi / 8), 0.0, 0.0, math.cos(math.pi / 8))
    ((_, corners, _),) = shapes(Transform(0, 0, rotation=about_x), OrientedBoxCollider(2, 1, 1))
    assert math.sqrt(2) == pytest.approx(max(y for _, y in corners))
    assert 4 == len(corners)


def test_outlines_are_the_parts_before_the_body_turns():
    turned = Parts.of([Transform(0, 0, rotation=1.0), OrientedBoxCollider(2, 1)])
    straight = Parts.of([Transform(0, 0), OrientedBoxCollider(2, 1)])
    assert outlines_of(turned) == outlines_of(straight)
    assert [True] == [outline.turns for outline in outlines_of(turned)]
    assert [False] == [outline.turns for outline in outlines_of(Parts.of([Transform(0, 0), BOX.copy()]))]


@pytest.fixture
def world():
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=BoxCollider(2, 0.5), static=Static())
    world.add(transform=Transform(0, -2), collider=BoxCollider(0.5, 0.5), motion=Motion(force=1))
    world.add(transform=Transform(0, -2), collider=BoxCollider(1, 1), trigger=Trigger())
    return world


def test_a_notebook_shows_a_picture_of_the_world(world):
    picture = ElementTree.fromstring(world._repr_html_())
    assert ["trigger", "static", "mover"] == [
        next(kind for kind in ("trigger", "static", "mover") if look_of(kind).fill == path.get("fill"))
        for path in picture.iter("{http://www.w3.org/2000/svg}path")
    ]
    world.teleport(2, 9, 9)
    assert world._repr_html_() != ElementTree.tostring(picture)
    assert 'height="' in CollisionWorld()._repr_html_()


def test_a_picture_shows_what_was_written_and_not_applied_yet(world):
    before = world._repr_html_()
    world._bodies.transform(world._bodies.row(2)).x = 7.0
    assert before != world._repr_html_()


def test_a_picture_of_many_bodies_says_how_many_it_leaves_out(world, monkeypatch):
    monkeypatch.setattr(drawn, "MAX_DRAWN", 2)
    assert "1 more bodies are not drawn" in world._repr_html_()
    monkeypatch.setattr(drawn, "MAX_DRAWN", 3)
    assert "more bodies" not in world._repr_html_()
