"""Spheres, capsules and oriented boxes as values, as colliders and as parts of a compound, and how they turn."""

from __future__ import annotations

import copy
import math
import pickle
import warnings
from typing import Any

import esper
import pytest
from squares import text_of
from worlds import fresh_world

from ecs_collision import (
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionAttributeError,
    CollisionSystem,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    CompoundCollider,
    InvalidChanges,
    LatticeWarning,
    OrientedBox,
    OrientedBoxCollider,
    SetupWarning,
    Sphere,
    SphereCollider,
    Transform,
    Trigger,
)
from ecs_collision.components import Form
from ecs_collision.fixed_point import PER_UNIT
from ecs_collision.shapes.part import Part

U = PER_UNIT
QUARTER = (0.0, 0.0, 1.0, 1.0)
"""A quarter turn about z, as a quaternion that is not normalised."""


def faces(*numbers: float) -> tuple[int, ...]:
    """Return a box in lattice units."""
    return tuple(round(number * U) for number in numbers)


# -- values ----------------------------------------------------------------------------------------------------------

VALUES: dict[str, Any] = {
    "Sphere(1.0, offset=(1.0, 2.0, 0.0))": Sphere(1, (1, 2)),
    "Capsule(1.0, 2.0, 'y', offset=(0.0, 0.0, 0.0))": Capsule(1, 2),
    "Capsule(1.0, 2.0, 'x', offset=(1.0, 0.0, 0.0), rotation=0.5)": Capsule(1, 2, "x", (1, 0), 0.5),
    "OrientedBox(1.0, 2.0, 0.5, offset=(0.0, 0.0, 0.0))": OrientedBox(1, 2),
    "OrientedBox(1.0, 2.0, 3.0, offset=(0.0, 1.0, 0.0), rotation=(0.0, 0.0, 1.0, 1.0))": OrientedBox(
        1, 2, 3, (0, 1), [0, 0, 1, 1]  # type: ignore[arg-type]
    ),
}  # fmt: skip


