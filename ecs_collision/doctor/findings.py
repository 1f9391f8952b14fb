"""All findings about a world, in the order in which they are looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ecs_collision.doctor.advice import Finding
from ecs_collision.doctor.broad_phases import unsuitable_broad_phase
from ecs_collision.doctor.dynamics import ineffective_dynamics
from ecs_collision.doctor.layers import (
    floorless_characters,
    idle_movers,
    masks_in_one_direction,
    silent_contacts,
    silent_triggers,
    trigger_layers_without_triggers,
    unknown_layers,
)
from ecs_collision.doctor.motions import (
    ineffective_movers,
    members_that_hold_a_group,
    moved_statics,
    one_way_triggers,
)
from ecs_collision.doctor.movement import unmoved_characters, unstepped_movement
from ecs_collision.doctor.observed import Observed
from ecs_collision.doctor.overlaps import overlapping_solids
from ecs_collision.doctor.shapes import misleading_shapes
from ecs_collision.doctor.sizes import sizes_off_the_lattice, unsuitable_bin_size

_EXAMINATIONS: tuple[Callable[[Observed], Iterator[Finding]], ...] = (
    overlapping_solids,
    unknown_layers,
    trigger_layers_without_triggers,
    masks_in_one_direction,
    silent_triggers,
    silent_contacts,
    idle_movers,
    ineffective_movers,
    moved_statics,
    members_that_hold_a_group,
    one_way_triggers,
    unsuitable_bin_size,
    unsuitable_broad_phase,
    sizes_off_the_lattice,
    misleading_shapes,
    ineffective_dynamics,
    unmoved_characters,
    floorless_characters,
    unstepped_movement,
)


def find_in_world(world: Observed) -> list[Finding]:
    """Return all findings about a world. O(bodies), and the squares of the numbers of different filters."""
    if not world.rows:
        return [Finding("empty", (), "there are no bodies; give an entity a Transform and a collider")]
    return [finding for examine in _EXAMINATIONS for finding in examine(world)]
