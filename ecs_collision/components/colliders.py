"""Colliders: the boxes of a body, its layer and its mask."""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collision import polyomino
from ecs_collision.components.base import ORIGIN, Component, Vector, layer_name, layer_set, vector
from ecs_collision.components.box import Box, Faces, faces_around, half_extent
from ecs_collision.components.schema import Field, component, field, slots
from ecs_collision.errors import CollisionTypeError, CollisionValueError, LatticeWarning, explained, warn_caller
from ecs_collision.fixed_point import finite, flag, shown
from ecs_collision.lattice_warning import ADVICE, collected_roundings


@component
class Collider(Component):
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
    __slots__ = slots(vars(), "_relative")
    _derived = ("_relative",)

    def boxes(self) -> tuple[Faces, ...]:
        """Return the boxes relative to the body, in lattice units."""
        raise NotImplementedError  # pragma: no cover - every collider overrides it


@component
class BoxCollider(Collider):
    """One box: half extents in world units, and the `offset` of its centre from the position of the body.

    In 2D leave `hz` at its default: then all bodies have the same z range (L5).
    """

    hx: Field[float, float] = field(half_extent, "Half the side along x.", repr_style="value", writer="_reshape")
    hy: Field[float, float] = field(half_extent, "Half the side along y.", repr_style="value", writer="_reshape")
    hz: Field[float, float] = field(
        half_extent, "Half the side along z; 0.5 in 2D.", default=0.5, repr_style="value", writer="_reshape"
    )
    offset: Field[Vector, Iterable[float]] = field(
        vector,
        "The centre of the box relative to the position of the body.",
        default=ORIGIN,
        kw_only=True,
        writer="_reshape",
    )
    __slots__ = slots(vars())

    def _reshape(self, hx: float, hy: float, hz: float, offset: Vector) -> None:
        relative: tuple[Faces, ...] = (faces_around(self, (hx, hy, hz), offset),)
        self._note_write()
        self._hx, self._hy, self._hz, self._offset, self._relative = hx, hy, hz, offset, relative

    def boxes(self) -> tuple[Faces, ...]:
        """Return the box relative to the body, in lattice units."""
        return self._relative


def boxes_of(parts: Iterable[Box], where: str, owner: object = None) -> tuple[Box, ...]:
    """Return the boxes of a compound as a checked tuple."""
    if isinstance(parts, Box) or not isinstance(parts, Iterable):
        raise CollisionTypeError(f"{where} must be a sequence of Box, not {shown(parts)}")
    boxes = tuple(parts)
    for part in boxes:
        if not isinstance(part, Box):
            raise CollisionTypeError(f"{where} holds {shown(part)}; give only Box(hx, hy, hz, offset=...)")
    if not boxes:
        raise CollisionValueError(f"{where} is empty; give at least one Box, or set enabled=False to disable the body")
    return boxes


@component
class CompoundCollider(Collider):
    """Several boxes that move as one (P8); they may overlap each other or lie apart."""

    parts: Field[tuple[Box, ...], Iterable[Box]] = field(
        boxes_of, "The boxes; assign a new sequence to change them.", repr_style="value", writer="_take"
    )
    __slots__ = slots(vars())

    def _take(self, boxes: tuple[Box, ...]) -> None:
        # Boxes with equal faces overlap, touch and block alike, so one of them is enough.
        relative: tuple[Faces, ...] = tuple(dict.fromkeys([part.faces for part in boxes]))
        self._note_write()
        self._parts, self._relative = boxes, relative

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

    def boxes(self) -> tuple[Faces, ...]:
        """Return the boxes relative to the body, in lattice units."""
        return self._relative
