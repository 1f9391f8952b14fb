"""The boxes of a body, its layer and its mask."""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collision import polyomino
from ecs_collision.components.base import ORIGIN, Component, Vector, layer_name, layer_set, mask_text, vector
from ecs_collision.components.box import Box, Faces, faces_around, half_extent
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import finite, flag, shown


class Collider(Component):
    """What all colliders share: layer, mask and `enabled`.

    Two solid bodies meet only if each one's layer is in the other's mask (P14); `mask=None` is every
    layer. `enabled=False` takes the body out and keeps everything else (E9).
    """

    __slots__ = ("_enabled", "_layer", "_mask")

    def _start(self, layer: str, mask: Iterable[str] | None, enabled: bool) -> None:
        name = type(self).__name__
        self._start_unbound()
        self._layer = layer_name(layer, f"{name}.layer")
        self._mask = layer_set(mask, f"{name}.mask")
        self._enabled = flag(enabled, f"{name}.enabled")

    @property
    def layer(self) -> str:
        """The name of the layer this body is on."""
        return self._layer

    @layer.setter
    def layer(self, value: str) -> None:
        checked = layer_name(value, f"{type(self).__name__}.layer", owner=self)
        self._mark()
        self._layer = checked

    @property
    def mask(self) -> frozenset[str] | None:
        """The layers this body meets; None is every layer. A bare string may be set for one layer."""
        return self._mask

    @mask.setter
    def mask(self, value: Iterable[str] | None) -> None:
        checked = layer_set(value, f"{type(self).__name__}.mask", owner=self)
        self._mark()
        self._mask = checked

    @property
    def enabled(self) -> bool:
        """Whether the body takes part at all."""
        return self._enabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        checked = flag(value, f"{type(self).__name__}.enabled", owner=self)
        self._mark()
        self._enabled = checked

    def boxes(self) -> tuple[Faces, ...]:
        """Return the boxes relative to the body, in lattice units."""
        raise NotImplementedError  # pragma: no cover - every collider has its own

    def _tail(self) -> str:
        text = "" if self._layer == "default" else f", layer={self._layer!r}"
        if self._mask is not None:
            text += f", mask={mask_text(self._mask)}"
        return text if self._enabled else text + ", enabled=False"


class BoxCollider(Collider):
    """One box around the body: half extents in world units, `offset` from the position.

    In 2D leave hz alone: every body then shares the same slab of z (L5).
    """

    __slots__ = ("_hx", "_hy", "_hz", "_offset", "_relative")
    _values = ("_hx", "_hy", "_hz", "_offset", "_relative", "_layer", "_mask", "_enabled")

    def __init__(
        self,
        hx: float,
        hy: float,
        hz: float = 0.5,
        *,
        offset: Iterable[float] = ORIGIN,
        layer: str = "default",
        mask: Iterable[str] | None = None,
        enabled: bool = True,
    ) -> None:
        self._start(layer, mask, enabled)
        self._reshape(
            half_extent(hx, "BoxCollider.hx"),
            half_extent(hy, "BoxCollider.hy"),
            half_extent(hz, "BoxCollider.hz"),
            vector(offset, "BoxCollider.offset"),
        )

    def _reshape(self, hx: float, hy: float, hz: float, offset: Vector) -> None:
        relative: tuple[Faces, ...] = (faces_around((hx, hy, hz), offset),)
        self._mark()
        self._hx, self._hy, self._hz, self._offset, self._relative = hx, hy, hz, offset, relative

    @property
    def hx(self) -> float:
        """Half the side along x."""
        return self._hx

    @hx.setter
    def hx(self, value: float) -> None:
        self._reshape(half_extent(value, "BoxCollider.hx", owner=self), self._hy, self._hz, self._offset)

    @property
    def hy(self) -> float:
        """Half the side along y."""
        return self._hy

    @hy.setter
    def hy(self, value: float) -> None:
        self._reshape(self._hx, half_extent(value, "BoxCollider.hy", owner=self), self._hz, self._offset)

    @property
    def hz(self) -> float:
        """Half the side along z; 0.5 in 2D."""
        return self._hz

    @hz.setter
    def hz(self, value: float) -> None:
        self._reshape(self._hx, self._hy, half_extent(value, "BoxCollider.hz", owner=self), self._offset)

    @property
    def offset(self) -> Vector:
        """The box's centre relative to the body's position."""
        return self._offset

    @offset.setter
    def offset(self, value: Iterable[float]) -> None:
        self._reshape(self._hx, self._hy, self._hz, vector(value, "BoxCollider.offset", owner=self))

    def boxes(self) -> tuple[Faces, ...]:
        """Return the box relative to the body, in lattice units."""
        return self._relative

    def __repr__(self) -> str:
        offset = "" if self._offset == (0.0, 0.0, 0.0) else f", offset={self._offset!r}"
        return f"BoxCollider({self._hx!r}, {self._hy!r}, {self._hz!r}{offset}{self._tail()})"


class CompoundCollider(Collider):
    """Several boxes that move as one (P8); they may overlap each other or lie apart."""

    __slots__ = ("_parts", "_relative")
    _values = ("_parts", "_relative", "_layer", "_mask", "_enabled")

    def __init__(
        self,
        parts: Iterable[Box],
        *,
        layer: str = "default",
        mask: Iterable[str] | None = None,
        enabled: bool = True,
    ) -> None:
        self._start(layer, mask, enabled)
        self._take(_boxes(parts))

    def _take(self, boxes: tuple[Box, ...]) -> None:
        # Parts with the same faces overlap, touch and block alike, so one of them stands for all.
        relative: tuple[Faces, ...] = tuple(dict.fromkeys([part.faces for part in boxes]))
        self._mark()
        self._parts, self._relative = boxes, relative

    @property
    def parts(self) -> tuple[Box, ...]:
        """The boxes; assign a new sequence to change them."""
        return self._parts

    @parts.setter
    def parts(self, value: Iterable[Box]) -> None:
        self._take(_boxes(value))

    @classmethod
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

        Cell (i, j) or (i, j, k) covers [i, i+1] * size from the position on each axis; 2D cells have z
        centred with half extent 0.5. Greedy: each box grows from the first free cell along x, then y,
        then z, so a rectangle is one box and an L two; `len(collider.parts)` says how few it found.
        """
        side = finite(size, "CompoundCollider.from_cells size", least=0.0)
        if side == 0.0:
            raise CollisionValueError("CompoundCollider.from_cells size is 0; give the side of a cell in world units")
        runs = polyomino.merge(cells)
        parts = [Box(*halves, offset=offset) for halves, offset in polyomino.placed(runs, side)]
        return cls(parts, layer=layer, mask=mask, enabled=enabled)

    def boxes(self) -> tuple[Faces, ...]:
        """Return the boxes relative to the body, in lattice units."""
        return self._relative

    def __repr__(self) -> str:
        return f"CompoundCollider({list(self._parts)!r}{self._tail()})"


def _boxes(parts: Iterable[Box]) -> tuple[Box, ...]:
    """Return the boxes of a compound, checked."""
    if isinstance(parts, Box) or not isinstance(parts, Iterable):
        raise CollisionTypeError(f"CompoundCollider.parts must be a sequence of Box, not {shown(parts)}")
    boxes = tuple(parts)
    for part in boxes:
        if not isinstance(part, Box):
            raise CollisionTypeError(
                f"CompoundCollider.parts holds {shown(part)}; give only Box(hx, hy, hz, offset=...)"
            )
    if not boxes:
        raise CollisionValueError(
            "CompoundCollider.parts is empty; give at least one Box, or set enabled=False to take the body out"
        )
    return boxes
