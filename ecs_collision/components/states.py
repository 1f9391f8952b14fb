"""What a body is besides: a sleeper, a static, a trigger, a part of a larger body."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ecs_collision.components.base import Component, layer_set
from ecs_collision.components.schema import Field, component, field, slots
from ecs_collision.fixed_point import flag, whole


@component
class Sleeping(Component):
    """Lets a body rest: `asleep` is the state, `after` the number of quiet frames before it rests.

    Sleeping saves work and changes nothing else (S1). A body wakes in the frame in which it is
    displaced, teleported or resized, or its collider, layer, inertia or trigger changes (S4).
    """

    asleep: Field[bool, bool] = field(
        flag, "Whether the body rests; may be set.", default=False, repr_style="named", is_volatile=True
    )
    after: Field[int, int] = field(
        whole, "How many quiet frames come before rest.", minimum=1, default=30, repr_style="named"
    )
    __slots__ = slots(vars())

    if TYPE_CHECKING:  # the engine writes it without telling anybody
        _asleep: bool = field(flag, "", init=False)


@component
class Static(Component):
    """Marks a body that never moves of itself; it is kept apart and costs a frame nothing (B6)."""

    __slots__ = ()


@component
class Fused(Component):
    """Welds this entity's body to that of the entity `to`: they move as one.

    All bodies connected so are one group. Touching any of them pushes the group, the part that can move least
    decides, and its inertia is the largest of its solid members' (one without Inertia makes it immovable to
    others). Adding the component joins, removing it splits, assigning `to` does both. Results and events name
    the group by its root, the member that is fused to nobody. A disabled member is out until it is enabled.
    Writing the Transform of a member moves it alone: the weld is of motion, not of place.
    """

    to: Field[int, int] = field(whole, "The entity to which this one is welded.", minimum=0, repr_style="named")
    __slots__ = slots(vars())


@component
class Trigger(Component):
    """Makes a body report who comes and goes instead of blocking (rules T).

    mask: the layers it reports (None: all). touching: touching counts too (T2). swept: reports what
    crossed it within one frame (T4). stay: gives TriggerStayed every frame. linger: frames a contact is
    kept after it was last seen (T5).
    """

    mask: Field[frozenset[str] | None, Iterable[str] | None] = field(
        layer_set, "The layers it reports; None is every layer.", default=None, kw_only=True
    )
    touching: Field[bool, bool] = field(
        flag, "Whether touching counts as well as overlapping.", default=False, kw_only=True
    )
    swept: Field[bool, bool] = field(
        flag, "Whether crossings within one frame are reported.", default=False, kw_only=True
    )
    stay: Field[bool, bool] = field(flag, "Whether TriggerStayed is given every frame.", default=False, kw_only=True)
    linger: Field[int, int] = field(
        whole, "How many frames a contact is kept after it was last seen.", minimum=0, default=0, kw_only=True
    )
    enabled: Field[bool, bool] = field(
        flag, "Whether the body takes part at all (like the collider's).", default=True, kw_only=True
    )
    __slots__ = slots(vars())
