# cython: language_level=3, auto_pickle=False
"""The components of one body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if TYPE_CHECKING:  # whether Cython is installed or not: its decorators hide the type of a class
    from ecs_collision import _cython as cython

from ecs_collision.components.base import Component
from ecs_collision.components.colliders import Collider
from ecs_collision.components.dirty_transforms import DirtyTransforms
from ecs_collision.components.dynamics import Mass, Material, Velocity
from ecs_collision.components.fields import Bound
from ecs_collision.components.forces import Inertia, Motion
from ecs_collision.components.movement import Carries, Character, Grips, Lifetime, Mover, OneWay, Path
from ecs_collision.components.states import Contact, Fused, Sleeping, Static, Trigger
from ecs_collision.components.transform import Transform

NO_OTHERS: tuple[None, ...] = (None,) * 12
"""The rarer components of a body that has none of them."""


@cython.no_gc
@cython.final
@cython.cclass
class Parts:
    """The components of one body; None for those it does not have. Immutable, equal if all components are the same.

    Every body has one, so the rarer components are in a tuple that all bodies without them share.
    """

    __slots__ = ("collider", "inertia", "motion", "others", "sleeping", "static", "transform", "trigger")

    def __init__(
        self,
        transform: Transform | None,
        collider: Collider | None,
        inertia: Inertia | None = None,
        motion: Motion | None = None,
        sleeping: Sleeping | None = None,
        static: Static | None = None,
        trigger: Trigger | None = None,
        fused: Fused | None = None,
        velocity: Velocity | None = None,
        mass: Mass | None = None,
        material: Material | None = None,
        contact: Contact | None = None,
        mover: Mover | None = None,
        character: Character | None = None,
        one_way: OneWay | None = None,
        carries: Carries | None = None,
        grips: Grips | None = None,
        path: Path | None = None,
        lifetime: Lifetime | None = None,
    ) -> None:
        self.transform, self.collider, self.inertia, self.motion = transform, collider, inertia, motion
        self.sleeping, self.static, self.trigger = sleeping, static, trigger
        self.others: tuple[Any, ...] = NO_OTHERS
        others = (fused, velocity, mass, material, contact, mover, character, one_way, carries, grips, path, lifetime)
        for part in others:
            if part is not None:
                self.others = others
                break

    def bind(self, entity: cython.longlong, row: cython.int, dirty_transforms: DirtyTransforms) -> cython.void:
        """Bind all components to a row of a world."""
        first = (self.transform, self.collider, self.inertia, self.motion, self.sleeping, self.static, self.trigger)
        for component in first:
            if component is not None:
                cython.cast(Bound, component)._bind(entity, row, dirty_transforms)
        if self.others is not NO_OTHERS:
            for component in self.others:
                if component is not None:
                    cython.cast(Bound, component)._bind(entity, row, dirty_transforms)

    @property
    def fused(self) -> Fused | None:
        """The Fused of the body."""
        return self.others[0]  # type: ignore[no-any-return]

    @property
    def velocity(self) -> Velocity | None:
        """The Velocity of the body."""
        return self.others[1]  # type: ignore[no-any-return]

    @property
    def mass(self) -> Mass | None:
        """The Mass of the body."""
        return self.others[2]  # type: ignore[no-any-return]

    @property
    def material(self) -> Material | None:
        """The Material of the body."""
        return self.others[3]  # type: ignore[no-any-return]

    @property
    def contact(self) -> Contact | None:
        """The Contact of the body."""
        return self.others[4]  # type: ignore[no-any-return]

    @property
    def mover(self) -> Mover | None:
        """The Mover of the body."""
        return self.others[5]  # type: ignore[no-any-return]

    @property
    def character(self) -> Character | None:
        """The Character of the body."""
        return self.others[6]  # type: ignore[no-any-return]

    @property
    def one_way(self) -> OneWay | None:
        """The OneWay of the body."""
        return self.others[7]  # type: ignore[no-any-return]

    @property
    def carries(self) -> Carries | None:
        """The Carries of the body."""
        return self.others[8]  # type: ignore[no-any-return]

    @property
    def grips(self) -> Grips | None:
        """The Grips of the body."""
        return self.others[9]  # type: ignore[no-any-return]

    @property
    def path(self) -> Path | None:
        """The Path of the body."""
        return self.others[10]  # type: ignore[no-any-return]

    @property
    def lifetime(self) -> Lifetime | None:
        """The Lifetime of the body."""
        return self.others[11]  # type: ignore[no-any-return]

    @classmethod
    def of(cls, components: Iterable[Component]) -> Self:
        """Return the components by kind; Transform and collider may be missing."""
        found: dict[str, Any] = {"transform": None, "collider": None}
        return cls(**found | {part_of(type(each)): each for each in components})

    def _replace(self, **parts: Any) -> Parts:
        """Return these components with others in their place, by field, as a named tuple does."""
        return Parts(**dict(zip(FIELDS, self.all, strict=True)) | parts)

    @property
    def all(self) -> tuple[Any, ...]:
        """All components, in the order of `BODY_KINDS`; None for those the body does not have."""
        first = (self.transform, self.collider, self.inertia, self.motion, self.sleeping, self.static, self.trigger)
        return (*first, *self.others)

    def __iter__(self) -> Iterator[Any]:
        """Iterate `all`."""
        return iter(self.all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parts) and all(a is b for a, b in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return f"Parts({', '.join([repr(part) for part in self if part is not None])})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Parts, self.all)


def part_of(kind: type[Component]) -> str:
    """Return the field of `Parts` for a component class."""
    if issubclass(kind, Collider):
        return "collider"
    return "one_way" if kind is OneWay else kind.__name__.lower()


BODY_KINDS: tuple[type[Component], ...] = (
    *(Transform, Collider, Inertia, Motion, Sleeping, Static, Trigger, Fused),
    *(Velocity, Mass, Material, Contact),
    *(Mover, Character, OneWay, Carries, Grips, Path, Lifetime),
)
"""The class of each field of `Parts`."""

FIELDS: tuple[str, ...] = ("transform", "collider", *map(part_of, BODY_KINDS[2:]))
"""The fields of `Parts`."""
