"""Findings about a system, beside those about its world: how it is used in esper."""

from __future__ import annotations

from collections.abc import Iterator

import esper

from ecs_collision.components import Parts
from ecs_collision.doctor import Finding
from ecs_collision.doctor.handlers import MIN_FRAMES, never_matched
from ecs_collision.dynamics.arguments import immovable_because
from ecs_collision.events import ContactBegan, ContactEnded, Impact, TriggerEntered, TriggerLeft, TriggerStayed
from ecs_collision.systems.change_detection import ChangeDetector
from ecs_collision.systems.delivery import Delivery
from ecs_collision.systems.subscription import Subscription
from ecs_collision.world import CollisionWorld

_TRIGGER_EVENTS = (TriggerEntered, TriggerStayed, TriggerLeft)
_CONTACT_EVENTS = (ContactBegan, ContactEnded, Impact)


def find_in_system(
    world: CollisionWorld, detector: ChangeDetector, delivery: Delivery, *, is_added: bool
) -> list[Finding]:
    """Return the findings about a system; all changes are applied. O(subscriptions and entities)."""
    found = [] if is_added or world.frame_number else [_NEVER_ADDED]
    found += _unused_components(detector)
    found += _never_stepped(world)
    for subscription in delivery.subscriptions():
        found += _handler_findings(subscription, detector, world)
    return found


_NEVER_ADDED = Finding(
    "system", (),
    "this CollisionSystem was never added to esper, so esper.process() does not run it; call "
    "esper.add_processor(system)",
)  # fmt: skip


def _unused_components(detector: ChangeDetector) -> Iterator[Finding]:
    for entity, name in detector.unused_components():
        yield Finding(
            "unused", (entity,), f"{name} has no effect without a collider; add a BoxCollider or remove the {name}"
        )


def _never_stepped(world: CollisionWorld) -> Iterator[Finding]:
    """Yield the dynamic bodies that no step moves, because there is no ImpulseSystem and nothing else has run one."""
    from ecs_collision.systems.impulse_system import ImpulseSystem  # it imports the CollisionSystem

    if world.frame_number < 2 or not world._step.dynamics.is_cold or esper.get_processor(ImpulseSystem) is not None:
        return
    for row in sorted(world._bodies.moving_rows):
        if not immovable_because(world._bodies, row):
            is_mover = world._bodies.of(row).motion is not None
            yield Finding(
                "dynamics", (world._bodies.entity(row),),
                "its Velocity and Mass have no effect, because no step has run (I1); call "
                "esper.add_processor(ImpulseSystem(system), priority=1), or step_dynamics in each frame"
                + (", or remove Mass, so that steps of movement move it (M1)" if is_mover else ""),
            )  # fmt: skip


def _handler_findings(subscription: Subscription, detector: ChangeDetector, world: CollisionWorld) -> Iterator[Finding]:
    """Yield that a handler cannot match, or that it has not for long."""
    label = f"the handler {_name_of(subscription)} of {subscription.kind.__name__}"
    frames = world.frame_number - subscription._frame
    missing = _missing(subscription, detector)
    if missing:
        yield Finding("handler", tuple(subscription.entities), f"{label} cannot be called: {missing}")
    elif not subscription._has_matched and _lacks_reporters(subscription, world, frames):
        yield Finding(
            "handler", tuple(subscription.entities),
            f"{label} has matched no event in {frames} frames, because no body has a {_asking(subscription)}; add one "
            "to the body that reports",
            str(subscription._number),
        )  # fmt: skip
    elif not subscription._has_matched:
        yield from never_matched(label, tuple(subscription.entities), frames, str(subscription._number))


def _lacks_reporters(subscription: Subscription, world: CollisionWorld, frames: int) -> bool:
    """Return whether a handler has waited for long in a world in which no body has the Contact that it needs."""
    if subscription.kind not in _CONTACT_EVENTS or frames < MIN_FRAMES:
        return False
    bodies = world._bodies
    return not any(_asks(bodies.of(row), subscription) for row in bodies.rows())


def _asks(parts: Parts, subscription: Subscription) -> bool:
    """Return whether a body asks for the contacts, or the impacts, that a handler is for."""
    return parts.contact is not None and (subscription.kind is not Impact or parts.contact.impacts is not None)


def _asking(subscription: Subscription) -> str:
    """Return the component that asks for events of the kind of a handler."""
    return "Contact(impacts=...)" if subscription.kind is Impact else "Contact"


def _missing(subscription: Subscription, detector: ChangeDetector) -> str:
    """Return what the trigger, or the asking body, that a handler is for lacks; "" if nothing, or if it is for none."""
    field, entity = subscription._anchor or ("", 0)
    is_for_reporter = field == ("trigger" if subscription.kind in _TRIGGER_EVENTS else "a")
    if not is_for_reporter or subscription.kind not in (*_TRIGGER_EVENTS, *_CONTACT_EVENTS):
        return ""
    parts = detector.parts(entity)
    if parts is None:
        return ""
    if subscription.kind in _CONTACT_EVENTS:
        if _asks(parts, subscription):
            return ""
        return f"the entity has no {_asking(subscription)}; add one, or match it as b"
    if parts.trigger is None:
        return "the entity has no Trigger; add one, or match another entity"
    if subscription.kind is TriggerStayed and not parts.trigger.stay:
        return "the Trigger does not report who stays; write Trigger(stay=True)"
    return ""


def _name_of(subscription: Subscription) -> str:
    return getattr(subscription.handler, "__name__", None) or repr(subscription.handler)
