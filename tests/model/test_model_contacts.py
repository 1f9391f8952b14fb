"""Contacts of the reference model, by cases computed by hand (rules C1 to C5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.model.model import Body, Contact, Model, Refused, Trigger
from tests.model.normals import Normals
from tests.model.shapes import Given

UP, DOWN, LEFT, RIGHT = (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)


def box(id: int, x: float, y: float = 0.0, half: float = 0.5, **more: Any) -> Body:
    """Return a square of 2D."""
    more = {"transform": id, "collider": id} | more
    return Body(id, (x, y, 0.0), ((half, half, 0.5, 0.0, 0.0, 0.0),), **more)


def asking(id: int, x: float, y: float = 0.0, linger: int = 0, mask: Any = None, **more: Any) -> Body:
    """Return a square that reports what it touches."""
    return box(id, x, y, contact=Contact(linger, mask), **more)


def play(*frames: list[Body], model: Model | None = None) -> list[list[tuple[Any, ...]]]:
    """Return the events of contacts of each frame."""
    model = model or Model()
    found = []
    for bodies in frames:
        model.apply_changes(bodies)
        found.append([event for event in model.step() if event[0].startswith("Contact")])
    return found


def began(a: int, b: int, normal: Any) -> tuple[Any, ...]:
    return ("ContactBegan", a, b, normal)


def ended(a: int, b: int, reason: str) -> tuple[Any, ...]:
    return ("ContactEnded", a, b, reason)


def test_the_picture_of_C1():
    wall = box(2, 3.5, half=1)
    assert [[], [], [began(1, 2, RIGHT)], [ended(1, 2, "MOVED")]] == play(
        [asking(1, 0), wall], [asking(1, 0), wall], [asking(1, 2), wall], [asking(1, 1.5), wall]
    )


def test_both_bodies_that_ask_report_once_each_way_C1():
    both = [asking(1, 0), asking(2, 1)]
    assert [[began(1, 2, RIGHT), began(2, 1, LEFT)], [], []] == play(both, both, both)


def test_edges_and_corners_are_no_contact_C2():
    assert [[]] == play([asking(1, 0), box(2, 1, 1), box(3, -1, -1)])


STILL, OTHER = asking(1, 0), box(2, 1)
CHANGES: dict[str, tuple[list[Body], str]] = {
    "moved": ([STILL, box(2, 5)], "MOVED"),
    "deleted": ([STILL], "DELETED"),
    "asking body deleted": ([OTHER], "DELETED"),
    "Contact removed": ([box(1, 0), OTHER], "DELETED"),
    "disabled": ([STILL, replace(OTHER, enabled=False)], "DISABLED"),
    "asking body disabled": ([replace(STILL, enabled=False), OTHER], "DISABLED"),
    "other layer": ([replace(STILL, contact=Contact(0, frozenset("x"))), OTHER], "FILTERED"),
    "may not meet": ([STILL, replace(OTHER, mask=frozenset())], "FILTERED"),
    "a trigger now": ([STILL, replace(OTHER, trigger=Trigger())], "FILTERED"),
    "both static": ([replace(STILL, static=True), replace(OTHER, static=True)], "FILTERED"),
    "fused to the other": ([replace(STILL, fused=2), OTHER], "FILTERED"),
    "disabled and moved": ([STILL, replace(box(2, 5), enabled=False)], "DISABLED"),
    "filtered and moved": ([STILL, box(2, 5, mask=frozenset())], "FILTERED"),
}


@pytest.mark.parametrize(("bodies", "reason"), CHANGES.values(), ids=CHANGES)
def test_every_cause_of_an_end_C3(bodies, reason):
    assert [[began(1, 2, RIGHT)], [ended(1, 2, reason)], []] == play([STILL, OTHER], bodies, bodies)


def test_a_new_body_under_the_same_id_is_another_contact_C3():
    again = replace(OTHER, transform="new", collider="new")
    assert [[began(1, 2, RIGHT)], [ended(1, 2, "DELETED"), began(1, 2, RIGHT)]] == play([STILL, OTHER], [STILL, again])


def test_linger_keeps_a_contact_and_only_MOVED_lingers_C3():
    here, gone = [asking(1, 0, linger=2), box(2, 1)], [asking(1, 0, linger=2), box(2, 5)]
    assert [[began(1, 2, RIGHT)], [], [], [ended(1, 2, "MOVED")]] == play(here, gone, gone, gone)
    assert [[began(1, 2, RIGHT)], [], [], [], [], [ended(1, 2, "MOVED")]] == play(here, gone, here, gone, gone, gone)
    off = [asking(1, 0, linger=2), box(2, 5, enabled=False)]
    assert [[began(1, 2, RIGHT)], [], [ended(1, 2, "DISABLED")]] == play(here, gone, off)


def test_the_last_frame_is_fixed_when_the_body_is_lost_C3():
    here, gone = [asking(1, 0, linger=1), box(2, 1)], [asking(1, 0, linger=1), box(2, 5)]
    now = [asking(1, 0), box(2, 5)]
    assert [[began(1, 2, RIGHT)], [], [ended(1, 2, "MOVED")]] == play(here, gone, now)
    longer = [asking(1, 0, linger=9), box(2, 5)]
    assert [[began(1, 2, RIGHT)], [], [ended(1, 2, "MOVED")]] == play(here, gone, longer)
    model = Model()
    play(here, gone, model=model)
    assert [2] == model.contacts_of(1), "lingering included (C5)"
    play(now, model=model)
    assert [] == model.contacts_of(1)


def test_a_group_is_named_by_its_root_and_the_lowest_member_has_the_normal_C2():
    parts = [asking(9, 0), box(1, 5), box(2, 0, 1, fused=1), box(3, 1, 0, fused=1)]
    assert [[began(9, 1, DOWN)]] == play(parts)
    trigger = [*parts[:1], box(1, 5, trigger=Trigger()), *parts[2:]]
    assert [[began(9, 1, DOWN)]] == play(trigger), "also if the root is a trigger"
    own = [replace(parts[0], fused=1), *parts[1:]]
    assert [[]] == play(own), "a body reports nothing of its own group"


def test_the_axis_of_least_depth_and_the_deepest_pair_has_the_normal_C4():
    assert [[began(1, 2, UP)]] == play([asking(1, 0), box(2, 0.25, -0.5)])
    assert [[began(1, 2, RIGHT)]] == play([asking(1, 0), box(2, 0.5, -0.5)]), "x before y"
    double = Body(2, (0.0, 0.0, 0.0), ((0.5, 0.5, 0.5, 1.0, 0.0, 0.0), (0.5, 0.5, 0.5, 0.0, -0.75, 0.0)))
    assert [[began(1, 2, UP)]] == play([asking(1, 0), double])
    equal = Body(2, (0.0, 0.0, 0.0), ((0.5, 0.5, 0.5, 0.0, 1.0, 0.0), (0.5, 0.5, 0.5, 1.0, 0.0, 0.0)))
    assert [[began(1, 2, DOWN)]] == play([asking(1, 0), equal]), "the first of equal parts"


def test_the_normal_of_a_round_part_is_that_between_the_cores_C4():
    ball = Body(2, (1.5, 2.0, 0.0), (), others=(Given("sphere", radius=2.0),))
    (((_, _, _, normal),),) = play([asking(1, 0), ball])
    assert normal == (1.0 / 3.25**0.5, 1.5 / 3.25**0.5, 0.0)
    assert normal != (0.6, 0.8, 0.0)
    touching = Body(2, (3.5, 4.5, 0.0), (), others=(Given("sphere", radius=5.0),))
    assert [[began(1, 2, (0.6, 0.8, 0.0))]] == play([asking(1, 0), touching])


def test_normals_are_equal_to_vectors_near_one_of_them():
    normals = Normals((((1.0, 0.0, 0.0), 0.0), ((0.6, 0.8, 0.0), 1e-9)))
    assert normals == (1.0, 0.0, 0.0) == normals
    assert normals == (0.6 + 1e-10, 0.8, 0.0)
    assert normals != (1.0, 1e-12, 0.0)
    assert normals != (0.6 + 1e-8, 0.8, 0.0)
    assert normals != "x"
    assert "(1.0, 0.0, 0.0)" == repr(normals)


def test_touching_on_a_side_C5():
    model = Model()
    ball = Body(5, (-1.0, 0.0, 0.0), (), others=(Given("sphere", radius=0.5),))
    model.apply_changes([box(1, 0), box(2, 1), box(3, 0.5, 1), box(4, 0.25, -0.75), ball])
    sides = {side: model.touching_on(1, side) for side in ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1))}
    assert {(0, 1): [2], (0, -1): [5], (1, 1): [3], (1, -1): [], (2, 1): []} == sides


def test_a_contact_beside_a_trigger_is_refused_C2():
    with pytest.raises(Refused, match="body 1 is a trigger, with a contact"):
        Model().apply_changes([asking(1, 0, trigger=Trigger())])


def test_a_restore_brings_contacts_back_N1():
    here, gone = [asking(1, 0, linger=1), box(2, 1)], [asking(1, 0, linger=1), box(2, 5)]
    model = Model()
    play(here, gone, model=model)
    saved = model.snapshot()
    assert [[ended(1, 2, "MOVED")]] == play(gone, model=model)
    model.restore(saved, gone)
    assert [2] == model.contacts_of(1)
    assert [[ended(1, 2, "MOVED")]] == play(gone, model=model)
