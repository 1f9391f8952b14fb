"""Colliders: the parts of a body, its layer and its mask."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter

from ecs_collision import polyomino
from ecs_collision.components.base import Component
from ecs_collision.components.box import Box, faces_and_numbers, half_extent
from ecs_collision.components.checks import ORIGIN, Vector, axis_name, layer_name, layer_set, vector
from ecs_collision.components.fields import ColliderFields
from ecs_collision.components.schema import Field, component, field, slots
from ecs_collision.components.turning_parts import (
    Capsule,
    OrientedBox,
    Sphere,
    capsule,
    oriented_box,
    sphere,
)
from ecs_collision.errors import CollisionTypeError, CollisionValueError, LatticeWarning, explained, warn_caller
from ecs_collision.fixed_point import Axis, finite, flag, shown
from ecs_collision.lattice_warning import ADVICE, Number, collected_roundings, warn_of_rounding
from ecs_collision.shapes.bounds import Form, Formed, FormedBox, TurningPart, formed_of
from ecs_collision.shapes.part import Faces
from ecs_collision.shapes.rotation import Rotation

PART_KINDS = (Box, Sphere, Capsule, OrientedBox)
"""The parts that a compound may have. Snapshots number them in this order, so add new ones at the end."""

AnyPart = Box | Sphere | Capsule | OrientedBox


OFFSET = "The centre relative to the position of the body."


@component
class Collider(ColliderFields, Component):
    """Base class of colliders: layer, mask and `enabled`.

    Two solid bodies block each other only if the layer of each is in the mask of the other (P14); `mask=None` is every
    layer. `enabled=False` disables the body and keeps everything else (E9).
    """

    layer: Field[str, str] = field(
        layer_name, "The name of the layer this body is on.", default="default", kw_only=True
    )
    mask: Field[frozenset[str] | None, Iterable[str] | None] = field(
        layer_set, "The layers this body meets; None is every layer. A single string is one layer.",
        default=None, kw_only=True,
    )  # fmt: skip
    enabled: Field[bool, bool] = field(flag, "Whether the body collides at all.", default=True, kw_only=True)
    __slots__ = ()  # the slots are those of ColliderFields, which is compiled
    _derived = ("_formed",)

    def _take_solids(self, solids: tuple[Faces | TurningPart, ...] | None, boxes: tuple[Faces, ...] = ()) -> None:
        """Store the parts before they are turned, None if none of them turns: then they are `boxes`."""
        formed = formed_of(boxes) if solids is None else Formed(solids)
        self._note_write()
        self._formed = formed

    @property
    def _solids(self) -> tuple[Faces | TurningPart, ...] | None:
        """The parts before they are turned, None if none of them turns."""
        return self._formed.source

    def _form(self, rotation: Rotation = None) -> Form:
        """Return the form of a body with this rotation: the same object as before for the same rotation."""
        return self._formed.form_of(rotation)


def offset_of(value: Iterable[float], where: str, owner: object = None) -> Vector:
    """Return an offset without -0.0, so that equal offsets are the same ones."""
    x, y, z = vector(value, where, owner=owner)
    return (x + 0.0, y + 0.0, z + 0.0)


@lru_cache(maxsize=1024)
def box_of(halves: Vector, offset: Vector) -> tuple[FormedBox, tuple[Number, ...]]:
    """Return the form of a box, mostly the same for equal ones, and its numbers if one may be off the lattice."""
    faces, numbers = faces_and_numbers(halves, offset)
    return FormedBox(halves, offset, faces), numbers


@component
class BoxCollider(Collider):
    """One box: half extents in world units, and the `offset` of its centre from the position of the body.

    In 2D leave `hz` at its default: then all bodies have the same z range (L5). Equal boxes share their numbers.
    """

    hx: Field[float, float] = field(half_extent, "Half the side along x.", repr_style="value", writer="_reshape")
    hy: Field[float, float] = field(half_extent, "Half the side along y.", repr_style="value", writer="_reshape")
    hz: Field[float, float] = field(
        half_extent, "Half the side along z; 0.5 in 2D.", default=0.5, repr_style="value", writer="_reshape"
    )
    offset: Field[Vector, Iterable[float]] = field(offset_of, OFFSET, default=ORIGIN, kw_only=True, writer="_reshape")
    __slots__ = ()
    _hx, _hy, _hz, _offset = (property(attrgetter(f"_formed.{name}")) for name in ("hx", "hy", "hz", "offset"))

    def _reshape(self, hx: float, hy: float, hz: float, offset: Vector) -> None:
        formed, numbers = box_of((hx, hy, hz), offset)
        if numbers:
            warn_of_rounding(self, numbers)
        self._note_write()
        self._formed = formed


@component
class SphereCollider(Collider):
    """One sphere, in 2D a circle: its radius in world units, and the `offset` of its centre from the body's position.

    Pushes, triggers and queries use the sphere itself; the bounds of the world stop the box around it (H4).
    """

    radius: Field[float, float] = field(
        half_extent, "The distance from the centre to the surface.", repr_style="value", writer="_reshape"
    )
    offset: Field[Vector, Iterable[float]] = field(vector, OFFSET, default=ORIGIN, kw_only=True, writer="_reshape")
    __slots__ = slots(vars())

    def _reshape(self, radius: float, offset: Vector) -> None:
        self._take_solids((sphere(self, radius, offset),))
        self._radius, self._offset = radius, offset


@component
class CapsuleCollider(Collider):
    """One capsule, in 2D a stadium: all points within `radius` of a segment along an axis, in world units.

    The segment reaches `half_length` to both sides of its centre. `Transform.rotation` turns it. Pushes, triggers
    and queries use the capsule itself; the bounds of the world stop the box around it (H4).
    """

    radius: Field[float, float] = field(
        half_extent, "The distance from the segment to the surface.", repr_style="value", writer="_reshape"
    )
    half_length: Field[float, float] = field(
        half_extent, "Half the length of the segment, without the round ends.", repr_style="value", writer="_reshape"
    )
    axis: Field[Axis, Axis] = field(
        axis_name, 'The axis of the segment, "x", "y" or "z".', default="y", repr_style="value", writer="_reshape"
    )
    offset: Field[Vector, Iterable[float]] = field(vector, OFFSET, default=ORIGIN, kw_only=True, writer="_reshape")
    __slots__ = slots(vars())

    def _reshape(self, radius: float, half_length: float, axis: Axis, offset: Vector) -> None:
        self._take_solids((capsule(self, radius, half_length, axis, offset),))
        self._radius, self._half_length, self._axis, self._offset = radius, half_length, axis, offset


@component
class OrientedBoxCollider(Collider):
    """One box that `Transform.rotation` turns: half extents in world units, and the `offset` of its centre.

    Pushes, triggers and queries use the turned box itself; the bounds of the world stop the box around it (H4).
    """

    hx: Field[float, float] = field(half_extent, "Half the side along x.", repr_style="value", writer="_reshape")
    hy: Field[float, float] = field(half_extent, "Half the side along y.", repr_style="value", writer="_reshape")
    hz: Field[float, float] = field(
        half_extent, "Half the side along z; 0.5 in 2D.", default=0.5, repr_style="value", writer="_reshape"
    )
    offset: Field[Vector, Iterable[float]] = field(vector, OFFSET, default=ORIGIN, kw_only=True, writer="_reshape")
    __slots__ = slots(vars())

    def _reshape(self, hx: float, hy: float, hz: float, offset: Vector) -> None:
        self._take_solids((oriented_box(self, (hx, hy, hz), offset),))
        self._hx, self._hy, self._hz, self._offset = hx, hy, hz, offset


def checked_parts(parts: Iterable[AnyPart], where: str, owner: object = None) -> tuple[AnyPart, ...]:
    """Return the parts of a compound as a checked tuple."""
    if isinstance(parts, PART_KINDS) or not isinstance(parts, Iterable):
        raise CollisionTypeError(
            f"{where} must be a sequence of parts, not {shown(parts)}; give a list, such as [Box(1, 1), Sphere(0.5)]"
        )
    found = tuple(parts)
    for part in found:
        if not isinstance(part, PART_KINDS):
            raise CollisionTypeError(
                f"{where} holds {shown(part)}; a part is a Box(hx, hy, hz, offset=...), Sphere, Capsule or OrientedBox"
            )
    if not found:
        raise CollisionValueError(f"{where} is empty; give at least one part, or set enabled=False to disable the body")
    return found


@component
class CompoundCollider(Collider):
    """Several parts that move as one (P8), of any kinds; they may overlap each other or lie apart."""

    parts: Field[tuple[AnyPart, ...], Iterable[AnyPart]] = field(
        checked_parts, "The parts; assign a new sequence to change them.", repr_style="value", writer="_take"
    )
    __slots__ = slots(vars())

    def _take(self, parts: tuple[AnyPart, ...]) -> None:
        # Boxes with equal faces overlap, touch and block alike, so one of them is enough.
        boxes = dict.fromkeys([part.faces for part in parts if isinstance(part, Box)])
        if all(isinstance(part, Box) for part in parts):
            self._take_solids(None, tuple(boxes))
        else:
            self._take_solids(tuple([part.faces if isinstance(part, Box) else part._turning for part in parts]))
        self._parts = parts

    @classmethod
    @explained("CompoundCollider.from_cells(cells, size=1.0, layer='default', mask=None, enabled=True)")
    def from_cells(
        cls,
        cells: Iterable[tuple[int, ...]],
        size: float = 1.0,
        *,
        layer: str = "default",
        mask: Iterable[str] | None = None,
        enabled: bool = True,
    ) -> CompoundCollider:
        """Return a compound of the cells of a polyomino or voxel set, merged into few boxes.

        Cell (i, j) or (i, j, k) covers [i, i+1] * size from the position on each axis; 2D cells are
        centred on z = 0 with half extent 0.5. The merge is greedy: each box grows from the first free cell
        along x, then y, then z. A rectangle becomes one box, an L two; see `len(collider.parts)`.
        """
        side = finite(size, "CompoundCollider.from_cells size", minimum=0.0)
        if side == 0.0:
            raise CollisionValueError("CompoundCollider.from_cells size is 0; give the side of a cell in world units")
        runs = polyomino.merge(cells)
        with collected_roundings() as rounded:
            parts = [Box(*halves, offset=offset) for halves, offset in polyomino.placed(runs, side)]
        if rounded:
            warn_caller(f"CompoundCollider.from_cells with size {side!r}: {rounded[0]}; {ADVICE}", LatticeWarning)
        return cls(parts, layer=layer, mask=mask, enabled=enabled)