@pytest.mark.parametrize("make_copy", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copied_compound_has_the_same_form(make_copy):
    for compound in (CompoundCollider([Box(1, 2), Sphere(3)]), CompoundCollider([Box(1, 2)])):
        again = make_copy(compound)
        assert (repr(compound), compound._form(None)) == (repr(again), again._form(None))


@pytest.mark.parametrize("text", VALUES)
def test_a_part_is_a_value_that_shows_its_fields_E7(text):
    part = VALUES[text]
    again = eval(text)
    assert (text, part, hash(part)) == (repr(part), again, hash(again))
    assert part == copy.deepcopy(part) == pickle.loads(pickle.dumps(part))
    assert part not in (Box(1, 2), Sphere(9), Capsule(9, 9), OrientedBox(9, 9))
    kind = type(part).__name__
    article = "an" if kind == "OrientedBox" else "a"
    assert f"{kind}.offset cannot be assigned: {article} {kind} is immutable; make a new {kind} instead" == text_of(
        lambda: setattr(part, "offset", (1, 1))
    )
    with pytest.raises(AttributeError, match=f"{kind} has no field 'size'; it has .* and "):
        part.size = 3
    with pytest.raises(CollisionTypeError, match="cannot be deleted"):
        del part.offset
    assert f"Mine subclasses {kind}, but {kind} is final; keep your own data beside it" == text_of(
        lambda: type("Mine", (type(part),), {}), CollisionTypeError
    )


# -- parts -----------------------------------------------------------------------------------------------------------

FORMS: dict[str, tuple[Any, Form]] = {
    "a box": (BoxCollider(1, 2, 3), Form((faces(-1, -2, -3, 1, 2, 3),))),
    "a sphere": (
        SphereCollider(2, offset=(1, 0)),
        Form((faces(-1, -2, -2, 3, 2, 2),), (Part(faces(1, 0, 0, 1, 0, 0), 2 * U),)),
    ),
    "a capsule": (
        CapsuleCollider(1, 2), Form((faces(-1, -3, -1, 1, 3, 1),), (Part(faces(0, -2, 0, 0, 2, 0), U),)),
    ),
    "a capsule along x": (
        CapsuleCollider(1, 2, "x"), Form((faces(-3, -1, -1, 3, 1, 1),), (Part(faces(-2, 0, 0, 2, 0, 0), U),)),
    ),
    "a capsule along z": (
        CapsuleCollider(1, 2, "z"), Form((faces(-1, -1, -3, 1, 1, 3),), (Part(faces(0, 0, -2, 0, 0, 2), U),)),
    ),
    "an oriented box that is not turned": (OrientedBoxCollider(1, 2), Form((faces(-1, -2, -0.5, 1, 2, 0.5),))),
    "a sphere of radius 0": (SphereCollider(0), Form((faces(0, 0, 0, 0, 0, 0),))),
    "a capsule of radius 0": (CapsuleCollider(0, 2), Form((faces(0, -2, 0, 0, 2, 0),))),
    "equal parts": (
        CompoundCollider([Box(1, 1), Sphere(1), Box(1, 1), Sphere(1), OrientedBox(1, 1)]),
        Form(
            (faces(-1, -1, -0.5, 1, 1, 0.5), faces(-1, -1, -1, 1, 1, 1)),
            (Part(faces(-1, -1, -0.5, 1, 1, 0.5)), Part(faces(0, 0, 0, 0, 0, 0), U)),
        ),
    ),
    "boxes of two kinds": (
        CompoundCollider([OrientedBox(1, 1), Box(1, 1), Box(2, 1)]),
        Form((faces(-1, -1, -0.5, 1, 1, 0.5), faces(-2, -1, -0.5, 2, 1, 0.5))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", FORMS)
def test_every_kind_of_part_is_a_core_and_a_radius_H1(text):
    collider, expected = FORMS[text]
    assert expected == collider._form()


def test_centres_are_rounded_and_sizes_are_rounded_down_H2():
    off = 0.75 / U
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        parts = [Sphere(1 + off, (off, 1, 0)), Capsule(off, 1 + off), OrientedBox(1 + off, 1, 1 + off)]
        form = CompoundCollider(parts)._form()
    assert form.parts == (
        Part((1, U, 0, 1, U, 0), U), Part((0, -U, 0, 0, U, 0)), Part((-U, -U, -U, U, U, U)),
    )  # fmt: skip
    assert [each.category for each in seen] == [LatticeWarning] * 3
    assert {each.filename for each in seen} == {__file__}
    message = str(seen[0].message)
    assert f"Sphere.radius {1 + off!r} is not on the lattice of 1/65536: it is taken as 1, 1.1e-05 less" in message
    assert f"Sphere.offset x {off!r} is not on the lattice of 1/65536: it is taken as 1.52587891e-05" in message
    assert "Capsule.half_length" in str(seen[1].message) and "OrientedBox.hz" in str(seen[2].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Sphere(0.5, (0.25, 1)), CapsuleCollider(0.5, 2**-16), OrientedBoxCollider(3, 0.125)


def test_a_quarter_turn_is_exact_H3():
    for quarter in (math.pi / 2, QUARTER, -1.5 * math.pi):
        assert CapsuleCollider(1, 2, "x")._form() == CapsuleCollider(1, 2, "y")._form(quarter)
        assert OrientedBoxCollider(2, 1)._form() == OrientedBoxCollider(1, 2)._form(quarter)
        assert SphereCollider(1, offset=(0, 3))._form() == SphereCollider(1, offset=(3, 0))._form(quarter)
    about_x = (1.0, 0.0, 0.0, 1.0)
    assert CapsuleCollider(1, 2, "z", offset=(0, 0, 5))._form() == CapsuleCollider(1, 2, offset=(0, 5, 0))._form(
        about_x
    )


def test_boxes_and_their_offsets_do_not_turn_H3():
    mixed = CompoundCollider([Box(2, 1, offset=(3, 0)), OrientedBox(2, 1, offset=(3, 0))])
    assert (faces(1, -1, -0.5, 5, 1, 0.5),) == mixed._form().boxes
    assert (faces(1, -1, -0.5, 5, 1, 0.5), faces(-1, 1, -0.5, 1, 5, 0.5)) == mixed._form(math.pi / 2).boxes
    box = BoxCollider(2, 1, offset=(3, 0))
    assert box._form() is box._form(1.0)


# -- bodies ----------------------------------------------------------------------------------------------------------


def test_a_written_rotation_belongs_to_the_state_N1():
    world = CollisionWorld()
    transform = Transform(0, 0)
    world.add(transform=transform, collider=OrientedBoxCollider(1, 2))
    world.step()
    before, straight = world.state_hash(), world.snapshot()
    transform.rotation = 0.5
    assert world.pending
    world.step()
    turned = world.snapshot()
    assert before != world.state_hash()
    transform.rotation = QUARTER
    world.restore(turned)
    assert (0.5, turned) == (transform.rotation, world.snapshot())
    world.restore(straight)
    assert (None, before) == (transform.rotation, world.state_hash())
    world.check()


def test_a_body_whose_turned_bounds_leave_the_range_is_refused_L3():
    world = CollisionWorld()
    edge = 2.0**20
    world.add(transform=Transform(edge - 1, 0), collider=OrientedBoxCollider(0.5, 3))
    world.step()
    world._bodies.transform(0).rotation = math.pi / 2
    with pytest.raises(InvalidChanges, match=r"Transform\.x is 1048575\.0, which puts its OrientedBoxCollider outside"):
        world.step()
    other = CollisionWorld()
    with pytest.raises(InvalidChanges, match=r"SphereCollider reaches from x -2097152\.0 to 2097152\.0"):
        other.add(transform=Transform(0, 0), collider=SphereCollider(edge * 2))


BESIDE: dict[str, tuple[Any, bool]] = {
    "a box": (lambda: BoxCollider(1, 1), True),
    "a compound with a box": (lambda: CompoundCollider([Sphere(1), Box(1, 1)]), True),
    "a compound without boxes": (lambda: CompoundCollider([Sphere(1), OrientedBox(1, 1)]), False),
    "a sphere": (lambda: SphereCollider(1), False),
}


@pytest.mark.parametrize(("make", "warns"), BESIDE.values(), ids=BESIDE)
def test_a_rotation_beside_a_box_warns_once_E8(make, warns):
    with fresh_world(), warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        esper.add_processor(CollisionSystem())
        entity = esper.create_entity(Transform(0, 0, rotation=1.0), make())
        esper.process()
        esper.create_entity(Transform(9, 0, rotation=1.0), make())
        esper.process()
    found = [each for each in seen if each.category is SetupWarning]
    assert [str(each.message) for each in found] == [
        f"Transform.rotation of entity {entity} does not turn the boxes of its collider: only spheres, capsules and "
        "oriented boxes turn; use OrientedBoxCollider or OrientedBox, or set rotation to None"
    ] * warns
    assert {each.filename for each in found} <= {__file__}


def test_a_rotation_that_is_written_later_warns_too_E8():
    world = CollisionWorld()
    transform = Transform(0, 0)
    world.add(transform=transform, collider=BoxCollider(1, 1))
    world.step()
    transform.rotation = 1
    with pytest.warns(SetupWarning, match="entity 1 does not turn the boxes"):
        world.step()
    transform.rotation = 2
    world.step()


def test_the_angle_of_a_transform_is_its_rotation_as_a_number_H3():
    transform = Transform(0, 0)
    assert (0.0, None) == (transform.angle, transform.rotation)
    transform.angle += 0.5
    assert (0.5, 0.5) == (transform.angle, transform.rotation)
    transform.rotation = (0, 0, 0, 1)
    with pytest.raises(CollisionAttributeError, match=r"Transform.rotation is a quaternion, .*; read rotation instead"):
        transform.angle
    transform.angle = 2
    assert 2.0 == transform.rotation
    for wrong, error in ((math.nan, CollisionValueError), ("left", CollisionTypeError), (None, CollisionTypeError)):
        with pytest.raises(error, match=r"Transform\.angle"):
            transform.angle = wrong
    with pytest.raises(CollisionAttributeError, match=r"Transform\.angle cannot be deleted"):
        del transform.angle
    assert 2.0 == transform.rotation


def test_writing_the_angle_of_a_body_turns_it_H3():
    world = CollisionWorld()
    place = Transform(0, 0)
    bar = world.add(transform=place, collider=OrientedBoxCollider(3, 0.25), trigger=Trigger())
    post = world.add(transform=Transform(0, 2), collider=BoxCollider(0.5, 0.5))
    world.step()
    assert [] == world.inside(bar)
    place.angle = math.pi / 2
    world.step()
    assert [post] == world.inside(bar)


@pytest.mark.filterwarnings("ignore::ecs_collision.LatticeWarning")
@pytest.mark.parametrize("side", [0.25, 0.3], ids=["on the lattice", "off the lattice"])
def test_equal_boxes_share_their_numbers_whatever_zero_they_were_given(side):
    first, second = BoxCollider(side, -0.0, offset=(-0.0, 1)), BoxCollider(side, 0, offset=(0, 1))
    assert first._formed is second._formed
    assert f"BoxCollider({side}, 0.0, 0.5, offset=(0.0, 1.0, 0.0))" == repr(first) == repr(second)
    second.hy = 2
    assert (0.0, 2.0, (side, 2.0, 0.5)) == (first.hy, second.hy, (second.hx, second.hy, second.hz))
