"""The components of one body as a value."""

from __future__ import annotations

import pickle

import pytest

from ecs_collision.components import BODY_KINDS, BoxCollider, Fused, Inertia, Parts, Transform
from ecs_collision.components.parts import FIELDS


def test_the_components_are_read_by_name_and_iterated_in_the_order_of_the_kinds():
    transform, collider, fused = Transform(1, 2), BoxCollider(0.5, 0.5), Fused(to=3)
    parts = Parts(transform, collider, fused=fused)
    assert [getattr(parts, field) for field in FIELDS] == list(parts)
    assert [part for part in parts if part is not None] == [transform, collider, fused]
    assert len(FIELDS) == len(BODY_KINDS) == len(parts.all)


def test_parts_are_equal_if_all_components_are_the_same():
    parts = Parts(Transform(1, 2), BoxCollider(0.5, 0.5))
    assert parts == Parts(parts.transform, parts.collider)
    assert parts != Parts(parts.transform, BoxCollider(0.5, 0.5))
    assert parts != (parts.transform, parts.collider)


def test_replacing_a_component_leaves_the_others_and_the_original():
    parts, inertia = Parts(Transform(1, 2), BoxCollider(0.5, 0.5), fused=Fused(to=3)), Inertia(2)
    other = parts._replace(inertia=inertia, fused=None)
    assert (other.transform, other.collider, other.inertia, other.fused) == (
        parts.transform, parts.collider, inertia, None,
    )  # fmt: skip
    assert parts.fused is not None
    assert not other.has_rare


def test_parts_are_pickled_and_shown_with_their_components():
    parts = Parts(Transform(1, 2), BoxCollider(0.5, 0.5), fused=Fused(to=3))
    assert repr(parts) == "Parts(Transform(1.0, 2.0, 0.0), BoxCollider(0.5, 0.5, 0.5), Fused(to=3))"
    assert repr(pickle.loads(pickle.dumps(parts))) == repr(parts)


def test_parts_are_immutable():
    with pytest.raises(AttributeError):
        Parts(None, None).surplus = None  # type: ignore[attr-defined]
