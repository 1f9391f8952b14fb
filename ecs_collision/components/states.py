"""Components for sleeping, static and fused bodies, and for those that report others: triggers and contacts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ecs_collision.components.base import Component
from ecs_collision.components.checks import layer_set
from ecs_collision.components.schema import Field, component, field, slots
from ecs_collision.fixed_point import finite, flag, whole


def least_speed(value: object, where: str, owner: object = None) -> float:
    """Return a speed that is not negative."""
    return finite(value, where, owner=owner, minimum=0.0) + 0.0


@component
class Sleeping(Component):
    """Lets a body fall asleep: `asleep` is its state, `after` the number of quiet frames before it rests.

    Sleeping saves work and changes nothing else (S1). A body wakes in the frame in which it is displaced,
    teleported or resized, or its collider, layer, inertia, trigger or contact changes (S4).
    """

    asleep: Field[bool, bool] = field(
        flag, "Whether the body is asleep; may be assigned.", default=False, repr_style="named", is_volatile=True
    )
    after: Field[int, int] = field(
        whole, "How many quiet frames pass before the body rests.", minimum=1, default=30, repr_style="named"
    )
    __slots__ = slots(vars())

    if TYPE_CHECKING:  # the engine assigns it without recording a write
        _asleep: bool = field(flag, "", init=False)


@component
class Static(Component):
    """Marks a body that neither moves nor can be pushed; only a teleport moves it. It costs nothing per frame (B6)."""

    __slots__ = ()


@component
class Fused(Component):
    """Fuses the body of this entity to that of the entity `to`: they move as one.

    All connected bodies are one group. Pushing any of them pushes the group, and the member that can move least
    limits it. The inertia of a group is the largest of its solid members; a solid member without Inertia makes it
    immovable to others. Adding the component joins groups, removing it splits them, assigning `to` does both. Results
    and events name the group by its root, the member that is fused to no other. A disabled member leaves the group
    until it is enabled. Writing the Transform of a member moves only that member: bodies are fused in motion, not in
    position.
    """

    to: Field[int, int] = field(whole, "The entity to which this one is fused.", minimum=0, repr_style="named")
    __slots__ = slots(vars())


@component
class Trigger(Component):
    """Makes a body report the bodies inside it instead of blocking them (rules T).

    mask: the layers it reports (None: all). statics: also reports bodies with `Static` (T6). touching: also reports
    touching bodies (T2). swept: also reports bodies that crossed it within one frame (T4). stay: sends TriggerStayed
    every frame. linger: for how many frames a contact is kept after its end (T5).
    """

    mask: Field[frozenset[str] | None, Iterable[str] | None] = field(
        layer_set, "The layers it reports; None is every layer.", default=None, kw_only=True
    )
    statics: Field[bool, bool] = field(
        flag, "Whether bodies with Static are reported as well.", default=False, kw_only=True
    )
    touching: Field[bool, bool] = field(
        flag, "Whether touching bodies are reported as well as overlapping ones.", default=False, kw_only=True
    )
    swept: Field[bool, bool] = field(
        flag, "Whether bodies that crossed it within one frame are reported.", default=False, kw_only=True
    )
    stay: Field[bool, bool] = field(flag, "Whether TriggerStayed is sent every frame.", default=False, kw_only=True)
    linger: Field[int, int] = field(
        whole, "For how many frames a contact is kept after its end.", minimum=0, default=0, kw_only=True
    )
    enabled: Field[bool, bool] = field(
        flag, "Whether the body collides at all, like `enabled` of the collider.", default=True, kw_only=True
    )
    __slots__ = slots(vars())


@component
class Contact(Component):
    """Makes a solid body report the solid bodies that it touches or overlaps (rules C).

    The body *asks*: `ContactBegan` and `ContactEnded` say when each contact begins and ends, `system.contacts` has
    those of the last frame. mask: the layers it reports (None: all). linger: for how many frames a contact is kept
    after its end (C3). impacts: the speed of approach, in units per second, from which a hit by a step of dynamics is
    reported as an `Impact` (None: none). An entity with a `Trigger` has no `Contact`: a trigger reports by itself.
    """

    mask: Field[frozenset[str] | None, Iterable[str] | None] = field(
        layer_set, "The layers it reports; None is every layer.", default=None, kw_only=True
    )
    linger: Field[int, int] = field(
        whole, "For how many frames a contact is kept after its end.", minimum=0, default=0, kw_only=True
    )
    impacts: Field[float | None, float | None] = field(
        least_speed, "The speed of approach from which a hit is reported as an Impact; None for no hits.",
        is_optional=True, default=None, kw_only=True,
    )  # fmt: skip
    __slots__ = slots(vars())
