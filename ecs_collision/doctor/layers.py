"""Layers and masks that cannot have the meant effect (P14, T6, C2)."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.bodies.filters import Filter, may_meet, reports
from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.observed import Observed
from ecs_collision.similar import did_you_mean

MAX_COMPARED = 100
"""Number of unknown layers that are compared with the known ones, 20 us each with each of them."""


def unknown_layers(world: Observed) -> Iterator[Finding]:
    """Yield the bodies whose mask names a layer that no body has, and the layers that only recent queries named."""
    meant: dict[str, str] = {}

    def text_of(what: str, layer: str) -> str:
        if layer not in meant:
            known = sorted(world.layers) if len(meant) < MAX_COMPARED else ()
            meant[layer] = did_you_mean(layer, known) or "; correct it, unless such bodies come later"
        return f"{what} names the layer {layer!r}, which no body has{meant[layer]}"

    for each, entities in world.entities_by_filter.items():
        masks = [("Trigger.mask" if each.is_trigger else "mask", mask_of(each)), ("Contact.mask", each.contact_mask)]
        for name, layer in [(name, layer) for name, mask in masks for layer in sorted((mask or set()) - world.layers)]:
            text = text_of(f"its {name}", layer)
            yield from (Finding("mask", (entity,), text) for entity in entities)
    filters = world.bodies.filters
    for layer in sorted(filters.queried_layers() - world.layers - filters.former_layers - meant.keys()):
        yield Finding("mask", (), text_of("a query", layer))


def trigger_layers_without_triggers(world: Observed) -> Iterator[Finding]:
    """Yield the queries that can find nothing: their layers have only triggers, which they leave out (Q6)."""
    solid = {each.layer for each in world.entities_by_filter if not each.is_trigger}
    for layers in world.bodies.filters.sets_without_triggers():
        if layers and layers <= world.layers - solid:
            named = " and ".join([f"the layer {layer!r}" for layer in sorted(layers)])
            text = f"a query names {named}, on which there are only triggers, which queries leave out (Q6)"
            yield Finding("mask", (), f"{text}; write triggers=True")


def masks_in_one_direction(world: Observed) -> Iterator[Finding]:
    """Yield pairs of solid bodies of which one mask names the layer of the other, but not the other way round (P14)."""
    solid = [(each, entities) for each, entities in world.entities_by_filter.items() if not each.is_trigger]
    for each, entities in solid:
        for other, others in solid if each.mask is not None else ():
            if other.layer in (each.mask or ()) and other.mask is not None and each.layer not in other.mask:
                text = (
                    f"the mask of the first names {other.layer!r}, the layer of the second, whose mask does not name "
                    f"{each.layer!r}, so they do not meet (P14); add {each.layer!r} to that mask, or remove "
                    f"{other.layer!r} from the first"
                )
                yield from (Finding("one way", (entity, others[0]), text) for entity in entities)


def silent_triggers(world: Observed) -> Iterator[Finding]:
    """Yield the triggers that would report none of the other bodies; unknown layers are named elsewhere."""
    for each, entities in world.entities_by_filter.items():
        if not each.is_trigger or is_unknown(mask_of(each), world):
            continue
        reported = [other for other in world.entities_by_filter if reports(each, other)]
        with_statics = each._replace(reports_statics=True)
        statics = [other for other in world.entities_by_filter if reports(with_statics, other)]
        for entity in entities:
            if not _has_others(world, entity, reported):
                text = _silence(each, only_statics=_has_others(world, entity, statics))
                yield Finding("trigger", (entity,), f"this trigger can report no body: {text}")


def _silence(of: Filter, *, only_statics: bool) -> str:
    """Return why a trigger reports no body, and what to do."""
    if only_statics:
        return "all bodies on its layers are Static (T6); add a body that is not, or write Trigger(statics=True)"
    why = "there are only triggers" if of.trigger_mask is None else "no other body is on a layer of its mask"
    return f"{why} (T6); add a body that it reports, or name its layer in Trigger.mask"


def silent_contacts(world: Observed) -> Iterator[Finding]:
    """Yield the bodies that ask for contacts and can be in contact with none; unknown layers are named elsewhere."""
    for each, entities in world.entities_by_filter.items():
        if not each.asks or any(is_unknown(mask, world) for mask in (each.mask, each.contact_mask)):
            continue
        reported = [other for other in world.entities_by_filter if reports(each, other)]
        text = (
            "this Contact can report no body: no other solid body may meet it (P14) and is on a layer of Contact.mask "
            "(C2); correct the layers or the masks, or add such a body"
        )
        silent = [entity for entity in entities if not _has_others(world, entity, reported)]
        yield from (Finding("contact", (entity,), text) for entity in silent)


def idle_movers(world: Observed) -> Iterator[Finding]:
    """Yield the solid bodies with Motion that no body blocks, that can push no body and that no trigger reports.

    For characters there is `floorless_characters`.
    """
    if world.settings.bounds is not None or len(world.rows) == 1:
        return
    bodies = world.bodies
    for each, entities in world.entities_by_filter.items():
        parts = [(entity, bodies.of(bodies.row_of[entity])) for entity in entities]
        movers = [entity for entity, has in parts if has.motion is not None and has.character is None]
        if each.is_trigger or not movers or is_unknown(mask_of(each), world):
            continue
        met = [
            other
            for other in world.entities_by_filter
            if (not other.is_trigger and may_meet(each, other)) or reports(other, each)
        ]
        text = (
            "it has a Motion but can meet no body: no other body has a layer in its mask and its layer in the mask "
            "(P14), and no trigger reports it (T6); correct the layers or the masks"
        )
        yield from (Finding("mover", (entity,), text) for entity in movers if not _has_others(world, entity, met))


def floorless_characters(world: Observed) -> Iterator[Finding]:
    """Yield the characters that no solid body can carry; the bounds of a world are a floor (M3)."""
    bodies = world.bodies
    if world.settings.bounds is not None:
        return
    for each, entities in world.entities_by_filter.items():
        characters = [entity for entity in entities if bodies.of(bodies.row_of[entity]).character is not None]
        if each.is_trigger or not characters or is_unknown(mask_of(each), world):
            continue
        met = [other for other in world.entities_by_filter if not other.is_trigger and may_meet(each, other)]
        text = (
            "this Character has no floor: no other solid body has a layer in its mask and its layer in the mask (P14); "
            "correct the layers or the masks, or add a floor"
        )
        yield from (
            Finding("movement", (entity,), text) for entity in characters if not _has_others(world, entity, met)
        )


def mask_of(of: Filter) -> frozenset[str] | None:
    """Return the mask that decides what a body meets or reports; the mask of a trigger's collider has no effect."""
    return of.trigger_mask if of.is_trigger else of.mask


def is_unknown(mask: frozenset[str] | None, world: Observed) -> bool:
    """Return whether a mask names layers, but none that a body has."""
    return mask is not None and mask.isdisjoint(world.layers) and bool(mask)


def _has_others(world: Observed, entity: int, among: list[Filter]) -> bool:
    """Return whether a body outside an entity's fused group has one of these filters."""
    group = world.group_of(entity)
    return any(other not in group for each in among for other in world.entities_by_filter[each])
