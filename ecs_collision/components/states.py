"""What a body is besides: a sleeper, a static, a trigger, a part of a larger body."""

from __future__ import annotations

from collections.abc import Iterable

from ecs_collision.components.base import Component, layer_set, mask_text
from ecs_collision.fixed_point import flag, whole


class Sleeping(Component):
    """Lets a body rest: `asleep` is the state, `after` the number of quiet frames before it rests.

    Sleeping saves work and changes nothing else (S1). A body wakes in the frame in which it is
    displaced, teleported or resized, or its collider, layer, inertia or trigger changes (S4).
    """

    __slots__ = ("_after", "_asleep")
    _values = ("_asleep", "_after")

    def __init__(self, asleep: bool = False, after: int = 30) -> None:
        self._start_unbound()
        self._asleep = flag(asleep, "Sleeping.asleep")
        self._after = whole(after, "Sleeping.after", least=1)

    @property
    def asleep(self) -> bool:
        """Whether the body rests; may be set."""
        return self._asleep

    @asleep.setter
    def asleep(self, value: bool) -> None:
        checked = flag(value, "Sleeping.asleep", owner=self)
        self._mark()
        self._asleep = checked

    @property
    def after(self) -> int:
        """How many quiet frames come before rest."""
        return self._after

    @after.setter
    def after(self, value: int) -> None:
        checked = whole(value, "Sleeping.after", owner=self, least=1)
        self._mark()
        self._after = checked

    def __repr__(self) -> str:
        return f"Sleeping(asleep={self._asleep!r}, after={self._after!r})"


class Static(Component):
    """Marks a body that never moves of itself; it is kept apart and costs a frame nothing (B6)."""

    __slots__ = ()

    def __init__(self) -> None:
        self._start_unbound()

    def __repr__(self) -> str:
        return "Static()"


class Fused(Component):
    """Welds this entity's body to that of the entity `to`: they move as one.

    All bodies connected so are one group. Touching any of them pushes the group, the part that can move least
    decides, and its inertia is the largest of its solid members' (one without Inertia makes it immovable to
    others). Adding the component joins, removing it splits, assigning `to` does both. Results and events name
    the group by its root, the member that is fused to nobody. A disabled member is out until it is enabled.
    Writing the Transform of a member moves it alone: the weld is of motion, not of place.
    """

    __slots__ = ("_to",)
    _values = ("_to",)

    def __init__(self, to: int) -> None:
        self._start_unbound()
        self._to = whole(to, "Fused.to", least=0)

    @property
    def to(self) -> int:
        """The entity to which this one is welded."""
        return self._to

    @to.setter
    def to(self, value: int) -> None:
        checked = whole(value, "Fused.to", owner=self, least=0)
        self._mark()
        self._to = checked

    def __repr__(self) -> str:
        return f"Fused(to={self._to!r})"


class Trigger(Component):
    """Makes a body report who comes and goes instead of blocking (rules T).

    mask: the layers it reports (None: all). touching: touching counts too (T2). swept: reports what
    crossed it within one frame (T4). stay: gives TriggerStayed every frame. linger: frames a contact is
    kept after it was last seen (T5).
    """

    __slots__ = ("_enabled", "_linger", "_mask", "_stay", "_swept", "_touching")
    _values = ("_mask", "_touching", "_swept", "_stay", "_linger", "_enabled")

    def __init__(
        self,
        *,
        mask: Iterable[str] | None = None,
        touching: bool = False,
        swept: bool = False,
        stay: bool = False,
        linger: int = 0,
        enabled: bool = True,
    ) -> None:
        self._start_unbound()
        self._mask = layer_set(mask, "Trigger.mask")
        self._touching = flag(touching, "Trigger.touching")
        self._swept = flag(swept, "Trigger.swept")
        self._stay = flag(stay, "Trigger.stay")
        self._linger = whole(linger, "Trigger.linger", least=0)
        self._enabled = flag(enabled, "Trigger.enabled")

    @property
    def mask(self) -> frozenset[str] | None:
        """The layers it reports; None is every layer."""
        return self._mask

    @mask.setter
    def mask(self, value: Iterable[str] | None) -> None:
        checked = layer_set(value, "Trigger.mask", owner=self)
        self._mark()
        self._mask = checked

    @property
    def touching(self) -> bool:
        """Whether touching counts as well as overlapping."""
        return self._touching

    @touching.setter
    def touching(self, value: bool) -> None:
        checked = flag(value, "Trigger.touching", owner=self)
        self._mark()
        self._touching = checked

    @property
    def swept(self) -> bool:
        """Whether crossings within one frame are reported."""
        return self._swept

    @swept.setter
    def swept(self, value: bool) -> None:
        checked = flag(value, "Trigger.swept", owner=self)
        self._mark()
        self._swept = checked

    @property
    def stay(self) -> bool:
        """Whether TriggerStayed is given every frame."""
        return self._stay

    @stay.setter
    def stay(self, value: bool) -> None:
        checked = flag(value, "Trigger.stay", owner=self)
        self._mark()
        self._stay = checked

    @property
    def linger(self) -> int:
        """How many frames a contact is kept after it was last seen."""
        return self._linger

    @linger.setter
    def linger(self, value: int) -> None:
        checked = whole(value, "Trigger.linger", owner=self, least=0)
        self._mark()
        self._linger = checked

    @property
    def enabled(self) -> bool:
        """Whether the body takes part at all (like the collider's)."""
        return self._enabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        checked = flag(value, "Trigger.enabled", owner=self)
        self._mark()
        self._enabled = checked

    def __repr__(self) -> str:
        names = [name for name in ("touching", "swept", "stay") if getattr(self, name)]
        fields = [f"{name}=True" for name in names]
        fields += [f"mask={mask_text(self._mask)}"] if self._mask is not None else []
        fields += [f"linger={self._linger}"] if self._linger else []
        fields += [] if self._enabled else ["enabled=False"]
        return f"Trigger({', '.join(fields)})"
