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

FIRST_RARE = 7
"""The place of the first of the rarer components: see `Parts.has_rare`."""


@cython.no_gc
@cython.final
@cython.cclass
class Parts:
    """The components of one body; None for those it does not have. Immutable, equal if all components are the same.

    Every body has one, so it only holds those that the body has: `rest` without Transform and collider, in the order of
    `FIELDS`. Bit n of `kinds` says whether the body has the component at place n.
    """

    __slots__ = ("collider", "kinds", "rest", "transform")

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
        self.transform, self.collider = transform, collider
        first = (transform, collider, inertia, motion, sleeping, static, trigger, fused, velocity, mass, material)
        others = (contact, mover, character, one_way, carries, grips, path, lifetime)
        rest: list[Any] = []
        kinds: cython.int = 0
        bit: cython.int = 1
        for part in first + others:
            if part is not None:
                kinds |= bit
                if bit > 2:
                    rest.append(part)
            bit <<= 1
        self.rest: tuple[Any, ...] = tuple(rest)
        self.kinds = kinds

    def bind(self, row: cython.int, dirty_transforms: DirtyTransforms) -> None:
        """Bind all components to a row of a world."""
        cython.cast(Bound, self.transform)._bind(row, dirty_transforms)
        cython.cast(Bound, self.collider)._bind(row, dirty_transforms)
        for component in self.rest:
            cython.cast(Bound, component)._bind(row, dirty_transforms)

    @property
    def has_rare(self) -> bool:
        """Whether the body has any component from Fused on."""
        return bool(self.kinds >> FIRST_RARE)

    @property
    def inertia(self) -> Inertia | None:
        """The Inertia of the body."""
        return part_at(self, 2)  # type: ignore[no-any-return]

    @property
    def motion(self) -> Motion | None:
        """The Motion of the body."""
        return part_at(self, 3)  # type: ignore[no-any-return]

    @property
    def sleeping(self) -> Sleeping | None:
        """The Sleeping of the body."""
        return part_at(self, 4)  # type: ignore[no-any-return]

    @property
    def static(self) -> Static | None:
        """The Static of the body."""
        return part_at(self, 5)  # type: ignore[no-any-return]

    @property
    def trigger(self) -> Trigger | None:
        """The Trigger of the body."""
        return part_at(self, 6)  # type: ignore[no-any-return]

    @property
    def fused(self) -> Fused | None:
        """The Fused of the body."""
        return part_at(self, 7)  # type: ignore[no-any-return]

    @property
    def velocity(self) -> Velocity | None:
        """The Velocity of the body."""
        return part_at(self, 8)  # type: ignore[no-any-return]

    @property
    def mass(self) -> Mass | None:
        """The Mass of the body."""
        return part_at(self, 9)  # type: ignore[no-any-return]

    @property
    def material(self) -> Material | None:
        """The Material of the body."""
        return part_at(self, 10)  # type: ignore[no-any-return]

    @property
    def contact(self) -> Contact | None:
        """The Contact of the body."""
        return part_at(self, 11)  # type: ignore[no-any-return]

    @property
    def mover(self) -> Mover | None:
        """The Mover of the body."""
        return part_at(self, 12)  # type: ignore[no-any-return]

    @property
    def character(self) -> Character | None:
        """The Character of the body."""
        return part_at(self, 13)  # type: ignore[no-any-return]

    @property
    def one_way(self) -> OneWay | None:
        """The OneWay of the body."""
        return part_at(self, 14)  # type: ignore[no-any-return]

    @property
    def carries(self) -> Carries | None:
        """The Carries of the body."""
        return part_at(self, 15)  # type: ignore[no-any-return]

    @property
    def grips(self) -> Grips | None:
        """The Grips of the body."""
        return part_at(self, 16)  # type: ignore[no-any-return]

    @property
    def path(self) -> Path | None:
        """The Path of the body."""
        return part_at(self, 17)  # type: ignore[no-any-return]

    @property
    def lifetime(self) -> Lifetime | None:
        """The Lifetime of the body."""
        return part_at(self, 18)  # type: ignore[no-any-return]

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
        return (self.transform, self.collider, *[part_at(self, place) for place in range(2, len(FIELDS))])

    @property
    def present(self) -> tuple[Any, ...]:
        """The components that the body has, in the order of `FIELDS`."""
        return tuple([part for part in (self.transform, self.collider, *self.rest) if part is not None])

    def __iter__(self) -> Iterator[Any]:
        """Iterate `all`."""
        return iter(self.all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parts) and all(a is b for a, b in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return f"Parts({', '.join(map(repr, self.present))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Parts, self.all)


@cython.cfunc
def part_at(parts: Parts, place: cython.int) -> object:
    """Return the component at a place of `FIELDS`, from the third on; None without one."""
    before: cython.int = parts.kinds >> 2 & ((1 << place - 2) - 1)
    at: cython.Py_ssize_t = 0
    if not parts.kinds >> place & 1:
        return None
    while before:
        before &= before - 1
        at += 1
    return parts.rest[at]


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
